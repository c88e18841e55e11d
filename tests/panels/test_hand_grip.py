"""A hand that is held by the pointer, without a window."""

import math

import pytest

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds import KINDS
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import with_encoding
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.hand_grip import HandGrip


@pytest.mark.parametrize("fewer", [SinusoidalEncoding(128, 4), KINDS["bits"](128, 8), KINDS["counter"](128, 4)])
def test_a_hand_that_another_encoding_lacks_is_let_go_where_it_stood(model: EncodingModel, fewer: Encoding) -> None:
    grip = HandGrip(model)
    grip.take(15, 0.0, moves_offset=False)
    before = model.cursor.position
    model.set_state(with_encoding(model.state, fewer), "encoding")
    grip.turn_to(math.pi / 2)
    grip.let_go()
    assert model.cursor.position == before
    assert not model.is_held
