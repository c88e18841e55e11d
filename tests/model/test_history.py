"""Undo and redo: every change of state is a step, what belongs together is one, and nothing is lost by any of them."""

import random
from dataclasses import replace

import pytest

from pe_desktop.core.cursor import Span
from pe_desktop.core.presets import PRESETS
from pe_desktop.core.state import STATE_NAMES, State, assignments_of, state_of, text_of
from pe_desktop.model.encoding_model import MERGE_SECONDS, MOST_STEPS, EncodingModel


@pytest.fixture
def model(qapp, clock):
    model = EncodingModel(clock=clock)
    yield model
    model.close()


def test_each_kind_of_change_is_undone_and_redone(model, clock):
    changes = [
        lambda: model.set(base=500.0),
        lambda: model.move_cursor(position=3.0),
        lambda: model.set(span=Span(2.0, 9.0)),
        lambda: model.set(**{"similarity.measure": "distance", "matrix.is_transposed": True}),
        lambda: model.choose("counter"),
        lambda: model.set_state(state_of({"d_model": "8", "clock.mode": "each"}), "session"),
        lambda: model.set_parameter("rotation.page", "algebra"),
        lambda: model.set(**{"compare.is_open": "true"}),
    ]
    states = [model.state]
    for change in changes:
        change()
        clock.now += 2 * MERGE_SECONDS
        assert model.state != states[-1]
        states.append(model.state)
    for state in reversed(states[:-1]):
        model.undo()
        assert model.state == state
    model.undo()
    assert (model.state, model.undo_names) == (states[0], ())
    for state in states[1:]:
        model.redo()
        assert model.state == state
    assert model.redo_names == ()


def test_what_is_dragged_is_one_step(model):
    before = model.state
    model.set_held(True)
    for position in range(40, 90):
        model.move_cursor(pair=position % 7)
        model.move_cursor(position=float(position))
    model.set_held(False)
    model.set(base=300.0)
    model.undo()
    assert model.cursor.position == 89.0
    assert {*model.undo_names} == {"position", "pair"}
    model.undo()
    assert (model.state, model.undo_names) == (before, ())


def test_quick_changes_of_one_name_are_one_step_and_slow_ones_are_not(model, clock):
    for base in (200, 300, 400):
        model.set(base=base)
        clock.now += MERGE_SECONDS / 2
    clock.now += 2 * MERGE_SECONDS
    model.set(base=500)
    model.undo()
    assert model.encoding.parameters["base"] == 400
    model.undo()
    assert (model.encoding.parameters["base"], model.undo_names) == (10_000, ())


def test_a_change_after_undo_forgets_what_could_be_redone(model, clock):
    model.set(base=200)
    model.undo()
    assert model.redo_names == ("base",)
    model.move_cursor(position=1.0)
    assert model.redo_names == ()
    model.redo()
    assert model.cursor.position == 1.0


def test_a_thousand_steps_are_kept_and_no_more(model, clock):
    for number in range(MOST_STEPS + 5):
        model.move_cursor(position=float(number % 100 + 0.5))
        clock.now += 2 * MERGE_SECONDS
    n_undone = 0
    while model.undo_names:
        model.undo()
        n_undone += 1
    assert (n_undone, model.cursor.position) == (MOST_STEPS, 4.5)


def test_a_refused_change_an_equal_one_and_raised_panels_are_no_steps(model):
    assert model.set_parameter("d_model", "7")
    assert model.set_parameter("similarity.measure", "angle")
    assert model.set_parameter("theta", "1")
    model.set(base=10_000)
    model.move_cursor(position=37.0)
    # Of several names all are taken or none.
    with pytest.raises(ValueError, match="d_model must be even"):
        model.set(base=200, d_model=7)
    front, announced = ("properties", "matrix"), list[State]()
    model.state_changed.connect(announced.append)
    for _ in range(2):
        model.raise_panels(front)
    assert (announced, model.undo_names) == ([replace(State(), views=replace(State().views, front=front))], ())


# What is typed for any name of the state; most names take a few of them.
TYPED = ("2", "64", "512.5", "-3", "linear", "gray", "1 2 30", "7..31.5", "all", "true", "false", "cosine", "algebra")


def random_change(model: EncodingModel, luck: random.Random) -> None:
    """One of the things a person can do, or one that is refused."""
    changes = (
        lambda: model.choose(luck.choice([*PRESETS])),
        lambda: model.set_held(luck.random() < 0.5),
        *[lambda: model.set_parameter(luck.choice([*STATE_NAMES]), luck.choice(TYPED))] * 6,
    )
    luck.choice(changes)()


@pytest.mark.parametrize("seed", range(3))
def test_random_walks_are_undone_to_the_start_and_redone_to_the_end(model, clock, seed):
    luck = random.Random(seed)
    first = model.state
    for _ in range(400):
        random_change(model, luck)
        clock.now += luck.choice([0.1, 5.0])
        # Every state can be written down and read again.
        assert (
            state_of({name: text_of(name, value) for name, value in assignments_of(model.state).items()}) == model.state
        )
    model.set_held(False)
    last = model.state
    while model.undo_names:
        model.undo()
    assert model.state == first
    while model.redo_names:
        model.redo()
    assert model.state == last


def test_undo_and_redo_leave_a_pressed_tab_in_front_unless_the_step_raised_panels(model):
    model.set(d_model=64)
    model.raise_panels(("rotation",))
    model.undo()
    assert (model.encoding.d_model, model.state.views.front) == (32, ("rotation",))
    model.redo()
    assert (model.encoding.d_model, model.state.views.front) == (64, ("rotation",))
    model.set(front=("properties",))
    model.undo()
    assert model.state.views.front == ("rotation",)
