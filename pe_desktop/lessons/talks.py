"""Talks: lists of steps, each a state with words, as files hold them; lessons are talks that ask."""

import re
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from pe_desktop.core.choices import Views
from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.record import record
from pe_desktop.core.rules import checked_word, names_for, shown
from pe_desktop.core.state import State, state_of, value_of, with_name
from pe_desktop.lessons.reading import read, stored

Assignments: TypeAlias = Mapping[str, str]
MOST_STEPS: Final = 99
# What a file of a talk says that it is.
SCHEMA_KEY: Final = "pe_desktop_talk"
SCHEMA: Final = 1
# The key of a quiz: this and its seed.
PREFIX: Final = "quiz-"
# By which answers are chosen.
LETTERS: Final = "abcdef"
# The keys of views, as a state names them.
_VIEWS: Final = tuple(name.replace("_", "-") for name in Views.__dataclass_fields__ if name not in ("front", "study"))
_KEY: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
# Where texts have a number of the step: {name:f2}.
NAMED_NUMBER: Final = r"\{([a-z][a-z0-9-]*):\w+\}"
# Any other value than that of the step.
_MOVED: Final = "*"


@record(eq=False)
class Number:
    """A number of a step, as a measure of the fact cards gives it, in the state of the step.

    measure: a name of MEASURES; parameters: what it is given besides the state; place: which of its numbers; state:
    what differs from the state of the step.
    """

    measure: str
    place: int = 0
    parameters: Mapping[str, Any] = field(default_factory=dict)
    state: Assignments = field(default_factory=dict)


@record(eq=False)
class Answer:
    """One of those to choose from: the name of its number, if any, and why it is wrong, or right.

    is_right: of answers without numbers, the right one; after: what stands at its end once the question is answered.
    """

    text: str
    why: str = ""
    number: str = ""
    is_right: bool = False
    after: str = ""


@record(eq=False)
class Question:
    """What is predicted before it is seen.

    kind: an answer is chosen, a number typed, a hand placed or a curve drawn. key: the name of the number that is
    right, of a curve the measure over offsets; rule: which of answers that have numbers is right: the one that is the
    key, or the least or the largest. near: how far from the key an answer still counts as right, of a hand in degrees,
    else as a share of the key. unit: what stands behind the number; why: what is told after it. picture: what is drawn
    above the answers, the hands at t, their turn to t + k, the wave of a pair, five rows of which the one k rows on is
    wrong; pictured: in which state, which the plots don't show.
    """

    text: str
    kind: Literal["choose", "number", "hand", "curve"] = "choose"
    answers: tuple[Answer, ...] = ()
    key: str = ""
    rule: Literal["equal", "least", "most"] = "equal"
    near: float = 0.02
    unit: str = ""
    why: str = ""
    picture: Literal["none", "hands", "turn", "wave", "rows"] = "none"
    pictured: Assignments = field(default_factory=dict)


@record(eq=False)
class Try:
    """Something to do: it is done once the state has these values, "*" for any other than that of the step."""

    text: str
    does: Assignments = field(default_factory=dict)

    def is_done(self, state: State, at: State) -> bool:
        """Whether a state has what is to be done, in a step whose own state is `at`."""
        return all(_has(state, name, value, at) for name, value in self.does.items())


def _has(state: State, name: str, wanted: str, at: State) -> bool:
    value = value_of(state, name)
    if wanted == _MOVED:
        return bool(value != value_of(at, name))
    return bool(value == value_of(with_name(at, name, wanted), name))


@record(eq=False)
class Move:
    """What moves once a step is seen, or answered: a name of the state, to a value, in so many seconds."""

    name: str
    to: float
    seconds: float = 1.0


@record(eq=False)
class Step:
    """A state with words.

    state: what differs from that of the talk; views: the panels that are seen, one or two; places: what is pointed at,
    by names of places; veils: panels that are covered until the question is answered; notes: for the speaker.
    """

    title: str
    words: str = ""
    state: Assignments = field(default_factory=dict)
    views: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    veils: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()
    question: Question | None = None
    tries: tuple[Try, ...] = ()
    numbers: Mapping[str, Number] = field(default_factory=dict)
    notes: str = ""


@record(eq=False)
class Talk:
    """A list of steps under a title.

    key: by which it is opened; claim: what it shows, in a sentence; line: the one to write down; card: the key of a
    fact card that texts have wrong; clicker: two questions for a lecture room, with the numbers of the last step;
    state: what its steps have in common.
    """

    key: str
    title: str
    steps: tuple[Step, ...] = ()
    claim: str = ""
    line: str = ""
    card: str = ""
    clicker: tuple[Question, ...] = ()
    state: Assignments = field(default_factory=dict)

    @cached_property
    def questions(self) -> tuple[Question | None, ...]:
        """That of each step, then those of the clicker, which are asked at the end."""
        return (*(step.question for step in self.steps), *self.clicker)

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The state of each step; ValueError with a sentence for one that there isn't."""
        return tuple(state_of({**self.state, **step.state}) for step in self.steps)


def talk_of(stored: Mapping[str, Any]) -> Talk:
    """The talk that a file holds; ValueError with the end of a sentence that says what is wrong with it."""
    if stored.get(SCHEMA_KEY) != SCHEMA:
        raise ValueError(f"it is not a talk, for its {SCHEMA_KEY} is not {SCHEMA}")
    talk: Talk = read(Talk, {name: value for name, value in stored.items() if name != SCHEMA_KEY}, "it")
    if not _KEY.fullmatch(talk.key):
        raise ValueError(f"its key {shown(talk.key)} must have small letters, digits and hyphens, at most 40")
    if not talk.steps:
        raise ValueError("it has no steps")
    if talk.card and talk.card not in CARDS:
        raise ValueError(f"its card can't be {shown(talk.card)}: {names_for(talk.card, CARDS)}")
    for place, step in enumerate(talk.steps):
        try:
            _check_step(talk, place, step)
        except ValueError as error:
            raise ValueError(f"in step {place + 1}, {shown(step.title)}, {error}") from error
    return talk


def _check_step(talk: Talk, place: int, step: Step) -> None:
    state = state_of({**talk.state, **step.state})
    for to_try in step.tries:
        to_try.is_done(state, state)
    for key in (*step.views, *step.veils):
        checked_word("a view", key, _VIEWS)
    for move in step.moves:
        with_name(state, move.name, move.to)
    for one in step.numbers.values():
        _check_measure(one.measure)
        state_of({**talk.state, **step.state, **one.state})
    questions = [] if step.question is None else [step.question]
    for name in re.findall(NAMED_NUMBER, f"{stored(step)}"):
        if name not in step.numbers:
            raise ValueError(f"its texts have the number {name}, which is none of its numbers")
    if place == len(talk.steps) - 1:
        questions += talk.clicker
        if any(question.kind != "choose" for question in talk.clicker):
            raise ValueError("a clicker question must have answers to choose from")
    for question in questions:
        _check_question(question, step, state)


def _check_measure(name: str) -> None:
    from pe_desktop.core.facts.measures import MEASURES  # noqa: PLC0415 - no frame waits for what measures

    checked_word("a measure", name, MEASURES)


def _check_curve(state: State) -> None:
    from pe_desktop.core.listings.names import omega  # noqa: PLC0415 - no frame waits for what measures

    if omega(state) is None:
        raise ValueError(f"a curve is asked of {state.encoding.kind}, which has no frequencies")


def _check_question(question: Question, step: Step, state: State) -> None:
    names = [answer.number for answer in question.answers if answer.number]
    if question.rule != "equal" and not names:
        raise ValueError(f"a question asks for the {question.rule} of its answers, which have no numbers")
    if question.kind == "curve":
        checked_word("the key of a curve", question.key, ("distance", "dot", "cosine"))
        _check_curve(state)
    elif question.key or question.kind != "choose":
        names.append(question.key)
    for name in names:
        checked_word("the number of an answer", name, step.numbers)
    if question.kind == "choose" and not 2 <= len(question.answers) <= len(LETTERS):
        raise ValueError(f"a question has {len(question.answers)} answers, where two to six can be chosen from")
    n_right = sum(answer.is_right or answer.number == question.key != "" for answer in question.answers)
    if question.kind == "choose" and question.rule == "equal" and n_right != 1:
        raise ValueError(f"{n_right} answers of a question are right, where one must be")
