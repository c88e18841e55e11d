"""The rotation: a lens that can be read, laws written with the table alone, the best 2 x 2 where none turns."""

import math

import numpy as np
import pytest

from pe_desktop.core import BitsEncoding, PositionMapEncoding, State
from pe_desktop.core.cursor import Cursor, Preview
from pe_desktop.core.rotation import best_shift
from pe_desktop.draw import marks, plot
from pe_desktop.draw.number_text import fixed
from pe_desktop.model.findings import Answers
from pe_desktop.views.rotation import scene as view
from tests.pictures import of_kind, rings_of
from tests.views.seen import ANSWERS, omega, places_of, rows_of, scene_of, texts_in, texts_of
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
    # Columns of zeros are told as such.
    words = said(State(BitsEncoding(16, 16), Cursor(3.0, 2.0, 5)))
    assert words.endswith("All values of columns 10, 11 are 0 at t + k: choose another pair to see more.")


def test_the_curve_of_residuals_has_a_point_at_every_measured_t():
    encoding = PositionMapEncoding(64, 8)
    shift = best_shift(encoding, 3.0, 1)
    scene = scene_of("rotation", State(encoding, Cursor(20.0, 3.0, 1)))
    [curve] = [mark for mark in of_kind(scene.still(), marks.Polyline) if len(mark.points) == 61]
    heights, residuals = curve.points[:, 1].tolist(), shift.residuals.tolist()
    foot = heights[0] + (heights[1] - heights[0]) * residuals[0] / (residuals[0] - residuals[1])
    for height, residual in zip(heights, residuals, strict=True):
        assert (foot - height) / (foot - min(heights)) == pytest.approx(residual / max(residuals), abs=1e-9)


def test_entries_stand_in_the_cells_of_a_small_matrix():
    scene = scene_of("rotation", {"d_model": "4", "offset": "3"}, 620.0, 420.0)
    area = scene.places()[0].area
    cells = {}
    for mark in of_kind(scene.still(), marks.Text):
        if area.holds(mark.x, mark.y):
            cells[int((mark.y - area.y) / area.height * 4), int((mark.x - area.x) / area.width * 4)] = mark.text
    assert len(cells) == 16
    for row, column in np.ndindex(4, 4):
        angle = 3 * 0.01 ** (row // 2)
        entry = math.cos(angle) if row == column else (1 if row < column else -1) * math.sin(angle)
        wanted = entry if row // 2 == column // 2 else 0.0
        text = cells[row, column].replace("−", "-")
        assert abs(float(text) - wanted) <= 0.5 * 10.0 ** -len(text.partition(".")[2]) + 1e-12


def test_entries_of_the_lens_have_all_their_digits_and_a_press_in_the_matrix_chooses_a_pair():
    places = places_of("rotation", {"d_model": "32", "offset": "8", "pair": "4"})
    assert float(places["entry 8, 9"].value) == pytest.approx(math.sin(0.8), rel=1e-15)
    assert float(places["entry 9, 8"].value.replace("−", "-")) == pytest.approx(-math.sin(0.8), rel=1e-15)
    assert places["entry 8, 9"].value in places["entry 8, 9"].tooltip
    x, y, wide, _ = places["matrix M(8)"].area
    assert places["matrix M(8)"].changes(x + 9.5 * wide / 32, y) == {"pair": 4}


def test_each_cell_of_a_block_and_the_hands_tell_their_numbers_and_the_block_of_a_named_pair_is_framed(light):
    state = {"d_model": "32", "offset": "8", "pair": "4", "position": "37", "layout": "half-split"}
    places = places_of("rotation", state)
    cell, matrix = places["cell 3, 19"], places["matrix M(8)"]
    wanted = math.sin(8 * omega(3))
    assert cell.tooltip == f"entry 3, 19 of M(8): {cell.value}"
    assert float(cell.value) == pytest.approx(wanted, rel=1e-14)
    assert (cell.area.x, cell.area.y) == pytest.approx(
        (matrix.area.x + 19 / 32 * matrix.area.width, matrix.area.y + 3 / 32 * matrix.area.height)
    )
    assert cell.changes(*cell.area.middle) == matrix.changes(*cell.area.middle) == {"pair": 3}
    assert matrix.tooltip == "M(8) is 0 beside its blocks"
    # Pair 4 turns by 0.1 radians a position.
    angles = (math.degrees(angle) % 360 for angle in (3.7, 4.5))
    now, later = (f"{angle:.1f}°" for angle in angles)
    told = places["turn of the block"].tooltip
    assert told == f"pair 4: {now} at t = 37, {later} at t + k = 45, turned by {math.degrees(0.8):.1f}°"
    frames = of_kind(plot.ghosts(places.values(), Preview(None, None, 3), light), marks.Rectangle)
    assert any(frame.x < cell.area.middle[0] < frame.x + frame.width < cell.area.right + 9.0 for frame in frames)
    assert len(frames) == 4


@pytest.mark.parametrize(("width", "height"), [(660.25, 401.6), (816.0, 395.0), (1200.0, 700.0)])
@pytest.mark.parametrize("offset", ["8", "-3.5", "0.04"])
def test_the_turn_is_told_and_its_angle_stands_at_the_arc(width, height, offset):
    told = f"{fixed(math.degrees(float(offset) * 0.1), 1)}°"
    scene = scene_of("rotation", {"offset": offset}, width, height, is_paper=True)
    [turn] = [mark for mark in of_kind(scene.still(), marks.FormulaText) if mark.formula.startswith("kω")]
    assert turn.formula.endswith(told)
    [circle] = rings_of(scene.moving)
    assert circle.radius >= 44.0
    [angle] = [mark for mark in of_kind(scene.moving, marks.Text) if mark.text == told]
    assert math.dist((angle.x, angle.y), circle.centers[0]) < circle.radius


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
