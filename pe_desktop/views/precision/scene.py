"""Precision: what float32, float16 and bfloat16 do to the table, to its frequencies, and to printed numbers."""

import math
from collections.abc import Mapping
from typing import Final, Protocol

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.precision.formats import Precision
from pe_desktop.core.precision.measured import Roundings, roundings
from pe_desktop.core.precision.tables import has_forms
from pe_desktop.core.state import State
from pe_desktop.draw.scene import Box, Scene, page_width
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.precision import errors, forms, printed, words


class _Page(Protocol):
    """What the file of a page offers."""

    def scene(self, state: State, known: Roundings | None, box: Box) -> Scene: ...

    def height(self, state: State, known: Roundings | None, width: float) -> float: ...

    def changes(
        self, state: State, known: Roundings | None, width: float, x: float, y: float
    ) -> Mapping[str, object]: ...

    def readout(self, state: State, known: Roundings | None) -> list[str]: ...


_PAGES: Final[Mapping[str, _Page]] = {"errors": errors, "forms": forms, "printed": printed}
_EXPLANATIONS: Final = {
    "errors": (
        "The largest error of the table up to a position, in each format, both axes by their logarithm; dashed where "
        "position ids are cast before they are multiplied. Frequencies, angles, sines and cosines are computed in "
        "float32, smaller formats cast from it."
    ),
    "forms": (
        "The relative error of each angular frequency in float32, computed by exp, by a power of the base, or in "
        "float64 and rounded once. The line is the chosen pair."
    ),
    "printed": (
        "Dot products and a cosine as a text prints them, in float32 with 64 running sums and with one, and exactly."
    ),
}


def questions(state: State) -> tuple[Question, ...]:
    return () if state.views.precision.page == "printed" else (_question(state),)


def scene(state: State, answers: Answers, box: Box) -> Scene:
    return _page(state).scene(state, _known(state, answers), box.as_page())


def height(state: State, answers: Answers, width: float, theme: Theme) -> float:
    return _page(state).height(state, _known(state, answers), page_width(width))


def changes(state: State, answers: Answers, width: float, x: float, y: float) -> Mapping[str, object]:
    """Which names of the state a press at a point changes."""
    return _page(state).changes(state, _known(state, answers), page_width(width), x, y)


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    shown = words.shown_precision(state.precision)
    name = words.name_of(shown, has_forms=has_forms(state.encoding))
    return fitting("caption", (f"{name} beside the exact table", name), room)


def readout(state: State, answers: Answers) -> str:
    return "\n".join(_page(state).readout(state, _known(state, answers)))


def sentence(state: State, answers: Answers) -> str:
    page = state.views.precision.page
    if page == "errors":
        return words.sentence(state.encoding, state.precision, _known(state, answers))
    return words.forms_heading(state.encoding) if page == "forms" else words.PRINTED


def explanation(state: State) -> str:
    return _EXPLANATIONS[state.views.precision.page]


def _page(state: State) -> _Page:
    return _PAGES[state.views.precision.page]


def _find(encoding: Encoding, chosen: Precision, task: Task) -> Roundings | None:
    return roundings(encoding, chosen, task)


def _question(state: State) -> Question:
    return Question("precision", _find, (state.encoding, state.precision), 1, "Comparing formats")


def _known(state: State, answers: Answers) -> Roundings | None:
    if not questions(state):
        return None
    known: Roundings | None = answers.answer(_question(state))
    return known
