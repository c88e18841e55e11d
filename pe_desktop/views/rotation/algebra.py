"""The page of algebra: what M_k obeys, each law with the number computed for it, and its eigenvalues."""

from typing import Final

import numpy as np

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
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.flow import GROW, Block, Column, Drawn, Fits, Formula, Grid, Named, Words
from pe_desktop.draw.number_text import degrees, fixed, position, scientific
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typeset import plain_block
from pe_desktop.model.findings import Answers

EXPLANATION: Final = "Each law of M_k with the number computed for it on values of the table, and its eigenvalues."
_POWER: Final = 10
# From this width on eigenvalues stand beside the laws, which take their share of it.
_WIDE, _SHARE = 600.0, 0.58
_PLANE, _WIDE_PLANE = 200.0, 300.0
_Law = tuple[str, str, str]


def page(state: State, _answers: Answers) -> Block:
    """The laws below each other, the eigenvalues beside or below them."""
    encoding, cursor = state.encoding, state.cursor
    found = algebra_laws(encoding, cursor, state.views.rotation.second_shift)
    laws = Column(tuple(_law(*law) for law in found), gap=10.0)
    beside, below = (Drawn(_eigenvalues, (encoding, cursor.offset), tall) for tall in (_WIDE_PLANE, _PLANE))
    return Fits((Grid((_SHARE, GROW), ((laws, beside),)), Column((laws, below), gap=10.0)), (_WIDE, 0.0))


def sentence(state: State, _answers: Answers) -> str:
    return f"What the matrix that moves every position by {position(state.cursor.offset)} obeys"


def _law(name: str, formula: str, number: str) -> Block:
    block = Column((Words(name, "segment"), Formula(formula, 16), Words(number, "caption", "text2")), gap=2.0)
    return Named(name, block, f"{plain_block(formula)}: {number}")


def algebra_laws(encoding: Encoding, cursor: Cursor, other: float) -> list[_Law]:
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


def _eigenvalues(area: Area, theme: Theme, encoding: Encoding, offset: float) -> marks.Picture:
    """All eigenvalues of M_k in the complex plane, in their pairs' colours, and the unit circle."""
    pairs, values = rotating_pairs(encoding), eigenvalues(encoding, offset)
    if pairs is None:
        return ()
    radius = max(min(area.width, area.height) / 2 - 24.0, 10.0)
    x, y = area.middle
    points = np.column_stack((x + radius * values.real.T.ravel(), y - radius * values.imag.T.ravel()))
    colors = np.tile(theme.pair_colors(pairs.count), (2, 1))
    cross = np.array([[x - radius - 10, y, x + radius + 10, y], [x, y - radius - 10, x, y + radius + 10]])
    return (
        marks.Segments(cross, theme.grid, 1.2),
        marks.Rings(x, y, np.array([radius]), theme.axis, 1.4),
        marks.Text(x + radius + 14.0, y, "1", "tick", theme.text3),
        marks.FormulaText(x + 8.0, y - radius - 12.0, "i", 13, theme.text3),
        marks.DotCloud(points, colors, 6.0 if pairs.count <= 64 else 3.0),
    )
