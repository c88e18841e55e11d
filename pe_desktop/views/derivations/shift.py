"""Frequencies, and the matrix of a shift: log space, sums of angles, row k, all d x d equations; why codes turn."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from pe_desktop.core.cursor import n_hands
from pe_desktop.core.derivations import RANK_SHARE, ShiftSystem, log10_determinant, shift_system
from pe_desktop.core.encoding import Floats, Pairs
from pe_desktop.core.lags import profile
from pe_desktop.core.number_text import SUPERSCRIPTS, in_formula
from pe_desktop.core.rotation import ShiftReport
from pe_desktop.draw.formula_text import exact, number, signed
from pe_desktop.draw.number_text import fixed, plain, position, power_of_ten, short, whole
from pe_desktop.model.findings import Question, Questions
from pe_desktop.views.derivations import pictures
from pe_desktop.views.derivations.step import KEY, QUERY, WORDS, Moment, Step, chapter, products, step, tiny
from pe_desktop.views.questions import shift_question

# Another basis of two numbers.
_BASIS: Final = np.array([[2.0, 1.0], [0.0, 1.0]])


def _log_steps(m: Moment) -> Iterator[Step]:
    """From base to the power x to e to the power -x ln base."""
    if m.hands is None:
        return
    hand, _ = m.wave(m.columns[0])
    definition = m.encoding.formulas[-1]
    omega = float(m.hands.angular_frequencies[hand])
    exponent = m.hands.exponent(hand)
    if exponent is None:
        yield step(m, "log defined", hand=hand, omega=omega, definition=definition)
        return
    x = exponent[0] / exponent[1]
    power = math.pow(m.base, x)
    named = {"hand": hand, "e": "/".join(map(plain, exponent)), "x": x, "power": power, "c": m.c or "1"}
    top = "1" if m.scale == 1 else short(m.scale, 4)
    yield step(m, "log power", m.scale / power, omega, definition=definition, top=top, **named)
    yield from _inverted(m, hand, x)
    yield from (_put_in(m, m.hands, column) for column in m.columns)
    yield _slip(m, hand, x)


def _inverted(m: Moment, hand: int, x: float) -> Iterator[Step]:
    power, log = math.pow(m.base, x), math.log(m.base)
    exponent = math.log(power)
    yield step(m, "log any number", math.exp(exponent), power, exponent=exponent)
    yield step(m, "log factor", x * log, exponent, x=x, log=log)
    factor = "" if m.scale == 1 else f"{short(m.scale, 4)} · "
    named = {"hand": hand, "top": m.c or "1", "c": m.c and "c ", "x": x, "log": log, "factor": factor}
    yield step(m, "log inverse", m.scale * math.exp(-x * log), m.scale / power, **named)


def _put_in(m: Moment, hands: Pairs, column: int) -> Step:
    """Equation 4 for one column."""
    hand, is_cosine = m.wave(column)
    exponent = hands.exponent(hand)
    assert exponent is not None
    (moved, letter), a = _mapped(m), float(m.encoding.parameters.get("amplitude", 1.0))
    title, name, function = ("cosine", "cos", math.cos) if is_cosine else ("sine", "sin", math.sin)
    omega = m.scale * math.exp(-exponent[0] / exponent[1] * math.log(m.base))
    # The product of large numbers would have lost its whole turns.
    value = a * function(float(hands.angles([m.t], [hand])[0, 0]))
    named = {"title": title, "name": name, "letter": letter, "c": m.c and "c ", "a": a, "column": whole(column)}
    named |= {"moved": moved, "omega": omega, "told": m.told(m.t)}
    return step(m, "log put in", value, float(m.rows[0, column]), size=a, **named)


def _mapped(m: Moment) -> tuple[float, str]:
    """What the frequency is multiplied by at t, and its letter."""
    t, word = m.t, m.encoding.parameters.get("map")
    if word is None:
        return t + m.start, f"(t {signed(m.start)})" if m.start else "t"
    image = {
        "square": (t * t, "t^2"),
        "root": (math.sqrt(t), "t^{1/2}"),
        "log": (math.log1p(t), "ln(1 + t)"),
        "reciprocal": (1 / (1 + t), "(1 + t)^{−1}"),
    }
    return image[str(word)]


def _slip(m: Moment, hand: int, x: float) -> Step:
    slipped = m.scale * math.exp(-x * math.log(10 * m.base))
    right, wrong = in_formula(m.base), in_formula(10 * m.base)
    slower = f"hand {hand} would turn {short(math.pow(10.0, x), 4)} times slower"
    slower = slower if x else "for hand 0, with x = 0, nothing"
    printed = f"has a zero too many: here ln {wrong} for ln {right}"
    printed = "ends with ln 100000 for ln 10000" if m.base == 10000 else printed
    numbers = f"{exact(slipped)} ≠ {exact(slipped * 10**x)}" if x else exact(slipped)
    over = m.scale * math.pow(m.base, -x) / math.pow(10.0, x)
    named = {"printed": printed, "slower": slower, "wrong": wrong, "right": right, "sign": "≠" if x else "="}
    return step(m, "log slip", slipped, over, given=numbers, **named)


def _block_steps(m: Moment) -> Iterator[Step]:
    """How the 2 x 2 block of a pair is found from the sine and the cosine of a sum."""
    (x, y), (s, c), a = m.now, m.turn, m.amplitude
    yield step(m, "block wanted", m.residual(m.t), is_miss=True, size=a, block=((c, s), (-s, c)))
    yield step(m, "block sine", other=m.later[0], size=a, **products((x, c), (y, s)))
    yield step(m, "block cosine", other=m.later[1], size=a, **products((y, c), (x, -s)))
    measured_c, measured_s = m.measured(m.t)
    yield step(m, "block first row", c, measured_c)
    yield step(m, "block second row", -s, -measured_s)
    yield step(m, "block turn", c * c + s * s, 1.0, angle=m.k * m.omega, cc=c * c, ss=s * s)
    yield from _everywhere(m)


def _everywhere(m: Moment) -> Iterator[Step]:
    """The same block at another t; and PE(t) is no linear function of t, from the table and from dot products."""
    other, sine = m.measured(m.elsewhere)
    yield step(m, "block everywhere", m.measured(m.t)[0], other, sine=sine, later=m.elsewhere + m.k)
    own, at_k, later = m.encoding.values([m.t, m.k, m.t + m.k])
    dots = profile(m.encoding, "dot", [0.0, m.t - m.k, m.k, m.t]).tolist()
    square = 3 * dots[0] + 2 * dots[1] - 2 * dots[2] - 2 * dots[3]
    size = float(np.linalg.norm(own + at_k - later))
    yield step(m, "block linear", size, math.sqrt(max(square, 0.0)), size=m.amplitude)


def _unlike_blocks(m: Moment) -> Iterator[Step]:
    """Where no block fits every t: at which step it fails, and what the chosen hand needs at two t."""
    here = m.measured(m.t)
    blocks = {place: m.measured(place) for place in (m.elsewhere, m.t + 1.0)}
    elsewhere, there = next(((at, block) for at, block in blocks.items() if not math.isnan(block[0])), (m.t, here))
    u = position(elsewhere)
    if m.encoding.pairs is not None and m.pairs.keeps_length:
        turned, other = m.pairs.turns([m.t, elsewhere], m.k, [m.i])[:, 0].tolist()
        yield step(m, "block uneven", turned, other, u=u, fails=True)
    yield from _missing_wave(m)
    if math.isnan(here[0]):
        yield step(m, "block zero", names=" = ".join(f"PE(t, {name})" for name in m.names), fails=True)
        return
    which = "alike" if math.dist(here, there) < 1e-9 else "unlike"
    yield step(m, f"block {which}", here[1], there[1], here=here, there=there, u=u)


def _missing_wave(m: Moment) -> Iterator[Step]:
    """The sum of angles of the first chosen column, and the factor in it that stands in no column."""
    waves = m.encoding.column_waves
    if waves is None or np.count_nonzero(waves.numbers == waves.numbers[m.columns[0]]) > 1:
        return
    hand, is_cosine = m.wave(m.columns[0])
    x, y = waves.hands.hands([m.t], [hand])[0, 0].tolist()
    s, c = waves.hands.offset_hands([m.k], [hand])[0, 0].tolist()
    name, lost, own, other, sign = ("cos", "sin", y, x, "−") if is_cosine else ("sin", "cos", x, y, "+")
    named = products((own, c), (other, -s if is_cosine else s))
    named |= {"name": name, "lost": lost, "sign": sign, "w": f"ω_{{{hand}}}", "missing": other}
    yield step(m, "block missing", other=float(m.rows[1, m.columns[0]]), fails=True, **named)


def _entry_steps(m: Moment) -> Iterator[Step]:
    """The angle sums written with entries of the table alone, and the entries of M_k found in it."""
    row, (s, c) = f"k {signed(-m.start)}" if m.start else "k", m.hand(m.k - m.start)
    (x, y), a = m.now, m.amplitude
    opened, closed = ("(", f") / {short(a, 4)}") if m.a else ("", "")
    named = {"row": row, "opened": opened, "closed": closed, "s": s, "c": c}
    yield step(m, "entries sine", (x * c + s * y) / a, m.later[0], size=a, **named)
    yield step(m, "entries cosine", (y * c - s * x) / a, m.later[1], size=a, **named)
    yield from _entry_matrix(m, row, s / a, c / a)


def _entry_matrix(m: Moment, row: str, s: float, c: float) -> Iterator[Step]:
    x, y = m.now
    named = {"row": row, "over": f" / {short(m.amplitude, 4)}" if m.a else ""}
    angle = m.rest(m.i)
    miss = max(abs(x * c + y * s - m.later[0]), abs(y * c - x * s - m.later[1]))
    yield step(m, "entries matrix", miss, is_miss=True, size=m.amplitude, block=((c, s), (-s, c)), **named)
    yield step(m, "entries entries", c, m.turn[1], s=s, **named)
    miss = abs(math.remainder(angle - math.atan2(s, c), math.tau))
    yield step(m, "entries angle", miss, is_miss=True, turn=m.k * m.omega, angle=angle, **named)


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
    d = m.encoding.d_model
    named = {"square": whole(d * d), "last": whole(d - 1), "ends": m.rows[:, -1].tolist()}
    miss = m.residual(m.t) if m.turns else math.nan
    return step(m, "system unknowns", miss, is_miss=True, size=m.amplitude, **named)


def _written_out(m: Moment) -> Step:
    (x, y), (s, c) = m.now, m.turn
    named = {"last": whole(m.half - 1), "d": whole(m.encoding.d_model - 1), **products((x, c), (y, s))}
    return step(m, "system written out", other=m.later[0], size=m.amplitude, **named)


def _one_time(m: Moment) -> Iterator[Step]:
    """A row that solves the equation of one t and misses at another."""
    row, (now, later), (after, after_later) = m.columns[0], m.rows, m.rows_at(m.t + 1.0)
    square, wanted = float(now @ now), float(later[row])
    if square == 0:
        return
    solution = now * (wanted / square)
    miss, found = abs(float(solution @ after - after_later[row])), float(solution @ now)
    named = {"next": m.t + 1.0, "miss": miss, "square": square}
    yield step(m, "system one t", found, wanted, size=m.amplitude, **named)


def _independent(m: Moment, system: ShiftSystem | None, log_det: float | None) -> Step:
    """The determinant from frequencies, and by elimination where float64 can; the rank that float64 sees."""
    d, n = m.encoding.d_model, m.encoding.n_positions
    few = f"; this table has N = {whole(n)} rows, too few for d = {whole(d)}: M_k is the one that holds for every t"
    named = {"few": few if n < d else "", "found": "", "sign": "≠", "by": "", "rank": _rank_sentence(m, system)}
    if log_det is None:
        return step(m, "system independent", given="measuring…", **named | {"found": "."})
    if math.isinf(log_det):
        found = ": 0, for hands turn alike. Columns are sums of others, and other matrices do the same as M_k."
        return step(m, "system independent", given="0", fails=True, **named | {"found": found, "sign": "="})
    total = log_det + d * math.log10(m.amplitude)
    eliminated = math.nan if system is None or system.log10_determinant is None else system.log10_determinant
    by = "" if math.isnan(eliminated) else "as its power of ten by elimination in float64"
    named |= {"found": ": not 0.", "by": by}
    return step(m, "system independent", total, eliminated, given=_power(total), **named)


def _rank_sentence(m: Moment, system: ShiftSystem | None) -> str:
    """The rank that float64 sees, with a blank before it."""
    if system is None:
        return ""
    share = power_of_ten(round(math.log10(RANK_SHARE)))
    d = m.encoding.d_model
    form: str = WORDS["rank less" if system.rank < min(system.n_equations, d) else "rank"]
    return form.format(share, *map(whole, (system.rank, d, system.n_equations - 1)))


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
    how = {"zeros": zeros, "next": m.t + 1.0, "minus": -s, "is_miss": True, "size": m.amplitude}
    yield step(m, "system first row", miss, **how)
    yield step(m, "system second row", m.residual(m.t + 1.0), **how)


def _least_squares(m: Moment, system: ShiftSystem | None) -> Step:
    if system is None:
        return step(m, "system solving")
    rest = np.delete(np.abs(system.rows), m.columns, axis=1)
    largest = tiny(float(rest.max(initial=0.0)))
    found = ", ".join(number(float(system.rows[0, column])) for column in m.columns)
    others = f"; the largest of its and the next row's other entries is {largest}" if rest.size else ""
    limits = f" It fits these rows alone: at other t it misses, as Look back measures.{_rank_sentence(m, system)}"
    named = {"found": found, "others": others, "limits": "" if m.turns else limits}
    last = whole(system.n_equations - 1)
    return step(m, "system solved", system.residual, is_miss=True, size=m.amplitude, last=last, **named)


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
    return step(m, "system whole", miss, is_miss=True, size=m.amplitude, **named)


def _system_questions(m: Moment) -> Questions:
    """The equations solved in float64; where hands turn, the residuals of M_k and the determinant of the columns."""
    columns = m.columns[0], m.columns[-1]
    solved = Question("system", shift_system, (m.encoding, m.k, columns), rank=1, takes="nothing")
    if not m.turns:
        return (solved,)
    return solved, shift_question(m.encoding, m.k), Question("determinant", log10_determinant, (m.pairs,), rank=1)


def _relative_steps(m: Moment) -> Iterator[Step]:
    """R_t^T R_s = R_(s - t), and so the score of a turned query and key."""
    first, last, between = map(m.block, (m.t, m.t + m.k, m.k))
    (c, s), (cq, sq) = first[0].tolist(), last[0].tolist()
    yield step(m, "relative turned", c * c + s * s, 1.0, first=first.tolist(), last=last.tolist())
    back = first.T.tolist()
    yield step(m, "relative back", back[1][0], float(m.block(-m.t)[1, 0]), back=back)
    yield step(m, "relative cosine", other=float(between[0, 0]), **products((c, cq), (s, sq)))
    yield step(m, "relative sine", other=float(between[0, 1]), **products((c, sq), (-s, cq)))
    product = first.T @ last
    miss = float(np.abs(product - between).max())
    yield step(m, "relative product", miss, is_miss=True, product=product.tolist())
    yield from _scores(m, first, last, between)


def _scores(m: Moment, first: Floats, last: Floats, between: Floats) -> Iterator[Step]:
    """What a turned pair of a query and of a key gives to the score."""
    turned, alone = float((first @ QUERY) @ (last @ KEY)), float(QUERY @ between @ KEY)
    further = float((m.block(m.t + 1) @ QUERY) @ (m.block(m.t + m.k + 1) @ KEY))
    yield step(m, "relative score", turned, alone, x=QUERY.tolist(), y=KEY.tolist())
    yield step(m, "relative further", further, turned, t=m.t + 1, s=m.t + m.k + 1)


def _turn_steps(m: Moment) -> Iterator[Step]:
    """A bounded code with one fixed linear map a step is, up to a basis, sines and cosines."""
    block, (x, y), first = m.block(1.0), m.now, m.hand(0.0)
    c, s = block[0].tolist()
    yield step(m, "turns wanted", other=m.hand(m.t + 1)[0], size=m.amplitude, **products((x, c), (y, s)))
    yield step(m, "turns eigenvectors", 2 * c, 2 * m.measured(m.t, 1.0)[0], c=c, s=abs(s))
    yield step(m, "turns bounded", math.hypot(c, s), 1.0)
    cosine, sine = m.block(m.t)[0].tolist()
    yield step(m, "turns waves", first[0] * cosine + first[1] * sine, x, size=m.amplitude, first=first)
    other = _BASIS @ block @ np.linalg.inv(_BASIS)
    yield step(m, "turns basis", float(np.trace(other)), 2 * c, basis=_BASIS.tolist(), block=other.tolist())
    yield step(m, "turns free")


CHAPTERS: Final = {
    "log": chapter("log", _log_steps, pictures.frequencies),
    "block": chapter("block", _block_steps, pictures.sum_of_angles, unlike=_unlike_blocks),
    "entries": chapter("entries", _entry_steps, pictures.row_of_offset, unlike=_unlike_blocks),
    "system": chapter("system", _system_steps, pictures.whole_matrix, questions=_system_questions),
    "relative": chapter("relative", _relative_steps, pictures.turned_pair, unlike=lambda _m: iter(())),
    "turns": chapter("turns", _turn_steps, pictures.shift, unlike=lambda _m: iter(())),
}
