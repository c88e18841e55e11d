"""The start of the frozen application: a log before anything else, and a message that a double click can see."""

import contextlib
import faulthandler
import io
import os
import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Final, TextIO

from pe_desktop import __version__
from pe_desktop.app.arguments import COMMANDS, is_session
from pe_desktop.app.command_line import CANNOT_START
from pe_desktop.app.command_line import main as obey
from pe_desktop.app.console import complain
from pe_desktop.app.message import show_message
from pe_desktop.resources import portable_folder

LOG_NAME: Final = "log.txt"
LARGEST_LOG: Final = 256_000  # bytes: beyond, the next start begins a new one
CRASHED: Final = 70

# It leads Qt to the plugins of another program, which end ours. (QT_PLUGIN_PATH is set to our own before we begin.)
_FOREIGN_VARIABLES: Final = ("QT_QPA_PLATFORM_PLUGIN_PATH",)


def main() -> int:
    """Do what the command line asks for, as in a checkout; what keeps a window from opening is logged and shown."""
    clear_environment(os.environ)
    arguments = sys.argv[1:]
    with _opened_log(arguments) as log, _witnessed(log) as witness:
        try:
            code = obey(arguments)
        except Exception:  # noqa: BLE001 - whatever it is, it must not vanish with a window that never opened
            traceback.print_exc()
            code = CRASHED
        if code in (CANNOT_START, CRASHED):
            is_clicked = all(map(is_session, arguments)) and not _has_terminal()
            _tell(witness.text(), log, is_clicked=is_clicked)
    return code


def clear_environment(environment: MutableMapping[str, str]) -> None:
    """Take out of the environment what others set for a Qt of their own, and what would lead others to ours.

    PyInstaller's starter puts the bundle before the libraries of the system: a file manager or a browser that a link
    opens would load our Qt. This process has read the variable already and doesn't need it any more.
    """
    for name in _FOREIGN_VARIABLES:
        environment.pop(name, None)
    if environment.pop("LD_LIBRARY_PATH", None) is not None and "LD_LIBRARY_PATH_ORIG" in environment:
        environment["LD_LIBRARY_PATH"] = environment.pop("LD_LIBRARY_PATH_ORIG")


def log_folders(environment: Mapping[str, str], system: str) -> Iterator[Path]:
    """Where the log may go, best first: carried along, the system's place, the folder for temporary files."""
    carried = portable_folder(environment)
    if carried is not None:
        yield carried
    with contextlib.suppress(RuntimeError):  # There may be no home at all.
        home = Path.home()
        if system == "win32":
            yield Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "pe_desktop"
        elif system == "darwin":
            yield home / "Library" / "Logs" / "pe_desktop"
        else:
            yield Path(environment.get("XDG_STATE_HOME") or home / ".local" / "state") / "pe_desktop"
    yield from _own_temporary_folder()


def _own_temporary_folder() -> Iterator[Path]:
    """A folder of this user's own among the temporary ones, where others might have laid a link in wait."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"pe_desktop-{user}"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        if os.name != "posix" or (folder.lstat().st_uid == user and not folder.is_symlink()):
            yield folder


def open_log(folders: Iterator[Path]) -> TextIO | None:
    """The log in the first folder that can be written, None where none can."""
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / LOG_NAME
            if path.exists() and path.stat().st_size > LARGEST_LOG:
                path.unlink()
            return path.open("a", encoding="utf-8", errors="backslashreplace")
    return None


class _Witness(io.TextIOBase):
    """A stream that passes everything on, to the streams that there are, and remembers the last of it."""

    def __init__(self, *streams: TextIO | None) -> None:
        super().__init__()
        self._streams = [stream for stream in streams if stream is not None]
        self._kept: list[str] = []

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """UTF-8: what a stream can't write, it escapes itself."""
        return "utf-8"

    def text(self) -> str:
        """What was written last, some thousand letters at most."""
        return "".join(self._kept)[-4000:]

    def isatty(self) -> bool:
        """Whether a person watches the first stream."""
        return bool(self._streams) and self._streams[0].isatty()

    def fileno(self) -> int:
        """The descriptor of the first stream."""
        if not self._streams:
            raise io.UnsupportedOperation("no stream")
        return self._streams[0].fileno()

    def write(self, text: str) -> int:
        """Pass the text on."""
        self._kept = [*self._kept[-50:], text]
        for stream in self._streams:
            with contextlib.suppress(OSError, ValueError):
                stream.write(text)
                stream.flush()
        return len(text)

    def flush(self) -> None:
        """Nothing waits here: each text was passed on at once."""


@contextlib.contextmanager
def _opened_log(arguments: Sequence[str]) -> Iterator[TextIO | None]:
    """The log of a start that opens a window; a command, whose words go to its caller, needs none."""
    is_window = not any(word in COMMANDS for word in arguments) and "--version" not in arguments
    log = _begun_log() if is_window else None
    if log is None:
        yield None
        return
    with log:
        faulthandler.enable(log)  # A crash below Python leaves its trace here.
        yield log
        faulthandler.disable()


def _begun_log() -> TextIO | None:
    log = open_log(log_folders(os.environ, sys.platform))
    if log is not None:
        log.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} pe-desktop {__version__}, {platform.platform()}\n")
        log.flush()
    return log


@contextlib.contextmanager
def _witnessed(log: TextIO | None) -> Iterator[_Witness]:
    """Leads the standard error through a witness; a windowed program on Windows has no streams at all."""
    before = sys.stderr
    witness = _Witness(before, log)
    sys.stderr = witness
    try:
        yield witness
    finally:
        sys.stderr = before


def _tell(text: str, log: TextIO | None, *, is_clicked: bool) -> None:
    """Name the log, and show what was complained about where nobody reads the standard error."""
    sentence = text.strip().removeprefix("pe-desktop: ")
    if log is not None:
        complain(f"The log is {log.name}")
        sentence += f"\n\nThe log: {log.name}"
    if is_clicked:
        show_message(sentence, os.environ, sys.platform)


def _has_terminal() -> bool:
    return sys.__stderr__ is not None and sys.__stderr__.isatty()
