"""Code: the program of the current table, two listings of the texts as they run, a session, and forward."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from pe_desktop.caches import told_cache
from pe_desktop.core.listings import texts
from pe_desktop.core.listings.figures import listing
from pe_desktop.core.listings.names import rows_at
from pe_desktop.core.listings.program import LIBRARIES, computed
from pe_desktop.core.listings.texts import SESSION_SIZES, Step, distance_costs, module_listing, session
from pe_desktop.core.state import State, with_name
from pe_desktop.draw.flow import Block, Column, Row, Space, Table, paragraph
from pe_desktop.draw.number_text import scientific, whole
from pe_desktop.files import bytes_in_words
from pe_desktop.model.findings import Answers
from pe_desktop.resources import resource_json
from pe_desktop.views.code.page import Program, beside, note, numbers, planes, stacked
from pe_desktop.views.controls import WORDS, Choice, Press
from pe_desktop.views.paged import Page, PagedView

# N and d of the text.
_TEXT_SIZES: Final = (1000, 1000)
_WORDS: Final = resource_json("help.json")["views"]["code"]
# Title, sentence and explanation by page.
_PAGES: Final = _WORDS["pages"]
_MOST_COLUMNS: Final = 16
_CHANNELS: Final = 12
# Rows that are shown of what the program computes, and values that are compared.
_FIRST_ROWS, _VALUES = 6, 2**16


@told_cache(8)
def _table_program(state: State) -> str:
    return listing("encoding", state, state.views.code.library)


def _now(state: State) -> Block:
    """The current table as a program."""
    encoding = state.encoding
    library = state.views.code.library
    run = "" if library == "numpy" else "; not run here: this application has NumPy alone"
    sizes = whole(encoding.n_positions), whole(encoding.d_model)
    text = f"{encoding.title}, {' × '.join(sizes)}, with {LIBRARIES[library].title}{run}."
    n_rows = max(min(encoding.n_positions, _VALUES // encoding.d_model), 1)
    made = np.asarray(computed(rows_at(encoding, range(n_rows))))
    apart = float(np.abs(made - encoding.values(range(n_rows))).max())
    which = "" if n_rows == encoding.n_positions else f" in the first {whole(n_rows)} rows"
    shown = tuple(tuple(f"{value:.4f}" for value in row) for row in made[:_FIRST_ROWS, :_MOST_COLUMNS].tolist())
    said = _WORDS["apart"].format(scientific(apart) if apart else "0", which)
    heading = _heading(f"encoding: shape ({', '.join(sizes)})")
    right = stacked(heading, numbers("the first rows", shown, ()), note(2, said))
    return stacked(note(1, text), beside(Program("program", _table_program(state)), right))


def _first_listing(state: State) -> Block:
    """Listing 1 as it runs, with its three defects in place."""
    encoding = state.encoding
    text = module_listing(encoding)
    defects, marked = list[str](), list[tuple[int, str]]()
    for wrong, right, why in (defect.values() for defect in _WORDS["defects"]):
        lines = enumerate(text.splitlines(), 1)
        placed = [number for number, line in lines if any(part in line for part in right)]
        marked += [(number, f"In place of {wrong}: {why}") for number in placed]
        defects.append(f"{' and '.join(right)}, in place of {wrong}: {why}")
    lead = _WORDS["lead"].format(*map(whole, encoding.shape))
    first, *others = (note(number, one) for number, one in enumerate((lead, *defects, _WORDS["moved"]), 1))
    program = Program("module", text, tuple(marked))
    return stacked(first, beside(program, stacked(_heading("Three defects"), *others)))


def _fourth_listing(state: State) -> Block:
    """What the broadcast of listing 4 holds, and the closed form."""
    encoding = state.encoding
    sizes = (_TEXT_SIZES, encoding.shape)
    differences, angles, distances = zip(*(map(bytes_in_words, distance_costs(*size)) for size in sizes), strict=True)
    n_compared, apart = texts.broadcast_agreement(encoding)
    closed = encoding.is_shift_invariant
    other = "2 √(Σ sin²(kω/2)) by offset" if closed else "one row at a time"
    law = _WORDS["closed form" if closed else "no closed form"].format(encoding.title)
    measured = _WORDS["measured"].format(whole(n_compared), other, scientific(apart) if apart else "0")
    titles = "", "1 000 × 1 000", "N = {}, d = {}".format(*map(whole, encoding.shape))
    rows = (
        ("Differences (N, N, d), float32", *differences),
        ("Angles kω/2 (N, d/2), float64", angles[0], angles[1] if closed else "–"),
        ("Distances by offset (N,), float64", distances[0], distances[1] if closed else "–"),
    )
    return stacked(
        _heading("What the broadcast of Tavares, listing 4, holds at once"),
        note(1, f"(N, 1, d) − (1, N, d) holds every difference of every two rows before one distance is taken. {law}"),
        Table(titles, tuple(map(Row, rows))),
        note(2, measured),
        Program("broadcast", _WORDS["broadcast"]),
        Program("closed form", listing("distance", state)),
    )


def _session_step(state: State) -> Block:
    """The chosen line of the session, with the shape and the values that it leaves."""
    encoding = state.encoding
    number = state.views.code.step
    lines = session(SESSION_SIZES[1], 10_000.0)
    chosen = stacked(Program("step", lines[number].line), note(1, [*_WORDS["steps"].values()][number]))
    blocks = [beside(chosen, _steps(lines, number)), _grid(lines[number], "5 tokens, 4 dimensions")]
    d_model = max(encoding.d_model // 2 * 2, 2)
    base = float(encoding.parameters.get("base", 10_000.0))
    if (d_model, base) != (SESSION_SIZES[1], 10_000.0):
        here = session(d_model, base, _MOST_COLUMNS)[number]
        blocks.append(_grid(here, f"5 tokens, d = {whole(d_model)}, base {whole(base)}"))
    return stacked(*blocks)


def _session_program(state: State) -> str:
    return texts.session_listing(session(SESSION_SIZES[1], 10_000.0)[: state.views.code.step + 1])


def _steps(lines: tuple[Step, ...], chosen: int) -> Block:
    """The shape after each step; a press chooses it."""
    rows = (
        Row((f"{n + 1} {name}", str(line.shape)), {"code.step": n}, n == chosen, name=f"step {n + 1}: {name}")
        for n, (name, line) in enumerate(zip(_WORDS["steps"], lines, strict=True))
    )
    return Table(("step", "shape"), tuple(rows))


def _heading(text: str) -> Block:
    return paragraph(text, "strong", "text")


def _grid(step: Step, sizes: str) -> Block:
    digits = ".0f" if step.line.startswith("t = ") else ".4f"
    rows = tuple(tuple(format(value, digits) for value in row) for row in step.values.tolist())
    title = f"{sizes}: shape {step.shape}"
    return Column((paragraph(title), numbers(title, rows, step.new)), gap=4.0)


def _forward_program(state: State) -> str:
    return listing("forward", with_name(state, "code.page", "forward"), view="code")


def _forward(state: State) -> Block:
    """From a timestep for each image to what is added to every pixel."""
    encoding = state.encoding
    d_model = state.encoding.d_model
    positions = texts.timesteps(encoding)
    values = encoding.values(positions, range(min(d_model, _CHANNELS)))
    images = tuple(
        planes(f"image {number}, t = {t}", tuple(row), encoding.value_limit, float(t))
        for number, (t, row) in enumerate(zip(positions, values.tolist(), strict=True))
    )
    shapes = (tuple(text.replace("{d}", str(d_model)) for text in row) for row in _WORDS["shapes"])
    return stacked(
        note(1, _WORDS["noise"]),
        Table(("", "shape", "is"), tuple(map(Row, shapes))),
        note(2, _WORDS["planes"]),
        Column(images),
        Program("forward", _forward_program(state)),
    )


def _still(state: State) -> State:
    """What the pages show of a state."""
    views = replace(State().views, code=state.views.code)
    return replace(State(state.encoding), precision=state.precision, views=views)


@told_cache(8)
def _block(make: Callable[[State], Block], state: State) -> Block:
    return Column((Space(4.0), make(state)))


def _page(name: str, make: Callable[[State], Block], program: Callable[[State], str]) -> Page:
    """A page of a state without a cursor."""
    return Page(
        lambda state, _answers: _block(make, _still(state)),
        _PAGES[name]["sentence"],
        _PAGES[name]["explanation"],
        text=lambda state, _answers: program(_still(state)),
    )


def _forms(state: State, _answers: Answers) -> tuple[str, str]:
    row = _PAGES[state.views.code.page]
    return row["sentence"], row["title"]


VIEW = PagedView(
    "code.page",
    {
        "now": _page("now", _now, _table_program),
        "listing-1": _page("listing-1", _first_listing, lambda state: module_listing(state.encoding)),
        "listing-4": _page("listing-4", _fourth_listing, lambda state: listing("distance", state)),
        "repl": _page("repl", _session_step, _session_program),
        "forward": _page("forward", _forward, _forward_program),
    },
    _forms,
    controls=(
        Choice(
            **WORDS["code"]["page"],
            words={name: row["title"] for name, row in _PAGES.items()},
            tooltips={name: row["sentence"] for name, row in _PAGES.items()},
        ),
        Choice(
            **WORDS["code"]["library"],
            words={name: library.title for name, library in LIBRARIES.items()},
            is_shown=lambda state: state.views.code.page == "now",
        ),
        *(Press(**WORDS["code"][name]) for name in ("copy", "save")),
    ),
)
