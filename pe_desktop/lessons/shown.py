"""The step of a talk that a state shows: which one, what was answered in it, and the state that shows another one."""

from dataclasses import replace
from functools import reduce
from operator import attrgetter

from pe_desktop.core.state import State, with_name
from pe_desktop.lessons.shelf import talk_named
from pe_desktop.lessons.talks import Step, Talk


def place_of(state: State, talk: Talk) -> int:
    """The place of the step that is seen, from 0; the last one where a talk has fewer."""
    return min(state.views.lessons.step, len(talk.steps)) - 1


def answer_of(state: State, step: int) -> str:
    """What was answered in a step, counted from 1; "" for nothing."""
    given = dict(one.split(":", 1) for one in state.views.lessons.answers)
    return given.get(str(step), "")


def with_answer(state: State, step: int, answer: str) -> tuple[str, ...]:
    """The answers of a state with another one."""
    others = tuple(one for one in state.views.lessons.answers if not one.startswith(f"{step}:"))
    return (*others, f"{step}:{answer}")


def with_step(state: State, talk: Talk, place: int) -> State:
    """The state of a step, with what was answered in the talk so far."""
    target = talk.states[place]
    before = state.views.lessons
    is_same = before.talk == talk.key
    lessons = replace(
        before,
        is_open=True,
        talk=talk.key,
        step=place + 1,
        guess="",
        answers=before.answers if is_same else (),
        ticks=before.ticks if is_same else (),
    )
    front = talk.steps[place].views or target.views.front
    return replace(target, views=replace(target.views, lessons=lessons, front=front), sizes=state.sizes)


def new_ticks(state: State, talk: Talk, place: int) -> tuple[str, ...]:
    """What was tried so far in a talk, with that which the state shows to be done."""
    step, at = talk.steps[place], talk.states[place]
    moved = reduce(lambda found, move: with_name(found, move.name, move.to), step.moves, at)
    is_answered = step.question is None or bool(answer_of(state, place + 1))
    tries = enumerate(step.tries, start=1) if is_answered else ()
    done = [f"{place + 1}.{number}" for number, one in tries if one.is_done(state, at) and one.is_done(state, moved)]
    return tuple(dict.fromkeys((*state.views.lessons.ticks, *done)))


def step_of(state: State) -> Step | None:
    """The step that stands beside the plots; None where no talk is open."""
    view = state.views.lessons
    talk = talk_named(view.talk) if view.is_open else None
    return None if talk is None else talk.steps[place_of(state, talk)]


def pointed_at(state: State) -> tuple[str, ...]:
    """The names of the places that the step points at, until anything but its answers and ticks is changed."""
    talk = talk_named(state.views.lessons.talk) if state.views.lessons.is_open else None
    if talk is None or not talk.steps[place_of(state, talk)].places:
        return ()
    at, parts = with_step(state, talk, place_of(state, talk)), attrgetter("encoding", "cursor", "attention")
    views = replace(state.views, lessons=at.views.lessons, front=at.views.front)
    return talk.steps[place_of(state, talk)].places if (views, parts(state)) == (at.views, parts(at)) else ()


def veiled(state: State) -> tuple[str, ...]:
    """The panels that are covered until the question is answered."""
    step = step_of(state)
    if step is None or step.question is None or answer_of(state, state.views.lessons.step):
        return ()
    return step.veils
