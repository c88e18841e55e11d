"""The Encoding dock: which encoding, its formula with live numbers, its parameters, wavelengths and checks."""

from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAccessible, QColor, QPainter, QPaintEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import FAILS, HOLDS, PROPERTIES, Analysis, Measurement
from pe_desktop.core.measure.periodic import turning_within
from pe_desktop.core.number_text import held_together
from pe_desktop.core.presets import GROUPS, PRESETS, Group, Preset, formulas_of, presets_of
from pe_desktop.core.record import record
from pe_desktop.draw import number_text
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.marks import FormulaText
from pe_desktop.draw.painter import paint_marks
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.draw.spoken import Spoken
from pe_desktop.draw.theme import Theme, Themed, themed_icon
from pe_desktop.draw.typefaces import formula_runs, plain_formula, text_font
from pe_desktop.model.encoding_model import EncodingModel, Refusal, analysis_of
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import TextButton
from pe_desktop.panels.controls.labels import HEIGHT
from pe_desktop.panels.controls.layouts import filled, label
from pe_desktop.panels.controls.parameter_rows import ParameterForm
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.gestures import Changes, Drag, Gestures, Reactions
from pe_desktop.panels.scene_panel import Panel, scrolled
from pe_desktop.views.encoding import scene as view
from pe_desktop.views.properties import words
from pe_desktop.views.properties.words import PROPERTY_NAMES, deciding_number

_LINE_SPACING = 1.55


class _FormulaLabel(Spoken, Themed, QWidget):
    """One or more formulas, each on its line; lines that don't fit are set smaller, never cut."""

    accessible_role = QAccessible.Role.StaticText

    def __init__(self, pixels: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[str, ...] = ()
        self._pixels = pixels

    def show_formulas(self, *lines: str) -> None:
        """Show these lines."""
        if lines != self._lines:
            has_other_height = len(lines) != len(self._lines)
            self._lines = lines
            self.setAccessibleName("; ".join(plain_formula(line) for line in lines))
            if has_other_height:
                # It takes whatever width there is; a slider changes the numbers at each step.
                self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        width = max((formula_runs(line, self._pixels)[1] for line in self._lines), default=0.0)
        return QSize(round(width) + 2, round(len(self._lines) * self._pixels * _LINE_SPACING))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._lines:
            return
        with QPainter(self) as painter:
            room = self.height() / len(self._lines)
            for number, line in enumerate(self._lines):
                width = formula_runs(line, self._pixels)[1]
                pixels = self._pixels if width <= self.width() else max(int(self._pixels * self.width() / width), 8)
                paint_marks(painter, [FormulaText(0.0, (number + 0.5) * room, line, pixels, self.theme.text)])


_SIGN_SIDE = 16


class _CheckLine(TextButton):
    """A button as wide as the list, of which screen readers read name, verdict and number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "check")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._sign, self._name, self._number = QLabel(), QLabel(), label("", "number")
        parts = (self._sign, self._name, self._number)
        self._row = filled(QHBoxLayout(self), *parts, margins=(0, 0, 0, 0), spacing=8, wide=self._name)
        for part in parts:
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFixedHeight(HEIGHT)

    @property
    def texts(self) -> tuple[str, str]:
        """The name and the number that it shows."""
        return self._name.text(), self._number.text()

    def show_check(self, name: str, verdict: str, number: str, explanation: str) -> None:
        """Show what was found."""
        self._name.setText(name)
        self._number.setText(number)
        self.setToolTip(explanation)
        self.setAccessibleName(f"{name}: {verdict}, {number}")
        self.setAccessibleDescription(explanation)

    def show_sign(self, icon: str, theme: Theme, color: QColor) -> None:
        """Show the sign of a verdict."""
        self._sign.setPixmap(themed_icon(icon, theme, color).pixmap(_SIGN_SIDE, _SIGN_SIDE))

    def sizeHint(self) -> QSize:
        return QSize(self._row.sizeHint().width(), HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, HEIGHT)


# Of the open list, which ends with the dock.
_LIST_WIDTH = 238
_MOST_ENTRIES = 30
_HEADING_HEIGHT = 30


class KindChooser(ChoiceBox):
    """Shows what is chosen, also what stands in no list; announces the id of what a person chooses."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._place = -1
        self.setAccessibleName("Encoding")
        # Its longest entry must not widen the dock's content beyond the dock.
        self.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMaxVisibleItems(_MOST_ENTRIES)
        # Filled beforehand: an open list, which nobody sees, would be laid out anew after each entry.
        entries = QStandardItemModel(self)
        for group in GROUPS.values():
            _add_group(entries, group)
        self.setModel(entries)
        self.view().setMinimumWidth(_LIST_WIDTH)
        self.view().setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.activated.connect(self._on_activated)

    @property
    def title(self) -> str:
        """What is chosen."""
        return self.currentText() or self.placeholderText()

    def accessible_value(self) -> str:
        return self.title

    def place_of(self, preset_id: str) -> int:
        """Where an entry stands in the list."""
        return self.findData(preset_id)

    def show_preset(self, encoding: Encoding, preset: Preset | None) -> None:
        """Show what is chosen now; an encoding that is no entry goes by the name of its kind."""
        self.setPlaceholderText(encoding.title if preset is None else preset.title)
        self._place = -1 if preset is None else self.place_of(preset.id)
        self.setCurrentIndex(self._place)
        self.setToolTip(_tooltip(encoding, preset))

    def _on_activated(self, place: int) -> None:
        # A sentence is an entry that leaves the encoding as it is.
        self.setCurrentIndex(self._place)
        super()._on_activated(place)


def _add_group(entries: QStandardItemModel, group: Group) -> None:
    if group.id != "sinusoidal":
        heading = QStandardItem(group.title)
        heading.setFlags(Qt.ItemFlag.NoItemFlags)
        heading.setFont(text_font("caption"))
        heading.setSizeHint(QSize(_LIST_WIDTH, _HEADING_HEIGHT))
        entries.appendRow(heading)
    for preset in PRESETS.values():
        if preset.group == group:
            entry = QStandardItem(preset.title)
            entry.setData(preset.id, Qt.ItemDataRole.UserRole)
            entry.setToolTip(preset.sentence)
            entries.appendRow(entry)


def _tooltip(encoding: Encoding, preset: Preset | None) -> str:
    others = [other.title for other in presets_of(encoding) if preset is not None and other.id != preset.id]
    return f"The same table: {', '.join(others)}" if others else "Choose another encoding"


# Counts of five digits don't fit beside the heading: their share stands there.
_MANY_PAIRS = 10_000


@record
class _CheckRow:
    """One measured property: its name, its verdict ("" while it is being measured), its number, what was found."""

    name: str
    verdict: str
    verdict_text: str
    number: str
    explanation: str


def _turning_sentence(encoding: Encoding) -> str:
    """How many pairs complete a turn within the table."""
    if encoding.pairs is None:
        return ""
    n_turning, n_pairs = turning_within(encoding, encoding.pairs), encoding.pairs.count
    if n_pairs >= _MANY_PAIRS:
        return f"{number_text.whole(100 * n_turning / n_pairs)} % turn within N"
    return f"{number_text.whole(n_turning)} of {number_text.whole(n_pairs)} turn within N"


def _wavelength_tooltip(encoding: Encoding) -> str:
    """What the picture of the wavelengths shows."""
    is_mapped = encoding.pairs is not None and not encoding.pairs.turns_evenly
    unit = "Mapped positions f(t)" if is_mapped else "Positions"
    line = "; the line is how far f goes over N" if is_mapped else ""
    return f"{unit} per turn of each pair{line}; press to choose a pair"


def _check_rows(analysis: Analysis | None, *, is_measuring: bool) -> tuple[list[_CheckRow], str]:
    """The checks of the dock in the order in which people read them, and how many hold."""
    known = {} if analysis is None else {one.key: one for one in analysis.measurements}
    rows = []
    for key, name in PROPERTY_NAMES.items():
        measurement = known.get(key)
        if measurement is None:
            state, number = ("being measured", "…") if is_measuring else ("not measured", "not measured")
            rows.append(_CheckRow(name, "", state, number, state.capitalize()))
        else:
            number, text = _short_number(measurement), words.verdict_text(measurement)
            rows.append(_CheckRow(name, measurement.verdict, text, number, _explanation(measurement)))
    if len(known) < len(PROPERTY_NAMES):
        share = 0.0 if analysis is None else analysis.share
        return rows, f"measuring, {100 * share:.0f} %" if is_measuring else "stopped"
    return rows, words.count_texts(known.values(), len(rows))[0]


def _explanation(measurement: Measurement) -> str:
    told = (f"{words.verdict_text(measurement)}.", words.sentence(measurement), words.measured_on(measurement))
    return " ".join(filter(None, told))


def _short_number(measurement: Measurement) -> str:
    """The number that decides with the word that says what it is: max 1.000, nearest 1.17, ± 1.2×10⁻¹⁶."""
    row = PROPERTIES[measurement.key]
    has_prefix = measurement.number is not None and measurement.verdict not in row.ends
    return (row.prefix if has_prefix else "") + deciding_number(measurement)


MARGIN = 16


class ParametersPanel(Themed, Panel):
    """Everything that chooses an encoding."""

    key = "parameters"
    title = "Encoding"
    is_movable = False

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self._shown: tuple[Encoding, Preset | None] | None = None
        self._told: tuple[Analysis | None, bool] | None = None
        self._column = filled(QVBoxLayout(), margins=(MARGIN, 0, MARGIN, 12), spacing=8)
        self._add_kind()
        self.form = ParameterForm()
        self.form.submitted.connect(self._on_submitted)
        self.form.held.connect(self._on_held)
        self._column.addWidget(self.form)
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
        scroll = scrolled(content)
        self._bar = scroll.verticalScrollBar()
        self._bar.rangeChanged.connect(self._on_scroll_range)
        filled(QVBoxLayout(self), scroll, margins=(0, 0, 0, 0))

    def _on_scroll_range(self, lowest: int, highest: int) -> None:
        """The bar stands in the margin: nothing beside it moves or is cut."""
        right = MARGIN - self._bar.sizeHint().width() if highest > lowest else MARGIN
        self._column.setContentsMargins(MARGIN, 0, right, 12)

    def _add_kind(self) -> None:
        self.chooser = KindChooser()
        self.chooser.chosen.connect(self.model.choose)
        self._formula = _FormulaLabel(15)
        self._sentence = label("", "caption", wraps=True)
        card = QFrame()
        card.setProperty("role", "card")
        filled(QVBoxLayout(card), self._formula, margins=(10, 6, 8, 6))
        filled(self._column, self.chooser, card, self._sentence, 2)

    def _add_wavelengths(self) -> None:
        self._turning = label("", "caption")
        self.spectrum = Canvas(self._spectrum_in)
        self.spectrum.setFixedHeight(118)
        self.spectrum.setCursor(Qt.CursorShape.PointingHandCursor)
        self.spectrum.setAccessibleName("Wavelength of each pair")
        self._gestures = Gestures(self.spectrum, self.model, Reactions(choose=self._choose_pair))
        self.wavelengths = QWidget()
        column = filled(QVBoxLayout(self.wavelengths), margins=(0, 0, 0, 0), spacing=8)
        _add_heading(column, "Wavelength", self._turning)
        column.addWidget(self.spectrum)
        self._column.addWidget(self.wavelengths)

    def _add_checks(self) -> None:
        self._measured = label("", "caption")
        _add_heading(self._column, "Checks", self._measured)
        self.check_lines = [_CheckLine() for _ in PROPERTY_NAMES]
        for key, line in zip(PROPERTY_NAMES, self.check_lines, strict=True):
            line.clicked.connect(partial(self._on_check_pressed, key))
            line.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._column.addLayout(filled(QVBoxLayout(), *self.check_lines, spacing=0))

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        self._show_checks()

    def refresh(self) -> None:
        self.spectrum.show_what(self.model.encoding, self.model.cursor.pair, self.model.cursor.pinned_pairs)

    def show_choices(self) -> None:
        encoding, preset = self.model.encoding, self.model.preset
        self.model.findings.ask(self.key, (analysis_of(encoding),))
        if (encoding, preset) != self._shown:
            self._shown = (encoding, preset)
            self._show_encoding(encoding, preset)
        told = (self.model.analysis, self.model.is_measuring)
        if told != self._told:
            self._told = told
            self._show_checks()

    def _show_encoding(self, encoding: Encoding, preset: Preset | None) -> None:
        sentence = _sentence_of(encoding, preset)
        self.chooser.show_preset(encoding, preset)
        self._formula.show_formulas(*formulas_of(encoding, preset))
        self._sentence.setText(held_together(sentence))
        self._sentence.setVisible(bool(sentence))
        self.form.show_encoding(encoding)
        self.wavelengths.setVisible(encoding.pairs is not None)
        self._turning.setText(_turning_sentence(encoding))
        self.spectrum.setToolTip(_wavelength_tooltip(encoding))

    def _show_checks(self) -> None:
        rows, caption = _check_rows(self.model.analysis, is_measuring=self.model.is_measuring)
        self._measured.setText(caption)
        signs = {HOLDS: ("check", self.theme.ok), FAILS: ("cross", self.theme.bad), "": ("more", self.theme.text3)}
        for line, row in zip(self.check_lines, rows, strict=True):
            line.show_check(row.name, row.verdict_text, row.number, row.explanation)
            icon, color = signs.get(row.verdict, ("check", self.theme.warn))
            line.show_sign(icon, self.theme, color)

    @property
    def view_key(self) -> str:
        return "" if self.model.encoding.pairs is None else "encoding"

    def _spectrum_in(self, box: Box) -> Scene:
        return view.scene(self.model.state, self.model.findings, box)

    def _choose_pair(self, drag: Drag) -> Changes:
        pair = view.pair_at(self.model.encoding, self.spectrum.box(), drag.now[0])
        return {} if pair is None else {"pair": pair}

    def _on_check_pressed(self, key: str) -> None:
        self.model.set(**{"properties.check": key})
        self.asked.emit("show_properties")

    def _on_submitted(self, name: str, text: str) -> None:
        is_taken = self.model.set_parameter(name, text)
        row = self.form.number_row(name)
        if is_taken and row is not None:
            row.show_taken()

    def _on_held(self, is_held: bool) -> None:
        """A drag of a slider is one step of undo."""
        (self.model.begin_step if is_held else self.model.end_step)()

    def _on_refused(self, refusal: Refusal) -> None:
        row = self.form.number_row(refusal.parameter)
        if row is not None:
            row.show_refusal(refusal.sentence)


def _sentence_of(encoding: Encoding, preset: Preset | None) -> str:
    """The sentence of the preset, or else of the ablation whose assignments are among the parameters; may be empty.

    A convention that divides by zero at two dimensions says so there.
    """
    if preset is not None:
        if preset.convention is not None and preset.convention.needs_two_pairs and encoding.d_model == 2:
            return f"At d_model 2 {preset.title} divides by zero; here its one pair has ω = 1"
        return preset.sentence
    given = encoding.parameters.items()
    for ablation in PRESETS.values():
        if given >= ablation.assignments.items():
            return ablation.sentence
    return ""


def _add_heading(column: QVBoxLayout, title: str, caption: QLabel) -> None:
    line = QFrame()
    line.setProperty("role", "line")
    line.setFixedHeight(1)
    caption.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    caption.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    filled(column, 6, line, 2, filled(QHBoxLayout(), label(title, "heading"), caption, wide=caption))
