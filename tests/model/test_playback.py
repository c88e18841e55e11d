"""Playback: the position follows elapsed time, whatever the number of frames."""

import math

import pytest

from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import with_encoding
from pe_desktop.model.playback import SHARE_OF_VIEW, Playback
from tests.tables import table

# Frames as a busy machine draws them, in seconds.
UNEVEN_FRAMES = (0.016, 0.017, 0.2, 0.004, 0.051, 0.9, 0.033, 0.016)


@pytest.fixture
def open_player(make_model, clock):
    """Opens a playback over a table of N positions at a position: open_player(1000, 3.0)."""
    players = []

    def open_now(n_positions=5_000, position=37.0, loops=True):
        model = make_model(SinusoidalEncoding(n_positions=n_positions, d_model=4), Cursor(position=position))
        players.append(Playback(model, clock))
        players[-1].set("loops", loops)
        return model, players[-1]

    yield open_now
    for player in players:
        player.pause()


def advance(playback, clock, frames):
    """Let frames of these lengths pass; the positions after each."""
    positions = []
    for seconds in frames:
        clock.now += seconds
        playback.advance()
        positions.append(playback.parent().cursor.position)
    return positions


def count(playback):
    """A list that grows with every announcement: whether it plays then."""
    changes = []
    playback.changed.connect(lambda: changes.append(playback.is_playing))
    return changes


@pytest.mark.parametrize("speed", [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0])
def test_position_follows_elapsed_time_at_four_positions_a_second_times_the_speed(open_player, clock, speed):
    model, playback = open_player(position=36.5)
    playback.set("speed", speed)
    playback.play()
    advance(playback, clock, UNEVEN_FRAMES * 20)
    assert model.cursor.position == pytest.approx(36.5 + 4 * speed * math.fsum(UNEVEN_FRAMES * 20), rel=0, abs=1e-9)


def test_a_computer_that_slept_moves_by_one_second_and_paused_time_does_not_count(open_player, clock):
    _, playback = open_player()
    playback.play()
    positions = advance(playback, clock, [3600.0, 0.5])
    playback.pause()
    clock.now += 0.75
    playback.play()
    positions += advance(playback, clock, [0.25])
    assert positions == pytest.approx([41.0, 43.0, 44.0], rel=0, abs=1e-9)


@pytest.mark.parametrize(("n_positions", "start", "loops", "seconds", "end"), table("model/loops"))
def test_looping_goes_on_after_the_last_position_and_without_it_playing_stops_there(
    open_player, clock, n_positions, start, loops, seconds, end
):
    model, playback = open_player(n_positions, start, loops)
    playback.play()
    changes = count(playback)
    advance(playback, clock, seconds)
    assert model.cursor.position == pytest.approx(end, rel=0, abs=1e-9)
    assert (playback.is_playing, changes) == ((False, [False]) if end == n_positions - 1 else (True, []))
    playback.step(1)
    assert model.cursor.position == min(math.floor(end) + 1, n_positions - 1)


@pytest.mark.parametrize("speed", [0.25, 16.0])
def test_by_the_share_of_the_view_a_second_crosses_a_sixteenth_of_it(open_player, clock, speed):
    model, playback = open_player()
    playback.set("rate", SHARE_OF_VIEW)
    playback.set("speed", speed)
    model.set(span=Span(1000.0, 1480.0))
    assert playback.positions_per_second == pytest.approx(30 * speed)
    playback.play()
    advance(playback, clock, [0.75])
    assert model.cursor.position == pytest.approx(37.0 + 30 * speed * 0.75, rel=0, abs=1e-9)


@pytest.mark.parametrize(("speed", "per_second"), [(0.25, 1), (0.5, 2), (16.0, 2)])
def test_reduced_motion_shows_whole_positions_and_at_most_two_a_second(open_player, clock, speed, per_second):
    _, playback = open_player()
    _, short = open_player(4, 0.4)
    for player in (playback, short):
        player.set("motion", "reduced")
        player.set("speed", speed)
        player.play()
    positions = advance(playback, clock, [1 / 64] * 64 * 5)
    assert positions == [37.0 + frame * per_second // 64 for frame in range(1, 64 * 5 + 1)]
    # From a fraction it goes to whole ones, and loops over them.
    assert {*advance(short, clock, [1 / 64] * 64 * 4)} <= {0.0, 0.4, 1.0, 2.0}
    assert short.is_playing


@pytest.mark.parametrize(
    ("start", "step", "end"),
    [(37.0, -1, 36.0), (36.5, 1, 37.0), (36.5, 10, 46.0), (36.5, -10, 27.0), (0.3, -1, 0.0), (0.0, -1, 0.0),
     (126.5, 1, 127.0), (127.0, 10, 127.0)],
)  # fmt: skip
def test_a_step_goes_to_the_next_whole_position_and_pauses(open_player, start, step, end):
    model, playback = open_player(128, start)
    if start < 127.0:
        playback.play()
    playback.step(step)
    assert (model.cursor.position, playback.is_playing) == (end, False)


@pytest.mark.parametrize(
    ("position", "seconds", "expected"), [(37.0, 0.1, 37.0), (37.0, 0.2, 38.0), (4998.7, 0.01, 4999.0)]
)
def test_pausing_comes_to_rest_at_the_nearest_whole_position(open_player, clock, position, seconds, expected):
    model, playback = open_player(position=position)
    playback.toggle()
    advance(playback, clock, (seconds,))
    assert model.cursor.position != expected
    playback.toggle()
    assert (model.cursor.position, playback.is_playing) == (expected, False)


def test_a_change_is_announced_exactly_when_something_changes(open_player):
    _, playback = open_player()
    changes = count(playback)
    for name, value in {"speed": 2.0, "loops": False, "rate": SHARE_OF_VIEW, "motion": "reduced"}.items():
        playback.set(name, value)
        playback.set(name, value)
    settings = (playback.speed, playback.loops, playback.rate, playback.is_reduced)
    assert (settings, changes) == ((2.0, False, SHARE_OF_VIEW, True), [False] * 4)
    for call in (playback.play, playback.play, playback.pause, playback.pause, playback.toggle):
        call()
    playback.step(1)
    playback.step(1)
    assert (playback.speed, changes[4:]) == (2.0, [True, False, True, False])


def test_playing_goes_on_in_a_table_that_becomes_shorter(open_player, clock):
    model, playback = open_player(1000, 500.0)
    playback.play()
    model.set_state(with_encoding(model.state, SinusoidalEncoding(n_positions=11, d_model=4)), "encoding")
    advance(playback, clock, [0.5])
    assert model.cursor.position == pytest.approx(2.0, rel=0, abs=1e-9)
    assert playback.is_playing


def test_while_nobody_sees_it_no_timer_runs_and_then_it_goes_on_by_the_clock(open_player, clock, qtbot):
    model, playback = open_player(position=0.0)
    seen = [False]
    playback.is_seen = lambda: seen[0]
    playback.play()
    qtbot.waitUntil(lambda: not playback._timer.isActive())
    assert (playback.is_playing, model.cursor.position) == (True, 0.0)
    clock.now += 100.0
    seen[0] = True
    playback.wake()
    assert (playback._timer.isActive(), model.cursor.position) == (True, 400.0)


def test_in_real_time_it_moves_by_itself(make_model, qtbot):
    model = make_model(SinusoidalEncoding(n_positions=1000))
    playback = Playback(model)
    playback.play()
    qtbot.waitUntil(lambda: model.cursor.position > 37.1)
    playback.pause()
    rest = model.cursor.position
    qtbot.wait(50)
    assert model.cursor.position == rest


@pytest.mark.parametrize(("speed", "is_reduced", "seconds"), [(1.0, False, 1.0), (2.0, False, 0.5), (4.0, True, 0.5)])
def test_while_a_sentence_leads_each_word_is_shown_as_long_as_the_others(
    open_player, clock, speed, is_reduced, seconds
):
    model, playback = open_player(loops=True)
    model.set(**{"attention.is_open": True, "position": 2.0})
    playback.set("speed", speed)
    playback.set("motion", "reduced" if is_reduced else "normal")
    playback.play()
    words = [(2 + int(frame * 0.25 / seconds + 1e-9)) % 5 for frame in range(1, 41)]
    assert advance(playback, clock, [0.25] * 40) == words
    playback.set("loops", False)
    advance(playback, clock, [0.25] * 40)
    assert (model.cursor.position, playback.is_playing) == (4.0, False)
    playback.play()
    assert model.cursor.position == 0.0


@pytest.mark.parametrize(("speed", "is_reduced", "wanted"), [(1.0, False, 40), (2.0, False, 80), (1.0, True, 40)])
def test_a_film_is_played_in_ten_seconds_and_t_stays(open_player, clock, speed, is_reduced, wanted):
    model, playback = open_player(loops=False)
    model.set(front="learn")
    t = model.cursor.position
    playback.set("speed", speed)
    playback.set("motion", "reduced" if is_reduced else "normal")
    playback.play()
    assert model.state.views.learn.step == 0
    steps = []
    for _ in range(10):
        advance(playback, clock, [0.1])
        steps.append(model.state.views.learn.step)
    assert steps[-1] == pytest.approx(wanted, abs=1)
    # With reduced motion it is seen at twenty of its steps.
    assert not is_reduced or {step % 20 for step in steps} == {0}
    for _ in range(100):
        advance(playback, clock, [0.1])
    assert (model.state.views.learn.step, playback.is_playing, model.cursor.position) == (400, False, t)
