"""The matrix of a shift: the sums of angles, its entries in row k, and all d x d equations."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from pe_desktop.core.cursor import n_hands
from pe_desktop.core.derivations import RANK_SHARE, ShiftSystem, log10_determinant, shift_system
from pe_desktop.core.lags import profile
from pe_desktop.core.number_text import SUPERSCRIPTS
from pe_desktop.core.rotation import ShiftReport
from pe_desktop.draw.formula_text import factor, matrix, number, place, signed, vector
from pe_desktop.draw.number_text import degrees, fixed, position, power_of_ten, short, whole
from pe_desktop.model.findings import Question, Questions
from pe_desktop.views.derivations import pictures
from pe_desktop.views.derivations.step import Moment, Step, chapter, products, tiny
from pe_desktop.views.questions import shift_question


def _entries(m: Moment) -> tuple[tuple[str, str], tuple[str, str]]:
    """The entries of both rows of the pair in M_k, as a formula and as numbers."""
    (s, c), w, (sine, cosine) = m.turn, m.w, m.names
    first = f"m_{{{sine},{sine}}} = cos({w}k), m_{{{sine},{cosine}}} = sin({w}k)"
    second = f"m_{{{cosine},{sine}}} = −sin({w}k), m_{{{cosine},{cosine}}} = cos({w}k)"
    return (first, f"{number(c)}, {number(s)}"), (second, f"{number(-s)}, {number(c)}")


def _block_steps(m: Moment) -> Iterator[Step]:
    """How the 2 x 2 block of a pair is found from the sine and the cosine of a sum."""
    (x, y), (s, c), w, tau, a = m.now, m.turn, m.w, m.tau, m.amplitude
    words = f"Wanted: one matrix for all t. For pair {m.i} it will be this one.{m.held}{m.where}"
    by = f"largest miss of all {whole(m.encoding.d_model)} dimensions"
    numbers = f"{matrix((c, s), (-s, c))} {vector(m.now)} = {vector(m.later)}"
    yield m.missed(words, "M_k p_t = p_{t+k}", numbers, m.residual(m.t), by)
    words = f"Row {m.names[0]}, the sine of pair {m.i}: the sine of a sum."
    formula = f"sin({w}({tau}+k)) = sin({w}{tau}) cos({w}k) + cos({w}{tau}) sin({w}k)"
    yield Step(words, formula, *products((x, c), (y, s)), m.later[0], f"{m.told(m.t + m.k)} at t + k", size=a)
    words = f"Row {m.names[1]}, its cosine: the cosine of a sum."
    formula = f"cos({w}({tau}+k)) = cos({w}{tau}) cos({w}k) − sin({w}{tau}) sin({w}k)"
    yield Step(words, formula, *products((y, c), (x, -s)), m.later[1], f"{m.told(m.t + m.k)} at t + k", size=a)
    yield from _compared(m)
    yield from _everywhere(m)


def _compared(m: Moment) -> Iterator[Step]:
    (s, c), w, (first, second), (sine, cosine) = m.turn, m.w, _entries(m), m.names
    (measured_c, measured_s), by = m.measured(m.t), "from the table at t and t + k"
    words = f"Compare with row {sine} of the matrix: two entries, the factors of its own sine and cosine at {m.tau}."
    yield Step(words, *first, c, measured_c, by)
    yield Step(f"Compare with row {cosine}: the same two with a minus.", *second, -s, -measured_s, by)
    words = "The block is a turn by kω, clockwise where the sine runs right and the cosine up: its columns have "
    words += "length 1."
    formula = rf"\matrix{{cos k{w} & sin k{w} \\ −sin k{w} & cos k{w}}}"
    angle = f"k{w} = {place(m.k)} · {short(m.omega)} = {short(m.k * m.omega)} rad"
    numbers = f"{angle}; cos^2 + sin^2 = {number(c * c)} + {number(s * s)} ="
    yield Step(words, formula, numbers, c * c + s * s, 1.0, "in a turn")


def _everywhere(m: Moment) -> Iterator[Step]:
    """The same block at another t; and PE(t) is no linear function of t, from the table and from dot products."""
    here = m.measured(m.t)
    there = m.measured(m.elsewhere)
    at = f"t = {position(m.elsewhere)}"
    words = f"t has cancelled: the same block takes {at} to {position(m.elsewhere + m.k)}."
    formula = "M_k depends on k alone, not on t"
    numbers = f"{number(there[0])}, {number(there[1])} at {at}"
    yield Step(words, formula, numbers, here[0], there[0], f"from the table at {at}")
    own, at_k, later = m.encoding.values([m.t, m.k, m.t + m.k])
    dots = profile(m.encoding, "dot", [0.0, m.t - m.k, m.k, m.t]).tolist()
    square, (t, k, u) = 3 * dots[0] + 2 * dots[1] - 2 * dots[2] - 2 * dots[3], m.texts
    size = float(np.linalg.norm(own + at_k - later))
    numbers = f"|p_{{{t}}} + p_{{{k}}} − p_{{{u}}}| ="
    words = "Linear is the shift, not PE: vectors of two positions don't add up to the vector of their sum."
    root = math.sqrt(max(square, 0.0))
    yield Step(words, "p_t + p_k ≠ p_{t+k}", numbers, size, root, "by dot products", size=m.amplitude)


def _unlike_blocks(m: Moment) -> Iterator[Step]:
    """Where no block fits every t: at which step it fails, and what the chosen hand needs at two t."""
    t, here = m.texts[0], m.measured(m.t)
    blocks = {place: m.measured(place) for place in (m.elsewhere, m.t + 1.0)}
    elsewhere, there = next(((at, block) for at, block in blocks.items() if not math.isnan(block[0])), (m.t, here))
    u = position(elsewhere)
    if m.encoding.pairs is not None and m.pairs.keeps_length:
        turned, other = m.pairs.turns([m.t, elsewhere], m.k, [m.i])[:, 0].tolist()
        words = "The sine of a sum splits f(t)ω from what is added to it. But that is not kω: it changes with t."
        formula = f"f(t+k){m.w} = f(t){m.w} + (f(t+k) − f(t)){m.w}"
        numbers = f"(f(t+k) − f(t)){m.w} = {number(turned)} at t = {t}, {number(other)} at t = {u}"
        yield Step(words, formula, numbers, turned, other, f"at t = {u}", fails=True)
    yield from _missing_wave(m)
    if math.isnan(here[0]):
        names = " = ".join(f"PE(t, {name})" for name in m.names)
        words = f"What is chosen is zero at t = {t}: no block takes it anywhere."
        yield Step(words, f"{names} = 0", fails=True)
        return
    words = "Where no part is missing, a block of this form takes these two columns from t to t + k, whatever t."
    if math.dist(here, there) >= 1e-9:
        words = "What takes these two columns from t to t + k changes with t: turned and stretched by the factors c "
        words += f"and s of such a block, they need other ones at t = {u}."
    numbers = (
        f"c, s = {number(here[0])}, {number(here[1])} at t = {t}; {number(there[0])}, {number(there[1])} at t = {u}"
    )
    yield Step(words, r"\matrix{c & s \\ −s & c}", numbers, here[1], there[1], f"for s at t = {u}")


def _missing_wave(m: Moment) -> Iterator[Step]:
    """The sum of angles of the first chosen column, and the factor in it that stands in no column."""
    waves = m.encoding.column_waves
    if waves is None or np.count_nonzero(waves.numbers == waves.numbers[m.columns[0]]) > 1:
        return
    hand, is_cosine = m.wave(m.columns[0])
    x, y = waves.hands.hands([m.t], [hand])[0, 0].tolist()
    s, c = waves.hands.offset_hands([m.k], [hand])[0, 0].tolist()
    name, lost, own, other, sign = ("cos", "sin", y, x, "−") if is_cosine else ("sin", "cos", x, y, "+")
    w = f"ω_{{{hand}}}"
    later = float(m.rows[1, m.columns[0]])
    words = f"Dimension {m.names[0]} at t + k needs {lost}(ωt) = {number(other)}, and that stands in no column: "
    words += "no matrix can take it from PE(t)."
    formula = f"{name}({w}(t+k)) = {name}({w}t) cos({w}k) {sign} {lost}({w}t) sin({w}k)"
    numbers, value = products((own, c), (other, -s if is_cosine else s))
    yield Step(words, formula, numbers, value, later, f"{m.told(m.t + m.k)} at t + k", fails=True)


def _entry_steps(m: Moment) -> Iterator[Step]:
    """The angle sums written with entries of the table alone, and the entries of M_k found in it."""
    row, (s, c) = f"k {signed(-m.start)}" if m.start else "k", m.hand(m.k - m.start)
    (x, y), (sine, cosine), a, u = m.now, m.names, m.amplitude, m.texts[2]
    opened, closed = ("(", f") / {short(a, 4)}") if m.a else ("", "")
    words = f"The sine of a sum with entries of the table alone.{m.held}{m.where}"
    formula = f"PE(t+k, {sine}) = {opened}PE(t, {sine}) PE({row}, {cosine}) + PE({row}, {sine}) PE(t, {cosine}){closed}"
    numbers = f"{opened}{factor(x)} · {factor(c)} + {factor(s)} · {factor(y)}{closed} ="
    yield Step(words, formula, numbers, (x * c + s * y) / a, m.later[0], f"as PE({u}, {sine})", size=a)
    words = "The cosine of a sum: here stands a minus."
    formula = (
        f"PE(t+k, {cosine}) = {opened}PE(t, {cosine}) PE({row}, {cosine}) − PE({row}, {sine}) PE(t, {sine}){closed}"
    )
    numbers = f"{opened}{factor(y)} · {factor(c)} − {factor(s)} · {factor(x)}{closed} ="
    yield Step(words, formula, numbers, (y * c - s * x) / a, m.later[1], f"as PE({u}, {cosine})", size=a)
    yield from _entry_matrix(m, row, s / a, c / a)


def _entry_matrix(m: Moment, row: str, s: float, c: float) -> Iterator[Step]:
    (x, y), (sine, cosine) = m.now, m.names
    over = f" / {short(m.amplitude, 4)}" if m.a else ""
    angle = m.rest(m.i)
    words = f"Both as one matrix: its entries are the sine and the cosine of PE(k){over}."
    formula = (
        rf"\matrix{{PE({row}, {cosine}) & PE({row}, {sine}) \\ −PE({row}, {sine}) & PE({row}, {cosine})}}{over} "
        rf"\matrix{{PE(t, {sine}) \\ PE(t, {cosine})}} = \matrix{{PE(t+k, {sine}) \\ PE(t+k, {cosine})}}"
    )
    miss = max(abs(x * c + y * s - m.later[0]), abs(y * c - x * s - m.later[1]))
    numbers = f"{matrix((c, s), (-s, c))} {vector(m.now)} = {vector(m.later)}"
    yield m.missed(words, formula, numbers, miss, "largest miss of the two")
    words = "They are the entries of the matrix, cosine and sine of kω."
    formula = f"cos k{m.w} = PE({row}, {cosine}){over}, sin k{m.w} = PE({row}, {sine}){over}"
    yield Step(words, formula, f"{number(c)}, {number(s)}", c, m.turn[1], "in the block of the matrix")
    words = "So a shift by k is a turn by the angle of PE(k), the hand that has run from 0 to k."
    numbers = f"{place(m.k)} · {short(m.omega)} = {short(m.k * m.omega)} rad, {degrees(angle, 2)} on the dial"
    miss = abs(math.remainder(angle - math.atan2(s, c), math.tau))
    by = "angle of the two entries, less kω and whole turns"
    yield Step(words, f"k{m.w} = angle of PE({row})", numbers, miss, by=by, is_miss=True)


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
    words = f"Wanted: one matrix for every t. It has d² = {whole(d * d)} unknown entries, and each t gives "
    words += f"d = {whole(d)} equations, one for each row."
    corner = rf"\matrix{{m_{{0,0}} & … & m_{{0,{last}}} \\ … & … & … \\ m_{{{last},0}} & … & m_{{{last},{last}}}}}"
    vectors = (rf"\matrix{{{number(row[0])} \\ … \\ {number(row[-1])}}}" for row in m.rows.tolist())
    numbers = f"{corner} {' = '.join(vectors)} for t = {t}, k = {k}"
    by = f"largest miss of the {whole(d)} equations by the matrix found below"
    return m.missed(words, "M p_t = p_{t+k}", numbers, m.residual(m.t) if m.turns else math.nan, by)


def _written_out(m: Moment) -> Step:
    (x, y), (s, c), sine, tau = m.now, m.turn, m.names[0], m.tau
    last, d = whole(m.half - 1), whole(m.encoding.d_model - 1)
    words = (
        f"Row {sine} written out: every column stands at the left, the sine of a sum at the right. A slip in "
        "“Transformers Breakdown”: equations 12 and 13 end with a frequency of index d − 1; the last one has the "
        f"index (d − 2)/2, here {last}."
    )
    formula = (
        f"m_{{{sine},0}} sin(ω_0{tau}) + m_{{{sine},1}} cos(ω_0{tau}) + … + m_{{{sine},{d}}} cos(ω_{{{last}}}{tau}) "
        f"= sin({m.w}{tau}) cos({m.w}k) + cos({m.w}{tau}) sin({m.w}k)"
    )
    numbers, value = products((x, c), (y, s))
    by = f"{m.told(m.t + m.k)} at t + k"
    return Step(words, formula, f"… = {numbers}", value, m.later[0], by, size=m.amplitude)


def _one_time(m: Moment) -> Iterator[Step]:
    """A row that solves the equation of one t and misses at another."""
    row, (now, later), (after, after_later) = m.columns[0], m.rows, m.rows_at(m.t + 1.0)
    square, wanted = float(now @ now), float(later[row])
    if square == 0:
        return
    solution = now * (wanted / square)
    miss, found = abs(float(solution @ after - after_later[row])), float(solution @ now)
    words = (
        f"One t is one equation for the {whole(m.encoding.d_model)} unknowns of a row: many rows solve it. The one "
        f"along PE(t) does, and at t = {position(m.t + 1.0)} it misses by {tiny(miss)}. Only all t together leave "
        "no choice."
    )
    formula = rf"m = \frac{{PE(t+k, {whole(row)})}}{{|p_t|^2}} p_t"
    numbers = f"{number(wanted)} / {number(square)} · |p_t|^2 ="
    yield Step(words, formula, numbers, found, wanted, f"{m.told(m.t + m.k)} at t + k", size=m.amplitude)


def _independent(m: Moment, system: ShiftSystem | None, log_det: float | None) -> Step:
    """The determinant from frequencies, and by elimination where float64 can; the rank that float64 sees."""
    d, n = m.encoding.d_model, m.encoding.n_positions
    few = f"; this table has N = {whole(n)} rows, too few for d = {whole(d)}: M_k is the one that holds for every t"
    words = (
        "All t: sines and cosines of different frequencies are linearly independent, so the row is unique once there "
        f"are d positions. Their first d rows have this determinant{few if n < d else ''}"
    )
    formula = "|det| = Π_i |sin ω_i| Π_{i<j} 4(cos ω_i − cos ω_j)^2"
    rank = _rank_sentence(m, system)
    if log_det is None:
        return Step(f"{words}.{rank}", f"{formula} ≠ 0", "measuring…")
    if math.isinf(log_det):
        alike = "0, for hands turn alike. Columns are sums of others, and other matrices do the same as M_k."
        return Step(f"{words}: {alike}{rank}", f"{formula} = 0", "0", fails=True)
    total = log_det + d * math.log10(m.amplitude)
    eliminated = math.nan if system is None or system.log10_determinant is None else system.log10_determinant
    by = "" if math.isnan(eliminated) else "as its power of ten by elimination in float64"
    return Step(f"{words}: not 0.{rank}", f"{formula} ≠ 0", _power(total), total, eliminated, by)


def _rank_sentence(m: Moment, system: ShiftSystem | None) -> str:
    """The rank that float64 sees, with a blank before it."""
    if system is None:
        return ""
    share = power_of_ten(round(math.log10(RANK_SHARE)))
    d = m.encoding.d_model
    is_less = system.rank < min(system.n_equations, d)
    return (
        f" Rank in float64, singular values above {share} of the largest: {whole(system.rank)} of "
        f"{whole(d)} at t = 0 to {whole(system.n_equations - 1)}"
        f"{'; as far as float64 can tell, the other columns are sums of these' if is_less else ''}."
    )


def _power(log: float) -> str:
    """10^log as a number."""
    if abs(log) < 12:
        return short(math.pow(10.0, log), 4)
    exponent = math.floor(log)
    return f"{fixed(math.pow(10.0, log - exponent), 2)}×10{str(exponent).translate(SUPERSCRIPTS)}"


def _matched(m: Moment) -> Iterator[Step]:
    (s, c), d = m.turn, m.encoding.d_model
    zeros = f", the other {whole(d - 2)} are 0" if d > 2 else ""
    first, second = ((f"{formula}{zeros}", f"{numbers}{zeros}") for formula, numbers in _entries(m))
    words = f"Match the factors: at the right stand the sine and the cosine of pair {m.i} alone, so at the left "
    words += f"every other factor is 0. Row {m.names[0]}:"
    miss = abs(m.now[0] * c + m.now[1] * s - m.later[0])
    yield m.missed(words, *first, miss, "row times PE(t), less PE(t + k)")
    by = f"all rows at the next position, t = {position(m.t + 1.0)}, largest miss"
    yield m.missed(f"Row {m.names[1]}:", *second, m.residual(m.t + 1.0), by)


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
        words += f" It fits these rows alone: at other t it misses, as Look back measures.{_rank_sentence(m, system)}"
    return m.missed(words, formula, "", system.residual, "largest miss at these t")


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
    return m.missed(words, blocks, k, report.largest_residual, by)


def _system_questions(m: Moment) -> Questions:
    """The equations solved in float64; where hands turn, the residuals of M_k and the determinant of the columns."""
    columns = m.columns[0], m.columns[-1]
    solved = Question("system", shift_system, (m.encoding, m.k, columns), rank=1, takes="nothing")
    if not m.turns:
        return (solved,)
    return solved, shift_question(m.encoding, m.k), Question("determinant", log10_determinant, (m.pairs,), rank=1)


CHAPTERS: Final = {
    "block": chapter("block", _block_steps, pictures.sum_of_angles, unlike=_unlike_blocks),
    "entries": chapter("entries", _entry_steps, pictures.row_of_offset, unlike=_unlike_blocks),
    "system": chapter("system", _system_steps, pictures.whole_matrix, questions=_system_questions),
}
