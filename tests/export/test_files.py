"""The target of an export is the old file or the new one, whatever fails, and the message says which."""

import errno
import itertools
import os
import shutil
import stat
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from pe_desktop.core import SinusoidalEncoding, State
from pe_desktop.export import arrays
from pe_desktop.export.arrays import write_array
from pe_desktop.export.figure_files import FORMATS, write_figure
from pe_desktop.export.session import Session, write_session
from pe_desktop.files import ExportError, TargetExistsError, bytes_in_words
from pe_desktop.window.settings import Settings

ENCODING = SinusoidalEncoding(50, 16)
OLD = b"the old file"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONDONTWRITEBYTECODE": "1"}
POSIX_ONLY = pytest.mark.skipif(os.name != "posix", reason="file modes and links of this kind are POSIX's")


class Saboteur:
    """Lets the n-th request to the disk fail, of all those that could: open, write, flush, sync, mode, name, close."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fails_at: int, code: int) -> None:
        self.n_requests = 0
        self._fails_at = fails_at
        self._code = code
        for name in ("open", "fsync", "chmod", "link", "rename", "replace"):
            monkeypatch.setattr(os, name, self.watched(getattr(os, name)))
        fdopen = os.fdopen
        monkeypatch.setattr(os, "fdopen", lambda *arguments: WatchedFile(fdopen(*arguments), self))

    @property
    def has_struck(self) -> bool:
        return self.n_requests >= self._fails_at

    def watched(self, request):
        def asked(*arguments, **options):
            self.n_requests += 1
            if self.n_requests == self._fails_at:
                raise OSError(self._code, os.strerror(self._code))
            return request(*arguments, **options)

        return asked


class WatchedFile:
    """A file whose writes, flushes and closing the saboteur sees."""

    def __init__(self, file, saboteur: Saboteur) -> None:
        self._file = file
        self.write = saboteur.watched(file.write)
        self.flush = saboteur.watched(file.flush)
        self.fileno, self.tell = file.fileno, file.tell
        self._close_watched = saboteur.watched(file.close)

    def close(self) -> None:
        try:
            self._close_watched()
        finally:
            self._file.close()


def _write_settings(path: Path, overwrite: bool) -> None:
    """What the program keeps for itself is written over whatever there is, and no sentence says that it can't be."""
    if not Settings(speed=2.0).write(path):
        raise ExportError("")


def _once(draw):
    """Draws the first page and gives the same bytes for all others."""
    kept: list[tuple[bytes, str]] = []

    def drawn(page):
        kept[:] = kept or [draw(page)]
        return kept[0]

    return drawn


# Each writer with the fewest requests to the disk that can fail: open, write, flush, sync; an array has chunks.
WRITERS: dict[str, tuple[Callable[..., object], int]] = {
    **{f"table{suffix}": (partial(write_array, "encoding", State(ENCODING)), 9) for suffix in (".npy", ".csv")},
    **{f"figure{suffix}": (partial(write_figure, "clock", State(ENCODING)), 4) for suffix in FORMATS},
    "talk.pesession": (lambda path, overwrite: write_session(path, Session(State(ENCODING)), overwrite=overwrite), 4),
    "settings.json": (_write_settings, 4),
}


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("name", WRITERS)
def test_target_is_old_or_new_whichever_request_to_the_disk_fails(tmp_path, monkeypatch, luck, name, is_there):
    code = luck.choice([errno.ENOSPC, errno.EIO, errno.EPERM])
    monkeypatch.setattr(arrays, "NPY_CHUNK_VALUES", 160)
    monkeypatch.setattr(arrays, "CSV_CHUNK_VALUES", 160)
    for suffix, drawn in FORMATS.items():
        # A page of 600 dots per inch takes a second to draw; what is looked at here is the disk.
        monkeypatch.setitem(FORMATS, suffix, _once(drawn))
    write, fewest = WRITERS[name]
    write(tmp_path / name, overwrite=False)
    new = (tmp_path / name).read_bytes()
    n_failures = 0
    for fails_at in itertools.count(1):
        folder = tmp_path / str(fails_at)
        folder.mkdir()
        if is_there:
            (folder / name).write_bytes(OLD)
        with monkeypatch.context() as patch:
            saboteur = Saboteur(patch, fails_at, code)
            try:
                write(folder / name, overwrite=is_there)
                sentence, expected = "", {name: new}
            except ValueError as error:
                sentence, expected = str(error), {name: OLD} if is_there else {}
                n_failures += 1
        assert sentence == "" or sentence.endswith("Nothing was written.")
        assert {entry.name: entry.read_bytes() for entry in folder.iterdir()} == expected
        if not saboteur.has_struck:
            break
    assert n_failures >= fewest


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of this kind")
def test_real_limit_of_the_system_on_file_size_leaves_the_old_file(tmp_path, luck):
    import resource  # noqa: PLC0415 - Windows has none

    (tmp_path / "table.npy").write_bytes(OLD)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (luck.choice([0, 1, 127, 128, 5000, 100_000, 819_327]), before[1]))
    try:
        with pytest.raises(ExportError) as refusal:
            write_array("encoding", State(SinusoidalEncoding(3200)), tmp_path / "table.npy", overwrite=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert str(refusal.value) == f"The disk is full: table.npy doesn't fit into {tmp_path}. Nothing was written."
    assert {entry.name: entry.read_bytes() for entry in tmp_path.iterdir()} == {"table.npy": OLD}


# Begins to write a file, says so, and waits to be ended.
UNFINISHED = """
import sys, time
from pathlib import Path
from pe_desktop.files import whole_file, writable_target
with whole_file(writable_target(Path("killed.npy"), overwrite=True), overwrite=True) as file:
    file.write(bytes(1000))
    print("begun", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def begun(tmp_path):
    """A process that has begun to write a file into the folder."""
    words = [sys.executable, "-c", UNFINISHED]
    with subprocess.Popen(words, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        try:
            yield process
        finally:
            process.kill()


def test_the_next_write_removes_what_a_killed_program_left_and_nothing_of_a_living_one(tmp_path, begun):
    def names():
        return sorted(entry.name for entry in tmp_path.iterdir())

    [part] = names()
    Settings().write(tmp_path / "settings.json")
    assert names() == [part, "settings.json"]
    begun.kill()
    begun.wait()
    machine, number = part.removeprefix(".pe-desktop-").removesuffix(".part").split("-")
    others = [
        f".pe-desktop-{machine}-{number}.partly",
        f".pe-desktop-{'0' * 8}-{number}.part",  # of another machine that writes into this folder
    ]
    for name in others:
        (tmp_path / name).touch()
    Settings().write(tmp_path / "settings.json")
    # What was just made or is about to get its name isn't held, either.
    assert names() == sorted([*others, part, "settings.json"])
    os.utime(tmp_path / part, (0.0, 0.0))
    Settings().write(tmp_path / "settings.json")
    assert names() == sorted([*others, "settings.json"])


@POSIX_ONLY
def test_a_folder_without_locks_is_written_and_what_is_unfinished_there_stays(tmp_path, begun, monkeypatch):
    begun.kill()
    begun.wait()
    [part] = tmp_path.iterdir()
    monkeypatch.setattr("fcntl.flock", _unsupported)
    assert Settings().write(tmp_path / "settings.json")
    assert sorted(tmp_path.iterdir()) == sorted([part, tmp_path / "settings.json"])


def test_existing_file_is_refused_before_anything_is_computed_and_a_read_only_one_stays(tmp_path, monkeypatch):
    path = tmp_path / "table.npy"
    path.write_bytes(OLD)
    monkeypatch.setattr(SinusoidalEncoding, "values", lambda *_: pytest.fail("a value was computed"))
    with pytest.raises(TargetExistsError, match=r"exists already and stays as it is\. Nothing was written\.$"):
        write_array("encoding", State(ENCODING), path)
    # Root may write everywhere, so the system's answer is given by hand.
    monkeypatch.setattr(os, "access", lambda asked, mode: not (Path(asked) == path.resolve() and mode == os.W_OK))
    with pytest.raises(ExportError, match=r"is read-only\. Nothing was written\.$"):
        write_array("encoding", State(ENCODING), path, overwrite=True)
    assert path.read_bytes() == OLD


@pytest.mark.parametrize("has_links", [True, False])
def test_file_that_appears_during_the_export_stays_with_hard_links_and_without(tmp_path, monkeypatch, has_links):
    if not has_links:
        monkeypatch.setattr(os, "link", _unsupported)
    path = tmp_path / "table.npy"
    with pytest.raises(ExportError, match=r"appeared while .* Nothing was written\.$"):
        write_array("encoding", State(ENCODING), path, progress=lambda *_: path.write_bytes(OLD))
    assert {entry.name: entry.read_bytes() for entry in tmp_path.iterdir()} == {"table.npy": OLD}
    path.unlink()
    write_array("encoding", State(ENCODING), path)
    assert np.load(path).shape == (50, 16)
    assert [entry.name for entry in tmp_path.iterdir()] == ["table.npy"]


def _unsupported(*_arguments, **_options):
    raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))


def test_nothing_begins_where_the_disk_is_too_small(tmp_path, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**12, 10**12 - 9_100_000_000, 9_100_000_000))
    with pytest.raises(ExportError) as refusal:
        write_array("encoding", State(SinusoidalEncoding(10_000_000, 512)), tmp_path / "table.npy")
    assert str(refusal.value) == (
        f"10 000 000 positions x 512 dimensions need 41.0 GB and 9.1 GB are free in {tmp_path}. Nothing was written."
    )
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_none_is_named_and_one_is_never_replaced(tmp_path):
    (tmp_path / "file").write_bytes(OLD)
    (tmp_path / "table.npy").mkdir()
    for path, sentence in (
        (tmp_path / "no" / "table.npy", f"The folder {tmp_path / 'no'} doesn't exist."),
        (tmp_path / "file" / "table.npy", f"{tmp_path / 'file'} is not a folder."),
        (tmp_path / "table.npy", f"{tmp_path / 'table.npy'} is a folder."),
    ):
        for overwrite in (True, False):
            with pytest.raises(ExportError) as refusal:
                write_array("encoding", State(ENCODING), path, overwrite=overwrite)
            assert str(refusal.value) == f"{sentence} Nothing was written."
    assert (tmp_path / "table.npy").is_dir()


@POSIX_ONLY
def test_pipe_is_never_replaced(tmp_path):
    os.mkfifo(tmp_path / "table.npy")
    with pytest.raises(ExportError, match=r"is not an ordinary file\. Nothing was written\.$"):
        write_array("encoding", State(ENCODING), tmp_path / "table.npy", overwrite=True)
    assert stat.S_ISFIFO((tmp_path / "table.npy").stat().st_mode)


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS])
def test_folder_that_takes_no_file_is_named(tmp_path, monkeypatch, code):
    def refuse(*_arguments):
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        with pytest.raises(ExportError) as refusal:
            write_array("encoding", State(ENCODING), tmp_path / "table.npy")
    assert str(refusal.value) == (
        f"The folder {tmp_path} doesn't let table.npy be written: {os.strerror(code).lower()}. Nothing was written."
    )


@pytest.mark.parametrize("name", ["a" * 300 + ".npy", "zero\0byte.npy", "\ud800.npy"])
def test_impossible_name_is_one_sentence(tmp_path, name):
    with pytest.raises(ExportError, match=r"Nothing was written\.$"):
        write_array("encoding", State(ENCODING), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@POSIX_ONLY
def test_name_may_be_as_long_as_the_disk_allows(tmp_path):
    write_array("encoding", State(ENCODING), tmp_path / ("a" * 251 + ".npy"))
    assert len(list(tmp_path.iterdir())) == 1


@POSIX_ONLY
def test_link_is_followed_and_stays_a_link(tmp_path):
    target, link = tmp_path / "target.npy", tmp_path / "link.npy"
    target.write_bytes(OLD)
    link.symlink_to(target)
    with pytest.raises(TargetExistsError):
        write_array("encoding", State(ENCODING), link)
    write_array("encoding", State(ENCODING), link, overwrite=True)
    assert link.is_symlink()
    assert np.load(target).shape == (50, 16)


@POSIX_ONLY
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_new_file_follows_the_umask_and_one_that_is_replaced_keeps_its_mode(tmp_path, umask, mode):
    path, before = tmp_path / "table.npy", os.umask(umask)
    try:
        write_array("encoding", State(ENCODING), path)
        assert stat.S_IMODE(path.stat().st_mode) == mode
        path.chmod(0o640)
        write_array("encoding", State(ENCODING), path, overwrite=True)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    finally:
        os.umask(before)


def test_sizes_are_said_with_a_fitting_unit():
    sizes = (0, 999, 32_896, 999_960, 40_960_000_000, 5_242_880_000_000)
    assert [*map(bytes_in_words, sizes)] == ["0 bytes", "999 bytes", "32.9 kB", "1.0 MB", "41.0 GB", "5.2 TB"]
