"""What can be done in the window: rows of a table, and the menu entries and keys made from them."""

import re
from collections.abc import Callable, Iterable

from PySide6.QtCore import QKeyCombination, QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from pe_desktop.core.record import record
from pe_desktop.languages import told

# What no field uses: keys with Ctrl, but for those that move the caret, and function keys.
_NOT_TYPED = re.compile(r"\bF\d|Ctrl\+(?!(Left|Right|Up|Down)$)")
# Some keyboards have these behind Shift.
_SIGNS = frozenset("+-=[].,")


@record
class Action:
    """One thing that can be done.

    menu is the way to its entry, "View > Theme", empty where it has none. A title that changes is a function; one
    that is empty hides the entry. is_checked is None for what can't be switched on and off. A key that a field may use
    acts only while none has the focus: the window asks for it with `trigger_key`, for Qt's shortcuts would take it.
    """

    id: str
    menu: str
    title: str | Callable[[], str]
    run: Callable[[], object]
    key: str = ""
    other_key: str = ""
    starts_group: bool = False
    is_checked: Callable[[], bool] | None = None
    is_enabled: Callable[[], bool] | None = None

    @property
    def is_plain_key(self) -> bool:
        """Whether the key would be typed into a field."""
        return bool(self.key) and not _NOT_TYPED.search(self.key)

    @property
    def title_now(self) -> str:
        return self.title if isinstance(self.title, str) else self.title()


class ActionSet(QObject):
    """The table of actions with an entry of Qt's for each, which menus, buttons and keys trigger."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._group = QActionGroup(self)
        self._group.setExclusive(False)
        self.rows: dict[str, Action] = {}
        self.entries: dict[str, QAction] = {}

    def add(self, rows: Iterable[Action]) -> None:
        """Make the entries of a table."""
        for row in rows:
            # Made by Qt: for each object of its own making PySide looks for signals in all its classes.
            entry = self._group.addAction("")
            if row.key and not row.is_plain_key:
                entry.setShortcuts([QKeySequence(key) for key in (row.key, row.other_key) if key])
            entry.setCheckable(row.is_checked is not None)
            entry.setData(row.id)
            entry.triggered.connect(self._on_triggered)
            self.rows[row.id] = row
            self.entries[row.id] = entry
            self._show_title(row)
        self.refresh()

    def trigger(self, action_id: str) -> None:
        """Do what the row of this id says."""
        self.entries[action_id].trigger()

    def trigger_key(self, pressed: QKeyCombination) -> bool:
        """Do what a plain key means; whether it means anything."""
        modifiers = pressed.keyboardModifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key = pressed.key()
        meant = [QKeySequence(QKeyCombination(modifiers, key))]
        if modifiers & Qt.KeyboardModifier.ShiftModifier and QKeySequence(key).toString() in _SIGNS:
            meant.append(QKeySequence(QKeyCombination(modifiers & ~Qt.KeyboardModifier.ShiftModifier, key)))
        for row in self.rows.values():
            keys = (row.key, row.other_key) if row.is_plain_key else ()
            if any(QKeySequence(row_key) in meant for row_key in keys if row_key):
                self.trigger(row.id)
                return True
        return False

    def refresh(self, *, ids: Iterable[str] = ()) -> None:
        """Let the entries of these ids, without any all, show what is switched on and what can be done now."""
        for action_id in ids or self.rows:
            row, entry = self.rows[action_id], self.entries[action_id]
            if row.is_checked is not None:
                entry.setChecked(row.is_checked())
            if row.is_enabled is not None:
                entry.setEnabled(row.is_enabled())
            if not isinstance(row.title, str):
                self._show_title(row)

    def _show_title(self, row: Action) -> None:
        title = row.title_now
        self.entries[row.id].setVisible(bool(title))
        self.entries[row.id].setText(told(title) + f"\t{row.key}" * row.is_plain_key)

    def _on_triggered(self) -> None:
        entry = self.sender()
        assert isinstance(entry, QAction)
        self.rows[entry.data()].run()
        self.refresh()
