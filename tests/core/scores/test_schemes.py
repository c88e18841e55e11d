"""How pairs turn, slopes, buckets, and what keeps to the offset; what schemes score: test_sums_of_cells.py."""

import cmath
import math

import numpy as np
import pytest

from pe_desktop.core import OddWidthEncoding, PositionMapEncoding, RandomEncoding, SinusoidalEncoding
from pe_desktop.core.scores.schemes import (
    PAIRINGS,
    T5,
    Alibi,
    Fox,
    Kerple,
    NoPositions,
    Pope,
    PRope,
    RopePP,
    Rotary,
    Shaw,
    slopes,
)
from pe_desktop.core.source.head import buckets
from tests.core.scores.loops import dot, exact_bucket, turned

D = 16
ENCODING = SinusoidalEncoding(64, D)
QUERY, KEY = np.random.default_rng(1).standard_normal((2, D))


def turned_once(rotary, vector, position):
    return rotary.turned(np.asarray(vector)[np.newaxis], np.array([position]))[0]


@pytest.mark.parametrize("position", [0.0, 1.0, 7.0, 100.0, -3.0, 2.5])
@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
def test_pairs_turn_as_complex_numbers_or_by_rotate_half_and_the_rest_stands_still(position, pairing, share):
    result, n_turning = turned_once(Rotary(ENCODING, pairing, share), QUERY, position), round(8 * share)
    np.testing.assert_allclose(result, turned(QUERY, position, pairing, n_turning), rtol=0, atol=1e-13)
    assert result[2 * n_turning :].tolist() == QUERY[2 * n_turning :].tolist()


@pytest.mark.parametrize("pairing", ["interleaved", "half-split"])
@pytest.mark.parametrize("encoding", [ENCODING, SinusoidalEncoding(10_000_000, 128), SinusoidalEncoding(9, 2)])
def test_rotary_scores_depend_on_the_offset_alone_up_to_ten_million_positions(pairing, encoding):
    query, key = np.random.default_rng(2).standard_normal((2, 1, encoding.d_model))
    rotary = Rotary(encoding, pairing)
    for offset in (0, 1, 5, 100):
        starts = np.array([0.0, 7.0, 100.0, 123_456.0, 9_999_000.0])
        scores = [rotary.scores(query, key, np.array([p]), np.array([p + offset]))[0, 0] for p in starts]
        assert np.ptp(scores) < 1e-13 * math.sqrt(dot(query[0], query[0]) * dot(key[0], key[0]))


def test_a_lone_last_dimension_stands_still_and_two_dimensions_turn_as_one_number():
    odd = Rotary(OddWidthEncoding(9, 5))
    vector = [1.0, -2.0, 3.0, 4.0, 5.0]
    result = turned_once(odd, vector, 2.0)
    assert result[4] == 5.0
    assert abs(complex(*result[:2]) - complex(1, -2) * cmath.exp(2j)) < 1e-14
    for pairing in PAIRINGS:
        two = turned_once(Rotary(SinusoidalEncoding(9, 2), pairing), [3.0, 4.0], 1.0)
        assert abs(complex(*two) - (3 + 4j) * cmath.exp(1j)) < 1e-14
    assert turned_once(Rotary(RandomEncoding(4, 1)), [2.0], 3.0).tolist() == [2.0]


@pytest.mark.parametrize("encoding", [RandomEncoding(9, 8), PositionMapEncoding(9, 8), SinusoidalEncoding(9, 8)])
def test_kinds_without_even_hands_are_turned_at_the_frequencies_of_the_rotary_paper(encoding):
    np.testing.assert_allclose(Rotary(encoding).frequencies, [1, 0.1, 0.01, 0.001], rtol=1e-15)


# Press and others, section 3: heads of 8 get 1/2, 1/4, ..., 1/256, heads of 16 start at 2^-0.5; the authors' program
# gives other counts those of the next smaller power of two, then every other one of the next larger.
EIGHT = [0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625]
TWELVE = [*EIGHT, 0.7071067811865476, 0.3535533905932738, 0.1767766952966369, 0.08838834764831845]


def published_slopes(n_heads):
    if math.log2(n_heads).is_integer():
        start = 2 ** (-(2 ** -(math.log2(n_heads) - 3)))
        return [start * start**head for head in range(n_heads)]
    closest = 2 ** math.floor(math.log2(n_heads))
    return [*published_slopes(closest), *published_slopes(2 * closest)[0::2][: n_heads - closest]]


def test_slopes_are_the_published_ones_and_follow_the_authors_recursion_for_1_to_64_heads():
    np.testing.assert_allclose(slopes(8), EIGHT, rtol=1e-15)
    np.testing.assert_allclose(slopes(12), TWELVE, rtol=1e-15)
    np.testing.assert_allclose(slopes(16), [2 ** (-head / 2) for head in range(1, 17)], rtol=1e-14)
    for n_heads in range(1, 65):
        np.testing.assert_allclose(slopes(n_heads), published_slopes(n_heads), rtol=1e-13)
        assert len({round(float(slope), 12) for slope in slopes(n_heads)}) == n_heads
    with pytest.raises(ValueError, match="n_heads must be a whole number from 1: 0 is not"):
        slopes(0)


@pytest.mark.parametrize("is_bidirectional", [True, False])
def test_buckets_are_those_of_whole_number_arithmetic(is_bidirectional):
    offsets = [*range(-400, 401), -10_000_000, 10_000_000]
    expected = [exact_bucket(offset, is_bidirectional=is_bidirectional) for offset in offsets]
    assert buckets(np.array(offsets, dtype=float), is_causal=not is_bidirectional).tolist() == expected


def test_buckets_begin_where_the_published_program_begins_them():
    back = buckets(-np.arange(200.0), is_causal=False)
    starts = [int(np.argmax(back == bucket)) for bucket in range(16)]
    assert starts == [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91]
    causal = buckets(-np.arange(200.0), is_causal=True)
    starts = [int(np.argmax(causal == bucket)) for bucket in range(16, 32)]
    assert starts == [16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113]


OF_OFFSETS = (
    Rotary(ENCODING), Alibi(), T5(), T5(0, is_causal=True), Shaw(), NoPositions(), PRope(ENCODING), Pope(ENCODING),
    RopePP(ENCODING), RopePP(ENCODING, "half-split"), Kerple(0.5, 2.0),
)  # fmt: skip


@pytest.mark.parametrize("scheme", OF_OFFSETS)
def test_a_scheme_of_offsets_scores_by_offset_what_it_scores_between_positions(scheme):
    assert scheme.is_shift_invariant
    offsets = np.arange(-20.0, 21.0)
    by_offset = scheme.by_offset(QUERY, KEY, offsets)
    keys = np.broadcast_to(KEY, (41, D))
    for t in (0.0, 3.0, 25.0):
        between = scheme.scores(QUERY[np.newaxis], keys, np.array([t]), t + offsets)[0]
        np.testing.assert_allclose(by_offset, between, rtol=0, atol=1e-12)


@pytest.mark.parametrize("pairing", ["interleaved", "half-split"])
def test_both_halves_of_rope_pp_are_real_and_imaginary_part_of_one_sum(pairing):
    # z = sum of q k* e^(i (t - s) omega): RoPE is its real part; for a key that equals its query RoPE++ sums sines.
    first, second = (slice(0, D, 2), slice(1, D, 2)) if pairing == "interleaved" else (slice(0, 8), slice(8, D))
    products = (QUERY[first] + 1j * QUERY[second]) * (KEY[first] - 1j * KEY[second])
    for offset in (-300.0, -7.0, 0.0, 5.0, 12.5):
        turns = [-offset * 10_000.0 ** (-pair / 8) for pair in range(8)]
        z = sum(product * cmath.exp(1j * turn) for product, turn in zip(products, turns, strict=True)) / 4
        halves = [kind(ENCODING, pairing).by_offset(QUERY, KEY, np.array([offset]))[0] for kind in (Rotary, RopePP)]
        assert halves == pytest.approx([z.real, z.imag], abs=1e-13)
        squares = QUERY[first] ** 2 + QUERY[second] ** 2
        sines = dot(squares, map(math.sin, turns)) / 4
        alike = RopePP(ENCODING, pairing).by_offset(QUERY, QUERY, np.array([offset]))[0]
        assert alike == pytest.approx(sines, abs=1e-13)


def test_p_rope_turns_the_fastest_pairs_at_the_frequencies_of_the_whole_head_and_pope_every_dimension():
    # transformers, "proportional": int(share d / 2) frequencies base^(-2 i / d), then zeros; rotate_half over all of d.
    for share, kept in ((0.0, 0), (0.25, 2), (0.7, 5), (1.0, 8)):
        scheme = PRope(ENCODING, "half-split", share)
        np.testing.assert_allclose(scheme.frequencies, [10_000.0 ** (-pair / 8) for pair in range(kept)], rtol=1e-15)
        result = turned_once(scheme, QUERY, 7.0)
        still = [*range(kept, 8), *range(8 + kept, D)]
        assert result[still].tolist() == QUERY[still].tolist()
    assert (
        turned_once(PRope(ENCODING, share=1.0), QUERY, 7.0).tolist()
        == turned_once(Rotary(ENCODING), QUERY, 7.0).tolist()
    )
    # Very long vectors of one sign: softplus is the vector itself, or nothing.
    scores = Pope(ENCODING).by_offset(np.full(D, 1e3), np.full(D, -1e3), np.arange(3.0))
    assert scores.tolist() == [0.0, 0.0, 0.0]


def test_fox_without_weight_is_alibi_whose_slope_the_bias_gives_and_reads_the_words_between():
    plain = Fox(bias=-0.5)  # no words: w . x is 0
    slope = math.log(1 + math.exp(0.5))
    offsets = np.arange(-9.0, 1.0)
    np.testing.assert_allclose(plain.added(QUERY, KEY, 20.0, offsets), slope * offsets, rtol=0, atol=1e-13)
    assert not plain.added(QUERY, KEY, 20.0, np.arange(1.0, 9.0)).any()
    words = Fox(words=("a", "b", "c"), first=0.5)
    at_two, at_three = (words.added(QUERY, KEY, t, np.array([-1.0]))[0] for t in (2.5, 3.5))
    assert abs(at_two - at_three) > 1e-3
    # Beyond the sentence its words are read again.
    assert words.added(QUERY, KEY, 5.5, np.array([-1.0]))[0] == pytest.approx(at_two, abs=1e-14)
