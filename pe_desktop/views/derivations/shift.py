"""Frequencies, and the matrix of a shift: log space, sums of angles, row k, all d x d equations; why codes turn."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from pe_desktop.core.cursor import n_hands
from pe_desktop.core.derivations import RANK_SHARE, ShiftSystem, log10_determinant, shift_system
from pe_desktop.core.encoding import Floats, Pairs
from pe_desktop.core.lags import profile
from pe_desktop.core.number_text import MINUS, SUPERSCRIPTS, in_formula
from pe_desktop.core.rotation import ShiftReport
from pe_desktop.draw.formula_text import exact, factor, matrix, number, place, signed, times, vector
from pe_desktop.draw.number_text import degrees, fixed, plain, position, power_of_ten, short, whole
from pe_desktop.model.findings import Question, Questions
from pe_desktop.views.derivations import pictures
from pe_desktop.views.derivations.step import KEY, QUERY, Moment, Step, chapter, products, step, tiny
from pe_desktop.views.questions import shift_question

# Another basis of two numbers.
_BASIS: Final = np.array([[2.0, 1.0], [0.0, 1.0]])
# A factor a step that isn't 1, and so many steps.
_GROWTH, _STEPS = 1.01, 1000


def _log_steps(m: Moment) -> Iterator[Step]:
    """From base to the power x to e to the power -x ln base."""
    if m.hands is None:
        return
    hand, _ = m.wave(m.columns[0])
    definition = m.encoding.formulas[-1]
    omega = float(m.hands.angular_frequencies[hand])
    exponent = m.hands.exponent(hand)
    if exponent is None:
        yield step(m, "log defined", f"ω_{{{hand}}} = {exact(omega)}", definition=definition)
        return
    x = exponent[0] / exponent[1]
    e = "/".join(map(plain, exponent))
    power = math.pow(m.base, x)
    top = "1" if m.scale == 1 else short(m.scale, 4)
    numbers = (
        rf"ω_{{{hand}}} = \frac{{{m.c or '1'}}}{{B^x}} = \frac{{{top}}}{{{in_formula(m.base)}^{{{e}}}}} = "
        rf"\frac{{{top}}}{{{exact(power)}}} = {exact(m.scale / power)}"
    )
    yield step(m, "log power", numbers, m.scale / power, omega, definition=definition, hand=hand, e=e, x=exact(x))
    yield from _inverted(m, hand, x)
    yield from (_put_in(m, m.hands, column) for column in m.columns)
    yield _slip(m, hand, x)


def _inverted(m: Moment, hand: int, x: float) -> Iterator[Step]:
    power, log, c = math.pow(m.base, x), math.log(m.base), times(m.scale)
    numbers = f"{exact(power)} = e^{{{number(math.log(power))}}}"
    yield step(m, "log any number", numbers, math.exp(math.log(power)), power)
    numbers = f"{number(math.log(power))} = {number(x)} · {number(log)}"
    yield step(m, "log factor", numbers, x * log, math.log(power))
    inverse = m.scale * math.exp(-x * log)
    numbers = f"{c and c + '· '}e^{{{MINUS}{number(x)} · {number(log)}}} = {exact(inverse)}"
    named = {"hand": hand, "top": m.c or "1", "c": m.c and "c "}
    yield step(m, "log inverse", numbers, inverse, m.scale / power, **named)


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
    numbers = f"{times(a)}{name}({place(moved)} · {exact(omega)}) = {number(value, 6)}"
    named = {"title": title, "name": name, "letter": letter, "c": m.c and "c ", "a": times(a), "column": whole(column)}
    return step(m, "log put in", numbers, value, float(m.rows[0, column]), size=a, told=m.told(m.t), **named)


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
    return step(m, "log slip", numbers, slipped, over, **named)


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


def _relative_steps(m: Moment) -> Iterator[Step]:
    """R_t^T R_s = R_(s - t), and so the score of a turned query and key."""
    first, last, between = map(m.block, (m.t, m.t + m.k, m.k))
    (c, s), (cq, sq) = first[0].tolist(), last[0].tolist()
    yield step(m, "relative turned", f"{matrix(*first.tolist())}, {matrix(*last.tolist())}", c * c + s * s, 1.0)
    back = float(m.block(-m.t)[1, 0])
    yield step(m, "relative back", matrix(*first.T.tolist()), float(first.T[1, 0]), back)
    yield step(m, "relative cosine", *products((c, cq), (s, sq)), float(between[0, 0]))
    yield step(m, "relative sine", *products((c, sq), (-s, cq)), float(between[0, 1]))
    product = first.T @ last
    miss = float(np.abs(product - between).max())
    yield step(m, "relative product", matrix(*product.tolist()), miss, is_miss=True)
    yield from _scores(m, first, last, between)


def _scores(m: Moment, first: Floats, last: Floats, between: Floats) -> Iterator[Step]:
    """What a turned pair of a query and of a key gives to the score."""
    turned, alone = float((first @ QUERY) @ (last @ KEY)), float(QUERY @ between @ KEY)
    further = float((m.block(m.t + 1) @ QUERY) @ (m.block(m.t + m.k + 1) @ KEY))
    x, y = (vector(one.tolist(), decimals=0) for one in (QUERY, KEY))
    yield step(m, "relative score", f"x = {x}, y = {y}: {number(turned)}", turned, alone)
    at = f"t + 1 = {position(m.t + 1)} and s + 1 = {position(m.t + m.k + 1)}"
    yield step(m, "relative further", f"{number(further)} at {at}", further, turned)


def _turn_steps(m: Moment) -> Iterator[Step]:
    """A bounded code with one fixed linear map a step is, up to a basis, sines and cosines."""
    block, (x, y), (first_x, first_y) = m.block(1.0), m.now, m.hand(0.0)
    c, s = block[0].tolist()
    yield step(m, "turns wanted", *products((x, c), (y, s)), m.hand(m.t + 1)[0], size=m.amplitude)
    numbers = f"λ = {number(c)} ± {number(abs(s))} √−1, their sum {number(2 * c)}"
    yield step(m, "turns eigenvectors", numbers, 2 * c, 2 * m.measured(m.t, 1.0)[0])
    numbers = f"{_GROWTH}^{{{whole(_STEPS)}}} = {number(_GROWTH**_STEPS)}; here |λ| ="
    yield step(m, "turns bounded", numbers, math.hypot(c, s), 1.0)
    cosine, sine = m.block(m.t)[0].tolist()
    numbers = f"{factor(first_x)} · cos({place(m.t)} · {m.w}) + {factor(first_y)} · sin({place(m.t)} · {m.w}) ="
    yield step(m, "turns waves", numbers, first_x * cosine + first_y * sine, x, size=m.amplitude)
    other = _BASIS @ block @ np.linalg.inv(_BASIS)
    numbers = f"B = {matrix(*_BASIS.tolist(), decimals=0)}, B M B^{{−1}} = {matrix(*other.tolist())}"
    yield step(m, "turns basis", numbers, float(np.trace(other)), 2 * c)
    yield step(m, "turns free")


CHAPTERS: Final = {
    "log": chapter("log", _log_steps, pictures.frequencies),
    "block": chapter("block", _block_steps, pictures.sum_of_angles, unlike=_unlike_blocks),
    "entries": chapter("entries", _entry_steps, pictures.row_of_offset, unlike=_unlike_blocks),
    "system": chapter("system", _system_steps, pictures.whole_matrix, questions=_system_questions),
    "relative": chapter("relative", _relative_steps, pictures.turned_pair, unlike=lambda _m: iter(())),
    "turns": chapter("turns", _turn_steps, pictures.shift, unlike=lambda _m: iter(())),
}
