"""The numbers below an axis of positions, kept inside the room that is theirs."""

from collections.abc import Callable, Sequence

from pe_desktop.plotting import marks
from pe_desktop.plotting.number_text import whole
from pe_desktop.plotting.theme import Theme
from pe_desktop.plotting.typefaces import text_width

# How far the last number may reach beyond the plot.
OVERHANG = 14.0
# And the first one, beside which the axis has its title.
OVERHANG_BEFORE = 4.0


def position_labels(
    ticks: Sequence[float], x: Callable[[float], float], y: float, ends: tuple[float, float], theme: Theme
) -> list[marks.Mark]:
    """A number centred below each tick; one that would reach far beyond the plot's ends stands at its edge."""
    first, last = ends[0] - OVERHANG_BEFORE, ends[1] + OVERHANG
    labels: list[marks.Mark] = []
    for tick in ticks:
        place, across, text = x(tick), 0.5, whole(tick)
        half = text_width("tick", text) / 2
        if place + half > last:
            place, across = last, 1.0
        elif place - half < first:
            place, across = first, 0.0
        labels.append(marks.Text(place, y, text, "tick", theme.text3, across=across))
    return labels
