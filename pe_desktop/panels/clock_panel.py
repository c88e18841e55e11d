"""The clock: one dial with all hands or one for each pair, beside either, at will, the bits of t as dials."""

import math
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea

from pe_desktop.core.choices import ClockView
from pe_desktop.core.cursor import Cursor, face_hands_of, pair_of_face_hand
from pe_desktop.core.digits import Digits
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.scores.rotary import VECTORS_OF_WORDS, turning_state, with_turned
from pe_desktop.core.state import State
from pe_desktop.draw import number_text
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.dial import dial_in
from pe_desktop.draw.scene import Area, Box, Place, Scene
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.gestures import Changes, Drag, Gestures, Grip, Reactions, changes_of
from pe_desktop.panels.scene_panel import PageArea, ScenePanel
from pe_desktop.views.clock import scene as view
from pe_desktop.views.clock.dials import DialGrid, Dials, n_dials
from pe_desktop.views.clock.layout import (
    ClockLayout,
    clock_room,
    code_shown,
    corner_numbers,
    has_corners,
    numbers_scene,
    own_grid,
    shows_each,
    shows_vectors,
)
from pe_desktop.views.clock.turned import Knob
from pe_desktop.views.controls import Choice, Flag

_NUMBERS_HEIGHT = 32
# With a smaller dial above their row the numbers stand in the corners around a larger one.
_LEAST_RADIUS = 110.0
_BITS = (
    "The binary number t beside the clock, a dial for each bit: the last bit turns fastest (B); Shift+B shows digits"
)

_DIGITS = (
    "The digits of t beside the clock, ⌊t/βⁱ⌋ mod β, β the ratio of neighbouring wavelengths: position interpolation "
    "divides t, NTK scaling widens β (Shift+B)"
)


def _has_pairs(state: State) -> bool:
    return turning_state(state).encoding.pairs is not None


def _has_bits(state: State) -> bool:
    return _has_pairs(state) and not _has_digits(state)


def _has_digits(state: State) -> bool:
    return isinstance(code_shown(turning_state(state)), Digits)


class ClockPanel(ScenePanel):
    """The canvas shows the dial with all hands; small dials stand on canvases of their own, which scroll.

    Dragging a hand moves t so that the hand follows; its ghost, or Shift, moves k. With RoPE, dragging the end of a
    query or a key on its small dial changes that vector; with Shift it keeps its length. 0: those of the words again.
    """

    key = "clock"
    smallest = (250, 60)
    describes_cursor = False
    controls = (
        # Both would find no room in a narrow title: digits take the place of bits.
        Flag(name="clock.shows_bits", text="Bits", tooltip=_BITS, is_shown=_has_bits),
        Flag(name="clock.shows_digits", text="Digits", tooltip=_DIGITS, is_shown=_has_digits),
        Choice(
            name="clock.mode",
            label="Clock shows",
            words={"one": "One dial", "each": "Each"},
            tooltips={"one": "All hands on one dial (C)", "each": "One dial for each pair (C)"},
            is_shown=_has_pairs,
        ),
    )
    keys: ClassVar = {"0": "The query and key of the words again, with RoPE"}

    def make(self) -> None:
        super().make()
        self._arranged: tuple[Encoding, ClockView] | None = None
        self._code: Encoding | None = None
        self._bits_grid = DialGrid(1, 1, 1.0, 1.0)
        self._last_cursor: Cursor | None = None
        self._follows_pair = False
        self._has_row = True
        self._knob: Knob | None = None
        mode = self.control_set.widgets["clock.mode"]
        assert isinstance(mode, Segments)
        mode.chosen.connect(self._on_mode_chosen)

    @property
    def face(self) -> Canvas:
        """The dial or the dials: what the keyboard belongs to."""
        return self.dials if shows_each(self._shown) else self.canvas

    @property
    def _shown(self) -> State:
        """The state with what has hands: with RoPE what turns queries and keys."""
        return turning_state(self.model.state)

    def layout_on(self, canvas: Canvas, box: Box | None = None) -> ClockLayout:
        """What stands on a canvas: the dial with all hands, or of small dials those that are seen in a box."""
        box = canvas.box() if box is None else box
        if canvas is self.canvas:
            return ClockLayout(dial_in(box.width, box.height))
        grid, area, code = self._bits_grid, self.bits_area, self._code
        if canvas is self.dials:
            grid, area, code = self._own_grid(), self.dials_area, None
        elif code is None:
            return ClockLayout()
        # While it isn't on the screen, the first of them.
        seen = box.visible or Area(0.0, 0.0, 0.0, float(area.viewport().height()))
        encoding = self._shown.encoding
        visible = grid.dials_between(seen.y, seen.bottom - 1.0, n_dials(code or encoding))
        # Of a table that is gone, too, until the panel follows.
        is_beside = code is not None and code is not encoding
        has_vectors = shows_vectors(self.model.state, self.model.findings)
        return ClockLayout(None, (Dials(grid, visible, code or encoding, is_beside),), has_vectors)

    def key_changes(self, key: str) -> Changes | None:
        return dict(VECTORS_OF_WORDS) if key == "0" and shows_vectors(self.model.state, self.model.findings) else None

    def reactions(self) -> Reactions:
        return self._reactions_on(self.canvas)

    def place_canvas(self) -> None:
        """Put all canvases into the panel; `_arrange` shares the room above the row of numbers among them."""
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        (self.dials, self.dials_area), (self.bits, self.bits_area) = self._small_dials(), self._small_dials()
        self.dials_area.viewport().installEventFilter(self)
        self.canvas.tooltip = partial(self._tooltip_on, self.canvas)
        self.numbers = Canvas(lambda box: numbers_scene(self.model.state, self.model.findings, box), self)
        # The ring of the focus around the face lies between.
        self.numbers.setFixedHeight(_NUMBERS_HEIGHT - 4)
        self.numbers.setAccessibleName("Numbers of the chosen hand")
        self.numbers.describe = self.spoken
        self.column.addStretch(1)
        self.column.addWidget(self.numbers)

    def _small_dials(self) -> tuple[Canvas, QScrollArea]:
        """A canvas for small dials, and the area that scrolls it, hidden."""
        canvas = Canvas(lambda box: self._scene_on(canvas, box))
        canvas.is_scrolled = True
        canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        canvas.describe = self.spoken
        canvas.tooltip = partial(self._tooltip_on, canvas)
        Gestures(canvas, self.model, self._reactions_on(canvas))
        area = PageArea(canvas)
        area.setParent(self)
        area.hide()
        return canvas, area

    def compose(self, box: Box) -> Scene:
        scene = self._scene_on(self.canvas, box)
        numbers = () if self._has_row else corner_numbers(self.model.state, self.model.findings, box)
        return replace(scene, moving=(*scene.moving, *numbers))

    def refresh(self) -> None:
        super().refresh()
        state, last = self._shown, self._last_cursor
        if (state.encoding, state.views.clock) != self._arranged:
            self._arranged = state.encoding, state.views.clock
            self._show_faces()
        elif last is not None and last.pair != state.cursor.pair:
            self._follows_pair = True
            self._keep_pair_in_view()
        self._last_cursor = state.cursor
        for canvas in (self.dials, self.bits, self.numbers):
            canvas.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # A scroll bar that comes leaves the dials less width.
        if event.type() == QEvent.Type.Resize:
            self._fit_dials()
        return super().eventFilter(watched, event)

    def _scene_on(self, canvas: Canvas, box: Box) -> Scene:
        return view.drawn(self.model.state, self.layout_on(canvas, box), box)

    def _reactions_on(self, canvas: Canvas) -> Reactions:
        """What mouse and wheel do on a canvas; small dials scroll under the wheel."""
        return Reactions(
            choose=partial(self._choose_on, canvas),
            grip_at=partial(self._grip_on, canvas),
            is_button_at=lambda x, y: view.is_grip_at(self.model.state, self.layout_on(canvas), x, y),
            is_stop=lambda _place: False,
            wheel_steps=canvas is self.canvas,
        )

    def _choose_on(self, canvas: Canvas, drag: Drag) -> Changes:
        """A press takes hold of a hand, which chooses its pair, or of the end of a vector."""
        state, knob = self.model.state, self._knob
        if not drag.is_press:
            return {} if knob is None else _knob_changes(state, knob, *drag.now, keeps_length=drag.moves_offset)
        self._knob, grip = view.knob_at(state, self.layout_on(canvas), *drag.now), self._grip_on(canvas, drag)
        return changes_of(canvas, drag) if grip is None else {"pair": pair_of_face_hand(grip.encoding, grip.hand)}

    def _grip_on(self, canvas: Canvas, drag: Drag) -> Grip | None:
        hand = view.hand_at(self.model.state, self.layout_on(canvas), *drag.now)
        cursor = self.model.cursor
        if hand is None:
            return None
        number, dial, is_later = hand
        moves_offset = is_later or drag.moves_offset
        value = cursor.offset if moves_offset else cursor.position
        return Grip(number, dial, self._shown.encoding, moves_offset, value)

    def _tooltip_on(self, canvas: Canvas, place: Place | None, x: float, y: float) -> str:
        return view.tooltip(self.model.state, self.layout_on(canvas), x, y)

    def _on_mode_chosen(self) -> None:
        # The next arrow chooses there again.
        if not self.control_set.widgets["clock.mode"].isAncestorOf(self.window().focusWidget()):
            self.face.setFocus()

    def _show_faces(self) -> None:
        """Show the faces of another encoding, or of another choice."""
        state = self._shown
        encoding, each = state.encoding, shows_each(state)
        had_focus = self.canvas.hasFocus() or self.dials.hasFocus()
        self.canvas.setVisible(not each)
        if each and self.dials_area.isHidden():
            # Qt scrolls what has the focus when it goes: dials that come again start with their first row.
            self.dials_area.verticalScrollBar().setValue(0)
        self.dials_area.setVisible(each)
        if had_focus:
            # Qt would give it to whatever comes next in the window.
            self.face.setFocus()
        code = code_shown(state)
        self.bits_area.setVisible(code is not None)
        if code is not None and code != self._code:
            # New bits are seen from the fastest one on, until a pair is chosen among them.
            self._follows_pair = False
            self.bits_area.verticalScrollBar().setValue(0)
        self._code = code
        self._arrange()
        self.canvas.setAccessibleName(f"Clock, {n_dials(encoding)} hands")
        self.dials.setAccessibleName(f"Clock, {n_dials(encoding)} dials")
        self.bits.setAccessibleName("" if code is None else f"{code.title}, {n_dials(code)} dials")
        is_uneven = encoding.pairs is not None and not encoding.pairs.turns_evenly
        self.numbers.setToolTip(view.UNEVEN if is_uneven else "")

    def _arrange(self) -> None:
        """Share the room above the numbers, or all of it where they stand in corners, among the face and the bits."""
        self._has_row = self._needs_row()
        self.numbers.setVisible(self._has_row)
        below = _NUMBERS_HEIGHT if self._has_row else 0
        face = room = Area(0.0, 0.0, self.width(), max(self.height() - below, 0))
        if self._code is not None:
            shared = clock_room(room.width, room.height, self._code)
            face, self._bits_grid = shared.face, shared.grid
            size = shared.grid.columns * shared.grid.cell_width, shared.grid.height
            self.bits.setFixedSize(*map(math.ceil, size))
            self.bits_area.setGeometry(_pixels(shared.dials))
        (self.dials_area if shows_each(self._shown) else self.canvas).setGeometry(_pixels(face))
        self._fit_dials()

    def _fit_dials(self) -> None:
        """Make the canvas of the dials as high as their rows, which are lower where a scroll bar leaves less width."""
        if shows_each(self._shown):
            self.dials.setFixedHeight(max(math.ceil(self._own_grid().height), self.dials_area.viewport().height()))
        self._keep_pair_in_view()

    def _needs_row(self) -> bool:
        """Whether the numbers stand in a row below: not where the dial is small and alone, and has room beside it."""
        if self._code is not None or shows_each(self._shown):
            return True
        width, height = self.width(), self.height()
        is_small = dial_in(width, height - _NUMBERS_HEIGHT).radius < _LEAST_RADIUS
        return not (is_small and has_corners(dial_in(width, height), width, height))

    def _own_grid(self) -> DialGrid:
        """Where the dials of pairs or columns stand on their canvas."""
        viewport = self.dials_area.viewport()
        return own_grid(self._shown.encoding, max(viewport.width(), 1.0), viewport.height())

    def _keep_pair_in_view(self) -> None:
        """Rows stay whole and the dials of the chosen pair in view, in whatever room there is."""
        hands = face_hands_of(self._shown.encoding, self._shown.cursor.pair)
        if shows_each(self._shown):
            _bring_into_view(self.dials_area, self._own_grid(), hands[:1])
        if self._code is not None:
            # Bits beside other hands belong to no pair.
            follows = self._follows_pair and self._shown.encoding.pairs is None
            _bring_into_view(self.bits_area, self._bits_grid, hands if follows else ())

    def spoken(self) -> str:
        told = view.spoken(self.model.state, self.model.findings)
        return f"t {number_text.position(self.model.cursor.position)}, {told}"


def _knob_changes(state: State, knob: Knob, x: float, y: float, *, keeps_length: bool) -> dict[str, Any]:
    """What of the state changes when a knob is dragged to a point: the vector before it is turned."""
    if state.encoding != knob.encoding:
        # A key may have brought another one while the button is down.
        return {}
    scale = knob.reach / knob.dial.radius
    turned = (knob.dial.y - y) * scale, (x - knob.dial.x) * scale
    vector = with_turned(state, knob.name, knob.pair, turned, keeps_length=keeps_length)
    return {f"rotary.{knob.name}": tuple(vector.tolist())}


def _bring_into_view(area: QScrollArea, grid: DialGrid, dials: tuple[int, ...]) -> None:
    """Scroll no further than it takes to see some dials, and so that the upper edge cuts no row."""
    bar, rows = area.verticalScrollBar(), [dial // grid.columns for dial in dials]
    first = round(bar.value() / grid.cell_height)
    if rows:
        bottom = math.floor((rows[-1] + 1) * grid.cell_height)
        lowest = math.ceil((bottom - area.viewport().height()) / grid.cell_height)
        first = min(max(first, lowest), rows[0])
    bar.setValue(round(first * grid.cell_height))


def _pixels(area: Area) -> QRect:
    return QRect(round(area.x), round(area.y), math.ceil(area.width), math.ceil(area.height))
