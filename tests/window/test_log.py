"""The log: in the first folder that can be written, small, without the names of folders; a later part of it is kept."""

import logging
import os
import tempfile
from pathlib import Path

import pytest

from pe_desktop.resources import PACKAGE
from pe_desktop.window.log import LARGEST_LOG, LOG_NAME, kept_log, log_folders, log_path, note


def test_the_log_goes_to_the_first_folder_that_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with kept_log(iter([tmp_path / "file" / "below", tmp_path / "good"])) as path:
        assert path == log_path() == tmp_path / "good" / LOG_NAME
        note("once")
        with kept_log(iter([tmp_path / "other"])) as inner:
            assert inner == path
            note("twice")
    assert [line.split(" ", 2)[2] for line in path.read_text(encoding="utf-8").splitlines()][1:] == ["once", "twice"]
    assert not (tmp_path / "other").exists()
    with kept_log(iter([tmp_path / "file"])) as none:
        assert none is None
        note("nowhere")
    assert log_path() is None


def test_a_log_that_has_grown_is_put_aside_and_never_grows_beyond_two_files(tmp_path: Path) -> None:
    with kept_log(iter([tmp_path])):
        for number in range(3 * LARGEST_LOG // 1000):
            note(f"{number} " + "x" * 1000)
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert sizes.keys() == {LOG_NAME, f"{LOG_NAME}.1"}
    assert all(0 < size <= LARGEST_LOG for size in sizes.values())


def test_folders_of_the_installation_and_of_the_person_are_not_named(tmp_path: Path) -> None:
    with kept_log(iter([tmp_path])) as path:
        note(f'File "{PACKAGE / "window" / "log.py"}", line 1, opening {Path.home() / "talk.pesession"}')
    assert path is not None
    text = path.read_text(encoding="utf-8")
    assert 'File "pe_desktop/window/log.py", line 1, opening ~/talk.pesession'.replace("/", os.sep) in text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_or_a_device_in_the_place_of_the_log_is_left_alone(tmp_path: Path) -> None:
    for name in ("pipe", "device", "good"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "pipe" / LOG_NAME)
    (tmp_path / "device" / LOG_NAME).symlink_to("/dev/zero")
    with kept_log(iter(tmp_path / name for name in ("pipe", "device", "good"))) as path:
        assert path == tmp_path / "good" / LOG_NAME


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_log_that_is_closed_or_lies_on_a_full_disk_ends_no_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with kept_log(iter([tmp_path])) as path:
        files = [one for one in logging.getLogger("pe_desktop").handlers if isinstance(one, logging.FileHandler)]
        [handler] = [file for file in files if file.baseFilename == str(path)]
        assert handler.stream is not None
        handler.stream.close()
        note("into a closed stream")
        handler.stream = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115 - the handler closes it
        monkeypatch.setattr(handler, "flush", lambda: None)
        note("what waits in the buffer until the end")


@pytest.mark.skipif(os.name != "posix", reason="only there a folder has an owner in this sense")
def test_a_link_that_lies_in_wait_among_temporary_folders_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "none")
    (tmp_path / "theirs").mkdir()
    (tmp_path / f"pe_desktop-{os.getuid()}").symlink_to(tmp_path / "theirs")
    assert list(log_folders({}, "linux")) == [tmp_path / "none" / ".local" / "state" / "pe_desktop"]


def test_every_system_has_its_own_place_for_the_log(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert next(log_folders({}, "win32")) == tmp_path / "AppData/Local/pe_desktop"
    assert next(log_folders({}, "darwin")) == tmp_path / "Library/Logs/pe_desktop"
    assert next(log_folders({}, "linux")) == tmp_path / ".local/state/pe_desktop"
