"""A question of a talk: what is chosen, typed, placed or drawn, and what is told of it afterwards."""

import math
import re
from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

import numpy as np

from pe_desktop.core.record import record
from pe_desktop.core.rules import shown
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.dial import Dial
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Layers, Named, Space, Words, button, in_row, padded
from pe_desktop.draw.number_text import plain, short
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.languages import keep, read_number, told
from pe_desktop.lessons.numbers import N_POINTS, Answered, graded, numbers_of
from pe_desktop.lessons.shown import answer_of, waiting
from pe_desktop.lessons.talks import LETTERS, NAMED_NUMBER, Answer, Question, Talk
from pe_desktop.model import findings
from pe_desktop.views.facts.words import filled
from pe_desktop.views.lessons.pictures import picture_of, placed

_DIAL, _CURVE = 180.0, 130.0
# What the arrows add to a hand, in degrees, and to a height, as a share of the highest.
_TURNS: Final = {"Left": -1.0, "Right": 1.0, "Down": -15.0, "Up": 15.0}
_RISES: Final = {"Down": -0.05, "Up": 0.05, "Left": 0.0, "Right": 0.0}
_HOW: Final = {
    "number": "Type it below, and press Enter.",
    "hand": "Place it by pointer or arrows, or type its degrees below.",
    "curve": f"Draw it by pointer or arrows, or type {N_POINTS} heights below.",
}


class _Option(NamedTuple):
    """An answer to choose from; note: what stands at its end; ink: "ok" of the right one, "bad" of a wrong choice."""

    letter: str
    text: str
    is_chosen: bool
    ink: str = "text3"
    note: str = ""
    why: str = ""

    @property
    def sign(self) -> str:
        return {"ok": "✓", "bad": "✗"}.get(self.ink, "")

    @property
    def line(self) -> str:
        return f"{self.sign} {self.letter.upper()}  {self.text}".strip()


@record(eq=False)
class Asked(Answered):
    """The same with its words and drawings."""

    def said(self, text: str) -> str:
        """A text with the numbers of the step, or three dots while they are measured."""
        if self.numbers is None:
            return keep(re.sub(NAMED_NUMBER, "…", told(text)))
        return filled(text, self.numbers)

    @cached_property
    def options(self) -> tuple[_Option, ...]:
        """What there is to choose from; why each is right or wrong only once it is told."""
        return tuple(map(self._option, LETTERS, self.question.answers))

    def _option(self, letter: str, one: Answer) -> _Option:
        is_chosen, text = letter == self.answer, self.said(one.text)
        yours = "your answer" if is_chosen and not self.given else ""
        if not self.is_told:
            return _Option(letter, text, is_chosen, note=yours)
        ink = "ok" if letter == self.key else "bad" if is_chosen else "text3"
        after = self.said(one.after)
        note = yours if is_chosen and not (ink == "ok" and after) else after
        return _Option(letter, text, is_chosen, ink, note, self.said(one.why))

    @cached_property
    def curve(self) -> Chart:
        """Axes in which a curve is drawn point by point; then also the true one."""
        last = self.talk.states[self.place].encoding.n_positions - 1.0
        low, high = self.limits
        drawn = [float(one) for one in self.guess.split()]
        yours = Curve("yours", np.linspace(0.0, last, N_POINTS)[: len(drawn)], np.array(drawn), wide=2.0)
        measured = Curve("measured", np.linspace(0.0, last, len(self.true)), self.true, is_chosen=True)
        curves = (yours,) * bool(drawn) + (measured,) * bool(self.answer)
        return Chart("", Scale("offset k", 0.0, last, ticks="offsets"), Scale("", low, high), curves, tall=_CURVE)

    def told(self) -> tuple[bool, str]:
        """Whether a prediction is right, and how far it is from that."""
        if self.question.kind == "choose":
            return self.key == self.answer, f"you said {self.answer.upper()}, right is {self.key.upper()}"
        is_right, gap = graded(self.question, self.talk, self.place, self.answer)
        if self.question.kind == "curve":
            return is_right, f"{short(gap)} off on average"
        return is_right, f"it is {self.amount()}, you said {amount(self.question, float(self.answer))}"

    def amount(self) -> str:
        """The number that is right with its unit, "" for other questions."""
        is_number = self.question.kind in ("number", "hand")
        return amount(self.question, (self.numbers or {})[self.question.key]) if is_number else ""

    @property
    def reasons(self) -> list[str]:
        """Why a wrong choice is wrong and the right one right, else what is told after any answer."""
        whys = [one.why for ink in ("bad", "ok") for one in self.options if one.ink == ink and one.why]
        return whys or [self.said(self.question.why)] * bool(self.question.why)


def asked_at(state: State, talk: Talk, place: int, answers: findings.Answers) -> Asked:
    """What stands at a place of a talk, with the numbers of its step as far as they are known."""
    return Asked(state, talk, place, answers.answer(numbers_question(talk, min(place, len(talk.steps) - 1))))


def numbers_question(talk: Talk, place: int) -> findings.Question:
    """What is measured for a step; heads that are trained for it take seconds."""
    is_quick = not any(one.measure.startswith("learned-") for one in talk.steps[place].numbers.values())
    return findings.Question("lesson", numbers_of, (talk, place), is_quick=is_quick, takes="nothing")


def asked_block(asked: Asked) -> Block:
    """The question, and what is chosen, placed or drawn."""
    question = asked.question
    ways = {"choose": _choices, "hand": _dial, "curve": _curve}
    drawn = [picture_of(question)] if question.picture != "none" else []
    drawn += [ways[question.kind](asked)] if question.kind in ways else []
    return Column((flow.paragraph(asked.said(question.text), "strong", "text"), *drawn), gap=8.0)


def question_block(asked: Asked) -> Block:
    """The question, how it is answered, and once it is, what is told."""
    question, guess = asked.question, asked.guess
    blocks = [asked_block(asked)]
    if asked.is_told:
        blocks.append(_told_block(asked))
        if question.pictured:
            blocks.append(way("Show it in the plots", question.pictured))
    elif not asked.answer and question.kind in _HOW:
        how = flow.paragraph(_HOW[question.kind], "tick", "text3")
        blocks.append(way("Answer", asked.answered(guess)) if asked.is_whole else how)
    return Column(tuple(blocks), gap=8.0)


def room_block(asked: Asked) -> Block:
    """For a room: the question, its answers beside each other; then these alone, with what is right and why."""
    role, inks = ("label", {"ok": "ok"}) if asked.is_told else ("lead", {"text3": "text"})
    lines = [flow.paragraph(one.line, role, inks.get(one.ink, "text3"), 0.5) for one in asked.options]
    row = in_row((GROW,) * len(lines), *lines) if lines else Space(0.0)
    if not asked.is_told:
        return Column((flow.paragraph(asked.said(asked.question.text), "message", "text", 0.5), row), gap=4.0)
    whys = [flow.paragraph(why, "lead", "text", 0.5) for why in asked.reasons[-1:]]
    return Column((row, flow.paragraph(asked.amount(), "message", "text", 0.5), *whys), gap=4.0)


def _choices(asked: Asked) -> Block:
    rows = []
    for one in asked.options:
        cells = (
            Words(one.letter.upper(), "badge", "text3"),
            flow.paragraph(one.text, "label", "text"),
            Words(one.note, "segment", one.ink, across=1.0),
            Words(one.sign, "strong", one.ink),
        )
        row = framed(in_row((16.0, GROW, FIT, FIT), *cells, gap=8.0), ink=one.ink)
        sets = None if asked.answer else asked.answered(one.letter)
        rows.append(Named(f"{one.letter.upper()}: {one.text}", row, one.note, sets, one.why, one.is_chosen))
    return Column(tuple(rows), gap=6.0)


def _told_block(asked: Asked) -> Block:
    """Whether a prediction is right or how far from it; of a wrong choice why, and why the right one is."""
    is_right, gap = asked.told()
    head = "Correct" if is_right else "Not quite"
    head = head if asked.options else f"{head}: {gap}"
    lines = [flow.paragraph(why, "label") for why in asked.reasons]
    inside = Column((Space(10.0), flow.paragraph(head, "strong", "text"), *lines, Space(8.0)), gap=6.0)
    name = "what is told" if asked.place < len(asked.talk.steps) else f"what is told, {asked.place + 1}"
    return Named(name, Layers((flow.Ground(), padded(inside, 12.0))), head, is_chosen=True)


def amount(question: Question, value: float) -> str:
    """A number with the unit of a question, as an answer is told."""
    unit = question.unit or ("°" if question.kind == "hand" else "")
    number = plain(value if value == round(value) else float(f"{value:.4g}"))
    return f"{number}{unit}" if unit in ("", "°") else f"{number} {unit}"


def waits_for(state: State) -> str:
    """The kind of the question that waits, "" for none."""
    asked = waiting(state)
    return "" if asked is None else Answered(state, *asked).question.kind


def read_guess(state: State, typed: str) -> str:
    """What is typed for a prediction, as the state keeps it; ValueError with a sentence for anything but numbers."""
    count = N_POINTS if waits_for(state) == "curve" else 1
    try:
        numbers = [float(read_number(word)) for word in typed.replace("−", "-").replace("°", "").split()]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        wanted = "a number" if count == 1 else f"{count} numbers with blanks between them"
        raise ValueError(f"type {wanted}: {shown(typed) or 'nothing'} is not")
    return " ".join(f"{number:.6g}" for number in numbers)


def by_key(state: State, key: str) -> Mapping[str, Any] | None:
    """What a key does for the question that waits: it answers, turns the hand, or draws; None for another one."""
    found = waiting(state)
    if found is None:
        return None
    asked = Answered(state, *found)
    question, guess = asked.question, asked.guess
    letter = LETTERS["123456".index(key)] if key in [*"123456"] else key.lower()
    if letter in [*LETTERS[: len(question.answers)]]:
        return asked.answered(letter)
    if key in ("Return", "Enter") and question.kind != "choose":
        return asked.answered(guess) if asked.is_whole else {}
    if question.kind == "hand" and key in _TURNS:
        return {"lessons.guess": f"{(float(guess or 0.0) + _TURNS[key]) % 360.0:g}"}
    if question.kind != "curve" or key not in _RISES:
        return None
    *before, last = guess.split() or ["0"]
    low, high = asked.limits
    last = f"{min(max(float(last) + _RISES[key] * high, low), high):.4g}"
    after = {"Left": before, "Right": [*before, last, last]}.get(key, [*before, last])
    return {"lessons.guess": " ".join(after[:N_POINTS])}


def _dial(asked: Asked) -> Block:
    """A dial with a hand that is placed by a press or a drag; then also where it is."""
    guess, key = asked.guess, asked.key if asked.is_told else ""
    hands = tuple((float(angle), ink) for angle, ink in ((guess, "text3"), (key, "ok")) if angle)
    value = f"{guess}°" if guess else "not placed"
    return Named("your hand", Drawn(placed, hands, _DIAL), value, sets_in=None if asked.answer else _angle_in)


def _angle_in(area: Area) -> Any:
    dial = Dial(*area.middle, 1.0)
    return lambda x, y: {"lessons.guess": f"{math.degrees(dial.angle_at(x, y)) % 360.0:.1f}"}


def _curve(asked: Asked) -> Block:
    sets = None if asked.answer else partial(_drawn_in, asked.curve, asked.guess)
    return Named("your curve", asked.curve, asked.guess, sets_in=sets)


def _drawn_in(chart: Chart, guess: str, area: Area) -> Any:
    plot, before = chart.plot(area), guess.split()

    def sets(x: float, y: float) -> dict[str, str]:
        """The point nearest to the pointer moves to its height; those that were never drawn stand beside it."""
        share = (x - plot.x.area.x) / plot.x.area.width
        height = f"{min(max(plot.y.value(y), chart.y.first), chart.y.last):.4g}"
        heights = [*before, *[height] * (N_POINTS - len(before))]
        heights[round(min(max(share, 0.0), 1.0) * (N_POINTS - 1))] = height
        return {"lessons.guess": " ".join(heights)}

    return sets


def summary_block(state: State, talk: Talk, answers: findings.Answers) -> list[Block]:
    """How many predictions of a talk were right, and how far those that are numbers or wrong were from it."""
    given = [asked_at(state, talk, place, answers) for place in range(len(talk.steps)) if answer_of(state, talk, place)]
    told = [(one, *one.told()) for one in given if one.is_told]
    if not told:
        return []
    title = f"Predicted: {sum(is_right for _, is_right, _ in told)} of {len(told)} right"
    gaps = [(one.step.title, gap) for one, is_right, gap in told if not (one.options and is_right)]
    lines = [block for name, gap in gaps for block in (flow.paragraph(name, "label"), flow.paragraph(gap))]
    return [Space(4.0), flow.paragraph(title, "strong", "text"), *lines]


def _frame(area: Area, theme: Theme, ink: str) -> marks.Picture:
    fill, outline = getattr(theme, f"{ink}_ground", theme.panel), theme.line if ink == "text3" else getattr(theme, ink)
    return (marks.Rectangle(*area.grown(-0.5, -0.5), fill, outline, 6.0),)


def framed(*blocks: Block, ink: str = "text3") -> Block:
    """Blocks below each other in a frame; that of what is right, or wrong, has a ground of its colour."""
    inside = Column((Space(8.0), *blocks, Space(5.0)))
    return Layers((Drawn(_frame, (ink,), 0.0), padded(inside, 10.0)))


def way(text: str, sets: Mapping[str, Any], beside: Block | None = None) -> Block:
    """A button, and what stands at its right."""
    return in_row((FIT, GROW), button(text, sets), Column((Space(6.0), beside or Space(0.0))))
