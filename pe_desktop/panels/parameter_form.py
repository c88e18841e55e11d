"""The form of the Encoding dock: one row for each parameter that the kind has, in one order for all kinds."""

from dataclasses import field

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds import KINDS, kind_rules
from pe_desktop.core.phase import takes_shift
from pe_desktop.core.record import record
from pe_desktop.core.rules import NumberRule, WordRule
from pe_desktop.draw.theme import Theme, themed_icon
from pe_desktop.panels.controls.buttons import TextButton
from pe_desktop.panels.controls.parameter_rows import NumberRow, ParameterRow, WordRow

_EVEN_STEPS = tuple(sorted((*(float(2**power) for power in range(1, 17)), 768.0, 3072.0)))
_ODD_STEPS = tuple(step + 1 for step in _EVEN_STEPS[:-1])
_POSITION_STEPS = (
    *(1.0, 8.0, 10.0, 50.0, 64.0, 100.0, 128.0, 512.0, 1e3, 1024.0, 2048.0, 8192.0, 1e4, 32768.0, 1e5, 1e6, 1e7),
)
_BASE_STEPS = (2.0, 10.0, 100.0, 256.0, 500.0, 1e3, 2e3, 5e3, 8192.0, 1e4, 2e4, 5e4, 1e5, 5e5, 1e6, 1e7, 1e8, 1e9)


@record
class RowText:
    """What a row says: its label, its tooltip, its words and theirs; steps are those of its slider."""

    label: str
    tooltip: str
    words: dict[str, str] = field(default_factory=dict)
    tooltips: dict[str, str] = field(default_factory=dict)
    steps: tuple[float, ...] = ()


# In the order of the pictures: first the width, then as on the command line.
_ROWS = {
    "d_model": RowText("d_model", "Dimensions of a vector", steps=_EVEN_STEPS),
    "n_positions": RowText("Positions N", "Rows of the table, 1 to 10 000 000", steps=_POSITION_STEPS),
    "base": RowText("Base", "How widely the wavelengths spread; above 1, at most 10⁹", steps=_BASE_STEPS),
    "spacing": RowText(
        "Spacing",
        "How the angular frequencies are spread",
        {"geometric": "Geometric", "inclusive": "Inclusive", "linear": "Linear", "single": "Single"},
        {
            "geometric": "The paper: ω_i = base^(−2i/d)",
            "inclusive": "tensor2tensor: the last pair turns at exactly 1/base",
            "linear": "Equal steps of ω from 1 to 1/base",
            "single": "All pairs turn at ω = 1",
        },
    ),
    "layout": RowText(
        "Layout",
        "In which order sines and cosines stand in a vector",
        {"interleaved": "Interleaved", "half-split": "Half-split", "cosine-first": "Cosine-first"},
        {
            "interleaved": "sin₀, cos₀, sin₁, …",
            "half-split": "All sines, then all cosines",
            "cosine-first": "All cosines, then all sines",
        },
    ),
    "map": RowText(
        "Map",
        "The function f(t) that takes the place of t",
        {"square": "t²", "root": "√t", "log": "log(1 + t)", "reciprocal": "1/(1 + t)"},
    ),
    "wave": RowText("Wave", "Which of the two waves the columns hold", {"sine": "Sine", "cosine": "Cosine"}),
    "code": RowText(
        "Code",
        "How a position is written in bits",
        {"binary": "Binary", "gray": "Gray"},
        {"gray": "Neighbours differ in one bit"},
    ),
    "seed": RowText("Seed", "Which vectors are drawn, 0 to 4 294 967 295"),
    "padding_idx": RowText(
        "Padding",
        "padding_idx: the row that is all zero, for padding; the first token reads the row after it. "
        "A row beyond the table leaves all rows as they are.",
    ),
    "start": RowText("Start", "Position of row 0, whole or fractional"),
    "amplitude": RowText("Amplitude", "Length of every hand"),
    "scale": RowText("Scale", "Multiplies every ω"),
    "shift": RowText(
        "Shift",
        "Subtracted from d/2 in the exponent, ω_i = base^(−i/(d/2 − shift)): 0 in the paper, 1 gives inclusive "
        "spacing; any number below d/2. diffusers calls it downscale_freq_shift.",
    ),
}
# Behind "More", which opens where one of them is not what it is by default.
_RARE = ("start", "amplitude", "scale", "shift")


class ParameterForm(QWidget):
    """Rows are made when a kind first needs them and stand or leave when the kind changes, never in between."""

    submitted = Signal(str, str)
    # A slider is taken, or let go.
    held = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: dict[str, ParameterRow] = {}
        self._kind = ""
        self._values: dict[str, float | str] = {}
        self._theme: Theme | None = None
        self._is_asked_for = False
        self._rare_values: tuple[float | str, ...] = ()
        self._acting: tuple[str, ...] = ()
        self.more = TextButton()
        self.more.setText("More")
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.more.setProperty("role", "fold")
        self.more.clicked.connect(self._on_more)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)

    def show_theme(self, theme: Theme) -> None:
        self._theme = theme
        for row in self.rows.values():
            row.show_theme(theme)
        self._show_arrow()

    def show_encoding(self, encoding: Encoding) -> None:
        held = None
        if encoding.kind != self._kind:
            self._kind = encoding.kind
            held = self._let_go()
            self._arrange()
        for name, value in encoding.parameters.items():
            if name in self.rows and self._values.get(name) != value:
                self._values[name] = value
                self.rows[name].show_value(value)
        self._fit_rare(encoding)
        if held is not None and held.isVisible():
            held.setFocus(Qt.FocusReason.OtherFocusReason)

    def number_row(self, name: str) -> NumberRow | None:
        """The row of a number that the kind has, None for any other parameter."""
        row = self.rows.get(name)
        return row if isinstance(row, NumberRow) and name in kind_rules(self._kind) else None

    def _let_go(self) -> QWidget | None:
        """Give up what was typed and not taken, and the focus, which a row that leaves would hand to some plot."""
        for row in self.rows.values():
            row.forget()
        # While a list is open the focus is the list's, and comes back to this one when it closes.
        held = self.window().focusWidget()
        if not self.isAncestorOf(held):
            return None
        held.clearFocus()
        return held

    def _arrange(self) -> None:
        rules = kind_rules(self._kind)
        self._values.clear()
        for row in self.rows.values():
            row.hide()
            self._column.removeWidget(row)
        self._column.removeWidget(self.more)
        has_rare = any(name in rules for name in _RARE)
        for name in _ROWS:
            if name not in rules:
                continue
            if name == _RARE[0]:
                self._column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
            self._column.addWidget(self._row(name, rules[name]))
            self.rows[name].setVisible(name not in _RARE)
        self.more.setVisible(has_rare)
        self._rare_values = ()

    def _row(self, name: str, rule: NumberRule | WordRule) -> ParameterRow:
        text = _ROWS[name]
        row = self.rows.get(name)
        if row is None:
            if isinstance(rule, WordRule):
                row = WordRow(name, text.label, text.tooltip, text.words, text.tooltips, self)
            else:
                row = NumberRow(name, text.label, text.tooltip, text.steps, self)
            row.submitted.connect(self.submitted)
            row.held.connect(self.held)
            if self._theme is not None:
                row.show_theme(self._theme)
            self.rows[name] = row
        if isinstance(row, NumberRow) and isinstance(rule, NumberRule) and name == "d_model":
            row.take_steps(_ODD_STEPS if rule.is_odd else _EVEN_STEPS)
            row.set_tooltip(f"{text.tooltip}, {rule.requirement}")
        return row

    def _fit_rare(self, encoding: Encoding) -> None:
        """Open where a rare parameter has been changed; a person's own opening stays."""
        parameters = encoding.parameters
        values = tuple(parameters[name] for name in _RARE if name in parameters)
        if not values:
            return
        self._act(tuple(name for name in _RARE if name != "shift" or takes_shift(str(parameters["spacing"]))))
        if values != self._rare_values:
            usual = KINDS[encoding.kind]().parameters
            is_unusual = values != tuple(usual[name] for name in _RARE)
            self._rare_values = values
            self._open(is_open=is_unusual or self._is_asked_for)

    def _act(self, names: tuple[str, ...]) -> None:
        """Keep back what does nothing here: the shift of a spacing that takes none."""
        if names == self._acting:
            return
        self._acting = names
        for name in _RARE:
            if name not in names:
                self.rows[name].forget()
        *labels, last = (_ROWS[name].label.lower() for name in names)
        listed = f"{', '.join(labels)} and {last}"
        self.more.setToolTip(listed.capitalize())
        self.more.setAccessibleName(f"More: {listed}")
        self._open(is_open=not self.rows[_RARE[0]].isHidden())

    def _on_more(self) -> None:
        self._is_asked_for = self.rows[_RARE[0]].isHidden()
        self._open(is_open=self._is_asked_for)

    def _open(self, *, is_open: bool) -> None:
        for name in _RARE:
            self.rows[name].setVisible(is_open and name in self._acting)
        self.more.setAccessibleDescription("open" if is_open else "closed")
        self._show_arrow()

    def _show_arrow(self) -> None:
        if self._theme is not None:
            is_open = _RARE[0] in self.rows and not self.rows[_RARE[0]].isHidden()
            self.more.setIcon(themed_icon("down" if is_open else "right", self._theme))
