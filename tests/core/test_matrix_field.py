"""A dense matrix as a field, and fields on their side."""

import math

import numpy as np
import pytest

from pe_desktop.core.fields.field import Blocks, Terms
from pe_desktop.core.fields.table import EncodingField, HalvesField, Parted, TransposedField
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from tests.matrix_field import MatrixField

TABLE = np.random.default_rng(7).uniform(-1, 1, (13, 17))


def mean_of_cells(rows: Blocks, columns: Blocks) -> list[list[float]]:
    """The mean of each block, cell by cell."""
    result = []
    for top in rows.starts.tolist():
        line = []
        for left in columns.starts.tolist():
            cells = [
                float(TABLE[row, column])
                for row in range(top, min(top + rows.size, 13))
                for column in range(left, min(left + columns.size, 17))
            ]
            line.append(math.fsum(cells) / len(cells))
        result.append(line)
    return result


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (Blocks(0, 1, 13), Blocks(0, 1, 17)),
        (Blocks(2, 1, 3), Blocks(4, 3, 4)),
        (Blocks(0, 5, 3), Blocks(0, 4, 5)),
        (Blocks(3, 4, 2), Blocks(1, 1, 16)),
        (Blocks(12, 9, 1), Blocks(0, 100, 1)),
    ],
)
def test_blocks_of_a_matrix_show_the_mean_of_the_cells_that_exist(rows: Blocks, columns: Blocks) -> None:
    shown = MatrixField(TABLE).means(rows, columns)
    assert shown == pytest.approx(np.array(mean_of_cells(rows, columns)), abs=1e-15)


def test_means_of_float32_are_summed_in_float64() -> None:
    # Ten million times 0.1 in float32 would drift by a percent.
    tenths = np.full((1, 2**20), np.float32(0.1))
    assert MatrixField(tenths).means(Blocks(0, 1, 1), Blocks(0, 2**20, 1)).item() == float(np.float32(0.1))


@pytest.mark.parametrize(
    ("rows", "columns"), [(Blocks(13, 1, 1), Blocks(0, 1, 1)), (Blocks(0, 1, 1), Blocks(-2, 1, 3))]
)
def test_blocks_outside_the_matrix_are_refused(rows: Blocks, columns: Blocks) -> None:
    with pytest.raises(ValueError, match="must each hold a cell"):
        MatrixField(TABLE).means(rows, columns)


def test_a_cell_is_read_as_it_is() -> None:
    field = MatrixField(TABLE, (-2.0, 2.0))
    assert field.value(12, 16) == TABLE[12, 16]
    assert (field.shape, field.limits, field.averages) == ((13, 17), (-2.0, 2.0), "mean")


def test_a_field_on_its_side_swaps_rows_and_columns() -> None:
    field = EncodingField(SinusoidalEncoding(40, 12))
    turned = TransposedField(field)
    rows, columns = Blocks(3, 5, 4), Blocks(2, 2, 5)
    assert turned.shape == (40, 12)
    assert turned.means(rows, columns).tolist() == field.means(columns, rows).T.tolist()
    assert turned.value(39, 1) == field.value(1, 39)
    assert (turned.limits, turned.averages) == (field.limits, field.averages)


def test_a_thinned_field_on_its_side_is_the_thinned_field_on_its_side() -> None:
    halves = HalvesField(SinusoidalEncoding(40, 24))
    turned = TransposedField(halves).thinned(2)
    positions, dimensions = Blocks(3, 5, 4), Blocks(0, 6, 4)
    assert turned.means(positions, dimensions).tolist() == halves.thinned(2).means(dimensions, positions).T.tolist()
    assert turned.terms(positions, dimensions) == Terms(2, "hands")
    assert TransposedField(halves).terms(positions, dimensions) == Terms(6, "hands")


def test_a_matrix_has_no_hands_to_leave_out() -> None:
    whole = TransposedField(MatrixField(TABLE))
    assert whole.terms(Blocks(0, 4, 1), Blocks(0, 4, 1)) == Terms(1)
    assert whole.thinned(1) == whole


def test_parts_that_no_block_may_mix_turn_with_the_field() -> None:
    halves = HalvesField(SinusoidalEncoding(40, 12))
    turned = TransposedField(halves)
    assert isinstance(halves, Parted)
    assert (halves.row_parts, halves.column_parts) == ((0, 6), (0,))
    assert (turned.row_parts, turned.column_parts) == ((0,), (0, 6))
    whole = TransposedField(MatrixField(TABLE))
    assert (whole.row_parts, whole.column_parts) == ((0,), (0,))
