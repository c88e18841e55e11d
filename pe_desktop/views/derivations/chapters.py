"""The chapters of the derivations: what each proves, its steps, and at which step it fails for a kind of encoding."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.number_text import in_formula
from pe_desktop.core.record import record
from pe_desktop.core.rules import rules_of
from pe_desktop.draw.flow import Block
from pe_desktop.model.findings import Question
from pe_desktop.views.derivations import distances, shift, system, unique
from pe_desktop.views.derivations.pictures import row_strips, toeplitz_map
from pe_desktop.views.derivations.step import Moment, Step


def _no_questions(_moment: Moment) -> tuple[Question, ...]:
    return ()


@record(eq=False)
class Chapter:
    """claim: the sentence of its figure; failed: that sentence where it fails; steps: of a moment and the answers.

    figure: what stands beside or below the steps, of a moment and the first answer. The rest is at which step it fails:
    with a row of zeros, with f(t) in place of t, where sines or cosines lack, without hands, without powers of a base,
    with one frequency for all hands.
    """

    title: str
    tooltip: str
    claim: str
    failed: str
    steps: Callable[..., Iterator[Step]]
    questions: Callable[[Moment], tuple[Question, ...]] = _no_questions
    figure: Callable[[Moment, Any], Block] | None = None
    padded: str = ""
    uneven: str = ""
    unpaired: str = ""
    plain: str = ""
    powers: str = ""
    alike: str = ""


_ZERO_ROW: Final = "Fails for row {row} alone: it is zero"
_NO_BLOCK: Final = f"{_ZERO_ROW}, and no matrix takes it to another row or another row to it."
# The shift on the upper row of the panel, what positions say of each other on the lower one.
CHAPTERS: Final[Mapping[str, Chapter]] = {
    "log": Chapter(
        "Log space",
        "From 10000^(2i/d) to e to a logarithm",
        "A power of the base is e to a logarithm",
        "No power of the base to write with e",
        shift.log_steps,
        plain="Fails at the first step: {title} has no frequencies, so there is no power to write with e.",
        powers="Fails at ln(B^x) = x ln B: with this spacing the frequencies are no powers of the base.",
    ),
    "block": Chapter(
        "Angle sum",
        "How the 2 × 2 block of a pair is found: sine and cosine of a sum",
        "A shift by {k} turns each pair: the sine and the cosine of a sum",
        "Where the sum of angles fails",
        shift.block_steps,
        uneven="Fails at the sine of a sum: the angle at t + k is f(t + k)ω, not f(t)ω plus something that k "
        "alone decides.",
        unpaired="Fails at the sine of a sum: it needs sine and cosine of one angle, and {title} lacks the "
        "other one of {which}.",
        padded=_NO_BLOCK,
        plain="Fails at the sine of a sum: {title} has no sines.",
    ),
    "entries": Chapter(
        "PE(k)",
        "The matrix whose entries are PE(k)",
        "The matrix of a shift by {k} is made of PE({k})",
        "Where the matrix made of PE(k) fails",
        shift.entry_steps,
        uneven="Fails at the sine of a sum: the angle at t + k is f(t + k)ω, and no row PE(k) holds what is "
        "added to f(t)ω.",
        unpaired="Fails at the first line: it needs sine and cosine of one angle, and {title} lacks the other "
        "one of {which}.",
        padded=_NO_BLOCK,
        plain="Fails at the first line: {title} has no sines.",
    ),
    "system": Chapter(
        "d × d system",
        "All d × d equations, and why the entries beside the blocks are 0",
        "All entries of the matrix of a shift by {k}, and why most are 0",
        "Where the system of equations fails",
        system.system_steps,
        uneven="Fails where factors are matched: f(t + k)ω is no angle at t plus a constant, so the factors need t.",
        unpaired="Fails where factors are matched: the right side has sine and cosine of one angle, and {title} "
        "lacks the other one of {which}.",
        padded=f"{_ZERO_ROW}, so its equations contradict those of the other rows.",
        plain="Fails where factors are matched: {title} has no sines and cosines that are linearly independent "
        "for all t.",
        alike="Fails at the determinant: all hands turn alike, so other matrices move every position, too.",
        questions=system.system_questions,
        figure=row_strips,
    ),
    "dot": Chapter(
        "Dot product",
        "The dot product as a sum of cosines",
        "A dot product is a sum of cosines of the offset, {k}",
        "Where the sum of cosines fails",
        distances.dot_steps,
        uneven="Holds up to cos(ω(f(t + k) − f(t))) and fails at the last step: that difference depends on t.",
        unpaired="Fails at the first step: the cosine of a difference needs sin sin and cos cos, and {title} "
        "lacks one for {which}.",
        padded=f"{_ZERO_ROW}, and so is each of its dot products.",
        plain="Fails at the first step: {title} has no sines and cosines.",
    ),
    "distance": Chapter(
        "Distance",
        "The distance from half the turns",
        "A distance at offset {k} comes from half the turns",
        "Where the distance from half the turns fails",
        distances.distance_steps,
        uneven="Fails at 2 |sin(kω/2)|: hands turn by f(t + k) − f(t), which depends on t.",
        unpaired="Fails at 2 sin²(x/2): it needs the sine and the cosine of one angle, and {title} lacks one "
        "for {which}.",
        padded=f"{_ZERO_ROW}, and lies √(d/2) from every other row.",
        plain="Fails at 2 sin²(x/2): {title} has no angles.",
    ),
    "length": Chapter(
        "Length",
        "Why every position has the length √(d/2)",
        "Every position has the length √(d/2)",
        "Where the length √(d/2) fails",
        distances.length_steps,
        unpaired="Fails at Pythagoras: sin² + cos² needs both of one angle, and {title} lacks one for {which}.",
        padded=f"{_ZERO_ROW}.",
        plain="Fails at Pythagoras: {title} has no sine and cosine of one angle.",
        questions=distances.norm_questions,
    ),
    "unique": Chapter(
        "Unique",
        "Why no two positions have one vector: a proof, its gap, two repairs",
        "No two positions have one vector",
        "What is left of the proof that positions are unique",
        unique.unique_steps,
        unpaired="The proof needs sine and cosine: one of them leaves two angles open, and {title} lacks the "
        "other of {which}.",
        padded="Row {row} is zero and no other is; for the other rows the proof of the sinusoidal encoding holds.",
        plain="There are no hands to prove it with; the page Verdicts of Properties measures it.",
        questions=unique.nearest_questions,
    ),
    "toeplitz": Chapter(
        "Toeplitz",
        "Why every diagonal of the dot products holds one number",
        "Every diagonal of dot products holds one number",
        "Where constant diagonals fail",
        distances.toeplitz_steps,
        uneven="Fails at the definition: neighbours on a diagonal differ, for f(t + k) − f(t) depends on t.",
        unpaired="Fails at the definition: without sine and cosine of one angle, products of {which} depend on "
        "t + u too.",
        padded="Fails in row and column {row} alone: they are zero.",
        plain="Fails at the definition: nothing makes a product of rows of {title} depend on the offset alone.",
        questions=distances.spread_questions,
        figure=toeplitz_map,
    ),
}


def failure(encoding: Encoding, chapter: str) -> str:
    """Where a derivation fails, as a sentence; empty where it holds."""
    spacing, pairs, row = encoding.parameters.get("spacing"), encoding.pairs, CHAPTERS[chapter]
    if encoding.empty_row is not None:
        return row.padded.format(row=in_formula(encoding.empty_row))
    if row.powers and spacing in ("linear", "single"):
        return row.powers
    if pairs is not None and pairs.turns_evenly:
        return row.alike if spacing == "single" and pairs.count > 1 else ""
    if pairs is not None:
        names = rules_of(type(encoding))["map"].word_titles
        return f"{row.uneven} Here f(t) is {names[str(encoding.parameters['map'])]}." if row.uneven else ""
    if encoding.column_waves is None:
        return row.plain.format(title=encoding.title)
    lacking = np.flatnonzero(np.bincount(encoding.column_waves.numbers) < 2)
    which = f"hand {in_formula(float(lacking[0]))}" if len(lacking) == 1 else "every hand"
    return row.unpaired.format(title=encoding.title, which=which)
