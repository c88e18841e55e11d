"""The ground of a card, and a label that ends in three dots where its room is short."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QDockWidget, QLabel, QSizePolicy, QWidget

from pe_desktop.draw.theme import Themed
from pe_desktop.languages import told

RADIUS = 10.0


class CardPart(Themed, QWidget):
    """The upper or lower part of a card, or all of it: a ground with round corners and a hairline around."""

    def __init__(self, *, is_top: bool, is_bottom: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Whether it draws its upper edge with corners, or leaves it open for what stands above.
        self.is_top = is_top
        self._is_bottom = is_bottom
        # The frame of a floating dock has others.
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            # By fillRect PySide would load gradients, the first time, which nothing here draws.
            painter.setBackground(self.theme.canvas)
            painter.eraseRect(self.rect())
            # Afloat it has the corners of a window, and an edge that is seen over other cards.
            is_afloat = isinstance(self.window(), QDockWidget)
            radius, edge = (0.0, self.theme.axis) if is_afloat else (RADIUS, self.theme.line)
            beyond = RADIUS * 2
            top = 0.5 if self.is_top else -beyond
            bottom = self.height() - 0.5 if self._is_bottom else self.height() + beyond
            shape = QPainterPath()
            shape.addRoundedRect(QRectF(0.5, top, self.width() - 1, bottom - top), radius, radius)
            painter.fillPath(shape, self.theme.panel)
            painter.setPen(QPen(edge, 1))
            painter.drawPath(shape)


class SubtitleLabel(QWidget):
    """A caption: where its room is short it has the words that `fit` gives for a width, or ends in three dots.

    Where these find no room, it is empty. Its full text is a tooltip then.

    Its letters stand in a child without a layout: other words, which may come with every frame, lay nothing out anew.
    """

    def __init__(self, role: str = "caption", fit: Callable[[float], str] | None = None) -> None:
        super().__init__()
        self.full_text, self._fit = "", fit
        self._label = QLabel(self)
        self._label.setProperty("role", role)
        self.align(Qt.AlignmentFlag.AlignLeft)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def align(self, alignment: Qt.AlignmentFlag) -> None:
        self._label.setAlignment(alignment | Qt.AlignmentFlag.AlignVCenter)

    def show_text(self, text: str) -> None:
        self.full_text = told(text)
        self._label.setAccessibleName(self.full_text)
        self._elide()

    def sizeHint(self) -> QSize:
        return self._label.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._label.minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._label.resize(self.size())
        self._elide()

    def _elide(self) -> None:
        room, wide = self.width(), self._label.fontMetrics().horizontalAdvance
        shown = self.full_text
        if wide(shown) > room and self._fit is not None:
            shown = told(self._fit(float(room)))
            shown = shown if wide(shown) <= room else ""
        elif wide(shown) > room:
            shown = self._label.fontMetrics().elidedText(shown, Qt.TextElideMode.ElideRight, room)
        if shown != self._label.text():
            self._label.setText(shown)
        self.setToolTip(self.full_text if shown != self.full_text else "")
