"""The definition of an encoding as lines of a formula with its own numbers."""

from typing import Final

from pe_desktop.core.layouts import pair_columns

THIN_SPACE: Final = "\u2009"
MINUS: Final = "\u2212"


def sinusoidal_formulas(
    n_pairs: int,
    base: float,
    spacing: str,
    layout: str,
    start: float = 0.0,
    amplitude: float = 1.0,
    scale: float = 1.0,
    shift: float = 0.0,
) -> tuple[str, ...]:
    """Sine, cosine and angular frequency of pair i (Vaswani et al., section 3.5), in the given spacing and layout."""
    sine, cosine = pair_places(layout, n_pairs)
    factor = "" if amplitude == 1 else f"{number(amplitude)} "
    time = "t" if start == 0 else f"(t {signed(start)})"
    angle = f"{time} ω_i"
    return (
        f"PE(t, {sine}) = {factor}sin({angle})",
        f"PE(t, {cosine}) = {factor}cos({angle})",
        frequency_formula(n_pairs, base, spacing, scale, shift=shift),
    )


def pair_places(layout: str, n_pairs: int) -> tuple[str, str]:
    """Where sine and cosine of pair i stand, for instance 2i and 2i + 1."""
    return _column(layout, n_pairs, 0), _column(layout, n_pairs, 1)


def _column(layout: str, n_pairs: int, place: int) -> str:
    first = pair_columns(layout, n_pairs, 0)[place]
    factor = "2i" if layout == "interleaved" else "i"
    return f"{factor} + {number(first)}" if first else factor


def frequency_formula(
    count: int, base: float, spacing: str, scale: float = 1.0, d_model: int | None = None, shift: float = 0.0
) -> str:
    """The angular frequency of pair i; d_model is twice the count of pairs unless it is given."""
    share = f"i/({number(count)} {signed(-shift)})" if shift else f"2i/{number(d_model or 2 * count)}"
    return _spaced_formula("i", share, count, base, spacing, scale)


def wave_formula(count: int, base: float, spacing: str) -> str:
    """The angular frequency of column c where each column has its own."""
    return _spaced_formula("c", f"c/{number(count)}", count, base, spacing, 1.0)


def _spaced_formula(letter: str, share: str, count: int, base: float, spacing: str, scale: float) -> str:
    if count == 1:
        return f"ω_0 = {number(scale)}"
    if spacing == "single":
        return f"ω_{letter} = {number(scale)}"
    last = number(count - 1)
    step = f"{letter}(1 {MINUS} 1/{number(base)})/{last}"
    plain = {
        "geometric": f"{number(base)}^{{{MINUS}{share}}}",
        "inclusive": f"{number(base)}^{{{MINUS}{letter}/{last}}}",
        "linear": f"1 {MINUS} {step}" if scale == 1 else f"(1 {MINUS} {step})",
    }[spacing]
    return f"ω_{letter} = {plain}" if scale == 1 else f"ω_{letter} = {number(scale)} · {plain}"


def signed(value: float) -> str:
    """A number that is added: its sign, a space and its size."""
    return f"{MINUS if value < 0 else '+'} {number(abs(value))}"


def number(value: float) -> str:
    """A number in a formula, digits in groups of three."""
    return f"{int(value):,}".replace(",", THIN_SPACE) if value == int(value) else f"{value:.12g}"
