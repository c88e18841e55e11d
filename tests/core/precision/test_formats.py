"""Number formats by exact fractions, and tables in float32 by plain loops and mpmath."""

import math
from fractions import Fraction

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core import KINDS, PaddedEncoding, PositionMapEncoding, SinusoidalEncoding, switched
from pe_desktop.core.precision import formats
from pe_desktop.core.precision.formats import (
    FORMATS,
    Precision,
    _in_format,
    first_of_each_id,
    framework_values,
    has_forms,
    single_frequencies,
)

# Bits of a significand, the hidden one counted, and the least exponent of its lowest bit.
DIGITS = {"float32": (24, -149), "float16": (11, -24), "bfloat16": (8, -133)}


def nearest(value: float, number_format: str) -> float:
    """The nearest number of a format, ties to even, by fractions."""
    digits, least = DIGITS[number_format]
    exact = Fraction(value)
    if not exact:
        return 0.0
    exponent = least
    while abs(exact) >= Fraction(2) ** (exponent + digits):
        exponent += 1
    return float(round(exact / Fraction(2) ** exponent) * Fraction(2) ** exponent)


@pytest.mark.parametrize("number_format", DIGITS)
def test_values_are_rounded_to_the_nearest_number_and_ties_to_even(number_format):
    generator = np.random.default_rng(5)
    some, whole = generator.uniform(-1, 1, 300), np.arange(-600.0, 600.0)
    values = np.concatenate((some, 1e-7 * some, whole))
    singles = values.astype(np.float32).astype(np.float64)
    # float32 first: a number of float64 halfway between two of bfloat16 may be rounded twice, as frameworks do.
    given = values if number_format == "float32" else singles
    assert _in_format(given, number_format).tolist() == [nearest(value, number_format) for value in given.tolist()]


@pytest.mark.parametrize(("number_format", "count"), [("bfloat16", 2500), ("float16", 5000), ("float32", 99)])
def test_ids_between_two_firsts_are_cast_alike(number_format, count, monkeypatch):
    monkeypatch.setattr(formats, "_CAST", 97)
    firsts, ids = first_of_each_id(count, number_format), [nearest(place, number_format) for place in range(count)]
    assert firsts.tolist() == [place for place in range(count) if place == 0 or ids[place] != ids[place - 1]]


def test_special_values_are_cast_and_other_formats_refused_in_one_sentence():
    assert np.isnan(_in_format(np.array([np.nan]), "bfloat16"))[0]
    assert _in_format(np.array([65_519.0, 65_520.0]), "float16").tolist() == [65_504.0, np.inf]
    assert _in_format(np.array([3.4e38]), "bfloat16")[0] == np.inf
    assert Precision() == Precision("float64", "exp", "float64")
    with pytest.raises(ValueError, match=f"dtype can't be double: choose from {', '.join(FORMATS)}"):
        Precision("double")


FLOAT32 = Precision("float32")
POSITIONS = [0, 1, 2, 81, 1000, 99_999]


def looped(encoding, form, position, dimension):
    """One value as the listing computes it, number after number in float32."""
    single, pair, d = np.float32, dimension // 2, encoding.d_model
    if form == "exp":
        omega = np.exp(single(2 * pair) * single(-(math.log(encoding.base) / d)))
    else:
        omega = single(1) / np.power(single(encoding.base), single(2 * pair) / single(d))
    angle = single(position) * omega
    return float(np.cos(angle) if dimension % 2 else np.sin(angle))


@pytest.mark.parametrize("form", ["exp", "power"])
@pytest.mark.parametrize("d_model", [4, 300, 512])
def test_a_table_is_that_of_the_listing_number_after_number(d_model, form):
    encoding = SinusoidalEncoding(100_000, d_model)
    columns = range(0, d_model, 7)
    expected = [[looped(encoding, form, p, c) for c in columns] for p in POSITIONS]
    assert framework_values(encoding, Precision("float32", form), POSITIONS, columns).tolist() == expected


@pytest.mark.parametrize("form", ["exp", "power", "rounded"])
def test_correctly_rounded_frequencies_are_those_of_exact_arithmetic_on_rounded_exponents(form):
    pairs = SinusoidalEncoding(10, 300).pairs
    found = single_frequencies(pairs, form, is_correctly_rounded=True)
    with mpmath.workdps(40):
        for pair in range(150):
            if form == "exp":
                exact = mpmath.exp(float(np.float32(pair) * np.float32(-math.log(10_000) / 150)))
            elif form == "power":
                exact = mpmath.mpf(10_000) ** float(np.float32(pair) / np.float32(150))
                exact = mpmath.mpf(1) / float(np.float32(float(exact)))
            else:
                exact = mpmath.mpf(10_000) ** (-mpmath.mpf(pair) / 150)
            assert found[pair] == np.float32(float(exact))


def test_shift_and_inclusive_spacing_divide_by_what_the_libraries_divide_by():
    shifted, inclusive = SinusoidalEncoding(10, 64, shift=1.0), SinusoidalEncoding(10, 64, spacing="inclusive")
    for form in ("exp", "power"):
        frequencies = single_frequencies(inclusive.pairs, form)
        assert np.array_equal(single_frequencies(shifted.pairs, form), frequencies)
        assert frequencies[-1] == pytest.approx(1e-4, rel=1e-6)


def test_scale_start_and_amplitude_are_float32_factors():
    encoding = SinusoidalEncoding(50, 8, start=2.5, scale=3.0, amplitude=0.1, layout="half-split")
    omega = single_frequencies(encoding.pairs, "exp")
    single = np.float32
    angle = (single(7) + single(2.5)) * omega[1] * single(3)
    values = framework_values(encoding, FLOAT32, [7], [1, 5])[0]
    assert values.tolist() == [float(np.sin(angle) * single(0.1)), float(np.cos(angle) * single(0.1))]


def test_the_smaller_formats_are_the_float32_table_cast_at_the_end():
    encoding = SinusoidalEncoding(1000, 64)
    singles = framework_values(encoding, FLOAT32, range(1000))
    for dtype in ("float16", "bfloat16"):
        assert np.array_equal(framework_values(encoding, Precision(dtype), range(1000)), _in_format(singles, dtype))


def test_a_cast_id_reads_the_row_of_its_number_and_an_infinite_one_has_none():
    encoding = SinusoidalEncoding(70_000, 16)
    halves = Precision("float32", position_ids="bfloat16")
    rows = framework_values(encoding, halves, [257, 259, 261])
    assert np.array_equal(rows, framework_values(encoding, FLOAT32, [256, 260, 260]))
    assert np.array_equal(framework_values(encoding, Precision(), [3, 3.25]), encoding.values([3, 3.25]))
    overflow = framework_values(encoding, Precision("float64", position_ids="float16"), [65_519, 65_520])
    assert np.array_equal(overflow[0], encoding.values([65_504])[0])
    assert np.isnan(overflow[1]).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", FORMATS[1:])
def test_every_kind_has_a_table_of_numbers_of_the_format_near_the_exact_one(kind, dtype):
    encoding = switched(SinusoidalEncoding(40, 12), kind)
    values = framework_values(encoding, Precision(dtype), range(40))
    exact = encoding.values(range(40))
    assert np.array_equal(values, _in_format(values, dtype))
    largest = max(1.0, float(np.abs(exact).max()))
    assert np.abs(values - exact).max() <= {"float32": 1e-5, "float16": 6e-4, "bfloat16": 4.1e-3}[dtype] * largest
    some = framework_values(encoding, Precision(dtype), [5, 39], [encoding.d_model - 1, 0])
    assert np.array_equal(some, values[[5, 39]][:, [encoding.d_model - 1, 0]])


def test_the_padding_row_stays_zero_and_position_maps_have_no_forms():
    assert not framework_values(PaddedEncoding(8, 8, padding_idx=3), FLOAT32, [3]).any()
    assert has_forms(PaddedEncoding(8, 8))
    assert has_forms(SinusoidalEncoding(8, 8))
    assert not has_forms(SinusoidalEncoding(8, 8, spacing="linear"))
    assert not has_forms(PositionMapEncoding(8, 8))
