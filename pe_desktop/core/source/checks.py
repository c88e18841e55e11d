"""The ten checks of Properties, each from a table as a function of positions, and how hands share the scales.

Runs are rows at positions in equal steps: a list of (step, [rows of a run, rows of another, ...]), shape (positions,
d_model) each.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from pe_desktop.core.encoding import Flags, Floats, Integers
from pe_desktop.core.source.arrays import Hands, Table

Runs: TypeAlias = list[tuple[int, list[Floats]]]


def measured_runs(table: Table, length: int, firsts: Sequence[int], step: int) -> Runs:
    """Runs of adjacent positions from each of the first ones on, and one of positions that are `step` apart."""
    runs = [(1, [table(np.arange(first, first + length)) for first in firsts])]
    return runs if not step else [*runs, (step, [table(step * np.arange(length))])]


def largest_change(table: Table, again: Table, n: int, count: int) -> float:
    """The largest difference of two evaluations, or of two draws, at so many of n positions, spread evenly."""
    positions = np.arange(count) * (n - 1) // max(count - 1, 1)
    return float(np.abs(again(positions) - table(positions)).max())


def longest_step_or_bend(table: Table, runs: Runs, others: Sequence[Integers]) -> float:
    """The longest step in median steps; up to 2, the median change from step to step where that is above 1.

    others: further positions from which steps are measured.
    """
    in_a_row, bends = (
        np.concatenate([np.sqrt((np.diff(rows, order, axis=0) ** 2).sum(axis=1)) for rows in runs[0][1]])
        for order in (1, 2)
    )
    length = max(np.sqrt((rows**2).sum(axis=1)).max() for _, parts in runs for rows in parts)
    if len(in_a_row) < 2 or np.median(in_a_row) <= 1e-12 * length:
        return np.nan
    farther = [np.sqrt(((table(t + 1) - table(t)) ** 2).sum(axis=1)).max() for t in others]
    longest = max([in_a_row.max(), *farther]) / np.median(in_a_row)
    bend = np.median(bends) / np.median(in_a_row)
    return float(bend if longest <= 2 and bend > 1 else longest)


def tenfolds(wavelength: Floats) -> Integers:
    """The j of 2 pi 10^j <= wavelength < 2 pi 10^(j + 1), of each."""
    return np.floor(np.log10(wavelength / (2 * np.pi)) + 1e-9).astype(int)


def fewest_in_tenfold(wavelength: Floats, n: int) -> float:
    """Hands in each tenfold of wavelength that begins within n positions, 2 pi to 20 pi and so on: the fewest."""
    if not len(wavelength):
        return np.nan  # nothing turns evenly
    last = max(tenfolds(np.array([n]))[0], 0)
    return int(min((tenfolds(wavelength) == j).sum() for j in range(last + 1)))


def missed_by_shift(table: Table, runs: Runs, hands: Hands) -> float:
    """|after - before M| / |after|, M the best matrix of every hand, from triangles that have the same lengths."""
    before = [rows[:-1] for rows in runs[0][1]]
    after = [rows[1:] for rows in runs[0][1]]
    for step, (rows,) in runs[1:]:
        before, after = [*before, rows], [*after, table(step * np.arange(len(rows)) + 1)]
    if sum(map(len, before)) <= 2:
        return np.nan  # the best matrix of so few steps fits whatever they are
    missed = energy = 0.0
    for columns in hands:
        n = len(columns)
        both = [np.concatenate(rows)[:, columns] for rows in (before, after)]
        triangle = np.linalg.qr(np.concatenate(both, axis=1))[1]
        left, sizes, _ = np.linalg.svd(triangle[:, :n], full_matrices=False)
        left = left * (sizes > 8 * 2.0**-52 * sizes[0])
        wanted = triangle[:, n:]
        missed += ((wanted - left @ (left.T @ wanted)) ** 2).sum()
        energy += (wanted**2).sum()
    return (missed / energy) ** 0.5 if energy > 0 else 0.0


def length_or_range(runs: Runs) -> float:
    """The length of all rows, or the range of their lengths."""
    length = np.concatenate([np.sqrt((rows**2).sum(axis=1)) for _, parts in runs for rows in parts])
    low = length.min()
    high = length.max()
    return float((low + high) / 2 if high - low <= 1e-12 * high else high - low)


def nearest_rows(runs: Runs, least: int) -> float:
    """The smallest distance of two rows of a run so many positions apart or more."""
    lowest = np.inf
    for step, parts in runs:
        for k in range(max(-(-least // step), 1), len(parts[0])):
            for rows in parts:
                lowest = min(lowest, ((rows[k:] - rows[: len(rows) - k]) ** 2).sum(axis=1).min())
    return float(lowest**0.5) if lowest < np.inf else np.nan


def nearest_by_offset(omega: Floats, n: int, least: int, amplitude: float = 1.0) -> float:
    """The smallest distance of positions so far apart or more, of hands that turn evenly, in pieces of offsets."""
    lowest = np.inf
    height = 2**20 // len(omega) + 1
    for first in range(least, n, height):
        angle = np.arange(first, min(first + height, n))[:, None] * omega
        lowest = min(lowest, (np.sin(angle / 2) ** 2).sum(axis=1).min())
    return float(2 * amplitude * lowest**0.5) if lowest < np.inf else np.nan


def largest_value(runs: Runs) -> float:
    """The largest |value|."""
    return float(max(np.abs(rows).max() for _, parts in runs for rows in parts))


def off_diagonals(runs: Runs) -> float:
    """|G - T| / |G|, G all dot products within the runs, T the means of their diagonals."""
    missed = energy = 0.0
    for _, parts in runs:
        for k in range(len(parts[0])):
            diagonal = np.concatenate([(rows[k:] * rows[: len(rows) - k]).sum(axis=1) for rows in parts])
            sides = 2 if k else 1
            missed += sides * ((diagonal - diagonal.mean()) ** 2).sum()
            energy += sides * (diagonal**2).sum()
    return (missed / energy) ** 0.5 if energy > 0 else 0.0


def returning(omega: Floats, n: int) -> int:
    """How many hands return within the table."""
    return int((2 * np.pi / omega <= n).sum())


def off_after_a_turn(table: Table, n: int, omega: Floats, compared: Sequence[int], hands: Hands) -> float:
    """How far some hands move in their own wavelength at up to 8 positions, as a share of their largest value."""
    positions = np.arange(min(n, 8))
    largest = 0.0
    moved = 0.0
    for i in compared:
        columns = hands[i]
        first = table(positions)[:, columns]
        then = table(positions + 2 * np.pi / omega[i])[:, columns]
        moved, largest = max(moved, np.abs(then - first).max()), max(largest, np.abs(first).max())
    return float(moved / (largest or 1.0))


def hands_by_tenfold(wavelength: Floats) -> dict[str, Floats]:
    """How many hands each tenfold of wavelength has, from that of the fastest hand on, and the edges, positions."""
    if not len(wavelength):
        return {"hands": np.zeros(0), "edges": np.zeros(0)}
    number = tenfolds(wavelength)
    j = np.arange(number.min(), number.max() + 2)
    return {"hands": np.array([(number == one).sum() for one in j[:-1]]), "edges": 2 * np.pi * 10.0**j}


def served(table: Table, wavelength: Floats, hands: Hands, first: float, last: float) -> tuple[Flags, float]:
    """The hands that serve a range of positions, and their share of the squared distance of both ends, or nan.

    They turn 1/20 to 1/2 of a turn: less hardly moves a hand, more brings it back.
    """
    here, there = table(np.array([first, last]))
    squares = ((there - here) ** 2)[np.array(hands)].sum(axis=1)
    width = last - first
    serves = (wavelength >= 2 * width * (1 - 1e-9)) & (wavelength <= 20 * width * (1 + 1e-9))
    return serves, float((squares * serves).sum() / squares.sum()) if squares.sum() > 0 else np.nan


def hands_by_tenfold_and_range(
    table: Table, wavelength: Floats, hands: Hands, ranges: Sequence[Sequence[float]]
) -> dict[str, Floats]:
    """Also the hands that serve each range, (ranges, 4): how many, between which wavelengths, their share."""
    found = []
    for first, last in ranges if len(wavelength) else []:
        serves, share = served(table, wavelength, hands, first, last)
        found.append([serves.sum(), 2 * (last - first), 20 * (last - first), share])
    return {**hands_by_tenfold(wavelength), **({"served": np.array(found)} if found else {})}
