"""The ten properties of an encoding: what each is called, what is said of it, and one measured."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Final

from pe_desktop.core.encoding import Floats, read_only
from pe_desktop.core.record import record
from pe_desktop.resources import LazyMapping, resource_json

HOLDS: Final = "holds"
FAILS: Final = "fails"
HOLDS_UP_TO: Final = "holds_up_to"
# Too few positions to tell: not counted as held.
UNDECIDED: Final = "undecided"

# What is found where there are too few positions to tell, and where a property holds; all else is found where it fails.
_TOO_FEW: Final = ("one_position", "one_tenfold", "too_few")
_HELD: Final = (
    *("repeats", "equal", "even", "still", "evenly", "every", "one_matrix", "distinct"),
    *("within_one", "no_growth", "constant", "near_return", "no_near_return", "apart"),
)

# Positions more than this apart are far: sentences of the file say so.
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
    deciding: Mapping[str, Sequence[str]] = field(default_factory=dict)
    wish: str = ""
    ends: Sequence[str] = ()
    between: str = ""
    is_of_pairs: bool = False


# In the order in which people read them: five wishes of one text, three of another, two checks. Choices of the state; a
# test holds that they are those of the file.
PROPERTY_KEYS: Final = (
    "deterministic", "smooth", "scales", "linear_shift", "norm", "unique", "bounded", "shift_invariant", "periodic",
    "far",
)  # fmt: skip
PROPERTIES: Final[Mapping[str, _Property]] = LazyMapping(
    lambda: {key: _Property(**row) for key, row in resource_json("measurements.json").items()}
)
# Of schemes of scores by their keys name, meaning of the number that decides, sentence.
SCHEME_PROPERTIES: Final = LazyMapping[dict[str, str]](lambda: resource_json("scheme_properties.json"))
# Points of a line of evidence at most: a small picture has no more columns.
EVIDENCE_POINTS: Final = 256


@record(eq=False)
class Evidence:
    """What a small picture of a measurement draws, in the units of the encoding.

    x: shape (m,), m at most EVIDENCE_POINTS; x_name: position, offset or pair; y, called y_name: shape (n_lines, m).
    levels: heights at which a thin line runs across, called level_name; mark: a place on x; are_points: no lines;
    is_logarithmic: y, all above 0, is drawn by its logarithm.
    """

    x_name: str
    x: Floats
    y: Floats
    y_name: str = "value"
    levels: tuple[float, ...] = ()
    mark: float | None = None
    are_points: bool = False
    is_logarithmic: bool = False
    level_name: str = ""

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

    key: one of PROPERTIES. finding: the id of what was found, for a sentence, from which follows the verdict:
    HOLDS, FAILS, UNDECIDED, or HOLDS_UP_TO so many positions: up_to. number: the one that decides, None where there is
    nothing to measure. numbers: everything measured, by stable names.
    """

    key: str
    finding: str
    number: float | None
    basis: Basis = field(repr=False)
    numbers: Mapping[str, float | int | None] = field(repr=False)
    evidence: Evidence = field(repr=False)
    up_to: int | None = None
    verdict: str = field(init=False, default_factory=str)

    def __post_init__(self) -> None:
        told = UNDECIDED if self.finding in _TOO_FEW else HOLDS if self.finding in _HELD else FAILS
        object.__setattr__(self, "verdict", HOLDS_UP_TO if self.up_to else told)


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
