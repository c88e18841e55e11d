"""What an offset does, in two pages.

Collisions: near returns of one pair, nearest offsets of all, what tells t from t + k. Distance: D(k) beside the
straight line and the root of a logarithm, its direction.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from pe_desktop.core.cursor import n_hands
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.lags import MOST_LAGS
from pe_desktop.core.measuring import collisions
from pe_desktop.core.measuring.collisions import Comparison, DistanceLaw, close_offsets, comparison, distance_law
from pe_desktop.core.measuring.periodic import N_RETURNS, near_returns
from pe_desktop.core.measuring.tables import Nearness
from pe_desktop.core.record import kept
from pe_desktop.core.rotation import rotating_pairs
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.dial import hand_name
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Live, Named, Row, Space, Table, Words
from pe_desktop.draw.number_text import fixed, position, short, whole
from pe_desktop.draw.plot import pair_slide
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.views.paged import Page
from pe_desktop.views.properties import words
from pe_desktop.views.properties.verdicts import PAGE as VERDICTS
from pe_desktop.views.questions import never_turned_words

_MOST_OFFSETS: Final = 6
_BARS: Final = 64.0
_SECTION: Final = 18.0
# Table values that may be compared within a frame; wider tables are compared when the cursor rests.
_VALUES_PER_FRAME: Final = 2**13
_caption = partial(Words, role="tick", across=1.0)
_PLOT_HEIGHT: Final = 150.0
_LAW_DASH, _LINE_DASH = (6.0, 4.0), (1.6, 3.2)
# Points at which the smooth law is drawn.
_SMOOTH_POINTS: Final = 256
# The largest distances that are told with decimals.
_LEAST_PLAIN, _MOST_PLAIN = 0.1, 1e3
# A curve of more offsets fills its plot: in ink the fits over it would not be seen.
_MOST_IN_INK: Final = 3000


def _search(state: State, topic: str, compute: Callable[..., Any]) -> Questions:
    """What is asked of all offsets; nothing where distances depend on more than the offset."""
    encoding = state.encoding
    rank = 0 if encoding.n_positions <= MOST_LAGS else 1
    question = Question(topic, compute, (encoding,), rank, "Searching", takes="report and task")
    return () if words.no_offsets(encoding) else (question,)


_close_question = partial(_search, topic="close offsets", compute=close_offsets)
_law_question = partial(_search, topic="distance law", compute=distance_law)


def _questions(search: Callable[[State], Questions], state: State) -> Questions:
    return *search(state), _comparison_question(state), analysis_of(state.encoding)


def _distance_questions(state: State) -> Questions:
    return *_questions(_law_question, state), *_bound_questions(state)


def _found(asked: Questions, answers: Answers) -> Any:
    return next(map(answers.answer, asked), None)


def _comparison_question(state: State) -> Question:
    """How the rows t and t + k differ."""
    encoding = state.encoding
    cursor = state.cursor
    is_quick = 2 * encoding.d_model <= _VALUES_PER_FRAME
    arguments = encoding, cursor.position, cursor.offset
    return Question("comparison", comparison, arguments, rank=2, is_quick=is_quick, takes="nothing")


def _compared(state: State, answers: Answers) -> Comparison | None:
    """The comparison of t with t + k; of a wide table the last one while the cursor moves."""
    latest: Comparison | None = answers.latest(_comparison_question(state))
    return latest if latest is not None and latest.encoding == state.encoding else None


def _collisions_page(state: State, answers: Answers) -> Block:
    cursor = state.cursor
    close = _found(_close_question(state), answers)
    tables = _tables(state.encoding, cursor.pair, abs(cursor.offset), close)
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


def _explanation(shown: str, state: State) -> str:
    """What the bars are, after what stands over them where distances depend on the offset alone."""
    moves = words.SAID["moves"]
    return str(moves if words.no_offsets(state.encoding) else f"{words.SAID[shown]} {moves}")


@kept
def _tables(encoding: Encoding, pair: int, offset: float, close: Nearness | None) -> tuple[Block, ...]:
    """All but what tells t from t + k."""
    found = collisions.alias(encoding) if encoding.is_shift_invariant else None
    revival = "" if found is None else words.revival(*found)
    return (
        *_returns(encoding, pair, offset),
        Space(_SECTION),
        *_offsets(encoding, close, offset),
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


def _offsets(encoding: Encoding, close: Nearness | None, offset: float) -> tuple[Block, ...]:
    """The offsets at which the whole vectors come nearest."""
    reason = words.no_offsets(encoding)
    n_offsets = whole(encoding.n_positions - 1)
    title = Words(f"Nearest of all {n_offsets} offsets, in all dimensions", "strong")
    if reason:
        return (flow.paragraph(reason),)
    n_rows = min(encoding.n_positions - 1, _MOST_OFFSETS)
    if close is None:
        return title, Space(Table.HEAD + Table.row_height * n_rows)
    nearest = [(pair.offset, pair.distance) for pair in close.nearest[:n_rows]]
    rows = [_row((whole(k), short(d, 6)), k, offset, f"nearest offset {k}", d) for k, d in nearest]
    return title, Space(4.0), Table(("offset k", "distance"), tuple(rows))


def _badge(area: Area, theme: Theme, pair: int, n_pairs: int) -> marks.Picture:
    return (marks.Badge(*area.middle, 8.5, str(pair), theme.pair_color(pair, n_pairs)),)


def _hands(encoding: Encoding, two: Comparison | None) -> tuple[Block, ...]:
    """How far the tip of each hand moves from t to t + k, and which move farthest."""
    title = distance = moves = value = ""
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
    wide = area.width / n_bars
    foot = area.bottom
    gap = 1.0 if wide > 4.0 else 0.0
    bars = [
        marks.Rectangle(area.x + bar * wide, foot - tall, wide - gap, tall, theme.pair_color(edge, count))
        for bar, (edge, tall) in enumerate(zip(edges.tolist(), heights.tolist(), strict=True))
    ]
    return *bars, marks.lines((area.x, foot, area.right, foot), theme.axis)


def _distance_page(state: State, answers: Answers) -> Block:
    encoding = state.encoding
    law = _found(_law_question(state), answers)
    two = _compared(state, answers)
    reason = words.no_offsets(encoding)
    heading = reason or ("" if law is None else words.steps_down(law))
    plots = () if reason else _plot(encoding, law, abs(state.cursor.offset), state.trained_length)
    title, said = ("", "") if two is None else ("The difference itself", words.difference(two))
    told = Live(Words(title, "strong")), Live(Words(said, "caption", "text2", n_lines=4))
    shown = *_trained(state, answers), *plots, Space(16.0), *_hands(encoding, two), Space(10.0), *told
    return Column((Words(heading, "caption", "text2", n_lines=2), *shown), gap=4.0)


def _distance_sentence(state: State, answers: Answers) -> str:
    """The largest distance, or how long the difference of t and t + k is."""
    law: DistanceLaw | None = _found(_law_question(state), answers)
    two = _compared(state, answers)
    if law is not None and len(law.distances) > 1:
        return f"The largest distance is {fixed(float(law.distances[law.farthest]), 4)} at k = {whole(law.farthest)}"
    if two is None:
        return f"{state.encoding.title}: distance"
    at = f"at t = {position(two.position)}"
    return f"The difference over k = {position(two.offset)} has length {short(two.length, 6)} {at}"


def _bound_questions(state: State) -> Questions:
    """The base bound, where it is read against a trained length."""
    if not state.trained_length or rotating_pairs(state.encoding) is None:
        return ()
    return (Question("base bound", collisions.base_bound, (state.encoding,), rank=1, title="Base bound"),)


def _trained(state: State, answers: Answers) -> tuple[Block, ...]:
    """How the trained length stands to the turns of the hands and to the base bound; nothing without one."""
    pairs = rotating_pairs(state.encoding)
    length = state.trained_length
    if not length or pairs is None:
        return ()
    bound = _found(_bound_questions(state), answers)
    said = "no sum of cosines is negative up to k = 10 000 000"
    if bound is None:
        said = "measuring…"
    elif bound:
        first = "the sum of cosines is first negative at " if state.encoding.is_shift_invariant else ""
        said = f"{first}k = {whole(bound)}"
    name = words.base_bound_name(state.encoding)
    text = f"Trained on {whole(length)}: {never_turned_words(pairs, length)}. {name}: {said}."
    return (Words(text, "caption", "text2", n_lines=2),)


def _plot(encoding: Encoding, law: DistanceLaw | None, offset: float, trained_length: int) -> tuple[Block, ...]:
    """The distance by offset with both fits, what these are, and the table of offsets."""
    k = round(offset)
    last = max(collisions.listed_offsets(encoding)[-1], 2)
    curves, highest = _curves(law)
    at = float(k) if 1 <= k < (0 if law is None else len(law.distances)) else None
    chart = Chart(
        "Distance D(k)",
        Scale("offset k", 0.0, float(last), ticks="positions", sets="offset"),
        Scale("", 0.0, highest),
        curves,
        at,
        f"k = {whole(k)} ›" if k > last else "",
        _PLOT_HEIGHT,
        has_names=False,
        name="distance by offset",
        dots=() if at is None else (float(curves[0].y[k - 1]),),
        trained_length=trained_length,
    )
    return _keys(law), chart, Space(4.0), _table(encoding, law, offset)


@kept
def _curves(law: DistanceLaw | None) -> tuple[tuple[Curve, ...], float]:
    """D(k) from k = 1 on with both fits, and the end of its axis: the law is dashed, the straight line dotted."""
    if law is None or len(law.distances) < 2:
        return (), 1.0
    k = np.arange(1.0, len(law.distances))
    highest = 1.04 * float(law.distances.max()) or 1.0
    ink = "ink" if len(k) <= _MOST_IN_INK else "axis"
    curves = [Curve("", k, law.distances[1:], ink, 1.4)]
    if law.line is not None and law.logarithm is not None:
        at = np.geomspace(1.0, max(k[-1], 2.0), _SMOOTH_POINTS)
        root = np.sqrt(np.maximum(law.logarithm.at(np.log(at)), 0.0))
        curved = root if law.law_r_squared is None else law.law(at)
        for fitted, dash in ((law.line.at(at), _LINE_DASH), (curved, _LAW_DASH)):
            inside = (fitted >= 0.0) & (fitted <= highest)
            curves.append(Curve("", at[inside], fitted[inside], "text2", 1.4, dash))
    return tuple(curves), highest


@kept
def _keys(law: DistanceLaw | None) -> Block:
    """What the dotted and the dashed line are, how well they fit, and which offsets they are fitted on."""
    line = zero = curved = known = fitted = ""
    if law is not None and law.line is not None and law.logarithm is not None:
        line = f"Dotted: straight line, R² {fixed(law.line.r_squared, 3)}"
        zero = "" if law.line_from_zero is None else f" ({fixed(law.line_from_zero.r_squared, 3)} with k = 0)"
        curved = f"Dashed: best √(a + b ln k), R² {fixed(law.logarithm.r_squared, 3)}"
        if law.law_r_squared is not None:
            fit = f"R² {fixed(law.law_r_squared, 3)}" if law.law_r_squared >= 0 else "worse than a constant"
            curved = f"Dashed: root-of-log law √(c (ln k + γ)), {fit}"
            known = "c = d / ln base, γ = 0.5772…; "
        fitted = f"line fitted on k = 1 to {whole(len(law.distances) - 1)}"
    key = partial(Words, role="tick", ink="text2")
    keys = key(line + zero, shorter=(line,)), key(curved), key(known + fitted, ink="text3", shorter=(fitted,))
    return Named("line and law", Column(keys), tooltip=words.SAID["law"])


@kept
def _table(encoding: Encoding, law: DistanceLaw | None, offset: float) -> Block:
    """D at a few offsets, its share of the largest, and its square beside the law."""
    heads: tuple[str, ...] = ("k", "D(k)", "of max", "D²(k)")
    if law is not None and law.law_slope is not None:
        heads += ("c (ln k + γ)",)
    rows = []
    for k in collisions.listed_offsets(encoding):
        cells = ("…",) * (len(heads) - 1) if law is None else _cells(law, k)
        value = "" if law is None else fixed(float(law.distances[k]), 4)
        rows.append(Row((whole(k), *cells), {"offset": float(k)}, k == offset, name=f"offset {k}", value=value))
    return Table(heads, tuple(rows))


def _cells(law: DistanceLaw, k: int) -> tuple[str, ...]:
    """Large and small distances are powers of ten, all in one way."""
    distance = float(law.distances[k])
    largest = float(law.distances[law.farthest])
    is_plain = _LEAST_PLAIN <= largest < _MOST_PLAIN
    squares = [distance**2] if law.law_slope is None else [distance**2, float(law.law(np.array([float(k)]))[0]) ** 2]
    share = f"{fixed(100 * distance / largest, 1)} %" if largest > 0 else "–"
    texts = (fixed(square, 3) if is_plain else short(square) for square in squares)
    return fixed(distance, 4) if is_plain else short(distance), share, *texts


COLLISIONS: Final = Page(
    _collisions_page,
    _collisions_sentence,
    partial(_explanation, "tables"),
    partial(_questions, _close_question),
    VERDICTS.text,
)
DISTANCE: Final = Page(
    _distance_page, _distance_sentence, partial(_explanation, "plots"), _distance_questions, VERDICTS.text
)
