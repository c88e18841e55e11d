"""What a picture of the window waits for: everything that is still being measured where it can be seen."""

import threading
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from pe_desktop.core.rotation import shift_report
from pe_desktop.views import questions
from pe_desktop.views.rotation import scene as rotation_scene
from pe_desktop.window import application
from pe_desktop.window.application import Instrument, wait_until_measured

# Longer than all other measurements of a small table take.
LATE_SECONDS = 1.5


def make_late(monkeypatch: pytest.MonkeyPatch, event: threading.Event, seconds: float | None) -> None:
    """Let the report on a shift wait for an event, or some seconds."""

    def late_report(encoding, offset, is_cancelled):
        event.wait(seconds)
        return shift_report(encoding, offset, is_cancelled)

    monkeypatch.setattr(questions, "shift_report", late_report)


def test_what_is_measured_where_it_is_seen_is_waited_for_but_not_too_long(
    instrument: Instrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, may_end = instrument.model, threading.Event()
    make_late(monkeypatch, may_end, LATE_SECONDS)
    model.move_cursor(offset=9.0)
    instrument.window.docks["rotation"].raise_()
    wait_until_measured(instrument)
    assert model.findings.is_known(rotation_scene.questions(model.state)[0])
    make_late(monkeypatch, may_end, None)
    monkeypatch.setattr(application, "MEASURED_SECONDS", 0.3)
    instrument.window.docks["similarity"].raise_()
    model.move_cursor(offset=10.0)
    wait_until_measured(instrument)
    try:
        assert model.findings.is_busy("similarity")
    finally:
        may_end.set()


def test_a_heat_map_behind_another_tab_since_the_start_is_not_waited_for(
    open_instrument: Callable[..., Instrument], monkeypatch: pytest.MonkeyPatch
) -> None:
    instrument = open_instrument(front="rotation")
    naps: list[float] = []
    # A clock that only the naps of the waiting move.
    clock = SimpleNamespace(monotonic=lambda: float(len(naps)), sleep=naps.append)
    monkeypatch.setattr(application, "time", clock)
    wait_until_measured(instrument, 10_000.0)
    assert not instrument.model.findings.is_busy()
    assert len(naps) < 10_000
