"""The cursor: a position, an offset, a pair, the pinned pairs, and the visible range."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from pe_desktop.core.columns import hand_columns, hand_of_column, hand_values, has_values, n_hands
from pe_desktop.core.encoding import Encoding, Floats, Turning
from pe_desktop.core.record import record

_DEFAULT_PINS = (0, 4, 8)
# Above so many pairs the first ones turn nearly alike: of more than 64 pairs of the paper wavelengths are 6 to 20.
_ALIKE_ABOVE = 64


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


@record
class Preview:
    """The position under the mouse, and in a cell of a query and a key that of the key, else None."""

    position: float
    other: float | None = None

    @property
    def places(self) -> tuple[tuple[float, bool], ...]:
        """The positions, the key's first; whether each is the query's, or the only one."""
        key = () if self.other is None else ((self.other, False),)
        return (*key, (self.position, True))


def spread_pins(encoding: Encoding) -> tuple[int, ...]:
    """The pins that nobody chose: 0, 4, 8, where these are there and unlike, else two to the middle of all pairs."""
    count = n_hands(encoding)
    if _DEFAULT_PINS[-1] < count <= _ALIKE_ABOVE:
        return _DEFAULT_PINS
    return tuple(dict.fromkeys((0, count // 4, count // 2)))


def fitted_cursor(cursor: Cursor, encoding: Encoding) -> Cursor:
    """The nearest cursor whose position and pair exist; pins stay, to return when the encoding grows."""
    position = min(max(cursor.position, 0.0), float(encoding.n_positions - 1))
    pair = min(max(cursor.pair, 0), n_hands(encoding) - 1)
    fits = position == cursor.position and pair == cursor.pair
    return cursor if fits else replace(cursor, position=position, pair=pair)


def visible_pins(cursor: Cursor, encoding: Encoding) -> tuple[int, ...]:
    """The pinned pairs that the encoding has and that are not zero throughout; pair 0 where there are none of them.

    Of columns that don't turn, where one at most is left, the first, the middle and the last that have values.
    """
    return _visible_pins(cursor.pinned_pairs, encoding)


@lru_cache(maxsize=4)
def _visible_pins(pinned_pairs: tuple[int, ...], encoding: Encoding) -> tuple[int, ...]:
    n_pairs = n_hands(encoding)
    pins = tuple(pair for pair in pinned_pairs if pair < n_pairs and has_values(encoding, pair))
    if len(pins) > 1 or encoding.pairs is not None:
        return pins or (0,)
    last = int(hand_of_column(encoding)[encoding.n_filled - 1])
    return tuple(dict.fromkeys((0, last // 2, last)))


@record
class Span:
    """The visible range [first, last], in positions."""

    first: float
    last: float

    @property
    def width(self) -> float:
        """How many positions lie between the edges."""
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

    def moved(self, positions: float) -> "Span":
        """The same width, shifted to later positions."""
        return Span(self.first + positions, self.last + positions)


@lru_cache(maxsize=4)
def full_span(n_positions: int) -> Span:
    """The whole table, half a position beyond its ends: position p is a cell that reaches from p - 1/2 to p + 1/2."""
    return Span(-0.5, n_positions - 0.5)


# Up to this width a whole vector costs no more than some of its hands.
_NARROW: Final = 1024


@lru_cache(maxsize=2)
def cursor_values(encoding: Encoding, position: float, offset: float) -> Floats:
    """p_t and p_(t+k), shape (2, d_model), read-only; the last two cursors' are kept."""
    values = encoding.values([position, position + offset])
    values.setflags(write=False)
    return values


@lru_cache(maxsize=2)
def cursor_angles(hands: Turning, position: float, offset: float) -> Floats:
    """The angles of all hands at t and t + k, radians, shape (2, count), read-only; the last two cursors' are kept."""
    angles = hands.angles([position, position + offset])
    angles.setflags(write=False)
    return angles


def cursor_hands(encoding: Encoding, position: float, offset: float, hands: Sequence[int]) -> Floats:
    """The values in both columns of some hands in p_t and p_(t+k), shape (2, len(hands), 2); nan for a lacking one."""
    columns = hand_columns(encoding)[list(hands)]
    if encoding.d_model > _NARROW or columns.min(initial=0) < 0:
        return hand_values(encoding, [position, position + offset], hands)
    return cursor_values(encoding, position, offset)[:, columns]
