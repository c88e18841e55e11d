"""The same work by pyqtgraph's own items: a cursor step, playing, a clock with 256 hands, 64 curves."""

import sys
import time
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QWidget

from benchmarks.answers import Answer, answer
from benchmarks.measure import application, ink_share, played, settle, timed_steps
from benchmarks.work import OFFSET, PICTURE_SIZE, PINS, WINDOW_SIZE, Work, wave_pairs, works

DIAL_RADIUS = 350.0
FRAME_MILLISECONDS = 16
ROW_AMPLITUDE = 0.4

Floats = NDArray[np.float64]


class CountedPlot(pg.PlotWidget):  # type: ignore[misc]
    """A plot that notes when it is painted."""

    def __init__(self) -> None:
        super().__init__(background="w")
        self.times: list[float] = []

    @property
    def n_frames(self) -> int:
        """Paint events so far."""
        return len(self.times)

    def paintEvent(self, event: Any) -> None:
        """Count, then paint as always."""
        self.times.append(time.perf_counter())
        super().paintEvent(event)


class Hands:
    """All hands of a clock as one item of pairs of points, or dots at their tips and lines for the named ones."""

    def __init__(self, plot: CountedPlot, d_model: int, *, has_dots: bool = False) -> None:
        omega = angular_frequencies(d_model)
        n_hands = len(omega)
        radii = DIAL_RADIUS * np.linspace(0.93, 0.185, n_hands)
        colors = [QColor.fromHsvF(i / n_hands * 0.8, 1.0, 0.8) for i in range(n_hands)]
        lined = np.array(PINS) if has_dots else np.arange(n_hands)
        self._omega, self._radii, self._lined = omega, radii, lined
        self._brushes = [pg.mkBrush(color) for color in colors]
        pen = pg.mkPen(colors[0], width=1)
        self._lines = pg.PlotCurveItem(pen=pen, connect="pairs", antialias=True, skipFiniteCheck=True)
        plot.addItem(self._lines)
        self._dots: Any = None
        if has_dots:
            self._dots = pg.ScatterPlotItem(size=5, pen=None)
            plot.addItem(self._dots)
        show_dial(plot)
        self.move_to(0.0)

    def move_to(self, position: float) -> None:
        """Turn all hands."""
        angles = position * self._omega
        tips = np.stack((self._radii * np.sin(angles), self._radii * np.cos(angles)), axis=1)
        ends = np.zeros((2 * len(self._lined), 2))
        ends[1::2] = tips[self._lined]
        self._lines.setData(ends[:, 0], ends[:, 1])
        if self._dots is not None:
            self._dots.setData(x=tips[:, 0], y=tips[:, 1], brush=self._brushes)


class Panels:
    """A window with a clock and the waves of three pairs under two cursors."""

    def __init__(self, work: Work) -> None:
        self.window = QMainWindow()
        content = QWidget()
        row = QHBoxLayout(content)
        self.dial, self.plot = CountedPlot(), CountedPlot()
        row.addWidget(self.dial, 42)
        row.addWidget(self.plot, 58)
        self.window.setCentralWidget(content)
        self._n_positions = work.n_positions
        self._position = work.first_position
        self._hands = Hands(self.dial, work.d_model)
        add_curves(self.plot, work.n_positions, work.d_model, PINS)
        self._cursors = [pg.InfiniteLine(pen=pg.mkPen("k", width=1)) for _ in range(2)]
        for cursor in self._cursors:
            self.plot.addItem(cursor)
        self.move_to(work.first_position)
        self.window.resize(*WINDOW_SIZE)
        self.window.show()
        settle()

    def move_to(self, position: float) -> None:
        """Move hands and cursors."""
        self._position = position % self._n_positions
        self._hands.move_to(self._position)
        self._cursors[0].setValue(self._position)
        self._cursors[1].setValue(self._position + OFFSET)

    def advance(self) -> None:
        """One frame further, at four positions a second."""
        self.move_to(self._position + 4.0 * FRAME_MILLISECONDS / 1000)


def angular_frequencies(d_model: int) -> Floats:
    """omega_i = 10000^(-2i/d), shape (d_model / 2,), radians per position."""
    return np.asarray(10000.0 ** (-2.0 * np.arange(d_model // 2) / d_model))


def hide_axes(plot: CountedPlot) -> None:
    """Nothing around the view."""
    plot.hideAxis("left")
    plot.hideAxis("bottom")


def show_dial(plot: CountedPlot) -> None:
    """One unit is one pixel, nothing but the hands."""
    hide_axes(plot)
    plot.setMouseEnabled(False, False)
    plot.disableAutoRange()
    plot.setAspectLocked(True)
    plot.setRange(QRectF(-DIAL_RADIUS, -DIAL_RADIUS, 2 * DIAL_RADIUS, 2 * DIAL_RADIUS), padding=0.0)


def add_curves(plot: CountedPlot, n_positions: int, d_model: int, pairs: tuple[int, ...]) -> None:
    """A sine for each pair, one above the other, reduced to what is seen as pyqtgraph does best."""
    omega, positions = angular_frequencies(d_model), np.arange(n_positions, dtype=np.float64)
    for place, pair in enumerate(pairs):
        curve = pg.PlotDataItem(
            positions,
            ROW_AMPLITUDE * np.sin(positions * omega[pair]) - place,
            pen=pg.mkPen(QColor.fromHsvF(place / len(pairs), 1.0, 0.8), width=1),
            antialias=True,
            skipFiniteCheck=True,
        )
        plot.addItem(curve)
        curve.setDownsampling(auto=True, method="peak")
        curve.setClipToView(True)
    plot.setRange(xRange=(0, n_positions - 1), yRange=(-len(pairs) + 0.5, 0.5), padding=0.0)


def cursor_step(work: Work) -> Answer:
    """Move t by one position."""
    panels = Panels(work)

    def step(number: int) -> None:
        panels.move_to(work.first_position + 1 + number)

    result = timed_steps(step, [panels.dial, panels.plot], [], work.n_steps)
    result["ink"] = min(ink_share(panels.dial, 1, 1), ink_share(panels.plot, 3, 2))
    panels.window.close()
    return result


def playing(work: Work) -> Answer:
    """Move by a timer of 16 ms."""
    panels = Panels(work)
    timer = QTimer(interval=FRAME_MILLISECONDS, timerType=Qt.TimerType.PreciseTimer)
    timer.timeout.connect(panels.advance)
    result = played(timer.start, timer.stop, panels.dial.times, work.seconds)
    panels.window.close()
    return result


def clock(work: Work) -> Answer:
    """Turn 256 hands: dots but for the named ones."""
    plot = CountedPlot()
    hands = Hands(plot, work.d_model, has_dots=True)
    plot.resize(*PICTURE_SIZE)
    plot.show()
    settle()

    def step(number: int) -> None:
        hands.move_to(work.first_position + 1 + number)

    result = timed_steps(step, [plot], [], work.n_steps)
    result["ink"] = ink_share(plot, 2, 1)
    plot.close()
    return result


def waves(work: Work) -> Answer:
    """Paint 64 curves: all of the view with its axes, the bare curves, or with the cursor moved alone."""
    plot = CountedPlot()
    omega, positions = angular_frequencies(work.d_model), np.arange(work.n_positions, dtype=np.float64)
    is_smooth, what = "smooth" in work.variant, work.variant.split()[0]
    for place, pair in enumerate(wave_pairs()):
        for phase in (0.0, np.pi / 2):
            heights = ROW_AMPLITUDE * np.sin(positions * omega[pair] + phase) - place
            pen = pg.mkPen(QColor.fromHsvF(place / 40, 1.0, 0.8), width=1)
            plot.addItem(pg.PlotCurveItem(positions, heights, pen=pen, antialias=is_smooth, skipFiniteCheck=True))
    cursor = pg.InfiniteLine(pos=work.first_position, pen=pg.mkPen("k", width=1))
    if what == "bare":
        hide_axes(plot)
    else:
        plot.addItem(cursor)
    n_rows = len(wave_pairs())
    plot.setRange(xRange=(0, work.n_positions - 1), yRange=(-n_rows + 0.5, 0.5), padding=0.0)
    plot.resize(*PICTURE_SIZE)
    plot.show()
    settle()

    def step(number: int) -> None:
        if what == "cursor":
            cursor.setValue(work.first_position + 1 + number)
        else:
            plot.viewport().update()

    result = timed_steps(step, [plot], [], work.n_steps)
    result["ink"] = ink_share(plot, n_rows // 2, 2)
    plot.close()
    return result


if __name__ == "__main__":
    application()
    kinds = {"step": cursor_step, "playing": playing, "clock": clock, "waves": waves}
    for work in works(sys.argv[1:]):
        answer(kinds[work.kind](work))
