"""Starts an empty PySide6 + pyqtgraph window, says when its first frame was there, and ends it."""

import sys
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

from benchmarks.answers import Answer, answer, moment_on_screen, resident_megabytes
from benchmarks.work import WINDOW_SIZE

# What follows on the first frame has been painted when the timer has rung so often again.
RINGS_AFTER_FIRST = 3


class CountedPlot(pg.PlotWidget):  # type: ignore[misc]
    """A plot that counts how often it was painted."""

    n_frames = 0

    def paintEvent(self, event: Any) -> None:
        """Paint as always, then count."""
        super().paintEvent(event)
        self.n_frames += 1


class EmptyWindow(QMainWindow):
    """A window with an empty plot and a timer that looks at it every millisecond."""

    def __init__(self) -> None:
        super().__init__()
        self._plot = CountedPlot()
        self.setCentralWidget(self._plot)
        self.resize(*WINDOW_SIZE)
        self._moments: Answer = {}
        self._rings = 0
        self._watch = QTimer(self, interval=1, timerType=Qt.TimerType.PreciseTimer)
        self._watch.timeout.connect(self._on_watch)
        self._watch.start()

    def _on_watch(self) -> None:
        if not self._moments and self._plot.n_frames:
            self._moments["first"] = moment_on_screen()
        self._rings += bool(self._moments)
        if self._rings > RINGS_AFTER_FIRST:
            self._watch.stop()
            answer({**self._moments, "drawn": moment_on_screen(), **resident_megabytes()})
            QApplication.quit()


if __name__ == "__main__":
    application = QApplication(sys.argv[:1])
    window = EmptyWindow()
    window.show()
    sys.exit(application.exec())
