"""Runs the heat map's shaders on a GPU without a screen: error and frame time: python -m benchmarks.gl_device.

moderngl (benchmarks/gl_device_requirements.txt) makes the context by EGL; shaders, tables and draws are the window's.
"""

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import moderngl  # type: ignore[import-not-found]
import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.offsets import OffsetField
from pe_desktop.core.fields.similarity import similarity_field
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.draw.theme import themes
from pe_desktop.heat.gl_plan import Draw, folded, plan, shader_sources
from pe_desktop.heat.heatmap import View, color_table

SIZES = ((1000, 800), (3840, 2160))
N_FRAMES = 60
N_SAMPLES = 300
SECONDS = 20.0
COLOR_LINE = "color = color_of_level(int(clamp(level, 0.0, u_last_level)));"
VALUE_LINE = "color = vec4(sum / float(u_rows_in_block));"


@dataclass(frozen=True, slots=True)
class Case:
    """A field and the part of it that is seen; the blocks that pixels of the smaller picture show must be whole."""

    words: str
    field: Field
    view: View


class Device:
    """A context with the window's programs; draws plans as `_ContextPainter` does, into a framebuffer of its own."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._programs: dict[tuple[str, bool], Any] = {}
        self._textures: dict[str, tuple[NDArray[Any], Any]] = {}
        colors = color_table(themes()["light"].diverging)
        channels = np.stack([colors >> 16, colors >> 8, colors, colors >> 24], axis=1).astype(np.uint8)
        self._colors = folded(channels)

    def framebuffer(self, size: tuple[int, int], is_float: bool) -> Any:
        """What is drawn into: colours, or the means themselves."""
        texture = self._context.texture(size, 4, dtype="f4" if is_float else "f1")
        return self._context.framebuffer([texture])

    def draw(self, draws: Sequence[Draw], framebuffer: Any, shows_values: bool = False) -> None:
        """One frame; returns when the GPU has done its part."""
        framebuffer.use()
        height = framebuffer.size[1]
        for draw in draws:
            program = self._program(draw.program, shows_values)
            self._bind(program, {"u_colors": self._colors, **draw.tables})
            numbers = {**draw.integers, **draw.floats, "u_left": draw.left, "u_top": height - 1 - draw.top}
            for name, number in numbers.items():
                if name in program:
                    program[name].value = number
            triangle = self._context.vertex_array(program, [])
            for top, band in draw.bands:
                framebuffer.scissor = (draw.left, height - top - band, draw.width, band)
                triangle.render(moderngl.TRIANGLES, vertices=3)
            triangle.release()
        self._context.finish()

    def _program(self, name: str, shows_values: bool) -> Any:
        key = name, shows_values
        if key not in self._programs:
            vertices, source = shader_sources(name, False)
            if shows_values:
                if COLOR_LINE not in source:
                    raise RuntimeError("The shader no longer has the line that this benchmark replaces")
                source = source.replace(COLOR_LINE, VALUE_LINE)
            self._programs[key] = self._context.program(vertex_shader=vertices, fragment_shader=source)
        return self._programs[key]

    def _bind(self, program: Any, tables: Mapping[str, NDArray[Any]]) -> None:
        for unit, (name, table) in enumerate(tables.items()):
            if name in program:
                self._texture(name, table).use(unit)
                program[name].value = unit

    def _texture(self, name: str, table: NDArray[Any]) -> Any:
        held = self._textures.get(name)
        if held is not None and np.array_equal(held[0], table):
            return held[1]
        if held is not None:
            held[1].release()
        content = table if name == "u_colors" else folded(table)
        kind = {"uint32": "u4", "float32": "f4", "uint8": "f1"}[content.dtype.name]
        n_components = content.shape[2] if content.ndim == 3 else 1
        size = content.shape[1], content.shape[0]
        texture = self._context.texture(size, n_components, np.ascontiguousarray(content).tobytes(), dtype=kind)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._textures[name] = table, texture
        return texture


def error_cases() -> Iterator[Case]:
    """One cell a pixel and many, near and far; 512 rows on 256 pixels are two dimensions a pixel."""
    encoding = SinusoidalEncoding(10_000_000, 512)
    for first in (0, 1_000, 1_000_000, 9_000_000):
        yield Case(f"a cell a pixel from {first}", EncodingField(encoding), View(0, 256, first, first + 256))
        yield Case(
            f"2 x 3000 cells a pixel from {first}", HalvesField(encoding), View(0, 512, first, first + 256 * 3_000)
        )


def largest_error(device: Device, case: Case) -> float:
    """Against float64 means, cell by cell, at a sample of pixels of a picture of 256 x 256."""
    size = (256, 256)
    draws = plan(case.field, case.view, size)
    assert draws is not None
    framebuffer = device.framebuffer(size, is_float=True)
    device.draw(draws, framebuffer, shows_values=True)
    drawn = np.frombuffer(framebuffer.read(components=1, dtype="f4"), dtype=np.float32).reshape(size)[::-1]
    assert isinstance(case.field, EncodingField | HalvesField)
    encoding, view = case.field.encoding, case.view
    n_rows, n_columns = (
        round((view.last_row - view.first_row) / 256),
        round((view.last_column - view.first_column) / 256),
    )
    errors = []
    for y, x in np.random.default_rng(1).integers(0, 256, (N_SAMPLES, 2)).tolist():
        row = round(view.first_row) + y * n_rows
        rows = range(row, row + n_rows)
        dimensions = case.field.dimensions[rows.start : rows.stop]
        column = round(view.first_column)
        # Blocks begin at multiples of their size.
        start = (column + x * n_columns + n_columns // 2) // n_columns * n_columns
        truth = float(encoding.values(range(start, start + n_columns), dimensions).mean())
        errors.append(abs(float(drawn[y, x]) - truth))
    return max(errors)


def frame_cases() -> Iterator[Case]:
    """What the window draws at its dearest."""
    long, wide = SinusoidalEncoding(10_000_000, 4_096), SinusoidalEncoding(1_000_000, 65_536)
    yield Case("a cell a pixel", EncodingField(long), View(0, 1_000, 5_000_000, 5_001_000))
    yield Case("whole, d = 4096", HalvesField(long), View(0, 4_096, 0, 10_000_000))
    yield Case("whole, d = 65 536", HalvesField(wide), View(0, 65_536, 0, 1_000_000))
    lags = similarity_field(SinusoidalEncoding(16_384, 512), "dot")
    yield Case("similarity, 1000 positions", lags, View(0, 1_000, 0, 1_000))


def frame_milliseconds(device: Device, case: Case, size: tuple[int, int]) -> float:
    """The median of some frames, tables there already; square where the field is one of lags."""
    shown = (size[1], size[1]) if isinstance(case.field, OffsetField) else size
    draws = plan(case.field, case.view, shown)
    assert draws is not None
    framebuffer = device.framebuffer(shown, is_float=False)
    device.draw(draws, framebuffer)
    times: list[float] = []
    end = time.perf_counter() + SECONDS
    while len(times) < N_FRAMES and (not times or time.perf_counter() < end):
        start = time.perf_counter()
        device.draw(draws, framebuffer)
        times.append((time.perf_counter() - start) * 1e3)
    return median(times)


def main() -> int:
    """Print what draws, the errors, and the times."""
    device = Device(context := moderngl.create_standalone_context(backend="egl", require=330))
    print(f"{context.info['GL_RENDERER']}, OpenGL {context.info['GL_VERSION']}")
    print("\n| picture | largest error against float64 |\n| --- | --- |")
    for case in error_cases():
        print(f"| {case.words} | {largest_error(device, case):.1e} |")
    print("\n| ms a frame | " + " | ".join(f"{width} x {height}" for width, height in SIZES) + " |")
    print("|" + " --- |" * (len(SIZES) + 1))
    for case in frame_cases():
        times = " | ".join(f"{frame_milliseconds(device, case, size):.2f}" for size in SIZES)
        print(f"| {case.words} | {times} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
