"""The picture of encodings side by side: what stands in its cells, and that nothing is cut."""

import numpy as np
import pytest

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.measure.measurements import measure
from pe_desktop.core.presets import comparison, first_sizes
from pe_desktop.core.state import state_of
from pe_desktop.draw import marks
from pe_desktop.draw.typefaces import formula_runs, text_width
from pe_desktop.views.compare.picture import (
    CompareLayout,
    compare_picture,
    header_picture,
    narrowest_width,
    row_height,
    table_image,
)
from pe_desktop.views.properties.words import PROPERTY_NAMES
from tests.pictures import of_kind

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


def rows_of(name, n_positions=512, d_model=64):
    encoding = SinusoidalEncoding(n_positions, d_model)
    return comparison(first_sizes(encoding), encoding, None, name)


def known(rows):
    return [{one.key: one for one in measure(row.encoding) or ()} for row in rows]


def agrees(text, printed):
    """Whether a cell shows what is printed with fewer digits."""
    if "×" in printed:
        return text == printed
    digits = len(printed.split(".")[1])
    return f"{round(float(text), digits):.{digits}f}" == printed


def test_far_positions_are_told_with_the_steps_that_they_are_compared_with(light):
    rows = rows_of("overview")
    rows = [row for row, one in zip(rows, known(rows), strict=True) if one["far"].up_to is None]
    picture = compare_picture(CompareLayout(1300.0), rows, known(rows), [None] * len(rows), light)
    shown = [mark.text for mark in of_kind(picture, marks.Text) if mark.text.startswith("steps ≤ ")]
    largest = [
        np.linalg.norm(np.diff(row.encoding.values(range(row.encoding.n_positions)), axis=0), axis=1).max()
        for row in rows
    ]
    assert [float(text.removeprefix("steps ≤ ")) for text in shown] == pytest.approx(largest, rel=0.005)


def test_ablations_show_the_numbers_of_the_table_of_ablations(light):
    rows = rows_of("ablations")
    layout = CompareLayout(1300.0)
    rows = [row for row in rows if row.title in ABLATIONS]
    assert len(rows) == len(ABLATIONS)
    picture = compare_picture(layout, rows, known(rows), [None] * len(rows), light)
    for place, row in enumerate(rows):
        shown = {}
        for mark in of_kind(picture, marks.Text):
            if layout.row_at(mark.y, len(rows)) == place and mark.role == "segment":
                shown[layout.key_at(mark.x, mark.y)] = mark.text
        for key, printed in zip(("unique", "shift_invariant", "linear_shift"), ABLATIONS[row.title], strict=True):
            assert printed is None or agrees(shown[key], printed), (row.title, key, shown[key])
        assert len(shown) == len(PROPERTY_NAMES)


@pytest.mark.parametrize("width", [0.0, 990.0, 1180.0, 1900.0])
@pytest.mark.parametrize("name", ["ablations", "naive", "conventions"])
def test_no_text_is_cut_or_reaches_into_the_next_column(name, width, light):
    rows = rows_of(name)
    width = width or narrowest_width()
    layout = CompareLayout(width, row_height(len(rows), 700.0))
    pictures = (header_picture(width, light), compare_picture(layout, rows, known(rows), [None] * len(rows), light))
    edges = sorted([left for left, *_ in layout.cells.values()] + [width])
    for picture in pictures:
        for mark in of_kind(picture, marks.Text):
            end = mark.x + text_width(mark.role, mark.text)
            assert "…" not in mark.text, mark.text
            assert end <= next(edge for edge in edges if edge > mark.x) + 0.5, mark.text
        for formula in of_kind(picture, marks.FormulaText):
            assert formula.x + formula_runs(formula.formula, formula.pixels)[1] <= edges[0]


def test_what_is_not_measured_yet_shows_three_dots_and_the_chosen_row_has_a_ground(light):
    rows = rows_of("naive")
    layout = CompareLayout(1200.0)
    picture = compare_picture(layout, rows, [{}] * len(rows), [None] * len(rows), light, chosen=2)
    dots = [mark for mark in of_kind(picture, marks.Text) if mark.text == "…"]
    assert len(dots) == len(rows) * len(PROPERTY_NAMES)
    (box,) = of_kind(picture, marks.Rectangle)
    assert layout.row_at(box.y + box.height / 2, len(rows)) == 2


def test_the_small_table_of_a_counter_is_its_only_number_and_grows_from_left_to_right(light):
    counter = state_of({"kind": "counter", "n_positions": "64", "d_model": "16"}).encoding
    image = table_image(counter, (64, 10), light.diverging)
    upper, lower = ([image.pixelColor(x, y) for x in (0, 63)] for y in (0, 9))
    assert upper == lower
    shown = np.array([[color.red(), color.green(), color.blue()] for color in upper])
    assert np.abs(shown - light.diverging[[128, 256]].astype(int)).max() <= 2
