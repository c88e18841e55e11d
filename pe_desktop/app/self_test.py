"""The test that a user's own machine can run: window, panels, pixels that mean something, export and reload."""

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np
from PySide6.QtGui import QColor, QGuiApplication

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.dial import dial_in
from pe_desktop.export.arrays import write_array
from pe_desktop.export.figure_files import scene_image, write_figure
from pe_desktop.export.figures import code
from pe_desktop.heat.renderer import AUTO, OPENGL, RASTER, prepare_application
from pe_desktop.panels import PANELS
from pe_desktop.window.application import Instrument, make_application, wait_until_measured
from pe_desktop.window.main_window import MainWindow
from pe_desktop.window.settings import Settings

# Whether something is as it should be, and what was seen.
_Finding: TypeAlias = tuple[bool, str]
_Findings: TypeAlias = Iterator[_Finding]

WINDOW_SIZE = (1600, 1000)
# How far a channel of a pixel may lie from the colour it should have: antialiasing and rounding.
_NEAR = 24


def run(report_path: Path | None, theme: str | None = None, renderer: str | None = None) -> int:
    """Test this installation; print one line for each finding, write them to a report if asked. Exit code 0 or 1.

    The window is tested in the theme that is asked for, in light and dark if none is.
    """
    findings: list[_Finding] = []
    settings = [Settings(theme=name, renderer=renderer or AUTO) for name in ([theme] if theme else ["light", "dark"])]
    checks: tuple[tuple[str, Callable[[], _Findings]], ...] = (
        ("values", _check_values),
        ("window", partial(_check_window, settings)),
        ("files", _check_files),
    )
    for subject, check in checks:
        try:
            findings += [(is_good, f"{subject}: {observation}") for is_good, observation in check()]
        except Exception as error:  # noqa: BLE001 - whatever goes wrong here is a finding
            findings.append((False, f"{subject}: {type(error).__name__}: {error}"))
    lines = [f"{'ok' if is_good else 'FAILED'}  {observation}" for is_good, observation in findings]
    n_failed = sum(not is_good for is_good, _observation in findings)
    lines.append(f"{len(findings) - n_failed} passed, {n_failed} failed")
    text = "\n".join(lines) + "\n"
    if sys.stdout is not None:
        sys.stdout.write(text)
    if report_path is not None:
        report_path.write_text(text, encoding="utf-8")
    return 1 if n_failed else 0


def _check_values() -> _Findings:
    # Row 3 of the five by four table that textbooks print: sin 3, cos 3, sin 0.03, cos 0.03.
    row = SinusoidalEncoding(5, 4).values([3])[0]
    printed = (0.1411200080598672, -0.9899924966004454, 0.02999550020249566, 0.9995500337489875)
    error = float(np.abs(row - printed).max())
    yield error < 1e-15, f"row 3 of the 5 x 4 table, largest error {error:.1e}"


def _check_window(settings: Sequence[Settings]) -> _Findings:
    prepare_application()
    make_application()
    yield True, f"Qt platform {QGuiApplication.platformName()}"
    for chosen in settings:
        instrument = Instrument(State(), chosen)
        try:
            yield from _check_open_window(instrument, chosen.theme)
            renderer = instrument.renderer
            drawing = OPENGL if renderer.is_opengl else RASTER
            observation = f"{chosen.theme}: heat maps are drawn by {drawing}: {renderer.why}"
            yield renderer.choice in (AUTO, drawing), observation
        finally:
            instrument.close()


def _check_open_window(instrument: Instrument, theme: str) -> _Findings:
    window = instrument.window
    window.resize(*WINDOW_SIZE)
    window.show()
    wait_until_measured(instrument)
    for panel in PANELS:
        window.docks[panel.key].raise_()
        wait_until_measured(instrument)
        shown = window.panel(panel.key)
        yield shown.isVisible() and shown.width() > 0, f"{theme}: {panel.title} is shown, {shown.width()} pixels wide"
    analysis = instrument.model.analysis
    measured = None if analysis is None else analysis.measurement("linear_shift")
    residual = None if measured is None else measured.number
    yield residual is not None and residual < 1e-12, f"{theme}: residual of the shift {residual}"
    for words, canvas, x, y, color in _drawn(window):
        yield _is_near(canvas, x, y, color), f"{theme}: {words}"


def _drawn(window: MainWindow) -> Iterator[tuple[str, Canvas, float, float, QColor]]:
    """What can be seen of numbers that were worked out beforehand: where a canvas should have which colour."""
    theme = window.theme
    clock = window.clock.canvas
    matrix = window.matrix
    color = theme.pair_color(4, 16)
    dial = dial_in(clock.width(), clock.height())
    reach = dial.ring_radii(16)[4] * 0.5
    # sin and cos of 37 * 0.1 radians.
    x = dial.x + reach * -0.5298361409084934
    y = dial.y - reach * -0.8481000317104082
    yield "the hand of pair 4 points to 212.0 degrees at t = 37", clock, x, y, color
    cells = matrix.layout_now()
    # cos of 92 * 10000^(-6/16) radians.
    color = theme.diverging_color(-0.9731401149836783)
    x = cells.position_axis.place(92.0)
    y = cells.row_axis.place(13.5)
    yield "the cell of position 92, dimension 13 has the colour of its value", matrix.canvas, x, y, color


def _is_near(canvas: Canvas, x: float, y: float, wanted: QColor) -> bool:
    image = scene_image(canvas.begin_frame(), canvas.box())
    for down in (-1, 0, 1):
        pixel = image.pixelColor(round(x), round(y) + down)
        channels = zip(pixel.getRgb()[:3], wanted.getRgb()[:3], strict=True)  # type: ignore[index]
        if all(abs(have - want) <= _NEAR for have, want in channels):
            return True
    return False


def _check_files() -> _Findings:
    encoding = SinusoidalEncoding(100, 128)
    with tempfile.TemporaryDirectory(prefix="pe_desktop_") as folder:
        path = Path(folder) / "encoding.npy"
        drawing = Path(folder) / "matrix.svg"
        write_array("encoding", State(encoding), path)
        loaded = np.load(path, allow_pickle=False)
        written = write_figure("matrix", State(), drawing)
        content = drawing.read_text(encoding="utf-8")
    is_same = loaded.shape == (100, 128) and np.array_equal(loaded, encoding.values(range(100)))
    yield is_same, "a table of 100 x 128 was written as .npy and read back bit for bit"
    yield "def sinusoidal(t, omega" in code("encoding", State(encoding)), "the source of its formula was found"
    is_whole = content.rstrip().endswith("</svg>") and "d_model = 32" in content
    yield is_whole, f"the encoding matrix was written as .svg, {written.n_bytes} bytes with its parameters"
