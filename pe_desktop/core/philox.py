"""Philox 4x32-10, a generator that computes its n-th numbers without those before: a window costs only itself.

Source: Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", 2011.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]

_ROUNDS: Final = 10
_MULTIPLIERS: Final = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_WEYL: Final = (0x9E3779B9, 0xBB67AE85)
_WORD_BITS: Final = np.uint64(32)
_WORD: Final = np.uint64(2**32 - 1)


def philox(counters: tuple[Words, Words, Words, Words], key: tuple[int, int]) -> tuple[Words, Words, Words, Words]:
    """Four words of 32 bits, held in uint64, for every counter of four such words; shapes must broadcast."""
    a, b, c, d = counters
    for number in range(_ROUNDS):
        keys = tuple(np.uint64((word + number * step) % 2**32) for word, step in zip(key, _WEYL, strict=True))
        left, right = a * _MULTIPLIERS[0], c * _MULTIPLIERS[1]
        a, b, c, d = (
            (right >> _WORD_BITS) ^ b ^ keys[0],
            right & _WORD,
            (left >> _WORD_BITS) ^ d ^ keys[1],
            left & _WORD,
        )
    return a, b, c, d
