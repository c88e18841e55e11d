"""What the views show: for each a record of its choices, every one with its default, its rule and its title."""

import re
from collections.abc import Collection, Mapping
from dataclasses import field, replace
from typing import Any, Final

from pe_desktop.core import rules
from pe_desktop.core.cursor import Span
from pe_desktop.core.facts.cards import CARDS, TEXT_KEYS, VERDICTS
from pe_desktop.core.lags import MEASURES
from pe_desktop.core.learning import run as learning
from pe_desktop.core.measuring.measurement import PROPERTY_KEYS
from pe_desktop.core.record import record
from pe_desktop.core.rules import MAX_DIMENSIONS, MAX_POSITIONS, NumberRule, choice, flag, ruled, shown
from pe_desktop.core.scores.attention import MAX_HEAD
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.languages import read_number

_ALL: Final = "all"
# The names of ranges that aren't typed.
COLOR_RANGES: Final = ("whole", "seen", "most")
# Pictures are computed in single precision: a narrower range would show its rounding.
_NARROWEST: Final = (1e-9, 1e-4)


@record
class RangeRule(rules.Rule):
    """A range, first..last; or one of some words, of which "all" alone stands for None.

    least: the least width, as itself and as a share of the larger end; is_around_zero: a number by itself reaches as
    far to both sides of 0. of: what is visible of a table, its positions, offsets or dimensions; "" for other values.
    """

    limit: float
    words: tuple[str, ...] = (_ALL,)
    least: tuple[float, float] = (0.0, 0.0)
    is_around_zero: bool = False
    of: str = ""

    def checked(self, value: object) -> Span | str | None:
        if not isinstance(value, Span):
            return None if value is None and _ALL in self.words else rules.checked_word(self.name, value, self.words)
        width, share = self.least
        least = max(share * max(abs(value.first), abs(value.last)), width)
        if not value.width >= least or not value.first < value.last:
            after = f"at least {least:.1g} after it begins" if least else "after its beginning"
            raise ValueError(f"{self.name} must end {after}: {value.first:g}..{value.last:g} does not")
        return value

    def read(self, text: str) -> Span | str | None:
        typed = text.strip().lower()
        if typed in self.words:
            return None if typed == _ALL else typed
        first, dots, last = typed.partition("..")
        number = NumberRule(self.name, -self.limit, self.limit)
        try:
            ends = [float(number.read(end)) for end in ((first, last) if dots or not self.is_around_zero else (first,))]
        except ValueError:
            both = ", or one for both sides of 0" if self.is_around_zero else ""
            kinds = f"{', '.join(self.words)}, two numbers as 4..12{both}"
            raise ValueError(f"{self.name} must be {kinds}: {shown(text).strip() or 'nothing'} is not") from None
        return self.checked(Span(*ends) if dots else Span(-abs(ends[0]), abs(ends[0])))

    def plain(self, value: Span | str | None) -> str | list[float]:
        return [value.first, value.last] if isinstance(value, Span) else value or _ALL


# The colours of a map.
COLOR_MAPS: Final = ("theme", "printed")
# What stands for a range that isn't typed.
RANGE_WORDS: Final = (_ALL, *COLOR_RANGES)
# Views that stand together in place of the waves and the encoding matrix, in the order of their tabs.
WORKSPACES: Final[Mapping[str, tuple[str, ...]]] = {
    "attention": ("attention", "four-terms", "look-back", "rotary", "learn"),
    "study": ("derivations", "code", "precision", "decoder"),
}
# The widest vectors that the Decoder takes through layers.
WIDEST_SUM: Final = 512
_KEY: Final = re.compile("[a-z][a-z0-9-]{0,39}")


@record
class VectorRule(rules.ListRule):
    """A vector; none of its numbers for the seeded one."""

    each: NumberRule = NumberRule("", -1e6, 1e6)
    most: int = MAX_HEAD


@record
class _WordsRule(rules.Rule):
    """Words of one form, each of them once, with blanks or commas between them.

    many: what they are called; wish and fault: what a refusal says of all and of one; by default of keys of panels.
    """

    form: re.Pattern[str] = _KEY
    many: str = "panels"
    wish: str = "a list of panels"
    fault: str = "is not the key of one"

    def checked(self, value: object) -> tuple[str, ...]:
        given = self._listed(value, self.many)
        wrong = next((one for one in given if not isinstance(one, str) or not self.form.fullmatch(one)), None)
        if wrong is not None:
            raise ValueError(f"{self.name} must be {self.wish}: {shown(wrong)} {self.fault}")
        return tuple(dict.fromkeys(given))

    def read(self, text: str) -> tuple[str, ...]:
        return self.checked(text.lower().replace(",", " ").split())

    def plain(self, value: tuple[str, ...]) -> str:
        return " ".join(value)


@record
class _SchemesRule(_WordsRule):
    """Some of these schemes, with blanks or commas between them, in the order of all."""

    schemes: tuple[str, ...] = ()

    def checked(self, value: object) -> tuple[str, ...]:
        chosen = {rules.checked_word(self.name, scheme, self.schemes) for scheme in self._listed(value, "schemes")}
        return tuple(scheme for scheme in self.schemes if scheme in chosen)


# A step, a colon, and what was answered there: a letter, a number, or the numbers of a curve.
_GUESS: Final = r"(?:[a-f]|-?[\d.]+(?:e-?\d+)?(?: -?[\d.]+(?:e-?\d+)?){0,63})"


@record
class _KeyRule(rules.Rule):
    """A key, or nothing; keys: those that there are, () for any, whose list is shown where there is no such one."""

    wish: str
    keys: Collection[str] = field(default=(), compare=False)

    def checked(self, value: object) -> str:
        if isinstance(value, str) and (not value or (value in self.keys if self.keys else _KEY.fullmatch(value))):
            return value
        near = rules.names_for(value, self.keys, self.wish)
        raise ValueError(f"{self.name} can't be {shown(value)}: {near}")


@record
class _GuessRule(rules.Rule):
    """A letter, a number or the numbers of a curve, or nothing."""

    def checked(self, value: object) -> str:
        typed = " ".join(map(read_number, value.split())) if isinstance(value, str) else None
        if typed is not None and (not typed or re.fullmatch(_GUESS, typed)):
            return typed
        raise ValueError(f"{self.name} must be a letter or numbers: {shown(value)} is not")


# Things that were done, each as the step and its number there.
_TICKS: Final = _WordsRule(
    "", re.compile(r"[1-9]\d?\.[1-9]"), "things done", "steps and numbers as 2.1", "is not", title="what was tried"
)


@record
class _AnswersRule(_WordsRule):
    """What was answered in which steps, one answer each, in their order."""

    def checked(self, value: object) -> tuple[str, ...]:
        given = {str(one).partition(":")[0]: one for one in self._listed(value, self.many)}
        last = _WordsRule.checked(self, given.values())
        return tuple(sorted(last, key=lambda one: int(one.partition(":")[0])))

    def read(self, text: str) -> tuple[str, ...]:
        return self.checked([one.strip() for one in text.lower().split(",") if one.strip()])

    def plain(self, value: tuple[str, ...]) -> str:
        return ", ".join(value)


_ANSWERS: Final = _AnswersRule(
    "", re.compile(rf"[1-9]\d?:{_GUESS}"), "answers", "answers as 2:c or 4:81.5", "is not", title="answer"
)
_CARD: Final = _KeyRule("", "it is the key of a fact card, as the command facts lists them", CARDS)
# Those that Learn trains at first.
_TRAINED: Final = ("none", "additive", "rope", "alibi", "t5", "random")


def _span(title: str, of: str = "positions") -> Any:
    """A field that is a visible range, all by default."""
    limit = MAX_DIMENSIONS if of == "dimensions" else MAX_POSITIONS
    return ruled(None, RangeRule("", limit, title=title, of=of))


def _color_range(usual: str = "whole") -> Any:
    rule = RangeRule("", 1e20, COLOR_RANGES, _NARROWEST, is_around_zero=True, title="range of the colours")
    return ruled(usual, rule)


@record
class ClockView:
    """mode: one dial with all hands, or each pair on its own.

    shows_bits, shows_digits: the binary code of t stands beside them, or its digits in the ratio of wavelengths; not
    both.
    """

    mode: str = choice("one", "each", title="mode of the clock")
    shows_bits: bool = flag("binary code")
    shows_digits: bool = flag("digits of t")


@record
class WavesView:
    """mode: a row for each pinned pair, or all of them over one axis."""

    mode: str = choice("apart", "overlay", title="mode of the waves")


@record
class MatrixView:
    """rows: the visible rows, row r reaching from r to r + 1, None for all; is_transposed: positions run downwards.

    adds_embedding: the strip shows x + p_t; shows_terms: what each hand adds to p_t · p_(t+k), before that. range: what
    the colours reach, one of COLOR_RANGES or typed values; colors: those of the theme, or the full maps that
    the texts are printed in.
    """

    rows: Span | None = _span("visible rows", "dimensions")
    is_transposed: bool = flag("transposed matrix")
    adds_embedding: bool = flag("x + PE")
    shows_terms: bool = flag("terms of the dot product")
    range: Span | str = _color_range()
    colors: str = choice(*COLOR_MAPS, title="colours of the matrix")


@record
class SimilarityView:
    """measure: what is compared; rows and columns: the visible positions of the map; offsets: those of the profile.

    None is all positions, of the profile as many as are quickly computed. range and colors as in MatrixView.
    """

    measure: str = choice(*MEASURES, title="measure")
    rows: Span | None = _span("visible map")
    columns: Span | None = _span("visible map")
    offsets: Span | None = _span("visible offsets", "offsets")
    range: Span | str = _color_range("most")
    colors: str = choice(*COLOR_MAPS, title="colours of the similarity")


@record
class _RotationView:
    """page: the matrix, or what it obeys; second_shift: j of M_j M_k = M_(j+k), in positions."""

    page: str = choice("matrix", "algebra", title="page of Rotation")
    second_shift: float = ruled(3.0, replace(rules.OFFSET, title="second shift j"))


@record
class _PropertiesView:
    """page: which measurements are shown; check: the marked one of the verdicts."""

    page: str = choice("verdicts", "collisions", "distance", "scales", title="page of Properties")
    check: str = choice("none", *PROPERTY_KEYS, title="marked check")


@record
class _CompareView:
    """is_open: encodings stand side by side in place of the plots; list: which encodings.

    shows: their measurements or their difference from the window's encoding. row, check: the measurement that is read
    below, of the encoding with this number in the list, 0 for the window's own. sort: rows stand by how many checks
    they pass or by one, is_reversed: from the least to the most.
    """

    is_open: bool = flag("Compare")
    list: str = choice("overview", "conventions", "ablations", "naive", "lengths", title="list of Compare")
    shows: str = choice("measurements", "difference", title="what Compare tells")
    row: int = ruled(0, NumberRule("", 0, 99, is_whole=True, title="row of Compare"))
    sort: str = choice("passed", *PROPERTY_KEYS, title="order of Compare")
    is_reversed: bool = flag("order of Compare")
    check: str = choice(*PROPERTY_KEYS, default="unique", title="check of Compare")


@record
class _AttentionView:
    """is_open: attention, look-back and rotary stand in place of the waves and the encoding matrix.

    map: whether the second map shows the weights of the moved sentence or what moving changed of them. back: how far
    back the head was trained to look whose weights they are, 0 for the seeded head.
    """

    is_open: bool = flag("Attention")
    map: str = choice("change", "moved", title="second map of Attention")
    back: int = ruled(0, replace(learning.BACK, lowest=0, title="head of Attention"))


@record
class _StudyView:
    """is_open: derivations, code, precision and decoder stand in place of the waves and the encoding matrix."""

    is_open: bool = flag("Study")


@record
class _DerivationsView:
    """page: what is derived; step: which is seen in the picture, from 1, the last one where there are fewer."""

    page: str = choice(
        *("log", "block", "entries", "system", "turns"),
        *("dot", "distance", "length", "unique", "toeplitz", "relative"),
        default="block",
        title="page of Derivations",
    )
    step: int = ruled(1, NumberRule("", 1, 9, is_whole=True, title="step of Derivations"))


@record
class _FourTermsView:
    """page: the score at t and t + k taken apart, or the words with their positions, which it is made of."""

    page: str = choice("terms", "inputs", title="page of Four terms")


@record
class _LookBackView:
    """shows: scores or weights; rows, columns, offsets: what is seen; range, of scores, and colors as in MatrixView."""

    shows: str = choice("scores", "weights", title="scores or weights")
    rows: Span | None = _span("visible map")
    columns: Span | None = _span("visible map")
    offsets: Span | None = _span("visible offsets", "offsets")
    range: Span | str = _color_range("most")
    colors: str = choice(*COLOR_MAPS, title="colours of Look back")


@record
class _RotaryView:
    """page: the score, its decay, or why rotary; vectors: what turns, of the words at t and t + k, seeded, or typed.

    query and key: what is typed, () for that of the word. overlays: schemes that are laid over the score by offset.
    """

    page: str = choice("score", "decay", "reasons", title="page of Rotary")
    query: tuple[float, ...] = ruled((), VectorRule("", title="query vector"))
    key: tuple[float, ...] = ruled((), VectorRule("", title="key vector"))
    # After what is typed: a vector that is set is the one that turns.
    vectors: str = choice("words", "seeded", "typed", title="query and key of Rotary")
    overlays: tuple[str, ...] = ruled((), _SchemesRule("", schemes=(*SCHEMES,), title="schemes over the curve"))


@record
class _DecoderView:
    """page: which stands first, which t the hands say, or whether n stands so many places before m.

    vector: what is read, () for p_t, or for x + p_t after so many layers.

    reads: hands from the fastest on, or the pinned ones; n_hands: how many of them, all where there are fewer. places:
    how far n may stand before m.
    """

    page: str = choice("read", "before", title="first part of Decoder")
    vector: tuple[float, ...] = ruled((), VectorRule("", title="hands of Decoder"))
    layers: str = choice("none", *"0123456", title="layers before the Decoder")
    reads: str = choice("fastest", "pinned", title="hands that are read")
    n_hands: int = ruled(
        MAX_DIMENSIONS // 2, NumberRule("", 1, MAX_DIMENSIONS // 2, is_whole=True, title="hands that are read")
    )
    places: int = ruled(3, NumberRule("", -MAX_POSITIONS, MAX_POSITIONS, is_whole=True, title="places before m"))

    def n_layers(self, d_model: int) -> int | None:
        """How many layers x + p_t goes through before it is read; None where p_t or another vector is read."""
        is_sum = self.layers != "none" and not self.vector and d_model <= WIDEST_SUM
        return int(self.layers) if is_sum else None


@record
class _CodeView:
    """page: the table's program, a listing of a text, or a session; step: of the session, from 0; library: of now."""

    page: str = choice("now", "listing-1", "listing-4", "repl", "forward", title="page of Code")
    step: int = ruled(0, NumberRule("", 0, 6, is_whole=True, title="step of the session"))
    library: str = choice("numpy", "torch", "jax", title="library")


@record
class _FactsView:
    """is_open: the cards stand at the right; verdict, text: which of them; card, shown: keys, "" for none.

    card: the one that is open or chosen; shown: the one that the plots were set to.
    """

    is_open: bool = flag("Facts")
    verdict: str = choice(_ALL, *VERDICTS, title="verdict of the cards")
    text: str = choice(_ALL, *TEXT_KEYS, title="text of the cards")
    card: str = ruled("", replace(_CARD, title="open card"))
    shown: str = ruled("", replace(_CARD, title="card in the plots"))


@record
class _LearnView:
    """What a head is trained on, as the fields of a Run; it copies the word -k places back.

    scheme: the one that is seen; schemes: those that are trained, once trains says so. step: after which step it is
    seen, -1 after the last one that is done.
    """

    task: str = ruled("copy", learning.TASK)
    scheme: str = ruled("additive", learning.SCHEME)
    schemes: tuple[str, ...] = ruled(_TRAINED, _SchemesRule("", schemes=learning.TRAINABLE, title="trained schemes"))
    steps: int = ruled(400, learning.N_STEPS)
    rate: float = ruled(0.01, learning.RATE)
    seed: int = ruled(0, learning.RUN_SEED)
    change: str = ruled("none", learning.CHANGE)
    step: int = ruled(-1, NumberRule("", -1, 2 * learning.N_STEPS.highest, is_whole=True, title="step of Learn"))
    trains: bool = flag("training")

    @property
    def n_total(self) -> int:
        """All steps: those before a change of positions and those after it."""
        return self.steps if self.change == "none" else 2 * self.steps

    @property
    def shown_step(self) -> int:
        """After which step it is seen once all are done."""
        return self.n_total if self.step < 0 else min(self.step, self.n_total)


@record
class _LessonsView:
    """is_open: the talk stands beside its views, or the list of all; talk: its key, "" for the list.

    step: which of its steps is seen, from 1; answers: what was answered, "2:c" in step 2 the third one; guess: what is
    drawn or placed and no answer yet; ticks: what was tried, "2.1" in step 2 the first.
    """

    is_open: bool = flag("Lessons")
    talk: str = ruled("", _KeyRule("", "it is the key of a talk, as the command lessons lists", title="lesson"))
    step: int = ruled(1, NumberRule("", 1, 99, is_whole=True, title="step of the lesson"))
    answers: tuple[str, ...] = ruled((), _ANSWERS)
    guess: str = ruled("", _GuessRule("", title="guess"))
    ticks: tuple[str, ...] = ruled((), _TICKS)


@record
class _PrecisionView:
    """page: errors of values by position, those of the frequencies of each form, or numbers as texts print them."""

    page: str = choice("errors", "forms", "printed", title="page of Precision")


@record
class Views:
    """One part for each panel, by its key, and the panels in front of others."""

    clock: ClockView = ClockView()
    waves: WavesView = WavesView()
    matrix: MatrixView = MatrixView()
    similarity: SimilarityView = SimilarityView()
    rotation: _RotationView = _RotationView()
    properties: _PropertiesView = _PropertiesView()
    compare: _CompareView = _CompareView()
    attention: _AttentionView = _AttentionView()
    four_terms: _FourTermsView = _FourTermsView()
    study: _StudyView = _StudyView()
    derivations: _DerivationsView = _DerivationsView()
    look_back: _LookBackView = _LookBackView()
    rotary: _RotaryView = _RotaryView()
    decoder: _DecoderView = _DecoderView()
    code: _CodeView = _CodeView()
    facts: _FactsView = _FactsView()
    precision: _PrecisionView = _PrecisionView()
    learn: _LearnView = _LearnView()
    lessons: _LessonsView = _LessonsView()
    front: tuple[str, ...] = ruled((), _WordsRule(""))

    @property
    def workspace(self) -> str:
        """The id of the one of WORKSPACES that is open, "" where none is."""
        return "attention" if self.attention.is_open else "study" if self.study.is_open else ""

    def with_workspace(self, name: str) -> "Views":
        """With one of WORKSPACES open, or none, "": no two stand in the same place."""
        attention = replace(self.attention, is_open=name == "attention")
        return replace(self, attention=attention, study=_StudyView(name == "study"))
