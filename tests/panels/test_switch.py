"""The switch: where its knob stands is seen whether it can be turned or not."""

import pytest
from PySide6.QtWidgets import QApplication

from pe_desktop.draw.theme import Theme
from pe_desktop.panels.controls.buttons import Switch


@pytest.mark.parametrize("is_enabled", [True, False])
def test_the_knob_is_seen_on_its_side(qapp: QApplication, qtbot, theme: Theme, is_enabled: bool) -> None:
    switch = Switch("Cursors", "")
    qtbot.addWidget(switch)
    switch.show_theme(theme)
    switch.setEnabled(is_enabled)
    for is_on in (False, True):
        switch.setChecked(is_on)
        image = switch.grab().toImage()
        left, right = (image.pixelColor(x, switch.height() // 2) for x in (11, 23))
        knob, track = (right, left) if is_on else (left, right)
        assert abs(knob.lightness() - track.lightness()) > 25
