"""Takes pictures of the whole window in a state, each pixel of which follows from the state, the theme and the size."""

import gc
import os
import time
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from pe_desktop.core.state import state_of
from pe_desktop.window.application import Instrument, make_application
from pe_desktop.window.settings import Settings
from tests.golden.states import SIZES, STATES, THEMES

_PATIENCE_SECONDS = 60.0
# Turns of the event loop in which nothing is to come; an answer is shown some turns after it came.
_QUIET_TURNS = 8
_TURN_SECONDS = 0.003
# Longer ones take a message away or write a file.
_SHORT_MILLISECONDS = 1000
# Typefaces of the program only: signs that it lacks would come from whatever the machine has.
_FONTS = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><cachedir>{}</cachedir></fontconfig>'


def use_no_machine(folder: Path) -> None:
    """Take away what differs between machines, before Qt and NumPy are used: screens, typefaces, wide instructions."""
    fonts = folder / "fonts.conf"
    fonts.write_text(_FONTS.format(folder), "utf-8")
    os.environ["FONTCONFIG_FILE"] = str(fonts)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    for name in ("QT_SCALE_FACTOR", "QT_FONT_DPI", "QT_QPA_PLATFORMTHEME", "QT_STYLE_OVERRIDE", "LANGUAGE"):
        os.environ.pop(name, None)


def taken(names: list[str]) -> Iterator[tuple[str, QImage]]:
    """The pictures of states, with names such as rotary-dark-1280x720; one window a state, whatever was before it."""
    application = make_application()
    application.setCursorFlashTime(0)
    for name in names:
        instrument = Instrument(state_of(STATES[name]), Settings(theme=THEMES[0], motion="reduced", renderer="raster"))
        window = instrument.window
        window.resize(*SIZES[0])
        window.show()
        for theme in THEMES:
            instrument.live_settings.set(theme=theme)
            for width, height in SIZES:
                window.resize(width, height)
                yield f"{name}-{theme}-{width}x{height}", _settled(instrument)
        _close(instrument)


def _settled(instrument: Instrument) -> QImage:
    """The window once all that it shows has been computed and two pictures in a row are the same."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    before = None
    while time.monotonic() < deadline:
        _wait(deadline, instrument)
        now = instrument.window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        if now == before:
            return now
        before = now
    raise TimeoutError(f"the window still changes after {_PATIENCE_SECONDS:g} s")


def _wait(deadline: float, instrument: Instrument) -> None:
    n_quiet = 0
    while n_quiet < _QUIET_TURNS and time.monotonic() < deadline:
        time.sleep(_TURN_SECONDS)
        QApplication.processEvents()
        n_quiet = 0 if _is_busy(instrument) else n_quiet + 1


def _is_busy(instrument: Instrument) -> bool:
    model, seen = instrument.model, [dock for dock in instrument.window.docks.values() if dock.shows_panel]
    timers = [timer for owner in (model, instrument.window) for timer in owner.findChildren(QTimer)]
    return (
        model.findings.is_busy()
        or model.turns.is_busy
        or not all(dock.panel.is_made for dock in seen)
        or any(timer.isActive() and timer.interval() <= _SHORT_MILLISECONDS for timer in timers)
    )


def _close(instrument: Instrument) -> None:
    instrument.close()
    instrument.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()
    gc.collect()
