"""What the system asks for: less motion, more contrast; a choice of the person's own counts more."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pe_desktop.window.application import Instrument
from pe_desktop.window.system_wishes import LessMotion, system_wants_contrast

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
@pytest.mark.parametrize(("answer", "wants_less"), [("false", True), ("true", False), ("", False)])
def test_a_desktop_without_animations_wants_less_motion(desktop, qtbot, answer: str, wants_less: bool) -> None:
    desktop(answer)
    asked = LessMotion()
    with qtbot.waitSignal(asked.answered) as told:
        asked.ask()
    assert told.args == [wants_less]


@on_linux
def test_where_nobody_can_tell_motion_is_as_usual(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_instrument: Callable[..., Instrument]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not open_instrument().playback.is_reduced


def test_no_high_contrast_without_a_desktop(qapp) -> None:
    assert not system_wants_contrast()


@on_linux
def test_motion_is_reduced_as_the_system_has_it_unless_it_is_chosen(
    desktop, qtbot, open_instrument: Callable[..., Instrument]
) -> None:
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
