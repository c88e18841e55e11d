"""Sessions: a state as a small JSON text, read back from any bytes without harm."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Final

from pe_desktop.core.choices import RANGE_WORDS
from pe_desktop.core.presets import ENCODING_PARAMETERS
from pe_desktop.core.record import record
from pe_desktop.core.rules import shown
from pe_desktop.core.state import (
    LATER_NAMES,
    LISTS,
    RANGES,
    STATE_NAMES,
    State,
    assignments_of,
    is_number,
    state_of,
    text_of,
    with_name,
)
from pe_desktop.core.strict_json import names_in
from pe_desktop.files import ExportError, UnreadableError, file_content, whole_file, writable_target

_SCHEMA_KEY: Final = "pe_desktop_session"
_SCHEMA: Final = 2
NOTHING_CHANGED: Final = "Nothing was changed."

LARGEST_FILE: Final = 1_000_000  # bytes; a session of ours has some hundred
_STATE: Final = "state"


class SessionError(ValueError):
    """A session can't be opened; the message says what, why, what to do, and that nothing was changed."""

    def __init__(self, name: str, reason: str) -> None:
        end = "" if reason.endswith("?") else "."
        super().__init__(f"{name} can't be opened: {reason}{end} {NOTHING_CHANGED}")
        self.reason = reason


@record
class Session:
    """What a file holds: a state, and what this version doesn't know, kept in the shape of the file.

    left_out: why names were not taken, a sentence for each; the first start's values stand in their place.
    """

    state: State
    kept: Mapping[str, Any] = field(default_factory=dict, hash=False)
    left_out: tuple[str, ...] = field(default=(), compare=False)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for whoever opened it."""
        unknown = [*self.kept.get(_STATE, ()), *(key for key in self.kept if key != _STATE)]
        return (
            *_note("Not taken", self.left_out, "; ", 2),
            *_note("Kept but not understood", [*map(shown, unknown)], ", ", 5),
        )


def session_text(state: State, kept: Mapping[str, Any] | None = None) -> str:
    """The content of a session file; floats have the shortest digits that read back the same."""
    stored: dict[str, Any] = {_SCHEMA_KEY: _SCHEMA, _STATE: assignments_of(state)}
    for key, value in (kept or {}).items():
        stored[key] = {**stored[key], **value} if key == _STATE else value
    return json.dumps(stored, indent=1, allow_nan=False) + "\n"


def write_session(path: Path, session: Session, *, overwrite: bool) -> Path:
    """Write a session, whole or not at all, and return the file; ExportError with a sentence otherwise."""
    target = writable_target(path, overwrite=overwrite)
    content = session_text(session.state, session.kept).encode("ascii")
    try:
        again = parsed_session(content, path.name)
    except SessionError as error:
        raise ExportError(f"{path.name} could not be opened again: {error.reason}.") from error
    if again.left_out:
        raise ExportError(f"{path.name} could not be opened as it is: {again.left_out[0]}.")
    with whole_file(target, overwrite=overwrite) as file:
        file.write(content)
    return target


def read_session(path: Path) -> Session:
    """The session in a file; SessionError with a sentence for whatever isn't one."""
    name = shown(path.name or path)
    try:
        content = file_content(path, LARGEST_FILE)
    except UnreadableError as error:
        raise SessionError(name, str(error)) from error
    return parsed_session(content, name)


def parsed_session(content: bytes, name: str) -> Session:
    """The session that these bytes describe; SessionError with a sentence that calls them name otherwise."""
    if len(content) > LARGEST_FILE:
        raise SessionError(name, "it is larger than 1 MB, the most that a session may have")
    try:
        return _session(names_in(content, "session", _SCHEMA_KEY))
    except ValueError as error:
        raise SessionError(name, str(error)) from error


def _session(stored: dict[str, Any]) -> Session:
    schema = _checked_schema(stored[_SCHEMA_KEY])
    named, others = _first_format(stored) if schema == 1 else (_section(stored, _STATE), stored)
    others = {key: value for key, value in others.items() if key not in (_SCHEMA_KEY, _STATE)}
    unknown = {name: value for name, value in named.items() if name not in STATE_NAMES}
    kept = {**others, **({_STATE: unknown} if unknown else {})}
    state = State()
    given = dict[str, str]()
    left_out = []
    for name in filter(named.__contains__, ("preset", *ENCODING_PARAMETERS, *LATER_NAMES)):
        try:
            text = _text(name, named[name])
            if name in LATER_NAMES:
                state = with_name(state, name, text)
            else:
                # The encoding as a whole: what a parameter takes depends on those before it.
                state = state_of({**given, name: text})
                given[name] = text
        except ValueError as error:
            left_out.append(str(error))
    return Session(state, kept, tuple(left_out))


def _checked_schema(schema: object) -> int:
    if type(schema) is not int or schema < 1:
        raise ValueError(f"its {_SCHEMA_KEY} must be a whole number from 1: {shown(json.dumps(schema))} is not")
    if schema > _SCHEMA:
        raise ValueError(
            f"it was saved by a newer version of PE Desktop (its format is {schema}, this version reads {_SCHEMA}); "
            "open it with that version"
        )
    return schema


def _first_format(stored: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Names and values of a file of release 0.1, and what it held beside them: encoding, cursor and span apart."""
    encoding = _section(stored, "encoding")
    cursor = _section(stored, "cursor")
    named = {**encoding, **cursor}
    if stored.get("span") is not None:
        named["span"] = stored["span"]
    return named, {key: value for key, value in stored.items() if key not in ("encoding", "cursor", "span")}


def _section(stored: dict[str, Any], name: str) -> dict[str, Any]:
    section = stored.get(name, {} if name == "cursor" else None)
    if not isinstance(section, dict):
        raise ValueError(f"its {name} is missing" if section is None else f"its {name} is no list of names and values")
    return section


def _text(name: str, value: object) -> str:
    """A value as a person would type it; what a name can't take keeps its marks, and is refused for them."""
    is_list = isinstance(value, list) and all(type(item) in (int, float) for item in value)
    if name in RANGES and value not in RANGE_WORDS and not (is_list and isinstance(value, list) and len(value) == 2):
        raise ValueError(f"{name} must be two numbers, the first and the last that are seen")
    if name in LISTS and not is_list:
        raise ValueError(f"{name} must be a list of numbers")
    if isinstance(value, list) and name in (*RANGES, *LISTS):
        return text_of(name, value)
    if isinstance(value, dict | list):
        raise ValueError(f"{name} must be a number or a word")
    return value if isinstance(value, str) and not is_number(name) else json.dumps(value)


def _note(beginning: str, parts: Sequence[str], mark: str, most: int) -> tuple[str, ...]:
    """A sentence that names the first of the parts and counts the others, where there are any."""
    if not parts:
        return ()
    text = f"{beginning}: {mark.join(parts[:most])}{f' and {len(parts) - most} more' if len(parts) > most else ''}"
    return (text if text.endswith("?") else f"{text}.",)
