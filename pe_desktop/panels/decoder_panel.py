"""Decoder: hands that are turned one by one, or a vector from the clipboard, and the position that they say."""

import math
from typing import ClassVar, Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from pe_desktop.core.choices import DecoderView
from pe_desktop.core.decoder import read_angles, with_hand
from pe_desktop.core.encoding import Encoding
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import EncodingModel, Refusal
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import PushButton, Segments
from pe_desktop.panels.controls.labels import RefusalLabel, in_words
from pe_desktop.panels.controls.progress_row import ProgressRow
from pe_desktop.panels.gestures import Changes, Drag, Point, Reactions
from pe_desktop.panels.scene_panel import ScrolledScenePanel
from pe_desktop.views.decoder import picture
from pe_desktop.views.decoder import scene as view
from pe_desktop.views.decoder.layout import DecoderLayout

_PAGES: Final = {"read": "Read", "before": "n before m"}
_PAGE_TOOLTIPS: Final = {
    "read": "Which t do these hands say?",
    "before": "Is n three before m? The vector of n against that of m moved back",
}
_READS_TOOLTIPS: Final = {
    "fastest": "Read hands from the fastest on: 1, 2, 4, … of them",
    "pinned": "Read the pinned hands alone, one after another",
}
_PAGE, _VECTOR, _READS, _COUNT, _PLACES = (
    "decoder.page",
    "decoder.vector",
    "decoder.reads",
    "decoder.n_hands",
    "decoder.places",
)
# By how much a key turns the chosen hand: 5 degrees, with Shift a tenth of that.
_STEP: Final = math.radians(5.0)
_BRACKETS: Final = str.maketrans(dict.fromkeys("[](){};", " "))


class DecoderPanel(ScrolledScenePanel):
    """Dragging a hand turns it alone; a press on a line of a table reads so many hands, or moves t. The wheel zooms.

    Alt+Left and Alt+Right turn the chosen hand, 0 and a double click set all to those of t, Ctrl+V reads a vector.
    """

    key = "decoder"
    keys: ClassVar = {
        "Alt+Left, Alt+Right": "Turn the hand of the chosen pair; with Shift by a tenth of that",
        "Ctrl+V": "Read the numbers on the clipboard",
        "0": "Set all hands to those of t",
    }
    title = "Decoder"
    accessible_name = "Decoder: which t do these hands say?"
    readout_title = "Copy as table"

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self._hand: int | None = None
        # What was seen when a vector was refused: the sentence about it goes with that.
        self._refused_of: tuple[Encoding, DecoderView] | None = None
        self.pages = Segments(_PAGES, "Decoder shows", self)
        self.pages.set_tooltips(_PAGE_TOOLTIPS)
        self.pages.chosen.connect(lambda page: model.set(**{_PAGE: page}))
        self.read_t = PushButton("Read t")
        self.read_t.setToolTip("Set all hands to those of t (0)")
        self.read_t.clicked.connect(self._on_read_t)
        self.paste = PushButton("Paste vector")
        self.paste.setToolTip("Read the numbers on the clipboard, one for each dimension (Ctrl+V)")
        self.paste.clicked.connect(self._on_paste)
        self.reads = Segments({"fastest": "Fastest first", "pinned": "Pinned"}, "Hands that are read", self)
        self.reads.set_tooltips(_READS_TOOLTIPS)
        self.reads.chosen.connect(lambda reads: model.set(**{_READS: reads}))
        self.refusal = RefusalLabel()
        self.progress = ProgressRow(model.findings, self)
        row = QHBoxLayout()
        row.setContentsMargins(0, 2, 4, 8)
        row.setSpacing(8)
        for widget in (self.read_t, self.paste):
            row.addWidget(widget)
        row.addWidget(self.refusal, 100)
        row.addStretch(1)
        row.addWidget(self.reads)
        self.column.insertLayout(0, row)
        self.column.addWidget(self.progress)
        self.canvas.installEventFilter(self)
        model.refused.connect(self._on_refused)
        self.setMinimumSize(420, 220)

    def layout_now(self) -> DecoderLayout:
        """Where everything stands on the page "read"."""
        return view.layout_of(self.model.state, self.canvas.box())

    def header_widgets(self) -> list[QWidget]:
        return [self.pages]

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        self.refusal.show_theme(theme)

    def refresh(self) -> None:
        super().refresh()
        self.progress.follow(view.questions(self.model.state))

    def show_choices(self) -> None:
        super().show_choices()
        state = self.model.state
        shown, is_read = state.views.decoder, self._reads
        if (state.encoding, shown) != self._refused_of:
            self._refused_of = state.encoding, shown
            self.refusal.show_sentence("")
        self.pages.show_choice(shown.page)
        for widget in (self.read_t, self.paste, self.reads):
            widget.setVisible(is_read)
        self.reads.show_choice(shown.reads)
        self.read_t.setEnabled(bool(shown.vector))

    def reactions(self) -> Reactions:
        return Reactions(
            choose=self._choose,
            pan=self._pan,
            zoom=self._zoom,
            fit=self._fit,
            is_button_at=self._is_button_at,
            key_points=self._key_points,
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.canvas and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._press_key(event)
        return super().eventFilter(watched, event)

    @property
    def _reads(self) -> bool:
        return self.model.state.views.decoder.page == "read"

    def _press_key(self, event: QKeyEvent) -> bool:
        if not self._reads:
            return False
        if event.matches(QKeySequence.StandardKey.Paste):
            self._on_paste()
            return True
        if event.key() == Qt.Key.Key_0 and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self._on_read_t()
            return True
        way = {Qt.Key.Key_Left: -1.0, Qt.Key.Key_Right: 1.0}.get(Qt.Key(event.key()))
        if way is None or not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            return False
        share = 0.1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1.0
        pairs = self.model.encoding.pairs
        if pairs is not None:
            self._turn(min(self.model.cursor.pair, pairs.count - 1), way * share * _STEP)
        return True

    def _on_read_t(self) -> None:
        self._set({_VECTOR: ()})

    def _on_paste(self) -> None:
        text = _listed(QApplication.clipboard().text()).translate(_BRACKETS)
        if not text.strip():
            self.refusal.show_sentence("The clipboard has no numbers: copy one for each dimension first")
        elif self.model.set_parameter(_VECTOR, text):
            self.refusal.show_sentence("")

    def _on_refused(self, refusal: Refusal) -> None:
        if refusal.parameter == _VECTOR:
            self._refuse(refusal.sentence)

    def _refuse(self, sentence: str) -> None:
        self.refusal.show_sentence(in_words(sentence, _VECTOR, "the vector"))

    def _set(self, changes: Changes) -> None:
        self.refusal.show_sentence("")
        self.model.set(**changes)

    def _turn(self, hand: int, by: float) -> None:
        """Turn one hand by so many radians; of a vector that is too wide to be set a sentence says so."""
        hands = view.hands_of(self.model.state)
        try:
            self._set({_VECTOR: with_hand(hands, hand, float(read_angles(hands)[0][hand]) + by)})
        except ValueError as error:
            self._refuse(str(error))

    def _choose(self, drag: Drag) -> Changes:
        state = self.model.state
        if not self._reads:
            places = view.places_at(state, self.canvas.box(), *drag.now)
            return {} if places is None or not drag.is_press else {_PLACES: places}
        layout = self.layout_now()
        if drag.is_press:
            self._hand = view.hand_at(state, layout, *drag.start)
            if self._hand is not None:
                return {"pair": self._hand}
            count = view.count_at(state, layout, *drag.start)
            if count is not None:
                return {_COUNT: count}
        elif self._hand is not None:
            dial = picture.dial_of(layout.hands)
            by = math.remainder(dial.angle_at(*drag.now) - dial.angle_at(*drag.before), math.tau)
            if by:
                self._turn(self._hand, by)
            return {}
        if not drag.is_press and not layout.curve.holds(*drag.start):
            return {}
        position = view.position_at(state, self.model.findings, layout, *drag.now)
        return {} if position is None else {"position": float(position)}

    def _is_button_at(self, x: float, y: float) -> bool:
        state = self.model.state
        if not self._reads:
            return view.places_at(state, self.canvas.box(), x, y) is not None
        layout = self.layout_now()
        return view.count_at(state, layout, x, y) is not None or view.hand_tip_at(state, layout, x, y) is not None

    def _pan(self, drag: Drag) -> Changes:
        layout = self.layout_now()
        if not self._reads or not layout.curve.holds(*drag.start):
            return {}
        axis = layout.position_axis
        return {"span": self.model.span.moved(axis.value(drag.before[0]) - axis.value(drag.now[0]))}

    def _zoom(self, factor: float, x: float, y: float) -> Changes:
        layout = self.layout_now()
        if not self._reads or not layout.curve.holds(x, y):
            return {}
        return {"span": self.model.span.zoomed(factor, layout.position_axis.value(x))}

    def _key_points(self) -> tuple[Point, ...]:
        layout = self.layout_now()
        x = layout.position_axis.place_within(self.model.cursor.position)
        return ((x, layout.curve.middle[1]),) if self._reads else ()

    def _fit(self) -> Changes:
        """All positions in the curve; elsewhere all hands to those of t."""
        at = self.gestures.at
        if at is not None and self._reads and self.layout_now().curve.holds(*at):
            return {"span": None}
        return {_VECTOR: ()} if self._reads else {}


def _listed(text: str) -> str:
    """What stands in the brackets of a printed tensor or array; else the text itself."""
    first, last = text.find("["), text.rfind("]")
    return text[first:last] if 0 <= first < last else text
