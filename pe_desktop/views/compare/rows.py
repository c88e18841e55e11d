"""The rows of Compare: which encodings, which of them is the window's, where they stand."""

from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.presets import PRESETS, Compared, Sizes, comparison, first_sizes
from pe_desktop.core.state import State, preset_of
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.scene import Box
from pe_desktop.views.compare.picture import CompareLayout, row_height

# Rows and tables wait for what the other panels measure.
RANK: Final = 2


def rows_of(state: State) -> tuple[Compared, ...]:
    """The encodings of the list in the order in which they stand; the window's own first where it is none of them."""
    before, preset = state.sizes or first_sizes(state.encoding), preset_of(state)
    kept = tuple(sorted(before.kept.items()))
    preset_id = None if preset is None else preset.id
    return _rows(before.encoding, kept, before.preset_id, state.encoding, preset_id, state.views.compare.list)


@lru_cache(maxsize=4)
def _rows(
    before: Encoding,
    kept: tuple[tuple[str, int | float], ...],
    last_id: str | None,
    encoding: Encoding,
    preset_id: str | None,
    name: str,
) -> tuple[Compared, ...]:
    preset = None if preset_id is None else PRESETS[preset_id]
    return comparison(Sizes(before, MappingProxyType(dict(kept)), last_id), encoding, preset, name)


def chosen_row(state: State) -> int | None:
    """The row of the window's encoding: the one of its preset, or the first of its table."""
    rows, preset = rows_of(state), preset_of(state)
    same = [place for place, row in enumerate(rows) if row.encoding == state.encoding]
    return next((place for place in same if rows[place].preset == preset), same[0] if same else None)


def layout_in(state: State, box: Box, top: float = 0.0) -> CompareLayout:
    return CompareLayout(box.width, row_height(len(rows_of(state)), box.height - top))


def rows_box(box: Box, top: float) -> Box:
    return replace(box, height=box.height - top)


def sizes_text(sizes: tuple[int, int]) -> str:
    return "N = {}, d_model = {}".format(*(whole(size) for size in sizes))
