"""What the system's settings of accessibility ask for."""

import subprocess
import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

_CLIENT_AREA_ANIMATION = 0x1042
_PATIENCE_SECONDS = 1.0


def system_wants_contrast() -> bool:
    """Whether high contrast is switched on."""
    # PySide needs the owner kept while its part is asked.
    hints = QGuiApplication.styleHints()
    return hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast


def system_wants_less_motion() -> bool:
    """Whether animations are switched off; False where nobody can tell. Qt 6.11 doesn't know it."""
    if sys.platform == "win32":
        from ctypes import byref, c_int, windll  # noqa: PLC0415 - there alone

        is_animated = c_int(1)
        windll.user32.SystemParametersInfoW(_CLIENT_AREA_ANIMATION, 0, byref(is_animated), 0)
        return not is_animated.value
    if sys.platform == "darwin":
        return _told("defaults", "read", "com.apple.universalaccess", "reduceMotion") == "1"
    return _told("gsettings", "get", "org.gnome.desktop.interface", "enable-animations") == "false"


def _told(*command: str) -> str:
    try:
        asked = subprocess.run(  # noqa: S603 - words of this file
            command, capture_output=True, text=True, timeout=_PATIENCE_SECONDS, check=False
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return ""
    return asked.stdout.strip()
