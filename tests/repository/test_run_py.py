"""run.py refuses a Python that will not do, keeps its own words for itself and hands the rest on."""

import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

RUN_PY = Path(__file__).resolve().parents[2] / "run.py"


def test_a_python_that_will_not_do_is_refused_in_one_line_that_names_the_right_ones(run_py) -> None:
    assert [run_py.complaint_about_python((3, minor)) for minor in (11, 12, 13, 14)] == [None] * 4
    for major, minor in ((3, 9), (3, 10), (3, 15), (4, 0)):
        sentence = run_py.complaint_about_python((major, minor))
        assert "\n" not in sentence
        assert "Python 3.11 to 3.14" in sentence
        assert f"this is Python {major}.{minor}." in sentence


def test_an_old_python_can_read_the_script_which_imports_the_standard_library_alone() -> None:
    nodes = list(ast.walk(ast.parse(RUN_PY.read_text(encoding="utf-8"), feature_version=(3, 7))))
    names: set[str] = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    assert "subprocess" in names
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


def test_words_of_run_py_are_obeyed_and_all_others_go_to_the_application_unchanged(run_py) -> None:
    start = ["python", "-P", "-m"]
    for arguments in ([], ["export", "encoding", "-o", "a b.npy"], ["--version"], ["export", "test"], ["--", "check"]):
        assert run_py.programs(arguments, Path("python")) == [[*start, "pe_desktop", *arguments]]
    # pytest-xdist counts the cores by itself where it is told "auto", and keeps to one process for --pdb.
    shared = ["-n", "auto", "--maxprocesses", "4", "--dist", "loadfile"]
    [program] = run_py.programs(["test", "-k", "clock", "tests/core"], Path("python"))
    assert program == [*start, "pytest", *shared, "-k", "clock", "tests/core"]
    [program] = run_py.programs(["build", "--only-bundle"], Path("python"))
    assert program == [*start, "build.make", "--only-bundle"]
    checks = [" ".join(program) for program in run_py.programs(["check"], Path("python"))]
    names = ["ruff check", "ruff format --check", "mypy", "importlinter", "vulture"]
    assert all(name in check for check, name in zip(checks, names, strict=True))


@pytest.mark.skipif(shutil.which("git") is None, reason="no git")
def test_conflict_markers_in_tracked_files_fail_the_check(run_py, tmp_path, capsys) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    clean = "Heading\n=======\nx <<<<<<< y\n>>>> quoted\n"
    (tmp_path / "clean.md").write_text(clean)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    (tmp_path / "ignored.md").write_text("<<<<<<< HEAD\n")
    assert (run_py.checked_markers(tmp_path), capsys.readouterr().err) == (0, "")
    (tmp_path / "ä.bin").write_bytes(b"\xff\n<<<<<<< HEAD\r\n=======\n>>>>>>> branch\n")
    subprocess.run(["git", "add", "ä.bin"], cwd=tmp_path, check=True)
    assert run_py.checked_markers(tmp_path) == 1
    assert capsys.readouterr().err.splitlines() == [
        "run.py: Conflict marker in ä.bin:2",
        "run.py: Conflict marker in ä.bin:4",
    ]


def test_all_checks_run_and_the_first_failure_is_the_answer(run_py, tmp_path) -> None:
    ends = [0, 3, 5]
    commands = [
        [sys.executable, "-c", f"open({str(tmp_path / str(end))!r}, 'w').close(); raise SystemExit({end})"]
        for end in ends
    ]
    assert run_py.run_all(commands, dict(os.environ)) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "3", "5"]


def test_only_the_tests_are_kept_off_the_screen_and_the_module_path_of_the_user_stays_behind_the_checkout(
    run_py, monkeypatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    monkeypatch.setenv("PYTHONPATH", "mine")
    assert run_py.variables("test")["QT_QPA_PLATFORM"] == "offscreen"
    assert run_py.variables(None)["QT_QPA_PLATFORM"] == "xcb"
    assert run_py.variables(None)["PYTHONPATH"] == f"{RUN_PY.parent}{os.pathsep}mine"


def test_a_start_from_a_folder_with_umlauts_keeps_arguments_folder_and_exit_status(checkout, tmp_path) -> None:
    for name in ("run.py", "resources/system_libraries.json"):
        (checkout / name).parent.mkdir(exist_ok=True)
        (checkout / name).write_bytes((RUN_PY.parent / name).read_bytes())
    (checkout / "pe_desktop").mkdir()
    (checkout / "pe_desktop" / "__init__.py").touch()
    (checkout / "pe_desktop" / "__main__.py").write_text(
        "import json, os, sys\nprint(json.dumps([sys.argv[1:], os.getcwd(), sys.prefix]))\nsys.exit(7)\n"
    )
    venv.EnvBuilder(symlinks=os.name == "posix").create(checkout / ".venv")
    lock = hashlib.sha256((checkout / "requirements" / "app.txt").read_bytes()).hexdigest()
    interpreter = f"{sys.implementation.cache_tag} {sysconfig.get_platform()}"
    (checkout / ".venv" / "run-py.json").write_text(json.dumps({"python": interpreter, "app": lock}))
    folder = tmp_path / "where the user stands"
    folder.mkdir()
    (folder / "json.py").write_text("raise ImportError('a file of the user was imported')\n")
    program = [sys.executable, str(checkout / "run.py"), "export", "ä b.npy", "--set", "d_model=8"]
    done = subprocess.run(program, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 7, done.stderr
    arguments, working_folder, prefix = json.loads(done.stdout)
    assert arguments == ["export", "ä b.npy", "--set", "d_model=8"]
    assert Path(working_folder) == folder
    assert Path(prefix).name == ".venv"
