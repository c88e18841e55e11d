"""Whether Qt can be loaded here at all: versions that crash and system libraries that are missing, found beforehand."""

import ctypes
import importlib
import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from pe_desktop.resources import bundle_folder

# Debian's names; Ubuntu and Mint know the same ones.
QT_LIBRARIES: Final[Mapping[str, str]] = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
}

NEW_COPY: Final = "unpack or install it again"


class CannotStartError(RuntimeError):
    """The window can't be built on this machine as it is; the message is one sentence that says what would help."""


def check_qt() -> None:
    """Raises CannotStartError if PySide6 would crash this Python, isn't installed or can't be loaded."""
    sentence = version_refusal(sys.version_info[:2], installed_pyside())
    if sentence is not None:
        raise CannotStartError(sentence)
    try:
        importlib.import_module("PySide6.QtWidgets")
    except ImportError as error:
        raise CannotStartError(import_refusal(error, missing_libraries(QT_LIBRARIES))) from error
    bundle = bundle_folder()
    if bundle is not None:
        sentence = platform_refusal(bundle, os.environ)
        if sentence is not None:
            raise CannotStartError(sentence)


def installed_pyside() -> str | None:
    """The version of PySide6 by the notes of the installation, without loading Qt; None where there are none."""
    for folder in sys.path:
        # By the name of the folder of notes alone: reading them takes as long as starting NumPy's arrays.
        for notes in Path(folder).glob("[Pp]y[Ss]ide6_[Ee]ssentials-*.dist-info"):
            return notes.name.removesuffix(".dist-info").partition("-")[2]
    return None


def version_refusal(python: tuple[int, int], pyside: str | None) -> str | None:
    """Why these versions must not meet, in one sentence, or None if they may."""
    numbers = re.match(r"(\d+)\.(\d+)\.(\d+)", pyside or "")
    if numbers is not None and numbers.group() == "6.12.0" and python < (3, 12):
        # It drops a reference to None at each call that returns None, until the interpreter aborts.
        return (
            f"PySide6 6.12.0 crashes Python {python[0]}.{python[1]} after some hundred calls: "
            'install another one with: python3 -m pip install "PySide6-Essentials>=6.11.2,<6.12".'
        )
    return None


def import_refusal(error: ImportError, missing: list[str]) -> str:
    """Why Qt can't be loaded and what would help, in one sentence; missing are sonames that the system lacks."""
    if isinstance(error, ModuleNotFoundError):
        if bundle_folder() is not None:
            return f"This copy of the application is damaged, {error.name} is missing: {NEW_COPY}."
        return f"The Python package {error.name} is missing: start with python3 run.py, which installs what is needed."
    if missing:
        return f"Qt can't be loaded: {libraries_advice(missing, QT_LIBRARIES)}."
    return f"Qt can't be loaded: {error}"


def platform_refusal(bundle: Path, environment: Mapping[str, str]) -> str | None:
    """Why the frozen application has no way to the screen that is asked for, in one sentence, or None if it has.

    Qt would abort the program instead of answering.
    """
    folders = [bundle.joinpath(*parts, "plugins", "platforms") for parts in (("PySide6", "Qt"), ("PySide6",))]
    files = [file.name for folder in folders if folder.is_dir() for file in folder.iterdir()]
    found = [re.match(r"(?:lib)?q(\w+)\.(?:so|dll|dylib)$", file) for file in files]
    names = sorted(match[1] for match in found if match)
    if not names:
        return f"This copy of the application is damaged, Qt's platform plugins are missing: {NEW_COPY}."
    chosen = environment.get("QT_QPA_PLATFORM", "")
    wanted = {name.split(":")[0].split("-")[0] for name in chosen.split(";") if name}
    if wanted and not wanted & set(names):
        return f"QT_QPA_PLATFORM asks for {chosen}, and this application has only {', '.join(names)}."
    return None


def missing_libraries(sonames: Mapping[str, str], load: Callable[[str], object] = ctypes.CDLL) -> list[str]:
    """Those of the shared libraries that the dynamic linker of this system doesn't find, in the order given."""
    return [soname for soname in sonames if not _loads(soname, load)]


def libraries_advice(missing: list[str], packages: Mapping[str, str]) -> str:
    """The missing libraries and the line that installs them on Debian and Ubuntu, as a part of a sentence."""
    verb = "is" if len(missing) == 1 else "are"
    needed = " ".join(dict.fromkeys(packages[soname] for soname in missing))
    return f"{', '.join(missing)} {verb} missing (on Debian and Ubuntu: apt install {needed})"


def _loads(soname: str, load: Callable[[str], object]) -> bool:
    try:
        load(soname)
    except OSError:
        return False
    return True
