"""Work that is done piece by piece, with events handled between two pieces."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Turns(QObject):
    """Calls the added functions, one in a turn of the event loop, in their order.

    Before each of them, and after the last one, Qt has a turn to paint what has changed.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: list[Callable[[], None]] = []
        self._is_painted = False
        self._timer = QTimer(self, interval=0, singleShot=True)
        self._timer.timeout.connect(self._on_turn)

    @property
    def is_busy(self) -> bool:
        """Whether something is still to be called, or to be painted."""
        return self._timer.isActive()

    def add(self, work: Callable[[], None]) -> None:
        """Add a function to be called once; one that waits already keeps its place."""
        if work not in self._waiting:
            self._waiting.append(work)
        if not self._timer.isActive():
            self._is_painted = False
            self._timer.start()

    def clear(self) -> None:
        """Drop all that waits."""
        self._waiting.clear()
        self._timer.stop()

    def _on_turn(self) -> None:
        if self._is_painted:
            self._is_painted = False
            self._timer.start()
            self._waiting.pop(0)()
        elif self._waiting:
            self._is_painted = True
            self._timer.start()
