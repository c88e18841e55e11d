"""What tests compare with: frequencies in mpmath's arithmetic, plain loops over a table, what a computation costs."""

import itertools
import math
import tracemalloc
from functools import cache

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core.fields.field import Blocks
from pe_desktop.core.lags import CancelledError
from tests.tables import table


def exact_frequency(d_model: int, base: float, spacing: str, pair: int) -> mpmath.mpf:
    """omega_i, to the digits of the surrounding mpmath.workdps."""
    n_pairs, exact_base = d_model // 2, mpmath.mpf(base)
    if spacing == "geometric":
        return exact_base ** (-mpmath.mpf(pair) / n_pairs)
    if spacing == "single":
        return mpmath.mpf(1)
    share = mpmath.mpf(pair) / max(n_pairs - 1, 1)
    return exact_base**-share if spacing == "inclusive" else 1 - share * (1 - 1 / exact_base)


def frequency_of(encoding, pair: int) -> mpmath.mpf:
    """The same of a sinusoidal encoding."""
    if encoding.spacing == "given":
        return 2 * mpmath.pi / mpmath.mpf(encoding.wavelengths[pair])
    return exact_frequency(encoding.d_model, encoding.base, encoding.spacing, pair)


@cache
def omega(d_model, base=10_000.0):
    """All frequencies of the paper."""
    with mpmath.workdps(40):
        return [float(exact_frequency(d_model, base, "geometric", pair)) for pair in range(d_model // 2)]


def paper_row(t, d_model, base=10_000.0):
    """One vector of the paper, by math.sin and math.cos."""
    return [wave(t * w) for w in omega(d_model, base) for wave in (math.sin, math.cos)]


def block_means(table, rows, columns):
    """The mean of the cells of each block that exist."""
    return np.array(
        [[table[t : t + rows.size, s : s + columns.size].mean() for s in columns.starts] for t in rows.starts]
    )


def similarity_means(table, measure, rows, columns):
    """The means over blocks of every two rows of a table; of distances the root of the mean square."""
    dots, lengths = table @ table.T, np.linalg.norm(table, axis=1)
    if measure == "distance":
        return np.sqrt(block_means(((table[:, np.newaxis] - table) ** 2).sum(axis=2), rows, columns))
    with np.errstate(invalid="ignore", divide="ignore"):
        return block_means(
            dots if measure == "dot" else np.nan_to_num(dots / np.outer(lengths, lengths)), rows, columns
        )


def plain_distances(table):
    """|x_i - x_j| of all pairs, row by row."""
    return np.array([np.sqrt(((table - row) ** 2).sum(axis=1)) for row in table])


def plain_gram_deviation(table):
    """|G - T| / |G|, the mean of each diagonal taken by itself."""
    gram = np.array([[float(np.dot(a, b)) for b in table] for a in table])
    means = {k: np.diagonal(gram, k).mean() for k in range(-len(table) + 1, len(table))}
    toeplitz = np.array([[means[j - i] for j in range(len(table))] for i in range(len(table))])
    return float(np.linalg.norm(gram - toeplitz) / np.linalg.norm(gram))


def plain_shift_residual(table):
    """Least squares for two columns at a time, by LAPACK's own solver."""
    rest, energy = 0.0, 0.0
    for first in range(0, table.shape[1], 2):
        before, after = table[:-1, first : first + 2], table[1:, first : first + 2]
        matrix = np.linalg.lstsq(before, after, rcond=None)[0]
        rest += float(((after - before @ matrix) ** 2).sum())
        energy += float((after**2).sum())
    return math.sqrt(rest / energy)


def peak_of(compute):
    """The most bytes that a computation holds at once, its result among them."""
    tracemalloc.start()
    try:
        compute()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def evaluated_sizes(monkeypatch, kind):
    """The numbers of values of all tables that encodings of a kind evaluate from now on."""
    sizes, values = [], kind.values

    def counted(self, positions, dimensions=None):
        found = values(self, positions, dimensions)
        sizes.append(found.size)
        return found

    monkeypatch.setattr(kind, "values", counted)
    return sizes


def assert_ends_at_any_question(compute):
    """compute(is_cancelled) ends with CancelledError at whichever of its questions the answer is yes."""
    questions = itertools.count()
    compute(lambda: next(questions) < 0)
    n_asked = next(questions)
    for moment in {*range(1, 12), n_asked // 2, n_asked}:
        answers = iter([*[False] * (moment - 1), True])
        with pytest.raises(CancelledError):
            compute(answers.__next__)


def windows(kind):
    """Rows and columns of known windows by their names: first cell, size and count of each in windows.json."""
    return {name: (Blocks(*ends[:3]), Blocks(*ends[3:])) for name, ends in table("core/windows")[kind].items()}
