"""The numbers of a step, a question with what is answered to it, which answer is right, and how far one is from it."""

import math
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any, Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.facts.measures import numbers_in
from pe_desktop.core.listings.names import bound
from pe_desktop.core.listings.program import computed
from pe_desktop.core.record import record
from pe_desktop.core.source import arrays
from pe_desktop.core.state import State, state_of
from pe_desktop.lessons.shown import answer_of, is_asked, open_talk, place_of, with_answer
from pe_desktop.lessons.talks import LETTERS, Question, Step, Talk

# Points of a curve that is drawn, and of the true one.
N_POINTS: Final = 9
_FINE: Final = 65
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


@record(eq=False)
class Answered:
    """A question with what is answered to it, and the numbers of its step, None while they are not known.

    given: an answer in place of that of the state.
    """

    state: State
    talk: Talk
    place: int
    numbers: Mapping[str, float] | None = None
    given: str = ""

    @cached_property
    def question(self) -> Question:
        question = self.talk.questions[self.place]
        assert question is not None
        return question

    @property
    def step(self) -> Step:
        """That in which it is asked: the last one for a clicker."""
        return self.talk.steps[min(self.place, len(self.talk.steps) - 1)]

    @property
    def following(self) -> tuple[Step, ...]:
        """The next step, if there is one."""
        return self.talk.steps[self.place + 1 : self.place + 2]

    @property
    def waits(self) -> bool:
        """Whether there is a question without an answer."""
        return not self.given and is_asked(self.state, self.talk, self.place)

    @cached_property
    def answer(self) -> str:
        return self.given or answer_of(self.state, self.talk, self.place)

    @property
    def is_told(self) -> bool:
        """Whether it is answered, and known what is right."""
        return bool(self.answer) and self.numbers is not None

    @property
    def guess(self) -> str:
        return self.answer or self.state.views.lessons.guess

    @property
    def is_whole(self) -> bool:
        """Whether the guess is all that is asked for."""
        return len(self.guess.split()) == (N_POINTS if self.question.kind == "curve" else 1)

    @cached_property
    def key(self) -> str:
        """What is right, as an answer is kept; its numbers have to be known."""
        numbers = self.numbers or {}
        right = right_answer(self.question, numbers)
        if right is not None:
            return LETTERS[right]
        if self.question.kind == "curve":
            return " ".join(f"{one:.4g}" for one in curve_of(self.question, self.talk, self.place, N_POINTS))
        return f"{numbers[self.question.key]:.6g}"

    @cached_property
    def true(self) -> Floats:
        """The curve that is asked for."""
        return curve_of(self.question, self.talk, self.place, _FINE)

    @property
    def limits(self) -> tuple[float, float]:
        """Between which heights it is drawn."""
        return 1.4 * min(float(self.true.min()), 0.0), 1.4 * float(np.abs(self.true).max())

    def answered(self, answer: str) -> dict[str, Any]:
        """What sets an answer."""
        return {"lessons.answers": with_answer(self.state, self.place + 1, answer)}


def seen(state: State) -> Answered | None:
    """The step that stands beside the plots; None where no talk is open."""
    talk = open_talk(state)
    return None if talk is None else Answered(state, talk, place_of(state, talk))
