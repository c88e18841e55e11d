"""The waves as they stand still: curves through the true values, labels that have room, few marks at any size."""

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor

from pe_desktop.core.cursor import Cursor, Span, full_span
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box
from pe_desktop.draw.typefaces import formula_runs, text_width
from pe_desktop.model.findings import Computed
from pe_desktop.views.waves.layout import WavesLayout, most_rows
from pe_desktop.views.waves.picture import cursor_picture, numbers_header, waves_picture
from pe_desktop.views.waves.scene import scene
from tests.pictures import covered_texts, of_kind

SHOWN = [0, 4, 8]


def omega(pair):
    return 10000 ** (-2 * pair / 32)


def picture(theme, n_positions=128, span=None, width=900.0, height=400.0):
    layout = WavesLayout(width, height, 3, span or Span(0.0, max(n_positions - 1.0, 1.0)))
    return layout, waves_picture(layout, SinusoidalEncoding(n_positions), SHOWN, theme)


def test_curves_pass_through_the_sines_and_cosines_of_the_positions(theme):
    layout, shown = picture(theme)
    lines = of_kind(shown, marks.Polyline)
    assert len(lines) == 6
    for row, pair in enumerate(SHOWN):
        cosine, sine = lines[2 * row : 2 * row + 2]
        assert (bool(sine.dash), bool(cosine.dash)) == (False, True)
        assert sine.color == theme.pair_color(pair, 16)
        for line, wave in ((sine, np.sin), (cosine, np.cos)):
            positions = (line.points[:, 0] - layout.left) / (layout.right - layout.left) * 127
            values = (layout.row_middle(row) - line.points[:, 1]) / layout.amplitude
            np.testing.assert_allclose(values, wave(positions * omega(pair)), rtol=0, atol=1e-9)
            assert (positions[0], positions[-1]) == pytest.approx((0, 127))


def test_fast_waves_of_a_long_table_are_bands_over_their_whole_range(light):
    layout, shown = picture(light, 10_000_000)
    bands = of_kind(shown, marks.Band)
    assert len(bands) == 6
    assert not of_kind(shown, marks.Polyline)
    for row in range(3):
        for band in bands[2 * row : 2 * row + 2]:
            np.testing.assert_allclose(band.upper, layout.row_middle(row) - layout.amplitude, atol=1e-6)
            np.testing.assert_allclose(band.lower, layout.row_middle(row) + layout.amplitude, atol=1e-6)
            assert layout.left < band.x[0] < band.x[-1] < layout.right


def test_whole_positions_of_fast_pairs_are_dotted_where_they_can_be_told_apart(light):
    layout, shown = picture(light)
    (dots,) = of_kind(shown, marks.Dots)
    positions = np.arange(128)
    x = layout.left + positions / 127 * (layout.right - layout.left)
    y = layout.row_middle(0) - layout.amplitude * np.sin(positions)
    np.testing.assert_allclose(dots.centers, np.column_stack((x, y)), rtol=0, atol=1e-6)
    assert not of_kind(picture(light, 1000)[1], marks.Dots)
    zoomed = of_kind(picture(light, 1000, Span(500.5, 520.5))[1], marks.Dots)
    assert [len(dots.centers) for dots in zoomed] == [20]


def test_dots_end_with_the_table(light):
    (dots,) = of_kind(picture(light, 1)[1], marks.Dots)
    assert len(dots.centers) == 1


def test_rows_are_named_by_badge_angular_frequency_and_wavelength(theme):
    layout, shown = picture(theme)
    badges, formulas = of_kind(shown, marks.Badge), of_kind(shown, marks.FormulaText)
    assert [badge.label for badge in badges] == ["0", "4", "8"]
    assert [badge.color for badge in badges] == [theme.pair_color(pair, 16) for pair in SHOWN]
    assert [formula.formula for formula in formulas] == ["ω_{0} = 1", "ω_{4} = 0.1", "ω_{8} = 0.01"]
    texts = [text.text for text in of_kind(shown, marks.Text)]
    assert [text for text in texts if text in {"6.28", "62.8", "628"}] == ["6.28", "62.8", "628"]
    for row, badge in enumerate(badges):
        assert abs(badge.y - layout.row_middle(row)) < layout.row_height / 2


@pytest.mark.parametrize("pair", [0, 99, 32_767])
@pytest.mark.parametrize("height", [120.0, 160.0, 400.0, 1000.0])
def test_row_labels_end_before_the_curves_begin(light, pair, height):
    encoding = SinusoidalEncoding(128, 65_536, 1e9)
    layout = WavesLayout(900.0, height, 3, Span(0.0, 127.0))
    shown = waves_picture(layout, encoding, [pair] * 3, light)
    for formula in of_kind(shown, marks.FormulaText):
        assert formula.x + formula_runs(formula.formula, formula.pixels)[1] < layout.left
    for text in of_kind(shown, marks.Text):
        if text.x < layout.left - 10 and not text.across:
            assert text.x + text_width(text.role, text.text) < layout.left


@pytest.mark.parametrize("width", [420, 640, 900, 1400])
def test_the_numbers_of_the_axis_never_touch(light, width):
    touching = []
    for n_positions in (1, 2, 3, *(round(10 ** (power / 25)) for power in range(10, 176, 3))):
        layout, shown = picture(light, n_positions, full_span(n_positions), float(width))
        labels = [text for text in of_kind(shown, marks.Text) if text.y > layout.bottom]
        touching += [(n_positions, *texts) for texts in covered_texts(labels)]
        assert labels[-1].text.replace("\u2009", "") == str(n_positions - 1)
    assert touching == []


@pytest.mark.parametrize("pins", [(0,), (0, 4, 8), tuple(range(16))], ids=len)
@pytest.mark.parametrize("height", [120.0, 160.0, 236.0, 400.0, 1000.0])
@pytest.mark.parametrize("width", [420.0, 900.0])
def test_no_text_covers_another_at_any_size(light, width, height, pins):
    encoding = SinusoidalEncoding()
    shown = list(pins)[: most_rows(height)]
    layout = WavesLayout(width, height, len(shown), Span(0.0, 127.0))
    still = (
        *waves_picture(layout, encoding, shown, light),
        *numbers_header(layout, light),
    )
    for cursor in (Cursor(37.0, 8.0), Cursor(127.0, 8.0), Cursor(3.0, -8.0), Cursor(0.0, 0.0)):
        assert covered_texts((*still, *cursor_picture(layout, encoding, shown, cursor, light))) == []


@pytest.mark.parametrize("n_positions", [1, 2, 3, 128, 1000, 10_000_000])
def test_numbers_stand_under_the_middle_of_their_positions(light, n_positions):
    layout, shown = picture(light, n_positions, full_span(n_positions))
    labels = [text for text in of_kind(shown, marks.Text) if text.y > layout.bottom and text.across == 0.5]
    assert labels
    for label in labels:
        share = (float(label.text.replace("\u2009", "")) + 0.5) / n_positions
        assert label.x == pytest.approx(layout.left + share * (layout.right - layout.left))


def test_the_number_of_marks_does_not_grow_with_the_table(light):
    assert max(len(picture(light, n, full_span(n))[1]) for n in (10, 10_000, 10_000_000)) < 80


def test_pins_without_a_row_are_counted_in_one_line(light):
    state = State(SinusoidalEncoding(128, 64), Cursor(pinned_pairs=tuple(range(8))))
    texts = [mark.text for mark in of_kind(scene(state, Computed(), Box(900.0, 160.0, 1.0, light)).still(), marks.Text)]
    assert "5 more pinned: enlarge this panel to see them" in texts
    shown = replace(state, cursor=Cursor(pinned_pairs=(0, 1, 2)))
    texts = [mark.text for mark in of_kind(scene(shown, Computed(), Box(900.0, 160.0, 1.0, light)).still(), marks.Text)]
    assert not [text for text in texts if "more pinned" in text]


def test_the_columns_of_numbers_are_titled_inside_the_picture(light):
    layout = WavesLayout(900.0, 400.0, 3, Span(0.0, 127.0))
    titles = of_kind(numbers_header(layout, light), marks.Text)
    assert [title.text for title in titles] == ["t", "t + k"]
    assert all(layout.right < title.x <= 900 for title in titles)


def test_the_waves_as_painted_have_the_colour_of_their_pair_on_the_curve(painted, theme):
    layout, shown = picture(theme)
    sheet = painted(shown, width=900, height=400)
    for row, pair in enumerate(SHOWN[1:], start=1):
        for position in (20.0, 71.5, 110.0):
            x = layout.left + position / 127 * (layout.right - layout.left)
            y = layout.row_middle(row) - layout.amplitude * math.sin(position * omega(pair))
            seen = [QColor(sheet.at(x, y + down)).getRgb() for down in (-1, 0, 1)]
            nearest = np.abs(np.array(seen) - theme.pair_color(pair, 16).getRgb()).max(axis=1).min()
            # The edge of an antialiased line is mixed with the ground.
            assert nearest <= 12
