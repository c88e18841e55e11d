"""The progress row: silent for what is soon known, a share and Cancel for the rest, Compute after that."""

import threading

import pytest
from PySide6.QtCore import Qt

from pe_desktop.model.findings import Findings, Question
from pe_desktop.panels.controls.progress_row import ProgressRow


class Held:
    """A function that reports a quarter and waits until it is let go or cancelled."""

    def __init__(self) -> None:
        self.may_end = threading.Event()

    def __call__(self, task) -> str | None:
        while not self.may_end.wait(0.01):
            if task():
                return None
            task.report(1, 4)
        return "answer"


@pytest.fixture
def findings(qapp):
    findings = Findings()
    yield findings
    findings.close()


@pytest.fixture
def row(findings, qtbot):
    row = ProgressRow(findings)
    qtbot.addWidget(row)
    return row


def follow(row: ProgressRow, findings: Findings, *questions: Question) -> None:
    findings.ask("view", questions)
    row.follow("view", questions)


def test_a_long_computation_is_told_stopped_and_gone_on_with(row, findings, qtbot) -> None:
    held = Held()
    question = Question("profile", held, (), title="Profile")
    follow(row, findings, question)
    assert row.isHidden()
    qtbot.waitUntil(lambda: row.words == "Profile, 25 %")
    assert (row.isVisible(), row.button.text()) == (True, "Cancel")
    qtbot.mouseClick(row.button, Qt.MouseButton.LeftButton)
    assert (row.isVisible(), row.words, row.button.text()) == (True, "Profile: stopped", "Compute")
    assert not findings.is_busy("view")
    held.may_end.set()
    qtbot.mouseClick(row.button, Qt.MouseButton.LeftButton)
    assert row.isHidden()
    qtbot.waitUntil(lambda: findings.is_known(question))
    assert row.isHidden()


def test_the_share_is_that_of_all_questions(row, findings, qtbot) -> None:
    held = Held()
    follow(row, findings, Question("one", lambda _: 1, (), title="Measuring"), Question("two", held, ()))
    qtbot.waitUntil(lambda: row.words == "Measuring, 62 %")


def test_what_is_soon_known_is_not_told(row, findings, qtbot) -> None:
    question = Question("one", lambda _: 1, (), title="Measuring")
    follow(row, findings, question)
    qtbot.waitUntil(lambda: findings.is_known(question))
    qtbot.wait(250)
    assert (row.isHidden(), row.words) == (True, "")


def test_following_something_else_begins_in_silence(row, findings, qtbot) -> None:
    follow(row, findings, Question("one", Held(), (), title="One"))
    qtbot.waitUntil(row.isVisible)
    follow(row, findings, Question("one", Held(), (), title="Other"))
    assert row.isHidden()
    qtbot.waitUntil(lambda: row.words == "Other, 25 %")
