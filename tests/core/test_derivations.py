"""What derivations measure: a system of equations, its determinant, blocks of hands."""

import math

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core import SinusoidalEncoding
from pe_desktop.core.derivations import log10_determinant, measured_block, shift_system
from pe_desktop.core.kinds.ablations import DoubledExponentEncoding, PositionMapEncoding
from pe_desktop.core.kinds.naive import BitsEncoding
from pe_desktop.core.lags import CancelledError
from pe_desktop.core.rotation import rotation_matrix
from tests.core.exact import exact_frequency


def exact_table(d_model: int, n_rows: int) -> mpmath.matrix:
    """Sines and cosines of the paper in the surrounding arithmetic."""
    table = mpmath.matrix(n_rows, d_model)
    for pair in range(d_model // 2):
        omega = exact_frequency(d_model, 10_000, "geometric", pair)
        for t in range(n_rows):
            table[t, 2 * pair], table[t, 2 * pair + 1] = mpmath.sin(t * omega), mpmath.cos(t * omega)
    return table


@pytest.mark.parametrize("d_model", [2, 4, 8, 16, 32])
def test_the_determinant_of_the_first_d_rows_is_the_product_of_sines_and_of_differences_of_cosines(d_model: int):
    with mpmath.workdps(900):
        exact = float(mpmath.log10(abs(mpmath.det(exact_table(d_model, d_model)))))
    assert log10_determinant(SinusoidalEncoding(10, d_model).pairs) == pytest.approx(exact, rel=1e-12)


def test_in_exact_arithmetic_d_positions_leave_one_solution_and_all_of_it_but_the_block_is_zero():
    d_model, k, pair = 16, 8, 3
    with mpmath.workdps(400):
        table, later = exact_table(d_model, d_model), exact_table(d_model, d_model + k)[k : k + d_model, 2 * pair]
        row = [float(entry) for entry in mpmath.lu_solve(table, later)]
    matrix = rotation_matrix(SinusoidalEncoding(10, d_model), k)
    np.testing.assert_allclose(row, matrix[2 * pair], rtol=0, atol=1e-15)
    assert np.count_nonzero(matrix[2 * pair]) == 2


def test_hands_that_turn_alike_have_no_determinant_and_one_can_be_cancelled():
    assert log10_determinant(SinusoidalEncoding(10, 8, spacing="single").pairs) == -math.inf
    assert shift_system(SinusoidalEncoding(50, 8, spacing="single"), 3, (0, 1)).rank == 2
    with pytest.raises(CancelledError):
        log10_determinant(SinusoidalEncoding(10, 8).pairs, lambda: True)


def test_pieces_of_many_hands_give_the_same_determinant():
    # More pairs of frequencies than are held at once.
    pairs = SinusoidalEncoding(10, 2400).pairs
    omegas = pairs.angular_frequencies.tolist()
    total = math.fsum(math.log10(abs(math.sin(omega))) for omega in omegas)
    for place, omega in enumerate(omegas):
        others = np.array(omegas[place + 1 :])
        products = 4 * np.sin((omega - others) / 2) * np.sin((omega + others) / 2)
        total += 2 * float(np.log10(np.abs(products)).sum())
    assert log10_determinant(pairs) == pytest.approx(total, rel=1e-12)


def test_ranks_are_those_of_the_field_guide_and_long_and_wide_tables_are_solved_at_their_first_positions():
    # Section 1.7, at 1e-10 of the largest singular value.
    for (n_positions, d_model), rank in {(512, 64): 38, (100, 128): 36, (1000, 512): 165}.items():
        assert shift_system(SinusoidalEncoding(n_positions, d_model), 1, (0, 1)).rank == rank
    assert shift_system(SinusoidalEncoding(10_000_000, 2), 1, (0, 1)).n_equations == 1024
    assert shift_system(SinusoidalEncoding(5000, 8192), 1, (0, 1)).n_equations == 128


def test_least_squares_find_the_rows_where_the_table_has_full_rank():
    encoding = SinusoidalEncoding(100, 4)
    system = shift_system(encoding, 8, (2, 3))
    assert (system.rank, system.n_equations) == (4, 100)
    assert system.log10_determinant == pytest.approx(log10_determinant(encoding.pairs), abs=1e-12)
    np.testing.assert_allclose(system.rows, rotation_matrix(encoding, 8)[2:4], rtol=0, atol=1e-13)
    table = encoding.values(range(108))
    misses = [abs(float(system.rows[row] @ table[t] - table[t + 8, 2 + row])) for row in (0, 1) for t in range(100)]
    assert system.residual == pytest.approx(max(misses), abs=1e-16)


@pytest.mark.parametrize(("t", "k", "hand"), [(37.0, 8.0, 4), (0.0, -3.0, 0), (5.5, 2.25, 15)])
def test_four_values_of_the_table_give_the_block_of_a_hand(t: float, k: float, hand: int):
    angle = k * 10000 ** (-hand / 16)
    found = measured_block(SinusoidalEncoding(), t, k, hand)
    assert found == pytest.approx((math.cos(angle), math.sin(angle)), abs=1e-13)


def test_a_hand_that_turns_unevenly_has_another_block_elsewhere_and_one_that_is_zero_none():
    encoding = PositionMapEncoding(map="root")
    for t in (37.0, 0.0):
        angle = math.sqrt(t + 8) - math.sqrt(t)
        assert measured_block(encoding, t, 8.0, 0) == pytest.approx((math.cos(angle), math.sin(angle)), abs=1e-14)
    assert all(map(math.isnan, measured_block(BitsEncoding(16, 16), 0.0, 1.0, 1)))


@pytest.mark.parametrize(
    ("pairs", "pair"),
    [
        (SinusoidalEncoding(10, 8).pairs, 3),
        (SinusoidalEncoding(10, 8, shift=0.5, scale=2.0).pairs, 2),
        (SinusoidalEncoding(10, 8, spacing="inclusive", base=500.0).pairs, 3),
        (DoubledExponentEncoding(10, 8).hands, 5),
    ],
)
def test_a_frequency_is_the_base_to_its_exponent(pairs, pair):
    exponent = pairs.exponent(pair)
    assert exponent is not None
    power = pairs.scale * pairs.base ** (-exponent[0] / exponent[1])
    assert power == pytest.approx(float(pairs.angular_frequencies[pair]), rel=1e-15)
    assert all(SinusoidalEncoding(10, 8, spacing=word).pairs.exponent(pair) is None for word in ("linear", "single"))
