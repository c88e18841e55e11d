"""Which window, picture or self-test the command line asks for, and how the frozen application starts."""

import io
import os
import shutil
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from pe_desktop.app import command_line, frozen, main
from pe_desktop.app.command_line import CANNOT_START
from pe_desktop.app.frozen import _message_command, show_message
from pe_desktop.core import SinusoidalEncoding, State
from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.export.session import Session, write_session
from pe_desktop.guard import CannotStartError, _import_refusal, _platform_refusal
from pe_desktop.window.error_reports import log_path
from tests.tables import table

NEEDS_A_DISPLAY = pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="there is always a display here")


@pytest.fixture
def modes():
    """Of each window: whether it is safe, whether it resets the settings, whether a log is kept meanwhile."""
    return []


@pytest.fixture
def window(monkeypatch, modes, tmp_path):
    """A stand-in for the room of the window, which keeps what it was asked for."""
    calls = []

    def open_window(*arguments, is_fresh, is_lab, is_safe, resets):
        calls.append((*arguments, is_fresh))
        assert not is_lab
        modes.append((is_safe, resets, log_path() is not None))
        return 0

    def write_screenshot(path, *arguments):
        calls.append((path, *arguments))
        path.write_bytes(b"picture")

    application = types.ModuleType("pe_desktop.window.start")
    vars(application).update(open_window=open_window, write_screenshot=write_screenshot)
    monkeypatch.setitem(sys.modules, application.__name__, application)
    monkeypatch.setattr(command_line, "check_qt", lambda: None)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setenv("PE_DESKTOP_SETTINGS", str(tmp_path / "settings"))
    return calls


def test_window_opens_with_what_was_set_or_a_session_and_without_options_with_its_own_theme_and_last_state(window):
    state = State(SinusoidalEncoding(d_model=8), Cursor(position=3.0, pair=1, pinned_pairs=(0, 1, 2)))
    assert main(["--theme", "dark", "--set", "d_model=8", "--set", "position=3", "--set", "pair=1"]) == 0
    assert main([]) == 0
    assert main(["--fresh"]) == 0
    assert main(["--renderer", "raster"]) == 0
    assert main(["--theme", "dark", "Mine.PESESSION"]) == 0
    assert window == [
        (state, "dark", None, None, False), (None, None, None, None, False), (None, None, None, None, True),
        (None, None, "raster", None, False), (None, "dark", None, Path("Mine.PESESSION"), False),
    ]  # fmt: skip


def test_a_safe_window_keeps_no_log_and_settings_are_reset_where_that_is_asked_for(window, modes, tmp_path):
    assert [main(words) for words in (["--safe-mode"], ["--reset-settings"], [])] == [0, 0, 0]
    assert modes == [(True, False, False), (False, True, True), (False, False, True)]
    assert (tmp_path / "settings" / "log.txt").exists()


def test_screenshot_gets_its_size_and_theme_and_shows_what_was_saved(window, tmp_path, capsys):
    path, saved = tmp_path / "picture.png", State(SinusoidalEncoding(50, 8), Cursor(7.5, 2.0, 3, (0,)), Span(2.0, 20.5))
    session = write_session(tmp_path / "talk.pesession", Session(saved), overwrite=False)
    assert main(["--screenshot", str(path), "--size", "1280x720", "--theme", "dark"]) == 0
    assert window == [(path.resolve(), State(), "dark", 1280, 720)]
    assert capsys.readouterr() == (f"{path}: 1280 x 720 pixels, 7 bytes\n", "")
    assert main([str(session), "--screenshot", str(tmp_path / "a.png")]) == 0
    assert window[-1][1] == saved


def test_screenshot_replaces_a_file_only_when_forced(window, tmp_path, refusal):
    (tmp_path / "picture.png").write_text("precious")
    code, line = refusal("--screenshot", "picture.png")
    assert (code, line.endswith("Add --force to replace it.")) == (2, True)
    assert main(["--screenshot", "picture.png", "--force"]) == 0
    assert [(call[0].name, *call[2:5]) for call in window] == [("picture.png", "light", 1600, 1000)]


def test_screenshot_that_fails_is_one_line(window, monkeypatch, refusal):
    def fail(*_arguments):
        raise OSError("The picture could not be written.")

    monkeypatch.setattr(sys.modules["pe_desktop.window.start"], "write_screenshot", fail)
    assert refusal("--screenshot", "picture.png") == (2, "The picture could not be written.")


@NEEDS_A_DISPLAY
def test_screenshot_without_a_display_is_drawn_offscreen(window, monkeypatch, tmp_path):
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.setenv(name, "")
    assert main(["--screenshot", str(tmp_path / "picture.png")]) == 0
    assert os.environ["QT_QPA_PLATFORM"] == "offscreen"


@pytest.fixture
def self_tests(window, monkeypatch):
    """A stand-in for the self-test, which fails and keeps what it was asked for."""
    calls = []

    def run(*arguments):
        calls.append(arguments)
        return 1

    self_test = types.ModuleType("pe_desktop.app.self_test")
    vars(self_test).update(run=run)
    monkeypatch.setitem(sys.modules, self_test.__name__, self_test)
    monkeypatch.setattr(sys.modules["pe_desktop.app"], "self_test", self_test, raising=False)
    return calls


def test_self_test_gives_its_own_exit_code_and_takes_renderer_and_theme_on_either_side(self_tests, tmp_path):
    assert main(["self-test", "--report", str(tmp_path / "report.txt")]) == 1
    assert main(["self-test"]) == 1
    assert self_tests == [(tmp_path / "report.txt", None, None), (None, None, None)]
    self_tests.clear()
    renderer, theme = ["--renderer", "opengl"], ["--theme", "dark"]
    for words in ([*renderer, *theme, "self-test"], ["self-test", *renderer, *theme], [*theme, "self-test", *renderer]):
        assert main(words) == 1
    assert self_tests == 3 * [(None, "dark", "opengl")]


@NEEDS_A_DISPLAY
def test_window_without_a_display_names_what_works_without_one(command, luck):
    done = command(**luck.choice([{}, {"DISPLAY": ":4711"}, {"QT_QPA_PLATFORM": "xcb"}]))
    assert (done.returncode, done.stdout) == (3, "")
    assert len(done.stderr.splitlines()) == 1
    assert "pe-desktop export, pe-desktop self-test" in done.stderr


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


@pytest.mark.parametrize(("place", "names", "good", "has"), table("app/platforms"))
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
