"""Writing talks: a step for what is seen, the order of steps, and the text of the file."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

from pe_desktop.core.state import State, assignments_of, text_of
from pe_desktop.files import ExportError, whole_file, writable_target
from pe_desktop.lessons.reading import stored
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
    return json.dumps({SCHEMA_KEY: SCHEMA, **stored(talk)}, ensure_ascii=False, indent=1) + "\n"


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
