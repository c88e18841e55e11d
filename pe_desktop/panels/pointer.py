"""What plots share about the pointer: wheel notches, and the cursor that a double click gives back."""

from PySide6.QtGui import QWheelEvent

from pe_desktop.core.cursor import Cursor
from pe_desktop.model.encoding_model import EncodingModel

WHEEL_NOTCH = 120.0


def wheel_notches(event: QWheelEvent) -> float:
    """How far the wheel was turned, in notches; trackpads send small parts of one."""
    return (event.angleDelta().y() or event.angleDelta().x()) / WHEEL_NOTCH


class Hand:
    """Holds the model while a button is down: playing waits, and parts of wheel notches add up to whole positions."""

    def __init__(self, model: EncodingModel) -> None:
        self._model = model
        self._before = model.cursor
        self._rest = 0.0

    def press(self) -> None:
        """A button goes down; what was chosen before is remembered."""
        self._before = self._model.cursor
        self._model.set_held(True)

    def release(self) -> None:
        """It comes up again."""
        self._model.set_held(False)

    def give_back(self) -> Cursor:
        """The first press of a double click was none: show what was chosen before it."""
        self._model.set_cursor(self._before)
        return self._before

    def step(self, event: QWheelEvent) -> None:
        """Move t by whole positions, one for each notch."""
        self._rest += wheel_notches(event)
        whole = int(self._rest)
        if whole:
            self._rest -= whole
            self._model.move_cursor(position=round(self._model.cursor.position) + float(whole))
