"""The sentences of Properties: name, verdict, finding and basis of a measurement, what its pages tell."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import FAILS, HOLDS, HOLDS_UP_TO, Measurement
from pe_desktop.core.measure.tables import FAR
from pe_desktop.core.number_text import MINUS, SUPERSCRIPTS, THIN_SPACE, grouped
from pe_desktop.draw.number_text import fixed, position, short, whole

if TYPE_CHECKING:
    from pe_desktop.core.measure.collisions import Alias
    from pe_desktop.core.measure.distance_law import Comparison, DistanceLaw

_grouped: Final = partial(grouped, space=THIN_SPACE)
# Lengths that agree so far are the same up to rounding.
_SAME: Final = 1e-9

# All of them, in the order in which people read them.
PROPERTY_NAMES: Final[Mapping[str, str]] = {
    "deterministic": "Deterministic",
    "smooth": "Smooth",
    "scales": "Many scales",
    "linear_shift": "Linear shift",
    "norm": "Constant length",
    "unique": "Unique",
    "bounded": "Bounded",
    "shift_invariant": "Shift-invariant",
    "periodic": "Periodic pairs",
    "far": "Far stays far",
}

# What the texts wish for, in their words: five in the workshop notes, three in "A multi-frequency clock".
WISHES: Final[Mapping[str, str]] = {
    "deterministic": "deterministic",
    "smooth": "smooth with respect to position",
    "scales": "multi-scale",
    "linear_shift": "linearly exploitable for relative position",
    "norm": "stable for long sequences",
    "unique": "every position is distinct",
    "bounded": "every component is bounded",
    "shift_invariant": "the relationship between positions t and t + k looks the same for every t",
}

VERDICTS: Final[Mapping[str, str]] = {HOLDS: "Holds", FAILS: "Fails", HOLDS_UP_TO: "Holds up to"}

BEING_MEASURED: Final = "being measured…"
NOT_MEASURED: Final = "not measured"

# By key and finding; the numbers of the measurement are put in by their names.
_SENTENCES: Final[Mapping[tuple[str, str], str]] = {
    ("deterministic", "repeats"): "The formula alone gives the table: evaluated twice, every bit is the same.",
    ("deterministic", "changes"): "Evaluated twice, {changed_values} of {compared_values} values differ.",
    ("deterministic", "drawn"): (
        "Drawn at random from a seed: with another seed {changed_values} of {compared_values} values differ."
    ),
    ("smooth", "too_few"): "One position has no steps.",
    ("smooth", "still"): "All steps have length 0: all vectors are the same.",
    ("smooth", "rests"): "Most steps have length 0, but one is {largest_step} long.",
    ("smooth", "equal"): "All steps from t to t + 1 are {median_step} long.",
    ("smooth", "even"): "The longest step, from {position} to {other}, is {ratio} times the median step.",
    ("smooth", "uneven"): "The step from {position} to {other} is {ratio} times the median step.",
    ("smooth", "bends"): "A step differs from the one before by {bend} of its length: its direction changes.",
    ("scales", "every"): "Hands in each tenfold of wavelength from 2π to N: {fewest} at least.",
    ("scales", "gap"): "No hand has a wavelength from {gap_from} to below {gap_to} positions.",
    ("scales", "uneven"): "How fast a hand turns depends on t: none has a wavelength in positions.",
    ("scales", "nothing_turns"): "Nothing turns, so there is no wavelength at any scale.",
    ("periodic", "nothing_turns"): "Nothing turns: it has no pairs with a wavelength.",
    ("periodic", "unpaired"): "Its columns turn, but not all in pairs of one sine and one cosine.",
    ("periodic", "zero_row"): "No column repeats, for row {empty_row} is zero and has no angle.",
    ("periodic", "off_after_a_turn"): "Hands don't repeat: after a wavelength they are {largest_difference} off.",
    ("periodic", "no_near_return"): "Each pair repeats; no hand comes near its beginning within N.",
    ("periodic", "near_return"): (
        "Each pair repeats, none at a whole position: the fastest hand is {closest_return_chord} off after "
        "{closest_return} positions."
    ),
    ("unique", "one_position"): "There is only one position.",
    ("unique", "shared"): "Positions {position} and {other} share a vector.",
    ("unique", "confused"): (
        "Positions {position} and {other} are only {distance} apart, less than half of what neighbours are, "
        "{nearest_neighbours}."
    ),
    ("unique", "distinct"): "Positions {position} and {other} are nearest, {distance} apart.",
    ("far", "none_far"): f"No two positions are more than {FAR} apart.",
    ("far", "apart"): (
        f"Positions more than {FAR} apart differ by {{distance}} at least, neighbours by {{farthest_neighbours}} at "
        "most."
    ),
    ("far", "confused"): (
        "Positions {position} and {other} are only {distance} apart, neighbours up to {farthest_neighbours}."
    ),
    ("shift_invariant", "constant"): "Dot products depend on the offset alone{gram_rounding}.",
    ("shift_invariant", "distance_constant"): (
        "Distance depends on the offset alone, but dot products stray by {gram_percent} %."
    ),
    ("shift_invariant", "differs"): (
        "Dot products at one offset stray by {gram_percent} %, distances by {distance_spread}."
    ),
    ("linear_shift", "too_few"): "There are too few positions to rule out a matrix.",
    ("linear_shift", "one_matrix"): "One matrix moves every position by 1{total_rounding}.",
    ("linear_shift", "no_matrix"): "The best matrix for a move by 1 misses {residual_percent} % of the vectors.",
    ("bounded", "within_one"): "Every value stays within ±1: the largest is {largest_value}.",
    ("bounded", "no_growth"): "No value is beyond {largest_value}, and later vectors are no longer than the first.",
    ("bounded", "grows"): "Values grow with the position, up to {largest_value}.",
    ("norm", "equal"): "Every vector has the length {length}.",
    ("norm", "nearly_equal"): "Lengths are {shortest}, but differ by {length}.",
    ("norm", "unequal"): "Lengths run from {shortest} to {longest}.",
}


def name(measurement: Measurement) -> str:
    return PROPERTY_NAMES[measurement.key]


def count_text(measured: Collection[Measurement], n_all: int) -> str:
    """How many of the properties hold: 8 of 10 hold, 1 in part; "not measured yet" where none is known."""
    if not measured:
        return "not measured yet"
    n_partly = sum(one.verdict == HOLDS_UP_TO for one in measured)
    told = f"{sum(one.verdict == HOLDS for one in measured)} of {n_all} hold"
    return f"{told}, {n_partly} in part" if n_partly else told


def verdict_text(measurement: Measurement) -> str:
    """The verdict as people read it: Holds, Fails or Holds up to 396."""
    text = VERDICTS[measurement.verdict]
    if measurement.verdict == HOLDS and _is_sampled(measurement):
        return f"{text} in the sample"
    return text if measurement.up_to is None else f"{text} {_grouped(measurement.up_to)}"


def _is_sampled(measurement: Measurement) -> bool:
    """Whether pairs of positions that were not compared may be nearer than those that were."""
    of = measurement.basis
    return measurement.key in ("unique", "far") and of.kind == "position_pairs" and of.n_measured < of.n_all


def meaning(measurement: Measurement) -> str:
    """What the number that decides counts or says."""
    holds = measurement.verdict == HOLDS
    if measurement.key == "periodic" and measurement.number is not None:
        n_pairs = _grouped(measurement.basis.n_all)
        return f"of {n_pairs} pairs turn within N" if holds else "difference after a wavelength"
    return {
        "deterministic": "difference of two evaluations" if holds else "difference to another seed",
        "smooth": "longest step / median step",
        "scales": "hands in the emptiest tenfold",
        "periodic": "pairs turn within N",
        "unique": "smallest distance",
        "far": f"smallest distance more than {FAR} apart",
        "shift_invariant": "dot products off constant diagonals",
        "linear_shift": "relative residual",
        "bounded": "largest value",
        "norm": "length of a vector" if holds else "range of lengths",
    }[measurement.key]


# By kind: one of what was measured, how a part of them was chosen, what is said of all of them.
_BASES: Final[Mapping[str, tuple[str, str, str]]] = {
    "wavelengths": ("wavelength", "", ""),
    "spread": ("position", ", spread evenly", ""),
    "steps": ("step", ", in four runs and before powers of two", ""),
    "hands": ("pair", ", at positions one wavelength apart", ", at positions one wavelength apart"),
    "offsets": ("offset", "", ", from their closed form"),
}


def wish(measurement: Measurement) -> str:
    """Which wish of a text it answers; empty where none does."""
    text = WISHES.get(measurement.key)
    return "" if text is None else f"Wished for in the texts: {text}."


def sentence(measurement: Measurement) -> str:
    """What was found, with its numbers."""
    given = {**measurement.numbers, **measurement.facts, "length": measurement.number}
    texts = {key: number_text(value) for key, value in given.items() if value is not None}
    finding = measurement.finding
    if finding == "unequal" and texts["shortest"] == texts["longest"]:
        finding = "nearly_equal"
    if measurement.key == "smooth":
        texts["ratio"] = number_text(measurement.number or 0.0, 3)
    if measurement.key == "shift_invariant":
        texts["gram_percent"] = number_text(100 * (measurement.number or 0.0), 3)
    if measurement.key == "linear_shift":
        texts["residual_percent"] = number_text(100 * (measurement.number or 0.0))
    texts |= {
        f"{key.split('_')[0]}_rounding": f", to {texts[key]}: rounding only" if given[key] else ", exactly"
        for key in ("gram_deviation", "total_residual")
        if key in texts
    }
    told = _SENTENCES[measurement.key, finding].format(**texts)
    return f"In the sample, {told[0].lower()}{told[1:]}" if _is_sampled(measurement) else told


def basis(measurement: Measurement) -> str:
    """What was measured, all or which sample; empty where there was nothing to measure."""
    of = measurement.basis
    is_of_pairs = of.kind == "position_pairs"
    if not (of.n_pairs if is_of_pairs else of.n_all):
        return ""
    noun, chosen, of_all = _BASES.get(of.kind, ("position", ", in four runs", ""))
    if is_of_pairs and of.n_measured == of.n_all:
        return f"{_all(of.n_pairs, 'pair')} of {_grouped(of.n_all)} positions"
    if of.n_measured == of.n_all or of.kind == "offsets":
        return _all(of.n_all, noun) + of_all
    of_pairs = f"{_grouped(of.n_pairs)} pairs of " if is_of_pairs else ""
    return f"{of_pairs}{_grouped(of.n_measured)} of {_grouped(of.n_all)} {noun}s{chosen}"


def measured_on(measurement: Measurement) -> str:
    """What was measured, as a sentence; empty where there was nothing to measure."""
    told = basis(measurement)
    return f"Measured on {told}." if told else ""


def _all(count: int, noun: str) -> str:
    return f"the only {noun}" if count == 1 else f"all {_grouped(count)} {noun}s"


def number_text(number: float, digits: int = 4) -> str:
    """A number in a sentence: so many digits, whole ones in groups of three, tiny and huge ones as 5.3×10⁻¹⁵."""
    if float(number).is_integer() and abs(number) < 1e15:
        return _grouped(number)
    text = f"{number:.{digits}g}"
    if "e" not in text:
        return text.replace("-", MINUS) if "." in text else _grouped(float(text))
    mantissa, exponent = f"{number:.1e}".split("e")
    return f"{mantissa}×10{str(int(exponent)).translate(SUPERSCRIPTS)}"


def no_offsets(encoding: Encoding) -> str:
    """Why the distances of an encoding are not told by offset; empty where they are."""
    if encoding.n_positions < 2:
        return "One position has no distance to another."
    if encoding.is_shift_invariant:
        return ""
    return f"Dot products of {encoding.title} depend on more than the offset: the verdicts compare its positions."


def revival(found: "Alias") -> str:
    """Where evenly spaced frequencies meet again."""
    return (
        f"Evenly spaced frequencies meet again after 2π/Δω = {fixed(found.predicted, 2)}: at k = {whole(found.offset)} "
        f"the distance is {short(found.distance, 4)}, of neighbours {short(found.neighbours, 4)}."
    )


def steps_down(law: "DistanceLaw") -> str:
    """How often the distance gets smaller with the offset, and where it is largest."""
    n_steps, n_down = max(len(law.distances) - 1, 0), len(law.steps_down)
    if n_down:
        first = int(law.steps_down[0])
        told = f"{whole(n_down)} of {whole(n_steps)} steps go down, the first from {whole(first)} to {whole(first + 1)}"
    else:
        told = f"None of {whole(n_steps)} steps goes down"
    farthest = f"{fixed(float(law.distances[law.farthest]), 4)} at k = {whole(law.farthest)}"
    return f"{told}; the largest distance is {farthest}."


def difference(two: "Comparison") -> str:
    """The lengths of the difference over k at t and at 0; what follows from them, where that is so for every t."""
    if two.offset == 0:
        return "Over k = 0 there is no difference."
    turn, has_law = two.turn, not no_offsets(two.encoding)
    here, there, apart = (short(length, 6) for length in (turn.length, turn.other_length, turn.apart))
    told = f"The difference over k = {position(two.offset)} has length {here}"
    if two.position == 0:
        rest = "the length stays, for it depends on the offset alone; the vector turns with t."
        return f"{told} at t = 0. Move t: {rest if has_law else 'length and vector may change.'}"
    told += f" at t = {position(two.position)} and {there} at t = 0"
    if has_law:
        told += f", but the two differences are {apart} apart"
        return f"{told}: the length depends on the offset alone, the vector on t as well."
    if turn.apart <= _SAME * turn.length:
        return f"{told}; these two differences are one vector."
    return f"{told}; the two differences are {apart} apart."
