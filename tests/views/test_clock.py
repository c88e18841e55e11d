"""The clock: its hands and small dials at their true angles, clipboard and figure, and its colours under a scheme."""

import cmath
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QColor

from pe_desktop.core.cursor import Cursor, Preview
from pe_desktop.core.kinds import KINDS
from pe_desktop.core.kinds.ablations import OddWidthEncoding, OneWaveEncoding
from pe_desktop.core.kinds.naive import BitsEncoding, CounterEncoding
from pe_desktop.core.kinds.sinusoidal import PaddedEncoding, SinusoidalEncoding
from pe_desktop.core.scores.rotary import turning_state
from pe_desktop.core.state import State, state_of
from pe_desktop.draw import marks
from pe_desktop.draw.dial import Dial, face_picture, nearest_tip
from pe_desktop.draw.number_text import fixed
from pe_desktop.draw.scene import Area, Scene
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Computed
from pe_desktop.panels.waves_panel import _values_at
from pe_desktop.views.clock import dials
from pe_desktop.views.clock import scene as clock
from pe_desktop.views.clock.layout import ClockLayout, clock_room, layout_of, numbers_picture
from pe_desktop.views.clock.picture import hand_state, hands_picture, preview_hands_picture
from pe_desktop.views.questions import WAITS
from pe_desktop.views.waves import scene as waves
from pe_desktop.views.waves.picture import _legend_entries
from tests.core.scores.loops import projected
from tests.pictures import of_kind, rings_of
from tests.views.seen import box_of, drawn, omega, scene_of, texts_in
from tests.views.test_every_view import Unknown


def test_the_hand_whose_tip_is_nearest_is_taken_within_reach():
    tips = np.array([[10.0, 10.0], [30.0, 10.0], [30.0, 25.0]])
    points = (11.0, 12.0), (29.0, 16.0), (29.0, 19.0), (46.0, 25.0), (46.5, 25.0)
    assert [nearest_tip(tips, *point) for point in points] == [0, 1, 2, 2, None]


DIAL = Dial(300.0, 200.0, 180.0)


def place(angle, radius):
    return 300.0 + radius * math.sin(angle), 200.0 - radius * math.cos(angle)


def ring(pair, n_pairs):
    """Rings lie evenly between 0.93 and 0.185 of the dial's radius."""
    return 180.0 * (0.93 - 0.745 * pair / max(n_pairs - 1, 1))


def picture(theme, cursor, d_model=32, encoding=None):
    encoding = encoding or SinusoidalEncoding(10_000_000, d_model)
    return hands_picture(DIAL, encoding, hand_state(encoding.face_hands, cursor), cursor, theme)


@pytest.mark.parametrize(("n_pairs", "n_rings"), [(1, 2), (32, 33), (33, 3), (32_768, 3)])
def test_the_face_shows_a_ring_for_each_pair_while_rings_can_be_told_apart(theme, n_pairs, n_rings):
    shown = [ring.radius for ring in rings_of(face_picture(DIAL, n_pairs, theme))]
    assert len(shown) == n_rings
    assert (max(shown), min(shown)) == (DIAL.radius, DIAL.ring_radii(n_pairs)[-1])


PERIODS = [math.tau / omega(pair) for pair in range(16)]


@pytest.mark.parametrize(
    ("encoding", "position", "offset", "periods"),
    [
        (SinusoidalEncoding(10_000_000, 32), 37.0, 8.0, PERIODS),
        (SinusoidalEncoding(10_000_000, 32), 100.5, -30.25, PERIODS),
        (SinusoidalEncoding(10_000_000, 32), 9_999_999.0, 1.0, PERIODS),
        (BitsEncoding(128, 9), 37.0, 8.0, [2 * 2**bit for bit in range(9)]),
        (BitsEncoding(128, 9, "gray"), 37.0, 8.0, [4 * 2**bit for bit in range(9)]),
    ],
)
def test_every_hand_has_a_solid_tip_at_t_and_a_hollow_one_at_t_plus_k(theme, encoding, position, offset, periods):
    cursor, count = Cursor(position, offset, pair=1, pinned_pairs=(0, 3)), len(periods)
    shown = picture(theme, cursor, encoding=encoding)
    dots, badges = of_kind(shown, marks.Dots)[:-1], of_kind(shown, marks.Badge)
    tips = [(dot.centers[0], dot.outline or dot.fill, dot.fill == theme.panel) for dot in dots]
    tips += [(np.array([badge.x, badge.y]), badge.color, badge.ground == theme.panel) for badge in badges]
    assert len(tips) == 2 * count
    for hand, period in enumerate(periods):
        # Bits are chosen two by two.
        color = theme.pair_color(hand, count) if count == 16 else theme.pair_color(hand // 2, 5)
        for is_hollow, at in ((False, position), (True, position + offset)):
            tip = place(math.tau * at / period, ring(hand, count))
            ends = [(center, ink) for center, ink, is_open in tips if is_open == is_hollow]
            assert [ink for center, ink in ends if np.allclose(center, tip, rtol=0, atol=1e-6)] == [color]


def test_badges_name_the_pinned_pairs_and_the_chosen_one_with_its_number_on_both_tips(light):
    badges = of_kind(picture(light, Cursor(pair=5, pinned_pairs=(0, 4, 8), offset=30.0)), marks.Badge)
    assert [badge.label for badge in badges] == ["0", "4", "8", "5"] * 2
    # The two bits of a pinned pair carry their own numbers.
    bits = picture(light, Cursor(37.0, 8.0, pair=1, pinned_pairs=(0, 3)), encoding=BitsEncoding(128, 9))
    assert [one.label for one in of_kind(bits, marks.Badge) if one.ground is None] == ["0", "1", "6", "7", "2", "3"]


@pytest.mark.parametrize("offset", [8.0, -3.0, 100.0, 0.0])
def test_arcs_run_from_t_by_the_turn_of_k_at_most_once_around(light, offset):
    arcs = of_kind(picture(light, Cursor(37.0, offset)), marks.Arc)
    by_radius = {round(arc.radius, 6): arc for arc in arcs}
    assert len(arcs) == len(by_radius) == 16
    for pair in range(16):
        arc = by_radius[round(ring(pair, 16), 6)]
        assert (arc.x, arc.y) == (300.0, 200.0)
        if abs(offset) * omega(pair) < math.tau:
            assert math.remainder(arc.start - 37 * omega(pair), math.tau) == pytest.approx(0, abs=1e-9)
        assert arc.turn == pytest.approx(math.copysign(min(abs(offset) * omega(pair), math.tau), offset))


@pytest.mark.parametrize(("position", "pair", "amplitude"), [(37.0, 4, 1.0), (37.0, 0, 3.0), (0.0, 15, 0.5)])
def test_the_chosen_hand_alone_casts_its_sine_to_the_right_and_its_cosine_up(theme, position, pair, amplitude):
    encoding, angle = SinusoidalEncoding(128, 32, amplitude=amplitude), position * omega(pair)
    shown = picture(theme, Cursor(position, 8.0, pair=pair), encoding=encoding)
    right, up = place(angle, ring(pair, 16))
    (shadows,) = [one.ends for one in of_kind(shown, marks.Segments) if one.color == theme.ink and one.width == 3.0]
    np.testing.assert_allclose(shadows, [[300, 200, right, 200], [300, 200, 300, up]], rtol=0, atol=1e-9)


# The panel in windows of 1280 x 720 and 1600 x 1000.
@pytest.mark.parametrize(("width", "height"), [(389.0, 226.0), (408.0, 392.0)])
@pytest.mark.parametrize("names", [{}, {"scheme": "rope"}, {"pair": "1"}, {"pair": "15"}])
def test_shadows_have_their_values_at_their_feet_over_no_other_label(names, width, height):
    n_told = 0
    for t in np.linspace(0.0, 70.0, 71).tolist():
        state = state_of({"position": str(t), "offset": "3.5", **names})
        scene = scene_of("clock", state, width, height)
        texts = of_kind(drawn(scene), marks.Text)
        values = [one for one in of_kind(scene.moving, marks.Text) if one.role == "tick"]
        [feet] = [one.ends[:, 2:] for one in of_kind(scene.moving, marks.Segments) if one.width == 3.0]
        angle = t * omega(state.cursor.pair)
        assert {one.text for one in values} <= {fixed(math.sin(angle), 3), fixed(math.cos(angle), 3)}
        labels = [(one.x, one.y, 12.0, 12.0) for one in of_kind(scene.moving, marks.Badge)]
        labels += [(middle_of(one), one.y, half_of(one), 7.0) for one in texts if one not in values]
        for value in values:
            x, y = middle_of(value), value.y
            parts = zip(feet, (math.sin(angle), math.cos(angle)), strict=True)
            own = [foot for foot, part in parts if fixed(part, 3) == value.text]
            assert min(math.hypot(*(foot - (x, y))) for foot in own) < 75.0
            assert all(
                abs(at - x) >= wide + half_of(value) or abs(up - y) >= tall + 5.0 for at, up, wide, tall in labels
            )
        n_told += len(values)
    # Badges leave room for three of four and more.
    assert n_told > 1.5 * 71


def half_of(text: marks.Text) -> float:
    return text_width(text.role, text.text) / 2


def middle_of(text: marks.Text) -> float:
    return text.x + (1 - 2 * text.across) * half_of(text)


def test_a_table_that_lacks_one_cosine_keeps_its_hands_and_draws_the_half_one_twice(light):
    shown = picture(light, Cursor(37.0, 8.0, pair=2), encoding=OddWidthEncoding(128, 33))
    speeds = [10_000 ** (-2 * i / 33) for i in range(17)]
    ends = np.concatenate([dot.centers for dot in of_kind(shown, marks.Dots)])
    for angle in (37 * speeds[16], math.pi - 37 * speeds[16]):
        assert np.abs(ends - place(angle, ring(16, 17))).sum(axis=1).min() < 1e-6
    assert len(of_kind(shown, marks.Badge)) == 8
    # The row of zeros has no hands.
    padded = picture(light, Cursor(1.0, 8.0), encoding=PaddedEncoding(128, 32))
    assert all((one.x, one.y) == (300.0, 200.0) for one in of_kind(padded, marks.Badge) if one.ground is None)


def test_above_32_pairs_every_tip_is_a_dot_and_only_named_pairs_have_hands(theme):
    n_pairs = 33
    shown = picture(theme, Cursor(37.0, 8.0, pair=20), 2 * n_pairs)
    (cloud,) = of_kind(shown, marks.DotCloud)
    tips = [place(37 * omega(pair, 2 * n_pairs), ring(pair, n_pairs)) for pair in range(n_pairs)]
    np.testing.assert_allclose(cloud.centers, tips, rtol=0, atol=1e-6)
    colors = [theme.pair_color(pair, n_pairs).getRgb()[:3] for pair in range(n_pairs)]
    assert np.abs(cloud.colors.astype(int) - colors).max() <= 1
    assert {badge.label for badge in of_kind(shown, marks.Badge)} - {""} == {"0", "4", "8", "20"}
    assert len(of_kind(shown, marks.Arc)) == 4
    assert not of_kind(picture(theme, Cursor(), 64), marks.DotCloud)
    # Their number stays small up to the widest model.
    assert len(picture(theme, Cursor(pair=32_767), 65_536)) == len(picture(theme, Cursor(pair=32), 66)) < 40


def test_the_preview_shows_the_named_hands_where_they_would_stand(light):
    encoding, cursor = SinusoidalEncoding(), Cursor(pair=5, pinned_pairs=(0, 4))
    shown = preview_hands_picture(DIAL, encoding, Preview(50.0), cursor, light)
    tips = [place(50 * omega(pair), ring(pair, 16)) for pair in (0, 4, 5)]
    (lines,), (dots,) = of_kind(shown, marks.Segments), of_kind(shown, marks.Dots)
    np.testing.assert_allclose(dots.centers, tips, rtol=0, atol=1e-6)
    np.testing.assert_allclose(lines.ends, [[300.0, 200.0, *tip] for tip in tips], rtol=0, atol=1e-6)
    dashed, solid = of_kind(preview_hands_picture(DIAL, encoding, Preview(20.0, 30.0), cursor, light), marks.Segments)
    np.testing.assert_array_equal(dashed.ends, lines.ends)
    assert dashed.dash
    assert not solid.dash


def test_hands_are_places_with_their_angles_and_the_chosen_one_at_t_plus_k_as_well(qapp):
    state = State(cursor=Cursor(37.0, 8.0, pair=5, pinned_pairs=(0,)))
    places = {place.name: place for place in scene_of("clock", state, 660.0, 400.0).places()}
    assert {*places} == {*(f"hand {pair}" for pair in range(16)), "hand 5 at t + k"}
    for pair in range(16):
        turned = math.degrees(37 * 10000 ** (-pair / 16)) % 360
        assert places[f"hand {pair}"].value == f"{turned:.1f}°"
        assert places[f"hand {pair}"].is_chosen == (pair == 5)
    assert places["hand 5 at t + k"].value == f"{math.degrees(45 * 10000 ** (-5 / 16)) % 360:.1f}°"


def test_the_read_out_has_a_row_for_each_badge_with_all_digits_and_what_is_spoken_those_that_are_shown():
    state, angle = State(SinusoidalEncoding(amplitude=2.0), Cursor(37.0, 8.0, 5)), 37 * omega(5)
    titles, *rows = [line.split("\t") for line in clock.VIEW.readout(state, Computed()).splitlines()]
    assert titles == ["pair", "sin t", "cos t", "sin t+k", "cos t+k", "ω", "angle in °", "turn by k in °"]
    wanted = []
    for pair in (0, 4, 5, 8):
        parts = [2 * part(at * omega(pair)) for at in (37, 45) for part in (math.sin, math.cos)]
        angles = [math.degrees(at * omega(pair)) for at in (37, 8)]
        wanted.append([pair, *parts, omega(pair), angles[0] % 360, angles[1]])
    np.testing.assert_allclose(np.array(rows, dtype=float), wanted, rtol=1e-13)
    assert f"sin / 2 {math.sin(angle):.3f}, ".replace("-", "−") in clock.spoken(state, Computed())


def test_small_dials_and_bits_are_places(qapp):
    each = {"clock.mode": "each", "clock.shows_bits": "true"}
    places = scene_of("clock", state_of(each), 900.0, 600.0).places()
    assert [place.name for place in places] == [
        *(f"dial {pair}" for pair in range(16)), *(f"bit {bit}" for bit in range(7))
    ]  # fmt: skip
    assert [place.value for place in places[16:]] == [str(37 >> bit & 1) for bit in range(7)]
    assert [place.name for place in places if place.is_chosen] == ["dial 4"]
    # What finds no room on paper is told.
    scene = scene_of("clock", state_of({"d_model": "4096", **each}), 660.0, 400.0, is_paper=True)
    (note,) = [text for text in texts_in(scene) if text.endswith("have no room")]
    hidden = int(re.sub(r"\s", "", note.split(" more pairs")[0]))
    assert hidden + sum(place.name.startswith("dial") for place in scene.places()) == 2_048


def numbers_in(state, theme, width=500):
    """The numbers of the chosen hand in a row of a width."""
    return Scene(numbers_picture(state, Computed(), ClockLayout(None, (), Area(0, 0, width, 32)), theme, ""))


def test_numbers_are_left_out_with_their_names_where_they_find_no_room_and_the_names_stay_while_t_moves(light):
    wide, later = numbers_in(State(), light), numbers_in(State(cursor=Cursor(position=38.0)), light)
    names, still = ([(name.x, name.text) for name in of_kind(row.moving, marks.Text)[::2]] for row in (wide, later))
    assert names == still
    texts = ["angle", "212.0°", "sin", "−0.530", "cos", "−0.848", "turn by k", "45.8°"]
    assert texts_in(wide) == texts
    narrow = texts_in(numbers_in(State(), light, 180))
    assert narrow == texts[: len(narrow)]
    assert len(narrow) in (2, 4, 6)


def test_the_title_says_what_is_seen():
    one_hand, counter = {"d_model": "2", "clock.shows_bits": "true"}, {"kind": "counter", "clock.mode": "each"}
    assert clock.VIEW.sentence(State(), Computed()) == "16 hands show position 37"
    assert clock.VIEW.sentence(state_of(one_hand), Computed()) == "1 hand and 7 bits show position 37"
    assert clock.VIEW.sentence(state_of(counter), Computed()) == "Counter: 32 columns show position 37"


# No edge of a cell lies at these, whatever the rounding.
HEIGHTS = st.integers(0, 5000).map(lambda height: height + 1 / math.pi)
ROOMS = st.tuples(st.floats(200, 2500), st.floats(120, 1600), st.integers(1, 400) | st.just(32_768))


@settings(max_examples=50)
@given(room=ROOMS, top=HEIGHTS, seen=HEIGHTS)
def test_every_pair_has_its_own_cell_and_those_are_seen_whose_cells_cut_the_seen_stretch(room, top, seen):
    width, height, n_pairs = room
    grid = dials._dials_in(SinusoidalEncoding(d_model=2 * n_pairs), width, height, 84.0, 24.0)
    assert grid.columns * grid.rows >= n_pairs > grid.columns * (grid.rows - 1)
    assert grid.columns * grid.cell_width <= width * (1 + 1e-9)
    for pair in {0, n_pairs // 2, n_pairs - 1}:
        left, upper = grid.cell(pair)
        assert upper + grid.cell_height <= grid.height * (1 + 1e-9)
        for across, down in ((0.01, 0.01), (0.99, 0.99)):
            place = (left + across * grid.cell_width, upper + down * grid.cell_height)
            assert grid.dial_at(*place) == pair
    for x, y in ((-1.0, 5.0), (5.0, -1.0), (grid.columns * grid.cell_width * 1.001, 5.0), (5.0, grid.height * 1.001)):
        assert grid.dial_at(x, y) is None
    edges = [(pair, grid.cell(pair)[1]) for pair in range(n_pairs)]
    wanted = [pair for pair, edge in edges if edge <= top + seen and edge + grid.cell_height > top]
    assert [*grid.dials_between(top, top + seen)] == wanted


def test_the_hands_of_the_small_dials_stand_at_their_true_angles(light):
    encoding = SinusoidalEncoding(d_model=8)
    grid = dials._dials_in(encoding, 600.0, 300.0, 84.0, 24.0)
    cursor = Cursor(position=37.25, offset=-3.5, pair=2)
    dials_shown = dials.dials_picture(grid, cursor, light)
    rings = rings_of(dials_shown)
    hands = of_kind(dials_shown, marks.Segments)
    arcs = of_kind(dials_shown, marks.Arc)
    dots = [mark for mark in of_kind(dials_shown, marks.Dots) if mark.fill is not None]
    for pair in range(4):
        omega = 10000 ** (-2 * pair / 8)
        (cx, cy), arc, (ghost, tip, _) = rings[pair].centers[0], arcs[pair], dots[3 * pair : 3 * pair + 3]
        for mark, angle in ((tip, 37.25 * omega), (ghost, 33.75 * omega)):
            x, y = cx + arc.radius * math.sin(angle), cy - arc.radius * math.cos(angle)
            np.testing.assert_allclose(mark.centers, [[x, y]], atol=1e-9)
        np.testing.assert_allclose(hands[pair].ends, [[cx, cy, *tip.centers[0]]], atol=1e-9)
        assert math.remainder(arc.start - 37.25 * omega, math.tau) == pytest.approx(0, abs=1e-9)
        assert arc.turn == pytest.approx(max(-3.5 * omega, -math.tau))
        assert (tip.fill, ghost.fill, ghost.outline) == (hands[pair].color, light.panel, hands[pair].color)
    grounds = of_kind(dials_shown, marks.Rectangle)
    assert [grid.dial_at(box.x + box.width / 2, box.y + box.height / 2) for box in grounds] == [2]


def dials_shown(theme, encoding, cursor, width=440.0, height=320.0):
    grid = dials.own_dials(encoding, width, height)
    return grid, dials.dials_picture(grid, cursor, theme)


@pytest.mark.parametrize("code", ["binary", "gray"])
@pytest.mark.parametrize("position", [0, 5, 37, 90, 127])
def test_the_half_of_a_bit_is_filled_while_the_bit_is_1_and_the_hand_lies_in_it(light, code, position):
    grid, shown = dials_shown(light, BitsEncoding(128, 8, code), Cursor(float(position), 8.0, 0))
    halves = of_kind(shown, marks.Arc)
    tips = [dots for dots in of_kind(shown, marks.Dots) if dots.radius == 5.0]
    number = position if code == "binary" else position ^ (position >> 1)
    for bit, (half, tip) in enumerate(zip(halves, tips, strict=True)):
        dial = grid.dial(bit)
        is_one = bool(number >> bit & 1)
        assert (half.color != light.grid) == is_one
        x, y = tip.centers[0].tolist()
        angle = math.atan2(x - dial.x, dial.y - y) % math.tau
        in_half = (angle - half.start + 1e-9) % math.tau < half.turn
        assert in_half == is_one
        if code == "binary":
            wanted = math.tau * (position % 2 ** (bit + 1)) / 2 ** (bit + 1)
            assert math.remainder(angle - wanted, math.tau) == pytest.approx(0.0, abs=1e-9)


def test_the_needle_of_a_gauge_swings_by_the_share_of_the_limit(light):
    grid, shown = dials_shown(light, CounterEncoding(101, 3), Cursor(25.0, 50.0, 0))
    tips = [dots.centers[0].tolist() for dots in of_kind(shown, marks.Dots) if dots.radius == 5.0]
    ghosts = [dots.centers[0].tolist() for dots in of_kind(shown, marks.Dots) if dots.radius == 4.0]
    for (x, y), value in ((tips[0], 25), (ghosts[0], 75)):
        angle = math.atan2(x - grid.dial(0).x, grid.dial(0).y - y)
        assert math.degrees(angle) == pytest.approx(135 * value / 100)
    assert dials.columns_sentences(CounterEncoding(101, 3))[0] == "one needle for each dimension, −100 to +100"
    # A column is told in one line.
    assert dials.column_sentence(BitsEncoding(), 5, Cursor(37.0, 8.0)) == (
        "dimension 5: 1.0000 at t, 1.0000 at t + k, flips every 32 positions"
    )


def test_all_bits_that_flip_within_n_are_seen_at_once_in_the_panel_of_a_large_window():
    for n_positions, n_bits in ((1, 1), (2, 1), (128, 7), (129, 8), (1_000_000, 20)):
        _, shown = clock_room(408.0, 356.0, BitsEncoding(n_positions, n_bits))
        assert shown.n_hidden == 0
        assert shown.top + shown.height <= 356.5


@pytest.mark.parametrize(("name", "wave", "half_turn"), [("sine", math.sin, math.pi), ("cosine", math.cos, 0.0)])
def test_a_wave_alone_has_two_angles_for_each_number(name, wave, half_turn, light):
    encoding = OneWaveEncoding(128, 8, wave=name)
    found = dials._twin_angles(encoding, 37.0, range(8))
    for column, (angle, other) in enumerate(found.tolist()):
        own = 37 / 10_000 ** (column / 8)
        assert math.remainder(angle - own, math.tau) == pytest.approx(0.0, abs=1e-12)
        assert math.remainder(other - (half_turn - own), math.tau) == pytest.approx(0.0, abs=1e-12)
        assert wave(angle) == pytest.approx(wave(other), abs=1e-12)
        assert wave(angle) == pytest.approx(float(encoding.values(37, [column])[0, 0]), abs=1e-12)
    dials_shown = dials.dials_picture(dials.own_dials(encoding, 400.0, 300.0), Cursor(37.0, 8.0, 0), light)
    hands = [mark for mark in dials_shown if isinstance(mark, marks.Segments) and not mark.dash]
    lines = [mark for mark in dials_shown if isinstance(mark, marks.Segments) and mark.dash]
    assert [len(mark.ends) for mark in hands] == [2] * 8
    # One number: both ends stand at one height, or one above the other, as the dashed line between them.
    same = slice(0, 3, 2) if name == "sine" else slice(1, 4, 2)
    assert all(np.ptp(mark.ends[0, same]) == pytest.approx(0.0, abs=1e-9) for mark in lines)
    degrees = [f"{math.degrees(angle) % 360:.1f}°" for angle in found[1]]
    assert f"at {degrees[0]} and at {degrees[1]}" in dials.column_sentence(encoding, 1, Cursor(37.0, 8.0))
    # Only where no column holds the other half.
    assert {kind for kind in KINDS if dials.has_twins(KINDS[kind]())} == {"one-wave", "doubled-exponent"}


# Clock and waves wear the scheme while a sentence leads; its words reach beyond t.
OPEN = {"attention.is_open": "true", "sentence": " ".join(["word"] * 64)}
ROPE = OPEN | {"scheme": "rope", "position": "37", "offset": "-8"}
EACH = ROPE | {"clock.mode": "each"}


@pytest.mark.parametrize("n_pairs", [16, 258])
def test_dials_show_query_and_key_as_complex_numbers_before_and_after_their_turn(n_pairs, light):
    state, box = state_of(EACH | {"d_model": str(2 * n_pairs)}), box_of(light)
    scene = clock.VIEW.scene(state, Computed(), box)
    (dials,) = layout_of(state, Computed(), box).dials
    # Of equal words: W_Q x and W_K x.
    query, key, _ = projected(replace(state.attention, scheme="none"), state.encoding, 37)
    longest = max(abs(complex(*vector[2 * pair : 2 * pair + 2])) for vector in (query, key) for pair in range(n_pairs))
    tips = [tip for mark in of_kind(scene.moving, marks.Segments) for tip in mark.ends[:, 2:]]
    knobs = [mark for mark in of_kind(scene.moving, marks.Dots) if mark.radius > 3 and mark.fill is not None]
    for pair in dials.shown:
        dial, omega = dials.dial(pair), 10_000.0 ** (-pair / n_pairs)
        numbers = [complex(*vector[2 * pair : 2 * pair + 2]) for vector in (query, key)]
        turned = [number * cmath.exp(1j * omega * t) for number, t in zip(numbers, (37.0, 29.0), strict=True)]
        # Lines: both faint ones, the key, the query; the first component is up, the second to the right.
        for tip, number in zip(tips[4 * pair : 4 * pair + 4], (*numbers, *turned[::-1]), strict=True):
            share = number * dial.radius / longest
            assert tip.tolist() == pytest.approx([dial.x + share.imag, dial.y - share.real], abs=1e-9)
        (hollow, solid), (_, dashed) = knobs[2 * pair : 2 * pair + 2], tips[4 * pair + 2 : 4 * pair + 4]
        assert (hollow.fill, solid.fill) == (light.panel, light.pair_color(pair, n_pairs))
        assert solid.centers[0].tolist() == dashed.tolist()
    assert [bool(line.dash) for line in of_kind(scene.moving, marks.Segments)[:3]] == [False, True, False]
    # Those of a wide head are read outside a frame, and until then nothing stands for them.
    waiting = texts_in(clock.VIEW.scene(state, Unknown(), box))
    assert (WAITS in waiting, "query turned" in waiting) == (n_pairs > 128,) * 2


def test_the_row_of_numbers_tells_angles_before_and_after(light):
    state = state_of(EACH | {"rotary.query": " ".join(["1 0"] * 16), "rotary.key": " ".join(["0 2"] * 16)})
    turn = math.degrees(0.1)
    texts = texts_in(numbers_in(state, light))
    assert texts == [
        "q", f"0.0° → {37 * turn % 360:.1f}°", "k", f"90.0° → {(90 + 29 * turn) % 360:.1f}°", "faint: before",
    ]  # fmt: skip
    assert "\n4\t0.0° → 212.0°\t90.0° → " in clock.VIEW.readout(state, Computed())
    texts = texts_in(numbers_in(state_of(ROPE), light))
    assert texts[::2] == ["query turned", "key turned", "turn by k"]
    assert texts[1::2] == ["212.0°", f"{29 * turn % 360:.1f}°", f"−{8 * turn:.1f}°"]


# Half of the pairs stand still: the others have the frequencies of a head of their width, or those that they had.
HALVES = [({"rotary_share": "0.5"}, 0.01), ({"scheme": "p-rope", "proportion": "0.5"}, 0.1)]


@pytest.mark.parametrize(("half", "fourth"), HALVES)
def test_on_one_dial_hands_are_the_turns_and_those_that_stay_are_grey(half, fourth, light):
    state, box = state_of(ROPE | half | {"pinned_pairs": "0 4 12"}), box_of(light)
    face = layout_of(state, Computed(), box).face
    assert face is not None
    *drawn, _ = of_kind(clock.VIEW.scene(state, Computed(), box).moving, marks.Badge)
    badges = {(mark.label, mark.ground is None): mark for mark in drawn}
    for pair, speed in ((0, 1.0), (4, fourth)):
        solid = badges[str(pair), True]
        assert math.remainder(face.angle_at(solid.x, solid.y) - 37 * speed, math.tau) == pytest.approx(0, abs=1e-9)
        assert solid.color.name() == light.pair_color(pair, 16).name()
    still = badges["12", True]
    assert face.angle_at(still.x, still.y) == pytest.approx(0, abs=1e-9)
    assert still.color.name() == light.still_color.name()
    assert clock.hand_at(state, layout_of(state, Computed(), box), still.x, still.y) is None


@pytest.mark.parametrize("half", [half for half, _ in HALVES])
def test_pairs_that_stay_are_grey_on_their_dials_and_told_so(half, light):
    state = state_of(EACH | half | {"pair": "12"})
    scene = clock.VIEW.scene(state, Computed(), box_of(light, 1600.0, 1000.0))
    # Beside the numbers of pair 12, too.
    assert sum(text.endswith("not turned") for text in texts_in(scene)) == 8 + 1
    colors = [mark.fill for mark in of_kind(scene.moving, marks.Dots) if mark.radius > 4 and mark.fill is not None]
    assert colors[8:] == [light.still_color] * 8
    assert light.still_color not in colors[:8]
    assert texts_in(numbers_in(state, light))[-1] == "not turned"
    # Tooltips name the two dimensions.
    for pairing, right in (("interleaved", 1), ("half-split", 16)):
        state = state_of(EACH | {"pairing": pairing})
        words = clock.tooltip(state, layout_of(state, Computed(), box_of(light)), 10.0, 10.0)
        assert words.startswith("pair 0: turned clockwise")
        assert f"up is dimension 0, right is dimension {right}" in words
    assert clock.VIEW.sentence(state, Computed()) == "RoPE turns q at 37 and k at 29, pair by pair"


def test_waves_are_the_factors_whatever_the_encoding_adds(light):
    state = state_of(ROPE | {"start": "5", "amplitude": "3", "pinned_pairs": "4"})
    values = _values_at(waves.layout_of(state, box_of(light)), 10.0)
    assert values == "position 10\npair 4: sin 0.8415, cos 0.5403"
    assert waves.VIEW.sentence(state, Computed()) == "RoPE multiplies q and k by sin and cos of pair 4"
    assert [entry.text for entry in _legend_entries(turning_state(state).encoding, light)] == ["sin", "cos"]
    flat = state_of(ROPE | {"rotary_share": "0.25", "pinned_pairs": "8"})
    scene = waves.VIEW.scene(flat, Computed(), box_of(light))
    assert "not turned" in texts_in(scene)
    curves = of_kind(scene.still(), marks.Polyline)
    assert [float(np.ptp(curve.points[:, 1])) for curve in curves] == [0.0, 0.0]


UNREAD = {
    "none": "attention adds no positions now, so no score uses these hands",
    "alibi": "ALiBi reads none of these hands",
    "t5": "T5 reads none of these hands",
    "shaw": "Shaw reads none of these hands",
}
DROPPED = [{"scheme": scheme, "drops_positions": "true"} for scheme in ("additive", "rope", "alibi")]


def colors_of(view, state, theme):
    """The colours of all dots and badges of a scene."""
    shown = view.VIEW.scene(state, Computed(), box_of(theme, 640.0, 480.0))
    picture = (*shown.still(), *shown.moving)
    dots = {mark.fill.name() for mark in picture if isinstance(mark, marks.Dots) and mark.fill is not None}
    return dots | {mark.color.name() for mark in picture if isinstance(mark, marks.Badge)}


def is_grey(name):
    """Whether a colour is a grey of the chrome: those have a touch of blue."""
    color = QColor(name)
    return max(color.red(), color.green(), color.blue()) - min(color.red(), color.green(), color.blue()) < 32


@pytest.mark.parametrize("view", [clock, waves])
@pytest.mark.parametrize(
    ("assignments", "words"),
    [({"scheme": scheme}, words) for scheme, words in UNREAD.items()]
    + [(dropped, UNREAD["none"]) for dropped in DROPPED],
)
def test_hands_that_no_head_reads_are_grey_and_the_title_says_why(view, assignments, words, luck, theme):
    state = state_of(OPEN | assignments | {"clock.mode": luck.choice(("one", "each")), "pinned_pairs": "0 4 8"})
    assert all(map(is_grey, colors_of(view, state, theme)))
    added = state_of({"attention.is_open": luck.choice(("true", "false")), "pinned_pairs": "0 4 8"})
    assert {theme.pair_color(pair, 16).name() for pair in (0, 4, 8)} <= colors_of(view, added, theme)
    assert "Grey" not in view.VIEW.explanation(added)
    assert view.VIEW.subtitle(state, Computed()) == words
    assert view.VIEW.explanation(state).endswith(f" Grey means {words}.")


PLAIN = "16 hands, one per pair"
IN_FRONT = {"rotary": "q and k turned", "look-back": "added to each word"}


@pytest.mark.parametrize(
    ("view", "assignments", "words"),
    [
        (clock, {}, PLAIN),
        (waves, {"pinned_pairs": "0 4 8"}, "3 hands of the clock against position"),
        (waves, {"pinned_pairs": "0 4 8", "pair": "5"}, "3 hands of the clock, pair 5 is not pinned"),
        (clock, {"attention.is_open": "true"}, "added to each word"),
        # What the panel in front reads counts, whatever the scheme of the sentence; elsewhere they show the encoding.
        *((clock, {"front": key, "scheme": "t5"}, words) for key, words in IN_FRONT.items()),
        *((clock, {"front": key, "scheme": "t5", "attention.is_open": "false"}, PLAIN) for key in IN_FRONT),
    ],
)
def test_the_words_beside_the_title_say_what_a_head_makes_of_the_hands(view, assignments, words):
    assert view.VIEW.subtitle(state_of(assignments), Computed()) == words
