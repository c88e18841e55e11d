"""One tool draws one heat map: a program that measures it and answers with milliseconds, or says why it can't."""

import sys
import time
from collections.abc import Callable
from importlib import import_module
from statistics import median
from typing import cast

from benchmarks.answers import answer_or_reason, resident_megabytes, round_trip
from benchmarks.heatmap_work import AXES_TOOLS, OPENGL_TOOL, PICTURE_SIZE, AxesTool, HeatTool, HeatWork, PlainTool, view
from benchmarks.measure import MeasurementError, application, ink_share, settle

N_WARM_UP = 3
FIRST_CURSOR = 100
MODULES = {
    "application": "heatmap_ours",
    OPENGL_TOOL: "heatmap_ours",
    AXES_TOOLS[0]: "heatmap_axes",
    "ready picture": "heatmap_ours",
    **dict.fromkeys(("vispy", "pygfx", "fastplotlib"), "heatmap_gpu_peers"),
}
# Slow tools do fewer steps, at least one: no more are begun after so many seconds.
PATIENCE_SECONDS = 0.4
MOST_EVENT_ROUNDS = 50


def measured(tool: HeatTool, work: HeatWork) -> dict[str, float]:
    """Milliseconds from a change to the pixels on the screen, for each kind of work, and memory."""
    tool.widget.resize(*PICTURE_SIZE)
    tool.widget.show()
    settle()
    numbers: dict[str, float] = {}
    for kind in work.kinds:
        times, processor = zip(*_milliseconds(tool, _steps(tool, kind, work), work.n_steps), strict=True)
        numbers[kind], numbers[f"fastest {kind}"] = median(times), min(times)
        numbers[f"processor {kind}"] = median(processor)
        ink_share(tool.widget, 2, 2)
    return {**numbers, **resident_megabytes()}


def _steps(tool: HeatTool, kind: str, work: HeatWork) -> Callable[[int], None]:
    def see(number: int) -> None:
        tool.show_view(view(kind, number, work))

    if kind in ("base", "cursor"):
        see(0)
        application().processEvents()
    if kind == "cursor":
        with_axes: AxesTool = cast("AxesTool", tool)
        return lambda number: with_axes.show_cursor(FIRST_CURSOR + number)
    plain: PlainTool = cast("PlainTool", tool)
    if kind == "base":
        return plain.show_base
    return see if kind != "repaint" else lambda _number: plain.repaint()


def _milliseconds(tool: HeatTool, step: Callable[[int], None], n_steps: int) -> list[tuple[float, float]]:
    """Of every step the milliseconds of the clock to the pixels on the screen, and those of this process."""
    end = time.perf_counter() + PATIENCE_SECONDS
    for number in range(min(N_WARM_UP, n_steps)):
        if time.perf_counter() < end:
            _step(tool, step, number)
    settle()
    times: list[tuple[float, float]] = []
    end = time.perf_counter() + PATIENCE_SECONDS
    while len(times) < n_steps and (not times or time.perf_counter() < end):
        times.append(_step(tool, step, N_WARM_UP + len(times)))
    return times


def _step(tool: HeatTool, step: Callable[[int], None], number: int) -> tuple[float, float]:
    before = tool.n_frames
    start, work = time.perf_counter(), time.process_time()
    step(number)
    for _ in range(MOST_EVENT_ROUNDS):
        application().processEvents()
        if tool.n_frames > before:
            break
    round_trip()
    elapsed, work = time.perf_counter() - start, time.process_time() - work
    if tool.n_frames != before + 1:
        raise MeasurementError(f"A step painted {tool.n_frames - before} frames instead of one")
    return elapsed * 1e3, work * 1e3


def made(work: HeatWork) -> HeatTool:
    """The tool of a piece of work, from its own file: none of the others need be there."""
    tool: HeatTool = import_module(f"benchmarks.{MODULES.get(work.tool, 'heatmap_peers')}").made(work)
    return tool


def main() -> None:
    """Measure what the argument says; one line of numbers, or of a reason."""
    work = HeatWork.from_word(sys.argv[1])
    application()
    answer_or_reason(lambda: measured(made(work), work))


if __name__ == "__main__":
    main()
