"""Turns, wavelengths, ratios and returns that the documents print, by math alone and by the product."""

import math
import statistics

import numpy as np
import pytest

from pe_desktop.core import CounterEncoding, NormalisedCounterEncoding, OneWaveEncoding, SinusoidalEncoding
from pe_desktop.core.kinds.ablations import PositionMapEncoding
from pe_desktop.core.measure.measurement import Measurement
from pe_desktop.core.measure.measurements import analyse
from pe_desktop.core.measure.periodic import reach, turning_within


def measured(encoding) -> dict[str, Measurement]:
    found = analyse(encoding).measurements
    return {one.key: one for one in found}


def omega(d_model: int) -> list[float]:
    return [10000 ** (-2 * pair / d_model) for pair in range(d_model // 2)]


def test_the_two_hands_of_four_dimensions_have_the_printed_wavelengths():
    printed = [6.283185307179586, 628.3185307179587]
    assert [2 * math.pi / each for each in omega(4)] == pytest.approx(printed, rel=4e-16)
    assert SinusoidalEncoding(100, 4).pairs.wavelengths.tolist() == pytest.approx(printed, rel=4e-16)


def test_in_the_figure_of_four_waves_one_hand_turns_15_756_times_and_the_other_0_1576_times():
    turns = SinusoidalEncoding(100, 4).pairs.turns([0], 99)[0] / math.tau
    assert turns.tolist() == pytest.approx([99 / math.tau, 0.99 / math.tau], rel=1e-15)
    assert [round(turns[0], 3), round(turns[1], 4)] == [15.756, 0.1576]
    numbers = measured(SinusoidalEncoding(100, 4))["periodic"].numbers
    assert (numbers["n_turning"], numbers["n_pairs"]) == (1, 2)


def test_in_the_figure_of_a_hundred_positions_44_of_64_pairs_are_longer_than_the_table():
    printed = [2 * math.pi / each for each in omega(128)]
    assert sum(wavelength > 100 for wavelength in printed) == 44
    assert round(printed[-1], 2) == 54410.14
    numbers = measured(SinusoidalEncoding(100, 128))["periodic"].numbers
    assert (numbers["n_pairs"], numbers["n_turning"]) == (64, 20)
    assert numbers["longest_wavelength"] == pytest.approx(printed[-1], rel=4e-16)


def test_hand_0_at_position_44_has_turned_7_0028_times_and_at_41_it_is_nearly_opposite():
    pairs = SinusoidalEncoding(50, 8).pairs
    turns = [pairs.turns([0], position, [0]).item() / math.tau for position in (41, 44)]
    assert turns == pytest.approx([41 / math.tau, 44 / math.tau], rel=1e-15)
    assert [round(turns[0], 3), round(turns[1], 4)] == [6.525, 7.0028]
    assert math.sin(44) == pytest.approx(0.017701925105413577, abs=1e-16)
    assert pairs.hands([44], [0])[0, 0, 0] == pytest.approx(0.017701925105413577, abs=3e-16)


def test_the_two_nearest_values_of_dimension_0_among_fifty_are_those_of_positions_8_and_14():
    pairs = [(abs(math.sin(i) - math.sin(j)), i, j) for i in range(50) for j in range(i + 1, 50)]
    assert (round(min(pairs)[0], 5), *min(pairs)[1:]) == (0.00125, 8, 14)
    column = SinusoidalEncoding(50, 8).values(range(50), [0])[:, 0]
    order = column.argsort()
    step = np.diff(column[order])
    assert sorted(order[[step.argmin(), step.argmin() + 1]].tolist()) == [8, 14]
    assert step.min() == pytest.approx(min(pairs)[0], abs=3e-16)


def test_ninety_nine_positions_leave_the_fastest_hand_at_the_printed_angle():
    assert math.fmod(99, math.tau) == pytest.approx(4.7522203923062065, abs=3e-15)
    angle = SinusoidalEncoding(128, 32).pairs.offset_angles([99], [0]).item()
    assert angle % math.tau == pytest.approx(4.7522203923062065, abs=1e-14)


def test_sines_alone_have_no_constant_length():
    # The printed tenth is the standard deviation over the mean; position 0, where all sines are 0, has no length.
    lengths = [math.sqrt(math.fsum(math.sin(t * 10000 ** (-i / 64)) ** 2 for i in range(64))) for t in range(512)]
    table = OneWaveEncoding(512, 64).values(range(512))
    np.testing.assert_allclose(np.linalg.norm(table, axis=1), lengths, rtol=1e-13, atol=0)
    norm = measured(OneWaveEncoding(512, 64))["norm"]
    assert (norm.verdict, norm.numbers["shortest"]) == ("fails", 0)
    assert norm.numbers["longest"] == pytest.approx(max(lengths), rel=1e-14)
    assert f"{statistics.pstdev(lengths) / statistics.fmean(lengths):.2f}" == "0.10"


def test_position_5000_of_a_counter_is_5000_times_position_1():
    one, late = CounterEncoding(10_000, 8).values([1, 5000])
    assert (one[0], late[0]) == (1, 5000)
    assert np.linalg.norm(late) == 5000 * np.linalg.norm(one)


@pytest.mark.parametrize(("n_positions", "apart"), [(10, 0.1), (1000, 0.001)])
def test_positions_3_and_4_of_a_normalised_counter_are_one_nth_apart(n_positions, apart):
    three, four = NormalisedCounterEncoding(n_positions, 8).values([3, 4])
    assert four[0] - three[0] == pytest.approx(apart, rel=1e-13)
    assert np.linalg.norm(four - three) == pytest.approx(apart, rel=1e-13)


def test_a_halving_of_speeds_at_base_10000_would_need_26_575_dimensions():
    assert 2 * math.log2(10000) == pytest.approx(26.575, abs=5e-4)
    slower, faster = (SinusoidalEncoding(10, d_model).pairs.angular_frequencies[1] for d_model in (26, 28))
    assert slower < 0.5 < faster


@pytest.mark.parametrize(("d_model", "base", "ratio"), [(16, 256.0, 0.5), (8, 10000.0, 0.1), (26, 2.0**13, 0.5)])
def test_hands_halve_their_speed_at_base_two_to_half_of_d_and_fall_tenfold_in_eight_dimensions(d_model, base, ratio):
    speed = SinusoidalEncoding(100, d_model, base).pairs.angular_frequencies
    np.testing.assert_allclose(speed, [ratio**pair for pair in range(d_model // 2)], rtol=4e-15)


@pytest.mark.parametrize(
    ("word", "far"),
    [("square", 500.0**2), ("root", math.sqrt(500)), ("log", math.log(501)), ("reciprocal", 1 - 1 / 501)],
)
def test_hands_of_a_map_turn_as_often_as_the_map_goes_far(word, far):
    encoding = PositionMapEncoding(500, 64, map=word)
    assert reach(encoding, encoding.pairs) == pytest.approx(far, rel=1e-14)
    assert turning_within(encoding, encoding.pairs) == sum(far * each >= 2 * math.pi for each in omega(64))
