"""The rotation: a lens that can be read, laws written with the table alone, the best 2 x 2 where none turns."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds.ablations import PositionMapEncoding
from pe_desktop.core.kinds.naive import BitsEncoding
from pe_desktop.core.rotation import best_shift
from pe_desktop.core.state import State, state_of
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed
from pe_desktop.draw.scene import Box
from pe_desktop.draw.typefaces import formula_runs
from pe_desktop.model.findings import Answers, Computed
from pe_desktop.views.rotation import scene as view
from pe_desktop.views.rotation.picture import rotation_layout
from tests.pictures import of_kind
from tests.views.seen import ANSWERS, rows_of, scene_of, texts_in, texts_of
from tests.views.test_every_view import Unknown


def said(state: State, answers: Answers = ANSWERS) -> str:
    return view.VIEW.readout(state, answers)


def test_the_sentence_says_what_the_best_2_x_2_misses():
    state = State(PositionMapEncoding(512, 64), Cursor(37.0, 1.0, 4))
    assert said(state) == (
        f"No matrix moves every position: Sinusoidal of t² turns unevenly. The best 2 × 2 for pair 4 misses by "
        f"{100 * best_shift(state.encoding, 1.0, 4).share:.3g} % of what it should give."
    )
    assert said(state, Unknown()).endswith("Measuring the best 2 × 2 for pair 4…")
    # Outside of the table there is nothing to fit, and columns of zeros are told as such.
    assert said(State(BitsEncoding(16, 8), Cursor(3.0, 20.0, 1))).endswith("No t and t + k lie in the table.")
    words = said(State(BitsEncoding(16, 16), Cursor(3.0, 2.0, 5)))
    assert words.endswith("All values of columns 10, 11 are 0 at t + k: choose another pair to see more.")


def test_every_measured_t_has_a_dot_at_its_residual():
    encoding = PositionMapEncoding(64, 8)
    shift = best_shift(encoding, 3.0, 1)
    (cloud,) = of_kind(scene_of("rotation", State(encoding, Cursor(20.0, 3.0, 1))).still(), marks.DotCloud)
    assert len(cloud.centers) == 61
    heights, residuals = cloud.centers[:, 1].tolist(), shift.residuals.tolist()
    foot = heights[0] + (heights[1] - heights[0]) * residuals[0] / (residuals[0] - residuals[1])
    for height, residual in zip(heights, residuals, strict=True):
        assert (foot - height) / (foot - min(heights)) == pytest.approx(residual / max(residuals), abs=1e-9)


def test_entries_stand_in_the_cells_of_a_small_matrix():
    scene = scene_of("rotation", {"d_model": "4", "offset": "3"}, 620.0, 420.0)
    area = rotation_layout(620.0, 420.0).matrix
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
    value, where, which = view._lines_at(state, layout, x, y)
    assert float(value) == pytest.approx(math.sin(0.8), rel=1e-15)
    assert (where, which) == ("row 8, column 9 of M(8)", "block of pair 4")
    assert view._lines_at(state, layout, layout.matrix.x + 0.5 * cell, y)[::2] == ("0.0", "between blocks, always 0")
    lens = layout.lens
    assert float(view._lines_at(state, layout, lens.right - 2, lens.y + 2)[0]) == float(value)
    entries = {place.name: place.value for place in view.VIEW.scene(state, Computed(), box).places()}
    assert float(entries["entry 9, 8"].replace("−", "-")) == pytest.approx(-math.sin(0.8), rel=1e-15)
    pointed = view.VIEW.scene(state, Computed(), replace(box, pointer=(x, y)))
    assert value in [mark.text for mark in of_kind(pointed.moving, marks.Text)]


@pytest.mark.parametrize(("width", "height"), [(660.25, 401.6), (816.0, 395.0), (1200.0, 700.0)])
@pytest.mark.parametrize("offset", [8.0, -3.5, 0.04])
def test_the_turn_is_written_clear_of_the_matrix_and_its_angle_stands_at_the_arc(light, width, height, offset):
    box = Box(width, height, 1.0, light, is_paper=True)
    picture = view.VIEW.scene(state_of({"offset": str(offset)}), Computed(), box).moving
    layout = rotation_layout(width, height)
    assert layout.circle is not None
    assert layout.circle.width >= 100.0
    [turn] = [mark for mark in picture if isinstance(mark, marks.FormulaText) and mark.formula.startswith("kω")]
    assert turn.x >= layout.matrix.right + 8.0
    assert turn.x + formula_runs(turn.formula, turn.pixels)[1] <= layout.circle.x + layout.circle.width
    [angle] = [mark for mark in of_kind(picture, marks.Text) if mark.text.endswith("°")]
    assert angle.text == fixed(math.degrees(offset * 0.1), 1) + "°"
    middle = layout.circle.middle
    assert math.hypot(angle.x - middle[0], angle.y - middle[1]) < layout.circle.width / 2


def test_a_figure_tells_its_colours_at_every_width_and_the_angle_of_an_eigenvalue_is_the_turn_of_the_clock():
    for width, height in ((313.75, 300.0), (660.25, 401.6), (816.0, 395.0)):
        texts = texts_in(scene_of("rotation", {}, width, height, is_paper=True))
        assert "−1" in texts
        assert any(text.startswith("+1") for text in texts)
    # 40 positions back at 0.1 radians a position.
    told = f"{fixed(math.degrees(-40 * 0.1), 1)}°"
    state = {"offset": "-40", "pair": "4", "rotation.page": "algebra"}
    assert any(text.endswith(f"angle {told}") for text in texts_of("rotation", state))
    laws = [law for _, law, _ in rows_of("rotation", state)]
    assert (laws[1], laws[2]) == ("M_−40 M_−40^T = I", "(M_−40)^10 = M_−400")
    assert laws[-1].startswith("exp(±k ω_4 √−1) = ")
