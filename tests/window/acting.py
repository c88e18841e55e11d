"""What a person does in the window of a test: keys, presses, drags and sizes, until nothing moves any more."""

from typing import Any

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar

from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.scene import Place
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.dock import PanelDock
from pe_desktop.window.main_window import MainWindow

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
BY_TAB = Qt.FocusReason.TabFocusReason
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def focused() -> Any:
    """What has the keyboard."""
    return QApplication.focusWidget()


def press(*keys: Qt.Key, modifier: Qt.KeyboardModifier = NO_KEY) -> None:
    """Press keys one after the other, each where the keyboard is then."""
    for key in keys:
        QTest.keyClick(focused(), key, modifier)


def place_of(canvas: Canvas, name: str) -> Place:
    """A place of what a canvas shows now."""
    canvas.repaint()
    return next(place for place in canvas.places() if place.name == name)


def press_place(canvas: Canvas, name: str) -> None:
    """Press a place in its middle, and wait until the docks have followed."""
    QTest.mouseClick(canvas, LEFT, pos=QPointF(*place_of(canvas, name).area.middle).toPoint())
    settle()


def show(instrument: Instrument, **names: object) -> None:
    """Set names of the state, a dot written as two underscores, and wait until what comes of it is measured."""
    instrument.model.set(**{name.replace("__", "."): value for name, value in names.items()})
    wait_until_measured(instrument)


def trigger(instrument: Instrument, *actions: str) -> None:
    """Choose entries of the menus, and wait until what comes of them is measured."""
    for action in actions:
        instrument.window.action_set.trigger(action)
    wait_until_measured(instrument)


def resize(instrument: Instrument, *size: Any) -> None:
    """Give the window a size, and wait until its docks have theirs."""
    instrument.window.resize(*size)
    settle()


def settle() -> None:
    """Handle events until no dock moves any more."""
    before = None
    for _ in range(100):
        QTest.qWait(15)
        now = [(widget, widget.geometry()) for widget in QApplication.allWidgets() if isinstance(widget, PanelDock)]
        if now == before:
            break
        before = now


def tab_of(window: MainWindow, title: str) -> tuple[QTabBar, QPoint]:
    """The row of tabs with a title, and where its tab is."""
    bars = (bar for bar in window.findChildren(QTabBar) if window.childAt(bar.geometry().center()) is bar)
    return next((bar, bar.tabRect(n).center()) for bar in bars for n in range(bar.count()) if bar.tabText(n) == title)


def drag_column(window: MainWindow, pixels: int, *, is_row: bool = False) -> None:
    """Drag the edge between the columns of clock and waves, or that below the waves."""
    dock = window.docks["waves" if is_row else "clock"]
    handle, place = window.windowHandle(), dock.geometry()
    middle, one = place.center(), QPoint(0, 1) if is_row else QPoint(1, 0)
    edge = QPoint(middle.x(), place.bottom() + 4) if is_row else QPoint(place.right() + 4, middle.y())
    QTest.mouseMove(handle, edge)
    QTest.mousePress(handle, LEFT, NO_KEY, edge)
    for step in (one * (pixels // 2), one * pixels):
        QTest.mouseMove(handle, edge + step)
        for _ in range(100):
            QTest.qWait(10)
            if dock.geometry().bottomRight() == place.bottomRight() + step:
                break
    QTest.mouseRelease(handle, LEFT, NO_KEY, edge + one * pixels)
    QTest.mouseMove(handle, QPoint(0, 0))
    settle()
