"""Every scheme: what moving the words does under each of them, in a table and on one axis, and what offsets add."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from functools import partial
from typing import Final

import numpy as np

from pe_desktop.core.cursor import Preview
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.record import kept, record
from pe_desktop.core.scores.attention import Attention
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.scores.term_ranges import Parts
from pe_desktop.draw import marks
from pe_desktop.draw.cell_map import cells_image
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import GROW, Block, Column, Fits, Layers, Row, Space, Table, Words, in_row
from pe_desktop.draw.number_text import fixed
from pe_desktop.draw.plot import Axis, label_on_ground, outline
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme
from pe_desktop.views.attention.head import SAID, SCHEME_TOOLTIPS, Differences, difference_text

_ROW: Final = 18.0
# How far the head of a chart is higher than that of a table; narrower views have no chart.
_HEAD, _WITH_AXIS = 14.0, 600.0
# Where zero stands, and where the axis begins, so that its first number has room.
_LEAST, _FIRST = 1e-17, 1.1e-18
_MASKS: Final = ("no mask", "causal")
_LEGEND, _OFF = "● no mask  □ causal", "switched off now"
# How far a press finds a disc, and a square, over which the disc may lie; a strip of biases and its number.
_NEAR, _STRIP, _NUMBER = (5.0, 9.0), 72.0, 60.0


@record
class _Marks(Chart):
    """The chart of both numbers of each scheme, whose marks set scheme and mask."""

    chosen: tuple[str, bool] = ("", False)

    def places(self, area: Area) -> Iterable[Place]:
        # The chosen curve is drawn last, but a disc may lie over a square alone.
        for causal, curve in ((True, self.curves[1]), (False, self.curves[0])):
            spots = self.plot(area).points(curve.x, curve.y).tolist()
            for number, row, (x, y) in zip(curve.x.tolist(), curve.y, spots, strict=True):
                scheme, where = [*SCHEMES][int(row)], Area.around(x, y, _NEAR[causal])
                text = difference_text(0.0 if number == _LEAST else number)
                name, sets = f"{SCHEMES[scheme].title}, {_MASKS[causal]}", {"scheme": scheme, "causal": causal}
                yield Place(name, where, text, (scheme, causal) == self.chosen, sets, f"{name}: {text}")


@record
class _Strip(Block):
    """What each offset adds to the scores of the word at t, and the number of k; a press sets k. None adds nothing."""

    scheme: str
    biases: tuple[float, ...] = field(compare=False)
    limit: float = field(compare=False)
    offset: float = field(compare=False)

    def height(self, width: float) -> float:
        return _ROW

    def moving(self, area: Area, theme: Theme) -> marks.Picture:
        axis = self._axis(area)
        if not self.biases:
            return ()
        image = cells_image(axis.area, np.array([self.biases]), (-self.limit, self.limit), theme.diverging)
        frame = (outline(axis.step_area(self.offset), theme.ink, 1.6),) if axis.shows(self.offset) else ()
        return (image, *frame, *self._ghosts(axis, axis.area, Preview(offset=self.offset), theme))

    def places(self, area: Area) -> Iterable[Place]:
        axis = self._axis(area)
        name, sets = f"biases of {SCHEMES[self.scheme].title}", axis.slide("offset", is_whole=True)
        ghosts = partial(self._ghosts, axis)
        place = Place(name, axis.area, self._number(self.offset), False, sets, SAID["biases"], ghosts=ghosts)
        return (place,) if self.biases else ()

    def _axis(self, area: Area) -> Axis:
        reach = len(self.biases) / 2
        return Axis(Area(area.x + 12.0, area.y + 2.0, _STRIP, _ROW - 4.0), -reach, reach)

    def _number(self, offset: float | None) -> str:
        place = -1 if offset is None else round(offset) + len(self.biases) // 2
        return fixed(self.biases[place], 3) if 0 <= place < len(self.biases) else ""

    def _ghosts(self, axis: Axis, _area: Area, preview: Preview, theme: Theme) -> marks.Picture:
        """The number of an offset, that of a preview over that of k."""
        number, (_, top, right, _) = self._number(preview.offset), axis.area.sides
        ground = marks.Rectangle(right + 2.0, top, _NUMBER - 14.0, axis.area.height, theme.panel)
        return (ground, *label_on_ground(right + 8.0, axis.area.middle[1], number, theme)) if number else ()


def every_scheme(
    attention: Attention, encoding: Encoding, found: Differences, parts: Parts | None, offset: float
) -> Block:
    """A row for each scheme, which a press on it chooses, its biases, and its two numbers on a logarithmic axis."""
    table, chart = _still(attention, encoding, found)
    biases = {} if parts is None else {name: tuple(one.tolist()) for name, one in parts.biases.items()}
    limit = max((abs(bias) for one in biases.values() for bias in one), default=0.0) or 1.0
    strips = [_Strip(scheme, biases.get(scheme, ()), limit, offset) for scheme in SCHEMES]
    column = Column((Space(_HEAD + Table.HEAD), *strips))
    wide = in_row((table.width(), _STRIP + _NUMBER, GROW), Space(0.0), column, chart, gap=0.0)
    narrow = in_row((table.width(), GROW), Space(0.0), column, gap=0.0)
    title = Words("Every scheme, the same move", "strong", shorter=("Every scheme",))
    rows = Layers((Column((Space(_HEAD), table)), Fits((wide, narrow), (_WITH_AXIS, 0.0))))
    return Column((title, rows), gap=4.0)


@kept
def _still(attention: Attention, encoding: Encoding, found: Differences) -> tuple[Table, Block]:
    """The table of all numbers, and their marks on an axis."""
    known = found or ((None, None),) * len(SCHEMES)
    table = Table(("", *_MASKS, ""), tuple(_rows(attention, encoding, known)), 20.0, _ROW)
    numbers = np.array(known, dtype=np.float64).T
    places = np.arange(float(len(known)))
    last = 10.0 ** math.ceil(math.log10(np.nanmax([10.0, *numbers.ravel()])))
    curves = [
        Curve(
            "", np.maximum(row[np.isfinite(row)], _LEAST), places[np.isfinite(row)], wide=3.0,
            is_chosen=causal == attention.causal, style="squares" if causal else "dots",
        ) for causal, row in enumerate(numbers)
    ]  # fmt: skip
    told = "Largest change of an output" if attention.order else "No word has moved yet"
    rows = Scale("", len(known) - 0.5, -0.5, ticks="none")
    axis = Scale(_LEGEND, _FIRST, last, is_logarithmic=True)
    chosen = attention.scheme, attention.causal
    tall = _ROW * len(known)
    return table, _Marks(told, axis, rows, tuple(curves), tall=tall, chosen=chosen)


def _rows(
    attention: Attention, encoding: Encoding, found: tuple[tuple[float | None, float | None], ...]
) -> Iterator[Row]:
    """What moving makes under each scheme, without and with a mask, and a note on it."""
    at_work = replace(attention, drops_positions=False)
    for (name, scheme), both in zip(SCHEMES.items(), found, strict=True):
        is_chosen = name == attention.scheme
        is_off = is_chosen and attention.drops_positions and name != "none"
        note = _OFF if is_off else replace(at_work, scheme=name).made(encoding).note
        texts = tuple(map(difference_text, both))
        value = ", ".join(f"{mask} {text}" for mask, text in zip(_MASKS, texts, strict=True))
        texts = scheme.title, *texts, note
        tooltip = SCHEME_TOOLTIPS[name]
        yield Row(texts, {"scheme": name}, is_chosen, (), tooltip, f"scheme {scheme.title}", value)
