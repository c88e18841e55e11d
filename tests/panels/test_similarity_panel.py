"""The Similarity panel without a window: what mouse, buttons and a long computation do."""

import threading

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from pe_desktop.core.cursor import Span, full_span
from pe_desktop.panels.similarity_panel import SimilarityPanel
from pe_desktop.views.similarity import profile
from pe_desktop.views.similarity.scene import profile_questions
from tests.panels.conftest import LEFT, drag, wheel


@pytest.fixture
def panel(open_panel, qtbot):
    panel = open_panel(SimilarityPanel, 440, 330)
    qtbot.waitUntil(lambda: not panel.model.findings.is_busy(panel.key))
    return panel


def map_point(panel: SimilarityPanel, row: float, column: float) -> QPoint:
    layout = panel.layout_now()
    return QPointF(layout.column_axis.place(column), layout.row_axis.place(row)).toPoint()


def profile_point(panel: SimilarityPanel, offset: float) -> QPoint:
    layout = panel.layout_now()
    return QPointF(layout.offset_axis.place(offset), layout.profile.y + 10).toPoint()


def test_a_press_in_the_map_chooses_t_and_t_plus_k_and_one_in_the_profile_k(panel: SimilarityPanel) -> None:
    QTest.mouseClick(panel.canvas, LEFT, pos=map_point(panel, 40, 100))
    cursor = panel.model.cursor
    assert (cursor.position, cursor.offset) == (40.0, 60.0)
    QTest.mouseClick(panel.canvas, LEFT, pos=profile_point(panel, -32.0))
    assert panel.model.cursor.offset == pytest.approx(-32.0, abs=1.0)


def test_a_drag_that_began_in_the_profile_moves_k_alone(panel: SimilarityPanel) -> None:
    drag(panel.canvas, profile_point(panel, 0.0), map_point(panel, 60, 90))
    assert panel.model.cursor.position == 37.0
    assert panel.model.cursor.offset not in (0.0, 8.0)


def test_the_wheel_zooms_what_it_is_over_and_a_double_click_shows_all(panel: SimilarityPanel) -> None:
    for _ in range(3):
        wheel(panel.canvas, QPointF(map_point(panel, 40, 80)))
    rows, columns = panel.model.state.shown_map
    assert rows.width == columns.width == pytest.approx(128 / 1.25**3)
    assert (rows.first < 40 < rows.last, columns.first < 80 < columns.last) == (True, True)
    assert panel.model.state.views.similarity.offsets is None
    wheel(panel.canvas, QPointF(profile_point(panel, 8.0)), 2)
    assert panel.model.state.shown_offsets.width == pytest.approx(254 / 1.25**2)
    QTest.mouseDClick(panel.canvas, LEFT, pos=map_point(panel, 45, 85))
    assert panel.model.state.shown_map == (full_span(128), full_span(128))
    assert panel.model.state.shown_offsets == Span(-127.0, 127.0)
    assert (panel.model.cursor.position, panel.model.cursor.offset) == (37.0, 8.0)


@pytest.mark.parametrize("is_profile", [False, True])
def test_a_middle_drag_moves_what_it_takes_hold_of(panel: SimilarityPanel, is_profile: bool) -> None:
    zoomed = {"similarity.rows": Span(20.0, 60.0), "similarity.columns": Span(30.0, 70.0)}
    panel.model.set(**zoomed, **{"similarity.offsets": Span(-40.0, 40.0)})
    start, end = map_point(panel, 40, 50), map_point(panel, 45, 60)
    if is_profile:
        start, end = profile_point(panel, 0.0), profile_point(panel, 20.0)
    drag(panel.canvas, start, end, button=Qt.MouseButton.MiddleButton)
    rows, columns = panel.model.state.shown_map
    moved = (rows.first, columns.first, panel.model.state.shown_offsets.first)
    assert moved == pytest.approx((20.0, 30.0, -60.0) if is_profile else (15.0, 20.0, -40.0), abs=1.0)


def test_the_measure_is_one_of_the_state(panel: SimilarityPanel) -> None:
    buttons = {button.text(): button for button in panel.header_widgets()[-1].findChildren(QToolButton)}
    QTest.mouseClick(buttons["Dist"], LEFT)
    assert (panel.model.state.views.similarity.measure, panel.subtitle) == (
        "distance", "distance of every two positions",
    )  # fmt: skip
    assert panel.readout().startswith("distance of 37 and 45\t")
    panel.model.undo()
    assert buttons["Dot"].isChecked()


def test_a_drag_draws_the_moving_marks_and_what_is_told_of_the_offset(panel: SimilarityPanel) -> None:
    canvas, heat_map = panel.canvas, panel.canvas.raster.heat_map
    for step in range(10):
        panel.model.move_cursor(position=40.0 + step, offset=20.0)
        canvas.repaint()
        if not step:
            before = heat_map.n_pictures, heat_map.n_values_evaluated, canvas.n_pictures_under, canvas.n_frames
            n_still = canvas.n_still_pictures
    assert canvas.n_still_pictures == n_still
    for step in range(10):
        panel.model.move_cursor(position=40.0 + step, offset=20.0 - step)
        canvas.repaint()
    assert (heat_map.n_pictures, heat_map.n_values_evaluated, canvas.n_pictures_under) == before[:3]
    assert canvas.n_frames >= before[3] + 19


def test_a_long_profile_is_told_stopped_and_gone_on_with(
    panel: SimilarityPanel, monkeypatch: pytest.MonkeyPatch, qtbot
) -> None:
    may_end = threading.Event()

    def slow_profile(encoding, measure, count, progress, is_cancelled):
        while not may_end.wait(0.002):
            progress(count // 4, count)
            if is_cancelled():
                return None
        return np.ones(count)

    panel.model.set(d_model=2048, n_positions=8192)
    monkeypatch.setattr(profile, "profile", slow_profile)
    panel.model.set(**{"similarity.measure": "cosine"})
    assert panel.model.findings.is_busy(panel.key)
    row, area = panel.progress, panel.layout_now().profile
    qtbot.waitUntil(lambda: row.isVisible() and row.words == "8\u2009192 offsets, 25 %")
    assert area.holds(*row.geometry().center().toTuple())
    QTest.mouseClick(row.button, LEFT)
    assert (row.words, row.button.text()) == ("8\u2009192 offsets: stopped", "Compute")
    size = panel.size()
    panel.resize(370, 250)
    area = panel.layout_now().profile
    assert (row.words, row.button.toolTip()) == ("stopped", "8\u2009192 offsets: stopped")
    assert area.x <= row.x() < row.geometry().right() <= area.right
    panel.resize(size)
    assert row.words == "8\u2009192 offsets: stopped"
    may_end.set()
    QTest.mouseClick(row.button, LEFT)
    (question,) = profile_questions(panel.model.state)
    qtbot.waitUntil(lambda: panel.model.findings.is_known(question))
    assert panel.model.findings.answer(question).lags.tolist() == [1.0] * 8192
    assert row.isHidden()


def test_the_range_of_the_colours_is_typed_into_the_card_that_the_bar_opens(panel):
    bar = panel.layout_now().bar
    QTest.mouseClick(panel.canvas, LEFT, pos=QPointF(bar.x + 4, bar.y + 10).toPoint())
    field = panel.colors.fields["similarity.range"]
    assert panel.colors.isVisible()
    QTest.keyClicks(field.field, "4..12")
    QTest.keyClick(field.field, Qt.Key.Key_Return)
    assert panel.model.state.views.similarity.range == Span(4.0, 12.0)
    assert panel.compose(panel.canvas.box()).heat.field.limits == (4.0, 12.0)
    field.field.selectAll()
    QTest.keyClicks(field.field, "12..4")
    QTest.keyClick(field.field, Qt.Key.Key_Return)
    assert field.field.is_refused
    assert panel.colors.refusal.sentence == "Range of values must end at least 0.001 after it begins: 12..4 does not"
    assert panel.model.state.views.similarity.range == Span(4.0, 12.0)
    seen = next(button for button in field.findChildren(QToolButton) if button.text() == "Seen")
    QTest.mouseClick(seen, LEFT)
    assert panel.model.state.views.similarity.range == "seen"
    assert (field.field.text(), field.field.is_refused, panel.colors.refusal.sentence) == ("", False, "")
    panel.colors.hide()
