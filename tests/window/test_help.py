"""The Help menu, the plain words of every panel, and what keys do."""

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.state import State, value_of
from pe_desktop.lessons.shelf import SHIPPED
from pe_desktop.lessons.shown import with_step
from pe_desktop.panels import PANELS, panel_class
from pe_desktop.views.table import VIEWS
from pe_desktop.window import action_table
from pe_desktop.window import dialogs as window_help
from pe_desktop.window.application import Instrument
from pe_desktop.window.dialogs import _KeysDialog
from pe_desktop.window.error_reports import ReportDialog
from pe_desktop.window.panel_menu import _plain_words
from tests.window.acting import CONTROL, NO_KEY, SHIFT, press, settle, show
from tests.window.conftest import row_of


def test_every_panel_but_the_transport_says_in_plain_words_what_it_shows() -> None:
    keys = {panel.key for panel in PANELS} | {*VIEWS} - {"encoding"}
    for key in keys - {"transport"}:
        words = _plain_words(key)
        assert words.endswith("."), key
        assert len(words) < 360, key


def test_the_ten_minutes_are_a_talk_whose_steps_show_what_they_say_and_can_be_undone(instrument: Instrument) -> None:
    window, model, talk = instrument.window, instrument.model, SHIPPED["ten-minutes"]
    window.action_set.trigger("show_steps")
    settle()
    assert window.docks["lessons"].is_in_front
    instrument.playback.set("motion", "reduced")
    panel: Any = window.panel("lessons")
    assert len(talk.steps) >= 8
    for number, step in enumerate(talk.steps):
        assert model.state.views.lessons.step == number + 1
        shown = with_step(State(), talk, number)
        assert (model.state.encoding, model.state.cursor) == (shown.encoding, shown.cursor), step.title
        if number + 1 < len(talk.steps):
            panel.following.click()
            settle()
    while model.undo_names:
        model.undo()
    assert model.state.encoding == State().encoding


def test_pages_are_opened_where_the_project_has_one_and_not_offered_before(instrument, monkeypatch) -> None:
    actions, opened = instrument.window.action_set, []
    for module in (action_table, window_help):
        monkeypatch.setattr(module, "project_page", lambda: "")
    actions.refresh()
    assert not actions.entries["open_releases"].isVisible()
    for module in (action_table, window_help):
        monkeypatch.setattr(module, "project_page", lambda: "https://example.org/pe")
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(QUrl(url).toString()))
    actions.refresh()
    assert actions.entries["open_releases"].isVisible()
    actions.trigger("open_releases")
    actions.trigger("report_problem")
    [dialog] = instrument.window.findChildren(ReportDialog)
    assert dialog.report.toPlainText() == instrument.system_info()
    [button] = [button for button in dialog.findChildren(QPushButton) if button.text() == "Open the page"]
    button.click()
    assert opened == ["https://example.org/pe/releases", "https://example.org/pe/issues"]


ALT = Qt.KeyboardModifier.AltModifier


def test_plain_keys_move_position_offset_pair_pin_and_speed(instrument: Instrument) -> None:
    model, playback = instrument.model, instrument.playback
    press(Qt.Key.Key_Right)
    press(Qt.Key.Key_Right, modifier=SHIFT)
    assert model.cursor.position == 48.0
    press(Qt.Key.Key_Left, Qt.Key.Key_BracketRight, Qt.Key.Key_Down, Qt.Key.Key_P)
    assert model.cursor == Cursor(47.0, 9.0, 5, (0, 4, 5, 8))
    press(Qt.Key.Key_P, Qt.Key.Key_Period, Qt.Key.Key_End)
    assert (model.cursor.pinned_pairs, model.cursor.position, playback.speed) == ((0, 4, 8), 127.0, 2.0)
    press(Qt.Key.Key_Home, Qt.Key.Key_Space)
    assert (model.cursor.position, playback.is_playing) == (0.0, True)
    press(Qt.Key.Key_Space)
    assert not playback.is_playing


# The plot in front, what its keys zoom, and what is held with them.
ZOOMED = [
    ("clock", ("span",), NO_KEY),
    ("waves", ("span",), NO_KEY),
    ("matrix", ("span", "matrix.rows"), NO_KEY),
    ("matrix", ("span",), ALT),
    ("similarity", ("similarity.rows", "similarity.columns"), NO_KEY),
    ("similarity", ("similarity.offsets",), ALT),
    ("look-back", ("look-back.rows", "look-back.columns"), NO_KEY),
    ("look-back", ("look-back.offsets",), ALT),
    ("decoder", ("span",), NO_KEY),
]


def test_plus_and_minus_zoom_the_plot_that_has_the_keyboard_and_f_shows_all_again(instrument) -> None:
    state = instrument.model.state
    for front, names, modifier in ZOOMED:
        show(instrument, front=front)
        instrument.window.panel(front).take_focus()
        spans = []
        for key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            press(key, modifier=modifier)
            spans.append([value_of(instrument.model.state, name) for name in names])
        for first, narrower, wider in zip(*spans, strict=True):
            assert narrower.width < 0.8 * first.width
            assert wider is None or wider.width > narrower.width
        others = {"span", "matrix.rows", "similarity.rows", "similarity.offsets"} - {*names}
        assert all(value_of(instrument.model.state, name) == value_of(state, name) for name in others), front
        press(Qt.Key.Key_F)
        assert all(value_of(instrument.model.state, name) == value_of(state, name) for name in names), front


def test_zooming_by_keys_keeps_t_the_pair_and_the_largest_offset_in_view(instrument, model) -> None:
    show(instrument, n_positions=100_000, d_model=512, pair=100)
    instrument.window.matrix.canvas.setFocus()
    for position in (0, 70_000, 99_999):
        model.set(position=position)
        press(*[Qt.Key.Key_Plus] * 40)
        shown, rows = model.state.shown_span, model.state.views.matrix.rows
        assert shown.width < 60
        assert shown.first <= position <= shown.last
        assert rows.first <= 201 <= rows.last
        press(Qt.Key.Key_F, Qt.Key.Key_Z)
        near = model.state.shown_span
        assert near.first <= position <= near.last == near.first + 64
        press(Qt.Key.Key_F)
    show(instrument, front="similarity", n_positions=10_000, position=5_000)
    instrument.window.panel("similarity").take_focus()
    for offset in (-9_999, 9_999):
        model.set(offset=offset)
        press(*[Qt.Key.Key_Plus] * 10, modifier=ALT)
        span = value_of(instrument.model.state, "similarity.offsets")
        assert span.width < 500
        assert span.first - 1 <= offset <= span.last + 1
        press(Qt.Key.Key_F)


def test_control_with_an_arrow_looks_further_that_way_and_leaves_the_cursor(instrument) -> None:
    for front, key, name, sign in (
        ("waves", Qt.Key.Key_Right, "span", 1),
        ("waves", Qt.Key.Key_Left, "span", -1),
        ("matrix", Qt.Key.Key_Down, "matrix.rows", 1),
        ("matrix", Qt.Key.Key_Up, "matrix.rows", -1),
        ("similarity", Qt.Key.Key_Down, "similarity.rows", 1),
        ("similarity", Qt.Key.Key_Left, "similarity.columns", -1),
    ):
        instrument.window.panel(front).take_focus()
        press(*[Qt.Key.Key_Plus] * 4)
        before, cursor = value_of(instrument.model.state, name), instrument.model.cursor
        press(key, modifier=CONTROL)
        after = value_of(instrument.model.state, name)
        assert (after.first - before.first) * sign > 0
        assert after.width == pytest.approx(before.width)
        assert instrument.model.cursor == cursor
        press(Qt.Key.Key_F)


def test_keys_of_the_caret_stay_with_a_field_and_a_sign_behind_shift_zooms(instrument: Instrument) -> None:
    field = row_of(instrument, "base").field
    field.setFocus()
    field.setCursorPosition(3)
    QTest.keyClick(field, Qt.Key.Key_Left, CONTROL)
    assert field.cursorPosition() < 3
    assert instrument.model.state.span is None
    instrument.window.waves.canvas.setFocus()
    press(Qt.Key.Key_Plus, modifier=SHIFT)
    assert instrument.model.state.span is not None


def sheet(instrument: Instrument) -> Any:
    QTest.keyClick(instrument.window.clock.canvas, Qt.Key.Key_F1)
    return instrument.window.findChild(_KeysDialog)


def texts(dialog: Any) -> list[str]:
    return [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]


def test_f1_shows_the_keys_of_all_actions_and_panels_once_and_escape_closes(instrument: Instrument) -> None:
    dialog = sheet(instrument)
    assert sheet(instrument) is dialog
    told, found = texts(dialog), []
    for row in instrument.window.action_set.rows.values():
        for key in filter(None, (row.key, row.other_key)):
            found.append(QKeySequence(key).toString())
            native = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
            assert not row.title_now or any(native in text.split(", ") for text in told), row.id
            assert not row.title_now or row.title_now in told
    # No key means two things.
    assert len(found) == len(set(found))
    assert [row.id for row in instrument.window.action_set.rows.values() if not row.menu] == ["toggle_theme"]
    for panel in (*PANELS, *map(panel_class, ("attention", "compare", "rotary"))):
        assert all(words in told for words in panel.keys.values())
    dialog.search.setText("ten positions")
    assert {text for text in texts(dialog) if "positions" in text} == {"Ten positions back", "Ten positions on"}
    dialog.search.setText("dock")
    assert any("another dock" in text for text in texts(dialog))
    dialog.search.setText("no such key")
    assert texts(dialog) == ["Nothing here has these words."]
    QTest.keyClick(dialog.search, Qt.Key.Key_Escape)
    QTest.qWait(20)
    assert instrument.window.findChild(_KeysDialog) is None


def test_sheet_scrolls_while_its_search_has_the_focus_and_fits_a_low_screen(instrument, monkeypatch) -> None:
    monkeypatch.setattr(_KeysDialog, "screen", lambda _: SimpleNamespace(availableSize=lambda: QSize(968, 640)))
    dialog = sheet(instrument)
    assert dialog.height() <= 600
    bar, places = dialog.area.verticalScrollBar(), []
    QTest.qWait(20)
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageUp):
        assert dialog.search.hasFocus()
        QTest.keyClick(dialog.search, key)
        places.append(bar.value())
    assert places == [bar.pageStep(), bar.pageStep() + bar.singleStep(), bar.pageStep(), 0]


def test_menus_have_keys_of_their_own_and_one_column_on_a_screen_640_pixels_high(instrument: Instrument) -> None:
    menus = instrument.window.header.menus
    titles = [menus[name].title() for name in ("File", "Edit", "View", "Go", "Help")]
    letters = [title[title.index("&") + 1] for title in titles]
    assert len(set(letters)) == len(titles)
    assert len(menus) > 5
    assert {name: menu.sizeHint().height() for name, menu in menus.items() if menu.sizeHint().height() > 640} == {}
