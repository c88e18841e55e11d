"""What a lecture and a panel over the whole screen share: letters for a room, and t and k below them."""

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from pe_desktop.draw.number_text import position
from pe_desktop.draw.theme import Theme, Themed
from pe_desktop.languages import local_number
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import IconButton, acting
from pe_desktop.panels.controls.layouts import BARE, filled
from pe_desktop.panels.scene_panel import Panel, ScenePanel
from pe_desktop.panels.transport_panel import Scrubber

# How many times larger letters and marks are than in the window, at least where that shows the whole view, and where
# nothing does.
ZOOM: Final = 1.8
_LEAST, _SCROLLED, _STEP = 1.3, 1.5, 1.06
# Sizes in pixels in the smallest room.
_ROOM, _PLAY, _CURSOR, _SCRUBBER, _TRACK_ZOOM = QSize(1280, 720), 40, 30, 56, 1.35


def words_zoom(room: QSize) -> float:
    """How many times larger words are than in the smallest room: slower than the room grows."""
    return float(min(room.width() / _ROOM.width(), room.height() / _ROOM.height()) ** 0.75)


def show_to_room(panel: Panel, by: float = 1.0, *, is_bare: bool = False) -> None:
    """Draw a panel ZOOM times as large, by less where it would be cut; then `by` times as large as that."""
    if not isinstance(panel, ScenePanel):
        return
    zoom = ZOOM
    panel.set_zoom(zoom, is_bare=is_bare)
    panel.column.activate()
    while panel.is_cut and zoom > _LEAST:
        zoom /= _STEP
        panel.set_zoom(zoom, is_bare=is_bare)
    panel.set_zoom(by * (_SCROLLED if panel.is_cut else zoom), is_bare=is_bare)


class Foot(Themed, QWidget):
    """Play, t and k, which are always seen, and the track on which they are moved."""

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._model, self._playback = model, playback
        self.play = acting(IconButton("play", "Play", self), playback.toggle)
        self.play.setProperty("primary", True)
        self.cursor_words = QLabel()
        self.cursor_words.setProperty("role", "lecture-cursor")
        self.scrubber = Scrubber(model, self)
        for part in (self.play, self.scrubber):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        parts = self.play, 12, self.cursor_words, 12, self.scrubber
        filled(QHBoxLayout(self), *parts, margins=BARE, wide=self.scrubber)
        model.state_changed.connect(self.follow)
        playback.changed.connect(self.follow)

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        self.follow()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.follow()

    def set_zoom(self, zoom: float) -> None:
        """Be so many times as large as in the smallest room."""
        side = round(_PLAY * zoom)
        self.play.setFixedSize(side, side)
        self.play.setIconSize(QSize(side // 2, side // 2))
        self.play.setStyleSheet(f"border-radius: {side // 2}px")
        self.cursor_words.setStyleSheet(f"font-size: {round(_CURSOR * zoom)}px")
        self.cursor_words.setMinimumWidth(0)
        self.scrubber.set_zoom(_TRACK_ZOOM * zoom)
        self.scrubber.setFixedHeight(round(_SCRUBBER * _TRACK_ZOOM * zoom))
        self.follow()

    def follow(self) -> None:
        """Show where t and k stand now."""
        if not self.isVisible():
            return
        state = self._model.state
        t, k = (local_number(position(one)) for one in (state.cursor.position, state.cursor.offset))
        quiet = self.theme.text2.name()
        words = f"<i>t</i> = {t}&nbsp;&nbsp; <span style='color: {quiet}'><i>k</i> = {k}</span>"
        self.cursor_words.setText(words)
        # Grows only, so that the track stays while t runs.
        wide = max(self.cursor_words.minimumWidth(), self.cursor_words.sizeHint().width())
        self.cursor_words.setMinimumWidth(wide)
        self.play.set_icon("pause" if self._playback.is_playing else "play")
        self.scrubber.update()
