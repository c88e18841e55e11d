"""The file that outlives a crash: a trial of a living program is no crash, and in doubt everything is one."""

import os
from pathlib import Path

import pytest

from pe_desktop import files
from pe_desktop.files import started
from pe_desktop.heat.renderer import MARKER_NAME, CrashMarker
from tests.heat.trials import ended_process, living_trial


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings" / MARKER_NAME


def test_nothing_is_told_where_nothing_was_tried(path: Path) -> None:
    assert not CrashMarker(path).tells_of_a_crash
    CrashMarker(path).take_back()
    CrashMarker(path).forget()
    assert not path.exists()


def test_a_trial_is_no_crash_as_long_as_its_program_lives(path: Path) -> None:
    with living_trial(path) as trial:
        assert not CrashMarker(path).tells_of_a_crash
        trial.kill()
        if hasattr(os, "waitid"):
            # Nobody has asked how it ended: the system still lists it.
            os.waitid(os.P_PID, trial.pid, os.WEXITED | os.WNOWAIT)
            assert CrashMarker(path).tells_of_a_crash
    assert CrashMarker(path).tells_of_a_crash


def test_two_programs_try_and_one_crashes(path: Path) -> None:
    with living_trial(path):
        with living_trial(path):
            assert len(path.read_text(encoding="utf-8").splitlines()) == 2
            assert not CrashMarker(path).tells_of_a_crash
        assert CrashMarker(path).tells_of_a_crash
        CrashMarker(path).forget()
        assert not CrashMarker(path).tells_of_a_crash
        assert path.exists()


def test_what_was_noted_is_taken_back_once_and_alone(path: Path) -> None:
    with living_trial(path):
        others = path.read_text(encoding="utf-8")
        for _ in range(2):
            assert CrashMarker(path).note()
        assert len(path.read_text(encoding="utf-8").splitlines()) == 2
        CrashMarker(path).take_back()
        assert path.read_text(encoding="utf-8") == others


# The names stay the same in every process that collects them: OWN is the number of the one that runs the test.
@pytest.mark.parametrize("words", [b"", b"?", b"-1 5", b"0 0", b"\x00", b"OWN", b"OWN ", b"OWN 1", b"\xff\xfe"])
def test_words_that_name_no_living_program_are_a_crash(path: Path, words: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(words.replace(b"OWN", str(os.getpid()).encode()))
    assert CrashMarker(path).tells_of_a_crash
    CrashMarker(path).forget()
    assert not CrashMarker(path).tells_of_a_crash


@pytest.mark.skipif(not Path("/bin/ps").exists(), reason="there is no ps here: a start asked of it was not tested")
def test_where_there_is_no_proc_ps_is_asked(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(files, "_PROC", tmp_path)
    assert CrashMarker(path).note()
    assert not CrashMarker(path).tells_of_a_crash
    assert started(os.getpid()) == started(os.getpid()) != ""
    assert started(ended_process()) == ""


def test_in_doubt_about_ones_own_start_a_trial_counts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "started", lambda _process: "")
    assert CrashMarker(path).note()
    assert CrashMarker(path).tells_of_a_crash
