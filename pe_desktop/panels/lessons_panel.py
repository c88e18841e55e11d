"""Lessons: the list of talks, and the step of one that is seen beside the plots."""

from functools import partial
from operator import attrgetter

from PySide6.QtCore import QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QWidget

from pe_desktop.core.state import State, value_of
from pe_desktop.languages import keep, told
from pe_desktop.lessons.numbers import Answered, seen
from pe_desktop.lessons.quiz import NEW, drawn_quiz
from pe_desktop.lessons.scores import DONE, note_answers
from pe_desktop.lessons.shelf import talk_named
from pe_desktop.lessons.shown import new_ticks, with_step
from pe_desktop.lessons.talks import LETTERS, PREFIX
from pe_desktop.panels.controls.buttons import PushButton, acting
from pe_desktop.panels.controls.layouts import filled
from pe_desktop.panels.gestures import Changes, Drag
from pe_desktop.panels.glide import Glide, Leg
from pe_desktop.panels.scene_panel import DeclaredPanel
from pe_desktop.views.controls import Press
from pe_desktop.views.lessons.questions import by_key

# Numbers move to those of the next step.
_STEP_MILLISECONDS = 240
# What a button has around its words.
_AROUND_WORDS = 28
# What moves on the way; all else changes at once.
_MOVED = ("position", "offset")
_MOVED_BY_STEPS = (*_MOVED, "pair")
_SEEN = ("views.lessons.talk", "views.lessons.step", "views.lessons.answers")


class LessonsPanel(DeclaredPanel):
    """A press on a talk or a step shows its state, one step of undo; an answer lifts what was covered."""

    key = "lessons"

    def make(self) -> None:
        super().make()
        self.back = acting(PushButton("Back", self), partial(self._go, -1), "The step before")
        self.following = acting(PushButton("Next", self), partial(self._go, 1))
        self.following.setDefault(True)
        # Its words are shortened to what "Back" leaves.
        self.following.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._foot = QWidget()
        ways = self.back, self.following
        self._ways = filled(QHBoxLayout(self._foot), *ways, margins=(16, 6, 16, 8), wide=self.following)
        self._row.setContentsMargins(16, 0, 10, 0)
        for row in (self._row, self._foot):
            self.column.removeWidget(row)
            self.column.addWidget(row)
        # What moves ends where the step, or the answer, is undone.
        self._glide = Glide(self.model, self.playback, attrgetter(*_SEEN))
        self._answered: tuple[str, ...] = self.model.state.views.lessons.answers

    def changes_of(self, drag: Drag) -> Changes:
        return self._taken(super().changes_of(drag))

    def _taken(self, changes: Changes) -> Changes:
        """Show the step that changes name, and give what else they change."""
        if not {"lessons.talk", "lessons.step"} & {*changes}:
            return changes
        key = changes.get("lessons.talk", self.model.state.views.lessons.talk)
        talk = drawn_quiz() if key == NEW else talk_named(key)
        if talk is None:
            return changes
        self.show_step(with_step(self.model.state, talk, int(changes["lessons.step"]) - 1))
        return {}

    def show_again(self) -> None:
        """Show the step of a talk that was closed, in whose place others may have been seen since."""
        asked = seen(self.model.state)
        if asked is not None:
            self.show_step(with_step(asked.state, asked.talk, asked.place))

    def show_step(self, state: State) -> None:
        """Show the state of a step; where t and k stand moves there, then as the step says, where motion is allowed."""
        self._glide.end()
        start, goal = ({name: value_of(one, name) for name in _MOVED} for one in (self.model.state, state))
        self.playback.pause()
        self.model.begin_step()
        self.model.set_state(state, "lessons.step")
        self._glide.run((start, goal, _STEP_MILLISECONDS), *self._moves())
        self.model.end_step()

    def _moves(self) -> list[Leg]:
        """What a step moves once it is seen, or answered."""
        asked = seen(self.model.state)
        moves = () if asked is None or asked.waits else asked.step.moves
        moves = tuple(move for move in moves if move.name in _MOVED_BY_STEPS)
        start = {move.name: value_of(self.model.state, move.name) for move in moves}
        longest = max((move.seconds for move in moves), default=0.0)
        return [(start, {move.name: move.to for move in moves}, round(1000 * longest))] if moves else []

    def _on_answered(self) -> None:
        if not self._glide.is_moving:
            self._glide.run(*self._moves())

    def show_choices(self) -> None:
        is_typed = self.control_set.fields["lessons.guess"].hasFocus()
        super().show_choices()
        view, asked = self.model.state.views.lessons, seen(self.model.state)
        self._foot.setVisible(asked is not None)
        if asked is None:
            return
        self._show_ways(asked)
        ticks = new_ticks(asked.state, asked.talk, asked.place)
        if ticks != view.ticks and not self._glide.is_moving:
            self.model.note(**{"lessons.ticks": ticks})
        before, self._answered = self._answered, view.answers
        if len(self._answered) > len(before):
            if is_typed:
                self.canvas.setFocus()
            # Once all know of the answer.
            QTimer.singleShot(0, self, self._on_answered)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.show_choices()

    def _show_ways(self, asked: Answered) -> None:
        """What the buttons lead to, in the first words that have room: the next step waits for an answer."""
        waits, titles = asked.waits, [step.title for step in asked.following]
        forms = ["Answer to go on", "Next"] if waits else [*(f"Next: {title}" for title in titles), *titles, "Next"]
        words = [*map(told, forms if waits or titles else ["All lessons"])]
        self.back.setText("Back" if asked.place else "All lessons")
        self._ways.activate()
        wide, room = self.following.fontMetrics().horizontalAdvance, self.following.width() - _AROUND_WORDS
        self.following.setText(keep(next((one for one in words if wide(one) <= room), words[-1])))
        self.following.setAccessibleName(words[0])
        self.following.setEnabled(not waits)

    def _go(self, by: int) -> None:
        """Show a step before or after this one; beyond both ends stands the list."""
        held, asked = QApplication.focusWidget(), seen(self.model.state)
        if asked is not None and 0 <= asked.place + by < len(asked.talk.steps):
            self._taken({"lessons.step": asked.place + 1 + by})
        else:
            self.model.set(**{"lessons.talk": ""})
            self._mark_left(asked)
        # Other plots may have taken the keyboard.
        stays = held in (self.back, self.following) and held.isVisible() and held.isEnabled()
        (held if stays and held is not None else self.canvas).setFocus()

    def _on_pressed(self, control: Press) -> None:
        asked = seen(self.model.state)
        super()._on_pressed(control)
        self._mark_left(asked)

    def _mark_left(self, asked: Answered | None) -> None:
        """Bring the keyboard to a talk that was left for the list."""
        if asked is not None and self.isVisible() and not self.model.state.views.lessons.talk:
            self.canvas.setFocus()
            QTimer.singleShot(0, self, partial(self.canvas.mark, asked.talk.title, shows_focus=False))

    def refresh(self) -> None:
        asked = seen(self.model.state)
        if asked is not None and asked.talk.key.startswith(PREFIX):
            # Answers are taken back, too: by undo, or as those of a room.
            if self._answered or asked.state.views.lessons.answers:
                note_answers(asked.state, asked.talk)
        elif asked is not None and not asked.following and not asked.waits:
            DONE[asked.talk.key] = None
        super().refresh()
        self.show_choices()

    def key_changes(self, key: str) -> Changes | None:
        asked, changes = seen(self.model.state), by_key(self.model.state, key)
        if asked is None or changes is not None:
            return changes
        field, question = self.control_set.fields["lessons.guess"], asked.talk.questions[asked.place]
        if question is not None and key.lower() in [*LETTERS[: len(question.answers)]]:
            # An answer that was given stays; the letter opens no room.
            return {}
        if field.isVisible() and key in [*"0123456789-."]:
            field.setFocus()
            field.selectAll()
            field.insert(key)
        elif key in ("Return", "Enter") and not asked.waits:
            self._go(1)
        elif key == "Backspace" and asked.place:
            self._go(-1)
        else:
            return None
        return {}
