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
from pe_desktop.views.derivations.step import Moment, Step, chapter, products, step, tiny
from pe_desktop.views.questions import shift_question


def _block_steps(m: Moment) -> Iterator[Step]:
    """How the 2 x 2 block of a pair is found from the sine and the cosine of a sum."""
    (x, y), (s, c), a = m.now, m.turn, m.amplitude
    numbers = f"{matrix((c, s), (-s, c))} {vector(m.now)} = {vector(m.later)}"
    yield step(m, "block wanted", numbers, m.residual(m.t), is_miss=True, size=a)
    yield step(m, "block sine", *products((x, c), (y, s)), m.later[0], size=a)
    yield step(m, "block cosine", *products((y, c), (x, -s)), m.later[1], size=a)
    measured_c, measured_s = m.measured(m.t)
    yield step(m, "block first row", f"{number(c)}, {number(s)}", c, measured_c)
    yield step(m, "block second row", f"{number(-s)}, {number(c)}", -s, -measured_s)
    angle = f"k{m.w} = {place(m.k)} · {short(m.omega)} = {short(m.k * m.omega)} rad"
    numbers = f"{angle}; cos^2 + sin^2 = {number(c * c)} + {number(s * s)} ="
    yield step(m, "block turn", numbers, c * c + s * s, 1.0)
    yield from _everywhere(m)


def _everywhere(m: Moment) -> Iterator[Step]:
    """The same block at another t; and PE(t) is no linear function of t, from the table and from dot products."""
    here = m.measured(m.t)
    there = m.measured(m.elsewhere)
    at = f"t = {position(m.elsewhere)}"
    numbers = f"{number(there[0])}, {number(there[1])} at {at}"
    yield step(m, "block everywhere", numbers, here[0], there[0], at=at, later=position(m.elsewhere + m.k))
    own, at_k, later = m.encoding.values([m.t, m.k, m.t + m.k])
    dots = profile(m.encoding, "dot", [0.0, m.t - m.k, m.k, m.t]).tolist()
    square, (t, k, u) = 3 * dots[0] + 2 * dots[1] - 2 * dots[2] - 2 * dots[3], m.texts
    size = float(np.linalg.norm(own + at_k - later))
    numbers = f"|p_{{{t}}} + p_{{{k}}} − p_{{{u}}}| ="
    yield step(m, "block linear", numbers, size, math.sqrt(max(square, 0.0)), size=m.amplitude)


def _unlike_blocks(m: Moment) -> Iterator[Step]:
    """Where no block fits every t: at which step it fails, and what the chosen hand needs at two t."""
    t, here = m.texts[0], m.measured(m.t)
    blocks = {place: m.measured(place) for place in (m.elsewhere, m.t + 1.0)}
    elsewhere, there = next(((at, block) for at, block in blocks.items() if not math.isnan(block[0])), (m.t, here))
    u = position(elsewhere)
    if m.encoding.pairs is not None and m.pairs.keeps_length:
        turned, other = m.pairs.turns([m.t, elsewhere], m.k, [m.i])[:, 0].tolist()
        numbers = f"(f(t+k) − f(t)){m.w} = {number(turned)} at t = {t}, {number(other)} at t = {u}"
        yield step(m, "block uneven", numbers, turned, other, u=u, fails=True)
    yield from _missing_wave(m)
    if math.isnan(here[0]):
        yield step(m, "block zero", names=" = ".join(f"PE(t, {name})" for name in m.names), fails=True)
        return
    which = "alike" if math.dist(here, there) < 1e-9 else "unlike"
    numbers = (
        f"c, s = {number(here[0])}, {number(here[1])} at t = {t}; {number(there[0])}, {number(there[1])} at t = {u}"
    )
    yield step(m, f"block {which}", numbers, here[1], there[1], u=u)


def _missing_wave(m: Moment) -> Iterator[Step]:
    """The sum of angles of the first chosen column, and the factor in it that stands in no column."""
    waves = m.encoding.column_waves
    if waves is None or np.count_nonzero(waves.numbers == waves.numbers[m.columns[0]]) > 1:
        return
    hand, is_cosine = m.wave(m.columns[0])
    x, y = waves.hands.hands([m.t], [hand])[0, 0].tolist()
    s, c = waves.hands.offset_hands([m.k], [hand])[0, 0].tolist()
    name, lost, own, other, sign = ("cos", "sin", y, x, "−") if is_cosine else ("sin", "cos", x, y, "+")
    found = products((own, c), (other, -s if is_cosine else s))
    named = {"name": name, "lost": lost, "sign": sign, "w": f"ω_{{{hand}}}", "missing": number(other)}
    yield step(m, "block missing", *found, float(m.rows[1, m.columns[0]]), fails=True, **named)


def _entry_steps(m: Moment) -> Iterator[Step]:
    """The angle sums written with entries of the table alone, and the entries of M_k found in it."""
    row, (s, c) = f"k {signed(-m.start)}" if m.start else "k", m.hand(m.k - m.start)
    (x, y), a = m.now, m.amplitude
    opened, closed = ("(", f") / {short(a, 4)}") if m.a else ("", "")
    named = {"row": row, "opened": opened, "closed": closed}
    numbers = f"{opened}{factor(x)} · {factor(c)} + {factor(s)} · {factor(y)}{closed} ="
    yield step(m, "entries sine", numbers, (x * c + s * y) / a, m.later[0], size=a, **named)
    numbers = f"{opened}{factor(y)} · {factor(c)} − {factor(s)} · {factor(x)}{closed} ="
    yield step(m, "entries cosine", numbers, (y * c - s * x) / a, m.later[1], size=a, **named)
    yield from _entry_matrix(m, row, s / a, c / a)


def _entry_matrix(m: Moment, row: str, s: float, c: float) -> Iterator[Step]:
    x, y = m.now
    named = {"row": row, "over": f" / {short(m.amplitude, 4)}" if m.a else ""}
    angle = m.rest(m.i)
    miss = max(abs(x * c + y * s - m.later[0]), abs(y * c - x * s - m.later[1]))
    numbers = f"{matrix((c, s), (-s, c))} {vector(m.now)} = {vector(m.later)}"
    yield step(m, "entries matrix", numbers, miss, is_miss=True, size=m.amplitude, **named)
    yield step(m, "entries entries", f"{number(c)}, {number(s)}", c, m.turn[1], **named)
    numbers = f"{place(m.k)} · {short(m.omega)} = {short(m.k * m.omega)} rad, {degrees(angle, 2)} on the dial"
    miss = abs(math.remainder(angle - math.atan2(s, c), math.tau))
    yield step(m, "entries angle", numbers, miss, is_miss=True, **named)


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
    numbers = f"{corner} {' = '.join(vectors)} for t = {t}, k = {k}"
    miss = m.residual(m.t) if m.turns else math.nan
    return step(m, "system unknowns", numbers, miss, is_miss=True, size=m.amplitude, square=whole(d * d))


def _written_out(m: Moment) -> Step:
    (x, y), (s, c) = m.now, m.turn
    numbers, value = products((x, c), (y, s))
    named = {"last": whole(m.half - 1), "d": whole(m.encoding.d_model - 1)}
    return step(m, "system written out", f"… = {numbers}", value, m.later[0], size=m.amplitude, **named)


def _one_time(m: Moment) -> Iterator[Step]:
    """A row that solves the equation of one t and misses at another."""
    row, (now, later), (after, after_later) = m.columns[0], m.rows, m.rows_at(m.t + 1.0)
    square, wanted = float(now @ now), float(later[row])
    if square == 0:
        return
    solution = now * (wanted / square)
    miss, found = abs(float(solution @ after - after_later[row])), float(solution @ now)
    numbers = f"{number(wanted)} / {number(square)} · |p_t|^2 ="
    named = {"next": position(m.t + 1.0), "miss": tiny(miss)}
    yield step(m, "system one t", numbers, found, wanted, size=m.amplitude, **named)


def _independent(m: Moment, system: ShiftSystem | None, log_det: float | None) -> Step:
    """The determinant from frequencies, and by elimination where float64 can; the rank that float64 sees."""
    d, n = m.encoding.d_model, m.encoding.n_positions
    few = f"; this table has N = {whole(n)} rows, too few for d = {whole(d)}: M_k is the one that holds for every t"
    named = {"few": few if n < d else "", "found": "", "sign": "≠", "by": "", "rank": _rank_sentence(m, system)}
    if log_det is None:
        return step(m, "system independent", "measuring…", **named | {"found": "."})
    if math.isinf(log_det):
        found = ": 0, for hands turn alike. Columns are sums of others, and other matrices do the same as M_k."
        return step(m, "system independent", "0", fails=True, **named | {"found": found, "sign": "="})
    total = log_det + d * math.log10(m.amplitude)
    eliminated = math.nan if system is None or system.log10_determinant is None else system.log10_determinant
    by = "" if math.isnan(eliminated) else "as its power of ten by elimination in float64"
    named |= {"found": ": not 0.", "by": by}
    return step(m, "system independent", _power(total), total, eliminated, **named)


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
    miss = abs(m.now[0] * c + m.now[1] * s - m.later[0])
    how = {"zeros": zeros, "next": position(m.t + 1.0), "is_miss": True, "size": m.amplitude}
    yield step(m, "system first row", f"{number(c)}, {number(s)}{zeros}", miss, **how)
    yield step(m, "system second row", f"{number(-s)}, {number(c)}{zeros}", m.residual(m.t + 1.0), **how)


def _least_squares(m: Moment, system: ShiftSystem | None) -> Step:
    if system is None:
        return step(m, "system solving", "measuring…")
    rest = np.delete(np.abs(system.rows), m.columns, axis=1)
    largest = tiny(float(rest.max(initial=0.0)))
    found = ", ".join(number(float(system.rows[0, column])) for column in m.columns)
    others = f"; the largest of its and the next row's other entries is {largest}" if rest.size else ""
    limits = f" It fits these rows alone: at other t it misses, as Look back measures.{_rank_sentence(m, system)}"
    named = {"found": found, "others": others, "limits": "" if m.turns else limits}
    last = whole(system.n_equations - 1)
    return step(m, "system solved", "", system.residual, is_miss=True, size=m.amplitude, last=last, **named)


def _whole_matrix(m: Moment, report: ShiftReport | None) -> Step:
    blocks = r"M_k = \matrix{C & S \\ −S & C}"
    entries = "four entries, here on four diagonals, and nothing in them depends"
    if abs(m.columns[0] - m.columns[1]) == 1:
        last, entries = whole(n_hands(m.encoding) - 1), "block, and nothing in it depends"
        blocks = rf"M_k = \matrix{{R_0 & & \\ & … & \\ & & R_{{{last}}}}}" if m.half > 1 else "M_k = R_0"
    miss, which = math.nan, ""
    if report is not None:
        n_measured, miss = len(report.positions), report.largest_residual
        which = "every" if n_measured == m.encoding.n_positions else f"{whole(n_measured)} sampled"
    named = {"blocks": blocks, "entries": entries, "which": which}
    return step(m, "system whole", f"k = {m.texts[1]}", miss, is_miss=True, size=m.amplitude, **named)


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
