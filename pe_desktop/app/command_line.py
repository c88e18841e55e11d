"""The commands that a person types: open the window, export, measure, draw a screenshot, test all this."""

import argparse
import contextlib
import gc
import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from pe_desktop import __version__
from pe_desktop.app.console import CommandLineError, complain, hush, is_session, say, sides_of
from pe_desktop.files import SESSION_SUFFIX, TargetExistsError, writable_target
from pe_desktop.guard import CannotStartError, check_display, check_qt, installed, platform_without_screen

_BAD_INPUT = 2
CANNOT_START = 3
_INTERRUPTED = 130

# Options of the window, by their names in a namespace: some commands take the first two.
_OPTIONS = ("theme", "renderer", "fresh", "safe_mode", "reset_settings", "screenshot", "size", "force", "settings")
_THEMES = ("light", "dark", "system")
# Not taken from the renderer, for the same reason as the sizes below.
RENDERERS = ("auto", "raster", "opengl")
_SCREENSHOT_THEME = "light"  # the same picture on every machine, unless another one is asked for
_SCREENSHOT_SIZE = (1600, 1000)

# Below the smallest size of the window its panels would overlap; above, the picture takes more than 256 MiB.
# Not taken from the window: nothing here may load Qt before it is known to be there.
SMALLEST_SCREENSHOT = (600, 340)
_LARGEST_SIDE = 8192

_EXIT_CODES = (
    "exit codes: 0 done, 1 the self-test failed, 2 bad input or nothing could be written, "
    "3 the window can't start here (no screen, or Qt can't be loaded), 130 interrupted (129 and 143: ended by a signal)"
)


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


def _add_self_test(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--report", metavar="FILE", type=Path, help="write what was found to a file")
    # Suppressed: a subcommand's default would replace what stands before the command.
    parser.add_argument("--theme", choices=_THEMES, default=argparse.SUPPRESS, help="both, if not given")
    parser.add_argument("--renderer", choices=RENDERERS, default=argparse.SUPPRESS, help="what draws heat maps")
    parser.set_defaults(obey=_self_test, takes=("theme", "renderer"))


def _module(name: str) -> Any:
    """A module of this room, loaded when its command was typed."""
    return import_module(f"pe_desktop.app.{name}")


# What each command does, and what gives its parser the arguments; a parser's defaults say who obeys.
COMMANDS: Mapping[str, tuple[str, Callable[[], Any]]] = {
    "export": ("write an array or a figure, without a screen", lambda: _module("export_command").add_export),
    "code": ("print a program that computes an array or a figure", lambda: _module("export_command").add_code),
    "measure": ("measure ten properties of an encoding", lambda: _module("measure_command").add_measure),
    "facts": ("list claims of the texts with verdicts and numbers", lambda: _module("facts_command").add_facts),
    "learn": ("train one head and say what it learned", lambda: _module("learn_command").add_learn),
    "self-test": ("check this installation, without a screen if there is none", lambda: _add_self_test),
}


def _parser(typed: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of all commands; the one that was typed has its options: the window's first frame needs none."""
    parser = _Parser(
        prog="pe-desktop",
        usage=f"%(prog)s [options] [FILE{SESSION_SUFFIX}]\n       %(prog)s COMMAND [options]",
        description="Shows how transformers encode positions. Without a command, the window opens, with a session if "
        f"the name of its file is given, which ends in {SESSION_SUFFIX}.",
        epilog=_EXIT_CODES,
        allow_abbrev=False,
    )
    _add_window_options(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", prog="pe-desktop")
    for name, (words, adder) in COMMANDS.items():
        command = commands.add_parser(name, help=words, epilog=None if name == "self-test" else _EXIT_CODES)
        if name in typed:
            adder()(command)
    return parser


def _add_window_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--version", action="store_true", help="print the versions in use and exit")
    parser.add_argument("--theme", choices=_THEMES, help="the colours of the window")
    parser.add_argument(
        "--renderer", choices=RENDERERS, help="what draws heat maps; auto takes a GPU where there is one"
    )
    parser.add_argument("--fresh", action="store_true", help="open as at the first start: state, layout and speed")
    parser.add_argument(
        "--safe-mode", action="store_true", help="the CPU draws, nothing is restored and nothing is written"
    )
    parser.add_argument(
        "--reset-settings", action="store_true", help="put settings and layout aside and open with the usual ones"
    )
    parser.add_argument("--screenshot", metavar="FILE", type=Path, help="draw the window into a .png and exit")
    parser.add_argument("--size", metavar="WxH", help="the size of the screenshot in pixels, 1600x1000 if not given")
    parser.add_argument("--force", action="store_true", help="replace an existing screenshot")
    names = "set a value of the state, once for each name; pe-desktop export --help lists the names"
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], dest="settings", help=names)


def _obey(options: argparse.Namespace) -> int:
    if options.command is not None or options.screenshot is not None:
        gc.enable()
    if options.version:
        qt = f"PySide6 {installed('pyside6_essentials') or 'unknown'}"
        numpy = installed("numpy") or import_module("numpy").__version__
        say(f"pe-desktop {__version__} (Python {platform.python_version()}, NumPy {numpy}, {qt})")
        return 0
    if options.command is not None:
        _refuse_foreign_options(options)
        code: int = options.obey(options)
        return code
    if options.screenshot is not None:
        return _screenshot(options)
    if options.size is not None or options.force:
        raise CommandLineError(f"{'--force' if options.size is None else '--size'} needs --screenshot FILE")
    return _open_window(options)


def _refuse_foreign_options(options: argparse.Namespace) -> None:
    """Refuse options before the command that it does not take: they would be ignored without a word."""
    for name in _OPTIONS:
        if getattr(options, name) and name not in options.takes:
            raise CommandLineError(
                f"--{'set' if name == 'settings' else name.replace('_', '-')} can't stand before {options.command}"
            )


def _refuse_two_states(options: argparse.Namespace) -> None:
    if options.session is not None and options.settings:
        raise CommandLineError("--set can't stand with a session, which says everything")


def _open_window(options: argparse.Namespace) -> int:
    _refuse_two_states(options)
    state = _module("assignments").declared_state(options.settings) if options.settings else None
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
            is_safe=options.safe_mode,
            resets=options.reset_settings,
        )


def _screenshot(options: argparse.Namespace) -> int:
    _refuse_two_states(options)
    from pe_desktop.app.assignments import declared_state  # noqa: PLC0415 - loads NumPy
    from pe_desktop.export.session import Session, read_session  # noqa: PLC0415 - loads NumPy

    given = options.session
    session = Session(declared_state(options.settings)) if given is None else read_session(given)
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
    from pe_desktop.app import self_test  # noqa: PLC0415 - loads Qt

    return self_test.run(options.report, options.theme, options.renderer)


def _prepare_qt_without_screen() -> None:
    check_qt()
    chosen = platform_without_screen(os.environ)
    if chosen is not None:
        os.environ["QT_QPA_PLATFORM"] = chosen


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
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        hush(sys.stdout)
    except OSError as error:
        hush(sys.stdout)
        complain(str(error))
        return _BAD_INPUT
    return code
