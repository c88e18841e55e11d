"""Numbers as people read them, against sentences written by hand."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import SinusoidalEncoding, with_parameter
from pe_desktop.core.number_text import in_formula
from pe_desktop.draw import number_text
from pe_desktop.draw.dial import value_text
from pe_desktop.views.questions import turned
from tests.tables import table

POWERS = dict(zip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789", strict=True))


def read_back(text: str) -> float:
    """The number that a person reads."""
    mantissa, _, power = text.replace("\u2009", "").replace("\u2212", "-").partition("×10")
    return float(mantissa) * 10.0 ** int("".join(POWERS[sign] for sign in power) or 0)


# By what writes them: its arguments, and the text.
WRITTEN = table("draw/numbers")
WRITERS: dict[str, Callable[..., object]] = vars(number_text) | {
    write.__name__: write for write in (turned, in_formula, value_text)
}


@pytest.mark.parametrize(("name", "numbers", "text"), [(name, *row) for name, rows in WRITTEN.items() for row in rows])
def test_numbers_are_written_as_people_read_them(name, numbers, text):
    assert WRITERS[name](*numbers) == (tuple(text) if isinstance(text, list) else text)


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
