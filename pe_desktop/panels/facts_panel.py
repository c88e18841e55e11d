"""Facts: cards of what the texts say, measured when they are first seen; each can be shown in the plots."""

from dataclasses import replace

from PySide6.QtCore import Qt

from pe_desktop.core.facts.cards import CARDS, Card
from pe_desktop.core.facts.shown import matching, shown_card, with_card
from pe_desktop.core.state import State, stepped
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.model.findings import Questions
from pe_desktop.panels.gestures import Changes, Drag
from pe_desktop.panels.scene_panel import DeclaredPanel
from pe_desktop.views.facts import scene as view


class FactsPanel(DeclaredPanel):
    """A press opens a card, its button shows it in the plots or puts back what stood before; two filters choose."""

    key = "facts"
    fits_cursor = False

    def make(self) -> None:
        super().make()
        # What stood in the plots before a card was shown, by its key.
        self._before: dict[str, State] = {}
        # The state whose cards stand where they are.
        self._placed: State | None = None

    def compose(self, box: Box) -> Scene:
        if self._is_late:
            return Scene()
        self._ask()
        can_put_back = self._state_before() is not None
        return view.scene(self.model.state, self.model.findings, box, can_put_back=can_put_back)

    def take_focus(self) -> None:
        self.canvas.setFocus(Qt.FocusReason.TabFocusReason)

    def changes_of(self, drag: Drag) -> Changes:
        changes = super().changes_of(drag)
        if "facts.shown" not in changes:
            return changes
        self.show_card(CARDS[changes["facts.shown"]])
        return {}

    def questions(self) -> Questions:
        """Of the cards that are seen."""
        box, areas = self.canvas.box(), self._areas(self.model.state).items()
        seen = box.visible or box.area
        return view.questions_of(CARDS[key] for key, at in areas if at.bottom >= seen.y and at.y <= seen.bottom)

    def refresh(self) -> None:
        # The cursor moves the ring alone.
        self.canvas.show_what(shown_card(self.model.state))

    def show_choices(self) -> None:
        super().show_choices()
        state = self.model.state
        self.canvas.update()
        if self._placed is None or _order(self._placed) != _order(state):
            self.show_chosen()

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

    def _catch_up(self) -> None:
        # Cards take a turn of their own, after the panels beside them.
        self.model.turns.add(self._lay_out)

    def _lay_out(self) -> None:
        if self.isVisible() and not self._is_behind:
            super()._catch_up()

    def _areas(self, state: State) -> dict[str, Area]:
        return view.card_areas(state, self.canvas.box().width)

    def _state_before(self) -> State | None:
        """What stood before the card that the plots show; None where they show none, and in a session just opened."""
        card = shown_card(self.model.state)
        return None if card is None else self._before.get(card.key)

    def key_changes(self, key: str) -> Changes | None:
        state, shown = self.model.state, shown_card(self.model.state)
        card = CARDS.get(state.views.facts.card)
        if key in ("Up", "Down"):
            chosen, cards = _order(state)
            step = 1 if key == "Down" else -1
            return {"facts.card": stepped(cards, chosen, step) if chosen in cards else cards[0]} if cards else {}
        if key in ("Return", "Enter") and card is not None and card is not shown:
            self.show_card(card)
        elif key == "Esc" and shown is not None and self._state_before() is not None:
            self.show_card(shown)
        else:
            return None
        return {}

    def _bring_into_view(self) -> None:
        """Leave the chosen card under the pointer where others come or go above it, and bring all of it into view."""
        key, before, self._placed = self.model.state.views.facts.card, self._placed, self.model.state
        area = self._areas(self._placed).get(key)
        area_before = self._areas(before or self._placed).get(key)
        bar = self.page_area.verticalScrollBar()
        room = self.page_area.viewport().height()
        if area is not None:
            moved = 0.0 if area_before is None else area.y - area_before.y
            bar.setValue(round(min(max(bar.value() + moved, area.bottom - room), area.y)))


def _order(state: State) -> tuple[str, tuple[str, ...]]:
    """What says where cards stand: the open one, and the order of all."""
    return state.views.facts.card, tuple(card.key for card in matching(state))
