"""Writing talks: a step for what is seen, the order of steps, and the text of the file."""

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Final

from pe_desktop.core.state import State, assignments_of, text_of
from pe_desktop.files import ExportError, whole_file, writable_target
from pe_desktop.lessons.shelf import KEPT_IN, OWN, SUFFIX
from pe_desktop.lessons.talks import MOST_STEPS, SCHEMA, SCHEMA_KEY, Step, Talk, talk_of

EMPTY: Final = Talk("my-talk", "My talk")
# What a step leaves as it is: it is no part of what is seen.
_LEFT_OUT: Final = ("lessons.", "aside.", "facts.", "front")


def with_view(talk: Talk, state: State, title: str, words: str, views: tuple[str, ...]) -> Talk:
    """The talk with a step more, for what a state shows in one or two views; ValueError where it has 99."""
    if len(talk.steps) >= MOST_STEPS:
        raise ValueError(f"A talk has {MOST_STEPS} steps at most.")
    usual = assignments_of(State())
    seen = {name: text_of(name, value) for name, value in assignments_of(state).items() if value != usual.get(name)}
    kept = {name: text for name, text in seen.items() if not name.startswith(_LEFT_OUT)}
    return replace(talk, steps=(*talk.steps, Step(title, words, kept, views[:2])))


def moved(talk: Talk, place: int, by: int) -> Talk:
    """The talk with a step at another place, at its ends no further."""
    steps = [*talk.steps]
    steps.insert(min(max(place + by, 0), len(steps) - 1), steps.pop(place))
    return replace(talk, steps=tuple(steps))


def without(talk: Talk, place: int) -> Talk:
    """The talk without a step."""
    return replace(talk, steps=talk.steps[:place] + talk.steps[place + 1 :])


def talk_text(talk: Talk) -> str:
    """The content of a file of the talk: what differs from an empty one."""
    return json.dumps({SCHEMA_KEY: SCHEMA, **_stored(talk)}, ensure_ascii=False, indent=1) + "\n"


def write_talk(path: Path, talk: Talk, *, overwrite: bool) -> Path:
    """Write a talk, whole or not at all, and give the file; ExportError with a sentence otherwise."""
    named = path if path.name.endswith(SUFFIX) else path.with_name(path.name + SUFFIX)
    target = writable_target(named, overwrite=overwrite)
    text = talk_text(talk)
    try:
        talk_of(json.loads(text))
    except ValueError as error:
        raise ExportError(f"This talk could not be opened again: {error}.") from error
    with whole_file(target, overwrite=overwrite) as file:
        file.write(text.encode())
    return target


def keep_talk(talk: Talk) -> None:
    """Have a talk among one's own, and its file in their folder, where there is one.

    Raises ExportError with a sentence where it can't be written; the window has it all the same.
    """
    OWN[talk.key] = talk
    for folder in KEPT_IN:
        path = folder / f"{talk.key}{SUFFIX}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not talk.steps:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise ExportError(f"{path.name} can't be kept: {error}.") from error
        if talk.steps:
            write_talk(path, talk, overwrite=True)


def _stored(value: Any) -> Any:
    """A record as names with values, without those that are as they would be anyway."""
    if isinstance(value, tuple | list):
        return [_stored(one) for one in value]
    if isinstance(value, Mapping):
        return {name: _stored(one) for name, one in value.items()}
    if not is_dataclass(value):
        return value
    found = {}
    for one in fields(value):
        usual = one.default_factory() if one.default_factory is not MISSING else one.default
        given = getattr(value, one.name)
        if "reader" in one.metadata and given != usual:
            found[one.name] = _stored(given)
    return found
