"""What two positions say of each other: dot product, distance, length, constant diagonals, and that none are equal."""

import math
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.measuring.collisions import close_offsets
from pe_desktop.core.measuring.tables import Nearness
from pe_desktop.core.number_text import in_formula
from pe_desktop.core.rotation import ShiftReport
from pe_desktop.draw.formula_text import exact, factor, number, place, times
from pe_desktop.draw.number_text import plain, position, short, whole
from pe_desktop.model.findings import Question, Questions
from pe_desktop.views.derivations import pictures
from pe_desktop.views.derivations.step import IN_TABLE, Moment, Step, chapter, products
from pe_desktop.views.questions import shift_question


def _sum(m: Moment, term: Callable[[int], str]) -> str:
    """A sum over all pairs of which the first two and the last are written."""
    count = m.half
    texts = [term(i) for i in (*range(min(count, 2)), *([count - 1] if count > 2 else []))]
    return " + ".join(texts if count <= 3 else [*texts[:-1], "…", texts[-1]])


def _cosine_sum(m: Moment) -> tuple[str, float]:
    """The sum of a^2 cos(k omega_i); angles are exact, however large k is."""
    omegas = m.pairs.angular_frequencies.tolist()
    text = _sum(m, lambda i: f"cos({place(m.k)} · {short(omegas[i])})")
    total = m.square * math.fsum(m.pairs.offset_hands([m.k])[0, :, 1])
    return f"{short(m.square, 4)} ({text}) =" if m.a else f"{text} =", total


def _same_dot(m: Moment, words: str, formula: str, start: float, by: str = "") -> Step:
    """The dot product of t and t + k, and that of another position and k more."""
    there, (t, _, u), i, j = float(np.dot(*m.rows_at(start))), m.texts, position(start), position(start + m.k)
    by = by or f"of {i} and {j} {m.told(start, start + m.k)}"
    numbers = f"D_{{{t},{u}}} = {number(m.dot)}, D_{{{i},{j}}} = {number(there)}"
    return Step(words, formula, numbers, m.dot, there, by, size=m.squares)


def _moved(m: Moment) -> Step:
    lead = "t is gone: the dot product is" if m.encoding.is_shift_invariant else "With t gone it would be"
    return _same_dot(m, f"{lead} the one of 0 and k.", "p_t · p_{t+k} = p_0 · p_k", 0.0)


def _dot_steps(m: Moment) -> Iterator[Step]:
    """The dot product of two positions is a sum of cosines of their offset."""
    text, dot = products(*zip(m.now, m.later, strict=True))
    x, y = m.pairs.angles([m.t, m.t + m.k], [m.i])[:, 0].tolist()
    turned = m.square * m.turn[1]
    difference = math.cos(x - y)
    words = f"One pair is a point v on a circle: sine and cosine of one angle, here of pair {m.i}.{m.where}"
    formula = "v(t) · v(s) = sin(ωt) sin(ωs) + cos(ωt) cos(ωs)"
    yield Step(words, formula, text, dot, turned, "by the cosine of its turn", size=m.square)
    words = "The cosine of a difference: t and s = t + k leave only s − t = k."
    numbers = f"x = {number(x)}, y = {number(y)}: cos(x − y) = {number(difference)}"
    added = math.sin(x) * math.sin(y) + math.cos(x) * math.cos(y)
    yield Step(words, "sin x sin y + cos x cos y = cos(x − y)", numbers, added, difference, "as cos(x − y)")
    words = f"For pair {m.i} that is the cosine of its turn."
    numbers = f"{m.a and short(m.square, 4) + ' · '}cos({place(m.k)} · {short(m.omega)}) ="
    yield Step(words, f"v(t) · v(t+k) = {m.a_squared}cos(k{m.w})", numbers, turned, dot, "in the table", size=m.square)
    yield _total(m, f"p_t · p_{{t+k}} = {m.a_squared}Σ_i cos(kω_i)", *_cosine_sum(m))
    yield _moved(m)
    yield from _next_index(m)


def _unlike_dots(m: Moment) -> Iterator[Step]:
    """The sum of cosines of turns that depend on t; without them what one hand gives to the dot product."""
    if m.encoding.pairs is not None:
        turned = m.pairs.turns([m.t], m.k)[0].tolist()
        words = f"One pair, here pair {m.i}: the cosine of a difference leaves f(t + k) − f(t)."
        formula, cosine = f"v(t) · v(t+k) = cos((f(t+k) − f(t)){m.w})", math.cos(turned[m.i])
        yield Step(words, formula, *products(*zip(m.now, m.later, strict=True)), cosine, "by the cosine of its turn")
        formula = "p_t · p_{t+k} = Σ_i cos((f(t+k) − f(t))ω_i)"
        text = _sum(m, lambda i: f"cos({place(turned[i])})")
        yield _total(m, formula, f"{text} =", math.fsum(map(math.cos, turned)))
    else:
        here, there = (float(np.dot(*rows[:, m.columns])) for rows in (m.rows, m.rows_at(0.0)))
        fails = abs(here - there) > 1e-9 * max(1.0, abs(here))
        text, _ = products(*m.rows[:, m.columns].T.tolist())
        words = f"The part of {m.dimensions} in the dot product."
        yield Step(words, "Σ_c PE(t, c) PE(t+k, c)", text, here, there, "at t = 0", fails=fails)
    yield _moved(m)


def _total(m: Moment, formula: str, text: str, total: float) -> Step:
    t, _, u = m.texts
    words = f"The sum over all {whole(m.half)} pairs."
    return Step(words, formula, text, total, m.dot, f"of {t} and {u} {m.told(m.t, m.t + m.k)}", size=m.squares)


def _next_index(m: Moment) -> Iterator[Step]:
    """The sum with indices from 1, as "The Hidden Beauty" prints it."""
    exponent = m.pairs.exponent(m.half)
    if exponent is None:
        return
    beyond = m.scale * math.pow(m.base, -exponent[0] / exponent[1])
    last = whole(m.half - 1)
    first, (start, *others) = float(m.pairs.angular_frequencies[0]), m.pairs.offset_hands([m.k])[0, :, 1].tolist()
    total, shifted = (m.square * math.fsum((*others, one)) for one in (start, math.cos(m.k * beyond)))
    unequal, a, count = "≠" if m.k else "=", m.a_squared, whole(m.half)
    words = (
        f"A slip: “The Hidden Beauty” counts its frequencies from 1 to {count}, one too far: {short(beyond)} stands "
        f"in place of {short(first)}. Its printed numbers count from 0 to {last}."
    )
    formula = f"{a}Σ_{{n=1}}^{{{count}}} cos(kω_n) {unequal} {a}Σ_{{n=0}}^{{{last}}} cos(kω_n)"
    exchanged = total + m.square * (math.cos(m.k * beyond) - start)
    numbers = f"{number(shifted)} {unequal} {number(total)}"
    by = "from the right sum with one term exchanged"
    yield Step(words, formula, numbers, shifted, exchanged, by, size=m.squares)


def _distance_steps(m: Moment) -> Iterator[Step]:
    """The distance of two positions from the turns of the hands alone."""
    own, other = (float(row @ row) for row in m.rows)
    square = own + other - 2 * m.dot
    numbers = f"{number(own)} + {number(other)} − 2 · {factor(m.dot)} ="
    words = "The square of a distance from dot products."
    formula = "|p_{t+k} − p_t|^2 = |p_t|^2 + |p_{t+k}|^2 − 2 p_t · p_{t+k}"
    yield Step(words, formula, numbers, square, math.fsum(m.difference**2), "from the differences squared", size=own)
    if m.turns:
        yield from _half_angles(m)
    here = m.distance
    there = float(np.linalg.norm(np.subtract(*m.rows_at(0.0))))
    words = f"The length of the difference is {'' if math.isclose(here, there, rel_tol=1e-9) else 'not '}the same at 0."
    numbers = f"{number(here)} at t = {m.texts[0]}, {number(there)} at t = 0"
    by = f"of 0 and {m.texts[1]} in the table"
    yield Step(words, "|p_{t+k} − p_t| = |p_k − p_0|", numbers, here, there, by, size=m.amplitude)
    if m.turns:
        yield _other_vector(m)


def _squared_halves(m: Moment, offset: float) -> Floats:
    """sin²(kω_i/2) of all pairs, shape (n_pairs,); angles are exact, however large the offset is."""
    return np.asarray(np.sin(m.pairs.offset_angles([offset])[0] / 2) ** 2)


def _half_angles(m: Moment) -> Iterator[Step]:
    angle, rest, a, size = m.k * m.omega, m.rest(m.i), times(m.amplitude), m.amplitude
    halves = _squared_halves(m, m.k).tolist()
    chord = 2 * size * abs(math.sin(rest / 2))
    words = "Each pair gives 2 − 2 cos(kω) to it, and the cosine of twice an angle makes a square of that."
    formula, numbers = "1 − cos x = 2 sin^2(x/2), x = kω_i", f"1 − cos({number(angle)}) ="
    yield Step(words, formula, numbers, 1 - math.cos(rest), 2 * math.sin(rest / 2) ** 2, "as 2 sin²(x/2)")
    words = f"So the tip of hand {m.i} moves by a chord."
    formula = f"|v(t+k) − v(t)| = 2 {m.a}|sin(k{m.w}/2)|"
    by = "between its two points of the table"
    yield Step(words, formula, f"2 {a}|sin({number(angle / 2)})| =", chord, math.dist(m.now, m.later), by, size=size)
    words = f"The sum over all {whole(m.half)} pairs, without t."
    formula = rf"|p_{{t+k}} − p_t| = 2 {m.a}\sqrt{{Σ_i sin^2(kω_i/2)}}"
    numbers = rf"2 {a}\sqrt{{{_sum(m, lambda i: number(halves[i]))}}} ="
    total = 2 * size * math.sqrt(math.fsum(halves))
    yield Step(words, formula, numbers, total, m.distance, "as the length of the difference in the table", size=size)


def _other_vector(m: Moment) -> Step:
    """The difference as a vector does depend on t: |(p_(t+k) - p_t) - (p_k - p_0)|."""
    size = float(np.linalg.norm(m.difference + np.subtract(*m.rows_at(0.0))))
    products = math.fsum(_squared_halves(m, m.k) * _squared_halves(m, m.t))
    words = "Its direction is not the same: “Transformers Breakdown” (1.2) wants the difference of two vectors not to "
    words += "depend on t; that holds for its length alone."
    formula = r"|(p_{t+k} − p_t) − (p_k − p_0)| = 4 \sqrt{Σ_i sin^2(kω_i/2) sin^2(tω_i/2)}"
    other = 4 * m.amplitude * math.sqrt(products)
    return Step(words, formula, number(size), size, other, "by the sines", size=m.amplitude)


def _length_steps(m: Moment, report: ShiftReport | None) -> Iterator[Step]:
    """Why every position has the length sqrt(d/2)."""
    square, length = float(m.rows[0] @ m.rows[0]), float(np.linalg.norm(m.rows[0]))
    yield from _pythagoras(m, square, length) if m.turns else _columns_squared(m, square, length)
    words = "Measured over the table: the shortest and the longest row."
    formula = "min |p_t| = max |p_t|"
    yield _ends(words, formula, report, m.amplitude, math.sqrt)


def _ends(words: str, formula: str, report: ShiftReport | None, size: float, of: Callable[..., float] = float) -> Step:
    """The least and the largest dot product of a diagonal, or a function of them."""
    if report is None:
        return Step(words, formula, "measuring…")
    found = report.spreads["dot"]
    least, largest = of(found.lowest), of(found.highest)
    by = f"as the largest of {whole(found.n_measured)} {'sampled ' if found.is_sample else ''}t"
    return Step(words, formula, f"{number(least)}, {number(largest)}", least, largest, by, size=size)


def _pythagoras(m: Moment, square: float, length: float) -> Iterator[Step]:
    (x, y), half, a = m.now, whole(m.half), m.amplitude
    words = f"Sine and cosine of one angle: Pythagoras, here for pair {m.i}."
    formula, by = ("a^2 sin^2 + a^2 cos^2 = a^2", "as a²") if m.a else ("sin^2 + cos^2 = 1", "written as 1")
    numbers = f"{factor(x)}^2 + {factor(y)}^2 = {number(x * x)} + {number(y * y)} ="
    yield Step(words, formula, numbers, x * x + y * y, a * a, by, size=0.0)
    words, formula = f"The sum over d/2 = {half} pairs.", f"|p_t|^2 = {m.a_squared}d/2"
    numbers = f"|p_{{{m.texts[0]}}}|^2 = {f'{short(m.square, 4)} · {half}' if m.a else half} ="
    yield Step(words, formula, numbers, m.squares, square, "from the squares in the table", size=0.0)
    words = "Its root: every position has this length."
    formula = rf"|p_t| = {m.a}\sqrt{{d/2}}"
    numbers = rf"{times(a)}\sqrt{{{half}}} ="
    yield Step(words, formula, numbers, a * math.sqrt(m.half), length, "as the length of the row", size=0.0)


def _columns_squared(m: Moment, square: float, length: float) -> Iterator[Step]:
    now, first = (m.rows_at(place)[0, m.columns] for place in (m.t, 0.0))
    words, formula = f"The part of {m.dimensions} in the square.", "Σ_c PE(t, c)^2"
    numbers = f"{' + '.join(f'{factor(value)}^2' for value in now.tolist())} ="
    yield Step(words, formula, numbers, float(now @ now), float(first @ first), "at t = 0")
    words, formula = "The length of the row.", r"|p_t| = \sqrt{Σ_c PE(t, c)^2}"
    numbers = rf"|p_{{{m.texts[0]}}}| = \sqrt{{{number(square)}}} ="
    yield Step(words, formula, numbers, math.sqrt(square), length, "by the norm")


def _toeplitz_steps(m: Moment, report: ShiftReport | None) -> Iterator[Step]:
    """Why every diagonal of the dot products holds one number."""
    last, (first, end), (i, _, j) = m.encoding.n_positions - 1, sorted((m.t, m.t + m.k)), m.texts
    # Where one step down leaves the matrix it is one up, and there is no step out of a matrix of one row.
    step, way = (-1.0, "up") if end + 1 > last and first >= 1 else (1.0, "down")
    back, told = math.floor(first), m.told(m.t, m.t + m.k)
    words = "The definition of a Toeplitz matrix: one step down and one to the right is the same number."
    words += "" if told == IN_TABLE else f" {i} and {j} aren't both rows of the table: these numbers are {told}."
    yield _same_dot(m, words, "D_{i,j} = D_{i+1,j+1}", m.t + step, f"one {way} the diagonal")
    words = f"So for any number of steps n, here {whole(abs(back))} {'on' if back < 0 else 'back'}."
    yield _same_dot(m, words, "D_{i,j} = D_{i−n,j−n}", m.t - back)
    if m.turns:
        words = "Why: the dot product is a sum of cosines of j − i (page Dot product)."
        formula = f"D_{{i,j}} = {m.a_squared}Σ_n cos((j − i)ω_n)"
        yield Step(words, formula, *_cosine_sum(m), m.dot, told, size=m.squares)
    yield _diagonal(m, report)
    count, cells = whole(m.encoding.n_positions), whole(m.encoding.n_positions**2)
    words = f"It is symmetric, but no row tells the others: it takes {cells} numbers, or their half."
    if m.encoding.is_shift_invariant:
        words = f"It is symmetric, so its first row is the whole matrix: {count} numbers for {cells}."
    numbers = f"D_{{{j},{i}}} ="
    mirrored = float(np.dot(*m.rows[::-1]))
    yield Step(words, "D_{i,j} = D_{j,i}", numbers, mirrored, m.dot, "across the diagonal", size=0.0)


def _diagonal(m: Moment, report: ShiftReport | None) -> Step:
    k, formula = m.texts[1], "min_t D_{t,t+k} = max_t D_{t,t+k}"
    if not m.encoding.shift_range(m.k):
        words = f"The diagonal of k = {k} lies outside the table: there is no t with t + k in it."
        return Step(words, formula, by="nothing measured")
    return _ends(f"Measured along the whole diagonal of k = {k}.", formula, report, m.squares)


# Why t and t + k can't be whole turns apart for hand 0, where the table has f(t) in place of t.
_MAPS = {
    "square": "f(t + k) − f(t) is whole where t and k are, and π is irrational",
    "root": "f(t + k) − f(t) is a difference of roots, so algebraic, and π is transcendental",
    "log": "f(t + k) − f(t) is the logarithm of a fraction, and e^(2πm) is transcendental",
    "reciprocal": "f(t + k) − f(t) is a fraction, and π is irrational",
}


def _unique_steps(m: Moment, *answered: Nearness | None) -> Iterator[Step]:
    """From two equal vectors to a contradiction; answered: the answer to `nearest_questions`, where it asks."""
    yield from _same_hand(m)
    yield from _gap(m)
    yield _by_hand_zero(m)
    yield from _algebraic(m)
    for found in answered:
        yield _nearest_step(m, found)


def _unlike_rows(m: Moment) -> Iterator[Step]:
    """Why f(t) is no whole turns away for hand 0; how far apart both rows are."""
    if m.encoding.pairs is not None and m.pairs.keeps_length:
        yield from _same_hand(m)
        turned = m.turned(0) / float(m.pairs.angular_frequencies[0])
        words = "Hand 0 has the frequency 1, so f(u) − f(t) = 2πm. That is possible for m = 0 alone: "
        words += f"{_MAPS[str(m.encoding.parameters['map'])]}."
        numbers = f"f(u) − f(t) = {short(turned, 6)} = 2π · {number(turned / math.tau)}"
        yield Step(words, "2πm = f(u) − f(t)", numbers, *_left(m, 0), "by hand 0 in the table")
    own = number(float(np.linalg.norm(m.difference[[*m.columns]])))
    words = f"What is left is to measure: how far these two rows are apart. Dimension {np.abs(m.difference).argmax()} "
    words += f"differs most; the chosen ones, {' and '.join(m.names)}, give {own}."
    numbers = f"{number(m.distance)} for t = {m.texts[0]}, k = {m.texts[1]}"
    root = math.sqrt(np.sum(m.difference**2))
    yield Step(words, "|p_{t+k} − p_t|", numbers, m.distance, root, "by the squares", size=0.0)


def _left(m: Moment, pair: int) -> tuple[float, float]:
    """How far a hand is from its place at t once it has turned by k, from its frequency, and from its chord."""
    now, later = m.pairs.hands([m.t, m.t + m.k], [pair])[:, 0]
    chord = float(np.linalg.norm(later - now)) / (2 * float(m.pairs.lengths[pair]))
    return abs(m.rest(pair)), 2 * math.asin(min(chord, 1.0))


def _same_hand(m: Moment) -> Iterator[Step]:
    (x, y), (later_x, later_y), (t, _, u) = map(number, m.now), map(number, m.later), m.texts
    turned, (left, measured) = m.turned(m.i), _left(m, m.i)
    words = "As in “Transformers Breakdown”: suppose two positions t and u = t + k have one vector (eq. 5, 6). Then "
    words += f"every hand is where it was: here pair {m.i}, whose two points are this far apart."
    formula = "PE(t) = PE(u), so sin(ω_it) = sin(ω_iu), cos(ω_it) = cos(ω_iu) for every i"
    apart = math.dist(m.now, m.later)
    numbers = f"({x}, {y}) at {t}, ({later_x}, {later_y}) at {u}: {number(apart)}"
    chord = 2 * m.amplitude * abs(math.sin(m.rest(m.i) / 2))
    yield Step(words, formula, numbers, apart, chord, "by the chord of its turn", size=m.amplitude)
    words = "So it has made whole turns, m of them (eq. 7, 8). How much is missing now:"
    formula = f"{'ω_i(u − t)' if m.turns else 'ω_i(f(u) − f(t))'} = 2πm, m whole"
    nearest = f"{number(left)} rad from the nearest whole m = {whole(round(turned / math.tau))}"
    numbers = f"{short(turned, 5)} rad = {number(turned / math.tau)} · 2π; {nearest}"
    yield Step(words, formula, numbers, left, measured, "from the two points of the table")


def _gap(m: Moment) -> Iterator[Step]:
    """A base with which the argument of the text fails for the hand in the middle, though 2 pi stays irrational."""
    n, pair = max(round(abs(m.k)), 7), max(m.half // 4, 1)
    ratio = m.scale * n / math.tau
    upper, lower = (m.pairs.exponent(pair) if pair < m.half else None) or (0, 0.0)
    if upper <= 0 or lower <= 0 or ratio <= 1:
        return
    base, x = math.pow(ratio, lower / upper), upper / lower
    words = (
        "The gap: “Transformers Breakdown” says that 2πm times a power of the base can't be whole because 2π is "
        "irrational. But an irrational number times a real one may be whole: with this base B, hand "
        f"{pair} is back after {whole(n)} positions."
    )
    formula = f"2π B^x = {whole(n)}, x = {plain(upper)}/{plain(lower)}, B = ({whole(n)}/2π)^{{1/x}}"
    numbers = f"B = {short(base, 6)}: 2π B^{{{number(x)}}} ="
    yield Step(words, formula, numbers, math.tau * math.pow(base, x) / m.scale, float(n), "whole")


def _by_hand_zero(m: Moment) -> Step:
    omega, turned, k = float(m.pairs.angular_frequencies[0]), m.turned(0), m.texts[1]
    (left, measured), nearest = _left(m, 0), whole(round(turned / math.tau))
    rate, difference = ("1", "u − t") if omega == 1 else (f"{short(omega)}, rational", "ω_0(u − t)")
    words = f"Closed with hand 0 alone: its frequency is {rate}. For whole m other than 0, π would be a fraction; π "
    words += "is irrational. So m = 0: u = t."
    formula = rf"2πm = {difference}, π = \frac{{{difference}}}{{2m}} or m = 0"
    end = f"k = {k} = 2π · {number(turned / math.tau / omega)}; with m = {nearest} it misses by {number(left)} rad"
    numbers = end if m.k else "k = 0 is m = 0: one position, not two"
    return Step(words, formula, numbers, left, measured, "by hand 0 in the table")


def _algebraic(m: Moment) -> Iterator[Step]:
    """B^x is a root of a rational number: (B^x)^q = B^p for x = p/q in lowest terms."""
    exponent = m.pairs.exponent(m.i)
    if exponent is None or not float(exponent[1]).is_integer():
        return
    common = math.gcd(exponent[0], int(exponent[1]))
    p, q = exponent[0] // common, int(exponent[1]) // common
    if p * math.log10(m.base) > 300:
        return
    root, power = math.pow(m.base, p / q), math.pow(m.base, p)
    words = f"Or with any one hand, here {m.i}: a power of the base is a root of a rational number, so algebraic. π "
    words += "is transcendental, and this would make it algebraic. So each single hand is enough."
    formula = rf"π = \frac{{u − t}}{{2m B^x}}; (B^x)^q = B^p, x = p/q = {p}/{q}"
    numbers = f"{exact(root)}^{{{q}}} = {in_formula(m.base)}^{{{p}}} = {exact(power)}"
    yield Step(words, formula, numbers, math.pow(root, q) / power, 1.0, "if they are equal")


def _nearest_step(m: Moment, found: Nearness | None) -> Step:
    words = "Unequal is not far apart: how near two positions come, measured."
    formula = "min_k |p_{t+k} − p_t|"
    if found is None:
        return Step(words, formula, "measuring…")
    k, distance = found.nearest[0].offset, found.nearest[0].distance
    apart = float(np.linalg.norm(np.subtract(*m.encoding.values([0, k]))))
    numbers = f"{number(distance)} at k = {whole(k)}"
    by = f"between 0 and {whole(k)} in the table"
    return Step(words, formula, numbers, distance, apart, by, size=m.encoding.value_limit)


def _nearest_questions(m: Moment) -> Questions:
    """The offset at which positions are nearest, where it is one for all t."""
    has_nearest = m.encoding.is_shift_invariant and m.encoding.n_positions > 1
    question = Question("close offsets", close_offsets, (m.encoding,), rank=1, takes="report and task")
    return (question,) if has_nearest else ()


def _measured(m: Moment, offset: float) -> Questions:
    """The dot products along a diagonal."""
    return (shift_question(m.encoding, offset),)


CHAPTERS: Final = {
    "dot": chapter("dot", _dot_steps, pictures.products, unlike=_unlike_dots),
    "distance": chapter("distance", _distance_steps, pictures.chord),
    "length": chapter("length", _length_steps, pictures.shadows, questions=lambda m: _measured(m, 0.0)),
    "toeplitz": chapter("toeplitz", _toeplitz_steps, pictures.diagonals, questions=lambda m: _measured(m, m.k)),
    "unique": chapter("unique", _unique_steps, pictures.distances, unlike=_unlike_rows, questions=_nearest_questions),
}
