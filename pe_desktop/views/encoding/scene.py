"""The wavelengths of all pairs beside the number of positions, the chosen one ringed."""

from collections.abc import Iterable
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measuring.periodic import reach, turning_within
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw.chart import MOST_STEMS, Chart, Curve, Scale
from pe_desktop.draw.dial import hand_name
from pe_desktop.draw.flow import Block, paragraph
from pe_desktop.draw.number_text import short, whole
from pe_desktop.draw.scene import Area, Place
from pe_desktop.model.findings import Answers
from pe_desktop.views.controls import CAPTIONS
from pe_desktop.views.paged import Page, PagedView

# The least height of the plot.
_TALL: Final = 60.0


@record
class _Spectrum(Chart):
    """The chart with a place for each pair, or for those that are chosen or pinned where there are many."""

    named: tuple[tuple[int, str, float], ...] = ()

    def places(self, area: Area) -> Iterable[Place]:
        (every,) = Chart.places(self, area)
        yield every
        axis = self.plot(area).x
        column = axis.area._replace(width=max(min(axis.place(1.0) - axis.place(0.0), 16.0), 4.0))
        for pair, name, wavelength in self.named:
            where = column._replace(x=axis.place(float(pair)) - column.width / 2)
            yield Place(name, where, short(wavelength, 4), pair == self.at, every.sets)


def _page(state: State, _answers: Answers) -> Block:
    """Stems of all pairs, a dashed line at N and a dotted one at the trained length, which the title tells."""
    encoding = state.encoding
    cursor = state.cursor
    pairs = state.encoding.turning_pairs
    if pairs is None:
        return paragraph(f"{_no_pairs(encoding)}.")
    count = pairs.count
    lengths = pairs.wavelengths
    end = reach(encoding, pairs)
    ends = min(float(lengths.min()), end) * 0.55, max(float(lengths.max()), end) * 1.5
    told = f"N = {whole(end)}" if pairs.turns_evenly else f"f over N: {short(end)}"
    lines = {f"dashed {told}": (end, (4.0, 3.0))}
    if pairs.turns_evenly and ends[0] <= state.trained_length <= ends[1]:
        lines[f"dotted: trained {whole(state.trained_length)}"] = float(state.trained_length), (1.6, 3.2)
    across = np.array([-0.49, count - 0.51])
    levels = (Curve("", across, np.full(2, level), "text2", 1.0, dash) for level, dash in lines.values())
    shown = range(count) if count <= MOST_STEMS else sorted({*cursor.visible_pins(encoding), cursor.pair})
    unit = "Positions per turn" if pairs.turns_evenly else "Mapped positions per turn"
    return _Spectrum(
        ", ".join((unit, *lines)),
        Scale("pair i", -0.49, count - 0.51, ticks="positions", sets="pair", is_whole=True, total=count),
        Scale("", *ends, is_logarithmic=True),
        (*levels, Curve("", np.arange(float(count)), lengths, style="stems")),
        float(cursor.pair),
        tall=_TALL,
        name="wavelengths",
        shorter=(", ".join(lines), told),
        dots=(float(lengths[cursor.pair]),),
        grows=True,
        named=tuple((pair, hand_name(encoding, pair), float(lengths[pair])) for pair in shown),
    )


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    """How many pairs complete a turn within the table."""
    pairs = state.encoding.turning_pairs
    if pairs is None:
        return ("",)
    count = f"{whole(turning_within(state.encoding, pairs))} of {whole(pairs.count)}"
    return f"{count} turn within N", f"{count} turn"


def _readout(state: State, answers: Answers) -> str:
    pairs = state.encoding.turning_pairs
    wavelengths = [] if pairs is None else pairs.wavelengths.tolist()
    return "\n".join(f"{pair}\t{wavelength!r}" for pair, wavelength in enumerate(wavelengths))


def _sentence(state: State, answers: Answers) -> str:
    encoding = state.encoding
    pairs = state.encoding.turning_pairs
    if pairs is None:
        return _no_pairs(encoding)
    turning = f"{whole(turning_within(encoding, pairs))} of {whole(pairs.count)} pairs"
    return f"{encoding.title}: {turning} turn once within {whole(encoding.n_positions)} positions"


def explanation(state: State) -> str:
    pairs, said = state.encoding.turning_pairs, CAPTIONS["encoding"]
    shown = "still" if pairs is None else "even" if pairs.turns_evenly else "mapped"
    return str(said[shown].format(trained=said["trained"] if state.trained_length else ""))


def _no_pairs(encoding: Encoding) -> str:
    return f"{encoding.title}: no pair turns, so there are no wavelengths"


VIEW = PagedView("", {"": Page(_page, _sentence, explanation, text=_readout, is_wide=True)}, _forms)
