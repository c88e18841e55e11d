"""Which versions of the C library a Linux bundle asks for, read from the files themselves."""

import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_MAGIC: Final = b"\x7fELF\x02\x01"  # 64 bits, lowest byte first: x86-64 and Arm
_VERSION_NEEDS = 0x6FFFFFFE  # SHT_GNU_verneed

Version = tuple[int, ...]


def required_versions(path: Path) -> list[str]:
    """The names of the symbol versions that an ELF file needs, for instance "GLIBC_2.34"; none for any other file."""
    data = path.read_bytes()
    if not data.startswith(_MAGIC):
        return []
    sections = list(_sections(data))
    names: list[str] = []
    for kind, offset, size, link in sections:
        if kind == _VERSION_NEEDS:
            names += _needed(data[offset : offset + size], data[sections[link][1] :][: sections[link][2]])
    return names


def highest_glibc(names: list[str]) -> Version | None:
    """The highest version of the C library among symbol versions, None where there is none."""
    found = [re.match(r"GLIBC_(\d+(?:\.\d+)+)$", name) for name in names]
    return max((tuple(map(int, match[1].split("."))) for match in found if match), default=None)


def glibc_demands(folder: Path) -> dict[Path, Version]:
    """The highest version of the C library that each file below a folder needs."""
    demands = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            highest = highest_glibc(required_versions(path))
            if highest is not None:
                demands[path] = highest
    return demands


def _sections(data: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Kind, offset, size and link of every section."""
    (table,) = struct.unpack_from("<Q", data, 0x28)
    entry_size, count = struct.unpack_from("<HH", data, 0x3A)
    for number in range(count):
        _, kind, _, _, offset, size, link = struct.unpack_from("<IIQQQQI", data, table + number * entry_size)
        yield kind, offset, size, link


def _needed(needs: bytes, strings: bytes) -> Iterator[str]:
    """The names in a section of version needs: files in a chain, each with a chain of versions."""
    file_at = 0
    while True:
        _, count, _, first, next_file = struct.unpack_from("<HHIII", needs, file_at)
        at = file_at + first
        for _ in range(count):
            _, _, _, name, next_version = struct.unpack_from("<IHHII", needs, at)
            yield strings[name : strings.index(b"\0", name)].decode("ascii")
            at += next_version
        if not next_file:
            return
        file_at += next_file
