"""What the Encoding dock does to the rest of the window."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionFrame

from pe_desktop.core.presets import PRESETS
from pe_desktop.core.state import state_of
from pe_desktop.window.application import Instrument
from tests.panels.test_parameters_panel import choose
from tests.window.conftest import number_row


def test_a_field_that_leaves_hands_the_keyboard_to_a_plot_and_the_open_list_stays_within_the_screen(
    instrument: Instrument,
) -> None:
    dock = instrument.window.parameters
    number_row(instrument, "base").field.setFocus()
    choose(dock, "Counter t")
    assert instrument.window.focusWidget() is instrument.window.clock.face
    QTest.keyClick(instrument.window.clock.face, Qt.Key.Key_Right)
    assert instrument.model.cursor.position == 38.0
    chooser = dock.chooser
    chooser.showPopup()
    place, bar = chooser.view().window().geometry(), chooser.view().verticalScrollBar()
    assert place.top() >= chooser.mapToGlobal(QPoint(0, chooser.height() - 1)).y()
    assert place.bottom() <= chooser.screen().geometry().bottom()
    assert (bar.isVisible(), bar.maximum() > 0) == (True, True)
    chooser.hidePopup()


@pytest.mark.parametrize("width", [1600, 1280])
def test_a_press_on_a_check_brings_the_verdicts_to_the_front(
    open_instrument: Callable[..., Instrument], width: int
) -> None:
    instrument = open_instrument(width=width, height=720)
    window = instrument.window
    instrument.model.set(**{"properties.page": "collisions"})
    window.docks["properties"].close()
    if window.is_compact:
        window.toggle_overlay()
    QTest.mouseClick(window.parameters.check_lines[1], Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert (window.panel("properties").isVisible(), window.docks["properties"].is_behind) == (True, False)
    assert instrument.model.state.views.properties.page == "verdicts"
    assert not window.overlay.isVisible()


def test_a_press_on_a_check_scrolls_to_its_row_and_marks_it_whatever_was_seen_before(instrument: Instrument) -> None:
    window, panel = instrument.window, instrument.window.properties
    lines = {line.texts[0]: line for line in window.parameters.check_lines}
    for name in ("Far stays far", "Deterministic", "Constant length", "Constant length"):
        QTest.mouseClick(lines[name], Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        (place,) = (place for place in panel.canvas.places() if place.is_chosen)
        assert place.name == name
        top = panel.page_area.verticalScrollBar().value()
        assert top <= place.area.y < place.area.bottom <= top + panel.page_area.viewport().height() + 1
        panel.page_area.verticalScrollBar().setValue(0 if top else panel.page_area.verticalScrollBar().maximum())


def test_the_menu_offers_the_same_presets(instrument: Instrument) -> None:
    menus = instrument.window.header.menus
    assert menus["Encoding"].menuAction() in menus["Edit"].actions()
    groups = {preset.group.title for preset in PRESETS.values() if preset.group.id != "sinusoidal"}
    offered = [action for name in ("Encoding", *groups) for action in menus[name].actions()]
    assert {preset.title for preset in PRESETS.values()} <= {action.text() for action in offered}
    next(action for action in menus["Naive"].actions() if action.text() == "Gray code").trigger()
    assert instrument.model.encoding == state_of({"kind": "bits", "code": "gray", "d_model": "7"}).encoding
    assert instrument.window.parameters.chooser.title == "Gray code"


def test_the_largest_number_of_positions_has_room_in_its_field(open_instrument: Callable[..., Instrument]) -> None:
    instrument = open_instrument(n_positions=10_000_000)
    field, option = number_row(instrument, "n_positions").field, QStyleOptionFrame()
    field.initStyleOption(option)
    inside = field.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, field)
    # Qt leaves two pixels free at both sides of the text.
    assert field.fontMetrics().horizontalAdvance(field.text()) <= inside.width() - 4
    assert field.text().replace("\u2009", "") == "10000000"


def test_sliders_are_long_beside_fields_of_usual_numbers(instrument: Instrument) -> None:
    for name in ("d_model", "n_positions", "base"):
        row = number_row(instrument, name)
        assert row.slider is not None
        assert row.slider.width() >= 64
        assert row.field.width() < 80
