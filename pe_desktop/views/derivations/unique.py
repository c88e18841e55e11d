"""No two positions have the same vector: the proof of "Transformers Breakdown", its gap, and two ways to close it."""

import math

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.derivations import NearestOffset, frequency_exponent, nearest_offset
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.number_text import in_formula
from pe_desktop.draw.number_text import plain, position, short, whole
from pe_desktop.model.findings import Question, Task
from pe_desktop.views.derivations.step import Moment, Step, both_rows, chosen_columns, exact, number

# Why t and t + k can't be whole turns apart for hand 0, where the table has f(t) in place of t.
_MAPS = {
    "square": "f(t + k) − f(t) is whole where t and k are, and π is irrational",
    "root": "f(t + k) − f(t) is a difference of roots, so algebraic, and π is transcendental",
    "log": "f(t + k) − f(t) is the logarithm of a fraction, and e^(2πm) is transcendental",
    "reciprocal": "f(t + k) − f(t) is a fraction, and π is irrational",
}

# Of a base that float64 holds.
_LARGEST_LOGARITHM = 700.0


def nearest_question(encoding: Encoding) -> Question:
    """The offset at which positions are nearest."""
    return Question("nearest offset", _nearest, (encoding,), rank=1)


def _nearest(encoding: Encoding, task: Task) -> NearestOffset | None:
    return nearest_offset(encoding, task)


def unique_steps(encoding: Encoding, cursor: Cursor, known: tuple[NearestOffset | None, ...]) -> tuple[Step, ...]:
    """From two equal vectors to a contradiction."""
    pairs = encoding.pairs
    if pairs is None:
        return (_apart(encoding, cursor),)
    m = Moment(encoding, cursor, pairs)
    if not pairs.turns_evenly:
        return (_same_hand(m), _whole_turns(m), _mapped(m), _apart(encoding, cursor))
    return (
        _same_hand(m),
        _whole_turns(m),
        *_gap(m),
        *_by_hand_zero(m),
        *_algebraic(m),
        *_nearest_step(encoding, *known),
    )


def _turned(m: Moment, pair: int) -> float:
    """How far a hand turns from t to t + k, radians."""
    return float(m.pairs.turns([m.t], m.k, [pair])[0, 0])


def _left(m: Moment, pair: int) -> tuple[float, float]:
    """How far a hand is from its place at t once it has turned by k, from its frequency, and from its chord."""
    now, later = m.pairs.hands([m.t, m.t + m.k], [pair])[:, 0]
    chord = float(np.linalg.norm(later - now)) / (2 * float(m.pairs.lengths[pair]))
    return abs(math.remainder(_turned(m, pair), math.tau)), 2 * math.asin(min(chord, 1.0))


def _same_hand(m: Moment) -> Step:
    (x, y), (later_x, later_y) = m.now, m.later
    t, u = position(m.t), position(m.t + m.k)
    chord = 2 * m.amplitude * abs(math.sin(math.remainder(_turned(m, m.i), math.tau) / 2))
    return Step(
        "Suppose two positions t and u = t + k have one vector (eq. 5, 6). Then every hand is where it was: here "
        f"pair {m.i}, whose two points are this far apart.",
        "PE(t) = PE(u), so sin(ω_it) = sin(ω_iu), cos(ω_it) = cos(ω_iu) for every i",
        f"({number(x)}, {number(y)}) at {t}, ({number(later_x)}, {number(later_y)}) at {u}: "
        f"{number(math.dist(m.now, m.later))}",
        math.dist(m.now, m.later), chord, "by the chord of its turn",
    )  # fmt: skip


def _whole_turns(m: Moment) -> Step:
    turned = _turned(m, m.i)
    left, measured = _left(m, m.i)
    even = m.pairs.turns_evenly
    angle = "ω_i(u − t)" if even else "ω_i(f(u) − f(t))"
    return Step(
        "So it has made whole turns, m of them (eq. 7, 8). How much is missing now:",
        f"{angle} = 2πm, m whole",
        f"{short(turned, 5)} rad = {number(turned / math.tau)} · 2π; {number(left)} rad from the nearest whole m = "
        f"{whole(round(turned / math.tau))}",
        left, measured, "from the two points of the table",
    )  # fmt: skip


def _returning(m: Moment, n: int) -> tuple[int, tuple[int, float], float] | None:
    """A pair, its exponent and a base with which it is back after n positions; None where no float64 is such a base.

    The chosen pair, or the one in the middle of all exponents: hand 0 has the frequency 1 with any base, and pairs next
    to it in a wide table want a base beyond all numbers.
    """
    ratio = float(m.encoding.parameters.get("scale", 1.0)) * n / math.tau
    for pair in (m.i, max(m.half // 4, 1)):
        exponent = frequency_exponent(m.pairs, pair) if 0 < pair < m.half else None
        if exponent is None or exponent[0] <= 0 or exponent[1] <= 0 or ratio <= 1:
            continue
        power = exponent[1] / exponent[0]
        if power * math.log(ratio) < _LARGEST_LOGARITHM:
            return pair, exponent, math.pow(ratio, power)
    return None


def _gap(m: Moment) -> list[Step]:
    """A base with which the argument of the text fails for one hand, though 2 pi stays irrational."""
    n = max(round(abs(m.k)), 7)
    found = _returning(m, n)
    if found is None:
        return []
    pair, exponent, base = found
    x, scale = exponent[0] / exponent[1], float(m.encoding.parameters.get("scale", 1.0))
    e = f"{plain(exponent[0])}/{plain(exponent[1])}"
    return [
        Step(
            "The gap: the text says that 2πm times a power of the base can't be whole because 2π is irrational. But "
            f"an irrational number times a real one may be whole: with this base B, hand {pair} is back after "
            f"{whole(n)} positions.",
            f"2π B^x = {whole(n)}, x = {e}, B = ({whole(n)}/2π)^{{1/x}}",
            f"B = {short(base, 6)}: 2π B^{{{number(x)}}} = {number(math.tau * math.pow(base, x) / scale)}",
            math.tau * math.pow(base, x) / scale, float(n), "whole",
        )
    ]  # fmt: skip


def _by_hand_zero(m: Moment) -> list[Step]:
    omega = float(m.pairs.angular_frequencies[0])
    turned = _turned(m, 0)
    left, measured = _left(m, 0)
    nearest = round(turned / math.tau)
    k = position(m.k)
    rate = "1" if omega == 1 else f"{short(omega)}, rational"
    end = (
        f"k = {k} = 2π · {number(turned / math.tau / omega)}; with m = {whole(nearest)} it misses by {number(left)} rad"
        if m.k
        else "k = 0 is m = 0: one position, not two"
    )
    difference = "u − t" if omega == 1 else "ω_0(u − t)"
    return [
        Step(
            f"Closed with hand 0 alone: its frequency is {rate}. For whole m other than 0, π would be a fraction; π "
            "is irrational. So m = 0: u = t.",
            rf"2πm = {difference}, π = \frac{{{difference}}}{{2m}} or m = 0",
            end,
            left, measured, "by hand 0 in the table",
        )
    ]  # fmt: skip


def _algebraic(m: Moment) -> list[Step]:
    """B^x is a root of a rational number: (B^x)^q = B^p for x = p/q in lowest terms."""
    exponent = frequency_exponent(m.pairs, m.i)
    if exponent is None or not float(exponent[1]).is_integer():
        return []
    base, common = float(m.encoding.parameters["base"]), math.gcd(exponent[0], int(exponent[1]))
    p, q = exponent[0] // common, int(exponent[1]) // common
    root = math.pow(base, p / q)
    if p * math.log10(base) > 300:
        return []
    power, e = math.pow(base, p), f"{p}/{q}"
    shown = in_formula(base)
    return [
        Step(
            f"Or with any one hand, here {m.i}: a power of the base is a root of a rational number, so algebraic. π "
            "is transcendental, and this would make it algebraic. So each single hand is enough.",
            rf"π = \frac{{u − t}}{{2m B^x}}; (B^x)^q = B^p, x = p/q = {e}",
            f"{exact(root)}^{{{q}}} = {shown}^{{{p}}} = {exact(power)}",
            math.pow(root, q) / power, 1.0, "if they are equal",
        )
    ]  # fmt: skip


def _nearest_step(encoding: Encoding, *known: NearestOffset | None) -> list[Step]:
    """None where there is one position alone, of which nothing is asked."""
    if not known:
        return []
    (found,) = known
    words = "Unequal is not far apart: how near two positions come, measured."
    formula = r"min_k |p_{t+k} − p_t|"
    if found is None:
        return [Step(words, formula, "measuring…")]
    first, other = encoding.values([0, found.offset])
    in_all = "" if found.n_offsets == encoding.n_positions - 1 else f" of k up to {whole(found.n_offsets)}"
    return [
        Step(
            words, formula, f"{number(found.distance)} at k = {whole(found.offset)}{in_all}",
            found.distance, float(np.linalg.norm(other - first)), f"between 0 and {whole(found.offset)} in the table",
        )
    ]  # fmt: skip


def _mapped(m: Moment) -> Step:
    turned = _turned(m, 0) / float(m.pairs.angular_frequencies[0])
    left, measured = _left(m, 0)
    return Step(
        "Hand 0 has the frequency 1, so f(u) − f(t) = 2πm. That is possible for m = 0 alone: "
        f"{_MAPS[str(m.encoding.parameters['map'])]}.",
        "2πm = f(u) − f(t)",
        f"f(u) − f(t) = {short(turned, 6)} = 2π · {number(turned / math.tau)}",
        left, measured, "by hand 0 in the table",
    )  # fmt: skip


def _apart(encoding: Encoding, cursor: Cursor) -> Step:
    now, later = both_rows(encoding, cursor)
    difference = later - now
    largest = int(np.argmax(np.abs(difference)))
    columns = chosen_columns(encoding, cursor)
    own = float(np.linalg.norm(difference[list(columns)]))
    return Step(
        f"What is left is to measure: how far these two rows are apart. Dimension {whole(largest)} differs most; the "
        f"chosen ones, {' and '.join(map(whole, columns))}, give {number(own)}.",
        "|p_{t+k} − p_t|",
        f"{number(float(np.linalg.norm(difference)))} for t = {position(cursor.position)}, k = "
        f"{position(cursor.offset)}",
        float(np.linalg.norm(difference)), math.sqrt(float(np.sum(difference**2))), "by the squares",
    )  # fmt: skip
