"""What is left of an embedding: a counter drowns it, bounded encodings don't."""

import math

import numpy as np
import pytest

from pe_desktop.core.fields.similarity import embedding, turned_by
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding


def length(values):
    return math.sqrt(math.fsum(value * value for value in values))


def test_the_embedding_is_the_seeded_random_vector_of_variance_1_and_keeps_small_angles_and_half_turns():
    assert embedding(64).tolist() == np.random.default_rng(0).normal(size=64).tolist()
    assert float(np.mean(embedding(65_536) ** 2)) == pytest.approx(1.0, abs=0.02)
    x = embedding(4)
    across = np.array([1.0, 0, 0, 0]) - x[0] / np.dot(x, x) * x
    tiny = 1e-9 * across / np.linalg.norm(across)
    assert turned_by(tiny) == pytest.approx(math.degrees(1e-9 / np.linalg.norm(x)), rel=1e-6)
    assert turned_by(np.zeros(4)) == 0
    assert turned_by(-3 * x) == pytest.approx(180)
    assert turned_by(-x) == 0  # nothing is left to turn


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
