"""What the system's settings of accessibility ask for."""

import sys

from PySide6.QtCore import QObject, QProcess, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication


def system_wants_contrast() -> bool:
    """Whether high contrast is switched on."""
    # PySide needs the owner kept while its part is asked.
    hints = QGuiApplication.styleHints()
    return hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast


_CLIENT_AREA_ANIMATION = 0x1042
_PATIENCE_MILLISECONDS = 1000
_MACOS = ("defaults", "read", "com.apple.universalaccess", "reduceMotion")
_GNOME = ("gsettings", "get", "org.gnome.desktop.interface", "enable-animations")


class LessMotion(QObject):
    """Tells once what the system says, and nothing where nobody can say it."""

    # Whether animations are switched off.
    answered = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._asked = QProcess(self)
        self._asked.finished.connect(self._on_finished)

    def ask(self) -> None:
        """Ask without waiting."""
        if sys.platform == "win32":
            from ctypes import byref, c_int, windll  # noqa: PLC0415 - there alone

            is_animated = c_int(1)
            windll.user32.SystemParametersInfoW(_CLIENT_AREA_ANIMATION, 0, byref(is_animated), 0)
            self.answered.emit(not is_animated.value)
        else:
            program, *words = _MACOS if sys.platform == "darwin" else _GNOME
            self._asked.start(program, words)
            QTimer.singleShot(_PATIENCE_MILLISECONDS, self._asked.kill)

    def close(self) -> None:
        """Wait for no answer any more."""
        self._asked.kill()
        self._asked.waitForFinished()

    def _on_finished(self) -> None:
        answer = bytes(self._asked.readAllStandardOutput().data()).decode(errors="replace").strip()
        self.answered.emit(answer == ("1" if sys.platform == "darwin" else "false"))
