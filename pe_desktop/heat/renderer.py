"""Which back end draws heat maps: the crash marker, the probe of OpenGL, and the choice between raster and OpenGL."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO, Final

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication, QSurfaceFormat

from pe_desktop.core.record import record
from pe_desktop.files import hold, is_held

MARKER_NAME: Final = "opengl-is-being-tried"
_MOMENT: Final = 0.05  # seconds


class CrashMarker:
    """A file of each process that tries OpenGL, which it holds; one that no process holds any more means a crash.

    Where a file can't be written or held, nothing is recorded.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None

    @property
    def tells_of_a_crash(self) -> bool:
        """Whether a process ended while it tried OpenGL."""
        return any(map(_is_left, self._files()))

    def note(self) -> bool:
        """Record that this process tries OpenGL; return whether that could be done."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.with_name(f"{self._path.name}-{os.urandom(4).hex()}").open("xb")
            hold(self._file)
        except OSError:
            self.take_back()
            return False
        return True

    def take_back(self) -> None:
        """Remove the file of this process."""
        if self._file is not None:
            self._file.close()
            with contextlib.suppress(OSError):
                Path(self._file.name).unlink()
            self._file = None

    def forget(self) -> None:
        """Remove the files of this process and of those that have ended."""
        self.take_back()
        for file in self._files():
            if _is_left(file):
                with contextlib.suppress(OSError):
                    file.unlink()

    def _files(self) -> Iterable[Path]:
        return self._path.parent.glob(f"{self._path.name}*")


def _is_left(file: Path) -> bool:
    """Whether a file is there that no process holds; for a moment one that is made or removed isn't held, either."""
    if not is_held(file):
        time.sleep(_MOMENT)
    return not is_held(file)


_GL_RENDERER: Final = 0x1F01

_OLDEST_OPENGL: Final = (3, 3)
_OLDEST_ES: Final = (3, 0)
# Programs that draw OpenGL with the processor: the raster back end does that faster.
SOFTWARE: Final = (
    *("llvmpipe", "softpipe", "swrast", "software rasterizer", "swiftshader"),
    *("gdi generic", "basic render driver", "apple software renderer"),
)
# Qt platforms that draw without a screen: there is no GPU, and Qt would print a warning.
_SCREENLESS: Final = ("offscreen", "minimal", "linuxfb", "vnc")
# Device files of a GPU on Linux: kernel drivers, NVIDIA's own, and Windows' GPU seen from WSL.
_DEVICES: Final = ("dri/renderD*", "dri/card*", "nvidia[0-9]*", "dxg", "mali*", "kgsl*")


@record
class _Graphics:
    """The result of a probe: whether OpenGL draws with a GPU, and the reason in one sentence.

    renderer: the program that draws, "" where it is none that the shaders run on.
    """

    is_gpu: bool
    why: str
    renderer: str = ""


def _has_graphics_device(folder: Path = Path("/dev"), system: str = sys.platform) -> bool:
    """Whether there may be a GPU at all: on Linux from its device files; elsewhere only a probe can say."""
    return system != "linux" or any(next(folder.glob(pattern), None) is not None for pattern in _DEVICES)


def prepare_application() -> None:
    """Let an OpenGL context survive a dock that floats, and be a core profile; before the application object is made.

    It costs nothing where no context is made.
    """
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    QSurfaceFormat.setDefaultFormat(surface_format())


def surface_format() -> QSurfaceFormat:
    """What contexts are asked for: OpenGL 3.3 core, because macOS gives 2.1 otherwise."""
    wanted = QSurfaceFormat.defaultFormat()
    if wanted.renderableType() != QSurfaceFormat.RenderableType.OpenGLES:
        wanted.setVersion(*_OLDEST_OPENGL)
        wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    return wanted


def _probe() -> _Graphics:
    """Look for a GPU. Needs the application object; raises nothing and prints nothing."""
    name = QGuiApplication.platformName()
    if name in _SCREENLESS:
        return _Graphics(False, f"There is no OpenGL without a screen (Qt platform {name}).")
    before = qInstallMessageHandler(lambda _kind, _context, _message: None)
    try:
        words = _words_of_a_context()
    except Exception as error:  # noqa: BLE001 - any error of a driver; pictures are drawn without it
        return _Graphics(False, f"OpenGL could not be asked: {error}.")
    finally:
        qInstallMessageHandler(before)
    return _Graphics(False, "No OpenGL context could be made.") if words is None else _judged(*words)


def _judged(renderer: str, number: tuple[int, int], is_es: bool) -> _Graphics:
    """Judge what OpenGL reports about itself."""
    oldest = _OLDEST_ES if is_es else _OLDEST_OPENGL
    is_gpu = False
    if number < oldest:
        words = f"OpenGL {'ES ' if is_es else ''}{number[0]}.{number[1]}"
        why = f"{renderer or 'The driver'} speaks {words} only; {oldest[0]}.{oldest[1]} is needed."
        renderer = ""
    elif not renderer:
        why = "OpenGL does not say what it draws with."
    elif any(name in renderer.lower() for name in SOFTWARE):
        why = f"{renderer} draws OpenGL with the processor."
    else:
        why = f"OpenGL draws with {renderer}."
        is_gpu = True
    return _Graphics(is_gpu, why, renderer)


def _words_of_a_context() -> tuple[str, tuple[int, int], bool] | None:
    """What draws, the version, and whether it is OpenGL ES; None where there is no context."""
    from PySide6.QtGui import QOffscreenSurface, QOpenGLContext  # noqa: PLC0415 - the first frame needs none

    wanted = surface_format()
    surface = QOffscreenSurface()
    context = QOpenGLContext()
    surface.setFormat(wanted)
    surface.create()
    context.setFormat(wanted)
    if not (surface.isValid() and context.create() and context.makeCurrent(surface)):
        return None
    try:
        functions = context.functions()
        major, minor = context.format().version()
        return str(functions.glGetString(_GL_RENDERER) or ""), (int(major), int(minor)), context.isOpenGLES()
    finally:
        context.doneCurrent()
        surface.destroy()


AUTO: Final = "auto"
RASTER: Final = "raster"
OPENGL: Final = "opengl"

# A second of smooth drawing: a driver that ends the program does so before.
GOOD_FRAMES: Final = 60

_AT_NEXT_START: Final = "So it does from the next start on: this window was made before it was found."
_COMPLAINT: Final = (
    "The program ended when it last drew with the GPU, so the CPU draws. A choice in Settings, Drawing, tries again."
)


class Renderer(QObject):
    """Chooses between raster and OpenGL; after any error of OpenGL it chooses raster.

    A marker file exists from before the first OpenGL frame until some have been drawn. If a start finds it, the program
    ended in between, unless the process that wrote it still runs: OpenGL stays off until a person
    chooses it again.

    In a window that was not made for OpenGL (`keeps_window`) a GPU that is found draws from the next start on: for its
    first OpenGL widget Qt would take the window down and make it anew, which flickers and may cost it the focus.
    """

    changed = Signal()

    def __init__(
        self,
        choice: str = AUTO,
        marker: Path | None = None,
        parent: QObject | None = None,
        had_gpu: bool = False,
        ask: Callable[[], _Graphics] = _probe,
    ) -> None:
        super().__init__(parent)
        # auto, raster or opengl.
        self.choice = choice
        self._marker = None if marker is None else CrashMarker(marker)
        self._had_gpu = had_gpu
        self._ask = ask
        self._has_marked = False
        self._n_good_frames = 0
        # The shaders of which a first picture has been found right.
        self.checked: set[str] = set()
        self._is_decided = False
        # Whether OpenGL is left to the next start, unless a person chooses otherwise: the window is not made for it.
        self.keeps_window = False
        self._graphics: _Graphics | None = None
        self._is_latched = self._marker is not None and self._marker.tells_of_a_crash
        self.is_opengl = False
        self.why = "No heat map has been drawn yet."

    @property
    def complaint(self) -> str:
        """A sentence for the window where OpenGL is off, as the program ended when it was last tried, or nothing."""
        return _COMPLAINT if self._is_latched and self.choice != RASTER else ""

    @property
    def expects_opengl(self) -> bool:
        """Whether OpenGL will probably draw, so that the window can be made for it before it is shown."""
        may_draw = self.choice == OPENGL or (self.choice == AUTO and self._had_gpu and _has_graphics_device())
        return may_draw and not self._is_latched

    @property
    def has_gpu(self) -> bool:
        """Whether a GPU draws or will; before the probe, whether one did at the end of the last run."""
        if not self._is_decided:
            return self._had_gpu
        may_draw = self.is_opengl or self.keeps_window
        return may_draw and self._graphics is not None and self._graphics.is_gpu

    def decide(self) -> None:
        """Probe once and choose; a probe takes some 0.1 s."""
        if self._is_decided:
            return
        self._is_decided = True
        if self.choice == RASTER:
            self._take(False, "Drawing with the CPU was chosen.")
        elif self._is_latched:
            self._take(False, "OpenGL ended the program when it was last tried.")
        elif self.choice == AUTO and self._graphics is None and not _has_graphics_device():
            self._take(False, "No graphics device was found.")
        else:
            self._graphics = self._graphics or self._ask()
            is_wanted = bool(self._graphics.renderer) if self.choice == OPENGL else self._graphics.is_gpu
            if is_wanted and self.keeps_window:
                self._take(False, f"{self._graphics.why} {_AT_NEXT_START}")
            else:
                self._take(is_wanted, self._graphics.why)

    def set_choice(self, choice: str) -> None:
        """Choose again, also what a crash had turned off."""
        self.choice = choice
        self._is_latched = self.keeps_window = False
        self._has_marked = False
        if self._marker is not None:
            self._marker.forget()
        self._is_decided = False
        self.checked.clear()
        self._n_good_frames = 0
        self.decide()

    def begin_frame(self) -> None:
        """Set the marker before OpenGL draws, until enough frames have gone well."""
        if self._marker is not None and not self._has_marked and self._n_good_frames < GOOD_FRAMES:
            self._has_marked = self._marker.note()

    def end_frame(self) -> None:
        """Count a frame that went well; the last one needed removes the marker."""
        self._n_good_frames += 1
        if self._n_good_frames == GOOD_FRAMES:
            self.close()

    def fail(self, sentence: str) -> None:
        """Let raster draw from now on, after an error of OpenGL."""
        self.close()
        self._take(False, sentence)

    def close(self) -> None:
        """Remove the marker: at an orderly end, or where it is needed no more."""
        if self._marker is not None and self._has_marked:
            self._marker.take_back()
        self._has_marked = False

    def _take(self, is_opengl: bool, why: str) -> None:
        self.is_opengl, self.why = is_opengl, why
        self.changed.emit()
