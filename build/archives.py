"""Downloads made of a bundle: the same bundle gives the same bytes."""

import hashlib
import io
import lzma
import os
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Final

from build.product import ROOT

# Machine code packs better when its jumps are absolute; every xz of the last ten years undoes it.
_X86_FILTERS: Final = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 9}]
_FIRST_ZIP_YEAR: Final = 1980


def source_date() -> int:
    """The second that files in a download carry: SOURCE_DATE_EPOCH, else that of the last commit, else 1980."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given.isdigit():
        return int(given)
    git = shutil.which("git")
    if git is not None:
        asked = subprocess.run(
            [git, "-C", str(ROOT), "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False
        )
        if asked.stdout.strip().isdigit():
            return int(asked.stdout)
    return 315_532_800


def tar_xz(folder: Path, target: Path, name: str) -> Path:
    """Pack a folder into target under another name, owned by nobody in particular, and return target."""
    with lzma.open(target, "wb", check=lzma.CHECK_CRC64, filters=_X86_FILTERS) as packed:
        packed.write(_plain_tar(folder, name))
    return target


def _plain_tar(folder: Path, name: str) -> bytes:
    """A folder as a tar whose bytes depend on its files alone."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in [folder, *sorted(folder.rglob("*"))]:
            inside = name if path == folder else f"{name}/{path.relative_to(folder).as_posix()}"
            entry = tar.gettarinfo(path, inside)
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = source_date()
            entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
            if entry.isreg():
                # Hard links would depend on the disk: each file is packed with its content.
                entry.type = tarfile.REGTYPE
                entry.size = path.stat().st_size
                with path.open("rb") as file:
                    tar.addfile(entry, file)
            else:
                tar.addfile(entry)
    return content.getvalue()


def zip_file(folder: Path, target: Path, name: str) -> Path:
    """Pack a folder into a .zip, as Windows opens it by itself, and return target."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(
                    f"{name}/{path.relative_to(folder).as_posix()}", (_FIRST_ZIP_YEAR, 1, 1, 0, 0, 0)
                )
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (path.stat().st_mode & 0xFFFF) << 16
                packed.writestr(entry, path.read_bytes())
    return target


def checksum_line(path: Path) -> str:
    """A line as `sha256sum --check` reads it."""
    with path.open("rb") as file:
        return f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {path.name}\n"
