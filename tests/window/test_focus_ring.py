"""The ring around what the keyboard has come to lies beside a plot, wherever the plot stands."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea, QWidget

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.focus_ring import FocusRing
from pe_desktop.window.dock import tab_bar
from pe_desktop.window.main_window import SMALLEST, MainWindow
from tests.pictures import pixels
from tests.window.acting import BY_TAB, LEFT, focused, press, resize, settle, show, trigger
from tests.window.conftest import PLOTS, TABS, OpenInstrument, Watcher, dock_of, panel_of, row_of

# Two pixels of it, two of room between it and a plot.
REACH = 4
NOWHERE = QRect()


def colors(window: QWidget) -> np.ndarray:
    """0xRRGGBB of every pixel."""
    return pixels(window.grab().toImage()) & 0xFFFFFF


def place_in(window: QWidget, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def ring_of(window: QWidget) -> QRect:
    """Where the one ring of a window is, NOWHERE without one."""
    found = [ring for ring in window.findChildren(FocusRing) if ring.isVisible()]
    assert len(found) <= 1
    return found[0].geometry() if found else NOWHERE


def around(place: QRect) -> QRect:
    return place.adjusted(-REACH, -REACH, REACH, REACH)


def canvases(window: MainWindow) -> Iterator[Canvas]:
    """Those that are seen and take the keyboard."""
    for canvas in window.findChildren(Canvas):
        if canvas.isVisible() and canvas.focusPolicy() & Qt.FocusPolicy.TabFocus and dock_of(canvas, window):
            yield canvas


def test_the_ring_is_for_keys_and_what_they_open_and_no_scroll_area_takes_the_keyboard(instrument) -> None:
    window, waves, dock = instrument.window, instrument.window.waves.canvas, instrument.window.docks["waves"]
    for canvas in (window.clock.canvas, waves, window.transport.scrubber, window.transport.strip):
        window.setFocus()
        canvas.setFocus(BY_TAB)
        assert canvas.shows_focus
        QTest.mouseClick(canvas, LEFT, pos=QPoint(30, 15))
        assert not canvas.shows_focus
    for is_shown in (False, True):
        trigger(instrument, "toggle_attention")
        opened = focused()
        assert opened.shows_focus == is_shown
        trigger(instrument, "toggle_attention")
        press(Qt.Key.Key_Home)
    QTest.mouseClick(waves, LEFT, pos=QPoint(3, 3))
    QTest.keyClick(waves, Qt.Key.Key_Home)
    for is_floating in (True, False):
        dock.pop_out_or_in()
        QTest.qWait(30)
        assert (dock.isFloating(), focused() is waves, waves.shows_focus) == (is_floating, True, True)
    slider, handle = row_of(instrument, "base").slider, window.windowHandle()
    for widget in (slider, window.header.buttons["toggle_facts"]):
        QTest.mouseClick(handle, LEFT, pos=widget.mapTo(window, widget.rect().center()))
        settle()
        assert window.theme.focus.rgb() & 0xFFFFFF not in colors(slider)
    assert (focused(), focused().shows_focus) == (window.panel("facts").canvas, False)
    QTest.keyClick(handle, Qt.Key.Key_Home)
    slider.setFocus(BY_TAB)
    # A ring along its edge, as others have.
    assert slider.grab().toImage().pixelColor(slider.width() // 2, 0).name() == window.theme.focus.name()
    areas = window.findChildren(QScrollArea)
    assert len(areas) >= 2
    assert {area.focusPolicy() for area in areas} == {Qt.FocusPolicy.NoFocus}


def test_ring_covers_nothing_but_bare_ground(open_instrument: OpenInstrument, luck: random.Random) -> None:
    instrument = open_instrument(width=SMALLEST[0], height=SMALLEST[1])
    window, theme = instrument.window, instrument.window.theme
    bare = {color.rgb() & 0xFFFFFF for color in (theme.panel, theme.canvas)}
    for key in luck.sample([*TABS, *(key for keys in WORKSPACES.values() for key in keys), "compare"], 4):
        show(instrument, **({"compare__is_open": True} if key == "compare" else {"front": (key,)}))
        # In so small a window docks that were made late lie over others until the keyboard moves.
        window.transport.scrubber.setFocus(BY_TAB)
        settle()
        for canvas in canvases(window):
            window.setFocus()
            before = colors(window)
            canvas.setFocus(BY_TAB)
            QTest.qWait(10)
            is_changed = colors(window) != before
            assert np.count_nonzero(is_changed) > REACH * canvas.width() / 2, (key, canvas.accessibleName())
            assert set(before[is_changed]) <= bare, (key, canvas.accessibleName())


@pytest.mark.parametrize("key", ["waves", "similarity"])
def test_ring_follows_a_plot_that_moves_floats_covers_the_screen_and_comes_back(instrument, key) -> None:
    window, dock, panel = instrument.window, instrument.window.docks[key], panel_of(instrument, key)
    window.transport.play.setFocus()
    panel.take_focus()
    assert ring_of(window) == around(place_in(window, panel.canvas))
    resize(instrument, 1280, 720)
    assert ring_of(window) == around(place_in(window, panel.canvas))
    for holder in (dock, window):
        dock.pop_out_or_in()
        QTest.qWait(50)
        window.setFocus()
        panel.take_focus()
        assert dock.isFloating() == (holder is dock)
        assert ring_of(holder) == around(place_in(holder, panel.canvas))
    for is_full in (True, False):
        QTest.keyClick(panel.canvas, Qt.Key.Key_F11)
        QTest.qWait(100)
        assert panel.canvas.shows_focus != is_full
        assert ring_of(window) == (NOWHERE if is_full else around(place_in(window, panel.canvas)))
    window.setFocus()
    assert ring_of(window) == NOWHERE


def test_ring_surrounds_what_is_seen_of_a_page_and_ends_where_the_page_does(instrument, window) -> None:
    window.resize(1600, 640)
    show(instrument, front="properties")
    panel, spectrum = window.panel("properties"), window.parameters.spectrum
    panel.take_focus()
    for place in (0, panel.page_area.verticalScrollBar().maximum() // 2):
        panel.page_area.verticalScrollBar().setValue(place)
        QTest.qWait(20)
        assert panel.canvas.height() > panel.page_area.height()
        assert ring_of(window) == around(place_in(window, panel.page_area))
    spectrum.setFocus(BY_TAB)
    area = next(area for area in window.parameters.findChildren(QScrollArea) if area.isAncestorOf(spectrum))
    heights = set()
    for place in range(area.verticalScrollBar().maximum() + 1):
        area.verticalScrollBar().setValue(place)
        part = place_in(window, spectrum) & place_in(window, area.viewport())
        assert ring_of(window) == (QRect(0, 0, 0, 0) if part.isEmpty() else around(part))
        heights.add(part.height())
    assert len(heights) > 1


def test_step_of_the_cursor_paints_no_ring(instrument, window) -> None:
    for canvas in (*(panel_of(instrument, key).canvas for key in PLOTS), window.transport.scrubber):
        window.setFocus()
        canvas.setFocus(BY_TAB)
        QTest.qWait(50)
        (ring,) = (ring for ring in window.findChildren(FocusRing) if ring.isVisible())
        paints = Watcher([ring], QEvent.Type.Paint)
        ring.repaint()
        before = canvas.n_frames
        for position in range(3):
            instrument.model.move_cursor(position=float(position))
            QTest.qWait(20)
        assert canvas.n_frames - before == 3
        assert paints.counts[ring] == 1


def test_what_opens_over_a_plot_lies_over_its_ring(open_instrument: OpenInstrument) -> None:
    window = open_instrument(facts__is_open="true", width=840, height=720).window
    place = place_in(window, window.panel("facts"))
    rows, columns = slice(place.top(), place.bottom()), slice(place.left(), place.right())
    for key in ("waves", "matrix"):
        window.docks[key].bring_forward()
        settle()
        window.setFocus()
        before = colors(window)
        window.panel(key).take_focus()
        QTest.qWait(20)
        assert ring_of(window).intersects(place)
        assert np.array_equal(colors(window)[rows, columns], before[rows, columns])


def test_a_ring_surrounds_the_tab_and_leaves_ground_around_the_place_in_focus(instrument, window) -> None:
    bar = tab_bar(window.docks["similarity"])
    assert bar is not None

    def colors_of_the_edges() -> list[str]:
        tab, image = bar.tabRect(bar.currentIndex()), bar.grab().toImage()
        return [image.pixelColor(tab.center().x() + 8, y).name() for y in (tab.top() + 4, tab.bottom())]

    for theme in ("light", "dark"):
        instrument.live_settings.set(theme=theme)
        assert window.theme.focus.name() not in colors_of_the_edges()
        bar.setFocus()
        assert colors_of_the_edges() == [window.theme.focus.name()] * 2
        window.clock.take_focus()
    show(instrument, front="code", code__page="repl")
    canvas = panel_of(instrument, "code").canvas
    for theme in ("light", "dark"):
        instrument.live_settings.set(theme=theme)
        window.setFocus()
        canvas.setFocus(BY_TAB)
        press(Qt.Key.Key_Tab)
        QTest.qWait(30)
        # A line of the panel's colour between both tells the ring from any chosen place.
        area = next(place.area for place in canvas.places() if place.name.startswith("step 1"))
        image, x = canvas.grab().toImage(), round(area.middle[0])
        down = [image.pixelColor(x, round(area.y) + y).name() for y in range(3)]
        theirs = canvas.theme
        assert down == [color.name() for color in (theirs.focus, theirs.focus, theirs.panel)]
