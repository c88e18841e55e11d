"""What is unique: the matrix of a shift, by its d x d equations, and the vector of each position."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from pe_desktop.core.cursor import n_hands
from pe_desktop.core.derivations import RANK_SHARE, ShiftSystem, log10_determinant, nearest_offset, shift_system
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.number_text import SUPERSCRIPTS, in_formula
from pe_desktop.core.rotation import ShiftReport, shift_residuals
from pe_desktop.draw.formula_text import exact, factor, number
from pe_desktop.draw.number_text import fixed, plain, position, power_of_ten, short, whole
from pe_desktop.model.findings import Question, Questions
from pe_desktop.views.derivations import pictures
from pe_desktop.views.derivations.step import ZERO_ROW, Chapter, Moment, Step, tiny
from pe_desktop.views.questions import shift_question


def _system_steps(
    m: Moment, system: ShiftSystem | None, report: ShiftReport | None = None, log_det: float | None = None
) -> Iterator[Step]:
    """From the unknown matrix to its blocks; for an encoding without M_k how well any matrix does.

    Answers to `system_questions`, None for what is not known yet.
    """
    yield _unknowns(m)
    if m.turns:
        yield _written_out(m)
    yield from _one_time(m)
    if m.turns:
        yield _independent(m, system, log_det)
        yield from _matched(m)
    yield _least_squares(m, system)
    if m.turns:
        yield _whole_matrix(m, report)


def _unknowns(m: Moment) -> Step:
    d, last, (t, k, _) = m.encoding.d_model, whole(m.encoding.d_model - 1), m.texts
    corner = rf"\matrix{{m_{{0,0}} & … & m_{{0,{last}}} \\ … & … & … \\ m_{{{last},0}} & … & m_{{{last},{last}}}}}"
    vectors = (rf"\matrix{{{number(row[0])} \\ … \\ {number(row[-1])}}}" for row in m.rows.tolist())
    miss = float(shift_residuals(m.encoding, m.k, [m.t])[0]) if m.turns else math.nan
    return Step(
        f"Wanted: one matrix for every t. It has d² = {whole(d * d)} unknown entries, and each t gives d = {whole(d)} "
        "equations, one for each row.",
        "M p_t = p_{t+k}",
        f"{corner} {' = '.join(vectors)} for t = {t}, k = {k}",
        miss, 0.0, f"largest miss of the {whole(d)} equations by the matrix found below", is_miss=True,
        size=m.amplitude,
    )  # fmt: skip


def _written_out(m: Moment) -> Step:
    (x, y), (s, c), sine, tau = m.now, m.turn, m.names[0], m.tau
    last, d = whole(m.half - 1), whole(m.encoding.d_model - 1)
    return Step(
        f"Row {sine} written out: every column stands at the left, the sine of a sum at the right. A slip in "
        "“Transformers Breakdown”: equations 12 and 13 end with a frequency of index d − 1; the last one has the "
        f"index (d − 2)/2, here {last}.",
        f"m_{{{sine},0}} sin(ω_0{tau}) + m_{{{sine},1}} cos(ω_0{tau}) + … + m_{{{sine},{d}}} cos(ω_{{{last}}}{tau}) "
        f"= sin({m.w}{tau}) cos({m.w}k) + cos({m.w}{tau}) sin({m.w}k)",
        f"… = {factor(x)} · {factor(c)} + {factor(y)} · {factor(s)} = {number(x * c + y * s)}",
        x * c + y * s, m.later[0], "in the table at t + k", size=m.amplitude,
    )  # fmt: skip


def _one_time(m: Moment) -> Iterator[Step]:
    """A row that solves the equation of one t and misses at another."""
    row, (now, later), (after, after_later) = m.columns[0], m.rows, m.rows_after(1.0)
    square = float(now @ now)
    if square == 0:
        return
    solution = now * (later[row] / square)
    miss, wanted, found = abs(float(solution @ after - after_later[row])), float(later[row]), float(solution @ now)
    yield Step(
        f"One t is one equation for the {whole(m.encoding.d_model)} unknowns of a row: many rows solve it. The one "
        f"along PE(t) does, and at t = {position(m.t + 1.0)} it misses by {tiny(miss)}. Only all t together leave "
        "no choice.",
        rf"m = \frac{{PE(t+k, {whole(row)})}}{{|p_t|^2}} p_t",
        f"{number(wanted)} / {number(square)} · |p_t|^2 = {number(found)}",
        found, wanted, "in the table at t + k", size=m.amplitude,
    )  # fmt: skip


def _independent(m: Moment, system: ShiftSystem | None, log_det: float | None) -> Step:
    """The determinant from frequencies, and by elimination where float64 can; the rank that float64 sees."""
    d, n = m.encoding.d_model, m.encoding.n_positions
    few = f"; this table has N = {whole(n)} rows, too few for d = {whole(d)}: M_k is the one that holds for every t"
    words = (
        "All t: sines and cosines of different frequencies are linearly independent, so the row is unique once there "
        f"are d positions. Their first d rows have this determinant{few if n < d else ''}"
    )
    formula = "|det| = Π_i |sin ω_i| Π_{i<j} 4(cos ω_i − cos ω_j)^2 "
    rank = "" if system is None else f" {_rank_sentence(m.encoding, system)}"
    if log_det is None:
        return Step(f"{words}.{rank}", f"{formula}≠ 0", "measuring…")
    if math.isinf(log_det):
        alike = "0, for hands turn alike. Columns are sums of others, and other matrices do the same as M_k."
        return Step(f"{words}: {alike}{rank}", f"{formula}= 0", "0", fails=True)
    total = log_det + d * math.log10(m.amplitude)
    eliminated = math.nan if system is None or system.log10_determinant is None else system.log10_determinant
    by = "" if math.isnan(eliminated) else "as its power of ten by elimination in float64"
    return Step(f"{words}: not 0.{rank}", f"{formula}≠ 0", _power(total), total, eliminated, by)


def _rank_sentence(encoding: Encoding, system: ShiftSystem) -> str:
    """The rank that float64 sees."""
    share = power_of_ten(round(math.log10(RANK_SHARE)))
    most = min(system.n_equations, encoding.d_model)
    alike = "; as far as float64 can tell, the other columns are sums of these" if system.rank < most else ""
    return (
        f"Rank in float64, singular values above {share} of the largest: {whole(system.rank)} of "
        f"{whole(encoding.d_model)} at t = 0 to {whole(system.n_equations - 1)}{alike}."
    )


def _power(log: float) -> str:
    """10^log as a number."""
    if abs(log) < 12:
        return short(math.pow(10.0, log), 4)
    exponent = math.floor(log)
    return f"{fixed(math.pow(10.0, log - exponent), 2)}×10{str(exponent).translate(SUPERSCRIPTS)}"


def _matched(m: Moment) -> Iterator[Step]:
    (s, c), (sine, cosine), d = m.turn, m.names, m.encoding.d_model
    zeros = f", the other {whole(d - 2)} are 0" if d > 2 else ""
    yield Step(
        f"Match the factors: at the right stand the sine and the cosine of pair {m.i} alone, so at the left "
        f"every other factor is 0. Row {sine}:",
        f"m_{{{sine},{sine}}} = cos({m.w}k), m_{{{sine},{cosine}}} = sin({m.w}k){zeros}",
        f"{number(c)}, {number(s)}{zeros}",
        abs(m.now[0] * c + m.now[1] * s - m.later[0]), 0.0, "row times PE(t), less PE(t + k)", is_miss=True,
        size=m.amplitude,
    )  # fmt: skip
    yield Step(
        f"Row {cosine}:",
        f"m_{{{cosine},{sine}}} = −sin({m.w}k), m_{{{cosine},{cosine}}} = cos({m.w}k){zeros}",
        f"{number(-s)}, {number(c)}{zeros}",
        float(shift_residuals(m.encoding, m.k, [m.t + 1.0])[0]), 0.0,
        f"all rows at the next position, t = {position(m.t + 1.0)}, largest miss", is_miss=True, size=m.amplitude,
    )  # fmt: skip


def _least_squares(m: Moment, system: ShiftSystem | None) -> Step:
    formula = "min_m Σ_t (m p_t − PE(t+k))^2"
    if system is None:
        return Step("The same without the argument: least squares over the table.", formula, "measuring…")
    rest = np.delete(np.abs(system.rows), m.columns, axis=1)
    largest = tiny(float(rest.max(initial=0.0)))
    found = ", ".join(number(float(system.rows[0, column])) for column in m.columns)
    others = f"; the largest of its and the next row's other entries is {largest}" if rest.size else ""
    words = (
        f"The same without the argument: least squares in float64 over t = 0 to {whole(system.n_equations - 1)}. Row "
        f"{m.names[0]} has {found} at {m.dimensions}{others}."
    )
    if not m.turns:
        words += " It fits these rows alone: at other t it misses, as Look back measures. "
        words += _rank_sentence(m.encoding, system)
    return Step(words, formula, "", system.residual, 0.0, "largest miss at these t", is_miss=True, size=m.amplitude)


def _whole_matrix(m: Moment, report: ShiftReport | None) -> Step:
    blocks = r"M_k = \matrix{C & S \\ −S & C}"
    entries = "four entries, here on four diagonals, and nothing in them depends"
    if abs(m.columns[0] - m.columns[1]) == 1:
        last, entries = whole(n_hands(m.encoding) - 1), "block, and nothing in it depends"
        blocks = rf"M_k = \matrix{{R_0 & & \\ & … & \\ & & R_{{{last}}}}}" if m.half > 1 else "M_k = R_0"
    words, k = f"Every pair has its own {entries} on t.", f"k = {m.texts[1]}"
    if report is None:
        return Step(words, blocks, k)
    n_measured = len(report.positions)
    by = f"largest miss at {'every' if n_measured == m.encoding.n_positions else f'{whole(n_measured)} sampled'} t"
    return Step(words, blocks, k, float(report.largest_residual), 0.0, by, is_miss=True, size=m.amplitude)


def _system_questions(m: Moment) -> Questions:
    """The equations solved in float64; where hands turn, the residuals of M_k and the determinant of the columns."""
    columns = m.columns[0], m.columns[-1]
    solved = Question("system", shift_system, (m.encoding, m.k, columns), rank=1, takes="nothing")
    if not m.turns:
        return (solved,)
    return solved, shift_question(m.encoding, m.k), Question("determinant", log10_determinant, (m.pairs,), rank=1)


# Why t and t + k can't be whole turns apart for hand 0, where the table has f(t) in place of t.
_MAPS = {
    "square": "f(t + k) − f(t) is whole where t and k are, and π is irrational",
    "root": "f(t + k) − f(t) is a difference of roots, so algebraic, and π is transcendental",
    "log": "f(t + k) − f(t) is the logarithm of a fraction, and e^(2πm) is transcendental",
    "reciprocal": "f(t + k) − f(t) is a fraction, and π is irrational",
}

# Of a base that float64 holds.
_LARGEST_LOGARITHM = 700.0


def _unique_steps(m: Moment, *answered: tuple[int, float, int] | None) -> Iterator[Step]:
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


def _rest(m: Moment, pair: int) -> float:
    """What that is beyond whole turns, radians; exact where hands turn evenly, however large k is."""
    return float(m.pairs.offset_angles([m.k], [pair])[0, 0]) if m.turns else math.remainder(m.turned(pair), math.tau)


def _left(m: Moment, pair: int) -> tuple[float, float]:
    """How far a hand is from its place at t once it has turned by k, from its frequency, and from its chord."""
    now, later = m.pairs.hands([m.t, m.t + m.k], [pair])[:, 0]
    chord = float(np.linalg.norm(later - now)) / (2 * float(m.pairs.lengths[pair]))
    return abs(_rest(m, pair)), 2 * math.asin(min(chord, 1.0))


def _same_hand(m: Moment) -> Iterator[Step]:
    (x, y), (later_x, later_y), (t, _, u) = map(number, m.now), map(number, m.later), m.texts
    turned, apart = m.turned(m.i), math.dist(m.now, m.later)
    yield Step(
        "Suppose two positions t and u = t + k have one vector (eq. 5, 6). Then every hand is where it was: here "
        f"pair {m.i}, whose two points are this far apart.",
        "PE(t) = PE(u), so sin(ω_it) = sin(ω_iu), cos(ω_it) = cos(ω_iu) for every i",
        f"({x}, {y}) at {t}, ({later_x}, {later_y}) at {u}: {number(apart)}",
        apart, 2 * m.amplitude * abs(math.sin(_rest(m, m.i) / 2)), "by the chord of its turn", size=m.amplitude,
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
        exponent = m.pairs.exponent(pair) if 0 < pair < m.half else None
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
    omega, turned, k = float(m.pairs.angular_frequencies[0]), m.turned(0), m.texts[1]
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
    exponent = m.pairs.exponent(m.i)
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


def _nearest_step(encoding: Encoding, found: tuple[int, float, int] | None) -> Step:
    words, formula = "Unequal is not far apart: how near two positions come, measured.", "min_k |p_{t+k} − p_t|"
    if found is None:
        return Step(words, formula, "measuring…")
    offset, distance, n_offsets = found
    (first, other), k = encoding.values([0, offset]), whole(offset)
    in_all = "" if n_offsets == encoding.n_positions - 1 else f" of k up to {whole(n_offsets)}"
    numbers, by = f"{number(distance)} at k = {k}{in_all}", f"between 0 and {k} in the table"
    return Step(words, formula, numbers, distance, float(np.linalg.norm(other - first)), by, size=encoding.value_limit)


def _mapped(m: Moment) -> Step:
    turned = m.turned(0) / float(m.pairs.angular_frequencies[0])
    return Step(
        "Hand 0 has the frequency 1, so f(u) − f(t) = 2πm. That is possible for m = 0 alone: "
        f"{_MAPS[str(m.encoding.parameters['map'])]}.",
        "2πm = f(u) − f(t)",
        f"f(u) − f(t) = {short(turned, 6)} = 2π · {number(turned / math.tau)}",
        *_left(m, 0), "by hand 0 in the table",
    )  # fmt: skip


def _apart(m: Moment) -> Step:
    difference, (t, k, _) = m.difference, m.texts
    largest, own = whole(int(np.argmax(np.abs(difference)))), number(float(np.linalg.norm(difference[[*m.columns]])))
    distance = float(np.linalg.norm(difference))
    return Step(
        f"What is left is to measure: how far these two rows are apart. Dimension {largest} differs most; the "
        f"chosen ones, {' and '.join(m.names)}, give {own}.",
        "|p_{t+k} − p_t|",
        f"{number(distance)} for t = {t}, k = {k}",
        distance, math.sqrt(float(np.sum(difference**2))), "by the squares", size=0.0,
    )  # fmt: skip


def _nearest_questions(m: Moment) -> Questions:
    """The offset at which positions are nearest, where it is one for all t."""
    has_nearest = m.encoding.is_shift_invariant and m.encoding.n_positions > 1
    return (Question("nearest offset", nearest_offset, (m.encoding,), rank=1),) if has_nearest else ()


CHAPTERS: Final = {
    "system": Chapter(
        "d × d system",
        "one matrix for every t",
        "All entries of the matrix of a shift by {k}, and why most are 0",
        _system_steps,
        pictures.whole_matrix,
        "where factors are matched",
        padded=f"{ZERO_ROW}, so its equations contradict those of the other rows.",
        alike="Fails at the determinant: all hands turn alike, so other matrices move every position, too.",
        questions=_system_questions,
    ),
    "unique": Chapter(
        "Unique",
        "no two rows are equal",
        "No two positions have one vector",
        _unique_steps,
        pictures.distances,
        "in the proof",
        uneven="",
        padded="Row {row} is zero and no other is; for the other rows the proof of the sinusoidal encoding holds.",
        questions=_nearest_questions,
    ),
}
