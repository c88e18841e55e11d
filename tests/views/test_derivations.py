"""The derivations: both ways to each number agree, what is printed is right, and what fails says where."""

import cmath
import math
import re
from dataclasses import replace

import mpmath  # type: ignore[import-untyped]
import pytest

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.derivations import log10_determinant, shift_system
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds import KINDS
from pe_desktop.core.kinds.ablations import OneWaveEncoding, PositionMapEncoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.presets import CONVENTIONS, with_convention
from pe_desktop.core.state import State, state_of, with_encoding, with_name
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import themes
from pe_desktop.draw.typeset import plain_block
from pe_desktop.views.derivations import scene
from pe_desktop.views.derivations.scene import CHAPTERS
from pe_desktop.views.derivations.step import Step, tiny
from pe_desktop.views.table import FIGURES
from tests.pictures import of_kind, rings_of
from tests.views.seen import ANSWERS, omega, places_of, rows_of, scene_of, texts_in, texts_of

PAPER = SinusoidalEncoding()
ENCODINGS = [
    *(with_convention(PAPER, word) for word in CONVENTIONS),
    replace(PAPER, scale=1000.0),
    replace(PAPER, scale=0.25, start=-7.5, amplitude=3.0),
    replace(PAPER, layout="cosine-first", start=2.0, amplitude=0.1),
    replace(PAPER, amplitude=1e6),
    replace(PAPER, spacing="linear"),
    SinusoidalEncoding(1, 2),
    SinusoidalEncoding(1_000_000, 4),
    SinusoidalEncoding(600, 512),
]
CURSORS = [
    *(Cursor(37.0, 8.0, 4), Cursor(0.0, -3.0, 0), Cursor(100.0, 2.5, 15), Cursor(4.0, 0.0, 1)),
    # At scale 1000 these are 1e9 radians of hand 0: plain float64 is off by some 1e-7 there.
    Cursor(37.0, 1e6, 0),
]
SIGNS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−\u2009", "-0123456789- ")


def steps_of(page: str, encoding: Encoding = PAPER, cursor: Cursor | None = None) -> tuple[Step, ...]:
    state = with_encoding(State(), encoding).with_cursor(cursor or Cursor())
    return scene._steps_of(with_name(state, "derivations.page", page), ANSWERS)


def numbers(step: Step) -> list[float]:
    """All numbers of the line with numbers, in their order."""
    text = plain_block(step.numbers).translate(SIGNS).replace("×10", "e")
    return [float(number.replace(" ", "")) for number in re.findall(r"-?\d+(?: \d{3})*\.?\d*(?:e-?\d+)?", text)]


def shown(step: Step, *wanted: float) -> None:
    """Each of these stands in the line with numbers, to the digits that are printed."""
    found = numbers(step)
    for number in wanted:
        assert any(abs(value - number) <= 6e-5 * max(1.0, abs(number) * 1e-2) for value in found), (number, found)


@pytest.mark.parametrize("page", CHAPTERS)
@pytest.mark.parametrize("encoding", ENCODINGS, ids=str)
def test_both_ways_to_each_number_agree_for_every_library(encoding: Encoding, page: str) -> None:
    for cursor in CURSORS:
        for step in steps_of(page, encoding, cursor):
            assert step.holds, (cursor, step.words, step.check)


def test_log_space_goes_from_the_power_to_e_and_names_the_slip() -> None:
    definition, power, factor, inverse, sine, cosine, slip = steps_of("log")
    log = math.log(10000)
    assert plain_block(definition.numbers).endswith("= (1)/(10\u2009000^(8/32)) = (1)/(10) = 0.1")
    shown(power, 10.0, 0.25 * log)
    shown(factor, 0.25, log, 0.25 * log)
    shown(inverse, -0.25, log, 0.1)
    assert (definition.value, inverse.value) == pytest.approx((0.1, 0.1), rel=1e-15)
    assert (sine.value, cosine.value) == pytest.approx((math.sin(3.7), math.cos(3.7)), abs=1e-14)
    assert "100000" in slip.words
    shown(slip, 100000**-0.25, 0.1)
    # Frequencies that are no powers stop at their definition.
    (definition,) = steps_of("log", replace(PAPER, spacing="linear"))
    shown(definition, 1 - 4 * (1 - 1e-4) / 15)
    assert CHAPTERS["log"].failure(replace(PAPER, spacing="linear")).startswith("Fails at ln(B^x)")


def test_the_sum_of_angles_gives_the_block() -> None:
    wanted, sine, cosine, first, second, turn, everywhere, linear = steps_of("block")
    c, s = math.cos(0.8), math.sin(0.8)
    shown(wanted, c, s, -s, math.sin(3.7), math.cos(3.7), math.sin(4.5), math.cos(4.5))
    shown(sine, math.sin(3.7), math.cos(3.7), c, s, math.sin(4.5))
    shown(cosine, math.cos(4.5))
    shown(first, c, s)
    shown(second, -s, c)
    shown(turn, 8.0, 0.1, 0.8, c * c, s * s, 1.0)
    shown(everywhere, c, s, 0.0)
    vectors = [[wave(t * omega(i)) for i in range(16) for wave in (math.sin, math.cos)] for t in (37, 8, 45)]
    shown(linear, math.dist([a + b for a, b in zip(*vectors[:2], strict=True)], vectors[2]))


def test_the_matrix_is_made_of_entries_of_the_row_k() -> None:
    sine, cosine, matrix, entries, angle = steps_of("entries")
    row = [math.sin(0.8), math.cos(0.8)]
    assert sine.formula == "PE(t+k, 8) = PE(t, 8) PE(k, 9) + PE(k, 8) PE(t, 9)"
    assert cosine.formula == "PE(t+k, 9) = PE(t, 9) PE(k, 9) − PE(k, 8) PE(t, 8)"
    shown(sine, math.sin(3.7), row[1], row[0], math.cos(3.7), math.sin(4.5))
    shown(cosine, math.cos(4.5))
    shown(matrix, row[1], row[0], -row[0], math.sin(4.5), math.cos(4.5))
    shown(entries, row[1], row[0])
    shown(angle, 0.8, 45.84)


def test_the_system_has_one_solution_for_all_t_and_many_for_one() -> None:
    encoding = SinusoidalEncoding(100, 16)
    unknowns, written, one, independent, first, second, squares, whole = steps_of(
        "system", encoding, Cursor(7.0, 3.0, 2)
    )
    assert "256 unknown entries" in unknowns.words.replace("\u2009", "")
    w = omega(2, 16)
    shown(written, math.sin(7 * w), math.cos(3 * w), math.cos(7 * w), math.sin(3 * w), math.sin(10 * w))
    assert "index d − 1; the last one has the index (d − 2)/2, here 7" in written.words
    table = [[wave(t * omega(i, 16)) for i in range(8) for wave in (math.sin, math.cos)] for t in range(12)]
    row = [math.sin(10 * w) / 8 * value for value in table[7]]
    miss = abs(math.fsum(a * b for a, b in zip(row, table[8], strict=True)) - math.sin(11 * w))
    assert float(one.words.partition("misses by ")[2].partition(". ")[0]) == pytest.approx(miss, rel=5e-3)
    # The determinant and the rank are compared with exact ones in tests/core.
    logarithm = log10_determinant(encoding.pairs)
    exponent = math.floor(logarithm)
    assert independent.numbers.translate(SIGNS) == f"{10 ** (logarithm - exponent):.2f}×10{exponent}"
    assert f"{shift_system(encoding, 3.0, (4, 5)).rank} of 16 at t = 0 to 99" in independent.words
    shown(first, math.cos(3 * w), math.sin(3 * w))
    shown(second, -math.sin(3 * w), math.cos(3 * w))
    assert first.numbers.endswith("the other 14 are 0")
    assert f"{math.cos(3 * w):.4f}, {math.sin(3 * w):.4f} at dimensions 4 and 5" in squares.words.replace("−", "-")
    assert whole.value < 1e-14


def test_too_few_positions_and_equal_hands_are_told() -> None:
    independent = steps_of("system", SinusoidalEncoding(8, 512))[3]
    assert "N = 8 rows, too few for d = 512" in independent.words
    alike = steps_of("system", replace(PAPER, spacing="single"))[3]
    assert (alike.holds, alike.numbers) == (False, "0")
    assert "2 of 32" in alike.words


def test_the_dot_product_is_a_sum_of_cosines_and_the_slip_counts_one_too_far() -> None:
    # "The Hidden Beauty": d = 512, positions 1 and 2; field guide S1-6 and S1-10.
    pair, identity, turn, total, moved, slip = steps_of("dot", SinusoidalEncoding(128, 512), Cursor(1.0, 1.0, 0))
    shown(pair, math.sin(1), math.sin(2), math.cos(1), math.cos(2), math.cos(1))
    shown(identity, 1.0, 2.0, math.cos(1))
    shown(turn, math.cos(1))
    values = (total.value, moved.other, slip.value)
    assert values == pytest.approx((249.10209782736297, 249.10209782736297, 249.56179551649484), abs=1e-12)
    shown(slip, 249.5618, 249.1021)
    far = steps_of("dot", SinusoidalEncoding(128, 512), Cursor(1.0, 79.0, 0))
    assert (far[3].value, far[5].value) == pytest.approx((117.52900007202076, 119.42493981397402), abs=1e-12)


def test_the_distance_comes_from_half_the_turns_and_its_direction_from_t() -> None:
    # "Transformers Breakdown": d = 1000; field guide S0-4.
    squares, half, chord, total, same, other = steps_of(
        "distance", SinusoidalEncoding(1000, 1000), Cursor(100.0, 5.0, 0)
    )
    assert (total.value, same.other) == pytest.approx((16.0856060513685,) * 2, abs=1e-12)
    assert other.value == pytest.approx(22.742291573905657, abs=1e-12)
    assert squares.value == pytest.approx(16.0856060513685**2, abs=1e-10)
    shown(half, 1 - math.cos(5))
    shown(chord, 2 * abs(math.sin(2.5)))
    shown(squares, 500.0)


def test_every_position_has_the_length_of_half_the_width() -> None:
    pythagoras, square, root, measured = steps_of("length", SinusoidalEncoding(128, 512), Cursor(5.0, 1.0, 0))
    shown(pythagoras, math.sin(5) ** 2, math.cos(5) ** 2, 1.0)
    shown(square, 256.0)
    shown(root, 16.0)
    assert (measured.value, measured.other) == pytest.approx((16.0, 16.0), abs=1e-13)
    assert measured.by.endswith("of 128 t")
    *_, measured = steps_of("length", OneWaveEncoding(100, 8))
    norms = [math.hypot(*(math.sin(t * 10000 ** (-c / 8)) for c in range(8))) for t in range(100)]
    assert (measured.value, measured.other) == pytest.approx((min(norms), max(norms)), abs=1e-14)


def test_the_proof_of_uniqueness_has_a_gap_and_two_repairs() -> None:
    same, turns, gap, zero, algebraic, nearest = steps_of("unique")
    shown(same, math.sin(3.7), math.cos(3.7), math.sin(4.5), math.cos(4.5), 2 * math.sin(0.4))
    shown(turns, 0.8, 0.8 / math.tau, 0.0)
    # With the base (8 / 2 pi)^4 pair 4 of d = 32 is back after 8 positions.
    shown(gap, (8 / math.tau) ** 4, 8.0)
    shown(zero, 8 / math.tau, 1.0, abs(math.remainder(8.0, math.tau)))
    shown(algebraic, 10.0, 4.0, 10000.0)
    assert plain_block(algebraic.formula).endswith("x = p/q = 1/4")
    distances = [2 * math.sqrt(math.fsum(math.sin(k * omega(i) / 2) ** 2 for i in range(16))) for k in range(1, 128)]
    shown(nearest, min(distances), 1.0 + distances.index(min(distances)))


@pytest.mark.parametrize("word", ["square", "root", "log", "reciprocal"])
def test_each_map_of_positions_keeps_hand_0_unique_for_its_own_reason(word: str) -> None:
    same, turns, mapped, apart = steps_of("unique", PositionMapEncoding(map=word))
    images = {"square": lambda t: t * t, "root": math.sqrt, "log": math.log1p, "reciprocal": lambda t: 1 / (1 + t)}
    difference = images[word](45) - images[word](37)
    assert mapped.value == pytest.approx(abs(math.remainder(difference, math.tau)), abs=1e-12)
    assert all(step.holds for step in (same, turns, mapped, apart))


def test_a_diagonal_holds_one_number_beside_its_map() -> None:
    definition, back, why, measured, mirrored = steps_of("toeplitz")
    dot = math.fsum(math.cos(8 * omega(i)) for i in range(16))
    for step in (definition, back, why, measured, mirrored):
        shown(step, dot)
        assert step.value == pytest.approx(dot, abs=1e-12)
    assert measured.by == "as the largest of 120 t"
    assert "128 numbers for 16\u2009384" in mirrored.words
    assert texts_of("derivations", {"derivations.page": "toeplitz"}, 1100.0).count(f"{dot:.2f}") == 7


@pytest.mark.parametrize(
    ("n_positions", "t", "first", "offset"),
    [
        (128, 37.0, 34.0, 8.0),
        (128, 119.0, 113.0, 8.0),
        (5, 2.0, 0.0, 8.0),
        (128, 0.5, 0.5, 8.0),
        (128, 37.0, 36.0, -36.0),
    ],
)
def test_the_small_map_stays_in_the_table(n_positions: int, t: float, first: float, offset: float) -> None:
    rows = [f"{first + row:g}" for row in range(min(n_positions, 7))]
    given = {"n_positions": str(n_positions), "position": f"{t:g}", "offset": f"{offset:g}"}
    given |= {"d_model": "8", "derivations.page": "toeplitz"}
    place = places_of("derivations", given)["dot products around t and t + k"]
    picture = [mark for mark in scene_of("derivations", given).moving if getattr(mark, "x", 0.0) >= place.area.x]
    assert [mark.text for mark in of_kind(picture, marks.Text) if mark.across == 1.0] == rows
    fills = [mark for mark in of_kind(picture, marks.Rectangle) if mark.fill is not None]
    assert len(fills) == len(rows) ** 2
    for number, cell in enumerate(fills):
        row, column = divmod(number, len(rows))
        pressed = place.changes(cell.x + cell.width / 2, cell.y + cell.height / 2)
        assert pressed == {"position": first + row, "offset": column - row + offset}


@pytest.mark.parametrize(
    ("t", "k", "down", "back"),
    [(37.0, -3.0, "38,35", "3,0"), (12.25, 8.0, "13.25,21.25", "0.25,8.25"), (119.0, 8.0, "118,126", "0,8")],
)
def test_steps_along_a_diagonal_are_whole_and_stay_in_the_matrix(t: float, k: float, down: str, back: str) -> None:
    definition, steps, *_ = steps_of("toeplitz", cursor=Cursor(t, k, 4))
    assert (f"D_{{{down}}}" in definition.numbers, f"D_{{{back}}}" in steps.numbers) == (True, True)
    assert steps.by.endswith("by the formula" if "." in back else "in the table")


def test_squares_of_large_positions_keep_their_angle() -> None:
    *_, sine, cosine, _slip = steps_of("log", PositionMapEncoding(10_000_000), Cursor(9_999_000.0, 8.0, 4))
    with mpmath.workdps(40):
        angle = mpmath.mpf(9_999_000) ** 2 / 10
        assert (sine.value, cosine.value) == pytest.approx((float(mpmath.sin(angle)), float(mpmath.cos(angle))), 1e-12)


def test_rounding_is_a_share_of_what_is_compared() -> None:
    assert Step("", "", value=1e-3, other=0.0, is_miss=True, size=1e6).holds
    assert not Step("", "", value=3e-9, other=4e-9, size=1e-9).holds


@pytest.mark.parametrize("step", [2, 3])
def test_the_picture_of_a_step_has_the_hands_and_the_shadows_of_two_legs(step: int) -> None:
    (x, y), (s, c) = ((math.sin(angle), math.cos(angle)) for angle in (3.7, 0.8))
    terms = (x * c, y * s) if step == 2 else (y * c, -x * s)
    picture = scene_of("derivations", {"derivations.step": str(step)})
    [ring] = rings_of(picture.moving)
    x, y = ring.centers[0]
    tips = [mark.centers[0] for mark in of_kind(picture.moving, marks.Dots) if mark.radius == 5.5]
    angles = [math.atan2(tip[0] - x, y - tip[1]) % math.tau for tip in tips]
    assert angles == pytest.approx([3.7, 4.5])
    bars = [mark.ends[0] for mark in of_kind(picture.moving, marks.Segments) if mark.width == 6.0]
    assert [math.dist(bar[:2], bar[2:]) / ring.radius for bar in bars] == pytest.approx([*map(abs, terms)], rel=1e-9)
    total = {2: "−0.3691 − 0.6084 = −0.9775", 3: "−0.5909 + 0.3801 = −0.2108"}[step]
    assert total in [mark.formula for mark in of_kind(picture.moving, marks.FormulaText)]
    assert f"Step {step}" in texts_in(picture)


def test_a_step_alone_has_its_number_words_formula_check_and_picture_and_no_chapters() -> None:
    alone, given = FIGURES["derivations:step"].module(), state_of({"derivations.step": "3"})
    step, box = steps_of("block")[2], Box(960.0, 600.0, 1.0, themes()["light"], is_paper=True)
    scene = alone.scene(given, ANSWERS, box)
    texts = texts_in(scene)
    assert texts[:2] == ["3", step.words]
    # As wide as a slide it stands in the middle of the height, larger than on its page.
    formulas = of_kind(scene.moving, marks.FormulaText)
    assert ([one.pixels for one in formulas[:2]], 200.0 < formulas[0].y < 300.0) == ([26, 25], True)
    assert {step.check, "Two legs lead to the moved hand"} <= {*texts}
    assert not {chapter.title for chapter in CHAPTERS.values()} & {*texts}
    assert alone.sentence(given, ANSWERS) == "Angle sum, step 3 of 8"
    # Where no step is left, the page says why.
    failed = state_of({"kind": "random", "derivations.page": "turns"})
    assert CHAPTERS["turns"].failure(failed.encoding) in " ".join(texts_in(alone.scene(failed, ANSWERS, box)))


def test_chapters_stand_in_a_list_and_in_a_narrow_panel_the_neighbours_of_the_one_that_is_seen() -> None:
    titles = [chapter.title for chapter in CHAPTERS.values()]
    assert [name for name in places_of("derivations", {}, 760.0) if name in titles] == titles
    narrow = places_of("derivations", {}, 460.0)
    assert [name for name in narrow if name in titles] == titles[:3]
    assert narrow[titles[2]].changes(0.0, 0.0) == {"derivations.page": "entries", "derivations.step": 1}


def test_turned_vectors_know_their_offset_alone() -> None:
    first, back, cosine, sine, product, score, further = steps_of("relative")
    c, s = math.cos(0.8), math.sin(0.8)
    shown(first, math.cos(3.7), math.sin(3.7), math.cos(4.5), math.sin(4.5))
    shown(back, -math.sin(3.7))
    assert (cosine.value, sine.value) == pytest.approx((c, s), abs=1e-14)
    shown(product, c, s, -s)
    # x = (3, 1) and y = (2, -1), turned by 3.7 and 4.5: by complex numbers, whose real part is the sine.
    turned = [complex(*pair) * cmath.exp(-1j * angle) for pair, angle in (((3, 1), 3.7), ((2, -1), 4.5))]
    assert score.value == pytest.approx((turned[0].conjugate() * turned[1]).real, abs=1e-13)
    assert further.value == pytest.approx(score.value, abs=1e-13)


def test_a_bounded_code_with_one_matrix_a_step_turns_at_any_basis() -> None:
    wanted, eigenvalues, bounded, waves, mixed, free = steps_of("turns", cursor=Cursor(37.0, 1.0, 4))
    assert wanted.value == pytest.approx(math.sin(3.8), abs=1e-14)
    assert (eigenvalues.value, mixed.value) == pytest.approx((2 * math.cos(0.1),) * 2, abs=1e-14)
    shown(bounded, round(1.01**1000), 1.0)
    assert waves.value == pytest.approx(math.sin(3.7), abs=1e-14)
    assert "16" in free.words


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "sinusoidal"])
@pytest.mark.parametrize("page", CHAPTERS)
def test_where_a_derivation_fails_the_page_says_at_which_step(page: str, kind: str) -> None:
    given = {"kind": kind, "derivations.page": page}
    holds = {"log": kind not in ("padded", "counter", "normalised-counter", "bits", "random")}
    holds |= {"unique": kind == "position-map", "length": kind == "position-map"}
    failed = CHAPTERS[page].failure(state_of(given).encoding)
    assert bool(failed) != holds.get(page, False)
    assert of_kind(scene_of("derivations", given).moving, marks.FormulaText)
    if failed:
        assert kind != "position-map" or failed.endswith("Here f(t) is t².")
        steps = scene._steps_of(state_of(given), ANSWERS)
        missed = [(at, one.gap) for at, one in enumerate(steps, start=1) if not one.holds and one.gap > 0]
        assert missed or page not in ("length", "toeplitz")
        assert failed in " ".join(texts_of("derivations", given))
        told = "".join(f"  ✗ step {at} by {tiny(gap)}" for at, gap in missed[:1])
        assert scene.VIEW.subtitle(state_of(given), ANSWERS) == f"fails for this encoding{told}"
        assert rows_of("derivations", given)[-1] == [failed]


def test_the_copied_table_has_both_ways_with_all_digits() -> None:
    rows = rows_of("derivations", {"derivations.page": "dot"})
    assert rows[0][3:] == ["value", "second way", "is", "difference"]
    assert {len(row) for row in rows} == {7}
    total, dot = rows[4], math.fsum(math.cos(8 * omega(i)) for i in range(16))
    assert float(total[3]) == pytest.approx(dot, abs=1e-13)
    # The last of the bars that stand on each other ends there.
    assert f"pair 4 adds 0.6967, in all {dot:.3f}" in texts_of("derivations", {"derivations.page": "dot"})
    assert abs(float(total[3]) - float(total[5])) == float(total[6])
