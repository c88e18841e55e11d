"""No two positions have the same vector: the proof of "Transformers Breakdown", its gap, and two ways to close it."""

import math
from collections.abc import Iterator

import numpy as np

from pe_desktop.core.derivations import NearestOffset, frequency_exponent
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.number_text import in_formula
from pe_desktop.draw.number_text import plain, short, whole
from pe_desktop.views.derivations.step import Moment, Step, exact, number

# Why t and t + k can't be whole turns apart for hand 0, where the table has f(t) in place of t.
_MAPS = {
    "square": "f(t + k) − f(t) is whole where t and k are, and π is irrational",
    "root": "f(t + k) − f(t) is a difference of roots, so algebraic, and π is transcendental",
    "log": "f(t + k) − f(t) is the logarithm of a fraction, and e^(2πm) is transcendental",
    "reciprocal": "f(t + k) − f(t) is a fraction, and π is irrational",
}

# Of a base that float64 holds.
_LARGEST_LOGARITHM = 700.0


def unique_steps(m: Moment, *answered: NearestOffset | None) -> Iterator[Step]:
    """From two equal vectors to a contradiction; answered: the answer to `nearest_questions`, where it asks."""
    if m.encoding.pairs is None:
        yield _apart(m)
        return
    yield from _same_hand(m)
    if not m.turns:
        yield _mapped(m)
        yield _apart(m)
        return
    yield from _gap(m)
    yield _by_hand_zero(m)
    yield from _algebraic(m)
    if answered:
        yield _nearest_step(m.encoding, answered[0])


def _turned(m: Moment, pair: int) -> float:
    """How far a hand turns from t to t + k, radians."""
    return float(m.pairs.turns([m.t], m.k, [pair])[0, 0])


def _left(m: Moment, pair: int) -> tuple[float, float]:
    """How far a hand is from its place at t once it has turned by k, from its frequency, and from its chord."""
    now, later = m.pairs.hands([m.t, m.t + m.k], [pair])[:, 0]
    chord = float(np.linalg.norm(later - now)) / (2 * float(m.pairs.lengths[pair]))
    return abs(math.remainder(_turned(m, pair), math.tau)), 2 * math.asin(min(chord, 1.0))


def _same_hand(m: Moment) -> Iterator[Step]:
    (x, y), (later_x, later_y), (t, _, u) = map(number, m.now), map(number, m.later), m.texts
    turned, apart = _turned(m, m.i), math.dist(m.now, m.later)
    yield Step(
        "Suppose two positions t and u = t + k have one vector (eq. 5, 6). Then every hand is where it was: here "
        f"pair {m.i}, whose two points are this far apart.",
        "PE(t) = PE(u), so sin(ω_it) = sin(ω_iu), cos(ω_it) = cos(ω_iu) for every i",
        f"({x}, {y}) at {t}, ({later_x}, {later_y}) at {u}: {number(apart)}",
        apart, 2 * m.amplitude * abs(math.sin(math.remainder(turned, math.tau) / 2)), "by the chord of its turn",
    )  # fmt: skip
    left, measured = _left(m, m.i)
    yield Step(
        "So it has made whole turns, m of them (eq. 7, 8). How much is missing now:",
        f"{'ω_i(u − t)' if m.turns else 'ω_i(f(u) − f(t))'} = 2πm, m whole",
        f"{short(turned, 5)} rad = {number(turned / math.tau)} · 2π; {number(left)} rad from the nearest whole m = "
        f"{whole(round(turned / math.tau))}",
        left, measured, "from the two points of the table",
    )  # fmt: skip


def _returning(m: Moment, n: int) -> tuple[int, tuple[int, float], float] | None:
    """A pair, its exponent and a base with which it is back after n positions; None where no float64 is such a base.

    The chosen pair, or the one in the middle of all exponents: hand 0 has the frequency 1 with any base, and pairs next
    to it in a wide table want a base beyond all numbers.
    """
    ratio = m.scale * n / math.tau
    for pair in (m.i, max(m.half // 4, 1)):
        exponent = frequency_exponent(m.pairs, pair) if 0 < pair < m.half else None
        if exponent is None or exponent[0] <= 0 or exponent[1] <= 0 or ratio <= 1:
            continue
        power = exponent[1] / exponent[0]
        if power * math.log(ratio) < _LARGEST_LOGARITHM:
            return pair, exponent, math.pow(ratio, power)
    return None


def _gap(m: Moment) -> Iterator[Step]:
    """A base with which the argument of the text fails for one hand, though 2 pi stays irrational."""
    n = max(round(abs(m.k)), 7)
    found = _returning(m, n)
    if found is None:
        return
    pair, (upper, lower), base = found
    x, returned = upper / lower, math.tau * math.pow(base, upper / lower) / m.scale
    yield Step(
        "The gap: the text says that 2πm times a power of the base can't be whole because 2π is irrational. But "
        f"an irrational number times a real one may be whole: with this base B, hand {pair} is back after "
        f"{whole(n)} positions.",
        f"2π B^x = {whole(n)}, x = {plain(upper)}/{plain(lower)}, B = ({whole(n)}/2π)^{{1/x}}",
        f"B = {short(base, 6)}: 2π B^{{{number(x)}}} = {number(returned)}",
        returned, float(n), "whole",
    )  # fmt: skip


def _by_hand_zero(m: Moment) -> Step:
    omega, turned, k = float(m.pairs.angular_frequencies[0]), _turned(m, 0), m.texts[1]
    (left, measured), nearest = _left(m, 0), whole(round(turned / math.tau))
    rate, difference = ("1", "u − t") if omega == 1 else (f"{short(omega)}, rational", "ω_0(u − t)")
    end = f"k = {k} = 2π · {number(turned / math.tau / omega)}; with m = {nearest} it misses by {number(left)} rad"
    return Step(
        f"Closed with hand 0 alone: its frequency is {rate}. For whole m other than 0, π would be a fraction; π "
        "is irrational. So m = 0: u = t.",
        rf"2πm = {difference}, π = \frac{{{difference}}}{{2m}} or m = 0",
        end if m.k else "k = 0 is m = 0: one position, not two",
        left, measured, "by hand 0 in the table",
    )  # fmt: skip


def _algebraic(m: Moment) -> Iterator[Step]:
    """B^x is a root of a rational number: (B^x)^q = B^p for x = p/q in lowest terms."""
    exponent = frequency_exponent(m.pairs, m.i)
    if exponent is None or not float(exponent[1]).is_integer():
        return
    common = math.gcd(exponent[0], int(exponent[1]))
    p, q = exponent[0] // common, int(exponent[1]) // common
    if p * math.log10(m.base) > 300:
        return
    root, power = math.pow(m.base, p / q), math.pow(m.base, p)
    yield Step(
        f"Or with any one hand, here {m.i}: a power of the base is a root of a rational number, so algebraic. π "
        "is transcendental, and this would make it algebraic. So each single hand is enough.",
        rf"π = \frac{{u − t}}{{2m B^x}}; (B^x)^q = B^p, x = p/q = {p}/{q}",
        f"{exact(root)}^{{{q}}} = {in_formula(m.base)}^{{{p}}} = {exact(power)}",
        math.pow(root, q) / power, 1.0, "if they are equal",
    )  # fmt: skip


def _nearest_step(encoding: Encoding, found: NearestOffset | None) -> Step:
    words, formula = "Unequal is not far apart: how near two positions come, measured.", "min_k |p_{t+k} − p_t|"
    if found is None:
        return Step(words, formula, "measuring…")
    (first, other), k = encoding.values([0, found.offset]), whole(found.offset)
    in_all = "" if found.n_offsets == encoding.n_positions - 1 else f" of k up to {whole(found.n_offsets)}"
    numbers, by = f"{number(found.distance)} at k = {k}{in_all}", f"between 0 and {k} in the table"
    return Step(words, formula, numbers, found.distance, float(np.linalg.norm(other - first)), by)


def _mapped(m: Moment) -> Step:
    turned = _turned(m, 0) / float(m.pairs.angular_frequencies[0])
    return Step(
        "Hand 0 has the frequency 1, so f(u) − f(t) = 2πm. That is possible for m = 0 alone: "
        f"{_MAPS[str(m.encoding.parameters['map'])]}.",
        "2πm = f(u) − f(t)",
        f"f(u) − f(t) = {short(turned, 6)} = 2π · {number(turned / math.tau)}",
        *_left(m, 0), "by hand 0 in the table",
    )  # fmt: skip


def _apart(m: Moment) -> Step:
    difference, (t, k, _) = m.rows[1] - m.rows[0], m.texts
    largest, own = whole(int(np.argmax(np.abs(difference)))), number(float(np.linalg.norm(difference[[*m.columns]])))
    distance = float(np.linalg.norm(difference))
    return Step(
        f"What is left is to measure: how far these two rows are apart. Dimension {largest} differs most; the "
        f"chosen ones, {' and '.join(m.names)}, give {own}.",
        "|p_{t+k} − p_t|",
        f"{number(distance)} for t = {t}, k = {k}",
        distance, math.sqrt(float(np.sum(difference**2))), "by the squares",
    )  # fmt: skip
