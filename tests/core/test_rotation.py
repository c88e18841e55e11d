"""The shift operator M_k, its picture and residuals, and the best 2 x 2 of one hand where no rotation moves it."""

import cmath
import math
import re
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pe_desktop import core
from pe_desktop.core.fields.field import Blocks
from pe_desktop.core.kinds.ablations import OddWidthEncoding, PositionMapEncoding
from pe_desktop.core.kinds.naive import BitsEncoding, CounterEncoding, RandomEncoding
from pe_desktop.core.kinds.sinusoidal import PaddedEncoding, SinusoidalEncoding
from pe_desktop.core.rotation import RotationField, best_shift, eigenvalues, rotation_refusal, shift_report
from pe_desktop.core.rules import MAX_DENSE_ROTATION
from pe_desktop.core.source.panels import missed_laws
from tests.core.exact import block_means, windows
from tests.core.schemes import Plain


def matrix_34(d_model, base, offset):
    """Seed 000, equation 34, entry by entry."""
    matrix = [[0.0] * d_model for _ in range(d_model)]
    for pair in range(d_model // 2):
        angle = offset * base ** (-2 * pair / d_model)
        sine, cosine = 2 * pair, 2 * pair + 1
        matrix[sine][sine] = matrix[cosine][cosine] = math.cos(angle)
        matrix[sine][cosine] = math.sin(angle)
        matrix[cosine][sine] = -math.sin(angle)
    return matrix


def test_residual_is_the_largest_miss_over_the_dimensions():
    # Angles that grow with the square of the position, which no M_k fits.
    paper = core.SinusoidalEncoding(100, 8)
    encoding = Plain("Squared", 8, lambda rows: paper.values(rows**2), 100, paper.pairs)
    residuals = core.shift_residuals(encoding, 1, range(20))
    matrix = np.array(matrix_34(8, 10000, 1))
    table = encoding.values(range(21))
    expected = [np.abs(matrix @ table[t] - table[t + 1]).max() for t in range(20)]
    np.testing.assert_allclose(residuals, expected, rtol=0, atol=1e-12)
    assert max(residuals) > 1


def test_dense_matrix_stops_where_it_would_fill_the_memory():
    with pytest.raises(ValueError, match="d_model up to 4 096: 4 098 is read block by block"):
        core.rotation_matrix(core.SinusoidalEncoding(10, MAX_DENSE_ROTATION + 2), 1)
    assert core.rotation_blocks(core.SinusoidalEncoding(10, 65536), 1).shape == (32768, 2, 2)


# Seed 000's matrix, checked by the field guide for these offsets at d = 64.
SHIFTS = [-3, 1, 3, 10, 100]


@pytest.mark.parametrize("spacing", core.SPACINGS)
@pytest.mark.parametrize(("k", "j"), [(3, 5), (-3, 3), (100, -1000), (0.5, 2.25), (-2.75, 0), (1234.5, 10)])
def test_blocks_miss_the_laws_by_no_more_than_the_dense_matrix(k, j, spacing):
    encoding = core.SinusoidalEncoding(1800, 64, spacing=spacing)
    found = missed_laws(partial(core.rotation_blocks, encoding), k, j)
    one, other, both, ten = (core.rotation_matrix(encoding, offset) for offset in (k, j, j + k, 10 * k))
    dense = [other @ one - both, one @ one.T - np.eye(64), np.linalg.matrix_power(one, 10) - ten]
    expected = [*(np.abs(part).max() for part in dense), np.linalg.det(one) - 1]
    assert (np.abs(found - expected) < [3e-16, 4e-16, 4e-15, 1e-13]).all()
    assert (np.abs(found) < [2e-15, 1e-15, 1e-14, 1e-14]).all()


@pytest.mark.parametrize("offset", [*SHIFTS, -2.75, 0.5, 1234.5, 0])
def test_eigenvalues_are_turns_by_k_omega_and_back(offset):
    encoding = core.SinusoidalEncoding(1800, 64)
    found = eigenvalues(encoding, offset)
    assert found.shape == (32, 2)
    for pair, (forwards, backwards) in enumerate(found):
        angle = offset * 10_000 ** (-pair / 32)
        # The plain angle of the oracle is off by a rounding of 1234.5 radians.
        assert forwards == pytest.approx(cmath.exp(1j * angle), abs=1e-12)
        assert backwards == pytest.approx(cmath.exp(-1j * angle), abs=1e-12)


def test_laws_are_computed_from_the_blocks_and_fail_where_these_are_no_turns():
    pairs, lengths = core.SinusoidalEncoding(100, 8).pairs, 1 + np.arange(4) / 4
    hands = SimpleNamespace(offset_hands=lambda k, _: pairs.offset_hands(k) * lengths[:, None], turns_evenly=True)
    stretched: Any = SimpleNamespace(pairs=hands)
    np.testing.assert_allclose(np.abs(eigenvalues(stretched, 3)), np.stack([lengths, lengths], axis=1), rtol=1e-14)
    one, other, both, ten = (core.rotation_blocks(stretched, offset) for offset in (3, 5, 8, 30))
    composed, power = np.abs(one @ other - both).max(), np.abs(np.linalg.matrix_power(one, 10) - ten).max()
    found = missed_laws(partial(core.rotation_blocks, stretched), 3, 5)
    expected = [composed, lengths[-1] ** 2 - 1, power, np.prod(lengths**2) - 1]
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    assert min(expected) > 0.5


def test_residuals_of_a_long_table_are_those_of_an_even_sample_and_of_a_short_one_of_all_positions():
    report = shift_report(core.SinusoidalEncoding(10_000_000, 64), -2.5)
    assert len(report.positions) == len(report.residuals) == 2**20 // 64
    assert (report.positions[0], report.positions[-1]) == (0, 9_999_999)
    assert np.ptp(np.diff(report.positions)) <= 1
    assert 0 < report.largest_residual < 2e-15
    np.testing.assert_array_equal(shift_report(core.SinusoidalEncoding(1800, 64), 3).positions, np.arange(1800))


WINDOWS = windows("rotation")


@pytest.mark.parametrize("layout", core.LAYOUTS)
@pytest.mark.parametrize("offset", [0, 3, -2.75])
@pytest.mark.parametrize("window", WINDOWS.values(), ids=WINDOWS)
def test_picture_holds_the_mean_of_the_entries_in_every_block(window, offset, layout):
    encoding = core.SinusoidalEncoding(100, 26, layout=layout)
    expected = block_means(core.rotation_matrix(encoding, offset), *window)
    np.testing.assert_allclose(RotationField(encoding, offset).means(*window), expected, rtol=0, atol=1e-16)


@pytest.mark.parametrize("layout", core.LAYOUTS)
def test_picture_of_the_widest_matrix_needs_no_dense_one(layout):
    encoding = core.SinusoidalEncoding(100, 65_536, layout=layout)
    field = RotationField(encoding, 41.5)
    everything = field.means(Blocks(0, 66, 993), Blocks(0, 66, 993))
    assert everything.shape == (993, 993)
    # The sines cancel in the sum of all entries: what is left is the sum of the traces.
    lengths = np.minimum(66, 65_536 - 66 * np.arange(993))
    total = (everything * np.outer(lengths, lengths)).sum()
    angles = 41.5 * 10000.0 ** (-np.arange(32_768) / 32_768)
    assert total == pytest.approx(2 * np.cos(angles).sum(), abs=1e-8)
    sine, cosine = encoding.pairs.dimensions(20_000)
    assert field.value(sine, cosine) == pytest.approx(math.sin(angles[20_000]), abs=1e-13)
    assert field.value(cosine, cosine) == pytest.approx(math.cos(angles[20_000]), abs=1e-13)


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
