"""Sessions in the window: new, opened, dropped, saved, recent; the window's title names the file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, QObject, QStandardPaths, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.core.state import State, fitted
from pe_desktop.export.session import SUFFIX, Session, SessionError, read_session, write_session
from pe_desktop.files import ExportError
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback

_PRODUCT = "PE Desktop"
MOST_RECENT = 8

_FILTER = f"Session (*{SUFFIX})"
_FIRST_NAME = f"positions{SUFFIX}"


class SessionFiles(QObject):
    """Knows the file that the window shows and which were used last; what fails is said and changes nothing."""

    recent_changed = Signal()
    # What was done, in one sentence.
    said = Signal(str)
    # What was tried, and in one sentence why it can't be done.
    refused = Signal(str, str)

    def __init__(self, window: QWidget, model: EncodingModel, playback: Playback, recent: Sequence[str] = ()) -> None:
        super().__init__(window)
        self._window = window
        self._model = model
        self._playback = playback
        self._path: Path | None = None
        self._kept: Mapping[str, Any] = {}
        self._saved = model.state
        self._recent = list(recent)
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        model.history_changed.connect(self._show_title)
        self._show_title()

    @property
    def path(self) -> Path | None:
        """The file that was opened or saved last; None for a session that has none."""
        return self._path

    @property
    def recent(self) -> tuple[str, ...]:
        """The files that were opened or saved, the latest first."""
        return tuple(self._recent)

    def new(self) -> None:
        """Show what a first start shows; undo brings back what was seen."""
        self._playback.pause()
        self._model.set_state(State(), "new session")
        self._path, self._kept = None, {}
        self._take_saved()

    def ask_to_open(self) -> None:
        """Let a person choose a session and show it."""
        from PySide6.QtWidgets import QFileDialog  # noqa: PLC0415 - as below

        chosen, _ = QFileDialog.getOpenFileName(
            self._window, "Open session", str(self._folder()), f"{_FILTER};;All files (*)"
        )
        if chosen:
            self.open(chosen)

    def open(self, name: str) -> None:
        """Show a session; what can't be opened is said and leaves the window as it is."""
        path = Path(name)
        try:
            session = read_session(path)
        except SessionError as error:
            self.refused.emit("Open session", str(error))
            return
        self._playback.pause()
        self._model.set_state(session.state, f"opening {path.name}")
        self.take(path, session)
        self.said.emit(opened_sentence(path, session))

    def open_recent(self, place: int) -> None:
        """Show one of the recent files; one that is gone leaves the list."""
        name = self._recent[place]
        if not Path(name).exists():
            del self._recent[place]
            self.recent_changed.emit()
        self.open(name)

    def take(self, path: Path, session: Session) -> None:
        """Name the window after the file of the session that it shows."""
        self._path, self._kept = path, session.kept
        self._take_saved()

    def take_again(self, name: str) -> None:
        """Name the window after the file that it had when it was left, if that is still there; changes are marked."""
        try:
            session = read_session(Path(name)) if name else None
        except SessionError:
            return
        if session is not None:
            self._path, self._kept = Path(name), session.kept
            self._take_saved(fitted(session.state))

    def save(self) -> None:
        """Write into the file that is there already, or ask for one."""
        if self._path is None:
            self.ask_to_save()
        else:
            self._write(self._path, overwrite=True)

    def ask_to_save(self) -> None:
        """Let a person choose a file and write into it what the window shows."""
        proposal = self._path or self._folder() / _FIRST_NAME
        from PySide6.QtWidgets import QFileDialog  # noqa: PLC0415 - the first frame asks for no file

        chosen, _ = QFileDialog.getSaveFileName(self._window, "Save session", str(proposal), _FILTER)
        if chosen:
            self.save_chosen(Path(chosen))

    def save_chosen(self, path: Path) -> None:
        """Save under the name that was chosen, its ending added where it lacks it.

        Qt has asked about the name that was typed: another one that exists is refused, never replaced.
        """
        has_ending = path.suffix.lower() == SUFFIX
        self._write(path if has_ending else path.with_name(path.name + SUFFIX), overwrite=has_ending)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDropEvent) and event.type() in (QEvent.Type.DragEnter, QEvent.Type.Drop):
            name = _dropped_file(event.mimeData())
            if not name:
                return False
            event.acceptProposedAction()
            if not isinstance(event, QDragEnterEvent):
                self.open(name)
            return True
        return super().eventFilter(watched, event)

    def _write(self, path: Path, *, overwrite: bool) -> None:
        try:
            write_session(path, Session(self._model.state, kept=self._kept), overwrite=overwrite)
        except ExportError as error:
            self.refused.emit("Save session", str(error))
            return
        # What changes from here on is a step of its own, so that the title marks it.
        self._model.begin_step()
        self._model.end_step()
        self._path = path
        self._take_saved()
        self.said.emit(f"Saved: {path}")

    def _take_saved(self, saved: State | None = None) -> None:
        self._saved = self._model.state if saved is None else saved
        if self._path is not None:
            name = str(self._path.absolute())
            self._recent = [name, *(other for other in self._recent if other != name)][:MOST_RECENT]
        self._show_title()
        self.recent_changed.emit()

    def _show_title(self) -> None:
        name = "Untitled" if self._path is None else self._path.name
        self._window.setWindowTitle(f"{name}[*] – {_PRODUCT}")
        self._window.setWindowModified(_content(self._model.state) != _content(self._saved))

    def _folder(self) -> Path:
        if self._path is not None:
            return self._path.parent
        return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))


def opened_sentence(path: Path, session: Session) -> str:
    """That a file was opened, and what is to be known of it."""
    return " ".join((f"Opened: {path.name}.", *session.notes))


def _content(state: State) -> State:
    """The state without the tabs in front: pressing a tab is no change."""
    return replace(state, views=replace(state.views, front=()))


def _dropped_file(data: QMimeData) -> str:
    """The one file of this machine that is carried, or nothing."""
    files = [url.toLocalFile() for url in data.urls()]
    return files[0] if len(files) == 1 else ""
