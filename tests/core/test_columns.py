"""Hands of every kind of encoding: which columns they are, what they hold, which of them a cursor may choose."""

import math

import numpy as np
import pytest

from pe_desktop.core.columns import hand_columns, hand_places, hand_values, n_hands
from pe_desktop.core.cursor import Cursor, cursor_hands, fitted_cursor, visible_pins
from pe_desktop.core.kinds import KINDS
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.parameters import cursor_with_parameter
from pe_desktop.core.state import state_of


@pytest.mark.parametrize(
    ("assignments", "columns", "places"),
    [
        ({"kind": "padded", "d_model": "6"}, [[0, 3], [1, 4], [2, 5]], ("i", "i + 3")),
        ({"layout": "half-split", "d_model": "6"}, [[0, 3], [1, 4], [2, 5]], ("i", "i + 3")),
        ({"kind": "odd-width", "d_model": "5"}, [[0, 1], [2, 3], [4, -1]], ("2i", "2i + 1")),
        ({"kind": "odd-width", "d_model": "5", "layout": "half-split"}, [[0, 3], [1, 4], [2, -1]], ("i", "i + 3")),
        ({"kind": "odd-width", "d_model": "5", "layout": "cosine-first"}, [[2, 0], [3, 1], [4, -1]], ("i + 2", "i")),
        ({"kind": "one-wave", "d_model": "5"}, [[0, 1], [2, 3], [4, -1]], ("2i", "2i + 1")),
        ({"kind": "random", "d_model": "1"}, [[0, -1]], ("2i", "2i + 1")),
    ],
)
def test_without_pairs_the_sine_and_the_cosine_of_one_wave_are_looked_at_together(assignments, columns, places):
    encoding = state_of(assignments).encoding
    assert hand_columns(encoding).tolist() == columns
    assert hand_places(encoding) == places


def test_hands_of_the_cursor_are_those_of_the_table_however_wide_it_is():
    encoding = SinusoidalEncoding(20, 2050)
    hands = [n_hands(encoding) - 1, 0]
    for position, offset in ((3.0, 8.0), (7.5, -9.25)):
        found = cursor_hands(encoding, position, offset, hands)
        assert np.array_equal(found, hand_values(encoding, [position, position + offset], hands), equal_nan=True)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_lets_the_cursor_choose_its_hands_up_to_the_last(kind):
    shown = state_of({"kind": kind, "pair": "15"})
    encoding, cursor = shown.encoding, shown.cursor
    assert cursor.pair == 15
    # A counter has one column, and the bits of 128 positions are seven.
    pins = {"counter": (0,), "normalised-counter": (0,), "bits": (0, 1, 3)}.get(kind, (0, 4, 8))
    assert visible_pins(cursor, encoding) == pins
    assert all(encoding.values(range(128), hand_columns(encoding)[pin]).any() for pin in pins)
    assert fitted_cursor(Cursor(pair=99), encoding).pair == math.ceil(encoding.d_model / 2) - 1
    with pytest.raises(ValueError, match=r"pair must be a whole number from 0 to"):
        cursor_with_parameter(cursor, encoding, "pair", "99")
