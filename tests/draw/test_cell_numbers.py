"""Numbers in the cells of a map: as many digits as have room, none where too few have."""

import numpy as np
import pytest

from pe_desktop.draw import marks
from pe_desktop.draw.cell_map import cell_numbers, cells_plot
from pe_desktop.draw.plot import Axis, Plot
from pe_desktop.draw.scene import Area
from pe_desktop.draw.typefaces import text_width
from tests.pictures import of_kind


def numbers(theme, values, wide, tall=24.0):
    values = np.asarray(values, dtype=np.float64)
    n_rows, n_columns = values.shape
    plot = cells_plot(Area(0.0, 0.0, wide * n_columns, tall * n_rows), values.shape)
    return [mark.text for mark in texts_of(theme, plot, values)]


def texts_of(theme, plot, values):
    rows, columns = map(range, values.shape)
    return of_kind(cell_numbers(plot, rows, columns, lambda: values, (-1.0, 1.0), theme.diverging), marks.Text)


@pytest.mark.parametrize(("values", "wide", "texts"), [
    # Wide cells have more decimals, narrow ones no numbers.
    ((0.5403023, -0.98999), 80.0, ["0.5403", "−0.9900"]), ((0.5403023, -0.98999), 45.0, ["0.540", "−0.990"]),
    ((0.5403023, -0.98999), 36.0, ["0.54", "−0.99"]), ((0.5403023, -0.98999), 28.0, []),
    ((256.0, 249.10209782736297), 27.0, ["256", "249"]), ((256.0, 249.10209782736297), 80.0, ["256.0000", "249.1021"]),
    # Whole numbers have no decimals, what is undefined no number.
    ((511.0, 37.0), 80.0, ["511", "37"]), ((np.nan, 0.25), 80.0, ["0.2500"]), ((np.nan,), 80.0, []),
])  # fmt: skip
def test_numbers_have_as_many_decimals_as_their_cells_have_room_for(light, values, wide, texts):
    assert numbers(light, [values], wide) == texts
    assert all(text_width("tick", text) <= wide - 4.0 for text in texts)
    assert numbers(light, [values], wide, 17.0) == []


def test_ink_is_white_on_the_dark_ends_and_black_in_the_middle(light):
    texts = texts_of(light, cells_plot(Area(0, 0, 240, 24), (1, 3)), np.array([[-1.0, 0.0, 1.0]]))
    assert [mark.color.name() for mark in texts] == ["#ffffff", "#000000", "#ffffff"]


@pytest.mark.parametrize("shift", [0.0, 20.0, 30.0, 40.0, 55.0, 79.0])
def test_the_number_of_a_cell_that_is_cut_stands_in_what_is_seen_of_it_or_is_left_out(light, shift):
    values, area = np.array([[0.25, 0.5, 0.75]] * 2), Area(shift, 12.0, 240.0 - 2 * shift, 30.0)
    # Cells of 80 by 24 pixels.
    across = Axis(area, area.x / 80.0 - 0.5, area.right / 80.0 - 0.5)
    down = Axis(area, area.y / 24.0 - 0.5, area.bottom / 24.0 - 0.5, "left", is_downward=True)
    texts = texts_of(light, Plot(across, down), values)
    for mark in texts:
        half = text_width("tick", mark.text) / 2
        assert area.x <= mark.x - half
        assert mark.x + half <= area.right
        assert area.y <= mark.y - 6.0
        assert mark.y + 6.0 <= area.bottom
    # Of the first row only a half is seen, 12 pixels; a number of 37 pixels has room in what is left of 80.
    has_sides = 80.0 - shift >= text_width("tick", "0.2500")
    assert [mark.text for mark in texts] == (["0.2500", "0.5000", "0.7500"] if has_sides else ["0.5000"])
