"""The pages of Properties: what stands in them, where a press leads, and that nothing is cut."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pe_desktop.core import KINDS, SinusoidalEncoding, analyse
from pe_desktop.core.cursor import Cursor, Preview
from pe_desktop.core.measuring.measurement import Analysis, Evidence
from pe_desktop.core.state import State, with_name
from pe_desktop.draw import marks, plot
from pe_desktop.draw.number_text import fixed
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import themes
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.model.findings import Computed
from pe_desktop.views.properties import words as told
from pe_desktop.views.properties.scene import VIEW
from pe_desktop.views.properties.verdicts import _evidence_picture
from pe_desktop.views.properties.words import PROPERTY_NAMES
from tests.pictures import of_kind
from tests.views.seen import ANSWERS, drawn, places_of, rows_of, scene_of, texts_of

PAPER = SinusoidalEncoding()
LINEAR = SinusoidalEncoding(512, 128, spacing="linear")
# Two rows of it are compared when the cursor rests.
WIDE = SinusoidalEncoding(128, 8192)


class Known(Computed):
    """Answers that are there already, by question, and how much of all that is asked for is done."""

    def __init__(self, answers=(), latest=None, share=0.0):
        self._answers, self._latest, self._share = dict(answers), latest, share

    def answer(self, question):
        return self._answers.get(question)

    def latest(self, question):
        return self._answers.get(question, self._latest)

    def share(self, question):
        return self._share


def state_at(page, encoding=PAPER, **cursor):
    """A page of an encoding."""
    return with_name(State(encoding, Cursor(**cursor)), "properties.page", page)


def picture_of(state):
    return drawn(scene_of("properties", state, 500.0))


def said(state, width=404.0, answers=ANSWERS):
    return " ".join(texts_of("properties", state, width, answers))


def places(state, width=500.0):
    return places_of("properties", state, width)


@pytest.mark.parametrize("kind", KINDS)
def test_copied_numbers_are_digits_alone_and_a_cross_has_a_number_or_a_word(kind):
    rows = rows_of("properties", state_at("verdicts", KINDS[kind](n_positions=32)))
    assert "–" not in texts_of("properties", state_at("verdicts", KINDS[kind](n_positions=32)))
    assert len(rows) == len(PROPERTY_NAMES)
    assert all(math.isfinite(float(number)) for _, _, number, *_ in rows if number)


def test_a_wider_page_of_verdicts_is_never_the_taller_one():
    # Else a scroll bar, which takes width, could make the page short enough to need none.
    light = themes()["light"]
    heights = [VIEW.height(state_at("verdicts"), ANSWERS, width / 2, light) or 0.0 for width in range(400, 2400, 3)]
    assert (np.diff(heights) <= 0).all()


def test_what_is_not_known_yet_says_whether_it_will_be():
    state, found = state_at("verdicts"), analyse(PAPER).measurements
    [question] = VIEW.questions(state)
    assert question == analysis_of(PAPER)
    known = {question: Analysis(found[:2], 0.3)}
    for share, words in ((0.3, "being measured…"), (None, "not measured")):
        answers = Known(known, share=share)
        assert texts_of("properties", state, 400.0, answers).count(words) == len(PROPERTY_NAMES) - 2
        shown = scene_of("properties", state, 400.0, answers=answers).places()
        assert [place.value for place in shown][2:] == [words] * (len(PROPERTY_NAMES) - 2)


def test_rows_of_verdicts_have_their_colours_and_are_places_with_verdict_and_number_that_lead_to_two_positions(light):
    inks = {mark.text: mark.color for mark in of_kind(picture_of(state_at("verdicts", LINEAR)), marks.Text)}
    assert (inks["Holds up to N = 395"], inks["Unique"]) == (light.warn, light.text)
    rows = places(state_at("verdicts", LINEAR))
    assert list(rows) == list(PROPERTY_NAMES.values())
    assert rows["Far stays far"].value.startswith("Holds up to N = 395, ")
    # What a text wishes is quoted where it is answered.
    assert "distinct" in rows["Unique"].tooltip
    # Linear spacing comes back at 2 pi / (1 - 1e-4) * 63 = 395.9 positions (d_model = 128): 396 is the nearest offset.
    changes = rows["Unique"].changes(10.0, 10.0)
    assert (changes["offset"], changes["properties.check"]) == (396.0, "unique")
    assert rows["Bounded"].changes(10.0, 10.0) == {"properties.check": "bounded"}


def test_a_press_opens_the_picture_of_a_check_and_another_closes_it():
    closed, state = picture_of(state_at("verdicts")), with_name(state_at("verdicts"), "properties.check", "smooth")
    opened = picture_of(state)
    assert len(of_kind(opened, marks.Polyline)) > len(of_kind(closed, marks.Polyline))
    row = places(state)["Smooth"]
    assert (row.is_chosen, row.changes(10.0, 10.0)) == (True, {"properties.check": "none"})
    # All of them stand open on paper.
    scene = scene_of("properties", state_at("verdicts"), 500.0, is_paper=True)
    assert len(of_kind(scene.still(), marks.Polyline)) > len(of_kind(opened, marks.Polyline))


def test_evidence_by_its_logarithm_puts_equal_factors_equally_far_apart(light):
    heights = np.array([[1e-16, 1e-12, 1e-8, 1e-4]])
    evidence = Evidence("pair", np.arange(4.0), heights, is_logarithmic=True, are_points=True)
    one = replace(analyse(PAPER).measurements[3], evidence=evidence)
    (dots,) = of_kind(_evidence_picture(Area(0.0, 0.0, 100.0, 66.0), light, one), marks.Dots)
    assert np.diff(dots.centers[:, 1]) == pytest.approx([-20.0] * 3)


def test_a_row_of_a_table_of_collisions_is_a_place_that_leads_to_its_offset():
    rows = places(state_at("collisions", SinusoidalEncoding(10_000), pair=0, offset=-44.0))
    assert rows["near return after 44"].is_chosen
    assert rows["near return after 710"].changes(20.0, 20.0) == {"offset": 710.0}
    assert rows["nearest offset 1"].changes(20.0, 20.0) == {"offset": 1.0}
    assert rows["what tells t from t + k"].changes(20.0, 20.0) == {"pair": 0}
    # The bars of hands are as high as their chords.
    state = state_at("collisions", position=37.0, offset=8.0)
    heights = np.array([bar.height for bar in of_kind(scene_of("properties", state).moving, marks.Rectangle)])
    wanted = np.array([2 * abs(np.sin(8 * 10000 ** (-i / 16) / 2)) for i in range(16)])
    assert heights / heights.max() == pytest.approx(wanted / wanted.max(), abs=1e-12)


@pytest.mark.parametrize("spacing", ["geometric", "linear"])
def test_the_distance_page_tells_both_fits_and_rows_lead_to_their_offsets(spacing):
    encoding = SinusoidalEncoding(1000, 64, spacing=spacing)
    state = state_at("distance", encoding, position=100.0, offset=8.0)
    words = said(state)
    assert "straight line" in words
    assert "fitted on k = 1 to 999" in words
    assert ("law" in words) == ("c = d / ln base" in words) == (spacing == "geometric")
    assert fixed(float(np.linalg.norm(encoding.values(999) - encoding.values(0))), 4) in words
    assert places(state)["offset 999"].changes(10.0, 10.0) == {"offset": 999.0}
    # As printed.
    words = said(state_at("distance", SinusoidalEncoding(1000, 1000)), 900.0)
    for text in ("R² 0.661", "425 of 999 steps go down, the first from 68 to 69", "k = 994"):
        assert text in words


def test_the_dot_of_the_offset_stands_on_the_measured_curve_and_a_press_there_takes_it():
    scene = scene_of("properties", state_at("distance", SinusoidalEncoding(100, 32), position=0.0, offset=8.0), 700.0)
    [linear] = [place for place in scene.places() if "by offset" in place.name]
    [first] = of_kind(scene.moving, marks.Dots)
    distance = np.sqrt(sum(4 * np.sin(4 * 10000 ** (-i / 16)) ** 2 for i in range(16)))
    highest = max(math.sqrt(sum(4 * math.sin(k / 2 * 10000 ** (-i / 16)) ** 2 for i in range(16))) for k in range(100))
    x, y = first.centers[0]
    assert x == pytest.approx(linear.area.x + 8 / 99 * linear.area.width)
    assert y == pytest.approx(linear.area.bottom - distance / (1.04 * highest) * linear.area.height)
    assert linear.changes(x, y) == {"offset": 8.0}
    assert linear.is_dragged
    # An offset beyond the table is told over the plot.
    assert "k = 710 ›" in said(state_at("distance", SinusoidalEncoding(100, 32), offset=-710.0), 700.0)


@pytest.mark.parametrize("page", ["collisions", "distance"])
def test_a_wide_table_shows_its_last_comparison_while_the_cursor_moves_and_none_of_another_encoding(page):
    state = state_at(page, WIDE, position=37.0, offset=8.0)
    known = ANSWERS.answer(next(some for some in VIEW.questions(state) if some.topic == "comparison"))
    distance = math.sqrt(sum(4 * math.sin(4 * 10000 ** (-i / 4096)) ** 2 for i in range(4096)))
    assert known.length == pytest.approx(distance, rel=1e-12)
    for offset, encoding, is_shown in ((9.0, WIDE, True), (8.0, replace(WIDE, base=50.0), False)):
        words = said(state_at(page, encoding, position=40.0, offset=offset), 500.0, Known(latest=known))
        assert ("37 from 45" in words) == is_shown
        assert "40 " not in words
    assert page == "collisions" or "Over k = 0 there is no difference." in said(state_at(page, offset=0.0))


def test_a_range_is_a_place_that_leads_to_its_ends_and_to_a_pair_that_serves_it():
    rows = places(state_at("scales", SinusoidalEncoding(650, 512), position=100.0, offset=100.0))
    assert rows["100–200"].is_chosen
    assert rows["1–10"].value.startswith("64 pairs, wavelengths 18–180, 58.3 %")
    # The middle one of pairs 30 to 93, whose wavelengths are 18 to 180 positions.
    assert rows["1–10"].changes(20.0, 20.0) == {"position": 1.0, "offset": 9.0, "pair": 62}
    assert [i for i in range(256) if 18 <= 2 * math.pi * 10_000 ** (i / 256) <= 180] == list(range(30, 94))
    assert rows["600–700"].changes(20.0, 20.0) == {}  # beyond the table
    assert rows["Hands for each tenfold of wavelength"].changes(20.0, 20.0) == {}
    # A range that no pair serves is no minus before its wavelengths.
    words = texts_of("properties", {"preset": "aliasing-512", "properties.page": "scales"}, 400.0)
    assert "none" in words
    assert "–" not in words


def test_each_hand_stands_at_its_wavelength_in_its_colour_and_n_between_the_edges(light):
    drawn = scene_of("properties", state_at("scales", SinusoidalEncoding(1000, 64, 1e6)), 600.0).still()
    upright = [mark for mark in of_kind(drawn, marks.Segments) if mark.ends[0][0] == mark.ends[0][2]]
    hands, [line] = [mark for mark in upright if not mark.dash], [mark for mark in upright if mark.dash]
    # Wavelengths 2 pi 10^(6 i / 32), 100 pixels a tenfold.
    assert [mark.ends[0][0] for mark in hands] == pytest.approx([600 * pair / 32 for pair in range(32)])
    assert [mark.color for mark in hands] == [light.pair_color(pair, 32) for pair in range(32)]
    assert line.ends[0][0] == pytest.approx(600 / 6 * math.log10(1000 / (2 * math.pi)))
    assert "Dashed: N = 1 000" in texts_of("properties", state_at("scales", SinusoidalEncoding(1000, 64, 1e6)))


def test_the_page_of_scales_shows_the_hands_of_the_pair_under_the_pointer(light):
    for kind, n_hands in (("sinusoidal", 1), ("one-wave", 2), ("bits", 2)):
        scene = scene_of("properties", {"kind": kind, "properties.page": "scales"}, 600.0)
        lines = of_kind(plot.ghosts(scene.places(), Preview(None, None, 2), light), marks.Segments)
        hands = [mark.ends[0][0] for mark in of_kind(scene.still(), marks.Segments) if mark.width == 2.0]
        first = 2 * n_hands
        assert [line.ends[0][0] for line in lines] == pytest.approx(hands[first : first + n_hands])
        assert not [*plot.ghosts(scene.places(), Preview(None, None, 15), light)] or kind != "bits"


@pytest.mark.parametrize("kind", ["counter", "position-map", "one-wave", "bits"])
def test_the_page_of_scales_says_where_no_pair_serves_a_range(kind):
    words = said(state_at("scales", KINDS[kind]()), 600.0)
    assert "Only hands that turn evenly in pairs tell ranges apart. No " in words
    assert ("to each tenfold" in words) == (kind in ("one-wave", "bits"))
    # 2 pi / (1 - i / 16): 14 below 62.8, one from there on; no hand from 628 on matters to N = 128.
    assert "at least 1 up to N" in said(state_at("scales", SinusoidalEncoding(128, 32, spacing="linear")), 600.0)


def test_nothing_of_a_narrow_table_has_to_be_waited_for_but_what_all_positions_tell():
    def slow(state):
        return [question.topic for question in VIEW.questions(state) if not question.is_quick]

    assert slow(state_at("collisions")) == ["close offsets", "analysis"]
    assert slow(state_at("distance", KINDS["random"]())) == ["analysis"]
    assert slow(state_at("distance", replace(WIDE, n_positions=1))) == ["comparison", "analysis"]
    # The search of a long table waits until nothing else is asked for.
    for page in ("collisions", "distance"):
        ranks = [VIEW.questions(state_at(page, SinusoidalEncoding(n, 512)))[0].rank for n in (10_000, 1_000_000)]
        assert ranks == [0, 1]


def test_what_holds_up_to_an_offset_is_counted_by_itself():
    state = state_at("verdicts", SinusoidalEncoding(1000, 128, spacing="linear"))
    verdicts = [row[1] for row in rows_of("properties", state)]
    n_holding = verdicts.count("Holds")
    assert sum(verdict.startswith("Holds up to ") for verdict in verdicts) == 1
    assert VIEW.subtitle(state, ANSWERS) == f"{n_holding} of {len(verdicts)} hold, 1 in part"
    assert VIEW.sentence(state, ANSWERS) == f"Sinusoidal: {VIEW.subtitle(state, ANSWERS)}"
    assert VIEW.sentence(state_at("verdicts"), Known()) == "Sinusoidal: not measured yet"


def test_columns_that_turn_without_their_partners_are_not_said_to_rest_and_a_tiny_share_has_its_power_of_ten():
    # 2 pi 10000^(2i/33) is at most 128 for i = 0 to 5.
    for kind, number, n_pairs in (("odd-width", "6", 17), ("one-wave", "0", 0), ("doubled-exponent", "0", 0)):
        [periodic] = [one for one in analyse(KINDS[kind]()).measurements if one.key == "periodic"]
        assert told.sentence(periodic) == "Its columns turn, but not all in pairs of one sine and one cosine."
        assert told.meaning(periodic) == f"of {n_pairs} pairs turn within N"
        assert places_of("properties", {"kind": kind})["Periodic pairs"].value == f"Fails, {number}"
    # A narrow row keeps a word beside its number, and what an opened one draws has a name.
    odd = {"preset": "odd-width", "properties.check": "shift_invariant"}
    assert {"off by 6.7×10⁻⁶", "dot product by offset k"} < {*texts_of("properties", odd, 379.0)}
