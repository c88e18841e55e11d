"""The scene of the similarity: what it shows of a state in the panel and on paper, and what its words say."""

import math
import random

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from pe_desktop.core.cursor import Preview, Span, full_span
from pe_desktop.core.kinds.naive import BitsEncoding, CounterEncoding
from pe_desktop.core.lags import MEASURES
from pe_desktop.core.similarity import row_similarity, sampled_limits
from pe_desktop.core.state import State, state_of
from pe_desktop.draw import marks
from pe_desktop.draw.painter import paint_marks
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.draw.theme import themes
from pe_desktop.heat.raster import paint_exactly
from pe_desktop.model.findings import Computed
from pe_desktop.views.map_and_profile import OffsetCurve, offset_picture, row_picture
from pe_desktop.views.similarity import profile
from pe_desktop.views.similarity import scene as view
from pe_desktop.views.similarity.layout import SimilarityLayout, similarity_layout
from tests.pictures import of_kind
from tests.views.test_every_view import Unknown

ZOOMED = {"similarity.rows": "10.5..50.25", "similarity.columns": "40.5..80.25", "similarity.offsets": "-20.0..33.5"}


def box(width: float = 440.0, height: float = 330.0, theme: str = "light", **given) -> Box:
    return Box(width, height, 1.0, themes()[theme], **given)


def composed(shown: Box, **assignments: str) -> Scene:
    return view.scene(
        state_of({name.replace("__", "."): text for name, text in assignments.items()}), Computed(), shown
    )


def picture(scene: Scene) -> marks.Picture:
    return (*scene.still(), *scene.moving)


def texts(scene: Scene) -> list[str]:
    return [mark.text for mark in of_kind(picture(scene), marks.Text)]


def image(scene: Scene, shown: Box) -> QImage:
    drawn = QImage(int(shown.width), int(shown.height), QImage.Format.Format_RGB32)
    drawn.fill(QColor("white"))
    painter = QPainter(drawn)
    paint_marks(painter, scene.still())
    paint_exactly(painter, scene.heat, 1.0)
    paint_marks(painter, scene.moving)
    painter.end()
    return drawn


def placed(n_positions: int, reach: float, width: float = 900.0, height: float = 400.0) -> SimilarityLayout:
    rows = full_span(n_positions)
    offsets = Span(-reach, reach)
    return similarity_layout(width, height, visible=(rows, rows), offsets=offsets, n_positions=n_positions)


@pytest.mark.parametrize("is_paper", [False, True])
@pytest.mark.parametrize("measure", MEASURES)
def test_the_pixels_of_a_zoomed_map_are_the_similarities_of_its_cells(qapp, measure, is_paper) -> None:
    shown, light = box(900.0, 500.0, is_paper=is_paper), themes()["light"]
    state = state_of({**ZOOMED, "similarity.measure": measure})
    dots = [sum(math.cos(k * 10000 ** (-i / 16)) for i in range(16)) for k in range(128)]
    distances = [math.sqrt(max(32 - 2 * dot, 0)) for dot in dots]
    color = light.sequential[round(distances[30] / max(distances) * 255)]
    wanted = QColor(*color.tolist()) if measure == "distance" else light.diverging_color(dots[30] / 16)
    layout = view.layout_of(state, Computed(), shown)
    x, y = round(layout.column_axis.place(60.0)), round(layout.row_axis.place(30.0))
    seen = image(view.scene(state, Computed(), shown), shown).pixelColor(x, y)
    for channel in (QColor.red, QColor.green, QColor.blue):
        assert abs(channel(seen) - channel(wanted)) <= 3


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    ("kind", "is_titled"), [("counter", "cosine distance"), ("random", ""), ("sinusoidal", "dot cosine distance")]
)
def test_title_legend_and_subtitle_are_true_for_the_measure(qapp, kind, is_titled, measure) -> None:
    # The distance of a counter is |k| and its cosine 1 where it is defined, not at 0; its dot product is t (t + k).
    state = state_of({"kind": kind, "similarity.measure": measure})
    sentence, subtitle = view.sentence(state, Computed()), view.subtitle(state, Computed())
    words = " ".join(texts(view.scene(state, Computed(), box(900.0, 400.0, is_paper=True))))
    is_same = measure in is_titled.split()
    assert ("wherever it is" in sentence, "elsewhere it differs" in sentence) == (is_same, not is_same)
    assert ("depends on more" in subtitle, "rows differ" in words) == (not is_same, not is_same)
    if (kind, measure) == ("counter", "distance"):
        assert sentence == "Distance at offset 8 is 8.0000 wherever it is measured"
    if (kind, measure) == ("counter", "cosine"):
        assert sentence == "Cosine at offset 8 is 1.0000 wherever it is defined"


def test_where_nothing_could_be_measured_nothing_is_said_about_other_positions(qapp) -> None:
    state = state_of({"kind": "random", "offset": "500"})
    assert view.sentence(state, Computed()).startswith("Dot product of positions 37 and 537 is ")
    assert "elsewhere" not in view.sentence(state, Computed())
    assert view.subtitle(state, Unknown()) == "dot product of every two positions"


@pytest.mark.parametrize("shown", [(900.0, 400.0), (440.0, 330.0), (280.0, 150.0)])
def test_a_spread_that_nobody_measures_any_more_is_not_measured(qapp, shown) -> None:
    class Failed(Unknown):
        def share(self, question):
            return None

    told = [" ".join(texts(view.scene(State(), answers, box(*shown)))) for answers in (Unknown(), Failed())]
    assert ["measuring…" in words for words in told] == [True, False]
    assert "not measured" in told[1]


@pytest.mark.parametrize("part", ["0..127", "12.5..13.5", "70..110", "-0.5..1.5"])
def test_rows_and_columns_have_numbers_and_titles_at_every_size_and_zoom(luck: random.Random, part: str) -> None:
    shown = luck.choice([(668.0, 312.0), (440.0, 330.0), (380.0, 190.0), (300.0, 150.0)])
    state = state_of({"similarity.rows": part, "similarity.columns": part})
    area = view.layout_of(state, Computed(), box(*shown)).map
    labels = of_kind(view.scene(state, Computed(), box(*shown)).still(), marks.Text)
    rows = [mark.text for mark in labels if mark.x < area.x and mark.y <= area.bottom]
    below = [mark.text for mark in labels if mark.x < area.right + 14 and 0 < mark.y - area.bottom < 16]
    assert {"position t", "t"} & {*rows}
    assert "t + k" in below
    numbers = [{text for text in side if text.isdigit()} for side in (rows, below)]
    assert numbers[0] == numbers[1] != set()


def test_ticks_of_few_cells_far_out_can_be_told_apart(qapp) -> None:
    scene = composed(box(), n_positions="10000000", similarity__rows="9000000.5..9000004.5")
    assert {"9\u2009000\u2009002", "9\u2009000\u2009004"} <= set(texts(scene))


def test_the_legend_names_the_row_of_the_cursor(qapp) -> None:
    assert "row t = 37" in texts(composed(box(900.0, 400.0)))
    assert {"every row", "row t = 38.5"} <= set(texts(composed(box(900.0, 400.0), position="38.5")))


def test_a_step_of_the_cursor_keeps_the_still_part_and_a_change_of_the_encoding_does_not(qapp) -> None:
    answers, shown = Computed(), box()
    usual = view.scene(State(), answers, shown)
    assert view.scene(state_of({"position": "40"}), answers, shown).still == usual.still
    # The value at (0, k) stands over axes and colour bar.
    assert view.scene(state_of({"offset": "11"}), answers, shown).still.under == usual.still.under
    other = view.scene(state_of({"base": "9000"}), answers, shown).still
    assert other != usual.still
    # Axes and colour bar stay as long as the values reach as far.
    assert other.under == usual.still.under


def test_a_preview_is_a_light_row_and_for_a_key_a_dashed_column(qapp) -> None:
    layout = view.layout_of(state_of({}), Computed(), box())
    before, after = (
        of_kind(composed(shown).moving, marks.Segments) for shown in (box(), box(preview=Preview(20.0, 90.0)))
    )
    column, row = after[: len(after) - len(before)]
    assert (column.dash != (), row.dash != ()) == (True, False)
    assert column.ends[0, 0] == pytest.approx(layout.column_axis.place(90.0))
    assert row.ends[0, 1] == pytest.approx(layout.row_axis.place(20.0))


def test_places_are_diagonal_row_cell_and_cursor_of_the_profile(qapp) -> None:
    shown = box()
    places = {place.name: place for place in view.scene(State(), Computed(), shown).places()}
    assert [*places] == ["diagonal k", "row t", "cursor k", "cell t, t + k"]
    dot = math.fsum(math.cos(8 * 10_000 ** (-i / 16)) for i in range(16))
    for name in ("cell t, t + k", "cursor k"):
        assert float(places[name].value) == pytest.approx(dot, rel=1e-15)
    layout = view.layout_of(State(), Computed(), shown)
    cell = layout.column_axis.place(45.0), layout.row_axis.place(37.0)
    assert places["cell t, t + k"].area.holds(*cell)
    assert places["row t"].area.holds(*cell)
    assert places["cursor k"].area.holds(layout.offset_axis.place(8.0), layout.profile.y + 5)
    hidden = composed(shown, **{name.replace(".", "__"): text for name, text in ZOOMED.items()}, offset="-60").places()
    assert [place.name for place in hidden] == ["row t"]


def test_what_is_under_the_pointer_is_the_exact_value_of_the_cell(qapp) -> None:
    state, shown = state_of({"n_positions": "100", "d_model": "512"}), box()
    layout = view.layout_of(state, Computed(), shown)
    lines = view.lines_at(state, layout, layout.column_axis.place(80), layout.row_axis.place(1), shown)
    assert lines[:-1] == ("117.5290", "dot product of 1 and 80", "offset 79")
    assert float(lines[-1]) == pytest.approx(117.52900007202076, abs=1e-9)
    x, y = layout.offset_axis.place(79.0), layout.profile.y + 5
    value, words, digits = view.lines_at(state, layout, x, y, shown)
    assert (value, words) == ("117.5290", "dot product at offset 79")
    assert float(digits) == pytest.approx(117.52900007202076, abs=1e-12)
    assert view.lines_at(state, layout, 1.0, 1.0, shown) == ()


def test_the_profile_of_few_offsets_is_there_with_the_first_frame_and_that_of_many_is_asked_for(qapp) -> None:
    few, many = (
        state_of({"d_model": "512", "n_positions": "10000"}),
        state_of({"d_model": "4096", "n_positions": "10000"}),
    )
    assert [len(view.progress_questions(state)) for state in (few, many)] == [0, 1]
    curves = [
        [mark for mark in view.scene(state, Unknown(), box(900.0, 400.0)).still() if isinstance(mark, marks.Polyline)]
        for state in (few, many)
    ]
    assert list(map(len, curves)) == [1, 0]


@pytest.mark.parametrize("measure", MEASURES)
def test_the_profile_of_every_row_is_the_similarity_by_offset(qapp, measure) -> None:
    shown = box(900.0, 400.0)
    state = state_of({"similarity.measure": measure, "similarity.offsets": "0..10"})
    plain = [mark for mark in view.scene(state, Computed(), shown).still() if isinstance(mark, marks.Polyline)]
    layout = view.layout_of(state, Computed(), shown)
    dots = [sum(math.cos(k * 10000 ** (-i / 16)) for i in range(16)) for k in range(128)]
    values = {
        "dot": dots,
        "cosine": [dot / 16 for dot in dots],
        "distance": [math.sqrt(max(32 - 2 * dot, 0)) for dot in dots],
    }
    low, high = min(*values[measure], 0.0), max(values[measure])
    heights = [layout.profile.bottom - layout.profile.height * 0.96 * (v - low) / (high - low) for v in values[measure]]
    assert plain[0].points[:, 1].tolist() == pytest.approx(heights[:11], abs=1e-4)


def test_an_undefined_similarity_leaves_a_hole_and_no_dot(light):
    layout = placed(8, 7.0)
    encoding = CounterEncoding(8, 2)
    row = row_similarity(encoding, "cosine", encoding.values([3])[0], range(8))
    assert math.isnan(row[0])
    plot, curve = profile.plot_of(layout, (0.0, 1.0)), OffsetCurve(np.arange(8.0) - 3, row)
    (line,) = of_kind(row_picture(layout, plot, None, curve, 3.0, light), marks.Polyline)
    assert len(line.points) == 7
    assert of_kind(offset_picture(plot, -3.0, math.nan, light), marks.Dots) == []
    scene = composed(box(), kind="counter", position="0", similarity__measure="cosine")
    assert "undefined" in texts(scene)


@pytest.mark.parametrize(
    ("encoding", "measure", "wanted"),
    [
        (CounterEncoding(100, 3), "dot", (0.0, 99.0**2)),
        (CounterEncoding(100, 3), "distance", (0.0, 99.0)),
        (CounterEncoding(100, 3), "cosine", (1.0, 1.0)),
        (BitsEncoding(64, 6), "dot", (0.0, 6.0)),
        (CounterEncoding(1, 3), "cosine", (0.0, 0.0)),
    ],
    ids=["counter dot", "counter distance", "counter cosine", "bits dot", "a row of zeros"],
)
def test_the_axis_reaches_as_far_as_the_similarities_of_a_sample(encoding, measure, wanted):
    assert sampled_limits(encoding, measure) == pytest.approx(wanted)
    known = profile.find_profile(encoding, measure, 0, Computed())
    assert profile.heights(known, (-5.0, 5.0)) == (0.0, wanted[1] or 1.0)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        # t (t + 8) runs from 0 to 119 * 127 along the diagonal.
        ({"kind": "counter"}, "± 7\u2009556"),
        ({"kind": "counter", "similarity.measure": "distance"}, "± 0"),
        ({"offset": "500"}, "lies outside N"),
    ],
)
def test_the_spread_along_the_diagonal_is_told_in_plain_numbers_where_it_is_one(qapp, given, words):
    state = state_of(given)
    assert any(text.endswith(words) for text in texts(view.scene(state, Computed(), box())))
    assert "measuring…" in texts(view.scene(state, Unknown(), box()))


def test_the_first_eight_positions_have_their_dot_products_in_the_cells(light) -> None:
    shown = Box(620.0, 420.0, 1.0, light)
    state = state_of({"preset": "first-8"})
    scene, layout = view.scene(state, Computed(), shown), view.layout_of(state, Computed(), shown)
    cells = {
        (round(layout.row_axis.value(mark.y)), round(layout.column_axis.value(mark.x))): mark.text
        for mark in of_kind(scene.moving, marks.Text)
        if layout.map.holds(mark.x, mark.y)
    }
    dots = [math.fsum(math.cos(k * 10_000 ** (-i / 256)) for i in range(256)) for k in range(8)]
    # Field guide S1-3.
    assert dots[:2] == pytest.approx([256.0, 249.10209782736297], rel=1e-15)
    assert len(cells) == 64
    for (row, column), text in cells.items():
        assert abs(float(text) - dots[abs(row - column)]) <= 0.5 * 10.0 ** -len(text.partition(".")[2])


def test_colours_over_what_is_seen_say_so_and_their_bar_ends_at_the_largest_value(light) -> None:
    far = {"n_positions": "1000", "similarity.measure": "distance", "similarity.range": "seen"}
    part = {"similarity.rows": "-0.5..3.5", "similarity.columns": "9.5..13.5"}
    shown = Box(440.0, 330.0, 1.0, light)
    scene = view.scene(state_of({**far, **part}), Computed(), shown)
    distances = [
        math.sqrt(math.fsum(4 * math.sin(k * 10_000 ** (-i / 16) / 2) ** 2 for i in range(16))) for k in range(7, 14)
    ]
    assert scene.heat.field.limits == pytest.approx((min(distances), max(distances)), rel=1e-6)
    assert "Distance, seen" in texts(scene)
    assert f"{max(distances):.2f}" in texts(scene)
    wide = Box(900.0, 330.0, 1.0, light)
    assert "seen" in texts(view.scene(state_of({**far, **part}), Computed(), wide))
    assert "Distance" in texts(view.scene(state_of({**far, **part, "similarity.range": "whole"}), Computed(), shown))


@pytest.mark.parametrize(("typed", "ends"), [("4..12", ["≥ 12", "≤ 4"]), ("6", ["≤ −6", "0", "≥ +6"])])
def test_a_typed_range_is_told_by_bar_and_caption_and_values_beyond_have_the_colour_of_the_end(
    light, typed, ends
) -> None:
    shown, state = Box(440.0, 330.0, 1.0, light), state_of({"similarity.range": typed})
    scene = view.scene(state, Computed(), shown)
    assert set(ends) <= set(texts(scene))
    low, high = scene.heat.field.limits
    assert f"from {low:g} to {high:g}".replace("-", "−") in view.explanation(state)
    colors = image(scene, shown)
    layout = view.layout_of(state, Computed(), shown)

    def color_at(row: int, column: int) -> list[int]:
        x, y = layout.column_axis.place(column), layout.row_axis.place(row)
        color = colors.pixelColor(int(x), int(y))
        return [color.red(), color.green(), color.blue()]

    # The diagonal is 16; p_0 . p_100 as a plain sum.
    assert color_at(20, 20) == light.diverging[-1].tolist()
    dot = math.fsum(math.cos(100 * 10_000 ** (-i / 16)) for i in range(16))
    half = light.diverging[128:] if low > 0 else light.diverging
    wanted = half[round((min(max(dot, low), high) - low) / (high - low) * (len(half) - 1))]
    assert np.abs(np.array(color_at(10, 110)) - wanted).max() <= 3


def test_pixels_of_a_table_whose_blocks_are_sampled_are_not_called_exact() -> None:
    drawn = {"kind": "random", "n_positions": "50000", "d_model": "512"}
    assert "exact" not in view.explanation(state_of(drawn))
    assert "mean of samples" in view.explanation(state_of(drawn))
    layout = view.layout_of(state_of(drawn), Computed(), box())
    lines = view.lines_at(state_of(drawn), layout, *layout.map.middle, box())
    assert [line for line in lines if "cells" in line] == ["the colour is the mean of samples over about 224² cells"]
    assert "their exact mean" in view.explanation(state_of({"n_positions": "50000"}))


def test_the_read_out_has_all_digits_of_its_places_and_says_what_lies_outside_the_table():
    told = view.readout(state_of({"n_positions": "2000000", "position": "1234567.25", "offset": "0.5"}), Computed())
    assert told.startswith("dot of 1234567.25 and 1234567.75\t")
    outside = view.readout(state_of({"offset": "200"}), Computed())
    assert "nan" not in outside
    assert outside.endswith("spread along the diagonal\toutside the table")
    undefined = view.readout(state_of({"kind": "counter", "similarity.measure": "cosine", "position": "0"}), Computed())
    assert undefined.splitlines()[0] == "cosine of 0 and 8\tundefined"


@pytest.mark.parametrize(("size", "says"), [((440.0, 330.0), True), ((900.0, 400.0), True), ((380.0, 190.0), False)])
def test_a_spread_of_rounding_is_said_to_be_rounding_where_there_is_room(light, size, says) -> None:
    for kind, is_rounding in (("sinusoidal", True), ("counter", False), ("random", False)):
        state = state_of({"kind": kind})
        drawn = view.scene(state, Computed(), Box(size[0], size[1], 1.0, light))
        texts = [mark.text for mark in (*drawn.still(), *drawn.moving) if isinstance(mark, marks.Text)]
        assert any("rounding only" in text for text in texts) == (says and is_rounding)
