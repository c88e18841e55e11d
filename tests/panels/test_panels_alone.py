"""A panel by itself follows the model, and what mouse and wheel do in it."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.cursor import Preview, Span, full_span
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.rules import WordRule
from pe_desktop.core.state import _RULES, State
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.scene import Scene
from pe_desktop.draw.theme import themes
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.findings import Question
from pe_desktop.model.playback import Playback
from pe_desktop.panels import panel_class
from pe_desktop.panels.gestures import Drag, Gestures, ReactingCanvas
from pe_desktop.panels.scene_panel import Panel, dress
from pe_desktop.panels.transport_panel import TransportPanel
from pe_desktop.panels.waves_panel import WavesPanel
from pe_desktop.views.table import VIEWS
from tests.panels.conftest import LEFT, NO_KEY, SHIFT, drag, place_of, wheel

NONE = Qt.MouseButton.NoButton
PANEL_OF = {"encoding": "parameters"}
EVERY_PANEL = pytest.mark.parametrize(
    "panel_class", [panel_class(key) for key in ("parameters", *VIEWS)], ids=lambda panel_class: panel_class.key
)


# What is drawn where t, k and i are named elsewhere; facts, formulas and formats have nothing to show of them.
SHOWN = {
    "clock": "t k i", "waves": "t k i", "similarity": "t k", "matrix": "t k i", "encoding": "i", "rotary": "t k i",
    "look-back": "t k", "precision": "t", "decoder": "t i", "attention": "t", "transport": "t k i",
}  # fmt: skip
NAMED = {"t": Preview(3.0), "k": Preview(offset=-2.0), "i": Preview(pair=0)}


def seen_canvases(panel: Panel) -> list[Canvas]:
    for canvas in panel.findChildren(Canvas):
        canvas.repaint()
    return [canvas for canvas in panel.findChildren(Canvas) if canvas.isVisible()]


@pytest.mark.parametrize("key", VIEWS)
def test_the_pointer_over_a_place_that_sets_t_k_or_i_shows_it_and_away_from_it_nothing(key, open_settled, qtbot):
    panel, pages = open_settled(panel_class(PANEL_OF.get(key, key)), 900, 800), _RULES.get(f"{key}.page")
    model = panel.model
    for page in pages.words if isinstance(pages, WordRule) else ("",):
        model.set(**({f"{key}.page": page} if page else {}))
        qtbot.waitUntil(lambda: not model.findings.is_busy(panel.key))
        for canvas in seen_canvases(panel):
            for place in canvas.places():
                x, y = map(round, place.area.middle)
                shown = Preview.of(place.changes(x, y))
                if shown is not None and canvas.place_at(x, y) == place:
                    move = QEvent.Type.MouseMove
                    QApplication.sendEvent(canvas, QMouseEvent(move, QPointF(x, y), QPointF(x, y), NONE, NONE, NO_KEY))
                    assert model.preview is not None, place.name
                    # Over a row of waves it is t, whichever pair the row is of.
                    assert key == "waves" or model.preview.holds(shown)
                    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
                    assert model.preview is None


@pytest.mark.parametrize("key", SHOWN)
def test_a_view_shows_lightly_what_is_named_elsewhere(key: str, open_settled: Callable[..., Panel]) -> None:
    panel = open_settled(panel_class(PANEL_OF.get(key, key)), 1500, 800)

    def n_marks() -> list[int]:
        return [len(canvas.begin_frame().moving) for canvas in seen_canvases(panel)]

    for mode in ("one", "each") if key == "clock" else ("one",):
        panel.model.set(**{"clock.mode": mode})
        bare = n_marks()
        for name in SHOWN[key].split():
            panel.model.set_preview(NAMED[name])
            assert n_marks() != bare, (mode, name)
            panel.model.set_preview(None)
        assert n_marks() == bare


@EVERY_PANEL
def test_a_panel_follows_the_model_by_itself_and_sleeps_while_it_is_hidden(panel_class, open_panel, qtbot, monkeypatch):
    panel = open_panel(panel_class)
    model = panel.model
    qtbot.waitUntil(lambda: panel.is_made and not model.findings.is_busy())
    before = panel.grab().toImage()
    for preset in ("counter", "random", "linear-spacing"):
        model.set(preset=preset)
        model.move_cursor(position=5.0, offset=-2.0, pair=1)
        QApplication.processEvents()
    # No head is computed at the second width.
    for width in (66, 4098, 64):
        assert not model.set_parameter("d_model", str(width))
        panel.resize(panel.width() + 2, panel.height() + 2)
        QApplication.processEvents()
    qtbot.waitUntil(lambda: panel.is_made and not model.findings.is_busy())
    assert panel.grab().toImage() != before
    # Hidden it wants nothing and shows nothing new; shown again it catches up.
    shown: list[State] = []
    refresh = panel_class.refresh

    def noted(panel: Panel) -> None:
        shown.append(model.state)
        refresh(panel)

    monkeypatch.setattr(panel_class, "refresh", noted)
    panel.hide()
    assert not model.findings.is_busy(panel.key)
    model.set(preset="paper")
    model.move_cursor(position=7.0)
    assert shown == []
    dress(panel, themes()["dark"])
    panel.show()
    qtbot.waitUntil(lambda: not model.turns.is_busy)
    assert {*shown} == {model.state}
    qtbot.waitUntil(lambda: panel.is_made and not model.findings.is_busy())


@EVERY_PANEL
def test_news_that_a_panel_has_not_asked_for_draws_nothing_in_it(panel_class, open_panel, qtbot) -> None:
    panel = open_panel(panel_class)
    model = panel.model
    qtbot.waitUntil(lambda: panel.is_made and not model.findings.is_busy())
    # What is told only after a while is told by a frame of its own.
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in panel.findChildren(QTimer)))
    canvases = panel.findChildren(Canvas)

    def drawn_after(arguments: tuple[int, ...], asker: str):
        """How many frames the news of an answer costs."""
        QApplication.processEvents()
        before = sum(canvas.n_frames for canvas in canvases)
        question = Question("other", lambda *_: True, arguments)
        model.findings.ask(asker, (question,))
        qtbot.waitUntil(lambda: model.findings.is_known(question))
        QApplication.processEvents()
        return sum(canvas.n_frames for canvas in canvases) - before

    assert drawn_after((1,), "another") == 0
    # What shows no answer draws what differs alone, and cards of facts wait for more.
    assert drawn_after((2,), panel.key) > 0 or panel.key in ("parameters", "transport", "facts")


@EVERY_PANEL
@pytest.mark.parametrize("encoding", [SinusoidalEncoding(1, 2), SinusoidalEncoding(10_000_000, 65_536)], ids=str)
def test_a_panel_draws_the_smallest_and_the_largest_table(panel_class, encoding, make_model, qtbot) -> None:
    model = make_model(encoding)
    panel = panel_class(model, Playback(model))
    qtbot.addWidget(panel)
    dress(panel, themes()["dark"])
    panel.resize(900, 420)
    panel.show()
    canvases = [canvas for canvas in panel.findChildren(Canvas) if canvas.isVisible()]
    # What lies below the edge of a scrolled panel isn't painted.
    qtbot.waitUntil(lambda: all(canvas.n_frames > 0 or canvas.visibleRegion().isEmpty() for canvas in canvases))
    panel.hide()


@pytest.fixture
def waves(open_panel) -> WavesPanel:
    panel: WavesPanel = open_panel(WavesPanel)
    return panel


def at(waves: WavesPanel, position: float) -> QPoint:
    return QPoint(round(waves.layout_now().positions.place(position)), 200)


def drag_to(waves: WavesPanel, *positions: float, **how) -> None:
    drag(waves.canvas, *(at(waves, position) for position in positions), **how)


@pytest.fixture
def canvas_with(model: EncodingModel, qtbot) -> Callable[..., Canvas]:
    """A canvas of 1 000 x 50 pixels that reacts so."""

    def made(**reactions: object) -> Canvas:
        canvas: ReactingCanvas = type("Canvas", (ReactingCanvas,), reactions)(lambda _box: Scene())
        qtbot.addWidget(canvas)
        canvas.resize(1_000, 50)
        canvas.show_theme(themes()["light"])
        Gestures(model, canvas)
        canvas.show()
        qtbot.waitExposed(canvas)
        return canvas

    return made


def test_a_press_and_a_drag_move_t_to_whole_positions_and_shift_or_the_hollow_cursor_k(waves):
    cursors = []
    for positions, keys in (((40.2,), NO_KEY), ((50, 60, 75), NO_KEY), ((60, 100), SHIFT), ((100, 90, 80), NO_KEY)):
        drag_to(waves, *positions, keys=keys)
        cursors.append((waves.model.cursor.position, waves.model.cursor.offset))
    assert cursors == [(40.0, 8.0), (75.0, 8.0), (75.0, 25.0), (75.0, 5.0)]


def test_playing_waits_and_nothing_is_previewed_while_a_button_is_down(waves):
    model, canvas = waves.model, waves.canvas
    QTest.mouseMove(canvas, at(waves, 100))
    canvas.repaint()
    assert (model.preview, canvas.last_box.preview) == (Preview(100.0), Preview(100.0))
    assert "sin −0.5064" in canvas.tooltip(None, at(waves, 100).x(), 200.0)  # sin 100
    QTest.mousePress(canvas, LEFT, NO_KEY, at(waves, 60))
    QTest.mouseMove(canvas, at(waves, 61))
    assert (model.is_held, model.preview) == (True, None)
    QTest.mouseRelease(canvas, LEFT, NO_KEY, at(waves, 61))
    QTest.mouseMove(canvas, at(waves, 62))
    assert (model.is_held, model.preview, model.cursor.position) == (False, Preview(62.0), 61.0)
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    assert model.preview is None


def test_the_wheel_zooms_about_the_pointer_and_steps_with_shift_and_the_middle_button_pans_to_the_edge(waves):
    model, place = waves.model, QPointF(waves.layout_now().positions.place(40.0), 200.0)
    assert wheel(waves.canvas, place, 3).isAccepted()
    assert model.span.width == pytest.approx(128 / 1.25**3)
    assert waves.layout_now().positions.value(place.x()) == pytest.approx(40.0)
    span = model.span
    for _ in range(4):
        wheel(waves.canvas, place, 0.5, SHIFT)
    assert (model.cursor.position, model.span) == (39.0, span)
    # Beside the plot it scrolls rows that don't all fit.
    assert not wheel(waves.canvas, QPointF(20.0, 200.0), 1).isAccepted()
    model.set(pinned_pairs=tuple(range(16)))
    waves.resize(900, 160)
    assert waves.page_area.verticalScrollBar().maximum() == 30 + 16 * 26 + 34 - 160
    assert place_of(waves, "pair 15").area.height == 26.0
    waves.resize(900, 420)
    model.set(span=Span(20.0, 60.0), pinned_pairs=(0, 4, 8))
    drag_to(waves, 50, 45, 40, button=Qt.MouseButton.MiddleButton)
    assert (model.span.first, model.span.last) == pytest.approx((30.0, 70.0), abs=0.1)
    drag(waves.canvas, QPoint(300, 200), QPoint(5000, 200), button=Qt.MouseButton.MiddleButton)
    assert model.span == Span(-0.5, 39.5)
    assert (model.cursor.position, model.is_held) == (39.0, False)


def test_a_drag_is_one_step_of_undo_and_a_double_click_another_that_gives_back_its_first_press(waves):
    model = waves.model
    model.set(span=Span(5.0, 80.0))
    states = [model.state]
    drag_to(waves, 40, 50, 60)
    states.append(model.state)
    QTest.mouseClick(waves.canvas, LEFT, NO_KEY, at(waves, 30))
    QTest.mouseDClick(waves.canvas, LEFT, NO_KEY, at(waves, 30))
    assert (model.cursor, model.span, model.is_held) == (states[1].cursor, full_span(128), False)
    while model.state != states[1]:
        model.undo()
    model.undo()
    assert model.state == states[0]


def test_a_double_click_where_nothing_fits_is_a_second_press_and_the_wheel_is_for_the_scroll_bar(canvas_with, model):
    def choose(_canvas: Canvas, drag: Drag):
        return {"position": round(drag.now[0] / 10)}

    canvas = canvas_with(changes_of=choose)
    QTest.mouseClick(canvas, LEFT, pos=QPoint(400, 25))
    QTest.mouseDClick(canvas, LEFT, pos=QPoint(700, 25))
    QTest.mouseRelease(canvas, LEFT, pos=QPoint(700, 25))
    assert (model.cursor.position, model.is_held) == (70.0, False)
    before = model.state
    assert not wheel(canvas, QPointF(500, 25), 1).isAccepted()
    assert model.state == before


def test_the_pointer_is_a_hand_where_a_press_leads_and_a_readout_follows_it_with_a_frame_for_each_move(canvas_with):
    canvas = canvas_with(is_button_at=lambda _canvas, x, _y: x > 500, has_buttons=True, has_readout=True)
    QApplication.processEvents()
    for x, shape in ((600, Qt.CursorShape.PointingHandCursor), (400, Qt.CursorShape.ArrowCursor)):
        n_frames = canvas.n_frames
        QTest.mouseMove(canvas, QPoint(x, 25))
        QApplication.processEvents()
        assert (canvas.last_box.pointer, canvas.n_frames) == ((x, 25.0), n_frames + 1)
        assert canvas.cursor().shape() == shape
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    QApplication.processEvents()
    assert canvas.last_box.pointer is None


def test_knobs_of_the_scrubber_move_t_and_k_and_the_strip_chooses_the_pair(open_panel):
    transport = open_panel(TransportPanel, 1500, 68)
    model, scrubber, strip = transport.model, transport.scrubber, transport.strip
    track = scrubber.track()

    def knob(position: float) -> QPoint:
        return QPoint(round(track.place(position)), round(track.area.y))

    QTest.mouseMove(scrubber, knob(37))
    drag(scrubber, knob(37), knob(50), knob(64))
    assert model.preview is None
    assert (model.cursor.position, model.cursor.offset) == (64.0, 8.0)
    assert transport.position.accessible_value() == "t = 64"
    drag(scrubber, knob(72), knob(50), knob(40))
    assert (model.cursor.position, model.cursor.offset) == (64.0, -24.0)
    QTest.mouseClick(strip, LEFT, pos=QPoint(strip.width() - 2, 15))
    assert model.cursor.pair == 15
    # Where nothing turns, two columns are chosen.
    model.set(preset="counter")
    QApplication.processEvents()
    assert transport.pair.accessibleName() == "Columns 2i, 2i + 1"
    QTest.mouseClick(strip, LEFT, pos=QPoint(2, 15))
    assert model.cursor.pair == 0
