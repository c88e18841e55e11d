"""The waves and the cursors across them: true values, flags and labels that have room, few marks at any size."""

import math

import numpy as np
import pytest

from pe_desktop.core.cursor import Cursor, Preview, Span
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State, state_of, with_name
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Computed
from pe_desktop.views.waves.layout import WavesLayout
from pe_desktop.views.waves.picture import cursor_picture, waves_picture
from pe_desktop.views.waves.scene import VIEW, layout_of
from tests.pictures import of_kind, text_frames
from tests.views.seen import omega, texts_in

SHOWN = (0, 4, 8)


def picture(theme, n_positions=128, span=None):
    span = span or Span(0.0, max(n_positions - 1.0, 1.0))
    layout = WavesLayout(900.0, 400.0, SinusoidalEncoding(n_positions), SHOWN, span)
    return layout, waves_picture(layout, theme)


def test_curves_pass_through_the_sines_and_cosines_of_the_positions(theme):
    layout, shown = picture(theme)
    lines = of_kind(shown, marks.Polyline)
    assert len(lines) == 6
    for row, pair in enumerate(SHOWN):
        cosine, sine = lines[2 * row : 2 * row + 2]
        assert (bool(sine.dash), bool(cosine.dash)) == (False, True)
        assert sine.color == theme.pair_color(pair, 16)
        for line, wave in ((sine, np.sin), (cosine, np.cos)):
            positions = (line.points[:, 0] - layout.area.x) / (layout.area.right - layout.area.x) * 127
            values = (layout.levels[row].place(0.0) - line.points[:, 1]) / layout.amplitude
            np.testing.assert_allclose(values, wave(positions * omega(pair)), rtol=0, atol=1e-9)
            assert (positions[0], positions[-1]) == pytest.approx((0, 127))
    # Fast waves of a long table are bands over their whole range.
    layout, shown = picture(theme, 10_000_000)
    bands = of_kind(shown, marks.Band)
    assert (len(bands), len(of_kind(shown, marks.Polyline))) == (6, 0)
    for place, band in enumerate(bands):
        for edge, value in ((band.upper, 1.0), (band.lower, -1.0)):
            np.testing.assert_allclose(edge, layout.levels[place // 2].place(value), atol=1e-6)


def test_what_a_pixel_covers_is_told_below_the_axis_clear_of_curves_and_cursors(light):
    layout, shown = picture(light, 4000)
    (left, top, right, bottom, words) = next(frame for frame in text_frames(shown) if "each pixel" in frame[4])
    assert top > max(frame[3] for frame in text_frames(shown) if frame[4] != words) + 2.0
    assert layout.area.x <= left < right <= layout.area.right
    assert bottom < layout.height - 2.0


def test_whole_positions_of_fast_pairs_are_dotted_where_they_can_be_told_apart(light):
    layout, shown = picture(light)
    (dots,) = of_kind(shown, marks.Dots)
    positions = np.arange(128)
    x = layout.area.x + positions / 127 * (layout.area.right - layout.area.x)
    y = layout.levels[0].place(0.0) - layout.amplitude * np.sin(positions)
    np.testing.assert_allclose(dots.centers, np.column_stack((x, y)), rtol=0, atol=1e-6)
    assert not of_kind(picture(light, 1000)[1], marks.Dots)
    zoomed = of_kind(picture(light, 1000, Span(500.5, 520.5))[1], marks.Dots)
    assert [len(dots.centers) for dots in zoomed] == [20]
    # They end with the table.
    assert [len(dots.centers) for dots in of_kind(picture(light, 1)[1], marks.Dots)] == [1]


def crossed(theme, cursor, span=None, width=900.0):
    layout = WavesLayout(width, 400.0, SinusoidalEncoding(128), SHOWN, span or Span(0.0, 127.0))
    return layout, cursor_picture(layout, cursor, theme)


def flags(marks_shown):
    """Left and right edge, fill and label of each flag, t first."""
    boxes, texts = of_kind(marks_shown, marks.Rectangle), of_kind(marks_shown, marks.Text)
    found = []
    for box in boxes:
        area = Area(box.x, box.y, box.width, box.height)
        found.append((area.x, area.right, box.fill, next(t.text for t in texts if area.holds(t.x, t.y))))
    return found


@pytest.mark.parametrize(("position", "offset"), [(37.0, 8.0), (37.25, -8.5), (0.0, 127.0), (127.0, 0.0)])
def test_dots_stand_at_the_sines_and_cosines_of_t_and_t_plus_k(theme, position, offset):
    layout, shown = crossed(theme, Cursor(position, offset))
    dots = of_kind(shown, marks.Dots)
    assert len(dots) == 12
    for row, pair in enumerate(SHOWN):
        color = theme.pair_color(pair, 16)
        for place, is_solid in ((position, True), (position + offset, False)):
            x = layout.area.x + place / 127 * (layout.area.right - layout.area.x)
            for wave in (math.sin, math.cos):
                y = layout.levels[row].place(0.0) - layout.amplitude * wave(place * omega(pair))
                here = [dot for dot in dots if np.allclose(dot.centers, [[x, y]], rtol=0, atol=1e-6)]
                fills = [dot.fill for dot in here]
                assert (color if is_solid else theme.panel) in fills
                assert all(color in (dot.fill, dot.outline) for dot in here)


def test_the_numbers_beside_a_row_are_its_values(light):
    layout, shown = crossed(light, Cursor(37.0, 8.0))
    for row, pair in enumerate(SHOWN):
        middle = layout.levels[row].place(0.0)
        texts = [t for t in of_kind(shown, marks.Text) if t.x > layout.area.right and abs(t.y - middle) < 20]
        sine, cosine = (sorted((t for t in texts if sign * (t.y - middle) > 0), key=lambda t: t.x) for sign in (-1, 1))
        for line, wave in ((sine, math.sin), (cosine, math.cos)):
            values = [f"{wave(place * omega(pair)):.2f}".replace("-", "\u2212") for place in (37, 45)]
            assert [text.text for text in line] == values


@pytest.mark.parametrize(
    ("position", "offset", "span", "now", "later"),
    [
        (37.0, 8.0, Span(0.0, 20.0), "t = 37 ›", "t + k = 45 ›"),
        (37.0, 8.0, Span(100.0, 127.0), "‹ t = 37", "‹ t + k = 45"),
        (37.0, 8.0, Span(30.0, 40.0), "t = 37", "t + k = 45 ›"),
        (37.0, 8.0, Span(0.0, 127.0), "t = 37", "t + k = 45"),
        (120.0, 8.0, Span(0.0, 127.0), "t = 120", "t + k = 128, outside N ›"),
        (3.0, -4.0, Span(0.0, 127.0), "t = 3", "‹ t + k = −1, outside N"),
        (3.0, -3.0, Span(0.0, 127.0), "t = 3", "t + k = 0"),
    ],
)
def test_a_cursor_outside_the_view_or_the_table_is_pointed_to_and_not_drawn(light, position, offset, span, now, later):
    _, shown = crossed(light, Cursor(position, offset), span=span)
    assert [flag[3] for flag in flags(shown)] == [now, later]
    n_seen = sum(span.first <= place <= span.last for place in (position, position + offset))
    assert len(of_kind(shown, marks.Segments)) == n_seen
    assert len(of_kind(shown, marks.Dots)) == 6 * n_seen


PLACES = [
    (place, k)
    for place in (0.0, 0.5, 1.0, 63.0, 126.0, 126.5, 127.0)
    for k in (-200.0, -8.0, -1.0, -0.1, 0.0, 0.1, 1.0, 3.0, 8.0, 200.0)
]


@pytest.mark.parametrize("span", [Span(0.0, 127.0), Span(0.0, 2.0), Span(60.0, 70.0), Span(125.0, 127.0)], ids=str)
def test_the_flags_never_cover_each_other_and_stay_in_the_picture(light, span, luck):
    width = luck.uniform(420.0, 1600.0)
    for position, offset in PLACES:
        _, shown = crossed(light, Cursor(position, offset), span=span, width=width)
        (now_left, now_right, now_fill, now), (later_left, later_right, later_fill, later) = flags(shown)
        where = (position, offset, now, later, now_left, now_right, later_left, later_right)
        # In the order of their lines.
        assert now_right <= later_left if offset >= 0 else later_right <= now_left, where
        assert min(now_left, later_left) >= 0, where
        assert max(now_right, later_right) <= width, where
        assert now_right - now_left >= text_width("flag", now) + 8
        assert later_right - later_left >= text_width("flag", later) + 8
        assert (now_fill, later_fill) == (light.ink, light.panel)


def test_the_preview_is_a_line_where_the_pointer_is_while_that_is_in_view(light):
    layout = WavesLayout(900.0, 400.0, SinusoidalEncoding(), SHOWN, Span(10.0, 50.0))

    def shown(preview: Preview) -> marks.Picture:
        return layout.positions.ghosts(preview.places(40.0), light)

    (line,) = of_kind(shown(Preview(30.0)), marks.Segments)
    assert line.ends[0, 0] == line.ends[0, 2] == (layout.area.x + layout.area.right) / 2
    for unseen in (Preview(), Preview(9.0), Preview(51.0), Preview(pair=3)):
        assert shown(unseen) == ()
    dashed, solid = of_kind(shown(Preview(30.0, 10.0)), marks.Segments)
    assert solid.ends[0, 0] == line.ends[0, 0] < dashed.ends[0, 0]
    assert dashed.dash
    (later,) = of_kind(shown(Preview(offset=-10.0)), marks.Segments)
    assert (later.dash, later.ends[0, 0]) == (dashed.dash, line.ends[0, 0])


def test_four_curves_share_one_axis_and_the_legend_gives_their_values(light):
    state, box = state_of({"preset": "four-waves"}), Box(760.0, 400.0, 1.0, light)
    shown, layout = VIEW.scene(state, Computed(), box), layout_of(state, box)
    curves = [(math.sin, 1.0), (math.cos, 1.0), (math.sin, 0.01), (math.cos, 0.01)]
    lines = of_kind(shown.still(), marks.Polyline)
    assert len(lines) == 4
    for wave, omega_i in curves:
        gaps = []
        for line in lines:
            positions = [layout.positions.value(x) for x in line.points[:, 0]]
            heights = [layout.levels[0].value(y) for y in line.points[:, 1]]
            wanted = [wave(t * omega_i) for t in range(100)]
            gaps.append(np.abs(np.interp(np.arange(100.0), positions, heights) - wanted).max())
        assert min(gaps) < 0.01
    later = [f"{wave(99 * omega_i):.2f}".replace("-", "−") for wave, omega_i in curves]
    assert [mark.text for mark in of_kind(shown.moving, marks.Text) if mark.role == "tick"] == later
    assert [place.name for place in shown.places()][:2] == ["pair 0", "pair 1"]


def test_the_legend_names_the_columns_of_other_layouts_and_kinds_as_many_as_fit_and_counts_the_others(light):
    for assignments, first, last in (
        ({"layout": "half-split", "d_model": "8"}, "Dim 0 (i = 0)", "Dim 7 (i = 3)"),
        ({"kind": "random", "d_model": "8"}, "Dim 0", "Dim 7"),
        ({"kind": "odd-width", "d_model": "9"}, "Dim 0", "Dim 8"),
    ):
        state = state_of({**assignments, "waves.mode": "overlay", "pinned_pairs": "0 1 2 3 4"})
        texts = texts_in(VIEW.scene(state, Computed(), Box(760.0, 600.0, 1.0, light)))
        names = [text for text in texts if text.startswith("Dim")]
        assert (names[0], names[-1]) == (first, last)
    state = with_name(state_of({"waves.mode": "overlay"}), "pinned_pairs", " ".join(map(str, range(16))))
    shown = VIEW.scene(state, Computed(), Box(760.0, 200.0, 1.0, light))
    texts = texts_in(shown)
    named = [text for text in texts if text.startswith("Dim")]
    assert f"{32 - len(named)} more" in texts
    # All curves are drawn, whatever the legend has room for.
    assert len(of_kind(shown.still(), marks.Polyline)) == 32
    # Pins without a row are counted in one line.
    for n_pins, counted in ((8, ["5 more pinned"]), (3, [])):
        state = State(SinusoidalEncoding(128, 64), Cursor(pinned_pairs=tuple(range(n_pins))))
        texts = texts_in(VIEW.scene(state, Computed(), Box(900.0, 160.0, 1.0, light)))
        assert [text for text in texts if "more pinned" in text] == counted
