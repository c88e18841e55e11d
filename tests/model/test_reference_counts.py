"""Calls that return nothing leave the interpreter's None and True as they were (PySide6 6.12.0 loses references)."""

import sys

from PySide6.QtCore import QObject

from pe_desktop.core.cursor import Preview, Span
from pe_desktop.model.playback import Playback

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
    for signal in (model.cursor_changed, model.span_changed, model.preview_changed, model.refused):
        signal.connect(echo.on_asked)

    def change(number):
        model.move_cursor(position=float(number % 100))
        model.set_span(Span(number % 50, 100.0))
        model.set_preview(None)
        model.set_preview(Preview(1.0))
        model.set_parameter("d_model", "7")
        playback.play()
        clock.now += 0.01
        playback.advance()
        playback.set_loops(number % 2 == 0)
        playback.pause()

    # The first thousand fill what is kept.
    for number in range(CALLS):
        change(number)
    before = sys.getrefcount(None), sys.getrefcount(True)
    for number in range(CALLS):
        change(number)
    after = sys.getrefcount(None), sys.getrefcount(True)
    assert max(abs(after[0] - before[0]), abs(after[1] - before[1])) < SLACK
    assert echo.n_answers >= 10 * CALLS
