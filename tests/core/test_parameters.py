"""Parameters as values and as text: what is taken, and the sentence for what is not."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pe_desktop.core import KINDS, Cursor, SinusoidalEncoding, cursor_with_parameter, with_parameter
from pe_desktop.core.cursor import cursor_rules
from pe_desktop.core.state import State, state_of, with_name
from tests.tables import table

TABLES = table("core/parameters")

N_POSITIONS = "n_positions must be a whole number from 1 to 10 000 000"


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        *TABLES["refused by kinds"],
        ({"n_positions": 10**5000}, f"{N_POSITIONS}: a number of more than 38 digits is not"),
        *(({"base": base}, "base must be a number above 1, .*: .* is not") for base in (-math.inf, 1 + 1j)),
    ],
)
def test_bad_values_are_refused_in_one_sentence(parameters, sentence):
    kind = KINDS[parameters.get("kind", "sinusoidal")]
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        kind(**{name: value for name, value in parameters.items() if name != "kind"})


def test_numbers_of_numpy_and_fractions_become_plain_ones():
    given: list[Any] = [np.int32(10), np.uint16(8), Fraction(5, 2)]
    encoding = SinusoidalEncoding(*given)
    assert encoding == SinusoidalEncoding(10, 8, 2.5)
    assert [type(value) for value in (encoding.n_positions, encoding.d_model, encoding.base)] == [int, int, float]


@pytest.mark.parametrize("parameters", [(1, 2, 1.0000000000000002), (10_000_000, 65536, 1e9)])
def test_the_limits_themselves_are_taken(parameters):
    encoding = SinusoidalEncoding(*parameters)
    assert encoding.values([0, encoding.n_positions - 1], [0, encoding.d_model - 1]).shape == (2, 2)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    TABLES["texts"],
)
def test_text_of_a_parameter_makes_a_new_encoding(name, text, value):
    encoding = SinusoidalEncoding()
    changed = with_parameter(encoding, name, text)
    assert getattr(changed, name) == value
    assert encoding == SinusoidalEncoding()
    with pytest.raises(ValueError, match=r"^position is not a parameter: did you mean n_positions[?]$"):
        with_parameter(encoding, "position", text)


@pytest.mark.parametrize(
    "text",
    ["60, 3 600, 43 200", "60; 3\u00a0600; 43 200;", "60 3\u2009600 43\u202f200", "60 3600 43200", "60 3600, 43 200.0"],
)
def test_blanks_within_a_number_of_a_list_are_thousands(text):
    given = with_parameter(SinusoidalEncoding(), "wavelengths", text).parameters
    assert given["wavelengths"] == (60.0, 3600.0, 43200.0)


RULES = cursor_rules(SinusoidalEncoding(100, 32), None)


@pytest.mark.parametrize(
    ("name", "text", "cursor"),
    [
        ("position", "12.5", Cursor(position=12.5)),
        ("offset", "\u22123", Cursor(offset=-3.0)),
        ("offset", "10 000 000", Cursor(offset=1e7)),
        ("pair", "15", Cursor(pair=15)),
    ],
)
def test_text_of_a_cursor_parameter_moves_the_cursor(name, text, cursor):
    assert cursor_with_parameter(Cursor(), RULES, name, text) == cursor
    with pytest.raises(ValueError, match=r"^base is not a parameter: choose from position, offset, pair$"):
        cursor_with_parameter(Cursor(), RULES, "base", text)


def test_nothing_declared_is_the_default_state_at_most_at_the_edge_and_all_names_can_be_declared_in_any_order():
    assert state_of({}) == State(SinusoidalEncoding(128, 32, 10000.0), Cursor(37.0, 8.0, 4, (0, 4, 8)))
    shown = state_of(
        {
            "pair": "200", "position": "999.5", "offset": "-12", "layout": "cosine-first", "spacing": "inclusive",
            "base": "500", "d_model": "512", "n_positions": "1001", "kind": "sinusoidal",
        }
    )  # fmt: skip
    assert shown.encoding == SinusoidalEncoding(1001, 512, 500.0, "inclusive", "cosine-first")
    assert shown.cursor == Cursor(999.5, -12.0, 200, (0, 64, 128))
    assert state_of({"n_positions": "10", "d_model": "4"}).cursor == Cursor(position=9.0, pair=1, pinned_pairs=(0, 1))
    assert state_of({"n_positions": "1", "d_model": "2"}).cursor == Cursor(position=0.0, pair=0, pinned_pairs=(0,))


# Names of the state with their texts, and the sentence for what is not taken.
REFUSED = [
    *table("core/refused"),
    ({"n_positions": "9" * 5000}, f"{N_POSITIONS}: {'9' * 39}… is not"),
    ({"sentence": "a" * 16_385}, "sentence has 16 385 letters, more than the 16 384 that are taken"),
]


@pytest.mark.parametrize(("given", "sentence"), REFUSED)
def test_what_is_not_taken_or_does_not_go_together_is_refused_in_one_sentence(given, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        state_of(given)


@pytest.mark.parametrize("name", ["front", "lessons.answers", "lessons.ticks"])
def test_a_list_in_place_of_a_word_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(ValueError, match=rf"^{name} must be .*: \[.clock.\] is not"):
        with_name(State(), name, [["clock"]])


def test_cursor_is_fitted_to_a_smaller_encoding_and_keeps_its_pins_of_which_those_that_exist_are_visible():
    cursor = Cursor(position=500.5, offset=-7.0, pair=200, pinned_pairs=(0, 4, 200))
    assert State(SinusoidalEncoding(100, 8)).with_cursor(cursor).cursor == Cursor(99.0, -7.0, 3, (0, 4, 200))
    assert State(SinusoidalEncoding(1000, 512)).with_cursor(cursor).cursor == cursor
    assert State().with_cursor(Cursor(position=-3.0)).cursor.position == 0.0
    for d_model, visible in ((512, (0, 4, 200)), (10, (0, 4)), (8, (0,))):
        assert cursor.visible_pins(SinusoidalEncoding(10, d_model)) == visible
    assert Cursor(pinned_pairs=(2, 4, 8)).visible_pins(SinusoidalEncoding(10, 2)) == (0,)


@pytest.mark.parametrize(
    ("d_model", "pins"),
    TABLES["pins"],
)
def test_pins_that_nobody_chose_are_spread_over_the_pairs(d_model, pins):
    state = state_of({"d_model": str(d_model)})
    assert state.cursor.pinned_pairs == tuple(pins)
    assert with_name(state, "d_model", "32").cursor.pinned_pairs == (0, 4, 8)


def test_pins_that_were_chosen_stay_when_the_encoding_grows():
    state = state_of({"pinned_pairs": "1 4 9"})
    assert with_name(state, "d_model", "512").cursor.pinned_pairs == (1, 4, 9)
    both = state_of({"d_model": "512", "pinned_pairs": "0 4 8"})
    assert both.cursor.pinned_pairs == (0, 4, 8)
    assert state_of({"pinned_pairs": "0 4 8", "d_model": "512"}) == both


def test_a_fitted_cursor_has_floats() -> None:
    fitted = Cursor(3, -1).fitted(cursor_rules(SinusoidalEncoding(), 5))
    assert fitted == Cursor(3.0, -1.0)
    assert {type(fitted.position), type(fitted.offset)} == {float}
