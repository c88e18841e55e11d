"""The scores of quizzes, which stay on the machine; nothing that takes long to load."""

import re
from typing import Final

from pe_desktop.core.state import State
from pe_desktop.lessons.shown import answer_of
from pe_desktop.lessons.talks import LETTERS, PREFIX, Talk

# How many answers were right, and how many were given, of each quiz by its seed.
_SCORES: Final[dict[str, tuple[int, int]]] = {}
# The keys of talks that were gone through to the end.
DONE: Final[dict[str, None]] = {}


def note_answers(state: State, talk: Talk) -> None:
    """Keep the score of a quiz by what was answered in it."""
    given = [(step.question, answer_of(state, talk, place)) for place, step in enumerate(talk.steps)]
    right = [asked.answers[LETTERS.index(letter)].is_right for asked, letter in given if asked is not None and letter]
    _SCORES[talk.key.removeprefix(PREFIX)] = sum(right), len(right)


def score() -> tuple[int, int]:
    """How many answers were right, and how many were given, in all quizzes."""
    return sum(right for right, _ in _SCORES.values()), sum(given for _, given in _SCORES.values())


def kept_scores() -> tuple[str, ...]:
    """The last thousand as texts: "17.8.10" of the quiz 17, eight of ten, "one-hand" of a talk that is done."""
    return (*(f"{seed}.{right}.{given}" for seed, (right, given) in _SCORES.items()), *DONE)[-1000:]


def take_scores(kept: tuple[str, ...]) -> None:
    """Have what such texts say, and nothing else."""
    _SCORES.clear()
    DONE.clear()
    DONE.update(dict.fromkeys(one for one in kept if re.fullmatch(r"[a-z][a-z0-9-]{0,39}", one)))
    for seed, right, given in (one.split(".") for one in kept if re.fullmatch(r"\d{1,9}\.\d{1,2}\.\d{1,2}", one)):
        _SCORES[seed] = int(right), int(given)
