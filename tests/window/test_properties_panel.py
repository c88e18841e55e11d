"""Properties in the open window: what their rows say and where a press on them leads."""

import math
import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from pe_desktop.core.measure import collisions
from pe_desktop.model import encoding_model
from pe_desktop.panels import ParametersPanel, PropertiesPanel, properties_panel
from pe_desktop.panels.properties_panel import COLLISIONS, DISTANCE, VERDICTS
from pe_desktop.window.application import Instrument
from tests.window.test_heat_panels import settle

OpenInstrument = Callable[..., Instrument]


def properties(instrument: Instrument, page: str = VERDICTS) -> PropertiesPanel:
    panel = instrument.window.panel("properties")
    assert isinstance(panel, PropertiesPanel)
    instrument.window.docks["properties"].raise_()
    settle(lambda: panel.pages.verdicts.analysis is not None and panel.pages.verdicts.analysis.is_complete)
    panel.set_page(page)
    return panel


def press_row(panel: PropertiesPanel, row: int) -> None:
    page = panel.pages.verdicts
    QTest.mouseClick(page, Qt.MouseButton.LeftButton, pos=QPoint(40, int((row + 0.5) * page.height() / 7)))


def test_a_press_on_unique_goes_to_the_two_nearest_positions(open_instrument: OpenInstrument) -> None:
    # Linear spacing comes back at 2 pi / (1 - 1e-4) * 63 = 395.9 positions (d_model = 128): 396 is the nearest offset.
    instrument = open_instrument(d_model=128, n_positions=512, spacing="linear")
    press_row(properties(instrument), 1)
    assert instrument.model.cursor.offset == 396.0


def test_dock_and_panel_say_the_same_of_the_paper_encoding(instrument: Instrument) -> None:
    panel = properties(instrument)
    dock = instrument.window.panel("parameters")
    assert isinstance(dock, ParametersPanel)
    assert dock._measured.text() == "7 of 7 hold"
    assert panel.readout().count("\tHolds\t") == 7
    nearest = math.sqrt(sum(4 * math.sin(10000 ** (-i / 16) / 2) ** 2 for i in range(16)))
    assert f"\t{nearest:.12f}"[:12] in panel.readout()


def test_near_returns_of_the_fastest_hand_are_44_and_710_and_a_press_takes_k_there(
    open_instrument: OpenInstrument,
) -> None:
    instrument = open_instrument(pair=0, n_positions=10_000)
    panel = properties(instrument, COLLISIONS)
    settle(lambda: panel.pages.collisions.close_offsets is not None)
    offsets = [near.positions for near in panel.pages.collisions._returns()]
    assert {44, 710} <= set(offsets)
    table = panel.pages.collisions.layout_now().returns
    place = QPoint(20, int(table.y + 20 + 21 * (offsets.index(710) + 0.5)))
    QTest.mouseClick(panel.pages.collisions, Qt.MouseButton.LeftButton, pos=place)
    assert instrument.model.cursor.offset == 710.0


def test_the_distance_page_fits_the_line_and_the_law_of_seed_000(open_instrument: OpenInstrument) -> None:
    panel = properties(open_instrument(d_model=1000, n_positions=1000), DISTANCE)
    settle(lambda: panel.pages.distance.law is not None)
    law = panel.pages.distance.law
    assert law is not None
    assert law.line is not None
    assert law.logarithm is not None
    assert (round(law.line.r_squared, 3), round(law.logarithm.r_squared, 3)) == (0.661, 0.992)
    assert (len(law.steps_down), int(law.steps_down[0]), law.farthest) == (425, 68, 994)


def test_a_long_search_tells_its_progress_and_can_be_stopped_and_taken_up_again(
    instrument: Instrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = properties(instrument)
    may_end, found = threading.Event(), collisions.close_offsets(instrument.model.encoding)

    def slow_search(encoding, progress, is_cancelled):
        progress(1, 4)
        while not may_end.wait(0.002):
            if is_cancelled():
                return None
        return found

    monkeypatch.setattr(collisions, "close_offsets", slow_search)
    monkeypatch.setattr(properties_panel, "QUIET_SECONDS", 0.0)
    panel.set_page(COLLISIONS)
    settle(panel.stop_or_go.isVisible)
    assert (panel._row.words, panel.stop_or_go.text()) == ("Searching, 25 %", "Cancel")
    QTest.mouseClick(panel.stop_or_go, Qt.MouseButton.LeftButton)
    assert (panel._row.words, panel.stop_or_go.text()) == ("Not searched to the end", "Search")
    may_end.set()
    QTest.mouseClick(panel.stop_or_go, Qt.MouseButton.LeftButton)
    settle(lambda: panel.pages.collisions.close_offsets is found)
    assert not panel.stop_or_go.isVisible()
    # A search that was cancelled leaves nothing of this encoding to be shown for another.
    panel.set_page(DISTANCE)
    instrument.model.set_parameter("base", "500")
    settle(lambda: panel.pages.distance.law is not None)
    may_end.clear()
    panel.set_page(COLLISIONS)
    settle(panel.stop_or_go.isVisible)
    QTest.mouseClick(panel.stop_or_go, Qt.MouseButton.LeftButton)
    panel.set_page(VERDICTS)
    instrument.model.set_parameter("base", "700")
    assert panel.pages.distance.law is None
    assert panel.pages.collisions.close_offsets is None


def test_measuring_can_be_stopped_and_what_is_known_stays(
    instrument: Instrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = properties(instrument)
    complete = instrument.model.analysis
    assert complete is not None
    may_end = threading.Event()

    def slow_analysis(encoding, is_cancelled, report):
        report(type(complete)(encoding, complete.measurements[:2], 0.25))
        while not may_end.wait(0.002):
            if is_cancelled():
                return None
        return type(complete)(encoding, complete.measurements, 1.0)

    monkeypatch.setattr(encoding_model, "analyse", slow_analysis)
    monkeypatch.setattr(properties_panel, "QUIET_SECONDS", -1.0)
    instrument.model.set_parameter("base", "500")
    settle(panel.stop_or_go.isVisible)
    settle(lambda: panel._row.words == "Measuring, 25 %")
    QTest.mouseClick(panel.stop_or_go, Qt.MouseButton.LeftButton)
    assert (panel._row.words, panel.stop_or_go.text()) == ("Stopped", "Measure")
    assert instrument.model.analysis is not None
    assert len(instrument.model.analysis.measurements) == 2
    may_end.set()
    QTest.mouseClick(panel.stop_or_go, Qt.MouseButton.LeftButton)
    settle(lambda: not instrument.model.is_measuring)
    assert panel.readout().count("\n") == 6
