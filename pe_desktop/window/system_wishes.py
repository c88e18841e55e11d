"""What the system's settings of accessibility ask for."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication


def system_wants_contrast() -> bool:
    """Whether high contrast is switched on."""
    # PySide needs the owner kept while its part is asked.
    hints = QGuiApplication.styleHints()
    return hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast
