"""A measurement in English: name, verdict, what its number means, the sentence, what was measured."""

from collections.abc import Mapping
from typing import Final

from pe_desktop.core.measure.measurement import FAILS, HOLDS, HOLDS_UP_TO, Measurement
from pe_desktop.core.measure.tables import FAR
from pe_desktop.core.number_text import SUPERSCRIPTS, grouped

# The seven, in the order in which people read them.
PROPERTY_NAMES: Final[Mapping[str, str]] = {
    "periodic": "Periodic pairs",
    "unique": "Unique",
    "far": "Far stays far",
    "shift_invariant": "Shift-invariant",
    "linear_shift": "Linear shift",
    "bounded": "Bounded",
    "norm": "Constant length",
}

VERDICTS: Final[Mapping[str, str]] = {HOLDS: "Holds", FAILS: "Fails", HOLDS_UP_TO: "Holds up to"}

# By key and finding; the numbers of the measurement are put in by their names.
_SENTENCES: Final[Mapping[tuple[str, str], str]] = {
    ("periodic", "nothing_turns"): "Nothing turns: it has no pairs with a wavelength.",
    ("periodic", "zero_row"): "No column repeats, for row {empty_row} is zero, and it has no angle.",
    ("periodic", "off_after_a_turn"): "Hands don't repeat: after a wavelength they are {largest_difference} off.",
    ("periodic", "no_near_return"): "Each pair repeats; no hand comes near its beginning within N.",
    ("periodic", "near_return"): (
        "Each pair repeats, none at a whole position: the fastest hand is {closest_return_chord} off after "
        "{closest_return}."
    ),
    ("unique", "one_position"): "There is only one position.",
    ("unique", "shared"): "Positions {position} and {other} share a vector.",
    ("unique", "confused"): "Positions {position} and {other}, not neighbours, are only {distance} apart.",
    ("unique", "distinct"): "Positions {position} and {other} are nearest, {distance} apart.",
    ("far", "none_far"): f"No two positions are more than {FAR} apart.",
    ("far", "apart"): (
        f"Positions more than {FAR} apart differ by {{distance}} at least, neighbours by {{farthest_neighbours}} at "
        "most."
    ),
    ("far", "confused"): (
        "Positions {position} and {other} are only {distance} apart, no more than neighbours can be."
    ),
    ("shift_invariant", "constant"): "Distance depends on the offset alone, to {distance_spread}.",
    ("shift_invariant", "distance_constant"): (
        "Distance depends on the offset alone, but dot products stray by {gram_percent} %."
    ),
    ("shift_invariant", "differs"): (
        "Distances at one offset differ by up to {distance_spread}, dot products by {gram_percent} %."
    ),
    ("linear_shift", "too_few"): "There are too few positions to contradict a matrix.",
    ("linear_shift", "one_matrix"): "One matrix moves every position by 1, to {total_residual} of the vectors.",
    ("linear_shift", "no_matrix"): "The best matrix for a move by 1 misses {residual_percent} % of the vectors.",
    ("bounded", "within_one"): "Every value stays within ±1: the largest is {largest_value}.",
    ("bounded", "no_growth"): ("No value is beyond {largest_value}, and the first positions reach {largest_early}."),
    ("bounded", "grows"): "Values grow with the position, up to {largest_value}.",
    ("norm", "equal"): "Every vector has the length {length}.",
    ("norm", "nearly_equal"): "Lengths are {shortest} but for {length}.",
    ("norm", "unequal"): "Lengths run from {shortest} to {longest}.",
}


def name(measurement: Measurement) -> str:
    return PROPERTY_NAMES[measurement.key]


def verdict_text(measurement: Measurement) -> str:
    """The verdict as people read it: Holds, Fails or Holds up to 396."""
    text = VERDICTS[measurement.verdict]
    return text if measurement.up_to is None else f"{text} {grouped(measurement.up_to)}"


def meaning(measurement: Measurement) -> str:
    """What the number that decides counts or says."""
    holds = measurement.verdict == HOLDS
    if measurement.key == "periodic" and measurement.number is not None:
        n_pairs = grouped(measurement.basis.n_all)
        return f"of {n_pairs} pairs turn within N" if holds else "difference after a wavelength"
    return {
        "periodic": "pairs turn within N",
        "unique": "smallest distance",
        "far": f"smallest distance more than {FAR} apart",
        "shift_invariant": "deviation from constant diagonals",
        "linear_shift": "relative residual",
        "bounded": "largest value",
        "norm": "length of a vector" if holds else "range of lengths",
    }[measurement.key]


def sentence(measurement: Measurement) -> str:
    """What was found, with its numbers."""
    given = {**measurement.numbers, **measurement.facts, "length": measurement.number}
    texts = {key: number_text(value) for key, value in given.items() if value is not None}
    finding = measurement.finding
    if finding == "unequal" and texts["shortest"] == texts["longest"]:
        finding = "nearly_equal"
    if measurement.key == "shift_invariant":
        texts["gram_percent"] = f"{100 * (measurement.number or 0.0):.3g}"
    if measurement.key == "linear_shift":
        texts["residual_percent"] = number_text(100 * (measurement.number or 0.0))
    return _SENTENCES[measurement.key, finding].format(**texts)


def basis(measurement: Measurement) -> str:
    """What was measured, all or which sample."""
    of = measurement.basis
    n_measured, n_all = grouped(of.n_measured), grouped(of.n_all)
    if of.kind == "hands":
        return f"{n_measured} of {n_all} pairs, one wavelength apart" if of.n_all else "its pairs"
    if of.kind == "offsets":
        return f"all {n_all} offsets, from their closed form"
    is_whole = of.n_measured == of.n_all
    positions = f"{n_all} positions" if is_whole else f"{n_measured} of {n_all} positions, in four runs"
    everything = f"{grouped(of.n_pairs)} pairs of {positions}" if of.kind == "position_pairs" else positions
    return f"all {everything}" if is_whole else everything


def number_text(number: float, digits: int = 4) -> str:
    """A number in a sentence: so many digits, whole ones in groups of three, tiny and huge ones as 5.3×10⁻¹⁵."""
    if float(number).is_integer() and abs(number) < 1e15:
        return grouped(number)
    text = f"{number:.{digits}g}"
    if "e" not in text:
        return text
    mantissa, exponent = f"{number:.1e}".split("e")
    return f"{mantissa}×10{str(int(exponent)).translate(SUPERSCRIPTS)}"
