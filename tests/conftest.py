"""What every test has: no screen, bundled typefaces, Qt's warnings as failures, both themes, models that are closed."""

import os
import random
import signal
from collections.abc import Callable, Iterable, Iterator
from typing import Any

# As in the application; it counts when NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import hypothesis
import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State
from pe_desktop.draw.marks import Mark
from pe_desktop.draw.painter import paint_marks
from pe_desktop.draw.theme import THEME_NAMES, Theme, themes
from pe_desktop.draw.typefaces import load_typefaces
from pe_desktop.model.encoding_model import EncodingModel
from tests.pictures import Sheet


def pytest_configure(config: pytest.Config) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    # How long an example takes is the machine's affair.
    hypothesis.settings.register_profile("untimed", deadline=None)
    hypothesis.settings.load_profile("untimed")
    # What the platform without a screen can't do is no fault of ours.
    config.addinivalue_line("qt_log_ignore", "^This plugin does not support ")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("qt_log_level_fail") is None:
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))


@pytest.fixture
def heeded_signals() -> Iterator[None]:
    """Processes that a test starts heed what ends them, though the tests may run where it is ignored.

    So it is with SIGHUP under nohup, and with SIGINT in the background of a shell.
    """
    ways: dict[int, Any] = {signal.SIGINT: signal.default_int_handler}
    if hasattr(signal, "SIGHUP"):
        ways[signal.SIGHUP] = signal.SIG_DFL
    before = {number: signal.signal(number, way) for number, way in ways.items()}
    yield
    for number, way in before.items():
        signal.signal(number, way)


@pytest.fixture
def luck() -> random.Random:
    """Another one in each run; pytest prints its seed where a test fails, and PE_SEED=seed repeats it."""
    seed = int(os.environ.get("PE_SEED") or random.randrange(10**6))
    print(f"PE_SEED={seed} repeats this")  # noqa: T201 - for the report of a failure
    return random.Random(seed)


@pytest.fixture(scope="session", autouse=True)
def qapp(qapp: QApplication) -> QApplication:
    """The application, with the bundled typefaces.

    Made before any test: figures are content with an application without widgets, and there can be one only.
    """
    load_typefaces()
    return qapp


@pytest.fixture
def make_model(qapp: QApplication) -> Iterator[Callable[..., EncodingModel]]:
    """Makes models of an encoding and a cursor; all are closed after the test."""
    models: list[EncodingModel] = []

    def make(encoding: Encoding | None = None, cursor: Cursor | None = None) -> EncodingModel:
        models.append(EncodingModel(State(encoding or SinusoidalEncoding(), cursor or Cursor())))
        return models[-1]

    yield make
    for model in models:
        model.close()


@pytest.fixture
def model(make_model: Callable[..., EncodingModel]) -> EncodingModel:
    """The model as a new user meets it."""
    return make_model()


@pytest.fixture
def painted(qapp: QApplication) -> Callable[..., Sheet]:
    """Paints marks on white: painted(marks, ratio=2, width=80, height=60)."""

    def paint(picture: Iterable[Mark], ratio: float = 1.0, width: float = 80, height: float = 60) -> Sheet:
        image = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        image.fill(QColor("white"))
        with QPainter(image) as painter:
            paint_marks(painter, picture, pixel_ratio=ratio)
        return Sheet(image)

    return paint


@pytest.fixture(params=THEME_NAMES)
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Theme:
    """Each theme in turn."""
    return themes()[request.param]


@pytest.fixture
def light(qapp: QApplication) -> Theme:
    """The light theme, where the theme doesn't matter."""
    return themes()["light"]
