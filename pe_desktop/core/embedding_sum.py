"""A stand-in for a token's embedding x, and the angle between x and x + p_t."""

import math
from functools import lru_cache

import numpy as np

from pe_desktop.core.encoding import Floats, read_only
from pe_desktop.core.source import drawn


@lru_cache(maxsize=2)
def embedding(d_model: int) -> Floats:
    """A stand-in for a token: x from N(0, 1), always the same for a width, shape (d_model,), read-only.

    Learned embeddings of variance 1 / d_model are multiplied by sqrt(d_model) before the encoding is added ("Attention
    Is All You Need", section 3.4): that is this variance.
    """
    return read_only(drawn.embedding(d_model))


def turned_by(vector: Floats, *, is_scaled: bool = True) -> float:
    """The angle between x and x + p_t for one vector p_t of the table, in degrees, 0 to 180.

    is_scaled: x as in `embedding`, times sqrt(d_model); else as it is learned, of variance 1 / d_model.
    """
    x = embedding(len(vector)) * (1.0 if is_scaled else 1.0 / math.sqrt(len(vector)))
    return turned_from(x, x + vector)


def turned_from(vector: Floats, other: Floats) -> float:
    """The angle between two vectors (d_model,) in degrees, 0 to 180, and 0 where one of them has no length.

    Twice the angle whose tangent is |a - b| / |a + b|, a and b of length 1, which keeps its digits near 0 and 180.
    """
    lengths = float(np.linalg.norm(vector)), float(np.linalg.norm(other))
    if 0.0 in lengths:
        return 0.0
    one, other = vector / lengths[0], other / lengths[1]
    return math.degrees(2 * math.atan2(float(np.linalg.norm(one - other)), float(np.linalg.norm(one + other))))
