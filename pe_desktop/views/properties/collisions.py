"""The page of collisions: near returns of one pair, nearest offsets of all, what tells t from t + k."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np

from pe_desktop.core.columns import n_hands
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.lags import are_soon_known
from pe_desktop.core.measure.collisions import Alias, CloseOffsets, alias, close_offsets
from pe_desktop.core.measure.distance_law import Comparison, comparison
from pe_desktop.core.measure.periodic import N_RETURNS, NearReturn, near_returns
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.hand_text import hand_name
from pe_desktop.draw.number_text import position, short, whole
from pe_desktop.draw.plot import Axis, Plot, paragraph
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.tables import TableLayout, table_picture
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import wrapped
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.properties import words

_MOST_OFFSETS: Final = 6
_HEADING: Final = 24.0
_SPARK: Final = 44.0
_BARS: Final = 64.0
_GAP: Final = 22.0
_MARGIN: Final = 4.0
# Table values that may be compared within a frame; wider tables are compared when the cursor rests.
_VALUES_PER_FRAME: Final = 2**13
_RETURN, _OFFSET = "near return after ", "nearest offset "


@lru_cache(maxsize=16)
def _returns(encoding: Encoding, pair: int) -> tuple[NearReturn, ...]:
    """The first near returns of a hand; none where it does not turn evenly."""
    has_hands = encoding.pairs is not None and encoding.is_shift_invariant
    return near_returns(encoding, pair)[:N_RETURNS] if has_hands else ()


@lru_cache(maxsize=16)
def _alias(encoding: Encoding) -> Alias | None:
    return alias(encoding) if encoding.is_shift_invariant else None


def _close_offsets(encoding: Encoding, task: Task) -> CloseOffsets | None:
    return close_offsets(encoding, task.report, task)


def _comparison(encoding: Encoding, at: float, offset: float, task: Task) -> Comparison:
    return comparison(encoding, at, offset)


# Frames and places of one state ask for the same.
_compared_at_once = lru_cache(maxsize=4)(comparison)


def _search(encoding: Encoding) -> Question | None:
    """The nearest offsets, where distances depend on the offset alone."""
    if words.no_offsets(encoding):
        return None
    rank = 0 if are_soon_known(encoding.d_model, encoding.n_positions) else 1
    return Question("close offsets", _close_offsets, (encoding,), rank, "Searching")


def comparison_questions(state: State) -> tuple[Question, ...]:
    """How the rows t and t + k differ, where the table is too wide to compare them within a frame."""
    encoding, cursor = state.encoding, state.cursor
    if 2 * encoding.d_model <= _VALUES_PER_FRAME:
        return ()
    arguments = (encoding, cursor.position, cursor.offset)
    return (Question("comparison", _comparison, arguments, rank=2),)


def compared(state: State, answers: Answers) -> Comparison | None:
    """The comparison of t with t + k; of a wide table the last one while the cursor moves."""
    for question in comparison_questions(state):
        latest: Comparison | None = answers.latest(question)
        return latest if latest is not None and latest.encoding == state.encoding else None
    return _compared_at_once(state.encoding, state.cursor.position, state.cursor.offset)


@record
class _Layout:
    """Where the sections stand in a picture of this width, top to bottom."""

    width: float
    n_returns: int
    n_offsets: int
    has_alias: bool

    @property
    def returns(self) -> TableLayout:
        """The table of the chosen hand's near returns."""
        return TableLayout(0.0, _HEADING, self.width, self.n_returns)

    @property
    def offsets_top(self) -> float:
        """Where the nearest offsets begin."""
        return self.returns.bottom + _GAP

    @property
    def spark(self) -> Area:
        """The smallest distance by offset."""
        return Area(0.0, self.offsets_top + _HEADING, self.width, _SPARK)

    @property
    def offsets(self) -> TableLayout:
        """The table of the nearest offsets."""
        return TableLayout(0.0, self.spark.y + _SPARK + 6.0, self.width, self.n_offsets)

    @property
    def alias_top(self) -> float:
        """Where the revival of evenly spaced frequencies is told."""
        return self.offsets.bottom + _GAP

    @property
    def hands(self) -> Area:
        """How far each hand moves from t to t + k."""
        top = self.alias_top + (54.0 if self.has_alias else 0.0)
        return Area(0.0, top + _HEADING, self.width, _BARS)

    @property
    def height(self) -> float:
        """All of it."""
        return self.hands.bottom + 30.0 + _MARGIN


def questions(state: State) -> tuple[Question, ...]:
    question = _search(state.encoding)
    return (*(() if question is None else (question,)), *comparison_questions(state))


def height(state: State, width: float) -> float:
    return _layout(state, width).height


def scene(state: State, answers: Answers, box: Box) -> Scene:
    encoding, cursor = state.encoding, state.cursor
    layout, close, two = _layout(state, box.width), _close(state, answers), compared(state, answers)
    return Scene(
        moving=_hands_picture(layout, encoding, two, box.theme),
        still=Part(_still, layout, encoding, cursor.pair, cursor.offset, close, box.theme),
        places=Part(_places, layout, encoding, cursor.pair, cursor.offset, close, two),
    )


def changes(state: State, answers: Answers, box: Box, place: Place, x: float) -> Mapping[str, Any]:
    """A row of a table leads to its offset."""
    layout, close = _layout(state, box.width), _close(state, answers)
    for row in _rows(layout, _returns(state.encoding, state.cursor.pair), close, 0.0):
        if row[0] == place:
            return {"offset": row[1]}
    return {}


def sentence(state: State, answers: Answers) -> str:
    """The offset at which vectors come nearest, or how far t and t + k are apart."""
    close = _close(state, answers)
    if close is not None:
        nearest, distance = float(close.offsets[0]), float(close.distances[0])
        return f"Vectors are nearest at offset {whole(nearest)}: {short(distance, 4)} apart"
    two = compared(state, answers)
    if two is None:
        return f"{state.encoding.title}: where positions come near"
    return f"{_pair_of(two)} are {short(two.apart.distance, 4)} apart"


def explanation(state: State) -> str:
    tables = (
        "The first table lists the offsets after which the chosen pair is nearer to its beginning than after any "
        "smaller one, the second the offsets at which whole vectors are nearest; the curve over it is the smallest "
        "distance by offset. "
    )
    bars = "The bars are how far each pair of dimensions moves from t to t + k, coloured from first to last."
    return ("" if words.no_offsets(state.encoding) else tables) + bars


def _close(state: State, answers: Answers) -> CloseOffsets | None:
    question = _search(state.encoding)
    close: CloseOffsets | None = None if question is None else answers.answer(question)
    return close


def _layout(state: State, width: float) -> _Layout:
    encoding = state.encoding
    n_offsets = 0 if words.no_offsets(encoding) else min(encoding.n_positions - 1, _MOST_OFFSETS)
    n_returns, has_alias = len(_returns(encoding, state.cursor.pair)), _alias(encoding) is not None
    return _Layout(width, n_returns, n_offsets, has_alias)


def _pair_of(two: Comparison) -> str:
    return f"Positions {position(two.position)} and {position(two.position + two.offset)}"


def _rows(
    layout: _Layout, returns: tuple[NearReturn, ...], close: CloseOffsets | None, offset: float
) -> list[tuple[Place, float]]:
    """A place and an offset for each row of both tables."""
    rows = [(layout.returns, n, _RETURN, near.positions, near.chord) for n, near in enumerate(returns)]
    if close is not None:
        shown = zip(close.offsets[: layout.n_offsets].tolist(), close.distances.tolist(), strict=False)
        rows += [(layout.offsets, n, _OFFSET, k, distance) for n, (k, distance) in enumerate(shown)]
    return [
        (
            Place(f"{name}{k}", table.row_area(n), short(number, 6), is_chosen=k == abs(offset)),
            float(k),
        )
        for table, n, name, k, number in rows
    ]


def _places(
    layout: _Layout, encoding: Encoding, pair: int, offset: float, close: CloseOffsets | None, two: Comparison | None
) -> tuple[Place, ...]:
    plots = [Place("what tells t from t + k", layout.hands, "" if two is None else short(two.apart.distance, 5))]
    if close is not None:
        plots.append(Place("smallest distance by offset", layout.spark))
    return (*plots, *(place for place, _ in _rows(layout, _returns(encoding, pair), close, offset)))


def _still(
    layout: _Layout, encoding: Encoding, pair: int, offset: float, close: CloseOffsets | None, theme: Theme
) -> marks.Picture:
    """All but the bars of t and t + k."""
    return (
        *_returns_picture(layout, encoding, pair, offset, theme),
        *_offsets_picture(layout, encoding, close, offset, theme),
        *_alias_picture(layout, _alias(encoding), theme),
    )


def _returns_picture(layout: _Layout, encoding: Encoding, pair: int, offset: float, theme: Theme) -> marks.Picture:
    """The positions after which the chosen pair is nearer to its beginning than after any smaller number."""
    returns, color = _returns(encoding, pair), theme.pair_color(pair, n_hands(encoding))
    heading = f"{'near' if returns else 'no near'} returns of {hand_name(encoding, pair)}"
    rows = [
        (
            whole(near.positions),
            whole(near.turns),
            short(math.degrees(near.residual_angle), 2),
            short(near.chord, 3),
        )
        for near in returns
    ]
    chosen = next((i for i, near in enumerate(returns) if near.positions == abs(offset)), None)
    titles = ("positions k", "turns", "degrees off", "chord")
    return (
        marks.Badge(9.0, 9.0, 8.5, str(pair), color),
        marks.Text(24.0, 9.0, heading, "strong", theme.text),
        *(table_picture(layout.returns, titles, rows, chosen, theme) if rows else ()),
    )


def _offsets_picture(
    layout: _Layout, encoding: Encoding, close: CloseOffsets | None, offset: float, theme: Theme
) -> marks.Picture:
    """The offsets at which the whole vectors come nearest, and the smallest distance by offset."""
    top = layout.offsets_top
    heading = marks.Text(0.0, top + 8.0, "All dimensions: nearest offsets", "strong", theme.text)
    if close is None:
        reason = paragraph(0.0, top + 30.0, words.no_offsets(encoding), theme.text2, layout.width, 3)
        return (heading, *reason)
    spark = layout.spark
    limit = float(close.bucket_lowest.max())
    last = max(float(close.bucket_offsets[-1]), 2.0)
    plot = Plot(Axis(spark, 1.0, last), Axis(spark, 0.0, limit if limit > 0 else 1.0, "left"))
    rows = [
        (whole(float(k)), short(float(d), 6))
        for k, d in zip(close.offsets[: layout.n_offsets], close.distances[: layout.n_offsets], strict=True)
    ]
    chosen = next((i for i, k in enumerate(close.offsets[: layout.n_offsets]) if k == abs(offset)), None)
    caption = f"among all {whole(close.encoding.n_positions - 1)}"
    return (
        heading,
        marks.Text(layout.width, top + 8.0, caption, "tick", theme.text3, across=1.0),
        plot.x.edge(theme.axis),
        plot.curve(close.bucket_offsets, close.bucket_lowest, theme.ink, 1.4),
        *table_picture(layout.offsets, ("offset k", "distance"), rows, chosen, theme),
    )


def _alias_picture(layout: _Layout, found: Alias | None, theme: Theme) -> marks.Picture:
    """Evenly spaced frequencies meet again after 2 pi over their step."""
    if found is None:
        return ()
    return paragraph(0.0, layout.alias_top + 6.0, words.revival(found), theme.text2, layout.width, 3)


def _hands_picture(layout: _Layout, encoding: Encoding, two: Comparison | None, theme: Theme) -> marks.Picture:
    """A bar for each hand: how far its tip moves from t to t + k; many hands share a pixel by their largest."""
    if two is None:
        return ()
    area, apart = layout.hands, two.apart
    title = f"What tells {position(two.position)} from {position(two.position + two.offset)}"
    distance = f"distance {short(apart.distance, 5)}"
    count, n_bars = len(apart.chords), max(min(len(apart.chords), int(area.width // 2)), 1)
    edges = np.arange(n_bars) * count // n_bars
    heights = np.maximum.reduceat(apart.chords, edges)
    highest = max(float(heights.max()), 1e-300)
    wide = area.width / n_bars
    foot = area.y + area.height
    picture: list[marks.Mark] = [
        marks.Text(0.0, area.y - _HEADING + 8.0, title, "strong", theme.text),
        marks.Text(area.width, area.y - _HEADING + 8.0, distance, "tick", theme.text2, across=1.0),
    ]
    for bar, (edge, chord) in enumerate(zip(edges.tolist(), heights.tolist(), strict=True)):
        tall = chord / highest * area.height
        gap = 1.0 if wide > 4.0 else 0.0
        color = theme.pair_color(edge, count)
        picture.append(marks.Rectangle(bar * wide, foot - tall, wide - gap, tall, color))
    picture.append(marks.Segments(np.array([[0.0, foot, area.width, foot]]), theme.axis))
    best = [hand for hand in apart.order[:3].tolist() if apart.chords[hand] > 0]
    moves = "; ".join(f"{hand_name(encoding, hand)}: {short(float(apart.chords[hand]), 4)}" for hand in best)
    picture += [
        marks.Text(0.0, foot + 14.0, line, "tick", theme.text2) for line in wrapped("tick", moves, area.width, 1)
    ]
    return tuple(picture)
