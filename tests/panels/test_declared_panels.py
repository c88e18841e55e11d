"""Panels whose controls are declared, and the small controls that know no model."""

import math
import threading

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import value_of
from pe_desktop.draw import marks
from pe_desktop.draw.chart import Chart
from pe_desktop.draw.flow import all_blocks
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import formula_runs
from pe_desktop.model.findings import Findings, Question
from pe_desktop.panels import panel_class
from pe_desktop.panels.controls.buttons import Segments, Switch
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.controls.progress_row import ProgressRow
from pe_desktop.panels.controls.value_edit import ValueEdit
from pe_desktop.views.compare.measured import page_in
from pe_desktop.views.controls import Choice, Flag
from pe_desktop.views.derivations.pictures import End
from pe_desktop.views.table import VIEWS
from tests.panels.conftest import LEFT, NO_KEY, SHIFT, area_of, drag, middle, place_of, press, texts
from tests.panels.test_clock_panel import around
from tests.pictures import of_kind


@pytest.mark.parametrize("key", [key for key in VIEWS if key != "encoding"])
def test_each_declared_choice_and_switch_sets_its_name(open_panel, key):
    panel = open_panel(panel_class(key))
    for control in panel.controls:
        widget = panel.control_set.widgets[control.key]
        if isinstance(control, Choice):
            buttons = widget.findChild(Segments) or widget
            others = widget.findChild(ChoiceBox) or widget
            for place, value in enumerate(control.words):
                (others if place >= control.n_buttons else buttons).chosen.emit(value)
                assert value_of(panel.model.state, control.name) == value
        elif isinstance(control, Flag):
            for _ in range(2):
                before = value_of(panel.model.state, control.name)
                widget.click()
                assert value_of(panel.model.state, control.name) is not before


@pytest.fixture
def code(open_panel):
    return open_panel(panel_class("code"), 760, 700)


def test_libraries_are_offered_where_they_act_and_copy_asks_for_the_program(code):
    for page, is_shown in (("repl", False), ("forward", False), ("now", True)):
        code.model.set(**{"code.page": page})
        assert code.widgets["code.library"].isVisible() == is_shown
    asked: list[str] = []
    code.asked.connect(asked.append)
    code.widgets["Copy"].click()
    assert asked == ["copy_readout"]
    assert code.readout().startswith("# encoding: kind=sinusoidal")


def moving_texts(panel) -> list[marks.Text]:
    """The texts that are drawn in each frame."""
    panel.canvas.repaint()
    return of_kind(panel.canvas.scene().moving, marks.Text)


def ringed(panel) -> str:
    """The step that the ring of the focus is around."""
    return str(panel.canvas.marked.name.partition(":")[0])


def test_keys_and_presses_choose_a_step_beside_chapters_and_picture_and_another_page_starts_at_its_top(open_panel):
    panel = open_panel(panel_class("derivations"), 900, 560)
    names, bar = ("Log space", "Pair 4 turns by 45.8°"), panel.page_area.verticalScrollBar()
    tops = [area_of(panel, name).y for name in names]
    *_, last = (place.name for place in panel.canvas.places() if place.name.startswith("step "))
    QTest.mouseClick(panel.canvas, LEFT, pos=middle(panel, last))
    for key, step in ((Qt.Key.Key_Up, 7), (Qt.Key.Key_Down, 8), (Qt.Key.Key_Down, 8)):
        QTest.keyClick(panel.canvas, key)
        QApplication.processEvents()
        assert panel.model.state.views.derivations.step == step
        assert ringed(panel) == f"step {step}"
    top = bar.value()
    # Where it comes back, too, whatever Qt has made of the bar meanwhile.
    panel.hide()
    bar.setValue(0)
    panel.show()
    QApplication.processEvents()
    assert bar.value() == top > 50
    assert [area_of(panel, name).y - bar.value() for name in names] == pytest.approx(tops, abs=1)
    # Tab comes to the chosen step alone, and the ring stays on it whatever chooses.
    stops = panel.canvas.pointer.buttons(panel.canvas.places())
    assert [stop.name for stop in stops if stop.name.startswith("step ")] == [last]
    panel.model.set(**{"derivations.step": 2})
    QApplication.processEvents()
    assert ringed(panel) == "step 2"
    panel.model.set(**{"derivations.page": "system"})
    assert bar.value() == 0


def turn(panel, hand: str, angle: float, keys=NO_KEY) -> None:
    """Drag the end of a hand of the picture around its dial."""
    place = place_of(panel, f"hand {hand}")
    assert isinstance(place.sets, End)
    dial, (x, y) = place.sets.dial, place.area.middle
    start, reach = dial.angle_at(x, y), math.hypot(x - dial.x, y - dial.y)
    drag(panel.canvas, *around(dial.x, dial.y, reach, start, start + angle), keys=keys)
    assert not panel.model.is_held


# A step of a chapter, the hands of its picture that move t and k.
@pytest.mark.parametrize(
    ("page", "step", "hands"),
    [
        ("block", 1, ("t", "t + k")), ("block", 2, ("t", "t + k")), ("entries", 1, (None, "k")),
        ("relative", 1, ("x", "y")), ("distance", 1, ("t", "t + k")), ("length", 1, ("t", None)),
    ],
)  # fmt: skip
def test_ends_of_hands_of_a_derivation_are_dragged_and_moved_by_keys(open_panel, page, step, hands):
    panel = open_panel(panel_class("derivations"), 900, 1100, derivations__page=page, derivations__step=step)
    model, names = panel.model, [f"hand {hand}" for hand in hands if hand]
    assert [place.name for place in panel.canvas.places() if place.name.startswith("hand ")] == names
    stops = panel.canvas.pointer.buttons(panel.canvas.places())
    assert [stop.name for stop in stops if stop.name.startswith("hand ")] == names
    # Pair 4 of d = 32 turns by 0.1 radians a position.
    moved_t, moved_k = (42.0, 8.0), (37.0, 13.0)
    for hand, moved, by_key in zip(hands, (moved_t, moved_k), ((36.0, 8.0), (37.0, 7.0)), strict=True):
        for keys, wanted in ((NO_KEY, moved), (SHIFT, moved_k)) if hand else ():
            model.move_cursor(position=37.0, offset=8.0, pair=4)
            turn(panel, hand, 0.5, keys)
            assert (model.cursor.position, model.cursor.offset) == wanted
        if hand:
            model.move_cursor(position=37.0, offset=8.0)
            panel.canvas.mark(f"hand {hand}")
            for key in (Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Right):
                QTest.keyClick(panel.canvas, key)
            assert (model.cursor.position, model.cursor.offset) == by_key


def test_the_end_of_an_uneven_hand_follows_the_pointer_and_a_picture_without_hands_has_no_ends(open_panel):
    uneven = {"kind": "position-map", "position": 20, "pair": 8, "derivations__page": "distance"}
    panel = open_panel(panel_class("derivations"), 900, 900, **uneven)
    turn(panel, "t", 0.4)
    # 0.4 radians are 40 / (2 * 20) positions and a little less, for it turns faster and faster.
    assert panel.model.cursor.position == 21.0
    panel.model.set(kind="random")
    panel.canvas.repaint()
    assert not [place for place in panel.canvas.places() if place.name.startswith("hand ")]


def test_a_cell_of_compare_shows_its_number_under_the_pointer_and_a_press_reads_it(open_settled):
    panel = open_settled(panel_class("compare"), 1200, 800, n_positions=128)
    # Distances by plain differences of rows: of linear spacing, and of its neighbours.
    rows = SinusoidalEncoding(128, 32, spacing="linear").values([0, 1, 94])
    step, nearest = np.linalg.norm(rows[1:] - rows[0], axis=1)
    assert (f"{step:.4g}", f"{nearest:.4g}") == ("2.286", "0.5711")
    name = "Far stays far in row 2"
    cell, still = area_of(panel, name), panel.canvas.scene().still
    assert "0.5711" not in texts(panel)
    QTest.mouseMove(panel.canvas, middle(panel, name))
    _note, shown = moving_texts(panel)
    assert shown.text == "0.5711"
    assert cell.holds(shown.x, shown.y)
    assert panel.canvas.scene().still == still
    # It goes with the pointer, and the row that is read has its numbers already.
    QTest.mouseMove(panel.canvas, middle(panel, "Unique in row 1"))
    assert [mark.text for mark in moving_texts(panel)] == ["smallest distance: 1.172"]
    QTest.mouseClick(panel.canvas, LEFT, pos=middle(panel, name))
    assert {"0.5711", "one step away"} <= {*texts(panel)}
    page = page_in(panel.model.state, panel.model.findings, panel.canvas.box())
    [chart] = [block for block in all_blocks(page) if isinstance(block, Chart)]
    [level] = [curve for curve in chart.curves if curve.name == "one step away"]
    assert level.y.tolist() == pytest.approx([step, step], rel=1e-12)
    view = panel.model.state.views.compare
    assert (view.row, view.check) == (2, "far")


@pytest.mark.parametrize(
    ("key", "name", "value"), [("rotary", "rotary.page", "decay"), ("attention", "sentence", "the quick brown fox")]
)
def test_another_page_or_sentence_begins_at_its_top(open_panel, key, name, value):
    panel = open_panel(panel_class(key), 560, 200)
    bar = panel.page_area.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 50
    panel.model.set(**{name: value})
    assert bar.value() == 0


def test_the_table_of_compare_scrolls_down_to_the_smallest_width_and_takes_what_height_there_is_below(open_panel):
    panel = open_panel(panel_class("compare"), 1, 1)
    area = panel.page_area
    seen = area.viewport().size()
    assert panel.canvas.height() == seen.height() + area.verticalScrollBar().maximum() > seen.height()
    # Below that the columns are scrolled, too.
    assert panel.canvas.width() == seen.width() + area.horizontalScrollBar().maximum() > seen.width()


def test_algebra_of_rotation_answers_in_place_what_is_no_number_and_is_offered_where_there_is_one(open_panel):
    panel = open_panel(panel_class("rotation"), rotation__page="algebra")
    field = panel.widgets["rotation.second_shift"]
    field.submitted.emit("many")
    assert "many" in panel.refusal.sentence
    assert field.is_refused
    field.submitted.emit("-4")
    assert "M_−4 M_8 = M_4" in panel.readout()
    assert panel.model.state.views.rotation.second_shift == -4.0
    # Formulas are not offered where there is no rotation, and come back with it.
    panel.model.set(kind="position-map")
    _, formulas = panel.header_widgets()[0].findChildren(QToolButton)
    assert (formulas.text(), formulas.isEnabled()) == ("Algebra", False)
    panel.model.set(preset="paper")
    assert formulas.isEnabled()
    assert formulas.isChecked()


def test_segments_of_precision_choose_format_and_page_and_a_drag_moves_t_or_the_pair(open_settled) -> None:
    precision = open_settled(panel_class("precision"), 800, 1000, n_positions=512)
    precision.model.set(position_ids="bfloat16")
    press(precision, "float16")
    shown = precision.model.state.precision
    assert (shown.dtype, shown.position_ids) == ("float16", "float64")
    assert precision.widgets["dtype"].accessible_value() == "float16"
    assert precision.subtitle == "float16, compared with float64"
    start = middle(precision, "error by position")
    drag(precision.canvas, start, start + QPointF(60, 0).toPoint())
    assert precision.model.cursor.position > 30
    before = precision.model.state
    row = middle(precision, "bfloat16")
    QTest.mouseMove(precision.canvas, row)
    assert precision.model.state == before
    assert precision.canvas.cursor().shape() == Qt.CursorShape.PointingHandCursor
    press(precision, "Forms")
    assert precision.model.state.views.precision.page == "forms"
    start = middle(precision, "error by pair")
    drag(precision.canvas, start, start + QPointF(100, 0).toPoint())
    assert precision.model.cursor.pair > 8
    QTest.mouseClick(precision.canvas, LEFT, pos=middle(precision, "by a power"))
    assert precision.model.state.precision.form == "power"


class Held:
    """A function that reports quarters, one at first, and waits until it is let go or cancelled."""

    def __init__(self) -> None:
        self.may_end = threading.Event()
        self.n_quarters = 1

    def __call__(self, task) -> str | None:
        while not self.may_end.wait(0.01):
            if task():
                return None
            task.report(self.n_quarters, 4)
        return "answer"


class Asker:
    """What a panel does with a row: follows its questions with it, again whenever there is news."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.findings = Findings()
        self.row = ProgressRow(self.findings, parent)
        self.area = None if parent is None else Area(0.0, 0.0, 400.0, 300.0)
        self.questions: tuple[Question, ...] = ()
        self.findings.changed.connect(self.refresh)

    def refresh(self) -> None:
        self.row.follow(self.questions, area=self.area)

    def ask(self, *questions: Question) -> ProgressRow:
        self.questions = questions
        self.findings.ask("view", questions)
        self.refresh()
        return self.row


@pytest.fixture
def asker(qtbot):
    asker = Asker()
    qtbot.addWidget(asker.row)
    yield asker
    asker.findings.close()


def test_a_value_with_more_decimals_than_there_is_room_for_is_smaller(qtbot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    edit = ValueEdit("Position", "t", "", parent)
    edit.reserve("43\u2009200.9", 20)
    pixels = []
    for text in ("43\u2009199", "41\u2009025.12", "41\u2009025.1234"):
        edit.show_value(text, text)
        [shown] = [mark for mark in edit.begin_frame().moving if isinstance(mark, marks.FormulaText)]
        assert shown.x + formula_runs(shown.formula, shown.pixels)[1] <= edit.width()
        pixels.append(shown.pixels)
    assert pixels[0] == 20 > pixels[1] > pixels[2] > 12


def test_what_is_soon_known_is_not_told_and_what_follows_begins_in_silence_with_the_share_of_all(asker, qtbot) -> None:
    question = Question("one", lambda _: 1, (), title="Measuring")
    row = asker.ask(question)
    qtbot.waitUntil(lambda: asker.findings.is_known(question))
    qtbot.wait(250)
    assert (row.isHidden(), row.words.text()) == (True, "")
    row = asker.ask(Question("one", Held(), (), title="One"))
    qtbot.waitUntil(row.isVisible)
    asker.ask(Question("one", lambda _: 1, (), title="Measuring"), Question("two", Held(), ()))
    assert row.isHidden()
    qtbot.waitUntil(lambda: row.words.text() == "Measuring, 62 %")


class Counted(QWidget):
    """What lies under the row, and how often it was painted."""

    n_frames = 0

    def paintEvent(self, _event) -> None:
        self.n_frames += 1


def test_the_row_has_a_ground_and_another_share_paints_nothing_under_it_anew(qtbot) -> None:
    window, held = QWidget(), Held()
    qtbot.addWidget(window)
    window.setStyleSheet('*[role="panel"] { background: #123456; }')
    window.resize(400, 300)
    under, asker = Counted(window), Asker(window)
    under.resize(window.size())
    row = asker.ask(Question("one", held, (), title="Profile"))
    window.show()
    qtbot.waitUntil(lambda: row.words.text() == "Profile, 25 %")
    qtbot.wait(50)
    before = under.n_frames
    assert before
    held.n_quarters = 2
    qtbot.waitUntil(lambda: row.words.text() == "Profile, 50 %")
    qtbot.wait(50)
    assert under.n_frames == before
    assert window.grab().toImage().pixelColor(row.x() + 1, row.y() + 1).name() == "#123456"
    asker.findings.close()


@pytest.mark.parametrize("is_enabled", [True, False])
def test_the_knob_is_seen_on_its_side(qapp: QApplication, qtbot, theme: Theme, is_enabled: bool) -> None:
    switch = Switch("Cursors", "")
    qtbot.addWidget(switch)
    switch.show_theme(theme)
    switch.setEnabled(is_enabled)
    for is_on in (False, True):
        switch.setChecked(is_on)
        image = switch.grab().toImage()
        left, right = (image.pixelColor(x, switch.height() // 2) for x in (11, 23))
        knob, track = (right, left) if is_on else (left, right)
        assert abs(knob.lightness() - track.lightness()) > 25
