"""Attention: the words of a sentence are moved, and one head says whether it notices."""

import re
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pe_desktop.core.scores.attention import MOST_LETTERS
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State
from pe_desktop.draw.scene import Box, Place, Scene
from pe_desktop.panels.controls.buttons import IconButton, Switch, acting
from pe_desktop.panels.controls.layouts import filled
from pe_desktop.panels.controls.popups import Menu
from pe_desktop.panels.controls.value_edit import NumberField
from pe_desktop.panels.gestures import Changes, Drag
from pe_desktop.panels.scene_panel import ScenePanel
from pe_desktop.views.attention.chips import BESIDE, Chip
from pe_desktop.views.attention.head import N_BUTTONS, PAIRS, SCHEME_TOOLTIPS, sum_page
from pe_desktop.views.attention.scene import chips_of
from pe_desktop.views.controls import WORDS, Choice, Number

_DRAGGED, _PRESSED = "Drag it to another place", "A press makes it the query"
_TYPED = "Type a sentence: words are split at blanks, and equal words, whatever their case, are equal vectors"
_WORDS = WORDS["attention"]
_SCHEMES = {name: scheme.title for name, scheme in SCHEMES.items()}
_SCHEME_KEYS = {str(place): name for place, name in enumerate(SCHEMES, 1) if place <= N_BUTTONS}
_OWNED = {name for scheme in SCHEMES.values() for name in scheme.own_choices()}


def _reads(name: str, state: State) -> bool:
    is_read = name in SCHEMES[state.attention.scheme].own_choices() or name not in _OWNED
    return is_read and not state.views.attention.back


class AttentionPanel(ScenePanel):
    """Two rows of words, two maps of weights, one number.

    A word of the lower row is dragged to another place; a press in a map chooses t and k.
    """

    key = "attention"
    has_readout = True

    # Beside the scheme the numbers that it alone reads, the others on the card behind the menu.
    controls = (
        *(Number(**row, is_shown=partial(_reads, row["name"])) for row in _WORDS["own"]),
        Choice(**_WORDS["scheme"], words=_SCHEMES, tooltips=SCHEME_TOOLTIPS, n_buttons=N_BUTTONS),
    )
    card_controls = (
        *(Number(**row, is_shown=partial(_reads, row["name"])) for row in _WORDS["card"]),
        Choice(**_WORDS["pairing"], is_shown=partial(_reads, "pairing")),
        Number(**_WORDS["back"]),
    )

    def make(self) -> None:
        # The word that is dragged and the order in which it was taken.
        self._taken: tuple[int, tuple[int, ...]] | None = None
        # Whether the pointer went down on the cell that was chosen already, and has stayed there.
        self._is_on_chosen = False
        super().make()
        causal = Switch("Causal mask", "Each word reads only itself and the words before it (M)", self)
        self.causal = acting(causal, lambda is_on: self.model.set(causal=is_on))
        positions_off = Switch("Positions off", "Take the positions away and change nothing else", self)
        self.positions_off = acting(positions_off, lambda is_on: self.model.set(drops_positions=is_on))
        self.field = NumberField("Sentence", self)
        self.field.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.field.setMaxLength(MOST_LETTERS)
        self.field.setToolTip(_TYPED)
        self.field.setMinimumWidth(80)
        self.field.submitted.connect(self._on_typed)
        self._chooser = acting(IconButton("down", "Sentences to choose from", self), self._open_menu)
        choosers = causal, positions_off, self.field, self._chooser
        self._row = QWidget()
        filled(QHBoxLayout(self._row), *choosers, margins=(0, 2, 4, 8), spacing=10, wide=self.field)
        self.column.insertWidget(0, self._row)

    def show_row(self) -> None:
        self._row.setHidden(self.is_bare)

    def compose(self, box: Box) -> Scene:
        """The scene, with a grip on the word under the pointer that can be dragged."""
        scene = super().compose(box)
        found = None if box.pointer is None else self._chip_at(*box.pointer)
        grip = found[0].grip(box.theme) if found is not None and found[1] else ()
        return replace(scene, moving=(*scene.moving, *grip))

    def show_choices(self) -> None:
        super().show_choices()
        attention = self.model.state.attention
        is_trained = bool(self.model.state.views.attention.back)
        # A trained head has its mask.
        self.causal.setChecked(attention.causal or is_trained)
        self.causal.setEnabled(not is_trained)
        self.positions_off.show_words(SCHEMES[attention.scheme].off_title)
        self.positions_off.setChecked(attention.drops_positions)
        self.positions_off.setEnabled(attention.scheme != "none")
        if self.field.text() != attention.sentence:
            self.field.show_value(attention.sentence)

    def key_changes(self, key: str) -> Changes | None:
        if key in _SCHEME_KEYS:
            return {"scheme": _SCHEME_KEYS[key]}
        if key == "L":
            return {"causal": not self.model.state.attention.causal}
        if key in ("Return", "Enter") and self.canvas.hasFocus():
            return self._sum()
        return self._word_moved(1 if key == "Alt+Right" else -1) if key in ("Alt+Left", "Alt+Right") else None

    def _word_moved(self, step: int) -> Changes:
        """What exchanges the word that Tab came to, or the one at t, with its neighbour in the moved sentence."""
        attention, marked = self.model.state.attention, self.canvas.marked
        order = list(attention.places)
        found = re.match(r"moved (\d+)", marked.name if marked else "")
        word = int(found[1]) if found else attention.place_of(self.model.cursor.position)
        here = order.index(word) if len(order) > 1 else 0
        there = here + step
        if not 0 <= there < len(order):
            return {}
        order[here], order[there] = order[there], order[here]
        return {"order": tuple(order)}

    def changes_of(self, drag: Drag) -> Changes:
        if not drag.is_press and self._taken is not None:
            return {"order": self._order_at(drag.now[0], *self._taken)}
        found = self._chip_at(*drag.now) if drag.is_press else None
        self._taken = None
        if found is None:
            changes = super().changes_of(drag)
            t, k = self.model.cursor.position, self.model.cursor.offset
            is_chosen = dict(changes) == {"position": t, "offset": k}
            self._is_on_chosen = is_chosen and (drag.is_press or self._is_on_chosen)
            return changes
        (chip, can_move), state = found, self.model.state
        if can_move:
            self._taken = chip.word, state.attention.places
        return {"offset": chip.word - state.cursor.position} if drag.moves_offset else {"position": float(chip.word)}

    def _order_at(self, x: float, word: int, order: tuple[int, ...]) -> tuple[int, ...]:
        """The order with the taken word dropped at x, between the words of the row in which it was taken."""
        chips = chips_of(self.model.state)
        if chips is None:
            return order
        _written, row = replace(chips, order=order).rows(self.canvas.box().width - BESIDE)
        others = [chip for chip in row if chip.word != word]
        place = sum(chip.area.middle[0] < x for chip in others)
        kept = [chip.word for chip in others]
        return (*kept[:place], word, *kept[place:])

    def let_go(self) -> Changes:
        """A press on the chosen cell, or the second one of a double click, opens its sum once it ends there."""
        is_on_chosen, self._is_on_chosen = self._is_on_chosen, False
        return self._sum() if is_on_chosen else {}

    def _sum(self) -> Changes:
        """What opens the sum of the score at t and t + k; that of a trained head is not taken apart."""
        state = self.model.state
        return {} if state.views.attention.back or state.key is None else sum_page(state.attention)

    def _chip_at(self, x: float, y: float) -> tuple[Chip, bool] | None:
        """The chip under a point, and whether it is one that can be dragged."""
        chips = chips_of(self.model.state)
        return None if chips is None else chips.chip_at(self.canvas.box().width - BESIDE, x, y)

    def named_at(self, x: float, y: float) -> Changes:
        found = self._chip_at(x, y)
        return super().named_at(x, y) if found is None else {"position": float(found[0].word)}

    def moves_at(self, x: float, y: float) -> bool:
        """Whether a word is there that can be dragged."""
        found = self._chip_at(x, y)
        return found is not None and found[1]

    def is_button_at(self, x: float, y: float) -> bool:
        return super().is_button_at(x, y) or self.moves_at(x, y)

    def tooltip_at(self, place: Place | None, x: float, y: float) -> str:
        """What can be done with a word, which is told in full where its chip has no room; what a scheme does."""
        found = self._chip_at(x, y)
        if found is None:
            return super().tooltip_at(place, x, y)
        chip, can_move = found
        word = self.model.state.attention.words[chip.word]
        use = _DRAGGED if can_move else _PRESSED
        return use if chip.text == word else f"{word}: {use}"

    def _open_menu(self) -> None:
        """The sentences of the texts, in a menu that deletes itself when closed."""
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for title, changes in PAIRS.items():
            menu.add(title).triggered.connect(partial(self.model.set, **changes))
        corner = self._chooser.mapToGlobal(QPoint(self._chooser.width(), self._chooser.height() + 2))
        menu.popup(corner - QPoint(menu.sizeHint().width(), 0))

    def _on_typed(self, text: str) -> None:
        if not self.model.set_parameter("sentence", text):
            self.field.show_value(self.model.state.attention.sentence)
            self.field.show_taken()
