"""The door for Python: states, figures, measurements and the window, by the names of the command line. Without Qt."""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measuring.measurement import Measurement
from pe_desktop.core.measuring.measurements import analyse
from pe_desktop.core.rules import checked_word, shown
from pe_desktop.core.state import LISTS, RANGES, assignments_of, checked_state, text_of
from pe_desktop.core.state import State as _State
from pe_desktop.export import figures
from pe_desktop.export.figures import PANELS, figure_rows
from pe_desktop.files import ExportError, writable_target
from pe_desktop.guard import CannotStartError, check_display, package_refusal
from pe_desktop.views.properties import words
from pe_desktop.views.table import figure_of, state_of_views


def State(**names: Any) -> _State:  # noqa: N802 - it gives what it is called
    """The state of these names and values, as after --set.

    State(d_model=64, scheme="rope", **{"clock.mode": "each"}): texts as a person types them, or numbers, truth values,
    lists and arrays; None is the default. ValueError with a sentence for a name that there isn't, or a wrong value.
    """
    given = {name: _plain(value) for name, value in names.items() if value is not None}
    for name, value in given.items():
        if isinstance(value, list) and name not in (*RANGES, *LISTS):
            raise ValueError(f"{shown(name)} takes no list: {shown(value)} is one")
    return state_of_views({name: text_of(name, value) for name, value in given.items()})


def _plain(value: Any) -> Any:
    value = value.tolist() if hasattr(value, "tolist") else value
    return [*value] if isinstance(value, tuple | range) else value


class Measurements(tuple[Measurement, ...]):
    """The ten measurements of an encoding, a tuple of `Measurement`; a notebook shows them as a table."""

    __slots__ = ()

    def __repr__(self) -> str:
        found = [f"{words.name(measurement)}: {words.verdict_text(measurement)}" for measurement in self]
        return f"Measurements(of the exact table: {', '.join(found)})"

    def _repr_html_(self) -> str:
        rows = [("Property", "Verdict on the exact table", "Number", "which is"), *map(_row, self)]
        cells = ["".join(f"<td>{escape(text)}</td>" for text in row) for row in rows]
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>".replace("td>", "th>", 8)


def _row(measurement: Measurement) -> tuple[str, ...]:
    number = "" if measurement.number is None else words.number_text(measurement.number, 5)
    return words.name(measurement), words.verdict_text(measurement), number, words.meaning(measurement)


def measure(state: _State | Encoding) -> Measurements:
    """What Properties measures of the encoding of a state: of the exact table, whatever the number format."""
    return Measurements(analyse(state if isinstance(state, Encoding) else checked_state(state).encoding).measurements)


class Figure:
    """A figure of a state, drawn in a process of its own when it is shown or saved, with its caption if asked for."""

    def __init__(self, what: str, state: _State, options: Sequence[str], *, caption: bool = False) -> None:
        self.what, self.state, self._options, self._caption = what, state, options, caption

    def __repr__(self) -> str:
        return f"Figure({self.what!r}, {self.state!r})"

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write it as .png, .svg or .pdf and give the file; ValueError with a sentence where that can't be done."""
        target = writable_target(Path(path), overwrite=overwrite)
        if self._caption:
            writable_target(target.with_suffix(".txt"), overwrite=overwrite)
        self._run("-o", str(target), "--force", *["--caption"] * self._caption)
        return target

    def _repr_svg_(self) -> str:
        return self._svg

    def _repr_png_(self) -> bytes:
        return self._png

    @cached_property
    def _svg(self) -> str:
        return self._run("-o", "-", "--format", "svg").decode()

    @cached_property
    def _png(self) -> bytes:
        # In the dots of a screen: at 600 to an inch of paper a notebook would grow by megabytes.
        inches = _INCHES.search(self._svg)
        sides = [round(float(side) * _DOTS_PER_INCH) for side in inches.groups()] if inches else []
        size = ["--size={}x{}".format(*sides)] if sides else []
        return self._run("-o", "-", "--format", "png", *size)

    def _run(self, *more: str) -> bytes:
        """What the command export prints; ValueError with its sentence where it fails."""
        command = [*_PROGRAM, "export", self.what, *_settings(self.state), *self._options, *more]
        done = subprocess.run(command, env=_environment(), stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode:
            lines = [line for line in done.stderr.decode(errors="replace").splitlines() if line.startswith(_SPOKEN)]
            raise ValueError(_in_python(lines[-1]) if lines else f"Drawing ended with {done.returncode}.")
        return done.stdout


def _in_python(line: str) -> str:
    """What the command says of an option, in the words of a call."""
    named = re.sub(r"--([a-z-]+)", lambda option: option[1].replace("-", "_"), line.removeprefix(_SPOKEN))
    return re.sub(r" \(see .*\)$", "", named).replace(" Nothing was written.", "")


def figure(what: str, state: _State, *, caption: bool = False, **looks: Any) -> Figure:
    """A figure of `export`, or several with + between them; it shows itself in a notebook, and has `save(path)`.

    caption: `save` writes it beside the file, as .txt. looks: width, text, title, theme, purpose, size, transparent,
    no_cursor, with the values of --width, ...: a number is inches, of text points; a title of "" is none; a size may be
    a pair.
    CannotStartError with a sentence where Qt is missing.
    """
    _check_qt_is_installed()
    with _without_file():
        figure_rows(what)
    options = [_option(name, value) for name, value in looks.items() if value is not None and value is not False]
    return Figure(what, checked_state(state), options, caption=caption)


def code(what: str, state: _State, library: str = "numpy") -> str:
    """The program for an array or a figure, as the command code prints it.

    library: numpy, torch or jax. ValueError with a sentence where a state has no such array, and for a figure in
    another library than NumPy.
    """
    with _without_file():
        return figures.code(what, state, library)


@contextlib.contextmanager
def _without_file() -> Iterator[None]:
    """The refusal of an export as one of a function, which would have written nothing anyway."""
    try:
        yield
    except ExportError as error:
        raise ValueError(error.sentence) from error


def _option(name: str, value: Any) -> str:
    checked_word("an option of a figure", name, (*_LOOKS, "caption"))
    if name == "size" and isinstance(value, tuple | list):
        value = "x".join(map(str, value))
    unit = _UNITS.get(name, "") if isinstance(value, int | float) else ""
    return f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}{unit}")


def picture(state: _State) -> str | None:
    """The .svg by which a state shows itself: what is in front, or else the plots; None where Qt is missing."""
    if find_spec("PySide6") is None:
        return None
    in_front = [figure_of(view, state) for view in state.views.front]
    return figure(next(filter(None, in_front), PANELS[0]), state)._repr_svg_()


def open(state: _State) -> "subprocess.Popen[bytes]":  # noqa: A001 - the door's word for it
    """Open the window with a state, in a process of its own, and give the process.

    CannotStartError with a sentence where Qt or a screen is missing.
    """
    _check_qt_is_installed()
    check_display(os.environ)
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(
        [*_PROGRAM, *_settings(state)],
        env=_environment(),
        stdin=nowhere,
        stdout=nowhere,
        stderr=nowhere,
        start_new_session=True,
    )


# How figures look, and what numbers are.
_LOOKS: Final = ("width", "text", "title", "theme", "purpose", "size", "transparent", "no_cursor")
_UNITS: Final = {"width": "in", "text": "pt"}
_DOTS_PER_INCH: Final = 144
_INCHES: Final = re.compile(r'<svg width="([\d.]+)in" height="([\d.]+)in"')
# Without the folder where Python was started, whose files may have the names of modules.
_PROGRAM: Final = (sys.executable, "-P", "-m", "pe_desktop")
_SPOKEN: Final = "pe-desktop: "


def _settings(state: _State) -> list[str]:
    return [f"--set={name}={text_of(name, value)}" for name, value in assignments_of(checked_state(state)).items()]


def _environment() -> dict[str, str]:
    """That of this process, with the package where it was found."""
    places = [str(Path(__file__).resolve().parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(places), "PYTHONIOENCODING": "utf-8"}


def _check_qt_is_installed() -> None:
    if find_spec("PySide6") is None:
        raise CannotStartError(package_refusal("PySide6"))
