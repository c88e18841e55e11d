"""A widget that draws a scene: the still part kept as a bitmap, the moving part drawn each frame."""

import math
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.draw import marks
from pe_desktop.draw.marks import Picture
from pe_desktop.draw.painter import paint_marks
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import wrapped

# Coming by these, the focus is shown; a press of the mouse shows by itself where it is.
KEYBOARD_REASONS: Final = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)

RING_WIDTH: Final = 2.0
_RADIUS: Final = 4.0


def paint_focus_ring(painter: QPainter, width: float, height: float, theme: Theme) -> None:
    """A ring along the edge of a plot of width x height pixels, beside the first letters of its labels, not on them.

    It stands inside, because a widget can't paint around itself.
    """
    edge = RING_WIDTH / 2
    painter.setPen(QPen(theme.focus, RING_WIDTH))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(0.0, 0.0, width, height).adjusted(edge, edge, -edge, -edge), _RADIUS, _RADIUS)


class Canvas(QWidget):
    """Base of everything that is drawn from marks.

    A subclass gives `still_picture` (changes with encoding, view, size, theme) and `moving_picture` (changes with the
    cursor). Both are asked for only while painting, so that any number of changes between two frames cost one frame.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme | None = None
        self._bitmap: QPixmap | None = None
        self.n_frames = 0
        self.n_still_pictures = 0
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    @property
    def theme(self) -> Theme:
        """The theme it is drawn in; there is one before the first frame."""
        if self._theme is None:
            raise RuntimeError("A canvas needs a theme before it is drawn")
        return self._theme

    def show_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.redraw()

    def redraw(self) -> None:
        """The still part is out of date."""
        self._bitmap = None
        self.update()

    def ground(self) -> QColor:
        """The colour under the picture."""
        return self.theme.panel

    def still_picture(self, width: float, height: float) -> Picture:
        """What stays while the cursor moves."""
        return ()

    def moving_picture(self, width: float, height: float) -> Picture:
        """What moves with the cursor."""
        return ()

    def picture_image(self, scale: float = 2.0) -> QImage:
        """The whole picture as an image, for the clipboard; drawn, not grabbed."""
        image = QImage(self.size() * scale, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(scale)
        image.fill(self.ground())
        painter = QPainter(image)
        width, height = float(self.width()), float(self.height())
        paint_marks(painter, self.still_picture(width, height))
        paint_marks(painter, self.moving_picture(width, height))
        painter.end()
        return image

    def paintEvent(self, event: QPaintEvent) -> None:
        """Blit the still part, draw the moving one."""
        if self._theme is None or self.width() < 1 or self.height() < 1:
            return
        width, height = float(self.width()), float(self.height())
        # Made before the painter is: an error in a picture must not leave a painter open.
        still, moving = self._still_bitmap(width, height), self.moving_picture(width, height)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, still)
        paint_marks(painter, moving)
        self._paint_focus(painter)
        painter.end()
        self.n_frames += 1

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another size needs another still part."""
        self._bitmap = None

    def minimumSizeHint(self) -> QSize:
        """Small enough for any layout; panels set what they need."""
        return QSize(40, 16)

    def _still_bitmap(self, width: float, height: float) -> QPixmap:
        ratio = self.devicePixelRatioF()
        if self._bitmap is None or self._bitmap.devicePixelRatio() != ratio:
            bitmap = QPixmap((self.size().toSizeF() * ratio).toSize())
            bitmap.setDevicePixelRatio(ratio)
            bitmap.fill(self.ground())
            picture = self.still_picture(width, height)
            painter = QPainter(bitmap)
            paint_marks(painter, picture)
            painter.end()
            self._bitmap = bitmap
            self.n_still_pictures += 1
        return self._bitmap

    def _paint_focus(self, painter: QPainter) -> None:
        if self.hasFocus() and self.property("shows_focus"):
            paint_focus_ring(painter, float(self.width()), float(self.height()), self.theme)


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
