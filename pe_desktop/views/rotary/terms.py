"""The score, term by term: a bar for each pair, and the running sum that ends at the score."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from PySide6.QtGui import QColor

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
from pe_desktop.views.rotary.curve import ScoreLayout

TITLE: Final = "RoPE score, term by term"
FORMULA: Final = "Σ |q_i| |k_i| cos(φ_i + (s − t) ω_i) / √d"
# Where partners of one pairing turn by the angles of the other, no single angle is left.
MIXED_FORMULA: Final = "Σ (R_t q)_i · (R_s k)_i / √d"
# Pixels of a bar and its gap at least; more pairs share bars.
_NARROWEST_SLOT: Final = 3.0
_BAR_SHARE: Final = 0.64
_BADGE: Final = 8.5
_LARGEST_PLAIN: Final = 1e5
# The numbers of the pairs below the bars.
_UNDER: Final = 28.0


@record
class Terms:
    """What each pair adds, the first n_turning of them turning."""

    values: tuple[float, ...]
    n_turning: int

    @property
    def score(self) -> float:
        return float(np.sum(self.values))

    def bars(self, width: float) -> Iterator[tuple[int, int, float]]:
        """First and last pair of each bar in a plot of a width, and what they add."""
        group = _pairs_in_a_bar(len(self.values), width)
        for first in range(0, len(self.values), group):
            last = min(first + group, len(self.values)) - 1
            yield first, last, float(np.sum(self.values[first : last + 1]))


def score_text(value: float, decimals: int = 3) -> str:
    """A score with so many decimals, a huge one as a power of ten."""
    return fixed(value, decimals) if abs(value) < _LARGEST_PLAIN else scientific(value, 3)


def _pairs_in_a_bar(n_pairs: int, width: float) -> int:
    """How many neighbouring pairs share a bar."""
    return max(math.ceil(n_pairs * _NARROWEST_SLOT / width), 1)


def terms_picture(area: Area, terms: Terms, marked: tuple[int, ...], theme: Theme) -> marks.Picture:
    """Axis, bars, running sum and score, and the numbers of the pairs; marked: the chosen one, then pinned ones."""
    bars = [value for _first, _last, value in terms.bars(area.width)]
    sums = np.concatenate([[0.0], np.cumsum(bars)])
    plot = _plot(area, min(*bars, *sums), max(*bars, *sums), len(bars))
    levels = plot.y.level_ticks(max(plot.y.length / 6.0, 18.0))
    # Along each bar the sum up to it and with it.
    edges = np.repeat(np.arange(len(sums), dtype=np.float64), 2)[:-1]
    stairs = plot.points(edges, np.concatenate([sums[:1], np.repeat(sums[1:], 2)]))
    return (
        plot.y.grid(levels, theme),
        *plot.y.labels(levels, theme),
        plot.y.line(0.0, theme.axis),
        *_bars(plot, terms, theme),
        marks.Polyline(stairs, theme.ink, 1.8),
        *_score(plot, terms.score, theme),
        *_pair_numbers(area, terms, marked, theme),
    )


def plot_area(area: Area) -> Area:
    """The plot with the numbers below it."""
    return area._replace(height=area.height + _UNDER)


def places(area: Area, terms: Terms, pair: int, right: float) -> Iterator[Place]:
    """The bars with their numbers, a press on one chooses its first pair, and the score at the right."""
    bars = [*terms.bars(area.width)]
    slot = area.width / len(bars)
    for place, (first, last, added) in enumerate(bars):
        name = f"pair {first}" if first == last else f"pairs {first} to {last}"
        where = plot_area(area)._replace(x=area.x + place * slot, width=slot)
        yield Place(name, where, score_text(added, 4), first <= pair <= last, {"pair": first})
    yield Place("score", Area(area.right, area.y, right - area.right, 36.0), score_text(terms.score))


def _plot(area: Area, low: float, high: float, n_bars: int) -> Plot:
    room = 0.06 * ((high - low) or 1.0)
    x = Axis(area, 0.0, float(n_bars))
    return Plot(x, Axis(area, low - room * (low < 0), high + room, "left"))


def _bars(plot: Plot, terms: Terms, theme: Theme) -> list[marks.Mark]:
    zero, slot, colors = plot.y.place(0.0), plot.x.length / plot.x.last, theme.pair_colors(len(terms.values)).tolist()
    wide = max(slot * _BAR_SHARE, 1.0)
    found: list[marks.Mark] = []
    for place, (first, _last, value) in enumerate(terms.bars(plot.x.length)):
        color = QColor(*colors[first]) if first < terms.n_turning else theme.axis
        top, left = plot.y.place(value), plot.x.area.x + (place + 0.5) * slot - wide / 2
        found.append(marks.Rectangle(left, min(top, zero), wide, max(abs(top - zero), 0.75), fill=color))
    return found


def _score(plot: Plot, score: float, theme: Theme) -> list[marks.Mark]:
    y, right = plot.y.place(score), plot.x.area.right
    below = 15.0 if y + 22.0 < plot.x.area.bottom + 12.0 else -15.0
    return [
        marks.Dots(np.array([[right, y]]), 4.5, theme.ink),
        marks.Text(right + 10.0, y, score_text(score), "value", theme.text),
        marks.Text(right + 10.0, y + below, "score", "tick", theme.text2),
    ]


def _pair_numbers(area: Area, terms: Terms, marked: tuple[int, ...], theme: Theme) -> list[marks.Mark]:
    """The numbers under the bars, those of marked pairs in badges, as many as have room."""
    n_pairs = len(terms.values)
    group = _pairs_in_a_bar(n_pairs, area.width)
    slot, y = area.width / math.ceil(n_pairs / group), area.bottom + 18.0
    found: list[marks.Mark] = [marks.Text(0.0, y, "pair i", "tick", theme.text3)]
    taken: list[tuple[float, float]] = []
    room = text_width("tick", whole(n_pairs)) + 10.0
    # From one number to the next: 1, 2, 4, ... bars.
    stride = group << max(math.ceil(math.log2(room / slot)), 0)
    for pair in dict.fromkeys([*marked, *range(0, n_pairs, stride)]):
        is_badge = pair in marked
        text = whole(pair)
        half = badge_half_width(_BADGE, text) if is_badge else text_width("tick", text) / 2
        x = area.x + (pair // group + 0.5) * slot
        if any(left < x + half + 3.0 and x - half - 3.0 < right for left, right in taken):
            continue
        taken.append((x - half, x + half))
        color = theme.pair_color(pair, n_pairs) if pair < terms.n_turning else theme.axis
        plain = marks.Text(x, y, text, "tick", theme.text2, across=0.5)
        found.append(marks.Badge(x, y, _BADGE, text, color) if is_badge else plain)
    return found


def head_picture(layout: ScoreLayout, n_pairs: int, n_turning: int, formula: str, theme: Theme) -> marks.Picture:
    """Title, formula, and what bars and line are."""
    group, right = _pairs_in_a_bar(n_pairs, layout.terms.width), layout.width - 4.0
    bars = "bars: each pair" if group == 1 else f"bars: {whole(group)} pairs each"
    words = f"{bars}   line: running sum{'   grey: not turned' if n_turning < n_pairs else ''}"
    picture: list[marks.Mark] = [marks.Text(0.0, 9.0, TITLE, "title", theme.text)]
    if text_width("title", TITLE) + 16.0 + text_width("tick", words) <= right:
        picture.append(marks.Text(right, 9.0, words, "tick", theme.text2, across=1.0))
    if layout.is_roomy and formula_runs(formula, 16)[1] <= right:
        picture.append(marks.FormulaText(0.0, 36.0, formula, 16, theme.text))
    return tuple(picture)


def matched(state: State) -> Rotary:
    """RoPE with partners that turn together."""
    rotary = rotary_of(state)
    return replace(rotary, pairing="interleaved") if rotary.pairing == "mixed" else rotary
