"""Whether a window can appear: asked before Qt, which would abort the program instead of answering."""

import ctypes
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from pe_desktop.app.guard import CannotStartError, libraries_advice

_WITHOUT_SCREEN: Final = "without a screen these work: pe-desktop export, pe-desktop self-test, pe-desktop --screenshot"

_WAYLAND_PATIENCE: Final = 5.0  # seconds until a compositor that doesn't answer counts as absent

_Probe = Callable[[Mapping[str, str]], str | None]


def check_display(environment: Mapping[str, str], system: str = sys.platform) -> None:
    """Raises CannotStartError, naming what works without a screen, if no window could appear."""
    sentence = display_refusal(environment, system, x11_refusal, wayland_refusal)
    if sentence is not None:
        raise CannotStartError(sentence)


def platform_without_screen(environment: Mapping[str, str], system: str = sys.platform) -> str | None:
    """The platform "offscreen" where a picture must be drawn without a screen, None where Qt's choice will do."""
    return None if display_refusal(environment, system, x11_refusal, wayland_refusal) is None else "offscreen"


def display_refusal(environment: Mapping[str, str], system: str, ask_x11: _Probe, ask_wayland: _Probe) -> str | None:
    """Why no window can appear, in one sentence, or None if one can.

    The probes get the environment and answer with the reason why their kind of display can't be used, or None.
    """
    if system in {"win32", "darwin"}:
        return None
    chosen = environment.get("QT_QPA_PLATFORM", "")
    # Qt reads a list such as "wayland;xcb", each with options behind a colon, and takes the first that works.
    wanted = {name.split(":")[0].split("-")[0] for name in chosen.split(";") if name}
    if wanted - {"xcb", "wayland"}:
        return None  # A person who asks for another platform knows what it needs.
    reasons = []
    if environment.get("WAYLAND_DISPLAY") if not wanted else "wayland" in wanted:
        reasons.append(ask_wayland(environment))
    if environment.get("DISPLAY") if not wanted else "xcb" in wanted:
        reasons.append(ask_x11(environment))
    if None in reasons:
        return None
    found = "; ".join(reason for reason in reasons if reason) or "neither DISPLAY nor WAYLAND_DISPLAY is set"
    return f"No window can appear here: {found}; {_WITHOUT_SCREEN}."


def x11_refusal(environment: Mapping[str, str]) -> str | None:
    """Why Qt can't use the X server, found by connecting to it as Qt would, or None if it can."""
    name = environment.get("DISPLAY", "")
    if not name:
        return "DISPLAY is not set"
    advice = libraries_advice("x11")
    if advice is not None:
        return advice
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(os.fsencode(name), None)
    if not xcb.xcb_connection_has_error(connection):
        # It stays open: an X server that loses its only client starts anew, and Qt would be turned away meanwhile.
        return None
    xcb.xcb_disconnect(connection)
    return f"the display {name!r} does not answer"


def wayland_refusal(environment: Mapping[str, str]) -> str | None:
    """Why Qt can't use the Wayland compositor, found by connecting to its socket, or None if it can."""
    if environment.get("WAYLAND_SOCKET"):
        return None  # The compositor handed us an open connection; asking would use it up.
    name = environment.get("WAYLAND_DISPLAY", "wayland-0")
    folder = environment.get("XDG_RUNTIME_DIR", "")
    if not folder and not name.startswith("/"):
        return "XDG_RUNTIME_DIR is not set"
    advice = libraries_advice("wayland")
    if advice is not None:
        return advice
    import socket  # noqa: PLC0415 - for Wayland alone

    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_WAYLAND_PATIENCE)
        try:
            connection.connect(str(Path(folder, name)))
        except OSError:
            return f"the Wayland display {name!r} does not answer"
    return None
