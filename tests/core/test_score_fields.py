"""Fields of scores against plain loops: small tables whole, random windows of huge ones, block by block."""

from functools import cache

import numpy as np
import pytest

from pe_desktop.core import RandomEncoding, SinusoidalEncoding
from pe_desktop.core.fields.field import Blocks, Field, Line
from pe_desktop.core.fields.offsets import Waves
from pe_desktop.core.fields.scores import score_field
from pe_desktop.core.kinds.sinusoidal import PaddedEncoding
from pe_desktop.core.lags import Progression
from pe_desktop.core.scores.schemes import T5, Additive, Alibi, NoPositions, Rotary, Scheme, Shaw
from tests.core.exact import block_means

D = 12
QUERY, KEY = np.random.default_rng(4).standard_normal((2, D))
ENCODING = SinusoidalEncoding(60, D)
SCHEMES: dict[str, Scheme] = {
    "none": NoPositions(),
    "rope": Rotary(ENCODING),
    "half-split": Rotary(ENCODING, "half-split", 0.5),
    "nothing turns": Rotary(ENCODING, share=0.0),
    "mixed": Rotary(ENCODING, "mixed"),
    "alibi": Alibi(0.25),
    "t5": T5(3),
    "causal t5": T5(3, is_causal=True),
    "shaw": Shaw(5, 2),
    "added": Additive(ENCODING),
    "added with a padding row": Additive(PaddedEncoding(60, D, padding_idx=7)),
}
WINDOWS = {
    "single cells": (Blocks(3, 1, 20), Blocks(11, 1, 7)),
    "one cell": (Blocks(59, 1, 1), Blocks(0, 1, 1)),
    "square blocks": (Blocks(2, 4, 9), Blocks(5, 4, 12)),
    "flat blocks": (Blocks(0, 3, 20), Blocks(1, 7, 8)),
    "few blocks of unlike sizes": (Blocks(0, 17, 2), Blocks(3, 13, 3)),
    "cut at the edge": (Blocks(4, 9, 7), Blocks(0, 25, 3)),
    "one block": (Blocks(0, 60, 1), Blocks(0, 60, 1)),
}


def score(scheme: Scheme, row: int, column: int) -> float:
    """One score, spelled out."""
    here, there = np.array([float(row)]), np.array([float(column)])
    query, key = QUERY[np.newaxis], KEY[np.newaxis]
    return scheme.scores(scheme.inputs(query, here), scheme.inputs(key, there), here, there).item()


def scores_of(scheme: Scheme, rows: range, columns: range):
    """The scores of some positions, one by one."""
    return np.array([[score(scheme, row, column) for column in columns] for row in rows])


@cache
def table(name: str):
    """All scores of the small table."""
    return scores_of(SCHEMES[name], range(60), range(60))


def field_of(scheme: Scheme, n_positions: int = 60) -> Field:
    return score_field(scheme, QUERY, KEY, n_positions, (-4.0, 4.0))


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("name", SCHEMES)
def test_every_block_is_the_mean_of_its_cells_and_tiles_are_these_on_a_line_cut_off(name: str, window: str) -> None:
    rows, columns = WINDOWS[window]
    field, line = field_of(SCHEMES[name]), Line(203.0, 102.0, (-0.5, 0.75))
    expected = block_means(table(name), rows, columns)
    # Tables of positions are float32 where hands don't turn evenly.
    error = 1e-5 if name == "added with a padding row" else 1e-12
    assert np.abs(field.means(rows, columns) - expected).max() < error
    found = np.full((rows.count, columns.count), np.nan)
    for tile in field.tiles(rows, columns, line):
        if tile is not None:
            assert np.isnan(found[tile[0], tile[1]]).all()
            found[tile[0], tile[1]] = tile[2]
    assert np.abs(found - np.clip(expected, -0.5, 0.75) * 203.0 - 102.0).max() < 1e-3 + 203.0 * error


@pytest.mark.parametrize("name", SCHEMES)
def test_a_cell_is_the_score_of_its_positions(name: str) -> None:
    field = field_of(SCHEMES[name])
    for row, column in ((0, 0), (59, 0), (3, 41), (7, 8)):
        assert field.value(row, column) == pytest.approx(score(SCHEMES[name], row, column), abs=1e-12)


@pytest.mark.parametrize("name", ["rope", "mixed", "added", "alibi", "t5", "causal t5", "shaw"])
def test_random_blocks_of_a_huge_table_are_the_means_of_their_cells(name: str) -> None:
    generator, scheme, n_positions = np.random.default_rng(8), SCHEMES[name], 10_000_000
    field = field_of(scheme, n_positions)
    for _ in range(8):
        row = int(generator.integers(0, n_positions - 100))
        column = min(max(row + int(generator.integers(-40, 40)), 0), n_positions - 100)
        height, width = generator.integers(1, 12, 2).tolist()
        found = field.means(Blocks(row, height, 3), Blocks(column, width, 2))
        cells = scores_of(scheme, range(row, row + 3 * height), range(column, column + 2 * width))
        assert np.abs(found - block_means(cells, Blocks(0, height, 3), Blocks(0, width, 2))).max() < 1e-7


def test_alibi_over_one_block_of_ten_million_is_the_mean_of_a_triangle_and_far_blocks_keep_their_digits() -> None:
    n = 10_000_000
    field = score_field(Alibi(1.0), np.zeros(2), np.zeros(2), n, (-1.0, 1.0))
    # The mean of |t - s| is (n^2 - 1) / (3 n).
    whole = field.means(Blocks(0, n, 1), Blocks(0, n, 1)).item()
    assert whole == pytest.approx(-(n / 3 - 1 / (3 * n)), rel=1e-9)
    assert field.means(Blocks(0, 3, 1), Blocks(9_000_000, 5, 1)).item() == -(9_000_002 - 1)


def test_waves_are_cosines_with_the_phases_of_their_weights() -> None:
    pairs = ENCODING.pairs
    phases, lengths = np.linspace(-3.0, 2.0, pairs.count), np.linspace(0.5, 2.0, pairs.count)
    waves = Waves(pairs, lengths * np.exp(1j * phases), 0.75)
    offsets = Progression(-30.0, 0.5, 121)
    angles = np.outer(offsets.values, pairs.angular_frequencies)
    expected = 0.75 + (lengths * np.cos(phases + angles)).sum(axis=1)
    assert np.abs(waves.at(offsets) - expected).max() < 1e-12


def test_added_positions_without_closed_means_are_sampled_and_may_be_thinned() -> None:
    encoding = RandomEncoding(400, D)
    field = score_field(Additive(encoding), QUERY, KEY, 400, (-9.0, 9.0))
    rows, columns = Blocks(0, 10, 40), Blocks(0, 10, 40)
    whole = block_means(scores_of(Additive(encoding), range(20), range(20, 40)), Blocks(0, 10, 2), Blocks(0, 10, 2))
    assert np.abs(field.means(Blocks(0, 10, 2), Blocks(20, 10, 2)) - whole).max() < 1e-5
    assert field.averages == "mean of samples"
    exact = score_field(Additive(SinusoidalEncoding(400, D)), QUERY, KEY, 400, (-9.0, 9.0))
    mixed = score_field(Rotary(SinusoidalEncoding(400, D), "mixed"), QUERY, KEY, 400, (-9.0, 9.0))
    assert exact.averages == mixed.averages == "mean"
    assert field.terms(rows, columns).count == 10 * D
    (tile,) = (tile for tile in field.thinned(D).tiles(rows, columns, Line()) if tile is not None)
    assert tile[2].shape == (40, 40)


def test_a_thinned_product_of_every_hand_in_the_table_selects_whole_hands_and_stands_for_all() -> None:
    """Means of a padded table are closed, so only hands may be left out: 4 of 32, its sines before its cosines."""
    encoding = PaddedEncoding(300, 64, padding_idx=0)
    zero = np.zeros(64)
    field = score_field(Additive(encoding), zero, zero, 300, (-9.0, 9.0))
    thinned, blocks = field.thinned(8), Blocks(20, 5, 30)
    assert (field.terms(blocks, blocks).count, thinned.terms(blocks, blocks).count) == (64, 8)
    table = encoding.values(range(20, 170))
    means = table.reshape(30, 5, 64).mean(axis=1)
    chosen = [4, 12, 20, 28, 36, 44, 52, 60]
    expected = means[:, chosen] @ means[:, chosen].T * 8 / np.sqrt(64)
    np.testing.assert_allclose(thinned.means(blocks, blocks), expected, atol=1e-5)
