"""Every kind of encoding in the open window: each panel draws it or says why not, and the way back is open."""

import time
from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds import KINDS, switched
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.window.application import Instrument, wait_until_measured


def look(instrument: Instrument, seconds: float = 0.3) -> None:
    """Let everything that is seen be painted and measured; an exception in a slot or in a paint fails the test."""
    wait_until_measured(instrument)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        QApplication.processEvents()
    assert not instrument.window.grab().isNull()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "sinusoidal"])
def test_panels_take_every_kind_and_the_way_back(open_instrument: Callable[..., Instrument], kind: str) -> None:
    instrument = open_instrument()
    model, faces = instrument.model, instrument.window.clock.faces
    instrument.window.activateWindow()
    faces.face.setFocus()
    model.set_encoding(switched(model.encoding, kind))
    # Another face of the clock takes the keyboard over.
    assert QApplication.focusWidget() is faces.face
    for dock in ("similarity", "rotation"):
        instrument.window.docks[dock].raise_()
        look(instrument)
    model.set_cursor(Cursor(position=5.0, offset=-2.5, pair=0))
    look(instrument)
    model.set_encoding(SinusoidalEncoding())
    assert QApplication.focusWidget() is faces.face
    look(instrument)
