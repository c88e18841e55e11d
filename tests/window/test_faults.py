"""What goes wrong inside the program is told once and leaves a window that lives: paint events, slots, measurements."""

import contextlib
import random
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from pe_desktop.draw.canvas import Canvas
from pe_desktop.heat.heat_canvas import HeatCanvas
from pe_desktop.model.findings import Findings, Question, _Result
from pe_desktop.views.table import VIEWS
from pe_desktop.window.application import Instrument, wait_until_measured
from tests.window.acting import show


def listen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the program's hook is given from now on."""
    told: list[str] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, _trace: told.append(f"{kind.__name__}: {error}"))
    return told


def canvases(instrument: Instrument) -> Iterator[Canvas]:
    """Every canvas of the open docks, each while it is seen."""
    for dock in instrument.window.docks.values():
        if dock.isVisible():
            dock.raise_()
            wait_until_measured(instrument)
            for canvas in dock.findChildren(Canvas):
                if canvas.isVisible() and canvas.mapTo(canvas.window(), QPoint(0, 0)).x() >= 0:
                    yield canvas


def frame(canvas: Canvas) -> None:
    canvas.update()
    canvas.repaint()


@contextlib.contextmanager
def failing(canvas: Canvas, step: str) -> Iterator[None]:
    """Let a step of the canvas's frames fail."""

    def fail(*_arguments: object) -> None:
        raise ZeroDivisionError(step)

    own = canvas.__dict__.get(step)
    setattr(canvas, step, fail)
    yield
    if own is None:
        delattr(canvas, step)
    else:
        setattr(canvas, step, own)


def opened(instrument: Instrument, luck: random.Random) -> Iterator[str]:
    """The plots, and then two of what can be opened in the window, one after the other."""
    for name in ("", *luck.sample(["attention", "study", "compare", "facts"], 2)):
        show(instrument, **({f"{name}.is_open": True} if name else {"front": "properties"}))
        yield name
        show(instrument, **({f"{name}.is_open": False} if name else {}))


def test_an_error_in_a_frame_of_any_view_is_told_once_and_the_view_comes_back(instrument, monkeypatch, luck) -> None:
    told, n_maps = listen(monkeypatch), 0
    for name in opened(instrument, luck):
        n_canvases = 0
        for canvas in canvases(instrument):
            n_canvases += 1
            frame(canvas)
            before, is_map = canvas.grab().toImage(), isinstance(canvas, HeatCanvas)
            n_maps += is_map
            for step in ("_compose", "_still_bitmap", "paint_moving", *(["paint_map"] if is_map else [])):
                told.clear()
                for _ in range(2):
                    with failing(canvas, step):
                        frame(canvas)
                        frame(canvas)
                        assert canvas.grab().toImage() != before
                        assert canvas.places() == ()
                    frame(canvas)
                assert told == 2 * [f"ZeroDivisionError: {step}"], canvas.accessibleName()
                assert canvas.grab().toImage() == before, canvas.accessibleName()
        assert n_canvases >= 3, name
        assert instrument.window.isVisible()
    assert n_maps >= 2


def test_an_error_in_the_first_showing_of_a_panel_is_told(open_instrument, monkeypatch) -> None:
    def fail(*_arguments: object) -> None:
        raise TypeError("page")

    instrument, told = open_instrument(), listen(monkeypatch)
    monkeypatch.setattr(type(VIEWS["rotary"].module()), "height", fail)
    show(instrument, attention__is_open=True, front="rotary")
    assert {*told} == {"TypeError: page"}
    assert instrument.window.panel("rotary").isVisible()


def test_an_error_in_the_paint_event_of_any_control_closes_its_painter(instrument, monkeypatch) -> None:
    """Qt would end the program when a widget goes whose painter is still open."""
    listen(monkeypatch)
    n_failed = 0

    def fail(_painter: QPainter, *_arguments: object) -> None:
        raise ZeroDivisionError("hint")

    with monkeypatch.context() as patch:
        patch.setattr(QPainter, "setRenderHint", fail)
        for widget in instrument.window.findChildren(QWidget):
            if widget.isVisible() and "paintEvent" in type(widget).__dict__:
                with contextlib.suppress(ZeroDivisionError):
                    widget.repaint()
                    continue
                n_failed += 1
    assert n_failed >= 3
    for canvas in canvases(instrument):
        frame(canvas)
        assert not canvas.has_failed


def test_an_error_of_any_measurement_is_told_and_ends_no_view(open_instrument, monkeypatch, luck) -> None:
    """Every question is answered with an error of its own."""
    failed: set[str] = set()

    def fail(findings: Findings, question: Question) -> None:
        failed.add(question.topic)
        error = ArithmeticError(question.topic)
        findings._bring(question, _Result(None, 1.0, is_known=True, error=error))

    monkeypatch.setattr(Findings, "_compute", fail)
    told = listen(monkeypatch)
    instrument = open_instrument()
    for _ in opened(instrument, luck):
        for canvas in canvases(instrument):
            frame(canvas)
            assert not canvas.has_failed
            assert isinstance(canvas.places(), tuple)
        for dock in instrument.window.docks.values():
            assert isinstance(dock.panel.readout(), str)
    # What nobody wants any more is not told.
    assert "ArithmeticError: analysis" in told
    assert {*told} <= {f"ArithmeticError: {topic}" for topic in failed}
    assert not instrument.model.findings.is_busy()
