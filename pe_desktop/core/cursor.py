"""What is being looked at: a position, an offset, a pair, the pinned pairs."""

from dataclasses import dataclass, replace

from pe_desktop.core.columns import hand_of_column, has_values, n_filled, n_hands
from pe_desktop.core.encoding import Encoding

DEFAULT_PINS = (0, 4, 8)


@dataclass(frozen=True, slots=True)
class Cursor:
    """The selection that every panel shows.

    position is t, in positions, fractional while playing; offset is k, in positions, of either sign; pair is i, from 0:
    a hand of the encoding, or two of its columns where it has none; pinned_pairs carry a badge, ascending.
    """

    position: float = 37.0
    offset: float = 8.0
    pair: int = 4
    pinned_pairs: tuple[int, ...] = DEFAULT_PINS


def fitted_cursor(cursor: Cursor, encoding: Encoding) -> Cursor:
    """The nearest cursor whose position and pair exist; pins stay, to return when the encoding grows."""
    position = min(max(cursor.position, 0.0), float(encoding.n_positions - 1))
    return replace(cursor, position=position, pair=min(max(cursor.pair, 0), n_hands(encoding) - 1))


def visible_pins(cursor: Cursor, encoding: Encoding) -> tuple[int, ...]:
    """The pinned pairs that the encoding has and that are not zero throughout; pair 0 where there are none of them.

    Of columns that don't turn, where one at most is left, the first, the middle and the last that have values.
    """
    n_pairs = n_hands(encoding)
    pins = tuple(pair for pair in cursor.pinned_pairs if pair < n_pairs and has_values(encoding, pair))
    if len(pins) > 1 or encoding.pairs is not None:
        return pins or (0,)
    last = int(hand_of_column(encoding)[n_filled(encoding) - 1])
    return tuple(dict.fromkeys((0, last // 2, last)))
