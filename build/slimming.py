"""Symbols that only a debugger reads are taken out of Python's own libraries; those of packages stay as they came."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from build.selection import Entry

ELF = b"\x7fELF"


def stripped(entries: Sequence[Entry], system: str, package_folders: Sequence[str], folder: Path) -> list[Entry]:
    """The entries with the building system's own libraries replaced by copies without debugging symbols.

    What wheels bring is left alone: patched libraries don't always survive it, and Qt's files stay Qt's.
    """
    strip = shutil.which("strip")
    if system != "linux" or strip is None:
        return list(entries)
    return [
        entry if entry[1].startswith(tuple(package_folders)) or not _is_library(entry) else _slim(entry, strip, folder)
        for entry in entries
    ]


def _is_library(entry: Entry) -> bool:
    if entry[2] not in {"BINARY", "EXTENSION"}:
        return False
    with Path(entry[1]).open("rb") as file:
        return file.read(4) == ELF


def _slim(entry: Entry, strip: str, folder: Path) -> Entry:
    name, source, kind = entry
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)
    subprocess.run([strip, "--strip-unneeded", str(target)], check=True)
    return (name, str(target), kind)
