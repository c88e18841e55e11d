"""Numbers as people read them, against sentences written by hand."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import SinusoidalEncoding, with_parameter
from pe_desktop.core.number_text import in_formula
from pe_desktop.draw import number_text
from pe_desktop.draw.dial import value_text
from pe_desktop.draw.number_text import degrees, significant
from pe_desktop.views.questions import turned

POWERS = dict(zip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789", strict=True))


def read_back(text: str) -> float:
    """The number that a person reads."""
    mantissa, _, power = text.replace("\u2009", "").replace("\u2212", "-").partition("×10")
    return float(mantissa) * 10.0 ** int("".join(POWERS[sign] for sign in power) or 0)


WRITTEN: dict[Callable[..., object], list[tuple[tuple[object, ...], object]]] = {
    # With a true minus, thin spaces and no minus zero.
    number_text.fixed: [
        ((0.0, 2), "0.00"),
        ((-0.004, 2), "0.00"),
        ((-0.006, 2), "\u22120.01"),
        ((-0.0, 0), "0"),
        ((1234567.891, 1), "1\u2009234\u2009567.9"),
        ((-1234.0, 0), "\u22121\u2009234"),
    ],
    # About three digits that matter.
    number_text.short: [
        ((math.tau,), "6.28"),
        ((1.0,), "1"),
        ((1.002,), "1.00"),
        ((0.9996,), "1.00"),
        ((0.0001778,), "1.78×10⁻⁴"),
        ((9_994_999.0,), "9\u2009994\u2009999"),
        ((9_999_999.9,), "1×10⁷"),
        ((0.0,), "0"),
        ((-math.inf,), "\u2212∞"),
        ((math.nan,), "undefined"),
    ],
    # As it was typed, and one between with two digits that matter.
    number_text.position: [
        ((12.25 - 3.45,), "8.8"),
        ((9_999_999.25,), "9\u2009999\u2009999.25"),
        ((61.533333333,), "61.53"),
        ((-0.004837,), "\u22120.0048"),
        ((2.5e-9,), "2.5×10⁻⁹"),
    ],
    # Below a whole turn as it is written.
    degrees: [
        ((-1e-9,), "0.0°"),
        ((math.tau - 1e-9,), "0.0°"),
        ((-math.pi / 2,), "270.0°"),
        ((6.28,), "359.8°"),
    ],
    # Whole turns and what is beyond them.
    turned: [
        ((41.0,), "6 turns + 189.1°"),
        ((-7.0,), "−1 turn − 41.1°"),
        ((12.56637,), "2 turns + 0.0°"),
        ((-8285.76 * math.tau,), "−8\u2009285 turns − 273.6°"),
        ((1591462.25 * math.tau,), "1\u2009591\u2009462 turns + 90.0°"),
        ((1e20,), "1.59×10¹⁹ turns"),
    ],
    # As many digits whatever the value.
    significant: [
        ((16.000000000000004, 4), "16.00"),
        ((0.13281, 4), "0.1328"),
        ((1, 4), "1.000"),
    ],
    # A line where four decimals are not all.
    number_text.all_digits: [
        ((0.5,), ()),
        ((math.nan,), ()),
        ((-0.123456789,), ("−0.123456789",)),
        ((2.5e-9,), ("2.5e−09",)),
    ],
    # Of one scale with one count of decimals.
    number_text.alike: [
        (((-16.0, 0.0, 16.0),), ("−16", "0", "16")),
        (((0.0, 3.2773),), ("0", "3.28")),
        (((2.0, 12.25),), ("2.0", "12.2")),
        # Single precision of a whole number.
        (((0.0, 15.999999),), ("0", "16")),
        (((0.00125, 4000.0),), ("0", "4\u2009000")),
        (((-0.9997, 0.9997),), ("−1.00", "1.00")),
        (((-2e8, 2e8),), ("−2×10⁸", "2×10⁸")),
        (((0.0, 0.0),), ("0", "0")),
    ],
    # No program's text.
    in_formula: [
        ((10000.0,), "10\u2009000"),
        ((1e-6,), "10⁻⁶"),
        ((2.5e-5,), "2.5×10⁻⁵"),
        ((-1e-7,), "−1×10⁻⁷"),
    ],
    # First digits however small or large the limit; a bit is a whole number.
    value_text: [
        ((0.04, 0.05, 2), "4×10⁻²"),
        ((-6.44e-7, 1e-6, 2), "−6.4×10⁻⁷"),
        ((0.0, 1e-6, 2), "0.00"),
        ((-643_538.1, 1e6, 2), "−6.4×10⁵"),
        ((1.0, 1.0, 0), "1"),
    ],
}


@pytest.mark.parametrize(
    ("write", "numbers", "text"), [(write, *row) for write, rows in WRITTEN.items() for row in rows]
)
def test_numbers_are_written_as_people_read_them(write, numbers, text):
    assert write(*numbers) == text


@settings(max_examples=50)
@given(st.floats(1e-300, 1e300) | st.floats(1e-4, 1e8))
def test_a_short_number_reads_back_within_half_a_unit_of_its_third_digit(value):
    for sign in (1, -1):
        assert read_back(number_text.short(sign * value)) == pytest.approx(sign * value, rel=0.0051)


@settings(max_examples=50)
@given(st.integers(-(10**7), 10**7))
def test_a_whole_number_reads_back_as_itself_in_groups_of_three(value):
    text = number_text.whole(value)
    assert read_back(text) == value
    assert all(len(group.lstrip("\u2212")) <= 3 for group in text.split("\u2009"))
    assert text == number_text.plain(value) == number_text.position(value)


@settings(max_examples=50)
@given(st.integers(-(10**10), 10**10), st.integers(0, 4))
def test_a_typed_position_can_be_read_back(digits, decimals):
    value = digits / 10**decimals
    written = number_text.position(value).replace("\u2009", "").replace("\u2212", "-")
    assert float(written) == value


@settings(max_examples=50)
@given(st.integers(2, 10**9) | st.integers(11, 10**6).map(lambda tenths: tenths / 10))
def test_a_parameter_can_be_typed_as_it_is_written(base):
    written = number_text.plain(float(base))
    assert with_parameter(SinusoidalEncoding(), "base", written) == SinusoidalEncoding(base=base)
