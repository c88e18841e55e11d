"""The ten properties of an encoding: what each is called, what is said of it, and one measured."""

from collections.abc import Mapping
from dataclasses import field
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats, Integers, read_only
from pe_desktop.core.record import record

HOLDS: Final = "holds"
FAILS: Final = "fails"
HOLDS_UP_TO: Final = "holds_up_to"
# Too few positions to tell: not counted as held.
UNDECIDED: Final = "undecided"

# Positions more than this apart are far.
FAR: Final = 16


@record(eq=False)
class _Property:
    """What a property is called, and what is said of it.

    meaning: what the number that decides counts or says; says: what having the property means; narrow: the number with
    a word in a narrow column. deciding: by finding the meaning and the narrow form of another number that decides.
    sentences: by finding what was found, {name} a number of the measurement in four digits, {name:3} in three, {name:%}
    in per cent, {name:rounding} with words where it is rounding; {number} is the one that decides. wish: what a text
    wishes for, in its words. ends: the names of two numbers between which values lie where it holds; between: what
    these are. is_of_pairs: another pair of positions than those that were compared may decide.
    """

    name: str
    meaning: str
    says: str
    narrow: str
    sentences: Mapping[str, str]
    deciding: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    wish: str = ""
    ends: tuple[str, ...] = ()
    between: str = ""
    is_of_pairs: bool = False


# By their keys, in the order in which people read them: five wishes of one text, three of another, two checks.
PROPERTIES: Final[Mapping[str, _Property]] = {
    "deterministic": _Property(
        name="Deterministic",
        meaning="difference of two evaluations",
        says="Computed twice, it is the same table: nothing is drawn by lot",
        narrow="differs by {}",
        sentences={
            "repeats": "The formula alone gives the table: evaluated twice, every bit is the same.",
            "changes": "Evaluated twice, {changed_values} of {compared_values} values differ.",
            "drawn": "Drawn at random: with another seed {changed_values} of {compared_values} values differ.",
        },
        deciding={"drawn": ("difference to another seed", "differs by {}")},
        wish="deterministic",
    ),
    "smooth": _Property(
        name="Smooth",
        meaning="longest step / median step",
        says="A step to the next position changes the vector about as much anywhere, without jumps",
        narrow="longest {} × usual",
        sentences={
            "too_few": "Fewer than three positions have no two steps to compare.",
            "still": "All steps have length 0: all vectors are the same.",
            "rests": "Most steps have length 0, but one is {largest_step} long.",
            "equal": "All steps from t to t + 1 are {median_step} long.",
            "even": "The longest step, from {position} to {other}, is {number:3} times the median step.",
            "uneven": "The step from {position} to {other} is {number:3} times the median step.",
            "bends": "A step differs from the one before by {bend} of its length: its direction changes.",
        },
        deciding={"bends": ("change of a step / median step", "jumps, {} × step")},
        wish="smooth with respect to position",
    ),
    "scales": _Property(
        name="Many scales",
        meaning="fewest hands per 10× wavelength",
        says="Some hands are fast, some slow: each wavelength up to N has hands no more than ten times as slow",
        narrow="hands per 10× ≥ {}",
        sentences={
            "every": "Hands in each tenfold of wavelength, from 2π on, that begins within N: {fewest} to {most}.",
            "evenly": "Hands in each tenfold of wavelength, from 2π on, that begins within N: {fewest}.",
            "one_tenfold": "Below 63 positions there is one tenfold of wavelength only: 2π to 20π.",
            "gap": "No hand has a wavelength from {gap_from} to below {gap_to} positions.",
            "uneven": "How fast a hand turns depends on t: none has a wavelength in positions.",
            "nothing_turns": "Nothing turns, so there is no wavelength at any scale.",
        },
        deciding={"gap": ("fewest hands per 10× wavelength", "none in one tenfold")},
        wish="multi-scale",
    ),
    "linear_shift": _Property(
        name="Linear shift",
        meaning="error of best matrix / length",
        says="One matrix of 2 × 2 blocks, the same for every position, turns it into the next one",
        narrow="misses by {}",
        sentences={
            "too_few": "Fewer than four positions are moved by some matrix whatever they are.",
            "one_matrix": "One matrix moves every position by 1: misses by {total_residual:rounding}.",
            "no_matrix": "The best 2 × 2 matrix of each pair misses one step by {number:2%} % of a vector's length.",
        },
        wish="linearly exploitable for relative position",
    ),
    "norm": _Property(
        name="Constant length",
        meaning="length of a vector",
        says="The vectors of all positions are equally long: none outweighs another",
        narrow="all {}",
        sentences={
            "one_position": "One length has no other to compare with: {number}.",
            "equal": "Every vector has the length {number}.",
            "nearly_equal": "Lengths are {shortest}, but differ by {number}.",
            "unequal": "Lengths run from {shortest} to {longest}.",
        },
        deciding={"unequal": ("range of lengths", "range {}")},
        wish="stable for long sequences",
    ),
    "unique": _Property(
        name="Unique",
        meaning="smallest distance",
        says="No two positions look the same",
        narrow="nearest {}",
        sentences={
            "one_position": "There is only one position.",
            "shared": "Positions {position} and {other} share a vector.",
            "distinct": "Positions {position} and {other} are nearest, {distance} apart: no two share a vector.",
        },
        wish="every position is distinct",
        is_of_pairs=True,
    ),
    "bounded": _Property(
        name="Bounded",
        meaning="largest value",
        says="Values don't grow with the position, however long the text",
        narrow="largest {}",
        sentences={
            "too_few": "Fewer than three positions don't tell whether values grow: the largest is {largest_value}.",
            "within_one": "Every value stays within ±1: the largest is {largest_value}.",
            "no_growth": (
                "Values up to {largest_value}; root mean square length {early_length:3} in the first quarter, "
                "{mean_length:3} in all."
            ),
            "grows": "Values grow with the position, up to {largest_value}.",
        },
        wish="every component is bounded",
    ),
    "shift_invariant": _Property(
        name="Shift-invariant",
        meaning="relative spread along a diagonal",
        says="How alike two positions are depends on how far apart they stand alone, not on where",
        narrow="off by {}",
        sentences={
            "too_few": "Fewer than three positions have one pair at each offset: nothing can stray.",
            "constant": "Dot products along a diagonal are the same: off by {gram_deviation:rounding}.",
            "distance_constant": "Distance depends on the offset alone, but dot products stray by {number:3%} %.",
            "differs": "Dot products at one offset stray by {number:3%} %, distances by {distance_spread}.",
        },
        wish="the relationship between positions t and t + k looks the same for every t",
    ),
    "periodic": _Property(
        name="Periodic pairs",
        meaning="of {n_all} pairs turn within N",
        says="Each two dimensions turn as a hand, which stands as before after one wavelength",
        narrow="{} turn within N",
        sentences={
            "one_position": "One position shows no turn.",
            "nothing_turns": "Nothing turns: it has no pairs with a wavelength.",
            "unpaired": "Its columns turn, but not all in pairs of one sine and one cosine.",
            "zero_row": "No column repeats, for row {empty_row} is zero and has no angle.",
            "off_after_a_turn": "Hands don't repeat: after a wavelength they are {largest_difference} off.",
            "no_near_return": "Each pair repeats; no hand comes near its beginning within N.",
            "near_return": (
                "Each pair repeats: the fastest hand is {closest_return_chord} of its length off at "
                "k = {closest_return}."
            ),
        },
        deciding={"off_after_a_turn": ("difference after a wavelength", "off by {}")},
        ends=("shortest_wavelength", "longest_wavelength"),
        between="positions a turn, from the fastest pair to the slowest",
    ),
    "far": _Property(
        name="Far stays far",
        meaning=f"smallest distance more than {FAR} apart",
        says=f"Positions more than {FAR} apart never look as alike as two neighbours",
        narrow="{} or more",
        sentences={
            "too_few": f"No two positions are more than {FAR} apart.",
            "apart": (
                f"Positions more than {FAR} apart differ by {{distance}} at least, neighbours by "
                "{farthest_neighbours:3} at most."
            ),
            "confused": (
                "Positions {position} and {other} are only {distance} apart, neighbours up to {farthest_neighbours}. "
                "Far pairs as near or nearer come first at k = {first_offset}."
            ),
        },
        deciding={"confused": (f"smallest distance more than {FAR} apart", "only {}")},
        is_of_pairs=True,
    ),
}


# Points of a line of evidence at most: a small picture has no more columns.
EVIDENCE_POINTS: Final = 256


@record(eq=False)
class Evidence:
    """What a small picture of a measurement draws, in the units of the encoding.

    kind: "lines", each row of y against x; "band", what lies between the two rows of y; or "points".
    x: shape (m,), m at most EVIDENCE_POINTS; x_name: position, offset or pair; y, called y_name: shape (n_lines, m).
    levels: heights at which a thin line runs across; marks: places on x; is_logarithmic: y, all above 0, is drawn by
    its logarithm.
    """

    kind: str
    x_name: str
    x: Floats
    y: Floats
    y_name: str = "value"
    levels: tuple[float, ...] = ()
    marks: tuple[float, ...] = ()
    is_logarithmic: bool = False

    def __post_init__(self) -> None:
        read_only(self.x)
        read_only(self.y)


@record
class Basis:
    """What was measured: so many of all, by kind: "hands", "wavelengths", "offsets", or one of the five of positions.

    "positions" and "position_pairs" are all, or four runs of them, "moves" the steps from t to t + 1 between them,
    "steps" those with some more; "spread": positions that are spread evenly. n_pairs: how many pairs of positions.
    """

    kind: str
    n_measured: int
    n_all: int
    n_pairs: int = 0


@record(eq=False)
class Measurement:
    """One property of one encoding, measured.

    key: one of PROPERTIES. number: the number that decides, None where there is nothing to measure.
    verdict: HOLDS, FAILS, UNDECIDED, or HOLDS_UP_TO so many positions: up_to. finding: the id of what was found, for a
    sentence.
    numbers: everything measured, by stable names; facts: what the sentence needs besides.
    """

    key: str
    verdict: str
    finding: str
    number: float | None
    basis: Basis = field(repr=False)
    numbers: Mapping[str, float | int | None] = field(repr=False)
    evidence: Evidence = field(repr=False)
    up_to: int | None = None
    facts: Mapping[str, float] = field(default_factory=dict, repr=False)


def thinned(values: Floats | Integers, extreme: np.ufunc = np.minimum) -> Floats:
    """The smallest or, by np.maximum, the largest value of each stretch, shape (at most EVIDENCE_POINTS,)."""
    starts = np.arange(0, len(values), max(-(-len(values) // EVIDENCE_POINTS), 1))
    return np.asarray(extreme.reduceat(values, starts) if len(values) else values, dtype=np.float64)


def band(x_name: str, y_name: str, x: Floats | Integers, *ends: Floats, levels: tuple[float, ...] = (0.0,)) -> Evidence:
    """What lies between the smallest and the largest values of each stretch; ends: both at each x, or what they are."""
    bounds = np.stack([thinned(ends[0]), thinned(ends[-1], np.maximum)])
    return Evidence("band", x_name, thinned(x), bounds, y_name, levels)


@record(eq=False)
class Analysis:
    """Measurements of one encoding; share: how much of the work is done, 0 to 1."""

    measurements: tuple[Measurement, ...]
    share: float

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to measure."""
        return len(self.measurements) == len(PROPERTIES)

    def measurement(self, key: str) -> Measurement | None:
        """What was measured under a key of PROPERTIES; None while it is not known."""
        return next((one for one in self.measurements if one.key == key), None)
