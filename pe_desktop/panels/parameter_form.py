"""The form of the Encoding dock: one row for each parameter that the kind has, in one order for all kinds."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds import KINDS, kind_rules
from pe_desktop.core.phase import takes_shift
from pe_desktop.core.rules import NumberRule, WordRule
from pe_desktop.draw.theme import Theme, Themed, themed_icon
from pe_desktop.panels.controls.buttons import TextButton
from pe_desktop.panels.controls.layouts import filled
from pe_desktop.panels.controls.parameter_rows import NumberRow, ParameterRow, WordRow
from pe_desktop.panels.panel import dress


class ParameterForm(Themed, QWidget):
    """Rows are made when a kind first needs them and stand or leave when the kind changes, never in between."""

    submitted = Signal(str, str)
    # A slider is taken, or let go.
    held = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: dict[str, ParameterRow] = {}
        self._kind = ""
        self._values: dict[str, float | str] = {}
        self._is_asked_for = False
        self._rare_values: tuple[float | str, ...] = ()
        self._acting: tuple[str, ...] = ()
        # Behind "More", which opens where one of them is not what it is by default.
        self._rare: tuple[str, ...] = ()
        self.more = TextButton()
        self.more.setText("More")
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.more.setProperty("role", "fold")
        self.more.clicked.connect(self._on_more)
        self._column = filled(QVBoxLayout(self), margins=(0, 0, 0, 0), spacing=8)

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
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
        self._rare = tuple(name for name, rule in rules.items() if rule.is_rare)
        # In the order of the pictures: first the width, then as on the command line.
        for name in dict.fromkeys(("d_model", *rules)):
            if name in self._rare[:1]:
                self._column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
            self._column.addWidget(self._row(name, rules[name]))
            self.rows[name].setVisible(name not in self._rare)
        self.more.setVisible(bool(self._rare))
        self._rare_values = ()

    def _row(self, name: str, rule: NumberRule | WordRule) -> ParameterRow:
        row = self.rows.get(name)
        if row is None:
            if isinstance(rule, WordRule):
                row = WordRow(name, rule.label, rule.tooltip, rule.word_titles, dict(rule.tooltips), self)
            else:
                row = NumberRow(name, rule.label, rule.tooltip, rule.steps, self)
            row.submitted.connect(self.submitted)
            row.held.connect(self.held)
            dress(row, self.theme)
            self.rows[name] = row
        if isinstance(row, NumberRow) and isinstance(rule, NumberRule) and name == "d_model":
            row.take_steps(rule.steps)
            row.set_tooltip(f"{rule.tooltip}, {rule.requirement}")
        return row

    def _fit_rare(self, encoding: Encoding) -> None:
        """Open where a rare parameter has been changed; a person's own opening stays."""
        parameters = encoding.parameters
        values = tuple(parameters[name] for name in self._rare if name in parameters)
        if not values:
            return
        self._act(tuple(name for name in self._rare if name != "shift" or takes_shift(str(parameters["spacing"]))))
        if values != self._rare_values:
            usual = KINDS[encoding.kind]().parameters
            is_unusual = values != tuple(usual[name] for name in self._rare)
            self._rare_values = values
            self._open(is_open=is_unusual or self._is_asked_for)

    def _act(self, names: tuple[str, ...]) -> None:
        """Keep back what does nothing here: the shift of a spacing that takes none."""
        if names == self._acting:
            return
        self._acting = names
        for name in self._rare:
            if name not in names:
                self.rows[name].forget()
        *labels, last = (kind_rules(self._kind)[name].label.lower() for name in names)
        listed = f"{', '.join(labels)} and {last}"
        self.more.setToolTip(listed.capitalize())
        self.more.setAccessibleName(f"More: {listed}")
        self._open(is_open=not self.rows[self._rare[0]].isHidden())

    def _on_more(self) -> None:
        self._is_asked_for = self.rows[self._rare[0]].isHidden()
        self._open(is_open=self._is_asked_for)

    def _open(self, *, is_open: bool) -> None:
        for name in self._rare:
            self.rows[name].setVisible(is_open and name in self._acting)
        self.more.setAccessibleDescription("open" if is_open else "closed")
        self._show_arrow()

    def _show_arrow(self) -> None:
        is_open = bool(self._rare) and not self.rows[self._rare[0]].isHidden()
        self.more.setIcon(themed_icon("down" if is_open else "right", self.theme))
