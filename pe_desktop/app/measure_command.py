"""The command that measures an encoding: seven lines for people, or JSON for programs."""

import argparse
import json
import math
import re
import sys
import textwrap
from typing import Any, Final

from pe_desktop.app.arguments import add_settings, declared_state
from pe_desktop.app.console import ProgressLine, say
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import Evidence, Measurement
from pe_desktop.core.measure.measurements import measure
from pe_desktop.views.properties import words
from pe_desktop.views.properties.words import PROPERTY_NAMES, number_text

# Changes when a name or the meaning of a number changes, not when one is added.
_JSON_VERSION: Final = 1

_WIDTH: Final = 100
_NO_BREAK: Final = "\u00a0"
_NAME_WIDTH: Final = max(map(len, PROPERTY_NAMES.values())) + 2
_VERDICT_WIDTH: Final = len("Holds up to 10 000 000") + 2


def add_measure(parser: argparse.ArgumentParser) -> None:
    """Let a parser take what this command needs."""
    parser.add_argument("--json", action="store_true", help="JSON instead of a table, numbers with all their digits")
    add_settings(parser, "measure_settings")


def measure_command(options: argparse.Namespace) -> int:
    """Measure the encoding that was described and say what was found."""
    encoding = declared_state(options.measure_settings).encoding
    line = ProgressLine(sys.stderr)

    def report(found: tuple[Measurement, ...], share: float) -> None:
        line.show_share(share, f"{len(found)} of {len(PROPERTY_NAMES)} properties")

    try:
        found = measure(encoding, report=report)
    finally:
        line.clear()
    assert found is not None  # nobody cancels
    lines = _json(encoding, found) if options.json else _table(encoding, found)
    for text in lines:
        say(text)
    return 0


def _table(encoding: Encoding, found: tuple[Measurement, ...]) -> list[str]:
    parameters = ", ".join(f"{name} {value}" for name, value in encoding.parameters.items() if name != "kind")
    lines = [*textwrap.wrap(f"{encoding.title}: {parameters}", _WIDTH), ""]
    for one in found:
        number = "" if one.number is None else f"{number_text(one.number, 5)} {words.meaning(one)}"
        lines.append(f"{words.name(one):{_NAME_WIDTH}}{words.verdict_text(one):{_VERDICT_WIDTH}}{number}".rstrip())
        lines += _wrapped(f"{words.sentence(one)} Measured on {words.basis(one)}.")
    return lines


def _wrapped(text: str) -> list[str]:
    """Lines of a paragraph; no line ends within a number."""
    whole = re.sub(r"(?<=\d) (?=\d)", _NO_BREAK, text)
    lines = textwrap.wrap(whole, _WIDTH, initial_indent="  ", subsequent_indent="  ")
    return [line.replace(_NO_BREAK, " ") for line in lines]


def _series(evidence: Evidence) -> dict[str, Any]:
    """What the number was made of, at most 256 points of it: of the linear shift, the residual of every hand."""
    lines = [[value if math.isfinite(value) else None for value in line] for line in evidence.y.tolist()]
    return {"x_name": evidence.x_name, "x": evidence.x.tolist(), "y": lines}


def _json(encoding: Encoding, found: tuple[Measurement, ...]) -> list[str]:
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
                "meaning": words.meaning(one),
                "sentence": words.sentence(one),
                "measured_on": words.basis(one),
                "numbers": dict(one.numbers),
                "series": _series(one.evidence),
            }
            for one in found
        ],
    }
    # Escapes instead of letters beyond ASCII: the same bytes whatever the terminal's encoding.
    return json.dumps(content, indent=2, allow_nan=False).splitlines()
