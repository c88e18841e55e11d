"""The palette: everything that can be done, found by typing a part of its name, with its key."""

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.facts.shown import with_card
from pe_desktop.core.presets import PRESETS
from pe_desktop.core.record import record
from pe_desktop.core.state import STATE_NAMES, with_name
from pe_desktop.languages import told
from pe_desktop.lessons.shelf import OWN, SHIPPED
from pe_desktop.lessons.shown import with_step
from pe_desktop.lessons.talks import Talk
from pe_desktop.panels.controls.layouts import filled
from pe_desktop.window.main_window import MainWindow

_WIDTH, _ROW_HEIGHT, _MOST_ROWS, _AROUND = 600, 30, 12, 64
# Of the words, what they are, and the key.
_SHARES = (0.56, 0.26, 0.18)
_MOST_FOUND = 60


@record(eq=False)
class Entry:
    """One thing that can be done: its words, what it is, its key, and how it is done."""

    words: str
    kind: str
    run: Callable[[], object]
    key: str = ""


class Palette(QFrame):
    """Lies over the window until something is chosen or Escape is pressed."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setProperty("role", "overlay")
        self.field = QLineEdit(placeholderText=told("Search commands, encodings, cards, lessons; or base 500000"))
        self.field.setAccessibleName(told("Search commands"))
        self.field.textChanged.connect(self._search)
        self.field.installEventFilter(self)
        self.rows = QTreeWidget()
        self.rows.setColumnCount(len(_SHARES))
        self.rows.setHeaderHidden(True)
        self.rows.setRootIsDecorated(False)
        self.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.itemClicked.connect(self._do)
        filled(QVBoxLayout(self), self.field, self.rows, margins=(10, 10, 10, 10), spacing=8)
        self._entries: list[Entry] = []
        self._found: list[Entry] = []
        self.hide()

    def open(self) -> None:
        """Show all that can be done now, with an empty field that has the keyboard."""
        self._entries = [*_entries(self._window)]
        self.field.clear()
        self._search("")
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _search(self, typed: str) -> None:
        words = typed.lower().split()
        given = _assignment(self._window, typed)
        matching = [entry for entry in self._entries if _matches(entry, words)]
        # What begins with what was typed comes first.
        matching.sort(key=lambda entry: not entry.words.lower().startswith(typed.lower().strip()))
        self._found = [*given, *matching][:_MOST_FOUND]
        items = [QTreeWidgetItem([entry.words, told(entry.kind), entry.key]) for entry in self._found]
        for item in items:
            for column in (1, 2):
                item.setForeground(column, self._window.theme.text3)
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.rows.clear()
        self.rows.addTopLevelItems(items)
        self._fit()
        self._choose(0)

    def _fit(self) -> None:
        """Be as high as its rows, up to a dozen."""
        window = self._window
        wide = min(_WIDTH, window.width() - 32)
        tall = min(_AROUND + min(len(self._found), _MOST_ROWS) * _ROW_HEIGHT, window.height() - 80)
        self.setGeometry(QRect((window.width() - wide) // 2, 56, wide, tall))
        for column, share in enumerate(_SHARES):
            self.rows.setColumnWidth(column, round(share * (wide - 32)))

    def _choose(self, place: int) -> None:
        item = self.rows.topLevelItem(min(max(place, 0), len(self._found) - 1))
        if item is not None:
            self.rows.setCurrentItem(item)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            if event.type() == QEvent.Type.FocusOut:
                self.hide()
            return False
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if step is not None:
            self._choose(self.rows.currentIndex().row() + step)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._do()
        elif event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            return False
        return True

    def _do(self, *_item: object) -> None:
        place = self.rows.currentIndex().row()
        self._leave()
        if 0 <= place < len(self._found):
            self._found[place].run()

    def _leave(self) -> None:
        self.hide()
        self._window.focus_plot()


def _matches(entry: Entry, words: list[str]) -> bool:
    text = f"{entry.words} {entry.kind}".lower()
    return all(word in text for word in words)


def _entries(window: MainWindow) -> Iterator[Entry]:
    """Everything but what menus hide or can't do now."""
    model, actions = window.model, window.action_set
    for row in actions.rows.values():
        entry = actions.entries[row.id]
        is_preset = row.id.startswith("choose ")
        if entry.isVisible() and entry.isEnabled() and not is_preset:
            title = row.title_now.replace("&&", "&")
            yield Entry(told(title), row.menu.split(" > ")[0], partial(actions.trigger, row.id), row.key)
    for talk in {**SHIPPED, **OWN}.values():
        show = partial(_show_talk, window, talk)
        yield Entry(told(talk.title), "Lesson", show)
    for preset in PRESETS.values():
        yield Entry(told(preset.title), preset.group.title, partial(model.choose, preset.id))
    for card in CARDS.values():
        yield Entry(told(card.claim), "Fact", partial(_show_card, window, card.key))


def _show_talk(window: MainWindow, talk: Talk) -> None:
    window.model.set_state(with_step(window.model.state, talk, 0), "lessons.talk")


def _show_card(window: MainWindow, key: str) -> None:
    window.model.set_state(with_card(window.model.state, CARDS[key]), "facts.shown")


def _assignment(window: MainWindow, typed: str) -> list[Entry]:
    """What sets a name of the state: "base 500000", "scheme rope"."""
    name, _, text = typed.strip().replace("=", " ").partition(" ")
    if name not in STATE_NAMES or not text.strip():
        return []
    model = window.model
    try:
        with_name(model.state, name, text.strip())
    except ValueError as error:
        return [Entry(str(error), "refused", partial(window.header.show_message, str(error)))]
    return [Entry(f"{name} = {text.strip()}", "Set", lambda: model.set(**{name: text.strip()}))]
