"""What is measured in the window: properties of one encoding, and of many side by side."""

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.rotation import shift_report
from pe_desktop.draw.scene import Place
from pe_desktop.draw.theme import themes
from pe_desktop.views import questions
from pe_desktop.views.compare import scene as view
from pe_desktop.views.compare.measured import lines_of, look_and_rows
from pe_desktop.views.properties.words import PROPERTY_NAMES
from pe_desktop.views.rotation import scene as rotation_scene
from pe_desktop.window import application
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.panel_menu import _copy_picture
from tests.window.acting import CONTROL, LEFT, place_of, press, show
from tests.window.conftest import panel_of


def properties(instrument: Instrument, page: str = "verdicts") -> Any:
    """The panel in front, with all that the page wants to know."""
    instrument.model.set(**{"properties.page": page})
    instrument.window.docks["properties"].raise_()
    wait_until_measured(instrument)
    return panel_of(instrument, "properties")


def test_dock_and_panel_say_the_same_and_pages_one_after_the_other_are_one_step(instrument: Instrument) -> None:
    panel, dock = properties(instrument), instrument.window.parameters
    n_properties = len(PROPERTY_NAMES)
    assert dock._measured.text() == f"{n_properties} of {n_properties} hold"
    assert panel.readout().count("\tHolds\t") == n_properties
    # Pages that were chosen one after the other are one step.
    instrument.model.set(**{"properties.page": "distance"})
    instrument.model.set(**{"properties.page": "collisions"})
    instrument.model.undo()
    assert instrument.model.state.views.properties.page == "verdicts"


def test_the_last_row_of_the_verdicts_is_reached_and_bar_and_width_come_to_rest(instrument: Instrument) -> None:
    panel = properties(instrument)
    instrument.window.docks["properties"].setFloating(True)
    # Of the page alone: frame and title row of the dock are not part of it.
    for size in ((382, 680), (382, 620), (354, 600), (525, 480)):
        panel.page_area.setFixedSize(QSize(*size))
        for _ in range(5):
            QApplication.processEvents()
        bar = panel.page_area.verticalScrollBar()
        seen = panel.page_area.viewport().size()
        assert bar.isVisible() == (panel.canvas.height() > panel.page_area.height())
        assert panel.canvas.width() == seen.width()
        assert bar.maximum() == panel.canvas.height() - seen.height()
        assert place_of(panel.canvas, "Constant length").area.bottom <= panel.canvas.height()
        n_frames = panel.canvas.n_frames
        for _ in range(5):
            QApplication.processEvents()
        assert panel.canvas.n_frames == n_frames


# Longer than all other measurements of a small table take.
LATE_SECONDS = 1.5


def make_late(monkeypatch: pytest.MonkeyPatch, event: threading.Event, seconds: float | None) -> None:
    """Let the report on a shift wait for an event, or some seconds."""

    def late_report(encoding, offset, is_cancelled):
        event.wait(seconds)
        return shift_report(encoding, offset, is_cancelled)

    monkeypatch.setattr(questions, "shift_report", late_report)


def test_what_is_measured_where_it_is_seen_is_waited_for_but_not_too_long(instrument, monkeypatch) -> None:
    model, may_end = instrument.model, threading.Event()
    make_late(monkeypatch, may_end, LATE_SECONDS)
    model.move_cursor(offset=9.0)
    instrument.window.docks["rotation"].raise_()
    wait_until_measured(instrument)
    assert model.findings.is_known(rotation_scene.VIEW.questions(model.state)[0])
    make_late(monkeypatch, may_end, None)
    monkeypatch.setattr(application, "MEASURED_SECONDS", 0.3)
    instrument.window.docks["similarity"].raise_()
    model.move_cursor(offset=10.0)
    wait_until_measured(instrument)
    try:
        assert model.findings.is_busy("similarity")
    finally:
        may_end.set()


def test_a_heat_map_behind_another_tab_since_the_start_is_not_waited_for(open_instrument, monkeypatch) -> None:
    instrument = open_instrument(front="rotation")
    naps: list[float] = []
    # A clock that only the naps of the waiting move.
    clock = SimpleNamespace(monotonic=lambda: float(len(naps)), sleep=naps.append)
    monkeypatch.setattr(application, "time", clock)
    wait_until_measured(instrument, 10_000.0)
    assert not instrument.model.findings.is_busy()
    assert len(naps) < 10_000


def comparing(instrument) -> Any:
    QTest.mouseClick(instrument.window.header.buttons["toggle_compare"], LEFT)
    wait_until_measured(instrument)
    return panel_of(instrument, "compare")


def known(instrument: Instrument) -> list[bool]:
    """Which rows are measured to the end."""
    return [instrument.model.findings.is_known(question) for question in view.VIEW.questions(instrument.model.state)]


def titles_of(instrument: Instrument) -> list[str]:
    state = instrument.model.state
    lines = [line for line, _ in look_and_rows(state, instrument.model.findings)[1]]
    return [line.row.title for line in (lines if state.views.compare.shows == "measurements" else lines_of(state))]


def row_places(panel: Any) -> list[Place]:
    return [place for place in panel.canvas.places() if place.name.startswith("row ")]


def press_row(panel: Any, instrument: Instrument, title: str) -> None:
    """Choose an encoding: the first press reads it."""
    for _ in range(2 if instrument.model.state.views.compare.shows == "measurements" else 1):
        panel.canvas.repaint()
        _, y = row_places(panel)[titles_of(instrument).index(title)].area.middle
        QTest.mouseClick(panel.canvas, LEFT, pos=QPoint(60, int(y)))


def values_of(panel: Any, instrument: Instrument) -> dict[str, str]:
    """What each row says, by its title."""
    return {title: place.value for title, place in zip(titles_of(instrument), row_places(panel), strict=True)}


def test_every_row_is_measured_copied_and_in_the_picture_that_is_taken_away(instrument: Instrument) -> None:
    panel = comparing(instrument)
    assert all(known(instrument))
    assert row_places(panel)[0].value.count(": ") == len(PROPERTY_NAMES)
    # The words that Ctrl+C takes away: the counter's largest value is N - 1.
    QTest.keyClick(instrument.window, Qt.Key.Key_C, CONTROL)
    line = next(line for line in QGuiApplication.clipboard().text().splitlines() if line.startswith("Counter t\t"))
    assert "Fails\t127.0" in line
    # The picture is the whole table, also what is scrolled away.
    _copy_picture(instrument.window, panel)
    assert QGuiApplication.clipboard().image().height() > 2 * 36 * len(row_places(panel))


def test_a_press_on_a_row_chooses_its_encoding_and_measures_nothing_again(instrument: Instrument) -> None:
    panel, model, titles = comparing(instrument), instrument.model, titles_of(instrument)
    press_row(panel, instrument, "Binary code")
    assert model.encoding.kind == "bits"
    assert [line.row.title for line in lines_of(model.state) if line.is_chosen] == ["Binary code"]
    # The sizes of the rows, of which the bits are only as wide as they need.
    assert panel.subtitle.endswith("N = 128, d_model = 32")
    assert all(known(instrument))
    # Keys read the next row or column; Enter uses it, on the table and on the press below it that Tab comes to.
    QTest.keyClick(panel.canvas, Qt.Key.Key_Down)
    assert titles_of(instrument)[1] == "Sinusoidal (paper)"
    assert (model.encoding.kind, model.state.views.compare.row) == ("bits", 1)
    QTest.keyClick(panel.canvas, Qt.Key.Key_Right)
    assert model.state.views.compare.check == look_and_rows(model.state, model.findings)[0].keys[1]
    press(Qt.Key.Key_Left, Qt.Key.Key_Return, Qt.Key.Key_Down)
    assert model.encoding.kind == "sinusoidal"
    panel.canvas.repaint()
    stops = [stop.name for stop in panel.gestures.buttons(panel.canvas.places())]
    keys = [*look_and_rows(model.state, model.findings)[0].keys, "passed"]
    assert stops[:11] == [f"sort by {PROPERTY_NAMES.get(key, 'hold')}" for key in keys]
    assert [stop[:6] for stop in stops[11:]] == ["Use th", "Go to "]
    # Space and Enter sort by the head that Tab has come to, the second time from the least on.
    press(Qt.Key.Key_Tab, Qt.Key.Key_Tab, Qt.Key.Key_Space)
    assert (model.state.views.compare.sort, model.state.views.compare.is_reversed) == (keys[1], False)
    panel.canvas.repaint()
    press(Qt.Key.Key_Return)
    assert (model.state.views.compare.sort, model.state.views.compare.is_reversed) == (keys[1], True)
    panel.canvas.repaint()
    assert (panel.canvas.marked.name, panel.canvas.marked.is_chosen) == (stops[1], True)
    assert not instrument.playback.is_playing
    press(*[Qt.Key.Key_Tab] * 10, Qt.Key.Key_Return)
    assert [line.row.title for line in lines_of(model.state) if line.is_chosen] == ["Linear spacing"]
    press_row(panel, instrument, "Counter t")
    # Another width: every row is another encoding, and the tables are drawn anew, in another theme, too.
    model.set_parameter("n_positions", "64")
    instrument.window.dress(themes()["dark"])
    wait_until_measured(instrument)
    assert all(known(instrument))
    tables = panel.view.box_questions(model.state, panel.canvas.box())
    assert len(tables) == len(titles)
    assert all(model.findings.is_known(question) for question in tables)
    assert panel.progress.isHidden()
    model.set(preset="four-waves")
    model.set(**{"compare.is_open": True})
    assert panel.subtitle.endswith("N = 64, d_model = 32; in the first row N = 100, d_model = 4")
    model.undo()
    model.undo()
    assert model.encoding.kind == "counter"


def test_the_row_that_keys_read_is_scrolled_into_view(instrument: Instrument) -> None:
    panel, model = comparing(instrument), instrument.model
    panel.canvas.setFocus()
    panel.page_area.setMaximumHeight(260)
    numbers = [line.number for line, _ in look_and_rows(model.state, model.findings)[1]]
    for key, number in ((Qt.Key.Key_Down, numbers[-1]), (Qt.Key.Key_Up, numbers[0])):
        press(*[key] * 12)
        QTest.qWait(30)
        assert model.state.views.compare.row == number
        read = next(place for place in reversed(panel.canvas.places()) if place.is_chosen)
        top = panel.page_area.verticalScrollBar().value()
        assert top <= read.area.y
        assert read.area.bottom <= top + panel.page_area.viewport().height()
    panel.page_area.setMaximumHeight(10_000)


def test_the_two_positions_that_decide_are_those_of_the_plots(instrument: Instrument) -> None:
    # Whatever stands behind: with Learn in front k is a number of places back.
    model = instrument.model
    model.set(front="learn")
    panel = comparing(instrument)
    panel.canvas.repaint()
    place = next(place for place in panel.canvas.places() if place.name.startswith("Go to "))
    QTest.mouseClick(panel.canvas, LEFT, pos=QPoint(*map(int, place.area.middle)))
    assert (model.cursor.position, model.cursor.offset) == (0.0, 1.0)
    assert (model.state.views.workspace, model.state.views.compare.is_open) == ("", False)


def test_what_takes_long_can_be_stopped_and_checks_lead_back_to_the_plots(instrument: Instrument) -> None:
    window, findings = instrument.window, instrument.model.findings
    panel = comparing(instrument)
    instrument.model.set(**{"n_positions": 3000, "d_model": 128, "compare.list": "conventions"})
    QTest.qWait(400)
    findings.set_stopped(view.VIEW.questions(instrument.model.state), is_stopped=True)
    assert panel.progress.button.text() == "Compute"
    wait_until_measured(instrument)
    assert not all(known(instrument))
    assert panel.progress.isVisible()
    QTest.mouseClick(panel.progress.button, LEFT)
    assert findings.is_busy(panel.key)
    window.action_set.trigger("show_properties")
    assert not instrument.model.state.views.compare.is_open
    assert window.docks["properties"].isVisible()
    assert not findings.is_busy(panel.key)


def test_each_row_is_told_by_its_difference_from_the_chosen_one_which_goes_by_its_own_name(instrument) -> None:
    panel = comparing(instrument)
    show(instrument, compare__list="conventions", compare__shows="difference")
    wait_until_measured(instrument)
    panel.canvas.repaint()
    place = next(place for place in panel.canvas.places() if place.name.startswith("row 2"))
    assert place.tooltip.startswith("tensor2tensor − Sinusoidal (paper)\nlargest difference: 1.9994671")
    press_row(panel, instrument, "tensor2tensor")
    wait_until_measured(instrument)
    assert panel.subtitle.startswith("each minus tensor2tensor")
    after = values_of(panel, instrument)
    assert after["Whisper"] == "The table of tensor2tensor."
    assert after["fairseq"].startswith("tensor2tensor with start 2")
