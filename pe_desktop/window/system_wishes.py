"""What the system asks for: contrast and less motion by its settings, and that playing rests while nobody sees it."""

import sys

from PySide6 import QtCore
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from pe_desktop.model.playback import Playback


def system_wants_contrast() -> bool:
    """Whether high contrast is switched on."""
    # PySide needs the owner kept while its part is asked.
    hints = QGuiApplication.styleHints()
    return hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast


_CLIENT_AREA_ANIMATION = 0x1042
_PATIENCE_MILLISECONDS = 1000
_MACOS = ("defaults", "read", "com.apple.universalaccess", "reduceMotion")
_GNOME = ("gsettings", "get", "org.gnome.desktop.interface", "enable-animations")


def ask_about_motion(playback: Playback) -> None:
    """Let the system tell playback, which doesn't wait, whether animations are switched off; it may say nothing."""
    if sys.platform == "win32":
        from ctypes import byref, c_int, windll  # noqa: PLC0415 - there alone

        is_animated = c_int(1)
        windll.user32.SystemParametersInfoW(_CLIENT_AREA_ANIMATION, 0, byref(is_animated), 0)
        playback.set("system_reduces", not is_animated.value)
        return
    program, *words = _MACOS if sys.platform == "darwin" else _GNOME
    asked = QtCore.QProcess(playback)

    def take_answer() -> None:
        answer = bytes(asked.readAllStandardOutput().data()).decode(errors="replace").strip()
        playback.set("system_reduces", answer == ("1" if sys.platform == "darwin" else "false"))

    asked.finished.connect(take_answer)
    asked.start(program, words)
    QTimer.singleShot(_PATIENCE_MILLISECONDS, asked.kill)


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
