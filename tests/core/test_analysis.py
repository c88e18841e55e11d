"""What is measured of an encoding."""

import numpy as np
import pytest

from pe_desktop.core import Analysis, SinusoidalEncoding, analyse, shift_residuals
from pe_desktop.core.analysis import MEASURED_CELLS, measured_positions


class Counter:
    """A stand-in without pairs: position t itself in every dimension."""

    kind, title, pairs, is_shift_invariant = "counter", "Counter", None, False

    def __init__(self, n_positions, d_model):
        self.n_positions, self.d_model = n_positions, d_model

    def values(self, positions, dimensions=None):
        return np.repeat(np.asarray(positions, dtype=float)[:, np.newaxis], self.d_model, axis=1)


def analysis_of(encoding) -> Analysis:
    """An analysis that runs to its end."""
    analysis = analyse(encoding)
    assert analysis is not None
    return analysis


def test_small_table_is_measured_at_every_position():
    encoding = SinusoidalEncoding(1000, 64)
    analysis = analysis_of(encoding)
    table = encoding.values(range(1000))
    assert analysis.encoding is encoding
    assert (analysis.n_measured, analysis.is_sample) == (1000, False)
    assert analysis.largest_value == np.abs(table).max()
    assert analysis.norm_low == pytest.approx(np.sqrt(32), rel=1e-14)
    assert analysis.norm_high == pytest.approx(np.sqrt(32), rel=1e-14)
    assert analysis.largest_residual == pytest.approx(shift_residuals(encoding, 1, range(1000)).max())
    assert analysis.largest_residual is not None
    assert 0 < analysis.largest_residual < 1e-15


@pytest.mark.parametrize(("n_positions", "turning"), [(6, 0), (7, 1), (100, 20), (54411, 64), (54410, 63)])
def test_pairs_turn_when_their_wavelength_fits_the_table(n_positions, turning):
    # d = 128: the last wavelength is 54410.14, and 44 of 64 are longer than 100.
    assert analysis_of(SinusoidalEncoding(n_positions, 128)).n_turning == turning


@pytest.mark.parametrize("d_model", [2, 512, 65536])
def test_large_table_is_measured_at_a_stated_even_sample(d_model):
    encoding = SinusoidalEncoding(10_000_000, d_model)
    positions = np.asarray(measured_positions(encoding))
    assert (positions[0], positions[-1]) == (0, 9_999_999)
    assert len(positions) * d_model <= MEASURED_CELLS
    assert np.ptp(np.diff(positions)) <= 1


def test_sample_is_named_as_one():
    analysis = analysis_of(SinusoidalEncoding(10_000_000, 65536))
    assert (analysis.n_measured, analysis.is_sample) == (MEASURED_CELLS // 65536, True)
    assert analysis.largest_residual is not None
    assert analysis.largest_residual < 2e-15


@pytest.mark.parametrize(("n_positions", "is_sample"), [(MEASURED_CELLS // 2, False), (MEASURED_CELLS // 2 + 1, True)])
def test_sampling_begins_where_the_table_outgrows_the_budget(n_positions, is_sample):
    positions = measured_positions(SinusoidalEncoding(n_positions, 2))
    assert (len(positions) < n_positions) is is_sample


def test_one_position_is_enough():
    analysis = analysis_of(SinusoidalEncoding(1, 2))
    assert (analysis.n_measured, analysis.norm_low, analysis.norm_high) == (1, 1.0, 1.0)


def test_encoding_without_pairs_has_no_residual_and_no_turning_pair():
    analysis = analysis_of(Counter(1000, 4))
    assert analysis.largest_value == 999
    assert (analysis.norm_low, analysis.norm_high) == (0, 1998)
    assert (analysis.largest_residual, analysis.n_turning) == (None, 0)


def test_cancelled_analysis_stops_at_the_next_question():
    questions: list[None] = []

    def is_cancelled():
        questions.append(None)
        return len(questions) == 3

    assert analyse(SinusoidalEncoding(10_000_000, 512), is_cancelled) is None
    assert len(questions) == 3
