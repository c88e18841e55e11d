"""Where the sentence, the maps, the outputs, the number and the table of schemes stand."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from math import inf
from typing import Final, Literal, NamedTuple

from pe_desktop.core.record import record
from pe_desktop.draw.scene import Area
from pe_desktop.draw.typefaces import text_width, wrapped

_CHIP_HEIGHT: Final = 28.0
_NARROWEST_TEXT, _WIDEST_GAP = 30.0, 24.0
# Left of the chips stand the names of their rows; right of them the sentence is chosen.
_NAMES, _CHOOSER, _GAP = 84.0, 204.0, 32.0
_BUTTONS: Final = (74.0, 82.0)
# The heights of what is not a map: around the outputs, over maps, under them.
_OUTPUTS, _OVER_MAPS, _UNDER_MAPS, _CHOOSER_ROW = 158.0, 58.0, 44.0, 38.0
_MORE_IF_NARROW, _NARROW_HALF = 36.0, 340.0
# In figures: the height of a row of a map, of the whole map on a slide at most.
_FIGURE_ROW, _TALLEST_ON_A_SLIDE = 24.0, 210.0
_LEAST_MAP, _LEAST_COMPACT_MAP, _NARROWEST = 112.0, 56.0, 500.0
_TABLE_HEAD, _TABLE_FOOT, _TABLE_ROW, _NOTE = 32.0, 32.0, 21.0, 22.0
_LOW_TABLE_ROW = 16.5
# Outlines reach beyond what they surround.
_SIDE: Final = 4.0
# From so many words on, positions head the columns, and the rows.
_POSITIONS_ABOVE, _POSITIONS_BESIDE = 8, 20


@record
class Chip:
    """A word of the sentence by its written place, in a pill; text is "" where there is no room for letters."""

    word: int
    area: Area
    text: str
    role: str
    has_grip: bool = False


@record
class AttentionLayout:
    """words are the written ones, places which of them stands at each place of the moved sentence.

    mode: full; compact, without the written row and the outputs; brief, the number with its sentence alone.
    """

    width: float
    height: float
    words: tuple[str, ...]
    places: tuple[int, ...]
    n_schemes: int
    is_paper: bool = False
    # While words make way: the order from which they come, and how much of the way lies behind them.
    before: tuple[int, ...] = ()
    share: float = 1.0

    @cached_property
    def mode(self) -> Literal["full", "compact", "brief"]:
        if self.width < _NARROWEST:
            return "brief"
        if self.height >= self._over_maps("full") + _LEAST_MAP + _UNDER_MAPS + _OUTPUTS + self._below:
            return "full"
        least = self._over_maps("compact") + _LEAST_COMPACT_MAP + _UNDER_MAPS + self._below
        return "compact" if self.height >= least else "brief"

    @cached_property
    def has_chooser_row(self) -> bool:
        """Whether the sentence is chosen above the chips: beside them there is no room for a long one."""
        if self.is_paper:
            return False
        room = self.width - _CHOOSER - _GAP - _NAMES
        return _row_width(_widths(self.words, _STYLES[0], has_grips=True), _STYLES[0]) > room

    @property
    def chooser(self) -> Area | None:
        """Where the sentence is typed or chosen."""
        if self.mode == "brief" or self.is_paper:
            return None
        if self.has_chooser_row:
            return Area(_NAMES, 4.0, min(self.width - _NAMES - sum(_BUTTONS) - 24.0, 560.0), 28.0)
        middle = self._written_y if self.mode == "full" else self.moved_y
        return Area(self.width - _CHOOSER, middle - 14.0, _CHOOSER, 28.0)

    @property
    def buttons(self) -> tuple[Area, Area] | None:
        """Where Shuffle and Put back stand."""
        chooser = self.chooser
        if chooser is None or (self.mode == "compact" and not self.has_chooser_row):
            return None
        is_row = self.has_chooser_row
        left, top = (chooser.right + 12.0, chooser.y) if is_row else (chooser.x, self.moved_y - 14.0)
        first = Area(left, top, _BUTTONS[0], 28.0)
        return first, Area(first.right + 8.0, top, _BUTTONS[1], 28.0)

    @property
    def position_y(self) -> float:
        """The height of the positions over the written row."""
        return self._sentence_top + 12.0

    @property
    def moved_y(self) -> float:
        """The middle of the moved row."""
        return self._sentence_top + (108.0 if self.mode == "full" else 22.0)

    @cached_property
    def written(self) -> tuple[Chip, ...]:
        """The chips in the order as written, none in a compact view."""
        return self._chips(tuple(range(len(self.words))), self._written_y, has_grips=False) if self._is_full else ()

    @cached_property
    def moved(self) -> tuple[Chip, ...]:
        """The chips of the moved sentence, from left to right."""
        chips = self._chips(self.places, self.moved_y, has_grips=not self.is_paper)
        if not self.before:
            return chips
        start = {chip.word: chip.area.x for chip in self._chips(self.before, self.moved_y, has_grips=True)}
        return tuple(
            replace(chip, area=chip.area._replace(x=start[chip.word] * (1 - self.share) + chip.area.x * self.share))
            for chip in chips
        )

    @property
    def lines(self) -> tuple[float, ...]:
        """The heights of the lines between the parts."""
        over = self._sentence_top + (138.0 if self._is_full else 48.0)
        return (over, self._outputs_top, self._below_top) if self._is_full else (over, self._below_top)

    @property
    def title_y(self) -> float:
        """The height of the titles of both maps."""
        return self.lines[0] + 20.0

    @cached_property
    def maps(self) -> tuple[Area, Area]:
        """The maps of weights, as written and moved."""
        top, names = self.lines[0] + _OVER_MAPS, self.names_width
        bottom = (self._outputs_top if self._is_full else self._below_top) - _UNDER_MAPS + 2.0
        size = self.half - names, bottom - top
        return Area(names, top, *size), Area(self.right + names, top, *size)

    @cached_property
    def names_width(self) -> float:
        """The room for the words beside the rows of a map."""
        if self.has_positions_beside:
            return 34.0
        return min(max((text_width("flag", word) for word in self.words), default=0.0) + 10.0, 76.0)

    @property
    def has_positions_beside(self) -> bool:
        return len(self.words) >= _POSITIONS_BESIDE

    @property
    def has_positions_above(self) -> bool:
        return len(self.words) >= _POSITIONS_ABOVE

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of a cell of a map."""
        count = max(len(self.words), 1)
        return self.maps[0].width / count, self.maps[0].height / count

    @property
    def has_numbers(self) -> bool:
        return self.cell[0] >= 44.0 and self.cell[1] >= 20.0

    @property
    def half(self) -> float:
        """The width of the left and of the right part."""
        return (self.width - _SIDE - _GAP) / 2

    @property
    def right(self) -> float:
        """Where the right part begins."""
        return self.half + _GAP

    @property
    def outputs(self) -> tuple[Area, Area, Area]:
        """The outputs as written, as put back, and their difference."""
        names, gap = self.names_width, 28.0
        wide = (self.width - _SIDE - names - 2 * gap) / 3
        top, tall = self._outputs_top + 58.0, _OUTPUTS - 58.0 - 20.0
        first, second, third = (Area(names + place * (wide + gap), top, wide, tall) for place in range(3))
        return first, second, third

    @property
    def outputs_title_y(self) -> float:
        return self._outputs_top + 20.0

    @property
    def number_top(self) -> float:
        """Where the part of the one number and of the table begins."""
        return 0.0 if self.mode == "brief" else self._below_top

    def row(self, place: int) -> Area:
        """A row of the table of schemes."""
        return Area(self.right, self.number_top + _TABLE_HEAD + place * self.table_row, self.half, self.table_row)

    def cell_area(self, which: int, row: int, column: int) -> Area:
        """A cell of the map as written (0) or moved (1)."""
        area, (wide, tall) = self.maps[which], self.cell
        return Area(area.x + column * wide, area.y + row * tall, wide, tall)

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """The written places of the word that asks and of the one that is read, in either map."""
        for area, words in zip(self.maps, (range(len(self.words)), self.places), strict=True):
            if area.holds(x, y) and words:
                wide, tall = self.cell
                row, column = int((y - area.y) / tall), int((x - area.x) / wide)
                return words[min(row, len(words) - 1)], words[min(column, len(words) - 1)]
        return None

    def chip_at(self, x: float, y: float) -> tuple[Chip, bool] | None:
        """The chip under a point, and whether it is one that can be dragged."""
        for chips, can_move in ((self.written, False), (self.moved, True)):
            chip = next((one for one in chips if _held(one).holds(x, y)), None)
            if chip is not None:
                return chip, can_move
        return None

    def with_places(self, places: tuple[int, ...]) -> "AttentionLayout":
        """The same for another order of the words."""
        return replace(self, places=places)

    def on_the_way(self, before: tuple[int, ...], share: float) -> "AttentionLayout":
        """The same while the words of another order go to their places."""
        return replace(self, before=before, share=share)

    @property
    def _is_full(self) -> bool:
        return self.mode == "full"

    @property
    def _sentence_top(self) -> float:
        return _CHOOSER_ROW if self.has_chooser_row else 0.0

    @property
    def _written_y(self) -> float:
        return self._sentence_top + 40.0

    def _over_maps(self, mode: str) -> float:
        return self._sentence_top + (138.0 if mode == "full" else 48.0) + _OVER_MAPS

    @property
    def figure_height(self) -> float:
        """What a figure of this width needs: all parts on paper, the compact ones on a slide, which is wider.

        inf where there is room for the number alone, which would not show what it is of.
        """
        if self.width < _NARROWEST:
            return inf
        is_full = self.half < _NARROW_HALF
        around = self._over_maps("full" if is_full else "compact") + _UNDER_MAPS + _OUTPUTS * is_full + self._below
        tallest = self.half if is_full else _TALLEST_ON_A_SLIDE
        return around + max(min(_FIGURE_ROW * len(self.words), tallest), _LEAST_MAP)

    @property
    def _below_top(self) -> float:
        return self.height - self._below

    @property
    def _below(self) -> float:
        """The height of the number and the table; in a narrow figure sentences take more lines."""
        saved = _NOTE * self.is_low + (_TABLE_ROW - self.table_row) * self.n_schemes
        return self._usual_below + _MORE_IF_NARROW * (self.is_paper and self.half < _NARROW_HALF) - saved

    @property
    def _usual_below(self) -> float:
        return _TABLE_HEAD + _TABLE_ROW * self.n_schemes + _TABLE_FOOT

    @property
    def table_row(self) -> float:
        """The height of a row of the table: low where the maps had no room even without the note."""
        least = self._over_maps("compact") + _LEAST_COMPACT_MAP + _UNDER_MAPS + self._usual_below - _NOTE
        return _TABLE_ROW if self.is_paper or self.height >= least else _LOW_TABLE_ROW

    @property
    def is_low(self) -> bool:
        """Whether there is no room for the note under the table, lest the maps had none."""
        least = self._over_maps("compact") + _LEAST_COMPACT_MAP + _UNDER_MAPS + self._usual_below
        return not self.is_paper and self.height < least

    @property
    def _outputs_top(self) -> float:
        return self._below_top - _OUTPUTS

    def _chips(self, words: tuple[int, ...], middle: float, *, has_grips: bool) -> tuple[Chip, ...]:
        has_room = self.is_paper or self.has_chooser_row
        right = self.width - (0.0 if has_room else _CHOOSER + _GAP)
        widest = 110.0 * len(words)
        spans = _spans(tuple(self.words[word] for word in words), min(right - _NAMES, widest), has_grips=has_grips)
        return tuple(
            Chip(word, Area(_NAMES + left, middle - _CHIP_HEIGHT / 2, wide, _CHIP_HEIGHT), text, role, has_grip)
            for word, (left, wide, text, role, has_grip) in zip(words, spans, strict=True)
        )


# One for each frame of a state: what a press finds is what was drawn.
@lru_cache(maxsize=8)
def attention_layout(
    width: float, height: float, words: tuple[str, ...], places: tuple[int, ...], n_schemes: int, is_paper: bool
) -> AttentionLayout:
    """The layout of a sentence in a box."""
    return AttentionLayout(width, height, words, places, n_schemes, is_paper)


def _held(chip: Chip) -> Area:
    """Where a chip is pressed: bars without letters have no gaps between them."""
    x, y, wide, tall = chip.area
    return chip.area if chip.text else Area(x - 0.5, y, wide + 1.0, tall)


class _Style(NamedTuple):
    """How chips of a row are set: the role of their letters, the room at their ends, between them, and for a grip."""

    role: str
    pad: float
    gap: float
    grip: float = 0.0


# From roomy to narrow; a word that finds no room in the last one is shortened.
_STYLES: Final = (_Style("segment", 14.0, 6.0, 12.0), _Style("segment", 6.0, 3.0), _Style("tick", 4.0, 2.0))


@lru_cache(maxsize=16)
def _widths(words: tuple[str, ...], style: _Style, *, has_grips: bool = False) -> tuple[float, ...]:
    """The widths of chips with whole words."""
    around = 2 * style.pad + (style.grip if has_grips else 0.0)
    return tuple(text_width(style.role, word) + around for word in words)


def _row_width(widths: Sequence[float], style: _Style) -> float:
    return sum(widths) + style.gap * (len(widths) - 1)


class _Span(NamedTuple):
    """Where a chip of a row begins, how wide it is, its text with the role of its letters, whether it has a grip."""

    left: float
    width: float
    text: str
    role: str
    has_grip: bool = False


def _spans(words: tuple[str, ...], room: float, *, has_grips: bool) -> list[_Span]:
    """The chips of a row of a width: evenly spaced where there is room, one after the other where there is less.

    Without letters where words would be too short to be told apart.
    """
    if not words:
        return []
    slot, roomy = room / len(words), _STYLES[0]
    if slot < _NARROWEST_TEXT:
        return [_Span(slot * place, max(slot - 1.0, 0.5 * slot), "", "tick") for place in range(len(words))]
    widths = _widths(words, roomy, has_grips=has_grips)
    if max(widths) + roomy.gap <= slot:
        return [
            _Span(slot * (place + 0.5) - wide / 2, wide, word, roomy.role, has_grips)
            for place, (wide, word) in enumerate(zip(widths, words, strict=True))
        ]
    if _row_width(widths, roomy) <= room:
        return _side_by_side(words, widths, roomy, room, has_grips=has_grips)
    for style in _STYLES[1:]:
        widths = _widths(words, style)
        if _row_width(widths, style) <= room:
            return _side_by_side(words, widths, style, room)
    cap = max(widths)
    while _row_width([min(wide, cap) for wide in widths], style) > room and cap > _NARROWEST_TEXT - style.gap:
        cap -= 2.0
    widths = tuple(min(wide, cap) for wide in widths)
    fitting = zip(words, widths, strict=True)
    texts = tuple(wrapped(style.role, word, wide - 2 * style.pad + 0.5, 1)[0] for word, wide in fitting)
    return _side_by_side(texts, widths, style, room)


def _side_by_side(
    texts: tuple[str, ...], widths: Sequence[float], style: _Style, room: float, *, has_grips: bool = False
) -> list[_Span]:
    """Chips one after the other; what room is left stands between them."""
    gap = min((room - sum(widths)) / max(len(texts) - 1, 1), _WIDEST_GAP)
    spans, left = [], 0.0
    for wide, text in zip(widths, texts, strict=True):
        spans.append(_Span(left, wide, text, style.role, has_grips))
        left += wide + gap
    return spans
