"""Axes: values and pixels, round ticks in view with numbers of one kind, labels that have room; curves and legends."""

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QColor

from pe_desktop.draw import marks
from pe_desktop.draw.color_bar import color_bar, color_bar_width
from pe_desktop.draw.plot import Axis, Plot, Tick
from pe_desktop.draw.scene import Area
from pe_desktop.draw.typefaces import text_width
from tests.pictures import of_kind, text_frames
from tests.tables import table

AREA = Area(100.0, 20.0, 600.0, 200.0)
SIDES: list[tuple[Literal["below", "left", "right"], bool]] = [
    ("below", False),
    ("left", False),
    ("left", True),
    ("right", False),
]
# Eighths are exact, so that the oracle's edges are the code's edges.
FIRSTS = st.integers(0, 8 * 10**7).map(lambda eighths: eighths / 8)
WIDTHS = (st.integers(8, 8 * 4095) | st.integers(8 * 4096, 8 * 10**7)).map(lambda eighths: eighths / 8)


def texts(ticks):
    return " ".join(tick.text for tick in ticks)


def axis(first, last, side="below", length=600.0, **options):
    area = Area(100.0, 20.0, length, 200.0) if side == "below" else Area(100.0, 20.0, 300.0, length)
    return Axis(area, first, last, side, **options)


@pytest.mark.parametrize(("side", "is_downward"), SIDES)
@pytest.mark.parametrize("is_logarithmic", [False, True])
def test_values_and_pixels_invert_each_other_and_the_ends_are_the_area_s(side, is_downward, is_logarithmic):
    shown = Axis(AREA, 2.0, 162.0, side, is_logarithmic, is_downward)
    ends = {"below": (100.0, 700.0)}.get(side, (20.0, 220.0) if is_downward else (220.0, 20.0))
    assert [shown.place(value) for value in (2.0, 162.0)] == pytest.approx(ends)
    middle = 18.0 if is_logarithmic else 82.0
    assert shown.place(middle) == pytest.approx(sum(ends) / 2)
    some = np.array([2.0, 3.0, 77.5, 162.0])
    np.testing.assert_allclose([shown.value(pixel) for pixel in shown.place(some)], some)


@pytest.mark.parametrize("side", ["below", "left", "right"])
@pytest.mark.parametrize("length", [0.0, 1.0])
@pytest.mark.parametrize(("first", "last"), [(0.0, 127.0), (5.0, 5.0), (-20.0, 20.0), (1.0, 1e7)])
def test_an_axis_of_no_length_has_ticks_within_its_values(qapp, side, length, first, last):
    short = axis(first, last, side, length)
    ticks = [*short.position_ticks(int(last) + 1), *short.offset_ticks(), *short.level_ticks(), *short.end_ticks()]
    ticks += short.power_ticks() if first > 0.0 else ()
    assert all(first <= tick.value <= last and math.isfinite(short.place(tick.value)) for tick in ticks)


def round_steps(width: float) -> list[int]:
    """The steps that may be used, smallest first: powers of two for few positions, 1, 2, 5 times tens for many."""
    if width < 4096:
        return [2**power for power in range(13)]
    return sorted(digit * 10**power for digit in (1, 2, 5) for power in range(9))


@settings(max_examples=50)
@given(first=FIRSTS, width=WIDTHS, most=st.integers(1, 40))
def test_position_ticks_are_all_multiples_in_view_of_the_smallest_round_step_that_has_room(first, width, most):
    last = first + width
    steps = round_steps(last - first)
    place = next(place for place, step in enumerate(steps) if step * most >= last - first)
    # None of its multiples may lie there: then the next smaller one counts.
    multiples = (
        [float(step * number) for number in range(math.ceil(first / step), math.floor(last / step) + 1)]
        for step in reversed(steps[: place + 1])
    )
    wanted = next((some for some in multiples if some), [])
    assert [tick.value for tick in axis(first, last, length=64.0 * most).position_ticks(room=64.0)] == wanted
    assert len(wanted) <= most + 1


@settings(max_examples=50)
@given(n_positions=st.integers(2, 10**8), first=st.floats(0, 1), side=st.sampled_from(["below", "left"]))
def test_where_the_table_ends_in_view_its_last_position_is_named_and_has_its_room(qapp, n_positions, first, side):
    end = n_positions - 1.0
    shown = axis(first * end - 0.5, end + 0.5, side)
    ticks = shown.position_ticks(n_positions)
    room = 1.5 * text_width("tick", ticks[-1].text) if side == "below" else 20.0
    assert ticks[-1].value == end
    assert all(abs(shown.place(end) - shown.place(tick.value)) >= room - 1e-6 for tick in ticks[:-1])
    assert axis(0.0, end - 0.5, side).position_ticks(n_positions)[-1].value < end


KNOWN: dict[str, Callable[..., tuple[Tick, ...]]] = {
    "positions": lambda first, last, n: axis(first, last).position_ticks(n),
    # Wide numbers stand further apart, for the first one begins with the axis.
    "narrow": lambda first, last, length: axis(first, last, length=length).position_ticks(),
    # Levels are round and have one count of decimals.
    "levels": lambda low, high, n_levels: axis(low, high, "left", 26.0 * n_levels).level_ticks(),
    # Powers of ten stand at an even stride and are written alike.
    "powers": lambda low, high, length: axis(low, high, "left", length, is_logarithmic=True).power_ticks(),
    # Offsets stand evenly around zero with their signs.
    "offsets": lambda first, last: axis(first, last, length=352.0).offset_ticks(),
    # Ends have signs where a scale passes zero.
    "ends": lambda first, last, *is_cut: axis(first, last).end_ticks(*is_cut),
    "ends and middle": lambda first, last: axis(first, last).end_ticks(with_middle=True),
}


@pytest.mark.parametrize(("kind", "ends", "told"), table("draw/axes"))
def test_numbers_of_known_axes(qapp, kind, ends, told):
    assert texts(KNOWN[kind](*ends)) == told


@pytest.mark.parametrize(("side", "is_downward"), SIDES)
def test_numbers_lines_and_edge_stand_at_the_places_of_their_values(light, side, is_downward):
    shown = Axis(AREA, 0.0, 64.0, side, is_downward=is_downward)
    ticks, along = shown.position_ticks(), 0 if side == "below" else 1
    places = [shown.place(tick.value) for tick in ticks]
    assert len(places) > 2
    frames = np.array([frame[:4] for frame in text_frames(shown.labels(ticks, light))])
    np.testing.assert_allclose(frames[:, [along, along + 2]].mean(axis=1), places, atol=0.01)
    grid = shown.grid(ticks, light).ends
    np.testing.assert_allclose(grid[:, [along, along + 2]], np.repeat(places, 2).reshape(-1, 2))
    np.testing.assert_allclose(shown.line(16.0, light.ink).ends[0, along], shown.place(16.0))
    edge, far = shown.edge(light.axis).ends[0], {"below": 220.0, "left": 100.0, "right": 700.0}[side]
    assert edge[1 - along] == edge[3 - along] == far


def test_an_overview_shows_which_part_of_the_whole_is_seen(light):
    for side, is_downward in SIDES:
        shown = Axis(AREA, 32.0, 64.0, side, is_downward=is_downward)
        every, part = (bar.ends[0] for bar in of_kind(shown.overview(0.0, 128.0, 5.0, light), marks.Segments))
        full = Axis(AREA, 0.0, 128.0, side, is_downward=is_downward)
        along = [0, 2] if side == "below" else [1, 3]
        np.testing.assert_allclose(every[along], [full.place(0.0), full.place(128.0)])
        np.testing.assert_allclose(part[along], [full.place(32.0), full.place(64.0)])


def test_a_curve_of_many_points_keeps_its_extremes_in_every_pixel(light):
    area = Area(0.0, 0.0, 10.0, 100.0)
    plot = Plot(Axis(area, 0.0, 1000.0), Axis(area, -1.0, 1.0, "left"))
    x = np.linspace(0.0, 1000.0, 5001)
    line = plot.curve(x, np.sin(x), light.ink, 1.0)
    assert len(line.points) <= 22
    assert (line.points[:, 1].min(), line.points[:, 1].max()) == pytest.approx((0.0, 100.0), abs=0.1)


@pytest.mark.parametrize(
    ("limits", "numbers"), [((-1.0, 1.0), ["−1", "0", "+1"]), ((0.0, 5.66), ["0", "2.83", "5.66"])]
)
def test_a_colour_bar_runs_from_its_low_colour_at_the_bottom_to_its_high_one(light, painted, limits, numbers):
    colors = np.column_stack((np.arange(256), np.full(256, 40), 255 - np.arange(256))).astype(np.uint8)
    picture = [*color_bar(Area(0.0, 20.0, 60.0, 256.0), limits, colors, light)]
    sheet = painted(picture, ratio=3.0, width=100, height=300)
    bar = of_kind(picture, marks.Rectangle)[0]
    column = [QColor(sheet.at(bar.x + bar.width / 2, y / 3)) for y in range(900)]
    reds = [color.red() for color in column if color.green() == 40]
    assert reds == sorted(reds, reverse=True)
    # The frame covers the outermost dots.
    assert (reds[0] >= 253, reds[-1] <= 2, len(set(reds)) >= 252) == (True, True, True)
    texts = of_kind(picture, marks.Text)
    assert sorted(numbers) == sorted(mark.text for mark in texts)
    right = max(mark.x + text_width("tick", mark.text) for mark in texts)
    assert right == pytest.approx(color_bar_width(limits))
