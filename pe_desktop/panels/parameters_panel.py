"""The Encoding dock: which encoding, its formula with live numbers, its parameters, wavelengths and checks."""

from collections.abc import Sequence
from functools import cache, cached_property
from typing import cast

import numpy as np
from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QPixmap, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.measuring.measurement import Analysis
from pe_desktop.core.number_text import held_together
from pe_desktop.core.presets import PRESETS, Preset, Sizes, formulas_of, presets_of, sizes_with, title_of
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Named, Space, Words, in_row
from pe_desktop.draw.marks import FormulaText, Mark
from pe_desktop.draw.scene import Box, Part, Scene
from pe_desktop.draw.theme import Theme, Themed, color_image
from pe_desktop.draw.typefaces import formula_runs, plain_formula, text_font
from pe_desktop.languages import told
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.panels.controls.layouts import BARE, filled, label
from pe_desktop.panels.controls.parameter_rows import ParameterForm
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.controls.search_field import SearchField
from pe_desktop.panels.gestures import Changes, Gestures, ReactingCanvas
from pe_desktop.panels.page_canvas import PageCanvas
from pe_desktop.panels.scene_panel import PageArea, Panel
from pe_desktop.views.encoding import scene as view
from pe_desktop.views.properties import words
from pe_desktop.views.properties.verdicts import verdict_sign
from pe_desktop.views.properties.words import PROPERTY_NAMES

_FORMULA_PIXELS, _LEAST_PIXELS, _LINE_HEIGHT = 15, 8, 23.25
# Of a check: its sign, and the room between the lines.
_SIGN_WIDTH, _BETWEEN = 16.0, 2.0


def _formulas_in(lines: tuple[str, ...], box: Box) -> tuple[Mark, ...]:
    """Each formula on its line; those that don't fit are set smaller, never cut."""
    formulas = []
    for place, line in enumerate(map(told, lines)):
        share = min(box.width / formula_runs(line, _FORMULA_PIXELS)[1], 1.0)
        pixels = max(int(_FORMULA_PIXELS * share), _LEAST_PIXELS)
        formulas.append(FormulaText(0.0, (place + 0.5) * box.height / len(lines), line, pixels, box.theme.text))
    return tuple(formulas)


# Of the open list, which ends with the dock, and of the table beside a title: positions across, dimensions down.
_LIST_WIDTH, _HEADING_HEIGHT, _ICON = 238, 30, QSize(48, 16)
# The table, the edges and the bar beside a title; over the list, with the field.
_AROUND, _HEAD = 100, 38


@cache
def table_icon(preset_id: str, theme: Theme) -> QIcon:
    """The table of an encoding in one pixel a value: sines over cosines, where they stand in turn."""
    small = SinusoidalEncoding(n_positions=_ICON.width(), d_model=_ICON.height())
    encoding = sizes_with(Sizes(small), small, preset_id).encoding
    table = encoding.values(np.arange(float(_ICON.width())))
    if encoding.pairs is not None and encoding.parameters.get("layout") == "interleaved":
        table = np.hstack((table[:, ::2], table[:, 1::2]))
    columns = np.arange(_ICON.height()) * table.shape[1] // _ICON.height()
    shares = np.clip(table[:, columns].T / encoding.value_limit, -1.0, 1.0)
    colors = theme.diverging[np.rint((shares + 1.0) / 2.0 * (len(theme.diverging) - 1)).astype(int)]
    return QIcon(QPixmap.fromImage(color_image(colors)))


class _KindChooser(Themed, ChoiceBox):
    """Shows what is chosen, also what stands in no list; announces the id of what a person chooses."""

    def __init__(self) -> None:
        super().__init__()
        self._place = -1
        self.setAccessibleName("Encoding")
        # Its longest entry must not widen the dock's content beyond the dock.
        self.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMaxVisibleItems(30)
        self.setIconSize(QSize(0, 0))
        # Filled beforehand: an open list, which nobody sees, would be laid out anew after each entry.
        entries = QStandardItemModel(self)
        presets = [preset for preset in PRESETS.values() if not preset.is_in_gallery]
        for group in dict.fromkeys(preset.group for preset in presets):
            _add_group(entries, [preset for preset in presets if preset.group == group])
        self.setModel(entries)
        self.activated.connect(self._on_activated)

    @cached_property
    def search(self) -> SearchField:
        """The field over the open list, which has the keyboard: letters go to the field, all other keys to the list."""
        count = sum(not preset.is_in_gallery for preset in PRESETS.values())
        field = SearchField(f"Search {count} encodings", self._find)
        field.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # PySide forgets a layout with the window that it was asked of.
        popup = self.view().window()
        layout = popup.layout()
        head = QFrame()
        head.setProperty("role", "list-head")
        head.setFixedHeight(_HEAD)
        filled(QHBoxLayout(head), field, margins=(6, 6, 6, 0))
        cast("QBoxLayout", layout).insertWidget(0, head)
        return field

    def showPopup(self) -> None:  # noqa: N802 - Qt's name
        titles = (self.itemText(row) for row in range(self.count()))
        widest = max(map(self.view().fontMetrics().horizontalAdvance, titles))
        self.view().setMinimumWidth(max(_LIST_WIDTH, widest + _AROUND))
        for row in range(self.count()):
            if preset_id := self.itemData(row):
                self.setItemIcon(row, table_icon(preset_id, self.theme))
        self.view().setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        # Not of the box, which would show it beside what is chosen.
        self.view().setIconSize(_ICON)
        self.search.clear()
        super().showPopup()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            is_letter = event.text().isprintable() and bool(event.text())
            if is_letter or event.key() == Qt.Key.Key_Backspace:
                QApplication.sendEvent(self.search, event)
                return True
        return super().eventFilter(watched, event)

    def _find(self, typed: str) -> None:
        """Show the encodings that have all words in title or sentence, with the headings of their groups."""
        view, heading, first = self.view(), 0, None
        assert isinstance(view, QListView)
        for row in range(self.count()):
            index = self.model().index(row, 0)
            is_heading = self.itemData(row) is None
            heading = row if is_heading else heading
            is_found = not is_heading and self.search.finds(index.data(), index.data(Qt.ItemDataRole.ToolTipRole))
            view.setRowHidden(row, not is_found)
            if is_found:
                view.setRowHidden(heading, False)
                first = first or index
        if first is not None and typed.strip():
            view.setCurrentIndex(first)

    def show_preset(self, encoding: Encoding, preset: Preset | None) -> None:
        """Show what is chosen now; an encoding that is no entry, or has a base of its own, goes by its own name."""
        title = title_of(encoding, preset)
        self.setPlaceholderText(title)
        self._place = -1 if preset is None or title != preset.title else self.findData(preset.id)
        self.setCurrentIndex(self._place)
        others = [other.title for other in presets_of(encoding) if preset is not None and other.id != preset.id]
        self.setToolTip(f"The same table: {', '.join(others)}" if others else "Choose another encoding")


def _add_group(entries: QStandardItemModel, presets: Sequence[Preset]) -> None:
    heading = QStandardItem(f"{told(presets[0].group.title)}  {len(presets)}")
    heading.setFlags(Qt.ItemFlag.NoItemFlags)
    heading.setFont(text_font("caption"))
    heading.setSizeHint(QSize(_LIST_WIDTH, _HEADING_HEIGHT))
    entries.appendRow(heading)
    for preset in presets:
        entry = QStandardItem(told(preset.title))
        entry.setData(preset.id, Qt.ItemDataRole.UserRole)
        entry.setToolTip(told(preset.sentence))
        entries.appendRow(entry)


def _checks_page(analysis: Analysis | None, *, is_measuring: bool) -> Block:
    """The checks in the order in which people read them: sign, name, the number that decides."""
    lines = []
    for key, name in PROPERTY_NAMES.items():
        one = None if analysis is None else analysis.measurement(key)
        if one is not None:
            sign, verdict = verdict_sign(one.verdict), words.verdict_text(one)
            number = words.short_number(one)
            tooltip = words.tooltip(one)
        else:
            sign = Space(_SIGN_WIDTH)
            verdict = "being measured" if is_measuring else "not measured"
            number, tooltip = "…" if is_measuring else verdict, verdict.capitalize()
        cells = sign, Words(name), Words(number, "caption", "text2", across=1.0)
        line = in_row((_SIGN_WIDTH, GROW, FIT), *cells, gap=8.0)
        lines.append(Named(name, line, f"{verdict}, {number}", {"properties.check": key}, tooltip))
    return Column(tuple(lines), _BETWEEN)


MARGIN = 16


class ParametersPanel(Panel):
    """Everything that chooses an encoding."""

    key = "parameters"
    title = "Encoding"
    is_movable = False

    def make(self) -> None:
        self._shown: tuple[Encoding, Preset | None, int] | None = None
        self._column = filled(QVBoxLayout(), margins=(MARGIN, 0, MARGIN, 12), spacing=8)
        self._add_kind()
        self.form = ParameterForm(self.model)
        self._column.addWidget(self.form)
        self._add_wavelengths()
        self._add_checks()
        self._column.addStretch(1)
        self._make_scrollable()
        self.setMinimumWidth(250)

    def _make_scrollable(self) -> None:
        content = QWidget()
        content.setLayout(self._column)
        content.setProperty("role", "panel")
        scroll = PageArea(content)
        self._bar = scroll.verticalScrollBar()
        self._bar.rangeChanged.connect(self._on_scroll_range)
        filled(QVBoxLayout(self), scroll, margins=BARE)

    def _on_scroll_range(self, lowest: int, highest: int) -> None:
        """The bar stands in the margin: nothing beside it moves or is cut."""
        right = MARGIN - self._bar.sizeHint().width() if highest > lowest else MARGIN
        self._column.setContentsMargins(MARGIN, 0, right, 12)

    def _add_kind(self) -> None:
        self.chooser = _KindChooser()
        self.chooser.chosen.connect(lambda preset: self.model.set(preset=preset))
        self._formulas: tuple[str, ...] = ()
        self._formula = Canvas(lambda box: Scene(still=Part(_formulas_in, self._formulas, box)))
        self._sentence = label("", "caption", wraps=True)
        card = QFrame()
        card.setProperty("role", "card")
        filled(QVBoxLayout(card), self._formula, margins=(10, 6, 8, 6))
        filled(self._column, self.chooser, card, self._sentence, 2)

    def _add_wavelengths(self) -> None:
        self._turning = label("", "caption")
        self.spectrum = ReactingCanvas(lambda box: view.VIEW.scene(self.model.state, self.model.findings, box))
        self.spectrum.setFixedHeight(134)
        self.spectrum.setCursor(Qt.CursorShape.PointingHandCursor)
        self.spectrum.setAccessibleName("Wavelength of each pair")
        Gestures(self.model, self.spectrum)
        self.wavelengths = QWidget()
        column = filled(QVBoxLayout(self.wavelengths), margins=BARE, spacing=8)
        _add_heading(column, "Wavelength", self._turning)
        column.addWidget(self.spectrum)
        self._column.addWidget(self.wavelengths)

    def _add_checks(self) -> None:
        self._measured = label("", "caption")
        _add_heading(self._column, "Checks", self._measured)
        self.checks = PageCanvas("Checks", self._checks_page)
        self.checks.take_presses(self.model, self._choose_check)
        self.checks.describe = self._measured.text
        self._column.addWidget(self.checks)

    def refresh(self) -> None:
        cursor = self.model.cursor
        trained_length = self.model.state.trained_length
        self.spectrum.show_what(self.model.encoding, cursor.pair, cursor.pinned_pairs, trained_length)

    def show_choices(self) -> None:
        encoding, preset = self.model.encoding, self.model.preset
        shown = encoding, preset, self.model.state.trained_length
        self.model.findings.ask(self.key, (analysis_of(encoding),))
        if shown != self._shown:
            self._shown = shown
            self._show_encoding(encoding, preset)
        self._measured.setText(words.count_forms(self.model)[0])
        self.checks.show_what(self.model.analysis, self.model.is_measuring)

    def _show_encoding(self, encoding: Encoding, preset: Preset | None) -> None:
        sentence = _sentence_of(encoding, preset)
        self.chooser.show_preset(encoding, preset)
        self._formulas = formulas_of(encoding, preset)
        self._formula.setFixedHeight(round(len(self._formulas) * _LINE_HEIGHT))
        self._formula.setAccessibleName("; ".join(map(plain_formula, self._formulas)))
        self._formula.show_what(self._formulas)
        self._sentence.setText(held_together(sentence))
        self._sentence.setVisible(bool(sentence))
        self.form.show_encoding(encoding, self.model.state.trained_length)
        self.wavelengths.setVisible(encoding.turning_pairs is not None)
        state, findings = self.model.state, self.model.findings
        self._turning.setText(view.VIEW.subtitle(state, findings, room=150.0))
        self.spectrum.setToolTip(f"{view.explanation(state)} A press chooses a pair.")

    @property
    def view_key(self) -> str:
        return "" if self.model.encoding.turning_pairs is None else "encoding"

    def _checks_page(self) -> Block:
        return _checks_page(self.model.analysis, is_measuring=self.model.is_measuring)

    def _choose_check(self, changes: Changes) -> Changes:
        self.asked.emit("show_properties")
        return changes


def _sentence_of(encoding: Encoding, preset: Preset | None) -> str:
    """The sentence of the preset, or else of the ablation whose assignments are among the parameters; may be empty."""
    if preset is not None:
        return preset.sentence
    given = encoding.parameters.items()
    return next((ablation.sentence for ablation in PRESETS.values() if given >= ablation.assignments.items()), "")


def _add_heading(column: QVBoxLayout, title: str, caption: QLabel) -> None:
    line = QFrame()
    line.setProperty("role", "line")
    line.setFixedHeight(1)
    caption.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    caption.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    filled(column, 6, line, 2, filled(QHBoxLayout(), label(title, "heading"), caption, wide=caption))
