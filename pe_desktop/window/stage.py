"""What covers the window while that covers the screen: panels in letters for a room, t and k below them."""

from collections.abc import Callable
from functools import cached_property
from typing import Final, cast

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMainWindow, QVBoxLayout, QWidget

from pe_desktop.draw.canvas import USED_BY_KEYS, Canvas
from pe_desktop.draw.number_text import position
from pe_desktop.draw.theme import Theme, Themed
from pe_desktop.languages import local_number
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import IconButton, acting
from pe_desktop.panels.controls.layouts import BARE, filled
from pe_desktop.panels.scene_panel import ScenePanel
from pe_desktop.panels.sliders import Scrubber
from pe_desktop.window.dock import PanelDock, Veil, focus_plot, soon

# How many times larger letters and marks are than in the window, at least where that shows the whole view, and where
# nothing does.
ZOOM: Final = 1.8
_LEAST, _SCROLLED, _STEP = 1.2, 1.5, 1.06
# Sizes in pixels in the smallest room.
_ROOM, _PLAY, _CURSOR, _SCRUBBER, _TRACK_ZOOM = QSize(1280, 720), 40, 30, 56, 1.2
# Letters of controls in the smallest room, and the largest that have room in them.
_CONTROLS, _MOST_CONTROLS = 17, 20


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


class Stage(QFrame):
    """Covers the window while that covers the screen. It holds panels that their docks get back."""

    # Whether panels are shown without rows of controls, and leave out what has no room.
    is_bare = False

    def __init__(self, window: QMainWindow, make_foot: Callable[[QWidget], Foot]) -> None:
        super().__init__(window)
        self._window, self._make_foot = window, make_foot
        # Qt paints nothing that lies behind it then.
        self.setAutoFillBackground(True)
        self.docks: list[PanelDock] = []
        # How many times larger a person has made all than it is by itself.
        self._by = 1.0
        # How large panels are at least, by their keys: larger words don't make them smaller.
        self._least: dict[str, float] = {}
        self._state_before = Qt.WindowState.WindowNoState
        self._fitting = soon(self, self.fit)
        self.hide()

    @cached_property
    def foot(self) -> Foot:
        """Play, t and k, made when something first covers the screen."""
        return self._make_foot(self)

    @property
    def words_zoom(self) -> float:
        """How many times larger words are than in the smallest room: slower than the room grows."""
        room = self.size()
        return self._by * float(min(room.width() / _ROOM.width(), room.height() / _ROOM.height()) ** 0.75)

    def cover(self) -> None:
        """Lie over the whole window, and cover the screen with it."""
        window = self._window
        self._state_before = window.windowState()
        self.setGeometry(window.rect())
        self.show()
        self.raise_()
        self._fitting.start()
        window.setWindowState(self._state_before | Qt.WindowState.WindowFullScreen)
        # The screen may be shown to others: the ring comes with the first key that moves the focus.
        window.setProperty(USED_BY_KEYS, False)

    def uncover(self) -> None:
        """Let the window be as it was."""
        self.hide()
        self._window.setWindowState(self._state_before)

    def let_go(self) -> None:
        """Draw the panels as they are in their docks."""
        for dock in self.docks:
            self._size_controls(dock, "")
            if isinstance(dock.panel, ScenePanel):
                dock.panel.set_zoom(1.0)
        self.docks = []

    def fit(self) -> None:
        """Draw panels and what stands below as large as there is room for, and controls larger than in the window."""
        self.foot.set_zoom(self.words_zoom)
        for dock in self.docks:
            self._size_controls(dock, f"* {{ font-size: {min(round(_CONTROLS * self.words_zoom), _MOST_CONTROLS)}px }}")
            for part in (self.foot, self):
                cast("QVBoxLayout", part.layout()).activate()
            if isinstance(dock.panel, ScenePanel):
                self._show_to_room(dock.panel)

    def _show_to_room(self, panel: ScenePanel) -> None:
        """Draw a panel as large as it has room, ZOOM times at most; a bare one leaves out the rest, others scroll."""
        zoom, least = self._by * ZOOM, max(min(self._by, 1.0) * _LEAST, self._least.get(panel.key, 0.0))
        panel.set_zoom(zoom, is_bare=self.is_bare)
        panel.column.activate()
        while panel.is_cut and zoom > least:
            zoom = max(zoom / _STEP, least)
            panel.set_zoom(zoom, is_bare=self.is_bare)
        if panel.is_cut and not self.is_bare:
            panel.set_zoom(_SCROLLED)

    def _size_controls(self, dock: PanelDock, sheet: str) -> None:
        """Draw the rows of controls that stand with a panel by another sheet."""
        parts = dock.panel.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        rows = [part for part in parts if not isinstance(part, Canvas | Veil) and part.findChild(Canvas) is None]
        for row in filter(None, (dock.title_row, *rows)):
            if row.styleSheet() != sheet:
                row.setStyleSheet(sheet)


class FullScreen(Stage):
    """Shows the content of one dock, with its controls.

    The docks stay where they are: they are restored there once the window has its size again. A dock that floats
    is a window: it covers the screen by itself.
    """

    def __init__(
        self, window: QMainWindow, make_foot: Callable[[QWidget], Foot], restore: Callable[[QByteArray], None]
    ) -> None:
        super().__init__(window, make_foot)
        self._restore = restore
        self.size_before = QSize()
        # Where the window stood, and how its docks did; None where another panel has been asked for since.
        self.geometry_before = QByteArray()
        self.docks_before: QByteArray | None = None
        self._column = filled(QVBoxLayout(self), margins=(8, 8, 8, 8), spacing=0)
        # Not while the docks are being arranged.
        self._leaving = soon(self, self.leave)

    @property
    def dock(self) -> PanelDock | None:
        """Whose content is shown, if any."""
        return self.docks[0] if self.docks else None

    def toggle(self, dock: PanelDock, docks: QByteArray) -> None:
        """Show a dock over the whole screen, or put it back; docks is where all of them stand."""
        if dock.isFloating() and dock.is_full_screen:
            dock.uncover_screen()
        elif dock.isFloating():
            dock.cover_screen()
        elif self.docks:
            self.leave()
        else:
            self._open(dock, docks)

    def leave(self) -> None:
        """Put the panel back; nothing happens where there is none."""
        dock = self.dock
        if dock is None:
            return
        dock.visibilityChanged.disconnect(self._on_visibility_changed)
        self.let_go()
        dock.take_back_content()
        self.uncover()
        if self._window.size() == self.size_before:
            # Where no window system has given it another size, no event says that it has its own again.
            self.docks_before = None
        focus_plot([dock], self._window)

    def _open(self, dock: PanelDock, docks: QByteArray) -> None:
        window = self._window
        self.docks = [dock]
        self.size_before, self.geometry_before, self.docks_before = window.size(), window.saveGeometry(), docks
        # The card takes what the title leaves.
        for place, part in enumerate(dock.give_content()):
            self._column.addWidget(part, place)
            part.show()
        self._column.addWidget(self.foot)
        dock.visibilityChanged.connect(self._on_visibility_changed)
        self.cover()
        focus_plot([dock], window)

    def _on_visibility_changed(self, is_seen: bool) -> None:
        """Another panel has been asked for, or its dock was closed."""
        if not is_seen:
            self.docks_before = None
            self._leaving.start()

    def follow_window(self) -> None:
        """Cover the window, which has another size; the docks are as before if it gets the size from before back."""
        window = self._window
        if self.docks:
            self.setGeometry(window.rect())
            self._fitting.start()
            return
        docks, self.docks_before = self.docks_before, None
        if docks is not None and window.size() == self.size_before:
            focus, nowhere = window.focusWidget(), Qt.DockWidgetArea.NoDockWidgetArea
            away = [dock for dock in window.findChildren(PanelDock) if window.dockWidgetArea(dock) == nowhere]
            self._restore(docks)
            for dock in away:
                # Qt remembers a place of what was taken out, too.
                window.removeDockWidget(dock)
            if focus is not None:
                focus.setFocus()
