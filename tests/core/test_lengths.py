"""Hands of another length, another start and another scale: what changes in similarities, shifts and fields."""

import itertools
import math

import numpy as np
import pytest

from pe_desktop.core import SinusoidalEncoding, rotation_blocks, shift_residuals
from pe_desktop.core.fields.field import Blocks
from pe_desktop.core.fields.means import attenuation
from pe_desktop.core.fields.similarity import similarity_field
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.lags import MEASURES, profile, profile_at, squared_norm

N = 60
ENCODINGS = [
    SinusoidalEncoding(N, 12, amplitude=0.25),
    SinusoidalEncoding(N, 12, start=1000.75, amplitude=3.0, layout="cosine-first"),
    SinusoidalEncoding(N, 12, 100.0, "inclusive", "half-split", 2.0, math.sqrt(2 / 12), 2 * math.pi),
    SinusoidalEncoding(N, 12, 100.0, "linear", start=-3.5, scale=1000.0),
    SinusoidalEncoding(N, 12, spacing="single", amplitude=2.0, scale=0.1),
]


def name_of(encoding):
    return f"{encoding.start}-{encoding.amplitude:.3}-{encoding.scale:.3}"


@pytest.mark.parametrize("encoding", ENCODINGS, ids=name_of)
def test_hands_are_the_table_and_as_long_as_the_amplitude(encoding):
    pairs, positions = encoding.pairs, [0, 5, 59, 2.5, -7]
    hands = pairs.hands(positions)
    np.testing.assert_allclose(np.hypot(*np.moveaxis(hands, 2, 0)), encoding.amplitude, rtol=1e-14)
    np.testing.assert_array_equal(hands, encoding.values(positions)[:, pairs.columns])
    np.testing.assert_allclose(hands[:, :, 0], encoding.amplitude * np.sin(pairs.angles(positions)), atol=1e-14)
    assert pairs.lengths.tolist() == [encoding.amplitude] * 6
    assert pairs.turns_evenly


@pytest.mark.parametrize("encoding", ENCODINGS, ids=name_of)
def test_shift_matrix_knows_neither_start_nor_amplitude(encoding):
    plain = SinusoidalEncoding(N, 12, encoding.base, encoding.spacing, scale=encoding.scale)
    for offset in (1, -3, 17, 2.5):
        np.testing.assert_array_equal(rotation_blocks(encoding, offset), rotation_blocks(plain, offset))
        assert shift_residuals(encoding, offset, range(N)).max() < 4e-15 * max(encoding.amplitude, 1)


@pytest.mark.parametrize("encoding", ENCODINGS, ids=name_of)
def test_similarities_by_offset_are_those_of_the_table(encoding):
    table = encoding.values(range(N))
    assert squared_norm(encoding.pairs) == pytest.approx((table[7] ** 2).sum(), rel=1e-14)
    by_loop: dict[str, list[float]] = {"dot": [], "cosine": [], "distance": []}
    for offset in range(N):
        dot = math.fsum(table[0] * table[offset])
        by_loop["dot"].append(dot)
        by_loop["cosine"].append(dot / math.fsum(table[0] ** 2))
        by_loop["distance"].append(math.sqrt(math.fsum((table[0] - table[offset]) ** 2)))
    for kind in MEASURES:
        scale = max(np.abs(by_loop[kind]).max(), 1e-3)
        every = profile(encoding, kind, N)
        assert every is not None
        assert np.abs(every - by_loop[kind]).max() < 1e-13 * scale
        assert (
            np.abs(profile_at(encoding, kind, [0, 31, 7]) - np.array(by_loop[kind])[[0, 31, 7]]).max() < 1e-13 * scale
        )


@pytest.mark.parametrize("encoding", ENCODINGS, ids=name_of)
@pytest.mark.parametrize("kind", ["dot", "cosine", "distance"])
@pytest.mark.parametrize(
    ("rows", "columns"), [(Blocks(3, 1, 20), Blocks(0, 1, 9)), (Blocks(0, 7, 8), Blocks(2, 5, 11))]
)
def test_similarity_fields_average_the_table(encoding, kind, rows, columns):
    table = encoding.values(range(N))
    field = similarity_field(encoding, kind)
    shown = field.means(rows, columns)
    assert field.limits[1] >= shown.max() * (1 - 1e-12)
    for i, j in itertools.product(range(rows.count), range(columns.count)):
        left, right = (table[b.first + b.size * n : b.first + b.size * (n + 1)] for b, n in ((rows, i), (columns, j)))
        dots = left @ right.T
        if kind == "distance":
            squares = (left**2).sum(1)[:, np.newaxis] + (right**2).sum(1) - 2 * dots
            wanted = math.sqrt(max(squares.mean(), 0))
        else:
            wanted = dots.mean() / (squared_norm(encoding.pairs) if kind == "cosine" else 1)
        assert shown[i, j] == pytest.approx(wanted, abs=3e-7 * max(encoding.amplitude, 1))


@pytest.mark.parametrize("encoding", ENCODINGS, ids=name_of)
@pytest.mark.parametrize("field_of", [EncodingField, HalvesField])
@pytest.mark.parametrize("size", [1, 4, 9])
def test_fields_of_the_table_average_its_cells(encoding, field_of, size):
    field = field_of(encoding)
    assert field.limits == (-encoding.amplitude, encoding.amplitude)
    shown = field.means(Blocks(0, 3, 4), Blocks(5, size, 5))
    for i, j in itertools.product(range(4), range(5)):
        cells = [
            field.value(row, position)
            for row in range(3 * i, 3 * i + 3)
            for position in range(5 + size * j, 5 + size * (j + 1))
        ]
        assert shown[i, j] == pytest.approx(math.fsum(cells) / len(cells), abs=2e-6 * encoding.amplitude)


@pytest.mark.parametrize("omega", [1.0, 1e-4, 3.0, 2 * math.pi, 4 * math.pi, 2 * math.pi + 1e-7, math.pi, 12.0])
@pytest.mark.parametrize("n", [1, 2, 3, 10, 1001])
def test_a_mean_over_adjacent_positions_shortens_a_hand(omega, n):
    pairs = SinusoidalEncoding(10, 2, scale=omega).pairs
    turn = math.fmod(omega, 2 * math.pi)
    middle = (n - 1) / 2
    whole = round((omega - turn) / (2 * math.pi))
    # Whole turns leave half a turn behind where the middle lies between two positions.
    sign = -1 if n % 2 == 0 and whole % 2 == 1 else 1
    wanted = sign * math.fsum(math.cos((place - middle) * turn) for place in range(n)) / n
    assert attenuation(pairs, n)[0] == pytest.approx(wanted, abs=1e-9)
