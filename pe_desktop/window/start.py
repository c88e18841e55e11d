"""Opening the window and staying until it is closed; drawing it into a file."""

import contextlib
import gc
import os
import signal
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QObject, QProcess, QRect, QSocketNotifier, QStandardPaths, QTimer
from PySide6.QtWidgets import QApplication, QScrollArea

from pe_desktop import languages
from pe_desktop.core.state import State
from pe_desktop.export.session import Session, SessionError, read_session
from pe_desktop.files import SESSION_SUFFIX, whole_file
from pe_desktop.heat.renderer import MARKER_NAME, OPENGL, RASTER, CrashMarker, prepare_application
from pe_desktop.lessons.shelf import LESSONS, SHIPPED, TALKS_FOLDER, take_own
from pe_desktop.lessons.shown import open_talk, with_step
from pe_desktop.model.encoding_model import Turns
from pe_desktop.resources import portable_folder
from pe_desktop.views.table import VIEWS
from pe_desktop.window.application import RESTORING_NAME, Application, Instrument, make_application, wait_until_measured
from pe_desktop.window.error_reports import note
from pe_desktop.window.session_files import WINDOWS_FILE, last_states, opened_sentence
from pe_desktop.window.settings import PLOTS, Settings, read_settings, set_aside

# What ends the window from outside: Ctrl+C at the terminal, a polite kill, a terminal that closes.
_ENDING_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_SIGNALLED = 128
_UNSCALED = 100
_FACTOR = "QT_SCALE_FACTOR"
# Set for a program that goes on in another size: the pixels of its screen under its window, the panel with the focus,
# whether that covers the screen.
_GOES_ON = "PE_DESKTOP_GOES_ON"
_POLL_MILLISECONDS = 200


class _Ending(QObject):
    """Closes the window when the system asks the program to end, as if a person had closed it.

    Python runs signal handlers between two of its own steps only, and Qt's loop makes none while nothing happens. So
    the signal also writes into a pipe that Qt listens to; on Windows, where Qt can't, a timer keeps Python awake.
    """

    def __init__(self, instrument: Instrument, factor: str, goes_on: str) -> None:
        super().__init__()
        self._instrument, self._factor = instrument, factor
        *pixels, key, covers_screen = goes_on.split() or ["", ""]
        window = instrument.window
        if pixels:
            # In another size Qt counts otherwise.
            sides = [int(int(part) / window.devicePixelRatioF()) for part in pixels]
            window.setGeometry(QRect(*sides).translated(window.screen().geometry().topLeft()))
            instrument.sessions.take_history(_default_settings_path())
        instrument.first_frame.passed.connect(partial(instrument.give_focus_back, key, covers_screen == str(True)))
        window.show()
        self.number: int | None = None
        numbers = [getattr(signal, name) for name in _ENDING_SIGNALS if hasattr(signal, name)]
        # What the caller wants ignored, as nohup does, stays ignored.
        numbers = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
        self._before = {number: signal.signal(number, self._note) for number in numbers}
        self._pipe: tuple[int, ...] = ()
        if os.name == "posix":
            self._pipe = os.pipe()
            os.set_blocking(self._pipe[1], False)
            signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
            self._notifier = QSocketNotifier(self._pipe[0], QSocketNotifier.Type.Read, self)
            self._notifier.activated.connect(self._on_wakened)
        else:
            self._timer = QTimer(self, interval=_POLL_MILLISECONDS)
            self._timer.timeout.connect(self._end)
            self._timer.start()

    def run(self) -> int:
        """Stay until the window is closed; the exit code. Signals mean afterwards what they meant before."""
        try:
            code = QApplication.exec()
        finally:
            self._close()
            self._instrument.close()
        if goes_on := self._instrument.goes_on:
            _go_on(self._factor, f"{self._pixels_of(goes_on[0])} {goes_on[1]} {goes_on[2]}")
        return code if self.number is None else _SIGNALLED + self.number

    def _pixels_of(self, place: QRect) -> str:
        window = self._instrument.window
        corner = place.topLeft() - window.screen().geometry().topLeft()
        sides = *corner.toTuple(), *place.size().toTuple()
        return " ".join(str(round(side * window.devicePixelRatioF())) for side in sides)

    def _close(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._pipe:
            signal.set_wakeup_fd(-1)
            self._notifier.setEnabled(False)
            for end in self._pipe:
                os.close(end)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.number = number

    def _on_wakened(self) -> None:
        os.read(self._pipe[0], 512)
        self._end()

    def _end(self) -> None:
        if self.number is not None:
            # A dialog first: what it is exporting is cancelled, and its own loop ends.
            QApplication.closeAllWindows()
            self._instrument.window.close()
            QApplication.quit()


def open_window(
    state: State | None,
    theme: str | None = None,
    renderer: str | None = None,
    session: Path | None = None,
    *,
    is_fresh: bool = False,
    is_lab: bool = False,
    is_safe: bool = False,
    resets: bool = False,
) -> int:
    """Open the window and stay until it is closed; the exit code.

    It shows a session, else a state, else what it showed when it was left, unless is_fresh, which also takes the
    layout and the speed of a first start. With is_lab, or where the settings have a lab, nothing else is written than
    that setting; with is_safe nothing is restored or written and the CPU draws. resets puts the settings aside first.
    """
    path = _default_settings_path()
    settings, complaint = _start_settings(path, is_safe=is_safe, resets=resets)
    settings = replace(settings, theme=theme or settings.theme, renderer=renderer or settings.renderer)
    lab = settings.lab or PLOTS * is_lab
    if lab in LESSONS and state is None:
        state = with_step(State(), SHIPPED[lab], 0)
    is_fresh, is_read_only = is_fresh or bool(lab), is_safe or bool(lab)
    application = _prepared(settings)
    if renderer == OPENGL:
        CrashMarker(path.with_name(MARKER_NAME)).forget()
    if session is None and isinstance(application, Application) and application.asked_file:
        session = Path(application.asked_file)
    goes_on = os.environ.pop(_GOES_ON, "")
    is_asked = state is not None or session is not None
    is_last_wanted = bool(goes_on) or (settings.opens_last and not (is_asked or is_fresh or is_safe))
    left, complaint_of_last = _read_last_state(path) if is_last_wanted else (None, "")
    opened, refusal = _read_given(session)
    shown = next((found.state for found in (opened, left) if found is not None), state or State())
    unread = take_own_talks(keeps=not is_read_only)
    instrument = Instrument(shown, settings.as_at_first() if is_fresh else settings, None if is_read_only else path)
    instrument.remembered = settings if is_fresh else None
    if not (is_safe or is_lab):
        instrument.live_settings.bind("lab", partial(_keep_lab, path))
    _make_ready(instrument, application)
    _take_file(instrument, session, opened, refusal, left)
    if open_talk(shown) is not None:
        instrument.first_frame.passed.connect(lambda: instrument.window.docks["lessons"].take_focus())  # noqa: PLW0108 - it is made later
    if settings.shows_start and not is_asked:
        instrument.window.action_set.trigger("start_row")
    ending = _Ending(instrument, str(settings.scale / _UNSCALED), goes_on)
    _tell(instrument, complaint, complaint_of_last, instrument.complaint, instrument.renderer.complaint, *unread)
    return ending.run()


def _prepared(settings: Settings) -> QApplication:
    """The application object, in the language and the size of the settings."""
    if languages.current() == languages.ENGLISH:
        languages.use(settings.language_code)
    if settings.scale != _UNSCALED:
        # For all that Qt draws, before the application object is made; a factor that the environment asks for stays.
        os.environ.setdefault(_FACTOR, str(settings.scale / _UNSCALED))
    prepare_application()
    return make_application()


def _make_ready(instrument: Instrument, application: QApplication) -> None:
    """Collect garbage, report errors and open what the system asks for from now on."""
    _collect_from_first_frame(instrument)
    instrument.report_errors()
    if isinstance(application, Application):
        application.file_asked.connect(lambda name: instrument.sessions.open(name))  # noqa: PLW0108 - they change


def _tell(instrument: Instrument, *complaints: str) -> None:
    """Show what went wrong at the start, and write it down."""
    sentences = " ".join(filter(None, complaints))
    if sentences:
        instrument.window.header.show_message(sentences)
        note(sentences)


def _take_file(
    instrument: Instrument, session: Path | None, opened: Session | None, refusal: str, left: Session | None
) -> None:
    """Name the window after the session that was opened, or that the last state was of; say why there is none."""
    if session is not None and opened is not None:
        instrument.sessions.take(session, opened)
        instrument.window.header.show_message(opened_sentence(session, opened))
    elif refusal:
        instrument.window.show_refusal("Open session", refusal)
    elif left is not None and WINDOWS_FILE in left.kept:
        file = Path(str(left.kept[WINDOWS_FILE]))
        with contextlib.suppress(SessionError):
            instrument.sessions.take(file, read_session(file))


def _keep_lab(path: Path, lab: str) -> None:
    """Write this one setting: a start as at first keeps no other."""
    replace(read_settings(path)[0], lab=lab).write(path)


def _go_on(factor: str, goes_on: str) -> None:
    """Be started anew without options, and show what is shown now in the size of the settings.

    factor: that of this start, which Qt reads only then; another one has been given by the environment, and stays.
    """
    if os.environ.get(_FACTOR) == factor:
        del os.environ[_FACTOR]
    os.environ[_GOES_ON] = goes_on
    program = [sys.executable, *sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1]]
    if os.name == "posix":
        os.execv(program[0], program)  # noqa: S606 - itself
    # Windows has nothing that takes the place of a program.
    QProcess.startDetached(program[0], program[1:])


def _default_settings_path() -> Path:
    """Where the settings lie for this user, or in the folder that is carried along with the program."""
    of_user = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    return (portable_folder() or Path(of_user) / "pe_desktop") / "settings.json"


def take_own_talks(*, keeps: bool = False) -> list[str]:
    """Have the talks beside the settings, and keep new ones there; a sentence for each that can't be read."""
    return take_own(_default_settings_path().with_name(TALKS_FOLDER), keeps=keeps)


def _collect_from_first_frame(instrument: Instrument) -> None:
    """Collect garbage from the first frame on, which `app.main` has paused, and only of what comes after the start.

    What is there then, and what has been loaded once everything is measured, stays until the end: to look through it
    all now and then would take longer than two frames. Panels that nobody has seen are loaded then, too.
    """
    findings, turns = instrument.model.findings, Turns(instrument)

    def freeze_measured() -> None:
        if not findings.is_busy():
            findings.changed.disconnect(freeze_measured)
            QScrollArea().viewport()  # To know a widget that Qt has made, PySide loads all kinds of them, in 10 ms.
            # The first opening of a panel would wait for its view.
            for row in VIEWS.values():
                turns.add(row.module)
            turns.add(gc.freeze)

    def begin() -> None:
        gc.freeze()
        gc.enable()
        findings.changed.connect(freeze_measured)

    instrument.first_frame.passed.connect(begin)


def _start_settings(path: Path, *, is_safe: bool, resets: bool) -> tuple[Settings, str]:
    """The settings of a start, and a sentence about them, or nothing."""
    if is_safe:
        return Settings(renderer=RASTER), "Safe mode: the CPU draws, nothing is restored and nothing is written."
    if resets:
        for name in (MARKER_NAME, RESTORING_NAME):
            CrashMarker(path.with_name(name)).forget()
        kept = set_aside(path, ".before-reset.json") if path.exists() else ""
        return Settings(), f"The settings and the layout start anew{kept}."
    return read_settings(path)


def _read_given(path: Path | None) -> tuple[Session | None, str]:
    """The session that was asked for, if any, or why it can't be opened."""
    try:
        return (None if path is None else read_session(path)), ""
    except SessionError as error:
        return None, str(error)


def _read_last_state(settings_path: Path) -> tuple[Session | None, str]:
    """The last state that can be read, None where there is none, and a sentence about what could not be, or nothing.

    A file that can't be read at all is kept beside the new one.
    """
    found: Session | None = None
    reason = kept = ""
    for path in filter(Path.exists, last_states(settings_path)):
        try:
            found = read_session(path)
            break
        except SessionError as error:
            reason = error.reason
            kept = set_aside(path, f".unreadable{SESSION_SUFFIX}")
    then = "starts anew" if found is None else "shows the one before"
    complaint = f"The last state could not be read ({reason}), so the window {then}{kept}." if reason else ""
    notes = () if found is None else replace(found, kept={}).notes
    return found, " ".join(filter(None, (complaint, *notes)))


def write_screenshot(path: Path, state: State, theme: str, width: int, height: int) -> None:
    """Draw the whole window with everything measured into a .png of width x height pixels.

    An existing file is replaced. Raises ExportError with a sentence when the file can't be written.
    """
    from pe_desktop.export.figure_files import png_content  # noqa: PLC0415 - the first frame needs none

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
        file.write(png_content(image))
