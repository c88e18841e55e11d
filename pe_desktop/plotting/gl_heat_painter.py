"""The heat map's back end for a GPU: OpenGL between a view's other paint, with the raster back end behind it."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QImage, QOpenGLContext, QPaintEngine, QPainter
from PySide6.QtOpenGL import QOpenGLFramebufferObject
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QGraphicsView, QWidget

from pe_desktop.core.fields import Field
from pe_desktop.core.samples import even_sample
from pe_desktop.plotting.gl_painter import GLPainter, OpenGLError
from pe_desktop.plotting.gl_plan import Draw, plan
from pe_desktop.plotting.gl_probe import surface_format
from pe_desktop.plotting.heat_scene import HeatPainter, HeatScene, Rectangle
from pe_desktop.plotting.heatmap import Coarseness, HeatMap, View
from pe_desktop.plotting.renderer import Renderer

# The first picture is compared on a grid of 16 x 16 pixels.
CHECKED_SIDE: Final = 16
# Float32 may put a value on the edge of two levels on either side.
MOST_LEVELS_OFF: Final = 1
# Colours that are the numbers of the levels.
_NUMBERS: Final = np.arange(256, dtype=np.uint32) | np.uint32(0xFF000000)


class GLHeatPainter(QObject):
    """Gives a view the viewport of the back end that a renderer chooses, and draws in it.

    What OpenGL can't draw, and what is painted elsewhere than in the viewport, the raster back end draws.
    """

    def __init__(self, view: QGraphicsView, renderer: Renderer, raster: HeatPainter) -> None:
        super().__init__(view)
        self._view = view
        self._renderer = renderer
        self._raster = raster
        self._painter: GLPainter | None = None
        self._key: tuple[Field, View, tuple[int, int]] | None = None
        self._planned: Sequence[Draw] | None = None
        # What the picture that is kept on the GPU shows: scene, colours, ground.
        self._drawn: tuple[object, bytes, int] | None = None
        self._is_exact = False
        self.n_frames = 0
        self.n_pictures = 0
        # Queued, because a viewport must not be taken away while it is painted on.
        renderer.changed.connect(self.show_viewport, Qt.ConnectionType.QueuedConnection)
        self.show_viewport()

    @property
    def coarseness(self) -> Coarseness | None:
        """That of the raster picture where it is shown: OpenGL's is exact."""
        return None if self._is_exact else self._raster.coarseness

    def show_viewport(self) -> None:
        """Give the view the viewport of the back end that draws."""
        if self._renderer.is_opengl == isinstance(self._view.viewport(), QOpenGLWidget):
            return
        viewport = QWidget()
        if self._renderer.is_opengl:
            viewport = QOpenGLWidget()
            viewport.setFormat(surface_format())
        self.free()
        self._view.setViewport(viewport)
        viewport.setMouseTracking(True)

    def paint(self, painter: QPainter, scene: HeatScene, frame: Rectangle, ratio: float) -> None:
        """Fill the frame with the exact picture, or with what the raster back end has at once."""
        self._is_exact = self._paint_with_opengl(painter, scene, frame, ratio)
        if self._is_exact:
            self._raster.rest()
        else:
            self._raster.paint(painter, scene, frame, ratio)

    def paint_exact(self, painter: QPainter, scene: HeatScene, frame: Rectangle, ratio: float) -> None:
        """Pictures that are taken away are the raster back end's."""
        self._raster.paint_exact(painter, scene, frame, ratio)

    def rest(self) -> None:
        """Nothing goes on in a hidden view."""
        self._raster.rest()

    def free(self) -> None:
        """Give back what is on the GPU."""
        if self._painter is not None:
            self._painter.free()
            self._painter = None

    def _paint_with_opengl(self, painter: QPainter, scene: HeatScene, frame: Rectangle, ratio: float) -> bool:
        """Whether it was drawn. An error turns OpenGL off for the whole window."""
        if not self._renderer.is_opengl or painter.paintEngine().type() != QPaintEngine.Type.OpenGL2:
            return False
        try:
            draws = self._plan(scene, (round(frame[2] * ratio), round(frame[3] * ratio)))
            if draws is None:
                return False
            self._renderer.begin_frame()
            # In device pixels already; deviceTransform() would add the viewport's place in its window.
            corner = painter.combinedTransform().map(QPointF(frame[0], frame[1]))
            with _native(painter):
                self._draw(draws, scene, corner, QSize(self._view.viewport().size()) * ratio)
        except Exception as error:  # noqa: BLE001 - whatever a driver does, the picture is drawn without it
            self._renderer.fail(str(error))
            return False
        self._renderer.end_frame()
        self.n_frames += 1
        return True

    def _plan(self, scene: HeatScene, size_px: tuple[int, int]) -> Sequence[Draw] | None:
        key = (scene.field, scene.view, size_px)
        if key != self._key:
            self._key, self._planned = key, plan(*key)
        return self._planned

    def _draw(self, draws: Sequence[Draw], scene: HeatScene, corner: QPointF, viewport_px: QSize) -> None:
        gl = self._painter_now()
        for program in {draw.program for draw in draws}:
            if not self._renderer.is_checked(program):
                assert self._key is not None
                check(gl, draws, *self._key)
                self._renderer.note_check(program)
        assert self._key is not None
        picture = gl.picture(self._key[2])
        drawn = (self._key, scene.colors.tobytes(), scene.ground.rgb())
        if drawn != self._drawn:
            _draw_into(picture, gl, draws, scene)
            self._drawn = drawn
            self.n_pictures += 1
        left, top = round(corner.x()), viewport_px.height() - round(corner.y()) - picture.height()
        place = QRect(left, top, picture.width(), picture.height())
        gl.forget_errors()
        # No target is the viewport's own framebuffer.
        QOpenGLFramebufferObject.blitFramebuffer(None, place, picture, QRect(0, 0, place.width(), place.height()))  # type: ignore[call-overload]
        gl.check_errors()

    def _painter_now(self) -> GLPainter:
        # Not the viewport's context(): PySide counts what that returns as gone before the context says goodbye.
        context: QOpenGLContext | None = QOpenGLContext.currentContext()
        if context is None:
            raise OpenGLError("The window lost its OpenGL context.")
        if self._painter is None or self._painter.context is not context:
            self.free()
            self._painter, self._drawn = GLPainter(context), None
        return self._painter


@contextlib.contextmanager
def _native(painter: QPainter) -> Iterator[None]:
    """OpenGL's own calls between those of a painter, which finds its state again."""
    painter.beginNativePainting()
    try:
        yield
    finally:
        painter.endNativePainting()


def _draw_into(picture: QOpenGLFramebufferObject, gl: GLPainter, draws: Sequence[Draw], scene: HeatScene) -> None:
    picture.bind()
    try:
        gl.clear(scene.ground)
        gl.paint(draws, scene.colors, 0, 0, (picture.width(), picture.height()))
    finally:
        picture.release()


def check(painter: GLPainter, draws: Sequence[Draw], field: Field, view: View, size_px: tuple[int, int]) -> None:
    """Raises OpenGLError unless the picture has the levels of the raster picture, looked at on 256 pixels."""
    picture = painter.picture(size_px)
    picture.bind()
    painter.clear(QColor(0, 0, 0, 0))
    painter.paint(draws, _NUMBERS, 0, 0, size_px)
    picture.release()
    drawn = _sampled(picture.toImage())
    wanted = _sampled(HeatMap().image(field, view, size_px, _NUMBERS))
    n_wrong = int((np.abs(drawn - wanted) > MOST_LEVELS_OFF).sum())
    if n_wrong:
        raise OpenGLError(f"OpenGL drew {n_wrong} of {drawn.size} pixels in another colour than the CPU.")


def _sampled(image: QImage) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Levels on an even grid, -256 where nothing was drawn."""
    image = image.convertToFormat(QImage.Format.Format_ARGB32)
    pixels = np.frombuffer(image.constBits(), dtype=np.uint32).reshape(image.height(), image.width())
    rows, columns = (np.asarray(even_sample(side, CHECKED_SIDE)) for side in pixels.shape)
    some = pixels[np.ix_(rows, columns)].astype(np.int64)
    return np.where(some >> 24 == 0, -256, some & 0xFF)
