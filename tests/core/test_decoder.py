"""Reading hands: nearest positions against plain loops over all positions, and numbers of the field guide."""

import math

import numpy as np
import pytest

from pe_desktop.core import BitsEncoding, CounterEncoding, SinusoidalEncoding, decoder
from pe_desktop.core.decoder import Hands, read_hands, read_right, score_curve, summed, table_counts
from pe_desktop.core.lags import CancelledError
from tests.core.exact import paper_row, peak_of


def dots(table, vector, n_hands):
    """The dot product of each row with a vector, over the columns of the first hands."""
    return [math.fsum(map(math.prod, zip(row[: 2 * n_hands], vector, strict=False))) for row in table]


def free_vector(d_model, seed=4):
    """Hands that stand anywhere, of any length."""
    return tuple(np.random.default_rng(seed).standard_normal(d_model).tolist())


@pytest.mark.parametrize(("d_model", "n_positions"), [(2, 800), (32, 300), (4096, 24)])
@pytest.mark.parametrize("is_free", [False, True])
def test_the_best_positions_are_those_of_a_plain_loop(d_model, n_positions, is_free):
    encoding, t = SinusoidalEncoding(n_positions, d_model), n_positions // 3
    table = [paper_row(t, d_model) for t in range(n_positions)]
    vector = free_vector(d_model) if is_free else table[t]
    hands = Hands(encoding, 0.0, vector) if is_free else Hands(encoding, float(t))
    counts = table_counts(d_model // 2, 1)
    for row, count in zip(read_hands(hands, counts), counts, strict=True):
        scores = dots(table, vector, count)
        highest = sorted(scores, reverse=True)
        assert row.n_hands == count
        assert row.by_dot.values == pytest.approx(highest[:5], rel=1e-11, abs=1e-11)
        assert [scores[p] for p in row.by_dot.positions] == pytest.approx(highest[:5], rel=1e-11, abs=1e-11)
        assert row.by_dot.margin == pytest.approx(highest[0] - highest[1], rel=1e-5, abs=1e-13)
        assert row.n_near == sum(score >= highest[0] - decoder.NEAR_SHARE * abs(highest[0]) for score in scores)
        distances = [math.dist(one[: 2 * count], vector[: 2 * count]) for one in table]
        assert row.by_distance.positions == row.by_dot.positions
        assert row.by_distance.values == pytest.approx(sorted(distances)[:5], abs=1e-7)
        if not is_free:
            assert row.by_dot.positions[0] == t
            assert row.by_distance.values[0] == 0.0


def test_a_million_positions_are_compared_one_by_one():
    n_positions, d_model, t = 1_000_000, 8, 271_828
    frequencies = 10_000.0 ** (-2 * np.arange(4) / d_model)
    angles = np.outer(np.arange(n_positions), frequencies)
    for row in read_hands(Hands(SinusoidalEncoding(n_positions, d_model), t), (1, 2, 3, 4)):
        plain = np.cos(angles[:, : row.n_hands] - angles[t, : row.n_hands]).sum(axis=1)
        best = np.argsort(-plain, kind="stable")[:2]
        assert row.by_dot.positions[0] == best[0] == t
        assert row.by_dot.values[:2] == pytest.approx(plain[best].tolist(), abs=1e-10)
        assert row.n_near == np.count_nonzero(plain >= plain[t] * (1 - decoder.NEAR_SHARE))


@pytest.mark.parametrize("order", [(0, 4, 8), (2,), (1, 2, 3, 9, 15)])
@pytest.mark.parametrize("is_free", [False, True])
def test_chosen_hands_are_read_one_after_another(order, is_free):
    table, vector = [paper_row(t, 32) for t in range(200)], free_vector(32)
    hands = Hands(SinusoidalEncoding(200, 32), 0.0 if is_free else 37.0, vector if is_free else (), order)
    for row in read_hands(hands, range(1, len(order) + 1)):
        columns = [column for hand in order[: row.n_hands] for column in (2 * hand, 2 * hand + 1)]
        read = vector if is_free else table[37]
        scores = [math.fsum(one[column] * read[column] for column in columns) for one in table]
        assert row.by_dot.values == pytest.approx(sorted(scores, reverse=True)[:5], rel=1e-11, abs=1e-12)
        assert row.by_dot.positions[0] == max(range(200), key=scores.__getitem__)
        assert row.n_near == sum(score >= max(scores) - decoder.NEAR_SHARE * abs(max(scores)) for score in scores)


def test_a_sum_goes_through_layers_and_is_read_among_all_positions_after_each():
    encoding, n = SinusoidalEncoding(40, 8), 40
    x, weights = np.random.default_rng(0).normal(size=8), np.random.default_rng([17, 8])
    sums = [[a + b for a, b in zip(x, paper_row(t, 8), strict=True)] for t in range(n)]
    right = []
    for layer in range(7):
        scores = [[math.fsum(map(math.prod, zip(v, paper_row(t, 8), strict=True))) for t in range(n)] for v in sums]
        right.append(sum(row.index(max(row)) == t for t, row in enumerate(scores)))
        np.testing.assert_allclose(summed(encoding, range(n), layer), sums, rtol=1e-12, atol=1e-12)
        w = weights.standard_normal((8, 8)) / math.sqrt(8)
        sums = [[a + math.tanh(math.fsum(v * w[:, j])) for j, a in enumerate(v)] for v in map(np.array, sums)]
    assert read_right(encoding) == (*right, n)
    assert right[0] > right[1]
    # All of these, then some of a longer table, each compared with every row in one product.
    assert read_right(SinusoidalEncoding(512, 32)) == (363, 126, 87, 51, 33, 16, 22, 512)
    longer = SinusoidalEncoding(60_000, 64)
    *counts, n_read = read_right(longer)
    read = np.linspace(0, 59_999, n_read).round()
    after = [summed(longer, read, layer) @ longer.values(range(60_000)).T for layer in range(7)]
    assert (counts, n_read) == ([np.sum(scores.argmax(axis=1) == read) for scores in after], 139)


def test_the_longest_row_of_a_counter_wins_every_dot_product():
    for t in (1, 5, 90):
        row = read_hands(Hands(CounterEncoding(128, 4), t), (2,))[0]
        assert (row.best_length, row.nearest_length) == (127, t)


def test_bits_with_more_ones_share_the_best_dot_product_and_hands_between_two_positions_read_neither_alone():
    between = read_hands(Hands(SinusoidalEncoding(128, 32), 37.5), (16,))[0]
    assert (between.by_dot.positions[:2], between.is_decided) == ((37, 38), False)
    row = read_hands(Hands(BitsEncoding(128, 7), 37.0), (4,))[0]
    assert row.n_near == sum(t & 37 == 37 for t in range(128)) == 16
    assert (row.is_decided, row.by_distance.margin) == (False, 1)


@pytest.mark.parametrize("encoding", [SinusoidalEncoding(700_000, 4), CounterEncoding(700_000, 2)])
def test_a_curve_of_many_positions_has_their_extremes(encoding):
    curve = score_curve(Hands(encoding, 37.0), 1, range(100, 650_100), 1000)
    assert (curve.size, len(curve.lows)) == (650, 1000)
    values = encoding.values(range(100, 650_100))[:, :2] @ encoding.values(37)[0, :2]
    runs = values.reshape(1000, 650)
    assert curve.lows == pytest.approx(runs.min(axis=1), abs=1e-10)
    assert curve.highs == pytest.approx(runs.max(axis=1), abs=1e-10)
    assert curve.positions[[0, -1]].tolist() == [424.5, 649_774.5]
    few = score_curve(Hands(encoding, 37.0), 1, range(10, 290), 1000)
    assert (few.first, few.size) == (10, 1)
    assert few.lows == pytest.approx(encoding.values(range(10, 290))[:, :2] @ encoding.values(37)[0, :2], abs=1e-10)
    assert np.array_equal(few.highs, few.lows)


def test_reading_needs_no_memory_for_each_position_reports_its_progress_and_can_be_cancelled():
    long = Hands(SinusoidalEncoding(3_000_000, 4), 7.0)
    # A float64 for each position would be 24 million bytes.
    assert peak_of(lambda: read_hands(long, (2,))) < 24e6
    told: list[tuple[int, int]] = []
    hands = Hands(SinusoidalEncoding(1_000_000, 4), 3.0)
    assert read_hands(hands, (1, 2), lambda done, total: told.append((done, total))) is not None
    assert told == sorted(told)
    assert told[-1] == (2_000_000, 2_000_000)
    assert len(told) >= 8
    for encoding in (SinusoidalEncoding(1_000_000, 4), CounterEncoding(1_000_000, 4)):
        with pytest.raises(CancelledError):
            read_hands(Hands(encoding, 3.0), (1, 2), is_cancelled=lambda: True)
        with pytest.raises(CancelledError):
            score_curve(Hands(encoding, 3.0), 1, range(1_000_000), 100, is_cancelled=lambda: True)


def test_the_table_has_few_rows_and_ends_with_all_hands():
    assert table_counts(1, 9) == (1,)
    assert table_counts(16, 99) == (1, 2, 4, 8, 16)
    assert table_counts(20, 3) == (1, 2, 3, 4, 8, 16, 20)
    assert table_counts(2048, 2048) == (1, 4, 16, 64, 256, 1024, 2048)
    assert all(len(table_counts(total, total)) <= 8 for total in range(1, 32_769, 997))


def test_turning_one_hand_leaves_all_others_and_its_length():
    encoding = SinusoidalEncoding(128, 8, amplitude=3.0, layout="half-split")
    before = encoding.values(37)[0]
    after = np.array(Hands(encoding, 37.0).with_hand(2, 0.75))
    assert after[[2, 6]] == pytest.approx([3 * math.sin(0.75), 3 * math.cos(0.75)], rel=1e-15)
    assert np.array_equal(np.delete(after, [2, 6]), np.delete(before, [2, 6]))
    angles, lengths = Hands(encoding, 0.0, tuple(after.tolist())).read_angles()
    assert angles[2] == pytest.approx(0.75, rel=1e-15)
    assert lengths == pytest.approx([3.0] * 4, rel=1e-15)
