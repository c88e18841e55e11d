"""Small dials of pairs and of columns, and the room that they share with the face."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds import KINDS
from pe_desktop.core.kinds.ablations import OneWaveEncoding
from pe_desktop.core.kinds.naive import BitsEncoding, CounterEncoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.draw import marks
from pe_desktop.views.clock import dials
from pe_desktop.views.clock.layout import clock_room
from tests.pictures import of_kind

# No edge of a cell lies at these, whatever the rounding.
HEIGHTS = st.integers(0, 5000).map(lambda height: height + 1 / math.pi)
ROOMS = st.tuples(st.floats(200, 2500), st.floats(120, 1600), st.integers(1, 400) | st.just(32_768))


@settings(max_examples=50)
@given(room=ROOMS, top=HEIGHTS, seen=HEIGHTS)
def test_every_pair_has_its_own_cell_and_those_are_seen_whose_cells_cut_the_seen_stretch(room, top, seen):
    width, height, n_pairs = room
    grid = dials._dial_grid(width, height, n_pairs, 84.0, 24.0)
    assert grid.columns * grid.rows >= n_pairs > grid.columns * (grid.rows - 1)
    assert grid.columns * grid.cell_width <= width * (1 + 1e-9)
    for pair in {0, 1 % n_pairs, n_pairs // 2, n_pairs - 1}:
        row, column = divmod(pair, grid.columns)
        left, upper = grid.cell(pair)
        assert (left, upper) == pytest.approx((column * grid.cell_width, row * grid.cell_height))
        assert upper + grid.cell_height <= grid.height * (1 + 1e-9)
        for across, down in ((0.01, 0.01), (0.5, 0.5), (0.99, 0.99)):
            place = (left + across * grid.cell_width, upper + down * grid.cell_height)
            assert grid.dial_at(*place, n_pairs) == pair
    for x, y in ((-1.0, 5.0), (5.0, -1.0), (grid.columns * grid.cell_width * 1.001, 5.0), (5.0, grid.height * 1.001)):
        assert grid.dial_at(x, y, n_pairs) is None
    left, upper = grid.cell(n_pairs - 1)
    # In the last row none lies behind the last pair.
    assert grid.dial_at(left + 1.5 * grid.cell_width, upper + 0.5 * grid.cell_height, n_pairs) is None
    shown = grid.dials_between(top, top + seen, n_pairs)
    rows = {pair // grid.columns for pair in shown}
    wanted = {
        row for row in range(grid.rows) if row * grid.cell_height <= top + seen and (row + 1) * grid.cell_height > top
    }
    assert rows == wanted
    assert len(shown) == sum(min(grid.columns, n_pairs - row * grid.columns) for row in wanted)


def test_the_hands_of_the_small_dials_stand_at_their_true_angles(light):
    encoding = SinusoidalEncoding(d_model=8)
    grid = dials._dial_grid(600.0, 300.0, 4, 84.0, 24.0)
    cursor = Cursor(position=37.25, offset=-3.5, pair=2)
    picture = dials.dials_picture(dials.Dials(grid, range(4), encoding), cursor, light)
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
    assert [grid.dial_at(box.x + box.width / 2, box.y + box.height / 2, 4) for box in grounds] == [2]


def picture(theme, encoding, cursor, width=440.0, height=320.0):
    grid = dials.column_grid(encoding, width, height)
    return grid, dials.dials_picture(dials.Dials(grid, range(encoding.d_model), encoding), cursor, theme)


@pytest.mark.parametrize("code", ["binary", "gray"])
@pytest.mark.parametrize("position", [0, 5, 37, 90, 127])
def test_the_half_of_a_bit_is_filled_while_the_bit_is_1_and_the_hand_lies_in_it(light, code, position):
    grid, shown = picture(light, BitsEncoding(128, 8, code), Cursor(float(position), 8.0, 0))
    halves = of_kind(shown, marks.Arc)
    tips = [dots for dots in of_kind(shown, marks.Dots) if dots.radius == 5.0]
    number = position if code == "binary" else position ^ (position >> 1)
    for bit, (half, tip) in enumerate(zip(halves, tips, strict=True)):
        dial = grid.dial(bit)
        is_one = bool(number >> bit & 1)
        assert (half.color != light.grid) == is_one
        x, y = tip.centers[0].tolist()
        angle = math.atan2(x - dial.x, dial.y - y) % math.tau
        in_half = (angle - half.start + 1e-9) % math.tau < half.turn
        assert in_half == is_one
        if code == "binary":
            wanted = math.tau * (position % 2 ** (bit + 1)) / 2 ** (bit + 1)
            assert math.remainder(angle - wanted, math.tau) == pytest.approx(0.0, abs=1e-9)


def test_the_needle_of_a_gauge_swings_by_the_share_of_the_limit(light):
    grid, shown = picture(light, CounterEncoding(101, 3), Cursor(25.0, 50.0, 0))
    tips = [dots.centers[0].tolist() for dots in of_kind(shown, marks.Dots) if dots.radius == 5.0]
    ghosts = [dots.centers[0].tolist() for dots in of_kind(shown, marks.Dots) if dots.radius == 4.0]
    for (x, y), value in ((tips[0], 25), (ghosts[0], 75)):
        angle = math.atan2(x - grid.dial(0).x, grid.dial(0).y - y)
        assert math.degrees(angle) == pytest.approx(135 * value / 100)
    for x, y in tips[1:]:
        assert min(abs(x - grid.dial(column).x) for column in (1, 2)) < 1e-9
        assert y < grid.dial(1).y
    assert dials.columns_sentences(CounterEncoding(101, 3))[0] == "one needle for each dimension, −100 to +100"
    # A column is told in one line.
    assert dials.column_sentence(BitsEncoding(), 5, Cursor(37.0, 8.0)) == (
        "dimension 5: 1.0000 at t, 1.0000 at t + k, flips every 32 positions"
    )
    assert dials.column_sentence(CounterEncoding(), 0, Cursor(37.0, 8.0)) == "dimension 0: 37 at t, 45 at t + k"


def test_a_bit_beside_hands_has_no_colour_of_a_pair(light):
    code = BitsEncoding(1_000_000, 20)
    grid = dials.column_grid(code, 440.0, 320.0)
    shown = dials.dials_picture(dials.Dials(grid, range(20), code, is_beside=True), Cursor(pair=15), light)
    assert of_kind(shown, marks.Rectangle) == []
    tips = [dots for dots in of_kind(shown, marks.Dots) if dots.outline is None and dots.fill != light.ink]
    assert len(tips) == 20
    assert {tip.fill.name() for tip in tips}.isdisjoint(light.pair_color(pair, 16).name() for pair in range(16))


def test_all_bits_that_flip_within_n_are_seen_at_once_in_the_panel_of_a_large_window():
    for n_positions, n_bits in ((1, 1), (2, 1), (128, 7), (129, 8), (1_000_000, 20)):
        room = clock_room(408.0, 356.0, BitsEncoding(n_positions, n_bits))
        assert room.grid.height <= room.dials.height + 0.5
        assert room.grid.columns * room.grid.rows >= n_bits


@pytest.mark.parametrize(("name", "wave", "half_turn"), [("sine", math.sin, math.pi), ("cosine", math.cos, 0.0)])
def test_a_wave_alone_has_two_angles_for_each_number(name, wave, half_turn, light):
    encoding = OneWaveEncoding(128, 8, wave=name)
    found = dials._twin_angles(encoding, 37.0, range(8))
    for column, (angle, other) in enumerate(found.tolist()):
        own = 37 / 10_000 ** (column / 8)
        assert math.remainder(angle - own, math.tau) == pytest.approx(0.0, abs=1e-12)
        assert math.remainder(other - (half_turn - own), math.tau) == pytest.approx(0.0, abs=1e-12)
        assert wave(angle) == pytest.approx(wave(other), abs=1e-12)
        assert wave(angle) == pytest.approx(float(encoding.values(37, [column])[0, 0]), abs=1e-12)
    grid = dials.column_grid(encoding, 400.0, 300.0)
    picture = dials.dials_picture(dials.Dials(grid, range(8), encoding), Cursor(37.0, 8.0, 0), light)
    hands = [mark for mark in picture if isinstance(mark, marks.Segments) and not mark.dash]
    lines = [mark for mark in picture if isinstance(mark, marks.Segments) and mark.dash]
    assert [len(mark.ends) for mark in hands] == [2] * 8
    # One number: both ends stand at one height, or one above the other, as the dashed line between them.
    same = slice(0, 3, 2) if name == "sine" else slice(1, 4, 2)
    assert all(np.ptp(mark.ends[0, same]) == pytest.approx(0.0, abs=1e-9) for mark in lines)
    degrees = [f"{math.degrees(angle) % 360:.1f}°" for angle in found[1]]
    assert f"at {degrees[0]} and at {degrees[1]}" in dials.column_sentence(encoding, 1, Cursor(37.0, 8.0))
    # Only where no column holds the other half.
    assert {kind for kind in KINDS if dials.has_twins(KINDS[kind]())} == {"one-wave", "doubled-exponent"}
