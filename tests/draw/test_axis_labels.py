"""The numbers of positions stand below their ticks, clear of the axis title and inside the panel."""

from pe_desktop.draw.plot import position_labels
from pe_desktop.draw.theme import Theme
from tests.pictures import text_frames

LEFT, RIGHT = 100.0, 700.0
# Axis titles end twelve pixels before the plot.
TITLE_END = LEFT - 12.0


def test_wide_numbers_at_the_ends_of_an_axis_leave_its_title_free_and_stay_in_the_panel(light: Theme) -> None:
    ticks = [4_796_672.0, 4_797_184.0, 4_797_952.0]

    def place(tick: float) -> float:
        return LEFT + (tick - ticks[0]) / (ticks[-1] - ticks[0]) * (RIGHT - LEFT)

    frames = text_frames(position_labels(ticks, place, 20.0, (LEFT, RIGHT), light))
    assert frames[0][0] > TITLE_END + 4.0
    assert frames[-1][2] <= RIGHT + 14.0
    left, _, right, _, _ = frames[1]
    assert (left + right) / 2 == LEFT + 512 / 1280 * 600.0


def test_short_numbers_stand_in_the_middle_below_their_ticks(light: Theme) -> None:
    [(left, _, right, _, text)] = text_frames(position_labels([0.0], lambda _: LEFT, 20.0, (LEFT, RIGHT), light))
    assert ((left + right) / 2, text) == (LEFT, "0")
