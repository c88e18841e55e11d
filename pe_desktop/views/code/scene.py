"""Code: the program of the current table, two listings of the texts as they run, a session, and forward."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from pe_desktop.caches import told_cache
from pe_desktop.core.listings.figures import listing
from pe_desktop.core.listings.names import rows_at
from pe_desktop.core.listings.program import LIBRARIES, computed
from pe_desktop.core.listings.texts import (
    SESSION_SIZES,
    Step,
    broadcast_agreement,
    distance_costs,
    module_listing,
    session,
    session_listing,
    timesteps,
)
from pe_desktop.core.record import record
from pe_desktop.core.state import State, with_name
from pe_desktop.draw.flow import Block, Column, Row, Space, Table, paragraph
from pe_desktop.draw.number_text import scientific, whole
from pe_desktop.files import bytes_in_words
from pe_desktop.model.findings import Answers
from pe_desktop.views.code.page import Program, beside, note, numbers, planes, stacked
from pe_desktop.views.controls import Choice, Declared, Press
from pe_desktop.views.paged import Page, PagedView

# N and d of the text.
_TEXT_SIZES: Final = (1000, 1000)
_BROADCAST: Final = "differences = table[:, None, :] - table[None, :, :]\ndistance = norm(differences, axis=-1)"
# What does not run, what does, and why.
_DEFECTS: Final = (
    (
        "import pytorch.nn as nn",
        ("from torch import nn",),
        "The package is called torch: the first line ends in ModuleNotFoundError.",
    ),
    (
        "torch.zeros(time_steps, …)",
        ("torch.zeros(n_positions, d_model)",),
        "Nothing is called time_steps, the argument is max_pos: NameError when the module is made.",
    ),
    (
        "torch.arange(…), math.log(…)",
        ("import math", "import torch"),
        "Neither torch nor math is imported: NameError before that.",
    ),
)
_CLOSED_FORM: Final = (
    "The distance depends on the offset alone, so N numbers are the whole matrix, and no two large numbers are "
    "subtracted."
)
_STEP_NAMES: Final = ("zeros", "positions", "one column", "frequencies", "sines", "cosines", "batch")
_STEP_WORDS: Final = (
    "An empty table: one row for each position, one column for each dimension.",
    "The positions, counted from 0.",
    "A second axis of length 1: a column of positions can be multiplied with a row of frequencies.",
    "A frequency for each pair, as exp of a logarithm. Pairs count from 0: pair 0 holds dimensions 0 and 1.",
    "(5, 1) times (d/2,) is broadcast to (5, d/2), an angle for each position and pair. The sines fill columns 0, 2, …",
    "The cosines fill columns 1, 3, … In float32 cos 0.01 is a little less than 0.99995: it is printed as 0.9999.",
    "An axis of length 1 in front: the same table is added to every sentence of a batch.",
)
_OF_NOISE: Final = (
    "forward of listing 1 is made for a U-Net that removes noise from images: t is no place in a sentence, it "
    "says how noisy each image of the batch is."
)
_OF_PLANES: Final = (
    "Broadcast over H × W: each cell below is a plane, one channel of one image, with one number on all of its pixels. "
    "No pixel is told where it stands."
)
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
    exact = encoding.values(range(n_rows))
    apart = float(np.abs(made - exact).max())
    which = "" if n_rows == encoding.n_positions else f" in the first {whole(n_rows)} rows"
    shown = tuple(tuple(f"{value:.4f}" for value in row) for row in made[:_FIRST_ROWS, :_MOST_COLUMNS].tolist())
    said = (
        f"By these formulas in NumPy float64; the largest difference from the table of the panels is "
        f"{scientific(apart) if apart else '0'}{which}."
    )
    heading = _heading(f"encoding: shape ({', '.join(sizes)})")
    right = stacked(heading, numbers("the first rows", shown, ()), note(2, said))
    return stacked(note(1, text), beside(Program("program", _table_program(state)), right))


def _first_listing(state: State) -> Block:
    """Listing 1 as it runs, with its three defects in place."""
    encoding = state.encoding
    text = module_listing(state.encoding)
    said = tuple(
        (number, f"In place of {wrong}: {why}")
        for number, line in enumerate(text.splitlines(), 1)
        for wrong, right, why in _DEFECTS
        if line.strip() and any(part in line for part in right)
    )
    sizes = f"for N = {whole(encoding.n_positions)} and d = {whole(encoding.d_model)}"
    lead = (
        "Listing 1 of Tavares, Transformers Breakdown, does not run, for three reasons. Here is one that does, with "
        f"PyTorch in float32, {sizes}; a red mark stands where something was replaced."
    )
    moved = (
        "Not a defect, but changed: a buffer moves to another device with its module, so forward needs no image to ask "
        "where it is."
    )
    defects = (f"{' and '.join(right)}, in place of {wrong}: {why}" for wrong, right, why in _DEFECTS)
    first, *others = (note(number, one) for number, one in enumerate((lead, *defects, moved), 1))
    return stacked(first, beside(Program("module", text, said), stacked(_heading("Three defects"), *others)))


def _fourth_listing(state: State) -> Block:
    """What the broadcast of listing 4 holds, and the closed form."""
    encoding = state.encoding
    sizes = (_TEXT_SIZES, encoding.shape)
    differences, angles, distances = zip(*(map(bytes_in_words, distance_costs(*size)) for size in sizes), strict=True)
    n_compared, apart = broadcast_agreement(encoding)
    closed = encoding.is_shift_invariant
    other = "2 √(Σ sin²(kω/2)) by offset" if closed else "one row at a time"
    law = f"For {encoding.title} no closed form by offset is used: one row at a time takes N × d numbers."
    law = _CLOSED_FORM if closed else law
    measured = (
        f"Measured on the first {whole(n_compared)} positions: norms of the broadcast and {other} "
        f"differ by {scientific(apart) if apart else '0'} at most."
    )
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
        Program("broadcast", _BROADCAST),
        Program("closed form", listing("distance", state)),
    )


def _session_step(state: State) -> Block:
    """The chosen line of the session, with the shape and the values that it leaves."""
    encoding = state.encoding
    number = state.views.code.step
    lines = session(SESSION_SIZES[1], 10_000.0)
    chosen = stacked(Program("step", lines[number].line), note(1, _STEP_WORDS[number]))
    blocks = [beside(chosen, _steps(lines, number)), _grid(lines[number], "5 tokens, 4 dimensions")]
    d_model = max(encoding.d_model // 2 * 2, 2)
    base = float(encoding.parameters.get("base", 10_000.0))
    if (d_model, base) != (SESSION_SIZES[1], 10_000.0):
        here = session(d_model, base, _MOST_COLUMNS)[number]
        blocks.append(_grid(here, f"5 tokens, d = {whole(d_model)}, base {whole(base)}"))
    return stacked(*blocks)


def _steps(lines: tuple[Step, ...], chosen: int) -> Block:
    """The shape after each step; a press chooses it."""
    named = enumerate(zip(_STEP_NAMES, lines, strict=True))
    rows = (
        Row((f"{n + 1} {name}", str(line.shape)), {"code.step": n}, n == chosen, name=f"step {n + 1}: {name}")
        for n, (name, line) in named
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
    positions = timesteps(encoding)
    values = encoding.values(positions, range(min(d_model, _CHANNELS)))
    images = tuple(
        planes(f"image {number}, t = {t}", tuple(row), encoding.value_limit, float(t))
        for number, (t, row) in enumerate(zip(positions, values.tolist(), strict=True))
    )
    shapes = (
        ("t", "(B,)", "a timestep for each image"),
        ("table[t]", f"(B, {d_model})", "a row for each image"),
        ("table[t][:, :, None, None]", f"(B, {d_model}, 1, 1)", "a number for each channel"),
        ("x + that", f"(B, {d_model}, H, W)", "the same on every pixel"),
    )
    return stacked(
        note(1, _OF_NOISE),
        Table(("", "shape", "is"), tuple(map(Row, shapes))),
        note(2, _OF_PLANES),
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


@record(eq=False)
class _Row:
    """A page: its button, its blocks, its program, the title and the caption of its figure."""

    title: str
    make: Callable[[State], Block]
    program: Callable[[State], str]
    sentence: str
    explanation: str

    @property
    def page(self) -> Page:
        """Of a state without a cursor."""
        return Page(
            lambda state, _answers: _block(self.make, _still(state)),
            lambda _state, _answers: self.sentence,
            self.explanation,
            text=lambda state, _answers: self.program(_still(state)),
        )


_ROWS: Final = {
    "now": _Row(
        "This table", _now, _table_program, "The current table as a program",
        "The program computes the table by itself and leaves it in a variable named encoding.",
    ),
    "listing-1": _Row(
        "Listing 1", _first_listing, lambda state: module_listing(state.encoding),
        "Listing 1 as it runs, and its three defects",
        "A red mark stands at lines that replace what does not run; beside them, what that was and why.",
    ),
    "listing-4": _Row(
        "Listing 4", _fourth_listing, lambda state: listing("distance", state),
        "What the broadcast of listing 4 holds, and the closed form",
        "Bytes of what each way holds at once, and how far their distances differ, measured on this encoding.",
    ),
    "repl": _Row(
        "Step by step", _session_step,
        lambda state: session_listing(session(SESSION_SIZES[1], 10_000.0)[: state.views.code.step + 1]),
        "A table is built step by step",
        "The chosen line of the session with the shape and the values that it leaves; new columns say so.",
    ),
    "forward": _Row(
        "U-Net", _forward, _forward_program, "One row for each image, added on every pixel",
        "From a timestep for each image to what is added to every pixel: all pixels of a plane have one number.",
    ),
}  # fmt: skip


def _forms(state: State, _answers: Answers) -> tuple[str, str]:
    row = _ROWS[state.views.code.page]
    return row.sentence, row.title


VIEW = PagedView(
    "code.page",
    {name: row.page for name, row in _ROWS.items()},
    _forms,
    Declared(
        controls=(
            Choice(
                name="code.page",
                label="Code shows",
                words={name: row.title for name, row in _ROWS.items()},
                tooltips={name: row.sentence for name, row in _ROWS.items()},
            ),
            Choice(
                name="code.library",
                label="Library",
                words={name: library.title for name, library in LIBRARIES.items()},
                is_in_title=False,
                is_shown=lambda state: state.views.code.page == "now",
            ),
            Press(text="Copy", tooltip="Copy this program", action="copy_readout"),
            Press(text="Save .py…", tooltip="Save this program in a file", action="save_program"),
        ),
    ),
)
