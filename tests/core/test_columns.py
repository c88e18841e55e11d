"""Hands of every kind: their columns, values and bits, which a cursor may choose; the visible stretch of positions."""

import math

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core import KINDS, BitsEncoding, CounterEncoding, SinusoidalEncoding, cursor_with_parameter, state_of
from pe_desktop.core.cursor import (
    Cursor,
    Span,
    code_beside,
    cursor_hands,
    face_hands_of,
    full_span,
    hand_columns,
    hand_places,
    hand_values,
    n_flipping,
    n_hands,
    pair_of_face_hand,
)
from tests.tables import table


@pytest.mark.parametrize(("assignments", "columns", "places"), table("core/encodings")["columns of hands"])
def test_without_pairs_the_sine_and_the_cosine_of_one_wave_are_looked_at_together(assignments, columns, places):
    encoding = state_of(assignments).encoding
    assert hand_columns(encoding).tolist() == columns
    assert hand_places(encoding) == tuple(places)


@pytest.mark.parametrize(("t", "k"), [(9_000_000.1, 0.7), (123_456.3, 1000.9)])
def test_the_sum_of_a_broken_t_and_k_is_not_rounded(t, k):
    with mpmath.workdps(40):
        angles = [(mpmath.mpf(t) + mpmath.mpf(k)) * mpmath.mpf(10000) ** (-mpmath.mpf(i) / 16) for i in range(16)]
        exact = [[float(mpmath.sin(angle)), float(mpmath.cos(angle))] for angle in angles]
    later = cursor_hands(SinusoidalEncoding(10_000_000, 32), t, k, range(16))[1]
    assert np.abs(later - exact).max() < 1e-15


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
    assert cursor.visible_pins(encoding) == pins
    assert all(encoding.values(range(128), hand_columns(encoding)[pin]).any() for pin in pins)
    rules = shown.cursor_rules
    assert Cursor(pair=99).fitted(rules).pair == math.ceil(encoding.d_model / 2) - 1
    with pytest.raises(ValueError, match=r"pair must be a whole number from 0 to"):
        cursor_with_parameter(cursor, rules, "pair", "99")


@pytest.mark.parametrize(("code", "first_period", "start"), [("binary", 2, 0.5), ("gray", 4, 0.25)])
def test_the_hand_of_a_bit_turns_once_in_its_period_and_is_in_one_half_while_the_bit_is_1(code, first_period, start):
    hands = BitsEncoding(1024, 12, code).bits
    for position in (0.0, 1.0, 37.0, 37.25, 1023.0, -3.0):
        for bit, angle in enumerate(hands.angles([position])[0]):
            wanted = math.tau * position / (first_period * 2**bit)
            assert math.cos(angle - wanted) == pytest.approx(1.0, abs=1e-12)
            assert abs(angle) <= math.pi
    turn = hands.turns([5.0, 9.0], -6.0, [2])
    np.testing.assert_allclose(turn, np.full((2, 1), -math.tau * 6 / (first_period * 4)))
    # Bits beyond every position have no period.
    periods = BitsEncoding(8, 70, code).bits.wavelengths.tolist()
    assert periods[61:] == [first_period * 2.0**61, *[math.inf] * 8]
    shares = BitsEncoding(256, 8, code).bits.angles(range(256)) / math.tau % 1.0
    for position in range(256):
        number = position if code == "binary" else position ^ (position >> 1)
        is_set = [start <= share < start + 0.5 for share in shares[position]]
        assert is_set == [bool(number >> bit & 1) for bit in range(8)]


@pytest.mark.parametrize(("n_positions", "n_bits"), [(1, 1), (2, 1), (128, 7), (129, 8), (1_000_000, 20)])
def test_the_code_beside_pairs_has_the_bits_that_flip_within_the_table(n_positions, n_bits):
    code = code_beside(SinusoidalEncoding(n_positions, 8))
    assert isinstance(code, BitsEncoding)
    assert code.d_model == n_flipping(code) == n_bits
    assert n_flipping(BitsEncoding(n_positions, 32)) == n_bits


def test_bits_have_hands_two_to_a_pair_and_a_counter_has_none():
    bits = BitsEncoding(128, 9)
    assert code_beside(bits) is bits
    assert bits.pairs is None
    assert [face_hands_of(bits, pair) for pair in range(5)] == [(0, 1), (2, 3), (4, 5), (6, 7), (8,)]
    assert [pair_of_face_hand(bits, bit) for bit in range(9)] == [0, 0, 1, 1, 2, 2, 3, 3, 4]
    assert CounterEncoding(128, 4).face_hands is None
    assert code_beside(CounterEncoding(128, 4)) is None
    pairs = SinusoidalEncoding(128, 8)
    assert pairs.face_hands is not None
    assert face_hands_of(pairs, 3) == (3,)
    assert pair_of_face_hand(pairs, 3) == 3


SIZES = st.integers(1, 300) | st.integers(1, 10_000_000)
PLACES = st.floats(-2e7, 2e7)
SPANS = st.tuples(PLACES, st.floats(0, 2e7)).map(lambda pair: Span(pair[0], pair[0] + pair[1]))


@pytest.mark.parametrize(("n_positions", "last"), [(1, 0.5), (2, 1.5), (3, 2.5), (128, 127.5), (10**7, 9_999_999.5)])
def test_from_half_a_position_beyond_the_first_and_last_to_one_position_is_shown(n_positions, last):
    assert full_span(n_positions) == Span(-0.5, last)
    assert full_span(n_positions).width == n_positions
    closest = full_span(n_positions).zoomed(1e9, anchor=0.0).within(full_span(n_positions))
    assert closest.width == 1.0
    assert closest.first <= 0.0 <= closest.last


@given(span=SPANS, n_positions=SIZES)
def test_a_span_within_a_table_shows_only_the_table_and_keeps_its_width_where_that_is_allowed(span, n_positions):
    inside = span.within(full_span(n_positions))
    assert inside.first >= -0.5
    assert inside.last <= (n_positions - 0.5) * (1 + 1e-15)
    wanted = sorted([1.0, span.width, float(n_positions)])[1]
    assert inside.width == pytest.approx(wanted, rel=1e-9, abs=1e-8)


@given(first=st.floats(0, 1000), width=st.floats(2, 1000), n_positions=st.integers(2001, 10_000))
def test_a_span_that_fits_is_left_where_it_is(first, width, n_positions):
    inside = Span(first, first + width).within(full_span(n_positions))
    assert (inside.first, inside.last) == pytest.approx((first, first + width), rel=0, abs=1e-9)


@given(first=st.floats(0, 1e6), width=st.floats(2, 1e6), share=st.floats(0, 1), factor=st.floats(0.1, 10))
def test_zooming_keeps_the_anchor_in_its_place(first, width, share, factor):
    span, anchor = Span(first, first + width), first + share * width
    zoomed = span.zoomed(factor, anchor)
    assert zoomed.width == pytest.approx(width / factor, rel=1e-6)
    assert (anchor - zoomed.first) / zoomed.width == pytest.approx(share, abs=1e-6)


def test_panning_keeps_the_width():
    assert Span(10.0, 30.0).moved(5.5) == Span(15.5, 35.5)
    assert Span(10.0, 30.0).moved(-200.0).within(full_span(128)) == Span(-0.5, 19.5)
