"""The application object, and everything that lives as long as the window."""

import sys
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QProcess, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QFileOpenEvent, QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from pe_desktop.core.state import State
from pe_desktop.draw.accessible import show_to_screen_readers
from pe_desktop.draw.canvas import USED_BY_KEYS
from pe_desktop.draw.theme import Theme, high_contrast_theme, themes, white_centred_theme
from pe_desktop.draw.told import tell_words_of_qt
from pe_desktop.draw.typefaces import load_typefaces
from pe_desktop.export.session import session_text
from pe_desktop.files import SESSION_SUFFIX, write_small_file
from pe_desktop.heat.heat_canvas import AFTER_FRAME_MS
from pe_desktop.heat.renderer import MARKER_NAME, CrashMarker, Renderer
from pe_desktop.languages import current, leave, use
from pe_desktop.lessons.scores import kept_scores, take_scores
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels.heat_base import HeatPanel
from pe_desktop.resources import resource_path
from pe_desktop.window.action_table import action_table, help_actions
from pe_desktop.window.arrangement import Arranger
from pe_desktop.window.dock import PanelDock, dock_around, soon
from pe_desktop.window.error_reports import ErrorReports, system_info
from pe_desktop.window.main_window import FRAME, SMALLEST, MainWindow
from pe_desktop.window.panel_menu import PanelMenu
from pe_desktop.window.session_files import LastState, SessionFiles
from pe_desktop.window.settings import LiveSettings, Settings, decoded, encoded, read_settings
from pe_desktop.window.style import apply_ground, apply_sheet
from pe_desktop.window.system_wishes import Sight, ask_about_motion, system_wants_contrast
from pe_desktop.window.tab_order import stops_in

_FIRST_SIZE = (1600, 1000)
RESTORING_NAME = "layout-is-being-restored"
# A layout that ends the program or lets it hang does so before.
_SETTLED_MILLISECONDS = 1000
MEASURED_SECONDS = 20.0


class Application(QApplication):
    """macOS tells a program by an event which file was clicked, before or after its window is there."""

    file_asked = Signal(str)
    asked_file = ""

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent):
            self.asked_file = event.file()
            self.file_asked.emit(self.asked_file)
            return True
        return super().event(event)


def make_application() -> QApplication:
    """The one application object, with its typefaces loaded."""
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        # X11 has it beside the name of the application.
        application = Application(["pe_desktop"])
    application.setApplicationName("PE Desktop")
    application.setDesktopFileName("pe_desktop")
    application.setWindowIcon(QIcon(str(resource_path("icons", "app.svg"))))
    load_typefaces()
    tell_words_of_qt()
    show_to_screen_readers()
    return application


def _keep_words(state: State) -> None:
    """Words of a sentence are in its own language."""
    leave(state.attention.words)


class Instrument(QObject):
    """Everything that lives as long as the window: model, playback, themes, window, settings."""

    def __init__(self, state: State, settings: Settings, settings_path: Path | None = None) -> None:
        super().__init__()
        self.live_settings = LiveSettings(settings, self)
        self._settings_path = settings_path
        self._icon_folder = tempfile.TemporaryDirectory(prefix="pe_desktop_")
        self.model = EncodingModel(state, waits=True)
        _keep_words(state)
        self.model.state_changed.connect(_keep_words)
        self.playback = Playback(self.model)
        Sight(self.playback)
        QApplication.setStyle("Fusion")
        marker = None if settings_path is None else settings_path.with_name(MARKER_NAME)
        self.renderer = Renderer(settings.renderer, marker, self, settings.had_gpu)
        self._bind_settings()
        self._telling = soon(self, self._tell_anew)
        # The window in another language, until this one is painted.
        self._before: MainWindow | None = None
        # Where the window stands that is to come back at once, in another size, who has the focus, if over the screen.
        self.goes_on: tuple[QRect, str, bool] | None = None
        # The settings from before a start as at first, None at any other.
        self.remembered: Settings | None = None
        self.errors: ErrorReports | None = None
        # A sentence about a start that went wrong, or nothing.
        self.complaint = ""
        self._restoring: CrashMarker | None = None
        self.model.findings.failed.connect(self._on_measurement_failed)
        # A step of t changes nothing else that an entry shows.
        self.model.history_changed.connect(lambda: self.window.action_set.refresh(ids=("undo", "redo")))
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._on_system_theme_changed)
        hints.accessibility().contrastPreferenceChanged.connect(self._on_system_theme_changed)
        self._make_window()
        self._last_state = None if settings_path is None else LastState(self.window, self.sessions, settings_path)
        # What is measured is loaded then, too.
        self.first_frame.passed.connect(self.model.findings.begin)
        self.first_frame.passed.connect(partial(ask_about_motion, self.playback))

    def _make_window(self) -> None:
        """Make the window, and all that is told in its language, as the settings say."""
        theme = self._theme_now()
        apply_ground(theme)
        self.window = MainWindow(self.model, self.playback, theme)
        self.first_frame = _FirstFrame(self.window)
        self._use_renderer()
        self.sessions = SessionFiles(self.window, self.live_settings.now.recent)
        self.sessions.said.connect(self.window.header.show_message)
        self.arranger = Arranger(self.window)
        self.window.dock_made.connect(self._draw_heat)
        self._make_actions()
        self.window.panel_menu_asked.connect(self._open_panel_menu)
        self.window.installEventFilter(self)
        # Not before all widgets have their parents: a widget that gets one is dressed anew, with all in it.
        apply_sheet(theme, self._icon_folder.name, self.window)
        self._restore()

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""
        window = self.window
        return replace(
            self.live_settings.now,
            geometry=encoded(window.saved_geometry()),
            docks=encoded(self.arranger.docks_without),
            is_folded=window.is_folded,
            had_gpu=self.renderer.has_gpu,
            recent=self.sessions.recent,
        )

    def report_errors(self) -> None:
        """Tell errors of the program in a dialog from now on, until the window is closed."""
        self.errors = ErrorReports(self.window, self._save_aside, self.system_info)

    def system_info(self) -> str:
        """What a report of a problem needs to know."""
        return system_info(self.model.state, self.settings, self.renderer)

    def close(self) -> None:
        """Close the window and everything that belongs to it."""
        self.window.close()
        if self.errors is not None:
            self.errors.close()
        self.window.close_down()
        self.renderer.close()
        for asked in self.playback.findChildren(QProcess):
            asked.kill()
            asked.waitForFinished()
        self._end_restoring()
        self.window.deleteLater()
        self._icon_folder.cleanup()

    def quit(self) -> None:
        """Close the window as a person asks for it, who may be asked in turn about a file that is not saved."""
        if self._may_close():
            self.window.close()

    def _may_close(self) -> bool:
        """Whether nothing is lost: the last state has all changes, where the next start shows it."""
        is_kept = self._last_state is not None and self.live_settings.now.opens_last
        return is_kept or self.sessions.may_leave()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QCloseEvent) and event.spontaneous() and not self._may_close():
            event.ignore()
            return True
        if isinstance(event, QCloseEvent) and self._settings_path is not None:
            for dock in self.window.docks.values():
                dock.uncover_screen()
            self.sessions.take_recent(read_settings(self._settings_path)[0].recent)
            settings = self.settings
            if self.remembered is not None and self.goes_on is None:
                settings = settings.remembering(self.remembered)
            settings.write(self._settings_path)
            self.window.full_screen.leave()
            if self._last_state is not None:
                self._last_state.write()
            if self.goes_on is not None:
                self.sessions.write_history(self._settings_path)
        return super().eventFilter(watched, event)

    def _restore(self) -> None:
        window, settings = self.window, self.live_settings.now
        geometry, docks = self._stored_layout()
        room = QGuiApplication.primaryScreen().availableSize() - FRAME
        window.setMinimumSize(QSize(*SMALLEST).boundedTo(room))
        # Qt restores none of a screen of another size: that of another UI scale is one.
        if geometry.isEmpty() or not window.restoreGeometry(geometry):
            window.resize(QSize(*_FIRST_SIZE).boundedTo(room))
        if not docks.isEmpty():
            window.restore_docks(docks)
        window.set_folded(settings.is_folded)

    def _stored_layout(self) -> tuple[QByteArray, QByteArray]:
        """Geometry and docks as they were left, empty where there are none or where they may not be restored.

        A note stands beside the settings from now until the window has been seen for a while. Found at a start, it says
        that the one before ended in between.
        """
        settings = self.live_settings.now
        geometry, docks = decoded(settings.geometry), decoded(settings.docks)
        if self._settings_path is None or not (settings.geometry or settings.docks):
            return geometry, docks
        self._restoring = CrashMarker(self._settings_path.with_name(RESTORING_NAME))
        if self._restoring.tells_of_a_crash:
            self._restoring.forget()
            self.complaint = "The program ended when it last restored its layout, so this is the usual one."
        elif (settings.geometry and geometry.isEmpty()) or (settings.docks and docks.isEmpty()):
            self.complaint = "The stored layout is damaged, so this is the usual one."
        else:
            self._restoring.note()
            self.window.shown.connect(partial(QTimer.singleShot, _SETTLED_MILLISECONDS, self, self._end_restoring))
            return geometry, docks
        return QByteArray(), QByteArray()

    def _end_restoring(self) -> None:
        if self._restoring is not None:
            self._restoring.take_back()
        self._restoring = None

    def _make_actions(self) -> None:
        actions = self.window.action_set
        rows = action_table(self.window, self.sessions, self.live_settings, self._settings_path, self.quit)
        actions.add([*rows, *help_actions(self.window, self.system_info)])
        self.window.header.show_actions(actions)
        self.model.views_changed.connect(actions.refresh)
        self.sessions.recent_changed.connect(actions.refresh)

    def _save_aside(self) -> Path | None:
        """Keep what is on show beside the settings, apart from the last state; the file, None where none is written."""
        if self._settings_path is None:
            return None
        path = self._settings_path.with_name(f"after-an-error{SESSION_SUFFIX}")
        return path if write_small_file(path, session_text(self.model.state)) else None

    def _on_measurement_failed(self, error: Exception) -> None:
        # The dock says that a measurement stopped; too little memory is no error of the program.
        if not isinstance(error, MemoryError):
            sys.excepthook(type(error), error, error.__traceback__)

    def _bind_settings(self) -> None:
        live, playback, renderer = self.live_settings, self.playback, self.renderer

        for name in ("theme", "contrast", "has_white_maps"):
            live.bind(name, self._dress)
        live.bind("scale", self._come_back)
        live.bind("language", lambda _choice: self._telling.start())
        for name in ("speed", "rate", "loops", "motion"):
            live.bind(name, partial(playback.set, name), partial(getattr, playback, name))
        take_scores(live.now.quizzes)
        live.bind("quizzes", take_scores, kept_scores)
        live.bind("renderer", renderer.set_choice, lambda: renderer.choice)
        playback.changed.connect(live.changed)
        renderer.changed.connect(live.changed)

    def _theme_now(self) -> Theme:
        settings = self.live_settings.now
        choice = settings.theme
        if choice == "system":
            is_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
            choice = "dark" if is_dark else "light"
        theme = themes()[choice]
        if settings.has_white_maps and choice == "dark":
            theme = white_centred_theme(theme)
        wants_contrast = settings.contrast == "high" or (settings.contrast == "system" and system_wants_contrast())
        return high_contrast_theme(theme) if wants_contrast else theme

    def _dress(self, _value: object = None) -> None:
        theme = self._theme_now()
        apply_ground(theme)
        apply_sheet(theme, self._icon_folder.name, self.window)
        self.window.dress(theme)
        self.window.action_set.refresh()

    def _come_back(self, _value: object) -> None:
        """Sizes are read at a start: the program makes one, where that finds the state."""
        if self._last_state is not None:
            self.goes_on = self.window.normalGeometry(), *self._focus_now()
            QTimer.singleShot(0, self.window.close)

    def _focus_now(self) -> tuple[str, bool]:
        """The panel with the focus, and whether it covers the screen."""
        whole = self.window.full_screen.dock
        # Of its own parts: a dialog may have the focus now.
        held = whole or dock_around(self.window.focusWidget())
        return (self.window.focused_panel() if held is None else held.panel).key, whole is not None

    def give_focus_back(self, key: str, covers_screen: bool, is_by_keys: bool = True) -> None:
        """Let a panel have the focus that it had in the window before this one."""
        dock = self.window.docks.get(key)
        if dock is not None and (dock.is_behind or dock.shows_panel):
            self.window.setProperty(USED_BY_KEYS, is_by_keys)
            if dock.is_behind:
                # Less room has made tabs of all plots.
                dock.bring_forward()
            dock.take_focus()
            if covers_screen:
                self.window.toggle_full_screen()

    def _tell_anew(self) -> None:
        """Let a window in the language of the settings take the place of this one, with the same model."""
        code = self.live_settings.now.language_code
        if code == current() or self._before is not None:
            return
        use(code)
        load_typefaces()
        tell_words_of_qt()
        _keep_words(self.model.state)
        before, focus = self.window, self._focus_now()
        # By its action.
        names = (one.objectName() for one in before.findChildren(QWidget) if one.isVisible())
        opened = [name for name in names if name in before.action_set.rows]
        before.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        if before.is_presented:
            before.present_asked.emit()
        for dock in before.docks.values():
            dock.uncover_screen()
        now, self._before = self.settings, before
        before.full_screen.leave()
        self.live_settings.set(geometry=now.geometry, docks=now.docks, is_folded=now.is_folded, recent=now.recent)
        self.model.turns.clear()
        self._make_window()
        self.window.setGeometry(before.normalGeometry())
        self.window.columns.shares |= before.columns.shares
        if self._last_state is not None:
            self._last_state.move_to(self.window, self.sessions)
        if self.errors is not None:
            self.errors.setParent(self.window)
        self.first_frame.passed.connect(partial(self._take_place, focus, opened))
        self.window.show()

    def _take_place(self, focus: tuple[str, bool], opened: list[str]) -> None:
        """Give the new window what the one before had open, where it stood, and let that one go."""
        before, self._before = self._before, None
        assert before is not None
        self.give_focus_back(*focus, is_by_keys=bool(before.property(USED_BY_KEYS)))
        for name in opened:
            self.window.action_set.trigger(name)
            old, new = (cast("QWidget", window.findChild(QWidget, name)) for window in (before, self.window))
            new.setGeometry(old.geometry())
            for stop, own in zip(stops_in(old), stops_in(new), strict=False):
                if stop is old.focusWidget():
                    own.setFocus()
        for dialog in before.findChildren(QDialog):
            if dialog.isVisible() and dialog.objectName() not in opened:
                dialog.setParent(self.window, dialog.windowFlags())
                dialog.show()
        before.deleteLater()
        # Another one may have been chosen meanwhile.
        self._telling.start()

    def _on_system_theme_changed(self) -> None:
        if "system" in (self.live_settings.now.theme, self.live_settings.now.contrast):
            self._dress()
            self.live_settings.changed.emit()

    def _draw_heat(self, dock: PanelDock) -> None:
        """Let a dock's heat map, if it has one, be drawn by whatever the renderer chooses."""
        if not dock.is_filled:
            dock.panel_made.connect(self._draw_heat)
        elif isinstance(dock.panel, HeatPanel):
            dock.panel.canvas.use_renderer(self.renderer)

    def _use_renderer(self) -> None:
        for dock in self.window.docks.values():
            self._draw_heat(dock)
        if self.renderer.expects_opengl:
            # The driver is loaded for the window anyway; a window made for an OpenGL that fails would stay empty.
            self.renderer.decide()
        if self.renderer.is_opengl:
            from PySide6.QtOpenGLWidgets import QOpenGLWidget  # noqa: PLC0415 - the first frame may need none

            # When its first OpenGL widget comes later, Qt takes a window down and makes it anew.
            QOpenGLWidget(self.window).hide()
        else:
            self.renderer.keeps_window = True

    def _open_panel_menu(self, dock: PanelDock, place: QPoint, is_right: bool) -> None:
        menu = PanelMenu(dock, self.window)
        menu.popup(place - QPoint(menu.sizeHint().width() if is_right else 0, 0))


def wait_until_measured(instrument: Instrument, seconds: float | None = None) -> None:
    """Handle events until everything that is seen has been measured and drawn, at most MEASURED_SECONDS."""
    deadline = time.monotonic() + (MEASURED_SECONDS if seconds is None else seconds)
    while time.monotonic() < deadline:
        QApplication.processEvents()
        docks = [dock for dock in instrument.window.docks.values() if dock.shows_panel]
        is_busy = instrument.model.findings.is_busy() or instrument.model.turns.is_busy
        if not is_busy and all(dock.panel.is_made for dock in docks):
            break
        time.sleep(0.005)
    for _ in range(10):
        QApplication.processEvents()
        time.sleep(0.01)


class _FirstFrame(QObject):
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
