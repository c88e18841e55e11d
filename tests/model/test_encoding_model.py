"""The one model: what it announces, and how its changes are undone."""

import random
import sys
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import QCoreApplication, QObject

from pe_desktop.core import Encoding, SinusoidalEncoding
from pe_desktop.core.cursor import Cursor, Preview, Span, full_span
from pe_desktop.core.presets import PRESETS, formulas_of, presets_of
from pe_desktop.core.state import STATE_NAMES, State, assignments_of, state_of, text_of, with_encoding
from pe_desktop.model.encoding_model import MERGE_SECONDS, MOST_STEPS, EncodingModel, Turns
from pe_desktop.model.findings import REST_SECONDS
from pe_desktop.model.playback import Playback
from pe_desktop.panels.parameters_panel import _sentence_of


def test_each_change_is_announced_once_with_its_value(model, measured):
    heard = measured(model)
    changes = (
        partial(model.set, base=500.0),
        partial(model.move_cursor, position=2.0),
        partial(model.move_cursor, offset=-3.0, pair=7),
        partial(model.set, span=Span(10.0, 20.0)),
    )
    for n_heard, change in enumerate(changes, 1):
        change()
        assert (len(heard), heard[-1]) == (n_heard, ("state_changed", model.state))
    model.set_preview(Preview(5.0, 2.0))
    model.set_preview(None)
    assert heard[4:] == [("preview_changed", Preview(5.0, 2.0)), ("preview_changed", None)]
    assert (model.encoding.base, model.cursor, model.span) == (500.0, Cursor(2.0, -3.0, 7), Span(10.0, 20.0))


def test_equal_values_are_not_announced(model, measured):
    model.set_preview(Preview(5.0, 2.0))
    heard = measured(model)
    model.set_state(with_encoding(model.state, SinusoidalEncoding()), "encoding")
    model.move_cursor()
    model.move_cursor(position=37.0, offset=8, pair=4, pinned_pairs=(0, 4, 8))
    model.set(span=full_span(128))
    model.set(span=Span(-50.0, 500.0))
    model.set_preview(Preview(5.0, 2.0))
    assert not model.set_parameter("base", "10 000")
    assert not model.set_parameter("position", "37")
    assert heard == []
    assert model.analysis is not None


@pytest.mark.parametrize(
    ("name", "typed"),
    [("d_model", "7"), ("base", "ten thousand"), ("layout", "shuffled"), ("position", "128"), ("colour", "red")],
)
def test_a_refused_value_keeps_the_state_announces_nothing_and_says_why_in_one_sentence(model, measured, name, typed):
    heard = measured(model)
    before = (model.encoding, model.cursor, model.span, model.analysis)
    refusal = model.set_parameter(name, typed)
    assert (model.encoding, model.cursor, model.span, model.analysis) == before
    assert heard == []
    assert refusal.startswith(name)
    assert "\n" not in refusal


def test_a_cursor_that_leaves_the_table_stops_at_its_edge(model):
    model.move_cursor(position=1e9, offset=1e9, pair=99)
    assert model.cursor == Cursor(127.0, 10_000_000.0, 15)
    model.move_cursor(position=-0.5, offset=-1e9, pair=-1)
    assert model.cursor == Cursor(0.0, -10_000_000.0, 0)


def test_cursor_and_span_already_fit_when_another_encoding_is_announced(model):
    model.move_cursor(position=100.0, pair=15)
    model.set(span=Span(90.0, 110.0))
    seen = []

    def on_state_changed(state):
        seen.append((state.encoding, model.encoding, model.cursor, model.span, model.analysis))

    model.state_changed.connect(on_state_changed)
    small = SinusoidalEncoding(n_positions=50, d_model=4)
    model.set_state(with_encoding(model.state, small), "encoding")
    assert seen == [(small, small, Cursor(49.0, 8.0, 1, (0, 1)), Span(29.5, 49.5), None)]


def test_a_span_that_shows_everything_goes_on_to_do_so_and_a_part_stays_while_the_table_holds_it(model):
    for n_positions in (1, 60, 10_000_000, 128):
        model.set(n_positions=n_positions)
        assert model.span == full_span(n_positions)
    model.set(span=Span(20.0, 40.0))
    for n_positions, span in ((41, Span(20.0, 40.0)), (10_000_000, Span(20.0, 40.0)), (31, Span(10.5, 30.5))):
        model.set(n_positions=n_positions)
        assert model.span == span


def test_the_analysis_of_another_encoding_is_its_own_from_the_first_news_to_the_last(model, measured, qtbot):
    measured(model)
    told = []
    model.set(n_positions=77, d_model=6)
    told.append(model.analysis)
    model.findings.changed.connect(lambda: told.append(model.analysis))
    qtbot.waitUntil(lambda: not model.is_measuring)
    assert told[-1].is_complete
    known = [some for some in told if some is not None]
    assert {one.basis.n_all for some in known for one in some.measurements if one.key == "deterministic"} == {77}
    counts = [len(some.measurements) for some in known]
    assert counts == sorted(counts)


def test_an_encoding_is_not_measured_while_its_slider_is_held_however_slow_the_hand(model, measured, qtbot):
    measured(model)
    model.begin_step()
    for base in (500.0, 600.0):
        model.set(base=base)
        qtbot.wait(round(3000 * REST_SECONDS))
        assert (model.analysis, model.is_measuring) == (None, True)
    model.end_step()
    qtbot.waitUntil(lambda: not model.is_measuring)
    assert model.analysis.is_complete


def test_a_pair_without_values_waits_for_a_preset_that_has_them(model) -> None:
    assert model.cursor.pair == 4
    model.set(preset="counter")
    assert model.cursor.pair == 0
    model.set(preset="binary")
    assert model.cursor.pair == 0
    model.set(preset="paper")
    assert model.cursor.pair == 4
    # Who goes elsewhere meanwhile stays there.
    model.set(preset="counter")
    model.move_cursor(pair=2)
    model.set(preset="paper")
    assert model.cursor.pair == 2


def test_a_change_of_the_width_builds_two_encodings_at_most_however_often_its_preset_is_asked_for(model, monkeypatch):
    built = []

    def count(kind) -> None:
        check = kind.__post_init__

        def checked(encoding) -> None:
            built.append(encoding)
            check(encoding)

        monkeypatch.setattr(kind, "__post_init__", checked)

    def look(encoding) -> None:
        for _ in range(3):
            assert model.preset in presets_of(encoding)
            assert formulas_of(encoding, model.preset)
            assert _sentence_of(encoding, model.preset)

    look(model.encoding)
    count(Encoding)
    count(SinusoidalEncoding)
    model.state_changed.connect(lambda state: look(state.encoding))
    assert not model.set_parameter("d_model", "64")
    assert 1 <= len(built) <= 2


def test_every_second_turn_of_the_event_loop_does_one_piece_in_order_and_each_once(qapp: QCoreApplication) -> None:
    called: list[str] = []
    turns = Turns(qapp)
    pieces = [partial(called.append, name) for name in ("first", "second", "third")]
    # One that waits already keeps its place; a piece may add another, and itself.
    for piece in (pieces[0], partial(turns.add, pieces[2]), pieces[1], pieces[0]):
        turns.add(piece)
    assert called == []
    after_each = []
    while turns.is_busy:
        QCoreApplication.processEvents()
        after_each.append(len(called))
    assert called == ["first", "second", "third"]
    assert all(later - sooner <= 1 for sooner, later in zip([0, 0, *after_each], after_each, strict=False))
    # Cleared, it does nothing.
    turns.add(pieces[0])
    turns.clear()
    for _ in range(3):
        QCoreApplication.processEvents()
    assert (turns.is_busy, len(called)) == (False, 3)


CALLS = 1000
# Counts move a little by themselves; a reference that is lost or kept at each call moves them by CALLS.
SLACK = 50


class Echo(QObject):
    """A slot that answers None and True to Qt."""

    n_answers = 0

    def on_asked(self, value: object) -> object:
        self.n_answers += 1
        return value


def test_announcements_and_playing_keep_the_counts(model, clock, qtbot):
    # Nothing runs beside the test, and steps of undo, which refer to None, are one.
    qtbot.waitUntil(lambda: not model.is_measuring)
    model.begin_step()
    playback, echo = Playback(model, clock), Echo()
    for signal in (model.state_changed, model.preview_changed):
        signal.connect(echo.on_asked)

    def change(number):
        model.move_cursor(position=float(number % 100))
        model.set(span=Span(number % 50, 100.0))
        model.set_preview(None)
        model.set_preview(Preview(1.0))
        model.set_parameter("d_model", "7")
        playback.play()
        clock.now += 0.01
        playback.advance()
        playback.set("loops", number % 2 == 0)
        playback.pause()

    # The first thousand fill what is kept.
    for number in range(CALLS):
        change(number)
    before = sys.getrefcount(None), sys.getrefcount(True)
    for number in range(CALLS):
        change(number)
    after = sys.getrefcount(None), sys.getrefcount(True)
    assert max(abs(after[0] - before[0]), abs(after[1] - before[1])) < SLACK
    assert echo.n_answers >= 9 * CALLS


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
        lambda: model.set(preset="counter"),
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
        model.note(front=front)
    assert (announced, model.undo_names) == ([replace(State(), views=replace(State().views, front=front))], ())


# What is typed for any name of the state; most names take a few of them.
TYPED = ("2", "64", "512.5", "-3", "linear", "gray", "1 2 30", "7..31.5", "all", "true", "false", "cosine", "algebra")


def random_change(model: EncodingModel, luck: random.Random) -> None:
    """One of the things a person can do, or one that is refused."""
    changes = (
        lambda: model.set(preset=luck.choice([*PRESETS])),
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
    model.note(front=("rotation",))
    model.undo()
    assert (model.encoding.d_model, model.state.views.front) == (32, ("rotation",))
    model.redo()
    assert (model.encoding.d_model, model.state.views.front) == (64, ("rotation",))
    model.set(front=("properties",))
    model.undo()
    assert model.state.views.front == ("rotation",)
