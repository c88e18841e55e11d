"""The row above the panels: the mark of the product, the menus, what has just been done, a few buttons."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QAction, QActionGroup, QIcon, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QMenuBar, QSizePolicy, QWidget

from pe_desktop.draw.theme import Theme
from pe_desktop.panels.controls.buttons import IconButton
from pe_desktop.resources import resource_path
from pe_desktop.window.actions import ACTIONS, MENUS
from pe_desktop.window.card import SubtitleLabel
from pe_desktop.window.commands import Commands
from pe_desktop.window.dock import PanelDock

HEIGHT = 48
MARK_SIDE = 22
# How long a message stands there.
MESSAGE_MILLISECONDS = 8000
THEME_COMMANDS = ("use_light_theme", "use_dark_theme", "use_system_theme")


class Header(QWidget):
    """Menus made from the table of actions; each entry calls its command."""

    def __init__(self, commands: Commands) -> None:
        super().__init__()
        self.setFixedHeight(HEIGHT)
        self.menus: dict[str, QMenu] = {}
        self.actions_by_command: dict[str, QAction] = {}
        mark = QLabel()
        mark.setPixmap(QIcon(str(resource_path("icons", "app.svg"))).pixmap(QSize(MARK_SIDE, MARK_SIDE)))
        mark.setAccessibleName("pe_desktop")
        self._bar = QMenuBar()
        self._commands = commands
        self._fill_menus(commands)
        self.compare = IconButton("compare", "Compare encodings (M)", self)
        self.compare.setCheckable(True)
        self.compare.clicked.connect(commands.toggle_compare)
        self.actions_by_command["toggle_compare"].setCheckable(True)
        self.export = IconButton("export", "Export (Ctrl+E)", self)
        self.theme = IconButton("moon", "Dark theme", self)
        self.export.clicked.connect(commands.export)
        self.theme.clicked.connect(commands.toggle_theme)
        # Between menus and buttons, where it takes no room from the panels when it comes and goes.
        self._message = SubtitleLabel()
        self._message.setProperty("role", "note")
        self._message.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._message.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._silence = QTimer(self, interval=MESSAGE_MILLISECONDS, singleShot=True)
        self._silence.timeout.connect(lambda: self.show_message(""))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 2, 6, 2)
        row.setSpacing(6)
        row.addWidget(mark)
        row.addWidget(self._bar, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addSpacing(16)
        row.addWidget(self._message, 1)
        row.addSpacing(10)
        for button in self._buttons:
            row.addWidget(button)

    @property
    def message(self) -> str:
        """What was said last, until it has stood there long enough."""
        return self._message.full_text

    def show_message(self, sentence: str) -> None:
        """Say one sentence for a while, or until the next."""
        self._message.show_text(sentence)
        self._silence.start()

    def show_theme(self, theme: Theme) -> None:
        """Draw in another theme; the button offers the other one."""
        self.theme.set_icon("moon" if theme.name == "light" else "sun")
        self.theme.set_tooltip("Dark theme" if theme.name == "light" else "Light theme")
        for button in self._buttons:
            button.show_theme(theme)

    def show_comparing(self, is_comparing: bool) -> None:
        """Mark that encodings stand side by side."""
        self.compare.setChecked(is_comparing)
        self.actions_by_command["toggle_compare"].setChecked(is_comparing)

    def show_theme_choice(self, choice: str) -> None:
        """Mark light, dark or system in the menu."""
        self.actions_by_command[f"use_{choice}_theme"].setChecked(True)

    def trigger_plain_key(self, pressed: QKeySequence) -> bool:
        """Carry out the action of a key that no field has taken; whether there is one."""
        for row in ACTIONS:
            if row.is_plain_key and QKeySequence(row.key) == pressed:
                self.actions_by_command[row.command].trigger()
                return True
        return False

    def add_panel_entries(self, docks: Sequence[PanelDock]) -> None:
        """Put an entry for each panel on top of the View menu."""
        menu = self.menus["View"]
        first = menu.actions()[0]
        for dock in docks:
            action = QAction(dock.windowTitle(), self, checkable=True, checked=True)
            # Not Qt's own entry: that one closes a dock behind another tab instead of bringing it to the front.
            dock.open_changed.connect(action.setChecked)
            action.setData(f"choose_panel {dock.panel.key}")
            action.triggered.connect(self._commands.do_action)
            menu.insertAction(first, action)
        menu.insertSeparator(first)

    @property
    def _buttons(self) -> tuple[IconButton, ...]:
        return self.compare, self.export, self.theme

    def _fill_menus(self, commands: Commands) -> None:
        for name in MENUS:
            self.menus[name] = self._bar.addMenu(name)
        for row in ACTIONS:
            menu = self._menu(row.menu_path)
            if row.starts_group:
                menu.addSeparator()
            words = f"{row.words}\t{row.key}" if row.is_plain_key else row.words
            action = QAction(words, self)
            if row.key and not row.is_plain_key:
                action.setShortcut(QKeySequence(row.key))
            action.setData(row.command)
            action.triggered.connect(commands.do_action)
            menu.addAction(action)
            self.actions_by_command[row.command] = action
        choices = QActionGroup(self)
        for command in THEME_COMMANDS:
            action = self.actions_by_command[command]
            action.setCheckable(True)
            choices.addAction(action)

    def _menu(self, path: tuple[str, ...]) -> QMenu:
        """The menu at the end of a way, made where it is new."""
        menu = self.menus[path[0]]
        for name in path[1:]:
            if name not in self.menus:
                if menu.actions() and menu.actions()[-1].menu() is None:
                    menu.addSeparator()
                self.menus[name] = menu.addMenu(name)
            menu = self.menus[name]
        return menu
