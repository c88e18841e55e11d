"""The state that the window was left with, in a file beside the settings."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from pe_desktop.core.state import State
from pe_desktop.export.session import SUFFIX, Session, SessionError, read_session, write_session
from pe_desktop.files import ExportError
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.window.settings import set_aside

# A crash loses at most so much.
AUTOSAVE_MILLISECONDS = 5000


def last_state_path(settings_path: Path) -> Path:
    return settings_path.with_name(f"last{SUFFIX}")


def read_last_state(path: Path) -> tuple[State | None, str]:
    """The state, None where there is none, and a sentence about what could not be read, or nothing.

    A file that can't be read at all is kept beside the new one.
    """
    try:
        session = read_session(path) if path.exists() else None
    except SessionError as error:
        kept = set_aside(path, f".unreadable{SUFFIX}")
        return None, f"The last state could not be read ({error.reason}), so the window starts anew{kept}."
    return (None, "") if session is None else (session.state, " ".join(replace(session, kept={}).notes))


class LastState(QObject):
    """Writes the state when the window is left, and some seconds after a change."""

    # Once, in one sentence, why the state can't be written.
    failed = Signal(str)

    def __init__(self, model: EncodingModel, playback: Playback, path: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._playback = playback
        self._path = path
        self._has_failed = False
        self._timer = QTimer(self, interval=AUTOSAVE_MILLISECONDS, singleShot=True)
        self._timer.timeout.connect(self._on_timeout)
        model.history_changed.connect(self._on_history_changed)

    def write(self) -> None:
        """Write the state now, whole or not at all; one that could not be read again never replaces another."""
        self._timer.stop()
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_session(self._path, Session(self._model.state), overwrite=True)
        except (ExportError, OSError) as error:
            if not self._has_failed:
                self.failed.emit(f"The last state is not kept. {error}")
            self._has_failed = True

    def _on_history_changed(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _on_timeout(self) -> None:
        # Waiting for the disk would be seen as a pause.
        if self._playback.is_playing or self._model.is_held:
            self._timer.start()
        else:
            self.write()
