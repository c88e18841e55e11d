"""Compare in the open window: what it takes the place of, what a press does, and how the plots come back."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.draw.theme import themes
from pe_desktop.panels.compare_panel import REST_MILLISECONDS, ComparePanel
from pe_desktop.views.properties.words import PROPERTY_NAMES
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.copying import copy_picture

OpenInstrument = Callable[..., Instrument]
PLOTS = ("clock", "waves", "similarity", "matrix")


def comparing(instrument: Instrument) -> ComparePanel:
    QTest.mouseClick(instrument.window.header.compare, Qt.MouseButton.LeftButton)
    wait_until_measured(instrument)
    panel = instrument.window.panel("compare")
    assert isinstance(panel, ComparePanel)
    return panel


def press_row(panel: ComparePanel, number: int) -> None:
    height = panel.rows.layout_now().row_height
    QTest.mouseClick(panel.rows, Qt.MouseButton.LeftButton, pos=QPoint(60, int((number + 0.5) * height)))


def test_compare_takes_the_plots_place_measures_each_row_and_gives_the_place_back(instrument: Instrument) -> None:
    window = instrument.window
    docks = window.docks
    before = {key: docks[key].geometry() for key in PLOTS}
    kept = instrument.settings.docks
    panel = comparing(instrument)
    assert [key for key in PLOTS if docks[key].isVisible()] == []
    assert window.header.compare.isChecked()
    assert docks["parameters"].isVisible()
    assert docks["transport"].isVisible()
    assert panel.width() > 1000
    assert instrument.settings.docks == kept
    # It stands in place of the plots and nowhere else.
    title_row = docks["compare"].title_row
    assert title_row is not None
    QTest.mouseDClick(title_row, Qt.MouseButton.LeftButton)
    assert not docks["compare"].isFloating()
    rows = panel.rows.rows
    assert all(len(panel.rows.measured(row)) == len(PROPERTY_NAMES) for row in rows)
    # The words that Ctrl+C takes away: the counter's largest value is N - 1.
    QTest.keyClick(window, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    line = next(line for line in QGuiApplication.clipboard().text().splitlines() if line.startswith("Counter t\t"))
    assert "Fails\t127.0" in line
    # The picture that is copied is the whole table, and apart from its edge.
    copy_picture(window, panel)
    assert QGuiApplication.clipboard().image().width() > panel.picture_image().width()
    QTest.keyClick(panel.rows, Qt.Key.Key_Escape)
    assert {key: docks[key].geometry() for key in PLOTS} == before
    assert docks["compare"].isHidden()
    assert not window.header.compare.isChecked()
    assert "compare".encode("utf-16-be") not in window.saveState().data()
    # A second time, and the way back by the menu.
    QTest.keyClick(window, Qt.Key.Key_M)
    assert docks["compare"].isVisible()
    assert panel.width() > 1000
    window.action_set.trigger("reset_layout")
    QApplication.processEvents()
    assert {key: docks[key].geometry() for key in PLOTS} == before
    assert docks["compare"].isHidden()


def test_what_happens_to_plots_and_window_while_comparing_counts_afterwards(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument()
    window = instrument.window
    docks = window.docks

    def share() -> float:
        return docks["clock"].width() / (docks["clock"].width() + docks["waves"].width())

    usual = share()
    comparing(instrument)
    window.resize(1200, 720)
    QApplication.processEvents()
    # The menu of panels brings all plots back: beside Compare there is no room for one.
    entries = {action.text(): action for action in window.header.menus["View"].actions()}
    entries["Waves"].trigger()
    wait_until_measured(instrument)
    assert not instrument.comparing.is_open
    assert all(docks[key].isVisible() for key in PLOTS)
    assert entries["Waves"].isChecked()
    assert abs(share() - usual) < 0.02
    docks["matrix"].setFloating(True)
    docks["similarity"].setFloating(True)
    comparing(instrument)
    docks["matrix"].move(70, 60)
    docks["similarity"].close()
    window.action_set.trigger("toggle_compare")
    assert (docks["matrix"].isFloating(), docks["matrix"].pos()) == (True, QPoint(70, 60))
    assert docks["similarity"].isHidden()
    # A panel that is docked again takes its old place.
    comparing(instrument)
    docks["matrix"].setFloating(False)
    wait_until_measured(instrument)
    assert not instrument.comparing.is_open
    assert docks["matrix"].isVisible()
    assert not docks["matrix"].isFloating()
    assert docks["waves"].geometry().bottom() < docks["matrix"].y()


def test_a_press_on_a_row_chooses_its_encoding_and_measures_nothing_again(instrument: Instrument) -> None:
    panel = comparing(instrument)
    n_known = len(panel._analyses)
    press_row(panel, [row.title for row in panel.rows.rows].index("Binary code"))
    assert instrument.model.encoding.kind == "bits"
    assert panel.rows.rows[panel.rows.place or 0].title == "Binary code"
    # The sizes of the rows, of which the bits are only as wide as they need.
    assert panel.subtitle.endswith("N = 128, d_model = 32")
    wait_until_measured(instrument)
    assert len(panel._analyses) == n_known
    QTest.keyClick(panel.rows, Qt.Key.Key_Down)
    assert instrument.model.encoding.kind == "counter"
    # Another width: every row is another encoding, and the tables are drawn anew, in another theme, too.
    instrument.model.set_parameter("n_positions", "64")
    instrument.window.show_theme(themes()["dark"])
    wait_until_measured(instrument)
    assert all(row.encoding.n_positions == 64 and panel.rows.measured(row) for row in panel.rows.rows)
    assert set(panel._tables) == {row.encoding for row in panel.rows.rows}
    panel._on_stop_or_go()
    assert panel.progress.isHidden()
    instrument.model.choose("four-waves")
    assert panel.subtitle.endswith("N = 64, d_model = 32; in the first row N = 100, d_model = 4")


def test_what_takes_long_can_be_stopped_and_measured_later_and_checks_lead_back_to_the_plots(
    open_instrument: OpenInstrument,
) -> None:
    instrument = open_instrument(n_positions=3000, d_model=128)
    window = instrument.window
    QTest.mouseClick(window.header.compare, Qt.MouseButton.LeftButton)
    panel = window.panel("compare")
    assert isinstance(panel, ComparePanel)
    # That something is said about the measuring must not make it begin anew.
    QApplication.processEvents()
    size, generation = panel.rows.table_size, panel._worker._generation
    panel.progress.show_state("Measuring", "Cancel")
    QTest.qWait(2 * REST_MILLISECONDS)
    assert (panel.rows.table_size, panel._worker._generation) == (size, generation)
    panel.set_list("conventions")
    panel._on_stop_or_go()
    assert (panel.progress.words, panel.progress.button.text()) == ("Not measured to the end", "Measure")
    wait_until_measured(instrument)
    assert len(panel._unknown()) > 0
    assert panel.progress.isVisible()
    QTest.mouseClick(panel.progress.button, Qt.MouseButton.LeftButton)
    assert not panel.is_settled
    window.action_set.trigger("show_properties")
    assert not instrument.comparing.is_open
    assert window.docks["properties"].isVisible()
    assert panel.is_settled
