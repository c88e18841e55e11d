"""The window looks as it did when its pictures were accepted, to the pixel; how to see what changed: tests.golden."""

import json
import random
import subprocess
import sys

import pytest
from PySide6.QtGui import QImage

from tests.golden.hashes import PATH, difference, fault_of_versions, hash_of, system, versions
from tests.golden.states import STATES

_N_STATES = 6


def test_the_window_looks_as_accepted_in_states_of_a_sample() -> None:
    if not PATH.exists() or json.loads(PATH.read_text("utf-8"))["system"] != system():
        pytest.skip(f"no pictures have been accepted for {' '.join(system())}")
    seed = random.randrange(10**6)
    names = random.Random(seed).sample([*STATES], _N_STATES)
    command = [sys.executable, "-m", "tests.golden", "check", "--only", *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=110)
    assert done.returncode == 0, f"seed {seed}: {done.stdout}{done.stderr[-2000:]}"


def test_one_pixel_changes_the_hash_and_is_found() -> None:
    before = QImage(30, 20, QImage.Format.Format_RGB32)
    before.fill(0xFF102030)
    after = before.copy()
    after.setPixel(7, 3, 0xFF102031)
    assert hash_of(before) == hash_of(before.copy()) != hash_of(after)
    assert [*zip(*difference(before, after).nonzero(), strict=True)] == [(3, 7)]


def test_pictures_of_another_qt_are_refused_with_what_to_do() -> None:
    assert fault_of_versions(versions()) == ""
    assert "tests.golden accept" in fault_of_versions(versions() | {"Qt": "5.0.0"})
