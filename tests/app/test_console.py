"""What the command line prints, and that no closed, full or narrow stream can break it."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

POSIX_ONLY = pytest.mark.skipif(os.name != "posix", reason="streams closed in this way are POSIX's")


@POSIX_ONLY
def test_reader_that_went_away_is_no_error(tmp_path, command):
    for arguments in (["export", "frequencies", "-o", "f.npy"], ["--help"], ["--version"]):
        reading, writing = os.pipe()
        os.close(reading)
        done = command(*arguments, stdout=writing)
        os.close(writing)
        assert (done.returncode, done.stderr) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == ["f.npy"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_full_output_is_one_line(command, luck):
    with Path("/dev/full").open("w") as full:
        done = command(luck.choice(["--help", "--version"]), stdout=full.fileno(), PYTHONUNBUFFERED="")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@POSIX_ONLY
def test_closed_streams_do_no_harm(tmp_path, environment):
    line = f'exec "{sys.executable}" -m pe_desktop export frequencies -o f.npy >&- 2>&-'
    assert subprocess.run(["sh", "-c", line], cwd=tmp_path, env=environment, check=False).returncode == 0
    assert (tmp_path / "f.npy").exists()


def test_letters_that_a_console_lacks_are_written_as_escapes(command):
    done = command("export", "frequencies", "-o", "ω.npy", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("\\u03c9.npy: frequencies, 16, ")


def test_version_names_what_is_in_use_and_help_the_exit_codes_and_both_load_no_numpy(answer, command, tmp_path):
    version = answer("--version")
    assert version.startswith("pe-desktop ")
    assert f"NumPy {np.__version__}" in version
    for arguments in (["--help"], ["export", "--help"]):
        assert "3 the window can't start here" in " ".join(answer(*arguments).split())
    (tmp_path / "numpy.py").write_text("raise SystemExit(9)")
    for option in ("--version", "--help"):
        done = command(option)
        assert (done.returncode, done.stderr) == (0, "")
