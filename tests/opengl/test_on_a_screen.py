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

SERVER = ("Xvfb", "-screen", "0", "1920x1080x24", "+extension", "GLX", "-noreset", "-nolisten", "tcp")
PATIENCE_SECONDS = 15.0
ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((Path(__file__).parent / "screen").glob("test_*.py"))


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
@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_passes_where_there_is_a_screen_with_opengl(file: Path, display: str) -> None:
    """What a child reports as skipped is no pass: without Mesa this test is skipped too."""
    variables = {**os.environ, "QT_QPA_PLATFORM": "xcb", "DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1"}
    variables.pop("WAYLAND_DISPLAY", None)
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "-p", "no:randomly", str(file)]
    child = subprocess.run(command, env=variables, cwd=ROOT, capture_output=True, text=True, check=False)
    words = child.stdout + child.stderr
    if child.returncode == 0 and re.search(r"\d+ skipped", words):
        pytest.skip(words.strip().splitlines()[-2])
    assert child.returncode == 0, words
    assert re.search(r"\d+ passed", words)
