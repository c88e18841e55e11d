"""Axis numbers stand at round positions, inside the visible range, and no closer than there is room."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.draw.plot import decades, position_ticks, with_end

# Eighths are exact, so that the oracle's edges are the code's edges.
FIRSTS = st.integers(0, 8 * 10**7).map(lambda eighths: eighths / 8)
WIDTHS = (st.integers(8, 8 * 4095) | st.integers(8 * 4096, 8 * 10**7)).map(lambda eighths: eighths / 8)


def round_steps(width: float) -> list[int]:
    """The steps that may be used, smallest first: powers of two for few positions, 1, 2, 5 times tens for many."""
    if width < 4096:
        return [2**power for power in range(13)]
    return sorted(digit * 10**power for digit in (1, 2, 5) for power in range(9))


@settings(max_examples=50)
@given(first=FIRSTS, width=WIDTHS, most=st.integers(1, 40))
def test_ticks_are_all_multiples_in_view_of_the_smallest_round_step_that_has_room(first, width, most):
    last = first + width
    step = next(step for step in round_steps(last - first) if step * most >= last - first)
    wanted = [float(step * number) for number in range(math.ceil(first / step), math.floor(last / step) + 1)]
    assert position_ticks(first, last, most) == wanted
    assert len(wanted) <= most + 1


@pytest.mark.parametrize(
    ("first", "last", "most", "ticks"),
    [
        (0.0, 127.0, 8, [0.0, 16.0, 32.0, 48.0, 64.0, 80.0, 96.0, 112.0]),
        (0.0, 1.0, 10, [0.0, 1.0]),
        (37.5, 39.5, 10, [38.0, 39.0]),
        (0.0, 9_999_999.0, 5, [0.0, 2e6, 4e6, 6e6, 8e6]),
        (9_999_990.0, 9_999_999.0, 3, [9_999_992.0, 9_999_996.0]),
        (0.0, 4999.0, 10, [500.0 * number for number in range(10)]),
    ],
)
def test_ticks_of_known_ranges(first, last, most, ticks):
    assert position_ticks(first, last, most) == ticks


@settings(max_examples=50)
@given(ticks=st.lists(st.floats(0, 100), unique=True).map(sorted), room=st.floats(0, 50))
def test_the_last_position_is_always_named_and_has_its_room(ticks, room):
    named = with_end(ticks, 100.0, room)
    assert named[-1] == 100.0
    assert all(100.0 - tick >= room for tick in named[:-1])
    assert set(named[:-1]) == {tick for tick in ticks if 100.0 - tick >= room}


@pytest.mark.parametrize(
    ("lowest", "highest", "most", "powers"),
    [
        (3.5, 94_000.0, 9, [10.0, 100.0, 1e3, 1e4]),
        (1.0, 1000.0, 9, [1.0, 10.0, 100.0, 1e3]),
        (0.55, 9.4e9, 4, [1.0, 1e3, 1e6, 1e9]),
        (2.0, 9.0, 5, []),
        (0.5, 1e9, 0, [1.0]),
    ],
)
def test_decades_are_powers_of_ten_at_an_even_stride(lowest, highest, most, powers):
    assert decades(lowest, highest, most) == powers
