"""What is seen: one frozen state, the names of its parts, and the way from names and values to a state and back."""

from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property, reduce
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeAlias

from pe_desktop.core import presets, rules
from pe_desktop.core.choices import WORKSPACES, MatrixView, RangeRule, SimilarityView, VectorRule, Views, WavesView
from pe_desktop.core.cursor import Aside, Cursor, Span, cursor_rules, full_span, has_values, n_hands, spread_pins
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds import KINDS, kind_rules
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.learning.run import BACK
from pe_desktop.core.precision.formats import Precision
from pe_desktop.core.record import record
from pe_desktop.core.rules import checked_word, names_for, rules_of, shown
from pe_desktop.core.scores.attention import Attention
from pe_desktop.core.scores.schemes import SCHEMES

# Each pin is drawn in four panels; thirty thousand of them would hold the window for a minute.
_MOST_PINS: Final = 256


@record
class _PinsRule(rules.ListRule):
    """Pairs that carry a badge; none of them leaves no text."""

    each: rules.NumberRule = rules.NumberRule("", 0, rules.MAX_DIMENSIONS // 2 - 1, is_whole=True)
    most: int = _MOST_PINS

    def checked(self, value: object) -> tuple[int, ...]:
        return tuple(sorted({*rules.ListRule.checked(self, value)}))


# Offsets of a profile that a zoom leaves at least; of positions and dimensions it leaves one.
_NARROWEST_OFFSETS: Final = 4.0
# Rotary turns queries and keys, and Look back reads added positions, whatever the scheme of the sentence: it has that
# one where it is among these, else the first.
_OWN_SCHEMES: Final = {"rotary": ("rope", "p-rope"), "look-back": ("additive",)}
# Wider profiles are reached by zooming out: their lags are computed when they are asked for. With offset 0 and one
# beyond the end these are 2^14 lags, which a transform computes in half the time of one more.
WIDEST_FIRST_PROFILE: Final = 16_382

Plain: TypeAlias = str | int | float | bool | list[float]


class _Track(NamedTuple):
    """What the transport moves: a name of the state, its value, and the last one; the first is 0."""

    name: str
    value: float
    last: float


@record
class State:
    """Everything that a person can choose about what is seen.

    cursor: while a sentence `leads`, t and k are places of its words; aside: the other t and k, of the plots or of the
    workspace Attention. span: the visible positions, None for all. trained_length: how many positions were seen in
    training, the first ones; 0 for none. attention: the sentence and the scheme of its positions. precision: the
    formats that are compared with the exact table. sizes: what the next preset builds on; left_pair: the pair that was
    left because its columns are zero throughout; words_before: t and k before Look back, and what it made of them. All
    three are no part of what is seen: states that differ in them alone are equal.
    """

    encoding: Encoding = field(default_factory=SinusoidalEncoding)
    cursor: Cursor = field(default_factory=Cursor)
    span: Span | None = None
    trained_length: int = 0
    attention: Attention = field(default_factory=Attention)
    precision: Precision = field(default_factory=Precision)
    views: Views = Views()
    aside: Aside = Aside()
    sizes: presets.Sizes | None = field(default=None, compare=False)
    left_pair: int | None = field(default=None, compare=False)
    words_before: tuple[tuple[float, float], tuple[float, float]] | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        """What differs from the first start, by the names of the command line."""
        first = State().encoding.parameters
        usual = assignments_of(with_encoding(State(), self.encoding))
        parameters: Mapping[str, Plain] = {**self.encoding.parameters}
        given = [(name, value) for name, value in parameters.items() if value != first.get(name)]
        given += [(name, value) for name, value in assignments_of(self).items() if value != usual.get(name)]
        return f"State({', '.join(f'{name}={value!r}' for name, value in given)})"

    def _repr_svg_(self) -> str | None:
        """Its picture in a notebook, by the package's own door; nothing without Qt, where the text is shown."""
        shown_as: str | None = import_module("pe_desktop").picture(self)
        return shown_as

    def with_cursor(self, cursor: Cursor) -> "State":
        """The state with another cursor, moved to the nearest that fits the encoding."""
        return replace(self, cursor=cursor.fitted(self.cursor_rules))

    def with_views(self, views: Views) -> "State":
        """The state with other views.

        Opening the workspace Attention, or leaving it, exchanges t and k with those set aside. Look back and Learn come
        to the front with a key before t: k = -|k|, in Look back with t at |k| at least. Leaving them brings the two
        words before it back, unless it leaves two others.
        """
        state = replace(self, views=views)
        cursor = self.cursor
        if self.reads_back and not state.reads_back and self.words_before is not None:
            chosen, moved = self.words_before
            places = {cursor.position, cursor.position + cursor.offset}
            is_chosen = (cursor.position, cursor.offset) != moved and places <= {*range(len(state.attention.words))}
            position, offset = (cursor.position, cursor.offset) if is_chosen else chosen
            cursor = replace(cursor, position=position, offset=offset)
            state = replace(state, words_before=None)
        if views.attention.is_open != self.views.attention.is_open:
            aside = Aside(cursor.position, cursor.offset)
            cursor = replace(cursor, position=self.aside.position, offset=self.aside.offset)
            state = replace(state, aside=aside)
        before = cursor.position, cursor.offset
        if state.has_look_back and not self.has_look_back:
            distance = min(abs(cursor.offset), state.encoding.n_positions - 1.0)
            # 0 less 0 is a plain zero.
            cursor = replace(cursor, position=max(cursor.position, distance), offset=0.0 - distance)
        if state.has_learn and not self.has_learn:
            cursor = replace(cursor, offset=-BACK.nearest(abs(cursor.offset)))
        if state.reads_back and not self.reads_back:
            state = replace(state, words_before=(before, (cursor.position, cursor.offset)))
        return state.with_cursor(cursor)

    @property
    def preset(self) -> presets.Preset | None:
        """The preset that the encoding is, None where it is none: the chosen one while it still gives the encoding."""
        return (self.sizes or presets.Sizes(self.encoding)).shown_preset(self.encoding)

    @cached_property
    def shown_span(self) -> Span:
        """The visible positions, those of the whole table where span is None."""
        return full_span(self.encoding.n_positions) if self.span is None else self.span

    @cached_property
    def shown_rows(self) -> Span:
        """The visible rows of the encoding matrix."""
        return self.views.matrix.rows or Span(0.0, float(self.encoding.d_model))

    @cached_property
    def shown_offsets(self) -> Span:
        """The visible offsets of the similarity profile."""
        reach = float(min(max(self.encoding.n_positions - 1, 1), WIDEST_FIRST_PROFILE))
        return self.views.similarity.offsets or Span(-reach, reach)

    @property
    def has_look_back(self) -> bool:
        """Whether Look back stands in front in the workspace Attention."""
        return self.views.attention.is_open and "look-back" in self.views.front

    @property
    def has_learn(self) -> bool:
        """Whether Learn stands in front in the workspace Attention."""
        return self.views.attention.is_open and "learn" in self.views.front

    @property
    def plays_film(self) -> bool:
        """Whether the transport moves the step of a film: with Learn in front, and not behind Compare."""
        return self.has_learn and not self.views.compare.is_open

    @property
    def reads_back(self) -> bool:
        """Whether the panel in front is of a head that looks so many places back as k says."""
        return self.has_look_back or self.has_learn

    @property
    def leads(self) -> bool:
        """Whether a sentence leads: t and k are places of its words while Attention is open.

        Not with Look back or Learn in front, whose k is how far a head looks back.
        """
        return self.views.attention.is_open and not self.reads_back

    @property
    def track(self) -> _Track:
        """What the transport moves: the step of the film while one plays, else the position."""
        if not self.plays_film:
            return _Track("position", self.cursor.position, float(self.cursor_rules["position"].highest))
        view = self.views.learn
        return _Track("learn.step", float(view.shown_step), float(view.n_total))

    @property
    def query(self) -> int:
        """The place of the word that asks, while a sentence leads."""
        return round(self.cursor.position)

    @property
    def key(self) -> int | None:
        """The place of the word that is read, while a sentence leads; None where no word stands there."""
        place = round(self.cursor.position + self.cursor.offset)
        return place if 0 <= place < len(self.attention.words) else None

    @property
    def reads_no_word(self) -> bool:
        """Whether a sentence leads, and none of its words stands at t + k."""
        return self.leads and self.key is None and bool(self.attention.words)

    @property
    def scored_words(self) -> tuple[str, ...]:
        """The words at t and at t + k, beyond the sentence its nearest one; () without words."""
        words = self.attention.words
        t = self.cursor.position
        places = (t, t + self.cursor.offset) if words else ()
        return tuple(words[self.attention.place_of(place)] for place in places)

    @cached_property
    def cursor_rules(self) -> Mapping[str, rules.NumberRule]:
        """What position, offset and pair may be."""
        n_words = len(self.attention.words) if self.leads else None
        back = (0, self.encoding.n_positions - 1) if self.has_look_back else None
        if self.has_learn:
            back = int(BACK.lowest), int(BACK.highest)
        return cursor_rules(self.encoding, n_words, back)

    @cached_property
    def scheme_at_work(self) -> str:
        """The id of the scheme that clock and waves wear while the workspace Attention is open; else they are added.

        That of the panel in front, where it has one of its own.
        """
        if not self.views.attention.is_open:
            return "additive"
        if self.has_learn:
            return self.views.learn.scheme if self.views.learn.scheme in SCHEMES else "none"
        own = next((schemes for panel, schemes in _OWN_SCHEMES.items() if panel in self.views.front), ())
        if own:
            return self.attention.scheme if self.attention.scheme in own else own[0]
        return self.attention.scheme_at_work

    @property
    def looks_back(self) -> int:
        """How many positions back the head of Look back looks, -k: no more than there are."""
        return min(abs(round(self.cursor.offset)), self.encoding.n_positions - 1)

    @cached_property
    def shown_map(self) -> tuple[Span, Span]:
        """The visible rows and columns of the similarity map, in positions."""
        similarity = self.views.similarity
        whole = full_span(self.encoding.n_positions)
        return similarity.rows or whole, similarity.columns or whole


_ONES: Final = {
    "span": (RangeRule("span", rules.MAX_POSITIONS, title="visible positions", of="positions"), ("span",)),
    "trained_length": (rules.TRAINED_LENGTH, ("trained_length",)),
    "pinned_pairs": (_PinsRule("pinned_pairs", title="pinned pairs"), ("cursor", "pinned_pairs")),
}


def _ruled_names() -> dict[str, tuple[rules.Rule, tuple[str, ...]]]:
    """Every name with a rule of its own: the rule, and the fields from the state to the value."""
    named = {**_ONES, **{rule.name: (rule, ("aside", name)) for name, rule in rules_of(Aside, "aside.").items()}}
    # What stands in front comes first: it may open a workspace, and whether that is open is said by its own name.
    for part, kind in (("attention", Attention), ("precision", Precision), ("views", Views)):
        named |= {name: (rule, (part, name)) for name, rule in rules_of(kind).items()}
    for view in fields(Views):
        if view.name != "front":
            given = rules_of(type(view.default), f"{view.name.replace('_', '-')}.")
            named |= {rule.name: (rule, ("views", view.name, name)) for name, rule in given.items()}
    return named


_RULED: Final = _ruled_names()
_RULES: Final[Mapping[str, rules.Rule]] = {name: rule for name, (rule, _) in _RULED.items()}
_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    **{name: ("cursor", name) for name in presets.CURSOR_PARAMETERS},
    **{name: path for name, (_, path) in _RULED.items()},
}
# What names are called in a menu; those that stand for themselves have none.
_TITLES: Final[Mapping[str, str]] = {
    "position": "position t",
    "offset": "offset k",
    "pair": "pair i",
    **{name: rule.title for kind in KINDS for name, rule in kind_rules(kind).items()},
    **{name: rule.title for name, rule in _RULES.items()},
}
# What is visible of a table.
_VISIBLE: Final = {name: rule.of for name, rule in _RULES.items() if isinstance(rule, RangeRule) and rule.of}
_VECTORS: Final = tuple(name for name, rule in _RULES.items() if isinstance(rule, VectorRule))
# Of two that share a place one alone is on.
_INSTEAD: Final = {
    "clock.shows_bits": "clock.shows_digits",
    "clock.shows_digits": "clock.shows_bits",
    "facts.is_open": "lessons.is_open",
    "lessons.is_open": "facts.is_open",
}
# The names whose values are ranges, first..last, or lists of numbers.
RANGES: Final = tuple(name for name, rule in _RULES.items() if isinstance(rule, RangeRule))
LISTS: Final = ("wavelengths", *(name for name, rule in _RULES.items() if isinstance(rule, rules.ListRule)))
# Every name of a state; encodings refuse those that their kind lacks.
STATE_NAMES: Final = ("preset", *presets.ENCODING_PARAMETERS, *presets.CURSOR_PARAMETERS, *_RULES)
# In the order in which they are set after the encoding: a sentence before the order of its words, what is open before
# the t and k that it shows, and those set aside, which opening it changes.
LATER_NAMES: Final = (*sorted(_RULES, key=lambda name: name.startswith("aside.")), *presets.CURSOR_PARAMETERS)


def is_number(name: str) -> bool:
    """Whether a name of a state takes a number, in the kinds of encodings that have it."""
    found = [_RULES[name]] if name in _RULES else [kind_rules(kind).get(name) for kind in KINDS]
    return name in presets.CURSOR_PARAMETERS or any(isinstance(rule, rules.NumberRule) for rule in found)


def checked_state(state: object) -> State:
    """The state; TypeError with a sentence for what is none."""
    if not isinstance(state, State):
        raise TypeError(f"A State is wanted, as State(d_model=8): {shown(state)} is none")
    return state


def state_of(assignments: Mapping[str, str]) -> State:
    """The state that these names and texts describe, defaults for the rest; ValueError with a sentence otherwise.

    A preset comes first, the others change it. A default position or pair that a smaller encoding lacks moves to its
    edge; one that was given is refused. Visible ranges are moved into the table.
    """
    for name, text in assignments.items():
        _check_name(name, text)
    if "convention" in assignments and assignments.get("kind", "sinusoidal").strip().lower() != "sinusoidal":
        raise ValueError(f"convention is one of the sinusoidal encoding: kind can't be {shown(assignments['kind'])}")
    state = State()
    if "preset" in assignments:
        state = with_preset(state, assignments["preset"])
    encoding = state.encoding
    for name in presets.ENCODING_PARAMETERS:
        if name in assignments:
            encoding = presets.with_parameter(encoding, name, assignments[name])
    if {"d_model", "wavelengths"} <= {*assignments}:
        # Another width than that of the wavelengths is refused.
        encoding = presets.with_parameter(encoding, "d_model", assignments["d_model"])
    presets.check_two_pairs(encoding, assignments)
    state = with_encoding(state, encoding)
    # In an order of their own, whatever that on the command line.
    for name in LATER_NAMES:
        if name in assignments:
            state = with_name(state, name, assignments[name])
    return state


def assignments_of(state: State) -> dict[str, Plain]:
    """Every name of a state with its value as text, number, truth value or list: state_of gives the same state back."""
    preset = state.preset
    named: dict[str, Plain] = {} if preset is None else {"preset": preset.id}
    own = kind_rules(state.encoding.kind)
    named |= {name: own[name].plain(one) if name in own else one for name, one in state.encoding.parameters.items()}
    named |= {name: value_of(state, name) for name in presets.CURSOR_PARAMETERS}
    # In the order of the files that there are.
    return named | {name: _RULES[name].plain(value_of(state, name)) for name in ("pinned_pairs", *_RULES)}


def text_of(name: str, value: object) -> str:
    """A plain value as a person types it: true, 8.5, 0.0..31.5 for a range, 0 4 8 for another list."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return (".." if name in RANGES else " ").join(map(repr, value))
    return value if isinstance(value, str) else repr(value)


def stepped(values: Sequence[Any], now: Any, by: int) -> Any:
    """The value some places after, or before, the one that is chosen now; at the ends the last one there."""
    return values[min(max(values.index(now) + by, 0), len(values) - 1)]


def step_title(names: Sequence[str]) -> str:
    """Names that a step of undo changes, in a few words: "position t and pair i"; empty where there is no step."""
    titles = list(dict.fromkeys(_TITLES.get(name) or name for name in names))
    return " and ".join(titles) if len(titles) <= 2 else f"{titles[0]} and more"


def value_of(state: State, name: str) -> Any:
    """The value of one name of a state; None for a parameter that its kind lacks."""
    _check_name(name)
    if name in presets.ENCODING_PARAMETERS:
        return state.encoding.parameters.get(name)
    if name == "preset":
        preset = state.preset
        return None if preset is None else preset.id
    return reduce(getattr, _FIELDS[name], state)


def with_name(state: State, name: str, value: object) -> State:
    """The state with one name changed, to a value or to what was typed for it; ValueError with a sentence otherwise."""
    _check_name(name, value)
    if name == "preset":
        return with_preset(state, str(value))
    if name in presets.ENCODING_PARAMETERS:
        return with_encoding(state, presets.with_parameter(state.encoding, name, text_of(name, value)))
    if name in presets.CURSOR_PARAMETERS:
        return state.with_cursor(
            presets.cursor_with_parameter(state.cursor, state.cursor_rules, name, text_of(name, value))
        )
    rule = _RULES[name]
    taken = rule.read(value) if isinstance(value, str) else rule.checked(value)
    # What stands in front may have to be opened.
    return state if name != "front" and value_of(state, name) == taken else _with_ruled(state, name, taken)


def _with_ruled(state: State, name: str, taken: Any) -> State:
    counted = {"order": len(state.attention.words), **dict.fromkeys(_VECTORS, state.encoding.d_model)}
    if name in counted and len(taken) not in (0, counted[name]):
        of_each = "word of the sentence" if name == "order" else "dimension"
        raise ValueError(f"{name} must have {counted[name]} numbers, one for each {of_each}: {len(taken)} were given")
    if name == "front":
        return fitted(state.with_views(_with_opened(state.views, taken)))
    if name == "sentence" and taken != state.attention.sentence:
        # Another sentence stands as it was written.
        state = replace(state, attention=replace(state.attention, order=()))
    part, *_ = path = _FIELDS[name]
    if path[-1] == "is_open" and taken and path[1] in WORKSPACES:
        return state.with_views(state.views.with_workspace(path[1]))
    changed: State = _with_value(state, path, taken)
    if name in _INSTEAD and taken:
        changed = _with_value(changed, _FIELDS[_INSTEAD[name]], False)
    if name in ("rotary.query", "rotary.key") and taken:
        changed = _with_value(changed, _FIELDS["rotary.vectors"], "typed")
    if part == "cursor":
        return state.with_cursor(changed.cursor)
    if part == "views":
        changed = state.with_views(changed.views)
    return changed if part in ("precision", "aside") else fitted(changed)


def _with_opened(views: Views, front: tuple[str, ...]) -> Views:
    """The views with panels in front, which are open."""
    views = replace(views, front=front)
    opened = [name for name, keys in WORKSPACES.items() if {*keys} & {*front}]
    views = views.with_workspace(opened[-1]) if opened else views
    others = [name for name in ("compare", "facts", "lessons") if name in front]
    opens = {name: replace(getattr(views, name), is_open=True) for name in others}
    return replace(views, **opens)


def _with_value(record: Any, path: Sequence[str], value: Any) -> Any:
    """The record with another value at the end of a path of fields."""
    first, *others = path
    return replace(record, **{first: _with_value(getattr(record, first), others, value) if others else value})


def with_encoding(state: State, encoding: Encoding) -> State:
    """The state with another encoding: cursor and visible ranges are fitted to it.

    Maps of positions x positions show all of them again where their number changes, and so does the matrix its
    dimensions. Pins that were chosen stay, to return when it grows; others are spread over its pairs.
    """
    before = state.encoding
    cursor = state.cursor
    if cursor.pinned_pairs == spread_pins(before):
        cursor = replace(cursor, pinned_pairs=spread_pins(encoding))
    changed = replace(state, encoding=encoding, cursor=cursor)
    is_as_wide = before.d_model == encoding.d_model
    is_as_long = before.n_positions == encoding.n_positions
    for name, of in _VISIBLE.items():
        is_kept = is_as_wide if of == "dimensions" else is_as_long
        if name != "span" and not is_kept and value_of(changed, name) is not None:
            changed = _with_value(changed, _FIELDS[name], None)
    return fitted(changed)


def with_preset(state: State, typed: str) -> State:
    """The state with one of PRESETS chosen by its id: sizes stay as a person wants them, unless it has its own.

    What a preset assigns beside the encoding is taken, and one that assigns nothing else leaves the encoding alone; a
    figure of a text shows all positions in the plots, without a trained length, which are otherwise as at the first
    start, with hands that are read, and Compare makes way for them, unless the figure speaks of its list. What is told
    of a scheme holds for the seeded head. ValueError with a sentence for a word that is no id.
    """
    preset = presets.PRESETS[checked_word("preset", typed.strip().lower(), presets.PRESETS)]
    if preset.has_encoding:
        taken = presets.sizes_with(state.sizes or presets.Sizes(state.encoding), state.encoding, preset.id)
        state = _at_values(replace(with_encoding(state, taken.encoding), sizes=taken))
    if preset.is_figure:
        plots: dict[str, Any] = {"waves": WavesView(), "matrix": MatrixView(), "similarity": SimilarityView()}
        if "compare.list" not in preset.assignments:
            plots["compare"] = replace(state.views.compare, is_open=False)
        state = replace(state, span=None, trained_length=0).with_views(replace(state.views.with_workspace(""), **plots))
    if "scheme" in preset.assignments:
        state = with_name(state, "attention.back", 0)
    for name in LATER_NAMES:
        text = preset.assignments.get(name)
        if text is not None and name in ("position", "offset"):
            # The last one of an encoding that has fewer: a preset of a sentence leaves the encoding as it is.
            moved: dict[str, Any] = {name: float(text)}
            state = state.with_cursor(replace(state.cursor, **moved))
        elif text is not None:
            state = with_name(state, name, text)
    return state


def _check_name(name: str, value: object = "") -> None:
    """ValueError with a sentence for what is no name of a state, and for a kind called as a preset of tables is."""
    if name not in STATE_NAMES:
        usual = ", ".join(("preset", *presets.ENCODING_PARAMETERS, *presets.CURSOR_PARAMETERS))
        near = names_for(name, STATE_NAMES, f"choose from {usual}, or further ones, as scheme, dtype, clock.mode")
        raise ValueError(f"{shown(name)} is not a parameter: {near}")
    typed = str(value).strip().lower()
    preset = presets.PRESETS.get(typed) if name == "kind" and typed not in KINDS else None
    if preset is not None and preset.has_encoding and not preset.is_figure:
        raise ValueError(f"kind can't be {typed}, which is a preset of the kind {preset.kind}: set preset to {typed}")


def _at_values(state: State) -> State:
    """Leave a pair whose columns are zero throughout, and return where it has values, unless another was chosen."""
    pair = state.cursor.pair
    left = state.left_pair
    encoding = state.encoding
    if not has_values(encoding, pair):
        return replace(state, cursor=replace(state.cursor, pair=0), left_pair=pair)
    if left is not None and (pair or (left < n_hands(encoding) and has_values(encoding, left))):
        return replace(state, cursor=replace(state.cursor, pair=pair or left), left_pair=None)
    return state


def fitted(state: State) -> State:
    """The nearest state whose position, pair and visible ranges its encoding has; a range of everything is None."""
    if len(state.attention.order) not in (0, len(state.attention.words)):
        state = replace(state, attention=replace(state.attention, order=()))
    for name in _VECTORS:
        if len(value_of(state, name)) not in (0, state.encoding.d_model):
            state = _with_value(state, _FIELDS[name], ())
    for name, of in _VISIBLE.items():
        span = value_of(state, name)
        if span is not None:
            state = _with_value(state, _FIELDS[name], _within(span, of, state.encoding))
    return state.with_cursor(state.cursor)


def _within(span: Span, of: str, encoding: Encoding) -> Span | None:
    """The nearest visible range of positions, offsets or dimensions that a table has; all offsets stay a range."""
    if of == "offsets":
        reach = float(max(encoding.n_positions - 1, 1))
        return span.within(Span(-reach, reach), _NARROWEST_OFFSETS)
    whole = full_span(encoding.n_positions) if of == "positions" else Span(0.0, float(encoding.d_model))
    moved = span.within(whole)
    return None if moved == whole else moved
