"""The heat map's pixels: their colours against float64 truth, what they repeat, what they cost."""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import numpy as np
import pytest
from PySide6.QtGui import QImage

from pe_desktop.core.fields.field import Blocks, Field
from pe_desktop.core.fields.similarity import similarity_field
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.draw.marks import Raster
from pe_desktop.draw.theme import THEME_NAMES, themes
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from tests.core.exact import peak_of
from tests.matrix_field import MatrixField
from tests.pictures import Sheet, pixels

SPACINGS = ("geometric", "inclusive", "linear")
LAYOUTS = ("interleaved", "half-split", "cosine-first")
# A table whose colours are the numbers of the levels; 255 is what lies outside.
NUMBERS = np.arange(256, dtype=np.uint32) | np.uint32(0xFF000000)
# Rounding to the nearest of 255 levels, and float32.
MOST_LEVELS_OFF = 0.5 + 1e-3
Painted: TypeAlias = Callable[..., Sheet]
WIDTH, HEIGHT = 200, 120
SIZE = (WIDTH, HEIGHT)


def shown_levels(field: Field, view: View, size: tuple[int, int] = SIZE) -> np.ndarray:
    """The level of every pixel, shape (height, width)."""
    return pixels(HeatMap().image(field, view, size, NUMBERS)) & 0xFF


def bytes_held(heat_map: HeatMap) -> int:
    """What is kept between two pictures: the last picture and the levels of its blocks."""
    unfinished = () if heat_map.coarseness is None else heat_map._patches
    return heat_map._image.sizeInBytes() + sum(part.levels.nbytes for part in (*heat_map._known, *unfinished))


def block_under(pixel: int, first: float, last: float, n_pixels: int, part: range) -> range:
    """The cells that a pixel shows: the block under its centre, blocks being counted from the start of the part."""
    cells_per_pixel = (Fraction(last) - Fraction(first)) / n_pixels
    cell = math.floor(Fraction(first) + (pixel + Fraction(1, 2)) * cells_per_pixel)
    size = max(math.ceil(cells_per_pixel), 1)
    start = part.start + (cell - part.start) // size * size
    return range(start, min(start + size, part.stop))


def mean_of(field: Field, rows: range, columns: range) -> float:
    """The mean of a field over a block; tests/core compares it with exact sums."""
    return float(field.means(*(Blocks(cells.start, len(cells), 1) for cells in (rows, columns)))[0, 0])


def levels_off(value: float, level: int) -> float:
    """How far a shown level is from a value in -1 to 1."""
    return abs((value + 1) / 2 * 254 - level)


@pytest.mark.parametrize(("n_rows", "n_columns"), [(24, 10), (120, 200), (300, 777), (512, 10_000)])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_colors_are_within_half_a_step_of_the_truth(layout, n_rows, n_columns, luck) -> None:
    field = EncodingField(SinusoidalEncoding(10_000_000, 512, 10000.0, luck.choice(SPACINGS), layout))
    first = luck.choice([0, 1_000, 1_000_000, luck.randrange(9_990_000), 9_990_000])
    view = View(512 - n_rows, 512, first, first + n_columns)
    levels = shown_levels(field, view)
    for y, x in [(0, 0), (0, WIDTH - 1), (17, 101), (60, 64), (91, 33), (HEIGHT - 1, 0), (HEIGHT - 1, WIDTH - 1)]:
        rows = block_under(y, view.first_row, view.last_row, HEIGHT, range(512))
        columns = block_under(x, view.first_column, view.last_column, WIDTH, range(10_000_000))
        assert levels_off(mean_of(field, rows, columns), levels[y, x]) < MOST_LEVELS_OFF


@pytest.mark.parametrize("n_positions", [1_000, 10_000_000])
def test_the_whole_table_shows_sines_above_cosines(n_positions: int, luck: random.Random) -> None:
    # 251 pairs on 120 pixels: blocks of five, and neither half is a whole number of them.
    field = HalvesField(SinusoidalEncoding(n_positions, 502, layout=luck.choice(LAYOUTS)))
    levels = shown_levels(field, View(0, 502, 0, n_positions))
    for y in (0, 1, 58, 59, 60, 61, 118, 119):
        is_cosine = (y + Fraction(1, 2)) * 502 / HEIGHT >= 251
        rows = block_under(y, 0, 502, HEIGHT, range(251, 502) if is_cosine else range(251))
        for x in (0, 1, 100, WIDTH - 1):
            columns = block_under(x, 0, n_positions, WIDTH, range(n_positions))
            assert levels_off(mean_of(field, rows, columns), levels[y, x]) < MOST_LEVELS_OFF


def test_large_cells_are_rectangles_of_one_color() -> None:
    field = EncodingField(SinusoidalEncoding(1_000, 64))
    levels = shown_levels(field, View(10, 16, 500, 510))
    cells = levels[::20, ::20]
    assert levels.tolist() == np.kron(cells, np.ones((20, 20), dtype=np.int64)).tolist()
    for row in range(6):
        for column in range(10):
            assert levels_off(field.value(10 + row, 500 + column), cells[row, column]) < MOST_LEVELS_OFF


@pytest.mark.parametrize(("down", "right"), [(0, 7), (0, -7), (5, 0), (-5, 0), (5, -7), (0, 500)])
@pytest.mark.parametrize("make_field", [EncodingField, HalvesField])
def test_panning_evaluates_what_comes_into_view_and_leaves_pictures_given_away_as_they_were(make_field, down, right):
    # Three rows and two columns to a block; 600 rows in two halves of whole blocks.
    field = make_field(SinusoidalEncoding(1_000_000, 600))
    heat_map = HeatMap()
    n_rows, n_columns = 80, WIDTH
    view = View(180, 180 + 3 * n_rows, 8_000, 8_000 + 2 * n_columns)
    moved = View(180 + 3 * down, 180 + 3 * (down + n_rows), 8_000 + 2 * right, 8_000 + 2 * (right + n_columns))
    first = heat_map.image(field, view, (n_columns, n_rows), NUMBERS)
    given, before = pixels(first), heat_map.n_values_evaluated
    shown = pixels(heat_map.image(field, moved, (n_columns, n_rows), NUMBERS))
    seen_again = max(n_rows - abs(down), 0) * max(n_columns - abs(right), 0)
    assert heat_map.n_values_evaluated - before == n_rows * n_columns - seen_again
    assert np.array_equal(pixels(first), given)
    fresh = shown_levels(field, moved, (n_columns, n_rows))
    assert np.abs((shown & 0xFF) - fresh).max() <= 1


@pytest.mark.parametrize("base", [10000.0, 9999.0])
@pytest.mark.parametrize("view", [View(0, 64, 13, 213), View(0, 64, 10, 410), View(0.5, 60, 10, 210)])
def test_blocks_of_another_size_place_or_encoding_are_not_taken_for_known_ones(base: float, view: View) -> None:
    heat_map = HeatMap()
    heat_map.image(EncodingField(SinusoidalEncoding(1_000, 64)), View(0, 64, 10, 210), SIZE, NUMBERS)
    field = EncodingField(SinusoidalEncoding(1_000, 64, base))
    shown = pixels(heat_map.image(field, view, SIZE, NUMBERS)) & 0xFF
    assert np.abs(shown - shown_levels(field, view)).max() <= 1


def test_a_view_scaled_by_rounding_errors_keeps_its_blocks() -> None:
    field = MatrixField(np.random.default_rng(3).uniform(-1, 1, (1, 600)))
    exact = shown_levels(field, View(0, 1, 0, 600), (200, 1))
    assert shown_levels(field, View(0, 1, 0, 600 * (1 + 1e-12)), (200, 1)).tolist() == exact.tolist()


def test_what_lies_outside_the_table_is_clear() -> None:
    field = EncodingField(SinusoidalEncoding(100, 60))
    table = color_table(themes()["light"].diverging)
    shown = pixels(HeatMap().image(field, View(-30, 90, -50, 150), SIZE, table))
    is_inside = np.zeros((HEIGHT, WIDTH), dtype=np.bool_)
    is_inside[30:90, 50:150] = True
    assert np.array_equal(shown >> 24 == 255, is_inside)
    assert np.array_equal(shown == 0, ~is_inside)
    apart = pixels(HeatMap().image(field, View(0, 60, 200, 300), SIZE, table))
    assert not apart.any()


@pytest.mark.parametrize("name", THEME_NAMES)
def test_minus_one_is_red_plus_one_blue_and_zero_the_middle(name: str) -> None:
    theme = themes()[name]
    field = MatrixField(np.array([[-1.0, 0.0, 1.0, -7.0, 7.0]]))
    shown = pixels(HeatMap().image(field, View(0, 1, 0, 5), (5, 1), color_table(theme.diverging)))[0].tolist()
    low, middle, high = {"light": ("b2182b", "f7f7f7", "2166ac"), "dark": ("fb8274", "1b1e24", "60b8ee")}[name]
    assert [f"{color:08x}" for color in shown] == [f"ff{color}" for color in (low, middle, high, low, high)]
    spread = [theme.diverging_color(value).name()[1:] for value in (-1.0, 0.0, 1.0)]
    assert spread == [low, middle, high]


def test_limits_are_the_ends_of_the_colors_and_a_map_of_even_length_gets_the_mean_of_its_two_middle_ones() -> None:
    grey = np.repeat(np.arange(0, 256, dtype=np.uint8)[:, np.newaxis], 3, axis=1)
    reds = [int(color) >> 16 & 0xFF for color in color_table(grey)[:255]]
    assert (reds[0], reds[127], reds[254]) == (0, round(127.5), 255)
    assert all(abs(red - step * 255 / 254) <= 0.5 for step, red in enumerate(reds))
    steep = color_table(np.array([[0, 0, 0], [200, 100, 50]], dtype=np.uint8))
    assert f"{steep[127]:08x}" == "ff643219"
    levels = shown_levels(MatrixField(np.array([[0.0, 10.0, 20.0, 40.0]]), (0.0, 40.0)), View(0, 1, 0, 4), (4, 1))
    assert levels.tolist() == [[0, 64, 127, 254]]


def test_a_picture_of_a_field_on_its_side_is_on_its_side() -> None:
    field = HalvesField(SinusoidalEncoding(5_000, 502))
    upright = shown_levels(field, View(0, 502, 0, 5_000), (WIDTH, HEIGHT))
    aside = shown_levels(field.transposed, View(0, 5_000, 0, 502), (HEIGHT, WIDTH))
    assert np.array_equal(aside, upright.T)


def test_an_unchanged_picture_is_kept_and_any_change_makes_another() -> None:
    heat_map = HeatMap()
    field, view, table = EncodingField(SinusoidalEncoding(1_000, 64)), View(0, 64, 0, 1_000), NUMBERS
    heat_map.image(field, view, SIZE, table)
    n_evaluated = heat_map.n_values_evaluated
    heat_map.image(EncodingField(SinusoidalEncoding(1_000, 64)), View(0, 64, 0, 1_000), SIZE, table.copy())
    assert (heat_map.n_pictures, heat_map.n_values_evaluated) == (1, n_evaluated)
    other_field = EncodingField(SinusoidalEncoding(1_000, 64, base=500.0))
    for changed in [
        (other_field, view, SIZE, table),
        (other_field, View(0, 64, 0, 999), SIZE, table),
        (other_field, view, (WIDTH, HEIGHT - 1), table),
        (other_field, view, SIZE, table[::-1].copy()),
    ]:
        before = heat_map.n_pictures
        image = heat_map.image(*changed)
        fresh = HeatMap().image(*changed)
        assert (heat_map.n_pictures, image) == (before + 1, fresh)


@pytest.mark.parametrize("measure", ["dot", "cosine"])
def test_blocks_below_the_diagonal_of_a_similarity_are_those_above_it(measure):
    encoding, heat_map, n_blocks = SinusoidalEncoding(1000, 32), HeatMap(), 91
    field, edges = similarity_field(encoding, measure), [*range(0, 1000, 11), 1000]
    image = heat_map.image(field, View(0, 1000, 0, 1000), (n_blocks, n_blocks), NUMBERS)
    sums = np.add.reduceat(encoding.values(range(1000)), edges[:-1]) / np.diff(edges)[:, np.newaxis]
    expected = (1 + sums @ sums.T / 16) / 2 * 254
    assert np.abs((pixels(image) & 0xFF) - expected).max() <= MOST_LEVELS_OFF
    # The last row is the last column.
    assert heat_map.n_values_evaluated == (n_blocks - 1) * n_blocks + 1


@pytest.mark.parametrize("view", ["whole", "cells"])
def test_work_and_memory_are_flat_in_positions(view: str) -> None:
    costs = []
    for n_positions in (1_000, 10_000_000):
        field = HalvesField(SinusoidalEncoding(n_positions, 1_024))
        first = 0 if view == "whole" else n_positions - WIDTH
        heat_map = HeatMap()
        shown = View(0, 1_024, first, n_positions)
        heat_map.image(field, shown, SIZE, NUMBERS)
        peak = peak_of(partial(HeatMap().image, field, shown, SIZE, NUMBERS))
        costs.append((heat_map.n_values_evaluated, bytes_held(heat_map), peak))
    (evaluated, held, peak), (evaluated_far, held_far, peak_far) = costs
    assert evaluated_far == evaluated <= WIDTH * HEIGHT
    # A picture of four bytes a pixel, and a byte for each of its blocks.
    assert held_far == held == 4 * WIDTH * HEIGHT + evaluated
    assert peak_far < 1.05 * peak


@pytest.mark.parametrize("edges", [(0, 0, 0, 1), (0, 1, 2, 1), (0, math.inf, 0, 1), (0, math.nan, 0, 1)])
def test_a_view_without_an_inside_is_refused(edges: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match="must begin before it ends"):
        View(*edges)


@pytest.mark.parametrize("ratio", [1.0, 2.0, 1.25])
def test_a_raster_of_the_devices_size_is_copied_pixel_by_pixel(painted: Painted, ratio: float) -> None:
    noise = np.random.default_rng(5).integers(0, 2**24, (40, 60), dtype=np.uint32) | np.uint32(0xFF000000)
    image = QImage(noise.tobytes(), 60, 40, 240, QImage.Format.Format_RGB32).copy()
    raster = Raster(20 / ratio, 10 / ratio, 60 / ratio, 40 / ratio, image)
    shown = pixels(painted([raster], ratio, 100 / ratio, 80 / ratio).image)
    assert np.array_equal(shown[10:50, 20:80], noise)
    shown[10:50, 20:80] = 0xFFFFFFFF
    assert (shown == 0xFFFFFFFF).all()


def test_an_enlarged_raster_keeps_hard_edges(painted: Painted) -> None:
    image = QImage(np.array([0xFF000000, 0xFFFFFFFF], dtype=np.uint32).tobytes(), 2, 1, QImage.Format.Format_RGB32)
    shown = pixels(painted([Raster(0, 0, 20, 10, image.copy())], width=20, height=10).image)
    assert (shown[:, :10] == 0xFF000000).all()
    assert (shown[:, 10:] == 0xFFFFFFFF).all()
