"""Sessions in the window: what was saved is seen again, what can't be opened changes nothing."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget

from pe_desktop.core import Encoding, SinusoidalEncoding, State
from pe_desktop.core.cursor import Cursor, Span, full_span
from pe_desktop.export.session import Session, read_session, write_session
from pe_desktop.window.application import Instrument
from tests.window.acting import LEFT, NO_KEY, trigger
from tests.window.conftest import ended, title

SAVED = Session(State(SinusoidalEncoding(300, 64, 500.0), Cursor(120.5, -4.0, 9, (2, 9)), Span(100.0, 160.0)))


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return write_session(tmp_path / "talk.pesession", SAVED, overwrite=False)


def shown(instrument: Instrument) -> tuple[Encoding, Cursor, Span]:
    model = instrument.model
    return model.encoding, model.cursor, model.span


def choose(monkeypatch: pytest.MonkeyPatch, path: Path | None) -> list[str]:
    """Let every file dialog answer with a path, or with nothing; gives what was proposed to the person."""
    proposals: list[str] = []

    def answer(_parent: QWidget, _title: str, proposal: str, _filter: str) -> tuple[str, str]:
        proposals.append(proposal)
        return ("" if path is None else str(path)), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", answer)
    return proposals


def test_saved_in_one_window_and_opened_in_another(open_instrument, monkeypatch, tmp_path) -> None:
    first = open_instrument(kind="one-wave", d_model=7, position=5.25, span="2..31.5")
    choose(monkeypatch, tmp_path / "talk.pesession")
    trigger(first, "save_session")
    assert first.window.header.message == f"Saved: {tmp_path / 'talk.pesession'}"
    second = open_instrument()
    second.playback.play()
    trigger(second, "open_session")
    assert shown(second) == shown(first)
    assert not second.playback.is_playing
    for instrument in (first, second):
        assert instrument.window.windowTitle() == "talk.pesession[*] – PE Desktop"


def test_a_span_of_all_positions_or_beyond_them_is_all_of_the_opened_table(instrument, monkeypatch, tmp_path) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Discard)
    for number, span in enumerate((None, Span(-1e6, 1e6))):
        path, state = tmp_path / f"{number}.pesession", State(SinusoidalEncoding(40), Cursor(3.0), span)
        write_session(path, Session(state), overwrite=False)
        instrument.model.set(span=Span(3.0, 9.0))
        instrument.sessions.open(str(path))
        assert instrument.model.span == full_span(40)


def test_what_can_not_be_opened_and_a_dialog_that_is_left_change_nothing(instrument, monkeypatch, tmp_path) -> None:
    before, title = shown(instrument), instrument.window.windowTitle()
    choose(monkeypatch, None)
    trigger(instrument, "open_session")
    trigger(instrument, "save_session")
    assert (shown(instrument), instrument.window.windowTitle(), instrument.window.header.message) == (before, title, "")
    for content, reason in (
        ("{", "damaged or not a session"),
        ('{"pe_desktop_session": 7}', "newer version of PE Desktop"),
        ('{"pe_desktop_session": 1, "encoding": 33}', "its encoding is no list of names"),
    ):
        (tmp_path / "bad.pesession").write_text(content)
        instrument.sessions.open(str(tmp_path / "bad.pesession"))
        box = instrument.window.findChildren(QMessageBox)[-1]
        assert reason in box.text()
        assert box.text().endswith("Nothing was changed.")
        assert (box.isVisible(), box.isModal()) == (True, True)
        assert (shown(instrument), instrument.window.windowTitle()) == (before, title)
        box.close()


def test_the_ending_is_added_and_replaces_nothing(instrument, monkeypatch, saved: Path) -> None:
    choose(monkeypatch, saved.with_suffix(""))
    instrument.sessions.ask_to_save()
    [box] = instrument.window.findChildren(QMessageBox)
    assert box.text().endswith("exists already and stays as it is. Nothing was written.")
    assert read_session(saved) == SAVED
    choose(monkeypatch, saved.with_name("other"))
    instrument.sessions.ask_to_save()
    assert read_session(saved.with_name("other.pesession")).state.encoding == instrument.model.encoding
    # Saving again proposes the file, and keeps what is not understood.
    saved.write_text(json.dumps({**json.loads(saved.read_text()), "comment": "for Monday"}))
    proposals = choose(monkeypatch, saved)
    trigger(instrument, "open_session")
    assert instrument.window.header.message == "Opened: talk.pesession. Kept but not understood: comment."
    instrument.model.move_cursor(position=7.0)
    trigger(instrument, "save_session_as")
    assert proposals[1] == str(saved)
    assert (read_session(saved).state.cursor.position, read_session(saved).kept) == (7.0, {"comment": "for Monday"})


def taker_of(window: QWidget, place: QPoint, data: QMimeData) -> QWidget | None:
    """The widget at a place, or the nearest around it, that takes what is dragged there, as Qt looks for it."""
    widget: QWidget | None = window.childAt(place) or window
    while widget is not None:
        event = QDragEnterEvent(QPoint(1, 1), Qt.DropAction.CopyAction, data, LEFT, NO_KEY)
        event.ignore()
        if widget.acceptDrops():
            QApplication.sendEvent(widget, event)
            if event.isAccepted():
                return widget
        widget = None if widget is window else widget.parentWidget()
    return None


def carried(*urls: QUrl) -> QMimeData:
    data = QMimeData()
    data.setUrls(list(urls))
    return data


def drop(window: QWidget, data: QMimeData) -> None:
    arguments = (Qt.DropAction.CopyAction, data, LEFT, NO_KEY)
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(1, 1), *arguments))
    QApplication.sendEvent(window, QDropEvent(QPointF(1, 1), *arguments))
    QApplication.processEvents()


def test_one_file_dropped_on_any_panel_is_opened_and_nothing_else_is_taken(instrument: Instrument, saved: Path) -> None:
    before = shown(instrument)
    for urls in ([], ["https://example.org/talk.pesession"], ["file:///a.pesession", "file:///b.pesession"]):
        data = carried(*map(QUrl, urls))
        assert taker_of(instrument.window, instrument.window.rect().center(), data) is None
        drop(instrument.window, data)
        assert (shown(instrument), instrument.window.header.message) == (before, "")
    window, data = instrument.window, carried(QUrl.fromLocalFile(str(saved)))
    for panel in (window.clock, window.waves, window.matrix, window.parameters, window.transport):
        centre = panel.mapTo(window, panel.rect().center())
        assert taker_of(window, centre, data) is window, panel.key
    drop(window, data)
    assert shown(instrument) == (SAVED.state.encoding, SAVED.state.cursor, SAVED.state.span)


CLICKED = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication, QMessageBox
from pe_desktop.core.state import State
from pe_desktop.window import start

how, file = sys.argv[1:]
start._default_settings_path = lambda: Path(file).with_name("settings.json")


def click():
    QApplication.sendEvent(QApplication.instance(), QFileOpenEvent(file))


def tell():
    [window] = [widget for widget in QApplication.topLevelWidgets() if hasattr(widget, "header")]
    boxes = [box.text() for box in window.findChildren(QMessageBox) if box.isVisible()]
    print(window.windowTitle(), window.model.cursor.position, window.header.message, *boxes)
    window.close()


start.make_application()
if how == "before":
    click()
QTimer.singleShot(500, tell)
if how == "after":
    QTimer.singleShot(100, click)
session = Path(file) if how == "given" else None
sys.exit(start.open_window(State(), "light", session=session))
"""


def test_a_clicked_file_is_in_the_window_and_one_that_is_none_is_told(saved, luck) -> None:
    for how, file, words in (
        (luck.choice(["given", "before", "after"]), saved, "talk.pesession[*] – PE Desktop 120.5 Opened: talk."),
        ("given", saved.with_name("missing.pesession"), "Untitled[*] – PE Desktop 37.0"),
    ):
        done = ended(CLICKED, how, str(file))
        assert done.stdout.startswith(words), done.stderr
        assert file.name in done.stdout
        assert done.returncode == 0


def answer(monkeypatch: pytest.MonkeyPatch, button: QMessageBox.StandardButton) -> list[str]:
    """Press a button in every box that waits; gives what the boxes asked."""
    asked: list[str] = []

    def press(box: QMessageBox) -> int:
        asked.append(box.text())
        return button

    monkeypatch.setattr(QMessageBox, "exec", press)
    return asked


@pytest.fixture
def two(instrument: Instrument, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Path, Path]:
    """Two files, the first of which was opened and changed, its changes thrown away for the second."""
    paths = (tmp_path / "a.pesession", tmp_path / "b.pesession")
    for position, path in enumerate(paths):
        write_session(path, Session(State(cursor=Cursor(position + 1.0))), overwrite=False)
    instrument.sessions.open(str(paths[0]))
    instrument.model.move_cursor(position=50.0)
    answer(monkeypatch, QMessageBox.StandardButton.Discard)
    instrument.sessions.open(str(paths[1]))
    return paths


def test_undo_across_an_opening_gives_the_file_back_and_saving_leaves_the_other(instrument, model, two, monkeypatch):
    model.undo()
    assert title(instrument) == "a.pesession* – PE Desktop"
    trigger(instrument, "save_session")
    assert [read_session(path).state.cursor.position for path in two] == [50.0, 2.0]
    model.redo()
    assert title(instrument) == "b.pesession – PE Desktop"
    # A name that is given later is that of the whole file, also before its first change.
    trigger(instrument, "new_session")
    model.move_cursor(position=3.0)
    choose(monkeypatch, two[0].with_name("c.pesession"))
    instrument.sessions.ask_to_save()
    model.undo()
    assert title(instrument) == "c.pesession* – PE Desktop"
    model.undo()
    assert title(instrument) == "b.pesession – PE Desktop"


@pytest.mark.parametrize("button", ["Cancel", "Discard", "Save"])
def test_whatever_shows_something_else_asks_first_for_a_changed_file(instrument, monkeypatch, two, button) -> None:
    choose(monkeypatch, two[0])
    ways: list[Callable[[], object]] = [
        lambda: instrument.sessions.open(str(two[0])),
        lambda: drop(instrument.window, carried(QUrl.fromLocalFile(str(two[0])))),
        *(lambda name=name: trigger(instrument, name) for name in ("open_session", "recent_1", "new_session", "close")),
    ]
    for number, leave in enumerate(ways):
        instrument.sessions.open(str(two[1]))
        instrument.model.move_cursor(position=60.0 + number)
        asked = answer(monkeypatch, QMessageBox.StandardButton[button])
        leave()
        assert asked == ["b.pesession has changes that are not saved."], number
        is_left = title(instrument) != f"b.pesession{'' if button == 'Save' else '*'} – PE Desktop"
        assert (is_left or not instrument.window.isVisible()) == (button != "Cancel"), number
        assert (read_session(two[1]).state.cursor.position == 60.0 + number) == (button == "Save")
        instrument.window.show()
        answer(monkeypatch, QMessageBox.StandardButton.Discard)


def test_a_file_that_another_program_has_written_is_replaced_only_on_demand(instrument, monkeypatch, two) -> None:
    write_session(two[1], Session(State(cursor=Cursor(70.0))), overwrite=True)
    asked = answer(monkeypatch, QMessageBox.StandardButton.Cancel)
    trigger(instrument, "save_session")
    assert asked == ["b.pesession has been changed by another program since it was opened. Save over it?"]
    assert read_session(two[1]).state.cursor.position == 70.0
    answer(monkeypatch, QMessageBox.StandardButton.Save)
    trigger(instrument, "save_session")
    trigger(instrument, "save_session")
    assert (read_session(two[1]).state.cursor.position, len(asked)) == (2.0, 1)
