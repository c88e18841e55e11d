"""The scene of the similarity: what it shows of a state in the panel and on paper, and what its words say."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pe_desktop.core.cursor import Preview
from pe_desktop.core.fields.similarity import row_similarity, sampled_limits
from pe_desktop.core.kinds.naive import BitsEncoding, CounterEncoding
from pe_desktop.core.lags import MEASURES
from pe_desktop.core.state import state_of, with_encoding
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.draw.theme import themes
from pe_desktop.views.map_and_profile import OffsetCurve
from pe_desktop.views.similarity import scene as view
from tests.pictures import of_kind
from tests.views import seen
from tests.views.seen import ANSWERS, texts_in
from tests.views.test_every_view import Unknown, picture_of

PART = {"similarity.rows": "10.5..50.25", "similarity.columns": "40.5..80.25", "similarity.offsets": "-20.0..33.5"}
NARROW, WIDE = (440.0, 330.0), (900.0, 400.0)


def dot_product(k: int, d_model: int) -> float:
    """At an offset, as a plain sum."""
    return math.fsum(math.cos(k * 10_000 ** (-2 * i / d_model)) for i in range(d_model // 2))


DOTS = [dot_product(k, 32) for k in range(128)]
BY_OFFSET = {
    "dot": DOTS,
    "cosine": [dot / 16 for dot in DOTS],
    "distance": [math.sqrt(max(32 - 2 * dot, 0)) for dot in DOTS],
}


def box(size: tuple[float, float] = NARROW) -> Box:
    return Box(*size, 1.0, themes()["light"])


def scene_of(state, size=NARROW, **given) -> Scene:
    return seen.scene_of("similarity", state, *size, **given)


def texts(state, size=NARROW, **given) -> list[str]:
    return texts_in(scene_of(state, size, **given))


def layout_of(state, size=NARROW):
    return view.layout_of(state_of(state) if isinstance(state, dict) else state, ANSWERS, box(size))


def color_at(state, size, row: float, column: float, **given) -> list[int]:
    """The colour of a cell."""
    layout = layout_of(state, size)
    x, y = layout.column_axis.place(column), layout.row_axis.place(row)
    color = picture_of("similarity", state, replace(box(size), **given)).pixelColor(int(x), int(y))
    return [color.red(), color.green(), color.blue()]


@pytest.mark.parametrize("is_paper", [False, True])
@pytest.mark.parametrize("measure", MEASURES)
def test_the_pixels_of_a_zoomed_map_are_the_similarities_of_its_cells(light, measure, is_paper) -> None:
    state = state_of({**PART, "similarity.measure": measure, "similarity.range": "whole"})
    values = BY_OFFSET[measure]
    wanted = light.sequential[round(values[30] / max(values) * 255)].tolist()
    if measure != "distance":
        wanted = [*light.diverging_color(DOTS[30] / 16).toTuple()[:3]]
    shown = color_at(state, (900.0, 500.0), 30.0, 60.0, is_paper=is_paper)
    assert np.abs(np.array(shown) - wanted).max() <= 3


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    ("kind", "titled"), [("counter", "cosine distance"), ("random", ""), ("sinusoidal", "dot cosine distance")]
)
def test_title_legend_and_subtitle_are_true_for_the_measure(qapp, kind, titled, measure) -> None:
    # The distance of a counter is |k| and its cosine 1 where it is defined, not at 0; its dot product is t (t + k).
    state = state_of({"kind": kind, "similarity.measure": measure})
    sentence, subtitle = view.VIEW.sentence(state, ANSWERS), view.VIEW.subtitle(state, ANSWERS)
    words = " ".join(texts(state, WIDE, is_paper=True))
    is_same = measure in titled.split()
    assert ("wherever it is" in sentence, "elsewhere it differs" in sentence) == (is_same, not is_same)
    assert ("depends on more" in subtitle, "rows differ" in words) == (not is_same, not is_same)
    if (kind, measure) == ("counter", "cosine"):
        assert sentence == "Cosine at offset 8 is 1.0000 wherever it is defined"


def test_where_nothing_is_measured_nothing_is_said_about_other_positions_but_that(qapp) -> None:
    class Failed(Unknown):
        def share(self, question):
            return None

    state = state_of({"kind": "random", "offset": "500"})
    assert view.VIEW.sentence(state, ANSWERS).startswith("Dot product of positions 37 and 537 is ")
    assert "elsewhere" not in view.VIEW.sentence(state, ANSWERS)
    assert view.VIEW.subtitle(state, Unknown()) == "dot product of every two positions"
    for size in (WIDE, NARROW, (250.0, 150.0)):
        shown = [" ".join(texts({}, size, answers=answers)) for answers in (Unknown(), Failed())]
        assert ["measuring…" in words for words in shown] == [True, False]
        assert "not measured" in shown[1]


def test_places_are_diagonal_row_cell_and_cursor_of_the_profile_and_the_legend_names_the_row(qapp) -> None:
    places, layout = {place.name: place for place in scene_of({}).places()}, layout_of({})
    assert [*places] == ["map", "diagonal k", "row t", "profile", "cursor k", "values", "cell t, t + k"]
    for name in ("cell t, t + k", "cursor k"):
        assert float(places[name].value) == pytest.approx(DOTS[8], rel=1e-15)
    cell = layout.column_axis.place(45.0), layout.row_axis.place(37.0)
    assert places["cell t, t + k"].area.holds(*cell)
    assert places["row t"].area.holds(*cell)
    assert places["cursor k"].area.holds(layout.offset_axis.place(8.0), layout.profile.y + 5)
    said = "Along the diagonal, at (t, t + k) for all t: ± "
    assert places["values"].tooltip.startswith(said)
    assert places["values"].tooltip.endswith(", rounding only.")
    places = scene_of({**PART, "offset": "-60"}).places()
    assert [place.name for place in places] == ["map", "row t", "profile", "values"]
    wide = scene_of({"position": "38.5"}, WIDE)
    assert {"every row", "row t = 38.5"} <= {*texts_in(wide)}
    formulas = {mark.formula for mark in of_kind(wide.moving, marks.FormulaText)}
    assert formulas == {f"p_{{38.5}} · p_{{46.5}} = p_{{0}} · p_{{8}} = {DOTS[8]:.4f}"}
    # A preview is a light row, and for a key a dashed column.
    column, row, *_ = of_kind(scene_of({}, preview=Preview(20.0, 70.0)).moving, marks.Segments)
    assert (column.dash != (), row.dash != ()) == (True, False)
    assert column.ends[0, 0] == pytest.approx(layout.column_axis.place(90.0))
    assert row.ends[0, 1] == pytest.approx(layout.row_axis.place(20.0))


def test_what_is_under_the_pointer_is_the_exact_value_of_the_cell(qapp) -> None:
    state = state_of({"n_positions": "100", "d_model": "512"})
    layout = layout_of(state)
    lines = view._lines_at(state, layout, layout.column_axis.place(80), layout.row_axis.place(1), box())
    assert lines[:-1] == ("117.5290", "dot product of 1 and 80", "offset 79")
    assert float(lines[-1]) == pytest.approx(117.52900007202076, abs=1e-9)
    x, y = layout.offset_axis.place(79.0), layout.profile.y + 5
    value, words, digits = view._lines_at(state, layout, x, y, box())
    assert (value, words) == ("117.5290", "dot product at offset 79")
    assert float(digits) == pytest.approx(117.52900007202076, abs=1e-12)
    assert view._lines_at(state, layout, 1.0, 1.0, box()) == ()
    # Pixels of a table whose blocks are sampled are not called exact.
    drawn = state_of({"kind": "random", "n_positions": "50000", "d_model": "512"})
    assert "exact" not in view.VIEW.explanation(drawn)
    assert "mean of samples" in view.VIEW.explanation(drawn)
    layout = layout_of(drawn)
    x, y = layout.map.middle
    lines = view._lines_at(drawn, layout, x, y, box())
    (averaged,) = [line for line in lines if "cells" in line]
    assert averaged == "the colour is the mean of samples over about 252 × 252 cells"
    assert "their exact mean" in view.VIEW.explanation(state_of({"n_positions": "50000"}))


def test_the_profile_of_few_offsets_is_there_with_the_first_frame_and_that_of_many_is_asked_for(qapp) -> None:
    for d_model, is_there in (("4096", True), ("16384", False)):
        state = state_of({"d_model": d_model, "n_positions": "10000"})
        assert len(view.progress_questions(state)) == 1 - is_there
        assert len(of_kind(scene_of(state, WIDE, answers=Unknown()).still(), marks.Polyline)) == is_there
    # As many offsets as a transform has.
    for given, n_lags in (({}, [2**14]), ({"similarity.offsets": "-3..70000"}, [2**17, 2**14])):
        asked = view.VIEW.questions(state_of({"n_positions": "1000000", **given}))
        assert [one.arguments[2] for one in asked if one.topic == "similarity profile"] == n_lags


@pytest.mark.parametrize("measure", MEASURES)
def test_the_profile_of_every_row_is_the_similarity_by_offset(qapp, measure) -> None:
    state = state_of({"similarity.measure": measure, "similarity.offsets": "0..10"})
    (curve,) = of_kind(scene_of(state, WIDE).still(), marks.Polyline)
    area, values = layout_of(state, WIDE).profile, BY_OFFSET[measure]
    low, high = min(*values, 0.0), max(values)
    heights = [area.bottom - area.height * 0.96 * (value - low) / (high - low) for value in values[:11]]
    assert curve.points[:, 1].tolist() == pytest.approx(heights, abs=1e-4)


def test_an_undefined_similarity_leaves_a_hole_and_no_dot(light):
    layout, encoding = layout_of({"n_positions": "8", "d_model": "2"}, WIDE), CounterEncoding(8, 2)
    row = row_similarity(encoding, "cosine", encoding.values([3])[0], range(8))
    assert math.isnan(row[0])
    (line,) = of_kind(layout.row_picture(None, OffsetCurve(np.arange(8.0) - 3, row), 3.0, light), marks.Polyline)
    assert len(line.points) == 7
    assert of_kind(layout.offset_picture(-3.0, math.nan, light), marks.Dots) == []
    at_0 = scene_of({"kind": "counter", "position": "0", "similarity.measure": "cosine"})
    assert any("undefined" in mark.formula for mark in of_kind(at_0.moving, marks.FormulaText))


@pytest.mark.parametrize(
    ("encoding", "measure", "wanted"),
    [
        (CounterEncoding(100, 3), "dot", (0.0, 99.0**2)),
        (CounterEncoding(100, 3), "distance", (0.0, 99.0)),
        (CounterEncoding(100, 3), "cosine", (1.0, 1.0)),
        (BitsEncoding(64, 6), "dot", (0.0, 6.0)),
        (CounterEncoding(1, 3), "cosine", (0.0, 0.0)),
    ],
)
def test_the_axis_reaches_as_far_as_the_similarities_of_a_sample(encoding, measure, wanted):
    assert sampled_limits(encoding, measure) == pytest.approx(wanted)
    axis = layout_of(with_encoding(state_of({"similarity.measure": measure}), encoding)).value_axis
    assert (axis.first, axis.last) == pytest.approx((0.0, (wanted[1] or 1.0) / 0.96))


def test_the_first_eight_positions_have_their_dot_products_in_the_cells(qapp) -> None:
    state, size = state_of({"preset": "first-8"}), (620.0, 420.0)
    layout, dots = layout_of(state, size), [dot_product(k, 512) for k in range(8)]
    cells = {
        (round(layout.row_axis.value(mark.y)), round(layout.column_axis.value(mark.x))): mark.text
        for mark in of_kind(scene_of(state, size).moving, marks.Text)
        if layout.map.holds(mark.x, mark.y)
    }
    # Field guide S1-3.
    assert dots[:2] == pytest.approx([256.0, 249.10209782736297], rel=1e-15)
    assert len(cells) == 64
    for (row, column), text in cells.items():
        assert abs(float(text) - dots[abs(row - column)]) <= 0.5 * 10.0 ** -len(text.partition(".")[2])


def test_colours_over_what_is_seen_say_so_and_their_bar_ends_at_the_largest_value(qapp) -> None:
    far = {"n_positions": "1000", "similarity.measure": "distance", "similarity.range": "seen"}
    far |= {"similarity.rows": "-0.5..3.5", "similarity.columns": "9.5..13.5"}
    scene, distances = scene_of(far), BY_OFFSET["distance"][7:14]
    assert scene.heat.field.limits == pytest.approx((min(distances), max(distances)), rel=1e-6)
    assert {f"seen, {min(distances):.2f}", f"{max(distances):.2f}"} <= {*texts_in(scene)}


@pytest.mark.parametrize(("typed", "ends"), [("4..12", {"≥ 12", "≤ 4"}), ("6", {"≤ −6", "≥ +6"})])
def test_a_typed_range_is_told_by_bar_and_caption_and_values_beyond_have_the_colour_of_the_end(light, typed, ends):
    state = state_of({"similarity.range": typed})
    scene = scene_of(state)
    assert ends <= {*texts_in(scene)}
    low, high = scene.heat.field.limits
    assert f"from {low:g} to {high:g}".replace("-", "−") in view.VIEW.explanation(state)
    # The diagonal is 16.
    assert color_at(state, NARROW, 20, 20) == light.diverging[-1].tolist()
    half = light.diverging[128:] if low > 0 else light.diverging
    wanted = half[round((min(max(DOTS[100], low), high) - low) / (high - low) * (len(half) - 1))]
    assert np.abs(np.array(color_at(state, NARROW, 10, 110)) - wanted).max() <= 3


def test_the_read_out_has_all_digits_of_its_places_and_says_what_lies_outside_the_table() -> None:
    far = {"n_positions": "2000000", "position": "1234567.25", "offset": "0.5"}
    at_zero = {"kind": "counter", "similarity.measure": "cosine", "position": "0"}
    for given, words in (
        (far, "dot of 1234567.25 and 1234567.75\t"),
        ({"offset": "200"}, "\nspread along the diagonal\toutside the table"),
        (at_zero, "cosine of 0 and 8\tundefined\n"),
    ):
        text = view.VIEW.readout(state_of(given), ANSWERS)
        assert words in text
        assert "nan" not in text
