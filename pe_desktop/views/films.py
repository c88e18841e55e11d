"""Films of heads that learn: the questions that train them, and what is read of a film at the step that is seen."""

from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from typing import Any, Final

from pe_desktop.core.encoding import Floats
from pe_desktop.core.learning.run import Run, learning_refusal
from pe_desktop.core.learning.shown import run_of, scheme_title
from pe_desktop.core.learning.training import Film, Turns, accuracies, looks, train, turns
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw.number_text import fixed, whole
from pe_desktop.model.findings import Answers, Question, Questions, Task

# The share of right answers from which on a task counts as learned: halfway from guessing where there are two answers.
LEARNED: Final = {"copy": 0.5, "first": 0.75, "repeat": 0.5}
# From this share on it is learned well, below it in part.
LEARNED_WELL: Final = 0.9


@record
class Seen:
    """A head at a checkpoint of its film: equal where run and checkpoint are."""

    run: Run
    place: int
    film: Film = field(compare=False, repr=False)

    @property
    def title(self) -> str:
        """What its scheme is called."""
        return scheme_title(self.run.scheme)

    @property
    def step(self) -> int:
        """After which step it is."""
        return int(self.film.steps[self.place])

    @property
    def accuracy(self) -> float:
        """On sentences of the trained length."""
        return float(self.film.accuracy[self.place])


def runs_of(state: State) -> tuple[Run, ...]:
    """What is trained, that of the scheme that is seen first; nothing before Train was pressed."""
    view = state.views.learn
    if not view.trains or learning_refusal(state.encoding):
        return ()
    schemes = sorted(view.schemes, key=lambda scheme: scheme != view.scheme)
    return tuple(run_of(state, scheme) for scheme in schemes)


def film_question(run: Run, *, is_seen: bool = False) -> Question:
    """The film of a run; others wait for one that is seen."""
    title = f"Training {scheme_title(run.scheme)}"
    return Question(f"learn-{run.scheme}", _film, (run,), rank=1 if is_seen else 2, title=title)


def _film(run: Run, task: Task) -> Film:
    return train(run, task, task.tell)


def film_questions(state: State) -> Questions:
    """The films of all that is trained."""
    seen = state.views.learn.scheme
    return tuple(film_question(run, is_seen=run.scheme == seen) for run in runs_of(state))


def seen_of(state: State, answers: Answers, scheme: str = "") -> Seen | None:
    """A scheme, by default the one that is seen, at the step that is seen; None where nothing of it is trained."""
    run = _run_of(state, scheme)
    film: Film | None = None if run is None else answers.answer(film_question(run))
    return None if film is None else Seen(film.run, film.place_of(state.views.learn.step), film)


def _run_of(state: State, scheme: str = "") -> Run | None:
    scheme = scheme or state.views.learn.scheme
    return next((run for run in runs_of(state) if run.scheme == scheme), None)


def every_seen(state: State, answers: Answers) -> Mapping[str, Seen]:
    """What is known of each scheme that is trained, at the step that is seen."""
    found = {scheme: seen_of(state, answers, scheme) for scheme in state.views.learn.schemes}
    return {scheme: seen for scheme, seen in found.items() if seen is not None}


def film_now(state: State, answers: Answers) -> tuple[int, int, tuple[tuple[str, str], ...]]:
    """The step of the film that is seen, how many are done, and what is read there, each with what it is called."""
    view = state.views.learn
    seen = seen_of(state, answers)
    shown = ("Shown", scheme_title(view.scheme))
    if seen is None:
        return 0 if view.step < 0 else view.shown_step, 0, (shown,)
    film = seen.film
    step = film.n_done if view.step < 0 else view.shown_step
    first = _right_from(film)
    from_step = f"step {first}" if first is not None else "never" if film.is_whole else "not yet"
    half = "Half right" if LEARNED[seen.run.task] == LEARNED["copy"] else "¾ right"
    return step, film.n_done, (shown, ("Accuracy", percent(seen.accuracy)), (half, from_step))


def curve_words(state: State, answers: Answers, name: str, step: int) -> str:
    """What the loss, or the accuracy when it was tested last, is after a step, a line for each scheme."""
    what = ": −ln of the share of the right word, in nats" if name == "loss" else ""
    lines = [f"step {whole(step)}{what}"]
    for seen in every_seen(state, answers).values():
        film = seen.film
        if step <= film.n_done:
            accuracy = percent(float(film.accuracy[film.place_of(step)]))
            lines.append(f"{seen.title} {fixed(film.loss[step - 1], 2) if name == 'loss' else accuracy}")
    return "\n".join(lines)


def removed_questions(state: State) -> Questions:
    """The accuracies of the head that is seen after positions were taken from it at its end, where it has some."""
    run = _run_of(state)
    if run is None or run.scheme_at(run.n_total) == "none":
        return ()
    return (Question("positions taken away", _removed, (run,), rank=3),)


def _removed(run: Run, task: Task) -> Any:
    return accuracies(train(run, task), -1, has_positions=False)


# Six schemes at each checkpoint of 400 steps.
@lru_cache(maxsize=512)
def looks_of(seen: Seen) -> tuple[Floats, Floats]:
    """Where a head looks: mean weights by places back, mean scores by offset."""
    return looks(seen.film, seen.place)


@lru_cache(maxsize=8)
def turns_of(seen: Seen) -> Turns | None:
    """What its hands have learned; None for a scheme without hands."""
    return turns(seen.film, seen.place)


def _right_from(film: Film) -> int | None:
    """The first step after which a task counts as learned; None for one that does not."""
    least = LEARNED[film.run.task]
    return next((int(step) for step, share in zip(film.steps, film.accuracy, strict=True) if share >= least), None)


def percent(share: float) -> str:
    """A share as a person reads it: 100 %, 99.6 %, 17 %."""
    value = 100.0 * share
    return f"{value:.1f} %" if 99.0 < value < 99.95 else f"{value:.0f} %"
