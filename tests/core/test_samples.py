"""Which positions stand for a table that is too long to look at all of them."""

import numpy as np
import pytest

from pe_desktop.core import PaddedEncoding
from pe_desktop.core.fields.field import even_sample, shift_positions
from pe_desktop.core.similarity import diagonal_spread


@pytest.mark.parametrize(("n_positions", "most"), [(10, 10), (10, 11), (1, 2), (0, 5)])
def test_few_positions_are_all_taken(n_positions, most):
    assert list(even_sample(n_positions, most)) == list(range(n_positions))


@pytest.mark.parametrize(("n_positions", "most"), [(11, 10), (10_000_000, 3), (10_000_000, 8191), (100, 2)])
def test_sample_of_many_positions_is_even_and_holds_first_and_last(n_positions, most):
    sample = np.asarray(even_sample(n_positions, most))
    assert (len(sample), sample[0], sample[-1]) == (most, 0, n_positions - 1)
    assert np.ptp(np.diff(sample)) <= 1
    assert np.diff(sample).min() >= 1


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
