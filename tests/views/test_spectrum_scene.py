"""The spectrum as a scene: what stays while the cursor moves, and an encoding that has none."""

from pe_desktop.core.state import state_of
from pe_desktop.draw.scene import Box
from pe_desktop.views.encoding.scene import scene


def test_the_still_part_stays_while_the_cursor_moves_and_goes_with_the_encoding(light):
    box = Box(400.0, 118.0, 1.0, light)
    assigned = ({"position": "3", "pair": "1"}, {"position": "90", "offset": "-4", "pair": "7"}, {"d_model": "16"})
    first, moved, other = (scene(state_of(names), box) for names in assigned)
    assert first.still == moved.still != other.still
    assert first.moving != moved.moving


def test_an_encoding_that_turns_nothing_has_no_spectrum(light):
    empty = scene(state_of({"kind": "random"}), Box(300.0, 118.0, 1.0, light))
    assert (empty.moving, empty.still()) == ((), ())
