"""Rotary: the score of a query and a key that their positions turn."""

from functools import partial
from typing import ClassVar, Final

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from pe_desktop.core.scores.rotary import VECTORS_OF_WORDS, vectors_of
from pe_desktop.draw.number_text import plain
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.layouts import RefusalLabel, filled, in_words
from pe_desktop.panels.controls.value_edit import NumberField
from pe_desktop.panels.gestures import Changes
from pe_desktop.panels.scene_panel import ScrolledScenePanel
from pe_desktop.views.controls import Choice

_PAGES: Final = {"score": "Score", "decay": "Decay", "reasons": "Why turned"}
_VECTORS: Final = {"words": "Words", "seeded": "Seeded", "typed": "Typed"}
_VECTOR_TOOLTIPS: Final = {
    "words": "W_Q x and W_K x of the words at t and t + k: the score is that of their cell in Attention",
    "seeded": "Two vectors drawn at random, the same at every t and k",
    "typed": "What was typed or dragged; what was not is that of its word",
}
# The widest vectors that are typed.
_MOST_FIELDS: Final = 4
_FIELD_WIDTH: Final = 72
_QUERY, _KEY, _PAGE = "rotary.query", "rotary.key", "rotary.page"


class RotaryPanel(ScrolledScenePanel):
    """A press on a bar or its dial chooses the pair, a drag in the curve k, a press on a pairing that in force."""

    key = "rotary"
    keys: ClassVar = {"H": "The other pairing: interleaved or half-split", "0": "The query and key of the words again"}
    choices_title = "Query and key…"
    smallest = (420, 220)
    accessible_name = "Rotary score"

    controls = (Choice(name=_PAGE, label="Rotary shows", words=_PAGES),)
    card_controls = (
        Choice(name="rotary.vectors", label="q and k", has_label=True, words=_VECTORS, tooltips=_VECTOR_TOOLTIPS),
    )

    def __init__(self, model: EncodingModel, playback: Playback) -> None:
        super().__init__(model, playback)
        self.refusal = RefusalLabel()
        self.fields = {name: [self._field(name, place) for place in range(_MOST_FIELDS)] for name in (_QUERY, _KEY)}
        self._vectors = QWidget()
        self._place_fields()

    def show_choices(self) -> None:
        super().show_choices()
        self._show_fields()

    def key_changes(self, key: str) -> Changes | None:
        """H: the other of the two right pairings; 0: those of the words again."""
        if key == "H":
            is_half = self.model.state.attention.pairing == "half-split"
            return {"pairing": "interleaved" if is_half else "half-split"}
        return dict(VECTORS_OF_WORDS) if key == "0" else None

    def _place_fields(self) -> None:
        typed = filled(QHBoxLayout(self._vectors), margins=(0, 0, 4, 10), spacing=6)
        for name, fields in self.fields.items():
            filled(typed, QLabel("q" if name == _QUERY else "k"), *fields, 10)
        typed.addStretch(1)
        self.column.insertWidget(0, self._vectors)
        self.column.insertWidget(1, self.refusal)

    def _field(self, name: str, place: int) -> NumberField:
        field = NumberField(f"{'Query' if name == _QUERY else 'Key'}, dimension {place}")
        field.setFixedWidth(_FIELD_WIDTH)
        field.submitted.connect(lambda text: self._on_typed(name, place, text))
        field.given_up.connect(partial(self.refusal.show_sentence, ""))
        return field

    def _show_fields(self) -> None:
        d_model = self.model.encoding.d_model
        self._vectors.setVisible(d_model <= _MOST_FIELDS)
        if d_model > _MOST_FIELDS:
            self.refusal.show_sentence("")
            return
        for fields, vector in zip(self.fields.values(), vectors_of(self.model.state).both, strict=True):
            for place, field in enumerate(fields):
                field.setVisible(place < d_model)
                field.show_value(plain(round(vector[place], 3)) if place < d_model else "")

    def _on_typed(self, name: str, place: int, text: str) -> None:
        field, typed = self.fields[name][place], [*map(repr, vectors_of(self.model.state).both[name == _KEY].tolist())]
        typed[place] = text
        refusal = self.model.set_parameter(name, " ".join(typed))
        (field.show_refused if refusal else field.show_taken)()
        self.refusal.show_sentence(in_words(refusal, name, "the query" if name == _QUERY else "the key"))
