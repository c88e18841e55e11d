"""What is left of an embedding: a counter drowns it, bounded encodings don't."""

import math

import numpy as np
import pytest

from pe_desktop.core.embedding_sum import embedding, embedding_sum, last_embedding_sum, turned_by
from pe_desktop.core.kinds.naive import CounterEncoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding


def length(values):
    return math.sqrt(math.fsum(value * value for value in values))


def test_the_embedding_is_the_seeded_random_vector_of_variance_1():
    assert embedding(64).tolist() == np.random.default_rng(0).normal(size=64).tolist()
    assert float(np.mean(embedding(65_536) ** 2)) == pytest.approx(1.0, abs=0.02)


def test_the_counter_at_511_is_as_many_times_as_long_as_511_over_the_embedding():
    x = np.random.default_rng(0).normal(size=128).tolist()
    lengths = last_embedding_sum(CounterEncoding(512, 128))
    assert lengths.ratio == pytest.approx(511 / length(x), rel=1e-14)
    assert lengths.share == pytest.approx(511 / (length(x) + 511), rel=1e-14)
    assert round(lengths.ratio) == 47


def test_a_sinusoidal_vector_is_about_as_long_as_the_embedding_everywhere():
    encoding = SinusoidalEncoding(512, 128)
    x = np.random.default_rng(0).normal(size=128).tolist()
    for position in (0, 37, 511):
        lengths = embedding_sum(encoding.values([position])[0])
        assert lengths.encoding == pytest.approx(8.0, rel=1e-14)  # sqrt(d / 2)
        assert lengths.ratio == pytest.approx(8.0 / length(x), rel=1e-14)
    # Nothing is drowned where nothing is added.
    assert embedding_sum(np.zeros(16)).share == 0.0


@pytest.mark.parametrize("position", [0, 37, 511])
def test_the_angle_of_x_and_x_plus_pe_is_that_of_a_triangle_with_their_sides(position):
    # The law of cosines, from sums of squares alone.
    vector = SinusoidalEncoding(512, 128).values([position])[0].tolist()
    for is_scaled, factor in ((True, 1.0), (False, 1 / math.sqrt(128))):
        x = [factor * value for value in np.random.default_rng(0).normal(size=128).tolist()]
        total = [one + other for one, other in zip(x, vector, strict=True)]
        a, b, c = length(x), length(total), length(vector)
        wanted = math.degrees(math.acos((a * a + b * b - c * c) / (2 * a * b)))
        assert turned_by(np.array(vector), is_scaled=is_scaled) == pytest.approx(wanted, rel=1e-9)


def test_the_angle_keeps_its_digits_where_it_is_small_and_ends_at_a_half_turn():
    x = embedding(4)
    across = np.array([1.0, 0, 0, 0]) - x[0] / np.dot(x, x) * x
    tiny = 1e-9 * across / np.linalg.norm(across)
    assert turned_by(tiny) == pytest.approx(math.degrees(1e-9 / np.linalg.norm(x)), rel=1e-6)
    assert turned_by(np.zeros(4)) == 0
    assert turned_by(-3 * x) == pytest.approx(180)
    assert turned_by(-x) == 0  # nothing is left to turn
