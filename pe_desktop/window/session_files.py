"""Sessions in the window: new, opened, dropped, saved, recent; the window's title names the file."""

import contextlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QEvent, QObject, QStandardPaths, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMessageBox

from pe_desktop.core.state import State, fitted
from pe_desktop.export.session import Session, SessionError, parsed_session, read_session, session_text, write_session
from pe_desktop.files import SESSION_SUFFIX, ExportError, file_content, write_small_file
from pe_desktop.languages import told
from pe_desktop.lessons.shelf import OWN, SUFFIX, TalkError, read_talk
from pe_desktop.lessons.shown import with_step
from pe_desktop.model.encoding_model import Step
from pe_desktop.panels.controls.popups import chosen_file
from pe_desktop.window.main_window import MainWindow

_PRODUCT = "PE Desktop"
MOST_RECENT = 8

_FILTER = f"Session (*{SESSION_SUFFIX})"
_FIRST_NAME = "positions"
_BUTTON = QMessageBox.StandardButton
_HISTORY_NAME, _LARGEST_HISTORY = "history.json", 1_000_000


@dataclass(eq=False)
class _Document:
    """What the window shows: its file, None where it has none, what of it is not understood, and its state there.

    stamp changes when another program writes the file.
    """

    path: Path | None = None
    kept: Mapping[str, Any] = field(default_factory=dict)
    saved: State = field(default_factory=State)
    stamp: tuple[int, ...] = ()


class SessionFiles(QObject):
    """Knows the file that the window shows and which were used last; what fails is said and changes nothing.

    The file belongs to the steps of undo: one that leads back over an opening gives the window its file back.
    """

    recent_changed = Signal()
    # What was done, in one sentence.
    said = Signal(str)

    def __init__(self, window: MainWindow, recent: Sequence[str]) -> None:
        super().__init__(window)
        self._window = window
        self._model = model = window.model
        self._playback = window.playback
        model.document = model.document or _Document(saved=model.state)
        # The files that were opened or saved, the latest first.
        self.recent = tuple(recent)
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        model.history_changed.connect(self._show_title)
        self._show_title()

    @property
    def path(self) -> Path | None:
        """The file that was opened or saved last; None for a session that has none."""
        return self._document.path

    @property
    def _document(self) -> _Document:
        return cast("_Document", self._model.document)

    @property
    def is_changed(self) -> bool:
        """Whether the window shows something else than its file holds, tabs in front apart."""
        return _content(self._model.state) != _content(self._document.saved)

    def new(self) -> None:
        """Show what a first start shows; undo brings back what was seen."""
        if self.may_leave():
            self._playback.pause()
            # An untouched one stays, without a step.
            document = None if self.path is None and not self.is_changed else _Document()
            self._model.set_state(State(), "new session", document)
            self._announce()

    def ask_to_open(self) -> None:
        """Let a person choose a session and show it."""
        from PySide6.QtWidgets import QFileDialog  # noqa: PLC0415 - the first frame asks for no file

        folder, files = str(self._folder()), f"{_FILTER};;*{SUFFIX};;{told('All files')} (*)"
        chosen, _ = QFileDialog.getOpenFileName(self._window, told("Open session"), folder, files)
        if chosen:
            self.open(chosen)

    def open(self, name: str) -> None:
        """Show a session; what can't be opened is said and leaves the window as it is."""
        path = Path(name)
        if name.endswith(SUFFIX):
            self._open_talk(path)
            return
        if not self.may_leave():
            return
        stamp = _stamp(path)
        try:
            session = read_session(path)
        except SessionError as error:
            self._window.show_refusal("Open session", str(error))
            return
        self._playback.pause()
        document = _Document(path, session.kept, session.state, stamp)
        self._model.set_state(session.state, f"opening {path.name}", document)
        document.saved = self._model.state
        self._announce()
        self.said.emit(opened_sentence(path, session))

    def _open_talk(self, path: Path) -> None:
        try:
            talk = read_talk(path)
        except TalkError as error:
            self._window.show_refusal("Open talk", str(error))
            return
        OWN[talk.key] = talk
        self._model.set_state(with_step(self._model.state, talk, 0), f"opening {path.name}")

    def open_recent(self, place: int) -> None:
        """Show one of the recent files; one that is gone leaves the list."""
        name = self.recent[place]
        if not Path(name).exists():
            self.recent = (*self.recent[:place], *self.recent[place + 1 :])
            self.recent_changed.emit()
        self.open(name)

    def take_recent(self, names: Iterable[str]) -> None:
        """Add files that other windows have used meanwhile; one that is gone does not come back."""
        self.recent = tuple(dict.fromkeys((*self.recent, *filter(os.path.exists, names))))[:MOST_RECENT]

    def take(self, path: Path, session: Session) -> None:
        """Name the window after a file, whose session it shows but for changes, which are marked."""
        self._model.document = _Document(path, session.kept, fitted(session.state), _stamp(path))
        self._announce()

    def may_leave(self) -> bool:
        """Ask what becomes of changes that the file of the window lacks; whether something else may be shown."""
        if self.path is None or not self.is_changed:
            return True
        buttons = _BUTTON.Save | _BUTTON.Discard | _BUTTON.Cancel
        answer = self._window.ask("Save session", f"{self.path.name} has changes that are not saved.", buttons)
        return answer == _BUTTON.Discard or (answer == _BUTTON.Save and self.save())

    def save(self) -> bool:
        """Write into the file that is there already, or ask for one; whether it has been written."""
        path, stamp = self.path, self._document.stamp
        if path is None:
            return self.ask_to_save()
        if _stamp(path) not in ((), stamp):
            sentence = f"{path.name} has been changed by another program since it was opened. Save over it?"
            if self._window.ask("Save session", sentence, _BUTTON.Save | _BUTTON.Cancel) != _BUTTON.Save:
                return False
        return self._write(path, True)

    def ask_to_save(self) -> bool:
        """Let a person choose a file and write into it what the window shows; whether it has been written."""
        proposal = str(self.path or _FIRST_NAME)
        chosen = chosen_file(self._window, "Save session", proposal, "Session", SESSION_SUFFIX)
        return chosen is not None and self._write(*chosen)

    def write_history(self, settings_path: Path) -> None:
        """Keep the last steps to undo and to redo for `take_history`: a hundred of each, fewer where they are large."""
        texts = map(self._history_text, (100, 30, 10, 1))
        text = next((text for text in texts if len(text) <= _LARGEST_HISTORY), "")
        write_small_file(settings_path.with_name(_HISTORY_NAME), text)

    def _history_text(self, n_steps: int) -> str:
        done, undone = self._model.done[-n_steps:], self._model.undone[-n_steps:]
        # What the window shows comes first.
        documents = list(dict.fromkeys([self._document, *(step.document for step in (*done, *undone))]))
        files = [(str(one.path or ""), session_text(one.saved, one.kept), one.stamp) for one in documents]
        steps = [(session_text(x.before), documents.index(x.document), x.names, x.raises) for x in (*done, *undone)]
        return json.dumps([files, steps, len(done)])

    def take_history(self, settings_path: Path) -> None:
        """Take the steps that `write_history` has kept, once; what can't be read is dropped."""
        path = settings_path.with_name(_HISTORY_NAME)
        documents = []
        model = self._model
        with contextlib.suppress(Exception):  # whatever a damaged file raises, it must not stop the start
            files, steps, n_done = json.loads(file_content(path, _LARGEST_HISTORY))
            path.unlink()
            for name, text, stamp in files:
                session = parsed_session(text.encode(), name)
                documents.append(_Document(Path(name) if name else None, session.kept, session.state, tuple(stamp)))
            for place, (text, document, names, raises) in enumerate(steps):
                state = parsed_session(text.encode(), "").state
                steps[place] = Step(state, documents[document], tuple(map(str, names)), raises is True)
            model.document, model.done, model.undone = documents[0], steps[:n_done], steps[n_done:]
        if model.undo_names or model.redo_names:
            model.history_changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDropEvent) and event.type() in (QEvent.Type.DragEnter, QEvent.Type.Drop):
            # One file of this machine.
            files = [url.toLocalFile() for url in event.mimeData().urls()]
            if len(files) != 1 or not files[0]:
                return False
            event.acceptProposedAction()
            if not isinstance(event, QDragEnterEvent):
                # It may ask, and whoever carries the file waits for the end of this event.
                QTimer.singleShot(0, self, partial(self.open, files[0]))
            return True
        return super().eventFilter(watched, event)

    def _write(self, path: Path, overwrite: bool) -> bool:
        document = self._document
        try:
            write_session(path, Session(self._model.state, kept=document.kept), overwrite=overwrite)
        except ExportError as error:
            self._window.show_refusal("Save session", str(error))
            return False
        # What changes from here on is a step of its own, so that the title marks it.
        self._model.begin_step()
        self._model.end_step()
        document.path, document.saved, document.stamp = path, self._model.state, _stamp(path)
        self._announce()
        self.said.emit(f"Saved: {path}")
        return True

    def _announce(self) -> None:
        """Show the name of the file, the latest of the recent ones now."""
        if self.path is not None:
            name = str(self.path.absolute())
            self.recent = (name, *(other for other in self.recent if other != name))[:MOST_RECENT]
        self._show_title()
        self.recent_changed.emit()

    def _show_title(self) -> None:
        name = told("Untitled") if self.path is None else self.path.name
        self._window.setWindowTitle(f"{name}[*] – {_PRODUCT}")
        self._window.setWindowModified(self.is_changed)

    def _folder(self) -> Path:
        if self.path is not None:
            return self.path.parent
        return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))


def opened_sentence(path: Path, session: Session) -> str:
    """That a file was opened, and what is to be known of it."""
    return " ".join((f"Opened: {path.name}.", *session.notes))


def _stamp(path: Path) -> tuple[int, ...]:
    """What changes when a file is written anew; empty where there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return ()
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def _content(state: State) -> State:
    """The state without the tabs in front: pressing a tab is no change."""
    return replace(state, views=replace(state.views, front=()))


# A crash loses at most so much.
AUTOSAVE_MILLISECONDS = 5000
# Windows that are open at once, and starts, each keep a state of their own.
_LAST_STATES = ("last-3", "last-2", "last")
# What a last state has beside the names of the state: the file that the window showed.
WINDOWS_FILE = "file"


def last_states(settings_path: Path) -> list[Path]:
    """The files of the last states, the latest first; some may not be there."""
    paths = (settings_path.with_name(f"{name}{SESSION_SUFFIX}") for name in _LAST_STATES)
    return sorted(paths, key=_stamp, reverse=True)


class LastState(QObject):
    """Writes the state when the window is left, and some seconds after a change, in place of the oldest of them."""

    def __init__(self, window: MainWindow, sessions: SessionFiles, settings_path: Path) -> None:
        super().__init__()
        self._settings_path = settings_path
        self.move_to(window, sessions)
        self._path: Path | None = None
        self._written: tuple[int, ...] = ()
        # That is said once.
        self._has_failed = False
        self._timer = QTimer(self, interval=AUTOSAVE_MILLISECONDS, singleShot=True)
        self._timer.timeout.connect(self._on_timeout)
        window.model.history_changed.connect(self._on_history_changed)

    def move_to(self, window: MainWindow, sessions: SessionFiles) -> None:
        """Write what a window shows from now on."""
        self.setParent(window)
        self._window, self._sessions = window, sessions

    def write(self) -> None:
        """Write the state now, whole or not at all; one that could not be read again never replaces another."""
        self._timer.stop()
        if self._path is None or self._written != _stamp(self._path):
            # None is written yet, or another window took its place.
            self._path = last_states(self._settings_path)[-1]
        kept = {} if self._sessions.path is None else {WINDOWS_FILE: str(self._sessions.path.absolute())}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_session(self._path, Session(self._window.model.state, kept), overwrite=True)
            self._written = _stamp(self._path)
        except (ExportError, OSError) as error:
            if not self._has_failed:
                self._window.header.show_message(f"The last state is not kept. {error}")
            self._has_failed = True

    def _on_history_changed(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _on_timeout(self) -> None:
        # Waiting for the disk would be seen as a pause.
        if self._window.playback.is_playing or self._window.model.is_held:
            self._timer.start()
        else:
            self.write()
