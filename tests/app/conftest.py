"""How the tests of the command line run it: inside this process, or as a process without a screen."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pe_desktop.app import main

ROOT = Path(__file__).parents[2]
PROGRAM = ("-m", "pe_desktop")
DISPLAYS = {"DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM"}


@pytest.fixture
def refusal(capsys, tmp_path, monkeypatch):
    """Runs a command that must fail and change no file; gives its exit code and its one line."""
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


@pytest.fixture
def answer(capsys) -> Callable[..., str]:
    """Runs a command that must go well, without a word on the standard error; gives what it says."""

    def run(*arguments: str) -> str:
        assert main(arguments) == 0
        said = capsys.readouterr()
        assert said.err == ""
        return str(said.out)

    return run


@pytest.fixture
def environment() -> dict[str, str]:
    """This process's environment without any display, in which the application is found."""
    screenless = {name: value for name, value in os.environ.items() if name not in DISPLAYS}
    return {**screenless, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def command(environment, tmp_path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the application or another program by itself in an empty folder; changes are made to its environment."""

    def run(
        *arguments: str, stdout: int = subprocess.PIPE, program: tuple[str, ...] = PROGRAM, **changes: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *program, *arguments],
            cwd=tmp_path,
            env={**environment, **changes},
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    return run
