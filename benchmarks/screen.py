"""The screen that is measured on: the one that is given, else an X server of our own, else none at all."""

import contextlib
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

SERVER = ("Xvfb", "-screen", "0", "1920x1080x24", "+extension", "GLX", "-noreset", "-nolisten", "tcp")
PATIENCE_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Screen:
    """Which variables a program needs to draw there, and what it is in words."""

    variables: dict[str, str]
    words: str


@contextlib.contextmanager
def screen() -> Iterator[Screen]:
    """A screen for as long as it is needed."""
    chosen = os.environ.get("QT_QPA_PLATFORM")
    if chosen:
        yield Screen({}, f"Qt platform {chosen}")
    elif sys.platform != "linux":
        yield Screen({}, "this computer's own screen")
    elif os.environ.get("DISPLAY"):
        yield Screen({"QT_QPA_PLATFORM": "xcb"}, "the X11 screen that DISPLAY names")
    elif shutil.which(SERVER[0]):
        with _own_server() as number:
            yield Screen({"QT_QPA_PLATFORM": "xcb", "DISPLAY": f":{number}"}, "X11 on an Xvfb of its own, 1920x1080")
    else:
        yield Screen({"QT_QPA_PLATFORM": "offscreen"}, "offscreen, because Xvfb is missing: no screen took part")


@contextlib.contextmanager
def _own_server() -> Iterator[str]:
    readable, writable = os.pipe()
    command = [*SERVER, "-displayfd", str(writable)]
    server = subprocess.Popen(command, pass_fds=[writable], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writable)
    try:
        # The server writes the number that it found free once it can be talked to.
        ready, _, _ = select.select([readable], [], [], PATIENCE_SECONDS)
        number = os.read(readable, 16).decode("ascii").strip() if ready else ""
        if not number:
            raise RuntimeError("Xvfb did not start")
        yield number
    finally:
        server.terminate()
        server.wait()
        os.close(readable)
