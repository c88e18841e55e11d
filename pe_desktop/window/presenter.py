"""A lecture: one or two views over the whole screen, one sentence, the keys of a clicker, notes for the speaker."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QByteArray, QEvent, QObject, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QCursor, QGuiApplication, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.draw import flow
from pe_desktop.draw.canvas import USED_BY_KEYS
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Named, Space, Words, in_row, padded
from pe_desktop.draw.theme import Themed
from pe_desktop.languages import told
from pe_desktop.lessons.shown import open_talk, place_of, veiled, with_step
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.controls.layouts import filled
from pe_desktop.panels.lessons_panel import LessonsPanel
from pe_desktop.panels.page_canvas import PageCanvas, act_of, image_block
from pe_desktop.panels.scene_panel import ScenePanel, dress
from pe_desktop.views.lessons.questions import Asked, asked_at, asked_block, framed, numbers_question, room_block
from pe_desktop.window.dock import PanelDock, Veil, centered
from pe_desktop.window.main_window import PLOTS, MainWindow
from pe_desktop.window.stage import Stage

# By how much a key makes all larger or smaller.
_BY_KEY: Final = 1.15
# How many times larger words are in the smallest room than in the window; those on a veil, and the speaker's notes.
_WORDS, _ON_VEIL, _NOTES = 1.3, 1.6, 1.4
# Shares of the width beside each other: a dial is as high as it is wide.
_SHARES: Final = {"clock": 2}
_USUAL_SHARE: Final = 3
_ON = (Qt.Key.Key_Space, Qt.Key.Key_PageDown, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return)
_BACK = (Qt.Key.Key_PageUp, Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Backspace)
_RING, _RING_WIDTH = 34.0, 4.0
# The pointer leaves after so long, and what the speaker sees of the room is so old at most.
_POINTER_MILLISECONDS, _PICTURE_MILLISECONDS = 3000, 250
# How much of the width of the notes shows what the room sees.
_PICTURE_SHARE: Final = 0.5
_KEYS: Final = "Space: answer, next · PgUp: back · B: black · F: freeze · R: ring · Ctrl +: larger · Esc: end"


class _Shade(Themed, QWidget):
    """Lies over all: black on demand, a picture that stays, and a ring around the pointer."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.is_black = self.has_ring = False
        # What the room goes on seeing, if anything; whether the speaker looks through it.
        self.frozen: QPixmap | None = None
        self.is_looked_through = False
        self.at = QPointF()

    def move_ring(self, at: QPointF) -> None:
        """Draw the ring around another point, and what lies under it anew."""
        reach = _RING + _RING_WIDTH
        for point in (self.at, at):
            self.update(QRectF(point.x() - reach, point.y() - reach, 2 * reach, 2 * reach).toAlignedRect())
        self.at = at

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if self.is_black and not self.is_looked_through:
                painter.fillRect(self.rect(), Qt.GlobalColor.black)
                return
            if self.frozen is not None and not self.is_looked_through:
                painter.drawPixmap(0, 0, self.frozen)
            if self.has_ring:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(self.theme.focus, _RING_WIDTH))
                painter.drawEllipse(self.at, _RING, _RING)


class SpeakerView(PageCanvas):
    """What only the speaker sees: the room, what comes next, notes, the time since the start, the clock, the steps.

    On one screen it stands in place of the views.
    """

    fits = False

    def __init__(self, presenter: "Presenter", parent: QWidget | None) -> None:
        super().__init__("Notes", self._page, parent)
        self.setWindowTitle("Notes")
        self._presenter = presenter
        self.take_presses(presenter.model, act_of)
        self.installEventFilter(presenter)
        # What the room sees, and in which words.
        self.picture, self.caption = QImage(), ""
        ticking = QTimer(self, interval=1000)
        ticking.timeout.connect(self.update)
        ticking.start()

    def _page(self) -> Block:
        seconds = round(time.monotonic() - self._presenter.started)
        now = f"Since the start {seconds // 60}:{seconds % 60:02}, now {time.strftime('%H:%M')}"
        asked = self._presenter.asked
        if asked is None:
            return Words(now)
        talk, step = asked.talk, asked.step
        ways = [
            Named(
                f"step {number}",
                Words(f"{number}  {told(one.title)}", "strong" if number == asked.place + 1 else "label"),
                sets={"act": partial(self._presenter.go_to, number - 1)},
            )
            for number, one in enumerate(talk.steps, start=1)
        ]
        following = self._presenter.following
        lines = [] if _is_beyond(asked) else (step.notes or step.words).split("\n")
        notes = (flow.paragraph(asked.said(line), "label", "text") for line in lines)
        left = (
            framed(image_block(self.picture), Words(self.caption)),
            framed(*ways, Space(0.0, grows=True), flow.paragraph(_KEYS)),
        )
        next_step = flow.paragraph(f"Next: {following}" if following else "The last step", "message", "text")
        title = flow.paragraph(f"{_number_of(asked)}: {told(_title_of(asked))}", "message", "text")
        right = framed(next_step), framed(title, Space(8.0), *notes, Space(0.0, grows=True))
        head = in_row((GROW, FIT), Words(talk.title, "heading"), Words(now, across=1.0))
        body = in_row((_PICTURE_SHARE, GROW), Column(left, 12.0), Column(right, 12.0))
        return padded(Column((Space(12.0), head, body, Space(12.0)), 12.0), 20.0)


def _is_beyond(asked: Asked) -> bool:
    """Whether it is one of the questions after the last step."""
    return asked.place >= len(asked.talk.steps)


def _title_of(asked: Asked) -> str:
    return "To discuss" if _is_beyond(asked) else asked.step.title


def _number_of(asked: Asked) -> str:
    """Of the step among the steps, or of the question among those after them."""
    n_steps, n_all = len(asked.talk.steps), len(asked.talk.questions)
    first, last = (n_steps, n_all) if _is_beyond(asked) else (0, n_steps)
    return f"{asked.place - first + 1} of {last - first}"


class Presenter(Stage):
    """A lecture: one or two views, the title of the step and its sentence."""

    is_bare = True
    _window: MainWindow

    def __init__(self, window: MainWindow, made: Callable[[str], PanelDock]) -> None:
        super().__init__(window, window.made_foot)
        self.setObjectName("present")
        self._made = made
        self.setProperty("role", "panel")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.installEventFilter(self)
        # What is presented without a talk.
        self._alone = "clock"
        # The views, the step and what was covered when they were fitted.
        self._fitted: tuple[object, ...] = ()
        # How many questions beyond the last step; answers that the lecture gave; whether a press has shown nothing yet.
        self._beyond, self._given, self._is_pressed = 0, set[str](), False
        self.started = 0.0
        # Where the window stood that shows itself on another screen; empty where it has stayed.
        self._stood = QByteArray()
        self.speaker: SpeakerView | None = None
        self._head, self._words = PageCanvas("Title", self._head_page), PageCanvas("Words", self._words_page)
        # Questions beyond the last step stand in place of the views.
        self._floor = QWidget()
        self._large = Veil(self._floor)
        self._views = filled(QHBoxLayout(), self._floor, spacing=24)
        rows = self._head, self._views, self._words, self.foot
        filled(QVBoxLayout(self), *rows, margins=(40, 14, 40, 10), spacing=8, wide=self._views)
        self.shade = _Shade(self)
        self.hiding = QTimer(self, interval=_POINTER_MILLISECONDS, singleShot=True)
        self.hiding.timeout.connect(self._show_pointer)
        self._looking = QTimer(self, interval=_PICTURE_MILLISECONDS, singleShot=True)
        self._looking.timeout.connect(self._look)
        window.resized.connect(self._lie_over)
        window.model.state_changed.connect(self._follow)
        window.model.findings.changed.connect(self._follow)

    @property
    def model(self) -> EncodingModel:
        return self._window.model

    @property
    def asked(self) -> Asked | None:
        """The step that is seen, and what is known of it; None without a talk."""
        state, talk = self.model.state, open_talk(self.model.state)
        if talk is None:
            return None
        place = place_of(state, talk)
        beyond = self._beyond if place == len(talk.steps) - 1 else 0
        return asked_at(state, talk, min(place + beyond, len(talk.questions) - 1), self.model.findings)

    @property
    def following(self) -> str:
        """What comes next: the answer, once it is known, or the title of a step; "" for nothing."""
        asked = self.asked
        if asked is None:
            return ""
        if asked.waits and asked.numbers is not None:
            return f"{told('the answer')}, {asked.key.upper()}"
        is_last = asked.place + 1 >= len(asked.talk.questions)
        return "" if is_last else told(_title_of(replace(asked, place=asked.place + 1)))

    def toggle(self) -> None:
        """Begin with what is seen, or end."""
        if self.isVisible():
            self.leave()
            return
        window = self._window
        window.full_screen.leave()
        self._alone, self.started = window.focused_plot().key, time.monotonic()
        window.is_presented = True
        dress(self, window.theme)
        desk, others = QGuiApplication.primaryScreen(), QGuiApplication.screens()
        others.remove(desk)
        has_notes = bool(others) and self.asked is not None
        if has_notes and window.screen() is desk:
            # The room sees another screen than that of the desk.
            self._stood = window.saveGeometry()
            window.showNormal()
            window.setGeometry(others[0].geometry())
        self.cover()
        self.setFocus()
        self._follow()
        if has_notes:
            self._show_speaker(desk.geometry())
        self.hiding.start()
        # Keys and the pointer are the lecture's, whichever part of a panel they come to.
        window.windowHandle().installEventFilter(self)

    def leave(self) -> None:
        """Give the panels back to their docks."""
        window, held = self._window, self.docks
        window.windowHandle().removeEventFilter(self)
        self._show_pointer(is_shown=True)
        window.model.findings.ask("lecture", ())
        self._hold(())
        self._fitted = ()
        self.shade.is_black, self.shade.has_ring, self.shade.frozen = False, False, None
        self._close_speaker()
        window.is_presented = False
        self.uncover()
        if not self._stood.isEmpty():
            window.restoreGeometry(self._stood)
            self._stood.clear()
        # What the lecture answered is no answer of a person.
        answers = window.model.state.views.lessons.answers
        window.model.note(**{"lessons.answers": tuple(one for one in answers if one not in self._given)})
        panel = self._made("lessons").panel
        if self._given and isinstance(panel, LessonsPanel):
            # Nor does what it moved tell of it.
            panel.show_again()
        self._beyond, self._is_pressed = 0, False
        self._given.clear()
        window.presented.emit()
        window.setProperty(USED_BY_KEYS, False)
        for dock in held[:1]:
            dock.take_focus()

    def _lie_over(self) -> None:
        """Lie over the window, the notes and what shades over that."""
        if self.isVisible():
            for part in (self, self.speaker, self.shade):
                if part is not None and not part.isWindow():
                    part.setGeometry(self._window.rect())
                    part.raise_()
            self._fitting.start()

    def _keys(self) -> Sequence[str]:
        """The one or two views of the step, one that is covered among them; those that its state names, or one."""
        views, asked = self.model.state.views, self.asked
        if asked is None:
            return [self._alone]
        step = asked.step
        if _is_beyond(asked):
            return []
        if step.views or views.compare.is_open:
            covered = [key for key in step.veils if key not in step.views[:2]]
            return [*step.views[: 1 if covered else 2], *covered[:1]] or ["compare"]
        able = WORKSPACES.get(views.workspace, PLOTS)
        return [key for key in views.front if key in able][:2] or [able[0] if views.workspace else self._alone]

    def _hold(self, keys: Sequence[str]) -> None:
        """Hold the panels of these keys, and no others."""
        if [dock.kind.key for dock in self.docks] == [*keys]:
            return
        for dock in self.docks:
            dock.set_veiled(False)
            dock.take_back_panel()
        self.let_go()
        self.docks = [self._made(key) for key in keys]
        for dock in self.docks:
            self._views.addWidget(dock.panel, _SHARES.get(dock.kind.key, _USUAL_SHARE))
            dock.panel.show()
            dock.panel.set_behind(False)
        # What had the keyboard may be gone, and what is new lies over the shade.
        self.setFocus()
        self._lie_over()

    def fit(self) -> None:
        """Where a person makes all larger, panels stay at least as large as they are by themselves."""
        by, self._least = self._by, {}
        if by > 1.0:
            self._by = 1.0
            self._fit_parts()
            panels = [dock.panel for dock in self.docks]
            self._least = {panel.key: panel.canvas.zoom for panel in panels if isinstance(panel, ScenePanel)}
            self._by = by
        self._fit_parts()

    def _fit_parts(self) -> None:
        for part in (self._head, self._words):
            part.set_zoom(_WORDS * self.words_zoom)
        for veil in (*self._veils, self._large):
            veil.set_zoom(_ON_VEIL * self.words_zoom)
        if self.speaker is not None:
            self.speaker.set_zoom(_NOTES * self.words_zoom)
        super().fit()

    def _follow(self) -> None:
        """Show the step that is seen now: its views, its title and words, its question over what is covered."""
        if not self.isVisible():
            return
        asked = self.asked
        if asked is not None and self._is_pressed and asked.waits and asked.numbers is not None:
            self._answer(asked)
            return
        keys = self._keys()
        self._hold(keys)
        self._floor.setVisible(not keys)
        covered = veiled(self.model.state)
        for dock in self.docks:
            dock.set_veiled(dock.kind.key in covered)
        if asked is not None:
            self.model.findings.ask("lecture", (numbers_question(asked.talk, place_of(asked.state, asked.talk)),))
        for number, veil in enumerate(self._veils or [self._large]):
            veil.page = partial(centered, Words("?", "heading", across=0.5) if number else self._question_page())
            veil.update()
        shown = self.docks, None if asked is None else asked.place, covered
        if shown != self._fitted:
            self._fitted = shown
            self._fitting.start()
        self._head.fit()
        self._words.fit()
        if self.speaker is not None and not self._looking.isActive():
            self._looking.start()

    @property
    def _veils(self) -> list[Veil]:
        return [dock.veil for dock in self.docks if dock.veil is not None]

    def _question_page(self) -> Block:
        asked = self.asked
        if asked is None or asked.talk.questions[asked.place] is None:
            return Space()
        below = [flow.small("Space shows it", across=0.5)]
        if asked.is_told:
            below = [flow.paragraph(why, "lead", "text", 0.5) for why in asked.reasons[-1:]]
        # In a room it is nobody's answer.
        return Column((asked_block(replace(asked, given=asked.answer)), *below), 12.0)

    def _head_page(self) -> Block:
        """The title of the step and its number."""
        asked = self.asked
        if asked is None:
            return Words(self.docks[0].panel.title if self.docks else "", "heading")
        number = _number_of(asked)
        if self._is_pressed:
            number = "Measuring…" if asked.waits else "The last step"
        return in_row((GROW, FIT), Words(_title_of(asked), "heading"), Words(number, "lead", across=1.0))

    def _words_page(self) -> Block:
        """The words of the step, or its question where that stands over no view, then what is right."""
        asked = self.asked
        if asked is None:
            return flow.paragraph(self.docks[0].panel.subtitle if self.docks else "", "lead", "text", 0.5)
        step = asked.step
        if _is_beyond(asked):
            return Space()
        if step.question is not None and (asked.is_told if asked.answer else not self._veils):
            return room_block(asked)
        return Column(tuple(flow.paragraph(asked.said(line), "lead", "text", 0.5) for line in step.words.split("\n")))

    def go_on(self) -> None:
        """First the answer, as soon as it is measured, then what follows; before that, what was black is seen again."""
        asked = self.asked
        if self.shade.is_black:
            self._shade_by("is_black")
        elif asked is None:
            self._window.playback.toggle()
        elif asked.waits or asked.place + 1 == len(asked.talk.questions):
            self._is_pressed = True
            self._follow()
        else:
            self.go_to(asked.place + 1)

    def _answer(self, asked: Asked) -> None:
        """Show what is right."""
        self._is_pressed = False
        before = self.model.state.views.lessons.answers
        self.model.set(**asked.answered(asked.key))
        self._given |= {*self.model.state.views.lessons.answers} - {*before}

    def go_to(self, place: int) -> None:
        """Show a step of the talk, from 0, or a question beyond the last one; nothing happens where there is none."""
        asked, panel = self.asked, self._made("lessons").panel
        if asked is None or not 0 <= place < len(asked.talk.questions) or not isinstance(panel, LessonsPanel):
            return
        self._is_pressed, last = False, len(asked.talk.steps) - 1
        self._beyond = max(place - last, 0)
        if not self._beyond:
            panel.show_step(with_step(asked.state, asked.talk, place))
        self._follow()

    def _acts(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key does here, None for nothing."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            larger = dict.fromkeys((Qt.Key.Key_Plus, Qt.Key.Key_Equal), _BY_KEY)
            factor = {**larger, Qt.Key.Key_Minus: 1 / _BY_KEY}.get(Qt.Key(event.key()))
            return None if factor is None else partial(self._resize, factor)
        acts: dict[int, Callable[[], object]] = {
            **dict.fromkeys((Qt.Key.Key_Escape, Qt.Key.Key_F5), self.leave),
            **dict.fromkeys((Qt.Key.Key_B, Qt.Key.Key_Period), partial(self._shade_by, "is_black")),
            Qt.Key.Key_R: partial(self._shade_by, "has_ring"),
            Qt.Key.Key_F: self._freeze,
            Qt.Key.Key_N: self._toggle_notes,
            Qt.Key.Key_Space: self.go_on,
        }
        if (asked := self.asked) is not None:
            acts |= dict.fromkeys(_ON, self.go_on)
            acts |= dict.fromkeys(_BACK, partial(self.go_to, asked.place - 1))
            acts[Qt.Key.Key_Home] = partial(self.go_to, 0)
        return acts.get(event.key())

    def _resize(self, factor: float) -> None:
        self._by = min(max(self._by * factor, 0.6), 2.0)
        self._fitting.start()

    def _shade_by(self, name: str) -> None:
        setattr(self.shade, name, not getattr(self.shade, name))
        self.shade.at = QPointF(self.shade.mapFromGlobal(QCursor.pos()))
        self.shade.update()
        self._look()

    def _freeze(self) -> None:
        """With a second screen: let the room go on seeing what it sees now, or see all again."""
        if self.speaker is not None and self.speaker.isWindow():
            self.shade.frozen = self.grab() if self.shade.frozen is None else None
            self.shade.update()
            self._look()

    def _look(self) -> None:
        """Show the speaker what the room sees, or would see."""
        if self.speaker is not None:
            self.shade.is_looked_through = True
            frozen = "What the room sees" if self.shade.frozen is None else "Frozen: the room does not see this yet"
            self.speaker.caption = "Black: the room sees nothing" if self.shade.is_black else frozen
            wide = round(_PICTURE_SHARE * self.speaker.width() * self.devicePixelRatio())
            seen = self.grab().toImage()
            self.speaker.picture = seen.scaledToWidth(wide, Qt.TransformationMode.SmoothTransformation)
            self.speaker.update()
            self.shade.is_looked_through = False

    def _show_pointer(self, *, is_shown: bool = False) -> None:
        self.hiding.stop()
        if is_shown and QApplication.overrideCursor() is not None:
            QApplication.restoreOverrideCursor()
        elif not is_shown:
            QApplication.setOverrideCursor(Qt.CursorShape.BlankCursor)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What comes to the window before any of its parts gets it, and keys of the notes."""
        if isinstance(event, QMouseEvent) and watched.isWindowType():
            self._show_pointer(is_shown=True)
            self.hiding.start()
            if self.shade.has_ring:
                self.shade.move_ring(event.position())
        elif isinstance(event, QKeyEvent) and event.type() in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride):
            act = None if isinstance(QApplication.focusWidget(), QLineEdit) else self._acts(event)
            if act is not None:
                event.accept()
                if event.type() == QEvent.Type.KeyPress:
                    act()
            return act is not None
        return False

    def _toggle_notes(self) -> None:
        """On one screen the notes stand in place of the views."""
        if self.speaker is None and self.asked is not None:
            self._show_speaker(None)
        elif self.speaker is not None and not self.speaker.isWindow():
            self._close_speaker()

    def _close_speaker(self) -> None:
        if self.speaker is not None:
            self.speaker.close()
            self.speaker.deleteLater()
            self.speaker = None

    def _show_speaker(self, place: QRect | None) -> None:
        """Show the notes over a screen of their own, or over the views."""
        self.speaker = SpeakerView(self, self._window if place is None else None)
        dress(self.speaker, self._window.theme)
        if place is not None:
            self.speaker.setGeometry(place)
            self.speaker.setWindowState(Qt.WindowState.WindowFullScreen)
        self.speaker.show()
        self._lie_over()
        self._follow()
