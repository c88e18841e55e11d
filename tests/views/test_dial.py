"""The face of the clock: hands turn clockwise from 12, fast ones outside, and the nearest one is taken."""

import math

import numpy as np
import pytest

from pe_desktop.draw import marks
from pe_desktop.views.clock.picture import Dial, dial_in, face_picture, nearest_tip
from tests.pictures import of_kind

DIAL = Dial(200.0, 150.0, 100.0)


def test_a_quarter_turn_points_to_the_right_and_half_a_turn_down():
    places = [(0, -1), (1, 0), (0, 1), (-1, 0)]
    for quarter, (across, down) in enumerate(places):
        (x, y), *_ = DIAL.tips(np.full(3, quarter * math.pi / 2))
        radius = float(DIAL.ring_radii(3)[0])
        assert (x, y) == pytest.approx((200 + across * radius, 150 + down * radius), abs=1e-9)


@pytest.mark.parametrize("n_pairs", [1, 2, 16, 32_768])
def test_rings_shrink_evenly_from_the_fastest_pair_to_the_slowest_and_lie_on_the_dial(n_pairs):
    radii = DIAL.ring_radii(n_pairs)
    assert radii.shape == (n_pairs,)
    assert 0 < radii[-1] <= radii[0] < 100
    steps = np.diff(radii)
    assert (steps < 0).all()
    np.testing.assert_allclose(steps, steps.mean() if n_pairs > 1 else 0, rtol=1e-6)


def test_every_tip_lies_on_its_ring_at_its_angle():
    angles = np.linspace(-math.pi, math.pi, 16)
    tips, radii = DIAL.tips(angles), DIAL.ring_radii(16)
    for pair in range(16):
        x, y = tips[pair] - (200.0, 150.0)
        assert math.hypot(x, y) == pytest.approx(radii[pair])
        assert math.remainder(DIAL.angle_at(*tips[pair]) - angles[pair], math.tau) == pytest.approx(0, abs=1e-9)
        assert (math.sin(angles[pair]), math.cos(angles[pair])) == pytest.approx((x / radii[pair], -y / radii[pair]))


@pytest.mark.parametrize(("width", "height"), [(400, 400), (900, 200), (130, 900), (1600, 1000)])
def test_the_dial_is_the_largest_that_leaves_room_for_its_labels(width, height):
    dial = dial_in(width, height)
    assert (dial.x, dial.y) == (width / 2, height / 2)
    across, down = width / 2 - dial.radius, height / 2 - dial.radius
    assert across >= 42
    assert down >= 28
    assert across == 42 or down == 28


def test_a_panel_without_room_still_has_a_dial():
    assert dial_in(1.0, 1.0).radius > 0


def test_the_hand_whose_tip_is_nearest_is_taken_within_reach():
    tips = np.array([[10.0, 10.0], [30.0, 10.0], [30.0, 25.0]])
    assert nearest_tip(tips, 11.0, 12.0) == 0
    assert nearest_tip(tips, 29.0, 16.0) == 1
    assert nearest_tip(tips, 29.0, 19.0) == 2
    assert nearest_tip(tips, 46.0, 25.0) == 2
    assert nearest_tip(tips, 46.5, 25.0) is None


@pytest.mark.parametrize("n_pairs", [1, 32, 33, 32_768])
def test_the_face_shows_a_ring_for_each_pair_while_rings_can_be_told_apart(theme, n_pairs):
    rings = of_kind(face_picture(DIAL, n_pairs, theme), marks.Rings)
    shown = np.concatenate([ring.radii for ring in rings])
    assert len(shown) == (n_pairs + 1 if n_pairs <= 32 else 3)
    assert (shown.max(), shown.min()) == (100.0, DIAL.ring_radii(n_pairs)[-1])
    assert {(ring.x, ring.y) for ring in rings} == {(200.0, 150.0)}


def test_the_face_names_the_quarters_clockwise(light):
    labels = {
        mark.text if isinstance(mark, marks.Text) else mark.formula: (mark.x, mark.y)
        for mark in face_picture(DIAL, 16, light)
        if isinstance(mark, marks.Text | marks.FormulaText)
    }
    assert labels["0"][1] < 50
    assert labels["π/2"][0] > 300
    assert labels["π"][1] > 250
    assert labels["3π/2"][0] < 100


@pytest.mark.parametrize(("width", "height"), [(400, 300), (300, 500)])
def test_the_face_with_its_labels_fits_into_the_picture(painted, light, width, height):
    margin = 20
    dial = dial_in(width, height)
    shifted = Dial(dial.x + margin, dial.y + margin, dial.radius)
    sheet = painted(face_picture(shifted, 16, light), width=width + 2 * margin, height=height + 2 * margin)
    left, top, right, bottom = sheet.extent()
    assert left >= margin
    assert top >= margin
    assert right <= margin + width
    assert bottom <= margin + height
