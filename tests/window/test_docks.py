"""Docks as windows of their own, on the whole screen, and where they may be put."""

from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QTabBar, QWidget

from pe_desktop.panels.controls.buttons import IconButton
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.dock import PanelDock
from pe_desktop.window.main_window import MainWindow
from tests.window.conftest import drag_column, settle

CURSORS = {
    (1, 60): Qt.CursorShape.SizeHorCursor,
    (60, 1): Qt.CursorShape.SizeVerCursor,
    (1, 1): Qt.CursorShape.SizeFDiagCursor,
    (-1, -1): Qt.CursorShape.SizeFDiagCursor,
    (-1, 1): Qt.CursorShape.SizeBDiagCursor,
    (1, -8): Qt.CursorShape.SizeBDiagCursor,
}


def button(dock: PanelDock, words: str) -> IconButton:
    row = dock.title_row
    assert row is not None
    return next(some for some in row.findChildren(IconButton) if words in some.accessibleName())


def double_click(dock: PanelDock) -> None:
    assert dock.title_row is not None
    QTest.mouseDClick(dock.title_row, Qt.MouseButton.LeftButton, pos=QPoint(40, 20))
    settle()


def whole(window: MainWindow) -> PanelDock | None:
    """The dock on the whole screen."""
    return window.full_screen.dock


def frames(instrument: Instrument) -> dict[str, tuple[int, int, int, int]]:
    return {
        key: (dock.x(), dock.y(), dock.width(), dock.height())
        for key, dock in instrument.window.docks.items()
        if not dock.is_behind
    }


def test_popped_out_tab_has_a_title_a_frame_with_resize_cursors_and_a_button_that_closes_it(
    instrument: Instrument,
) -> None:
    dock = instrument.window.docks["rotation"]
    dock.bring_forward()
    assert dock.title_row is not None
    assert len(dock.title_row.buttons) == 1
    dock.pop_out_or_in()
    settle()
    assert (dock.isFloating(), dock.title_row.title.isVisible()) == (True, True)
    assert dock.title_row.x() >= 4
    for (x, y), cursor in CURSORS.items():
        place = QPoint(x % dock.width(), y % dock.height())
        none = Qt.MouseButton.NoButton
        move = QMouseEvent(
            QEvent.Type.MouseMove, place, dock.mapToGlobal(place), none, none, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(dock, move)
        assert (x, y, dock.size(), dock.cursor().shape()) == (x, y, dock.size(), cursor)
    # A pointer that has left the frame is an arrow again.
    assert dock.title_row.cursor().shape() == Qt.CursorShape.ArrowCursor
    button(dock, "Close").click()
    assert dock.isHidden()


@pytest.mark.parametrize("key", ["rotation", "similarity"])
def test_panel_docked_again_comes_in_front_of_the_tabs_there(instrument: Instrument, key: str) -> None:
    window = instrument.window
    dock = window.docks[key]
    dock.bring_forward()
    dock.pop_out_or_in()
    settle()
    other = next(some for some in ("properties", "rotation") if some != key)
    window.docks[other].bring_forward()
    settle()
    button(dock, "Dock").click()
    settle()
    assert (dock.isFloating(), dock.is_behind, window.docks[other].is_behind) == (False, False, True)
    assert key in instrument.model.state.views.front
    assert not button(dock, "Dock").isVisible()


@pytest.mark.parametrize("key", ["properties", "waves"])
def test_panel_docked_again_leaves_every_panel_as_wide_as_before(
    open_instrument: Callable[..., Instrument], key: str
) -> None:
    instrument = open_instrument(width=1280, height=720)
    dock = instrument.window.docks[key]
    dock.bring_forward()
    settle()
    before = frames(instrument)
    dock.pop_out_or_in()
    settle()
    button(dock, "Dock").click()
    settle()
    assert frames(instrument) == before


def float_and_dock(instrument: Instrument, *keys: str) -> None:
    for _ in range(2):
        for key in keys:
            instrument.window.docks[key].pop_out_or_in()
            settle()


def open_and_close(instrument: Instrument, name: str) -> None:
    for is_open in (True, False):
        instrument.model.set(**{f"{name}.is_open": is_open})
        settle()


def close_and_open(instrument: Instrument, key: str) -> None:
    for _ in range(2):
        instrument.window.docks[key].choose()
        settle()


def show_facts_while_the_clock_floats(instrument: Instrument) -> None:
    instrument.window.docks["clock"].pop_out_or_in()
    open_and_close(instrument, "facts")
    instrument.window.docks["clock"].pop_out_or_in()


def resize_and_back(instrument: Instrument) -> None:
    size = instrument.window.size()
    for other in (QSize(960, 600), QSize(1920, 1000), size):
        instrument.window.resize(other)
        settle()


COME_AND_GO: tuple[Callable[[Instrument], None], ...] = (
    partial(open_and_close, name="facts"),
    partial(open_and_close, name="attention"),
    partial(open_and_close, name="compare"),
    lambda instrument: float_and_dock(instrument, "clock", "similarity"),
    lambda instrument: float_and_dock(instrument, "waves", "matrix"),
    partial(close_and_open, key="waves"),
    partial(close_and_open, key="clock"),
    show_facts_while_the_clock_floats,
    resize_and_back,
)


@pytest.mark.parametrize(("size", "dragged"), [((1600, 1000), 0), ((1600, 1000), 60), ((1280, 720), 60)])
def test_columns_are_as_wide_as_before_whatever_came_and_went(
    open_instrument: Callable[..., Instrument], size: tuple[int, int], dragged: int
) -> None:
    instrument = open_instrument(width=size[0], height=size[1])
    docks = instrument.window.docks
    before = docks["clock"].width()
    if dragged:
        drag_column(instrument.window, dragged)
    widths = {key: docks[key].width() for key in ("clock", "waves", "matrix")}
    assert widths["clock"] == before + dragged
    for number, come_and_go in enumerate(COME_AND_GO * 2):
        come_and_go(instrument)
        settle()
        assert {key: docks[key].width() for key in widths} == widths, number


def test_column_dragged_beside_a_workspace_stays_when_another_tab_comes_to_the_front(
    open_instrument: Callable[..., Instrument],
) -> None:
    instrument = open_instrument(attention__is_open="true")
    window, clock = instrument.window, instrument.window.docks["clock"]
    before = clock.width()
    drag_column(window, 60)
    for key in ("look-back", "rotary", "attention"):
        window.docks[key].bring_forward()
        settle()
        assert clock.width() == before + 60


def test_no_plot_may_be_put_where_it_makes_a_tab_with_transport_rail_or_encoding(
    open_instrument: Callable[..., Instrument],
) -> None:
    instrument = open_instrument(attention__is_open="true")
    window = instrument.window
    fixed = [window.docks["transport"], window.docks["parameters"], window.rail]
    areas = {window.dockWidgetArea(dock) for dock in fixed}
    assert len(areas) == 2
    for dock in window.docks.values():
        if dock.panel.is_movable:
            assert not any(dock.isAreaAllowed(area) for area in areas), dock.panel.key


@pytest.mark.parametrize("key", ["waves", "rotation", "properties"])
def test_double_click_on_a_title_shows_the_panel_on_the_whole_screen_until_escape(
    instrument: Instrument, key: str
) -> None:
    window, dock = instrument.window, instrument.window.docks[key]
    dock.bring_forward()
    settle()
    before, size = frames(instrument), window.size()
    double_click(dock)
    assert window.isFullScreen()
    assert window.full_screen.geometry() == window.rect()
    assert dock.title_row is not None
    assert dock.title_row.title.isVisible()
    assert dock.panel.height() > 0.9 * (window.height() - 90)
    # The keyboard stays in the panel.
    for move in (*[Qt.Key.Key_Tab] * 9, Qt.Key.Key_F6):
        focus = QApplication.focusWidget()
        assert focus is not None
        assert window.full_screen.isAncestorOf(focus)
        QTest.keyClick(focus, move)
    QTest.keyClick(dock.panel.findChildren(QWidget)[0], Qt.Key.Key_Escape)
    window.resize(size)
    settle()
    assert not window.isFullScreen()
    assert not window.full_screen.isVisible()
    assert frames(instrument) == before
    focus = QApplication.focusWidget()
    assert focus is not None
    assert dock.panel.isAncestorOf(focus)


def tab_of(window: MainWindow, title: str) -> tuple[QTabBar, QPoint]:
    """The row of tabs with a title, and where its tab is."""
    bars = (bar for bar in window.findChildren(QTabBar) if bar.isVisible())
    return next((bar, bar.tabRect(n).center()) for bar in bars for n in range(bar.count()) if bar.tabText(n) == title)


@pytest.mark.parametrize(("title", "key"), [("Similarity", "similarity"), ("Properties", "properties")])
def test_a_press_on_a_tab_gives_its_panel_the_keyboard_and_a_second_one_the_whole_screen(
    instrument: Instrument, title: str, key: str
) -> None:
    window = instrument.window
    window.waves.take_focus()
    bar, place = tab_of(window, title)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=place)
    settle()
    assert window.focused_panel() is window.panel(key)
    QTest.mouseDClick(bar, Qt.MouseButton.LeftButton, pos=place)
    settle()
    assert whole(window) is window.docks[key]
    assert window.focused_panel() is window.panel(key)


def test_a_floating_panel_covers_the_screen_without_the_help_of_the_window_system(instrument: Instrument) -> None:
    dock = instrument.window.docks["matrix"]
    dock.pop_out_or_in()
    settle()
    place = dock.geometry()
    instrument.window.action_set.trigger("full_screen")
    settle()
    assert dock.geometry() == dock.screen().geometry()
    assert not dock.isFullScreen()
    assert button(dock, "Leave full screen").isVisible()
    QTest.keyClick(dock, Qt.Key.Key_Escape)
    settle()
    assert dock.geometry() == place
    assert not dock.is_full_screen


def test_a_window_that_is_closed_behind_a_panel_on_the_whole_screen_opens_as_it_was(instrument: Instrument) -> None:
    before = instrument.settings
    size = instrument.window.size()
    double_click(instrument.window.docks["waves"])
    assert instrument.window.size() != size
    assert (instrument.settings.geometry, instrument.settings.docks) == (before.geometry, before.docks)


def test_what_needs_other_panels_leaves_the_whole_screen(instrument: Instrument) -> None:
    window = instrument.window
    double_click(window.docks["waves"])
    assert window.isFullScreen()
    instrument.model.set(**{"attention.is_open": True})
    settle()
    assert not window.isFullScreen()
    wait_until_measured(instrument)
    assert window.panel("attention").isVisible()
    instrument.model.set(**{"attention.is_open": False})
    settle()
    assert window.waves.isVisible()
    assert window.docks["waves"].isAncestorOf(window.waves)


def test_the_key_for_the_whole_screen_takes_the_panel_with_the_focus_and_never_the_transport(
    instrument: Instrument,
) -> None:
    window = instrument.window
    window.matrix.take_focus()
    window.action_set.trigger("full_screen")
    assert whole(window) is window.docks["matrix"]
    window.action_set.trigger("full_screen")
    assert whole(window) is None
    window.transport.take_focus()
    window.action_set.trigger("full_screen")
    assert whole(window) is window.docks["clock"]
    window.action_set.trigger("reset_layout")
    assert whole(window) is None
    double_click(window.docks["parameters"])
    assert whole(window) is None


@pytest.mark.parametrize("is_floating", [False, True])
def test_what_is_said_is_seen_on_a_panel_that_covers_the_screen_and_goes_with_it(
    instrument: Instrument, is_floating: bool
) -> None:
    window, dock = instrument.window, instrument.window.docks["waves"]
    row = dock.title_row
    assert row is not None
    if is_floating:
        dock.pop_out_or_in()
        settle()
    window.show_message("Copied: one")
    assert row.message == ""
    window.full_screen.toggle(dock, window.saved_docks())
    settle()
    window.show_message("Copied: two")
    label = next(some for some in row.findChildren(QLabel) if some.text() == "Copied: two")
    assert label.isVisible()
    assert label.width() > 100
    assert all(
        some.title_row is row or some.title_row is None or not some.title_row.message for some in window.docks.values()
    )
    window.full_screen.toggle(dock, window.saved_docks())
    settle()
    assert (row.message, label.isVisible()) == ("", False)
    dock.full_screen_asked.emit()
    settle()
    assert row.message == "Copied: two"


def test_title_rows_want_the_height_that_they_have_alone_and_under_tabs(instrument: Instrument) -> None:
    rows = [dock.title_row for dock in instrument.window.docks.values() if dock.title_row is not None]
    heights = {row.is_top: {row.height(), row.sizeHint().height(), row.minimumSizeHint().height()} for row in rows}
    assert {is_top: len(some) for is_top, some in heights.items()} == {True: 1, False: 1}
    assert heights[True] != heights[False]


@pytest.mark.parametrize("key", ["rotation", "properties"])
def test_panel_behind_another_tab_is_made_when_the_tab_is_chosen_and_needs_no_more_room(
    open_instrument: Callable[..., Instrument], key: str
) -> None:
    window = open_instrument().window
    dock = window.docks[key]
    settle()
    assert (dock.is_behind, dock.is_filled) == (True, False)
    wide, high = dock.minimumSizeHint().width(), dock.minimumSizeHint().height()
    places = {name: other.geometry() for name, other in window.docks.items() if not other.is_behind}
    window.focus_next_panel()
    assert not dock.is_filled
    dock.raise_()
    settle()
    assert (dock.is_filled, dock.panel.isVisible()) == (True, True)
    assert {name: window.docks[name].geometry() for name in places if name != "similarity"} == {
        name: place for name, place in places.items() if name != "similarity"
    }
    assert dock.geometry() == places["similarity"]
    assert (wide, high) == (dock.minimumSizeHint().width(), dock.minimumSizeHint().height())
