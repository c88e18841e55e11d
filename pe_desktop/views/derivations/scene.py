"""The derivations of the texts: formula, the numbers of t, k and i put in, and a second way to the same number."""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from pe_desktop.caches import told_cache
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measuring.measurement import FAILS, HOLDS
from pe_desktop.core.record import kept, record
from pe_desktop.core.rules import rules_of
from pe_desktop.core.state import State
from pe_desktop.draw import flow
from pe_desktop.draw.dial import hand_name
from pe_desktop.draw.flow import GROW, Block, Column, Fits, Formula, Live, Named, Space, Words, in_row, paragraph
from pe_desktop.draw.number_text import position
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.model.findings import Answers, Questions
from pe_desktop.views.derivations import positions, shift
from pe_desktop.views.derivations.step import WORDS, Moment, Step, tiny
from pe_desktop.views.paged import Page, PagedView
from pe_desktop.views.properties.verdicts import verdict_sign

_ROWS: Final = shift.CHAPTERS | positions.CHAPTERS
# In the order of the choice: the shift, then what positions say of each other.
CHAPTERS: Final = {key: _ROWS[key] for key in rules_of(type(State().views.derivations))["page"].word_titles}


def _failed(state: State) -> str:
    return CHAPTERS[state.views.derivations.page].failure(state.encoding)


_NAME: Final = "derivations.step"
_GUTTER, _FORMULA = 18.0, 16
# From this width on the chapters stand at the left and the picture at the right, else above and in the chosen step; a
# step alone is as large as on a slide. From the second one its picture stands beside it.
_WIDE, _BESIDE = 700.0, 480.0
_LIST, _PICTURE = 150.0, 0.31
_moment: Final = kept(Moment)


def _questions(state: State) -> Questions:
    return CHAPTERS[state.views.derivations.page].questions(_moment(state.encoding, state.cursor))


def _asked(state: State, answers: Answers) -> tuple[str, Moment, tuple[Any, ...]]:
    """The chapter that is seen, its numbers, and what is known of what it asks."""
    moment = _moment(state.encoding, state.cursor)
    return state.views.derivations.page, moment, tuple(map(answers.answer, _questions(state)))


def _steps_of(state: State, answers: Answers) -> tuple[Step, ...]:
    """The steps of the chapter that is seen."""
    return _steps(*_asked(state, answers))


@kept
def _steps(chapter: str, moment: Moment, answered: tuple[Any, ...]) -> tuple[Step, ...]:
    row = CHAPTERS[chapter]
    return tuple(row.steps(moment, *answered) if moment.turns or row.unlike is None else row.unlike(moment))


@record
class _Held(Column):
    """Blocks beside higher ones that stay in sight where the page is scrolled; seen: what is seen of the page."""

    seen: Area = Area(0.0, 0.0, 0.0, 0.0)
    grows = True

    def areas(self, area: Area) -> Iterable[Area | None]:
        tall = self.height_at(area.width)
        down = min(self.seen.y, self.seen.bottom - tall) - area.y
        return super().areas(area._replace(y=area.y + max(min(down, area.height - tall), 0.0), height=tall))


def _block(state: State, answers: Answers, seen: Area | None = None) -> Block:
    """The chapters, the steps below each other, where it fails above them, and the picture of the chosen one."""
    return _page(*_asked(state, answers), state.views.derivations.step, seen)


class _Scrolled(Page):
    """The chapters and the picture stay where they are seen while the steps are scrolled."""

    def scene(self, state: State, answers: Answers, box: Box) -> Scene:
        if box.visible is None:
            return super().scene(state, answers, box)
        return flow.page_scene(_block(state, answers, box.visible), box, is_wide=self.is_wide)


@kept
def _page(chapter: str, moment: Moment, answered: tuple[Any, ...], step: int, seen: Area | None) -> Block:
    steps, failed = _steps(chapter, moment, answered), CHAPTERS[chapter].failure(moment.encoding)
    chosen = min(step, len(steps))
    blocks: list[Block] = [Space(6.0)]
    if failed:
        formulas = () if steps else tuple(Formula(formula, _FORMULA) for formula in moment.encoding.formulas)
        words = Column((paragraph(failed, "segment", "text"), *formulas), gap=5.0)
        sign = in_row((_GUTTER, GROW), verdict_sign(FAILS, 16.0), words, gap=6.0)
        blocks += [Named("where it fails", sign, failed), Space(6.0)]
    rows = [_step(place, one, place == chosen) for place, one in enumerate(steps, start=1)]
    drawn, title = _drawn(chapter, moment, chosen), Words(f"Step {chosen}", "title")
    picture: Block = Column((Space(2.0), *((title, *drawn) if drawn else ())), gap=4.0)
    narrow = [replace(row, block=Column((row.block, picture))) if row.is_chosen else row for row in rows]
    below = Column((_neighbours(chapter, moment.encoding), *blocks, *narrow), gap=2.0)
    listed = _chapters(chapter, moment.encoding)
    if seen is not None:
        listed, picture = _Held((listed,), seen=seen), _Held((picture,), seen=seen)
    beside = in_row((_LIST, GROW, _PICTURE), listed, Column((*blocks, *rows), gap=2.0), picture, gap=18.0)
    return Live(Fits((beside, below), (_WIDE, 0.0)))


def _drawn(chapter: str, moment: Moment, step: int) -> tuple[Block, ...]:
    """The picture of a step, where there is one."""
    drawn = CHAPTERS[chapter].picture(moment, step) if step else None
    return (drawn,) if drawn else ()


def _alone(state: State, answers: Answers) -> Block:
    """The chosen step for a slide, its picture beside or below it; where there is none the page that says why."""
    steps, place = _steps_of(state, answers), _place(state, answers)
    if not place:
        return _block(state, answers)
    step, picture = steps[place - 1], _drawn(*_asked(state, answers)[:2], place)
    usual, large = _step(place, step, False), _step(place, step, False, "lead", 26)
    beside = in_row((GROW, *(0.4 for _ in picture)), usual, *picture, gap=24.0)
    glue = Space(0.0, grows=True)
    wide = in_row((GROW, *(0.3 for _ in picture)), *(Column((glue, one, glue)) for one in (large, *picture)), gap=24.0)
    return Live(Fits((wide, beside, Column((usual, *picture), gap=6.0)), (_WIDE, _BESIDE, 0.0)).on_paper())


@told_cache(16)
def _chapters(chosen: str, encoding: Encoding) -> Block:
    """All chapters, whether each holds, and what it proves; a press opens one."""
    rows = list[Block]()
    for key, chapter in CHAPTERS.items():
        fails, is_chosen = chapter.failure(encoding), key == chosen
        sign = verdict_sign(FAILS if fails else HOLDS, 16.0)
        title = Words(chapter.title, "strong" if is_chosen else "label")
        text = Column((in_row((GROW, 16.0), title, sign), Words(chapter.proves, "tick", "text2")), gap=1.0)
        inner = Column((Space(3.0), in_row((6.0, GROW), Space(0.0), text, gap=0.0), Space(3.0)))
        row: Block = flow.Layers((flow.Ground(), inner)) if is_chosen else inner
        sets = {"derivations.page": key, _NAME: 1}
        rows.append(Named(chapter.title, row, fails or chapter.proves, sets, fails, is_chosen))
    return Column((Space(4.0), *rows), is_for_screen=True)


def _neighbours(chosen: str, encoding: Encoding) -> Block:
    """Where there is no room for all chapters: the one that is seen between the one before and the one after."""
    keys = [*CHAPTERS]
    at, cells = keys.index(chosen), list[Block]()
    for step, form in ((-1, "‹ {}"), (0, "{}"), (1, "{} ›")):
        key = keys[(at + step) % len(keys)]
        title = CHAPTERS[key].title
        name = f"✗ {title}" if CHAPTERS[key].failure(encoding) else title
        words = Words(form.format(name), "tick" if step else "strong", across=0.5 + step / 2)
        cells.append(Named(title, words, sets={"derivations.page": key, _NAME: 1}, is_chosen=not step))
    return Column((Space(2.0), in_row((GROW,) * 3, *cells)), is_for_screen=True)


@told_cache(32)
def _step(place: int, step: Step, is_chosen: bool, role: str = "caption", pixels: int = _FORMULA) -> Named:
    """Number, words, the formula, the same with numbers, whether it holds; by how much where it fails."""
    is_checked = not math.isnan(step.gap)
    formulas = (Formula(step.formula, pixels), *([Formula(step.numbers, pixels - 1)] if step.numbers else []))
    check: Block = paragraph(step.check, "tick" if role == "caption" else "label", "text3")
    check = flow.OnPaper((), paper=check) if is_checked and step.holds else check
    words = paragraph(step.words, role, "text" if is_chosen else "text2")
    lines = Column((words, *formulas, check), gap=5.0)
    sign = verdict_sign(HOLDS if step.holds else FAILS, 16.0) if is_checked else Space(0.0)
    number = Words(str(place), "strong", "text" if is_chosen else "text3", across=0.5)
    inner = Column((Space(5.0), in_row((_GUTTER, GROW, 16.0), number, lines, sign, gap=6.0), Space(6.0)))
    value = "; ".join(filter(None, (*step.plain, step.check)))
    shown = flow.Layers((flow.Ground(), inner)) if is_chosen else inner
    return Named(f"step {place}: {step.words}", shown, value, {_NAME: place}, step.check, is_chosen)


def _beside(state: State, answers: Answers, key: str) -> dict[str, int] | None:
    """The step after or before the chosen one, where there is one."""
    if key not in ("Up", "Down"):
        return None
    step = _place(state, answers) + (1 if key == "Down" else -1)
    return {_NAME: step} if 1 <= step <= len(_steps_of(state, answers)) else {}


def _place(state: State, answers: Answers) -> int:
    """The number of the chosen step, the last one where there are fewer."""
    return min(state.views.derivations.step, len(_steps_of(state, answers)))


def _forms(state: State, answers: Answers) -> tuple[str, ...]:
    """With the first step that fails and by how much: they stay in sight where the page is scrolled."""
    if _failed(state):
        steps = enumerate(_steps_of(state, answers), start=1)
        where = [f"✗ step {place} by {tiny(step.gap)}" for place, step in steps if not step.holds and step.gap > 0][:1]
        return *(f"fails for this encoding  {words}" for words in where), *where, "fails for this encoding", "fails"
    name = hand_name(state.encoding, state.cursor.pair)
    return f"with t, k and {name}", name


def _readout(state: State, answers: Answers) -> str:
    lines = ["step\tformula\twith numbers\tvalue\tsecond way\tis\tdifference"]
    for place, step in enumerate(_steps_of(state, answers), start=1):
        checked = ("", step.by, "", "")
        if not math.isnan(step.gap):
            checked = repr(step.value), step.by, repr(step.other), repr(step.gap)
        lines.append("\t".join((f"{place}. {step.words}", *step.plain, *checked)))
    return "\n".join(filter(None, (*lines, _failed(state))))


def _sentence(state: State, _answers: Answers) -> str:
    chapter = CHAPTERS[state.views.derivations.page]
    if _failed(state):
        return f"{chapter.title}, where it fails: {state.encoding.title}"
    return chapter.claim.format(k=position(state.cursor.offset))


def _sentence_alone(state: State, answers: Answers) -> str:
    title, place = CHAPTERS[state.views.derivations.page].title, _place(state, answers)
    return f"{title}, step {place} of {len(_steps_of(state, answers))}" if place else _sentence(state, answers)


def _explanation(state: State) -> str:
    return f"{_failed(state)} {WORDS['explanation']}".strip()


VIEW = PagedView(
    "",
    {"": _Scrolled(_block, _sentence, _explanation, _questions, _readout, is_wide=True)},
    _forms,
    beside=_beside,
    parts={"step": Page(_alone, _sentence_alone, _explanation, _questions, _readout, is_wide=True)},
)
