"""Attention in the open window: whose place it takes, how it is opened, and how everything comes back."""

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.core.state import State, state_of
from pe_desktop.panels import panel_class
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.panel_menu import PanelMenu

OpenInstrument = Callable[..., Instrument]
AT_THE_RIGHT, OTHERS = ("waves", "matrix"), ("parameters", "clock", "similarity", "transport")


def geometries(instrument: Instrument, *keys: str) -> dict[str, QRect]:
    return {key: instrument.window.docks[key].geometry() for key in keys}


def seen(instrument: Instrument) -> set[str]:
    docks = instrument.window.docks.items()
    return {key for key, dock in docks if dock.isVisible() and not dock.is_behind}


def open_attention(instrument: Instrument) -> None:
    QTest.mouseClick(instrument.window.header.attention, Qt.MouseButton.LeftButton)
    wait_until_measured(instrument)


def test_attention_takes_the_right_half_and_gives_it_back_to_the_pixel(instrument: Instrument) -> None:
    window = instrument.window
    before, others = geometries(instrument, *AT_THE_RIGHT), geometries(instrument, *OTHERS)
    kept, state, names = instrument.settings.docks, instrument.model.state, window.saved_docks()
    open_attention(instrument)
    assert seen(instrument) == {*OTHERS, "attention"}
    assert geometries(instrument, *OTHERS) == others
    # Over it stand the tabs.
    place, whole = window.docks["attention"].geometry(), before["waves"].united(before["matrix"])
    assert (place.left(), place.right(), place.bottom()) == (whole.left(), whole.right(), whole.bottom())
    assert 20 < place.top() - whole.top() < 40
    assert window.header.attention.isChecked()
    assert instrument.settings.docks == kept
    QTest.keyClick(window, Qt.Key.Key_W)
    wait_until_measured(instrument)
    assert geometries(instrument, *AT_THE_RIGHT) == before
    assert geometries(instrument, *OTHERS) == others
    assert window.saved_docks() == names
    assert instrument.model.state == state
    assert not window.header.attention.isChecked()


def test_a_panel_of_attention_in_front_opens_it_from_the_command_line_and_from_a_session(
    open_instrument: OpenInstrument,
) -> None:
    assert state_of({"front": "attention"}).views.attention.is_open
    assert not state_of({"front": "rotation"}).views.attention.is_open
    instrument = open_instrument(front="look-back")
    assert "look-back" in seen(instrument)
    assert instrument.window.header.attention.isChecked()
    assert "look-back" in instrument.model.state.views.front
    instrument.model.set(front=("attention",))
    assert "attention" in seen(instrument)
    instrument.model.set_state(State(), "Open")
    wait_until_measured(instrument)
    assert {*AT_THE_RIGHT} <= seen(instrument)
    assert "attention" not in seen(instrument)


def test_undo_opens_and_closes_it_and_puts_a_moved_word_back(instrument: Instrument) -> None:
    open_attention(instrument)
    instrument.model.set(order=(1, 0, 2, 3, 4))
    titles = []
    for _ in range(2):
        titles.append(instrument.window.action_set.entries["undo"].text())
        instrument.window.action_set.trigger("undo")
    wait_until_measured(instrument)
    assert titles == ["Undo order of the words", "Undo Attention"]
    assert {*AT_THE_RIGHT} <= seen(instrument)
    instrument.window.action_set.trigger("redo")
    wait_until_measured(instrument)
    assert "attention" in seen(instrument)


def test_compare_stands_before_attention_which_is_there_again_when_it_is_closed(instrument: Instrument) -> None:
    window, before = instrument.window, geometries(instrument, *AT_THE_RIGHT)
    kept = instrument.settings.docks
    open_attention(instrument)
    place = window.docks["attention"].geometry()
    window.action_set.trigger("toggle_compare")
    wait_until_measured(instrument)
    assert seen(instrument) == {"parameters", "compare", "transport"}
    assert instrument.settings.docks == kept
    assert not window.header.attention.isChecked()
    window.action_set.trigger("toggle_compare")
    wait_until_measured(instrument)
    assert window.docks["attention"].geometry() == place
    # From Compare straight to Attention, and all of it closed at once.
    window.action_set.trigger("toggle_compare")
    window.action_set.trigger("toggle_attention")
    wait_until_measured(instrument)
    assert "attention" in seen(instrument)
    window.action_set.trigger("toggle_compare")
    instrument.model.set(**{"compare.is_open": False, "attention.is_open": False})
    wait_until_measured(instrument)
    assert geometries(instrument, *AT_THE_RIGHT) == before


def test_reset_layout_the_menu_of_panels_and_closing_the_last_panel_bring_the_plots_back(
    instrument: Instrument,
) -> None:
    window, before = instrument.window, geometries(instrument, *AT_THE_RIGHT)

    def choose_waves() -> None:
        window.action_set.trigger("show waves")

    def close_panels() -> None:
        for panel in map(panel_class, WORKSPACES["attention"]):
            window.docks[panel.key].close()

    for leave in (lambda: window.action_set.trigger("reset_layout"), choose_waves, close_panels):
        open_attention(instrument)
        assert "waves" not in seen(instrument)
        leave()
        wait_until_measured(instrument)
        assert geometries(instrument, *AT_THE_RIGHT) == before
        assert not instrument.model.state.views.attention.is_open


def test_a_narrow_window_folds_encoding_and_keeps_the_share_of_the_width(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(front="attention", width=1280, height=720)
    docks, window = instrument.window.docks, instrument.window
    assert docks["parameters"].isHidden()
    assert docks["attention"].height() + docks["transport"].height() < 720
    share = docks["clock"].width() / (docks["clock"].width() + docks["attention"].width())
    assert abs(share - 0.335) < 0.02
    window.resize(1600, 1000)
    QApplication.processEvents()
    wait_until_measured(instrument)
    assert docks["parameters"].isVisible()
    assert abs(docks["clock"].width() / (docks["clock"].width() + docks["attention"].width()) - 0.335) < 0.03


def test_its_own_keys_act_in_it_alone_and_all_others_everywhere(instrument: Instrument) -> None:
    window, model = instrument.window, instrument.model
    open_attention(instrument)
    canvas = window.panel("attention").canvas  # type: ignore[attr-defined]
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_M)
    assert model.state.attention.causal
    assert not model.state.views.compare.is_open
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    assert model.cursor.position == 38.0
    window.clock.canvas.setFocus()
    QTest.keyClick(window.clock.canvas, Qt.Key.Key_3)
    assert model.state.attention.scheme == "additive"
    QTest.keyClick(window.clock.canvas, Qt.Key.Key_M)
    assert model.state.views.compare.is_open


def test_its_menu_copies_the_table_and_opens_the_card_of_numbers(instrument: Instrument) -> None:
    open_attention(instrument)
    dock = instrument.window.docks["attention"]
    menu = PanelMenu(dock, instrument.window)
    entries = {action.text(): action for action in menu.actions()}
    assert {"Copy as table", "Copy picture"} <= {*entries}
    entries["Copy as table"].trigger()
    assert QApplication.clipboard().text().startswith("weights, as written\tI\tpark\tin\tmy\tsleep\n")
    entries["First position, seed, temperature…"].trigger()
    assert dock.panel.card.isVisible()  # type: ignore[attr-defined]
    dock.panel.card.close()  # type: ignore[attr-defined]
    menu.close()
