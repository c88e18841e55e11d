"""Any window of an encoding: rows of the whole, at the cost of the window, or one sentence."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import LAYOUTS, SPACINGS, SinusoidalEncoding
from tests.core.exact import peak_of

ENCODINGS = st.builds(
    SinusoidalEncoding,
    n_positions=st.just(10_000_000),
    d_model=st.sampled_from([2, 4, 6, 64, 514, 2100]),
    base=st.floats(1.5, 1e9),
    spacing=st.sampled_from(SPACINGS),
    layout=st.sampled_from(LAYOUTS),
)


@settings(deadline=None)
@given(encoding=ENCODINGS, first=st.integers(-300, 9_999_000), before=st.integers(0, 70), length=st.integers(0, 140))
def test_a_window_holds_the_rows_of_a_larger_one(encoding, first, before, length):
    larger = encoding.values(range(first, first + before + length + 3))
    window = encoding.values(range(first + before, first + before + length))
    assert window.shape == (length, encoding.d_model)
    np.testing.assert_allclose(window, larger[before : before + length], rtol=0, atol=2e-16)


def test_positions_and_dimensions_may_be_given_in_any_form():
    encoding = SinusoidalEncoding(10, 8)
    table = encoding.values(range(10))
    forms = (5, 5.0, np.int64(5), np.float32(5), [5], (5.0,), range(5, 6), np.array([5], np.uint8), np.array(5))
    one: Any
    for one in forms:
        np.testing.assert_allclose(encoding.values(one), table[5:6], rtol=0, atol=2e-16)
    for dimensions, columns in ((3, [3]), (range(7, 1, -2), [7, 5, 3]), (np.array([2.0, 2.0]), [2, 2])):
        window = encoding.values(range(10), dimensions)
        np.testing.assert_allclose(window, table[:, columns], rtol=0, atol=2e-16)
    # Rows may repeat, run backwards and skip.
    encoding = SinusoidalEncoding(2000, 64)
    table = encoding.values(range(2000))
    for positions in (range(1999, -1, -7), np.arange(0, 2000, 3), np.array([5, 5, 900, 5, 6, 7, 1999] * 30)):
        np.testing.assert_allclose(encoding.values(positions), table[np.asarray(positions)], rtol=0, atol=2e-16)


def test_position_zero_is_exactly_the_hands_at_twelve_and_no_positions_have_none():
    assert SinusoidalEncoding(10, 8).pairs.hands([]).shape == (0, 4, 2)
    assert SinusoidalEncoding(10, 8).pairs.angles([], []).shape == (0, 0)
    for layout in LAYOUTS:
        row = SinusoidalEncoding(10, 64, layout=layout).values(0)[0]
        assert sorted(row.tolist()) == [0.0] * 32 + [1.0] * 32
        assert not np.signbit(row).any()


@pytest.mark.parametrize(
    ("positions", "sentence"),
    [
        (float("nan"), "positions must be finite: NaN and infinity have no row"),
        (2**31 + 1, "positions must lie from -2 147 483 648 to 2 147 483 648: 2147483649 does not"),
        (np.array([2**64 - 5], dtype=np.uint64), "positions must lie from .* does not"),
        (1e30, "positions must lie from .*: 1e\\+30 does not"),
        ("37", "positions must be plain numbers: 37 is not"),
        (True, "positions must be plain numbers: True is not"),
        ([[1, 2], [3, 4]], "positions must be one number or one row of numbers: an array of shape .2, 2. is not"),
        (1 + 2j, "positions must be plain numbers: .* is not"),
        (10**30, "positions must be plain numbers: 10+ is not"),
    ],
    ids=repr,
)
def test_what_is_no_position_is_refused_in_a_sentence(positions, sentence):
    encoding = SinusoidalEncoding(10, 8)
    for question in (encoding.values, encoding.pairs.hands, encoding.pairs.angles):
        with pytest.raises(ValueError, match=f"^{sentence}$"):
            question(positions)


@pytest.mark.parametrize("number", [8, -1, "0", [0, 8], 1.5, float("nan"), range(-1, 3), 2**70], ids=repr)
def test_what_is_no_column_or_pair_is_refused_in_a_sentence(number):
    with pytest.raises(ValueError, match=r"^dimensions must be "):
        SinusoidalEncoding(10, 8).values([0], number)
    pairs = SinusoidalEncoding(10, 16).pairs
    with pytest.raises(ValueError, match=r"^pairs must be "):
        pairs.hands([0], number)
    if number in (8, -1, 1.5):
        with pytest.raises(ValueError, match=rf"pair must be whole numbers from 0 to 7: {number} is not"):
            pairs.dimensions(number)


@pytest.mark.parametrize(
    ("encoding", "positions"),
    [
        (SinusoidalEncoding(10_000_000, 1024), range(9_991_808, 10_000_000)),
        (SinusoidalEncoding(10_000_000, 1024, layout="half-split"), range(8192)),
        (SinusoidalEncoding(10_000_000, 1024, layout="cosine-first"), range(0, 819_200, 100)),
        (SinusoidalEncoding(10_000_000, 2), range(2_000_000)),
        (SinusoidalEncoding(10_000_000, 65536), range(70)),
        (SinusoidalEncoding(10_000_000, 1024), [row + 0.25 for row in range(4096)]),
    ],
    ids=["wide", "half-split", "sparse", "narrow", "widest", "fractional"],
)
def test_a_window_takes_little_memory_beside_its_result(encoding, positions):
    encoding.values(0)
    assert peak_of(lambda: encoding.values(positions)) - 8 * len(positions) * encoding.d_model < 10e6
