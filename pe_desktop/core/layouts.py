"""The three orders in which libraries store sines and cosines, and the maps between columns and pairs."""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Integers

# interleaved: [sin0, cos0, sin1, ...], the paper; half-split: [sin... | cos...], tensor2tensor;
# cosine-first: [cos... | sin...], many diffusion models.
LAYOUTS: Final = ("interleaved", "half-split", "cosine-first")


def column_slices(layout: str, n_pairs: int) -> tuple[slice, slice]:
    """Where the sines and where the cosines of all pairs stand, each in the order of the pairs."""
    if layout == "interleaved":
        return slice(0, 2 * n_pairs, 2), slice(1, 2 * n_pairs, 2)
    first, second = slice(0, n_pairs, 1), slice(n_pairs, 2 * n_pairs, 1)
    return (first, second) if layout == "half-split" else (second, first)


def pair_columns(layout: str, n_pairs: int, pair: int) -> tuple[int, int]:
    """The columns of the sine and of the cosine of one pair."""
    columns = range(2 * n_pairs)
    sines, cosines = column_slices(layout, n_pairs)
    return columns[sines][pair], columns[cosines][pair]


@lru_cache(maxsize=8)
def all_pair_columns(layout: str, n_pairs: int) -> Integers:
    """The columns of the sine and of the cosine of every pair, shape (n_pairs, 2), read-only."""
    columns = np.arange(2 * n_pairs)
    columns = np.stack([columns[part] for part in column_slices(layout, n_pairs)], axis=1)
    columns.flags.writeable = False
    return columns


def column_pairs(layout: str, n_pairs: int, columns: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    """For each column the pair it belongs to and whether it holds the cosine."""
    if layout == "interleaved":
        return columns // 2, columns % 2 == 1
    is_second_half = columns >= n_pairs
    pairs = np.where(is_second_half, columns - n_pairs, columns)
    return pairs, is_second_half if layout == "half-split" else ~is_second_half
