"""The clock of columns that don't turn: bits as dials that are half filled, numbers as gauges."""

import math

import numpy as np
import pytest

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds import KINDS
from pe_desktop.core.kinds.naive import BitsEncoding, CounterEncoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.draw import marks
from pe_desktop.views.clock.small import (
    bit_sentence,
    column_dials_picture,
    column_grid,
    column_sentence,
    columns_sentence,
)
from tests.pictures import covered_texts, of_kind, text_frames

WITHOUT_HANDS = [kind for kind in KINDS if KINDS[kind]().pairs is None]


def picture(theme, encoding, cursor, width=440.0, height=320.0):
    grid = column_grid(width, height, encoding)
    return grid, column_dials_picture(grid, encoding, range(encoding.d_model), cursor, theme)


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


def test_captions_tell_the_bit_and_how_often_it_flips(light):
    _, shown = picture(light, BitsEncoding(128, 9), Cursor(37.0, 8.0))
    words = [text.text for text in of_kind(shown, marks.Text)]
    assert words[::2] == [f"bit {bit} = {37 >> bit & 1}" for bit in range(9)]
    assert words[1::2] == [*(f"flips every {2**bit}" for bit in range(7)), "never flips", "never flips"]


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
    assert columns_sentence(CounterEncoding(101, 3)) == "one needle for each dimension, −100 to +100"


def test_the_columns_of_the_chosen_hand_stand_on_a_darker_ground(light):
    encoding = BitsEncoding(128, 9)
    for hand, columns in ((1, [2, 3]), (4, [8])):
        grid, shown = picture(light, encoding, Cursor(pair=hand))
        grounds = [(box.x - 2, box.y - 1) for box in of_kind(shown, marks.Rectangle)]
        assert grounds == [grid.cell(column) for column in columns]


@pytest.mark.parametrize("kind", WITHOUT_HANDS)
@pytest.mark.parametrize("size", [(280.0, 150.0), (440.0, 320.0), (900.0, 700.0)])
def test_captions_of_no_kind_cover_each_other_or_leave_the_picture(light, kind, size):
    for encoding in (KINDS[kind](), KINDS[kind](n_positions=10_000_000)):
        _, shown = picture(light, encoding, Cursor(99.0, 8.0), *size)
        assert covered_texts(shown) == []
        assert all(left >= 0 and right <= size[0] for left, _, right, _, _ in text_frames(shown))


def test_a_column_is_told_in_one_line():
    assert column_sentence(BitsEncoding(), 5, Cursor(37.0, 8.0)) == (
        "dimension 5: 1.0000 at t, 1.0000 at t + k, flips every 32 positions"
    )
    assert column_sentence(CounterEncoding(), 0, Cursor(37.0, 8.0)) == "dimension 0: 37 at t, 45 at t + k"


def test_a_bit_of_the_position_is_told_in_one_line():
    assert bit_sentence(BitsEncoding(128, 7), 3, Cursor(37.0, 8.0)) == (
        "bit 3 of the position: 0 at t, 1 at t + k, flips every 8 positions"
    )
    assert bit_sentence(BitsEncoding(1, 1), 0, Cursor(0.0, 8.0)).endswith("0 at t + k, never flips")


def test_a_bit_beside_hands_has_the_colour_of_the_hand_that_turns_about_as_fast(light):
    encoding, code = SinusoidalEncoding(1_000_000, 32), BitsEncoding(1_000_000, 20)
    grid = column_grid(440.0, 320.0, code)
    shown = column_dials_picture(grid, code, range(20), Cursor(pair=15), light, encoding.pairs)
    assert of_kind(shown, marks.Rectangle) == []
    tips = [dots for dots in of_kind(shown, marks.Dots) if dots.outline is None and dots.fill != light.ink]
    for bit, tip in enumerate(tips):
        period = 2.0 ** (bit + 1)
        # Wavelengths are 2 pi 10000^(i / 16): the nearest one by its logarithm.
        nearest = min(range(16), key=lambda pair: abs(math.log(period / (math.tau * 10000 ** (pair / 16)))))
        assert tip.fill == light.pair_color(nearest, 16)


def test_the_number_of_marks_is_that_of_the_dials_that_are_seen(light):
    encoding = BitsEncoding(10_000_000, 65_536)
    grid = column_grid(440.0, 320.0, encoding)
    shown = column_dials_picture(grid, encoding, range(100, 112), Cursor(), light)
    assert len(shown) == 12 * 9
    assert np.isfinite(np.concatenate([dots.centers for dots in of_kind(shown, marks.Dots)])).all()
