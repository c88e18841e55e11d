"""What is seen: one frozen state, the names of its parts, and the way from names and values to a state and back."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, fields, replace
from typing import Any, ClassVar, Final, TypeAlias, cast

from pe_desktop.core.color_range import COLOR_RANGES, ColorRangeRule
from pe_desktop.core.columns import has_values, n_hands
from pe_desktop.core.cursor import Cursor, Span, fitted_cursor, full_span, spread_pins
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.facts.cards import TEXT_KEYS, VERDICTS, CardRule
from pe_desktop.core.kinds import KINDS
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.lags import MEASURES
from pe_desktop.core.measure.measurement import PROPERTIES
from pe_desktop.core.parameters import CURSOR_PARAMETERS, ENCODING_PARAMETERS, cursor_with_parameter, with_parameter
from pe_desktop.core.precision.formats import Precision
from pe_desktop.core.presets import PRESETS, Preset, Wanted, chosen, shown_preset, wanted
from pe_desktop.core.record import record
from pe_desktop.core.rules import (
    MAX_DIMENSIONS,
    MAX_POSITIONS,
    OFFSET,
    FlagRule,
    NumberRule,
    WordRule,
    checked_word,
    names_for,
    shown,
)
from pe_desktop.core.scores.attention import SCHEMES, Attention, OrderRule, SentenceRule
from pe_desktop.core.scores.head import MAX_HEAD

# Each pin is drawn in four panels; thirty thousand of them would hold the window for a minute.
_MOST_PINS: Final = 256
# Cells of a map, or offsets of a profile, that a zoom leaves at least.
_NARROWEST_ROWS: Final = 1.0
_NARROWEST_OFFSETS: Final = 4.0
# Rotary turns queries and keys, and Look back reads added positions, whatever the scheme of the sentence.
_OWN_SCHEMES: Final = {"rotary": "rope", "look-back": "additive"}
_LARGEST_COMPONENT: Final = 1e6
# Wider profiles are reached by zooming out: their lags are computed when they are asked for.
WIDEST_FIRST_PROFILE: Final = 16_384

# The colours of a map.
COLOR_MAPS: Final = ("theme", "printed")

_ALL: Final = "all"
# What stands for a range that isn't typed.
RANGE_WORDS: Final = (_ALL, *COLOR_RANGES)
# Views that stand together in place of the waves and the encoding matrix, in the order of their tabs.
WORKSPACES: Final[Mapping[str, tuple[str, ...]]] = {
    "attention": ("attention", "look-back", "rotary"),
    "study": ("derivations", "code", "precision", "decoder"),
}
# Parts of a state whose names stand alone, by the field that holds them.
_PARTS: Final = {**dict.fromkeys(Attention.RULES, "attention"), **dict.fromkeys(Precision.RULES, "precision")}
_KEY: Final = re.compile("[a-z][a-z-]{0,39}")
Plain: TypeAlias = str | int | float | bool | list[float]


@record
class SpanRule:
    """A visible range as first..last, or all (None)."""

    name: str
    limit: float

    def checked(self, value: object) -> Span | None:
        if value is None or isinstance(value, Span):
            return value if value is None else self._span(value.first, value.last)
        raise ValueError(f"{self.name} must be a Span, or None for all: {shown(value)} is not")

    def read(self, text: str) -> Span | None:
        if text.strip().lower() == _ALL:
            return None
        first, dots, last = text.partition("..")
        if not dots:
            raise ValueError(
                f"{self.name} must be two numbers, the first and the last that are seen, as 0..31.5, or {_ALL}: "
                f"{shown(text).strip() or 'nothing'} is not"
            )
        rule = NumberRule(self.name, -self.limit, self.limit)
        return self._span(float(rule.read(first)), float(rule.read(last)))

    def plain(self, value: Span | None) -> Plain:
        return _ALL if value is None else [value.first, value.last]

    def _span(self, first: float, last: float) -> Span:
        if not first < last:
            raise ValueError(f"{self.name} must end after its beginning: {last!r} does not follow {first!r}")
        return Span(first, last)


@record
class PinsRule:
    """Pairs that carry a badge, as whole numbers with blanks or commas between them; none of them leaves no text."""

    name: str

    def checked(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, Iterable):
            raise ValueError(f"{self.name} must be a list of whole numbers: {shown(value)} is not")
        pins = sorted({int(self._pin.checked(pin)) for pin in value})
        if len(pins) > _MOST_PINS:
            raise ValueError(f"{self.name} are {len(pins)}, more than the {_MOST_PINS} that can be shown")
        return tuple(pins)

    def read(self, text: str) -> tuple[int, ...]:
        return self.checked([int(self._pin.read(pin)) for pin in text.replace(",", " ").split()])

    def plain(self, value: tuple[int, ...]) -> Plain:
        return [*value]

    @property
    def _pin(self) -> NumberRule:
        return NumberRule("pinned pair", 0, MAX_DIMENSIONS // 2 - 1, is_whole=True)


@record
class KeysRule:
    """Keys of panels with blanks or commas between them; one that the window lacks means nothing."""

    name: str

    def checked(self, value: object) -> tuple[str, ...]:
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise ValueError(f"{self.name} must be a list of panels: {shown(value)} is not")
        keys = tuple(dict.fromkeys(value))
        wrong = next((key for key in keys if not isinstance(key, str) or not _KEY.fullmatch(key)), None)
        if wrong is not None:
            raise ValueError(f"{self.name} must be a list of panels: {shown(wrong)} is not the key of one")
        return keys

    def read(self, text: str) -> tuple[str, ...]:
        return self.checked(text.lower().replace(",", " ").split())

    def plain(self, value: tuple[str, ...]) -> Plain:
        return " ".join(value)


@record
class VectorRule:
    """A vector as numbers with blanks or commas between them; none of them for the seeded one."""

    name: str

    def checked(self, value: object) -> tuple[float, ...]:
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise ValueError(f"{self.name} must be a list of numbers: {shown(value)} is not")
        vector = tuple(float(self._number.checked(number)) for number in value)
        if len(vector) > MAX_HEAD:
            raise ValueError(f"{self.name} has {len(vector)} numbers, more than the {MAX_HEAD} that can be given")
        return vector

    def read(self, text: str) -> tuple[float, ...]:
        return self.checked([float(self._number.read(number)) for number in text.replace(",", " ").split()])

    def plain(self, value: tuple[float, ...]) -> Plain:
        return [*value]

    @property
    def _number(self) -> NumberRule:
        return NumberRule(f"each number of {self.name}", -_LARGEST_COMPONENT, _LARGEST_COMPONENT)


Rule: TypeAlias = (
    NumberRule
    | WordRule
    | FlagRule
    | SpanRule
    | ColorRangeRule
    | PinsRule
    | KeysRule
    | VectorRule
    | SentenceRule
    | OrderRule
    | CardRule
)


@record
class ClockView:
    """mode: one dial with all hands, or each pair on its own; shows_bits: the binary code of t stands beside them."""

    RULES: ClassVar[Mapping[str, Rule]] = {
        "mode": WordRule("clock.mode", ("one", "each")),
        "shows_bits": FlagRule("clock.shows_bits"),
    }

    mode: str = "one"
    shows_bits: bool = False


@record
class WavesView:
    """mode: a row for each pinned pair, or all of them over one axis."""

    RULES: ClassVar[Mapping[str, Rule]] = {"mode": WordRule("waves.mode", ("apart", "overlay"))}

    mode: str = "apart"


@record
class MatrixView:
    """rows: the visible rows, row r reaching from r to r + 1, None for all; is_transposed: positions run downwards.

    adds_embedding: the strip shows x + p_t; shows_terms: what each hand adds to p_t · p_(t+k), before that. range: what
    the colours reach, one of COLOR_RANGES or typed values; colors: those of the theme, or the full maps that
    the texts are printed in.
    """

    RULES: ClassVar[Mapping[str, Rule]] = {
        "rows": SpanRule("matrix.rows", MAX_DIMENSIONS),
        "is_transposed": FlagRule("matrix.is_transposed"),
        "adds_embedding": FlagRule("matrix.adds_embedding"),
        "shows_terms": FlagRule("matrix.shows_terms"),
        "range": ColorRangeRule("matrix.range"),
        "colors": WordRule("matrix.colors", COLOR_MAPS),
    }

    rows: Span | None = None
    is_transposed: bool = False
    adds_embedding: bool = False
    shows_terms: bool = False
    range: Span | str = "whole"
    colors: str = "theme"


@record
class SimilarityView:
    """measure: what is compared; rows and columns: the visible positions of the map; offsets: those of the profile.

    None is all positions, of the profile as many as are quickly computed. range and colors as in MatrixView.
    """

    RULES: ClassVar[Mapping[str, Rule]] = {
        "measure": WordRule("similarity.measure", MEASURES),
        "rows": SpanRule("similarity.rows", MAX_POSITIONS),
        "columns": SpanRule("similarity.columns", MAX_POSITIONS),
        "offsets": SpanRule("similarity.offsets", MAX_POSITIONS),
        "range": ColorRangeRule("similarity.range"),
        "colors": WordRule("similarity.colors", COLOR_MAPS),
    }

    measure: str = "dot"
    rows: Span | None = None
    columns: Span | None = None
    offsets: Span | None = None
    range: Span | str = "whole"
    colors: str = "theme"


@record
class RotationView:
    """page: the matrix, or what it obeys; second_shift: j of M_j M_k = M_(j+k), in positions."""

    RULES: ClassVar[Mapping[str, Rule]] = {
        "page": WordRule("rotation.page", ("matrix", "algebra"), {"steps": "derivations.page=block"}),
        "second_shift": replace(OFFSET, name="rotation.second_shift"),
    }

    page: str = "matrix"
    second_shift: float = 3.0


@record
class PropertiesView:
    """page: which measurements are told; check: the marked one of the verdicts."""

    RULES: ClassVar[Mapping[str, Rule]] = {
        "page": WordRule("properties.page", ("verdicts", "collisions", "distance", "scales")),
        "check": WordRule("properties.check", ("none", *PROPERTIES)),
    }

    page: str = "verdicts"
    check: str = "none"


@record
class CompareView:
    """is_open: encodings stand side by side in place of the plots; list: which encodings.

    shows: what is told of them, their measurements or their difference from the window's encoding.
    """

    RULES: ClassVar[Mapping[str, Rule]] = {
        "is_open": FlagRule("compare.is_open"),
        "list": WordRule("compare.list", ("overview", "conventions", "ablations", "naive", "lengths")),
        "shows": WordRule("compare.shows", ("measurements", "difference")),
    }

    is_open: bool = False
    list: str = "overview"
    shows: str = "measurements"


@record
class AttentionView:
    """is_open: attention, look-back and rotary stand in place of the waves and the encoding matrix."""

    RULES: ClassVar[Mapping[str, Rule]] = {"is_open": FlagRule("attention.is_open")}

    is_open: bool = False


@record
class StudyView:
    """is_open: derivations, code, precision and decoder stand in place of the waves and the encoding matrix."""

    RULES: ClassVar[Mapping[str, Rule]] = {"is_open": FlagRule("study.is_open")}

    is_open: bool = False


@record
class CodeView:
    """page: the table's program, a listing of a text, or a session; step: of the session, from 0; library: of now."""

    RULES: ClassVar[Mapping[str, Rule]] = {
        "page": WordRule("code.page", ("now", "listing-1", "listing-4", "repl", "forward")),
        "step": NumberRule("code.step", 0, 6, is_whole=True),
        "library": WordRule("code.library", ("numpy", "torch", "jax")),
    }

    page: str = "now"
    step: int = 0
    library: str = "numpy"


@record
class FactsView:
    """is_open: the cards stand at the right; verdict, text: which of them; card, shown: keys, "" for none.

    card: the one that is open or chosen; shown: the one that the plots were set to.
    """

    RULES: ClassVar[Mapping[str, Rule]] = {
        "is_open": FlagRule("facts.is_open"),
        "verdict": WordRule("facts.verdict", (_ALL, *VERDICTS)),
        "text": WordRule("facts.text", (_ALL, *TEXT_KEYS)),
        "card": CardRule("facts.card"),
        "shown": CardRule("facts.shown"),
    }

    is_open: bool = False
    verdict: str = _ALL
    text: str = _ALL
    card: str = ""
    shown: str = ""


@record
class DerivationsView:
    """page: what is derived."""

    RULES: ClassVar[Mapping[str, Rule]] = {
        "page": WordRule(
            "derivations.page",
            ("log", "block", "entries", "system", "dot", "distance", "length", "unique", "toeplitz"),
        ),
    }

    page: str = "block"


@record
class LookBackView:
    """places: how far back the head looks; shows: scores or weights; rows, columns, offsets: what is seen of them."""

    RULES: ClassVar[Mapping[str, Rule]] = {
        "places": NumberRule("look-back.places", 0, MAX_POSITIONS, is_whole=True),
        "shows": WordRule("look-back.shows", ("scores", "weights")),
        "rows": SpanRule("look-back.rows", MAX_POSITIONS),
        "columns": SpanRule("look-back.columns", MAX_POSITIONS),
        "offsets": SpanRule("look-back.offsets", MAX_POSITIONS),
    }

    places: int = 3
    shows: str = "scores"
    rows: Span | None = None
    columns: Span | None = None
    offsets: Span | None = None


@record
class RotaryView:
    """page: the score, its decay, or why rotary; query and key: the vectors before they turn, () for the seeded ones.

    scheme: whose scores stand by offset; rows, columns, offsets: the visible parts of map and curve.
    """

    RULES: ClassVar[Mapping[str, Rule]] = {
        "page": WordRule("rotary.page", ("score", "decay", "reasons")),
        "query": VectorRule("rotary.query"),
        "key": VectorRule("rotary.key"),
        "scheme": WordRule("rotary.scheme", tuple(SCHEMES)),
        "rows": SpanRule("rotary.rows", MAX_POSITIONS),
        "columns": SpanRule("rotary.columns", MAX_POSITIONS),
        "offsets": SpanRule("rotary.offsets", MAX_POSITIONS),
    }

    page: str = "score"
    query: tuple[float, ...] = ()
    key: tuple[float, ...] = ()
    scheme: str = "rope"
    rows: Span | None = None
    columns: Span | None = None
    offsets: Span | None = None


@record
class DecoderView:
    """page: which t the hands say, or whether n stands so many places before m; vector: what is read, () for p_t.

    reads: hands from the fastest on, or the pinned ones; n_hands: how many of them, all where there are fewer. places:
    how far n may stand before m.
    """

    RULES: ClassVar[Mapping[str, Rule]] = {
        "page": WordRule("decoder.page", ("read", "before")),
        "vector": VectorRule("decoder.vector"),
        "reads": WordRule("decoder.reads", ("fastest", "pinned")),
        "n_hands": NumberRule("decoder.n_hands", 1, MAX_DIMENSIONS // 2, is_whole=True),
        "places": NumberRule("decoder.places", -MAX_POSITIONS, MAX_POSITIONS, is_whole=True),
    }

    page: str = "read"
    vector: tuple[float, ...] = ()
    reads: str = "fastest"
    n_hands: int = MAX_DIMENSIONS // 2
    places: int = 3


@record
class PrecisionView:
    """page: errors of values by position, those of the frequencies of each form, or numbers as texts print them."""

    RULES: ClassVar[Mapping[str, Rule]] = {
        "page": WordRule("precision.page", ("errors", "forms", "printed")),
    }

    page: str = "errors"


@record
class Views:
    """One part for each panel, by its key, and the panels in front of others."""

    RULES: ClassVar[Mapping[str, Rule]] = {"front": KeysRule("front")}

    clock: ClockView = ClockView()
    waves: WavesView = WavesView()
    matrix: MatrixView = MatrixView()
    similarity: SimilarityView = SimilarityView()
    rotation: RotationView = RotationView()
    properties: PropertiesView = PropertiesView()
    compare: CompareView = CompareView()
    attention: AttentionView = AttentionView()
    study: StudyView = StudyView()
    derivations: DerivationsView = DerivationsView()
    look_back: LookBackView = LookBackView()
    rotary: RotaryView = RotaryView()
    decoder: DecoderView = DecoderView()
    code: CodeView = CodeView()
    facts: FactsView = FactsView()
    precision: PrecisionView = PrecisionView()
    front: tuple[str, ...] = ()

    @property
    def workspace(self) -> str:
        """The id of the one of WORKSPACES that is open, "" where none is."""
        return next((name for name in WORKSPACES if getattr(self, name).is_open), "")

    def with_workspace(self, name: str) -> "Views":
        """With one of WORKSPACES open, or none, "": no two stand in the same place."""
        return replace(self, attention=AttentionView(name == "attention"), study=StudyView(name == "study"))


@record
class State:
    """Everything that a person can choose about what is seen.

    span: the visible positions, None for all. attention: the sentence and the scheme of its positions. precision: the
    formats that are compared with the exact table. wanted: sizes and preset that the next preset builds on; left_pair:
    the pair that was left because its columns are zero throughout. Both are no part of what is seen: states that differ
    in them alone are equal.
    """

    encoding: Encoding = field(default_factory=SinusoidalEncoding)
    cursor: Cursor = field(default_factory=Cursor)
    span: Span | None = None
    attention: Attention = field(default_factory=Attention)
    precision: Precision = field(default_factory=Precision)
    views: Views = Views()
    wanted: Wanted | None = field(default=None, compare=False)
    left_pair: int | None = field(default=None, compare=False)

    @property
    def shown_span(self) -> Span:
        """The visible positions, those of the whole table where span is None."""
        return full_span(self.encoding.n_positions) if self.span is None else self.span

    @property
    def shown_rows(self) -> Span:
        """The visible rows of the encoding matrix."""
        return self.views.matrix.rows or Span(0.0, float(self.encoding.d_model))

    @property
    def shown_offsets(self) -> Span:
        """The visible offsets of the similarity profile."""
        reach = float(min(max(self.encoding.n_positions - 1, 1), WIDEST_FIRST_PROFILE))
        return self.views.similarity.offsets or Span(-reach, reach)

    @property
    def scheme_at_work(self) -> str:
        """The id of the scheme that clock and waves show: that of the panel in front, where it has one of its own."""
        if self.views.attention.is_open:
            for panel, scheme in _OWN_SCHEMES.items():
                if panel in self.views.front:
                    return scheme
        return "none" if self.attention.drops_positions else self.attention.scheme

    @property
    def looks_back(self) -> int:
        """How many positions back the head looks: no more than there are."""
        return min(self.views.look_back.places, self.encoding.n_positions - 1)

    @property
    def shown_map(self) -> tuple[Span, Span]:
        """The visible rows and columns of the similarity map, in positions."""
        similarity, whole = self.views.similarity, full_span(self.encoding.n_positions)
        return similarity.rows or whole, similarity.columns or whole


# What stands in front comes first: it may open a workspace, and whether that is open is said by its own name.
_VIEW_RULES: Final[Mapping[str, Rule]] = {
    **Views.RULES,
    **{
        f"{view.name.replace('_', '-')}.{name}": rule
        for view in fields(Views)
        if view.name != "front"
        for name, rule in cast("Any", view.default).RULES.items()
    },
}
_SPAN: Final = SpanRule("span", MAX_POSITIONS)
_PINNED: Final = "pinned_pairs"
_PINS: Final = PinsRule(_PINNED)
_CHOICE_RULES: Final[Mapping[str, Rule]] = {**Attention.RULES, **Precision.RULES, **_VIEW_RULES}
_RULES: Final[Mapping[str, Rule]] = {"span": _SPAN, _PINNED: _PINS, **_CHOICE_RULES}

_VECTORS: Final = tuple(name for name, rule in _RULES.items() if isinstance(rule, VectorRule))
_RANGE_RULES: Final = (SpanRule, ColorRangeRule)
# The names whose values are ranges, first..last, lists of numbers, or any text.
RANGES: Final = tuple(name for name, rule in _RULES.items() if isinstance(rule, _RANGE_RULES))
LISTS: Final = tuple(name for name, rule in _RULES.items() if isinstance(rule, PinsRule | VectorRule | OrderRule))
TEXTS: Final = tuple(name for name, rule in _RULES.items() if isinstance(rule, SentenceRule))
# Every name of a state; encodings refuse those that their kind lacks.
STATE_NAMES: Final = ("preset", *ENCODING_PARAMETERS, *CURSOR_PARAMETERS, *_RULES)


def state_of(assignments: Mapping[str, str]) -> State:
    """The state that these names and texts describe, defaults for the rest; ValueError with a sentence otherwise.

    A preset comes first, the others change it. A default position or pair that a smaller encoding lacks moves to its
    edge; one that was given is refused. Visible ranges are moved into the table.
    """
    for name, text in assignments.items():
        _check_name(name)
        _check_no_preset(name, text)
    if "convention" in assignments and assignments.get("kind", "sinusoidal").strip().lower() != "sinusoidal":
        raise ValueError(f"convention is one of the sinusoidal encoding: kind can't be {shown(assignments['kind'])}")
    state = State()
    if "preset" in assignments:
        state = with_preset(state, preset_id(assignments["preset"]))
    encoding = state.encoding
    for name in ENCODING_PARAMETERS:
        if name in assignments:
            encoding = with_parameter(encoding, name, assignments[name])
    state = with_encoding(state, encoding)
    # In the order of the names, whatever the order on the command line: a sentence before the order of its words.
    for name in STATE_NAMES:
        if name in assignments and name != "preset" and name not in ENCODING_PARAMETERS:
            state = with_name(state, name, assignments[name])
    return state


def assignments_of(state: State) -> dict[str, Plain]:
    """Every name of a state with its value as text, number, truth value or list: state_of gives the same state back."""
    preset = preset_of(state)
    named: dict[str, Plain] = {} if preset is None else {"preset": preset.id}
    named |= dict(state.encoding.parameters)
    cursor = state.cursor
    named |= {"position": cursor.position, "offset": cursor.offset, "pair": cursor.pair}
    named |= {_PINNED: _PINS.plain(cursor.pinned_pairs), "span": _SPAN.plain(state.span)}
    for name, rule in _CHOICE_RULES.items():
        value = value_of(state, name)
        named[name] = value if isinstance(rule, NumberRule | WordRule) else rule.plain(value)
    return named


def text_of(name: str, value: Plain) -> str:
    """A plain value as a person types it: true, 8.5, 0.0..31.5 for a range, 0 4 8 for another list."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return (".." if isinstance(_RULES.get(name), _RANGE_RULES) else " ").join(map(repr, value))
    return value if isinstance(value, str) else repr(value)


def value_of(state: State, name: str) -> Any:
    """The value of one name of a state; None for a parameter that its kind lacks."""
    _check_name(name)
    if name in ENCODING_PARAMETERS:
        return state.encoding.parameters.get(name)
    if name in (*CURSOR_PARAMETERS, _PINNED):
        return getattr(state.cursor, name)
    if name == "span":
        return state.span
    if name == "preset":
        preset = preset_of(state)
        return None if preset is None else preset.id
    if name in _PARTS:
        return getattr(getattr(state, _PARTS[name]), name)
    view, dot, part = name.replace("-", "_").partition(".")
    return getattr(getattr(state.views, view), part) if dot else getattr(state.views, view)


def with_name(state: State, name: str, value: object) -> State:
    """The state with one name changed, to a value or to what was typed for it; ValueError with a sentence otherwise."""
    _check_name(name)
    _check_no_preset(name, value)
    if name == "preset":
        return with_preset(state, preset_id(str(value)))
    if name in ENCODING_PARAMETERS:
        return with_encoding(state, with_parameter(state.encoding, name, _typed(value)))
    if name in CURSOR_PARAMETERS:
        return with_cursor(state, cursor_with_parameter(state.cursor, state.encoding, name, _typed(value)))
    rule = _RULES[name]
    taken = rule.read(value) if isinstance(value, str) else rule.checked(value)
    # What stands in front may have to be opened.
    return state if name != "front" and value_of(state, name) == taken else _with_ruled(state, name, taken)


def _with_ruled(state: State, name: str, taken: Any) -> State:
    if name == _PINNED:
        return with_cursor(state, replace(state.cursor, pinned_pairs=taken))
    if name == "span":
        return fitted(replace(state, span=taken))
    counted = {"order": len(state.attention.words), **dict.fromkeys(_VECTORS, state.encoding.d_model)}
    if name in counted and len(taken) not in (0, counted[name]):
        of_each = "word of the sentence" if name == "order" else "dimension"
        raise ValueError(f"{name} must have {counted[name]} numbers, one for each {of_each}: {len(taken)} were given")
    if name in Attention.RULES:
        # Another sentence stands as it was written.
        moved = {"order": ()} if name == "sentence" and taken != state.attention.sentence else {}
        return fitted(replace(state, attention=replace(state.attention, **cast("Any", moved | {name: taken}))))
    if name in Precision.RULES:
        return replace(state, precision=replace(state.precision, **{name: taken}))
    opened = [some for some, keys in WORKSPACES.items() if name == "front" and {*keys} & {*taken}]
    if opened:
        # A panel that stands in front is open.
        state = replace(state, views=state.views.with_workspace(opened[-1]))
    if name == "front" and "facts" in taken:
        state = replace(state, views=replace(state.views, facts=replace(state.views.facts, is_open=True)))
    view, dot, part = name.replace("-", "_").partition(".")
    if part == "is_open" and taken and view in WORKSPACES:
        return replace(state, views=state.views.with_workspace(view))
    changed = replace(getattr(state.views, view), **{part: taken}) if dot else taken
    return fitted(replace(state, views=replace(state.views, **{view: changed})))


def with_encoding(state: State, encoding: Encoding) -> State:
    """The state with another encoding: cursor and visible ranges are fitted to it.

    Maps of positions x positions show all of them again where their number changes, and so does the matrix its
    dimensions. Pins that were chosen stay, to return when it grows; others are spread over its pairs.
    """
    views, cursor = state.views, state.cursor
    if cursor.pinned_pairs == spread_pins(state.encoding):
        cursor = replace(cursor, pinned_pairs=spread_pins(encoding))
    if encoding.d_model != state.encoding.d_model:
        views = replace(views, matrix=replace(views.matrix, rows=None))
    if encoding.n_positions != state.encoding.n_positions:
        everything: dict[str, Any] = dict.fromkeys(("rows", "columns", "offsets"))
        maps = {name: replace(getattr(views, name), **everything) for name in ("similarity", "look_back", "rotary")}
        views = replace(views, **maps)
    return fitted(replace(state, encoding=encoding, cursor=cursor, views=views))


def with_cursor(state: State, cursor: Cursor) -> State:
    """The state with another cursor, moved to the nearest that fits the encoding."""
    return replace(state, cursor=fitted_cursor(cursor, state.encoding))


def differs_in_cursor(one: State, other: State) -> bool:
    """Whether two states have all but the cursor in common, as `with_cursor` leaves it: the same objects."""
    return (
        one.encoding is other.encoding
        and one.span is other.span
        and one.attention is other.attention
        and one.precision is other.precision
        and one.views is other.views
    )


def with_preset(state: State, id: str) -> State:  # noqa: A002 - the field's name
    """The state with one of PRESETS chosen: sizes stay as a person wants them, unless the preset has its own.

    What a preset assigns beside the encoding is taken, and one that assigns nothing else leaves the encoding alone; a
    figure of a text shows all positions in the plots, which are otherwise as at the first start, with hands that are
    read, and Compare makes way for them, unless the figure speaks of its list.
    """
    preset = PRESETS[id]
    if preset.has_encoding:
        taken = chosen(state.wanted or wanted(state.encoding), state.encoding, id)
        state = _at_values(replace(with_encoding(state, taken.encoding), wanted=taken))
    if preset.is_figure:
        plots: dict[str, Any] = {"waves": WavesView(), "matrix": MatrixView(), "similarity": SimilarityView()}
        if "compare.list" not in preset.assignments:
            plots["compare"] = replace(state.views.compare, is_open=False)
        state = replace(with_hands_read(state), span=None, views=replace(state.views.with_workspace(""), **plots))
    for name, text in preset.assignments.items():
        if name == "position":
            # The last one of an encoding that has fewer: a preset of a sentence leaves the encoding as it is.
            state = with_cursor(state, replace(state.cursor, position=float(text)))
        elif name not in ENCODING_PARAMETERS:
            state = with_name(state, name, text)
    return state


def with_hands_read(state: State) -> State:
    """The state with the encoding added: a scheme without it turns clock and waves grey."""
    return replace(state, attention=replace(state.attention, scheme="additive", drops_positions=False))


def preset_of(state: State) -> Preset | None:
    """The preset that the encoding is, None where it is none: the chosen one while it still gives the encoding."""
    return shown_preset(state.wanted or wanted(state.encoding), state.encoding)


def preset_id(text: str) -> str:
    """The id of a preset that was typed; ValueError with a sentence for another word."""
    return checked_word("preset", text.strip().lower(), PRESETS)


def _check_name(name: str) -> None:
    """ValueError with a sentence for what is no name of a state."""
    if name not in STATE_NAMES:
        usual = ", ".join(("preset", *ENCODING_PARAMETERS, *CURSOR_PARAMETERS))
        near = names_for(name, STATE_NAMES, f"choose from {usual}, or further ones, as scheme, dtype, clock.mode")
        raise ValueError(f"{shown(name)} is not a parameter: {near}")


def _check_no_preset(name: str, value: object) -> None:
    """ValueError with a sentence where a kind is called by the id of a preset, such as binary."""
    typed = str(value).strip().lower()
    if name == "kind" and typed in PRESETS and typed not in KINDS:
        kind = PRESETS[typed].kind
        raise ValueError(f"kind can't be {typed}, which is a preset of the kind {kind}: set preset to {typed}")


def _at_values(state: State) -> State:
    """Leave a pair whose columns are zero throughout, and return where it has values, unless another was chosen."""
    pair, left, encoding = state.cursor.pair, state.left_pair, state.encoding
    if not has_values(encoding, pair):
        return replace(state, cursor=replace(state.cursor, pair=0), left_pair=pair)
    if left is not None and (pair or (left < n_hands(encoding) and has_values(encoding, left))):
        return replace(state, cursor=replace(state.cursor, pair=pair or left), left_pair=None)
    return state


def _typed(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


def fitted(state: State) -> State:
    """The nearest state whose position, pair and visible ranges its encoding has; a range of everything is None."""
    n_positions, d_model = state.encoding.n_positions, float(state.encoding.d_model)
    views, whole = state.views, full_span(n_positions)
    both = {"query": views.rotary.query, "key": views.rotary.key}
    vectors: dict[str, Any] = {name: vector if len(vector) == d_model else () for name, vector in both.items()}
    read = views.decoder.vector if len(views.decoder.vector) == d_model else ()
    attention = state.attention
    if len(attention.order) not in (0, len(attention.words)):
        attention = replace(attention, order=())
    views = replace(
        views,
        matrix=replace(views.matrix, rows=_within(views.matrix.rows, Span(0.0, d_model), _NARROWEST_ROWS)),
        similarity=replace(views.similarity, **_seen(views.similarity, whole)),
        look_back=replace(views.look_back, **_seen(views.look_back, whole)),
        rotary=replace(
            views.rotary,
            **vectors,
            **_seen(views.rotary, whole),
        ),
        decoder=replace(views.decoder, vector=read),
    )
    span, cursor = _within(state.span, whole, _NARROWEST_ROWS), fitted_cursor(state.cursor, state.encoding)
    return replace(state, cursor=cursor, span=span, attention=attention, views=views)


def _seen(view: SimilarityView | LookBackView | RotaryView, whole: Span) -> dict[str, Any]:
    """The visible ranges of a map over positions x positions, and of its profile."""
    reach = max(whole.width - 1.0, 1.0)
    return {
        "rows": _within(view.rows, whole, _NARROWEST_ROWS),
        "columns": _within(view.columns, whole, _NARROWEST_ROWS),
        "offsets": _within(view.offsets, Span(-reach, reach), _NARROWEST_OFFSETS, keeps_whole=True),
    }


def _within(span: Span | None, whole: Span, narrowest: float, *, keeps_whole: bool = False) -> Span | None:
    if span is None:
        return None
    width = min(max(span.width, narrowest), whole.width)
    # A range that was too narrow grows to both sides: what it was zoomed about stays within it.
    first = min(max(span.first - max(width - span.width, 0.0) / 2, whole.first), whole.last - width)
    moved = Span(first, first + width)
    return None if moved == whole and not keeps_whole else moved
