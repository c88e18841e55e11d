"""The encoding as a field: closed and sampled means over blocks, in the layout's order, as halves, on its side."""

import math
from functools import partial

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop import core
from pe_desktop.core.fields.field import CELLS_PER_BLOCK, Blocks, Line, Terms, even_sample, shift_positions
from pe_desktop.core.fields.similarity import similarity_pair
from pe_desktop.core.fields.table import EncodingField, HalvesField, attenuation
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.rotation import _diagonal_spreads
from tests.core.exact import block_means, evaluated_sizes, frequency_of, peak_of
from tests.matrix_field import MatrixField

# One of 256 colours is 2 / 255 wide; float32 tables err by a ten-thousandth of that.
MOST_ERROR = 2e-6
SPACINGS = ("geometric", "inclusive", "linear")
LAYOUTS = ("interleaved", "half-split", "cosine-first")


def pair_and_part(layout: str, d_model: int, dimension: int) -> tuple[int, bool]:
    """Which pair a dimension belongs to and whether it is the cosine, from the layouts' definitions."""
    if layout == "interleaved":
        return dimension // 2, dimension % 2 == 1
    pair, is_second = dimension % (d_model // 2), dimension >= d_model // 2
    return pair, is_second == (layout == "half-split")


def closed_mean(omega: mpmath.mpf, first: int, size: int, *, is_cosine: bool) -> mpmath.mpf:
    """The mean of sin or cos(p omega) over size positions, as a geometric sum of e^(i p omega), 60 digits."""
    ratio = mpmath.expj(omega)
    total = mpmath.expj(first * omega) * (ratio**size - 1) / (ratio - 1) / size
    return total.real if is_cosine else total.imag


CELLS, FEW = (0, 1, 2, 31, 62, 63), (0, 1, 2, 255, 400, 509, 510, 511)
WINDOWS = [
    *((64, 1e4, CELLS, Blocks(0, 1, 64), Blocks(first, 1, 1000)) for first in (0, 1_000, 1_000_000, 9_999_000)),
    *((512, 1e9, FEW, Blocks(0, 1, 512), Blocks(1_000 * run, 1_000, 100)) for run in (0, 3)),
    (512, 1e9, FEW, Blocks(0, 1, 512), Blocks(9_999, 9_999, 100)),
    (512, 1e9, FEW, Blocks(0, 1, 512), Blocks(9_000_000, 10_000, 100)),
    (512, 1e9, FEW, Blocks(0, 1, 512), Blocks(0, 10_000_000, 1)),
    # Many dimensions in a block add up no error.
    (8192, 1e4, (0, 40, 63), Blocks(0, 128, 64), Blocks(0, 1_000, 1_000)),
]


@pytest.mark.parametrize("spacing", SPACINGS)
@pytest.mark.parametrize(("d_model", "base", "shown_rows", "rows", "columns"), WINDOWS)
def test_single_cells_far_out_and_huge_blocks_show_the_closed_sum(spacing, d_model, base, shown_rows, rows, columns):
    encoding = SinusoidalEncoding(10_000_000, d_model, base, spacing)
    shown = EncodingField(encoding).means(rows, columns)
    with mpmath.workdps(60):
        for row in shown_rows:
            dimensions = range(rows.size * row, rows.size * (row + 1))
            omegas = {pair: frequency_of(encoding, pair) for pair in {dimension // 2 for dimension in dimensions}}
            for column in {0, columns.count // 2, columns.count - 1}:
                first = columns.first + columns.size * column
                parts = [closed_mean(omegas[c // 2], first, columns.size, is_cosine=c % 2 == 1) for c in dimensions]
                assert abs(shown[row, column] - float(mpmath.fsum(parts) / rows.size)) < MOST_ERROR


def test_nearly_still_hands_keep_their_mean() -> None:
    # Base 1e9, slowest hand: over ten positions the sine is the mean angle to fifteen digits.
    encoding = SinusoidalEncoding(100, 65_536, 1e9)
    omega = float(frequency_of(encoding, 32_767))
    shown = EncodingField(encoding).means(Blocks(65_534, 1, 1), Blocks(0, 10, 10))
    assert shown[0] == pytest.approx(omega * (4.5 + 10 * np.arange(10)), rel=1e-6)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_read_out_is_the_tables_value(layout: str) -> None:
    encoding = SinusoidalEncoding(10_000_000, 16, layout=layout)
    table = encoding.values([0, 1_000, 9_999_999])
    field, halves = EncodingField(encoding), HalvesField(encoding)
    for row in range(16):
        assert [field.value(row, position) for position in (0, 1_000, 9_999_999)] == table[:, row].tolist()
        pair, is_cosine = row % 8, row >= 8
        assert pair_and_part(layout, 16, halves.dimensions[row]) == (pair, is_cosine)
        assert halves.value(row, 9_999_999) == table[2, halves.dimensions[row]]


@pytest.mark.parametrize(("most", "places"), [(1, [3]), (2, [1, 4]), (3, [1, 3, 5]), (6, [0, 1, 2, 3, 4, 5])])
def test_a_thinned_block_averages_an_even_selection_of_the_same_hands_for_sines_and_cosines(most, places) -> None:
    encoding = SinusoidalEncoding(5_000, 48, layout="cosine-first")
    field = HalvesField(encoding).thinned(most)
    # The second block of six sines, and the second of six cosines.
    for first, is_cosine in ((6, False), (30, True)):
        dimensions = [encoding.pairs.dimensions(6 + place)[is_cosine] for place in places]
        shown = field.means(Blocks(first, 6, 1), Blocks(7, 9, 5))
        wanted = encoding.values(range(7, 52), dimensions).reshape(5, -1).mean(axis=1)
        assert shown[0] == pytest.approx(wanted, abs=MOST_ERROR)
    assert field.terms(Blocks(0, 6, 4), Blocks(0, 1, 1)) == Terms(len(places), "hands")
    assert field.terms(Blocks(0, 1, 4), Blocks(0, 1, 1)) == Terms(1, "hands")
    # Over the edge among the cells that exist.
    ragged = HalvesField(SinusoidalEncoding(103, 20))
    shown = ragged.thinned(1).means(Blocks(18, 6, 1), Blocks(50, 1, 4))
    assert shown[0] == pytest.approx([ragged.value(19, position) for position in range(50, 54)], abs=MOST_ERROR)


@pytest.mark.parametrize("make_field", [EncodingField, HalvesField])
def test_memory_does_not_grow_with_positions(make_field: type[EncodingField | HalvesField]) -> None:
    peaks = []
    for n_positions, size in ((1_000, 1), (10_000_000, 10_000)):
        field, window = make_field(SinusoidalEncoding(n_positions, 4_096)), (Blocks(0, 8, 512), Blocks(0, size, 1_000))
        field.means(*window)
        peaks.append(peak_of(partial(field.means, *window)))
    short, long = peaks
    assert long < 1.05 * short
    assert long < 16e6


@pytest.mark.parametrize("omega", [1.0, 1e-4, 3.0, 2 * math.pi, 4 * math.pi, 2 * math.pi + 1e-7, math.pi, 12.0])
@pytest.mark.parametrize("n", [1, 2, 3, 10, 1001])
def test_a_mean_over_adjacent_positions_shortens_a_hand(omega, n):
    pairs = SinusoidalEncoding(10, 2, scale=omega).pairs
    turn = math.fmod(omega, 2 * math.pi)
    middle = (n - 1) / 2
    whole = round((omega - turn) / (2 * math.pi))
    # Whole turns leave half a turn behind where the middle lies between two positions.
    sign = -1 if n % 2 == 0 and whole % 2 == 1 else 1
    wanted = sign * math.fsum(math.cos((place - middle) * turn) for place in range(n)) / n
    assert attenuation(pairs, n)[0] == pytest.approx(wanted, abs=1e-9)


def test_a_field_on_its_side_swaps_rows_and_columns_their_parts_and_what_is_left_out() -> None:
    field, halves = EncodingField(SinusoidalEncoding(40, 12)), HalvesField(SinusoidalEncoding(40, 24))
    turned = field.transposed
    rows, columns = Blocks(3, 5, 4), Blocks(2, 2, 5)
    assert turned.shape == (40, 12)
    assert turned.means(rows, columns).tolist() == field.means(columns, rows).T.tolist()
    assert turned.value(39, 1) == field.value(1, 39)
    assert (turned.limits, turned.averages) == (field.limits, field.averages)
    thinned, columns = halves.transposed.thinned(2), Blocks(0, 6, 4)
    assert thinned.means(rows, columns).tolist() == halves.thinned(2).means(columns, rows).T.tolist()
    assert thinned.terms(rows, columns) == Terms(2, "hands")
    assert halves.transposed.terms(rows, columns) == Terms(6, "hands")
    assert (halves.row_parts, halves.column_parts) == ((0, 12), (0,))
    assert (halves.transposed.row_parts, halves.transposed.column_parts) == ((0,), (0, 12))
    # A matrix has no hands to leave out and no parts.
    whole = MatrixField(np.zeros((13, 17))).transposed
    assert whole.terms(Blocks(0, 4, 1), Blocks(0, 4, 1)) == Terms(1)
    assert whole.thinned(1) == whole
    assert (whole.row_parts, whole.column_parts) == ((0,), (0,))


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
