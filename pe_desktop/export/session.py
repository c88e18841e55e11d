"""Sessions: encoding, cursor and span as a small JSON text, read back from any bytes without harm."""

import json
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import Any, Final, NoReturn

from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.parameters import CURSOR_PARAMETERS, ENCODING_PARAMETERS, declared_state
from pe_desktop.core.rules import MAX_DIMENSIONS, NumberRule, shown
from pe_desktop.files import ExportError, whole_file, writable_target

SUFFIX: Final = ".pesession"
SCHEMA_KEY: Final = "pe_desktop_session"
SCHEMA: Final = 1
NOTHING_CHANGED: Final = "Nothing was changed."

LARGEST_FILE: Final = 1_000_000  # bytes; a session of ours has some hundred
DEEPEST: Final = 20
LARGEST_INTEGER: Final = 2**53  # beyond, other readers of JSON lose digits
# Each pin is drawn in four panels; thirty thousand of them would hold the window for a minute.
MOST_PINS: Final = 256
N_NAMED: Final = 5

_PINS: Final = "pinned_pairs"
_SECTIONS: Final = {"encoding": ENCODING_PARAMETERS, "cursor": (*CURSOR_PARAMETERS, _PINS)}
_KEYS: Final = (SCHEMA_KEY, *_SECTIONS, "span")
_PIN: Final = NumberRule("pinned pair", 0, MAX_DIMENSIONS // 2 - 1, is_whole=True)
_WORD: Final = re.compile(r"[a-z][a-z-]{0,39}")
# A string, ended or not, hides what looks like a bracket in it.
_STRING_OR_BRACKET: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{\]}]', re.DOTALL)


class SessionError(ValueError):
    """A session can't be opened; the message says what, why, what to do, and that nothing was changed."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name} can't be opened: {reason}. {NOTHING_CHANGED}")
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Session:
    """What a window shows. span None: all positions.

    notes are sentences for whoever opened it; kept is what the file held beside all this, in the shape of the file.
    """

    encoding: Encoding
    cursor: Cursor
    span: Span | None = None
    notes: tuple[str, ...] = ()
    kept: Mapping[str, Any] = field(default_factory=dict, hash=False)


def session_text(encoding: Encoding, cursor: Cursor, span: Span | None, kept: Mapping[str, Any] | None = None) -> str:
    """The content of a session file; floats have the shortest digits that read back the same.

    kept is what an opened session held that this version doesn't know.
    """
    seen: dict[str, Any] = {"position": cursor.position, "offset": cursor.offset}
    seen["pair"] = cursor.pair
    seen[_PINS] = list(cursor.pinned_pairs)
    stored: dict[str, Any] = {SCHEMA_KEY: SCHEMA, "encoding": dict(encoding.parameters), "cursor": seen}
    if span is not None:
        stored["span"] = [span.first, span.last]
    for key, value in (kept or {}).items():
        stored[key] = {**stored[key], **value} if key in _SECTIONS else value
    return json.dumps(stored, indent=1, allow_nan=False) + "\n"


def write_session(path: Path, session: Session, *, overwrite: bool) -> Path:
    """Write a session, whole or not at all, and return the file; ExportError with a sentence otherwise."""
    target = writable_target(path, overwrite=overwrite)
    content = session_text(session.encoding, session.cursor, session.span, session.kept).encode("ascii")
    try:
        parsed_session(content, path.name)
    except SessionError as error:
        raise ExportError(f"{path.name} could not be opened again: {error.reason}.") from error
    with whole_file(target, overwrite=overwrite) as file:
        file.write(content)
    return target


def read_session(path: Path) -> Session:
    """The session in a file; SessionError with a sentence for whatever isn't one."""
    name = shown(path.name or path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise SessionError(name, "it is not an ordinary file")
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise SessionError(name, (error.strerror or type(error).__name__).lower()) from error
    except SessionError:
        raise
    except ValueError as error:  # A zero byte, or letters that this system can't put into a name.
        raise SessionError(name, "no file can have this name") from error
    return parsed_session(content, name)


def parsed_session(content: bytes, name: str) -> Session:
    """The session that these bytes describe; SessionError with a sentence that calls them name otherwise."""
    if len(content) > LARGEST_FILE:
        raise SessionError(name, "it is larger than 1 MB, the most that a session may have")
    try:
        return _session(_object(content))
    except UnicodeDecodeError as error:
        raise SessionError(name, "it is not a session, for it is no text in UTF-8") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise SessionError(name, f"it is damaged or not a session ({where}: {error.msg.lower()})") from error
    except ValueError as error:
        raise SessionError(name, str(error)) from error


def _object(content: bytes) -> dict[str, Any]:
    # Some editors put a byte order mark before the text.
    text = content.decode("utf-8-sig")
    _check_depth(text)
    stored = json.loads(
        text,
        object_pairs_hook=_without_twins,
        parse_constant=_refuse_constant,
        parse_float=_finite,
        parse_int=_moderate,
    )
    if not isinstance(stored, dict) or SCHEMA_KEY not in stored:
        raise ValueError(f"it is not a session, for it has no {SCHEMA_KEY}")
    return stored


def _check_depth(text: str) -> None:
    depth = 0
    for token in _STRING_OR_BRACKET.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > DEEPEST:
            raise ValueError(f"it is nested more than {DEEPEST} deep")


def _without_twins(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    stored: dict[str, Any] = {}
    for key, value in entries:
        if key in stored:
            raise ValueError(f"{shown(key)} stands in it twice")
        stored[key] = value
    return stored


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number that a session may hold")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(f"{shown(digits)} is too large")
    return number


def _moderate(digits: str) -> int:
    # The length comes first: Python refuses thousands of digits in words of its own.
    if len(digits) > len(str(LARGEST_INTEGER)) + 1 or abs(int(digits)) > LARGEST_INTEGER:
        raise ValueError(f"{shown(digits)} is too large")
    return int(digits)


def _session(stored: dict[str, Any]) -> Session:
    _check_schema(stored[SCHEMA_KEY])
    sections = {name: _section(stored, name) for name in _SECTIONS}
    texts = {
        name: _text(name, value)
        for section, names in _SECTIONS.items()
        for name, value in sections[section].items()
        if name in names and name != _PINS
    }
    encoding, cursor = declared_state(texts)
    if _PINS in sections["cursor"]:
        cursor = replace(cursor, pinned_pairs=_pins(sections["cursor"][_PINS]))
    kept = _unknown(stored, sections)
    return Session(encoding, cursor, _span(stored.get("span")), _notes(kept), kept)


def _check_schema(schema: object) -> None:
    if type(schema) is not int or schema < 1:
        raise ValueError(f"its {SCHEMA_KEY} must be a whole number from 1: {shown(json.dumps(schema))} is not")
    if schema > SCHEMA:
        raise ValueError(
            f"it was saved by a newer version of pe_desktop (its format is {schema}, this version reads {SCHEMA}); "
            "open it with that version"
        )


def _section(stored: dict[str, Any], name: str) -> dict[str, Any]:
    section = stored.get(name, {} if name == "cursor" else None)
    if not isinstance(section, dict):
        raise ValueError(f"its {name} is missing" if section is None else f"its {name} is no list of names and values")
    return section


def _text(name: str, value: object) -> str:
    """A value as a person would type it. What is neither word nor number keeps its marks, and is refused for them."""
    if isinstance(value, dict | list):
        raise ValueError(f"{name} must be a number or a word")
    return value if isinstance(value, str) and _WORD.fullmatch(value) else json.dumps(value)


def _pins(pins: object) -> tuple[int, ...]:
    if not isinstance(pins, list):
        raise ValueError(f"{_PINS} must be a list of whole numbers")
    if len(pins) > MOST_PINS:
        raise ValueError(f"{_PINS} are {len(pins)}, more than the {MOST_PINS} that a session may have")
    return tuple(sorted({int(_PIN.checked(pin)) for pin in pins}))


def _span(edges: object) -> Span | None:
    """The span as it stands in the file: whoever shows it moves it into the table."""
    if edges is None:
        return None
    if not isinstance(edges, list) or len(edges) != 2 or any(type(edge) not in (int, float) for edge in edges):
        raise ValueError("span must be two numbers, the first and the last position that are seen")
    first, last = map(float, edges)
    if first >= last:
        raise ValueError(f"span must end after its beginning: {last!r} does not follow {first!r}")
    return Span(first, last)


def _unknown(stored: dict[str, Any], sections: dict[str, dict[str, Any]]) -> dict[str, Any]:
    kept = {key: value for key, value in stored.items() if key not in _KEYS}
    for name, section in sections.items():
        rest = {key: value for key, value in section.items() if key not in _SECTIONS[name]}
        if rest:
            kept[name] = rest
    return kept


def _notes(kept: dict[str, Any]) -> tuple[str, ...]:
    names = [
        name
        for key, value in kept.items()
        for name in ([f"{key}.{inner}" for inner in value] if key in _SECTIONS else [key])
    ]
    if not names:
        return ()
    more = f" and {len(names) - N_NAMED} more" if len(names) > N_NAMED else ""
    return (f"Kept but not understood: {', '.join(map(shown, names[:N_NAMED]))}{more}.",)
