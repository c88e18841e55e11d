"""Measures how the cost of each view grows with N and d: python -m benchmarks.growth [--quick].

A first picture is the view's scene with all its marks and the heat map that a frame shows, of an encoding that was not
seen before, on 800 x 600 pixels without a window; a step is the scene and its moving marks with t one position further.
Times are the processor's, of this process alone, the least of some repetitions. An exponent is the slope of the
logarithms: 0 for what costs nothing, 1 for what grows in proportion; in brackets the greatest one between neighbouring
sizes. What a view asks for and draws when it is known is measured by benchmarks.measurements.
"""

import argparse
import math
import os
import sys
import time
from collections.abc import Callable, Sequence
from itertools import cycle, pairwise

from PySide6.QtGui import QImage, QPainter

from benchmarks.work import NothingKnown
from pe_desktop.core.state import State, state_of, with_name
from pe_desktop.draw.painter import paint_marks
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.draw.theme import themes
from pe_desktop.heat.heatmap import HeatMap
from pe_desktop.views.table import VIEWS
from pe_desktop.window.application import make_application

WIDTH, HEIGHT = 800, 600
N_REPEATED = 5
# Where a single picture takes so long, one is enough.
LONG_SECONDS = 1.0
MIDDLE = (1_000_000, 512)
POSITIONS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
DIMENSIONS = (32, 128, 512, 4096, 65_536)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="see that everything runs; the times mean nothing")
    options = parser.parse_args(arguments)
    # Nothing is shown: no screen is needed.
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    make_application()
    positions, dimensions = ((100, 1000), (8, 32)) if options.quick else (POSITIONS, DIMENSIONS)
    middle = (positions[-1], dimensions[-1]) if options.quick else MIDDLE
    sys.stdout.write(f"Sizes: N = {positions}, d = {dimensions}; others stay at N = {middle[0]}, d = {middle[1]}\n\n")
    sys.stdout.write(
        "| view | first picture, ms | with N | with d | at the greatest d, ms | step, ms | with N | with d |\n"
        f"|{' --- |' * 8}\n"
    )
    for key in VIEWS:
        sys.stdout.write(row(key, positions, dimensions, middle) + "\n")
        sys.stdout.flush()
    return 0


def row(key: str, positions: Sequence[int], dimensions: Sequence[int], middle: tuple[int, int]) -> str:
    """A line of the table."""
    sizes = dict.fromkeys([*((n, middle[1]) for n in positions), *((middle[0], d) for d in dimensions), middle])
    found = {size: (first_picture(key, *size), step(key, *size)) for size in sizes}
    cells = []
    for place in (0, 1):
        with_n = [(n, found[n, middle[1]][place]) for n in positions]
        with_d = [(d, found[middle[0], d][place]) for d in dimensions]
        cells.append(f"{found[middle][place] * 1e3:.2g} | {exponents(with_n)} | {exponents(with_d)}")
    widest = f"{found[middle[0], dimensions[-1]][0] * 1e3:.2g}"
    return f"| {VIEWS[key].title} | {cells[0]} | {widest} | {cells[1]} |"


def exponents(times: Sequence[tuple[int, float]]) -> str:
    """The slope from the first to the last, and the steepest between neighbours."""
    slopes = [math.log(late / soon) / math.log(large / small) for (small, soon), (large, late) in pairwise(times)]
    (small, soon), (large, late) = times[0], times[-1]
    whole = math.log(late / soon) / math.log(large / small)
    return f"{whole:.2f} ({max(slopes):.2f})"


def first_picture(key: str, n_positions: int, d_model: int) -> float:
    """Processor's seconds for a view of an encoding that was not seen before."""
    states = iter([_state(key, n_positions, d_model, 10_000.0 - number) for number in range(N_REPEATED + 1)])

    def draw() -> None:
        scene = _scene(key, next(states))
        _paint(scene, with_still=True)

    return _least(draw)


def step(key: str, n_positions: int, d_model: int) -> float:
    """Processor's seconds for t one position further."""
    state = _state(key, n_positions, d_model, 9_000.0)
    _paint(_scene(key, state), with_still=True)
    # While a sentence leads, t is a place of one of its few words.
    first, step = state.cursor.position, -1 if state.leads else 1
    states = cycle([with_name(state, "position", first + step * number) for number in range(3)])

    def draw() -> None:
        _paint(_scene(key, next(states)), with_still=False)

    return _least(draw)


def _state(key: str, n_positions: int, d_model: int, base: float) -> State:
    names = {"n_positions": str(n_positions), "d_model": str(d_model), "base": str(base)}
    # Set in this order: what comes to the front may let a sentence lead, which puts t aside.
    return with_name(state_of(names | {"position": str(n_positions // 3)}), "front", key)


def _scene(key: str, state: State) -> Scene:
    return VIEWS[key].module().scene(state, NothingKnown(), Box(WIDTH, HEIGHT, 1.0, themes()["light"]))


def _paint(scene: Scene, *, with_still: bool) -> None:
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        if with_still:
            paint_marks(painter, scene.still(), pixel_ratio=1.0)
            if scene.heat is not None:
                heat = scene.heat
                painter.drawImage(0, 0, HeatMap().first_image(heat.field, heat.view, heat.size_px(1.0), heat.colors))
        paint_marks(painter, scene.moving, pixel_ratio=1.0)


def _least(draw: Callable[[], None]) -> float:
    draw()
    times: list[float] = []
    while len(times) < N_REPEATED and sum(times) < LONG_SECONDS:
        start = time.process_time()
        draw()
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    sys.exit(main())
