"""The command that measures an encoding, and schemes of scores: lines for people, or JSON for programs."""

import argparse
import json
import math
import sys
import textwrap
from typing import Any, Final, NamedTuple

from pe_desktop.app import precision_lines
from pe_desktop.app.arguments import add_settings, declared_state
from pe_desktop.app.console import ProgressLine, say, wrapped
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import Evidence, Measurement
from pe_desktop.core.measure.measurements import measure
from pe_desktop.core.measure.properties import PROPERTIES
from pe_desktop.core.measure.schemes import SCHEME_PROPERTIES, SchemeMeasurement, measure_scheme
from pe_desktop.core.number_text import THIN_SPACE
from pe_desktop.core.precision.formats import Precision
from pe_desktop.core.precision.measured import Roundings, roundings
from pe_desktop.core.rules import rules_of
from pe_desktop.core.scores.attention import Attention
from pe_desktop.core.scores.schemes import SCHEMES, own_choices
from pe_desktop.core.state import State, with_name
from pe_desktop.draw.number_text import short, whole
from pe_desktop.views.precision.words import log_space
from pe_desktop.views.properties import words
from pe_desktop.views.properties.words import PROPERTY_NAMES, number_text

# Changes when a name or the meaning of a number changes, not when one is added.
_JSON_VERSION: Final = 1

_WIDTH: Final = 100
_NAME_WIDTH: Final = max(map(len, PROPERTY_NAMES.values())) + 2
_VERDICT_WIDTH: Final = len("Holds up to 10 000 000") + 2


class _Scheme(NamedTuple):
    """A scheme with its parameters, and what was found of it or the reason why nothing was."""

    attention: Attention
    found: tuple[SchemeMeasurement, ...]
    refusal: str = ""


def add_measure(parser: argparse.ArgumentParser) -> None:
    """Let a parser take what this command needs."""
    parser.add_argument("--json", action="store_true", help="JSON instead of a table, numbers with all their digits")
    schemes = "also the scores of each scheme; with --set scheme=NAME and the like, those of the chosen one are told"
    parser.add_argument("--schemes", action="store_true", help=schemes)
    formats = "also the table in smaller number formats; so does --set with dtype, form or position_ids"
    parser.add_argument("--precision", action="store_true", help=formats)
    add_settings(parser, "measure_settings")


def measure_command(options: argparse.Namespace) -> int:
    """Measure the encoding that was described, and the schemes that were asked for, and say what was found."""
    state = declared_state(options.measure_settings)
    encoding, line = state.encoding, ProgressLine(sys.stderr)

    def report(found: tuple[Measurement, ...], share: float) -> None:
        line.show_share(share, f"{len(found)} of {len(PROPERTY_NAMES)} properties")

    try:
        found = measure(encoding, report=report)
        schemes, rounded = _schemes(state, options), _roundings(state, options)
    finally:
        line.clear()
    assert found is not None  # nobody cancels
    if options.json:
        lines = _json(encoding, found, schemes, rounded)
    else:
        lines = [*_table(encoding, found), *_scheme_table(schemes), *_precision_table(state, rounded)]
    for text in lines:
        say(text)
    return 0


def _schemes(state: State, options: argparse.Namespace) -> list[_Scheme]:
    """The schemes that were asked for, with what was found of each, or why nothing was."""
    given = _given(options)
    if options.schemes:
        asked = [with_name(state, "scheme", scheme) for scheme in SCHEMES]
    else:
        is_asked = state.attention != Attention() or not given.isdisjoint(rules_of(Attention))
        asked = [state] if is_asked else []
    found = []
    for some in asked:
        try:
            found.append(_Scheme(some.attention, measure_scheme(some)))
        except ValueError as error:
            found.append(_Scheme(some.attention, (), str(error)))
    return found


def _roundings(state: State, options: argparse.Namespace) -> Roundings | None:
    """What number formats do to the table, where they were asked for."""
    is_asked = options.precision or not _given(options).isdisjoint(rules_of(Precision))
    return roundings(state.encoding, state.precision) if is_asked else None


def _given(options: argparse.Namespace) -> set[str]:
    """The names that were set."""
    return {setting.partition("=")[0].strip() for setting in options.measure_settings}


def _precision_table(state: State, found: Roundings | None) -> list[str]:
    if found is None:
        return []
    return [
        *precision_lines.table(state.encoding, state.precision, found),
        *_wrapped(log_space(state.encoding, found)),
    ]


def _table(encoding: Encoding, found: tuple[Measurement, ...]) -> list[str]:
    parameters = ", ".join(f"{name} {value}" for name, value in encoding.parameters.items() if name != "kind")
    lines = [*textwrap.wrap(f"{encoding.title}: {parameters}", _WIDTH), ""]
    for one in found:
        number = "" if one.number is None else f"{number_text(one.number, 5)} {words.meaning(one)}"
        line = f"{words.name(one):{_NAME_WIDTH}}{words.verdict_text(one):{_VERDICT_WIDTH}}{number}"
        lines.append(_plain(line).rstrip())
        lines += _wrapped(_plain(f"{words.sentence(one)} {words.measured_on(one)}".rstrip()))
    return lines


def _scheme_table(schemes: list[_Scheme]) -> list[str]:
    lines = []
    for scheme in schemes:
        lines += ["", *textwrap.wrap(_scheme_title(scheme.attention), _WIDTH), ""]
        lines += _wrapped(f"Not measured. {scheme.refusal}") if scheme.refusal else []
        for one in scheme.found:
            number = "" if one.number is None else f"{short(one.number, 5)} {SCHEME_PROPERTIES[one.key].meaning}"
            verdict = _scheme_verdict_text(one)
            lines.append(f"{SCHEME_PROPERTIES[one.key].name:{_NAME_WIDTH}}{verdict:{_VERDICT_WIDTH}}{number}".rstrip())
            lines += _wrapped(_scheme_sentence(one))
    return lines


def _scheme_title(attention: Attention) -> str:
    """The scheme with its parameters."""
    values = [f"{name} {getattr(attention, name)}".lower() for name in own_choices(attention.scheme)]
    switched = ["positions switched off"] if attention.drops_positions else []
    given = ", ".join([*values, f"word_seed {attention.word_seed}", *switched])
    return f"Scores, {SCHEMES[attention.scheme].title}: {given}"


def _scheme_verdict(one: SchemeMeasurement) -> str | None:
    """Holds, Fails or Holds up to; None where nothing was measured."""
    return None if one.number is None else words.VERDICTS[one.verdict]


def _scheme_verdict_text(one: SchemeMeasurement) -> str:
    """The verdict as people read it: Holds, Fails or Holds up to 63."""
    text = _scheme_verdict(one) or "Not measured"
    return text if one.up_to is None else f"{text} {whole(one.up_to)}"


def _scheme_sentence(one: SchemeMeasurement) -> str:
    if one.number is None:
        return "Moving words needs a sentence of two words or more."
    numbers = {
        name: whole(value) if float(value).is_integer() and abs(value) >= 1 else short(value)
        for name, value in one.numbers.items()
        if value is not None
    }
    return SCHEME_PROPERTIES[one.key].sentence.format_map(numbers)


def _wrapped(text: str) -> list[str]:
    return wrapped(text, _WIDTH, "  ", "  ")


def _plain(text: str) -> str:
    """Numbers with plain blanks, as a person would type them and search for them."""
    return text.replace(THIN_SPACE, " ")


def _series(evidence: Evidence) -> dict[str, Any]:
    """What the number was made of, at most 256 points of it: of the linear shift, the residual of every hand."""
    lines = [[value if math.isfinite(value) else None for value in line] for line in evidence.y.tolist()]
    return {"x_name": evidence.x_name, "x": evidence.x.tolist(), "y": lines}


def _json(
    encoding: Encoding, found: tuple[Measurement, ...], schemes: list[_Scheme], rounded: Roundings | None
) -> list[str]:
    content = {
        "version": _JSON_VERSION,
        "encoding": dict(encoding.parameters),
        "measurements": [
            {
                "key": one.key,
                "name": words.name(one),
                "verdict": words.VERDICTS[one.verdict],
                "holds_up_to": one.up_to,
                "number": one.number,
                "meaning": _plain(words.meaning(one)),
                "sentence": _plain(words.sentence(one)),
                "wish": PROPERTIES[one.key].wish or None,
                "measured_on": _plain(words.basis(one)),
                "numbers": dict(one.numbers),
                "series": _series(one.evidence),
            }
            for one in found
        ],
        "schemes": [_scheme_json(scheme) for scheme in schemes],
        "precision": [] if rounded is None else precision_lines.values(rounded),
    }
    # Escapes instead of letters beyond ASCII: the same bytes whatever the terminal's encoding.
    return json.dumps(content, indent=2, allow_nan=False).splitlines()


def _scheme_json(scheme: _Scheme) -> dict[str, Any]:
    attention = scheme.attention
    parameters = {name: getattr(attention, name) for name in rules_of(Attention)}
    return {
        "scheme": attention.scheme,
        "parameters": parameters,
        "refusal": scheme.refusal or None,
        "measurements": [
            {
                "key": one.key,
                "name": SCHEME_PROPERTIES[one.key].name,
                "verdict": _scheme_verdict(one),
                "holds_up_to": one.up_to,
                "number": one.number,
                "meaning": SCHEME_PROPERTIES[one.key].meaning,
                "sentence": _scheme_sentence(one),
                "numbers": dict(one.numbers),
                "series": [list(point) for point in one.series],
            }
            for one in scheme.found
        ],
    }
