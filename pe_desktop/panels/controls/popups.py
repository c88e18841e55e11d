"""Menus, lists and cards that open over the window, with round corners; the question for a file."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QStandardPaths, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAction, QActionGroup, QHelpEvent, QRegion, QShowEvent
from PySide6.QtWidgets import QApplication, QComboBox, QFrame, QMenu, QStyledItemDelegate, QWidget

from pe_desktop.draw.canvas import ENTER
from pe_desktop.draw.spoken import Spoken
from pe_desktop.draw.told import Told, show_above
from pe_desktop.languages import told
from pe_desktop.panels.controls.layouts import moved_into, paint_ground


class _Entries(QStyledItemDelegate):
    """Draws entries by the style sheet, which the usual delegate does not know, and shows tooltips beside them."""

    def helpEvent(self, event: QHelpEvent, view: QWidget, option: Any, index: Any) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            words, right = index.data(Qt.ItemDataRole.ToolTipRole) or "", option.widget.window().geometry().right()
            show_above(option.rect, words, event, option.widget.viewport(), beside=right)
        return True


class ChoiceBox(Told, Spoken, QComboBox):
    """Opens with a press, Enter or Space; the arrows choose. A press leaves the focus where it was, a key takes it."""

    accessible_role = QAccessible.Role.ComboBox
    # What the entry means, as it was offered.
    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setItemDelegate(_Entries(self))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.currentIndexChanged.connect(self.tell_change)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Qt has told of its name when the first entry came, before it had one.
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.NameChanged))

    def showPopup(self) -> None:  # noqa: N802 - Qt's name
        if self.view().window().mask().isEmpty():
            _round_off(self.view().window())
            self.view().installEventFilter(self)
        super().showPopup()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress:
            # Before it closes the list: the next key acts here, too.
            self.setFocus()
        return super().eventFilter(watched, event)

    def accessible_value(self) -> str:
        return self.currentText() or self.placeholderText()

    def accessible_actions(self) -> Mapping[str, Callable[[], object]]:
        return {"ShowMenu": self.showPopup}

    def offer(self, name: str, words: Mapping[Any, str], tooltips: Mapping[str, str]) -> None:
        """Open with these words and what is to be known of each, by what it means, which `chosen` tells."""
        for place, (value, text) in enumerate(words.items()):
            self.addItem(told(text), value)
            self.setItemData(place, told(tooltips.get(value, "")), Qt.ItemDataRole.ToolTipRole)
        self.setAccessibleName(name)
        self.activated.connect(self._on_activated)

    def show_choice(self, choice: object) -> None:
        """Show which one is chosen, without announcing it."""
        self.setCurrentIndex(self.findData(choice))

    def _on_activated(self, place: int) -> None:
        self.chosen.emit(self.itemData(place))

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        event.ignore()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() in (*ENTER, Qt.Key.Key_Space) and not event.isAutoRepeat():
            self.showPopup()
        elif event.text().isprintable() and event.text():
            event.ignore()
        else:
            super().keyPressEvent(event)


# Of menus and lists, and of cards, as in the style sheet.
_RADIUS, _CARD_RADIUS = 8.0, 10.0


def _round_off(popup: QWidget, radius: float = _RADIUS) -> None:
    """Cut the corners of a popup whose style sheet draws round ones; to be called before it is shown.

    The ground is clear. Where nothing blends windows it would be black: the mask cuts that off, and what is left of it
    under the smooth edge has the colour of the edge.
    """
    _clear_ground(popup)
    _Corners(popup, radius)


def _clear_ground(popup: QWidget) -> None:
    popup.setWindowFlags(popup.windowFlags() | Qt.WindowType.FramelessWindowHint | Qt.WindowType.NoDropShadowWindowHint)
    popup.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)


class Menu(QMenu):
    """A menu with round corners."""

    def __init__(self, parent: QWidget, title: str = "") -> None:
        super().__init__(told(title), parent)
        _clear_ground(self)

    def add(self, text: str) -> QAction:
        """An entry at its end."""
        return self.addAction(told(text))

    def add_choices(self, words: Mapping[str, str], choose: Callable[[str], object]) -> dict[str, QAction]:
        """Entries of which one is checked, by what each means, which is handed on when it is chosen."""
        group, entries = QActionGroup(self), {}
        for value, text in words.items():
            entries[value] = group.addAction(told(text))
            entries[value].setCheckable(True)
            entries[value].triggered.connect(partial(choose, value))
        self.addActions(group.actions())
        return entries

    def showEvent(self, event: QShowEvent) -> None:
        if self.mask().isEmpty():
            # Not before: a menu is told of each change of each entry, a filter of all that.
            _Corners(self, _RADIUS)
        super().showEvent(event)


class Card(QFrame):
    """Controls or a plot on a card that a press elsewhere closes."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("role", "overlay")
        _round_off(self, _CARD_RADIUS)

    def open_at(self, corner: QPoint) -> None:
        """Open with the right upper corner at a point of the screen, as far as there is room."""
        self.adjustSize()
        place = QRect(corner - QPoint(self.width(), 0), self.size())
        self.move(moved_into(self.screen().availableGeometry(), place))
        self.show()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        # On a clear ground Qt leaves out what the style sheet says.
        paint_ground(self)


def chosen_file(parent: QWidget, title: str, name: str, kind: str, ending: str) -> tuple[Path, bool] | None:
    """The file that a person chooses to write, and whether it may stand there already; None where none is chosen.

    name: the proposed one, of the folder of documents where it names none; kind: what such files are called.

    Qt has asked about the name that was typed: one that only gets its ending here must replace no file.
    """
    from PySide6.QtWidgets import QFileDialog  # noqa: PLC0415 - the first frame asks for no file

    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    proposal = str(Path(folder, name if name.lower().endswith(ending) else name + ending))
    chosen, _ = QFileDialog.getSaveFileName(parent, told(title), proposal, f"{kind} (*{ending})")
    has_ending = chosen.lower().endswith(ending)
    return (Path(chosen if has_ending else chosen + ending), has_ending) if chosen else None


class _Corners(QObject):
    """Masks its parent now, when it is shown and when its size changes, and lays the colour of its edge under it."""

    def __init__(self, popup: QWidget, radius: float) -> None:
        super().__init__(popup)
        self._radius = radius
        popup.setMask(_rounded(popup.rect(), radius))
        popup.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(watched, QWidget):
            return False
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            watched.setMask(_rounded(watched.rect(), self._radius))
        elif event.type() == QEvent.Type.Paint:
            with QtGui.QPainter(watched) as painter:
                painter.setClipRegion(watched.mask())
                painter.fillRect(watched.rect(), QApplication.palette().color(QtGui.QPalette.ColorRole.Mid))
        return False


def _rounded(rect: QRect, radius: float) -> QRegion:
    """The pixels of a rectangle with round corners that are within it by half or more, the same at each corner."""
    region = QRegion(rect)
    for row in range(math.ceil(radius)):
        cut = round(radius - math.sqrt(radius**2 - (radius - row - 0.5) ** 2))
        for y in (rect.top() + row, rect.bottom() - row):
            region -= QRegion(rect.left(), y, cut, 1)
            region -= QRegion(rect.right() + 1 - cut, y, cut, 1)
    return region
