"""The Encoding dock folded to a rail, from which it opens as an overlay."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from pe_desktop.panels import Panel
from pe_desktop.panels.controls.buttons import IconButton
from pe_desktop.plotting.theme import Theme
from pe_desktop.window.dock import CardPart, PanelDock

RAIL_WIDTH = 44
OVERLAY_WIDTH = 264


class Rail(QDockWidget):
    """A narrow strip with a button that opens the folded panel."""

    opened = Signal()

    def __init__(self, panel: Panel, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.setTitleBarWidget(QWidget(self))
        self._card = CardPart(is_top=True, is_bottom=True)
        self.button = IconButton("sliders", f"{panel.title} (Ctrl+B)", self._card)
        self.button.clicked.connect(self.opened)
        column = QVBoxLayout(self._card)
        column.setContentsMargins(8, 10, 8, 8)
        column.addWidget(self.button)
        column.addStretch(1)
        self.setWidget(self._card)
        self.setFixedWidth(RAIL_WIDTH)

    def show_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._card.show_theme(theme)
        self.button.show_theme(theme)


class Overlay(QFrame):
    """Holds the panel over the others while the dock is folded."""

    closed = Signal()

    def __init__(self, dock: PanelDock, window: QWidget) -> None:
        super().__init__(window)
        self._dock = dock
        self._window = window
        self.setProperty("role", "overlay")
        title = QLabel(dock.panel.title)
        title.setProperty("role", "title")
        self._close = IconButton("close", "Close (Esc)", self)
        self._close.clicked.connect(self.fold)
        row = QHBoxLayout()
        row.setContentsMargins(16, 4, 8, 0)
        row.addWidget(title, 1)
        row.addWidget(self._close)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(1, 4, 1, 8)
        self._column.setSpacing(4)
        self._column.addLayout(row)
        self.hide()

    def show_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._close.show_theme(theme)

    def open_beside(self, rail: QWidget) -> None:
        """Take the panel from its dock and show it beside the rail."""
        self._column.addWidget(self._dock.panel, 1)
        place = rail.mapTo(self._window, QPoint(rail.width() + 8, 0))
        self.setGeometry(place.x(), place.y(), OVERLAY_WIDTH, rail.height())
        self._dock.panel.show()
        self.show()
        self.raise_()
        self._dock.panel.setFocus(Qt.FocusReason.OtherFocusReason)

    def fold(self) -> None:
        """Give the panel back to its dock."""
        if self.isVisible():
            self.hide()
            self._dock.take_back_panel()
            self.closed.emit()
