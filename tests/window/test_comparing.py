"""Compare in the open window: what it takes the place of, what a press does, and how the plots come back."""

import itertools
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.draw.scene import Place
from pe_desktop.draw.theme import themes
from pe_desktop.panels.compare_panel import ComparePanel
from pe_desktop.views.compare import scene as view
from pe_desktop.views.compare.rows import cells_left, chosen_row, rows_of
from pe_desktop.views.properties.words import PROPERTY_NAMES
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.panel_menu import copy_picture

OpenInstrument = Callable[..., Instrument]
PLOTS = ("clock", "waves", "similarity", "matrix")


def comparing(instrument: Instrument) -> ComparePanel:
    QTest.mouseClick(instrument.window.header.compare, Qt.MouseButton.LeftButton)
    wait_until_measured(instrument)
    panel = instrument.window.panel("compare")
    assert isinstance(panel, ComparePanel)
    return panel


def row_places(panel: ComparePanel) -> list[Place]:
    return [place for place in panel.canvas.places() if place.name.startswith("row ")]


def press_row(panel: ComparePanel, number: int) -> None:
    _, y = row_places(panel)[number].area.middle
    QTest.mouseClick(panel.canvas, Qt.MouseButton.LeftButton, pos=QPoint(60, int(y)))


def known(instrument: Instrument) -> list[bool]:
    """Which rows are measured to the end."""
    return [instrument.model.findings.is_known(question) for question in view.VIEW.questions(instrument.model.state)]


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
    docks["compare"].pop_out_or_in()
    assert not docks["compare"].isFloating()
    assert all(known(instrument))
    assert panel.canvas.places()[0].value.count(": ") == len(PROPERTY_NAMES)
    # The words that Ctrl+C takes away: the counter's largest value is N - 1.
    QTest.keyClick(window, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    line = next(line for line in QGuiApplication.clipboard().text().splitlines() if line.startswith("Counter t\t"))
    assert "Fails\t127.0" in line
    # The picture that is copied is the whole table, also what is scrolled away.
    copy_picture(window, panel)
    assert QGuiApplication.clipboard().image().height() > 2 * 68 * len(row_places(panel))
    QTest.keyClick(panel.canvas, Qt.Key.Key_Escape)
    assert {key: docks[key].geometry() for key in PLOTS} == before
    assert docks["compare"].isHidden()
    assert not window.header.compare.isChecked()
    assert "compare".encode("utf-16-be") not in window.saved_docks().data()
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
    entries = {action.text(): action for action in window.header.menus["Panels"].actions()}
    entries["Waves"].trigger()
    wait_until_measured(instrument)
    assert not instrument.arranger.is_comparing
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
    assert not instrument.arranger.is_comparing
    assert docks["matrix"].isVisible()
    assert not docks["matrix"].isFloating()
    assert docks["waves"].geometry().bottom() < docks["matrix"].y()


@pytest.mark.parametrize(("front", "docked"), [("derivations", "matrix"), ("rotary", "waves")])
def test_what_stands_in_place_of_others_makes_way_for_a_panel_that_is_docked_again(
    instrument: Instrument, front: str, docked: str
) -> None:
    model, window = instrument.model, instrument.window
    window.docks[docked].setFloating(True)
    model.set(front=front)
    wait_until_measured(instrument)
    window.docks[docked].setFloating(False)
    wait_until_measured(instrument)
    assert model.state.views.workspace == ""
    seen = [dock for dock in window.docks.values() if dock.isVisible() and not dock.is_behind]
    assert window.docks[docked].isVisible()
    assert not [(a, b) for a, b in itertools.combinations(seen, 2) if a.geometry().intersects(b.geometry())]


def test_a_press_on_a_row_chooses_its_encoding_and_measures_nothing_again(instrument: Instrument) -> None:
    panel, model = comparing(instrument), instrument.model
    titles = [row.title for row in rows_of(model.state)]
    press_row(panel, titles.index("Binary code"))
    assert model.encoding.kind == "bits"
    assert chosen_row(model.state) == titles.index("Binary code")
    # The sizes of the rows, of which the bits are only as wide as they need.
    assert panel.subtitle.endswith("N = 128, d_model = 32")
    assert all(known(instrument))
    QTest.keyClick(panel.canvas, Qt.Key.Key_Down)
    assert model.encoding.kind == "counter"
    # Another width: every row is another encoding, and the tables are drawn anew, in another theme, too.
    model.set_parameter("n_positions", "64")
    instrument.window.dress(themes()["dark"])
    wait_until_measured(instrument)
    assert all(known(instrument))
    tables = view.table_questions(model.state, panel.canvas.box())
    assert len(tables) == len(titles)
    assert all(model.findings.is_known(question) for question in tables)
    assert panel.progress.isHidden()
    model.choose("four-waves")
    model.set(**{"compare.is_open": True})
    assert panel.subtitle.endswith("N = 64, d_model = 32; in the first row N = 100, d_model = 4")
    model.undo()
    model.undo()
    assert model.encoding.kind == "counter"


def test_a_convention_with_the_table_of_another_is_marked_by_its_own_name(instrument: Instrument) -> None:
    panel, model = comparing(instrument), instrument.model
    model.set(**{"compare.list": "conventions"})
    titles = [row.title for row in rows_of(model.state)]
    wait_until_measured(instrument)
    for title in ("tensor2tensor", "Whisper"):
        panel.canvas.repaint()
        press_row(panel, titles.index(title))
        assert titles[chosen_row(model.state) or 0] == title


def test_what_takes_long_can_be_stopped_and_measured_later_and_checks_lead_back_to_the_plots(
    open_instrument: OpenInstrument,
) -> None:
    instrument = open_instrument(n_positions=3000, d_model=128)
    window, findings = instrument.window, instrument.model.findings
    QTest.mouseClick(window.header.compare, Qt.MouseButton.LeftButton)
    panel = window.panel("compare")
    assert isinstance(panel, ComparePanel)
    instrument.model.set(**{"compare.list": "conventions"})
    QTest.qWait(400)
    findings.stop(view.VIEW.questions(instrument.model.state))
    assert panel.progress.button.text() == "Compute"
    wait_until_measured(instrument)
    assert not all(known(instrument))
    assert panel.progress.isVisible()
    # It covers no row and no name of a column, and takes no room from the rows.
    header, rows = panel.progress.geometry(), panel.page_area.geometry()
    assert not rows.intersects(header)
    assert rows.bottom() == panel.rect().bottom()
    assert header.right() < cells_left(float(panel.canvas.width()))
    QTest.mouseClick(panel.progress.button, Qt.MouseButton.LeftButton)
    assert findings.is_busy(panel.key)
    window.action_set.trigger("show_properties")
    assert not instrument.arranger.is_comparing
    assert window.docks["properties"].isVisible()
    assert not findings.is_busy(panel.key)


def test_two_lengths_stand_side_by_side_after_two_presses_and_a_row_keeps_them_there(instrument: Instrument) -> None:
    # Field guide S4-3: t/N puts neighbours 0.1 apart among 10 positions and 0.001 among 1000.
    instrument.model.choose("share-10")
    panel = comparing(instrument)
    numbers = {line.split("\t")[0]: line.split("\t") for line in panel.readout().splitlines()[1:]}
    at = panel.readout().splitlines()[0].split("\t").index("Unique, number")
    assert float(numbers["t/N of 10 positions"][at]) == pytest.approx(0.1)
    assert float(numbers["t/N of 1 000 positions"][at]) == pytest.approx(0.001)
    assert float(numbers["Sinusoids, 10 positions"][at]) == pytest.approx(
        float(numbers["Sinusoids, 1 000 positions"][at])
    )
    panel.canvas.repaint()
    press_row(panel, [row.title for row in rows_of(instrument.model.state)].index("Sinusoids, 10 positions"))
    assert instrument.arranger.is_comparing
    assert (instrument.model.encoding.kind, instrument.model.encoding.n_positions) == ("sinusoidal", 10)
    assert (instrument.model.cursor.position, instrument.model.cursor.offset) == (3, 1)


def test_each_row_is_told_by_its_difference_from_the_chosen_one(instrument: Instrument) -> None:
    panel, model = comparing(instrument), instrument.model
    model.set(**{"compare.list": "conventions", "compare.shows": "difference"})
    wait_until_measured(instrument)
    titles = [row.title for row in rows_of(model.state)]
    values = {title: place.value for title, place in zip(titles, row_places(panel), strict=True)}
    assert values["Sinusoidal (paper)"].startswith("The chosen encoding")
    assert values["Marian (transformers)"].startswith("The same columns in another order")
    # 10000^(16 / 15) for 16 pairs.
    assert values["tensor2tensor"].replace("\u2009", " ").startswith("Sinusoidal (paper) with the base 18 478.49")
    place = panel.canvas.place_at(panel.width() - 60.0, 130.0)
    assert place is not None
    assert place.tooltip.startswith("tensor2tensor − Sinusoidal (paper)\nLargest difference: 1.9994671")
    panel.canvas.repaint()
    press_row(panel, titles.index("tensor2tensor"))
    wait_until_measured(instrument)
    assert panel.subtitle.startswith("each less tensor2tensor")
    after = {title: place.value for title, place in zip(titles, row_places(panel), strict=True)}
    assert after["Whisper"] == "The table of tensor2tensor."
    assert after["fairseq"] == "Other vectors with the same dot products."
