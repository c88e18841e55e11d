"""What a picture of the window waits for: everything that is still being measured where it can be seen."""

import threading
from collections.abc import Callable

import pytest

from pe_desktop.draw.marks import Text
from pe_desktop.panels import SimilarityPanel
from pe_desktop.panels.rotation_panel import RotationPanel
from pe_desktop.views.rotation import scene as rotation_scene
from pe_desktop.views.similarity import scene as similarity_scene
from pe_desktop.window import application
from pe_desktop.window.application import Instrument, wait_until_measured

OpenInstrument = Callable[..., Instrument]
# Longer than all other measurements of a small table take.
LATE_SECONDS = 1.5


def similarity(instrument: Instrument) -> SimilarityPanel:
    panel = instrument.window.panel("similarity")
    assert isinstance(panel, SimilarityPanel)
    return panel


def spread_words(panel: SimilarityPanel) -> str:
    """What the panel says below its map."""
    return " ".join(mark.text for mark in panel.compose(panel.canvas.box()).moving if isinstance(mark, Text))


def make_late(monkeypatch: pytest.MonkeyPatch, module, event: threading.Event, seconds: float | None) -> None:
    """Let the residuals of a panel wait for an event, or some seconds."""
    report = module.shift_report

    def late_report(encoding, offset, is_cancelled):
        event.wait(seconds)
        return report(encoding, offset, is_cancelled)

    monkeypatch.setattr(module, "shift_report", late_report)


def test_the_spread_along_the_diagonal_is_waited_for(
    open_instrument: OpenInstrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_late(monkeypatch, similarity_scene, threading.Event(), LATE_SECONDS)
    panel = similarity(open_instrument())
    assert "measuring" not in spread_words(panel)


def test_the_residuals_of_the_rotation_are_waited_for_where_they_are_seen(
    open_instrument: OpenInstrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    instrument = open_instrument()
    make_late(monkeypatch, rotation_scene, threading.Event(), LATE_SECONDS)
    instrument.model.move_cursor(offset=9.0)
    instrument.window.docks["rotation"].raise_()
    wait_until_measured(instrument)
    panel = instrument.window.panel("rotation")
    assert isinstance(panel, RotationPanel)
    assert instrument.model.findings.is_known(rotation_scene.report_of(instrument.model.state))


def test_what_takes_too_long_is_not_waited_for(
    open_instrument: OpenInstrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    instrument = open_instrument()
    may_end = threading.Event()
    make_late(monkeypatch, similarity_scene, may_end, None)
    monkeypatch.setattr(application, "MEASURED_SECONDS", 0.3)
    instrument.model.move_cursor(offset=9.0)
    instrument.window.docks["similarity"].raise_()
    wait_until_measured(instrument)
    panel = similarity(instrument)
    try:
        assert not panel.is_settled
        assert "measuring" in spread_words(panel)
    finally:
        may_end.set()
