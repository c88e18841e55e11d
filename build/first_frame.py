"""How long the frozen application takes to its first frame on an X11 screen, beside the same start from the source.

PYTHONPATH=. .venv/bin/python -m build.first_frame [--rounds N] [--cold]     (Linux, needs Xvfb and a built bundle)
"""

import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.screen import screen
from build import product

PATIENCE: Final = 120.0  # seconds
_ALL_PLANES: Final = 0xFFFFFFFF
_Z_PIXMAP: Final = 2


class _Watcher:
    """Looks at one pixel of an X11 screen that no window manager touches."""

    def __init__(self, display: str) -> None:
        self._x11 = ctypes.CDLL("libX11.so.6")
        for name in ("XOpenDisplay", "XGetImage"):
            getattr(self._x11, name).restype = ctypes.c_void_p
        self._x11.XDefaultRootWindow.restype = self._x11.XGetPixel.restype = ctypes.c_ulong
        self._x11.XDefaultRootWindow.argtypes = self._x11.XDestroyImage.argtypes = [ctypes.c_void_p]
        self._x11.XGetPixel.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
        sizes = [ctypes.c_int, ctypes.c_int, ctypes.c_uint, ctypes.c_uint]
        self._x11.XGetImage.argtypes = [ctypes.c_void_p, ctypes.c_ulong, *sizes, ctypes.c_ulong, ctypes.c_int]
        self._display = self._x11.XOpenDisplay(display.encode())
        self._root = self._x11.XDefaultRootWindow(self._display)

    def is_lit(self) -> bool:
        """Whether something has been drawn where the empty screen is black."""
        image = self._x11.XGetImage(self._display, self._root, 300, 300, 1, 1, _ALL_PLANES, _Z_PIXMAP)
        pixel = self._x11.XGetPixel(image, 0, 0)
        self._x11.XDestroyImage(image)
        return bool(pixel & 0xFFFFFF)


def _first_frame(command: Sequence[str], variables: dict[str, str], watcher: _Watcher) -> float:
    """Seconds from the start of a program until it has drawn; the program is ended then."""
    while watcher.is_lit():
        time.sleep(0.05)
    began = time.perf_counter()
    program = subprocess.Popen(command, env=variables, stderr=subprocess.DEVNULL)
    try:
        while not watcher.is_lit():
            if time.perf_counter() - began > PATIENCE or program.poll() is not None:
                raise RuntimeError(f"{command[0]} drew nothing")
            time.sleep(0.002)
        return time.perf_counter() - began
    finally:
        program.terminate()
        program.wait()


def forget(folder: Path) -> None:
    """Let the system drop the files below a folder from its memory, so that the disk is read again."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            descriptor = os.open(path, os.O_RDONLY)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print a line for each, and their ratio."""
    parser = argparse.ArgumentParser(prog="python -m build.first_frame", description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cold", action="store_true", help="read the files from the disk each time")
    options = parser.parse_args(arguments)
    bundle = product.bundle_folder()
    starts = {
        "frozen": ([str(product.executable(bundle))], bundle),
        "source": ([sys.executable, "-P", "-m", "pe_desktop"], Path(sys.prefix)),
    }
    times: dict[str, list[float]] = {name: [] for name in starts}
    with screen() as place, tempfile.TemporaryDirectory() as home:
        watcher = _Watcher(place.variables.get("DISPLAY") or os.environ["DISPLAY"])
        variables = {**os.environ, **place.variables, "HOME": home, "PYTHONPATH": str(product.ROOT)}
        # The first round fills the memory of the system, and counts for nothing.
        for number in range(options.rounds + 1):
            for name, (command, folder) in starts.items():
                if options.cold:
                    forget(folder)
                seconds = _first_frame(command, variables, watcher)
                times[name] += [seconds] if number else []
    for name, found in times.items():
        print(f"{name}: median {statistics.median(found):.2f} s, least {min(found):.2f} s of {len(found)}")
    ratios = [frozen / source for frozen, source in zip(times["frozen"], times["source"], strict=True)]
    print(f"frozen / source: median {statistics.median(ratios):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
