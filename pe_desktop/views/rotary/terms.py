"""The score, term by term: a bar for each pair, and the running sum that ends at the score."""

import math
from dataclasses import replace
from typing import Final

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.encoding import Floats
from pe_desktop.core.record import record
from pe_desktop.core.scores.rotary import rotary_of
from pe_desktop.core.scores.schemes import Rotary
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, scientific, whole
from pe_desktop.draw.plot import Axis, Plot
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import badge_half_width, formula_runs, text_width
from pe_desktop.views.rotary.curve import level_ticks
from pe_desktop.views.rotary.layout import ScoreLayout

TITLE: Final = "RoPE score, term by term"
FORMULA: Final = "Σ |q_i| |k_i| cos(φ_i + (s − t) ω_i) / √d"
# Where partners of one pairing turn by the angles of the other, no single angle is left.
MIXED_FORMULA: Final = "Σ (R_t q)_i · (R_s k)_i / √d"
# Pixels of a bar and its gap at least; more pairs share bars.
_NARROWEST_SLOT: Final = 3.0
_BAR_SHARE: Final = 0.64
_BADGE: Final = 8.5
_LARGEST_PLAIN: Final = 1e5
_BITS: Final = 30


@record(eq=False)
class Terms:
    """What each pair adds, shape (n_pairs,), the first n_turning of them turning."""

    values: Floats
    n_turning: int

    @property
    def score(self) -> float:
        return float(self.values.sum())


def score_text(value: float, decimals: int = 3) -> str:
    """A score with so many decimals, a huge one as a power of ten."""
    return fixed(value, decimals) if abs(value) < _LARGEST_PLAIN else scientific(value, 3)


def pairs_in_a_bar(n_pairs: int, width: float) -> int:
    """How many neighbouring pairs share a bar."""
    return max(math.ceil(n_pairs * _NARROWEST_SLOT / width), 1)


def bar_at(area: Area, x: float, n_pairs: int) -> int:
    """The pair under an x of the plot, the first one of a bar that several share."""
    group = pairs_in_a_bar(n_pairs, area.width)
    n_bars = math.ceil(n_pairs / group)
    return min(max(int((x - area.x) / area.width * n_bars), 0), n_bars - 1) * group


@record
class SeenTerms:
    """Terms as far as they are seen: a pair adds the same at every t, but for rounding, unless pairings are mixed up.

    marked: the chosen pair, then those that are pinned.
    """

    values: tuple[float, ...]
    n_turning: int
    score: str
    marked: tuple[int, ...]


def seen_terms(terms: Terms, marked: tuple[int, ...]) -> SeenTerms:
    """The terms to some nine digits of the largest."""
    unit = math.ldexp(1.0, math.frexp(float(np.abs(terms.values).max(initial=0.0)))[1] - _BITS)
    values = tuple((np.rint(terms.values / unit) * unit).tolist()) if unit else (0.0,) * len(terms.values)
    return SeenTerms(values, terms.n_turning, score_text(terms.score), marked)


def terms_picture(layout: ScoreLayout, terms: SeenTerms, theme: Theme) -> marks.Picture:
    """Axis, bars, running sum and score, and the numbers of the pairs."""
    area = layout.terms
    group = pairs_in_a_bar(len(terms.values), area.width)
    bars = np.add.reduceat(np.array(terms.values), np.arange(0, len(terms.values), group))
    sums = np.concatenate([[0.0], np.cumsum(bars)])
    plot = _plot(area, bars, sums)
    levels = level_ticks(plot.y)
    return (
        plot.y.grid(levels, theme),
        *plot.y.labels(levels, theme),
        plot.y.line(0.0, theme.axis),
        *_bars(plot, bars, group, terms, theme),
        *_staircase(plot, sums, theme),
        *_score(plot, float(sums[-1]), terms.score, theme),
        *_pair_numbers(area, terms, group, theme),
    )


def places(layout: ScoreLayout, terms: Terms, pair: int) -> list[Place]:
    """The bars with their numbers, and the score."""
    area, n_pairs = layout.terms, len(terms.values)
    group = pairs_in_a_bar(n_pairs, area.width)
    slot = area.width / math.ceil(n_pairs / group)
    found: list[Place] = []
    for place, first in enumerate(range(0, n_pairs, group)):
        last = min(first + group, n_pairs) - 1
        name = f"pair {first}" if first == last else f"pairs {first} to {last}"
        value = score_text(float(terms.values[first : last + 1].sum()), 4)
        where = Area(area.x + place * slot, area.y, slot, area.height)
        found.append(Place(name, where, value, is_chosen=first <= pair <= last))
    return [*found, Place("score", Area(area.right, area.y, layout.width - area.right, 36.0), score_text(terms.score))]


def _legend_text(n_pairs: int, n_turning: int, width: float) -> str:
    """What bars and line are."""
    group = pairs_in_a_bar(n_pairs, width)
    bars = "bars: each pair" if group == 1 else f"bars: {whole(group)} pairs each"
    still = "   grey: not turned" if n_turning < n_pairs else ""
    return f"{bars}   line: running sum{still}"


def _plot(area: Area, bars: Floats, sums: Floats) -> Plot:
    low = min(float(bars.min()), float(sums.min()), 0.0)
    high = max(float(bars.max()), float(sums.max()), 0.0)
    room = 0.06 * ((high - low) or 1.0)
    x = Axis(area, 0.0, float(len(bars)))
    return Plot(x, Axis(area, low - room * (low < 0), high + room, "left"))


def _bars(plot: Plot, bars: Floats, group: int, terms: SeenTerms, theme: Theme) -> list[marks.Mark]:
    zero, n_pairs = plot.y.place(0.0), len(terms.values)
    slot = plot.x.length / len(bars)
    wide = max(slot * _BAR_SHARE, 1.0)
    found: list[marks.Mark] = []
    colors = theme.pair_colors(n_pairs)[::group].tolist()
    for place, value in enumerate(bars.tolist()):
        color = QColor(*colors[place]) if place * group < terms.n_turning else theme.axis
        top = plot.y.place(value)
        left = plot.x.area.x + (place + 0.5) * slot - wide / 2
        found.append(marks.Rectangle(left, min(top, zero), wide, max(abs(top - zero), 0.75), fill=color))
    return found


def _staircase(plot: Plot, sums: Floats, theme: Theme) -> list[marks.Mark]:
    """Along each bar the sum up to it and with it."""
    edges = np.repeat(np.arange(len(sums), dtype=np.float64), 2)[:-1]
    heights = np.concatenate([sums[:1], np.repeat(sums[1:], 2)])
    points = plot.points(edges, heights)
    return [marks.Polyline(points, theme.ink, 1.8)]


def _score(plot: Plot, score: float, text: str, theme: Theme) -> list[marks.Mark]:
    y, right = plot.y.place(score), plot.x.area.right
    below = 15.0 if y + 22.0 < plot.x.area.bottom + 12.0 else -15.0
    return [
        marks.Dots(np.array([[right, y]]), 4.5, theme.ink),
        marks.Text(right + 10.0, y, text, "value", theme.text),
        marks.Text(right + 10.0, y + below, "score", "tick", theme.text2),
    ]


def _pair_numbers(area: Area, terms: SeenTerms, group: int, theme: Theme) -> list[marks.Mark]:
    """The numbers under the bars, that of the chosen pair and of pinned ones in badges, as many as have room."""
    n_pairs = len(terms.values)
    slot, y = area.width / math.ceil(n_pairs / group), area.bottom + 18.0
    found: list[marks.Mark] = [marks.Text(0.0, y, "pair i", "tick", theme.text3)]
    taken: list[tuple[float, float]] = []
    marked = [min(pair, n_pairs - 1) for pair in terms.marked]
    for pair in dict.fromkeys([*marked, *range(0, n_pairs, _stride(n_pairs, group, slot))]):
        is_badge = pair in marked
        text = whole(pair)
        half = badge_half_width(_BADGE, text) if is_badge else text_width("tick", text) / 2
        x = area.x + (pair // group + 0.5) * slot
        if any(left < x + half + 3.0 and x - half - 3.0 < right for left, right in taken):
            continue
        taken.append((x - half, x + half))
        color = theme.pair_color(pair, n_pairs) if pair < terms.n_turning else theme.axis
        found.append(
            marks.Badge(x, y, _BADGE, text, color)
            if is_badge
            else marks.Text(x, y, text, "tick", theme.text2, across=0.5)
        )
    return found


def _stride(n_pairs: int, group: int, slot: float) -> int:
    """From one number to the next: 1, 2, 4, ... pairs."""
    room = text_width("tick", whole(n_pairs)) + 10.0
    return group << max(math.ceil(math.log2(room / slot)), 0)


def head_picture(layout: ScoreLayout, n_pairs: int, n_turning: int, formula: str, theme: Theme) -> marks.Picture:
    """Title, formula, and what bars and line are."""
    words, right = _legend_text(n_pairs, n_turning, layout.terms.width), layout.width - 4.0
    picture: list[marks.Mark] = [marks.Text(0.0, 9.0, TITLE, "title", theme.text)]
    left = text_width("title", TITLE) + 16.0
    if left + text_width("tick", words) <= right:
        picture.append(marks.Text(right, 9.0, words, "tick", theme.text2, across=1.0))
    if layout.is_roomy and formula_runs(formula, 16)[1] <= right:
        picture.append(marks.FormulaText(0.0, 36.0, formula, 16, theme.text))
    return tuple(picture)


def matched(state: State) -> Rotary:
    """RoPE with partners that turn together."""
    rotary = rotary_of(state)
    return replace(rotary, pairing="interleaved") if rotary.pairing == "mixed" else rotary
