"""Calls that return nothing leave the interpreter's None and True as they were (PySide6 6.12.0 loses references)."""

import sys

import pytest
from PySide6.QtCore import QObject

from pe_desktop.core.cursor import Preview, Span
from pe_desktop.model.playback import Playback

CALLS = 1000
# Counts move a little by themselves; a reference that is lost or kept at each call moves them by CALLS.
SLACK = 50


class Echo(QObject):
    """A slot that answers None and True to Qt."""

    def __init__(self) -> None:
        super().__init__()
        self.n_answers = 0

    def on_asked(self, value: object) -> object:
        self.n_answers += 1
        return value


def moved_by(call) -> int:
    """How far the counts of None and True move in a thousand calls, after as many that fill what is kept."""
    for number in range(CALLS):
        call(number)
    before = sys.getrefcount(None), sys.getrefcount(True)
    for number in range(CALLS):
        call(number)
    after = sys.getrefcount(None), sys.getrefcount(True)
    return max(abs(after[0] - before[0]), abs(after[1] - before[1]))


@pytest.fixture
def quiet_model(model, qtbot):
    """A model whose analysis has come: nothing runs beside the test."""
    qtbot.waitUntil(lambda: not model.is_measuring)
    return model


def test_announcements_of_the_model_keep_the_counts(quiet_model):
    model, echo = quiet_model, Echo()
    for signal in (model.cursor_changed, model.span_changed, model.preview_changed, model.refused):
        signal.connect(echo.on_asked)

    def change(number):
        model.move_cursor(position=float(number % 100))
        model.set_span(Span(number % 50, 100.0))
        model.set_preview(None)
        model.set_preview(Preview(1.0))
        model.set_parameter("d_model", "7")

    # Steps of undo keep states, which refer to None.
    model.begin_step()
    assert moved_by(change) < SLACK
    assert echo.n_answers >= 10 * CALLS


def test_playing_keeps_the_counts(quiet_model, clock):
    playback = Playback(quiet_model, clock)

    def play(number):
        playback.play()
        clock.now += 0.01
        playback.advance()
        playback.set_loops(number % 2 == 0)
        playback.pause()

    assert moved_by(play) < SLACK
