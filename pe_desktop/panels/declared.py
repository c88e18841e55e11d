"""Panels whose controls are data: the view says them, presses and tooltips are those of the scene's places."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from pe_desktop.core.state import value_of
from pe_desktop.draw.scene import Place
from pe_desktop.panels.controls.layouts import filled
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.controls.progress_row import ProgressRow
from pe_desktop.panels.gestures import Changes, Reactions
from pe_desktop.panels.scene_panel import ScrolledScenePanel
from pe_desktop.views.controls import Press

_BEFORE = 40


class DeclaredPanel(ScrolledScenePanel):
    """Draws the view of its key with the controls that the view declares."""

    def make(self) -> None:
        self.declared = self.view.panel
        for name in ("controls", "accessible_name", "readout_title", "describes_cursor"):
            setattr(self, name, getattr(self.declared, name))
        self.setMinimumSize(*self.declared.smallest)
        super().make()
        self.control_set.pressed.connect(self._on_pressed)
        self.widgets, self.refusal = self.control_set.widgets, self.control_set.refusal
        self._page = ""
        self._marked_value: Any = None
        self.progress = ProgressRow(self.model.findings, self)
        self._row = QWidget()
        self._row.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        row = filled(QHBoxLayout(self._row), margins=(0, 4, 6, 4), spacing=6)
        widgets = self.control_set.row(is_in_title=False)
        for widget in widgets:
            row.addWidget(widget, int(isinstance(widget, ChoiceBox)))
        # Lists share the room, buttons are no wider than their words.
        row.addStretch(int(not any(isinstance(widget, ChoiceBox) for widget in widgets)))
        if row.count() > 1:
            self.column.insertWidget(0, self._row)
        self.column.addWidget(self.progress)
        # A page has its height only after it has been laid out.
        self._bringing = QTimer(self, interval=0, singleShot=True)
        self._bringing.timeout.connect(self._bring_into_view)
        # What stays in sight is drawn at another place.
        self.page_area.verticalScrollBar().valueChanged.connect(self.canvas.update)

    def reactions(self) -> Reactions:
        is_stop = lambda place: place.is_chosen or not self._is_choice(place)  # noqa: E731
        return replace(super().reactions(), has_readout=self.declared.reads_pointer, is_stop=is_stop)

    def _is_choice(self, place: Place) -> bool:
        """Whether the arrows choose among places like this one: Tab comes to the chosen one alone."""
        names = () if callable(place.sets) else (*(place.sets or ()),)
        return self.declared.beside is not None and names == (self.declared.marked,)

    def key_changes(self, key: str) -> Changes | None:
        beside = self.declared.beside
        changes = None if beside is None else beside(self.model.state, self.model.findings, key)
        for place in filter(self._is_choice, self.canvas.places()):
            if place.sets == changes:
                self.canvas.mark(place.name)
        return changes

    def refresh(self) -> None:
        super().refresh()
        self.follow_progress()
        marked = self.declared.marked
        if marked and self._marked_value != value_of(self.model.state, marked):
            self._marked_value = value_of(self.model.state, marked)
            self.show_chosen()

    def follow_progress(self) -> None:
        """Have the row of progress tell of what takes long."""
        self.progress.follow([question for question in self.questions() if question.title][:1])

    def show_chosen(self) -> None:
        """Scroll the chosen place into view as soon as the page stands."""
        self._bringing.start()

    def show_choices(self) -> None:
        super().show_choices()
        state = self.model.state
        shown = [control.is_shown(state) for control in self.declared.controls if not control.is_in_title]
        self._row.setVisible(any(shown))
        page = value_of(state, self.declared.page) if self.declared.page else ""
        if page != self._page:
            # Another page begins at its top.
            self._page = page
            self.page_area.verticalScrollBar().setValue(0)

    def _on_pressed(self, control: Press) -> None:
        # What is copied is of the panel that has the focus, which a press on a button doesn't move everywhere.
        self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        changes = control.changes(self.model.state) if control.changes is not None else None
        if changes:
            self.model.set(**changes)
        if control.action:
            self.asked.emit(control.action)

    def _bring_into_view(self) -> None:
        place = next((place for place in reversed(self.canvas.places()) if place.is_chosen), None)
        if place is not None:
            if self.canvas.marked is not None and self._is_choice(self.canvas.marked):
                self.canvas.mark(place.name, shows_focus=False)
            x, y = place.area.middle
            self.page_area.ensureVisible(round(x), round(y), 0, round(place.area.height / 2))
            # Of a place that is higher than the room its beginning, below the end of what stands before it.
            self.page_area.ensureVisible(round(x), round(place.area.y), 0, _BEFORE)
