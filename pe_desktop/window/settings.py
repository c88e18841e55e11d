"""What is remembered from one start to the next, in a small JSON file that can never stop a start."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QByteArray, QLocale, QObject, Signal

from pe_desktop.core.record import record
from pe_desktop.files import file_content, write_small_file
from pe_desktop.heat.renderer import AUTO
from pe_desktop.languages import ENGLISH, LANGUAGES
from pe_desktop.model.playback import POSITIONS
from pe_desktop.resources import LazyMapping, resource_json

LARGEST_FILE = 1_000_000
# The lab whose starts show no lesson.
PLOTS = "plots"


@record
class Settings:
    """Theme, window and playback as they were left; geometry and docks are Qt's own bytes, `encoded`."""

    theme: str = "system"
    language: str = "system"
    contrast: str = "system"
    # Percent of the system's own size.
    scale: int = 100
    # Whether the middle of the colour maps is white in the dark theme, too.
    has_white_maps: bool = False
    geometry: str = ""
    docks: str = ""
    is_folded: bool = False
    speed: float = 1.0
    loops: bool = True
    rate: str = POSITIONS
    motion: str = "system"
    renderer: str = AUTO
    # Whether a GPU drew when the program was last left.
    had_gpu: bool = False
    # Whether the next start shows what the last one left.
    opens_last: bool = True
    # Empty, or what every start shows as if it were the first: the plots, or a lesson.
    lab: str = ""
    # Whether the row of first steps stands below the header.
    shows_start: bool = True
    recent: tuple[str, ...] = ()
    # The scores of quizzes.
    quizzes: tuple[str, ...] = ()

    @property
    def language_code(self) -> str:
        """That of the system where it is one of ours, else English, unless one is chosen."""
        wanted = QLocale.system().uiLanguages() if self.language == "system" else [self.language]
        return next((code for code in wanted if code in LANGUAGES), ENGLISH)

    @property
    def changed(self) -> dict[str, Any]:
        """Those of the dialog that are not the usual ones, by their names."""
        values = {name: getattr(self, name) for name in SETTING_ROWS}
        return {name: value for name, value in values.items() if value != getattr(Settings(), name)}

    def as_at_first(self) -> "Settings":
        """These with the layout and the playback of a first start."""
        return replace(self, **{name: getattr(Settings(), name) for name in (*_LAYOUT, *_PLAYBACK)})

    def remembering(self, before: "Settings") -> "Settings":
        """What is kept of them after a start as at first: layout and playback of before it, unless playback changed."""
        unchanged = [name for name in _PLAYBACK if getattr(self, name) == getattr(Settings(), name)]
        return replace(self, **{name: getattr(before, name) for name in (*_LAYOUT, *unchanged)})

    def write(self, path: Path) -> bool:
        """Write them, whole or not at all; False where that is impossible, which nobody needs to be told."""
        return write_small_file(path, json.dumps(asdict(self), indent=1))


_LAYOUT, _PLAYBACK = ("geometry", "docks", "is_folded"), ("speed", "loops", "rate")


@record
class SettingRow:
    """A setting in the dialog: name is its field of Settings, where its default stands.

    choices are its values with their words, in the order of the list; a setting without them is on or off.
    """

    name: str
    section: str
    title: str
    note: str
    choices: Mapping[Any, str] = field(default_factory=dict)


def _setting_rows() -> dict[str, SettingRow]:
    rows = resource_json("settings.json").items()
    return {name: SettingRow(name, **{**row, "choices": dict(row.get("choices", ()))}) for name, row in rows}


# The settings of the dialog by their names, in its order.
SETTING_ROWS: Final = LazyMapping(_setting_rows)


def read_settings(path: Path) -> tuple[Settings, str]:
    """The settings and one sentence about what could not be read, or nothing; never an error.

    A value of the wrong kind counts as not given. A file that can't be understood is kept beside the new one.
    """
    try:
        return (_accepted(json.loads(file_content(path, LARGEST_FILE))) if path.exists() else Settings()), ""
    except Exception:  # noqa: BLE001 - whatever a damaged file raises, it must not stop the start
        kept = set_aside(path, ".unreadable.json")
        return Settings(), f"The settings could not be read and start anew{kept}."


def encoded(data: QByteArray) -> str:
    """Qt's bytes as text behind their checksum; "" where there are none."""
    return "" if data.isEmpty() else f"{_checksum(data)} {bytes(data.toBase64().data()).decode('ascii')}"


def decoded(text: str) -> QByteArray:
    """Text as Qt's bytes; nothing where it is not what was written: Qt crashes on bytes that are not its own."""
    checksum, _, letters = text.partition(" ")
    data = QByteArray.fromBase64(letters.encode("ascii", "replace"))
    return data if text and _checksum(data) == checksum else QByteArray()


def _checksum(data: QByteArray) -> str:
    import hashlib  # noqa: PLC0415 - the first start has no layout to check

    return hashlib.sha256(data.data()).hexdigest()[:16]


def _accepted(stored: object) -> Settings:
    if not isinstance(stored, dict):
        raise ValueError("it holds no settings")
    taken: dict[str, Any] = {}
    for name, default in asdict(Settings()).items():
        value = stored.get(name)
        choices = SETTING_ROWS[name].choices if name in SETTING_ROWS else {}
        if isinstance(default, float) and type(value) is int and value in choices:
            value = float(value)
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            value = tuple(value)
        if type(value) is type(default) and (value in choices or not choices):
            taken[name] = value
    return Settings(**taken)


def set_aside(path: Path, suffix: str) -> str:
    """Rename a file so that it ends in the suffix; the end of a sentence that says so, or nothing."""
    kept = path.with_suffix(suffix)
    try:
        path.replace(kept)
    except OSError:
        return ""
    return f"; the old file is kept as {kept.name}"


class LiveSettings(QObject):
    """Keeps the settings, but for those that somebody else holds, who is asked.

    A setting that nobody is bound to acts from the next start.
    """

    changed = Signal()

    def __init__(self, stored: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._stored = stored
        self._acts: dict[str, Callable[[Any], object]] = {}
        self._reads: dict[str, Callable[[], Any]] = {}

    @property
    def now(self) -> Settings:
        """All settings with their values of this moment."""
        return replace(self._stored, **{name: read() for name, read in self._reads.items()})

    def bind(self, name: str, act: Callable[[Any], object], read: Callable[[], Any] | None = None) -> None:
        """Let a setting act at once; read gives its value where somebody else holds it, who gets the stored one."""
        self._acts[name] = act
        if read is not None:
            self._reads[name] = read
            stored = getattr(self._stored, name)
            if read() != stored:
                act(stored)

    def set(self, **values: Any) -> None:
        """Take new values, let them act and say so."""
        before = self.now
        self._stored = replace(self._stored, **values)
        for name, value in values.items():
            if name in self._acts and value != getattr(before, name):
                self._acts[name](value)
        self.changed.emit()

    def reset(self) -> None:
        """Bring all settings of the dialog back to their defaults."""
        self.set(**{name: getattr(Settings(), name) for name in SETTING_ROWS})
