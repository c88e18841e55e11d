"""A frozen start that fails says why, in the log and in a box that a double click shows; commands leave no trace."""

import io
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pe_desktop.app import frozen
from pe_desktop.app.command_line import CANNOT_START
from pe_desktop.app.frozen import _message_command, show_message
from pe_desktop.guard import CannotStartError, _import_refusal, _platform_refusal


@pytest.fixture
def start(monkeypatch, tmp_path):
    """Starts the frozen application with arguments; the log lies in tmp_path / "home", boxes are only collected."""
    boxes = []
    home = tmp_path / "home"
    for name in ("HOME", "XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setattr(Path, "home", lambda: home)
    monkeypatch.setattr(frozen, "show_message", lambda text, *_: boxes.append(text))
    monkeypatch.setattr(sys, "__stderr__", io.StringIO())

    def run(*arguments, answer):
        monkeypatch.setattr(sys, "argv", ["pe-desktop", *arguments])
        monkeypatch.setattr(frozen, "obey", answer)
        return frozen.main(), boxes, sorted(path for path in home.rglob("*") if path.is_file())

    return run


def refuse(_arguments):
    sys.stderr.write("pe-desktop: No window can appear here.\n")
    return CANNOT_START


def break_down(_arguments):
    raise ZeroDivisionError("a fault of ours")


@pytest.mark.parametrize("arguments", [(), ("/home/me/talk.pesession",)])
def test_a_double_click_that_opens_no_window_shows_the_sentence_and_the_log(start, capsys, arguments) -> None:
    code, [box], [log] = start(*arguments, answer=refuse)
    assert code == CANNOT_START
    assert box.startswith("No window can appear here.")
    assert str(log) in box
    assert "No window can appear here." in log.read_text(encoding="utf-8")
    assert capsys.readouterr().err.splitlines()[0] == "pe-desktop: No window can appear here."


def test_a_fault_of_ours_leaves_its_traceback_in_the_log_and_a_good_start_shows_nothing(start) -> None:
    code, boxes, [log] = start(answer=lambda arguments: 0)
    assert (code, boxes) == (0, [])
    assert log.read_text(encoding="utf-8").count("\n") == 1
    code, boxes, [log] = start(answer=break_down)
    assert code == frozen.CRASHED
    assert "ZeroDivisionError: a fault of ours" in log.read_text(encoding="utf-8")
    assert len(boxes) == 1


def test_a_start_from_a_terminal_shows_no_box_and_one_without_any_stream_writes_into_the_log(
    start, monkeypatch
) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "__stderr__", terminal)
    assert start(answer=refuse)[1] == []
    # On Windows a program without a console has neither.
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setattr(sys, "__stderr__", None)
    _, [box], [log] = start(answer=refuse)
    assert "No window can appear here." in box
    assert "No window can appear here." in log.read_text(encoding="utf-8")


@pytest.mark.parametrize("arguments", [("export", "clock", "-o", "a.svg"), ("self-test",), ("--version",)])
def test_commands_write_no_log_and_show_no_box(start, arguments) -> None:
    assert start(*arguments, answer=refuse) == (CANNOT_START, [], [])


def test_programs_that_a_link_opens_get_the_libraries_of_the_system() -> None:
    environment = {"LD_LIBRARY_PATH": "/bundle/_internal", "LD_LIBRARY_PATH_ORIG": "/mine", "LANG": "C"}
    environment["QT_QPA_PLATFORM_PLUGIN_PATH"] = "/another/qt"
    frozen._clear_environment(environment)
    assert environment == {"LD_LIBRARY_PATH": "/mine", "LANG": "C"}
    only_ours = {"LD_LIBRARY_PATH": "/bundle/_internal"}
    frozen._clear_environment(only_ours)
    assert only_ours == {}


@pytest.mark.parametrize(
    ("place", "names", "good", "has"),
    [
        (
            "PySide6/Qt",
            ["libqxcb.so", "libqoffscreen.so"],
            ("", "xcb", "offscreen:fonts", "wayland;xcb"),
            "offscreen, xcb",
        ),
        ("PySide6", ["qwindows.dll"], ("windows",), "windows"),
    ],
)
def test_only_a_platform_that_the_bundle_lacks_is_refused_before_qt_aborts(tmp_path, place, names, good, has) -> None:
    assert "damaged" in str(_platform_refusal(tmp_path, {}))
    folder = tmp_path / place / "plugins" / "platforms"
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).touch()
    for chosen in good:
        assert _platform_refusal(tmp_path, {"QT_QPA_PLATFORM": chosen}) is None
    sentence = _platform_refusal(tmp_path, {"QT_QPA_PLATFORM": "eglfs"})
    assert sentence == f"QT_QPA_PLATFORM asks for eglfs, and this application has only {has}."


def test_a_bundle_without_a_module_is_called_damaged_and_ends_the_start(monkeypatch, tmp_path) -> None:
    from pe_desktop import guard  # noqa: PLC0415 - the fixture's frozen state must stand first

    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    sentence = _import_refusal(ModuleNotFoundError(name="PySide6.QtWidgets"), None)
    assert sentence == (
        "This copy of the application is damaged, PySide6.QtWidgets is missing: unpack or install it again."
    )
    with pytest.raises(CannotStartError, match="platform plugins are missing"):
        guard.check_qt()


SCREEN = {"DISPLAY": ":0"}


def having(*programs):
    return lambda name: f"/usr/bin/{name}" if name in programs else None


def test_a_linux_desktop_shows_the_text_with_what_it_has_and_its_own_box_before_a_plain_one() -> None:
    for program in ("zenity", "kdialog", "xmessage"):
        command: Any = _message_command("Qt can't be <loaded>", SCREEN, "linux", having(program))
        assert command[0] == program
        assert "Qt can't be <loaded>" in command[-1]
    command = _message_command("text", {"WAYLAND_DISPLAY": "wayland-0"}, "linux", having("xmessage", "zenity"))
    assert command[0] == "zenity"
    # Without a screen or a program there is no box.
    assert _message_command("text", {}, "linux", having("zenity")) is None
    assert _message_command("text", SCREEN, "linux", having()) is None


def test_quotes_and_backslashes_stay_text_on_macos() -> None:
    command: Any = _message_command('say "a\\b"', {}, "darwin", having())
    assert command[:2] == ["osascript", "-e"]
    assert r'message "say \"a\\b\""' in command[2]


def test_a_box_that_breaks_does_not_break_the_program(monkeypatch) -> None:
    def fail(*_arguments, **_options):
        raise subprocess.TimeoutExpired("zenity", 1)

    monkeypatch.setattr(shutil, "which", having("zenity"))
    monkeypatch.setattr(subprocess, "run", fail)
    show_message("text", SCREEN, "linux")
