"""The scores of quizzes, which stay on the machine; nothing that takes long to load."""

import re
from typing import Any, Final

PREFIX: Final = "quiz-"
# How many answers were right, and how many were given, of each quiz by its seed.
_SCORES: Final[dict[str, tuple[int, int]]] = {}


def note_answers(talk: Any, answers: tuple[str, ...]) -> None:
    """Keep the score of a quiz by what was answered in it, "2:c" in step 2 the third one."""
    given = dict(answer.split(":") for answer in answers)
    asked = [
        (step.question, given[str(place)]) for place, step in enumerate(talk.steps, start=1) if str(place) in given
    ]
    right = [question.answers["abcdef".index(letter)].is_right for question, letter in asked if question]
    _SCORES[talk.key.removeprefix(PREFIX)] = sum(right), len(right)


def score() -> tuple[int, int]:
    """How many answers were right, and how many were given, in all quizzes."""
    return sum(right for right, _ in _SCORES.values()), sum(given for _, given in _SCORES.values())


def kept_scores() -> tuple[str, ...]:
    """The scores of the last thousand as texts: "17.8.10", of the quiz 17 eight of ten."""
    return tuple(f"{seed}.{right}.{given}" for seed, (right, given) in _SCORES.items())[-1000:]


def take_scores(kept: tuple[str, ...]) -> None:
    """Have the scores of such texts, and no others."""
    _SCORES.clear()
    for seed, right, given in (one.split(".") for one in kept if re.fullmatch(r"\d{1,9}\.\d{1,2}\.\d{1,2}", one)):
        _SCORES[seed] = int(right), int(given)
