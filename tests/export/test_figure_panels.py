"""Figures on one page with others, and figures that go on from page to page: letters, places, captions, room."""

import re
from collections import Counter

import pytest

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.state import State, state_of
from pe_desktop.draw import marks
from pe_desktop.draw.theme import themes
from pe_desktop.export.figure_files import write_figure
from pe_desktop.export.figure_page import Page, panels_page
from pe_desktop.export.figure_sheet import PURPOSES, Finish, sheet_of
from pe_desktop.export.figures import PANELS, figure_rows
from pe_desktop.files import ExportError
from pe_desktop.model.findings import Answers, Computed
from tests.export.conftest import page_of, texts_of
from tests.pictures import of_kind


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


class NothingKnown(Answers):
    """Answers while everything is being measured: layouts don't depend on numbers."""

    def answer(self, question: object) -> None:
        return None


def pages_of(state: State, purpose: str) -> list[Page]:
    def page(number: int) -> Page:
        return page_of("facts", state, purpose, answers=NothingKnown(), number=number)

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
