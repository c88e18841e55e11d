"""The question of a step: what is chosen, typed, placed or drawn, and what is told of it afterwards."""

import math
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from pe_desktop.core.rules import shown
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.dial import Dial, dial_in, face_picture
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Layers, Named, Space, Words, in_row
from pe_desktop.draw.number_text import plain, short
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.languages import read_number
from pe_desktop.lessons.numbers import curve_of, graded, numbers_of, right_answer, trains
from pe_desktop.lessons.shown import answer_of, open_talk, place_of, step_of, with_answer
from pe_desktop.lessons.talks import LETTERS, Question, Talk
from pe_desktop.model import findings
from pe_desktop.views.lessons.pictures import picture_of
from pe_desktop.views.lessons.words import Said

# Points of a curve that is drawn.
N_POINTS: Final = 9
_DIAL, _CURVE = 180.0, 130.0


def numbers_question(talk: Talk, place: int) -> findings.Question:
    """What is measured for a step; heads that are trained for it take seconds."""
    is_quick = not trains(talk.steps[place])
    return findings.Question("lesson", numbers_of, (talk, place), is_quick=is_quick, takes="nothing")


def question_block(state: State, talk: Talk, place: int, said: Said) -> Block:
    """The question, how it is answered, and once it is, what is told."""
    question = talk.steps[place].question
    assert question is not None
    answer = answer_of(state, talk, place)
    asked = flow.paragraph(said(question.text), "strong", "text")
    ways = {"choose": _choices, "hand": _dial, "curve": _curve}
    blocks: list[Block] = [asked]
    if question.picture != "none":
        blocks.append(picture_of(question))
    if question.kind in ways:
        blocks.append(ways[question.kind](state, talk, place, said))
    if answer and said.numbers is not None:
        blocks.append(_told_block(question, talk, place, answer, said))
        if question.pictured:
            blocks.append(in_row((FIT, GROW), flow.button("Show it in the plots", question.pictured), Space(0.0)))
    elif not answer and question.kind != "choose":
        blocks.append(_submit(state, place))
    return Column(tuple(blocks), gap=8.0)


def _choices(state: State, talk: Talk, place: int, said: Said) -> Block:
    question = talk.steps[place].question
    assert question is not None
    answer = answer_of(state, talk, place)
    right = None if said.numbers is None or not answer else right_answer(question, said.numbers)
    rows = []
    for number, one in enumerate(question.answers):
        letter, is_chosen = LETTERS[number], LETTERS[number] == answer
        kind = "right" if number == right else "wrong" if is_chosen and right is not None else ""
        after, why = (said(one.after), said(one.why)) if right is not None else ("", "")
        note = "your answer" if is_chosen and not (kind == "right" and after) else after
        ink = {"right": "ok", "wrong": "bad"}.get(kind, "text3")
        cells = (
            Words(letter.upper(), "badge", "text3"),
            flow.paragraph(said(one.text), "label", "text"),
            Words(note, "segment", ink, across=1.0),
            Words({"right": "✓", "wrong": "✗"}.get(kind, ""), "strong", ink),
        )
        inside = Column((Space(8.0), in_row((16.0, GROW, FIT, FIT), *cells, gap=8.0), Space(5.0)))
        row = Layers((Drawn(_frame, (kind,), 0.0), in_row((10.0, GROW, 10.0), Space(0.0), inside, Space(0.0), gap=0.0)))
        sets = {} if answer else {"lessons.answers": with_answer(state, place + 1, letter)}
        rows.append(Named(f"{letter.upper()}: {said(one.text)}", row, note, sets or None, why, is_chosen))
    return Column(tuple(rows), gap=6.0)


def _told_block(question: Question, talk: Talk, place: int, answer: str, said: Said) -> Block:
    """Whether a prediction is right or how far from it; of a wrong choice why, and why the right one is."""
    head, whys = "Correct" if graded(question, talk, place, answer).is_right else "Not quite", [question.why]
    if question.kind != "choose":
        head = f"{head}: {_gap(question, talk, place, answer)}"
    else:
        right = right_answer(question, numbers_of(talk, place))
        chosen = LETTERS.index(answer)
        both = dict.fromkeys((chosen, chosen if right is None else right))
        # Answers of a quiz have no reasons of their own.
        whys = [question.answers[one].why for one in both if question.answers[one].why] or whys
    lines = [flow.paragraph(said(why), "label") for why in whys if why]
    inside = Column((Space(10.0), flow.paragraph(head, "strong", "text"), *lines, Space(8.0)), gap=6.0)
    padded = in_row((12.0, GROW, 12.0), Space(0.0), inside, Space(0.0), gap=0.0)
    return Named("what is told", Layers((flow.Ground(), padded)), head, is_chosen=True)


def _gap(question: Question, talk: Talk, place: int, answer: str) -> str:
    """How far a prediction is from what is right."""
    found = graded(question, talk, place, answer)
    if question.kind == "choose":
        right = right_answer(question, numbers_of(talk, place))
        return f"you said {answer.upper()}, right is {'' if right is None else LETTERS[right].upper()}"
    if question.kind == "curve":
        return f"{short(found.gap)} off on average"
    return f"it is {amount(question, found.key)}, you said {amount(question, float(answer))}"


def amount(question: Question, value: float) -> str:
    """A number with the unit of a question, as an answer is told."""
    unit = question.unit or ("°" if question.kind == "hand" else "")
    number = plain(value if value == round(value) else float(f"{value:.4g}"))
    return f"{number}{unit}" if unit in ("", "°") else f"{number} {unit}"


def _submit(state: State, place: int) -> Block:
    guess = state.views.lessons.guess
    if not guess:
        question = _talk_question(state)
        ways = {"hand": "Place it, or type its degrees below.", "curve": f"Draw it, or type {N_POINTS} heights below."}
        return flow.small(ways.get(question.kind if question else "", "Type it below, and press Enter."))
    return in_row(
        (FIT, GROW), flow.button("Answer", {"lessons.answers": with_answer(state, place + 1, guess)}), Space(0.0)
    )


def _talk_question(state: State) -> Question | None:
    """The question of the step that is seen."""
    step = step_of(state)
    return None if step is None else step.question


def take_guess(state: State) -> dict[str, Any]:
    """What is typed is the answer at once."""
    talk = open_talk(state)
    assert talk is not None
    return {"lessons.answers": with_answer(state, place_of(state, talk) + 1, state.views.lessons.guess)}


def read_guess(state: State, typed: str) -> str:
    """What is typed for a prediction, as the state keeps it; ValueError with a sentence for anything but numbers."""
    words = [*map(read_number, typed.replace("−", "-").replace("°", "").split())]
    question = _talk_question(state)
    count = N_POINTS if question is not None and question.kind == "curve" else 1
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        wanted = "a number" if count == 1 else f"{count} numbers with blanks between them"
        raise ValueError(f"type {wanted}: {shown(typed) or 'nothing'} is not")
    return " ".join(f"{number:.6g}" for number in numbers)


def _dial(state: State, talk: Talk, place: int, said: Said) -> Block:
    """A dial with a hand that is placed by a press or a drag; then also where it is."""
    answer = answer_of(state, talk, place)
    guess = answer or state.views.lessons.guess
    question = talk.steps[place].question
    assert question is not None
    key = said.numbers[question.key] if answer and said.numbers is not None else None
    drawn = Drawn(_dial_picture, (float(guess) if guess else None, key), _DIAL)
    value = f"{guess}°" if guess else "not placed"
    return Named("your hand", drawn, value, sets_in=None if answer else _angle_in)


def _angle_in(area: Area) -> Any:
    dial = Dial(*area.middle, 1.0)

    def sets(x: float, y: float) -> dict[str, str]:
        angle = math.degrees(dial.angle_at(x, y)) % 360.0
        return {"lessons.guess": f"{angle:.1f}"}

    return sets


def _dial_picture(area: Area, theme: Theme, guess: float | None, key: float | None) -> marks.Picture:
    dial = replace(dial_in(area.width, area.height), x=area.middle[0], y=area.middle[1])
    picture: marks.Marks = [*face_picture(dial, 1, theme)]
    for angle, color in ((guess, theme.text3), (key, theme.ok)):
        if angle is not None:
            tips = np.array([dial.tip(math.radians(angle), dial.radius)])
            picture.append(dial.lines(tips, color, 3.0))
    return (*picture, dial.hub(theme))


def _curve(state: State, talk: Talk, place: int, said: Said) -> Block:
    """Axes in which a curve is drawn point by point; then also the true one."""
    step_state, question = talk.states[place], talk.steps[place].question
    assert question is not None
    answer = answer_of(state, talk, place)
    guess = [float(one) for one in (answer or state.views.lessons.guess).split()]
    last = step_state.encoding.n_positions - 1.0
    true = curve_of(question, talk, place, 65)
    high = 1.4 * float(np.abs(true).max())
    low = -high if float(true.min()) < 0 else 0.0
    curves = []
    if guess:
        curves.append(Curve("yours", np.linspace(0.0, last, len(guess)), np.array(guess), wide=2.0))
    if answer:
        curves.append(Curve("measured", np.linspace(0.0, last, len(true)), true, is_chosen=True))
    chart = Chart("", Scale("offset k", 0.0, last, ticks="offsets"), Scale("", low, high), tuple(curves), tall=_CURVE)
    sets = None if answer else partial(_drawn_in, chart, tuple(guess) or (math.nan,) * N_POINTS)
    return Named("your curve", chart, answer or state.views.lessons.guess, sets_in=sets)


def _drawn_in(chart: Chart, guess: tuple[float, ...], area: Area) -> Any:
    plot = chart.plot(area)

    def sets(x: float, y: float) -> dict[str, str]:
        """The point nearest to the pointer moves to its height; those that were never drawn stand beside it."""
        share = (x - plot.x.area.x) / plot.x.area.width
        at = round(min(max(share, 0.0), 1.0) * (N_POINTS - 1))
        value = min(max(plot.y.value(y), chart.y.first), chart.y.last)
        heights = [value if number == at or math.isnan(one) else one for number, one in enumerate(guess)]
        return {"lessons.guess": " ".join(f"{one:.4g}" for one in heights)}

    return sets


def summary_block(state: State, talk: Talk, answers: findings.Answers) -> list[Block]:
    """How many predictions of a talk were right, and how far those that are numbers or wrong were from it."""
    asked = [(place, step.question) for place, step in enumerate(talk.steps) if step.question is not None]
    given = [(place, question, answer_of(state, talk, place)) for place, question in asked]
    answered = [
        (place, question, answer)
        for place, question, answer in given
        if answer and answers.answer(numbers_question(talk, place)) is not None
    ]
    if not answered:
        return []
    wrong = [one for one in answered if not graded(one[1], talk, one[0], one[2]).is_right]
    title = f"Predicted: {len(answered) - len(wrong)} of {len(answered)} right"
    gaps = [
        flow.paragraph(f"{talk.steps[one[0]].title}: {_gap(one[1], talk, one[0], one[2])}")
        for one in answered
        if one in wrong or one[1].kind != "choose"
    ]
    return [Space(4.0), flow.paragraph(title, "strong", "text"), *gaps]


def _frame(area: Area, theme: Theme, kind: str) -> marks.Picture:
    fill = {"right": theme.ok_ground, "wrong": theme.bad_ground}.get(kind, theme.panel)
    outline = {"right": theme.ok, "wrong": theme.bad}.get(kind, theme.line)
    return (marks.Rectangle(*area.grown(-0.5, -0.5), fill, outline, 6.0),)
