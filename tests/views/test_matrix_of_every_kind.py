"""The matrix and its strip for tables of other limits, of columns without pairs, and with an embedding added."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pe_desktop.core.cursor import Cursor, Span, full_span
from pe_desktop.core.kinds import KINDS
from pe_desktop.core.kinds.ablations import OddWidthEncoding
from pe_desktop.core.kinds.naive import BitsEncoding, CounterEncoding, RandomEncoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.draw import marks
from pe_desktop.views.matrix.layout import MatrixLayout, RowOrder, row_order
from pe_desktop.views.matrix.picture import matrix_cursor_picture, matrix_frame_picture
from pe_desktop.views.matrix.strip import strip_frame_picture, strip_picture, sum_limit, sum_picture, sum_sentences
from tests.pictures import covered_texts, of_kind, text_frames


def placed(encoding, width=640.0, height=400.0):
    layout = MatrixLayout(width, height, full_span(encoding.n_positions), Span(0.0, float(encoding.d_model)))
    return layout, RowOrder(encoding, is_halved=False)


@pytest.mark.parametrize(
    "encoding",
    [CounterEncoding(512, 8), SinusoidalEncoding(128, 8, amplitude=3.0), BitsEncoding(128, 9), RandomEncoding(64, 7)],
    ids=lambda encoding: encoding.kind,
)
def test_bars_of_the_strip_are_as_long_as_the_share_of_the_limit(light, encoding):
    layout, order = placed(encoding)
    bars = of_kind(strip_picture(layout, order, Cursor(40.0, 8.0), light), marks.Rectangle)
    half = (layout.width - 14.0 - layout.right - 34.0) / 2
    values = encoding.values([40])[0]
    for bar, value in zip(bars, values.tolist(), strict=True):
        assert bar.width == pytest.approx(min(abs(value) / encoding.value_limit, 1.0) * half)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_positions", [1, 128, 10_000_000])
def test_the_strip_names_its_limits_and_no_text_covers_another(light, kind, n_positions):
    encoding = KINDS[kind](n_positions=n_positions)
    layout, order = placed(encoding)
    picture = (
        *matrix_frame_picture(layout, order, Cursor(pair=4), light, 1.0),
        *strip_frame_picture(layout, encoding.value_limit, light),
        *strip_picture(layout, order, Cursor(0.0, 0.0), light),
    )
    assert covered_texts(picture) == []
    assert all(left >= 0 and right <= 640 for left, _, right, _, _ in text_frames(picture))


def test_the_strip_of_a_counter_reaches_to_its_last_position(light):
    layout, _ = placed(CounterEncoding(512, 8))
    labels = of_kind(strip_frame_picture(layout, 511.0, light), marks.Text)
    assert [text.text for text in labels] == ["−511", "0", "+511"]


def test_two_columns_are_outlined_together_and_the_last_one_of_an_odd_width_alone(light):
    encoding = OddWidthEncoding(64, 9)
    layout, order = placed(encoding)
    row = layout.row_pixels
    for hand, first, n_rows in ((1, 2, 2), (4, 8, 1)):
        outline = of_kind(matrix_cursor_picture(layout, order, Cursor(pair=hand), light), marks.Rectangle)[0]
        assert (outline.y + 1, outline.height - 2) == pytest.approx((layout.top + first * row, n_rows * row))
        assert outline.outline == light.pair_color(hand, 5)


def test_sines_stand_over_cosines_only_where_there_are_pairs():
    assert row_order(SinusoidalEncoding(64, 512), 512.0, 200.0).is_halved
    assert not row_order(RandomEncoding(64, 512), 512.0, 200.0).is_halved


def test_under_every_row_lies_the_sum_of_the_embedding_and_the_encoding(light):
    encoding = CounterEncoding(100, 6)
    layout, order = placed(encoding)
    x = np.random.default_rng(0).normal(size=6)
    bars = of_kind(sum_picture(layout, order, Cursor(50.0, 8.0), light), marks.Rectangle)
    half = (layout.width - 14.0 - layout.right - 34.0) / 2
    limit = math.ceil(99 + max(abs(x)))
    assert sum_limit(encoding) == limit
    for row, (plain, added) in enumerate(zip(bars[::2], bars[1::2], strict=True)):
        assert plain.width == pytest.approx(half * abs(x[row]) / limit)
        assert added.width == pytest.approx(half * abs(x[row] + (50 if row == 0 else 0)) / limit)
        assert added.y == pytest.approx(plain.y + plain.height)


def test_the_sentence_says_how_much_longer_than_the_embedding_a_counter_is():
    x = np.linalg.norm(np.random.default_rng(0).normal(size=128))
    sentences = sum_sentences(CounterEncoding(512, 128), Cursor(100.0, 8.0))
    assert sentences[0] == (
        f"PE is {100 * 100 / (x + 100):.1f} % of |x| + |PE| at t = 100, {100 * 511 / (x + 511):.1f} % at t = 511, "
        "where PE is 47 times as long as the embedding"
    )


@pytest.mark.parametrize("width", [420.0, 640.0, 900.0, 1400.0])
@pytest.mark.parametrize("kind", KINDS)
def test_the_sentence_keeps_to_the_room_over_the_plot(light, kind, width):
    encoding = KINDS[kind](n_positions=10_000_000)
    layout, order = placed(encoding, width)
    picture = sum_picture(layout, order, Cursor(1_234_567.0, 8.0), light)
    frame = matrix_frame_picture(layout, order, Cursor(pair=4), light, 1.0)
    axis = strip_frame_picture(layout, sum_limit(encoding), light)
    assert covered_texts((*frame, *axis, *picture)) == []
    assert text_frames(picture)[0][2] <= layout.right
    assert text_frames(picture)[-1][3] <= layout.height
    halved = matrix_frame_picture(layout, replace(order, is_halved=True), Cursor(pair=4), light, 1.0)
    assert covered_texts((*halved, *picture)) == []
    turned = replace(layout, is_transposed=True)
    frame = matrix_frame_picture(turned, order, Cursor(pair=4), light, 1.0)
    assert covered_texts((*frame, *sum_picture(turned, order, Cursor(1_234_567.0, 8.0), light))) == []
