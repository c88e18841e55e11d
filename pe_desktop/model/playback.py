"""Moves the position, or the step of a film, by elapsed time, so that a slow machine skips frames and stays on time."""

import math
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from pe_desktop.model.encoding_model import EncodingModel

# What the speed multiplies: positions a second, or a share of the visible range.
POSITIONS, SHARE_OF_VIEW = "positions", "share"
_POSITIONS_PER_SECOND = 4.0
_SHARE_PER_SECOND = 1 / 16
_WORDS_PER_SECOND = 1.0
# A film takes so long, and with reduced motion it is seen at so many of its steps.
_FILM_SECONDS, _FILM_STOPS = 10.0, 20
_REDUCED_POSITIONS_PER_SECOND = 2.0
FRAME_MILLISECONDS = 16
# After a longer gap between two frames the computer was asleep: the position must not jump.
_LONGEST_STEP_SECONDS = 1.0


class Playback(QObject):
    """Plays the cursor's position; `changed` announces another state of playing, speed, loop or rate."""

    changed = Signal()

    def __init__(self, model: EncodingModel, clock: Callable[[], float] = time.perf_counter) -> None:
        super().__init__(model)
        self._model = model
        self._clock = clock
        self._now = 0.0
        self._unspent = 0.0
        # The factor on the rate.
        self.speed = 1.0
        # Whether playing goes on from the first position after the last.
        self.loops = True
        # What the speed multiplies: POSITIONS or SHARE_OF_VIEW.
        self.rate = POSITIONS
        # "normal", "reduced", or "system" for what that asks for.
        self.motion = "normal"
        self.system_reduces = False
        self._timer = QTimer(self, interval=FRAME_MILLISECONDS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.advance)
        # Whether the position moves by itself.
        self.is_playing = False
        # Whether anybody could see that the position moves.
        self.is_seen: Callable[[], bool] = lambda: True

    @property
    def positions_per_second(self) -> float:
        """How fast the position moves now; from word to word while a sentence leads, steps while a film is in front."""
        share = self._model.span.width * _SHARE_PER_SECOND
        wanted = self.speed * (share if self.rate == SHARE_OF_VIEW else _POSITIONS_PER_SECOND)
        state = self._model.state
        if state.leads:
            wanted = self.speed * _WORDS_PER_SECOND
        if state.plays_film:
            return self.speed * state.track.last / _FILM_SECONDS
        return min(wanted, _REDUCED_POSITIONS_PER_SECOND) if self.is_reduced else wanted

    def play(self) -> None:
        """Start moving; from the last position it starts over."""
        if self.is_playing:
            return
        track = self._model.state.track
        if track.value >= track.last:
            self._model.move_along(0.0)
        self._now = self._clock()
        self._unspent = 0.0
        self.is_playing = True
        self._timer.start()
        self.changed.emit()

    def pause(self) -> None:
        """Stop where the position is."""
        if self.is_playing:
            self.is_playing = False
            self._timer.stop()
            self.changed.emit()

    def wake(self) -> None:
        """Go on, where nobody could see it, from where the position would be by now."""
        if self.is_playing and not self._timer.isActive():
            self._timer.start()
            self.advance(math.inf)

    def toggle(self) -> None:
        """Play, or pause at the nearest whole position: a table has no rows in between."""
        if self.is_playing:
            self.pause()
            self._model.move_along(float(round(self._model.state.track.value)))
        else:
            self.play()

    def step(self, positions: int) -> None:
        """Pause and move to the next or previous whole position, or further."""
        self.pause()
        position = self._model.state.track.value
        whole = math.floor(position) if positions > 0 else math.ceil(position)
        self._model.move_along(float(whole + positions))

    @property
    def is_reduced(self) -> bool:
        """Whether motion is reduced: whole positions only, at most two a second."""
        return self.motion == "reduced" or (self.motion == "system" and self.system_reduces)

    def set(self, name: str, value: object) -> None:
        """Change speed, loops, rate, motion, or system_reduces: what the system asks for."""
        if getattr(self, name) != value:
            setattr(self, name, value)
            self.changed.emit()

    def advance(self, longest: float = _LONGEST_STEP_SECONDS) -> None:
        """Move by the time that has passed since the last call, so many seconds at most; rest while nobody sees it."""
        if not self.is_seen():
            self._timer.stop()
            return
        now = self._clock()
        elapsed, self._now = min(now - self._now, longest), now
        if self._model.is_held:
            return
        self._unspent += elapsed * self.positions_per_second
        state = self._model.state
        track = self._model.state.track
        is_led = state.leads
        last = track.last
        step = math.floor(self._unspent) if self.is_reduced or is_led or state.plays_film else self._unspent
        if self.is_reduced and state.plays_film:
            leap = max(math.floor(last / _FILM_STOPS), 1)
            step = step // leap * leap
        self._unspent -= step
        position = track.value + step
        if self.is_reduced and step:
            position = float(math.floor(position))
        # The last word is shown as long as the others.
        round_trip = last + 1 if is_led else last
        if self.loops and round_trip > 0:
            position = math.fmod(position, round_trip)
        elif position >= last:
            position = float(last)
            self.pause()
        self._model.move_along(position)
