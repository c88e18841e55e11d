"""The sheet of a talk: its steps with figures, questions and blanks on two pages, and the key on a page of its own."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Final, TypeAlias

from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.flow import GROW, Block, Column, Rule, Space, Words, in_row
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import Theme, theme_named
from pe_desktop.export.figure_files import make_ready, pdf_file, printed_theme, scene_image
from pe_desktop.export.figure_page import Page, drawn
from pe_desktop.export.figure_sheet import PURPOSES, Sheet
from pe_desktop.files import check_free_space, whole_file, writable_target
from pe_desktop.languages import told
from pe_desktop.lessons.shown import with_moves
from pe_desktop.lessons.talks import Talk
from pe_desktop.model.findings import Answers, Computed
from pe_desktop.views.lessons.pictures import picture_of
from pe_desktop.views.lessons.questions import Asked, asked_at, framed
from pe_desktop.views.table import VIEWS

# A4 in logical pixels; what is printed on it has room on letter paper, too.
_PER_INCH: Final = PURPOSES["paper"].pixels_per_inch
_WIDTH: Final = 210 / 25.4 * _PER_INCH
_HEIGHT: Final = 297 / 25.4 * _PER_INCH
_MARGIN: Final = 0.75 * _PER_INCH
_GAP: Final = 14.0
# The share of a figure beside its words, how high it is at most; how wide a page is drawn whose top is one, which is
# made smaller.
_FIGURE, _TALL, _PAGE_WIDTH, _PAGE_TALL = 0.48, 280.0, 800.0, 250.0
_RATIO: Final = 2.0
_BLANK: Final = 26.0
# What stands above the steps, and how many dots of an image a pixel has.
_TITLE, _DOTS = 60.0, 3.0
# What an answer moves, and what a view shows besides its own choices.
_CURSOR: Final = attrgetter("encoding", "cursor.position", "cursor.offset")
_SHOWN: Final = attrgetter("encoding", "cursor", "span", "trained_length", "attention", "views.attention")
# Words, and the figure at their left.
_Row: TypeAlias = tuple[Block, marks.Picture | None]


def write_handout(path: Path, talk: Talk, *, overwrite: bool) -> int:
    """Write the sheet of a talk as .pdf and give the number of its pages, the key's among them.

    Numbers are those of the talk, computed now. Raises ExportError where it can't be written.
    """
    target = writable_target(path, overwrite=overwrite)
    make_ready()
    theme = printed_theme(theme_named("light"))
    answers = Computed()
    pages = [*_pages([(_title(talk), None), *_steps(talk, answers, theme)], talk, theme)]
    key = [(block, None) for block in _key(talk, answers)]
    pages += _pages([(_key_title(talk), None), *key], talk, theme) if key else ()
    content = pdf_file(*pages)[0]
    check_free_space(target, len(content), "The sheet needs")
    with whole_file(target, overwrite=overwrite) as file:
        file.write(content)
    return len(pages)


def _pages(rows: Iterable[_Row], talk: Talk, theme: Theme) -> Iterator[Page]:
    """Rows below each other, a new page where one has no room."""
    sheet = Sheet(_WIDTH, _HEIGHT, _RATIO, _PER_INCH, _MARGIN, is_in_dots=False)
    width, parts, y = _WIDTH - 2 * _MARGIN, list[tuple[float, float, marks.Picture]](), _MARGIN
    for block, figure in rows:
        tall = block.height_at(width)
        if parts and y + tall > _HEIGHT - _MARGIN:
            yield Page(sheet, theme.panel, tuple(parts), talk.title, talk.claim)
            parts, y = [], _MARGIN
        scene = flow.page_scene(block, Box(width, tall, _RATIO, theme, is_paper=True), is_wide=True)
        parts.append((_MARGIN, y, (*scene.still(), *scene.moving)))
        if figure is not None:
            parts.append((_MARGIN, y, figure))
        y += tall + _GAP
    yield Page(sheet, theme.panel, tuple(parts), talk.title, talk.claim)


def _title(talk: Talk) -> Block:
    name = in_row((0.7, GROW), Words(talk.title, "message"), Words("Name ______________", "label", across=1.0))
    return Column((name, flow.paragraph(talk.claim, "label")), gap=6.0)


def _key_title(talk: Talk) -> Block:
    return Words(f"Key: {told(talk.title)}", "message")


def _steps(talk: Talk, answers: Answers, theme: Theme) -> Iterator[_Row]:
    """Each step with its figure; room to draw where a hand or a curve is asked."""
    figures = tuple(_figures(talk))
    rows = (len(talk.steps) + 2) // 2
    tall = min(_TALL, round((_HEIGHT - 2 * _MARGIN - _TITLE) / rows - _GAP))
    for place, step in enumerate(talk.steps):
        asked = asked_at(talk.states[place], talk, place, answers)
        words: list[Block] = [Words(f"{place + 1}  {told(step.title)}", "strong")]
        words += [flow.paragraph(asked.said(line), "caption", "text") for line in step.words.split("\n")]
        if step.question is not None:
            words += [Space(4.0), *_asked(asked)]
        view, state = figures[place], talk.states[place]
        yield _with_figure(words, view, state, tall, answers, theme) if view else (_lines(words), None)
    clicker = [_lines(_asked(asked_at(State(), talk, len(talk.steps) + n, answers))) for n in range(len(talk.clicker))]
    for place in range(0, len(clicker), 2):
        beside = clicker[place : place + 2]
        yield _lines([Rule(5.0), in_row((GROW,) * len(beside), *beside)]), None
    if talk.line:
        blank = Words("_" * 92, "label")
        yield Column((Rule(5.0), Words("To write down", "strong"), Space(_BLANK), blank, Space(_BLANK), blank)), None


def _figures(talk: Talk) -> Iterator[str]:
    """The view of each step whose figure stands there, the first that nothing veils; "" for none.

    None shows the answer to a question: nor what is seen once one is answered, nor what is kept in the end. None is
    that of the step before again.
    """
    answered, before = list[tuple[object, ...]](), tuple[object, ...]()
    for place, step in enumerate(talk.steps):
        state = talk.states[place]
        view = next((view for view in step.views if view not in step.veils), "")
        at, seen = _CURSOR(state), (view, *_SHOWN(state), getattr(state.views, view.replace("-", "_"), None))
        is_told = at in answered or (step.question is None and bool(answered))
        yield "" if is_told or seen == before else view
        before = seen
        if step.question is not None:
            answered.append(_CURSOR(with_moves(state, step)))


def _with_figure(words: list[Block], key: str, state: State, tall: float, answers: Answers, theme: Theme) -> _Row:
    """A view beside its words; of one that is a page its top, below the first of them."""
    wide, view = _WIDTH - 2 * _MARGIN, VIEWS[key].module()
    needed = view.height(state, answers, _PAGE_WIDTH, theme)
    if needed is None:
        box = Box(round(_FIGURE * wide), tall, _RATIO, theme, is_paper=True)
        return in_row((_FIGURE, GROW), Space(tall), _lines(words)), drawn(view.scene(state, answers, box), box)
    share = wide / _PAGE_WIDTH
    top = Box(_PAGE_WIDTH, min(needed, _PAGE_TALL / share), _RATIO, theme, is_paper=True, is_bare=True)
    image, room = scene_image(view.scene(state, answers, top), top, _DOTS), share * top.height
    figure = marks.Raster(0.0, _BLANK, wide, room, image)
    return _lines([words[0], Space(room + 8.0), *words[1:]]), (figure,)


def _lines(words: list[Block]) -> Block:
    return Column(tuple(words), gap=3.0)


def _asked(asked: Asked) -> list[Block]:
    """A question with boxes to tick, a line for a number, or room to draw."""
    question = asked.question
    blocks: list[Block] = [flow.paragraph(asked.said(question.text), "strong", "text")]
    if question.picture != "none":
        blocks.append(picture_of(question))
    if question.kind == "choose":
        blocks += [flow.paragraph(f"☐  {one.line}", "caption", "text") for one in asked.options]
    elif question.kind == "curve":
        blocks.append(framed(Space(57.0), ink="axis"))
    else:
        blocks.append(Words(f"______________ {question.unit}".rstrip(), "label"))
    return blocks


def _key(talk: Talk, answers: Answers) -> Iterator[Block]:
    """The right answer to each question with its reason, and why each of the others is wrong."""
    for place, question in enumerate(talk.questions):
        asked = asked_at(State(), talk, place, answers)
        number = place - len(talk.steps) + 1
        name = f"{place + 1}" if number < 1 else told(f"Clicker {number}")
        if question is not None:
            lines = [f"{one.line}: {one.why}" for one in replace(asked, given=asked.key).options]
            lines += [asked.amount(), asked.said(question.why)]
            rows = [flow.paragraph(line, "caption", "text") for line in lines]
            yield Column((flow.paragraph(f"{name}  {asked.said(question.text)}", "strong", "text"), *rows), gap=2.0)
    if talk.line:
        yield flow.paragraph(f"To write down: {told(talk.line)}", "label", "text")
