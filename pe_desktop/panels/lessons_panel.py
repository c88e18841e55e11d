"""Lessons: the list of talks, and the step of one that is seen beside the plots."""

import math
from functools import partial
from operator import attrgetter
from random import randrange
from typing import ClassVar

from PySide6.QtCore import QEasingCurve, Qt, QTimer, QVariantAnimation
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from pe_desktop.core.state import State, value_of, with_name
from pe_desktop.languages import keep, told
from pe_desktop.lessons.quiz import NEW
from pe_desktop.lessons.scores import note_answers
from pe_desktop.lessons.shelf import talk_named
from pe_desktop.lessons.shown import is_asked, new_ticks, open_talk, place_of, with_answer, with_step
from pe_desktop.lessons.talks import LETTERS, PREFIX, Move, Talk
from pe_desktop.panels.controls.buttons import PushButton, acting
from pe_desktop.panels.controls.layouts import filled
from pe_desktop.panels.gestures import Changes, Drag
from pe_desktop.panels.scene_panel import DeclaredPanel

# Numbers move to those of the next step.
_STEP_MILLISECONDS = 240
# The pixels that the words of the button to the next step have, beside the longer words of the other one fewer.
# What a button has around its words.
_AROUND_WORDS = 28
# How many quizzes there are to draw from.
_SEEDS = 10_000
# What moves on the way; all else changes at once.
_MOVED = ("position", "offset")
# The step that is seen, and what was answered: what moves ends where it is undone.
_SEEN = attrgetter("views.lessons.talk", "views.lessons.step", "views.lessons.answers")


class LessonsPanel(DeclaredPanel):
    """A press on a talk or a step shows its state, one step of undo; an answer lifts what was covered."""

    key = "lessons"
    keys: ClassVar = {
        "A to F, 1 to 6": "Choose an answer",
        "Enter": "The next step, or the answer that was placed",
        "Backspace": "The step before",
    }
    is_workspace: ClassVar[bool] = True

    def make(self) -> None:
        super().make()
        self.back = acting(PushButton("Back", self), partial(self._go, -1), "The step before")
        self.following = acting(PushButton("Next", self), self._on_next)
        self.following.setDefault(True)
        # Its words are shortened to what "Back" leaves.
        self.following.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._foot = QWidget()
        ways = self.back, self.following
        self._ways = filled(QHBoxLayout(self._foot), *ways, margins=(16, 6, 16, 8), wide=self.following)
        self.column.removeWidget(self._row)
        self._row.setContentsMargins(16, 0, 10, 0)
        for row in (self._row, self._foot):
            self.column.addWidget(row)
        self._animation = QVariantAnimation(self)
        self._animation.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.valueChanged.connect(self._on_moved)
        self._animation.finished.connect(self._on_landed)
        # Whether it moves to a step, whose own moves come after that.
        self._is_arriving = False
        self._from: dict[str, float] = {}
        self._to: dict[str, float] = {}
        self._moves_in: tuple[object, ...] = ()
        self._answered: tuple[str, ...] = self.model.state.views.lessons.answers

    def changes_of(self, drag: Drag) -> Changes:
        return self._taken(super().changes_of(drag))

    def _taken(self, changes: Changes) -> Changes:
        """Show the step that changes name, and give what else they change."""
        if not {"lessons.talk", "lessons.step"} & {*changes}:
            return changes
        key = changes.get("lessons.talk", self.model.state.views.lessons.talk)
        seed = randrange(_SEEDS)  # noqa: S311 - of questions
        talk = talk_named(f"{PREFIX}{seed}" if key == NEW else key)
        if talk is None:
            return changes
        self.show_step(with_step(self.model.state, talk, int(changes["lessons.step"]) - 1))
        return {}

    def show_step(self, state: State) -> None:
        """Show the state of a step; what is where t and k stand moves there, where a person allows motion."""
        self._stop()
        before = self.model.state
        self.playback.pause()
        self.model.begin_step()
        self.model.set_state(state, "lessons.step")
        self._is_arriving = True
        start, goal = ({name: value_of(one, name) for name in _MOVED} for one in (before, state))
        self._animate(start, goal, _STEP_MILLISECONDS)

    def _animate(self, start: dict[str, float], goal: dict[str, float], milliseconds: int) -> None:
        moved = {name for name, value in start.items() if value != goal[name]}
        if not moved or self.playback.is_reduced or not self._allows({name: start[name] for name in moved}, goal):
            self.model.note(**goal)
            self._on_landed()
            return
        self._from = {name: start[name] for name in moved}
        self._to = {name: goal[name] for name in moved}
        self._moves_in = _SEEN(self.model.state)
        self.model.note(**self._from)
        # Another duration would at once tell of where the last move ended.
        self._animation.setCurrentTime(0)
        self._animation.setDuration(milliseconds)
        self._animation.start()

    @property
    def _moves(self) -> bool:
        """Whether the step itself changes something: that ticks nothing."""
        return self._is_arriving or self._animation.state() == QVariantAnimation.State.Running

    def _allows(self, start: dict[str, float], goal: dict[str, float]) -> bool:
        """Whether what moves may stand between: words of a sentence have whole places, and few."""
        try:
            for name, first in start.items():
                with_name(with_name(self.model.state, name, first), name, first + (goal[name] - first) / math.e)
        except ValueError:
            return False
        return True

    def _on_landed(self) -> None:
        self.model.end_step()
        if self._is_arriving:
            self._is_arriving = False
            self._move_soon()

    def _stop(self) -> None:
        """Be where what moves is going to, without what would move then."""
        self._is_arriving = False
        if self._animation.state() == QVariantAnimation.State.Running:
            self._animation.setCurrentTime(self._animation.duration())

    def _on_moved(self, share: float) -> None:
        if _SEEN(self.model.state) != self._moves_in:
            self._animation.stop()
            self._is_arriving = False
            self.model.end_step()
            return
        at = {name: first + share * (self._to[name] - first) for name, first in self._from.items()}
        # The step, or the answer, is what undo takes back.
        self.model.note(**(self._to if share >= 1.0 else at))

    def show_choices(self) -> None:
        is_typed = self.control_set.fields["lessons.guess"].hasFocus()
        super().show_choices()
        state = self.model.state
        talk = talk_named(state.views.lessons.talk)
        self._foot.setVisible(talk is not None)
        if talk is None or not state.views.lessons.is_open:
            return
        self._show_ways(talk, place_of(state, talk))
        ticks = new_ticks(state, talk, place_of(state, talk))
        if ticks != state.views.lessons.ticks and not self._moves:
            self.model.note(**{"lessons.ticks": ticks})
        answers, self._answered = self._answered, state.views.lessons.answers
        if len(self._answered) > len(answers):
            if is_typed:
                self.canvas.setFocus()
            # Once all know of the answer.
            QTimer.singleShot(0, self, self._move_soon)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.is_made:
            self.show_choices()

    def _show_ways(self, talk: Talk, place: int) -> None:
        """What the buttons lead to: the next step waits for an answer."""
        waits = is_asked(self.model.state, talk, place)
        is_last = place == len(talk.steps) - 1
        following = "All lessons" if is_last else f"Next: {talk.steps[place + 1].title}"
        words = told("Answer to go on" if waits else following)
        self.back.setText("Back" if place else "All lessons")
        self._ways.activate()
        room = self.following.width() - _AROUND_WORDS
        shown = self.following.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room)
        self.following.setText(keep(shown))
        self.following.setAccessibleName(words)
        self.following.setEnabled(not waits)

    def _on_next(self) -> None:
        self._go(1)

    def _go(self, by: int) -> None:
        """Show a step before or after this one; beyond both ends stands the list."""
        talk = open_talk(self.model.state)
        step = 0 if talk is None else place_of(self.model.state, talk) + 1 + by
        if talk is not None and 1 <= step <= len(talk.steps):
            self._taken({"lessons.step": step})
        else:
            self.model.set(**{"lessons.talk": ""})

    def refresh(self) -> None:
        view = self.model.state.views.lessons
        talk = talk_named(view.talk)
        if talk is not None and talk.key.startswith(PREFIX) and view.answers:
            note_answers(self.model.state, talk)
        super().refresh()
        self.show_choices()

    def _move_soon(self) -> None:
        """Let move what a step moves once it is seen, or answered."""
        talk = open_talk(self.model.state)
        place = 0 if talk is None else place_of(self.model.state, talk)
        if talk is None or is_asked(self.model.state, talk, place):
            return
        moves = [move for move in talk.steps[place].moves if move.name in _MOVED]
        if moves and self._animation.state() != QVariantAnimation.State.Running:
            self._move(moves)

    def _move(self, moves: list[Move]) -> None:
        start = {move.name: value_of(self.model.state, move.name) for move in moves}
        self.model.begin_step()
        self._animate(start, {move.name: move.to for move in moves}, round(1000 * max(move.seconds for move in moves)))

    def key_changes(self, key: str) -> Changes | None:
        state = self.model.state
        talk, guess = open_talk(state), state.views.lessons.guess
        if talk is None:
            return None
        place = place_of(state, talk)
        question, is_enter = talk.steps[place].question, key in ("Return", "Enter")
        if question is not None and is_asked(state, talk, place):
            letter = LETTERS["123456".index(key)] if key in "123456" else key.lower()
            answer = letter if letter in LETTERS[: len(question.answers)] else guess if is_enter else ""
            return {"lessons.answers": with_answer(state, place + 1, answer)} if answer else None
        if is_enter and place + 1 < len(talk.steps):
            return self._taken({"lessons.step": place + 2})
        if key == "Backspace" and place:
            return self._taken({"lessons.step": place})
        return None
