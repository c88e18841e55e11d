"""Runs each file of the folder `screen` in a process of its own, on an X server of its own with Mesa's OpenGL."""

import os
import re
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SERVER = ("Xvfb", "-screen", "0", "2560x1600x24", "+extension", "GLX", "-noreset", "-nolisten", "tcp")
PATIENCE_SECONDS = 15.0
ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent / "screen"
# File, what of it, and device pixels to a logical one.
RUNS = {
    "pictures": ("test_gl_pictures.py", "", "1"),
    "window": ("test_gl_window.py", "not (docks or context)", "1"),
    "docks and contexts": ("test_gl_window.py", "docks or context", "1"),
    "window at 150 %": ("test_gl_window.py", "raster_picture and matrix", "1.5"),
}

WITHOUT_OPENGL = """
from pe_desktop.core.state import State
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.window.application import Instrument, make_application, wait_until_measured
from pe_desktop.window.settings import Settings

application = make_application()
instrument = Instrument(State(), Settings(theme="light", renderer="opengl", had_gpu=True))
instrument.window.show()
wait_until_measured(instrument)
print(instrument.renderer.is_opengl, instrument.renderer.why, sep="; ")
instrument.close()
"""


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """The name of an X server that lives as long as the tests of this file."""
    if shutil.which(SERVER[0]) is None:
        pytest.skip("Xvfb is missing: nothing of OpenGL was tested")
    readable, writable = os.pipe()
    command = [*SERVER, "-displayfd", str(writable)]
    server = subprocess.Popen(command, pass_fds=[writable], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writable)
    try:
        # The server writes the number that it found free once it can be talked to.
        ready, _, _ = select.select([readable], [], [], PATIENCE_SECONDS)
        number = os.read(readable, 16).decode("ascii").strip() if ready else ""
        if not number:
            pytest.skip("Xvfb did not start: nothing of OpenGL was tested")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()
        os.close(readable)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("file", "what", "scale"), RUNS.values(), ids=RUNS)
def test_passes_where_there_is_a_screen_with_opengl(file: str, what: str, scale: str, display: str) -> None:
    """What a child reports as skipped is no pass: without Mesa this test is skipped too."""
    variables = {**os.environ, "QT_QPA_PLATFORM": "xcb", "DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1"}
    variables["QT_SCALE_FACTOR"] = scale
    variables.pop("WAYLAND_DISPLAY", None)
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "-k", what, str(FOLDER / file)]
    child = subprocess.run(command, env=variables, cwd=ROOT, capture_output=True, text=True, check=False)
    words = child.stdout + child.stderr
    if child.returncode == 0 and re.search(r"\d+ skipped", words):
        pytest.skip(words.strip().splitlines()[-2])
    assert child.returncode == 0, words
    assert re.search(r"\d+ passed", words)


def test_the_window_opens_without_opengl_and_prints_nothing(display: str) -> None:
    variables = {**os.environ, "QT_QPA_PLATFORM": "xcb", "DISPLAY": display, "QT_XCB_GL_INTEGRATION": "none"}
    command = [sys.executable, "-c", WITHOUT_OPENGL]
    child = subprocess.run(command, env=variables, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (child.returncode, child.stderr) == (0, "")
    assert child.stdout.strip() == "False; No OpenGL context could be made."


def test_every_file_of_the_folder_is_run() -> None:
    assert {file.name for file in FOLDER.glob("test_*.py")} == {file for file, *_ in RUNS.values()}
