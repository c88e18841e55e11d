"""What is remembered from one start to the next, in a small JSON file that can never stop a start."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QObject, Signal

from pe_desktop.core.record import record
from pe_desktop.files import file_content, write_small_file
from pe_desktop.heat.renderer import AUTO, OPENGL, RASTER
from pe_desktop.model.playback import POSITIONS, SHARE_OF_VIEW
from pe_desktop.panels.transport_panel import SPEED_NAMES

LARGEST_FILE = 1_000_000


@record
class Settings:
    """Theme, window and playback as they were left; geometry and docks are Qt's own bytes, `encoded`."""

    theme: str = "system"
    contrast: str = "system"
    # Percent of the system's own size.
    scale: int = 100
    # Whether the middle of the colour maps is white in the dark theme, too.
    has_white_maps: bool = False
    # Whether t follows the pointer over a plot without a press.
    pointer_moves: bool = False
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
    recent: tuple[str, ...] = ()

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


THEMES = {"system": "As the system", "light": "Light", "dark": "Dark"}
_CONTRASTS = {"system": "As the system", "normal": "Normal", "high": "High"}
_MOTIONS = {"system": "As the system", "normal": "Normal", "reduced": "Reduced"}
SCALES = {percent: f"{percent} %" for percent in (90, 100, 110, 125, 150, 175, 200)}
_RATES = {POSITIONS: "4 positions per second", SHARE_OF_VIEW: "1/16 of the visible range per second"}
_RENDERERS = {AUTO: "GPU where there is one", RASTER: "CPU", OPENGL: "GPU (OpenGL)"}
_CONTRAST_NOTE = "High: stronger lines and axes, edges around fields, thicker waves."
_SCALE_NOTE = "The size of letters, buttons and plots; the window closes and comes back in it, as it is."
_MAPS_NOTE = "Heat maps keep the colours of the light theme, in which 0 is almost white."
_RATE_NOTE = "With very many positions, four a second would take hours."
_MOTION_NOTE = "Reduced: playing shows whole positions only, two a second at most, and words move at once."
_POINTER_NOTE = "Over a plot the position t follows the pointer without a press."
_LAST_NOTE = "The window opens as it was left: encoding, cursor and views."
SETTING_ROWS = (
    SettingRow("theme", "Appearance", "Theme", "The colours of the window.", THEMES),
    SettingRow("contrast", "Appearance", "Contrast", _CONTRAST_NOTE, _CONTRASTS),
    SettingRow("scale", "Appearance", "Size", _SCALE_NOTE, SCALES),
    SettingRow("has_white_maps", "Appearance", "White-centred maps in the dark theme", _MAPS_NOTE),
    SettingRow("speed", "Motion", "Speed", "How fast playing moves the position t.", SPEED_NAMES),
    SettingRow("rate", "Motion", "What the speed multiplies", _RATE_NOTE, _RATES),
    SettingRow("loops", "Motion", "Loop", "Playing starts over after the last position."),
    SettingRow("motion", "Motion", "Motion", _MOTION_NOTE, _MOTIONS),
    SettingRow("pointer_moves", "Pointer", "Pointer moves t", _POINTER_NOTE),
    SettingRow("opens_last", "Start", "Open with the last state", _LAST_NOTE),
    SettingRow("renderer", "Drawing", "Heat maps are drawn by", "Where the GPU fails, the CPU draws.", _RENDERERS),
)
_CHOICES = {row.name: tuple(row.choices) for row in SETTING_ROWS if row.choices}


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
        if isinstance(default, float) and type(value) is int and value in _CHOICES.get(name, (value,)):
            value = float(value)
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            value = tuple(value)
        if type(value) is type(default) and value in _CHOICES.get(name, (value,)):
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

    def reset(self, *names: str) -> None:
        """Bring settings of the dialog back to their defaults; all of them where none is named."""
        reset = names or [row.name for row in SETTING_ROWS]
        self.set(**{name: getattr(Settings(), name) for name in reset})

    def is_default(self, name: str) -> bool:
        return bool(getattr(self.now, name) == getattr(Settings(), name))
