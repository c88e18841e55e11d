"""Why frequencies and turns: e in place of a power; turned queries know their offset alone; bounded codes only turn."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats, Pairs
from pe_desktop.core.number_text import MINUS, in_formula
from pe_desktop.draw.formula_text import exact, factor, matrix, number, place, signed, times, vector
from pe_desktop.draw.number_text import plain, position, short, whole
from pe_desktop.views.derivations import pictures
from pe_desktop.views.derivations.step import KEY, QUERY, Moment, Step, chapter, products

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
        yield Step("The definition of the frequencies.", definition, f"ω_{{{hand}}} = {exact(omega)}")
        return
    x = exponent[0] / exponent[1]
    e = "/".join(map(plain, exponent))
    power = math.pow(m.base, x)
    top = "1" if m.scale == 1 else short(m.scale, 4)
    words = f"The definition of the frequencies, here of number {hand} with the exponent x = {e} = {exact(x)}."
    numbers = (
        rf"ω_{{{hand}}} = \frac{{{m.c or '1'}}}{{B^x}} = \frac{{{top}}}{{{in_formula(m.base)}^{{{e}}}}} = "
        rf"\frac{{{top}}}{{{exact(power)}}} = {exact(m.scale / power)}"
    )
    yield Step(words, definition, numbers, m.scale / power, omega, "as the frequency of the table")
    yield from _inverted(m, hand, x)
    yield from (_put_in(m, m.hands, column) for column in m.columns)
    yield _slip(m, hand, x)


def _inverted(m: Moment, hand: int, x: float) -> Iterator[Step]:
    power, log, c = math.pow(m.base, x), math.log(m.base), times(m.scale)
    words = "Any positive number is e to the power of its logarithm."
    numbers = f"{exact(power)} = e^{{{number(math.log(power))}}}"
    yield Step(words, "y = e^{ln y}, y = B^x", numbers, math.exp(math.log(power)), power, "as the power itself")
    words = "The logarithm of a power: the exponent comes down as a factor."
    numbers = f"{number(math.log(power))} = {number(x)} · {number(log)}"
    yield Step(words, "ln(B^x) = x ln B", numbers, x * log, math.log(power), "as the logarithm of the power")
    inverse = m.scale * math.exp(-x * log)
    words = "One over a power is the power with a minus: the form that programs compute, exp(2i · (−ln B / d))."
    formula = rf"ω_{{{hand}}} = \frac{{{m.c or '1'}}}{{e^{{x ln B}}}} = {m.c and 'c '}e^{{−x ln B}}"
    numbers = f"{c and c + '· '}e^{{{MINUS}{number(x)} · {number(log)}}} = {exact(inverse)}"
    yield Step(words, formula, numbers, inverse, m.scale / power, "by the power")


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
    words = f"Put into the {title}: dimension {whole(column)} at t = {m.texts[0]}."
    formula = f"PE(t, {whole(column)}) = {times(a)}{name}({letter} {m.c and 'c '}e^{{−x ln B}})"
    numbers = f"{times(a)}{name}({place(moved)} · {exact(omega)}) = {number(value, 6)}"
    return Step(words, formula, numbers, value, float(m.rows[0, column]), m.told(m.t), size=a)


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
    words = "A slip: the derivation in the workshop notes “Sinusoidal Embeddings” "
    words += f"{printed}; {slower if x else 'for hand 0, with x = 0, nothing'}."
    formula = f"e^{{−x ln {wrong}}} {'≠' if x else '='} e^{{−x ln {right}}}"
    numbers = f"{exact(slipped)} ≠ {exact(slipped * 10**x)}" if x else exact(slipped)
    over = m.scale * math.pow(m.base, -x) / math.pow(10.0, x)
    return Step(words, formula, numbers, slipped, over, "as the right one over 10ˣ")


def _relative_steps(m: Moment) -> Iterator[Step]:
    """R_t^T R_s = R_(s - t), and so the score of a turned query and key."""
    first, last, between = map(m.block, (m.t, m.t + m.k, m.k))
    (t, k, u), w = m.texts, m.w
    (c, s), (cq, sq) = first[0].tolist(), last[0].tolist()
    words = f"RoPE turns each pair of a query at t = {t} by tω, and of a key at s = {u} by sω; here pair {m.i}."
    formula = rf"R_t = \matrix{{cos t{w} & sin t{w} \\ −sin t{w} & cos t{w}}}"
    numbers = f"{matrix(*first.tolist())}, {matrix(*last.tolist())}"
    yield Step(words, formula, numbers, c * c + s * s, 1.0, "in a turn")
    words = "Rows for columns: the sines change their signs. To turn back is to turn by −t."
    back = float(m.block(-m.t)[1, 0])
    yield Step(words, "R_t^T = R_{−t}", matrix(*first.T.tolist()), float(first.T[1, 0]), back, "in R(−t)")
    words = "The first entry of the product: the cosine of a difference."
    formula = f"cos t{w} cos s{w} + sin t{w} sin s{w} = cos((s − t){w})"
    yield Step(words, formula, *products((c, cq), (s, sq)), float(between[0, 0]), f"as cos({k} · ω)")
    words = "The second: the sine of a difference."
    formula = f"cos t{w} sin s{w} − sin t{w} cos s{w} = sin((s − t){w})"
    yield Step(words, formula, *products((c, sq), (-s, cq)), float(between[0, 1]), f"as sin({k} · ω)")
    product = first.T @ last
    words, by = "So the two turns leave one, by the offset; t and s alone are gone.", "largest miss of four entries"
    miss = float(np.abs(product - between).max())
    yield Step(words, "R_t^T R_s = R_{s−t}", matrix(*product.tolist()), miss, by=by, is_miss=True)
    yield from _scores(m, first, last, between)


def _scores(m: Moment, first: Floats, last: Floats, between: Floats) -> Iterator[Step]:
    """What a turned pair of a query and of a key gives to the score."""
    turned, alone = float((first @ QUERY) @ (last @ KEY)), float(QUERY @ between @ KEY)
    further = float((m.block(m.t + 1) @ QUERY) @ (m.block(m.t + m.k + 1) @ KEY))
    x, y = (vector(one.tolist(), decimals=0) for one in (QUERY, KEY))
    words = "Hence a score knows the offset alone, whatever query x and key y are."
    numbers = f"x = {x}, y = {y}: {number(turned)}"
    yield Step(words, "(R_t x) · (R_s y) = x^T R_{s−t} y", numbers, turned, alone, "by the offset alone")
    at = f"t + 1 = {position(m.t + 1)} and s + 1 = {position(m.t + m.k + 1)}"
    words = "One position further for both, and nothing changes: enforced by construction, not learned."
    formula = "(R_{t+1} x) · (R_{s+1} y) = (R_t x) · (R_s y)"
    yield Step(words, formula, f"{number(further)} at {at}", further, turned, "at t and s")


def _turn_steps(m: Moment) -> Iterator[Step]:
    """A bounded code with one fixed linear map a step is, up to a basis, sines and cosines."""
    step, (x, y), (first_x, first_y) = m.block(1.0), m.now, m.hand(0.0)
    (c, s), w, t = step[0].tolist(), m.w, m.texts[0]
    words = f"Wanted: one matrix that takes every position to the next; here the block of pair {m.i}."
    formula, by = "p_{t+1} = M p_t, so p_t = M^t p_0", "in the table at t + 1"
    yield Step(words, formula, *products((x, c), (y, s)), m.hand(m.t + 1)[0], by, size=m.amplitude)
    words = "In the basis of its eigenvectors each coordinate is multiplied by its own number a step."
    formula, by = "u_{t+1} = λ u_t, so u_t = λ^t u_0", "from the table at t and t + 1"
    numbers = f"λ = {number(c)} ± {number(abs(s))} √−1, their sum {number(2 * c)}"
    yield Step(words, formula, numbers, 2 * c, 2 * m.measured(m.t, 1.0)[0], by)
    words = "Bounded for all t, before 0 and after: a larger λ grows without end, a smaller one did before; what has "
    words += "too few eigenvectors grows like t."
    numbers = f"{_GROWTH}^{{{whole(_STEPS)}}} = {number(_GROWTH**_STEPS)}; here |λ| ="
    yield Step(words, "|λ| = 1", numbers, math.hypot(c, s), 1.0, "for a turn")
    cosine, sine = m.block(m.t)[0].tolist()
    words = "A number of length 1 is a turn, and those of a real matrix come two by two: a cosine and a sine."
    formula = f"λ = cos {w} ± sin {w} √−1: PE(t) = PE(0) cos(t{w}) + b sin(t{w})"
    numbers = f"{factor(first_x)} · cos({place(m.t)} · {w}) + {factor(first_y)} · sin({place(m.t)} · {w}) ="
    value = first_x * cosine + first_y * sine
    yield Step(words, formula, numbers, value, x, f"in the table at t = {t}", size=m.amplitude)
    other = _BASIS @ step @ np.linalg.inv(_BASIS)
    words = "In another basis, of numbers that are mixed by B, the matrix is another, but turns as fast."
    numbers = f"B = {matrix(*_BASIS.tolist(), decimals=0)}, B M B^{{−1}} = {matrix(*other.tolist())}"
    by, trace = "as λ and its partner add up to", float(np.trace(other))
    yield Step(words, "q_t = B p_t, q_{t+1} = B M B^{−1} q_t", numbers, trace, 2 * c, by)
    count = whole(m.half)
    words = f"So only the frequencies and the basis are free: here {count} of them, each with a sine and a cosine."
    yield Step(words, "p_t = B (sin ω_0 t, cos ω_0 t, sin ω_1 t, …)")


CHAPTERS: Final = {
    "log": chapter("log", _log_steps, pictures.frequencies),
    "relative": chapter("relative", _relative_steps, pictures.turned_pair, unlike=lambda _m: iter(())),
    "turns": chapter("turns", _turn_steps, pictures.shift, unlike=lambda _m: iter(())),
}
