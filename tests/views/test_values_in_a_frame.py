"""How many values of the table a frame computes while nothing is known yet, where rows differ."""

import math
import operator
from typing import Any

import pytest

from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds.ablations import DoubledExponentEncoding, OneWaveEncoding, PositionMapEncoding
from pe_desktop.core.kinds.naive import CounterEncoding, RandomEncoding
from pe_desktop.core.state import State, with_name
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import themes
from pe_desktop.heat.heatmap import HeatMap
from pe_desktop.model.findings import Computed
from pe_desktop.views.map_and_profile import row_curve
from pe_desktop.views.table import VIEWS
from tests.core.exact import evaluated_sizes
from tests.views.test_properties import Known

N_POSITIONS = 1_000_000
# Of counters and bits most columns are zeros, which cost next to nothing.
KINDS = [RandomEncoding, OneWaveEncoding, DoubledExponentEncoding, PositionMapEncoding]
# Some 10 ms of values for all views together; those of t and t + k, of 65,536 dimensions each, come on top.
MOST_VALUES = 2**19


def draw(state: State, view: str) -> None:
    """All that a first frame of a view draws."""
    scene = VIEWS[view].module().scene(state, Known(share=None), Box(900.0, 500.0, 1.0, themes()["light"]))
    scene.still()
    scene.places()
    if scene.heat is not None:
        HeatMap().first_image(scene.heat.field, scene.heat.view, scene.heat.size_px(1.0), scene.heat.colors)


@pytest.mark.parametrize("color_range", ["whole", "seen", "most"])
@pytest.mark.parametrize("d_model", [512, 65_536])
def test_a_first_frame_computes_few_values_whatever_the_size(luck, monkeypatch, d_model, color_range) -> None:
    kind: Any = luck.choice(KINDS)
    state = State(kind(n_positions=N_POSITIONS, d_model=d_model), Cursor(position=300_000.0))
    for name in ("matrix.range", "similarity.range"):
        state = with_name(state, name, color_range)
    sizes = evaluated_sizes(monkeypatch, kind)
    for view in ("waves", "matrix", "similarity", "clock", "properties"):
        draw(state, view)
    rows_of_cursor = 8 * d_model
    assert sum(sizes) <= MOST_VALUES + rows_of_cursor


def test_the_colours_of_random_vectors_are_about_right_at_first_and_exact_when_they_are_known() -> None:
    state = with_name(State(RandomEncoding(10_000, 64)), "similarity.range", "whole")
    box = Box(900.0, 500.0, 1.0, themes()["light"])
    view = VIEWS["similarity"].module()
    quick, exact = (view.scene(state, answers, box).heat.field.limits[1] for answers in (Known(share=None), Computed()))
    vectors = state.encoding.values(range(10_000))
    assert exact == pytest.approx(max(sum(value * value for value in row) for row in vectors.tolist()), rel=1e-12)
    assert 0.5 * exact < quick <= exact


@pytest.mark.parametrize("measure", ["dot", "cosine", "distance"])
@pytest.mark.parametrize("kind", [RandomEncoding, CounterEncoding])
def test_row_t_of_a_very_wide_table_ends_as_a_plain_loop_has_it(kind: Any, measure: str) -> None:
    encoding: Encoding = kind(n_positions=1000, d_model=20_000)
    vector = encoding.values([7.0])[0]
    curve = row_curve(encoding, measure, Span(-999.0, 999.0), 7.0, vector)
    assert len(curve.offsets) == 6
    for offset, value in zip(curve.offsets.tolist(), curve.values.tolist(), strict=True):
        other = encoding.values([7.0 + offset])[0]
        plain = {
            "dot": sum(map(operator.mul, vector.tolist(), other.tolist())),
            "cosine": float(vector @ other) / math.sqrt(float(vector @ vector) * float(other @ other) or math.nan),
            "distance": math.dist(vector.tolist(), other.tolist()),
        }[measure]
        assert value == pytest.approx(plain, rel=1e-9, nan_ok=True)
