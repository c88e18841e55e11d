"""Downloads: the same folder gives the same bytes, and what comes out is what went in."""

import hashlib
import os
import tarfile
import zipfile

import pytest

from build import archives


@pytest.fixture
def folder(tmp_path):
    """A program, a link and a data file in a folder with an umlaut."""
    base = tmp_path / "bündel"
    (base / "ü b").mkdir(parents=True)
    (base / "program").write_bytes(b"\x7fELF" + bytes(5000))
    (base / "program").chmod(0o700)
    (base / "ü b" / "data.txt").write_text("π")
    if os.name == "posix":
        (base / "link").symlink_to("program")
    return base


@pytest.mark.skipif(os.name != "posix", reason="links and rights are those of a POSIX system")
def test_an_archive_keeps_links_and_rights_and_forgets_who_made_it(folder, tmp_path) -> None:
    target = archives.tar_xz(folder, tmp_path / "a.tar.xz", "pe 1.0")
    with tarfile.open(target) as tar:
        members = {member.name: member for member in tar.getmembers()}
    assert set(members) == {"pe 1.0", "pe 1.0/program", "pe 1.0/link", "pe 1.0/ü b", "pe 1.0/ü b/data.txt"}
    assert members["pe 1.0/program"].mode == 0o755
    assert members["pe 1.0/ü b/data.txt"].mode == 0o644
    assert members["pe 1.0/link"].linkname == "program"
    assert {(member.uid, member.uname) for member in members.values()} == {(0, "root")}


def test_an_archive_made_again_has_the_same_bytes(folder, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    first = archives.tar_xz(folder, tmp_path / "a.tar.xz", "pe").read_bytes()
    os.utime(folder / "program", (1, 1))
    assert archives.tar_xz(folder, tmp_path / "b.tar.xz", "pe").read_bytes() == first
    zipped = archives.zip_file(folder, tmp_path / "a.zip", "pe").read_bytes()
    os.utime(folder / "program", (500_000_000, 500_000_000))
    assert archives.zip_file(folder, tmp_path / "b.zip", "pe").read_bytes() == zipped


def test_a_zip_gives_back_what_went_in_with_the_date_that_is_given_and_a_checksum(folder, tmp_path, monkeypatch):
    path = archives.zip_file(folder, tmp_path / "a.zip", "pe")
    assert archives.checksum_line(path) == f"{hashlib.sha256(path.read_bytes()).hexdigest()}  a.zip\n"
    with zipfile.ZipFile(path) as packed:
        assert packed.read("pe/ü b/data.txt").decode() == "π"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1234567890")
    assert archives.source_date() == 1_234_567_890
