"""Figures opened again: by Qt, and by programs that were not written here, where they are installed."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.theme import themes
from pe_desktop.export.figure_page import Page, scene_page
from pe_desktop.export.figure_sheet import Finish, sheet_of
from pe_desktop.model.findings import Computed
from pe_desktop.views.table import FIGURES

Opened = Callable[[Path, tuple[int, int]], QImage]


def page_of(what: str, state: State, purpose: str = "paper", **chosen: Any) -> Page:
    """The page of a figure on the sheet of a purpose, in the light theme."""
    row, chosen = FIGURES[what], {"answers": Computed(), **chosen}
    return scene_page(row, state, sheet_of(row, Finish(purpose)), themes()["light"], **chosen)


def texts_of(page: Page) -> list[str]:
    """What a page says, in the order in which it is drawn."""
    return [mark.text for _, _, picture in page.parts for mark in picture if isinstance(mark, marks.Text)]


@pytest.fixture
def tool() -> Callable[..., bytes]:
    """Runs a program and gives its output; the test is not run where the program is missing."""

    def run(name: str, *arguments: object) -> bytes:
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed")
        done = subprocess.run([name, *map(str, arguments)], capture_output=True, check=True)
        assert done.stderr == b""
        return done.stdout

    return run


@pytest.fixture(params=["png", "svg by Qt", "svg by rsvg-convert", "pdf by pdftoppm"])
def way(request: pytest.FixtureRequest) -> str:
    """A format and the program that opens it."""
    return str(request.param)


@pytest.fixture
def opened(way: str, qapp: object, tmp_path: Path, tool: Callable[..., bytes]) -> Opened:
    """Opens a file in the way under test, as an image of the size asked for."""

    def open_file(path: Path, size: tuple[int, int]) -> QImage:
        if way == "png":
            image = QImage(str(path))
        elif way == "svg by Qt":
            image = _drawn_by_qt(path, size)
        elif way == "svg by rsvg-convert":
            converted = tmp_path / "converted.png"
            tool("rsvg-convert", path, "-w", size[0], "-h", size[1], "-o", converted)
            image = QImage(str(converted))
        else:
            tool("pdftoppm", "-png", "-singlefile", "-scale-to-x", size[0], "-scale-to-y", size[1], path, path)
            image = QImage(f"{path}.png")
        assert not image.isNull()
        image.setDevicePixelRatio(1.0)
        if image.size() != QSize(*size):
            smooth = Qt.TransformationMode.SmoothTransformation
            image = image.scaled(QSize(*size), Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
        return image

    return open_file


def _drawn_by_qt(path: Path, size: tuple[int, int]) -> QImage:
    renderer = QSvgRenderer(str(path))
    assert renderer.isValid()
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.magenta)
    with QPainter(image) as painter:
        renderer.render(painter, QRectF(0, 0, *size))
    return image
