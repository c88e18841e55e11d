"""The application's side: a cursor step, playing, the clock with 256 hands, the waves with 64 curves."""

import sys
import time
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from benchmarks.answers import Answer, answer
from benchmarks.measure import MeasurementError, ink_share, played, settle, timed_steps
from benchmarks.work import OFFSET, PICTURE_SIZE, PINS, WINDOW_SIZE, Work, wave_pairs, works
from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.dial import dial_in, face_picture
from pe_desktop.draw.scene import Box, Part, Scene
from pe_desktop.draw.theme import themes
from pe_desktop.views.clock.picture import hand_state, hands_picture
from pe_desktop.views.waves.layout import WavesLayout
from pe_desktop.views.waves.picture import cursor_picture, titles_picture, waves_picture
from pe_desktop.window.application import Instrument, make_application, wait_until_measured
from pe_desktop.window.settings import Settings
from pe_desktop.window.start import _collect_from_first_frame


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


class ClockCanvas(Canvas):
    """The hands of an encoding at a position as the window shows them; `face` for a clock without hands."""

    def __init__(self, encoding: SinusoidalEncoding, variant: str) -> None:
        super().__init__(self._compose)
        self._encoding = encoding
        self._variant = variant
        self._cursor = Cursor(position=0.0, offset=OFFSET, pinned_pairs=PINS)
        self.show_theme(themes()["light"])

    def move_to(self, position: float) -> None:
        """Turn the hands."""
        self._cursor = Cursor(position=position, offset=OFFSET, pinned_pairs=PINS)
        self.update()

    def _compose(self, box: Box) -> Scene:
        pairs, dial = self._encoding.pairs, dial_in(box.width, box.height)
        still = Part(face_picture, dial, pairs.count, box.theme)
        if self._variant == "face":
            return Scene((), still)
        hands = hands_picture(dial, self._encoding, hand_state(pairs, self._cursor), self._cursor, box.theme)
        return Scene(hands, still)


class AllWaves(Canvas):
    """A row for every pinned pair, however low the rows become; bare is with curves alone."""

    def __init__(self, state: State, *, is_bare: bool) -> None:
        super().__init__(self._compose)
        self.state = state
        self._is_bare = is_bare
        self.redrawn = 0

    def _compose(self, box: Box) -> Scene:
        encoding, cursor, span = self.state.encoding, self.state.cursor, self.state.shown_span
        still = Part(_all_waves, encoding, span, cursor.pinned_pairs, self._is_bare, self.redrawn, box)
        layout = WavesLayout(box.width, box.height, encoding, cursor.pinned_pairs, span)
        moving = () if self._is_bare else cursor_picture(layout, cursor, box.theme)
        return Scene(moving, still)


def _all_waves(
    encoding: Encoding, span: Span, pins: tuple[int, ...], is_bare: bool, _redrawn: int, box: Box
) -> marks.Picture:
    layout = WavesLayout(box.width, box.height, encoding, pins, span)
    picture = waves_picture(layout, box.theme, box.pixel_ratio)
    if is_bare:
        return tuple(mark for mark in picture if isinstance(mark, marks.Polyline | marks.Band | marks.Dots))
    return (*picture, *titles_picture(layout, box.theme))


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
    named = {window.clock.canvas, window.waves.canvas, window.transport.scrubber}
    if not named <= set(must):
        raise MeasurementError(f"A step painted {len(must)} widgets, and not all of the clock, waves and scrubber")
    result = timed_steps(step, must, [widget for widget in counted if widget not in must], work.n_steps)
    result["widgets"] = float(len(must))
    result["ink"] = min(ink_share(window.clock.canvas, 2, 2), ink_share(window.waves.canvas, 3, 2))
    instrument.close()
    return result


def playing(work: Work) -> Answer:
    """Play at the speed of the first start."""
    instrument = _open_instrument(work)
    playback = instrument.playback
    painted = PaintTimes(instrument.window.clock.canvas)
    result = played(playback.play, playback.pause, painted.times, work.seconds)
    instrument.close()
    return result


def clock(work: Work) -> Answer:
    """Turn 256 hands, which are dots but for the named ones, or show the same face again."""
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
    state = State(SinusoidalEncoding(work.n_positions, work.d_model), Cursor(pinned_pairs=pins))
    canvas = AllWaves(state, is_bare=work.variant == "bare")
    canvas.show_theme(themes()["light"])
    canvas.resize(*PICTURE_SIZE)
    canvas.show()
    settle()

    def redraw(number: int) -> None:
        canvas.redrawn = number + 1
        canvas.update()

    def move_cursor(number: int) -> None:
        cursor = replace(canvas.state.cursor, position=float(work.first_position + 1 + number))
        canvas.state = replace(canvas.state, cursor=cursor)
        canvas.update()

    n_still, n_frames = canvas.n_painted["still"], canvas.n_frames
    result = timed_steps(move_cursor if work.variant == "cursor" else redraw, [canvas], [], work.n_steps)
    n_redrawn = canvas.n_painted["still"] - n_still
    if n_redrawn != (0 if work.variant == "cursor" else canvas.n_frames - n_frames):
        raise MeasurementError(f"The still part was drawn {n_redrawn} times")
    result["ink"] = ink_share(canvas, len(pins) // 2, 2)
    canvas.close()
    return result


def _open_instrument(work: Work) -> Instrument:
    encoding = SinusoidalEncoding(work.n_positions, work.d_model)
    instrument = Instrument(State(encoding, Cursor(position=work.first_position)), Settings(theme="light"))
    _collect_from_first_frame(instrument)
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
