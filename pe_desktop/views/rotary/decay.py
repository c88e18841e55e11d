"""The page of decay: the bound of the RoPE paper, and mean |score| of seeded vectors, against the distance."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.record import record
from pe_desktop.core.scores.rotary import QueryAndKey
from pe_desktop.core.scores.rotary_scores import Decay, decay, decay_offsets, decay_reach, score_bound
from pe_desktop.core.scores.schemes import Rotary
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, position, whole
from pe_desktop.draw.plot import Axis, LegendEntry, Plot, legend, legend_width, paragraph
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import formula_runs, text_width, wrapped
from pe_desktop.model.findings import Question, Task
from pe_desktop.views.rotary.terms import score_text

TITLE: Final = "Do scores fall with distance?"
_TALLEST: Final = 300.0
_LEFT, _TOP = 56.0, 52.0
_LINE, _ROW = 17.0, 24.0
_WIDEST_NUMBERS: Final = 360.0
_SENTENCES: Final = (
    "The bound is a ceiling: it falls, but does not say how large a score is.",
    "Scores of queries and keys drawn independently are as large at every distance: nothing makes them fall.",
    "Where a key equals its query, all hands point the same way at 0 and part with distance: the mean |score| falls.",
)
_FORMULAS: Final = (
    "|score| ≤ max |h_{j+1} − h_j| Σ |S_j| / √d,  h_j = q_j k_j^*",
    "S_j = Σ_{l < j} (cos (s − t) ω_l + i sin (s − t) ω_l)",
)
_SOURCE: Final = "The bound of RoFormer (arXiv 2104.09864), section 3.4.3; means over {n} seeded queries and keys."
# The curves by name, with the width and the dash of their lines.
_NAMES: Final = (
    ("bound of the paper", 4.0, ()),
    ("mean |score|, key = query", 1.8, ()),
    ("independent", 1.2, (4.0, 3.0)),
)
_NAMES_ROW: Final = 17.0
_FORMULA_ROOM, _FORMULA_PIXELS, _SMALLEST = 26.0, 15, 8


@record
class DecayLayout:
    """The plot in a box of a width; below it numbers and sentences."""

    width: float

    @property
    def plot(self) -> Area:
        top = _TOP + _NAMES_ROW * (len(_rows_of_names(self.width)) - 1)
        return Area(_LEFT, top, max(self.width - _LEFT - 18.0, 40.0), min(max(self.width * 0.3, 110.0), _TALLEST))

    @property
    def numbers(self) -> float:
        """Where the numbers begin."""
        return self.plot.bottom + 72.0

    @property
    def numbers_right(self) -> float:
        """Where the numbers end."""
        return min(self.width - 8.0, _WIDEST_NUMBERS)

    @property
    def sentences(self) -> float:
        """Where the sentences begin."""
        return self.numbers + 4 * _ROW + 16.0

    @property
    def height(self) -> float:
        n_lines = sum(len(_lines(text, self.width)) for text in (*_SENTENCES, _SOURCE))
        return self.sentences + _LINE * n_lines + _FORMULA_ROOM * len(_FORMULAS) + _LINE


def question(encoding: Encoding, share: float, seed: int) -> Question:
    """The decay over the distances that are shown; pairings don't change it."""
    return Question("rotary decay", _find, (encoding, share, seed))


def distance_at(layout: DecayLayout, encoding: Encoding, x: float) -> float:
    """The distance under an x of the plot."""
    reach = decay_reach(encoding)
    return float(min(max(round(Axis(layout.plot, 0.0, float(reach)).value(x)), 0), reach))


def frame_picture(layout: DecayLayout, encoding: Encoding, known: Decay | None, theme: Theme) -> marks.Picture:
    """Axes, curves, names, sentences."""
    plot = _plot(layout, encoding, known)
    levels = plot.y.level_ticks()
    curves: tuple[marks.Mark, ...] = ()
    if known is not None:
        curves = (
            plot.curve(known.offsets, known.bound, theme.axis, 4.0),
            _dashed(plot.curve(known.offsets, known.independent, theme.ink, 1.2)),
            plot.curve(known.offsets, known.alike, theme.ink, 1.8),
        )
    picture: list[marks.Mark] = [
        *_head(layout, theme),
        *_names(layout, theme),
        plot.y.grid(levels, theme),
        *plot.y.labels(levels, theme),
        plot.x.edge(theme.axis),
        *plot.x.labels(plot.x.position_ticks(), theme, after=8.0),
        plot.x.title("distance |k|", theme),
        *curves,
    ]
    n_draws = "…" if known is None else whole(known.n_draws)
    y = layout.sentences
    for text in (*_SENTENCES, _SOURCE):
        lines = len(_lines(text, layout.width))
        if text == _SOURCE:
            for formula in _FORMULAS:
                picture.append(_formula(formula, layout.width, y + 8.0, theme))
                y += _FORMULA_ROOM
            y += _LINE / 2
        picture += paragraph(0.0, y, text.format(n=n_draws), theme.text2, layout.width - 8.0, lines, step=_LINE)
        y += _LINE * lines
    return tuple(picture)


def cursor_picture(
    layout: DecayLayout, rotary: Rotary, vectors: QueryAndKey, cursor: Cursor, known: Decay | None, theme: Theme
) -> marks.Picture:
    """The line at |k|, and what curves and score are there."""
    distance, plot = abs(cursor.offset), _plot(layout, rotary.encoding, known)
    picture: list[marks.Mark] = []
    if distance <= plot.x.last:
        picture.append(plot.x.line(distance, theme.text2, 1.3, (4.0, 3.0), beyond=6.0))
    y = layout.numbers
    picture.append(marks.Text(0.0, y - 24.0, f"At distance {position(distance)}", "title", theme.text))
    for number, (name, value) in enumerate(numbers(rotary, vectors, cursor, known)):
        middle = y + _ROW * number
        picture.append(marks.Text(0.0, middle, name, "label", theme.text))
        picture.append(marks.Text(layout.numbers_right, middle, value, "value", theme.text, across=1.0))
    return tuple(picture)


def numbers(rotary: Rotary, vectors: QueryAndKey, cursor: Cursor, known: Decay | None) -> tuple[tuple[str, str], ...]:
    """What is told under the plot: name and value."""
    distance = abs(cursor.offset)
    curves = (None, None, None) if known is None else (known.bound, known.alike, known.independent)
    told = [
        "…" if known is None or curve is None or distance > known.offsets[-1]
        else f"{fixed(float(np.interp(distance, known.offsets, curve)), 3)}"
        for curve in curves
    ]  # fmt: skip
    score, bound = _own_numbers(rotary, vectors, cursor.offset)
    return (
        ("Bound of the paper", told[0]),
        ("Mean |score|, key = query", told[1]),
        ("Mean |score|, independent", told[2]),
        ("This |score| ≤ its bound", f"{score_text(abs(score), 2)} ≤ {score_text(bound, 2)}"),
    )


def places(layout: DecayLayout, encoding: Encoding, cursor: Cursor) -> tuple[Place, ...]:
    distance, axis = abs(cursor.offset), Axis(layout.plot, 0.0, float(decay_reach(encoding)))
    plot = Place("plot", layout.plot)
    if distance > axis.last:
        return (plot,)
    x = axis.place(distance)
    return plot, Place("cursor |k|", Area(x - 5.0, layout.plot.y, 10.0, layout.plot.height), position(distance))


@lru_cache(maxsize=8)
def _own_numbers(rotary: Rotary, vectors: QueryAndKey, offset: float) -> tuple[float, float]:
    """The score of the query and the key at hand at an offset, and its bound."""
    query, key = vectors.both
    score = float(rotary.by_offset(query, key, np.array([offset]))[0])
    return score, float(score_bound(rotary, query, key, np.array([offset]))[0])


def _find(encoding: Encoding, share: float, seed: int, task: Task) -> Decay | None:
    return decay(Rotary(encoding, share=share), decay_offsets(encoding), seed, task)


def _plot(layout: DecayLayout, encoding: Encoding, known: Decay | None) -> Plot:
    highest = 1.0 if known is None else max(float(known.independent.max()), float(known.alike.max()), 1.0)
    return Plot(Axis(layout.plot, 0.0, float(decay_reach(encoding))), Axis(layout.plot, 0.0, 1.04 * highest, "left"))


def _head(layout: DecayLayout, theme: Theme) -> marks.Picture:
    """The title, and of what the curves are shares."""
    title, note = marks.Text(0.0, 9.0, TITLE, "title", theme.text), "each as a share of its value at distance 0"
    left = text_width("title", TITLE) + 14.0
    has_room = left + text_width("tick", note) <= layout.width - 8.0
    return (title, marks.Text(left, 9.0, note, "tick", theme.text3)) if has_room else (title,)


def _names(layout: DecayLayout, theme: Theme) -> marks.Picture:
    rows = _rows_of_names(layout.width)
    return tuple(
        mark
        for place, row in enumerate(rows)
        for mark in legend(0.0, 32.0 + _NAMES_ROW * place, _entries(row, theme), theme)
    )


def _entries(numbers: Sequence[int], theme: Theme) -> list[LegendEntry]:
    inks = theme.axis, theme.ink, theme.ink
    return [LegendEntry(_NAMES[number][0], inks[number], *_NAMES[number][1:]) for number in numbers]


@lru_cache(maxsize=8)
def _rows_of_names(width: float) -> tuple[tuple[int, ...], ...]:
    """Which curves are named in each row, as many as have room beside one another."""
    rows: list[tuple[int, ...]] = []
    for number in range(len(_NAMES)):
        longer = (*rows[-1], number) if rows else (number,)
        has_room = legend_width([LegendEntry(_NAMES[some][0], QColor(), 1.0) for some in longer]) <= width - 8.0
        rows = [*rows[:-1], longer] if has_room else [*rows, (number,)]
    return tuple(rows)


def _dashed(line: marks.Polyline) -> marks.Polyline:
    return marks.Polyline(line.points, line.color, line.width, (4.0, 3.0))


def _formula(formula: str, width: float, y: float, theme: Theme) -> marks.FormulaText:
    wide = formula_runs(formula, _FORMULA_PIXELS)[1]
    pixels = max(int(min(width / wide, 1.0) * _FORMULA_PIXELS), _SMALLEST)
    return marks.FormulaText(0.0, y, formula, pixels, theme.text)


@lru_cache(maxsize=32)
def _lines(text: str, width: float) -> list[str]:
    return wrapped("caption", text, width - 8.0, 9)
