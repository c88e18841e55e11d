"""The rotation: a lens that can be read, laws written with the table alone, the best 2 x 2 where none turns."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from pe_desktop.core.conventions import CONVENTIONS, with_convention
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds.ablations import PositionMapEncoding
from pe_desktop.core.kinds.naive import BitsEncoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.shift import best_shift
from pe_desktop.core.state import state_of
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box
from pe_desktop.draw.typefaces import formula_runs
from pe_desktop.model.findings import Computed
from pe_desktop.views.rotation import scene as view
from pe_desktop.views.rotation.best_shift import best_shift_picture, best_shift_sentence
from pe_desktop.views.rotation.laws import algebra_lines, derivation_lines, table_entries
from pe_desktop.views.rotation.layout import rotation_layout
from tests.pictures import of_kind


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


def test_every_measured_t_has_a_dot_at_its_residual(light):
    encoding = PositionMapEncoding(64, 8)
    shift = best_shift(encoding, 3.0, 1)
    (cloud,) = of_kind(best_shift_picture(900.0, 600.0, encoding, Cursor(20.0, 3.0, 1), shift, light), marks.DotCloud)
    assert len(cloud.centers) == 61
    heights, residuals = cloud.centers[:, 1].tolist(), shift.residuals.tolist()
    foot = heights[0] + (heights[1] - heights[0]) * residuals[0] / (residuals[0] - residuals[1])
    for height, residual in zip(heights, residuals, strict=True):
        assert (foot - height) / (foot - min(heights)) == pytest.approx(residual / max(residuals), abs=1e-9)


PAPER = SinusoidalEncoding()
CONVENTIONAL = [with_convention(PAPER, word) for word in CONVENTIONS]
SHIFTED = [
    replace(PAPER, scale=1000.0),
    replace(PAPER, scale=0.25, start=-7.5, amplitude=3.0),
    replace(PAPER, layout="cosine-first", start=2.0, amplitude=0.1),
]
EXPONENTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")


def gap_of(words: str) -> float:
    """The number after the last `differ by`."""
    mantissa, _, exponent = words.rpartition("differ by ")[2].translate(EXPONENTS).partition("×10")
    return float(mantissa) * math.pow(10, float(exponent or 0))


def frequency(encoding: SinusoidalEncoding, pair: int) -> float:
    """omega_i by the definition of the two spacings that libraries use."""
    n_pairs = encoding.d_model // 2
    steps = n_pairs if encoding.spacing == "geometric" else n_pairs - 1
    return encoding.scale * math.pow(encoding.base, -pair / steps)


def test_no_mark_of_a_script_is_left_in_a_formula(qapp) -> None:
    lines = algebra_lines(PAPER, Cursor(), 3.0), derivation_lines(PAPER, Cursor())
    for formula in [line[1] for page in lines for line in page]:
        assert not {"_", "^", "{", "}"} & {sign for run in formula_runs(formula, 16)[0] for sign in run.text}


@pytest.mark.parametrize("encoding", [*CONVENTIONAL, *SHIFTED], ids=str)
@pytest.mark.parametrize("cursor", [Cursor(37.0, 8.0, 4), Cursor(0.0, -3.0, 0), Cursor(100.0, 2.5, 15)], ids=str)
def test_the_entries_of_the_rotation_stand_in_the_table_of_every_library(
    encoding: SinusoidalEncoding, cursor: Cursor
) -> None:
    entries = table_entries(encoding, cursor.offset, cursor.pair)
    angle = cursor.offset * frequency(encoding, cursor.pair)
    assert entries.values == pytest.approx((math.sin(angle), math.cos(angle)), abs=1e-11)
    laws = algebra_lines(encoding, cursor, 3.0)
    assert [gap_of(words) < 1e-14 for _, _, words in laws[5:]] == [True] * 3


@pytest.mark.parametrize(
    ("encoding", "law", "sentence"),
    [
        (PAPER, "cos kω_{4} = PE(8, 9),  sin kω_{4} = PE(8, 8)", ""),
        (
            replace(PAPER, start=2.0),
            "cos kω_{4} = PE(8 − 2, 9),  sin kω_{4} = PE(8 − 2, 8)",
            "The table starts at 2; the matrix has the entries of PE(k) without that. ",
        ),
        (
            replace(PAPER, start=-2.0, amplitude=0.25),
            "cos kω_{4} = PE(8 + 2, 9) / 0.25,  sin kω_{4} = PE(8 + 2, 8) / 0.25",
            "The table starts at −2 and has hands of length 0.25; the matrix has the entries of PE(k) without that. ",
        ),
    ],
    ids=["paper", "start", "amplitude"],
)
def test_start_and_amplitude_are_told_where_row_k_holds_other_numbers(encoding, law, sentence):
    _, told, words = algebra_lines(encoding, Cursor(), 3.0)[5]
    assert told == law
    # Cosine and sine of 8 * 0.1 radians.
    assert words.startswith(f"{sentence}0.6967 and 0.7174, differ by ")


def test_four_entries_of_the_table_make_the_sine_and_the_cosine_of_a_sum() -> None:
    sine, cosine = algebra_lines(PAPER, Cursor(), 3.0)[6:]
    x, y = math.sin(3.7), math.cos(3.7)
    own_x, own_y = math.sin(0.8), math.cos(0.8)
    assert sine[1] == "PE(45, 8) = PE(37, 8) PE(8, 9) + PE(8, 8) PE(37, 9)"
    assert cosine[1] == "PE(45, 9) = PE(37, 9) PE(8, 9) − PE(8, 8) PE(37, 8)"
    assert numbers(sine[2])[:5] == pytest.approx([math.sin(4.5), x, own_y, own_x, y], abs=5e-5)
    assert numbers(cosine[2])[:5] == pytest.approx([math.cos(4.5), y, own_y, own_x, x], abs=5e-5)


def test_with_start_and_amplitude_the_angle_sum_reads_the_row_that_many_earlier() -> None:
    encoding = replace(PAPER, start=2.0, amplitude=0.5)
    _, law, words = algebra_lines(encoding, Cursor(), 3.0)[6]
    assert law == "PE(45, 8) = (PE(37, 8) PE(8 − 2, 9) + PE(8 − 2, 8) PE(37, 9)) / 0.5"
    later, x, own_y, own_x, y, divisor = numbers(words)[:6]
    wanted = [math.sin(4.7), math.sin(3.9), math.cos(0.8), math.sin(0.8), math.cos(3.9)]
    assert [later, x, own_y, own_x, y] == pytest.approx([0.5 * value for value in wanted], abs=5e-5)
    assert divisor == 0.5
    assert (x * own_y + own_x * y) / divisor == pytest.approx(later, abs=3e-4)


def test_the_derivation_expands_at_the_place_where_the_table_starts() -> None:
    steps = derivation_lines(replace(PAPER, start=2.0, amplitude=0.5), Cursor())
    assert steps[0][0].endswith("Row t holds 0.5 times sine and cosine at τ = t + 2.")
    assert steps[1][1] == "sin(ω_{4}(τ+k)) = sin(ω_{4}τ) cos(ω_{4}k) + cos(ω_{4}τ) sin(ω_{4}k)"
    assert derivation_lines(PAPER, Cursor())[0][0] == "Wanted: one matrix for all t."


def test_where_hands_turn_unevenly_there_is_no_law_to_tell() -> None:
    assert algebra_lines(PositionMapEncoding(), Cursor(), 3.0) == []
    assert derivation_lines(PositionMapEncoding(), Cursor()) == []
    with pytest.raises(ValueError, match="turns unevenly"):
        table_entries(PositionMapEncoding(), 8.0, 4)


def numbers(words: str) -> list[float]:
    """All numbers of a line, in their order."""
    return [float(number) for number in re.findall(r"-?\d+\.?\d*", words.replace("−", "-"))]


def test_entries_stand_in_the_cells_of_a_small_matrix(light):
    state, box = state_of({"d_model": "4", "offset": "3"}), Box(620.0, 420.0, 1.0, light)
    scene = view.scene(state, Computed(), box)
    area = rotation_layout(box.width, box.height).matrix
    cells = {}
    for mark in of_kind(scene.moving, marks.Text):
        if area.holds(mark.x, mark.y):
            cells[int((mark.y - area.y) / area.height * 4), int((mark.x - area.x) / area.width * 4)] = mark.text
    assert len(cells) == 16
    for row, column in np.ndindex(4, 4):
        angle = 3 * 0.01 ** (row // 2)
        entry = math.cos(angle) if row == column else (1 if row < column else -1) * math.sin(angle)
        wanted = entry if row // 2 == column // 2 else 0.0
        text = cells[row, column].replace("−", "-")
        assert abs(float(text) - wanted) <= 0.5 * 10.0 ** -len(text.partition(".")[2]) + 1e-12
    assert cells[0, 3] == "0"


def test_an_entry_under_the_pointer_is_told_with_all_its_digits_and_so_are_the_places_of_the_block(light):
    state, box = state_of({"d_model": "32", "offset": "8", "pair": "4"}), Box(620.0, 420.0, 1.0, light)
    layout = rotation_layout(box.width, box.height)
    cell = layout.matrix.width / 32
    x, y = layout.matrix.x + 9.5 * cell, layout.matrix.y + 8.5 * cell
    value, where, which = view.lines_at(state, layout, x, y)
    assert float(value) == pytest.approx(math.sin(0.8), rel=1e-15)
    assert (where, which) == ("row 8, column 9 of M_8", "block of pair 4")
    assert view.lines_at(state, layout, layout.matrix.x + 0.5 * cell, y)[::2] == ("0.0", "between blocks, always 0")
    lens = layout.lens
    assert float(view.lines_at(state, layout, lens.right - 2, lens.y + 2)[0]) == float(value)
    entries = {place.name: place.value for place in view.scene(state, Computed(), box).places()}
    assert float(entries["entry 9, 8"].replace("−", "-")) == pytest.approx(-math.sin(0.8), rel=1e-15)
    pointed = view.scene(state, Computed(), replace(box, pointer=(x, y)))
    assert value in [mark.text for mark in of_kind(pointed.moving, marks.Text)]
