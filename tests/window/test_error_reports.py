"""An error that nothing catches is told in one dialog and in the log: small, without the names of folders."""

import json
import os
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from pe_desktop.export.session import read_session
from pe_desktop.model.findings import Question
from pe_desktop.resources import PACKAGE
from pe_desktop.window import error_reports
from pe_desktop.window.application import Instrument
from pe_desktop.window.error_reports import LARGEST_LOG, LOG_NAME, ReportDialog, _log_folders, kept_log, log_path, note
from tests.window.conftest import OpenInstrument


@pytest.fixture
def instrument(open_instrument: OpenInstrument, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Instrument:
    """A window that tells errors, with its settings in tmp_path."""
    monkeypatch.setattr(sys, "__stderr__", None)
    return open_instrument(path=tmp_path / "settings.json")


def dialogs(instrument: Instrument) -> list[ReportDialog]:
    for _ in range(3):
        QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return instrument.window.findChildren(ReportDialog)


def fail() -> None:
    raise ZeroDivisionError("a fault of ours")


def fail_otherwise() -> None:
    raise KeyError("another")


def test_an_error_in_a_slot_is_told_once_with_a_report_and_the_state_is_saved(instrument, tmp_path) -> None:
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


def test_an_error_on_a_thread_and_one_of_a_measurement_are_told(instrument, qtbot) -> None:
    instrument.report_errors()

    def measure(_task: object) -> None:
        raise ArithmeticError("no number")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    instrument.model.findings.ask("test", (Question("test", measure, ()),))
    [dialog] = dialogs(instrument)
    assert "a fault of ours" in dialog.report.toPlainText()
    qtbot.waitUntil(lambda: "ArithmeticError: no number" in dialog.report.toPlainText())


def test_an_error_is_logged_and_the_hooks_are_given_back_at_the_end(open_instrument, tmp_path, monkeypatch) -> None:
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


def test_the_log_goes_to_the_first_folder_that_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with kept_log(iter([tmp_path / "file" / "below", tmp_path / "good"])) as path:
        assert path == log_path() == tmp_path / "good" / LOG_NAME
        # Folders of the installation and of the person are not named.
        note(f'File "{PACKAGE / "window" / "log.py"}", opening {Path.home() / "talk.pesession"}')
        with kept_log(iter([tmp_path / "other"])) as inner:
            assert inner == path
            note("twice")
    once = 'File "pe_desktop/window/log.py", opening ~/talk.pesession'.replace("/", os.sep)
    assert [line.split(" ", 2)[2] for line in path.read_text(encoding="utf-8").splitlines()][1:] == [once, "twice"]
    assert not (tmp_path / "other").exists()
    with kept_log(iter([tmp_path / "file"])) as none:
        assert none is None
        note("nowhere")
    assert log_path() is None


def test_a_log_that_has_grown_is_put_aside_and_never_grows_beyond_two_files(tmp_path: Path) -> None:
    with kept_log(iter([tmp_path])):
        for number in range(3 * LARGEST_LOG // 1000):
            note(f"{number} " + "x" * 1000)
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert sizes.keys() == {LOG_NAME, f"{LOG_NAME}.1"}
    assert all(0 < size <= LARGEST_LOG for size in sizes.values())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_or_a_device_in_the_place_of_the_log_is_left_alone(tmp_path: Path) -> None:
    for name in ("pipe", "device", "good"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "pipe" / LOG_NAME)
    (tmp_path / "device" / LOG_NAME).symlink_to("/dev/zero")
    with kept_log(iter(tmp_path / name for name in ("pipe", "device", "good"))) as path:
        assert path == tmp_path / "good" / LOG_NAME


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_log_that_is_closed_or_lies_on_a_full_disk_ends_no_program(tmp_path: Path) -> None:
    with kept_log(iter([tmp_path])):
        [log] = error_reports._logs
        log.stream.close()
        note("into a closed stream")
        log.stream = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115 - the log closes it
        note("what waits in the buffer until the end")


@pytest.mark.skipif(os.name != "posix", reason="only there a folder has an owner in this sense")
def test_a_link_that_lies_in_wait_among_temporary_folders_is_not_followed(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "none")
    (tmp_path / "theirs").mkdir()
    (tmp_path / f"pe_desktop-{os.getuid()}").symlink_to(tmp_path / "theirs")
    assert list(_log_folders({}, "linux")) == [tmp_path / "none" / ".local" / "state" / "pe_desktop"]


def test_every_system_has_its_own_place_for_the_log(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert next(_log_folders({}, "win32")) == tmp_path / "AppData/Local/pe_desktop"
    assert next(_log_folders({}, "darwin")) == tmp_path / "Library/Logs/pe_desktop"
    assert next(_log_folders({}, "linux")) == tmp_path / ".local/state/pe_desktop"
