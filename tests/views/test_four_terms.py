"""The four terms: values, ranges, what stays constant, the sum, and what stands there where there is nothing."""

import math

import numpy as np
import pytest

from pe_desktop.core.cursor import Preview
from pe_desktop.core.scores.attention import attended, word_vectors
from pe_desktop.core.scores.term_ranges import TermsAt
from pe_desktop.core.state import state_of
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import short
from pe_desktop.model.findings import Computed
from pe_desktop.views.four_terms import scene
from pe_desktop.views.table import VIEWS
from tests.core.exact import paper_row
from tests.pictures import covered_texts, of_kind
from tests.tables import table
from tests.views.seen import ANSWERS, beside, drawn, rows_of, scene_of, texts_in
from tests.views.test_every_view import Unknown

FOUR_TERMS = VIEWS["four-terms"].module()
NAMES = [*scene._FORMULAS, "Sum = score"]
NO_WORD = "No word stands at t + k: the numbers are those of the nearest one, “I”."


def texts_of(state, answers=ANSWERS, width=420.0):
    shown = scene_of("four-terms", state, width, 360.0, answers)
    assert covered_texts(drawn(shown)) == []
    return texts_in(shown)


def numbers_of(state):
    """The copied numbers of the four terms, then their sum and the score."""
    rows = {row[0]: row[1:] for row in rows_of("four-terms", state)}
    return [float(rows[name][0]) for name in NAMES] + [float(rows[NAMES[-1]][1])]


def test_the_first_term_alone_is_constant_and_the_subtitle_names_both_words():
    state = state_of({"position": "4", "offset": "-3"})
    assert texts_of(state).count("constant") == 1
    told = texts_of(state, width=790.0)
    assert {"x is the vector of “sleep”, y that of “park”", "−3.92", "+3.92"} <= {*told}
    assert FOUR_TERMS.subtitle(state, ANSWERS) == "added positions; query “sleep”, key “park”"
    content, _, _, places, *_ = numbers_of(state)
    assert f"cross terms 0, score {content + places:.4g}".replace("-", "−") in " ".join(told)


def test_the_values_of_the_rows_are_the_terms_of_the_readout_and_lie_in_their_ranges():
    state = state_of({"position": "60", "offset": "5"})
    values = numbers_of(state)
    shown = texts_of(state)
    assert [beside(shown, name) for name in NAMES] == [short(value, 4) for value in values[:5]]
    for name, value in zip([*scene._FORMULAS][1:], values[1:], strict=False):
        least, most = shown[shown.index(name) + 2].replace("−", "-").split(" to ")
        assert float(least) - 0.01 <= value <= float(most) + 0.01


@pytest.mark.parametrize("first_position", ["0", "5", "2.5"])
def test_terms_and_four_maps_add_up_to_the_scores_of_the_sentence_and_two_words_are_framed(first_position):
    state = state_of({"attention.is_open": "true", "position": "4", "offset": "-3", "first_position": first_position})
    question = next(one for one in FOUR_TERMS.questions(state) if one.topic == "maps of four terms")
    maps = np.array(ANSWERS.answer(question).maps)
    scores = attended(state.attention, state.encoding, tuple(range(5))).scores
    *terms, total, score = numbers_of(state)
    assert np.array([maps[:4].sum(axis=0), maps[4]]) == pytest.approx(np.array([scores, scores]))
    assert maps[:4, 4, 1].tolist() == pytest.approx(terms)
    assert (total, score) == pytest.approx((scores[4, 1],) * 2, abs=1e-12)
    assert ("the first word stands at" in FOUR_TERMS.subtitle(state, ANSWERS)) == (first_position != "0")
    frames = [mark for mark in of_kind(scene_of("four-terms", state, 800.0).moving, marks.Rectangle) if mark.outline]
    assert len(frames) == 5


@pytest.mark.parametrize("n_words", [5, 60, 500])
def test_a_press_in_a_map_of_any_sentence_chooses_both_words_and_a_preview_frames_them(n_words, light):
    words = " ".join(map(str, range(n_words)))
    shown = scene_of("four-terms", {"attention.is_open": "true", "sentence": words, "n_positions": "1000"}, 800.0)
    # One more are the colours of the key.
    assert len(of_kind(shown.still(), marks.Raster)) == 1 + (5 if n_words > 32 else 0)
    place = {place.name: place for place in shown.places()}["map of score"]
    x, y, one = place.area.x, place.area.y, (place.area.width - 2.0) / n_words
    assert place.changes(x + 1.5 * one, y + 3.5 * one) == {"position": 3.0, "offset": -2.0}
    assert place.changes(x - 9.0, y + 2000.0) == {"position": n_words - 1.0, "offset": 1.0 - n_words}
    (frame,) = place.ghosts(place.area, Preview(3.0, -2.0), light)
    assert (frame.x + frame.width / 2, frame.y + frame.height / 2) == pytest.approx((x + 1.5 * one, y + 3.5 * one))
    assert place.ghosts(place.area, Preview(4.0, -3.0), light) == ()


@pytest.mark.parametrize(
    ("scheme", "numbers"),
    [("alibi", {"1.3578", "−1.5000", "−0.1422", "0.289"}), ("none", {"1.3578", "0.0000"})],
)
def test_a_bias_and_what_the_words_score_end_at_the_cell(scheme, numbers):
    cell = {"attention.is_open": "true", "scheme": scheme, "position": "4", "offset": "-3"}
    assert numbers <= {*texts_of(state_of(cell))}
    assert "no word there" in texts_of(state_of(cell | {"offset": "3"}))
    assert "content · position" in "".join(FOUR_TERMS.readout(state_of(cell | {"attention.is_open": "false"}), ANSWERS))


@pytest.mark.parametrize(("view", "scheme", "is_said"), table("views/words")["no word at t and k"])
def test_where_no_word_stands_at_t_and_k_the_page_says_whose_numbers_these_are(view, scheme, is_said):
    given = {"attention.is_open": "true", "scheme": scheme, "position": "1"}
    away, near = (state_of(given | {"offset": offset}) for offset in ("-3", "-1"))
    said_away, said_near = (" ".join(texts_in(scene_of(view, one, 842.0, 740.0))) for one in (away, near))
    assert is_said in said_away
    assert "nearest" not in said_near
    assert "key “I”" not in VIEWS[view].module().subtitle(away, ANSWERS)


def test_words_and_positions_are_added_to_a_table_whose_rows_say_how_far_each_word_turns():
    state = state_of({"four-terms.page": "inputs", "position": "2", "first_position": "3", "d_model": "8"})
    vectors = word_vectors(state.attention.words, 8, 0)
    sums = [x + paper_row(3 + place, 8) for place, x in enumerate(vectors)]
    table = [list(map(float, row[1:])) for row in rows_of("four-terms", state)]
    np.testing.assert_allclose(table, sums, rtol=0, atol=1e-14)
    angle = math.degrees(math.acos(vectors[2] @ sums[2] / math.hypot(*vectors[2]) / math.hypot(*sums[2])))
    shown = texts_of(state)
    assert {"5 in", f"{math.hypot(*sums[2]):.3f}", f"{angle:.1f}°", "2.000", "5 words in, 5 × 8 numbers out"} <= {
        *shown
    }
    places = {place.name: place for place in scene_of("four-terms", state).places()}
    area = places["inputs"].area
    assert places["inputs"].changes(area.middle[0], area.bottom - 3.0) == {"position": 4.0}
    assert (places["5 in"].is_chosen, places["6 my"].sets) == (True, {"position": 3.0})


class Wrong(Computed):
    def answer(self, question):
        return TermsAt((1.0, -2.0, 0.5, 0.25), 0.75) if question.topic == "four terms" else super().answer(question)


def test_a_sum_that_misses_the_score_is_shown_as_an_error_and_not_as_a_number():
    texts = texts_of({}, Wrong())
    assert "error: misses by 1" in texts
    assert "−0.250" not in texts


@pytest.mark.parametrize(("assignments", "is_known", "words", "count"), table("views/words")["ranges of four terms"])
def test_where_there_is_no_range_or_a_sample_of_one_words_say_so(assignments, is_known, words, count):
    assert texts_of(state_of(assignments), ANSWERS if is_known else Unknown(), 700.0).count(words) == count


@pytest.mark.parametrize(("assignments", "words"), table("views/words")["no head or no words"])
def test_without_a_head_or_words_a_sentence_says_so(assignments, words):
    state = state_of(assignments)
    assert FOUR_TERMS.questions(state) == ()
    assert " ".join(texts_of(state, ANSWERS)) == words


def test_wide_heads_and_long_tables_are_left_to_the_findings():
    def slow(**names):
        return [question.topic for question in FOUR_TERMS.questions(state_of(names)) if not question.is_quick]

    assert slow() == []
    assert slow(d_model="512", n_positions="8") == ["W_Q", "W_K"]
    assert slow(d_model="1024") == ["maps of four terms", "four terms", "ranges of four terms"]
    assert slow(n_positions="4096", d_model="64") == ["ranges of four terms"]
    near, far = (FOUR_TERMS.questions(state_of({"position": t}))[-1] for t in ("3", "90"))
    assert near.arguments[:2] == far.arguments[:2]
