"""In ten minutes: steps to read beside the plots."""

from functools import partial
from typing import Any, ClassVar

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from pe_desktop.core.number_text import held_together
from pe_desktop.core.state import state_of
from pe_desktop.panels.controls.buttons import IconButton, PushButton, acting
from pe_desktop.panels.controls.layouts import BARE, filled, label
from pe_desktop.panels.scene_panel import PageArea, Panel
from pe_desktop.resources import resource_json


class StepsPanel(Panel):
    """“Show” sets what is seen, which can be undone, and brings the keyboard to the plots, where the keys act."""

    key = "steps"
    title = "In ten minutes"
    is_workspace: ClassVar[bool] = True

    def make(self) -> None:
        self.closer = acting(IconButton("close", "Close", self), partial(self.asked.emit, "show_steps"))
        steps = (self._step(number, step) for number, step in enumerate(resource_json("help.json")["steps"], start=1))
        page = QWidget()
        page.setProperty("role", "panel")
        filled(QVBoxLayout(page), *steps, None, margins=(0, 4, 8, 8), spacing=14)
        filled(QVBoxLayout(self), PageArea(page), margins=BARE)

    def header_widgets(self) -> list[QWidget]:
        return [self.closer]

    def _step(self, number: int, step: dict[str, Any]) -> QWidget:
        title = label(f"{number}  {step['title']}", "title")
        text = QLabel(held_together(step["text"]), wordWrap=True)
        show = PushButton("Show")
        acting(show, partial(self._show, step, show))
        show.setAccessibleName(f"Show: {step['title']}")
        card = QWidget()
        head = filled(QHBoxLayout(), title, show, wide=title)
        filled(QVBoxLayout(card), head, text, margins=BARE, spacing=4)
        return card

    def _show(self, step: dict[str, Any], button: QWidget) -> None:
        self.model.set_state(state_of(step["assignments"]), step["title"])
        # The window gives it to a plot.
        button.clearFocus()
