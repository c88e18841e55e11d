"""The page of distance: D(k) beside the straight line and the logarithmic law, its share by band, its direction."""

from functools import lru_cache, partial
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.measure.collisions import Band, Comparison, DistanceLaw, distance_law, listed_offsets
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import GROW, Block, Column, Drawn, Fits, Grid, Live, Named, Row, Space, Table, Words
from pe_desktop.draw.number_text import fixed, position, short, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, badge_text_color
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.properties import words
from pe_desktop.views.properties.collisions import compared, comparison_question, search

# The places of both plots.
PLOTS: Final = ("distance by offset", "dot product by offset")
# Wide enough for both plots beside each other.
_SIDE_BY_SIDE: Final = 560.0
_PLOT_HEIGHT, _BAND_HEIGHT = 150.0, 22.0
_LAW_DASH, _LINE_DASH = (6.0, 4.0), (1.6, 3.2)
# Points at which the smooth law is drawn.
_SMOOTH_POINTS: Final = 256
# The largest distances that are told with decimals.
_LEAST_PLAIN, _MOST_PLAIN = 0.1, 1e3
# A curve of more offsets fills its plot: in ink the fits over it would not be seen.
_MOST_IN_INK: Final = 3000
_KEY_LINE: Final = 24.0


def questions(state: State) -> tuple[Question, ...]:
    return *_search(state.encoding), comparison_question(state)


def page(state: State, answers: Answers) -> Block:
    encoding, offset, law = state.encoding, abs(state.cursor.offset), _law(state, answers)
    two = _two(state, answers)
    reason = words.no_offsets(encoding)
    said = reason or ("" if law is None else words.steps_down(law))
    heading = Words(said, "caption", "text2", n_lines=2)
    plots = () if reason else _plots(encoding, law, offset)
    return Column((heading, *plots, Space(16.0), *(_comparison(two) if encoding.n_positions > 1 else ())), gap=4.0)


def sentence(state: State, answers: Answers) -> str:
    """The largest distance, or how long the difference of t and t + k is."""
    law, two = _law(state, answers), _two(state, answers)
    if law is not None and len(law.distances) > 1:
        return f"The largest distance is {fixed(float(law.distances[law.farthest]), 4)} at k = {whole(law.farthest)}"
    if two is None:
        return f"{state.encoding.title}: what distance knows"
    at = f"at t = {position(two.position)}"
    return f"The difference over k = {position(two.offset)} has length {short(two.length, 6)} {at}"


def explanation(state: State) -> str:
    plots = (
        "The distance of two vectors and their dot product against the offset, solid; dotted the straight line and "
        "dashed the logarithmic law that fit best. The dot is k. "
    )
    rest = "The bar is the share of pairs, from first to last, in the squared distance of t and t + k."
    return rest if words.no_offsets(state.encoding) else plots + rest


def _search(encoding: Encoding) -> tuple[Question, ...]:
    return search("distance law", distance_law, encoding)


def _law(state: State, answers: Answers) -> DistanceLaw | None:
    laws: list[DistanceLaw | None] = [answers.answer(question) for question in _search(state.encoding)]
    return laws[0] if laws else None


def _two(state: State, answers: Answers) -> Comparison | None:
    return compared(state, answers) if state.encoding.n_positions > 1 else None


def _plots(encoding: Encoding, law: DistanceLaw | None, offset: float) -> tuple[Block, ...]:
    """Both plots, beside each other where there is room, what the fits are, and the table of offsets."""
    titles = ("Distance D(k)", "offset k"), ("Dot product", "offset k, logarithmic")
    k, last = round(offset), max(listed_offsets(encoding)[-1], 2)
    beyond = f"k = {whole(k)} ›" if k > last else ""
    charts = []
    for of_dots, (title, x_title) in enumerate(titles):
        curves, ends = _curves(law, is_of_dots=bool(of_dots))
        x = Scale(x_title, float(of_dots), float(last), bool(of_dots), "positions", "offset")
        at = float(k) if 1 <= k < (0 if law is None else len(law.distances)) else None
        dots = () if at is None else (float(curves[0].y[k - 1]),)
        charts.append(
            Chart(title, x, Scale("", *ends), curves, at, beyond, _PLOT_HEIGHT, False, PLOTS[of_dots], dots=dots)
        )
    first, second = Column((charts[0], _keys(law)), gap=6.0), charts[1]
    beside, below = Grid((GROW, GROW), ((first, second),), gap=24.0), Column((first, second))
    return Fits((beside, below), (_SIDE_BY_SIDE, 0.0)), Space(4.0), _table(encoding, law, offset)


@lru_cache(maxsize=4)
def _curves(law: DistanceLaw | None, *, is_of_dots: bool) -> tuple[tuple[Curve, ...], tuple[float, float]]:
    """D(k) or the dot products from k = 1 on with both fits, and the ends of their axis.

    The law is dashed, the straight line dotted; dots and squared distances have the same R^2.
    """
    if law is None or len(law.distances) < 2:
        return (), (0.0, 1.0)
    values, k = law.dots if is_of_dots else law.distances, np.arange(1.0, len(law.distances))
    low, high = min(float(law.dots.min()), 0.0), float(law.dots[0])
    if not is_of_dots:
        low, high = 0.0, 1.04 * float(law.distances.max()) or 1.0
    ink = "ink" if len(k) <= _MOST_IN_INK else "axis"
    curves = [Curve("", k, values[1:], ink, 1.4)]
    if law.line is not None and law.logarithm is not None:
        at = np.geomspace(1.0, max(k[-1], 2.0), _SMOOTH_POINTS)
        curved = law.law(at) if _has_law(law) else np.sqrt(np.maximum(law.logarithm.at(np.log(at)), 0.0))
        curves += [
            _fit(at, law.dots[0] - fitted**2 / 2 if is_of_dots else fitted, dash, low, high)
            for fitted, dash in ((law.line.at(at), _LINE_DASH), (curved, _LAW_DASH))
        ]
    return tuple(curves), (low, high)


def _fit(k: Floats, heights: Floats, dash: tuple[float, ...], low: float, high: float) -> Curve:
    """What of a fit lies within the axis."""
    inside = (heights >= low) & (heights <= high)
    return Curve("", k[inside], heights[inside], "text2", 1.4, dash)


def _has_law(law: DistanceLaw) -> bool:
    return law.law_slope is not None and law.law_r_squared is not None


@lru_cache(maxsize=4)
def _keys(law: DistanceLaw | None) -> Block:
    """What the dotted and the dashed line are, how well they fit, and which offsets they are fitted on."""
    line = zero = curved = fitted = ""
    if law is not None and law.line is not None and law.logarithm is not None:
        line = f"straight line, R² {fixed(law.line.r_squared, 3)}"
        zero = "" if law.line_from_zero is None else f" ({fixed(law.line_from_zero.r_squared, 3)} with k = 0)"
        curved = f"best logarithm, R² {fixed(law.logarithm.r_squared, 3)}"
        if law.law_slope is not None and law.law_r_squared is not None:
            fit = f"R² {fixed(law.law_r_squared, 3)}" if law.law_r_squared >= 0 else "worse than a constant"
            curved = f"logarithmic law, {fit}"
        fitted = f"fitted on k = 1 to {whole(len(law.distances) - 1)}"
    key = partial(Words, role="tick", ink="text2")
    sample = partial(Drawn, _sample, tall=16.0)
    rows = (
        (sample((_LINE_DASH if line else None,)), key(line + zero, shorter=(line,))),
        (sample((_LAW_DASH if line else None,)), key(curved)),
        (Space(0.0), key(fitted, ink="text3")),
    )
    return Grid((_KEY_LINE, GROW), rows, gap=8.0, between=1.0)


def _sample(area: Area, theme: Theme, dash: tuple[float, ...] | None) -> marks.Picture:
    if dash is None:
        return ()
    y = area.middle[1]
    return (marks.Segments(np.array([[area.x, y, area.right, y]]), theme.text2, 1.4, dash),)


@lru_cache(maxsize=4)
def _table(encoding: Encoding, law: DistanceLaw | None, offset: float) -> Block:
    """D at a few offsets, its share of the largest, and its square beside the law."""
    heads = ("k", "D(k)", "of max", "D²(k)", *(("law",) if law is not None and law.law_slope is not None else ()))
    rows = []
    for k in listed_offsets(encoding):
        cells = ("…",) * (len(heads) - 1) if law is None else _cells(law, k)
        value = "" if law is None else fixed(float(law.distances[k]), 4)
        rows.append(Row((whole(k), *cells), {"offset": float(k)}, k == offset, name=f"offset {k}", value=value))
    return Table(heads, tuple(rows))


def _cells(law: DistanceLaw, k: int) -> tuple[str, ...]:
    """Large and small distances are powers of ten, all in one way."""
    distance, largest = float(law.distances[k]), float(law.distances[law.farthest])
    is_plain = _LEAST_PLAIN <= largest < _MOST_PLAIN
    squares = [distance**2] if law.law_slope is None else [distance**2, float(law.law(np.array([float(k)]))[0]) ** 2]
    share = f"{fixed(100 * distance / largest, 1)} %" if largest > 0 else "–"
    texts = (fixed(square, 3) if is_plain else short(square) for square in squares)
    return fixed(distance, 4) if is_plain else short(distance), share, *texts


def _comparison(two: Comparison | None) -> tuple[Block, ...]:
    """The share of each band in the distance from t to t + k, and the two difference vectors."""
    title, said, shares = "", "", [""]
    if two is not None:
        title = f"Share in the distance {position(two.position)} to {position(two.position + two.offset)}"
        said, shares = words.difference(two), [f"{_hands(band)}: {_share(band)}" for band in two.bands]
    bands = Live(Drawn(_bands, (() if two is None else two.bands,), _BAND_HEIGHT))
    texts = tuple(Words(share, "tick", "text2") for share in shares)
    return (
        Live(Words(title, "strong")),
        Named("shares in the distance of t and t + k", bands, ", ".join(shares)),
        Live(Grid((GROW,) * len(texts), (texts,), gap=8.0)),
        Space(10.0),
        Live(Words("The difference itself" if two else "", "strong")),
        Live(Words(said, "caption", "text2", n_lines=4)),
    )


def _bands(area: Area, theme: Theme, bands: tuple[Band, ...]) -> marks.Picture:
    picture: list[marks.Mark] = []
    left = area.x
    for band in bands:
        wide, share = area.width * band.share, _share(band)
        color = theme.pair_color((band.first + band.last) // 2, bands[-1].last + 1)
        picture.append(marks.Rectangle(left, area.y, wide, area.height, color))
        if wide > text_width("flag", share) + 12.0:
            ink = badge_text_color(color)
            picture.append(marks.Text(left + wide / 2, area.middle[1], share, "flag", ink, across=0.5))
        left += wide
    return tuple(picture)


def _hands(band: Band) -> str:
    return f"pair {band.first}" if band.first == band.last else f"{band.first} – {band.last}"


def _share(band: Band) -> str:
    return f"{fixed(100 * band.share, 2)} %"
