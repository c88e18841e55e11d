"""Fields among plots: what a press selects, when they close and who has the keyboard then; where Tab and F6 go."""

from collections.abc import Callable, Iterable
from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QFrame, QWidget
from pytestqt.qtbot import QtBot

from pe_desktop.draw.canvas import Canvas
from pe_desktop.heat.heat_canvas import HeatCanvas
from pe_desktop.panels.controls.buttons import IconButton, PressedByEnter
from pe_desktop.panels.controls.number_field import NumberField
from pe_desktop.panels.controls.value_edit import ValueEdit
from pe_desktop.panels.scene_panel import ScenePanel, ScrolledScenePanel
from pe_desktop.window.application import Instrument
from pe_desktop.window.focus import stops_of, tab_bar
from tests.window.conftest import number_row

OpenInstrument = Callable[..., Instrument]
LEFT = Qt.MouseButton.LeftButton


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def press(*keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(focused(), key)


def edits_of(instrument: Instrument) -> tuple[ValueEdit, ValueEdit, ValueEdit]:
    transport = instrument.window.transport
    return transport.position, transport.offset, transport.pair


def bubbles(instrument: Instrument) -> list[QFrame]:
    frames = instrument.window.findChildren(QFrame)
    return [frame for frame in frames if frame.property("role") == "bubble" and frame.isVisible()]


def test_box_of_t_k_and_i_closes_with_enter_escape_tab_and_a_press_elsewhere(instrument: Instrument) -> None:
    window, model = instrument.window, instrument.model
    for edit in edits_of(instrument):
        for close in (
            lambda: press(Qt.Key.Key_Return),
            lambda: press(Qt.Key.Key_Escape),
            lambda: press(Qt.Key.Key_Tab),
            lambda: QTest.mouseClick(window.clock.canvas, LEFT, pos=QPoint(3, 3)),
        ):
            QTest.mouseClick(edit, LEFT)
            assert edit.field.isVisible()
            assert focused() is edit.field
            close()
            assert not edit.field.isVisible()
    QTest.mouseClick(window.transport.position, LEFT)
    QTest.mouseClick(window.transport.offset, LEFT)
    assert [edit.field.isVisible() for edit in edits_of(instrument)] == [False, True, False]
    assert (model.cursor.position, model.cursor.offset, model.cursor.pair) == (37.0, 8.0, 4)


def test_refused_pair_and_its_sentence_go_when_the_plot_gives_another_pair(instrument: Instrument) -> None:
    window, edit = instrument.window, instrument.window.transport.pair
    QTest.mouseClick(edit, LEFT)
    edit.field.selectAll()
    QTest.keyClicks(edit.field, "99")
    press(Qt.Key.Key_Return)
    assert (edit.field.is_refused, len(bubbles(instrument))) == (True, 1)
    QTest.mouseClick(window.matrix.canvas, LEFT, pos=QPoint(window.matrix.canvas.width() // 2, 100))
    assert instrument.model.cursor.pair != 4
    assert (edit.field.isVisible(), edit.field.is_refused, bubbles(instrument)) == (False, False, [])
    QTest.mouseClick(edit, LEFT)
    assert edit.field.text() == str(instrument.model.cursor.pair)


def test_what_leaving_a_box_could_not_set_is_told_while_the_value_stays(instrument: Instrument) -> None:
    edit = instrument.window.transport.pair
    QTest.mouseClick(edit, LEFT)
    edit.field.selectAll()
    QTest.keyClicks(edit.field, "99")
    press(Qt.Key.Key_Tab)
    assert (edit.field.isVisible(), len(bubbles(instrument)), instrument.model.cursor.pair) == (False, 1, 4)
    instrument.model.move_cursor(pair=6)
    assert bubbles(instrument) == []


@pytest.mark.parametrize(("presses", "base"), [("click", 102.0), ("double", 102.0), ("two clicks", 10_000_102.0)])
def test_a_first_press_and_a_double_click_select_the_whole_number(
    instrument: Instrument, presses: str, base: float
) -> None:
    field = number_row(instrument, "base").field
    at_the_end = QPoint(field.width() - 5, field.height() // 2)
    if presses == "double":
        QTest.mouseClick(field, LEFT, pos=at_the_end)
        QTest.mouseDClick(field, LEFT, pos=at_the_end)
    else:
        for _ in presses.split():
            QTest.mouseClick(field, LEFT, pos=at_the_end)
            # Far enough apart for two single presses.
            QTest.qWait(QApplication.doubleClickInterval() + 50 if presses == "two clicks" else 0)
    QTest.keyClicks(focused(), "102")
    press(Qt.Key.Key_Return)
    assert instrument.model.encoding.parameters["base"] == base


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_enter_and_escape_give_the_keyboard_back_to_the_plot_that_had_it(instrument: Instrument, key: Qt.Key) -> None:
    window, model = instrument.window, instrument.model
    window.waves.canvas.setFocus()
    QTest.mouseClick(number_row(instrument, "base").field, LEFT)
    QTest.keyClicks(focused(), "500")
    press(key)
    assert model.encoding.parameters["base"] == (500.0 if key == Qt.Key.Key_Return else 10_000.0)
    assert focused() is window.waves.canvas
    press(Qt.Key.Key_End, Qt.Key.Key_BracketRight)
    assert (model.cursor.position, model.cursor.offset) == (127.0, 9.0)
    press(Qt.Key.Key_Space)
    assert instrument.playback.is_playing


def test_what_is_refused_in_the_dock_keeps_the_keyboard_and_goes_with_another_value(instrument: Instrument) -> None:
    row = number_row(instrument, "base")
    QTest.mouseClick(row.field, LEFT)
    QTest.keyClicks(row.field, "-1")
    press(Qt.Key.Key_Return)
    assert (focused(), row.field.is_refused) == (row.field, True)
    instrument.model.set(base=500)
    assert (row.field.text(), row.field.is_refused, row.refusal.sentence) == ("500", False, "")


@pytest.mark.parametrize("value", [61.53333333333334, 0.1 + 0.2, -3.4499999999999993, 1.0 / 3.0])
def test_fields_show_all_digits_of_a_fraction(instrument: Instrument, value: float) -> None:
    window, model = instrument.window, instrument.model
    model.move_cursor(position=abs(value), offset=value)
    model.set(start=value, **{"rotation.page": "algebra", "rotation.second_shift": value, "front": "rotation"})
    QTest.qWait(20)
    fields = [window.transport.position.field, window.transport.offset.field, number_row(instrument, "start").field]
    fields.append(next(field for field in window.panel("rotation").findChildren(NumberField)))
    found = [float(field.text().replace("\u2212", "-").replace("\u2009", "")) for field in fields]
    assert found == [abs(value), value, value, value]


def test_open_box_has_room_for_all_digits(instrument: Instrument) -> None:
    edit = instrument.window.transport.position
    instrument.model.move_cursor(position=61.533333333333331)
    QTest.mouseClick(edit, LEFT)
    wide = edit.field.fontMetrics().horizontalAdvance(edit.field.text())
    assert edit.field.width() > wide + 16
    assert not edit.field.visibleRegion().isEmpty()


def test_tab_goes_from_the_header_over_encoding_and_the_plots_row_by_row_to_the_transport(
    instrument: Instrument,
) -> None:
    window, found = instrument.window, list[QWidget]()
    window.header.facts.setFocus()
    while focused() not in found:
        found.append(focused())
        # Past what can be pressed within a canvas.
        while focused() is found[-1]:
            press(Qt.Key.Key_Tab)
    docks = {key: dock for key, dock in window.docks.items() if not dock.is_behind}
    keys = [next((key for key, dock in docks.items() if dock.isAncestorOf(widget)), "") for widget in found]
    expected = ["", "parameters", "clock", "waves", "", "similarity", "matrix", "transport"]
    assert [key for place, key in enumerate(keys) if place == 0 or key != keys[place - 1]] == expected
    for key in ("clock", "waves", "similarity", "matrix"):
        within = [widget for widget, place in zip(found, keys, strict=True) if place == key]
        assert isinstance(within[-2], Canvas)
        assert not any(isinstance(widget, HeatCanvas) for widget in within[:-2])
        assert within[-1].accessibleName().endswith(": more")
    form = [widget for widget, place in zip(found, keys, strict=True) if place == "parameters"]
    heights = [widget.mapTo(window, QPoint(0, 0)).y() for widget in form[:-1]]
    assert heights == sorted(heights)
    assert sum(isinstance(widget, NumberField) for widget in form) == 3


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab])
@pytest.mark.parametrize(
    "state", [{"front": "attention"}, {"front": "rotary"}, {"front": "decoder"}, {"compare__is_open": "true"}]
)
def test_tab_goes_round_the_whole_window_whatever_stands_at_the_right(
    open_instrument: OpenInstrument, state: dict[str, str], key: Qt.Key
) -> None:
    window = open_instrument(**state).window
    QTest.qWait(30)
    found, start = set[QWidget](), focused()
    for _ in range(300):
        press(key)
        found.add(focused())
        if window.header.facts in found and focused() is start:
            break
    # All that is in the list, each time round.
    assert found == set(stops_of([*window.docks.values()], window))


@pytest.mark.parametrize("way", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier])
def test_f6_goes_round_all_panels_and_shows_where_it_is(instrument: Instrument, way) -> None:
    window = instrument.window
    tabs = ["similarity", "rotation", "properties"]
    expected = ["clock", "waves", *tabs, "matrix", "transport", "parameters"]
    found = []
    for _ in expected:
        widget = focused()
        found.append(next(key for key, dock in window.docks.items() if dock.isAncestorOf(widget)))
        QTest.keyClick(widget, Qt.Key.Key_F6, way)
        QTest.qWait(10)
        canvas = focused()
        assert not isinstance(canvas, Canvas) or canvas.shows_focus
    assert found == (expected if not way else [expected[0], *reversed(expected[1:])])


@pytest.mark.parametrize(
    ("declared", "front"),
    [
        ({"properties__page": "verdicts"}, "properties"),
        ({"code__page": "repl"}, "code"),
        ({}, "precision"),
        ({}, "decoder"),
        ({}, "attention"),
        ({"facts__is_open": "true"}, "facts"),
    ],
)
def test_tab_comes_to_what_can_be_pressed_in_a_canvas_and_enter_presses_it(
    open_instrument: OpenInstrument, declared: dict[str, str], front: str
) -> None:
    instrument = open_instrument(**declared, **({} if front == "facts" else {"front": front}))
    QTest.qWait(30)
    panel, model = instrument.window.panel(front), instrument.model
    assert isinstance(panel, ScenePanel)
    canvas = panel.canvas
    panel.take_focus()
    assert focused() is canvas
    marked = list[str]()
    press(Qt.Key.Key_Tab)
    while focused() is canvas and canvas.marked is not None and len(marked) < 6:
        seen = canvas.visibleRegion().boundingRect()
        assert seen.top() - 2 <= canvas.marked.area.middle[1] <= seen.bottom() + 2
        marked.append(canvas.marked.name)
        press(Qt.Key.Key_Tab)
    assert len(set(marked)) == len(marked) > 1
    instrument.window.transport.play.setFocus()
    panel.take_focus()
    changed = 0
    for name in marked:
        press(Qt.Key.Key_Tab)
        assert canvas.marked is not None
        assert canvas.marked.name == name
        before = model.state
        press(Qt.Key.Key_Return)
        changed += model.state != before
        if changed:
            break
    assert changed > 0


def test_from_a_control_of_a_title_f6_goes_on_and_copying_takes_its_panel(instrument: Instrument) -> None:
    window = instrument.window
    row = window.docks["waves"].title_row
    assert row is not None
    row.more.setFocus()
    window.action_set.trigger("copy_readout")
    assert QGuiApplication.clipboard().text() == window.waves.readout()
    QTest.keyClick(row.more, Qt.Key.Key_F6)
    assert window.panel("similarity").isAncestorOf(focused())


def test_tab_goes_into_encoding_where_it_lies_over_the_plots(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(width=1280, height=720)
    window = instrument.window
    QTest.keyClick(window.clock.canvas, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert window.overlay.isVisible()
    press(Qt.Key.Key_Tab)
    assert focused() is window.parameters.chooser
    press(Qt.Key.Key_Escape)
    assert not window.overlay.isVisible()
    assert focused() is window.clock.canvas


@pytest.mark.parametrize("opened", ["toggle_attention", "toggle_study", "toggle_compare", "toggle_facts"])
def test_plot_that_had_the_keyboard_has_it_again_when_what_was_opened_is_closed(
    instrument: Instrument, opened: str
) -> None:
    window = instrument.window
    QTest.keyClick(window.clock.canvas, Qt.Key.Key_F6)
    canvas = window.waves.canvas
    assert focused() is canvas
    instrument.window.action_set.trigger(opened)
    QTest.qWait(30)
    assert focused() is not canvas
    QTest.keyClick(focused(), Qt.Key.Key_Home)
    window.action_set.trigger(opened)
    QTest.qWait(30)
    assert focused() is canvas
    assert canvas.shows_focus


def test_folding_encoding_leaves_the_keyboard_where_it_is(instrument: Instrument) -> None:
    window = instrument.window
    window.matrix.take_focus()
    for _ in range(2):
        QTest.keyClick(focused(), Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
        QTest.qWait(30)
        assert focused() is window.matrix.canvas


def test_focus_that_moves_after_a_key_is_seen_and_after_a_press_is_not(instrument: Instrument) -> None:
    window = instrument.window
    QTest.mouseClick(window.clock.canvas, LEFT, pos=QPoint(3, 3))
    for is_seen in (False, True):
        window.action_set.trigger("toggle_attention")
        QTest.qWait(30)
        canvas = focused()
        assert isinstance(canvas, Canvas)
        assert canvas.shows_focus == is_seen
        window.action_set.trigger("toggle_attention")
        QTest.qWait(30)
        QTest.keyClick(focused(), Qt.Key.Key_Home)


def test_ring_is_seen_when_a_plot_that_was_pressed_floats_and_is_docked_after_a_key(instrument: Instrument) -> None:
    canvas, dock = instrument.window.waves.canvas, instrument.window.docks["waves"]
    QTest.mouseClick(canvas, LEFT, pos=QPoint(3, 3))
    assert not canvas.shows_focus
    QTest.keyClick(canvas, Qt.Key.Key_Home)
    for is_floating in (True, False):
        dock.pop_out_or_in()
        QTest.qWait(30)
        assert (dock.isFloating(), focused() is canvas, canvas.shows_focus) == (is_floating, True, True)


def test_tab_into_a_long_page_leaves_it_where_it_stands(open_instrument: OpenInstrument) -> None:
    window = open_instrument(facts__is_open="true").window
    panel = window.panel("facts")
    assert isinstance(panel, ScrolledScenePanel)
    assert panel.canvas.height() > panel.page_area.height()
    panel.take_focus()
    press(Qt.Key.Key_Backtab, Qt.Key.Key_Tab)
    assert focused() is panel.canvas
    assert panel.page_area.verticalScrollBar().value() == 0


def test_arrows_move_the_cursor_while_a_button_has_the_focus(instrument: Instrument) -> None:
    window, model = instrument.window, instrument.model
    buttons = [stop for stop in stops_of([*window.docks.values()], window) if isinstance(stop, QAbstractButton)]
    buttons = [button for button in buttons if button.group() is None]
    assert len(buttons) > 20
    for button in buttons:
        button.setFocus()
        model.move_cursor(position=37, pair=4)
        press(Qt.Key.Key_Right, Qt.Key.Key_Down)
        cursor = model.cursor
        assert (focused(), cursor.position, cursor.pair) == (button, 38.0, 5), button.accessibleName()


@pytest.mark.parametrize("back", [False, True])
def test_of_a_row_of_words_tab_comes_to_the_chosen_one_alone(instrument: Instrument, back: bool) -> None:
    window, model = instrument.window, instrument.model
    model.set(**{"similarity.measure": "cosine"})
    first, words = window.transport.play, []
    first.setFocus()
    for _ in range(80):
        press(Qt.Key.Key_Backtab if back else Qt.Key.Key_Tab)
        if focused() is first:
            break
        words.append(focused().accessibleName())
    assert [word for word in words if word in ("Similarity: Dot", "Similarity: Cos", "Similarity: Dist")] == [
        "Similarity: Cos"
    ]


def test_arrows_choose_within_a_row_of_words_and_the_focus_goes_with_the_choice(instrument: Instrument) -> None:
    model, position = instrument.model, instrument.model.cursor.position
    buttons = {button.accessibleName(): button for button in instrument.window.findChildren(QAbstractButton)}
    buttons["Similarity: Dot"].setFocus()
    seen = []
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up):
        press(key)
        seen.append((model.state.views.similarity.measure, focused().accessibleName()))
    dot, cosine, distance = ("dot", "Similarity: Dot"), ("cosine", "Similarity: Cos"), ("distance", "Similarity: Dist")
    assert seen == [dot, cosine, distance, distance, cosine]
    model.set(**{"similarity.measure": "distance"})
    assert focused().accessibleName() == distance[1]
    assert model.cursor.position == position


@pytest.mark.parametrize("key", ["similarity", "matrix"])
def test_a_plot_with_a_map_is_painted_each_time_the_keyboard_comes_to_it(
    instrument: Instrument, qtbot: QtBot, key: str
) -> None:
    panel = instrument.window.panel(key)
    assert isinstance(panel, ScenePanel)
    canvas, counts = panel.canvas, [0]
    for _ in range(2):
        instrument.window.transport.play.setFocus()
        QTest.qWait(100)
        counts.append(canvas.n_frames)
        panel.take_focus()
        qtbot.waitUntil(lambda: canvas.n_frames > counts[-1], timeout=2000)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_ring_surrounds_the_tab_that_has_the_keyboard(open_instrument: OpenInstrument, theme: str) -> None:
    window = open_instrument(theme=theme).window
    bar = tab_bar(window.docks["similarity"], window)
    assert bar is not None

    def colors_of_the_edges() -> list[str]:
        tab, image = bar.tabRect(bar.currentIndex()), bar.grab().toImage()
        middle = tab.center().x() + 8
        return [image.pixelColor(middle, y).name() for y in (tab.top() + 4, tab.bottom())]

    focus = window.theme.focus.name()
    assert focus not in colors_of_the_edges()
    bar.setFocus()
    assert colors_of_the_edges() == [focus, focus]


def pressed_by(buttons: Iterable[QAbstractButton], keys: tuple[Qt.Key, ...]) -> dict[str, int]:
    """How often each button was pressed, with nothing done by it, by each key."""
    counts: dict[str, int] = {}
    for button in buttons:
        name = button.accessibleName() or button.text()
        presses: list[str] = []
        button.clicked.disconnect()
        button.clicked.connect(partial(presses.append, name))
        for key in keys:
            QTest.keyClick(button, key)
        counts[name] = len(presses)
    return counts


def buttons_in(ground: QWidget) -> list[QAbstractButton]:
    return [
        button
        for button in ground.findChildren(QAbstractButton)
        if button.isVisible() and button.isEnabled() and button.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]


@pytest.mark.parametrize("action", ["open_settings", "show_steps", "report_problem"])
def test_enter_and_space_press_the_button_of_a_dialog_that_has_the_focus(instrument: Instrument, action: str) -> None:
    instrument.window.action_set.trigger("toggle_theme")
    instrument.window.action_set.trigger(action)
    [dialog] = instrument.window.findChildren(QDialog)
    counts = pressed_by(buttons_in(dialog), (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space))
    assert len(counts) >= 2
    assert set(counts.values()) == {3}, counts
    assert dialog.isVisible()
    dialog.close()


def test_enter_presses_every_button_of_the_window(instrument: Instrument) -> None:
    buttons = buttons_in(instrument.window)
    assert len(buttons) > 20
    assert not [button for button in buttons if not isinstance(button, PressedByEnter)]
    switch = instrument.window.header.findChildren(IconButton)[0]
    assert pressed_by([switch], (Qt.Key.Key_Return, Qt.Key.Key_Enter)) == {switch.accessibleName(): 2}
