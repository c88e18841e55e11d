"""The Attention panel without a window: what mouse, keys, fields and buttons do."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from pe_desktop.core.cursor import Preview
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.panels.attention_panel import AttentionPanel
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.views.attention.chips import BESIDE
from pe_desktop.views.attention.scene import chips_of
from tests.panels.conftest import LEFT, SHIFT, area_of, drag, middle, press

ALT, NO_KEY = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def panel(open_panel):
    return open_panel(AttentionPanel, 839, 800, attention__is_open="true", order="", position="4", offset="-3")


def moved_row(panel):
    chips = chips_of(panel.model.state)
    assert chips is not None
    return chips.rows(panel.canvas.width() - BESIDE)[1]


def cell(panel: AttentionPanel, title: str, row: int, column: int) -> QPoint:
    """The middle of a cell of the map as written, or moved."""
    area = area_of(panel, f"weights, {title}")
    count = len(attention(panel).words)
    return QPointF(area.x + (column + 0.5) * area.width / count, area.y + (row + 0.5) * area.height / count).toPoint()


def moved_chip(panel: AttentionPanel, word: int) -> QPoint:
    chip = next(chip for chip in moved_row(panel) if chip.word == word)
    return QPointF(*chip.area.middle).toPoint()


def attention(panel: AttentionPanel):
    return panel.model.state.attention


def test_a_word_that_is_dragged_takes_its_new_place_and_one_undo_puts_it_back(panel: AttentionPanel) -> None:
    steps = len(panel.model.undo_names)
    start, stop = moved_chip(panel, 4), moved_chip(panel, 1) - QPoint(20, 0)
    orders = []
    QTest.mousePress(panel.canvas, LEFT, NO_KEY, start)
    for share in (0.3, 0.6, 1.0):
        QTest.mouseMove(panel.canvas, start + (stop - start) * share)
        orders.append(attention(panel).places)
    assert orders[-1] == (0, 4, 1, 2, 3)
    assert len(set(orders)) > 1
    QTest.mouseRelease(panel.canvas, LEFT, NO_KEY, stop)
    assert attention(panel).places == (0, 4, 1, 2, 3)
    panel.model.undo()
    assert attention(panel).order == ()
    assert len(panel.model.undo_names) == steps


def test_a_press_on_a_word_is_t_with_shift_k_one_on_a_cell_both_and_the_pointer_previews_it(panel) -> None:
    QTest.mouseClick(panel.canvas, LEFT, pos=middle(panel, "written 2: in"))
    QTest.mouseClick(panel.canvas, LEFT, SHIFT, middle(panel, "written 0: I"))
    assert (panel.model.cursor.position, panel.model.cursor.offset) == (2.0, -2.0)
    QTest.mouseClick(panel.canvas, LEFT, pos=cell(panel, "written", 3, 4))
    assert (panel.model.cursor.position, panel.model.cursor.offset) == (3.0, 1.0)
    panel.model.set(order=(0, 4, 2, 3, 1))
    QTest.mouseMove(panel.canvas, cell(panel, "change", 4, 0))
    assert panel.model.preview == Preview(4.0, -4.0)
    QTest.mouseMove(panel.canvas, middle(panel, "written 1: park"))
    assert panel.model.preview == Preview(1.0)
    # Both maps have the words as written: row 4 is "sleep", column 1 is "park".
    QTest.mouseClick(panel.canvas, LEFT, pos=cell(panel, "change", 4, 1))
    assert (panel.model.cursor.position, panel.model.cursor.offset) == (4.0, -3.0)
    # Beyond a short table a press stops at its end and still reads the pressed column.
    panel.model.set(n_positions=2)
    QTest.mouseClick(panel.canvas, LEFT, pos=cell(panel, "written", 4, 3))
    assert (panel.model.cursor.position, panel.model.state.key) == (1.0, 3)


@pytest.mark.parametrize(
    ("scheme", "page"), [("additive", "four-terms"), ("rope", "rotary"), ("alibi", "four-terms"), ("p-rope", "rotary")]
)
def test_a_press_on_the_chosen_cell_a_double_click_or_enter_brings_the_page_of_its_sum_to_the_front(
    panel, scheme: str, page: str
) -> None:
    panel.model.set(scheme=scheme)
    before, at, other = panel.model.state.views.front, cell(panel, "written", 2, 1), cell(panel, "written", 2, 3)
    QTest.mouseClick(panel.canvas, LEFT, pos=at)
    assert panel.model.state.views.front == before
    # A drag that leaves the cell chooses another one.
    drag(panel.canvas, at, other, at)
    assert panel.model.state.views.front == before
    for open_sum in (
        lambda: QTest.mouseClick(panel.canvas, LEFT, pos=at),
        lambda: (QTest.mouseDClick(panel.canvas, LEFT, pos=at), QTest.mouseRelease(panel.canvas, LEFT, NO_KEY, at)),
        lambda: (panel.canvas.setFocus(), QTest.keyClick(panel.canvas, Qt.Key.Key_Return)),
    ):
        open_sum()
        assert panel.model.state.views.front == (page,)
        assert (panel.model.cursor.position, panel.model.cursor.offset) == (2.0, -1.0)
        panel.model.set(front=("attention",))
    # Enter in the field takes the sentence; the score of a trained head is not taken apart.
    QTest.keyClick(panel.field, Qt.Key.Key_Return)
    panel.model.set(**{"attention.back": 2})
    QTest.keyClick(panel.canvas, Qt.Key.Key_Return)
    assert panel.model.state.views.front != (page,)


def test_a_word_that_can_be_dragged_shows_its_grip_under_an_open_hand(panel: AttentionPanel) -> None:
    def grips() -> int:
        panel.canvas.repaint()
        return len([mark for mark in panel.canvas.scene().moving if getattr(mark, "radius", 0) == 1.2])

    shapes = []
    for at in (moved_chip(panel, 1), middle(panel, "written 1: park"), middle(panel, "Shuffle")):
        QTest.mouseMove(panel.canvas, at)
        shapes.append((panel.canvas.cursor().shape(), grips()))
    arrow, hand, leads = Qt.CursorShape.ArrowCursor, Qt.CursorShape.OpenHandCursor, Qt.CursorShape.PointingHandCursor
    assert shapes == [(hand, 1), (arrow, 0), (leads, 0)]


def test_a_press_on_a_mark_of_every_scheme_sets_scheme_and_mask_by_mouse_and_by_keys(panel) -> None:
    panel.model.set(order=(0, 4, 2, 3, 1))
    QTest.mouseClick(panel.canvas, LEFT, pos=middle(panel, "ALiBi, no mask"))
    assert (attention(panel).scheme, attention(panel).causal) == ("alibi", False)
    # The disc lies over the square: a press finds what is seen of it.
    square = area_of(panel, "RoPE, causal")
    QTest.mouseClick(panel.canvas, LEFT, pos=QPointF(square.right - 2.0, square.middle[1]).toPoint())
    assert (attention(panel).scheme, attention(panel).causal) == ("rope", True)
    panel.canvas.setFocus()
    for _ in range(90):
        QTest.keyClick(panel.canvas, Qt.Key.Key_Tab)
        if panel.canvas.marked is None or panel.canvas.marked.name == "T5, no mask":
            break
    QTest.keyClick(panel.canvas, Qt.Key.Key_Return)
    assert (attention(panel).scheme, attention(panel).causal) == ("t5", False)


def test_rows_of_the_table_segments_and_keys_choose_the_scheme(panel: AttentionPanel) -> None:
    panel.model.set(order=(0, 4, 2, 3, 1))
    QTest.mouseClick(panel.canvas, LEFT, pos=middle(panel, "second map: moved"))
    assert panel.model.state.views.attention.map == "moved"
    area_of(panel, "weights, moved")
    QTest.mouseClick(panel.canvas, LEFT, pos=middle(panel, "scheme ALiBi"))
    assert attention(panel).scheme == "alibi"
    schemes = []
    for key in range(Qt.Key.Key_1, Qt.Key.Key_7):
        QTest.keyClick(panel.canvas, Qt.Key(key))
        schemes.append(attention(panel).scheme)
    assert schemes == [*SCHEMES][:6]
    box = panel.findChild(ChoiceBox)
    assert isinstance(box, ChoiceBox)
    for name in [*SCHEMES][6:]:
        box.activated.emit(box.findData(name))
        assert (attention(panel).scheme, box.currentText()) == (name, SCHEMES[name].title)
    press(panel, "RoPE")
    assert attention(panel).scheme == "rope"
    assert panel.positions_off.text() == "RoPE off"


def test_alt_and_an_arrow_move_the_word_at_t_and_m_and_the_switches_turn_mask_and_positions(panel) -> None:
    panel.canvas.setFocus()
    orders, right, left = [], Qt.Key.Key_Right, Qt.Key.Key_Left
    # The word that Tab comes to keeps its ring, and moves on.
    for key in (right, left, left, Qt.Key.Key_Tab, right, right):
        QTest.keyClick(panel.canvas, key, NO_KEY if key == Qt.Key.Key_Tab else ALT)
        panel.canvas.repaint()
        orders.append(attention(panel).order)
    assert orders == [(), (0, 1, 2, 4, 3), (0, 1, 4, 2, 3), (0, 1, 4, 2, 3), (1, 0, 4, 2, 3), (1, 4, 0, 2, 3)]
    assert (panel.canvas.marked.name, panel.model.cursor.position) == ("moved 0: I", 4.0)
    QTest.keyClick(panel.canvas, Qt.Key.Key_L)
    assert attention(panel).causal
    assert panel.causal.isChecked()
    QTest.mouseClick(panel.causal, LEFT)
    QTest.mouseClick(panel.positions_off, LEFT)
    assert (attention(panel).causal, attention(panel).drops_positions) == (False, True)
    panel.model.set(scheme="none", drops_positions=False)
    assert not panel.positions_off.isEnabled()


def test_a_typed_sentence_stands_as_written_and_a_chosen_pair_brings_its_order(panel: AttentionPanel) -> None:
    panel.field.submitted.emit("what  was here")
    assert (attention(panel).sentence, attention(panel).order) == ("what was here", ())
    QTest.mouseClick(panel._chooser, LEFT)
    (menu,) = panel.findChildren(QMenu)
    menu.actions()[1].trigger()
    menu.close()
    assert (attention(panel).sentence, attention(panel).order) == ("dog bites man", (2, 1, 0))
    QTest.mouseClick(panel.canvas, LEFT, pos=middle(panel, "Put back"))
    assert (attention(panel).sentence, attention(panel).order) == ("dog bites man", ())
    panel.model.undo()
    panel.model.undo()
    assert attention(panel).sentence == "what was here"


def test_shuffle_put_back_and_in_an_empty_panel_examples_set_the_order(panel: AttentionPanel) -> None:
    for _ in range(5):
        before = attention(panel).places
        QTest.mouseClick(panel.canvas, LEFT, pos=middle(panel, "Shuffle"))
        assert attention(panel).places != before
    QTest.mouseClick(panel.canvas, LEFT, pos=middle(panel, "Put back"))
    assert attention(panel).order == ()
    panel.model.set(sentence="")
    QTest.mouseClick(panel.canvas, LEFT, pos=middle(panel, "choose: dog bites man"))
    assert (attention(panel).sentence, attention(panel).order) == ("dog bites man", (2, 1, 0))


def test_tooltips_say_what_words_and_schemes_do_and_nothing_where_none_is_seen(panel: AttentionPanel) -> None:
    def told(at: QPoint) -> str:
        x, y = float(at.x()), float(at.y())
        return panel.tooltip_at(panel.canvas.place_at(x, y), x, y)

    row = middle(panel, "scheme T5")
    assert told(moved_chip(panel, 1)).startswith("Drag it")
    assert told(middle(panel, "written 1: park")).startswith("A press")
    assert "seeded here" in told(row)
    panel.model.set(sentence="hello")
    assert told(row) == ""
    QTest.mouseClick(panel.canvas, LEFT, pos=row)
    assert panel.model.state.attention.scheme == "additive"
    panel.model.set(sentence="Donaudampfschifffahrtsgesellschaftskapitän " * 12)
    assert told(moved_chip(panel, 1)).startswith("Donaudampfschifffahrtsgesellschaftskapitän: Drag")


def test_numbers_of_the_head_stand_on_the_card_of_the_menu_and_that_of_the_scheme_beside_it(panel):
    panel.model.set(scheme="alibi")
    panel.open_choices(panel.mapToGlobal(QPoint(400, 40)))
    fields = {**panel.card.widgets, **panel.control_set.fields}
    shown = {name for name, field in fields.items() if not field.isHidden()}
    assert shown == {"first_position", "word_seed", "temperature", "slope", "attention.back"}
    for name, text, value in (("slope", "0.25", 0.25), ("word_seed", "3", 3), ("temperature", "2", 2.0)):
        fields[name].submitted.emit(text)
        assert getattr(attention(panel), name) == value
    for name, refusal in (("temperature", panel.card.refusal), ("slope", panel.control_set.refusal)):
        fields[name].submitted.emit("-1")
        assert fields[name].is_refused
        assert refusal.sentence.lower().startswith(f"{name} must be")
    panel.model.set(scheme="none")
    assert panel.control_set.refusal.sentence == ""
    panel.card.close()


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab])
def test_tab_leaves_the_sentence_and_takes_what_was_typed(panel: AttentionPanel, key: Qt.Key) -> None:
    QTest.mouseClick(panel.field, LEFT)
    QTest.keyClicks(panel.field, "cats see dogs")
    QTest.keyClick(panel.field, key)
    assert not panel.field.hasFocus()
    assert panel.model.state.attention.words == ("cats", "see", "dogs")
