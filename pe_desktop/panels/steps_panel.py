"""In ten minutes: steps to read beside the plots."""

from functools import partial
from typing import Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from pe_desktop.core.number_text import held_together
from pe_desktop.core.state import state_of
from pe_desktop.draw.canvas import USED_BY_KEYS
from pe_desktop.panels.controls.buttons import IconButton, PushButton, acting
from pe_desktop.panels.controls.layouts import BARE, filled, label
from pe_desktop.panels.scene_panel import PageArea, Panel
from pe_desktop.resources import resource_json


class StepsPanel(Panel):
    """“Show” sets what is seen, which can be undone. By a key it leads to the next step, by the mouse to the plots."""

    key = "steps"
    title = "In ten minutes"
    is_workspace: ClassVar[bool] = True

    def make(self) -> None:
        self.closer = acting(IconButton("close", "Close", self), partial(self.asked.emit, "show_steps"))
        self._cards: list[QWidget] = []
        self._buttons: list[QWidget] = []
        for number, step in enumerate(resource_json("help.json")["steps"], start=1):
            self._add(number, step)
        page = QWidget()
        page.setProperty("role", "panel")
        filled(QVBoxLayout(page), *self._cards, None, margins=(0, 4, 8, 8), spacing=14)
        self._area = PageArea(page)
        filled(QVBoxLayout(self), self._area, margins=BARE)

    def header_widgets(self) -> list[QWidget]:
        return [self.closer]

    def _add(self, number: int, step: dict[str, Any]) -> None:
        title = label(f"{number}  {step['title']}", "title")
        text = QLabel(held_together(step["text"]), wordWrap=True)
        show = PushButton("Show")
        acting(show, partial(self._show, step, number))
        show.setAccessibleName(f"Show: {step['title']}")
        card = QWidget()
        head = filled(QHBoxLayout(), title, show, wide=title)
        filled(QVBoxLayout(card), head, text, margins=BARE, spacing=4)
        self._cards.append(card)
        self._buttons.append(show)

    def _show(self, step: dict[str, Any], number: int) -> None:
        is_by_key = bool(self.window().property(USED_BY_KEYS))
        for button in () if is_by_key else self._buttons:
            # The window gives it to a plot.
            button.clearFocus()
        self.model.set_state(state_of(step["assignments"]), step["title"])
        if is_by_key and number < len(self._buttons):
            self._buttons[number].setFocus(Qt.FocusReason.TabFocusReason)
            self._area.ensureWidgetVisible(self._cards[number], 0, 0)
