"""The numbers below an axis of positions, kept inside the room that is theirs."""

from collections.abc import Callable, Sequence

from pe_desktop.plotting import marks
from pe_desktop.plotting.number_text import whole
from pe_desktop.plotting.theme import Theme
from pe_desktop.plotting.typefaces import text_width

# How far the last number may reach beyond the plot.
OVERHANG = 14.0


def position_labels(
    ticks: Sequence[float], x: Callable[[float], float], y: float, right: float, theme: Theme
) -> list[marks.Mark]:
    """A number centred below each tick; one that would reach far beyond the plot ends a little behind it."""
    edge = right + OVERHANG
    labels: list[marks.Mark] = []
    for tick in ticks:
        text = whole(tick)
        is_too_far = x(tick) + text_width("tick", text) / 2 > edge
        labels.append(
            marks.Text(edge if is_too_far else x(tick), y, text, "tick", theme.text3, across=1.0 if is_too_far else 0.5)
        )
    return labels
