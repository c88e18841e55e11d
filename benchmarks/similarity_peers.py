"""All distances of a table by other means: seed 000's broadcast, SciPy, torch, the Gram matrix."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.similarity_work import SimilarityWork

Distances: TypeAlias = NDArray[np.floating[Any]]
Compute: TypeAlias = Callable[[], Any]


def listing_numpy(work: SimilarityWork) -> Compute:
    """Seed 000, listing 4, in NumPy and in its float32: every difference of two vectors, then their lengths."""
    table = work.table().astype(np.float32)

    def compute() -> Distances:
        differences = table[:, np.newaxis, :] - table[np.newaxis, :, :]
        return np.asarray(np.linalg.norm(differences, axis=-1))

    return compute


def listing_torch(work: SimilarityWork) -> Compute:
    """Seed 000, listing 4, in torch as it was written."""
    torch = import_module("torch")
    table = torch.from_numpy(work.table().astype(np.float32))

    def compute() -> Any:
        differences = table[:, None, :] - table[None, :, :]
        return torch.norm(differences, p=2, dim=-1)

    return compute


def torch_cdist(work: SimilarityWork) -> Compute:
    """torch.cdist, float32."""
    torch = import_module("torch")
    table = torch.from_numpy(work.table().astype(np.float32))
    return lambda: torch.cdist(table, table)


def scipy_cdist(work: SimilarityWork) -> Compute:
    """scipy.spatial.distance.cdist, float64."""
    cdist = import_module("scipy.spatial.distance").cdist
    table = work.table()
    return lambda: cdist(table, table)


def matrix_product(work: SimilarityWork) -> Compute:
    """|a|^2 + |b|^2 - 2 a . b with one product, float64, in place."""
    table = work.table()

    def compute() -> Distances:
        squares = table @ table.T
        lengths = np.diagonal(squares).copy()
        squares *= -2
        squares += lengths
        squares += lengths[:, np.newaxis]
        np.maximum(squares, 0, out=squares)
        return np.sqrt(squares, out=squares)

    return compute


def summed_cosines(work: SimilarityWork) -> Compute:
    """All lags as plain sums of cosines, a megabyte of angles at a time."""
    frequencies = work.encoding.pairs.angular_frequencies
    height = max(2**17 // len(frequencies), 1)

    def compute() -> Distances:
        dots = np.empty(work.n_positions)
        for first in range(0, work.n_positions, height):
            lags = np.arange(first, min(first + height, work.n_positions))
            dots[first : first + height] = np.cos(np.outer(lags, frequencies)).sum(axis=1)
        return dots

    return compute


PEERS: dict[str, Callable[[SimilarityWork], Compute]] = {
    "listing 4, NumPy": listing_numpy,
    "listing 4, torch": listing_torch,
    "torch.cdist": torch_cdist,
    "scipy cdist": scipy_cdist,
    "matrix product": matrix_product,
    "sums of cosines": summed_cosines,
}
