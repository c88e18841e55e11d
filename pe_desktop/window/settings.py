"""What is remembered from one start to the next, in a small JSON file that can never stop a start."""

import base64
import binascii
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QStandardPaths

from pe_desktop.files import write_small_file
from pe_desktop.heat.renderer import AUTO, RENDERERS
from pe_desktop.model.playback import SPEEDS, Rate
from pe_desktop.resources import portable_folder

_FILE_NAME = "settings.json"
LARGEST_FILE = 1_000_000
_THEME_CHOICES = ("system", "light", "dark")
_CHOICES: dict[str, tuple[object, ...]] = {
    "theme": _THEME_CHOICES,
    "speed": SPEEDS,
    "rate": tuple(rate.value for rate in Rate),
    "renderer": RENDERERS,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Theme, window and playback as they were left; geometry and docks are Qt's own bytes as base64."""

    theme: str = "system"
    geometry: str = ""
    docks: str = ""
    is_folded: bool = False
    speed: float = 1.0
    loops: bool = True
    rate: str = Rate.POSITIONS.value
    is_reduced: bool = False
    renderer: str = AUTO
    # Whether a GPU drew when the program was last left.
    had_gpu: bool = False
    # Whether the next start shows what the last one left, and the file that belongs to it.
    opens_last: bool = True
    file: str = ""
    recent: tuple[str, ...] = ()


def default_settings_path() -> Path:
    """Where the settings lie for this user, or in the folder that is carried along with the program."""
    carried = portable_folder()
    if carried is not None:
        return carried / _FILE_NAME
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation)
    return Path(folder) / _FILE_NAME


def read_settings(path: Path) -> tuple[Settings, str]:
    """The settings and one sentence about what could not be read, or nothing; never an error.

    A value of the wrong kind counts as not given. A file that is no JSON object is kept beside the new one.
    """
    try:
        if not path.exists():
            return Settings(), ""
        if path.stat().st_size > LARGEST_FILE:
            raise ValueError("it is too large")
        stored = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(stored, dict):
            raise ValueError("it holds no settings")
    except (OSError, ValueError, RecursionError):
        kept = _set_aside(path)
        return Settings(), f"The settings could not be read and start anew{kept}."
    return _accepted(stored), ""


def write_settings(settings: Settings, path: Path) -> bool:
    """Write the settings, whole or not at all; False where that is impossible, which nobody needs to be told."""
    return write_small_file(path, json.dumps(asdict(settings), indent=1))


def encoded(data: QByteArray) -> str:
    """Qt's bytes as text."""
    return base64.b64encode(data.data()).decode("ascii")


def decoded(text: str) -> QByteArray:
    """Text as Qt's bytes; nothing where it is none."""
    try:
        return QByteArray(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        return QByteArray()


def _accepted(stored: dict[str, Any]) -> Settings:
    taken: dict[str, Any] = {}
    for name, default in asdict(Settings()).items():
        value = stored.get(name)
        if isinstance(default, float) and type(value) is int:
            value = float(value)
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            value = tuple(value)
        if type(value) is type(default) and value in _CHOICES.get(name, (value,)):
            taken[name] = value
    return Settings(**taken)


def _set_aside(path: Path) -> str:
    kept = path.with_suffix(".unreadable.json")
    try:
        path.replace(kept)
    except OSError:
        return ""
    return f"; the old file is kept as {kept.name}"
