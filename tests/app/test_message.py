"""The box of a start that could not load Qt is made by what the system has for it."""

import shutil
import subprocess

import pytest

from pe_desktop.app.message import message_command, show_message

SCREEN = {"DISPLAY": ":0"}


def having(*programs):
    return lambda name: f"/usr/bin/{name}" if name in programs else None


@pytest.mark.parametrize("program", ["zenity", "kdialog", "xmessage"])
def test_a_linux_desktop_shows_the_text_with_what_it_has(program) -> None:
    command = message_command("Qt can't be <loaded>", SCREEN, "linux", having(program))
    assert command is not None
    assert command[0] == program
    assert "Qt can't be <loaded>" in command[-1]


def test_the_desktop_s_own_box_comes_before_a_plain_one() -> None:
    command = message_command("text", {"WAYLAND_DISPLAY": "wayland-0"}, "linux", having("xmessage", "zenity"))
    assert command is not None
    assert command[0] == "zenity"


def test_without_a_screen_or_a_program_there_is_no_box() -> None:
    assert message_command("text", {}, "linux", having("zenity")) is None
    assert message_command("text", SCREEN, "linux", having()) is None


def test_quotes_and_backslashes_stay_text_on_macos() -> None:
    command = message_command('say "a\\b"', {}, "darwin", having())
    assert command is not None
    assert command[:2] == ["osascript", "-e"]
    assert r'message "say \"a\\b\""' in command[2]


def test_a_box_that_breaks_does_not_break_the_program(monkeypatch) -> None:
    def fail(*_arguments, **_options):
        raise subprocess.TimeoutExpired("zenity", 1)

    monkeypatch.setattr(shutil, "which", having("zenity"))
    monkeypatch.setattr(subprocess, "run", fail)
    show_message("text", SCREEN, "linux")
