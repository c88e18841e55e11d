"""What the view of attention says and shows, state by state."""

import math
import random
from dataclasses import replace

import pytest

from pe_desktop.core.lags import CancelledError
from pe_desktop.core.scores.attention import MOST_WORDS
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import state_of
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box
from pe_desktop.model.findings import Computed
from pe_desktop.views.attention.head import EXAMPLES, PAIRS, comment
from pe_desktop.views.attention.scene import chips_of
from pe_desktop.views.table import VIEWS
from tests.pictures import covered_texts, of_kind, text_frames
from tests.views.seen import ANSWERS, drawn, places_of, rows_of, scene_of, texts_in
from tests.views.test_values_in_a_frame import NothingKnown

view = VIEWS["attention"].module()
LARGE, COMPACT = (839.0, 790.0), (768.0, 515.0)
# The widths of figures on paper and on a slide.
PAPER, SLIDE = 624.0, 816.0
AT_SLEEP = {"position": "4", "offset": "-3"}


def texts(state, size=LARGE, **given) -> list[str]:
    return texts_in(scene_of("attention", state, *size, **given))


def number(state) -> float:
    """The largest difference, from the table that is copied."""
    return float(rows_of("attention", state)[-1][1])


@pytest.mark.parametrize(
    ("given", "words", "sees_order"),
    [
        ({"order": ""}, "Nothing has moved yet.", None),
        ({"scheme": "none"}, "Outputs move along with their words: equivariant, not invariant.", False),
        ({"scheme": "none", "causal": "true"}, "The causal mask alone shows the order.", True),
        *(({"scheme": scheme, "position": "4"}, "the row of “sleep”", True) for scheme in [*SCHEMES][1:]),
        ({"scheme": "rope", "drops_positions": "true"}, "RoPE off: nothing else has changed", False),
        ({"scheme": "t5", "drops_positions": "true"}, "Positions off: nothing else has changed", False),
        ({"scheme": "additive", "drops_positions": "true", "causal": "true"}, "The causal mask alone", True),
        ({"scheme": "alibi", "order": "4 3 2 1 0"}, "distance only, not on direction.", False),
        ({"scheme": "alibi", "order": "4 3 2 1 0", "causal": "true"}, "The same words now", True),
        ({"scheme": "alibi", "order": "1 0 2 3 4", "slope": "0"}, "ALiBi adds nothing that tells", False),
        # With a mask the first words read nothing of what moved behind them.
        ({"causal": "true", "order": "0 1 2 4 3", "position": "0"}, "Look at the row of “", True),
    ],
)
def test_what_happened_is_told_in_full_in_panels_and_figures(light, given, words: str, sees_order) -> None:
    figures = [(width, view.height(state_of(given), ANSWERS, width, light) or 0.0) for width in (PAPER, SLIDE)]
    for size in (LARGE, COMPACT, *figures):
        shown = texts(given, size, is_paper=size in figures)
        assert not [text for text in shown if "…" in text]
        assert "Weights, as written" in shown
        assert ("As written" in shown) == (size in (LARGE, figures[0]))
    told = " ".join(texts(given))
    assert words in told
    assert "Look at the row of “I”" not in told
    assert ("Order is seen" in told, "Rounding only" in told) == (sees_order is True, sees_order is False)
    assert number(given) > 0.1 if sees_order else number(given) < 1e-12


def test_weights_that_have_only_moved_are_said_to() -> None:
    assert "only moved, but what they read has changed" in comment(state_of({}).attention, 1.0, None)[1]


def test_without_positions_the_words_move_with_their_weights() -> None:
    table = rows_of("attention", {"scheme": "none"})
    written, moved = table[1:6], table[7:12]
    names = [row[0] for row in moved]
    for row in written:
        after = moved[names.index(row[0])]
        for name, weight in zip(table[0][1:], row[1:], strict=True):
            assert float(weight) == pytest.approx(float(after[1 + names.index(name)]), abs=1e-14)
    assert all(math.fsum(map(float, row[1:])) == pytest.approx(1.0, abs=1e-12) for row in (*written, *moved))


def test_a_causal_mask_hides_half_of_the_cells() -> None:
    state = {"scheme": "none", "causal": "true"}
    # 15 of 25 cells remain in each map.
    assert len([text for text in texts(state) if len(text) == 4 and text[1] == "."]) == 30
    assert "sleep reads park: 0.5446 before, hidden after" in texts({**state, **AT_SLEEP})
    assert "park reads sleep: hidden before, 0." in " ".join(texts({**state, "position": "1", "offset": "3"}))


@pytest.mark.parametrize("sentence", ["", "word"])
def test_fewer_than_two_words_offer_the_sentences_of_the_texts(sentence: str) -> None:
    state = state_of({"sentence": sentence})
    assert "Type two words or more" in texts(state)
    assert [place.sets for place in places_of("attention", state).values()] == [one.changes for one in EXAMPLES]
    assert (view.questions(state), view.readout(state, ANSWERS)) == ((), "")


@pytest.mark.parametrize(
    ("position", "offset", "sentence"),
    [
        ("3", "19", "t + k = 22 is past the end: the key is the last word"),
        ("3", "1", "dashed column: key, t + k = 4"),
        ("3", "-9", "t + k = −6 is before the start: the key is the first word"),
        ("100", "-98", "t = 100 is past the end: the query is the last word; press another"),
    ],
)
def test_the_words_that_ask_and_are_read_are_told_where_they_leave_the_sentence(position, offset, sentence) -> None:
    for size in (LARGE, COMPACT):
        assert sentence in texts({"position": position, "offset": offset}, size)


def test_long_words_are_shortened_where_the_amount_that_is_read_would_be_cut() -> None:
    sentence = "cat pneumonoultramicroscopicsilicovolcanoconiosis Donaudampfschifffahrtsgesellschaftskapitän"
    for position, offset in (("1", "1"), ("0", "1"), ("2", "-2")):
        shown = texts({"sentence": sentence, "order": "", "position": position, "offset": offset})
        (line,) = (text for text in shown if " reads " in text and " before, " in text)
        assert line.endswith(" after")
        assert ("cat" in line) == (position != "1")


def test_every_pixel_of_a_row_of_512_words_is_one_of_them(light) -> None:
    chips = chips_of(state_of({"sentence": "a " * 512, "order": ""}), ANSWERS, Box(*LARGE, 1.0, light))
    assert chips is not None
    moved = chips.rows(LARGE[0])[1]
    left, right = round(moved[0].area.x), round(moved[-1].area.right)
    under = [chips.chip_at(LARGE[0], x, chips.moved_y(LARGE[0])) for x in range(left, right)]
    words = [chip.word for chip, can_move in filter(None, under) if can_move]
    assert len(words) == right - left == len(under)
    assert words == sorted(words)


def test_of_a_long_sentence_the_first_words_are_taken_and_the_subtitle_says_so() -> None:
    sentence = " ".join(f"w{number % 90}" for number in range(MOST_WORDS + 40))
    state = state_of({"sentence": sentence, "order": " ".join(map(str, reversed(range(MOST_WORDS))))})
    assert view.subtitle(state, ANSWERS).startswith(f"the first {MOST_WORDS} words; ")
    for size in (LARGE, COMPACT):
        scene = scene_of("attention", state, *size)
        assert covered_texts(drawn(scene)) == []
        assert len(of_kind(drawn(scene), marks.Text)) < 150
        assert len(scene.places()) < 30


@pytest.mark.parametrize("n_words", [2, 5, 7, 8, 16, 19, 20, 33, 90])
def test_no_text_covers_another_or_is_cut_whatever_the_count_of_words(n_words: int, luck: random.Random) -> None:
    words = " ".join(("the", "extraordinarily", "chef", "I")[place % 4] for place in range(n_words))
    order = " ".join(map(str, (*range(1, n_words), 0)))
    for size in luck.sample([LARGE, COMPACT, (620.0, 450.0), (1500.0, 900.0)], 2):
        state = {"sentence": words, "order": order, "position": "1", "causal": luck.choice(["true", "false"])}
        picture = drawn(scene_of("attention", state, *size, is_paper=luck.choice([True, False])))
        assert covered_texts(picture) == []
        for left, _, right, bottom, _ in text_frames(picture):
            assert left >= -0.5
            assert right <= size[0] + 0.5
            assert bottom <= size[1]


def test_cells_of_seven_words_have_numbers_and_positions_head_the_columns_from_eight_words_on() -> None:
    for n_words, has_numbers in ((7, True), (12, False)):
        shown = texts({"sentence": " ".join("abcdefghijkl"[:n_words]), "position": "0"})
        assert any(text.startswith("0.") and len(text) == 4 for text in shown) == has_numbers
    for n_words, heads in ((7, True), (8, False)):
        shown = texts({"sentence": " ".join("abcdefgh"[:n_words]), "position": "0"})
        # Two chips, the rows of two maps and of the outputs, and perhaps the columns of two maps.
        assert shown.count("a") == 5 + 2 * heads


def test_rows_follow_the_words_and_tell_a_screen_reader_what_is_read() -> None:
    places = places_of("attention", {"scheme": "none", **AT_SLEEP}, LARGE[0])
    written, moved = places["written, row 4: sleep"], places["moved, row 1: sleep"]
    assert (written.is_chosen, moved.is_chosen) == (True, True)
    pairs = [dict(part.rsplit(" ", 1) for part in one.value.split(", ")) for one in (written, moved)]
    assert pairs[0] == pairs[1]
    assert places["written 1: park"].value == places["moved 4: park"].value == "key"
    assert places["largest difference"].value.startswith("4.4×10⁻¹⁶")
    assert places["scheme RoPE"].value.startswith("no mask 0.")


def test_the_pointer_reads_out_a_cell() -> None:
    area = places_of("attention", {"position": "0"}, LARGE[0])["weights, written"].area
    at = area.x + 0.3 * area.width, area.y + 0.9 * area.height
    wanted = f"sleep reads park {float(rows_of('attention', {'position': '0'})[5][2]):.4f}"
    assert wanted in texts({"position": "0"}, (LARGE[0], 1100.0), pointer=at)


def test_wide_heads_are_asked_for_and_small_ones_are_known_at_once() -> None:
    for d_model, is_quick in (("32", True), ("1024", False)):
        questions = view.questions(state_of({"d_model": d_model}))
        assert [question.is_quick for question in questions] == [is_quick, is_quick]


def test_neither_scheme_nor_mask_nor_cursor_asks_for_another_table() -> None:
    changes = {"d_model": "512"}, {"scheme": "t5"}, {"causal": "true"}, {"drops_positions": "true"}, {"position": "2"}
    assert len({view.questions(state_of({"d_model": "512", **change}))[-1] for change in changes}) == 1


def test_the_orders_of_the_texts_make_the_second_sentence_of_a_pair() -> None:
    seconds = [
        "I sleep in my park",
        "man bites dog",
        "The chef served the dish to the guests who had prepared the meal with great care",
        "what was three tokens back?",
    ]
    for pair, second in zip(PAIRS, seconds, strict=True):
        head = state_of({"sentence": pair.sentence, "order": " ".join(map(str, pair.order))}).attention
        assert " ".join(head.words[place] for place in head.places) == second


def test_while_a_wide_head_is_computed_no_number_of_another_scheme_is_shown() -> None:
    class Earlier(NothingKnown):
        """Answers that know the head of another scheme, as findings do while they compute."""

        def latest(self, question):
            other = replace(state_of({"d_model": "512"}).attention, scheme="none", order=(4, 3, 2, 1, 0))
            return question.compute(other, *question.arguments[1:], Computed())

    for answers in (NothingKnown(), Earlier()):
        shown = texts({"d_model": "512", "scheme": "rope"}, answers=answers)
        assert "Rounding only" not in shown
        assert shown.count("…") == 1 + 2 * len(SCHEMES)


@pytest.mark.parametrize("key", ["attention", "four-terms"])
def test_questions_about_a_wide_head_end_once_nobody_waits_for_them(key: str) -> None:
    class Overtaken(Computed):
        """A task that goes on for so long, and is then no longer wanted."""

        n_asked = 0

        def __call__(self) -> bool:
            self.n_asked += 1
            return self.n_asked > 2

    questions = VIEWS[key].module().questions(state_of({"d_model": "1024", "attention.is_open": "true"}))
    assert len(questions) == 2
    for question in questions:
        task = Overtaken()
        with pytest.raises(CancelledError):
            question.compute(*question.arguments, task)
        assert task.n_asked == 3
