"""Which columns of an encoding form a hand, and the cursor: position, offset, a hand, pins, and the visible range."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Integers, Numbers, Turning, read_only
from pe_desktop.core.hands import places_of
from pe_desktop.core.kinds.naive import BitsEncoding
from pe_desktop.core.record import kept, record
from pe_desktop.core.rules import MAX_POSITIONS, OFFSET, NumberRule, ruled

# The second column of a hand that has one column only.
MISSING: Final = -1
_DEFAULT_PINS = (0, 4, 8)
# Above so many pairs the first ones turn nearly alike: of more than 64 pairs of the paper wavelengths are 6 to 20.
_ALIKE_ABOVE = 64
# Up to this width a whole vector costs no more than some of its hands.
_NARROW: Final = 1024


@record
class Cursor:
    """The selection that every panel shows.

    position is t, in positions, fractional while playing; offset is k, in positions, of either sign; pair is i, from 0:
    a hand of the encoding, or two of its columns where it has none; pinned_pairs carry a badge, ascending.
    """

    position: float = 37.0
    offset: float = 8.0
    pair: int = 4
    pinned_pairs: tuple[int, ...] = _DEFAULT_PINS

    @property
    def both(self) -> tuple[float, float]:
        """The positions t and t + k."""
        return self.position, self.position + self.offset

    def fitted(self, rules: Mapping[str, NumberRule]) -> "Cursor":
        """The nearest cursor that obeys some `cursor_rules`; pins stay, to return when the encoding grows."""
        # Adding 0 makes -0 a plain zero.
        position, offset = (rules[name].nearest(getattr(self, name)) + 0.0 for name in ("position", "offset"))
        pair = int(rules["pair"].nearest(self.pair))
        fits = (position, offset, pair) == (self.position, self.offset, self.pair)
        # A press may set a whole one, which equals its float and is none.
        is_float = {type(self.position), type(self.offset)} == {float}
        return self if fits and is_float else replace(self, position=position, offset=offset, pair=pair)

    def visible_pins(self, encoding: Encoding) -> tuple[int, ...]:
        """The pinned pairs that the encoding has and that are not zero throughout; pair 0 where there are none of them.

        Of columns that don't turn, where one at most is left, the first, the middle and the last that have values.
        """
        return _visible_pins(self.pinned_pairs, encoding)


@record
class Aside:
    """The t and k that aren't shown: of the plots while the workspace Attention is open, else of that workspace."""

    position: float = ruled(4.0, NumberRule("", 0, MAX_POSITIONS - 1, title="position set aside"))
    offset: float = ruled(-3.0, replace(OFFSET, title="offset set aside"))


class Preview(NamedTuple):
    """What is named under the mouse: a position t, an offset k, a pair i; None for each that isn't."""

    position: float | None = None
    offset: float | None = None
    pair: int | None = None

    @classmethod
    def of(cls, changes: Mapping[str, Any], rules: Mapping[str, NumberRule] | None = None) -> "Preview | None":
        """What names of the state and their values name of it, by the rules the nearest; None where that is nothing."""
        named = {name: changes[name] for name in cls._fields if name in changes}
        if rules is not None:
            named = {name: rules[name].nearest(value) for name, value in named.items()}
        return cls(**named) if named else None

    def holds(self, other: "Preview") -> bool:
        """Whether it names all that another one does."""
        return all(value is None or value == own for value, own in zip(other, self, strict=True))

    def moved(self, cursor: Cursor) -> Cursor:
        """A cursor that a press has set to what is named."""
        return replace(cursor, **{name: value for name, value in self._asdict().items() if value is not None})

    def places(self, t: float) -> tuple[tuple[float, bool], ...]:
        """The positions that are named, t + k first, and whether each is t; t: the cursor's, where none is named."""
        now = t if self.position is None else self.position
        later = () if self.offset is None else ((now + self.offset, False),)
        return later if self.position is None else (*later, (now, True))


def spread_pins(encoding: Encoding) -> tuple[int, ...]:
    """The pins that nobody chose: 0, 4, 8, where these are there and unlike, else two to the middle of all pairs."""
    count = n_hands(encoding)
    if _DEFAULT_PINS[-1] < count <= _ALIKE_ABOVE:
        return _DEFAULT_PINS
    return tuple(dict.fromkeys((0, count // 4, count // 2)))


@kept
def _visible_pins(pinned_pairs: tuple[int, ...], encoding: Encoding) -> tuple[int, ...]:
    n_pairs = n_hands(encoding)
    pins = tuple(pair for pair in pinned_pairs if pair < n_pairs and has_values(encoding, pair))
    if len(pins) > 1 or encoding.pairs is not None:
        return pins or (0,)
    last = int(hand_of_column(encoding)[encoding.n_filled - 1])
    return tuple(dict.fromkeys((0, last // 2, last)))


class Span(NamedTuple):
    """The visible range [first, last], in positions."""

    first: float
    last: float

    @property
    def width(self) -> float:
        return self.last - self.first

    def within(self, whole: "Span", narrowest: float = 1.0) -> "Span":
        """The nearest span inside of another that is not too narrow: at most one cell of the matrix fills the plot.

        One that was too narrow grows to both sides: what it was zoomed about stays within it.
        """
        width = min(max(self.width, narrowest), whole.width)
        first = min(max(self.first - max(width - self.width, 0.0) / 2, whole.first), whole.last - width)
        return Span(first, first + width)

    def zoomed(self, factor: float, anchor: float) -> "Span":
        """A span 1/factor as wide in which the anchor stays where it was."""
        return Span(anchor - (anchor - self.first) / factor, anchor + (self.last - anchor) / factor)

    def cells(self, count: int) -> range:
        """The whole positions, of so many, that are nearest to its own."""
        return range(max(round(self.first), 0), min(round(self.last), count - 1) + 1)

    def moved(self, positions: float) -> "Span":
        """The same width, shifted to later positions."""
        return Span(self.first + positions, self.last + positions)


@kept
def full_span(n_positions: int) -> Span:
    """The whole table, half a position beyond its ends: position p is a cell that reaches from p - 1/2 to p + 1/2."""
    return Span(-0.5, n_positions - 0.5)


@lru_cache(maxsize=2)
def cursor_values(encoding: Encoding, position: float, offset: float) -> Floats:
    """p_t and p_(t+k), shape (2, d_model), read-only; the last two cursors' are kept."""
    later = position + offset
    values = encoding.values([position, later])
    if (later - position, later - offset) != (offset, position):
        # The sum was rounded.
        values[1:] = encoding.values_after([position], offset)
    return read_only(values)


@lru_cache(maxsize=2)
def cursor_angles(hands: Turning, position: float, offset: float) -> Floats:
    """The angles of all hands at t and t + k, radians, shape (2, count), read-only; the last two cursors' are kept."""
    return read_only(hands.angles([position, position + offset]))


def cursor_hands(encoding: Encoding, position: float, offset: float, hands: Sequence[int]) -> Floats:
    """The values in both columns of some hands in p_t and p_(t+k), shape (2, len(hands), 2); nan for a lacking one."""
    columns = hand_columns(encoding)[list(hands)]
    if encoding.d_model > _NARROW or columns.min(initial=0) < 0:
        return hand_values(encoding, [position, position + offset], hands)
    return cursor_values(encoding, position, offset)[:, columns]


def face_hands_of(encoding: Encoding, pair: int) -> tuple[int, ...]:
    """The hands of the face that are chosen with a pair: its own, or those of its two columns."""
    if encoding.turning_pairs is not None:
        return (pair,)
    return tuple(column for column in hand_columns(encoding)[pair].tolist() if column != MISSING)


def pair_of_face_hand(encoding: Encoding, hand: int) -> int:
    """Which pair is chosen with a hand of the face."""
    return hand if encoding.turning_pairs is not None else int(hand_of_column(encoding)[hand])


def half_hands(encoding: Encoding) -> list[int]:
    """The hands of the face of which the table has one of the two columns."""
    if encoding.pairs is not None or encoding.turning_pairs is None:
        return []
    return np.flatnonzero((hand_columns(encoding) == MISSING).any(axis=1)).tolist()


def code_beside(encoding: Encoding) -> Encoding | None:
    """The bits that can stand beside a face: the encoding where it is one of bits, else the binary code of t.

    None where there is no face with hands.
    """
    if encoding.bits is not None:
        return encoding
    if encoding.pairs is None:
        return None
    return BitsEncoding(encoding.n_positions, BitsEncoding.least_width(encoding.n_positions))


def n_flipping(code: Encoding) -> int:
    """How many bits are 1 somewhere in the table, at least one."""
    bits = code.bits
    if bits is None:
        return code.d_model
    return max(int(np.count_nonzero(bits.wavelengths * bits.first_one <= code.n_positions - 1)), 1)


@kept
def n_hands(encoding: Encoding) -> int:
    """The number of hands of `hand_columns`."""
    n_pairs = encoding.pairs.count if encoding.pairs is not None else 0
    return n_pairs + (encoding.d_model - 2 * n_pairs + 1) // 2


@kept
def cursor_rules(
    encoding: Encoding, n_words: int | None, back: tuple[int, int] | None = None
) -> Mapping[str, NumberRule]:
    """What t, k and i may be: of the table where n_words is None, else places of so many words, and steps between them.

    back: the fewest and the most places that a head looks back, which reads no key after its query. No word stands
    where the table has no row.
    """
    last = encoding.n_positions - 1
    reach = OFFSET.highest
    is_led = n_words is not None
    if n_words is not None:
        last, reach = min(last, max(n_words - 1, 0)), max(n_words - 1, 0)
    first, most = (-reach, reach) if back is None else (-back[1], -back[0])
    return {
        "position": NumberRule("position", 0, last, is_whole=is_led),
        "offset": NumberRule("offset", first, most, is_whole=is_led or back is not None),
        "pair": NumberRule("pair", 0, n_hands(encoding) - 1, is_whole=True),
    }


@kept
def hand_columns(encoding: Encoding) -> Integers:
    """The columns that form a hand, shape (n_hands, 2), read-only: those of the pairs, then what is left two by two.

    Where there are no pairs, columns that are the sine and the cosine of one wave stand for one. The last hand may lack
    a second column: MISSING.
    """
    turning = _turning_columns(encoding)
    is_left = np.ones(encoding.d_model, dtype=bool)
    is_left[turning] = False
    left = np.flatnonzero(is_left)
    if len(left) % 2:
        left = np.append(left, MISSING)
    return read_only(np.concatenate([turning, left.reshape(-1, 2)]))


@kept
def hand_places(encoding: Encoding) -> tuple[str, str]:
    """Where the two columns of hand i stand, for instance 2i and 2i + 1; MISSING of an only hand stands for 1."""
    return places_of(np.abs(hand_columns(encoding)))


def has_values(encoding: Encoding, hand: int) -> bool:
    """Whether a column of a hand is ever anything but zero."""
    return int(hand_columns(encoding)[hand, 0]) < encoding.n_filled


@kept
def hand_of_column(encoding: Encoding) -> Integers:
    """The hand of every column, shape (d_model,), read-only."""
    # A missing column sorts before all others.
    places = np.argsort(hand_columns(encoding), axis=None)[-encoding.d_model :]
    return read_only(places // 2)


def hand_values(encoding: Encoding, positions: Numbers, hands: Sequence[int] | Integers, ahead: float = 0.0) -> Floats:
    """The values in both columns of some hands, shape (len(positions), len(hands), 2); nan for a column it lacks.

    At positions so far ahead of those given.
    """
    columns = hand_columns(encoding)[np.asarray(hands, dtype=np.int64)]
    values = encoding.values_after(positions, ahead, np.maximum(columns, 0).reshape(-1))
    return np.where(columns == MISSING, np.nan, values.reshape(-1, *columns.shape))


def _turning_columns(encoding: Encoding) -> Integers:
    """The columns of the sine and the cosine of one wave, where both are there, shape (n, 2)."""
    if encoding.pairs is not None:
        return np.asarray(encoding.pairs.columns, dtype=np.int64)
    waves = encoding.column_waves
    if waves is None:
        return np.empty((0, 2), dtype=np.int64)
    columns = np.full((waves.hands.count, 2), MISSING)
    columns[waves.numbers, waves.is_cosine.astype(np.int64)] = np.arange(encoding.d_model)
    return np.asarray(columns[(columns != MISSING).all(axis=1)], dtype=np.int64)
