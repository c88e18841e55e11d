"""The numbers of fact cards, an array or a list of numbers each."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.source.arrays import Hands, Table, distances_by_offset
from pe_desktop.core.source.checks import tenfolds
from pe_desktop.core.source.formats import rounding_of

Matrix: TypeAlias = Callable[[float], Floats]


def entries(table: Table, positions: Floats, dimension: int) -> Floats:
    """One column of the table."""
    return table(positions)[:, dimension]


def columns_apart(rows: Floats, others: Floats, first: int, second: int) -> list[float]:
    """The largest difference of a column and one of the same or of another table."""
    return [np.abs(rows[:, first] - others[:, second]).max()]


def lengths(table: Table, positions: Floats) -> Floats:
    """The lengths of vectors."""
    return np.asarray(np.sqrt((table(positions) ** 2).sum(axis=1)))


def length_range(rows: Floats) -> list[float]:
    """Smallest and largest length of all vectors of the table."""
    length = np.sqrt((rows**2).sum(axis=1))
    return [length.min(), length.max()]


def dots(table: Table, pairs: Floats) -> Floats:
    """Dot products of pairs of positions."""
    return np.array([one @ other for one, other in map(table, pairs)])


def spread(rows: Floats, measure: str, offset: int) -> list[float]:
    """The spread of a similarity along the diagonal of an offset."""
    here = rows[: len(rows) - offset]
    there = rows[offset:]
    values = (here * there).sum(axis=1) if measure == "dot" else np.sqrt(((there - here) ** 2).sum(axis=1))
    return [values.max() - values.min()]


def ratios(omega: Floats) -> list[float]:
    """The least and the largest quotient of the frequency of a pair and of the one before it."""
    quotient = omega[1:] / omega[:-1]
    return [quotient.min(), quotient.max()]


def nearest_return(omega: Floats, pair: int, n: int, amplitude: float = 1.0) -> list[float]:
    """The offset after which a hand is nearest to its start, and the chord that is left."""
    chord = distances_by_offset(np.arange(1.0, n), omega[[pair]], amplitude)
    return [chord.argmin() + 1, chord.min()]


def turning(omega: Floats, n: int) -> list[float]:
    """How many hands turn once within the table, and how many there are."""
    return [(2 * np.pi / omega <= n).sum(), len(omega)]


def fullest_tenfold(wavelength: Floats) -> list[float]:
    """How many hands the tenfold of wavelength has that holds the most, and how many there are."""
    number = tenfolds(wavelength)
    return [max((number == j).sum() for j in number), len(number)]


def nearest(n: int, omega: Floats, amplitude: float = 1.0) -> list[float]:
    """The smallest distance of two positions, and their offset, over the whole table."""
    distance = distances_by_offset(np.arange(1.0, n), omega, amplitude)
    return [distance.min(), distance.argmin() + 1]


def first_as_near(n: int, omega: Floats, least: int, amplitude: float = 1.0) -> list[float]:
    """The first offset, `least` or more, at which positions are no farther apart than neighbours; nan for none."""
    height = 2**20 // len(omega) + 1
    for first in range(least, n, height):
        k = np.arange(float(first), min(first + height, n))
        is_near = distances_by_offset(k, omega, amplitude) <= distances_by_offset(np.array([1.0]), omega, amplitude)
        if is_near.any():
            return [k[is_near.argmax()]]
    return [np.nan]


def distance_line(n: int, omega: Floats, amplitude: float = 1.0) -> list[float]:
    """R^2 of a line through the distances, k = 0 left out and counted; steps down, of how many; the farthest offset."""
    distance = distances_by_offset(np.arange(float(n)), omega, amplitude)
    k = np.arange(n)
    explained = []
    for first in (1, 0):
        x = k[first:] - k[first:].mean()
        y = distance[first:] - distance[first:].mean()
        explained.append((x * y).sum() ** 2 / ((x**2).sum() * (y**2).sum()))
    return [*explained, (distance[1:] < distance[:-1]).sum(), n - 1, distance.argmax()]


def shares(table: Table, hands: Hands, t: float, k: float, edges: Sequence[int]) -> list[float]:
    """The share of the hands between each edge and the next in the squared distance of t and t + k."""
    here, there = table(np.array([t, t + k]))
    squares = ((there - here) ** 2)[np.array(hands)].sum(axis=1)
    return [squares[first:end].sum() / squares.sum() for first, end in zip(edges, [*edges[1:], None], strict=True)]


def vectors_apart(table: Table, first: float, second: float, offset: float) -> list[float]:
    """The lengths of two difference vectors over one offset, and how far the vectors themselves are apart."""
    rows = table(np.array([first, first + offset, second, second + offset]))
    here = rows[1] - rows[0]
    there = rows[3] - rows[2]
    return [np.sqrt((values**2).sum()) for values in (here, there, here - there)]


def sum_apart(table: Table, first: float, second: float) -> list[float]:
    """How far the sum of two vectors is from the vector of the sum of their positions."""
    rows = table(np.array([first, second, first + second]))
    return [np.sqrt(((rows[0] + rows[1] - rows[2]) ** 2).sum())]


def residual(table: Table, shift: Matrix, n: int, offset: float, used: float) -> list[float]:
    """The largest entry of M_j p_t - p_(t+k) where j is used in place of k, or is k, over all t of the table."""
    t = np.arange(float(n))
    return [np.abs(table(t) @ shift(used).T - table(t + offset)).max()]


def block_entries(table: Table, shift: Matrix, hands: Hands, offset: float) -> list[float]:
    """The largest difference between the blocks of M_k and the numbers of the row at position k."""
    (a, b), matrix, row = np.array(hands).T, shift(offset), table(np.array([offset]))[0]
    apart = [matrix[a, a] - row[b], matrix[a, b] - row[a], matrix[b, a] + row[a], matrix[b, b] - row[b]]
    return [np.abs(apart).max()]


def product_and_cosine(omega: Floats, pair: int, first: float, second: float, amplitude: float = 1.0) -> list[float]:
    """v(p) . v(q) of one pair, and the cosine of omega (p - q)."""
    p = first * omega[pair]
    q = second * omega[pair]
    return [amplitude**2 * (np.sin(p) * np.sin(q) + np.cos(p) * np.cos(q)), np.cos(p - q)]


def dot_from_one(d_model: int, base: float, offset: float) -> list[float]:
    """The sum of cos(k omega_n) where n runs from 1 to d/2 instead of from 0 to d/2 - 1."""
    n = np.arange(1, d_model // 2 + 1)
    return [np.cos(offset * base ** (-2 * n / d_model)).sum()]


def rounded_table(exact: Floats, table: Floats) -> list[float]:
    """The largest |error| of a table in a smaller format, and how many of its rows are distinct."""
    found = rounding_of(exact, [table])
    return [found["errors"][0, -1], found["distinct"][0]]


def turning_points(n: int, omega: Floats) -> list[float]:
    """The first offset whose dot product is larger than that of the one before, and the first where it is negative.

    nan where there is none among the offsets of n positions.
    """
    dots = np.cos(np.arange(float(n))[:, None] * omega).sum(axis=1)
    found = np.append(False, np.diff(dots) > 0), dots < 0
    return [float(which.argmax()) if which.any() else np.nan for which in found]


def per_decade(omega: Floats) -> list[float]:
    """Hands for each tenfold of wavelength."""
    return [(len(omega) - 1) / np.log10(omega.max() / omega.min())]


def moved_words(written: Floats, moved: Floats, order: Sequence[int]) -> list[float]:
    """The largest difference of outputs once those of the sentence as written are put in an order."""
    return [np.abs(written[order] - moved).max()]


def states(words: Floats) -> Floats:
    """A recurrent network: the state h_t = tanh(h_(t - 1) + x_t) after each word, shape (words, d_model)."""
    found = [0 * words[0]]
    for word in words:
        found.append(np.tanh(found[-1] + word))
    return np.stack(found[1:])


def convolved(words: Floats) -> Floats:
    """A convolution with the kernel (1/2, 1): x_(t - 1) / 2 + x_t, shape (words, d_model)."""
    before = np.concatenate([0 * words[:1], words[:-1]])
    return before / 2 + words


def beside_sums(words: Floats, sums: Floats, first: int, second: int) -> list[float]:
    """The cosine of two words, that of their sums with positions, and the angle from a word to its sum, degrees."""
    vectors = np.stack([words[first], words[second], sums[first], sums[second]])
    units = vectors / np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    cosine = units @ units.T
    return [cosine[0, 1], cosine[2, 3], np.degrees(np.arccos(cosine[0, 2]))]


def turns_in_order(shift: Matrix, first: float, second: float) -> list[float]:
    """How far R_p R_q^T is from R_(p - q), and how far from R_(q - p), the largest entry."""
    product = shift(first) @ shift(second).T
    return [np.abs(product - shift(k)).max() for k in (first - second, second - first)]


def scheme_spread(scores: Floats) -> list[float]:
    """By how much the scores of one query and key at one offset differ, the largest."""
    diagonals = [np.diagonal(scores, k) for k in range(1 - len(scores), len(scores))]
    return [max(diagonal.max() - diagonal.min() for diagonal in diagonals)]


def peaks(rows: Floats, shift: Matrix, places: int) -> list[float]:
    """In how many rows the score peaks at t - n, and of how many."""
    best = (rows[places:] @ shift(-places).T @ rows.T).argmax(axis=1)
    return [(best == np.arange(len(best))).sum(), len(best)]


def memorised(drawn: Floats, d_model: int) -> list[float]:
    """In how many rows a matrix that was fitted to random vectors peaks, in how many beyond them, and of how many."""
    here = drawn[-2 * d_model :]
    wanted = drawn[: 2 * d_model]
    matrix = np.linalg.solve(here[:d_model], wanted[:d_model])
    is_peak = (here @ matrix @ drawn.T).argmax(axis=1) == np.arange(2 * d_model)
    return [is_peak[:d_model].sum(), is_peak[d_model:].sum(), d_model]


def hand_angle(omega: Floats, pair: int, position: float) -> list[float]:
    """Degrees of a hand, clockwise from 12: within one turn, whole turns before that, and all together."""
    degrees = np.degrees(position * omega[pair])
    return [degrees % 360, degrees // 360, degrees]


def next_best(omega: Floats, n: int, t: float, count: int) -> list[float]:
    """The other position that the first hands take most easily for t, the sum of their cosines there, what it lacks."""
    match = np.cos(np.subtract.outer(np.arange(float(n)), t) * omega[:count, None]).sum(axis=0)
    match[int(t)] = -np.inf
    return [match.argmax(), match.max(), count - match.max()]


def hands_needed(omega: Floats, n: int, t: float) -> list[float]:
    """The least count of first hands that take a neighbour for t most easily, 0 for none."""
    return [next((count for count in range(1, len(omega) + 1) if abs(next_best(omega, n, t, count)[0] - t) == 1), 0)]


def drowned(table: Table, word: Floats, position: float) -> list[float]:
    """The length of a word, and the degrees from the vector of a position to its sum with the word."""
    code = table(np.array([position]))[0]
    total = word + code
    cosine = total @ code / np.sqrt((total @ total) * (code @ code))
    return [np.sqrt(word @ word), np.degrees(np.arccos(cosine))]


def bits_flipped(first: int, second: int) -> list[float]:
    """How many binary digits of two positions differ."""
    return [(int(first) ^ int(second)).bit_count()]
