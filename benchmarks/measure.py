"""What is measured alike in both tools: counted steps, counted playing, a look at the screen."""

import sys
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Protocol

import numpy as np
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QWidget

from benchmarks.answers import Answer, round_trip

MOST_WARM_UP_STEPS = 8
# So many rounds of events may pass before a change must have been painted.
MOST_EVENT_ROUNDS = 50
SETTLE_SECONDS = 0.15
LEAST_EVENT_ROUNDS = 20
# Where steps are slow, fewer of them do: after so many seconds so many are enough.
PATIENCE_SECONDS = 3.0
ENOUGH_STEPS = 5
# Of the pixels of each part of a picture, at least this share must differ from the ground.
LEAST_INK = 0.0005


class Counted(Protocol):
    """A widget that counts how often it was painted."""

    @property
    def n_frames(self) -> int:
        """Paint events so far."""


class MeasurementError(RuntimeError):
    """What was timed is not what should have been timed: a blank picture, a frame painted twice or never."""


def application() -> QApplication:
    """The application object, made where there is none."""
    present = QApplication.instance()
    return present if isinstance(present, QApplication) else QApplication(sys.argv[:1])


def settle() -> None:
    """Handle events until nothing more comes of showing a window."""
    end = time.perf_counter() + SETTLE_SECONDS
    n_rounds = 0
    while time.perf_counter() < end or n_rounds < LEAST_EVENT_ROUNDS:
        application().processEvents()
        n_rounds += 1
        time.sleep(0.002)
    round_trip()


def timed_steps(
    step: Callable[[int], None], must: Sequence[Counted], others: Sequence[Counted], n_steps: int
) -> Answer:
    """Milliseconds from a change to the pixels on the screen, by the clock and of this process, of n_steps at most.

    Raises MeasurementError unless each step painted every one of `must` exactly once and none of `others` twice.
    """
    for number in range(min(MOST_WARM_UP_STEPS, n_steps)):
        step(number - MOST_WARM_UP_STEPS)
        application().processEvents()
    settle()
    times: list[float] = []
    works: list[float] = []
    end = time.perf_counter() + PATIENCE_SECONDS
    while len(times) < n_steps and (len(times) < ENOUGH_STEPS or time.perf_counter() < end):
        elapsed, work = _timed_step(step, len(times), must, others)
        times.append(elapsed)
        works.append(work)
    return {
        "milliseconds": median(times),
        "fastest": min(times),
        "processor": median(works),
        "frames": float(len(times)),
    }


def _timed_step(
    step: Callable[[int], None], number: int, must: Sequence[Counted], others: Sequence[Counted]
) -> tuple[float, float]:
    before = [widget.n_frames for widget in (*must, *others)]
    start, begun = time.perf_counter(), time.process_time()
    step(number)
    for _ in range(MOST_EVENT_ROUNDS):
        application().processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
        if all(widget.n_frames > count for widget, count in zip(must, before, strict=False)):
            break
    round_trip()
    elapsed, work = time.perf_counter() - start, time.process_time() - begun
    painted = [widget.n_frames - count for widget, count in zip((*must, *others), before, strict=True)]
    if any(count != 1 for count in painted[: len(must)]) or any(count > 1 for count in painted[len(must) :]):
        raise MeasurementError(f"A step should paint each widget once; frames painted: {painted}")
    return elapsed * 1e3, work * 1e3


def _handle_events(seconds: float) -> None:
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


def played(start: Callable[[], None], stop: Callable[[], None], times: list[float], seconds: float) -> Answer:
    """How an animation went: frames, their rate, the longest gap, processor time per frame and its share of a core.

    times is filled by whoever paints, with time.perf_counter() at each frame.
    """
    settle()
    times.clear()
    begin, work = time.perf_counter(), time.process_time()
    start()
    for span in (seconds, PATIENCE_SECONDS):
        # Beside much other work a short run may show no frame.
        if len(times) < 2:
            _handle_events(span)
    stop()
    round_trip()
    work, elapsed = time.process_time() - work, time.perf_counter() - begin
    if len(times) < 2:
        raise MeasurementError(f"Playing for {seconds} s painted {len(times)} frames")
    moments = np.array([begin, *times, begin + elapsed])
    return {
        "frames": float(len(times)),
        "per_second": len(times) / elapsed,
        "longest_gap": float(np.diff(moments).max()) * 1e3,
        "work": work / len(times) * 1e3,
        "core": work / elapsed * 100,
    }


def ink_share(widget: QWidget, rows: int, columns: int) -> float:
    """The share of a widget's pixels on the screen that differ from its ground.

    Raises MeasurementError where any of rows x columns parts of the widget is blank.
    """
    corner = widget.mapTo(widget.window(), widget.rect().topLeft())
    grabbed = QGuiApplication.primaryScreen().grabWindow(
        widget.window().winId(), corner.x(), corner.y(), widget.width(), widget.height()
    )
    if grabbed.isNull():
        raise MeasurementError("The screen shows a blank: nothing of the picture could be seen")
    inked = _inked(grabbed.toImage())
    for number, strip in enumerate(np.array_split(inked, rows, axis=0)):
        for part in np.array_split(strip, columns, axis=1):
            if not part.size or part.mean() < LEAST_INK:
                raise MeasurementError(f"The picture is blank in row {number + 1} of {rows}")
    return float(inked.mean())


def _inked(image: QImage) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), dtype=np.uint32).reshape(image.height(), image.bytesPerLine() // 4)
    shades, counts = np.unique(pixels, return_counts=True)
    return np.asarray(pixels[:, : image.width()] != shades[np.argmax(counts)])
