"""The room that face and dials of bits share: nothing on another, nothing cut, the same whatever t."""

import math
from typing import TypeAlias

import numpy as np
import pytest

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds import KINDS
from pe_desktop.core.kinds.naive import BitsEncoding
from pe_desktop.draw import marks
from pe_desktop.views.clock.layout import clock_room, whole_grid
from pe_desktop.views.clock.picture import dial_in
from pe_desktop.views.clock.small import Captions, column_dials_picture
from tests.pictures import covered_texts, of_kind, text_frames

# Of the panel in a small window and in a large one, popped out upright and across.
SIZES = [(288.0, 120.0), (371.0, 212.0), (408.0, 356.0), (388.0, 820.0), (1168.0, 610.0), (1900.0, 300.0)]
CODES = [(1, 1), (128, 7), (128, 32), (1_000_000, 20), (10_000_000, 24), (10_000_000, 65_536)]
# What a scroll bar may take.
BAR = 14.0


Sides: TypeAlias = tuple[float, float, float, float]


def overlap(one: Sides, other: Sides) -> bool:
    return all(
        one[axis] < other[axis] + other[2 + axis] - 1e-6 and other[axis] < one[axis] + one[2 + axis] - 1e-6
        for axis in (0, 1)
    )


def is_within(inner: Sides, outer: Sides) -> bool:
    return all(
        inner[axis] >= outer[axis] - 1e-6 and inner[axis] + inner[2 + axis] <= outer[axis] + outer[2 + axis] + 1e-6
        for axis in (0, 1)
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("n_positions", "n_bits"), CODES)
def test_face_and_dials_lie_apart_within_the_panel(size, n_positions, n_bits):
    room = clock_room(size[0], size[1], BitsEncoding(n_positions, n_bits))
    assert not overlap(room.face, room.dials)
    assert is_within(room.face, (0.0, 0.0, *size))
    assert is_within(room.dials, (0.0, 0.0, *size))
    dials_width = room.grid.columns * room.grid.cell_width + (BAR if room.is_scrolled else 0.0)
    assert dials_width <= room.dials[2] + 1e-6
    # Whole rows are seen, and a face that is worth looking at.
    assert room.dials[3] / room.grid.cell_height == pytest.approx(round(room.dials[3] / room.grid.cell_height))
    assert room.face_radius >= min(60.0, 0.9 * dial_in(size[0], size[1]).radius)


@pytest.mark.parametrize(("n_positions", "n_bits"), [(1, 1), (2, 1), (128, 7), (129, 8), (1_000_000, 20)])
def test_all_bits_that_flip_within_n_are_seen_at_once_in_the_panel_of_a_large_window(n_positions, n_bits):
    assert n_bits == max((n_positions - 1).bit_length(), 1)
    room = clock_room(408.0, 356.0, BitsEncoding(n_positions, n_bits))
    assert not room.is_scrolled
    assert room.grid.columns * room.grid.rows >= n_bits


def test_more_columns_than_bits_that_flip_are_scrolled_to():
    room = clock_room(408.0, 356.0, BitsEncoding(128, 32))
    assert room.is_scrolled
    assert room.grid.columns * round(room.dials[3] / room.grid.cell_height) >= 7
    assert room.grid.captions is Captions.FULL


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("position", [0.0, 999_999.0])
def test_dials_and_captions_stand_inside_their_cells_whatever_t(light, size, position):
    code = BitsEncoding(1_000_000, 20)
    grid = clock_room(size[0], size[1], code).grid
    shown = column_dials_picture(grid, code, range(20), Cursor(position, 8.0, 0), light)
    assert covered_texts(shown) == []
    frames = text_frames(shown)
    rings = of_kind(shown, marks.Rings)
    per_dial = len(frames) // 20
    assert len(rings) == 20
    for bit, ring in enumerate(rings):
        left, top = grid.cell(bit)
        right, bottom = left + grid.cell_width, top + grid.cell_height
        radius = float(ring.radii[0])
        assert radius >= 10
        assert left <= ring.x - radius
        assert top <= ring.y - radius
        assert ring.y + radius <= bottom
        for words_left, words_top, words_right, words_bottom, _ in frames[per_dial * bit : per_dial * (bit + 1)]:
            assert ring.x + radius < words_left
            assert words_right <= right
            assert top <= words_top
            assert words_bottom <= bottom


def test_dials_of_bits_stand_at_the_angles_of_a_plain_loop_however_small_they_are(light):
    code = BitsEncoding(1_000_000, 20)
    grid = clock_room(371.0, 212.0, code).grid
    shown = column_dials_picture(grid, code, range(20), Cursor(123_457.0, 8.0, 0), light)
    hands = [segments for segments in of_kind(shown, marks.Segments) if segments.color != light.axis]
    for bit, (ring, hand) in enumerate(zip(of_kind(shown, marks.Rings), hands, strict=True)):
        x, y = (hand.ends[0, 2:] - hand.ends[0, :2]) / (0.86 * ring.radii[0])
        wanted = math.tau * (123_457 % 2 ** (bit + 1)) / 2 ** (bit + 1)
        np.testing.assert_allclose([x, -y], [math.sin(wanted), math.cos(wanted)], atol=1e-9)


@pytest.mark.parametrize("size", [(660.0, 412.0), (660.0, 515.0), (816.0, 375.0)])
@pytest.mark.parametrize("kind", ["bits", "random"])
def test_all_of_32_columns_find_room_on_paper_and_on_a_slide(light, size, kind):
    encoding = KINDS[kind](128, 32)
    grid = whole_grid(size[0], size[1], encoding)
    assert grid is not None
    assert grid.columns * grid.cell_width <= size[0] + 1e-6
    assert grid.height <= size[1] + 1e-6
    shown = column_dials_picture(grid, encoding, range(32), Cursor(37.0, 8.0, 0), light)
    assert covered_texts(shown) == []
    assert all(left >= 0 and right <= size[0] for left, _, right, _, _ in text_frames(shown))
    if kind == "bits":
        room = clock_room(size[0], size[1], encoding, is_paper=True)
        assert not room.is_scrolled
        assert room.grid.columns * room.grid.rows >= 32


def test_a_table_too_wide_for_any_page_has_no_whole_grid(light):
    assert whole_grid(660.0, 412.0, BitsEncoding(128, 65_536)) is None
