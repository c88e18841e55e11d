"""The scrubber's knobs stand at t and t + k, and its numbers have room."""

from itertools import pairwise

import numpy as np
import pytest

from pe_desktop.core.cursor import Preview, Span, full_span
from pe_desktop.core.state import state_of
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.transport.scene import _track_of, track_scene
from tests.pictures import covered_texts, of_kind

EDGES = (30.0, 670.0)


def scene_in(theme, width=700.0, preview=None, **given):
    names = {name: str(value) for name, value in given.items()}
    return track_scene(state_of(names), EDGES, Box(width, 56.0, 1.0, theme, preview=preview))


def moving(theme, position=37.0, offset=8.0, **given):
    return scene_in(theme, position=position, offset=offset, **given).moving


def pixel(position):
    """640 pixels for 128 positions, each in the middle of its five."""
    return min(max(30.0 + (position + 0.5) * 5.0, 30.0), 670.0)


@pytest.mark.parametrize(("position", "offset"), [(37.0, 8.0), (37.5, -8.0), (0.0, 0.0), (3.0, -10.0)])
def test_the_solid_knob_stands_at_t_and_the_hollow_one_under_it_at_t_plus_k(theme, position, offset):
    hollow, solid = of_kind(moving(theme, position, offset), marks.Dots)
    np.testing.assert_allclose(solid.centers, [[pixel(position), 23.0]])
    np.testing.assert_allclose(hollow.centers, [[pixel(position + offset), 23.0]])
    assert (solid.fill, hollow.fill, hollow.outline) == (theme.ink, theme.panel, theme.ink)


@pytest.mark.parametrize(("position", "offset", "beside"), [(127.0, 8.0, 12.0), (0.0, -5.0, -12.0), (50.0, 0.25, 12.0)])
def test_a_hollow_knob_that_the_solid_one_would_hide_stands_beside_it(light, position, offset, beside):
    hollow, solid = of_kind(moving(light, position, offset), marks.Dots)
    assert hollow.centers[0, 0] - solid.centers[0, 0] == pytest.approx(beside)


@pytest.mark.parametrize(("position", "end", "side"), [(37.0, 30.0, -1), (120.0, 670.0, 1)])
def test_where_the_track_shows_other_positions_a_sign_points_to_t_and_no_knob_lies_about_it(light, position, end, side):
    picture = moving(light, position, 2.0, span="63.5..79.5")
    assert of_kind(picture, marks.Dots) == []
    [sign] = of_kind(picture, marks.Polyline)
    assert (sign.points[1, 0] - end) * side > 0
    assert (sign.points[0, 0] - end) * side < 0


@pytest.mark.parametrize(("offset", "label"), [(8.0, ["+ k"]), (-8.0, ["+ k"]), (0.0, [])])
def test_a_bracket_says_that_k_is_added_whatever_its_sign(light, offset, label):
    picture = moving(light, 37.0, offset)
    assert [mark.formula for mark in of_kind(picture, marks.FormulaText)] == label
    for bracket in of_kind(picture, marks.Polyline):
        assert sorted({*bracket.points[:, 0]}) == sorted((pixel(37.0), pixel(37.0 + offset)))


def test_a_preview_is_a_knob_where_the_pointer_is_and_none_elsewhere(light):
    knob, *_ = of_kind(moving(light, preview=Preview(64.0)), marks.Dots)
    np.testing.assert_allclose(knob.centers, [[pixel(64.0), 23.0]])
    assert len(moving(light)) == len(moving(light, preview=Preview(128.5)))
    key, query, *_ = of_kind(moving(light, preview=Preview(64.0, -44.0)), marks.Dots)
    assert (key.centers[0, 0], query.centers[0, 0]) == pytest.approx((pixel(20.0), pixel(64.0)))
    assert (key.fill, query.fill) == (light.panel, light.axis)
    # The places are the knobs.
    places = scene_in(light).places()
    assert [(place.name, place.value) for place in places] == [("knob t + k", "45"), ("knob t", "37")]
    assert [place.area.middle for place in places] == [(pixel(45), 23.0), (pixel(37), 23.0)]


@pytest.mark.parametrize("n_positions", [1, 10, 128, 10_000_000])
def test_the_first_and_the_last_position_are_named_where_they_are(light, n_positions):
    picture = scene_in(light, n_positions=n_positions).still()
    labels = of_kind(picture, marks.Text)
    named = {int(label.text.replace("\u2009", "")): label for label in labels}
    for position in (0, n_positions - 1):
        label, place = named[position], 30.0 + 640.0 * (position + 0.5) / n_positions
        width = text_width("tick", label.text)
        # Below its place, or, where it is long, above it with an end that stays inside the widget.
        assert label.x - label.across * width <= place <= label.x + (1 - label.across) * width
        assert label.x == pytest.approx(place) or label.x + (1 - label.across) * width == pytest.approx(684.0)
    assert covered_texts(labels) == []
    assert len(picture) < 40


def test_a_track_that_cannot_stand_between_edges_has_its_own():
    span = full_span(128)
    for edges, width in ((None, 700.0), ((4.0, 600.0), 700.0), ((300.0, 400.0), 700.0)):
        assert _track_of(span, edges, width).area[:3] == (28.0, 23.0, width - 56.0)
    assert _track_of(Span(0.0, 5.0), EDGES, 700.0).area[:3] == (30.0, 23.0, 640.0)


def test_while_a_sentence_leads_its_words_are_the_ticks_bold_at_query_and_key(theme):
    scene = scene_in(theme, front="attention")
    named = {label.text: label for label in of_kind(scene.moving, marks.Text)}
    assert {text for text, label in named.items() if label.role == "badge"} == {"4 sleep", "1 park"}
    assert {"0 I", "2 in", "3 my"} < {*named}
    spots = [28.0 + 644.0 * place / 4 for place in range(5)]
    assert [ring.centers[:, 0].tolist() for ring in of_kind(scene.still(), marks.Dots)] == [spots]
    hollow, solid = of_kind(scene.moving, marks.Dots)
    assert (hollow.centers[0, 0], solid.centers[0, 0]) == (spots[1], spots[4])
    assert [(place.name, place.value) for place in scene.places()] == [("knob t + k", "1 park"), ("knob t", "4 sleep")]
    assert [label.formula for label in of_kind(scene.moving, marks.FormulaText)] == ["+ k"]
    labels = of_kind(scene_in(theme, 176.0, front="attention", position=2, offset=-1).moving, marks.Text)
    assert [label.text for label in labels if label.role == "badge"] == ["2 in", "1"]
    # Where the numbers of all rings find room, no word takes the place of one.
    assert [label.text.split()[0] for label in sorted(labels, key=lambda label: label.x)] == ["0", "1", "2", "3", "4"]
    # A key outside of the sentence has no knob.
    scene = scene_in(theme, front="attention", position=1, offset=-2)
    assert [place.name for place in scene.places()] == ["knob t"]
    assert "k = −2: no word stands there" in {label.text for label in of_kind(scene.moving, marks.Text)}
    assert scene_in(theme, front="attention", sentence="").places() == ()


@pytest.mark.parametrize("width", [120.0, 300.0, 700.0])
def test_of_many_words_those_are_named_that_have_room(light, width):
    sentence = " ".join(f"word{place}" * (1 + place % 3) for place in range(60))
    given = {"front": "attention", "sentence": sentence, "position": 30, "offset": 7}
    labels = of_kind(scene_in(light, width, **given).moving, marks.Text)
    named = [label for label in labels if label.across == 0.5]
    assert "30" in {label.text.split()[0] for label in named}
    halves = [text_width(label.role, label.text) / 2 for label in named]
    spans = sorted((label.x - half, label.x + half) for label, half in zip(named, halves, strict=True))
    assert all(left[1] + 4.0 <= right[0] for left, right in pairwise(spans))
    assert 0.0 <= spans[0][0] <= spans[-1][1] <= width
