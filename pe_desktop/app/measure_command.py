"""The command that measures an encoding, schemes of scores and number formats: lines for people, JSON for programs."""

import argparse
import json
import math
import sys
import textwrap
from contextlib import closing
from typing import Any, NamedTuple

from pe_desktop.app.assignments import declared_state, given_names
from pe_desktop.app.console import ProgressLine, say, wrapped
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measuring.collisions import base_bound
from pe_desktop.core.measuring.measurement import PROPERTIES, SCHEME_PROPERTIES, Analysis, Evidence, Measurement
from pe_desktop.core.measuring.measurements import analyse
from pe_desktop.core.measuring.periodic import never_turned
from pe_desktop.core.measuring.schemes import SchemeMeasurement, measure_scheme
from pe_desktop.core.number_text import THIN_SPACE
from pe_desktop.core.precision.formats import Precision
from pe_desktop.core.precision.measured import Rounding, Roundings, roundings
from pe_desktop.core.rotation import rotating_pairs
from pe_desktop.core.rules import rules_of
from pe_desktop.core.scores.attention import Attention
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State, with_name
from pe_desktop.draw.number_text import short, whole
from pe_desktop.views.precision import words as precision_words
from pe_desktop.views.properties import words
from pe_desktop.views.properties.words import PROPERTY_NAMES, base_bound_name, number_text

# Changes when a name or the meaning of a number changes, not when one is added.
_JSON_VERSION = 2

_WIDTH = 100
_NAME_WIDTH = max(map(len, PROPERTY_NAMES.values())) + 2
_VERDICT_WIDTH = len("Too few positions to tell") + 2

_TITLES = ("", "largest error", "distinct rows", "frequencies", "first to share")


class _Scheme(NamedTuple):
    """A scheme with its parameters, and what was found of it or the reason why nothing was."""

    attention: Attention
    found: tuple[SchemeMeasurement, ...]
    refusal: str = ""


def measure_command(options: argparse.Namespace) -> int:
    """Measure the encoding that was described, and the schemes that were asked for, and say what was found."""
    state = declared_state(options.given)
    encoding = state.encoding
    with closing(ProgressLine(sys.stderr)) as line:

        def report(analysis: Analysis) -> None:
            line.show_share(analysis.share, f"{len(analysis.measurements)} of {len(PROPERTY_NAMES)} properties")

        found = analyse(encoding, report=report).measurements
        schemes = _schemes(state, options)
        # What number formats do to the table, where they were asked for.
        has_formats = options.precision or not given_names(options).isdisjoint(rules_of(Precision))
        rounded = roundings(encoding, state.precision) if has_formats else None
    if options.json:
        lines = _json(state, found, schemes, rounded)
    else:
        lines = [*_table(encoding, found), *_trained_table(state)]
        lines += [*_scheme_table(schemes), *_precision_table(state, rounded)]
    say(*lines)
    return 0


def _schemes(state: State, options: argparse.Namespace) -> list[_Scheme]:
    """The schemes that were asked for, with what was found of each, or why nothing was."""
    given = given_names(options)
    if options.schemes:
        asked = [with_name(state, "scheme", scheme) for scheme in SCHEMES]
    else:
        is_asked = state.attention != Attention() or not given.isdisjoint(rules_of(Attention))
        asked = [state] if is_asked else []
    found = []
    for row in asked:
        try:
            found.append(_Scheme(row.attention, measure_scheme(row)))
        except ValueError as error:
            found.append(_Scheme(row.attention, (), str(error)))
    return found


def _table(encoding: Encoding, found: tuple[Measurement, ...]) -> list[str]:
    parameters = ", ".join(f"{name} {value}" for name, value in encoding.told.items() if name != "kind")
    lines = [*textwrap.wrap(f"{encoding.title}: {parameters}; the exact table, in float64", _WIDTH), ""]
    for one in found:
        number = "" if one.number is None else f"{number_text(one.number, 5)} {words.meaning(one)}"
        lines.append(_plain(_line(words.name(one), words.verdict_text(one), number)))
        lines += wrapped(_plain(f"{words.sentence(one)} {words.measured_on(one)}".rstrip()), _WIDTH)
    return lines


def _trained_table(state: State) -> list[str]:
    """What the hands and the base bound are to a trained length; nothing without one, or where no pair turns evenly."""
    found = _trained(state)
    if not found:
        return []
    hands = f"{whole(found['never_turned'])} of {whole(found['hands'])} hands never turned once"
    bound = "none" if found["base_bound"] is None else f"k = {whole(found['base_bound'])}"
    name = base_bound_name(state.encoding)
    return [_plain(f"Trained on {whole(found['length'])} positions: {hands}. {name}: {bound}.")]


def _trained(state: State) -> dict[str, Any]:
    """The same with all digits; base_bound: the first offset where the sum of cosines is negative, None for none."""
    pairs = rotating_pairs(state.encoding)
    length = state.trained_length
    if not length or pairs is None:
        return {}
    return {
        "length": length,
        "hands": pairs.count,
        "never_turned": int(never_turned(pairs, length).sum()),
        "base_bound": base_bound(state.encoding) or None,
    }


def _scheme_table(schemes: list[_Scheme]) -> list[str]:
    lines = []
    for scheme in schemes:
        lines += ["", *textwrap.wrap(_title(scheme.attention), _WIDTH), ""]
        lines += wrapped(f"Not measured. {scheme.refusal}", _WIDTH) if scheme.refusal else []
        for one in scheme.found:
            report = _report(one)
            number = "" if one.number is None else f"{short(one.number, 5)} {report['meaning']}"
            up_to = "" if one.up_to is None else f" {whole(one.up_to)}"
            verdict = f"{report['verdict'] or 'Not measured'}{up_to}"
            lines += [_line(report["name"], verdict, number), *wrapped(report["sentence"], _WIDTH)]
    return lines


def _precision_table(state: State, found: Roundings | None) -> list[str]:
    """A sentence, and a line for each choice of formats."""
    if found is None:
        return []
    rows = [_TITLES, *(precision_words.texts_of(row, state.encoding, 1) for row in found.rows)]
    widths = [max(map(len, column)) + 2 for column in zip(*rows, strict=True)]
    lines = ["".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    sentence = precision_words.sentence(state.encoding, state.precision, found)
    return ["", f"Precision: {sentence}", "", *lines, "", *wrapped(precision_words.log_space(state.encoding), _WIDTH)]


def _line(name: str, verdict: str, number: str) -> str:
    return f"{name:{_NAME_WIDTH}}{verdict:{_VERDICT_WIDTH}}{number}".rstrip()


def _plain(text: str) -> str:
    """Numbers with plain blanks, as a person would type them and search for them."""
    return text.replace(THIN_SPACE, " ")


def _title(attention: Attention) -> str:
    """The scheme with its parameters."""
    values = [f"{name} {getattr(attention, name)}".lower() for name in SCHEMES[attention.scheme].own_choices()]
    switched = ["positions switched off"] if attention.drops_positions else []
    given = ", ".join([*values, f"word_seed {attention.word_seed}", *switched])
    return f"Scores, {SCHEMES[attention.scheme].title}: {given}"


def _sentence(one: SchemeMeasurement) -> str:
    if one.number is None:
        return "Moving words needs a sentence of two words or more."
    numbers = {
        name: whole(value) if float(value).is_integer() and abs(value) >= 1 else short(value)
        for name, value in one.numbers.items()
        if value is not None
    }
    return SCHEME_PROPERTIES[one.key]["sentence"].format_map(numbers)


def _json(state: State, found: tuple[Measurement, ...], schemes: list[_Scheme], rounded: Roundings | None) -> list[str]:
    trained = _trained(state)
    content = {
        "version": _JSON_VERSION,
        "encoding": dict(state.encoding.parameters),
        "measured_in": "float64",
        **({"trained": trained} if trained else {}),
        "measurements": [
            {
                **_report(one),
                "wish": PROPERTIES[one.key].wish or None,
                "measured_on": _plain(words.basis(one)),
                "numbers": dict(one.numbers),
                "series": _series(one.evidence),
            }
            for one in found
        ],
        "schemes": [_scheme_json(scheme) for scheme in schemes],
        "precision": [] if rounded is None else [_format_json(row, rounded) for row in rounded.rows],
    }
    # Escapes instead of letters beyond ASCII: the same bytes whatever the terminal's encoding.
    return json.dumps(content, indent=2, allow_nan=False).splitlines()


def _report(one: Measurement | SchemeMeasurement) -> dict[str, Any]:
    """What was found, in words and numbers; a scheme has no verdict where nothing was measured."""
    verdict: str | None = words.VERDICTS[one.verdict]
    if isinstance(one, Measurement):
        name = words.name(one)
        meaning = _plain(words.meaning(one))
        sentence = _plain(words.sentence(one))
    else:
        row = SCHEME_PROPERTIES[one.key]
        name = row["name"]
        meaning = row["meaning"]
        sentence = _sentence(one)
        if one.number is None:
            verdict = None
    return {
        "key": one.key,
        "name": name,
        "verdict": verdict,
        "holds_up_to": one.up_to,
        "number": one.number,
        "meaning": meaning,
        "sentence": sentence,
    }


def _series(evidence: Evidence) -> dict[str, Any]:
    """What the number was made of, at most 256 points of it: of the linear shift, the residual of every hand."""
    lines = [[value if math.isfinite(value) else None for value in line] for line in evidence.y.tolist()]
    return {"x_name": evidence.x_name, "x": evidence.x.tolist(), "y_name": evidence.y_name, "y": lines}


def _scheme_json(scheme: _Scheme) -> dict[str, Any]:
    attention = scheme.attention
    return {
        "scheme": attention.scheme,
        "parameters": {name: getattr(attention, name) for name in rules_of(Attention)},
        "refusal": scheme.refusal or None,
        "measurements": [
            {**_report(one), "numbers": dict(one.numbers), "series": [list(point) for point in one.series]}
            for one in scheme.found
        ],
    }


def _format_json(row: Rounding, found: Roundings) -> dict[str, Any]:
    """A choice of formats with all digits; null where an error is infinite, from the first such position on."""
    errors = [error if math.isfinite(error) else None for error in row.errors.tolist()]
    return {
        **{name: getattr(row.precision, name) for name in rules_of(Precision)},
        "frequency_error": row.frequency_error,
        "largest_error": errors[-1],
        "rows_measured": row.n_measured,
        "overflows_from": row.overflow,
        "rows_that_differ": row.n_distinct,
        "rows_compared": row.n_positions,
        "first_to_share_a_row": [list(group) for group in row.shared],
        "series": {"x_name": "up to position", "x": found.positions.tolist(), "y": [errors]},
    }
