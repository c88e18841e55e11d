"""Sessions in the window: opened from the menu, the command line or a dropped file, saved, named in the title."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, QObject, QStandardPaths, Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QMessageBox

from pe_desktop.draw.theme import themed_icon
from pe_desktop.export.session import SUFFIX, Session, SessionError, read_session, write_session
from pe_desktop.files import ExportError
from pe_desktop.window.main_window import MainWindow

FILTER = f"Session (*{SUFFIX})"
FIRST_NAME = f"positions{SUFFIX}"


class SessionFiles(QObject):
    """Knows which file the window was last opened from or saved to; what fails is said and changes nothing."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._path: Path | None = None
        self._kept: Mapping[str, Any] = {}
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def ask_to_open(self) -> None:
        """Let a person choose a session and show it."""
        chosen, _ = QFileDialog.getOpenFileName(
            self._window, "Open session", str(self._folder()), f"{FILTER};;All files (*)"
        )
        if chosen:
            self.open(chosen)

    def ask_to_save(self) -> None:
        """Let a person choose a file and write into it what the window shows."""
        proposal = self._path or self._folder() / FIRST_NAME
        chosen, _ = QFileDialog.getSaveFileName(self._window, "Save session", str(proposal), FILTER)
        if chosen:
            self.save_chosen(Path(chosen))

    def open(self, name: str) -> None:
        """Show a session; what can't be opened is said and leaves the window as it is."""
        path = Path(name)
        try:
            session = read_session(path)
        except SessionError as error:
            self._refuse("Open session", str(error))
            return
        model = self._window.model
        self._window.playback.pause()
        model.set_state(session.state, "session")
        self._take(path, session)
        self._window.show_message(" ".join((f"Opened: {path.name}.", *session.notes)))

    def save_chosen(self, path: Path) -> None:
        """Save under the name that was chosen, its ending added where it lacks it.

        Qt has asked about the name that was typed: another one that exists is refused, never replaced.
        """
        has_ending = path.suffix.lower() == SUFFIX
        path = path if has_ending else path.with_name(path.name + SUFFIX)
        session = self._session_now()
        try:
            write_session(path, session, overwrite=has_ending)
        except ExportError as error:
            self._refuse("Save session", str(error))
            return
        self._take(path, session)
        self._window.show_message(f"Saved: {path}")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDropEvent) and event.type() in (QEvent.Type.DragEnter, QEvent.Type.Drop):
            name = dropped_file(event.mimeData())
            if not name:
                return False
            event.acceptProposedAction()
            if not isinstance(event, QDragEnterEvent):
                self.open(name)
            return True
        return super().eventFilter(watched, event)

    def _refuse(self, what: str, sentence: str) -> None:
        """Say it in a box in the middle of the window, where people look; it stays until it has been read."""
        box = QMessageBox(QMessageBox.Icon.Warning, what, sentence, QMessageBox.StandardButton.Ok, self._window)
        theme = self._window.theme
        box.setIconPixmap(themed_icon("warn", theme, theme.warn).pixmap(16, 16))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self._window.isVisible():
            box.open()
        else:
            # A clicked file is read before the window is there.
            QTimer.singleShot(0, box.open)

    def _session_now(self) -> Session:
        return Session(self._window.model.state, kept=self._kept)

    def _take(self, path: Path, session: Session) -> None:
        self._path, self._kept = path, session.kept
        self._window.setWindowTitle(f"{path.name} – pe_desktop")

    def _folder(self) -> Path:
        if self._path is not None:
            return self._path.parent
        return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))


def dropped_file(data: QMimeData) -> str:
    """The one file of this machine that is carried, or nothing."""
    files = [url.toLocalFile() for url in data.urls()]
    return files[0] if len(files) == 1 else ""
