"""Lessons: the list of talks, and the step of one that is seen, with its question and what there is to try."""

from typing import Final

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Named, Rule, Space, Words, in_row
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.lessons.quiz import NEW
from pe_desktop.lessons.scores import score
from pe_desktop.lessons.shelf import LESSONS, OWN, SHIPPED, talk_named
from pe_desktop.lessons.shown import answer_of, is_asked, place_of
from pe_desktop.lessons.talks import PREFIX, Talk
from pe_desktop.model.findings import Answers, Questions
from pe_desktop.views.controls import Declared, Number, Press
from pe_desktop.views.facts.words import VERDICTS
from pe_desktop.views.lessons.questions import (
    Asked,
    is_typed,
    numbers_question,
    question_block,
    read_guess,
    summary_block,
    take_guess,
)
from pe_desktop.views.lessons.words import Said, padded
from pe_desktop.views.paged import Page, PagedView

EXPLANATION: Final = "A step of a lesson: its words, its question with the answers, and what there is to try."
_BAR, _BETWEEN = 4.0, 8.0
_TICK: Final = 24.0
# What opens a quiz whose seed is still to be drawn.
_QUIZ: Final = {"lessons.talk": NEW, "lessons.step": 1}


def page(state: State, answers: Answers) -> Block:
    """The step that is seen; the list where no talk is open."""
    talk = talk_named(state.views.lessons.talk)
    return _list_page(state) if talk is None else _step_page(state, talk, answers)


def questions(state: State) -> Questions:
    """The numbers of the step, of the last one those of all predictions."""
    talk = talk_named(state.views.lessons.talk)
    if talk is None:
        return ()
    now = place_of(state, talk)
    told = [place for place in range(now) if now == len(talk.steps) - 1 and answer_of(state, talk, place)]
    return tuple(numbers_question(talk, place) for place in (*told, now))


def _list_page(state: State) -> Block:
    lessons = [SHIPPED[key] for key in LESSONS]
    others = [talk for key, talk in {**SHIPPED, **OWN}.items() if key not in LESSONS]
    intro = flow.paragraph(
        "Each asks first and shows then: three to four minutes. One to five fit one lecture.", "label"
    )
    blocks: list[Block] = [intro, Rule()]
    blocks += [_row(f"{number}", talk) for number, talk in enumerate(lessons, start=1)]
    blocks += [Rule(), *(_row("", talk) for talk in others)]
    blocks.append(_named_row("", "Quiz", "Ten questions, drawn anew: clocks, turns, waves, tables, claims.", _QUIZ))
    n_right, n_given = score()
    blocks += [flow.paragraph(f"So far {n_right} of {n_given} right")] if n_given else []
    return padded(Column(tuple(blocks), gap=4.0))


def _row(number: str, talk: Talk) -> Block:
    return _named_row(number, talk.title, talk.claim, {"lessons.talk": talk.key, "lessons.step": 1})


def _named_row(number: str, title: str, claim: str, sets: dict[str, object]) -> Block:
    name = in_row((20.0, GROW), Words(number, "strong", "text3"), flow.paragraph(title, "strong", "text"), gap=4.0)
    below = in_row((20.0, GROW), Space(0.0), flow.paragraph(claim), gap=4.0)
    return Named(title, Column((Space(6.0), name, below, Space(6.0)), gap=2.0), claim, sets)


def _step_page(state: State, talk: Talk, answers: Answers) -> Block:
    place = place_of(state, talk)
    step, n_steps = talk.steps[place], len(talk.steps)
    said = Said(answers.answer(numbers_question(talk, place)))
    is_done = not is_asked(state, talk, place)
    blocks: list[Block] = [
        Drawn(_progress, (place, n_steps), 2 * _BETWEEN + _BAR),
        flow.small(f"Step {place + 1} of {n_steps}"),
        flow.paragraph(step.title, "heading", "text"),
        *(flow.paragraph(said(words), "label", "text2") for words in step.words.split("\n") if words),
    ]
    if step.question is not None:
        blocks += [Space(6.0), question_block(Asked(state, talk, place, said))]
    if step.tries and is_done:
        blocks += [Space(6.0), Words("Try it", "strong"), *_tries(state, talk, place, said)]
    if place == n_steps - 1 and is_done:
        blocks += _ending(state, talk, said, answers)
    explore = flow.button("Explore from here", {"lessons.is_open": False})
    kept = Column((Space(4.0), flow.small("keeps this state; Undo has yours", "Undo has yours", across=1.0)))
    row = in_row((FIT, GROW), explore, kept)
    blocks += [Space(8.0, grows=True), Column((Rule(), row), is_for_screen=True)]
    return padded(Column(tuple(blocks), gap=6.0))


def _tries(state: State, talk: Talk, place: int, said: Said) -> list[Block]:
    ticks = state.views.lessons.ticks
    done = [f"{place + 1}.{number}" in ticks for number in range(1, len(talk.steps[place].tries) + 1)]
    return [
        in_row((_TICK, GROW), Drawn(_tick, (is_done,), 18.0), flow.paragraph(said(one.text), "label", "text"), gap=6.0)
        for one, is_done in zip(talk.steps[place].tries, done, strict=True)
    ]


def _ending(state: State, talk: Talk, said: Said, answers: Answers) -> list[Block]:
    """What is told at the end: the line to write down, the predictions, the card that texts have wrong."""
    blocks: list[Block] = [Rule()]
    if talk.line:
        blocks += [Words("To write down", "strong"), flow.paragraph(said(talk.line), "label", "text")]
    blocks += summary_block(state, talk, answers)
    if talk.clicker:
        clicker = range(len(talk.steps), len(talk.questions))
        blocks += [Words("To discuss", "strong"), *(question_block(Asked(state, talk, one, said)) for one in clicker)]
    if talk.key.startswith(PREFIX):
        n_right, n_given = score()
        another = in_row((FIT, GROW), flow.button("Another quiz", _QUIZ), Space(0.0))
        blocks += [flow.paragraph(f"All quizzes: {n_right} of {n_given} right"), another]
    if talk.card:
        card = CARDS[talk.card]
        way = flow.button("Show the card", {"facts.card": talk.card, "facts.is_open": True})
        verdict = Column((Space(6.0), Words(VERDICTS[card.verdict], "strong", across=1.0)))
        blocks += [Space(4.0), flow.paragraph(f"A text says: {card.claim}"), in_row((FIT, GROW), way, verdict)]
    following = LESSONS[LESSONS.index(talk.key) + 1 :][:1] if talk.key in LESSONS else ()
    for key in following:
        way = flow.button("Next lesson", {"lessons.talk": key, "lessons.step": 1})
        title = Column((Space(6.0), flow.paragraph(SHIPPED[key].title, "label", "text")))
        blocks += [Space(4.0), in_row((FIT, GROW), way, title)]
    return blocks


def _progress(area: Area, theme: Theme, place: int, n_steps: int) -> marks.Picture:
    """A bar for each step, those up to the one that is seen in ink."""
    wide = (area.width - _BETWEEN * (n_steps - 1)) / n_steps
    y = area.y + _BETWEEN
    return tuple(
        marks.Rectangle(
            area.x + number * (wide + _BETWEEN), y, wide, _BAR, theme.ink if number <= place else theme.line, radius=2.0
        )
        for number in range(n_steps)
    )


def _tick(area: Area, theme: Theme, is_done: bool) -> marks.Picture:
    x, y = area.x + 10.0, area.y + 9.0
    if not is_done:
        return (marks.Dots.at(x, y, 8.0, theme.panel, theme.text3, 1.5),)
    return marks.Dots.at(x, y, 8.5, theme.ink), marks.centered(x, y, "✓", "badge", theme.panel)


def _sentence(state: State, _answers: Answers) -> str:
    talk = talk_named(state.views.lessons.talk)
    return "Lessons" if talk is None else f"{talk.title}: {talk.steps[place_of(state, talk)].title}"


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    talk = talk_named(state.views.lessons.talk)
    if talk is None:
        return ("nine, three to four minutes each", "")
    number = f"Lesson {LESSONS.index(talk.key) + 1} of {len(LESSONS)}, " if talk.key in LESSONS else ""
    return (f"{number}{talk.title}", number.removesuffix(", "), talk.title, "")


_PANEL = Declared(
    accessible_name="Lessons",
    smallest=(280, 60),
    describes_cursor=False,
    page="lessons.step",
    marked="lessons.answers",
    controls=(
        Press(text="All lessons", icon="list", changes=lambda _state: {"lessons.talk": ""}, is_in_title=True),
        Press(text="Close Lessons", icon="close", action="toggle_lessons", is_in_title=True),
        Number(
            name="lessons.guess", label="Your answer", read=read_guess, then=take_guess, is_shown=is_typed, width=150
        ),
    ),
)
VIEW = PagedView("", {"": Page(page, _sentence, EXPLANATION, questions, is_wide=True)}, _forms, _PANEL)
