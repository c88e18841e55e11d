"""The commands that take arrays and figures away: as files, and as programs that compute them."""

import argparse
import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from pe_desktop.app.console import CommandLineError, ProgressLine, add_settings, declared_state, say, sides_of
from pe_desktop.app.guard import check_qt
from pe_desktop.core.listings.program import LIBRARIES
from pe_desktop.export.arrays import ARRAYS, SUFFIXES, write_array
from pe_desktop.export.figure_sheet import FIGURE_THEMES, LETTERS, PURPOSES, Finish, choice
from pe_desktop.export.figures import FIGURE_SUFFIXES, code, figure_rows, no_such
from pe_desktop.files import ExportError
from pe_desktop.views.table import FIGURES


def add_export(parser: argparse.ArgumentParser) -> None:
    """Let a parser take what the command export needs."""
    arrays, figures = ", ".join(ARRAYS), ", ".join(FIGURES)
    formats = "encoding in the format of --set dtype=, bfloat16 as float32 numbers; the others in float64"
    panels = "names with + between them are panels a, b, ... of one page: clock+waves+matrix"
    whats = f"an array ({arrays}; {formats}) or a figure ({figures}; {panels})"
    parser.add_argument("what", metavar="WHAT", help=whats)
    endings = f"an array's name ends in {choice(SUFFIXES)}, a figure's in {choice(FIGURE_SUFFIXES)}"
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, required=True, help=endings)
    parser.add_argument("--force", action="store_true", dest="replace", help="replace an existing file")
    add_settings(parser, "given")
    figure = parser.add_argument_group("figures only")
    purposes = "paper, 6.75 inches wide, if not given; column, 3.25 inches; or slide"
    figure.add_argument("--purpose", choices=tuple(PURPOSES), help=purposes)
    # Suppressed: a subcommand's default would replace what stands before the command.
    figure.add_argument("--theme", choices=FIGURE_THEMES, default=argparse.SUPPRESS, help="light if not given")
    figure.add_argument("--size", metavar="WxH", dest="figure_size", help="in pixels; the purpose's own if not given")
    figure.add_argument("--transparent", action="store_true", default=None, help="with a transparent ground")
    figure.add_argument("--no-cursor", action="store_true", default=None, help="leave out t and t + k")
    letters = (
        "of an .svg: outlines, if not given, are the same everywhere; text can be edited, in typefaces that are there"
    )
    figure.add_argument("--letters", choices=LETTERS, help=letters)
    parser.set_defaults(obey=export, takes=("theme",))


def _is_figure(what: str) -> bool:
    return all(name in FIGURES for name in what.split("+"))


def export(options: argparse.Namespace) -> int:
    """Write what was asked for. The ending of the file decides what it becomes: rotation is an array and a figure."""
    if "+" in options.what:
        figure_rows(options.what)  # raises where one of them is no figure
    elif options.what not in (*ARRAYS, *FIGURES):
        raise no_such(options.what)
    suffix, name = options.output.suffix.lower(), options.output.name
    if _is_figure(options.what) and suffix in FIGURE_SUFFIXES:
        return _export_figure(options)
    if options.what in ARRAYS and suffix in SUFFIXES:
        names = ("purpose", "theme", "figure_size", "transparent", "no_cursor", "letters")
        given = [name for name in names if getattr(options, name) is not None]
        if given:
            option = given[0].removeprefix("figure_").replace("_", "-")
            raise CommandLineError(f"--{option} is for figures: {name} will be an array")
        return _export_array(options)
    endings = (*(SUFFIXES if options.what in ARRAYS else ()), *(FIGURE_SUFFIXES if _is_figure(options.what) else ()))
    raise ExportError(f"For {options.what}, the name of the file must end in {choice(endings)}: {name} doesn't.")


def _export_figure(options: argparse.Namespace) -> int:
    if options.theme not in (None, *FIGURE_THEMES):
        raise CommandLineError(f"A figure's --theme is {choice(FIGURE_THEMES)}, not {options.theme}")
    state = declared_state(options.given)
    finish = Finish(
        purpose=options.purpose or next(iter(PURPOSES)),
        theme=options.theme or FIGURE_THEMES[0],
        size=None if options.figure_size is None else sides_of(options.figure_size),
        is_transparent=bool(options.transparent),
        shows_cursor=not options.no_cursor,
        letters=options.letters or LETTERS[0],
    )
    check_qt()
    from pe_desktop.export.figure_files import write_figure  # noqa: PLC0415 - loads Qt

    # A figure is never shown: the same picture is drawn whether there is a screen or not.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with _ended_by_signals():
        written = write_figure(options.what, state, options.output, finish, overwrite=options.replace)
    say(f"{written.path}: {options.what}, {written.size}, {written.n_bytes} bytes")
    return 0


def _export_array(options: argparse.Namespace) -> int:
    state = declared_state(options.given)
    line = ProgressLine(sys.stderr)
    with _ended_by_signals():
        try:
            written = write_array(options.what, state, options.output, overwrite=options.replace, progress=line.show)
        finally:
            line.clear()
    say(f"{written.path}: {options.what}, {' x '.join(map(str, written.shape))}, {written.n_bytes} bytes")
    return 0


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Lets a closed terminal or a polite kill end the work like an exception, so that nothing half-written stays."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    # What the caller wants ignored, as nohup does, stays ignored.
    numbers = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = [signal.signal(number, _leave) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _leave(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def add_code(parser: argparse.ArgumentParser) -> None:
    """Let a parser take what the command code needs."""
    words = f"an array ({', '.join(ARRAYS)}) or the data of a figure ({', '.join(FIGURES)})"
    parser.add_argument("what", metavar="WHAT", help=words)
    libraries = tuple(LIBRARIES)
    parser.add_argument(
        "--library", choices=libraries, default=libraries[0], help="numpy if not given; the others for arrays"
    )
    add_settings(parser, "given")
    parser.set_defaults(obey=_print_code, takes=())


def _print_code(options: argparse.Namespace) -> int:
    """Print the program of what was asked for."""
    for line in code(options.what, declared_state(options.given), options.library).splitlines():
        say(line)
    return 0
