"""The application object, its theme and settings; opening the window and drawing it into a file."""

import os
import signal
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QBuffer, QByteArray, QEvent, QIODevice, QObject, QSocketNotifier, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication

from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.encoding import Encoding
from pe_desktop.draw.theme import Theme, themes
from pe_desktop.files import whole_file
from pe_desktop.heat.renderer import MARKER_NAME, OPENGL, RASTER, CrashMarker, Renderer, prepare_application
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback, Rate
from pe_desktop.window.file_application import Application, make_application
from pe_desktop.window.graphics import use_renderer
from pe_desktop.window.main_window import COMPACT_BELOW, MainWindow
from pe_desktop.window.settings import (
    Settings,
    decoded,
    default_settings_path,
    encoded,
    read_settings,
    write_settings,
)
from pe_desktop.window.style import apply_style

FIRST_SIZE = (1600, 1000)
SCREENSHOT_SECONDS = 20.0
# What ends the window from outside: Ctrl+C at the terminal, a polite kill, a terminal that closes.
ENDING_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
SIGNALLED = 128
POLL_MILLISECONDS = 200


class Instrument(QObject):
    """Everything that lives as long as the window: model, playback, themes, window, settings."""

    def __init__(
        self, encoding: Encoding, cursor: Cursor, settings: Settings, settings_path: Path | None = None
    ) -> None:
        super().__init__()
        self._settings = settings
        self._settings_path = settings_path
        self._themes = themes()
        self._icon_folder = tempfile.TemporaryDirectory(prefix="pe_desktop_")
        self.model = EncodingModel(encoding, cursor)
        self.playback = Playback(self.model)
        theme = self._theme_now()
        apply_style(_application(), theme, self._icon_folder.name)
        self.window = MainWindow(self.model, self.playback, theme)
        marker = None if settings_path is None else settings_path.with_name(MARKER_NAME)
        self.renderer = Renderer(settings.renderer, marker, self, settings.had_gpu)
        use_renderer(self.window, self.renderer)
        self.window.header.show_theme_choice(self._settings.theme)
        self.window.commands.theme_asked.connect(self.set_theme)
        self.window.installEventFilter(self)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_system_theme_changed)
        self._restore()

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""
        window = self.window
        return replace(
            self._settings,
            geometry=encoded(window.saveGeometry()),
            docks=encoded(window.comparing.docks_without),
            is_folded=window.is_folded,
            speed=self.playback.speed,
            loops=self.playback.loops,
            rate=self.playback.rate.value,
            is_reduced=self.playback.is_reduced,
            clock_mode=window.clock.chosen_mode,
            clock_binary=window.clock.wants_binary,
            renderer=self.renderer.choice,
            had_gpu=self.renderer.has_gpu,
        )

    def set_theme(self, choice: str) -> None:
        """Take light, dark or whatever the system shows."""
        self._settings = replace(self._settings, theme=choice)
        self._dress()

    def close(self) -> None:
        """Close the window and everything that belongs to it."""
        self.window.close()
        self.window.close_down()
        self.renderer.close()
        self.window.deleteLater()
        self._icon_folder.cleanup()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Close and self._settings_path is not None:
            write_settings(self.settings, self._settings_path)
        return super().eventFilter(watched, event)

    def _restore(self) -> None:
        window, settings = self.window, self._settings
        window.resize(*FIRST_SIZE)
        screen = QGuiApplication.primaryScreen()
        if not settings.geometry:
            room = screen.availableGeometry()
            window.resize(min(FIRST_SIZE[0], room.width()), min(FIRST_SIZE[1], room.height() - 40))
        if settings.geometry:
            window.restoreGeometry(decoded(settings.geometry))
        if settings.docks:
            window.restore_docks(decoded(settings.docks))
        window.set_folded(settings.is_folded)
        window.clock.set_mode(settings.clock_mode if settings.clock_mode == "each" else "one dial")
        window.clock.set_binary(settings.clock_binary)
        self.playback.set_speed(settings.speed)
        self.playback.set_loops(settings.loops)
        self.playback.set_rate(Rate(settings.rate))
        self.playback.set_reduced(settings.is_reduced)

    def _theme_now(self) -> Theme:
        choice = self._settings.theme
        if choice == "system":
            is_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
            choice = "dark" if is_dark else "light"
        return self._themes[choice]

    def _dress(self) -> None:
        theme = self._theme_now()
        apply_style(_application(), theme, self._icon_folder.name)
        self.window.show_theme(theme)
        self.window.header.show_theme_choice(self._settings.theme)

    def _on_system_theme_changed(self) -> None:
        if self._settings.theme == "system":
            self._dress()


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


def open_window(
    encoding: Encoding, cursor: Cursor, theme: str | None, renderer: str | None = None, session: Path | None = None
) -> int:
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
    instrument = Instrument(encoding, cursor, settings, path)
    sessions = instrument.window.commands.sessions
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


def write_screenshot(
    path: Path, encoding: Encoding, cursor: Cursor, theme: str, width: int, height: int, span: Span | None = None
) -> None:
    """Draw the whole window with everything measured into a .png of width x height pixels.

    An existing file is replaced. Raises ExportError with a sentence when the file can't be written.
    """
    make_application()
    # What OpenGL draws is missing from a grabbed window.
    instrument = Instrument(encoding, cursor, Settings(theme=theme, renderer=RASTER))
    if span is not None:
        instrument.model.set_span(span)
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


def wait_until_measured(instrument: Instrument, seconds: float | None = None) -> None:
    """Handle events until everything that is seen has been measured and drawn, at most SCREENSHOT_SECONDS."""
    deadline = time.monotonic() + (SCREENSHOT_SECONDS if seconds is None else seconds)
    while time.monotonic() < deadline:
        _application().processEvents()
        panels = [dock.panel for dock in instrument.window.docks.values() if dock.panel.isVisible()]
        if not instrument.model.is_measuring and all(panel.is_made and panel.is_settled for panel in panels):
            break
        time.sleep(0.005)
    for _ in range(10):
        _application().processEvents()
        time.sleep(0.01)


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


__all__ = ["COMPACT_BELOW", "Instrument", "make_application", "open_window", "wait_until_measured", "write_screenshot"]
