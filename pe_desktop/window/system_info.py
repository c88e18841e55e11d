"""What a report of a problem needs to know of this program, machine, settings and state."""

import platform
from html import escape
from importlib.metadata import PackageNotFoundError, version

import numpy as np
from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from pe_desktop import __version__
from pe_desktop.core.state import State, assignments_of, text_of
from pe_desktop.heat.renderer import Renderer
from pe_desktop.resources import bundle_folder, resource_path
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


def about_text() -> str:
    """Version, licence, where Qt's licence and source are, and the licences of everything else."""
    licences = resource_path("licences")
    return (
        f"<span style='font-size: 17px; font-weight: 600'>PE Desktop {__version__}</span><br>"
        "Positional encodings, visible and exact.<br><br>"
        "MIT licence. Drawn with Qt (PySide6), used under the LGPL 3; its source is at "
        "<a href='https://code.qt.io'>code.qt.io</a>, and its files may be replaced by your own. "
        "Numbers by NumPy (BSD licence). "
        "Typefaces Inter, STIX Two and JetBrains Mono (SIL Open Font License 1.1).<br><br>"
        f"The licences of all parts: <a href='{licences.as_uri()}'>{escape(str(licences))}</a>"
    )
