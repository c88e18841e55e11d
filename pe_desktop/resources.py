"""Where the data files lie, and the user's where they are carried along: checkout, installed wheel, frozen program.

A mapping of what stands in them is read on first use.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

_Value = TypeVar("_Value")
PACKAGE: Final = Path(__file__).resolve().parent

_SETTINGS_VARIABLE: Final = "PE_DESKTOP_SETTINGS"
_SETTINGS_FOLDER: Final = "settings"


def resource_path(*parts: str) -> Path:
    """Return the path of a data file or folder, given by its parts: "icons", "play.svg".

    Raises FileNotFoundError with one sentence if it does not lie in the resources of this installation.
    """
    root = _root()
    path = root.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f"The data file {'/'.join(parts)} is not in {root}: install the application again.")
    return path


def resource_json(name: str) -> Any:
    """What a data file of JSON holds. Raises ValueError that names the file, with one sentence, where it is damaged."""
    import json  # noqa: PLC0415 - the paths are asked for first

    try:
        return json.loads(resource_path(name).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"The data file {name} is damaged, {error}: install the application again.") from error


def bundle_folder() -> Path | None:
    """The folder of the frozen application's own files, None in a checkout and a wheel."""
    folder = getattr(sys, "_MEIPASS", None)
    return None if folder is None else Path(folder)


def portable_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The folder for the user's own files that is carried along with the program, None where the system's will do.

    It is the one that PE_DESKTOP_SETTINGS names, else a folder "settings" beside the frozen program, if there is one.
    """
    named = environment.get(_SETTINGS_VARIABLE)
    if named:
        return Path(named)
    if bundle_folder() is None:
        return None
    # An AppImage runs from a folder of its own, which is not where its file lies.
    program = Path(environment.get("APPIMAGE") or sys.executable)
    application = next((parent for parent in program.parents if parent.suffix == ".app"), program)
    folder = application.parent / _SETTINGS_FOLDER
    return folder if folder.is_dir() else None


def project_page() -> str:
    """The address of the project's page, "https://host/owner/name", empty where it isn't known.

    A build writes it into page.txt; a checkout was cloned from it.
    """
    written = _root() / "page.txt"
    if written.is_file():
        return written.read_text(encoding="utf-8").strip()
    return cloned_from(PACKAGE.parent / ".git" / "config")


def cloned_from(git_config: Path) -> str:
    """The web page of a checkout's origin, empty where that is none; without what a person put before the host."""
    try:
        text = git_config.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
    origin = re.search(r'\[remote "origin"\][^\[]*?\burl\s*=\s*(\S+)', text)
    place = origin and re.fullmatch(r"(?:https://(?:[^@/]*@)?([\w.-]+)/|git@([\w.-]+):)(\S+?)(?:\.git)?/?", origin[1])
    return f"https://{place[1] or place[2]}/{place[3]}" if place else ""


def _root() -> Path:
    """Return the folder of the resources: beside the frozen program, inside the wheel, or beside the package."""
    bundle = bundle_folder()
    if bundle is not None:
        return bundle / "resources"
    installed = PACKAGE / "_resources"
    return installed if installed.is_dir() else PACKAGE.parent / "resources"


class LazyMapping(Mapping[str, _Value]):
    """A read-only mapping that is made on first use."""

    def __init__(self, make: Callable[[], dict[str, _Value]]) -> None:
        self._make = make

    @cached_property
    def _items(self) -> dict[str, _Value]:
        return self._make()

    def __getitem__(self, key: str) -> _Value:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)
