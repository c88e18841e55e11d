"""The waves and the transport without a window: what a mouse does in them and what they read out."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.cursor import Preview, Span, full_span
from pe_desktop.panels import TransportPanel, WavesPanel
from tests.panels.conftest import LEFT, SHIFT, drag, wheel


@pytest.fixture
def waves(open_panel):
    return open_panel(WavesPanel)


def at(waves: WavesPanel, position: float) -> QPoint:
    return QPoint(round(waves.layout_now().positions.place(position)), 200)


def test_a_press_in_the_waves_moves_t_to_a_whole_position_and_shift_moves_k(waves):
    model = waves.model
    QTest.mouseClick(waves.canvas, LEFT, pos=at(waves, 90.2))
    assert model.cursor.position == 90.0
    drag(waves.canvas, at(waves, 60), at(waves, 100), keys=SHIFT)
    assert (model.cursor.position, model.cursor.offset) == (90.0, 10.0)
    # The hollow cursor is dragged by itself.
    drag(waves.canvas, at(waves, 100), at(waves, 80))
    assert (model.cursor.position, model.cursor.offset) == (90.0, -10.0)


def test_the_wheel_zooms_about_the_pointer_the_middle_button_pans_to_the_edge_and_a_double_click_fits(waves):
    model, place = waves.model, QPointF(waves.layout_now().positions.place(40.0), 200.0)
    wheel(waves.canvas, place, 3)
    assert model.span.width == pytest.approx(128 / 1.25**3)
    assert waves.layout_now().positions.value(place.x()) == pytest.approx(40.0)
    model.set(span=Span(20.0, 60.0))
    drag(waves.canvas, QPoint(300, 200), QPoint(5000, 200), button=Qt.MouseButton.MiddleButton)
    assert model.span == Span(-0.5, 39.5)
    QTest.mouseDClick(waves.canvas, LEFT, pos=place.toPoint())
    assert model.span == full_span(128)


def test_hover_in_the_waves_is_a_preview_with_its_values_and_commits_nothing(waves):
    x = waves.layout_now().positions.place(100)
    QTest.mouseMove(waves.canvas, QPoint(round(x), 200))
    assert (waves.model.preview, waves.model.cursor.position) == (Preview(100.0), 37.0)
    assert waves.canvas.tooltip is not None
    assert "sin −0.5064" in waves.canvas.tooltip(None, x, 200.0)  # sin 100


def test_knobs_of_the_scrubber_move_t_and_k_and_the_strip_chooses_the_pair(open_panel):
    transport = open_panel(TransportPanel, 1500, 68)
    model, scrubber, strip = transport.model, transport.scrubber, transport.strip
    track = scrubber.track()

    def knob(position: float) -> QPoint:
        return QPoint(round(track.place(position)), round(track.area.y))

    QTest.mouseMove(scrubber, knob(37))
    drag(scrubber, knob(37), knob(50), knob(64))
    assert model.preview is None
    assert (model.cursor.position, model.cursor.offset) == (64.0, 8.0)
    drag(scrubber, knob(72), knob(50), knob(40))
    assert (model.cursor.position, model.cursor.offset) == (64.0, -24.0)
    QTest.mouseClick(strip, LEFT, pos=QPoint(strip.width() - 2, 15))
    assert model.cursor.pair == 15
    # Where nothing turns, two columns are chosen.
    model.choose("counter")
    QApplication.processEvents()
    assert transport.pair.accessibleName() == "Columns 2i, 2i + 1"
    QTest.mouseClick(strip, LEFT, pos=QPoint(2, 15))
    assert model.cursor.pair == 0


def test_a_typed_position_outside_the_table_stays_in_its_field(open_panel):
    edit = (transport := open_panel(TransportPanel, 1500, 68)).position
    for typed, position in (("500", 37.0), ("99", 99.0)):
        QTest.mouseClick(edit, LEFT)
        edit.field.selectAll()
        QTest.keyClicks(edit.field, typed)
        QTest.keyClick(edit.field, Qt.Key.Key_Return)
        assert transport.model.cursor.position == position
        assert edit.field.isVisible() == (position == 37.0)
    assert edit.accessible_value() == "t = 99"
