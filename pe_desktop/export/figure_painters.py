"""Draws the page of a figure: marks plainly, clouds of dots as discs or as an image, images enlarged."""

import math
from collections import defaultdict
from dataclasses import replace
from typing import Final

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from pe_desktop.draw import marks
from pe_desktop.draw.painter import paint_marks
from pe_desktop.draw.typefaces import text_font
from pe_desktop.export.figure_page import Page

# More dots than this hide each other, and would make a file of many megabytes: they become an image.
MOST_VECTOR_DOTS: Final = 4096


def paint_page(painter: QPainter, page: Page) -> None:
    """Draw a page in logical pixels: the ground, then each picture at its place."""
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
    # A painter begins with the application's font, and formats that write fonts write it down.
    painter.setFont(text_font("label"))
    if page.ground is not None:
        # A little over the edges: sizes that are no whole number must leave no hairline.
        painter.fillRect(QRectF(-1.0, -1.0, page.sheet.width + 2.0, page.sheet.height + 2.0), page.ground)
    for x, y, picture in page.parts:
        painter.save()
        painter.translate(x, y)
        for mark in picture:
            _paint_mark(painter, mark, page)
        painter.restore()


def _paint_mark(painter: QPainter, mark: marks.Mark, page: Page) -> None:
    pixel_ratio = page.sheet.pixel_ratio
    if isinstance(mark, marks.DotCloud):
        _paint_cloud(painter, mark, pixel_ratio)
    elif isinstance(mark, marks.Raster):
        paint_marks(painter, (_enlarged(mark, pixel_ratio),), is_quick=False)
    else:
        paint_marks(painter, (mark,), is_quick=False, keeps_text=page.keeps_text)


def _paint_cloud(painter: QPainter, cloud: marks.DotCloud, pixel_ratio: float) -> None:
    if len(cloud.centers) <= MOST_VECTOR_DOTS:
        paint_marks(painter, _dots(cloud), is_quick=False)
        return
    left, top = cloud.centers.min(axis=0) - cloud.diameter
    width, height = np.ptp(cloud.centers, axis=0) + 2 * cloud.diameter
    frame = QRectF(left, top, width, height)
    image = QImage((frame.size() * pixel_ratio).toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(0, 0, 0, 0))
    image.setDevicePixelRatio(pixel_ratio)
    with QPainter(image) as stamper:
        shifted = marks.DotCloud(cloud.centers - (left, top), cloud.colors, cloud.diameter)
        paint_marks(stamper, (shifted,), is_quick=False)
    painter.drawImage(frame, image)


def _enlarged(mark: marks.Raster, pixel_ratio: float) -> marks.Raster:
    """The same image in whole multiples of its pixels: programs that smooth what they enlarge can't blur its cells."""
    image = mark.image
    across, down = (
        max(math.ceil(length * pixel_ratio / max(pixels, 1)), 1)
        for length, pixels in ((mark.width, image.width()), (mark.height, image.height()))
    )
    if across == down == 1:
        return mark
    return replace(mark, image=image.scaled(image.width() * across, image.height() * down))


def _dots(cloud: marks.DotCloud) -> marks.Picture:
    """The same dots as discs, those of one colour together, in the order in which the colours first appear."""
    groups: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for place, color in enumerate(cloud.colors.tolist()):
        groups[tuple(color)].append(place)
    return tuple(
        marks.Dots(cloud.centers[places], cloud.diameter / 2, QColor(*color)) for color, places in groups.items()
    )
