"""A framebuffer of an OpenGL context without a window, and pictures as levels."""

import sys
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtGui import QColor, QOffscreenSurface, QOpenGLContext
from PySide6.QtWidgets import QApplication

from pe_desktop.core.fields.field import Field
from pe_desktop.heat.gl_painter import _ContextPainter
from pe_desktop.heat.gl_plan import plan
from pe_desktop.heat.heatmap import View
from pe_desktop.heat.renderer import _probe
from tests.heat.test_heatmap import NUMBERS
from tests.opengl.screen.desktop import Desktop
from tests.pictures import pixels
from tests.window.conftest import open_instrument, windows

__all__ = ["open_instrument", "windows"]

NOT_DRAWN = 255


class Canvas:
    """A current context with a painter; pictures are drawn into a framebuffer and read back."""

    def __init__(self) -> None:
        self.surface = QOffscreenSurface()
        self.surface.create()
        self.context = QOpenGLContext()
        assert self.context.create()
        assert self.context.makeCurrent(self.surface)
        self.painter = _ContextPainter(self.context)

    def levels(self, field: Field, view: View, size: tuple[int, int]) -> np.ndarray:
        """The level of every pixel, shape (height, width); 255 where nothing was drawn."""
        draws = plan(field, view, size)
        assert draws is not None
        return pixels(self.painter.drawn(draws, NUMBERS, QColor("white"), size).toImage()) & 0xFF

    def close(self) -> None:
        """Free everything."""
        self.painter.free()
        self.context.doneCurrent()


@pytest.fixture(scope="session")
def desktop() -> Iterator[Desktop]:
    """The desktop that the application was started on."""
    opened = Desktop()
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def qapp_args(desktop: Desktop) -> list[str]:
    """The application asks for its desktop once, at its start."""
    return [sys.argv[0]]


@pytest.fixture(scope="session", autouse=True)
def opengl(qapp: QApplication) -> None:
    """Without Mesa there is nothing to test."""
    if not _probe().renderer:
        pytest.skip("no OpenGL context can be made here: nothing of OpenGL was tested")


@pytest.fixture
def canvas(qapp: QApplication) -> Iterator[Canvas]:
    """A canvas that is closed after the test."""
    opened = Canvas()
    yield opened
    opened.close()
