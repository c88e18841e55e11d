"""Code: programs to read and to take away."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pe_desktop.core.listings.program import LIBRARIES
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import IconButton, PushButton, Segments
from pe_desktop.panels.gestures import Changes, Drag, Reactions
from pe_desktop.panels.scene_panel import ScrolledScenePanel
from pe_desktop.views.code.page import step_at
from pe_desktop.views.code.scene import PAGES

_TOOLTIPS: Final = {
    "now": "The current table as a program",
    "listing-1": "Tavares, listing 1: three defects, and a module that runs",
    "listing-4": "Tavares, listing 4: what its broadcast holds at once, and the closed form",
    "repl": "A table built step by step, with every shape",
    "forward": "What forward of listing 1 is for: timesteps of a U-Net",
}
_PAGE, _STEP, _LIBRARY = "code.page", "code.step", "code.library"


class CodePanel(ScrolledScenePanel):
    """Pages of code that scroll; a press on a step of the session shows it."""

    key = "code"
    title = "Code"
    accessible_name = "Code"
    readout_title = "Copy this program"
    describes_cursor = False

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self.pages = Segments(PAGES, "Code shows", self)
        self.pages.set_tooltips(_TOOLTIPS)
        self.pages.chosen.connect(lambda page: model.set(**{_PAGE: page}))
        self.libraries = Segments({name: library.title for name, library in LIBRARIES.items()}, "Library", self)
        self.libraries.chosen.connect(lambda library: model.set(**{_LIBRARY: library}))
        self.back = IconButton("prev", "Previous step", self)
        self.on = IconButton("next", "Next step", self)
        self.back.clicked.connect(lambda: self._go(-1))
        self.on.clicked.connect(lambda: self._go(1))
        self.copy_button = PushButton("Copy", self)
        self.copy_button.setToolTip("Copy this program")
        self.copy_button.clicked.connect(self._on_copy)
        row = QHBoxLayout()
        row.setContentsMargins(0, 4, 6, 6)
        row.setSpacing(6)
        for control in (self.libraries, self.back, self.on):
            row.addWidget(control)
        row.addStretch(1)
        row.addWidget(self.copy_button)
        self.column.insertLayout(0, row)
        self.setMinimumSize(420, 220)

    def header_widgets(self) -> list[QWidget]:
        return [self.pages]

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        for button in (self.back, self.on):
            button.show_theme(theme)

    def show_choices(self) -> None:
        super().show_choices()
        view = self.model.state.views.code
        self.pages.show_choice(view.page)
        self.libraries.show_choice(view.library)
        self.libraries.setVisible(view.page == "now")
        for button, can_go in ((self.back, view.step > 0), (self.on, view.step < 6)):
            button.setVisible(view.page == "repl")
            button.setEnabled(can_go)
        self.show_page(view.page)

    def reactions(self) -> Reactions:
        return Reactions(choose=self._choose, is_button_at=lambda x, y: self._step_at(x, y) is not None)

    def _choose(self, drag: Drag) -> Changes:
        step = self._step_at(*drag.now) if drag.is_press else None
        return {} if step is None else {_STEP: step}

    def _step_at(self, x: float, y: float) -> int | None:
        return step_at(self.canvas.place_at(x, y))

    def _on_copy(self) -> None:
        # What is copied is of the panel that has the focus, which a press on a button doesn't move everywhere.
        self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        self.asked.emit("copy_readout")

    def _go(self, steps: int) -> None:
        self.model.set(**{_STEP: self.model.state.views.code.step + steps})
