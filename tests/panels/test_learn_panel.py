"""Learn: training is begun, stopped, gone on with and forgotten, and the transport plays its film."""

import numpy as np
import pytest
from PySide6.QtTest import QTest

from pe_desktop.core.learning.run import Run
from pe_desktop.core.learning.shown import scheme_title
from pe_desktop.core.learning.training import Film, forget, train
from pe_desktop.panels.learn_panel import LearnPanel
from pe_desktop.panels.transport_panel import TransportPanel
from pe_desktop.views.films import film_now, film_question, percent, runs_of, seen_of
from tests.panels.conftest import LEFT, place_of

SHORT = {"front": "learn", "learn__steps": 40, "learn__schemes": "additive rope", "d_model": 8}


@pytest.fixture
def panel(open_panel):
    """Learn with two schemes of 40 steps, not trained yet."""
    shown = open_panel(LearnPanel, 900, 700, **SHORT)
    for scheme in ("additive", "rope"):
        forget(Run(encoding=shown.model.encoding, scheme=scheme, n_steps=40))
    return shown


def press(panel: LearnPanel, text: str) -> None:
    """Press a button of the row above the page."""
    QTest.mouseClick(panel.control_set.widgets[text], LEFT)


def trained(panel: LearnPanel, qtbot) -> list[Film]:
    """The films once all is trained, that of the scheme that is seen first."""
    qtbot.waitUntil(lambda: not panel.model.findings.is_busy(panel.key), timeout=20_000)
    return [panel.model.findings.answer(film_question(run)) for run in runs_of(panel.model.state)]


def step(panel: LearnPanel) -> int:
    """The step that is seen."""
    return film_now(panel.model.state, panel.model.findings)[0]


def test_one_press_trains_all_ticked_schemes_and_the_curves_are_those_of_the_core(panel, qtbot) -> None:
    assert seen_of(panel.model.state, panel.model.findings) is None
    press(panel, "Train")
    films = {film.run.scheme: film for film in trained(panel, qtbot)}
    assert {*films} == {"additive", "rope"}
    for film in films.values():
        assert film.is_whole
        assert np.array_equal(film.loss, train(film.run).loss)
    assert panel.control_set.widgets["Train"].text() == "Train again"
    for name in ("loss", "accuracy"):
        place = place_of(panel, name)
        at = place.changes(*place.area.middle)["learn.step"]
        # On a logarithmic axis from 5 to 40 the middle is their geometric mean.
        assert at == pytest.approx((5 * 40) ** 0.5, abs=1)
        values = [
            f"{film.loss[at - 1]:.2f}" if name == "loss" else percent(film.accuracy[at // 5]) for film in films.values()
        ]
        titles = [scheme_title(scheme) for scheme in films]
        told = panel.tooltip_at(place, *place.area.middle).splitlines()
        assert told[0].startswith(f"step {at}")
        assert told[1:] == [*map(" ".join, zip(titles, values, strict=True))]


def test_stop_keeps_what_stands_and_a_second_press_goes_on(panel, qtbot) -> None:
    panel.model.set(**{"learn.steps": 2000})
    press(panel, "Train")
    qtbot.waitUntil(lambda: step(panel) > 0, timeout=20_000)
    press(panel, "Stop")
    qtbot.waitUntil(lambda: panel.control_set.widgets["Train"].text() == "Go on")
    stopped = step(panel)
    assert 0 < stopped < 2000
    assert not panel.control_set.widgets["Stop"].isEnabled()
    press(panel, "Train")
    qtbot.waitUntil(lambda: step(panel) > stopped, timeout=20_000)
    press(panel, "Reset")
    assert step(panel) == 0


def test_reset_is_undone_with_the_film_and_training_again_gives_the_same_curve(panel, qtbot) -> None:
    press(panel, "Train")
    first, _ = trained(panel, qtbot)
    press(panel, "Reset")
    assert not panel.model.state.views.learn.trains
    assert step(panel) == 0
    assert seen_of(panel.model.state, panel.model.findings) is None
    # Undone it is there again, and nothing is trained anew.
    panel.model.undo()
    assert trained(panel, qtbot)[0] is first
    press(panel, "Reset")
    press(panel, "Train")
    again, _ = trained(panel, qtbot)
    assert again is not first
    assert np.array_equal(again.loss, first.loss)


def test_training_shows_a_scheme_that_is_trained_and_buttons_stay_where_they_are(panel, qtbot) -> None:
    panel.model.set(**{"learn.scheme": "t5"})
    places = set()
    for task in ("copy", "first"):
        panel.model.set(**{"learn.task": task})
        QTest.qWait(20)
        places.add(panel.control_set.widgets["Stop"].x())
    assert len(places) == 1
    press(panel, "Train")
    trained(panel, qtbot)
    assert panel.model.state.views.learn.scheme == "additive"
    assert step(panel) == 40


def test_a_tick_leaves_a_scheme_out_and_a_press_on_its_row_shows_it(panel) -> None:
    pressed = {"train RoPE": "additive", "train None": "none additive", "train T5": "none additive t5"}
    for name, shown in pressed.items():
        panel.gestures.change(place_of(panel, name).changes(0.0, 0.0))
        assert panel.model.state.views.learn.schemes == tuple(shown.split())
    panel.gestures.change(place_of(panel, "scheme RoPE").changes(0.0, 0.0))
    assert panel.model.state.views.learn.scheme == "rope"


def test_k_is_how_far_back_the_word_stands_and_stays_from_1_to_8(panel) -> None:
    panel.model.set(**{"learn.trains": True})
    for offset, back in ((-5.0, 5), (-30.0, 8), (4.0, 1), (0.0, 1)):
        panel.model.move_cursor(offset=offset)
        assert runs_of(panel.model.state)[0].back == back == -panel.model.cursor.offset
    panel.model.set(**{"learn.trains": False})
    for offset in (-2.0, -7.0):
        panel.model.move_cursor(offset=offset)
        assert panel.control_set.fields["offset"].text() == f"{-offset:.0f}"


def test_the_transport_moves_the_step_with_learn_in_front_and_t_elsewhere(open_panel) -> None:
    transport = open_panel(TransportPanel, 1300, 68, **SHORT)
    model, playback = transport.model, transport.playback
    t = model.cursor.position
    playback.step(-1)
    assert model.state.views.learn.step == 39
    QTest.mouseClick(transport.to_start, LEFT)
    assert (model.state.views.learn.step, model.cursor.position) == (0, t)
    model.move_along(1e9)
    assert model.state.views.learn.step == 40
    playback.step(-10)
    transport.refresh()
    assert transport.step.accessible_value() == "30 / 40"
    assert transport.position.isHidden()
    assert model.cursor.position == t
    assert [place.name for place in transport.scrubber.places()] == ["knob step"]
    model.set(front="attention")
    transport.refresh()
    playback.step(-1)
    assert model.state.views.learn.step == 30
    assert model.cursor.position == t - 1
    assert not transport.position.isHidden()
    model.set(front="learn")
    model.set(**{"compare.is_open": True})
    transport.refresh()
    assert model.state.track.name == "position"
    assert transport.step.isHidden()
    assert not transport.offset.isHidden()
