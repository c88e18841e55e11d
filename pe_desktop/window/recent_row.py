"""The files used last, offered in the header at the start."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from pe_desktop.export.session import SUFFIX
from pe_desktop.panels.controls.buttons import TextButton
from pe_desktop.window.session_files import SessionFiles

_MOST_FILES = 5
_HEIGHT = 24
_WIDEST_TEXT = 220
_GAP = 6


class RecentRow(QWidget):
    """A button for each recent file but the one that is shown, as many as have room."""

    def __init__(self, sessions: SessionFiles) -> None:
        super().__init__()
        self._sessions = sessions
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_GAP)
        self._label = QLabel("Recent")
        self._label.setProperty("role", "caption")
        self._row.addWidget(self._label)
        self._row.addStretch(1)
        self._buttons: list[TextButton] = []
        sessions.recent_changed.connect(self._show_files)
        self._show_files()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _show_files(self) -> None:
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        shown = str(self._sessions.path.absolute()) if self._sessions.path is not None else ""
        places = [place for place, name in enumerate(self._sessions.recent) if name != shown]
        self._buttons = [self._button(place) for place in places[:_MOST_FILES]]
        for number, button in enumerate(self._buttons):
            self._row.insertWidget(1 + number, button)
        self._fit()

    def _button(self, place: int) -> TextButton:
        path = Path(self._sessions.recent[place])
        name = path.stem if path.suffix == SUFFIX else path.name
        button = TextButton(self)
        button.setProperty("role", "file")
        button.setFixedHeight(_HEIGHT)
        button.ensurePolished()
        text = f"{name} – {path.parent.name or path.parent}"
        shown = button.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, _WIDEST_TEXT)
        button.setText(shown.replace("&", "&&"))
        button.setToolTip(f"Open {path}")
        button.setAccessibleName(f"Open {path.name} in {path.parent}")
        button.clicked.connect(partial(self._sessions.open_recent, place))
        return button

    def _fit(self) -> None:
        self._label.setVisible(bool(self._buttons))
        right = self._label.sizeHint().width()
        for button in self._buttons:
            right += _GAP + button.sizeHint().width()
            button.setVisible(right <= self.width())
