"""What the colours of a map reach, as a person types it and as it is shown."""

import pytest

from pe_desktop.core.choices import MatrixView
from pe_desktop.core.cursor import Span
from pe_desktop.core.fields.field import ColorScale, ShownField, color_scale
from pe_desktop.core.fields.similarity import similarity_field
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.rules import rules_of
from pe_desktop.core.state import assignments_of, state_of, text_of, value_of

RULE = rules_of(MatrixView)["range"]
ALL = Span(0.0, 128.0)


@pytest.mark.parametrize(
    ("typed", "taken"),
    [
        ("whole", "whole"),
        (" Seen ", "seen"),
        ("4..12.5", Span(4.0, 12.5)),
        ("\u22124 .. 1 000", Span(-4.0, 1000.0)),
        ("12", Span(-12.0, 12.0)),
        ("-1e-3", Span(-0.001, 0.001)),
    ],
)
def test_a_range_is_a_word_two_values_or_one_for_both_sides_of_0(typed, taken) -> None:
    assert RULE.read(typed) == taken


NO_RANGE = r"must be whole, seen, most, two numbers as 4\.\.12, or one for both sides of 0"
REFUSED = {
    NO_RANGE: ("", "all", "4..", "..4", "4..x", "nan..1", "1..inf", "1e21..1e22", "4,12"),
    "after it begins": ("8..4", "4..4", "0", "1000..1000.01", "0..1e-12"),
}


@pytest.mark.parametrize(("sentence", "typed"), [(sentence, one) for sentence in REFUSED for one in REFUSED[sentence]])
def test_what_is_no_range_or_too_narrow_for_colours_is_refused(sentence, typed) -> None:
    with pytest.raises(ValueError, match=sentence):
        RULE.read(typed)


@pytest.mark.parametrize("typed", ["whole", "seen", "most", "-3.25..9.5", "0.1..0.30000000000000004"])
def test_a_range_survives_being_written_down(typed) -> None:
    state = state_of({"similarity.range": typed})
    written = assignments_of(state)["similarity.range"]
    again = state_of({"similarity.range": text_of("similarity.range", written)})
    assert value_of(again, "similarity.range") == value_of(state, "similarity.range")


@pytest.mark.parametrize(
    ("measure", "typed", "limits", "is_cut"),
    [
        # 16 hands: dot products lie within 16, distances below 8.
        ("dot", "-4..8", (-8.0, 8.0), (True, True)),
        ("dot", "4..12", (4.0, 12.0), (True, True)),
        ("dot", "-30..-2", (-30.0, -2.0), (False, True)),
        ("dot", "20", (-20.0, 20.0), (False, False)),
        ("distance", "3", (0.0, 3.0), (False, True)),
        ("distance", "2..9", (2.0, 9.0), (True, False)),
    ],
)
def test_typed_ranges_keep_0_in_the_middle_and_tell_what_lies_beyond(measure, typed, limits, is_cut) -> None:
    field = similarity_field(SinusoidalEncoding(128, 32), measure)
    scale = color_scale(field, RULE.read(typed), ALL, ALL)
    assert (scale.limits, scale.is_cut, scale.is_seen) == (limits, is_cut, False)
    assert scale.of(field) == ShownField(field, limits)


def test_the_whole_scale_is_that_of_the_field() -> None:
    field = similarity_field(SinusoidalEncoding(128, 32), "dot")
    scale = color_scale(field, "whole", ALL, ALL)
    assert scale == ColorScale((-16.0, 16.0))
    assert scale.of(field) is field
