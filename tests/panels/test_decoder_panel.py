"""The Decoder panel without a window: hands turned one by one, a pasted vector, presses on tables and curve."""

import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.state import value_of
from pe_desktop.draw.plot import Axis
from pe_desktop.panels.decoder_panel import DecoderPanel
from pe_desktop.views.decoder.reading import HANDS, dial_of
from pe_desktop.views.decoder.scene import CURVE, PRODUCTS
from tests.panels.conftest import LEFT, SHIFT, area_of, drag, middle, texts, wheel


@pytest.fixture
def panel(open_panel):
    return open_panel(DecoderPanel, 800, 760)


def vector(panel: DecoderPanel) -> np.ndarray:
    return np.array(value_of(panel.model.state, "decoder.vector"))


def tip(panel, hand: int, turn: float = 0.0) -> QPoint:
    """Where a hand of p_t ends, or would after a turn."""
    dial, pairs = dial_of(area_of(panel, HANDS)), panel.model.encoding.pairs
    angles = pairs.angles([panel.model.cursor.position])[0] + turn
    return QPointF(*dial.tips(angles, dial.ring_radii(len(angles)))[hand].tolist()).toPoint()


def words(panel: DecoderPanel) -> str:
    return " ".join(texts(panel))


def test_dragging_a_hand_turns_it_alone_and_is_one_step_of_undo(panel: DecoderPanel) -> None:
    before = panel.model.encoding.values(37)[0]
    places = [tip(panel, 1, turn) for turn in (0.0, 0.2, 0.4, 0.6)]
    drag(panel.canvas, *places)
    after = vector(panel)
    assert np.array_equal(np.delete(after, [2, 3]), np.delete(before, [2, 3]))
    turned = math.remainder(math.atan2(after[2], after[3]) - math.atan2(before[2], before[3]), math.tau)
    assert turned == pytest.approx(0.6, abs=0.02)
    assert np.hypot(after[2], after[3]) == pytest.approx(1.0)
    assert (panel.model.cursor.pair, panel.model.cursor.position) == (1, 37.0)
    panel.model.undo()
    assert not len(vector(panel))
    assert panel.model.cursor.pair == 4


def test_keys_turn_the_chosen_hand_and_zero_or_a_double_click_on_the_dial_reads_t_again(panel: DecoderPanel) -> None:
    before = panel.model.encoding.values(37)[0]
    panel.canvas.setFocus()
    QTest.keyClick(panel.canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(panel.canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier | SHIFT)
    after = vector(panel)
    turned = math.remainder(math.atan2(after[8], after[9]) - math.atan2(before[8], before[9]), math.tau)
    assert math.degrees(turned) == pytest.approx(5.5)
    assert np.array_equal(np.delete(after, [8, 9]), np.delete(before, [8, 9]))
    QTest.keyClick(panel.canvas, Qt.Key.Key_0)
    assert not len(vector(panel))
    # Where Tab came to another hand, that one.
    ringed = next(place for place in panel.canvas.places() if place.changes(*place.area.middle).get("pair") == 5)
    panel.canvas.mark(ringed.name)
    QTest.keyClick(panel.canvas, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert [*np.flatnonzero(vector(panel) != before)] == [10, 11]
    assert panel.canvas.marked is not None
    QTest.keyClick(panel.canvas, Qt.Key.Key_0)
    panel.model.set(**{"decoder.vector": (1.0,) * 32})
    at = middle(panel, HANDS)
    QTest.mouseMove(panel.canvas, at)
    QTest.mouseDClick(panel.canvas, LEFT, pos=at)
    assert not len(vector(panel))


@pytest.mark.parametrize("printed", ["{}", "tensor([[{}]], dtype=torch.float64)", "array([{}])\n"])
def test_a_pasted_vector_is_read_and_the_button_brings_t_back(panel: DecoderPanel, printed: str) -> None:
    numbers = panel.model.encoding.values(90)[0].tolist()
    QApplication.clipboard().setText(printed.format(", ".join(map(repr, numbers))))
    QTest.mouseClick(panel.widgets["Paste vector"], LEFT)
    assert vector(panel).tolist() == numbers
    assert "All 16 hands read t = 90" in words(panel)
    assert panel.model.cursor.position == 37
    QTest.mouseClick(panel.widgets["Read t"], LEFT)
    assert "All 16 hands read t = 37" in words(panel)
    assert not panel.widgets["Read t"].isEnabled()


@pytest.mark.parametrize(
    ("text", "sentence", "change"),
    [
        ("1 2 3", "The vector must have 32 numbers, one for each dimension: 3 were given", {"position": "3"}),
        ("", "The clipboard has no numbers", {"d_model": 16}),
        (" ".join(["1"] * 5000), "The vector has 5000 numbers, more than the 4096", {"decoder.reads": "pinned"}),
    ],
)
def test_what_is_no_vector_is_refused_in_one_sentence_until_something_else_is_read_and_changes_nothing(
    panel: DecoderPanel, text: str, sentence: str, change: dict[str, object]
) -> None:
    QApplication.clipboard().setText(text)
    panel.canvas.setFocus()
    QTest.keyClick(panel.canvas, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert panel.refusal.sentence.replace("-", "−").startswith(sentence)
    assert not len(vector(panel))
    assert panel.model.undo_names == ()
    panel.model.set(**change)
    assert panel.refusal.sentence == ""


def test_hands_of_a_wider_table_than_can_be_set_stay_and_a_sentence_says_so(open_panel) -> None:
    panel = open_panel(DecoderPanel, 800, 760, d_model=4098, n_positions=16)
    panel.canvas.setFocus()
    QTest.keyClick(panel.canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert not len(vector(panel))
    assert "more than the 4096 that can be given" in panel.refusal.sentence


def test_a_row_chooses_how_many_hands_are_read_the_curve_t_and_the_wheel_zooms_it(panel: DecoderPanel) -> None:
    row = area_of(panel, "read 1")
    QTest.mouseClick(panel.canvas, LEFT, pos=QPoint(int(row.x) + 8, int(row.middle[1])))
    assert panel.model.state.views.decoder.n_hands == 1
    assert "The first hand alone reads t = 37" in words(panel)
    # A press in the lower curve asks whether n is so many before m.
    panel.model.set(position="40", offset="-3")
    plot = area_of(panel, PRODUCTS)
    for places, word in ((4, "No"), (3, "Yes")):
        # j runs from 40 - 127 to 40.
        at = QPointF(plot.x + plot.width * (places + 87) / 127, plot.middle[1])
        QTest.mouseClick(panel.canvas, LEFT, pos=at.toPoint())
        assert panel.model.state.views.decoder.places == places
        assert f"Is n {places} before m? {word}" in words(panel)
    curve, span = area_of(panel, CURVE), panel.model.span
    at = QPointF(Axis(curve, span.first, span.last).place(100.0), curve.y + 30.0)
    QTest.mouseClick(panel.canvas, LEFT, pos=at.toPoint())
    assert panel.model.cursor.position == 100
    wheel(panel.canvas, at)
    assert panel.model.span.width == pytest.approx(128 / 1.25)
    QTest.mouseMove(panel.canvas, at.toPoint())
    QTest.mouseDClick(panel.canvas, LEFT, pos=at.toPoint())
    assert panel.model.state.span is None


def test_a_long_table_is_compared_in_the_thread_and_can_be_cancelled(open_panel, qtbot) -> None:
    panel = open_panel(DecoderPanel, 800, 760, n_positions=300_000)
    assert "Which t do these hands say?" in words(panel)
    qtbot.waitUntil(lambda: not panel.model.findings.is_busy(panel.key))
    assert "All 16 hands read t = 37" in words(panel)
    panel.model.set(n_positions="10000000")
    panel.model.findings.set_stopped(panel.questions(), is_stopped=True)
    assert all(map(panel.model.findings.is_stopped, panel.questions()))
    assert panel.progress.words.text().endswith("stopped")
