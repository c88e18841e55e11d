"""A widget that shows a picture: the still part kept as a bitmap, the moving part drawn anew each frame."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.plotting.focus_ring import paint_focus_ring
from pe_desktop.plotting.mark_painter import paint_marks
from pe_desktop.plotting.marks import Picture
from pe_desktop.plotting.theme import Theme


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
