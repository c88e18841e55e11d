"""The attention view: a sentence as written and as moved, what one head makes of both, and what differs."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np

from pe_desktop.core.encoding import ROUNDING, Encoding
from pe_desktop.core.record import record
from pe_desktop.core.scores.attention import MOST_WORDS, Attention
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
    Ground,
    Layers,
    Live,
    Named,
    Row,
    Rule,
    Space,
    Table,
    Words,
    page_height,
    page_scene,
)
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Answers
from pe_desktop.views.attention.chips import Chips
from pe_desktop.views.attention.head import EXAMPLES, SCHEME_TOOLTIPS, Found, Texts, difference_text, found, questions
from pe_desktop.views.attention.maps import Maps, outputs_picture
from pe_desktop.views.paged import PagedView, ScenePage

_EXPLANATION: Final = (
    "One head over a sentence as written and as moved: what each word (row) reads of each (column), rows sum to 1. "
    "Solid is the word at t, dashed the one at t + k. Outputs of the moved sentence are put back in the written "
    "order before they are compared; the number is their largest difference. Words and matrices are seeded."
)
# Narrower views show the number alone.
_NARROWEST: Final = 500.0
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
_MASK_ALONE: Final = "With a causal mask the order shows even without positions."


def scene(state: State, answers: Answers, box: Box, **moving: Any) -> Scene:
    """The scene; moving: of its chips, how words are on their way from another order, and which one is dragged."""
    return page_scene(_Page(state, box, *found(state, answers), moving).form, box, is_wide=True)


def chips_of(state: State, answers: Answers, box: Box) -> Chips | None:
    """The chips of the page, which stand at its top; None where the number stands alone."""
    first = _Page(state, box, *found(state, answers)).form.blocks[0]
    return first if isinstance(first, Chips) else None


@record(eq=False)
class _Page:
    """Chips, maps and outputs as far as they have room in a box, the one number, the table of schemes."""

    state: State
    box: Box
    found: Found
    texts: Texts
    moving: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def chips(self) -> Chips:
        """The words of the sentence, none where there are too few."""
        attention, cursor = self.state.attention, self.state.cursor
        asking, read = (attention.place_of(place) for place in (cursor.position, cursor.position + cursor.offset))
        has_words = len(attention.words) >= 2
        words, order = (attention.words, attention.places) if has_words else ((), ())
        return Chips(words, order, is_paper=self.box.is_paper, asking=asking, read=read, **self.moving)

    @property
    def has_room(self) -> bool:
        return self.box.width >= _NARROWEST

    @property
    def half(self) -> float:
        """The width of the left and of the right part."""
        return (self.box.width - 36.0) / 2

    @property
    def form(self) -> Column:
        """The first of its forms that has room, else the last one."""
        form = Column(())
        for form in self.forms():
            if page_height(form, self.box.width, is_wide=True) <= self.box.height:
                break
        return form

    def forms(self) -> Iterator[Column]:
        """The page with less and less on it: without the written row and the outputs, the number alone."""
        chips, found = self.chips, self.found
        if not chips.words:
            yield _message((chips,) if self.has_room and not self.box.is_paper else (), *_examples())
        elif found.refusal:
            words = Words(found.refusal, "label", "text2", across=0.5, is_paragraph=True)
            above = (chips,), (replace(chips, has_written=False),)
            yield from (_message(one, words) for one in (*(above if self.has_room else ()), ()))
        else:
            if self.has_room:
                yield from self._wide_forms()
            yield from (_number(found, chips.asking, n_lines) for n_lines in _ALONE)

    def _wide_forms(self) -> Iterator[Column]:
        """With chips, maps and table: all, without the written row and the outputs, with a low table."""
        box, chips, found = self.box, self.chips, self.found
        below = self._below(_MORE_LINES if box.is_paper and self.half < _NARROW_HALF else _LINES)
        outputs: Block = Space(_OUTPUTS)
        if found.both is not None:
            outputs = Drawn(outputs_picture, (found, box.pixel_ratio), _OUTPUTS)
        yield Column((chips, _LINE, self._maps(chips, _LEAST_MAP), _LINE, outputs, _LINE, below))
        chips = replace(chips, has_written=False)
        maps = self._maps(chips, _LEAST_COMPACT_MAP)
        yield Column((chips, _LINE, maps, _LINE, below))
        if not box.is_paper:
            yield Column((chips, _LINE, maps, _LINE, self._below(_FEW_LINES, is_low=True)))

    def _maps(self, chips: Chips, least: float) -> Block:
        box, found, cursor = self.box, self.found, self.state.cursor
        if box.is_paper:
            tallest = self.half if self.half < _NARROW_HALF else _TALLEST_ON_A_SLIDE
            least = max(min(_FIGURE_ROW * len(chips.words), tallest), _LEAST_MAP)
        if found.both is None:
            return Space(least + 100.0, grows=True)
        asked = cursor.position, cursor.position + cursor.offset
        return Maps(chips, found, least, asked, self.state.encoding.n_positions, box)

    def _below(self, n_lines: int, *, is_low: bool = False) -> Block:
        """The number beside the table of schemes."""
        schemes = _schemes(self.state.attention, self.state.encoding, self.texts, is_low=is_low)
        number = _number(self.found, self.chips.asking, n_lines)
        return Column((Space(11.0), Grid((GROW, GROW), ((number, schemes),), gap=32.0), Space(4.0)))


def _number(found: Found, asking: int, n_lines: int) -> Column:
    """The largest difference, whether it is more than rounding, what has happened, and what to look at."""
    difference, (what, look) = found.difference, found.comment(asking)
    number: Block = Words("…" if difference is None else difference_text(difference), "number")
    if difference is not None and found.attention.order:
        word = "Rounding only" if difference < ROUNDING else "Order is seen"
        verdict = Drawn(_verdict_picture, (word, difference < ROUNDING), 31.0, text_width("segment", word) + 44.0)
        number = Fits((Grid((FIT, FIT), ((number, verdict),), gap=16.0), number))
    title = Words(
        "Largest difference of outputs, put back in order", "strong", shorter=("Largest difference once put back",)
    )
    value = "" if difference is None else f"{difference_text(difference)}. {what}"
    head = Named("largest difference", Column((title, number), gap=6.0), value)
    text = (Live(Words(look, "caption", "text2", n_lines=n_lines)),) if n_lines else ()
    return Column((head, Words(what, "strong", is_paragraph=True), *text), gap=6.0)


def _verdict_picture(area: Area, theme: Theme, word: str, is_rounding: bool) -> marks.Picture:
    """A pill with a sign and a word: rounding only, or the order is seen."""
    x, y, steps = area.x, area.middle[1], np.linspace(0.0, 1.0, 20)
    ground, color = (theme.sunken, theme.text2) if is_rounding else (theme.ok_ground, theme.ok)
    tick = np.array([[x + 11.0, y + 0.5], [x + 14.5, y + 4.0], [x + 21.0, y - 4.0]])
    wave = np.column_stack((x + 10.0 + 12.0 * steps, y - 2.5 * np.sin(2 * np.pi * steps)))
    return (
        marks.Rectangle(x, y - 12.0, area.width, 24.0, ground, radius=12.0),
        marks.Polyline(wave if is_rounding else tick, color, 1.6),
        marks.Text(x + 29.0, y, word, "segment", color),
    )


@lru_cache(maxsize=4)
def _schemes(attention: Attention, encoding: Encoding, texts: Texts, *, is_low: bool = False) -> Block:
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
        for (name, kind), both in zip(SCHEMES.items(), texts, strict=True)
    )
    if is_low:
        return Table(("Every scheme", *_TITLES), rows, row_height=_LOW_ROW)
    note = Words(_MASK_ALONE, "tick", "text3", shorter=("A causal mask alone shows the order.",))
    head = Words("Every scheme, same words", "strong", shorter=("Every scheme",))
    return Column((head, Table(("", *_TITLES), rows, row_height=_ROW), note), gap=2.0)


def _examples() -> tuple[Block, ...]:
    """What to do where there are too few words, and the sentences of the texts as buttons."""
    room, blocks = Space(5.5), list[Block]([Words("Type two words or more", "strong", across=0.5)])
    for example in EXAMPLES:
        words = Grid((1.0, GROW, 1.0), ((_NO, Words(example.sentence, "segment", across=0.5), _NO),), gap=9.0)
        button = Layers((Ground(), Column((room, words, room))))
        blocks.append(Named(f"choose: {example.sentence}", button, sets=example.changes))
    return tuple(blocks)


def _message(above: tuple[Block, ...], *blocks: Block) -> Column:
    """Blocks in the middle of what is left, at most so wide as lines are read well."""
    room = Space(1.0, grows=True)
    narrow, wide = Column(blocks, gap=8.0), Grid((GROW, 420.0, GROW), ((_NO, Column(blocks, gap=8.0), _NO),))
    return Column((*above, room, Fits((wide, narrow), (460.0, 0.0)), room))


def _readout(state: State, answers: Answers) -> str:
    """Both maps with all digits, then the number: a row for each word that asks."""
    attention = state.attention
    both = found(state, answers)[0].both
    if both is None:
        return ""
    lines: list[str] = []
    written, moved = (range(len(attention.words)), both.written), (attention.places, both.moved)
    for title, (order, attended) in {"as written": written, "moved": moved}.items():
        lines.append("\t".join((f"weights, {title}", *(attention.words[word] for word in order))))
        for word, row in zip(order, attended.weights, strict=True):
            lines.append("\t".join((attention.words[word], *(repr(float(weight)) for weight in row))))
    lines.append(f"largest difference of outputs, put back in order\t{both.difference!r}")
    return "\n".join(lines)


def _sentence(state: State, answers: Answers) -> str:
    attention = state.attention
    scheme = SCHEMES[attention.scheme_at_work]
    title = f"{scheme.noun or scheme.title} positions"
    mask = ", causal mask" if attention.causal else ""
    difference = found(state, answers)[0].difference
    if difference is None:
        return f"Attention with {title}{mask}"
    return f"Moving the words, {title}{mask}: outputs differ by {difference_text(difference)}"


def _height(state: State, answers: Answers, width: float, theme: Theme) -> float:
    """What a figure of this width needs: all parts on paper, the compact ones on a slide, which is wider.

    inf where there is room for the number alone, which would not show what it is of. The panel shows what has room.
    """
    page = _Page(state, Box(width, math.inf, 1.0, theme, is_paper=True), *found(state, answers))
    if page.chips.words and not page.has_room:
        return math.inf
    full, *others = page.forms()
    return (full if page.half < _NARROW_HALF or not others else others[0]).height(width)


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    attention, d_model = state.attention, whole(state.encoding.d_model)
    parts = ["same word, same vector", f"one head, d = {d_model}"]
    if len(attention.sentence.split()) > MOST_WORDS:
        parts.insert(0, f"the first {MOST_WORDS} words")
    if attention.first_position:
        parts.append(f"the first word stands at {position_text(attention.first_position)}")
    return (*("; ".join(parts[:count]) for count in range(len(parts), 0, -1)), "one head")


VIEW = PagedView("", {"": ScenePage(scene, _sentence, _EXPLANATION, _readout, questions, _height)}, _forms)
