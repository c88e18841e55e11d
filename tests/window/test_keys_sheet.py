"""The sheet of keys says every key that the window has, and no key means two things."""

from collections import Counter
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea

from pe_desktop.panels import PANELS
from pe_desktop.window.application import Instrument
from pe_desktop.window.help import KeysDialog


def opened(instrument: Instrument) -> KeysDialog:
    QTest.keyClick(instrument.window.clock.canvas, Qt.Key.Key_F1)
    dialog = instrument.window.findChild(KeysDialog)
    assert isinstance(dialog, KeysDialog)
    return dialog


def texts(dialog: KeysDialog) -> list[str]:
    return [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]


def test_f1_shows_the_keys_of_all_actions_and_panels_once_and_escape_closes(instrument: Instrument) -> None:
    dialog = opened(instrument)
    assert opened(instrument) is dialog
    told = texts(dialog)
    for row in instrument.window.action_set.rows.values():
        for key in (row.key, row.other_key) if row.title_now else ():
            native = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
            assert not key or any(native in text.split(", ") for text in told), row.id
            assert row.title_now in told or not key
    for panel in PANELS:
        assert all(words in told for words in panel.keys.values())
    dialog.search.setText("ten positions")
    assert {text for text in texts(dialog) if "positions" in text} == {"Ten positions back", "Ten positions on"}
    dialog.search.setText("no such key")
    assert texts(dialog) == ["No key has these words."]
    QTest.keyClick(dialog.search, Qt.Key.Key_Escape)
    QTest.qWait(20)
    assert instrument.window.findChild(KeysDialog) is None


def test_sheet_shows_that_it_has_the_focus_and_scrolls_with_the_arrows(instrument: Instrument) -> None:
    dialog = opened(instrument)
    (area,) = dialog.findChildren(QScrollArea)
    dialog.activateWindow()
    area.setFocus()
    QTest.qWait(20)
    image = area.grab().toImage()
    edges = ((0, 200), (image.width() - 1, 200), (200, 0), (200, image.height() - 1))
    focus = instrument.window.theme.focus.name()
    assert [image.pixelColor(*edge).name() for edge in edges] == [focus] * 4
    QTest.keyClick(area, Qt.Key.Key_Down)
    assert area.verticalScrollBar().value() > 0


def test_no_key_means_two_things(instrument: Instrument) -> None:
    rows = instrument.window.action_set.rows.values()
    keys = Counter(QKeySequence(key).toString() for row in rows for key in (row.key, row.other_key) if key)
    assert [key for key, count in keys.items() if count > 1] == []


def test_menus_have_keys_of_their_own(instrument: Instrument) -> None:
    menus = [instrument.window.header.menus[name].title() for name in ("File", "Edit", "View", "Go", "Help")]
    letters = [title[title.index("&") + 1] for title in menus]
    assert len(set(letters)) == len(menus)


def test_the_sheet_leaves_room_for_its_frame_on_a_low_screen(
    instrument: Instrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    low = SimpleNamespace(availableSize=lambda: QSize(968, 640))
    monkeypatch.setattr(KeysDialog, "screen", lambda _dialog: low)
    assert opened(instrument).height() <= 600
