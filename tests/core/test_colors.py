"""What the colours of a map reach: as it is typed, and over the values that are seen, by plain loops."""

import math

import numpy as np
import pytest

from pe_desktop.core import CounterEncoding, RandomEncoding, SinusoidalEncoding
from pe_desktop.core.choices import MatrixView
from pe_desktop.core.cursor import Span
from pe_desktop.core.fields.field import (
    Blocks,
    Line,
    ShownField,
    _most_limits,
    _seen_limits,
    color_scale,
    quick_scale,
    scale_takes_long,
)
from pe_desktop.core.fields.similarity import similarity_field
from pe_desktop.core.fields.table import EncodingField
from pe_desktop.core.rules import rules_of
from tests.core.exact import evaluated_sizes
from tests.tables import table


def test_a_cell_that_is_cut_by_the_edge_is_seen_and_products_none_below_0_reach_from_the_least_to_the_greatest():
    # Sine of the last pair; what else is seen of a table: tests/views/test_matrix.py.
    field, largest = EncodingField(SinusoidalEncoding(100, 128)), math.sin(20 * 10_000 ** (-126 / 128))
    assert _seen_limits(field, Span(126.0, 127.0), Span(0.5, 20.1))[1] == pytest.approx(largest, rel=1e-5)
    distances = similarity_field(SinusoidalEncoding(1000, 1000), "distance")
    assert _seen_limits(distances, Span(0.0, 1.0), Span(999.0, 1000.0)) == distances.limits
    dots = [math.fsum(math.cos(k * 10_000 ** (-i / 256)) for i in range(256)) for k in range(4, 8)]
    seen = _seen_limits(similarity_field(SinusoidalEncoding(8, 512), "dot"), Span(0.0, 1.0), Span(4.0, 8.0))
    assert seen == pytest.approx((min(dots), max(dots)))


def test_tiles_are_those_of_the_field_cut_off_at_the_ends():
    encoding, line = SinusoidalEncoding(64, 8), Line(100.0, 5.0, (-0.25, 0.25))
    seen = ShownField(EncodingField(encoding), (-0.25, 0.25))
    rows, columns = Blocks(0, 1, 8), Blocks(0, 1, 64)
    levels = np.zeros((8, 64))
    for tile in seen.tiles(rows, columns, line):
        assert tile is not None
        levels[tile[0], tile[1]] = tile[2]
    wanted = np.clip(encoding.values(range(64)).T, -0.25, 0.25) * 100.0 + 5.0
    assert np.abs(levels - wanted).max() < 1e-3
    assert seen.value(3, 5) == encoding.values([5], [3])[0, 0]


@pytest.mark.parametrize("measure", ["dot", "cosine", "distance"])
def test_the_range_of_a_very_wide_field_adds_up_no_more_than_a_window_waits_for(measure, monkeypatch):
    field = similarity_field(RandomEncoding(100_000, 65_536), measure)
    assert field.limits[0] < field.limits[1]
    evaluated = evaluated_sizes(monkeypatch, RandomEncoding)
    least, greatest = _seen_limits(field, Span(0.0, 100_000.0), Span(0.0, 100_000.0))
    assert least < greatest
    assert sum(evaluated) <= 2**25


@pytest.mark.parametrize("last", [1.0, 2.0, 19.0, 20.0, 100.0])
def test_most_of_a_window_lies_between_the_quantiles_of_its_values(last):
    encoding = CounterEncoding(100, 4)
    low, high = _most_limits(EncodingField(encoding), Span(0.0, 1.0), Span(0.0, last))
    if last > 1.0:
        expected = np.quantile(encoding.values(range(int(last)), [0]), (0.05, 0.95))
        assert (low, high) == pytest.approx(expected, rel=1e-6)
    else:
        assert (low, high) == EncodingField(encoding).limits


@pytest.mark.parametrize("color_range", ["seen", "most"])
@pytest.mark.parametrize("measure", ["dot", "distance"])
def test_a_quick_range_is_about_that_of_all_that_is_seen_and_computes_few_values(color_range, measure, monkeypatch):
    field, everything = similarity_field(RandomEncoding(2_000, 64), measure), Span(0.0, 2_000.0)
    window = (color_range, everything, everything)
    assert scale_takes_long(field, *window)
    exact = color_scale(field, *window)
    evaluated = evaluated_sizes(monkeypatch, RandomEncoding)
    quick = quick_scale(field, *window)
    assert (quick.is_quick, exact.is_quick, quick.is_seen) == (True, False, exact.is_seen)
    assert sum(evaluated) <= 2**17
    assert quick.limits[1] == pytest.approx(exact.limits[1], rel=0.7)
    assert quick.of(field).limits == quick.limits
    assert not scale_takes_long(exact.of(field), "whole", everything, everything)


RULE = rules_of(MatrixView)["range"]
TABLES = table("core/ranges")
ALL = Span(0.0, 128.0)


@pytest.mark.parametrize(("typed", "taken"), TABLES["typed"])
def test_a_range_is_a_word_two_values_or_one_for_both_sides_of_0(typed, taken) -> None:
    assert RULE.read(typed) == (taken if isinstance(taken, str) else Span(*taken))


# 16 hands: dot products lie within 16, distances below 8.
@pytest.mark.parametrize(("measure", "typed", "limits", "is_cut"), TABLES["limits"])
def test_ranges_keep_0_in_the_middle_and_tell_what_lies_beyond(measure, typed, limits, is_cut) -> None:
    field = similarity_field(SinusoidalEncoding(128, 32), measure)
    scale = color_scale(field, RULE.read(typed), ALL, ALL)
    assert ([*scale.limits], [*scale.is_cut], scale.is_seen) == (limits, is_cut, False)
    assert scale.of(field) == (field if typed == "whole" else ShownField(field, scale.limits))
