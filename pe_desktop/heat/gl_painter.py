"""The back end that draws heat maps with OpenGL: a view of pyqtgraph that paints the frames of its canvas."""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
import pyqtgraph
from PySide6.QtCore import QObject, QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QImage,
    QOffscreenSurface,
    QOpenGLContext,
    QOpenGLFunctions,
    QPaintEngine,
    QPainter,
    QPaintEvent,
)
from PySide6.QtOpenGL import (
    QOpenGLFramebufferObject,
    QOpenGLShader,
    QOpenGLShaderProgram,
    QOpenGLTexture,
    QOpenGLVertexArrayObject,
)
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget

from pe_desktop.core.fields.field import Field, even_sample
from pe_desktop.draw.canvas import Canvas
from pe_desktop.heat.gl_plan import Draw, Table, folded, plan, shader_sources
from pe_desktop.heat.heatmap import Coarseness, Colors, HeatMap, View
from pe_desktop.heat.raster import HeatLayer, RasterPainter
from pe_desktop.heat.renderer import Renderer, surface_format

_GL_NO_ERROR: Final = 0
_GL_TRIANGLES: Final = 0x0004
_GL_DEPTH_TEST: Final = 0x0B71
_GL_STENCIL_TEST: Final = 0x0B90
_GL_COLOR_BUFFER_BIT: Final = 0x4000
_GL_BLEND: Final = 0x0BE2
_GL_SCISSOR_TEST: Final = 0x0C11
_GL_TEXTURE0: Final = 0x84C0
# A driver that lost its context reports an error at every call.
_MOST_ERRORS: Final = 16

_Texture: TypeAlias = QOpenGLTexture.TextureFormat
_Pixel: TypeAlias = QOpenGLTexture.PixelFormat
_Entry: TypeAlias = QOpenGLTexture.PixelType
_FORMATS: Final[dict[tuple[str, int], tuple[_Texture, _Pixel, _Entry]]] = {
    ("uint32", 2): (_Texture.R32U, _Pixel.Red_Integer, _Entry.UInt32),
    ("uint32", 3): (_Texture.RG32U, _Pixel.RG_Integer, _Entry.UInt32),
    ("float32", 2): (_Texture.R32F, _Pixel.Red, _Entry.Float32),
    ("uint8", 3): (_Texture.RGBA8_UNorm, _Pixel.RGBA, _Entry.UInt8),
}


class _OpenGLError(RuntimeError):
    """Raised where a driver reports an error; the message is one sentence."""


class _ContextPainter(QObject):
    """Programs and textures of one OpenGL context, which must be current when something is painted.

    Everything is freed before the context is destroyed; nothing can be painted afterwards.
    """

    def __init__(self, context: QOpenGLContext) -> None:
        super().__init__(context)
        # The context that this belongs to; None once it is destroyed.
        self.context: QOpenGLContext | None = context
        self._functions: QOpenGLFunctions = context.functions()
        self._programs: dict[str, QOpenGLShaderProgram] = {}
        # By their names in the shaders, with the tables that they hold.
        self._textures: dict[str, tuple[QOpenGLTexture, Table]] = {}
        self._picture: QOpenGLFramebufferObject | None = None
        self._vertices = QOpenGLVertexArrayObject(self)
        self._vertices.create()
        # A context that has lost its window is made current on this surface, to free what it holds.
        self._surface = QOffscreenSurface()
        self._surface.setFormat(context.format())
        self._surface.create()
        self.n_bytes_uploaded = 0
        context.aboutToBeDestroyed.connect(self.free)

    def picture(self, size_px: tuple[int, int]) -> QOpenGLFramebufferObject:
        """A framebuffer of this size that is kept: what is drawn into it stays until the size changes."""
        if self._picture is None or (self._picture.width(), self._picture.height()) != size_px:
            self._picture = QOpenGLFramebufferObject(QSize(*size_px))
            if not self._picture.isValid():
                raise _OpenGLError(f"The driver has no framebuffer of {size_px[0]} x {size_px[1]} pixels.")
        return self._picture

    def drawn(
        self, draws: Sequence[Draw], table: Colors, ground: QColor, size_px: tuple[int, int]
    ) -> QOpenGLFramebufferObject:
        """The framebuffer of this size with a picture on a ground of one colour.

        Raises _OpenGLError with a sentence where a shader doesn't compile or OpenGL reports an error.
        """
        self.forget_errors()
        functions, picture = self._functions, self.picture(size_px)
        picture.bind()
        self._vertices.bind()
        try:
            for test in (_GL_BLEND, _GL_DEPTH_TEST, _GL_STENCIL_TEST, _GL_SCISSOR_TEST):
                functions.glDisable(test)
            functions.glClearColor(*ground.getRgbF())  # type: ignore[misc] # four numbers
            functions.glClear(_GL_COLOR_BUFFER_BIT)
            functions.glEnable(_GL_SCISSOR_TEST)
            functions.glViewport(0, 0, *size_px)
            for draw in draws:
                self._draw(draw, table, size_px[1])
        finally:
            self._vertices.release()
            picture.release()
            functions.glDisable(_GL_SCISSOR_TEST)
            functions.glActiveTexture(_GL_TEXTURE0)
        self.check_errors()
        return picture

    def forget_errors(self) -> None:
        """Discard errors that other code left behind."""
        for _ in range(_MOST_ERRORS):
            if self._functions.glGetError() == _GL_NO_ERROR:
                return

    def check_errors(self) -> None:
        """Raise _OpenGLError where OpenGL reports an error."""
        error = self._functions.glGetError()
        if error != _GL_NO_ERROR:
            raise _OpenGLError(f"The driver answered with OpenGL error 0x{error:04x}.")

    def free(self) -> None:
        """Free what is held on the GPU; the context that was current, if any, stays current."""
        context = self.context
        before: QOpenGLContext | None = QOpenGLContext.currentContext()
        if context is None:
            return
        self.context = None
        context.aboutToBeDestroyed.disconnect(self.free)
        is_current = before is context
        if is_current or context.makeCurrent(self._surface):
            for texture, _ in self._textures.values():
                texture.destroy()
            for program in self._programs.values():
                program.removeAllShaders()
            self._vertices.destroy()
            # Its texture is freed with it, as long as the context is current.
            self._picture = None
            if before is None:
                context.doneCurrent()
            elif not is_current:
                # A viewport that is painted on while another is freed: without a context its next call would crash.
                before.makeCurrent(before.surface())
        self._textures, self._programs, self._picture = {}, {}, None
        self._surface.destroy()
        # WORKAROUND for PySide6 6.11: what outlives its context here would be found at the address of a later context.
        del self._functions
        self.deleteLater()

    def _draw(self, draw: Draw, table: Colors, height: int) -> None:
        functions = self._functions
        program = self._program(draw.program)
        program.bind()
        # The colours of the levels as bytes red, green, blue, alpha, shape (256, 4).
        channels = np.stack([table >> 16, table >> 8, table, table >> 24], axis=1).astype(np.uint8)
        for unit, (name, entries) in enumerate({"u_colors": channels, **draw.tables}.items()):
            self._texture(name, entries).bind(unit)
            functions.glUniform1i(program.uniformLocation(name), unit)
        for name, integer in {**draw.integers, "u_left": draw.left, "u_top": height - 1 - draw.top}.items():
            functions.glUniform1i(program.uniformLocation(name), integer)
        for name, number in draw.floats.items():
            functions.glUniform1f(program.uniformLocation(name), number)
        for band_top, band_height in draw.bands:
            functions.glScissor(draw.left, height - band_top - band_height, draw.width, band_height)
            functions.glDrawArrays(_GL_TRIANGLES, 0, 3)
        program.release()

    def _program(self, name: str) -> QOpenGLShaderProgram:
        program = self._programs.get(name)
        if program is None:
            assert self.context is not None
            is_es = self.context.isOpenGLES()
            program = QOpenGLShaderProgram(self)
            kinds = QOpenGLShader.ShaderTypeBit
            sources = zip((kinds.Vertex, kinds.Fragment), shader_sources(name, is_es), strict=True)
            if not all(program.addShaderFromSourceCode(kind, source) for kind, source in sources) or not program.link():
                raise _OpenGLError(f"The driver does not take the shader {name!r}: {program.log().strip()}")
            self._programs[name] = program
        return program

    def _texture(self, name: str, table: Table) -> QOpenGLTexture:
        """The texture of a table; only what changed is uploaded."""
        texture, held = self._textures.get(name, (None, None))
        is_same = held is table or (held is not None and held.dtype == table.dtype and np.array_equal(held, table))
        if texture is not None and is_same:
            return texture
        content = np.ascontiguousarray(folded(table))
        if texture is None or (texture.width(), texture.height()) != content.shape[1::-1]:
            if texture is not None:
                texture.destroy()
            texture = _new_texture(content)
        _, pixel_format, pixel_type = _FORMATS[content.dtype.name, content.ndim]
        texture.setData(pixel_format, pixel_type, content)  # type: ignore[call-overload]
        self._textures[name] = texture, table
        self.n_bytes_uploaded += content.nbytes
        return texture


def _new_texture(content: Table) -> QOpenGLTexture:
    texture_format, pixel_format, pixel_type = _FORMATS[content.dtype.name, content.ndim]
    texture = QOpenGLTexture(QOpenGLTexture.Target.Target2D)
    texture.setFormat(texture_format)
    texture.setSize(*content.shape[1::-1])
    texture.setMipLevels(1)
    texture.setMinMagFilters(QOpenGLTexture.Filter.Nearest, QOpenGLTexture.Filter.Nearest)
    texture.setWrapMode(QOpenGLTexture.WrapMode.ClampToEdge)
    texture.allocateStorage(pixel_format, pixel_type)
    if not texture.isStorageAllocated():
        raise _OpenGLError(f"The driver has no texture of {content.shape[1]} x {content.shape[0]} entries.")
    return texture


# The first picture is compared on a grid of 16 x 16 pixels.
_CHECKED_SIDE: Final = 16
# Float32 may put a value on the edge of two levels on either side.
MOST_LEVELS_OFF: Final = 1
# Colours that are the numbers of the levels.
_NUMBERS: Final = np.arange(256, dtype=np.uint32) | np.uint32(0xFF000000)


def check(painter: _ContextPainter, draws: Sequence[Draw], field: Field, view: View, size_px: tuple[int, int]) -> None:
    """Raise _OpenGLError unless the picture has the levels of the raster picture, compared on 256 pixels."""
    drawn = _sampled(painter.drawn(draws, _NUMBERS, QColor(0, 0, 0, 0), size_px).toImage())
    wanted = _sampled(HeatMap().image(field, view, size_px, _NUMBERS))
    n_wrong = int((np.abs(drawn - wanted) > MOST_LEVELS_OFF).sum())
    if n_wrong:
        raise _OpenGLError(f"OpenGL drew {n_wrong} of {drawn.size} pixels in another colour than the CPU.")


def _sampled(image: QImage) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Levels on an even grid, -256 where nothing was drawn."""
    image = image.convertToFormat(QImage.Format.Format_ARGB32)
    pixels = np.frombuffer(image.constBits(), dtype=np.uint32).reshape(image.height(), image.width())
    rows, columns = (np.asarray(even_sample(side, _CHECKED_SIDE)) for side in pixels.shape)
    sample = pixels[np.ix_(rows, columns)].astype(np.int64)
    return np.where(sample >> 24 == 0, -256, sample & 0xFF)


class HeatView(pyqtgraph.GraphicsView):  # type: ignore[misc]
    """A view that covers its canvas and paints its frames, in the viewport of the back end that a renderer chooses.

    It is in pixels of the canvas and takes no mouse and no focus. The raster back end draws what OpenGL can't draw and
    what is painted outside the viewport.
    """

    def __init__(self, canvas: Canvas, renderer: Renderer, raster: RasterPainter) -> None:
        super().__init__(canvas, useOpenGL=False, background=None)
        self._canvas = canvas
        self._renderer = renderer
        self._raster = raster
        self._overlay = QImage()
        self._painter: _ContextPainter | None = None
        self._key: tuple[Field, View, tuple[int, int]] | None = None
        self._planned: Sequence[Draw] | None = None
        # What the picture that is kept on the GPU shows: scene, colours, ground.
        self._drawn: tuple[object, bytes, int] | None = None
        self._is_exact = False
        self.n_frames = 0
        self.n_pictures = 0
        self.setFrameShape(self.Shape.NoFrame)
        # Each frame covers it, so no background is needed under it.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        # Queued, because a viewport must not be taken away while it is painted on.
        renderer.changed.connect(self.show_viewport, Qt.ConnectionType.QueuedConnection)
        self.show_viewport()

    @property
    def coarseness(self) -> Coarseness | None:
        """That of the raster picture where it is shown: OpenGL's is exact."""
        return None if self._is_exact else self._raster.coarseness

    def show_viewport(self) -> None:
        """Take the viewport of the back end that draws."""
        if self._renderer.is_opengl == isinstance(self.viewport(), QOpenGLWidget):
            return
        viewport = QWidget()
        if self._renderer.is_opengl:
            viewport = QOpenGLWidget()
            viewport.setFormat(surface_format())
        self.free()
        self.setViewport(viewport)

    def paint(self, painter: QPainter, layer: HeatLayer, ratio: float) -> None:
        self._is_exact = self._paint_with_opengl(painter, layer, ratio)
        if self._is_exact:
            self._raster.rest()
        else:
            self._raster.paint(painter, layer, ratio)

    def free(self) -> None:
        """Free what is on the GPU."""
        if self._painter is not None:
            self._painter.free()
            self._painter = None

    def _paint_with_opengl(self, painter: QPainter, layer: HeatLayer, ratio: float) -> bool:
        """Return whether it was drawn. An error turns OpenGL off for the whole window."""
        if not self._renderer.is_opengl or painter.paintEngine().type() != QPaintEngine.Type.OpenGL2:
            return False
        try:
            key = layer.field, layer.view, layer.size_px(ratio)
            if key != self._key:
                self._key, self._planned = key, plan(*key)
            draws = self._planned
            if draws is None:
                return False
            self._renderer.begin_frame()
            # In device pixels already; deviceTransform() would add the viewport's place in its window.
            corner = painter.combinedTransform().map(QPointF(layer.area.x, layer.area.y))
            # OpenGL calls between those of a painter, whose state is restored.
            painter.beginNativePainting()
            try:
                self._draw(draws, layer, corner, QSize(self.viewport().size()) * self.devicePixelRatioF())
            finally:
                painter.endNativePainting()
        except Exception as error:  # noqa: BLE001 - whatever a driver does, the picture is drawn without it
            self._renderer.fail(str(error))
            return False
        self._renderer.end_frame()
        self.n_frames += 1
        return True

    def _draw(self, draws: Sequence[Draw], layer: HeatLayer, corner: QPointF, viewport_px: QSize) -> None:
        gl = self._painter_now()
        key = self._key
        programs = {draw.program for draw in draws}
        assert key is not None
        if not programs <= self._renderer.checked:
            check(gl, draws, *key)
            self._renderer.checked |= programs
            self._drawn = None
        picture = gl.picture(key[2])
        drawn = (key, layer.colors.tobytes(), layer.ground.rgb())
        if drawn != self._drawn:
            gl.drawn(draws, layer.colors, layer.ground, key[2])
            self._drawn = drawn
            self.n_pictures += 1
        left = round(corner.x())
        top = viewport_px.height() - round(corner.y()) - picture.height()
        place = QRect(left, top, picture.width(), picture.height())
        gl.forget_errors()
        # No target is the viewport's own framebuffer.
        QOpenGLFramebufferObject.blitFramebuffer(None, place, picture, QRect(0, 0, place.width(), place.height()))  # type: ignore[call-overload]
        gl.check_errors()

    def _painter_now(self) -> _ContextPainter:
        # Not the viewport's context(): PySide invalidates what that returns before aboutToBeDestroyed is emitted.
        context: QOpenGLContext | None = QOpenGLContext.currentContext()
        if context is None:
            raise _OpenGLError("The window lost its OpenGL context.")
        if self._painter is None or self._painter.context is not context:
            self.free()
            self._painter, self._drawn = _ContextPainter(context), None
        return self._painter

    def paintEvent(self, event: QPaintEvent) -> None:
        self._canvas.paint_frame(self._paint)

    def _paint(self) -> None:
        with QPainter(self.viewport()) as painter:
            painter.scale(self._canvas.zoom, self._canvas.zoom)
            self._canvas.paint_still(painter)
            self._canvas.paint_map(painter)
            self._paint_moving(painter)

    def _paint_moving(self, painter: QPainter) -> None:
        """The moving marks; on a clear image first where OpenGL draws, whose own lines and letters look different."""
        if not isinstance(self.viewport(), QOpenGLWidget):
            self._canvas.paint_moving(painter)
            return
        ratio = self.devicePixelRatioF()
        size_px = (self.size().toSizeF() * ratio).toSize()
        if self._overlay.size() != size_px:
            self._overlay = QImage(size_px, QImage.Format.Format_ARGB32_Premultiplied)
        self._overlay.setDevicePixelRatio(ratio * self._canvas.zoom)
        self._overlay.fill(Qt.GlobalColor.transparent)
        with QPainter(self._overlay) as over:
            self._canvas.paint_moving(over)
        painter.drawImage(0, 0, self._overlay)
