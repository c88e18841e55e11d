"""The panel of the rotation without a window: which pages it offers and what is typed into it."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from pe_desktop.panels import panel_class


def test_a_second_shift_that_is_no_number_is_answered_in_place(open_panel):
    panel = open_panel(panel_class("rotation"), rotation__page="algebra")
    field = panel.widgets["rotation.second_shift"]
    field.setText("many")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert "many" in panel.refusal.sentence
    assert field.is_refused
    field.setText("-4")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert "M_{−4} M_{8} = M_{4}" in panel.readout()
    assert panel.model.state.views.rotation.second_shift == -4.0


def test_formulas_are_not_offered_where_there_is_no_rotation_and_the_chosen_page_comes_back_with_it(open_panel):
    panel = open_panel(panel_class("rotation"), kind="position-map", rotation__page="algebra")
    _, formulas = panel.header_widgets()[0].findChildren(QToolButton)
    assert (formulas.text(), formulas.isEnabled()) == ("Algebra", False)
    panel.model.choose("paper")
    assert formulas.isEnabled()
    assert formulas.isChecked()
