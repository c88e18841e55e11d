"""Rotation in the open window, and the axis that matrix, waves and transport share."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.cursor import Span
from pe_desktop.panels import RotationPanel
from pe_desktop.window.application import Instrument


def rotation(instrument: Instrument) -> RotationPanel:
    panel = instrument.window.panel("rotation")
    assert isinstance(panel, RotationPanel)
    return panel


def test_matrix_waves_and_scrubber_share_one_axis(instrument: Instrument) -> None:
    window, matrix = instrument.window, instrument.window.matrix
    waves, scrubber = window.waves.canvas, window.transport.scrubber
    for span in (Span(-0.5, 127.5), Span(20.0, 70.0)):
        instrument.model.set_span(span)
        QTest.qWait(20)
        for position in (25.0, 60.0):
            places = [
                matrix.canvas.mapToGlobal(QPointF(matrix.layout_now().along_positions(position), 0)).x(),
                waves.mapToGlobal(QPointF(window.waves.layout_now().x(position), 0)).x(),
                scrubber.mapToGlobal(QPointF(scrubber.track().x(position), 0)).x(),
            ]
            assert max(places) - min(places) < 1.0
    # Without the waves above it the track has its own ends.
    window.docks["waves"].setFloating(True)
    QTest.qWait(20)
    assert (scrubber.track().left, scrubber.track().right) == (28.0, scrubber.width() - 28.0)
    window.docks["waves"].setFloating(False)


def test_a_second_shift_that_is_no_number_is_answered_in_place(instrument: Instrument) -> None:
    panel = rotation(instrument)
    instrument.window.docks["rotation"].raise_()
    instrument.model.set(**{"rotation.page": "algebra"})
    panel.second_shift.setText("many")
    QTest.keyClick(panel.second_shift, Qt.Key.Key_Return)
    assert "many" in panel.refusal.sentence
    assert panel.second_shift.is_refused
    panel.second_shift.setText("-4")
    QTest.keyClick(panel.second_shift, Qt.Key.Key_Return)
    assert "M_{−4} M_{8} = M_{4}" in panel.readout()
    assert instrument.model.state.views.rotation.second_shift == -4.0


def test_a_panel_behind_another_tab_sleeps_until_it_is_chosen(
    instrument: Instrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, docks = instrument.model, instrument.window.docks
    seen: list[float] = []
    refresh = RotationPanel.refresh

    def noted(panel: RotationPanel) -> None:
        seen.append(model.cursor.position)
        refresh(panel)

    monkeypatch.setattr(RotationPanel, "refresh", noted)
    for position in (5.0, 6.0):
        model.move_cursor(position=position)
        assert position not in seen
        docks["rotation"].raise_()
        QApplication.processEvents()
        assert position in seen
        docks["similarity"].raise_()
        QApplication.processEvents()
