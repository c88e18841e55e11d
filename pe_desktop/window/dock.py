"""A dock that looks like a card: the title row, the panel under it."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QCloseEvent, QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QDockWidget, QScrollArea, QVBoxLayout, QWidget

from pe_desktop.draw.theme import Theme
from pe_desktop.panels import Panel
from pe_desktop.panels.controls.buttons import IconButton
from pe_desktop.window.card import CardPart, TitleRow

# How far a dock that pops out comes to stand from where it was, so that it is seen to float.
POP_OUT = QPoint(40, 40)


class PanelDock(QDockWidget):
    """Holds one panel; its object name is the panel's key."""

    # Where the menu was asked for, in the screen's coordinates, and whether its right edge belongs there.
    menu_asked = Signal(QPoint, bool)
    closed = Signal()
    # Whether the dock is open, be it in front or behind another tab.
    open_changed = Signal(bool)

    def __init__(self, panel: Panel, parent: QWidget | None = None) -> None:
        super().__init__(panel.title, parent)
        has_title = panel.has_title
        self.panel = panel
        self.setObjectName(panel.key)
        self.title_row = TitleRow(panel, self) if has_title else None
        self.setTitleBarWidget(self.title_row if self.title_row is not None else QWidget(self))
        if self.title_row is not None:
            self.title_row.menu_asked.connect(self._on_title_menu)
            self.title_row.float_asked.connect(self._on_float_asked)
        self._card = CardPart(is_top=not has_title, is_bottom=True)
        self._column = QVBoxLayout(self._card)
        side = 16 if panel.is_movable else 1
        self._column.setContentsMargins(side, 1, side, 8 if has_title else 1)
        self._column.addWidget(panel)
        panel.installEventFilter(self)
        self.setWidget(self._card)
        if not has_title:
            # The dock, too: without a title Qt finds it a pixel too low and cuts the lower hairline.
            self._card.setFixedHeight(panel.maximumHeight() + 2)
            self.setFixedHeight(panel.maximumHeight() + 2)
        self.visibilityChanged.connect(self._on_visibility_changed)
        features = QDockWidget.DockWidgetFeature
        movable = features.DockWidgetMovable | features.DockWidgetFloatable | features.DockWidgetClosable
        if panel.is_workspace:
            movable = features.DockWidgetClosable
        self.setFeatures(movable if panel.is_movable else features.NoDockWidgetFeatures)
        for area in panel.findChildren(QScrollArea):
            area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.topLevelChanged.connect(self._on_floated)

    @property
    def is_behind(self) -> bool:
        """Whether it is open, but another tab is in front of it: Qt keeps it left of and above the window then."""
        return not self.isHidden() and not self.isFloating() and self.geometry().bottom() < 0

    def setFloating(self, is_floating: bool) -> None:  # noqa: N802 - Qt's name
        is_new = is_floating and not self.isFloating()
        super().setFloating(is_floating)
        if is_new:
            room = self.screen().availableGeometry()
            place = self.pos() + POP_OUT
            right, bottom = room.right() - self.width(), room.bottom() - self.height()
            self.move(max(min(place.x(), right), room.left()), max(min(place.y(), bottom), room.top()))

    def choose(self) -> None:
        """Open it, bring its tab to the front, or close it where it is seen already."""
        if self.isHidden() or self.is_behind:
            self.bring_forward()
        else:
            self.close()

    def bring_forward(self) -> None:
        """Open it, with its tab in front of others."""
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and watched is self.panel and self.is_behind:
            self.panel.set_behind(True)
        return super().eventFilter(watched, event)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if event.isAccepted():
            self.closed.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.panel.is_movable:
            self.menu_asked.emit(event.globalPos(), False)
        else:
            event.ignore()

    def _on_title_menu(self, corner: QPoint) -> None:
        self.menu_asked.emit(corner, True)

    def _on_float_asked(self) -> None:
        if self.features() & QDockWidget.DockWidgetFeature.DockWidgetFloatable:
            self.setFloating(not self.isFloating())

    def _on_floated(self, is_floating: bool) -> None:
        if is_floating:
            focus_plot([self], self)

    def _on_visibility_changed(self, is_seen: bool) -> None:
        self.panel.set_behind(not is_seen and self.isVisible())
        self.open_changed.emit(not self.isHidden())

    def show_theme(self, theme: Theme) -> None:
        """Draw card and panel in another theme."""
        self._card.show_theme(theme)
        if self.title_row is not None:
            self.title_row.show_theme(theme)
        self.panel.show_theme(theme)
        for widget in self.panel.header_widgets():
            if isinstance(widget, IconButton):
                widget.show_theme(theme)

    def take_back_panel(self) -> None:
        """The panel comes home from an overlay."""
        self._column.addWidget(self.panel)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        window = self.parentWidget()
        if self.isFloating() and window is not None:
            QCoreApplication.sendEvent(window, event)
        else:
            super().keyPressEvent(event)


def focus_plot(docks: Sequence[PanelDock], window: QWidget) -> None:
    """Bring the keyboard to where the plain keys act: the first plot that is seen in a window, or else the window."""
    for dock in docks:
        is_seen = dock.isVisible() and not dock.is_behind and dock.window() is window
        children = dock.panel.findChildren(QWidget) if is_seen else []
        for child in children:
            if child.isVisible() and child.focusPolicy() & Qt.FocusPolicy.TabFocus:
                child.setFocus(Qt.FocusReason.OtherFocusReason)
                return
    window.setFocus(Qt.FocusReason.OtherFocusReason)
