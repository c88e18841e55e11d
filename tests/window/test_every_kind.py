"""Every kind of encoding in every panel of the window: something to see, something to choose, true numbers."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds import KINDS, switched
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import with_encoding
from pe_desktop.panels.hand_grip import HandGrip
from pe_desktop.panels.rotation_panel import RotationPanel
from pe_desktop.panels.similarity_panel import SimilarityPanel
from pe_desktop.views.rotation.scene import report_of
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.copying import figure_of

PLOTS = ("clock", "waves", "matrix", "similarity", "rotation", "properties")


def n_colors(image: QImage) -> int:
    return len({image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)})


def test_every_panel_shows_every_kind_has_a_readout_for_it_and_keeps_the_keyboard(instrument: Instrument) -> None:
    window, model = instrument.window, instrument.model
    window.activateWindow()
    window.clock.face.setFocus()
    for kind in [*KINDS, "sinusoidal"]:
        model.set_state(with_encoding(model.state, switched(model.encoding, kind)), "encoding")
        assert model.cursor.pair == 4
        # Another face of the clock takes the keyboard over.
        assert QApplication.focusWidget() is window.clock.face
        for key in PLOTS:
            window.docks[key].raise_()
            wait_until_measured(instrument)
            assert n_colors(window.panel(key).grab().toImage()) > 20, (kind, key)
            if key not in ("rotation", "properties"):
                assert window.panel(key).readout(), (kind, key)
                assert "nan" not in window.panel(key).readout(), (kind, key)
    model.set_state(with_encoding(model.state, switched(model.encoding, "bits")), "encoding")
    model.set_cursor(Cursor(position=5.0, offset=-2.5, pair=0))
    wait_until_measured(instrument)
    assert not window.grab().isNull()


def test_the_clock_of_bits_shows_hands_beside_dials_and_has_no_dead_choice(
    open_instrument: Callable[..., Instrument],
) -> None:
    instrument = open_instrument(kind="bits")
    clock, model = instrument.window.clock, instrument.model
    assert not any(widget.isVisible() for widget in clock.header_widgets())
    for toggle in ("toggle_clock_mode", "toggle_clock_binary"):
        instrument.window.action_set.trigger(toggle)
        assert clock.canvas.isVisible()
        assert clock.bits.isVisible()
    assert not clock.canvas.geometry().intersects(clock.bits_area.geometry())
    assert clock.canvas.accessibleName() == "Clock, 32 hands"
    assert clock.bits.accessibleName() == "Binary code, 32 dials"
    assert clock.subtitle == "one turn in the period of a bit, 1 in the shaded half"
    # The fastest bits are seen first, although the chosen pair stands further down; whole rows, wherever it goes.
    assert clock.bits.y() == 0
    for pair in (15, 9, 3):
        model.move_cursor(pair=pair)
        QApplication.processEvents()
        assert abs(math.remainder(clock.bits.y(), clock.bits.places()[0].area.height)) <= 0.5
        seen = clock.bits.visibleRegion().boundingRect()
        chosen = [place.area for place in clock.bits.places() if place.is_chosen]
        assert len(chosen) == 2
        assert seen.top() - 0.5 <= min(area.y for area in chosen)
        assert max(area.bottom for area in chosen) <= seen.bottom() + 1.5
    # A hand of the face is taken hold of like any other: bit 6 turns by a quarter in 32 positions.
    model.move_cursor(position=0.0)
    grip = HandGrip(model)
    grip.take(6, 0.0, moves_offset=False)
    grip.turn_to(math.pi / 2)
    assert model.cursor.pair == 3
    assert model.cursor.position == pytest.approx(32.0)
    grip.let_go()
    model.set_state(with_encoding(model.state, switched(model.encoding, "counter")), "encoding")
    assert clock.dials.isVisible()
    assert not clock.bits.isVisible()


def test_the_binary_code_of_t_stands_beside_the_clock_when_asked_for(instrument: Instrument) -> None:
    window, model = instrument.window, instrument.model
    clock = window.clock
    alone = clock.canvas.geometry()
    assert not clock.bits.isVisible()
    QTest.keyClick(clock.canvas, Qt.Key.Key_B)
    assert clock.bits.isVisible()
    assert clock.bits_area.geometry().left() >= clock.canvas.geometry().right()
    assert (len(clock.bits.places()), clock.bits.accessibleName()) == (7, "Binary code, 7 dials")
    assert clock.readout().endswith("Binary code 0100101")
    assert figure_of(window, clock) == "clock-binary"
    x, y = clock.bits.places()[3].area.middle
    assert clock.bits.tooltip is not None
    assert clock.bits.tooltip(None, x, y) == "bit 3 of the position: 0 at t, 1 at t + k, flips every 8 positions"
    QTest.mouseClick(clock.bits, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
    assert model.cursor.pair == 4
    model.set_state(with_encoding(model.state, SinusoidalEncoding(1_000_000, 32)), "encoding")
    assert clock.bits.accessibleName() == "Binary code, 20 dials"
    QTest.keyClick(clock.canvas, Qt.Key.Key_B)
    assert clock.canvas.geometry() == alone
    frames = clock.bits.n_frames
    model.move_cursor(position=12.0)
    window.repaint()
    assert clock.bits.n_frames == frames


def test_the_chosen_face_returns_with_the_hands(instrument: Instrument) -> None:
    clock, model = instrument.window.clock, instrument.model
    model.set_state(with_encoding(model.state, switched(model.encoding, "counter")), "encoding")
    assert clock.dials.isVisible()
    model.set_state(with_encoding(model.state, switched(model.encoding, "sinusoidal")), "encoding")
    assert clock.canvas.isVisible()
    assert clock.header_widgets()[0].isVisible()


def test_a_press_on_the_dial_of_a_bit_chooses_its_columns(open_instrument: Callable[..., Instrument]) -> None:
    instrument = open_instrument(kind="bits", pair=0)
    dials = instrument.window.clock.bits
    x, y = dials.places()[2].area.middle
    QTest.mouseClick(dials, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
    assert instrument.model.cursor.pair == 1
    assert instrument.window.clock.readout().startswith("columns 2, 3, dim 2 1.000, dim 3 0.000")
    assert instrument.window.clock.readout().endswith(", Binary code 0100101")


def test_the_pair_is_called_columns_where_nothing_turns(open_instrument: Callable[..., Instrument]) -> None:
    transport = open_instrument(kind="counter", pair=15).window.transport
    assert transport.pair.accessibleName() == "Columns 2i, 2i + 1"
    QTest.mouseClick(transport.strip, Qt.MouseButton.LeftButton, pos=QPoint(2, 15))
    assert transport.model.cursor.pair == 0


def test_the_spread_of_a_counter_is_measured_and_told(open_instrument: Callable[..., Instrument], qtbot) -> None:
    instrument = open_instrument(kind="counter", offset=8)
    panel = instrument.window.panel("similarity")
    assert isinstance(panel, SimilarityPanel)
    qtbot.waitUntil(lambda: panel.is_settled and "spread" in panel.readout())
    # t (t + 8) runs from 0 at t = 0 to 119 * 127 at t = 119.
    assert f"spread along the diagonal\t{119 * 127.0!r}" in panel.readout()
    assert panel.subtitle == "depends on more than the offset"
    instrument.model.set(**{"similarity.measure": "distance"})
    # |t - (t + 8)| is 8 for every t.
    assert panel.subtitle == "distance of every two positions"


def test_the_rotation_of_a_mapped_position_tells_what_the_best_2_x_2_misses(
    open_instrument: Callable[..., Instrument], qtbot
) -> None:
    instrument = open_instrument(kind="position-map", d_model=64, n_positions=512, offset=1)
    rotation = instrument.window.panel("rotation")
    assert isinstance(rotation, RotationPanel)
    instrument.window.docks["rotation"].raise_()
    qtbot.waitUntil(lambda: instrument.model.findings.is_known(report_of(instrument.model.state)))
    omega = 10000 ** (-8 / 64)
    t = np.arange(512.0)
    table = np.column_stack((np.sin(t * t * omega), np.cos(t * t * omega)))
    fit = np.linalg.inv(table[:-1].T @ table[:-1]) @ table[:-1].T @ table[1:]
    share = np.linalg.norm(table[:-1] @ fit - table[1:]) / np.linalg.norm(table[1:])
    assert rotation.readout().endswith(f"The best 2 × 2 for pair 4 misses {100 * share:.1f} %.")
    # Formulas of an M_k are not offered where there is none; the page that was chosen comes back with it.
    _, *formulas = rotation.header_widgets()[0].findChildren(QToolButton)
    instrument.model.set(**{"rotation.page": "steps"})
    assert [(button.text(), button.isEnabled()) for button in formulas] == [("Algebra", False), ("Steps", False)]
    assert {button.toolTip() for button in formulas} == {
        "No matrix moves every position: Sinusoidal of t² turns unevenly."
    }
    instrument.model.set_state(
        with_encoding(instrument.model.state, switched(instrument.model.encoding, "sinusoidal")),
        "encoding",
    )
    assert [(button.isEnabled(), button.isChecked()) for button in formulas] == [(True, False), (True, True)]


def test_the_arc_of_an_uneven_hand_is_the_turn_from_this_t(open_instrument: Callable[..., Instrument]) -> None:
    instrument = open_instrument(kind="position-map", position=3, offset=2, pair=4)
    clock = instrument.window.clock
    turn = math.degrees((5**2 - 3**2) * 0.1)
    assert f"turn here {turn:.1f}°" in clock.readout()
    assert clock.readout().endswith("how far they turn by k differs from t to t")


def test_a_mapped_hand_follows_the_pointer(open_instrument: Callable[..., Instrument]) -> None:
    instrument = open_instrument(kind="position-map", position=20, offset=8, pair=8)
    model = instrument.model
    grip = HandGrip(model)
    grip.take(8, 0.0, moves_offset=False)
    for step in range(1, 41):
        grip.turn_to(0.01 * step)
    grip.let_go()
    # 0.4 radians are 40 / (2 * 20) positions and a little less, for it turns faster and faster.
    assert model.cursor.position == 21.0
