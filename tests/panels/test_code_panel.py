"""The panel of code: its pages, its steps and its buttons."""

import pytest

from pe_desktop.panels import panel_class


@pytest.fixture
def panel(open_panel):
    return open_panel(panel_class("code"), 760, 700)


def test_steps_and_libraries_are_offered_where_they_act(panel):
    for page, library, steps in (("now", True, False), ("repl", False, True), ("forward", False, False)):
        panel.model.set(**{"code.page": page})
        shown = [panel.widgets[name].isVisible() for name in ("code.library", "Previous step", "Next step")]
        assert shown == [library, steps, steps]


def test_buttons_go_from_step_to_step_and_end_at_both_ends(panel):
    panel.model.set(**{"code.page": "repl", "code.step": 5})
    back, on = panel.widgets["Previous step"], panel.widgets["Next step"]
    on.click()
    assert panel.model.state.views.code.step == 6
    assert not on.isEnabled()
    for _ in range(6):
        back.click()
    assert panel.model.state.views.code.step == 0
    assert not back.isEnabled()


def test_copy_asks_for_the_program(panel):
    asked: list[str] = []
    panel.asked.connect(asked.append)
    panel.widgets["Copy"].click()
    assert asked == ["copy_readout"]
    assert panel.readout().startswith("# encoding: kind=sinusoidal")
