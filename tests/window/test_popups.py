"""Menus, lists, tooltips and cards have the round corners that the style sheet draws."""

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QHelpEvent, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from pe_desktop.window.application import Instrument
from pe_desktop.window.panel_menu import PanelMenu
from tests.window.conftest import press, show


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


def test_menus_lists_tooltips_and_cards_have_round_corners(instrument) -> None:
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
        assert has_round_corners(tip)
        # It covers no entry below.
        assert tip.geometry().bottom() < widget.mapToGlobal(row.topLeft()).y()
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


def test_the_list_of_encodings_ends_with_its_dock_and_has_room_for_every_title(instrument: Instrument) -> None:
    chooser, dock = instrument.window.parameters.chooser, instrument.window.docks["parameters"]
    chooser.showPopup()
    entries = chooser.view()
    assert entries.window().geometry().right() <= dock.mapToGlobal(QPoint(dock.width(), 0)).x()
    titles = [chooser.itemText(place) for place in range(chooser.count()) if chooser.itemData(place)]
    widest = max(map(entries.fontMetrics().horizontalAdvance, titles))
    # Six pixels stand on both sides of a title.
    assert widest + 12 <= entries.viewport().width()
    chooser.hidePopup()
    # What a key closes or chooses in has the next one, too.
    for key, place in ((Qt.Key.Key_Escape, 2), (Qt.Key.Key_Return, 3)):
        instrument.window.focus_plot()
        chooser.showPopup()
        QTest.keyClick(entries, key)
        press(Qt.Key.Key_Down)
        assert (chooser.currentIndex(), instrument.model.cursor.pair) == (place, 4)
