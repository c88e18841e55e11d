"""What two positions say of each other: dot product, distance, length, constant diagonals, and that none are equal."""

import math
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.measuring.collisions import close_offsets
from pe_desktop.core.measuring.tables import Nearness
from pe_desktop.core.rotation import ShiftReport
from pe_desktop.draw.formula_text import number, place
from pe_desktop.draw.number_text import plain, position, short, whole
from pe_desktop.model.findings import Question, Questions
from pe_desktop.views.derivations import pictures
from pe_desktop.views.derivations.step import IN_TABLE, WORDS, Moment, Step, chapter, products, step
from pe_desktop.views.questions import shift_question


def _sum(m: Moment, term: Callable[[int], str]) -> str:
    """A sum over all pairs of which the first two and the last are written."""
    count = m.half
    texts = [term(i) for i in (*range(min(count, 2)), *([count - 1] if count > 2 else []))]
    return " + ".join(texts if count <= 3 else [*texts[:-1], "…", texts[-1]])


def _cosine_sum(m: Moment) -> dict[str, Any]:
    """The sum of a^2 cos(k omega_i) and its value; angles are exact, however large k is."""
    omegas = m.pairs.angular_frequencies.tolist()
    text = _sum(m, lambda i: f"cos({place(m.k)} · {short(omegas[i])})")
    total = m.square * math.fsum(m.pairs.offset_hands([m.k])[0, :, 1])
    return {"given": f"{short(m.square, 4)} ({text}) =" if m.a else f"{text} =", "value": total}


def _same_dot(m: Moment, key: str, start: float, by: str = "", **named: str) -> Step:
    """The dot product of t and t + k, and that of another position and k more."""
    there, i, j = float(np.dot(*m.rows_at(start))), position(start), position(start + m.k)
    by = by or f"of {i} and {j} {m.told(start, start + m.k)}"
    return step(m, key, m.dot, there, size=m.squares, by=by, i=i, j=j, **named)


def _moved(m: Moment) -> Step:
    lead = "t is gone: the dot product is" if m.encoding.is_shift_invariant else "With t gone it would be"
    return _same_dot(m, "dot moved", 0.0, lead=lead)


def _dot_steps(m: Moment) -> Iterator[Step]:
    """The dot product of two positions is a sum of cosines of their offset."""
    found = products(*zip(m.now, m.later, strict=True))
    x, y = m.pairs.angles([m.t, m.t + m.k], [m.i])[:, 0].tolist()
    turned = m.square * m.turn[1]
    yield step(m, "dot pair", other=turned, size=m.square, **found)
    both = math.sin(x) * math.sin(y) + math.cos(x) * math.cos(y)
    yield step(m, "dot difference", both, math.cos(x - y), x=x, y=y)
    scale = m.a and f"{short(m.square, 4)} · "
    yield step(m, "dot turn", turned, found["value"], size=m.square, scale=scale)
    yield step(m, "dot total", other=m.dot, size=m.squares, terms=f"{m.a_squared}Σ_i cos(kω_i)", **_cosine_sum(m))
    yield _moved(m)
    yield from _next_index(m)


def _unlike_dots(m: Moment) -> Iterator[Step]:
    """The sum of cosines of turns that depend on t, where there are turns."""
    if m.encoding.pairs is not None:
        turned = m.pairs.turns([m.t], m.k)[0].tolist()
        yield step(m, "dot uneven", other=math.cos(turned[m.i]), **products(*zip(m.now, m.later, strict=True)))
        text = _sum(m, lambda i: f"cos({place(turned[i])})")
        total, terms = math.fsum(map(math.cos, turned)), "Σ_i cos((f(t+k) − f(t))ω_i)"
        yield step(m, "dot total", total, m.dot, given=f"{text} =", size=m.squares, terms=terms)
    yield _moved(m)


def _next_index(m: Moment) -> Iterator[Step]:
    """The sum with indices from 1, as "The Hidden Beauty" prints it."""
    exponent = m.pairs.exponent(m.half)
    if exponent is None:
        return
    beyond = m.scale * math.pow(m.base, -exponent[0] / exponent[1])
    first, (start, *others) = float(m.pairs.angular_frequencies[0]), m.pairs.offset_hands([m.k])[0, :, 1].tolist()
    total, shifted = (m.square * math.fsum((*others, one)) for one in (start, math.cos(m.k * beyond)))
    named = {"total": total, "beyond": beyond, "first": first, "last": whole(m.half - 1)}
    exchanged = total + m.square * (math.cos(m.k * beyond) - start)
    yield step(m, "dot slip", shifted, exchanged, size=m.squares, sign="≠" if m.k else "=", **named)


def _distance_steps(m: Moment) -> Iterator[Step]:
    """The distance of two positions from the turns of the hands alone."""
    own, moved = (float(row @ row) for row in m.rows)
    square = own + moved - 2 * m.dot
    yield step(m, "distance square", square, math.fsum(m.difference**2), size=own, own=own, moved=moved)
    if m.turns:
        yield from _half_angles(m)
    here = m.distance
    there = float(np.linalg.norm(np.subtract(*m.rows_at(0.0))))
    lead = "" if math.isclose(here, there, rel_tol=1e-9) else "not "
    yield step(m, "distance same", here, there, size=m.amplitude, lead=lead)
    if m.turns:
        yield _other_vector(m)


def _squared_halves(m: Moment, offset: float) -> Floats:
    """sin²(kω_i/2) of all pairs, shape (n_pairs,); angles are exact, however large the offset is."""
    return np.asarray(np.sin(m.pairs.offset_angles([offset])[0] / 2) ** 2)


def _half_angles(m: Moment) -> Iterator[Step]:
    angle, rest, size = m.k * m.omega, m.rest(m.i), m.amplitude
    halves = _squared_halves(m, m.k).tolist()
    chord = 2 * size * abs(math.sin(rest / 2))
    yield step(m, "distance half", 1 - math.cos(rest), 2 * math.sin(rest / 2) ** 2, angle=angle)
    yield step(m, "distance chord", chord, math.dist(m.now, m.later), size=size, half=angle / 2)
    terms = _sum(m, lambda i: number(halves[i]))
    yield step(m, "distance total", 2 * size * math.sqrt(math.fsum(halves)), m.distance, size=size, terms=terms)


def _other_vector(m: Moment) -> Step:
    """The difference as a vector does depend on t: |(p_(t+k) - p_t) - (p_k - p_0)|."""
    size = float(np.linalg.norm(m.difference + np.subtract(*m.rows_at(0.0))))
    sines = math.fsum(_squared_halves(m, m.k) * _squared_halves(m, m.t))
    return step(m, "distance direction", size, 4 * m.amplitude * math.sqrt(sines), size=m.amplitude)


def _length_steps(m: Moment, report: ShiftReport | None) -> Iterator[Step]:
    """Why every position has the length sqrt(d/2)."""
    square, length = float(m.rows[0] @ m.rows[0]), float(np.linalg.norm(m.rows[0]))
    if m.turns:
        yield from _pythagoras(m, square, length)
    else:
        yield step(m, "length row", math.sqrt(square), length, square=square)
    yield _ends(m, "length measured", report, m.amplitude, math.sqrt)


def _ends(m: Moment, key: str, report: ShiftReport | None, size: float, of: Callable[..., float] = float) -> Step:
    """The least and the largest dot product of a diagonal, or a function of them."""
    if report is None:
        return step(m, key, given="measuring…", by="")
    found = report.spreads["dot"]
    least, largest = of(found.lowest), of(found.highest)
    by = f"as the largest of {whole(found.n_measured)} {'sampled ' if found.is_sample else ''}t"
    return step(m, key, least, largest, size=size, by=by)


def _pythagoras(m: Moment, square: float, length: float) -> Iterator[Step]:
    (x, y), a = m.now, m.amplitude
    named = {"by": "as a²", "whole": "a^2"} if m.a else {"by": "written as 1", "whole": "1"}
    yield step(m, "length pair", x * x + y * y, a * a, size=0.0, xx=x * x, yy=y * y, **named)
    terms = f"{short(m.square, 4)} · {m.count}" if m.a else m.count
    yield step(m, "length sum", m.squares, square, size=0.0, terms=terms)
    yield step(m, "length root", a * math.sqrt(m.half), length, size=0.0)


def _toeplitz_steps(m: Moment, report: ShiftReport | None) -> Iterator[Step]:
    """Why every diagonal of the dot products holds one number."""
    last, (first, end), (i, _, j) = m.encoding.n_positions - 1, sorted((m.t, m.t + m.k)), m.texts
    # Where one step down leaves the matrix it is one up, and there is no step out of a matrix of one row.
    down, way = (-1.0, "up") if end + 1 > last and first >= 1 else (1.0, "down")
    back = math.floor(first)
    beyond = f" {i} and {j} aren't both rows of the table: these numbers are {m.told_both}."
    beyond = "" if m.told_both == IN_TABLE else beyond
    yield _same_dot(m, "toeplitz one", m.t + down, f"one {way} the diagonal", beyond=beyond)
    yield _same_dot(m, "toeplitz many", m.t - back, steps=f"{whole(abs(back))} {'on' if back < 0 else 'back'}")
    if m.turns:
        yield step(m, "toeplitz why", other=m.dot, size=m.squares, **_cosine_sum(m))
    if m.encoding.shift_range(m.k):
        yield _ends(m, "toeplitz measured", report, m.squares)
    else:
        yield step(m, "toeplitz outside")
    count, cells = whole(m.encoding.n_positions), whole(m.encoding.n_positions**2)
    told = f"but no row tells the others: it takes {cells} numbers, or their half"
    if m.encoding.is_shift_invariant:
        told = f"so its first row is the whole matrix: {count} numbers for {cells}"
    yield step(m, "toeplitz mirrored", float(np.dot(*m.rows[::-1])), m.dot, size=0.0, told=told)


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
        why = WORDS["maps"][m.encoding.parameters["map"]]
        yield step(m, "unique uneven", *_left(m, 0), turned=turned, share=turned / math.tau, why=why)
    own = float(np.linalg.norm(m.difference[[*m.columns]]))
    named = {"own": own, "column": np.abs(m.difference).argmax(), "names": " and ".join(m.names)}
    yield step(m, "unique apart", m.distance, math.sqrt(np.sum(m.difference**2)), size=0.0, **named)


def _left(m: Moment, pair: int) -> tuple[float, float]:
    """How far a hand is from its place at t once it has turned by k, from its frequency, and from its chord."""
    now, later = m.pairs.hands([m.t, m.t + m.k], [pair])[:, 0]
    chord = float(np.linalg.norm(later - now)) / (2 * float(m.pairs.lengths[pair]))
    return abs(m.rest(pair)), 2 * math.asin(min(chord, 1.0))


def _same_hand(m: Moment) -> Iterator[Step]:
    turned, (left, measured) = m.turned(m.i), _left(m, m.i)
    chord = 2 * m.amplitude * abs(math.sin(m.rest(m.i) / 2))
    yield step(m, "unique hand", math.dist(m.now, m.later), chord, size=m.amplitude)
    named = {"turned": turned, "share": turned / math.tau, "nearest": whole(round(turned / math.tau))}
    yield step(m, "unique turns", left, measured, angle="ω_i(u − t)" if m.turns else "ω_i(f(u) − f(t))", **named)


def _gap(m: Moment) -> Iterator[Step]:
    """A base with which the argument of the text fails for the hand in the middle, though 2 pi stays irrational."""
    n, pair = max(round(abs(m.k)), 7), max(m.half // 4, 1)
    ratio = m.scale * n / math.tau
    upper, lower = (m.pairs.exponent(pair) if pair < m.half else None) or (0, 0.0)
    if upper <= 0 or lower <= 0 or ratio <= 1:
        return
    base, x = math.pow(ratio, lower / upper), upper / lower
    named = {"pair": pair, "n": whole(n), "upper": plain(upper), "lower": plain(lower), "base": base, "x": x}
    yield step(m, "unique gap", math.tau * math.pow(base, x) / m.scale, float(n), **named)


def _by_hand_zero(m: Moment) -> Step:
    omega, turned, k = float(m.pairs.angular_frequencies[0]), m.turned(0), m.texts[1]
    (left, measured), nearest = _left(m, 0), whole(round(turned / math.tau))
    rate, difference = ("1", "u − t") if omega == 1 else (f"{short(omega)}, rational", "ω_0(u − t)")
    end = f"k = {k} = 2π · {number(turned / math.tau / omega)}; with m = {nearest} it misses by {number(left)} rad"
    numbers = end if m.k else "k = 0 is m = 0: one position, not two"
    return step(m, "unique hand 0", left, measured, given=numbers, rate=rate, difference=difference)


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
    yield step(m, "unique algebraic", math.pow(root, q) / power, 1.0, p=p, q=q, root=root, power=power)


def _nearest_step(m: Moment, found: Nearness | None) -> Step:
    if found is None:
        return step(m, "unique nearest", given="measuring…", by="")
    k, distance = found.nearest[0].offset, found.nearest[0].distance
    apart = float(np.linalg.norm(np.subtract(*m.encoding.values([0, k]))))
    by = f"between 0 and {whole(k)} in the table"
    return step(m, "unique nearest", distance, apart, by=by, size=m.encoding.value_limit, k=whole(k))


def _nearest_questions(m: Moment) -> Questions:
    """The offset at which positions are nearest, where it is one for all t."""
    has_nearest = m.encoding.is_shift_invariant and m.encoding.n_positions > 1
    question = Question("close offsets", close_offsets, (m.encoding,), rank=1, takes="report and task")
    return (question,) if has_nearest else ()


CHAPTERS: Final = {
    "dot": chapter("dot", _dot_steps, pictures.products, unlike=_unlike_dots),
    "distance": chapter("distance", _distance_steps, pictures.chord),
    "length": chapter(
        "length", _length_steps, pictures.shadows, questions=lambda m: (shift_question(m.encoding, 0.0),)
    ),
    "toeplitz": chapter(
        "toeplitz", _toeplitz_steps, pictures.diagonals, questions=lambda m: (shift_question(m.encoding, m.k),)
    ),
    "unique": chapter("unique", _unique_steps, pictures.distances, unlike=_unlike_rows, questions=_nearest_questions),
}
