"""Whether this computer has a GPU that OpenGL can use: asked by making a context, never assumed."""

import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QMessageLogContext, Qt, QtMsgType, qInstallMessageHandler, qVersion
from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext, QSurfaceFormat

_GL_VENDOR: Final = 0x1F00
_GL_RENDERER: Final = 0x1F01
_GL_VERSION: Final = 0x1F02

OLDEST_OPENGL: Final = (3, 3)
OLDEST_ES: Final = (3, 0)
# Programs that draw OpenGL with the processor: the raster back end does that faster.
SOFTWARE: Final = (
    "llvmpipe",
    "softpipe",
    "swrast",
    "software rasterizer",
    "swiftshader",
    "gdi generic",
    "basic render driver",
    "apple software renderer",
)
# Qt platforms that draw without a screen: there is no GPU, and Qt would print a warning.
SCREENLESS: Final = ("offscreen", "minimal", "linuxfb", "vnc")
# What Linux shows of a GPU: kernel drivers, NVIDIA's own, and Windows' GPU seen from WSL.
DEVICES: Final = ("dri/renderD*", "dri/card*", "nvidia[0-9]*", "dxg", "mali*", "kgsl*")


@dataclass(frozen=True, slots=True)
class Graphics:
    """What a probe found: OpenGL's own words, whether that is a GPU, and in one sentence why."""

    is_gpu: bool
    why: str
    vendor: str = ""
    renderer: str = ""
    version: str = ""
    is_es: bool = False
    messages: tuple[str, ...] = ()

    @property
    def has_opengl(self) -> bool:
        """Whether there is any OpenGL that the shaders run on, be it software."""
        return self.is_gpu or bool(self.renderer)

    @property
    def details(self) -> str:
        """All of it as text, a line each, for a report."""
        lines = [
            self.why,
            f"OpenGL vendor: {self.vendor or 'unknown'}",
            f"OpenGL renderer: {self.renderer or 'unknown'}",
            f"OpenGL version: {self.version or 'unknown'}",
            f"Qt {qVersion()}, platform {QGuiApplication.platformName() or 'unknown'}",
            f"System: {platform.platform()}",
        ]
        return "\n".join([*lines, *(f"Qt said: {message}" for message in self.messages)])


def has_graphics_device(folder: Path = Path("/dev"), system: str = sys.platform) -> bool:
    """Whether there may be a GPU at all: on Linux from its device files, in no time; elsewhere one has to ask."""
    return system != "linux" or any(next(folder.glob(pattern), None) is not None for pattern in DEVICES)


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
        wanted.setVersion(*OLDEST_OPENGL)
        wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    return wanted


def probe() -> Graphics:
    """Look for a GPU. Needs the application object; raises nothing and prints nothing."""
    name = QGuiApplication.platformName()
    if name in SCREENLESS:
        return Graphics(False, f"There is no OpenGL without a screen (Qt platform {name}).")
    messages: list[str] = []

    def note(_kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        messages.append(message)

    before = qInstallMessageHandler(note)
    try:
        words = _words_of_a_context()
    except Exception as error:  # noqa: BLE001 - whatever a driver does, pictures are drawn without it
        return Graphics(False, f"OpenGL could not be asked: {error}.", messages=tuple(messages))
    finally:
        qInstallMessageHandler(before)
    if words is None:
        return Graphics(False, "No OpenGL context could be made.", messages=tuple(messages))
    return judged(*words, tuple(messages))


def judged(
    vendor: str, renderer: str, version: str, number: tuple[int, int], is_es: bool, messages: tuple[str, ...] = ()
) -> Graphics:
    """What OpenGL says about itself, and what that means."""
    oldest = OLDEST_ES if is_es else OLDEST_OPENGL
    if number < oldest:
        words = f"OpenGL {'ES ' if is_es else ''}{number[0]}.{number[1]}"
        # A renderer that the shaders don't run on counts as none.
        why = f"{renderer or 'The driver'} speaks {words} only; {oldest[0]}.{oldest[1]} is needed."
        return Graphics(False, why, vendor, "", version, is_es, messages)
    if not renderer:
        return Graphics(False, "OpenGL does not say what it draws with.", vendor, "", version, is_es, messages)
    if any(name in renderer.lower() for name in SOFTWARE):
        why = f"{renderer} draws OpenGL with the processor."
        return Graphics(False, why, vendor, renderer, version, is_es, messages)
    return Graphics(True, f"OpenGL draws with {renderer}.", vendor, renderer, version, is_es, messages)


def _words_of_a_context() -> tuple[str, str, str, tuple[int, int], bool] | None:
    """Vendor, renderer, version in words and numbers, and whether it is OpenGL ES; None where there is no context."""
    wanted = surface_format()
    surface, context = QOffscreenSurface(), QOpenGLContext()
    surface.setFormat(wanted)
    surface.create()
    context.setFormat(wanted)
    if not (surface.isValid() and context.create() and context.makeCurrent(surface)):
        return None
    try:
        functions = context.functions()
        words = [str(functions.glGetString(name) or "") for name in (_GL_VENDOR, _GL_RENDERER, _GL_VERSION)]
        major, minor = context.format().version()
        return words[0], words[1], words[2], (int(major), int(minor)), context.isOpenGLES()
    finally:
        context.doneCurrent()
        surface.destroy()
