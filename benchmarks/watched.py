"""Watches the application's instrument once imported: when its first frame and when everything was there."""

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget

import pe_desktop.window.application as room
from benchmarks.answers import Answer, answer, moment_on_screen, resident_megabytes
from benchmarks.work import WINDOW_SIZE
from pe_desktop.core.state import State
from pe_desktop.window.settings import Settings

# What follows on the analysis has been painted when the timer has rung so often again.
RINGS_AFTER_ANALYSIS = 3


class WatchedInstrument(room.Instrument):
    """The application's instrument with a timer that looks at it every millisecond."""

    def __init__(self, state: State, settings: Settings, path: Path | None = None) -> None:
        # The user's own settings have been read, as always, and are left alone.
        super().__init__(state, Settings())
        # Of the platform without a screen, which is small, only the first tab would be seen.
        self.window.resize(*WINDOW_SIZE)
        self._moments: Answer = {}
        self._rings = 0
        self._watch = QTimer(self, interval=1, timerType=Qt.TimerType.PreciseTimer)
        self._watch.timeout.connect(self._on_watch)
        self._watch.start()

    def _on_watch(self) -> None:
        window = self.window
        canvases = (window.clock.canvas, window.waves.canvas, window.transport.scrubber)
        if not self._moments and all(canvas.n_frames for canvas in canvases):
            self._moments["first"] = moment_on_screen()
        self._rings += bool(self._moments) and self.model.analysis is not None and self._is_complete()
        if self._rings > RINGS_AFTER_ANALYSIS:
            self._watch.stop()
            answer({**self._moments, "drawn": moment_on_screen(), **resident_megabytes()})
            QApplication.quit()

    def _is_complete(self) -> bool:
        """Whether the heat maps that come after the first frame are there, and all that is seen has been painted."""
        # What lies behind another tab counts as visible for Qt; to ask it would load what nobody has seen.
        seen = [dock for dock in self.window.docks.values() if dock.shows_panel]
        if not all(dock.panel.is_made for dock in seen):
            return False
        counted = [widget for widget in self.window.findChildren(QWidget) if hasattr(widget, "n_frames")]
        return all(widget.n_frames or widget.visibleRegion().isEmpty() for widget in counted)


room.Instrument = WatchedInstrument  # type: ignore[assignment, misc]
