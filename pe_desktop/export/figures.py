"""Figures by their names, alone or as panels of a page, and the programs of figures and arrays. Without Qt."""

from importlib.util import find_spec
from typing import Final

from pe_desktop.core.listings.arrays import ARRAY_CALLS
from pe_desktop.core.listings.figures import listing
from pe_desktop.core.listings.program import LIBRARIES, NO_PROGRAM
from pe_desktop.core.rules import checked_word, names_for, shown
from pe_desktop.core.state import State, checked_state
from pe_desktop.export.arrays import ARRAYS, array_of
from pe_desktop.export.figure_sheet import PANEL_LETTERS, choice
from pe_desktop.files import ExportError
from pe_desktop.views.table import FIGURES, FigureRow

PNG: Final = ".png"
SVG: Final = ".svg"
PDF: Final = ".pdf"
FIGURE_SUFFIXES: Final = (PNG, SVG, PDF)
LISTED: Final = "export --list names all"
# Pages of panels that lists offer.
PANELS: Final = "clock+waves+matrix", "clock+waves", "waves+matrix", "clock+rotation", "similarity+similarity-distance"


def figure_rows(what: str) -> tuple[FigureRow, ...]:
    """The rows of FIGURES on a page: clock, or clock+waves+matrix for panels a, b and c. Raises ExportError."""
    rows = tuple(_figure(name) for name in str(what).split("+"))
    if len(rows) > len(PANEL_LETTERS):
        raise ExportError(f"A page has at most {len(PANEL_LETTERS)} panels: {what} has {len(rows)}.")
    if len(rows) > 1 and any(row.lettering is not None for row in rows):
        raise ExportError("A figure as a text prints it stands on a page of its own.")
    return rows


def pages_refusal(what: str, n_pages: int, suffix: str) -> str:
    """Why a file of a format can't hold the pages of a figure, as a sentence; nothing where it can."""
    if n_pages == 1 or suffix == PDF:
        return ""
    row = figure_rows(what)[0]
    fewer = choice(row.fewer)
    return f"{row.title} takes {n_pages} pages, which only a {PDF} holds; {fewer} leaves fewer cards."


def no_such(what: str) -> ExportError:
    """The refusal of a name that neither an array nor a figure has."""
    near = names_for(what, {**ARRAYS, **FIGURES}, LISTED)
    return ExportError(f"There is no array or figure {shown(what) or 'without a name'}: {near}")


def file_name(what: str) -> str:
    """What a file of an array or a figure is called, which no system takes for more than a name."""
    return what.replace(":", "-")


def _figure(what: str) -> FigureRow:
    if what not in FIGURES:
        raise ExportError(f"There is no figure {shown(what) or 'without a name'}: {names_for(what, FIGURES, LISTED)}")
    return FIGURES[what]


def code(what: str, state: State, library: str = "numpy") -> str:
    """The program for an array or a figure; it leaves its result in a variable of that name, - and : as underscores.

    ExportError with the sentence of the export where a state has no such array, for one that is trained, and for a
    figure in another library than NumPy. PyTorch and JAX are no part of this application: where they are not installed
    the program is compiled, and says that it was not run.
    """
    checked_state(state)
    checked_word("library", library, LIBRARIES)
    if what in ARRAYS:
        array_of(what, state)
        if what not in ARRAY_CALLS:
            raise ExportError(NO_PROGRAM.format(what))
        text = listing(what, state, library)
    else:
        text = _of_figure(what, state, library)
    chosen = LIBRARIES[library]
    if find_spec(chosen.module) is None:
        compile(text, what, "exec")
        text = f"# Compiled, not run: {chosen.title} is not installed here.\n{text}"
    return text


def _of_figure(what: str, state: State, library: str) -> str:
    if what not in FIGURES:
        raise no_such(what)
    if library != "numpy":
        title = LIBRARIES[library].title
        arrays = ", ".join(ARRAY_CALLS)
        raise ExportError(f"The program of the figure {what} is NumPy's: {title} has those of {arrays}.")
    if FIGURES[what].view == "learn" or (FIGURES[what].view == "attention" and state.views.attention.back):
        raise ExportError(NO_PROGRAM.format(what))
    try:
        return listing(file_name(what), FIGURES[what].state(state), view=FIGURES[what].view)
    except ExportError:
        raise
    except ValueError as error:
        raise ExportError(str(error)) from error
