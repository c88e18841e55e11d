"""Fields and boxes in which values are typed, and lists, menus and cards that open over the window."""

from typing import cast

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QListView,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QWidget,
)

from pe_desktop.core import PRESETS, Cursor, SinusoidalEncoding
from pe_desktop.panels.controls.value_edit import NumberField, ValueEdit
from pe_desktop.panels.parameters_panel import table_icon
from pe_desktop.window.application import Instrument
from pe_desktop.window.panel_menu import PanelMenu
from tests.panels.conftest import wheel
from tests.panels.test_parameters_panel import choose
from tests.window.acting import CONTROL, LEFT, focused, press, press_place, resize, show
from tests.window.conftest import panel_of, row_of


def edits_of(instrument: Instrument) -> tuple[ValueEdit, ValueEdit, ValueEdit]:
    transport = instrument.window.transport
    return transport.position, transport.offset, transport.pair


def bubbles(instrument: Instrument) -> list[QFrame]:
    frames = instrument.window.findChildren(QFrame)
    return [frame for frame in frames if frame.property("role") == "bubble" and frame.isVisible()]


def type_into(edit: ValueEdit, text: str, key: Qt.Key) -> None:
    QTest.mouseClick(edit, LEFT)
    edit.field.selectAll()
    QTest.keyClicks(edit.field, text)
    press(key)


def test_box_of_t_k_and_i_closes_with_enter_escape_tab_and_a_press_elsewhere(instrument, window, model) -> None:
    for edit in edits_of(instrument):
        for close in (
            lambda: press(Qt.Key.Key_Return),
            lambda: press(Qt.Key.Key_Escape),
            lambda: press(Qt.Key.Key_Tab),
            lambda: QTest.mouseClick(window.clock.canvas, LEFT, pos=QPoint(3, 3)),
        ):
            QTest.mouseClick(edit, LEFT)
            assert edit.field.isVisible()
            assert focused() is edit.field
            close()
            assert not edit.field.isVisible()
    QTest.mouseClick(window.transport.position, LEFT)
    QTest.mouseClick(window.transport.offset, LEFT)
    assert [edit.field.isVisible() for edit in edits_of(instrument)] == [False, True, False]
    assert (model.cursor.position, model.cursor.offset, model.cursor.pair) == (37.0, 8.0, 4)


def test_what_is_refused_in_a_box_is_told_above_it_until_the_pair_is_another_one(instrument: Instrument) -> None:
    window, model, edit = instrument.window, instrument.model, instrument.window.transport.pair
    type_into(edit, "99", Qt.Key.Key_Return)
    (bubble,) = bubbles(instrument)
    assert edit.field.is_refused
    assert 100 < bubble.width() <= 380
    for size in ((1920, 1058), (1500, 800)):
        resize(instrument, *size)
        assert 4 < edit.mapTo(window, QPoint(0, 0)).y() + 1 - bubble.geometry().bottom() <= 6
        assert window.childAt(bubble.geometry().center()) in bubble.findChildren(QWidget)
        window.docks["matrix"].raise_()
    QTest.mouseClick(window.matrix.canvas, LEFT, pos=QPoint(window.matrix.canvas.width() // 2, 100))
    assert model.cursor.pair != 4
    assert (edit.field.isVisible(), edit.field.is_refused, bubbles(instrument)) == (False, False, [])
    QTest.mouseClick(edit, LEFT)
    assert edit.field.text() == str(model.cursor.pair)
    # What leaving a box could not set is told while the value stays.
    model.move_cursor(pair=4)
    type_into(edit, "99", Qt.Key.Key_Tab)
    assert (edit.field.isVisible(), len(bubbles(instrument)), model.cursor.pair) == (False, 1, 4)
    model.move_cursor(pair=6)
    assert bubbles(instrument) == []


def test_a_first_press_and_a_double_click_select_the_whole_number(instrument: Instrument) -> None:
    field = row_of(instrument, "base").field
    at_the_end = QPoint(field.width() - 5, field.height() // 2)
    # Pauses in milliseconds; without one, the second press is that of a double click.
    for pauses, base in (((), 102.0), ((0,), 102.0), ((QApplication.doubleClickInterval() + 50,), 10_000_102.0)):
        instrument.model.set(base=10_000)
        QTest.mouseClick(field, LEFT, pos=at_the_end)
        for pause in pauses:
            QTest.qWait(pause)
            (QTest.mouseClick if pause else QTest.mouseDClick)(field, LEFT, pos=at_the_end)
        QTest.keyClicks(focused(), "102")
        press(Qt.Key.Key_Return)
        assert instrument.model.encoding.parameters["base"] == base


def test_enter_and_escape_give_the_keyboard_back_to_the_plot_that_had_it(instrument, window, model) -> None:
    window.waves.canvas.setFocus()
    for key, typed in ((Qt.Key.Key_Escape, "300"), (Qt.Key.Key_Return, "500")):
        QTest.mouseClick(row_of(instrument, "base").field, LEFT)
        QTest.keyClicks(focused(), typed)
        press(key)
        assert focused() is window.waves.canvas
        assert model.encoding.parameters["base"] == (500.0 if key == Qt.Key.Key_Return else 10_000.0)
    press(Qt.Key.Key_End, Qt.Key.Key_BracketRight)
    assert (model.cursor.position, model.cursor.offset) == (127.0, 9.0)
    press(Qt.Key.Key_Space)
    assert instrument.playback.is_playing


@pytest.mark.parametrize("width", [1600, 910])
def test_a_field_that_is_left_shows_what_counts_and_says_no_more_of_what_was_refused(instrument, window, width) -> None:
    resize(instrument, width, 700)
    rows = window.parameters.form.rows if width == 1600 else window.transport.parameters.rows
    for name, typed, leave in (("d_model", "7", Qt.Key.Key_F6), ("base", "1", Qt.Key.Key_Tab)):
        row, shown = rows[name], rows[name].field.text()
        row.field.setFocus(Qt.FocusReason.TabFocusReason)
        row.field.selectAll()
        QTest.keyClicks(row.field, typed)
        press(Qt.Key.Key_Return)
        assert (row.field.text(), row.refusal.isVisible()) == (typed, True)
        QApplication.processEvents()
        # No line of it is cut.
        [words] = (label for label in row.refusal.findChildren(QLabel) if label.text())
        assert words.height() >= words.heightForWidth(words.width())
        edge = row.field.grab().toImage().pixelColor(row.field.width() // 2, 1)
        assert edge.name() == window.theme.focus.name()
        assert (focused(), row.field.is_refused) == (row.field, True)
        press(leave)
        assert (row.field.text(), row.field.is_refused, row.refusal.isVisible()) == (shown, False, False)
    # Where leaving submitted it, the sentence can be read before.
    row.field.setFocus(Qt.FocusReason.TabFocusReason)
    row.field.selectAll()
    QTest.keyClicks(row.field, typed)
    press(Qt.Key.Key_Tab)
    assert row.refusal.isVisible()
    instrument.model.set(base=500)
    assert (row.field.text(), row.field.is_refused, row.refusal.isVisible()) == ("500", False, False)


def test_fields_show_all_digits_of_a_fraction_and_an_open_box_has_room_for_them(instrument: Instrument) -> None:
    window, model, transport = instrument.window, instrument.model, instrument.window.transport
    for value in (61.53333333333334, 0.1 + 0.2, -3.4499999999999993, 1.0 / 3.0):
        model.move_cursor(position=abs(value), offset=value)
        model.set(start=value, **{"rotation.page": "algebra", "rotation.second_shift": value, "front": "rotation"})
        QTest.qWait(20)
        fields = [transport.position.field, transport.offset.field, row_of(instrument, "start").field]
        fields.append(next(field for field in window.panel("rotation").findChildren(NumberField)))
        found = [float(field.text().replace("\u2212", "-").replace("\u2009", "")) for field in fields]
        assert found == [abs(value), value, value, value]
    field = transport.position.field
    QTest.mouseClick(transport.position, LEFT)
    assert field.width() > field.fontMetrics().horizontalAdvance(field.text()) + 16
    assert not field.visibleRegion().isEmpty()


def test_sliders_are_long_beside_fields_of_usual_numbers_and_the_largest_has_room(instrument) -> None:
    for name in ("d_model", "n_positions", "base"):
        row = row_of(instrument, name)
        assert row.slider.width() >= 64
        assert row.field.width() < 80
    instrument.model.set(n_positions=10_000_000)
    QTest.qWait(20)
    field, option = row_of(instrument, "n_positions").field, QStyleOptionFrame()
    field.initStyleOption(option)
    inside = field.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, field)
    # Qt leaves two pixels free at both sides of the text.
    assert field.fontMetrics().horizontalAdvance(field.text()) <= inside.width() - 4
    assert field.text().replace("\u2009", "") == "10000000"


def test_space_plays_after_a_position_was_typed_and_opens_a_list_as_enter_does(instrument: Instrument) -> None:
    speed, chooser = instrument.window.transport.speed, instrument.window.parameters.chooser
    type_into(instrument.window.transport.position, "50", Qt.Key.Key_Return)
    press(Qt.Key.Key_Right)
    assert instrument.model.cursor.position == 51.0
    press(Qt.Key.Key_Space)
    assert instrument.playback.is_playing
    for box in (chooser, speed):
        assert not box.focusPolicy() & Qt.FocusPolicy.ClickFocus
        for key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            box.setFocus()
            press(key)
            assert QApplication.activePopupWidget() is box.view().window()
            QTest.keyClick(box.view(), Qt.Key.Key_Escape)
    assert (QApplication.activePopupWidget(), instrument.playback.is_playing) == (None, True)
    press(Qt.Key.Key_Down)
    assert speed.currentIndex() == 3


def test_a_field_claims_letters_and_the_shortcuts_of_editing_alone(instrument: Instrument) -> None:
    field = row_of(instrument, "base").field
    field.setFocus()
    for key, is_the_fields in (("E", False), ("B", False), ("K", False), ("C", True), ("Z", True)):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, ord(key), CONTROL)
        event.ignore()
        field.event(event)
        assert event.isAccepted() == is_the_fields, key
    QTest.keyClicks(field, "cp ")
    QTest.keyClick(field, Qt.Key.Key_Left)
    assert instrument.model.state.views.clock.mode == "one"
    assert instrument.model.cursor == Cursor()
    assert not instrument.playback.is_playing


@pytest.mark.parametrize("is_led", [False, True])
def test_the_list_of_speeds_has_room_for_each_of_them(instrument: Instrument, is_led: bool) -> None:
    show(instrument, attention__is_open=is_led)
    speed, option = instrument.window.transport.speed, QStyleOptionComboBox()
    speed.initStyleOption(option)
    control, edit = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
    room = speed.style().subControlRect(control, option, edit, speed).width()
    words = [speed.itemText(place) for place in range(speed.count())]
    assert words[-1] == ("16 words / s" if is_led else "16×")
    assert max(map(speed.fontMetrics().horizontalAdvance, words)) <= room


def test_passing_wheel_changes_no_choice(instrument: Instrument) -> None:
    for box in (instrument.window.transport.speed, row_of(instrument, "layout").choice):
        before = box.accessible_value()
        for turn in (-1, 1):
            wheel(box, QPointF(5, 5), turn)
            assert box.accessible_value() == before
    assert (instrument.playback.speed, instrument.model.encoding) == (1.0, SinusoidalEncoding())


def test_a_field_that_leaves_hands_the_keyboard_over_and_a_list_stays_on_the_screen(instrument: Instrument) -> None:
    window, chooser = instrument.window, instrument.window.parameters.chooser
    row_of(instrument, "base").field.setFocus()
    choose(window.parameters, "Counter t")
    assert window.focusWidget() is window.clock.canvas
    QTest.keyClick(window.clock.canvas, Qt.Key.Key_Right)
    assert instrument.model.cursor.position == 38.0
    chooser.showPopup()
    place, bar = chooser.view().window().geometry(), chooser.view().verticalScrollBar()
    assert place.top() >= chooser.mapToGlobal(QPoint(0, chooser.height() - 1)).y()
    assert place.bottom() <= chooser.screen().geometry().bottom()
    assert (bar.isVisible(), bar.maximum() > 0) == (True, True)
    chooser.hidePopup()


@pytest.mark.parametrize("width", [1600, 1280])
def test_a_press_on_a_check_brings_the_verdicts_to_the_front(instrument, window, width) -> None:
    resize(instrument, width, 720)
    instrument.model.set(**{"properties.page": "collisions"})
    window.docks["properties"].close()
    if not window.has_room:
        window.toggle_encoding()
    press_place(instrument.window.parameters.checks, "Smooth")
    assert (window.panel("properties").isVisible(), window.docks["properties"].is_behind) == (True, False)
    assert instrument.model.state.views.properties.page == "verdicts"
    assert not window.overlay.isVisible()


def test_a_press_on_a_check_scrolls_to_its_row_and_marks_it_whatever_was_seen_before(instrument: Instrument) -> None:
    panel = panel_of(instrument, "properties")
    for name in ("Far stays far", "Deterministic", "Constant length", "Constant length"):
        press_place(instrument.window.parameters.checks, name)
        (place,) = (place for place in panel.canvas.places() if place.is_chosen)
        assert place.name == name
        bar = panel.page_area.verticalScrollBar()
        top = bar.value()
        assert top <= place.area.y < place.area.bottom <= top + panel.page_area.viewport().height() + 1
        bar.setValue(0 if top else bar.maximum())


def has_round_corners(popup: QWidget) -> bool:
    """Whether the corners are cut and clear, and what the mask leaves is there and nowhere see-through."""
    size, mask, image = popup.size(), popup.mask(), popup.grab().toImage()
    right, bottom = size.width() - 1, size.height() - 1
    corners = [QPoint(x, y) for x in (0, right) for y in (0, bottom)]
    edges = [QPoint(right // 2, 0), QPoint(right // 2, bottom), QPoint(0, bottom // 2), QPoint(right, bottom // 2)]
    is_cut = mask != QRegion() and not any(map(mask.contains, corners)) and all(map(mask.contains, edges))
    left = [QPoint(x, y) for x in range(right + 1) for y in (*range(12), *range(bottom - 11, bottom + 1))]
    opaque = {image.pixelColor(place).alpha() == 255 for place in left if mask.contains(place)}
    return is_cut and image.pixelColor(0, 0).alpha() == 0 and opaque == {True}


def test_menus_lists_and_cards_have_round_corners_and_a_tooltip_covers_no_entry_below(instrument) -> None:
    window, speed, card = instrument.window, instrument.window.transport.speed, instrument.window.matrix.card
    for menu in (*window.header.menus.values(), PanelMenu(window.docks["waves"], window)):
        menu.popup(QPoint(100, 100))
        assert has_round_corners(menu), menu.title()
        menu.close()
    entries, checks = window.parameters.chooser.view(), window.parameters.checks
    window.parameters.chooser.showPopup()
    entry = entries.visualRect(entries.model().index(5, 0))
    for widget, row in ((entries.viewport(), entry), (checks, QRectF(*checks.places()[5].area).toRect())):
        at = row.center()
        QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
        [tip] = [shown for shown in QApplication.topLevelWidgets() if shown.inherits("QTipLabel") and shown.isVisible()]
        # It covers no entry below, or none at all.
        is_beside = tip.geometry().left() > widget.window().geometry().right()
        assert is_beside or tip.geometry().bottom() < widget.mapToGlobal(row.topLeft()).y()
        tip.close()
    window.parameters.chooser.hidePopup()
    speed.showPopup()
    popup = QApplication.activePopupWidget()
    assert popup is speed.view().window()
    assert has_round_corners(popup)
    speed.hidePopup()
    card.open_at(QPoint(600, 300))
    assert has_round_corners(card)
    card.close()
    # Cards have the edge of menus.
    menu = window.header.menus["File"]
    for theme in ("light", "dark"):
        instrument.live_settings.set(theme=theme)
        card.open_at(QPoint(600, 300))
        edge = card.grab().toImage().pixelColor(card.width() // 2, 0)
        card.close()
        menu.popup(QPoint(100, 100))
        assert edge == menu.grab().toImage().pixelColor(menu.width() // 2, 0)
        menu.close()


def test_cards_open_with_their_corner_where_they_belong_and_on_the_screen(instrument: Instrument) -> None:
    show(instrument, attention__is_open=True)
    screen = instrument.window.screen().availableGeometry()
    for key in ("similarity", "attention"):
        for corner in (QPoint(700, 100), screen.bottomRight(), QPoint(40, 40)):
            instrument.window.panel(key).open_choices(corner)
            card = QApplication.activePopupWidget()
            assert card is not None, key
            assert screen.contains(card.geometry()), (key, corner)
            assert corner.x() != 700 or card.geometry().topRight() == corner - QPoint(1, 0), key
            card.close()


def test_the_list_of_encodings_has_room_for_every_title_and_its_table(instrument: Instrument) -> None:
    chooser = instrument.window.parameters.chooser
    chooser.showPopup()
    entries = chooser.view()
    titles = [chooser.itemText(place) for place in range(chooser.count()) if chooser.itemData(place)]
    widest = max(map(entries.fontMetrics().horizontalAdvance, titles))
    # Six pixels stand on both sides of a title, and before it a table of 48 with its gap.
    assert widest + 12 + 48 + 6 <= entries.viewport().width()
    chooser.hidePopup()
    # What a key closes or chooses in has the next one, too.
    for key, place in ((Qt.Key.Key_Escape, 3), (Qt.Key.Key_Return, 4)):
        instrument.window.focus_plot()
        chooser.showPopup()
        QTest.keyClick(entries, key)
        press(Qt.Key.Key_Down)
        assert (chooser.currentIndex(), instrument.model.cursor.pair) == (place, 4)


def test_letters_in_the_open_list_of_encodings_find_and_enter_chooses(instrument: Instrument) -> None:
    chooser = instrument.window.parameters.chooser
    assert {PRESETS[preset].group.id for row in range(chooser.count()) if (preset := chooser.itemData(row))} == {
        "sinusoidal", "conventions", "ablations", "naive",
    }  # fmt: skip
    chooser.showPopup()
    entries = cast("QListView", chooser.view())
    QTest.keyClicks(entries, "gray code")
    seen = [chooser.itemText(row) for row in range(chooser.count()) if not entries.isRowHidden(row)]
    assert (chooser.search.text(), seen[1:]) == ("gray code", ["Gray code"])
    QTest.keyClick(entries, Qt.Key.Key_Return)
    assert instrument.model.encoding.parameters["code"] == "gray"
    chooser.showPopup()
    assert (chooser.search.text(), entries.isRowHidden(1)) == ("", False)
    chooser.hidePopup()


def test_the_table_beside_a_title_is_that_of_its_encoding(instrument: Instrument) -> None:
    image = table_icon("paper", instrument.window.theme).pixmap(48, 16).toImage()
    values = SinusoidalEncoding(n_positions=48, d_model=16).values(range(48))
    for position in (0, 5, 47):
        for row in (0, 3, 8, 15):
            value = values[position, 2 * (row % 8) + row // 8]
            red, blue = image.pixelColor(position, row).red(), image.pixelColor(position, row).blue()
            assert abs(value) < 0.1 or (blue > red) == (value > 0), (position, row)
