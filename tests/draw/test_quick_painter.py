"""What is drawn quickly on pixels covers them as the lines and areas do that it stands for."""

import math
import typing

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen

from pe_desktop.draw import marks
from pe_desktop.draw.painter import paint_marks
from pe_desktop.draw.typefaces import ROLES
from tests.pictures import Sheet

red = QColor("#ff0000")


def share_of_ink(sheet, x, y):
    """How much of the pixel at a logical place is red: white loses its green there."""
    ratio = sheet.image.devicePixelRatio()
    return 1 - sheet.image.pixelColor(math.floor(x * ratio), math.floor(y * ratio)).green() / 255


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


X = np.linspace(10.0, 300.0, 240)
COLUMNS = np.repeat(np.arange(80.0) + 20.5, 2)
CURVES = {
    "slow": np.column_stack((X, 60.0 + 40.0 * np.sin(X / 30))),
    "fast": np.column_stack((X, 60.0 + 40.0 * np.sin(X / 3))),
    "jagged": np.column_stack((X, 60.0 + np.random.default_rng(0).uniform(-40.0, 40.0, len(X))))[::3],
    "back and forth": np.column_stack((150.0 + 100.0 * np.cos(X / 20), 60.0 + 40.0 * np.sin(X / 7))),
    "extremes of each column": np.column_stack((COLUMNS, 60.0 + 40.0 * np.sin(COLUMNS / 9) + np.tile([-0.4, 0.4], 80))),
    "narrow turns": np.column_stack((np.linspace(20.0, 100.0, 160), 60.0 + 9.0 * np.sin(np.arange(160.0) / 2))),
    "standing": np.repeat([[20.0, 30.0], [250.0, 80.0]], 30, axis=0),
}
WIDTHS = (0.5, 1.4, 2.0, 4.0, 12.0)
RATIOS = (1.0, 1.5, 2.0)
half = QColor(255, 0, 0, 128)


def difference(picture, ratio, plain=None):
    """How far the quick picture is from the plain one, as a share of the plain one's ink."""
    plain = pixels(plain or drawn(picture, ratio, is_quick=False))
    quick = pixels(drawn(picture, ratio, is_quick=True))
    return np.abs(quick - plain).sum() / max(np.abs(plain - 255).sum(), 1)


def pixels(image):
    return np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), -1, 4).astype(int)


def drawn(picture, ratio, *, is_quick):
    return painted_sheet(ratio, lambda painter: paint_marks(painter, picture, pixel_ratio=ratio * is_quick))


def painted_sheet(ratio, paint):
    image = QImage(round(320 * ratio), round(120 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor("white"))
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint(painter)
    return image


def line_of_qt(mark, ratio):
    """The line as Qt draws it at once, with cut joints and ends."""
    pen = QPen(mark.color, mark.width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.BevelJoin)
    if mark.dash:
        pen.setDashPattern([length / mark.width for length in mark.dash])

    def paint(painter):
        painter.setPen(pen)
        painter.drawPolyline([QPointF(*point) for point in mark.points.tolist()])

    return painted_sheet(ratio, paint)


@pytest.mark.parametrize("curve", CURVES)
def test_long_lines_of_every_width_look_as_plainly_drawn_ones(curve, luck):
    ratio = luck.choice(RATIOS)
    # The edges of two pieces are smoothed apart, so that a seam may be a shade darker; dashes are cut at seams.
    for width in WIDTHS:
        for color, dash, tolerance in ((red, (), 0.03), (half, (), 0.04), (red, (6.0, 4.0), 0.08)):
            mark = marks.Polyline(CURVES[curve], color, width, dash)
            assert difference([mark], ratio, line_of_qt(mark, ratio)) <= tolerance, (width, color.alpha(), dash)


def test_a_long_line_may_cross_itself_without_a_hole_and_without_more_ink(painted):
    turns = np.linspace(0.0, 3 * math.tau, 300)
    points = np.column_stack((40.0 + 20.0 * np.cos(turns), 30.0 + 20.0 * np.sin(turns)))
    sheet = painted([marks.Polyline(points, half, 8.0)])
    inks = [share_of_ink(sheet, 40.0 + 20.0 * math.cos(turn), 30.0 + 20.0 * math.sin(turn)) for turn in turns[::7]]
    assert inks == pytest.approx([128 / 255] * len(inks), abs=0.01)


N = 80
LEVEL = np.column_stack((np.full(N, 20.0), np.arange(N) + 20.5, 60.0 + np.arange(N) % 30, np.arange(N) + 20.5))
SLANTED = np.array([[10.0, 10.0, 300.0, 90.0], [10.0, 100.0, 200.0, 20.0]])
SHAPES: dict[str, marks.Mark] = {
    "level lines": marks.Segments(LEVEL, red),
    "slanted lines": marks.Segments(SLANTED, red),
    "wide lines": marks.Segments(SLANTED, half, 6.0),
    "dashed lines": marks.Segments(SLANTED, red, 2.0, (4.0, 3.0)),
    "short line": marks.Polyline(CURVES["slow"][::20], half, 3.0),
    "band": marks.Band(X, CURVES["slow"][:, 1] - 9.0, CURVES["slow"][:, 1] + 9.0, half),
    "level band": marks.Band(X, np.full(len(X), 20.3), np.full(len(X), 60.0), red),
    "dots": marks.Dots(CURVES["slow"][::40], 4.3, red, half, 1.5),
    "many dots": marks.Dots(CURVES["slow"], 2.3, red),
    "cloud": marks.DotCloud(CURVES["slow"], np.full((len(X), 3), (255, 0, 0), dtype=np.uint8), 3.0),
    "rings": marks.Dots(CURVES["slow"][::40], 40.3, None, red, 1.4),
    "arc": marks.Arc(100.0, 60.0, 40.0, 1.0, 2.5, half, 5.0),
    "rectangle": marks.Rectangle(20.3, 10.0, 200.0, 80.0, red, half, 6.0, 2.0),
    "outline": marks.Rectangle(20.3, 10.0, 200.0, 80.0, outline=half, outline_width=1.4),
    "raster": marks.Raster(20.0, 10.0, 100.0, 50.0, QImage(bytes(range(256)), 8, 8, QImage.Format.Format_RGB32)),
}
LETTERS: dict[str, marks.Mark] = {
    "text": marks.Text(160.3, 60.0, "position t, 128", "title", red, across=0.5),
    "turned": marks.Text(160.3, 60.0, "position t, 128", "title", red, across=0.5, turned=-35.0),
    "formula": marks.FormulaText(160.3, 60.0, "kω_{4} = sin(x^{2})", 30, red, across=0.5),
    "disc": marks.Badge(160.3, 60.0, 14.0, "4", red),
    "pill": marks.Badge(160.3, 60.0, 14.0, "32767", red, QColor("white")),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_looks_as_plainly_drawn_but_for_the_shades_of_its_edges(qapp, shape, luck):
    # Level lines that touch share pixels at a ratio of 1.5.
    tolerance = 0.1 if shape == "level lines" else 0.015
    assert difference([SHAPES[shape]], luck.choice(RATIOS)) <= tolerance


@pytest.mark.parametrize("letters", LETTERS)
def test_letters_stand_where_their_outlines_do(qapp, letters, luck):
    # On a screen letters are hinted.
    ratio = luck.choice(RATIOS)
    plain, quick = (Sheet(drawn([LETTERS[letters]], ratio, is_quick=is_quick)) for is_quick in (False, True))
    assert quick.extent() == pytest.approx(plain.extent(), abs=1.5)
    assert quick.ink().sum() == pytest.approx(plain.ink().sum(), rel=0.15)


def test_every_kind_of_mark_is_compared():
    compared = {type(mark) for mark in (*SHAPES.values(), *LETTERS.values())}
    assert compared == set(typing.get_args(marks.Mark))


def write_much(ratio):
    """Fill the caches of letters with others."""
    image = QImage(400, 400, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    with QPainter(image) as painter:
        for pixels in range(6, 80):
            for family in ("Inter", "STIX Two Text"):
                font = QFont(family)
                font.setPixelSize(pixels)
                painter.setFont(font)
                painter.drawText(QPointF(10.3, 100.7), "The quick brown fox 0123456789 position t ωπ∑")
        text = "".join(map(chr, range(33, 700)))
        letters: list[marks.Mark] = [marks.Text(0.3, 0.7, text, role, red) for role in ROLES]
        paint_marks(painter, [*letters, marks.FormulaText(0.3, 0.7, text, 17, red)], pixel_ratio=ratio)


@pytest.mark.parametrize("is_quick", [False, True])
def test_letters_are_drawn_alike_whatever_was_drawn_before(qapp, luck, is_quick):
    ratio = luck.choice(RATIOS)
    texts = [marks.Text(20.37, 20.0 + 9.3 * n, f"position {ratio} {n}", role, red) for n, role in enumerate(ROLES)]
    picture = [*texts, *LETTERS.values()]
    first = drawn(picture, ratio, is_quick=is_quick)
    assert drawn(picture, ratio, is_quick=is_quick) == first
    write_much(ratio)
    assert drawn(picture, ratio, is_quick=is_quick) == first
