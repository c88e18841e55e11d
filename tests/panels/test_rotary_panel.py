"""The Rotary panel without a window: what mouse, keys, buttons and fields change."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from pe_desktop.panels.rotary_panel import RotaryPanel
from tests.panels.conftest import LEFT, drag, wheel


@pytest.fixture
def panel(open_panel):
    return open_panel(RotaryPanel, 842, 780)


def bar_point(panel: RotaryPanel, pair: int) -> QPoint:
    area = panel.layout_now().terms
    return QPointF(area.x + (pair + 0.5) * area.width / 16, area.middle[1]).toPoint()


def curve_point(panel: RotaryPanel, offset: float) -> QPoint:
    layout = panel.layout_now()
    return QPointF(layout.offset_axis.place(offset), layout.profile.y + 10).toPoint()


def map_point(panel: RotaryPanel, row: float, column: float) -> QPoint:
    layout = panel.layout_now()
    return QPointF(layout.column_axis.place(column), layout.row_axis.place(row)).toPoint()


def button(panel: RotaryPanel, text: str) -> QToolButton:
    return next(one for one in panel.findChildren(QToolButton) if one.text() == text)


def test_a_press_on_a_bar_chooses_its_pair(panel: RotaryPanel) -> None:
    QTest.mouseClick(panel.canvas, LEFT, pos=bar_point(panel, 9))
    assert panel.model.cursor.pair == 9


def test_a_drag_in_the_curve_moves_k_and_is_one_step_of_undo(panel: RotaryPanel) -> None:
    drag(panel.canvas, curve_point(panel, 8), curve_point(panel, -20), curve_point(panel, -40))
    assert panel.model.cursor.offset == pytest.approx(-40, abs=1)
    assert panel.model.cursor.position == 37
    panel.model.undo()
    assert panel.model.cursor.offset == 8


def test_a_press_in_the_map_chooses_t_and_k(panel: RotaryPanel) -> None:
    QTest.mouseClick(panel.canvas, LEFT, pos=map_point(panel, 64, 32))
    cursor = panel.model.cursor
    assert (cursor.position, cursor.position + cursor.offset) == pytest.approx((64, 32), abs=1)


def test_the_wheel_zooms_map_and_curve_and_a_double_click_shows_all(panel: RotaryPanel) -> None:
    wheel(panel.canvas, QPointF(map_point(panel, 64, 64)))
    wheel(panel.canvas, QPointF(curve_point(panel, 8)), 2)
    layout = panel.layout_now()
    assert (layout.rows.width, layout.columns.width) == pytest.approx((128 / 1.25,) * 2)
    assert layout.offsets.width == pytest.approx(254 / 1.25**2)
    QTest.mouseDClick(panel.canvas, LEFT, pos=map_point(panel, 64, 64))
    seen = panel.model.state.views.rotary
    assert (seen.rows, seen.columns, seen.offsets) == (None, None, None)


def test_h_exchanges_the_two_right_pairings_and_never_reaches_the_mixed_one(panel: RotaryPanel) -> None:
    found = []
    for _ in range(4):
        QTest.keyClick(panel.canvas, Qt.Key.Key_H)
        found.append(panel.model.state.attention.pairing)
    assert found == ["half-split", "interleaved"] * 2
    QTest.mouseClick(button(panel, "Mixed up"), LEFT)
    assert panel.model.state.attention.pairing == "mixed"


def test_zero_brings_the_seeded_vectors_back(panel: RotaryPanel) -> None:
    panel.model.set(**{"rotary.query": (1.0,) * 32})
    QTest.keyClick(panel.canvas, Qt.Key.Key_0)
    assert panel.model.state.views.rotary.query == ()


def test_the_buttons_choose_page_and_scheme(panel: RotaryPanel) -> None:
    QTest.mouseClick(button(panel, "ALiBi"), LEFT)
    assert panel.model.state.views.rotary.scheme == "alibi"
    assert panel.model.state.attention.scheme == "additive"
    QTest.mouseClick(button(panel, "Decay"), LEFT)
    assert panel.model.state.views.rotary.page == "decay"
    assert panel.schemes.isHidden()


def test_a_drag_on_the_page_of_decay_moves_the_distance_and_keeps_the_side(open_panel) -> None:
    panel = open_panel(RotaryPanel, 842, 780, rotary__page="decay", offset=-8)
    QTest.mouseClick(panel.canvas, LEFT, pos=QPoint(400, 150))
    assert panel.model.cursor.offset < -30


def test_components_are_typed_at_two_and_four_dimensions_only(open_panel, panel: RotaryPanel) -> None:
    assert not any(field.isVisible() for fields in panel.fields.values() for field in fields)
    small = open_panel(RotaryPanel, 842, 780, d_model=2)
    query, key = small.fields.values()
    assert [field.isVisible() for field in query] == [True, True, False, False]
    before = float(key[1].text().replace("−", "-"))
    key[0].submitted.emit("2.5")
    assert small.model.state.views.rotary.key == (2.5, pytest.approx(before, abs=1e-4))
    assert key[0].text() == "2.5"
    key[0].submitted.emit("many")
    assert key[0].is_refused
    assert small.refusal.sentence.startswith("Each number of the key must be a number from")
    assert "many is not" in small.refusal.sentence


def test_the_label_of_the_subtitle_says_where_both_stand(panel: RotaryPanel) -> None:
    panel.model.move_cursor(offset=-8.0)
    assert panel.subtitle == "query at t = 37, key at s = 29; seeded, d = 32"
    panel.model.set(**{"rotary.key": (1.0,) * 32})
    assert "given" in panel.subtitle
