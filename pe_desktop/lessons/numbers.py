"""The numbers of a step, which answer of a question is right, and how far a prediction is from it."""

import math
from collections.abc import Mapping
from functools import cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.facts.measures import numbers_in
from pe_desktop.core.listings.names import bound
from pe_desktop.core.listings.program import computed
from pe_desktop.core.source import arrays
from pe_desktop.core.state import state_of
from pe_desktop.lessons.talks import Question, Talk

_BY_OFFSET: Final = {
    "distance": arrays.distances_by_offset,
    "dot": arrays.dots_by_offset,
    "cosine": arrays.cosines_by_offset,
}


@cache
def numbers_of(talk: Talk, place: int) -> Mapping[str, float]:
    """The numbers of a step by their names, measured in its state; learned ones take seconds."""
    step = talk.steps[place]
    found = {}
    for name, one in step.numbers.items():
        state = state_of({**talk.state, **step.state, **one.state})
        found[name] = numbers_in(one.measure, one.parameters, state)[one.place]
    return found


def right_answer(question: Question, numbers: Mapping[str, float]) -> int | None:
    """The place of the answer that is right; None where the question has none to choose from."""
    answers = question.answers
    if question.rule == "equal":
        is_right = (one.is_right or (question.key and one.number == question.key) for one in answers)
        return next((place for place, right in enumerate(is_right) if right), None)
    choose = min if question.rule == "least" else max
    measured = [place for place, one in enumerate(answers) if one.number]
    return choose(measured, key=lambda place: numbers[answers[place].number])


def graded(question: Question, talk: Talk, place: int, prediction: str) -> tuple[bool, float]:
    """Whether a number, a hand or a curve that was predicted is right, and how far it is from what was asked for.

    A hand in degrees, a curve by the mean difference over its points.
    """
    if question.kind == "curve":
        drawn = np.array(prediction.split(), dtype=np.float64)
        true = curve_of(question, talk, place, len(drawn))
        gap = float(np.abs(drawn - true).mean())
        return gap <= question.near * float(np.abs(true).max()), gap
    key, given = numbers_of(talk, place)[question.key], float(prediction)
    if question.kind == "hand":
        gap = (given - key + 180.0) % 360.0 - 180.0
        return abs(gap) <= question.near, gap
    return math.isclose(given, key, rel_tol=question.near, abs_tol=1e-12), given - key


def curve_of(question: Question, talk: Talk, place: int, n_points: int) -> Floats:
    """The curve that is to be drawn, at so many offsets from 0 to the last one."""
    state = talk.states[place]
    offsets = np.linspace(0.0, state.encoding.n_positions - 1.0, n_points)
    values: Floats = computed(bound(_BY_OFFSET[question.key], state, offsets=offsets))
    return values
