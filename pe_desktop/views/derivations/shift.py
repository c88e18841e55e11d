"""From the definition to the matrix: log space, the sums of angles, the matrix made of PE(k)."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from pe_desktop.core.derivations import measured_block
from pe_desktop.core.encoding import Pairs
from pe_desktop.core.lags import profile
from pe_desktop.core.number_text import MINUS, in_formula
from pe_desktop.core.rotation import shift_residuals
from pe_desktop.draw.formula_text import exact, factor, matrix, number, place, signed, times, vector
from pe_desktop.draw.number_text import degrees, plain, position, short, whole
from pe_desktop.views.derivations import pictures
from pe_desktop.views.derivations.step import ZERO_ROW, Chapter, Moment, Step


def _wave(m: Moment, column: int) -> tuple[int, bool]:
    """The hand of which a chosen column is the sine or the cosine, and whether it is the cosine."""
    waves = m.encoding.column_waves
    if waves is None:
        return m.i, column == m.columns[-1]
    return int(waves.numbers[column]), bool(waves.is_cosine[column])


def _log_steps(m: Moment) -> Iterator[Step]:
    """From base to the power x to e to the power -x ln base."""
    if m.hands is None:
        return
    hand, _ = _wave(m, m.columns[0])
    definition, omega = m.encoding.formulas[-1], float(m.hands.angular_frequencies[hand])
    exponent = m.hands.exponent(hand)
    if exponent is None:
        yield Step("The definition of the frequencies.", definition, f"ω_{{{hand}}} = {exact(omega)}")
        return
    x, e = exponent[0] / exponent[1], "/".join(map(plain, exponent))
    power, top = math.pow(m.base, x), "1" if m.scale == 1 else short(m.scale, 4)
    yield Step(
        f"The definition of the frequencies, here of number {hand} with the exponent x = {e} = {exact(x)}.",
        definition,
        rf"ω_{{{hand}}} = \frac{{{m.c or '1'}}}{{B^x}} = \frac{{{top}}}{{{in_formula(m.base)}^{{{e}}}}} = "
        rf"\frac{{{top}}}{{{exact(power)}}} = {exact(m.scale / power)}",
        m.scale / power, omega, "as the frequency of the table",
    )  # fmt: skip
    yield from _inverted(m, hand, x)
    yield from (_put_in(m, m.hands, column) for column in m.columns)
    yield _slip(m, hand, x)


def _inverted(m: Moment, hand: int, x: float) -> Iterator[Step]:
    power, log, c = math.pow(m.base, x), math.log(m.base), times(m.scale)
    words = "Any positive number is e to the power of its logarithm."
    formula = "y = e^{ln y}, y = B^x"
    numbers = f"{exact(power)} = e^{{{number(math.log(power))}}}"
    yield Step(words, formula, numbers, math.exp(math.log(power)), power, "as the power itself")
    words = "The logarithm of a power: the exponent comes down as a factor."
    formula = "ln(B^x) = x ln B"
    numbers = f"{number(math.log(power))} = {number(x)} · {number(log)}"
    yield Step(words, formula, numbers, x * log, math.log(power), "as the logarithm of the power")
    inverse = m.scale * math.exp(-x * log)
    words = "One over a power is the power with a minus: the form that programs compute, exp(2i · (−ln B / d))."
    formula = rf"ω_{{{hand}}} = \frac{{{m.c or '1'}}}{{e^{{x ln B}}}} = {m.c and 'c '}e^{{−x ln B}}"
    numbers = f"{c and c + '· '}e^{{{MINUS}{number(x)} · {number(log)}}} = {exact(inverse)}"
    yield Step(words, formula, numbers, inverse, m.scale / power, "by the power")


def _put_in(m: Moment, hands: Pairs, column: int) -> Step:
    """Equation 4 for one column."""
    hand, is_cosine = _wave(m, column)
    exponent = hands.exponent(hand)
    assert exponent is not None
    (moved, letter), a = _mapped(m), float(m.encoding.parameters.get("amplitude", 1.0))
    title, name, function = ("cosine", "cos", math.cos) if is_cosine else ("sine", "sin", math.sin)
    omega = m.scale * math.exp(-exponent[0] / exponent[1] * math.log(m.base))
    # The product of large numbers would have lost its whole turns.
    value = a * function(float(hands.angles([m.t], [hand])[0, 0]))
    words = f"Put into the {title}: dimension {whole(column)} at t = {position(m.t)}."
    formula = f"PE(t, {whole(column)}) = {times(a)}{name}({letter} {m.c and 'c '}e^{{−x ln B}})"
    numbers = f"{times(a)}{name}({place(moved)} · {exact(omega)}) = {number(value, 6)}"
    told = float(m.encoding.values([m.t], [column])[0, 0])
    return Step(words, formula, numbers, value, told, "in the table", size=a)


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
    printed = f"has a zero too many: here ln {wrong} for ln {right}"
    printed = "ends with ln 100000 for ln 10000" if m.base == 10000 else printed
    return Step(
        "A slip: the derivation in the workshop notes “Sinusoidal Embeddings” "
        f"{printed}; {slower if x else 'for hand 0, with x = 0, nothing'}.",
        f"e^{{−x ln {wrong}}} {'≠' if x else '='} e^{{−x ln {right}}}",
        f"{exact(slipped)} ≠ {exact(slipped * 10**x)}" if x else exact(slipped),
        slipped, m.scale * math.pow(m.base, -x) / math.pow(10.0, x), "as the right one over 10ˣ",
    )  # fmt: skip


def _block_steps(m: Moment) -> Iterator[Step]:
    """How the 2 x 2 block of a pair is found from the sine and the cosine of a sum."""
    if not m.turns:
        yield from _unlike_blocks(m)
        return
    yield _wanted(m)
    yield from _sums(m)
    yield from _compared(m)
    yield _same_everywhere(m)
    yield _not_linear(m)


def _wanted(m: Moment) -> Step:
    (s, c), held = m.turn, f" A row holds {times(m.amplitude)}sine and cosine." if m.a else ""
    return Step(
        f"Wanted: one matrix for all t. For pair {m.i} it will be this one.{held}{m.where}",
        "M_k p_t = p_{t+k}",
        f"{matrix((c, s), (-s, c))} {vector(m.now)} = {vector(m.later)}",
        float(shift_residuals(m.encoding, m.k, [m.t])[0]), 0.0,
        f"largest miss of all {whole(m.encoding.d_model)} dimensions", is_miss=True, size=m.amplitude,
    )  # fmt: skip


def _sums(m: Moment) -> Iterator[Step]:
    (x, y), (s, c), w, tau = m.now, m.turn, m.w, m.tau
    words = f"Row {m.names[0]}, the sine of pair {m.i}: the sine of a sum."
    formula = f"sin({w}({tau}+k)) = sin({w}{tau}) cos({w}k) + cos({w}{tau}) sin({w}k)"
    numbers = f"{factor(x)} · {factor(c)} + {factor(y)} · {factor(s)} = {number(x * c + y * s)}"
    yield Step(words, formula, numbers, x * c + y * s, m.later[0], "in the table at t + k", size=m.amplitude)
    words = f"Row {m.names[1]}, its cosine: the cosine of a sum."
    formula = f"cos({w}({tau}+k)) = cos({w}{tau}) cos({w}k) − sin({w}{tau}) sin({w}k)"
    numbers = f"{factor(y)} · {factor(c)} − {factor(x)} · {factor(s)} = {number(y * c - x * s)}"
    yield Step(words, formula, numbers, y * c - x * s, m.later[1], "in the table at t + k", size=m.amplitude)


def _compared(m: Moment) -> Iterator[Step]:
    (s, c), w, (sine, cosine) = m.turn, m.w, m.names
    measured_c, measured_s = measured_block(m.encoding, m.t, m.k, m.i)
    words = f"Compare with row {sine} of the matrix: two entries, the factors of its own sine and cosine at {m.tau}."
    formula = f"m_{{{sine},{sine}}} = cos({w}k), m_{{{sine},{cosine}}} = sin({w}k)"
    numbers = f"{number(c)}, {number(s)}"
    yield Step(words, formula, numbers, c, measured_c, "from the table at t and t + k")
    words = f"Compare with row {cosine}: the same two with a minus."
    formula = f"m_{{{cosine},{sine}}} = −sin({w}k), m_{{{cosine},{cosine}}} = cos({w}k)"
    numbers = f"{number(-s)}, {number(c)}"
    yield Step(words, formula, numbers, -s, -measured_s, "from the table at t and t + k")
    yield Step(
        "The block is a turn by kω, clockwise where the sine runs right and the cosine up: its columns have length 1.",
        rf"\matrix{{cos k{w} & sin k{w} \\ −sin k{w} & cos k{w}}}",
        f"k{w} = {place(m.k)} · {short(m.omega)} = {short(m.k * m.omega)} rad; cos^2 + sin^2 = {number(c * c)} + "
        f"{number(s * s)} = {number(c * c + s * s)}",
        c * c + s * s, 1.0, "in a turn",
    )  # fmt: skip


def _elsewhere(m: Moment) -> float:
    """Another position of the table, where it has one."""
    return 0.0 if m.t else float(m.encoding.n_positions - 1)


def _same_everywhere(m: Moment) -> Step:
    elsewhere = _elsewhere(m)
    here, there = (measured_block(m.encoding, t, m.k, m.i) for t in (m.t, elsewhere))
    at = f"t = {position(elsewhere)}"
    words = f"t has cancelled: the same block takes {at} to {position(elsewhere + m.k)}."
    formula = "M_k depends on k alone, not on t"
    numbers = f"{number(there[0])}, {number(there[1])} at {at}"
    return Step(words, formula, numbers, here[0], there[0], f"from the table at {at}")


def _not_linear(m: Moment) -> Step:
    """PE(t) is no linear function of t: |p_t + p_k - p_(t+k)| from the table, and from dot products."""
    own, at_k, later = m.encoding.values([m.t, m.k, m.t + m.k])
    size = float(np.linalg.norm(own + at_k - later))
    dots = profile(m.encoding, "dot", [0.0, m.t - m.k, m.k, m.t]).tolist()
    square = 3 * dots[0] + 2 * dots[1] - 2 * dots[2] - 2 * dots[3]
    t, k, u = m.texts
    words = "Linear is the shift, not PE: vectors of two positions don't add up to the vector of their sum."
    formula = "p_t + p_k ≠ p_{t+k}"
    numbers = f"|p_{{{t}}} + p_{{{k}}} − p_{{{u}}}| = {number(size)}"
    return Step(words, formula, numbers, size, math.sqrt(max(square, 0.0)), "by dot products", size=m.amplitude)


def _unlike_blocks(m: Moment) -> Iterator[Step]:
    """Where no block fits every t: at which step it fails, and what the chosen hand needs at two t."""
    t, here = position(m.t), measured_block(m.encoding, m.t, m.k, m.i)
    blocks = {place: measured_block(m.encoding, place, m.k, m.i) for place in (_elsewhere(m), m.t + 1.0)}
    elsewhere, there = next(((at, block) for at, block in blocks.items() if not math.isnan(block[0])), (m.t, here))
    if m.encoding.pairs is not None:
        yield _uneven_angle(m, elsewhere)
    else:
        yield from _missing_wave(m)
    if math.isnan(here[0]):
        names = " = ".join(f"PE(t, {name})" for name in m.names)
        words = f"What is chosen is zero at t = {t}: no block takes it anywhere."
        yield Step(words, f"{names} = 0", fails=True)
        return
    u = position(elsewhere)
    yield Step(
        "Where no part is missing, a block of this form takes these two columns from t to t + k, whatever t."
        if math.dist(here, there) < 1e-9
        else "What takes these two columns from t to t + k changes with t: turned and stretched by the factors c "
        f"and s of such a block, they need other ones at t = {u}.",
        r"\matrix{c & s \\ −s & c}",
        f"c, s = {number(here[0])}, {number(here[1])} at t = {t}; {number(there[0])}, {number(there[1])} at t = {u}",
        here[1], there[1], f"for s at t = {u}",
    )  # fmt: skip


def _uneven_angle(m: Moment, elsewhere: float) -> Step:
    """What is added to the angle at t depends on t."""
    here, there = m.pairs.turns([m.t, elsewhere], m.k, [m.i])[:, 0].tolist()
    w, t, u = m.w, position(m.t), position(elsewhere)
    words = "The sine of a sum splits f(t)ω from what is added to it. But that is not kω: it changes with t."
    formula = f"f(t+k){w} = f(t){w} + (f(t+k) − f(t)){w}"
    numbers = f"(f(t+k) − f(t)){w} = {number(here)} at t = {t}, {number(there)} at t = {u}"
    return Step(words, formula, numbers, here, there, f"at t = {u}", fails=True)


def _missing_wave(m: Moment) -> Iterator[Step]:
    """The sum of angles of the first chosen column, and the factor in it that stands in no column."""
    waves = m.encoding.column_waves
    if waves is None or np.count_nonzero(waves.numbers == waves.numbers[m.columns[0]]) > 1:
        return
    hand, is_cosine = _wave(m, m.columns[0])
    x, y = waves.hands.hands([m.t], [hand])[0, 0].tolist()
    s, c = waves.hands.offset_hands([m.k], [hand])[0, 0].tolist()
    name, lost, own, other, sign = ("cos", "sin", y, x, "−") if is_cosine else ("sin", "cos", x, y, "+")
    value, w = own * c + (-other if is_cosine else other) * s, f"ω_{{{hand}}}"
    yield Step(
        f"Dimension {m.names[0]} at t + k needs {lost}(ωt) = {number(other)}, and that stands in no column: "
        "no matrix can take it from PE(t).",
        f"{name}({w}(t+k)) = {name}({w}t) cos({w}k) {sign} {lost}({w}t) sin({w}k)",
        f"{factor(own)} · {factor(c)} {sign} {factor(other)} · {factor(s)} = {number(value)}",
        value, float(m.encoding.values([m.t + m.k], m.columns[:1])[0, 0]), "in the table at t + k",
        fails=True,
    )  # fmt: skip


def _entry_steps(m: Moment) -> Iterator[Step]:
    """The entries of M_k found in the table, and the angle sums written with entries of the table alone."""
    if not m.turns:
        yield from _unlike_blocks(m)
        return
    row = f"k {signed(-m.start)}" if m.start else "k"
    s, c = m.hand(m.k - m.start)
    yield from _entry_sums(m, row, s, c)
    yield from _entry_matrix(m, row, s / m.amplitude, c / m.amplitude)


def _entry_sums(m: Moment, row: str, s: float, c: float) -> Iterator[Step]:
    (x, y), (sine, cosine), a, u = m.now, m.names, m.amplitude, m.texts[2]
    opened, closed = ("(", f") / {short(a, 4)}") if m.a else ("", "")
    words = f"The sine of a sum with entries of the table alone.{_why_not_plain(m)}"
    formula = f"PE(t+k, {sine}) = {opened}PE(t, {sine}) PE({row}, {cosine}) + PE({row}, {sine}) PE(t, {cosine}){closed}"
    numbers = f"{opened}{factor(x)} · {factor(c)} + {factor(s)} · {factor(y)}{closed} = {number((x * c + s * y) / a)}"
    yield Step(words, formula, numbers, (x * c + s * y) / a, m.later[0], f"as PE({u}, {sine})", size=m.amplitude)
    yield Step(
        "The cosine of a sum: here stands a minus.",
        f"PE(t+k, {cosine}) = {opened}PE(t, {cosine}) PE({row}, {cosine}) − PE({row}, {sine}) PE(t, {sine}){closed}",
        f"{opened}{factor(y)} · {factor(c)} − {factor(s)} · {factor(x)}{closed} = {number((y * c - s * x) / a)}",
        (y * c - s * x) / a, m.later[1], f"as PE({u}, {cosine})", size=m.amplitude,
    )  # fmt: skip


def _why_not_plain(m: Moment) -> str:
    """Why row k itself holds other numbers."""
    starts = f"starts at {plain(m.start)}" if m.start else ""
    length = f"has hands of length {short(m.amplitude, 4)}" if m.a else ""
    reasons = " and ".join(filter(None, (starts, length)))
    return f" The table {reasons}; the matrix has the entries of PE(k) without that." if reasons else ""


def _entry_matrix(m: Moment, row: str, s: float, c: float) -> Iterator[Step]:
    (x, y), (sine, cosine) = m.now, m.names
    over, angle = f" / {short(m.amplitude, 4)}" if m.a else "", m.k * m.omega
    yield Step(
        f"Both as one matrix: its entries are the sine and the cosine of PE(k){over}.",
        rf"\matrix{{PE({row}, {cosine}) & PE({row}, {sine}) \\ −PE({row}, {sine}) & PE({row}, {cosine})}}{over} "
        rf"\matrix{{PE(t, {sine}) \\ PE(t, {cosine})}} = \matrix{{PE(t+k, {sine}) \\ PE(t+k, {cosine})}}",
        f"{matrix((c, s), (-s, c))} {vector(m.now)} = {vector(m.later)}",
        max(abs(x * c + y * s - m.later[0]), abs(y * c - x * s - m.later[1])), 0.0,
        "largest miss of the two", is_miss=True, size=m.amplitude,
    )  # fmt: skip
    yield Step(
        "They are the entries of the matrix, cosine and sine of kω.",
        f"cos k{m.w} = PE({row}, {cosine}){over}, sin k{m.w} = PE({row}, {sine}){over}",
        f"{number(c)}, {number(s)}",
        c, m.turn[1], "in the block of the matrix",
    )  # fmt: skip
    yield Step(
        "So a shift by k is a turn by the angle of PE(k), the hand that has run from 0 to k.",
        f"k{m.w} = angle of PE({row})",
        f"{place(m.k)} · {short(m.omega)} = {short(angle)} rad, {degrees(angle, 2)} on the dial",
        abs(math.remainder(angle - math.atan2(s, c), math.tau)), 0.0,
        "angle of the two entries, less kω and whole turns", is_miss=True,
    )  # fmt: skip


_NO_BLOCK: Final = f"{ZERO_ROW}, and no matrix takes it to another row."
CHAPTERS: Final = {
    "log": Chapter(
        "Log space",
        "e in place of a power",
        "A power of the base is e to a logarithm",
        _log_steps,
        pictures.frequencies,
        "at the first step",
        uneven="",
        unpaired="",
        padded=f"{ZERO_ROW}, not what the formula gives there; the frequencies hold.",
        powers="Fails at ln(B^x) = x ln B: with this spacing the frequencies are no powers of the base.",
    ),
    "block": Chapter(
        "Angle sum",
        "a step of a hand is a turn",
        "A shift by {k} turns each pair: the sine and the cosine of a sum",
        _block_steps,
        pictures.sum_of_angles,
        "at the sine of a sum",
        padded=_NO_BLOCK,
    ),
    "entries": Chapter(
        "From row k",
        "row k holds the turn",
        "The matrix of a shift by {k} is made of PE({k})",
        _entry_steps,
        pictures.row_of_offset,
        "at the sine of a sum",
        padded=_NO_BLOCK,
    ),
}
