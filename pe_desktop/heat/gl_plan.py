"""The input of the shaders: a field as uniforms and textures."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Floats, Pairs
from pe_desktop.core.fields.field import Field, Limits, ShownField
from pe_desktop.core.fields.offsets import OffsetField
from pe_desktop.core.fields.table import EncodingField, attenuation
from pe_desktop.core.record import kept, record
from pe_desktop.core.rotation import steady_pairs
from pe_desktop.heat.heatmap import LAST_LEVEL, Stretch, View, places
from pe_desktop.resources import resource_path

# GLSL 1.40 is that of OpenGL 3.1; every later version accepts it, also the core profile of macOS. And OpenGL ES 3.0.
_HEADERS = {False: "#version 140\n", True: "#version 300 es\n"}


def shader_sources(program: str, is_es: bool) -> tuple[str, str]:
    """The vertex shader, a triangle over everything, and the fragment shader "encoding" or "lags"."""
    names = "triangle.vert", "tables.glsl", f"{program}.frag"
    triangle, tables, colors = (resource_path("shaders", name).read_text(encoding="utf-8") for name in names)
    return _HEADERS[is_es] + triangle, _HEADERS[is_es] + tables + colors


Table: TypeAlias = NDArray[Any]

# As wide as every driver allows (OpenGL ES 3.0); the shaders know it as FOLD_BITS.
FOLD: Final = 2048
# Sines in one draw. A driver ends the program after seconds of one draw: this takes a small GPU some 10 ms.
_MOST_TERMS: Final = 2**24

_HALF_POSITIONS: Final = 2**24


@record(eq=False)
class Draw:
    """One rectangle of the picture, pixels counted from its left upper corner, and the input of its shader.

    tables: unsigned integers, floats or pairs of integers, shape (n,) or (n, 2), to be folded into textures.
    """

    program: str
    left: int
    top: int
    width: int
    height: int
    tables: Mapping[str, Table]
    integers: Mapping[str, int]
    floats: Mapping[str, float]

    @property
    def bands(self) -> Iterator[tuple[int, int]]:
        """The rows of pixels that one call draws each, top and height, so that no call takes long."""
        height = max(_MOST_TERMS // (self.width * self.integers.get("u_rows_in_block", 1)), 1)
        for top in range(self.top, self.top + self.height, height):
            yield top, min(height, self.top + self.height - top)

    @property
    def transposed(self) -> "Draw":
        """The same on its side."""
        aside = {**self.integers, "u_is_transposed": 1}
        return replace(self, left=self.top, top=self.left, width=self.height, height=self.width, integers=aside)


def plan(field: Field, view: View, size_px: tuple[int, int]) -> list[Draw] | None:
    """The draws that make the picture of `HeatMap.image`, size_px = (width, height); None where only that can.

    Pixels that no draw covers lie outside the table.
    """
    upright, is_aside = (field.field, field.is_transposed) if isinstance(field, ShownField) else (field, False)
    # A GPU draws lags of any kind, and tables whose hands turn evenly.
    make: Any = _lags_draw if isinstance(upright, OffsetField) else None
    if isinstance(upright, EncodingField) and upright.most_terms is None and steady_pairs(upright.encoding):
        make = _encoding_draw
    if make is None:
        return None
    if is_aside:
        view = View(view.first_column, view.last_column, view.first_row, view.last_row)
        size_px = size_px[1], size_px[0]
    draws = []
    for place in places(upright, view, size_px):
        draw: Draw | None = make(upright, *place, field.limits)
        if draw is None:
            return None
        draws.append(draw.transposed if is_aside else draw)
    return draws


def folded(table: Table) -> Table:
    """A table as a texture holds it: shape (n / 2048 rounded up, 2048, ...), filled up with zeros."""
    n_rows = -(-len(table) // FOLD)
    texture = np.zeros((n_rows * FOLD, *table.shape[1:]), dtype=table.dtype)
    texture[: len(table)] = table
    return texture.reshape(n_rows, FOLD, *table.shape[1:])


def _encoding_draw(field: EncodingField, rows: Stretch, columns: Stretch, limits: Limits) -> Draw:
    pairs = field.encoding.pairs
    assert pairs is not None
    lowest, highest = limits
    scale = LAST_LEVEL / (highest - lowest)
    tables = {
        "u_turns": _half_turns(pairs),
        "u_starts": _starts(pairs),
        "u_lengths": _lengths(pairs, columns.blocks.size),
        "u_hands": _hands(field),
        "u_rows": rows.first_cells.astype(np.uint32),
        "u_columns": columns.first_cells.astype(np.uint32),
    }
    integers = {"u_rows_in_block": rows.blocks.size, "u_columns_in_block": columns.blocks.size}
    # Half a level, because the conversion to whole numbers cuts off.
    floats = {"u_scale": scale, "u_offset": 0.5 - lowest * scale, "u_last_level": float(LAST_LEVEL)}
    return _placed("encoding", rows, columns, tables, integers, floats)


def _lags_draw(field: OffsetField, rows: Stretch, columns: Stretch, limits: Limits) -> Draw | None:
    if rows.blocks.size != columns.blocks.size and min(rows.blocks.count, columns.blocks.count) > 1:
        # Blocks of two sizes have more differences than the picture has pixels.
        return None
    means = field.means(rows.blocks, columns.blocks)
    # From the first row and the last column to the last row and the first column: all differences of block numbers.
    by_difference = np.concatenate([means[0, ::-1], means[1:, 0]])
    lowest, highest = limits
    levels: Floats = np.clip((by_difference - lowest) * (LAST_LEVEL / (highest - lowest)) + 0.5, 0, LAST_LEVEL)
    tables = {
        "u_levels": levels.astype(np.uint32),
        "u_rows": rows.block_of_pixel.astype(np.uint32),
        "u_columns": columns.block_of_pixel.astype(np.uint32),
    }
    return _placed("lags", rows, columns, tables, {"u_lowest": 1 - columns.blocks.count}, {})


def _placed(
    program: str,
    rows: Stretch,
    columns: Stretch,
    tables: Mapping[str, Table],
    integers: Mapping[str, int],
    floats: Mapping[str, float],
) -> Draw:
    left = columns.pixels.start
    top = rows.pixels.start
    width = columns.pixels.stop - left
    height = rows.pixels.stop - top
    return Draw(program, left, top, width, height, tables, {**integers, "u_is_transposed": 0}, floats)


@kept
def _half_turns(pairs: Pairs) -> NDArray[np.uint32]:
    """The turn of every pair in half a position, modulo one turn, in units of 2^-64 turn: upper and lower word.

    Shape (n_pairs, 2). From two exact angles: that of half a position says which turn the one of 2^24 half positions
    lies in, and that one has 24 bits more.
    """
    once, often = pairs.offset_angles([0.5, _HALF_POSITIONS / 2]) / (2 * np.pi)
    whole_turns = np.rint(once * _HALF_POSITIONS - often).astype(np.int64).astype(np.uint64)
    units = (whole_turns << np.uint64(40)) + np.rint(often * 2.0**40).astype(np.int64).astype(np.uint64)
    words = np.stack([units >> np.uint64(32), units & np.uint64(0xFFFFFFFF)], axis=1)
    return words.astype(np.uint32)


@kept
def _starts(pairs: Pairs) -> NDArray[np.uint32]:
    """The angle of every hand at position 0, in units of 2^-32 turn, shape (n_pairs,)."""
    turns = pairs.angles(0.0)[0] / (2 * np.pi)
    units: Floats = np.rint(turns * 2.0**32)
    return units.astype(np.int64).astype(np.uint32)


@kept
def _lengths(pairs: Pairs, n: int) -> NDArray[np.float32]:
    """The length of every hand's mean over n positions, shape (n_pairs,)."""
    lengths: Floats = pairs.lengths * attenuation(pairs, n)
    return lengths.astype(np.float32)


@kept
def _hands(field: EncodingField) -> NDArray[np.uint32]:
    """For every row of the field twice its pair, plus 1 for a cosine, shape (d_model,)."""
    pairs = field.encoding.pairs
    assert pairs is not None
    return np.argsort(pairs.columns, axis=None)[field.dimensions].astype(np.uint32)
