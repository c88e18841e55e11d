"""The best 2 x 2 of one hand where no rotation moves it, against normal equations, closed forms and printed values."""

import math
import re

import numpy as np
import pytest

from pe_desktop.core.kinds.ablations import OddWidthEncoding, PositionMapEncoding
from pe_desktop.core.kinds.naive import BitsEncoding, CounterEncoding, RandomEncoding
from pe_desktop.core.kinds.sinusoidal import PaddedEncoding, SinusoidalEncoding
from pe_desktop.core.rotation import best_shift, rotation_refusal, shift_report


@pytest.mark.parametrize("offset", [8.0, -3.0, 2.5])
def test_the_matrix_solves_the_normal_equations(offset):
    encoding = PositionMapEncoding(128, 32)
    shift = best_shift(encoding, offset, 4)
    squares = [(shift.positions + k) ** 2 * 10000 ** (-8 / 32) for k in (0.0, offset)]
    p, q = (np.array([[math.sin(angle), math.cos(angle)] for angle in angles]) for angles in squares)
    np.testing.assert_allclose(shift.matrix @ (p.T @ p), q.T @ p, rtol=0, atol=1e-7)


def test_residuals_are_the_lengths_of_what_the_matrix_misses_at_every_t():
    encoding = RandomEncoding(40, 6)
    shift = best_shift(encoding, 7.0, 1)
    assert shift.positions.tolist() == list(range(33))
    missed = [shift.matrix @ now - later for now, later in (encoding.values([t, t + 7], [2, 3]) for t in range(33))]
    assert shift.residuals.tolist() == pytest.approx([math.hypot(*one) for one in missed], rel=1e-12)


def test_a_hand_that_turns_evenly_is_moved_by_its_rotation_and_a_counter_for_want_of_a_constant_by_one_number():
    shift = best_shift(SinusoidalEncoding(), 8.0, 4)
    c, s = math.cos(0.8), math.sin(0.8)
    np.testing.assert_allclose(shift.matrix, [[c, s], [-s, c]], rtol=0, atol=1e-12)
    assert shift.share < 1e-13
    shift = best_shift(CounterEncoding(100, 2), 10.0, 0)
    factor = sum(t * (t + 10) for t in range(90)) / sum(t * t for t in range(90))
    assert shift.matrix.ravel().tolist() == pytest.approx([factor, 0.0, 0.0, 0.0], rel=1e-12, abs=1e-12)


def test_a_hand_of_one_column_has_one_entry_and_few_or_many_positions_are_fitted_as_far_as_they_go():
    shift = best_shift(OddWidthEncoding(64, 5), 3.0, 2)
    assert shift.matrix[0, 0] != 0
    assert shift.matrix.ravel()[1:].tolist() == pytest.approx([0, 0, 0], abs=1e-15)
    # No t has a t + k.
    shift = best_shift(BitsEncoding(16, 8), 16.0, 0)
    assert (len(shift.positions), math.isnan(shift.share)) == (0, True)
    # An even sample.
    shift = best_shift(CounterEncoding(10_000_000, 2), 1.0, 0)
    assert (len(shift.positions), shift.positions[0], shift.positions[-1]) == (2**16, 0, 9_999_998)


def test_the_refusal_says_whether_columns_or_their_turning_stand_in_the_way():
    assert rotation_refusal(SinusoidalEncoding()) is None
    uneven = "No matrix moves every position: Sinusoidal of t² turns unevenly."
    assert rotation_refusal(PositionMapEncoding()) == uneven
    flat = "No rotation moves every position: the columns of Counter don't turn in pairs."
    assert rotation_refusal(CounterEncoding()) == flat
    # All but the last sine, and all but one row, do turn.
    for kind, alone in ((OddWidthEncoding(), "the last sine of"), (PaddedEncoding(), "row 1 of")):
        assert re.match(f"No rotation .*: {alone} .*; the other( pair)?s do turn.$", rotation_refusal(kind) or "")


@pytest.mark.parametrize("start", [0.0, -110.6])
@pytest.mark.parametrize("offset", [0.04, -3.3, 44.96])
def test_a_fractional_shift_of_ten_million_positions_leaves_the_rounding_of_values_alone(offset, start):
    # Far out t + k has a step of 1.9e-9, by which the fastest hand would be off.
    encoding = SinusoidalEncoding(10_000_000, 32, start=start)
    report = shift_report(encoding, offset)
    assert report.positions[-1] == 9_999_999
    assert report.largest_residual < 2e-15
    assert report.spreads["dot"].spread < 1e-13
    assert best_shift(encoding, offset, 0).residuals.max() < 1e-14
