"""Whether a window can appear: asked before Qt, which would crash or abort the program instead of answering."""

import builtins
import contextlib
import ctypes
import importlib
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pe_desktop.resources import bundle_folder, resource_json

_WITHOUT_SCREEN: Final = "without a screen these work: pe-desktop export, pe-desktop self-test, pe-desktop --screenshot"
_WAYLAND_PATIENCE: Final = 5.0  # seconds until a compositor that doesn't answer counts as absent
_NEW_COPY: Final = "unpack or install it again"


class CannotStartError(RuntimeError):
    """The window can't be built on this machine as it is; the message is one sentence that says what would help."""


def check_qt() -> None:
    """Raises CannotStartError if PySide6 would crash this Python, isn't installed or can't be loaded."""
    sentence = _version_refusal(sys.version_info[:2], installed("pyside6_essentials"))
    if sentence is not None:
        raise CannotStartError(sentence)
    usual_import = builtins.__import__
    try:
        importlib.import_module("PySide6.QtWidgets")
    except ImportError as error:
        raise CannotStartError(_import_refusal(error, _libraries_advice("drawing"))) from error
    # PySide reads the source of each module loaded after it, for an import from __feature__ that nothing here has.
    builtins.__import__ = usual_import
    sentence = _platform_refusal(bundle_folder(), os.environ)
    if sentence is not None:
        raise CannotStartError(sentence)


def installed(package: str) -> str | None:
    """The version of a package by the notes of the installation, without loading it; None where there are none."""
    for folder in sys.path:
        # By the name of the folder of notes alone: reading them takes as long as starting NumPy's arrays.
        with contextlib.suppress(OSError):
            for name in os.listdir(folder or "."):  # noqa: PTH208 - a path for each name takes as long, too
                if name.lower().startswith(f"{package}-") and name.endswith(".dist-info"):
                    return name.removesuffix(".dist-info").partition("-")[2]
    return None


def _version_refusal(python: tuple[int, int], pyside: str | None) -> str | None:
    """Why these versions must not meet, in one sentence, or None if they may."""
    numbers = re.match(r"(\d+)\.(\d+)\.(\d+)", pyside or "")
    if numbers is not None and numbers.group() == "6.12.0" and python < (3, 12):
        # It drops a reference to None at each call that returns None, until the interpreter aborts.
        return (
            f"PySide6 6.12.0 crashes Python {python[0]}.{python[1]} after some hundred calls: "
            'install another one with: python3 -m pip install "PySide6-Essentials>=6.11.2,<6.12".'
        )
    return None


def _import_refusal(error: ImportError, advice: str | None) -> str:
    """Why Qt can't be loaded and what would help, in one sentence; advice tells of libraries that are missing."""
    if isinstance(error, ModuleNotFoundError):
        if bundle_folder() is not None:
            return f"This copy of the application is damaged, {error.name} is missing: {_NEW_COPY}."
        return package_refusal(error.name)
    return f"Qt can't be loaded: {error}" if advice is None else f"Qt can't be loaded: {advice}."


def package_refusal(name: str | None) -> str:
    """The sentence for a package that figures and the window need, and that is not installed."""
    brings = 'pip install "pe-desktop[app]" brings what figures and the window need'
    return f"The Python package {name} is missing: {brings}, and in a checkout python3 run.py does."


def _platform_refusal(bundle: Path | None, environment: Mapping[str, str]) -> str | None:
    """Why there is no way to the screen that is asked for, in one sentence, or None if there is.

    Qt would abort the program instead of answering. bundle: the folder of the frozen application, None for the PySide6
    that is installed, of which a system may keep the plugins elsewhere.
    """
    root = bundle or Path(importlib.import_module("PySide6").__path__[0]).parent
    folders = [root.joinpath(*parts, "plugins", "platforms") for parts in (("PySide6", "Qt"), ("PySide6",))]
    files = [file.name for folder in folders if folder.is_dir() for file in folder.iterdir()]
    found = [re.match(r"(?:lib)?q(\w+)\.(?:so|dll|dylib)$", file) for file in files]
    names = sorted(match[1] for match in found if match)
    if not names:
        damage = f"This copy of the application is damaged, Qt's platform plugins are missing: {_NEW_COPY}."
        return None if bundle is None else damage
    chosen = environment.get("QT_QPA_PLATFORM", "")
    wanted = _platforms(chosen)
    if wanted and not wanted & set(names):
        return f"QT_QPA_PLATFORM asks for {chosen}, and this application has only {', '.join(names)}."
    return None


def _libraries_advice(purpose: str) -> str | None:
    """Which libraries are missing for a purpose, "drawing", "x11" or "wayland", and how Debian and Ubuntu install them.

    A part of a sentence; None where the dynamic linker of this system finds all.
    """
    table: dict[str, dict[str, str]] = resource_json("system_libraries.json")
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


def check_display(environment: Mapping[str, str]) -> None:
    """Raises CannotStartError, naming what works without a screen, if no window could appear."""
    wanted = _platforms(environment.get("QT_QPA_PLATFORM", ""))
    if sys.platform in {"win32", "darwin"} or wanted - {"xcb", "wayland"}:
        return  # A person who asks for another platform knows what it needs.
    reasons = []
    if environment.get("WAYLAND_DISPLAY") if not wanted else "wayland" in wanted:
        reasons.append(_wayland_refusal(environment))
    if environment.get("DISPLAY") if not wanted else "xcb" in wanted:
        reasons.append(_x11_refusal(environment))
    if None not in reasons:
        found = "; ".join(filter(None, reasons)) or "neither DISPLAY nor WAYLAND_DISPLAY is set"
        raise CannotStartError(f"No window can appear here: {found}; {_WITHOUT_SCREEN}.")


def _platforms(chosen: str) -> set[str]:
    # Qt reads a list such as "wayland;xcb", each with options behind a colon, and takes the first that works.
    return {name.split(":")[0].split("-")[0] for name in chosen.split(";") if name}


def _x11_refusal(environment: Mapping[str, str]) -> str | None:
    """Why Qt can't use the X server, found by connecting to it as Qt would, or None if it can."""
    name = environment.get("DISPLAY", "")
    if not name:
        return "DISPLAY is not set"
    advice = _libraries_advice("x11")
    if advice is not None:
        return advice
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(os.fsencode(name), None)
    if not xcb.xcb_connection_has_error(connection):
        # It stays open: an X server that loses its only client starts anew, and Qt would be turned away meanwhile.
        return None
    xcb.xcb_disconnect(connection)
    return f"the display {name!r} does not answer"


def _wayland_refusal(environment: Mapping[str, str]) -> str | None:
    """Why Qt can't use the Wayland compositor, found by connecting to its socket, or None if it can."""
    if environment.get("WAYLAND_SOCKET"):
        return None  # The compositor handed us an open connection; asking would use it up.
    name = environment.get("WAYLAND_DISPLAY", "wayland-0")
    folder = environment.get("XDG_RUNTIME_DIR", "")
    if not folder and not name.startswith("/"):
        return "XDG_RUNTIME_DIR is not set"
    advice = _libraries_advice("wayland")
    if advice is not None:
        return advice
    import socket  # noqa: PLC0415 - for Wayland alone

    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_WAYLAND_PATIENCE)
        try:
            connection.connect(str(Path(folder, name)))
        except OSError:
            return f"the Wayland display {name!r} does not answer"
    return None
