"""Opening the window and staying until it is closed; drawing it into a file."""

import os
import signal
from dataclasses import replace
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QSocketNotifier, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from pe_desktop.core.state import State
from pe_desktop.files import whole_file
from pe_desktop.heat.renderer import MARKER_NAME, OPENGL, RASTER, CrashMarker, prepare_application
from pe_desktop.window.application import Application, Instrument, make_application, wait_until_measured
from pe_desktop.window.settings import Settings, default_settings_path, read_settings

# What ends the window from outside: Ctrl+C at the terminal, a polite kill, a terminal that closes.
ENDING_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
SIGNALLED = 128
POLL_MILLISECONDS = 200


class Ending(QObject):
    """Closes the window when the system asks the program to end, as if a person had closed it.

    Python runs signal handlers between two of its own steps only, and Qt's loop makes none while nothing happens. So
    the signal also writes into a pipe that Qt listens to; on Windows, where Qt can't, a timer keeps Python awake.
    """

    def __init__(self, instrument: Instrument) -> None:
        super().__init__()
        self._instrument = instrument
        self.number: int | None = None
        numbers = [getattr(signal, name) for name in ENDING_SIGNALS if hasattr(signal, name)]
        # What the caller wants ignored, as nohup does, stays ignored.
        numbers = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
        self._before = {number: signal.signal(number, self._note) for number in numbers}
        self._pipe: tuple[int, int] | None = None
        if os.name == "posix":
            self._pipe = os.pipe()
            os.set_blocking(self._pipe[1], False)
            signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
            self._notifier = QSocketNotifier(self._pipe[0], QSocketNotifier.Type.Read, self)
            self._notifier.activated.connect(self._on_wakened)
        else:
            self._timer = QTimer(self, interval=POLL_MILLISECONDS)
            self._timer.timeout.connect(self._end)
            self._timer.start()

    def close(self) -> None:
        """Signals mean again what they meant before."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before = {}
        if self._pipe is not None:
            signal.set_wakeup_fd(-1)
            self._notifier.setEnabled(False)
            for end in self._pipe:
                os.close(end)
            self._pipe = None

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.number = number

    def _on_wakened(self) -> None:
        if self._pipe is not None:
            os.read(self._pipe[0], 512)
        self._end()

    def _end(self) -> None:
        if self.number is not None:
            # A dialog first: what it is exporting is cancelled, and its own loop ends.
            QApplication.closeAllWindows()
            self._instrument.window.close()
            QApplication.quit()


def open_window(state: State, theme: str | None, renderer: str | None = None, session: Path | None = None) -> int:
    """Open the window, with a session in it if there is one, and stay until it is closed; the exit code."""
    prepare_application()
    application = make_application()
    path = default_settings_path()
    settings, complaint = read_settings(path)
    if theme is not None:
        settings = replace(settings, theme=theme)
    if renderer is not None:
        settings = replace(settings, renderer=renderer)
    if renderer == OPENGL:
        CrashMarker(path.with_name(MARKER_NAME)).forget()
    instrument = Instrument(state, settings, path)
    sessions = instrument.sessions
    asked = "" if session is None else str(session)
    if isinstance(application, Application):
        application.file_asked.connect(sessions.open)
        asked = asked or application.asked_file
    if asked:
        sessions.open(asked)
    instrument.window.show()
    complaint = " ".join(filter(None, (complaint, instrument.renderer.complaint)))
    if complaint:
        instrument.window.show_message(complaint)
    ending = Ending(instrument)
    try:
        code = application.exec()
    finally:
        ending.close()
        instrument.close()
    return code if ending.number is None else SIGNALLED + ending.number


def write_screenshot(path: Path, state: State, theme: str, width: int, height: int) -> None:
    """Draw the whole window with everything measured into a .png of width x height pixels.

    An existing file is replaced. Raises ExportError with a sentence when the file can't be written.
    """
    make_application()
    # What OpenGL draws is missing from a grabbed window.
    instrument = Instrument(state, Settings(theme=theme, renderer=RASTER))
    try:
        window = instrument.window
        ratio = window.devicePixelRatioF()
        window.setMinimumSize(1, 1)
        window.resize(round(width / ratio), round(height / ratio))
        window.show()
        wait_until_measured(instrument)
        image = window.grab().toImage()
    finally:
        instrument.close()
    with whole_file(path, overwrite=True) as file:
        file.write(png_bytes(image))


def png_bytes(image: QImage) -> bytes:
    """An image as the content of a .png file."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    buffer.close()
    return bytes(content.data())
