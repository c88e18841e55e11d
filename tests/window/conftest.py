"""A whole instrument: one for each file, put back between tests, or as many as a test opens; keys and docks in it."""

import gc
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QWidget

from pe_desktop.core.state import State, state_of
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels import PANELS
from pe_desktop.window import start
from pe_desktop.window.application import Instrument, make_application, wait_until_measured
from pe_desktop.window.dock import PanelDock
from pe_desktop.window.main_window import MainWindow
from pe_desktop.window.settings import SETTING_ROWS, Settings
from tests.window.acting import LEFT, NO_KEY, settle

ROOT = Path(__file__).parents[2]
OpenInstrument = Callable[..., Instrument]
# What a start showed: title, state, message.
Opened = Callable[..., tuple[str, State, str]]
PLOTS = ("clock", "waves", "similarity", "matrix")
TABS = ("similarity", "rotation", "properties")
MANY_VALUES = 10**9
ENOUGH_SECONDS = 2.0
MOST_MILLISECONDS = 60_000
NEW = Settings(theme="light")


def finish(instrument: Instrument) -> None:
    """Close everything and let Qt delete it now."""
    instrument.close()
    instrument.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()
    gc.collect()


def row_of(instrument: Instrument, name: str) -> Any:
    """The row of a parameter in the Encoding dock."""
    return instrument.window.parameters.form.rows[name]


def title_row(dock: PanelDock) -> Any:
    """The row with the title and the buttons of a dock."""
    return dock.title_row


def seen(instrument: Instrument) -> set[str]:
    """The docks that are in front."""
    return {key for key, dock in instrument.window.docks.items() if dock.isVisible() and not dock.is_behind}


def frames(instrument: Instrument, *keys: str) -> dict[str, tuple[int, int, int, int]]:
    """Left, top, width and height of docks, of all that are in front where none is named."""
    docks = {key: instrument.window.docks[key] for key in keys or sorted(seen(instrument))}
    return {key: (dock.x(), dock.y(), dock.width(), dock.height()) for key, dock in docks.items()}


def panel_of(instrument: Instrument, key: str) -> Any:
    """A panel, whatever its class."""
    return instrument.window.panel(key)


class Watcher(QObject):
    """Counts the events of some types, by who gets them."""

    def __init__(self, watched: Iterable[QObject], *types: QEvent.Type) -> None:
        super().__init__()
        self.counts, self._types = Counter[QObject](), types
        for one in watched:
            one.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.counts[watched] += event.type() in self._types
        return False


def dock_of(widget: QWidget, window: MainWindow) -> str:
    """The key of the dock that a widget stands in, or nothing."""
    return next((key for key, dock in window.docks.items() if not dock.is_behind and dock.isAncestorOf(widget)), "")


@contextmanager
def next_start(first: Instrument) -> Iterator[Instrument]:
    """Another window with state and settings of one, but for its geometry: the screen of a test is too small for it."""
    second = Instrument(first.model.state, replace(first.settings, geometry=""))
    second.window.resize(first.window.size())
    second.window.show()
    wait_until_measured(second)
    settle()
    yield second
    finish(second)


def ended(program: str, *arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """A program of Python's that has run as a process of its own, with changes of the environment."""
    usual = {name: value for name, value in os.environ.items() if name != "QT_SCALE_FACTOR"}
    environment = {**usual, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT), **changes}
    command = [sys.executable, "-X", "faulthandler", "-c", program, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=100)


@pytest.fixture(autouse=True)
def no_box_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody presses a button in a box that waits for one."""
    monkeypatch.setattr(QMessageBox, "exec", lambda box: pytest.fail(f"asked: {box.text()}"))


@pytest.fixture
def open_instrument(qapp: QApplication, windows: dict[str, Instrument]) -> Iterator[Callable[..., Instrument]]:
    """Open a window for a declared state: open_instrument(d_model=512, width=1280). The shared one goes before."""
    make_application()
    finish_shared(windows)
    opened: list[Instrument] = []

    def open_now(
        width: int = 1600,
        height: int = 1000,
        settings: Settings = NEW,
        path: Path | None = None,
        watch: Callable[[Instrument], object] = str,
        **state: object,
    ) -> Instrument:
        shown = state_of({name.replace("__", "."): str(value) for name, value in state.items()})
        instrument = Instrument(shown, settings, path)
        opened.append(instrument)
        instrument.window.resize(width, height)
        watch(instrument)
        instrument.window.show()
        # The largest tables are measured for minutes: their windows are drawn long before.
        is_huge = shown.encoding.n_positions * shown.encoding.d_model > MANY_VALUES
        wait_until_measured(instrument, ENOUGH_SECONDS if is_huge else None)
        let_go(instrument)
        return instrument

    yield open_now
    for instrument in opened:
        finish(instrument)


@pytest.fixture(scope="module")
def windows() -> Iterator[dict[str, Instrument]]:
    """The window that the tests of a file have in common, as "shared", while there is one."""
    windows: dict[str, Instrument] = {}
    yield windows
    for instrument in windows.values():
        finish(instrument)


def finish_shared(windows: dict[str, Instrument]) -> None:
    if "shared" in windows:
        finish(windows.pop("shared"))


@pytest.fixture
def instrument(qapp: QApplication, windows: dict[str, Instrument]) -> Instrument:
    """The window as a new user sees it: one for a file, put back between tests, or another where that fails."""
    shared = windows.pop("shared", None)
    if shared is not None and not put_back(shared):
        finish(shared)
        shared = None
    if shared is None:
        make_application()
        shared = Instrument(State(), NEW)
        shared.window.resize(1600, 1000)
        shared.window.show()
        wait_until_measured(shared)
        shared.setProperty("new", look(shared))
    windows["shared"] = shared
    let_go(shared)
    return shared


@pytest.fixture
def window(instrument: Instrument) -> MainWindow:
    """That of the shared instrument."""
    return instrument.window


@pytest.fixture
def docks(instrument: Instrument) -> dict[str, PanelDock]:
    """Those of the shared instrument."""
    return instrument.window.docks


@pytest.fixture
def model(instrument: Instrument) -> EncodingModel:
    """That of the shared instrument."""
    return instrument.model


def let_go(instrument: Instrument) -> None:
    """Release the button that counts as held since a double click has moved its widget."""
    if QApplication.mouseButtons() & LEFT:
        QTest.mouseRelease(instrument.window.windowHandle(), LEFT, NO_KEY, QPoint(0, 0))


def put_back(instrument: Instrument) -> bool:
    """Undo what a test has done; whether the window looks as a new one. Panels that are made late stay, hidden."""
    window, model = instrument.window, instrument.model
    if not window.isVisible() or window.full_screen.dock is not None:
        return False
    while popup := QApplication.activePopupWidget():
        popup.close()
    for dialog in window.findChildren(QDialog):
        dialog.close()
        dialog.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    instrument.playback.pause()
    # All at once: each other theme or contrast dresses every widget.
    instrument.live_settings.set(**{name: getattr(NEW, name) for name in SETTING_ROWS})
    while model.undo_names:
        model.undo()
    model.undone.clear()
    model.history_changed.emit()
    model.set_preview(None)
    window.header.show_message("")
    window.set_folded(False)
    window.resize(1600, 1000)
    window.reset_layout()
    window.activateWindow()
    wait_until_measured(instrument)
    window.focus_plot()
    return bool(look(instrument) == instrument.property("new"))


def look(instrument: Instrument) -> str:
    """Everything that a test may count on in a new window."""
    window, model = instrument.window, instrument.model
    docks = [
        (key, dock.isVisible() and (dock.is_behind or dock.geometry().getRect(), dock.isFloating()))
        for key, dock in window.docks.items()
        if dock.isVisible() or dock.kind in PANELS
    ]
    actions = [(name, entry.isChecked(), entry.isEnabled()) for name, entry in window.action_set.entries.items()]
    focus = window.focusWidget()
    return repr((
        model.state, model.undo_names, model.redo_names, model.is_held, model.preview, title(instrument),
        window.header.message, window.geometry().getRect(), docks, actions, instrument.live_settings.now,
        instrument.sessions.recent, window.focused_panel().key, type(focus).__name__, window.minimumSize(),
        [dialog.windowTitle() for dialog in window.findChildren(QDialog)], QApplication.activePopupWidget(),
        instrument.playback.speed, instrument.playback.rate, instrument.playback.loops,
    ))  # fmt: skip


def title(instrument: Instrument) -> str:
    """What the window manager shows: the star stands for unsaved changes."""
    window = instrument.window
    return window.windowTitle().replace("[*]", "*" if window.isWindowModified() else "")


@pytest.fixture
def opened(qapp: QApplication, windows: dict[str, Instrument], monkeypatch, tmp_path: Path) -> Opened:
    """Opens the window as the command line does and closes it at once; gives title, state and message.

    Settings and last state lie in one folder for all windows of a test. The application ends with its last window,
    so the shared one goes before.
    """
    finish_shared(windows)
    monkeypatch.setattr(start, "_default_settings_path", lambda: tmp_path / "settings.json")
    monkeypatch.setattr(start, "prepare_application", lambda: None)

    def open_now(
        state: State | None = None, use: Callable[[Instrument], None] = lambda _: None, **options: object
    ) -> tuple[str, State, str]:
        seen: list[tuple[str, State, str]] = []

        class Watched(Instrument):
            def __init__(self, *arguments: object) -> None:
                super().__init__(*arguments)  # type: ignore[arg-type]
                QTimer.singleShot(0, self.look)

            def look(self) -> None:
                try:
                    use(self)
                    state = self.model.state
                    state = replace(state, views=replace(state.views, front=()))
                    seen.append((title(self), state, self.window.header.message))
                finally:
                    self.window.close()

        for widget in QApplication.topLevelWidgets():
            widget.close()
        monkeypatch.setattr(start, "Instrument", Watched)
        # Another window that is still there keeps the application running: it ends as a failure.
        limit = QTimer(interval=MOST_MILLISECONDS, singleShot=True)
        limit.timeout.connect(lambda: QCoreApplication.exit(1))
        limit.start()
        assert start.open_window(state, "light", "raster", **options) == 0  # type: ignore[arg-type]
        limit.stop()
        assert seen, "what was done in the window failed: see the standard error"
        return seen[0]

    return open_now
