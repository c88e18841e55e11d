"""What is measured: a description that the measuring programs of both tools read alike."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

Made = TypeVar("Made")

WINDOW_SIZE = (1600, 1000)
PICTURE_SIZE = (1000, 800)
PINS = (0, 4, 8)
OFFSET = 8
N_CLOCK_PAIRS = 256
N_WAVE_PAIRS = 32


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of work on one encoding; n_steps frames, or seconds of playing."""

    kind: str
    variant: str = ""
    n_positions: int = 512
    d_model: int = 512
    n_steps: int = 60
    seconds: float = 5.0
    first_position: float = 100.0

    def word(self) -> str:
        """As an argument of a program."""
        return json.dumps(asdict(self))


class NothingKnown:
    """The answers of a first picture."""

    def answer(self, _question: object) -> None:
        """Not yet."""

    def latest(self, _question: object) -> None:
        """Not yet."""

    def share(self, _question: object) -> None:
        """Nothing is computed."""

    def is_stopped(self, _question: object) -> bool:
        """Nobody stopped it."""
        return False

    def read_by(self, make: Callable[[Any, Any], Made], state: object) -> Made:
        """Made anew each time."""
        return make(state, self)


def works(words: Sequence[str]) -> list[Work]:
    """From the arguments of a program."""
    return [Work(**json.loads(word)) for word in words]


def wave_pairs() -> range:
    """Which 32 of the 256 pairs of d_model = 512 are drawn as waves: every eighth, from fast to slow."""
    return range(0, N_CLOCK_PAIRS, N_CLOCK_PAIRS // N_WAVE_PAIRS)
