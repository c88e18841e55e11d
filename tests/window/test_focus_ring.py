"""The ring around what the keyboard has come to lies beside a plot, wherever the plot stands."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea, QWidget

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.focus_ring import FocusRing
from pe_desktop.panels.scene_panel import ScenePanel, ScrolledScenePanel
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.main_window import SMALLEST, MainWindow

OpenInstrument = Callable[..., Instrument]
# Between a plot and the outer edge of the ring: two pixels of room, two of the ring.
REACH = 4
NOWHERE = QRect()
TABS = ("similarity", "rotation", "properties")


def pixels(window: QWidget) -> np.ndarray:
    image = window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()).copy() & 0xFFFFFF


def place_in(window: QWidget, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def rings(window: QWidget) -> list[FocusRing]:
    return [ring for ring in window.findChildren(FocusRing) if ring.isVisible()]


def ring_of(window: QWidget) -> QRect:
    """Where the one ring of a window is, NOWHERE without one."""
    found = rings(window)
    assert len(found) <= 1
    return found[0].geometry() if found else NOWHERE


def around(place: QRect) -> QRect:
    return place.adjusted(-REACH, -REACH, REACH, REACH)


def stops(window: MainWindow) -> Iterator[Canvas]:
    """The canvases that are seen and take the keyboard."""
    for canvas in window.findChildren(Canvas):
        is_behind = any(dock.is_behind and dock.isAncestorOf(canvas) for dock in window.docks.values())
        if canvas.isVisible() and canvas.focusPolicy() & Qt.FocusPolicy.TabFocus and not is_behind:
            yield canvas


@pytest.mark.parametrize("workspace", ["", *WORKSPACES, "compare"])
def test_ring_covers_nothing_but_bare_ground(open_instrument: OpenInstrument, workspace: str) -> None:
    instrument = open_instrument(width=SMALLEST[0], height=SMALLEST[1])
    window, theme = instrument.window, instrument.window.theme
    if workspace:
        instrument.model.set(**{f"{workspace}.is_open": True})
    bare = [color.rgb() & 0xFFFFFF for color in (theme.panel, theme.canvas)]
    for key in {"": TABS, "compare": ("compare",)}.get(workspace) or WORKSPACES[workspace]:
        instrument.model.set(front=(key,))
        wait_until_measured(instrument)
        QTest.qWait(20)
        for canvas in stops(window):
            window.setFocus()
            before = pixels(window)
            canvas.setFocus(Qt.FocusReason.TabFocusReason)
            QTest.qWait(10)
            is_changed = pixels(window) != before
            assert np.count_nonzero(is_changed) > REACH * canvas.width() / 2, (key, canvas.accessibleName())
            assert set(before[is_changed]) <= {*bare}, (key, canvas.accessibleName())


@pytest.mark.parametrize("key", ["clock", "waves", "similarity", "matrix"])
def test_ring_follows_a_plot_that_moves_floats_covers_the_screen_and_comes_back(
    instrument: Instrument, key: str
) -> None:
    window, dock = instrument.window, instrument.window.docks[key]
    panel = dock.panel
    assert isinstance(panel, ScenePanel)
    canvas = panel.canvas
    instrument.window.transport.play.setFocus()
    panel.take_focus()
    assert ring_of(window) == around(place_in(window, canvas))
    window.resize(1280, 720)
    QTest.qWait(50)
    assert ring_of(window) == around(place_in(window, canvas))
    for _ in range(2):
        dock.pop_out_or_in()
        QTest.qWait(50)
        window.setFocus()
        panel.take_focus()
        holder = dock if dock.isFloating() else window
        assert ring_of(holder) == around(place_in(holder, canvas))
    for _ in range(2):
        QTest.keyClick(canvas, Qt.Key.Key_F11)
        QTest.qWait(100)
        assert canvas.shows_focus
        assert ring_of(window) == around(place_in(window, canvas))
    window.setFocus()
    assert ring_of(window) == NOWHERE


def test_ring_of_a_page_that_scrolls_surrounds_what_is_seen_of_it(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(front="properties", height=720)
    window, panel = instrument.window, instrument.window.panel("properties")
    assert isinstance(panel, ScrolledScenePanel)
    panel.take_focus()
    for place in (0, panel.page_area.verticalScrollBar().maximum() // 2):
        panel.page_area.verticalScrollBar().setValue(place)
        QTest.qWait(20)
        assert panel.canvas.height() > panel.page_area.height()
        assert ring_of(window) == around(place_in(window, panel.page_area))


def test_ring_of_what_lies_on_a_page_ends_where_the_page_does(open_instrument: OpenInstrument) -> None:
    window = open_instrument(height=600).window
    spectrum = window.parameters.spectrum
    spectrum.setFocus(Qt.FocusReason.TabFocusReason)
    area = next(area for area in window.parameters.findChildren(QScrollArea) if area.isAncestorOf(spectrum))
    bar = area.verticalScrollBar()
    heights = set()
    for place in range(bar.maximum() + 1):
        bar.setValue(place)
        seen = place_in(window, spectrum) & place_in(window, area.viewport())
        assert ring_of(window) == (around(seen) if not seen.isEmpty() else QRect(0, 0, 0, 0))
        heights.add(seen.height())
    assert len(heights) > 1


class _Paints(QObject):
    """Counts the paint events of what it watches."""

    n_paints = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.n_paints += event.type() == QEvent.Type.Paint
        return False


@pytest.mark.parametrize("key", ["clock", "waves", "similarity", "matrix", "transport"])
def test_step_of_the_cursor_paints_no_ring(instrument: Instrument, key: str) -> None:
    window = instrument.window
    panel = window.panel(key)
    canvas = panel.canvas if isinstance(panel, ScenePanel) else window.transport.scrubber
    window.setFocus()
    canvas.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.qWait(50)
    (ring,) = rings(window)
    paints = _Paints()
    ring.installEventFilter(paints)
    ring.repaint()
    assert paints.n_paints == 1
    before = canvas.n_frames
    for position in range(5):
        instrument.model.move_cursor(position=float(position))
        QTest.qWait(20)
    assert canvas.n_frames - before == 5
    assert paints.n_paints == 1


def test_what_opens_over_a_plot_lies_over_its_ring(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(facts__is_open="true", width=1280, height=720)
    window = instrument.window
    facts = window.panel("facts")
    before = pixels(window)
    for panel in (window.waves, window.matrix):
        panel.take_focus()
        QTest.qWait(20)
        place = place_in(window, facts)
        after = pixels(window)
        rows, columns = slice(place.top(), place.bottom()), slice(place.left(), place.right())
        assert ring_of(window).intersects(place)
        assert np.array_equal(after[rows, columns], before[rows, columns])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_ground_lies_between_the_ring_of_a_place_and_its_colour(open_instrument: OpenInstrument, theme: str) -> None:
    instrument = open_instrument(study__is_open="true", front="code", code__page="repl")
    instrument.window.action_set.trigger(f"use_{theme}_theme")
    panel = instrument.window.panel("code")
    assert isinstance(panel, ScrolledScenePanel)
    canvas = panel.canvas
    canvas.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(canvas, Qt.Key.Key_Tab)
    QTest.qWait(30)
    # The chosen step has the colour of ink, which the ring isn't told from.
    area = next(place.area for place in canvas.places() if place.name.startswith("step 1"))
    image, y = canvas.grab().toImage(), round(area.middle[1])
    across = [image.pixelColor(round(area.x) + x, y).name() for x in range(4)]
    colors = canvas.theme
    assert across == [color.name() for color in (colors.focus, colors.focus, colors.panel, colors.ink)]
