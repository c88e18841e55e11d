"""The panel of the encoding matrix without a window: what the mouse does, what it reads out, what a frame costs."""

import math

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest

from pe_desktop.core.cursor import Preview, Span, full_span
from pe_desktop.draw.marks import FormulaText
from pe_desktop.panels.matrix_panel import MatrixPanel
from tests.panels.conftest import LEFT, SHIFT, texts, wheel
from tests.pictures import of_kind


@pytest.fixture
def panel(open_panel):
    return open_panel(MatrixPanel)


def place(panel: MatrixPanel, position: float, row: float) -> tuple[float, float]:
    layout = panel.layout_now()
    x, y = layout.position_axis.place(position), layout.row_axis.place(row)
    return (y, x) if layout.is_transposed else (x, y)


def hover(panel: MatrixPanel, x: float, y: float) -> list[str]:
    """What is read out at a point."""
    QTest.mouseMove(panel.canvas, QPoint(1, 1))
    before = set(texts(panel))
    QTest.mouseMove(panel.canvas, QPoint(round(x), round(y)))
    return [text for text in texts(panel) if text not in before]


def truth(position: int, dimension: int, d_model: int = 32) -> float:
    angle = position * 10000 ** (-2 * (dimension // 2) / d_model)
    return math.cos(angle) if dimension % 2 else math.sin(angle)


@pytest.mark.parametrize("is_transposed", [False, True])
def test_a_press_chooses_position_and_pair_and_with_shift_the_offset(panel, is_transposed):
    panel.model.set(**{"matrix.is_transposed": is_transposed})
    QTest.mouseClick(panel.canvas, LEFT, pos=QPointF(*place(panel, 71, 19.0)).toPoint())
    assert (panel.model.cursor.position, panel.model.cursor.pair) == (71.0, 9)
    QTest.mouseClick(panel.canvas, LEFT, SHIFT, pos=QPointF(*place(panel, 91, 3.0)).toPoint())
    assert (panel.model.cursor.offset, panel.model.cursor.pair) == (20.0, 9)


def test_a_step_asks_once_evaluates_no_pixel_and_draws_nothing_still_and_a_change_of_size_asks_again(
    panel, monkeypatch
):
    asked, questions = [], panel.questions

    def counted():
        asked.append(panel.canvas.width())
        return questions()

    monkeypatch.setattr(panel, "questions", counted)
    panel.model.move_cursor(position=40.0)
    panel.canvas.repaint()
    panel.canvas.repaint()
    assert asked == [900]
    panel.resize(800, 420)
    panel.canvas.repaint()
    assert asked == [900, 800]
    heat_map, still = panel.canvas.raster.heat_map, panel.canvas.n_painted["still"]
    before = (heat_map.n_pictures, heat_map.n_values_evaluated)
    for position in range(10):
        panel.model.move_cursor(position=float(position))
        panel.canvas.repaint()
    assert (heat_map.n_pictures, heat_map.n_values_evaluated, panel.canvas.n_painted["still"]) == (*before, still)


def test_the_wheel_zooms_to_one_cell_whose_number_is_printed_and_a_double_click_shows_all(panel):
    for _ in range(40):
        wheel(panel.canvas, QPointF(*place(panel, 50, 7.5)))
    assert panel.model.state.shown_span.width == pytest.approx(1.0)
    assert panel.model.state.shown_rows.width == pytest.approx(1.0)
    assert f"{truth(50, 7):.4f}".replace("-", "−") in texts(panel)
    QTest.mouseDClick(panel.canvas, LEFT, pos=QPoint(300, 100))
    assert (panel.model.span, panel.model.state.shown_rows) == (full_span(128), Span(0.0, 32.0))


@pytest.mark.parametrize("is_transposed", [False, True])
def test_over_the_numbers_of_an_axis_the_wheel_zooms_that_one(panel, is_transposed):
    panel.model.set(**{"matrix.is_transposed": is_transposed})
    area = panel.layout_now().area
    beside, under = (area.x - 30.0, area.y + 50.0), (area.x + 50.0, area.bottom + 15.0)
    over_rows, over_positions = (under, beside) if is_transposed else (beside, under)
    wheel(panel.canvas, QPointF(*over_rows))
    assert (panel.model.state.span, panel.model.state.shown_rows.width) == (None, pytest.approx(32 / 1.25))
    wheel(panel.canvas, QPointF(*over_positions))
    assert panel.model.state.shown_span.width == pytest.approx(128 / 1.25)
    assert panel.model.state.shown_rows.width == pytest.approx(32 / 1.25)


def test_the_strip_shows_the_sum_with_an_embedding_or_the_terms_or_neither(panel):
    terms, sums = panel.control_set.row(is_in_title=True)
    for button, title in ((sums, "x + p_{37}"), (terms, "cos(kω_i)"), (sums, "x + p_{37}"), (sums, "p_{37}")):
        QTest.mouseClick(button, LEFT)
        matrix = panel.model.state.views.matrix
        assert (matrix.adds_embedding, matrix.shows_terms) == (sums.isChecked(), terms.isChecked())
        panel.canvas.repaint()
        assert [mark.formula for mark in of_kind(panel.canvas.scene().moving, FormulaText)] == [title]


@pytest.mark.parametrize("is_transposed", [False, True])
def test_the_readout_is_the_exact_value_of_the_cell(panel, is_transposed):
    panel.model.set(**{"matrix.is_transposed": is_transposed})
    value, *rest, digits = hover(panel, *place(panel, 92, 13.5))
    assert value == f"{truth(92, 13):.4f}".replace("-", "−")
    assert rest == ["position 92, dim 13", "pair 6, cos"]
    assert float(digits.replace("−", "-")) == pytest.approx(truth(92, 13), abs=1e-15)
    assert panel.model.preview == Preview(92.0, pair=6)
    assert hover(panel, 2.0, 2.0) == []
    assert panel.model.preview is None


def test_the_readout_of_many_cells_in_a_pixel_tells_what_its_colour_is(open_panel):
    panel = open_panel(MatrixPanel, n_positions=100_000, d_model=64)
    lines = hover(panel, *place(panel, 70_000, 20.5))
    assert lines[3] == f"the colour is the mean over about {1 / panel.layout_now().position_pixels:.0f} × 1 cells"
    panel.model.set(kind="random", n_positions=1_000_000)
    panel.canvas.repaint()
    assert hover(panel, *place(panel, 70_000, 20.5))[3].startswith("the colour is the mean of 16 samples over about ")


def test_rows_that_outnumber_the_pixels_are_halves_and_those_chosen_last_until_there_are_other_dimensions(open_panel):
    panel = open_panel(MatrixPanel, d_model=4096)
    assert panel.subtitle.startswith("sines over cosines, ")
    assert hover(panel, *place(panel, 5, 2048 + 1000.5))[2].endswith("cos")
    assert hover(panel, *place(panel, 5, 1000.5))[2].endswith("sin")
    panel.model.set(**{"matrix.rows": Span(0.0, 100.0)})
    assert "sines" not in panel.subtitle
    panel.model.set(base=500)
    assert panel.model.state.views.matrix.rows == Span(0.0, 100.0)
    panel.model.set(d_model=512)
    assert panel.model.state.views.matrix.rows is None


@pytest.mark.parametrize("is_transposed", [False, True])
def test_a_coarse_map_says_so_until_it_is_exact(open_panel, qtbot, is_transposed):
    panel = open_panel(MatrixPanel, n_positions=1_000_000, d_model=65_536)
    panel.model.set(
        span=Span(-0.5, 300_000.5), **{"matrix.is_transposed": is_transposed, "matrix.adds_embedding": True}
    )
    panel.canvas.repaint()
    area = panel.layout_now().area
    assert "coarse, refining" in texts(panel)
    assert "its colour is coarse, refining" in hover(panel, area.x + 50, area.y + 50)
    assert not panel.is_made
    qtbot.waitUntil(lambda: panel.is_made, timeout=30_000)
    assert not any("coarse" in text for text in texts(panel))


def test_the_colour_bar_tells_its_range_and_the_menu_opens_it(panel):
    panel.model.set(**{"matrix.range": "0.25"})
    panel.canvas.repaint()
    assert [place.value for place in panel.canvas.places() if place.name == "colours"] == ["≤ −0.25 to ≥ +0.25"]
    panel.open_choices(QPoint(0, 0))
    assert panel.card.isVisible()
    panel.card.hide()
