"""What is measured on values of a table: samples of large ones, nearest rows, steps, the best shift of every hand."""

import math
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

import numpy as np

from pe_desktop.core.cursor import MISSING, hand_columns
from pe_desktop.core.encoding import Encoding, Floats, Integers, slices
from pe_desktop.core.fields.field import quantiles
from pe_desktop.core.measuring.measurement import FAR, Basis
from pe_desktop.core.record import record

# Told every few milliseconds which share of its work a function has done; raises CancelledError to end it.
Tell: TypeAlias = Callable[[float], None]

# Up to here every pair of positions is compared: eight million of them, at most half a second.
MAX_ALL_PAIRS: Final = 4096
# Where no closed form tells the distances beyond, every pair is compared up to so many multiplications: some seconds.
_MOST_WORK: Final = 2**35
# What else a pair costs, in multiplications.
_WORK_OF_PAIR: Final = 64
# Values held at once, 64 MiB: wider tables are measured at fewer positions.
_MAX_CELLS: Final = 2**23
# A sample of fewer rows than this could not show what happens along an offset.
_FEWEST: Final = 64
# Values evaluated between two questions whether to go on, a few milliseconds: neighbouring rows share most of the work.
_STEP_CELLS, _RUN_CELLS = 2**18, 2**19


@record(eq=False)
class MeasuredTable:
    """Rows of the table of an encoding, in runs of evenly spaced positions.

    runs: the positions; values: for each run, shape (len(run), d_model). One run of all positions, or four of equal
    length: the first positions, those in the middle or around an empty row, the last ones, and a run spread evenly over
    the whole table. after: the rows at t + 1 of each run, of adjacent positions but for the last one.
    """

    encoding: Encoding
    runs: tuple[range, ...]
    values: tuple[Floats, ...]
    after: tuple[Floats, ...]

    @property
    def is_whole(self) -> bool:
        return len(self.runs) == 1

    @property
    def positions(self) -> Integers:
        """Those of all runs, one run after another."""
        return np.concatenate(self.runs)

    @property
    def lengths(self) -> Floats:
        """The length of each row at these positions."""
        return np.concatenate([*map(_lengths, self.values)])

    @property
    def basis(self) -> Basis:
        return Basis("positions", sum(map(len, self.runs)), self.encoding.n_positions)


def runs_of(encoding: Encoding) -> tuple[range, ...]:
    """Which positions are measured: all, where they are at most 4,096 and hold at most 2^23 values, else four runs.

    Where distances beyond have no closed form, up to 20,724 positions are all measured, fewer where d_model is above
    16. The runs of a sample have 1,024 positions each, fewer where d_model is above 2,048, and at least 16. The second
    one lies around an empty row, or the middle of the table.
    """
    n_positions = encoding.n_positions
    d_model = encoding.d_model
    centre = encoding.empty_row
    affordable = max(_MAX_CELLS // d_model, _FEWEST)
    compared = MAX_ALL_PAIRS
    if not encoding.is_shift_invariant:
        compared = max(math.isqrt(_MOST_WORK // (_WORK_OF_PAIR + max(d_model, 16))), MAX_ALL_PAIRS)
    if n_positions <= min(compared, affordable):
        return (range(n_positions),)
    length = min(MAX_ALL_PAIRS, affordable) // 4
    first = (n_positions if centre is None else 2 * centre) - length
    middle = min(max(first // 2, 0), n_positions - length)
    # The last of the spread positions still has a neighbour.
    step = (n_positions - 2) // (length - 1)
    spread = range(0, (length - 1) * step + 1, step)
    return range(length), range(middle, middle + length), range(n_positions - length, n_positions), spread


def measured_table(encoding: Encoding, tell: Tell) -> MeasuredTable:
    """Evaluate the measured rows and those after them."""
    runs = runs_of(encoding)
    wanted = [*runs, *(range(run.start + 1, run.stop + 1, run.step) for run in runs if run.step > 1)]
    tables: list[Floats] = []
    for run in wanted:
        values = np.empty((len(run), encoding.d_model))
        for part in slices(len(run), (_RUN_CELLS if run.step == 1 else _STEP_CELLS) // encoding.d_model):
            values[part] = encoding.values(run[part])
            tell((len(tables) + min(part.stop / len(run), 1)) / len(wanted))
        tables.append(values)
    adjacent = (table[1:] for run, table in zip(runs, tables, strict=False) if run.step == 1)
    return MeasuredTable(encoding, runs, tuple(tables[: len(runs)]), (*adjacent, *tables[len(runs) :]))


# Distances that differ by less than this share are the same up to rounding.
SAME: Final = 1e-9


@record
class ClosePair:
    """Two positions and how far apart their vectors are."""

    position: int
    other: int
    distance: float

    @property
    def offset(self) -> int:
        return self.other - self.position


@record(eq=False)
class Nearness:
    """What is known of the distances of an encoding.

    nearest: the two positions whose vectors are nearest, the first of equals, and where distances depend on the offset
    alone those at up to 63 other offsets; closest_far: the nearest that are more than FAR apart, None where there are
    none. farthest_neighbours: the largest distance of positions t and t + 1, neither of them an empty row.
    far_confusion: the smallest offset above FAR at which some distance is no more than farthest_neighbours. Or None.
    offsets, lowest: smallest distances by offset for a picture, shape (at most 256,); basis: what was measured.
    """

    nearest: tuple[ClosePair, ...]
    closest_far: ClosePair | None
    farthest_neighbours: float
    far_confusion: int | None
    offsets: Floats
    lowest: Floats
    basis: Basis


# Multiplications of one strip, a few milliseconds, and its rows at most.
_PRODUCTS: Final = 2**26
_HEIGHT: Final = 32
# Values whose differences are held at once.
_CELLS: Final = 2**16
# So many roundings apart, distances along a diagonal may be equal.
_ROUNDINGS: Final = 64
# What rounding may add to a distance, in lengths of the longest vector.
_PRECISION: Final = 2e-13
_EPSILON: Final = float(np.finfo(np.float64).eps)
_TINY: Final = float(np.finfo(np.float64).tiny)
_SAME: Final = 1e-12


@record(eq=False)
class MeasuredPairs:
    """Distances by offset, and how far the Gram matrix is from constant diagonals.

    offsets: ascending from 1, shape (m,); lowest, highest: the smallest and largest distance at each, shape (m,);
    least_dots, most_dots: the smallest and largest dot product at each, shape (m,).
    closest, closest_far: the nearest pair of all, and of those more than FAR apart, None where there is none.
    gram_deviation: |G - T| / |G| in the Frobenius norm, T the means of the diagonals of G; n_pairs: pairs compared.
    """

    offsets: Integers
    lowest: Floats
    highest: Floats
    least_dots: Floats
    most_dots: Floats
    closest: ClosePair | None
    closest_far: ClosePair | None
    gram_deviation: float
    n_pairs: int


def measured_pairs(table: MeasuredTable, tell: Tell) -> MeasuredPairs:
    """Compare all pairs within each run.

    Distances come from dot products; where a diagonal looks constant and its distances would be off by more than 2e-13
    of the longest vector, they come from differences of values, and so do the nearest pairs. Where a diagonal is not
    constant, its smallest distance is off by 1e-14 of the longest vector, or by 1e-7 of it where it is near zero.

    The deviation is right to 1e-12 of itself, or to 1e-15 where that is more: the means are taken of differences to
    the first row, which belongs to each diagonal, so that no more than its length cancels.
    """
    groups = []
    for step in sorted({run.step for run in table.runs}):
        numbers = [number for number, run in enumerate(table.runs) if run.step == step]
        groups.append(_Diagonals([table.runs[i] for i in numbers], [table.values[i] for i in numbers]))
    n_rows = sum(map(len, table.runs))
    done = 0
    for group in groups:
        for rows in group.measure():
            done += rows
            tell(0.9 * done / n_rows)
    for group in groups:
        group.take_roots(tell)
    rounding = max(group.distance_rounding for group in groups)
    near = ([pair for group in groups for pair in group.closest(least, tell)] for least in (1, FAR + 1))
    closest, closest_far = (_nearest_of(pairs, rounding) for pairs in near)
    deviation, energy = (sum(parts) for parts in zip(*(group.squares() for group in groups), strict=True))
    return MeasuredPairs(
        *_merged(groups),
        closest,
        closest_far,
        gram_deviation=math.sqrt(deviation / energy) if energy > 0 else 0.0,
        n_pairs=sum(len(group.runs) * group.length * (group.length - 1) // 2 for group in groups),
    )


class _Diagonals:
    """What is known of the diagonals of some runs of equal length and step: index k means an offset of k steps."""

    def __init__(self, runs: list[range], tables: list[Floats]) -> None:
        self.runs, self.tables = runs, tables
        self.step, self.length = runs[0].step, len(runs[0])
        self._norms = [np.einsum("td,td->t", values, values) for values in tables]
        self.scale = max(float(norms.max()) for norms in self._norms)
        # A dot product of d terms, and two squares of lengths.
        self.rounding = (8 + math.sqrt(tables[0].shape[1])) * _EPSILON * self.scale
        # A distance from differences of values, each off by a few roundings.
        self.distance_rounding = 8 * _EPSILON * math.sqrt(self.scale)
        self._distances, self._dots = np.full((2, self.length), np.inf), np.zeros((2, self.length))
        self.lowest, self.highest = self._distances
        self.highest *= -1
        self._reference = tables[0] @ tables[0][0]
        self._sums, self._squares, self._energies = np.zeros((3, self.length))

    def measure(self) -> Iterator[int]:
        """Look at all pairs; yields how many rows were compared. Distances are squared until take_roots."""
        height = min(max(_PRODUCTS // self.tables[0].size, 1), _HEIGHT)
        for values, norms in zip(self.tables, self._norms, strict=True):
            for first in range(0, self.length, height):
                self._add_strip(values, norms, first, height)
                yield min(height, self.length - first)

    def _add_strip(self, values: Floats, norms: Floats, first: int, height: int) -> None:
        rows = values[first : first + height]
        others = values[first:]
        n_rows = len(rows)
        length = len(others)
        width = length + n_rows
        cells = np.zeros(n_rows * (width + 1))
        np.matmul(rows, others.T, out=cells[: n_rows * width].reshape(n_rows, width)[:, :length])
        dots = cells.reshape(n_rows, width + 1)[:, :length]
        ends = np.lib.stride_tricks.sliding_window_view(np.append(norms[first:], np.zeros(n_rows)), length)[:n_rows]
        squares = -2 * dots
        squares += ends
        squares += norms[first : first + n_rows, None]
        # In the corner, the diagonals of the later rows have left the table; there, dots is zero.
        corner = slice(max(length - n_rows, 0), length)
        is_outside = np.arange(length)[corner] >= length - np.arange(n_rows)[:, None]
        # What stands in the first row, which is all inside, changes no bound.
        np.copyto(squares[:, corner], squares[0, corner], where=is_outside)
        _widen(self._distances, squares)
        self._energies[:length] += np.einsum("rk,rk->k", dots, dots)
        differences = np.subtract(dots, self._reference[:length], out=squares)
        differences[:, corner][is_outside] = 0
        # The first row of all differs by 0 from itself on each diagonal.
        _widen(self._dots, differences)
        self._sums[:length] += differences.sum(axis=0)
        self._squares[:length] += np.einsum("rk,rk->k", differences, differences)

    def squares(self) -> tuple[float, float]:
        """The squares of |G - T| and of |G|; G has each diagonal but the first one twice."""
        counts = len(self.runs) * (self.length - np.arange(self.length))
        weights = np.where(np.arange(self.length) > 0, 2.0, 1.0)
        rests = np.maximum(self._squares - self._sums**2 / counts, 0)
        return float(weights @ rests), float(weights @ self._energies)

    def take_roots(self, tell: Tell) -> None:
        """Turn squares into distances, from differences where a diagonal may be constant and lost too many digits."""
        is_constant = self.highest - self.lowest <= _ROUNDINGS * self.rounding
        # What is off by r in the square of a distance D is off by r / 2 D in D.
        cancels = self.lowest < (self.rounding / (2 * _PRECISION)) ** 2 / max(self.scale, _TINY)
        np.sqrt(np.maximum(self._distances, 0, out=self._distances), out=self._distances)
        self._distances[:, 0] = 0
        for index in np.flatnonzero(is_constant & cancels)[1:].tolist():
            self.distances(index)
            tell(0.95)

    def bounds(self) -> Floats:
        """Distances and dot products at each offset above 0: least and minus most, shape (length - 1, 4)."""
        least, most = self._reference + self._dots
        return np.column_stack((self.lowest, -self.highest, least, -most))[1:]

    def distances(self, index: int) -> Floats:
        """The distances along a diagonal, run by run, from differences of values; its bounds are set to theirs."""
        pieces = []
        for values in self.tables:
            later = values[index:]
            earlier = values[: self.length - index]
            pieces += [_lengths(later[part] - earlier[part]) for part in slices(len(later), _CELLS // values.shape[1])]
        result = np.concatenate(pieces)
        self.lowest[index], self.highest[index] = result.min(), result.max()
        return result

    def closest(self, least_offset: int, tell: Tell) -> list[ClosePair]:
        """The nearest pair at offsets from least_offset on, from differences, and others that looked as near."""
        first = max(-(-least_offset // self.step), 1)
        found = []
        best = math.inf
        for index in (first + np.argsort(self.lowest[first:], kind="stable")).tolist():
            # What dot products say of a distance D is off by rounding / D at most.
            if best == 0 or self.lowest[index] ** 2 - 2 * self.rounding > best**2 * (1 + _SAME):
                break
            distances = self.distances(index)
            lowest = float(distances.min())
            place = int((distances <= lowest * (1 + _SAME) + self.distance_rounding).argmax())
            run, row = divmod(place, self.length - index)
            position = self.runs[run][row]
            found.append(ClosePair(position, position + index * self.step, lowest))
            best = min(best, lowest)
            tell(0.95)
        return found


def _widen(bounds: Floats, rows: Floats) -> None:
    """Let the least and the largest value of each column, shape (2, n), reach over rows of n columns or fewer."""
    least, most = bounds[:, : rows.shape[1]]
    np.minimum(least, rows.min(axis=0), out=least)
    np.maximum(most, rows.max(axis=0), out=most)


def _nearest_of(pairs: list[ClosePair], rounding: float) -> ClosePair | None:
    """The nearest pair; of those equal up to rounding the one with the smallest offset, then position."""
    best = min((pair.distance for pair in pairs), default=0.0)
    equals = [pair for pair in pairs if pair.distance <= best * (1 + _SAME) + rounding]
    return min(equals, key=lambda pair: (pair.offset, pair.position), default=None)


def _merged(groups: list[_Diagonals]) -> tuple[Integers, Floats, Floats, Floats, Floats]:
    """Offsets above 0, ascending, with the bounds of all groups at each."""
    every = np.concatenate([group.step * np.arange(1, group.length, dtype=np.int64) for group in groups])
    offsets, where = np.unique(every, return_inverse=True)
    bounds = np.full((len(offsets), 4), np.inf)
    np.minimum.at(bounds, where, np.concatenate([group.bounds() for group in groups]))
    lowest, highest, least, most = bounds.T
    return offsets, lowest, -highest, least, -most


@record(eq=False)
class Steps:
    """Lengths of measured steps: positions t, shape (n,), ascending, and |p_(t+1) - p_t|, shape (n,).

    median: of the steps in a row, for steps far from each other may all begin at even positions.
    bends: |p_(t+2) - 2 p_(t+1) + p_t|, of three positions in a row, shape (m,).
    """

    positions: Floats
    lengths: Floats
    median: float
    bends: Floats


def measured_steps(table: MeasuredTable, tell: Tell) -> Steps:
    """Measure the steps of a table: of a sample those of its runs, and those after 2^j - 1.

    There a binary number changes most.
    """
    encoding = table.encoding
    height = max(_STEP_CELLS // table.encoding.d_model, 1)
    positions, lengths, in_a_row, bends = ([np.empty(0)] for _ in range(4))
    for run, values, after in zip(table.runs, table.values, table.after, strict=True):
        for first in range(0, len(after), height):
            last = min(first + height, len(after))
            # One step more, whose bend counts.
            steps = after[first : last + 1] - values[first : last + 1][: len(after) - first]
            positions.append(np.asarray(run[first:last], dtype=np.float64))
            lengths.append(_lengths(steps[: last - first]))
            if run.step == 1:
                in_a_row.append(lengths[-1])
                bends.append(_lengths(np.diff(steps, axis=0)))
            tell(0.9)
    if not table.is_whole:
        for power in range((encoding.n_positions - 1).bit_length()):
            here = 2.0**power - 1
            positions.append(np.array([here]))
            lengths.append(_lengths(np.diff(encoding.values([here, here + 1]), axis=0)))
            tell(1.0)
    starts, places = np.unique(np.concatenate(positions), return_index=True)
    median = quantiles(np.concatenate(in_a_row), 0.5)[0] if len(starts) else 0.0
    return Steps(starts, np.concatenate(lengths)[places], median, np.concatenate(bends))


def _lengths(rows: Floats) -> Floats:
    return np.asarray(np.sqrt(np.einsum("td,td->t", rows, rows)))


# A direction of a hand's values that is smaller than this share of the other one is rounding.
_RANK: Final = 8 * _EPSILON
# Rows that are fitted at once, at least: each fit costs as much for one.
_FEWEST_FITTED: Final = 16


def hand_residuals(table: MeasuredTable, tell: Tell) -> tuple[Floats, float]:
    """Residuals of the best shift by one position, each hand with a 2 x 2 matrix of its own and no constant.

    |P_+ - P M| / |P_+| in the Frobenius norm, by least squares: hand by hand, shape (n_hands,), and of all hands.
    Never one free d x d matrix: tables have so few independent columns that it would fit anything. Successive QR
    factors of [P P_+] keep the residual good to about 1e-15 of |P_+|, also for hands that hardly turn.
    """
    columns = hand_columns(table.encoding)
    factors = np.zeros((len(columns), 4, 4))
    height = max(_STEP_CELLS // table.encoding.d_model, _FEWEST_FITTED)
    for values, after in zip(table.values, table.after, strict=True):
        for rows in slices(len(after), height):
            before = values[: len(after)][rows]
            then = after[rows]
            for part in slices(len(columns), _STEP_CELLS // (4 * len(then))):
                stacked = np.concatenate([factors[part], _by_hand(before, then, columns[part])], axis=1)
                factors[part] = np.linalg.qr(stacked, mode="r")
                tell(0.9)
    squares, energies = np.empty((2, len(columns)))
    for part in slices(len(columns), _STEP_CELLS // 64):
        squares[part], energies[part] = _residual_squares(factors[part, :, :2], factors[part, :, 2:])
        tell(1.0)
    # A hand that is zero at every t is carried to itself exactly.
    residuals = np.sqrt(np.divide(squares, energies, out=np.zeros(len(columns)), where=energies > 0))
    energy = float(energies.sum())
    return residuals, float(np.sqrt(squares.sum() / energy)) if energy > 0 else 0.0


def _by_hand(before: Floats, after: Floats, columns: Integers) -> Floats:
    """Both values at t and both at t + 1 for each hand, shape (n_hands, n, 4)."""
    gathered = np.concatenate([before[:, columns], after[:, columns]], axis=2)
    gathered[:, np.tile(columns == MISSING, 2)] = 0
    return np.ascontiguousarray(gathered.swapaxes(0, 1))


def _residual_squares(before: Floats, after: Floats) -> tuple[Floats, Floats]:
    """Squares of what of `after` lies outside the span of `before`, and of `after`, shape (n_hands,) each.

    The span comes from singular vectors: a hand of one direction only, or of none, needs no other treatment.
    """
    directions, sizes, _ = np.linalg.svd(before, full_matrices=False)
    directions *= (sizes > _RANK * sizes[:, :1])[:, None, :]
    rest = after - directions @ (directions.swapaxes(1, 2) @ after)
    return np.einsum("hij,hij->h", rest, rest), np.einsum("hij,hij->h", after, after)
