"""A file that outlives a program that ends without a word: which processes are trying OpenGL just now."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

MARKER_NAME: Final = "opengl-is-being-tried"

_PROC: Final = Path("/proc")
_PATIENCE_SECONDS: Final = 2.0
# What is behind the program's name in /proc/PID/stat: the state is the first word, the start time the twentieth.
_STATE: Final = 0
_START: Final = 19
_DEAD: Final = "ZX"


class CrashMarker:
    """One line for each process that tries OpenGL: its number and when it started.

    A line whose process is not there any more, and any other words, tell of a crash. Where a file can't be read or
    written nothing is remembered.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def tells_of_a_crash(self) -> bool:
        """Whether a process ended while it tried. In doubt it did."""
        try:
            lines = self._path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return False
        return not lines or not all(map(_is_alive, lines))

    def note(self) -> bool:
        """This process begins to try; whether that could be written."""
        return self._write([*(line for line in self._lines() if line != _own_line()), _own_line()])

    def take_back(self) -> None:
        """This process has tried, and is still there."""
        self._write([line for line in self._lines() if line != _own_line()])

    def forget(self) -> None:
        """Whatever happened counts no more; what others try just now does."""
        self._write([line for line in self._lines() if line != _own_line() and _is_alive(line)])

    def _lines(self) -> list[str]:
        try:
            return self._path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []

    def _write(self, lines: list[str]) -> bool:
        try:
            if lines:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            else:
                self._path.unlink(missing_ok=True)
        except OSError:
            return False
        return True


def started(process: int) -> str:
    """When a living process started, in the system's own words; empty if there is none, or the system does not tell.

    Numbers of processes come again; together with the start they don't.
    """
    try:
        return _start_told(process)
    except (OSError, IndexError, subprocess.SubprocessError):
        return ""


def _own_line() -> str:
    return f"{os.getpid()} {started(os.getpid())}".strip()


def _is_alive(line: str) -> bool:
    number, _, start = line.partition(" ")
    return number.isascii() and number.isdigit() and start != "" and started(int(number)) == start


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _QUERY_LIMITED_INFORMATION: Final = 0x1000
    _STILL_ACTIVE: Final = 259

    def _start_told(process: int) -> str:
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = wintypes.HANDLE
        handle: int | None = kernel.OpenProcess(_QUERY_LIMITED_INFORMATION, False, wintypes.DWORD(process))
        if handle is None:
            return ""
        try:
            status = wintypes.DWORD()
            times = [wintypes.FILETIME() for _ in range(4)]
            is_told = kernel.GetExitCodeProcess(wintypes.HANDLE(handle), ctypes.byref(status))
            is_told = is_told and kernel.GetProcessTimes(wintypes.HANDLE(handle), *map(ctypes.byref, times))
            if not is_told or status.value != _STILL_ACTIVE:
                return ""
            return f"{(times[0].dwHighDateTime << 32) + times[0].dwLowDateTime}"
        finally:
            kernel.CloseHandle(wintypes.HANDLE(handle))

else:

    def _start_told(process: int) -> str:
        if _PROC.joinpath("self", "stat").exists():
            words = _PROC.joinpath(str(process), "stat").read_text(encoding="utf-8", errors="replace")
            facts = words.rpartition(")")[2].split()
            return "" if facts[_STATE] in _DEAD else facts[_START]
        command = ["/bin/ps", "-o", "stat=", "-o", "lstart=", "-p", str(process)]
        told = subprocess.run(  # noqa: S603 - a number is all that it is given
            command, capture_output=True, text=True, check=False, timeout=_PATIENCE_SECONDS, env={"LC_ALL": "C"}
        )
        state, *facts = told.stdout.split() or _DEAD
        return "" if state[0] in _DEAD else "-".join(facts)
