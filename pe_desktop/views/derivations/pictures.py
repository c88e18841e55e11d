"""The pictures beside the steps, with the numbers of the moment: hands on a dial, what each pair adds, small maps."""

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

from pe_desktop.core.cursor import hand_columns
from pe_desktop.core.encoding import Floats
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.record import record
from pe_desktop.core.rotation import rotation_blocks
from pe_desktop.draw import marks
from pe_desktop.draw.cell_map import HEAD, cell_at, cell_map, cells_in
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.dial import NAMES_ACROSS, NAMES_DOWN, Dial, named_hands
from pe_desktop.draw.flow import Block, Column, Drawn, Formula, Layers, Named, Words, paragraph
from pe_desktop.draw.formula_text import number
from pe_desktop.draw.number_text import degrees, position, short, whole
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme, with_alpha
from pe_desktop.views.derivations.step import KEY, QUERY, Moment
from pe_desktop.views.questions import turned

# Angle clockwise from 12, length as a share of the dial's radius, name; angles and lengths that a line joins.
_Hand: TypeAlias = tuple[float, float, str]
_Path: TypeAlias = tuple[tuple[float, float], ...]
_LARGEST: Final = 300.0
_TALL: Final = 118.0
_BAR: Final = 6.0
# So near to its middle the end of a hand is taken.
_GRAB: Final = 11.0
# More bars than this are a line.
_MOST_BARS: Final = 64
# Hands in the matrix of the shift, positions in the map of dot products, values in the chart of distances.
_HANDS, _SIDE, _VALUES = 8, 7, 2**15


def _titled(title: str, block: Block) -> Block:
    return Named(title, Column((paragraph(title, "segment"), block), gap=6.0))


@record
class End:
    """What takes the end of a hand: the dial on which it turns, and the name of the state that it moves."""

    dial: Dial
    name: str

    def __call__(self, _x: float, _y: float) -> dict[str, float]:
        """A press alone sets nothing."""
        return {}


@record(eq=False)
class _Ends(Block):
    """The ends of hands as places: a drag of the first moves t, of the other k; the hand at 0 stays."""

    dial_in: Callable[[Area], Dial]
    m: Moment
    hands: tuple[_Hand, ...]

    def places(self, area: Area) -> Iterable[Place]:
        dial, (t, k, _) = self.dial_in(area), self.m.texts
        moved = ("position", f"t = {t}"), ("offset", f"k = {k}")
        for (angle, share, letter), (name, value) in zip(self.hands, moved, strict=False):
            if letter != "0":
                where = Area.around(*dial.tip(angle, share * dial.radius), _GRAB)
                yield Place(f"hand {letter}", where, value, sets=End(dial, name))


def _dial(
    m: Moment,
    title: str,
    hands: tuple[_Hand, ...],
    turn: float,
    path: _Path = (),
    over: Callable[[Dial, Theme, Floats], marks.Picture] = lambda *_: (),
    foot: float = 0.0,
) -> Block:
    """Hands in the colour of the pair; over: marks over them, given the ends of the path; foot: room below."""

    def dial_in(area: Area) -> Dial:
        room = area._replace(height=area.height - foot)
        return Dial(*room.middle, max(min(room.width / 2 - NAMES_ACROSS, room.height / 2 - NAMES_DOWN), 4.0))

    def drawn(area: Area, theme: Theme) -> marks.Picture:
        dial = dial_in(area)
        ends = np.array([dial.tip(angle, share * dial.radius) for angle, share in path])
        return *named_hands(dial, theme, (m.i, m.half), hands, turn, path), *over(dial, theme, ends)

    tall = lambda width: min(width, _LARGEST) - 2 * (NAMES_ACROSS - NAMES_DOWN) + foot  # noqa: E731
    return _titled(title, Layers((Drawn(drawn, (), tall), _Ends(dial_in, m, hands))))


def shift(m: Moment, _step: int = 0, title: str = "", *, has_chord: bool = False) -> Block | None:
    """The hand at t and at t + k, and the line between their tips."""
    if m.encoding.pairs is None:
        return None
    now, later, turn = math.atan2(*m.now), math.atan2(*m.later), m.turned(m.i)
    title, path = f"Pair {m.i} turns by {turned(turn)}{title}", ((now, 1.0), (later, 1.0))
    return _dial(m, title, ((now, 1.0, "t"), (later, 1.0, "t + k")), turn, path if has_chord else ())


def _pairs(count: int) -> Scale:
    return Scale("pair i", 0.0, max(count - 1.0, 1.0), sets="pair", is_whole=True)


def _sums(m: Moment, title: str, terms: Floats) -> Block:
    """What each hand adds to a sum over all dimensions, one bar on the other; terms: shape (d_model,)."""
    hands = np.append(terms, 0.0)[hand_columns(m.encoding)].sum(axis=1)
    sums, x = np.cumsum(hands), np.arange(float(len(hands)))
    wide, is_few = 150.0 / len(hands), len(hands) <= _MOST_BARS
    ends = min(0.0, float(sums.min())), max(0.0, float(sums.max())) or 1.0
    curve = Curve("", x, sums, "text2", max(wide, 1.4), style="steps" if is_few else "line")
    note = f"pair {m.i} adds {short(float(hands[m.i]), 4)}, in all {short(float(sums[-1]), 5)}"
    chart = Chart(
        "", _pairs(len(hands)), Scale("", *ends), (curve,), float(m.i), tall=_TALL, dots=(float(sums[m.i]),), name=title
    )
    return Column((Words(title, "segment", "text2"), paragraph(note, "tick"), chart))


def frequencies(m: Moment, *_: Any) -> Block | None:
    """All frequencies by their logarithm: powers of one base lie on a straight line."""
    omegas = np.zeros(0) if m.hands is None else m.hands.angular_frequencies
    if not len(omegas[omegas > 0]):
        return None
    x, low = np.arange(float(len(omegas))), float(omegas[omegas > 0].min())
    curve = Curve("", x, omegas, "ink", style="dots" if len(omegas) <= _MOST_BARS else "line")
    levels = Scale("", 0.8 * low, 1.25 * float(omegas.max()), is_logarithmic=True)
    return Chart(
        "ln ω against i", _pairs(len(omegas)), levels, (curve,), float(min(m.i, len(omegas) - 1)), tall=2 * _TALL
    )


def sum_of_angles(m: Moment, step: int) -> Block | None:
    """What each step says of the hand; where hands turn unevenly its turn alone."""
    if not m.turns:
        return shift(m)
    if step in (2, 3):
        return _shadows(m, step == 3)
    if step in (4, 5):
        return _below(_legs(m), _titled("Their lengths are the row's factors", _block(m, step - 4)))
    if step == 7:
        return _below(shift(m, title=" at every t"), _titled("Its block stays", _block(m)))
    return _below(shift(m), _every_t(m, 0))


def _legs(m: Moment, is_cosine: bool | None = None) -> Block:
    """Two legs lead to the moved hand: cos kω along the hand at t, and sin kω across it.

    is_cosine: whether their shadows add up to the cosine at t + k or to the sine, None without them.
    """
    (s, c), now, later = m.turn, math.atan2(*m.now), math.atan2(*m.later)

    def over(dial: Dial, theme: Theme, ends: Floats) -> marks.Picture:
        # The name of each leg that is long enough stands on the side that is away from the other one.
        names = (f"cos k{m.w}", now - math.copysign(math.pi / 2, s)), (f"sin k{m.w}", now + math.pi * (c < 0))
        named = [
            marks.FormulaText(x + 28.0 * math.sin(way), y - 14.0 * math.cos(way), name, 13, theme.text2, across=0.5)
            for (name, way), (x, y), leg in zip(names, (ends[1:] + ends[:-1]) / 2, np.diff(ends, axis=0), strict=True)
            if math.hypot(*leg) > 0.35 * dial.radius
        ]
        return *(() if is_cosine is None else _bars(m, dial, theme, ends, int(is_cosine))), *named

    path = ((0.0, 0.0), (now, c), (later, 1.0))
    hands = (now, 1.0, "t"), (later, 1.0, "t + k")
    foot = 32.0 if is_cosine is False else 0.0
    return _dial(m, "Two legs lead to the moved hand", hands, m.turned(m.i), path, over, foot)


def _bars(m: Moment, dial: Dial, theme: Theme, ends: Floats, along: int) -> marks.Picture:
    """The shadows of both legs below the dial or at its free side, side by side; ends: of the legs, shape (3, 2)."""
    ink, feet, away = theme.pair_color(m.i, m.half), ends.copy(), dial.radius + 24.0
    feet[:, 1 - along] = (dial.y + away, dial.x + math.copysign(away, -m.later[0]))[along]
    first, second = np.hstack([feet[:-1], feet[1:]])[:, None]
    second[:, [1 - along, 3 - along]] += _BAR
    return (
        marks.Segments(np.hstack([ends, feet]), theme.text3, 1.0, (2.0, 3.0)),
        marks.Segments(first, ink, _BAR),
        marks.Segments(second, with_alpha(ink, 0.45), _BAR),
    )


def _shadows(m: Moment, is_cosine: bool) -> Block:
    """The legs with their shadows, what these add up to, and the same at every t."""
    (x, y), (s, c) = m.now, m.turn
    along, across = (y * c, -x * s) if is_cosine else (x * c, y * s)
    sign = "+" if across >= 0 else MINUS
    total = Formula(f"{number(along)} {sign} {number(abs(across))} = {number(along + across)}", 17)
    return Column((_legs(m, is_cosine), total, _every_t(m, int(is_cosine))), gap=6.0)


def _every_t(m: Moment, row: int) -> Block:
    """Sine or cosine of the table at t + k, and as dots the two terms added, at every t."""
    t = np.linspace(0.0, max(m.encoding.n_positions - 1.0, 1.0), 200)
    now, later = (m.encoding.values(at, m.columns).T for at in (t, t + m.k))
    line = Curve("", t, later[row], (m.i, m.half), 1.6)
    dots = Curve("", t[::8], (m.block(m.k) @ now)[row, ::8], "ink", 0.8, style="dots")
    title, here = f"Line: {('sine', 'cosine')[row]} at t + k, dots: the sum", m.later[row]
    x = Scale("position t", 0.0, float(t[-1]), ticks="positions", sets="position")
    y = Scale("", -m.amplitude, m.amplitude)
    return Chart(title, x, y, (line, dots), m.t, tall=72.0, dots=(here,), name="the sum at every t")


def _below(first: Block | None, second: Block) -> Block:
    return Column((*filter(None, [first]), second), gap=10.0)


def row_of_offset(m: Moment, *_: Any) -> Block | None:
    """The hand of row k, the angle by which every hand of its pair turns, and the block made of its two entries."""
    if not m.turns:
        return shift(m)
    angle = math.atan2(*m.turn)
    hands = (0.0, 1.0, "0"), (angle, 1.0, "k")
    dial = _dial(m, f"PE(k) of pair {m.i}: {degrees(angle)} from the start", hands, m.k * m.omega)
    return _below(dial, _titled("Its two entries, four times in the matrix", _block(m)))


def _block(m: Moment, *rows: int) -> Block:
    """The block of the pair, and frames around some of its rows."""
    frames = tuple((row, 0, 1, 2, 2.0) for row in rows)
    return _cells(lambda width: min(0.5 * width, 120.0) + HEAD, m.block(m.k), 1.0, m.names, m.names, frames)


def _cells(tall: Callable[[float], float], values: Floats, limit: float, *names_and_frames: Any) -> Block:
    return Drawn(lambda area, theme: cell_map(area, theme, values, limit, *names_and_frames), (), tall)


def whole_matrix(m: Moment, *_: Any) -> Block | None:
    """M_k of the pairs around the chosen one, its two rows framed."""
    if not m.turns:
        return None
    first = max(min(m.i - _HANDS // 2, m.half - _HANDS), 0)
    hands = hand_columns(m.encoding)[first : first + _HANDS]
    columns = sorted(hands.ravel().tolist())
    values, places = np.zeros((len(columns),) * 2), np.searchsorted(columns, hands)
    blocks = rotation_blocks(m.encoding, m.k, range(first, first + len(hands)))
    values[places[:, :, None], places[:, None, :]] = blocks
    frames = tuple((columns.index(column), 0, 1, len(columns), 1.6) for column in m.columns)
    names = [*map(whole, columns)]
    title = f"M(k) at {len(columns)} of {whole(m.encoding.d_model)} dimensions"
    cells = _cells(lambda width: min(width, _LARGEST) - 40.0 + HEAD, values, 1.0, names, names, frames)
    return _titled(title, cells)


def products(m: Moment, *_: Any) -> Block:
    """What each pair adds to the dot product."""
    return _sums(m, f"Dot product of {m.texts[0]} and {m.texts[2]}", m.rows[0] * m.rows[1])


def chord(m: Moment, *_: Any) -> Block:
    """The way of the hand's tip, and what each pair adds to the square of the distance."""
    dial = shift(m, title=": its tip moves by a chord", has_chord=True)
    return _below(dial, _sums(m, "Square of the distance", m.difference**2))


def shadows(m: Moment, *_: Any) -> Block:
    """Sine and cosine of the hand as the sides of a right triangle, and the squares of all pairs."""
    dial = None
    if m.encoding.pairs is not None:
        x, y = (value / m.amplitude for value in m.now)
        up = 0.0 if y >= 0 else math.pi
        hands = ((math.atan2(x, y), 1.0, "t"),)
        path = ((0.0, 0.0), (up, abs(y)), (math.atan2(x, y), 1.0))
        dial = _dial(m, f"Pair {m.i}: cosine up, sine across", hands, 0.0, path)
    return _below(dial, _sums(m, "Square of the length", m.rows[0] ** 2))


def distances(m: Moment, *_: Any) -> Block:
    """How far the rows of up to 500 positions are from row t, as many as a frame has time for."""
    n_rows = max(min(500, m.encoding.n_positions, _VALUES // m.encoding.d_model), 2)
    last = max(m.encoding.n_positions - 1.0, 1.0)
    positions = np.unique(np.linspace(0.0, last, n_rows).round())
    apart = np.linalg.norm(m.encoding.values(positions) - m.rows[0], axis=1)
    scales = Scale("position u", 0.0, last, ticks="positions"), Scale("", 0.0, float(apart.max()) or 1.0)
    note = f"{short(float(np.linalg.norm(m.difference)), 4)} at {m.texts[2]}"
    line = Curve("", positions, apart, "ink", 1.2)
    return Chart("From t to every u", *scales, (line,), m.t + m.k, note, tall=1.4 * _TALL)


def diagonals(m: Moment, *_: Any) -> Block:
    """Dot products of positions around t, downwards, and of those k later: along each diagonal one number."""
    rows, middle = _around(m)
    columns = [row + m.k for row in rows]
    vectors = m.encoding.values(rows)
    values = vectors @ m.encoding.values(columns).T
    limit = float(np.square(vectors).sum(axis=1).max()) or 1.0
    frames = tuple((at, at, 1, 1, wide) for at, wide in ((middle, 2.4), (middle + 1, 1.4)) if at < len(rows))
    names = ([*map(position, places)] for places in (rows, columns))
    drawn = _cells(lambda width: min(width, _LARGEST) - HEAD, values, limit, *names, frames)

    def sets(area: Area, x: float, y: float) -> dict[str, float]:
        """The t and the k of the cell at a point."""
        cells = cells_in(area, values.shape, has_names=True)
        row, column = (rows[place] for place in cell_at(cells, values.shape, x, y))
        return {"position": row, "offset": column + m.k - row}

    cells = Named("dot products around t and t + k", drawn, sets_in=lambda area: partial(sets, area), stays=True)
    return _titled("Dot products around t (down) and t + k (across)", cells)


def _around(m: Moment) -> tuple[list[float], int]:
    """Up to _SIDE positions a step apart with t among them, these and those k later in the table, and its place."""
    last, later = m.encoding.n_positions - 1.0, m.t + m.k
    first, end = sorted((m.t, later if 0 <= later <= last else m.t))
    before, after = math.floor(first), math.floor(last - end)
    count = min(_SIDE, before + after + 1)
    middle = min(max(count // 2, count - 1 - after), before)
    return [m.t + step - middle for step in range(count)], middle


def turned_pair(m: Moment, *_: Any) -> Block:
    """A query and a key after their turns, and the angle between, which the offset alone decides."""
    (query, key), longest = (math.atan2(*vector) for vector in (QUERY, KEY)), math.hypot(*QUERY)
    now, later = m.pairs.angles([m.t, m.t + m.k], [m.i])[:, 0].tolist()
    hands = (query + now, 1.0, "x"), (key + later, math.hypot(*KEY) / longest, "y")
    between = key - query + math.atan2(*m.turn)
    return _dial(m, f"x and y turned: {degrees(between)} apart at every p", hands, between)
