"""Small dials: one for each pair, column or bit."""

import math
from collections.abc import Sequence
from enum import Enum

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.columns import hand_columns, hand_of_column, n_hands
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding, Pairs, Turning
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.dial import Dial
from pe_desktop.draw.hand_text import limit_texts, value_text
from pe_desktop.draw.number_text import degrees, short, whole
from pe_desktop.draw.theme import Theme, mixed, with_alpha
from pe_desktop.draw.typefaces import formula_runs, text_width
from pe_desktop.views.clock.picture import ARC_ALPHA, TURN, cursor_turns, length_shares

# Title, the position under it, the pair under each dial, the words under all.


_NARROWEST_CELL = 84.0
_WIDEST_CELL = 240.0
_CAPTION_HEIGHT = 24.0
_PADDING = 10.0
_CAPTION_GAP = 6.0
# A row that is scrolled is no lower than this share of a square cell and its caption.
_LEAST_ROW_SHARE = 0.8
# As a share of the dial's radius.
HAND_LENGTH = 0.86


@record
class DialGrid:
    """Where the small dials stand."""

    columns: int
    rows: int
    cell_width: float
    cell_height: float
    caption: float = _CAPTION_HEIGHT
    left: float = 0.0
    top: float = 0.0
    padding: float = _PADDING

    @property
    def height(self) -> float:
        """The height of all rows."""
        return self.rows * self.cell_height

    def cell(self, pair: int) -> tuple[float, float]:
        """The left upper corner of a pair's cell."""
        row, column = divmod(pair, self.columns)
        return self.left + column * self.cell_width, self.top + row * self.cell_height

    def dial(self, pair: int) -> Dial:
        """Where the dial of a pair stands in its cell."""
        left, top = self.cell(pair)
        radius = min(self.cell_width, self.cell_height - self.caption) / 2 - self.padding
        return Dial(left + self.cell_width / 2, top + self.padding + radius, radius)

    def pair_at(self, x: float, y: float, n_pairs: int) -> int | None:
        """The pair whose cell holds a point."""
        across, down = x - self.left, y - self.top
        if not 0 <= across < self.columns * self.cell_width or down < 0:
            return None
        pair = int(down // self.cell_height) * self.columns + int(across // self.cell_width)
        return pair if pair < n_pairs else None

    def pairs_between(self, top: float, bottom: float, n_pairs: int) -> range:
        """The pairs whose cells are seen between two heights."""
        first = max(int((top - self.top) // self.cell_height), 0) * self.columns
        last = (int((bottom - self.top) // self.cell_height) + 1) * self.columns
        return range(min(first, n_pairs), min(last, n_pairs))


@record
class Dials:
    """Small dials in a grid, those of `shown` drawn: of a code of bits, or of the encoding where code is None."""

    grid: DialGrid
    shown: range
    code: Encoding | None = None

    def dial_at(self, x: float, y: float, encoding: Encoding) -> int | None:
        """The pair, column or bit whose cell holds a point."""
        return self.grid.pair_at(x, y, n_dials(self.code or encoding))


def n_dials(encoding: Encoding) -> int:
    """How many small dials an encoding has: one for each pair, or for each column where there are none."""
    return encoding.pairs.count if encoding.pairs is not None else encoding.d_model


def dials_picture(dials: Dials, encoding: Encoding, cursor: Cursor, theme: Theme) -> marks.Picture:
    """The small dials of pairs or columns, or those of bits beside the hands of the encoding."""
    if dials.code is None and encoding.pairs is not None:
        return small_dials_picture(dials.grid, encoding.pairs, dials.shown, cursor, theme)
    beside = encoding.pairs if dials.code is not None else None
    return column_dials_picture(dials.grid, dials.code or encoding, dials.shown, cursor, theme, beside)


def narrowest_cell(pairs: Pairs) -> float:
    """How wide a cell must be for its dial and for the longest caption."""
    slowest = float(pairs.wavelengths.max())
    longest = text_width("strong", str(pairs.count - 1)) + text_width("label", _length_text(slowest))
    # Words may come nearer to each other than numbers.
    return max(_NARROWEST_CELL, longest + _CAPTION_GAP + (14.0 if math.isfinite(slowest) else 7.0))


def dial_grid(
    width: float,
    height: float,
    n_pairs: int,
    narrowest: float = _NARROWEST_CELL,
    caption: float = _CAPTION_HEIGHT,
    least: float = math.inf,
) -> DialGrid:
    """The columns that make the dials largest; where they don't all fit, the narrowest cells, to be scrolled.

    least: dials of so many pixels, gaps included, are large enough to be seen all at once, or the narrowest are.
    """
    most = max(int(width // narrowest), 1)

    def dial_size(columns: int) -> float:
        return min(width / columns, height / math.ceil(n_pairs / columns) - caption)

    best = max(range(1, most + 1), key=dial_size)
    if dial_size(best) >= min(least, narrowest):
        rows = math.ceil(n_pairs / best)
        cell_height = min(height / rows, min(width / best, _WIDEST_CELL) + caption)
        return DialGrid(best, rows, width / best, cell_height, caption)
    cell = width / most
    row = _whole_row(cell + caption, height, least + caption)
    return DialGrid(most, math.ceil(n_pairs / most), cell, row, caption)


def _whole_row(row: float, height: float, least: float) -> float:
    """About the height of a row, so that the last one that is seen is seen whole."""
    n_rows = math.ceil(height / row)
    if height / n_rows < min(_LEAST_ROW_SHARE * row, least) and n_rows > 1:
        n_rows -= 1
    return height / n_rows if n_rows > 1 else max(min(row, height), _LEAST_ROW_SHARE * row)


def small_dials_picture(grid: DialGrid, pairs: Pairs, shown: range, cursor: Cursor, theme: Theme) -> marks.Picture:
    """The dials of the pairs in `shown`, which is the part of the grid that is seen."""
    if not len(shown):
        return ()
    now, later = pairs.angles([cursor.position, cursor.position + cursor.offset], shown)
    turns = np.clip(cursor_turns(pairs, cursor), -TURN, TURN)
    shares = length_shares(pairs)
    picture: list[marks.Mark] = []
    for place, pair in enumerate(shown):
        color = theme.pair_color(pair, pairs.count)
        picture += cell_ground(grid, pair, theme) if pair == cursor.pair else ()
        angles = (float(now[place]), float(later[place]), float(turns[pair]))
        picture += _small_dial(grid, pair, angles, float(shares[pair]), color, theme)
        picture += caption_picture(grid, pair, float(pairs.wavelengths[pair]), theme)
    return tuple(picture)


def cell_ground(grid: DialGrid, pair: int, theme: Theme) -> tuple[marks.Mark, ...]:
    """The darker ground of the chosen one."""
    left, top = grid.cell(pair)
    return (
        marks.Rectangle(left + 2, top + 1, grid.cell_width - 4, grid.cell_height - 3, fill=theme.sunken, radius=6.0),
    )


def _small_dial(
    grid: DialGrid, pair: int, angles: tuple[float, float, float], share: float, color: QColor, theme: Theme
) -> list[marks.Mark]:
    dial = grid.dial(pair)
    now, later, turn = angles
    reach = dial.radius * HAND_LENGTH * share
    tip, ghost = np.array([dial.tip(now, reach)]), np.array([dial.tip(later, reach)])
    return [
        marks.Rings(dial.x, dial.y, np.array([dial.radius]), theme.axis),
        marks.Arc(dial.x, dial.y, reach, now, turn, with_alpha(color, ARC_ALPHA), 5.0),
        dial.lines(tip, color, 2.4),
        marks.Dots(ghost, 4.0, theme.panel, color, 1.8),
        marks.Dots(tip, 5.0, color),
        dial.hub(theme),
    ]


def caption_picture(grid: DialGrid, pair: int, wavelength: float, theme: Theme) -> tuple[marks.Mark, ...]:
    """The number of a pair and its wavelength, or that it doesn't turn."""
    dial = grid.dial(pair)
    number, length = str(pair), _length_text(wavelength)
    gap = _CAPTION_GAP
    width = text_width("strong", number) + gap + text_width("label", length)
    x, below = dial.x, dial.y + dial.radius + 15.0
    return (
        marks.Text(x - width / 2, below, number, "strong", theme.text),
        marks.Text(x + width / 2, below, length, "label", theme.text3, across=1.0),
    )


def _length_text(wavelength: float) -> str:
    return short(wavelength) if math.isfinite(wavelength) else "not turned"


# Around a dial, and before and after its caption.
MARGIN = 3.0
_BESIDE_CAPTION_GAP = 5.0
# Room for the focus ring left of the first column.
_INSET = 2.0
TALLEST_ROW = 84.0


class Captions(Enum):
    """How much a caption says: the bit and how often it flips, the bit, or no more than its number."""

    FULL = 36.0
    SHORT = 28.0
    TERSE = 27.0

    @property
    def least_row(self) -> float:
        """The least height of a row, in pixels."""
        return self.value


@record
class BesideGrid(DialGrid):
    """Where dials stand whose captions are so wide, gaps included; a dial is as high as its row."""

    beside: float = 0.0
    captions: Captions = Captions.FULL

    def dial(self, pair: int) -> Dial:
        """Where the dial stands in its cell: left of its caption, both in the middle."""
        left, top = self.cell(pair)
        radius = min(self.cell_width - self.beside, self.cell_height) / 2 - MARGIN
        return Dial(left + _INSET + (self.cell_width - self.beside) / 2, top + self.cell_height / 2, radius)

    def caption_left(self, pair: int) -> float:
        """Where the caption of a dial begins."""
        dial = self.dial(pair)
        return dial.x + dial.radius + MARGIN + _BESIDE_CAPTION_GAP


def beside_width(text: float) -> float:
    """What a caption takes beside its dial, gaps included."""
    return text + 2 * _BESIDE_CAPTION_GAP + _INSET


CAPTION = 40.0
# The lines of a caption: how far apart, and in which roles.
LINE = 16.0
_FORMULA_PIXELS = 15
_NEVER = "never flips"
ROLES = ("strong", "tick")
# A gauge is open at its foot: its needle swings so far to either side of 12 o'clock.
_SWING = 0.75 * math.pi
_FILL_ALPHA = 0.4
# Dots of smaller dials are smaller in proportion.
_FULL_SIZE_RADIUS = 24.0


@record
class _Face:
    """What one dial shows: its column, the value and the angles at t and t + k, more than one where they share it."""

    column: int
    value: float
    angles: tuple[float, ...]
    later_angles: tuple[float, ...]


def column_grid(width: float, height: float, encoding: Encoding) -> DialGrid:
    """Where the dials stand."""
    last = encoding.d_model - 1
    slowest = min(last, (encoding.n_positions - 1).bit_length() - 1)
    captions = [_flips(encoding, column) for column in (last, max(slowest, 0))]
    widest = max([text_width("strong", f"bit {whole(last)} = 1"), *(text_width("tick", words) for words in captions)])
    return dial_grid(width, height, encoding.d_model, max(_NARROWEST_CELL, widest + 10.0), CAPTION)


def columns_sentences(encoding: Encoding) -> tuple[str, ...]:
    """What the dials are, in ever fewer words."""
    if encoding.bits is not None:
        return "one turn in the period of a bit, 1 in the shaded half", "1 in the shaded half", "dials of bits"
    if has_twins(encoding):
        return "two angles for one number, on each dial", "two angles on each dial", "two angles"
    low, high = limit_texts(encoding.value_limit)
    return f"one needle for each dimension, {low} to {high}", "one needle for each dimension", "needles"


def has_twins(encoding: Encoding) -> bool:
    """Whether each column is the sine or the cosine of a hand whose other half no column holds."""
    waves = encoding.column_waves
    return encoding.pairs is None and waves is not None and np.bincount(waves.numbers).max() == 1


def twin_angles(encoding: Encoding, position: float, columns: Sequence[int]) -> marks.Points:
    """The two angles of each column that have its one value, shape (len(columns), 2), radians in [-pi, pi].

    theta and pi - theta of a sine, theta and -theta of a cosine; theta is that of the hand.
    """
    waves = encoding.column_waves
    assert waves is not None
    angles = waves.hands.angles([position], waves.numbers[list(columns)])[0]
    twins = np.where(waves.is_cosine[list(columns)], -angles, np.pi - angles)
    return np.column_stack((angles, np.remainder(twins + np.pi, 2 * np.pi) - np.pi))


def column_sentence(encoding: Encoding, column: int, cursor: Cursor) -> str:
    """A column, its value at t and t + k, and how often it flips, as one line."""
    limit = encoding.value_limit
    places = [cursor.position, cursor.position + cursor.offset]
    now, later = (value_text(value, limit, 4) for value in encoding.values(places, [column])[:, 0].tolist())
    flips = _flips(encoding, column)
    unit = "" if flips in ("", _NEVER) else " positions"
    if has_twins(encoding):
        one, other = (degrees(a) for a in twin_angles(encoding, cursor.position, [column])[0])
        return f"dimension {whole(column)}: {now} at {one} and at {other}; {later} at t + k"
    return f"dimension {whole(column)}: {now} at t, {later} at t + k" + (f", {flips}{unit}" if flips else "")


def bit_sentence(code: Encoding, bit: int, cursor: Cursor) -> str:
    """A bit of the position, its value at t and t + k, and how often it flips, as one line."""
    places = [cursor.position, cursor.position + cursor.offset]
    now, later = (whole(value) for value in code.values(places, [bit])[:, 0].tolist())
    flips = _flips(code, bit)
    unit = " positions" if flips != _NEVER else ""
    return f"bit {whole(bit)} of the position: {now} at t, {later} at t + k, {flips}{unit}"


def column_dials_picture(
    grid: DialGrid,
    encoding: Encoding,
    shown: range,
    cursor: Cursor,
    theme: Theme,
    beside: Turning | None = None,
) -> marks.Picture:
    """The dials of the columns in `shown`, which is the part of the grid that is seen.

    `beside` are the hands of another encoding that the dials stand beside: no column is the chosen one then.
    """
    if not len(shown):
        return ()
    places = np.array([cursor.position, cursor.position + cursor.offset])
    values = encoding.values(places, shown)
    bits = encoding.bits
    angles = _angles(encoding, places, values, shown)
    is_gauge = bits is None and not has_twins(encoding)
    chosen = hand_columns(encoding)[cursor.pair].tolist() if beside is None else []
    colors = _colors(encoding, shown, theme) if beside is None else _speed_colors(encoding, shown, beside, theme)
    picture: list[marks.Mark] = []
    for place, (column, color) in enumerate(zip(shown, colors, strict=True)):
        now, later = angles[:, place].tolist()
        face = _Face(column, float(values[0, place]), tuple(now), tuple(later))
        picture += cell_ground(grid, column, theme) if column in chosen else ()
        if bits is not None:
            picture += _half(grid.dial(column), bits.first_one, face.value == 1, color, theme)
        picture += _scale(grid.dial(column), theme, is_gauge=is_gauge)
        picture += _hand(grid.dial(column), face, color, theme)
        picture += _captions(grid, encoding, face, theme)
    return tuple(picture)


def caption_width(encoding: Encoding, captions: Captions) -> float:
    """How wide the widest caption beside a dial gets, whatever t."""
    last = encoding.d_model - 1
    slowest = max(min(last, (encoding.n_positions - 1).bit_length() - 1), 0)
    value = 1.0 if encoding.bits is not None else -encoding.value_limit
    if encoding.bits is not None and captions is Captions.TERSE:
        return formula_runs(_bit_formula(last, value), _FORMULA_PIXELS)[1]
    texts = [_caption_texts(encoding, column, value, captions) for column in (last, slowest)]
    return max(text_width(role, words) for pair in texts for role, words in zip(ROLES, pair, strict=False))


def _colors(encoding: Encoding, shown: range, theme: Theme) -> list[QColor]:
    owners, count = hand_of_column(encoding), n_hands(encoding)
    return [theme.pair_color(int(owners[column]), count) for column in shown]


def _speed_colors(encoding: Encoding, shown: range, hands: Turning, theme: Theme) -> list[QColor]:
    """Hue is frequency: each dial has the colour of the hand that turns about as fast; else they run fast to slow."""
    ramp = theme.pair_colors(hands.count)
    lengths = np.log2(hands.wavelengths[np.isfinite(hands.wavelengths)])
    if hands.turns_evenly and (np.diff(lengths) > 0).all() and encoding.bits is not None:
        near = np.interp(np.log2(encoding.bits.wavelengths), lengths, np.arange(len(lengths)))
    else:
        near = np.linspace(0, hands.count - 1, encoding.d_model)
    return [QColor(*ramp[round(near[column])].tolist()) for column in shown]


def _angles(encoding: Encoding, places: marks.Points, values: marks.Points, shown: range) -> marks.Points:
    """Where needles and hands stand, shape (len(places), len(shown), n), n angles on a dial, radians."""
    if has_twins(encoding):
        return np.stack([twin_angles(encoding, place, shown) for place in places.tolist()])
    if encoding.bits is not None:
        return encoding.bits.angles(places, shown)[:, :, np.newaxis]
    return np.asarray(_SWING * np.clip(values / encoding.value_limit, -1.0, 1.0))[:, :, np.newaxis]


def _half(dial: Dial, first_one: float, is_one: bool, color: QColor, theme: Theme) -> list[marks.Mark]:
    """The half of the dial in which the bit is 1: filled while it is, an outline else."""
    start = math.tau * first_one
    ends = [start, start + math.pi]
    edge = np.array([dial.tip(angle, dial.radius) for angle in ends])
    fill = mixed(color, theme.panel, _FILL_ALPHA) if is_one else theme.grid
    # An arc as wide as its radius is a half disc.
    return [
        marks.Arc(dial.x, dial.y, dial.radius / 2, start, math.pi, fill, dial.radius),
        marks.Segments(edge.reshape(1, 4), theme.axis),
    ]


def _scale(dial: Dial, theme: Theme, *, is_gauge: bool) -> list[marks.Mark]:
    if not is_gauge:
        return [marks.Rings(dial.x, dial.y, np.array([dial.radius]), theme.axis)]
    inner, outer = 0.9 * dial.radius, dial.radius
    ticks = [[*dial.tip(angle, inner), *dial.tip(angle, outer)] for angle in (-_SWING, 0.0, _SWING)]
    return [
        marks.Arc(dial.x, dial.y, dial.radius, -_SWING, 2 * _SWING, theme.axis, 1.0),
        marks.Segments(np.array(ticks), theme.axis),
    ]


def _hand(dial: Dial, face: _Face, color: QColor, theme: Theme) -> list[marks.Mark]:
    length, size = dial.radius * HAND_LENGTH, min(dial.radius / _FULL_SIZE_RADIUS, 1.0)
    tips, ghosts = (
        dial.tips(np.array(angles), np.full(len(angles), length)) for angles in (face.angles, face.later_angles)
    )
    # Through the ends of hands that one number stands for: upright where they share a sine.
    shared = [marks.Segments(tips.reshape(1, 4), theme.text2, 1.0, (3.0, 3.0))] if len(tips) == 2 else []
    return [
        *shared,
        dial.lines(tips, color, max(2.4 * size, 1.6)),
        marks.Dots(ghosts, 4.0 * size, theme.panel, color, max(1.8 * size, 1.2)),
        marks.Dots(tips, 5.0 * size, color),
        dial.hub(theme, 2.2 * size),
    ]


def _captions(grid: DialGrid, encoding: Encoding, face: _Face, theme: Theme) -> list[marks.Mark]:
    dial = grid.dial(face.column)
    if isinstance(grid, BesideGrid):
        texts = _caption_texts(encoding, face.column, face.value, grid.captions)
        if not texts:
            formula = _bit_formula(face.column, face.value)
            return [marks.FormulaText(grid.caption_left(face.column), dial.y, formula, _FORMULA_PIXELS, theme.text)]
        x, y, across = grid.caption_left(face.column), dial.y - LINE / 2 * (len(texts) - 1), 0.0
    else:
        texts = _caption_texts(encoding, face.column, face.value, Captions.FULL)
        x, y, across = dial.x, dial.y + dial.radius + 14.0, 0.5
    colors = (theme.text, theme.text2)
    return [
        marks.Text(x, y + LINE * line, words, ROLES[line], colors[line], across=across)
        for line, words in enumerate(texts)
    ]


def _caption_texts(encoding: Encoding, column: int, value: float, captions: Captions) -> tuple[str, ...]:
    """What a dial is and what it says now, a line each."""
    if encoding.bits is None:
        return f"dim {whole(column)}", value_text(value, encoding.value_limit, 3)
    bit = f"{whole(column)} = {whole(value)}"
    return {
        Captions.FULL: (f"bit {bit}", _flips(encoding, column)),
        Captions.SHORT: (f"bit {bit}",),
        Captions.TERSE: (),
    }[captions]


def _bit_formula(column: int, value: float) -> str:
    return f"b_{{{whole(column)}}} = {whole(value)}"


def _flips(encoding: Encoding, column: int) -> str:
    if encoding.bits is None:
        return ""
    period = float(encoding.bits.wavelengths[column])
    flips = period * encoding.bits.first_one <= encoding.n_positions - 1
    return f"flips every {short(period / 2)}" if flips else _NEVER
