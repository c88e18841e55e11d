"""The window as a whole: keys, docks, folding, themes, lifetime, settings."""

import gc
import json
import math
import os
import re
import socket
import sys
import threading
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton

from pe_desktop.app.command_line import SMALLEST_SCREENSHOT
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.state import State
from pe_desktop.draw.typefaces import fitting
from pe_desktop.panels import PANELS
from pe_desktop.panels.similarity_panel import SimilarityPanel
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.card import SubtitleLabel
from pe_desktop.window.main_window import SMALLEST
from pe_desktop.window.settings import Settings, default_settings_path, read_settings, write_settings
from pe_desktop.window.start import write_screenshot
from pe_desktop.window.system_info import about_text
from tests.window.conftest import finish, number_row

OpenInstrument = Callable[..., Instrument]


def press(instrument: Instrument, key: Qt.Key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(instrument.window.clock.canvas, key, modifier)


def test_every_key_means_one_action_and_every_action_stands_in_a_menu_but_one(instrument: Instrument) -> None:
    rows = instrument.window.action_set.rows.values()
    keys = [row.key for row in rows if row.key]
    assert len(keys) == len(set(keys))
    assert [row.id for row in rows if not row.menu] == ["toggle_theme"]


def test_plain_keys_move_position_offset_pair_pin_and_speed(instrument: Instrument) -> None:
    model, playback = instrument.model, instrument.playback
    press(instrument, Qt.Key.Key_Right)
    press(instrument, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert model.cursor.position == 48.0
    press(instrument, Qt.Key.Key_Left)
    press(instrument, Qt.Key.Key_BracketRight)
    press(instrument, Qt.Key.Key_Down)
    press(instrument, Qt.Key.Key_P)
    assert model.cursor == Cursor(47.0, 9.0, 5, (0, 4, 5, 8))
    press(instrument, Qt.Key.Key_P)
    press(instrument, Qt.Key.Key_Period)
    assert (model.cursor.pinned_pairs, playback.speed) == ((0, 4, 8), 2.0)
    press(instrument, Qt.Key.Key_End)
    assert model.cursor.position == 127.0
    press(instrument, Qt.Key.Key_Home)
    press(instrument, Qt.Key.Key_Space)
    assert (model.cursor.position, playback.is_playing) == (0.0, True)
    press(instrument, Qt.Key.Key_Space)
    assert not playback.is_playing


def test_letters_typed_into_a_field_are_no_commands(instrument: Instrument) -> None:
    field = number_row(instrument, "base").field
    field.setFocus()
    QTest.keyClicks(field, "cp ")
    QTest.keyClick(field, Qt.Key.Key_Left)
    assert instrument.model.state.views.clock.mode == "one"
    assert instrument.model.cursor == Cursor()
    assert not instrument.playback.is_playing


def test_narrow_window_folds_the_encoding_dock_to_a_rail_with_an_overlay(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(width=1280, height=720)
    window = instrument.window
    panel = window.parameters
    assert window.rail.isVisible()
    assert not panel.isVisible()
    QTest.mouseClick(window.rail.button, Qt.MouseButton.LeftButton)
    assert panel.isVisible()
    number_row(instrument, "d_model").field.setText("64")
    QTest.keyClick(number_row(instrument, "d_model").field, Qt.Key.Key_Return)
    assert window.model.encoding.d_model == 64
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not panel.isVisible()
    window.resize(1600, 1000)
    QApplication.processEvents()
    assert (window.rail.isVisible(), panel.isVisible()) == (False, True)


@pytest.mark.parametrize("state", [{}, {"n_positions": 10_000_000, "d_model": 65_536, "position": 9_999_999}])
def test_no_label_is_cut_and_no_panel_overlaps_another(open_instrument: OpenInstrument, state) -> None:
    window = open_instrument(**state).window
    for size in ((1600, 1000), (1280, 720), (1100, 680)):
        window.resize(*size)
        QTest.qWait(20)
        assert (window.width(), window.height()) == size
        for label in window.findChildren(QLabel):
            if type(label) is QLabel and label.isVisible() and label.text() and not label.wordWrap():
                assert label.width() >= label.fontMetrics().horizontalAdvance(label.text()), label.text()
        for button in window.findChildren(QToolButton):
            if button.isVisible() and button.text():
                assert button.width() >= button.fontMetrics().horizontalAdvance(button.text()), button.text()
        docks = [dock for dock in window.docks.values() if dock.isVisible() and not dock.is_behind]
        for number, dock in enumerate(docks):
            for other in docks[number + 1 :]:
                assert not dock.geometry().intersects(other.geometry()), (dock.objectName(), other.objectName())


def test_docks_float_and_return(instrument: Instrument) -> None:
    window = instrument.window
    for key in ("clock", "waves"):
        window.docks[key].setFloating(True)
        QApplication.processEvents()
        instrument.model.move_cursor(position=5.0)
        QApplication.processEvents()
        window.docks[key].setFloating(False)
        QApplication.processEvents()
        assert window.panel(key).isVisible()
    window.docks["clock"].close()
    window.reset_layout()
    QApplication.processEvents()
    assert all(window.panel(panel.key).isVisible() for panel in PANELS)


def test_a_dock_returns_to_its_place_after_it_was_closed_while_it_floated(instrument: Instrument) -> None:
    # QTest.qWait lets Qt delete the animation of a dock, as an event loop does; without that it stays where it floated.
    dock = instrument.window.docks["matrix"]
    QTest.qWait(50)
    home = dock.geometry()
    for _ in range(3):
        dock.setFloating(True)
        QTest.qWait(20)
        assert dock.geometry() != home
        dock.close()
        QTest.qWait(20)
        dock.show()
        QTest.qWait(20)
        assert dock.isFloating()
        dock.setFloating(False)
        QTest.qWait(50)
        assert (dock.isFloating(), dock.geometry()) == (False, home)


def test_theme_changes_everywhere_at_once(instrument: Instrument) -> None:
    window = instrument.window
    for choice, canvas_color in (("dark", "#0e1014"), ("light", "#f1f2f5")):
        instrument.live_settings.set(theme=choice)
        QApplication.processEvents()
        image = window.grab().toImage()
        assert image.pixelColor(3, window.height() - 3) == QColor(canvas_color)
        assert window.clock.canvas.theme.name == choice


def test_window_leaves_no_panel_widget_or_thread_behind(qapp: QApplication) -> None:
    gc.collect()
    widgets, threads = len(QApplication.allWidgets()), threading.active_count()
    for _ in range(3):
        instrument = Instrument(State(), Settings(theme="light"))
        instrument.window.show()
        wait_until_measured(instrument)
        instrument.playback.play()
        panels = [weakref.ref(instrument.window.panel(panel.key)) for panel in PANELS]
        finish(instrument)
        del instrument
        gc.collect()
        assert [panel() for panel in panels] == [None] * len(panels)
    assert len(QApplication.allWidgets()) == widgets
    assert threading.active_count() == threads


def test_no_socket_is_ever_opened(open_instrument: OpenInstrument) -> None:
    opened: list[object] = []
    is_listening = True

    def listen(event: str, arguments: tuple[object, ...]) -> None:
        if is_listening and event in ("socket.__new__", "socket.connect", "socket.bind"):
            opened.append((event, arguments))

    sys.addaudithook(listen)
    instrument = open_instrument()
    instrument.model.set_parameter("d_model", "128")
    instrument.playback.play()
    wait_until_measured(instrument)
    instrument.window.close()
    assert opened == []
    socket.socket().close()
    assert len(opened) == 1, "the hook hears sockets"
    is_listening = False


def test_copy_puts_numbers_and_picture_on_the_clipboard(instrument: Instrument) -> None:
    instrument.window.clock.canvas.setFocus()
    instrument.window.action_set.trigger("copy_readout")
    words = QGuiApplication.clipboard().text()
    assert words.startswith("pair 4, angle 211.9943")
    # All digits: t ω = 3.7, k ω = 0.8.
    numbers = [float(number) for number in re.findall(r"-?\d+\.\d+", words)]
    wanted = [math.degrees(3.7), math.sin(3.7), math.cos(3.7), math.degrees(0.8)]
    assert numbers == pytest.approx(wanted, abs=1e-12)
    instrument.window.action_set.trigger("copy_picture")
    image = QGuiApplication.clipboard().image()
    assert image.width() == 2 * instrument.window.clock.width()


def test_settings_come_back_and_are_no_error_where_they_cannot_be_written(tmp_path: Path) -> None:
    settings, path = Settings(theme="dark", speed=8.0), tmp_path / "deep" / "settings.json"
    assert write_settings(settings, path)
    assert read_settings(path) == (settings, "")
    assert not write_settings(Settings(), path / "settings.json")


def test_broken_settings_file_never_stops_the_start(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    for content in (b"", b"[]", b"\xff\xfe\x00", b"[" * 100_000, b"{" * 2_000_000):
        path.write_bytes(content)
        settings, complaint = read_settings(path)
        assert settings == Settings()
        assert "start anew" in complaint
        assert (tmp_path / "settings.unreadable.json").read_bytes() == content


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_or_a_device_as_settings_is_put_aside_and_never_holds_the_start(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    for make in (lambda: os.mkfifo(path), lambda: path.symlink_to("/dev/zero")):
        make()
        assert read_settings(path) == (
            Settings(),
            "The settings could not be read and start anew; the old file is kept as settings.unreadable.json.",
        )
        assert not path.exists()


def test_settings_of_the_wrong_kind_count_as_not_given(tmp_path: Path, open_instrument: OpenInstrument) -> None:
    path = tmp_path / "settings.json"
    stored = {
        "theme": "pink",
        "speed": 10**400,
        "loops": "yes",
        "rate": 7,
        "geometry": "!!",
        "docks": "AAAA",
        "more": 1,
    }
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


def test_focus_goes_from_panel_to_panel(instrument: Instrument) -> None:
    window = instrument.window
    window.activateWindow()
    seen = set()
    for _ in PANELS:
        window.action_set.trigger("next_panel")
        focus = QApplication.focusWidget()
        here = {panel.key for panel in PANELS if focus is not None and window.panel(panel.key).isAncestorOf(focus)}
        assert not any(window.docks[key].is_behind for key in here)
        seen |= here
    assert seen == {panel.key for panel in PANELS}


def test_a_message_stands_beside_the_menus_and_moves_no_panel(instrument: Instrument) -> None:
    window = instrument.window
    before = window.waves.canvas.size(), window.transport.pos()
    window.show_message("The settings could not be read and start anew.")
    QApplication.processEvents()
    [message] = [some for some in window.header.findChildren(SubtitleLabel) if some.isVisible()]
    [label] = message.findChildren(QLabel)
    assert label.text() == window.header.message == "The settings could not be read and start anew."
    assert (window.waves.canvas.size(), window.transport.pos()) == before


def test_words_beside_a_title_take_the_form_that_fits_and_are_told_whole(qtbot) -> None:
    forms = ("10 of 10 hold", "10 of 10", "10/10")
    label = SubtitleLabel(fit=lambda room: fitting("caption", forms, room))
    qtbot.addWidget(label)
    label.show_text(forms[0])
    [shown] = label.findChildren(QLabel)
    room = shown.fontMetrics().horizontalAdvance
    texts = []
    for words in (*forms, "10"):
        label.resize(room(words) + 2, 20)
        label.show()
        QApplication.processEvents()
        texts.append((shown.text(), label.toolTip()))
    assert texts == [(forms[0], ""), (forms[1], forms[0]), (forms[2], forms[0]), ("", forms[0])]


def test_a_message_without_room_ends_in_three_dots(qtbot) -> None:
    label = SubtitleLabel()
    qtbot.addWidget(label)
    label.resize(60, 20)
    label.show_text("The settings could not be read and start anew.")
    [shown] = label.findChildren(QLabel)
    assert shown.text().endswith("…")
    assert label.toolTip() == "The settings could not be read and start anew."


def test_the_menu_of_colours_changes_range_and_map_of_one_panel_and_says_so(instrument: Instrument) -> None:
    instrument.model.set_parameter("preset", "distances-1000")
    actions = instrument.window.action_set
    actions.refresh()
    entries = {
        actions.entries[row.id].text(): actions.entries[row.id]
        for row in actions.rows.values()
        if row.menu == "View > Colours"
    }
    assert len(entries) == 8
    ticked = [words for words, action in entries.items() if action.isChecked()]
    assert ticked == ["Similarity: over what is seen", "Similarity: as printed (RdBu, PuRd)"]
    entries["Similarity: over what is seen"].trigger()
    entries["Encoding matrix: as printed (RdBu, PuRd)"].trigger()
    views = instrument.model.state.views
    assert (views.similarity.range, views.similarity.colors) == ("whole", "printed")
    assert (views.matrix.range, views.matrix.colors) == ("whole", "printed")
    instrument.model.undo()
    assert instrument.model.state.views.matrix.colors == "theme"
    entries["Similarity: from one value to another…"].trigger()
    panel = instrument.window.panel("similarity")
    assert isinstance(panel, SimilarityPanel)
    assert panel.colors is not None
    assert panel.colors.isVisible()
    panel.colors.hide()


def test_it_is_called_pe_desktop_everywhere_and_the_settings_stay_in_their_folder(instrument: Instrument) -> None:
    assert (QApplication.applicationName(), QApplication.desktopFileName()) == ("PE Desktop", "pe_desktop")
    assert instrument.window.windowTitle().endswith(" – PE Desktop")
    assert "PE Desktop 0" in about_text()
    assert default_settings_path().parts[-2:] == ("pe_desktop", "settings.json")
