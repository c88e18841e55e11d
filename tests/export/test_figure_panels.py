"""Several figures on one page: letters, places, caption, what finds no room."""

import pytest

from pe_desktop.core.state import State, state_of
from pe_desktop.draw import marks
from pe_desktop.draw.theme import themes
from pe_desktop.export.figure_page import Page, panels_page
from pe_desktop.export.figure_sheet import PURPOSES, Finish
from pe_desktop.export.figures import PANELS, _sheet_for, figure_rows, write_figure
from pe_desktop.files import ExportError
from pe_desktop.model.findings import Computed


def page_of(what: str, purpose: str, state: State | None = None, *, shows_cursor: bool = True) -> Page:
    rows = figure_rows(what)
    sheet = _sheet_for(purpose, rows[0].paper_height)
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
    page = page_of(what, purpose)
    letters = letters_of(page)
    assert [letter for letter, _, _ in letters] == [*"abcd"[: what.count("+") + 1]]
    places = [(y, x) for _, x, y in letters]
    assert places == sorted(places)
    assert len({*places}) == len(places)
    assert page.sheet.dots[0] == _sheet_for(purpose, 3.0).dots[0]
    assert page.sheet.dots == (1920, 1080) or PURPOSES[purpose].is_paper
    for x, y, picture in page.parts:
        for mark in picture:
            if isinstance(mark, marks.Raster):
                assert x + mark.x + mark.width <= page.sheet.width
                assert y + mark.y + mark.height <= page.sheet.height


def test_an_odd_last_panel_takes_the_whole_width_of_paper_and_a_slide_has_three_beside_each_other(qapp):
    (_, left, top), (_, right, beside), (_, last, below) = letters_of(page_of("clock+waves+matrix", "paper"))
    assert (top, left) == (beside, last)
    assert right > left
    assert below > top
    assert len({y for _, _, y in letters_of(page_of("clock+waves+matrix", "slide"))}) == 1
    assert len({x for _, x, _ in letters_of(page_of("clock+waves+matrix", "column"))}) == 1


def test_the_caption_tells_every_panel_and_what_each_shows(qapp):
    state = state_of({"matrix.rows": "3..9", "position": "12"})
    page = page_of("waves+matrix", "paper", state)
    assert page.title == "(a) Waves, (b) Encoding matrix"
    assert page.caption.startswith("(a) Pairs 0, 4 and 8 repeat after 6.28, 62.8 and 628 positions. ")
    assert " (b) Dimensions 3 to 8 of the 128 × 32 encoding. " in page.caption
    assert page.caption.count("Parameters: ") == 1
    assert "position = 12" in page.caption
    assert "matrix.rows = 3.0..9.0" in page.caption


def test_without_the_cursor_panels_lose_it_where_they_can(qapp):
    def drawn(what: str, *, shows_cursor: bool) -> list[str]:
        parts = page_of(what, "paper", shows_cursor=shows_cursor).parts
        return [mark.text for _, _, picture in parts for mark in picture if isinstance(mark, marks.Text)]

    assert "t = 37" in drawn("clock+waves", shows_cursor=True)
    # The legend of the clock, which is of t.
    assert drawn("clock+waves", shows_cursor=False).count("t = 37") == 1
    assert "t = 37" not in drawn("waves+matrix", shows_cursor=False)


@pytest.mark.parametrize(
    ("what", "finish", "sentence"),
    [
        ("clock+face", Finish(), "There is no figure face"),
        ("clock+printed-waves", Finish(), "A figure as a text prints it stands on a page of its own."),
        ("+".join(["clock"] * 9), Finish(), "A page has at most 8 panels"),
        ("waves+compare", Finish("column"), "Compare has no room beside the other panels."),
        ("clock+properties+waves+matrix", Finish("slide"), "Properties has no room beside the other panels."),
    ],
)
def test_what_finds_no_room_is_refused_in_one_sentence(qapp, tmp_path, what, finish, sentence):
    with pytest.raises(ExportError) as refusal:
        write_figure(what, State(), tmp_path / "f.svg", finish)
    assert str(refusal.value).startswith(sentence)
    assert list(tmp_path.iterdir()) == []
