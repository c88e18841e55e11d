"""What the title rows of heat maps say about the back end, where there is no OpenGL."""

from PySide6.QtWidgets import QApplication

from pe_desktop.heat.heat_canvas import HeatCanvas
from pe_desktop.panels.heat_base import HeatPanel
from pe_desktop.window.application import Instrument


def test_without_a_gpu_the_title_rows_say_that_the_cpu_draws_and_details_can_be_copied(instrument: Instrument) -> None:
    matrix, similarity = instrument.window.matrix, instrument.window.panel("similarity")
    assert isinstance(similarity, HeatPanel)
    for panel in (matrix, similarity):
        assert panel.chip.isVisible()
        assert panel.chip.accessibleName() == "CPU drawing"
        assert "CPU drawing: " in panel.chip.toolTip()
    assert (matrix.chip.text(), instrument.window.header.message) == ("CPU drawing", "")
    actions = {action.text(): action for action in matrix.chip.menu_of_choices.actions()}
    actions["Copy graphics details"].trigger()
    copied = QApplication.clipboard().text()
    for words in ("Heat maps are drawn with: CPU (choice: auto)", "OpenGL renderer: unknown", "platform offscreen"):
        assert words in copied


def test_the_chip_chooses_what_draws_and_the_settings_keep_it(instrument: Instrument) -> None:
    chip = instrument.window.matrix.chip
    actions = {action.text(): action for action in chip.menu_of_choices.actions()}
    assert actions["Choose automatically"].isChecked()
    for words, choice in (("Draw with the CPU", "raster"), ("Draw with the GPU", "opengl")):
        actions[words].trigger()
        assert instrument.settings.renderer == choice
    # There is no OpenGL here: the choice stands, and the CPU draws.
    assert (chip.text(), instrument.renderer.is_opengl) == ("CPU drawing", False)
    canvas = instrument.window.matrix.findChild(HeatCanvas)
    assert canvas is not None
    assert canvas.view is None
