"""Code: the program of the current table, two listings of the texts as they run, a session, and forward."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Final

from pe_desktop.core.listings.program import LIBRARIES
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw.flow import Block, Column, Space
from pe_desktop.model.findings import Answers
from pe_desktop.views.code import pages
from pe_desktop.views.controls import Changes, Choice, Declared, Press
from pe_desktop.views.paged import Page, PagedView


@record(eq=False)
class _Row:
    """A page: its button, what that says, the words beside the title, its figure's title and caption.

    block, program: what it shows, and the program that it gives away, of a state without a cursor; short: the words
    beside the title where there is little room, the button's where none are given.
    """

    title: str
    tooltip: str
    subtitle: str
    sentence: str
    explanation: str
    block: Callable[[State], Block]
    program: Callable[[State], str]
    short: str = ""

    def page(self) -> Page:
        def block(state: State, _answers: Answers) -> Block:
            return _block(self.block, _still(state))

        def sentence(_state: State, _answers: Answers) -> str:
            return self.sentence

        def program(state: State, _answers: Answers) -> str:
            return self.program(_still(state))

        return Page(block, sentence, self.explanation, text=program)


def _still(state: State) -> State:
    """What the pages show of a state."""
    views = replace(State().views, code=state.views.code)
    return replace(State(state.encoding), precision=state.precision, views=views)


@lru_cache(maxsize=8)
def _block(make: Callable[[State], Block], state: State) -> Block:
    return Column((Space(4.0), make(state)))


_ROWS: Final = {
    "now": _Row(
        "Now", "The current table as a program", "the current table", "The current table as a program",
        "The program computes the table by itself and leaves it in a variable named encoding.",
        pages.now, pages.table_program,
    ),
    "listing-1": _Row(
        "Listing 1", "Tavares, listing 1: three defects, and a module that runs", "a module that runs",
        "Listing 1 as it runs, and its three defects",
        "What does not run stands on red, what replaces it on green, and the whole module beside it.",
        pages.first_listing, pages.module_program,
    ),
    "listing-4": _Row(
        "Listing 4", "Tavares, listing 4: what its broadcast holds at once, and the closed form",
        "all distances at once, or by offset", "What the broadcast of listing 4 holds, and the closed form",
        "Bytes of what each way holds at once, and how far their distances differ, measured on this encoding.",
        pages.fourth_listing, pages.distance_program, "all distances",
    ),
    "repl": _Row(
        "Session", "A table built step by step, with every shape", "a table step by step",
        "A table is built step by step",
        "The chosen line of the session with the shape and the values that it leaves; new columns are tinted.",
        pages.session_step, pages.session_program,
        "step by step",
    ),
    "forward": _Row(
        "Forward", "What forward of listing 1 is for: timesteps of a U-Net", "a row for each image",
        "One row for each image, added on every pixel",
        "From a timestep for each image to what is added to every pixel: all cells of a plane have one number.",
        pages.forward, pages.forward_program,
    ),
}  # fmt: skip


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    row = _ROWS[state.views.code.page]
    return row.subtitle, row.short or row.title


def _step_before(state: State) -> Changes | None:
    step = state.views.code.step
    return {"code.step": step - 1} if step > 0 else None


def _step_after(state: State) -> Changes | None:
    step = state.views.code.step
    return {"code.step": step + 1} if step < pages.LAST_STEP else None


def _is_now(state: State) -> bool:
    return state.views.code.page == "now"


def _is_session(state: State) -> bool:
    return state.views.code.page == "repl"


VIEW = PagedView(
    "code.page",
    {name: row.page() for name, row in _ROWS.items()},
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
                words={name: row.title for name, row in _ROWS.items()},
                tooltips={name: row.tooltip for name, row in _ROWS.items()},
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
