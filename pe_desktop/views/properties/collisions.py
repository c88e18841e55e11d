"""The page of collisions: near returns of one pair, nearest offsets of all, what tells t from t + k."""

import math
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np

from pe_desktop.core.columns import n_hands
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.lags import are_soon_known
from pe_desktop.core.measure.collisions import CloseOffsets, Comparison, alias, close_offsets, comparison
from pe_desktop.core.measure.periodic import N_RETURNS, near_returns
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.dial import hand_name
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Grid, Live, Named, Row, Space, Table, Words
from pe_desktop.draw.number_text import position, short, whole
from pe_desktop.draw.plot import Axis, Plot
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.properties import words

_MOST_OFFSETS: Final = 6
_SPARK: Final = 44.0
_BARS: Final = 64.0
_SECTION: Final = 18.0
# Table values that may be compared within a frame; wider tables are compared when the cursor rests.
_VALUES_PER_FRAME: Final = 2**13
_caption = partial(Words, role="tick", across=1.0)


def search(topic: str, compute: Callable[..., Any], encoding: Encoding) -> tuple[Question, ...]:
    """What is asked of all offsets, where distances depend on the offset alone."""
    if words.no_offsets(encoding):
        return ()
    rank = 0 if are_soon_known(encoding.n_positions) else 1
    return (Question(topic, compute, (encoding,), rank, "Searching", takes="report and task"),)


def _search(encoding: Encoding) -> tuple[Question, ...]:
    return search("close offsets", close_offsets, encoding)


def comparison_question(state: State) -> Question:
    """How the rows t and t + k differ."""
    encoding, cursor = state.encoding, state.cursor
    is_quick = 2 * encoding.d_model <= _VALUES_PER_FRAME
    arguments = encoding, cursor.position, cursor.offset
    return Question("comparison", comparison, arguments, rank=2, is_quick=is_quick, takes="nothing")


def compared(state: State, answers: Answers) -> Comparison | None:
    """The comparison of t with t + k; of a wide table the last one while the cursor moves."""
    latest: Comparison | None = answers.latest(comparison_question(state))
    return latest if latest is not None and latest.encoding == state.encoding else None


def questions(state: State) -> tuple[Question, ...]:
    return *_search(state.encoding), comparison_question(state)


def page(state: State, answers: Answers) -> Block:
    cursor, close = state.cursor, _close(state, answers)
    tables = _tables(state.encoding, cursor.pair, abs(cursor.offset), close)
    return Column((*tables, *_hands(state.encoding, compared(state, answers))))


def sentence(state: State, answers: Answers) -> str:
    """The offset at which vectors come nearest, or how far t and t + k are apart."""
    close = _close(state, answers)
    if close is not None:
        nearest, distance = float(close.offsets[0]), float(close.distances[0])
        return f"Vectors are nearest at offset {whole(nearest)}: {short(distance, 4)} apart"
    two = compared(state, answers)
    if two is None:
        return f"{state.encoding.title}: where positions come near"
    both = f"{position(two.position)} and {position(two.position + two.offset)}"
    return f"Positions {both} are {short(two.apart.distance, 4)} apart"


def explanation(state: State) -> str:
    tables = (
        "The first table lists the offsets after which the chosen pair is nearer to its beginning than after any "
        "smaller one, the second the offsets at which whole vectors are nearest; the curve over it is the smallest "
        "distance by offset. "
    )
    bars = "The bars are how far each pair of dimensions moves from t to t + k, coloured from first to last."
    return ("" if words.no_offsets(state.encoding) else tables) + bars


def _close(state: State, answers: Answers) -> CloseOffsets | None:
    close: list[CloseOffsets | None] = [answers.answer(question) for question in _search(state.encoding)]
    return close[0] if close else None


@lru_cache(maxsize=4)
def _tables(encoding: Encoding, pair: int, offset: float, close: CloseOffsets | None) -> tuple[Block, ...]:
    """All but what tells t from t + k."""
    found = alias(encoding) if encoding.is_shift_invariant else None
    revival = "" if found is None else words.revival(found)
    return (
        *_returns(encoding, pair, offset),
        Space(_SECTION),
        *_offsets(encoding, close, offset),
        Space(_SECTION),
        Words(revival, "caption", "text2", is_paragraph=True),
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
    heading = f"{'near' if rows else 'no near'} returns of {hand_name(encoding, pair)}"
    badge = Drawn(_badge, (pair, n_hands(encoding)), 18.0)
    titles = ("positions k", "turns", "degrees off", "chord")
    table = (Table(titles, tuple(rows)),) if rows else ()
    return Grid((18.0, GROW), ((badge, Words(heading, "strong")),), gap=6.0), Space(4.0), *table


def _row(cells: tuple[str, ...], k: float, offset: float, name: str, value: float) -> Row:
    """A row that leads to its offset."""
    return Row(cells, {"offset": float(k)}, k == offset, name=name, value=short(value, 6))


def _offsets(encoding: Encoding, close: CloseOffsets | None, offset: float) -> tuple[Block, ...]:
    """The offsets at which the whole vectors come nearest, and the smallest distance by offset."""
    reason, title = words.no_offsets(encoding), Words("All dimensions: nearest offsets", "strong")
    if reason:
        return title, Words(reason, "caption", "text2", is_paragraph=True)
    n_rows = min(encoding.n_positions - 1, _MOST_OFFSETS)
    if close is None:
        return title, Space(_SPARK + 10.0 + Table.HEAD + Table.row_height * n_rows)
    among = _caption(f"among all {whole(encoding.n_positions - 1)}", ink="text3")
    nearest = [*zip(close.offsets.tolist(), close.distances.tolist(), strict=True)][:n_rows]
    rows = [_row((whole(k), short(d, 6)), k, offset, f"nearest offset {k}", d) for k, d in nearest]
    return (
        Grid((GROW, FIT), ((title, among),)),
        Space(4.0),
        Named("smallest distance by offset", Drawn(_spark, (close,), _SPARK)),
        Space(6.0),
        Table(("offset k", "distance"), tuple(rows)),
    )


def _badge(area: Area, theme: Theme, pair: int, n_pairs: int) -> marks.Picture:
    return (marks.Badge(area.x + 9.0, area.y + 9.0, 8.5, str(pair), theme.pair_color(pair, n_pairs)),)


def _spark(area: Area, theme: Theme, close: CloseOffsets) -> marks.Picture:
    """The smallest distance by offset."""
    offsets, lowest = close.nearness.offsets, close.nearness.lowest
    limit, last = float(lowest.max()), max(float(offsets[-1]), 2.0)
    plot = Plot(Axis(area, 1.0, last), Axis(area, 0.0, limit if limit > 0 else 1.0, "left"))
    return plot.x.edge(theme.axis), plot.curve(offsets, lowest, theme.ink, 1.4)


def _hands(encoding: Encoding, two: Comparison | None) -> tuple[Block, ...]:
    """How far the tip of each hand moves from t to t + k, and which move farthest."""
    title, distance, moves, value = "", "", "", ""
    if two is not None:
        apart = two.apart
        title = f"What tells {position(two.position)} from {position(two.position + two.offset)}"
        value = short(apart.distance, 5)
        distance = f"distance {value}"
        best = [hand for hand in apart.order[:3].tolist() if apart.chords[hand] > 0]
        moves = "; ".join(f"{hand_name(encoding, hand)}: {short(float(apart.chords[hand]), 4)}" for hand in best)
    return (
        Live(Grid((GROW, FIT), ((Words(title, "strong"), _caption(distance, ink="text2")),))),
        Space(4.0),
        Named("what tells t from t + k", Live(Drawn(_bars, (two,), _BARS)), value),
        Space(6.0),
        Live(Words(moves, "tick", "text2", n_lines=1)),
    )


def _bars(area: Area, theme: Theme, two: Comparison | None) -> marks.Picture:
    """A bar for each hand; many hands share a pixel by their largest."""
    if two is None:
        return ()
    count, n_bars = len(two.apart.chords), max(min(len(two.apart.chords), int(area.width // 2)), 1)
    edges = np.arange(n_bars) * count // n_bars
    heights = np.maximum.reduceat(two.apart.chords, edges)
    heights = heights / max(float(heights.max()), 1e-300) * area.height
    wide, foot = area.width / n_bars, area.bottom
    gap = 1.0 if wide > 4.0 else 0.0
    bars = [
        marks.Rectangle(area.x + bar * wide, foot - tall, wide - gap, tall, theme.pair_color(edge, count))
        for bar, (edge, tall) in enumerate(zip(edges.tolist(), heights.tolist(), strict=True))
    ]
    return *bars, marks.Segments(np.array([[area.x, foot, area.right, foot]]), theme.axis)
