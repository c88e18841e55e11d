"""Small windows, in which nothing is lost, and what is drawn when in a window of many panels."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.core.cursor import Span
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.dial import dial_in
from pe_desktop.heat.heatmap import HeatMap
from pe_desktop.model.findings import Findings
from pe_desktop.panels import panel_class
from pe_desktop.panels.scene_panel import Panel, ScenePanel
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.card import SubtitleLabel
from pe_desktop.window.dock import tab_bar
from pe_desktop.window.main_window import SMALLEST, MainWindow
from tests.window.acting import drag_column, press, resize, settle, show
from tests.window.conftest import PLOTS, TABS, Watcher, ended, frames, row_of, seen


def visible(window: MainWindow) -> dict[str, QRect]:
    """Where the docks stand that are in front and in the window."""
    return {
        key: dock.geometry()
        for key, dock in window.docks.items()
        if dock.panel.isVisible() and dock.window() is window and not dock.is_behind
    }


def assert_whole(window: MainWindow) -> None:
    places = visible(window)
    for key, place in places.items():
        assert window.rect().contains(place), (key, place)
        others = [other for name, other in places.items() if name != key]
        assert not any(place.intersects(other) for other in others), key
        row = window.docks[key].title_row
        # A title row is as wide as its dock: what stands in it isn't cut.
        assert row is None or row.minimumSizeHint().width() <= row.width(), key
        labels = [] if row is None else row.findChildren(SubtitleLabel)
        texts = [(text.text(), label.width()) for label in labels for text in label.findChildren(QLabel)]
        assert not any(text.endswith("…") for text, _ in texts), (key, texts)


# Screens of 1920 x 1200 and 1920 x 1080 at 200 % leave less height than the smallest window has elsewhere.
@pytest.mark.parametrize("height", [SMALLEST[1], 560, 500])
def test_every_panel_is_whole_in_the_smallest_window(open_instrument, luck, height) -> None:
    instrument = open_instrument()
    window = instrument.window
    window.setMinimumSize(1, 1)
    resize(instrument, SMALLEST[0], height)
    keys = [*TABS, *(key for workspace in WORKSPACES.values() for key in workspace)]
    for key in luck.sample(keys, 5):
        show(instrument, **{f"{workspace}.is_open": False for workspace in WORKSPACES})
        show(instrument, front=(key,))
        QTest.qWait(20)
        assert key in visible(window)
        assert_whole(window)
    if height == SMALLEST[1]:
        show(instrument, compare__is_open=True)
        assert_whole(window)
        show(instrument, compare__is_open=False, facts__is_open=True)
        panel = window.panel("facts")
        assert window.rect().contains(QRect(panel.mapTo(window, QPoint(0, 0)), panel.size()))


def test_a_small_window_has_one_place_for_all_plots_and_a_larger_one_those_from_before(instrument, window, docks, luck):
    drag_column(window, 60)
    drag_column(window, -120, is_row=True)
    docks["rotation"].choose()
    settle()
    before = frames(instrument)
    for size in luck.sample([(1099, 1000), (1600, 639), (910, 480), (640, 360), SMALLEST], 3):
        kept = instrument.settings.docks
        resize(instrument, *size)
        bar, row = tab_bar(docks["rotation"]), docks["rotation"].title_row
        assert (row.isVisible(), row.geometry().center().y()) == (True, bar and bar.geometry().center().y())
        assert {*visible(window)} - {"parameters"} == {"rotation", "transport"}
        assert {dock.kind.key for dock in window.tabifiedDockWidgets(docks["rotation"])} == {*PLOTS, *TABS} - {
            "rotation"
        }
        assert_whole(window)
        assert window.transport.play.isVisible()
        assert window.parameters.isVisible() or window.transport.parameters.more.isVisible()
        show(instrument, attention__is_open=True)
        assert {*visible(window)} - {"parameters"} == {"attention", "transport"}
        show(instrument, attention__is_open=False)
        assert instrument.settings.docks == kept
        resize(instrument, 1600, 1000)
        assert frames(instrument) == before
    resize(instrument, *SMALLEST)
    window.action_set.trigger("reset_layout")
    settle()
    assert len({*visible(window)} - {"transport"}) == 1
    resize(instrument, 1600, 1000)
    assert {"clock", "waves", "matrix", "parameters", "transport"} < {*visible(window)}


def test_workspace_makes_way_for_a_plot_that_is_asked_for_in_its_place(instrument, window) -> None:
    window.resize(*SMALLEST)
    ways = (lambda: show(instrument, front="properties"), lambda: window.action_set.trigger("show_collisions"))
    for ask in ways:
        show(instrument, attention__is_open=True)
        ask()
        settle()
        assert "properties" in visible(window)
        assert "attention" not in visible(window)
        assert_whole(window)


def test_dial_takes_the_height_of_its_panel_and_numbers_stand_beside_it(instrument: Instrument) -> None:
    clock = instrument.window.clock
    sizes = ((1280, 720), 90.0), ((1100, 680), 80.0), ((910, 480), 108.0), ((640, 360), 55.0), ((1600, 1000), 150.0)
    for size, least in sizes:
        resize(instrument, *size)
        layout = clock.layout_now()
        assert layout.has_corners
        assert layout.face == dial_in(clock.canvas.width(), clock.canvas.height())
        assert layout.face.radius >= least


SCALED = """
import sys
from dataclasses import replace
from PySide6.QtCore import QTimer
from pe_desktop.window import start
from pe_desktop.window.settings import read_settings
from pe_desktop.window.main_window import MainWindow
from PySide6.QtWidgets import QMainWindow

path = start._default_settings_path()
if len(sys.argv) > 1:
    replace(read_settings(path)[0], scale=int(sys.argv[1])).write(path)

def tell(window):
    room = window.screen().availableGeometry()
    fits = window.width() <= room.width() and window.height() <= room.height()
    print(window.devicePixelRatioF(), fits, window.model.encoding.d_model, flush=True)
    if len(sys.argv) > 2:
        window.setGeometry(101, 57, 790, 750)
        window.model.set(d_model=64)
        window.transport.take_focus()
    elif len(sys.argv) == 1:
        told = *window.normalGeometry().getRect(), window.focused_panel().key, *window.model.undo_names
        print(*told, "covers" * (window.full_screen.dock is not None), flush=True)
    actions = sys.argv[2:] or ["usual_size"] * (len(sys.argv) == 1 and window.devicePixelRatioF() != 1.0)
    [*map(window.action_set.trigger, actions)] if actions else window.close()

def show(window):
    # Rounded by the system, it may become larger than was asked for.
    window.resize(window.width() + 1, window.height())
    QMainWindow.show(window)
    QTimer.singleShot(500, lambda: tell(window))

MainWindow.show = show
sys.exit(start.open_window(None))
"""


def started(folder: Path, percent: int, *action: str, given: str | None = None) -> list[str]:
    """Device pixels to a logical one at a size, whether the window fits the screen, d_model; after an action, too."""
    changes = {} if given is None else {"QT_SCALE_FACTOR": given}
    folders = {"XDG_CONFIG_HOME": str(folder), "TMPDIR": str(folder)}
    return ended(SCALED, str(percent), *action, **folders, **changes).stdout.split()


def test_the_size_of_everything_follows_the_setting_and_the_window_fits_the_screen(tmp_path, luck) -> None:
    # Doubled at the second start, the window that is remembered would be larger than the screen.
    assert started(tmp_path, 100) == ["1.0", "True", "32"]
    assert started(tmp_path, 200) == ["2.0", "True", "32"]
    percent, given, ratio = luck.choice([(90, None, "0.9"), (200, "1.5", "1.5")])
    assert started(tmp_path, percent, given=given) == [ratio, "True", "32"]
    # At once: the window comes back as it is, but for rounding.
    bigger, usual = "1.1 True 64 91 51 719 681 transport d_model", "1.0 True 64 100 56 792 749 transport d_model"
    assert started(tmp_path, 100, "larger") == f"1.0 True 32 {bigger} {usual}".split()
    # The panel over the screen, too, also where the smaller window before has all plots as tabs.
    told = started(tmp_path, 100, "full_screen", "larger")
    assert [word for word in told if word in ("clock", "covers")] == ["clock", "covers"] * 2


def test_long_numbers_leave_the_transport_whole_and_push_no_column(instrument, window) -> None:
    window.resize(*SMALLEST)
    widths = []
    for shown in ("whole", "most", "whole"):
        show(instrument, matrix__range=shown)
        QTest.qWait(20)
        widths.append(frames(instrument, "clock", "matrix"))
    assert widths[0] == widths[1] == widths[2]
    instrument.model.set(n_positions=10_000_000, d_model=65_536)
    QTest.qWait(30)
    assert window.transport.minimumSizeHint().width() <= window.transport.width()
    assert window.rect().contains(window.docks["transport"].geometry())
    resize(instrument, 910, 480)
    for n_positions, d_model in ((128, 65_536), (10_000, 4096), (10**6, 32), (10**6, 4096), (10**7, 65_536)):
        instrument.model.set(n_positions=n_positions, d_model=d_model)
        QTest.qWait(30)
        assert window.transport.scrubber.track().area.width >= 140.0


def test_a_workspace_of_a_small_window_is_alone_again_after_the_whole_screen(instrument: Instrument, docks) -> None:
    resize(instrument, 910, 480)
    show(instrument, attention__is_open=True)
    row = docks["attention"].title_row
    before = frames(instrument), row.geometry(), row.is_beside_tabs
    for key in (Qt.Key.Key_F11, Qt.Key.Key_Escape):
        press(key)
        settle()
    assert (frames(instrument), row.geometry(), row.is_beside_tabs) == before


@pytest.mark.parametrize("covered", [None, (1920, 1080)])
def test_size_decides_about_tabs_after_the_whole_screen(open_instrument, monkeypatch, covered) -> None:
    instrument = open_instrument()
    # Some window systems refuse the whole screen.
    monkeypatch.setattr(instrument.window, "setWindowState", str)
    large = (1280, 720)
    for before, after in ((910, 480), large), (large, (910, 480)):
        resize(instrument, *before)
        press(Qt.Key.Key_F11)
        resize(instrument, *(covered or before))
        press(Qt.Key.Key_Escape)
        resize(instrument, *after)
        assert ({"clock", "waves", "matrix"} <= seen(instrument)) == (after == large)


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
        stills = {key: canvas.n_painted["still"] for key, canvas in plots.items()}
        QApplication.processEvents()
        drawn.append({key for key, canvas in plots.items() if canvas.n_painted["still"] > stills[key]})
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
            model.set(preset=change)
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
