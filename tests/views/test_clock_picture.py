"""The hands of the clock: every tip at its true angle, solid at t and hollow at t + k."""

import math

import numpy as np
import pytest
from PySide6.QtGui import QColor

from pe_desktop.core.bit_hands import face_hands
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds.naive import BitsEncoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.draw import marks
from pe_desktop.views.clock.picture import (
    Dial,
    hand_lines,
    hand_state,
    hands_picture,
    preview_hands_picture,
    whole_turns_picture,
)
from tests.pictures import of_kind

DIAL = Dial(300.0, 200.0, 180.0)


def omega(pair, d_model=32):
    return 10000 ** (-2 * pair / d_model)


def place(angle, radius):
    return 300.0 + radius * math.sin(angle), 200.0 - radius * math.cos(angle)


def ring(pair, n_pairs):
    """Rings lie evenly between 0.93 and 0.185 of the dial's radius."""
    return 180.0 * (0.93 - 0.745 * pair / max(n_pairs - 1, 1))


def picture(theme, cursor, d_model=32):
    encoding = SinusoidalEncoding(10_000_000, d_model)
    rings = whole_turns_picture(DIAL, encoding, cursor, theme)
    return (*rings, *hands_picture(DIAL, encoding, hand_state(encoding.pairs, cursor), cursor, theme))


@pytest.mark.parametrize(("position", "offset"), [(37.0, 8.0), (37.25, -8.5), (0.0, 0.0), (9_999_999.0, 1.0)])
def test_hands_stand_at_the_angles_of_t_and_t_plus_k(position, offset):
    state = hand_state(SinusoidalEncoding().pairs, Cursor(position, offset))
    for pair in range(16):
        for angle, at in ((state.angles[pair], position), (state.later_angles[pair], position + offset)):
            assert math.remainder(angle - at * omega(pair), math.tau) == pytest.approx(0, abs=3e-9)
        assert state.turns[pair] == pytest.approx(offset * omega(pair))


@pytest.mark.parametrize(("position", "offset"), [(37.0, 8.0), (100.5, -30.25)])
def test_every_pair_has_a_solid_tip_at_t_and_a_hollow_one_at_t_plus_k(theme, position, offset):
    shown = picture(theme, Cursor(position, offset, pair=5, pinned_pairs=(0, 4)))
    solid: list[tuple[marks.Points, QColor]] = []
    hollow: list[tuple[marks.Points, QColor]] = []
    for dot in of_kind(shown, marks.Dots)[:-1]:
        (hollow if dot.fill == theme.panel else solid).append((dot.centers[0], dot.outline or dot.fill))
    for badge in of_kind(shown, marks.Badge):
        (hollow if badge.ground == theme.panel else solid).append((np.array([badge.x, badge.y]), badge.color))
    assert len(solid) == len(hollow) == 16
    for pair in range(16):
        for found, at in ((solid, position), (hollow, position + offset)):
            tip = place(at * omega(pair), ring(pair, 16))
            assert [color for center, color in found if np.allclose(center, tip, rtol=0, atol=1e-6)] == [
                theme.pair_color(pair, 16)
            ]


def test_badges_name_the_pinned_pairs_and_the_chosen_one_with_its_number_on_both_tips(light):
    badges = of_kind(picture(light, Cursor(pair=5, pinned_pairs=(0, 4, 8), offset=30.0)), marks.Badge)
    assert sorted(badge.label for badge in badges) == ["0", "0", "4", "4", "5", "5", "8", "8"]
    assert [badge.ground is None for badge in badges] == [False] * 4 + [True] * 4
    assert badges[-1].label == "5"


def test_a_hollow_badge_under_its_own_solid_one_has_no_number(light):
    # Pair 8 turns by 0.08 radians on a ring of 92 pixels: 7 pixels, less than a badge.
    badges = [badge for badge in of_kind(picture(light, Cursor(pair=8)), marks.Badge) if badge.label in ("8", "")]
    assert [(badge.label, badge.ground is None) for badge in badges] == [("", False), ("8", True)]


def test_the_chosen_pair_alone_has_a_dashed_hand_to_its_hollow_tip(light):
    dashed = [line for line in of_kind(picture(light, Cursor(37.0, 8.0, pair=4)), marks.Segments) if line.dash]
    assert len(dashed) == 1
    np.testing.assert_allclose(dashed[0].ends, [[300.0, 200.0, *place(45 * omega(4), ring(4, 16))]])


def test_rings_of_whole_turns_stay_where_they_are_while_t_moves(light):
    encoding = SinusoidalEncoding()
    pictures = [whole_turns_picture(DIAL, encoding, Cursor(t, 8.0), light) for t in (0.0, 37.5)]
    (first,), (second,) = (of_kind(picture, marks.Arc) for picture in pictures)
    assert (first.radius, first.turn) == pytest.approx((ring(0, 16), math.tau))
    assert first.start == second.start


@pytest.mark.parametrize("offset", [8.0, -3.0, 100.0, 0.0])
def test_arcs_run_from_t_by_the_turn_of_k_at_most_once_around(light, offset):
    arcs = of_kind(picture(light, Cursor(37.0, offset)), marks.Arc)
    assert len(arcs) == 16
    by_radius = {round(arc.radius, 6): arc for arc in arcs}
    for pair in range(16):
        arc = by_radius[round(ring(pair, 16), 6)]
        assert (arc.x, arc.y) == (300.0, 200.0)
        if abs(offset) * omega(pair) < math.tau:
            assert math.remainder(arc.start - 37 * omega(pair), math.tau) == pytest.approx(0, abs=1e-9)
        assert arc.turn == pytest.approx(math.copysign(min(abs(offset) * omega(pair), math.tau), offset))


def test_above_32_pairs_every_tip_is_a_dot_and_only_named_pairs_have_hands(theme):
    n_pairs = 33
    shown = picture(theme, Cursor(37.0, 8.0, pair=20), 2 * n_pairs)
    (cloud,) = of_kind(shown, marks.DotCloud)
    tips = [place(37 * omega(pair, 2 * n_pairs), ring(pair, n_pairs)) for pair in range(n_pairs)]
    np.testing.assert_allclose(cloud.centers, tips, rtol=0, atol=1e-6)
    colors = [theme.pair_color(pair, n_pairs).getRgb()[:3] for pair in range(n_pairs)]
    assert np.abs(cloud.colors.astype(int) - colors).max() <= 1
    assert {badge.label for badge in of_kind(shown, marks.Badge)} - {""} == {"0", "4", "8", "20"}
    assert len(of_kind(shown, marks.Arc)) == 4
    assert not of_kind(picture(theme, Cursor(), 64), marks.DotCloud)


def test_the_number_of_marks_stays_small_up_to_the_widest_model(light):
    assert len(picture(light, Cursor(pair=32_767), 65_536)) == len(picture(light, Cursor(pair=32), 66)) < 40


@pytest.mark.parametrize("pins", [(), (7, 9)])
def test_one_hand_alone_is_shown_with_its_badge(light, pins):
    shown = picture(light, Cursor(1.0, 0.5, pair=0, pinned_pairs=pins), 2)
    later, now = of_kind(shown, marks.Badge)
    assert (now.label, later.label) == ("0", "0")
    assert (now.x, now.y) == pytest.approx(place(1.0, ring(0, 1)))
    assert (later.x, later.y) == pytest.approx(place(1.5, ring(0, 1)))


def test_the_preview_shows_the_named_hands_where_they_would_stand(light):
    encoding, cursor = SinusoidalEncoding(), Cursor(pair=5, pinned_pairs=(0, 4))
    shown = preview_hands_picture(DIAL, encoding, 50.0, cursor, light)
    tips = [place(50 * omega(pair), ring(pair, 16)) for pair in (0, 4, 5)]
    (lines,), (dots,) = of_kind(shown, marks.Segments), of_kind(shown, marks.Dots)
    np.testing.assert_allclose(dots.centers, tips, rtol=0, atol=1e-6)
    np.testing.assert_allclose(lines.ends, [[300.0, 200.0, *tip] for tip in tips], rtol=0, atol=1e-6)
    assert preview_hands_picture(DIAL, encoding, None, cursor, light) == ()


@pytest.mark.parametrize("n_pairs", [1, 16, 64, 256])
def test_lines_of_many_hands_are_grouped_by_colours_that_cannot_be_told_from_their_own(theme, n_pairs):
    angles = np.linspace(0.0, 5.0, n_pairs)
    groups = of_kind(hand_lines(DIAL, angles, theme), marks.Segments)
    ends = np.concatenate([group.ends for group in groups])
    assert len(groups) <= 64
    np.testing.assert_allclose(ends, [[300.0, 200.0, *place(angles[i], ring(i, n_pairs))] for i in range(n_pairs)])
    colors = [group.color for group in groups for _ in group.ends]
    for pair, color in enumerate(colors):
        own = theme.pair_color(pair, n_pairs)
        assert np.abs(np.array(color.getRgb()) - own.getRgb()).max() <= 12


def test_the_clock_as_painted_points_clockwise_from_12(painted, theme):
    for position in (0.5, 2.0, 4.0, 37.0):
        sheet = painted(picture(theme, Cursor(position, 0.0, pair=0), 2), width=600, height=400)
        radius = ring(0, 1) / 2
        assert sheet.at(*place(position, radius)) == theme.pair_color(0, 1).name()
        for elsewhere in (-position, position + 0.3, position - 0.3, position + math.pi):
            assert sheet.at(*place(elsewhere, radius)) == "#ffffff"


@pytest.mark.parametrize(("code", "first_period"), [("binary", 2), ("gray", 4)])
def test_every_bit_has_a_hand_that_turns_once_in_its_period_in_the_colour_of_its_dial(light, code, first_period):
    encoding, cursor = BitsEncoding(128, 9, code), Cursor(37.0, 8.0, pair=1, pinned_pairs=(0, 3))
    hands = face_hands(encoding)
    assert hands is not None
    shown = hands_picture(DIAL, encoding, hand_state(hands, cursor), cursor, light)
    solid = [(dot.centers[0], dot.fill) for dot in of_kind(shown, marks.Dots)[:-1] if dot.fill != light.panel]
    badges = [badge for badge in of_kind(shown, marks.Badge) if badge.ground is None]
    solid += [(np.array([badge.x, badge.y]), badge.color) for badge in badges]
    assert len(solid) == 9
    for bit in range(9):
        tip = place(math.tau * 37 / (first_period * 2**bit), ring(bit, 9))
        assert [color for center, color in solid if np.allclose(center, tip, rtol=0, atol=1e-6)] == [
            light.pair_color(bit // 2, 5)
        ]
    # Both bits of a pinned pair carry its number, and those of the chosen one are drawn last.
    assert [badge.label for badge in badges] == ["0", "0", "3", "3", "1", "1"]
