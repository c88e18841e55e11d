"""What the system asks for: less motion, more contrast; a choice of the person's own counts more."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pe_desktop.model.playback import Playback
from pe_desktop.window.system_wishes import Motion, system_wants_contrast

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="gsettings is a program of Linux")


@pytest.fixture
def desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A desktop whose settings of animations are what is asked for: desktop("false")."""

    def have(answer: str) -> None:
        program = tmp_path / "gsettings"
        program.write_text(f"#!/bin/sh\necho {answer}\n", encoding="utf-8")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))

    return have


@on_linux
def test_a_desktop_without_animations_wants_less_motion_and_none_wants_contrast(desktop, make_model, qtbot) -> None:
    for answer, wants_less in (("false", True), ("true", False), ("", False)):
        desktop(answer)
        asked = Motion(Playback(make_model()), "system")
        with qtbot.waitSignal(asked.answered) as answered:
            asked.ask()
        assert (answered.args, asked.choice) == ([wants_less], "system")
    assert not system_wants_contrast()


@on_linux
def test_motion_is_reduced_as_the_system_has_it(desktop, qtbot, tmp_path, monkeypatch, open_instrument) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not open_instrument().playback.is_reduced
    desktop("false")
    instrument = open_instrument()
    playback, live = instrument.playback, instrument.live_settings
    qtbot.waitUntil(lambda: playback.is_reduced)
    assert (live.now.motion, playback.is_reduced) == ("system", True)
    live.set(motion="normal")
    assert (live.now.motion, playback.is_reduced) == ("normal", False)
    live.set(motion="system")
    playback.set_reduced(False)
    assert live.now.motion == "normal"
