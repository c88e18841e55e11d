"""The Help menu and the plain words of every panel."""

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from pe_desktop.core.state import State, state_of
from pe_desktop.panels import PANELS
from pe_desktop.resources import resource_json
from pe_desktop.views.table import VIEWS
from pe_desktop.window import action_table
from pe_desktop.window import help as window_help
from pe_desktop.window.application import Instrument
from pe_desktop.window.error_reports import ReportDialog
from pe_desktop.window.panel_menu import _plain_words
from tests.window.conftest import LEFT, NO_KEY, focused, press, resize, settle


def test_every_panel_but_the_transport_says_in_plain_words_what_it_shows() -> None:
    keys = {panel.key for panel in PANELS} | {*VIEWS} - {"encoding"}
    for key in keys - {"transport"}:
        words = _plain_words(key)
        assert words.endswith("."), key
        assert len(words) < 360, key


def test_each_of_the_ten_minutes_shows_what_it_says_by_press_and_key_and_can_be_undone(instrument: Instrument) -> None:
    window, model, steps = instrument.window, instrument.model, resource_json("help.json")["steps"]
    window.action_set.trigger("show_steps")
    settle()
    # The plots make room for it.
    assert window.docks["steps"].x() > window.docks["waves"].geometry().right()
    panel = window.panel("steps")
    buttons = panel.findChildren(QPushButton)
    assert len(buttons) == len(steps) >= 8
    assert focused() is buttons[0]
    for number, (button, step) in enumerate(zip(buttons, steps, strict=True)):
        # As a person does, whose key comes to the window first.
        QTest.keyClick(window.windowHandle(), Qt.Key.Key_Return if number % 2 else Qt.Key.Key_Space)
        shown = state_of(step["assignments"])
        assert (model.state.encoding, model.state.cursor) == (shown.encoding, shown.cursor)
        settle()
        assert focused() is buttons[min(number + 1, len(steps) - 1)], button.accessibleName()
        assert focused().visibleRegion().boundingRect() == focused().rect()
    # By the mouse the plots get it. The keys of a step act in the window; escape leaves Compare, then the steps.
    middle = buttons[7].mapTo(window, buttons[7].rect().center())
    QTest.mouseClick(window.windowHandle(), LEFT, NO_KEY, middle)
    settle()
    assert not panel.isAncestorOf(focused())
    buttons[0].setFocus()
    press(Qt.Key.Key_BracketRight, Qt.Key.Key_Escape)
    settle()
    assert (model.cursor.offset, model.state.views.compare.is_open, panel.isVisible()) == (9.0, False, True)
    buttons[0].setFocus()
    press(Qt.Key.Key_Escape)
    settle()
    assert not panel.isVisible()
    window.action_set.trigger("show_steps")
    while model.undo_names:
        model.undo()
    assert model.state.encoding == State().encoding
    # Facts waits behind it.
    window.action_set.trigger("toggle_facts")
    QTest.mouseClick(panel.header_widgets()[0], Qt.MouseButton.LeftButton)
    settle()
    assert (panel.isVisible(), window.panel("facts").isVisible()) == (False, True)


def test_steps_of_the_clock_show_it_and_those_that_are_opened_again_begin_anew(instrument: Instrument) -> None:
    window = instrument.window
    resize(instrument, 910, 480)
    for _ in range(2):
        window.action_set.trigger("show_steps")
        settle()
        buttons = window.panel("steps").findChildren(QPushButton)
        assert focused().visibleRegion().boundingRect() == buttons[0].rect()
        for number in (1, 2, 5):
            instrument.model.set(front=("rotation",))
            buttons[number].setFocus()
            QTest.keyClick(window.windowHandle(), Qt.Key.Key_Return)
            settle()
            assert window.docks["clock"].is_in_front == (number < 3)
        QTest.keyClick(window.windowHandle(), Qt.Key.Key_Escape)


def test_system_info_is_copied_and_a_report_has_it(instrument: Instrument) -> None:
    instrument.window.action_set.trigger("copy_system_info")
    assert QGuiApplication.clipboard().text() == instrument.system_info()
    assert instrument.window.header.message == "Copied: system info"
    instrument.window.action_set.trigger("report_problem")
    [dialog] = instrument.window.findChildren(ReportDialog)
    assert dialog.report.toPlainText() == instrument.system_info()
    dialog.close()


def test_pages_are_opened_where_the_project_has_one_and_not_offered_before(instrument, monkeypatch) -> None:
    actions, opened = instrument.window.action_set, []
    for module in (action_table, window_help):
        monkeypatch.setattr(module, "project_page", lambda: "")
    actions.refresh()
    assert not actions.entries["open_releases"].isVisible()
    for module in (action_table, window_help):
        monkeypatch.setattr(module, "project_page", lambda: "https://example.org/pe")
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(QUrl(url).toString()))
    actions.refresh()
    assert actions.entries["open_releases"].isVisible()
    actions.trigger("open_releases")
    actions.trigger("report_problem")
    [dialog] = instrument.window.findChildren(ReportDialog)
    [button] = [button for button in dialog.findChildren(QPushButton) if button.text() == "Open the page"]
    button.click()
    assert opened == ["https://example.org/pe/releases", "https://example.org/pe/issues"]
