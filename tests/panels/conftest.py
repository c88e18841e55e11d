"""A panel without a window, and a mouse for it."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from pe_desktop.core.state import state_of
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import themes
from pe_desktop.model.playback import Playback
from pe_desktop.panels.scene_panel import Panel, ScenePanel, dress
from tests.views.seen import texts_in
from tests.window import acting

LEFT = Qt.MouseButton.LeftButton
NO_KEY, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def open_panel(make_model, qtbot) -> Callable[..., Panel]:
    """Shows a panel of a declared state: open_panel(WavesPanel, 900, 420, d_model=64)."""

    def open_now(panel_class: type[Panel], width: int = 900, height: int = 420, **state: object) -> Panel:
        model = make_model()
        model.set_state(state_of({name.replace("__", "."): str(value) for name, value in state.items()}), "")
        panel = panel_class(model, Playback(model))
        qtbot.addWidget(panel)
        dress(panel, themes()["light"])
        panel.resize(width, height)
        panel.show()
        qtbot.waitUntil(lambda: panel.is_made and not model.turns.is_busy)
        # What became wider in the theme's letters is laid out by an event.
        QApplication.processEvents()
        return panel

    return open_now


@pytest.fixture
def open_settled(open_panel, qtbot) -> Callable[..., Panel]:
    """Shows a panel and waits until all that it asked for is known."""

    def open_now(panel_class: type[Panel], width: int, height: int, **state: object) -> Panel:
        panel: Panel = open_panel(panel_class, width, height, **state)
        qtbot.waitUntil(lambda: not panel.model.findings.is_busy(panel.key))
        return panel

    return open_now


def place_of(panel: ScenePanel, name: str) -> Place:
    """A place of the canvas, once it is drawn as things are now."""
    return acting.place_of(panel.canvas, name)


def area_of(panel: ScenePanel, name: str) -> Area:
    """Where a place of the canvas lies."""
    return place_of(panel, name).area


def texts(panel: ScenePanel) -> list[str]:
    """All texts of the canvas as things are now, thin spaces as blanks."""
    panel.canvas.repaint()
    return texts_in(panel.canvas.scene())


def middle(panel: ScenePanel, name: str) -> QPoint:
    """The middle of a place of the canvas."""
    return QPointF(*area_of(panel, name).middle).toPoint()


def press(widget: QWidget, text: str) -> None:
    """Press the button of a panel or field with these words."""
    QTest.mouseClick(next(one for one in widget.findChildren(QToolButton) if one.text() == text), LEFT)


def drag(widget: QWidget, *places: QPoint, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NO_KEY) -> None:
    """Press at the first place, move over the others and let go at the last."""
    QTest.mousePress(widget, button, keys, places[0])
    for place in places[1:]:
        QTest.mouseMove(widget, place)
    QTest.mouseRelease(widget, button, keys, places[-1])


def wheel(widget: QWidget, place: QPointF, notches: float = 1, keys: Qt.KeyboardModifier = NO_KEY) -> QWheelEvent:
    """Turn the wheel over a place."""
    event = QWheelEvent(
        place, widget.mapToGlobal(place), QPoint(), QPoint(0, round(120 * notches)), Qt.MouseButton.NoButton, keys,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)
    return event
