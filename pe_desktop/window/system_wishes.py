"""What the system asks for: contrast and less motion by its settings, and that playing rests while nobody sees it."""

import sys

from PySide6 import QtCore
from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
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


class Motion(QObject):
    """Reduces the motion of playing where a person has chosen that, or the system asks for it; nobody may say that."""

    # Whether the system's animations are switched off: told once, nothing where nobody can say it.
    answered = Signal(bool)

    def __init__(self, playback: Playback, choice: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._playback = playback
        self._choice = choice
        self._system_reduces = False
        self._asked: QtCore.QProcess | None = None
        self.answered.connect(self._on_answered)

    @property
    def choice(self) -> str:
        """What was chosen, unless the menu of the transport has turned it since."""
        is_reduced = self._playback.is_reduced
        if is_reduced == self._is_reduced_by(self._choice):
            return self._choice
        return "reduced" if is_reduced else "normal"

    def set_choice(self, choice: str) -> None:
        """Take "system", "normal" or "reduced"."""
        self._choice = choice
        self._playback.set_reduced(self._is_reduced_by(choice))

    def ask(self) -> None:
        """Ask the system without waiting."""
        if sys.platform == "win32":
            from ctypes import byref, c_int, windll  # noqa: PLC0415 - there alone

            is_animated = c_int(1)
            windll.user32.SystemParametersInfoW(_CLIENT_AREA_ANIMATION, 0, byref(is_animated), 0)
            self.answered.emit(not is_animated.value)
        else:
            program, *words = _MACOS if sys.platform == "darwin" else _GNOME
            self._asked = asked = QtCore.QProcess(self)
            asked.finished.connect(self._on_finished)
            asked.start(program, words)
            QTimer.singleShot(_PATIENCE_MILLISECONDS, asked.kill)

    def close(self) -> None:
        """Wait for no answer any more."""
        if self._asked is not None:
            self._asked.kill()
            self._asked.waitForFinished()

    def _is_reduced_by(self, choice: str) -> bool:
        return choice == "reduced" or (choice == "system" and self._system_reduces)

    def _on_finished(self) -> None:
        assert self._asked is not None
        answer = bytes(self._asked.readAllStandardOutput().data()).decode(errors="replace").strip()
        self.answered.emit(answer == ("1" if sys.platform == "darwin" else "false"))

    def _on_answered(self, is_wanted: bool) -> None:
        choice = self.choice
        self._system_reduces = is_wanted
        self.set_choice(choice)


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
