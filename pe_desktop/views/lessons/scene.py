"""Lessons: the list of talks, and the step of one that is seen, with its question and what there is to try."""

from typing import Final

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.flow import GROW, Block, Column, Drawn, Named, Rule, Space, Words, in_row, padded
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.lessons.quiz import NEW
from pe_desktop.lessons.scores import DONE, score
from pe_desktop.lessons.shelf import LESSONS, OWN, SHIPPED, talk_named
from pe_desktop.lessons.shown import answer_of, place_of
from pe_desktop.lessons.talks import PREFIX, Talk
from pe_desktop.model.findings import Answers, Questions
from pe_desktop.views.controls import WORDS, Number, Press
from pe_desktop.views.facts.words import VERDICTS
from pe_desktop.views.lessons import questions as asking
from pe_desktop.views.lessons.questions import Asked, way
from pe_desktop.views.paged import Page, PagedView

_EXPLANATION: Final = "A step of a lesson: its words, its question with the answers, and what there is to try."


def page(state: State, answers: Answers) -> Block:
    """The step that is seen; the list where no talk is open."""
    talk = talk_named(state.views.lessons.talk)
    return _list_page() if talk is None else _step_page(state, talk, answers)


def questions(state: State) -> Questions:
    """The numbers of the step, of the last one those of all predictions."""
    talk = talk_named(state.views.lessons.talk)
    if talk is None:
        return ()
    now = place_of(state, talk)
    told = [place for place in range(now) if now == len(talk.steps) - 1 and answer_of(state, talk, place)]
    return tuple(asking.numbers_question(talk, place) for place in (*told, now))


def _list_page() -> Block:
    others = {key: talk for key, talk in {**SHIPPED, **OWN}.items() if key not in LESSONS and talk.steps}
    n_right, n_given = score()
    blocks = (
        flow.paragraph("Each asks first and shows then: three to four minutes. One to five fit one lecture.", "label"),
        Rule(),
        *(_row(f"{number}", SHIPPED[key].title, SHIPPED[key].claim, key) for number, key in enumerate(LESSONS, 1)),
        Rule(),
        *(_row("", talk.title, talk.claim, key) for key, talk in others.items()),
        _row("", "Quiz", "Ten questions, drawn anew: clocks, turns, waves, tables, claims.", NEW),
        *([flow.paragraph(f"So far {n_right} of {n_given} right")] if n_given else []),
    )
    return padded(Column(blocks, gap=4.0))


def _opened(key: str) -> dict[str, object]:
    """What opens a talk at its first step."""
    return {"lessons.talk": key, "lessons.step": 1}


def _row(number: str, title: str, claim: str, key: str) -> Block:
    sign = Words("✓", "strong", "ok") if key in DONE else Words(number, "strong", "text3")
    name = in_row((20.0, GROW), sign, flow.paragraph(title, "strong", "text"), gap=4.0)
    below = in_row((20.0, GROW), Space(0.0), flow.paragraph(claim), gap=4.0)
    said = f"{claim} Done." if key in DONE else claim
    return Named(title, Column((Space(6.0), name, below, Space(6.0)), gap=2.0), said, _opened(key))


def _step_page(state: State, talk: Talk, answers: Answers) -> Block:
    place = place_of(state, talk)
    asked = asking.asked_at(state, talk, place, answers)
    step, n_steps, said = asked.step, len(talk.steps), asked.said
    blocks: list[Block] = [
        Space(2.0),
        in_row((GROW,) * n_steps, *(Drawn(_bar, (number <= place,), 4.0) for number in range(n_steps)), gap=8.0),
        flow.small(f"Step {place + 1} of {n_steps}"),
        flow.paragraph(step.title, "heading", "text"),
        *(flow.paragraph(said(words), "label", "text2") for words in step.words.split("\n") if words),
    ]
    if step.question is not None:
        blocks += [Space(6.0), asking.question_block(asked)]
    if step.tries and not asked.waits:
        blocks += [Space(6.0), Words("Try it", "strong")]
        for number, one in enumerate(step.tries, start=1):
            tick = Words("✓" if f"{place + 1}.{number}" in state.views.lessons.ticks else "○", "strong")
            blocks.append(in_row((18.0, GROW), tick, flow.paragraph(said(one.text), "label", "text"), gap=6.0))
    if place == n_steps - 1 and not asked.waits:
        blocks += _ending(asked, answers)
    kept = flow.small("keeps this state; Undo has yours", "Undo has yours", across=1.0)
    row = way("Explore from here", {"lessons.is_open": False}, kept)
    blocks += [Space(8.0, grows=True), Column((Rule(), row), is_for_screen=True)]
    return padded(Column(tuple(blocks), gap=6.0))


def _ending(asked: Asked, answers: Answers) -> list[Block]:
    """What is told at the end: the line to write down, the predictions, the card that texts have wrong."""
    state, talk = asked.state, asked.talk
    blocks: list[Block] = [Rule()]
    if talk.line:
        blocks += [Words("To write down", "strong"), flow.paragraph(asked.said(talk.line), "label", "text")]
    blocks += asking.summary_block(state, talk, answers)
    clicker = [asking.asked_at(state, talk, place, answers) for place in range(len(talk.steps), len(talk.questions))]
    if clicker:
        blocks += [Space(4.0), Words("To discuss", "strong"), *map(asking.question_block, clicker)]
    if talk.key.startswith(PREFIX):
        n_right, n_given = score()
        blocks += [flow.paragraph(f"All quizzes: {n_right} of {n_given} right"), way("Another quiz", _opened(NEW))]
    if talk.card:
        card = CARDS[talk.card]
        verdict = Words(VERDICTS[card.verdict], "strong", across=1.0)
        shows = way("Show the card", {"facts.card": talk.card, "facts.is_open": True}, verdict)
        blocks += [Space(4.0), flow.paragraph(f"A text says: {card.claim}"), shows]
    if talk.key in LESSONS[:-1]:
        key = LESSONS[LESSONS.index(talk.key) + 1]
        title = flow.paragraph(SHIPPED[key].title, "label", "text")
        blocks += [Space(4.0), way("Next lesson", _opened(key), title)]
    return blocks


def _bar(area: Area, theme: Theme, is_on: bool) -> marks.Picture:
    return (marks.Rectangle(*area, theme.ink if is_on else theme.line, radius=2.0),)


def _sentence(state: State, _answers: Answers) -> str:
    talk = talk_named(state.views.lessons.talk)
    return "Lessons" if talk is None else f"{talk.title}: {talk.steps[place_of(state, talk)].title}"


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    talk = talk_named(state.views.lessons.talk)
    if talk is None:
        return ("nine, three to four minutes each", "")
    number = f"Lesson {LESSONS.index(talk.key) + 1} of {len(LESSONS)}, " if talk.key in LESSONS else ""
    return (f"{number}{talk.title}", number.removesuffix(", "), talk.title, "")


_TOLD: Final = WORDS["lessons"]
_CONTROLS = (
    Press(**_TOLD["all"], changes=lambda _state: {"lessons.talk": ""}),
    Press(**_TOLD["sheet"], is_shown=lambda state: talk_named(state.views.lessons.talk) is not None),
    Press(**_TOLD["close"]),
    Number(
        **_TOLD["guess"],
        read=asking.read_guess,
        then=lambda state: asking.by_key(state, "Return") or {},
        is_shown=lambda state: asking.waits_for(state) not in ("", "choose"),
    ),
)
VIEW = PagedView("", {"": Page(page, _sentence, _EXPLANATION, questions, is_wide=True)}, _forms, _CONTROLS)
