"""The waves and the cursors across them: true values, open about what they hide, flags and labels that have room."""

import contextlib
import itertools
import math

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core.cursor import Cursor, Span, full_span
from pe_desktop.core.kinds import KINDS
from pe_desktop.core.kinds.ablations import OddWidthEncoding, OneWaveEncoding, PositionMapEncoding
from pe_desktop.core.kinds.naive import BitsEncoding, CounterEncoding, RandomEncoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.lags import CancelledError
from pe_desktop.core.state import State, state_of, with_name
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Computed
from pe_desktop.views.waves.layout import (
    BOTTOM,
    TOP,
    WavesLayout,
    quick_sample,
    table_curves,
    takes_long,
    turning_curves,
)
from pe_desktop.views.waves.picture import cursor_picture, waves_picture
from pe_desktop.views.waves.scene import VIEW, layout_of
from tests.pictures import of_kind
from tests.tables import table
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


@pytest.mark.parametrize(("position", "offset", "ends", "now", "later"), table("views/words")["flags of waves"])
def test_a_cursor_outside_the_view_or_the_table_is_pointed_to_and_not_drawn(light, position, offset, ends, now, later):
    span = Span(*ends)
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


def test_four_curves_share_one_axis_and_a_press_on_the_legend_chooses_a_pair(light):
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
    state = State(SinusoidalEncoding(128, 64), Cursor(pinned_pairs=tuple(range(8))))
    assert "3 more pinned" in texts_in(VIEW.scene(state, Computed(), Box(900.0, 160.0, 1.0, light)))
    # Three rows are as low as they have to be so that nothing scrolls, or as high as in a page that does.
    for seen, needed in ((90.0, 142.0), (120.0, 120.0), (300.0, 142.0)):
        box = Box(900.0, math.inf, 1.0, light, visible=Area(0.0, 0.0, 900.0, seen))
        assert VIEW.needed(State(), Computed(), box) == needed  # type: ignore[misc] # a function here


PAIRS = SinusoidalEncoding(d_model=32).pairs
SPANS = [(0.0, 127.0), (0.0, 1.0), (37.25, 39.25), (1000.5, 4711.0), (0.0, 9_999_999.0), (9_999_000.0, 9_999_999.0)]
PIXELS = [1, 40, 640, 3840]


def lines(pair, first, last):
    """The waves that are lines, of all widths."""
    waves = (turning_curves(PAIRS, [pair], first, last, n_pixels)[0] for n_pixels in PIXELS)
    return [wave for wave in waves if not wave.is_band]


@pytest.mark.parametrize(("first", "last"), SPANS)
def test_a_wave_is_a_band_of_a_point_a_pixel_where_turns_are_under_two_pixels_and_a_line_elsewhere(first, last):
    for pair, n_pixels in itertools.product((0, 2, 4, 8, 15), PIXELS):
        wave = turning_curves(PAIRS, [pair], first, last, n_pixels)[0]
        turns = (last - first) * omega(pair) / math.tau
        assert wave.is_band == (turns * 2 > n_pixels)
        if wave.is_band:
            assert wave.low.shape == wave.high.shape == (2, n_pixels)
        else:
            # Two more for the ends.
            assert len(wave.positions) <= 2 * n_pixels + 2


@pytest.mark.parametrize("pair", [0, 4, 15])
@pytest.mark.parametrize(("first", "last"), SPANS)
def test_every_point_of_a_line_lies_on_the_wave(first, last, pair):
    # A position of ten million is itself rounded to 1e-9.
    allowed = 1e-9 + omega(pair) * np.spacing(last)
    with mpmath.workdps(40):
        exact_omega = mpmath.mpf(10000) ** (mpmath.mpf(-pair) / 16)
        for wave in lines(pair, first, last):
            assert (wave.positions[0], wave.positions[-1]) == pytest.approx((first, last), rel=1e-15)
            assert (np.diff(wave.positions) > 0).all()
            sample = slice(None, None, max(len(wave.positions) // 100, 1))
            angles = [exact_omega * position for position in wave.positions[sample].tolist()]
            for drawn, exact in zip(wave.low, (mpmath.sin, mpmath.cos), strict=True):
                np.testing.assert_allclose(drawn[sample], [float(exact(a)) for a in angles], rtol=0, atol=allowed)


@pytest.mark.parametrize("n_turns", [1.3, 7.0, 63.9, 250.0, 319.9])
@pytest.mark.parametrize("first", [0.0, 0.4, 100.0, 54_321.5])
def test_crests_troughs_and_zeros_are_points_of_the_line(first, n_turns):
    last = first + n_turns * math.tau
    wave = turning_curves(PAIRS, [0], first, last, 640)[0]
    assert not wave.is_band
    quarters = range(math.ceil(first / (math.pi / 2)), math.floor(last / (math.pi / 2)) + 1)
    places = np.array([quarter * math.pi / 2 for quarter in quarters])
    nearest = wave.positions[np.searchsorted(wave.positions, places - 1e-6).clip(max=len(wave.positions) - 1)]
    np.testing.assert_allclose(nearest, places, rtol=0, atol=1e-6)
    for line in wave.low:
        assert (line.max(), line.min()) == pytest.approx((1.0, -1.0), rel=0, abs=1e-12)


@pytest.mark.parametrize("n_turns", [0.01, 0.5, 2.0, 20.0])
def test_the_line_leaves_a_high_wave_by_less_than_a_third_of_a_pixel(n_turns):
    wave = turning_curves(PAIRS, [0], 0.0, n_turns * math.tau, 1600)[0]
    assert not wave.is_band
    x = np.linspace(0.0, n_turns * math.tau, 20_001)
    # 500 pixels high.
    assert np.abs(np.interp(x, wave.positions, wave.low[0]) - np.sin(x)).max() * 500.0 < 1 / 3


@pytest.mark.parametrize("turns_per_pixel", [0.501, 0.66, 0.9, 1.0005, 1.002, 40.7])
@pytest.mark.parametrize("first", [0.0, 12.5, 3_000_000.0])
def test_a_band_is_the_least_and_the_greatest_value_in_each_pixel(first, turns_per_pixel):
    n_pixels, n_samples = 50, 4001
    last = first + turns_per_pixel * math.tau * n_pixels
    band = turning_curves(PAIRS, [0], first, last, n_pixels)[0]
    assert band.is_band
    # Between two samples a sine rises by no more than their distance squared over eight above the higher one.
    missed = (turns_per_pixel * math.tau / (n_samples - 1)) ** 2 / 8 + 1e-9
    edges = np.linspace(first, last, n_pixels + 1)
    for pixel, (start, stop) in enumerate(itertools.pairwise(edges)):
        x = np.linspace(start, stop, n_samples)
        for low, high, wave in zip(band.low, band.high, (np.sin(x), np.cos(x)), strict=True):
            assert wave.max() - 2e-9 <= high[pixel] <= wave.max() + missed
            assert wave.min() - missed <= low[pixel] <= wave.min() + 2e-9


@pytest.mark.parametrize("pair", [0, 2, 4, 6, 8])
def test_a_mapped_hand_is_hidden_exactly_where_it_turns_by_more_than_half_a_turn_a_position(pair):
    encoding = PositionMapEncoding(128, 32)
    (wave,) = table_curves(encoding, [pair], 0.0, 127.0, 1400)
    assert not wave.is_band
    fast = [t for t in range(127) if ((t + 1) ** 2 - t**2) * omega(pair) > math.pi]
    assert wave.hidden == (((fast[0], 127.0),) if fast else ())
    for position, sine, cosine in zip(wave.positions, *wave.low, strict=True):
        is_inside = bool(fast) and fast[0] < position < 127
        assert math.isnan(sine) == math.isnan(cosine) == is_inside
        if not is_inside:
            assert sine == pytest.approx(math.sin(position**2 * omega(pair)), abs=1e-9)
            assert cosine == pytest.approx(math.cos(position**2 * omega(pair)), abs=1e-9)


def test_dots_stand_at_every_whole_position_of_a_hidden_stretch_and_the_label_says_where_and_why(light):
    layout = WavesLayout(900.0, 400.0, PositionMapEncoding(), (0, 4, 8), Span(0.0, 127.0))
    words = [text.text for text in of_kind(waves_picture(layout, light), marks.Text)]
    # (2 t + 1) 1 > pi first for t = 2, (2 t + 1) / 10 > pi first for t = 16.
    assert words.count("over ½ turn a step") == 2
    assert {"dots past t = 2", "dots past t = 16"} <= {*words}
    layout = WavesLayout(900.0, 400.0, PositionMapEncoding(), (0,), Span(0.0, 127.0))
    second, first = of_kind(waves_picture(layout, light), marks.Dots)
    for dots, wave in ((first, math.sin), (second, math.cos)):
        positions = [layout.positions.value(x) for x in dots.centers[:, 0].tolist()]
        assert positions == pytest.approx(list(range(128)))
        heights = [layout.levels[0].place(0.0) - layout.amplitude * wave(t * t) for t in range(128)]
        assert dots.centers[:, 1].tolist() == pytest.approx(heights, abs=1e-9)


@pytest.mark.parametrize("encoding", [BitsEncoding(), RandomEncoding(), CounterEncoding()], ids=lambda e: e.kind)
def test_between_whole_positions_the_curve_is_what_the_table_says_there(encoding):
    (wave,) = table_curves(encoding, [0], 0.0, 127.0, 1400)
    assert not wave.is_band
    table = encoding.values(wave.positions, [0, 1]) / encoding.value_limit
    np.testing.assert_array_equal(wave.low.T, table)
    assert set(range(128)) <= set(wave.positions.tolist())


@pytest.mark.parametrize("n_pixels", [100, 133, 640])
def test_pixels_that_hold_several_positions_show_their_least_and_greatest_value(n_pixels):
    encoding = RandomEncoding(5000, 4)
    (wave,) = table_curves(encoding, [1], 0.0, 4999.0, n_pixels)
    assert wave.is_band
    assert wave.notes == ()
    table = encoding.values(range(5000), [2, 3]) / 4
    edges = [4999 * pixel / n_pixels for pixel in range(n_pixels + 1)]
    for pixel in range(n_pixels):
        is_last = pixel == n_pixels - 1
        inside = [t for t in range(5000) if edges[pixel] <= t < edges[pixel + 1] or (t == 4999 and is_last)]
        for part, (low, high) in enumerate(zip(wave.low, wave.high, strict=True)):
            values = [table[t, part] for t in inside]
            assert (low[pixel], high[pixel]) == (min(values), max(values))
    # Of more than 64 a pixel, 64 are looked at.
    (wave,) = table_curves(BitsEncoding(10_000_000, 32), [0], 0.0, 9_999_999.0, 640)
    assert wave.notes == ("64 of 15\u2009625 t", "in each pixel")
    assert ({*wave.low[0].tolist()}, {*wave.high[0].tolist()}) == ({0.0}, {1.0})


def test_curves_that_take_long_are_drawn_from_fewer_positions_until_all_are_known(light):
    wanted = (RandomEncoding(1_000_000, 64), (0, 4, 8), -0.5, 999_999.5, 752)
    layout = WavesLayout(1000.0, 400.0, *wanted[:2], full_span(1_000_000))
    assert takes_long(*wanted)
    assert not takes_long(RandomEncoding(10_000, 64), *wanted[1:])
    quick = table_curves(*wanted, most=quick_sample(wanted[1], 752))
    assert {wave.notes for wave in quick} == {("14 of 1\u2009330 t", "a pixel, refining")}
    found = table_curves(*wanted)
    for curve, few in zip(found, quick, strict=True):
        assert curve.notes == ("64 of 1\u2009330 t", "in each pixel")
        assert np.mean(few.high - few.low) < np.mean(curve.high - curve.low)
    for curves, words in ((None, "a pixel, refining"), (found, "in each pixel")):
        assert words in [text.text for text in of_kind(waves_picture(layout, light, found=curves), marks.Text)]
    with pytest.raises(CancelledError):
        table_curves(*wanted, lambda: True)


def test_a_long_frequency_has_its_letter_where_rows_are_low(light):
    encoding = SinusoidalEncoding(43200, 6, spacing="given", wavelengths=(60.0, 3600.0, 43200.0))
    layout = WavesLayout(801.0, 54.0 * 3 + TOP + BOTTOM, encoding, (0, 1, 2), Span(0.0, 43199.0))
    texts = [text.formula for text in of_kind(waves_picture(layout, light), marks.FormulaText)]
    assert texts == ["ω_{0} = 0.105", "ω_{1} = 0.00175", "ω_{2} = 1.45×10⁻⁴"]


def test_numbers_are_the_values_and_a_hand_without_its_second_column_has_one_line_and_one_number(light):
    layout = WavesLayout(900.0, 200.0, OddWidthEncoding(64, 9), (4,), Span(0.0, 63.0))
    still = waves_picture(layout, light)
    assert len(of_kind(still, marks.Polyline)) == 1
    assert [text.formula for text in of_kind(still, marks.FormulaText)] == ["ω_{4} = 2.78×10⁻⁴"]
    shown = cursor_picture(layout, Cursor(3.0, 2.0), light)
    numbers = [text.text for text in of_kind(shown, marks.Text)]
    values = [math.sin(t * 10000 ** (-8 / 9)) for t in (3, 5)]
    assert [f"{value:.2f}" for value in values] == [text for text in numbers if text.startswith("0.0")]
    # Levels are labelled with the limit, columns with what they hold.
    layout = WavesLayout(900.0, 400.0, OneWaveEncoding(512, 8), (0,), full_span(512))
    assert {"0: ω = 1", "1: ω = 0.32"} <= {text.text for text in of_kind(waves_picture(layout, light), marks.Text)}
    layout = WavesLayout(900.0, 400.0, CounterEncoding(512, 8), (0,), full_span(512))
    words = [text.text for text in of_kind(waves_picture(layout, light), marks.Text)]
    assert {"+511", "0", "−511", "columns 0, 1", "1: filled with 0"} <= set(words)
    shown = cursor_picture(layout, Cursor(300.0, 100.0), light)
    assert [text.text for text in of_kind(shown, marks.Text)][:4] == ["300", "400", "0", "0"]
    heights = sorted(dots.centers[0, 1] for dots in of_kind(shown, marks.Dots))
    wanted = [layout.levels[0].place(0.0) - layout.amplitude * share for share in (400 / 511, 300 / 511, 0, 0)]
    assert heights == pytest.approx(wanted)


@pytest.mark.parametrize("kind", KINDS)
def test_no_mark_of_any_kind_stands_nowhere_and_their_number_does_not_grow_with_the_table(light, kind, luck) -> None:
    # Where a width of 9 is taken the last hand has one column.
    for d_model in ("8", "9"):
        given = {"kind": kind, "n_positions": luck.choice(("40", "500")), "d_model": d_model}
        with contextlib.suppress(ValueError):
            state = state_of({**given, "pinned_pairs": "0,3,4,8"})
    picture = VIEW.scene(state, Computed(), Box(420.0, 400.0, 1.0, light))
    numbers = [
        np.asarray(value, dtype=float)
        for mark in (*picture.still(), *picture.moving)
        for value in (getattr(mark, name) for name in mark.__dataclass_fields__)
        if isinstance(value, float | np.ndarray)
    ]
    assert len(numbers) > 20
    assert all(np.isfinite(value).all() for value in numbers)
    tables = (KINDS[kind](n_positions=n_positions) for n_positions in (10_000, 100_000))
    layouts = (WavesLayout(900.0, 400.0, table, (0, 4, 8), full_span(table.n_positions)) for table in tables)
    counts = [len(waves_picture(layout, light)) for layout in layouts]
    assert kind == "sinusoidal" or counts[0] == pytest.approx(counts[1], abs=20)
