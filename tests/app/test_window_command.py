"""Which window, picture or self-test the command line asks for, and what it says where none can appear."""

import os
import sys
import types
from pathlib import Path

import pytest

from pe_desktop.app import command_line, main
from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State
from pe_desktop.export.session import Session, write_session
from pe_desktop.window.error_reports import log_path

NEEDS_A_DISPLAY = pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="there is always a display here")


@pytest.fixture
def modes():
    """Of each window: whether it is safe, whether it resets the settings, whether a log is kept meanwhile."""
    return []


@pytest.fixture
def window(monkeypatch, modes, tmp_path):
    """A stand-in for the room of the window, which keeps what it was asked for."""
    calls = []

    def open_window(*arguments, is_fresh, is_safe, resets):
        calls.append((*arguments, is_fresh))
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


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--safe-mode", "measure"], "--safe-mode can't stand before measure"),
        (["--reset-settings", "measure"], "--reset-settings can't stand before measure"),
        (["--renderer", "opengl", "--screenshot", "picture.png"], "which the CPU draws"),
        (["a.pesession", "--screenshot", "a.png"], "no such file"),
        (["a.pesession", "b.pesession"], "One window shows one session: 2 were given"),
        (["a.pesession", "--set", "d_model=8"], "--set can't stand with a session"),
        (["a.pesession", "export", "clock", "-o", "a.svg"], "A session can't stand before export"),
        (["a.json"], "command can't be a.json"),
        (
            ["export", "clock", "-o", "a.pesession"],
            "clock is written as .png, .svg or .pdf: a.pesession is none of them. Nothing was written.",
        ),
    ],
)
def test_what_has_no_window_or_session_to_act_on_is_one_line(window, refusal, words, sentence):
    code, line = refusal(*words)
    assert (code, window) == (2, [])
    assert sentence in line


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
