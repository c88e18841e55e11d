"""What every page promises at sizes that nobody chose: a sample that is another one in each run."""

import math
import random
from collections.abc import Callable

import pytest

from pe_desktop.core.kinds import KINDS, switched
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State, state_of, with_encoding
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Computed
from pe_desktop.views.table import VIEWS
from tests.golden.states import STATES
from tests.pictures import Sheet, touching_texts

N_BOXES = 12
N_SMALL_BOXES = 20
# Wider than any panel gets narrow: the docks keep so much.
NARROWEST, WIDEST = 250, 1900
# Of a table so large, nothing is asked here.
TOO_LARGE = {"largest"}


def some_state(luck: random.Random) -> tuple[str, State]:
    """One of the states whose pictures are kept, or its encoding's size in another kind."""
    name = luck.choice([name for name in STATES if name not in TOO_LARGE])
    state, kind = state_of(STATES[name]), luck.choice([*KINDS])
    if luck.random() < 0.5:
        return name, state
    return f"{name} {kind}", with_encoding(state, switched(SinusoidalEncoding(), kind))


@pytest.mark.parametrize("view", VIEWS)
def test_texts_stand_four_pixels_apart_at_any_width(view: str, light: Theme, luck: random.Random) -> None:
    module = VIEWS[view].module()
    for _ in range(N_BOXES):
        name, state = some_state(luck)
        width, height = luck.uniform(NARROWEST, WIDEST), luck.uniform(150.0, 1100.0)
        needed = module.height(state, Computed(), width, light)
        if needed == math.inf:
            continue
        box = Box(width, needed or height, 1.0, light, is_paper=luck.random() < 0.3)
        scene = module.scene(state, Computed(), box)
        assert touching_texts((*scene.still(), *scene.moving)) == [], (name, box.width, box.height, box.is_paper)


@pytest.mark.parametrize("view", VIEWS)
def test_a_page_is_drawn_in_any_box_from_one_pixel_to_three_hundred(
    view: str, light: Theme, luck: random.Random, painted: Callable[..., Sheet]
) -> None:
    module = VIEWS[view].module()
    for _ in range(N_SMALL_BOXES):
        name, state = some_state(luck)
        width, height = luck.choice([luck.randint(1, 300), luck.randint(NARROWEST, WIDEST)]), luck.randint(1, 300)
        scene = module.scene(state, Computed(), Box(float(width), float(height), 1.0, light))
        picture = (*scene.still(), *scene.moving)
        places = [place.area for place in scene.places()]
        frames = [mark for mark in picture if isinstance(mark, marks.Rectangle)]
        is_narrow = width < NARROWEST
        assert is_narrow or all(one.width >= 0.0 <= one.height for one in [*places, *frames]), (name, width, height)
        painted(picture, width=width, height=height)
