"""Curves by samples and from tables: true to the values, crests included, open about what they hide."""

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
from pe_desktop.core.state import state_of
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box
from pe_desktop.model.findings import Computed
from pe_desktop.views.waves.layout import WavesLayout, quick_sample, table_curves, takes_long, turning_curves
from pe_desktop.views.waves.picture import cursor_picture, waves_picture
from pe_desktop.views.waves.scene import VIEW
from tests.pictures import of_kind
from tests.views.seen import omega

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
