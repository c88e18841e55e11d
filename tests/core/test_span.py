"""The visible stretch of positions: it never leaves the table, and zooming keeps the anchor in its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.cursor import Span, full_span

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
