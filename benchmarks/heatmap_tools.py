"""One tool draws one heat map: a program that measures it and answers with milliseconds, or says why it can't."""

import sys
import time
from collections.abc import Callable
from importlib import import_module
from statistics import median

from benchmarks.answers import answer, resident_megabytes, round_trip
from benchmarks.heatmap_work import KINDS, OPENGL_TOOL, PICTURE_SIZE, HeatTool, HeatWork, view
from benchmarks.measure import MeasurementError, application, ink_share, settle

N_WARM_UP = 3
MODULES = {
    "application": "heatmap_ours",
    OPENGL_TOOL: "heatmap_ours",
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
    for kind in KINDS:
        if kind != "base" or work.has_base:
            times = _milliseconds(tool, _steps(tool, kind, work), work.n_steps)
            numbers[kind], numbers[f"fastest {kind}"] = median(times), min(times)
            ink_share(tool.widget, 2, 2)
    return {**numbers, **resident_megabytes()}


def _steps(tool: HeatTool, kind: str, work: HeatWork) -> Callable[[int], None]:
    def see(number: int) -> None:
        tool.show_view(view(kind, number, work.n_positions, work.d_model))

    def repaint(number: int) -> None:
        tool.repaint()

    if kind == "base":
        see(0)
        application().processEvents()
        return tool.show_base
    return repaint if kind == "repaint" else see


def _milliseconds(tool: HeatTool, step: Callable[[int], None], n_steps: int) -> list[float]:
    end = time.perf_counter() + PATIENCE_SECONDS
    for number in range(min(N_WARM_UP, n_steps)):
        if time.perf_counter() < end:
            _step(tool, step, number)
    settle()
    times: list[float] = []
    end = time.perf_counter() + PATIENCE_SECONDS
    while len(times) < n_steps and (not times or time.perf_counter() < end):
        times.append(_step(tool, step, N_WARM_UP + len(times)))
    return times


def _step(tool: HeatTool, step: Callable[[int], None], number: int) -> float:
    before = tool.n_frames
    start = time.perf_counter()
    step(number)
    for _ in range(MOST_EVENT_ROUNDS):
        application().processEvents()
        if tool.n_frames > before:
            break
    round_trip()
    elapsed = time.perf_counter() - start
    if tool.n_frames != before + 1:
        raise MeasurementError(f"A step painted {tool.n_frames - before} frames instead of one")
    return elapsed * 1e3


def made(work: HeatWork) -> HeatTool:
    """The tool of a piece of work, from its own file: none of the others need be there."""
    tool: HeatTool = import_module(f"benchmarks.{MODULES.get(work.tool, 'heatmap_peers')}").made(work)
    return tool


def main() -> None:
    """Measure what the argument says; one line of numbers, or of a reason."""
    work = HeatWork.from_word(sys.argv[1])
    application()
    try:
        numbers = measured(made(work), work)
    except Exception as error:  # noqa: BLE001 Whatever a peer fails with is its answer.
        reason = next((line for line in str(error).splitlines()[::-1] if line.strip()), "")
        sys.stdout.write(f"{type(error).__name__}: {reason.strip()}\n")
        sys.stdout.flush()
    else:
        answer(numbers)


if __name__ == "__main__":
    main()
