"""The window in a process of its own, which answers on a pipe where its menus, docks and buttons are on the screen.

What is pressed comes from outside, through the X server: nothing here triggers anything.
"""

import json
import sys
import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QApplication, QDockWidget, QMenu, QMenuBar, QTabBar, QWidget

from pe_desktop.app import main
from pe_desktop.window.dock import PanelDock
from pe_desktop.window.main_window import MainWindow

Answer = Any


def _rectangle(widget: QWidget, inside: QRect | None = None) -> list[int]:
    """Left, top, width and height in the screen's pixels."""
    rectangle = widget.rect() if inside is None else inside
    corner = widget.mapToGlobal(rectangle.topLeft())
    return [corner.x(), corner.y(), rectangle.width(), rectangle.height()]


def _window() -> MainWindow:
    return next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow))


def _rows() -> Answer:
    """Every action: id, way through the menus, key, whether it can be chosen now."""
    actions = _window().action_set
    return [
        {
            "id": row.id,
            "menu": row.menu.split(" > ") if row.menu else [],
            "key": row.key,
            "other_key": row.other_key,
            "is_enabled": actions.entries[row.id].isEnabled() and actions.entries[row.id].isVisible(),
            "is_switch": row.is_checked is not None,
        }
        for row in actions.rows.values()
    ]


def _title(menu: str) -> Answer:
    """Where the title of a menu stands."""
    bar = next(bar for bar in _window().findChildren(QMenuBar) if bar.isVisible())
    entry = _window().header.menus[menu].menuAction()
    return _rectangle(bar, bar.actionGeometry(entry))


def _active(menu: str, action_id: str) -> Answer:
    """Whether a menu is open, and how often Down has to be pressed until the entry of an action or menu is marked."""
    opened = _window().header.menus[menu]
    menus, entries = _window().header.menus, _window().action_set.entries
    wanted = entries[action_id] if action_id in entries else menus[action_id].menuAction()
    shown = [entry for entry in opened.actions() if entry.isVisible() and entry.isEnabled() and not entry.isSeparator()]
    marked = shown.index(opened.activeAction()) if opened.activeAction() in shown else -1
    n_down = shown.index(wanted) - marked if wanted in shown else None
    return {"is_open": opened.isVisible(), "n_down": n_down}


def _windows() -> Answer:
    """What stands above the window or covers it, the topmost first: what it is, its class, title."""
    above = []
    modal = QApplication.activeModalWidget()
    popup = QApplication.activePopupWidget()
    for kind, widget in (("popup", popup), ("modal", modal)):
        if widget is not None:
            above.append({"kind": kind, "name": type(widget).__name__, "title": widget.windowTitle()})
    full = [dock.panel for dock in _window().docks.values() if dock.is_full_screen]
    above += [{"kind": "full screen", "name": type(panel).__name__, "title": panel.title} for panel in full]
    others = [
        widget
        for widget in QApplication.topLevelWidgets()
        if widget.isVisible() and not isinstance(widget, MainWindow | QDockWidget | QMenu) and widget is not modal
    ]
    return above + [
        {"kind": "other", "name": type(widget).__name__, "title": widget.windowTitle()}
        for widget in others
        if widget.windowType() in (Qt.WindowType.Window, Qt.WindowType.Dialog)
    ]


def _docks() -> Answer:
    """Every dock: where it is, its title row, whether it is seen, floats, stands behind a tab."""
    return {
        key: {
            "place": _rectangle(dock),
            "title": None if dock.title_row is None else _rectangle(dock.title_row.title),
            "more": _more(dock),
            "is_seen": dock.isVisible() and not dock.is_behind,
            "is_open": not dock.isHidden(),
            "is_floating": dock.isFloating(),
            "is_movable": dock.kind.is_movable and not dock.kind.is_workspace,
        }
        for key, dock in _window().docks.items()
    }


def _more(dock: PanelDock) -> Answer:
    """Where the button of a dock's menu is, if it has one."""
    buttons = [] if dock.title_row is None else dock.title_row.findChildren(QAbstractButton)
    return next((_rectangle(button) for button in buttons if button.accessibleName().endswith(": more")), None)


def _tabs() -> Answer:
    """Every tab of docks: its words and where it is."""
    bars = [bar for bar in _window().findChildren(QTabBar) if bar.isVisible() and bar.parent() is _window()]
    return [
        {"words": bar.tabText(i), "place": _rectangle(bar, bar.tabRect(i))} for bar in bars for i in range(bar.count())
    ]


def _menu() -> Answer:
    """The entries of the popup menu that is open: words and where they are."""
    menu = QApplication.activePopupWidget()
    if not isinstance(menu, QMenu):
        return []
    entries = [entry for entry in menu.actions() if not entry.isSeparator() and entry.isVisible()]
    return [{"words": entry.text(), "place": _rectangle(menu, menu.actionGeometry(entry))} for entry in entries]


def _place() -> Answer:
    window = _window()
    return {"place": _rectangle(window), "frame": [window.frameGeometry().width(), window.frameGeometry().height()]}


def _is_quiet() -> Answer:
    """Whether everything that is seen has been measured and drawn, and no event waits."""
    window = _window()
    seen = [dock for dock in window.docks.values() if dock.shows_panel]
    return not window.model.findings.is_busy() and all(dock.panel.is_made for dock in seen)


def _focus() -> Answer:
    widget = QApplication.focusWidget()
    if widget is None:
        return None
    return {"name": type(widget).__name__, "words": widget.accessibleName(), "is_seen": _is_on_screen(widget)}


def _is_on_screen(widget: QWidget) -> bool:
    corner = widget.mapTo(widget.window(), QPoint(0, 0))
    return widget.isVisible() and corner.x() + widget.width() > 0 and corner.y() + widget.height() > 0


_QUESTIONS: dict[str, Callable[..., Answer]] = {
    "rows": _rows,
    "title": _title,
    "active": _active,
    "windows": _windows,
    "docks": _docks,
    "tabs": _tabs,
    "menu": _menu,
    "place": _place,
    "is_quiet": _is_quiet,
    "focus": _focus,
}


class Answers(QObject):
    """Answers each line of the standard input with one line of JSON, from the thread of the window."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.asked.connect(self._answer, Qt.ConnectionType.QueuedConnection)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in sys.stdin:
            self.asked.emit(line)

    def _answer(self, line: str) -> None:
        question, *arguments = json.loads(line)
        # Nothing is answered about a window that isn't there yet.
        answer = _QUESTIONS[question](*arguments) if any(map(_is_window, QApplication.topLevelWidgets())) else None
        print(json.dumps(answer), flush=True)


def _is_window(widget: QWidget) -> bool:
    return isinstance(widget, MainWindow)


if __name__ == "__main__":
    answers = Answers()
    sys.exit(main(sys.argv[1:]))
