"""What a person at a terminal sees: one line for each error, its exit code, and files that are whole."""

import os
import signal
import subprocess
import sys
import time
import types
from pathlib import Path

import numpy as np
import pytest

from pe_desktop.app import command_line, main
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.parameters import PARAMETER_NAMES
from pe_desktop.core.sinusoidal import SinusoidalEncoding

ROOT = Path(__file__).parents[2]
POSIX_ONLY = pytest.mark.skipif(os.name != "posix", reason="signals and closed streams of this kind are POSIX's")

# Refuses Qt and everything that would load it, before the application is imported.
WITHOUT_QT = """
import importlib.abc, sys
class NoQt(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"PySide6", "shiboken6", "pyqtgraph"}:
            raise AssertionError(name + " was imported")
sys.meta_path.insert(0, NoQt())
from pe_desktop.app import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def refusal(capsys, tmp_path, monkeypatch):
    """Runs a command that must fail in an empty folder; gives its code and its line, after checking there is only one."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str]:
        before = {entry: entry.read_bytes() for entry in tmp_path.rglob("*") if entry.is_file()}
        code = main(arguments)
        out, err = capsys.readouterr()
        assert out == ""
        assert err.endswith("\n")
        assert len(err.splitlines()) == 1
        assert "Traceback" not in err
        assert {entry: entry.read_bytes() for entry in tmp_path.rglob("*") if entry.is_file()} == before
        return code, err.removeprefix("pe-desktop: ").rstrip("\n")

    return run


def environment(**changes: str) -> dict[str, str]:
    screenless = {
        name: value
        for name, value in os.environ.items()
        if name not in {"DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM"}
    }
    return {**screenless, "PYTHONPATH": str(ROOT), **changes}


def command(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    defaults = {"env": environment(), "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.run([sys.executable, "-m", "pe_desktop", *arguments], check=False, **{**defaults, **options})


# Export


def test_export_says_what_it_wrote(tmp_path, capsys):
    path = tmp_path / "table.npy"
    assert main(["export", "encoding", "-o", str(path), "--set", "d_model=64", "--set", "layout=half-split"]) == 0
    assert np.load(path).tobytes() == SinusoidalEncoding(d_model=64, layout="half-split").values(range(128)).tobytes()
    assert capsys.readouterr() == (f"{path}: encoding, 128 x 64, {128 + 128 * 64 * 8} bytes\n", "")


@pytest.mark.parametrize("what", ["encoding", "frequencies", "wavelengths"])
@pytest.mark.parametrize("suffix", [".npy", ".csv"])
def test_every_array_exports_without_qt_and_without_a_screen(tmp_path, what, suffix):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_QT, "export", what, "-o", f"a{suffix}"],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / f"a{suffix}").stat().st_size > 0


def test_existing_file_stays_unless_forced(tmp_path, capsys, refusal):
    path = tmp_path / "table.csv"
    path.write_text("precious")
    code, line = refusal("export", "frequencies", "-o", str(path))
    assert code == 2
    assert line == f"{path} exists already and stays as it is. Nothing was written. Add --force to replace it."
    assert main(["export", "frequencies", "-o", str(path), "--force"]) == 0
    assert path.read_text().startswith("pair,")


def test_failed_export_with_force_keeps_the_old_file(tmp_path, refusal):
    (tmp_path / "table.npy").write_text("precious")
    code, _ = refusal("export", "encoding", "-o", "table.npy", "--force", "--set", "d_model=7")
    assert code == 2


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        (["d_model=7"], "d_model must be even: 7"),
        (["n_positions=0"], "n_positions"),
        (["n_positions=NaN"], "n_positions"),
        (["n_positions=1e30"], "n_positions"),
        (["n_positions=many"], "n_positions"),
        (["n_positions="], "n_positions"),
        (["n_positions=10000001"], "n_positions"),
        (["base=1"], "base"),
        (["base=-inf"], "base"),
        (["base=1e30"], "base"),
        (["spacing=round"], "spacing"),
        (["layout=upside-down"], "layout"),
        (["kind=learned"], "kind"),
        (["position=1e30"], "position"),
        (["pair=16"], "pair"),
        (["offset=nan"], "offset"),
        (["d_model"], "--set takes NAME=VALUE: 'd_model' has no equals sign"),
        (["d_model=8", "d_model=16"], "d_model is set twice: to 8 and to 16"),
        (["=3"], PARAMETER_NAMES[-1]),
        (["width=3"], ", ".join(PARAMETER_NAMES)),
    ],
)
def test_bad_settings_are_one_line(refusal, settings, word):
    flags = [part for setting in settings for part in ("--set", setting)]
    code, line = refusal("export", "encoding", "-o", "table.npy", *flags)
    assert code == 2
    assert word in line


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["export"], "WHAT"),
        (["export", "encoding"], "-o"),
        (["export", "matrix", "-o", "m.npy"], "encoding"),
        (["export", "encoding", "-o"], "-o"),
        (["export", "encoding", "-o", "table.txt"], ".npy or .csv: table.txt"),
        (["export", "encoding", "-o", "table"], ".npy or .csv"),
        (["export", "encoding", "-o", "no/such/table.npy"], "doesn't exist. Nothing was written."),
        (["export", "encoding", "-o", "."], ".npy or .csv"),
        (["export", "encoding", "-o", "two\nlines/table.npy"], "two\\nlines"),
        (["export", "encoding", "-o", "\x1b[31m/table.npy"], "\\x1b[31m"),
        (["export", "encoding", "-o", "\udcff/table.npy"], "\\udcff"),
        (["export", "encoding", "-o", "zero\0.npy"], "can't be the name of a file"),
        (["export", "encoding", "-o", "a" * 300 + ".npy"], "Nothing was written."),
        (["export", "encoding", "-o", "t.npy", "more"], "more"),
        (["exp"], "export"),
        (["--them", "dark"], "--them"),
        (["--theme", "pink"], "light"),
        (["--set", "base=1"], "base"),
        (["--set", "d_model=64", "export", "encoding", "-o", "t.npy"], "--set can't stand before export"),
        (["--theme", "dark", "self-test"], "--theme can't stand before self-test"),
        (["--screenshot", "a.png", "export", "encoding", "-o", "t.npy"], "--screenshot can't stand before export"),
        (["--size", "640x480"], "--size needs --screenshot"),
        (["--force"], "--force needs --screenshot"),
        (["--screenshot", "a.jpg"], ".png: a.jpg"),
        (["--screenshot", "no/a.png"], "doesn't exist. Nothing was written."),
        (["--screenshot", "a.png", "--size", "wide"], "'wide' is not"),
        (["--screenshot", "a.png", "--size", "640"], "'640' is not"),
        (["--screenshot", "a.png", "--size", "640x480x3"], "is not"),
        (["--screenshot", "a.png", "--size", "-640x480"], "is not"),
        (["--screenshot", "a.png", "--size", "640x²"], "is not"),
        (["--screenshot", "a.png", "--size", "319x480"], "320 to 8192"),
        (["--screenshot", "a.png", "--size", "640x8193"], "320 to 8192"),
        (["--screenshot", "a.png", "--size", "9" * 5000 + "x9"], "is not"),
        (["self-test", "--report", "no/report.txt"], "doesn't exist"),
    ],
)
def test_bad_command_lines_are_one_line(refusal, arguments, word):
    code, line = refusal(*arguments)
    assert code == 2
    assert word in line


def test_folder_as_target_is_one_line(tmp_path, refusal):
    (tmp_path / "folder.npy").mkdir()
    code, line = refusal("export", "encoding", "-o", "folder.npy", "--force")
    assert (code, line) == (2, "folder.npy is a folder. Nothing was written.")


def test_memory_that_runs_out_is_one_line(monkeypatch, refusal):
    def exhausted(*_arguments, **_options):
        raise MemoryError

    monkeypatch.setattr(command_line, "write_array", exhausted)
    assert refusal("export", "encoding", "-o", "t.npy") == (2, "There is not enough memory for this.")


def test_progress_stands_on_a_terminal_only(tmp_path, monkeypatch, capsys):
    def reporting(_what, _encoding, _cursor, path, *, progress, **_options):
        progress(1_234_567, 10_000_000)
        return types.SimpleNamespace(path=path, shape=(1,), n_bytes=8)

    monkeypatch.setattr(command_line, "write_array", reporting)
    monkeypatch.setattr("pe_desktop.app.console.PROGRESS_DELAY", 0.0)
    assert main(["export", "frequencies", "-o", "f.npy"]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main(["export", "frequencies", "-o", "f.npy"]) == 0
    err = capsys.readouterr().err
    assert " 12 %  1 234 567 of 10 000 000 rows" in err
    assert err.rpartition("rows")[2].strip() == ""  # the line is taken away
    assert err.endswith("\r")


@POSIX_ONLY
@pytest.mark.parametrize(
    ("number", "code", "line"),
    [(signal.SIGINT, 130, "pe-desktop: Interrupted.\n"), (signal.SIGTERM, 143, ""), (signal.SIGHUP, 129, "")],
)
def test_stopped_export_leaves_nothing_half_written(tmp_path, number, code, line):
    (tmp_path / "table.csv").write_text("precious")
    arguments = ["export", "encoding", "-o", "table.csv", "--force"]
    settings = ["--set", "n_positions=100000", "--set", "d_model=512"]  # a minute of work
    with subprocess.Popen(
        [sys.executable, "-m", "pe_desktop", *arguments, *settings],
        cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        while process.poll() is None and not any(entry.suffix == ".part" for entry in tmp_path.iterdir()):
            time.sleep(0.01)
        process.send_signal(number)
        assert process.communicate() == ("", line)
    assert process.returncode == code
    assert {entry.name: entry.read_text() for entry in tmp_path.iterdir()} == {"table.csv": "precious"}


# Streams


@POSIX_ONLY
@pytest.mark.parametrize("arguments", [["export", "frequencies", "-o", "f.npy"], ["--help"], ["--version"]])
def test_reader_that_went_away_is_no_error(tmp_path, arguments):
    reading, writing = os.pipe()
    os.close(reading)
    done = command(*arguments, cwd=tmp_path, stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list(tmp_path.iterdir())) == arguments.count("export")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_full_output_is_one_line(arguments):
    with Path("/dev/full").open("w") as full:
        done = command(*arguments, stdout=full)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@POSIX_ONLY
def test_closed_streams_do_no_harm(tmp_path):
    line = f'exec "{sys.executable}" -m pe_desktop export frequencies -o f.npy >&- 2>&-'
    assert subprocess.run(["sh", "-c", line], cwd=tmp_path, env=environment(), check=False).returncode == 0
    assert (tmp_path / "f.npy").exists()


def test_letters_that_a_console_lacks_are_written_as_escapes(tmp_path):
    done = command("export", "frequencies", "-o", "ω.npy", cwd=tmp_path, env=environment(PYTHONIOENCODING="ascii"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("\\u03c9.npy: frequencies, 16, ")


def test_version_names_what_is_in_use(capsys):
    assert main(["--version"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("pe-desktop ")
    assert f"NumPy {np.__version__}" in out


@pytest.mark.parametrize("arguments", [["--help"], ["export", "--help"]])
def test_help_names_the_exit_codes(capsys, arguments):
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "3 the window can't start here" in " ".join(out.split())


# The window


@pytest.fixture
def window(monkeypatch):
    """A stand-in for the room of the window, which keeps what it was asked for."""
    calls = []

    def open_window(*arguments):
        calls.append(arguments)
        return 0

    def write_screenshot(path, *arguments):
        calls.append((path, *arguments))
        path.write_bytes(b"picture")

    application = types.ModuleType("pe_desktop.window.application")
    vars(application).update(open_window=open_window, write_screenshot=write_screenshot)
    monkeypatch.setitem(sys.modules, application.__name__, application)
    monkeypatch.setattr(command_line, "check_qt", lambda: None)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    return calls


def test_window_opens_with_what_was_set(window):
    assert main(["--theme", "dark", "--set", "d_model=8", "--set", "position=3", "--set", "pair=1"]) == 0
    assert window == [(SinusoidalEncoding(d_model=8), Cursor(position=3.0, pair=1, pinned_pairs=(0,)), "dark")]


def test_window_without_options_keeps_its_own_theme(window):
    assert main([]) == 0
    assert window == [(SinusoidalEncoding(), Cursor(), None)]


def test_screenshot_gets_its_size_and_theme(window, tmp_path, capsys):
    path = tmp_path / "picture.png"
    assert main(["--screenshot", str(path), "--size", "1280x720", "--theme", "dark"]) == 0
    assert window == [(path.resolve(), SinusoidalEncoding(), Cursor(), "dark", 1280, 720)]
    assert capsys.readouterr() == (f"{path}: 1280 x 720 pixels, 7 bytes\n", "")


def test_screenshot_replaces_a_file_only_when_forced(window, tmp_path, refusal):
    (tmp_path / "picture.png").write_text("precious")
    code, line = refusal("--screenshot", "picture.png")
    assert (code, line.endswith("Add --force to replace it.")) == (2, True)
    assert main(["--screenshot", "picture.png", "--force"]) == 0
    assert [(call[0].name, *call[-3:]) for call in window] == [("picture.png", "light", 1600, 1000)]


@pytest.mark.parametrize("error", [ValueError, OSError])
def test_screenshot_that_fails_is_one_line(window, monkeypatch, refusal, error):
    def fail(*_arguments):
        raise error("The picture could not be written.")

    monkeypatch.setattr(sys.modules["pe_desktop.window.application"], "write_screenshot", fail)
    assert refusal("--screenshot", "picture.png") == (2, "The picture could not be written.")


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="there is always a display here")
def test_screenshot_without_a_display_is_drawn_offscreen(window, monkeypatch, tmp_path):
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.setenv(name, "")
    assert main(["--screenshot", str(tmp_path / "picture.png")]) == 0
    assert os.environ["QT_QPA_PLATFORM"] == "offscreen"


def test_self_test_gives_its_own_exit_code(window, monkeypatch, tmp_path):
    reports = []
    self_test = types.ModuleType("pe_desktop.app.self_test")
    vars(self_test).update(run=lambda report: reports.append(report) or 1)
    monkeypatch.setitem(sys.modules, self_test.__name__, self_test)
    monkeypatch.setattr(sys.modules["pe_desktop.app"], "self_test", self_test, raising=False)
    assert main(["self-test", "--report", str(tmp_path / "report.txt")]) == 1
    assert main(["self-test"]) == 1
    assert reports == [tmp_path / "report.txt", None]


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="there is always a display here")
@pytest.mark.parametrize("changes", [{}, {"DISPLAY": ":4711"}, {"QT_QPA_PLATFORM": "xcb"}])
def test_window_without_a_display_names_what_works_without_one(changes):
    done = command(env=environment(**changes))
    assert (done.returncode, done.stdout) == (3, "")
    assert len(done.stderr.splitlines()) == 1
    assert "pe-desktop export, pe-desktop self-test" in done.stderr
