"""The log of a start: where it lies, and how it stays small."""

import contextlib
import faulthandler
import logging
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import Final

from pe_desktop import __version__
from pe_desktop.resources import PACKAGE, portable_folder

LOG_NAME: Final = "log.txt"
LARGEST_LOG: Final = 256_000  # bytes; one of this size before it is kept
_LOGGER: Final = logging.getLogger("pe_desktop")


class _LogFile(logging.FileHandler):
    """A log that a crash below Python writes into, too; the handlers of logging that begin anew load a network."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, encoding="utf-8", errors="backslashreplace")
        self.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))

    def emit(self, record: logging.LogRecord) -> None:
        try:
            if self.stream is not None and self.stream.tell() + len(self.format(record)) >= LARGEST_LOG:
                self._put_aside(self.stream)
            super().emit(record)
        except (OSError, ValueError):  # The disk is full, or somebody closed the stream.
            self.handleError(record)

    def _open(self) -> TextIOWrapper:
        stream = super()._open()
        faulthandler.enable(stream)
        return stream

    def _put_aside(self, full: TextIOWrapper) -> None:
        # The next line opens the file again.
        faulthandler.disable()
        full.close()
        self.stream = None
        path = Path(self.baseFilename)
        # Another process may hold it; then it goes on growing.
        with contextlib.suppress(OSError):
            path.replace(path.with_name(f"{path.name}.1"))


@contextlib.contextmanager
def kept_log(folders: Iterator[Path] | None = None) -> Iterator[Path | None]:
    """Keep a log in the first folder that can be written, None where none can; one that is kept already goes on."""
    if log_path() is not None:
        yield log_path()
        return
    handler = _opened(_log_folders(os.environ, sys.platform) if folders is None else folders)
    if handler is None:
        yield None
        return
    # A log that can't be written is no reason to write to the terminal.
    logging.raiseExceptions = False
    _LOGGER.addHandler(handler)
    _LOGGER.setLevel(logging.INFO)
    _LOGGER.propagate = False
    # platform.platform() starts a program that names the processor.
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    _LOGGER.info("pe-desktop %s, Python %s, %s", __version__, platform.python_version(), system)
    try:
        yield Path(handler.baseFilename)
    finally:
        faulthandler.disable()
        _LOGGER.removeHandler(handler)
        with contextlib.suppress(OSError):  # What a full disk refused is refused again.
            handler.close()


def log_path() -> Path | None:
    """The file that is written into now."""
    handlers = [handler for handler in _LOGGER.handlers if isinstance(handler, _LogFile)]
    return Path(handlers[0].baseFilename) if handlers else None


def note(text: str) -> None:
    """Write lines into the log, if there is one."""
    _LOGGER.info("%s", without_names(text.rstrip()))


def without_names(text: str) -> str:
    """The text without the folders of this installation and of the person who uses it."""
    text = text.replace(f"{PACKAGE.parent}{os.sep}", "")
    with contextlib.suppress(RuntimeError):
        home = str(Path.home())
        text = text.replace(home, "~") if len(home) > 1 else text
    return text


def _log_folders(environment: Mapping[str, str], system: str) -> Iterator[Path]:
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


def _opened(folders: Iterator[Path]) -> _LogFile | None:
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / LOG_NAME
            if path.is_file() or not path.exists():  # A pipe or a device would hold the start.
                return _LogFile(path)
    return None
