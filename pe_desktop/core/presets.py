"""Encodings by name: parameters that are typed, conventions of libraries, and presets, chosen with one press."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache, partial
from typing import Any, Final, cast

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds import KINDS, kind_rules, nearest_parameters, switched
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.number_text import in_formula
from pe_desktop.core.phase import GIVEN
from pe_desktop.core.record import record
from pe_desktop.core.rules import NumberRule, checked_word, names_for, shown
from pe_desktop.resources import LazyMapping, resource_json

# Groups of presets in the order of the menus, and the ids of the overview.
_data: Final = cache(partial(resource_json, "presets.json"))


# In the order in which they are applied: a convention needs the width, and other parameters change the convention.
_OWN: Final = dict.fromkeys(name for kind in KINDS for name in kind_rules(kind))
ENCODING_PARAMETERS: Final = (*dict.fromkeys(("kind", "n_positions", "d_model", "convention", *_OWN)),)
CURSOR_PARAMETERS: Final = ("position", "offset", "pair")


def with_parameter(encoding: Encoding, name: str, text: str) -> Encoding:
    """The encoding with one parameter changed to what was typed; ValueError with a sentence otherwise.

    The word of a kind makes it an encoding of that kind, with what both have; that of a convention a sinusoidal one.
    More positions take more bits.
    """
    _check_name(name, ENCODING_PARAMETERS)
    if name == "kind":
        return switched(encoding, checked_word(name, text.strip().lower(), tuple(KINDS)))
    if name == "convention":
        return with_convention(encoding, checked_word(name, text.strip().lower(), tuple(CONVENTIONS)))
    rules = kind_rules(encoding.kind)
    if name not in rules:
        raise ValueError(f"{name} can't be set: {encoding.title} has {', '.join(rules)}")
    value: Any = rules[name].read(text)
    values = {**encoding.parameters, name: value}
    del values["kind"]
    if name == "spacing" and value != "geometric":
        values.pop("shift", None)
    if "wavelengths" in rules and name in ("spacing", "wavelengths"):
        values |= _given_wavelengths(encoding, values, is_typed=name == "wavelengths")
    if name == "n_positions":
        values["d_model"] = max(encoding.d_model, encoding.least_width(value) or 1)
    if name == "d_model" and isinstance(encoding, SinusoidalEncoding):
        # Rows of length 1 stay so.
        for convention in (one for one in CONVENTIONS.values() if one.has_unit_rows):
            if encoding.parameters.items() >= convention.parameters(encoding.d_model).items():
                values |= convention.parameters(value)
    changed: Encoding = KINDS[encoding.kind](**values)
    return changed


def _given_wavelengths(encoding: Encoding, values: Mapping[str, Any], *, is_typed: bool) -> dict[str, Any]:
    """What follows from typed wavelengths, or from another spacing: d_model is twice as many as there are.

    Given spacing begins with the wavelengths that there are, and without any that are typed it ends.
    """
    given = values["wavelengths"]
    is_given = values["spacing"] == GIVEN
    if is_typed and given:
        return {"spacing": GIVEN, "d_model": 2 * len(given), "shift": 0.0}
    if is_typed:
        return {"spacing": "geometric"} if is_given else {}
    if given or not is_given or encoding.pairs is None:
        return {} if is_given else {"wavelengths": ()}
    return {"wavelengths": tuple(encoding.pairs.wavelengths.tolist()), "scale": 1.0}


def cursor_with_parameter(cursor: Cursor, rules: Mapping[str, NumberRule], name: str, text: str) -> Cursor:
    """The cursor with one parameter changed to what was typed; ValueError with a sentence for what its rule refuses."""
    _check_name(name, CURSOR_PARAMETERS)
    kind = int if name == "pair" else float
    values: dict[str, Any] = {name: kind(rules[name].read(text))}
    return replace(cursor, **values)


def _check_name(name: str, names: tuple[str, ...]) -> None:
    if name not in names:
        raise ValueError(f"{shown(name)} is not a parameter: {names_for(name, names)}")


# Parameters that a preset leaves as they are, where its kind has them.
_KEPT: Final = ("n_positions", "d_model", "base")
_PAPERS_BASE: Final = 10_000.0
# The groups of which a preset is an encoding, and nothing else.
_ENCODINGS: Final = ("sinusoidal", "conventions", "ablations", "naive")


@record
class Group:
    """Presets under one heading; has_figures: figures and numbers of texts, which have sizes of their own."""

    id: str
    title: str
    has_figures: bool = False


@record
class _Convention:
    """What one library's sinusoidal encoding is.

    assignments are the parameters that it fixes, by name and text; n_positions, d_model and base stay free.
    has_unit_rows: whether its vectors have length 1. least_width: the least d_model at which it has a table: 4 where
    it divides by h - 1. formulas are its own lines, with h = d/2; B is the base.
    """

    assignments: Mapping[str, str]
    formulas: Sequence[str]
    has_unit_rows: bool = False
    least_width: int = 2

    def parameters(self, d_model: int) -> dict[str, Any]:
        """The values that it fixes at a width."""
        fixed = _read("sinusoidal", self.assignments)
        return fixed | {"amplitude": math.sqrt(2 / d_model)} if self.has_unit_rows else fixed


@record
class Preset:
    """One entry: the assignments of the command line that it stands for, and a sentence about it.

    What _KEPT names stays, unless it is assigned; all other parameters of the encoding get their defaults. Names that
    are no parameters of the encoding are those of the cursor and of the views: the model takes them.
    has_half_width: half of d_model columns; has_sizes_for_others: what it assigns of _KEPT holds for later presets.
    """

    id: str
    group: Group
    title: str
    sentence: str
    assignments: Mapping[str, str]
    has_half_width: bool = False
    has_sizes_for_others: bool = False
    convention: _Convention | None = None

    @cached_property
    def kind(self) -> str:
        return self.assignments.get("kind", "sinusoidal")

    @property
    def has_encoding(self) -> bool:
        """Whether it chooses an encoding; else it shows the current one."""
        return any(name in self.assignments for name in ENCODING_PARAMETERS)

    @property
    def is_in_gallery(self) -> bool:
        """Whether it stands there, and not in the list of encodings: it shows more than one."""
        return self.group.id not in _ENCODINGS

    @property
    def is_figure(self) -> bool:
        """Whether it is a figure or a number of a text, which has sizes of its own and shows all positions."""
        return self.group.has_figures


def _read_presets() -> dict[str, Preset]:
    presets = {}
    for read in _data()["groups"]:
        group = Group(**{name: value for name, value in read.items() if name != "presets"})
        for row in read["presets"]:
            convention = _Convention(**row["convention"]) if "convention" in row else None
            presets[row["id"]] = Preset(**{**row, "group": group, "convention": convention})
    return presets


PRESETS: Final[Mapping[str, Preset]] = LazyMapping(_read_presets)
# What libraries compute.
CONVENTIONS: Final[Mapping[str, _Convention]] = LazyMapping(
    lambda: {preset.id: preset.convention for preset in PRESETS.values() if preset.convention is not None}
)


def with_convention(encoding: Encoding, convention_id: str) -> SinusoidalEncoding:
    """The sinusoidal encoding of one of CONVENTIONS, with the n_positions, d_model and base of another encoding."""
    kept: Any = switched(encoding, "sinusoidal").parameters
    sizes = {name: kept[name] for name in _KEPT}
    return SinusoidalEncoding(**sizes, **CONVENTIONS[convention_id].parameters(kept["d_model"]))


def check_two_pairs(encoding: Encoding, assignments: Mapping[str, str]) -> None:
    """ValueError where the convention that is assigned, or its preset, divides by zero at the encoding's d_model."""
    for named in (assignments.get("preset"), assignments.get("convention")):
        convention = CONVENTIONS.get((named or "").strip().lower())
        if convention is not None and encoding.d_model < convention.least_width:
            raise ValueError(f"{named} has no table at d_model 2: it divides by d_model / 2 - 1")


def _read(kind: str, assignments: Mapping[str, str]) -> dict[str, Any]:
    """The values of what is assigned to parameters of a kind."""
    rules = kind_rules(kind)
    return {name: rules[name].read(text) for name, text in assignments.items() if name in rules}


@record
class Sizes:
    """The n_positions, d_model and base that a person chose, which the current kind may lack or change.

    preset_id is the last preset and encoding what it gave; before the first, the encoding at the start.
    """

    encoding: Encoding
    kept: tuple[tuple[str, int | float], ...] = ()
    preset_id: str | None = None

    def shown_preset(self, encoding: Encoding) -> Preset | None:
        """The preset while it still gives the encoding, otherwise the first one that does, None where none does."""
        same = presets_of(encoding)
        if self.preset_id is not None and (PRESETS[self.preset_id] in same or self.encoding == encoding):
            return PRESETS[self.preset_id]
        return same[0] if same else None


def sizes_with(before: Sizes, encoding: Encoding, preset_id: str) -> Sizes:
    """One of PRESETS, taken where encoding stands now: what was changed since the preset before counts.

    So an odd width goes back to the even one that it came from, a base returns after a counter, which has none, and
    after a figure of a text, which has its own, the sizes before it. Bits are as many as n_positions needs.
    """
    made = _kept(before.encoding)
    changed = {name: value for name, value in _kept(encoding).items() if made.get(name) != value}
    preset = PRESETS[preset_id]
    kept = {**made, **dict(before.kept), **changed}
    has_width = KINDS[preset.kind].least_width(encoding.n_positions) is None
    values = _parameters(preset, {name: value for name, value in kept.items() if has_width or name != "d_model"})
    taken: Encoding = KINDS[values.pop("kind")](**values)
    if preset.has_sizes_for_others:
        kept |= _kept(taken)
    return Sizes(taken, tuple(kept.items()), preset_id)


@lru_cache(maxsize=16)
def presets_of(encoding: Encoding) -> tuple[Preset, ...]:
    """The presets that give just this encoding, in the order of PRESETS; figures are left out.

    Sizes that a preset doesn't assign are those of the encoding; those of half the width give it in no size.
    """
    given = {**encoding.parameters}
    if given.get("shift") == 1:
        # Another name of the same table.
        given |= {"spacing": "inclusive", "shift": 0.0}
    kept = _kept(encoding)
    return tuple(preset for preset in _plain_presets(encoding.kind) if _parameters(preset, kept) == given)


@cache
def _plain_presets(kind: str) -> tuple[Preset, ...]:
    """The presets of a kind that are compared: neither figures nor of half the width."""
    own = (one for one in PRESETS.values() if one.kind == kind and one.has_encoding)
    return tuple(one for one in own if not (one.has_half_width or one.is_figure))


def formulas_of(encoding: Encoding, preset: Preset | None) -> tuple[str, ...]:
    """The definition with its numbers; of a convention in its own form, with the numbers put in for d, h = d/2 and B.

    With one pair the quotient of tensor2tensor is 0/0, and the plain form stands.
    """
    if preset is None or preset.convention is None or preset not in presets_of(encoding) or encoding.d_model == 2:
        return encoding.formulas
    base = float(encoding.parameters["base"])
    d_model = encoding.d_model
    values = {"B": in_formula(base), "h": in_formula(d_model // 2), "d": in_formula(d_model)}
    return tuple(re.sub(r"\b[Bhd]\b", lambda found: values[found[0]], line) for line in preset.convention.formulas)


def title_of(encoding: Encoding, preset: Preset | None) -> str:
    """What an encoding is called, with its base where a preset leaves that free and it isn't the paper's."""
    if preset is None:
        return encoding.title
    base = cast("float", encoding.parameters.get("base", _PAPERS_BASE))
    is_usual = base == _PAPERS_BASE or "base" in preset.assignments
    return preset.title if is_usual else f"{preset.title}, base {in_formula(base)}"


def _kept(encoding: Encoding) -> dict[str, int | float]:
    """The values of _KEPT; without d_model where it is the least width for n_positions, which no person chose."""
    kept = {name: cast("float", value) for name, value in encoding.parameters.items() if name in _KEPT}
    if encoding.d_model == encoding.least_width(encoding.n_positions):
        del kept["d_model"]
    return kept


@cache
def _usual(kind: str) -> Mapping[str, Any]:
    parameters: Mapping[str, Any] = KINDS[kind]().parameters
    return parameters


def _parameters(preset: Preset, kept: Mapping[str, int | float]) -> dict[str, Any]:
    """Those of the preset with what is kept, each moved to the nearest value that the kind takes."""
    values = {**_usual(preset.kind), **nearest_parameters(preset.kind, kept)}
    assigned = _read(preset.kind, preset.assignments)
    if preset.has_half_width:
        values["d_model"] = max(values["d_model"] // 2, 1)
    if "convention" in preset.assignments:
        convention = CONVENTIONS[preset.assignments["convention"]]
        values["d_model"] = max(values["d_model"], convention.least_width)
        values |= convention.parameters((values | assigned)["d_model"])
    return values | assigned


OVERVIEW: Final = "overview"
# The encoding that all others are compared with stands first in every list.
_REFERENCE: Final = "paper"


def _ids(group: str) -> tuple[str, ...]:
    return tuple(preset.id for preset in PRESETS.values() if preset.group.id == group)


COMPARISONS: Final[Mapping[str, tuple[str, ...]]] = LazyMapping(
    lambda: {
        OVERVIEW: tuple(_data()["overview"]),
        **{group: (_REFERENCE, *_ids(group)) for group in ("conventions", "ablations", "naive")},
        # These have sizes of their own, which the others don't share.
        "lengths": _ids("lengths"),
    }
)


@record
class Compared:
    """One row of a comparison; preset None: an encoding that no preset gives.

    formulas are the lines of its definition that differ from the reference, of the reference all that matter.
    """

    encoding: Encoding
    preset: Preset | None
    formulas: tuple[str, ...]

    @property
    def title(self) -> str:
        return title_of(self.encoding, self.preset)


def comparison(before: Sizes, encoding: Encoding, preset: Preset | None, name: str) -> tuple[Compared, ...]:
    """The rows of one of COMPARISONS, taken where encoding stands now, which preset, if any, has given.

    The encoding itself comes first where it isn't among them. KeyError for a name that isn't one.
    """
    encodings = {preset_id: sizes_with(before, encoding, preset_id).encoding for preset_id in COMPARISONS[name]}
    reference = formulas_of(sizes_with(before, encoding, _REFERENCE).encoding, PRESETS[_REFERENCE])
    own = [] if encoding in encodings.values() else [(encoding, preset)]
    rows = [*own, *((other, PRESETS[preset_id]) for preset_id, other in encodings.items())]
    return tuple(Compared(other, given, _telling(formulas_of(other, given), reference)) for other, given in rows)


def common_sizes(rows: Sequence[Compared]) -> tuple[int, int]:
    """n_positions and d_model of the reference row, which the others share but for half, odd and least widths."""
    reference = next((row.encoding for row in reversed(rows) if row.preset is PRESETS[_REFERENCE]), rows[-1].encoding)
    return reference.shape


def _telling(lines: Sequence[str], reference: Sequence[str]) -> tuple[str, ...]:
    """The first and the last of the lines that the reference lacks."""
    own = [line for line in lines if line not in reference] or lines
    return (own[0],) if len(own) == 1 else (own[0], own[-1])
