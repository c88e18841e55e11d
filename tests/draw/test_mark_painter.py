"""Marks leave their colour where they are said to be, and the ground everywhere else."""

import math

import numpy as np
import pytest
from PySide6.QtGui import QColor

from pe_desktop.draw import marks

RED, BLUE, WHITE = "#ff0000", "#0000ff", "#ffffff"
red, blue = QColor(RED), QColor(BLUE)

NO_POINTS = np.empty((0, 2))
NO_NUMBERS = np.empty(0)
EMPTY = [
    marks.Segments(np.empty((0, 4)), red, 3.0),
    marks.Segments(np.empty((0, 4)), red, 3.0, dash=(4.0, 3.0)),
    marks.Polyline(NO_POINTS, red, 3.0),
    marks.Band(NO_NUMBERS, NO_NUMBERS, NO_NUMBERS, red),
    marks.Dots(NO_POINTS, 5.0, red, blue, 2.0),
    marks.DotCloud(NO_POINTS, np.empty((0, 3), dtype=np.uint8), 3.0),
    marks.Arc(40.0, 30.0, 20.0, 0.0, 0.0, red, 4.0),
    marks.Rectangle(10.0, 10.0, 30.0, 20.0),
    marks.Text(40.0, 30.0, "", "title", red),
    marks.FormulaText(40.0, 30.0, "", 15, red),
]


def spot(x, y, radius, angle):
    """The place at an angle clockwise from 12 o'clock."""
    return x + radius * math.sin(angle), y - radius * math.cos(angle)


@pytest.mark.parametrize("mark", EMPTY, ids=lambda mark: type(mark).__name__)
def test_empty_marks_paint_nothing(painted, mark):
    assert not painted([mark]).ink().any()


def test_segments_are_separate_lines_of_their_width_and_dashes_as_long_as_they_are_said_to_be(painted):
    sheet = painted([marks.Segments(np.array([[5.0, 10, 30, 10], [50, 10, 75, 10], [40, 20, 40, 50]]), red, 4.0)])
    for place in ((15, 8), (15, 11), (60, 10), (38, 30), (41, 30)):
        assert sheet.at(*place) == RED
    for place in ((15, 6), (15, 13), (40, 10), (36, 30), (43, 30)):
        assert sheet.at(*place) == WHITE
    sheet = painted([marks.Segments(np.array([[10.0, 30, 70, 30]]), red, 4.0, dash=(10.0, 6.0))])
    drawn = sheet.ink()[30]
    assert [bool(drawn[x]) for x in (11, 18, 21, 24, 27, 34, 37, 40)] == [
        True, True, False, False, True, True, False, False,
    ]  # fmt: skip


def test_a_polyline_connects_its_points_and_is_not_filled(painted):
    sheet = painted([marks.Polyline(np.array([[10.0, 50], [40, 10], [70, 50]]), red, 3.0)])
    assert [sheet.at(*place) for place in ((25, 30), (55, 30), (40, 11))] == [RED, RED, RED]
    assert [sheet.at(*place) for place in ((40, 40), (40, 50), (5, 5))] == [WHITE, WHITE, WHITE]


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_dots_are_discs_with_their_outline(painted, ratio):
    sheet = painted([marks.Dots(np.array([[20.0, 30], [60, 30]]), 10.0, red, blue, 4.0)], ratio)
    for x in (20, 60):
        assert sheet.at(x, 30) == RED
        for angle in np.arange(0.1, math.tau, 0.7):
            assert sheet.at(*spot(x, 30, 10, angle)) == BLUE
            assert sheet.at(*spot(x, 30, 6.5, angle)) == RED
            assert sheet.at(*spot(x, 30, 14, angle)) == WHITE


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_every_dot_of_a_cloud_has_its_own_colour_at_its_own_place(painted, ratio):
    centers = np.array([[20.5, 20.5], [40.5, 20.5], [60.5, 45.5], [79.5, 59.5]])
    colors = np.array([[255, 0, 0], [0, 0, 255], [1, 2, 3], [255, 0, 255]], dtype=np.uint8)
    sheet = painted([marks.DotCloud(centers, colors, 3.0)], ratio)
    for (x, y), color in zip(centers.tolist(), (RED, BLUE, "#010203", "#ff00ff"), strict=True):
        assert sheet.at(x, y) == color
    side = round(3 * ratio)
    assert int(sheet.ink()[:, : round(70 * ratio)].sum()) == pytest.approx(3 * side**2, abs=3 * 4)
    for x, y in ((23, 20.5), (20.5, 23), (40.5, 45.5), (30, 20)):
        assert sheet.at(x, y) == WHITE


def test_a_disc_without_a_fill_is_a_circle(painted):
    sheet = painted([marks.Dots.at(40.0, 30.0, 25.0, None, red, 3.0)])
    for angle in np.arange(0.1, math.tau, 0.5):
        assert sheet.at(*spot(40, 30, 25, angle)) == RED
        assert sheet.at(*spot(40, 30, 17, angle)) == WHITE
    assert sheet.at(40, 30) == WHITE


@pytest.mark.parametrize(
    ("start", "turn"),
    [(0.0, math.pi / 2), (math.pi, math.pi / 2), (-2.0, 1.0), (1.0, -2.5), (3.0, 3.0), (-3.0, -3.0), (2.0, -math.tau)],
)
def test_an_arc_runs_clockwise_from_its_start_by_its_turn(painted, start, turn):
    sheet = painted([marks.Arc(40.0, 30.0, 22.0, start, turn, red, 5.0)])
    low, high = sorted((start, start + turn))
    for angle in np.arange(low + 0.1, high - 0.1, 0.2):
        assert sheet.at(*spot(40, 30, 22, angle)) == RED
    for angle in np.arange(high + 0.1, low + math.tau - 0.1, 0.2):
        assert sheet.at(*spot(40, 30, 22, angle)) == WHITE
    assert sheet.at(40, 30) == WHITE


def test_a_box_has_its_fill_its_outline_and_round_corners(painted):
    sheet = painted([marks.Rectangle(10.0, 10.0, 60.0, 40.0, red, blue, radius=15.0, outline_width=4.0)])
    assert [sheet.at(*place) for place in ((40, 30), (40, 10), (10, 30), (69, 30), (40, 49))] == [RED] + [BLUE] * 4
    assert [sheet.at(*place) for place in ((11, 11), (68, 11), (11, 48), (68, 48))] == [WHITE] * 4
    square = painted([marks.Rectangle(10.0, 10.0, 60.0, 40.0, red)])
    assert square.extent() == (10.0, 10.0, 70.0, 50.0)
    assert square.ink()[10:50, 10:70].all()


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("across", [0.0, 0.5, 1.0])
def test_text_stands_where_its_anchor_says(painted, ratio, across):
    # The capital H is as bare on its left as on its right: both margins and the ink make the advance.
    margin, _, end, _ = painted([marks.Text(0.0, 30.0, "HHHH", "title", red)], ratio).extent()
    left, top, right, bottom = painted(
        [marks.Text(60.0, 30.0, "HHHH", "title", red, across=across)], ratio, 160
    ).extent()
    assert (left + right) / 2 == pytest.approx(60.0 + (0.5 - across) * (end + margin), abs=1.0)
    assert (top + bottom) / 2 == pytest.approx(30.0, abs=1.0)
    assert bottom - top == pytest.approx(9.5, abs=1.5)


@pytest.mark.parametrize("across", [0.0, 0.5, 1.0])
def test_a_formula_stands_where_its_anchor_says(painted, across):
    sheet = painted([marks.FormulaText(80.0, 30.0, "xxxxxxxx", 20, red, across=across)], width=160)
    left, top, right, bottom = sheet.extent()
    assert (left + right) / 2 == pytest.approx(80.0 + (0.5 - across) * (right - left), abs=2.0)
    assert (top + bottom) / 2 == pytest.approx(30.0, abs=1.0)


def test_a_solid_badge_is_a_disc_of_its_colour_with_a_readable_number(painted):
    navy = QColor("#000060")
    sheet = painted([marks.Badge(40.0, 30.0, 12.0, "4", navy)], ratio=2.0)
    assert sheet.extent() == pytest.approx((28.0, 18.0, 52.0, 42.0), abs=0.5)
    assert [sheet.at(*spot(40, 30, 10, angle)) for angle in (0.5, 2.0, 4.0, 5.5)] == ["#000060"] * 4
    middle = {sheet.at(40 + x / 2, 30 + y / 2) for x in range(-7, 8) for y in range(-9, 10)}
    assert WHITE in middle


@pytest.mark.parametrize("is_hollow", [True, False])
def test_the_badge_of_a_long_number_is_a_pill_as_high_as_a_disc(painted, is_hollow):
    ground = QColor("white") if is_hollow else None
    short = painted([marks.Badge(40.0, 30.0, 10.0, "88", red, ground)], ratio=2.0).extent()
    long = painted([marks.Badge(40.0, 30.0, 10.0, "32767", red, ground)], ratio=2.0).extent()
    assert short == pytest.approx((30.0, 20.0, 50.0, 40.0), abs=0.5)
    assert (long[1], long[3]) == pytest.approx((20.0, 40.0), abs=0.5)
    assert long[0] < 24.0
    assert long[2] > 56.0
    assert (long[0] + long[2]) / 2 == pytest.approx(40.0, abs=0.5)


def test_a_band_of_a_point_a_pixel_covers_the_share_of_each_pixel_that_lies_in_it(painted) -> None:
    columns = np.arange(40, dtype=np.float64)
    x, upper = columns + 10.5, 20.25 + 5.0 * (columns % 3)
    sheet = painted([marks.Band(x, upper, upper + 8.5, QColor("black"))])
    for column in range(40):
        ink = sum(255 - sheet.image.pixelColor(10 + column, row).red() for row in range(60)) / 255
        assert abs(ink - 8.5) < 0.01
    assert sheet.image.pixelColor(10, 20).red() == round(255 * 0.25)
    assert sheet.image.pixelColor(9, 24).red() == 255
