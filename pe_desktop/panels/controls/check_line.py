"""One line of a list of checks: a sign, a name, a number; a press asks for more."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from pe_desktop.draw.theme import Theme, themed_icon
from pe_desktop.panels.controls.buttons import TextButton

HEIGHT = 20
_SIGN_SIDE = 16


class CheckLine(TextButton):
    """A button as wide as the list, of which screen readers read name, verdict and number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "check")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._sign, self._name, self._number = QLabel(), QLabel(), QLabel()
        self._number.setProperty("role", "number")
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for label in (self._sign, self._name, self._number):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            row.addWidget(label, 1 if label is self._name else 0)
        self.setFixedHeight(HEIGHT)

    @property
    def texts(self) -> tuple[str, str]:
        """The name and the number that it shows."""
        return self._name.text(), self._number.text()

    def show_check(self, name: str, verdict: str, number: str, explanation: str) -> None:
        """Show what was found."""
        self._name.setText(name)
        self._number.setText(number)
        self.setToolTip(explanation)
        self.setAccessibleName(f"{name}: {verdict}, {number}")
        self.setAccessibleDescription(explanation)

    def show_sign(self, icon: str, theme: Theme, color: QColor) -> None:
        """Show the sign of a verdict."""
        self._sign.setPixmap(themed_icon(icon, theme, color).pixmap(_SIGN_SIDE, _SIGN_SIDE))

    def sizeHint(self) -> QSize:
        return QSize(self._row.sizeHint().width(), HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, HEIGHT)
