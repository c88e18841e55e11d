"""An error that nothing catches is told in one dialog with a report to copy; the state is saved, the window lives."""

import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from pe_desktop.core.state import State
from pe_desktop.export.session import read_session
from pe_desktop.model.findings import Question
from pe_desktop.resources import PACKAGE
from pe_desktop.window.application import Instrument
from pe_desktop.window.error_reports import ReportDialog
from pe_desktop.window.log import kept_log
from pe_desktop.window.settings import Settings
from tests.window.conftest import OpenInstrument, finish


@pytest.fixture
def instrument(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Instrument]:
    """A window that tells errors, with its settings in tmp_path."""
    monkeypatch.setattr(sys, "__stderr__", None)
    made = Instrument(State(), Settings(theme="light"), tmp_path / "settings.json")
    made.window.show()
    yield made
    finish(made)


def dialogs(instrument: Instrument) -> list[ReportDialog]:
    for _ in range(3):
        QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return instrument.window.findChildren(ReportDialog)


def fail() -> None:
    raise ZeroDivisionError("a fault of ours")


def fail_otherwise() -> None:
    raise KeyError("another")


def test_an_error_in_a_slot_is_told_once_with_a_report_and_the_state_is_saved(
    instrument: Instrument, tmp_path: Path
) -> None:
    instrument.report_errors()
    instrument.model.set_parameter("d_model", "64")
    for _ in range(3):
        QTimer.singleShot(0, fail)
        QApplication.processEvents()
    [dialog] = dialogs(instrument)
    dialog.copy.click()
    report = QGuiApplication.clipboard().text()
    assert report.count("ZeroDivisionError: a fault of ours") == 1
    assert "--set d_model=64" in report
    assert str(PACKAGE.parent) not in report
    assert read_session(tmp_path / "after-an-error.pesession").state.encoding.d_model == 64
    assert "after-an-error.pesession" in dialog.words.text()
    QTimer.singleShot(0, fail_otherwise)
    assert dialogs(instrument) == [dialog]
    assert "KeyError: 'another'" in dialog.report.toPlainText()
    dialog.close()
    assert dialogs(instrument) == []
    QTimer.singleShot(0, fail)
    assert dialogs(instrument) == []
    instrument.model.move_cursor(position=3.0)
    assert instrument.window.isVisible()


def test_an_error_on_a_thread_and_one_of_a_measurement_are_told(instrument: Instrument) -> None:
    instrument.report_errors()

    def measure(_task: object) -> None:
        raise ArithmeticError("no number")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    instrument.model.findings.ask("test", (Question("test", measure, ()),))
    deadline = threading.Event()
    QTimer.singleShot(1500, deadline.set)
    while not deadline.is_set() and not any("no number" in d.report.toPlainText() for d in dialogs(instrument)):
        QApplication.processEvents()
    [dialog] = dialogs(instrument)
    assert "a fault of ours" in dialog.report.toPlainText()
    assert "ArithmeticError: no number" in dialog.report.toPlainText()


def test_an_error_is_logged_and_the_hooks_are_given_back_when_the_window_closes(
    open_instrument: OpenInstrument, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "__stderr__", None)
    before = sys.excepthook, threading.excepthook
    made = open_instrument()
    made.report_errors()
    assert sys.excepthook != before[0]
    with kept_log(iter([tmp_path])) as log:
        QTimer.singleShot(0, fail)
        [dialog] = dialogs(made)
    assert log is not None
    assert "ZeroDivisionError: a fault of ours" in log.read_text(encoding="utf-8")
    # Without settings nothing is written.
    assert "saved" not in dialog.words.text()
    assert [path.name for path in tmp_path.iterdir()] == [log.name]
    made.close()
    assert (sys.excepthook, threading.excepthook) == before


def test_system_info_names_versions_and_what_differs_and_no_folder_of_a_person(instrument: Instrument) -> None:
    instrument.live_settings.set(speed=2.0)
    instrument.model.set_parameter("sentence", "i park in my sleep")
    info = instrument.system_info()
    assert "Setting speed = 2.0" in info
    assert "--set sentence=" in info
    assert str(Path.home()) not in info or len(str(Path.home())) < 2
    assert json.dumps(info).isascii()


def test_an_error_while_a_modal_dialog_is_open_is_told_in_a_dialog_that_can_be_used(instrument: Instrument) -> None:
    instrument.report_errors()
    modal = QDialog(instrument.window)
    modal.open()
    QTimer.singleShot(0, fail)
    [dialog] = dialogs(instrument)
    # Qt blocks all windows but those of the modal dialog.
    assert dialog.parentWidget() is modal
    QTest.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    assert "a fault of ours" in QGuiApplication.clipboard().text()
    modal.close()
    modal.deleteLater()
    assert dialogs(instrument) == []
    QTimer.singleShot(0, fail_otherwise)
    [dialog] = dialogs(instrument)
    assert "another" in dialog.report.toPlainText()
