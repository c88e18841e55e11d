"""What encodings of every kind promise: windows, limits, hands, fields, similarities, shifts, measurements."""

import math
from typing import Any

import numpy as np
import pytest

from pe_desktop import core
from pe_desktop.core.cursor import Cursor, cursor_hands, hand_columns, hand_of_column, hand_values, n_hands
from pe_desktop.core.decoder import Hands, read_hands
from pe_desktop.core.fields.field import Blocks
from pe_desktop.core.fields.similarity import similarity_field
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.lags import MEASURES, profile
from pe_desktop.core.rotation import RotationField, rotating_pairs, shift_report
from pe_desktop.core.state import State
from tests.core.exact import block_means, similarity_means
from tests.core.schemes import encoding_of
from tests.tables import table

N = 40
ENCODINGS: list[Any] = [encoding_of(**row) for row in table("core/encodings")["every kind"]]
WINDOWS = [
    (Blocks(0, 1, 12), Blocks(0, 1, 40)),
    (Blocks(2, 3, 3), Blocks(1, 4, 9)),
    (Blocks(5, 5, 2), Blocks(36, 3, 2)),
    (Blocks(0, 12, 1), Blocks(39, 1, 1)),
]


def name_of(encoding):
    usual = core.KINDS[encoding.kind]().parameters
    given = [
        str(value) for name, value in encoding.parameters.items() if value != usual[name] and name != "n_positions"
    ]
    return "-".join([encoding.kind, *given])


every_encoding = pytest.mark.parametrize("encoding", ENCODINGS, ids=name_of)


def cut(blocks, n_cells):
    """Those of some blocks that begin within a table of n_cells cells."""
    return Blocks(
        min(blocks.first, n_cells - 1),
        blocks.size,
        min(blocks.count, len(range(blocks.first, n_cells, blocks.size)) or 1),
    )


def test_every_kind_is_among_them():
    assert {encoding.kind for encoding in ENCODINGS} == set(core.KINDS)


@every_encoding
@pytest.mark.parametrize("positions", [range(N), [3, 0, 17], [5], [], [2.5, -3, 0.25], [10_000_000, -64]], ids=str)
def test_any_window_is_a_part_of_the_table(encoding, positions):
    whole = encoding.values(positions)
    assert (whole.shape, whole.dtype) == ((len(positions), encoding.d_model), np.float64)
    last = encoding.d_model - 1
    for columns in ([0], [last, 0, last], range(last // 2, last), []):
        window = encoding.values(positions, columns)
        assert np.abs(window - whole[:, list(columns)]).max(initial=0) <= 1e-15 * encoding.value_limit
    for place, position in enumerate(positions):
        assert np.abs(encoding.values(position)[0] - whole[place]).max() <= 1e-15 * encoding.value_limit


@every_encoding
def test_columns_and_positions_that_do_not_exist_are_refused(encoding):
    with pytest.raises(ValueError, match=f"dimensions must be whole numbers from 0 to {encoding.d_model - 1}"):
        encoding.values([0], [encoding.d_model])
    with pytest.raises(ValueError, match="positions must be finite"):
        encoding.values([math.nan])


@every_encoding
def test_values_stay_below_their_limit_and_come_near_it(encoding):
    table = np.abs(encoding.values(range(encoding.n_positions)))
    assert np.mean(table > encoding.value_limit * (1 + 1e-15)) < 1e-3
    assert table.max() > encoding.value_limit / 2 or encoding == core.RandomEncoding(N, 1)
    assert not table[:, encoding.n_filled :].any()


@every_encoding
def test_an_encoding_is_a_frozen_value_that_its_parameters_choose(encoding):
    given = {name: value for name, value in encoding.parameters.items() if name != "kind"}
    assert set(given) == set(core.kind_rules(encoding.kind))
    again = core.KINDS[encoding.kind](**given)
    assert (again, hash(again)) == (encoding, hash(encoding))
    assert core.KINDS[encoding.kind](**given | {"n_positions": 25}) != encoding
    assert all(encoding.formulas)
    with pytest.raises(AttributeError):
        encoding.d_model = 4


@every_encoding
def test_switching_keeps_what_both_kinds_have(encoding):
    for kind in core.KINDS:
        changed = core.switched(encoding, kind)
        assert changed.kind == kind
        for name, value in changed.parameters.items():
            if name in encoding.parameters and name not in ("kind", "d_model") and encoding.parameters[name] != "given":
                assert value == encoding.parameters[name]
        assert 0 <= changed.d_model - encoding.d_model <= (5 if kind == "bits" else 2)


@every_encoding
def test_two_columns_are_a_hand_with_their_values_and_a_last_one_alone_is_one_too(encoding):
    columns = hand_columns(encoding)
    assert n_hands(encoding) == len(columns) == math.ceil(encoding.d_model / 2)
    assert sorted(columns[columns >= 0].tolist()) == list(range(encoding.d_model))
    assert all(column in columns[hand] for column, hand in enumerate(hand_of_column(encoding).tolist()))
    assert State(encoding).with_cursor(Cursor(pair=99)).cursor.pair == len(columns) - 1
    hands = [n_hands(encoding) - 1, 0]
    found = hand_values(encoding, [3, 7.5], hands)
    columns = columns[hands]
    wanted = np.where(columns < 0, np.nan, encoding.values([3, 7.5])[:, columns])
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-15 * encoding.value_limit)
    np.testing.assert_array_equal(cursor_hands(encoding, 3.0, 4.5, hands), found)


@every_encoding
def test_pairs_are_hands_of_the_table_at_their_angles(encoding):
    pairs, positions = encoding.pairs, [0, 5, 39, 2.5, -7]
    assert (encoding.bits is not None) == (encoding.kind == "bits")
    if pairs is None:
        return
    hands, angles = pairs.hands(positions), pairs.angles(positions)
    assert (hands.shape, angles.shape, pairs.count) == ((5, pairs.count, 2), (5, pairs.count), encoding.d_model // 2)
    np.testing.assert_array_equal(hands, encoding.values(positions)[:, pairs.columns])
    np.testing.assert_allclose(np.hypot(*np.moveaxis(hands, 2, 0)), pairs.lengths_at(positions), rtol=1e-14)
    np.testing.assert_allclose(
        hands[:, :, 0], pairs.lengths_at(positions) * np.sin(angles), atol=2e-15 * encoding.value_limit
    )
    assert np.abs(angles).max() <= math.pi


@every_encoding
@pytest.mark.parametrize(("rows", "columns"), WINDOWS)
def test_small_blocks_of_the_table_show_the_mean_of_their_cells(encoding, rows, columns):
    table = encoding.values(range(encoding.n_positions)).T
    rows, columns = cut(rows, encoding.d_model), cut(columns, encoding.n_positions)
    error, field = 2e-6 * encoding.value_limit, EncodingField(encoding)
    np.testing.assert_allclose(field.means(rows, columns), block_means(table, rows, columns), atol=error)
    assert (field.averages == "mean") == (encoding.column_waves is not None)
    if encoding.pairs is not None:
        halves, single = HalvesField(encoding), Blocks(rows.first, 1, rows.count)
        wanted = block_means(table[encoding.pairs.columns.T.reshape(-1)], single, columns)
        np.testing.assert_allclose(halves.means(single, columns), wanted, atol=error)
        assert halves.limits == field.limits == (-encoding.value_limit, encoding.value_limit)


@every_encoding
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(("rows", "columns"), [(Blocks(3, 1, 20), Blocks(0, 1, 9)), (Blocks(0, 7, 4), Blocks(2, 5, 7))])
def test_similarity_fields_average_the_rows_of_the_table(encoding, measure, rows, columns):
    n_positions = encoding.n_positions
    rows, columns = cut(rows, n_positions), cut(columns, n_positions)
    table, field = encoding.values(range(n_positions)), similarity_field(encoding, measure)
    shown = field.means(rows, columns)
    scale = max(float(np.abs(table).max()), 1.0) ** (2 if measure == "dot" else 1)
    np.testing.assert_allclose(shown, similarity_means(table, measure, rows, columns), rtol=0, atol=5e-7 * scale)
    assert field.limits[1] >= shown.max() * (1 - 1e-12)


@every_encoding
@pytest.mark.parametrize("t", [0, 7, N - 1])
def test_the_nearest_rows_of_hands_are_those_of_the_table(encoding, t):
    t = min(t, encoding.n_positions - 1)
    total, table = n_hands(encoding), encoding.values(range(encoding.n_positions))
    for count in {1, total}:
        rows = read_hands(Hands(encoding, float(t)), (count,))
        columns = hand_columns(encoding)[:count].ravel()
        some = table[:, columns[columns >= 0]]
        distances, dots = np.linalg.norm(some - some[t], axis=1), some @ some[t]
        assert distances[list(rows[0].by_distance.positions)] == pytest.approx(np.sort(distances)[:5], abs=1e-7)
        assert dots[list(rows[0].by_dot.positions)] == pytest.approx(np.sort(dots)[::-1][:5], abs=1e-9)


@every_encoding
def test_shift_invariant_means_that_one_row_of_similarities_is_all(encoding):
    table = encoding.values(range(encoding.n_positions))
    gram = table @ table.T
    spread = max(np.ptp(np.diagonal(gram, offset)) for offset in range(encoding.n_positions))
    assert (spread < 1e-12 * encoding.value_limit**2) == encoding.is_shift_invariant or encoding.n_positions == 1
    if not encoding.is_shift_invariant:
        with pytest.raises(ValueError, match="is not shift-invariant: its dot products depend on more"):
            profile(encoding, "dot", 5)
        return
    square = encoding.pairs.squared_norm
    assert square == pytest.approx((table[0] ** 2).sum(), rel=1e-14)
    wanted = {"dot": gram[0], "cosine": gram[0] / square, "distance": np.linalg.norm(table - table[0], axis=1)}
    for measure in MEASURES:
        found = profile(encoding, measure, range(encoding.n_positions))
        np.testing.assert_allclose(found, wanted[measure], rtol=0, atol=1e-13 * max(square, 1))


@every_encoding
def test_a_matrix_moves_positions_where_pairs_turn_evenly_and_nowhere_else(encoding):
    report = shift_report(encoding, 3)
    if rotating_pairs(encoding) is not None:
        assert encoding.pairs.turns_evenly
        here, later = encoding.values(range(N)), encoding.values(range(3, N + 3))
        np.testing.assert_allclose(here @ core.rotation_matrix(encoding, 3).T, later, atol=1e-14 * encoding.value_limit)
        for offset in (1, -3, 17, 2.5):
            assert core.shift_residuals(encoding, offset, range(N)).max() < 4e-15 * max(encoding.value_limit, 1)
        assert report.largest_residual < 4e-15 * max(encoding.value_limit, 1)
        return
    for refused in (lambda: core.rotation_matrix(encoding, 1), lambda: RotationField(encoding, 1.0)):
        with pytest.raises(ValueError, match=r"^No (rotation|matrix) moves every position: "):
            refused()
    assert (len(report.positions), math.isnan(report.largest_residual)) == (0, True)
    dots = np.diagonal(encoding.values(range(N)) @ encoding.values(range(N)).T, 3)
    spread = report.spreads["dot"]
    assert (spread.lowest, spread.highest) == pytest.approx((dots.min(), dots.max()), abs=1e-12)
