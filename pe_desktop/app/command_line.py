"""The commands that a person types: open the window, export, measure, draw a screenshot, test all this."""

import argparse
import contextlib
import gc
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from pe_desktop import __version__
from pe_desktop.app.console import CommandLineError, complain, is_session, say, sides_of
from pe_desktop.files import TargetExistsError, writable_target
from pe_desktop.guard import CannotStartError, check_display, check_qt, installed
from pe_desktop.resources import LazyMapping, resource_json

_BAD_INPUT = 2
CANNOT_START = 3
_INTERRUPTED = 130

_SCREENSHOT_THEME = "light"  # the same picture on every machine, unless another one is asked for
_SCREENSHOT_SIZE = (1600, 1000)

# Below the smallest size of the window its panels would overlap; above, the picture takes more than 256 MiB.
# Not taken from the window: nothing here may load Qt before it is known to be there.
SMALLEST_SCREENSHOT = (600, 340)
_LARGEST_SIDE = 8192


def main(arguments: Sequence[str] | None = None) -> int:
    """Does what the command line asks for and returns the exit code; errors are one line, never a traceback."""
    try:
        session, words = _session_among(sys.argv[1:] if arguments is None else arguments)
        options = _parser(words).parse_args(words)
        options.session = session
        return _obey(options)
    except CannotStartError as error:
        return _refused(str(error), CANNOT_START)
    except TargetExistsError as error:
        return _refused(f"{error} Add --force to replace it.", _BAD_INPUT)
    except (SystemExit, BrokenPipeError) as end:
        # argparse has printed the help, which nobody may read any more (3.11.2), or a signal ended an export.
        return _flushed(end.code if isinstance(end, SystemExit) and isinstance(end.code, int) else 0)
    except (ValueError, OSError, MemoryError) as error:
        return _refused(str(error) or "There is not enough memory for this.", _BAD_INPUT)
    except KeyboardInterrupt:
        return _refused("Interrupted.", _INTERRUPTED)


def _session_among(words: Sequence[str]) -> tuple[Path | None, list[str]]:
    """The session's file before any command, None where there is none, and the other words."""
    n_before = next((place for place, word in enumerate(words) if word in COMMANDS), len(words))
    files = [word for word in words[:n_before] if is_session(word)]
    if len(files) > 1:
        raise CommandLineError(f"One window shows one session: {len(files)} were given")
    if files and n_before < len(words):
        raise CommandLineError(f"A session can't stand before {words[n_before]}")
    return Path(files[0]) if files else None, [word for word in words if word not in files]


def _refused(sentence: str, code: int) -> int:
    complain(sentence)
    return code


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are exceptions, so that each becomes one line."""

    def error(self, message: str) -> NoReturn:
        raise CommandLineError(f"{message} (see {self.prog} --help)")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            from pe_desktop.core.rules import names_for, shown  # noqa: PLC0415 - loads NumPy

            name = action.option_strings[0] if action.option_strings else action.dest
            raise argparse.ArgumentError(None, f"{name} can't be {shown(value)}: {names_for(value, [*action.choices])}")


def _module(name: str) -> Any:
    """A module of this room, loaded when its command was typed."""
    return import_module(f"pe_desktop.app.{name}")


def _parser(typed: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of all commands; the one that was typed has its options: the window's first frame needs none."""
    rows = resource_json("commands.json")
    usual = rows.pop("")
    exit_codes = usual["epilog"]
    parser = _Parser(prog="pe-desktop", usage=usual["usage"], epilog=exit_codes, allow_abbrev=False)
    _add_options(parser, usual)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", prog="pe-desktop")
    for name, row in rows.items():
        command = commands.add_parser(name, help=row["help"], epilog=None if name == "self-test" else exit_codes)
        if name in typed:
            _add_options(command, row)
    return parser


def _add_options(parser: argparse.ArgumentParser, row: Mapping[str, Any]) -> None:
    """Give a parser the options of a command as its row has them, by the titles of their groups."""
    parser.description = row.get("description")
    parser.register("type", "path", Path)
    parser.register("type", "whole", int)
    for title, options in row["options"].items():
        group = parser.add_argument_group(title) if title else parser
        for names, words in options.items():
            option = group.add_argument(*names.split(), **words)
            if option.dest in row.get("takes", ()):
                # Its own default would replace what stands before the command.
                option.default = argparse.SUPPRESS
    if row.get("sets"):
        _module("assignments").add_settings(parser)


def _obey(options: argparse.Namespace) -> int:
    if options.command is not None or options.screenshot is not None:
        gc.enable()
    if options.version:
        qt = f"PySide6 {installed('pyside6_essentials') or 'unknown'}"
        numpy = installed("numpy") or import_module("numpy").__version__
        say(f"pe-desktop {__version__} (Python {platform.python_version()}, NumPy {numpy}, {qt})")
        return 0
    if options.language is not None:
        import_module("pe_desktop.languages").use(options.language)
    if options.command is not None:
        _refuse_foreign_options(options)
        module, obeys = COMMANDS[options.command].split(".")
        code: int = getattr(_module(module), obeys)(options)
        return code
    return show_window(options)


def show_window(options: argparse.Namespace) -> int:
    """Open the window, or draw it into a file, as the options say; `state`, where they have one, is shown."""
    if options.session is not None and options.settings:
        raise CommandLineError("--set can't stand with a session, which says everything")
    if options.screenshot is not None:
        return _screenshot(options)
    if options.size is not None or options.force:
        raise CommandLineError(f"{'--force' if options.size is None else '--size'} needs --screenshot FILE")
    return _open_window(options)


def _refuse_foreign_options(options: argparse.Namespace) -> None:
    """Refuse options before the command that it does not take: they would be ignored without a word."""
    rows = resource_json("commands.json")
    taken = rows[options.command].get("takes", ())
    for option, words in rows[""]["options"][""].items():
        name = words.get("dest", option[2:].replace("-", "_"))
        if getattr(options, name) and name not in taken:
            raise CommandLineError(f"{option} can't stand before {options.command}")


def _open_window(options: argparse.Namespace) -> int:
    state = getattr(options, "state", None)
    if options.settings:
        state = _module("assignments").declared_state(options.settings)
    check_qt()
    check_display(os.environ)
    from pe_desktop.window.error_reports import kept_log  # noqa: PLC0415 - the commands need none
    from pe_desktop.window.start import open_window  # noqa: PLC0415 - loads Qt

    # The window itself reads the session: a file that was clicked and can't be opened is answered where people look.
    with contextlib.nullcontext() if options.safe_mode else kept_log():
        return open_window(
            state,
            options.theme,
            options.renderer,
            options.session,
            is_fresh=options.fresh,
            is_lab=options.lab,
            is_safe=options.safe_mode,
            resets=options.reset_settings,
        )


def _screenshot(options: argparse.Namespace) -> int:
    from pe_desktop.app.assignments import declared_state  # noqa: PLC0415 - loads NumPy
    from pe_desktop.export.session import Session, read_session  # noqa: PLC0415 - loads NumPy

    given = options.session
    state = getattr(options, "state", None) or declared_state(options.settings)
    session = Session(state) if given is None else read_session(given)
    for note in session.notes:
        complain(note)
    path: Path = options.screenshot
    if path.suffix.lower() != ".png":
        raise CommandLineError(f"The name of a screenshot must end in .png: {path.name} doesn't")
    width, height = _SCREENSHOT_SIZE if options.size is None else _size(options.size)
    if options.renderer is not None:
        raise CommandLineError("--renderer can't stand with --screenshot, which the CPU draws")
    target = writable_target(path, overwrite=options.force)
    _prepare_qt_without_screen()
    from pe_desktop.window.start import write_screenshot  # noqa: PLC0415 - loads Qt

    theme = options.theme or _SCREENSHOT_THEME
    write_screenshot(target, session.state, theme, width, height)
    say(f"{path}: {width} x {height} pixels, {target.stat().st_size} bytes")
    return 0


def _self_test(options: argparse.Namespace) -> int:
    if options.report is not None:
        writable_target(options.report, overwrite=True)
    _prepare_qt_without_screen()
    from pe_desktop.app.self_test import run  # noqa: PLC0415 - loads Qt

    return run(options.report, options.theme, options.renderer)


# The module of this room and its function that obey each command.
COMMANDS: Mapping[str, str] = LazyMapping(
    lambda: {name: row["obeys"] for name, row in resource_json("commands.json").items() if name}
)


def _prepare_qt_without_screen() -> None:
    check_qt()
    try:
        check_display(os.environ)
    except CannotStartError:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"


def _size(text: str) -> tuple[int, int]:
    """The width and the height of a screenshot, in pixels."""
    width, height = sides_of(text)
    least_width, least_height = SMALLEST_SCREENSHOT
    if not (least_width <= width <= _LARGEST_SIDE and least_height <= height <= _LARGEST_SIDE):
        raise CommandLineError(
            f"--size must be from {least_width}x{least_height}, the window's smallest size, "
            f"to {_LARGEST_SIDE}x{_LARGEST_SIDE} pixels: {width}x{height} is not"
        )
    return width, height


def _flushed(code: int) -> int:
    """The code, after what argparse printed has left; a closed pipe or a full disk must not end in a traceback."""
    try:
        say()
    except OSError as error:
        return _refused(str(error), _BAD_INPUT)
    return code
