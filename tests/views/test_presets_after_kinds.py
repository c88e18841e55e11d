"""A preset shows its picture whatever stood before it: what its view needs is assigned, or any encoding has it."""

import random

import pytest

from pe_desktop.core.presets import PRESETS
from pe_desktop.core.state import State, with_preset
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Computed
from pe_desktop.views.table import VIEWS

# One for each kind without pairs: the similarity of its rows is no function of the offset, and there is no M_k.
BEFORE = ("sine-only", "odd-width", "counter", "normalised-counter", "binary", "gray", "random")
# Of its four parts the last is about M_k: after these kinds it says why there is none, the others stay.
WITHOUT_ROTATION = "reasons"


def n_drawn(state: State, key: str, theme: Theme) -> int:
    """How many marks of a view are no text."""
    scene = VIEWS[key].module().scene(state, Computed(), Box(900.0, 650.0, 1.0, theme))
    picture = (*scene.still(), *scene.moving)
    return sum(not isinstance(mark, marks.Text | marks.FormulaText) for mark in picture)


@pytest.mark.parametrize("before", BEFORE)
def test_a_preset_of_an_encoding_shows_what_it_shows_after_the_first_start(before: str) -> None:
    start = with_preset(State(), before)
    assert start.encoding.pairs is None
    for preset in PRESETS.values():
        if preset.has_encoding:
            after, first = with_preset(start, preset.id), with_preset(State(), preset.id)
            assert after.encoding == first.encoding, preset.id
            assert after.views == first.views, preset.id
            if {"position", "pair"} <= {*preset.assignments}:
                assert after.cursor == first.cursor, preset.id


@pytest.mark.parametrize("id_", [preset.id for preset in PRESETS.values() if not preset.has_encoding])
def test_a_preset_that_keeps_the_encoding_draws_its_picture_whichever_that_is(
    id_: str, light: Theme, luck: random.Random
) -> None:
    first = with_preset(State(), id_)
    usual = {key: n_drawn(first, key, light) for key in first.views.front}
    assert usual
    for before in luck.sample(BEFORE, 2):
        after = with_preset(with_preset(State(), before), id_)
        assert after.views.front == first.views.front
        for key, count in usual.items():
            least = 0.2 if id_ == WITHOUT_ROTATION else 0.5
            assert n_drawn(after, key, light) >= max(least * count, 1), (before, key)
