"""Facts: what the texts say, measured, a card for each claim."""

import math
from collections.abc import Iterable
from typing import Final

import numpy as np

from pe_desktop.caches import told_cache
from pe_desktop.core.facts.cards import CARDS, Card, Line, Numbers
from pe_desktop.core.facts.shown import matching, shown_card
from pe_desktop.core.measuring.measurement import FAILS, HOLDS, UNDECIDED
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Grid, Ground, Layers, Named, Space, Words
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Answers, Question, Questions, Task
from pe_desktop.views.controls import CAPTIONS, WORDS, Choice, Press
from pe_desktop.views.facts import words
from pe_desktop.views.paged import PagedView, ScenePage
from pe_desktop.views.properties.verdicts import PILL_HEIGHT, pill

_GAP: Final = 8.0
_TOP: Final = 1.0
# From this width on cards stand in two or more columns.
_COLUMN_WIDTH: Final = 320.0

_BUTTON: Final = 88.0
# The sign of a verdict, its colour and its tint.
_PILLS: Final = {
    "true": (HOLDS, "ok", "ok_ground"),
    "not-exact": ("about", "warn", "warn_ground"),
    "false": (FAILS, "bad", "bad_ground"),
    "open": (UNDECIDED, "text2", "sunken"),
}

_CONTROLS = (
    Press(**WORDS["facts"]["close"]),
    Choice(**WORDS["facts"]["verdict"], words={"all": "All verdicts", **words.VERDICTS}),
    Choice(**WORDS["facts"]["text"], words={"all": "All texts", **words.AUTHORS}),
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
            tall = block.height_at(wide)
            if not pages or min(bottoms) + tall + _TOP > height:
                bottoms = [area.y + _TOP] * n_columns
                pages.append([])
            column = bottoms.index(min(bottoms))
            pages[-1].append(Area(area.x + column * (wide + _GAP), bottoms[column], wide, tall))
            bottoms[column] += tall + _GAP
        return pages


def _questions(state: State) -> Questions:
    return questions_of((*matching(state), *_on_paper(state)))


def questions_of(cards: Iterable[Card]) -> Questions:
    """What is to be measured for some cards; those for which a head is trained come last, and make way."""
    return tuple(
        Question("facts", _trained, (card.key,), rank=1)
        if any(line.measure.startswith("learned-") for line in card.lines)
        else Question("facts", _measured, (card.key,), takes="nothing")
        for card in cards
        if card.lines
    )


def scene(state: State, answers: Answers, box: Box, *, can_put_back: bool = False) -> Scene:
    """The cards that are seen.

    can_put_back: whether it is known what stood in the plots before the card that they show.
    """
    cards = _cards(state, answers, is_paper=box.is_paper, can_put_back=can_put_back)
    if box.page is not None and cards.blocks:
        counts = [len(areas) for areas in cards.pages(box.area, box.height)]
        first = sum(counts[: box.page])
        cards = _Cards(cards.blocks[first : first + counts[box.page]], cards.n_cards)
    return flow.page_scene(_page(cards), box, is_wide=True)


def _page(cards: _Cards) -> Block:
    """The cards; what leads back to all where there are none."""
    if cards.blocks:
        return cards
    clear = flow.button("Clear", {"facts.verdict": "all", "facts.text": "all"}, wide=_BUTTON)
    words_line = Words(words.NOTHING_MATCHES, "label", "text2", across=0.5)
    below = flow.in_row((GROW, _BUTTON, GROW), Space(0.0), clear, Space(0.0), gap=0.0)
    return Column((Space(24.0), words_line, below, Space(8.0)), gap=14.0)


def _cards(state: State, answers: Answers | None, *, is_paper: bool = False, can_put_back: bool = False) -> _Cards:
    """The cards that the filters leave, on paper an open one alone."""
    shown = shown_card(state)
    opened = state.views.facts.card
    blocks = list[Block]()
    for card in _on_paper(state) if is_paper else matching(state):
        press = "Show it" if card is not shown else "Put back" if can_put_back else ""
        values, is_known = _values(card, answers)
        look = _Look(values, is_known, card is shown, card.key == opened, is_paper, "" if is_paper else press)
        blocks.append(_card(card.key, look))
    return _Cards(tuple(blocks), len(blocks))


def _readout(state: State, answers: Answers) -> str:
    rows = ["Verdict\tClaim\tSource\tMeasured"]
    for card in matching(state):
        lines = _lines_of(card, _values(card, answers)[0])
        rows.append("\t".join((words.VERDICTS[card.verdict], card.claim, card.source, "; ".join(lines))))
    return "\n".join(rows)


def _sentence(state: State, answers: Answers) -> str:
    cards = _on_paper(state)
    if len(cards) == 1:
        return f"{cards[0].source}: {words.VERDICTS[cards[0].verdict].lower()}"
    return f"What the texts say, measured: {len(cards)} of {len(CARDS)} cards"


def _height(state: State, _answers: Answers, width: float, _theme: Theme) -> float:
    """On paper, where it is higher than on the screen."""
    return flow.page_height(_page(_cards(state, None, is_paper=True)), width, is_wide=True)


def _needed(state: State, _answers: Answers, box: Box) -> float:
    return flow.page_height(_page(_cards(state, None)), box.width, is_wide=True)


def card_areas(state: State, width: float) -> dict[str, Area]:
    """Where the cards stand on the screen, by their keys: as they do before they are measured."""
    areas = _cards(state, None).areas(Area(0.0, 0.0, width, 0.0))
    return dict(zip((card.key for card in matching(state)), areas, strict=True))


def _n_pages(state: State, width: float, height: float) -> int:
    return len(_paper_pages(state, width, height))


def _least_height(state: State, width: float) -> float:
    """That of the highest card."""
    return max((area.bottom for page in _paper_pages(state, width, 0.0) for area in page), default=0.0) + _TOP


def _paper_pages(state: State, width: float, height: float) -> list[list[Area]]:
    return _cards(state, None, is_paper=True).pages(Area(0.0, 0.0, width, height), height) or [[]]


def _on_paper(state: State) -> tuple[Card, ...]:
    """Who opens a card wants that one as a figure."""
    opened = state.views.facts.card
    return (CARDS[opened],) if opened else matching(state)


def _values(card: Card, answers: Answers | None) -> tuple[tuple[str, ...], bool]:
    """What the lines of a card say, and whether these are numbers."""
    found = None if answers is None or not card.lines else answers.answer(questions_of([card])[0])
    if isinstance(found, tuple):
        return tuple(words.line_text(line, numbers) for line, numbers in zip(card.lines, found, strict=True)), True
    return (found or words.MEASURING,) * len(card.lines), False


def _trained(key: str, task: Task) -> tuple[Numbers, ...] | str:
    """The same, once its heads are trained."""
    from pe_desktop.core.facts.measures import train_for  # noqa: PLC0415 - the first picture has no numbers

    train_for(CARDS[key], task)
    return _measured(key)


def _measured(key: str) -> tuple[Numbers, ...] | str:
    """The numbers of a card, or in a few words why there are none."""
    from pe_desktop.core.facts.measures import measured  # noqa: PLC0415 - the first picture has no numbers

    try:
        return measured(key)
    except (ValueError, ArithmeticError, MemoryError):
        return "not measured"


@record
class _Look:
    """How a card is drawn; values: what its lines say, is_known: of numbers; button: its words, "" for none."""

    values: tuple[str, ...]
    is_known: bool
    is_shown: bool
    is_opened: bool
    is_paper: bool
    button: str


@told_cache(128)
def _card(key: str, look: _Look) -> Block:
    """A card, in a ring where the plots show it; a short one that isn't opened is its claim and first number."""
    card = CARDS[key]
    is_whole = look.is_opened or look.is_paper or not card.is_short
    blocks: list[Block] = [_head(card, look, is_whole=is_whole), flow.paragraph(card.claim, "strong", "text")]
    if is_whole:
        blocks += _details(card, look)
    content = Column((Space(12.0), *blocks, Space(7.0)), gap=4.0)
    return Named(
        f"{words.VERDICTS[card.verdict]}: {card.claim}",
        Layers((Drawn(_frame, (look.is_shown, look.is_opened), 0.0), flow.padded(content))),
        "; ".join((card.source, *_lines_of(card, look.values))),
        {"facts.card": "" if look.is_opened else card.key},
        f"{card.source}\n{card.explanation}",
        look.is_shown or look.is_opened,
    )


def _lines_of(card: Card, values: tuple[str, ...]) -> list[str]:
    """Measured lines and possible answers for a screen reader and a table."""
    return [*(f"{line.label}: {value}" for line, value in zip(card.lines, values, strict=True)), *card.answers]


def _head(card: Card, look: _Look, *, is_whole: bool) -> Block:
    """The verdict; at the right that the plots show the card, or the number of one that isn't opened."""
    text, role, ink = "", "tick", "text3"
    end: Block = Space(0.0)
    if look.is_shown:
        text = "shown in the plots"
    elif not is_whole:
        text = words.NO_NUMBER if card.answers else look.values[0]
        end = Drawn(_chevron, (), PILL_HEIGHT, wide=8.0)
        if look.is_known and not card.answers:
            role, ink = "flag", "text"
    shown = pill(words.VERDICTS[card.verdict], *_PILLS[card.verdict])
    number = Column((Space(4.0), Words(text, role, ink, across=1.0)))
    return flow.in_row((FIT, GROW, FIT), shown, number, end, gap=_GAP)


def _details(card: Card, look: _Look) -> list[Block]:
    lines = zip(card.lines, look.values, strict=True)
    quotation = flow.paragraph(f"“{card.quotation}”")
    blocks: list[Block] = [quotation, flow.paragraph(card.source, "tick", "text3")]
    blocks += [_line(line, value, is_known=look.is_known) for line, value in lines]
    if card.answers:
        cells = [*map(_answer, card.answers), *([Space(0.0)] if len(card.answers) % 2 else [])]
        rows = tuple(zip(cells[::2], cells[1::2], strict=True))
        blocks += [Space(2.0), Grid((GROW, GROW), rows, gap=_GAP, between=_GAP)]
    at: Block = Column((Space(5.0), flow.paragraph(words.parameters_text(card), "tick", "text3")))
    if not look.is_paper:
        press: Block = Space(flow.BUTTON_HEIGHT)
        if look.button:
            press = flow.button(look.button, {"facts.shown": card.key}, f"{look.button}: {card.claim}")
        at = flow.in_row((GROW, _BUTTON), at, press, gap=_GAP)
    blocks += [Space(2.0), at]
    if look.is_opened:
        blocks += [flow.paragraph(card.explanation)]
    return blocks


def _line(line: Line, value: str, *, is_known: bool) -> Block:
    """A label at the left, its value at the right, in a line of its own where both have no room."""
    label = Words(line.label, "caption", "text2")
    role, ink = ("flag", "text") if is_known else ("tick", "text3")
    number = Words(value, role, ink, across=1.0)
    beside = label.width() + text_width("flag", words.line_text(line, None)) + _GAP
    return Fits((flow.in_row((GROW, FIT), label, number, gap=_GAP), Column((label, number))), (beside, 0.0))


def _answer(text: str) -> Block:
    content = Column((Space(8.0), flow.paragraph(text, "tick", "text"), Space(6.0)))
    return Layers((Ground(), Space(0.0, grows=True), flow.padded(content, _GAP)))


def _frame(area: Area, theme: Theme, is_shown: bool, is_chosen: bool) -> marks.Picture:
    outline = theme.ink if is_shown else theme.axis if is_chosen else theme.line
    line = 2.0 if is_shown else 1.0
    return (marks.Rectangle(*area.grown(-line / 2, -line / 2), theme.panel, outline, 8.0, line),)


def _chevron(area: Area, theme: Theme) -> marks.Picture:
    right, (_, y) = area.right, area.middle
    points = np.array([[right - 6.0, y - 4.0], [right - 2.0, y], [right - 6.0, y + 4.0]])
    return (marks.Polyline(points, theme.text2, 1.5),)


_PAGE = ScenePage(scene, _sentence, CAPTIONS["facts"], _readout, _questions, _height)
_FORMS = "what the texts say, measured", "measured"
VIEW = PagedView("", {"": _PAGE}, lambda _state, _answers: _FORMS, _CONTROLS, _n_pages, _least_height, _needed)
