"""Every scheme: what moving the words does under each of them, as marks on one axis, in narrow views as numbers."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from pe_desktop.core.encoding import ROUNDING, Encoding
from pe_desktop.core.record import kept, record
from pe_desktop.core.scores.attention import Attention
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.draw import marks
from pe_desktop.draw.flow import GROW, Block, Column, Drawn, Fits, Grid, Ground, Named, Row, Space, Table, Words, small
from pe_desktop.draw.plot import Axis, Tick, label_on_ground, outline
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme
from pe_desktop.views.attention.head import SCHEME_TOOLTIPS, Differences, difference_text

_ROW: Final = 18.0
# Names and notes at the left of the axis, two columns of numbers at its right; narrower views have the numbers alone.
_COLUMNS: Final = (0.0, 50.0, 92.0, GROW, 64.0, 64.0, 0.0)
_ROOM_FOR_MARKS: Final = 560.0
# So many powers of ten stand at the axis at most.
_N_POWERS: Final = 5.5
_MARK: Final = 4.5
_MASKS: Final = {False: "no mask", True: "causal"}
_OFF, _NO_ORDER = "switched off now", "rounding only: the order is not seen"
_NO: Final = Space(0.0)


@record
class _Marks(Block):
    """The marks of a scheme on the axis: a disc without a mask, an open square with one; a press sets both.

    chosen: which of both is chosen, if it is; last: where the axis ends.
    """

    scheme: str
    note: str
    both: tuple[float | None, float | None]
    chosen: bool | None
    last: float

    def height(self, width: float) -> float:
        return _ROW

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        picture, free = marks.Marks(), self.both[0]
        # The disc lies over the square where both share a place.
        for mask, (x, y) in reversed(tuple(self._spots(area))):
            ink = theme.ink if mask == self.chosen else theme.text2
            square = Area.around(x, y, _MARK - 0.5)
            picture.append(outline(square, ink, 1.5) if mask else marks.Dots.at(x, y, _MARK, ink))
            if not mask and free is not None and free < ROUNDING and area.width > 300.0:
                picture += label_on_ground(x + 10.0, y, _NO_ORDER, theme)
        axis = _axis(area, self.last)
        return (axis.grid(_powers(axis), theme), *picture)

    def places(self, area: Area) -> Iterable[Place]:
        for mask, (x, _y) in self._spots(area):
            text = difference_text(self.both[mask])
            name = f"{self.title}, {_MASKS[mask]}"
            sets = {"scheme": self.scheme, "causal": mask}
            spot = Area(x - 7.0, area.y, 14.0, area.height)
            yield Place(f"mark {name}", spot, text, mask == self.chosen, sets, f"{name}: {text}")

    def _spots(self, area: Area) -> Iterator[tuple[bool, tuple[float, float]]]:
        """The middle of the mark of each mask; zero stands at the start of the axis, what is not known nowhere."""
        axis = _axis(area, self.last)
        for mask, one in zip(_MASKS, self.both, strict=True):
            if one is not None and math.isfinite(one):
                yield mask, (axis.place(max(one, axis.first)), area.y + 8.5)

    def named(self) -> Named:
        """Its row as a place: a press chooses the scheme."""
        ground = _NO if self.chosen is None else Ground()
        about = ", ".join(f"{mask} {text}" for mask, text in zip(_MASKS.values(), self.texts, strict=True))
        sets, tooltip = {"scheme": self.scheme}, SCHEME_TOOLTIPS[self.scheme]
        return Named(f"scheme {self.title}", ground, about, sets, tooltip, self.chosen is not None)

    def cells(self) -> tuple[Block, ...]:
        """Its name, its note, the marks and both numbers, that of what is chosen bold."""
        looks = (("flag", "text") if mask == self.chosen else ("tick", "text2") for mask in _MASKS)
        numbers = (Words(text, *look, across=1.0) for text, look in zip(self.texts, looks, strict=True))
        return _NO, Words(self.title, "segment"), Words(self.note, "tick", "text2"), self, *numbers, _NO

    @property
    def title(self) -> str:
        return SCHEMES[self.scheme].title

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(map(difference_text, self.both))


def _axis(area: Area, last: float) -> Axis:
    return Axis(area._replace(x=area.x + 12.0, width=max(area.width - 24.0, 1.0)), 1e-16, last, is_logarithmic=True)


def _powers(axis: Axis) -> tuple[Tick, ...]:
    return axis.power_ticks(axis.length / _N_POWERS)


def _labels(area: Area, theme: Theme, last: float) -> marks.Picture:
    axis = _axis(area._replace(height=0.0), last)
    return tuple(axis.labels(_powers(axis), theme, 8.0))


@kept
def every_scheme(attention: Attention, encoding: Encoding, found: Differences) -> Block:
    """One logarithmic axis for all schemes, a row for each; a press on a row chooses it, on a mark the mask, too."""
    at_work = replace(attention, drops_positions=False)
    known = [one for both in found or () for one in both if math.isfinite(one)]
    last = 10.0 ** math.ceil(math.log10(max([10.0, *known])))
    schemes = list[_Marks]()
    for name, both in zip(SCHEMES, found or ((None, None),) * len(SCHEMES), strict=True):
        is_chosen = name == attention.scheme
        is_off = is_chosen and attention.drops_positions and name != "none"
        note = _OFF if is_off else replace(at_work, scheme=name).made(encoding).note
        schemes.append(_Marks(name, note, both, attention.causal if is_chosen else None, last))
    hint = small("largest change of an output" if attention.order else "no word has moved yet", "")
    heads = (Words(mask, "tick", "text2", across=1.0) for mask in ("● no mask", "□ causal"))
    axis = _NO, _NO, _NO, Drawn(_labels, (last,), 16.0), _NO, _NO, _NO
    lines = (_NO, _NO, _NO, hint, *heads, _NO), *(one.cells() for one in schemes), axis
    places = [one.named() for one in schemes]
    wide = Grid(_COLUMNS, lines, (None, *places, None), gap=8.0, between=1.0)
    rows = (
        Row((one.title, *one.texts), {"scheme": one.scheme}, at.is_chosen, (), at.tooltip, at.name, at.value)
        for one, at in zip(schemes, places, strict=True)
    )
    narrow = Table(("", *_MASKS.values()), tuple(rows))
    title = Words("Every scheme, the same move", "strong", shorter=("Every scheme",))
    return Column((title, Fits((wide, narrow), (_ROOM_FOR_MARKS, 0.0))), gap=4.0)
