"""The two pages of the rotation panel that are text: the algebra of M_k with its residuals, and how M_k is found."""

import math

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.rotation import (
    composition_residual,
    determinant,
    eigenvalues,
    orthogonality_residual,
    power_residual,
    rotating_pairs,
    rotation_blocks,
)
from pe_desktop.plotting.number_text import fixed, position, scientific, short

POWER = 10
Line = tuple[str, str]


def algebra_lines(encoding: Encoding, cursor: Cursor, other: float) -> list[tuple[str, str, str]]:
    """What M_k obeys: a name, the law as a formula, and the number that was computed for it."""
    pairs = rotating_pairs(encoding)
    if pairs is None:
        return []
    k, j, i = cursor.offset, other, cursor.pair
    value = complex(eigenvalues(encoding, k).reshape(-1, 2)[i, 0])
    k_text, j_text = position(k), position(j)
    turn = k * float(pairs.angular_frequencies[i])
    sine, cosine = pairs.dimensions(i)
    own = encoding.values([k], [cosine, sine])[0].tolist()
    block = rotation_blocks(encoding, k)[i]
    gap = max(abs(own[0] - float(block[0, 0])), abs(own[1] - float(block[0, 1])))
    sum_text = position(j + k)
    return [
        (
            "Two shifts are one",
            f"M_{{{j_text}}} M_{{{k_text}}} = M_{{{sum_text}}}",
            f"differs by {_tiny(composition_residual(encoding, j, k))}",
        ),
        (
            "The way back is the transpose",
            f"M_{{{k_text}}} M_{{{k_text}}}^T = I",
            f"differs by {_tiny(orthogonality_residual(encoding, k))}",
        ),
        (
            f"{POWER} times the same shift",
            f"(M_{{{k_text}}})^{{{POWER}}} = M_{{{position(POWER * k)}}}",
            f"differs by {_tiny(power_residual(encoding, k, POWER))}",
        ),
        (
            "It keeps volumes",
            f"det M_{{{k_text}}} = 1",
            f"1 {_signed(determinant(encoding, k) - 1.0)}",
        ),
        (
            f"Eigenvalues of block {i} lie on the unit circle",
            f"e^{{±ikω_{i}}} = {fixed(value.real, 3)} ± {fixed(abs(value.imag), 3)}i",
            f"length {fixed(abs(value), 12)}, angle {fixed(math.degrees(turn) % 360, 1)}°",
        ),
        (
            "Its entries are entries of PE(k)",
            f"cos kω_{{{i}}} = PE({k_text}, {cosine}),  sin kω_{{{i}}} = PE({k_text}, {sine})",
            f"{fixed(own[0], 4)} and {fixed(own[1], 4)}, differ by {_tiny(gap)}",
        ),
    ]


def derivation_lines(encoding: Encoding, cursor: Cursor) -> list[Line]:
    """How M_k is found, step by step with the current numbers: a sentence and the formula under it."""
    pairs = rotating_pairs(encoding)
    if pairs is None:
        return []
    t, k, i = cursor.position, cursor.offset, cursor.pair
    omega = float(pairs.angular_frequencies[i])
    now, later = pairs.hands([t, t + k], [i])[:, 0].tolist()
    block = rotation_blocks(encoding, k)[i].tolist()
    sine, cosine = pairs.dimensions(i)
    w = f"ω_{{{i}}}"
    c, s = fixed(block[0][0], 4), fixed(block[0][1], 4)
    lead = f"{fixed(block[0][0], 4)} · ({fixed(now[0], 4)}) + {fixed(block[0][1], 4)} · ({fixed(now[1], 4)})"
    second = f"{fixed(block[1][0], 4)} · ({fixed(now[0], 4)}) + {fixed(block[1][1], 4)} · ({fixed(now[1], 4)})"
    return [
        ("Wanted: one matrix for all t.", "M p_t = p_{t+k}"),
        (
            f"Row {sine}, the sine of pair {i}: expand the sine of a sum.",
            f"sin({w}(t+k)) = sin({w}t) cos({w}k) + cos({w}t) sin({w}k)",
        ),
        (
            f"Row {cosine}, its cosine: expand the cosine of a sum.",
            f"cos({w}(t+k)) = cos({w}t) cos({w}k) − sin({w}t) sin({w}k)",
        ),
        (
            f"Compare with row {sine} of M: only two entries differ from 0.",
            f"m_{{{sine},{sine}}} = cos({w}k) = {c},  m_{{{sine},{cosine}}} = sin({w}k) = {s}",
        ),
        (
            f"Compare with row {cosine}.",
            f"m_{{{cosine},{sine}}} = −sin({w}k) = {fixed(block[1][0], 4)},  m_{{{cosine},{cosine}}} = cos({w}k) = {c}",
        ),
        (
            "t has gone: the block depends on k and on the pair alone.",
            f"k{w} = {position(k)} · {short(omega)} = {short(k * omega)} rad",
        ),
        (f"Try it at t = {position(t)}, row {sine}.", f"{lead} = {fixed(later[0], 4)}"),
        (f"And row {cosine}.", f"{second} = {fixed(later[1], 4)}"),
        (
            "Every pair has its own block; all other entries are 0. The shift is linear, PE(t) is not linear in t.",
            "p_{a} + p_{b} ≠ p_{a+b}",
        ),
    ]


def _tiny(value: float) -> str:
    return "0" if value == 0 else scientific(value, 0)


def _signed(value: float) -> str:
    if value == 0:
        return "exactly"
    return f"{'+' if value > 0 else '−'} {scientific(abs(value), 0)}"
