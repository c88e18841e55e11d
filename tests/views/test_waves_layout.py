"""Pixels and positions of the waves and of the scrubber invert each other; rows share the height."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.cursor import Span
from pe_desktop.views.transport.picture import Track
from pe_desktop.views.waves.layout import WavesLayout, most_rows

SPANS = st.tuples(st.floats(0, 1e7), st.floats(2, 1e7)).map(lambda pair: Span(pair[0], pair[0] + pair[1]))


@settings(max_examples=50)
@given(span=SPANS, width=st.floats(420, 4000), share=st.floats(-0.5, 1.5))
def test_position_and_pixel_of_the_waves_invert_each_other(span, width, share):
    layout = WavesLayout(width, 300.0, 3, span)
    x = layout.left + share * (layout.right - layout.left)
    assert layout.x(layout.position(x)) == pytest.approx(x, abs=1e-4)
    assert layout.position(x) == pytest.approx(span.first + share * span.width, rel=1e-9, abs=1e-6)


@settings(max_examples=50)
@given(span=SPANS, width=st.floats(420, 4000))
def test_the_ends_of_the_span_stand_at_the_edges_of_the_plot(span, width):
    layout = WavesLayout(width, 300.0, 3, span)
    assert (layout.x(span.first), layout.x(span.last)) == pytest.approx((layout.left, layout.right), abs=1e-6)
    assert 0 < layout.left < layout.right < width


@pytest.mark.parametrize(("height", "n_rows"), [(160.0, 1), (160.0, 3), (400.0, 3), (900.0, 12)])
def test_rows_share_the_height_and_waves_stay_in_their_rows(height, n_rows):
    layout = WavesLayout(900.0, height, n_rows, Span(0.0, 127.0))
    middles = [layout.row_middle(row) for row in range(n_rows)]
    assert middles[0] - layout.row_height / 2 == pytest.approx(30.0)
    assert middles[-1] + layout.row_height / 2 == pytest.approx(layout.bottom)
    assert layout.bottom < height
    assert 0 < layout.amplitude <= layout.row_height / 2 - 2


@settings(max_examples=50)
@given(height=st.floats(100, 2000))
def test_as_many_rows_are_shown_as_can_be_read(height):
    n_rows = most_rows(height)
    assert n_rows >= 1
    if n_rows > 1:
        assert WavesLayout(900.0, height, n_rows, Span(0.0, 127.0)).row_height >= 26
    assert WavesLayout(900.0, height, n_rows + 1, Span(0.0, 127.0)).row_height < 26 * (1 + 1e-9)


@settings(max_examples=50)
@given(span=SPANS, share=st.floats(0, 1))
def test_position_and_pixel_of_the_scrubber_invert_each_other(span, share):
    track = Track(28.0, 728.0, 29.0, span)
    x = 28.0 + share * 700.0
    assert track.x(track.position(x)) == pytest.approx(x, abs=1e-4)
    assert track.position(x) == pytest.approx(span.first + share * span.width, rel=1e-9, abs=1e-6)


@settings(max_examples=50)
@given(span=SPANS, away=st.floats(1, 1e8))
def test_what_lies_outside_the_scrubber_stands_at_its_end(span, away):
    track = Track(28.0, 728.0, 29.0, span)
    assert (track.x(span.first - away), track.x(span.last + away)) == (28.0, 728.0)
    assert track.position(28.0 - away) == span.first
    assert track.position(728.0 + away) == pytest.approx(span.last)
