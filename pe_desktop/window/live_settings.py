"""The settings as they are now, and what acts when one of them changes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from pe_desktop.core.record import record
from pe_desktop.window.settings import SETTING_ROWS, Settings


@record
class _Holder:
    act: Callable[[Any], object]
    read: Callable[[], Any] | None


class LiveSettings(QObject):
    """Keeps the settings, but for those that somebody else holds, who is asked.

    A setting that nobody is bound to acts from the next start.
    """

    changed = Signal()

    def __init__(self, stored: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stored = stored
        self._holders: dict[str, _Holder] = {}

    @property
    def now(self) -> Settings:
        """All settings with their values of this moment."""
        held = {name: holder.read() for name, holder in self._holders.items() if holder.read is not None}
        return replace(self._stored, **held)

    def bind(self, name: str, act: Callable[[Any], object], read: Callable[[], Any] | None = None) -> None:
        """Let a setting act at once; read gives its value where somebody else holds it."""
        self._holders[name] = _Holder(act, read)

    def set(self, **values: Any) -> None:
        """Take new values, let them act and say so."""
        before = self.now
        self._stored = replace(self._stored, **values)
        for name, value in values.items():
            if name in self._holders and value != getattr(before, name):
                self._holders[name].act(value)
        self.changed.emit()

    def tell(self, *names: str) -> None:
        """Give stored values to those who hold them."""
        for name in names:
            self._holders[name].act(getattr(self._stored, name))

    def reset(self, *names: str) -> None:
        """Bring settings of the dialog back to their defaults; all of them where none is named."""
        self.set(**{name: value for name, value in _DEFAULTS.items() if not names or name in names})

    def is_default(self, name: str) -> bool:
        return bool(getattr(self.now, name) == _DEFAULTS[name])


_DEFAULTS: Mapping[str, Any] = {row.name: getattr(Settings(), row.name) for row in SETTING_ROWS}
