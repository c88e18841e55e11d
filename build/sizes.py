"""How large the bundle is, and which package takes how much of it."""

import fnmatch
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from build.product import MEGABYTE

# The first pattern that fits a file's path in the bundle names its share.
_SHARES: Final = (
    ("ICU in Qt", "*libicu*"),
    ("Qt's plugins", "*PySide6*/plugins/*"),
    ("Qt's libraries", "*PySide6/Qt/lib/*"),
    ("Qt's libraries", "*PySide6/Qt6*.dll"),
    ("PySide6's bindings", "*PySide6*"),
    ("PySide6's bindings", "*shiboken6*"),
    ("OpenBLAS and its Fortran", "*numpy.libs/*"),
    ("OpenBLAS and its Fortran", "*openblas*"),
    ("NumPy", "*numpy*"),
    ("Python's library", "*libpython*"),
    ("Python's library", "*python3*.dll"),
    ("Python's library", "*Python.framework*"),
    ("Python's modules", "*base_library.zip"),
    ("Python's modules", "*lib-dynload*"),
    ("Python's modules", "*.pyd"),
    ("typefaces", "*/fonts/*"),
    ("licences", "*/licences/*"),
    ("icons and colours", "*/resources/*"),
    ("xcb helpers", "*libxcb-*"),
    ("the program and all Python code", "pe-desktop*"),
    ("the program and all Python code", "*/MacOS/*"),
)
OTHER: Final = "other"


def share_of(path: str) -> str:
    """The name of the share that a file belongs to; the path is that in the bundle, with slashes."""
    return next((share for share, pattern in _SHARES if fnmatch.fnmatchcase(path, pattern)), OTHER)


def sizes(folder: Path) -> dict[str, int]:
    """The bytes of each share of a bundle, largest first; links count nothing."""
    found: dict[str, int] = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            share = share_of(path.relative_to(folder).as_posix())
            found[share] = found.get(share, 0) + path.stat().st_size
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def table(found: Mapping[str, int]) -> str:
    """The sizes as a table in Markdown, in millions of bytes."""
    rows = [f"| {share} | {size / MEGABYTE:.1f} |" for share, size in found.items()]
    total = f"| **everything** | **{sum(found.values()) / MEGABYTE:.1f}** |"
    return "\n".join(["| part | MB |", "|---|---:|", *rows, total])
