"""Errors of the program itself: logged, told in one dialog with a report to copy, and the state saved beside it."""

import contextlib
import faulthandler
import os
import platform
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import cast

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from pe_desktop import __version__
from pe_desktop.core.state import State, assignments_of, text_of
from pe_desktop.draw.typefaces import CODE, text_font
from pe_desktop.guard import installed
from pe_desktop.heat.renderer import Renderer
from pe_desktop.languages import told
from pe_desktop.panels.controls.buttons import DialogButton, acting
from pe_desktop.panels.controls.layouts import filled, label
from pe_desktop.resources import PACKAGE, bundle_folder, portable_folder
from pe_desktop.window.settings import Settings

LOG_NAME = "log.txt"
LARGEST_LOG = 256_000  # bytes; one of this size before it is kept


class _Log:
    """A file that begins anew where it would be too large; a crash below Python writes into it, too."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._open()

    def _open(self) -> None:
        self.stream = self.path.open("a", encoding="utf-8", errors="backslashreplace")
        faulthandler.enable(self.stream)

    def write(self, text: str) -> None:
        """Write lines with the time. A disk that is full, or a stream that somebody closed, is no reason to stop."""
        line = f"{time.strftime('%Y-%m-%d %H:%M:%S')} {text}\n"
        with contextlib.suppress(OSError, ValueError):
            if self.stream.tell() + len(line) >= LARGEST_LOG:
                self.close()
                # Another process that holds the file lets it go on growing.
                with contextlib.suppress(OSError):
                    self.path.replace(self.path.with_name(f"{self.path.name}.1"))
                self._open()
            self.stream.write(line)
            self.stream.flush()

    def close(self) -> None:
        """Let go of the file. What a full disk refused is refused again."""
        faulthandler.disable()
        with contextlib.suppress(OSError):
            self.stream.close()


# The one that is kept now.
_logs: list[_Log] = []


@contextlib.contextmanager
def kept_log(folders: Iterator[Path] | None = None) -> Iterator[Path | None]:
    """Keep a log in the first folder that can be written, None where none can; one that is kept already goes on."""
    log = None if _logs else _opened(_log_folders(os.environ, sys.platform) if folders is None else folders)
    if log is None:
        yield log_path()
        return
    _logs.append(log)
    # platform.platform() starts a program that names the processor.
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    note(f"pe-desktop {__version__}, Python {platform.python_version()}, {system}")
    try:
        yield log.path
    finally:
        _logs.remove(log)
        log.close()


def log_path() -> Path | None:
    """The file that is written into now."""
    return _logs[0].path if _logs else None


def note(text: str) -> None:
    """Write lines into the log, if there is one."""
    for log in _logs:
        log.write(_without_names(text.rstrip()))


def _without_names(text: str) -> str:
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


def _opened(folders: Iterator[Path]) -> _Log | None:
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / LOG_NAME
            if path.is_file() or not path.exists():  # A pipe or a device would hold the start.
                return _Log(path)
    return None


_HEADING = "Something went wrong inside the program"
_WORDS = "The window stays open; Edit > Undo brings back what was shown before. {saved} Nothing has been sent anywhere."


class ErrorReports(QObject):
    """Takes what no code has caught, in slots, paint events and threads, each error once.

    `save` keeps what is on show and gives the file, None where nothing is written; `info` describes the program.
    """

    _came = Signal(str)

    def __init__(self, window: QWidget, save: Callable[[], Path | None], info: Callable[[], str]) -> None:
        super().__init__(window)
        self._save = save
        self._info = info
        self._reported: set[tuple[object, ...]] = set()
        self._dialog: ReportDialog | None = None
        self._before = sys.excepthook, threading.excepthook
        sys.excepthook = self.take
        threading.excepthook = self._take_from_thread
        # Never inside a paint event or on another thread.
        self._came.connect(self._on_came, Qt.ConnectionType.QueuedConnection)

    def close(self) -> None:
        """The hooks mean again what they meant before."""
        sys.excepthook, threading.excepthook = self._before

    def take(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Log an error and, unless one of the same place has been told, tell it."""
        if not issubclass(kind, Exception):
            self._before[0](kind, error, trace)
            return
        place = (kind, *((code.f_code, line) for code, line in traceback.walk_tb(trace)))
        if place in self._reported:
            return
        self._reported.add(place)
        text = "".join(traceback.format_exception(kind, error, trace))
        note(text)
        with contextlib.suppress(OSError, ValueError):
            # Not sys.stderr, which a frozen program leads into the log as well.
            if sys.__stderr__ is not None:
                sys.__stderr__.write(text)
        self._came.emit(_without_names(text))

    def _take_from_thread(self, failure: threading.ExceptHookArgs) -> None:
        if failure.exc_value is not None:
            self.take(failure.exc_type, failure.exc_value, failure.exc_traceback)

    def _on_came(self, text: str) -> None:
        if self._dialog is not None:
            self._dialog.add(text)
            return
        file = self._save()
        saved = "" if file is None else f"What is on show has been saved: {file}."
        words = _WORDS.format(saved=saved).replace("  ", " ")
        # A modal dialog would keep the pointer and the keys from one that is not its child.
        parent = QApplication.activeModalWidget() or cast("QWidget", self.parent())
        self._dialog = ReportDialog(parent, "PE Desktop", _HEADING, words, f"{text}\n{self._info()}")
        self._dialog.destroyed.connect(self._on_destroyed)
        self._dialog.show()

    def _on_destroyed(self) -> None:
        self._dialog = None


class ReportDialog(QDialog):
    """A heading, what it means, the text, and Copy; it stays open beside the window."""

    def __init__(self, parent: QWidget, title: str, heading: str, words: str, report: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(told(title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        above, self.words = label(heading, "message", wraps=True), label(words, "note", wraps=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.report = QPlainTextEdit(report, readOnly=True, tabChangesFocus=True)
        self.report.setAccessibleName(told("Report"))
        self.report.setFont(text_font(CODE))
        self.report.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.copy = acting(DialogButton("Copy", autoDefault=False), self._on_copy)
        close = acting(DialogButton("Close", default=True), self.close)
        self.buttons = filled(QHBoxLayout(), self.copy, None, close)
        parts = (above, self.words, self.report, self.buttons)
        filled(QVBoxLayout(self), *parts, margins=(20, 18, 20, 16), spacing=12, wide=self.report)
        self.resize(680, 460)
        close.setFocus()

    def add(self, report: str) -> None:
        """Show another report under those that are there."""
        self.report.appendPlainText(f"\n{report}")

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.toPlainText())
        self.copy.setText("Copied")


def system_info(state: State, settings: Settings, renderer: Renderer) -> str:
    """Versions, system, screens, drawing, settings and state that are not the usual ones; no folder of a person."""
    made = "source" if bundle_folder() is None else "frozen"
    usual, now = assignments_of(State()), assignments_of(state)
    lines = [
        f"PE Desktop {__version__} ({made})",
        f"Python {platform.python_version()}, NumPy {np.__version__}, pyqtgraph {installed('pyqtgraph') or 'unknown'}",
        f"Qt {qVersion()}, PySide6 {installed('pyside6_essentials') or 'unknown'}",
        f"{platform.platform()}, Qt platform {QGuiApplication.platformName()}",
        *(
            f"Screen {screen.size().width()} x {screen.size().height()}, {screen.devicePixelRatio():g} dots a pixel"
            for screen in QGuiApplication.screens()
        ),
        f"Heat maps: {renderer.choice}, {'OpenGL' if renderer.is_opengl else 'CPU'}. {renderer.why}",
        *(f"Setting {name} = {value}" for name, value in settings.changed.items()),
        *(f"--set {name}={text_of(name, value)}" for name, value in now.items() if usual.get(name) != value),
        f"Log: {log_path() or 'none'}",
    ]
    return _without_names("\n".join(lines))
