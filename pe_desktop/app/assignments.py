"""The option --set NAME=VALUE of the commands: its help has the names by what they are of."""

import argparse
from collections.abc import Sequence

from pe_desktop.app.console import CommandLineError
from pe_desktop.core.presets import CURSOR_PARAMETERS, ENCODING_PARAMETERS
from pe_desktop.core.state import STATE_NAMES, State
from pe_desktop.resources import resource_json
from pe_desktop.views.table import VIEWS, state_of_views


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Let a parser take --set, as often as one likes, into `given`; its help has the names by what they are of."""
    parser.add_argument("--set", **resource_json("commands.json")[""]["set"])
    groups: dict[str, list[str]] = {}
    for name in STATE_NAMES:
        view, dot, _ = name.partition(".")
        title = (VIEWS[view].title if view in VIEWS else view.capitalize()) if dot else _group_of(name)
        groups.setdefault(title, []).append(name)
    for title, names in groups.items():
        parser.add_argument_group(f"names of --set, {title}", ", ".join(names))


def _group_of(name: str) -> str:
    """What a name of the state without a view is of."""
    if name in ENCODING_PARAMETERS or name == "preset":
        return "Encoding"
    if name in CURSOR_PARAMETERS or name in {"span", "pinned_pairs"}:
        return "Cursor"
    return "Precision" if name in {"dtype", "form", "position_ids"} else "Sentence, schemes and window"


def given_names(options: argparse.Namespace) -> set[str]:
    """The names that were set."""
    return {setting.partition("=")[0].strip() for setting in options.given}


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
    return state_of_views(assignments)
