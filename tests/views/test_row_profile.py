"""The profile where every row has its own: row t against the offset, and nothing that all rows would share."""

import math

import numpy as np
import pytest

from pe_desktop.core.cursor import Cursor, Span, full_span
from pe_desktop.core.kinds.ablations import PositionMapEncoding
from pe_desktop.core.kinds.naive import BitsEncoding, CounterEncoding, RandomEncoding
from pe_desktop.core.similarity import row_similarity, sampled_limits
from pe_desktop.draw import marks
from pe_desktop.views.similarity.layout import similarity_layout
from pe_desktop.views.similarity.picture import similarity_readout_picture
from pe_desktop.views.similarity.profile import profile_frame_picture, profile_limits, row_picture, row_positions
from tests.pictures import covered_texts, of_kind


def placed(n_positions, reach, width=900.0, height=400.0):
    rows = full_span(n_positions)
    return similarity_layout(width, height, rows, rows, Span(-reach, reach))


@pytest.mark.parametrize("kind", ["dot", "cosine", "distance"])
def test_row_t_is_compared_with_every_position_from_the_table(kind):
    encoding = PositionMapEncoding(64, 8)
    found = row_similarity(encoding, kind, encoding.values([20])[0], range(64))
    p = encoding.values([20])[0].tolist()
    for other in range(64):
        q = encoding.values([other])[0].tolist()
        dot = math.fsum(a * b for a, b in zip(p, q, strict=True))
        wanted = {
            "dot": dot,
            "cosine": dot / 4,
            "distance": math.sqrt(math.fsum((a - b) ** 2 for a, b in zip(p, q, strict=True))),
        }[kind]
        assert found[other] == pytest.approx(wanted, abs=1e-7 if kind == "distance" else 1e-12)


def test_the_visible_positions_lie_within_the_offsets_and_the_table():
    assert row_positions(placed(128, 10.0), 37.0, 128, 1000) == range(27, 48)
    assert row_positions(placed(128, 10.0), 3.5, 128, 1000) == range(14)
    assert row_positions(placed(128, 127.0), 37.0, 128, 1000) == range(128)
    sample = row_positions(placed(10_000, 5000.0), 7000.0, 10_000, 1000)
    assert (len(sample) <= 1000, sample.step, sample[0], sample[-1]) == (True, 8, 2000, 9992)


def test_the_line_passes_through_the_similarities_at_their_offsets(light):
    layout = placed(16, 15.0)
    offsets, values = np.arange(16.0) - 5, np.linspace(0.0, 30.0, 16)
    shown = row_picture(layout, (0.0, 30.0), (offsets, values), 12.0, Cursor(5.0, 1.0), light)
    (line,) = of_kind(shown, marks.Polyline)
    heights = [layout.profile.y + layout.profile.height * (1 - 0.96 * value / 30) for value in values]
    assert line.points[:, 1].tolist() == pytest.approx(heights)
    assert line.points[:, 0].tolist() == pytest.approx([layout.offset_x(k) for k in offsets.tolist()], abs=0.51)
    (dot,) = of_kind(shown, marks.Dots)
    height = heights[0] - 0.96 * 0.4 * layout.profile.height
    assert dot.centers[0].tolist() == pytest.approx([layout.offset_x(1.0), height])


def test_an_undefined_similarity_leaves_a_hole_and_no_dot(light):
    layout = placed(8, 7.0)
    encoding = CounterEncoding(8, 2)
    row = row_similarity(encoding, "cosine", encoding.values([3])[0], range(8))
    assert math.isnan(row[0])
    shown = row_picture(layout, (0.0, 1.0), (np.arange(8.0) - 3, row), math.nan, Cursor(3.0, -3.0, 0), light)
    assert len(of_kind(shown, marks.Polyline)[0].points) == 7
    assert of_kind(shown, marks.Dots) == []


def test_the_legend_names_row_t_alone_and_says_why(light):
    shown = profile_frame_picture(placed(64, 63.0), "dot", (0.0, 16.0), None, light, is_shared=False)
    words = [text.text for text in of_kind(shown, marks.Text)]
    assert "row t; depends on more than the offset" in words
    assert "every row" not in words
    assert covered_texts(shown) == []


@pytest.mark.parametrize(
    ("encoding", "kind", "wanted"),
    [
        (CounterEncoding(100, 3), "dot", (0.0, 99.0**2)),
        (CounterEncoding(100, 3), "distance", (0.0, 99.0)),
        (CounterEncoding(100, 3), "cosine", (1.0, 1.0)),
        (BitsEncoding(64, 6), "dot", (0.0, 6.0)),
    ],
    ids=["counter dot", "counter distance", "counter cosine", "bits dot"],
)
def test_the_axis_reaches_as_far_as_the_similarities_of_a_sample(encoding, kind, wanted):
    assert sampled_limits(encoding, kind) == pytest.approx(wanted)


@pytest.mark.parametrize("kind", ["dot", "cosine", "distance"])
def test_one_row_of_zeros_has_no_cosine_and_still_an_axis(light, kind):
    encoding = CounterEncoding(1, 3)
    limits = sampled_limits(encoding, kind)
    assert limits == (0.0, 0.0)
    heights = profile_limits(limits, None)
    assert heights == (0.0, 1.0)
    levels = of_kind(profile_frame_picture(placed(1, 1.0), kind, heights, None, light, is_shared=False), marks.Text)
    assert {"0", "1"} <= {mark.text for mark in levels}


def test_a_sample_of_random_vectors_reaches_below_0():
    low, high = sampled_limits(RandomEncoding(), "dot")
    assert low < -10
    assert high > 30


@pytest.mark.parametrize(
    ("spread", "words"), [(13.4, "± 6.7"), (2.66, "± 1.3"), (0.0, "± 0"), (4.4e-14, "± 2.2×10⁻¹⁴"), (1e14, "± 5×10¹³")]
)
def test_a_spread_is_told_in_plain_numbers_where_it_is_one(light, spread, words):
    shown = similarity_readout_picture(placed(64, 63.0), "dot", Cursor(), (1.0, math.nan), spread, light)
    texts = [text.text for text in of_kind(shown, marks.Text)]
    assert any(text.endswith(words) for text in texts)
    assert any(text.formula.endswith("= undefined") for text in of_kind(shown, marks.FormulaText))


def test_the_sample_behind_an_axis_holds_so_many_values_at_most(monkeypatch):
    asked = []
    values = RandomEncoding.values

    def counted(encoding, positions, dimensions=None):
        asked.append(len(positions) * encoding.d_model)
        return values(encoding, positions, dimensions)

    monkeypatch.setattr(RandomEncoding, "values", counted)
    sampled_limits(RandomEncoding(1000, 65_536), "cosine")
    sampled_limits(RandomEncoding(1000, 64), "cosine")
    assert asked == [2**22, 129 * 64]
