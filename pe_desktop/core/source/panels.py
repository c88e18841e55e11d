"""What plots of one panel show: of the clock, matrix, rotation, distances, heads, the decoder, and near positions."""

from collections.abc import Callable, Sequence

import numpy as np

from pe_desktop.core.encoding import Floats, Integers
from pe_desktop.core.source.arrays import Hands, Table, distances_by_offset


def with_terms(rows: Floats, table: Table, hands: Hands, t: float, k: float) -> dict[str, Floats]:
    """A table beside what each hand adds to p_t . p_(t + k), and the sum up to each, shape (hands,)."""
    here, there = table(np.array([t, t + k]))
    terms = np.array([(here * there)[columns].sum() for columns in hands])
    return {"table": rows, "terms": terms, "running_sum": np.cumsum(terms)}


def with_embedding(rows: Floats, table: Table, t: float, d_model: int) -> dict[str, Floats]:
    """A table beside x, which stands for an embedding, and x + p_t, shape (d_model,)."""
    x = np.random.default_rng(0).normal(size=d_model)
    return {"table": rows, "embedding": x, "sum": x + table(np.array([t]))[0]}


def missed_laws(shift: Callable[[float], Floats], k: float, j: float) -> Floats:
    """How far M_j M_k is from M_(j + k), M_k M_k^T from I, M_k^10 from M_(10 k), the determinant from 1: rounding.

    shift gives M_k, or a row of its diagonal blocks.
    """
    matrix = shift(k)
    composed = np.abs(shift(j) @ matrix - shift(j + k)).max()
    inverse = np.abs(matrix @ matrix.swapaxes(-2, -1) - np.eye(matrix.shape[-1])).max()
    power = np.abs(np.linalg.matrix_power(matrix, 10) - shift(10 * k)).max()
    return np.array([composed, inverse, power, np.prod(np.linalg.det(matrix)) - 1])


def distance_and_law(offsets: Floats, omega: Floats, amplitude: float, slope: float) -> Floats:
    """The distance by offset beside its law D^2 = slope (ln k + gamma), slope = d / ln base, shape (offsets, 2)."""
    distance = distances_by_offset(offsets, omega, amplitude)
    return np.stack([distance, np.sqrt(slope * (np.log(offsets) + 0.5772156649015329))], axis=1)


def looking_back(rows: Floats, matrix: Floats) -> Floats:
    """The scores (M p_t) . p_s of every t and s, shape (positions, positions)."""
    return rows @ matrix.T @ rows.T


def looking_back_by_hands(rows: Floats, hands: Hands, places: int) -> Floats:
    """The same with the best matrix of each hand, which takes its rows to those so many places before."""
    shifted = np.zeros(rows.shape)
    for columns in hands:
        hand = rows[:, columns]
        shifted[:, columns] = hand @ (np.linalg.pinv(hand[places:]) @ hand[: len(hand) - places])
    return shifted @ rows.T


def lowest_by_offset(distance: Floats) -> Floats:
    """The distance of the nearest two rows at every offset from 1 on, shape (offsets,)."""
    return np.array([np.diagonal(distance, k).min() for k in range(1, len(distance))])


def hand_moves(table: Table, hands: Hands, t: float, k: float) -> Floats:
    """How far each hand moves from t to t + k, shape (hands,)."""
    here, there = table(np.array([t, t + k]))
    return np.array([np.sqrt(((there - here)[columns] ** 2).sum()) for columns in hands])


def near_returns(omega: Floats, pair: int, most: int, last: int) -> Floats:
    """After how many positions and turns a hand is nearer to its start than after any fewer, shape (up to most, 4).

    Then by how many radians it misses it, and the chord: convergents of the continued fraction of 2 pi / omega, in
    whole numbers, for omega as it is in float64.
    """
    two_pi = 628318530717958647692528676655900576839433879875021164194988918461563281257  # times 10^74
    up, down = float(omega[pair]).as_integer_ratio()
    returns: list[list[float]] = []
    turn = two_pi * down
    step = 10**74 * up
    a = turn
    b = step
    k = 1
    last_k = 0
    turns = 0
    last_turns = 1
    while b and len(returns) < most:
        k, last_k = a // b * k + last_k, k
        turns, last_turns = a // b * turns + last_turns, turns
        a, b = b, a % b
        if k > last:
            break
        if k > 0:
            if returns and k == last_k:
                returns.pop()
            angle = (k * step - turns * turn) / (down * 10**74)
            angle -= 2 * np.pi * round(angle / (2 * np.pi))
            returns.append([k, turns, angle, 2 * abs(np.sin(angle / 2))])
    return np.array(returns)


def revival(omega: Floats, amplitude: float = 1.0) -> Floats:
    """Where evenly spaced hands meet again: 2 pi over their step, the nearest whole offset, and the distance there."""
    again = 2 * np.pi * (len(omega) - 1) / (omega[0] - omega[-1])
    k = np.round(again)
    return np.array([again, k, 2 * amplitude * np.sqrt((np.sin(k * omega / 2) ** 2).sum())])


def _best_five(values: Floats) -> Integers:
    """The positions of the smallest values; of those that agree to 14 digits the lower one comes first."""
    size = np.abs(values).max() or 1.0
    return np.argsort(np.round(values / size, 14), kind="stable")[:5]


def decoded(
    rows: Floats, vector: Floats, hands: Hands, counts: Sequence[int], n_read: int, near: float
) -> dict[str, Floats]:
    """What hands read of a vector.

    curve: the dot product with each row, (positions,). nearest: the five best positions by it with their dot products,
    the five nearest ones with their distances, (5, 4). fewer: for each count of hands the count, the best and the
    second position by dot product, the margin, how many positions are within a share of the best, the nearest and the
    second by distance, (counts, 7); nan where there is no second.
    """
    found: dict[str, Floats] = {}
    fewer = []
    for n in counts:
        columns = np.array([column for hand in hands[:n] for column in hand])
        scores = rows[:, columns] @ vector[columns]
        distance = np.sqrt(((rows[:, columns] - vector[columns]) ** 2).sum(axis=1))
        best = _best_five(-scores)
        close = _best_five(distance)
        top = scores.max()
        others = [best[1], top - scores[best[1]], close[1]] if len(best) > 1 else [np.nan] * 3
        fewer.append([n, best[0], *others[:2], (scores >= top - near * abs(top)).sum(), close[0], others[2]])
        if n == n_read:
            nearest = np.stack([best, scores[best], close, distance[close]], axis=1)
            found = {"curve": scores, "nearest": nearest}
    return {**found, "fewer": np.array(fewer)}


def after_layers(vectors: Floats, layers: Floats) -> Floats:
    """Vectors (..., d_model) after layers v + tanh(v W), a matrix W for each of them."""
    for matrix in layers:
        vectors = vectors + np.tanh(vectors @ matrix)
    return vectors


def images_with_rows(table: Table, positions: Floats) -> Floats:
    """A batch of images with the same number on every pixel of a channel, shape (images, d_model, 8, 8)."""
    added = table(positions)[:, :, None, None]
    return np.zeros((*added.shape[:2], 8, 8)) + added


def sine_and_cosine_of_sum(omega: Floats, pair: int, t: float, k: float, start: float = 0.0) -> Floats:
    """Sine and cosine of (start + t + k) omega, and the sums that they are, shape (2, 2)."""
    a = (start + t) * omega[pair]
    b = k * omega[pair]
    sine = np.sin(a) * np.cos(b) + np.cos(a) * np.sin(b)
    cosine = np.cos(a) * np.cos(b) - np.sin(a) * np.sin(b)
    return np.array([[np.sin(a + b), np.cos(a + b)], [sine, cosine]])


def distance_terms(omega: Floats, k: float, amplitude: float = 1.0) -> Floats:
    """What each pair adds to the squared distance of t and t + k, shape (pairs,)."""
    return np.asarray(4 * amplitude**2 * np.sin(k * omega / 2) ** 2)


def dot_terms(omega: Floats, k: float, amplitude: float = 1.0) -> Floats:
    """What each pair adds to p_t . p_(t + k), shape (pairs,)."""
    return np.asarray(amplitude**2 * np.cos(k * omega))


def length_terms(omega: Floats, t: float, start: float = 0.0, amplitude: float = 1.0) -> Floats:
    """What each pair adds to the squared length of p_t, shape (pairs,)."""
    angle = (start + t) * omega
    return np.asarray(amplitude**2 * (np.sin(angle) ** 2 + np.cos(angle) ** 2))


def by_exponential(omega: Floats, base: float, steps: float, scale: float = 1.0) -> Floats:
    """Frequencies as they are and as scale exp(-i ln(base) / steps), shape (2, pairs)."""
    return np.stack([omega, scale * np.exp(-np.arange(len(omega)) * (np.log(base) / steps))])
