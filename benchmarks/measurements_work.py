"""One case of the measurements: all ten of a table, or playing alone and beside them."""

import json
import sys
import time
from dataclasses import asdict, dataclass

from benchmarks.answers import Answer, answer
from benchmarks.measure import played
from benchmarks.ours import PaintTimes
from benchmarks.work import WINDOW_SIZE
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.measuring.measurements import analyse
from pe_desktop.core.state import State
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.window.application import Instrument, make_application, wait_until_measured
from pe_desktop.window.settings import Settings
from pe_desktop.window.start import _collect_from_first_frame


@dataclass(frozen=True, slots=True)
class MeasurementsWork:
    """A task, the size of the table that is measured, and for how long the window plays."""

    task: str
    n_positions: int
    d_model: int
    seconds: float

    def word(self) -> str:
        """As an argument of a program."""
        return json.dumps(asdict(self))


def measured(work: MeasurementsWork) -> Answer:
    """All ten of an encoding that was not seen before."""
    encoding = SinusoidalEncoding(work.n_positions, work.d_model)
    waits, busy = [0.0], [0.0]
    begin, begin_work = asked = time.perf_counter(), time.process_time()

    def is_cancelled() -> bool:
        nonlocal asked
        now = time.perf_counter(), time.process_time()
        waits.append(now[0] - asked[0])
        busy.append(now[1] - asked[1])
        asked = now
        return False

    found = analyse(encoding, is_cancelled).measurements
    offsets = next(one.basis.n_measured for one in found if one.key == "unique")
    return {
        "seconds": time.perf_counter() - begin,
        "processor": time.process_time() - begin_work,
        "offsets": float(offsets),
        "wait": max(waits) * 1e3,
        "busy": max(busy) * 1e3,
    }


def playing(work: MeasurementsWork) -> Answer:
    """Play in the window as it opens, alone and while one table after another is measured."""
    instrument = Instrument(State(), Settings(theme="light"))
    _collect_from_first_frame(instrument)
    instrument.window.resize(*WINDOW_SIZE)
    instrument.window.show()
    wait_until_measured(instrument)
    findings, playback = instrument.model.findings, instrument.playback
    painted = PaintTimes(instrument.window.clock.canvas)
    alone = played(playback.play, playback.pause, painted.times, work.seconds)
    n_measured = 0

    def ask() -> None:
        nonlocal n_measured
        question = analysis_of(SinusoidalEncoding(work.n_positions, work.d_model, 10_000.0 - n_measured))
        n_measured += findings.is_known(question)
        base = 10_000.0 - n_measured
        findings.ask("benchmark", (analysis_of(SinusoidalEncoding(work.n_positions, work.d_model, base)),))

    findings.changed.connect(ask)
    ask()
    beside = played(playback.play, playback.pause, painted.times, work.seconds)
    instrument.close()
    return {
        "frames": alone["frames"],
        "frames_beside": beside["frames"],
        "gap": alone["longest_gap"],
        "gap_beside": beside["longest_gap"],
    }


if __name__ == "__main__":
    make_application()
    described = MeasurementsWork(**json.loads(sys.argv[1]))
    answer({"measure": measured, "play": playing}[described.task](described))
