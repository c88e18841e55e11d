"""Numbers that the documents and papers print: turns, wavelengths and returns by math alone, and the table."""

import math

import numpy as np
import pytest

from pe_desktop.core import SinusoidalEncoding
from pe_desktop.core.kinds.ablations import PositionMapEncoding
from pe_desktop.core.lags import profile
from pe_desktop.core.measuring.periodic import reach, turning_within
from tests.core.exact import omega
from tests.core.schemes import measured


def test_workshop_table_of_five_tokens_and_four_dimensions():
    # Worked out with math.sin and math.cos for frequencies 1 and 0.01, 16 digits.
    printed = [
        [0.0, 1.0, 0.0, 1.0],
        [0.8414709848078965, 0.5403023058681398, 0.00999983333416666, 0.9999500004166653],
        [0.9092974268256817, -0.4161468365471424, 0.01999866669333308, 0.9998000066665778],
        [0.1411200080598672, -0.9899924966004454, 0.02999550020249566, 0.9995500337489875],
        [-0.7568024953079282, -0.6536436208636119, 0.03998933418663416, 0.9992001066609779],
    ]
    table = SinusoidalEncoding(5, 4).values(range(5))
    assert table.shape == (5, 4)
    assert table.dtype == np.float64
    np.testing.assert_allclose(table, printed, rtol=0, atol=3e-16)


def test_first_row_of_the_dot_products_of_eight_positions():
    printed = [
        256, 249.10209782736297, 231.7336203897073, 211.74944342769246, 196.6882311525795, 189.5966676810298,
        188.2481829582749, 187.8649972818605,
    ]  # fmt: skip
    table = SinusoidalEncoding(10_000_000, 512).values([*range(8), 5000, 9_999_999])
    np.testing.assert_allclose((table**2).sum(axis=1), 256, rtol=0, atol=1e-12)
    np.testing.assert_allclose(table[:8] @ table[0], printed, rtol=0, atol=2e-13)
    np.testing.assert_allclose(profile(SinusoidalEncoding(8, 512), "dot", range(8)), printed, rtol=0, atol=2e-13)


def test_hands_of_the_figures_turn_15_756_and_0_1576_times_and_44_of_64_are_longer_than_a_hundred_positions():
    pairs = SinusoidalEncoding(100, 4).pairs
    assert pairs.wavelengths.tolist() == pytest.approx([6.283185307179586, 628.3185307179587], rel=4e-16)
    turns = pairs.turns([0], 99)[0] / math.tau
    assert turns.tolist() == pytest.approx([99 / math.tau, 0.99 / math.tau], rel=1e-15)
    assert pairs.turns([0.0, 37.0, 100.5], 8.0, [0]).tolist() == [[8.0]] * 3
    assert [round(turns[0], 3), round(turns[1], 4)] == [15.756, 0.1576]
    numbers = measured(SinusoidalEncoding(100, 4))["periodic"].numbers
    assert (numbers["n_turning"], numbers["n_pairs"]) == (1, 2)
    printed = [2 * math.pi / each for each in omega(128)]
    assert sum(wavelength > 100 for wavelength in printed) == 44
    assert round(printed[-1], 2) == 54410.14
    numbers = measured(SinusoidalEncoding(100, 128))["periodic"].numbers
    assert (numbers["n_pairs"], numbers["n_turning"]) == (64, 20)
    assert numbers["longest_wavelength"] == pytest.approx(printed[-1], rel=4e-16)


@pytest.mark.parametrize(
    ("word", "far"),
    [("square", 500.0**2), ("root", math.sqrt(500)), ("log", math.log(501)), ("reciprocal", 1 - 1 / 501)],
)
def test_hands_of_a_map_turn_as_often_as_the_map_goes_far(word, far):
    encoding = PositionMapEncoding(500, 64, map=word)
    assert reach(encoding, encoding.pairs) == pytest.approx(far, rel=1e-14)
    assert turning_within(encoding, encoding.pairs) == sum(far * each >= 2 * math.pi for each in omega(64))
