"""The two vectors that every panel reads while the cursor moves: p_t and p_(t+k), computed once for all of them."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pe_desktop.core.columns import hand_columns, hand_values
from pe_desktop.core.encoding import Encoding, Floats

# Up to this width a whole vector costs no more than some of its hands.
NARROW: Final = 1024


@lru_cache(maxsize=2)
def cursor_values(encoding: Encoding, position: float, offset: float) -> Floats:
    """p_t and p_(t+k), shape (2, d_model), read-only; the last two cursors' are kept."""
    values = encoding.values([position, position + offset])
    values.setflags(write=False)
    return values


def cursor_hands(encoding: Encoding, position: float, offset: float, hands: Sequence[int]) -> Floats:
    """The values in both columns of some hands in p_t and p_(t+k), shape (2, len(hands), 2); nan for a lacking one."""
    columns = hand_columns(encoding)[list(hands)]
    if encoding.d_model > NARROW or columns.min(initial=0) < 0:
        return hand_values(encoding, [position, position + offset], hands)
    return cursor_values(encoding, position, offset)[:, columns]
