"""Fields of encodings without a rotation: sampled and closed means, what is left out, rows of zeros, even samples."""

import math

import numpy as np
import pytest

from pe_desktop import core
from pe_desktop.core.fields.field import CELLS_PER_BLOCK, Blocks, Line, Terms, even_sample, shift_positions
from pe_desktop.core.fields.similarity import similarity_pair
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.rotation import _diagonal_spreads
from tests.core.exact import block_means, evaluated_sizes

SAMPLED = [
    kind for kind in core.KINDS if kind not in ("sinusoidal", "padded", "one-wave", "odd-width", "doubled-exponent")
]


@pytest.mark.parametrize("make_field", [EncodingField, HalvesField])
@pytest.mark.parametrize(
    ("most", "rows_read", "columns_read"),
    [(1, [2], [600]), (3, [2], [200, 600, 1000]), (5, [1, 3], [300, 900]), (99, range(4), [150, 450, 750, 1050])],
)
def test_a_thinned_block_of_samples_shows_the_mean_of_so_many_as_it_tells(make_field, most, rows_read, columns_read):
    encoding = core.PositionMapEncoding(5000, 16, layout="half-split")
    field = make_field(encoding).thinned(most)
    rows, columns = Blocks(4, 4, 1), Blocks(100, 1200, 1)
    cells = encoding.values([100 + column for column in columns_read], [4 + row for row in rows_read])
    assert field.means(rows, columns)[0, 0] == pytest.approx(cells.mean(), abs=1e-6)
    assert field.terms(rows, columns) == Terms(cells.size, "samples", 20)
    assert field.terms(Blocks(4, 1, 1), Blocks(100, 1, 1)).count == 1
    # Samples of columns that are mostly zero count as cheap.
    counter = EncodingField(core.CounterEncoding(5000, 200))
    assert counter.terms(Blocks(0, 4, 1), Blocks(0, 50, 1)) == Terms(16, "samples", 1)


@pytest.mark.parametrize(
    ("layout", "most", "places"),
    [
        ("interleaved", 2, [4, 5]),
        ("interleaved", 5, [2, 3, 6, 7]),
        ("half-split", 4, [2, 3, 6, 7]),
        ("half-split", 1, [5]),
    ],
)
def test_a_thinned_block_of_waves_shows_whole_hands_that_stand_side_by_side(layout, most, places):
    encoding = core.OddWidthEncoding(5000, 41, layout=layout)
    field = EncodingField(encoding).thinned(most)
    table = encoding.values(range(100, 200))
    shown = field.means(Blocks(10, 10, 1), Blocks(100, 100, 1))
    assert shown[0, 0] == pytest.approx(table[:, [10 + place for place in places]].mean(), abs=2e-6)
    assert field.terms(Blocks(10, 10, 1), Blocks(100, 100, 1)) == Terms(len(places), "columns")
    # The last block holds one column only.
    assert field.means(Blocks(40, 10, 1), Blocks(100, 100, 1))[0, 0] == pytest.approx(table[:, 40].mean(), abs=2e-6)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (Blocks(0, 1, 12), Blocks(1690, 1, 20)),
        (Blocks(0, 2, 6), Blocks(100, 1200, 4)),
        (Blocks(4, 4, 2), Blocks(1500, 500, 1)),
        (Blocks(0, 12, 1), Blocks(1701, 1200, 2)),
        (Blocks(0, 1, 12), Blocks(1200, 2000, 2)),
    ],
)
@pytest.mark.parametrize("padding_idx", [0, 1700, 4999, 5000])
def test_the_row_of_the_padding_is_left_out_of_the_mean_of_its_block(padding_idx, rows, columns):
    encoding = core.PaddedEncoding(5000, 12, padding_idx=padding_idx)
    wanted = block_means(encoding.values(range(5000)).T, rows, columns)
    assert np.abs(EncodingField(encoding).means(rows, columns) - wanted).max() < 2e-6
    lines = EncodingField(encoding).tiles(rows, columns, Line(100.0, 7.0))
    for some_rows, some_columns, tile in lines:
        assert np.abs(tile - (7 + 100 * wanted[some_rows, some_columns])).max() < 2e-4


@pytest.mark.parametrize("kind", SAMPLED)
def test_large_blocks_show_the_mean_of_a_sample_and_say_so(kind):
    encoding = core.switched(core.SinusoidalEncoding(100_000, 64), kind)
    field = EncodingField(encoding)
    assert field.averages == f"mean of {CELLS_PER_BLOCK} samples"
    shown = field.means(Blocks(0, 1, 2), Blocks(0, 1600, 3))
    places = [50 + 100 * part for part in range(CELLS_PER_BLOCK)]
    for row in range(2):
        for column in range(3):
            values = [encoding.values(1600 * column + place, row).item() for place in places]
            assert shown[row, column] == pytest.approx(math.fsum(values) / len(values), abs=1e-6 * encoding.value_limit)


def test_what_is_evaluated_for_a_window_does_not_grow_with_the_table(monkeypatch):
    evaluated = evaluated_sizes(monkeypatch, core.RandomEncoding)
    EncodingField(core.RandomEncoding(10_000_000, 512)).means(Blocks(0, 4, 128), Blocks(0, 10_000, 1000))
    assert sum(evaluated) <= 128 * 1000 * CELLS_PER_BLOCK


def test_cosine_with_a_zero_vector_is_undefined_and_left_out_of_a_spread():
    for encoding in (core.CounterEncoding(20, 2), core.NormalisedCounterEncoding(20, 2), core.BitsEncoding(16, 4)):
        assert math.isnan(similarity_pair(encoding, "cosine", 0, 5))
        spread = _diagonal_spreads(encoding, 1, 20)["cosine"]
        assert 0 <= spread.lowest <= spread.highest <= 1 + 1e-15
        assert spread.spread < 1e-15 or isinstance(encoding, core.BitsEncoding)


@pytest.mark.parametrize(("n_positions", "most"), [(11, 10), (10_000_000, 3), (10_000_000, 8191), (100, 2)])
def test_sample_of_many_positions_is_even_and_holds_first_and_last(n_positions, most):
    sample = np.asarray(even_sample(n_positions, most))
    assert (len(sample), sample[0], sample[-1]) == (most, 0, n_positions - 1)
    assert np.ptp(np.diff(sample)) <= 1
    assert np.diff(sample).min() >= 1
    for few, limit in ((10, 10), (10, 11), (1, 2), (0, 5)):
        assert list(even_sample(few, limit)) == list(range(few))


@pytest.mark.parametrize("offset", [7, -7, 2.5])
def test_a_sample_along_a_diagonal_lies_in_the_table_and_holds_what_touches_the_row_of_zeros(offset):
    encoding = core.PaddedEncoding(1_000_000, 4, padding_idx=700_003)
    positions = np.asarray(shift_positions(encoding, offset, 100))
    assert 0 <= min(positions[0], positions[0] + offset) < 1
    assert 999_998 < max(positions[-1], positions[-1] + offset) <= 999_999
    touching = {700_003, 700_003 - offset} - {700_000.5}
    assert touching <= set(positions.tolist())
    assert len(positions) == 100 + len(touching)
    spread = _diagonal_spreads(encoding, offset, 100)["dot"]
    # 0 with the row of zeros, and cos(7) + cos(7 / 10000) elsewhere.
    highest = np.cos(offset) + np.cos(offset / 10_000)
    assert sorted((spread.lowest, spread.highest)) == pytest.approx(sorted((0, highest)), abs=1e-9)
