"""run.py makes the environment once, follows the locks, and never leaves half of one in use."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
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

    def outcome(command):
        if "venv" in command:
            taken.append("venv")
            environment.python.parent.mkdir(parents=True)
            environment.python.touch()
        else:
            taken.append(Path(command[-1]).name)
        return 0, ""

    monkeypatch.setattr(run_py, "outcome", outcome)
    return taken


def test_the_locks_are_installed_in_order_and_later_those_that_changed_whatever_their_line_endings(
    environment, steps
) -> None:
    environment.prepare(("app", "test"))
    assert steps == ["venv", "app.txt", "test.txt"]
    steps.clear()
    lock = environment.locks / "app.txt"
    lock.write_bytes(lock.read_bytes().replace(b"\n", b"\r\n"))
    environment.prepare(("app", "test"))
    assert steps == []
    (environment.locks / "test.txt").write_text("test==2\n")
    environment.prepare(("app", "test"))
    assert steps == ["test.txt"]


def test_an_interrupted_installation_starts_anew(run_py, environment, steps, monkeypatch) -> None:
    def interrupted(command):
        raise KeyboardInterrupt

    environment.prepare(("app",))
    with monkeypatch.context() as patch:
        patch.setattr(run_py, "outcome", interrupted)
        with pytest.raises(KeyboardInterrupt):
            environment.prepare(("app", "test"))
    steps.clear()
    environment.prepare(("app", "test"))
    assert steps == ["venv", "app.txt", "test.txt"]


def test_without_network_the_application_stays_installed_when_the_tests_can_not_be(
    run_py, environment, steps, monkeypatch
) -> None:
    environment.prepare(("app",))
    with monkeypatch.context() as patch:
        patch.setattr(run_py, "outcome", lambda command: (1, NO_NETWORK))
        with pytest.raises(run_py.SetUpError, match="connect to the network"):
            environment.prepare(("app", "test"))
    steps.clear()
    environment.prepare(("app",))
    assert steps == []


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


def test_pip_takes_nothing_that_the_lock_does_not_name_by_hash(run_py, checkout) -> None:
    lock = checkout / "requirements" / "app.txt"
    command = run_py.pip_install(Path("python"), lock)
    assert command[:4] == ["python", "-m", "pip", "install"]
    assert {"--require-hashes", "--no-deps", "--only-binary=:all:"} <= set(command)
    assert command[-2:] == ["-r", str(lock)]


def test_a_missing_network_is_told_in_one_line_and_other_troubles_in_the_words_of_pip(run_py) -> None:
    sentence = run_py.complaint_about_pip(Path("app.txt"), NO_NETWORK)
    assert "connect to the network" in sentence
    assert "\n" not in sentence
    assert WRONG_HASH in run_py.complaint_about_pip(Path("app.txt"), WRONG_HASH)


def test_every_lock_that_a_command_needs_is_in_the_repository(run_py) -> None:
    groups = {group for names in run_py.GROUPS.values() for group in names}
    assert all((ROOT / "requirements" / f"{group}.txt").is_file() for group in groups)
