"""Attention, Facts and Compare in the window: whose place they take, how they are opened, how all comes back."""

import itertools
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenuBar

from pe_desktop import panels
from pe_desktop.core.choices import WORKSPACES
from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.facts.shown import shown_card
from pe_desktop.core.state import State
from pe_desktop.panels import panel_class
from pe_desktop.panels.scene_panel import Panel
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.panel_menu import PanelMenu
from tests.window.acting import CONTROL, LEFT, SHIFT, focused, press, press_place, resize, settle, show, trigger
from tests.window.conftest import PLOTS, OpenInstrument, frames, next_start, panel_of, seen

OTHERS = ("parameters", "clock", "similarity", "transport")


def share(instrument: Instrument, right: str) -> float:
    """The part of the width that the column of the clock has beside what stands at the right."""
    clock, other = (instrument.window.docks[key].width() for key in ("clock", right))
    return clock / (clock + other)


def test_attention_takes_the_right_half_and_gives_it_back_to_the_pixel(instrument: Instrument) -> None:
    window, before = instrument.window, frames(instrument)
    kept, state, docks = instrument.settings.docks, instrument.model.state, window.saved_docks()
    QTest.mouseClick(window.header.buttons["toggle_attention"], LEFT)
    wait_until_measured(instrument)
    assert seen(instrument) == {*OTHERS, "attention"}
    assert frames(instrument, *OTHERS) == {key: before[key] for key in OTHERS}
    # Over it stand the tabs.
    left, top, width, height = frames(instrument)["attention"]
    (x, y, wide, _), (_, below, _, high) = before["waves"], before["matrix"]
    assert (left, width, top + height) == (x, wide, below + high)
    assert 20 < top - y < 40
    assert window.header.buttons["toggle_attention"].isChecked()
    assert instrument.settings.docks == kept
    QTest.keyClick(window, Qt.Key.Key_W)
    wait_until_measured(instrument)
    assert frames(instrument) == before
    assert (window.saved_docks(), instrument.model.state) == (docks, state)
    assert not window.header.buttons["toggle_attention"].isChecked()


def test_a_panel_of_attention_in_front_opens_it_and_undo_opens_and_closes_it(instrument: Instrument) -> None:
    model, entries, before = instrument.model, instrument.window.action_set.entries, frames(instrument)
    trigger(instrument, "show look-back")
    assert "look-back" in seen(instrument)
    assert instrument.window.header.buttons["toggle_attention"].isChecked()
    show(instrument, front=("attention",))
    assert "attention" in seen(instrument)
    model.set_state(State(), "Open")
    wait_until_measured(instrument)
    assert frames(instrument) == before
    trigger(instrument, "toggle_attention")
    model.set(order=(1, 0, 2, 3, 4))
    titles = []
    for _ in range(2):
        titles.append(entries["undo"].text())
        trigger(instrument, "undo")
    assert titles == ["Undo order of the words", "Undo Attention"]
    assert frames(instrument) == before
    trigger(instrument, "redo")
    assert "attention" in seen(instrument)


def test_compare_stands_before_attention_which_is_there_again_when_it_is_closed(instrument: Instrument) -> None:
    before, kept = frames(instrument), instrument.settings.docks
    trigger(instrument, "toggle_attention")
    beside = frames(instrument)
    trigger(instrument, "toggle_compare")
    assert seen(instrument) == {"parameters", "compare", "transport"}
    assert instrument.settings.docks == kept
    assert not instrument.window.header.buttons["toggle_attention"].isChecked()
    trigger(instrument, "toggle_compare")
    assert frames(instrument) == beside
    # From Compare straight to Attention, and all of it closed at once.
    trigger(instrument, "toggle_compare", "toggle_attention")
    assert "attention" in seen(instrument)
    trigger(instrument, "toggle_compare")
    show(instrument, compare__is_open=False, attention__is_open=False)
    assert frames(instrument) == before


@pytest.mark.parametrize("size", [(910, 480), (1280, 720), (1600, 1000)])
def test_attention_opens_from_compare_that_an_undo_has_brought_back(open_instrument: OpenInstrument, size) -> None:
    instrument = open_instrument()
    resize(instrument, *size)
    for names in ({"compare__is_open": True}, {"compare__is_open": False, "attention__is_open": True}):
        show(instrument, **names)
    for action in ("undo", "toggle_attention"):
        instrument.window.action_set.trigger(action)
        settle()
    assert instrument.model.state.views.workspace == "attention"
    assert "attention" in seen(instrument)


def test_reset_the_menu_of_panels_and_the_last_panel_bring_the_plots_back(instrument: Instrument) -> None:
    window, before = instrument.window, frames(instrument)

    def close_panels() -> None:
        for panel in map(panel_class, WORKSPACES["attention"]):
            window.docks[panel.key].close()

    for leave in (lambda: trigger(instrument, "reset_layout"), lambda: trigger(instrument, "show waves"), close_panels):
        trigger(instrument, "toggle_attention")
        assert "waves" not in seen(instrument)
        leave()
        wait_until_measured(instrument)
        assert frames(instrument) == before
        assert not instrument.model.state.views.attention.is_open


def test_the_tab_in_front_alone_makes_loads_and_follows(open_instrument: OpenInstrument, monkeypatch) -> None:
    instrument = open_instrument()
    docks = instrument.window.docks
    show(instrument, front="four-terms")
    assert [key for key in WORKSPACES["attention"] if docks[key].is_filled] == ["four-terms"]
    assert docks["rotary"].kind.__module__ == panels.__name__
    show(instrument, front="rotary")
    assert docks["rotary"].kind is panel_class("rotary")
    for key in ("rotation", "properties", "attention"):
        show(instrument, front=key)
    followed: list[str] = []
    monkeypatch.setattr(Panel, "_catch_up", lambda panel: followed.append(panel.key))
    show(instrument, front="waves")
    assert not {*followed} & {"rotation", *WORKSPACES["attention"]}


def test_a_narrow_window_folds_encoding_and_keeps_the_share_of_the_width(instrument, docks, window) -> None:
    window.resize(1280, 720)
    show(instrument, front="attention")
    assert docks["parameters"].isHidden()
    assert docks["attention"].height() + docks["transport"].height() < 720
    assert share(instrument, "attention") == pytest.approx(0.335, abs=0.02)
    window.resize(1600, 1000)
    wait_until_measured(instrument)
    assert docks["parameters"].isVisible()
    assert share(instrument, "attention") == pytest.approx(0.335, abs=0.03)


def test_its_keys_act_in_it_alone_and_its_menu_copies_its_table_and_opens_its_card(instrument, window, model) -> None:
    trigger(instrument, "toggle_attention")
    menu, panel = PanelMenu(window.docks["attention"], window), panel_of(instrument, "attention")
    entries = {action.text(): action for action in menu.actions()}
    assert {"Copy as table", "Copy picture"} <= {*entries}
    entries["Copy as table"].trigger()
    assert QApplication.clipboard().text().startswith("weights, written\tI\tpark\tin\tmy\tsleep\n")
    entries["First position, seed, temperature…"].trigger()
    assert panel.card.isVisible()
    panel.card.close()
    menu.close()
    canvas = panel.canvas
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_L)
    assert model.state.attention.causal
    assert not model.state.views.compare.is_open
    QTest.keyClick(canvas, Qt.Key.Key_Left)
    assert model.cursor.position == 3.0
    window.clock.canvas.setFocus()
    QTest.keyClick(window.clock.canvas, Qt.Key.Key_3)
    assert model.state.attention.scheme == "additive"
    QTest.keyClick(window.clock.canvas, Qt.Key.Key_M)
    assert model.state.views.compare.is_open


def facts(instrument: Instrument) -> Any:
    settle()
    panel = panel_of(instrument, "facts")
    assert panel.isVisible()
    return panel


def press_facts(instrument: Instrument) -> Any:
    QTest.mouseClick(instrument.window.header.buttons["toggle_facts"], LEFT)
    return facts(instrument)


def test_facts_stands_at_the_right_encoding_folds_and_comes_back(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument()
    window, before = instrument.window, frames(instrument)
    assert "facts" not in window.docks
    panel = press_facts(instrument)
    beside = frames(instrument)
    left, _, width, _ = beside["facts"]
    assert width == 376
    assert left >= window.docks["waves"].geometry().right()
    assert {*PLOTS} < seen(instrument)
    strip = window.transport.parameters
    assert (strip.isVisible(), window.docks["parameters"].isVisible()) == (True, False)
    assert window.header.buttons["toggle_facts"].isChecked()
    # Compare takes the room of the plots and gives it back.
    trigger(instrument, "toggle_compare")
    assert (seen(instrument), frames(instrument)["facts"]) == ({"compare", "facts", "transport"}, beside["facts"])
    trigger(instrument, "toggle_compare")
    assert frames(instrument) == beside
    # Encoding opens over the plots; it is not the person's choice that it is folded.
    QTest.mouseClick(strip.more, LEFT)
    assert window.overlay.isVisible()
    assert not window.is_folded
    QTest.mouseClick(panel.header_widgets()[0], LEFT)
    settle()
    assert frames(instrument) == before
    assert not strip.isVisible()
    assert not window.header.buttons["toggle_facts"].isChecked()


def test_the_keys_the_menu_and_the_state_open_facts_and_undo_closes_it(instrument, window, model) -> None:
    QTest.keyClick(window, Qt.Key.Key_F, CONTROL | SHIFT)
    # The keys of the cards act at once.
    assert facts(instrument).canvas.hasFocus()
    assert window.action_set.entries["undo"].text() == "Undo Facts"
    model.undo()
    settle()
    assert window.docks["facts"].isHidden()
    assert window.clock.canvas.hasFocus()
    next(action for action in window.header.menus["View"].actions() if action.text() == "Facts").trigger()
    facts(instrument)
    window.docks["facts"].close()
    settle()
    assert not model.state.views.facts.is_open
    show(instrument, facts__is_open=True)
    trigger(instrument, "reset_layout")
    assert not model.state.views.facts.is_open


def test_escape_in_facts_closes_them_and_leaves_attention(instrument: Instrument) -> None:
    show(instrument, attention__is_open=True, facts__is_open=True)
    facts(instrument).canvas.setFocus()
    QTest.keyClick(instrument.window.windowHandle(), Qt.Key.Key_Escape)
    views = instrument.model.state.views
    assert (views.facts.is_open, views.attention.is_open) == (False, True)


def test_a_card_is_two_presses_away_and_one_of_a_sentence_brings_attention(instrument: Instrument) -> None:
    panel, docks = press_facts(instrument), instrument.window.docks
    press_place(panel.canvas, f"Show it: {CARDS['identical-at-41'].claim}")
    assert shown_card(instrument.model.state) is CARDS["identical-at-41"]
    assert "-0.15862266880470" in instrument.window.panel("matrix").readout()
    press_place(panel.canvas, f"Put back: {CARDS['identical-at-41'].claim}")
    press_place(panel.canvas, f"Show it: {CARDS['position-invariant'].claim}")
    assert {"attention", "facts"} <= seen(instrument)
    assert docks["attention"].geometry().right() < docks["facts"].x()
    assert docks["attention"].geometry().bottom() == docks["facts"].geometry().bottom()
    press_place(panel.canvas, f"Put back: {CARDS['position-invariant'].claim}")
    assert {*PLOTS, "facts"} <= seen(instrument)
    assert "attention" not in seen(instrument)
    assert docks["waves"].geometry().right() < docks["facts"].x()


def test_facts_takes_room_from_the_plots_and_lies_over_them_in_the_narrowest_windows(instrument, window) -> None:
    resize(instrument, 640, 360)
    before = frames(instrument)
    panel = press_facts(instrument)
    assert panel.canvas.hasFocus()
    assert window.docks["facts"].isHidden()
    assert frames(instrument) == before
    assert panel.mapTo(window, QPoint(0, 0)).x() > 200
    assert panel.width() <= 376
    # It follows the window's width, and its place in the plots is a dock again.
    for width, height in ((1280, 720), (860, 480), (1249, 720), (640, 360)):
        resize(instrument, width, height)
        docks = [dock.geometry() for key, dock in window.docks.items() if key in seen(instrument)]
        assert window.docks["facts"].isVisible() == (width >= 860)
        assert {"clock", "waves"} <= seen(instrument) or width < 1250
        assert all(window.rect().contains(place) for place in docks)
        assert not any(one.intersects(other) for one, other in itertools.combinations(docks, 2))
    # Over Compare, too, until its title row has room beside Facts.
    trigger(instrument, "toggle_compare")
    for width in (640, 1059, 1060):
        resize(instrument, width, 720)
        assert (panel.isVisible(), window.docks["facts"].isVisible()) == (True, width == 1060)
    assert panel_of(instrument, "compare").header_widgets()[1].width() == 340
    trigger(instrument, "toggle_compare")
    resize(instrument, 640, 360)
    window.setFocus()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    settle()
    assert not panel.isVisible()
    assert not instrument.model.state.views.facts.is_open


def test_what_a_window_with_facts_leaves_behind_opens_a_window_with_facts(open_instrument: OpenInstrument) -> None:
    first = open_instrument(facts__is_open="true", facts__verdict="open")
    verdicts = facts(first).widgets["facts.verdict"]
    assert verdicts.currentText() == "Open"
    with next_start(first) as second:
        docks = second.window.docks
        assert ({*PLOTS} < seen(second), docks["facts"].width()) == (True, 376)
        QTest.mouseClick(facts(second).header_widgets()[0], LEFT)
        settle()
        assert docks["parameters"].isVisible()
        assert docks["waves"].geometry().right() > 1500


def test_compare_takes_the_plots_place_and_gives_it_back(instrument, window, docks, qtbot) -> None:
    before, kept = frames(instrument), instrument.settings.docks
    QTest.mouseClick(window.header.buttons["toggle_compare"], LEFT)
    wait_until_measured(instrument)
    panel = panel_of(instrument, "compare")
    assert seen(instrument) == {"parameters", "compare", "transport"}
    assert window.header.buttons["toggle_compare"].isChecked()
    assert panel.width() > 1000
    assert instrument.settings.docks == kept
    # It stands in place of the plots and nowhere else.
    docks["compare"].pop_out_or_in()
    assert not docks["compare"].isFloating()
    QTest.keyClick(panel.canvas, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: frames(instrument) == before)
    assert not window.header.buttons["toggle_compare"].isChecked()
    assert "compare".encode("utf-16-be") not in window.saved_docks().data()
    # A raised tab comes with the plots.
    show(instrument, front="rotation", compare__is_open=True)
    assert seen(instrument) == {"parameters", "transport", "compare"}
    trigger(instrument, "undo")
    assert "rotation" not in seen(instrument)
    trigger(instrument, "redo")
    show(instrument, compare__is_open=False)
    assert ("rotation" in seen(instrument), instrument.model.state.views.front) == (True, ("rotation",))


def test_what_happens_to_plots_and_window_while_comparing_counts_afterwards(instrument, window, docks) -> None:
    usual = share(instrument, "waves")
    trigger(instrument, "toggle_compare")
    window.resize(1200, 720)
    QApplication.processEvents()
    # The menu of panels brings all plots back: beside Compare there is no room for one.
    entries = {action.text(): action for action in window.header.menus["Panels"].actions()}
    entries["Waves"].trigger()
    wait_until_measured(instrument)
    assert not instrument.model.state.views.compare.is_open
    assert {*PLOTS} < seen(instrument)
    assert entries["Waves"].isChecked()
    assert share(instrument, "waves") == pytest.approx(usual, abs=0.02)
    for key in ("matrix", "similarity"):
        docks[key].setFloating(True)
    trigger(instrument, "toggle_compare")
    docks["matrix"].move(70, 60)
    docks["similarity"].close()
    trigger(instrument, "toggle_compare")
    assert (docks["matrix"].isFloating(), docks["matrix"].pos()) == (True, QPoint(70, 60))
    assert docks["similarity"].isHidden()


@pytest.mark.parametrize(("front", "docked"), [("derivations", "matrix"), ("rotary", "waves"), ("compare", "matrix")])
def test_what_stands_in_place_of_others_makes_way_for_a_panel_that_is_docked_again(instrument, window, front, docked):
    window.docks[docked].setFloating(True)
    show(instrument, **({"compare__is_open": True} if front == "compare" else {"front": front}))
    window.docks[docked].setFloating(False)
    wait_until_measured(instrument)
    views = instrument.model.state.views
    assert (views.workspace, views.compare.is_open) == ("", False)
    places = {key: window.docks[key].geometry() for key in seen(instrument)}
    assert docked in places
    assert not [(a, b) for a, b in itertools.combinations(places, 2) if places[a].intersects(places[b])]


def test_from_one_workspace_to_the_next_the_plots_in_whose_place_both_stand_stay_away(instrument: Instrument) -> None:
    before, docks = frames(instrument), instrument.window.saved_docks()
    show(instrument, front=("attention",))
    place, waves = frames(instrument)["attention"], instrument.window.docks["waves"]
    shown: list[bool] = []
    waves.visibilityChanged.connect(shown.append)
    show(instrument, front=("derivations",))
    waves.visibilityChanged.disconnect(shown.append)
    assert (seen(instrument), shown) == ({*OTHERS, "derivations"}, [])
    assert frames(instrument)["derivations"] == place
    show(instrument, study__is_open=False)
    assert (frames(instrument), instrument.window.saved_docks()) == (before, docks)


def test_attention_opens_again_at_the_panel_that_was_left_also_from_behind_compare(instrument: Instrument) -> None:
    for actions in (("toggle_attention",), ("toggle_attention", "toggle_compare")):
        show(instrument, attention__is_open=True, front=("learn",))
        settle()
        trigger(instrument, *actions)
        settle()
        assert "learn" not in seen(instrument)
        QTest.keyClick(instrument.window, Qt.Key.Key_W)
        settle()
        assert seen(instrument) == {*OTHERS, "learn"}


ROOMS = {
    "": (), "toggle_attention": ("attention",), "toggle_study": ("study",), "toggle_compare": ("compare",),
    "toggle_facts": ("facts",), "toggle_lessons": ("lessons",),
}  # fmt: skip


def test_a_room_closes_the_others_and_explore_closes_all(instrument: Instrument, luck) -> None:
    header, views = instrument.window.header, lambda: instrument.model.state.views
    for room in [*ROOMS, *luck.sample([*ROOMS], len(ROOMS)), ""]:
        is_here = room == header.room
        QTest.mouseClick(header.buttons[room], LEFT)
        wait_until_measured(instrument)
        opened = {name for names in ROOMS.values() for name in names if getattr(views(), name).is_open}
        assert opened == (set() if is_here else {*ROOMS[room]}), room
        assert [name for name, button in header.rooms.buttons.items() if button.isChecked()] == [header.room]
    # What lies over the others is marked, and makes way for what it lies over.
    trigger(instrument, "toggle_attention", "toggle_facts")
    assert header.room == "toggle_facts"
    QTest.mouseClick(header.buttons["toggle_attention"], LEFT)
    assert (views().attention.is_open, views().facts.is_open, header.room) == (True, False, "toggle_attention")
    trigger(instrument, "toggle_compare")
    QTest.mouseClick(header.buttons[""], LEFT)
    assert (views().attention.is_open, views().compare.is_open) == (False, False)


def test_arrows_go_along_the_rooms_which_are_one_stop_and_enter_opens_one(instrument, window) -> None:
    rooms = window.header.rooms.buttons
    [stop] = [one for one in window.stops() if window.header.rooms.isAncestorOf(one)]
    assert stop in rooms.values()
    rooms[""].setFocus()
    press(Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert (focused(), window.header.room) == (rooms["toggle_study"], "")
    assert [one for one in window.stops() if window.header.rooms.isAncestorOf(one)] == [rooms["toggle_study"]]
    press(Qt.Key.Key_Return)
    wait_until_measured(instrument)
    assert (window.header.room, window.docks["derivations"].isVisible()) == ("toggle_study", True)


@pytest.mark.parametrize("width", [600, 640, 800, 910, 1060, 1280, 1600, 1900])
def test_nothing_in_the_header_is_cut_or_covered(window, width) -> None:
    window.resize(width, 480)
    QApplication.processEvents()
    parts = [*window.header.buttons.values(), *window.header.findChildren(QMenuBar)]
    places = [QRect(part.mapTo(window, QPoint()), part.size()) for part in parts if part.isVisible()]
    assert len(places) == 11
    assert all(window.header.geometry().contains(place) for place in places)
    assert not any(one.intersects(other) for one, other in itertools.combinations(places, 2))
    for room in window.header.rooms.buttons.values():
        assert room.fontMetrics().horizontalAdvance(room.text()) <= room.width()
