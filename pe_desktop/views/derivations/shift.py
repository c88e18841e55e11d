"""From the definition to the matrix: log space, the sums of angles, the matrix made of PE(k)."""

import math

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.derivations import frequency_exponent, measured_block
from pe_desktop.core.encoding import Encoding, Pairs
from pe_desktop.core.lags import profile_at
from pe_desktop.core.number_text import MINUS, in_formula
from pe_desktop.core.rotation import rotation_blocks, shift_residuals
from pe_desktop.draw.number_text import degrees, plain, position, short, whole
from pe_desktop.views.derivations.step import (
    Moment,
    Step,
    chosen_columns,
    exact,
    factor,
    moment_of,
    number,
    place,
    signed,
    times,
)


def log_steps(encoding: Encoding, cursor: Cursor) -> tuple[Step, ...]:
    """From base to the power x to e to the power -x ln base."""
    columns = chosen_columns(encoding, cursor)
    waves = encoding.column_waves
    hands: Pairs | None = encoding.pairs or (waves.hands if waves is not None else None)
    if hands is None:
        return ()
    hand = cursor.pair if encoding.pairs is not None or waves is None else int(waves.numbers[columns[0]])
    definition = encoding.formulas[-1]
    omega, exponent = float(hands.angular_frequencies[hand]), frequency_exponent(hands, hand)
    if exponent is None:
        return (Step("The definition of the frequencies.", definition, f"ω_{{{hand}}} = {exact(omega)}"),)
    base, scale = float(encoding.parameters["base"]), float(encoding.parameters.get("scale", 1.0))
    return (
        *_power_steps(definition, hand, (base, scale, *exponent), omega),
        *(_wave_step(encoding, cursor, column, (base, scale)) for column in columns),
        _slip(hand, (base, scale, *exponent)),
    )


def _power_steps(definition: str, hand: int, parts: tuple[float, float, float, float], omega: float) -> list[Step]:
    base, scale, upper, lower = parts
    x, power, log = upper / lower, math.pow(base, upper / lower), math.log(base)
    b, e = in_formula(base), f"{plain(upper)}/{plain(lower)}"
    w, c = f"ω_{{{hand}}}", times(scale)
    top = "1" if scale == 1 else short(scale, 4)
    return [
        Step(
            f"The definition of the frequencies, here of number {hand} with the exponent x = {e} = {exact(x)}.",
            f"{definition}",
            rf"{w} = \frac{{{'1' if scale == 1 else 'c'}}}{{B^x}} = \frac{{{top}}}{{{b}^{{{e}}}}} = "
            rf"\frac{{{top}}}{{{exact(power)}}} = {exact(scale / power)}",
            scale / power, omega, "as the frequency of the table",
        ),
        Step(
            "Any positive number is e to the power of its logarithm.",
            "y = e^{ln y}, y = B^x",
            f"{exact(power)} = e^{{{number(math.log(power))}}}",
            math.exp(math.log(power)), power, "as the power itself",
        ),
        Step(
            "The logarithm of a power: the exponent comes down as a factor.",
            "ln(B^x) = x ln B",
            f"{number(math.log(power))} = {number(x)} · {number(log)}",
            x * log, math.log(power), "as the logarithm of the power",
        ),
        Step(
            "One over a power is the power with a minus: the form that programs compute, exp(2i · (−ln B / d)).",
            rf"{w} = \frac{{{'1' if scale == 1 else 'c'}}}{{e^{{x ln B}}}} = {c and 'c '}e^{{−x ln B}}",
            f"{c and c + '· '}e^{{{MINUS}{number(x)} · {number(log)}}} = {exact(scale * math.exp(-x * log))}",
            scale * math.exp(-x * log), scale / power, "by the power",
        ),
    ]  # fmt: skip


def _wave_step(encoding: Encoding, cursor: Cursor, column: int, parts: tuple[float, float]) -> Step:
    """Equation 4 for one column."""
    waves = encoding.column_waves
    base, scale = parts
    if encoding.pairs is not None:
        hands, hand, is_cosine = encoding.pairs, cursor.pair, column == encoding.pairs.dimensions(cursor.pair)[1]
    else:
        assert waves is not None
        hands, hand, is_cosine = waves.hands, int(waves.numbers[column]), bool(waves.is_cosine[column])
    exponent = frequency_exponent(hands, hand)
    assert exponent is not None
    x, t = exponent[0] / exponent[1], cursor.position
    omega = scale * math.exp(-x * math.log(base))
    moved, letter = _mapped(encoding, t)
    wave = "cos" if is_cosine else "sin"
    a = float(encoding.parameters.get("amplitude", 1.0))
    value = a * (math.cos if is_cosine else math.sin)(moved * omega)
    c = "c " if scale != 1 else ""
    return Step(
        f"Put into the {'cosine' if is_cosine else 'sine'}: dimension {whole(column)} at t = {position(t)}.",
        f"PE(t, {whole(column)}) = {times(a)}{wave}({letter} {c}e^{{−x ln B}})",
        f"{times(a)}{wave}({place(moved)} · {exact(omega)}) = {number(value, 6)}",
        value, float(encoding.values([t], [column])[0, 0]), "in the table",
    )  # fmt: skip


def _mapped(encoding: Encoding, t: float) -> tuple[float, str]:
    """What the frequency is multiplied by at t, and its letter."""
    start, word = float(encoding.parameters.get("start", 0.0)), encoding.parameters.get("map")
    if word is None:
        return t + start, "t" if start == 0 else f"(t {signed(start)})"
    image = {
        "square": (t * t, "t^2"),
        "root": (math.sqrt(t), "t^{1/2}"),
        "log": (math.log1p(t), "ln(1 + t)"),
        "reciprocal": (1 / (1 + t), "(1 + t)^{−1}"),
    }
    return image[str(word)]


def _slip(hand: int, parts: tuple[float, float, float, float]) -> Step:
    base, scale, upper, lower = parts
    x, slipped = upper / lower, scale * math.exp(-upper / lower * math.log(10 * base))
    right, wrong = in_formula(base), in_formula(10 * base)
    seen = (
        f"hand {hand} would turn {short(math.pow(10.0, x), 4)} times slower" if x else "for hand 0, with x = 0, nothing"
    )
    printed = (
        "ends with ln 100000 for ln 10000" if base == 10000 else f"has a zero too many: here ln {wrong} for ln {right}"
    )
    return Step(
        f"A slip: the derivation in the workshop notes “Sinusoidal Embeddings” {printed}; {seen}.",
        f"e^{{−x ln {wrong}}} ≠ e^{{−x ln {right}}}" if x else f"e^{{−x ln {wrong}}} = e^{{−x ln {right}}}",
        f"{exact(slipped)} ≠ {exact(slipped * 10**x)}" if x else f"{exact(slipped)}",
        slipped, scale * math.pow(base, -x) / math.pow(10.0, x), "as the right one over 10ˣ",
    )  # fmt: skip


def block_steps(encoding: Encoding, cursor: Cursor) -> tuple[Step, ...]:
    """How the 2 x 2 block of a pair is found from the sine and the cosine of a sum."""
    m = moment_of(encoding, cursor)
    if m is None:
        return _unlike_blocks(encoding, cursor)
    return (_wanted(m), *_sums(m), *_compared(m), _same_everywhere(m), _not_linear(m))


def _wanted(m: Moment) -> Step:
    (x, y), (later_x, later_y), (s, c) = m.now, m.later, m.turn
    matrix = rf"\matrix{{{number(c)} & {number(s)} \\ {number(-s)} & {number(c)}}}"
    vectors = rf"\matrix{{{number(x)} \\ {number(y)}}} = \matrix{{{number(later_x)} \\ {number(later_y)}}}"
    held = f" A row holds {times(m.amplitude)}sine and cosine." if m.amplitude != 1 else ""
    return Step(
        f"Wanted: one matrix for all t. For pair {m.i} it will be this one.{held}{m.where}",
        "M_k p_t = p_{t+k}",
        f"{matrix} {vectors}",
        float(shift_residuals(m.encoding, m.k, [m.t])[0]), 0.0,
        f"largest miss of all {whole(m.encoding.d_model)} dimensions", is_miss=True,
    )  # fmt: skip


def _sums(m: Moment) -> list[Step]:
    (x, y), (s, c), w, tau = m.now, m.turn, m.w, m.tau
    sum_angle = f"{w}({tau}+k)"
    return [
        Step(
            f"Row {whole(m.columns[0])}, the sine of pair {m.i}: the sine of a sum.",
            f"sin({sum_angle}) = sin({w}{tau}) cos({w}k) + cos({w}{tau}) sin({w}k)",
            f"{factor(x)} · {factor(c)} + {factor(y)} · {factor(s)} = {number(x * c + y * s)}",
            x * c + y * s, m.later[0], "in the table at t + k",
        ),
        Step(
            f"Row {whole(m.columns[1])}, its cosine: the cosine of a sum.",
            f"cos({sum_angle}) = cos({w}{tau}) cos({w}k) − sin({w}{tau}) sin({w}k)",
            f"{factor(y)} · {factor(c)} − {factor(x)} · {factor(s)} = {number(y * c - x * s)}",
            y * c - x * s, m.later[1], "in the table at t + k",
        ),
    ]  # fmt: skip


def _compared(m: Moment) -> list[Step]:
    (s, c), w = m.turn, m.w
    sine, cosine = map(whole, m.columns)
    measured_c, measured_s = measured_block(m.encoding, m.t, m.k, m.i)
    return [
        Step(
            f"Compare with row {sine} of the matrix: two entries, the factors of its own sine and cosine at {m.tau}.",
            f"m_{{{sine},{sine}}} = cos({w}k), m_{{{sine},{cosine}}} = sin({w}k)",
            f"{number(c)}, {number(s)}",
            c, measured_c, "from the table at t and t + k",
        ),
        Step(
            f"Compare with row {cosine}: the same two with a minus.",
            f"m_{{{cosine},{sine}}} = −sin({w}k), m_{{{cosine},{cosine}}} = cos({w}k)",
            f"{number(-s)}, {number(c)}",
            -s, -measured_s, "from the table at t and t + k",
        ),
        Step(
            "The block is a turn by kω, clockwise where the sine runs right and the cosine up: its columns have "
            "length 1.",
            rf"\matrix{{cos k{w} & sin k{w} \\ −sin k{w} & cos k{w}}}",
            f"k{w} = {place(m.k)} · {short(m.omega)} = {short(m.k * m.omega)} rad; cos^2 + sin^2 = {number(c * c)} + "
            f"{number(s * s)} = {number(c * c + s * s)}",
            c * c + s * s, 1.0, "in a turn",
        ),
    ]  # fmt: skip


def _other_place(encoding: Encoding, t: float) -> float:
    """Another position of the table, where it has one."""
    return 0.0 if t else float(encoding.n_positions - 1)


def _same_everywhere(m: Moment) -> Step:
    elsewhere = _other_place(m.encoding, m.t)
    here, there = measured_block(m.encoding, m.t, m.k, m.i), measured_block(m.encoding, elsewhere, m.k, m.i)
    return Step(
        f"t has cancelled: the same block takes t = {position(elsewhere)} to {position(elsewhere + m.k)}.",
        "M_k depends on k alone, not on t",
        f"{number(there[0])}, {number(there[1])} at t = {position(elsewhere)}",
        here[0], there[0], f"from the table at t = {position(elsewhere)}",
    )  # fmt: skip


def _not_linear(m: Moment) -> Step:
    """PE(t) is no linear function of t: |p_t + p_k - p_(t+k)| from the table, and from dot products."""
    own, at_k, later = m.encoding.values([m.t, m.k, m.t + m.k])
    size = float(np.linalg.norm(own + at_k - later))
    dots = profile_at(m.encoding, "dot", [0.0, m.t - m.k, m.k, m.t]).tolist()
    square = 3 * dots[0] + 2 * dots[1] - 2 * dots[2] - 2 * dots[3]
    return Step(
        "Linear is the shift, not PE: vectors of two positions don't add up to the vector of their sum.",
        "p_t + p_k ≠ p_{t+k}",
        f"|p_{{{position(m.t)}}} + p_{{{position(m.k)}}} − p_{{{position(m.t + m.k)}}}| = {number(size)}",
        size, math.sqrt(max(square, 0.0)), "by dot products",
    )  # fmt: skip


def _unlike_blocks(encoding: Encoding, cursor: Cursor) -> tuple[Step, ...]:
    """Where no block fits every t: at which step it fails, and what the chosen hand needs at two t."""
    t, k = cursor.position, cursor.offset
    here = measured_block(encoding, t, k, cursor.pair)
    blocks = {place: measured_block(encoding, place, k, cursor.pair) for place in (_other_place(encoding, t), t + 1.0)}
    elsewhere, there = next(((place, block) for place, block in blocks.items() if not math.isnan(block[0])), (t, here))
    if encoding.pairs is not None:
        failing = [_uneven_angle(encoding, cursor, elsewhere)]
    else:
        failing = [] if encoding.column_waves is None else _missing_wave(encoding, cursor)
    if math.isnan(here[0]):
        names = " = ".join(f"PE(t, {whole(column)})" for column in chosen_columns(encoding, cursor))
        words = f"What is chosen is zero at t = {position(t)}: no block takes it anywhere."
        return (*failing, Step(words, f"{names} = 0", fails=True))
    is_same = math.dist(here, there) < 1e-9
    return (
        *failing,
        Step(
            "Where no part is missing, a block of this form takes these two columns from t to t + k, whatever t."
            if is_same
            else "What takes these two columns from t to t + k changes with t: turned and stretched by the factors c "
            f"and s of such a block, they need other ones at t = {position(elsewhere)}.",
            r"\matrix{c & s \\ −s & c}",
            f"c, s = {number(here[0])}, {number(here[1])} at t = {position(t)}; {number(there[0])}, "
            f"{number(there[1])} at t = {position(elsewhere)}",
            here[1], there[1], f"for s at t = {position(elsewhere)}",
        ),
    )  # fmt: skip


def _uneven_angle(encoding: Encoding, cursor: Cursor, elsewhere: float) -> Step:
    """What is added to the angle at t depends on t."""
    assert encoding.pairs is not None
    turned = encoding.pairs.turns([cursor.position, elsewhere], cursor.offset, [cursor.pair])[:, 0].tolist()
    w, t, u = f"ω_{{{cursor.pair}}}", position(cursor.position), position(elsewhere)
    return Step(
        "The sine of a sum splits f(t)ω from what is added to it. But that is not kω: it changes with t.",
        f"f(t+k){w} = f(t){w} + (f(t+k) − f(t)){w}",
        f"(f(t+k) − f(t)){w} = {number(turned[0])} at t = {t}, {number(turned[1])} at t = {u}",
        turned[0], turned[1], f"at t = {u}", fails=True,
    )  # fmt: skip


def _missing_wave(encoding: Encoding, cursor: Cursor) -> list[Step]:
    """The sum of angles of the first chosen column, and the factor in it that stands in no column."""
    waves, column = encoding.column_waves, chosen_columns(encoding, cursor)[0]
    assert waves is not None
    hand, is_cosine = int(waves.numbers[column]), bool(waves.is_cosine[column])
    if np.count_nonzero(waves.numbers == hand) > 1:
        return []
    x, y = waves.hands.hands([cursor.position], [hand])[0, 0].tolist()
    s, c = waves.hands.offset_hands([cursor.offset], [hand])[0, 0].tolist()
    own, other, sign = (y, x, "−") if is_cosine else (x, y, "+")
    value = own * c + (-other if is_cosine else other) * s
    (wave, lost), w = (("cos", "sin") if is_cosine else ("sin", "cos")), f"ω_{{{hand}}}"
    return [
        Step(
            f"Dimension {whole(column)} at t + k needs {lost}(ωt) = {number(other)}, and that stands in no column: "
            "no matrix can take it from PE(t).",
            f"{wave}({w}(t+k)) = {wave}({w}t) cos({w}k) {sign} {lost}({w}t) sin({w}k)",
            f"{factor(own)} · {factor(c)} {sign} {factor(other)} · {factor(s)} = {number(value)}",
            value, float(encoding.values([cursor.position + cursor.offset], [column])[0, 0]), "in the table at t + k",
            fails=True,
        )
    ]  # fmt: skip


def entry_steps(encoding: Encoding, cursor: Cursor) -> tuple[Step, ...]:
    """The entries of M_k found in the table, and the angle sums written with entries of the table alone."""
    m = moment_of(encoding, cursor)
    if m is None:
        return _unlike_blocks(encoding, cursor)
    row = f"k {signed(-m.start)}" if m.start else "k"
    held = encoding.values([m.k - m.start], m.columns)[0].tolist()
    return (*_entry_sums(m, row, held), *_entry_matrix(m, row, held))


def _entry_sums(m: Moment, row: str, held: list[float]) -> list[Step]:
    (x, y), (sine, cosine), a = m.now, map(whole, m.columns), m.amplitude
    s, c = held
    over = "" if a == 1 else f" / {short(a, 4)}"
    opened, closed = ("", "") if a == 1 else ("(", f"){over}")
    why = _why_not_plain(m)
    return [
        Step(
            f"The sine of a sum with entries of the table alone.{why}",
            f"PE(t+k, {sine}) = {opened}PE(t, {sine}) PE({row}, {cosine}) + PE({row}, {sine}) PE(t, {cosine}){closed}",
            f"{opened}{factor(x)} · {factor(c)} + {factor(s)} · {factor(y)}{closed} = {number((x * c + s * y) / a)}",
            (x * c + s * y) / a, m.later[0], f"as PE({position(m.t + m.k)}, {sine})",
        ),
        Step(
            "The cosine of a sum: here stands a minus.",
            f"PE(t+k, {cosine}) = {opened}PE(t, {cosine}) PE({row}, {cosine}) − PE({row}, {sine}) PE(t, "
            f"{sine}){closed}",
            f"{opened}{factor(y)} · {factor(c)} − {factor(s)} · {factor(x)}{closed} = {number((y * c - s * x) / a)}",
            (y * c - s * x) / a, m.later[1], f"as PE({position(m.t + m.k)}, {cosine})",
        ),
    ]  # fmt: skip


def _why_not_plain(m: Moment) -> str:
    """Why row k itself holds other numbers."""
    starts = f"starts at {plain(m.start)}" if m.start else ""
    length = f"has hands of length {short(m.amplitude, 4)}" if m.amplitude != 1 else ""
    reasons = " and ".join(filter(None, (starts, length)))
    return f" The table {reasons}; the matrix has the entries of PE(k) without that." if reasons else ""


def _entry_matrix(m: Moment, row: str, held: list[float]) -> list[Step]:
    sine, cosine = map(whole, m.columns)
    s, c = (value / m.amplitude for value in held)
    over = "" if m.amplitude == 1 else f" / {short(m.amplitude, 4)}"
    (x, y), angle = m.now, m.k * m.omega
    turned = math.remainder(angle - math.atan2(s, c), math.tau)
    return [
        Step(
            f"Both as one matrix: its entries are the sine and the cosine of PE(k){over}.",
            rf"\matrix{{PE({row}, {cosine}) & PE({row}, {sine}) \\ −PE({row}, {sine}) & PE({row}, {cosine})}}{over} "
            rf"\matrix{{PE(t, {sine}) \\ PE(t, {cosine})}} = \matrix{{PE(t+k, {sine}) \\ PE(t+k, {cosine})}}",
            rf"\matrix{{{number(c)} & {number(s)} \\ {number(-s)} & {number(c)}}} "
            rf"\matrix{{{number(x)} \\ {number(y)}}} = \matrix{{{number(m.later[0])} \\ {number(m.later[1])}}}",
            max(abs(x * c + y * s - m.later[0]), abs(y * c - x * s - m.later[1])), 0.0,
            "largest miss of the two", is_miss=True,
        ),
        Step(
            "They are the entries of the matrix, cosine and sine of kω.",
            f"cos k{m.w} = PE({row}, {cosine}){over}, sin k{m.w} = PE({row}, {sine}){over}",
            f"{number(c)}, {number(s)}",
            c, float(rotation_blocks(m.encoding, m.k, [m.i])[0, 0, 0]), "in the block of the matrix",
        ),
        Step(
            "So a shift by k is a turn by the angle of PE(k), the hand that has run from 0 to k.",
            f"k{m.w} = angle of PE({row})",
            f"{place(m.k)} · {short(m.omega)} = {short(angle)} rad, {degrees(angle, 2)} on the "
            "dial",
            abs(turned), 0.0, "angle of the two entries, less kω and whole turns", is_miss=True,
        ),
    ]  # fmt: skip
