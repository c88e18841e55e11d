"""The licences of everything in the bundle: from the packages' own notes, else the texts in resources/licences."""

import fnmatch
import importlib.metadata
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from build.product import ROOT
from build.selection import Entry

TEXTS: Final = ROOT / "resources" / "licences"
FOLDER: Final = "resources/licences"
INDEX: Final = "INDEX.txt"
QT_TEXTS: Final = ("LGPL-3.0.txt", "GPL-3.0.txt", "Qt-third-party.txt", "ICU.txt")

# Packages whose wheels hold no licence text, with the texts that stand for it.
TEXTS_OF_PACKAGES: Final = {"pyside6-essentials": QT_TEXTS, "shiboken6": QT_TEXTS[:2]}

# Files that no package brought, by their names: patterns to texts.
TEXTS_OF_LIBRARIES: Final = {
    "libxcb-*": "libxcb.txt",
    "libffi*": "libffi.txt",
    "*vcruntime140*": "Microsoft-runtime.txt",
    "*msvcp140*": "Microsoft-runtime.txt",
    "*api-ms-win-*": "Microsoft-runtime.txt",
    "*ucrtbase*": "Microsoft-runtime.txt",
    "*python3*": "Python.txt",
    "base_library.zip": "Python.txt",
}
# Always in: the interpreter, and the few kilobytes of PyInstaller that start it.
_STARTER: Final = "pyinstaller"
_LICENCE_FILE: Final = re.compile(r"(?i)(^|/)(licen[cs]e|copying|notice|authors)[^/]*$|/licenses/")


class MissingLicenceError(Exception):
    """Something in the bundle has no licence text; the message names it."""


@dataclass(frozen=True, slots=True)
class Package:
    """An installed package: its name and version, what it says of its licence, and the texts it brings."""

    name: str
    version: str
    licence: str
    tops: frozenset[str]
    texts: tuple[Path, ...]


def installed_packages() -> list[Package]:
    """Every package of this environment, sorted by name."""
    packages = {found.name: found for found in map(_package, importlib.metadata.distributions())}
    return [packages[name] for name in sorted(packages)]


def _package(distribution: importlib.metadata.Distribution) -> Package:
    notes = distribution.metadata
    files = distribution.files or []
    texts = [file for file in files if ".dist-info/" in str(file) and _LICENCE_FILE.search(file.as_posix())]
    return Package(
        re.sub(r"[-_.]+", "-", notes["Name"]).lower(),
        distribution.version,
        _stated(distribution.metadata),
        frozenset(re.sub(r"\.(py|so|pyd)$", "", file.parts[0]) for file in files if not file.parts[0].startswith("..")),
        tuple(Path(str(file.locate())) for file in texts),
    )


def _stated(notes: importlib.metadata.PackageMetadata) -> str:
    """The licence that a package's notes name, in one line."""
    names = [name for name in ("License-Expression", "License") if name in notes]
    return notes[names[0]].partition("\n")[0] if names else "see its text"


def packages_in(names: Iterable[str], packages: Iterable[Package]) -> list[Package]:
    """Those of the packages of which something is in a bundle, whose modules and files are given by name."""
    tops = set()
    for name in names:
        # "numpy.linalg" is a module, "numpy.libs/libgfortran.so" a file in a folder with a point in its name.
        path = PurePosixPath(name.replace("\\", "/"))
        tops |= {path.parts[0], path.parts[0].partition(".")[0]} if path.parts else set()
    return [package for package in packages if package.tops & tops or package.name == _STARTER]


def texts_of(package: Package) -> tuple[Path, ...]:
    """The licence texts of a package. Raises MissingLicenceError if there is none."""
    texts = package.texts or tuple(TEXTS / name for name in TEXTS_OF_PACKAGES.get(package.name, ()))
    if not texts:
        raise MissingLicenceError(
            f"{package.name} {package.version} brings no licence text: put it into {TEXTS.relative_to(ROOT)} "
            f"and name it in build/{Path(__file__).name}"
        )
    return texts


def text_of_library(name: str) -> str | None:
    """The text in resources/licences for a file that no package brought, None where no line of the table fits."""
    return next((text for pattern, text in TEXTS_OF_LIBRARIES.items() if fnmatch.fnmatchcase(name, pattern)), None)


def collected(names: Iterable[str], folder: Path) -> list[Entry]:
    """Copy the licences of everything in the bundle, with an index, and return them as entries of the bundle.

    Names are modules and files in the bundle. Raises MissingLicenceError.
    """
    if folder.exists():
        shutil.rmtree(folder)
    packages = packages_in(names, installed_packages())
    for package in packages:
        for text in texts_of(package):
            if text.parent != TEXTS:
                _copy(text, folder / package.name)
    (folder / INDEX).write_text(index(packages), encoding="utf-8")
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [(f"{FOLDER}/{path.relative_to(folder).as_posix()}", str(path), "DATA") for path in files]


def index(packages: Iterable[Package]) -> str:
    """What is in the bundle, under which licence, and where its text is."""
    lines = ["What this application is made of, and the licence of each part.", ""]
    for package in packages:
        own = [text.name for text in texts_of(package) if text.parent == TEXTS]
        lines.append(f"{package.name} {package.version}: {package.licence}; {', '.join(own) or package.name + '/'}")
    lines += [
        "python: PSF licence; Python.txt",
        "Inter, STIX Two, JetBrains Mono and Noto Sans CJK: SIL Open Font License 1.1; ../fonts/*-OFL.txt",
    ]
    lines += ["PE Desktop itself: MIT licence", ""]
    lines += ["Qt and PySide6 are used under the LGPL 3, in files of their own, which you may replace."]
    lines += ["Their source: https://code.qt.io and https://download.qt.io/official_releases/QtForPython/", ""]
    return "\n".join(lines)


def _copy(text: Path, folder: Path) -> None:
    # NumPy's licences lie in folders of its sources and share their names.
    parts = text.parts[next(i for i, part in enumerate(text.parts) if part.endswith(".dist-info")) + 1 :]
    target = folder / "-".join(part for part in parts if part != "licenses")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(text, target)
