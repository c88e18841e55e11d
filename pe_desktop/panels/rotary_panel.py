"""Rotary: the score of a query and a key that their positions turn."""

import math
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QFileDialog

from pe_desktop.core.scores.attention import head_refusal
from pe_desktop.core.scores.rotary import VECTORS_OF_WORDS, RotaryFactors, rotary_of, vectors_of
from pe_desktop.core.state import State
from pe_desktop.draw.number_text import exact
from pe_desktop.files import UnreadableError, file_content
from pe_desktop.panels.gestures import Changes, Drag, Grip
from pe_desktop.panels.scene_panel import ScenePanel
from pe_desktop.views.controls import WORDS, Choice, Number, Press
from pe_desktop.views.rotary.terms import DIAL, chosen_pair, dial_of, turned_angles

_WORDS = WORDS["rotary"]
_FIELD_WIDTH, _LETTERS = 180, 2**20
_MOST_BYTES = 2**24
# What a file may hold instead of real numbers, by the letter of NumPy.
_HELD = {"c": "complex ones", "U": "text", "S": "text", "b": "true and false"}
# So near to the middle of the dial, and so far beyond its edge, no hand is taken.
_HUB = 8.0
_TYPED = {"rotary.query": "q, typed", "rotary.key": "k, typed"}


def _text(number: int, state: State) -> str:
    """The components of the query or the key with all digits."""
    return "" if head_refusal(state.encoding.d_model) else " ".join(map(exact, vectors_of(state).both[number].tolist()))


def _vectors_in(path: Path, d_model: int) -> tuple[tuple[float, ...], ...]:
    """The rows of a .npy file, d_model numbers each; ValueError with a sentence for any other file."""
    try:
        array = np.asarray(np.load(BytesIO(file_content(path, _MOST_BYTES)), allow_pickle=False))
    except (UnreadableError, ValueError, EOFError, MemoryError) as error:
        why = error if isinstance(error, UnreadableError) else "it is no array of numbers"
        raise ValueError(f"can't be read, {why}") from error
    if array.dtype.kind not in "iuf":
        raise ValueError(f"q and k are two rows of real numbers, it holds {_HELD.get(array.dtype.kind, 'others')}")
    if array.shape != (2, d_model):
        shape = " × ".join(map(str, array.shape)) or "one number"
        raise ValueError(f"q and k are two rows of d_model = {d_model} numbers, its shape is {shape}")
    return tuple(tuple(row) for row in array.astype(np.float64).tolist())


class RotaryPanel(ScenePanel):
    """A press on a bar or its dial chooses the pair, on a pairing that in force; a drag in the curve moves k.

    Dragging the query on the large dial moves t so that it follows, the key or Shift k.
    """

    key = "rotary"

    controls = (Choice(**_WORDS["page"]),)
    card_controls = (
        Choice(**_WORDS["vectors"]),
        *(
            Number(name=name, label=label, width=_FIELD_WIDTH, letters=_LETTERS, shown=partial(_text, number))
            for number, (name, label) in enumerate(_TYPED.items())
        ),
        Press(**_WORDS["file"]),
    )

    def make(self) -> None:
        super().make()
        self.card.pressed.connect(self._choose_file)

    def show_choices(self) -> None:
        super().show_choices()
        self.refusal.show_sentence("")

    def _choose_file(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, "Query and key", "", "NumPy array (*.npy)")
        if chosen:
            self.take_file(Path(chosen))

    def take_file(self, path: Path) -> None:
        """Take query and key from a .npy file, or say beside them why it holds none."""
        try:
            self.model.set(**dict(zip(_TYPED, _vectors_in(path, self.model.encoding.d_model), strict=True)))
        except ValueError as error:
            # The names of the command line mean nothing here.
            said = str(error).replace("rotary.query", "q").replace("rotary.key", "k")
            self.refusal.show_sentence(f"{path.name}: {said}")

    def grip_at(self, drag: Drag) -> Grip | None:
        """The hand of the dial that a press takes, or its arc: the nearest in angle of the turned query and key."""
        state, cursor, (x, y) = self.model.state, self.model.cursor, drag.now
        place = self.canvas.place_at(x, y)
        if place is None or place.name != DIAL or (angles := turned_angles(state)) is None:
            return None
        dial = dial_of(place.area)
        if not _HUB <= math.hypot(x - dial.x, y - dial.y) <= dial.radius + _HUB:
            return None
        query, key = (abs(math.remainder(dial.angle_at(x, y) - angle, math.tau)) for angle in angles)
        is_key = drag.moves_offset or key < query
        hands = RotaryFactors(rotary_of(state))
        return Grip(chosen_pair(state), dial, hands, is_key, cursor.offset if is_key else cursor.position)

    def key_changes(self, key: str) -> Changes | None:
        if key == "H":
            is_half = self.model.state.attention.pairing == "half-split"
            return {"pairing": "interleaved" if is_half else "half-split"}
        return dict(VECTORS_OF_WORDS) if key == "0" else None
