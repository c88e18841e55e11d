"""Where cards and their parts stand: by the card and the width alone, so that nothing moves while it is measured."""

import re
from dataclasses import replace
from functools import lru_cache
from math import inf
from typing import Final

from pe_desktop.core.facts.cards import CARDS, Card, Line
from pe_desktop.core.record import record
from pe_desktop.draw.scene import Area
from pe_desktop.draw.typefaces import text_width, wrapped
from pe_desktop.views.facts import words

GAP: Final = 8.0
_TOP: Final = 1.0
_PADDING: Final = 16.0
PILL_HEIGHT: Final = 24.0
_LINE_STEP: Final = 20.0
CLAIM_STEP: Final = 18.0
SMALL_STEP: Final = 15.0
_BUTTON: Final = (88.0, 28.0)
# From this width on cards stand in two or more columns.
_COLUMN_WIDTH: Final = 320.0
_MOST_LINES: Final = 12
# What a number is expected to take until it is known.
_NUMBER: Final = {"f": "−00.", "s": "00000", "e": "0.0×10⁻¹⁶", "p": "00. %", "w": "00 000"}
_PLACE: Final = re.compile(r"\{\d:([a-z])(\d*)\}")


@record
class Row:
    """A measured line: the height of its label's middle from the top of the card, and that of its value's."""

    line: Line
    label_y: float
    value_y: float


@record
class CardLayout:
    """The parts of a card: lines of text by the heights of their middles from the top of its area."""

    card: Card
    area: Area
    is_whole: bool
    claim: tuple[str, ...]
    source: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    answers: tuple[tuple[str, ...], ...] = ()
    explanation: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    claim_y: float = 0.0
    source_y: float = 0.0
    answers_y: float = 0.0
    button_y: float = 0.0
    explanation_y: float = 0.0

    @property
    def left(self) -> float:
        return self.area.x + _PADDING

    @property
    def right(self) -> float:
        return self.area.right - _PADDING

    @property
    def button(self) -> Area:
        """Show it, or Put back: above the explanation, which comes when the card opens."""
        width, height = _BUTTON
        return Area(self.right - width, self.area.y + self.button_y, width, height)

    @property
    def answer_areas(self) -> tuple[Area, ...]:
        """The possible answers of an open card side by side, two in a row."""
        width = (self.right - self.left - GAP) / 2
        areas, top = [], self.area.y + self.answers_y
        for first in range(0, len(self.answers), 2):
            height = _answers_height(self.answers[first : first + 2])
            areas += [
                Area(self.left + place * (width + GAP), top, width, height)
                for place in range(len(self.answers[first : first + 2]))
            ]
            top += height + GAP
        return tuple(areas)


def _answers_height(answers: tuple[tuple[str, ...], ...]) -> float:
    return 16.0 + SMALL_STEP * max(map(len, answers))


@lru_cache(maxsize=16)
def placed(
    cards: tuple[str, ...], opened: str, width: float, height: float = inf, *, is_paper: bool
) -> tuple[tuple[CardLayout, ...], ...]:
    """The cards of some keys on pages of this size, each column as full as the others; on paper all are whole.

    A card that is higher than a page has one of its own.
    """
    n_columns = max(min(int((width + GAP) // (_COLUMN_WIDTH + GAP)), len(cards)), 1)
    column = (width - GAP * (n_columns - 1)) / n_columns
    bottoms = [_TOP] * n_columns
    pages: list[list[CardLayout]] = [[]]
    for key in cards:
        layout = _card_layout(CARDS[key], column, is_opened=key == opened, is_paper=is_paper)
        if pages[-1] and min(bottoms) + layout.area.height + _TOP > height:
            pages.append([])
            bottoms = [_TOP] * n_columns
        place = bottoms.index(min(bottoms))
        area = Area(place * (column + GAP), bottoms[place], column, layout.area.height)
        pages[-1].append(replace(layout, area=area))
        bottoms[place] += layout.area.height + GAP
    return tuple(map(tuple, pages))


def picture_height(layouts: tuple[CardLayout, ...]) -> float:
    return max((layout.area.bottom for layout in layouts), default=2 * _PADDING + 60.0) + _TOP


def _card_layout(card: Card, width: float, *, is_opened: bool, is_paper: bool) -> CardLayout:
    room, is_whole = width - 2 * _PADDING, is_opened or is_paper or not card.is_short
    claim = tuple(wrapped("strong", card.claim, room, _MOST_LINES))
    claim_y = 12.0 + PILL_HEIGHT + (17.0 if is_whole else 12.0)
    y = claim_y + CLAIM_STEP * (len(claim) - 1)
    if not is_whole:
        return CardLayout(card, Area(0.0, 0.0, width, y + 16.0), False, claim, claim_y=claim_y)
    source = tuple(wrapped("tick", card.source, room, _MOST_LINES))
    source_y = y + 19.0
    y = source_y + SMALL_STEP * (len(source) - 1) + 4.0
    rows = []
    for line in card.lines:
        y += _LINE_STEP
        is_long = text_width("caption", line.label) + text_width("flag", _expected(line)) + GAP > room
        rows.append(Row(line, y, y + 16.0 if is_long else y))
        y = rows[-1].value_y
    answers = tuple(tuple(wrapped("tick", answer, room / 2 - 24.0, _MOST_LINES)) for answer in card.answers)
    answers_y = y + 16.0
    for first in range(0, len(answers), 2):
        y += _answers_height(answers[first : first + 2]) + GAP
    y += 8.0 if answers else 0.0
    # Paper has no button.
    parameters_room = room if is_paper else room - _BUTTON[0] - GAP
    parameters = tuple(wrapped("tick", words.parameters_text(card), parameters_room, 3))
    y += 16.0 + max(_BUTTON[1], SMALL_STEP * len(parameters))
    button_y = y - _BUTTON[1]
    explanation = tuple(wrapped("caption", card.explanation, room, _MOST_LINES)) if is_opened else ()
    explanation_y = y + 18.0
    height = y + (8.0 + 17.0 * len(explanation) if explanation else 0.0) + 13.0
    return CardLayout(
        card, Area(0.0, 0.0, width, height), True, claim, source, tuple(rows), answers, explanation, parameters,
        claim_y, source_y, answers_y, button_y, explanation_y,
    )  # fmt: skip


def _expected(line: Line) -> str:
    return _PLACE.sub(lambda place: _NUMBER[place[1]] + "0" * int(place[2] or 0) * (place[1] in "fp"), line.text)
