"""A hand that is held by the pointer, without a window."""

import math

import pytest

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds import KINDS
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import with_encoding
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.gestures import _HandGrip


@pytest.mark.parametrize("fewer", [SinusoidalEncoding(128, 4), KINDS["bits"](128, 8), KINDS["counter"](128, 4)])
def test_a_hand_that_another_encoding_lacks_is_let_go_where_it_stood(model: EncodingModel, fewer: Encoding) -> None:
    grip = _HandGrip(model)
    grip.take(15, 0.0, moves_offset=False)
    before = model.cursor.position
    model.set_state(with_encoding(model.state, fewer), "encoding")
    grip.turn_to(math.pi / 2)
    grip.let_go()
    assert model.cursor.position == before
    assert not model.is_held


def test_a_mapped_hand_and_the_hand_of_a_bit_follow_the_pointer(make_model) -> None:
    model = make_model(KINDS["position-map"](), Cursor(20.0, 8.0, 8))
    grip = _HandGrip(model)
    grip.take(8, 0.0, moves_offset=False)
    for step in range(1, 41):
        grip.turn_to(0.01 * step)
    grip.let_go()
    # 0.4 radians are 40 / (2 * 20) positions and a little less, for it turns faster and faster.
    assert model.cursor.position == 21.0
    # Bit 6 turns by a quarter in 32 positions.
    model = make_model(KINDS["bits"](128, 8), Cursor(0.0))
    grip = _HandGrip(model)
    grip.take(6, 0.0, moves_offset=False)
    grip.turn_to(math.pi / 2)
    assert (model.cursor.pair, model.cursor.position) == (3, pytest.approx(32.0))
    grip.let_go()
