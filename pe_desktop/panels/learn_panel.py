"""Learn: a head is trained, stopped and reset, and its film is played."""

from pe_desktop.core.learning import run
from pe_desktop.core.learning.training import forget
from pe_desktop.core.state import with_name
from pe_desktop.draw.scene import Place
from pe_desktop.languages import leave
from pe_desktop.panels.scene_panel import DeclaredPanel
from pe_desktop.views.controls import WORDS, Number, Press
from pe_desktop.views.films import curve_words, film_questions, runs_of

_TRAIN, _STOP, _RESET = "Train", "Stop", "Reset"
_AGAIN, _ON = "Train again", "Go on"


class LearnPanel(DeclaredPanel):
    """Train computes all ticked schemes, one after another; a press shows a scheme, a drag in the curves the step."""

    key = "learn"
    card_controls = tuple(Number(**row) for row in WORDS["learn"]["card"])

    def make(self) -> None:
        super().make()
        leave(run.WORDS)
        button = self.control_set.widgets[_TRAIN]
        button.setText(_AGAIN)  # type: ignore[attr-defined] # a button's
        # The others stay in their places whatever it says.
        button.setMinimumWidth(button.sizeHint().width())

    def show_choices(self) -> None:
        super().show_choices()
        # After the controls, which enable what the state allows.
        self.follow_progress()

    def follow_progress(self) -> None:
        """The rows of the schemes tell how far they are: the buttons say what can be done."""
        # The cursor alone changes how many places back the word stands.
        self.control_set.show_state(self.model.state)
        findings, films = self.model.findings, film_questions(self.model.state)
        n_known = sum(map(findings.is_known, films))
        is_stopped = any(map(findings.is_stopped, films))
        is_training = n_known < len(films) and not is_stopped
        says = _ON if is_stopped else _AGAIN if films and not is_training else _TRAIN
        train, stop, reset = (self.control_set.widgets[name] for name in (_TRAIN, _STOP, _RESET))
        train.setText(says)  # type: ignore[attr-defined] # a button's
        train.setEnabled(bool(self.model.state.views.learn.schemes) and not is_training)
        stop.setEnabled(is_training)
        reset.setEnabled(bool(films))

    def tooltip_at(self, place: Place | None, x: float, y: float) -> str:
        if place is None or place.name not in ("accuracy", "loss"):
            return super().tooltip_at(place, x, y)
        step = place.changes(x, y)["learn.step"]
        return curve_words(self.model.state, self.model.findings, place.name, step)

    def _on_pressed(self, control: Press) -> None:
        state, findings = self.model.state, self.model.findings
        questions = self.questions()
        if control.text == _RESET:
            # The films are kept: they come back where this is undone.
            self.model.set(**{"learn.trains": False, "learn.step": -1})
        elif control.text == _STOP or any(map(findings.is_stopped, questions)):
            findings.set_stopped(questions, is_stopped=control.text == _STOP)
        else:
            view = state.views.learn
            shown = view.scheme if view.scheme in view.schemes else view.schemes[0]
            state = with_name(state, "learn.trains", True)
            for one in runs_of(state):
                forget(one)
            findings.forget(self.view.questions(state))
            self.model.set(**{"learn.trains": True, "learn.step": -1, "learn.scheme": shown})
        self.canvas.setFocus()
