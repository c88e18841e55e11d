"""Facts in the open window: where it stands, what gives way, how it is opened and closed, at any width."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.facts.shown import shown_card
from pe_desktop.panels.facts_panel import FactsPanel
from pe_desktop.window.application import Instrument
from tests.window.conftest import finish

OpenInstrument = Callable[..., Instrument]
PLOTS = ("clock", "waves", "similarity", "matrix")
LEFT = Qt.MouseButton.LeftButton


def settle() -> None:
    for _ in range(5):
        QApplication.processEvents()


def facts(instrument: Instrument) -> FactsPanel:
    settle()
    panel = instrument.window.panel("facts")
    assert isinstance(panel, FactsPanel)
    assert panel.isVisible()
    return panel


def press_facts(instrument: Instrument) -> FactsPanel:
    QTest.mouseClick(instrument.window.header.facts, LEFT)
    return facts(instrument)


def press_place(panel: FactsPanel, name: str) -> None:
    panel.canvas.repaint()
    area = next(place.area for place in panel.canvas.places() if place.name == name)
    QTest.mouseClick(panel.canvas, LEFT, pos=QPointF(*area.middle).toPoint())
    settle()


def test_facts_stands_at_the_right_encoding_folds_and_comes_back(instrument: Instrument) -> None:
    window = instrument.window
    assert "facts" not in window.docks
    panel = press_facts(instrument)
    dock = window.docks["facts"]
    assert dock.width() == 376
    assert dock.geometry().right() >= window.docks["waves"].geometry().right() + 370
    assert all(window.docks[key].isVisible() for key in PLOTS)
    assert window.rail.isVisible()
    assert not window.docks["parameters"].isVisible()
    assert window.header.facts.isChecked()
    # The rail opens Encoding over the plots; it is not the person's choice that it is folded.
    QTest.mouseClick(window.rail.button, LEFT)
    assert window.overlay.isVisible()
    assert not window.is_folded
    QTest.mouseClick(panel.header_widgets()[0], LEFT)
    settle()
    assert dock.isHidden()
    assert window.docks["parameters"].isVisible()
    assert not window.rail.isVisible()
    assert not window.header.facts.isChecked()


def test_the_keys_the_menu_and_the_state_open_it_and_undo_closes_it(instrument: Instrument) -> None:
    window, model = instrument.window, instrument.model
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
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


def test_a_card_is_in_the_plots_after_two_presses(instrument: Instrument) -> None:
    panel = press_facts(instrument)
    press_place(panel, f"Show it: {CARDS['identical-at-41'].claim}")
    assert shown_card(instrument.model.state) is CARDS["identical-at-41"]
    assert "-0.15862266880470" in instrument.window.panel("matrix").readout()
    assert panel.isVisible()


def test_a_card_about_a_sentence_brings_attention_and_facts_stays_beside_it(instrument: Instrument) -> None:
    panel = press_facts(instrument)
    press_place(panel, f"Show it: {CARDS['position-invariant'].claim}")
    window = instrument.window
    attention = window.docks["attention"]
    assert attention.isVisible()
    assert window.docks["facts"].isVisible()
    assert attention.geometry().right() < window.docks["facts"].x()
    assert attention.geometry().bottom() == window.docks["facts"].geometry().bottom()
    press_place(panel, f"Put back: {CARDS['position-invariant'].claim}")
    assert all(window.docks[key].isVisible() for key in (*PLOTS, "facts"))
    assert not attention.isVisible()
    assert window.docks["waves"].geometry().right() < window.docks["facts"].x()


def test_compare_takes_the_whole_room_and_gives_it_back(instrument: Instrument) -> None:
    press_facts(instrument)
    window = instrument.window
    QTest.mouseClick(window.header.compare, LEFT)
    settle()
    assert not window.docks["facts"].isVisible()
    QTest.mouseClick(window.header.compare, LEFT)
    settle()
    assert window.docks["facts"].isVisible()
    assert window.docks["facts"].width() == 376


def test_in_a_narrow_window_it_lies_over_the_right_half_one_card_wide(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(width=1280, height=720)
    window = instrument.window
    before = window.docks["waves"].geometry()
    panel = press_facts(instrument)
    assert window.docks["facts"].isHidden()
    assert window.docks["waves"].geometry() == before
    corner = panel.mapTo(window, panel.rect().topLeft())
    assert corner.x() > 640
    assert panel.width() <= 376
    # It follows the window's width, and its place in the plots is a dock again.
    window.resize(1600, 1000)
    settle()
    assert window.docks["facts"].isVisible()
    window.resize(1280, 720)
    settle()
    facts(instrument)
    # Compare has the whole room; Facts comes back with the plots.
    QTest.mouseClick(window.header.compare, LEFT)
    settle()
    assert not panel.isVisible()
    QTest.mouseClick(window.header.compare, LEFT)
    assert facts(instrument) is panel
    window.setFocus()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    settle()
    assert not panel.isVisible()
    assert not instrument.model.state.views.facts.is_open


def test_what_a_window_with_facts_leaves_behind_opens_a_window_with_facts(open_instrument: OpenInstrument) -> None:
    first = open_instrument()
    press_facts(first)
    kept = first.settings
    second = Instrument(first.model.state, kept)
    second.window.resize(1600, 1000)
    second.window.show()
    panel = facts(second)
    assert second.window.docks["facts"].width() == 376
    assert all(second.window.docks[key].isVisible() for key in PLOTS)
    QTest.mouseClick(panel.header_widgets()[0], LEFT)
    settle()
    assert second.window.docks["parameters"].isVisible()
    assert second.window.docks["waves"].geometry().right() > 1500
    finish(second)


def test_a_window_opens_with_facts_where_the_state_says_so(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(facts__is_open="true", facts__verdict="open")
    panel = facts(instrument)
    assert panel.verdicts.currentText() == "Open"
    assert instrument.window.rail.isVisible()
    instrument.window.action_set.entries["reset_layout"].trigger()
    settle()
    assert not instrument.model.state.views.facts.is_open
    assert instrument.window.docks["parameters"].isVisible()
