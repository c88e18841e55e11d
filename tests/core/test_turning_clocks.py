"""What clocks of other kinds turn by: position maps from t to t + k, bits in periods that double."""

import math
from itertools import pairwise

import pytest

from pe_desktop.core.kinds import KINDS
from pe_desktop.core.kinds.ablations import PositionMapEncoding
from pe_desktop.core.kinds.naive import BitsEncoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding

MAPS = {
    "square": lambda t: t * t,
    "root": math.sqrt,
    "log": lambda t: math.log(1 + t),
    "reciprocal": lambda t: 1 / (1 + t),
}


@pytest.mark.parametrize("word", MAPS)
@pytest.mark.parametrize(("position", "offset"), [(0.0, 1.0), (37.0, 8.0), (36.5, -12.25)])
def test_a_mapped_hand_turns_by_the_difference_of_the_images(word, position, offset):
    pairs = PositionMapEncoding(map=word).pairs
    turned = pairs.turns([position], offset, [0, 4])[0].tolist()
    image = MAPS[word]
    wanted = image(position + offset) - image(position)
    assert turned == pytest.approx([wanted, wanted * 10000 ** (-8 / 32)], rel=1e-12)
    now, later = pairs.angles([position, position + offset], [4])[:, 0].tolist()
    assert math.remainder(later - now - turned[1], math.tau) == pytest.approx(0, abs=1e-9)


def test_a_sinusoidal_hand_turns_by_k_omega_wherever_it_starts():
    turned = SinusoidalEncoding().pairs.turns([0.0, 37.0, 100.5], 8.0, [0, 8])
    assert turned.tolist() == [[8.0, pytest.approx(0.08)]] * 3


@pytest.mark.parametrize("code", ["binary", "gray"])
def test_a_bit_is_1_in_the_half_of_its_period_that_its_dial_shows(code):
    encoding = BitsEncoding(256, 8, code)
    for bit in range(8):
        period = float(encoding.bits.wavelengths[bit])
        for position in range(256):
            number = position if code == "binary" else position ^ (position >> 1)
            share = position / period % 1.0
            is_shown_as_one = encoding.bits.first_one <= share < encoding.bits.first_one + 0.5
            assert is_shown_as_one == bool(number >> bit & 1)


@pytest.mark.parametrize(("code", "flips"), [("binary", [1, 2, 4, 8]), ("gray", [2, 4, 8, 16])])
def test_bits_flip_twice_in_their_period(code, flips):
    encoding = BitsEncoding(1024, 10, code)
    assert (encoding.bits.wavelengths[:4] / 2).tolist() == flips
    for bit, every in enumerate(flips):
        values = encoding.values(range(200), [bit])[:, 0].tolist()
        changes = [t for t in range(1, 200) if values[t] != values[t - 1]]
        assert {later - sooner for sooner, later in pairwise(changes)} == {every}


def test_bits_beyond_every_position_have_no_period():
    periods = BitsEncoding(8, 70).bits.wavelengths.tolist()
    assert periods[61] == 2.0**62
    assert periods[62:] == [math.inf] * 8


def test_only_codes_of_bits_have_dials_that_jump():
    assert [kind for kind in KINDS if KINDS[kind]().bits is not None] == ["bits"]
