"""Every scheme: what moving the words does under each of them, as marks on one axis, and folded to numbers."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from pe_desktop.core.encoding import ROUNDING, Encoding
from pe_desktop.core.record import kept, record
from pe_desktop.core.scores.attention import Attention
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.draw import marks
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Grid, Ground, Named, Space, Words, in_row, small
from pe_desktop.draw.plot import Axis, Tick, label_on_ground, outline
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme
from pe_desktop.views.attention.head import SCHEME_TOOLTIPS, Differences, difference_text

_ROW: Final = 18.0
# Left of the axis stand names and notes, right of it two columns of numbers; narrow views leave the notes out.
_NAMES, _NOTES, _NUMBER = 50.0, 92.0, 64.0
_ROOM_FOR_NOTES: Final = 560.0
_ROOM_FOR_ALL: Final = 740.0
# So many powers of ten stand at the axis at most.
_N_POWERS: Final = 5.5
_MARK: Final = 4.5
_MASKS: Final = {False: "no mask", True: "causal"}
_OFF, _NO_ORDER = "switched off now", "rounding only: the order is not seen"
_NO: Final = Space(0.0)


class _Scheme(NamedTuple):
    """One row: a scheme by its id, what moving makes without and with a mask; which of both is chosen, if it is."""

    id: str
    title: str
    note: str
    both: tuple[float | None, float | None]
    chosen: bool | None

    def place(self, block: Block) -> Named:
        """Its place: a press chooses the scheme."""
        value = ", ".join(f"{word} {difference_text(self.both[mask])}" for mask, word in _MASKS.items())
        tooltip, sets = SCHEME_TOOLTIPS[self.id], {"scheme": self.id}
        return Named(f"scheme {self.title}", block, value, sets, tooltip, self.chosen is not None)

    def numbers(self) -> Iterator[Words]:
        """Both numbers as texts, that of what is chosen bold."""
        for mask, one in zip(_MASKS, self.both, strict=True):
            looks = ("flag", "text") if mask == self.chosen else ("tick", "text2")
            yield Words(difference_text(one), *looks, across=1.0)


@kept
def _schemes(attention: Attention, encoding: Encoding, found: Differences) -> tuple[_Scheme, ...]:
    off = attention.scheme if attention.drops_positions else "none"
    attention = replace(attention, drops_positions=False)
    notes = (_OFF if one == off != "none" else replace(attention, scheme=one).made(encoding).note for one in SCHEMES)
    titles = (scheme.title for scheme in SCHEMES.values())
    rows = zip(SCHEMES, titles, notes, found or ((None, None),) * len(SCHEMES), strict=True)
    return tuple(_Scheme(*row, attention.causal if row[0] == attention.scheme else None) for row in rows)


@record
class _Marks(Block):
    """The marks of a scheme on the axis: a disc without a mask, an open square with one; a press sets both."""

    row: _Scheme
    last: float

    def height(self, width: float) -> float:
        return _ROW

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        picture, free = marks.Marks(), self.row.both[0]
        # The disc lies over the square where both share a place.
        for mask, (x, y) in reversed(tuple(self._spots(area))):
            ink = theme.ink if mask == self.row.chosen else theme.text2
            square = Area.around(x, y, _MARK - 0.5)
            picture.append(outline(square, ink, 1.5) if mask else marks.Dots.at(x, y, _MARK, ink))
            if not mask and free is not None and free < ROUNDING and area.width > 300.0:
                picture += label_on_ground(x + 10.0, y, _NO_ORDER, theme)
        axis = _axis(area, self.last)
        return (axis.grid(_powers(axis), theme), *picture)

    def places(self, area: Area) -> Iterable[Place]:
        for mask, (x, _y) in self._spots(area):
            text = difference_text(self.row.both[mask])
            name = f"{self.row.title}, {_MASKS[mask]}"
            sets = {"scheme": self.row.id, "causal": mask}
            spot = Area(x - 7.0, area.y, 14.0, area.height)
            yield Place(f"mark {name}", spot, text, mask == self.row.chosen, sets, f"{name}: {text}")

    def _spots(self, area: Area) -> Iterator[tuple[bool, tuple[float, float]]]:
        """The middle of the mark of each mask; zero stands at the start of the axis, what is not known nowhere."""
        axis = _axis(area, self.last)
        for mask, one in zip(_MASKS, self.row.both, strict=True):
            if one is not None and math.isfinite(one):
                yield mask, (axis.place(max(one, axis.first)), area.y + 8.5)


def _axis(area: Area, last: float) -> Axis:
    return Axis(area._replace(x=area.x + 12.0, width=max(area.width - 24.0, 1.0)), 1e-16, last, is_logarithmic=True)


def _powers(axis: Axis) -> tuple[Tick, ...]:
    return axis.power_ticks(axis.length / _N_POWERS)


def _labels(area: Area, theme: Theme, last: float) -> marks.Picture:
    axis = _axis(area._replace(height=0.0), last)
    return tuple(axis.labels(_powers(axis), theme, 8.0))


@kept
def marked(attention: Attention, encoding: Encoding, found: Differences, width: float) -> Block:
    """One logarithmic axis for all schemes, a row for each; a press on a row chooses it, on a mark the mask, too."""
    rows = _schemes(attention, encoding, found)
    known = [one for both in found or () for one in both if math.isfinite(one)]
    last = 10.0 ** math.ceil(math.log10(max([10.0, *known])))
    title = Words("Every scheme, the same move", "strong", shorter=("Every scheme",))
    told = "largest change of an output" if attention.order else "no word has moved yet"
    hint = small(told, "")
    masks = (Words(mask, "tick", "text2", across=1.0) for mask in ("● no mask", "□ causal"))
    head = in_row((FIT, GROW, _NUMBER, _NUMBER, 0.0), title, hint, *masks, _NO, gap=8.0)
    lines = list[tuple[Block, ...]]()
    places = list[Named | None]()
    has_notes = width >= _ROOM_FOR_NOTES
    for one in rows:
        note = Words(one.note if has_notes else "", "tick", "text2")
        lines.append((_NO, Words(one.title, "segment"), note, _Marks(one, last), *one.numbers(), _NO))
        places.append(one.place(_NO if one.chosen is None else Ground()))
    lines.append((_NO, _NO, _NO, Drawn(_labels, (last,), 16.0), _NO, _NO, _NO))
    columns = (0.0, _NAMES, _NOTES if has_notes else 0.0, GROW, _NUMBER, _NUMBER, 0.0)
    return Column((head, Grid(columns, tuple(lines), (*places, None), gap=8.0, between=1.0)), gap=4.0)


@kept
def folded(attention: Attention, encoding: Encoding, found: Differences) -> Block:
    """The same as a column of two numbers for each scheme, in narrow views in two rows; a press chooses it."""
    words = Column(
        (Words("Every scheme", "strong"), *(Words(mask, "tick", "text2") for mask in _MASKS.values())), gap=1.0
    )
    cells: list[Block] = []
    for row in _schemes(attention, encoding, found):
        title = Words(row.title, "segment" if row.chosen is None else "strong", across=1.0)
        cells.append(row.place(Column((title, *row.numbers()), gap=1.0)))
    half = math.ceil(len(cells) / 2)
    one, upper, lower = (
        in_row((FIT, *(GROW,) * len(part)), words, *part, gap=6.0)
        for part in (cells, cells[:half], [*cells[half:], *(_NO,) * (len(cells) % 2)])
    )
    return Column((Fits((one, Column((upper, lower), gap=6.0)), (_ROOM_FOR_ALL, 0.0)), Space(4.0)))
