"""The error of frequencies, values, hands and angles of every kind, against mpmath, as docs/precision.md says."""

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core import SPACINGS, OddWidthEncoding, OneWaveEncoding, PositionMapEncoding, SinusoidalEncoding
from pe_desktop.core.phase import frequencies
from tests.core.exact import exact_frequency, frequency_of

# Two to three times what was measured, because sines of other processors may differ in their last bit.
VALUE_ERROR = 1e-15
ANGLE_ERROR = 2e-15
RELATIVE_ERROR = 1e-15

WHOLE = [0, 1, 37, 63, 64, 1000, 9_999, 10_000, 123_456, 1_000_000, 9_999_999, 10_000_000]
FRACTIONAL = [0.25, 36.5, 1234.5, 77_777.125, 9_999_999.25]
NEGATIVE = [-1, -64, -37, -10_000_000, -1234.5]
BEYOND = [2**31, -(2**31)]


def angles_of(positions, omegas):
    """Exact products, shape (positions, pairs)."""
    return [[mpmath.mpf(position) * omega for omega in omegas] for position in positions]


def error_of(found, exact):
    """The largest difference of sines and cosines side by side from those of exact angles, shape (positions, pairs)."""
    worst = 0.0
    for row, angles in zip(np.reshape(found, (len(exact), -1, 2)), exact, strict=True):
        for (sine, cosine), angle in zip(row, angles, strict=True):
            exact_cosine, exact_sine = mpmath.cos_sin(angle)
            worst = max(worst, abs(float(sine - exact_sine)), abs(float(cosine - exact_cosine)))
    return worst


def angle_error(found, exact):
    """The largest difference of angles from exact ones, whole turns aside, radians."""
    assert np.abs(found).max() <= np.pi
    turns = [
        (angle - wanted) / (2 * mpmath.pi)
        for row, angles in zip(found, exact, strict=True)
        for angle, wanted in zip(row, angles, strict=True)
    ]
    return max(abs(turn - mpmath.nint(turn)) * 2 * mpmath.pi for turn in turns)


def some_pairs(d_model):
    """At most a dozen pairs, the first and the last among them."""
    n_pairs = d_model // 2
    return sorted({round(share * (n_pairs - 1) / 11) for share in range(12)})


def given(d_model):
    """Wavelengths from a third of a position, which turn thrice a position, to more than any table has."""
    lengths = np.geomspace(1 / 3, 1e11, d_model // 2).tolist()
    return SinusoidalEncoding(10_000_000, d_model, spacing="given", wavelengths=tuple(lengths))


def encodings(*sizes):
    """Every base and spacing for these numbers of dimensions."""
    return [pytest.param(given(d_model), id=f"{d_model}-given") for d_model in sizes] + [
        pytest.param(SinusoidalEncoding(10_000_000, d_model, base, spacing), id=f"{d_model}-{base:g}-{spacing}")
        for d_model in sizes
        for base in (1.5, 100, 1e4, 1e9)
        for spacing in SPACINGS
    ]


@pytest.mark.parametrize("encoding", encodings(2, 4, 64, 512, 65536))
@pytest.mark.parametrize(
    "positions", [WHOLE, FRACTIONAL, NEGATIVE, BEYOND], ids=["whole", "fractional", "negative", "beyond"]
)
def test_values_differ_from_exact_ones_by_at_most_a_few_last_bits(encoding, positions):
    pairs = some_pairs(encoding.d_model)
    values = encoding.values(positions, [column for pair in pairs for column in (2 * pair, 2 * pair + 1)])
    with mpmath.workdps(60):
        exact = angles_of(positions, [frequency_of(encoding, pair) for pair in pairs])
        assert error_of(values, exact) <= VALUE_ERROR


@pytest.mark.parametrize("positions", [range(400), range(9_999_700, 10_000_000)], ids=["start", "end"])
def test_every_value_of_a_contiguous_window_is_exact_to_a_few_last_bits(positions):
    encoding = SinusoidalEncoding(10_000_000, 16)
    with mpmath.workdps(60):
        exact = angles_of(positions, [frequency_of(encoding, pair) for pair in range(8)])
        assert error_of(encoding.values(positions), exact) <= VALUE_ERROR


@pytest.mark.parametrize("encoding", encodings(64, 512))
def test_small_sines_of_slow_hands_keep_their_relative_precision(encoding):
    pairs = some_pairs(encoding.d_model)
    positions = [1, 2, 37, 63, 64, 65, 1000, 65_537, 0.25, 36.5, 999.75, -1, -37, -100, -0.125]
    sines = encoding.pairs.hands(positions, pairs)[:, :, 0]
    with mpmath.workdps(60):
        for column, omega in enumerate([frequency_of(encoding, pair) for pair in pairs]):
            for row, position in enumerate(positions):
                if abs(position * omega) < 1:
                    exact = mpmath.sin(mpmath.mpf(position) * omega)
                    assert abs(sines[row, column] - exact) <= RELATIVE_ERROR * abs(exact)


@pytest.mark.parametrize("encoding", encodings(2, 64, 65536))
def test_angles_are_the_exact_ones_reduced_to_half_a_turn_either_way(encoding):
    pairs = some_pairs(encoding.d_model)
    positions = WHOLE + FRACTIONAL + NEGATIVE + BEYOND
    angles = encoding.pairs.angles(positions, pairs)
    with mpmath.workdps(60):
        exact = angles_of(positions, [frequency_of(encoding, pair) for pair in pairs])
        assert angle_error(angles, exact) <= ANGLE_ERROR


# Of other kinds as far as positions reach.
FAR_WHOLE = [0, 1, 2, 37, 64, 9_999, 123_456, 9_999_999, 10_000_000, 94_906_267, 2**31 - 1, 2**31]
FAR_FRACTIONAL = [0.25, 0.1, 1e-9, 36.5, 1234.5678, 77_777.125, 9_999_999.1, 2**30 + 1 / 3]
FAR_NEGATIVE = [-1, -37, -10_000_000, -0.1, -1234.5678, -(2**31)]
far = pytest.mark.parametrize(
    "positions", [FAR_WHOLE, FAR_FRACTIONAL, FAR_NEGATIVE], ids=["whole", "fractional", "negative"]
)


def mapped(word, position):
    """f(p) to 60 digits, mirrored before 0."""
    size = abs(mpmath.mpf(position))
    sign = -1 if position < 0 else 1
    if word == "square":
        return size**2
    if word == "reciprocal":
        return 1 / (1 + size)
    return sign * (mpmath.sqrt(size) if word == "root" else mpmath.log(1 + size))


@pytest.mark.parametrize("word", ["square", "root", "log", "reciprocal"])
@pytest.mark.parametrize("base", [1.5, 1e4, 1e9])
@far
def test_values_of_a_position_map_are_exact_as_far_as_positions_reach(word, base, positions):
    encoding = PositionMapEncoding(10_000_000, 24, base, map=word)
    with mpmath.workdps(60):
        omegas = [mpmath.mpf(base) ** (-mpmath.mpf(pair) / 12) for pair in range(12)]
        angles = [[mapped(word, position) * omega for omega in omegas] for position in positions]
        assert error_of(encoding.values(positions), angles) <= VALUE_ERROR
        assert encoding.pairs.hands(positions).ravel().tolist() == encoding.values(positions).ravel().tolist()
        assert angle_error(encoding.pairs.angles(positions), angles) <= ANGLE_ERROR


@pytest.mark.parametrize(("start", "scale"), [(2.0, 1.0), (0.1, 1.0), (-1234.7, 0.37), (10_000_000.0, 1e6), (0.3, 1e6)])
@far
def test_start_and_scale_cost_no_digit(start, scale, positions):
    encoding = SinusoidalEncoding(10_000_000, 24, 1e4, start=start, scale=scale)
    with mpmath.workdps(60):
        omegas = [mpmath.mpf(scale) * mpmath.mpf(1e4) ** (-mpmath.mpf(pair) / 12) for pair in range(12)]
        angles = angles_of([mpmath.mpf(start) + mpmath.mpf(position) for position in positions], omegas)
        assert error_of(encoding.values(positions), angles) <= VALUE_ERROR
        offsets = angles_of(positions, omegas)
        assert error_of(encoding.pairs.offset_hands(positions), offsets) <= VALUE_ERROR
        assert angle_error(encoding.pairs.offset_angles(positions), offsets) <= ANGLE_ERROR


@pytest.mark.parametrize(("start", "scale"), [(0.5, 1000.0), (0.1, 4.0), (-110.6, 3.5), (0.25, 1e6)])
def test_a_fractional_start_costs_no_digit_where_hands_turn_by_half_a_turn_and_more(start, scale):
    encoding = SinusoidalEncoding(200, 128, spacing="linear", start=start, scale=scale)
    with mpmath.workdps(60):
        span = 1 - 1 / mpmath.mpf(10_000)
        omegas = [mpmath.mpf(scale) * (1 - mpmath.mpf(pair) / 63 * span) for pair in range(64)]
        angles = angles_of([mpmath.mpf(start) + row for row in range(64, 84)], omegas)
        assert error_of(encoding.values(range(64, 84)), angles) <= VALUE_ERROR / 2


def test_a_fractional_shift_costs_no_digit_of_a_large_scale():
    encoding = SinusoidalEncoding(1, 2000, shift=-160.93731234488416, scale=1e6)
    position = 2_147_482_955
    with mpmath.workdps(60):
        steps = 1000 - mpmath.mpf(-160.93731234488416)
        angles = [[position * mpmath.mpf(10**6) * mpmath.mpf(10_000) ** (-pair / steps) for pair in range(100, 130)]]
        assert error_of(encoding.pairs.hands([position], range(100, 130)), angles) <= VALUE_ERROR


@pytest.mark.parametrize("encoding", [OneWaveEncoding(10_000_000, 9), OddWidthEncoding(10_000_000, 9)])
def test_tables_without_pairs_are_exact_far_out(encoding):
    positions = [9_999_999, 9_999_999.1, -10_000_000]
    halves = 1 if isinstance(encoding, OneWaveEncoding) else 2
    with mpmath.workdps(60):
        for position, row in zip(positions, encoding.values(positions), strict=True):
            for column, value in enumerate(row):
                exponent = mpmath.mpf(halves * (column // halves)) / 9
                angle = mpmath.mpf(position) / mpmath.mpf(1e4) ** exponent
                is_cosine = halves == 2 and column % 2 == 1
                assert abs(value - (mpmath.cos(angle) if is_cosine else mpmath.sin(angle))) <= VALUE_ERROR


@pytest.mark.parametrize("spacing", SPACINGS)
@pytest.mark.parametrize("base", [1.0000000000000002, 1.5, 100, 10000, 8192, 1e9])
@pytest.mark.parametrize("d_model", [2, 4, 6, 8, 64, 128, 512, 1000, 65536])
def test_frequencies_are_the_nearest_float64(d_model, base, spacing):
    omega = SinusoidalEncoding(1, d_model, base, spacing).pairs.angular_frequencies
    pairs = sorted({0, d_model // 2 - 1, *range(0, d_model // 2, max(d_model // 60, 1))})
    with mpmath.workdps(50):
        assert [omega[pair] for pair in pairs] == [
            float(exact_frequency(d_model, base, spacing, pair)) for pair in pairs
        ]


@pytest.mark.parametrize(
    ("d_model", "base", "shift"),
    [
        *(
            (d_model, base, shift)
            for d_model, base in ((64, 10000.0), (512, 8192.0))
            for shift in (1.0, 0.1, -3.25, 24.0)
        ),
        (64, 1e9, -32768.0),
        (64, 3.0, 30.9),  # The last frequency is 4e-14.
        (2, 10000.0, 0.9999),
    ],
)
def test_a_shift_is_taken_from_the_pairs_in_the_exponent_and_frequencies_are_read_only(d_model, base, shift):
    pairs = SinusoidalEncoding(1, d_model, base, shift=shift).pairs
    assert not pairs.angular_frequencies.flags.writeable
    assert not pairs.wavelengths.flags.writeable
    with mpmath.workdps(50):
        steps = mpmath.mpf(d_model) / 2 - mpmath.mpf(shift)
        exact = [float(mpmath.mpf(base) ** (-pair / steps)) for pair in range(d_model // 2)]
    assert pairs.angular_frequencies.tolist() == exact


@pytest.mark.parametrize("spacing", SPACINGS)
def test_units_and_rests_give_the_turns_of_a_position_to_115_bits(spacing):
    n_pairs = 32768
    some = frequencies(2 * n_pairs, 1e9, spacing)
    with mpmath.workdps(60):
        for pair in (0, 1, 777, n_pairs // 2, n_pairs - 1):
            kept = (int(some.units[pair]) + mpmath.mpf(float(some.rests[pair]))) / mpmath.mpf(2) ** 64
            exact = exact_frequency(2 * n_pairs, 1e9, spacing, pair) / (2 * mpmath.pi)
            assert abs(kept - exact) < mpmath.mpf(2) ** -115


@pytest.mark.parametrize(("d_model", "base", "scale"), [(4_098, 10_000.0, 1.0), (1_026, 1.5, 1e6), (514, 1e9, 1e-6)])
def test_many_frequencies_are_those_of_products_one_after_the_other(d_model, base, scale):
    with mpmath.workdps(80):
        found = frequencies(d_model, base, "geometric", scale)
        ratio, frequency = mpmath.power(mpmath.mpf(base), mpmath.mpf(-2) / d_model), mpmath.mpf(scale)
        for pair in range(d_model // 2):
            turn = frequency / (2 * mpmath.pi)
            units = int(mpmath.nint(turn * 2**64))
            assert found.angular[pair] == float(frequency)
            assert int(found.units[pair]) == units % 2**64
            assert abs(found.rests[pair] - (turn * 2**64 - units)) < 1e-15
            assert found.whole_turns[pair] == int(mpmath.nint(turn))
            frequency *= ratio
