"""The rows of Compare: which encodings, which of them is the window's, and how a row is made of its cells."""

from functools import cache, lru_cache
from typing import Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import PROPERTIES
from pe_desktop.core.presets import PRESETS, Compared, Sizes, comparison
from pe_desktop.core.record import record
from pe_desktop.core.state import State, preset_of
from pe_desktop.draw.flow import Block, Column, Space
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.properties.words import PROPERTY_NAMES

# Rows and tables wait for what the other panels measure.
RANK: Final = 2
HEADER_HEIGHT: Final = 76.0
GAP: Final = 16.0
NAME_WIDTH: Final = 192.0
# A table narrower than this can't be read; wider, it has nothing more to show.
_TABLE_WIDTHS: Final = (48.0, 256.0)
# A cell holds a sign and a number of four digits, the first one a range: 1 441 of 2 048 turn; one two positions: 494
# and 511.
_CELL_WIDTH, _RANGE_WIDTH, _PAIR_WIDTH = 94.0, 132.0, 100.0
# Of the measurements half stand in the first line of a row, half in the second.
N_COLUMNS: Final = (len(PROPERTY_NAMES) + 1) // 2
_GLUE: Final = Space(0.0, grows=True)


@cache
def least_widths() -> tuple[float, ...]:
    """The room that each column needs for its names and its numbers; it holds a measurement in each line of a row."""
    least = {
        key: max(_CELL_WIDTH, text_width("strong", name) + 10.0, text_width("tick", PROPERTIES[key].column) + 8.0)
        for key, name in PROPERTY_NAMES.items()
    }
    least |= {"periodic": _RANGE_WIDTH, "unique": _PAIR_WIDTH, "far": max(_PAIR_WIDTH, least["far"])}
    widths = list(least.values())
    return tuple(max(widths[column::N_COLUMNS]) for column in range(N_COLUMNS))


def narrowest_width() -> float:
    """The least width in which nothing is cut, without tables."""
    return NAME_WIDTH + GAP + sum(least_widths())


def table_width(width: float) -> float:
    """How wide the table of a row is drawn in a picture of a width; 0 where there is no room."""
    (least, most), room = _TABLE_WIDTHS, width - narrowest_width() - GAP
    return 0.0 if room < least else min(room, most)


def cells_left(width: float) -> float:
    """Where the cells begin in a picture of a width."""
    table = table_width(width)
    return GAP / 2 + (table + GAP if table else 0.0) + NAME_WIDTH


def rows_of(state: State) -> tuple[Compared, ...]:
    """The encodings of the list in the order in which they stand; the window's own first where it is none of them."""
    preset = preset_of(state)
    preset_id = None if preset is None else preset.id
    return _rows(state.sizes or Sizes(state.encoding), state.encoding, preset_id, state.views.compare.list)


@lru_cache(maxsize=4)
def _rows(before: Sizes, encoding: Encoding, preset_id: str | None, name: str) -> tuple[Compared, ...]:
    return comparison(before, encoding, None if preset_id is None else PRESETS[preset_id], name)


def chosen_row(state: State) -> int | None:
    """The row of the window's encoding: the one of its preset, or the first of its table."""
    rows, preset = rows_of(state), preset_of(state)
    same = [place for place, row in enumerate(rows) if row.encoding == state.encoding]
    return next((place for place in same if rows[place].preset == preset), same[0] if same else None)


def presets_of(state: State) -> list[str | None]:
    """The preset that a press on each row chooses."""
    chosen, rows = chosen_row(state), rows_of(state)
    return [None if row.preset is None or place == chosen else row.preset.id for place, row in enumerate(rows)]


def changes_of(preset: str | None) -> dict[str, str]:
    """What a press on a row sets."""
    return {} if preset is None else {"preset": preset}


@record
class Cells:
    """What a row says of its encoding: its cells, their value as text, the words over all of them."""

    blocks: tuple[Block, ...]
    value: str
    tooltip: str = ""


def in_middle(*blocks: Block) -> Block:
    """Blocks with equal gaps in the height of a row."""
    return Column((_GLUE, *(one for block in blocks for one in (block, _GLUE))))
