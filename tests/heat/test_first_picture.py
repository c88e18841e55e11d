"""Pictures that would cost more than a frame: coarse at first, exact in the end, and what that costs."""

import numpy as np
import pytest
from PySide6.QtGui import QImage

from pe_desktop.core import OneWaveEncoding, PositionMapEncoding, RandomEncoding, SinusoidalEncoding
from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.look_back import FittedWeightField, fitted_score_field
from pe_desktop.core.fields.similarity import similarity_field
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.scores.look_back import look_back_shift
from pe_desktop.core.scores.look_back_rows import find_rows
from pe_desktop.heat.heatmap import MOST_FIRST_HANDS, MOST_SAMPLED, MOST_SLICE_HANDS, HeatMap, View
from tests.core.exact import evaluated_sizes
from tests.heat.test_heatmap import NUMBERS, bytes_held
from tests.matrix_field import MatrixField
from tests.pictures import pixels

WIDE = SinusoidalEncoding(1_000_000, 65_536)
WIDTH, HEIGHT = 200, 128
SIZE = (WIDTH, HEIGHT)
# 512 rows to a pixel: 64 pixels of sines over 64 of cosines.
WHOLE = View(0, 65_536, 0, 1_000_000)
# Fields of whose blocks a first picture shows some samples or some columns only.
LONG = View(0, 512, 0, 1_000_000)
LEFT_OUT = [
    (EncodingField(RandomEncoding(1_000_000, 512)), LONG, "samples"),
    (EncodingField(PositionMapEncoding(1_000_000, 512)), LONG, "samples"),
    (HalvesField(PositionMapEncoding(1_000_000, 65_536)), WHOLE, "samples"),
    (EncodingField(OneWaveEncoding(1_000_000, 65_536)), WHOLE, "columns"),
    (HalvesField(WIDE), WHOLE, "hands"),
    (HalvesField(WIDE).transposed, View(0, 1_000_000, 0, 65_536), "hands"),
]
LARGE = (300, 256)
MOST_SAMPLES_IN_A_TILE = 20 * 2**18


def levels(image: QImage) -> np.ndarray:
    return pixels(image) & 0xFF


def coarseness(heat_map: HeatMap) -> tuple[int, int]:
    found = heat_map.coarseness
    assert found is not None
    return found.n_shown, found.n_all


def coarse_map(field: Field, view: View = WHOLE, size: tuple[int, int] = SIZE) -> HeatMap:
    heat_map = HeatMap()
    heat_map.first_image(field, view, size, NUMBERS)
    assert coarseness(heat_map)[0] < coarseness(heat_map)[1]
    return heat_map


def exact(field: Field, view: View = WHOLE, size: tuple[int, int] = SIZE) -> QImage:
    return HeatMap().image(field, view, size, NUMBERS)


@pytest.mark.parametrize(
    ("field", "view"),
    [
        (HalvesField(SinusoidalEncoding(10_000_000, 4_096)), View(0, 4_096, 0, 10_000_000)),
        (EncodingField(WIDE), View(0, HEIGHT, 500, 700)),
        (MatrixField(np.eye(3_000)), View(0, 3_000, 0, 3_000)),
        (MatrixField(np.eye(3_000)).transposed, View(0, 3_000, 0, 3_000)),
    ],
)
def test_a_picture_within_the_budget_is_exact_at_once(field: Field, view: View) -> None:
    heat_map = HeatMap()
    image = heat_map.first_image(field, view, SIZE, NUMBERS)
    assert heat_map.coarseness is None
    assert heat_map.refine()
    assert (image, heat_map.n_pictures) == (exact(field, view), 1)


@pytest.mark.parametrize("size", [SIZE, (1_000, 800), (300, 2)])
def test_a_first_picture_evaluates_every_block_once_and_keeps_its_budget(size: tuple[int, int]) -> None:
    heat_map = coarse_map(HalvesField(WIDE), WHOLE, size)
    n_shown, n_all = coarseness(heat_map)
    assert n_all == -(-65_536 // size[1])
    assert heat_map.n_hands_evaluated == heat_map.n_values_evaluated * n_shown <= MOST_FIRST_HANDS
    n_blocks = heat_map.n_values_evaluated
    heat_map.image(HalvesField(WIDE), WHOLE, size, NUMBERS)
    assert heat_map.n_values_evaluated == 2 * n_blocks


@pytest.mark.parametrize(("field", "view", "name"), LEFT_OUT)
def test_a_first_picture_of_any_kind_keeps_its_budget_tells_what_it_shows_and_ends_exact(field, view, name) -> None:
    heat_map = coarse_map(field, view, LARGE)
    shown = heat_map.coarseness
    assert shown is not None
    assert shown.name == name
    assert heat_map.n_hands_evaluated <= MOST_FIRST_HANDS
    assert heat_map.n_hands_evaluated == heat_map.n_values_evaluated * shown.n_shown * (20 if name == "samples" else 1)
    coarse, n_slices, before = heat_map.first_image(field, view, LARGE, NUMBERS).copy(), 1, heat_map.n_hands_evaluated
    while not heat_map.refine():
        assert heat_map.n_hands_evaluated - before < MOST_SLICE_HANDS + MOST_SAMPLES_IN_A_TILE
        n_slices, before = n_slices + 1, heat_map.n_hands_evaluated
    assert (n_slices > 1, heat_map.coarseness, heat_map.n_pictures) == (True, None, 2)
    assert heat_map.first_image(field, view, LARGE, NUMBERS) == exact(field, view, LARGE) != coarse


def test_pixels_share_the_samples_of_a_first_picture_that_has_more_pixels_than_it_can_afford(luck) -> None:
    is_transposed = luck.random() < 0.5
    encoding = RandomEncoding(1_000_000, 4_096)
    field: Field = EncodingField(encoding)
    view, size = View(0, 4_096, 0, 1_000_000), (1_000, 500)
    if is_transposed:
        field, view, size = field.transposed, View(0, 1_000_000, 0, 4_096), (500, 1_000)
    heat_map = coarse_map(field, view, size)
    shown = heat_map.coarseness
    assert shown is not None
    assert (shown.n_shown, shown.n_all, shown.side) == (2, 16, 3)
    assert heat_map.n_values_evaluated == -(-1_000 // 3) * -(-456 // 3)
    assert 2 * 20 * heat_map.n_values_evaluated <= MOST_SAMPLED
    coarse = levels(heat_map.first_image(field, view, size, NUMBERS))
    coarse = coarse.T if is_transposed else coarse
    # 9 dimensions and 1,000 positions to a block: nine of them show the mean of two of their values.
    for row, column in ((0, 0), (30, 300), (150, 996)):
        value = float(encoding.values([1_000 * column + 750, 1_000 * column + 2_250], [9 * row + 13]).mean())
        pixels = coarse[((np.arange(500) + 0.5) * 4_096 / 500).astype(int) // 27 == row // 3][:, column : column + 3]
        assert np.all(pixels == min(max(int((value + 4) / 8 * 254 + 0.5), 0), 254))
    while not heat_map.refine():
        pass
    assert heat_map.first_image(field, view, size, NUMBERS) == exact(field, view, size)


def products(name: str) -> Field:
    """A field of products of every two rows of a table whose rows differ, N = 4096 and d = 64."""
    encoding = RandomEncoding(4_096, 64)
    if name == "look back":
        return fitted_score_field(look_back_shift(encoding, 3))
    if name == "weights":
        return FittedWeightField(find_rows(encoding, 3))
    return similarity_field(encoding, name)


# How many values of each row and column of blocks are looked at: all 64 positions of a block, 16 samples, 4 samples.
SAMPLES = {"dot": 64, "cosine": 64, "distance": 64, "look back": 16, "weights": 4}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_map_of_rows_that_differ_is_coarse_at_first_and_refined_piece_by_piece(name, monkeypatch) -> None:
    n_blocks = 64 if SAMPLES[name] == 64 else 512
    field, view, size = products(name), View(0, 4_096, 0, 4_096), (n_blocks, n_blocks)
    assert field.limits[1] > 0
    asked = evaluated_sizes(monkeypatch, RandomEncoding)
    heat_map = coarse_map(field, view, size)
    n_first, n_values, n_slices = sum(asked), 0, 1
    assert 20 * n_first <= MOST_FIRST_HANDS
    is_exact = False
    while not is_exact:
        asked.clear()
        is_exact = heat_map.refine()
        assert sum(asked) <= 2**18
        n_slices, n_values = n_slices + 1, n_values + sum(asked)
    assert n_slices > 3
    # Two ranges of blocks, each value once: lengths come from the same values, as all dimensions are taken at once.
    assert n_values == 2 * n_blocks * min(SAMPLES[name], 4_096 // n_blocks) * 64
    assert heat_map.first_image(field, view, size, NUMBERS) == exact(field, view, size)


def test_a_coarse_pixel_is_the_mean_of_an_even_selection_of_whole_pairs() -> None:
    view = View(0, 65_536, 5_000, 5_000 + WIDTH)
    heat_map = coarse_map(HalvesField(WIDE), view)
    shown = levels(heat_map.first_image(HalvesField(WIDE), view, SIZE, NUMBERS))
    n_shown, n_all = coarseness(heat_map)
    assert n_all == 512
    omegas = 10_000.0 ** (-np.arange(32_768) / 32_768)
    for y in (0, 20, 45, 63):
        pairs = [512 * y + int((j + 0.5) * 512 / n_shown) for j in range(n_shown)]
        for x in (0, 77, WIDTH - 1):
            sines, cosines = np.sin((5_000 + x) * omegas[pairs]).mean(), np.cos((5_000 + x) * omegas[pairs]).mean()
            assert abs((sines + 1) * 127 - shown[y, x]) < 0.501
            assert abs((cosines + 1) * 127 - shown[64 + y, x]) < 0.501


@pytest.mark.parametrize(
    ("field", "view"),
    [
        (HalvesField(WIDE), View(0, 65_536, 0, 900_000)),
        (HalvesField(SinusoidalEncoding(1_000_000, 65_536, base=500.0)), WHOLE),
        (EncodingField(WIDE), View(0, HEIGHT, 500, 700)),
    ],
)
def test_a_newer_request_drops_what_was_being_refined(field: Field, view: View) -> None:
    heat_map = coarse_map(HalvesField(WIDE))
    heat_map.refine()
    newer = heat_map.first_image(field, view, SIZE, NUMBERS).copy()
    n_pictures = heat_map.n_pictures
    if heat_map.coarseness is not None:
        assert not heat_map.refine()
        assert (heat_map.first_image(field, view, SIZE, NUMBERS), heat_map.n_pictures) == (newer, n_pictures)
        while not heat_map.refine():
            pass
    assert heat_map.first_image(field, view, SIZE, NUMBERS) == exact(field, view)


def test_coarse_values_are_never_taken_for_exact_ones() -> None:
    field = HalvesField(WIDE)
    heat_map = coarse_map(field, View(0, 65_536, 8_000, 8_000 + WIDTH))
    moved = View(0, 65_536, 8_009, 8_009 + WIDTH)
    image = heat_map.image(field, moved, SIZE, NUMBERS)
    assert image == exact(field, moved)


def test_a_picture_in_the_making_holds_two_bytes_a_block_at_most() -> None:
    heat_map = coarse_map(HalvesField(WIDE))
    assert bytes_held(heat_map) <= 4 * WIDTH * HEIGHT + 2 * heat_map.n_values_evaluated
    heat_map.first_image(HalvesField(WIDE), WHOLE, (0, HEIGHT), NUMBERS)
    assert (heat_map.coarseness, bytes_held(heat_map)) == (None, 0)
