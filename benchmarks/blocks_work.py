"""One case of blocks: a kind in the whole window, the gestures of a person, and the longest turn of the event loop."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QEvent, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent

from benchmarks.answers import Answer, answer
from benchmarks.measure import application
from benchmarks.work import WINDOW_SIZE
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State
from pe_desktop.draw.canvas import Canvas
from pe_desktop.heat.heat_canvas import HeatCanvas
from pe_desktop.views.table import VIEWS
from pe_desktop.window.application import Instrument, make_application, wait_until_measured
from pe_desktop.window.settings import Settings
from pe_desktop.window.start import _collect_from_first_frame

N_STEPS: Final = 4
# What follows a change is over after so many turns in which nothing was done while every map that is seen was exact.
CALM_TURNS, LEAST_WORK = 80, 2e-3
# So long is waited for that after the first step of a gesture, and after the others: the next comes while it goes on.
PATIENCE_SECONDS, SHORT_PATIENCE_SECONDS = 30.0, 1.0
# Between two turns of the loop, so that timers come due.
PAUSE_SECONDS = 0.002
Step = Callable[[Instrument, int], object]


class Turn(NamedTuple):
    """A turn of the event loop: seconds of processor time of its thread, and of the clock."""

    processor: float
    clock: float


def _change(instrument: Instrument, number: int) -> None:
    """One parameter of those that the kind has."""
    given = instrument.model.encoding.parameters
    changes: dict[str, Any] = {
        "base": 9000.0 - 37.0 * number,
        "seed": number + 1,
        "code": ("gray", "binary")[number % 2],
        "n_positions": instrument.model.encoding.n_positions - 1,
    }
    name = next(name for name in changes if name in given)
    instrument.model.set(**{name: changes[name]})


def _zoom(instrument: Instrument, _number: int) -> None:
    model = instrument.model
    model.set(span=model.span.zoomed(1.25, model.cursor.position))


def _pan(instrument: Instrument, _number: int) -> None:
    model = instrument.model
    model.set(span=model.span.moved(0.05 * model.span.width))


def _zoom_rows(instrument: Instrument, _number: int) -> None:
    rows = instrument.model.state.shown_rows
    instrument.model.set(**{"matrix.rows": rows.zoomed(1.25, rows.first + 0.3 * rows.width)})


def _zoom_map(instrument: Instrument, _number: int) -> None:
    rows, columns = instrument.model.state.shown_map
    spans = rows.zoomed(1.25, rows.first + 0.3 * rows.width), columns.zoomed(1.25, columns.first + 0.4 * columns.width)
    instrument.model.set(**{"similarity.rows": spans[0], "similarity.columns": spans[1]})


def _pan_map(instrument: Instrument, _number: int) -> None:
    columns = instrument.model.state.shown_map[1]
    instrument.model.set(**{"similarity.columns": columns.moved(-0.05 * columns.width)})


def _move(instrument: Instrument, _number: int) -> None:
    instrument.model.move_cursor(position=instrument.model.cursor.position + 1.0)


def _turn(instrument: Instrument, _number: int) -> None:
    instrument.model.move_cursor(position=instrument.model.cursor.position + 0.25)


def _offset(instrument: Instrument, _number: int) -> None:
    instrument.model.move_cursor(offset=instrument.model.cursor.offset + 1.0)


def _measure(instrument: Instrument, number: int) -> None:
    instrument.model.set(**{"similarity.measure": ("cosine", "distance", "dot")[number % 3]})


def _colors(instrument: Instrument, number: int) -> None:
    chosen = ("seen", "most", "whole")[number % 3]
    instrument.model.set(**{"matrix.range": chosen, "similarity.range": chosen})


def _hover(instrument: Instrument, number: int) -> None:
    """The pointer over every picture that is seen, where its middle is and beside it."""
    for canvas in _canvases(instrument):
        at = QPointF((0.4 + 0.05 * number) * canvas.width(), (0.45 - 0.02 * number) * canvas.height())
        button, none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
        application().postEvent(
            canvas, QMouseEvent(QEvent.Type.MouseMove, at, canvas.mapToGlobal(at), button, button, none)
        )


def _jump(instrument: Instrument, number: int) -> None:
    """To the other end of the table; what is seen goes along."""
    last = instrument.model.encoding.n_positions - 1
    instrument.model.move_cursor(position=float((5, last - 5)[number % 2]))


def _tabs(instrument: Instrument, number: int) -> None:
    front = ("properties", "rotation", "compare", "similarity")[number % 4]
    instrument.model.set(front=front)


def _open(instrument: Instrument, number: int) -> None:
    """A panel for the first time, which is made for it."""
    instrument.model.set(front=FRONTS[number])


def _panels(instrument: Instrument, number: int) -> None:
    """A panel brought to the front again, and then another k and another table while it is there."""
    step = number % _STEPS_OF_PANEL
    if step == 0:
        instrument.model.set(front=FRONTS[number // _STEPS_OF_PANEL])
    elif step == 1:
        _offset(instrument, number)
    else:
        _change(instrument, number)


def _others(instrument: Instrument, number: int) -> None:
    instrument.model.set(preset=("paper", "map-square", "paper", "random")[number % 4])


# What a person does, and how often.
GESTURES: Final[dict[str, Step]] = {
    "change": _change,
    "zoom": _zoom,
    "pan": _pan,
    "zoom rows": _zoom_rows,
    "zoom map": _zoom_map,
    "pan map": _pan_map,
    "t": _move,
    "t between": _turn,
    "k": _offset,
    "measure": _measure,
    "colours": _colors,
    "pointer": _hover,
    "tabs": _tabs,
    "jump": _jump,
    "others": _others,
    "open": _open,
    "panels": _panels,
}
FRONTS: Final = tuple(VIEWS)
_STEPS_OF_PANEL: Final = 3
COUNTS: Final = {"open": len(FRONTS), "panels": _STEPS_OF_PANEL * len(FRONTS)}


@dataclass(frozen=True, slots=True)
class BlocksWork:
    """A preset, the size of its table, and what is done with it, of GESTURES."""

    preset: str
    n_positions: int
    d_model: int
    gestures: tuple[str, ...] = tuple(GESTURES)

    def word(self) -> str:
        """As an argument of a program."""
        return json.dumps(asdict(self))


def blocks(work: BlocksWork) -> Answer:
    """For each gesture the longest turn in ms of processor time, the longest of all by the clock, and seconds to rest.

    These are the longest time until everything was exact again, PATIENCE_SECONDS at most.
    """
    cursor = Cursor(position=float(work.n_positions // 3))
    instrument = Instrument(State(SinusoidalEncoding(work.n_positions, work.d_model), cursor), Settings(theme="light"))
    instrument.window.resize(*WINDOW_SIZE)
    _collect_from_first_frame(instrument)
    instrument.window.show()
    wait_until_measured(instrument, 5.0)
    found: dict[str, list[Turn]] = {"choose": [*turns(instrument, lambda: instrument.model.set(preset=work.preset))]}
    seconds = 0.0
    for name in work.gestures:
        found[name], step = [], GESTURES[name]
        for number in range(COUNTS.get(name, N_STEPS)):
            start = time.monotonic()
            patience = SHORT_PATIENCE_SECONDS if number else PATIENCE_SECONDS
            found[name] += turns(instrument, partial(step, instrument, number), patience)
            seconds = max(seconds, time.monotonic() - start)
    instrument.close()
    longest = {name: 1e3 * max(turn.processor for turn in some) for name, some in found.items()}
    by_clock = 1e3 * max(turn.clock for some in found.values() for turn in some)
    return longest | {"clock": by_clock, "exact": seconds}


def turns(instrument: Instrument, change: Callable[[], object], patience: float = PATIENCE_SECONDS) -> Iterator[Turn]:
    """Make a change; each turn of the loop until everything seen is exact."""
    QTimer.singleShot(0, change)
    n_calm, end = 0, time.monotonic() + patience
    while n_calm < CALM_TURNS and time.monotonic() < end:
        start, clock = time.thread_time(), time.monotonic()
        application().processEvents()
        spent = time.thread_time() - start
        yield Turn(spent, time.monotonic() - clock)
        maps = [canvas for canvas in _canvases(instrument) if isinstance(canvas, HeatCanvas)]
        n_calm = n_calm + 1 if spent < LEAST_WORK and all(canvas.is_exact for canvas in maps) else 0
        time.sleep(PAUSE_SECONDS)


def _canvases(instrument: Instrument) -> list[Canvas]:
    """All pictures that are seen."""
    docks = [dock for dock in instrument.window.docks.values() if dock.panel.isVisible() and not dock.is_behind]
    return [canvas for dock in docks for canvas in dock.panel.findChildren(Canvas) if canvas.isVisible()]


if __name__ == "__main__":
    make_application()
    answer(blocks(BlocksWork(**json.loads(sys.argv[1]))))
