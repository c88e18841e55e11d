"""The whole d x d system of equations for M_k, and why all entries beside the blocks are zero."""

import math
from collections.abc import Iterator

import numpy as np

from pe_desktop.core.columns import n_hands
from pe_desktop.core.derivations import RANK_SHARE, ShiftSystem
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.number_text import SUPERSCRIPTS
from pe_desktop.core.rotation import ShiftReport, shift_residuals
from pe_desktop.draw.number_text import fixed, position, power_of_ten, short, whole
from pe_desktop.views.derivations.step import Moment, Step, factor, number, tiny


def system_steps(
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
        x * c + y * s, m.later[0], "in the table at t + k",
    )  # fmt: skip


def _one_time(m: Moment) -> Iterator[Step]:
    """A row that solves the equation of one t and misses at another."""
    row, (now, later), (after, after_later) = m.columns[0], m.rows, m.rows_after(1.0)
    square = float(now @ now)
    if square == 0:
        return
    solution = now * (later[row] / square)
    miss = abs(float(solution @ after - after_later[row]))
    yield Step(
        f"One t is one equation for the {whole(m.encoding.d_model)} unknowns of a row: many rows solve it. The one "
        f"along PE(t) does, and at t = {position(m.t + 1.0)} it misses by {tiny(miss)}. Only all t together leave "
        "no choice.",
        rf"m = \frac{{PE(t+k, {whole(row)})}}{{|p_t|^2}} p_t",
        f"{number(float(later[row]))} / {number(square)} · |p_t|^2 = {number(float(solution @ now))}",
        float(solution @ now), float(later[row]), "in the table at t + k",
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
    )  # fmt: skip
    yield Step(
        f"Row {cosine}:",
        f"m_{{{cosine},{sine}}} = −sin({m.w}k), m_{{{cosine},{cosine}}} = cos({m.w}k){zeros}",
        f"{number(-s)}, {number(c)}{zeros}",
        float(shift_residuals(m.encoding, m.k, [m.t + 1.0])[0]), 0.0,
        f"all rows at the next position, t = {position(m.t + 1.0)}, largest miss", is_miss=True,
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
    return Step(words, formula, "", system.residual, 0.0, "largest miss at these t", is_miss=True)


def _whole_matrix(m: Moment, report: ShiftReport | None) -> Step:
    blocks, entries = (
        r"M_k = \matrix{C & S \\ −S & C}",
        "four entries, here on four diagonals, and nothing in them depends",
    )
    if abs(m.columns[0] - m.columns[1]) == 1:
        last, entries = whole(n_hands(m.encoding) - 1), "block, and nothing in it depends"
        blocks = rf"M_k = \matrix{{R_0 & & \\ & … & \\ & & R_{{{last}}}}}" if m.half > 1 else "M_k = R_0"
    words, k = f"Every pair has its own {entries} on t.", f"k = {m.texts[1]}"
    if report is None:
        return Step(words, blocks, k)
    n_measured = len(report.positions)
    at = "every t" if n_measured == m.encoding.n_positions else f"{whole(n_measured)} sampled t"
    return Step(words, blocks, k, float(report.largest_residual), 0.0, f"largest miss at {at}", is_miss=True)
