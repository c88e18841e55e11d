"""The keyboard among panels: where Tab and F6 go, who has it when something opens or leaves, what presses buttons."""

from collections.abc import Iterable
from functools import partial

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QWidget

from pe_desktop.draw.canvas import Canvas
from pe_desktop.heat.heat_canvas import HeatCanvas
from pe_desktop.panels.controls.buttons import IconButton, _PressedByEnter
from pe_desktop.panels.controls.value_edit import NumberField
from pe_desktop.window.application import Instrument
from pe_desktop.window.panel_menu import PanelMenu
from tests.window.acting import BY_TAB, CONTROL, LEFT, NO_KEY, SHIFT, focused, press, resize, settle, show, trigger
from tests.window.conftest import PLOTS, OpenInstrument, dock_of, panel_of, row_of, title_row


def test_tab_goes_from_the_header_over_encoding_and_the_plots_to_the_transport(instrument: Instrument) -> None:
    window, transport, found = instrument.window, instrument.window.transport, list[QWidget]()
    window.header.buttons["toggle_facts"].setFocus()
    while focused() not in found:
        found.append(focused())
        # Past what can be pressed within a canvas.
        while focused() is found[-1]:
            press(Qt.Key.Key_Tab)
    keys = [dock_of(widget, window) for widget in found]
    stops = {key: [widget for widget, place in zip(found, keys, strict=True) if place == key] for key in keys}
    expected = ["", "parameters", "clock", "waves", "", "similarity", "matrix", "transport"]
    assert [key for place, key in enumerate(keys) if place == 0 or key != keys[place - 1]] == expected
    for key in PLOTS:
        assert isinstance(stops[key][-2], Canvas)
        assert not any(isinstance(widget, HeatCanvas) for widget in stops[key][:-2])
        assert stops[key][-1].accessibleName().endswith(": more")
    heights = [widget.mapTo(window, QPoint(0, 0)).y() for widget in stops["parameters"][:-1]]
    assert heights == sorted(heights)
    assert sum(isinstance(widget, NumberField) for widget in stops["parameters"]) == 3
    assert stops["transport"] == [
        transport.to_start, transport.back, transport.play, transport.forward, transport.loop, transport.position,
        transport.offset, transport.pair, transport.strip, transport.scrubber, transport.speed, transport.more,
    ]  # fmt: skip


def test_tab_goes_round_the_whole_window_and_to_nothing_behind_a_tab(instrument, window, luck) -> None:
    for front in ("similarity", "rotation", "attention", "rotary", "decoder", "derivations", "compare"):
        show(instrument, **({"compare__is_open": True} if front == "compare" else {"front": front}))
        found, start, key = set[QWidget](), focused(), luck.choice([Qt.Key.Key_Tab, Qt.Key.Key_Backtab])
        for _ in range(300):
            press(key)
            found.add(focused())
            if window.header.buttons["export"] in found and focused() is start:
                break
        # All that is in the list, each time round.
        assert found == set(window.stops())
        assert any(window.docks[front].isAncestorOf(widget) for widget in found)
        assert all(widget.mapTo(window, QPoint(1, 1)).x() > 0 for widget in found)


def test_f6_goes_round_the_panels_in_front_and_shows_where_it_is(window) -> None:
    expected = ["clock", "waves", "similarity", "matrix", "transport", "parameters"]
    for way, order in ((NO_KEY, expected), (SHIFT, [expected[0], *reversed(expected[1:])])):
        found = []
        for _ in expected:
            found.append(dock_of(focused(), window))
            press(Qt.Key.Key_F6, modifier=way)
            QTest.qWait(10)
            canvas = focused()
            assert not isinstance(canvas, Canvas) or canvas.shows_focus
        assert found == order


def test_tab_comes_to_what_can_be_pressed_in_a_canvas_and_enter_presses_it(instrument, luck) -> None:
    pages: dict[str, dict[str, object]] = {
        "properties": {"properties__page": "verdicts"}, "code": {"code__page": "repl"}, "precision": {},
        "decoder": {}, "attention": {}, "facts": {"facts__is_open": True},
    }  # fmt: skip
    for front in luck.sample([*pages], 3):
        show(instrument, **pages[front], **({} if front == "facts" else {"front": front}))
        panel = panel_of(instrument, front)
        canvas, marked = panel.canvas, list[str]()
        panel.take_focus()
        assert focused() is canvas
        press(Qt.Key.Key_Tab)
        while focused() is canvas and canvas.marked is not None and len(marked) < 6:
            region = canvas.visibleRegion().boundingRect()
            assert region.top() - 2 <= canvas.marked.area.middle[1] <= region.bottom() + 2
            marked.append(canvas.marked.name)
            press(Qt.Key.Key_Tab)
        assert len(set(marked)) == len(marked) > 1
        instrument.window.transport.play.setFocus()
        panel.take_focus()
        before = instrument.model.state
        for name in marked:
            press(Qt.Key.Key_Tab)
            assert canvas.marked.name == name
            press(Qt.Key.Key_Return)
            if instrument.model.state != before:
                break
        assert instrument.model.state != before


def test_tab_into_a_long_page_leaves_it_where_it_stands(instrument) -> None:
    show(instrument, facts__is_open=True)
    panel = instrument.window.panel("facts")
    assert panel.canvas.height() > panel.page_area.height()
    panel.take_focus()
    press(Qt.Key.Key_Backtab, Qt.Key.Key_Tab)
    assert focused() is panel.canvas
    assert panel.page_area.verticalScrollBar().value() == 0


def test_a_narrow_window_folds_encoding_to_its_first_parameters_and_opens_it_over_the_waves(instrument) -> None:
    window, panel = instrument.window, instrument.window.parameters
    resize(instrument, 1280, 720)
    strip, entry = window.transport.parameters, window.action_set.entries["fold_encoding"]
    assert (strip.isVisible(), panel.isVisible()) == (True, False)
    show(instrument, position=0.0)
    assert strip.checks.text() == "Checks 10 of 10"
    show(instrument, dtype="float32")
    assert strip.checks.text() == "Checks 10/10, exact table"
    QTest.mouseClick(strip.checks, LEFT)
    settle()
    assert window.docks["properties"].is_in_front
    QTest.mouseClick(strip.more, LEFT)
    assert panel.isVisible()
    assert window.overlay.x() > window.docks["clock"].geometry().right()
    row_of(instrument, "d_model").field.setText("64")
    QTest.keyClick(row_of(instrument, "d_model").field, Qt.Key.Key_Return)
    assert instrument.model.encoding.d_model == 64
    # What was typed is given up: the keyboard stays in what lies over the plots.
    field = row_of(instrument, "d_model").field
    field.setFocus()
    QTest.keyClicks(field, "64")
    press(Qt.Key.Key_Escape)
    settle()
    assert (panel.isVisible(), panel.isAncestorOf(focused()), focused() is field) == (True, True, False)
    press(Qt.Key.Key_Escape)
    assert not panel.isVisible()
    # By its key, from a plot and back to it.
    QTest.keyClick(window.clock.canvas, Qt.Key.Key_B, CONTROL)
    assert window.overlay.isVisible()
    assert focused() is panel.chooser
    press(Qt.Key.Key_F6)
    press(Qt.Key.Key_F6, modifier=SHIFT)
    assert focused() is panel.chooser
    press(Qt.Key.Key_Escape)
    settle()
    assert (window.overlay.isVisible(), entry.isChecked(), focused()) == (False, False, window.clock.canvas)
    resize(instrument, 1600, 1000)
    assert (strip.isVisible(), panel.isVisible(), entry.isChecked()) == (False, True, True)


@pytest.mark.parametrize("size", [(1280, 720), (910, 480)])
def test_tab_in_encoding_over_the_plots_shows_each_check_and_comes_to_nothing_that_it_covers(instrument, size) -> None:
    window, checks, found = instrument.window, instrument.window.parameters.checks, list[str]()
    resize(instrument, *size)
    press(Qt.Key.Key_B, modifier=CONTROL)
    settle()
    over, first = window.overlay.geometry(), focused()
    while not found or focused() is not first:
        widget = focused()
        place = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
        assert window.overlay.isAncestorOf(widget) or not over.contains(place), widget.accessibleName()
        if widget is checks and checks.marked is not None:
            region = checks.visibleRegion().boundingRect()
            assert region.top() <= checks.marked.area.y < checks.marked.area.bottom <= region.bottom() + 1
            found.append(checks.marked.name)
        press(Qt.Key.Key_Tab)
    assert len(found) == 10


@pytest.mark.parametrize("change", ["reset_layout", "fold_encoding", "close", "float"])
def test_focus_goes_to_a_plot_when_its_widget_vanishes(instrument: Instrument, change: str) -> None:
    window, dock = instrument.window, instrument.window.docks["waves"]
    row_of(instrument, "base").field.setFocus()
    if change in ("reset_layout", "fold_encoding"):
        window.action_set.trigger(change)
    else:
        window.waves.canvas.setFocus()
        dock.close() if change == "close" else dock.setFloating(True)
    settle()
    # A dock that floats is a window of its own, which has the keyboard now: it stays on its plot.
    assert focused() is (window.waves.canvas if change == "float" else window.clock.canvas)
    if change != "float":
        window.docks["clock"].close()
        dock.close()
        settle()
        assert window.panel("similarity").isAncestorOf(focused())


@pytest.mark.parametrize(
    ("before", "front"), [("clock", "decoder"), ("derivations", "code"), ("similarity", "rotation")]
)
def test_the_keyboard_goes_to_the_panel_that_comes_in_front_of_the_one_that_had_it(instrument, before, front) -> None:
    show(instrument, front="similarity" if before == "clock" else before)
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
    settle()
    for words in ("Pop out", "Dock"):
        dock.panel.take_focus()
        title_row(dock).more.setFocus(BY_TAB)
        press(Qt.Key.Key_Return)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, PanelMenu)
        menu.setActiveAction(next(action for action in menu.actions() if action.text() == words))
        QTest.keyClick(menu, Qt.Key.Key_Return)
        settle()
        assert (dock.isFloating(), dock.is_behind) == (words == "Pop out", False)
        assert focused() in dock.panel.findChildren(QWidget)


@pytest.mark.parametrize(("key", "is_floating"), [("waves", False), ("matrix", True), ("rotation", False)])
def test_a_panel_that_the_menu_opens_has_the_keyboard_and_is_closed_by_it(instrument, key, is_floating) -> None:
    window, dock = instrument.window, instrument.window.docks[key]
    # Rotation stands behind Similarity.
    if not dock.is_behind:
        dock.setFloating(is_floating)
        dock.close()
    window.activateWindow()
    settle()
    window.clock.canvas.setFocus()
    for is_open in (True, False):
        trigger(instrument, f"show {key}")
        assert (dock.is_in_front, window.action_set.entries[f"show {key}"].isChecked()) == (is_open, is_open)
        assert not is_open or focused() in dock.panel.findChildren(QWidget)


def test_plot_that_had_the_keyboard_has_it_again_when_what_was_opened_is_closed(instrument: Instrument) -> None:
    window, canvas = instrument.window, instrument.window.waves.canvas
    QTest.keyClick(window.clock.canvas, Qt.Key.Key_F6)
    assert focused() is canvas
    for opened in ("attention", "study", "compare", "facts"):
        trigger(instrument, f"toggle_{opened}")
        assert focused() is not canvas
        press(Qt.Key.Key_Home)
        trigger(instrument, f"toggle_{opened}")
        assert focused() is canvas
        assert canvas.shows_focus
    # Folding Encoding leaves it where it is.
    for _ in range(2):
        press(Qt.Key.Key_B, modifier=CONTROL)
        QTest.qWait(30)
        assert focused() is canvas


@pytest.mark.parametrize(("width", "opened", "card"), [
    (1600, "", "position-invariant"), (910, "", "position-invariant"), (800, "study", "distance-falls"),
])  # fmt: skip
def test_facts_keeps_the_keyboard_while_a_card_opens_or_closes_a_workspace(instrument, width, opened, card) -> None:
    window, model = instrument.window, instrument.model
    resize(instrument, width, 480)
    show(instrument, kind="counter", facts__card=card, **({f"{opened}__is_open": True} if opened else {}))
    before = model.state
    press(Qt.Key.Key_F, modifier=CONTROL | SHIFT)
    settle()
    facts = window.panel("facts")
    press(Qt.Key.Key_Return)
    settle()
    assert model.state.views.workspace != before.views.workspace
    assert (model.encoding.kind, focused(), facts.canvas.shows_focus) == ("sinusoidal", facts.canvas, True)
    press(Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Escape)
    settle()
    assert (model.encoding, model.cursor, model.state.views.workspace) == (before.encoding, before.cursor, opened)
    assert focused() is facts.canvas
    # A key that opens a workspace leads there.
    trigger(instrument, "toggle_compare")
    assert window.panel("compare").isAncestorOf(focused())


def test_from_a_control_of_a_title_f6_goes_on_and_copying_takes_its_panel(instrument: Instrument) -> None:
    window, row = instrument.window, title_row(instrument.window.docks["waves"])

    def copied(widget: QWidget) -> str:
        widget.setFocus()
        window.action_set.trigger("copy_readout")
        return QGuiApplication.clipboard().text()

    for widget in (window.transport.play, row_of(instrument, "base").slider):
        assert copied(widget) == window.clock.readout()
    assert copied(row.more) == window.waves.readout() != window.clock.readout()
    QTest.keyClick(row.more, Qt.Key.Key_F6)
    assert window.panel("similarity").isAncestorOf(focused())


def test_arrows_move_the_cursor_while_a_button_has_the_focus(window, model) -> None:
    buttons = [stop for stop in window.stops() if isinstance(stop, QAbstractButton)]
    buttons = [button for button in buttons if button.group() is None]
    assert len(buttons) > 15
    for button in buttons:
        button.setFocus()
        model.move_cursor(position=37, pair=4)
        press(Qt.Key.Key_Right, Qt.Key.Key_Down)
        cursor = model.cursor
        assert (focused(), cursor.position, cursor.pair) == (button, 38.0, 5), button.accessibleName()


def test_arrows_in_a_page_that_scrolls_and_among_dials_move_the_cursor_and_what_is_seen(instrument) -> None:
    model, clock = instrument.model, instrument.window.clock
    for key in ("rotation", "properties", "rotary"):
        show(instrument, front=key)
        # With Rotary a sentence of five words leads: its last place is t = 4.
        model.move_cursor(position=3)
        panel, before = instrument.window.panel(key), model.cursor
        panel.canvas.setFocus()
        press(Qt.Key.Key_Right, Qt.Key.Key_Down)
        assert (model.cursor.position, model.cursor.pair) == (before.position + 1, before.pair + 1)
    show(instrument, d_model=512, attention__is_open=False)
    clock.canvas.setFocus()
    press(Qt.Key.Key_C)
    assert focused() is clock.canvas
    before = model.cursor
    press(Qt.Key.Key_Right, Qt.Key.Key_Down)
    assert (model.cursor.position, model.cursor.pair) == (before.position + 1, before.pair + 1)
    for pair in (255, 0, 130):
        model.move_cursor(pair=pair)
        settle()
        region = clock.canvas.visibleRegion().boundingRect()
        (chosen,) = (place.area for place in clock.canvas.places() if place.is_chosen)
        assert region.top() - 0.5 <= chosen.y
        assert chosen.bottom <= region.bottom() + 1.5
    top = clock.canvas.y()
    press(Qt.Key.Key_PageDown)
    assert clock.canvas.y() < top


def test_tab_comes_to_the_chosen_one_of_a_row_of_words_and_arrows_choose_there(instrument: Instrument) -> None:
    show(instrument, similarity__measure="cosine")
    first = instrument.window.transport.play
    first.setFocus()
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        press(key)
        found = list[str]()
        while focused() is not first and len(found) < 80:
            found.append(focused().accessibleName())
            press(key)
        assert {"Similarity: Dot", "Similarity: Cos", "Similarity: Dist"} & {*found} == {"Similarity: Cos"}
    model, position = instrument.model, instrument.model.cursor.position
    buttons = {button.accessibleName(): button for button in instrument.window.findChildren(QAbstractButton)}
    show(instrument, similarity__measure="dot")
    buttons["Similarity: Dot"].setFocus()
    told = []
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up):
        press(key)
        told.append((model.state.views.similarity.measure, focused().accessibleName()))
    dot, cosine, distance = ("dot", "Similarity: Dot"), ("cosine", "Similarity: Cos"), ("distance", "Similarity: Dist")
    assert told == [dot, cosine, distance, distance, cosine]
    model.set(**{"similarity.measure": "distance"})
    assert focused().accessibleName() == distance[1]
    assert model.cursor.position == position
    buttons["Clock shows: One dial"].setFocus()
    press(Qt.Key.Key_Right)
    assert (model.state.views.clock.mode, focused().accessibleName()) == ("each", "Clock shows: Each")
    press(Qt.Key.Key_Left)
    assert model.state.views.clock.mode == "one"


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


def test_enter_and_space_press_the_button_that_has_the_focus(open_instrument: OpenInstrument) -> None:
    # A window of its own: its buttons do nothing afterwards.
    window = open_instrument().window
    window.action_set.trigger("toggle_theme")
    for action in ("open_settings", "report_problem"):
        window.action_set.trigger(action)
        [dialog] = [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]
        counts = pressed_by(buttons_in(dialog), (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space))
        assert len(counts) >= 2
        assert set(counts.values()) == {3}, counts
        assert dialog.isVisible()
        dialog.close()
    buttons = buttons_in(window)
    assert len(buttons) > 15
    assert not [button for button in buttons if not isinstance(button, _PressedByEnter)]
    switch = window.header.findChildren(IconButton)[0]
    assert pressed_by([switch], (Qt.Key.Key_Return, Qt.Key.Key_Enter)) == {switch.accessibleName(): 2}


@pytest.mark.parametrize("key", ["similarity", "matrix"])
def test_a_plot_with_a_map_is_painted_each_time_the_keyboard_comes_to_it(instrument, qtbot, key) -> None:
    panel, counts = panel_of(instrument, key), [0]
    for _ in range(2):
        instrument.window.transport.play.setFocus()
        QTest.qWait(60)
        counts.append(panel.canvas.n_frames)
        panel.take_focus()
        qtbot.waitUntil(lambda: panel.canvas.n_frames > counts[-1], timeout=2000)


def test_plot_of_a_workspace_has_the_keyboard_at_first_not_a_button_above_it(open_instrument) -> None:
    window = open_instrument(preset="rope").window
    assert isinstance(window.focusWidget(), Canvas)
    assert window.focused_panel().key == "rotary"
