"""What the panels of the open window do together: one cursor, one preview, one axis, no frame for nothing."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.cursor import Preview, Span
from pe_desktop.draw.canvas import Canvas
from pe_desktop.panels import RotationPanel
from pe_desktop.window.application import Instrument


def test_a_position_under_the_pointer_is_shown_in_every_panel_and_taken_by_a_press(instrument: Instrument) -> None:
    model, window = instrument.model, instrument.window
    canvas, others = window.waves.canvas, (window.clock.canvas, window.transport.scrubber)
    window.repaint()
    QApplication.processEvents()
    frames = [other.n_frames for other in others]
    place = QPoint(round(window.waves.layout_now().x(100)), 200)
    QTest.mouseMove(canvas, place)
    QApplication.processEvents()
    assert (model.preview, model.cursor.position) == (Preview(100.0), 37.0)
    assert all(other.n_frames > before for other, before in zip(others, frames, strict=True))
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=place)
    assert model.cursor.position == 100.0
    assert window.transport.position.accessible_value() == "t = 100"


def test_a_cursor_step_redraws_no_still_part_and_many_between_two_frames_cost_one_frame(instrument: Instrument) -> None:
    model, waves = instrument.model, instrument.window.waves.canvas
    instrument.window.repaint()
    QApplication.processEvents()
    canvases = [canvas for canvas in instrument.window.findChildren(Canvas) if canvas.isVisible()]
    stills, frames = [canvas.n_still_pictures for canvas in canvases], waves.n_frames
    for position in range(20):
        model.move_cursor(position=float(position))
        QApplication.processEvents()
    assert waves.n_frames >= frames + 20
    frames = waves.n_frames
    for position in range(1000):
        model.move_cursor(position=position / 10)
    QApplication.processEvents()
    assert waves.n_frames == frames + 1
    assert [canvas.n_still_pictures for canvas in canvases] == stills


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
