"""Docks: how they share the room and come back, as windows of their own, and on the whole screen."""

import itertools
from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from pe_desktop.panels.controls.buttons import IconButton
from pe_desktop.window.application import Instrument
from pe_desktop.window.dock import PanelDock
from pe_desktop.window.panel_menu import PanelMenu
from pe_desktop.window.tab_order import stops_in
from tests.window.acting import LEFT, drag_column, focused, press, resize, settle, show, tab_of, trigger
from tests.window.conftest import PLOTS, TABS, OpenInstrument, frames, next_start, title_row


def button(dock: PanelDock, words: str) -> IconButton:
    buttons: list[IconButton] = title_row(dock).findChildren(IconButton)
    return next(some for some in buttons if words in some.accessibleName())


def double_click(dock: PanelDock) -> None:
    QTest.mouseDClick(title_row(dock), LEFT, pos=QPoint(40, 20))
    settle()


def test_popped_out_tab_has_a_title_and_buttons_that_dock_and_close(instrument: Instrument) -> None:
    dock = instrument.window.docks["rotation"]
    dock.bring_forward()
    assert len(title_row(dock).buttons) == 1
    dock.pop_out_or_in()
    settle()
    assert (dock.isFloating(), title_row(dock).title.isVisible()) == (True, True)
    assert title_row(dock).x() >= 4
    assert title_row(dock).cursor().shape() == Qt.CursorShape.ArrowCursor
    # Docked again it comes in front of the tabs there.
    instrument.window.docks["properties"].bring_forward()
    settle()
    button(dock, "Dock").click()
    settle()
    assert (dock.isFloating(), dock.is_in_front, button(dock, "Dock").isVisible()) == (False, True, False)
    assert instrument.model.state.views.front == ("rotation",)
    dock.pop_out_or_in()
    button(dock, "Close").click()
    assert dock.isHidden()


def do_twice(command: str, instrument: Instrument, *keys: str) -> None:
    """Pop docks out and in, or close and open them by "choose"."""
    for _ in range(2):
        for key in keys:
            getattr(instrument.window.docks[key], command)()
            settle()


def open_and_close(instrument: Instrument, name: str) -> None:
    for is_open in (True, False):
        instrument.model.set(**{f"{name}.is_open": is_open})
        settle()


def show_facts_while_the_clock_floats(instrument: Instrument) -> None:
    instrument.window.docks["clock"].pop_out_or_in()
    open_and_close(instrument, "facts")
    instrument.window.docks["clock"].pop_out_or_in()


def resize_and_back(instrument: Instrument) -> None:
    size = instrument.window.size()
    for other in (QSize(960, 600), QSize(1920, 1000), size):
        resize(instrument, other)


COME_AND_GO: tuple[Callable[[Instrument], None], ...] = (
    *(partial(open_and_close, name=name) for name in ("facts", "attention", "compare")),
    lambda instrument: do_twice("pop_out_or_in", instrument, "clock", "similarity"),
    lambda instrument: do_twice("pop_out_or_in", instrument, "waves", "matrix"),
    lambda instrument: do_twice("choose", instrument, "waves", "clock"),
    show_facts_while_the_clock_floats,
    resize_and_back,
)


@pytest.mark.parametrize("size", [(1600, 1000), (1280, 720)])
def test_columns_are_as_wide_as_before_whatever_came_and_went(open_instrument, luck, size) -> None:
    instrument = open_instrument(width=size[0], height=size[1])
    docks, usual = instrument.window.docks, frames(instrument)
    for key in ("properties", "waves"):
        docks[key].bring_forward()
        do_twice("pop_out_or_in", instrument, key)
    docks["similarity"].bring_forward()
    settle()
    assert frames(instrument) == usual
    drag_column(instrument.window, 60)
    widths = {key: docks[key].width() for key in ("clock", "waves", "matrix")}
    assert widths["clock"] == usual["clock"][2] + 60
    for come_and_go in luck.sample(COME_AND_GO, len(COME_AND_GO)):
        come_and_go(instrument)
        settle()
        assert {key: docks[key].width() for key in widths} == widths, come_and_go


def test_a_dragged_column_stays_beside_a_workspace_and_keeps_its_ratio_when_encoding_is_folded(instrument) -> None:
    show(instrument, attention__is_open=True)
    window, clock = instrument.window, instrument.window.docks["clock"]
    before = clock.width()
    drag_column(window, 60)
    for key in ("look-back", "rotary", "attention"):
        window.docks[key].bring_forward()
        settle()
        assert clock.width() == before + 60
    show(instrument, attention__is_open=False)
    waves = window.docks["waves"]
    drag_column(window, 150)
    before = clock.width() / waves.width()
    for _ in range(2):
        trigger(instrument, "fold_encoding")
        assert clock.width() / waves.width() == pytest.approx(before, abs=0.01)


def test_dragged_splitters_are_as_they_were_at_the_next_start(open_instrument: OpenInstrument) -> None:
    first = open_instrument()
    drag_column(first.window, 250)
    drag_column(first.window, -140, is_row=True)
    left = frames(first, *PLOTS)
    assert (left["clock"][2], left["waves"][3]) == (690, 306)
    with next_start(first) as second:
        assert frames(second, *PLOTS) == left


def test_transport_stands_whole_at_the_lower_edge_after_every_resize(instrument: Instrument) -> None:
    window, dock = instrument.window, instrument.window.docks["transport"]
    for size in ((1920, 1058), (1100, 680), (1600, 1000), (1300, 720), (1920, 1058)):
        resize(instrument, *size)
        assert dock.height() == dock.widget().height() == (70 if size[0] >= 1400 else 108)
        assert window.height() - dock.geometry().bottom() - 1 == 8
    n_pictures = window.clock.canvas.n_painted["still"]
    resize(instrument, 1927, 1061)
    assert window.clock.canvas.n_painted["still"] == n_pictures + 1


def test_reset_brings_docks_back_that_were_tabbed_by_hand(instrument, window, docks) -> None:
    settle()
    before = frames(instrument)
    for key in ("waves", "similarity", "matrix", "rotation"):
        window.tabifyDockWidget(docks["clock"], docks[key])
    settle()
    assert frames(instrument, *PLOTS) != before
    trigger(instrument, "reset_layout")
    assert frames(instrument) == before
    tabs = [dock.objectName() for dock in window.tabifiedDockWidgets(docks["similarity"])]
    assert tabs == ["rotation", "properties"]


def test_no_plot_may_be_put_where_it_makes_a_tab_with_transport_or_encoding(instrument, window) -> None:
    show(instrument, attention__is_open=True)
    areas = {window.dockWidgetArea(window.docks[key]) for key in ("transport", "parameters")}
    assert len(areas) == 2
    for dock in window.docks.values():
        if dock.panel.is_movable:
            assert not any(dock.isAreaAllowed(area) for area in areas), dock.panel.key


def test_popped_out_dock_stands_beside_its_place(instrument: Instrument) -> None:
    window, dock = instrument.window, instrument.window.docks["clock"]
    window.move(0, 0)
    before = dock.mapToGlobal(QPoint(0, 0))
    dock.pop_out_or_in()
    room = dock.screen().availableGeometry()
    assert dock.x() == max(min(before.x() + 40, room.right() - dock.width()), 0)
    assert dock.y() == max(min(before.y() + 40, room.bottom() - dock.height()), 0)
    # The window that it has left keeps the keyboard on a plot, not on the next button.
    settle()
    assert window.focusWidget() is window.waves.canvas


def test_a_dock_returns_to_its_place_after_it_was_closed_while_it_floated(instrument: Instrument) -> None:
    # QTest.qWait lets Qt delete the animation of a dock, as an event loop does; without that it stays where it floated.
    dock = instrument.window.docks["matrix"]
    QTest.qWait(50)
    home = dock.geometry()
    for _ in range(2):
        dock.setFloating(True)
        QTest.qWait(20)
        assert dock.geometry() != home
        dock.close()
        QTest.qWait(20)
        dock.show()
        QTest.qWait(20)
        assert dock.isFloating()
        dock.setFloating(False)
        QTest.qWait(50)
        assert (dock.isFloating(), dock.geometry()) == (False, home)


def test_a_panels_menu_opens_inside_the_window_by_its_button_and_at_the_pointer(instrument, monkeypatch) -> None:
    # The screen of the test is too small to open them there.
    opened: list[tuple[PanelMenu, QPoint]] = []
    monkeypatch.setattr(PanelMenu, "popup", lambda menu, place: opened.append((menu, place)))
    canvas, more = instrument.window.waves.canvas, title_row(instrument.window.docks["waves"]).more
    more.click()
    place = canvas.mapToGlobal(QPoint(60, 50))
    QApplication.sendEvent(canvas, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(60, 50), place))
    (menu, at_button), (_, at_pointer) = opened
    assert at_button.x() + menu.sizeHint().width() == more.mapToGlobal(QPoint(more.width(), 0)).x()
    assert at_pointer == place


def test_double_click_on_a_title_shows_the_panel_on_the_whole_screen_until_escape(instrument: Instrument) -> None:
    window, size = instrument.window, instrument.window.size()
    for key in ("waves", "rotation", "properties"):
        dock = window.docks[key]
        dock.bring_forward()
        settle()
        before, kept = frames(instrument), instrument.settings
        double_click(dock)
        assert window.isFullScreen()
        # Closed behind it, the window opens as it was.
        assert (instrument.settings.geometry, instrument.settings.docks) == (kept.geometry, kept.docks)
        assert window.size() != size
        assert window.full_screen.geometry() == window.rect()
        n_frames = window.matrix.canvas.n_frames
        trigger(instrument, "step_on")
        assert window.matrix.canvas.n_frames == n_frames
        assert title_row(dock).title.isVisible()
        assert dock.panel.height() > 0.9 * (window.height() - 90)
        # The keyboard stays in the panel.
        for move in (*[Qt.Key.Key_Tab] * 9, Qt.Key.Key_F6):
            assert window.full_screen.isAncestorOf(focused())
            press(move)
        QTest.keyClick(dock.panel.findChildren(QWidget)[0], Qt.Key.Key_Escape)
        resize(instrument, size)
        assert (window.isFullScreen(), window.full_screen.isVisible()) == (False, False)
        assert frames(instrument) == before
        assert dock.panel.isAncestorOf(focused())


@pytest.mark.parametrize("title", ["Similarity", "Properties"])
def test_a_press_on_a_tab_gives_its_panel_the_keyboard_and_two_the_whole_screen(open_instrument, title) -> None:
    # A new window: Qt keeps bars of other layouts below those that are seen.
    window = open_instrument().window
    panel = window.panel(title.lower())
    window.waves.take_focus()
    bar, place = tab_of(window, title)
    for way in (QTest.mouseClick, QTest.mouseDClick):
        way(bar, LEFT, pos=place)
        settle()
        assert window.focused_panel() is panel
    assert window.full_screen.dock is window.docks[title.lower()]


def test_a_floating_panel_covers_the_screen_without_the_help_of_the_window_system(instrument: Instrument) -> None:
    dock, entry = instrument.window.docks["matrix"], instrument.window.action_set.entries["full_screen"]
    dock.pop_out_or_in()
    settle()
    place = dock.geometry()
    trigger(instrument, "full_screen")
    assert entry.isChecked()
    assert dock.geometry() == dock.screen().geometry()
    assert not dock.isFullScreen()
    assert button(dock, "Leave full screen").isVisible()
    QTest.keyClick(dock, Qt.Key.Key_Escape)
    settle()
    assert (dock.geometry(), dock.is_full_screen, entry.isChecked()) == (place, False, False)


def test_the_whole_screen_takes_the_panel_in_focus_until_others_are_needed(instrument, window) -> None:
    actions = window.action_set
    window.matrix.take_focus()
    actions.trigger("full_screen")
    assert window.full_screen.dock is window.docks["matrix"]
    actions.trigger("full_screen")
    assert window.full_screen.dock is None
    # Never the transport, nor a plot behind Compare.
    window.transport.take_focus()
    actions.trigger("full_screen")
    assert window.full_screen.dock is window.docks["matrix"]
    actions.trigger("full_screen")
    show(instrument, compare__is_open=True)
    stops_in(window.header)[-1].setFocus()
    actions.trigger("full_screen")
    assert window.full_screen.dock is window.docks["compare"]
    for leave in (lambda: actions.trigger("reset_layout"), lambda: double_click(window.docks["parameters"])):
        leave()
        assert window.full_screen.dock is None
    double_click(window.docks["waves"])
    show(instrument, attention__is_open=True)
    settle()
    assert not window.isFullScreen()
    assert window.panel("attention").isVisible()
    show(instrument, attention__is_open=False)
    assert window.waves.isVisible()
    assert window.docks["waves"].isAncestorOf(window.waves)


@pytest.mark.parametrize("is_floating", [False, True])
def test_what_is_said_is_seen_on_a_panel_that_covers_the_screen_and_goes_with_it(instrument, is_floating) -> None:
    window, dock = instrument.window, instrument.window.docks["waves"]
    window.header.show_message("Copied: one")
    label = next(some for some in window.findChildren(QLabel) if some.text() == "Copied: one")

    def is_seen_on(cover: QWidget) -> bool:
        is_above = cover.window().childAt(label.geometry().center()) is label
        return label.parentWidget() is cover.window() and is_above and label.isVisible()

    if is_floating:
        dock.pop_out_or_in()
        settle()
    dock.ask_for_full_screen()
    settle()
    assert is_seen_on(dock.panel)
    window.header.show_message("Copied: two")
    assert (label.text(), is_seen_on(dock.panel)) == ("Copied: two", True)
    while dock.isFloating() or dock.is_full_screen:
        dock.bring_back()
        settle()
        assert is_seen_on(dock.panel)


def test_title_rows_want_the_height_that_they_have_alone_and_under_tabs(instrument: Instrument) -> None:
    rows = [dock.title_row for dock in instrument.window.docks.values() if dock.title_row is not None]
    heights = {row.is_top: {row.height(), row.sizeHint().height(), row.minimumSizeHint().height()} for row in rows}
    assert {is_top: len(some) for is_top, some in heights.items()} == {True: 1, False: 1}
    assert heights[True] != heights[False]


def test_panel_behind_a_tab_is_made_when_it_is_chosen_and_needs_no_more_room(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument()
    docks = instrument.window.docks
    trigger(instrument, "reset_layout")
    instrument.window.focus_next_panel()
    assert [docks[key].is_filled for key in TABS] == [True, False, False]
    for in_front, key in itertools.pairwise(TABS):
        dock, places = docks[key], frames(instrument)
        needed = dock.minimumSizeHint()
        dock.raise_()
        settle()
        assert (dock.is_filled, dock.panel.isVisible()) == (True, True)
        places[key] = places.pop(in_front)
        assert frames(instrument) == places
        assert dock.minimumSizeHint() == needed
