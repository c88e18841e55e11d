"""The cursors across the waves: their marks carry the true values, and their flags never cover each other."""

import itertools
import math

import numpy as np
import pytest

from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.draw import marks
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.waves.layout import WavesLayout
from pe_desktop.views.waves.picture import cursor_picture, preview_picture
from tests.pictures import of_kind

SHOWN = [0, 4, 8]


def picture(theme, cursor, n_positions=128, span=None, width=900.0, height=400.0):
    layout = WavesLayout(width, height, 3, span or Span(0.0, 127.0))
    return layout, cursor_picture(layout, SinusoidalEncoding(n_positions), SHOWN, cursor, theme)


def omega(pair):
    return 10000 ** (-2 * pair / 32)


def flags(marks_shown):
    """Left and right edge, fill and label of each flag, t first."""
    boxes, texts = of_kind(marks_shown, marks.Rectangle), of_kind(marks_shown, marks.Text)
    return [
        (
            box.x,
            box.x + box.width,
            box.fill,
            next(t.text for t in texts if box.y < t.y < box.y + box.height and box.x < t.x < box.x + box.width),
        )
        for box in boxes
    ]


@pytest.mark.parametrize(("position", "offset"), [(37.0, 8.0), (37.25, -8.5), (0.0, 127.0), (127.0, 0.0)])
def test_dots_stand_at_the_sines_and_cosines_of_t_and_t_plus_k(theme, position, offset):
    layout, shown = picture(theme, Cursor(position, offset))
    dots = of_kind(shown, marks.Dots)
    assert len(dots) == 12
    for row, pair in enumerate(SHOWN):
        color = theme.pair_color(pair, 16)
        for place, is_solid in ((position, True), (position + offset, False)):
            x = layout.left + place / 127 * (layout.right - layout.left)
            for wave in (math.sin, math.cos):
                y = layout.row_middle(row) - layout.amplitude * wave(place * omega(pair))
                here = [dot for dot in dots if np.allclose(dot.centers, [[x, y]], rtol=0, atol=1e-6)]
                fills = [dot.fill for dot in here]
                assert (color if is_solid else theme.panel) in fills
                assert all(color in (dot.fill, dot.outline) for dot in here)


def test_the_numbers_beside_a_row_are_its_values(light):
    layout, shown = picture(light, Cursor(37.0, 8.0))
    for row, pair in enumerate(SHOWN):
        middle = layout.row_middle(row)
        texts = [t for t in of_kind(shown, marks.Text) if t.x > layout.right and abs(t.y - middle) < 20]
        sine, cosine = (sorted((t for t in texts if sign * (t.y - middle) > 0), key=lambda t: t.x) for sign in (-1, 1))
        for line, name, wave in ((sine, "sin", math.sin), (cosine, "cos", math.cos)):
            values = [f"{wave(place * omega(pair)):.2f}".replace("-", "\u2212") for place in (37, 45)]
            assert [text.text for text in line] == [name, *values]


def test_the_line_at_t_is_solid_and_the_one_at_t_plus_k_dashed(light):
    layout, shown = picture(light, Cursor(37.0, 8.0))
    lines = {bool(line.dash): line.ends for line in of_kind(shown, marks.Segments)}
    plot = layout.right - layout.left
    for is_dashed, place in ((False, 37.0), (True, 45.0)):
        np.testing.assert_allclose(lines[is_dashed][:, [0, 2]], layout.left + place / 127 * plot)
        assert lines[is_dashed][0, 3] == layout.bottom


@pytest.mark.parametrize(
    ("span", "now", "later"),
    [
        (Span(0.0, 20.0), "t = 37 ›", "t + k = 45 ›"),
        (Span(100.0, 127.0), "‹ t = 37", "‹ t + k = 45"),
        (Span(30.0, 40.0), "t = 37", "t + k = 45 ›"),
        (Span(0.0, 127.0), "t = 37", "t + k = 45"),
    ],
)
def test_a_cursor_outside_the_view_is_pointed_to_and_not_drawn(light, span, now, later):
    _, shown = picture(light, Cursor(37.0, 8.0), span=span)
    assert [flag[3] for flag in flags(shown)] == [now, later]
    n_seen = sum(span.first <= place <= span.last for place in (37, 45))
    assert len(of_kind(shown, marks.Segments)) == n_seen
    assert len(of_kind(shown, marks.Dots)) == 6 * n_seen


@pytest.mark.parametrize(
    ("position", "offset", "label"),
    [
        (120.0, 8.0, "t + k = 128, outside N ›"),
        (120.0, 7.0, "t + k = 127"),
        (3.0, -4.0, "‹ t + k = −1, outside N"),
        (3.0, -3.0, "t + k = 0"),
    ],
)
def test_a_later_position_outside_the_table_says_so(light, position, offset, label):
    _, shown = picture(light, Cursor(position, offset))
    assert flags(shown)[1][3] == label


PLACES = [
    (place, k)
    for place in (0.0, 0.5, 1.0, 63.0, 126.0, 126.5, 127.0)
    for k in (-200.0, -8.0, -1.0, -0.1, 0.0, 0.1, 1.0, 3.0, 8.0, 200.0)
]


@pytest.mark.parametrize("span", [Span(0.0, 127.0), Span(0.0, 2.0), Span(60.0, 70.0), Span(125.0, 127.0)], ids=str)
@pytest.mark.parametrize("width", [420.0, 560.0, 900.0, 1600.0])
def test_the_flags_never_cover_each_other_and_stay_in_the_picture(light, width, span):
    for position, offset in PLACES:
        _, shown = picture(light, Cursor(position, offset), span=span, width=width)
        (now_left, now_right, now_fill, now), (later_left, later_right, later_fill, later) = flags(shown)
        where = (position, offset, now, later, now_left, now_right, later_left, later_right)
        assert now_right <= later_left or later_right <= now_left, where
        assert min(now_left, later_left) >= 0, where
        assert max(now_right, later_right) <= width, where
        assert now_right - now_left >= text_width("flag", now) + 8
        assert later_right - later_left >= text_width("flag", later) + 8
        assert (now_fill, later_fill) == (light.ink, light.panel)


@pytest.mark.parametrize("offset", [-9_999_999.0, -1.0, 0.0, 1.0, 9_999_999.0])
@pytest.mark.parametrize("position", [0.0, 5_000_000.5, 9_999_999.0])
def test_flags_of_the_longest_table_stay_in_the_picture(light, position, offset):
    _, shown = picture(light, Cursor(position, offset), 10_000_000, Span(-0.5, 9_999_999.5), 560.0)
    (now_left, now_right, *_), (later_left, later_right, *_) = flags(shown)
    assert now_right <= later_left or later_right <= now_left
    assert min(now_left, later_left) >= 0
    assert max(now_right, later_right) <= 560


@pytest.mark.parametrize("position", [20.0, 40.0, 100.0])
def test_a_flag_with_room_touches_its_line(light, position):
    layout, shown = picture(light, Cursor(position, 20.0))
    for (left, right, *_), place in zip(flags(shown), (position, position + 20), strict=True):
        assert left <= layout.x(place) <= right


def test_the_number_of_marks_does_not_grow_with_the_table(light):
    short, long = (picture(light, Cursor(3.0, 2.0), n, Span(-0.5, n - 0.5))[1] for n in (10, 10_000_000))
    assert len(short) == len(long)


def test_low_rows_show_fewer_numbers_and_never_two_on_one_place(light):
    for height, n_numbers in ((400.0, 18), (160.0, 9), (120.0, 0)):
        layout, shown = picture(light, Cursor(37.0, 8.0), height=height)
        texts = [text for text in of_kind(shown, marks.Text) if text.x > layout.right]
        assert len(texts) == n_numbers
        heights = sorted({text.y for text in texts})
        assert all(later - earlier >= 12 for earlier, later in itertools.pairwise(heights))


def test_the_preview_is_a_line_where_the_pointer_is_while_that_is_in_view(light):
    layout = WavesLayout(900.0, 400.0, 3, Span(10.0, 50.0))
    (line,) = of_kind(preview_picture(layout, 30.0, light), marks.Segments)
    assert line.ends[0, 0] == line.ends[0, 2] == (layout.left + layout.right) / 2
    assert preview_picture(layout, None, light) == ()
    assert preview_picture(layout, 9.0, light) == ()
    assert preview_picture(layout, 51.0, light) == ()
