"""The picture of encodings side by side: what stands in its cells, and that nothing is cut."""

from itertools import pairwise

import numpy as np
import pytest

from pe_desktop.core.measure.measurements import analyse
from pe_desktop.core.state import state_of
from pe_desktop.draw import marks
from pe_desktop.draw.typefaces import formula_runs
from pe_desktop.views.compare.columns import _table_image, rows_of
from pe_desktop.views.compare.scene import cells_left, narrowest_width
from pe_desktop.views.properties.words import PROPERTY_NAMES
from tests.pictures import covered_texts, of_kind, text_frames
from tests.views.seen import scene_of, texts_of
from tests.views.test_properties import Known

# Field guide, table 1.8 (d = 64, n = 512): smallest distance, deviation of the Gram matrix, shift residual, where they
# are far from rounding, to the digits that a cell shows.
ABLATIONS = {
    "Sinusoidal (paper)": ("1.472", None, None),
    "Position map t²": ("1.472", "0.919", "0.816"),
    "Position map √t": ("0.0335", "0.0455", "0.0145"),
    "Position map log(1 + t)": ("0.00296", "0.0465", "0.0108"),
    "Position map 1/(1 + t)": ("5.8×10⁻⁶", "0.0021", "0.0025"),
    "One frequency": ("0.0499", None, None),
    "Linear spacing": ("0.7601", None, None),
    "Sine only, d frequencies": ("0.7564", "0.372", "0.269"),
    "Sine only, d/2 frequencies": ("0.4311", "0.445", "0.283"),
    "Doubled exponent": (None, "0.0647", "0.169"),
}


def state_with(name, **changes):
    return state_of({"n_positions": "512", "d_model": "64", "compare.list": name, **changes})


def agrees(text, printed):
    """Whether a cell shows what is printed with fewer digits."""
    if "×" in printed:
        return text == printed
    digits = len(printed.split(".")[1])
    return f"{round(float(text), digits):.{digits}f}" == printed


def test_far_positions_are_told_with_the_steps_that_they_are_compared_with():
    state = state_with("overview")
    shown = [text for text in texts_of("compare", state, 1300.0) if text.startswith("steps ≤ ")]
    far = [(row, next(one for one in analyse(row.encoding).measurements if one.key == "far")) for row in rows_of(state)]
    largest = [
        np.linalg.norm(np.diff(row.encoding.values(range(row.encoding.n_positions)), axis=0), axis=1).max()
        for row, one in far
        if one.up_to is None
    ]
    assert [float(text.removeprefix("steps ≤ ")) for text in shown] == pytest.approx(largest, rel=0.005)


def test_ablations_show_the_numbers_of_the_table_of_ablations():
    scene, found = scene_of("compare", state_with("ablations"), 1300.0), set()
    numbers = [mark for mark in of_kind(scene.still(), marks.Text) if mark.role == "segment"]
    cells = {place.name: place.area for place in scene.places()}
    for number, row in enumerate(rows_of(state_with("ablations")), 1):
        shown = {
            key: next(mark.text for mark in numbers if cells[f"{name} in row {number}"].holds(mark.x, mark.y))
            for key, name in PROPERTY_NAMES.items()
        }
        printed = ABLATIONS.get(row.title, ())
        found |= {row.title} if printed else set()
        for key, text in zip(("unique", "shift_invariant", "linear_shift"), printed, strict=False):
            assert text is None or agrees(shown[key], text), (row.title, key, shown[key])
    assert found == {*ABLATIONS}


@pytest.mark.parametrize("width", [0.0, 990.0, 1180.0, 1900.0])
@pytest.mark.parametrize("name", ["ablations", "naive", "conventions"])
def test_no_text_is_cut_or_reaches_into_the_next_column(name, width):
    width, state = width or narrowest_width(), state_with(name)
    for shows in ("measurements", "difference"):
        scene = scene_of("compare", state_with(name, **{"compare.shows": shows}), width, 700.0)
        assert covered_texts(scene.still()) == []
        # Left, top, right and foot: of two texts in one line the next begins 4 pixels after the first.
        lines = sorted(text_frames(scene.still()), key=lambda frame: (frame[1], frame[0]))
        assert all(b[0] - a[2] >= 4.0 for a, b in pairwise(lines) if a[1] == b[1]), shows
        assert all(right <= width + 0.5 and "…" not in text for *_, right, _, text in text_frames(scene.still()))
    left = cells_left(width)
    for formula in of_kind(scene_of("compare", state, width, 700.0).still(), marks.FormulaText):
        assert formula.x + formula_runs(formula.formula, formula.pixels)[1] <= left


def test_what_is_not_measured_yet_shows_three_dots_and_the_chosen_row_has_a_ground():
    state = state_of({"compare.list": "naive", "kind": "bits"})
    scene = scene_of("compare", state, 1200.0, answers=Known())
    dots = [mark for mark in of_kind(scene.still(), marks.Text) if mark.text == "…"]
    assert len(dots) == len(rows_of(state)) * len(PROPERTY_NAMES)
    (ground,) = of_kind(scene.still(), marks.Rectangle)
    (chosen,) = (place for place in scene.places() if place.is_chosen)
    assert "Binary code" in chosen.name
    assert chosen.area.holds(ground.x + 1.0, ground.y + 1.0)


def test_a_row_leads_to_its_preset_but_the_chosen_one():
    scene = scene_of("compare", state_of({"compare.list": "naive", "kind": "bits"}), 1200.0)
    places = [place for place in scene.places() if place.name.startswith("row ")]
    assert [place.changes(1.0, 1.0) == {} for place in places] == [place.is_chosen for place in places]


def test_the_small_table_of_a_counter_is_its_only_number_and_grows_from_left_to_right(light):
    counter = state_of({"kind": "counter", "n_positions": "64", "d_model": "16"}).encoding
    image = _table_image(counter, (64, 10), light.diverging.tobytes())
    upper, lower = ([image.pixelColor(x, y) for x in (0, 63)] for y in (0, 9))
    assert upper == lower
    shown = np.array([[color.red(), color.green(), color.blue()] for color in upper])
    assert np.abs(shown - light.diverging[[128, 256]].astype(int)).max() <= 2
