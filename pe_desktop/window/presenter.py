"""A lecture: one or two views over the whole screen, one sentence, the keys of a clicker, notes for the speaker."""

import time
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QScreen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from pe_desktop.draw.canvas import USED_BY_KEYS
from pe_desktop.draw.number_text import position
from pe_desktop.draw.theme import Theme
from pe_desktop.lessons.numbers import LETTERS, numbers_of, right_answer
from pe_desktop.lessons.shelf import talk_named
from pe_desktop.lessons.shown import answer_of, place_of, with_answer, with_step
from pe_desktop.lessons.talks import Step, Talk
from pe_desktop.panels.controls.buttons import IconButton, acting
from pe_desktop.panels.controls.layouts import filled, label
from pe_desktop.panels.scene_panel import ScenePanel, dress
from pe_desktop.panels.transport_panel import Scrubber
from pe_desktop.views.lessons.words import Said
from pe_desktop.window.dock import PanelDock
from pe_desktop.window.main_window import MainWindow

# How much larger letters and marks are than in the window, and how much a key changes that.
ZOOM, _BY_KEY, _LEAST, _MOST = 1.8, 1.15, 1.0, 3.0
# The share of the width of the first of two views.
_SHARES = (2, 3)
_ON = (Qt.Key.Key_Space, Qt.Key.Key_PageDown, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return)
_BACK = (Qt.Key.Key_PageUp, Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Backspace)
_RING, _RING_WIDTH = 34.0, 4.0


class _Shade(QWidget):
    """Lies over all: black on demand, and a ring around the pointer."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.is_black = self.has_ring = False
        self.at = QPointF()
        self.color = QColor()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if self.is_black:
                painter.fillRect(self.rect(), Qt.GlobalColor.black)
            elif self.has_ring:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(self.color, _RING_WIDTH))
                painter.drawEllipse(self.at, _RING, _RING)


class SpeakerView(QFrame):
    """What only the speaker sees: notes, what comes next, the time since the start and the clock."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._title, self._notes = label("", "message"), label("", "lecture", wraps=True)
        self._next, self._time = label("", "title", wraps=True), label("", "message")
        rows = self._time, 16, self._title, 8, self._notes, None, self._next
        filled(QVBoxLayout(self), *rows, margins=(48, 40, 48, 40), spacing=8)
        self._started = time.monotonic()
        self._ticking = QTimer(self, interval=1000)
        self._ticking.timeout.connect(self._tick)
        self._ticking.start()
        self._tick()

    def show_step(self, number: str, title: str, notes: str, following: str) -> None:
        self._title.setText(f"{number}  {title}")
        self._notes.setText(notes)
        self._next.setText(f"Next: {following}" if following else "The last step")

    def _tick(self) -> None:
        seconds = round(time.monotonic() - self._started)
        self._time.setText(f"{seconds // 60}:{seconds % 60:02}   {time.strftime('%H:%M')}")


class Presenter(QFrame):
    """Covers the window while it covers the screen; the panels go back to their docks afterwards."""

    def __init__(self, window: MainWindow, made: Callable[[str], PanelDock]) -> None:
        super().__init__(window)
        self._window, self._made = window, made
        self.setAutoFillBackground(True)
        self.setProperty("role", "panel")
        self.zoom = ZOOM
        self._docks: list[PanelDock] = []
        self._state_before = Qt.WindowState.WindowNoState
        self.speaker: SpeakerView | None = None
        self._title, self._number = label("", "lecture-title"), label("", "lecture")
        self._sentence = QLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self._sentence.setProperty("role", "lecture")
        self._cursor = label("", "lecture-cursor")
        self.play = acting(IconButton("play", "Play", self, side=38), window.playback.toggle)
        self.play.setProperty("primary", True)
        self.play.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scrubber = Scrubber(window.model, self)
        self.scrubber.setFixedHeight(64)
        head = filled(QHBoxLayout(), self._title, None, self._number)
        self._views = filled(QHBoxLayout(), spacing=24)
        foot = filled(QHBoxLayout(), self.play, 12, self._cursor, 12, self.scrubber, wide=self.scrubber)
        rows = head, self._views, self._sentence, foot
        filled(QVBoxLayout(self), *rows, margins=(48, 28, 48, 24), spacing=12, wide=self._views)
        self._shade = _Shade(self)
        self.installEventFilter(self)
        window.resized.connect(self._cover)
        window.model.state_changed.connect(self._follow)
        window.playback.changed.connect(self._follow)
        self.hide()

    @property
    def _talk(self) -> Talk | None:
        view = self._window.model.state.views.lessons
        return talk_named(view.talk) if view.is_open else None

    @property
    def _step(self) -> Step | None:
        talk = self._talk
        return None if talk is None else talk.steps[place_of(self._window.model.state, talk)]

    def toggle(self) -> None:
        """Begin with what is seen, or end."""
        if self.isVisible():
            self.leave()
            return
        window = self._window
        self._state_before = window.windowState()
        window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)
        dress(self, window.theme)
        self._shade.color = window.theme.focus
        self.show()
        self._cover()
        self.raise_()
        self._follow()
        self._show_speaker()
        window.setProperty(USED_BY_KEYS, False)

    def leave(self) -> None:
        """Give the panels back to their docks."""
        self._hold(())
        if self.speaker is not None:
            self.speaker.close()
            self.speaker = None
        self.hide()
        self._window.setWindowState(self._state_before)
        self._window.presented.emit()

    def show_theme(self, theme: Theme) -> None:
        self._shade.color = theme.focus

    def _cover(self) -> None:
        if self.isVisible():
            self.setGeometry(self._window.rect())
            self._shade.setGeometry(self.rect())
            self._shade.raise_()

    def _keys(self) -> Sequence[str]:
        step = self._step
        if step is not None and step.views:
            return step.views[:2]
        return [*reversed(self._window.focused_plots)][:1]

    def _hold(self, keys: Sequence[str]) -> None:
        """Hold the panels of these keys, and no others."""
        if [dock.kind.key for dock in self._docks] == [*keys]:
            return
        for dock in self._docks:
            _set_zoom(dock, 1.0)
            dock.take_back_panel()
        self._docks = [self._made(key) for key in keys]
        for place, dock in enumerate(self._docks):
            self._views.addWidget(dock.panel, _SHARES[place] if len(keys) > 1 else 1)
            _set_zoom(dock, self.zoom)
            dock.panel.show()
            dock.panel.set_behind(False)

    def _follow(self) -> None:
        """Show the step that is seen now: its views, its title and sentence, where t and k stand."""
        if not self.isVisible():
            return
        self._hold(self._keys())
        state, talk, step = self._window.model.state, self._talk, self._step
        cursor = state.cursor
        self._cursor.setText(f"t = {position(cursor.position)}   k = {position(cursor.offset)}")
        self.play.set_icon("pause" if self._window.playback.is_playing else "play")
        self.scrubber.update()
        if talk is None or step is None:
            panel = self._docks[0].panel
            self._title.setText(panel.title)
            self._sentence.setText(panel.subtitle)
            self._number.setText("")
            return
        place = place_of(state, talk)
        said = Said(numbers_of(talk, place))
        asks = step.question is not None and not answer_of(state, place + 1)
        self._title.setText(step.title)
        self._number.setText(f"{place + 1} of {len(talk.steps)}")
        self._sentence.setText(_asked(step, said) if asks else said(step.words))
        if self.speaker is not None:
            following = talk.steps[place + 1].title if place + 1 < len(talk.steps) else ""
            notes = said(step.notes or step.words)
            self.speaker.show_step(self._number.text(), step.title, notes, "the answer" if asks else following)

    def go_on(self) -> None:
        """First the answer, then the next step."""
        state, talk, step = self._window.model.state, self._talk, self._step
        if talk is None or step is None:
            self._window.playback.toggle()
            return
        place = place_of(state, talk)
        if step.question is not None and not answer_of(state, place + 1):
            numbers = numbers_of(talk, place)
            right = right_answer(step.question, numbers)
            answer = f"{numbers[step.question.key]:.6g}" if right is None else LETTERS[right]
            self._window.model.set(**{"lessons.answers": with_answer(state, place + 1, answer)})
        else:
            self._go_to(place + 1)

    def _go_to(self, place: int) -> None:
        talk = self._talk
        if talk is not None and 0 <= place < len(talk.steps):
            self._window.model.set_state(with_step(self._window.model.state, talk, place), "lessons.step")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        state, talk, key = self._window.model.state, self._talk, event.key()
        place = 0 if talk is None else place_of(state, talk)
        has_ctrl = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        acts: dict[int, Callable[[], object]] = {
            Qt.Key.Key_Escape: self.leave,
            Qt.Key.Key_F5: self.leave,
            Qt.Key.Key_Home: partial(self._go_to, 0),
            Qt.Key.Key_B: partial(self._shade_by, "is_black"),
            Qt.Key.Key_R: partial(self._shade_by, "has_ring"),
            Qt.Key.Key_N: self._toggle_notes,
            **dict.fromkeys(_ON, self.go_on),
            **dict.fromkeys(_BACK, partial(self._go_to, place - 1)),
        }
        if has_ctrl:
            larger = (Qt.Key.Key_Plus, Qt.Key.Key_Equal)
            by = {**dict.fromkeys(larger, _BY_KEY), Qt.Key.Key_Minus: 1 / _BY_KEY}
            acts = {each: partial(self.set_zoom, self.zoom * factor) for each, factor in by.items()}
        act = acts.get(key)
        if act is None:
            event.ignore()
        else:
            act()

    def set_zoom(self, zoom: float) -> None:
        """Draw letters and marks so many times as large as in the window."""
        self.zoom = min(max(zoom, _LEAST), _MOST)
        for dock in self._docks:
            _set_zoom(dock, self.zoom)

    def _shade_by(self, name: str) -> None:
        setattr(self._shade, name, not getattr(self._shade, name))
        self.setMouseTracking(self._shade.has_ring)
        self._shade.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and self._shade.has_ring:
            self._shade.at = event.position()
            self._shade.update()
        return False

    def _toggle_notes(self) -> None:
        """On one screen the notes stand in place of the views."""
        if self.speaker is None:
            self.speaker = SpeakerView(self)
            self.speaker.setGeometry(self.rect())
            dress(self.speaker, self._window.theme)
            self.speaker.show()
            self._follow()
        else:
            self.speaker.close()
            self.speaker = None

    def _show_speaker(self) -> None:
        """Show the notes on a second screen, where there is one."""
        here = self._window.screen()
        other: QScreen | None = next((screen for screen in QGuiApplication.screens() if screen is not here), None)
        if other is not None and self._talk is not None:
            self.speaker = SpeakerView()
            dress(self.speaker, self._window.theme)
            self.speaker.setGeometry(other.geometry())
            self.speaker.showFullScreen()
            self._follow()


def _set_zoom(dock: PanelDock, zoom: float) -> None:
    if isinstance(dock.panel, ScenePanel):
        dock.panel.set_zoom(zoom)


def _asked(step: Step, said: Said) -> str:
    """The question with its answers in one line each."""
    question = step.question
    assert question is not None
    answers = (f"{LETTERS[place].upper()}  {said(one.text)}" for place, one in enumerate(question.answers))
    return "\n".join((said(question.text), "     ".join(answers)))
