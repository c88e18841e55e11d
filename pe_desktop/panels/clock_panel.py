"""The clock: one dial with all hands or one for each pair, beside either, at will, the bits of t as dials."""

import math
from typing import Any

from PySide6.QtGui import QResizeEvent

from pe_desktop.core.choices import ClockView
from pe_desktop.core.cursor import face_hands_of, pair_of_face_hand
from pe_desktop.core.digits import Digits
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.scores.rotary import VECTORS_OF_WORDS, turning_state, with_turned
from pe_desktop.core.state import State
from pe_desktop.draw import number_text
from pe_desktop.draw.scene import Place
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.gestures import Changes, Drag, Grip
from pe_desktop.panels.scene_panel import ScenePanel
from pe_desktop.views.clock import scene as view
from pe_desktop.views.clock.dials import n_dials
from pe_desktop.views.clock.layout import ClockLayout, code_shown, layout_of, shown_hands, shows_each, shows_vectors
from pe_desktop.views.clock.picture import face_hand_at
from pe_desktop.views.controls import WORDS, Choice, Flag

_WORDS = WORDS["clock"]


def _has_pairs(state: State) -> bool:
    return turning_state(state).encoding.pairs is not None


def _has_digits(state: State) -> bool:
    return isinstance(code_shown(turning_state(state)), Digits)


class ClockPanel(ScenePanel):
    """The dial with all hands, or small dials, which scroll, with those of a code beside them.

    Dragging a hand moves t so that the hand follows; its ghost, or Shift, moves k. With RoPE, dragging the end of a
    query or a key on its small dial changes that vector; with Shift it keeps its length. 0: those of the words again.
    """

    key = "clock"
    wheel_steps = True
    # While t moves the height stays.
    fits_cursor = False
    controls = (
        # Both would find no room in a narrow title: digits take the place of bits.
        Flag(**_WORDS["bits"], is_shown=lambda state: _has_pairs(state) and not _has_digits(state)),
        Flag(**_WORDS["digits"], is_shown=_has_digits),
        Choice(**_WORDS["mode"], is_shown=_has_pairs),
    )

    def make(self) -> None:
        super().make()
        self._in_view: tuple[Encoding, ClockView, int] | None = None
        self._knob: view.Knob | None = None
        mode = self.control_set.widgets["clock.mode"]
        assert isinstance(mode, Segments)
        mode.chosen.connect(self._on_mode_chosen)

    def layout_now(self) -> ClockLayout:
        """Where everything stands on the canvas."""
        return layout_of(self.model.state, self.model.findings, self.canvas.box())

    def key_changes(self, key: str) -> Changes | None:
        return dict(VECTORS_OF_WORDS) if key == "0" and shows_vectors(self.model.state, self.model.findings) else None

    def is_stop(self, place: Place) -> bool:
        return False

    def refresh(self) -> None:
        super().refresh()
        state = turning_state(self.model.state)
        shown = state.encoding, state.views.clock, state.cursor.pair
        if shown != self._in_view:
            self._in_view = shown
            self.fit()
            self._bring_into_view()

    def show_choices(self) -> None:
        super().show_choices()
        state = turning_state(self.model.state)
        code, noun = code_shown(state), "dials" if shows_each(state) else "hands"
        beside = "" if code is None else f", {code.title}, {n_dials(code)} dials"
        self.canvas.setAccessibleName(f"Clock, {n_dials(state.encoding)} {noun}{beside}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._bring_into_view()

    def changes_of(self, drag: Drag) -> Changes:
        """A press takes hold of a hand, which chooses its pair, or of the end of a vector."""
        state, knob = self.model.state, self._knob
        if not drag.is_press:
            return {} if knob is None else _knob_changes(state, knob, *drag.now, keeps_length=drag.moves_offset)
        self._knob, grip = view.knob_at(state, self.layout_now(), *drag.now), self.grip_at(drag)
        return super().changes_of(drag) if grip is None else {"pair": pair_of_face_hand(grip.encoding, grip.hand)}

    def is_button_at(self, x: float, y: float) -> bool:
        """Whether a hand of the face, or a query or key, ends at a point."""
        state, layout = self.model.state, self.layout_now()
        hand = face_hand_at(*shown_hands(state), layout.face, x, y)
        return hand is not None or view.knob_at(state, layout, x, y) is not None

    def grip_at(self, drag: Drag) -> Grip | None:
        hand = view.hand_at(self.model.state, self.layout_now(), *drag.now)
        cursor = self.model.cursor
        if hand is None:
            return None
        number, dial, is_later = hand
        moves_offset = is_later or drag.moves_offset
        value = cursor.offset if moves_offset else cursor.position
        return Grip(number, dial, turning_state(self.model.state).encoding, moves_offset, value)

    def tooltip_at(self, place: Place | None, x: float, y: float) -> str:
        return view.tooltip(self.model.state, self.layout_now(), x, y)

    def _on_mode_chosen(self) -> None:
        # The next arrow chooses there again.
        if not self.control_set.widgets["clock.mode"].isAncestorOf(self.window().focusWidget()):
            self.canvas.setFocus()

    def _bring_into_view(self) -> None:
        """Scroll no further than it takes to see the chosen dial, and so that the upper edge cuts no row."""
        state = turning_state(self.model.state)
        bar = self.page_area.verticalScrollBar()
        if not shows_each(state):
            return
        own = self.layout_now().dials[0]
        row = face_hands_of(state.encoding, state.cursor.pair)[0] // own.columns
        room = own.bottom - own.top - bar.value()
        lowest = math.ceil((math.floor((row + 1) * own.cell_height) - room) / own.cell_height)
        first = min(max(round(bar.value() / own.cell_height), lowest), row)
        bar.setValue(round(first * own.cell_height))

    def spoken(self) -> str:
        told = view.spoken(self.model.state, self.model.findings)
        return f"t {number_text.position(self.model.cursor.position)}, {told}"


def _knob_changes(state: State, knob: view.Knob, x: float, y: float, *, keeps_length: bool) -> dict[str, Any]:
    """What of the state changes when a knob is dragged to a point: the vector before it is turned."""
    if state.encoding != knob.encoding:
        # A key may have brought another one while the button is down.
        return {}
    scale = knob.reach / knob.dial.radius
    turned = (knob.dial.y - y) * scale, (x - knob.dial.x) * scale
    vector = with_turned(state, knob.name, knob.pair, turned, keeps_length=keeps_length)
    return {f"rotary.{knob.name}": tuple(vector.tolist())}
