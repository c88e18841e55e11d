"""Numbers of the state that move to others, leg by leg; a person who wants no motion sees where they end."""

from collections.abc import Callable, Hashable, Mapping
from typing import TypeAlias

from PySide6.QtCore import QEasingCurve, QVariantAnimation

from pe_desktop.core.state import State
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback

# Names with their values, from and to, and in how many milliseconds.
Leg: TypeAlias = tuple[Mapping[str, float], Mapping[str, float], int]


class Glide(QVariantAnimation):
    """Moves numbers until they are there, or what is `seen` has changed, as it does where that is undone.

    What it moves is no step of undo. is_moving: from the first leg on until all has come to rest.
    """

    def __init__(self, model: EncodingModel, playback: Playback, seen: Callable[[State], Hashable]) -> None:
        super().__init__(model)
        self._model, self._playback, self._seen = model, playback, seen
        self._legs: list[Leg] = []
        self._seen_before: Hashable = None
        self.is_moving = False
        self.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self.setStartValue(0.0)
        self.setEndValue(1.0)
        self.valueChanged.connect(self._on_moved)
        self.finished.connect(self._next)

    def end(self) -> None:
        """Be where it is going to, without the legs after that."""
        self._legs.clear()
        if self.state() == QVariantAnimation.State.Running:
            self.setCurrentTime(self.duration())

    def run(self, *legs: Leg) -> None:
        """Go these legs one after the other."""
        self.end()
        self._legs, self._seen_before = [*legs], self._seen(self._model.state)
        self._model.begin_step()
        self._next()

    def _next(self) -> None:
        self.is_moving = bool(self._legs)
        if not self._legs:
            self._model.end_step()
            return
        self._start, self._goal, milliseconds = self._legs.pop(0)
        if self._start == self._goal or self._playback.is_reduced or not self._shows(self._start):
            self._model.note(**self._goal)
            self._next()
            return
        # Another duration would at once tell of where the last move ended.
        self.setCurrentTime(0)
        self.setDuration(milliseconds)
        self.start()

    def _shows(self, numbers: Mapping[str, float]) -> bool:
        """Show numbers on the way, where they may stand: words of a sentence have whole places, and few."""
        try:
            self._model.note(**numbers)
        except ValueError:
            return False
        return True

    def _on_moved(self, share: float) -> None:
        if self._seen(self._model.state) != self._seen_before:
            self.stop()
            self._legs.clear()
            self._next()
            return
        between = {name: first + share * (self._goal[name] - first) for name, first in self._start.items()}
        if share >= 1.0 or not self._shows(between):
            self._model.note(**self._goal)
