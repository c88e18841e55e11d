"""The window as a whole: what its first frame waits for, what it shows, keeps and leaves behind."""

import gc
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from pe_desktop.app.command_line import SMALLEST_SCREENSHOT
from pe_desktop.core.state import State
from pe_desktop.draw.typefaces import fitting
from pe_desktop.export.session import read_session
from pe_desktop.panels import PANELS
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.card import SubtitleLabel
from pe_desktop.window.dialogs import _about_text
from pe_desktop.window.main_window import SMALLEST
from pe_desktop.window.settings import Settings, read_settings
from pe_desktop.window.start import _default_settings_path, write_screenshot
from tests.window.acting import resize
from tests.window.conftest import OpenInstrument, Watcher, ended, finish, seen

ENDED_WINDOW = """
import sys
from PySide6.QtCore import QTimer
from pe_desktop.core.state import State
from pe_desktop.window import start
start.make_application()
QTimer.singleShot(300, lambda: print("ready", flush=True))
sys.exit(start.open_window(State(), "dark"))
"""


@pytest.mark.parametrize("state", [{}, {"n_positions": 10_000_000, "d_model": 65_536, "position": 9_999_999}])
def test_no_label_is_cut_and_no_panel_overlaps_another(open_instrument: OpenInstrument, state) -> None:
    instrument = open_instrument(**state)
    window = instrument.window
    for size in ((1600, 1000), (1280, 720), (1100, 680)):
        resize(instrument, *size)
        assert (window.width(), window.height()) == size
        labels = (label for label in window.findChildren(QLabel) if type(label) is QLabel and not label.wordWrap())
        worded: list[QLabel | QToolButton] = [*labels, *window.findChildren(QToolButton)]
        for shown in worded:
            if shown.isVisible() and shown.text():
                assert shown.width() >= shown.fontMetrics().horizontalAdvance(shown.text()), shown.text()
        docks = [window.docks[key] for key in sorted(seen(instrument))]
        for number, dock in enumerate(docks):
            for other in docks[number + 1 :]:
                assert not dock.geometry().intersects(other.geometry()), (dock.objectName(), other.objectName())


def test_playing_rests_while_the_window_is_minimised(open_instrument: OpenInstrument, qtbot: QtBot) -> None:
    # What earlier tests left open can be seen, too.
    for left in QGuiApplication.topLevelWindows():
        left.hide()
    instrument = open_instrument()
    instrument.playback.play()
    instrument.window.showMinimized()
    qtbot.waitUntil(lambda: not instrument.playback._timer.isActive())
    position = instrument.model.cursor.position
    qtbot.wait(60)
    assert (instrument.playback.is_playing, instrument.model.cursor.position) == (True, position)
    instrument.window.showNormal()
    qtbot.waitUntil(instrument.playback._timer.isActive)
    assert instrument.model.cursor.position > position


def test_a_theme_dresses_each_widget_a_few_times_however_many_are_around_it(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument()
    dressed = Watcher(instrument.window.findChildren(QWidget), QEvent.Type.StyleChange)
    instrument.live_settings.set(theme="dark")
    assert 1 <= max(dressed.counts.values()) <= 3


def test_window_leaves_no_panel_widget_or_thread_behind_and_opens_no_socket(qapp: QApplication) -> None:
    gc.collect()
    widgets, threads = len(QApplication.allWidgets()), threading.active_count()
    opened: list[object] = []
    is_listening = True

    def listen(event: str, arguments: tuple[object, ...]) -> None:
        if is_listening and event in ("socket.__new__", "socket.connect", "socket.bind"):
            opened.append((event, arguments))

    sys.addaudithook(listen)
    for _ in range(2):
        instrument = Instrument(State(), Settings(theme="light"))
        instrument.window.show()
        wait_until_measured(instrument)
        instrument.model.set_parameter("d_model", "128")
        instrument.playback.play()
        panels = [weakref.ref(instrument.window.panel(panel.key)) for panel in PANELS]
        finish(instrument)
        del instrument
        gc.collect()
        assert [panel() for panel in panels] == [None] * len(panels)
    assert len(QApplication.allWidgets()) == widgets
    assert threading.active_count() == threads
    assert opened == []
    socket.socket().close()
    assert len(opened) == 1, "the hook hears sockets"
    is_listening = False


@pytest.mark.skipif(os.name != "posix", reason="Windows sends no such signals")
@pytest.mark.usefixtures("heeded_signals")
def test_signal_closes_the_window_and_keeps_the_settings(tmp_path: Path, luck: random.Random) -> None:
    number = luck.choice([signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
    places = {"QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    command, pipe = [sys.executable, "-c", ENDED_WINDOW], subprocess.PIPE
    with subprocess.Popen(command, env=os.environ | places, text=True, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        _, complaints = process.communicate(timeout=30)
    assert (process.returncode, complaints) == (128 + number, "")
    last, settings = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert (last.name, settings.name) == ("last.pesession", "settings.json")
    assert '"theme": "dark"' in settings.read_text()
    assert read_session(last).state.encoding == State().encoding


UNREADABLE = "The settings could not be read and start anew; the old file is kept as settings.unreadable.json."


def test_settings_come_back_and_no_file_in_their_place_stops_the_start(tmp_path: Path) -> None:
    settings, path = Settings(theme="dark", speed=8.0, recent=("a.pesession", "b.pesession")), tmp_path / "deep" / "a"
    assert settings.write(path)
    assert read_settings(path) == (settings, "")
    assert not Settings().write(path / "settings.json")
    path = tmp_path / "settings.json"
    for content in (b"", b"[]", b"\xff\xfe\x00", b"[" * 100_000, b"{" * 2_000_000):
        path.write_bytes(content)
        assert read_settings(path) == (Settings(), UNREADABLE)
        assert (tmp_path / "settings.unreadable.json").read_bytes() == content
    # A pipe or a device, where the system has any.
    path.unlink(missing_ok=True)
    for make in (lambda: os.mkfifo(path), lambda: path.symlink_to("/dev/zero")) if hasattr(os, "mkfifo") else ():
        make()
        assert (read_settings(path), path.exists()) == ((Settings(), UNREADABLE), False)


def test_settings_of_the_wrong_kind_count_as_not_given(tmp_path: Path, open_instrument: OpenInstrument) -> None:
    path = tmp_path / "settings.json"
    stored = {
        "theme": "pink", "speed": 10**400, "loops": "yes", "rate": 7, "geometry": "!!", "docks": "AAAA", "more": 1,
        "recent": ["a.pesession", 7],
    }  # fmt: skip
    path.write_text(json.dumps(stored), encoding="utf-8")
    settings, complaint = read_settings(path)
    assert complaint == ""
    assert settings == Settings(geometry="!!", docks="AAAA")
    instrument = Instrument(State(), settings)
    instrument.window.show()
    QApplication.processEvents()
    assert instrument.window.waves.isVisible()
    finish(instrument)


def test_screenshot_has_the_size_and_the_theme_that_were_asked_for(qapp, tmp_path: Path) -> None:
    path = tmp_path / "window.png"
    write_screenshot(path, State(), "dark", 1280, 720)
    image = QImage(str(path))
    assert (image.width(), image.height()) == (1280, 720)
    assert image.pixelColor(2, 2) == QColor("#0e1014")
    assert list(tmp_path.iterdir()) == [path]
    assert SMALLEST_SCREENSHOT == SMALLEST


def test_a_message_stands_below_the_rooms_and_moves_no_panel(window) -> None:
    before = window.waves.canvas.size(), window.transport.pos()
    window.header.show_message("The settings could not be read and start anew.")
    QApplication.processEvents()
    [label] = [some for some in window.findChildren(QLabel) if some.property("role") == "toast" and some.isVisible()]
    assert label.text() == window.header.message == "The settings could not be read and start anew."
    assert window.rect().contains(label.geometry())
    assert label.y() >= window.header.rooms.mapTo(window, window.header.rooms.rect().bottomLeft()).y()
    assert (window.waves.canvas.size(), window.transport.pos()) == before


def test_words_beside_a_title_take_the_form_that_fits_or_end_in_three_dots_and_are_told_whole(qtbot) -> None:
    forms, sentence = ("10 of 10 hold", "10 of 10", "10/10"), "The settings could not be read and start anew."
    fitted, cut = SubtitleLabel(fit=lambda room: fitting("caption", forms, room)), SubtitleLabel()
    texts = []
    cut.resize(60, 20)
    for label, words in ((fitted, forms[0]), (cut, sentence)):
        qtbot.addWidget(label)
        label.show_text(words)
    [shown], [dotted] = fitted.findChildren(QLabel), cut.findChildren(QLabel)
    for words in (*forms, "10"):
        fitted.resize(round(shown.fontMetrics().horizontalAdvance(words)) + 2, 20)
        fitted.show()
        QApplication.processEvents()
        texts.append((shown.text(), fitted.toolTip()))
    assert texts == [(forms[0], ""), (forms[1], forms[0]), (forms[2], forms[0]), ("", forms[0])]
    assert dotted.text().endswith("…")
    assert cut.toolTip() == sentence


def test_menu_marks_the_chosen_theme_and_buttons_of_dialogs_carry_words_only(instrument: Instrument) -> None:
    actions = instrument.window.action_set.entries
    for choice in ("dark", "system", "light"):
        actions[f"use_{choice}_theme"].trigger()
        assert {name for name in ("light", "dark", "system") if actions[f"use_{name}_theme"].isChecked()} == {choice}
    instrument.window.action_set.trigger("toggle_theme")
    assert actions["use_dark_theme"].isChecked()
    box = QMessageBox(QMessageBox.Icon.Information, "About", "Words", QMessageBox.StandardButton.Ok, instrument.window)
    box.show()
    assert box.button(QMessageBox.StandardButton.Ok).icon().isNull()
    box.close()


def test_it_is_called_pe_desktop_everywhere_and_the_settings_stay_in_their_folder(instrument: Instrument) -> None:
    assert (QApplication.applicationName(), QApplication.desktopFileName()) == ("PE Desktop", "pe_desktop")
    assert "PE Desktop 0" in _about_text()
    assert _default_settings_path().parts[-2:] == ("pe_desktop", "settings.json")


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
    "pe_desktop.core.measuring.collisions", "pe_desktop.window.dialogs",
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
