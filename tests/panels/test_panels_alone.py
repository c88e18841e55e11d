"""Each panel lives without a main window: a model, a playback and a theme are all that it needs."""

import pytest
from PySide6.QtWidgets import QApplication

from pe_desktop.draw.theme import themes
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels import PANELS
from pe_desktop.panels.compare_panel import ComparePanel
from pe_desktop.panels.panel import Panel


@pytest.mark.parametrize("panel_class", [*PANELS, ComparePanel], ids=lambda panel_class: panel_class.key)
def test_a_panel_follows_the_model_by_itself(panel_class: type[Panel], model: EncodingModel, qtbot) -> None:
    panel = panel_class(model, Playback(model))
    qtbot.addWidget(panel)
    panel.show_theme(themes()["light"])
    panel.resize(900, 420)
    panel.show()
    qtbot.waitUntil(lambda: panel.is_made and panel.is_settled)
    before = panel.grab().toImage()
    for preset in ("counter", "random", "linear-spacing"):
        model.choose(preset)
        model.move_cursor(position=5.0, offset=-2.0, pair=1)
        QApplication.processEvents()
    qtbot.waitUntil(lambda: panel.is_made and panel.is_settled)
    assert panel.grab().toImage() != before
    # Hidden it wants nothing, and shown again it has caught up.
    panel.hide()
    assert not model.findings.is_busy(panel.key)
    model.choose("paper")
    panel.show_theme(themes()["dark"])
    panel.show()
    qtbot.waitUntil(lambda: panel.is_made and panel.is_settled)
    panel.close_down()
