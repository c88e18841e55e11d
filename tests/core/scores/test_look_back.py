"""A head that looks back: scores, peaks, margins, weights and fits against plain loops over every query and key."""

import math
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from pe_desktop.core import KINDS, Encoding, Floats, PaddedEncoding, RandomEncoding, SinusoidalEncoding, rotation_matrix
from pe_desktop.core.cursor import MISSING, hand_columns
from pe_desktop.core.fields.field import Blocks
from pe_desktop.core.fields.look_back import (
    FittedWeightField,
    TurnedWeightField,
    fitted_score_field,
    turned_score_field,
)
from pe_desktop.core.lags import CancelledError
from pe_desktop.core.number_text import rounded_up
from pe_desktop.core.scores import look_back_rows
from pe_desktop.core.scores.attention import word_vectors
from pe_desktop.core.scores.look_back import GAINS, find_drops, look_back_shift, other_order
from tests.core.exact import block_means

N, D, BACK = 40, 8, 3
SINUSOIDS = {
    "paper": SinusoidalEncoding(N, D),
    "linear": SinusoidalEncoding(N, D, spacing="linear"),
    "one hand": SinusoidalEncoding(N, 2),
    "half-split, scaled": SinusoidalEncoding(N, D, base=50.0, layout="half-split", amplitude=2.0, start=5.0),
}
OTHERS = {kind: KINDS[kind](n_positions=N, d_model=9 if kind == "odd-width" else D) for kind in KINDS}
del OTHERS["sinusoidal"]


def scores_by_loop(encoding: Encoding, places: int) -> Floats:
    """Every score of a sinusoidal encoding, from angles alone: hands at t - n against hands at s."""
    assert isinstance(encoding, SinusoidalEncoding)
    omegas = encoding.pairs.angular_frequencies.tolist()
    square = encoding.amplitude**2
    return np.array(
        [[square * sum(math.cos((s - t + places) * w) for w in omegas) for s in range(N)] for t in range(N)]
    )


def fitted_by_loop(encoding: Encoding, places: int) -> Floats:
    """Every score with a 2 x 2 fitted to each pair of columns by itself."""
    table = encoding.values(range(N))
    queries = np.zeros_like(table)
    for both in hand_columns(encoding).tolist():
        columns = [column for column in both if column != MISSING]
        matrix = np.linalg.lstsq(table[places:, columns], table[: N - places, columns], rcond=None)[0]
        queries[:, columns] = table[:, columns] @ matrix
    return queries @ table.T


def peaks_by_loop(scores: Floats, places: int) -> int:
    """In how many rows the score at t - n exceeds all others."""
    count = 0
    for t in range(places, len(scores)):
        others = [score for s, score in enumerate(scores[t]) if s != t - places]
        count += all(scores[t, t - places] - other > 1e-12 * abs(scores[t]).max() for other in others)
    return count


def weights_by_loop(scores: Floats, d: int, gain: float) -> Floats:
    powers = np.exp(gain * (scores - scores.max(axis=1, keepdims=True)) / math.sqrt(d))
    weights: Floats = powers / powers.sum(axis=1, keepdims=True)
    return weights


def check_row(facts: Any, scores: Floats, at: tuple[int, int], d: int, near: float, share: float) -> None:
    """What is said of the row of t, t - n and their score, against a whole table of scores."""
    t, s = at
    assert facts.score == pytest.approx(scores[t, s], abs=near)
    assert facts.second == pytest.approx(np.delete(scores[t], s).max(), abs=near)
    assert facts.weights == pytest.approx([weights_by_loop(scores, d, gain)[t, s] for gain in GAINS], rel=share)


@pytest.mark.parametrize("places", [0, 1, BACK, N - 1])
@pytest.mark.parametrize("name", SINUSOIDS)
def test_rows_of_a_sinusoidal_encoding_say_what_a_loop_over_all_keys_finds(name: str, places: int) -> None:
    encoding = SINUSOIDS[name]
    scores, drops = scores_by_loop(encoding, places), find_drops(encoding)
    rows: Any = look_back_rows._measured_rows(look_back_shift(encoding, places), np.arange(N), np.arange(N))
    assert drops.peaks(places) == rows.peaks() == look_back_rows._find_peaks(encoding, places)
    assert drops.peaks(places).n_peaking == peaks_by_loop(scores, places)
    assert drops.peaks(places).n_rows == N - places
    for t in range(N):
        for facts in (drops.row(places, t), rows.row(t)):
            if t < places:
                assert math.isnan(facts.score)
                continue
            assert facts.margin == pytest.approx(facts.score - facts.second)
            check_row(facts, scores, (t, t - places), encoding.d_model, 1e-11, 1e-10)


@pytest.mark.parametrize("kind", OTHERS)
def test_rows_of_other_kinds_are_those_of_matrices_fitted_pair_by_pair(kind: str) -> None:
    encoding = OTHERS[kind]
    scores, rows = fitted_by_loop(encoding, BACK), look_back_rows.find_rows(encoding, BACK)
    scale = max(abs(scores).max(), 1.0)
    np.testing.assert_allclose(rows.shift.queries(range(N)) @ encoding.values(range(N)).T, scores, atol=1e-9 * scale)
    assert rows.peaks().n_peaking == peaks_by_loop(scores, BACK)
    assert not rows.peaks().is_sample
    assert rows.peaks() == look_back_rows._find_peaks(encoding, BACK)
    for t in (BACK, N // 2, N - 1):
        for facts in (rows.row(t), look_back_rows.find_row(encoding, BACK, t)):
            check_row(facts, scores, (t, t - BACK), encoding.d_model, 1e-9 * scale, 1e-6)


@pytest.mark.parametrize("name", SINUSOIDS)
def test_the_peak_is_at_minus_n_and_in_the_other_order_at_plus_n(name: str) -> None:
    # M_-3 takes (sin a, cos a) to (sin(a - 3 w), cos(a - 3 w)): of the query, or in the other order of each key.
    in_order, in_other_order = (scores_by_loop(SINUSOIDS[name], places)[BACK] for places in (BACK, -BACK))
    assert (in_order.argmax() - BACK, in_other_order.argmax() - BACK) == (-BACK, BACK)
    offset, score = other_order(SINUSOIDS[name], BACK)
    assert offset == BACK
    assert score == pytest.approx(in_other_order[2 * BACK])


def test_the_printed_head_has_the_numbers_of_its_picture() -> None:
    drops = find_drops(SinusoidalEncoding())
    row: Any = drops.row(3, 37)
    assert (round(row.score, 4), round(row.second, 4), round(row.margin, 4)) == (16.0, 15.3136, 0.6864)
    assert [round(100 * weight, 1) for weight in row.weights] == [2.6, 53.2, 96.0]
    assert drops.has_one_margin
    assert drops.peaks(3).is_everywhere
    assert drops.peaks(3).n_rows == 125


def test_equal_scores_are_no_peak() -> None:
    # One hand of wavelength 4 x 10: keys 40 apart score alike, so rows with such a key beside t - n have no peak.
    encoding = SinusoidalEncoding(100, 2, scale=math.tau / 40)
    drops, rows = find_drops(encoding), look_back_rows.find_rows(encoding, 3)
    scores = np.array([[math.cos((s - t + 3) * math.tau / 40) for s in range(100)] for t in range(100)])
    assert peaks_by_loop(scores, 3) == 0
    assert drops.peaks(3).n_peaking == rows.peaks().n_peaking == 0
    shorter = find_drops(SinusoidalEncoding(60, 2, scale=math.tau / 40))
    # Of 57 rows those whose t - 3 lies in 20 .. 39 have no other key 40 away.
    assert shorter.peaks(3).n_peaking == peaks_by_loop(scores[:60, :60], 3) == 20


@pytest.mark.parametrize("d", [2, 6, 512])
def test_one_position_looks_at_itself(d: int) -> None:
    for encoding in (SinusoidalEncoding(1, d), RandomEncoding(1, d)):
        peaks = look_back_rows._find_peaks(encoding, 0)
        assert (peaks.n_peaking, peaks.n_rows, peaks.is_sample) == (1, 1, False)
    drops = find_drops(SinusoidalEncoding(1, d))
    assert drops.row(0, 0).weights == (1.0,) * len(GAINS)
    assert math.isnan(drops.row(0, 0).second)


def test_a_long_table_peaks_in_every_row_and_keeps_its_margin() -> None:
    short, long = find_drops(SinusoidalEncoding(128, 32)), find_drops(SinusoidalEncoding(3_000_000, 32))
    assert long.peaks(3).n_peaking == long.peaks(3).n_rows == 2_999_997
    assert not long.peaks(3).is_sample
    assert long.row(3, 1_500_000).margin == pytest.approx(short.row(3, 37).margin, rel=1e-12)
    assert long.row(3, 1_500_000).weights is None
    assert not look_back_rows.holds_weights(long.encoding)


@pytest.mark.parametrize("kind", ["bits", "random"])
def test_of_a_long_table_rows_and_keys_are_a_sample_that_is_told(kind: str) -> None:
    encoding = KINDS[kind](n_positions=200_000, d_model=32)
    peaks, row = look_back_rows._find_peaks(encoding, BACK), look_back_rows.find_row(encoding, BACK, 77_777)
    assert row is not None
    assert peaks.is_sample
    assert 8 <= peaks.n_rows < 256
    key = encoding.values(77_774)[0]
    assert row.score == pytest.approx(float(look_back_shift(encoding, BACK).queries([77_777])[0] @ key))
    others = look_back_shift(encoding, BACK).queries([77_777]) @ encoding.values(range(200_000)).T
    assert row.second == pytest.approx(np.delete(others[0], 77_774).max())


@pytest.mark.parametrize("places", [1, BACK, 100])
def test_an_unrestricted_matrix_learns_random_rows_by_heart_and_fails_at_the_next(places: int) -> None:
    fitted, new = look_back_rows._memorised(32, places)
    table = RandomEncoding(64 + places, 32).values(range(64 + places))
    matrix = np.linalg.lstsq(table[places : places + 32], table[:32], rcond=None)[0]
    keys = [*range(64), *range(max(places, 64), places + 64)]
    hits = []
    for t in range(places, places + 64):
        scores = {s: float(table[t] @ matrix @ table[s]) for s in keys}
        hits.append(max(scores, key=lambda s: scores[s]) == t - places)
    assert (fitted.n_peaking, new.n_peaking) == (sum(hits[:32]), sum(hits[32:]))
    assert fitted.n_peaking == 32
    assert new.n_peaking <= 4


@pytest.mark.parametrize(
    ("d_model", "sentence"), [(8, "I park in my sleep"), (16, "I park in my my park"), (4, "I park in my sleep")]
)
def test_words_hide_where_it_looks_and_what_leaves_them_out_finds_it_again(d_model: int, sentence: str) -> None:
    encoding, words = SinusoidalEncoding(40, d_model), tuple(sentence.split())
    found = look_back_rows._among_words(encoding, BACK, words, 0)
    vectors = word_vectors(words, d_model, 0)
    sums = [vectors[t % len(words)] + encoding.values([t])[0] for t in range(40)]
    # What least squares can't make of the words.
    left = [one - vectors.T @ np.linalg.lstsq(vectors.T, one, rcond=None)[0] for one in sums]
    leads = []
    for some in (sums, left):
        turned = [rotation_matrix(encoding, -BACK) @ one for one in some]
        scores = [[float(turned[t] @ other) for other in some] for t in range(BACK, 40)]
        leads.append([row[t] - max(row[:t] + row[t + 1 :]) for t, row in enumerate(scores)])
    assert [one.n_peaking for one in found] == [sum(lead > 1e-9 for lead in some) for some in leads]
    assert [one.n_rows for one in found] == [37, 37]


def test_the_six_encodings_are_those_that_are_measured() -> None:
    found = look_back_rows.find_others(N, D, BACK, (), 0)
    for name, encoding in look_back_rows.other_positions(N, D).items():
        assert encoding.n_positions == N
        scores = fitted_by_loop(encoding, BACK)
        assert found.peaks[name].n_peaking == peaks_by_loop(scores, BACK), name
    assert found.peaks["Sinusoidal (paper)"].is_everywhere
    assert not found.peaks["Counter t"].n_peaking
    with pytest.raises(CancelledError):
        look_back_rows.find_others(N, D, BACK, (), 0, is_cancelled=lambda: True)
    widths = {encoding.d_model for encoding in look_back_rows.other_positions(N, 65_536).values()}
    assert widths == {512}


@pytest.mark.parametrize(
    ("encoding", "sizes"),
    [
        *((SINUSOIDS["half-split, scaled"], sizes) for sizes in ((1, 1), (4, 4), (4, 8), (2, 5), (8, 5), (40, 40))),
        *((SinusoidalEncoding(N, D, amplitude=amplitude), (1, 1)) for amplitude in (5.0, 22.6, 1000.0)),
    ],
)
@pytest.mark.parametrize("places", [0, 1, BACK, N - 1])
def test_fields_of_scores_and_weights_are_the_means_of_a_whole_table(places, encoding, sizes) -> None:
    rows, columns = (Blocks(0, size, N // size) for size in sizes)
    scores, drops, near = scores_by_loop(encoding, places), find_drops(encoding), 1e-11 * encoding.amplitude**2 / 4
    field = turned_score_field(encoding, places)
    np.testing.assert_allclose(field.means(rows, columns), block_means(scores, rows, columns), atol=near)
    weights = weights_by_loop(scores, encoding.d_model, 1.0)
    weight_field = TurnedWeightField(drops, places)
    if sizes[0] <= 4:
        np.testing.assert_allclose(weight_field.means(rows, columns), block_means(weights, rows, columns), atol=1e-12)
    assert weight_field.value(7, 3) == pytest.approx(weights[7, 3], rel=1e-10)
    assert weight_field.value(0, 3) == pytest.approx(weights[0, 3], abs=1e-12)
    assert weight_field.limits == (0.0, rounded_up(float(f"{weights.max():.12g}")))


@pytest.mark.parametrize("kind", OTHERS)
def test_fields_of_other_kinds_are_the_means_of_a_whole_table(kind: str) -> None:
    encoding = OTHERS[kind]
    found, scores = look_back_rows.find_rows(encoding, BACK), fitted_by_loop(encoding, BACK)
    scale = max(abs(scores).max(), 1.0)
    rows, columns = Blocks(0, 4, 10), Blocks(0, 2, 20)
    field, weight_field = fitted_score_field(found.shift), FittedWeightField(found)
    np.testing.assert_allclose(field.means(rows, columns), block_means(scores, rows, columns), atol=1e-6 * scale)
    weights = weights_by_loop(scores, encoding.d_model, 1.0)
    np.testing.assert_allclose(weight_field.means(rows, columns), block_means(weights, rows, columns), atol=1e-9)
    assert field.value(7, 3) == pytest.approx(scores[7, 3], abs=1e-9 * scale)
    assert weight_field.value(7, 3) == pytest.approx(weights[7, 3], rel=1e-6, abs=1e-12)
    least, greatest = field.limits
    assert least <= scores.min() + 1e-9 * scale
    assert greatest >= scores.max() - 1e-9 * scale


def test_a_thinned_product_selects_whole_hands_that_stand_for_all() -> None:
    """Means of a padded table are closed, so only hands may be left out: 4 of 32, its sines before its cosines."""
    encoding = PaddedEncoding(300, 64, padding_idx=0)
    shift, blocks = look_back_shift(encoding, BACK), Blocks(20, 5, 30)
    field = fitted_score_field(shift)
    assert (field.terms(blocks, blocks).count, field.thinned(8).terms(blocks, blocks).count) == (64, 8)
    queries, keys = (
        rows.reshape(30, 5, 64).mean(axis=1)
        for rows in (shift.queries(range(20, 170)), encoding.values(range(20, 170)))
    )
    chosen = [4, 12, 20, 28, 36, 44, 52, 60]
    expected = queries[:, chosen] @ keys[:, chosen].T * 8
    np.testing.assert_allclose(field.thinned(8).means(blocks, blocks), expected, atol=1e-4)


def test_round_limits_are_one_two_or_five_times_a_power_of_ten() -> None:
    assert [rounded_up(value) for value in (0.026, 0.11, 0.5, 0.7, 1.0)] == pytest.approx([0.05, 0.2, 0.5, 1.0, 1.0])


def test_the_first_picture_loads_no_masked_arrays():
    program = (
        "import sys; from pe_desktop.core import SinusoidalEncoding; from pe_desktop.core.scores import look_back\n"
        "look_back.other_order(SinusoidalEncoding(512, 512), 3); sys.exit('numpy.ma' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
