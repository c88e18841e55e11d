"""A picture under its heading, with a margin around it: what a panel without a figure gives to the clipboard."""

import math

from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter

from pe_desktop.plotting import marks
from pe_desktop.plotting.mark_painter import paint_marks
from pe_desktop.plotting.theme import Theme
from pe_desktop.plotting.typefaces import wrapped

MARGIN = 16.0
TITLE_HEIGHT = 26.0
LINE_HEIGHT = 16.0
MOST_LINES = 3
GAP = 10.0


def headed_image(image: QImage, title: str, words: str, theme: Theme) -> QImage:
    """The image, in the device pixels that it has, below a title and the words that say what it is of."""
    ratio = image.devicePixelRatio()
    width, height = image.width() / ratio, image.height() / ratio
    lines = wrapped("caption", words, width, MOST_LINES)
    top = MARGIN + TITLE_HEIGHT + LINE_HEIGHT * len(lines) + GAP
    page = QImage(math.ceil((width + 2 * MARGIN) * ratio), math.ceil((top + height + MARGIN) * ratio), image.format())
    page.setDevicePixelRatio(ratio)
    page.fill(theme.panel)
    heading = [marks.Text(MARGIN, MARGIN + TITLE_HEIGHT / 2 - 3.0, title, "title", theme.text)]
    for place, line in enumerate(lines):
        y = MARGIN + TITLE_HEIGHT + LINE_HEIGHT * (place + 0.5)
        heading.append(marks.Text(MARGIN, y, line, "caption", theme.text3))
    painter = QPainter(page)
    paint_marks(painter, heading)
    painter.drawImage(QPointF(MARGIN, top), image)
    painter.end()
    return page
