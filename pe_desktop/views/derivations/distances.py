"""What two positions say of each other: dot product, distance, length, constant diagonals."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.derivations import frequency_exponent, norm_range
from pe_desktop.core.encoding import Encoding, Pairs
from pe_desktop.core.fields.field import shift_count
from pe_desktop.core.similarity import DiagonalSpread, diagonal_spread
from pe_desktop.draw.number_text import position, short, whole
from pe_desktop.model.findings import Question, Task
from pe_desktop.views.derivations.step import (
    Moment,
    Step,
    both_rows,
    chosen_columns,
    factor,
    moment_of,
    number,
    place,
    terms,
    times,
)


def spread_question(encoding: Encoding, cursor: Cursor) -> Question:
    """How much the dot products at offset k differ over all t."""
    return Question("diagonal", _spread, (encoding, cursor.offset), rank=1)


def norm_question(encoding: Encoding) -> Question:
    """The smallest and the largest length of a row."""
    return Question("norms", _norms, (encoding,), rank=1)


def _spread(encoding: Encoding, offset: float, task: Task) -> DiagonalSpread | None:
    return diagonal_spread(encoding, "dot", offset, is_cancelled=task)


def _norms(encoding: Encoding, task: Task) -> tuple[float, float, int]:
    return norm_range(encoding)


def _cosines(pairs: Pairs, offset: float, pair: Sequence[int]) -> list[str]:
    """Terms of the sum of cosines, as text."""
    return [f"cos({place(offset)} · {short(float(pairs.angular_frequencies[i]))})" for i in pair]


def _ends(count: int) -> list[int]:
    """The pairs that are written out: the first two and the last."""
    return [*range(min(count, 2)), *([count - 1] if count > 2 else [])]


def _sum_of(m: Moment) -> float:
    """The sum of a^2 cos(k omega_i), each angle and each cosine in plain float64."""
    omegas = m.pairs.angular_frequencies.tolist()
    return m.square * math.fsum(math.cos(m.k * omega) for omega in omegas)


def _written_sum(m: Moment, terms_text: list[str]) -> str:
    """a^2 (first + second + ... + last)."""
    text = terms(terms_text) if m.half <= 3 else f"{terms_text[0]} + {terms_text[1]} + … + {terms_text[-1]}"
    return text if m.amplitude == 1 else f"{short(m.square, 4)} ({text})"


def dot_steps(encoding: Encoding, cursor: Cursor) -> tuple[Step, ...]:
    """The dot product of two positions is a sum of cosines of their offset."""
    m = moment_of(encoding, cursor)
    lead = "t is gone: the dot product is" if encoding.is_shift_invariant else "With t gone it would be"
    moved = _from_start(encoding, cursor, f"{lead} the one of 0 and k", "p_t · p_{t+k} = p_0 · p_k")
    if encoding.pairs is not None and m is None:
        return (*_uneven_sum(Moment(encoding, cursor, encoding.pairs)), moved)
    if m is None:
        return (_one_hand(encoding, cursor), moved)
    return (*_one_pair(m), _sum_step(m), moved, *_next_index(m))


def _one_pair(m: Moment) -> list[Step]:
    (x, y), (later_x, later_y), w = m.now, m.later, m.w
    angles = [math.remainder((m.start + at) * m.omega, math.tau) for at in (m.t, m.t + m.k)]
    left = math.sin(angles[0]) * math.sin(angles[1]) + math.cos(angles[0]) * math.cos(angles[1])
    a = "" if m.amplitude == 1 else f"{short(m.square, 4)} · "
    return [
        Step(
            f"One pair is a point v on a circle: sine and cosine of one angle, here of pair {m.i}.{m.where}",
            "v(p) · v(q) = sin(ωp) sin(ωq) + cos(ωp) cos(ωq)",
            f"{factor(x)} · {factor(later_x)} + {factor(y)} · {factor(later_y)} = {number(x * later_x + y * later_y)}",
            x * later_x + y * later_y, m.square * m.turn[1], "by the cosine of its turn",
        ),
        Step(
            "The cosine of a difference: p and q leave only q − p = k.",
            "sin x sin y + cos x cos y = cos(x − y)",
            f"x = {number(angles[0])}, y = {number(angles[1])}: cos(x − y) = {number(math.cos(angles[0] - angles[1]))}",
            left, math.cos(angles[0] - angles[1]), "as cos(x − y)",
        ),
        Step(
            f"For pair {m.i} that is the cosine of its turn.",
            f"v(t) · v(t+k) = {'a^2 ' if m.amplitude != 1 else ''}cos(k{w})",
            f"{a}cos({place(m.k)} · {short(m.omega)}) = {number(m.square * math.cos(m.k * m.omega))}",
            m.square * math.cos(m.k * m.omega), x * later_x + y * later_y, "in the table",
        ),
    ]  # fmt: skip


def _uneven_sum(m: Moment) -> list[Step]:
    """The sum of cosines of turns that depend on t."""
    (x, y), (later_x, later_y) = m.now, m.later
    turned = m.pairs.turns([m.t], m.k)[0].tolist()
    now, later = m.rows
    written = [f"cos({place(turned[i])})" for i in _ends(m.half)]
    return [
        Step(
            f"One pair, here pair {m.i}: the cosine of a difference leaves f(t + k) − f(t).",
            f"v(t) · v(t+k) = cos((f(t+k) − f(t)){m.w})",
            f"{factor(x)} · {factor(later_x)} + {factor(y)} · {factor(later_y)} = {number(x * later_x + y * later_y)}",
            x * later_x + y * later_y, math.cos(turned[m.i]), "by the cosine of its turn",
        ),
        Step(
            f"The sum over all {whole(m.half)} pairs.",
            "p_t · p_{t+k} = Σ_i cos((f(t+k) − f(t))ω_i)",
            f"{_written_sum(m, written)} = {number(math.fsum(map(math.cos, turned)))}",
            math.fsum(map(math.cos, turned)), float(now @ later),
            f"of {position(m.t)} and {position(m.t + m.k)} in the table",
        ),
    ]  # fmt: skip


def _sum_step(m: Moment) -> Step:
    total = _sum_of(m)
    now, later = m.rows
    written = _written_sum(m, _cosines(m.pairs, m.k, _ends(m.half)))
    return Step(
        f"The sum over all {whole(m.half)} pairs.",
        f"p_t · p_{{t+k}} = {'a^2 ' if m.amplitude != 1 else ''}Σ_i cos(kω_i)",
        f"{written} = {number(total)}",
        total, float(now @ later), f"of {position(m.t)} and {position(m.t + m.k)} in the table",
    )  # fmt: skip


def _from_start(encoding: Encoding, cursor: Cursor, words: str, formula: str) -> Step:
    now, later = both_rows(encoding, cursor)
    first, at_k = encoding.values([0.0, cursor.offset])
    k, t = position(cursor.offset), position(cursor.position)
    here, there = float(now @ later), float(first @ at_k)
    return Step(
        f"{words}.",
        formula,
        f"D_{{{t},{position(cursor.position + cursor.offset)}}} = {number(here)}, D_{{0,{k}}} = {number(there)}",
        here, there, f"of 0 and {k} in the table",
    )  # fmt: skip


def _one_hand(encoding: Encoding, cursor: Cursor) -> Step:
    """What one hand gives to the dot product where there is no cosine of a difference."""
    columns = list(chosen_columns(encoding, cursor))
    now, later = both_rows(encoding, cursor)[:, columns]
    first, at_k = encoding.values([0.0, cursor.offset], columns)
    products = " + ".join(f"{factor(a)} · {factor(b)}" for a, b in zip(now.tolist(), later.tolist(), strict=True))
    here, there = float(now @ later), float(first @ at_k)
    names = " and ".join(map(whole, columns))
    return Step(
        f"What dimension{'s' if len(columns) > 1 else ''} {names} give{'' if len(columns) > 1 else 's'} to the dot "
        "product.",
        "Σ_c PE(t, c) PE(t+k, c)",
        f"{products} = {number(here)}",
        here, there, "at t = 0", fails=abs(here - there) > 1e-9 * max(1.0, abs(here)),
    )  # fmt: skip


def _next_index(m: Moment) -> list[Step]:
    """The sum with indices from 1, as "The Hidden Beauty" prints it."""
    exponent = frequency_exponent(m.pairs, m.half)
    if exponent is None:
        return []
    base, scale = float(m.encoding.parameters["base"]), float(m.encoding.parameters.get("scale", 1.0))
    beyond = scale * math.pow(base, -exponent[0] / exponent[1])
    omegas = [*m.pairs.angular_frequencies.tolist()[1:], beyond]
    shifted = m.square * math.fsum(math.cos(m.k * omega) for omega in omegas)
    first, unequal = float(m.pairs.angular_frequencies[0]), "≠" if m.k else "="
    a = "a^2 " if m.amplitude != 1 else ""
    by = _sum_of(m) + m.square * (math.cos(m.k * beyond) - math.cos(m.k * first))
    return [
        Step(
            f"A slip: “The Hidden Beauty” counts its frequencies from 1 to {whole(m.half)}, one too far: "
            f"{short(beyond)} stands in place of {short(first)}. Its printed numbers count from 0 to "
            f"{whole(m.half - 1)}.",
            f"{a}Σ_{{n=1}}^{{{whole(m.half)}}} cos(kω_n) {unequal} {a}Σ_{{n=0}}^{{{whole(m.half - 1)}}} cos(kω_n)",
            f"{number(shifted)} {unequal} {number(_sum_of(m))}",
            shifted, by, "from the right sum with one term exchanged",
        )
    ]  # fmt: skip


def distance_steps(encoding: Encoding, cursor: Cursor) -> tuple[Step, ...]:
    """The distance of two positions from the turns of the hands alone."""
    m = moment_of(encoding, cursor)
    if m is None:
        return (_from_lengths(encoding, cursor), _same_length(encoding, cursor))
    return (_from_lengths(encoding, cursor), *_half_angles(m), _same_length(encoding, cursor), _other_vector(m))


def _from_lengths(encoding: Encoding, cursor: Cursor) -> Step:
    now, later = both_rows(encoding, cursor)
    own, other, dot = float(now @ now), float(later @ later), float(now @ later)
    return Step(
        "The square of a distance from dot products.",
        "|p_{t+k} − p_t|^2 = |p_t|^2 + |p_{t+k}|^2 − 2 p_t · p_{t+k}",
        f"{number(own)} + {number(other)} − 2 · {factor(dot)} = {number(own + other - 2 * dot)}",
        own + other - 2 * dot, float(np.sum((later - now) ** 2)), "from the differences squared",
    )  # fmt: skip


def _half_angles(m: Moment) -> list[Step]:
    angle = m.k * m.omega
    chord = m.amplitude * 2 * abs(math.sin(math.remainder(angle, math.tau) / 2))
    measured = math.dist(m.now, m.later)
    halves = [math.sin(m.k * omega / 2) ** 2 for omega in m.pairs.angular_frequencies.tolist()]
    total = 2 * m.amplitude * math.sqrt(math.fsum(halves))
    a = times(m.amplitude)
    letter = "a " if m.amplitude != 1 else ""
    squares = (
        terms([f"{number(halves[i])}" for i in _ends(m.half)], 3)
        if m.half <= 3
        else (f"{number(halves[0])} + {number(halves[1])} + … + {number(halves[-1])}")
    )
    return [
        Step(
            "Each pair gives 2 − 2 cos(kω) to it, and the cosine of twice an angle makes a square of that.",
            r"1 − cos x = 2 sin^2(x/2), x = kω_i",
            f"1 − cos({number(angle)}) = {number(1 - math.cos(angle))}",
            1 - math.cos(angle), 2 * math.sin(angle / 2) ** 2, "as 2 sin²(x/2)",
        ),
        Step(
            f"So the tip of hand {m.i} moves by a chord.",
            f"|v(t+k) − v(t)| = 2 {letter}|sin(k{m.w}/2)|",
            f"2 {a}|sin({number(angle / 2)})| = {number(chord)}",
            chord, measured, "between its two points of the table",
        ),
        Step(
            f"The sum over all {whole(m.half)} pairs, without t.",
            rf"|p_{{t+k}} − p_t| = 2 {letter}\sqrt{{Σ_i sin^2(kω_i/2)}}",
            rf"2 {a}\sqrt{{{squares}}} = {number(total)}",
            total, float(np.linalg.norm(m.rows[1] - m.rows[0])), "as the length of the difference in the table",
        ),
    ]  # fmt: skip


def _same_length(encoding: Encoding, cursor: Cursor) -> Step:
    now, later = both_rows(encoding, cursor)
    first, at_k = encoding.values([0.0, cursor.offset])
    here, there = float(np.linalg.norm(later - now)), float(np.linalg.norm(at_k - first))
    t, k = position(cursor.position), position(cursor.offset)
    return Step(
        f"The length of the difference is {'' if math.isclose(here, there, rel_tol=1e-9) else 'not '}the same at 0.",
        "|p_{t+k} − p_t| = |p_k − p_0|",
        f"{number(here)} at t = {t}, {number(there)} at t = 0",
        here, there, f"of 0 and {k} in the table",
    )  # fmt: skip


def _other_vector(m: Moment) -> Step:
    """The difference as a vector does depend on t: |(p_(t+k) - p_t) - (p_k - p_0)|."""
    now, later = m.rows
    first, at_k = m.encoding.values([0.0, m.k])
    size = float(np.linalg.norm((later - now) - (at_k - first)))
    omegas = m.pairs.angular_frequencies.tolist()
    products = math.fsum((math.sin(m.k * omega / 2) * math.sin(m.t * omega / 2)) ** 2 for omega in omegas)
    return Step(
        "Its direction is not the same: “Transformers Breakdown” (1.2) wants the difference of two vectors not to "
        "depend on t; that holds for its length alone.",
        r"|(p_{t+k} − p_t) − (p_k − p_0)| = 4 \sqrt{Σ_i sin^2(kω_i/2) sin^2(tω_i/2)}",
        f"{number(size)}",
        size, 4 * m.amplitude * math.sqrt(products), "by the sines",
    )  # fmt: skip


def length_steps(encoding: Encoding, cursor: Cursor, known: tuple[Any, ...]) -> tuple[Step, ...]:
    """Why every position has the length sqrt(d/2)."""
    m = moment_of(encoding, cursor)
    now = encoding.values([cursor.position])[0]
    square, length = float(now @ now), float(np.linalg.norm(now))
    if m is None:
        return (_columns_squared(encoding, cursor), _own_length(cursor, square, length), _lengths(encoding, *known))
    x, y = m.now
    a, half = m.amplitude, m.half
    d_half = whole(half) if a == 1 else f"{short(m.square, 4)} · {whole(half)}"
    return (
        Step(
            f"Sine and cosine of one angle: Pythagoras, here for pair {m.i}.",
            "sin^2 + cos^2 = 1" if a == 1 else "a^2 sin^2 + a^2 cos^2 = a^2",
            f"{factor(x)}^2 + {factor(y)}^2 = {number(x * x)} + {number(y * y)} = {number(x * x + y * y)}",
            x * x + y * y, a * a, "as a²" if a != 1 else "written as 1",
        ),
        Step(
            f"The sum over d/2 = {whole(half)} pairs.",
            f"|p_t|^2 = {'a^2 ' if a != 1 else ''}d/2",
            f"|p_{{{position(m.t)}}}|^2 = {d_half} = {number(m.square * half)}",
            m.square * half, square, "from the squares in the table",
        ),
        Step(
            "Its root: every position has this length.",
            rf"|p_t| = {'a ' if a != 1 else ''}\sqrt{{d/2}}",
            rf"{times(a)}\sqrt{{{whole(half)}}} = {number(a * math.sqrt(half))}",
            a * math.sqrt(half), length, "as the length of the row",
        ),
        _lengths(encoding, *known),
    )  # fmt: skip


def _columns_squared(encoding: Encoding, cursor: Cursor) -> Step:
    columns = list(chosen_columns(encoding, cursor))
    (now,) = encoding.values([cursor.position], columns)
    (first,) = encoding.values([0.0], columns)
    written = " + ".join(f"{factor(value)}^2" for value in now.tolist())
    here, there = float(now @ now), float(first @ first)
    return Step(
        f"What dimension{'s' if len(columns) > 1 else ''} {' and '.join(map(whole, columns))} "
        f"give{'' if len(columns) > 1 else 's'} to the square.",
        "Σ_c PE(t, c)^2",
        f"{written} = {number(here)}",
        here, there, "at t = 0",
    )  # fmt: skip


def _own_length(cursor: Cursor, square: float, length: float) -> Step:
    return Step(
        "The length of the row.",
        r"|p_t| = \sqrt{Σ_c PE(t, c)^2}",
        rf"|p_{{{position(cursor.position)}}}| = \sqrt{{{number(square)}}} = {number(length)}",
        math.sqrt(square), length, "by the norm",
    )  # fmt: skip


def _lengths(encoding: Encoding, found: tuple[float, float, int] | None) -> Step:
    words, formula = "Measured over the table: the shortest and the longest row.", "min |p_t| = max |p_t|"
    if found is None:
        return Step(words, formula, "measuring…")
    shortest, longest, count = found
    sample = f" of {whole(count)} sampled t" if count < encoding.n_positions else f" of all {whole(count)}"
    return Step(words, formula, f"{number(shortest)}, {number(longest)}", shortest, longest, f"for the longest{sample}")


def toeplitz_steps(encoding: Encoding, cursor: Cursor, known: tuple[Any, ...]) -> tuple[Step, ...]:
    """Why every diagonal of the dot products holds one number."""
    t, k = cursor.position, cursor.offset
    now, later = both_rows(encoding, cursor)
    after, after_later = both_rows(encoding, cursor, 1.0)
    i, j = position(t), position(t + k)
    here, there = float(now @ later), float(after @ after_later)
    m = moment_of(encoding, cursor)
    definition = Step(
        "The definition of a Toeplitz matrix: one step down and one to the right is the same number.",
        "D_{i,j} = D_{i+1,j+1}",
        f"D_{{{i},{j}}} = {number(here)}, D_{{{position(t + 1)},{position(t + k + 1)}}} = {number(there)}",
        here, there, "one down the diagonal",
    )  # fmt: skip
    words = f"So for any number of steps n, here {i} back to the edge of the matrix"
    back = _from_start(encoding, cursor, words, "D_{i,j} = D_{i−n,j−n}")
    count, cells = whole(encoding.n_positions), whole(encoding.n_positions**2)
    mirrored = Step(
        f"It is symmetric, so its first row is the whole matrix: {count} numbers for {cells}."
        if encoding.is_shift_invariant
        else f"It is symmetric, but no row tells the others: it takes {cells} numbers, or their half.",
        "D_{i,j} = D_{j,i}",
        f"D_{{{j},{i}}} = {number(float(later @ now))}",
        float(later @ now), here, "across the diagonal",
    )  # fmt: skip
    why = () if m is None else (
        Step(
            "Why: the dot product is a sum of cosines of j − i (page Dot product).",
            f"D_{{i,j}} = {'a^2 ' if m.amplitude != 1 else ''}Σ_n cos((j − i)ω_n)",
            f"{_written_sum(m, _cosines(m.pairs, m.k, _ends(m.half)))} = {number(_sum_of(m))}",
            _sum_of(m), here, "in the table",
        ),
    )  # fmt: skip
    return (definition, back, *why, _diagonal(encoding, cursor, *known), mirrored)


def _diagonal(encoding: Encoding, cursor: Cursor, found: DiagonalSpread | None) -> Step:
    k = position(cursor.offset)
    words, formula = f"Measured along the whole diagonal of k = {k}.", "min_t D_{t,t+k} = max_t D_{t,t+k}"
    if not shift_count(encoding, cursor.offset):
        return Step(
            f"The diagonal of k = {k} lies outside the table: there is no t with t + k in it.",
            formula,
            by="nothing measured",
        )
    if found is None:
        return Step(words, formula, "measuring…")
    of = f"{whole(found.n_measured)} {'sampled ' if found.is_sample else ''}t"
    return Step(
        words,
        formula,
        f"{number(found.lowest)}, {number(found.highest)}",
        found.lowest,
        found.highest,
        f"as the largest of {of}",
    )
