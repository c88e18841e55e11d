"""The step of a talk that a state shows: which one, what was answered in it, and the state that shows another one."""

from dataclasses import replace
from functools import reduce
from operator import attrgetter

from pe_desktop.core.state import State, with_name
from pe_desktop.lessons.shelf import talk_named
from pe_desktop.lessons.talks import LETTERS, Step, Talk


def place_of(state: State, talk: Talk) -> int:
    """The place of the step that is seen, from 0; the last one where a talk has fewer."""
    return min(state.views.lessons.step, len(talk.steps)) - 1


def answer_of(state: State, talk: Talk, place: int) -> str:
    """What was answered to a question of the talk, from 0; "" for nothing, or for what is no answer to it."""
    question = talk.questions[place]
    given = dict(one.split(":", 1) for one in state.views.lessons.answers).get(str(place + 1), "")
    if question is None or not given:
        return ""
    if question.kind == "choose":
        return given if given in LETTERS[: len(question.answers)] else ""
    is_one = question.kind == "curve" or len(given.split()) == 1
    return given if is_one and given not in LETTERS else ""


def is_asked(state: State, talk: Talk, place: int) -> bool:
    """Whether a question waits for its answer."""
    return talk.questions[place] is not None and not answer_of(state, talk, place)


def with_answer(state: State, number: int, answer: str) -> tuple[str, ...]:
    """The answers of a state with another one, to a question of the talk, from 1."""
    others = tuple(one for one in state.views.lessons.answers if not one.startswith(f"{number}:"))
    return (*others, f"{number}:{answer}")


def with_step(state: State, talk: Talk, place: int) -> State:
    """The state of a step, with what was answered in the talk so far."""
    target = talk.states[place]
    before = state.views.lessons
    kept = before if before.talk == talk.key else replace(before, answers=(), ticks=())
    lessons = replace(kept, is_open=True, talk=talk.key, step=place + 1, guess="")
    front = talk.steps[place].views or target.views.front
    return replace(target, views=replace(target.views, lessons=lessons, front=front), sizes=state.sizes)


def with_moves(state: State, step: Step) -> State:
    """The state after what moves in a step."""
    return reduce(lambda found, move: with_name(found, move.name, move.to), step.moves, state)


def new_ticks(state: State, talk: Talk, place: int) -> tuple[str, ...]:
    """What was tried so far in a talk, with that which the state shows to be done."""
    step, at = talk.steps[place], talk.states[place]
    moved = with_moves(at, step)
    tries = () if is_asked(state, talk, place) else enumerate(step.tries, start=1)
    done = [f"{place + 1}.{number}" for number, one in tries if one.is_done(state, at) and one.is_done(state, moved)]
    return tuple(dict.fromkeys((*state.views.lessons.ticks, *done)))


def open_talk(state: State) -> Talk | None:
    """The talk that stands beside the plots; None where none is open."""
    return talk_named(state.views.lessons.talk) if state.views.lessons.is_open else None


def step_of(state: State) -> Step | None:
    """The step that stands beside the plots; None where no talk is open."""
    talk = open_talk(state)
    return None if talk is None else talk.steps[place_of(state, talk)]


def waiting(state: State) -> tuple[Talk, int] | None:
    """The question that waits beside the plots: that of the step, at the end of a talk those of the clicker."""
    talk = open_talk(state)
    if talk is None:
        return None
    seen, last = place_of(state, talk), len(talk.steps) - 1
    places = (seen, *(range(last + 1, len(talk.questions)) if seen == last else ()))
    return next(((talk, place) for place in places if is_asked(state, talk, place)), None)


def pointed_at(state: State) -> tuple[str, ...]:
    """The names of the places that the step points at, until anything but its answers and ticks is changed."""
    talk, step = open_talk(state), step_of(state)
    if talk is None or step is None or not step.places:
        return ()
    at, parts = with_step(state, talk, place_of(state, talk)), attrgetter("encoding", "cursor", "attention")
    views = replace(state.views, lessons=at.views.lessons, front=at.views.front)
    return step.places if (views, parts(state)) == (at.views, parts(at)) else ()


def veiled(state: State) -> tuple[str, ...]:
    """The panels that are covered until the question of the step is answered."""
    asked = waiting(state)
    return () if asked is None or asked[1] >= len(asked[0].steps) else asked[0].steps[asked[1]].veils
