"""The first frame of the window comes before what it has no use for, however long that takes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

# Started as by its command; looks when the first frame has passed, before anybody else hears of it, and again later.
PROGRAM = """
import gc, json, sys, threading
from collections import Counter

counts = {"icons": 0, "dressed": 0}

def watch():
    import pe_desktop.draw.theme as theme
    import pe_desktop.window.application as room
    from PySide6.QtCore import QEvent, QObject

    class Dressing(QObject):
        def eventFilter(self, watched, event):
            counts["dressed"] += event.type() == QEvent.Type.StyleChange
            return False

    def draw(*arguments, usual=theme._drawn):
        counts["icons"] += 1
        return usual(*arguments)

    theme._drawn = draw

    class Watched(room.FirstFrame):
        def __init__(self, window):
            super().__init__(window)
            self.passed.connect(look)

    def look():
        from PySide6.QtCore import QTimer
        from PySide6.QtWidgets import QApplication

        names = [thread.name for thread in threading.enumerate()]
        widgets = QApplication.allWidgets()
        counts["widgets"] = len(widgets)
        counts["kinds"] = Counter(type(made).__name__ for widget in widgets for made in widget.children())
        print(json.dumps([[*sys.modules], names, gc.isenabled(), counts]), flush=True)
        QTimer.singleShot(0, lambda: print(json.dumps(gc.isenabled()), flush=True))
        QTimer.singleShot(0, QApplication.quit)

    room.FirstFrame = Watched
    import pe_desktop.window.application as application

    def make(usual=application.make_application):
        made = usual()
        made.installEventFilter(Dressing(made))
        return made

    application.make_application = make

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "pe_desktop.window.start":
            sys.meta_path.remove(self)
            watch()

sys.meta_path.insert(0, Finder())
from pe_desktop.app import main
sys.exit(main(["--fresh"]))
"""
# Looks every 50 ms how many objects a search for garbage goes through, and ends when they are few, or after 60 s.
COUNTING = """
import gc, json, sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

import pe_desktop.window.start as start

class Counting(start.Instrument):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.counts = []
        self.looking = QTimer(self, interval=50)
        self.looking.timeout.connect(self.look)
        self.first_frame.passed.connect(self.looking.start)

    def look(self):
        self.counts.append(len(gc.get_objects()))
        if self.counts[-1] < max(self.counts) / 10 or len(self.counts) > 1200:
            print(json.dumps([max(self.counts), self.counts[-1]]), flush=True)
            QApplication.quit()

start.Instrument = Counting
from pe_desktop.app import main
sys.exit(main(["--fresh"]))
"""
# Draws and measures all that a first start shows.
WHOLE = """
import json, sys

from pe_desktop.core.state import State
from pe_desktop.window.application import Instrument, make_application, wait_until_measured
from pe_desktop.window.settings import Settings

application = make_application()
instrument = Instrument(State(), Settings())
instrument.window.show()
wait_until_measured(instrument)
print(json.dumps([instrument.model.analysis.share, [*sys.modules]]), flush=True)
instrument.close()
"""
# What takes long to load, and what waits for a person to ask for it.
LATER = {
    "pyqtgraph", "numpy.ma", "ssl", "urllib.request", "http.client", "email", "xml.sax", "PySide6.QtOpenGLWidgets",
    "html", "difflib", "socket", "subprocess", "logging.handlers", "secrets", "hashlib",
    "pe_desktop.heat.gl_painter", "pe_desktop.heat.heat_view", "pe_desktop.core.measure.measurements",
    "pe_desktop.core.measure.collisions",
    "pe_desktop.views.properties.scene", "pe_desktop.views.rotation.scene", "pe_desktop.views.four_terms.scene",
    "pe_desktop.window.export_dialog", "pe_desktop.window.settings_dialog",
}  # fmt: skip
# What nothing that a first start shows has a use for.
UNSEEN = {
    "numpy.ma", "pyqtgraph", "PySide6.QtOpenGLWidgets", "pe_desktop.heat.gl_painter",
    "pe_desktop.views.properties.scene", "pe_desktop.views.rotation.scene", "pe_desktop.views.four_terms.scene",
    "pe_desktop.window.export_dialog",
}  # fmt: skip


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Modules, threads, whether garbage is collected and counts at the first frame; whether it is collected later."""
    return told_by(PROGRAM, tmp_path_factory.mktemp("settings"))


@pytest.fixture(scope="module")
def first(told: list[Any]) -> tuple[set[str], list[str], bool, bool]:
    """Modules, threads and whether garbage is collected when the first frame has passed; the last also afterwards."""
    (modules, threads, is_collecting, _counts), collects_again = told
    return {*modules}, threads, is_collecting, collects_again


def told_by(program: str, settings: Path) -> list[Any]:
    """What a program prints, each line as JSON."""
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "PE_DESKTOP_SETTINGS": str(settings),
    }
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True, timeout=100
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_first_frame_waits_for_no_module_that_it_has_no_use_for(first: tuple[set[str], ...]) -> None:
    assert first[0] & LATER == set()


def test_nothing_is_measured_before_the_first_frame(first: tuple[set[str], list[str], bool, bool]) -> None:
    assert "findings" not in first[1]


def test_garbage_is_collected_from_the_first_frame_on(first: tuple[set[str], list[str], bool, bool]) -> None:
    assert first[2:] == (False, True)


def test_only_icons_that_are_seen_are_drawn_for_the_first_frame(told: list[Any]) -> None:
    assert 0 < told[0][3]["icons"] <= 30


def test_each_widget_is_dressed_by_the_style_sheet_once(told: list[Any]) -> None:
    counts = told[0][3]
    assert counts["widgets"] / 2 < counts["dressed"] <= 1.1 * counts["widgets"]


def test_what_only_opens_is_not_made_for_the_first_frame(told: list[Any]) -> None:
    counts = told[0][3]
    assert counts["widgets"] <= 270
    assert {*counts["kinds"]} & {"_Corners", "ControlCard", "_Bubble"} == set()
    assert {*counts["kinds"]} & {"RotationPanel", "PropertiesPanel", "Four-TermsPanel"} == set()
    # Of each dock with a title its menu, or what folds it; the other two are for docks that have left the window.
    assert counts["kinds"]["IconButton"] <= 30


def test_what_is_there_once_everything_is_measured_is_no_longer_searched_for_garbage(tmp_path: Path) -> None:
    ((most, least),) = told_by(COUNTING, tmp_path)
    assert least < most / 10


def test_all_that_a_first_start_shows_is_drawn_and_measured_without_what_nobody_sees(tmp_path: Path) -> None:
    ((share, modules),) = told_by(WHOLE, tmp_path)
    assert share == 1
    assert {*modules} & UNSEEN == set()
