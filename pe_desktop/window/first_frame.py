"""When a window has been seen: what its first frame has no use for begins then."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

# Long enough for a frame to reach the screen, too short to be noticed.
AFTER_FRAME_MS: Final = 10


class FirstFrame(QObject):
    """Tells once that a window has been painted, however late that is."""

    passed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._passing = QTimer(self, interval=AFTER_FRAME_MS, singleShot=True)
        self._passing.timeout.connect(self.passed)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The window is painted before its children, all of them in one step of the event loop.
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            self._passing.start()
        return super().eventFilter(watched, event)
