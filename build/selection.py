"""What goes into the bundle and what stays out of it, and why."""

import fnmatch
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Final

from build.product import CARRIED_LIBRARIES

# One line of PyInstaller's tables of contents: name in the bundle, file, kind.
Entry = tuple[str, str, str]

# The application opens no socket, no terminal and no database; numpy and pyqtgraph only mention these.
EXCLUDED_MODULES: Final = (
    *("tkinter", "ssl", "_ssl", "_hashlib", "sqlite3", "curses", "_curses", "readline", "bz2", "_bz2", "lzma", "_lzma"),
    *("lib2to3", "test", "pip", "setuptools", "wheel", "PIL", "scipy", "matplotlib", "IPython", "numba", "cupy"),
    *("pyqtgraph.examples", "pyqtgraph.opengl", "pyqtgraph.jupyter", "PyQt5", "PyQt6", "PySide2", "OpenGL"),
    *("numpy.f2py", "numpy.distutils", "numpy.testing", "numpy.tests", "pytest", "hypothesis", "mpmath"),
    *("PySide6.QtNetwork", "PySide6.QtDBus"),
)

# Parts of Qt that no part of the application can reach; ICU and the platforms stay.
_DROPPED: Final = (
    "*/translations/*",
    "PySide6/Qt/qml/*",
    "*/plugins/egldeviceintegrations/*",
    "*/plugins/generic/*",
    "*/plugins/networkinformation/*",
    "*/plugins/tls/*",
    "*/plugins/sqldrivers/*",
    "*/plugins/platformthemes/*gtk3*",
    "*/plugins/platforms/*eglfs*",
    "*/plugins/platforms/*linuxfb*",
    "*/plugins/platforms/*minimalegl*",
    "*/plugins/platforms/*vkkhrdisplay*",
    "*/plugins/platforms/*vnc*",
    "*/plugins/platforms/*direct2d*",
    "*/plugins/platforminputcontexts/*virtualkeyboard*",
    "*/plugins/imageformats/*gif*",
    "*/plugins/imageformats/*icns*",
    "*/plugins/imageformats/*pdf*",
    "*/plugins/imageformats/*tga*",
    "*/plugins/imageformats/*tiff*",
    "*/plugins/imageformats/*wbmp*",
    "*/plugins/imageformats/*webp*",
    "*libQt6EglFS*",
    "*libQt6EglFs*",
    "*Qt6Network*",
    "*Qt6Pdf*",
    "*Qt6Qml*",
    "*Qt6Quick*",
    "*Qt6VirtualKeyboard*",
    "*QtNetwork.framework*",
    "*opengl32sw.dll",
    # Pictures and colour maps of pyqtgraph's own tools.
    "pyqtgraph/icons/*",
    "pyqtgraph/colors/*",
    "pyqtgraph/examples/*",
)

# Qt's own words in the languages that there are.
_KEPT_WORDS: Final = ("/qtbase_es.qm", "/qtbase_zh_CN.qm")

# Of the libraries of the building system, only what not every system has and what can't disturb its drivers: Python's
# own and the small xcb helpers, whose absence keeps Qt from starting on many desktops. Old copies of the others
# (libstdc++, libxkbcommon, libz, GLib, ...) would stop newer drivers and themes.
_KEPT_SYSTEM_LIBRARIES: Final = ("libpython3*", "libffi.so.*", "libxcb-glx.so.*", *CARRIED_LIBRARIES)


def selected(entries: Iterable[Entry], system: str, package_folders: Sequence[str]) -> list[Entry]:
    """The entries that go into the bundle on this system.

    Package folders are those that Python packages were installed into: what lies elsewhere is of the building system.
    """
    return [entry for entry in entries if is_wanted(entry, system, package_folders)]


def is_wanted(entry: Entry, system: str, package_folders: Sequence[str]) -> bool:
    """Whether one entry goes into the bundle on this system."""
    name, source, kind = entry
    path = PurePosixPath(name.replace("\\", "/"))
    if is_dropped(str(path)):
        return False
    # Links stand for libraries that packages brought; they go with their goals.
    if system != "linux" or kind != "BINARY" or source.startswith(tuple(package_folders)):
        return True
    return any(fnmatch.fnmatchcase(path.name, pattern) for pattern in _KEPT_SYSTEM_LIBRARIES)


def is_dropped(path: str) -> bool:
    """Whether a file belongs to parts that the application can't reach; a path in the bundle or of its source."""
    path = path.replace("\\", "/")
    return not path.endswith(_KEPT_WORDS) and any(fnmatch.fnmatchcase(path, pattern) for pattern in _DROPPED)


def without_dangling_links(entries: Iterable[Entry]) -> list[Entry]:
    """The entries without links whose goal is not among them."""
    listed = list(entries)
    names = {PurePosixPath(name.replace("\\", "/")) for name, _, _ in listed}
    kept = []
    for name, source, kind in listed:
        goal = PurePosixPath(name.replace("\\", "/")).parent / source.replace("\\", "/")
        if kind != "SYMLINK" or goal in names or any(goal in other.parents for other in names):
            kept.append((name, source, kind))
    return kept
