"""What the figures of clock and waves say, as the sentences that are their titles, without Qt."""

from typing import Final

from pe_desktop.core.bit_hands import code_beside
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding, Pairs
from pe_desktop.draw import number_text
from pe_desktop.draw.hand_text import hand_name

# More pairs than this are not named one by one in a title.
MOST_NAMED: Final = 3

_COLUMN_DIALS: Final = (
    "Each dial is one column of the table: a hand that turns once in the period of a bit, half of the dial filled "
    "while the bit is 1, or a needle between the limits of the values, 0 at 12 o'clock. Solid is t, hollow is t + k."
)
_BIT_CLOCK: Final = (
    "Each hand and each dial is one bit: it turns clockwise from 12 o'clock, once in the period of the bit, which is 1 "
    "in the shaded half; its dial is filled while it is. Solid is t, hollow is t + k, and the arc between them is the "
    "turn by k. Of more than 32 bits, all are dots and the pinned ones hands."
)
_UNEVEN_DIALS: Final = (
    "Each hand is a pair of dimensions at its angle, clockwise from 12 o'clock. Solid is t, hollow is t + k, and the "
    "arc between them is how far it turned from t to t + k, which differs from t to t."
)


def explanation_for(what: str, usual: str, encoding: Encoding) -> str:
    """How to read a figure: as usual, or for hands that turn unevenly, and columns without hands."""
    pairs = encoding.pairs
    if what not in ("clock", "clock-binary", "dials") or (pairs is not None and pairs.turns_evenly):
        return usual
    if what != "dials" and encoding.bits is not None:
        return _BIT_CLOCK
    return _COLUMN_DIALS if pairs is None else _UNEVEN_DIALS


def clock_sentence(encoding: Encoding, cursor: Cursor) -> str:
    """How many hands, or columns, show which position."""
    if encoding.pairs is None:
        return _columns_sentence(encoding, cursor)
    n_hands = encoding.pairs.count
    hands = "1 hand shows" if n_hands == 1 else f"{number_text.whole(n_hands)} hands show"
    return f"{hands} position {number_text.position(cursor.position)}"


def binary_clock_sentence(encoding: Encoding, cursor: Cursor) -> str:
    """How many hands and how many bits show which position."""
    code = code_beside(encoding)
    if encoding.pairs is None or code is None:
        return _columns_sentence(encoding, cursor)
    hands = "1 hand" if encoding.pairs.count == 1 else f"{number_text.whole(encoding.pairs.count)} hands"
    bits = "1 bit" if code.d_model == 1 else f"{code.d_model} bits"
    return f"{hands} and {bits} show position {number_text.position(cursor.position)}"


def dials_sentence(encoding: Encoding, cursor: Cursor) -> str:
    """How soon the pairs turn once, or how many columns show which position."""
    if encoding.pairs is None:
        return _columns_sentence(encoding, cursor)
    pairs = encoding.pairs
    first, last = (number_text.short(float(length)) for length in pairs.wavelengths[[0, -1]])
    if pairs.count == 1:
        return f"The only pair turns once in {first} {_unit(pairs)}"
    return f"{number_text.whole(pairs.count)} pairs turn once in {first} to {last} {_unit(pairs)}"


def _columns_sentence(encoding: Encoding, cursor: Cursor) -> str:
    columns = "1 column shows" if encoding.d_model == 1 else f"{number_text.whole(encoding.d_model)} columns show"
    return f"{encoding.title}: {columns} position {number_text.position(cursor.position)}"


def _unit(pairs: Pairs) -> str:
    return "positions" if pairs.turns_evenly else "mapped positions"


def _pinned(encoding: Encoding, pins: tuple[int, ...]) -> str:
    names = "pairs" if encoding.pairs is not None else "columns"
    if len(pins) > MOST_NAMED:
        return f"{len(pins)} {names}" if encoding.pairs is not None else f"{len(pins)} × 2 columns"
    return "; ".join(hand_name(encoding, pin) for pin in pins)


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"
