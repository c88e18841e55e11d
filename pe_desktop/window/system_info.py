"""What a report of a problem needs to know of this program, machine, settings and state."""

import platform
from importlib.metadata import PackageNotFoundError, version

import numpy as np
from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from pe_desktop import __version__
from pe_desktop.core.state import State, assignments_of, text_of
from pe_desktop.heat.renderer import Renderer
from pe_desktop.resources import bundle_folder
from pe_desktop.window.log import log_path, without_names
from pe_desktop.window.settings import SETTING_ROWS, Settings


def system_info(state: State, settings: Settings, renderer: Renderer) -> str:
    """Versions, system, screens, drawing, settings and state that are not the usual ones; no folder of a person."""
    made = "source" if bundle_folder() is None else "frozen"
    usual, now = assignments_of(State()), assignments_of(state)
    lines = [
        f"PE Desktop {__version__} ({made})",
        f"Python {platform.python_version()}, NumPy {np.__version__}, pyqtgraph {_version('pyqtgraph')}",
        f"Qt {qVersion()}, PySide6 {_version('PySide6-Essentials')}",
        f"{platform.platform()}, Qt platform {QGuiApplication.platformName()}",
        *(
            f"Screen {screen.size().width()} x {screen.size().height()}, {screen.devicePixelRatio():g} dots a pixel"
            for screen in QGuiApplication.screens()
        ),
        f"Heat maps: {renderer.choice}, {'OpenGL' if renderer.is_opengl else 'CPU'}. {renderer.why}",
        *(
            f"Setting {row.name} = {getattr(settings, row.name)}"
            for row in SETTING_ROWS
            if getattr(settings, row.name) != getattr(Settings(), row.name)
        ),
        *(f"--set {name}={text_of(name, value)}" for name, value in now.items() if usual.get(name) != value),
        f"Log: {log_path() or 'none'}",
    ]
    return without_names("\n".join(lines))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
