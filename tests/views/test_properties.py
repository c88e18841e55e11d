"""The pages of Properties: what stands in them, where, and that nothing is cut."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds import KINDS
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.measure.measurement import Analysis, Evidence
from pe_desktop.core.measure.measurements import measure
from pe_desktop.core.state import State, state_of, with_name
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.theme import themes
from pe_desktop.draw.typefaces import text_width, wrapped
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.model.findings import Computed
from pe_desktop.views.properties import scene as view
from pe_desktop.views.properties import words as told
from pe_desktop.views.properties.scene import changes, questions, scene
from pe_desktop.views.properties.verdicts import VerdictsLayout, evidence_picture, measured_number
from pe_desktop.views.properties.words import PROPERTY_NAMES
from tests.pictures import covered_texts, of_kind, text_frames

WIDTHS = (262, 320, 404, 500, 620, 900)
PAPER = SinusoidalEncoding()
LINEAR = SinusoidalEncoding(512, 128, spacing="linear")
# Two rows of it are compared when the cursor rests.
WIDE = SinusoidalEncoding(128, 8192)


class Known:
    """Answers that are there already, by question, and how much of all that is asked for is done."""

    def __init__(self, answers=(), latest=None, share=0.0):
        self._answers, self._latest, self._share = dict(answers), latest, share

    def answer(self, question):
        return self._answers.get(question)

    def latest(self, question):
        return self._answers.get(question, self._latest)

    def share(self, question):
        return self._share

    def is_stopped(self, question):
        return False


def state_at(page, encoding=PAPER, **cursor):
    """A page of an encoding."""
    return with_name(State(encoding, Cursor(**cursor)), "properties.page", page)


def height(state, width):
    return view.height(state, Computed(), float(width), themes()["light"])


def box_of(state, width, theme, **changed):
    return Box(float(width), height(state, width), 1.0, theme, **changed)


def picture_of(state, width, theme, answers=None):
    drawn = scene(state, answers or Computed(), box_of(state, width, theme))
    return (*drawn.still(), *drawn.moving)


def places_of(state, width, theme, answers=None):
    return scene(state, answers or Computed(), box_of(state, width, theme)).places()


def texts(picture):
    return [mark.text for mark in of_kind(picture, marks.Text)]


def cut_texts(picture, width):
    """Texts that leave the picture on the left or on the right."""
    return [
        mark.text
        for mark in of_kind(picture, marks.Text)
        if mark.x - mark.across * text_width(mark.role, mark.text) < -0.5
        or mark.x + (1 - mark.across) * text_width(mark.role, mark.text) > width + 0.5
    ]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("encoding", [PAPER, LINEAR, SinusoidalEncoding(5000, 512, spacing="linear")])
def test_every_property_has_its_row_and_no_text_is_cut(light, width, encoding):
    picture = picture_of(state_at("verdicts", encoding), width, light)
    assert [text for text in texts(picture) if text in PROPERTY_NAMES.values()] == list(PROPERTY_NAMES.values())
    assert cut_texts(picture, width) == []
    assert covered_texts(picture) == []
    # No word of a row reaches into its evidence.
    left = VerdictsLayout(float(width)).evidence(0.0).x
    for mark in of_kind(picture, marks.Text):
        if mark.across == 0.0:
            assert mark.x + text_width(mark.role, mark.text) <= left


@pytest.mark.parametrize("kind", KINDS)
def test_sentences_are_told_in_full_from_the_smallest_window_on(light, kind):
    state = state_at("verdicts", KINDS[kind](n_positions=128))
    answers = Computed()
    for width in (345.0, 366.0, 404.0, 500.0, 520.0, 540.0, 900.0):
        assert [text for text in texts(picture_of(state, width, light, answers)) if text.endswith("…")] == []


def test_a_wider_page_of_verdicts_is_never_the_taller_one():
    # Else a scroll bar, which takes width, could make the page short enough to need none.
    heights = [height(state_at("verdicts"), width / 2) for width in range(400, 2400)]
    assert (np.diff(heights) <= 0).all()


def test_what_is_not_known_yet_says_whether_it_will_be(light):
    state, found = state_at("verdicts"), measure(PAPER)
    assert found is not None
    [question] = questions(state)
    assert question == analysis_of(PAPER)
    known = {question: Analysis(PAPER, found[:2], 0.3)}
    for share, words in ((0.3, "being measured…"), (None, "not measured")):
        answers = Known(known, share=share)
        assert texts(picture_of(state, 400, light, answers)).count(words) == 8
        assert [place.value for place in places_of(state, 400, light, answers)][2:] == [words] * 8


def test_verdicts_stand_in_the_colour_of_their_meaning(light):
    picture = picture_of(state_at("verdicts", LINEAR), 500, light)
    words = {mark.text: mark.color for mark in of_kind(picture, marks.Text)}
    assert words["Holds"] == light.ok
    assert words["Holds up to 396"] == light.warn


def test_rows_of_verdicts_are_places_with_verdict_and_number_and_lead_to_two_positions(light):
    state, answers = state_at("verdicts", LINEAR), Computed()
    places = places_of(state, 500, light, answers)
    assert [place.name for place in places] == list(PROPERTY_NAMES.values())
    unique = places[5]
    assert unique.value.startswith("Holds up to 396, ")
    taken = changes(state, answers, box_of(state, 500, light), unique, 10.0)
    # Linear spacing comes back at 2 pi / (1 - 1e-4) * 63 = 395.9 positions (d_model = 128): 396 is the nearest offset.
    assert taken["offset"] == 396.0
    assert changes(state, answers, box_of(state, 500, light), places[6], 10.0) == {}


def test_five_wishes_of_one_text_and_three_of_another_are_quoted_where_they_are_answered(light):
    state, answers = state_at("verdicts"), Computed()
    tooltips = {place.name: view.tooltip(state, answers, place) for place in places_of(state, 500, light)}
    wishes = {name: " ".join(text.splitlines()[2:]) for name, text in tooltips.items()}
    assert list(wishes) == list(PROPERTY_NAMES.values())
    assert [name for name, wish in wishes.items() if not wish] == ["Periodic pairs", "Far stays far"]
    for name, words in {
        "Deterministic": "deterministic", "Smooth": "smooth with respect to position", "Many scales": "multi-scale",
        "Linear shift": "linearly exploitable for relative position", "Constant length": "stable for long sequences",
        "Unique": "distinct", "Bounded": "bounded", "Shift-invariant": "looks the same for every t",
    }.items():  # fmt: skip
        assert words in wishes[name]


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (None, "–"),
        (512.0, "512"),
        (1.1716149, "1.172"),
        (2.8e-16, "2.8×10⁻¹⁶"),
        (-0.5, "−0.500"),
        (60611.47716, "60 611"),
    ],
)
def test_numbers_are_written_as_people_write_them(number, shown):
    assert measured_number(number).replace("\u2009", " ") == shown


def test_evidence_fills_its_area_and_an_equal_line_lies_in_the_middle(light):
    area = Area(10.0, 20.0, 100.0, 40.0)
    x = np.linspace(0.0, 1.0, 11)
    (line,) = of_kind(
        evidence_picture(area, Evidence("lines", "position", x, x[np.newaxis] * 3 - 1), light), marks.Polyline
    )
    assert (line.points.min(axis=0).tolist(), line.points.max(axis=0).tolist()) == ([10.0, 20.0], [110.0, 60.0])
    flat = evidence_picture(area, Evidence("lines", "position", x, np.full((1, 11), 4.0)), light)
    assert of_kind(flat, marks.Polyline)[0].points[:, 1].tolist() == [40.0] * 11
    assert evidence_picture(area, Evidence("lines", "position", np.empty(0), np.empty((1, 0))), light) == ()


def test_evidence_by_its_logarithm_puts_equal_factors_equally_far_apart(light):
    area = Area(0.0, 0.0, 100.0, 60.0)
    heights = np.array([[1e-16, 1e-12, 1e-8, 1e-4]])
    evidence = Evidence("points", "pair", np.arange(4.0), heights, is_logarithmic=True)
    (cloud,) = of_kind(evidence_picture(area, evidence, light), marks.DotCloud)
    assert np.diff(cloud.centers[:, 1]) == pytest.approx([-20.0] * 3)


def test_a_row_of_a_table_of_collisions_is_a_place_that_leads_to_its_offset(light):
    state, answers = state_at("collisions", SinusoidalEncoding(10_000), pair=0, offset=-44.0), Computed()
    places = {place.name: place for place in places_of(state, 404, light, answers)}
    assert places["near return after 44"].is_chosen
    box = box_of(state, 404, light)
    assert changes(state, answers, box, places["near return after 710"], 20.0) == {"offset": 710.0}
    assert changes(state, answers, box, places["nearest offset 1"], 20.0) == {"offset": 1.0}
    assert changes(state, answers, box, places["what tells t from t + k"], 20.0) == {}


def test_the_bars_of_hands_are_as_high_as_their_chords(light):
    state = state_at("collisions", position=37.0, offset=8.0)
    bars = of_kind(scene(state, Computed(), box_of(state, 400, light)).moving, marks.Rectangle)
    wanted = np.array([2 * abs(np.sin(8 * 10000 ** (-i / 16) / 2)) for i in range(16)])
    heights = np.array([bar.height for bar in bars])
    assert heights / heights.max() == pytest.approx(wanted / wanted.max(), abs=1e-12)


@pytest.mark.parametrize("spacing", ["geometric", "linear"])
def test_the_distance_page_tells_both_fits_without_cut_texts(light, spacing):
    encoding = SinusoidalEncoding(1000, 64, spacing=spacing)
    state, answers = state_at("distance", encoding, position=100.0, offset=8.0), Computed()
    for width in WIDTHS:
        picture = picture_of(state, width, light, answers)
        said = " ".join(texts(picture))
        assert "straight line" in said
        assert "fitted on k = 1 to 999" in said
        assert ("law" in said) == (spacing == "geometric")
        assert fixed(float(np.linalg.norm(encoding.values(999) - encoding.values(0))), 4) in said
        assert cut_texts(picture, width) == []
        assert covered_texts(picture) == []
        # The last row of the table, and where a press on it leads.
        [row] = [mark for mark in of_kind(picture, marks.Text) if mark.text == "999" and mark.role == "caption"]
        [place] = [place for place in places_of(state, width, light, answers) if place.name == "offset 999"]
        assert place.area.holds(10.0, row.y)
        assert changes(state, answers, box_of(state, width, light), place, 10.0) == {"offset": 999.0}


def test_where_dot_products_depend_on_positions_two_of_them_are_compared_all_the_same(light):
    said = " ".join(texts(picture_of(state_at("distance", KINDS["random"]()), 404, light)))
    assert "depend on more than the offset" in said
    assert "Share in the distance 37 to 45" in said
    assert "knows" not in said


def test_the_distance_page_fits_the_line_and_the_law_as_printed(light):
    said = " ".join(texts(picture_of(state_at("distance", SinusoidalEncoding(1000, 1000)), 900, light)))
    for text in ("R² 0.661", "425 of 999 steps go down, the first from 68 to 69", "k = 994"):
        assert text in said.replace("\u2009", " ")


def test_both_fits_are_told_in_full_where_the_plots_stand_beside_each_other(light):
    picture = picture_of(state_at("distance", PAPER), 648, light)
    assert not [text for text in texts(picture) if text.endswith("…")]
    assert covered_texts(picture) == []


def test_levels_of_a_plot_are_written_with_one_count_of_decimals(light):
    # 0, 0.2, 0.400, ... once: a step that is no power of two doesn't add up to its multiples.
    for base, d_model in ((10.0, 2), (10000.0, 2), (10000.0, 6), (3.0, 512)):
        state = state_at("distance", SinusoidalEncoding(128, d_model, base))
        for width in WIDTHS:
            picture = of_kind(picture_of(state, width, light), marks.Text)
            levels = [mark.text for mark in picture if mark.role == "tick" and mark.across == 1.0 and mark.x < 50.0]
            assert len(levels) > 2
            assert len({len(text.partition(".")[2]) for text in levels if text != "0"}) == 1


def test_the_dot_of_the_offset_stands_on_the_measured_curve_and_a_press_there_takes_it(light):
    state, answers = state_at("distance", SinusoidalEncoding(100, 32), position=0.0, offset=8.0), Computed()
    box = box_of(state, 700, light)
    [linear, logarithmic] = [place for place in scene(state, answers, box).places() if "by offset" in place.name]
    first, second = of_kind(scene(state, answers, box).moving, marks.Dots)
    distance = np.sqrt(sum(4 * np.sin(4 * 10000 ** (-i / 16)) ** 2 for i in range(16)))
    highest = max(math.sqrt(sum(4 * math.sin(k / 2 * 10000 ** (-i / 16)) ** 2 for i in range(16))) for k in range(100))
    x, y = first.centers[0]
    assert x == pytest.approx(linear.area.x + 8 / 99 * linear.area.width)
    assert y == pytest.approx(linear.area.bottom - distance / (1.04 * highest) * linear.area.height)
    assert changes(state, answers, box, linear, x) == {"offset": 8.0}
    assert changes(state, answers, box, logarithmic, float(second.centers[0][0])) == {"offset": 8.0}


def test_an_offset_beyond_the_table_is_told_in_both_plots(light):
    state = state_at("distance", SinusoidalEncoding(100, 32), offset=-710.0)
    drawn = scene(state, Computed(), box_of(state, 700, light))
    told = [mark for mark in of_kind(drawn.moving, marks.Text) if mark.text.startswith("k = ")]
    areas = [place.area for place in drawn.places() if "by offset" in place.name]
    assert [mark.text for mark in told] == ["k = 710 ›"] * 2
    assert all(area.x < mark.x <= area.right for area, mark in zip(areas, told, strict=True))


@pytest.mark.parametrize("page", ["collisions", "distance"])
def test_a_wide_table_shows_its_last_comparison_while_the_cursor_moves_and_none_of_another_encoding(light, page):
    state = state_at(page, WIDE, position=37.0, offset=8.0)
    question = next(some for some in questions(state) if some.topic == "comparison")
    known = Computed().answer(question)
    distance = math.sqrt(sum(4 * math.sin(4 * 10000 ** (-i / 4096)) ** 2 for i in range(4096)))
    assert known.apart.distance == pytest.approx(distance, rel=1e-12)
    for offset, encoding, is_shown in ((9.0, WIDE, True), (8.0, replace(WIDE, base=50.0), False)):
        moved = state_at(page, encoding, position=40.0, offset=offset)
        said = " ".join(texts(picture_of(moved, 500, light, Known(latest=known))))
        assert (("37 from 45" in said) or ("37 to 45" in said)) == is_shown
        assert "40 " not in said


def test_a_range_is_a_place_that_leads_to_its_ends_and_to_a_pair_that_serves_it(light):
    state, answers = state_at("scales", SinusoidalEncoding(650, 512), position=100.0, offset=100.0), Computed()
    places = {place.name: place for place in places_of(state, 500, light)}
    assert places["100–200"].is_chosen
    assert places["1–10"].value.startswith("64 pairs, wavelengths 18–180, 58.3 %")
    box = box_of(state, 500, light)
    # The middle one of pairs 30 to 93, whose wavelengths are 18 to 180 positions.
    assert changes(state, answers, box, places["1–10"], 20.0) == {"position": 1.0, "offset": 9.0, "pair": 62}
    assert [i for i in range(256) if 18 <= 2 * math.pi * 10_000 ** (i / 256) <= 180] == list(range(30, 94))
    assert changes(state, answers, box, places["600–700"], 20.0) == {}  # beyond the table
    assert changes(state, answers, box, places["Hands for each tenfold of wavelength"], 20.0) == {}


@pytest.mark.parametrize("width", range(340, 540, 20))
def test_a_range_that_no_pair_serves_is_no_minus_before_its_wavelengths(width, light):
    state = state_of({"preset": "aliasing-512", "properties.page": "scales"})
    drawn = scene(state, Computed(), box_of(state, width, light))
    frames = text_frames((*drawn.still(), *drawn.moving))
    [wavelengths] = [frame for frame in frames if frame[4].endswith("32\u2009040")]
    before = [frame for frame in frames if frame[1] == wavelengths[1] and frame[0] < wavelengths[0]]
    assert wavelengths[0] - max(frame[2] for frame in before) >= 6.0
    assert "–" not in [frame[4] for frame in frames]


def test_the_line_of_n_crosses_no_count(light):
    # The middle of a tenfold: 2 pi 10^2.5.
    drawn = scene(
        state := state_at("scales", SinusoidalEncoding(1987, 32)), Computed(), box_of(state, 400, light)
    ).still()
    [line] = [mark for mark in of_kind(drawn, marks.Segments) if mark.ends[0][0] == mark.ends[0][2]]
    crossed = [frame for frame in text_frames(drawn) if frame[0] < line.ends[0][0] < frame[2]]
    assert all(frame[3] <= line.ends[0][1] or frame[1] >= line.ends[0][3] for frame in crossed)


def test_the_bars_of_tenfolds_are_as_high_as_their_counts_and_n_stands_between_its_edges(light):
    state = state_at("scales", SinusoidalEncoding(1000, 64, 1e6))
    drawn = scene(state, Computed(), box_of(state, 600, light)).still()
    heights = np.array([bar.height for bar in of_kind(drawn, marks.Rectangle)])
    counts = np.bincount([math.floor(6 * pair / 32 + 1e-12) for pair in range(32)])
    assert heights / heights.max() == pytest.approx(counts / counts.max())
    [line] = [mark for mark in of_kind(drawn, marks.Segments) if mark.ends[0][0] == mark.ends[0][2]]
    assert line.ends[0][0] == pytest.approx(600 / 6 * math.log10(1000 / (2 * math.pi)))


@pytest.mark.parametrize("kind", ["counter", "position-map", "one-wave", "bits"])
def test_the_page_of_scales_says_where_no_pair_serves_a_range(light, kind):
    said = " ".join(texts(picture_of(state_at("scales", KINDS[kind]()), 600, light)))
    assert "none serves one range better than another" in said
    assert ("per decade" in said) == (kind in ("one-wave", "bits"))


def test_nothing_of_a_narrow_table_has_to_be_waited_for_but_what_all_positions_tell():
    assert [question.topic for question in questions(state_at("collisions"))] == ["close offsets", "analysis"]
    assert [question.topic for question in questions(state_at("distance", KINDS["random"]()))] == ["analysis"]


def test_wrapped_text_keeps_its_words_and_ends_in_an_ellipsis_only_where_room_ends(qapp):
    words = "The distance of two positions knows their offset alone."
    lines = wrapped("caption", words, 120.0, 9)
    assert " ".join(lines) == words
    assert all(text_width("caption", line) <= 120.0 for line in lines)
    assert wrapped("caption", words, 120.0, 2)[-1].endswith("…")


def test_a_line_never_ends_within_a_number(qapp):
    sentence = "Lengths run from 0 to 8 191, and 70.6 % of 10 000 000 lie between."
    for width in range(70, 300, 7):
        lines = wrapped("caption", sentence, float(width), 20)
        assert " ".join(lines) == sentence
        for number in ("8 191", "70.6 %", "10 000 000"):
            assert any(number in line for line in lines)


def test_what_holds_up_to_an_offset_is_counted_by_itself(light):
    encoding = SinusoidalEncoding(1000, 128, spacing="linear")
    state, answers = state_at("verdicts", encoding), Computed()
    found = measure(encoding)
    assert found is not None
    n_holding = sum(one.verdict == "holds" for one in found)
    assert sum(one.verdict == "holds_up_to" for one in found) == 2
    assert view.subtitle(state, answers) == f"{n_holding} of 10 hold, 2 in part"
    assert view.sentence(state, answers) == f"Sinusoidal: {n_holding} of 10 hold, 2 in part"


def test_a_tiny_share_is_told_with_its_power_of_ten() -> None:
    state = state_of({"kind": "odd-width", "base": "500000", "n_positions": "100"})
    measured = {one.key: one for one in measure(state.encoding) or ()}
    assert "×10⁻⁷ %" in told.sentence(measured["shift_invariant"])


@pytest.mark.parametrize("kind", ["odd-width", "one-wave", "doubled-exponent"])
def test_columns_that_turn_without_their_partners_are_not_said_to_rest(kind: str) -> None:
    [periodic] = [one for one in measure(KINDS[kind]()) or () if one.key == "periodic"]
    assert told.sentence(periodic) == "Its columns turn, but not all in pairs of one sine and one cosine."


def test_one_number_stands_for_each_property(light):
    state, answers = state_at("verdicts"), Computed()
    for one in measure(PAPER) or ():
        if one.key in ("shift_invariant", "linear_shift"):
            number = told.number_text(one.number or 0.0)
            assert number in told.sentence(one)
            assert told.sentence(one).count("×10") == 1
            assert told.sentence(one).endswith(": rounding only.")
    assert "dot products" in told.meaning(next(one for one in measure(PAPER) or () if one.key == "shift_invariant"))
    assert view.subtitle(state, answers) == "10 of 10 hold"


def test_a_title_counts_nothing_before_it_is_measured_and_compares_nothing_over_k_0(light):
    assert view.sentence(state_at("verdicts"), Known()) == "Sinusoidal: not measured yet"
    standing = with_name(state_at("distance"), "offset", "0")
    picture = picture_of(standing, 404, light, Computed())
    assert "Over k = 0 there is no difference." in texts(picture)


def test_the_marked_row_has_a_ground_of_its_own(light):
    state = with_name(state_at("verdicts"), "properties.check", "norm")
    (ground,) = of_kind(picture_of(state, 404, light, Computed()), marks.Rectangle)
    (chosen,) = (place for place in places_of(state, 404, light) if place.is_chosen)
    assert chosen.name == "Constant length"
    assert chosen.area.y < ground.y < ground.y + ground.height < chosen.area.bottom


@pytest.mark.parametrize("page", ["collisions", "distance"])
def test_the_search_of_a_long_table_waits_until_nothing_else_is_asked_for(page):
    ranks = [questions(state_at(page, SinusoidalEncoding(n, 512)))[0].rank for n in (10_000, 1_000_000)]
    assert ranks == [0, 1]
