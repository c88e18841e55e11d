"""Where an axis carries its numbers."""

import math

# Positions are counted in powers of two where few are seen (the pictures' 16, 32, 48), in tens where many are.
FEW_POSITIONS = 4096
DECIMAL_STEPS = (1, 2, 5)


def position_ticks(first: float, last: float, most: int) -> list[float]:
    """Whole positions in [first, last] at equal steps, at most about `most` of them."""
    step = _binary_step(last - first, most) if last - first < FEW_POSITIONS else _decimal_step(last - first, most)
    start = math.ceil(first / step - 1e-9) * step
    count = math.floor((last - start) / step + 1e-9) + 1
    return [float(start + i * step) for i in range(max(count, 0))]


def span_ticks(first: float, last: float, n_positions: int, most: int, room: float) -> list[float]:
    """Ticks within a span and the table; where the table's end is seen, its last position, with `room` before it."""
    end = float(n_positions - 1)
    ticks = position_ticks(max(first, 0.0), min(last, end), most)
    return with_end(ticks, end, room) if last >= end else ticks


def with_end(ticks: list[float], last: float, room: float) -> list[float]:
    """The ticks and the last position; a tick that stands closer to it than the room gives way."""
    return [tick for tick in ticks if last - tick >= room] + [last]


def decades(lowest: float, highest: float, most: int) -> list[float]:
    """Powers of ten in [lowest, highest], every one, every second, ... so that at most `most` remain."""
    first, last = math.ceil(math.log10(lowest) - 1e-9), math.floor(math.log10(highest) + 1e-9)
    stride = max(1, math.ceil((last - first + 1) / max(most, 1)))
    return [10.0**power for power in range(first, last + 1, stride)]


def _binary_step(width: float, most: int) -> int:
    return 1 << math.ceil(math.log2(max(width / max(most, 1), 1.0)))


def _decimal_step(width: float, most: int) -> int:
    wanted = width / max(most, 1)
    power = 10 ** math.floor(math.log10(wanted))
    return next((int(step * power) for step in DECIMAL_STEPS if step * power >= wanted), int(10 * power))
