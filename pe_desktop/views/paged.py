"""Views that are pages of blocks: each page is a function that gives a block, a view a table of pages."""

import math
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import partial
from typing import TypeAlias

from pe_desktop.core.record import record
from pe_desktop.core.state import State, value_of
from pe_desktop.draw.flow import GROW, Block, Column, Space, all_blocks, in_row, page_height, page_scene, page_text
from pe_desktop.draw.number_text import position, whole
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting
from pe_desktop.model.findings import Answers, Questions
from pe_desktop.views.controls import Changes, Control

Words: TypeAlias = str | Callable[[State], str]
# A title, with {t} and {k} for the numbers of the cursor.
Title: TypeAlias = str | Callable[[State, Answers], str]


def _block_alone(block: Callable[[State, Answers], Block], name: str, state: State, answers: Answers) -> Block:
    """The block of a name on a page as it is on paper, all of a page that says why it has none."""
    page = block(state, answers).on_paper()
    return next((part for part in all_blocks(page) if name and getattr(part, "name", "") == name), page)


# Columns of a slide: their width while they are shared out, the room between them, and what a column may end with.
_COLUMN, _BETWEEN, _SECTION, _BLOCK = 400.0, 28.0, 10.0, 30.0


def _in_two(block: Callable[[State, Answers], Block], state: State, answers: Answers) -> Block:
    """A page on paper in two columns of about one height, none of which ends with a heading; else as it is."""
    page = block(state, answers).on_paper()
    if not isinstance(page, Column):
        return page
    blocks = page.blocks
    heights = [part.height_at(_COLUMN) for part in blocks]
    least = [_SECTION if isinstance(part, Space) else _BLOCK for part in blocks]
    ends = [place for place in range(1, len(blocks)) if heights[place - 1] >= least[place - 1]]
    if not ends:
        return page
    end = min(ends, key=lambda place: max(sum(heights[:place]), sum(heights[place:])))
    halves = (replace(page, blocks=part) for part in (blocks[:end], blocks[end:]))
    return in_row((GROW, GROW), *halves, gap=_BETWEEN)


def _nothing(_state: State) -> Questions:
    return ()


@record(eq=False)
class Page:
    """A page of blocks: the title and the caption of its figure, what it wants to know.

    text: its numbers for the clipboard, where they are not those of the block; is_wide: it takes all the width.
    """

    block: Callable[[State, Answers], Block]
    sentence: Title
    explanation: Words
    questions: Callable[[State], Questions] = _nothing
    text: Callable[[State, Answers], str] | None = None
    is_wide: bool = False

    def scene(self, state: State, answers: Answers, box: Box) -> Scene:
        return page_scene(answers.read_by(self.block, state), box, is_wide=self.is_wide)

    def height(self, state: State, answers: Answers, width: float, theme: Theme) -> float | None:
        return page_height(answers.read_by(self.block, state), width, is_wide=self.is_wide)

    def readout(self, state: State, answers: Answers) -> str:
        return page_text(answers.read_by(self.block, state)) if self.text is None else self.text(state, answers)


@record(eq=False)
class ScenePage:
    """A page with a scene of its own, drawn into whatever height there is, or into that which `height` gives."""

    scene: Callable[[State, Answers, Box], Scene]
    sentence: Title
    explanation: Words
    readout: Callable[[State, Answers], str]
    questions: Callable[[State], Questions] = _nothing
    height: Callable[[State, Answers, float, Theme], float | None] = lambda _state, _answers, _width, _theme: None


@record(eq=False)
class PagedView:
    """What a view offers: functions of a state and of what has been found out about it, on pages of which one is seen.

    name: that of the state whose value it is, or a function of the state, "" for the only one; forms: the few words
    beside the title, the longest first; controls: of its panel; beside: what a key sets there, None for others.
    Where the figure goes on from page to page its scene is that of `box.page`; parts: pages that figures alone
    show; n_pages: how many with a room of this size it takes; least_height: the pixels that a page can't do
    without; needed: those that it needs on the screen, where that isn't the height of its page; box_questions: what
    it wants to know besides, in a box on the screen; shades_unseen: whether it shades what lies beyond a trained
    length, which its copied text and its caption then tell.
    """

    name: str | Callable[[State], str]
    pages: Mapping[str, Page | ScenePage]
    forms: Callable[[State, Answers], tuple[str, ...]]
    controls: tuple[Control, ...] = ()
    n_pages: Callable[[State, float, float], int] = lambda _state, _width, _height: 1
    least_height: Callable[[State, float], float] = lambda _state, _width: 0.0
    needed: Callable[[State, Answers, Box], float] | None = None
    box_questions: Callable[[State, Box], Questions] | None = None
    parts: Mapping[str, Page | ScenePage] = field(default_factory=dict)
    shades_unseen: bool = False
    beside: Callable[[State, Answers, str], Changes | None] | None = None

    def page(self, state: State) -> Page | ScenePage:
        """The page that is seen."""
        name = self.name
        return self.pages[name(state) if callable(name) else str(value_of(state, name)) if name else ""]

    def part(self, name: str) -> "PagedView":
        """The view on paper, or one of its parts alone: a page of `parts`, or the block of a name on its pages."""
        if name in self.parts:
            return replace(self, name="", pages={"": self.parts[name]})
        pages = {
            key: replace(page, block=partial(_block_alone, page.block, name)) if isinstance(page, Page) else page
            for key, page in self.pages.items()
        }
        return replace(self, pages=pages)

    def in_columns(self) -> "PagedView":
        """The view on a slide, with pages that are no wider than text is read well in two columns."""
        narrow = {key: page for key, page in self.pages.items() if isinstance(page, Page) and not page.is_wide}
        made = {key: replace(page, block=partial(_in_two, page.block), is_wide=True) for key, page in narrow.items()}
        return replace(self, pages={**self.pages, **made})

    def questions(self, state: State) -> Questions:
        """What its scene wants to know that takes longer than a frame."""
        return self.page(state).questions(state)

    def scene(self, state: State, answers: Answers, box: Box) -> Scene:
        """What is seen in a box, on the screen and on paper."""
        return self.page(state).scene(state, answers, box)

    def height(self, state: State, answers: Answers, width: float, theme: Theme) -> float | None:
        """The pixels that its scene needs at a width, inf where that is too narrow, None for all there is."""
        return self.page(state).height(state, answers, width, theme)

    def subtitle(self, state: State, answers: Answers, room: float = math.inf) -> str:
        """The few words beside the title that say what is shown, in the longest form that fits so many pixels."""
        return fitting("caption", self.forms(state, answers), room)

    def readout(self, state: State, answers: Answers) -> str:
        """Its numbers with all digits as text, columns with tabs between them; empty where it has none."""
        text = self.page(state).readout(state, answers)
        is_told = text and self.shades_unseen and state.trained_length
        return f"{text}\ntrained length\t{state.trained_length}" if is_told else text

    def sentence(self, state: State, answers: Answers) -> str:
        """The title of its figure, on further lines what only its caption tells. ExportError where nothing is seen."""
        said = self.page(state).sentence
        if not isinstance(said, str):
            return said(state, answers)
        return said.format(t=position(state.cursor.position), k=position(state.cursor.offset))

    def explanation(self, state: State) -> str:
        """How to read its figure, for the caption."""
        words = self.page(state).explanation
        said = words if isinstance(words, str) else words(state)
        if not self.shades_unseen or not state.trained_length:
            return said
        return f"{said} Trained on {whole(state.trained_length)} positions: where others are seen, they are shaded."
