"""A question of a talk: what is chosen, typed, placed or drawn, and what is told of it afterwards."""

import math
from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any, Final

import numpy as np

from pe_desktop.core.record import record
from pe_desktop.core.rules import shown
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.dial import Dial
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Layers, Named, Space, Words, in_row
from pe_desktop.draw.number_text import plain, short
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.languages import read_number
from pe_desktop.lessons.numbers import curve_of, graded, numbers_of, right_answer
from pe_desktop.lessons.shown import answer_of, waiting, with_answer
from pe_desktop.lessons.talks import LETTERS, Question, Talk
from pe_desktop.model import findings
from pe_desktop.views.lessons.pictures import picture_of, placed
from pe_desktop.views.lessons.words import Said, padded, way

# Points of a curve that is drawn.
N_POINTS: Final = 9
_DIAL, _CURVE = 180.0, 130.0
# What the arrows add to a hand, in degrees, and to a height, as a share of the highest.
_TURNS: Final = {"Left": -1.0, "Right": 1.0, "Down": -15.0, "Up": 15.0}
_RISES: Final = {"Down": -0.05, "Up": 0.05, "Left": 0.0, "Right": 0.0}
_HOW: Final = {
    "number": "Type it below, and press Enter.",
    "hand": "Place it by pointer or arrows, or type its degrees below.",
    "curve": f"Draw it by pointer or arrows, or type {N_POINTS} heights below.",
}


@record(eq=False)
class Asked:
    """A question with what is answered to it, or going to be, and what its texts say with the numbers of its step."""

    state: State
    talk: Talk
    place: int
    said: Said = Said(None)

    @cached_property
    def question(self) -> Question:
        question = self.talk.questions[self.place]
        assert question is not None
        return question

    @cached_property
    def answer(self) -> str:
        return answer_of(self.state, self.talk, self.place)

    @property
    def guess(self) -> str:
        return self.answer or self.state.views.lessons.guess

    @cached_property
    def right(self) -> int | None:
        """The place of the right answer, once there is one and it is known."""
        known = self.answer and self.said.numbers is not None
        return right_answer(self.question, self.said.numbers or {}) if known else None

    @cached_property
    def curve(self) -> Chart:
        """Axes in which a curve is drawn point by point; then also the true one."""
        last = self.talk.states[self.place].encoding.n_positions - 1.0
        true = curve_of(self.question, self.talk, self.place, 65)
        high, low = 1.4 * float(np.abs(true).max()), 1.4 * min(float(true.min()), 0.0)
        drawn = [float(one) for one in self.guess.split()]
        yours = Curve("yours", np.linspace(0.0, last, N_POINTS)[: len(drawn)], np.array(drawn), wide=2.0)
        measured = Curve("measured", np.linspace(0.0, last, len(true)), true, is_chosen=True)
        curves = (yours,) * bool(drawn) + (measured,) * bool(self.answer)
        return Chart("", Scale("offset k", 0.0, last, ticks="offsets"), Scale("", low, high), curves, tall=_CURVE)

    def answered(self, answer: str) -> dict[str, Any]:
        """What sets an answer."""
        return {"lessons.answers": with_answer(self.state, self.place + 1, answer)}

    def told(self) -> tuple[bool, str]:
        """Whether a prediction is right, and how far it is from that."""
        if self.question.kind == "choose":
            right = "" if self.right is None else LETTERS[self.right].upper()
            return right == self.answer.upper(), f"you said {self.answer.upper()}, right is {right}"
        is_right, gap = graded(self.question, self.talk, self.place, self.answer)
        if self.question.kind == "curve":
            return is_right, f"{short(gap)} off on average"
        key = numbers_of(self.talk, self.place)[self.question.key]
        return is_right, f"it is {amount(self.question, key)}, you said {amount(self.question, float(self.answer))}"


def numbers_question(talk: Talk, place: int) -> findings.Question:
    """What is measured for a step; heads that are trained for it take seconds."""
    is_quick = not any(one.measure.startswith("learned-") for one in talk.steps[place].numbers.values())
    return findings.Question("lesson", numbers_of, (talk, place), is_quick=is_quick, takes="nothing")


def question_block(asked: Asked) -> Block:
    """The question, how it is answered, and once it is, what is told."""
    question, guess = asked.question, asked.guess
    ways = {"choose": _choices, "hand": _dial, "curve": _curve}
    blocks: list[Block] = [flow.paragraph(asked.said(question.text), "strong", "text")]
    if question.picture != "none":
        blocks.append(picture_of(question))
    if question.kind in ways:
        blocks.append(ways[question.kind](asked))
    if asked.answer and asked.said.numbers is not None:
        blocks.append(_told_block(asked))
        if question.pictured:
            blocks.append(way("Show it in the plots", question.pictured))
    elif not asked.answer and question.kind in _HOW:
        how = flow.paragraph(_HOW[question.kind], "tick", "text3")
        blocks.append(way("Answer", asked.answered(guess)) if _is_whole(question, guess) else how)
    return Column(tuple(blocks), gap=8.0)


def _is_whole(question: Question, guess: str) -> bool:
    """Whether a guess is all that is asked for."""
    return len(guess.split()) == (N_POINTS if question.kind == "curve" else 1)


def _choices(asked: Asked) -> Block:
    rows, said, right = [], asked.said, asked.right
    for letter, one in zip(LETTERS, asked.question.answers, strict=False):
        is_chosen = letter == asked.answer
        ink = "text3" if right is None else "ok" if letter == LETTERS[right] else "bad" if is_chosen else "text3"
        after, why = ("", "") if right is None else (said(one.after), said(one.why))
        note = "your answer" if is_chosen and not (ink == "ok" and after) else after
        cells = (
            Words(letter.upper(), "badge", "text3"),
            flow.paragraph(said(one.text), "label", "text"),
            Words(note, "segment", ink, across=1.0),
            Words({"ok": "✓", "bad": "✗"}.get(ink, ""), "strong", ink),
        )
        inside = Column((Space(8.0), in_row((16.0, GROW, FIT, FIT), *cells, gap=8.0), Space(5.0)))
        row = Layers((Drawn(_frame, (ink,), 0.0), padded(inside, 10.0)))
        sets = None if asked.answer else asked.answered(letter)
        rows.append(Named(f"{letter.upper()}: {said(one.text)}", row, note, sets, why, is_chosen))
    return Column(tuple(rows), gap=6.0)


def _told_block(asked: Asked) -> Block:
    """Whether a prediction is right or how far from it; of a wrong choice why, and why the right one is."""
    question, (is_right, gap) = asked.question, asked.told()
    head, whys = "Correct" if is_right else "Not quite", [question.why]
    if question.kind != "choose":
        head = f"{head}: {gap}"
    else:
        # Answers of a quiz have no reasons of their own.
        both = dict.fromkeys((LETTERS.index(asked.answer), asked.right))
        whys = [question.answers[one].why for one in both if one is not None and question.answers[one].why] or whys
    lines = [flow.paragraph(asked.said(why), "label") for why in whys if why]
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
    return "" if asked is None else Asked(state, *asked).question.kind


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
    asked = Asked(state, *found)
    question, guess = asked.question, asked.guess
    letter = LETTERS["123456".index(key)] if key in "123456" else key.lower()
    if letter in LETTERS[: len(question.answers)]:
        return asked.answered(letter)
    if key in ("Return", "Enter") and question.kind != "choose":
        return asked.answered(guess) if _is_whole(question, guess) else {}
    if question.kind == "hand" and key in _TURNS:
        return {"lessons.guess": f"{(float(guess or 0.0) + _TURNS[key]) % 360.0:g}"}
    if question.kind != "curve" or key not in _RISES:
        return None
    *before, last = guess.split() or ["0"]
    y = asked.curve.y
    last = f"{min(max(float(last) + _RISES[key] * y.last, y.first), y.last):.4g}"
    after = {"Left": before, "Right": [*before, last, last]}.get(key, [*before, last])
    return {"lessons.guess": " ".join(after[:N_POINTS])}


def _dial(asked: Asked) -> Block:
    """A dial with a hand that is placed by a press or a drag; then also where it is."""
    guess, numbers = asked.guess, asked.said.numbers
    key = numbers[asked.question.key] if asked.answer and numbers is not None else None
    hands = tuple((float(angle), ink) for angle, ink in ((guess or None, "text3"), (key, "ok")) if angle is not None)
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
    places = [place for place in range(len(talk.steps)) if answer_of(state, talk, place)]
    given = [Asked(state, talk, place, Said(answers.answer(numbers_question(talk, place)))) for place in places]
    told = [one for one in given if one.said.numbers is not None]
    if not told:
        return []
    title = f"Predicted: {sum(one.told()[0] for one in told)} of {len(told)} right"
    gaps = [
        flow.paragraph(f"{talk.steps[one.place].title}: {one.told()[1]}")
        for one in told
        if one.question.kind != "choose" or not one.told()[0]
    ]
    return [Space(4.0), flow.paragraph(title, "strong", "text"), *gaps]


def _frame(area: Area, theme: Theme, ink: str) -> marks.Picture:
    fill, outline = (
        (theme.panel, theme.line) if ink == "text3" else (getattr(theme, f"{ink}_ground"), getattr(theme, ink))
    )
    return (marks.Rectangle(*area.grown(-0.5, -0.5), fill, outline, 6.0),)
