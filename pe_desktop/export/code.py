"""Arrays and figures as programs: which there are, and what one says of a library that is missing."""

from importlib.util import find_spec

from pe_desktop.core.listings.figures import figure_listing, listing
from pe_desktop.core.listings.program import LIBRARIES
from pe_desktop.core.state import State
from pe_desktop.export.arrays import ARRAYS, array_refusal
from pe_desktop.export.figures import no_such
from pe_desktop.files import ExportError
from pe_desktop.views.table import FIGURES


def code(what: str, state: State, library: str = "numpy") -> str:
    """The program for an array or a figure; it leaves its result in a variable of that name, hyphens as underscores.

    ExportError with the sentence of the export where a state has no such array, and for a figure in another library
    than NumPy. PyTorch and JAX are no part of this application: where they are not installed the program is compiled,
    and says that it was not run.
    """
    if what in ARRAYS:
        refusal = array_refusal(what, state)
        if refusal:
            raise ExportError(refusal)
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
        title, arrays = LIBRARIES[library].title, ", ".join(ARRAYS)
        raise ExportError(f"The program of the figure {what} is NumPy's: {title} has those of {arrays}.")
    try:
        return figure_listing(what, FIGURES[what].view, FIGURES[what].state(state))
    except ExportError:
        raise
    except ValueError as error:
        raise ExportError(str(error)) from error
