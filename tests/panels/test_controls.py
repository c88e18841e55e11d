"""The switch, and the progress row: silent for what is soon known, a share and Cancel for the rest, then Compute."""

import threading

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from pe_desktop.draw import marks
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import formula_runs
from pe_desktop.model.findings import Findings, Question
from pe_desktop.panels.controls.buttons import Switch
from pe_desktop.panels.controls.progress_row import ProgressRow
from pe_desktop.panels.controls.value_edit import ValueEdit


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
