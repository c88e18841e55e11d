"""The start of the frozen application: a log before anything else, and a message that a double click can see."""

import contextlib
import ctypes
import io
import os
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path
from typing import TextIO

from pe_desktop.app import main as obey
from pe_desktop.app.command_line import CANNOT_START, COMMANDS
from pe_desktop.app.console import complain, is_session
from pe_desktop.window.error_reports import kept_log, note

CRASHED = 70

_TITLE = "PE Desktop"
_PATIENCE = 600.0  # seconds: a message that nobody reads must not hold the program for ever
_ERROR_ICON = 0x10  # MB_ICONERROR


def main() -> int:
    """Do what the command line asks for, as in a checkout; what keeps a window from opening is logged and shown."""
    _clear_environment(os.environ)
    arguments = sys.argv[1:]
    # A command's words go to its caller, and with --safe-mode nothing is written.
    is_window = not any(word in COMMANDS for word in arguments) and not {"--version", "--safe-mode"} & {*arguments}
    opened = kept_log() if is_window else contextlib.nullcontext()
    # A windowed program on Windows has no streams at all.
    with opened as log, contextlib.redirect_stderr(_Witness(sys.stderr)) as witness:
        try:
            code = obey(arguments)
        except Exception:  # noqa: BLE001 - whatever it is, it must not vanish with a window that never opened
            traceback.print_exc()
            code = CRASHED
        if code in (CANNOT_START, CRASHED):
            has_terminal = sys.__stderr__ is not None and sys.__stderr__.isatty()
            is_clicked = all(map(is_session, arguments)) and not has_terminal
            _tell(witness.text(), log, is_clicked=is_clicked)
    return code


def _clear_environment(environment: MutableMapping[str, str]) -> None:
    """Take out of the environment what others set for a Qt of their own, and what would lead others to ours.

    PyInstaller's starter puts the bundle before the libraries of the system: a file manager or a browser that a link
    opens would load our Qt. This process has read the variable already and doesn't need it any more.
    """
    # It leads Qt to the plugins of another program, which end ours. (QT_PLUGIN_PATH is set to our own before we begin.)
    environment.pop("QT_QPA_PLATFORM_PLUGIN_PATH", None)
    if environment.pop("LD_LIBRARY_PATH", None) is not None and "LD_LIBRARY_PATH_ORIG" in environment:
        environment["LD_LIBRARY_PATH"] = environment.pop("LD_LIBRARY_PATH_ORIG")


class _Witness(io.TextIOBase):
    """A stream that passes everything on, to the log and the stream that there was, and remembers the last of it."""

    def __init__(self, stream: TextIO | None) -> None:
        super().__init__()
        self._stream = stream
        self._kept: list[str] = []

    def text(self) -> str:
        """What was written last, some thousand letters at most."""
        return "".join(self._kept)[-4000:]

    def isatty(self) -> bool:
        """Whether a person watches the stream."""
        return self._stream is not None and self._stream.isatty()

    def write(self, text: str) -> int:
        """Pass the text on."""
        self._kept = [*self._kept[-50:], text]
        if text.strip():
            note(text)
        with contextlib.suppress(OSError, ValueError):
            if self._stream is not None:
                self._stream.write(text)
                self._stream.flush()
        return len(text)


def _tell(text: str, log: Path | None, *, is_clicked: bool) -> None:
    """Name the log, and show what was complained about where nobody reads the standard error."""
    sentence = text.strip().removeprefix("pe-desktop: ")
    if log is not None:
        complain(f"The log is {log}")
        sentence += f"\n\nThe log: {log}"
    if is_clicked:
        show_message(sentence, os.environ, sys.platform)


def show_message(text: str, environment: Mapping[str, str], system: str) -> None:
    """Show the text in a box, by what the system has for it, and wait until it was read; nothing where it has none."""
    if system == "win32":
        ctypes.windll.user32.MessageBoxW(None, text, _TITLE, _ERROR_ICON)  # type: ignore[attr-defined]
        return
    command = _message_command(text, environment, system, shutil.which)
    if command is not None:
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            subprocess.run(command, check=False, timeout=_PATIENCE)  # noqa: S603


def _message_command(
    text: str, environment: Mapping[str, str], system: str, which: Callable[[str], str | None]
) -> list[str] | None:
    """The command that shows the text on macOS or on a Linux desktop, None where there is none or no screen."""
    if system == "darwin":
        quoted = text.replace("\\", "\\\\").replace('"', '\\"')
        return ["osascript", "-e", f'display alert "{_TITLE}" message "{quoted}" as critical']
    if not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        return None
    commands = (
        ["zenity", "--error", "--no-markup", f"--title={_TITLE}", f"--text={text}"],
        ["kdialog", "--title", _TITLE, "--error", text],
        ["xmessage", "-center", text],
    )
    return next((command for command in commands if which(command[0])), None)
