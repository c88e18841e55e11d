"""Rotary: the score of a query and a key that their positions turn."""

from functools import partial
from typing import ClassVar, Final

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from pe_desktop.core.scores.rotary import VECTORS_OF_WORDS, vectors_of
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.draw.number_text import plain
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.layouts import RefusalLabel, filled, in_words
from pe_desktop.panels.controls.value_edit import NumberField
from pe_desktop.panels.gestures import Changes
from pe_desktop.panels.heat_base import MapPanel
from pe_desktop.panels.scene_panel import ScrolledScenePanel
from pe_desktop.views.controls import Choice
from pe_desktop.views.rotary import pairings
from pe_desktop.views.rotary import scene as view
from pe_desktop.views.rotary.curve import ScoreLayout

_PAGES: Final = {"score": "Score", "decay": "Decay", "reasons": "Why turned"}
_PAIRING_TOOLTIPS: Final = {
    "interleaved": "Dimensions 2i and 2i + 1 turn together (H)",
    "half-split": "Dimensions i and i + d / 2 turn together (H)",
    "mixed": "The angles of one pairing with the partners of the other, as when weights are loaded into the wrong code",
}
# The widest vectors that are typed.
_MOST_FIELDS: Final = 4
_FIELD_WIDTH: Final = 72
_QUERY, _KEY, _PAGE, _SCHEME = "rotary.query", "rotary.key", "rotary.page", "rotary.scheme"


class RotaryPanel(MapPanel, ScrolledScenePanel):
    """A press on a bar chooses its pair, a drag in the curve k, in the map t and k. The wheel zooms."""

    key = "rotary"
    keys: ClassVar = {"H": "The other pairing: interleaved or half-split", "0": "The query and key of the words again"}
    smallest = (420, 220)
    accessible_name = "Rotary score"
    has_wide_title = False

    controls = (
        Choice(name="pairing", label="Pairs", has_label=True, words=pairings.TITLES, tooltips=_PAIRING_TOOLTIPS),
        Choice(name=_PAGE, label="Rotary shows", is_in_title=False, words=_PAGES),
        Choice(
            name=_SCHEME,
            label="Curve of",
            is_in_title=False,
            words={name: scheme.title for name, scheme in SCHEMES.items()},
            tooltips={name: scheme.curve_tooltip for name, scheme in SCHEMES.items()},
            is_shown=lambda state: state.views.rotary.page == "score",
        ),
    )

    def __init__(self, model: EncodingModel, playback: Playback) -> None:
        super().__init__(model, playback)
        self.refusal = RefusalLabel()
        self.fields = {name: [self._field(name, place) for place in range(_MOST_FIELDS)] for name in (_QUERY, _KEY)}
        self._vectors = QWidget()
        self._place_controls()

    def layout_now(self) -> ScoreLayout:
        return view.layout_of(self.model.state, self.model.findings, self.canvas.box())

    def show_choices(self) -> None:
        super().show_choices()
        self._show_fields()

    def key_changes(self, key: str) -> Changes | None:
        """H: the other of the two right pairings; 0: those of the words again."""
        if key == "H":
            is_half = self.model.state.attention.pairing == "half-split"
            return {"pairing": "interleaved" if is_half else "half-split"}
        return dict(VECTORS_OF_WORDS) if key == "0" else None

    def _place_controls(self) -> None:
        pages, schemes = self.control_set.row(is_in_title=False)
        row = filled(QHBoxLayout(), pages, None, schemes, margins=(0, 2, 4, 10), spacing=12)
        typed = filled(QHBoxLayout(self._vectors), margins=(0, 0, 4, 10), spacing=6)
        for name, fields in self.fields.items():
            filled(typed, QLabel("q" if name == _QUERY else "k"), *fields, 10)
        typed.addStretch(1)
        self.column.insertLayout(0, row)
        self.column.insertWidget(1, self._vectors)
        self.column.insertWidget(2, self.refusal)

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

    @property
    def has_map(self) -> bool:
        return self.model.state.views.rotary.page == "score" and not view.refusal_of(self.model.state)
