"""The shift operator M_k: seed 000's matrix (34), seed 002's identity, and what is measured on the table."""

import math
from typing import Any, ClassVar

import numpy as np
import pytest

from pe_desktop.core import (
    LAYOUTS,
    SinusoidalEncoding,
    SinusoidalPairs,
    rotation_angles,
    rotation_blocks,
    rotation_matrix,
    shift_residuals,
)
from pe_desktop.core.kinds.kind import Kind
from pe_desktop.core.rules import MAX_DENSE_ROTATION, Rules

OFFSETS = [-1000, -3, 0, 1, 3, 8, 100, 2.5]


class Squared(Kind):
    """A stand-in whose angles grow with the square of the position: no M_k fits it."""

    kind, title, n_positions, d_model, formulas = "squared", "Squared", 100, 8, ()
    RULES: ClassVar[Rules] = {}

    @property
    def pairs(self) -> SinusoidalPairs | None:
        return SinusoidalEncoding(100, 8).pairs

    def values(self, positions, dimensions=None):
        return SinusoidalEncoding(100, 8).values(np.asarray(positions) ** 2, dimensions)


class Pairless(Squared):
    """A stand-in without angular frequencies."""

    @property
    def pairs(self) -> None:
        return None


def matrix_34(d_model, base, offset):
    """Seed 000, equation 34, entry by entry."""
    matrix = [[0.0] * d_model for _ in range(d_model)]
    for pair in range(d_model // 2):
        angle = offset * base ** (-2 * pair / d_model)
        top, left = 2 * pair, 2 * pair
        matrix[top][left] = math.cos(angle)
        matrix[top][left + 1] = math.sin(angle)
        matrix[top + 1][left] = -math.sin(angle)
        matrix[top + 1][left + 1] = math.cos(angle)
    return matrix


@pytest.mark.parametrize("offset", OFFSETS)
def test_dense_matrix_is_equation_34(offset):
    matrix = rotation_matrix(SinusoidalEncoding(100, 8), offset)
    np.testing.assert_allclose(matrix, matrix_34(8, 10000, offset), rtol=0, atol=3e-13)


def test_half_split_matrix_has_diagonal_quarters():
    matrix = rotation_matrix(SinusoidalEncoding(100, 8, layout="half-split"), 3)
    angles = [3 * 10000 ** (-2 * pair / 8) for pair in range(4)]
    cosines, sines = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    np.testing.assert_allclose(matrix, np.block([[cosines, sines], [-sines, cosines]]), rtol=0, atol=1e-15)


@pytest.mark.parametrize("offset", [-5, 1, 41, 12345])
def test_entries_of_the_block_are_entries_of_the_vector_at_k(offset):
    encoding = SinusoidalEncoding(50_000, 16)
    vector = encoding.values(offset)[0]
    for pair, block in enumerate(rotation_blocks(encoding, offset)):
        sine, cosine = vector[2 * pair], vector[2 * pair + 1]
        np.testing.assert_array_equal(block, [[cosine, sine], [-sine, cosine]])


def test_angles_of_the_rotation_are_k_times_the_frequencies():
    angles = rotation_angles(SinusoidalEncoding(10, 8), 8)
    np.testing.assert_allclose(angles, [8 - 2 * np.pi, 0.8, 0.08, 0.008], rtol=0, atol=1e-15)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("offset", OFFSETS)
def test_residual_of_a_sinusoidal_table_is_rounding_alone(layout, offset):
    encoding = SinusoidalEncoding(10_000_000, 64, layout=layout)
    positions = [0, 1, 37, 1799, 5_000_000, 9_999_999, 12.25]
    residuals = shift_residuals(encoding, offset, positions)
    assert residuals.shape == (7,)
    assert residuals.max() < 2e-15


def test_residual_is_the_largest_miss_over_the_dimensions():
    encoding: Any = Squared()
    residuals = shift_residuals(encoding, 1, range(20))
    matrix = np.array(matrix_34(8, 10000, 1))
    table = encoding.values(range(21))
    expected = [np.abs(matrix @ table[t] - table[t + 1]).max() for t in range(20)]
    np.testing.assert_allclose(residuals, expected, rtol=0, atol=1e-12)
    assert max(residuals) > 1


def test_residuals_of_many_positions_are_those_of_each():
    # More rows than are worked on at once.
    encoding: Any = Squared()
    many = shift_residuals(encoding, 1, np.arange(40_000) % 89)
    each = [shift_residuals(encoding, 1, position)[0] for position in range(89)]
    np.testing.assert_allclose(many, np.array(each)[np.arange(40_000) % 89], rtol=0, atol=1e-14)


@pytest.mark.parametrize("question", [rotation_angles, rotation_blocks, rotation_matrix])
def test_an_encoding_without_pairs_has_no_shift_operator(question):
    with pytest.raises(ValueError, match="Squared has no pairs that turn together, so it has no M_k"):
        question(Pairless(), 1)


def test_dense_matrix_stops_where_it_would_fill_the_memory():
    with pytest.raises(ValueError, match="d_model up to 4 096: 4 098 is read block by block"):
        rotation_matrix(SinusoidalEncoding(10, MAX_DENSE_ROTATION + 2), 1)
    assert rotation_blocks(SinusoidalEncoding(10, 65536), 1).shape == (32768, 2, 2)
