"""The rotation: M_k with PE(t + k) = M_k PE(t), as a picture and as algebra."""

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from pe_desktop.core.rotation import rotation_refusal
from pe_desktop.draw import number_text
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import EncodingModel, Refusal
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.labels import RefusalLabel
from pe_desktop.panels.controls.number_field import NumberField
from pe_desktop.panels.gestures import Reactions
from pe_desktop.panels.scene_panel import ScrolledScenePanel

_ALGEBRA = "What M_k obeys, with residuals"
_SECOND_SHIFT = "rotation.second_shift"


class RotationPanel(ScrolledScenePanel):
    """One matrix moves every position by k."""

    key = "rotation"
    title = "Rotation"
    least_size = (282, 146)
    accessible_name = "Rotation matrix"

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self.page_choice = Segments({"matrix": "Matrix", "algebra": "Algebra"}, "Rotation shows", self)
        self.page_choice.chosen.connect(self._on_page_chosen)
        self.second_shift = NumberField("Second shift j")
        self.second_shift.setFixedWidth(72)
        self.second_shift.submitted.connect(self._on_second_shift)
        self.second_shift.given_up.connect(self._on_given_up)
        self.refusal = RefusalLabel()
        self._second_row = QWidget()
        row = QHBoxLayout(self._second_row)
        row.setContentsMargins(0, 4, 6, 0)
        row.addWidget(QLabel("Second shift j"))
        row.addWidget(self.second_shift)
        row.addStretch(1)
        self.column.insertWidget(0, self._second_row)
        self.column.insertWidget(1, self.refusal)
        model.refused.connect(self._on_refused)
        self.setMinimumSize(250, 100)

    def reactions(self) -> Reactions:
        return Reactions(has_readout=True)

    def header_widgets(self) -> list[QWidget]:
        return [self.page_choice]

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        self.refusal.show_theme(theme)

    def show_choices(self) -> None:
        from pe_desktop.views.rotation.scene import page_of  # noqa: PLC0415 - it begins behind a tab

        super().show_choices()
        state = self.model.state
        page, refusal = page_of(state), rotation_refusal(state.encoding)
        self.page_choice.show_choice(page)
        self.page_choice.set_enabled("algebra", is_enabled=refusal is None)
        self.page_choice.set_tooltips({"algebra": _ALGEBRA if refusal is None else refusal})
        self._second_row.setVisible(page == "algebra")
        self.second_shift.show_value(number_text.exact(state.views.rotation.second_shift))
        if page != "algebra":
            self.refusal.show_sentence("")

    def _on_page_chosen(self, page: str) -> None:
        self.model.set(**{"rotation.page": page})

    def _on_second_shift(self, text: str) -> None:
        if self.model.set_parameter(_SECOND_SHIFT, text):
            self.second_shift.show_taken()
            self.refusal.show_sentence("")

    def _on_given_up(self) -> None:
        self.refusal.show_sentence("")

    def _on_refused(self, refusal: Refusal) -> None:
        if refusal.parameter == _SECOND_SHIFT:
            self.second_shift.show_refused()
            self.refusal.show_sentence(refusal.sentence.replace(_SECOND_SHIFT, "Second shift j", 1))
