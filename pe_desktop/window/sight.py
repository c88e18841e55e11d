"""Playing rests while no window of the program can be seen."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication

from pe_desktop.model.playback import Playback


class Sight(QObject):
    """Tells playback whether a window is on a screen, any of them, for panels may float, and when one is again."""

    def __init__(self, playback: Playback) -> None:
        super().__init__(playback)
        self._playback = playback
        playback.is_seen = self._is_seen

    def _is_seen(self) -> bool:
        windows = QGuiApplication.topLevelWindows()
        if any(window.isExposed() and window.windowState() != Qt.WindowState.WindowMinimized for window in windows):
            return True
        # Only now: each event of a window that is watched goes through Python.
        for window in windows:
            window.installEventFilter(self)
        return False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Expose, QEvent.Type.WindowStateChange) and self._is_seen():
            for window in QGuiApplication.topLevelWindows():
                window.removeEventFilter(self)
            self._playback.wake()
        return super().eventFilter(watched, event)
