"""The application's side: a cursor step, playing, the clock with 256 hands, the waves with 64 curves."""

import sys
import time

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from benchmarks.answers import Answer, answer
from benchmarks.measure import MeasurementError, ink_share, played, settle, timed_steps
from benchmarks.work import PICTURE_SIZE, WINDOW_SIZE, Work, wave_pairs, works
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.canvas import PictureCanvas
from pe_desktop.draw.theme import themes
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.waves_panel import WavesCanvas
from pe_desktop.views.clock.picture import dial_in, face_picture, hand_lines, hand_state, hands_picture
from pe_desktop.window.application import Instrument, make_application, wait_until_measured
from pe_desktop.window.settings import Settings

# What stands around the curves of the waves.
FURNITURE = (marks.Text, marks.FormulaText, marks.Badge, marks.Segments)


class PaintTimes(QObject):
    """Notes when a widget is painted."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.times: list[float] = []
        parent.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look, and let pass."""
        if event.type() == QEvent.Type.Paint:
            self.times.append(time.perf_counter())
        return False


class ClockCanvas(PictureCanvas):
    """All hands of an encoding at a position, by the application's own pictures; `face` for a clock without hands."""

    def __init__(self, encoding: SinusoidalEncoding, variant: str) -> None:
        super().__init__()
        self._encoding = encoding
        self._variant = variant
        self._cursor = Cursor(position=0.0)
        self.show_theme(themes()["light"])

    def move_to(self, position: float) -> None:
        """Turn the hands."""
        self._cursor = Cursor(position=position)
        self.update()

    def still_picture(self, width: float, height: float) -> marks.Picture:
        """The face."""
        return face_picture(dial_in(width, height), self._encoding.pairs.count, self.theme)

    def moving_picture(self, width: float, height: float) -> marks.Picture:
        """A line for each hand; in full, arcs, ghosts and tips as well."""
        pairs, dial = self._encoding.pairs, dial_in(width, height)
        if self._variant == "face":
            return ()
        if self._variant == "lines":
            return hand_lines(dial, pairs.angles([self._cursor.position])[0], self.theme)
        state = hand_state(pairs, self._cursor)
        return hands_picture(dial, self._encoding, state, self._cursor, self.theme, most_hands=pairs.count)


class AllWaves(WavesCanvas):
    """The panel's canvas with a row for every pinned pair, however low the rows become; bare is with curves alone."""

    is_bare = False

    def shown_pairs(self) -> list[int]:
        """All that are pinned."""
        return list(self._model.cursor.pinned_pairs)

    def still_picture(self, width: float, height: float) -> marks.Picture:
        """Without labels and grid where it is bare."""
        picture = super().still_picture(width, height)
        return tuple(mark for mark in picture if not isinstance(mark, FURNITURE)) if self.is_bare else picture

    def moving_picture(self, width: float, height: float) -> marks.Picture:
        """Without cursors where it is bare."""
        return () if self.is_bare else super().moving_picture(width, height)


def cursor_step(work: Work) -> Answer:
    """Move t by one position; all panels follow."""
    instrument = _open_instrument(work)
    window = instrument.window
    counted = [widget for widget in window.findChildren(QWidget) if hasattr(widget, "n_frames") and widget.isVisible()]

    def step(number: int) -> None:
        instrument.model.move_cursor(position=work.first_position + 1 + number)

    # What one step paints is what each step has to paint.
    before = [widget.n_frames for widget in counted]
    step(0)
    settle()
    must = [widget for widget, count in zip(counted, before, strict=True) if widget.n_frames > count]
    named = {window.clock.dial, window.clock.readout_row, window.waves.canvas, window.transport.scrubber}
    if not named <= set(must):
        raise MeasurementError(f"A step painted {len(must)} widgets, and not all of the clock, waves and scrubber")
    result = timed_steps(step, must, [widget for widget in counted if widget not in must], work.n_steps)
    result["widgets"] = float(len(must))
    result["ink"] = min(ink_share(window.clock.dial, 2, 2), ink_share(window.waves.canvas, 3, 2))
    instrument.close()
    return result


def playing(work: Work) -> Answer:
    """Play at the speed of the first start."""
    instrument = _open_instrument(work)
    playback = instrument.playback
    painted = PaintTimes(instrument.window.clock.dial)
    result = played(playback.play, playback.pause, painted.times, work.seconds)
    instrument.close()
    return result


def clock(work: Work) -> Answer:
    """Turn 256 hands, or show the same face again."""
    canvas = ClockCanvas(SinusoidalEncoding(work.n_positions, work.d_model), work.variant)
    canvas.resize(*PICTURE_SIZE)
    canvas.show()
    settle()

    def step(number: int) -> None:
        canvas.move_to(work.first_position + 1 + number)

    result = timed_steps(step, [canvas], [], work.n_steps)
    result["ink"] = ink_share(canvas, 2, 2)
    canvas.close()
    return result


def waves(work: Work) -> Answer:
    """Draw sine and cosine of 32 pairs: as on screen, the bare curves, or with the cursor moved alone."""
    pins = tuple(wave_pairs())
    model = EncodingModel(State(SinusoidalEncoding(work.n_positions, work.d_model), Cursor(pinned_pairs=pins)))
    canvas = AllWaves(model)
    canvas.is_bare = work.variant == "bare"
    canvas.show_theme(themes()["light"])
    canvas.resize(*PICTURE_SIZE)
    canvas.show()
    model.close()
    settle()

    def redraw(number: int) -> None:
        canvas.redraw()

    def move_cursor(number: int) -> None:
        model.move_cursor(position=work.first_position + 1 + number)
        canvas.update()

    n_still, n_frames = canvas.n_still_pictures, canvas.n_frames
    result = timed_steps(move_cursor if work.variant == "cursor" else redraw, [canvas], [], work.n_steps)
    n_redrawn = canvas.n_still_pictures - n_still
    if n_redrawn != (0 if work.variant == "cursor" else canvas.n_frames - n_frames):
        raise MeasurementError(f"The still part was drawn {n_redrawn} times")
    result["ink"] = ink_share(canvas, len(pins) // 2, 2)
    canvas.close()
    return result


def _open_instrument(work: Work) -> Instrument:
    encoding = SinusoidalEncoding(work.n_positions, work.d_model)
    instrument = Instrument(State(encoding, Cursor(position=work.first_position)), Settings(theme="light"))
    instrument.window.resize(*WINDOW_SIZE)
    instrument.window.show()
    wait_until_measured(instrument)
    settle()
    return instrument


if __name__ == "__main__":
    make_application()
    kinds = {"step": cursor_step, "playing": playing, "clock": clock, "waves": waves}
    for work in works(sys.argv[1:]):
        answer(kinds[work.kind](work))
