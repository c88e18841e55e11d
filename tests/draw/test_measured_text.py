"""The number that decides on a property, as the dock and Compare write it."""

import pytest

from pe_desktop.core.kinds.ablations import OddWidthEncoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.measure.measurements import measure
from pe_desktop.draw.hand_text import deciding_number


@pytest.mark.parametrize(
    ("encoding", "key", "shown"),
    [
        # One hand, 2 pi; four, of which the last has 2 pi 10000^(3/4); lengths of 4 but for 1e-9.
        (SinusoidalEncoding(16, 2), "periodic", "6.28"),
        (SinusoidalEncoding(16, 8), "periodic", "6.28 – 6\u2009283"),
        (OddWidthEncoding(128, 33), "norm", "4.00"),
    ],
)
def test_a_range_whose_ends_look_alike_is_one_number(encoding, key, shown):
    (measurement,) = (one for one in measure(encoding) or () if one.key == key)
    assert deciding_number(measurement) == shown
