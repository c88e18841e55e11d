"""Code: the program of the current table, two listings of the texts as they run, a session, and forward."""

from typing import Final

from pe_desktop.core.listings.program import LIBRARIES
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw.flow import Block, Column, Space
from pe_desktop.model.findings import Answers
from pe_desktop.views.code.pages import LAST_STEP, page_of, program_of
from pe_desktop.views.controls import Changes, Choice, Declared, Press
from pe_desktop.views.paged import Page, PagedView


@record
class _Words:
    """Of a page: its button, what that says, the words beside the title, its figure's title and caption.

    short: the words beside the title where there is little room, the button's where none are given.
    """

    title: str
    tooltip: str
    subtitle: str
    sentence: str
    explanation: str
    short: str = ""


_PAGES: Final = {
    "now": _Words(
        "Now", "The current table as a program", "the current table", "The current table as a program",
        "The program computes the table by itself and leaves it in a variable named encoding.",
    ),
    "listing-1": _Words(
        "Listing 1", "Tavares, listing 1: three defects, and a module that runs", "a module that runs",
        "Listing 1 as it runs, and its three defects",
        "What does not run stands on red, what replaces it on green, and the whole module beside it.",
    ),
    "listing-4": _Words(
        "Listing 4", "Tavares, listing 4: what its broadcast holds at once, and the closed form",
        "all distances at once, or by offset", "What the broadcast of listing 4 holds, and the closed form",
        "Bytes of what each way holds at once, and how far their distances differ, measured on this encoding.",
        "all distances",
    ),
    "repl": _Words(
        "Session", "A table built step by step, with every shape", "a table step by step",
        "A table is built step by step",
        "The chosen line of the session with the shape and the values that it leaves; new columns are tinted.",
        "step by step",
    ),
    "forward": _Words(
        "Forward", "What forward of listing 1 is for: timesteps of a U-Net", "a row for each image",
        "One row for each image, added on every pixel",
        "From a timestep for each image to what is added to every pixel: all cells of a plane have one number.",
    ),
}  # fmt: skip


def _words(state: State) -> _Words:
    return _PAGES[state.views.code.page]


def _block(state: State, _answers: Answers) -> Block:
    return Column((Space(4.0), page_of(state)))


def _program(state: State, _answers: Answers) -> str:
    return program_of(state)


def _sentence(state: State, _answers: Answers) -> str:
    return _words(state).sentence


def _explanation(state: State) -> str:
    return _words(state).explanation


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    words = _words(state)
    return words.subtitle, words.short or words.title


def _step_before(state: State) -> Changes | None:
    step = state.views.code.step
    return {"code.step": step - 1} if step > 0 else None


def _step_after(state: State) -> Changes | None:
    step = state.views.code.step
    return {"code.step": step + 1} if step < LAST_STEP else None


def _is_now(state: State) -> bool:
    return state.views.code.page == "now"


def _is_session(state: State) -> bool:
    return state.views.code.page == "repl"


VIEW = PagedView(
    "",
    {"": Page(_block, _sentence, _explanation, text=_program)},
    _forms,
    Declared(
        page="code.page",
        accessible_name="Code",
        readout_title="Copy this program",
        smallest=(420, 220),
        describes_cursor=False,
        controls=(
            Choice(
                name="code.page",
                label="Code shows",
                words={page: words.title for page, words in _PAGES.items()},
                tooltips={page: words.tooltip for page, words in _PAGES.items()},
            ),
            Choice(
                name="code.library",
                label="Library",
                words={name: library.title for name, library in LIBRARIES.items()},
                is_in_title=False,
                is_shown=_is_now,
            ),
            Press(text="Previous step", icon="prev", changes=_step_before, is_shown=_is_session),
            Press(text="Next step", icon="next", changes=_step_after, is_shown=_is_session),
            Press(text="Copy", tooltip="Copy this program", action="copy_readout"),
        ),
    ),
)
