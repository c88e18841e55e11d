"""What a figure is: true at its pixels, the same bytes each time, whole or not written, described by its caption."""

import math
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from pe_desktop.core import KINDS, State, state_of
from pe_desktop.core.cursor import Span
from pe_desktop.draw import marks
from pe_desktop.draw.chart import Chart, Scale
from pe_desktop.draw.flow import Column, Drawn, Row, Table, Words
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import themes
from pe_desktop.draw.typefaces import ROLES, badge_half_width, formula_runs, text_width
from pe_desktop.export.figure_files import _page, figure_preview, make_ready, write_figure
from pe_desktop.export.figure_page import scene_page
from pe_desktop.export.figure_sheet import LETTERS, PURPOSES, Finish, picture_sheet, sheet_of
from pe_desktop.export.figures import FIGURE_SUFFIXES
from pe_desktop.export.thumbnail import _loudest, thumbnail
from pe_desktop.files import ExportError
from pe_desktop.model.findings import Computed
from pe_desktop.views.table import FIGURES, VIEWS
from pe_desktop.window.gallery_rows import gallery_rows
from tests.export.conftest import page_of, texts_of
from tests.pictures import of_kind
from tests.tables import table

ROOT = Path(__file__).parents[2]
NEAR = 26
# What has to be said in a column, and how often: beside a curve or a map, and in a table; the least points of letters
# on a slide; what is refused.
CASES = table("export/figures")


def is_near(image: QImage, x: float, y: float, wanted: QColor) -> bool:
    seen = image.pixelColor(round(x), round(y))
    channels = zip(seen.getRgb()[:3], wanted.getRgb()[:3], strict=True)  # type: ignore[index]
    return all(abs(have - want) <= NEAR for have, want in channels)


@pytest.mark.parametrize(("purpose", "theme"), [("paper", "light"), ("slide", "dark")])
def test_hand_of_pair_4_points_to_3_7_radians_at_position_37(tmp_path, way, opened, purpose, theme):
    path = tmp_path / f"clock.{way[:3]}"
    write_figure("clock", State(), path, Finish(purpose=purpose, theme=theme))
    image = opened(path, (1600, 1600 * 23 // 27 if purpose == "paper" else 900))
    color = themes()[theme].pair_color(4, 16)
    x, y = _hub(image, purpose)
    scale = image.width() / sheet_of(FIGURES["clock"], Finish(purpose)).width
    for length in (60 * scale, 80 * scale, 100 * scale):
        for turn, is_hand in ((0.0, True), (0.1, False), (-0.1, False)):
            angle = 37 * 0.1 + turn
            tip = (x + length * math.sin(angle), y - length * math.cos(angle))
            assert is_near(image, *tip, color) == is_hand


def _hub(image: QImage, purpose: str) -> tuple[float, float]:
    """The middle of the dial: that of the room between the title and the legend."""
    sheet = sheet_of(FIGURES["clock"], Finish(purpose))
    scale = image.width() / sheet.width
    below_title = sheet.margin + sheet.title_height
    height = sheet.height - sheet.margin - below_title
    return image.width() / 2, (below_title + (height - 24) / 2) * scale


# As after a window: with its font, and with letters that it keeps from frame to frame.
WRITE_ALL = """
import sys
from pathlib import Path
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from PySide6.QtWidgets import QApplication
from pe_desktop.draw import marks
from pe_desktop.draw.painter import paint_marks
from pe_desktop.draw.typefaces import load_typefaces
from tests.export.test_figures import written
application = QApplication([])
application.setFont(QFont("Serif", 21))
load_typefaces()
image = QImage(400, 40, QImage.Format.Format_RGB32)
painter = QPainter(image)
for label in ("0", "16", "32", "127", "position t", "+1", "sin", "cos"):
    letters = [marks.Text(9.0, 20.0, label, role, QColor("black")) for role in ("tick", "flag")] * 3
    paint_marks(painter, letters, pixel_ratio=1.0)
painter.end()
for what in sys.argv[2:]:
    written(what, Path(sys.argv[1]))
"""


def written(what: str, folder: Path) -> dict[str, bytes]:
    """A figure in each format, by the names of the files, of some as text; of the cards a few."""
    finish = Finish(size=(960, 540), letters=LETTERS[len(what) % 2])
    paths = [folder / f"{what}{suffix}" for suffix in FIGURE_SUFFIXES]
    for path in paths:
        write_figure(what, state_of({"facts.verdict": "open"}), path, finish, overwrite=True)
    return {path.name: path.read_bytes() for path in paths}


def test_same_state_gives_the_same_bytes_in_another_process_and_time_zone(qapp, tmp_path, luck):
    figures = luck.sample([*FIGURES], 6)
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    here.mkdir()
    elsewhere.mkdir()
    changes = {"PYTHONPATH": str(ROOT), "TZ": "Asia/Kolkata", "QT_QPA_PLATFORM": "offscreen"}
    program = [sys.executable, "-c", WRITE_ALL, str(elsewhere), *figures]
    done = subprocess.run(program, env={**os.environ, **changes}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    # The other process has drawn them in another order.
    for what in reversed(figures):
        contents = written(what, here)
        assert len(contents) == len(FIGURE_SUFFIXES)
        assert contents == {name: (elsewhere / name).read_bytes() for name in contents}


@pytest.mark.parametrize("what", ["properties", "collisions", "distance-law", "scales"])
def test_a_page_that_scrolls_has_all_its_room_on_paper_and_on_a_slide(what):
    state, row, theme = State(), FIGURES[what], themes()["light"]
    for purpose in PURPOSES:
        sheet = figure_preview(what, state, Finish(purpose), (90.0, 90.0))[1]
        width = sheet.width - 2 * sheet.margin
        views = [VIEWS["properties"].module()] * 2
        views[1] = views[1] if PURPOSES[purpose].is_paper else views[1].in_columns()
        needed = min(view.height(row.state(state), Computed(), width, theme) or 0.0 for view in views)
        assert needed > 0.0
        assert sheet.height - 2 * sheet.margin - sheet.title_height >= needed - 1e-6
        assert sheet.inches[0] == pytest.approx(sheet_of(row, Finish(purpose)).inches[0])
        assert sheet.dots == (1920, 1080) or PURPOSES[purpose].is_paper
        # Two columns of checks need no smaller letters.
        assert what != "properties" or sheet.letters == ("8" if PURPOSES[purpose].is_paper else "12")


@pytest.mark.parametrize(("what", "text", "count"), CASES["told in a column"])
def test_a_figure_in_a_column_shows_its_maps_and_names_its_curves(qapp, what, text, count):
    assert texts_of(page_of(what, State(), "column")).count(text) == count


def test_dimensions_of_a_printed_table_are_counted_by_whole_numbers_at_every_size(qapp, luck):
    row, width, height = FIGURES["printed-table"], luck.uniform(240.0, 960.0), luck.uniform(240.0, 560.0)
    box = Box(width, height, 1.0, themes()["light"], is_paper=True, lettering=row.lettering)
    state = row.state(State())
    scene = VIEWS[row.view].module().scene(state, Computed(), box)
    texts = of_kind(scene.still(), marks.Text)
    [name] = [mark for mark in texts if mark.text == "dimension"]
    counted = [mark.text for mark in texts if 0.0 < name.y - mark.y < 30.0 and mark.x < name.x + width / 2 - 40.0]
    assert counted
    assert set(counted) <= set("0123")


@pytest.mark.parametrize(("purpose", "theme"), [("slide", "dark"), ("column", "light"), ("paper", "dark")])
def test_figures_are_drawn_on_a_ground_of_their_theme_that_reaches_every_edge(qapp, luck, purpose, theme):
    # In a column a figure is as high as its scene.
    columns = [what for what, row in FIGURES.items() if row.part or not (row.view in NEEDS_WIDTH or row.lettering)]
    what = luck.choice(columns if purpose == "column" else [*FIGURES])
    image, _ = figure_preview(what, state_of({"facts.verdict": "open"}), Finish(purpose, theme), (960, 960))
    ground = {"light": QColor("#ffffff"), "dark": QColor("#16191f")}[theme]
    width, height = image.width(), image.height()
    across, down = range(width), range(height)
    edges = {(x, y) for x in across for y in (0, height - 1)} | {(x, y) for x in (0, width - 1) for y in down}
    assert {image.pixel(*place) for place in edges} == {ground.rgb()}
    inside = {image.pixel(x, y) for x in range(width // 10, width, 4) for y in range(height // 10, height, 4)}
    assert len(inside) > 50


@pytest.mark.parametrize("settings", [{}, {"d_model": "128"}, {"kind": "one-wave"}, {"scheme": "rope"}], ids=str)
def test_a_picture_of_a_low_panel_has_every_dial_that_the_panel_scrolls(settings):
    state = state_of({"clock.mode": "each", **settings})
    sheet = picture_sheet(371, 246, 1.0)
    page = scene_page(FIGURES["dials"], state, sheet, themes()["light"], Computed())
    texts = texts_of(page)
    n_dials = state.encoding.d_model if state.encoding.pairs is None else state.encoding.pairs.count
    assert not any("no room" in text for text in texts)
    assert page.sheet.height > sheet.height
    assert {*map(str, range(n_dials))} <= {text.removeprefix("dim ").split(":")[0] for text in texts}


@pytest.mark.parametrize("what", ["waves", "matrix", "similarity", "similarity-distance"])
def test_without_the_cursor_a_figure_is_the_same_wherever_it_stands(qapp, tmp_path, luck, what):
    purpose = luck.choice([*PURPOSES])
    drawings, finish = [], Finish(purpose, shows_cursor=False)
    for position, offset in (("37", "8"), ("90.5", "-30")):
        state = state_of({"position": position, "offset": offset})
        written = write_figure(what, state, tmp_path / "f.svg", finish, overwrite=True)
        drawings.append((tmp_path / "f.svg").read_text(encoding="utf-8").split("</desc>")[1])
        assert f"position = {position}" in written.told
        assert "The cursors at t and t + k are left out." in written.told
        write_figure(what, state, tmp_path / "with.svg", Finish(purpose), overwrite=True)
        assert (tmp_path / "with.svg").read_text(encoding="utf-8").split("</desc>")[1] != drawings[-1]
    assert drawings[0] == drawings[1]


@pytest.mark.parametrize(("what", "points"), CASES["letters on a slide"])
def test_a_slide_has_two_columns_where_that_makes_its_letters_larger(what, points):
    page = page_of(what, state_of({"learn.steps": "10"}), "slide")
    assert page.sheet.points >= points
    texts = [(mark.x, top + mark.y) for _, top, picture in page.parts for mark in of_kind(picture, marks.Text)]
    assert max(x for x, _ in texts) > page.sheet.width / 2 - 2 * page.sheet.margin
    assert max(y for _, y in texts) < page.sheet.height - page.sheet.margin


@pytest.mark.parametrize("n_pins", [3, 16])
@pytest.mark.parametrize("purpose", ["paper", "slide"])
def test_waves_have_a_row_for_each_pinned_pair_that_their_title_tells_and_few_have_both_values(n_pins, purpose):
    row, state = FIGURES["waves"], state_of({"pinned_pairs": " ".join(map(str, range(n_pins)))})
    sheet = sheet_of(row, Finish(purpose, text=18.0 if purpose == "slide" else 10.0))
    page = scene_page(row, state, sheet, themes()["light"], Computed())
    badges = [mark.label for _, _, picture in page.parts for mark in of_kind(picture, marks.Badge)]
    assert badges == [*map(str, range(n_pins))]
    texts = texts_of(page)
    assert not any("no room" in text for text in texts)
    assert n_pins > 3 or (texts.count("sin"), texts.count("cos")) == (3, 3)


def test_caption_tells_every_parameter_with_all_digits(qapp, tmp_path):
    state = {
        "n_positions": "500", "d_model": "64", "base": "123.456789012345", "spacing": "inclusive", "pair": "7",
        "layout": "half-split", "position": "12.0625", "offset": "-3",
    }  # fmt: skip
    shown = state_of(state)
    written = write_figure("waves", replace(shown, span=Span(10.0, 40.5)), tmp_path / "w.svg")
    for name, value in {"kind": "sinusoidal", **state}.items():
        assert re.search(rf"\b{name} = {re.escape(value)}[,;.]", written.told)
    assert "pinned pairs: 0, 4, 8." in written.told
    assert "Shown: span = 10.0..40.5." in written.told
    assert "Shown" not in write_figure("waves", State(shown.encoding, shown.cursor), tmp_path / "all.svg").told


# With letters of 8 points these have no room.
NEEDS_WIDTH = {"compare"}


@pytest.mark.parametrize(("what", "name", "choices", "sentence"), CASES["refused"])
def test_what_cannot_be_drawn_is_refused_in_one_sentence(qapp, tmp_path, what, name, choices, sentence):
    with pytest.raises(ExportError) as refusal:
        write_figure(what, State(), tmp_path / name, Finish(**choices))
    assert str(refusal.value) == f"{sentence} Nothing was written."
    assert list(tmp_path.iterdir()) == []


WITHOUT_SCREEN = """
from pathlib import Path
from pe_desktop.core.state import State
from pe_desktop.export.figure_files import write_figure
print(write_figure("waves", State(), Path("w.svg")).size)
"""


def test_a_figure_is_written_from_python_without_a_screen(tmp_path):
    environment = {name: value for name, value in os.environ.items() if "DISPLAY" not in name and "QT_" not in name}
    program, environment = [sys.executable, "-c", WITHOUT_SCREEN], {**environment, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(program, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "6.75 x 3.5 inches\n", "")


@pytest.mark.parametrize("what", [what for what in FIGURES if ":" in what])
def test_a_part_is_drawn_alone_as_it_is_in_its_panel(qapp, tmp_path, what):
    whole, state = what.partition(":")[0], state_of({"pair": "2", "position": "11"})
    (own, all_of_it), page = (texts_of(page_of(one, state)) for one in (what, whole)), page_of(what, state)
    titles = page.sheet.n_title_lines
    named = [text for text in own[titles:] if len(text) > 3]
    assert named
    assert len(own) < len(all_of_it)
    assert all(any(word in text for text in all_of_it) for word in {text.split(" ")[0] for text in named})
    assert page.sheet.height < page_of(whole, state).sheet.height
    assert page.parts[-1][2]


def test_a_cell_alone_has_its_sentence_in_the_title_what_is_read_in_the_caption_and_nothing_to_press(qapp):
    asked = page_of("attention:weights", state_of({"position": "2", "offset": "1"}))
    assert "as written; rows sum to 1. Solid is the word at t, hollow or dashed the one at" in asked.caption
    assert asked.title == "Weights of the words as written, added positions"
    assert not any("reads" in text for text in texts_of(asked))


CUT = re.compile(r"\w…$")


@pytest.mark.parametrize("inches", [3.25, 5.5, 6.75])
@pytest.mark.parametrize("text", [None, 8.0])
def test_no_letters_of_a_figure_are_smaller_than_said_and_nothing_is_cut(qapp, inches, text):
    finish, n_drawn = Finish(width=inches, text=text), 0
    for what, row in FIGURES.items():
        state = state_of({"facts.verdict": "open", "derivations.step": "3"})
        try:
            page = _page(what, state, sheet_of(row, finish), finish, Computed())
        except ExportError:
            assert row.lettering is not None or (row.view in NEEDS_WIDTH and not row.part and text)
            continue
        n_drawn += 1
        assert page.sheet.inches[0] == pytest.approx(inches)
        for left, top, picture in page.parts:
            for mark in picture:
                if isinstance(mark, marks.Text | marks.FormulaText | marks.Badge):
                    pixels, *edges = _extent(mark)
                    assert pixels * 72 * inches / page.sheet.width >= (text or 6.0), (what, mark)
                    x, right, y, bottom = edges
                    assert min(left + x, top + y) > -1.0, (what, mark)
                    assert left + right < page.sheet.width + 1.0, (what, mark)
                    assert top + bottom < page.sheet.height + 1.0, (what, mark)
                    assert not (isinstance(mark, marks.Text) and row.view != "code" and CUT.search(mark.text)), what
    assert n_drawn > 38


def _extent(mark: marks.Text | marks.FormulaText | marks.Badge) -> tuple[float, float, float, float, float]:
    """The height of the letters of a mark, its left and right end, its upper and lower one."""
    if isinstance(mark, marks.Badge):
        half = badge_half_width(mark.radius, mark.label)
        return ROLES["badge"][0], mark.x - half, mark.x + half, mark.y - mark.radius, mark.y + mark.radius
    if isinstance(mark, marks.Text):
        pixels, wide = ROLES[mark.role][0], text_width(mark.role, mark.text)
    else:
        pixels, wide = mark.pixels, formula_runs(mark.formula, mark.pixels)[1]
    wide *= math.cos(math.radians(getattr(mark, "turned", 0.0)))
    left = mark.x - mark.across * wide
    return pixels, left, left + wide, mark.y - pixels / 2, mark.y + pixels / 2


def test_memory_that_is_not_there_is_a_sentence(qapp, tmp_path, monkeypatch):
    monkeypatch.setattr(QImage, "isNull", lambda _image: True)
    with pytest.raises(ExportError, match="not enough memory for a figure of 300 x 200 pixels"):
        write_figure("clock", State(), tmp_path / "c.png", Finish(size=(300, 200)))


@pytest.mark.parametrize("kind", [*KINDS][1:])
def test_a_caption_of_every_kind_tells_it_and_nothing_of_another(qapp, luck, kind):
    # A figure of a text has the encoding of the text.
    what = luck.choice([what for what, row in FIGURES.items() if row.lettering is None])
    state = state_of({"kind": kind, "n_positions": "20", "position": "7", "facts.verdict": "open"})
    for caption in (page_of(what, state).caption, page_of("clock", state).caption):
        assert f"kind = {kind}" in caption
        assert "grey for every row" not in caption
        assert ("position times angular frequency" in caption) <= (state.encoding.turning_pairs is not None)


@pytest.mark.parametrize("offset", [0.04, 44.96, -3.5, 45.0])
def test_a_title_tells_the_offset_that_was_measured_with_all_its_digits(qapp, offset):
    state = state_of({"offset": str(offset)})
    # |p_t - p_{t+k}|² is the sum of 2 - 2 cos(kω) over the pairs.
    distance = math.sqrt(sum(2 - 2 * math.cos(offset * 10_000 ** (-2 * i / 32)) for i in range(16)))
    told = f"{offset:g}".replace("-", "−")
    wanted = f"Distance at offset {told} is {distance:.4f} wherever it is measured"
    assert page_of("similarity-distance", state).title == wanted
    assert page_of("rotation", state).title == f"One matrix moves every position by {told}"


def test_a_thumbnail_is_the_largest_picture_of_a_page_and_has_no_prose() -> None:
    chart = Chart("Title", Scale("x", 0.0, 1.0), Scale("", 0.0, 1.0), (), tall=200.0)
    dial, prose = Drawn(tuple, (), 150.0), Words("Many words that nobody reads.", is_paragraph=True)
    table = Table(("a", "b"), (Row(("1", "2")),))
    assert _loudest(Column((prose, table, chart, dial))) is dial
    assert _loudest(Column((prose, table, chart))) == replace(chart, title="", grows=True)
    assert _loudest(Column((prose, table))) is table


def test_each_preset_of_the_gallery_has_a_picture_that_fills_its_room() -> None:
    make_ready()
    theme = themes()["light"]
    for row in gallery_rows():
        image = thumbnail(row.view, row.state, (186, 114), theme)
        assert (image.width(), image.height() <= 114) == (186, True)
        dots = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)
        assert (dots != theme.panel.rgb()).mean() > 0.01, row.preset.id
