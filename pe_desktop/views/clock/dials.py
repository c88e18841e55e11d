"""Small dials of pairs, columns, bits, or of a query and a key under RoPE, in a grid, with captions."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.caches import told_cache
from pe_desktop.core.cursor import Cursor, Preview, hand_columns, hand_of_column, n_hands
from pe_desktop.core.digits import STRETCH, Digits
from pe_desktop.core.encoding import Encoding, Pairs
from pe_desktop.core.record import record
from pe_desktop.core.scores.rotary import RotaryPairs, TurnedVectors, rotary_of, turned_vectors
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.dial import Dial, limit_texts, value_text
from pe_desktop.draw.number_text import degrees, fixed, short, whole
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.theme import Theme, mixed, with_alpha
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.clock.picture import ARC_ALPHA, cursor_turns, length_shares, unseen_turns

_NARROWEST_CELL, _WIDEST_CELL = 84.0, 240.0
_PADDING: Final = 5.0
# Dials that are smaller, padding included, are too small to be read: fewer are seen, and scrolled.
_LEAST_DIAL: Final = 48.0
# Below a dial: the room of the caption of a pair, and of the two lines of a column.
_CAPTION, _COLUMN_CAPTION = 24.0, 40.0
# As a share of the dial's radius.
HAND_LENGTH: Final = 0.86
# Around a dial whose caption stands beside it, before and after that caption, and for the focus ring at the left.
_MARGIN, _BESIDE_GAP, _INSET = 3.0, 5.0, 2.0
# The lines of a caption of two: how far apart.
_LINE: Final = 16.0
_NEVER: Final = "never flips"
# The needle of a gauge swings so far to either side of 12 o'clock.
_SWING: Final = 0.75 * math.pi
_FILL_ALPHA: Final = 0.4
# Of a query and a key before they are turned.
_FAINT_ALPHA: Final = 0.35
# Dots of smaller dials of columns are smaller in proportion.
_FULL_SIZE_RADIUS: Final = 24.0


@record
class Dials:
    """Small dials in a grid, those of `shown` drawn: of pairs or columns, or bits beside the hands of another table.

    Each stands over a caption of a height, or left of one of a width, gaps included. is_terse: a caption beside a dial
    doesn't say how often it changes; bottom: what is scrolled is covered from there on.
    """

    table: Encoding
    shown: range
    columns: int
    cell_width: float
    cell_height: float
    caption: float = _CAPTION
    left: float = 0.0
    top: float = 0.0
    padding: float = _PADDING
    beside: float = 0.0
    is_terse: bool = False
    is_beside: bool = False
    bottom: float = math.inf

    @property
    def rows(self) -> int:
        return math.ceil(n_dials(self.table) / self.columns)

    @property
    def n_hidden(self) -> int:
        """How many of them are not drawn."""
        return n_dials(self.table) - len(self.shown)

    @property
    def height(self) -> float:
        """The height of all rows."""
        return self.rows * self.cell_height

    def cell(self, number: int) -> tuple[float, float]:
        """The left upper corner of a dial's cell."""
        row, column = divmod(number, self.columns)
        return self.left + column * self.cell_width, self.top + row * self.cell_height

    def dial(self, number: int) -> Dial:
        """Where a dial stands in its cell."""
        left, top = self.cell(number)
        wide, tall = self.cell_width - self.beside, self.cell_height - self.caption
        radius = min(wide, tall) / 2 - self.padding
        return Dial(left + _INSET * bool(self.beside) + wide / 2, top + self.padding + radius, radius)

    def dial_at(self, x: float, y: float) -> int | None:
        """The dial that is drawn in the cell that holds a point."""
        across, down = x - self.left, y - self.top
        if not 0 <= across < self.columns * self.cell_width or down < 0 or y >= self.bottom:
            return None
        number = int(down // self.cell_height) * self.columns + int(across // self.cell_width)
        return number if number in self.shown else None

    def dials_between(self, top: float, bottom: float) -> range:
        """The dials whose cells are seen between two heights."""
        count = n_dials(self.table)
        first = max(int((top - self.top) // self.cell_height), 0) * self.columns
        last = (int((bottom - self.top) // self.cell_height) + 1) * self.columns
        return range(min(first, count), min(last, count))


def n_dials(encoding: Encoding) -> int:
    """How many small dials an encoding has: one for each pair, or for each column where there are none."""
    return encoding.d_model if encoding.turning_pairs is None else encoding.turning_pairs.count


def own_dials(encoding: Encoding, width: float, height: float) -> Dials:
    """Where the small dials of pairs or columns stand, each wide enough for the longest caption.

    They are scrolled where they don't all fit.
    """
    pairs, limit = encoding.pairs, encoding.value_limit
    if pairs is None:
        name = text_width("strong", f"dim {whole(encoding.d_model - 1)}")
        longest, caption = max(name, text_width("tick", value_text(-limit, limit, 3))), _COLUMN_CAPTION
    else:
        slowest = float(pairs.wavelengths.max())
        longest, caption = text_width("label", f"{pairs.count - 1}: {_length_text(slowest)}"), _CAPTION
    return _dials_in(encoding, width, height, max(longest + 2 * _PADDING, _NARROWEST_CELL), caption)


def _dials_in(table: Encoding, width: float, height: float, narrowest: float, caption: float) -> Dials:
    """The columns that make the dials largest; where they would be too small, the narrowest cells, to be scrolled."""
    most, count = max(int(width // narrowest), 1), n_dials(table)

    def dial_size(columns: int) -> float:
        return min(width / columns, height / math.ceil(count / columns) - caption)

    best = max(range(1, most + 1), key=dial_size)
    if dial_size(best) >= _LEAST_DIAL:
        rows, cell = math.ceil(count / best), width / best
        return Dials(table, range(count), best, cell, min(height / rows, min(cell, _WIDEST_CELL) + caption), caption)
    cell = width / most
    # Rows of a height, so that the last one that is seen is seen whole.
    lowest = _LEAST_DIAL + caption
    n_rows = max(int(height // lowest), 1)
    return Dials(table, range(count), most, cell, max(height / n_rows, lowest), caption)


@told_cache(8)
def beside_width(code: Encoding, *, is_terse: bool) -> float:
    """What the widest caption beside a dial of a code takes, whatever t, gaps included."""
    last = code.d_model - 1
    slowest = max(min(last, (code.n_positions - 1).bit_length() - 1), 0)
    value = 1.0 if code.bits is not None else -code.value_limit
    widest = text_width("strong", _code_text(code, last, value))
    if not is_terse:
        widest = max(widest, *(text_width("tick", _flips(code, column)) for column in (last, slowest)))
    return widest + 2 * _BESIDE_GAP + _INSET


def dials_beside(code: Encoding, columns: int, row: float, *, is_terse: bool) -> Dials:
    """All dials of a code in rows of a height, each as high as its row, with captions beside them."""
    beside, shown = beside_width(code, is_terse=is_terse), range(code.d_model)
    return Dials(code, shown, columns, row + beside, row, 0.0, padding=_MARGIN, beside=beside, is_terse=is_terse)


def dials_picture(dials: Dials, cursor: Cursor, theme: Theme, trained_length: int = 0) -> marks.Picture:
    """The small dials of pairs or columns, of pairs with the angles that training never had."""
    pairs = dials.table.pairs
    if pairs is None:
        return _column_dials(dials, cursor, theme)
    now, later = pairs.angles(cursor.both, dials.shown)
    turns = np.clip(cursor_turns(pairs, cursor), -math.tau, math.tau)
    shares = length_shares(pairs, cursor.both)
    radii = np.full(len(dials.shown), dials.dial(0).radius)
    unseen = unseen_turns(radii, pairs, trained_length, dials.shown, theme)
    picture: marks.Marks = []
    for place, pair in enumerate(dials.shown):
        dial, color = dials.dial(pair), theme.pair_color(pair, pairs.count)
        reach, later_reach = (dial.radius * HAND_LENGTH * shares[:, pair]).tolist()
        arc = with_alpha(color, ARC_ALPHA)
        picture += _cell_ground(dials, pair, theme) if pair == cursor.pair else ()
        picture += [
            dial.ring(theme.axis),
            marks.Arc(dial.x, dial.y, reach, float(now[place]), float(turns[pair]), arc, 5.0),
            *needles(dial, now[place : place + 1], later[place : place + 1], (reach, later_reach), color, theme),
            *_caption_picture(dial, pair, float(pairs.wavelengths[pair]), theme),
        ]
        picture += [marks.Arc(dial.x, dial.y, *unseen[pair])] if pair in unseen else []
    return tuple(picture)


def preview_dials_picture(
    dials: Dials, pairs: Pairs, preview: Preview, cursor: Cursor, theme: Theme
) -> Iterator[marks.Mark]:
    """Faint hands on the dials of pairs at positions that are named under the pointer, dashed at t + k."""
    for position, is_now in preview.places(cursor.position):
        reaches = HAND_LENGTH * dials.dial(0).radius * length_shares(pairs, (position,))[0, dials.shown]
        hands = zip(map(dials.dial, dials.shown), pairs.angles([position], dials.shown)[0], reaches, strict=True)
        ends = [[dial.x, dial.y, *dial.tip(angle, reach)] for dial, angle, reach in hands]
        yield marks.lines(ends, theme.ghost, 1.5, () if is_now else (4.0, 3.0))


def needles(
    dial: Dial,
    now: marks.Points,
    later: marks.Points,
    reaches: tuple[float, float],
    color: QColor,
    theme: Theme,
    size: float = 1.0,
) -> marks.Marks:
    """The hands of one dial at t, and the ends of those at t + k: angles, shape (n,), and how far both reach."""
    tips, ghosts = map(dial.tips, (now, later), reaches)
    return [
        dial.lines(tips, color, max(2.4 * size, 1.6)),
        marks.Dots(ghosts, 4.0 * size, theme.panel, color, max(1.8 * size, 1.2)),
        marks.Dots(tips, 5.0 * size, color),
        dial.hub(theme, 2.2 * size),
    ]


def _cell_ground(dials: Dials, number: int, theme: Theme) -> marks.Picture:
    """The darker ground of the chosen one."""
    left, top = dials.cell(number)
    return (marks.Rectangle(left + 2, top + 1, dials.cell_width - 4, dials.cell_height - 3, theme.sunken, radius=6.0),)


def _caption_picture(dial: Dial, pair: int, wavelength: float, theme: Theme) -> marks.Picture:
    """The number of a pair and its wavelength, or that it doesn't turn."""
    words = f"{pair}: {_length_text(wavelength)}"
    return (marks.centered(dial.x, dial.y + dial.radius + 15.0, words, "label", theme.text2),)


def _length_text(wavelength: float) -> str:
    return short(wavelength) if math.isfinite(wavelength) else "not turned"


def columns_sentences(encoding: Encoding) -> tuple[str, ...]:
    """What the dials of columns are, in ever fewer words."""
    if encoding.bits is not None:
        return "one turn in the period of a bit, 1 in the shaded half", "1 in the shaded half", "dials of bits"
    if has_twins(encoding):
        return "two angles for one number, on each dial", "two angles on each dial", "two angles"
    low, high = limit_texts(encoding.value_limit)
    return f"one needle for each dimension, {low} to {high}", "one needle for each dimension", "needles"


def has_twins(encoding: Encoding) -> bool:
    """Whether each column is the sine or the cosine of a hand whose other half no column holds."""
    return encoding.column_waves is not None and encoding.turning_pairs is None


def _twin_angles(encoding: Encoding, position: float, columns: Sequence[int]) -> marks.Points:
    """The two angles of each column that have its one value, shape (len(columns), 2), radians in [-pi, pi].

    theta and pi - theta of a sine, theta and -theta of a cosine; theta is that of the hand.
    """
    waves = encoding.column_waves
    assert waves is not None
    angles = waves.hands.angles([position], waves.numbers[list(columns)])[0]
    twins = np.where(waves.is_cosine[list(columns)], -angles, np.pi - angles)
    return np.column_stack((angles, np.remainder(twins + np.pi, 2 * np.pi) - np.pi))


def column_sentence(table: Encoding, column: int, cursor: Cursor, *, is_beside: bool = False) -> str:
    """A column, or a bit beside other hands, its value at t and t + k, and how often it flips, as one line."""
    if isinstance(table, Digits):
        return _digit_sentence(table, column, cursor)
    values = table.values(cursor.both, [column])[:, 0].tolist()
    now, later = (value_text(value, table.value_limit, 0 if is_beside else 4) for value in values)
    name = f"bit {whole(column)} of the position" if is_beside else f"dimension {whole(column)}"
    if has_twins(table):
        one, other = (degrees(angle) for angle in _twin_angles(table, cursor.position, [column])[0])
        return f"{name}: {now} at {one} and at {other}; {later} at t + k"
    flips = _flips(table, column)
    ends = {"": "", _NEVER: f", {flips}"}.get(flips, f", {flips} positions")
    return f"{name}: {now} at t, {later} at t + k{ends}"


def _digit_sentence(table: Digits, column: int, cursor: Cursor) -> str:
    """A digit at t and t + k, how it is found, and what it becomes where the context is stretched."""
    now, later = (short(value, 4) for value in table.values(cursor.both, [column])[:, 0].tolist())
    t, less = cursor.position, cursor.position / STRETCH
    unit, radix = (short(size, 4) for size in table.sizes[:, column].tolist())
    divided = float(table.values([less], [column])[0, 0])
    scaled = [f"position interpolation reads {position_text(less)}: {short(divided, 4)}"]
    if (wider := table.widened) is not None:
        wide = float(wider.values([t], [column])[0, 0]) if column < wider.d_model else 0.0
        scaled.append(f"NTK scaling widens β to {short(wider.value_limit, 4)}: {short(wide, 4)}")
    return (
        f"digit {whole(column)}: ⌊{position_text(t)} / {unit}⌋ mod {radix} = {now}; {later} at t + k.\n"
        f"For a context {short(STRETCH)} times as long {', '.join(scaled)}."
    )


def digits_texts(table: Digits) -> tuple[str, ...]:
    """What the digits are, and what stretching the context does to them, in ever fewer words."""
    if (wider := table.widened) is None:
        return "Digit i counts in the wavelength before its own; position interpolation divides t", ""
    first = f"Digit aᵢ is ⌊t/βⁱ⌋ mod β, β = {short(table.value_limit, 4)}"
    scaled = f"position interpolation by 2 reads t/2, NTK by 2 widens β to {short(wider.value_limit, 4)}"
    return f"{first}; {scaled}", f"{first}; interpolation divides t, NTK widens β", first


def _column_dials(dials: Dials, cursor: Cursor, theme: Theme) -> marks.Picture:
    """Dials of columns; beside the hands of another encoding none of them is the chosen one."""
    table, places = dials.table, np.array(cursor.both)
    values, bits = table.values(places, dials.shown), table.bits
    now, later = _angles(table, places, values, dials.shown)
    owners, count, is_beside = hand_of_column(table), n_hands(table), dials.is_beside
    chosen = [] if is_beside else hand_columns(table)[cursor.pair].tolist()
    # Bits beside hands are no pairs, and wear no colour of one.
    colors = [theme.text2 if is_beside else theme.pair_color(int(owners[column]), count) for column in dials.shown]
    if isinstance(table, Digits):
        chosen = [cursor.pair]
        colors = [theme.pair_color(column, table.hands.count) for column in dials.shown]
    is_gauge = bits is None and not has_twins(table) and not isinstance(table, Digits)
    picture: marks.Marks = []
    for place, (column, color, value) in enumerate(zip(dials.shown, colors, values[0].tolist(), strict=True)):
        dial = dials.dial(column)
        picture += _cell_ground(dials, column, theme) if column in chosen else ()
        if bits is not None:
            picture += _half(dial, bits.first_one, value == 1, color, theme)
        picture += [dial.ring(theme.axis), _limits(dial, theme)] if is_gauge else [dial.ring(theme.axis)]
        reach, size = dial.radius * HAND_LENGTH, min(dial.radius / _FULL_SIZE_RADIUS, 1.0)
        if len(now[place]) == 2:
            # Through the ends of hands that one number stands for: upright where they share a sine.
            ends = dial.tips(now[place], reach)
            picture.append(marks.lines(ends, theme.text2, 1.0, (3.0, 3.0)))
        picture += needles(dial, now[place], later[place], (reach, reach), color, theme, size)
        picture += _captions(dials, dial, table, column, value, theme)
    return tuple(picture)


def _angles(table: Encoding, places: marks.Points, values: marks.Points, columns: range) -> marks.Points:
    """Where needles and hands stand, shape (len(places), len(columns), n), n angles on a dial, radians."""
    if has_twins(table):
        return np.stack([_twin_angles(table, place, columns) for place in places.tolist()])
    if isinstance(table, Digits):
        return np.asarray(math.tau * values / table.sizes[1][list(columns)])[:, :, None]
    if table.bits is not None:
        return table.bits.angles(places, columns)[:, :, None]
    return np.asarray(_SWING * np.clip(values / table.value_limit, -1.0, 1.0))[:, :, None]


def _half(dial: Dial, first_one: float, is_one: bool, color: QColor, theme: Theme) -> marks.Marks:
    """The half of the dial in which the bit is 1: filled while it is, an outline else."""
    start = math.tau * first_one
    edge = [dial.tip(angle, dial.radius) for angle in (start, start + math.pi)]
    fill = mixed(color, theme.panel, _FILL_ALPHA) if is_one else theme.grid
    return [dial.half(start, fill), marks.lines(edge, theme.axis)]


def _limits(dial: Dial, theme: Theme) -> marks.Segments:
    """The ticks of a gauge at its limits and at 0."""
    inner, outer = 0.9 * dial.radius, dial.radius
    ticks = [[*dial.tip(angle, inner), *dial.tip(angle, outer)] for angle in (-_SWING, 0.0, _SWING)]
    return marks.lines(ticks, theme.axis)


def _captions(grid: Dials, dial: Dial, table: Encoding, column: int, value: float, theme: Theme) -> marks.Marks:
    """What a dial is and what it says now: below it a column, beside it a bit or digit and how often it changes."""
    if not grid.beside:
        y = dial.y + dial.radius + 14.0
        text = value_text(value, table.value_limit, 3)
        name = marks.centered(dial.x, y, f"dim {whole(column)}", "strong", theme.text)
        return [name, marks.centered(dial.x, y + _LINE, text, "tick", theme.text2)]
    x = dial.x + dial.radius + _MARGIN + _BESIDE_GAP
    up = 0.0 if grid.is_terse else _LINE / 2
    text = _code_text(table, column, value)
    often = [] if grid.is_terse else [marks.Text(x, dial.y + up, _flips(table, column), "tick", theme.text2)]
    return [marks.Text(x, dial.y - up, text, "strong", theme.text), *often]


def _code_text(table: Encoding, column: int, value: float) -> str:
    """A bit or a digit and its value, as wide whatever t."""
    if not isinstance(table, Digits):
        return f"bit {whole(column)} = {whole(value)}"
    return f"digit {whole(column)} = {whole(value) if table.is_whole else fixed(value, 2)}"


def _flips(table: Encoding, column: int) -> str:
    """How often a bit flips; nothing of other columns."""
    if isinstance(table, Digits):
        return f"steps every {short(float(table.sizes[0, column]))}"
    if table.bits is None:
        return ""
    period = float(table.bits.wavelengths[column])
    flips = period * table.bits.first_one <= table.n_positions - 1
    return f"flips every {short(period / 2)}" if flips else _NEVER


def turned_dials_picture(dials: Dials, state: State, theme: Theme) -> marks.Picture:
    """The pairs in `dials.shown`: q solid, k dashed, faint before the turn; up is x_2i, to the right x_2i+1.

    ValueError with a sentence where there are no vectors.
    """
    vectors, hands = turned_vectors(state), RotaryPairs(rotary_of(state))
    offsets, picture = turned_ends(vectors, dials.dial(0).radius), marks.Marks()
    for pair in dials.shown:
        turns, is_chosen = pair < hands.rotary.n_turning, pair == state.cursor.pair
        color = theme.pair_color(pair, hands.count) if turns else theme.still_color
        dial = dials.dial(pair)
        tips = offsets[:, pair] + (dial.x, dial.y)
        query, key = tips[2:3], tips[3:]
        picture += _cell_ground(dials, pair, theme) if is_chosen else ()
        picture.append(dial.ring(theme.text2 if is_chosen else theme.axis))
        if turns:
            picture.append(dial.lines(tips[:2], with_alpha(color, _FAINT_ALPHA), 1.6))
        picture += [
            dial.lines(key, color, 1.6, (4.0, 3.0)),
            dial.lines(query, color, 2.4),
            marks.Dots(key, 3.6, theme.panel, color, 1.6),
            marks.Dots(query, 4.2, color),
            dial.hub(theme),
            *_caption_picture(dial, pair, float(hands.wavelengths[pair]), theme),
        ]
    return tuple(picture)


def turned_sentence(state: State, pair: int) -> str:
    """How a pair turns, and which dimensions its dial shows."""
    hands = RotaryPairs(rotary_of(state))
    up, right = hands.dimensions(pair)
    axes = f"up is dimension {up}, right is dimension {right}"
    if pair >= hands.rotary.n_turning:
        return f"pair {pair}: not turned; {axes}"
    turn = short(math.degrees(float(hands.angular_frequencies[pair])))
    return (
        f"pair {pair}: turned clockwise by {turn}° a position; {axes}.\n"
        "As a matrix R(k) turns in the inverse sense of M(k), which is written in the order (sin, cos)."
    )


def turned_ends(vectors: TurnedVectors, radius: float) -> marks.Points:
    """How far right of and below the centre q and k end, before and after they are turned, shape (4, n_pairs, 2)."""
    parts = np.stack((vectors.query, vectors.key, vectors.turned_query, vectors.turned_key))
    return parts[:, :, ::-1] * (radius / vectors.reach) * (1.0, -1.0)
