"""The commands of talks: list the lessons, and open a talk in the window, or print its handout."""

import argparse
import json
from pathlib import Path

from pe_desktop.app.console import CommandLineError, say
from pe_desktop.core.rules import names_for, shown
from pe_desktop.core.state import State
from pe_desktop.guard import check_qt
from pe_desktop.languages import LANGUAGES
from pe_desktop.lessons.shelf import OWN, SHIPPED, read_talk, talk_named
from pe_desktop.lessons.shown import with_step
from pe_desktop.lessons.talks import Talk


def list_lessons(options: argparse.Namespace) -> int:
    """List the lessons and other talks."""
    if options.json:
        talks, codes = SHIPPED.values(), [*LANGUAGES]
        told = [{"key": one.key, "title": one.title, "steps": len(one.steps), "languages": codes} for one in talks]
        say(*json.dumps(told, ensure_ascii=False, indent=1).splitlines())
        return 0
    wide = max(len(talk.title) for talk in SHIPPED.values()) + 2
    for talk in SHIPPED.values():
        say(f"{talk.key:22}{talk.title:{wide}}{len(talk.steps)} steps")
    return 0


def open_talk(options: argparse.Namespace) -> int:
    """Open a talk in the window, or write its handout."""
    from pe_desktop.app.command_line import show_window  # noqa: PLC0415 - it has loaded this

    talk = _asked_talk(options.talk)
    if not 1 <= options.step <= len(talk.steps):
        raise CommandLineError(f"--step must be from 1 to {len(talk.steps)}: {options.step} is not")
    if options.handout is not None:
        return _write_handout(options, talk)
    options.state = with_step(State(), talk, options.step - 1)
    return show_window(options)


def _write_handout(options: argparse.Namespace, talk: Talk) -> int:
    from pe_desktop.export.handout import write_handout  # noqa: PLC0415 - loads Qt

    path: Path = options.handout
    if path.suffix.lower() != ".pdf":
        raise CommandLineError(f"The name of a handout must end in .pdf: {path.name} doesn't")
    n_pages = write_handout(path, talk, overwrite=options.force)
    pages = f"{n_pages} page{'s' * (n_pages > 1)}"
    key = ", the last with the key" * bool(talk.line or any(talk.questions))
    say(f"{path}: {pages}{key}, {path.stat().st_size} bytes")
    return 0


def _asked_talk(asked: str) -> Talk:
    """The talk of a key, or in a file, which counts as a person's own from then on."""
    path = Path(asked)
    is_key = not path.suffix and not path.exists()
    if is_key and talk_named(asked) is None:
        check_qt()
        from pe_desktop.window.start import take_own_talks  # noqa: PLC0415 - loads Qt

        take_own_talks()
    if (own := talk_named(asked)) is not None:
        return own
    if is_key:
        raise CommandLineError(f"There is no lesson {shown(asked)}: {names_for(asked, {**SHIPPED, **OWN})}")
    talk = read_talk(path)
    OWN[talk.key] = talk
    return talk
