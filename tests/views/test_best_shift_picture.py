"""What the rotation panel shows where there is no rotation: a sentence, a matrix, residuals."""

import pytest

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds import KINDS
from pe_desktop.core.kinds.ablations import PositionMapEncoding
from pe_desktop.core.kinds.naive import BitsEncoding
from pe_desktop.core.rotation import has_rotation
from pe_desktop.core.shift import best_shift
from pe_desktop.draw import marks
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.rotation.best_shift import best_shift_picture, best_shift_sentence, wrapped
from tests.pictures import covered_texts, of_kind, text_frames

OTHERS = [kind for kind in KINDS if not has_rotation(KINDS[kind]())]


def test_the_sentence_says_what_the_best_2_x_2_misses():
    encoding, cursor = PositionMapEncoding(512, 64), Cursor(37.0, 1.0, 4)
    shift = best_shift(encoding, 1.0, 4)
    assert best_shift_sentence(encoding, cursor, shift) == (
        f"No matrix moves every position: Sinusoidal of t² turns unevenly. The best 2 × 2 for pair 4 misses "
        f"{100 * shift.share:.1f} %."
    )
    assert best_shift_sentence(encoding, cursor, None).endswith("Measuring the best 2 × 2 for pair 4 …")


def test_outside_the_table_there_is_nothing_to_fit():
    encoding = BitsEncoding(16, 8)
    words = best_shift_sentence(encoding, Cursor(3.0, 20.0, 1), best_shift(encoding, 20.0, 1))
    assert words.endswith("No t and t + k lie in the table.")


def test_columns_of_zeros_are_told_as_such():
    encoding = BitsEncoding(16, 16)
    words = best_shift_sentence(encoding, Cursor(3.0, 2.0, 5), best_shift(encoding, 2.0, 5))
    assert words.endswith("All values of columns 10, 11 are 0 at t + k: choose another pair to see more.")


@pytest.mark.parametrize("width", [60.0, 150.0, 400.0])
def test_lines_keep_their_words_and_their_width(qapp, width):
    sentence = "No matrix moves every position: Sinusoidal of t² turns unevenly."
    lines = wrapped(sentence, "caption", width)
    assert " ".join(lines) == sentence
    assert all(text_width("caption", line) <= width or " " not in line for line in lines)


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("size", [(370.0, 190.0), (370.0, 300.0), (900.0, 600.0)])
def test_no_text_of_any_kind_covers_another_or_leaves_the_panel(light, kind, size):
    encoding = KINDS[kind]()
    for hand in (0, 4, 15):
        shift = best_shift(encoding, 8.0, hand)
        picture = best_shift_picture(size[0], size[1], encoding, Cursor(37.0, 8.0, hand), shift, light)
        assert covered_texts(picture) == []
        for left, top, right, bottom, _ in text_frames(picture):
            assert min(left, top) >= 0
            assert (right <= size[0], bottom <= size[1]) == (True, True)


def test_every_measured_t_has_a_dot_at_its_residual(light):
    encoding = PositionMapEncoding(64, 8)
    shift = best_shift(encoding, 3.0, 1)
    (cloud,) = of_kind(best_shift_picture(900.0, 600.0, encoding, Cursor(20.0, 3.0, 1), shift, light), marks.DotCloud)
    assert len(cloud.centers) == 61
    heights, residuals = cloud.centers[:, 1].tolist(), shift.residuals.tolist()
    foot = heights[0] + (heights[1] - heights[0]) * residuals[0] / (residuals[0] - residuals[1])
    for height, residual in zip(heights, residuals, strict=True):
        assert (foot - height) / (foot - min(heights)) == pytest.approx(residual / max(residuals), abs=1e-9)
