"""Where the keyboard goes, how the docks share the room and come back, and how the window ends when it is asked to."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFrame, QMessageBox, QScrollArea, QWidget

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State
from pe_desktop.export.session import read_session
from pe_desktop.panels.scene_panel import ScrolledScenePanel
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.main_window import MainWindow
from pe_desktop.window.panel_menu import PanelMenu
from tests.window.conftest import drag_column, finish, number_row, settle, slider_of, word_row

OpenInstrument = Callable[..., Instrument]
PLOTS = ("clock", "waves", "similarity", "matrix")

ENDED_WINDOW = """
import sys
from PySide6.QtCore import QTimer
from pe_desktop.core.state import State
from pe_desktop.window import start
start.make_application()
QTimer.singleShot(300, lambda: print("ready", flush=True))
sys.exit(start.open_window(State(), "dark"))
"""


@pytest.fixture
def popped_up(monkeypatch: pytest.MonkeyPatch) -> list[tuple[PanelMenu, QPoint]]:
    """Menus and where they were asked to open: the screen of the test is too small to open them there."""
    opened: list[tuple[PanelMenu, QPoint]] = []
    monkeypatch.setattr(PanelMenu, "popup", lambda menu, place: opened.append((menu, place)))
    return opened


def focused() -> QWidget | None:
    return QApplication.focusWidget()


def press(key: Qt.Key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    widget = focused()
    assert widget is not None
    QTest.keyClick(widget, key, modifier)


def places(window: MainWindow) -> dict[str, tuple[int, int, int, int]]:
    frames = {key: window.docks[key].geometry() for key in PLOTS}
    return {key: (frame.x(), frame.y(), frame.width(), frame.height()) for key, frame in frames.items()}


def test_space_plays_after_a_position_was_typed_and_while_the_speed_has_the_focus(instrument: Instrument) -> None:
    edit, speed = instrument.window.transport.position, instrument.window.transport.speed
    QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
    edit.field.selectAll()
    QTest.keyClicks(edit.field, "50")
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Right)
    assert instrument.model.cursor.position == 51.0
    press(Qt.Key.Key_Space)
    is_playing = [instrument.playback.is_playing]
    assert not speed.focusPolicy() & Qt.FocusPolicy.ClickFocus
    speed.setFocus()
    press(Qt.Key.Key_Space)
    is_playing.append(instrument.playback.is_playing)
    assert is_playing == [True, False]
    assert QApplication.activePopupWidget() is None
    press(Qt.Key.Key_Down)
    assert speed.currentIndex() == 3


@pytest.mark.parametrize("change", ["reset", "fold", "close", "float"])
def test_focus_goes_to_a_plot_when_its_widget_vanishes(instrument: Instrument, change: str) -> None:
    window = instrument.window
    number_row(instrument, "base").field.setFocus()
    if change == "reset":
        window.action_set.trigger("reset_layout")
    elif change == "fold":
        window.action_set.trigger("fold_encoding")
    else:
        window.waves.canvas.setFocus()
        dock = window.docks["waves"]
        dock.close() if change == "close" else dock.setFloating(True)
    settle()
    # A dock that floats is a window of its own, which has the keyboard now: it stays on its plot.
    assert focused() is (window.waves.canvas if change == "float" else window.clock.canvas)
    if change == "float":
        return
    window.docks["clock"].close()
    window.docks["waves"].close()
    settle()
    focus = focused()
    assert focus is not None
    assert window.panel("similarity").isAncestorOf(focus)


def test_arrows_move_the_cursor_and_the_view_while_each_pair_has_its_dial(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(d_model=512)
    window, model = instrument.window, instrument.model
    press(Qt.Key.Key_C)
    assert focused() is window.clock.dials
    press(Qt.Key.Key_Right)
    press(Qt.Key.Key_Down)
    assert (model.cursor.position, model.cursor.pair) == (38.0, 5)
    for pair in (255, 0, 130):
        model.move_cursor(pair=pair)
        settle()
        seen = window.clock.dials.visibleRegion().boundingRect()
        (chosen,) = (place.area for place in window.clock.dials.places() if place.is_chosen)
        assert seen.top() - 0.5 <= chosen.y
        assert chosen.bottom <= seen.bottom() + 1.5
    top = window.clock.dials.y()
    press(Qt.Key.Key_PageDown)
    assert window.clock.dials.y() < top


@pytest.mark.parametrize("key", ["rotation", "properties", "rotary"])
def test_arrows_in_a_page_that_scrolls_move_the_cursor(open_instrument: OpenInstrument, key: str) -> None:
    instrument = open_instrument(front=key)
    wait_until_measured(instrument)
    panel = instrument.window.docks[key].panel
    assert isinstance(panel, ScrolledScenePanel)
    before = instrument.model.cursor
    QTest.keyClick(panel.canvas, Qt.Key.Key_Right)
    QTest.keyClick(panel.canvas, Qt.Key.Key_Down)
    assert (instrument.model.cursor.position, instrument.model.cursor.pair) == (before.position + 1, before.pair + 1)


def test_transport_stands_whole_at_the_lower_edge_after_every_resize(instrument: Instrument) -> None:
    window, dock = instrument.window, instrument.window.docks["transport"]
    for size in ((1920, 1058), (1100, 680), (1600, 1000), (1300, 720), (1920, 1058)):
        window.resize(*size)
        settle()
        assert dock.height() == dock.widget().height() == 70
        assert window.height() - dock.geometry().bottom() - 1 == 8


def test_dragged_splitters_are_as_they_were_at_the_next_start(open_instrument: OpenInstrument) -> None:
    window = (first := open_instrument()).window
    docks = window.docks
    window.resizeDocks([docks["clock"], docks["waves"]], [700, 600], Qt.Orientation.Horizontal)
    window.resizeDocks([docks["waves"], docks["matrix"]], [300, 560], Qt.Orientation.Vertical)
    settle()
    left = places(window)
    assert left["clock"][2] > 650
    # Without the geometry: the screen of the test is smaller than the window.
    second = Instrument(State(), replace(first.settings, geometry=""))
    second.window.resize(window.size())
    second.window.show()
    wait_until_measured(second)
    settle()
    found = places(second.window)
    finish(second)
    assert found == left


def test_folding_keeps_the_ratio_of_clock_and_waves(instrument: Instrument) -> None:
    window = instrument.window
    clock, waves = window.docks["clock"], window.docks["waves"]
    drag_column(window, 210)
    settle()
    before = clock.width() / waves.width()
    for _ in range(2):
        window.action_set.trigger("fold_encoding")
        settle()
        assert clock.width() / waves.width() == pytest.approx(before, abs=0.01)


def test_reset_brings_docks_back_that_were_tabbed_by_hand(instrument: Instrument) -> None:
    window, docks = instrument.window, instrument.window.docks
    settle()
    before = places(window)
    for key in ("waves", "similarity", "matrix", "rotation"):
        window.tabifyDockWidget(docks["clock"], docks[key])
    settle()
    assert places(window) != before
    window.action_set.trigger("reset_layout")
    settle()
    assert places(window) == before
    tabs = [dock.objectName() for dock in window.tabifiedDockWidgets(docks["similarity"])]
    assert tabs == ["rotation", "properties"]


def test_passing_wheel_changes_no_choice(instrument: Instrument) -> None:
    window = instrument.window
    for box in (window.transport.speed, word_row(instrument, "layout").box):
        assert box is not None
        before = box.currentIndex()
        for turn in (-120, 120):
            event = QWheelEvent(
                QPointF(5, 5), box.mapToGlobal(QPointF(5, 5)), QPoint(), QPoint(0, turn), Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
            )  # fmt: skip
            QApplication.sendEvent(box, event)
            assert box.currentIndex() == before
    assert (instrument.playback.speed, instrument.model.encoding) == (1.0, SinusoidalEncoding())


def test_field_claims_only_the_shortcuts_of_editing(instrument: Instrument) -> None:
    field = number_row(instrument, "base").field
    field.setFocus()
    for key, is_the_fields in (("E", False), ("B", False), ("K", False), ("C", True), ("Z", True)):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, ord(key), Qt.KeyboardModifier.ControlModifier)
        event.ignore()
        field.event(event)
        assert event.isAccepted() == is_the_fields, key


def test_copying_without_a_readout_of_its_own_takes_the_clocks(instrument: Instrument) -> None:
    window = instrument.window
    for widget in (window.transport.play, slider_of(instrument, "base")):
        QGuiApplication.clipboard().setText("before")
        widget.setFocus()
        window.action_set.trigger("copy_readout")
        assert QGuiApplication.clipboard().text().startswith("pair 4, angle 211.994384")


def test_refusal_stays_above_its_field_when_the_window_is_resized(instrument: Instrument) -> None:
    window, edit = instrument.window, instrument.window.transport.pair
    QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
    edit.field.selectAll()
    QTest.keyClicks(edit.field, "99")
    press(Qt.Key.Key_Return)
    (bubble,) = (
        frame for frame in window.findChildren(QFrame) if frame.property("role") == "bubble" and frame.isVisible()
    )
    assert 100 < bubble.width() <= 380
    for size in ((1920, 1058), (1500, 800)):
        window.resize(*size)
        settle()
        assert (
            bubble.geometry().bottom() + 4 < edit.mapTo(window, QPoint(0, 0)).y() + 1 <= bubble.geometry().bottom() + 6
        )


def test_choosing_a_panel_behind_a_tab_brings_it_to_the_front(instrument: Instrument) -> None:
    window = instrument.window
    action = next(action for action in window.header.menus["Panels"].actions() if action.text() == "Rotation")
    assert (window.docks["rotation"].is_behind, action.isChecked()) == (True, True)
    action.trigger()
    settle()
    assert window.docks["rotation"].geometry().top() > 0
    assert (window.docks["similarity"].is_behind, action.isChecked()) == (True, True)
    action.trigger()
    settle()
    assert (window.docks["rotation"].isHidden(), action.isChecked()) == (True, False)
    action.trigger()
    settle()
    assert window.docks["rotation"].geometry().top() > 0


def test_a_panels_menu_opens_inside_the_window_by_its_button_and_at_the_pointer_by_a_right_click(
    instrument: Instrument, popped_up
) -> None:
    window, canvas = instrument.window, instrument.window.waves.canvas
    row = window.docks["waves"].title_row
    assert row is not None
    row.more.click()
    place = canvas.mapToGlobal(QPoint(60, 50))
    QApplication.sendEvent(canvas, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(60, 50), place))
    (menu, at_button), (_, at_pointer) = popped_up
    assert at_button.x() + menu.sizeHint().width() == row.more.mapToGlobal(QPoint(row.more.width(), 0)).x()
    assert at_pointer == place


def test_every_menu_has_one_column_on_a_screen_640_pixels_high(instrument: Instrument) -> None:
    heights = {name: menu.sizeHint().height() for name, menu in instrument.window.header.menus.items()}
    assert len(heights) > 5
    assert {name: height for name, height in heights.items() if height > 640} == {}


def test_menu_marks_the_chosen_theme_and_buttons_of_dialogs_carry_words_only(instrument: Instrument) -> None:
    actions = instrument.window.action_set.entries
    for choice in ("dark", "system", "light"):
        actions[f"use_{choice}_theme"].trigger()
        marked = {name for name in ("light", "dark", "system") if actions[f"use_{name}_theme"].isChecked()}
        assert marked == {choice}
    instrument.window.action_set.trigger("toggle_theme")
    assert actions["use_dark_theme"].isChecked()
    # Buttons of dialogs carry words only.
    box = QMessageBox(QMessageBox.Icon.Information, "About", "Words", QMessageBox.StandardButton.Ok, instrument.window)
    box.show()
    assert box.button(QMessageBox.StandardButton.Ok).icon().isNull()
    box.close()


def test_ring_of_the_focus_is_for_the_keyboard_only_and_no_scroll_area_takes_it(instrument: Instrument) -> None:
    window = instrument.window
    for canvas in (window.clock.canvas, window.waves.canvas, window.transport.scrubber, window.transport.strip):
        window.setFocus()
        canvas.setFocus(Qt.FocusReason.TabFocusReason)
        assert canvas.shows_focus
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(30, 15))
        assert not canvas.shows_focus
    areas = window.findChildren(QScrollArea)
    assert len(areas) >= 2
    assert {area.focusPolicy() for area in areas} == {Qt.FocusPolicy.NoFocus}


def test_tab_goes_through_the_transport_from_left_to_right(instrument: Instrument) -> None:
    transport = instrument.window.transport
    expected = [
        transport.to_start, transport.back, transport.play, transport.forward, transport.loop, transport.position,
        transport.offset, transport.pair, transport.strip, transport.scrubber, transport.speed, transport.more,
    ]  # fmt: skip
    expected[0].setFocus()
    found = []
    for _ in expected:
        found.append(focused())
        press(Qt.Key.Key_Tab)
    assert found == expected


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab])
@pytest.mark.parametrize("front", ["similarity", "rotation", "derivations", "decoder", "rotary"])
def test_tab_reaches_the_tabs_in_front_and_none_that_is_behind(instrument: Instrument, front, key) -> None:
    instrument.model.set(front=front)
    settle()
    window, found = instrument.window, list[QWidget]()
    while (widget := focused()) is not None and widget not in found:
        found.append(widget)
        # Past what can be pressed within a canvas.
        while focused() is widget:
            press(key)
    for widget in found:
        # Nothing has the keyboard that stands outside the window.
        assert widget.mapTo(window, QPoint(1, 1)).x() > 0
    assert any(window.docks[front].isAncestorOf(widget) for widget in found)


@pytest.mark.parametrize(
    ("before", "front"), [("clock", "decoder"), ("derivations", "code"), ("similarity", "rotation")]
)
def test_the_keyboard_goes_to_the_panel_that_comes_in_front_of_the_one_that_had_it(
    instrument: Instrument, before, front
) -> None:
    instrument.model.set(front=before if before in ("derivations", "similarity") else "similarity")
    settle()
    docks = instrument.window.docks
    docks[before].panel.take_focus()
    if front in docks:
        # As a press on its tab does.
        docks[front].raise_()
    else:
        instrument.model.set(front=front)
    settle()
    assert focused() in docks[front].findChildren(QWidget)


@pytest.mark.parametrize("key", ["waves", "rotation"])
def test_a_panel_that_floats_and_is_docked_by_keys_keeps_the_keyboard(instrument: Instrument, key: str) -> None:
    dock = instrument.window.docks[key]
    dock.bring_forward()
    instrument.window.docks["clock"].panel.take_focus()
    settle()
    for words in ("Pop out", "Dock"):
        dock.panel.take_focus()
        row = dock.title_row
        assert row is not None
        row.more.setFocus(Qt.FocusReason.TabFocusReason)
        press(Qt.Key.Key_Return)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, PanelMenu)
        menu.setActiveAction(next(action for action in menu.actions() if action.text() == words))
        QTest.keyClick(menu, Qt.Key.Key_Return)
        settle()
        assert (dock.isFloating(), dock.is_behind) == (words == "Pop out", False)
        assert focused() in dock.panel.findChildren(QWidget)


@pytest.mark.parametrize("is_floating", [False, True])
@pytest.mark.parametrize("key", ["waves", "rotation", "matrix"])
def test_a_panel_that_the_menu_opens_or_brings_to_the_front_has_the_keyboard(
    instrument: Instrument, key: str, is_floating: bool
) -> None:
    window = instrument.window
    dock, clock = window.docks[key], window.clock.canvas
    # Rotation stands behind Similarity.
    if not dock.is_behind:
        dock.setFloating(is_floating)
        dock.close()
    window.activateWindow()
    settle()
    clock.setFocus()
    window.action_set.trigger(f"show {key}")
    settle()
    assert focused() in dock.panel.findChildren(QWidget)


def test_popped_out_dock_stands_beside_its_place(instrument: Instrument) -> None:
    window = instrument.window
    dock = window.docks["clock"]
    window.move(0, 0)
    before = dock.mapToGlobal(QPoint(0, 0))
    dock.pop_out_or_in()
    room = dock.screen().availableGeometry()
    expected = QPoint(
        max(min(before.x() + 40, room.right() - dock.width()), 0),
        max(min(before.y() + 40, room.bottom() - dock.height()), 0),
    )
    assert dock.pos() == expected
    # The window that it has left keeps the keyboard on a plot, not on the next button.
    settle()
    assert window.focusWidget() is window.waves.canvas
    dock.pop_out_or_in()
    assert not dock.isFloating()


@pytest.mark.skipif(os.name != "posix", reason="Windows sends no such signals")
@pytest.mark.usefixtures("heeded_signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_signal_closes_the_window_and_keeps_the_settings(tmp_path: Path, name: str) -> None:
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_CONFIG_HOME": str(tmp_path),
        "TMPDIR": str(tmp_path),
    }
    with subprocess.Popen(
        [sys.executable, "-c", ENDED_WINDOW], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(getattr(signal, name))
        _, complaints = process.communicate(timeout=30)
    assert complaints == ""
    assert process.returncode == 128 + getattr(signal, name)
    last, settings = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert (last.name, settings.name) == ("last.pesession", "settings.json")
    assert '"theme": "dark"' in settings.read_text()
    assert read_session(last).state.encoding == State().encoding
