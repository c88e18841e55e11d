"""Which positions stand for a table that is too long to look at all of them."""

import numpy as np
import pytest

from pe_desktop.core import PaddedEncoding, SinusoidalEncoding
from pe_desktop.core.fields.field import MEASURED_CELLS, measured_positions, shift_positions
from pe_desktop.core.similarity import diagonal_spread


@pytest.mark.parametrize("d_model", [2, 512, 65536])
def test_large_table_is_measured_at_an_even_sample(d_model):
    encoding = SinusoidalEncoding(10_000_000, d_model)
    positions = np.asarray(measured_positions(encoding))
    assert (positions[0], positions[-1]) == (0, 9_999_999)
    assert len(positions) * d_model <= MEASURED_CELLS
    assert np.ptp(np.diff(positions)) <= 1


@pytest.mark.parametrize(("n_positions", "is_sample"), [(MEASURED_CELLS // 2, False), (MEASURED_CELLS // 2 + 1, True)])
def test_sampling_begins_where_the_table_outgrows_the_budget(n_positions, is_sample):
    positions = measured_positions(SinusoidalEncoding(n_positions, 2))
    assert (len(positions) < n_positions) is is_sample


@pytest.mark.parametrize("offset", [7, -7, 2.5])
def test_a_sample_along_a_diagonal_lies_in_the_table_and_holds_what_touches_the_row_of_zeros(offset):
    encoding = PaddedEncoding(1_000_000, 4, padding_idx=700_003)
    positions = np.asarray(shift_positions(encoding, offset, 100))
    assert 0 <= min(positions[0], positions[0] + offset) < 1
    assert 999_998 < max(positions[-1], positions[-1] + offset) <= 999_999
    touching = {700_003, 700_003 - offset} - {700_000.5}
    assert touching <= set(positions.tolist())
    assert len(positions) == 100 + len(touching)
    spread = diagonal_spread(encoding, "dot", offset, 100)
    # 0 with the row of zeros, and cos(7) + cos(7 / 10000) elsewhere.
    highest = np.cos(offset) + np.cos(offset / 10_000)
    assert spread is not None
    assert sorted((spread.lowest, spread.highest)) == pytest.approx(sorted((0, highest)), abs=1e-9)
