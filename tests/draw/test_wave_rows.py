"""Low rows of waves on pixels: each is covered as much as the lines that a round pen draws along the waves cover it."""

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from pe_desktop.draw import marks
from pe_desktop.draw.painter import paint_marks

red = QColor("#ff0000")
LEFT, RIGHT, TALL, ROW = 10.0, 170.4, 8.3, 24.0
DASH = (1.6, 3.2)
RATIOS = [1.0, 1.25, 2.0]
FINER = 8
TURNS = np.array([2.7, 3.5, 4.7, 6.3, 9.0, 14.0, 20.0, 35.0, 60.0, 150.0, 2000.0])


def waves(turns, width=1.0, alphas=(1.0, 0.75), dotted_turn=0.0, starts=0.2):
    """A row for each number of turns from LEFT to RIGHT."""
    turns = np.asarray(turns, dtype=np.float64)
    n_rows = len(turns)
    return marks.Waves(
        LEFT,
        RIGHT,
        11.8 + ROW * np.arange(n_rows, dtype=np.float64),
        TALL,
        np.full(n_rows, starts),
        turns,
        np.full(n_rows, width),
        np.repeat(np.array(alphas)[:, np.newaxis], n_rows, axis=1),
        dotted_turn,
        DASH,
        (red,) * n_rows,
        lambda: pytest.fail("Lines were made for pixels"),
    )


def lines(mark, n_points=2000):
    """The waves as lines of very many points."""
    share = np.linspace(0.0, 1.0, n_points)
    x = mark.left + (mark.right - mark.left) * share
    picture = []
    for row, turns in enumerate(mark.turns):
        angles = math.tau * (mark.starts[row] + turns * share)
        is_dotted = (mark.right - mark.left) / abs(turns) >= mark.dotted_turn
        for wave, alpha, dash in (
            (np.cos, mark.alphas[1, row], DASH if is_dotted else ()),
            (np.sin, mark.alphas[0, row], ()),
        ):
            color = QColor(red)
            color.setAlphaF(alpha)
            points = np.column_stack((x, mark.middles[row] - mark.amplitude * wave(angles)))
            picture.append(marks.Polyline(points, color, float(mark.widths[row]), DASH if dash else ()))
    return picture


def drawn(picture, ratio, n_rows, *, is_quick, ground="#ffffff"):
    """How much green is left of white, shape (height, width), 0 to 255."""
    image = QImage(round(200 * ratio), round(ROW * n_rows * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor(ground))
    with QPainter(image) as painter:
        paint_marks(painter, picture, is_quick=is_quick)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)[..., 1].astype(float)


def errors(mark, ratio):
    """For each row how far its pixels are from the share that the enlarged lines cover, and the ink of those."""
    n_rows = len(mark.turns)
    large = drawn(lines(mark), FINER * ratio, n_rows, is_quick=False)
    quick = drawn([mark], ratio, n_rows, is_quick=True)
    fine = large.reshape(len(quick), FINER, -1, FINER).mean(axis=(1, 3))
    # Lines have round ends, which reach beyond the waves.
    inner = slice(math.ceil(LEFT * ratio) + 2, math.floor(RIGHT * ratio) - 2)
    return [
        (np.abs(found - wanted), (255 - wanted).sum())
        for found, wanted in zip(*(np.split(image[:, inner], n_rows) for image in (quick, fine)), strict=True)
    ]


def test_solid_waves_of_every_length_cover_pixels_as_a_pen_does(qapp, luck):
    width, ratio = luck.uniform(0.5, 1.4), luck.choice(RATIOS)
    # In narrow turns lines are thin.
    mark = replace(waves((RIGHT - LEFT) / TURNS, 1.0, (1.0, 0.3), math.inf), widths=np.minimum(width, TURNS / 5))
    for turn, (found, ink) in zip(TURNS, errors(mark, ratio), strict=True):
        assert found.sum() <= 0.06 * ink, turn
        assert found.max() <= 60, turn


def test_dots_of_the_cosine_stand_where_a_dashed_line_has_them(qapp, luck):
    turns, ratio = TURNS[TURNS > 12], luck.choice(RATIOS)
    for turn, (found, ink) in zip(turns, errors(waves((RIGHT - LEFT) / turns), ratio), strict=True):
        assert found.sum() <= 0.08 * ink, turn


@pytest.mark.parametrize("turns", [300.0, 130.0])
def test_a_turn_that_no_two_pixels_share_is_a_band_over_what_its_column_holds(qapp, turns):
    mark = replace(waves([turns], alphas=(0.5, 0.0)), left=10.0, right=170.0)
    shown = 1 - drawn([mark], 1.0, 1, is_quick=True) / 255
    for column in range(160):
        angles = math.tau * (0.2 + turns * (column + np.linspace(0.0, 1.0, 400)) / 160)
        heights = mark.middles[0] - TALL * np.sin(angles)
        covered = [min(max(heights.max() - row, 0), 1) - min(max(heights.min() - row, 0), 1) for row in range(int(ROW))]
        np.testing.assert_allclose(shown[:, 10 + column], 0.5 * np.array(covered), atol=0.02)
    assert not shown[:, :10].any()
    assert not shown[:, 170:].any()


@pytest.mark.parametrize("turns", [300.0, 20.0, 0.0])
def test_columns_at_the_ends_are_covered_by_the_share_of_them_that_lies_within(qapp, turns):
    # Bands, bent waves and level lines that are dotted are put together in three ways.
    whole = replace(waves([turns], alphas=(1.0, 0.0), dotted_turn=20.0), left=10.0, right=170.0)
    cut = replace(
        whole, left=10.4, right=169.7, starts=whole.starts + turns * 0.4 / 160, turns=whole.turns * 159.3 / 160
    )
    all_of_it, part = (255 - drawn([mark], 1.0, 1, is_quick=True)[:, [10, 169]] for mark in (whole, cut))
    assert all_of_it.sum(axis=0).min() > 200
    np.testing.assert_allclose(part, all_of_it * [0.6, 0.7], atol=10)


def test_rows_may_stand_in_any_order_and_turn_backwards(qapp):
    turns = [2.0, -90.0, 30.0, 0.0, 9.0]
    together = drawn([waves(turns)], 1.0, 5, is_quick=True)
    for row, turn in enumerate(turns):
        alone = replace(waves([turn]), middles=waves(turns).middles[[row]])
        rows = slice(round(ROW * row), round(ROW * (row + 1)))
        np.testing.assert_array_equal(together[rows], drawn([alone], 1.0, 5, is_quick=True)[rows])


def test_the_ground_is_seen_between_the_waves_and_through_faint_ones(qapp):
    mark = waves([300.0], alphas=(0.5, 0.0))
    shown = drawn([mark], 1.0, 1, is_quick=True, ground="#ffc8ff")
    assert shown[11, 100] == pytest.approx(100, abs=1)
    assert shown[0, 100] == 200


@pytest.mark.parametrize("amplitude", [-1.0, 0.0, 0.4])
def test_rows_without_height_are_level_lines(qapp, amplitude):
    mark = replace(waves([3.0, 30.0, 300.0]), amplitude=amplitude)
    shown = 255 - drawn([mark], 1.0, 3, is_quick=True)
    assert shown[5].max() == 0
    assert shown.sum() > 0


def test_no_rows_are_nothing(qapp):
    assert (drawn([waves([])], 1.0, 1, is_quick=True) == 255).all()


def test_waves_on_paper_are_the_lines_that_they_stand_for(qapp):
    mark = waves([5.0])
    asked = replace(mark, shapes=lambda: tuple(lines(mark, 200)))
    for is_quick, scale in ((False, 1.0), (True, 3.0)):
        image = [QImage(600, 90, QImage.Format.Format_RGB32) for _ in range(2)]
        for sheet, picture in zip(image, ([asked], lines(mark, 200)), strict=True):
            sheet.fill(QColor("white"))
            with QPainter(sheet) as painter:
                painter.scale(scale, scale)
                paint_marks(painter, picture, is_quick=is_quick)
        assert image[0] == image[1]
