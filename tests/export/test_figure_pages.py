"""Pages of panels and of cards, and figures as a text prints them."""

import math
import re
from collections import Counter

import numpy as np
import pytest
from PySide6.QtGui import QImage

from pe_desktop.core import PRESETS, State, state_of
from pe_desktop.core.facts.cards import CARDS
from pe_desktop.draw import marks
from pe_desktop.draw.theme import themes
from pe_desktop.export.figure_files import figure_preview, write_figure
from pe_desktop.export.figure_page import Page, panels_page
from pe_desktop.export.figure_sheet import PURPOSES, Finish, sheet_of
from pe_desktop.export.figures import PANELS, figure_rows
from pe_desktop.files import ExportError
from pe_desktop.model.findings import Computed
from pe_desktop.views.table import FIGURES, figure_of
from tests.export.conftest import page_of, texts_of
from tests.pictures import of_kind, pixels
from tests.views.test_properties import Known


def panels_of(what: str, purpose: str, state: State | None = None, *, shows_cursor: bool = True) -> Page:
    rows = figure_rows(what)
    sheet = sheet_of(rows[0], Finish(purpose))
    return panels_page(rows, state or State(), sheet, themes()["light"], Computed(), shows_cursor=shows_cursor)


def letters_of(page: Page) -> list[tuple[str, float, float]]:
    """Letters with their places: headings are the parts of one mark."""
    return [
        (picture[0].text, x, y)
        for x, y, picture in page.parts
        if len(picture) == 1 and isinstance(picture[0], marks.Text)
    ]


@pytest.mark.parametrize("what", PANELS)
def test_panels_carry_letters_in_reading_order_and_stay_on_the_page(qapp, luck, what):
    purpose = luck.choice([*PURPOSES])
    page = panels_of(what, purpose)
    letters = letters_of(page)
    assert [letter for letter, _, _ in letters] == [*"abcd"[: what.count("+") + 1]]
    places = [(y, x) for _, x, y in letters]
    assert places == sorted(places)
    assert len({*places}) == len(places)
    assert page.sheet.dots[0] == sheet_of(figure_rows(what)[0], Finish(purpose)).dots[0]
    assert page.sheet.dots == (1920, 1080) or PURPOSES[purpose].is_paper
    for x, y, picture in page.parts:
        for mark in of_kind(picture, marks.Raster):
            assert x + mark.x + mark.width <= page.sheet.width
            assert y + mark.y + mark.height <= page.sheet.height


def test_an_odd_last_panel_takes_the_whole_width_of_paper_and_a_slide_has_three_beside_each_other(qapp):
    (_, left, top), (_, right, beside), (_, last, below) = letters_of(panels_of("clock+waves+matrix", "paper"))
    assert (top, left) == (beside, last)
    assert right > left
    assert below > top
    assert len({y for _, _, y in letters_of(panels_of("clock+waves+matrix", "slide"))}) == 1
    assert len({x for _, x, _ in letters_of(panels_of("clock+waves+matrix", "column"))}) == 1


def test_the_caption_tells_every_panel_and_what_each_shows(qapp):
    state = state_of({"matrix.rows": "3..9", "position": "12"})
    page = panels_of("waves+matrix", "paper", state)
    assert page.title == "(a) Waves, (b) Encoding matrix"
    assert page.caption.startswith("(a) Pairs 0, 4 and 8 repeat after 6.28, 62.8 and 628 positions. ")
    assert " (b) Dimensions 3 to 8 of the 128 × 32 encoding. " in page.caption
    assert page.caption.count("Parameters: ") == 1
    assert "position = 12" in page.caption
    assert "matrix.rows = 3.0..9.0" in page.caption


def test_without_the_cursor_panels_lose_it_where_they_can(qapp):
    def drawn(what: str, *, shows_cursor: bool) -> list[str]:
        return texts_of(panels_of(what, "paper", shows_cursor=shows_cursor))

    assert "t = 37" in drawn("clock+waves", shows_cursor=True)
    # The legend of the clock, which is of t.
    assert drawn("clock+waves", shows_cursor=False).count("t = 37") == 1
    assert "t = 37" not in drawn("waves+matrix", shows_cursor=False)


THREE = "similarity+similarity-cosine+similarity-distance"


@pytest.mark.parametrize(("what", "purpose"), [(THREE, "slide"), *(("matrix+similarity", one) for one in PURPOSES)])
def test_maps_of_narrow_panels_keep_their_colour_bar_and_the_names_of_their_lines(qapp, what, purpose):
    page = panels_of(what, purpose)
    maps, texts = what.count("similarity"), texts_of(page)
    assert (texts.count("every row"), texts.count("row t = 37")) == (maps, maps)
    # One image is the map, one its colour bar.
    assert [len(of_kind(picture, marks.Raster)) for _, _, picture in page.parts][-1] == 2


def pages_of(state: State, purpose: str) -> list[Page]:
    # While everything is being measured: layouts don't depend on numbers.
    def page(number: int) -> Page:
        return page_of("facts", state, purpose, answers=Known(), number=number)

    return [page(number) for number in range(page(0).sheet.n_pages)]


def verdicts(page: Page) -> int:
    return sum(text in ("True", "False", "Not exact", "Open") for text in texts_of(page))


@pytest.mark.parametrize("purpose", PURPOSES)
def test_every_card_stands_once_and_whole_on_a_page_of_usual_size(qapp, purpose):
    pages = pages_of(State(), purpose)
    assert sum(map(verdicts, pages)) == len(CARDS)
    assert {page.sheet for page in pages} == {pages[0].sheet}
    sheet = pages[0].sheet
    assert sheet.inches[1] <= 9.5
    assert sheet.dots == (1920, 1080) or PURPOSES[purpose].is_paper
    # Ticks, 11 logical pixels high, take 20 of the 1080 dots of a slide.
    assert 11.0 * sheet.pixel_ratio >= 20.0
    for page in pages:
        for _, top, picture in page.parts:
            ends = [top + frame.y + frame.height for frame in of_kind(picture, marks.Rectangle)]
            assert max(ends, default=0.0) <= sheet.height - sheet.margin + 1.0
    titles = [" ".join(mark.text for mark in of_kind(page.parts[0][2], marks.Text)) for page in pages]
    assert [title.rpartition(", page ")[2] for title in titles] == [
        f"{number} of {len(pages)}" for number in range(1, len(pages) + 1)
    ]
    assert {page.title for page in pages} == {f"What the texts say, measured: {len(CARDS)} of {len(CARDS)} cards"}


def test_cards_that_fit_on_one_page_of_paper_are_no_higher_than_they_need(qapp):
    [page] = pages_of(state_of({"facts.text": "wu"}), "paper")
    assert verdicts(page) == sum(card.text == "wu" for card in CARDS.values())
    assert page.sheet.inches[1] < 6.5


def test_a_pdf_holds_the_pages_and_other_formats_say_what_fewer_cards_are(qapp, tmp_path, tool):
    state, slide = state_of({"facts.text": "clock"}), Finish("slide", size=(640, 360))
    n_pages = len(pages_of(state, "slide"))
    assert n_pages > 1
    written = write_figure("facts", state, tmp_path / "f.pdf", slide)
    assert f", {n_pages} pages" in written.size
    told = Counter(re.findall(r"page \d of \d", tool("pdftotext", tmp_path / "f.pdf", "-").decode()))
    assert told == Counter(f"page {number} of {n_pages}" for number in range(1, n_pages + 1))
    for name in ("f.png", "f.svg"):
        with pytest.raises(ExportError, match=r"pages, which only a \.pdf holds; facts\.text, facts\.verdict or facts"):
            write_figure("facts", state, tmp_path / name, slide)
        assert not (tmp_path / name).exists()
    write_figure("facts", state_of({"facts.card": "shift-is-phase"}), tmp_path / "f.png", slide)


SIZE = re.compile('<svg width="(\\S+)in" height="(\\S+)in"')
LETTERINGS = {name: row.lettering for name, row in FIGURES.items() if row.lettering is not None}
# Inches, title, names of the axes, label of the colour bar: listings 2, 3 and 4 of the first text.
DISTANCES = "Euclidean Distances Between Different Position Sinusoidal Embeddings"
LISTINGS = {
    "printed-waves": ((14, 8), {"SE(pos, 2i)", "pos", "Value"}),
    "printed-matrix": ((16, 6), {"SE(pos, 2i)", "2i", "pos"}),
    "printed-distances": ((8, 6), {DISTANCES, "pos", "L2 Norm (Euclidean Distance)"}),
}


def picture_of(name, state=None):
    return [mark for _, _, picture in page_of(name, state or State()).parts for mark in picture]


def numbers_of(name, digits):
    """The numbers of four decimals that a figure prints."""
    return [text for text in texts_of(page_of(name, State())) if re.fullmatch(rf"−?{digits}\.\d{{4}}", text)]


@pytest.mark.parametrize("name", LISTINGS)
def test_a_figure_has_the_size_and_the_words_of_its_listing(qapp, tmp_path, name):
    inches, words = LISTINGS[name]
    assert words <= {*texts_of(page_of(name, State()))}
    assert figure_preview(name, State(), Finish("paper"), (90.0, 90.0))[1].inches == pytest.approx(inches)
    assert figure_preview(name, State(), Finish("paper"), (90.0, 90.0))[1].dots == tuple(600 * side for side in inches)
    svg = write_figure(name, State(), tmp_path / "figure.svg").path.read_text(encoding="utf-8")
    assert SIZE.findall(svg) == [tuple(map(str, inches))]
    assert f"<title>{LETTERINGS[name].title}</title>" in svg


def test_the_first_figure_names_four_curves_and_joins_the_values_at_whole_positions(qapp):
    picture = picture_of("printed-waves")
    names = [mark.text for mark in of_kind(picture, marks.Text) if mark.text.startswith("Dim")]
    assert names == ["Dim 0 (i = 0)", "Dim 1 (i = 0)", "Dim 2 (i = 1)", "Dim 3 (i = 1)"]
    curves = [mark.points for mark in of_kind(picture, marks.Polyline) if len(mark.points) == 100]
    assert len(curves) == 4
    # Heights of 0 and 1 are those of sin 0 and cos 0.
    zero, one = curves[0][0, 1], curves[1][0, 1]
    for place, points in enumerate(curves):
        wave = (math.sin, math.cos)[place % 2]
        values = [wave(t * (1.0, 0.01)[place // 2]) for t in range(100)]
        assert np.abs((points[:, 1] - zero) / (one - zero) - values).max() < 1e-9
        assert np.ptp(np.diff(points[:, 0])) < 1e-9


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_reach_the_published_ends_of_rdbu_and_purd(qapp, tmp_path, theme):
    # matplotlib: RdBu from #67001f to #053061, PuRd from #f7f4f9 to #67001f.
    images = {}
    for name, size in (("printed-matrix", (1600, 600)), ("printed-distances", (1600, 1200))):
        path = tmp_path / f"{name}.png"
        write_figure(name, State(), path, Finish(size=size, theme=theme))
        images[name] = {f"#{color & 0xFFFFFF:06x}" for color in np.unique(pixels(QImage(str(path)))).tolist()}
    assert {"#67001f", "#053061"} <= images["printed-matrix"]
    assert {"#f7f4f9", "#67001f"} <= images["printed-distances"]


def test_low_is_red_and_high_is_blue_and_positions_run_downwards(qapp, tmp_path):
    path = tmp_path / "figure.png"
    write_figure("printed-matrix", State(), path, Finish(size=(1600, 600)))
    image, scale = QImage(str(path)), 1600 / (LETTERINGS["printed-matrix"].size[0] * 99)
    [heat] = of_kind(picture_of("printed-matrix"), marks.Raster)
    for position, dimension in ((0, 1), (3, 1), (11, 0), (50, 5), (99, 64)):
        value = (math.sin, math.cos)[dimension % 2](position * 10_000 ** (-(dimension // 2) / 64))
        x = 4 + heat.x + (dimension + 0.5) / 128 * heat.width
        y = 4 + heat.y + (position + 0.5) / 100 * heat.height
        seen = image.pixelColor(int(x * scale), int(y * scale))
        assert (seen.blue() > seen.red()) == (value > 0), (position, dimension, value)


def test_cells_have_the_numbers_of_the_text_or_exact_ones(qapp):
    # Field guide S3-5, in float32: cos 0.01 is 0.9999.
    rows = [
        ["0.0000", "1.0000", "0.0000", "1.0000"], ["0.8415", "0.5403", "0.0100", "0.9999"],
        ["0.9093", "−0.4161", "0.0200", "0.9998"], ["0.1411", "−0.9900", "0.0300", "0.9996"],
        ["−0.7568", "−0.6536", "0.0400", "0.9992"],
    ]  # fmt: skip
    assert numbers_of("printed-table", r"\d") == [number for row in rows for number in row]
    state = state_of({"preset": "sequence-10"})
    table = [
        [wave(t * 10_000.0 ** (-2 * i / state.encoding.d_model)) for i in range(state.encoding.d_model // 2)
         for wave in (math.sin, math.cos)] for t in range(10)
    ]  # fmt: skip
    wanted = [f"{value:.4f}".replace("-", "−") for row in table for value in row]
    assert [number.replace("−0.0000", "0.0000") for number in numbers_of("printed-sequence-10", r"\d")] == wanted
    dots = [math.fsum(math.cos(k * 10_000 ** (-i / 256)) for i in range(256)) for k in range(8)]
    wanted = [f"{dots[abs(row - column)]:.4f}" for row in range(8) for column in range(8)]
    assert numbers_of("printed-dot-8", r"\d{3}") == wanted


@pytest.mark.parametrize("name", LETTERINGS)
def test_a_figure_of_a_text_is_that_of_its_preset_whatever_is_seen_and_panels_offer_their_own(qapp, name):
    row = FIGURES[name]
    other = state_of({"d_model": "16", "matrix.range": "seen", "similarity.measure": "cosine", "span": "3..9"})
    assert row.state(other).encoding == row.state(State()).encoding
    assert [repr(mark) for mark in of_kind(picture_of(name, other), marks.Text)] == [
        repr(mark) for mark in of_kind(picture_of(name), marks.Text)
    ]
    assert PRESETS[row.assignments["preset"]].is_figure
    assert figure_of(row.view, row.state(State())) not in LETTERINGS


def test_three_hands_stand_at_their_angles_under_the_words_of_the_text(qapp):
    picture = picture_of("printed-hands")
    words = [mark.text for mark in of_kind(picture, marks.Text)]
    assert [word for word in words if word.startswith("i =")] == ["i = 0", "i = 4", "i = 8"]
    assert {"POSITION t", "FAST DIMENSIONS RESOLVE NEIGHBOURS · SLOW ONES ENCODE REGION"} <= {*words}
    [position] = [float(word.removeprefix("t = ")) for word in words if word.startswith("t = ")]
    for omega, hand in zip((1.0, 0.1, 0.01), of_kind(picture, marks.Segments), strict=True):
        x0, y0, x, y = hand.ends[0]
        length, angle = math.hypot(x - x0, y - y0), position * omega
        assert (x - x0, y0 - y) == pytest.approx((length * math.sin(angle), length * math.cos(angle)))
