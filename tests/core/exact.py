"""What tests compare with: frequencies in mpmath's arithmetic, means over blocks cell by cell."""

import itertools

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core.lags import CancelledError


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
    return exact_frequency(encoding.d_model, encoding.base, encoding.spacing, pair)


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


def assert_ends_at_any_question(compute):
    """compute(is_cancelled) ends with CancelledError at whichever of its questions the answer is yes."""
    questions = itertools.count()
    compute(lambda: next(questions) < 0)
    n_asked = next(questions)
    for moment in {*range(1, 12), n_asked // 2, n_asked}:
        answers = iter([*[False] * (moment - 1), True])
        with pytest.raises(CancelledError):
            compute(answers.__next__)
