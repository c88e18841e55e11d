"""Rounding to float16 and bfloat16 against exact fractions, and the whole numbers that they hold."""

import struct
from fractions import Fraction

import numpy as np
import pytest

from pe_desktop.core.precision.formats import FORMATS, Precision, first_of_each_id, in_format

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
    assert in_format(given, number_format).tolist() == [nearest(value, number_format) for value in given.tolist()]


def test_bfloat16_numbers_are_float32_numbers_whose_lower_half_is_zero():
    values = in_format(np.random.default_rng(1).normal(size=1000), "bfloat16").tolist()
    assert all(struct.pack(">f", value)[2:] == b"\0\0" for value in values)


def test_not_a_number_stays_one_and_what_is_too_large_is_infinite():
    assert np.isnan(in_format(np.array([np.nan]), "bfloat16"))[0]
    assert in_format(np.array([65_519.0, 65_520.0]), "float16").tolist() == [65_504.0, np.inf]
    assert in_format(np.array([3.4e38]), "bfloat16")[0] == np.inf


@pytest.mark.parametrize(
    ("number_format", "n_positions", "n_distinct"),
    [
        ("bfloat16", 512, 385), ("bfloat16", 2048, 641), ("bfloat16", 8192, 897), ("bfloat16", 131_072, 1409),
        ("float16", 2048, 2048), ("float16", 2049, 2049), ("float16", 2050, 2049), ("float16", 8192, 4097),
        ("float32", 3_000_000, 3_000_000), ("float64", 5, 5),
    ],
)  # fmt: skip
def test_so_many_ids_differ_after_a_cast(number_format, n_positions, n_distinct):
    firsts = first_of_each_id(n_positions, number_format)
    assert len(firsts) == n_distinct
    assert firsts[0] == 0


def test_positions_are_cast_alike_that_lie_between_two_firsts():
    firsts = first_of_each_id(700, "bfloat16").tolist()
    ids = [nearest(position, "bfloat16") for position in range(700)]
    assert firsts == [position for position in range(700) if position == 0 or ids[position] != ids[position - 1]]


def test_a_choice_of_formats_refuses_other_words_in_one_sentence():
    assert Precision() == Precision("float64", "exp", "float64")
    with pytest.raises(ValueError, match=f"dtype can't be double: choose from {', '.join(FORMATS)}"):
        Precision("double")
