"""Similarity of positions against plain loops, the spread along a diagonal, and what is left of an embedding."""

import math

import numpy as np
import pytest

from pe_desktop.core import SPACINGS, CounterEncoding, Encoding, SinusoidalEncoding
from pe_desktop.core.fields.field import Blocks, Field
from pe_desktop.core.fields.similarity import (
    _farthest,
    _SimilarityField,
    _TwoRangeSimilarityField,
    embedding,
    similarity_field,
    similarity_pair,
    turned_by,
)
from pe_desktop.core.lags import MEASURES, CancelledError, profile
from pe_desktop.core.rotation import _diagonal_spreads
from tests.core.exact import peak_of, similarity_means, windows
from tests.core.schemes import Plain

TWO_RANGES = "two ranges"
LAGS = "lags"


def opaque(encoding: Encoding) -> Plain:
    """The same table, which does not know that dot products depend on the offset alone."""
    return Plain("Opaque", encoding.d_model, encoding.values, encoding.n_positions)


def growing(encoding: SinusoidalEncoding) -> Plain:
    """Vectors that grow with the position: their dot products depend on it."""
    return Plain(
        "Growing", encoding.d_model, lambda t: (1 + t[:, None] / 50) * encoding.values(t), encoding.n_positions
    )


def field_of(encoding, measure, way) -> Field:
    """The map from lags, or of the same table from two ranges."""
    return _SimilarityField(encoding, measure) if way == LAGS else _TwoRangeSimilarityField(opaque(encoding), measure)


def cell(table, measure, row, column):
    """One similarity, spelled out."""
    one, other = table[row], table[column]
    if measure == "distance":
        return math.sqrt(math.fsum((one - other) ** 2))
    dot = math.fsum(one * other)
    return dot if measure == "dot" else dot / math.sqrt(math.fsum(one**2) * math.fsum(other**2))


WINDOWS = windows("similarity")


@pytest.mark.parametrize("way", [LAGS, TWO_RANGES])
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("window", WINDOWS.values(), ids=WINDOWS)
def test_window_holds_the_average_over_every_block(window, measure, way):
    encoding = SinusoidalEncoding(60, 10)
    found = field_of(encoding, measure, way).means(*window)
    expected = similarity_means(encoding.values(range(60)), measure, *window)
    # From two ranges the distance of equal vectors is the root of a rounding error.
    tolerance = 1e-6 if (measure, way) == ("distance", TWO_RANGES) else 1e-13
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize("spacing", SPACINGS)
@pytest.mark.parametrize("measure", MEASURES)
def test_far_windows_of_a_long_table_hold_the_averages_of_their_cells(measure, spacing):
    encoding = SinusoidalEncoding(10_000_000, 64, spacing=spacing)
    rows, columns = Blocks(9_000_000, 40, 3), Blocks(500, 30, 2)
    found = _SimilarityField(encoding, measure).means(rows, columns)
    row_values, column_values = encoding.values(range(9_000_000, 9_000_120)), encoding.values(range(500, 560))
    dots = row_values @ column_values.T
    exact = {"dot": dots, "cosine": dots / 32, "distance": 64 - 2 * dots}[measure]
    means = exact.reshape(3, 40, 2, 30).mean(axis=(1, 3))
    np.testing.assert_allclose(found, np.sqrt(means) if measure == "distance" else means, rtol=0, atol=1e-12)


def test_whole_table_of_ten_million_positions_is_averaged_exactly():
    encoding = SinusoidalEncoding(10_000_000, 4)
    [[mean]] = _SimilarityField(encoding, "dot").means(Blocks(0, 10_000_000, 1), Blocks(0, 10_000_000, 1))
    # |mean of all vectors|^2, the vectors summed plainly.
    total = sum(encoding.values(range(first, first + 500_000)).sum(axis=0) for first in range(0, 10_000_000, 500_000))
    assert mean == pytest.approx(float(total @ total) / 1e14, abs=1e-15)


@pytest.mark.parametrize("way", [LAGS, TWO_RANGES])
@pytest.mark.parametrize("measure", MEASURES)
def test_read_out_is_the_similarity_of_two_positions(measure, way):
    encoding = SinusoidalEncoding(200, 64)
    table = encoding.values(range(200))
    field = field_of(encoding, measure, way)
    for row, column in [(0, 0), (1, 80), (80, 1), (199, 0), (77, 78)]:
        value = field.value(row, column)
        assert type(value) is float
        assert value == pytest.approx(cell(table, measure, row, column), abs=1e-13)


def test_an_unknown_similarity_is_refused_with_the_known_ones():
    encoding = SinusoidalEncoding()
    for question in (lambda: profile(encoding, "angle", [5]), lambda: similarity_pair(encoding, "angle", 1, 2)):
        with pytest.raises(ValueError, match="similarity can't be angle: choose from dot, cosine, distance"):
            question()


@pytest.mark.parametrize("way", [LAGS, TWO_RANGES])
def test_what_a_covering_pixel_shows_has_its_name_and_the_way_follows_from_what_an_encoding_promises(way):
    fields = [field_of(SinusoidalEncoding(64, 32), measure, way) for measure in MEASURES]
    chosen = SinusoidalEncoding(64, 32) if way == LAGS else opaque(SinusoidalEncoding(64, 32))
    assert [type(similarity_field(chosen, measure)) for measure in MEASURES] == [type(field) for field in fields]
    assert [field.averages for field in fields] == ["mean", "mean", "root mean square"]
    assert [field.shape for field in fields] == [(64, 64)] * 3
    # Blocks of more than 64 positions may be those of a longer table.
    longer = [field_of(SinusoidalEncoding(65, 32), measure, way).averages for measure in MEASURES]
    samples = " of samples" if way == TWO_RANGES else ""
    assert longer == [f"mean{samples}", f"mean{samples}", f"root mean square{samples}"]


def test_colours_end_at_what_equal_vectors_have_and_at_the_largest_distance_that_is_found():
    encoding = SinusoidalEncoding(1000, 64)
    assert _SimilarityField(encoding, "dot").limits == (-32, 32)
    assert _SimilarityField(encoding, "cosine").limits == (-1, 1)
    # The number in the design's picture, 128 positions and 32 dimensions, is 5.03.
    table = SinusoidalEncoding(128, 32).values(range(128))
    lowest, highest = _SimilarityField(SinusoidalEncoding(128, 32), "distance").limits
    assert lowest == 0
    assert highest == pytest.approx(max(np.linalg.norm(table - row, axis=1).max() for row in table), rel=1e-13)
    assert round(highest, 2) == 5.03
    assert _farthest(SinusoidalEncoding(1000, 1000)) == pytest.approx(28.954165372308196, rel=1e-13)
    long = SinusoidalEncoding(10_000_000, 8192)
    first = profile(long, "distance", range(10_000))
    assert max(np.sqrt(8192), first.max() * (1 - 1e-12)) < _farthest(long) <= 2 * np.sqrt(4096)
    # Of one position alone the colours are all the same.
    lowest, highest = _SimilarityField(SinusoidalEncoding(1, 8), "distance").limits
    assert lowest < highest
    # Where rows differ.
    uneven = growing(SinusoidalEncoding(100, 8))
    table = uneven.values(range(100))
    largest = max(float(np.linalg.norm(table - row, axis=1).max()) for row in table)
    lowest, highest = _TwoRangeSimilarityField(uneven, "distance").limits
    assert (lowest, highest) == pytest.approx((0.0, largest), rel=1e-12)
    # Of ten thousand positions the first and the last are among those that are compared.
    assert similarity_field(CounterEncoding(10_000, 4), "distance").limits == (0.0, 9999.0)
    assert similarity_field(CounterEncoding(1, 4), "distance").limits == (0.0, 1.0)


@pytest.mark.parametrize(("d_model", "n_samples"), [(8, 64), (64, 64), (512, 8), (4096, 1), (8192, 1)])
def test_long_blocks_are_averaged_over_an_even_sample_that_costs_the_same_at_any_width(d_model, n_samples):
    encoding = growing(SinusoidalEncoding(100_000, d_model, base=2))
    field = _TwoRangeSimilarityField(encoding, "cosine")
    [[found]] = field.means(Blocks(0, 100_000, 1), Blocks(500, 1, 1))
    step = 100_000 / n_samples
    table = encoding.values([math.floor((place + 0.5) * step) for place in range(n_samples)])
    other = encoding.values(500)[0]
    cosines = table @ other / np.linalg.norm(table, axis=1) / np.linalg.norm(other)
    assert found == pytest.approx(cosines.mean(), abs=1e-13)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    ("most", "places", "dimensions"),
    [(1, [2], [4]), (5, [2], [2, 3, 6, 7]), (17, [1, 3], range(8)), (99, range(4), range(8))],
)
def test_thinned_mean_vectors_hold_so_many_values_as_they_tell_and_stand_for_all(measure, most, places, dimensions):
    encoding = growing(SinusoidalEncoding(60, 8))
    field = _TwoRangeSimilarityField(encoding, measure).thinned(most)
    window = Blocks(8, 4, 1), Blocks(40, 4, 1)
    rows, columns = (encoding.values([first + place for place in places], dimensions) for first in (8, 40))
    scale = 1.0 if measure == "cosine" else 8 / len(dimensions)
    cells = np.array([cell([a, b], measure, 0, 1) for a in rows for b in columns])
    wanted = np.sqrt(scale * np.mean(cells**2)) if measure == "distance" else scale * np.mean(cells)
    assert field.means(*window)[0, 0] == pytest.approx(wanted, abs=1e-12)
    assert field.terms(*window).count == len(places) * len(dimensions)
    assert field.terms(*window).name == "values"


def test_pairs_of_fractional_positions_are_compared_too_and_distances_of_neighbours_keep_twelve_digits():
    encoding = SinusoidalEncoding(100, 2)
    assert similarity_pair(encoding, "dot", 0.5, 3.25) == pytest.approx(math.cos(2.75), abs=1e-15)
    assert similarity_pair(encoding, "distance", -1.5, 2) == pytest.approx(2 * math.sin(1.75), abs=1e-15)
    cells = _SimilarityField(SinusoidalEncoding(1000, 1000), "distance").means(Blocks(0, 1, 1000), Blocks(0, 1, 1000))
    assert cells[500, 501] == pytest.approx(5.147767463913743, rel=1e-14)
    assert [cells[999, 0], cells[0, 999]] == pytest.approx([28.34277827361551] * 2, rel=1e-13)
    np.testing.assert_array_equal(np.diagonal(cells), 0)


@pytest.mark.parametrize("offset", [-13, 0, 1, 2.5, 98])
@pytest.mark.parametrize("measure", MEASURES)
def test_spread_is_the_range_of_all_cells_of_the_diagonal(measure, offset):
    encoding = growing(SinusoidalEncoding(100, 8))
    starts = [t for t in range(100) if 0 <= t + offset <= 99]
    cells = [cell([encoding.values(t)[0], encoding.values(t + offset)[0]], measure, 0, 1) for t in starts]
    found = _diagonal_spreads(encoding, offset, 100)[measure]
    assert found.n_measured == len(cells)
    assert (found.lowest, found.highest) == pytest.approx((min(cells), max(cells)), abs=1e-13)
    assert found.spread == found.highest - found.lowest


def test_spread_of_a_long_table_is_measured_at_a_stated_even_sample_and_ends_at_the_question_that_cancels_it():
    encoding = SinusoidalEncoding(10_000_000, 512)
    few = _diagonal_spreads(encoding, 1000, max_samples=5)["dot"]
    assert (few.n_measured, few.is_sample) == (5, True)
    answers = iter([False, False, True])
    with pytest.raises(CancelledError):
        _diagonal_spreads(encoding, 1, 2**13, answers.__next__)
    assert list(answers) == []
    # Outside the table there is nothing to measure.
    for offset in (100, -100, 99.5, 1e6):
        found = _diagonal_spreads(SinusoidalEncoding(100, 8), offset, 100)["dot"]
        assert (found.n_measured, found.is_sample) == (0, False)
        assert math.isnan(found.spread)


def test_the_mean_vectors_of_many_blocks_are_held_once() -> None:
    field = _TwoRangeSimilarityField(opaque(CounterEncoding(10_000, 4096)), "dot")
    blocks = Blocks(0, 20, 500)
    vectors, means, samples = 2 * blocks.count * 4096 * 8, 8 * blocks.count**2, 2**20
    assert peak_of(lambda: field.means(blocks, blocks)) < vectors + means + 4 * samples


def length(values):
    return math.sqrt(math.fsum(value * value for value in values))


def test_the_embedding_is_the_seeded_random_vector_of_variance_1_and_keeps_small_angles_and_half_turns():
    assert embedding(64).tolist() == np.random.default_rng(0).normal(size=64).tolist()
    assert float(np.mean(embedding(65_536) ** 2)) == pytest.approx(1.0, abs=0.02)
    x = embedding(4)
    across = np.array([1.0, 0, 0, 0]) - x[0] / np.dot(x, x) * x
    tiny = 1e-9 * across / np.linalg.norm(across)
    assert turned_by(tiny) == pytest.approx(math.degrees(1e-9 / np.linalg.norm(x)), rel=1e-6)
    assert turned_by(np.zeros(4)) == 0
    assert turned_by(-3 * x) == pytest.approx(180)
    assert turned_by(-x) == 0  # nothing is left to turn


@pytest.mark.parametrize("position", [0, 37, 511])
def test_the_angle_of_x_and_x_plus_pe_is_that_of_a_triangle_with_their_sides(position):
    # The law of cosines, from sums of squares alone.
    vector = SinusoidalEncoding(512, 128).values([position])[0].tolist()
    for is_scaled, factor in ((True, 1.0), (False, 1 / math.sqrt(128))):
        x = [factor * value for value in np.random.default_rng(0).normal(size=128).tolist()]
        total = [one + other for one, other in zip(x, vector, strict=True)]
        a, b, c = length(x), length(total), length(vector)
        wanted = math.degrees(math.acos((a * a + b * b - c * c) / (2 * a * b)))
        assert turned_by(np.array(vector), is_scaled=is_scaled) == pytest.approx(wanted, rel=1e-9)
