"""Fields on their side."""

import numpy as np

from pe_desktop.core.fields.field import Blocks, Terms
from pe_desktop.core.fields.table import EncodingField, HalvesField, Parted, TransposedField
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from tests.matrix_field import MatrixField

TABLE = np.zeros((13, 17))


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
