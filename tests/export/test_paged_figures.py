"""Figures that go on from page to page: every card once, whole, in type that can be read, in a file that has pages."""

import re
from collections import Counter

import pytest

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.state import State, state_of
from pe_desktop.draw import marks
from pe_desktop.draw.theme import themes
from pe_desktop.export.figure_page import Page, scene_page
from pe_desktop.export.figure_sheet import PURPOSES, Finish
from pe_desktop.export.figures import _sheet_for, write_figure
from pe_desktop.files import ExportError
from pe_desktop.views.table import FIGURES


class NothingKnown:
    """Answers while everything is being measured: layouts don't depend on numbers."""

    def answer(self, question: object) -> None:
        return None


def pages_of(state: State, purpose: str) -> list[Page]:
    row = FIGURES["facts"]
    sheet, answers = _sheet_for(purpose, row.paper_height), NothingKnown()

    def page(number: int) -> Page:
        return scene_page(row, state, sheet, themes()["light"], answers, number=number)  # type: ignore[arg-type]

    return [page(number) for number in range(page(0).sheet.n_pages)]


def verdicts(page: Page) -> int:
    words = ("True", "False", "Not exact", "Open")
    return sum(isinstance(mark, marks.Text) and mark.text in words for _, _, picture in page.parts for mark in picture)


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
            frames = [mark for mark in picture if isinstance(mark, marks.Rectangle)]
            assert all(top + frame.y + frame.height <= sheet.height - sheet.margin + 1.0 for frame in frames)
    titles = [" ".join(mark.text for mark in page.parts[0][2] if isinstance(mark, marks.Text)) for page in pages]
    assert [title.rpartition(", page ")[2] for title in titles] == [
        f"{number} of {len(pages)}" for number in range(1, len(pages) + 1)
    ]
    assert {page.title for page in pages} == {f"What the texts say, measured: {len(CARDS)} of {len(CARDS)} cards"}


def test_cards_that_fit_on_one_page_of_paper_are_no_higher_than_they_need(qapp):
    [page] = pages_of(state_of({"facts.text": "wu"}), "paper")
    assert verdicts(page) == sum(card.text == "wu" for card in CARDS.values())
    assert page.sheet.inches[1] < 5.0


def test_a_pdf_holds_the_pages_and_other_formats_say_what_fewer_cards_are(qapp, tmp_path, tool):
    state, slide = state_of({"facts.text": "clock"}), Finish("slide", size=(640, 360))
    n_pages = len(pages_of(state, "slide"))
    assert n_pages > 1
    written = write_figure("facts", state, tmp_path / "f.pdf", slide)
    assert written.size.endswith(f", {n_pages} pages")
    told = Counter(re.findall(r"page \d of \d", tool("pdftotext", tmp_path / "f.pdf", "-").decode()))
    assert told == Counter(f"page {number} of {n_pages}" for number in range(1, n_pages + 1))
    for name in ("f.png", "f.svg"):
        with pytest.raises(ExportError, match=r"pages, which only a \.pdf holds; facts\.text, facts\.verdict or facts"):
            write_figure("facts", state, tmp_path / name, slide)
        assert not (tmp_path / name).exists()
    write_figure("facts", state_of({"facts.card": "shift-is-phase"}), tmp_path / "f.png", slide)
