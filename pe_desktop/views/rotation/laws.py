"""The algebra of M_k with its residuals, as sentences and formulas with the current numbers."""

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.rotation import (
    composition_residual,
    determinant,
    eigenvalues,
    orthogonality_residual,
    power_residual,
    rotating_pairs,
)
from pe_desktop.draw.number_text import degrees, fixed, position, scientific

_POWER = 10
_Law = tuple[str, str, str]


def algebra_lines(encoding: Encoding, cursor: Cursor, other: float) -> list[_Law]:
    """What M_k obeys: a name, the law as a formula, and the number that was computed for it."""
    if rotating_pairs(encoding) is None:
        return []
    return [
        *_group_laws(encoding, cursor.offset, other),
        _eigenvalue_law(encoding, cursor),
    ]


def _group_laws(encoding: Encoding, k: float, j: float) -> list[_Law]:
    k_text, j_text = position(k), position(j)
    return [
        (
            "Two shifts are one",
            f"M_{{{j_text}}} M_{{{k_text}}} = M_{{{position(j + k)}}}",
            f"differs by {_tiny(composition_residual(encoding, j, k))}",
        ),
        (
            "The way back is the transpose",
            f"M_{{{k_text}}} M_{{{k_text}}}^T = I",
            f"differs by {_tiny(orthogonality_residual(encoding, k))}",
        ),
        (
            f"{_POWER} times the same shift",
            f"(M_{{{k_text}}})^{{{_POWER}}} = M_{{{position(_POWER * k)}}}",
            f"differs by {_tiny(power_residual(encoding, k, _POWER))}",
        ),
        (
            "It keeps volumes",
            f"det M_{{{k_text}}} = 1",
            f"1 {_signed(determinant(encoding, k) - 1.0)}",
        ),
    ]


def _eigenvalue_law(encoding: Encoding, cursor: Cursor) -> _Law:
    pairs, i = rotating_pairs(encoding), cursor.pair
    assert pairs is not None
    value = complex(eigenvalues(encoding, cursor.offset).reshape(-1, 2)[i, 0])
    turn = cursor.offset * float(pairs.angular_frequencies[i])
    return (
        f"Eigenvalues of block {i} lie on the unit circle",
        f"exp(±i k ω_{{{i}}}) = {fixed(value.real, 3)} ± {fixed(abs(value.imag), 3)}i",
        f"length {fixed(abs(value), 12)}, angle {degrees(turn)}",
    )


def _tiny(value: float) -> str:
    return "0" if value == 0 else scientific(value, 0)


def _signed(value: float) -> str:
    if value == 0:
        return "exactly"
    return f"{'+' if value > 0 else '−'} {scientific(abs(value), 0)}"
