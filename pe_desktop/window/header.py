"""The row above the panels: the mark of the product, menus, rooms as words, what searches and presents; notices."""

from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QMenu, QMenuBar, QVBoxLayout, QWidget

from pe_desktop.draw.theme import Theme, themed_icon
from pe_desktop.draw.told import Label
from pe_desktop.languages import told
from pe_desktop.panels.controls.buttons import IconButton, Segments, acting
from pe_desktop.panels.controls.layouts import BARE, filled
from pe_desktop.panels.controls.popups import Menu
from pe_desktop.panels.scene_panel import dress
from pe_desktop.resources import resource_path
from pe_desktop.window.actions import Action, ActionSet

HEIGHT = 48
NOTICE_HEIGHT = 28
_MARK_SIDE, _SIDE, _AROUND = 22, 28, 16
# How long a message stands there.
_MESSAGE_MILLISECONDS = 8000
_MENUS = ("File", "Edit", "View", "Go", "Help")
EXPLORE = ""
# Of each room the action that opens it, its word and what it is; later ones lie over earlier ones.
_ROOMS = {
    EXPLORE: ("Explore", "Explore: the plots; what else is open is closed"),
    "toggle_attention": ("Attention", "Attention: what moving a word changes (W)"),
    "toggle_study": ("Study", "Study: derivations, code, precision, decoder (D)"),
    "toggle_compare": ("Compare", "Compare encodings (M)"),
    "toggle_facts": ("Facts", "Facts: what the texts say, measured (Ctrl+Shift+F)"),
    "toggle_lessons": ("Lessons", "Lessons: steps, questions and what you try (Ctrl+L)"),
}
# Of each button its action, icon, words and key.
_BUTTONS = (
    ("palette", "search", "Search commands", "Ctrl+K"),
    ("present", "screen", "Present", "F5"),
    ("export", "export", "Export", "Ctrl+E"),
    ("toggle_theme", "moon", "Dark theme", ""),
)
# The words of the first two buttons, the room around the words of rooms, whether the menus are one, how many buttons
# there are: the first that fit. What the last ones do stands in menus.
_FORMS = (
    ("Search commands", "Present", 96, False, 4),
    ("Search", "Present", 48, False, 4),
    ("", "", 48, False, 4),
    ("", "", 0, False, 4),
    ("", "", 48, True, 4),
    ("", "", 0, True, 4),
    ("", "", 0, True, 2),
)


class _WordButton(IconButton):
    """One icon, with words beside it where there is room for them."""

    def show_words(self, words: str) -> None:
        """Show these words beside the icon; none where they are empty."""
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if words else Qt.ToolButtonStyle.ToolButtonIconOnly
        self.setText(words)
        self.setToolButtonStyle(style)
        self.setFixedWidth(self.sizeHint().width() if words else _SIDE)


class Notice(QWidget):
    """One quiet line between the header and the panels, with a cross that takes it away."""

    closed = Signal()
    # Whether it is the row of first steps.
    is_start = False

    def __init__(self, header: "Header") -> None:
        super().__init__(header)
        self.setFixedHeight(NOTICE_HEIGHT)
        self.closed.connect(partial(header.withdraw, self))

    def fill(self, *parts: QWidget | int | None, wide: QWidget | None = None) -> None:
        """Show these from left to right, and the cross behind them."""
        close = acting(IconButton("close", "Close", self, side=24), self.closed)
        filled(QHBoxLayout(self), *parts, close, margins=(16, 0, 8, 0), spacing=8, wide=wide)


class Header(QWidget):
    """Menus and buttons that trigger actions, a notice below them, and for a while one sentence over the panels."""

    # What is said, "" once it has stood there long enough.
    message_changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        mark = QLabel()
        mark.setPixmap(QIcon(str(resource_path("icons", "app.svg"))).pixmap(QSize(_MARK_SIDE, _MARK_SIDE)))
        mark.setAccessibleName("PE Desktop")
        self._menu_bar = QMenuBar()
        self.menus: dict[str, QMenu] = {name: Menu(self._menu_bar, f"&{name}") for name in _MENUS}
        self._folded = Menu(self._menu_bar, "Menu")
        for menu in self.menus.values():
            self._folded.addMenu(menu)
        self.rooms = Segments({room: word for room, (word, _) in _ROOMS.items()}, "Room", waits=True)
        self.rooms.set_tooltips({room: tooltip for room, (_, tooltip) in _ROOMS.items()})
        self.rooms.show_choice(EXPLORE)
        self._plain = {name: _WordButton(icon, words, self, key=key) for name, icon, words, key in _BUTTONS}
        self._plain["palette"].setProperty("role", "search")
        self.buttons = {**self.rooms.buttons, **self._plain}
        # Over the panels, from which it takes no room when it comes and goes.
        self._message = Label("", self, wordWrap=True)
        self._message.setProperty("role", "toast")
        self._message.hide()
        self._silence = QTimer(self, interval=_MESSAGE_MILLISECONDS, singleShot=True)
        self._silence.timeout.connect(partial(self.show_message, ""))
        # The line below it.
        self.notice: Notice | None = None
        self._form, self._widths = -1, list[int]()
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
        self.rooms.chosen.connect(self.show_room)
        self._mark_room()

    @property
    def room(self) -> str:
        """The room that lies over the others, by the action that opens it, or EXPLORE."""
        return next((room for room in reversed(_ROOMS) if room and self._entries[room].isChecked()), EXPLORE)

    def show_room(self, room: str) -> None:
        """Open a room and close the others, or close it where it is in front already."""
        is_left = room == self.room
        for other in reversed(self._entries):
            if self._entries[other].isChecked() and (is_left or other != room):
                self._entries[other].trigger()
        if room and not is_left and not self._entries[room].isChecked():
            self._entries[room].trigger()
        self._mark_room()

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
        self._place_message()
        self.message_changed.emit(sentence)

    def offer(self, notice: Notice) -> None:
        """Show a line below the header, in place of the one that stands there."""
        self.withdraw(self.notice)
        self.notice = notice
        self._column.addWidget(notice)
        dress(notice, self._theme)

    def withdraw(self, notice: Notice | None) -> None:
        """Take away a line, if it is the one below the header; a focus in it is given up."""
        focus = QApplication.focusWidget()
        if notice is not None and notice is self.notice:
            self.notice = None
            if focus is not None and notice.isAncestorOf(focus):
                focus.clearFocus()
            self._column.removeWidget(notice)
            notice.hide()
            notice.deleteLater()

    def show_theme(self, theme: Theme) -> None:
        """Draw in another theme; the button offers the other one."""
        self._theme = theme
        self._plain["toggle_theme"].set_icon("moon" if theme.base == "light" else "sun")
        self._plain["toggle_theme"].set_words("Dark theme" if theme.base == "light" else "Light theme")
        self._folded.setIcon(themed_icon("menu", theme))

    def _show_form(self, form: int) -> None:
        """Show the words of one of _FORMS; what its widgets are wide is fixed."""
        search, present, around, is_folded, n_buttons = _FORMS[form]
        self._plain["palette"].show_words(f"{told(search)}    Ctrl K" if search else "")
        self._plain["present"].show_words(present)
        for place, button in enumerate(self._plain.values()):
            button.setVisible(place < n_buttons)
        self.rooms.setFixedWidth(self.rooms.sizeHint().width() + around)
        if form == 0 or is_folded != _FORMS[self._form][3]:
            self._menu_bar.clear()
            for menu in [self._folded] if is_folded else map(self.menus.__getitem__, _MENUS):
                self._menu_bar.addMenu(menu)
        self._menu_bar.setFixedWidth(self._menu_bar.sizeHint().width())
        self._form = form

    def _fit(self) -> None:
        if not self._widths:
            for form in range(len(_FORMS)):
                self._show_form(form)
                self.bar.layout().activate()
                self._widths.append(self.bar.layout().minimumSize().width())
        form = next((form for form, wide in enumerate(self._widths) if wide <= self.width()), len(_FORMS) - 1)
        if form != self._form:
            self._show_form(form)

    def _place_message(self) -> None:
        """In the middle below the header, as wide as it needs."""
        words, window = self._message, self.window()
        if words.parentWidget() is not window:
            words.setParent(window)
        words.setVisible(bool(self.message))
        if not self.message:
            return
        room = self.width() - 2 * _AROUND
        words.ensurePolished()
        wide = words.fontMetrics().horizontalAdvance(words.text()) + 2 * _AROUND
        words.setFixedWidth(max(min(wide, room), 2 * _AROUND))
        words.setFixedHeight(words.heightForWidth(words.width()))
        words.move((self.width() - words.width()) // 2, self.bar.height() + 4)
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
        self._place_message()
