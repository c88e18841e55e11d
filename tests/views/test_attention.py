"""What the view of attention says and shows, state by state."""

import math
import random
import re
from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest

from pe_desktop.core.cursor import Preview
from pe_desktop.core.lags import CancelledError
from pe_desktop.core.scores.attention import MOST_WORDS, moved
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import state_of
from pe_desktop.draw import marks
from pe_desktop.model.findings import Computed
from pe_desktop.views.attention.head import PAIRS, found
from pe_desktop.views.attention.scene import chips_of
from pe_desktop.views.table import VIEWS
from tests.pictures import covered_texts, of_kind, text_frames
from tests.tables import table
from tests.views.seen import ANSWERS, drawn, places_of, rows_of, scene_of, texts_in
from tests.views.test_properties import Known

view = VIEWS["attention"].module()
LARGE, COMPACT = (839.0, 790.0), (768.0, 480.0)
PAPER, SLIDE = (624.0, 900.0), (1200.0, 600.0)
AT_SLEEP = {"position": "4", "offset": "-3"}


def texts(state, size=LARGE, **given) -> list[str]:
    return texts_in(scene_of("attention", state, *size, **given))


def number(state) -> float:
    """The largest difference, from the table that is copied."""
    return float(rows_of("attention", state)[-1][1])


SEEN = [({"scheme": scheme}, "its weights have changed, not only moved", True) for scheme in [*SCHEMES][1:]]


@pytest.mark.parametrize(("given", "words", "sees_order"), [*table("views/words")["what happened to words"], *SEEN])
def test_what_happened_is_told_in_full_in_panels_and_figures(given, words: str, sees_order) -> None:
    for size, is_paper in ((LARGE, False), (COMPACT, False), (PAPER, True), (SLIDE, True)):
        shown = texts(given, size, is_paper=is_paper)
        assert not [text for text in shown if "…" in text]
        assert {"Weights as written", "As written", "Moved"} <= {*shown}
        # Paper says not what to do in a window, and of words that haven't moved their weights alone.
        assert ("What comes out" in shown) == (not is_paper or sees_order is not None)
        assert ("Shuffle" in shown) == (not is_paper)
    told = " ".join(texts(given))
    assert words in told
    assert ("Order is seen" in told, "Rounding only" in told) == (sees_order is True, sees_order is False)
    assert number(given) > 0.1 if sees_order else number(given) < 1e-12
    assert ("no word has moved yet" in view.sentence(state_of(given), ANSWERS)) == (sees_order is None)


@pytest.mark.parametrize("sentence", ["I park in my sleep", "the cat sat on the mat because it was tired"])
def test_the_largest_change_is_named_by_word_and_dimension_with_and_without_its_map(sentence: str) -> None:
    words = sentence.split()
    state = {"scheme": "rope", "sentence": sentence, "order": " ".join(map(str, reversed(range(len(words)))))}
    outputs = found(state_of(state), ANSWERS)[0].both
    assert outputs is not None
    change, most, at = outputs.put_back - outputs.written.outputs, 0.0, (0, 0)
    for word, row in enumerate(change.tolist()):
        for dimension, value in enumerate(row):
            most, at = max((most, at), (abs(value), (word, dimension)))
    told = " ".join(texts(state))
    assert f"the most at “{words[at[0]]}” (t = {at[0]}) in dimension {at[1]}" in told
    changes = [max(abs(float(one)) for one in row[1:]) for row in rows_of("attention", state)[2 * len(words) + 3 : -1]]
    assert f"Look at the row of “{words[changes.index(max(changes))]}”" in told
    assert most == pytest.approx(number(state), rel=1e-12)
    # Dimensions are counted from 0, as in the matrix.
    assert (" 0 " in told and " 31 " in told) == ("What comes out" in told and len(words) < 8)


def test_without_positions_the_words_move_with_their_weights() -> None:
    # An order of which the way back is another one.
    table = rows_of("attention", {"scheme": "none", "order": "1 2 3 4 0"})
    written, moved = (np.array([row[1:] for row in table[start : start + 5]], dtype=float) for start in (1, 7))
    assert np.abs(written - moved).max() < 1e-14
    assert np.abs(np.sum((written, moved), axis=2) - 1.0).max() < 1e-12


def test_a_causal_mask_hides_half_of_the_cells() -> None:
    state = {"scheme": "none", "causal": "true", "attention.map": "moved"}
    # 15 of 25 cells remain in each map.
    assert len([text for text in texts(state) if len(text) == 6 and text[1] == "."]) == 30
    assert "sleep reads park: 0.5446 before, hidden by the mask after the move" in texts({**state, **AT_SLEEP})
    assert "park reads sleep: hidden by the mask before, 0." in " ".join(
        texts({**state, "position": "1", "offset": "3"})
    )


@pytest.mark.parametrize("sentence", ["", "word"])
def test_fewer_than_two_words_offer_the_sentences_of_the_texts(sentence: str) -> None:
    state = state_of({"sentence": sentence})
    assert "Type two words or more" in texts(state)
    assert [place.sets for place in places_of("attention", state).values()] == [*PAIRS.values()][:3]
    assert (view.questions(state), view.readout(state, ANSWERS)) == ((), "")


def test_beyond_the_sentence_its_places_are_told_and_what_to_press() -> None:
    assert "This sentence has places 0 to 4. Press the word that asks" in texts({"position": "100", "offset": "-98"})


@pytest.mark.parametrize("offset", ["-9", "-98"])
def test_where_no_word_stands_is_said_and_no_word_is_marked_as_read(offset) -> None:
    assert f"t + k = −{-3 - int(offset)}: no word stands there" in texts({"position": "3", "offset": offset})
    places = places_of("attention", {"position": "3", "offset": offset})
    assert not [place for place in places.values() if "key" in place.value or "the sum of" in place.name]


def test_in_little_room_and_of_long_words_the_amounts_that_are_read_are_seen() -> None:
    sentence = "cat pneumonoultramicroscopicsilicovolcanoconiosis Donaudampfschifffahrtsgesellschaftskapitän"
    long = {"sentence": sentence, "order": "1 0 2", "position": "1", "offset": "1"}
    hidden = {"scheme": "additive", "causal": "true", **AT_SLEEP}
    for state, size, pattern in (
        ({"scheme": "none", **AT_SLEEP}, (468.0, 413.0), r"0\.5446 → 0\.5446, .*\d"),
        (hidden, (468.0, 413.0), r"0\.\d{4} → hidden"),
        (long, LARGE, r".*0\.\d{4} before, 0\.\d{4} moved, .*\d"),
    ):
        assert [text for text in texts(state, size) if re.fullmatch(pattern, text)]


# Of the sentence of the start under "Added", "sleep" and "park" exchanged: design notes, with NumPy alone.
WRITTEN_TO_MOVED = {(4, 1): (0.9077, 0.7524), (1, 1): (0.21, 0.48), (1, 4): (0.38, 0.11)}


def test_what_moving_changed_is_moved_minus_written_in_the_rows_and_columns_as_written() -> None:
    rows = rows_of("attention", AT_SLEEP)
    written, moved, change = ([[*map(float, row[1:])] for row in rows[start : start + 5]] for start in (1, 7, 13))
    assert [row[0] for row in rows] == [word for name in ("written", "moved", "change") for word in (
        f"weights, {name}", "I", "park", "in", "my", "sleep")] + [rows[-1][0]]  # fmt: skip
    for (asking, read), (before, after) in WRITTEN_TO_MOVED.items():
        assert written[asking][read] == pytest.approx(before, abs=0.005)
        assert moved[asking][read] == pytest.approx(after, abs=0.011)
    for three in zip(written, moved, change, strict=True):
        assert all(after - before == difference for before, after, difference in zip(*three, strict=True))
    shown = texts(AT_SLEEP)
    assert "sleep reads park: 0.9077 before, 0.7524 moved, −0.1553" in shown
    assert {"0.2742", "−0.2701", "−0.2533", "−0.5", "+0.5"} <= {*shown}
    assert "Weights, moved" in texts({**AT_SLEEP, "attention.map": "moved"})


# The largest change of an output without and with a mask: design notes.
EVERY_SCHEME = {
    "None": ("4.4×10⁻¹⁶", "1.693"), "Added": ("1.172", "2.465"), "RoPE": ("0.873", "1.830"),
    "ALiBi": ("0.846", "1.720"), "T5": ("0.797", "1.459"), "Shaw": ("1.424", "1.815"),
}  # fmt: skip


def test_marks_of_every_scheme_stand_at_their_decades_and_set_scheme_and_mask_and_a_row_the_scheme() -> None:
    scene = scene_of("attention", {**AT_SLEEP, "causal": "true"}, *LARGE)
    places = {place.name: place for place in scene.places()}
    spots = []
    for (title, both), scheme in zip(EVERY_SCHEME.items(), SCHEMES, strict=False):
        row = places[f"scheme {title}"]
        assert (row.sets, row.value) == ({"scheme": scheme}, "no mask {}, causal {}".format(*both))
        for mask, causal, text in zip(("no mask", "causal"), (False, True), both, strict=True):
            mark = places[f"{title}, {mask}"]
            assert (mark.sets, mark.value) == ({"scheme": scheme, "causal": causal}, text)
            assert (mark.tooltip, mark.is_chosen) == (f"{title}, {mask}: {text}", title == "Added" and causal)
            assert row.area.y < mark.area.middle[1] < row.area.bottom
            number = 4.44e-16 if text.startswith("4.4") else float(text)
            spots.append((mark.area.middle[0], math.log10(number)))
    # Of equal width for each power of ten.
    (x0, log0), (x1, log1), *others = spots
    for x, log in others:
        assert x - x0 == pytest.approx((log - log0) * (x1 - x0) / (log1 - log0), abs=0.1)
    discs = of_kind(drawn(scene), marks.Dots)
    squares = [line.points[:4] for line in of_kind(drawn(scene), marks.Polyline) if len(line.points) == 5]
    centers = np.vstack([one.centers for one in discs])
    for mask, drawn_at in (("no mask", centers), ("causal", np.mean(squares, axis=1))):
        for title in EVERY_SCHEME:
            assert np.abs(drawn_at - places[f"{title}, {mask}"].area.middle).sum(axis=1).min() < 0.1
    for size, is_paper in ((LARGE, False), (PAPER, True)):
        assert "● no mask  □ causal" in texts(AT_SLEEP, size, is_paper=is_paper)
    narrow = texts(AT_SLEEP, (480.0, 600.0))
    assert {number for both in EVERY_SCHEME.values() for number in both} <= {*narrow}
    assert "10⁻¹²" not in narrow


@pytest.mark.parametrize("width", [420.0, 839.0])
def test_biases_are_strips_in_the_rows_of_their_schemes_with_the_number_of_k_and_of_a_preview(width, light) -> None:
    places = places_of("attention", {**AT_SLEEP, "slope": "0.25"}, width)
    strips = {name: place for name, place in places.items() if name.startswith("biases of")}
    assert [*strips] == [f"biases of {title}" for title in ("ALiBi", "T5", "Shaw", "Kerple", "FoX")]
    strip, row = strips["biases of ALiBi"], places["scheme ALiBi"].area
    assert row.y < strip.area.y < strip.area.bottom < row.bottom
    # Nine offsets from -4 to 4: a press sets each, k is framed.
    cells = [strip.area.x + (place + 0.5) * strip.area.width / 9 for place in range(9)]
    assert [strip.changes(x, row.middle[1]) for x in cells] == [{"offset": k} for k in range(-4, 5)]
    assert strip.value == "−0.750"
    frames = of_kind(drawn(scene_of("attention", AT_SLEEP, width, 1100.0)), marks.Polyline)
    assert any(tuple(line.points[:4].mean(axis=0)) == pytest.approx((cells[1], row.middle[1])) for line in frames)
    assert strip.ghosts is not None
    told = [mark.text for mark in of_kind(strip.ghosts(strip.area, Preview(offset=2.0), light), marks.Text)]
    assert (told, strip.ghosts(strip.area, Preview(offset=9.0), light)) == (["−0.500"], ())


# Of q and k of "sleep" and "park" without positions: q . k / sqrt(32) = 1.3578 (tests/core/scores has the loops).
@pytest.mark.parametrize(("given", "line"), table("views/words")["sum of a score"])
def test_the_sum_of_the_chosen_score_stands_below_the_weights_and_ends_at_the_weight(given, line: str) -> None:
    told = next(text for text in texts({**AT_SLEEP, **given}) if text.startswith(line))
    score, total, weight = map(
        float, re.findall(r"softmax exp\((.+)\) / exp\((.+)\) = (.+)", told.replace("−", "-"))[0]
    )
    assert math.exp(score) / math.exp(total) == pytest.approx(weight, abs=1e-4)
    assert f"{weight:.4f}" == f"{float(rows_of('attention', {**AT_SLEEP, **given})[5][2]):.4f}"
    hidden = {**given, "causal": "true", "position": "1", "offset": "3"}
    assert any(text.endswith("; hidden by the mask") for text in texts(hidden))


def test_words_and_cells_show_the_t_and_k_that_other_views_name_and_name_them_too(light) -> None:
    places = places_of("attention", {**AT_SLEEP, "position": "2", "offset": "-1"}, LARGE[0])

    def ringed(preview: Preview) -> list[str]:
        return [name for name, place in places.items() if place.ghosts and place.ghosts(place.area, preview, light)]

    maps, strips = ["weights, written", "weights, change"], [name for name in places if name.startswith("biases")]
    assert ringed(Preview(3.0)) == ["written 3: my", "moved 3: my"]
    assert ringed(Preview(offset=1.0)) == ["written 3: my", "moved 3: my", *maps, *strips]
    both = [f"{row} {word}" for row in ("written", "moved") for word in ("0: I", "3: my")]
    assert sorted(ringed(Preview(3.0, -3.0))) == sorted([*both, *maps, *strips])
    assert ringed(Preview(pair=3)) == []
    for name in ("written", "change"):
        cells, rows, columns = (places[f"{what}, {name}"] for what in ("weights", "rows", "columns"))
        x, y = cells.area.x + 0.9 * cells.area.width, cells.area.y + 0.7 * cells.area.height
        assert rows.changes(rows.area.middle[0], y) == {"position": 3}
        assert columns.changes(x, columns.area.middle[1]) == {"offset": 2.0}


def test_the_cell_of_the_largest_change_is_ringed() -> None:
    state = state_of(AT_SLEEP)
    both = moved(state.attention, state.encoding)
    row, column = divmod(int(np.abs(both.put_back - both.written.outputs).argmax()), 32)
    picture = drawn(scene_of("attention", state, *LARGE))
    raster = next(mark for mark in of_kind(picture, marks.Raster) if mark.image.width() == 32)
    corner = raster.x + column * raster.width / 32, raster.y + row * raster.height / 5
    assert any(tuple(line.points[0]) == pytest.approx(corner) for line in of_kind(picture, marks.Polyline))


@pytest.mark.parametrize("width", [420.0, 839.0])
def test_a_narrow_panel_has_its_maps_below_each_other_and_the_numbers_of_every_scheme(width) -> None:
    places = places_of("attention", AT_SLEEP, width)
    written, change = places["weights, written"].area, places["weights, change"].area
    assert (written.x == change.x, "RoPE, causal" in places) == (width < 500.0, width > 500.0)
    assert "scheme RoPE" in places


def test_every_pixel_of_a_row_of_512_words_is_one_of_them() -> None:
    chips = chips_of(state_of({"sentence": "a " * 512, "order": ""}))
    assert chips is not None
    row = chips.rows(LARGE[0])[1]
    left, right = round(row[0].area.x), round(row[-1].area.right)
    under = [chips.chip_at(LARGE[0], x, row[0].area.middle[1]) for x in range(left, right)]
    words = [chip.word for chip, can_move in filter(None, under) if can_move]
    assert len(words) == right - left == len(under)
    assert words == sorted(words)


def test_of_a_long_sentence_the_first_words_are_taken_and_the_subtitle_says_so() -> None:
    sentence = " ".join(f"w{number % 90}" for number in range(MOST_WORDS + 40))
    state = state_of({"sentence": sentence, "order": " ".join(map(str, reversed(range(MOST_WORDS))))})
    assert view.subtitle(state, ANSWERS).count(f"the first {MOST_WORDS} words") == 1
    for size in (LARGE, COMPACT):
        scene = scene_of("attention", state, *size)
        assert covered_texts(drawn(scene)) == []
        assert len(of_kind(drawn(scene), marks.Text)) < 150
        assert len(scene.places()) < 65


@pytest.mark.parametrize("n_words", [2, 5, 7, 8, 16, 19, 20, 33, 90])
def test_no_text_covers_another_or_is_cut_whatever_the_count_of_words(n_words: int, luck: random.Random) -> None:
    words = " ".join(("the", "extraordinarily", "chef", "I")[place % 4] for place in range(n_words))
    order = " ".join(map(str, (*range(1, n_words), 0)))
    for size in luck.sample([LARGE, COMPACT, (620.0, 450.0), (1500.0, 900.0)], 2):
        state = {"sentence": words, "order": order, "position": "1", "causal": luck.choice(["true", "false"])}
        picture = drawn(scene_of("attention", state, *size, is_paper=luck.choice([True, False])))
        assert covered_texts(picture) == []
        for left, _, right, _, _ in text_frames(picture):
            assert left >= -0.5
            assert right <= size[0] + 0.5


def test_cells_of_seven_words_have_numbers_and_words_head_rows_and_columns_alike() -> None:
    for n_words, has_numbers in ((7, True), (16, False)):
        shown = texts({"sentence": " ".join("abcdefghijklmnop"[:n_words])}, (839.0, 500.0))
        assert (sum(text.startswith("0.") for text in shown) > 2 * len(SCHEMES)) == has_numbers
    for n_words, has_words in ((8, True), (16, True), (20, False)):
        shown = texts({"sentence": " ".join("abcdefghijklmnopqrst"[:n_words]), "position": "0"})
        # Two chips, the rows and columns of two maps, and the rows of what comes out, which folds above eight words.
        assert shown.count("a") == 2 + 4 * has_words + (n_words <= 8)


def test_rows_follow_the_words_and_tell_a_screen_reader_and_the_pointer_what_is_read(light) -> None:
    places = places_of("attention", {"scheme": "none", **AT_SLEEP}, LARGE[0])
    written, change = places["written, row 4: sleep"], places["change, row 4: sleep"]
    assert (written.is_chosen, change.is_chosen) == (True, True)
    assert written.value.startswith("I 0.10, park 0.54")
    assert change.value == "I 0.00, park 0.00, in 0.00, my 0.00, sleep 0.00"
    assert (places["written 1: park"].value, places["moved 1: park"].value) == ("key, place 1", "key, place 4")
    assert places["largest difference"].value.startswith("4.4×10⁻¹⁶")
    assert places["scheme RoPE"].value.startswith("no mask 0.")
    assert places["open the sum of this score"].sets == {"front": ("four-terms",), "four-terms.page": "terms"}
    at = places_of("attention", {"scheme": "additive", "position": "0"}, LARGE[0])["weights, written"]
    assert at.ghosts is not None
    card = [mark.text for mark in of_kind(at.ghosts(at.area, Preview(4.0, -3.0), light), marks.Text)]
    assert card == ["sleep reads park", "0.9077"]


def test_wide_heads_are_asked_for_and_neither_scheme_nor_mask_nor_cursor_asks_for_another_table() -> None:
    for d_model, is_quick in (("32", True), ("1024", False)):
        questions = view.questions(state_of({"d_model": d_model}))
        assert [question.is_quick for question in questions] == [is_quick] * 3
    changes = {"d_model": "512"}, {"scheme": "t5"}, {"causal": "true"}, {"drops_positions": "true"}, {"position": "2"}
    assert len({view.questions(state_of({"d_model": "512", **change}))[1] for change in changes}) == 1


def test_the_orders_of_the_texts_make_the_second_sentence_of_a_pair() -> None:
    chef = "The chef served the dish to the guests who had prepared the meal with great care"
    seconds = ["I sleep in my park", "man bites dog", chef, "what was three tokens back?"]
    for pair, second in zip(PAIRS.values(), seconds, strict=True):
        head = state_of({**pair, "order": " ".join(map(str, pair["order"]))}).attention
        assert " ".join(head.words[place] for place in head.places) == second


def test_while_a_wide_head_is_computed_no_number_of_another_scheme_is_shown() -> None:
    class Earlier(Known):
        """Answers that know the head of another scheme, as findings do while they compute."""

        def latest(self, question):
            other = replace(state_of({"d_model": "512"}).attention, scheme="none", order=(4, 3, 2, 1, 0))
            return question.compute(other, *question.arguments[1:], Computed())

    for answers in (Known(share=None), Earlier(share=None)):
        shown = texts({"d_model": "512", "scheme": "rope"}, answers=answers)
        assert "Rounding only" not in shown
        assert shown.count("…") == 1 + 2 * len(SCHEMES)


@pytest.mark.parametrize("key", ["attention", "four-terms"])
def test_questions_about_a_wide_head_end_once_nobody_waits_for_them(key: str) -> None:
    questions = VIEWS[key].module().questions(state_of({"d_model": "1024", "attention.is_open": "true"}))
    assert len(questions) == 3
    for question in questions:
        task = Mock(side_effect=[False, False, True])
        with pytest.raises(CancelledError):
            question.compute(*question.arguments, task)
        assert task.call_count == 3
