"""Properties and measuring in the open window: rows, presses, scrolling, progress, what is waited for."""

import math
import threading
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.rotation import shift_report
from pe_desktop.views import questions
from pe_desktop.views.properties.words import PROPERTY_NAMES
from pe_desktop.views.rotation import scene as rotation_scene
from pe_desktop.window import application
from pe_desktop.window.application import Instrument, wait_until_measured
from tests.panels.conftest import drag
from tests.window.conftest import LEFT, OpenInstrument, panel_of, place_of


def properties(instrument: Instrument, page: str = "verdicts") -> Any:
    """The panel in front, with all that the page wants to know."""
    instrument.model.set(**{"properties.page": page})
    instrument.window.docks["properties"].raise_()
    wait_until_measured(instrument)
    return panel_of(instrument, "properties")


def press(panel: Any, name: str) -> None:
    area = place_of(panel.canvas, name).area
    at = QPoint(round(area.x + 20), round(area.middle[1]))
    panel.page_area.ensureVisible(at.x(), at.y())
    QTest.mouseClick(panel.canvas, LEFT, pos=at)


def test_dock_and_panel_say_the_same_and_another_page_is_shown_from_its_top(instrument: Instrument) -> None:
    panel, dock = properties(instrument), instrument.window.parameters
    n_properties = len(PROPERTY_NAMES)
    assert dock._measured.text() == f"{n_properties} of {n_properties} hold"
    assert panel.readout().count("\tHolds\t") == n_properties
    nearest = math.sqrt(sum(4 * math.sin(10000 ** (-i / 16) / 2) ** 2 for i in range(16)))
    assert f"\t{nearest:.12f}"[:12] in panel.readout()
    bar = properties(instrument, "distance").page_area.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    instrument.model.set(**{"properties.page": "collisions"})
    assert bar.value() == 0
    # Pages that were chosen one after the other are one step.
    instrument.model.undo()
    assert instrument.model.state.views.properties.page == "verdicts"


def test_presses_lead_to_nearest_positions_and_returns_and_a_drag_moves_k(open_instrument: OpenInstrument) -> None:
    # Linear spacing comes back at 2 pi / (1 - 1e-4) * 63 = 395.9 positions (d_model = 128): 396 is the nearest offset.
    instrument = open_instrument(d_model=128, n_positions=512, spacing="linear")
    model, panel = instrument.model, properties(instrument)
    press(panel, "Unique")
    assert model.cursor.offset == 396.0
    model.undo()
    assert (model.cursor.position, model.cursor.offset) == (37.0, 8.0)
    model.set(d_model=32, spacing="geometric", n_positions=10_000, pair=0)
    properties(instrument, "collisions")
    press(panel, "near return after 710")
    assert model.cursor.offset == 710.0
    properties(instrument, "distance")
    area = place_of(panel.canvas, "distance by offset").area
    start, end = QPoint(round(area.x + 10), round(area.middle[1])), QPoint(round(area.middle[0]), round(area.y + 20))
    drag(panel.canvas, start, end)
    assert model.cursor.offset == pytest.approx(9999 * (end.x() - area.x) / area.width, abs=30)


def test_the_last_row_of_the_verdicts_is_reached_and_bar_and_width_come_to_rest(instrument: Instrument) -> None:
    panel = properties(instrument)
    instrument.window.docks["properties"].setFloating(True)
    # Of the page alone: frame and title row of the dock are not part of it.
    for size in ((382, 680), (382, 620), (354, 600), (525, 480)):
        panel.page_area.setFixedSize(QSize(*size))
        for _ in range(5):
            QApplication.processEvents()
        bar = panel.page_area.verticalScrollBar()
        seen = panel.page_area.viewport().size()
        assert bar.isVisible() == (panel.canvas.height() > panel.page_area.height())
        assert panel.canvas.width() == seen.width()
        assert bar.maximum() == panel.canvas.height() - seen.height()
        assert place_of(panel.canvas, "Constant length").area.bottom <= panel.canvas.height()
        n_frames = panel.canvas.n_frames
        for _ in range(5):
            QApplication.processEvents()
        assert panel.canvas.n_frames == n_frames


# Longer than all other measurements of a small table take.
LATE_SECONDS = 1.5


def make_late(monkeypatch: pytest.MonkeyPatch, event: threading.Event, seconds: float | None) -> None:
    """Let the report on a shift wait for an event, or some seconds."""

    def late_report(encoding, offset, is_cancelled):
        event.wait(seconds)
        return shift_report(encoding, offset, is_cancelled)

    monkeypatch.setattr(questions, "shift_report", late_report)


def test_what_is_measured_where_it_is_seen_is_waited_for_but_not_too_long(instrument, monkeypatch) -> None:
    model, may_end = instrument.model, threading.Event()
    make_late(monkeypatch, may_end, LATE_SECONDS)
    model.move_cursor(offset=9.0)
    instrument.window.docks["rotation"].raise_()
    wait_until_measured(instrument)
    assert model.findings.is_known(rotation_scene.VIEW.questions(model.state)[0])
    make_late(monkeypatch, may_end, None)
    monkeypatch.setattr(application, "MEASURED_SECONDS", 0.3)
    instrument.window.docks["similarity"].raise_()
    model.move_cursor(offset=10.0)
    wait_until_measured(instrument)
    try:
        assert model.findings.is_busy("similarity")
    finally:
        may_end.set()


def test_a_heat_map_behind_another_tab_since_the_start_is_not_waited_for(open_instrument, monkeypatch) -> None:
    instrument = open_instrument(front="rotation")
    naps: list[float] = []
    # A clock that only the naps of the waiting move.
    clock = SimpleNamespace(monotonic=lambda: float(len(naps)), sleep=naps.append)
    monkeypatch.setattr(application, "time", clock)
    wait_until_measured(instrument, 10_000.0)
    assert not instrument.model.findings.is_busy()
    assert len(naps) < 10_000
