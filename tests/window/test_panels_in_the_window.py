"""What the panels of the open window do together: one cursor, one preview, one axis, no frame for nothing."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.cursor import Preview, Span
from pe_desktop.draw.canvas import Canvas
from pe_desktop.heat.heatmap import HeatMap
from pe_desktop.model.findings import Findings
from pe_desktop.panels import panel_class
from pe_desktop.panels.scene_panel import Panel, ScenePanel
from pe_desktop.window.application import Instrument, wait_until_measured
from tests.window.conftest import Watcher, row_of, show


def test_a_position_under_the_pointer_is_shown_in_every_panel_and_taken_by_a_press(model, window) -> None:
    canvas, others = window.waves.canvas, (window.clock.canvas, window.transport.scrubber)
    window.repaint()
    QApplication.processEvents()
    frames = [other.n_frames for other in others]
    place = QPoint(round(window.waves.layout_now().positions.place(100)), 200)
    QTest.mouseMove(canvas, place)
    QApplication.processEvents()
    assert (model.preview, model.cursor.position) == (Preview(100.0), 37.0)
    assert all(other.n_frames > before for other, before in zip(others, frames, strict=True))
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=place)
    assert model.cursor.position == 100.0
    assert window.transport.position.accessible_value() == "t = 100"


def _plots(instrument: Instrument) -> dict[str, Canvas]:
    """The canvases of the plots that stand side by side at the first start."""
    panels = [instrument.window.panel(key) for key in ("clock", "similarity", "waves", "matrix")]
    plots = {panel.key: panel.canvas for panel in panels if isinstance(panel, ScenePanel)}
    return plots | {"wavelengths": instrument.window.parameters.spectrum}


def test_while_a_slider_is_held_every_plot_shows_every_change(instrument: Instrument) -> None:
    model, plots = instrument.model, _plots(instrument)
    show(instrument, n_positions=1000, d_model=512)
    for name in ("base", "d_model", "n_positions"):
        first = float(model.encoding.parameters[name])
        model.begin_step()
        for change in range(1, 4):
            before = {key: canvas.n_frames for key, canvas in plots.items()}
            model.set(**{name: first + 2 * change})
            QApplication.processEvents()
            assert {canvas.n_frames - before[key] for key, canvas in plots.items()} == {1}
        model.end_step()
        wait_until_measured(instrument)


def _drawn_in_turns(instrument: Instrument, plots: dict[str, Canvas]) -> list[set[str]]:
    """The plots that are drawn anew in each turn of the event loop, until all have followed."""
    drawn: list[set[str]] = []
    while instrument.model.turns.is_busy or not drawn or drawn[-1]:
        stills = {key: canvas.n_still_pictures for key, canvas in plots.items()}
        QApplication.processEvents()
        drawn.append({key for key, canvas in plots.items() if canvas.n_still_pictures > stills[key]})
    return drawn


def test_of_wide_tables_one_plot_is_drawn_in_a_turn_and_at_last_all(open_instrument, monkeypatch) -> None:
    instrument = open_instrument(n_positions=64, d_model=16_384)
    model, plots = instrument.model, _plots(instrument)
    pointed = ["similarity"]
    monkeypatch.setattr(Panel, "underMouse", lambda panel: panel.key in pointed)
    wait_until_measured(instrument)
    # Answers would be drawn in between.
    monkeypatch.setattr(Findings, "ask", lambda *_: None)
    del plots["wavelengths"]
    model.set(n_positions=60, span=Span(3.0, 30.0))
    drawn = _drawn_in_turns(instrument, plots)
    assert drawn[0] == {"similarity"}
    assert max(map(len, drawn)) == 1
    assert set.union(*drawn) >= {"similarity", "waves", "matrix"}
    for panel in map(instrument.window.panel, ("waves", "matrix", "similarity")):
        assert panel.canvas.scene().still == panel.compose(panel.canvas.box()).still
    model.begin_step()
    model.set(base=500.0)
    assert not model.turns.is_busy


def test_another_kind_or_seed_is_drawn_by_one_plot_in_a_turn_of_the_event_loop(open_instrument, monkeypatch) -> None:
    # Answers would be drawn in between.
    monkeypatch.setattr(Findings, "ask", lambda *_: None)
    instrument = open_instrument(n_positions=64, d_model=512)
    model, plots = instrument.model, _plots(instrument)
    del plots["wavelengths"]
    for change in ("random", 7, "paper", "binary", "paper"):
        if isinstance(change, str):
            model.choose(change)
        else:
            model.set(seed=change)
        drawn = _drawn_in_turns(instrument, plots)
        assert max(map(len, drawn)) == 1
        assert set.union(*drawn) >= {"similarity", "waves"}
    # A parameter of the kind is followed by all in one frame.
    model.set(base=500.0)
    assert not model.turns.is_busy


def test_what_is_let_go_is_refined_in_the_turns_that_follow(open_instrument, monkeypatch, qtbot) -> None:
    # Answers would be drawn in between.
    monkeypatch.setattr(Findings, "ask", lambda *_: None)
    instrument = open_instrument(n_positions=1_000_000, d_model=65_536)
    model, canvas = instrument.model, instrument.window.matrix.canvas
    heat_map, refine = canvas.raster.heat_map, HeatMap.refine
    followed = []

    def refine_once(refined: HeatMap) -> bool:
        if refined is heat_map:
            followed.append(not model.turns.is_busy)
        return refine(refined)

    monkeypatch.setattr(HeatMap, "refine", refine_once)
    model.begin_step()
    model.set(base=500.0)
    model.end_step()
    # Its coarse picture alone until all plots have followed.
    qtbot.waitUntil(lambda: canvas.is_exact and bool(followed), timeout=60_000)
    assert all(followed)
    assert len(followed) > 3


def test_a_change_of_base_draws_only_what_shows_it_in_the_docks_that_stay(instrument: Instrument) -> None:
    window, base = instrument.window, row_of(instrument, "base").slider
    others = [
        *(row_of(instrument, name).slider for name in ("d_model", "n_positions")),
        window.transport.scrubber,
        window.transport.strip,
        *window.matrix.header_widgets(),
    ]
    instrument.model.set(base=500.0)
    QApplication.processEvents()
    watcher = Watcher((*others, base), QEvent.Type.Paint, QEvent.Type.LayoutRequest)
    instrument.model.set(base=600.0)
    QApplication.processEvents()
    assert watcher.counts[base]
    assert not any(watcher.counts[other] for other in others)


def test_a_trained_length_is_drawn_by_all_that_shade_what_lies_beyond_it(instrument: Instrument) -> None:
    window = instrument.window
    canvases = (
        *(panel.canvas for panel in (window.clock, window.waves, window.matrix)),
        window.transport.scrubber,
        window.parameters.spectrum,
    )
    QApplication.processEvents()
    watcher = Watcher(canvases, QEvent.Type.Paint)
    instrument.model.set(trained_length=48)
    QApplication.processEvents()
    assert all(watcher.counts[canvas] for canvas in canvases)


def test_matrix_waves_and_scrubber_share_one_axis(instrument: Instrument) -> None:
    window, matrix = instrument.window, instrument.window.matrix
    waves, scrubber = window.waves.canvas, window.transport.scrubber
    for span in (Span(-0.5, 127.5), Span(20.0, 70.0)):
        instrument.model.set(span=span)
        QTest.qWait(20)
        for position in (25.0, 60.0):
            places = [
                matrix.canvas.mapToGlobal(QPointF(matrix.layout_now().position_axis.place(position), 0)).x(),
                waves.mapToGlobal(QPointF(window.waves.layout_now().positions.place(position), 0)).x(),
                scrubber.mapToGlobal(QPointF(scrubber.track().place(position), 0)).x(),
            ]
            assert max(places) - min(places) < 1.0
    # Without the waves above it the track has its own ends.
    window.docks["waves"].setFloating(True)
    QTest.qWait(20)
    assert (scrubber.track().area.x, scrubber.track().area.right) == (28.0, scrubber.width() - 28.0)
    window.docks["waves"].setFloating(False)


def test_a_panel_behind_another_tab_sleeps_until_it_is_chosen(model, docks, monkeypatch) -> None:
    seen: list[float] = []
    rotation = panel_class("rotation")
    refresh = rotation.refresh

    def noted(panel: Panel) -> None:
        seen.append(model.cursor.position)
        refresh(panel)

    monkeypatch.setattr(rotation, "refresh", noted)
    for position in (5.0, 6.0):
        model.move_cursor(position=position)
        assert position not in seen
        docks["rotation"].raise_()
        QApplication.processEvents()
        assert position in seen
        docks["similarity"].raise_()
        QApplication.processEvents()
