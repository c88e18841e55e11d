"""Distance by offset: the logarithmic law, the fit of a straight line, and the share of each band of hands."""

import itertools
import math
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Integers, Pairs
from pe_desktop.core.lags import IsCancelled, Progress, invariant_pairs, never, profile
from pe_desktop.core.measure.collisions import Disagreement, disagreement_of_rows
from pe_desktop.core.measure.periodic import even_step
from pe_desktop.core.record import record

# Distances of more offsets than this are not held: 8 MiB for each of four rows.
_MAX_OFFSETS: Final = 2**20
_EULER_GAMMA: Final = 0.5772156649015329


@record
class _LineFit:
    """The least-squares line y = intercept + slope x, and R^2, the share of the variance of y that it explains."""

    slope: float
    intercept: float
    r_squared: float

    def at(self, x: Floats) -> Floats:
        return self.intercept + self.slope * x


@record(eq=False)
class DistanceLaw:
    """Distance and dot product by offset, beside the law D^2 = c (ln k + gamma) and two fits.

    distances, dots: at offsets k = 0 to n - 1, shape (n,). law_slope: c = d / ln base for geometric spacing, None for
    any other; law_r_squared: R^2 of D^2 about the law itself, below 0 where the mean of D^2 tells it better. line: D
    against k, as seed 000 claims; logarithm: D^2 against ln k; both over k >= 1, None below three offsets, and so the
    law's R^2; line_from_zero: the line with k = 0 counted. steps_down: the k from which the distance to k + 1 is
    smaller; farthest: the offset of the largest.
    """

    distances: Floats
    dots: Floats
    law_slope: float | None
    law_r_squared: float | None
    line: _LineFit | None
    line_from_zero: _LineFit | None
    logarithm: _LineFit | None
    steps_down: Integers
    farthest: int

    @property
    def nbytes(self) -> int:
        """How much memory its arrays take."""
        return self.distances.nbytes + self.dots.nbytes + self.steps_down.nbytes

    def law(self, offsets: Floats) -> Floats:
        """The distances that the law says, for offsets from 1 on; ValueError where there is no law."""
        if self.law_slope is None:
            raise ValueError("the logarithmic law holds for geometric spacing only")
        return np.sqrt(self.law_slope * (np.log(offsets) + _EULER_GAMMA))


def listed_offsets(encoding: Encoding) -> tuple[int, ...]:
    """The offsets for a short table: 1, 10, 100 and so on, and the last of the law."""
    last = min(encoding.n_positions, _MAX_OFFSETS) - 1
    powers = [10**exponent for exponent in range(len(str(_MAX_OFFSETS))) if 10**exponent < last]
    return (*powers, last) if last > 0 else ()


def distance_law(
    encoding: Encoding, count: int | None = None, progress: Progress | None = None, is_cancelled: IsCancelled = never
) -> DistanceLaw | None:
    """Distances at offsets 0 to count - 1, by default of all positions but at most 2^20, and what they follow.

    Relative error of a distance 1e-12. The law comes from replacing the sum of cos(k omega_i) by its integral over ln
    omega: off by a few percent while k is well below the longest wavelength. None when is_cancelled says so; ValueError
    for an encoding that is not shift-invariant.
    """
    pairs = invariant_pairs(encoding)
    count = min(encoding.n_positions if count is None else count, _MAX_OFFSETS)
    dots = profile(encoding, "dot", count, _half(progress, 0.0), is_cancelled)
    distances = None if dots is None else profile(encoding, "distance", count, _half(progress, 0.5), is_cancelled)
    if dots is None or distances is None:
        return None
    offsets, squares = np.arange(1, count, dtype=np.float64), distances[1:] ** 2
    has_fits = len(offsets) > 2
    slope = _law_slope(pairs, float(dots[0]) / pairs.count)
    return DistanceLaw(
        distances=distances,
        dots=dots,
        law_slope=slope,
        law_r_squared=r_squared(squares, slope * (np.log(offsets) + _EULER_GAMMA)) if slope and has_fits else None,
        line=line_fit(offsets, distances[1:]) if has_fits else None,
        line_from_zero=line_fit(np.arange(count, dtype=np.float64), distances) if has_fits else None,
        logarithm=line_fit(np.log(offsets), squares) if has_fits else None,
        steps_down=np.flatnonzero(np.diff(distances) < 0),
        farthest=int(distances.argmax()),
    )


def _half(progress: Progress | None, start: float) -> Progress | None:
    """The progress of one half of the work as that of the whole, in thousandths."""
    if progress is None:
        return None

    def report(done: int, total: int) -> None:
        progress(round(1000 * (start + done / max(total, 1) / 2)), 1000)

    return report


def line_fit(x: Floats, y: Floats) -> _LineFit:
    """The straight line nearest to some points, by least squares; R^2 is nan where y is constant."""
    centred_x, centred_y = x - x.mean(), y - y.mean()
    slope = float(centred_x @ centred_y / (centred_x @ centred_x))
    return _LineFit(slope, float(y.mean() - slope * x.mean()), r_squared(centred_y, slope * centred_x))


def r_squared(y: Floats, fitted: Floats) -> float:
    """The share of the variance of y that fitted values explain: 1 - sum (y - fitted)^2 / sum (y - mean)^2, or nan."""
    rest, centred = y - fitted, y - y.mean()
    variance = float(centred @ centred)
    return 1 - float(rest @ rest) / variance if variance > 0 else math.nan


def _law_slope(pairs: Pairs, squared_length: float) -> float | None:
    """2 a^2 / (ln omega_i - ln omega_(i+1)), a the length of a hand: d / ln base for the spacing of the paper."""
    step = even_step(np.log(pairs.angular_frequencies))
    return None if step is None else 2 * squared_length / step


@record
class Band:
    """The hands from first to last, both counted, and their share of the squared distance of two positions."""

    first: int
    last: int
    share: float


def bands_of_shares(shares: Floats) -> tuple[Band, ...]:
    """Where a squared distance comes from, by the share of each hand, shape (n_hands,).

    The bands are the first and the second quarter of the hands, and the slow half; a band without a hand is left out.
    """
    n_hands = len(shares)
    edges = sorted({0, n_hands // 4, n_hands // 2, n_hands})
    return tuple(Band(first, end - 1, float(shares[first:end].sum())) for first, end in itertools.pairwise(edges))


@record
class _DifferenceTurn:
    """Differences of vectors k apart, at two places: length and other_length are equal, apart is not zero.

    apart: the length of the difference of the two difference vectors.
    """

    length: float
    other_length: float
    apart: float


def turn_of_differences(here: Floats, there: Floats) -> _DifferenceTurn:
    """How two differences p_(t+k) - p_t, each of shape (d_model,), differ: in direction, where hands are whole."""
    return _DifferenceTurn(
        float(np.linalg.norm(here)), float(np.linalg.norm(there)), float(np.linalg.norm(here - there))
    )


@record(eq=False)
class Comparison:
    """How the rows t and t + k of a table differ, and how that difference differs from the one of rows 0 and k."""

    encoding: Encoding
    position: float
    offset: float
    apart: Disagreement
    bands: tuple[Band, ...]
    turn: _DifferenceTurn


def comparison(encoding: Encoding, position: float, offset: float) -> Comparison:
    """Compare the rows at position t and at t + offset, measured on table values."""
    rows = encoding.values([position, position + offset, 0.0, offset])
    here, there = rows[1] - rows[0], rows[3] - rows[2]
    apart, turn = disagreement_of_rows(encoding, here), turn_of_differences(here, there)
    return Comparison(encoding, position, offset, apart, bands_of_shares(apart.shares), turn)
