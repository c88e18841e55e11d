"""Each panel lives without a main window: a model, a playback and a theme are all that it needs."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from pe_desktop.core.cursor import Preview
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.rules import WordRule
from pe_desktop.core.state import _RULES, State
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.theme import themes
from pe_desktop.model.findings import Question
from pe_desktop.model.playback import Playback
from pe_desktop.panels import panel_class
from pe_desktop.panels.scene_panel import Panel, dress
from pe_desktop.views.table import VIEWS
from tests.panels.conftest import NO_KEY

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
        model.choose(preset)
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
    model.choose("paper")
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
