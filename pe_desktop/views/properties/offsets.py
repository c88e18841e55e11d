"""What an offset does, in two pages.

Collisions: near returns of one pair, nearest offsets of all, what tells t from t + k. Distance: D(k) beside the
straight line and the root of a logarithm, its share by band, its direction.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from pe_desktop.core.cursor import n_hands
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.lags import MOST_LAGS
from pe_desktop.core.measuring.collisions import (
    Band,
    Comparison,
    DistanceLaw,
    alias,
    base_bound,
    close_offsets,
    comparison,
    distance_law,
    listed_offsets,
)
from pe_desktop.core.measuring.periodic import N_RETURNS, near_returns
from pe_desktop.core.measuring.tables import Nearness
from pe_desktop.core.record import kept
from pe_desktop.core.rotation import rotating_pairs
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.dial import hand_name
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Grid, Live, Named, Row, Space, Table, Words
from pe_desktop.draw.number_text import fixed, position, short, whole
from pe_desktop.draw.plot import Axis, Plot, pair_slide
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, badge_text_color
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.views.paged import Page
from pe_desktop.views.properties import words
from pe_desktop.views.properties.verdicts import PAGE as VERDICTS
from pe_desktop.views.questions import never_turned_words

_MOST_OFFSETS: Final = 6
_SPARK: Final = 44.0
_BARS: Final = 64.0
_SECTION: Final = 18.0
# Table values that may be compared within a frame; wider tables are compared when the cursor rests.
_VALUES_PER_FRAME: Final = 2**13
_caption = partial(Words, role="tick", across=1.0)
# The places of both plots.
_PLOTS: Final = ("distance by offset", "dot product by offset")
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
_LAW: Final = "D²(k) is about c (ln k + γ): k the offset, c = d / ln base for geometric wavelengths, γ Euler's constant"


def _search(state: State, topic: str, compute: Callable[..., Any]) -> Question | None:
    """What is asked of all offsets; None where distances depend on more than the offset."""
    encoding = state.encoding
    rank = 0 if encoding.n_positions <= MOST_LAGS else 1
    question = Question(topic, compute, (encoding,), rank, "Searching", takes="report and task")
    return None if words.no_offsets(encoding) else question


_close_question = partial(_search, topic="close offsets", compute=close_offsets)
_law_question = partial(_search, topic="distance law", compute=distance_law)


def _questions(search: Callable[[State], Question | None], state: State) -> Questions:
    return *filter(None, (search(state),)), _comparison_question(state), analysis_of(state.encoding)


def _distance_questions(state: State) -> Questions:
    return *_questions(_law_question, state), *_bound_questions(state)


def _found(question: Question | None, answers: Answers) -> Any:
    return None if question is None else answers.answer(question)


def _comparison_question(state: State) -> Question:
    """How the rows t and t + k differ."""
    encoding, cursor = state.encoding, state.cursor
    is_quick = 2 * encoding.d_model <= _VALUES_PER_FRAME
    arguments = encoding, cursor.position, cursor.offset
    return Question("comparison", comparison, arguments, rank=2, is_quick=is_quick, takes="nothing")


def _compared(state: State, answers: Answers) -> Comparison | None:
    """The comparison of t with t + k; of a wide table the last one while the cursor moves."""
    latest: Comparison | None = answers.latest(_comparison_question(state))
    return latest if latest is not None and latest.encoding == state.encoding else None


def _collisions_page(state: State, answers: Answers) -> Block:
    cursor, close = state.cursor, _found(_close_question(state), answers)
    tables = _tables(state.encoding, cursor.pair, abs(cursor.offset), close, state.trained_length)
    return Column((*tables, *_hands(state.encoding, _compared(state, answers))))


def _collisions_sentence(state: State, answers: Answers) -> str:
    """The offset at which vectors come nearest, or how far t and t + k are apart."""
    close: Nearness | None = _found(_close_question(state), answers)
    if close is not None:
        nearest = close.nearest[0]
        return f"Vectors are nearest at offset {whole(nearest.offset)}: {short(nearest.distance, 4)} apart"
    two = _compared(state, answers)
    if two is None:
        return f"{state.encoding.title}: where positions come near"
    both = f"{position(two.position)} and {position(two.position + two.offset)}"
    return f"Positions {both} are {short(two.length, 4)} apart"


def _collisions_explanation(state: State) -> str:
    tables = (
        "The first table lists the offsets after which the chosen pair is nearer to its beginning than after any "
        "smaller one, the second the offsets at which whole vectors are nearest; the curve over it is the smallest "
        "distance by offset. "
    )
    bars = "The bars are how far each pair of dimensions moves from t to t + k, coloured from first to last."
    return ("" if words.no_offsets(state.encoding) else tables) + bars


@kept
def _tables(
    encoding: Encoding, pair: int, offset: float, close: Nearness | None, trained_length: int
) -> tuple[Block, ...]:
    """All but what tells t from t + k."""
    found = alias(encoding) if encoding.is_shift_invariant else None
    revival = "" if found is None else words.revival(*found)
    return (
        *_returns(encoding, pair, offset),
        Space(_SECTION),
        *_offsets(encoding, close, offset, trained_length),
        Space(_SECTION),
        flow.paragraph(revival),
        Space(_SECTION if revival else 0.0),
    )


def _returns(encoding: Encoding, pair: int, offset: float) -> tuple[Block, ...]:
    """The positions after which the chosen pair is nearer to its beginning than after any smaller number."""
    has_hands = encoding.pairs is not None and encoding.is_shift_invariant
    returns = near_returns(encoding, pair)[:N_RETURNS] if has_hands else ()
    rows = []
    for near in returns:
        angle = short(math.degrees(near.residual_angle), 2)
        cells = whole(near.positions), whole(near.turns), angle, short(near.chord, 3)
        name = f"near return after {near.positions}"
        rows.append(_row(cells, near.positions, offset, name, near.chord))
    name = hand_name(encoding, pair)
    heading = f"{name.capitalize()} is nearly back after" if rows else f"No near returns of {name}"
    badge = Drawn(_badge, (pair, n_hands(encoding)), 18.0)
    titles = ("positions k", "turns", "degrees off", "of its length")
    table = (Table(titles, tuple(rows)),) if rows else ()
    return flow.in_row((18.0, GROW), badge, Words(heading, "strong"), gap=6.0), Space(4.0), *table


def _row(cells: tuple[str, ...], k: float, offset: float, name: str, value: float) -> Row:
    """A row that leads to its offset."""
    return Row(cells, {"offset": float(k)}, k == offset, name=name, value=short(value, 6))


def _offsets(encoding: Encoding, close: Nearness | None, offset: float, trained_length: int) -> tuple[Block, ...]:
    """The offsets at which the whole vectors come nearest, and the smallest distance by offset."""
    reason = words.no_offsets(encoding)
    title = Words("All dimensions: nearest offsets", "strong")
    if reason:
        return title, flow.paragraph(reason)
    n_rows = min(encoding.n_positions - 1, _MOST_OFFSETS)
    if close is None:
        return title, Space(_SPARK + 10.0 + Table.HEAD + Table.row_height * n_rows)
    among = _caption(f"among all {whole(encoding.n_positions - 1)}", ink="text3")
    nearest = [(pair.offset, pair.distance) for pair in close.nearest[:n_rows]]
    rows = [_row((whole(k), short(d, 6)), k, offset, f"nearest offset {k}", d) for k, d in nearest]
    drawn = Drawn(_spark, (close, trained_length), _SPARK)
    return (
        flow.in_row((GROW, FIT), title, among),
        Space(4.0),
        Named("smallest distance by offset", drawn, sets_in=lambda area: _spark_axis(area, close).slide("offset")),
        Space(6.0),
        Table(("offset k", "distance"), tuple(rows)),
    )


def _badge(area: Area, theme: Theme, pair: int, n_pairs: int) -> marks.Picture:
    return (marks.Badge(*area.middle, 8.5, str(pair), theme.pair_color(pair, n_pairs)),)


def _spark(area: Area, theme: Theme, close: Nearness, trained_length: int) -> marks.Picture:
    """The smallest distance by offset."""
    limit = float(close.lowest.max())
    plot = Plot(_spark_axis(area, close), Axis(area, 0.0, limit if limit > 0 else 1.0, "left"))
    curve = plot.curve(close.offsets, close.lowest, theme.ink, 1.4)
    return *plot.x.unseen(trained_length, theme), plot.x.edge(theme.axis), curve


def _spark_axis(area: Area, close: Nearness) -> Axis:
    return Axis(area, 1.0, max(float(close.offsets[-1]), 2.0))


def _hands(encoding: Encoding, two: Comparison | None) -> tuple[Block, ...]:
    """How far the tip of each hand moves from t to t + k, and which move farthest."""
    title = ""
    distance = ""
    moves = ""
    value = ""
    drawn = Live(Drawn(_bars, (two,), _BARS))
    if two is not None:
        title = f"What tells {position(two.position)} from {position(two.position + two.offset)}"
        value = short(two.length, 5)
        distance = f"distance {value}"
        best = [hand for hand in np.argsort(-two.chords, kind="stable")[:3].tolist() if two.chords[hand] > 0]
        moves = "; ".join(f"{hand_name(encoding, hand)}: {short(float(two.chords[hand]), 4)}" for hand in best)
    return (
        Live(flow.in_row((GROW, FIT), Words(title, "strong"), _caption(distance, ink="text2"))),
        Space(4.0),
        Named("what tells t from t + k", drawn, value, sets_in=partial(pair_slide, n_hands(encoding))),
        Space(6.0),
        Live(Words(moves, "tick", "text2", n_lines=1)),
    )


def _bars(area: Area, theme: Theme, two: Comparison | None) -> marks.Picture:
    """A bar for each hand; many hands share a pixel by their largest."""
    if two is None:
        return ()
    count = len(two.chords)
    n_bars = max(min(len(two.chords), int(area.width // 2)), 1)
    edges = np.arange(n_bars) * count // n_bars
    heights = np.maximum.reduceat(two.chords, edges)
    heights = heights / max(float(heights.max()), 1e-300) * area.height
    wide, foot = area.width / n_bars, area.bottom
    gap = 1.0 if wide > 4.0 else 0.0
    bars = [
        marks.Rectangle(area.x + bar * wide, foot - tall, wide - gap, tall, theme.pair_color(edge, count))
        for bar, (edge, tall) in enumerate(zip(edges.tolist(), heights.tolist(), strict=True))
    ]
    return *bars, marks.lines((area.x, foot, area.right, foot), theme.axis)


def _distance_page(state: State, answers: Answers) -> Block:
    encoding = state.encoding
    law = _found(_law_question(state), answers)
    two = _two(state, answers)
    reason = words.no_offsets(encoding)
    said = reason or ("" if law is None else words.steps_down(law))
    heading = Words(said, "caption", "text2", n_lines=2)
    plots = () if reason else _plots(encoding, law, abs(state.cursor.offset), state.trained_length)
    below = _comparison(two) if encoding.n_positions > 1 else ()
    return Column((heading, *_trained(state, answers), *plots, Space(16.0), *below), gap=4.0)


def _distance_sentence(state: State, answers: Answers) -> str:
    """The largest distance, or how long the difference of t and t + k is."""
    law: DistanceLaw | None = _found(_law_question(state), answers)
    two = _two(state, answers)
    if law is not None and len(law.distances) > 1:
        return f"The largest distance is {fixed(float(law.distances[law.farthest]), 4)} at k = {whole(law.farthest)}"
    if two is None:
        return f"{state.encoding.title}: distance"
    at = f"at t = {position(two.position)}"
    return f"The difference over k = {position(two.offset)} has length {short(two.length, 6)} {at}"


def _distance_explanation(state: State) -> str:
    plots = (
        "The distance of two vectors and their dot product against the offset, solid; dotted the straight line and "
        "dashed the square root of a logarithm that fit best. The dot is k. "
    )
    rest = "The bar is the share of pairs, from first to last, in the squared distance of t and t + k."
    return rest if words.no_offsets(state.encoding) else plots + rest


def _bound_questions(state: State) -> Questions:
    """The base bound, where it is read against a trained length."""
    if not state.trained_length or rotating_pairs(state.encoding) is None:
        return ()
    return (Question("base bound", base_bound, (state.encoding,), rank=1, title="Base bound"),)


def _trained(state: State, answers: Answers) -> tuple[Block, ...]:
    """How the trained length stands to the turns of the hands and to the base bound; nothing without one."""
    pairs = rotating_pairs(state.encoding)
    length = state.trained_length
    if not length or pairs is None:
        return ()
    bound = next(map(answers.answer, _bound_questions(state)))
    said = "no sum of cosines is negative up to k = 10 000 000"
    if bound is None:
        said = "measuring…"
    elif bound:
        first = "the sum of cosines is first negative at " if state.encoding.is_shift_invariant else ""
        said = f"{first}k = {whole(bound)}"
    name = words.base_bound_name(state.encoding)
    text = f"Trained on {whole(length)}: {never_turned_words(pairs, length)}. {name}: {said}."
    return (Words(text, "caption", "text2", n_lines=2),)


def _two(state: State, answers: Answers) -> Comparison | None:
    return _compared(state, answers) if state.encoding.n_positions > 1 else None


def _plots(encoding: Encoding, law: DistanceLaw | None, offset: float, trained_length: int) -> tuple[Block, ...]:
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
        chart = Chart(title, x, Scale("", *ends), curves, at, beyond, _PLOT_HEIGHT, False, _PLOTS[of_dots], dots=dots)
        charts.append(replace(chart, trained_length=trained_length))
    first = Column((_keys(law), charts[0]), gap=6.0)
    second = charts[1]
    beside = flow.in_row((GROW, GROW), first, second, gap=24.0)
    below = Column((first, second))
    return Fits((beside, below), (_SIDE_BY_SIDE, 0.0)), Space(4.0), _table(encoding, law, offset)


@kept
def _curves(law: DistanceLaw | None, *, is_of_dots: bool) -> tuple[tuple[Curve, ...], tuple[float, float]]:
    """D(k) or the dot products from k = 1 on with both fits, and the ends of their axis.

    The law is dashed, the straight line dotted; R^2 is that of distances.
    """
    if law is None or len(law.distances) < 2:
        return (), (0.0, 1.0)
    values = law.dots if is_of_dots else law.distances
    k = np.arange(1.0, len(law.distances))
    low, high = min(float(law.dots.min()), 0.0), float(law.dots[0])
    if not is_of_dots:
        low, high = 0.0, 1.04 * float(law.distances.max()) or 1.0
    ink = "ink" if len(k) <= _MOST_IN_INK else "axis"
    curves = [Curve("", k, values[1:], ink, 1.4)]
    if law.line is not None and law.logarithm is not None:
        at = np.geomspace(1.0, max(k[-1], 2.0), _SMOOTH_POINTS)
        curved = (
            law.law(at) if law.law_r_squared is not None else np.sqrt(np.maximum(law.logarithm.at(np.log(at)), 0.0))
        )
        curves += [
            _fit(at, law.dots[0] - fitted**2 / 2 if is_of_dots else fitted, dash, low, high)
            for fitted, dash in ((law.line.at(at), _LINE_DASH), (curved, _LAW_DASH))
        ]
    return tuple(curves), (low, high)


def _fit(k: Floats, heights: Floats, dash: tuple[float, ...], low: float, high: float) -> Curve:
    """What of a fit lies within the axis."""
    inside = (heights >= low) & (heights <= high)
    return Curve("", k[inside], heights[inside], "text2", 1.4, dash)


@kept
def _keys(law: DistanceLaw | None) -> Block:
    """What the dotted and the dashed line are, how well they fit, and which offsets they are fitted on."""
    line = zero = curved = known = fitted = ""
    if law is not None and law.line is not None and law.logarithm is not None:
        line = f"straight line, R² {fixed(law.line.r_squared, 3)}"
        zero = "" if law.line_from_zero is None else f" ({fixed(law.line_from_zero.r_squared, 3)} with k = 0)"
        curved = f"best √(a + b ln k), R² {fixed(law.logarithm.r_squared, 3)}"
        if law.law_r_squared is not None:
            fit = f"R² {fixed(law.law_r_squared, 3)}" if law.law_r_squared >= 0 else "worse than a constant"
            curved = f"root-of-log law √(c (ln k + γ)), {fit}"
            known = "c = d / ln base, γ = 0.5772…; "
        fitted = f"line fitted on k = 1 to {whole(len(law.distances) - 1)}"
    key = partial(Words, role="tick", ink="text2")
    sample = partial(Drawn, _sample, tall=16.0)
    rows = (
        (sample((_LINE_DASH,)) if line else Space(16.0), key(line + zero, shorter=(line,))),
        (sample((_LAW_DASH,)) if line else Space(16.0), key(curved)),
        (Space(0.0), key(known + fitted, ink="text3", shorter=(fitted,))),
    )
    return Named("line and law", Grid((_KEY_LINE, GROW), rows, gap=8.0, between=1.0), tooltip=_LAW)


def _sample(area: Area, theme: Theme, dash: tuple[float, ...]) -> marks.Picture:
    y = area.middle[1]
    return (marks.lines((area.x, y, area.right, y), theme.text2, 1.4, dash),)


@kept
def _table(encoding: Encoding, law: DistanceLaw | None, offset: float) -> Block:
    """D at a few offsets, its share of the largest, and its square beside the law."""
    heads: tuple[str, ...] = ("k", "D(k)", "of max", "D²(k)")
    if law is not None and law.law_slope is not None:
        heads += ("c (ln k + γ)",)
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
    title, said, shares, texts = "", "", [""], [Words("", "tick")]
    if two is not None:
        title = f"Share in the distance {position(two.position)} to {position(two.position + two.offset)}"
        said = words.difference(two)
        shares = [f"{_hands_of(band)}: {_share(band)}" for band in two.bands]
        told = zip(shares, two.bands, strict=True)
        texts = [Words(share, "tick", "text2", shorter=_shorter(band)) for share, band in told]
    bands = Live(Drawn(_bands, (() if two is None else two.bands,), _BAND_HEIGHT))
    return (
        Live(Words(title, "strong")),
        Named("shares in the distance of t and t + k", bands, ", ".join(shares)),
        Live(flow.in_row((GROW,) * len(texts), *texts, gap=8.0)),
        Space(10.0),
        Live(Words("The difference itself" if two else "", "strong")),
        Live(Words(said, "caption", "text2", n_lines=4)),
    )


def _bands(area: Area, theme: Theme, bands: tuple[Band, ...]) -> marks.Picture:
    picture: marks.Marks = []
    left = area.x
    for band in bands:
        wide, share = area.width * band.share, _share(band)
        color = theme.pair_color((band.first + band.last) // 2, bands[-1].last + 1)
        picture.append(marks.Rectangle(left, area.y, wide, area.height, color))
        if wide > text_width("flag", share) + 12.0:
            ink = badge_text_color(color)
            picture.append(marks.centered(left + wide / 2, area.middle[1], share, "flag", ink))
        left += wide
    return tuple(picture)


def _hands_of(band: Band) -> str:
    return f"pair {band.first}" if band.first == band.last else f"{band.first} – {band.last}"


def _shorter(band: Band) -> tuple[str, ...]:
    """The same in less room: without spaces, with fewer digits, the share alone."""
    hands = _hands_of(band).replace(" – ", "–")
    return f"{hands}: {_share(band)}", f"{hands}: {short(100 * band.share, 2)} %", _share(band)


def _share(band: Band) -> str:
    return f"{fixed(100 * band.share, 2)} %"


COLLISIONS: Final = Page(
    _collisions_page,
    _collisions_sentence,
    _collisions_explanation,
    partial(_questions, _close_question),
    VERDICTS.text,
)
DISTANCE: Final = Page(_distance_page, _distance_sentence, _distance_explanation, _distance_questions, VERDICTS.text)
