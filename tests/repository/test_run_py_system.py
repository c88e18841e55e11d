"""run.py asks a Linux system for what is missing: root installs it, anyone else gets the one line that does."""

import os
import sys

import pytest


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


def test_a_system_with_everything_and_the_checks_are_left_alone(run_py, linux) -> None:
    run_py.prepare_system("test", linux)
    linux.absent = {"libGL.so.1", "Xvfb"}
    run_py.prepare_system("check", linux)
    assert linux.calls == []


def test_an_ordinary_user_gets_the_one_line_that_installs_what_qt_and_python_lack(run_py, linux, monkeypatch) -> None:
    linux.absent = {"libGL.so.1", "libEGL.so.1"}
    python = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    monkeypatch.setattr(run_py.importlib.util, "find_spec", lambda name: None)
    for is_whole, packages in ((True, "libgl1 libegl1"), (False, f"libgl1 libegl1 {python}")):
        linux.is_whole = lambda is_whole=is_whole: is_whole
        with pytest.raises(run_py.SetUpError) as error:
            run_py.prepare_system(None, linux)
        assert str(error.value).splitlines()[1:] == [f"    sudo apt-get install --yes {packages}"]
    assert linux.calls == []


def test_root_installs_what_is_missing_and_goes_on(run_py, linux, monkeypatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    linux.absent = {"libdbus-1.so.3", "Xvfb"}
    run_py.prepare_system("test", linux)
    [command] = linux.calls
    assert command[0] == "apt-get"
    assert command[-3:] == ["libdbus-1-3", "xvfb", "libgl1-mesa-dri"]


def test_root_fetches_the_package_lists_when_the_first_try_fails(run_py, linux, monkeypatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    linux.absent = {"libdbus-1.so.3"}
    linux.apt_works = False
    with pytest.raises(run_py.SetUpError, match="libdbus-1-3"):
        run_py.prepare_system(None, linux)
    assert [("update" in command, "install" in command) for command in linux.calls] == [
        (False, True),
        (True, False),
        (False, True),
    ]


def test_tests_go_on_without_a_screen_of_their_own_and_say_so(run_py, linux, capsys) -> None:
    linux.absent = {"Xvfb", "xauth", "libxcb-cursor.so.0"}
    run_py.prepare_system("test", linux)
    line = "sudo apt-get install --yes libxcb-cursor0 xvfb libgl1-mesa-dri xauth"
    assert line in [text.strip() for text in capsys.readouterr().err.splitlines()]


def test_only_a_start_on_an_x11_screen_names_the_libraries_that_it_lacks(run_py, linux, monkeypatch, capsys) -> None:
    linux.absent = {"libxcb-cursor.so.0"}
    run_py.prepare_system(None, linux)
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("DISPLAY", ":0")
    run_py.prepare_system(None, linux)
    assert "apt-get install --yes libxcb-cursor0\n" in capsys.readouterr().err


def test_other_systems_are_asked_for_nothing(run_py, linux, monkeypatch) -> None:
    linux.absent = {"libGL.so.1"}
    for platform in ("win32", "darwin"):
        monkeypatch.setattr(sys, "platform", platform)
        run_py.prepare_system(None, linux)
    assert linux.calls == []


def test_a_system_without_apt_hears_which_packages_are_meant(run_py, linux) -> None:
    linux.absent = {"apt-get", "libGL.so.1"}
    with pytest.raises(run_py.SetUpError, match="Debian calls: libgl1"):
        run_py.prepare_system(None, linux)
