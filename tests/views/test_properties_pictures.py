"""The pictures of the properties: what stands in them, where, and that nothing is cut."""

import numpy as np
import pytest

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds import KINDS
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.measure.collisions import alias, close_offsets, hands_per_decade
from pe_desktop.core.measure.distance_law import bands_of_shares, distance_law, turn_of_differences
from pe_desktop.core.measure.measurement import Evidence
from pe_desktop.core.measure.measurements import measure
from pe_desktop.core.measure.periodic import near_returns
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed
from pe_desktop.draw.scene import Area
from pe_desktop.draw.typefaces import text_width, wrapped
from pe_desktop.views.properties.collisions import (
    CollisionsLayout,
    alias_picture,
    decades_picture,
    hands_picture,
    offsets_picture,
    returns_picture,
)
from pe_desktop.views.properties.distance import (
    distance_comparison_picture,
    distance_cursor_picture,
    distance_picture,
    distance_plots,
    told_offset_at,
)
from pe_desktop.views.properties.verdicts import PropertiesLayout, evidence_picture, measured_number, properties_picture
from pe_desktop.views.properties.words import PROPERTY_NAMES
from tests.core.schemes import told_apart
from tests.pictures import covered_texts, of_kind, text_frames

WIDTHS = (262, 320, 404, 620, 900)
PAPER = SinusoidalEncoding()
LINEAR = SinusoidalEncoding(512, 128, spacing="linear")


def measured(encoding):
    """All seven."""
    found = measure(encoding)
    assert found is not None
    return found


def texts(picture):
    return [mark.text for mark in of_kind(picture, marks.Text)]


def cut_texts(picture, width):
    """Texts that leave the picture on the left or on the right."""
    return [
        mark.text
        for mark in of_kind(picture, marks.Text)
        if mark.x - mark.across * text_width(mark.role, mark.text) < -0.5
        or mark.x + (1 - mark.across) * text_width(mark.role, mark.text) > width + 0.5
    ]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("encoding", [PAPER, LINEAR, SinusoidalEncoding(5000, 512, spacing="linear")])
def test_every_property_has_its_row_and_no_text_is_cut(theme, width, encoding):
    picture = properties_picture(float(width), measured(encoding), theme)
    assert [text for text in texts(picture) if text in PROPERTY_NAMES.values()] == list(PROPERTY_NAMES.values())
    assert cut_texts(picture, width) == []
    assert covered_texts(picture) == []
    assert max(frame[3] for frame in text_frames(picture)) <= 7 * PropertiesLayout(float(width)).row_height


@pytest.mark.parametrize("width", [345.0, 404.0, 560.0, 900.0])
@pytest.mark.parametrize("kind", KINDS)
def test_sentences_are_told_in_full_from_the_smallest_window_on(light, kind, width):
    picture = properties_picture(width, measured(KINDS[kind](n_positions=128)), light)
    cut = [text for text in texts(picture) if text.endswith("…")]
    assert cut == []


@pytest.mark.parametrize("width", WIDTHS)
def test_no_word_of_a_row_reaches_into_its_evidence(light, width):
    picture = properties_picture(float(width), measured(SinusoidalEncoding(5000, 512, spacing="linear")), light)
    left = PropertiesLayout(float(width)).evidence(0.0).x
    for mark in of_kind(picture, marks.Text):
        if mark.across == 0.0:
            assert mark.x + text_width(mark.role, mark.text) <= left


def test_what_is_not_known_yet_says_whether_it_will_be(light):
    known = measured(PAPER)[:2]
    assert texts(properties_picture(400.0, known, light)).count("being measured …") == 5
    assert texts(properties_picture(400.0, known, light, is_measuring=False)).count("not measured") == 5


def test_verdicts_stand_in_the_colour_of_their_meaning(light):
    words = {mark.text: mark.color for mark in of_kind(properties_picture(500.0, measured(LINEAR), light), marks.Text)}
    assert words["Holds"] == light.ok
    assert words["Holds up to 396"] == light.warn
    squares = measured(SinusoidalEncoding(3, 2, base=2))
    assert "Holds" in texts(properties_picture(500.0, squares, light))


def test_rows_follow_each_other_without_touching(light):
    for width, height in ((300.0, 96.0), (400.0, 81.0), (600.0, 66.0)):
        picture = of_kind(properties_picture(width, measured(PAPER), light), marks.Text)
        assert np.allclose(np.diff([mark.y for mark in picture if mark.role == "strong"]), height, atol=8)


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (None, "–"),
        (512.0, "512"),
        (1.1716149, "1.172"),
        (2.8e-16, "2.8×10⁻¹⁶"),
        (-0.5, "−0.500"),
        (60611.47716, "60 611"),
    ],
)
def test_numbers_are_written_as_people_write_them(number, shown):
    assert measured_number(number).replace("\u2009", " ") == shown


def test_evidence_fills_its_area_and_an_equal_line_lies_in_the_middle(light):
    area = Area(10.0, 20.0, 100.0, 40.0)
    x = np.linspace(0.0, 1.0, 11)
    (line,) = of_kind(
        evidence_picture(area, Evidence("lines", "position", x, x[np.newaxis] * 3 - 1), light), marks.Polyline
    )
    assert (line.points.min(axis=0).tolist(), line.points.max(axis=0).tolist()) == ([10.0, 20.0], [110.0, 60.0])
    flat = evidence_picture(area, Evidence("lines", "position", x, np.full((1, 11), 4.0)), light)
    assert of_kind(flat, marks.Polyline)[0].points[:, 1].tolist() == [40.0] * 11
    assert evidence_picture(area, Evidence("lines", "position", np.empty(0), np.empty((1, 0))), light) == ()


def test_evidence_by_its_logarithm_puts_equal_factors_equally_far_apart(light):
    area = Area(0.0, 0.0, 100.0, 60.0)
    heights = np.array([[1e-16, 1e-12, 1e-8, 1e-4]])
    evidence = Evidence("points", "pair", np.arange(4.0), heights, is_logarithmic=True)
    (cloud,) = of_kind(evidence_picture(area, evidence, light), marks.DotCloud)
    assert np.diff(cloud.centers[:, 1]) == pytest.approx([-20.0] * 3)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("encoding", [PAPER, LINEAR, SinusoidalEncoding(10_000, 512)])
def test_collisions_are_told_without_cut_texts(theme, width, encoding):
    cursor, returns, close = Cursor(pair=0), near_returns(encoding, 0)[:9], close_offsets(encoding)
    revival = alias(encoding)
    layout = CollisionsLayout(float(width), len(returns), 6, revival is not None)
    picture = (
        *returns_picture(layout, returns, cursor, encoding.pairs.count, theme),
        *offsets_picture(layout, close, "", cursor, theme),
        *alias_picture(layout, revival, theme),
        *hands_picture(layout, told_apart(encoding, 37, 45), cursor, theme),
        *decades_picture(layout, hands_per_decade(encoding), theme),
    )
    assert {"44", "710"} <= set(texts(picture))
    assert cut_texts(picture, width) == []
    assert covered_texts(picture) == []
    assert max(mark.y for mark in of_kind(picture, marks.Text)) <= layout.height


def test_the_bars_of_hands_are_as_high_as_their_chords(light):
    layout = CollisionsLayout(400.0, 0, 0, has_alias=False)
    apart = told_apart(PAPER, 37, 45)
    bars = of_kind(hands_picture(layout, apart, Cursor(), light), marks.Rectangle)
    wanted = np.array([2 * abs(np.sin(8 * 10000 ** (-i / 16) / 2)) for i in range(16)])
    heights = np.array([bar.height for bar in bars])
    assert heights / heights.max() == pytest.approx(wanted / wanted.max(), abs=1e-12)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("spacing", ["geometric", "linear"])
def test_the_distance_page_tells_both_fits_without_cut_texts(theme, width, spacing):
    encoding = SinusoidalEncoding(1000, 64, spacing=spacing)
    law, cursor = distance_law(encoding), Cursor(position=100.0, offset=8.0)
    assert law is not None
    bands, rows = bands_of_shares(told_apart(encoding, 100, 108).shares), encoding.values([100, 108, 0, 8])
    turn = turn_of_differences(rows[1] - rows[0], rows[3] - rows[2])
    picture = (
        *distance_picture(float(width), law, theme),
        *distance_cursor_picture(width, law, cursor, theme),
        *distance_comparison_picture(width, law, bands, turn, cursor, theme),
    )
    said = " ".join(texts(picture))
    assert "straight line" in said
    assert "fitted on k = 1 to 999" in said
    assert ("law" in said) == (spacing == "geometric")
    # The last row of the table, and where a press on it leads.
    [row] = [mark for mark in of_kind(picture, marks.Text) if mark.text == "999" and mark.role == "caption"]
    assert told_offset_at(width, law, row.y) == 999
    assert fixed(float(np.linalg.norm(encoding.values(999) - encoding.values(0))), 4) in said
    assert cut_texts(picture, width) == []
    assert covered_texts(picture) == []
    # Without a law two positions are compared all the same, and nothing is said of others.
    alone = distance_comparison_picture(width, None, bands, turn, cursor, theme)
    told = " ".join(texts(alone))
    assert cut_texts(alone, width) == []
    assert f"{100 * bands[0].share:.2f}" in told
    assert "knows" not in told


def test_the_dot_of_the_offset_stands_on_the_measured_curve(light):
    encoding = SinusoidalEncoding(100, 32)
    law = distance_law(encoding)
    assert law is not None
    marks_now = distance_cursor_picture(700.0, law, Cursor(position=0.0, offset=8.0), light)
    dots = of_kind(marks_now, marks.Dots)
    first, _ = distance_plots(700.0, law)
    distance = np.sqrt(sum(4 * np.sin(4 * 10000 ** (-i / 16)) ** 2 for i in range(16)))
    assert dots[0].centers[0] == pytest.approx([first.x.place(8.0), first.y.place(distance)])


def test_an_offset_beyond_the_table_is_told_in_both_plots(light):
    law = distance_law(SinusoidalEncoding(100, 32))
    assert law is not None
    told = of_kind(distance_cursor_picture(700.0, law, Cursor(offset=-710.0), light), marks.Text)
    areas = [plot.x.area for plot in distance_plots(700.0, law)]
    assert [mark.text for mark in told] == ["k = 710 ›"] * 2
    assert all(a.x < mark.x <= a.x + a.width for a, mark in zip(areas, told, strict=True))
    assert distance_cursor_picture(700.0, law, Cursor(offset=0.0), light) == ()


def test_wrapped_text_keeps_its_words_and_ends_in_an_ellipsis_only_where_room_ends(qapp):
    words = "The distance of two positions knows their offset alone."
    lines = wrapped("caption", words, 120.0, 9)
    assert " ".join(lines) == words
    assert all(text_width("caption", line) <= 120.0 for line in lines)
    assert wrapped("caption", words, 120.0, 2)[-1].endswith("…")
