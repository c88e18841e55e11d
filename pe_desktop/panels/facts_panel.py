"""Facts: cards of what the texts say, measured when they are first seen; each can be shown in the plots."""

from collections.abc import Hashable
from dataclasses import replace
from typing import ClassVar, Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pe_desktop.core.facts.cards import CARDS, TEXT_KEYS, Card
from pe_desktop.core.facts.shown import matching, shown_card, with_card
from pe_desktop.core.state import State
from pe_desktop.draw.scene import Area, Box, Place, Scene
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.findings import Question
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import IconButton
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.gestures import Changes, Drag, Reactions
from pe_desktop.panels.scene_panel import ScrolledScenePanel
from pe_desktop.views.facts import scene as view
from pe_desktop.views.facts import words

# What is known sooner needs no words.
_QUIET_MILLISECONDS: Final = 150
# The longest title of a text has room.
_WIDEST_LIST: Final = 380
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class FactsPanel(ScrolledScenePanel):
    """A press opens a card, its button shows it in the plots or puts back what stood before; two filters choose."""

    key = "facts"
    keys: ClassVar = {
        "Up, Down": "The card before or after",
        "Enter": "Show the plots of the card",
        "Esc": "Put back what stood in the plots before",
    }
    title = "Facts"
    is_workspace: ClassVar[bool] = True
    describes_cursor = False
    accessible_name = "Fact cards"
    readout_title = "Copy as table"

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        # What stood in the plots before a card was shown, by its key.
        self._before: dict[str, State] = {}
        self._close = IconButton("close", "Close Facts", self, key="Ctrl+Shift+F")
        self._close.clicked.connect(self._on_closed)
        verdicts = {"all": "All verdicts", **words.VERDICTS}
        texts = {"all": "All texts", **{key: words.text_title(key) for key in TEXT_KEYS}}
        self.verdicts, self.texts = self._filter(verdicts, "Verdict"), self._filter(texts, "Text")
        self.verdicts.activated.connect(self._on_verdict)
        self.texts.activated.connect(self._on_text)
        row = QHBoxLayout()
        row.setContentsMargins(0, 2, 0, 10)
        row.setSpacing(8)
        row.addWidget(self.verdicts, 1)
        row.addWidget(self.texts, 1)
        row.addStretch()
        self.column.insertLayout(0, row)
        self._quiet = QTimer(self, interval=_QUIET_MILLISECONDS, singleShot=True)
        self._quiet.timeout.connect(self.canvas.update)
        self._asked: tuple[Question, ...] = ()
        # What is drawn, but for the ring.
        self._seen: tuple[Hashable, ...] = ()
        # The page has its height only after it has been laid out.
        self._bringing = QTimer(self, interval=0, singleShot=True)
        self._bringing.timeout.connect(self._bring_into_view)
        # The state whose cards stand where they are.
        self._placed: State | None = None
        self.canvas.tooltip = self._tooltip
        self.canvas.installEventFilter(self)
        self.page_area.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.setMinimumSize(280, 150)

    def header_widgets(self) -> list[QWidget]:
        return [self._close]

    def compose(self, box: Box) -> Scene:
        waiting = "" if self._quiet.isActive() else words.MEASURING
        return view.cards_scene(
            self.model.state, self.model.findings, box, can_put_back=self._state_before() is not None, waiting=waiting
        )

    def reactions(self) -> Reactions:
        return Reactions(choose=self._choose, is_button_at=self._is_button_at)

    def take_focus(self) -> None:
        self.canvas.setFocus(Qt.FocusReason.TabFocusReason)

    def questions(self) -> tuple[Question, ...]:
        """Of the cards that are seen, as long as the page stands where it does."""
        if not self.canvas.has_theme:
            return ()
        top = float(self.page_area.verticalScrollBar().value())
        bottom = top + self.page_area.viewport().height()
        layouts = view.layouts_of(self.model.state, float(self.canvas.width()))
        return view.questions_of(
            tuple(some.card for some in layouts if some.area.bottom >= top and some.area.y <= bottom)
        )

    def refresh(self) -> None:
        # The cursor moves the ring alone.
        self.canvas.show_what(self._seen, shown_card(self.model.state))

    def show_choices(self) -> None:
        super().show_choices()
        state, facts = self.model.state, self.model.state.views.facts
        self.verdicts.setCurrentIndex(self.verdicts.findData(facts.verdict))
        self.texts.setCurrentIndex(self.texts.findData(facts.text))
        self.fit()
        self._follow_page()
        if self._placed is None or _order(self._placed) != _order(state):
            self._bringing.start()

    def _follow_page(self) -> None:
        """Ask for what is seen of the page."""
        state, asked, findings = self.model.state, self.questions(), self.model.findings
        if asked != self._asked and not all(map(findings.is_known, asked)):
            self._quiet.start()
        self._asked = asked
        findings.ask(self.key, asked)
        n_known = sum(map(findings.is_known, asked))
        self._seen = (state.views.facts, state.encoding.kind, n_known, asked)
        self.refresh()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_press = watched is self.canvas and event.type() == QEvent.Type.KeyPress
        if is_press and isinstance(event, QKeyEvent) and not event.modifiers() and self._takes_key(Qt.Key(event.key())):
            return True
        is_handled = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._follow_page()
        return is_handled

    def show_card(self, card: Card) -> None:
        """Set the state that shows a card, or put back what stood in the plots before it: one step of undo.

        From one card to the next nothing of the first one stays, and what is put back is what stood before both.
        """
        before, state = self._state_before(), self.model.state
        base = state if before is None else before
        base = replace(base, views=replace(base.views, facts=replace(state.views.facts, shown="")))
        self.playback.pause()
        if shown_card(state) is not card:
            self._before[card.key] = base
            self.model.set_state(with_card(base, card), "facts.shown")
        elif before is not None:
            self.model.set_state(base, "facts.shown")

    def _needed(self, width: int) -> float:
        return view.page_height(self.model.state, float(width))

    def _state_before(self) -> State | None:
        """What stood before the card that the plots show; None where they show none, and in a session just opened."""
        card = shown_card(self.model.state)
        return None if card is None else self._before.get(card.key)

    def _takes_key(self, key: Qt.Key) -> bool:
        """Whether a plain key does something: the arrows choose a card, Enter shows it, Escape puts back."""
        card, shown = CARDS.get(self.model.state.views.facts.card), shown_card(self.model.state)
        if key in _STEPS:
            self._step(_STEPS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and card is not None and card is not shown:
            self.show_card(card)
        elif key == Qt.Key.Key_Escape and shown is not None and self._state_before() is not None:
            self.show_card(shown)
        else:
            return False
        return True

    def _step(self, step: int) -> None:
        """Choose the card before or after the chosen one, and bring it into view."""
        cards = [some.key for some in matching(self.model.state)]
        chosen = self.model.state.views.facts.card
        if cards:
            place = cards.index(chosen) + step if chosen in cards else 0
            self.model.set(**{"facts.card": cards[min(max(place, 0), len(cards) - 1)]})

    def _bring_into_view(self) -> None:
        """Leave the chosen card under the pointer where others come or go above it, and bring all of it into view."""
        key, before, self._placed = self.model.state.views.facts.card, self._placed, self.model.state
        area, area_before = self._area_of(key, self._placed), None if before is None else self._area_of(key, before)
        bar, room = self.page_area.verticalScrollBar(), self.page_area.viewport().height()
        if area is not None:
            moved = 0.0 if area_before is None else area.y - area_before.y
            bar.setValue(round(min(max(bar.value() + moved, area.bottom - room), area.y)))

    def _area_of(self, key: str, state: State) -> Area | None:
        """Where a card stands in the page that a state gives."""
        layouts = view.layouts_of(state, float(self.canvas.width()))
        return next((some.area for some in layouts if some.card.key == key), None)

    def _choose(self, drag: Drag) -> Changes:
        place = self.canvas.place_at(*drag.now) if drag.is_press else None
        if place is None:
            return {}
        card = view.card_of(place)
        if card is not None and view.is_button(place):
            self.show_card(card)
            return {}
        return view.changes(self.model.state, place)

    def _is_button_at(self, x: float, y: float) -> bool:
        return self.canvas.place_at(x, y) is not None

    def _tooltip(self, place: Place | None, x: float, y: float) -> str:
        return view.tooltip(place)

    def _filter(self, entries: dict[str, str], name: str) -> ChoiceBox:
        box = ChoiceBox(self)
        for key, title in entries.items():
            box.addItem(title, key)
        box.setAccessibleName(name)
        box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMaximumWidth(_WIDEST_LIST)
        return box

    def _on_verdict(self, place: int) -> None:
        self.model.set(**{"facts.verdict": self.verdicts.itemData(place)})

    def _on_text(self, place: int) -> None:
        self.model.set(**{"facts.text": self.texts.itemData(place)})

    def _on_scrolled(self, _value: int) -> None:
        self._follow_page()

    def _on_closed(self) -> None:
        self.asked.emit("toggle_facts")


def _order(state: State) -> tuple[str, tuple[str, ...]]:
    """What says where cards stand: the open one, and the order of all."""
    return state.views.facts.card, tuple(card.key for card in matching(state))
