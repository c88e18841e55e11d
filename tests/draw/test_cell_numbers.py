"""Numbers in the cells of a map: as many digits as have room, none where too few have."""

import numpy as np
import pytest

from pe_desktop.draw import marks
from pe_desktop.draw.cell_numbers import cell_numbers
from pe_desktop.draw.scene import Area
from pe_desktop.draw.typefaces import text_width
from tests.pictures import of_kind


def numbers(theme, values, wide, tall=24.0):
    values = np.asarray(values, dtype=np.float64)
    n_rows, n_columns = values.shape
    area = Area(0.0, 0.0, wide * n_columns, tall * n_rows)
    places = (np.arange(n_columns) + 0.5) * wide, (np.arange(n_rows) + 0.5) * tall
    picture = cell_numbers(area, places, values, (wide, tall), (-1.0, 1.0), theme.diverging)
    return [mark.text for mark in of_kind(picture, marks.Text)]


@pytest.mark.parametrize(("wide", "texts"), [
    (80.0, ["0.5403", "−0.9900"]), (45.0, ["0.540", "−0.990"]), (36.0, ["0.54", "−0.99"]), (28.0, []),
])  # fmt: skip
def test_wide_cells_have_more_decimals_and_narrow_ones_no_numbers(light, wide, texts):
    assert numbers(light, [[0.5403023, -0.98999]], wide) == texts
    assert all(text_width("tick", text) <= wide - 4.0 for text in texts)


def test_hundreds_are_told_without_decimals_where_there_is_no_room_for_more(light):
    assert numbers(light, [[256.0, 249.10209782736297]], 27.0) == ["256", "249"]
    assert numbers(light, [[256.0, 249.10209782736297]], 80.0) == ["256.0000", "249.1021"]


def test_whole_numbers_have_no_decimals_and_what_is_undefined_no_number(light):
    assert numbers(light, [[511.0, 37.0]], 80.0) == ["511", "37"]
    assert numbers(light, [[float("nan"), 0.25]], 80.0) == ["0.2500"]
    assert numbers(light, [[float("nan")]], 80.0) == []


def test_low_cells_have_no_numbers(light):
    assert numbers(light, [[0.5]], 80.0, 17.0) == []


def test_ink_is_white_on_the_dark_ends_and_black_in_the_middle(light):
    values = np.array([[-1.0, 0.0, 1.0]])
    places = np.array([40.0, 120.0, 200.0]), np.array([12.0])
    picture = cell_numbers(Area(0, 0, 240, 24), places, values, (80.0, 24.0), (-1.0, 1.0), light.diverging)
    assert [mark.color.name() for mark in of_kind(picture, marks.Text)] == ["#ffffff", "#000000", "#ffffff"]
