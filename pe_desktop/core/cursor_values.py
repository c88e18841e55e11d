"""The two vectors that every panel reads while the cursor moves: p_t and p_(t+k), computed once for all of them."""

from functools import lru_cache

from pe_desktop.core.encoding import Encoding, Floats


@lru_cache(maxsize=2)
def cursor_values(encoding: Encoding, position: float, offset: float) -> Floats:
    """p_t and p_(t+k), shape (2, d_model), read-only; the last two cursors' are kept."""
    values = encoding.values([position, position + offset])
    values.setflags(write=False)
    return values
