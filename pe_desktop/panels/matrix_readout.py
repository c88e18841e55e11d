"""What the matrix says under the pointer where a pixel covers many cells."""

from pe_desktop.core.fields.field import CELLS_PER_BLOCK, Blocks, Field
from pe_desktop.draw import number_text
from pe_desktop.views.matrix.layout import RowOrder


def mean_line(field: Field, order: RowOrder, row: tuple[int, int], position: tuple[int, int]) -> str:
    """The mean over the block of so many rows and positions that holds a row and a position, each (cell, how many)."""
    (at, n_rows), (column, n_positions) = row, position
    rows = Blocks(at // n_rows * n_rows, n_rows, 1)
    if rows.first + n_rows > field.shape[0] or (order.is_halved and _crosses(rows, order.n_rows // 2)):
        rows = Blocks(at, 1, 1)
    columns = Blocks(column // n_positions * n_positions, n_positions, 1)
    mean = float(field.means(rows, columns)[0, 0])
    size = f"{number_text.whole(n_positions)} × {number_text.whole(rows.size)}"
    # A block of few cells is averaged in full, whatever the field does with larger ones.
    is_sampled = field.averages != "mean" and n_positions * rows.size > CELLS_PER_BLOCK
    name = f"{field.averages} out of" if is_sampled else "mean of"
    return f"{name} {size} cells {number_text.fixed(mean, 4)}"


def _crosses(rows: Blocks, boundary: int) -> bool:
    return rows.first < boundary < rows.first + rows.size
