"""What a person typed, turned into values; what can't be is one sentence."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from pe_desktop.core.rules import names_for, shown
from pe_desktop.core.state import STATE_NAMES, State, state_of
from pe_desktop.export.session import SUFFIX
from pe_desktop.views.table import VIEWS

COMMANDS = ("code", "export", "facts", "measure", "self-test")


class CommandLineError(ValueError):
    """Something typed that can't be done; the message is one sentence."""


def add_settings(parser: argparse.ArgumentParser, destination: str) -> None:
    """Let a parser take --set, as often as one likes."""
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        dest=destination,
        help=f"set a value of the state, once for each name: {', '.join(STATE_NAMES)}",
    )


def declared_state(settings: Sequence[str]) -> State:
    """The state that NAME=VALUE texts describe."""
    assignments: dict[str, str] = {}
    for setting in settings:
        name, equals, value = (part.strip() for part in setting.partition("="))
        if not equals:
            raise CommandLineError(f"--set takes NAME=VALUE: {setting!r} has no equals sign")
        if name in assignments:
            raise CommandLineError(f"{name} is set twice: to {assignments[name]} and to {value}")
        assignments[name] = value
    state = state_of(assignments)
    unknown = [key for key in state.views.front if key not in VIEWS]
    if unknown:
        raise CommandLineError(f"front can't be {shown(unknown[0])}: {names_for(unknown[0], VIEWS)}")
    return state


def is_session(word: str) -> bool:
    """Whether a word of the command line names a session's file: its ending says so."""
    return word.lower().endswith(SUFFIX) and not word.startswith("-")


def session_among(words: Sequence[str]) -> tuple[Path | None, list[str]]:
    """The session's file before any command, None where there is none, and the other words."""
    n_before = next((place for place, word in enumerate(words) if word in COMMANDS), len(words))
    files = [word for word in words[:n_before] if is_session(word)]
    if len(files) > 1:
        raise CommandLineError(f"One window shows one session: {len(files)} were given")
    if files and n_before < len(words):
        raise CommandLineError(f"A session can't stand before {words[n_before]}")
    return Path(files[0]) if files else None, [word for word in words if word not in files]


def sides_of(text: str) -> tuple[int, int]:
    """The width and the height that a text such as 1280x720 means, in pixels."""
    sides = text.lower().split("x")
    if len(sides) != 2 or not all(side.isascii() and side.isdigit() and len(side) < 6 for side in sides):
        raise CommandLineError(f"--size takes WxH in pixels, for instance 1280x720: {text!r} is not")
    width, height = map(int, sides)
    return width, height
