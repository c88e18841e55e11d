"""A lecture: one or two views over the whole screen, one sentence, the keys of a clicker, notes for the speaker."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, Qt, QTimer, QTimerEvent
from PySide6.QtGui import QCursor, QGuiApplication, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.draw.canvas import USED_BY_KEYS
from pe_desktop.draw.theme import Themed
from pe_desktop.languages import told
from pe_desktop.lessons.numbers import curve_of, right_answer
from pe_desktop.lessons.shown import is_asked, open_talk, place_of, veiled, with_answer, with_step
from pe_desktop.lessons.talks import LETTERS, Question, Talk
from pe_desktop.panels.controls.layouts import filled, label
from pe_desktop.panels.lessons_panel import LessonsPanel
from pe_desktop.panels.scene_panel import dress
from pe_desktop.views.lessons.questions import N_POINTS, amount, numbers_question
from pe_desktop.views.lessons.words import Said
from pe_desktop.window.dock import PanelDock
from pe_desktop.window.main_window import PLOTS, MainWindow
from pe_desktop.window.stage import Stage

# By how much a key makes all larger or smaller.
_BY_KEY: Final = 1.15
# The sizes of words in pixels in the smallest room, and where the style sheet has them.
_TITLE, _WORDS = 34, 22
_LETTERS: Final = """*[role="lecture-title"] {{ font-size: {}px }} *[role="lecture"] {{ font-size: {}px }}
    *[role="veil"] {{ font-size: {}px; font-weight: 400 }}"""
# Shares of the width beside each other: a dial is as high as it is wide.
_SHARES: Final = {"clock": 2}
_USUAL_SHARE: Final = 3
_ON = (Qt.Key.Key_Space, Qt.Key.Key_PageDown, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return)
_BACK = (Qt.Key.Key_PageUp, Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Backspace)
_RING, _RING_WIDTH = 34.0, 4.0
# The pointer leaves after so long, and what the speaker sees of the room is so old at most.
_POINTER_MILLISECONDS, _PICTURE_MILLISECONDS = 3000, 250
# How much of the width, in percent, what the speaker sees of the room has, and the pixels around it.
_PICTURE_SHARE, _AROUND_PICTURE = 58, 80
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
            if self.is_black:
                painter.fillRect(self.rect(), Qt.GlobalColor.black)
                return
            if self.frozen is not None and not self.is_looked_through:
                painter.drawPixmap(0, 0, self.frozen)
            if self.has_ring:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(self.theme.focus, _RING_WIDTH))
                painter.drawEllipse(self.at, _RING, _RING)


class SpeakerView(QFrame):
    """What only the speaker sees: the room, what comes next, notes, the time since the start, the clock, the steps.

    On one screen it stands in place of the views.
    """

    def __init__(self, presenter: "Presenter", parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAutoFillBackground(True)
        self.setWindowTitle("Notes")
        self._presenter = presenter
        self.installEventFilter(presenter)
        self._picture, self._caption, self._time = QLabel(), label("", "lecture"), label("", "lecture")
        self._talk, self._title, self._next = (label("", "lecture-title", wraps=True) for _ in range(3))
        self._notes, keys = (label(words, "lecture", wraps=True) for words in ("", _KEYS))
        # The numbers of the steps with their titles, to be pressed.
        self._steps = QLabel(wordWrap=True)
        self._steps.setProperty("role", "lecture")
        self._steps.linkActivated.connect(self._on_step)
        ways, said = _card(self._steps, None, keys), _card(self._title, 8, self._notes, None)
        left = filled(QVBoxLayout(), _card(self._picture, self._caption), ways, spacing=16, wide=ways)
        right = filled(QVBoxLayout(), _card(self._next), said, spacing=16, wide=said)
        body = filled(QHBoxLayout(), spacing=16)
        for column, share in ((left, _PICTURE_SHARE), (right, 100 - _PICTURE_SHARE)):
            body.addLayout(column, share)
        head = filled(QHBoxLayout(), self._talk, self._time, wide=self._talk)
        filled(QVBoxLayout(self), head, body, margins=(32, 24, 32, 24), spacing=16, wide=body)
        self.startTimer(1000)
        self.timerEvent()

    def _on_step(self, number: str) -> None:
        self._presenter.go_to(int(number))

    def show_step(self, talk: Talk, place: int, notes: str, following: str) -> None:
        """Show where a talk is: the place of its step, what to say, what comes next."""
        self._talk.setText(talk.title)
        self._title.setText(f"{place + 1}  {told(talk.steps[place].title)}")
        self._notes.setText(notes)
        self._next.setText(f"Next: {following}" if following else "The last step")
        shown = []
        for number, step in enumerate(talk.steps):
            words = f"{number + 1}&nbsp; {escape(told(step.title))}"
            link = f"<a href='{number}' style='color: {self._presenter.shade.theme.text2.name()}'>{words}</a>"
            shown.append(f"<b>{words}</b>" if number == place else link)
        self._steps.setText(" &nbsp; &nbsp; ".join(shown))

    def show_room(self, picture: QPixmap, caption: str) -> None:
        """Show a small picture of the room's screen."""
        wide = round(_PICTURE_SHARE / 100 * self.width()) - _AROUND_PICTURE
        self._picture.setPixmap(picture.scaledToWidth(wide, Qt.TransformationMode.SmoothTransformation))
        self._caption.setText(caption)

    def timerEvent(self, event: QTimerEvent | None = None) -> None:
        seconds = round(time.monotonic() - self._presenter.started)
        self._time.setText(f"Since the start {seconds // 60}:{seconds % 60:02}, now {time.strftime('%H:%M')}")


def _card(*parts: QWidget | int | None) -> QFrame:
    """Parts of the notes below each other in a frame."""
    card = QFrame()
    card.setProperty("role", "card")
    filled(QVBoxLayout(card), *parts, margins=(20, 16, 20, 16), spacing=10)
    return card


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
        self.started = 0.0
        self.speaker: SpeakerView | None = None
        self._title, self._number = label("", "lecture-title"), label("", "lecture")
        self._sentence = QLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self._sentence.setProperty("role", "lecture")
        self._sentence.setTextFormat(Qt.TextFormat.RichText)
        head = filled(QHBoxLayout(), self._title, None, self._number)
        self._views = filled(QHBoxLayout(), spacing=24)
        rows = head, self._views, self._sentence, self.foot
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
    def _talk(self) -> Talk | None:
        return open_talk(self._window.model.state)

    @property
    def _place(self) -> int:
        talk = self._talk
        return 0 if talk is None else place_of(self._window.model.state, talk)

    def _is_asked(self, talk: Talk) -> bool:
        """Whether the step waits for its answer."""
        return is_asked(self._window.model.state, talk, self._place)

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
        self.cover()
        self.setFocus()
        self._follow()
        for screen in QGuiApplication.screens():
            if screen is not window.screen() and self._talk is not None and self.speaker is None:
                self._show_speaker(screen.geometry())
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
        self.shade.is_black, self.shade.frozen = False, None
        self._close_speaker()
        window.is_presented = False
        self.uncover()
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
        views, talk = self._window.model.state.views, self._talk
        if talk is None:
            return [self._alone]
        step = talk.steps[self._place]
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
        zoom = self.words_zoom
        sizes = [round(pixels * zoom) for pixels in (_TITLE, _WORDS, _WORDS)]
        for part in filter(None, (self, self.speaker)):
            part.setStyleSheet(_LETTERS.format(*sizes))
        super().fit()

    def _follow(self) -> None:
        """Show the step that is seen now: its views, its title and sentence."""
        if not self.isVisible():
            return
        state, talk = self._window.model.state, self._talk
        self._hold(self._keys())
        covered = veiled(state)
        for dock in self.docks:
            dock.set_veiled(dock.kind.key in covered)
        if talk is None:
            panel = self.docks[0].panel
            self._title.setText(panel.title)
            self._sentence.setText(escape(told(panel.subtitle)))
            self._number.setText("")
        else:
            self._show_step(talk)
        shown = self.docks, self._place, covered
        if shown != self._fitted:
            self._fitted = shown
            self._fitting.start()
        if self.speaker is not None and not self._looking.isActive():
            self._looking.start()

    def _show_step(self, talk: Talk) -> None:
        place = self._place
        step = talk.steps[place]
        asked = numbers_question(talk, place)
        self._window.model.findings.ask("lecture", (asked,))
        said = Said(self._window.model.findings.answer(asked))
        self._title.setText(step.title)
        self._number.setText(f"{place + 1} of {len(talk.steps)}")
        veils = [dock.veil for dock in self.docks if dock.veil is not None]
        words = escape(said(step.words)).replace("\n", "<br>")
        if step.question is not None and not self._is_asked(talk):
            words = self._told_words(step.question, said) or words
        elif step.question is not None:
            question = _asked(step.question, said, is_block=bool(veils))
            shows = f"<p><small>{told('Space shows it')}</small></p>"
            words = words if veils else question
            for number, veil in enumerate(veils):
                veil.setText("?" if number else question + shows)
        self._sentence.setText(words)
        if self.speaker is not None:
            following = told(talk.steps[place + 1].title) if place + 1 < len(talk.steps) else ""
            if self._is_asked(talk) and said.numbers is not None:
                following = f"{told('the answer')}, {self._answer(talk).upper()}"
            self.speaker.show_step(talk, place, said(step.notes or step.words), following)

    def _told_words(self, question: Question, said: Said) -> str:
        """The answers with the right one marked, and its reason; nothing before they are measured."""
        if said.numbers is None:
            return ""
        right = right_answer(question, said.numbers)
        if right is not None:
            good, other = (self._window.theme.ok.name(), self._window.theme.text3.name())
            answers = _asked(question, said, colors=[good if n == right else other for n in range(6)], right=right)
            return f"<small>{answers}</small><br>{escape(said(question.answers[right].why or question.why))}"
        key = f"<b>{told(amount(question, said.numbers[question.key]))}</b><br>" if question.kind != "curve" else ""
        return f"{key}{escape(said(question.why))}"

    def _answer(self, talk: Talk) -> str:
        """What is right in the step, as an answer is kept."""
        place = self._place
        question = talk.steps[place].question
        numbers = self._window.model.findings.answer(numbers_question(talk, place))
        assert question is not None
        right = right_answer(question, numbers)
        if right is not None:
            return LETTERS[right]
        if question.kind == "curve":
            return " ".join(f"{one:.4g}" for one in curve_of(question, talk, place, N_POINTS))
        return f"{numbers[question.key]:.6g}"

    def go_on(self) -> None:
        """First the answer, once it is measured, then the next step; before that, what was black is seen again."""
        model, talk = self._window.model, self._talk
        if self.shade.is_black:
            self._shade_by("is_black")
        elif talk is None:
            self._window.playback.toggle()
        elif not self._is_asked(talk):
            self.go_to(self._place + 1)
        elif model.findings.is_known(numbers_question(talk, self._place)):
            model.set(**{"lessons.answers": with_answer(model.state, self._place + 1, self._answer(talk))})

    def go_to(self, place: int) -> None:
        """Show a step of the talk, from 0; nothing happens where there is none."""
        talk, panel = self._talk, self._made("lessons").panel
        if talk is not None and 0 <= place < len(talk.steps) and isinstance(panel, LessonsPanel):
            panel.show_step(with_step(self._window.model.state, talk, place))

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
        if self._talk is not None:
            acts |= dict.fromkeys(_ON, self.go_on)
            acts |= dict.fromkeys(_BACK, partial(self.go_to, self._place - 1))
            acts[Qt.Key.Key_Home] = partial(self.go_to, 0)
        return acts.get(event.key())

    def _resize(self, factor: float) -> None:
        self._by = min(max(self._by * factor, 0.6), 2.0)
        self._fitting.start()

    def _shade_by(self, name: str) -> None:
        setattr(self.shade, name, not getattr(self.shade, name))
        self.shade.at = QPointF(self.shade.mapFromGlobal(QCursor.pos()))
        self.shade.update()

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
            caption = "What the room sees" if self.shade.frozen is None else "Frozen: the room does not see this yet"
            self.speaker.show_room(self.grab(), caption)
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
        if self.speaker is None:
            self._show_speaker(None)
        elif not self.speaker.isWindow():
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


def _asked(
    question: Question, said: Said, *, is_block: bool = False, colors: Sequence[str] = (), right: int = -1
) -> str:
    """A question with its answers below each other or in a row; with colours these alone, the right one marked."""
    answers = []
    for number, one in enumerate(question.answers):
        mark = "✓ " if number == right else ""
        words = f"{mark}<b>{LETTERS[number].upper()}</b>&nbsp;&nbsp;{escape(said(one.text))}"
        answers.append(f"<span style='color: {colors[number]}'>{words}</span>" if colors else words)
    listed = ("<br>" if is_block else " &nbsp; &nbsp; &nbsp;").join(answers)
    asked = "" if colors else f"<b>{escape(said(question.text))}</b>"
    between = "<br><br>" if is_block else "<br>"
    return f"{asked}{between}{listed}" if asked and listed else asked or listed
