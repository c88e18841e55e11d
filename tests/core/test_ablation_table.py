"""The field's ablation table, d = 64 and n = 512, by plain loops over the values of every kind."""

import math

import numpy as np
import pytest

from pe_desktop.core import (
    BitsEncoding,
    CounterEncoding,
    DoubledExponentEncoding,
    NormalisedCounterEncoding,
    OneWaveEncoding,
    PositionMapEncoding,
    RandomEncoding,
    SinusoidalEncoding,
)

N = 512


def nearest(table):
    """The smallest distance of two rows and the first pair of rows that has it."""
    best = (math.inf, 0, 0)
    for row in range(len(table) - 1):
        distances = np.sqrt(((table[row + 1 :] - table[row]) ** 2).sum(axis=1))
        place = int(distances.argmin())
        # Rounding alone tells equal distances apart: the first pair counts.
        if distances[place] < best[0] * (1 - 1e-12):
            best = (float(distances[place]), row, row + 1 + place)
    return best


def toeplitz_deviation(table):
    """||G - T|| / ||G||, T the means of the diagonals of the Gram matrix G."""
    gram = table @ table.T
    off = 0.0
    for offset in range(-N + 1, N):
        diagonal = np.diagonal(gram, offset)
        off += float(((diagonal - diagonal.mean()) ** 2).sum())
    return math.sqrt(off / float((gram**2).sum()))


@pytest.mark.parametrize(
    ("encoding", "largest", "distance"),
    [
        (SinusoidalEncoding(N, 64), 1, "1.4718"),
        (SinusoidalEncoding(N, 64, spacing="inclusive"), 1, "1.4545"),
        (SinusoidalEncoding(N, 64, 8192.0), 1, "1.484"),
        (SinusoidalEncoding(N, 64, 100.0), 1, "1.9525"),
        (SinusoidalEncoding(N, 64, 1e6), 1, "1.277"),
        (OneWaveEncoding(N, 64), 1, "0.7564"),
        (OneWaveEncoding(N, 32), 1, "0.4311"),
        (SinusoidalEncoding(N, 64, spacing="linear"), 1, "0.7601"),
        (SinusoidalEncoding(N, 64, spacing="single"), 1, "0.0499"),
        (PositionMapEncoding(N, 64), 1, "1.4718"),
        (PositionMapEncoding(N, 64, map="log"), 1, "0.00296"),
        (PositionMapEncoding(N, 64, map="root"), 1, "0.0335"),
        (PositionMapEncoding(N, 64, map="reciprocal"), 1, "0.0000058"),
        (CounterEncoding(N, 64), 511, "1"),
        (NormalisedCounterEncoding(N, 64), 0.998, "0.00195"),
        (BitsEncoding(N, 9), 1, "1"),
        (BitsEncoding(N, 9, "gray"), 1, "1"),
    ],
    ids=lambda value: getattr(value, "title", None),
)
def test_largest_value_and_smallest_distance_are_those_printed(encoding, largest, distance):
    table = encoding.values(range(N))
    decimals = len(distance.partition(".")[2])
    assert f"{nearest(table)[0]:.{decimals}f}" == distance
    assert np.abs(table).max() == pytest.approx(largest, abs=5e-4)


@pytest.mark.parametrize(
    ("encoding", "offset"),
    [
        (SinusoidalEncoding(N, 64, spacing="linear"), 501 - 306),
        (SinusoidalEncoding(N, 64, spacing="single"), 347 - 14),
        (PositionMapEncoding(N, 64), 1),
        (SinusoidalEncoding(N, 64), 1),
    ],
    ids=lambda value: getattr(value, "title", None),
)
def test_nearest_positions_are_as_far_apart_as_printed(encoding, offset):
    _, first, second = nearest(encoding.values(range(N)))
    assert second - first == offset


@pytest.mark.parametrize(
    ("encoding", "deviation"),
    [
        (OneWaveEncoding(N, 64), 0.372),
        (OneWaveEncoding(N, 32), 0.445),
        (PositionMapEncoding(N, 64), 0.919),
        (PositionMapEncoding(N, 64, map="log"), 0.0465),
        (PositionMapEncoding(N, 64, map="root"), 0.0455),
        (PositionMapEncoding(N, 64, map="reciprocal"), 0.0021),
        (CounterEncoding(N, 64), 0.6265),
        (NormalisedCounterEncoding(N, 64), 0.6265),
        (BitsEncoding(N, 9), 0.458),
        (DoubledExponentEncoding(N, 64), 0.0647),
        (SinusoidalEncoding(N, 64, spacing="linear"), 0.0),
        (SinusoidalEncoding(N, 64, spacing="single"), 0.0),
    ],
    ids=lambda value: getattr(value, "title", None),
)
def test_gram_matrix_deviates_from_equal_diagonals_as_printed(encoding, deviation):
    assert toeplitz_deviation(encoding.values(range(N))) == pytest.approx(
        deviation, abs=5.1e-4 if deviation > 0.1 else 5e-5
    )


def test_random_vectors_are_as_far_from_shift_invariant_as_the_row_drawn_elsewhere():
    table = RandomEncoding(N, 64).values(range(N))
    drawn = np.random.default_rng(0).normal(size=(N, 64))
    assert f"{np.abs(drawn).max():.2f} {nearest(drawn)[0]:.2f} {toeplitz_deviation(drawn):.3f}" == "4.49 7.27 0.941"
    assert toeplitz_deviation(table) == pytest.approx(0.941, abs=0.01)
    assert 6 < nearest(table)[0] < 8
    assert 3.8 < np.abs(table).max() < 6
