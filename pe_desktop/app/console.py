"""The words of the command line: what a person types, as values, and plain lines that no closed pipe can break."""

import contextlib
import os
import sys
import textwrap
import time
import unicodedata
from typing import TextIO

from pe_desktop.core.number_text import NO_BREAK, grouped, held_together
from pe_desktop.files import SESSION_SUFFIX

_INDENT = "  "
PROGRESS_DELAY = 0.5  # seconds: a shorter work needs no progress


def say(*lines: str) -> None:
    """Writes lines to the standard output; a reader that has gone away is no error of ours.

    Raises OSError when the output is a file on a full disk.
    """
    try:
        _write(sys.stdout, "".join(f"{_one_line(line)}\n" for line in lines))
    except OSError as error:
        # What is still buffered is led into nowhere, so that the end of the program doesn't fail on it again.
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
        if not isinstance(error, BrokenPipeError):
            raise


def complain(text: str) -> None:
    """Writes exactly one line to the standard error, whatever letters the text holds."""
    with contextlib.suppress(OSError):
        _write(sys.stderr, f"pe-desktop: {_one_line(text)}\n")


def wrapped(text: str, width: int, first: str = _INDENT) -> list[str]:
    """Lines of a paragraph, indented but for what stands before the first one; no line ends within a number."""
    lines = textwrap.wrap(
        held_together(text), width, initial_indent=first, subsequent_indent=_INDENT, break_long_words=False
    )
    return [line.replace(NO_BREAK, " ") for line in lines]


def _one_line(text: str) -> str:
    """The text with line ends, control characters and undecodable bytes of file names written as escapes."""
    breaks = {letter for letter in text if unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}
    return text.translate({ord(letter): letter.encode("unicode_escape").decode("ascii") for letter in breaks})


class ProgressLine:
    """One line on a terminal that says how far the work is and vanishes; silent where nobody watches."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream if stream is not None and stream.isatty() else None
        self._started_at = time.monotonic()
        self._width = 0

    def show(self, done: int, total: int) -> None:
        """Replaces the line by the share and the number of rows that are done."""
        self.show_share(done / total, f"{grouped(done)} of {grouped(total)} rows")

    def show_share(self, share: float, what: str) -> None:
        """Replaces the line by a share of 0 to 1, in percent, and what is done."""
        if self._stream is None or time.monotonic() - self._started_at < PROGRESS_DELAY:
            return
        text = f"{int(100 * share + 1e-9):3d} %  {what}"
        self._put(text)
        self._width = len(text)

    def close(self) -> None:
        """Takes the line away, so that the next message stands on an empty one."""
        if self._width:
            self._put("")
            self._width = 0

    def _put(self, text: str) -> None:
        with contextlib.suppress(OSError):  # A terminal that was closed must not stop the export.
            _write(self._stream, f"\r{text.ljust(self._width)}\r{text}")


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:  # A program without a console, or a stream that the caller closed.
        return
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


class CommandLineError(ValueError):
    """Something typed that can't be done; the message is one sentence."""


def is_session(word: str) -> bool:
    """Whether a word of the command line names a session's file: its ending says so."""
    return word.lower().endswith(SESSION_SUFFIX) and not word.startswith("-")


def sides_of(text: str) -> tuple[int, int]:
    """The width and the height that a text such as 1280x720 means, in pixels."""
    sides = text.lower().split("x")
    if len(sides) != 2 or not all(side.isascii() and side.isdigit() and len(side) < 6 for side in sides):
        raise CommandLineError(f"--size takes WxH in pixels, for instance 1280x720: {text!r} is not")
    width, height = map(int, sides)
    return width, height
