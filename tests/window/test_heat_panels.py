"""Rotation in the open window, and the axis that matrix, waves and transport share."""

import time
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.cursor import Span
from pe_desktop.panels import RotationPanel
from pe_desktop.views.rotation.scene import report_of
from pe_desktop.window.application import Instrument

OpenInstrument = Callable[..., Instrument]


def rotation(instrument: Instrument) -> RotationPanel:
    panel = instrument.window.panel("rotation")
    assert isinstance(panel, RotationPanel)
    instrument.window.docks["rotation"].raise_()
    settle(lambda: panel.canvas.n_frames > 0)
    return panel


def settle(is_done: Callable[[], bool], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not is_done() and time.monotonic() < deadline:
        QApplication.processEvents()
        time.sleep(0.005)
    assert is_done()


def test_matrix_waves_and_scrubber_share_one_axis(instrument: Instrument) -> None:
    instrument.model.set_span(Span(20.0, 70.0))
    QApplication.processEvents()
    QTest.qWait(20)
    window, matrix = instrument.window, instrument.window.matrix
    waves, scrubber = window.waves.canvas, window.transport.scrubber
    for position in (25.0, 60.0):
        places = [
            matrix.canvas.mapToGlobal(QPointF(matrix.layout_now().along_positions(position), 0)).x(),
            waves.mapToGlobal(QPointF(window.waves.layout_now().x(position), 0)).x(),
            scrubber.mapToGlobal(QPointF(scrubber.track().x(position), 0)).x(),
        ]
        assert max(places) - min(places) < 1.0


def test_residuals_of_the_rotation_are_measured_for_every_t(instrument: Instrument) -> None:
    model, question = instrument.model, report_of(instrument.model.state)
    rotation(instrument)
    settle(lambda: model.findings.is_known(question))
    report = model.findings.answer(question)
    assert list(report.positions) == list(range(128))
    assert 0 < report.largest_residual < 1e-14


def test_algebra_and_steps_carry_the_current_numbers(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(offset=8)
    panel = rotation(instrument)
    instrument.model.set(**{"rotation.page": "algebra"})
    assert "M_{3} M_{8} = M_{11}" in panel.readout()
    names = [place.name for place in panel.canvas.places()]
    assert any("cos kω_4 = PE(8, 9)" in name for name in names)
    instrument.model.set(**{"rotation.page": "steps"})
    QApplication.processEvents()
    panel.canvas.repaint()
    names = [place.name for place in panel.canvas.places()]
    assert any("0.6967" in name and "0.7174" in name for name in names)
    instrument.model.move_cursor(offset=-2.5)
    assert "M_{3} M_{−2.5} = M_{0.5}" in panel.readout()


def test_a_second_shift_that_is_no_number_is_answered_in_place(instrument: Instrument) -> None:
    panel = rotation(instrument)
    instrument.model.set(**{"rotation.page": "algebra"})
    panel.second_shift.setText("many")
    QTest.keyClick(panel.second_shift, Qt.Key.Key_Return)
    assert "many" in panel.refusal.sentence
    assert panel.second_shift.is_refused
    panel.second_shift.setText("-4")
    QTest.keyClick(panel.second_shift, Qt.Key.Key_Return)
    assert "M_{−4} M_{8} = M_{4}" in panel.readout()
    assert instrument.model.state.views.rotation.second_shift == -4.0


def test_a_panel_behind_another_tab_sleeps(instrument: Instrument, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = rotation(instrument)
    instrument.window.docks["similarity"].raise_()
    QApplication.processEvents()
    calls: list[float] = []
    monkeypatch.setattr(type(panel), "show_cursor", lambda self, cursor: calls.append(cursor.position))
    instrument.model.move_cursor(position=5.0)
    assert calls == []
    instrument.window.docks["rotation"].raise_()
    QApplication.processEvents()
    assert calls == [5.0]
