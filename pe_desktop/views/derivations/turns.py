"""Why turns: turned queries and keys know their offset alone, and a bounded code with one matrix a step only turns."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from pe_desktop.core.derivations import measured_block
from pe_desktop.core.encoding import Floats
from pe_desktop.draw.formula_text import factor, matrix, number, place
from pe_desktop.draw.number_text import position, whole
from pe_desktop.views.derivations import pictures
from pe_desktop.views.derivations.step import KEY, QUERY, ZERO_ROW, Chapter, Moment, Step

# Another basis of two numbers.
_BASIS: Final = np.array([[2.0, 1.0], [0.0, 1.0]])
# A factor a step that isn't 1, and so many steps.
_GROWTH, _STEPS = 1.01, 1000


def _relative_steps(m: Moment) -> Iterator[Step]:
    """R_p^T R_q = R_(q - p), and so the score of a turned query and key."""
    if not m.turns:
        return
    first, last, between = map(m.block, (m.t, m.t + m.k, m.k))
    (p, k, q), w = m.texts, m.w
    (c, s), (cq, sq) = first[0].tolist(), last[0].tolist()
    yield Step(
        f"RoPE turns each pair of a query at p = {p} by pω, and of a key at q = {q} by qω; here pair {m.i}.",
        rf"R_p = \matrix{{cos p{w} & sin p{w} \\ −sin p{w} & cos p{w}}}",
        f"{matrix(*first.tolist())}, {matrix(*last.tolist())}", c * c + s * s, 1.0, "in a turn",
    )  # fmt: skip
    yield Step(
        "Rows for columns: the sines change their signs. To turn back is to turn by −p.",
        "R_p^T = R_{−p}", matrix(*first.T.tolist()), float(first.T[1, 0]), float(m.block(-m.t)[1, 0]), "in R₋ₚ",
    )  # fmt: skip
    yield Step(
        "The first entry of the product: the cosine of a difference.",
        f"cos p{w} cos q{w} + sin p{w} sin q{w} = cos((q − p){w})",
        f"{factor(c)} · {factor(cq)} + {factor(s)} · {factor(sq)} = {number(c * cq + s * sq)}",
        c * cq + s * sq, float(between[0, 0]), f"as cos({k} · ω)",
    )  # fmt: skip
    yield Step(
        "The second: the sine of a difference.",
        f"cos p{w} sin q{w} − sin p{w} cos q{w} = sin((q − p){w})",
        f"{factor(c)} · {factor(sq)} − {factor(s)} · {factor(cq)} = {number(c * sq - s * cq)}",
        c * sq - s * cq, float(between[0, 1]), f"as sin({k} · ω)",
    )  # fmt: skip
    product = first.T @ last
    yield Step(
        "So the two turns leave one, by the offset; p and q alone are gone.",
        "R_p^T R_q = R_{q−p}", matrix(*product.tolist()),
        float(np.abs(product - between).max()), 0.0, "largest miss of four entries", is_miss=True,
    )  # fmt: skip
    yield from _scores(m, first, last, between)


def _scores(m: Moment, first: Floats, last: Floats, between: Floats) -> Iterator[Step]:
    """What a turned pair of a query and of a key gives to the score."""
    turned, alone = float((first @ QUERY) @ (last @ KEY)), float(QUERY @ between @ KEY)
    further = float((m.block(m.t + 1) @ QUERY) @ (m.block(m.t + m.k + 1) @ KEY))
    x, y = (matrix(*([value] for value in vector.tolist()), decimals=0) for vector in (QUERY, KEY))
    yield Step(
        "Hence a score knows the offset alone, whatever query x and key y are.",
        "(R_p x) · (R_q y) = x^T R_{q−p} y", f"x = {x}, y = {y}: {number(turned)}",
        turned, alone, "by the offset alone",
    )  # fmt: skip
    at = f"p + 1 = {position(m.t + 1)} and q + 1 = {position(m.t + m.k + 1)}"
    words = "One position further for both, and nothing changes: enforced by construction, not learned."
    formula = "(R_{p+1} x) · (R_{q+1} y) = (R_p x) · (R_q y)"
    yield Step(words, formula, f"{number(further)} at {at}", further, turned, "at p and q")


def _turn_steps(m: Moment) -> Iterator[Step]:
    """A bounded code with one fixed linear map a step is, up to a basis, sines and cosines."""
    if not m.turns:
        return
    step, (x, y), (first_x, first_y) = m.block(1.0), m.now, m.hand(0.0)
    (c, s), w, t = step[0].tolist(), m.w, m.texts[0]
    yield Step(
        f"Wanted: one matrix that takes every position to the next; here the block of pair {m.i}.",
        "p_{t+1} = M p_t, so p_t = M^t p_0",
        f"{factor(x)} · {factor(c)} + {factor(y)} · {factor(s)} = {number(x * c + y * s)}",
        x * c + y * s, m.hand(m.t + 1)[0], "in the table at t + 1", size=m.amplitude,
    )  # fmt: skip
    yield Step(
        "In the basis of its eigenvectors each coordinate is multiplied by its own number a step.",
        "u_{t+1} = λ u_t, so u_t = λ^t u_0",
        f"λ = {number(c)} ± {number(abs(s))} √−1, their sum {number(2 * c)}",
        2 * c, 2 * measured_block(m.encoding, m.t, 1.0, m.i)[0], "from the table at t and t + 1",
    )  # fmt: skip
    yield Step(
        "Bounded for all t, before 0 and after: a larger λ grows without end, a smaller one did before; what has too "
        "few eigenvectors grows like t.",
        "|λ| = 1", f"{_GROWTH}^{{{whole(_STEPS)}}} = {number(_GROWTH**_STEPS)}; here |λ| = {number(math.hypot(c, s))}",
        math.hypot(c, s), 1.0, "for a turn",
    )  # fmt: skip
    cosine, sine = m.block(m.t)[0].tolist()
    value = first_x * cosine + first_y * sine
    yield Step(
        "A number of length 1 is a turn, and those of a real matrix come two by two: a cosine and a sine.",
        f"λ = cos {w} ± sin {w} √−1: PE(t) = PE(0) cos(t{w}) + b sin(t{w})",
        f"{factor(first_x)} · cos({place(m.t)} · {w}) + {factor(first_y)} · sin({place(m.t)} · {w}) = {number(value)}",
        value, x, f"in the table at t = {t}", size=m.amplitude,
    )  # fmt: skip
    other = _BASIS @ step @ np.linalg.inv(_BASIS)
    yield Step(
        "In another basis, of numbers that are mixed by B, the matrix is another, but turns as fast.",
        "q_t = B p_t, q_{t+1} = B M B^{−1} q_t",
        f"B = {matrix(*_BASIS.tolist(), decimals=0)}, B M B^{{−1}} = {matrix(*other.tolist())}",
        float(np.trace(other)), 2 * c, "as λ and its partner add up to",
    )  # fmt: skip
    count = whole(m.half)
    yield Step(
        f"So only the frequencies and the basis are free: here {count} of them, each with a sine and a cosine.",
        "p_t = B (sin ω_0 t, cos ω_0 t, sin ω_1 t, …)",
    )


CHAPTERS: Final = {
    "relative": Chapter(
        "Relative",
        "scores know k alone",
        "Turned by their positions, query and key know their offset alone, {k}",
        _relative_steps,
        pictures.turned_pair,
        "at the product",
        padded=f"{ZERO_ROW}, and no turn of another row.",
    ),
    "turns": Chapter(
        "Only turns",
        "a bounded code only turns",
        "Bounded, with one matrix a step: sines and cosines, up to a basis",
        _turn_steps,
        pictures.one_step,
        "at the first step",
        padded=f"{ZERO_ROW}: no matrix leads from it to the next.",
    ),
}
