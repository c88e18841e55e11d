"""The rows of Compare: encodings of one list, each with its name, its definition and its place."""

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, Final, TypeAlias

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.number_text import NO_BREAK
from pe_desktop.core.presets import COMPARISONS, PRESETS, Compared, Sizes, comparison
from pe_desktop.core.record import kept, record
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.flow import Block, Column, Drawn, Fits, Formula, Ground, Named, Space, Words
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import plain_formula
from pe_desktop.model.findings import Answers, Question

# What is asked of rows waits for what the other panels measure.
RANK: Final = 2
# Narrower pictures are in the form for a column of print: signs or three numbers beside titles.
COMPACT_BELOW: Final = 576.0
_FORMULA_SIZES: Final = (14, 13, 12)
GLUE: Final = Space(0.0, grows=True)


@record
class Line:
    """A row of the list: its encoding, and what the window's own, with which all are compared, is called.

    number: from 1 on, 0 for the window's own where it is none of the list.
    """

    number: int
    is_chosen: bool
    reference: str
    row: Compared = field(hash=False)

    @cached_property
    def sets(self) -> dict[str, Any]:
        """What using its encoding sets: its preset, nothing of the chosen one."""
        return {} if self.row.preset is None or self.is_chosen else {"preset": self.row.preset.id}

    @cached_property
    def definition(self) -> str:
        preset = self.row.preset
        sentence = () if preset is None else (preset.sentence,)
        return "\n".join((self.row.title, *map(plain_formula, self.row.formulas), *sentence))

    def place(self, value: str, sets: dict[str, Any], tooltip: str) -> Named:
        """The place of its row: a line above, under the chosen one a ground."""
        ground = Drawn(_ground, (self.is_chosen,), 0.0, grows=True)
        return Named(f"row {self.number}: {self.row.title}", ground, value, sets, tooltip, self.is_chosen)

    @cached_property
    def name(self) -> Block:
        """The title and the first line of the definition, in the largest type that has room; else it is left out."""
        sized = [Formula(line, size, "text2") for line in self.row.formulas[:1] for size in _FORMULA_SIZES]
        return in_middle(Column((Words(self.row.title, "strong"), Fits((*sized, Space(0.0))))))

    @cached_property
    def title(self) -> Block:
        """The title alone, in lines, none of which ends within a formula."""
        return in_middle(flow.paragraph(self.row.title.replace(" + ", f"{NO_BREAK}+{NO_BREAK}"), "flag", "text"))


# Each row, and what is known of it, if anything is asked.
Known: TypeAlias = Sequence[tuple[Line, Any]]


def lines_of(state: State) -> tuple[Line, ...]:
    """The rows of the list, the window's own first where it is none of them; else that of its preset is chosen."""
    preset_id = None if state.preset is None else state.preset.id
    return _lines(state.sizes or Sizes(state.encoding), state.encoding, preset_id, state.views.compare.list)


@kept
def _lines(before: Sizes, encoding: Encoding, preset_id: str | None, name: str) -> tuple[Line, ...]:
    preset = None if preset_id is None else PRESETS[preset_id]
    rows = comparison(before, encoding, preset, name)
    # The window's own is always among them, some conventions are equal.
    chosen = max((row for row in rows if row.encoding == encoding), key=lambda row: row.preset == preset)
    numbered = enumerate(rows, 1 - (len(rows) > len(COMPARISONS[name])))
    return tuple(Line(number, row is chosen, chosen.title, row) for number, row in numbered)


def known_of(state: State, answers: Answers, asked: Sequence[Question]) -> Known:
    return list(zip(lines_of(state), map(answers.answer, asked), strict=False))


def copied_rows(known: Known, titles: Sequence[str], texts: Callable[[Line, Any], Sequence[str]]) -> str:
    """Names and texts of all rows, under their titles."""
    rows = ("Encoding", *titles), *((line.row.title, *texts(line, found)) for line, found in known)
    return "\n".join(map("\t".join, rows))


def in_middle(*blocks: Block) -> Block:
    """Blocks with equal gaps in the height of a row."""
    return Column((GLUE, *(one for block in blocks for one in (block, GLUE))))


def _ground(area: Area, theme: Theme, is_chosen: bool) -> marks.Picture:
    line = marks.lines((area.x, area.y - 0.5, area.right, area.y - 0.5), theme.line)
    return (line, *(Ground().draw(area, theme) if is_chosen else ()))
