"""A row under a page that says how far a computation is, with a way to stop it or to go on."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget


class ProgressRow(QWidget):
    """Hidden until there is something to say."""

    pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = QLabel()
        self._words.setProperty("role", "caption")
        self.button = QPushButton("Cancel")
        self.button.clicked.connect(self.pressed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 4, 0, 4)
        row.addWidget(self._words, 1)
        row.addWidget(self.button)
        self.hide()

    @property
    def words(self) -> str:
        """What it says."""
        return self._words.text()

    def show_share(self, words: str, share: float) -> None:
        """Say what is being computed and how much of it is done, 0 to 1; the button stops it."""
        self.show_state(f"{words}, {100 * share:.0f} %", "Cancel")

    def show_state(self, words: str, way_on: str) -> None:
        """Say something else, and what the button does."""
        self._words.setText(words)
        self.button.setText(way_on)
        self.show()
