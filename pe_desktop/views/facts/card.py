"""A card as a block: verdict, claim, source, measured lines, possible answers, its button and its explanation."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.facts.cards import CARDS, Card, Line
from pe_desktop.core.measure.measurement import FAILS, HOLDS
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Grid, Layers, Named, Space, Words
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.facts import words
from pe_desktop.views.properties.verdicts import verdict_mark

_SHOWN: Final = "shown in the plots"
_PADDING: Final = 16.0
_GAP: Final = 8.0
_PILL_HEIGHT: Final = 24.0
_BUTTON: Final = (88.0, 28.0)
# What a number is expected to take until it is known: nothing moves while cards are measured.
_NUMBER: Final = {"f": "−00.", "s": "00000", "e": "0.0×10⁻¹⁶", "p": "00. %", "w": "00 000"}
_PLACE: Final = re.compile(r"\{\d:([a-z])(\d*)\}")


@record
class Look:
    """How a card is drawn; values: what its lines say, is_known: of numbers; button: its words, "" for none."""

    values: tuple[str, ...]
    is_known: bool
    is_shown: bool
    is_opened: bool
    is_paper: bool
    button: str


@lru_cache(maxsize=128)
def card_block(key: str, look: Look) -> Block:
    """A card, in a ring where the plots show it; a short one that isn't opened is its claim and first number."""
    card = CARDS[key]
    is_whole = look.is_opened or look.is_paper or not card.is_short
    blocks: list[Block] = [_head(card, look, is_whole=is_whole), Words(card.claim, "strong", is_paragraph=True)]
    if is_whole:
        blocks += _measured(card, look)
    content = Column((Space(12.0), *blocks, Space(7.0)), gap=4.0)
    padded = Grid((_PADDING, GROW, _PADDING), ((Space(0.0), content, Space(0.0)),), gap=0.0)
    return Named(
        f"{words.VERDICTS[card.verdict]}: {card.claim}",
        Layers((Drawn(_frame, (look.is_shown, look.is_opened), 0.0), padded)),
        "; ".join((card.source, *told(card, look.values))),
        {"facts.card": "" if look.is_opened else card.key},
        f"{card.source}\n{card.explanation}",
        look.is_shown or look.is_opened,
    )


def told(card: Card, values: tuple[str, ...]) -> list[str]:
    """Measured lines and possible answers for a screen reader and a table."""
    return [*(f"{line.label}: {value}" for line, value in zip(card.lines, values, strict=True)), *card.answers]


def button_block(name: str, text: str, sets: Mapping[str, Any] | None = None) -> Block:
    """A button: a place of a name, that sets names of the state."""
    return Named(name, Drawn(_button, (text,), _BUTTON[1], wide=_BUTTON[0]), sets=sets)


def _head(card: Card, look: Look, *, is_whole: bool) -> Block:
    """The verdict; at the right that the plots show the card, or the number of one that isn't opened."""
    text, role, ink = "", "tick", "text3"
    end: Block = Space(0.0)
    if look.is_shown:
        text = _SHOWN
    elif not is_whole:
        text, end = words.NO_NUMBER if card.answers else look.values[0], Drawn(_chevron, (), _PILL_HEIGHT, wide=8.0)
        if look.is_known and not card.answers:
            role, ink = "flag", "text"
    pill = Drawn(_pill, (card.verdict,), _PILL_HEIGHT, wide=_pill_width(card.verdict))
    number = Column((Space(4.0), Words(text, role, ink, across=1.0)))
    return Grid((FIT, GROW, FIT), ((pill, number, end),), gap=_GAP)


def _measured(card: Card, look: Look) -> list[Block]:
    lines = zip(card.lines, look.values, strict=True)
    blocks: list[Block] = [Words(card.source, "tick", "text3", is_paragraph=True)]
    blocks += [_line(line, value, is_known=look.is_known) for line, value in lines]
    if card.answers:
        cells = [*map(_answer, card.answers), *([Space(0.0)] if len(card.answers) % 2 else [])]
        rows = tuple(zip(cells[::2], cells[1::2], strict=True))
        blocks += [Space(2.0), Grid((GROW, GROW), rows, gap=_GAP, between=_GAP)]
    at: Block = Column((Space(5.0), Words(words.parameters_text(card), "tick", "text3", is_paragraph=True)))
    if not look.is_paper:
        button = button_block(f"{look.button}: {card.claim}", look.button) if look.button else Space(_BUTTON[1])
        at = Grid((GROW, _BUTTON[0]), ((at, button),), gap=_GAP)
    blocks += [Space(2.0), at]
    if look.is_opened:
        blocks += [Words(card.explanation, "caption", "text2", is_paragraph=True)]
    return blocks


def _line(line: Line, value: str, *, is_known: bool) -> Block:
    """A label at the left, its value at the right, in a line of its own where both have no room."""
    label = Words(line.label, "caption", "text2")
    role, ink = ("flag", "text") if is_known else ("tick", "text3")
    number = Words(value, role, ink, across=1.0)
    expected = _PLACE.sub(lambda place: _NUMBER[place[1]] + "0" * int(place[2] or 0) * (place[1] in "fp"), line.text)
    beside = label.width() + text_width("flag", expected) + _GAP
    return Fits((Grid((GROW, FIT), ((label, number),), gap=_GAP), Column((label, number))), (beside, 0.0))


def _answer(text: str) -> Block:
    padded = Column((Space(8.0), Words(text, "tick", is_paragraph=True), Space(6.0)))
    inner = Grid((_GAP, GROW, _GAP), ((Space(0.0), padded, Space(0.0)),), gap=0.0)
    return Layers((Drawn(_ground, (), 0.0, grows=True), inner))


def _ground(area: Area, theme: Theme) -> marks.Picture:
    return (marks.Rectangle(*area, theme.sunken, radius=6.0),)


def _frame(area: Area, theme: Theme, is_shown: bool, is_chosen: bool) -> marks.Picture:
    outline = theme.ink if is_shown else theme.axis if is_chosen else theme.line
    line = 2.0 if is_shown else 1.0
    frame = (area.x + line / 2, area.y + line / 2, area.width - line, area.height - line)
    return (marks.Rectangle(*frame, theme.panel, outline, 8.0, line),)


def _chevron(area: Area, theme: Theme) -> marks.Picture:
    right, (_, y) = area.right, area.middle
    return (
        marks.Polyline(np.array([[right - 6.0, y - 4.0], [right - 2.0, y], [right - 6.0, y + 4.0]]), theme.text2, 1.5),
    )


def _button(area: Area, theme: Theme, text: str) -> marks.Picture:
    ground = marks.Rectangle(*area, theme.sunken, theme.line, 6.0)
    return ground, marks.Text(*area.middle, text, "segment", theme.text, across=0.5)


def _pill_width(verdict: str) -> float:
    return 28.0 + text_width("segment", words.VERDICTS[verdict]) + 10.0


def _pill(area: Area, theme: Theme, verdict: str) -> marks.Picture:
    """Icon and word on the tint of a verdict."""
    inks: Mapping[str, tuple[QColor, QColor]] = {
        "true": (theme.ok, theme.ok_ground),
        "not-exact": (theme.warn, theme.warn_ground),
        "false": (theme.bad, theme.bad_ground),
        "open": (theme.text2, theme.sunken),
    }
    (ink, ground), (_, middle) = inks[verdict], area.middle
    return (
        marks.Rectangle(*area, ground, radius=area.height / 2),
        *_icon(area.x + 15.0, middle, verdict, ink),
        marks.Text(area.x + 28.0, middle, words.VERDICTS[verdict], "segment", ink),
    )


def _icon(x: float, y: float, verdict: str, ink: QColor) -> marks.Picture:
    """A check, a wave, a cross, or an i in a ring."""
    if verdict == "not-exact":
        across = np.linspace(-5.0, 5.0, 17)
        return (marks.Polyline(np.column_stack((x + across, y - 2.5 * np.sin(across * np.pi / 5.0))), ink, 1.7),)
    if verdict == "open":
        stem = np.array([[x, y - 0.5, x, y + 3.5], [x, y - 3.4, x, y - 2.4]])
        return marks.Rings(x, y, np.array([6.0]), ink, 1.4), marks.Segments(stem, ink, 1.5)
    return (verdict_mark(x, y, HOLDS if verdict == "true" else FAILS, ink),)
