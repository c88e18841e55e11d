"""At which step a derivation fails for a kind of encoding, in one sentence."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.number_text import in_formula

# How the hands of an encoding stand to each other, and what each page can't do then.
_UNEVEN: Final[Mapping[str, str]] = {
    "block": (
        "Fails at the sine of a sum: the angle at t + k is f(t + k)ω, not f(t)ω plus something that k alone decides."
    ),
    "entries": (
        "Fails at the sine of a sum: the angle at t + k is f(t + k)ω, and no row PE(k) holds what is added to f(t)ω."
    ),
    "system": "Fails where factors are matched: f(t + k)ω is no angle at t plus a constant, so the factors need t.",
    "dot": "Holds up to cos(ω(f(t + k) − f(t))) and fails at the last step: that difference depends on t.",
    "distance": "Fails at 2 |sin(kω/2)|: hands turn by f(t + k) − f(t), which depends on t.",
    "toeplitz": "Fails at the definition: neighbours on a diagonal differ, for f(t + k) − f(t) depends on t.",
}
_UNPAIRED: Final[Mapping[str, str]] = {
    "block": (
        "Fails at the sine of a sum: it needs sine and cosine of one angle, and {title} lacks the other one of {which}."
    ),
    "entries": (
        "Fails at the first line: it needs sine and cosine of one angle, and {title} lacks the other one of {which}."
    ),
    "system": (
        "Fails where factors are matched: the right side has sine and cosine of one angle, and {title} lacks the "
        "other one of {which}."
    ),
    "dot": (
        "Fails at the first step: the cosine of a difference needs sin sin and cos cos, and {title} lacks one for "
        "{which}."
    ),
    "distance": (
        "Fails at 2 sin²(x/2): it needs the sine and the cosine of one angle, and {title} lacks one for {which}."
    ),
    "unique": (
        "The proof needs sine and cosine: one of them leaves two angles open, and {title} lacks the other of {which}."
    ),
    "length": "Fails at Pythagoras: sin² + cos² needs both of one angle, and {title} lacks one for {which}.",
    "toeplitz": (
        "Fails at the definition: without sine and cosine of one angle, products of {which} depend on t + u too."
    ),
}
_PADDED: Final[Mapping[str, str]] = {
    "block": "Fails for row {row} alone: it is zero, and no matrix takes it to another row or another row to it.",
    "entries": "Fails for row {row} alone: it is zero, and no matrix takes it to another row or another row to it.",
    "system": "Fails for row {row} alone: it is zero, so its equations contradict those of the other rows.",
    "dot": "Fails for row {row} alone: it is zero, and so is each of its dot products.",
    "distance": "Fails for row {row} alone: it is zero, and lies √(d/2) from every other row.",
    "unique": "Row {row} is zero and no other is; for the other rows the proof of the sinusoidal encoding holds.",
    "length": "Fails for row {row} alone: it is zero.",
    "toeplitz": "Fails in row and column {row} alone: they are zero.",
}
_PLAIN: Final[Mapping[str, str]] = {
    "log": "Fails at the first step: {title} has no frequencies, so there is no power to write with e.",
    "block": "Fails at the sine of a sum: {title} has no sines.",
    "entries": "Fails at the first line: {title} has no sines.",
    "system": (
        "Fails where factors are matched: {title} has no sines and cosines that are linearly independent for all t."
    ),
    "dot": "Fails at the first step: {title} has no sines and cosines.",
    "distance": "Fails at 2 sin²(x/2): {title} has no angles.",
    "unique": "There are no hands to prove it with; the page Verdicts of Properties measures it.",
    "length": "Fails at Pythagoras: {title} has no sine and cosine of one angle.",
    "toeplitz": "Fails at the definition: nothing makes a product of rows of {title} depend on the offset alone.",
}
_NO_POWERS: Final = "Fails at ln(B^x) = x ln B: with this spacing the frequencies are no powers of the base."
_ALIKE: Final = "Fails at the determinant: all hands turn alike, so other matrices move every position, too."


def failure(encoding: Encoding, page: str) -> str:
    """Where the derivation of a page fails, as a sentence; empty where it holds."""
    spacing = encoding.parameters.get("spacing")
    title = encoding.title
    if encoding.empty_row is not None:
        return _PADDED.get(page, "").format(row=in_formula(encoding.empty_row))
    if page == "log" and spacing in ("linear", "single"):
        return _NO_POWERS
    if encoding.pairs is not None:
        if not encoding.pairs.turns_evenly:
            sentence = _UNEVEN.get(page, "")
            return f"{sentence} Here f(t) is {title.removeprefix('Sinusoidal of ')}." if sentence else ""
        return _ALIKE if page == "system" and spacing == "single" and encoding.pairs.count > 1 else ""
    if encoding.column_waves is None:
        return _PLAIN[page].format(title=title)
    lacking = np.flatnonzero(np.bincount(encoding.column_waves.numbers) < 2)
    which = f"hand {in_formula(float(lacking[0]))}" if len(lacking) == 1 else "every hand"
    return _UNPAIRED.get(page, "").format(title=title, which=which)
