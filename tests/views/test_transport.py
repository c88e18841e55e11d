"""The scrubber's knobs stand at t and t + k, and its numbers have room."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.cursor import Cursor, Preview, Span, full_span
from pe_desktop.draw import marks
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.transport.scene import Track, knobs_picture, preview_knob_picture, track_picture
from tests.pictures import covered_texts, of_kind

TRACK = Track(30.0, 670.0, 29.0, full_span(128))


def pixel(position):
    """640 pixels for 128 positions, each in the middle of its five."""
    return min(max(30.0 + (position + 0.5) * 5.0, 30.0), 670.0)


@pytest.mark.parametrize(("position", "offset"), [(37.0, 8.0), (37.5, -8.0), (0.0, 0.0), (3.0, -10.0)])
def test_the_solid_knob_stands_at_t_and_the_hollow_one_under_it_at_t_plus_k(theme, position, offset):
    hollow, solid = of_kind(knobs_picture(TRACK, Cursor(position, offset), theme), marks.Dots)
    np.testing.assert_allclose(solid.centers, [[pixel(position), 29.0]])
    np.testing.assert_allclose(hollow.centers, [[pixel(position + offset), 29.0]])
    assert (solid.fill, hollow.fill, hollow.outline) == (theme.ink, theme.panel, theme.ink)


@pytest.mark.parametrize(("position", "offset", "beside"), [(127.0, 8.0, 12.0), (0.0, -5.0, -12.0), (50.0, 0.25, 12.0)])
def test_a_hollow_knob_that_the_solid_one_would_hide_stands_beside_it(light, position, offset, beside):
    hollow, solid = of_kind(knobs_picture(TRACK, Cursor(position, offset), light), marks.Dots)
    assert hollow.centers[0, 0] - solid.centers[0, 0] == pytest.approx(beside)


@pytest.mark.parametrize(("position", "end", "side"), [(37.0, 30.0, -1), (120.0, 670.0, 1)])
def test_where_the_track_shows_other_positions_a_sign_points_to_t_and_no_knob_lies_about_it(light, position, end, side):
    zoomed = Track(30.0, 670.0, 29.0, Span(63.5, 79.5))
    picture = knobs_picture(zoomed, Cursor(position, 2.0), light)
    assert of_kind(picture, marks.Dots) == []
    [sign] = of_kind(picture, marks.Polyline)
    assert (sign.points[1, 0] - end) * side > 0
    assert (sign.points[0, 0] - end) * side < 0


@pytest.mark.parametrize(("offset", "label"), [(8.0, ["+ k"]), (-8.0, ["+ k"]), (0.0, [])])
def test_a_bracket_says_that_k_is_added_whatever_its_sign(light, offset, label):
    picture = knobs_picture(TRACK, Cursor(37.0, offset), light)
    assert [mark.formula for mark in of_kind(picture, marks.FormulaText)] == label
    brackets = of_kind(picture, marks.Polyline)
    assert len(brackets) == len(label)
    for bracket in brackets:
        assert sorted(set(bracket.points[:, 0])) == sorted((pixel(37.0), pixel(37.0 + offset)))


def test_a_preview_is_a_knob_where_the_pointer_is_and_none_elsewhere(light):
    (knob,) = of_kind(preview_knob_picture(TRACK, Preview(64.0), light), marks.Dots)
    np.testing.assert_allclose(knob.centers, [[pixel(64.0), 29.0]])
    assert preview_knob_picture(TRACK, None, light) == ()
    assert preview_knob_picture(TRACK, Preview(128.5), light) == ()
    key, query = of_kind(preview_knob_picture(TRACK, Preview(64.0, 20.0), light), marks.Dots)
    assert (key.centers[0, 0], query.centers[0, 0]) == pytest.approx((pixel(20.0), pixel(64.0)))
    assert (key.fill, query.fill) == (light.panel, light.axis)


@pytest.mark.parametrize("n_positions", [1, 2, 10, 128, 10_000_000])
def test_the_first_and_the_last_position_are_named_where_they_are(light, n_positions):
    labels = of_kind(track_picture(Track(30.0, 670.0, 29.0, full_span(n_positions)), n_positions, light), marks.Text)
    named = {int(label.text.replace("\u2009", "")): label for label in labels}
    for position in (0, n_positions - 1):
        label, place = named[position], 30.0 + 640.0 * (position + 0.5) / n_positions
        width = text_width("tick", label.text)
        # Below its place, or, where it is long, above it with an end that stays inside the widget.
        assert label.x - label.across * width <= place <= label.x + (1 - label.across) * width
        assert label.x == pytest.approx(place) or label.x + (1 - label.across) * width == pytest.approx(684.0)


@pytest.mark.parametrize("width", [220, 400, 640, 1200])
def test_the_numbers_under_the_track_never_touch(light, width):
    touching = []
    for n_positions in (1, 2, 3, *(round(10 ** (power / 25)) for power in range(10, 176, 3))):
        track = Track(28.0, 28.0 + width, 29.0, full_span(n_positions))
        labels = of_kind(track_picture(track, n_positions, light), marks.Text)
        touching += [(n_positions, *texts) for texts in covered_texts(labels)]
    assert touching == []


def test_the_number_of_marks_does_not_grow_with_the_table(light):
    counts = []
    for n_positions in (10_000, 10_000_000):
        track = Track(30.0, 670.0, 29.0, full_span(n_positions))
        counts.append(len(track_picture(track, n_positions, light)) + len(knobs_picture(track, Cursor(), light)))
    assert max(counts) < 40


SPANS = st.tuples(st.floats(0, 1e7), st.floats(2, 1e7)).map(lambda pair: Span(pair[0], pair[0] + pair[1]))


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
