"""A step of a derivation, and the numbers of this moment that the steps are written with."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from string import Formatter
from typing import Any, Final, TypeAlias

import numpy as np

from pe_desktop.core.cursor import MISSING, Cursor, hand_columns
from pe_desktop.core.derivations import measured_block
from pe_desktop.core.encoding import Encoding, Floats, Pairs
from pe_desktop.core.number_text import in_formula
from pe_desktop.core.record import record
from pe_desktop.core.rotation import rotation_blocks, shift_residuals, steady_pairs
from pe_desktop.core.rules import rules_of
from pe_desktop.draw.flow import Block
from pe_desktop.draw.formula_text import LARGE, exact, factor, matrix, number, place, signed, times, vector
from pe_desktop.draw.number_text import degrees, fixed, plain, position, scientific, short, whole
from pe_desktop.draw.typeset import plain_block
from pe_desktop.model.findings import Questions
from pe_desktop.resources import resource_json

# A step whose two numbers differ by a larger share of their size fails; least squares round by some 1e-9.
_ROUNDING: Final = 1e-8

# A pair of a query and one of a key, before they are turned.
QUERY: Final = np.array([3.0, 1.0])
KEY: Final = np.array([2.0, -1.0])
IN_TABLE: Final = "in the table"


@record
class Step:
    """words: what is done; formula: in letters; given: the same with the numbers of this moment.

    Where it ends with "=" the value follows. value and other: one number found in two ways, or what should be 0 and 0;
    nan where there is none yet or at all. by: the second way, or what should be 0. fails: whether the derivation ends
    here for this encoding. is_miss: the value should be 0. size: of what was added or compared, as rounding is relative
    to it.
    """

    words: str
    formula: str
    given: str = ""
    value: float = math.nan
    other: float = 0.0
    by: str = ""
    fails: bool = False
    is_miss: bool = False
    size: float = 1.0

    @property
    def numbers(self) -> str:
        """The formula with numbers, and the value behind it."""
        return f"{self.given} {number(self.value)}" if self.given.endswith("=") else self.given

    @property
    def gap(self) -> float:
        """By how much the two ways differ."""
        return abs(self.value - self.other)

    @property
    def holds(self) -> bool:
        """Whether the two ways agree up to rounding, where both are known."""
        return not self.fails and not self.gap > _ROUNDING * max(self.size, abs(self.value))

    @property
    def check(self) -> str:
        """The two numbers and their difference, in words."""
        if math.isnan(self.gap):
            return "" if self.is_miss else self.by
        if self.is_miss:
            return f"{self.by}: {tiny(self.value)}"
        return f"{_digits(self.value)}, and {_digits(self.other)} {self.by}: {tiny(self.gap)} apart"

    @property
    def plain(self) -> tuple[str, str]:
        """The two formulas without markup."""
        return plain_block(self.formula), plain_block(self.numbers)


class Moment:
    """The numbers t, k and i of a cursor on an encoding, and the letters of formulas.

    texts: t, k and t + k; elsewhere: another position; turns: whether hands turn evenly, so that there is a matrix of
    the shift; columns: those of the chosen hand, one or two, sine and cosine where it turns, with names, their numbers,
    and dimensions in a sentence. start: what is added to t before hands turn, tau: the letter of the sum, where and
    held: what differs if that isn't t, or if hands aren't of length 1; c, a and a_squared: the letters of scale and
    amplitude as factors, none for 1; square: what one pair gives to the dot product of a vector with itself, squares:
    what all give; half: how many pairs there are, count and d: that and the width in words; w: the letter of omega;
    told_both: where the vectors of t and t + k come from. hands: whose sines and cosines the columns are. now, later:
    sine and cosine of the pair in the table at t and t + k, times the amplitude; turn: those of k omega_i.
    """

    def __init__(self, encoding: Encoding, cursor: Cursor) -> None:
        t = cursor.position
        k = cursor.offset
        i = cursor.pair
        given = encoding.parameters
        pairs = encoding.pairs
        self.encoding, self.t, self.k, self.i = encoding, t, k, i
        self.texts = position(t), position(k), position(t + k)
        self.elsewhere = 0.0 if t else encoding.n_positions - 1.0
        self.turns = steady_pairs(encoding) is not None
        self.columns = tuple(column for column in hand_columns(encoding)[i].tolist() if column != MISSING)
        self.names = tuple(map(whole, self.columns))
        s = "s" if len(self.columns) > 1 else ""
        self.dimensions = f"dimension{s} {' and '.join(self.names)}"
        self.base = float(given.get("base", math.nan))
        self.amplitude = 1.0 if pairs is None else float(pairs.lengths[i])
        self.scale = float(given.get("scale", 1.0))
        self.c = "" if self.scale == 1 else "c"
        self.start = float(given.get("start", 0.0))
        self.tau = "τ" if self.start else "t"
        self.held = "" if self.amplitude == 1 else f" A row holds {short(self.amplitude, 4)} sine and cosine."
        self.where = f" The table starts at {plain(self.start)}: τ = t {signed(self.start)}." if self.start else ""
        self.square = self.amplitude**2
        self.a = "" if self.amplitude == 1 else "a "
        self.a_squared = "" if self.amplitude == 1 else "a^2 "
        self.omega = 0.0 if pairs is None else float(pairs.angular_frequencies[i])
        self.w = f"ω_{{{i}}}"
        self.d = whole(encoding.d_model)
        self.hands = pairs if encoding.column_waves is None else encoding.column_waves.hands
        self.half = 0 if pairs is None else pairs.count
        self.count = whole(self.half)
        self.squares = self.square * self.half
        self.told_both = self.told(t, t + k)
        if pairs is not None:
            self.now, self.later = self.hand(t), self.hand(t + k)
        if self.turns:
            cosine, sine = self.block(k)[0].tolist()
            self.turn: tuple[float, float] = sine, cosine

    @property
    def pairs(self) -> Pairs:
        assert self.encoding.pairs is not None
        return self.encoding.pairs

    @cached_property
    def rows(self) -> Floats:
        """p_t and p_(t+k) from the table, shape (2, d_model)."""
        return self.rows_at(self.t)

    @cached_property
    def difference(self) -> Floats:
        """p_(t+k) - p_t, shape (d_model,)."""
        return np.asarray(self.rows[1] - self.rows[0])

    @cached_property
    def distance(self) -> float:
        """How far apart both are."""
        return float(np.linalg.norm(self.difference))

    @cached_property
    def dot(self) -> float:
        """The dot product of both."""
        return float(np.dot(*self.rows))

    def rows_at(self, place: float) -> Floats:
        """The vectors at a position and at k more, shape (2, d_model)."""
        return self.encoding.values([place, place + self.k])

    def told(self, *places: float) -> str:
        """Where the vectors of these positions come from: its rows, or the formula beyond and between them."""
        are_rows = all(place.is_integer() and 0 <= place < self.encoding.n_positions for place in places)
        return IN_TABLE if are_rows else "by the formula"

    def measured(self, position: float, offset: float | None = None) -> tuple[float, float]:
        """The cosine and the sine with which a block takes the hand on by k, or another offset, from the table."""
        return measured_block(self.encoding, position, self.k if offset is None else offset, self.i)

    def residual(self, position: float) -> float:
        """By how much M_k misses the vector at a position + k."""
        return float(shift_residuals(self.encoding, self.k, [position])[0])

    def wave(self, column: int) -> tuple[int, bool]:
        """The hand of which a chosen column is the sine or the cosine, and whether it is the cosine."""
        waves = self.encoding.column_waves
        if waves is None:
            return self.i, column == self.columns[-1]
        return int(waves.numbers[column]), bool(waves.is_cosine[column])

    def turned(self, pair: int) -> float:
        """How far a hand turns from t to t + k, radians."""
        return float(self.pairs.turns([self.t], self.k, [pair])[0, 0])

    def rest(self, pair: int) -> float:
        """What that is beyond whole turns, radians; exact where hands turn evenly, however large k is."""
        if self.turns:
            return float(self.pairs.offset_angles([self.k], [pair])[0, 0])
        return math.remainder(self.turned(pair), math.tau)

    def block(self, offset: float) -> Floats:
        """The block that turns the pair by an offset, shape (2, 2)."""
        return np.asarray(rotation_blocks(self.encoding, offset, [self.i])[0])

    def hand(self, place: float) -> tuple[float, float]:
        """Sine and cosine of the pair in the table at a position."""
        sine, cosine = self.encoding.values([place], self.columns)[0].tolist()
        return sine, cosine


def products(*pairs: tuple[float, float]) -> dict[str, Any]:
    """The value of a sum of products, and the pairs with which its formula is written."""
    return {"value": math.fsum(one * other for one, other in pairs), "pairs": pairs}


def _digits(value: float) -> str:
    """A number with ten digits after the point, fewer where it is large."""
    size = abs(value)
    return short(value, 11) if 0 < size < 1e-3 or size >= LARGE else fixed(value, 10)


def tiny(value: float) -> str:
    return "0" if value == 0 else scientific(value, 0) if abs(value) < _ROUNDING else short(value)


WORDS: Final = resource_json("derivations.json")


# How the file asks for numbers: {x} in four decimals, {x:.6} in six, {x:short.5} in five digits that matter, ...
_FORMS: Final[Mapping[str, Callable[..., str]]] = {
    "": number,
    "matrix": lambda rows, decimals=4: matrix(*rows, decimals=decimals),
    "products": lambda pairs: " + ".join(f"{factor(one)} · {factor(other)}" for one, other in pairs),
    **{form.__name__: form for form in (degrees, exact, factor, in_formula, place, short, times, tiny, vector)},
    "position": position,
}


class _Texts(Formatter):
    """Texts of the file with the numbers of a moment."""

    def format_field(self, value: Any, form: str) -> str:
        name, _, digits = form.partition(".")
        if not form and not isinstance(value, float):
            return str(value)
        return _FORMS[name](value, *map(int, filter(None, [digits])))


def step(m: Moment, key: str, value: Any = math.nan, other: Any = 0.0, **others: Any) -> Step:
    """A step with its words, its formulas, what the second way is called; others: its fields, and what these say."""
    named = {"m": m, "there": m.told(m.t + m.k), "value": value, "other": other, **others}
    own = {name: others[name] for name in ("fails", "given", "is_miss", "size") if name in others}
    own |= {name: _Texts().vformat(text, (), named) for name, text in WORDS["steps"][key].items() if name not in own}
    return Step(value=value, other=other, **own)


_Picture: TypeAlias = Callable[[Moment, int], Block | None]


@record(eq=False)
class Chapter:
    """proves: what it shows, in a few words; claim: the sentence of its figure; fails: at which step, where it does.

    failures: sentences of that by the reason. steps: of a moment and the answers; unlike: those where there is no M_k,
    None for the same; picture: what stands beside them, of a moment and the number of the chosen step, None where
    there is nothing to draw.
    """

    title: str
    proves: str
    claim: str
    fails: str
    failures: Mapping[str, str]
    steps: Callable[..., Iterator[Step]]
    picture: _Picture
    questions: Callable[[Moment], Questions] = lambda _moment: ()
    unlike: Callable[..., Iterator[Step]] | None = None

    def failure(self, encoding: Encoding) -> str:
        """Where it fails, as a sentence; empty where it holds."""
        for reason, which in _reasons(encoding):
            sentence = self.failures.get(reason, WORDS["failures"][reason])
            if sentence:
                return str(sentence.format(step=self.fails, title=encoding.title, which=which))
        return ""


def _reasons(encoding: Encoding) -> Iterator[tuple[str, str]]:
    """Why derivations may fail: a row of zeros, f(t) in place of t, sines without cosines, ...; and which of them."""
    spacing, pairs, waves = encoding.parameters.get("spacing"), encoding.pairs, encoding.column_waves
    if encoding.empty_row is not None:
        yield "padded", in_formula(encoding.empty_row)
    if pairs is not None and not pairs.keeps_length:
        yield "fading", ""
    if spacing in ("linear", "single", "given"):
        yield "powers", ""
    if pairs is not None and not pairs.turns_evenly:
        yield "uneven", rules_of(type(encoding))["map"].word_titles[str(encoding.parameters["map"])]
    elif pairs is not None and spacing == "single" and pairs.count > 1:
        yield "alike", ""
    elif pairs is None and waves is None:
        yield "plain", ""
    elif pairs is None and waves is not None:
        lacking = np.flatnonzero(np.bincount(waves.numbers) < 2)
        yield "unpaired", f"hand {in_formula(float(lacking[0]))}" if len(lacking) == 1 else "every hand"


def chapter(
    key: str, steps: Callable[..., Iterator[Step]], picture: Callable[..., Block | None], **how: Any
) -> Chapter:
    """The chapter of a page, with its words."""
    return Chapter(**WORDS["chapters"][key], steps=steps, picture=picture, **how)
