"""What is shown, as a program that computes it."""

import textwrap
from typing import Final

import numpy as np

from pe_desktop.core.kinds.ablations import PositionMapEncoding, mapped
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.listings.arrays import ARRAY_LINES
from pe_desktop.core.listings.checks import FUNCTIONS
from pe_desktop.core.listings.figures import figure_lines
from pe_desktop.core.listings.formats import BFLOAT16
from pe_desktop.core.listings.library import program
from pe_desktop.core.listings.tables import PHILOX, Lines
from pe_desktop.core.measure.periodic import N_RETURNS, near_returns
from pe_desktop.core.number_text import grouped
from pe_desktop.core.state import State

_WIDTH: Final = 100
# Angles from here on lose more than 1e-13 to rounding.
_WIDE_ANGLE: Final = 450.0
_OF_SENTENCE: Final = ("scores", "weights", "outputs")


def variable(what: str) -> str:
    """The variable in which a program leaves an array or a figure of this name."""
    return what.replace("-", "_")


def figure_listing(what: str, view: str, state: State, library: str = "numpy") -> str:
    """The same for the data of a figure of a view; ValueError with a sentence where there is nothing to be seen."""
    return _program(what, state, figure_lines(view, state, variable(what)), library)


def listing(what: str, state: State, library: str = "numpy") -> str:
    """The program that leaves the array `what` of a state in a variable of its name, with no import but its library.

    The state must have that array. The program computes in plain float64: off by about 2e-16 times the largest angle.
    """
    return _program(what, state, ARRAY_LINES[what](state), library)


def _program(what: str, state: State, lines: Lines, library: str) -> str:
    called = {"philox(": PHILOX, "bfloat16(": BFLOAT16, **FUNCTIONS}
    definitions = [line for name, some in called.items() if any(name in other for other in lines) for line in some]
    return program(_heading(what, state), [*definitions, *lines], library)


def _heading(what: str, state: State) -> Lines:
    if what == "facts":
        cards = state.views.facts.card or "the cards that are listed"
        return [f"facts: {cards}, each number at the parameters of its card, whatever the plots show"]
    chosen = dict(state.encoding.parameters)
    if what in _OF_SENTENCE:
        chosen["scheme"] = "none" if state.attention.drops_positions else state.attention.scheme
    lines = textwrap.wrap(f"{what}: {' '.join(f'{name}={value}' for name, value in chosen.items())}", _WIDTH)
    angle = _farthest_return(state) if what == "collisions" else _largest_angle(what, state)
    if angle > _WIDE_ANGLE:
        error = f"{angle * np.finfo(np.float64).eps:.0e}"
        lines.append(
            f"Angles reach {grouped(round(angle))} radians: float64 rounds these values by up to about {error}."
        )
    return lines


def _largest_angle(what: str, state: State) -> float:
    """The largest angle, radians, that the program takes a sine of."""
    encoding = state.encoding
    waves = encoding.column_waves
    pairs = encoding.pairs or (None if waves is None else waves.hands)
    if pairs is None:
        return 0.0
    omega, ends = pairs.angular_frequencies, np.array([0.0, float(encoding.n_positions - 1)])
    if not isinstance(encoding, PositionMapEncoding):
        ends = ends + float(encoding.parameters.get("start", 0.0))
        return float(np.abs(ends).max() * omega.max())
    largest = float(np.abs(mapped(ends, encoding.map)).max() * omega.max())
    if what != "properties":
        return largest
    # The check of periodic pairs compares each hand with itself one wavelength on.
    return max(largest, float(np.abs(mapped(pairs.wavelengths, encoding.map) * omega).max()))


def _farthest_return(state: State) -> float:
    """The largest angle of the page of collisions, the near returns of the pair among them."""
    encoding, pair = state.encoding, state.cursor.pair
    angles = [_largest_angle("collisions", state)]
    if isinstance(encoding, SinusoidalEncoding):
        omega = float(encoding.pairs.angular_frequencies[pair])
        angles += [near.positions * omega for near in near_returns(encoding, pair)[:N_RETURNS]]
    return max(angles)
