"""What the shaders draw, against the raster picture and against values of the table."""

import random

import numpy as np
import pytest
from PySide6.QtGui import QOffscreenSurface, QOpenGLContext, QSurfaceFormat

from pe_desktop.core import KINDS, SinusoidalEncoding, switched
from pe_desktop.core.fields.field import Field, ShownField
from pe_desktop.core.fields.look_back import turned_score_field
from pe_desktop.core.fields.similarity import similarity_field
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.heat import gl_painter
from pe_desktop.heat.gl_painter import _ContextPainter, _OpenGLError
from pe_desktop.heat.gl_plan import plan
from pe_desktop.heat.heatmap import HeatMap, View
from tests.heat.test_heatmap import LAYOUTS, NUMBERS, SPACINGS
from tests.opengl.screen.conftest import NOT_DRAWN, Canvas
from tests.pictures import pixels

POSITIONS = (0, 1_000, 1_000_000, 10_000_000)
SIDE = 256
SIZE = (SIDE, SIDE)


def raster_levels(field: Field, view: View, size: tuple[int, int]) -> np.ndarray:
    """What the raster back end shows, 255 where nothing is."""
    shown = pixels(HeatMap().image(field, view, size, NUMBERS))
    return np.where(shown >> 24 == 0, NOT_DRAWN, shown & 0xFF)


def most_levels_off(canvas: Canvas, field: Field, view: View, size: tuple[int, int] = SIZE) -> int:
    """The largest difference of a pixel, in levels of 255; 255 - level where only one of them draws."""
    return int(np.abs(canvas.levels(field, view, size) - raster_levels(field, view, size)).max())


@pytest.mark.parametrize("position", POSITIONS)
def test_65536_cells_of_the_encoding_are_within_a_level_at_five_zooms(canvas, luck, position) -> None:
    encoding = SinusoidalEncoding(10_000_000, 512, 10000.0, luck.choice(SPACINGS), luck.choice(LAYOUTS))
    for n_cells in (16, SIDE, 700, 12_800, 900_000):
        first = min(position, 10_000_000 - n_cells)
        view = View(0, min(n_cells, 512), first, first + n_cells)
        aside = View(view.first_column, view.last_column, view.first_row, view.last_row)
        assert most_levels_off(canvas, EncodingField(encoding), view) <= 1
        assert most_levels_off(canvas, HalvesField(encoding), view) <= 1
        assert most_levels_off(canvas, HalvesField(encoding).transposed, aside) <= 1


@pytest.mark.parametrize("measure", ["dot", "cosine", "distance"])
def test_65536_similarities_are_within_a_level_at_five_zooms(canvas: Canvas, luck: random.Random, measure: str) -> None:
    position = luck.choice(POSITIONS)
    field = similarity_field(SinusoidalEncoding(10_000_000, 512, 10000.0, luck.choice(SPACINGS)), measure)
    for n_cells in (16, SIDE, 700, 12_800, 900_000):
        first = min(position, 10_000_000 - n_cells)
        view = View(first, first + n_cells, max(first - 40, 0), max(first - 40, 0) + n_cells)
        assert most_levels_off(canvas, field, view) <= 1


# Scores that know both directions; the widest tables; more columns than a texture is wide.
SCORES = turned_score_field(SinusoidalEncoding(10_000_000, 64), 3)
WIDEST = [SinusoidalEncoding(n_positions, 65_536) for n_positions in (1_000, 1_003, 1_000_000)]
LONG = EncodingField(SinusoidalEncoding(100_000, 16))
LARGE: list[tuple[Field, View, tuple[int, int]]] = [
    *((SCORES, View(1_000, 1_000 + n_cells, 990, 990 + n_cells), SIZE) for n_cells in (SIDE, 700, 900_000)),
    *((HalvesField(table), View(0, 65_536, 0, table.n_positions), (300, 120)) for table in WIDEST),
    *((EncodingField(table), View(0, 65_536, 0, table.n_positions), (300, 120)) for table in WIDEST),
    (LONG, View(0, 16, 50, 5_050), (5_000, 20)),
    (LONG.transposed, View(50, 5_050, 0, 16), (20, 5_000)),
]


@pytest.mark.parametrize(("field", "view", "size"), LARGE)
def test_the_largest_pictures_are_within_a_level(canvas: Canvas, field: Field, view: View, size) -> None:
    assert most_levels_off(canvas, field, view, size) <= 1


@pytest.mark.parametrize(("first", "n_cells"), [(9_999_900, (1, 1)), (7_000, (4, 100))])
def test_a_pixel_has_the_color_of_its_value_and_over_many_cells_of_their_mean(canvas: Canvas, first, n_cells) -> None:
    encoding, (down, across) = SinusoidalEncoding(10_000_000, 64), n_cells
    side = 64 // down
    last = first + side * across
    levels = canvas.levels(EncodingField(encoding), View(0, 64, first, last), (side, side))
    means = encoding.values(range(first, last)).T.reshape(side, down, side, across).mean(axis=(1, 3))
    assert np.abs((means + 1) / 2 * 254 - levels).max() < 0.5 + 1e-3


def test_nothing_is_drawn_outside_the_table(canvas: Canvas) -> None:
    field = EncodingField(SinusoidalEncoding(100, 60))
    levels = canvas.levels(field, View(-30, 90, -50, 150), (200, 120))
    is_inside = np.zeros((120, 200), dtype=np.bool_)
    is_inside[30:90, 50:150] = True
    assert np.array_equal(levels != NOT_DRAWN, is_inside)


@pytest.mark.parametrize("limits", [(-0.5, 0.5), (0.25, 0.75), (-3.0, -0.1)])
def test_values_beyond_a_typed_range_have_the_colour_of_its_end(canvas: Canvas, limits: tuple[float, float]) -> None:
    encoding = SinusoidalEncoding(10_000, 64)
    for n_cells in (16, 64, 700):
        table = ShownField(EncodingField(encoding), limits)
        assert most_levels_off(canvas, table, View(0, min(n_cells, 64), 0, n_cells)) <= 1
        dots = ShownField(similarity_field(encoding, "dot"), (32 * limits[0], 32 * limits[1]))
        assert most_levels_off(canvas, dots, View(0, n_cells, 100, 100 + n_cells)) <= 1


def test_a_change_of_base_uploads_one_turn_for_each_pair_and_an_unchanged_picture_nothing(canvas: Canvas) -> None:
    view = View(0, 256, 1_000, 1_256)
    canvas.levels(EncodingField(SinusoidalEncoding(10_000_000, 4_096, 10000.0)), view, SIZE)
    before = canvas.painter.n_bytes_uploaded
    field = EncodingField(SinusoidalEncoding(10_000_000, 4_096, 9999.0))
    first = canvas.levels(field, view, SIZE)
    assert canvas.painter.n_bytes_uploaded - before == 2_048 * 8
    assert np.array_equal(canvas.levels(field, view, SIZE), first)
    assert canvas.painter.n_bytes_uploaded - before == 2_048 * 8


def test_no_error_is_left_behind_and_that_of_another_is_not_ours(canvas: Canvas) -> None:
    functions = canvas.context.functions()
    functions.glEnable(0xFFFF)
    canvas.levels(EncodingField(SinusoidalEncoding()), View(0, 32, 0, 128), SIZE)
    assert functions.glGetError() == 0


@pytest.mark.qt_log_level_fail("CRITICAL")
def test_a_shader_that_is_not_understood_is_refused_with_a_sentence(canvas, monkeypatch) -> None:
    monkeypatch.setattr(gl_painter, "shader_sources", lambda *_: ("#version 140\nnonsense",) * 2)
    with pytest.raises(_OpenGLError, match="does not take the shader 'encoding'"):
        canvas.levels(EncodingField(SinusoidalEncoding()), View(0, 32, 0, 128), SIZE)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_encoding_is_drawn_right_or_left_to_the_cpu(canvas: Canvas, kind: str) -> None:
    field = EncodingField(switched(SinusoidalEncoding(5_000, 64), kind))
    d_model = field.shape[0]
    for n_cells in (100, 5_000):
        view = View(0, d_model, 0, n_cells)
        if plan(field, view, SIZE) is not None:
            assert most_levels_off(canvas, field, view) <= 1
        else:
            # Hands that turn unevenly, and those that get shorter.
            pairs = field.encoding.pairs
            assert pairs is None or not (pairs.turns_evenly and pairs.keeps_length)


@pytest.mark.parametrize(("start", "amplitude"), [(1.0, 1.0), (-0.5, 0.125), (123_456.75, 0.125)])
def test_hands_that_start_elsewhere_and_have_another_length_are_drawn_right(canvas, start, amplitude) -> None:
    encoding = SinusoidalEncoding(1_000_000, 128, start=start, amplitude=amplitude, scale=6.5)
    for n_cells in (128, 700_000):
        view = View(0, 128, 300_000, 300_000 + n_cells)
        assert most_levels_off(canvas, EncodingField(encoding), view) <= 1
    assert most_levels_off(canvas, similarity_field(encoding, "dot"), View(0, 300, 0, 300)) <= 1
    levels = canvas.levels(EncodingField(encoding), View(0, 128, 999_872, 1_000_000), (128, 128))
    values = encoding.values(range(999_872, 1_000_000)).T / amplitude
    assert np.abs((values + 1) / 2 * 254 - levels).max() < 0.5 + 1e-3


@pytest.mark.parametrize("is_es", [False, True])
def test_a_core_profile_and_opengl_es_draw_the_same(canvas: Canvas, is_es: bool) -> None:
    surface_format = QSurfaceFormat()
    surface_format.setVersion(3, 0 if is_es else 3)
    if is_es:
        surface_format.setRenderableType(QSurfaceFormat.RenderableType.OpenGLES)
    else:
        surface_format.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    surface, context = QOffscreenSurface(), QOpenGLContext()
    surface.setFormat(surface_format)
    surface.create()
    context.setFormat(surface_format)
    assert context.create()
    assert context.makeCurrent(surface)
    assert context.isOpenGLES() == is_es
    other = Canvas.__new__(Canvas)
    other.context, other.painter = context, _ContextPainter(context)
    encoding = SinusoidalEncoding(10_000_000, 512)
    for n_cells in (SIDE, 12_800):
        view = View(0, 512, 9_000_000, 9_000_000 + n_cells)
        assert most_levels_off(other, HalvesField(encoding), view) <= 1
    assert most_levels_off(other, similarity_field(encoding, "distance"), View(0, 300, 0, 300)) <= 1
    other.close()
