"""The row of first steps, below the header until one of them is taken."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtGui import QResizeEvent

from pe_desktop.panels.controls.buttons import TextButton, acting
from pe_desktop.panels.controls.layouts import label
from pe_desktop.window.header import EXPLORE, Notice
from pe_desktop.window.main_window import MainWindow
from pe_desktop.window.settings import LiveSettings

if TYPE_CHECKING:
    from pe_desktop.panels.attention_panel import AttentionPanel

# From which width on a way has its words beside it, and the row its greeting.
_WIDE_ENOUGH, _GREETING_FROM = 1000, 640


class StartRow(Notice):
    """Three ways to begin; each of them, Not now and the cross take it away for good."""

    is_start = True

    def __init__(self, window: MainWindow, settings: LiveSettings) -> None:
        super().__init__(window.header)
        self._window = window
        self._greeting = label("New here?", "title")
        ways = {
            "A clock in one minute": ("press play, drag a hand", self._play),
            "Nine lessons": ("4 minutes each, predict first", partial(self._show_room, "toggle_lessons")),
            "Type a sentence": ("and see what order does", self._type),
        }
        self._said = [label(said, "note") for said, _ in ways.values()]
        buttons = [self._way(words, act) for words, (_, act) in ways.items()]
        parts = [part for pair in zip(buttons, self._said, strict=True) for part in (*pair, 12)]
        not_now = acting(TextButton(), self.closed)
        not_now.setText("Not now")
        self.fill(self._greeting, *parts, None, not_now)
        self.closed.connect(partial(settings.set, shows_start=False))
        self.closed.connect(window.action_set.refresh)

    def _way(self, words: str, act: Callable[[], object]) -> TextButton:
        button = TextButton()
        button.setText(words)
        button.setProperty("role", "link")
        return acting(acting(button, self.closed), act)

    def _play(self) -> None:
        self._show_room(EXPLORE)
        self._window.model.set(front=("clock",))
        self._window.playback.play()

    def _type(self) -> None:
        self._show_room("toggle_attention")
        cast("AttentionPanel", self._window.panel("attention")).field.setFocus()

    def _show_room(self, room: str) -> None:
        if self._window.header.room != room:
            self._window.header.show_room(room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for said in self._said:
            said.setVisible(self.width() >= _WIDE_ENOUGH)
        self._greeting.setVisible(self.width() >= _GREETING_FROM)
