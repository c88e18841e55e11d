"""Distance by offset: the logarithmic law, the fit of a straight line, and the share of each band of hands."""

import itertools
import math
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Integers
from pe_desktop.core.lags import IsCancelled, Progress, invariant_pairs, never, profile, squared_norm
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

    distances, dots: at offsets k = 0 to n - 1, shape (n,); D^2 + 2 dot is twice the squared length. law_slope: c = d /
    ln base for geometric spacing, None for any other; law_r_squared: R^2 of D^2 about the law itself, below 0 where the
    mean of D^2 tells it better. line: D against k, as seed 000 claims; logarithm: D^2 against ln k; both over k >= 1,
    None below three offsets, and so the law's R^2; line_from_zero: the line with k = 0 counted. steps_down: the k from
    which the distance to k + 1 is smaller; farthest: the offset of the largest.
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
) -> DistanceLaw:
    """Distances at offsets 0 to count - 1, by default of all positions but at most 2^20, and what they follow.

    Relative error of a distance 1e-12. The law comes from replacing the sum of cos(k omega_i) by its integral over ln
    omega: off by a few percent while k is well below the longest wavelength. CancelledError as `stop_if`; ValueError
    for an encoding that is not shift-invariant.
    """
    pairs = invariant_pairs(encoding)
    count = min(encoding.n_positions if count is None else count, _MAX_OFFSETS)
    distances = profile(encoding, "distance", count, progress, is_cancelled)
    offsets, squares = np.arange(1, count, dtype=np.float64), distances[1:] ** 2
    has_fits = len(offsets) > 2
    step = even_step(np.log(pairs.angular_frequencies))
    # 2 a^2 / (ln omega_i - ln omega_(i+1)), a the length of a hand: d / ln base for the spacing of the paper.
    slope = None if step is None else 2 * squared_norm(pairs) / pairs.count / step
    return DistanceLaw(
        distances=distances,
        dots=squared_norm(pairs) - distances**2 / 2,
        law_slope=slope,
        law_r_squared=r_squared(squares, slope * (np.log(offsets) + _EULER_GAMMA)) if slope and has_fits else None,
        line=line_fit(offsets, distances[1:]) if has_fits else None,
        line_from_zero=line_fit(np.arange(count, dtype=np.float64), distances) if has_fits else None,
        logarithm=line_fit(np.log(offsets), squares) if has_fits else None,
        steps_down=np.flatnonzero(np.diff(distances) < 0),
        farthest=int(distances.argmax()),
    )


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


@record
class Band:
    """The hands from first to last, both counted, and their share of the squared distance of two positions."""

    first: int
    last: int
    share: float


@record(eq=False)
class Comparison:
    """How the rows t and t + k of a table differ, and how that difference differs from the one of rows 0 and k.

    bands: where the squared distance comes from: the first and the second quarter of the hands, and the slow half; one
    without a hand is left out. length, other_length: of the difference p_(t+k) - p_t, and of p_k - p_0; they are equal
    where hands are whole. turned: the length of the difference of both, which is not zero.
    """

    encoding: Encoding
    position: float
    offset: float
    apart: Disagreement
    bands: tuple[Band, ...]
    length: float
    other_length: float
    turned: float


def comparison(encoding: Encoding, position: float, offset: float) -> Comparison:
    """Compare the rows at position t and at t + offset, measured on table values."""
    rows = encoding.values([position, position + offset, 0.0, offset])
    here, there = rows[1] - rows[0], rows[3] - rows[2]
    apart = disagreement_of_rows(encoding, here)
    shares, n_hands = apart.shares, len(apart.chords)
    edges = itertools.pairwise(sorted({0, n_hands // 4, n_hands // 2, n_hands}))
    bands = tuple(Band(first, end - 1, float(shares[first:end].sum())) for first, end in edges)
    lengths = [float(np.linalg.norm(vector)) for vector in (here, there, here - there)]
    return Comparison(encoding, position, offset, apart, bands, *lengths)
