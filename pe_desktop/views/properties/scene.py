"""Properties: what the encoding has and lacks, measured; where positions come too near; what distance knows."""

import math
from collections.abc import Mapping
from typing import Any, Final, Protocol

from pe_desktop.core.state import State
from pe_desktop.draw.number_text import copied
from pe_desktop.draw.scene import Box, Place, Scene, page_width
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.properties import collisions, distance, scales, verdicts, words
from pe_desktop.views.properties.words import PROPERTY_NAMES


class _Page(Protocol):
    """What the file of a page offers."""

    def questions(self, state: State) -> tuple[Question, ...]: ...

    def height(self, state: State, width: float) -> float: ...

    def scene(self, state: State, answers: Answers, box: Box) -> Scene: ...

    def changes(self, state: State, answers: Answers, box: Box, place: Place, x: float) -> Mapping[str, Any]: ...

    def sentence(self, state: State, answers: Answers) -> str: ...

    def explanation(self, state: State) -> str: ...


_PAGES: Final[Mapping[str, _Page]] = {
    "verdicts": verdicts,
    "collisions": collisions,
    "distance": distance,
    "scales": scales,
}


def questions(state: State) -> tuple[Question, ...]:
    # The words beside the title count the verdicts on every page.
    return tuple(dict.fromkeys((*_page(state).questions(state), *verdicts.questions(state))))


def height(state: State, answers: Answers, width: float, theme: Theme) -> float:
    """How high the page is when all is known."""
    return _page(state).height(state, page_width(width))


def scene(state: State, answers: Answers, box: Box) -> Scene:
    return _page(state).scene(state, answers, box.as_page())


def changes(state: State, answers: Answers, box: Box, place: Place, x: float) -> Mapping[str, Any]:
    """Which names of the state a press in a place at an x changes."""
    return _page(state).changes(state, answers, box.as_page(), place, x)


def is_plot(place: Place) -> bool:
    """Whether a drag in it moves k, where other places react to a press alone."""
    return place.name in distance.PLOTS


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    measured = verdicts.measured_of(state, answers)
    return fitting("caption", words.count_texts(measured, len(measured)), room)


def readout(state: State, answers: Answers) -> str:
    known = {one.key: one for one in verdicts.measured_of(state, answers)}
    return "\n".join(
        f"{name}\t{words.verdict_text(known[key])}\t{copied(known[key].number)}\t{words.sentence(known[key])}"
        for key, name in PROPERTY_NAMES.items()
        if key in known
    )


def sentence(state: State, answers: Answers) -> str:
    return _page(state).sentence(state, answers)


def explanation(state: State) -> str:
    return _page(state).explanation(state)


def tooltip(state: State, answers: Answers, place: Place | None) -> str:
    """What a row of the verdicts says in full."""
    if place is None or state.views.properties.page != "verdicts":
        return ""
    measurement = verdicts.measurement_at(state, answers, place)
    if measurement is None:
        return ""
    lines = (words.sentence(measurement), words.measured_on(measurement), words.wish(measurement))
    return "\n".join(filter(None, lines))


def _page(state: State) -> _Page:
    return _PAGES[state.views.properties.page]
