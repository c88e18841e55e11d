"""Similarity of two positions: dot product, cosine or distance, by offset, for one pair, and along a diagonal."""

import math
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.columns import hand_values, n_hands
from pe_desktop.core.encoding import Encoding, Floats, Numbers
from pe_desktop.core.fields.field import MEASURED_CELLS, even_sample, shift_count, shift_positions
from pe_desktop.core.lags import MEASURES, IsCancelled, never, stop_if
from pe_desktop.core.record import record
from pe_desktop.core.rules import checked_word

# Positions whose pairs are compared for the range of an axis.
_LIMIT_SAMPLES: Final = 129

# Table values compared between two checks for a cancellation: a few milliseconds.
_STEP_CELLS: Final = 2**18


@record
class DiagonalSpread:
    """The range of the cells (t, t + k) of a similarity matrix, measured on table values.

    n_measured: how many of them were measured, 0 where no t + k lies in the table; is_sample: whether there are more.
    """

    lowest: float
    highest: float
    n_measured: int
    is_sample: bool

    @property
    def spread(self) -> float:
        """Largest minus smallest; nan where nothing could be measured."""
        return self.highest - self.lowest


def similarity_pair(encoding: Encoding, measure: str, position: float, other: float) -> float:
    """The similarity of two positions, from their table values: any encoding, whole or fractional positions.

    The cosine with a vector that is zero is undefined, nan; a spread leaves it out.
    """
    return float(compared(measure, encoding.values(position), encoding.values(other))[0])


def turns_alike(encoding: Encoding) -> bool:
    """Whether each hand adds a_i^2 cos(k omega_i) to p_t · p_(t+k), whatever t."""
    return encoding.pairs is not None and encoding.pairs.turns_evenly and encoding.is_shift_invariant


def dot_terms(encoding: Encoding, position: float, offset: float) -> Floats:
    """The term of each hand of `hand_columns` in p_t · p_(t+k), shape (n_hands,).

    a_i^2 cos(k omega_i) from the offset alone where hands turn evenly; else the products of table values.
    """
    if encoding.pairs is not None and turns_alike(encoding):
        return np.asarray(encoding.pairs.lengths**2 * encoding.pairs.offset_hands([offset])[0, :, 1])
    here, there = hand_values(encoding, [position, position + offset], range(n_hands(encoding)))
    return np.asarray(np.nan_to_num(here * there).sum(axis=1))


def row_similarity(encoding: Encoding, measure: str, vector: Floats, positions: range) -> Floats:
    """The similarity of one vector of the table, shape (d_model,), to those at some positions, shape (len(positions),).

    The vectors of the last few calls are kept: in a plot only the first one changes.
    """
    return compared_row(measure, vector[: encoding.n_filled], _kept_vectors(encoding, positions))


def compared_row(measure: str, vector: Floats, others: Floats) -> Floats:
    """The similarity of one vector to others, shape (len(others),)."""
    return compared(measure, np.broadcast_to(vector, others.shape), others)


def sampled_limits(encoding: Encoding, measure: str) -> tuple[float, float]:
    """The least and the greatest similarity among all pairs of an even sample of positions.

    So many as hold MEASURED_CELLS values, _LIMIT_SAMPLES at most. Both are 0 where none is defined: the cosine of rows
    of zeros.
    """
    positions = even_sample(encoding.n_positions, min(max(MEASURED_CELLS // encoding.d_model, 2), _LIMIT_SAMPLES))
    vectors = encoding.values(positions)
    rows = (compared(measure, np.broadcast_to(vector, vectors.shape), vectors) for vector in vectors)
    extremes = [(np.nanmin(row), np.nanmax(row)) for row in rows if not np.isnan(row).all()]
    least, greatest = min((low for low, _ in extremes), default=0.0), max((high for _, high in extremes), default=0.0)
    return float(least), float(greatest)


@lru_cache(maxsize=2)
def _kept_vectors(encoding: Encoding, positions: range) -> Floats:
    return filled_values(encoding, positions)


def filled_values(encoding: Encoding, positions: Numbers) -> Floats:
    """The columns of the table that hold values, shape (len(positions), n_filled)."""
    return encoding.values(positions, None if encoding.n_filled == encoding.d_model else range(encoding.n_filled))


def diagonal_spreads(
    encoding: Encoding, offset: float, max_samples: int | None = None, is_cancelled: IsCancelled = never
) -> dict[str, DiagonalSpread]:
    """How much each of MEASURES differs along the diagonal of offset k, the similarity of p_t and p_(t+k).

    Nothing is taken from the identity that makes it zero. Measured at every t with t and t + k in the table; at an even
    sample, first and last included, of max_samples, by default of as many as hold four million table values.
    CancelledError as `stop_if`.
    """
    affordable = max(MEASURED_CELLS // encoding.d_model, 2) if max_samples is None else max_samples
    rows = shift_positions(encoding, offset, affordable)
    bounds = dict.fromkeys(MEASURES, (math.inf, -math.inf))
    height = max(_STEP_CELLS // encoding.d_model, 1)
    for first in range(0, len(rows), height):
        stop_if(is_cancelled)
        here = np.asarray(rows[first : first + height])
        values, others = encoding.values(here), encoding.values_after(here, offset)
        for measure, (lowest, highest) in bounds.items():
            found = compared(measure, values, others)
            found = found[~np.isnan(found)]
            bounds[measure] = float(found.min(initial=lowest)), float(found.max(initial=highest))
    measured = len(rows), len(rows) < shift_count(encoding, offset)
    return {
        measure: DiagonalSpread(*(both if both[0] <= both[1] else (math.nan, math.nan)), *measured)
        for measure, both in bounds.items()
    }


def compared(measure: str, values: Floats, others: Floats) -> Floats:
    """The similarity of every row of values with the same row of others, both shape (n, d_model); shape (n,)."""
    if checked_word("similarity", measure, MEASURES) == "distance":
        distances: Floats = np.linalg.norm(others - values, axis=1)
        return distances
    dots: Floats = np.einsum("nd,nd->n", values, others)
    if measure == "cosine":
        lengths = np.linalg.norm(values, axis=1) * np.linalg.norm(others, axis=1)
        dots = np.divide(dots, lengths, out=np.full_like(dots, np.nan), where=lengths > 0)
    return dots
