"""Decoder: hands that are turned one by one, or a vector from the clipboard, and the position that they say."""

import math

from PySide6.QtWidgets import QApplication

from pe_desktop.core.cursor import n_hands
from pe_desktop.core.decoder import hands_of
from pe_desktop.draw.plot import Slide
from pe_desktop.draw.scene import Place
from pe_desktop.panels.controls.buttons import PushButton
from pe_desktop.panels.gestures import Changes, Drag, Point, Zoomed
from pe_desktop.panels.scene_panel import DeclaredPanel
from pe_desktop.views.decoder.reading import HANDS, dial_of
from pe_desktop.views.decoder.scene import CURVE, OF_T

_VECTOR = "decoder.vector"
_PASTE = ("Ctrl+V", "Shift+Ins")
# By how much a key turns the chosen hand: 5 degrees, with Shift a tenth of that.
_STEP = math.radians(5.0)
_TURNS = {"Alt+Left": -_STEP, "Alt+Right": _STEP, "Alt+Shift+Left": -_STEP / 10, "Alt+Shift+Right": _STEP / 10}
_BRACKETS = str.maketrans(dict.fromkeys("[](){};", " "))


class DecoderPanel(DeclaredPanel):
    """Dragging a hand turns it alone; the wheel zooms the curve.

    Alt+Left and Alt+Right turn a hand, 0 and a double click set all to those of t, Ctrl+V reads a vector.
    """

    key = "decoder"

    def make(self) -> None:
        super().make()
        self._hand: int | None = None
        # What was seen when a vector was refused: the sentence about it goes with the next change.
        self._refused_of = self.model.state
        paste = self.widgets["Paste vector"]
        assert isinstance(paste, PushButton)
        paste.clicked.connect(self._on_paste)

    def refresh(self) -> None:
        super().refresh()
        if self.model.state is not self._refused_of:
            self._refused_of = self.model.state
            self.refusal.show_sentence("")

    def key_changes(self, key: str) -> Changes | None:
        if key in _PASTE:
            self._on_paste()
        elif key == "0":
            self._refuse("")
            return OF_T
        elif key in _TURNS:
            if self.model.encoding.pairs is not None:
                self._turn(self._hand_of(self.canvas.marked), _TURNS[key])
        else:
            return None
        return {}

    def _on_paste(self) -> None:
        text = _listed(QApplication.clipboard().text()).translate(_BRACKETS)
        empty = "" if text.strip() else "The clipboard has no numbers: copy one for each dimension first"
        self._refuse(empty or self.model.set_parameter(_VECTOR, text))

    def _refuse(self, sentence: str) -> None:
        """Say why, in words instead of the name of the state."""
        text = sentence.replace(_VECTOR, "the vector")
        self.refusal.show_sentence(text[:1].upper() + text[1:])

    def _turn(self, hand: int, by: float) -> None:
        """Turn one hand by so many radians; of a vector that is too wide to be set a sentence says so."""
        hands = hands_of(self.model.state)
        try:
            self.model.set(**{_VECTOR: hands.with_hand(hand, float(hands.read_angles()[0][hand]) + by)})
        except ValueError as error:
            self._refuse(str(error))

    def changes_of(self, drag: Drag) -> Changes:
        dial = self._place(HANDS)
        if drag.is_press:
            self._hand = None
            if dial is not None and dial.area.holds(*drag.start):
                self._hand = self._hand_of(self.canvas.place_at(*drag.start))
                return {"pair": self._hand}
        elif self._hand is not None and dial is not None:
            face = dial_of(dial.area)
            by = math.remainder(face.angle_at(*drag.now) - face.angle_at(*drag.before), math.tau)
            if by:
                self._turn(self._hand, by)
            return {}
        return super().changes_of(drag)

    def _hand_of(self, place: Place | None) -> int:
        """The hand that a place names, else the chosen one."""
        named = {} if place is None else place.changes(*place.area.middle)
        return int(named.get("pair", min(self.model.cursor.pair, n_hands(self.model.encoding) - 1)))

    def _place(self, name: str) -> Place | None:
        """A part of the page; None on the other page."""
        return next((place for place in self.canvas.places() if place.name == name), None)

    def plots(self) -> tuple[Zoomed, ...]:
        """The curve, where it is on the page of the state as it is now."""
        self.canvas.begin_frame()
        place = self._place(CURVE)
        if place is None or not isinstance(place.sets, Slide):
            return ()
        axis = place.sets.axis
        point = axis.place_within(self.model.cursor.position), axis.area.middle[1]
        return (Zoomed(place.area, {"span": axis}, point),)

    def fitted(self, point: Point) -> Changes:
        """All positions in the curve; elsewhere all hands to those of t."""
        return {"span": None} if self.plots()[0].area.holds(*point) else OF_T


def _listed(text: str) -> str:
    """What stands in the brackets of a printed tensor or array; else the text itself."""
    first, last = text.find("["), text.rfind("]")
    return text[first:last] if 0 <= first < last else text
