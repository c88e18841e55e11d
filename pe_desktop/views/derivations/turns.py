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
from pe_desktop.views.derivations.step import KEY, QUERY, Moment, Step, chapter, products, step

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
    "relative": chapter("relative", _relative_steps, pictures.turned_pair, unlike=lambda _m: iter(())),
    "turns": chapter("turns", _turn_steps, pictures.shift, unlike=lambda _m: iter(())),
}
