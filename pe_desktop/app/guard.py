"""Whether Qt can be loaded here at all: versions that crash and system libraries that are missing, found beforehand."""

import builtins
import ctypes
import importlib
import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pe_desktop.resources import bundle_folder, resource_path

_NEW_COPY: Final = "unpack or install it again"


class CannotStartError(RuntimeError):
    """The window can't be built on this machine as it is; the message is one sentence that says what would help."""


def check_qt() -> None:
    """Raises CannotStartError if PySide6 would crash this Python, isn't installed or can't be loaded."""
    sentence = version_refusal(sys.version_info[:2], installed_pyside())
    if sentence is not None:
        raise CannotStartError(sentence)
    usual_import = builtins.__import__
    try:
        importlib.import_module("PySide6.QtWidgets")
    except ImportError as error:
        raise CannotStartError(import_refusal(error, libraries_advice("drawing"))) from error
    # PySide reads the source of each module loaded after it, for an import from __feature__ that nothing here has.
    builtins.__import__ = usual_import
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


def import_refusal(error: ImportError, advice: str | None) -> str:
    """Why Qt can't be loaded and what would help, in one sentence; advice tells of libraries that are missing."""
    if isinstance(error, ModuleNotFoundError):
        if bundle_folder() is not None:
            return f"This copy of the application is damaged, {error.name} is missing: {_NEW_COPY}."
        return f"The Python package {error.name} is missing: start with python3 run.py, which installs what is needed."
    return f"Qt can't be loaded: {error}" if advice is None else f"Qt can't be loaded: {advice}."


def platform_refusal(bundle: Path, environment: Mapping[str, str]) -> str | None:
    """Why the frozen application has no way to the screen that is asked for, in one sentence, or None if it has.

    Qt would abort the program instead of answering.
    """
    folders = [bundle.joinpath(*parts, "plugins", "platforms") for parts in (("PySide6", "Qt"), ("PySide6",))]
    files = [file.name for folder in folders if folder.is_dir() for file in folder.iterdir()]
    found = [re.match(r"(?:lib)?q(\w+)\.(?:so|dll|dylib)$", file) for file in files]
    names = sorted(match[1] for match in found if match)
    if not names:
        return f"This copy of the application is damaged, Qt's platform plugins are missing: {_NEW_COPY}."
    chosen = environment.get("QT_QPA_PLATFORM", "")
    wanted = {name.split(":")[0].split("-")[0] for name in chosen.split(";") if name}
    if wanted and not wanted & set(names):
        return f"QT_QPA_PLATFORM asks for {chosen}, and this application has only {', '.join(names)}."
    return None


def libraries_advice(purpose: str) -> str | None:
    """Which libraries are missing for a purpose, "drawing", "x11" or "wayland", and how Debian and Ubuntu install them.

    A part of a sentence; None where the dynamic linker of this system finds all.
    """
    table: dict[str, dict[str, str]] = json.loads(resource_path("system_libraries.json").read_text(encoding="utf-8"))
    missing = [soname for soname in table[purpose] if not _loads(soname)]
    if not missing:
        return None
    packages = " ".join(dict.fromkeys(table[purpose][soname] for soname in missing))
    verb = "is" if len(missing) == 1 else "are"
    return f"{', '.join(missing)} {verb} missing (on Debian and Ubuntu: apt install {packages})"


def _loads(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True
