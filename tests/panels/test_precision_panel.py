"""The Precision panel without a window: what segments and presses change."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from pe_desktop.panels import panel_class
from tests.panels.conftest import LEFT, drag, middle, press


@pytest.fixture
def panel(open_settled):
    return open_settled(panel_class("precision"), 800, 1000, n_positions=512)


def button(panel, word):
    return next(one for one in panel.widgets["dtype"].findChildren(QToolButton) if one.text() == word)


def test_a_segment_chooses_a_format_and_leaves_ids_as_they_are_counted(panel) -> None:
    panel.model.set(position_ids="bfloat16")
    press(panel, "float16")
    precision = panel.model.state.precision
    assert (precision.dtype, precision.position_ids) == ("float16", "float64")
    assert button(panel, "float16").isChecked()
    assert panel.subtitle == "float16 beside the exact table"
    panel.model.undo()
    assert panel.model.state.precision.dtype == "float64"
    assert button(panel, "float64").isChecked()


def test_a_drag_in_the_plot_moves_t_and_over_the_rows_changes_nothing(panel) -> None:
    start = middle(panel, "error by position")
    drag(panel.canvas, start, start + QPointF(60, 0).toPoint())
    assert panel.model.cursor.position > 30
    before = panel.model.state
    row = middle(panel, "bfloat16")
    QTest.mouseMove(panel.canvas, row)
    assert panel.model.state == before
    assert panel.canvas.cursor().shape() == Qt.CursorShape.PointingHandCursor


def test_pages_are_chosen_and_a_drag_over_pairs_moves_the_pair(panel) -> None:
    press(panel, "Forms")
    assert panel.model.state.views.precision.page == "forms"
    start = middle(panel, "error by pair")
    drag(panel.canvas, start, start + QPointF(100, 0).toPoint())
    assert panel.model.cursor.pair > 8
    QTest.mouseClick(panel.canvas, LEFT, pos=middle(panel, "power form"))
    assert panel.model.state.precision.form == "power"
    panel.model.undo()
    assert panel.model.state.precision.form == "exp"
