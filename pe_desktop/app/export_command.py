"""The commands that take arrays and figures away: as files, and as programs that compute them."""

import argparse
import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

from pe_desktop.app.assignments import declared_state, given_names
from pe_desktop.app.console import CommandLineError, ProgressLine, say, sides_of
from pe_desktop.core.choices import WORKSPACES
from pe_desktop.core.state import State
from pe_desktop.export.arrays import ARRAYS, SUFFIXES, write_array
from pe_desktop.export.figure_sheet import FIGURE_THEMES, LETTERS, POINTS, PURPOSES, Finish, choice, inches_of
from pe_desktop.export.figures import FIGURE_SUFFIXES, SVG, code, figure_rows, no_such
from pe_desktop.files import ExportError, whole_file, writable_target
from pe_desktop.guard import check_qt
from pe_desktop.views.table import FIGURES

# With one of these a person has said which t and k a figure of a sentence shows.
_TELLS_CURSOR = {"position", "offset", "front", "attention.is_open", "preset"}
# What a figure looks like: an array takes none of them.
_STYLE = ("purpose", "width", "text", "title", "caption", "theme", "figure_size", "transparent", "no_cursor", "letters")


def export(options: argparse.Namespace) -> int:
    """Write what was asked for; its name ends as what it becomes: rotation is an array and a figure."""
    if options.lists:
        return _say_list()
    if options.what is None:
        raise CommandLineError("export needs WHAT, an array or a figure: --list names all")
    if "+" in options.what:
        figure_rows(options.what)  # raises where one of them is no figure
    elif options.what not in (*ARRAYS, *FIGURES):
        raise no_such(options.what)
    if options.output is None and not options.caption:
        raise CommandLineError("export needs -o FILE, or --caption alone")
    if str(options.output) == "-":
        return _export_to_output(options)
    if options.format is not None:
        raise CommandLineError("--format is for -o -: a file's name tells its own")
    if options.output is not None:
        return _export(options)
    say(_drawing().figure_caption(options.what, _state(options), _finish(options)))
    return 0


def _say_list() -> int:
    for title, table in (("arrays:", ARRAYS), ("figures:", FIGURES)):
        say(title, *(f"  {name:24}{row.title}" for name, row in table.items()))
    return 0


def _export_to_output(options: argparse.Namespace) -> int:
    """Write the content of a file to the standard output, and nothing else."""
    if options.caption or sys.stdout is None:
        raise CommandLineError("With -o - the output is the file alone: --caption has no room there")
    options.format = options.format or ("csv" if options.what in ARRAYS else "svg")
    with _ended_by_signals(), tempfile.TemporaryDirectory() as folder:
        options.output = Path(folder, f"output.{options.format}")
        with contextlib.redirect_stdout(None):
            _export(options)
        with options.output.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.flush()
    return 0


def _export(options: argparse.Namespace) -> int:
    suffix = options.output.suffix.lower()
    name = suffix if options.format else options.output.name
    arrays = SUFFIXES if options.what in ARRAYS else ()
    figures = FIGURE_SUFFIXES if FIGURES.keys() >= {*options.what.split("+")} else ()
    if suffix in figures:
        return _export_figure(options)
    if suffix in arrays:
        given = [name for name in _STYLE if getattr(options, name) is not None]
        if given:
            option = given[0].removeprefix("figure_").replace("_", "-")
            raise CommandLineError(f"--{option} is for figures: {name} will be an array")
        return _export_array(options)
    raise ExportError(f"{options.what} is written as {choice((*arrays, *figures))}: {name} is none of them.")


def _finish(options: argparse.Namespace) -> Finish:
    """How a figure is drawn, from what was typed."""
    if options.theme not in (None, *FIGURE_THEMES):
        raise CommandLineError(f"A figure's --theme is {choice(FIGURE_THEMES)}, not {options.theme}")
    suffix = SVG if options.output is None else options.output.suffix.lower()
    if options.letters is not None and suffix != SVG:
        raise CommandLineError(f"--letters is for an {SVG}: a {suffix} holds letters in a way of its own")
    return Finish(
        purpose=options.purpose or next(iter(PURPOSES)),
        theme=options.theme or FIGURE_THEMES[0],
        size=None if options.figure_size is None else sides_of(options.figure_size),
        is_transparent=bool(options.transparent),
        shows_cursor=not options.no_cursor,
        letters=options.letters or LETTERS[0],
        width=None if options.width is None else inches_of(options.width),
        text=None if options.text is None else inches_of(options.text) * POINTS,
        title="" if options.title == "none" else options.title,
    )


def _state(options: argparse.Namespace) -> State:
    """The state that was set; figures of the workspace Attention alone show the words that it opens with."""
    views = {FIGURES[name].view for name in options.what.split("+") if name in FIGURES}
    if not views or not views <= {*WORKSPACES["attention"]} or given_names(options) & _TELLS_CURSOR:
        return declared_state(options.given)
    return declared_state(["attention.is_open=true", *options.given])


def _export_figure(options: argparse.Namespace) -> int:
    state = _state(options)
    finish = _finish(options)
    beside = options.output.with_suffix(".txt")
    target = writable_target(beside, overwrite=options.replace) if options.caption else None
    figure_files = _drawing()
    with _ended_by_signals():
        written = figure_files.write_figure(options.what, state, options.output, finish, overwrite=options.replace)
        if target is not None:
            with whole_file(target, overwrite=options.replace) as file:
                file.write(f"{written.told}\n".encode())
    say(f"{written.path}: {options.what}, {written.size}, {written.n_bytes} bytes")
    return 0


def _drawing() -> Any:
    """What draws figures, which loads Qt. They are never shown: a screen, or none, makes no difference."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    check_qt()
    return import_module("pe_desktop.export.figure_files")


def _export_array(options: argparse.Namespace) -> int:
    state = declared_state(options.given)
    with _ended_by_signals(), contextlib.closing(ProgressLine(sys.stderr)) as line:
        written = write_array(options.what, state, options.output, overwrite=options.replace, progress=line.show)
    said = f", {written.told}" if written.told else ""
    say(f"{written.path}: {options.what}{said}, {written.size}, {written.n_bytes} bytes")
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


def print_code(options: argparse.Namespace) -> int:
    """Print the program of what was asked for."""
    try:
        lines = code(options.what, _state(options), options.library).splitlines()
    except ExportError as error:
        # Nothing was to be written.
        raise CommandLineError(error.sentence) from error
    say(*lines)
    return 0
