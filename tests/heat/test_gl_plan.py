"""What a GPU is told: exact turns, small tables, calls that stay short."""

from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core.fields.field import Blocks, Field, ShownField
from pe_desktop.core.fields.look_back import turned_score_field
from pe_desktop.core.fields.similarity import similarity_field
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.heat.gl_plan import FOLD, _half_turns, folded, plan
from pe_desktop.heat.heatmap import View
from tests.matrix_field import MatrixField


@pytest.mark.parametrize(("d_model", "base"), [(512, 10000.0), (64, 1e9), (8, 1.5)])
def test_turns_are_exact_to_the_last_of_64_bits(d_model: int, base: float) -> None:
    words = _half_turns(SinusoidalEncoding(128, d_model, base).pairs).astype(object)
    with mpmath.workdps(50):
        for pair, (upper, lower) in enumerate(words.tolist()):
            turn = mpmath.mpf(base) ** (mpmath.mpf(-2 * pair) / d_model) / (4 * mpmath.pi)
            assert abs(turn * 2**64 - (upper * 2**32 + lower)) <= 2


@pytest.mark.parametrize("n_positions", [1_000, 10_000_000])
def test_what_is_uploaded_does_not_grow_with_positions(n_positions: int) -> None:
    encoding = SinusoidalEncoding(n_positions, 1_024)
    fields: list[Field] = [EncodingField(encoding), HalvesField(encoding), similarity_field(encoding, "dot")]
    for field in fields:
        draws: Any = plan(field, View(0, field.shape[0], 0, n_positions), (400, 400))
        n_bytes = sum(table.nbytes for draw in draws for table in draw.tables.values())
        # Pairs, rows, pixels and lags; the picture has 160,000 pixels.
        assert n_bytes <= 4 * 4 * (512 * 4 + 1_024 + 800 + 800)


@pytest.mark.parametrize("d_model", [64, 65_536])
@pytest.mark.parametrize("size", [(4_000, 2_000), (1_000, 3), (1, 1)])
def test_one_call_adds_up_no_more_than_16_million_sines(d_model: int, size: tuple[int, int]) -> None:
    field = HalvesField(SinusoidalEncoding(1_000_000, d_model))
    for turned, shown in ((field, size), (field.transposed, size[::-1])):
        draws: Any = plan(turned, View(0, turned.shape[0], 0, turned.shape[1]), shown)
        covered = np.zeros((shown[1], shown[0]), dtype=np.int64)
        for draw in draws:
            for top, height in draw.bands:
                covered[top : top + height, draw.left : draw.left + draw.width] += 1
                n_sines = height * draw.width * draw.integers["u_rows_in_block"]
                assert height == 1 or n_sines <= 2**24
        assert (covered == 1).all()


def test_a_lag_is_uploaded_once_for_its_whole_diagonal_and_a_table_is_folded_row_by_row() -> None:
    field = similarity_field(SinusoidalEncoding(1_000), "cosine")
    draws: Any = plan(field, View(0, 300, 0, 300), (300, 300))
    assert [len(draw.tables["u_levels"]) for draw in draws] == [599]
    texture = folded(np.arange(5_000, dtype=np.uint32))
    assert texture.shape == (3, FOLD)
    assert (texture[2, 4_999 - 2 * FOLD], texture[1, 7]) == (4_999, FOLD + 7)


def test_colours_over_what_is_seen_have_their_ends_at_the_first_and_the_last_level() -> None:
    table = EncodingField(SinusoidalEncoding(64, 8))
    for upright in (ShownField(table, (-0.25, 0.25)), table.transposed.reaching((-0.25, 0.25))):
        draws: Any = plan(upright, View(0, upright.shape[0], 0, upright.shape[1]), (8, 8))
        assert draws
        for draw in draws:
            level_at = [draw.floats["u_scale"] * value + draw.floats["u_offset"] for value in (-0.25, 0.0, 0.25)]
            assert level_at == pytest.approx([0.5, 127.5, 254.5])
    lags = similarity_field(SinusoidalEncoding(64, 8), "dot")
    draws = plan(ShownField(lags, (2.0, 4.0)), View(0, 64, 0, 64), (64, 64))
    dots = lags.means(Blocks(0, 1, 64), Blocks(0, 1, 64))
    wanted = np.clip((np.concatenate([dots[0, ::-1], dots[1:, 0]]) - 2.0) * 127.0 + 0.5, 0, 254).astype(np.uint32)
    assert (draws[0].tables["u_levels"] == wanted).all()


def test_fields_without_closed_means_are_left_to_the_raster_picture() -> None:
    encoding, matrix = SinusoidalEncoding(), MatrixField(np.zeros((2, 2)))
    closed = HalvesField(encoding).transposed, turned_score_field(encoding, 3), similarity_field(encoding, "dot")
    open_ones = matrix, matrix.transposed, ShownField(matrix, (0.0, 1.0))
    shown: list[Field] = [EncodingField(encoding), *closed, *open_ones]
    plans = [plan(field, View(0, field.shape[0], 0, field.shape[1]), (8, 8)) for field in shown]
    assert [one is not None for one in plans] == [True] * 4 + [False] * 3
