"""The sentences of Properties: name, verdict, finding and basis of a measurement, what its pages tell."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measuring.measurement import FAILS, HOLDS, PROPERTIES, Measurement
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.precision.formats import Precision
from pe_desktop.draw.number_text import fixed, position, scientific, short, whole
from pe_desktop.resources import LazyMapping, resource_json

if TYPE_CHECKING:
    from pe_desktop.core.measuring.collisions import Comparison, DistanceLaw
    from pe_desktop.model.encoding_model import EncodingModel

# Lengths that agree so far are the same up to rounding.
_SAME: Final = 1e-9

# What each is called, in the order in which people read them.
PROPERTY_NAMES: Final = LazyMapping(lambda: {key: row.name for key, row in PROPERTIES.items()})

# What the pages say, and the words of their choice.
SAID: Final[Mapping[str, Any]] = resource_json("help.json")["views"]["properties"]
VERDICTS: Final[Mapping[str, str]] = SAID["verdicts"]
# What the axes of evidence are called.
AXES: Final[Mapping[str, str]] = SAID["axes"]
BEING_MEASURED: Final = "being measured…"
NOT_MEASURED: Final = "not measured"


def name(measurement: Measurement) -> str:
    return PROPERTY_NAMES[measurement.key]


def count_texts(measured: Collection[Measurement], precision: Precision) -> tuple[str, ...]:
    """How many of the properties hold, the longest first: 7 of 10 hold, 1 in part; 7 of 10, 1 in part; 7 of 10; 7/10.

    Where a smaller format is chosen, that they are of the exact table.
    """
    if not measured:
        return "not measured yet", "…"
    verdicts = [one.verdict for one in measured]
    n_hold = verdicts.count(HOLDS)
    n_all = len(verdicts)
    forms = f"{n_hold} of {n_all}", f"{n_hold}/{n_all}"
    if not precision.is_exact:
        return *(f"{form}, exact table" for form in forms), forms[1]
    besides = [
        f", {verdicts.count(verdict)} {text}" for verdict, text in SAID["besides"].items() if verdict in verdicts
    ]
    holding = f"{forms[0]} hold"
    said = "".join(besides)
    return (f"{holding}{said}", f"{forms[0]}{said}", *forms) if said else (holding, *forms)


def count_forms(model: "EncodingModel") -> tuple[str, ...]:
    """How many checks hold, the longest first, two at least; until that is known, how far measuring has come."""
    analysis = model.analysis
    if analysis is not None and analysis.is_complete:
        return count_texts(analysis.measurements, model.state.precision)
    share = f"{0.0 if analysis is None else 100 * analysis.share:.0f} %"
    return (f"measuring, {share}", share, "…") if model.is_measuring else ("stopped",) * 2


def verdict_text(measurement: Measurement) -> str:
    """The verdict as people read it: Holds, Fails or Holds up to N = 395 positions of a table."""
    text = VERDICTS[measurement.verdict]
    if measurement.verdict == HOLDS and _is_sampled(measurement):
        return f"{text} in the sample"
    return text if measurement.up_to is None else f"{text} N = {whole(measurement.up_to)}"


def _is_sampled(measurement: Measurement) -> bool:
    """Whether pairs of positions that were not compared may be nearer than those that were."""
    of = measurement.basis
    return PROPERTIES[measurement.key].is_of_pairs and of.kind == "position_pairs" and of.n_measured < of.n_all


def meaning(measurement: Measurement) -> str:
    """What the number that decides counts or says."""
    row = PROPERTIES[measurement.key]
    text, _ = row.deciding.get(measurement.finding, (row.meaning, ""))
    return text.format(n_all=whole(measurement.basis.n_all))


def tooltip(measurement: Measurement) -> str:
    """What the property means and whether it is so, what its number is, what was found on what, and who wishes it."""
    row = PROPERTIES[measurement.key]
    verdict = verdict_text(measurement)
    means = f"{row.says}: {verdict[0].lower()}{verdict[1:]}."
    between = _range(measurement)
    told = f"{between}: {row.between}." if between else f"{deciding_number(measurement)}: {meaning(measurement)}."
    number = "" if measurement.number is None else told
    wish = f"Wished for in the texts: {row.wish}." if row.wish else ""
    return "\n".join(filter(None, (means, number, sentence(measurement), measured_on(measurement), wish)))


def sentence(measurement: Measurement) -> str:
    """What was found, with its numbers."""
    given = {**measurement.numbers, "number": measurement.number}
    numbers = {key: _Number(value) for key, value in given.items() if value is not None}
    finding = measurement.finding
    if finding == "unequal" and f"{numbers['shortest']}" == f"{numbers['longest']}":
        finding = "nearly_equal"
    text = PROPERTIES[measurement.key].sentences[finding].format(**numbers)
    return f"In the sample, {text[0].lower()}{text[1:]}" if _is_sampled(measurement) else text


class _Number(float):
    """A number as the sentences of a property ask for it."""

    def __format__(self, spec: str) -> str:
        """In so many digits, 4 where there are none; %: in per cent; rounding: what is rounding, unless it is 0."""
        if spec == "rounding":
            return f"{self}{', rounding only' if self else ''}"
        digits = int(spec.removesuffix("%") or 4)
        return number_text(100 * self if spec.endswith("%") else float(self), digits)


def basis(measurement: Measurement) -> str:
    """What was measured, all or which sample; empty where there was nothing to measure.

    The file says by kind what one of them is, how a part of them was chosen, and what is said of all of them.
    """
    of = measurement.basis
    is_of_pairs = of.kind == "position_pairs"
    if not (of.n_pairs if is_of_pairs else of.n_measured):
        return ""
    noun, chosen, of_all = SAID["bases"].get(of.kind, ("position", ", in four runs", ""))
    if is_of_pairs and of.n_measured == of.n_all:
        row = measurement.numbers.get("empty_row")
        besides = "" if row is None else f"; row {whole(row)}, all zero, is nobody's neighbour"
        return f"{_all(of.n_pairs, 'pair')} of {whole(of.n_all)} positions{besides}"
    if of.n_measured == of.n_all or of.kind == "offsets":
        return f"{_all(of.n_all, noun)}{of_all}"
    of_pairs = f"{whole(of.n_pairs)} pairs of " if is_of_pairs else ""
    return f"{of_pairs}{whole(of.n_measured)} of {whole(of.n_all)} {noun}s{chosen}"


def measured_on(measurement: Measurement) -> str:
    """What was measured, as a sentence; empty where there was nothing to measure."""
    text = basis(measurement)
    return f"Measured on {text}." if text else ""


def _all(count: int, noun: str) -> str:
    return f"the only {noun}" if count == 1 else f"all {whole(count)} {noun}s"


def number_text(number: float, digits: int = 4) -> str:
    """A number in a sentence: so many digits, whole ones in groups of three, tiny and huge ones as 5.3×10⁻¹⁵."""
    if float(number).is_integer() and abs(number) < 1e15:
        return whole(number)
    text = f"{number:.{digits}g}"
    if "e" not in text:
        return text.replace("-", MINUS) if "." in text else whole(float(text))
    return scientific(number, keeps_zeros=True)


def no_offsets(encoding: Encoding) -> str:
    """Why the distances of an encoding are not told by offset; empty where they are."""
    if encoding.n_positions < 2:
        return "One position has no distance to another."
    if encoding.is_shift_invariant:
        return ""
    return f"Dot products of {encoding.title} depend on more than the offset: the verdicts compare its positions."


def base_bound_name(encoding: Encoding) -> str:
    """What the base bound is of: hands that get shorter have other dot products than their turns alone."""
    return "Base bound" if encoding.is_shift_invariant else "Base bound of the turns alone"


def revival(predicted: float, offset: int, distance: float, neighbours: float) -> str:
    """Where evenly spaced frequencies meet again."""
    numbers = fixed(predicted, 2), whole(offset), short(distance, 4), short(neighbours, 4)
    return str(SAID["revival"].format(*numbers))


def steps_down(law: "DistanceLaw") -> str:
    """How often the distance gets smaller with the offset, and where it is largest."""
    n_steps = max(len(law.distances) - 1, 0)
    n_down = len(law.steps_down)
    text = f"None of {whole(n_steps)} steps goes down"
    if n_down:
        first = int(law.steps_down[0])
        text = f"{whole(n_down)} of {whole(n_steps)} steps go down, the first from {whole(first)} to {whole(first + 1)}"
    farthest = f"{fixed(float(law.distances[law.farthest]), 4)} at k = {whole(law.farthest)}"
    return f"{text}; the largest distance is {farthest}."


def difference(two: "Comparison") -> str:
    """The lengths of the difference over k at t and at 0; what follows from them, where that is so for every t."""
    if two.offset == 0:
        return "Over k = 0 there is no difference."
    has_law = not no_offsets(two.encoding)
    here, there, apart = (short(length, 6) for length in (two.length, two.other_length, two.turned))
    text = f"The difference over k = {position(two.offset)} has length {here}"
    if two.position == 0:
        rest = "the length stays, for it depends on the offset alone; the vector turns with t."
        return f"{text} at t = 0. Move t: {rest if has_law else 'length and vector may change.'}"
    text += f" at t = {position(two.position)} and {there} at t = 0"
    if has_law:
        text += f", but the two differences are {apart} apart"
        return f"{text}: the length depends on the offset alone, the vector on t as well."
    if two.turned <= _SAME * two.length:
        return f"{text}; these two differences are one vector."
    return f"{text}; the two differences are {apart} apart."


def deciding_number(measurement: Measurement, digits: int = 3) -> str:
    """The number that decides a check, with so many digits, or why there is none."""
    if measurement.number is None:
        return "none" if measurement.verdict == FAILS else "too few t"
    return number_text(measurement.number, digits)


def _range(measurement: Measurement) -> str:
    """The range of values where the property that holds has one; one value where both ends are the same."""
    ends = PROPERTIES[measurement.key].ends if measurement.verdict == HOLDS else ()
    return " – ".join(dict.fromkeys(short(measurement.numbers[name] or 0.0) for name in ends))


def short_number(measurement: Measurement) -> str:
    """The number that decides with the word that says what it is: largest 1, nearest 1.17, misses by 2.8×10⁻¹⁶."""
    row = PROPERTIES[measurement.key]
    number = deciding_number(measurement)
    between = _range(measurement)
    if measurement.number is None or between:
        return between or number
    _, narrow = row.deciding.get(measurement.finding, ("", row.narrow))
    return narrow.format(number)
