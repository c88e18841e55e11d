"""The first frame of the window comes before what it has no use for, however long that takes."""

import json
from pathlib import Path

from tests.window.conftest import ended

# Started as by its command; looks when the first frame has passed, before anybody else hears of it, and again later:
# every 50 ms how many objects a search for garbage goes through, until they are few, or for 60 s.
PROGRAM = """
import gc, json, sys, threading
from collections import Counter

counts, searched = {"icons": 0, "dressed": 0}, []

def watch():
    import pe_desktop.draw.theme as theme
    import pe_desktop.window.application as room
    from PySide6.QtCore import QEvent, QObject, QTimer
    from PySide6.QtWidgets import QApplication

    class Dressing(QObject):
        def eventFilter(self, watched, event):
            counts["dressed"] += event.type() == QEvent.Type.StyleChange
            return False

    def draw(*arguments, usual=theme._IconEngine._drawn):
        counts["icons"] += 1
        return usual(*arguments)

    theme._IconEngine._drawn = draw

    class Watched(room._FirstFrame):
        def __init__(self, window):
            super().__init__(window)
            self.passed.connect(look)

    def look():
        names = [thread.name for thread in threading.enumerate()]
        widgets = QApplication.allWidgets()
        counts["widgets"] = len(widgets)
        counts["kinds"] = Counter(type(made).__name__ for widget in widgets for made in widget.children())
        print(json.dumps([[*sys.modules], names, gc.isenabled(), counts]), flush=True)
        QTimer.singleShot(0, lambda: print(json.dumps(gc.isenabled()), flush=True))
        QTimer.singleShot(0, search)

    def search():
        searched.append(len(gc.get_objects()))
        if searched[-1] >= max(searched) / 10 and len(searched) < 1200:
            QTimer.singleShot(50, search)
            return
        window = next(widget for widget in QApplication.topLevelWidgets() if hasattr(widget, "header"))
        print(json.dumps([max(searched), searched[-1], window.model.analysis.share, [*sys.modules]]), flush=True)
        QApplication.quit()

    room._FirstFrame = Watched
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
# What nothing that a first start shows has a use for.
UNSEEN = {
    "numpy.ma", "pyqtgraph", "PySide6.QtOpenGLWidgets", "pe_desktop.heat.gl_painter", "pe_desktop.window.export_dialog",
}  # fmt: skip
# What panels need that are opened later.
OPENED = {"pe_desktop.views.properties.scene", "pe_desktop.views.rotation.scene", "numpy.random"}
# What takes long to load, and what waits for a person to ask for it.
LATER = UNSEEN | OPENED | {
    "ssl", "urllib.request", "http.client", "email", "xml.sax", "html", "difflib", "socket", "subprocess",
    "logging.handlers", "secrets", "hashlib", "pe_desktop.core.measuring.measurements",
    "pe_desktop.core.measuring.collisions", "pe_desktop.window.settings_dialog", "pe_desktop.window.help",
}  # fmt: skip


def test_the_first_frame_waits_for_no_module_thread_search_for_garbage_or_what_only_opens(tmp_path: Path) -> None:
    # Each line as JSON: at the first frame; whether garbage is collected later; the most and the fewest objects that
    # are searched for it, how much is measured then, and the modules.
    lines = ended(PROGRAM, PE_DESKTOP_SETTINGS=str(tmp_path)).stdout.splitlines()
    (modules, threads, is_collecting, counts), collects_again, (most, least, share, later) = map(json.loads, lines)
    assert {*modules} & LATER == set()
    assert "findings" not in threads
    assert (is_collecting, collects_again) == (False, True)
    # Each widget is dressed once, and what only opens is neither made nor drawn.
    assert 0 < counts["icons"] <= 30
    assert counts["widgets"] / 2 < counts["dressed"] <= 1.1 * counts["widgets"]
    assert counts["widgets"] <= 270
    assert {*counts["kinds"]} & {"_Corners", "ControlCard", "_Bubble"} == set()
    assert {*counts["kinds"]} & {"RotationPanel", "PropertiesPanel", "Four-TermsPanel"} == set()
    # Of each dock with a title its menu, or what folds it; the other two are for docks that have left the window.
    assert counts["kinds"]["IconButton"] <= 30
    # Once all is measured, panels are loaded and no longer searched for garbage.
    assert least < most / 10
    assert share == 1
    assert {*later} & (UNSEEN | OPENED) == OPENED
