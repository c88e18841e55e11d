"""The panel of the derivations without a window: its pages, what it copies, what a screen reader finds."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from pe_desktop.core.state import step_title
from pe_desktop.panels import panel_class
from pe_desktop.views.derivations.chapters import CHAPTERS

TITLES = {page: chapter.title for page, chapter in CHAPTERS.items()}


def test_each_page_is_one_press_and_can_be_undone(open_panel):
    panel = open_panel(panel_class("derivations"))
    buttons = {button.text(): button for button in panel.findChildren(QToolButton)}
    assert [*buttons] == [*TITLES.values()]
    for page, title in TITLES.items():
        buttons[title].click()
        assert panel.model.state.views.derivations.page == page
        assert [text for text, button in buttons.items() if button.isChecked()] == [title]
    # Presses within a moment are one step.
    panel.model.undo()
    assert panel.model.state.views.derivations.page == "block"
    assert step_title(["derivations.page"]) == "page of Derivations"


def test_the_rows_of_pages_leave_the_height_to_the_page(open_panel):
    panel = open_panel(panel_class("derivations"))
    buttons = panel.findChildren(QToolButton)
    rows = sorted({button.mapTo(panel, QPoint(0, 0)).y() for button in buttons})
    assert len(rows) == 2
    assert rows[1] - rows[0] < 2 * buttons[0].height()
    assert panel.page_area.y() < rows[1] + 2 * buttons[0].height()


def test_pages_in_two_rows_are_one_stop_of_tab_and_arrows_go_through_both(open_panel):
    panel = open_panel(panel_class("derivations"))
    panel.activateWindow()
    buttons = panel.findChildren(QToolButton)

    def stops() -> list[str]:
        return [button.text() for button in buttons if button.focusPolicy() & Qt.FocusPolicy.TabFocus]

    def focused() -> QToolButton:
        button = QApplication.focusWidget()
        assert isinstance(button, QToolButton)
        return button

    titles = [*TITLES.values()]
    start = titles.index(TITLES["log"])
    panel.model.set(**{"derivations.page": "log"})
    panel.show_choices()
    assert stops() == [TITLES["log"]]
    next(button for button in buttons if button.text() == TITLES["log"]).setFocus(Qt.FocusReason.TabFocusReason)
    for step in (*[1] * (len(TITLES) - 1), *[-1] * (len(TITLES) - 1)):
        QTest.keyClick(focused(), Qt.Key.Key_Right if step > 0 else Qt.Key.Key_Left)
        start += step
        panel.show_choices()
        assert stops() == [titles[start]]
        assert focused().text() == titles[start]
        assert TITLES[panel.model.state.views.derivations.page] == titles[start]


def test_another_page_starts_at_its_top(open_panel):
    panel = open_panel(panel_class("derivations"), 600, 300, derivations__page="system")
    panel.refresh()
    QApplication.processEvents()
    bar = panel.page_area.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    panel.model.set(**{"derivations.page": "block"})
    panel.show_choices()
    assert bar.value() == 0


def test_numbers_follow_the_cursor_and_each_step_is_a_place(open_panel):
    panel = open_panel(panel_class("derivations"), derivations__page="length")
    before = panel.readout()
    panel.model.move_cursor(position=38.0)
    assert panel.readout() != before
    places = panel.compose(panel.canvas.box()).places()
    assert [place.name.partition(":")[0] for place in places] == [f"step {number}" for number in range(1, 5)]
    assert "sin^2 + cos^2 = 1" in places[0].value
