"""A message box made without Qt: for the start that could not load Qt."""

import contextlib
import ctypes
import shutil
import subprocess
from collections.abc import Callable, Mapping
from typing import Final

_TITLE: Final = "PE Desktop"
PATIENCE: Final = 600.0  # seconds: a message that nobody reads must not hold the program for ever
_ERROR_ICON: Final = 0x10  # MB_ICONERROR


def show_message(text: str, environment: Mapping[str, str], system: str) -> None:
    """Show the text in a box, by what the system has for it, and wait until it was read; nothing where it has none."""
    if system == "win32":
        ctypes.windll.user32.MessageBoxW(None, text, _TITLE, _ERROR_ICON)  # type: ignore[attr-defined]
        return
    command = message_command(text, environment, system, shutil.which)
    if command is not None:
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            subprocess.run(command, check=False, timeout=PATIENCE)  # noqa: S603


def message_command(
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
