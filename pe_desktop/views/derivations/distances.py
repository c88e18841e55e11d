"""What two positions say of each other: dot product, distance, length, constant diagonals."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from pe_desktop.core.derivations import norm_range
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.rotation import DiagonalSpread, diagonal_spreads
from pe_desktop.draw.formula_text import factor, number, place, times
from pe_desktop.draw.number_text import position, short, whole
from pe_desktop.model.findings import Question, Task
from pe_desktop.views.derivations import pictures
from pe_desktop.views.derivations.step import ZERO_ROW, Chapter, Moment, Step


def _sum(m: Moment, term: Callable[[int], str]) -> str:
    """A sum over all pairs of which the first two and the last are written."""
    count = m.half
    texts = [term(i) for i in (*range(min(count, 2)), *([count - 1] if count > 2 else []))]
    return " + ".join(texts if count <= 3 else [*texts[:-1], "…", texts[-1]])


def _squared_sum(m: Moment, term: Callable[[int], str]) -> str:
    """a^2 (first + second + ... + last)."""
    text = _sum(m, term)
    return f"{short(m.square, 4)} ({text})" if m.a else text


def _cosine_sum(m: Moment) -> tuple[str, float]:
    """The sum of a^2 cos(k omega_i) as a text and a number; angles are exact, however large k is."""
    omegas = m.pairs.angular_frequencies.tolist()
    text = _squared_sum(m, lambda i: f"cos({place(m.k)} · {short(omegas[i])})")
    return text, m.square * math.fsum(m.pairs.offset_hands([m.k])[0, :, 1])


def _product(now: Sequence[float], later: Sequence[float]) -> tuple[str, float]:
    """The sum of products, column by column, as a text and a number."""
    pairs = [*zip(now, later, strict=True)]
    return " + ".join(f"{factor(a)} · {factor(b)}" for a, b in pairs), sum(a * b for a, b in pairs)


def _dot_steps(m: Moment) -> Iterator[Step]:
    """The dot product of two positions is a sum of cosines of their offset."""
    lead = "t is gone: the dot product is" if m.encoding.is_shift_invariant else "With t gone it would be"
    moved = _same_dot(m, f"{lead} the one of 0 and k.", "p_t · p_{t+k} = p_0 · p_k", m.first_rows, ("0", m.texts[1]))
    if m.turns:
        yield from _one_pair(m)
        text, total = _cosine_sum(m)
        yield _total(m, f"p_t · p_{{t+k}} = {m.a_squared}Σ_i cos(kω_i)", text, total)
        yield moved
        yield from _next_index(m, total)
        return
    yield from _one_hand(m) if m.encoding.pairs is None else _uneven_sum(m)
    yield moved


def _one_pair(m: Moment) -> Iterator[Step]:
    products, dot = _product(m.now, m.later)
    x, y = (math.remainder((m.start + at) * m.omega, math.tau) for at in (m.t, m.t + m.k))
    turned = m.square * m.turn[1]
    words = f"One pair is a point v on a circle: sine and cosine of one angle, here of pair {m.i}.{m.where}"
    formula = "v(p) · v(q) = sin(ωp) sin(ωq) + cos(ωp) cos(ωq)"
    numbers = f"{products} = {number(dot)}"
    yield Step(words, formula, numbers, dot, turned, "by the cosine of its turn", size=m.square)
    yield Step(
        "The cosine of a difference: p and q leave only q − p = k.",
        "sin x sin y + cos x cos y = cos(x − y)",
        f"x = {number(x)}, y = {number(y)}: cos(x − y) = {number(math.cos(x - y))}",
        math.sin(x) * math.sin(y) + math.cos(x) * math.cos(y), math.cos(x - y), "as cos(x − y)",
    )  # fmt: skip
    words = f"For pair {m.i} that is the cosine of its turn."
    formula = f"v(t) · v(t+k) = {m.a_squared}cos(k{m.w})"
    numbers = f"{m.a and short(m.square, 4) + ' · '}cos({place(m.k)} · {short(m.omega)}) = {number(turned)}"
    yield Step(words, formula, numbers, turned, dot, "in the table", size=m.square)


def _uneven_sum(m: Moment) -> Iterator[Step]:
    """The sum of cosines of turns that depend on t."""
    turned, (products, dot) = m.pairs.turns([m.t], m.k)[0].tolist(), _product(m.now, m.later)
    words = f"One pair, here pair {m.i}: the cosine of a difference leaves f(t + k) − f(t)."
    formula = f"v(t) · v(t+k) = cos((f(t+k) − f(t)){m.w})"
    numbers = f"{products} = {number(dot)}"
    yield Step(words, formula, numbers, dot, math.cos(turned[m.i]), "by the cosine of its turn")
    text, total = _squared_sum(m, lambda i: f"cos({place(turned[i])})"), math.fsum(map(math.cos, turned))
    yield _total(m, "p_t · p_{t+k} = Σ_i cos((f(t+k) − f(t))ω_i)", text, total)


def _total(m: Moment, formula: str, text: str, total: float) -> Step:
    t, _, u = m.texts
    return Step(
        f"The sum over all {whole(m.half)} pairs.", formula, f"{text} = {number(total)}",
        total, m.dot, f"of {t} and {u} in the table", size=m.squares,
    )  # fmt: skip


def _same_dot(m: Moment, words: str, formula: str, rows: Floats, places: tuple[str, str], by: str = "") -> Step:
    """The dot product of t and t + k, and that of two other places."""
    there, (t, _, u) = float(np.dot(*rows)), m.texts
    numbers = f"D_{{{t},{u}}} = {number(m.dot)}, D_{{{','.join(places)}}} = {number(there)}"
    by = by or f"of {' and '.join(places)} in the table"
    return Step(words, formula, numbers, m.dot, there, by, size=m.squares)


def _one_hand(m: Moment) -> Iterator[Step]:
    """What one hand gives to the dot product where there is no cosine of a difference."""
    here, there = (float(np.dot(*rows[:, m.columns])) for rows in (m.rows, m.first_rows))
    products, _ = _product(*m.rows[:, m.columns].tolist())
    words = f"What {m.give} to the dot product."
    formula = "Σ_c PE(t, c) PE(t+k, c)"
    numbers = f"{products} = {number(here)}"
    yield Step(words, formula, numbers, here, there, "at t = 0", fails=abs(here - there) > 1e-9 * max(1.0, abs(here)))


def _next_index(m: Moment, total: float) -> Iterator[Step]:
    """The sum with indices from 1, as "The Hidden Beauty" prints it."""
    exponent = m.pairs.exponent(m.half)
    if exponent is None:
        return
    beyond, last = m.scale * math.pow(m.base, -exponent[0] / exponent[1]), whole(m.half - 1)
    first, (start, *others) = float(m.pairs.angular_frequencies[0]), m.pairs.offset_hands([m.k])[0, :, 1].tolist()
    shifted = m.square * math.fsum((*others, math.cos(m.k * beyond)))
    unequal, a, count = "≠" if m.k else "=", m.a_squared, whole(m.half)
    yield Step(
        f"A slip: “The Hidden Beauty” counts its frequencies from 1 to {count}, one too far: {short(beyond)} stands "
        f"in place of {short(first)}. Its printed numbers count from 0 to {last}.",
        f"{a}Σ_{{n=1}}^{{{count}}} cos(kω_n) {unequal} {a}Σ_{{n=0}}^{{{last}}} cos(kω_n)",
        f"{number(shifted)} {unequal} {number(total)}",
        shifted, total + m.square * (math.cos(m.k * beyond) - start),
        "from the right sum with one term exchanged", size=m.squares,
    )  # fmt: skip


def _distance_steps(m: Moment) -> Iterator[Step]:
    """The distance of two positions from the turns of the hands alone."""
    own, other = (float(row @ row) for row in m.rows)
    square, (t, k, _) = own + other - 2 * m.dot, m.texts
    yield Step(
        "The square of a distance from dot products.",
        "|p_{t+k} − p_t|^2 = |p_t|^2 + |p_{t+k}|^2 − 2 p_t · p_{t+k}",
        f"{number(own)} + {number(other)} − 2 · {factor(m.dot)} = {number(square)}",
        square, float(np.sum(m.difference**2)), "from the differences squared", size=own,
    )  # fmt: skip
    if m.turns:
        yield from _half_angles(m)
    here, there = (float(np.linalg.norm(apart)) for apart in (m.difference, np.subtract(*m.first_rows)))
    words = f"The length of the difference is {'' if math.isclose(here, there, rel_tol=1e-9) else 'not '}the same at 0."
    formula = "|p_{t+k} − p_t| = |p_k − p_0|"
    numbers = f"{number(here)} at t = {t}, {number(there)} at t = 0"
    yield Step(words, formula, numbers, here, there, f"of 0 and {k} in the table", size=m.amplitude)
    if m.turns:
        yield _other_vector(m)


def _half_angles(m: Moment) -> Iterator[Step]:
    angle, a = m.k * m.omega, times(m.amplitude)
    chord = m.amplitude * 2 * abs(math.sin(math.remainder(angle, math.tau) / 2))
    halves = [math.sin(m.k * omega / 2) ** 2 for omega in m.pairs.angular_frequencies.tolist()]
    total = 2 * m.amplitude * math.sqrt(math.fsum(halves))
    words = "Each pair gives 2 − 2 cos(kω) to it, and the cosine of twice an angle makes a square of that."
    formula = "1 − cos x = 2 sin^2(x/2), x = kω_i"
    numbers = f"1 − cos({number(angle)}) = {number(1 - math.cos(angle))}"
    yield Step(words, formula, numbers, 1 - math.cos(angle), 2 * math.sin(angle / 2) ** 2, "as 2 sin²(x/2)")
    yield Step(
        f"So the tip of hand {m.i} moves by a chord.",
        f"|v(t+k) − v(t)| = 2 {m.a}|sin(k{m.w}/2)|", f"2 {a}|sin({number(angle / 2)})| = {number(chord)}",
        chord, math.dist(m.now, m.later), "between its two points of the table", size=m.amplitude,
    )  # fmt: skip
    yield Step(
        f"The sum over all {whole(m.half)} pairs, without t.",
        rf"|p_{{t+k}} − p_t| = 2 {m.a}\sqrt{{Σ_i sin^2(kω_i/2)}}",
        rf"2 {a}\sqrt{{{_sum(m, lambda i: number(halves[i]))}}} = {number(total)}",
        total, float(np.linalg.norm(m.difference)), "as the length of the difference in the table",
        size=m.amplitude,
    )  # fmt: skip


def _other_vector(m: Moment) -> Step:
    """The difference as a vector does depend on t: |(p_(t+k) - p_t) - (p_k - p_0)|."""
    first, at_k = m.first_rows
    size = float(np.linalg.norm(m.difference - (at_k - first)))
    omegas = m.pairs.angular_frequencies.tolist()
    products = math.fsum((math.sin(m.k * omega / 2) * math.sin(m.t * omega / 2)) ** 2 for omega in omegas)
    return Step(
        "Its direction is not the same: “Transformers Breakdown” (1.2) wants the difference of two vectors not to "
        "depend on t; that holds for its length alone.",
        r"|(p_{t+k} − p_t) − (p_k − p_0)| = 4 \sqrt{Σ_i sin^2(kω_i/2) sin^2(tω_i/2)}",
        number(size), size, 4 * m.amplitude * math.sqrt(products), "by the sines", size=m.amplitude,
    )  # fmt: skip


def _length_steps(m: Moment, found: tuple[float, float, int] | None) -> Iterator[Step]:
    """Why every position has the length sqrt(d/2)."""
    now = m.encoding.values([m.t])[0]
    square, length = float(now @ now), float(np.linalg.norm(now))
    yield from _pythagoras(m, square, length) if m.turns else _columns_squared(m, square, length)
    words, formula = "Measured over the table: the shortest and the longest row.", "min |p_t| = max |p_t|"
    if found is None:
        yield Step(words, formula, "measuring…")
        return
    shortest, longest, count = found
    sample = f" of {whole(count)} sampled t" if count < m.encoding.n_positions else f" of all {whole(count)}"
    ends = f"{number(shortest)}, {number(longest)}"
    yield Step(words, formula, ends, shortest, longest, f"for the longest{sample}", size=m.amplitude)


def _pythagoras(m: Moment, square: float, length: float) -> Iterator[Step]:
    (x, y), half, a = m.now, whole(m.half), m.amplitude
    words = f"Sine and cosine of one angle: Pythagoras, here for pair {m.i}."
    formula = "a^2 sin^2 + a^2 cos^2 = a^2" if m.a else "sin^2 + cos^2 = 1"
    numbers = f"{factor(x)}^2 + {factor(y)}^2 = {number(x * x)} + {number(y * y)} = {number(x * x + y * y)}"
    yield Step(words, formula, numbers, x * x + y * y, a * a, "as a²" if m.a else "written as 1", size=0.0)
    d_half = f"{short(m.square, 4)} · {half}" if m.a else half
    words = f"The sum over d/2 = {half} pairs."
    formula = f"|p_t|^2 = {m.a_squared}d/2"
    numbers = f"|p_{{{m.texts[0]}}}|^2 = {d_half} = {number(m.squares)}"
    yield Step(words, formula, numbers, m.squares, square, "from the squares in the table", size=0.0)
    words = "Its root: every position has this length."
    formula = rf"|p_t| = {m.a}\sqrt{{d/2}}"
    numbers = rf"{times(a)}\sqrt{{{half}}} = {number(a * math.sqrt(m.half))}"
    yield Step(words, formula, numbers, a * math.sqrt(m.half), length, "as the length of the row", size=0.0)


def _columns_squared(m: Moment, square: float, length: float) -> Iterator[Step]:
    now, first = (m.encoding.values([t], m.columns)[0] for t in (m.t, 0.0))
    here = float(now @ now)
    words = f"What {m.give} to the square."
    formula = "Σ_c PE(t, c)^2"
    numbers = f"{' + '.join(f'{factor(value)}^2' for value in now.tolist())} = {number(here)}"
    yield Step(words, formula, numbers, here, float(first @ first), "at t = 0")
    words = "The length of the row."
    formula = r"|p_t| = \sqrt{Σ_c PE(t, c)^2}"
    numbers = rf"|p_{{{m.texts[0]}}}| = \sqrt{{{number(square)}}} = {number(length)}"
    yield Step(words, formula, numbers, math.sqrt(square), length, "by the norm")


def _toeplitz_steps(m: Moment, found: DiagonalSpread | None) -> Iterator[Step]:
    """Why every diagonal of the dot products holds one number."""
    (i, _, j), last = m.texts, m.encoding.n_positions - 1
    first, end = sorted((m.t, m.t + m.k))
    # Where one step down leaves the matrix it is one up, and there is no step out of a matrix of one row.
    step, way = (-1.0, "up") if end + 1 > last and first >= 1 else (1.0, "down")
    words = "The definition of a Toeplitz matrix: one step down and one to the right is the same number."
    places = position(m.t + step), position(m.t + m.k + step)
    yield _same_dot(m, words, "D_{i,j} = D_{i+1,j+1}", m.rows_after(step), places, f"one {way} the diagonal")
    n = float(max(math.floor(first), 0))
    words = f"So for any number of steps n, here {position(n)} back."
    places = position(m.t - n), position(m.t + m.k - n)
    yield _same_dot(m, words, "D_{i,j} = D_{i−n,j−n}", m.rows_after(-n), places)
    if m.turns:
        text, total = _cosine_sum(m)
        yield Step(
            "Why: the dot product is a sum of cosines of j − i (page Dot product).",
            f"D_{{i,j}} = {m.a_squared}Σ_n cos((j − i)ω_n)", f"{text} = {number(total)}",
            total, m.dot, "in the table", size=m.squares,
        )  # fmt: skip
    yield _diagonal(m, found)
    count, cells = whole(m.encoding.n_positions), whole(m.encoding.n_positions**2)
    mirrored = float(np.dot(*m.rows[::-1]))
    yield Step(
        f"It is symmetric, so its first row is the whole matrix: {count} numbers for {cells}."
        if m.encoding.is_shift_invariant
        else f"It is symmetric, but no row tells the others: it takes {cells} numbers, or their half.",
        "D_{i,j} = D_{j,i}", f"D_{{{j},{i}}} = {number(mirrored)}", mirrored, m.dot, "across the diagonal", size=0.0,
    )  # fmt: skip


def _diagonal(m: Moment, found: DiagonalSpread | None) -> Step:
    k, formula = m.texts[1], "min_t D_{t,t+k} = max_t D_{t,t+k}"
    if not m.encoding.shift_range(m.k):
        words = f"The diagonal of k = {k} lies outside the table: there is no t with t + k in it."
        return Step(words, formula, by="nothing measured")
    words = f"Measured along the whole diagonal of k = {k}."
    if found is None:
        return Step(words, formula, "measuring…")
    by = f"as the largest of {whole(found.n_measured)} {'sampled ' if found.is_sample else ''}t"
    ends = f"{number(found.lowest)}, {number(found.highest)}"
    return Step(words, formula, ends, found.lowest, found.highest, by, size=m.squares)


def _dot_spread(encoding: Encoding, offset: float, task: Task) -> DiagonalSpread:
    return diagonal_spreads(encoding, offset, is_cancelled=task)["dot"]


CHAPTERS: Final = {
    "dot": Chapter(
        "Dot product",
        "a sum of cosines of k",
        "A dot product is a sum of cosines of the offset, {k}",
        _dot_steps,
        pictures.products,
        "at the cosine of a difference",
        uneven="Holds up to cos(ω(f(t + k) − f(t))) and fails at the last step: that difference depends on t.",
        padded=f"{ZERO_ROW}, and so is each of its dot products.",
    ),
    "distance": Chapter(
        "Distance",
        "from half the turns",
        "A distance at offset {k} comes from half the turns",
        _distance_steps,
        pictures.chord,
        "at 2 sin²(x/2)",
        padded=f"{ZERO_ROW}, and lies √(d/2) from every other row.",
    ),
    "length": Chapter(
        "Length",
        "√(d/2) for every row",
        "Every position has the length √(d/2)",
        _length_steps,
        pictures.shadows,
        "at Pythagoras",
        uneven="",
        padded=f"{ZERO_ROW}.",
        questions=lambda m: (Question("norms", norm_range, (m.encoding,), rank=1, takes="nothing"),),
    ),
    "toeplitz": Chapter(
        "Toeplitz",
        "one number a diagonal",
        "Every diagonal of dot products holds one number",
        _toeplitz_steps,
        pictures.diagonals,
        "at the definition",
        padded="Fails in row and column {row} alone: they are zero.",
        questions=lambda m: (Question("diagonal", _dot_spread, (m.encoding, m.k), rank=1),),
    ),
}
