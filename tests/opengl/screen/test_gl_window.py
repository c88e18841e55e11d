"""The window with OpenGL drawing its heat maps: what is seen, and what docks, themes, choices and failures leave."""

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QAccessible, QImage, QOpenGLContext, QPainter
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from pe_desktop.draw.painter import paint_marks
from pe_desktop.export.figure_page import drawn
from pe_desktop.heat import gl_painter
from pe_desktop.heat import renderer as renderer_module
from pe_desktop.heat.gl_plan import shader_sources
from pe_desktop.heat.heat_canvas import HeatCanvas
from pe_desktop.heat.renderer import MARKER_NAME
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.settings import Settings
from tests.heat.trials import living_trial
from tests.opengl.screen.desktop import POINTS, Desktop
from tests.pictures import pixels
from tests.window.conftest import OpenInstrument

KEYS = ("matrix", "similarity")


@pytest.fixture
def open_drawn(open_instrument: OpenInstrument, tmp_path: Path) -> OpenInstrument:
    """Opens a window: open_drawn("opengl", d_model=512)."""

    def open_now(renderer: str = "opengl", had_gpu: bool = False, **options: Any) -> Instrument:
        settings = Settings(theme="light", renderer=renderer, had_gpu=had_gpu)
        return open_instrument(1_150, 690, settings, tmp_path / "settings.json", **options)

    return open_now


def view_of(instrument: Instrument, key: str) -> Any:
    return instrument.window.panel(key).findChild(HeatCanvas)


def n_frames(instrument: Instrument, key: str) -> Any:
    return view_of(instrument, key).heat_painter.n_frames


def is_opengl(instrument: Instrument, key: str) -> bool:
    canvas = view_of(instrument, key)
    return canvas.view is not None and isinstance(canvas.view.viewport(), QOpenGLWidget)


def on_screen(view: HeatCanvas) -> Any:
    """What the screen shows of a view."""
    place = view.mapToGlobal(QPoint(0, 0))
    return view.screen().grabWindow(0, place.x(), place.y(), view.width(), view.height()).toImage()


def painted_by_raster(canvas: HeatCanvas, ratio: float) -> QImage:
    """The scene as a canvas without OpenGL shows it."""
    image = QImage((canvas.size().toSizeF() * ratio).toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(canvas.theme.panel)
    with QPainter(image) as painter:
        paint_marks(painter, drawn(canvas.scene(), canvas.box()), pixel_ratio=ratio)
    return image


def assert_is_right_on_screen(instrument: Instrument, key: str) -> None:
    """The screen shows what the raster back end paints, lines and letters with it."""
    wait_until_measured(instrument)
    view = view_of(instrument, key)
    view.window().raise_()
    view.repaint()
    wait_until_measured(instrument)
    ratio = view.devicePixelRatioF()
    # A view may end inside a device pixel.
    shown, wanted = (pixels(image)[1:-1, 1:-1] for image in (on_screen(view), painted_by_raster(view, ratio)))
    assert shown.shape == wanted.shape
    # OpenGL blends lines with other rounding; float32 may put a value on the edge of two levels on either side.
    channels = (np.stack([image >> 16, image >> 8, image], axis=-1) & 0xFF for image in (shown, wanted))
    farthest = np.abs(np.subtract(*channels)).max(axis=-1)
    assert (farthest > 2).mean() < 1e-3
    assert len(np.unique(shown)) > 50


@pytest.mark.parametrize(("key", "d_model"), [*zip(KEYS, (32, 2_048), strict=True)])
def test_the_screen_shows_the_raster_picture(open_drawn, capfd, key, d_model) -> None:
    instrument = open_drawn(d_model=d_model, n_positions=100_000)
    assert is_opengl(instrument, key)
    assert n_frames(instrument, key) > 0
    assert_is_right_on_screen(instrument, key)
    assert instrument.renderer.is_opengl, instrument.renderer.why
    assert capfd.readouterr().err == ""


def test_docks_float_redock_hide_and_change_tabs(open_drawn, capfd) -> None:
    instrument = open_drawn(d_model=128, n_positions=3_000)
    window = instrument.window
    for _way in ("afloat", "back"):
        for key in KEYS:
            before = n_frames(instrument, key)
            window.docks[key].setFloating(not window.docks[key].isFloating())
            wait_until_measured(instrument)
            assert n_frames(instrument, key) > before
    window.docks["rotation"].raise_()
    wait_until_measured(instrument)
    window.docks["similarity"].raise_()
    window.docks["matrix"].close()
    wait_until_measured(instrument)
    window.docks["matrix"].show()
    wait_until_measured(instrument)
    assert instrument.renderer.is_opengl, instrument.renderer.why
    window.reset_layout()
    for key in KEYS:
        assert_is_right_on_screen(instrument, key)
    assert capfd.readouterr().err == ""


@pytest.fixture
def tell_dots(desktop: Desktop) -> Iterator[Callable[[int], None]]:
    """Changes the dots per inch of the screen, and back after the test."""

    def tell(dots_per_inch: int) -> None:
        desktop.tell(dots_per_inch)
        QTest.qWait(100)

    yield tell
    tell(POINTS)


def test_the_screen_becomes_finer_and_coarser_while_docks_are_open_and_float(open_drawn, tell_dots, capfd) -> None:
    instrument = open_drawn(d_model=128, n_positions=3_000)
    at_start = instrument.window.devicePixelRatioF()
    least, room = instrument.window.size(), instrument.window.screen().size()
    if 2 * least.width() > room.width() * at_start or 2 * least.height() > room.height() * at_start:
        pytest.skip(f"a window of twice as many pixels has no room on a screen of {room.width()} x {room.height()}")
    # One of both floats.
    instrument.window.docks["matrix"].setFloating(True)
    wait_until_measured(instrument)
    # Two device pixels to a logical one: at other ratios windows and views begin inside a pixel.
    for dots_per_inch in (2 * POINTS, POINTS):
        before = {key: n_frames(instrument, key) for key in KEYS}
        tell_dots(dots_per_inch)
        # Qt leaves windows as many device pixels as they had: on a real desktop the window manager enlarges them.
        for top_level in (instrument.window, instrument.window.docks["matrix"].window()):
            top_level.resize(top_level.size() + QSize(1, 1))
        for key in KEYS:
            assert view_of(instrument, key).devicePixelRatioF() == at_start * dots_per_inch / POINTS
            assert_is_right_on_screen(instrument, key)
            assert n_frames(instrument, key) > before[key]
    assert instrument.renderer.is_opengl, instrument.renderer.why
    assert capfd.readouterr().err == ""


def context_of(view: Any) -> QOpenGLContext:
    """The context that draws in a view."""
    viewport = view.view.viewport()
    viewport.makeCurrent()
    context = QOpenGLContext.currentContext()
    viewport.doneCurrent()
    return context


def replace_viewport(view: Any) -> None:
    """The new viewport draws before the old one is gone."""
    old, new = view.view.viewport(), QOpenGLWidget()
    new.setFormat(old.format())
    view.view.setViewport(new)


def move_view_to_another_window(view: Any) -> None:
    """Contexts belong to a window; Qt ends them when a widget leaves it."""
    area = view.parentWidget().parentWidget()
    area.takeWidget()
    view.show()
    QTest.qWait(50)
    area.setWidget(view)


@pytest.mark.parametrize(("key", "lose"), [*zip(KEYS, (replace_viewport, move_view_to_another_window), strict=True)])
def test_the_next_picture_is_right_after_a_context_was_lost(open_drawn, capfd, key, lose) -> None:
    instrument = open_drawn(d_model=128, n_positions=3_000)
    view = view_of(instrument, key)
    for _ in range(2):
        goodbyes: list[bool] = []
        context_of(view).aboutToBeDestroyed.connect(functools.partial(goodbyes.append, True))
        before = n_frames(instrument, key)
        lose(view)
        assert_is_right_on_screen(instrument, key)
        assert goodbyes == [True]
        assert n_frames(instrument, key) > before
        assert instrument.renderer.is_opengl, instrument.renderer.why
    assert capfd.readouterr().err == ""


def test_a_moved_cursor_draws_no_heat_map_anew_and_positions_downwards_theme_and_size_do(open_drawn) -> None:
    instrument = open_drawn(d_model=128, n_positions=3_000)
    heat_painter = view_of(instrument, "matrix").heat_painter
    before = heat_painter.n_pictures, heat_painter.n_frames
    instrument.model.move_cursor(position=1_234.0)
    assert_is_right_on_screen(instrument, "matrix")
    assert heat_painter.n_pictures == before[0]
    assert heat_painter.n_frames > before[1]
    instrument.window.action_set.trigger("transpose_matrix")
    assert_is_right_on_screen(instrument, "matrix")
    assert heat_painter.n_pictures == before[0] + 1
    instrument.live_settings.set(theme="dark")
    instrument.window.resize(1_200, 700)
    for key in KEYS:
        assert_is_right_on_screen(instrument, key)
    assert instrument.renderer.is_opengl


def test_the_choice_changes_the_viewport_and_the_pointer_still_chooses(open_drawn, qtbot) -> None:
    instrument = open_drawn(d_model=32, n_positions=200)
    view = view_of(instrument, "matrix")
    comings = Comings(instrument.window)
    for number, choice in enumerate(("raster", "opengl", "opengl", "auto", "opengl"), 1):
        instrument.renderer.set_choice(choice)
        wait_until_measured(instrument)
        assert is_opengl(instrument, "matrix") == is_opengl(instrument, "similarity") == (choice == "opengl")
        area = view.scene().heat.area
        place = QPoint(round(area.x + (20 * number + 0.5) * area.width / 200), round(area.middle[1]))
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place)
        assert instrument.model.cursor.position == 20 * number
        # Neither mouse nor screen reader finds what shows the map.
        assert view.childAt(place) is None
        assert QAccessible.queryAccessibleInterface(view).childCount() == len(view.places())
        assert_is_right_on_screen(instrument, "matrix")
    # A window that was made for OpenGL is made anew by no choice.
    assert comings.seen == []


def test_a_wrong_first_picture_is_never_seen(open_drawn, monkeypatch) -> None:
    def wrong(*shader: Any) -> tuple[str, ...]:
        return tuple(text.replace("u_scale + u_offset", "u_scale + u_offset + 9.0") for text in shader_sources(*shader))

    monkeypatch.setattr(gl_painter, "shader_sources", wrong)
    instrument = open_drawn(d_model=128, n_positions=3_000)
    assert not instrument.renderer.is_opengl
    assert "in another colour than the CPU" in instrument.renderer.why
    assert not is_opengl(instrument, "matrix")
    assert_is_right_on_screen(instrument, "matrix")
    assert not instrument.window.header.message


def test_an_error_of_the_driver_ends_with_the_cpu_drawing(open_drawn, monkeypatch, tmp_path) -> None:
    instrument = open_drawn(d_model=128, n_positions=3_000)
    drawn_well = gl_painter._ContextPainter.drawn

    def failing(self: gl_painter._ContextPainter, *arguments: Any) -> object:
        self.context.functions().glEnable(0xFFFF)  # type: ignore[union-attr]
        monkeypatch.setattr(gl_painter._ContextPainter, "forget_errors", lambda _self: None)
        return drawn_well(self, *arguments)

    monkeypatch.setattr(gl_painter._ContextPainter, "drawn", failing)
    instrument.window.action_set.trigger("transpose_matrix")
    wait_until_measured(instrument)
    assert instrument.renderer.why == "The driver answered with OpenGL error 0x0500."
    assert not is_opengl(instrument, "similarity")
    assert not any(tmp_path.glob(f"{MARKER_NAME}*"))
    assert_is_right_on_screen(instrument, "matrix")


def test_a_crash_at_the_first_frames_turns_opengl_off_at_the_next_start(open_drawn, tmp_path) -> None:
    # A crash takes nothing away.
    with living_trial(tmp_path / MARKER_NAME):
        during = open_drawn()
        assert (during.renderer.is_opengl, during.renderer.complaint) == (True, "")
    after = open_drawn()
    assert (after.renderer.is_opengl, bool(after.renderer.complaint)) == (False, True)
    assert "tries again" in after.renderer.complaint


class Comings(QObject):
    """Notes from before a window is first seen: native windows it has, whether it is hidden, who has the focus."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.seen: list[QEvent.Type] = []
        self.numbers: list[int] = []
        self.foci: list[QWidget | None] = []
        window.installEventFilter(self)
        QApplication.instance().focusChanged.connect(self._note_focus)  # type: ignore[union-attr]

    def eventFilter(self, watched: Any, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self.seen.append(event.type())
        elif event.type() == QEvent.Type.WinIdChange:
            self.numbers.append(watched.internalWinId())
        return False

    def _note_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        self.foci.append(now)


def test_no_window_is_made_anew_for_a_gpu_which_draws_from_the_next_start_on(open_drawn, monkeypatch) -> None:
    # Mesa's llvmpipe counts as a GPU here.
    monkeypatch.setattr(renderer_module, "SOFTWARE", ())
    monkeypatch.setattr(renderer_module, "_has_graphics_device", lambda: True)
    had_gpu, draws = False, []
    comings: list[Comings] = []
    for _start in range(2):
        instrument = open_drawn("auto", had_gpu, watch=lambda made: comings.append(Comings(made.window)))
        assert comings[-1].seen == [QEvent.Type.Show]
        assert [number for number in comings[-1].numbers if number] == [instrument.window.winId()]
        assert None not in comings[-1].foci[1:]
        draws.append(is_opengl(instrument, "matrix"))
        had_gpu = instrument.settings.had_gpu
        assert had_gpu
        instrument.window.hide()
    assert draws == [False, True]
