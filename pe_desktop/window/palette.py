"""The palette: everything that can be done, found by typing a part of its name, with its key."""

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.facts.shown import with_card
from pe_desktop.core.presets import PRESETS
from pe_desktop.core.record import record
from pe_desktop.core.state import STATE_NAMES, with_name
from pe_desktop.draw.canvas import ENTER
from pe_desktop.languages import told
from pe_desktop.lessons.quiz import drawn_quiz
from pe_desktop.lessons.shelf import OWN, SHIPPED
from pe_desktop.lessons.shown import with_step
from pe_desktop.lessons.talks import Talk
from pe_desktop.panels.controls.layouts import filled
from pe_desktop.panels.controls.search_field import Rows, SearchField
from pe_desktop.window.main_window import MainWindow

_WIDTH, _ROW_HEIGHT, _MOST_ROWS, _AROUND = 600, 30, 12, 64
_MOST_FOUND = 60


@record(eq=False)
class _Entry:
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
        self.field = SearchField("Search commands, encodings, cards, lessons; or base 500000", self._search)
        self.field.installEventFilter(self)
        # Of each its words, what it is, and its key.
        self.rows = Rows(3)
        self.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.itemClicked.connect(self._do)
        filled(QVBoxLayout(self), self.field, self.rows, margins=(10, 10, 10, 10), spacing=8)
        self._entries: list[_Entry] = []
        self._found: list[_Entry] = []
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
        matching = [entry for entry in self._entries if self.field.finds(entry.words, told(entry.kind))]
        matching.sort(key=lambda entry: not entry.words.lower().startswith(typed.lower().strip()))
        found = [*_assignment(self._window, typed), *matching]
        # What begins with what was typed comes first, what is refused last.
        self._found = sorted(found, key=lambda entry: entry.kind == "refused")[:_MOST_FOUND]
        self._found = self._found or [_Entry(told("Nothing found"), "", self.field.setFocus)]
        rows = [(entry.words, told(entry.kind), entry.key) for entry in self._found]
        self.rows.show_rows(rows, self._window.theme.text3)
        # As high as its rows, up to a dozen.
        room, tall = self._window.size(), _AROUND + min(len(self._found), _MOST_ROWS) * _ROW_HEIGHT
        wide = min(_WIDTH, room.width() - 32)
        self.setGeometry((room.width() - wide) // 2, 56, wide, min(tall, room.height() - 80))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self.hide()
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() in ENTER:
            self._do()
        elif event.key() == Qt.Key.Key_Escape:
            self._leave()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            QCoreApplication.sendEvent(self.rows, event)
        else:
            return False
        return True

    def _do(self, *_item: object) -> None:
        place = self.rows.currentIndex().row()
        self._leave()
        if place >= 0:
            self._found[place].run()

    def _leave(self) -> None:
        self.hide()
        self._window.focus_plot()


def _entries(window: MainWindow) -> Iterator[_Entry]:
    """Everything but what menus hide or can't do now."""
    actions = window.action_set
    for row in actions.rows.values():
        entry = actions.entries[row.id]
        if entry.isVisible() and entry.isEnabled():
            words = told(row.title_now.replace("&&", "&"))
            yield _Entry(words, row.menu.split(" > ")[-1], partial(actions.trigger, row.id), row.key)
    for talk in (talk for talk in {**SHIPPED, **OWN}.values() if talk.steps):
        yield _Entry(told(talk.title), "Lesson", partial(show_step, window, talk, 0))
    yield _Entry(told("Quiz"), "Lesson", partial(show_quiz, window))
    for preset in PRESETS.values():
        yield _Entry(told(preset.title), preset.group.title, partial(window.model.set, preset=preset.id))
    for card in CARDS.values():
        yield _Entry(told(card.claim), "Fact", partial(show_card, window, card.key))


def show_step(window: MainWindow, talk: Talk, place: int) -> None:
    """Open a talk at one of its steps, with the keyboard."""
    window.model.set_state(with_step(window.model.state, talk, place), "lessons.talk")
    _take_focus(window, "lessons")


def _take_focus(window: MainWindow, key: str) -> None:
    # In a lecture it has no dock yet.
    if key in window.docks:
        window.docks[key].take_focus()


def show_quiz(window: MainWindow) -> None:
    """Open a quiz that is drawn now."""
    show_step(window, drawn_quiz(), 0)


def show_card(window: MainWindow, key: str) -> None:
    """Show a fact, opened, and what it says in the plots."""
    model = window.model
    model.begin_step()
    model.set_state(with_card(model.state, CARDS[key]), "facts.shown")
    model.set(**{"facts.is_open": True, "facts.card": key})
    model.end_step()
    _take_focus(window, "facts")


def _assignment(window: MainWindow, typed: str) -> Iterator[_Entry]:
    """What sets a name of the state: "base 500000", "scheme rope"."""
    name, _, text = (part.strip() for part in typed.strip().replace("=", " ").partition(" "))
    if name not in STATE_NAMES or not text:
        return
    try:
        with_name(window.model.state, name, text)
        yield _Entry(f"{name} = {text}", "Set", partial(window.model.set, **{name: text}))
    except ValueError as error:
        yield _Entry(str(error), "refused", partial(window.header.show_message, str(error)))
