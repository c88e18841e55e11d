"""The table of each kind, by plain loops over its definition, and what its parameters must be."""

import math
from fractions import Fraction

import numpy as np
import pytest

from pe_desktop import core
from pe_desktop.core.source.drawn import philox

N = 24
MAPS = {
    "square": lambda p: p * p,
    "root": math.sqrt,
    "log": lambda p: math.log(1 + p),
    "reciprocal": lambda p: 1 / (1 + p),
}


def hand_of(column, layout, n_pairs):
    """The pair of a column, and its wave."""
    pair, is_second = divmod(column, 2) if layout == "interleaved" else divmod(column, n_pairs)[::-1]
    return pair, math.sin if bool(is_second) == (layout == "cosine-first") else math.cos


def table_of(encoding, value):
    """A table from a value of (position, column)."""
    return [[value(position, column) for column in range(encoding.d_model)] for position in range(encoding.n_positions)]


@pytest.mark.parametrize("word", MAPS)
@pytest.mark.parametrize("layout", ["interleaved", "half-split", "cosine-first"])
def test_a_position_map_turns_hands_by_the_map_of_the_position(word, layout):
    encoding = core.PositionMapEncoding(N, 12, 100.0, layout=layout, map=word)

    def value(position, column):
        pair, wave = hand_of(column, layout, 6)
        return wave(MAPS[word](position) / 100.0 ** (2 * pair / 12))

    assert np.abs(encoding.values(range(N)) - table_of(encoding, value)).max() < 1e-13
    angles = [[MAPS[word](position) / 100.0 ** (pair / 6) for pair in range(6)] for position in range(N)]
    assert np.abs(np.sin(encoding.pairs.angles(range(N)) - angles)).max() < 1e-12


@pytest.mark.parametrize("layout", ["interleaved", "half-split", "cosine-first"])
def test_fading_hands_have_the_factor_of_xpos(layout):
    encoding = core.FadingEncoding(N, 12, 100.0, layout=layout, fade=40.0)

    def value(position, column):
        pair, wave = hand_of(column, layout, 6)
        return ((2 * pair + 0.4 * 12) / (1.4 * 12)) ** (position / 40) * wave(position / 100.0 ** (pair / 6))

    assert np.abs(encoding.values(range(N)) - table_of(encoding, value)).max() < 1e-14
    assert np.isfinite(encoding.values([-1e7, 1e7]) ** 2).all()


@pytest.mark.parametrize("wave", ["sine", "cosine"])
def test_one_wave_has_a_frequency_for_every_column(wave):
    encoding = core.OneWaveEncoding(N, 7, 100.0, wave=wave)
    function = math.sin if wave == "sine" else math.cos
    table = table_of(encoding, lambda position, column: function(position / 100.0 ** (column / 7)))
    assert np.abs(encoding.values(range(N)) - table).max() < 1e-14


@pytest.mark.parametrize("layout", ["interleaved", "half-split", "cosine-first"])
def test_odd_width_leaves_the_last_hand_without_a_cosine(layout):
    encoding = core.OddWidthEncoding(N, 7, 100.0, layout=layout)
    sines = [(pair, math.sin) for pair in range(4)]
    cosines = [(pair, math.cos) for pair in range(3)]
    order = {
        "half-split": sines + cosines,
        "cosine-first": cosines + sines,
        "interleaved": [place for pair in range(3) for place in (sines[pair], cosines[pair])] + sines[3:],
    }[layout]

    def value(position, column):
        pair, wave = order[column]
        return wave(position / 100.0 ** (2 * pair / 7))

    assert np.abs(encoding.values(range(N)) - table_of(encoding, value)).max() < 1e-14


def test_doubled_exponent_is_what_the_loop_of_the_mistake_computes():
    encoding = core.DoubledExponentEncoding(N, 8, 10000.0)
    table = np.zeros((N, 8))
    for position in range(N):
        for i in range(0, 8, 2):
            table[position, i] = math.sin(position / (10000 ** ((2 * i) / 8)))
            table[position, i + 1] = math.cos(position / (10000 ** ((2 * (i + 1)) / 8)))
    assert np.abs(encoding.values(range(N)) - table).max() < 1e-14


def test_the_padded_table_is_what_fairseq_fills_and_its_very_row_of_the_padding_alone_is_zero():
    half, padding_idx = 4, 2
    step = math.log(10000) / (half - 1)
    rates = [math.exp(-i * step) for i in range(half)]
    table = np.array([[math.sin(t * w) for w in rates] + [math.cos(t * w) for w in rates] for t in range(N)])
    table[padding_idx] = 0
    encoding = core.PaddedEncoding(N, 8, padding_idx=padding_idx)
    assert np.abs(encoding.values(range(N)) - table).max() < 1e-14
    # What fairseq gives tokens is the rows after the padding.
    tokens = core.SinusoidalEncoding(N - 3, 8, spacing="inclusive", layout="half-split", start=padding_idx + 1)
    np.testing.assert_array_equal(encoding.values(range(3, N)), tokens.values(range(N - 3)))
    near = [1.999, 2, 2.001, 1.0]
    wanted = [[math.sin(t), math.cos(t)] if t != 2 else [0, 0] for t in near]
    assert np.abs(core.PaddedEncoding(N, 2, padding_idx=2).values(near) - wanted).max() < 1e-15
    beyond = core.PaddedEncoding(N, 2, padding_idx=N)
    assert np.abs(np.hypot(*beyond.values(range(N)).T) - 1).max() < 1e-15


def test_counter_counts_and_its_normalised_form_ends_below_one():
    positions = [0, 1, 3, 2.5, -1]
    assert core.CounterEncoding(4, 2).values(positions).tolist() == [[0, 0], [1, 0], [3, 0], [2.5, 0], [-1, 0]]
    normalised = core.NormalisedCounterEncoding(4, 2).values(positions)
    assert normalised.tolist() == [[0, 0], [0.25, 0], [0.75, 0], [0.625, 0], [-0.25, 0]]


def test_binary_code_is_written_with_the_fastest_bit_first():
    for position, row in enumerate(core.BitsEncoding(512, 9).values(range(512))):
        assert "".join(str(int(bit)) for bit in reversed(row)) == f"{position:09b}"


def test_neighbours_of_the_gray_code_differ_in_one_bit():
    table = core.BitsEncoding(1024, 12, "gray").values(range(1024))
    assert np.abs(np.diff(table, axis=0)).sum(axis=1).tolist() == [1] * 1023
    assert len({tuple(row) for row in table.tolist()}) == 1024
    assert table[5].tolist() == [1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(("n_positions", "least"), [(3, 2), (512, 9), (513, 10), (10_000_000, 24)])
def test_bits_must_tell_all_positions_apart(n_positions, least):
    assert core.BitsEncoding(n_positions, least).values([n_positions - 1], [least - 1]).item() == 1
    sentence = f"d_model must be at least {least} to tell .* positions apart: {least - 1} is not"
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        core.BitsEncoding(n_positions, least - 1)


def test_random_vectors_are_normal_and_independent_and_others_from_another_seed():
    table = core.RandomEncoding(20_000, 50, 3).values(range(20_000))
    n = table.size
    assert abs(table.mean()) < 5 / math.sqrt(n)
    assert abs((table**2).mean() - 1) < 5 * math.sqrt(2 / n)
    assert abs((table**4).mean() - 3) < 5 * math.sqrt(96 / n)
    for share, bound in ((0.6827, 1), (0.9545, 2), (0.9973, 3)):
        assert np.mean(np.abs(table) < bound) == pytest.approx(share, abs=0.002)
    covariance = table.T @ table / len(table) - np.eye(50)
    assert np.abs(covariance).max() < 6 * math.sqrt(2 / len(table))
    rows = np.einsum("nd,nd->n", table[:-1], table[1:])
    assert abs(rows.mean()) < 5 * math.sqrt(50 / len(rows))
    first, again, second = (core.RandomEncoding(100, 64, seed).values(range(100)) for seed in (1, 1, 2))
    assert abs(np.corrcoef(first.ravel(), second.ravel())[0, 1]) < 0.06
    np.testing.assert_array_equal(first, again)


def test_switching_moves_a_width_to_the_nearest_that_the_kind_can_take():
    assert core.switched(core.SinusoidalEncoding(128, 32), "odd-width") == core.OddWidthEncoding(128, 33)
    assert core.switched(core.OddWidthEncoding(128, 33), "sinusoidal") == core.SinusoidalEncoding(128, 34)
    assert core.switched(core.SinusoidalEncoding(128, 65536), "odd-width").d_model == 65535
    assert core.switched(core.SinusoidalEncoding(512, 4), "bits") == core.BitsEncoding(512, 9)
    encoding = core.SinusoidalEncoding(amplitude=2.0)
    assert core.switched(encoding, "sinusoidal") is encoding


@pytest.mark.parametrize("word", MAPS)
@pytest.mark.parametrize(("position", "offset"), [(0.0, 1.0), (37.0, 8.0), (36.5, -12.25)])
def test_a_mapped_hand_turns_by_the_difference_of_the_images_and_by_no_offset_alone(word, position, offset):
    pairs = core.PositionMapEncoding(map=word).pairs
    turned = pairs.turns([position], offset, [0, 4])[0].tolist()
    image = MAPS[word]
    wanted = image(position + offset) - image(position)
    assert turned == pytest.approx([wanted, wanted * 10000 ** (-8 / 32)], rel=1e-12)
    now, later = pairs.angles([position, position + offset], [4])[:, 0].tolist()
    assert math.remainder(later - now - turned[1], math.tau) == pytest.approx(0, abs=1e-9)
    assert not pairs.turns_evenly
    for question in (pairs.offset_angles, pairs.offset_hands):
        with pytest.raises(ValueError, match="don't turn evenly"):
            question([1])


def test_a_squared_position_far_out_turns_by_a_difference_that_keeps_its_digits():
    t, k = 9_999_999.3, 0.7
    turned = core.PositionMapEncoding(map="square").pairs.turns([t], k, [0])[0, 0]
    exact = (Fraction(t) + Fraction(k)) ** 2 - Fraction(t) ** 2
    assert turned == pytest.approx(float(exact), rel=1e-15)


PI = ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0))


@pytest.mark.parametrize(
    ("counter", "key", "answer"),
    [
        ((0,) * 4, (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((2**32 - 1,) * 4, (2**32 - 1,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (*PI, (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
    ],
)
def test_words_are_those_of_the_reference(counter, key, answer):
    first, second, third, fourth = (np.array([word], dtype=np.uint64) for word in counter)
    words = philox((first, second, third, fourth), key)
    assert tuple(int(word[0]) for word in words) == answer
