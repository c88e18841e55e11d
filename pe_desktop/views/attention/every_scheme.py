"""Every scheme: what moving the words does under each of them, in a table, and where there is room on one axis."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.record import kept
from pe_desktop.core.scores.attention import Attention
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Fits, Row, Space, Table, Words, in_row
from pe_desktop.views.attention.head import SCHEME_TOOLTIPS, Differences, difference_text

_ROW: Final = 18.0
# How far the head of a chart is higher than that of a table; narrower views have the table alone.
_HEAD, _WITH_AXIS = 14.0, 560.0
# Where zero stands, and where the axis begins, so that its first number has room.
_LEAST, _FIRST = 1e-17, 1.1e-18
_MASKS: Final = ("no mask", "causal")
_OFF: Final = "switched off now"


@kept
def every_scheme(attention: Attention, encoding: Encoding, found: Differences) -> Block:
    """A row for each scheme, which a press on it chooses, and its two numbers on a logarithmic axis."""
    known = found or ((None, None),) * len(SCHEMES)
    table = Table(("", *_MASKS, ""), tuple(_rows(attention, encoding, known)), 20.0, _ROW)
    title = Words("Every scheme, the same move", "strong", shorter=("Every scheme",))
    numbers = np.array(known, dtype=np.float64).T
    places = np.arange(float(len(known)))
    last = 10.0 ** math.ceil(math.log10(np.nanmax([10.0, *numbers.ravel()])))
    curves = [
        Curve(name, np.maximum(row[np.isfinite(row)], _LEAST), places[np.isfinite(row)], ink, wide, style="dots")
        for name, row, ink, wide in zip(_MASKS, numbers, ("text", "text3"), (3.0, 2.0), strict=True)
    ]
    told = "Largest change of an output" if attention.order else "No word has moved yet"
    rows = Scale("", len(known) - 0.5, -0.5, ticks="none")
    axis = Scale("", _FIRST, last, is_logarithmic=True)
    chart = Chart(told, axis, rows, tuple(curves[::-1]), tall=_ROW * len(known), name="changes", names_from=0.0)
    both = in_row((FIT, GROW), Column((Space(_HEAD), table)), chart)
    return Column((title, Fits((both, table), (_WITH_AXIS, 0.0))), gap=4.0)


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
