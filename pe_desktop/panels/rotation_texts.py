"""The pages of the rotation panel that are text, as widgets: the algebra of M_k, and how M_k is found."""

from dataclasses import replace

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from pe_desktop.core.rotation import eigenvalues, rotating_pairs
from pe_desktop.core.rules import OFFSET
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.canvas import PictureCanvas
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.controls.labels import FormulaLabel, RefusalLabel
from pe_desktop.panels.controls.number_field import NumberField
from pe_desktop.panels.rotation_pages import N_LAWS, N_STEPS, algebra_lines, derivation_lines
from pe_desktop.views.rotation.picture import eigenvalue_picture

FIRST_OTHER = 3.0


class EigenvalueCanvas(PictureCanvas):
    """The eigenvalues of M_k on the unit circle."""

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setFixedHeight(200)
        self.setAccessibleName("Eigenvalues of the rotation")

    def moving_picture(self, width: float, height: float) -> marks.Picture:
        encoding = self._model.encoding
        pairs = rotating_pairs(encoding)
        if pairs is None:
            return ()
        values = eigenvalues(encoding, self._model.cursor.offset)
        return eigenvalue_picture(width, height, pairs, values, self.theme)


class AlgebraPage(QWidget):
    """What M_k obeys, each law with its numbers and residual, and its eigenvalues."""

    def __init__(self, model: EncodingModel) -> None:
        super().__init__()
        self._model = model
        self.other = FIRST_OTHER
        self.other_field = NumberField("Second shift j")
        self.other_field.setFixedWidth(72)
        self.other_field.show_value(number_text.position(self.other))
        self.other_field.submitted.connect(self._on_other_typed)
        self.refusal = RefusalLabel()
        self.eigenvalues = EigenvalueCanvas(model)
        self._laws = [(_worded("heading"), FormulaLabel(16), _worded("note")) for _ in range(N_LAWS)]
        row = QHBoxLayout()
        row.addWidget(QLabel("Second shift j"))
        row.addWidget(self.other_field)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 6, 4)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.refusal)
        for law in self._laws:
            for label in law:
                column.addWidget(label)
            column.addSpacing(6)
        column.addWidget(self.eigenvalues)
        column.addStretch(1)
        self.setProperty("role", "panel")

    def show_theme(self, theme: Theme) -> None:
        self.eigenvalues.show_theme(theme)
        self.refusal.show_theme(theme)
        for _, law, _ in self._laws:
            law.show_theme(theme)

    def show_numbers(self) -> None:
        """Those of the encoding and the cursor."""
        lines = algebra_lines(self._model.encoding, self._model.cursor, self.other)
        for (name, law, number), (words, formulas, sentence) in zip(self._laws, lines, strict=True):
            name.setText(words)
            law.show_formulas(formulas)
            number.setText(sentence)
        self.eigenvalues.update()

    def _on_other_typed(self, text: str) -> None:
        try:
            self.other = float(replace(OFFSET, name="j").read(text))
        except ValueError as error:
            self.other_field.show_refused()
            self.refusal.show_sentence(str(error))
            return
        self.other_field.show_value(number_text.position(self.other))
        self.other_field.show_taken()
        self.refusal.show_sentence("")
        self.show_numbers()


class StepsPage(QWidget):
    """How M_k is found, step by step, with the current numbers."""

    def __init__(self, model: EncodingModel) -> None:
        super().__init__()
        self._model = model
        self.steps = [(_worded("note"), FormulaLabel(16)) for _ in range(N_STEPS)]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 6, 4)
        column.setSpacing(3)
        for sentence, formula in self.steps:
            column.addWidget(sentence)
            column.addWidget(formula)
            column.addSpacing(6)
        column.addStretch(1)
        self.setProperty("role", "panel")

    def show_theme(self, theme: Theme) -> None:
        for _, formula in self.steps:
            formula.show_theme(theme)

    def show_numbers(self) -> None:
        """Those of the encoding and the cursor."""
        lines = derivation_lines(self._model.encoding, self._model.cursor)
        for (sentence, formula), (words, formulas) in zip(self.steps, lines, strict=True):
            sentence.setText(words)
            formula.show_formulas(formulas)


def _worded(role: str) -> QLabel:
    """A label in the style of a role; notes are sentences, which go on in another line."""
    label = QLabel()
    label.setProperty("role", role)
    label.setWordWrap(role == "note")
    return label
