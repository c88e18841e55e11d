"""The panel of the derivations without a window: its pages, what it copies, what a screen reader finds."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from pe_desktop.panels import panel_class
from pe_desktop.views.derivations.scene import CHAPTERS

TITLES = {page: chapter.title for page, chapter in CHAPTERS.items()}


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
