"""The whole d x d system of equations for M_k, and why all entries beside the blocks are zero."""

import math
from typing import Any

import numpy as np

from pe_desktop.core.columns import n_hands
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.derivations import RANK_SHARE, ShiftSystem, log10_determinant, shift_system
from pe_desktop.core.encoding import Encoding, Pairs
from pe_desktop.core.number_text import SUPERSCRIPTS
from pe_desktop.core.rotation import has_rotation, rotating_pairs, shift_residuals
from pe_desktop.core.shift import ShiftReport
from pe_desktop.draw.number_text import fixed, position, power_of_ten, short, whole
from pe_desktop.model.findings import Question, Task
from pe_desktop.views.derivations.step import (
    Moment,
    Step,
    both_rows,
    chosen_columns,
    factor,
    moment_of,
    number,
    tiny,
)
from pe_desktop.views.shift import shift_question


def questions(encoding: Encoding, cursor: Cursor) -> tuple[Question, ...]:
    """The residuals of M_k, the equations solved in float64, and the determinant of the columns."""
    columns = chosen_columns(encoding, cursor)
    solved = Question("system", _system, (encoding, cursor.offset, columns), rank=1)
    pairs = rotating_pairs(encoding)
    if pairs is None:
        return (solved,)
    return solved, shift_question(encoding, cursor.offset), Question("determinant", _determinant, (pairs,), rank=1)


def system_steps(encoding: Encoding, cursor: Cursor, known: tuple[Any, ...]) -> tuple[Step, ...]:
    """From the unknown matrix to its blocks; for an encoding without M_k how well any matrix does.

    known: the answers to `questions`, None for what is not known yet.
    """
    m = moment_of(encoding, cursor)
    if m is None:
        (system,) = known
        return (_unknowns(encoding, cursor), *_one_time(encoding, cursor), _least_squares(encoding, cursor, system))
    system, report, log_det = known
    return (
        _unknowns(encoding, cursor),
        _written_out(m),
        *_one_time(encoding, cursor),
        _independent(m, system, log_det),
        *_matched(m),
        _least_squares(encoding, cursor, system),
        _whole_matrix(m, report),
    )


def _system(encoding: Encoding, offset: float, columns: tuple[int, ...], task: Task) -> ShiftSystem:
    return shift_system(encoding, offset, (columns[0], columns[-1]))


def _determinant(pairs: Pairs, task: Task) -> float | None:
    return log10_determinant(pairs, task)


def _unknowns(encoding: Encoding, cursor: Cursor) -> Step:
    d = encoding.d_model
    last = whole(d - 1)
    corner = rf"\matrix{{m_{{0,0}} & … & m_{{0,{last}}} \\ … & … & … \\ m_{{{last},0}} & … & m_{{{last},{last}}}}}"
    now, later = both_rows(encoding, cursor)
    vectors = (rf"\matrix{{{number(row[0])} \\ … \\ {number(row[-1])}}}" for row in (now.tolist(), later.tolist()))
    t, k = position(cursor.position), position(cursor.offset)
    is_solved = has_rotation(encoding)
    miss = float(shift_residuals(encoding, cursor.offset, [cursor.position])[0]) if is_solved else math.nan
    return Step(
        f"Wanted: one matrix for every t. It has d^2 = {whole(d * d)} unknown entries, and each t gives d = {whole(d)} "
        "equations, one for each row.".replace("^2", "²"),
        "M p_t = p_{t+k}",
        f"{corner} {' = '.join(vectors)} for t = {t}, k = {k}",
        miss, 0.0, f"largest miss of the {whole(d)} equations by the matrix found below", is_miss=True,
    )  # fmt: skip


def _written_out(m: Moment) -> Step:
    (x, y), (s, c), sine = m.now, m.turn, whole(m.columns[0])
    last, tau = whole(m.half - 1), m.tau
    d = whole(m.encoding.d_model - 1)
    return Step(
        f"Row {sine} written out: every column stands at the left, the sine of a sum at the right. A slip in "
        "“Transformers Breakdown”: equations 12 and 13 end with a frequency of index d − 1; the last one has the "
        f"index (d − 2)/2, here {last}.",
        f"m_{{{sine},0}} sin(ω_0{tau}) + m_{{{sine},1}} cos(ω_0{tau}) + … + m_{{{sine},{d}}} cos(ω_{{{last}}}{tau}) "
        f"= sin({m.w}{tau}) cos({m.w}k) + cos({m.w}{tau}) sin({m.w}k)",
        f"… = {factor(x)} · {factor(c)} + {factor(y)} · {factor(s)} = {number(x * c + y * s)}",
        x * c + y * s, m.later[0], "in the table at t + k",
    )  # fmt: skip


def _one_time(encoding: Encoding, cursor: Cursor) -> tuple[Step, ...]:
    """A row that solves the equation of one t and misses at another."""
    row = chosen_columns(encoding, cursor)[0]
    (now, later), (after, after_later) = both_rows(encoding, cursor), both_rows(encoding, cursor, 1.0)
    square = float(now @ now)
    if square == 0:
        return ()
    solution = now * (later[row] / square)
    miss = abs(float(solution @ after - after_later[row]))
    t = cursor.position
    return (
        Step(
            f"One t is one equation for the {whole(encoding.d_model)} unknowns of a row: many rows solve it. The one "
            f"along PE(t) does, and at t = {position(t + 1.0)} it misses by {tiny(miss)}. Only all t together leave "
            "no choice.",
            rf"m = \frac{{PE(t+k, {whole(row)})}}{{|p_t|^2}} p_t",
            f"{number(float(later[row]))} / {number(square)} · |p_t|^2 = {number(float(solution @ now))}",
            float(solution @ now), float(later[row]), "in the table at t + k",
        ),
    )  # fmt: skip


def _independent(m: Moment, system: ShiftSystem | None, log_det: float | None) -> Step:
    """The determinant from frequencies, and by elimination where float64 can; the rank that float64 sees."""
    d, n = m.encoding.d_model, m.encoding.n_positions
    words = (
        "All t: sines and cosines of different frequencies are linearly independent, so the row is unique once there "
        "are d positions. Their first d rows have this determinant"
    )
    if n < d:
        words += (
            f"; this table has N = {whole(n)} rows, too few for d = {whole(d)}: M_k is the one that holds for every t"
        )
    formula = r"|det| = Π_i |sin ω_i| Π_{i<j} 4(cos ω_i − cos ω_j)^2 ≠ 0"
    rank = "" if system is None else f" {_rank_sentence(m.encoding, system)}"
    if log_det is None:
        return Step(f"{words}.{rank}", formula, "measuring…")
    if math.isinf(log_det):
        return Step(
            f"{words}: 0, for hands turn alike. Columns are sums of others, and other matrices do the same as "
            f"M_k.{rank}",
            formula.replace("≠", "="), "0", fails=True,
        )  # fmt: skip
    total = log_det + d * math.log10(m.amplitude)
    eliminated = math.nan if system is None or system.log10_determinant is None else system.log10_determinant
    return Step(
        f"{words}: not 0.{rank}", formula, _power(total),
        total, eliminated, "" if math.isnan(eliminated) else "as its power of ten by elimination in float64",
    )  # fmt: skip


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


def _matched(m: Moment) -> list[Step]:
    (s, c), (sine, cosine) = m.turn, map(whole, m.columns)
    others = whole(m.encoding.d_model - 2)
    zeros = f", the other {others} are 0" if m.encoding.d_model > 2 else ""
    residual = float(shift_residuals(m.encoding, m.k, [m.t + 1.0])[0])
    return [
        Step(
            f"Match the factors: at the right stand the sine and the cosine of pair {m.i} alone, so at the left "
            f"every other factor is 0. Row {sine}:",
            f"m_{{{sine},{sine}}} = cos({m.w}k), m_{{{sine},{cosine}}} = sin({m.w}k){zeros}",
            f"{number(c)}, {number(s)}{zeros}",
            abs(m.now[0] * c + m.now[1] * s - m.later[0]), 0.0, "row times PE(t), less PE(t + k)", is_miss=True,
        ),
        Step(
            f"Row {cosine}:",
            f"m_{{{cosine},{sine}}} = −sin({m.w}k), m_{{{cosine},{cosine}}} = cos({m.w}k){zeros}",
            f"{number(-s)}, {number(c)}{zeros}",
            residual, 0.0, f"all rows at the next position, t = {position(m.t + 1.0)}, largest miss", is_miss=True,
        ),
    ]  # fmt: skip


def _least_squares(encoding: Encoding, cursor: Cursor, system: ShiftSystem | None) -> Step:
    columns = chosen_columns(encoding, cursor)
    formula = "min_m Σ_t (m p_t − PE(t+k))^2"
    if system is None:
        return Step("The same without the argument: least squares over the table.", formula, "measuring…")
    rest = np.delete(np.abs(system.rows), columns, axis=1)
    largest = float(rest.max(initial=0.0))
    found = ", ".join(number(float(system.rows[0, column])) for column in columns)
    others = f"; the largest of its and the next row's other entries is {tiny(largest)}" if rest.size else ""
    words = (
        f"The same without the argument: least squares in float64 over t = 0 to {whole(system.n_equations - 1)}. Row "
        f"{whole(columns[0])} has {found} at {_columns_text(columns)}{others}."
    )
    if rotating_pairs(encoding) is None:
        words += (
            " It fits these rows alone: at other t it misses, as Look back measures. "
            f"{_rank_sentence(encoding, system)}"
        )
    return Step(
        words,
        formula,
        "",
        system.residual,
        0.0,
        "largest miss at these t",
        is_miss=True,
    )


def _columns_text(columns: tuple[int, ...]) -> str:
    return f"dimension{'s' if len(columns) > 1 else ''} {' and '.join(map(whole, columns))}"


def _whole_matrix(m: Moment, report: ShiftReport | None) -> Step:
    last = whole(n_hands(m.encoding) - 1)
    interleaved = abs(m.columns[0] - m.columns[1]) == 1
    blocks = rf"M_k = \matrix{{R_0 & & \\ & … & \\ & & R_{{{last}}}}}" if interleaved and m.half > 1 else "M_k = R_0"
    if not interleaved:
        blocks = r"M_k = \matrix{C & S \\ −S & C}"
    words = (
        "Every pair has its own block, and nothing in it depends on t."
        if interleaved
        else "Every pair has its own four entries, here on four diagonals, and nothing in them depends on t."
    )
    k = f"k = {position(m.k)}"
    if report is None:
        return Step(words, blocks, k)
    sample = "" if len(report.positions) == m.encoding.n_positions else f" at {whole(len(report.positions))} sampled t"
    return Step(
        words,
        blocks,
        k,
        float(report.largest_residual),
        0.0,
        f"largest miss{sample or ' at every t'}",
        is_miss=True,
    )
