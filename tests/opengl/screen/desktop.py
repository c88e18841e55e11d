"""Plays the desktop that tells programs how fine the screen is: the owner of XSETTINGS, in the X server's own words."""

import ctypes
import ctypes.util
import struct

POINTS = 96
_LEAST_SIGNIFICANT_FIRST = 0
_INTEGER = 0
_REPLACE = 0
_BITS = 8
_NAME = b"Xft/DPI"


class Desktop:
    """One screen whose dots per inch change while programs run; they are told at once.

    It must be there before the application is: Qt looks for it only then.
    """

    def __init__(self) -> None:
        self._x11 = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        for name in ("XOpenDisplay", "XDefaultRootWindow", "XInternAtom", "XCreateSimpleWindow"):
            getattr(self._x11, name).restype = ctypes.c_void_p
        self._display = ctypes.c_void_p(self._x11.XOpenDisplay(None))
        root = ctypes.c_void_p(self._x11.XDefaultRootWindow(self._display))
        place = (0, 0, 1, 1, 0, ctypes.c_ulong(0), ctypes.c_ulong(0))
        self._window = ctypes.c_void_p(self._x11.XCreateSimpleWindow(self._display, root, *place))
        self._n_told = 0
        self.tell(POINTS)
        self._x11.XSetSelectionOwner(self._display, self._atom(b"_XSETTINGS_S0"), self._window, ctypes.c_ulong(0))
        self._sync()

    def tell(self, dots_per_inch: int) -> None:
        """The screen has so many dots per inch from now on; 96 are one device pixel to a logical one."""
        name = _NAME + bytes(-len(_NAME) % 4)
        self._n_told += 1
        words = struct.pack("<B3xII", _LEAST_SIGNIFICANT_FIRST, self._n_told, 1)
        words += struct.pack("<BxH", _INTEGER, len(_NAME)) + name
        words += struct.pack("<Ii", self._n_told, dots_per_inch * 1024)
        settings = self._atom(b"_XSETTINGS_SETTINGS")
        kind = (settings, settings, _BITS, _REPLACE)
        self._x11.XChangeProperty(self._display, self._window, *kind, words, len(words))
        self._sync()

    def close(self) -> None:
        """Leave the X server."""
        self._x11.XCloseDisplay(self._display)

    def _atom(self, name: bytes) -> ctypes.c_void_p:
        return ctypes.c_void_p(self._x11.XInternAtom(self._display, name, 0))

    def _sync(self) -> None:
        self._x11.XSync(self._display, 0)
