"""Which positions stand for a table that is too long to look at all of them."""

import numpy as np
import pytest

from pe_desktop.core import SinusoidalEncoding
from pe_desktop.core.samples import MEASURED_CELLS, measured_positions


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
