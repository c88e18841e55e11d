"""The first frame of the window comes before what it has no use for, however long that takes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

# Started as by its command; looks when the first frame has passed, before anybody else hears of it, and again later.
PROGRAM = """
import gc, json, sys, threading

def watch():
    import pe_desktop.window.first_frame as room

    class Watched(room.FirstFrame):
        def __init__(self, window):
            super().__init__(window)
            self.passed.connect(look)

    def look():
        from PySide6.QtCore import QTimer
        from PySide6.QtWidgets import QApplication

        names = [thread.name for thread in threading.enumerate()]
        print(json.dumps([[*sys.modules], names, gc.isenabled()]), flush=True)
        QTimer.singleShot(0, lambda: print(json.dumps(gc.isenabled()), flush=True))
        QTimer.singleShot(0, QApplication.quit)

    room.FirstFrame = Watched

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "pe_desktop.window.start":
            sys.meta_path.remove(self)
            watch()

sys.meta_path.insert(0, Finder())
from pe_desktop.app import main
sys.exit(main(["--fresh"]))
"""
# What takes long to load, and what waits for a person to ask for it.
LATER = {
    "pyqtgraph", "numpy.ma", "ssl", "urllib.request", "http.client", "email", "xml.sax", "PySide6.QtOpenGLWidgets",
    "pe_desktop.heat.gl_painter", "pe_desktop.heat.heat_view", "pe_desktop.core.measure.measurements",
    "pe_desktop.core.measure.verdicts", "pe_desktop.core.measure.collisions", "pe_desktop.core.measure.distance_law",
    "pe_desktop.views.properties.scene", "pe_desktop.views.rotation.scene", "pe_desktop.views.four_terms.scene",
    "pe_desktop.window.export_dialog", "pe_desktop.window.settings_dialog", "pe_desktop.window.report_dialog",
    "pe_desktop.window.about",
}  # fmt: skip


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], list[str], bool, bool]:
    """Modules, threads and whether garbage is collected when the first frame has passed; the last also afterwards."""
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "PE_DESKTOP_SETTINGS": str(tmp_path_factory.mktemp("settings")),
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True, timeout=100
    )
    (modules, threads, is_collecting), collects_again = map(json.loads, done.stdout.splitlines())
    return {*modules}, threads, is_collecting, collects_again


def test_the_first_frame_waits_for_no_module_that_it_has_no_use_for(first: tuple[set[str], ...]) -> None:
    assert first[0] & LATER == set()


def test_nothing_is_measured_before_the_first_frame(first: tuple[set[str], list[str], bool, bool]) -> None:
    assert "findings" not in first[1]


def test_garbage_is_collected_from_the_first_frame_on(first: tuple[set[str], list[str], bool, bool]) -> None:
    assert first[2:] == (False, True)
