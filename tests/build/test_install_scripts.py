"""install.sh puts the application into a user's menu without root, uninstall.sh takes exactly that away."""

import os
import re
import shutil
import subprocess
import sys
from configparser import ConfigParser

import pytest

from build import linux_downloads

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the scripts are for Linux")
PROGRAM = '#!/bin/sh\necho "started with $*"\n'


@pytest.fixture
def unpacked(tmp_path):
    """An unpacked download with a stand-in for the program, in a folder with a space and an umlaut."""
    folder = tmp_path / "ein Ordner ü"
    (folder / "_internal").mkdir(parents=True)
    (folder / "_internal" / "data").write_text("data")
    (folder / "pe-desktop").write_text(PROGRAM)
    (folder / "pe-desktop").chmod(0o755)
    linux_downloads.add_installer(folder)
    return folder


@pytest.fixture
def home(tmp_path):
    """A home whose name has everything that a desktop entry has to quote."""
    folder = tmp_path / 'Zoë $HOME 100% `x` "q" & \\ |'
    folder.mkdir()
    return folder


def run(script, home, *arguments):
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    return subprocess.run(["sh", str(script), *arguments], env=environment, capture_output=True, text=True, check=False)


def tree(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())


def test_an_installed_application_starts_from_its_link_and_its_menu_and_makes_sessions_known(unpacked, home) -> None:
    done = run(unpacked / "install.sh", home)
    assert (done.returncode, done.stderr) == (0, "")
    link, types = home / ".local" / "bin" / "pe-desktop", home / ".local" / "share" / "mime"
    assert subprocess.check_output([str(link), "export"], text=True) == "started with export\n"
    assert (home / ".local/share/icons/hicolor/48x48/apps/pe_desktop.png").is_file()
    # The menu finds the program whatever the home is called.
    entry = ConfigParser(interpolation=None, delimiters="=")
    entry.read(home / ".local/share/applications/pe_desktop.desktop", encoding="utf-8")
    line, file = entry["Desktop Entry"]["Exec"].rsplit(" ", 1)
    assert file == "%f"
    # The specification of desktop entries: \\ in a value is one backslash, which in quotes marks \" \` \$ \\; %% is %.
    quoted = line.replace("\\\\", "\\")
    assert quoted[0] + quoted[-1] == '""'
    program = re.sub(r'\\(["`$\\])', r"\1", quoted[1:-1]).replace("%%", "%")
    assert program == str(home / ".local" / "lib" / "pe-desktop" / "pe-desktop")
    assert "*.pesession" in (types / "packages" / "pe_desktop.xml").read_text(encoding="utf-8")
    if shutil.which("update-mime-database") is not None:
        assert "application/x-pe-desktop-session:*.pesession\n" in (types / "globs").read_text(encoding="utf-8")


def test_a_second_installation_leaves_nothing_of_the_first(unpacked, home) -> None:
    run(unpacked / "install.sh", home)
    (unpacked / "_internal" / "data").rename(unpacked / "_internal" / "newer")
    assert run(unpacked / "install.sh", home).returncode == 0
    assert tree(home / ".local" / "lib" / "pe-desktop" / "_internal") == ["newer"]
    assert not (home / ".local" / "lib" / "pe-desktop.new").exists()


def test_uninstalling_leaves_what_others_put_there(unpacked, home) -> None:
    mine = home / ".local" / "share" / "applications" / "mine.desktop"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    settings = home / ".config" / "pe_desktop" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text("{}")
    before = tree(home)
    run(unpacked / "install.sh", home)
    done = run(home / ".local" / "lib" / "pe-desktop" / "uninstall.sh", home)
    assert (done.returncode, done.stderr) == (0, "")
    # The cache of icons and what is made of the types of files are the desktop's own and are made anew by it.
    types = home / ".local" / "share" / "mime"
    assert not [path for path in types.rglob("*") if path.is_file() and b"pe-desktop" in path.read_bytes()]
    assert [path for path in tree(home) if "cache" not in path and "share/mime/" not in path] == before


def test_a_folder_of_somebody_else_is_not_replaced(unpacked, home) -> None:
    theirs = home / ".local" / "lib" / "pe-desktop"
    theirs.mkdir(parents=True)
    (theirs / "thesis.txt").write_text("precious")
    done = run(unpacked / "install.sh", home)
    assert done.returncode == 1
    assert "move it away first" in done.stderr
    assert tree(theirs) == ["thesis.txt"]
    # Uninstalling an unpacked copy removes nothing.
    before = tree(unpacked)
    done = run(unpacked / "uninstall.sh", home)
    assert (done.returncode, tree(unpacked)) == (1, before)


def test_an_installation_for_everyone_takes_its_prefix_and_unknown_words_change_nothing(unpacked, home, tmp_path):
    for arguments in (["--prefix", "relative"], ["--help-me"]):
        assert run(unpacked / "install.sh", home, *arguments).returncode == 2
    prefix = tmp_path / "usr local"
    assert run(unpacked / "install.sh", home, "--prefix", str(prefix)).returncode == 0
    assert os.access(prefix / "bin" / "pe-desktop", os.X_OK)
    assert tree(home) == []
