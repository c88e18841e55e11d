"""The state that the window was left with, in a file beside the settings."""

from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from pe_desktop.core.state import State
from pe_desktop.export.session import SUFFIX, SessionError, read_session, session_text
from pe_desktop.files import write_small_file
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback

# A crash loses at most so much.
AUTOSAVE_MILLISECONDS = 5000


def last_state_path(settings_path: Path) -> Path:
    return settings_path.with_name(f"last{SUFFIX}")


def read_last_state(path: Path) -> tuple[State | None, str]:
    """The state, None where there is none, and a sentence about a file that is damaged, or nothing."""
    try:
        return (read_session(path).state, "") if path.exists() else (None, "")
    except SessionError as error:
        return None, f"The last state could not be read ({error.reason}), so the window starts anew."


class LastState(QObject):
    """Writes the state when the window is left, and some seconds after a change."""

    def __init__(self, model: EncodingModel, playback: Playback, path: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._playback = playback
        self._path = path
        self._timer = QTimer(self, interval=AUTOSAVE_MILLISECONDS, singleShot=True)
        self._timer.timeout.connect(self._on_timeout)
        model.history_changed.connect(self._on_history_changed)

    def write(self) -> None:
        """Write the state now, whole or not at all; where that is impossible, nobody needs to be told."""
        self._timer.stop()
        write_small_file(self._path, session_text(self._model.state))

    def _on_history_changed(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _on_timeout(self) -> None:
        # Waiting for the disk would be seen as a pause.
        if self._playback.is_playing or self._model.is_held:
            self._timer.start()
        else:
            self.write()
