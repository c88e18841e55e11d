"""The limits of the program, the rule that each parameter obeys, and the sentence for a value that breaks it."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, fields, replace
from decimal import Decimal
from functools import cached_property
from numbers import Integral, Real
from typing import Any, Final, TypeAlias

from pe_desktop.caches import told_cache
from pe_desktop.core.number_text import grouped
from pe_desktop.core.record import record
from pe_desktop.languages import read_number
from pe_desktop.resources import LazyMapping, resource_json

# Ten million positions: the longest table for which the stated phase error (docs/precision.md) is tested.
MAX_POSITIONS: Final = 10_000_000

# 32,768 hands: twice the widest published model, and their frequencies still take some 40 milliseconds.
MAX_DIMENSIONS: Final = 65_536

# Above 1e9 the slowest hand needs more than six billion positions for one turn: nothing would move.
_MAX_BASE: Final = 1e9

# The lowest frequency of the doubled exponent at the largest base: such a hand turns by 1e-11 in ten million positions.
MIN_FREQUENCY: Final = 1e-18

# Amplitude and scale: a thousand is the largest in use (timesteps from 0 to 1), and their squares keep all digits.
_MAX_FACTOR: Final = 1e6

# An array that is made for a notebook at once holds 1 GiB at most.
MAX_HELD_VALUES: Final = 2**27

# A dense M_k of this side holds 128 MiB; wider ones are read block by block.
MAX_DENSE_ROTATION: Final = 4_096

# Positions outside the table are allowed (t + k runs over its end); the stated error is tested up to here.
MAX_ABSOLUTE_POSITION: Final = 2**31


# Allowed between the digits of a typed number: space, no-break, thin and narrow no-break space, underscore.
_GROUPING: Final = str.maketrans("", "", " \u00a0\u2009\u202f_")
# Thousands of a number in a list: in threes, after narrow blanks anywhere, after plain ones between commas only.
_NARROW_BLANKS: Final = "\u00a0\u2009\u202f"
_THOUSANDS: Final = r"(?<![\d.])\d{{1,3}}(?:[{0}]\d{{3}})+(?!\d)"
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,6})?", re.IGNORECASE | re.ASCII)
_SHOWN_LENGTH: Final = 40
# What the form of the window says of parameters, by their names.
_ROWS: Final[Mapping[str, Mapping[str, Any]]] = LazyMapping(lambda: resource_json("parameters.json"))


@record
class Rule:
    """What a named value may be. title: what the name is called in a menu, "" for the name itself."""

    name: str
    title: str = field(default="", kw_only=True)

    @property
    def row(self) -> Mapping[str, Any]:
        """What a form says of it: label, tooltip, tooltips of words, steps of a slider; is_rare: it is behind More."""
        return _ROWS.get(self.name, {})

    def checked(self, value: object) -> Any:
        """The value in its kept form; ValueError with a sentence for one that breaks the rule."""
        raise NotImplementedError

    def read(self, text: str) -> Any:
        """The value of a typed text; ValueError with a sentence otherwise."""
        return self.checked(text.strip().lower())

    def plain(self, value: Any) -> Any:
        """The value as text, number, truth value or list of numbers, as files hold it."""
        return value

    def _listed(self, value: object, nouns: str) -> list[Any]:
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise ValueError(f"{self.name} must be a list of {nouns}: {shown(value)} is not")
        return [*value]


@record
class NumberRule(Rule):
    """A number from lowest to highest, both allowed unless is_open excludes the lowest.

    parity: "even", "odd", or "" for any; empty: what nothing stands for where it is typed, "" where it is refused.
    """

    lowest: float
    highest: float
    is_whole: bool = False
    is_open: bool = False
    parity: str = ""
    empty: str = ""

    @cached_property
    def steps(self) -> tuple[float, ...]:
        """The values at which a slider stops, ascending; () where there is none."""
        return tuple(float(self.nearest(step)) for step in self.row.get("steps", ()) if step <= self.highest)

    @property
    def requirement(self) -> str:
        """What the value must be, as the middle of a sentence."""
        if self.is_open:
            return f"a number above {grouped(self.lowest)}, at most {grouped(self.highest)}"
        noun = f"an {self.parity} whole number" if self.parity else "a whole number" if self.is_whole else "a number"
        return f"{noun} from {grouped(self.lowest)} to {grouped(self.highest)}"

    def checked(self, value: object) -> float:
        """The value as float, or int where it must be whole; ValueError for all that is no number within the range."""
        if isinstance(value, bool) or not isinstance(value, Integral if self.is_whole else Real):
            raise self._refusal(value)
        number: Any = value
        self._check(number, value)
        return int(number) if self.is_whole else float(number)

    def read(self, text: str) -> float:
        """The number that a person typed, for instance 10000, 10 000, 10_000 or 1e4; ValueError otherwise."""
        text = read_number(text.strip()) or self.empty
        typed = shown(text)
        if not typed:
            raise ValueError(f"{self.name} must be {self.requirement}: nothing was given")
        if "," in typed:
            raise ValueError(f"{self.name} must be {self.requirement}: write {typed} without the comma")
        digits = text.translate(_GROUPING).replace("\u2212", "-")
        if not _NUMBER.fullmatch(digits):
            raise self._refusal(typed)
        exact = Decimal(digits)
        # The range comes first: 1e999999 must be refused before it is written out as a whole number.
        self._check(exact, typed)
        number = int(exact) if self.is_whole else float(exact)
        # Checked again, because float64 may round to the edge; adding 0 makes -0 a plain zero.
        self._check(number, typed)
        return number + 0

    def nearest(self, number: float) -> float:
        """The nearest allowed number, for a value of another encoding; the larger of two."""
        inside = min(max(round(number) if self.is_whole else number, self.lowest), self.highest)
        if self.parity and inside % 2 != (self.parity == "odd"):
            return inside + 1 if inside < self.highest else inside - 1
        return inside

    def _check(self, number: float | Decimal, typed: object) -> None:
        is_inside = self.lowest <= number <= self.highest and not (self.is_open and number == self.lowest)
        if not is_inside or (self.is_whole and number != int(number)):
            raise self._refusal(typed)
        if self.parity and number % 2 != (self.parity == "odd"):
            count = "one" if self.parity == "even" else "no"
            raise ValueError(f"{self.name} must be {self.parity}: {shown(typed)} has {count} hand without a cosine")

    def _refusal(self, typed: object) -> ValueError:
        text = shown(typed)
        return ValueError(f"{self.name} must be {self.requirement}: {'NaN' if text.lower() == 'nan' else text} is not")


@record
class WordRule(Rule):
    """One of some words; titles: what words are called that are not their own titles."""

    words: tuple[str, ...]
    titles: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def word_titles(self) -> dict[str, str]:
        """Every word with what it is called."""
        return {word: self.titles.get(word, word.capitalize()) for word in self.words}

    def checked(self, value: object) -> str:
        """The value; ValueError for anything but one of the words, which names the word that has it as its title."""
        if isinstance(value, str) and value not in self.words:
            for word, title in self.word_titles.items():
                if title.lower() == value.strip().lower():
                    raise ValueError(f"{self.name} can't be {shown(value)}: did you mean {word}?")
        return checked_word(self.name, value, self.words)

    def nearest(self, word: str) -> str:
        """The word, or the first of them for a word of another kind of encoding."""
        return word if word in self.words else self.words[0]


@record
class _FlagRule(Rule):
    """true or false."""

    def checked(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise ValueError(f"{self.name} must be true or false: {shown(value) or 'nothing'} is not")
        return value

    def read(self, text: str) -> bool:
        return checked_word(self.name, text.strip().lower(), ("true", "false")) == "true"


@record
class ListRule(Rule):
    """A list of so many numbers at most, with blanks, commas or semicolons between them, each by a rule of its own.

    A comma between two digits is that of decimals where the language in use writes one, but in lists of whole numbers.
    is_sorted: it is kept from the smallest number on.
    """

    each: NumberRule
    most: int
    is_sorted: bool = False

    def checked(self, value: object) -> tuple[Any, ...]:
        nouns = "whole numbers" if self.each.is_whole else "numbers"
        numbers = map(self._each.checked, self._counted(self._listed(value, nouns)))
        return tuple(sorted(numbers) if self.is_sorted else numbers)

    def nearest(self, numbers: tuple[Any, ...]) -> tuple[Any, ...]:
        """The numbers themselves."""
        return numbers

    def read(self, text: str) -> tuple[Any, ...]:
        typed = text if self.each.is_whole else read_number(text)
        return self.checked([self._each.read(number) for number in self._counted(_parts(typed))])

    def plain(self, value: tuple[Any, ...]) -> list[Any]:
        return [*value]

    def _counted(self, numbers: list[Any]) -> list[Any]:
        # Before any of them is looked at: a session has room for half a million.
        if len(numbers) > self.most:
            raise ValueError(f"{self.name} has {len(numbers)} numbers, more than the {self.most} that can be given")
        return numbers

    @property
    def _each(self) -> NumberRule:
        return replace(self.each, name=f"each number of {self.name}")


def _parts(text: str) -> list[str]:
    """The numbers of a typed list: 60, 3 600 are two, as commas stand between them, 60 3600 too, and 60 3 600 three."""
    blanks = _NARROW_BLANKS + (" " if "," in text or ";" in text else "")
    whole = re.sub(_THOUSANDS.format(blanks), lambda number: number[0].translate(_GROUPING), text)
    return re.sub("[,;]", " ", whole).split()


Rules: TypeAlias = Mapping[str, NumberRule | WordRule | ListRule]


def ruled(default: Any, rule: Rule) -> Any:
    """A field of a record: its default and the rule that it obeys, to which `rules_of` gives the field's name."""
    return field(default=default, metadata={"rule": rule})


def choice(*words: str, default: str = "", **described: Any) -> Any:
    """A field that is one of some words, the first of them by default; described: the rest of its WordRule."""
    return ruled(default or words[0], WordRule("", words, **described))


def flag(title: str = "") -> Any:
    """A field that is true or false, false by default."""
    return ruled(False, _FlagRule("", title=title))


@told_cache()
def rules_of(kind: Any, prefix: str = "") -> Mapping[str, Any]:
    """The rules of a record's fields by the fields' names; each rule's own name has the prefix before that."""
    given = {one.name: one.metadata["rule"] for one in fields(kind) if "rule" in one.metadata}
    return {name: replace(rule, name=prefix + name) for name, rule in given.items()}


def check_fields(value: object) -> None:
    """Check the fields of a frozen value and make plain numbers of them; ValueError with a sentence for a person."""
    for name, rule in rules_of(type(value)).items():
        object.__setattr__(value, name, rule.checked(getattr(value, name)))


N_POSITIONS: Final = NumberRule("n_positions", 1, MAX_POSITIONS, is_whole=True, title="positions N")
WIDTH: Final = NumberRule("d_model", 1, MAX_DIMENSIONS, is_whole=True)
D_MODEL: Final = replace(WIDTH, lowest=2, parity="even")
ODD_D_MODEL: Final = replace(WIDTH, highest=MAX_DIMENSIONS - 1, parity="odd")
BASE: Final = NumberRule("base", 1, _MAX_BASE, is_open=True)
OFFSET: Final = NumberRule("offset", -MAX_POSITIONS, MAX_POSITIONS)
START: Final = replace(OFFSET, name="start")
AMPLITUDE: Final = NumberRule("amplitude", 1 / _MAX_FACTOR, _MAX_FACTOR)
SCALE: Final = replace(AMPLITUDE, name="scale")
WAVELENGTHS: Final = ListRule("wavelengths", NumberRule("", 0.1, 1e12), MAX_DIMENSIONS // 2, is_sorted=True)
SHIFT: Final = NumberRule("shift", -MAX_DIMENSIONS / 2, MAX_DIMENSIONS / 2)
FADE: Final = NumberRule("fade", 1, _MAX_BASE)
SEED: Final = NumberRule("seed", 0, 2**32 - 1, is_whole=True)
PADDING_INDEX: Final = NumberRule("padding_idx", 0, MAX_POSITIONS - 1, is_whole=True, title="padding row")
TRAINED_LENGTH: Final = NumberRule("trained_length", 0, MAX_POSITIONS, is_whole=True, title="trained length", empty="0")


# A refusal offers so many names, that similar to the typed one, or with so many equal first letters.
_MOST_OFFERED, _LIKENESS, _LEAST_BEGUN = 3, 0.7, 3
# Longer lists than this are told by their first names.
_MOST_LISTED, _FIRST_LISTED = 24, 12


def names_for(value: object, names: Collection[str], otherwise: str = "") -> str:
    """The end of a sentence about an unknown name: the most similar names, or otherwise all of them."""
    from difflib import get_close_matches  # noqa: PLC0415 - only after a mistake

    typed = value.strip().lower() if isinstance(value, str) else ""
    # "measure" counts as similar to "similarity.measure", "tensor" to "tensor2tensor".
    parts = [name for name in names if typed and name.rpartition(".")[2] == typed]
    begun = [name for name in names if len(typed) >= _LEAST_BEGUN and name.startswith(typed)]
    alike = get_close_matches(typed, names, cutoff=_LIKENESS)
    near = [*dict.fromkeys([*parts, *begun, *alike])][:_MOST_OFFERED]
    if near:
        return f"did you mean {', '.join(near[:-1])}{' or ' if near[1:] else ''}{near[-1]}?"
    n_listed = _FIRST_LISTED if len(names) > _MOST_LISTED else len(names)
    more = f" and {len(names) - n_listed} more" if n_listed < len(names) else ""
    return otherwise or f"choose from {', '.join([*names][:n_listed])}{more}"


def checked_word(name: str, value: object, words: Collection[str]) -> str:
    """One of the words, or ValueError with a sentence that offers some of them."""
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{name} can't be {shown(value) or 'nothing'}: {names_for(value, words)}")
    return value


def shown(value: object) -> str:
    """The refused value on one line, short enough for a sentence."""
    if isinstance(value, int) and value.bit_length() > 128:
        return "a number of more than 38 digits"
    line = "".join(letter if letter.isprintable() else " " for letter in str(value))
    return line if len(line) <= _SHOWN_LENGTH else line[: _SHOWN_LENGTH - 1] + "…"
