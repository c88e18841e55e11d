"""One small dial for every pair: all of them in the grid, none on another, only those that are seen are drawn."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.draw import marks
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.clock.small import dial_grid, small_dials_picture
from tests.pictures import of_kind

# No edge of a cell lies at these, whatever the rounding.
HEIGHTS = st.integers(0, 5000).map(lambda height: height + 1 / math.pi)
ROOMS = st.tuples(st.floats(200, 2500), st.floats(120, 1600), st.integers(1, 400) | st.just(32_768))


@settings(max_examples=50)
@given(ROOMS)
def test_every_pair_has_its_own_cell_across_the_width(room):
    width, _, n_pairs = room
    grid = dial_grid(*room)
    assert grid.columns * grid.rows >= n_pairs > grid.columns * (grid.rows - 1)
    assert grid.columns * grid.cell_width <= width * (1 + 1e-9)
    for pair in {0, 1 % n_pairs, n_pairs // 2, n_pairs - 1}:
        row, column = divmod(pair, grid.columns)
        left, top = grid.cell(pair)
        assert (left, top) == pytest.approx((column * grid.cell_width, row * grid.cell_height))
        assert top + grid.cell_height <= grid.height * (1 + 1e-9)
        for across, down in ((0.01, 0.01), (0.5, 0.5), (0.99, 0.99)):
            place = (left + across * grid.cell_width, top + down * grid.cell_height)
            assert grid.pair_at(*place, n_pairs) == pair


@settings(max_examples=50)
@given(ROOMS)
def test_the_grid_fits_into_its_height_or_is_scrolled_with_narrow_cells(room):
    width, height, _ = room
    grid = dial_grid(*room)
    if grid.height > height * (1 + 1e-9):
        assert 84 <= grid.cell_width < 2 * 84
        assert (grid.columns + 1) * 84 > width


@settings(max_examples=50)
@given(ROOMS)
def test_no_number_of_columns_gives_larger_dials(room):
    width, height, n_pairs = room
    grid = dial_grid(*room)

    def largest_dial(columns):
        return min(width / columns, height / math.ceil(n_pairs / columns) - 24)

    best = max(largest_dial(columns) for columns in range(1, int(width // 84) + 1))
    if best >= 84:
        assert largest_dial(grid.columns) == pytest.approx(best)
        assert grid.height <= height * (1 + 1e-9)
    else:
        assert grid.columns == int(width // 84)


def test_all_32768_pairs_are_reached_by_scrolling():
    grid = dial_grid(640.0, 500.0, 32_768)
    assert grid.columns == 7
    left, top = grid.cell(32_767)
    assert grid.pair_at(left + 1.0, top + 1.0, 32_768) == 32_767
    # A cell as wide as the row allows and its caption are 115 high: five rows are seen in 500, each of them whole.
    assert grid.height == pytest.approx(math.ceil(32_768 / 7) * 100.0)


@settings(max_examples=50)
@given(ROOMS)
def test_rows_that_are_scrolled_are_seen_whole(room):
    width, height, _ = room
    grid = dial_grid(*room)
    square = width / grid.columns + 24
    if grid.height > height * (1 + 1e-9) and height > 1.6 * square:
        assert height / grid.cell_height == pytest.approx(round(height / grid.cell_height))
        assert grid.cell_height >= 0.8 * square


def test_no_pair_lies_beside_above_or_behind_the_dials():
    grid = dial_grid(400.0, 300.0, 7)
    left, top = grid.cell(6)
    for x, y in ((-1.0, 5.0), (5.0, -1.0), (400.5, 5.0), (left + grid.cell_width + 5, top + 5), (5.0, grid.height + 5)):
        assert grid.pair_at(x, y, 7) is None


@settings(max_examples=50)
@given(room=ROOMS, top=HEIGHTS, seen=HEIGHTS)
def test_the_seen_pairs_are_those_whose_cells_cut_the_seen_stretch(room, top, seen):
    n_pairs = room[2]
    grid = dial_grid(*room)
    shown = grid.pairs_between(top, top + seen, n_pairs)
    rows = {pair // grid.columns for pair in shown}
    wanted = {
        row for row in range(grid.rows) if row * grid.cell_height <= top + seen and (row + 1) * grid.cell_height > top
    }
    assert rows == wanted
    assert len(shown) == sum(min(grid.columns, n_pairs - row * grid.columns) for row in wanted)


@pytest.mark.parametrize(
    ("width", "height", "n_pairs"), [(640, 500, 16), (640, 500, 1), (1200, 300, 16), (420, 900, 32), (640, 500, 32_768)]
)
def test_dials_and_captions_stand_inside_their_cells(light, width, height, n_pairs):
    encoding = SinusoidalEncoding(d_model=2 * n_pairs)
    grid = dial_grid(width, height, n_pairs)
    shown = grid.pairs_between(0.0, height, n_pairs)
    picture = small_dials_picture(grid, encoding.pairs, shown, Cursor(pair=0), light)
    rings = of_kind(picture, marks.Rings)
    texts = of_kind(picture, marks.Text)
    assert len(rings) == len(shown) == len(texts) / 2
    for place, (pair, ring) in enumerate(zip(shown, rings, strict=True)):
        left, top = grid.cell(pair)
        radius = float(ring.radii[0])
        assert radius > 20
        assert left < ring.x - radius
        assert ring.x + radius < left + grid.cell_width
        assert top < ring.y - radius
        caption = texts[2 * place : 2 * place + 2]
        assert caption[0].text == str(pair)
        for text in caption:
            start = text.x - text.across * text_width(text.role, text.text)
            assert left <= start
            assert start + text_width(text.role, text.text) <= left + grid.cell_width
            assert ring.y + radius + 4 < text.y
            assert text.y + 6 <= top + grid.cell_height


def test_the_hands_of_the_small_dials_stand_at_their_true_angles(light):
    encoding = SinusoidalEncoding(d_model=8)
    grid = dial_grid(600.0, 300.0, 4)
    cursor = Cursor(position=37.25, offset=-3.5, pair=2)
    picture = small_dials_picture(grid, encoding.pairs, range(4), cursor, light)
    rings = of_kind(picture, marks.Rings)
    hands = of_kind(picture, marks.Segments)
    arcs = of_kind(picture, marks.Arc)
    dots = of_kind(picture, marks.Dots)
    for pair in range(4):
        omega = 10000 ** (-2 * pair / 8)
        ring, arc, (ghost, tip, _) = rings[pair], arcs[pair], dots[3 * pair : 3 * pair + 3]
        for mark, angle in ((tip, 37.25 * omega), (ghost, 33.75 * omega)):
            x, y = ring.x + arc.radius * math.sin(angle), ring.y - arc.radius * math.cos(angle)
            np.testing.assert_allclose(mark.centers, [[x, y]], atol=1e-9)
        np.testing.assert_allclose(hands[pair].ends, [[ring.x, ring.y, *tip.centers[0]]], atol=1e-9)
        assert math.remainder(arc.start - 37.25 * omega, math.tau) == pytest.approx(0, abs=1e-9)
        assert arc.turn == pytest.approx(max(-3.5 * omega, -math.tau))
        assert (tip.fill, ghost.fill, ghost.outline) == (hands[pair].color, light.panel, hands[pair].color)
    grounds = of_kind(picture, marks.Rectangle)
    assert [grid.pair_at(box.x + box.width / 2, box.y + box.height / 2, 4) for box in grounds] == [2]


def test_nothing_is_drawn_where_nothing_is_seen(light):
    grid = dial_grid(600.0, 300.0, 4)
    assert small_dials_picture(grid, SinusoidalEncoding(d_model=8).pairs, range(4, 4), Cursor(), light) == ()
