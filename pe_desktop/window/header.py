"""The row above the panels: the mark of the product, menus, rooms as words, what searches and presents; notices."""

from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QIcon, QResizeEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QHBoxLayout, QLabel, QMenu, QMenuBar, QVBoxLayout, QWidget

from pe_desktop.draw.theme import Theme, themed_icon
from pe_desktop.draw.told import Label
from pe_desktop.languages import told
from pe_desktop.panels.controls.buttons import IconButton, Segments, acting
from pe_desktop.panels.controls.layouts import BARE, filled
from pe_desktop.panels.controls.popups import Menu
from pe_desktop.panels.scene_panel import dress
from pe_desktop.resources import resource_json, resource_path
from pe_desktop.window.actions import Action, ActionSet

HEIGHT = 48
NOTICE_HEIGHT = 28
_MARK_SIDE, _SIDE, _AROUND = 22, 28, 16
# How long a message stands there.
_MESSAGE_MILLISECONDS = 8000
_MENUS = ("File", "Edit", "View", "Go", "Help")
EXPLORE = ""
# Of each room the action that opens it, its word and what it is; later ones lie over earlier ones. Of each button its
# action, icon, words and key.
_ROOMS, _BUTTONS = (resource_json("header.json")[part] for part in ("rooms", "buttons"))
# Of what the words of rooms leave, from how much on: the words of the first two buttons, the room around the words of
# rooms, whether the menus are one, how many buttons there are. What the last ones do stands in menus.
_FORMS = {
    750: ("Search commands", "Present", 96, False, 4),
    634: ("Search", "Present", 48, False, 4),
    465: ("", "", 48, False, 4),
    417: ("", "", 0, False, 4),
    277: ("", "", 48, True, 4),
    224: ("", "", 0, True, 4),
    0: ("", "", 0, True, 2),
}


class Notice(QWidget):
    """One quiet line between the header and the panels, with a cross that takes it away."""

    closed = Signal()

    def __init__(self, header: "Header") -> None:
        super().__init__(header)
        self.setFixedHeight(NOTICE_HEIGHT)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def fill(self, *parts: QWidget | int | None, wide: QWidget | None = None) -> None:
        """Show these from left to right, and the cross behind them."""
        close = acting(IconButton("close", "Close", self, side=24), self.close)
        filled(QHBoxLayout(self), *parts, close, margins=(16, 0, 8, 0), spacing=8, wide=wide)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


class Header(QWidget):
    """Menus and buttons that trigger actions, a notice below them, and for a while one sentence over the panels."""

    def __init__(self) -> None:
        super().__init__()
        mark = QLabel()
        mark.setPixmap(QIcon(str(resource_path("icons", "app.svg"))).pixmap(QSize(_MARK_SIDE, _MARK_SIDE)))
        mark.setAccessibleName("PE Desktop")
        self._menu_bar = QMenuBar()
        self.menus: dict[str, QMenu] = {name: Menu(self._menu_bar, f"&{name}") for name in _MENUS}
        self._folded = Menu(self._menu_bar, "&Menu")
        for menu in self.menus.values():
            self._folded.addMenu(menu)
        self.rooms = Segments({room: word for room, (word, _) in _ROOMS.items()}, "Room", waits=True)
        self.rooms.set_tooltips({room: tooltip for room, (_, tooltip) in _ROOMS.items()})
        self.rooms.show_choice(EXPLORE)
        self._plain = {name: IconButton(icon, words, self, key=key) for name, icon, words, key in _BUTTONS}
        self._plain["palette"].setProperty("role", "search")
        self.buttons = {**self.rooms.buttons, **self._plain}
        # Over the panels, from which it takes no room when it comes and goes.
        self._message = Label("", self, wordWrap=True)
        self._message.setProperty("role", "toast")
        self._message.hide()
        self._silence = QTimer(self, interval=_MESSAGE_MILLISECONDS, singleShot=True)
        self._silence.timeout.connect(partial(self.show_message, ""))
        self._form = -1
        self._lay_out(mark)

    def _lay_out(self, mark: QLabel) -> None:
        self.bar = QWidget(self)
        self.bar.setFixedHeight(HEIGHT)
        left = filled(QHBoxLayout(), mark, self._menu_bar, None, spacing=6)
        left.setAlignment(self._menu_bar, Qt.AlignmentFlag.AlignVCenter)
        right = filled(QHBoxLayout(), None, *self._plain.values(), spacing=6)
        row = filled(QHBoxLayout(self.bar), margins=(8, 2, 6, 2), spacing=8)
        row.addLayout(left, 1)
        row.addWidget(self.rooms)
        row.addLayout(right, 1)
        self._column = filled(QVBoxLayout(self), self.bar, margins=BARE, spacing=0)

    def show_actions(self, actions: ActionSet) -> None:
        """Fill the menus and give the buttons their actions."""
        for row in actions.rows.values():
            if row.menu:
                self._menu(row).addAction(actions.entries[row.id])
        for name in self._plain:
            self._plain[name].clicked.connect(actions.entries[name].trigger)
        self._entries = {room: actions.entries[room] for room in _ROOMS if room}
        for entry in self._entries.values():
            entry.toggled.connect(self._mark_room)
        self.rooms.chosen.connect(self._on_chosen)
        self._mark_room()

    @property
    def room(self) -> str:
        """The room that lies over the others, by the action that opens it, or EXPLORE."""
        return next((room for room in reversed(_ROOMS) if room and self._entries[room].isChecked()), EXPLORE)

    def show_room(self, room: str) -> None:
        """Open a room and close the others."""
        for other, entry in reversed(self._entries.items()):
            if entry.isChecked() and other != room:
                entry.trigger()
        if room and not self._entries[room].isChecked():
            self._entries[room].trigger()
        self._mark_room()

    def _on_chosen(self, room: str) -> None:
        """Go to a room; where it is in front already, back to Explore."""
        self.show_room(EXPLORE if room == self.room else room)

    def _mark_room(self) -> None:
        self.rooms.show_choice(self.room)

    @property
    def message(self) -> str:
        """What was said last, until it has stood there long enough."""
        return self._message.text() if self._silence.isActive() else ""

    def show_message(self, sentence: str) -> None:
        """Say one sentence for a while, or until the next."""
        self._silence.start() if sentence else self._silence.stop()
        self._message.setText(sentence)
        self._message.setAccessibleName(sentence)
        self.place_message()

    def offer(self, notice: Notice) -> None:
        """Show a line below the header, in place of the one that stands there."""
        for other in self.findChildren(Notice):
            if other is not notice:
                other.close()
        self._column.addWidget(notice)
        dress(notice, self._theme)

    def show_theme(self, theme: Theme) -> None:
        """Draw in another theme; the button offers the other one."""
        self._theme = theme
        self._plain["toggle_theme"].set_icon("moon" if theme.base == "light" else "sun")
        self._plain["toggle_theme"].set_words("Dark theme" if theme.base == "light" else "Light theme")
        self._folded.setIcon(themed_icon("menu", theme))

    def _fit(self) -> None:
        """Show the form that has room; what its widgets are wide is fixed."""
        left = max(self.width() - self.rooms.sizeHint().width(), 0)
        form = next(least for least in _FORMS if least <= left)
        if form == self._form:
            return
        self._form = form
        search, present, around, is_folded, n_buttons = _FORMS[form]
        words = {"palette": f"{told(search)}    Ctrl K" if search else "", "present": present}
        for place, (name, button) in enumerate(self._plain.items()):
            style = Qt.ToolButtonStyle
            button.setText(words.get(name, ""))
            button.setToolButtonStyle(style.ToolButtonTextBesideIcon if search else style.ToolButtonIconOnly)
            button.setFixedWidth(button.sizeHint().width() if words.get(name) else _SIDE)
            button.setVisible(place < n_buttons)
        self.rooms.setFixedWidth(self.rooms.sizeHint().width() + around)
        self._menu_bar.clear()
        for menu in [self._folded] if is_folded else [self.menus[name] for name in _MENUS]:
            self._menu_bar.addMenu(menu)
        self._menu_bar.setFixedWidth(self._menu_bar.sizeHint().width())

    def place_message(self) -> None:
        """Let it stand in the middle below the header, as wide as it needs, or so in a panel afloat that is active."""
        words, active = self._message, QApplication.activeWindow()
        window = active if isinstance(active, QDockWidget) else self.window()
        if words.parentWidget() is not window:
            words.setParent(window)
        words.setVisible(bool(self.message))
        if not self.message:
            return
        room = window.width() - 2 * _AROUND
        words.ensurePolished()
        wide = words.fontMetrics().horizontalAdvance(words.text()) + 2 * _AROUND
        words.setFixedWidth(max(min(wide, room), 2 * _AROUND))
        words.setFixedHeight(words.heightForWidth(words.width()))
        words.move((window.width() - words.width()) // 2, self.bar.height() + 4)
        words.raise_()

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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self.place_message()
