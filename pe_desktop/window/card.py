"""The card that a dock looks like: its ground in two parts, and the title row with the panel's own controls."""

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QWidget

from pe_desktop.draw.theme import Theme
from pe_desktop.panels import Panel
from pe_desktop.panels.controls.buttons import IconButton

RADIUS = 10.0
TITLE_HEIGHT = 46


class CardPart(QWidget):
    """The upper or lower part of a card: a ground with round corners on one side and a hairline around."""

    def __init__(self, *, is_top: bool, is_bottom: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_top = is_top
        self._is_bottom = is_bottom
        self._theme: Theme | None = None

    def show_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._theme is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self._theme.canvas)
        # Afloat it has the corners of a window, and an edge that is seen over other cards.
        is_afloat = isinstance(self.window(), QDockWidget)
        radius, edge = (0.0, self._theme.axis) if is_afloat else (RADIUS, self._theme.line)
        beyond = RADIUS * 2
        top = 0.5 if self._is_top else -beyond
        bottom = self.height() - 0.5 if self._is_bottom else self.height() + beyond
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(0.5, top, self.width() - 1, bottom - top), radius, radius)
        painter.fillPath(shape, self._theme.panel)
        painter.setPen(QPen(edge, 1))
        painter.drawPath(shape)
        painter.end()


class TitleRow(CardPart):
    """Title, what is shown, the panel's controls, its menu. Dragging it moves the dock."""

    # The right upper corner of the menu, in the screen's coordinates.
    menu_asked = Signal(QPoint)
    fold_asked = Signal()
    float_asked = Signal()

    def __init__(self, panel: Panel, parent: QWidget | None = None) -> None:
        super().__init__(is_top=True, is_bottom=False, parent=parent)
        self.setFixedHeight(TITLE_HEIGHT)
        self.title = QLabel(panel.title)
        self.title.setProperty("role", "title")
        self._subtitle = SubtitleLabel()
        self._subtitle.show_text(panel.subtitle)
        panel.subtitle_changed.connect(self._subtitle.show_text)
        if panel.is_movable:
            self._more = IconButton("more", f"{panel.title}: more", self)
            self._more.clicked.connect(self._on_more)
        else:
            self._more = IconButton("panelL", f"Fold {panel.title} (Ctrl+B)", self)
            self._more.clicked.connect(self.fold_asked)
        self._widgets = panel.header_widgets()
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 4, 10, 0)
        row.setSpacing(8)
        row.addWidget(self.title)
        row.addWidget(self._subtitle, 1)
        for widget in self._widgets:
            row.addWidget(widget)
        row.addWidget(self._more)

    def show_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        super().show_theme(theme)
        self._more.show_theme(theme)

    def show_as_tab(self, is_tab: bool) -> None:
        """Under a row of tabs the card begins with the tabs, which carry the title."""
        if is_tab == self._is_top:
            self._is_top = not is_tab
            self.title.setVisible(not is_tab)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), TITLE_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), TITLE_HEIGHT)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.float_asked.emit()

    def _on_more(self) -> None:
        self.menu_asked.emit(self._more.mapToGlobal(QPoint(self._more.width(), self._more.height() + 2)))


class SubtitleLabel(QLabel):
    """A caption that ends in three dots where the room is short, with the whole of it as a tooltip."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self.setProperty("role", "caption")
        self.setMinimumWidth(0)

    @property
    def full_text(self) -> str:
        """All that it says, seen or not."""
        return self._text

    def show_text(self, text: str) -> None:
        """Say something else."""
        self._text = text
        self._elide()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        shown = self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, self.width())
        self.setText(shown)
        self.setToolTip(self._text if shown != self._text else "")
