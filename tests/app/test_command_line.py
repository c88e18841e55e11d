"""What a person at a terminal sees: one line for each error, its exit code, and files that are whole."""

import math
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import types
from collections import ChainMap

import numpy as np
import pytest

from pe_desktop.app import export_command, learn_command, main
from pe_desktop.core.facts.cards import TEXT_KEYS, VERDICTS
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.learning.run import TRAINABLE, Run
from pe_desktop.core.listings.program import LIBRARIES
from pe_desktop.core.state import STATE_NAMES
from pe_desktop.export.arrays import ARRAYS, SUFFIXES
from pe_desktop.export.figure_sheet import LETTERS, PURPOSES
from pe_desktop.export.figures import FIGURE_SUFFIXES
from pe_desktop.resources import resource_json
from pe_desktop.views.table import FIGURES
from pe_desktop.window.settings import SETTING_ROWS
from tests.app.conftest import ROOT
from tests.tables import table

POSIX_ONLY = pytest.mark.skipif(os.name != "posix", reason="signals of this kind are POSIX's")

# Refuses Qt and everything that would load it, before the application is imported; then exports every array.
WITHOUT_QT = """
import importlib.abc, sys
class NoQt(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"PySide6", "shiboken6", "pyqtgraph"}:
            raise AssertionError(name + " was imported")
sys.meta_path.insert(0, NoQt())
from pe_desktop.app import main
from pe_desktop.export.arrays import ARRAYS
names = [(what, what + suffix) for what in ARRAYS for suffix in (".npy", ".csv")]
sys.exit(max(main(["export", what, "-o", name]) for what, name in names))
"""


def test_export_says_what_it_wrote(tmp_path, answer):
    path = tmp_path / "table.npy"
    said = answer("export", "encoding", "-o", str(path), "--set", "d_model=64", "--set", "layout=half-split")
    assert said == f"{path}: encoding, 128 x 64, {128 + 128 * 64 * 8} bytes\n"
    assert np.load(path).tobytes() == SinusoidalEncoding(d_model=64, layout="half-split").values(range(128)).tobytes()


def test_every_array_exports_without_qt_and_without_a_screen(tmp_path, command):
    done = command(program=("-c", WITHOUT_QT))
    assert (done.returncode, done.stderr) == (0, "")
    written = {file.name for file in tmp_path.iterdir() if file.stat().st_size > 0}
    assert written == {f"{what}{suffix}" for what in ARRAYS for suffix in (".npy", ".csv")}


def test_figures_export_without_a_screen(command, tmp_path, luck):
    suffix, begins, changes = luck.choice([
        (".png", b"\x89PNG", {}), (".svg", b"<?xml", {"QT_QPA_PLATFORM": "xcb"}),
        (".pdf", b"%PDF-1.4", {"DISPLAY": ":4711"}),
    ])  # fmt: skip
    done = command("export", "clock", "-o", f"clock{suffix}", "--purpose", "slide", "--theme", "dark", **changes)
    assert (done.returncode, done.stderr) == (0, "")
    content = (tmp_path / f"clock{suffix}").read_bytes()
    size = "13.33 x 7.5 inches" if suffix == ".pdf" else "1920 x 1080 pixels"
    assert done.stdout == f"clock{suffix}: clock, {size}, {len(content)} bytes\n"
    assert content.startswith(begins)


def test_ending_decides_between_an_array_and_a_figure_of_the_same_name(monkeypatch):
    asked: list[str] = []
    for kind in ("array", "figure"):
        monkeypatch.setattr(export_command, f"_export_{kind}", lambda _options, kind=kind: asked.insert(9, kind))
    monkeypatch.setattr(export_command, "FIGURES", {"rotation": object()})
    for name in ("r.npy", "r.PNG", "r.csv", "r.svg"):
        main(["export", "rotation", "-o", name])
    assert asked == ["array", "figure", "array", "figure"]


def test_names_with_plus_between_them_are_panels_of_one_page(tmp_path, answer, refusal):
    path = tmp_path / "p.svg"
    assert answer("export", "waves+matrix", "-o", str(path)).startswith(f"{path}: waves+matrix, 6.75 x ")
    assert "<title>(a) Waves, (b) Encoding matrix</title>" in path.read_text(encoding="utf-8")
    assert refusal("export", "waves+face", "-o", "p.svg")[0] == 2


def test_a_figure_has_the_width_letters_and_title_that_were_typed_and_its_caption_beside_it(tmp_path, answer):
    path, typed = tmp_path / "w.svg", ("--width", "13.97cm", "--text", "7pt", "--title", "none", "--caption")
    assert answer("export", "waves", "-o", str(path), *typed).startswith(f"{path}: waves, 5.5 x ")
    drawn = path.read_text(encoding="utf-8")
    [width], [in_pixels] = re.findall(r'width="([\d.]+)in"', drawn), re.findall(r'viewBox="0 0 ([\d.]+)', drawn)
    assert float(width) == pytest.approx(5.5)
    assert 7.0 <= 11 * 72 * 5.5 / float(in_pixels) < 7.1
    beside = (tmp_path / "w.txt").read_text(encoding="utf-8")
    assert beside == answer("export", "waves", "--caption")
    [inside] = re.findall(r"<desc>(.*?)</desc>", drawn, re.DOTALL)
    assert " ".join(inside.split()) == beside.strip()


@pytest.mark.parametrize(("what", "given", "told"), table("app/captions"))
def test_a_caption_tells_what_its_figures_read(what: str, given: str, told: str, answer) -> None:
    assert told in answer("export", what, "--caption", *(f"--set={one}" for one in given.split()))


def test_one_figure_or_array_goes_to_the_standard_output_and_nothing_else(command, tmp_path):
    table = command("export", "encoding", "-o", "-", "--set", "n_positions=2", "--set", "d_model=2").stdout
    assert table == f"position,sin_0,cos_0\n0,0.0,1.0\n1,{math.sin(1)!r},{math.cos(1)!r}\n"
    for format_, begins in (("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")):
        with (tmp_path / "seen").open("w+b") as seen:
            done = command("export", "waves", "-o", "-", "--format", format_, stdout=seen.fileno())
            assert (done.returncode, done.stderr) == (0, "")
            command("export", "waves", "-o", f"file.{format_}")
            assert (tmp_path / "seen").read_bytes() == (tmp_path / f"file.{format_}").read_bytes()
            assert (tmp_path / "seen").read_bytes().startswith(begins)


def test_every_array_figure_and_name_of_the_state_is_listed_in_lines_that_can_be_read(answer):
    words = answer("export", "--list").split()
    assert {*ARRAYS, *FIGURES} <= {*words}
    said = answer("export", "--help")
    assert "none or an empty one leaves it out" in " ".join(said.split())
    groups = dict(re.findall(r"^names of --set, (.+):\n((?:  .+\n)+)", said, re.MULTILINE))
    listed = {title: names.replace(",", " ").split() for title, names in groups.items()}
    assert sorted(name for names in listed.values() for name in names) == sorted(STATE_NAMES)
    assert listed["Cursor"][:3] == ["position", "offset", "pair"]
    assert max(map(len, listed.values())) < 20


def test_choices_and_defaults_of_the_options_are_those_of_the_program() -> None:
    options = {name: ChainMap(*row["options"].values()) for name, row in resource_json("commands.json").items()}
    choices = {
        ("", "--theme"): tuple(SETTING_ROWS["theme"].choices),
        ("", "--renderer"): SETTING_ROWS["renderer"].choices,
        ("export", "--format"): tuple(suffix[1:] for suffix in (*SUFFIXES, *FIGURE_SUFFIXES)),
        ("export", "--purpose"): tuple(PURPOSES),
        ("export", "--letters"): LETTERS,
        ("code", "--library"): tuple(LIBRARIES),
        ("facts", "--verdict"): VERDICTS,
        ("facts", "--text"): TEXT_KEYS,
    }
    for (command, option), expected in choices.items():
        assert {*options[command][option]["choices"]} == {*expected} - {"all"}
    for option in learn_command._OPTIONS:
        name = learn_command._FIELDS.get(option, option)
        assert options["learn"][f"--{option}"]["help"].endswith(f"{getattr(Run(), name)} if not given")
    assert f"enter: {', '.join(TRAINABLE)};" in options["learn"]["--scheme"]["help"]


@POSIX_ONLY
def test_an_interruption_while_modules_are_loaded_is_one_line(command, tmp_path):
    (tmp_path / "numpy.py").write_text("raise KeyboardInterrupt\n")
    done = command("facts")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "pe-desktop: Interrupted.\n")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("facts.json", ["facts"]),
        ("presets.json", ["measure", "--set", "preset=paper"]),
        ("measurements.json", ["measure"]),
    ],
)
def test_a_damaged_data_file_is_named(tmp_path, command, name, arguments):
    shutil.copytree(ROOT / "pe_desktop", tmp_path / "pe_desktop", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "resources", tmp_path / "resources")
    whole = (tmp_path / "resources" / name).read_text(encoding="utf-8")
    (tmp_path / "resources" / name).write_text(whole[: len(whole) // 2], encoding="utf-8")
    done = command(*arguments, PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert done.stderr.startswith(f"pe-desktop: The data file {name} is damaged, ")


def test_a_platform_that_qt_lacks_is_one_line_and_a_figure_needs_none(command):
    done = command("--screenshot", "s.png", QT_QPA_PLATFORM="nonsense")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("pe-desktop: QT_QPA_PLATFORM asks for nonsense, and this application has only ")
    assert len(done.stderr.splitlines()) == 1
    assert command("export", "waves", "-o", "w.svg", QT_QPA_PLATFORM="nonsense").returncode == 0


def test_size_of_a_figure_is_in_pixels(tmp_path, answer):
    path = tmp_path / "c.png"
    said = answer("export", "waves", "-o", str(path), "--size", "640x400", "--set", "pair=3")
    assert said == f"{path}: waves, 640 x 400 pixels, {path.stat().st_size} bytes\n"
    width, height = struct.unpack(">II", path.read_bytes()[16:24])
    assert (width, height) == (640, 400)


@pytest.mark.parametrize(("what", "name", "begins"), [("waves", "w.svg", "<?xml"), ("frequencies", "f.csv", "pair,")])
def test_existing_file_stays_unless_a_whole_one_can_replace_it_by_force(tmp_path, refusal, what, name, begins):
    (tmp_path / name).write_text("precious")
    code, line = refusal("export", what, "-o", name)
    assert (code, line) == (
        2, f"{name} exists already and stays as it is. Nothing was written. Add --force to replace it."
    )  # fmt: skip
    assert refusal("export", what, "-o", name, "--force", "--set", "d_model=7")[0] == 2
    assert main(["export", what, "-o", name, "--force"]) == 0
    assert (tmp_path / name).read_text().startswith(begins)


# Lines, and words of what is said of them.
BAD_LINES = table("app/bad_command_lines")


@pytest.mark.parametrize(
    ("arguments", "word"), [*BAD_LINES, (["--screenshot", "a.png", "--size", "9" * 5000 + "x9"], "is not")]
)
def test_bad_command_lines_are_one_line(refusal, arguments, word):
    code, line = refusal(*arguments)
    assert code == 2
    assert word in line


def test_memory_that_runs_out_is_one_line(monkeypatch, refusal):
    def exhausted(*_arguments, **_options):
        raise MemoryError

    monkeypatch.setattr(export_command, "write_array", exhausted)
    assert refusal("export", "encoding", "-o", "t.npy") == (2, "There is not enough memory for this.")


def test_progress_stands_on_a_terminal_only(tmp_path, monkeypatch, capsys):
    def reporting(_what, _state, path, *, progress, **_options):
        progress(1_234_567, 10_000_000)
        return types.SimpleNamespace(path=path, size="1", n_bytes=8, told="")

    monkeypatch.setattr(export_command, "write_array", reporting)
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
@pytest.mark.usefixtures("heeded_signals")
def test_stopped_export_leaves_nothing_half_written(tmp_path, environment, luck):
    number, code = luck.choice([(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
    (tmp_path / "table.csv").write_text("precious")
    arguments = ["export", "encoding", "-o", "table.csv", "--force"]
    settings = ["--set", "n_positions=100000", "--set", "d_model=512"]  # a minute of work
    with subprocess.Popen(
        [sys.executable, "-m", "pe_desktop", *arguments, *settings],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        while process.poll() is None and not any(entry.suffix == ".part" for entry in tmp_path.iterdir()):
            time.sleep(0.01)
        process.send_signal(number)
        assert process.communicate() == ("", "pe-desktop: Interrupted.\n" if number == signal.SIGINT else "")
    assert process.returncode == code
    assert {entry.name: entry.read_text() for entry in tmp_path.iterdir()} == {"table.csv": "precious"}


@POSIX_ONLY
def test_export_under_nohup_survives_its_terminal(monkeypatch, capsys):
    def hung_up(_what, _state, path, **_options):
        os.kill(os.getpid(), signal.SIGHUP)
        return types.SimpleNamespace(path=path, size="1", n_bytes=8, told="")

    monkeypatch.setattr(export_command, "write_array", hung_up)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert main(["export", "frequencies", "-o", "f.npy"]) == 0
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
    assert capsys.readouterr().err == ""


def test_code_prints_a_program_that_leaves_the_array_in_its_variable_and_refuses_what_the_export_does(answer, refusal):
    names: dict[str, np.ndarray] = {}
    exec(answer("code", "wavelengths", "--set", "d_model=6", "--set", "base=1000"), names)
    assert names["wavelengths"] == pytest.approx([2 * math.pi, 20 * math.pi, 200 * math.pi], rel=1e-14)
    for library in ("torch", "jax"):
        assert f"\nimport {library}" in "\n" + answer("code", "dot", "--set", "n_positions=8", "--library", library)
    given = ("--set", "kind=bits")
    code, sentence = refusal("export", "rotation", "-o", "r.npy", *given)
    assert refusal("code", "rotation", *given) == (code, sentence.removesuffix(" Nothing was written."))
    assert refusal("code", "nothing")[0] == 2
