"""What a person sees and does in the panels of the open window."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from pe_desktop.core.cursor import Span, full_span
from pe_desktop.draw.canvas import Canvas
from pe_desktop.views.clock.picture import dial_in
from pe_desktop.window.application import Instrument

OpenInstrument = Callable[..., Instrument]

EXTREMES = [
    {"d_model": 2, "n_positions": 1},
    {"d_model": 2, "n_positions": 10_000_000, "position": 9_999_999},
    {"d_model": 65_536, "n_positions": 1, "pair": 32_767},
    {"d_model": 65_536, "n_positions": 10_000_000, "position": 5_000_000, "offset": -4_999_999, "pair": 32_767},
    {"d_model": 64, "spacing": "linear", "layout": "half-split", "base": 1.5},
    {"d_model": 64, "spacing": "inclusive", "layout": "cosine-first", "base": 1e9},
]


def draw(instrument: Instrument) -> None:
    instrument.window.repaint()
    QApplication.processEvents()


def drag(widget: QWidget, start: QPoint, end: QPoint, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, modifier, start)
    for step in range(1, 11):
        QTest.mouseMove(widget, start + (end - start) * (step / 10))
        QApplication.processEvents()
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, modifier, end)


def turn_wheel(widget: QWidget, place: QPointF, notches: int, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    event = QWheelEvent(
        place, widget.mapToGlobal(place), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, modifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_dial_of_each_pair_draws_at_the_largest_d_model(open_instrument: OpenInstrument, theme) -> None:
    instrument = open_instrument(theme, d_model=65_536)
    instrument.model.set(**{"clock.mode": "each"})
    draw(instrument)
    assert instrument.window.clock.dials.n_frames > 0
    assert instrument.window.clock.dials.height() > 100_000


def test_dragging_a_pinned_hand_by_a_quarter_turn_moves_t_by_a_quarter_wavelength(instrument: Instrument) -> None:
    dial_widget = instrument.window.clock.canvas
    instrument.model.move_cursor(position=0.0, pair=0)
    dial = dial_in(dial_widget.width(), dial_widget.height())
    reach = dial.ring_radii(16)[4]
    # At t = 0 the hand of pair 4 points up; its quarter turn of 62.83 / 4 positions brings it to the right.
    steps = [(dial.x + reach * math.sin(a), dial.y - reach * math.cos(a)) for a in np.linspace(0, math.pi / 2, 20)]
    QTest.mousePress(dial_widget, Qt.MouseButton.LeftButton, pos=QPointF(*steps[0]).toPoint())
    for step in steps[1:]:
        QTest.mouseMove(dial_widget, QPointF(*step).toPoint())
        QApplication.processEvents()
    assert instrument.model.cursor.pair == 4
    assert instrument.model.cursor.position == pytest.approx(62.83185307179586 / 4, abs=0.2)
    QTest.mouseRelease(dial_widget, Qt.MouseButton.LeftButton, pos=QPointF(*steps[-1]).toPoint())
    assert instrument.model.cursor.position == 16.0


def test_dragging_the_ghost_of_a_hand_moves_k_and_not_t(instrument: Instrument) -> None:
    dial_widget = instrument.window.clock.canvas
    dial = dial_in(dial_widget.width(), dial_widget.height())
    reach = dial.ring_radii(16)[4]
    angles = np.linspace(4.5, 4.5 + 0.4, 12)
    steps = [QPointF(dial.x + reach * math.sin(a), dial.y - reach * math.cos(a)).toPoint() for a in angles]
    QTest.mousePress(dial_widget, Qt.MouseButton.LeftButton, pos=steps[0])
    for step in steps[1:]:
        QTest.mouseMove(dial_widget, step)
        QApplication.processEvents()
    QTest.mouseRelease(dial_widget, Qt.MouseButton.LeftButton, pos=steps[-1])
    assert instrument.model.cursor.position == 37.0
    assert instrument.model.cursor.offset == 12.0  # 8 and another 0.4 radians at 0.1 radians a position


def turns_around(middle: QPointF, reach: float, first: float, last: float) -> list[QPoint]:
    """Points on a circle from one angle to another, clockwise from 12 o'clock."""
    angles = np.linspace(first, last, 12)
    return [QPointF(middle.x() + reach * math.sin(a), middle.y() - reach * math.cos(a)).toPoint() for a in angles]


@pytest.mark.parametrize("modifier", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier])
def test_dragging_on_a_small_dial_turns_its_hand(open_instrument: OpenInstrument, modifier) -> None:
    # Pair 5 of d = 32 turns by 10000^(-5/16) radians a position: 0.9 radians are 16 positions.
    instrument = open_instrument(position=40, offset=8)
    clock = instrument.window.clock
    instrument.model.set(**{"clock.mode": "each"})
    draw(instrument)
    cell = next(place.area for place in clock.dials.places() if place.name == "dial 5")
    middle = QPointF(cell.middle[0], cell.y + (cell.height - 24) / 2)
    steps = turns_around(middle, 20.0, 1.0, 1.9)
    QTest.mousePress(clock.dials, Qt.MouseButton.LeftButton, modifier, steps[0])
    for step in steps[1:]:
        QTest.mouseMove(clock.dials, step)
        QApplication.processEvents()
    QTest.mouseRelease(clock.dials, Qt.MouseButton.LeftButton, modifier, steps[-1])
    cursor = instrument.model.cursor
    is_shifted = modifier == Qt.KeyboardModifier.ShiftModifier
    assert cursor.pair == 5
    moved, still = (cursor.offset, cursor.position) if is_shifted else (cursor.position, cursor.offset)
    assert moved == pytest.approx(24 if is_shifted else 56, abs=1.5)
    assert still == (40 if is_shifted else 8)
    assert not instrument.model.is_held


def test_a_press_on_a_small_dial_only_chooses_its_pair(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(position=37.5)
    instrument.model.set(**{"clock.mode": "each"})
    draw(instrument)
    dials = instrument.window.clock.dials
    QTest.mouseClick(dials, Qt.MouseButton.LeftButton, pos=QPointF(*dials.places()[7].area.middle).toPoint())
    assert (instrument.model.cursor.pair, instrument.model.cursor.position) == (7, 37.5)


def test_press_in_the_waves_moves_t_to_that_whole_position_in_every_panel(instrument: Instrument, qtbot) -> None:
    canvas = instrument.window.waves.canvas
    layout = instrument.window.waves.layout_now()
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(round(layout.x(90.2)), 200))
    assert instrument.model.cursor.position == 90.0
    assert instrument.window.transport.position.accessibleDescription() == "t = 90"
    # A moving hand is described when it has come to rest.
    qtbot.waitUntil(lambda: "t 90" in instrument.window.clock.canvas.accessibleDescription())


def test_shift_drag_in_the_waves_moves_k(instrument: Instrument) -> None:
    canvas = instrument.window.waves.canvas
    layout = instrument.window.waves.layout_now()
    drag(
        canvas,
        QPoint(round(layout.x(60)), 200),
        QPoint(round(layout.x(100)), 200),
        Qt.KeyboardModifier.ShiftModifier,
    )
    assert (instrument.model.cursor.position, instrument.model.cursor.offset) == (37.0, 63.0)


def test_wheel_zooms_about_the_pointer_and_a_double_click_fits(instrument: Instrument) -> None:
    canvas = instrument.window.waves.canvas
    place = QPointF(instrument.window.waves.layout_now().x(40.0), 200.0)
    turn_wheel(canvas, place, 3)
    assert instrument.model.span.width == pytest.approx(128 / 1.25**3)
    assert instrument.window.waves.layout_now().position(place.x()) == pytest.approx(40.0)
    QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=place.toPoint())
    assert instrument.model.span == full_span(128)


def test_middle_drag_pans_and_stops_at_the_edge(instrument: Instrument) -> None:
    canvas = instrument.window.waves.canvas
    instrument.model.set_span(Span(20.0, 60.0))
    QTest.mousePress(canvas, Qt.MouseButton.MiddleButton, pos=QPoint(300, 200))
    QTest.mouseMove(canvas, QPoint(5000, 200))
    QTest.mouseRelease(canvas, Qt.MouseButton.MiddleButton, pos=QPoint(5000, 200))
    assert instrument.model.span == Span(-0.5, 39.5)


def test_scrubber_knobs_move_t_and_k(instrument: Instrument) -> None:
    scrubber = instrument.window.transport.scrubber
    track = scrubber.track()
    middle = round(track.y)
    QTest.mouseMove(scrubber, QPoint(round(track.x(37)), middle))
    drag(scrubber, QPoint(round(track.x(37)), middle), QPoint(round(track.x(64)), middle))
    assert instrument.model.preview is None
    assert (instrument.model.cursor.position, instrument.model.cursor.offset) == (64.0, 8.0)
    drag(scrubber, QPoint(round(track.x(72)), middle), QPoint(round(track.x(40)), middle))
    assert (instrument.model.cursor.position, instrument.model.cursor.offset) == (64.0, -24.0)


def test_track_of_the_scrubber_stands_under_the_waves(instrument: Instrument) -> None:
    canvas, scrubber = instrument.window.waves.canvas, instrument.window.transport.scrubber
    layout, track = instrument.window.waves.layout_now(), scrubber.track()
    for position in (0.0, 50.0, 127.0):
        in_waves = canvas.mapToGlobal(QPointF(layout.x(position), 0)).x()
        in_scrubber = scrubber.mapToGlobal(QPointF(track.x(position), 0)).x()
        assert in_waves == pytest.approx(in_scrubber, abs=0.51)


def test_pair_strip_and_spectrum_choose_the_pair(instrument: Instrument) -> None:
    strip = instrument.window.transport.strip
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(strip.width() - 2, 15))
    assert instrument.model.cursor.pair == 15
    spectrum = instrument.window.parameters.spectrum
    QTest.mouseClick(spectrum, Qt.MouseButton.LeftButton, pos=QPoint(46, 60))
    assert instrument.model.cursor.pair == 0


def test_hover_in_the_waves_is_shown_in_the_other_panels_and_commits_nothing(instrument: Instrument) -> None:
    canvas, window = instrument.window.waves.canvas, instrument.window
    draw(instrument)
    frames = [window.clock.canvas.n_frames, window.transport.scrubber.n_frames]
    QTest.mouseMove(canvas, QPoint(round(instrument.window.waves.layout_now().x(100)), 200))
    QApplication.processEvents()
    assert instrument.model.preview == 100.0
    assert instrument.model.cursor.position == 37.0
    assert canvas.tooltip is not None
    assert "sin −0.5064" in canvas.tooltip(None, instrument.window.waves.layout_now().x(100), 200.0)  # sin 100
    QApplication.processEvents()
    assert window.clock.canvas.n_frames > frames[0]
    assert window.transport.scrubber.n_frames > frames[1]


def test_a_cursor_step_redraws_no_still_part(instrument: Instrument) -> None:
    draw(instrument)
    canvases = [canvas for canvas in instrument.window.findChildren(Canvas) if canvas.isVisible()]
    before = [canvas.n_still_pictures for canvas in canvases]
    for position in range(20):
        instrument.model.move_cursor(position=float(position))
        QApplication.processEvents()
    assert [canvas.n_still_pictures for canvas in canvases] == before
    assert instrument.window.waves.canvas.n_frames >= 20


def test_typed_position_outside_the_table_is_answered_above_the_field(instrument: Instrument) -> None:
    edit = instrument.window.transport.position
    QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
    edit.field.selectAll()
    QTest.keyClicks(edit.field, "500")
    QTest.keyClick(edit.field, Qt.Key.Key_Return)
    assert instrument.model.cursor.position == 37.0
    assert edit.field.text() == "500"
    sentences = [label.text() for label in instrument.window.findChildren(QLabel) if label.isVisible()]
    assert any("position must be" in sentence and "500" in sentence for sentence in sentences)
    edit.field.selectAll()
    QTest.keyClicks(edit.field, "99")
    QTest.keyClick(edit.field, Qt.Key.Key_Return)
    assert instrument.model.cursor.position == 99.0
    assert not edit.field.isVisible()


def test_clock_mode_switches_and_tells_its_content(instrument: Instrument) -> None:
    clock = instrument.window.clock
    assert (clock.canvas.isVisible(), clock.subtitle) == (True, "16 hands, one per pair")
    instrument.window.action_set.trigger("toggle_clock_mode")
    assert (clock.canvas.isVisible(), clock.subtitle) == (False, "wavelength in positions")
    instrument.model.set_parameter("d_model", "512")
    instrument.window.action_set.trigger("toggle_clock_mode")
    assert clock.subtitle == "256 dots, hands for pins"


def test_readout_of_the_waves_has_every_digit(instrument: Instrument) -> None:
    line = instrument.window.waves.readout().splitlines()[1].split("\t")
    assert line[0] == "0"
    assert [float(number) for number in line[1:]] == pytest.approx(
        [math.sin(37), math.cos(37), math.sin(45), math.cos(45)], abs=1e-15
    )
