"""What the programs that draw heat maps are asked to do: sizes, views, and the table that peers are given."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QWidget

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.heat.heatmap import View

PICTURE_SIZE = (1000, 800)
# The application once more with OpenGL, be it drawn by the processor.
OPENGL_TOOL = "application OpenGL"
# full: zooming while seven tenths of the table or more are seen. pan: by 37 cells at a cell a pixel or larger.
# jump: the same, but to where nothing was seen before. base: another base, the whole table seen. repaint: no change.
KINDS = ("full", "pan", "jump", "base", "repaint")
# Both with axes and cursors at t and t + k, the application as it is on the screen. cursor: t moves by one position.
AXES_TOOLS = ("application with axes", "ImageItem with axes")
AXES_KINDS = ("pan", "jump", "cursor")
# The plot that the application's axes and strip leave of a window of PICTURE_SIZE, and where it begins.
AXES_PLOT, AXES_CORNER = (752, 740), (120, 26)
CURSOR_OFFSET = 8
# Peers hold the whole table; beyond this many bytes the line says so instead.
MOST_TABLE_BYTES = 2e9
# Tables for a change of base are made where the goals speak of one.
MOST_CELLS_FOR_BASE = 8192 * 4096
CHUNK = 2048

Table = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class HeatWork:
    """A tool, a table of n_positions x d_model, and where the numbers of such a table lie."""

    tool: str
    n_positions: int
    d_model: int
    n_steps: int
    folder: str

    def word(self) -> str:
        """As an argument of a program."""
        return json.dumps(asdict(self))

    @classmethod
    def from_word(cls, word: str) -> "HeatWork":
        """From an argument of a program."""
        return cls(**json.loads(word))

    @property
    def has_axes(self) -> bool:
        """Whether axes and cursors are drawn as well."""
        return self.tool in AXES_TOOLS

    @property
    def kinds(self) -> tuple[str, ...]:
        """What is measured."""
        if self.has_axes:
            return AXES_KINDS
        return KINDS if self.has_base else tuple(kind for kind in KINDS if kind != "base")

    @property
    def has_base(self) -> bool:
        """Whether a change of base is measured."""
        return self.n_positions * self.d_model <= MOST_CELLS_FOR_BASE

    @property
    def tables(self) -> list[Table]:
        """What peers are given: the table for one base, and for another where the base is changed; shape (d, N)."""
        return [np.load(path) for path in table_paths(self.folder, self.n_positions, self.d_model)]


class HeatTool(Protocol):
    """A window of 1000 x 800 pixels that shows a table."""

    @property
    def widget(self) -> QWidget:
        """The window."""

    @property
    def n_frames(self) -> int:
        """Paint events so far."""

    def show_view(self, view: View) -> None:
        """See another part."""


class PlainTool(HeatTool, Protocol):
    """One without axes."""

    def show_base(self, number: int) -> None:
        """See the table of another base."""

    def repaint(self) -> None:
        """Paint once more what is seen."""


class AxesTool(HeatTool, Protocol):
    """One with axes and cursors."""

    def show_cursor(self, position: int) -> None:
        """See cursors at a position and CURSOR_OFFSET further."""


def view(kind: str, number: int, work: HeatWork) -> View:
    """What is seen in a step; no two adjacent steps see the same."""
    n_positions, d_model = work.n_positions, work.d_model
    if kind in AXES_KINDS:
        size = AXES_PLOT if work.has_axes else PICTURE_SIZE
        width, height = min(size[0], 0.6 * n_positions), min(size[1], 0.8 * d_model)
        room = n_positions - width
        # Whole cells where there are thousands, parts of a cell where there are few.
        step = 37 if kind == "pan" else 1237
        first = float(step * number % int(room)) if room > 1000 else number * step / 100 % room
        top = (d_model - height) // 2
        return View(top, top + height, first, first + width)
    cut = 0.1 * n_positions * (number % 4) if kind == "full" else 0.0
    return View(0, d_model, 0, n_positions - cut)


def table_paths(folder: str, n_positions: int, d_model: int) -> Sequence[Path]:
    """Where the tables of a size are kept: one, or two where the base is changed."""
    bases = (10000, 9000) if n_positions * d_model <= MOST_CELLS_FOR_BASE else (10000,)
    return [Path(folder) / f"{n_positions}x{d_model}-{base}.npy" for base in bases]


def write_tables(folder: str, n_positions: int, d_model: int) -> None:
    """Make the tables of a size, float32, once for all processes."""
    for path in table_paths(folder, n_positions, d_model):
        encoding = SinusoidalEncoding(n_positions, d_model, base=float(path.stem.rsplit("-", 1)[1]))
        table = np.empty((d_model, n_positions), dtype=np.float32)
        for first in range(0, n_positions, CHUNK):
            positions = range(first, min(first + CHUNK, n_positions))
            table[:, first : first + CHUNK] = encoding.values(positions).T
        np.save(path, table)
