"""The presets: encodings chosen with one press, what each keeps, and lists of them side by side."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, cast

from pe_desktop.core.conventions import CONVENTIONS, by_its_word, conventions_of
from pe_desktop.core.cursor import Cursor, fitted_cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.hands import number
from pe_desktop.core.kinds import KINDS, kind_rules
from pe_desktop.core.kinds.naive import BitsEncoding, least_bits
from pe_desktop.core.parameters import (
    CURSOR_PARAMETERS,
    ENCODING_PARAMETERS,
    cursor_with_parameter,
    with_parameter,
)

SINUSOIDAL: Final = "Sinusoidal"
LIBRARIES: Final = "Conventions"
ABLATIONS: Final = "Ablations"
NAIVE: Final = "Naive"
FIGURES: Final = "Figures of the texts"
REACH: Final = "Reach and aliasing"
GROUPS: Final = (SINUSOIDAL, LIBRARIES, ABLATIONS, NAIVE, FIGURES, REACH)

# What a choice leaves as it is, where its kind has it.
KEPT: Final = ("n_positions", "d_model", "base")


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry: the assignments of the command line that it stands for, and a sentence about it.

    What KEPT names stays, unless it is assigned; all else that is not assigned gets its default. t, k and i stay, too.
    has_half_width: half of d_model columns; pinned_pairs: the pairs to pin, none to leave them; has_sizes_for_others:
    what it assigns of KEPT is wanted from then on.
    """

    word: str
    group: str
    title: str
    assignments: Mapping[str, str]
    sentence: str
    has_half_width: bool = False
    pinned_pairs: tuple[int, ...] = ()
    has_sizes_for_others: bool = False

    @property
    def is_figure(self) -> bool:
        """Whether it is a figure or a number of a text: with sizes of its own, seen as a whole."""
        return self.group in (FIGURES, REACH)


_PADDED: Final = Choice(
    "fairseq-padded",
    LIBRARIES,
    "fairseq, padding row",
    {"kind": "padded"},
    "The whole weight table: row padding_idx is zero, so padding adds nothing; the first token reads the row after it",
)


def _conventions() -> tuple[Choice, ...]:
    choices = []
    for word, convention in CONVENTIONS.items():
        group, title = (SINUSOIDAL, "Sinusoidal (paper)") if word == "paper" else (LIBRARIES, convention.name)
        choices.append(Choice(word, group, title, {"convention": word}, convention.sentence))
        if word == "fairseq":
            choices.append(_PADDED)
    return tuple(choices)


def _mapped(word: str, title: str, sentence: str) -> Choice:
    return Choice(f"map-{word}", ABLATIONS, title, {"kind": "position-map", "map": word}, sentence)


def _one_wave(wave: str, width: str, sentence: str, *, has_half_width: bool = False) -> Choice:
    word = f"{wave}-only-half" if has_half_width else f"{wave}-only"
    title, assignments = f"{wave.capitalize()} only, {width} frequencies", {"kind": "one-wave", "wave": wave}
    return Choice(word, ABLATIONS, title, assignments, sentence, has_half_width)


def _based(word: str, title: str, base: str, sentence: str) -> Choice:
    return Choice(word, ABLATIONS, title, {"base": base}, sentence)


def _figure(
    word: str, title: str, size: str, cursor: str, pins: tuple[int, ...], sentence: str, **others: str
) -> Choice:
    """size: N x d; cursor: t, k and i; others: what is assigned besides."""
    sizes = dict(zip(("n_positions", "d_model"), size.split(" x "), strict=True))
    places = dict(zip(CURSOR_PARAMETERS, cursor.split(), strict=True))
    assignments = {"convention": "paper", **sizes, "base": "10000", **others, **places}
    return Choice(word, FIGURES, title, assignments, sentence, pinned_pairs=pins)


def _reach(
    word: str, title: str, size: str, cursor: str, pins: tuple[int, ...], sentence: str, **others: str
) -> Choice:
    return replace(_figure(word, title, size, cursor, pins, sentence, **others), group=REACH)


_ONLY_SINES: Final = "Sines without cosines: two angles share each sine, so no hand can be read or turned"
_ONLY_COSINES: Final = "Cosines without sines: two angles share each cosine, so no hand can be read or turned"

_ALL: Final = (
    *_conventions(),
    _mapped("square", "Position map t²", "How far a hand turns over k depends on t, so no matrix moves every position"),
    _mapped("root", "Position map √t", "Hands slow down as t grows: late neighbours come ever nearer to each other"),
    _mapped("log", "Position map log(1 + t)", "Hands slow down like 1/t: late neighbours are hardly apart"),
    _mapped("reciprocal", "Position map 1/(1 + t)", "After a few positions all hands stand still near 0"),
    Choice(
        "one-frequency", ABLATIONS, "One frequency", {"spacing": "single"},
        "All hands turn alike: shifts are exact, but one circle has to hold every position",
    ),
    Choice(
        "linear-spacing", ABLATIONS, "Linear spacing", {"spacing": "linear"},
        "Equal steps of ω: with a large base, all hands are nearly back after 2π divided by the step",
    ),
    _based(
        "base-100", "Base 100", "100",
        "No hand takes longer than 2π · 100 = 628 positions: neighbours differ more, nothing slow is left for regions",
    ),
    _based(
        "base-8192", "Base 8192", "8192",
        "A power of two does as well as 10 000: wavelengths end a little sooner, neighbours differ a little more",
    ),
    _based(
        "base-1000000", "Base 1 000 000", "1000000",
        "Wavelengths up to 2π million positions, for texts longer than most: neighbours differ less",
    ),
    _one_wave("sine", "d", _ONLY_SINES),
    _one_wave("sine", "d/2", _ONLY_SINES, has_half_width=True),
    _one_wave("cosine", "d", _ONLY_COSINES),
    _one_wave("cosine", "d/2", _ONLY_COSINES, has_half_width=True),
    Choice("odd-width", ABLATIONS, "Odd width", {"kind": "odd-width"}, "One hand has no cosine, so no matrix moves it"),
    Choice(
        "doubled-exponent", ABLATIONS, "Doubled exponent", {"kind": "doubled-exponent"},
        "A common bug: exponents run to 2, and the sine and the cosine of a pair turn at different speeds",
    ),
    Choice(
        "counter", NAIVE, "Counter t", {"kind": "counter"},
        "It has no bound: a late position drowns the embedding that it is added to",
    ),
    Choice(
        "normalised-counter", NAIVE, "Normalised counter t/N", {"kind": "normalised-counter"},
        "Bounded, but the same step means something else in every text of another length",
    ),
    Choice(
        "binary", NAIVE, "Binary code", {"kind": "bits", "code": "binary"},
        "Unique, but it jumps: from 62 to 63 one bit flips, from 63 to 64 seven do",
    ),
    Choice(
        "gray", NAIVE, "Gray code", {"kind": "bits", "code": "gray"},
        "One bit flips at every step, yet positions far apart may differ in one bit, too",
    ),
    Choice(
        "random", NAIVE, "Random vectors", {"kind": "random"},
        "Every position has its own place, and nothing tells which of them are neighbours",
    ),
    _figure(
        "four-waves", "Four waves", "100 x 4", "0 99 1", (0, 1),
        "Within 99 positions pair 0 turns 15.8 times; pair 1 not a sixth of a turn, so dimensions 2 and 3 never repeat",
    ),
    _figure(
        "matrix-100", "Matrix 100 × 128", "100 x 128", "0 99 63", (0, 1, 20, 63),
        "From pair 20 on, a wave is longer than the table; the last one is 54 410 positions long",
    ),
    _figure(
        "neighbours-128", "Neighbours in 128 dimensions", "100 x 128", "0 1 0", (0, 16, 32),
        "99 % of what tells neighbours apart is in the fastest 16 of 64 pairs, 0.01 % in the slow half",
    ),
    _figure(
        "distances-1000", "Distances 1000 × 1000", "1000 x 1000", "100 5 0", (0, 250, 499),
        "Distance grows with the logarithm of the offset, not along a line, and 425 of 999 steps lead down",
    ),
    _figure(
        "first-8", "First 8 positions", "8 x 512", "1 1 0", (0, 64, 255),
        "A vector times itself is 256, times its neighbour 249.1, wherever the two stand",
    ),
    _figure(
        "toeplitz-1000", "Toeplitz, larger", "1000 x 512", "1 79 0", (0, 1, 64, 255),
        "Every diagonal holds one number: positions 1 and 80 have the dot product of 2 and 81",
    ),
    _figure(
        "sequence-10", "Sequence of 10", "10 x 8", "0 6 0", (0, 1, 2, 3),
        "Within 10 positions only pair 0 completes a turn; the others tell early from late",
    ),
    _figure(
        "sequence-50", "Sequence of 50", "50 x 8", "0 41 0", (0, 1, 2, 3),
        "Positions 0 and 41 differ in dimension 0, where 41 is nearly opposite; nearly back is 44",
    ),
    _figure(
        "table-5", "Table 5 × 4", "5 x 4", "1 1 0", (0, 1),
        "Small enough to work out by hand: two hands, with ω = 1 and ω = 0.01",
    ),
    _figure(
        "three-hands", "Three hands", "128 x 32", "37 8 4", (0, 4, 8),
        "Pairs 0, 4 and 8 have ω = 1, 0.1 and 0.01: fast ones tell neighbours apart, slow ones regions",
    ),
    _figure(
        "odometer", "Odometer", "1000 x 8", "123 10 0", (0, 1, 2, 3),
        "Each hand turns once while the one before it turns ten times",
    ),
    _figure(
        "binary-ratio", "Binary ratio", "256 x 16", "64 2 0", (0, 1, 2, 3), base="256",
        sentence="Each hand has half the speed of the one before it, as each bit of a counter flips half as often",
    ),
    replace(
        _figure(
            "table-of-ablations", "Table of ablations 512 × 64", "512 x 64", "0 1 0", (0, 16, 31),
            "The sizes in which ablations are compared: they stay while you break the encoding",
        ),
        has_sizes_for_others=True,
    ),
    _reach(
        "reach-2", "Reach of 2 dimensions", "10000 x 2", "0 710 0", (0,),
        "One hand is nearly back after 710 positions, for 355/113 is nearly π: 0.00006 of its length is left",
    ),
    _reach(
        "reach-4", "Reach of 4 dimensions", "10000 x 4", "0 1885 0", (0, 1),
        "Two hands are nearly back after 1 885 positions, 300 turns of the one and 3 of the other: 0.044 is left",
    ),
    _reach(
        "reach-4-further", "Reach of 4, ten times as far", "100000 x 4", "0 84823 0", (0, 1),
        "After 84 823 positions, 13 500 and 135 turns, the same two hands are back but for 0.0016",
    ),
    _reach(
        "reach-8", "Reach of 8 dimensions", "100000 x 8", "0 69115 0", (0, 1, 2, 3),
        "Four hands are 0.186 off after 6 283 positions, a turn of the slowest, and 0.039 off after eleven such turns",
    ),
    _reach(
        "reach-16", "Reach of 16 dimensions", "100000 x 16", "0 1 0", (0, 3, 7),
        "No two of 100 000 positions are nearer than neighbours: the base gives the reach, not the number of pairs",
    ),
    _reach(
        "reach-512", "Dot product to 100 000", "100000 x 512", "0 18469 0", (0, 64, 255),
        "The dot product first rises from 43 to 44, is first negative at 3 284, and lowest, −37.9, at 18 469",
    ),
    _reach(
        "reach-8192", "Base 8192 at 512 dimensions", "1000 x 512", "0 1 0", (0, 64, 255),
        "65.4 hands for each tenfold of wavelength, not 64; the slowest turns once in 49 692 positions, not in 60 611",
        base="8192",
    ),
    _reach(
        "aliasing-128", "Aliasing at 128 dimensions", "1000 x 128", "0 396 0", (0, 32, 63),
        "Linear spacing: after 396 positions, 2π over the step of ω, all hands are nearly back", spacing="linear",
    ),
    _reach(
        "aliasing-512", "Aliasing at 512 dimensions", "2000 x 512", "0 1602 0", (0, 128, 255),
        "Four times as many hands, a quarter of the step: they are nearly back after 1 602 positions", spacing="linear",
    ),
)  # fmt: skip

CHOICES: Final[Mapping[str, Choice]] = {choice.word: choice for choice in _ALL}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person wants of n_positions, d_model and base, though a kind may lack them or take others.

    word is the last choice and encoding what it gave; before the first, the encoding at the start and nothing else.
    """

    encoding: Encoding
    kept: Mapping[str, int | float]
    word: str | None = None


def wanted(encoding: Encoding) -> Wanted:
    """What an encoding that nobody chose by a word asks for."""
    return Wanted(encoding, MappingProxyType({}))


def chosen(before: Wanted, encoding: Encoding, word: str) -> Wanted:
    """One of CHOICES, taken where encoding stands now: what was changed since the choice before counts.

    So an odd width goes back to the even one that it came from, a base returns after a counter, which has none, and
    after a figure of a text, which has its own, the sizes that were wanted before it. Bits are as many as n_positions
    needs.
    """
    made = _kept(before.encoding)
    changed = {name: value for name, value in _kept(encoding).items() if made.get(name) != value}
    choice, kept = CHOICES[word], {**made, **before.kept, **changed}
    has_width = choice.assignments.get("kind") != BitsEncoding.KIND
    taken = _encoding(choice, {name: value for name, value in kept.items() if has_width or name != "d_model"})
    if choice.has_sizes_for_others:
        kept |= _kept(taken)
    return Wanted(taken, MappingProxyType(kept), word)


def cursor_of(choice: Choice, cursor: Cursor, encoding: Encoding) -> Cursor:
    """The cursor with the t, k, i and pins that belong to a choice, encoding being what the choice gave."""
    cursor = fitted_cursor(cursor, encoding)
    for name in CURSOR_PARAMETERS:
        if name in choice.assignments:
            cursor = cursor_with_parameter(cursor, encoding, name, choice.assignments[name])
    return replace(cursor, pinned_pairs=choice.pinned_pairs or cursor.pinned_pairs)


def choices_of(encoding: Encoding) -> tuple[Choice, ...]:
    """The choices that give just this encoding, in the order of CHOICES; figures are places of others, not names."""
    kept, named = _kept(encoding), by_its_word(encoding)
    some = [choice for choice in CHOICES.values() if not (choice.has_half_width or choice.is_figure)]
    return tuple(choice for choice in some if _encoding(choice, kept) == named)


def shown_choice(last: Wanted, encoding: Encoding) -> Choice | None:
    """The last choice while it still gives the encoding, otherwise the first one that does, None where none does."""
    same = choices_of(encoding)
    if last.word is not None and (CHOICES[last.word] in same or last.encoding == encoding):
        return CHOICES[last.word]
    return same[0] if same else None


def sentence_of(encoding: Encoding, choice: Choice | None) -> str:
    """What is to be known of an encoding: of its choice, or of the ablation whose assignments are among others here."""
    if choice is not None:
        return choice.sentence
    for some in CHOICES.values():
        if "convention" not in some.assignments and _is_among(some, encoding):
            return some.sentence
    return ""


def formulas_of(encoding: Encoding, choice: Choice | None) -> tuple[str, ...]:
    """The definition with its numbers; of a convention in its own form, with the numbers put in for d, h = d/2 and B.

    With one pair the quotients of some conventions are 0/0, and the plain form stands.
    """
    convention = None if choice is None else CONVENTIONS.get(choice.word)
    if convention is None or convention not in conventions_of(encoding) or encoding.d_model == 2:
        return encoding.formulas
    base, d_model = float(encoding.parameters["base"]), encoding.d_model
    values = {"B": number(base), "h": number(d_model // 2), "d": number(d_model)}
    return tuple(re.sub(r"\b[Bhd]\b", lambda found: values[found[0]], line) for line in convention.formulas)


def _kept(encoding: Encoding) -> dict[str, int | float]:
    """What an encoding says of KEPT; a width that follows from n_positions is nobody's wish."""
    kept = {name: cast("float", value) for name, value in encoding.parameters.items() if name in KEPT}
    if isinstance(encoding, BitsEncoding) and encoding.d_model == least_bits(encoding.n_positions):
        del kept["d_model"]
    return kept


def _encoding(choice: Choice, kept: Mapping[str, int | float]) -> Encoding:
    """The choice with what is kept, each moved to the nearest value that the kind takes."""
    kind = choice.assignments.get("kind", "sinusoidal")
    rules = kind_rules(kind)
    values = {name: rules[name].nearest(cast("Any", kept[name])) for name in KEPT if name in rules and name in kept}
    if choice.has_half_width:
        values["d_model"] = max(int(values["d_model"]) // 2, 1)
    if KINDS[kind] is BitsEncoding:
        values["d_model"] = max(int(values.get("d_model", 1)), least_bits(int(values["n_positions"])))
    encoding = KINDS[kind](**values)
    for name in ENCODING_PARAMETERS:
        if name in choice.assignments and name != "kind":
            encoding = with_parameter(encoding, name, choice.assignments[name])
    return encoding


def _is_among(choice: Choice, encoding: Encoding) -> bool:
    return all(encoding.parameters.get(name) == value for name, value in choice.assignments.items())


OVERVIEW: Final = "overview"
# The encoding that all others are compared with stands first in every list.
REFERENCE: Final = "paper"


def _words(group: str) -> tuple[str, ...]:
    return (REFERENCE, *(word for word, choice in CHOICES.items() if choice.group == group))


# One of each idea: what breaks the encoding, and what people try before it.
_ONE_OF_EACH: Final = (
    REFERENCE, "linear-spacing", "sine-only-half", "map-square", "binary", "counter", "normalised-counter", "random",
)  # fmt: skip

COMPARISONS: Final[Mapping[str, tuple[str, ...]]] = {
    OVERVIEW: _ONE_OF_EACH,
    "conventions": _words(LIBRARIES),
    "ablations": _words(ABLATIONS),
    "naive": _words(NAIVE),
}


def list_of(choice: Choice | None) -> str | None:
    """The list that a choice was made for: the sizes of the table of ablations want the ablations."""
    return "ablations" if choice is not None and choice.has_sizes_for_others else None


@dataclass(frozen=True, slots=True)
class Compared:
    """One row of a comparison; choice None: an encoding that no choice gives.

    formulas are the lines of its definition that tell it from the reference, of the reference all that matter.
    """

    encoding: Encoding
    choice: Choice | None
    formulas: tuple[str, ...]

    @property
    def title(self) -> str:
        return self.encoding.title if self.choice is None else self.choice.title


def comparison(before: Wanted, encoding: Encoding, choice: Choice | None, name: str) -> tuple[Compared, ...]:
    """The rows of one of COMPARISONS, taken where encoding stands now, which choice, if any, has given.

    The encoding itself comes first where it isn't among them. KeyError for a name that isn't one.
    """
    encodings = {word: chosen(before, encoding, word).encoding for word in COMPARISONS[name]}
    reference = formulas_of(encodings[REFERENCE], CHOICES[REFERENCE])
    rows = []
    for word, other in encodings.items():
        rows.append(Compared(other, CHOICES[word], _telling(formulas_of(other, CHOICES[word]), reference)))
    if encoding in encodings.values():
        return tuple(rows)
    own = Compared(encoding, choice, _telling(formulas_of(encoding, choice), reference))
    return (own, *rows)


def common_sizes(rows: Sequence[Compared]) -> tuple[int, int]:
    """n_positions and d_model of the reference; half, odd and least widths of other rows are made of these."""
    reference = next(row.encoding for row in reversed(rows) if row.choice is CHOICES[REFERENCE])
    return reference.n_positions, reference.d_model


def _telling(lines: Sequence[str], reference: Sequence[str]) -> tuple[str, ...]:
    """The first and the last of the lines that the reference lacks."""
    own = [line for line in lines if line not in reference] or lines
    return (own[0],) if len(own) == 1 else (own[0], own[-1])
