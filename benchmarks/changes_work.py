"""One case of changes of the encoding: a drag, memory over many changes, figures that are exported."""

import json
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent

from benchmarks.answers import Answer, answer, resident_megabytes, round_trip
from benchmarks.measure import MeasurementError, application, ink_share, settle
from benchmarks.work import WINDOW_SIZE
from pe_desktop.app import main as command
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State
from pe_desktop.draw.canvas import Canvas
from pe_desktop.heat.heat_canvas import HeatCanvas
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.window.application import Instrument, make_application, wait_until_measured
from pe_desktop.window.settings import Settings
from pe_desktop.window.start import _collect_from_first_frame

N_STEPS = 40
FIGURES = ("matrix", "clock", "waves")
# So long may the last picture take to become exact.
PATIENCE_SECONDS = 60.0
# From one value of a drag to the next: some pixels of the slider.
STEPS = {"base": 37.0, "d_model": 2, "n_positions": 7}


@dataclass(frozen=True, slots=True)
class ChangesWork:
    """A task, the parameter that changes, the sizes at the beginning, how long or how often it changes."""

    task: str
    name: str
    n_positions: int
    d_model: int
    seconds: float
    n_changes: int

    def word(self) -> str:
        """As an argument of a program."""
        return json.dumps(asdict(self))


def _opened(work: ChangesWork) -> Instrument:
    encoding = SinusoidalEncoding(work.n_positions, work.d_model)
    instrument = Instrument(State(encoding, Cursor(position=work.n_positions // 3)), Settings(theme="light"))
    _collect_from_first_frame(instrument)
    instrument.window.resize(*WINDOW_SIZE)
    instrument.window.show()
    # The widest tables are measured for seconds; their windows are drawn long before.
    wait_until_measured(instrument, PATIENCE_SECONDS)
    settle()
    return instrument


def _change(instrument: Instrument, work: ChangesWork, number: int) -> None:
    """The next value of the slider, which goes to and fro."""
    first = {"base": 10_000.0, "d_model": work.d_model, "n_positions": work.n_positions}[work.name]
    instrument.model.set(**{work.name: first + STEPS[work.name] * (1 + number % 97)})


def drag(work: ChangesWork) -> Answer:
    """Drag a slider for some seconds, let it go, wait for the last picture; then some steps of t."""
    instrument = _opened(work)
    model, window = instrument.model, instrument.window
    plots = [canvas for canvas in window.findChildren(Canvas) if canvas.isVisible()]
    model.begin_step()
    _change(instrument, work, -1)
    settle()
    moments, first = [time.perf_counter()], time.process_time()
    before = sum(canvas.n_frames for canvas in plots)
    while moments[-1] - moments[0] < work.seconds:
        _change(instrument, work, len(moments))
        application().processEvents()
        if model.turns.is_busy:
            # One plot follows in a turn and is painted in the next.
            application().processEvents()
        round_trip()
        moments.append(time.perf_counter())
    n_changes, processor = len(moments) - 1, time.process_time() - first
    if sum(canvas.n_frames for canvas in plots) - before < n_changes:
        raise MeasurementError("A change has drawn nothing")
    release = _shown_exactly(model, plots)
    result = {
        "changes": n_changes / (moments[-1] - moments[0]),
        "longest_gap": max(later - sooner for sooner, later in pairwise(moments)) * 1e3,
        "release": release * 1e3,
        "processor": processor / n_changes * 1e3,
        "in_steps": processor / n_changes / _step_time(instrument, work),
        "ink": ink_share(window.clock.canvas, 2, 2),
    }
    instrument.close()
    return result


def _shown_exactly(model: EncodingModel, plots: list[Canvas]) -> float:
    """Seconds from letting go until every plot shows the last change, and every map on the screen is exact."""
    start = time.perf_counter()
    model.end_step()
    maps = [canvas for canvas in plots if isinstance(canvas, HeatCanvas)]
    while model.turns.is_busy:
        application().processEvents()
    application().processEvents()
    while not all(canvas.is_exact for canvas in maps) and time.perf_counter() - start < PATIENCE_SECONDS:
        application().processEvents()
    round_trip()
    return time.perf_counter() - start


def _step_time(instrument: Instrument, work: ChangesWork) -> float:
    """Processor's seconds for a step of t, the median; measurements rest meanwhile."""
    wait_until_measured(instrument, PATIENCE_SECONDS)
    settle()
    times = []
    for number in range(N_STEPS):
        start = time.process_time()
        instrument.model.move_cursor(position=float(1 + number % (work.n_positions - 1)))
        application().processEvents()
        round_trip()
        times.append(time.process_time() - start)
    return median(times)


def latency(work: ChangesWork) -> Answer:
    """From a move of the mouse that drags t in the waves until the last pixel of all panels is on the screen."""
    instrument = _opened(work)
    canvas, times = instrument.window.waves.canvas, []
    middle = canvas.rect().center()
    _send(canvas, QEvent.Type.MouseButtonPress, middle)
    for number in range(N_STEPS):
        start = time.perf_counter()
        _send(canvas, QEvent.Type.MouseMove, middle + QPoint(3 * (1 + number % 40), 0))
        application().processEvents()
        round_trip()
        times.append(time.perf_counter() - start)
    _send(canvas, QEvent.Type.MouseButtonRelease, middle)
    instrument.close()
    return {"latency": median(times) * 1e3, "longest": max(times) * 1e3}


def _send(canvas: Canvas, kind: QEvent.Type, place: QPoint) -> None:
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else Qt.MouseButton.LeftButton
    at = QPointF(canvas.mapToGlobal(place))
    event = QMouseEvent(kind, QPointF(place), at, button, held, Qt.KeyboardModifier.NoModifier)
    application().sendEvent(canvas, event)


def memory(work: ChangesWork) -> Answer:
    """How much the process has grown between a fifth of the changes and the last of them."""
    instrument = _opened(work)
    found = []
    for number in range(work.n_changes):
        _change(instrument, work, number)
        application().processEvents()
        if number + 1 in (work.n_changes // 5, work.n_changes):
            wait_until_measured(instrument, PATIENCE_SECONDS)
            settle()
            found.append(resident_megabytes().get("resident", 0.0))
    instrument.close()
    return {"grown": found[1] - found[0], "resident": found[1]}


def export(work: ChangesWork) -> Answer:
    """Seconds for some figures by the command's own path."""
    with tempfile.TemporaryDirectory(prefix="pe_desktop_") as folder:
        start = time.perf_counter()
        for figure in FIGURES:
            target = Path(folder) / f"{figure}.png"
            if command(["export", figure, "-o", str(target)]) or not target.stat().st_size:
                raise MeasurementError(f"{figure} was not exported")
        return {"seconds": time.perf_counter() - start}


if __name__ == "__main__":
    make_application()
    described = ChangesWork(**json.loads(sys.argv[1]))
    answer({"drag": drag, "latency": latency, "memory": memory, "export": export}[described.task](described))
