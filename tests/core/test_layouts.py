"""The three layouts are one table with its columns in another order."""

import numpy as np
import pytest

from pe_desktop.core import LAYOUTS, SinusoidalEncoding


def names_of_columns(layout, n_pairs):
    """The columns of a layout as words, written out by hand."""
    sines, cosines = [f"sin{pair}" for pair in range(n_pairs)], [f"cos{pair}" for pair in range(n_pairs)]
    return {
        "interleaved": [name for pair in zip(sines, cosines, strict=True) for name in pair],
        "half-split": sines + cosines,
        "cosine-first": cosines + sines,
    }[layout]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("d_model", [2, 4, 10])
def test_columns_hold_the_sines_and_cosines_that_the_layout_names(layout, d_model):
    encoding = SinusoidalEncoding(200, d_model, layout=layout)
    omega = encoding.pairs.angular_frequencies
    positions = np.arange(200)
    table = encoding.values(range(200))
    for column, name in enumerate(names_of_columns(layout, d_model // 2)):
        wave = {"sin": np.sin, "cos": np.cos}[name[:3]](positions * omega[int(name[3:])])
        np.testing.assert_allclose(table[:, column], wave, rtol=0, atol=1e-13)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_dimensions_of_a_pair_are_its_sine_and_its_cosine(layout):
    pairs = SinusoidalEncoding(10, 12, layout=layout).pairs
    names = names_of_columns(layout, 6)
    for pair in range(6):
        assert [names[column] for column in pairs.dimensions(pair)] == [f"sin{pair}", f"cos{pair}"]
        assert pairs.dimensions(pair) == tuple(pairs.columns[pair])


@pytest.mark.parametrize("pair", [-1, 6, 1.5])
def test_a_pair_that_does_not_exist_has_no_dimensions(pair):
    with pytest.raises(ValueError, match=rf"pair must be whole numbers from 0 to 5: {pair} is not"):
        SinusoidalEncoding(10, 12).pairs.dimensions(pair)


def test_hands_turn_clockwise_from_twelve():
    hands = SinusoidalEncoding(10, 2).pairs.hands([0, np.pi / 2, np.pi, 3 * np.pi / 2])[:, 0]
    np.testing.assert_allclose(hands, [[0, 1], [1, 0], [0, -1], [-1, 0]], rtol=0, atol=1e-15)


def test_hand_returns_after_one_wavelength():
    pairs = SinusoidalEncoding(10, 32).pairs
    for pair, wavelength in enumerate(pairs.wavelengths):
        start, end = pairs.hands([1000.0, 1000.0 + wavelength], [pair])[:, 0]
        # The wavelength and the sum are float64: their own rounding turns the hand by this much at most.
        slack = 2 * np.spacing(1000.0 + wavelength) * pairs.angular_frequencies[pair]
        np.testing.assert_allclose(end, start, rtol=0, atol=slack + 1e-15)
