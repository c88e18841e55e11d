"""Undo, the files of a window, the last state, and starts that find damaged settings and layouts."""

import json
import random
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QToolButton

from pe_desktop.core.state import STATE_NAMES, State, state_of, step_title
from pe_desktop.export import session as session_module
from pe_desktop.export.session import Session, read_session, write_session
from pe_desktop.heat.renderer import RASTER, CrashMarker
from pe_desktop.window import session_files
from pe_desktop.window.application import RESTORING_NAME, Instrument
from pe_desktop.window.header import NOTICE_HEIGHT, Notice
from pe_desktop.window.session_files import MOST_RECENT, LastState, last_states
from pe_desktop.window.settings import Settings, decoded, encoded, read_settings
from pe_desktop.window.start import _read_last_state
from tests.window.acting import CONTROL, SHIFT, press
from tests.window.conftest import Opened, OpenInstrument, finish, title

WIDE = state_of({"d_model": "64", "position": "5"})


def entry_texts(instrument: Instrument) -> list[str]:
    return [instrument.window.action_set.entries[name].text() for name in ("undo", "redo")]


def test_undo_and_redo_name_their_step_and_can_be_chosen_only_where_there_is_one(instrument: Instrument) -> None:
    entries, model = instrument.window.action_set.entries, instrument.model
    assert not entries["undo"].isEnabled()
    model.set_parameter("d_model", "64")
    model.set(**{"similarity.measure": "cosine"})
    assert entry_texts(instrument) == ["Undo measure", "Redo"]
    assert (entries["undo"].isEnabled(), entries["redo"].isEnabled()) == (True, False)
    press(Qt.Key.Key_Z, modifier=CONTROL)
    assert entry_texts(instrument) == ["Undo d_model", "Redo measure"]
    instrument.playback.play()
    press(Qt.Key.Key_Z, modifier=CONTROL)
    assert not instrument.playback.is_playing
    assert model.state.encoding == State().encoding
    assert not entries["undo"].isEnabled()
    press(Qt.Key.Key_Z, modifier=CONTROL | SHIFT)
    press(Qt.Key.Key_Y, modifier=CONTROL)
    assert (model.encoding.d_model, model.state.views.similarity.measure) == (64, "cosine")


def test_a_hundred_steps_come_back_with_their_files_or_none_where_damaged(instrument, monkeypatch, tmp_path) -> None:
    model, sessions, file = instrument.model, instrument.sessions, tmp_path / "history.json"
    document = session_files._Document(tmp_path / "talk.pesession", {"of a later version": 1}, WIDE, (1, 2))
    for position in range(105):
        model.set_state(state_of({"position": f"{position}.5"}), f"step {position}")
    model.set_state(WIDE, "opening talk.pesession", document)
    model.undo()
    for largest, n_steps in ((1_000_000, 100), (150_000, 30)):
        monkeypatch.setattr(session_files, "_LARGEST_HISTORY", largest)
        sessions.write_history(file)
        done, model.done, model.undone = model.done[-n_steps:], [], []
        for damaged in ("", "[" * 100_000, "[[], [], 0]", '[[["", "{}", []]], [], 0]', "[1, 2, 3]"):
            file.write_text(damaged or file.read_text())
            sessions.take_history(file)
            assert [replace(step, document=done[0].document) for step in model.done] == done
        model.redo()
        assert (model.state, vars(model.document)) == (WIDE, vars(document))
        model.undo()


def test_every_name_of_the_state_is_said_in_words() -> None:
    assert all(step_title([name]) for name in STATE_NAMES)
    assert [name for name in STATE_NAMES if "." in step_title([name])] == []
    assert step_title(["position", "pair"]) == "position t and pair i"
    assert step_title(["position", "pair", "offset"]) == "position t and more"


def test_save_asks_once_and_the_title_marks_what_is_not_saved(instrument, monkeypatch, tmp_path) -> None:
    model, path = instrument.model, tmp_path / "talk.pesession"
    assert title(instrument) == "Untitled – PE Desktop"
    model.move_cursor(position=5.0)
    assert title(instrument) == "Untitled* – PE Desktop"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_arguments: (str(path), ""))
    press(Qt.Key.Key_S, modifier=CONTROL)
    assert title(instrument) == "talk.pesession – PE Desktop"
    for name in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_arguments: pytest.fail("a file dialog was opened"))
    # Soon after saving: the change must not count as a part of the step before.
    model.move_cursor(position=6.0)
    assert title(instrument) == "talk.pesession* – PE Desktop"
    press(Qt.Key.Key_Z, modifier=CONTROL)
    assert title(instrument) == "talk.pesession – PE Desktop"
    press(Qt.Key.Key_Y, modifier=CONTROL)
    press(Qt.Key.Key_S, modifier=CONTROL)
    assert title(instrument) == "talk.pesession – PE Desktop"
    assert read_session(path).state.cursor.position == 6.0
    press(Qt.Key.Key_N, modifier=CONTROL)
    assert (title(instrument), model.state.cursor) == ("Untitled – PE Desktop", State().cursor)
    press(Qt.Key.Key_Z, modifier=CONTROL)
    assert model.cursor.position == 6.0


def test_recent_files_come_latest_first_at_most_eight_and_missing_ones_leave(instrument, tmp_path) -> None:
    entries = instrument.window.action_set.entries

    def listed() -> list[str]:
        return [entry.text() for entry in instrument.window.header.menus["Recent"].actions() if entry.isVisible()]

    assert listed() == ["No recent sessions"]
    paths = [tmp_path / f"{number} & more.pesession" for number in range(MOST_RECENT + 1)]
    for number, path in enumerate(paths):
        session = Session(state_of({"position": str(number)}))
        instrument.sessions.open(str(write_session(path, session, overwrite=False)))
    assert [text.partition(" – ")[0] for text in listed()] == [
        f"{number} && more.pesession" for number in range(MOST_RECENT, 0, -1)
    ]
    assert all(text.endswith(str(tmp_path)[-40:]) for text in listed())
    assert instrument.settings.recent == tuple(map(str, reversed(paths[1:])))
    entries["recent_3"].trigger()
    assert instrument.model.cursor.position == 5.0
    assert entries["recent_0"].text().startswith("5 && more")
    paths[8].unlink()
    entries["recent_1"].trigger()
    [box] = instrument.window.findChildren(QMessageBox)
    assert "8 & more.pesession can't be opened" in box.text()
    assert str(paths[8]) not in instrument.settings.recent


def test_the_last_state_comes_back_unless_something_else_is_asked_for(opened: Opened, tmp_path: Path) -> None:
    assert opened()[1] == State()
    opened(use=lambda instrument: instrument.model.set_state(WIDE, "wide"))
    assert opened()[:2] == ("Untitled – PE Desktop", WIDE)
    assert opened(state_of({"d_model": "8"}))[1].encoding.d_model == 8
    opened(WIDE)
    session = write_session(tmp_path / "talk.pesession", Session(state_of({"d_model": "16"})), overwrite=False)
    assert opened(session=session)[:2] == ("talk.pesession – PE Desktop", state_of({"d_model": "16"}))
    # What has been opened is the last state now, with the name of its file.
    assert opened()[:2] == ("talk.pesession – PE Desktop", state_of({"d_model": "16"}))
    opened(use=lambda instrument: instrument.model.set_parameter("d_model", "18"))
    assert opened()[0] == "talk.pesession* – PE Desktop"
    assert opened(is_fresh=True)[:2] == ("Untitled – PE Desktop", State())
    # Unless that is switched off.
    opened(WIDE, use=lambda instrument: instrument.live_settings.set(opens_last=False))
    assert opened()[1] == State()


def test_a_fresh_start_has_the_usual_speed_and_layout_and_leaves_the_remembered_ones_as_they_are(
    opened: Opened,
) -> None:
    told: list[tuple[float, bool, object]] = []

    def leave(instrument: Instrument) -> None:
        instrument.playback.set("speed", 16.0)
        instrument.window.set_folded(True)
        instrument.window.resize(710, 555)

    def tell(instrument: Instrument) -> None:
        told.append((instrument.playback.speed, instrument.window.is_folded, instrument.window.size().toTuple()))

    opened(use=leave)
    for is_fresh in (False, True, False):
        opened(use=tell, is_fresh=is_fresh)
    before, (speed, is_folded, size), after = told
    assert before == after == (16.0, True, (710, 555))
    assert (speed, is_folded, size != before[2]) == (1.0, False, True)


@pytest.mark.parametrize("way", ["A clock in one minute", "Nine lessons", "Type a sentence", "Not now"])
def test_first_steps_stand_below_the_header_until_one_is_taken(opened: Opened, tmp_path: Path, way: str) -> None:
    session = write_session(tmp_path / "talk.pesession", Session(State()), overwrite=False)
    seen: list[Any] = []

    def look(instrument: Instrument, press_on: str = "") -> None:
        header = instrument.window.header
        notice = header.findChild(Notice)
        seen.append(notice is not None)
        if press_on and notice is not None:
            top = header.height()
            [button] = [one for one in notice.findChildren(QToolButton) if press_on in (one.text(), one.toolTip())]
            button.click()
            QTest.qWait(20)
            views = instrument.model.state.views
            room = "lessons" if views.lessons.is_open else views.workspace
            focus = instrument.window.focusWidget().accessibleName()
            seen.append((room, instrument.playback.is_playing, header.findChild(Notice), focus))
            assert header.height() == top - NOTICE_HEIGHT

    opened(State(), use=look)
    opened(session=session, use=look)
    opened(use=look)
    opened(use=partial(look, press_on=way))
    opened(is_fresh=True, use=look)
    opened(use=look)
    assert seen[:4] == [False, False, True, True]
    room, is_playing, notice, focus = seen[4]
    assert (room, is_playing, notice) == {
        "A clock in one minute": ("", True, None),
        "Nine lessons": ("lessons", False, None),
        "Type a sentence": ("attention", False, None),
    }.get(way, ("", False, None))
    assert way != "Type a sentence" or focus == "Sentence"
    assert seen[5:] == [False, False]


def test_a_damaged_last_state_is_put_aside_with_one_sentence(opened: Opened, tmp_path: Path) -> None:
    opened(WIDE)
    (tmp_path / "last.pesession").write_text("{")
    _, state, message = opened()
    assert state == State()
    assert message.startswith("The last state could not be read (it is damaged or not a session")
    assert (tmp_path / "last.unreadable.pesession").read_text() == "{"
    # A choice that can't be read leaves the rest.
    opened(WIDE)
    latest = last_states(tmp_path / "settings.json")[0]
    latest.write_text(latest.read_text().replace('"clock.mode": "one"', '"clock.mode": "three"'))
    assert opened()[1:] == (WIDE, "Not taken: clock.mode can't be three: choose from one, each.")
    # The one before takes the place of a damaged one.
    last_states(tmp_path / "settings.json")[0].write_text("{")
    _, state, message = opened()
    assert (state, "so the window shows the one before; the old file" in message) == (WIDE, True)


def test_two_windows_keep_a_state_each_and_the_recent_files_of_both(open_instrument: OpenInstrument, tmp_path) -> None:
    path = tmp_path / "settings.json"
    first, second = open_instrument(path=path), open_instrument(path=path)
    names = [write_session(tmp_path / f"{name}.pesession", Session(State()), overwrite=False) for name in "ab"]
    first.sessions.open(str(names[0]))
    second.sessions.open(str(names[1]))
    for instrument, width in ((first, "64"), (second, "16"), (first, "8")):
        instrument.model.set_parameter("d_model", width)
        assert instrument._last_state is not None
        instrument._last_state.write()
    found = [read_session(last) for last in last_states(path) if last.exists()]
    assert [last.state.encoding.d_model for last in found] == [8, 16]
    assert [last.kept["file"] for last in found] == [*map(str, names)]
    first.window.close()
    second.window.close()
    assert read_settings(path)[0].recent == (str(names[1]), str(names[0]))


def test_a_last_state_that_could_not_be_read_again_replaces_none(instrument, monkeypatch, tmp_path) -> None:
    kept = LastState(instrument.window, instrument.sessions, tmp_path / "settings.json")
    sentences: list[str] = []
    monkeypatch.setattr(instrument.window.header, "show_message", sentences.append)
    kept.write()
    before = (tmp_path / "last.pesession").read_bytes()
    monkeypatch.setattr(session_module, "assignments_of", lambda _state: {"clock.mode": "three"})
    for _ in range(3):
        kept.write()
    assert (tmp_path / "last.pesession").read_bytes() == before
    [sentence] = sentences
    assert "clock.mode can't be three" in sentence


def test_the_state_is_kept_some_seconds_after_a_change(open_instrument, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(session_files, "AUTOSAVE_MILLISECONDS", 20)
    instrument = open_instrument(path=tmp_path / "settings.json")
    instrument.model.set_held(True)
    instrument.model.set_parameter("d_model", "64")
    QTest.qWait(60)
    assert list(tmp_path.iterdir()) == []
    instrument.model.set_held(False)
    QTest.qWait(60)
    assert _read_last_state(tmp_path / "settings.json") == (Session(instrument.model.state), "")


@pytest.fixture(scope="module")
def left(qapp: QApplication) -> Settings:
    """The settings of a window that was left with Rotation afloat, the Encoding dock folded and a speed of its own."""
    instrument = Instrument(State(), Settings(theme="dark", speed=2.0))
    instrument.window.resize(1600, 1000)
    instrument.window.show()
    instrument.window.docks["rotation"].setFloating(True)
    instrument.window.set_folded(True)
    QApplication.processEvents()
    settings = instrument.settings
    finish(instrument)
    return settings


def afloat(instrument: Instrument) -> bool:
    return instrument.window.docks["rotation"].isFloating()


def test_a_layout_is_what_was_written_or_nothing_whichever_bit_of_it_is_flipped(left: Settings) -> None:
    whole = decoded(left.docks)
    assert (whole.isEmpty(), encoded(whole)) == (False, left.docks)
    letters = left.docks.encode("ascii")
    for place in range(8 * len(letters)):
        flipped = bytearray(letters)
        flipped[place // 8] ^= 1 << place % 8
        found = decoded(flipped.decode("latin-1"))
        assert found.isEmpty() or found == whole, place
    assert decoded("").isEmpty()
    # What JSON allows and no encoding knows.
    assert decoded(f"{left.docks}\ud800\u00e9") in (whole, QByteArray())
    assert decoded(encoded(QByteArray())).isEmpty()


def test_a_window_opens_whichever_bit_of_the_settings_file_is_flipped(left: Settings, tmp_path: Path) -> None:
    path, luck = tmp_path / "settings.json", random.Random(1)
    assert left.write(path)
    content = path.read_bytes()
    for number in range(300):
        flipped = bytearray(content)
        flipped[luck.randrange(len(content))] ^= 1 << luck.randrange(8)
        path.write_bytes(flipped)
        settings, complaint = read_settings(path)
        assert isinstance(settings, Settings)
        assert complaint == "" or "start anew" in complaint
        if number % 100 == 0:
            instrument = Instrument(State(), settings, path)
            instrument.window.show()
            QApplication.processEvents()
            assert instrument.window.isVisible()
            finish(instrument)


def test_a_layout_that_is_damaged_or_ended_the_program_is_left_alone_and_said(left, opened, tmp_path) -> None:
    were_afloat: list[bool] = []
    look = {"use": lambda instrument: were_afloat.append(afloat(instrument))}
    assert left.write(tmp_path / "settings.json")
    assert opened(**look)[2] == ""
    assert replace(left, docks=left.docks[:-8] + "AAAAAAAA").write(tmp_path / "settings.json")
    assert "layout is damaged" in opened(**look)[2]
    assert opened(**look)[2] == ""
    assert left.write(tmp_path / "settings.json")
    # Of a process that is there no more.
    (tmp_path / RESTORING_NAME).touch()
    assert "last restored its layout" in opened(**look)[2]
    assert were_afloat == [True, False, False, False]
    assert not any(tmp_path.glob(f"{RESTORING_NAME}*"))


def test_a_note_stands_beside_the_settings_while_a_layout_is_restored(left, tmp_path, monkeypatch) -> None:
    path, noted = tmp_path / "settings.json", []
    marker = CrashMarker(tmp_path / RESTORING_NAME)
    restore = Instrument._restore

    def watched(instrument: Instrument) -> None:
        restore(instrument)
        noted.append(any(tmp_path.glob(f"{RESTORING_NAME}*")))

    monkeypatch.setattr(Instrument, "_restore", watched)
    assert left.write(path)
    instrument = Instrument(State(), left, path)
    # Another window that opens meanwhile sees that this one lives.
    assert not marker.tells_of_a_crash
    instrument.window.show()
    finish(instrument)
    assert noted == [True]
    assert not any(tmp_path.glob(f"{RESTORING_NAME}*"))


def test_safe_mode_restores_and_writes_nothing_and_the_cpu_draws(left, opened, tmp_path) -> None:
    opened(WIDE)
    left.write(tmp_path / "settings.json")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    seen: list[tuple[bool, str, float]] = []

    def look(instrument: Instrument) -> None:
        seen.append((afloat(instrument), instrument.renderer.choice, instrument.playback.speed))
        instrument.model.set_parameter("d_model", "16")

    _, state, message = opened(use=look, is_safe=True)
    assert seen == [(False, RASTER, 1.0)]
    assert state.encoding.n_positions == State().encoding.n_positions
    assert message.startswith("Safe mode")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_settings_are_reset_and_the_old_ones_kept(left: Settings, opened: Opened, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    left.write(path)
    old = path.read_bytes()
    (tmp_path / RESTORING_NAME).touch()
    seen: list[tuple[bool, float]] = []
    _, _, message = opened(
        use=lambda instrument: seen.append((afloat(instrument), instrument.playback.speed)), resets=True
    )
    assert seen == [(False, 1.0)]
    assert "settings.before-reset.json" in message
    assert (tmp_path / "settings.before-reset.json").read_bytes() == old
    assert json.loads(path.read_text(encoding="utf-8"))["speed"] == 1.0
