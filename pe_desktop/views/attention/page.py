"""The page of attention: chips, maps and outputs as far as they have room, the one number, the table of schemes."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import ROUNDING, Encoding
from pe_desktop.core.scores.attention import Attention
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.flow import (
    FIT,
    GROW,
    Block,
    Column,
    Drawn,
    Fits,
    Grid,
    Live,
    Named,
    Row,
    Rule,
    Space,
    Table,
    Words,
    page_height,
)
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width, wrapped
from pe_desktop.views.attention.chips import Chips
from pe_desktop.views.attention.head import EXAMPLES, NOTHING_MOVED, SCHEME_TOOLTIPS, Found, FoundTable, difference_text
from pe_desktop.views.attention.maps import Maps, outputs_picture

# Narrower views show the number alone.
NARROWEST: Final = 500.0
_OUTPUTS: Final = 158.0
_LEAST_MAP, _LEAST_COMPACT_MAP = 112.0, 56.0
# In figures: the height of a row of a map, of the whole map on a slide at most; a narrow one has halves of this width.
_FIGURE_ROW, _TALLEST_ON_A_SLIDE, _NARROW_HALF = 24.0, 210.0, 340.0
_ROW, _LOW_ROW = 20.0, 16.5
# The lines that say what to look at: usually, in a narrow figure, in a low view; where the number stands alone.
_LINES, _MORE_LINES, _FEW_LINES = 5, 7, 3
_ALONE: Final = (12, 8, 6, 4, 3, 2, 0)
_LINE, _NO = Rule(1.0), Space(0.0)
_OFF: Final = "switched off now"
_TITLES: Final = ("no mask", "causal", "")
_UNKNOWN: Final = "…"
_MASK_ALONE: Final = "With a causal mask the order shows even without positions."


def page(state: State, found: Found, table: FoundTable, chips: Chips, box: Box) -> Column:
    """The first of its forms that has room: all, without the written row and the outputs, the number alone."""
    forms = _forms(state, found, table, chips, box)
    form = next(forms)
    while page_height(form, box.width, is_wide=True) > box.height:
        larger, form = form, next(forms, Column(()))
        if not form.blocks:
            return larger
    return form


def figure_height(state: State, found: Found, chips: Chips, box: Box) -> float:
    """What a figure of this width needs: all parts on paper, the compact ones on a slide, which is wider.

    inf where there is room for the number alone, which would not show what it is of.
    """
    forms = _forms(state, found, FoundTable(state.attention), chips, box)
    full = next(forms)
    if chips.words and box.width < NARROWEST:
        return math.inf
    return (full if _is_narrow(box) else next(forms, full)).height(box.width)


def _forms(state: State, found: Found, table: FoundTable, chips: Chips, box: Box) -> Iterator[Column]:
    """The page with less and less on it."""
    attention, has_room = state.attention, box.width >= NARROWEST
    if len(attention.words) < 2:
        yield _message((chips,) if has_room and not box.is_paper else (), *_examples())
    elif found.refusal:
        said = Words(found.refusal, "label", "text2", across=0.5, is_paragraph=True)
        if has_room:
            yield _message((chips,), said)
            yield _message((replace(chips, has_written=False),), said)
        yield _message((), said)
    else:
        if has_room:
            yield from _wide_forms(state, found, table, chips, box)
        yield from (_number(found, chips.asking, n_lines) for n_lines in _ALONE)


def _wide_forms(state: State, found: Found, table: FoundTable, chips: Chips, box: Box) -> Iterator[Column]:
    """With chips, maps and table: all, without the written row and the outputs, with a low table."""
    n_lines = _MORE_LINES if box.is_paper and _is_narrow(box) else _LINES
    parts = state.attention, state.encoding, table
    below = _below(_number(found, chips.asking, n_lines), _schemes(*parts))
    outputs = Drawn(_nothing, (), _OUTPUTS)
    if found.both is not None:
        outputs = Drawn(outputs_picture, (found, box.pixel_ratio), _OUTPUTS)
    yield Column((chips, _LINE, _maps(state, found, chips, box, _LEAST_MAP), _LINE, outputs, _LINE, below))
    chips = replace(chips, has_written=False)
    maps = _maps(state, found, chips, box, _LEAST_COMPACT_MAP)
    yield Column((chips, _LINE, maps, _LINE, below))
    if not box.is_paper:
        low = _below(_number(found, chips.asking, _FEW_LINES), _schemes(*parts, is_low=True))
        yield Column((chips, _LINE, maps, _LINE, low))


def _below(number: Block, schemes: Block) -> Block:
    return Column((Space(11.0), Grid((GROW, GROW), ((number, schemes),), gap=32.0), Space(4.0)))


def _maps(state: State, found: Found, chips: Chips, box: Box, least: float) -> Block:
    if box.is_paper:
        tallest = _half(box) if _is_narrow(box) else _TALLEST_ON_A_SLIDE
        least = max(min(_FIGURE_ROW * len(chips.words), tallest), _LEAST_MAP)
    if found.both is None:
        return Drawn(_nothing, (), least + 100.0, grows=True)
    t, k = state.cursor.position, state.cursor.offset
    return Maps(chips, found, least, (t, t + k), state.encoding.n_positions, box)


def _number(found: Found, asking: int, n_lines: int) -> Column:
    """The largest difference, whether it is more than rounding, what has happened, and what to look at."""
    difference, (what, look) = found.difference, found.comment(asking)
    number: Block = Words(_UNKNOWN if difference is None else difference_text(difference), "number")
    if difference is not None and what != NOTHING_MOVED:
        is_rounding = difference < ROUNDING
        verdict = Drawn(_verdict_picture, (is_rounding,), 31.0, _verdict_width(is_rounding))
        number = Fits((Grid((FIT, FIT), ((number, verdict),), gap=16.0), number))
    title = Words(
        "Largest difference of outputs, put back in order", "strong", shorter=("Largest difference once put back",)
    )
    value = "" if difference is None else f"{difference_text(difference)}. {what}"
    head = Named("largest difference", Column((title, number), gap=6.0), value)
    text = (Live(Words(look, "caption", "text2", n_lines=n_lines)),) if n_lines else ()
    return Column((head, Words(what, "strong", is_paragraph=True), *text), gap=6.0)


@lru_cache(maxsize=4)
def _schemes(attention: Attention, encoding: Encoding, table: FoundTable, *, is_low: bool = False) -> Block:
    """What moving the words does under every scheme, in a low view without the note."""
    off = attention.scheme if attention.drops_positions else "none"
    attention = replace(attention, drops_positions=False)
    rows = tuple(
        Row(
            (kind.title, *both, _OFF if name == off != "none" else replace(attention, scheme=name).made(encoding).note),
            {"scheme": name},
            name == attention.scheme,
            tooltip=SCHEME_TOOLTIPS[name],
            name=f"scheme {kind.title}",
            value=f"no mask {both[0]}, causal {both[1]}",
        )
        for (name, kind), both in zip(SCHEMES.items(), table.texts, strict=True)
    )
    if is_low:
        return Table(("Every scheme", *_TITLES), rows, row_height=_LOW_ROW)
    note = Words(_MASK_ALONE, "tick", "text3", shorter=("A causal mask alone shows the order.",))
    head = Words("Every scheme, same words", "strong", shorter=("Every scheme",))
    return Column((head, Table(("", *_TITLES), rows, row_height=_ROW), note), gap=2.0)


def _examples() -> tuple[Block, ...]:
    """What to do where there are too few words, and the sentences of the texts as buttons."""
    return (
        Words("Type two words or more", "strong", across=0.5),
        *(
            Named(f"choose: {one.sentence}", Drawn(_button_picture, (one.sentence,), 28.0), sets=one.changes)
            for one in EXAMPLES
        ),
    )


def _message(above: tuple[Block, ...], *blocks: Block) -> Column:
    """Blocks in the middle of what is left, at most so wide as lines are read well."""
    room = Drawn(_nothing, (), 1.0, grows=True)
    narrow, wide = Column(blocks, gap=8.0), Grid((GROW, 420.0, GROW), ((_NO, Column(blocks, gap=8.0), _NO),))
    return Column((*above, room, Fits((wide, narrow), (460.0, 0.0)), room))


def _half(box: Box) -> float:
    """The width of the left and of the right part."""
    return (box.width - 36.0) / 2


def _is_narrow(box: Box) -> bool:
    return _half(box) < _NARROW_HALF


def _nothing(_area: Area, _theme: Theme) -> marks.Picture:
    return ()


def _button_picture(area: Area, theme: Theme, sentence: str) -> marks.Picture:
    text = wrapped("segment", sentence, area.width - 20.0, 1)[0]
    return (
        marks.Rectangle(*area, theme.sunken, theme.line, radius=6.0),
        marks.Text(*area.middle, text, "segment", theme.text, across=0.5),
    )


def _verdict_words(is_rounding: bool) -> str:
    return "Rounding only" if is_rounding else "Order is seen"


def _verdict_width(is_rounding: bool) -> float:
    return text_width("segment", _verdict_words(is_rounding)) + 44.0


def _verdict_picture(area: Area, theme: Theme, is_rounding: bool) -> marks.Picture:
    """A pill with a sign and a word: rounding only, or the order is seen."""
    x, y, steps = area.x, area.middle[1], np.linspace(0.0, 1.0, 20)
    ground, color = (theme.sunken, theme.text2) if is_rounding else (theme.ok_ground, theme.ok)
    tick = np.array([[x + 11.0, y + 0.5], [x + 14.5, y + 4.0], [x + 21.0, y - 4.0]])
    wave = np.column_stack((x + 10.0 + 12.0 * steps, y - 2.5 * np.sin(2 * np.pi * steps)))
    return (
        marks.Rectangle(x, y - 12.0, _verdict_width(is_rounding), 24.0, ground, radius=12.0),
        marks.Polyline(wave if is_rounding else tick, color, 1.6),
        marks.Text(x + 29.0, y, _verdict_words(is_rounding), "segment", color),
    )
