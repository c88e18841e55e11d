"""run.py refuses what will not do, hands on what is not its own, makes an environment, asks a system for the rest."""

import ast
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from types import ModuleType

import pytest

RUN_PY = Path(__file__).resolve().parents[2] / "run.py"


@pytest.fixture
def run_py() -> ModuleType:
    """The script as a module, fresh for each test."""
    spec = importlib.util.spec_from_file_location("run_py", RUN_PY)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a space and an umlaut, with two locks."""
    folder = tmp_path / "pe désktop ü"
    (folder / "requirements").mkdir(parents=True)
    for group in ("app", "test"):
        (folder / "requirements" / f"{group}.txt").write_text(f"{group}==1 \\\n    --hash=sha256:0\n", newline="\n")
    return folder


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


def test_words_of_run_py_are_obeyed_and_all_others_go_to_the_application_unchanged(run_py, monkeypatch) -> None:
    start = ["python", "-P", "-m"]
    for arguments in ([], ["export", "encoding", "-o", "a b.npy"], ["--version"], ["export", "test"], ["--", "check"]):
        assert run_py.programs(arguments, Path("python")) == [[*start, "pe_desktop", *arguments]]
    # pytest-xdist counts the cores by itself where it is told "auto", and keeps to one process for --pdb.
    shared = ["-n", "auto", "--maxprocesses", "4", "--dist", "loadfile", "--max-worker-restart=0"]
    [program] = run_py.programs(["test", "-k", "clock", "tests/core"], Path("python"))
    assert program == [*start, "pytest", *shared, "-k", "clock", "tests/core"]
    [program] = run_py.programs(["build", "--only-bundle"], Path("python"))
    assert program == [*start, "build.make", "--only-bundle"]
    checks = [" ".join(program) for program in run_py.programs(["check"], Path("python"))]
    names = ["ruff check", "ruff format --check", "mypy", "importlinter", "vulture"]
    assert all(name in check for check, name in zip(checks, names, strict=True))
    # Only the tests are kept off the screen, and the user's own modules come last.
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    monkeypatch.setenv("PYTHONPATH", "mine")
    assert run_py.variables("test")["QT_QPA_PLATFORM"] == "offscreen"
    assert run_py.variables(None)["QT_QPA_PLATFORM"] == "xcb"
    assert run_py.variables(None)["PYTHONPATH"] == f"{RUN_PY.parent}{os.pathsep}mine"


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
    commands = [
        [sys.executable, "-c", f"open({str(tmp_path / str(end))!r}, 'w').close(); raise SystemExit({end})"]
        for end in (0, 3, 5)
    ]
    assert run_py.run_all(commands, dict(os.environ)) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "3", "5"]


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


NO_NETWORK = (
    "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3>: "
    "Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/numpy/\n"
    "ERROR: Could not find a version that satisfies the requirement numpy==2.4.6 (from versions: none)"
)
WRONG_HASH = "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE."


@pytest.fixture
def environment(run_py, checkout):
    return run_py.Environment(checkout / ".venv", checkout / "requirements")


@pytest.fixture
def steps(run_py, environment, monkeypatch):
    """The steps of the set-up, none of them really taken: "venv" or the name of a lock."""
    taken = []
    compiled = environment.compiled = []

    def outcome(command):
        if "venv" in command:
            taken.append("venv")
            environment.python.parent.mkdir(parents=True)
            environment.python.touch()
        elif "compileall" in command:
            compiled.append(Path(command[-1]).name)
        else:
            taken.append(Path(command[-1]).name)
        return 0, ""

    monkeypatch.setattr(run_py, "outcome", outcome)
    return taken


def test_the_locks_are_installed_in_order_and_later_those_that_changed(environment, steps) -> None:
    environment.prepare(("app", "test"))
    assert steps == ["venv", "app.txt", "test.txt"]
    assert {*environment.compiled} == {"pe_desktop"}
    steps.clear()
    lock = environment.locks / "app.txt"
    lock.write_bytes(lock.read_bytes().replace(b"\n", b"\r\n"))
    environment.prepare(("app", "test"))
    assert steps == []
    (environment.locks / "test.txt").write_text("test==2\n")
    environment.prepare(("app", "test"))
    assert steps == ["test.txt"]


def test_an_interrupted_installation_starts_anew_and_one_without_network_stays(run_py, environment, steps, monkeypatch):
    # A missing network is told in one line, and other troubles in the words of pip.
    assert "\n" not in run_py.complaint_about_pip(Path("app.txt"), NO_NETWORK)
    assert WRONG_HASH in run_py.complaint_about_pip(Path("app.txt"), WRONG_HASH)

    def interrupted(command):
        raise KeyboardInterrupt

    environment.prepare(("app",))
    for outcome, error, sentence, then in (
        (lambda command: (1, NO_NETWORK), run_py.SetUpError, "connect to the network", []),
        (interrupted, KeyboardInterrupt, None, ["venv", "app.txt"]),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(run_py, "outcome", outcome)
            with pytest.raises(error, match=sentence):
                environment.prepare(("app", "test"))
        steps.clear()
        environment.prepare(("app",))
        assert steps == then


@pytest.mark.parametrize("trouble", ["another python", "no interpreter", "damaged record"])
def test_an_environment_that_cannot_be_used_is_made_anew(run_py, environment, steps, monkeypatch, trouble) -> None:
    environment.prepare(("app",))
    steps.clear()
    if trouble == "another python":
        monkeypatch.setattr(run_py, "interpreter_name", lambda: "cpython-314 linux-x86_64")
    elif trouble == "no interpreter":
        environment.python.unlink()
    else:
        environment.record_file.write_bytes(b"\xff{")
    environment.prepare(("app",))
    assert steps == ["venv", "app.txt"]


def test_an_environment_that_someone_else_made_is_left_alone(run_py, environment, steps) -> None:
    environment.folder.mkdir()
    (environment.folder / "precious.txt").write_text("mine")
    with pytest.raises(run_py.SetUpError, match=r"was not made by run\.py"):
        environment.prepare(("app",))
    assert (environment.folder / "precious.txt").read_text() == "mine"
    assert steps == []


def test_pip_takes_nothing_that_the_lock_does_not_name_by_hash_and_every_lock_is_there(run_py, checkout) -> None:
    groups = {group for names in run_py.GROUPS.values() for group in names}
    assert all((RUN_PY.parent / "requirements" / f"{group}.txt").is_file() for group in groups)
    lock = checkout / "requirements" / "app.txt"
    command = run_py.pip_install(Path("python"), lock)
    assert command[:4] == ["python", "-m", "pip", "install"]
    assert {"--require-hashes", "--no-deps", "--only-binary=:all:"} <= set(command)
    assert command[-2:] == ["-r", str(lock)]


@pytest.fixture
def linux(run_py, monkeypatch):
    """A Linux with apt-get and a whole environment, used by an ordinary user; every library is there, no screen."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    return FakeSystem(run_py, monkeypatch)


class FakeSystem:
    """Libraries and programs that are absent until apt-get installs them."""

    def __init__(self, run_py, monkeypatch) -> None:
        self.absent: set[str] = set()
        self.apt_works = True
        self.calls: list[list[str]] = []
        self.is_whole = lambda: True
        monkeypatch.setattr(run_py.ctypes, "CDLL", self.load)
        monkeypatch.setattr(run_py.shutil, "which", lambda name: None if name in self.absent else f"/usr/bin/{name}")
        monkeypatch.setattr(run_py, "outcome", self.outcome)

    def load(self, soname):
        if soname in self.absent:
            raise OSError(f"{soname}: cannot open shared object file")

    def outcome(self, command):
        self.calls.append(command)
        if not self.apt_works:
            return 100, "E: Unable to locate package"
        if "install" in command:
            self.absent.clear()
        return 0, ""


def test_a_system_with_everything_others_and_the_checks_are_asked_for_nothing(run_py, linux, monkeypatch) -> None:
    run_py.prepare_system("test", linux)
    linux.absent = {"libGL.so.1", "Xvfb"}
    run_py.prepare_system("check", linux)
    for platform in ("win32", "darwin"):
        monkeypatch.setattr(sys, "platform", platform)
        run_py.prepare_system(None, linux)
    assert linux.calls == []


def test_a_user_gets_the_one_line_that_installs_what_is_missing_or_its_packages_without_apt(run_py, linux, monkeypatch):
    linux.absent = {"libGL.so.1", "libEGL.so.1"}
    python = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    monkeypatch.setattr(run_py.importlib.util, "find_spec", lambda name: None)
    for is_whole, packages in ((True, "libgl1 libegl1"), (False, f"libgl1 libegl1 {python}")):
        linux.is_whole = lambda is_whole=is_whole: is_whole
        with pytest.raises(run_py.SetUpError) as error:
            run_py.prepare_system(None, linux)
        assert str(error.value).splitlines()[1:] == [f"    sudo apt-get install --yes {packages}"]
    linux.is_whole, linux.absent = lambda: True, {"apt-get", "libGL.so.1"}
    with pytest.raises(run_py.SetUpError, match="Debian calls: libgl1"):
        run_py.prepare_system(None, linux)
    assert linux.calls == []


def test_root_installs_what_is_missing_and_fetches_the_lists_when_that_fails(run_py, linux, monkeypatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    linux.absent = {"libdbus-1.so.3", "Xvfb"}
    run_py.prepare_system("test", linux)
    [command] = linux.calls
    assert command[0] == "apt-get"
    assert command[-3:] == ["libdbus-1-3", "xvfb", "libgl1-mesa-dri"]
    linux.absent, linux.apt_works = {"libdbus-1.so.3"}, False
    with pytest.raises(run_py.SetUpError, match="libdbus-1-3"):
        run_py.prepare_system(None, linux)
    words = [next(word for word in command if word in ("update", "install")) for command in linux.calls[1:]]
    assert words == ["install", "update", "install"]


def test_what_only_a_screen_lacks_is_said_to_tests_and_to_a_start_on_x11(run_py, linux, monkeypatch, capsys) -> None:
    linux.absent = {"Xvfb", "xauth", "libxcb-cursor.so.0"}
    run_py.prepare_system("test", linux)
    line = "sudo apt-get install --yes libxcb-cursor0 xvfb libgl1-mesa-dri xauth"
    assert line in [text.strip() for text in capsys.readouterr().err.splitlines()]
    linux.absent = {"libxcb-cursor.so.0"}
    run_py.prepare_system(None, linux)
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("DISPLAY", ":0")
    run_py.prepare_system(None, linux)
    assert "apt-get install --yes libxcb-cursor0\n" in capsys.readouterr().err
