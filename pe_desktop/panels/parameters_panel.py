"""The Encoding dock: which encoding, its formula with live numbers, its parameters, wavelengths and checks."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from pe_desktop.core.analysis import Analysis
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.layouts import LAYOUTS
from pe_desktop.core.measurement import FAILS, HOLDS, PROPERTY_NAMES
from pe_desktop.model.encoding_model import EncodingModel, Refusal
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.choice_box import ChoiceBox
from pe_desktop.panels.controls.labels import FormulaLabel, RefusalLabel
from pe_desktop.panels.controls.number_field import NumberField
from pe_desktop.panels.controls.step_slider import StepSlider
from pe_desktop.panels.encoding_text import check_rows, turning_sentence
from pe_desktop.panels.panel import Panel
from pe_desktop.panels.spectrum import SpectrumCanvas
from pe_desktop.plotting import number_text
from pe_desktop.plotting.icons import themed_icon
from pe_desktop.plotting.theme import Theme

DIMENSION_STEPS = (*(float(2**power) for power in range(1, 17)), 768.0, 3072.0)
POSITION_STEPS = (
    1.0,
    8.0,
    10.0,
    50.0,
    64.0,
    100.0,
    128.0,
    512.0,
    1e3,
    1024.0,
    2048.0,
    8192.0,
    1e4,
    32768.0,
    1e5,
    1e6,
    1e7,
)
BASE_STEPS = (2.0, 10.0, 100.0, 256.0, 500.0, 1e3, 2e3, 5e3, 8192.0, 1e4, 2e4, 5e4, 1e5, 5e5, 1e6, 1e7, 1e8, 1e9)
SPACING_WORDS = {"geometric": "Geometric", "inclusive": "Inclusive", "linear": "Linear"}
SPACING_TOOLTIPS = {
    "geometric": "The paper: ω_i = base^(−2i/d)",
    "inclusive": "tensor2tensor: the last pair turns at exactly 1/base",
    "linear": "Equal steps of ω from 1 to 1/base",
}
LAYOUT_WORDS = {
    "interleaved": "Interleaved",
    "half-split": "Half-split",
    "cosine-first": "Cosine-first",
}
NUMBER_ROWS = (
    ("d_model", "d_model", "Dimensions of a vector, even, 2 to 65 536"),
    ("n_positions", "Positions N", "Rows of the table, 1 to 10 000 000"),
    ("base", "Base", "How far apart the wavelengths reach, above 1, at most 10⁹"),
)


class ParametersPanel(Panel):
    """Everything that chooses an encoding."""

    key = "parameters"
    title = "Encoding"
    area = Qt.DockWidgetArea.LeftDockWidgetArea
    is_movable = False

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self.fields: dict[str, NumberField] = {}
        self.sliders: dict[str, StepSlider] = {}
        self.refusals: dict[str, RefusalLabel] = {}
        self._theme: Theme | None = None
        self._shown_pair = -1
        self._column = QVBoxLayout()
        self._column.setContentsMargins(16, 0, 16, 12)
        self._column.setSpacing(8)
        self._add_kind()
        self._add_numbers()
        self._add_choices()
        self._add_wavelengths()
        self._add_checks()
        self._column.addStretch(1)
        self._make_scrollable()
        model.refused.connect(self._on_refused)
        self.setMinimumWidth(250)

    def _make_scrollable(self) -> None:
        content = QWidget()
        content.setLayout(self._column)
        content.setProperty("role", "panel")
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def _add_kind(self) -> None:
        self._kind = QLabel()
        self._kind.setProperty("role", "kind")
        self._formula = FormulaLabel(15)
        card = QFrame()
        card.setProperty("role", "card")
        inner = QVBoxLayout(card)
        inner.setContentsMargins(10, 6, 8, 6)
        inner.addWidget(self._formula)
        self._column.addWidget(self._kind)
        self._column.addWidget(card)
        self._column.addSpacing(4)

    def _add_numbers(self) -> None:
        steps = {"d_model": tuple(sorted(DIMENSION_STEPS)), "n_positions": POSITION_STEPS, "base": BASE_STEPS}
        for name, word, tooltip in NUMBER_ROWS:
            label = QLabel(word)
            label.setToolTip(tooltip)
            label.setFixedWidth(74)
            field = NumberField(word)
            field.setToolTip(tooltip)
            field.setObjectName(name)
            field.setFixedWidth(92)
            slider = StepSlider(steps[name], word)
            slider.setToolTip(tooltip)
            slider.setObjectName(name)
            row = QHBoxLayout()
            row.setSpacing(5)
            row.addWidget(label)
            row.addWidget(slider, 1)
            row.addWidget(field)
            refusal = RefusalLabel()
            self._column.addLayout(row)
            self._column.addWidget(refusal)
            field.submitted.connect(self._on_typed)
            field.given_up.connect(self._on_given_up)
            slider.chosen.connect(self._on_slid)
            self.fields[name], self.sliders[name], self.refusals[name] = field, slider, refusal

    def _add_choices(self) -> None:
        self.spacing = Segments(SPACING_WORDS, "Spacing of the frequencies")
        self.spacing.set_tooltips(SPACING_TOOLTIPS)
        self.spacing.chosen.connect(self._on_spacing_chosen)
        self.layout_box = ChoiceBox()
        self.layout_box.addItems([LAYOUT_WORDS[layout] for layout in LAYOUTS])
        self.layout_box.setAccessibleName("Layout of the dimensions")
        self.layout_box.setToolTip("In which order sines and cosines stand in a vector")
        self.layout_box.activated.connect(self._on_layout_chosen)
        self._column.addSpacing(2)
        self._column.addWidget(QLabel("Spacing"))
        self._column.addWidget(self.spacing)
        row = QHBoxLayout()
        row.addWidget(QLabel("Layout"))
        row.addStretch(1)
        row.addWidget(self.layout_box)
        self.layout_box.setFixedWidth(140)
        self._column.addLayout(row)

    def _add_wavelengths(self) -> None:
        self._turning = QLabel()
        self._turning.setProperty("role", "caption")
        self._add_heading("Wavelength", self._turning)
        self.spectrum = SpectrumCanvas(self.model)
        self._column.addWidget(self.spectrum)

    def _add_checks(self) -> None:
        self._measured = QLabel()
        self._measured.setProperty("role", "caption")
        self._add_heading("Checks", self._measured)
        self._checks = QGridLayout()
        self._checks.setHorizontalSpacing(8)
        self._checks.setVerticalSpacing(7)
        self._checks.setColumnStretch(1, 1)
        self._check_labels = [[QLabel() for _ in range(3)] for _ in PROPERTY_NAMES]
        for place, labels in enumerate(self._check_labels):
            for column, label in enumerate(labels):
                self._checks.addWidget(label, place, column)
            labels[2].setProperty("role", "number")
            labels[2].setAlignment(Qt.AlignmentFlag.AlignRight)
        self._column.addLayout(self._checks)

    def _add_heading(self, title: str, caption: QLabel) -> None:
        line = QFrame()
        line.setProperty("role", "line")
        line.setFixedHeight(1)
        heading = QLabel(title)
        heading.setProperty("role", "heading")
        row = QHBoxLayout()
        caption.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        caption.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(heading)
        row.addWidget(caption, 1)
        self._column.addSpacing(6)
        self._column.addWidget(line)
        self._column.addSpacing(2)
        self._column.addLayout(row)

    def show_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self._formula.show_theme(theme)
        self.spectrum.show_theme(theme)
        for name in self.fields:
            self.sliders[name].show_theme(theme)
            self.refusals[name].show_theme(theme)
        self.show_analysis(self.model.analysis)

    def show_encoding(self, encoding: Encoding) -> None:
        """Show the parameters that count now."""
        self._kind.setText(encoding.title)
        self._formula.show_formulas(*encoding.formulas)
        parameters = encoding.parameters
        for name, field in self.fields.items():
            for control in (field, self.sliders[name]):
                control.setEnabled(name in parameters)
            if name in parameters:
                field.show_value(number_text.plain(float(parameters[name])))
                self.sliders[name].show_value(float(parameters[name]))
        # What a kind lacks can't be chosen; what stood there stays, to return with the sinusoidal encoding.
        self.spacing.setEnabled("spacing" in parameters)
        self.layout_box.setEnabled("layout" in parameters)
        if "spacing" in parameters:
            self.spacing.show_choice(str(parameters["spacing"]))
        if "layout" in parameters:
            self.layout_box.setCurrentIndex(LAYOUTS.index(str(parameters["layout"])))
        self._turning.setText(turning_sentence(encoding))
        self.spectrum.redraw()

    def show_cursor(self, cursor: Cursor) -> None:
        """Mark the chosen pair."""
        if cursor.pair != self._shown_pair:
            self._shown_pair = cursor.pair
            self.spectrum.update()

    def show_analysis(self, analysis: Analysis | None) -> None:
        """Show what has been measured; what is being measured stands as three dots."""
        if self._theme is None:
            return
        rows, caption = check_rows(analysis, is_measuring=self.model.is_measuring)
        self._measured.setText(caption)
        icons = {HOLDS: ("check", self._theme.ok), FAILS: ("cross", self._theme.bad), "": ("more", self._theme.text3)}
        for labels, row in zip(self._check_labels, rows, strict=True):
            icon, color = icons.get(row.verdict, ("check", self._theme.warn))
            labels[0].setPixmap(themed_icon(icon, self._theme, color).pixmap(16, 16))
            labels[0].setAccessibleName(row.verdict.lower() or "being measured")
            labels[1].setText(row.name)
            labels[2].setText(row.number)
            for label in labels:
                label.setToolTip(row.explanation)

    def _on_typed(self, text: str) -> None:
        self._submit(self.sender().objectName(), text)

    def _on_slid(self, value: float) -> None:
        self._submit(self.sender().objectName(), repr(value) if value != int(value) else str(int(value)))

    def _submit(self, name: str, text: str) -> None:
        if self.model.set_parameter(name, text):
            self.fields[name].show_taken()
            self.refusals[name].show_sentence("")

    def _on_given_up(self) -> None:
        self.refusals[self.sender().objectName()].show_sentence("")

    def _on_refused(self, refusal: Refusal) -> None:
        if refusal.parameter not in self.fields:
            return
        kept = number_text.plain(float(self.model.encoding.parameters[refusal.parameter]))
        self.fields[refusal.parameter].show_refused()
        self.refusals[refusal.parameter].show_sentence(f"{refusal.sentence}. Still using {kept}.")

    def _on_spacing_chosen(self, spacing: str) -> None:
        self.model.set_parameter("spacing", spacing)

    def _on_layout_chosen(self, place: int) -> None:
        self.model.set_parameter("layout", LAYOUTS[place])
