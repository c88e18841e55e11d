"""Facts: what the texts say, measured, a card for each claim."""

import math
from collections.abc import Iterable
from typing import Final, TypeAlias

from pe_desktop.core.facts.cards import CARDS, Card
from pe_desktop.core.facts.measures import Numbers, measured
from pe_desktop.core.facts.shown import matching, shown_card
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw.flow import GROW, Block, Column, Grid, Space, Words, page_height, page_scene
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting
from pe_desktop.model.findings import Answers, Computed, Question, Task
from pe_desktop.views.controls import Declared, Press
from pe_desktop.views.facts import words
from pe_desktop.views.facts.card import Look, button_block, card_block, told

SHOW_IT: Final = "Show it"
PUT_BACK: Final = "Put back"
_GAP: Final = 8.0
_TOP: Final = 1.0
# From this width on cards stand in two or more columns.
_COLUMN_WIDTH: Final = 320.0
_Found: TypeAlias = tuple[Numbers, ...] | str | None

panel = Declared(
    accessible_name="Fact cards",
    readout_title="Copy as table",
    smallest=(280, 150),
    describes_cursor=False,
    controls=(Press(text="Close Facts (Ctrl+Shift+F)", icon="close", action="toggle_facts", is_in_title=True),),
)


@record
class _Cards(Block):
    """Cards in columns, each as full as the others; n_cards: of all pages together."""

    blocks: tuple[Block, ...]
    n_cards: int

    def height(self, width: float) -> float:
        return max((area.bottom for area in self.areas(Area(0.0, 0.0, width, 0.0))), default=0.0) + _TOP

    def children(self) -> tuple[Block, ...]:
        return self.blocks

    def areas(self, area: Area) -> list[Area]:
        return next(iter(self.pages(area, math.inf)), [])

    def pages(self, area: Area, height: float) -> list[list[Area]]:
        """The areas of the cards on pages of a height; one that is higher than a page has one of its own."""
        n_columns = max(min(int((area.width + _GAP) // (_COLUMN_WIDTH + _GAP)), self.n_cards), 1)
        wide = (area.width - _GAP * (n_columns - 1)) / n_columns
        pages: list[list[Area]] = []
        bottoms: list[float] = []
        for block in self.blocks:
            tall = block.height(wide)
            if not pages or min(bottoms) + tall + _TOP > height:
                bottoms = [area.y + _TOP] * n_columns
                pages.append([])
            column = bottoms.index(min(bottoms))
            pages[-1].append(Area(area.x + column * (wide + _GAP), bottoms[column], wide, tall))
            bottoms[column] += tall + _GAP
        return pages


def questions(state: State) -> tuple[Question, ...]:
    return questions_of((*matching(state), *_on_paper(state)))


def questions_of(cards: Iterable[Card]) -> tuple[Question, ...]:
    """What is to be measured for some cards."""
    return tuple(Question("facts", _measured, (card.key,)) for card in cards if card.lines)


def scene(state: State, answers: Answers, box: Box) -> Scene:
    return cards_scene(state, answers, box, can_put_back=False)


def cards_scene(
    state: State, answers: Answers, box: Box, *, can_put_back: bool, waiting: str = words.MEASURING
) -> Scene:
    """The cards that are seen; waiting: what stands in place of numbers that are being measured.

    can_put_back: whether it is known what stood in the plots before the card that they show.
    """
    page = _page(state, answers, is_paper=box.is_paper, can_put_back=can_put_back, waiting=waiting)
    if box.page is not None and isinstance(page, _Cards):
        counts = [len(areas) for areas in page.pages(box.area, box.height)]
        first = sum(counts[: box.page])
        page = _Cards(page.blocks[first : first + counts[box.page]], page.n_cards)
    return page_scene(page, box, is_wide=True)


def _page(
    state: State, answers: Answers, *, is_paper: bool = False, can_put_back: bool = False, waiting: str = ""
) -> Block:
    """The cards that the filters leave, on paper an open one alone."""
    cards, shown, opened = _on_paper(state) if is_paper else matching(state), shown_card(state), state.views.facts.card
    if not cards:
        clear = button_block("Clear", "Clear", {"facts.verdict": "all", "facts.text": "all"})
        words_line = Words(words.NOTHING_MATCHES, "label", "text2", across=0.5)
        middle = Grid((GROW, 88.0, GROW), ((Space(0.0), clear, Space(0.0)),), gap=0.0)
        return Column((Space(24.0), words_line, middle, Space(8.0)), gap=14.0)
    blocks = []
    for card in cards:
        found = _found(card, answers)
        button = SHOW_IT if card is not shown else PUT_BACK if can_put_back else ""
        values, is_known = _values(card, found, waiting), isinstance(found, tuple)
        look = Look(values, is_known, card is shown, card.key == opened, is_paper, "" if is_paper else button)
        blocks.append(card_block(card.key, look))
    return _Cards(tuple(blocks), len(blocks))


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    return fitting("caption", ("what the texts say, measured", "measured"), room)


def readout(state: State, answers: Answers) -> str:
    rows = ["Verdict\tClaim\tSource\tMeasured"]
    for card in matching(state):
        values = _values(card, _found(card, answers), "")
        rows.append("\t".join((words.VERDICTS[card.verdict], card.claim, card.source, "; ".join(told(card, values)))))
    return "\n".join(rows)


def sentence(state: State, answers: Answers) -> str:
    cards = _on_paper(state)
    if len(cards) == 1:
        return f"{cards[0].source}: {words.VERDICTS[cards[0].verdict].lower()}"
    return f"What the texts say, measured: {len(cards)} of {len(CARDS)} cards"


def explanation(state: State) -> str:
    return (
        "Each card is a sentence of a text in other words, with its source, a verdict and what was measured at the "
        "parameters below it; what can't be measured is open and shows the possible answers."
    )


def height(state: State, answers: Answers, width: float, theme: Theme) -> float:
    """On paper, where it is higher than on the screen."""
    return page_height(_page(state, _UNKNOWN, is_paper=True), width, is_wide=True)


def screen_height(state: State, width: float) -> float:
    """The height that the cards need on the screen."""
    return page_height(_page(state, _UNKNOWN), width, is_wide=True)


def card_areas(state: State, width: float) -> dict[str, Area]:
    """Where the cards stand on the screen, by their keys: as they do before they are measured."""
    page = _page(state, _UNKNOWN)
    areas = page.areas(Area(0.0, 0.0, width, 0.0)) if isinstance(page, _Cards) else []
    return dict(zip((card.key for card in matching(state)), areas, strict=True))


def n_pages(state: State, width: float, height: float) -> int:
    return len(_paper_pages(state, width, height))


def least_height(state: State, width: float) -> float:
    """That of the highest card."""
    return max((area.bottom for page in _paper_pages(state, width, 0.0) for area in page), default=0.0) + _TOP


def _paper_pages(state: State, width: float, height: float) -> list[list[Area]]:
    page = _page(state, _UNKNOWN, is_paper=True)
    return page.pages(Area(0.0, 0.0, width, height), height) if isinstance(page, _Cards) else [[]]


def _on_paper(state: State) -> tuple[Card, ...]:
    """Who opens a card wants that one as a figure."""
    opened = state.views.facts.card
    return (CARDS[opened],) if opened else matching(state)


class _Unmeasured(Computed):
    """Answers of which none is known: where cards stand does not depend on them."""

    def answer(self, question: Question) -> None:
        return None


_UNKNOWN: Final = _Unmeasured()


def _found(card: Card, answers: Answers) -> _Found:
    found: _Found = answers.answer(questions_of([card])[0]) if card.lines else ()
    return found


def _measured(key: str, task: Task) -> tuple[Numbers, ...] | str:
    """The numbers of a card, or in a few words why there are none."""
    try:
        return measured(key)
    except (ValueError, ArithmeticError, MemoryError):
        return "not measured"


def _values(card: Card, found: _Found, waiting: str) -> tuple[str, ...]:
    """What the lines of a card say, waiting where nothing is known yet."""
    if found is None or isinstance(found, str):
        return (waiting if found is None else found,) * len(card.lines)
    return tuple(words.line_text(line, numbers) for line, numbers in zip(card.lines, found, strict=True))
