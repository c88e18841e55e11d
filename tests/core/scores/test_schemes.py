"""What each scheme scores, by plain loops, complex numbers and the formulas of the papers."""

import cmath
import math

import numpy as np
import pytest

from pe_desktop.core.kinds.ablations import OddWidthEncoding, PositionMapEncoding
from pe_desktop.core.kinds.naive import RandomEncoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.scores.schemes import T5, Alibi, NoPositions, Rotary, Shaw, slopes
from pe_desktop.core.source.head import buckets
from tests.core.scores.test_attention import dot

D = 16
ENCODING = SinusoidalEncoding(64, D)
RANDOM = np.random.default_rng(1)
QUERY, KEY = RANDOM.standard_normal((2, D))
QUERIES, KEYS = RANDOM.standard_normal((2, 7, D))
PLACES = np.arange(7.0)


def rotary_angles(position, d, base=10_000.0):
    return [position * base ** (-2 * pair / d) for pair in range(d // 2)]


def interleaved_by_complex_numbers(vector, position, d):
    """Dimensions 2 j and 2 j + 1 as one complex number, times e^(i p omega_j): RoPE, equation 12 and 13."""
    turned = list(vector)
    for pair, angle in enumerate(rotary_angles(position, d)):
        number = complex(vector[2 * pair], vector[2 * pair + 1]) * cmath.exp(1j * angle)
        turned[2 * pair : 2 * pair + 2] = number.real, number.imag
    return turned


def by_rotate_half(vector, angles):
    """x cos + rotate_half(x) sin, where rotate_half puts minus the second half before the first."""
    half = len(vector) // 2
    other = [*(-x for x in vector[half:]), *vector[:half]]
    return [x * math.cos(angle) + y * math.sin(angle) for x, y, angle in zip(vector, other, angles, strict=True)]


def turned(rotary, vector, position):
    return rotary.turned(np.asarray(vector)[np.newaxis], np.array([position]))[0]


@pytest.mark.parametrize("position", [0.0, 1.0, 7.0, 100.0, -3.0, 2.5])
def test_interleaved_pairs_are_complex_numbers_and_half_split_ones_those_of_rotate_half(position):
    angles, expected = rotary_angles(position, D), interleaved_by_complex_numbers(QUERY, position, D)
    np.testing.assert_allclose(turned(Rotary(ENCODING), QUERY, position), expected, rtol=0, atol=1e-13)
    # Mixed pairings give rotate_half the angles of interleaved pairs.
    for pairing, each in (("half-split", angles * 2), ("mixed", [angle for angle in angles for _ in range(2)])):
        expected = by_rotate_half(QUERY, each)
        np.testing.assert_allclose(turned(Rotary(ENCODING, pairing), QUERY, position), expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("pairing", ["interleaved", "half-split"])
def test_a_part_turns_as_a_head_of_its_own_width_and_the_rest_stands_still(pairing):
    rotary = Rotary(ENCODING, pairing, 0.25)
    result = turned(rotary, QUERY, 5.0)
    if pairing == "interleaved":
        expected = interleaved_by_complex_numbers(QUERY[:4], 5.0, 4)
    else:
        expected = by_rotate_half(QUERY[:4], rotary_angles(5.0, 4) * 2)
    np.testing.assert_allclose(result[:4], expected, rtol=0, atol=1e-13)
    assert result[4:].tolist() == QUERY[4:].tolist()
    assert turned(Rotary(ENCODING, pairing, 0.0), QUERY, 5.0).tolist() == QUERY.tolist()


def test_permuted_columns_of_one_pairing_are_the_other():
    order = [*range(0, D, 2), *range(1, D, 2)]
    interleaved = turned(Rotary(ENCODING), QUERY, 11.0)
    np.testing.assert_array_equal(interleaved[order], turned(Rotary(ENCODING, "half-split"), QUERY[order], 11.0))


@pytest.mark.parametrize("pairing", ["interleaved", "half-split"])
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_turning_back_by_p_and_on_by_q_is_turning_by_their_difference(pairing, share):
    rotary, unit = Rotary(ENCODING, pairing, share), np.eye(D)
    for p, q in ((0, 5), (3, 8), (100, 97), (7.5, 2.25)):
        # Rows of `rotated` are R e_i: the matrix of R is their transpose.
        first, second, offset = (rotary.turned(unit, np.array([place])).T for place in (p, q, q - p))
        np.testing.assert_allclose(first.T @ second, offset, rtol=0, atol=1e-13)
        np.testing.assert_allclose(first.T @ first, unit, rtol=0, atol=1e-14)


@pytest.mark.parametrize("pairing", ["interleaved", "half-split"])
@pytest.mark.parametrize("encoding", [ENCODING, SinusoidalEncoding(10_000_000, 128), SinusoidalEncoding(9, 2)])
def test_rotary_scores_depend_on_the_offset_alone_up_to_ten_million_positions(pairing, encoding):
    query, key = np.random.default_rng(2).standard_normal((2, 1, encoding.d_model))
    rotary = Rotary(encoding, pairing)
    for offset in (0, 1, 5, 100):
        starts = np.array([0.0, 7.0, 100.0, 123_456.0, 9_999_000.0])
        scores = [rotary.scores(query, key, np.array([p]), np.array([p + offset]))[0, 0] for p in starts]
        assert np.ptp(scores) < 1e-13 * math.sqrt(dot(query[0], query[0]) * dot(key[0], key[0]))


def test_mixed_pairings_change_with_the_position_and_do_not_keep_lengths():
    rotary = Rotary(ENCODING, "mixed")
    scores = [rotary.scores(QUERY[None], KEY[None], np.array([p]), np.array([p + 5.0]))[0, 0] for p in (0.0, 7.0, 50.0)]
    assert np.ptp(scores) > 0.1
    lengths = [math.sqrt(dot(turned(rotary, QUERY, p), turned(rotary, QUERY, p))) for p in (0.0, 7.0)]
    assert abs(lengths[1] - lengths[0]) > 0.1


def test_a_lone_last_dimension_stands_still_and_two_dimensions_turn_as_one_number():
    odd = Rotary(OddWidthEncoding(9, 5))
    vector = [1.0, -2.0, 3.0, 4.0, 5.0]
    result = turned(odd, vector, 2.0)
    assert result[4] == 5.0
    assert abs(complex(*result[:2]) - complex(1, -2) * cmath.exp(2j)) < 1e-14
    for pairing in ("interleaved", "half-split", "mixed"):
        two = turned(Rotary(SinusoidalEncoding(9, 2), pairing), [3.0, 4.0], 1.0)
        assert abs(complex(*two) - (3 + 4j) * cmath.exp(1j)) < 1e-14
    assert turned(Rotary(RandomEncoding(4, 1)), [2.0], 3.0).tolist() == [2.0]


@pytest.mark.parametrize("encoding", [RandomEncoding(9, 8), PositionMapEncoding(9, 8), SinusoidalEncoding(9, 8)])
def test_kinds_without_even_hands_are_turned_at_the_frequencies_of_the_rotary_paper(encoding):
    np.testing.assert_allclose(Rotary(encoding).frequencies, [1, 0.1, 0.01, 0.001], rtol=1e-15)


# Press and others, section 3: heads of 8 get 1/2, 1/4, ..., 1/256, heads of 16 start at 2^-0.5; the authors' program
# gives other counts those of the next smaller power of two, then every other one of the next larger.
EIGHT = [0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625]
TWELVE = [*EIGHT, 0.7071067811865476, 0.3535533905932738, 0.1767766952966369, 0.08838834764831845]


def test_slopes_are_the_published_ones_for_8_12_and_16_heads():
    np.testing.assert_allclose(slopes(8), EIGHT, rtol=1e-15)
    np.testing.assert_allclose(slopes(12), TWELVE, rtol=1e-15)
    np.testing.assert_allclose(slopes(16), [2 ** (-head / 2) for head in range(1, 17)], rtol=1e-14)


def published_slopes(n_heads):
    if math.log2(n_heads).is_integer():
        start = 2 ** (-(2 ** -(math.log2(n_heads) - 3)))
        return [start * start**head for head in range(n_heads)]
    closest = 2 ** math.floor(math.log2(n_heads))
    return [*published_slopes(closest), *published_slopes(2 * closest)[0::2][: n_heads - closest]]


def test_slopes_for_1_to_64_heads_follow_the_authors_recursion_and_are_all_different():
    for n_heads in range(1, 65):
        np.testing.assert_allclose(slopes(n_heads), published_slopes(n_heads), rtol=1e-13)
        assert len({round(float(slope), 12) for slope in slopes(n_heads)}) == n_heads
    with pytest.raises(ValueError, match="n_heads must be a whole number from 1: 0 is not"):
        slopes(0)


def exact_bucket(offset, n_buckets, *, is_bidirectional):
    """The rule of the T5 report in whole numbers: from n_exact on, bucket j + 1 begins where d/n_exact is a power."""
    first = 0
    if is_bidirectional:
        n_buckets //= 2
        first = n_buckets if offset > 0 else 0
        distance = abs(offset)
    else:
        distance = max(-offset, 0)
    n_exact = n_buckets // 2
    if distance < n_exact:
        return first + distance
    # log(d/n) / log(128/n) * (n_buckets - n) >= j, without logarithms.
    wide, ratio = n_buckets - n_exact, 128 // n_exact
    steps = max(j for j in range(wide + 1) if distance**wide >= n_exact**wide * ratio**j)
    return first + min(n_exact + steps, n_buckets - 1)


@pytest.mark.parametrize("is_bidirectional", [True, False])
def test_buckets_are_those_of_whole_number_arithmetic(is_bidirectional):
    offsets = range(-400, 401)
    expected = [exact_bucket(offset, 32, is_bidirectional=is_bidirectional) for offset in offsets]
    assert buckets(np.array(offsets, dtype=float), is_causal=not is_bidirectional).tolist() == expected


def test_buckets_begin_where_the_published_program_begins_them():
    back = buckets(-np.arange(0.0, 10_000_001.0, 1.0)[:200], is_causal=False)
    starts = [int(np.argmax(back == bucket)) for bucket in range(16)]
    assert starts == [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91]
    causal = buckets(-np.arange(200.0), is_causal=True)
    starts = [int(np.argmax(causal == bucket)) for bucket in range(16, 32)]
    assert starts == [16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113]
    far = np.array([-128.0, -1e7, 128.0, 1e7, 1.0])
    assert buckets(far, is_causal=False).tolist() == [15, 15, 31, 31, 17]
    assert buckets(far, is_causal=True).tolist() == [31, 31, 0, 0, 0]


@pytest.mark.parametrize("is_bidirectional", [True, False])
def test_t5_adds_the_bias_of_the_bucket(is_bidirectional):
    t5 = T5(3, is_causal=not is_bidirectional)
    scores = t5.scores(QUERIES, KEYS, PLACES * 30, PLACES * 30)
    biases: dict[int, float] = {}
    for t in range(7):
        for s in range(7):
            bucket = exact_bucket(30 * (s - t), 32, is_bidirectional=is_bidirectional)
            bias = scores[t, s] - dot(QUERIES[t], KEYS[s]) / 4
            assert abs(bias - biases.setdefault(bucket, bias)) < 1e-13
    assert len(set(biases.values())) == len(biases) > 4


def test_shaw_adds_a_vector_for_the_clipped_offset_to_the_key():
    shaw, clip = Shaw(2, 5), 2
    zero = np.zeros((1, D))
    # With one query of a unit vector the added score is a component of the vector, over sqrt(d).
    vectors = np.array([
        [shaw.scores(unit[np.newaxis], zero, np.zeros(1), np.array([o]))[0, 0] * 4 for unit in np.eye(D)]
        for o in range(-clip, clip + 1)
    ])  # fmt: skip
    scores = shaw.scores(QUERIES, KEYS, PLACES, PLACES)
    for t in range(7):
        for s in range(7):
            added = vectors[min(max(s - t, -clip), clip) + clip]
            assert abs(scores[t, s] - dot(QUERIES[t], KEYS[s] + added) / 4) < 1e-13
    assert np.ptp(vectors, axis=0).min() > 0


@pytest.mark.parametrize("scheme", [Rotary(ENCODING), Alibi(), T5(), T5(0, is_causal=True), Shaw(), NoPositions()])
def test_a_scheme_of_offsets_scores_by_offset_what_it_scores_between_positions(scheme):
    assert scheme.is_shift_invariant
    offsets = np.arange(-20.0, 21.0)
    by_offset = scheme.by_offset(QUERY, KEY, offsets)
    keys = np.broadcast_to(KEY, (41, D))
    for t in (0.0, 3.0, 25.0):
        between = scheme.scores(QUERY[np.newaxis], keys, np.array([t]), t + offsets)[0]
        np.testing.assert_allclose(by_offset, between, rtol=0, atol=1e-12)
