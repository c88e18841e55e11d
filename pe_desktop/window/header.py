"""The row above the panels: the mark of the product, the menus, what has just been done, a few buttons."""

from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QMenuBar, QWidget

from pe_desktop.draw.theme import Theme
from pe_desktop.panels.controls.buttons import IconButton
from pe_desktop.panels.controls.layouts import filled
from pe_desktop.panels.controls.popups import Menu
from pe_desktop.resources import resource_path
from pe_desktop.window.actions import Action, ActionSet
from pe_desktop.window.card import SubtitleLabel

HEIGHT = 48
_MARK_SIDE = 22
# How long a message stands there.
_MESSAGE_MILLISECONDS = 8000
_MENUS = ("File", "Edit", "View", "Go", "Help")
# Of each button its action, icon, words and key.
_BUTTONS = (
    ("toggle_facts", "book", "Facts: what the texts say, measured", "Ctrl+Shift+F"),
    ("toggle_attention", "attention", "Attention: what moving a word changes", "W"),
    ("toggle_study", "list", "Study: derivations, code, precision, decoder", "D"),
    ("toggle_compare", "compare", "Compare encodings", "M"),
    ("export", "export", "Export", "Ctrl+E"),
    ("toggle_theme", "moon", "Dark theme", ""),
)


class Header(QWidget):
    """Menus and buttons that trigger actions, and one sentence between them."""

    # What is said, "" once it has stood there long enough.
    message_changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(HEIGHT)
        mark = QLabel()
        mark.setPixmap(QIcon(str(resource_path("icons", "app.svg"))).pixmap(QSize(_MARK_SIDE, _MARK_SIDE)))
        mark.setAccessibleName("PE Desktop")
        self._bar = QMenuBar()
        self.menus: dict[str, QMenu] = {name: Menu(self._bar, f"&{name}") for name in _MENUS}
        for menu in self.menus.values():
            self._bar.addMenu(menu)
        self.buttons = {name: IconButton(icon, words, self, key=key) for name, icon, words, key in _BUTTONS}
        # Between menus and buttons, where it takes no room from the panels when it comes and goes.
        self._message = SubtitleLabel("note", Qt.AlignmentFlag.AlignRight)
        self._silence = QTimer(self, interval=_MESSAGE_MILLISECONDS, singleShot=True)
        self._silence.timeout.connect(partial(self.show_message, ""))
        row = filled(QHBoxLayout(self), mark, self._bar, 16, self._message, 10, spacing=6, wide=self._message)
        filled(row, *self.buttons.values(), margins=(8, 2, 6, 2))
        row.setAlignment(self._bar, Qt.AlignmentFlag.AlignVCenter)

    def show_actions(self, actions: ActionSet) -> None:
        """Fill the menus and give the buttons their actions."""
        for row in actions.rows.values():
            if row.menu:
                self._menu(row).addAction(actions.entries[row.id])
        for name, button in self.buttons.items():
            entry = actions.entries[name]
            button.clicked.connect(entry.trigger)
            entry.toggled.connect(button.setChecked)
            button.setCheckable(entry.isCheckable())
            button.setChecked(entry.isChecked())

    @property
    def message(self) -> str:
        """What was said last, until it has stood there long enough."""
        return self._message.full_text

    def show_message(self, sentence: str) -> None:
        """Say one sentence for a while, or until the next."""
        self._message.show_text(sentence)
        if sentence:
            self._silence.start()
        self.message_changed.emit(sentence)

    def show_theme(self, theme: Theme) -> None:
        """Draw in another theme; the button offers the other one."""
        self.buttons["toggle_theme"].set_icon("moon" if theme.base == "light" else "sun")
        self.buttons["toggle_theme"].set_words("Dark theme" if theme.base == "light" else "Light theme")

    def _menu(self, row: Action) -> QMenu:
        """The menu of a row, made where it is new; a line stands before what starts a group."""
        first, *names = row.menu.split(" > ")
        menu, starts_group = self.menus[first], row.starts_group
        for name in names:
            if name not in self.menus:
                if starts_group:
                    menu.addSeparator()
                starts_group = False
                self.menus[name] = Menu(menu, name)
                menu.addMenu(self.menus[name])
            menu = self.menus[name]
        if starts_group:
            menu.addSeparator()
        return menu
