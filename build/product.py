"""What every recipe says of the application: names, addresses, bars; each stands here once."""

import json
import os
import re
import sys
from pathlib import Path
from typing import Final

from pe_desktop.resources import cloned_from

ROOT: Final = Path(__file__).resolve().parents[1]
BUILD: Final = ROOT / "build"
WORK: Final = BUILD / ".work"
DIST: Final = ROOT / "dist"

NAME: Final = "PE Desktop"
COMMAND: Final = "pe-desktop"
SUMMARY: Final = "See how transformers encode positions"
PUBLISHER: Final = "The pe_desktop authors"
COPYRIGHT: Final = "MIT licence; Qt under the LGPL 3; see the folder licences"
# ".local" belongs to nobody: whoever publishes puts a domain of their own here.
IDENTIFIER: Final = "local.pe_desktop.PEDesktop"

# The files of the application's own; tests hold that it knows the same ending.
SESSION_SUFFIX: Final = ".pesession"
SESSION_NAME: Final = "PE Desktop session"
SESSION_MIME: Final = "application/x-pe-desktop-session"
# macOS allows no underscore here.
SESSION_UTI: Final = "local.pe-desktop.session"

MEGABYTE: Final = 1_000_000
LARGEST_BUNDLE: Final = 170 * MEGABYTE
LARGEST_DOWNLOAD: Final = 60 * MEGABYTE
# Debian 12 has 2.36; nothing in the bundle may ask for more.
GLIBC_FLOOR: Final = (2, 36)

# What Qt needs of a Linux system, by purpose: soname to Debian package.
LIBRARIES: Final[dict[str, dict[str, str]]] = json.loads(
    (ROOT / "resources" / "system_libraries.json").read_text(encoding="utf-8")
)
# The small xcb helpers, which many desktops lack, are carried along; all else is the system's.
CARRIED_LIBRARIES: Final = tuple(soname for soname in LIBRARIES["x11"] if soname.startswith("libxcb-"))
SYSTEM_PACKAGES: Final = tuple(
    dict.fromkeys(
        package
        for soname, package in (LIBRARIES["drawing"] | LIBRARIES["x11"]).items()
        if soname not in CARRIED_LIBRARIES
    )
)


def version() -> str:
    """The version of the application, read without importing it."""
    text = (ROOT / "pe_desktop" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    assert found is not None
    return found[1]


def page_files() -> list[tuple[str, str]]:
    """The address of the project's page as a data file: the repository of the workflow, else the checkout's origin."""
    server, repository = os.environ.get("GITHUB_SERVER_URL", ""), os.environ.get("GITHUB_REPOSITORY", "")
    page = f"{server}/{repository}" if server and repository else cloned_from(ROOT / ".git" / "config")
    if not page:
        return []
    WORK.mkdir(parents=True, exist_ok=True)
    path = WORK / "page.txt"
    path.write_text(page, encoding="utf-8")
    return [(str(path), "resources")]


def machine_name(system: str, machine: str) -> str:
    """How the name of a download calls a system, for instance "linux-x86_64" or "macos-arm64"."""
    names = {"win32": "windows", "darwin": "macos"}
    return f"{names.get(system, system)}-{machine.lower().replace('amd64', 'x86_64')}"


def bundle_folder(system: str = sys.platform) -> Path:
    """Where the frozen application lies after a build."""
    return DIST / (f"{NAME}.app" if system == "darwin" else COMMAND)


def executable(bundle: Path, system: str = sys.platform) -> Path:
    """The program in a bundle that talks to a console."""
    if system == "darwin":
        return bundle / "Contents" / "MacOS" / COMMAND
    return bundle / (f"{COMMAND}.exe" if system == "win32" else COMMAND)


def contents(bundle: Path, system: str = sys.platform) -> Path:
    """The folder in a bundle where the data files lie."""
    return bundle / "Contents" / "Resources" if system == "darwin" else bundle / "_internal"
