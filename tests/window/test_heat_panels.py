"""Encoding matrix, similarity and rotation in the open window: what their pixels, read-outs and gestures mean."""

import math
import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from pe_desktop.core.cursor import Span, full_span
from pe_desktop.draw.marks import Text
from pe_desktop.draw.theme import themes
from pe_desktop.panels import RotationPanel
from pe_desktop.panels.matrix_view import MatrixView
from pe_desktop.views.rotation.scene import report_of
from pe_desktop.window.application import Instrument

OpenInstrument = Callable[..., Instrument]


def matrix(instrument: Instrument) -> MatrixView:
    view = instrument.window.matrix.view
    assert view is not None
    return view


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


def wheel(widget: QWidget, place: QPointF, notches: int) -> None:
    event = QWheelEvent(
        place, widget.mapToGlobal(place), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def channels(color: QColor) -> NDArray[np.int64]:
    return np.array([color.red(), color.green(), color.blue()])


def truth(position: int, dimension: int, d_model: int = 32) -> float:
    angle = position * 10000 ** (-2 * (dimension // 2) / d_model)
    return math.cos(angle) if dimension % 2 else math.sin(angle)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_matrix_shows_the_colours_of_the_true_values(open_instrument: OpenInstrument, theme) -> None:
    view = matrix(open_instrument(theme))
    layout, image = view.layout_now(), view.widget.picture_image(scale=1.0)
    own = themes()[theme]
    for position in (3, 11, 60, 90, 120):
        for dimension in (0, 3, 12, 21, 31):
            x, y = layout.along_positions(position), layout.along_rows(dimension + 0.5)
            seen = channels(image.pixelColor(round(x), round(y)))
            # Half a pixel of position changes the fastest dimension by 0.1: the colours in between are allowed.
            values = [truth(position + step, dimension) for step in (-1, 0, 1)]
            wanted = [channels(own.diverging_color(value)) for value in values]
            assert np.abs(seen - wanted[1]).max() <= 12 or min(np.abs(seen - color).max() for color in wanted) <= 12


def test_readout_of_the_matrix_is_the_exact_value_of_the_cell(instrument: Instrument) -> None:
    view = matrix(instrument)
    layout = view.layout_now()
    lines = view.readout_lines(layout.along_positions(92), layout.along_rows(13.5))
    assert float(lines[0].replace("−", "-")) == pytest.approx(truth(92, 13), abs=1e-15)
    assert lines[1:] == ("position 92, dim 13", "pair 6, cos")
    assert view.readout_lines(2.0, 2.0) == ()


def test_readout_of_many_cells_in_a_pixel_tells_their_mean(open_instrument: OpenInstrument) -> None:
    view = matrix(open_instrument(n_positions=100_000, d_model=64))
    layout = view.layout_now()
    x, y = layout.along_positions(70_000), layout.along_rows(20.5)
    lines = view.readout_lines(x, y)
    size = math.ceil(1 / layout.position_pixels - 1e-9)
    position = int(lines[1].split(",")[0].removeprefix("position ").replace("\u2009", ""))
    first = position // size * size
    mean = sum(truth(p, 20, 64) for p in range(first, first + size)) / size
    assert lines[3] == f"mean of {size} × 1 cells {mean:.4f}".replace("-", "−")


def test_rows_that_outnumber_the_pixels_become_halves_and_the_readout_follows(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(d_model=4096)
    view = matrix(instrument)
    assert view.order_now().is_halved
    assert "sines over cosines" in instrument.window.matrix.subtitle
    layout = view.layout_now()
    lower = view.readout_lines(layout.along_positions(5), layout.along_rows(2048 + 1000.5))
    assert "cos" in lower[2]
    assert "sin" in view.readout_lines(layout.along_positions(5), layout.along_rows(1000.5))[2]


def test_a_press_in_the_matrix_chooses_position_and_pair(instrument: Instrument) -> None:
    view = matrix(instrument)
    layout = view.layout_now()
    place = QPoint(round(layout.along_positions(71)), round(layout.along_rows(19.0)))
    QTest.mouseClick(view.widget, Qt.MouseButton.LeftButton, pos=place)
    assert (instrument.model.cursor.position, instrument.model.cursor.pair) == (71.0, 9)


def test_the_wheel_zooms_the_matrix_to_one_cell_and_its_number_is_printed(instrument: Instrument) -> None:
    view = matrix(instrument)
    for _ in range(40):
        layout = view.layout_now()
        wheel(view.widget, QPointF(layout.along_positions(50), layout.along_rows(7.5)), 1)
    assert view.layout_now().span.width == pytest.approx(1.0)
    assert view.rows.width == pytest.approx(1.0)
    width, height = float(view.widget.width()), float(view.widget.height())
    texts = [mark.text for mark in view.moving(width, height) if hasattr(mark, "text") and hasattr(mark, "role")]
    assert f"{truth(50, 7):.4f}".replace("-", "−") in texts
    QTest.mouseDClick(view.widget, Qt.MouseButton.LeftButton, pos=QPoint(300, 100))
    assert (instrument.model.span, view.rows) == (full_span(128), Span(0.0, 32.0))


def test_matrix_waves_and_scrubber_share_one_axis(instrument: Instrument) -> None:
    instrument.model.set_span(Span(20.0, 70.0))
    QApplication.processEvents()
    QTest.qWait(20)
    window, view = instrument.window, matrix(instrument)
    waves, scrubber = window.waves.canvas, window.transport.scrubber
    for position in (25.0, 60.0):
        places = [
            view.widget.mapToGlobal(QPointF(view.layout_now().along_positions(position), 0)).x(),
            waves.mapToGlobal(QPointF(window.waves.layout_now().x(position), 0)).x(),
            scrubber.mapToGlobal(QPointF(scrubber.track().x(position), 0)).x(),
        ]
        assert max(places) - min(places) < 1.0


def test_transposed_matrix_runs_positions_downwards(instrument: Instrument) -> None:
    view = matrix(instrument)
    QTest.keyClick(instrument.window.clock.dial, Qt.Key.Key_V)
    assert view.sight.is_transposed
    layout = view.layout_now()
    lines = view.readout_lines(layout.along_rows(13.5), layout.along_positions(92))
    assert lines[1] == "position 92, dim 13"
    image = view.widget.picture_image(scale=1.0)
    seen = image.pixelColor(round(layout.along_rows(31.5)), round(layout.along_positions(60)))
    wanted = themes()["light"].diverging_color(truth(60, 31))
    assert np.abs(channels(seen) - channels(wanted)).max() <= 12


def test_a_cursor_step_evaluates_no_pixel_of_the_heat_maps(instrument: Instrument) -> None:
    maps = [matrix(instrument).heat_map]
    QTest.qWait(50)
    before = [(each.n_pictures, each.n_values_evaluated) for each in maps]
    for position in range(10):
        instrument.model.move_cursor(position=float(position))
        QApplication.processEvents()
    assert [(each.n_pictures, each.n_values_evaluated) for each in maps] == before


def test_a_repaint_of_the_transposed_matrix_makes_no_picture(instrument: Instrument) -> None:
    view = matrix(instrument)
    view.toggle_transposed()
    QApplication.processEvents()
    before = (view.heat_map.n_pictures, view.heat_map.n_values_evaluated, view.widget.n_frames)
    for _ in range(3):
        view.widget.repaint()
    assert (view.heat_map.n_pictures, view.heat_map.n_values_evaluated) == before[:2]
    assert view.widget.n_frames == before[2] + 3


@pytest.mark.parametrize("is_transposed", [False, True])
def test_a_coarse_matrix_says_so_until_it_is_exact(open_instrument: OpenInstrument, is_transposed: bool) -> None:
    instrument = open_instrument(n_positions=1_000_000, d_model=65_536)
    view = matrix(instrument)
    if is_transposed:
        view.toggle_transposed()
    instrument.model.set_span(Span(-0.5, 300_000.5))
    view.widget.repaint()
    layout = view.layout_now()

    def words() -> list[str]:
        marks = view.moving(layout.width, layout.height)
        return [mark.text for mark in marks if isinstance(mark, Text) and "coarse" in mark.text]

    coarse = view.widget.raster.coarseness
    assert coarse is not None
    assert words() == [f"coarse: {coarse.n_shown} of {coarse.n_all} hands a pixel, refining"]
    assert "its colour is coarse, refining" in view.readout_lines(layout.left + 50, layout.top + 50)
    assert not instrument.window.matrix.is_made
    settle(lambda: view.widget.raster.coarseness is None)
    assert (words(), instrument.window.matrix.is_made) == ([], True)
    assert "its colour is coarse, refining" not in view.readout_lines(layout.left + 50, layout.top + 50)


def test_what_the_heat_map_evaluates_and_holds_is_flat_in_n(open_instrument: OpenInstrument) -> None:
    costs = []
    for n_positions in (10_000, 10_000_000):
        heat_map = matrix(open_instrument(n_positions=n_positions, d_model=128)).heat_map
        costs.append((heat_map.n_values_evaluated / heat_map.n_pictures, heat_map.bytes_held))
    assert costs[1][0] <= costs[0][0] * 1.1
    assert costs[1][1] == pytest.approx(costs[0][1], rel=0.01)


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
