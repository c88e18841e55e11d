"""One panel over the whole screen."""

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QMainWindow, QVBoxLayout

from pe_desktop.window.dock import PanelDock, focus_plot


class FullScreen(QFrame):
    """Covers the window with the content of a dock while the window covers the screen.

    The docks stay where they are. A dock that floats is a window: it covers the screen by itself.
    """

    # Where the docks stood, once the window has its size again.
    left = Signal(QByteArray)

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setProperty("role", "ground")
        self.dock: PanelDock | None = None
        self._state_before = Qt.WindowState.WindowNoState
        self._size_before = QSize()
        # Where the window stood, and how its docks did; None where another panel has been asked for since.
        self.geometry_before = QByteArray()
        self.docks_before: QByteArray | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(0)
        self._column = column
        # Not while the docks are being arranged.
        self._leaving = QTimer(self, interval=0, singleShot=True)
        self._leaving.timeout.connect(self.leave)
        self.hide()

    def toggle(self, dock: PanelDock, docks: QByteArray) -> None:
        """Show a dock over the whole screen, or put it back; docks is where all of them stand."""
        if dock.isFloating() and dock.is_full_screen:
            dock.uncover_screen()
        elif dock.isFloating():
            dock.cover_screen()
        elif self.dock is not None:
            self.leave()
        else:
            self._open(dock, docks)

    def leave(self) -> None:
        """Put the panel back; nothing happens where there is none."""
        dock, self.dock = self.dock, None
        if dock is None:
            return
        dock.visibilityChanged.disconnect(self._on_visibility_changed)
        dock.take_back_content()
        self.hide()
        self._window.setWindowState(self._state_before)
        focus_plot([dock], self._window)

    def _open(self, dock: PanelDock, docks: QByteArray) -> None:
        window = self._window
        self.dock = dock
        self._state_before, self._size_before = window.windowState(), window.size()
        self.geometry_before, self.docks_before = window.saveGeometry(), docks
        for part in dock.give_content():
            self._column.addWidget(part)
            part.show()
        self.setGeometry(window.rect())
        self.show()
        self.raise_()
        dock.visibilityChanged.connect(self._on_visibility_changed)
        window.installEventFilter(self)
        window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)
        focus_plot([dock], window)

    def _on_visibility_changed(self, is_seen: bool) -> None:
        """Another panel has been asked for, or its dock was closed."""
        if not is_seen:
            self.docks_before = None
            self._leaving.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            window = self._window
            if self.dock is not None:
                self.setGeometry(window.rect())
            elif window.size() == self._size_before:
                window.removeEventFilter(self)
                if self.docks_before is not None:
                    focus = window.focusWidget()
                    self.left.emit(self.docks_before)
                    if focus is not None:
                        focus.setFocus(Qt.FocusReason.OtherFocusReason)
        return super().eventFilter(watched, event)
