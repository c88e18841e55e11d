"""Code: the program of the current table, two listings of the texts as they run, a session, and forward."""

import math
from typing import Final

from pe_desktop.core.state import State
from pe_desktop.draw.scene import Box, Part, Scene, page_width
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.code.page import page_height, page_picture, page_places
from pe_desktop.views.code.pages import blocks_of, program_of

PAGES: Final = {
    "now": "Now",
    "listing-1": "Listing 1",
    "listing-4": "Listing 4",
    "repl": "Session",
    "forward": "Forward",
}
_SUBTITLES: Final = {
    "now": "the current table",
    "listing-1": "a module that runs",
    "listing-4": "all distances at once, or by offset",
    "repl": "a table step by step",
    "forward": "a row for each image",
}
_SHORT: Final = {"listing-4": "all distances", "repl": "step by step"}
_SENTENCES: Final = {
    "now": "The current table as a program",
    "listing-1": "Listing 1 as it runs, and its three defects",
    "listing-4": "What the broadcast of listing 4 holds, and the closed form",
    "repl": "A table is built step by step",
    "forward": "One row for each image, added on every pixel",
}
_EXPLANATIONS: Final = {
    "now": "The program computes the table by itself and leaves it in a variable named encoding.",
    "listing-1": "What does not run stands on red, what replaces it on green, and the whole module beside it.",
    "listing-4": "Bytes of what each way holds at once, and how far their distances differ, measured on this encoding.",
    "repl": "The chosen line of the session with the shape and the values that it leaves; new columns are tinted.",
    "forward": "From a timestep for each image to what is added to every pixel: all cells of a plane have one number.",
}


def questions(state: State) -> tuple[Question, ...]:
    return ()


def scene(state: State, answers: Answers, box: Box) -> Scene:
    page = blocks_of(state), page_width(box.width), box.theme
    return Scene(still=Part(page_picture, *page), places=Part(page_places, *page))


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    page = state.views.code.page
    return fitting("caption", (_SUBTITLES[page], _SHORT.get(page, PAGES[page])), room)


def readout(state: State, answers: Answers) -> str:
    """The program of the page."""
    return program_of(state)


def sentence(state: State, answers: Answers) -> str:
    return _SENTENCES[state.views.code.page]


def explanation(state: State) -> str:
    return _EXPLANATIONS[state.views.code.page]


def height(state: State, answers: Answers, width: float, theme: Theme) -> float:
    return page_height(blocks_of(state), page_width(width))
