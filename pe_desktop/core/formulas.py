"""The definition of an encoding as lines of a formula with its own numbers."""

from typing import Final

from pe_desktop.core.layouts import pair_columns

THIN_SPACE: Final = "\u2009"
MINUS: Final = "\u2212"


def sinusoidal_formulas(n_pairs: int, base: float, spacing: str, layout: str) -> tuple[str, ...]:
    """Sine, cosine and angular frequency of pair i (Vaswani et al., section 3.5), in the given spacing and layout."""
    sine, cosine = (_column(layout, n_pairs, place) for place in (0, 1))
    return (f"PE(t, {sine}) = sin(t ω_i)", f"PE(t, {cosine}) = cos(t ω_i)", _frequency(n_pairs, base, spacing))


def _column(layout: str, n_pairs: int, place: int) -> str:
    first = pair_columns(layout, n_pairs, 0)[place]
    factor = "2i" if layout == "interleaved" else "i"
    return f"{factor} + {_number(first)}" if first else factor


def _frequency(n_pairs: int, base: float, spacing: str) -> str:
    if n_pairs == 1:
        return "ω_0 = 1"
    last = _number(n_pairs - 1)
    return {
        "geometric": f"ω_i = {_number(base)}^{{{MINUS}2i/{_number(2 * n_pairs)}}}",
        "inclusive": f"ω_i = {_number(base)}^{{{MINUS}i/{last}}}",
        "linear": f"ω_i = 1 {MINUS} i(1 {MINUS} 1/{_number(base)})/{last}",
    }[spacing]


def _number(value: float) -> str:
    return f"{int(value):,}".replace(",", THIN_SPACE) if value == int(value) else f"{value:.12g}"
