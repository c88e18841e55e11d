"""Pages that lay themselves out: widths, heights, shares, cut texts, live parts, places and copied text."""

import weakref
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import ROLES, text_width
from tests.pictures import of_kind


def block(area: Area, theme: Theme, name: str) -> marks.Picture:
    return (marks.Text(area.x, area.y, name, "tick", theme.text), marks.Rectangle(*area))


def drawn(name: str, tall: float, *, wide: float = 0.0, grows: bool = False) -> flow.Drawn:
    return flow.Drawn(block, (name,), tall, wide, grows)


def areas(page: flow.Block, width: float, light: Theme, height: float = 0.0) -> dict[str, tuple[float, ...]]:
    """The areas of the drawn blocks by their names."""
    picture = flow.page_scene(page, Box(width, height, 1.0, light)).still()
    return {
        text.text: (area.x, area.y, area.width, area.height)
        for text, area in pairwise(picture)
        if isinstance(text, marks.Text) and isinstance(area, marks.Rectangle)
    }


def texts(page: flow.Block, width: float, light: Theme, *, is_paper: bool = False) -> list[marks.Text]:
    scene = flow.page_scene(page, Box(width, 100.0, 1.0, light, is_paper=is_paper))
    return of_kind((*scene.still(), *scene.moving), marks.Text)


def test_columns_put_gaps_between_blocks_that_have_a_height_and_layers_share_an_area(light: Theme) -> None:
    page = flow.Column((drawn("a", 10.0), flow.Words("", is_paragraph=True), drawn("b", 20.0)), gap=5.0)
    assert flow.page_height(page, 300.0) == 35.0
    assert areas(page, 300.0, light) == {"a": (0.0, 0.0, 300.0, 10.0), "b": (0.0, 15.0, 300.0, 20.0)}
    layers = flow.Layers((drawn("under", 10.0), drawn("over", 25.0)))
    assert areas(layers, 90.0, light) == {"under": (0.0, 0.0, 90.0, 25.0), "over": (0.0, 0.0, 90.0, 25.0)}
    # What is left over goes to blocks that grow.
    page = flow.Column((drawn("a", 10.0), drawn("b", 20.0, grows=True), drawn("c", 30.0, grows=True)))
    assert flow.page_height(page, 100.0) == 60.0
    found = areas(page, 100.0, light, height=160.0)
    assert [found[name][3] for name in "abc"] == [10.0, 70.0, 80.0]
    assert found["c"][1] + found["c"][3] == 160.0


def test_grids_have_columns_of_pixels_shares_of_what_they_need_and_of_what_is_left(light: Theme) -> None:
    cells = drawn("pixels", 1.0), drawn("share", 2.0), drawn("fit", 3.0, wide=41.0), drawn("grow", 4.0)
    page = flow.in_row((50.0, 0.25, flow.FIT, flow.GROW), *cells, gap=10.0)
    found = areas(page, 400.0, light)
    assert [found[name][2] for name in ("pixels", "share", "fit", "grow")] == [50.0, 100.0, 41.0, 179.0]
    assert [found[name][0] for name in ("pixels", "share", "fit", "grow")] == [0.0, 60.0, 170.0, 221.0]
    assert flow.page_height(page, 400.0) == 4.0


def test_the_first_block_that_has_the_width_it_would_like_is_shown(light: Theme) -> None:
    page = flow.Fits((drawn("wide", 10.0, wide=300.0), drawn("narrow", 30.0, wide=200.0)))
    assert [*areas(page, 300.0, light)] == ["wide"]
    assert [*areas(page, 299.0, light)] == ["narrow"]
    # The last one, however narrow it is.
    assert [*areas(page, 10.0, light)] == ["narrow"]
    assert (flow.page_height(page, 300.0), flow.page_height(page, 299.0)) == (10.0, 30.0)


@pytest.mark.parametrize("width", [400.0, 60.0, 24.0, 1.0])
def test_no_line_of_words_is_wider_than_its_room(light: Theme, width: float) -> None:
    page = flow.Column(
        (
            flow.Words("a sentence of some length", "strong", shorter=("a sentence",)),
            flow.Words("one two " * 9, "tick", is_paragraph=True),
        )
    )
    for text in texts(page, width, light):
        assert text_width(text.role, text.text) <= width or len(text.text) <= 1 or " " not in text.text


def test_words_take_the_first_form_that_fits_and_a_paragraph_the_height_of_its_lines(light: Theme) -> None:
    room = text_width("label", "shorter")
    words = flow.Words("much longer than that", shorter=("shorter", "s"), across=1.0)
    [text] = texts(words, room, light)
    assert (text.text, text.x, text.across) == ("shorter", room, 1.0)
    step, paragraph = ROLES["caption"][0] + 5.0, flow.Words("word " * 40, "caption", is_paragraph=True)
    lines = len(texts(paragraph, 200.0, light))
    assert lines > 2
    assert flow.page_height(paragraph, 200.0) == step * lines
    assert flow.page_height(flow.Words("short", "caption", n_lines=3), 200.0) == 3 * step


def test_live_blocks_are_drawn_in_each_frame_as_high_as_they_are_and_leave_the_page_equal(light: Theme) -> None:
    box = Box(300.0, 100.0, 1.0, light)

    def scene(number: str):
        return flow.page_scene(
            flow.Column((flow.Words("still"), flow.Live(flow.Named("n", flow.Words(number), number)))), box
        )

    one, other = scene("1"), scene("2")
    assert one.still == other.still
    assert [mark.text for mark in of_kind(one.still(), marks.Text)] == ["still"]
    assert [mark.text for mark in of_kind(other.moving, marks.Text)] == ["2"]
    assert one.places != other.places
    assert [(place.name, place.value) for place in other.places()] == [("n", "2")]
    short, tall = (flow.Live(flow.Column((flow.Words("words"), flow.Space(height)))) for height in (20.0, 300.0))
    assert flow.page_height(tall, 300.0) == flow.page_height(short, 300.0) + 280.0


def test_pages_that_were_shown_long_ago_are_let_go(light: Theme) -> None:
    box = Box(400.0, 300.0, 1.0, light)
    pages = [flow.Column((flow.Words(f"page {number}"), flow.Rule())) for number in range(60)]
    first = weakref.ref(pages[0])
    for page in pages:
        flow.page_scene(page, box)
    del page, pages
    assert first() is None


def test_places_say_what_a_press_sets(light: Theme) -> None:
    page = flow.Column(
        (flow.Named("row", drawn("a", 20.0), "7", {"position": 3.0}, "third row", is_chosen=True), flow.Space(10.0))
    )
    [place] = flow.page_scene(page, Box(300.0, 100.0, 1.0, light)).places()
    assert (place.name, place.value, place.is_chosen, place.tooltip) == ("row", "7", True, "third row")
    assert (place.area, place.changes(1.0, 1.0)) == (Area(0.0, 0.0, 300.0, 20.0), {"position": 3.0})
    assert not place.is_dragged


def test_rows_of_tables_are_places_and_columns_without_room_are_left_out(light: Theme) -> None:
    rows = flow.Row(("one", "1.0", "2.0"), {"pair": 1}, True, ("one", "1.00", "2.00")), flow.Row(("two", "3.0", "4.0"))
    page = flow.Table(("", "first", "second"), rows)
    scene = flow.page_scene(page, Box(400.0, 100.0, 1.0, light))
    assert [(place.name, place.value, place.changes(0, 0)) for place in scene.places()] == [
        ("one", "first 1.0, second 2.0", {"pair": 1}),
        ("two", "first 3.0, second 4.0", {}),
    ]
    assert flow.page_text(page) == "\tfirst\tsecond\none\t1.00\t2.00\ntwo\t3.0\t4.0"
    assert "4.0" in [text.text for text in texts(page, 400.0, light)]
    narrow = [text.text for text in texts(page, 90.0, light)]
    assert "3.0" in narrow
    assert "4.0" not in narrow
    # A number stands near its name: the table is no wider than its columns need.
    assert max(text.x for text in texts(page, 400.0, light)) < 200.0


def chart(at: float, note: str) -> Chart:
    x = np.arange(1.0, 101.0)
    scale = Scale("position t", 1.0, 100.0, is_logarithmic=True, sets="position")
    curves = Curve("grows", x, x), Curve("is chosen", x, x**0.5, is_chosen=True)
    return Chart("Growth", scale, Scale("", 0.0, 100.0), curves, at, note)


def test_a_press_in_a_chart_sets_the_value_at_the_pointer_and_a_moved_cursor_draws_it_no_anew(light: Theme) -> None:
    box = Box(700.0, 300.0, 1.0, light)
    one, other = (flow.page_scene(chart(at, note), box) for at, note in ((7.0, "here"), (9.0, "there")))
    assert one.still == other.still
    lines = [mark.ends[0, 0] for scene in (one, other) for mark in scene.moving if isinstance(mark, marks.Segments)]
    [place] = one.places()
    left, right = place.area.x, place.area.right
    assert lines == pytest.approx([left + (right - left) * np.log10(at) / 2 for at in (7.0, 9.0)])
    assert [mark.text for mark in of_kind(other.moving, marks.Text)] == ["there"]
    assert place.is_dragged
    for x, position in ((place.area.middle[0], 10.0), (-100.0, 1.0), (9999.0, 100.0)):
        assert place.changes(x, 0.0) == {"position": position}


def test_curves_are_equal_by_their_values_and_their_names_stand_apart_and_go_where_there_is_no_room(light) -> None:
    names = [text for text in texts(chart(7.0, ""), 700.0, light) if text.text in ("grows", "is chosen")]
    assert abs(names[0].y - names[1].y) >= 14.0
    assert not [text for text in texts(chart(7.0, ""), 400.0, light) if text.text in ("grows", "is chosen")]
    x = np.arange(3.0)
    assert Curve("a", x, x) == Curve("a", x.copy(), x.copy())
    assert Curve("a", x, x) != Curve("a", x, x + 1)
    assert hash(Curve("a", x, x)) == hash(Curve("a", x.copy(), x.copy()))


def test_copied_text_has_named_values_paragraphs_formulas_and_tables() -> None:
    page = flow.Column((
        flow.Words("a label"), flow.Words("A paragraph.", is_paragraph=True), flow.Formula(r"\frac{1}{2}"),
        flow.Named("n", flow.Words("seen"), "42"), flow.Copied(("only copied",)), flow.Rule(),
    ))  # fmt: skip
    assert flow.page_text(page) == "A paragraph.\n(1)/(2)\nn\t42\nonly copied"


def test_paper_leaves_out_what_only_a_screen_needs(light: Theme) -> None:
    title = flow.Words("Title", is_for_screen=True)
    for first in (title, flow.Live(title)):
        page = flow.Column((first, flow.Words("rest")), gap=4.0)
        assert sorted(text.text for text in texts(page, 300.0, light)) == ["Title", "rest"]
        [rest] = texts(page, 300.0, light, is_paper=True)
        assert (rest.text, rest.y) == ("rest", 9.0)


def test_of_a_tall_page_only_what_is_seen_is_drawn(light: Theme) -> None:
    page = flow.Column(tuple(flow.Words(str(number), "label") for number in range(1000)))
    height = flow.page_height(page, 300.0)
    box = Box(300.0, height, 1.0, light, visible=Area(0.0, 0.5 * height, 300.0, 180.0))
    scene = flow.page_scene(page, box)
    shown = [mark.text for mark in of_kind(scene.moving, marks.Text)]
    assert "500" in shown
    assert len(shown) < 15
    assert not scene.still()
    assert flow.page_scene(page, replace(box, visible=None)).still()


@pytest.mark.parametrize("width", [1.0, 2.0, 40.0])
def test_blocks_can_be_laid_out_in_no_room(light: Theme, width: float) -> None:
    cells = (
        flow.Words("a word"),
        flow.Table(("", "x"), (flow.Row(("a", "1")),)),
        flow.Formula(r"\sqrt{2} + 1"),
        chart(7.0, "note"),
    )
    for page in (
        flow.Column(cells),
        flow.in_row((flow.FIT, flow.GROW, 0.3, 20.0), *cells),
        flow.Fits(cells),
        flow.Layers(cells),
    ):
        assert flow.page_scene(page, Box(width, 1.0, 1.0, light)).still()


def test_a_heading_and_its_buttons_go_with_what_has_no_room(light: Theme) -> None:
    row = flow.in_row((flow.FIT, flow.GROW), flow.Words("First", "strong"), flow.Words("legend"))
    blocks = row, drawn("buttons", 20.0), drawn("map", 200.0), flow.Words("Second", "strong"), drawn("curve", 30.0)
    scene = flow.page_scene(flow.Column(blocks), Box(300.0, 120.0, 1.0, light, is_bare=True))
    assert [text.text for text in of_kind(scene.still(), marks.Text)] == ["Second", "curve"]


def test_the_last_block_of_a_bare_page_has_all_the_room_that_is_left() -> None:
    chart = Chart("", Scale("", 0.0, 1.0), Scale("", 0.0, 1.0), (), tall=500.0)
    cut = flow.Column((flow.Words("Above"), chart), gap=8.0).cut(300.0, 200.0)
    assert cut.height_at(300.0) == 200.0
