"""What is drawn quickly on pixels covers them as the lines and areas do that it stands for."""

import math

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from pe_desktop.draw import marks
from pe_desktop.draw.painter import paint_marks

red = QColor("#ff0000")
WHITE = "#ffffff"


def share_of_ink(sheet, x, y):
    """How much of the pixel at a logical place is red: white loses its green there."""
    ratio = sheet.image.devicePixelRatio()
    return 1 - sheet.image.pixelColor(math.floor(x * ratio), math.floor(y * ratio)).green() / 255


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_band_over_every_pixel_covers_each_pixel_by_its_share(painted, ratio):
    x = (np.arange(70 * ratio) + 0.5) / ratio + 5
    upper, lower = 20 + 10 * np.sin(x / 9), 44.3 + 6 * np.cos(x / 5)
    sheet = painted([marks.Band(x, upper, lower, red)], ratio)
    for place, (top, bottom) in enumerate(zip(upper, lower, strict=True)):
        for row in range(round(60 * ratio)):
            covered = min(bottom * ratio, row + 1) - max(top * ratio, row)
            assert share_of_ink(sheet, x[place], (row + 0.5) / ratio) == pytest.approx(
                min(max(covered, 0), 1), abs=0.01
            )


def test_a_band_whose_lines_cross_is_filled_on_both_sides_of_the_crossing(painted):
    x = np.arange(70.0) + 5.5
    sheet = painted([marks.Band(x, np.linspace(10, 50, 70), np.linspace(50, 10, 70), red)])
    assert [share_of_ink(sheet, *place) for place in ((10, 30), (70, 30), (40, 15), (40, 45))] == [1, 1, 0, 0]


def test_a_translucent_band_lets_the_ground_through(painted):
    x = np.arange(70.0) + 5.5
    half = QColor(255, 0, 0, 128)
    sheet = painted([marks.Band(x, 20 + x / 10, 45 - x / 10, half)])
    assert share_of_ink(sheet, 40, 33) == pytest.approx(128 / 255, abs=0.01)


def test_a_level_band_is_a_rectangle_to_the_fraction_of_a_pixel(painted):
    x = np.arange(10.0, 71.0)
    sheet = painted([marks.Band(x, np.full(61, 20.25), np.full(61, 40.0), red)])
    assert [round(share_of_ink(sheet, 40, y), 2) for y in (19.5, 20.5, 30, 39.5, 40.5)] == [0, 0.75, 1, 1, 0]


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_strip_of_level_lines_fills_its_rows_from_end_to_end(painted, ratio):
    # A line of width 1 with round ends reaches half a pixel beyond them; two rows have no line.
    rows = np.delete(np.arange(100), [3, 50]) + 0.5
    left, right = 20 + 10 * np.sin(rows), 50 + 20 * np.cos(rows / 3)
    lines = marks.Segments(np.column_stack((left, rows, right, rows)), red)
    sheet = painted([lines], ratio, height=100)
    for y, start, stop in zip(rows, left, right, strict=True):
        for place in np.arange(0.5, 80 * ratio) / ratio:
            covered = (min(stop + 0.5, place + 0.5 / ratio) - max(start - 0.5, place - 0.5 / ratio)) * ratio
            assert share_of_ink(sheet, place, y) == pytest.approx(min(max(covered, 0), 1), abs=0.01)
    assert not sheet.ink()[[round(row * ratio) for row in (3, 50)]].any()


@pytest.mark.parametrize("width", [1.0, 1.4])
def test_thin_upright_and_level_lines_are_as_wide_as_they_are_said_to_be(painted, width):
    level = marks.Segments(np.array([[10.0, 20.5, 70, 20.5], [70, 40.5, 10, 40.5]]), red, width)
    upright = marks.Segments(np.array([[40.5, 10.0, 40.5, 50]]), red, width)
    for sheet, across in ((painted([level]), (30, 20)), (painted([upright]), (40, 30))):
        inks = [
            share_of_ink(sheet, across[0] + step * (across[0] == 40), across[1] + step * (across[0] == 30))
            for step in (-1, 0, 1)
        ]
        assert sum(inks) == pytest.approx(width, abs=0.02)
        assert inks[0] == pytest.approx(inks[2], abs=0.01)


def test_an_outline_leaves_its_inside_free_and_closes_its_corners(painted):
    sheet = painted([marks.Rectangle(20, 15, 40, 30, outline=QColor(255, 0, 0, 128), outline_width=2.0)])
    corners = [share_of_ink(sheet, x, y) for x in (19.5, 60.5) for y in (14.5, 45.5)]
    # Each pixel is painted once: half clear ink is no darker in the corners.
    assert corners == pytest.approx([128 / 255] * 4, abs=0.01)
    assert sheet.at(40, 30) == WHITE


def test_an_enlarged_picture_keeps_its_lines_sharp():
    # On paper a painter is scaled: a row of pixels would become a block.
    image = QImage(400, 400, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.scale(4, 4)
    x = np.arange(90.0) + 5.5
    paint_marks(painter, [marks.Band(x, x, np.full(90, 97.0), red)])
    painter.end()
    slope = [next(y for y in range(400) if image.pixelColor(column, y).green() < 128) for column in range(100, 108)]
    assert slope == sorted(set(slope))
