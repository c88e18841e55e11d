"""Waves over one axis: the first figure of the texts with its curves, its legend and the values at t and t + k."""

import math

import numpy as np
import pytest

from pe_desktop.core.state import state_of, with_name
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box
from pe_desktop.model.findings import Computed
from pe_desktop.views.waves import scene as view
from tests.pictures import of_kind

FOUR = state_of({"preset": "four-waves"})


def test_four_curves_share_one_axis_and_pass_through_the_values_of_the_table(light):
    box = Box(760.0, 400.0, 1.0, light)
    layout = view.layout_of(FOUR, box)
    lines = of_kind(view.scene(FOUR, Computed(), box).still(), marks.Polyline)
    curves = ((math.sin, 1.0), (math.cos, 1.0), (math.sin, 0.01), (math.cos, 0.01))
    for function, omega in curves:
        wanted = [function(t * omega) for t in range(100)]
        gaps = []
        for line in lines:
            heights = (layout.levels[0].place(0.0) - line.points[:, 1]) / layout.amplitude
            positions = [layout.positions.value(x) for x in line.points[:, 0].tolist()]
            gaps.append(float(np.abs(np.interp(np.arange(100.0), positions, heights) - wanted).max()))
        assert min(gaps) < 0.01
    assert len(lines) == 4


def test_legend_names_dimensions_and_pairs_as_the_text_and_gives_their_values(light):
    scene = view.scene(FOUR, Computed(), Box(760.0, 400.0, 1.0, light))
    texts = [mark.text for mark in of_kind(scene.still(), marks.Text)]
    assert [text for text in texts if text.startswith("Dim")] == [
        "Dim 0 (i = 0)", "Dim 1 (i = 0)", "Dim 2 (i = 1)", "Dim 3 (i = 1)",
    ]  # fmt: skip
    later = [f"{value:.2f}".replace("-", "−") for value in (math.sin(99), math.cos(99), math.sin(0.99), math.cos(0.99))]
    assert [mark.text for mark in of_kind(scene.moving, marks.Text) if mark.role == "tick"] == later
    assert [place.name for place in scene.places()][:2] == ["pair 0", "pair 1"]


@pytest.mark.parametrize(("assignments", "first", "last"), [
    ({"layout": "half-split", "d_model": "8"}, "Dim 0 (i = 0)", "Dim 7 (i = 3)"),
    ({"kind": "random", "d_model": "8"}, "Dim 0", "Dim 7"),
    ({"kind": "odd-width", "d_model": "9"}, "Dim 0", "Dim 8"),
])  # fmt: skip
def test_legend_of_other_layouts_and_kinds_names_their_columns(light, assignments, first, last):
    state = state_of({**assignments, "waves.mode": "overlay", "pinned_pairs": "0 1 2 3 4"})
    scene = view.scene(state, Computed(), Box(760.0, 600.0, 1.0, light))
    names = [mark.text for mark in of_kind(scene.still(), marks.Text) if mark.text.startswith("Dim")]
    assert (names[0], names[-1]) == (first, last)


def test_a_low_plot_names_as_many_curves_as_fit_and_counts_the_others(light):
    state = with_name(state_of({"waves.mode": "overlay"}), "pinned_pairs", " ".join(map(str, range(16))))
    scene = view.scene(state, Computed(), Box(760.0, 200.0, 1.0, light))
    texts = [mark.text for mark in of_kind(scene.still(), marks.Text)]
    named = [text for text in texts if text.startswith("Dim")]
    assert f"{32 - len(named)} more" in texts
    # All curves are drawn, whatever the legend has room for.
    assert len(of_kind(scene.still(), marks.Polyline)) == 32
