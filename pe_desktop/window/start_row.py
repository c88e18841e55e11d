"""The row of first steps, below the header until one of them is taken."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout

from pe_desktop.panels.controls.buttons import TextButton, acting
from pe_desktop.panels.controls.layouts import label
from pe_desktop.window.header import EXPLORE, Notice
from pe_desktop.window.main_window import MainWindow
from pe_desktop.window.settings import LiveSettings

if TYPE_CHECKING:
    from pe_desktop.panels.attention_panel import AttentionPanel


class StartRow(Notice):
    """Three ways to begin; each of them, Not now and the cross take it away for good."""

    def __init__(self, window: MainWindow, settings: LiveSettings) -> None:
        super().__init__(window.header)
        self.setObjectName("start_row")
        self._window = window
        ways: tuple[tuple[str, str, Callable[[], object]], ...] = (
            ("A clock in one minute", "press play, drag a hand", self._play),
            ("Nine lessons", "4 minutes each, predict first", partial(window.header.show_room, "toggle_lessons")),
            ("Type a sentence", "and see what order does", self._type),
        )
        self._said = [label(said, "note") for _, said, _ in ways]
        not_now, *buttons = (TextButton() for _ in range(len(ways) + 1))
        not_now.setText("Not now")
        for button, (words, _, act) in zip(buttons, ways, strict=True):
            button.setText(words)
            button.setProperty("role", "link")
            acting(acting(button, self.close), act)
        parts = [part for pair in zip(buttons, self._said, strict=True) for part in (*pair, 12)]
        self._greeting = label("New here?", "title")
        self.fill(self._greeting, *parts, None, acting(not_now, self.close))
        self.closed.connect(partial(settings.set, shows_start=False))

    def _play(self) -> None:
        self._window.header.show_room(EXPLORE)
        self._window.model.set(front=("clock",))
        self._window.playback.play()

    def _type(self) -> None:
        self._window.header.show_room("toggle_attention")
        cast("AttentionPanel", self._window.panel("attention")).field.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # What stands beside the ways goes first where all has no room, then the greeting.
        for part in (*self._said, self._greeting):
            part.show()
        for parts in (self._said, [self._greeting]):
            has_room = cast("QLayout", self.layout()).sizeHint().width() <= self.width()
            for part in parts:
                part.setVisible(has_room)
