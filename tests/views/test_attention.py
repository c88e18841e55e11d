"""What the view of attention says and shows, state by state."""

import math
from dataclasses import replace

import pytest

from pe_desktop.core.kinds import KINDS
from pe_desktop.core.lags import CancelledError
from pe_desktop.core.scores.head import MOST_WORDS
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State, state_of, with_encoding
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers, Computed, Question
from pe_desktop.views.attention.head import EXAMPLES, PAIRS, comment, difference_text
from pe_desktop.views.attention.scene import chips_of
from pe_desktop.views.table import VIEWS
from tests.pictures import covered_texts, of_kind, text_frames
from tests.views.seen import places_of

view = VIEWS["attention"].module()
LARGE, COMPACT = (839.0, 790.0), (768.0, 515.0)
# The widths of figures on paper and on a slide.
PAPER, SLIDE = 624.0, 816.0


class Unasked:
    """Answers of which none is known."""

    def answer(self, question: Question) -> object: ...

    def latest(self, question: Question) -> object: ...

    def share(self, question: Question) -> None: ...

    def is_stopped(self, question: Question) -> bool:
        return False


def texts(state: State, theme: Theme, size: tuple[float, float] = LARGE, answers: Answers | None = None) -> list[str]:
    scene = view.scene(state, answers or Computed(), Box(*size, 1.0, theme))
    return [mark.text for mark in of_kind((*scene.still(), *scene.moving), marks.Text)]


def said(state: State, theme: Theme) -> str:
    return " ".join(texts(state, theme))


def number(state: State) -> float:
    """The largest difference, from the table that is copied."""
    return float(view.readout(state, Computed()).splitlines()[-1].split("\t")[1])


@pytest.mark.parametrize(
    "assignments",
    [
        {"order": ""},
        {"scheme": "none"},
        {"scheme": "none", "causal": "true"},
        {"scheme": "additive", "drops_positions": "true"},
        {"scheme": "additive", "drops_positions": "true", "causal": "true"},
        {"scheme": "alibi", "order": "4 3 2 1 0"},
        {"scheme": "alibi", "slope": "0"},
        *({"scheme": scheme} for scheme in ("additive", "rope", "alibi", "t5", "shaw")),
    ],
)
@pytest.mark.parametrize("size", [LARGE, COMPACT, PAPER, SLIDE])
def test_what_happened_is_said_in_full(
    assignments: dict[str, str], size: tuple[float, float] | float, light: Theme
) -> None:
    state = state_of({"position": "4", "offset": "-3", **assignments})
    is_figure = isinstance(size, float)
    width, height = (size, view.height(state, Computed(), size, light) or 0.0) if isinstance(size, float) else size
    scene = view.scene(state, Computed(), Box(width, height, 1.0, light, is_paper=is_figure))
    shown = [mark.text for mark in of_kind((*scene.still(), *scene.moving), marks.Text)]
    assert not [text for text in shown if "…" in text]
    assert "Weights, as written" in shown
    assert ("As written" in shown) == (size in (LARGE, PAPER))


def test_without_positions_the_words_move_with_their_weights_and_only_rounding_differs(light: Theme) -> None:
    state = state_of({"scheme": "none", "position": "4", "offset": "-3"})
    assert number(state) < 1e-12
    words = said(state, light)
    assert "Rounding only" in words
    assert "Outputs move along with their words: equivariant, not invariant." in words
    table = [line.split("\t") for line in view.readout(state, Computed()).splitlines()]
    written, moved = table[1:6], table[7:12]
    names = [row[0] for row in moved]
    for row in written:
        after = moved[names.index(row[0])]
        for name, weight in zip(table[0][1:], row[1:], strict=True):
            assert float(weight) == pytest.approx(float(after[1 + names.index(name)]), abs=1e-14)
    assert all(math.fsum(map(float, row[1:])) == pytest.approx(1.0, abs=1e-12) for row in (*written, *moved))


@pytest.mark.parametrize("scheme", ["additive", "rope", "alibi", "t5", "shaw"])
def test_every_scheme_sees_the_order_until_its_positions_are_taken_away(scheme: str, light: Theme) -> None:
    state = state_of({"scheme": scheme, "position": "4"})
    assert number(state) > 0.1
    words = said(state, light)
    assert "Order is seen" in words
    assert "Look at the row of “sleep”" in words
    off = state_of({"scheme": scheme, "drops_positions": "true"})
    assert number(off) < 1e-12
    name = "RoPE off" if scheme == "rope" else "Positions off"
    assert f"{name}: nothing else has changed, and the order is lost." in said(off, light)


def test_a_causal_mask_shows_the_order_without_positions_and_the_panel_says_so(light: Theme) -> None:
    state = state_of({"scheme": "none", "causal": "true"})
    assert number(state) > 0.1
    words = said(state, light)
    assert "The causal mask alone shows the order." in words
    assert "With a causal mask the order shows even without positions." in words
    # Numbers of the masked half are left out: 15 of 25 cells remain in each map.
    cells = [text for text in texts(state, light) if len(text) == 4 and text[1] == "."]
    assert len(cells) == 30


def test_alibi_without_a_mask_knows_distance_only_and_with_one_direction_too(light: Theme) -> None:
    mirror = {"scheme": "alibi", "sentence": "dog bites man", "order": "2 1 0"}
    assert "The scores depend on distance only, not on direction." in said(state_of(mirror), light)
    assert "Order is seen" in said(state_of({**mirror, "causal": "true"}), light)
    assert "Order is seen" in said(state_of({**mirror, "order": "1 0 2"}), light)


def test_a_scheme_whose_settings_do_nothing_is_not_said_to_know_direction(light: Theme) -> None:
    state = state_of({"scheme": "alibi", "slope": "0"})
    assert number(state) < 1e-12
    assert "ALiBi adds nothing that tells" in said(state, light)


@pytest.mark.parametrize("sentence", ["", "word"])
def test_fewer_than_two_words_offer_the_sentences_of_the_texts(sentence: str, light: Theme) -> None:
    state = state_of({"sentence": sentence})
    assert "Type two words or more" in said(state, light)
    assert [place.sets for place in places_of("attention", state).values()] == [one.changes for one in EXAMPLES]
    assert view.questions(state) == ()
    assert view.readout(state, Computed()) == ""


def test_a_position_beyond_the_sentence_stands_for_its_last_word_and_says_so(light: Theme) -> None:
    words = said(state_of({"position": "100", "offset": "-98"}), light)
    assert "t = 100 is past the end: the query is the last word; press another" in words
    assert "sleep reads in: 0." in words


@pytest.mark.parametrize(
    ("offset", "sentence"),
    [
        ("19", "t + k = 22 is past the end: the key is the last word"),
        ("1", "dashed column: key, t + k = 4"),
        ("-9", "t + k = −6 is before the start: the key is the first word"),
    ],
)
def test_the_word_that_is_read_is_told_where_t_plus_k_leaves_the_sentence(
    offset: str, sentence: str, light: Theme
) -> None:
    state = state_of({"position": "3", "offset": offset})
    assert sentence in texts(state, light)
    assert sentence in texts(state, light, COMPACT)


def test_long_words_are_shortened_where_the_amount_that_is_read_would_be_cut(light: Theme) -> None:
    sentence = "cat pneumonoultramicroscopicsilicovolcanoconiosis Donaudampfschifffahrtsgesellschaftskapitän"
    for position, offset in (("1", "1"), ("0", "1"), ("2", "-2")):
        found = texts(state_of({"sentence": sentence, "order": "", "position": position, "offset": offset}), light)
        (line,) = (text for text in found if " reads " in text and " before, " in text)
        assert line.endswith(" after")
        assert ("cat" in line) == (position != "1")


def test_every_pixel_of_a_row_of_512_words_is_one_of_them(light: Theme) -> None:
    chips = chips_of(state_of({"sentence": "a " * 512, "order": ""}), Computed(), Box(*LARGE, 1.0, light))
    assert chips is not None
    moved = chips.rows(LARGE[0])[1]
    left, right = round(moved[0].area.x), round(moved[-1].area.right)
    found = [chips.chip_at(LARGE[0], x, chips.moved_y(LARGE[0])) for x in range(left, right)]
    words = [chip.word for chip, can_move in filter(None, found) if can_move]
    assert len(words) == right - left == len(found)
    assert words == sorted(words)


def test_a_word_that_the_mask_hides_is_called_hidden(light: Theme) -> None:
    masked = {"scheme": "none", "causal": "true"}
    assert "sleep reads park: 0.5446 before, hidden after" in said(
        state_of(masked | {"position": "4", "offset": "-3"}), light
    )
    assert "park reads sleep: hidden before, 0." in said(state_of(masked | {"position": "1", "offset": "3"}), light)


def test_nothing_moved_reads_zero_and_says_what_to_do(light: Theme) -> None:
    state = state_of({"order": ""})
    assert number(state) == 0.0
    words = said(state, light)
    assert "Nothing has moved yet." in words
    assert "Order is seen" not in words
    assert "Rounding only" not in words


def test_a_head_that_is_too_wide_says_so_in_place_of_numbers(light: Theme) -> None:
    words = said(state_of({"d_model": "65536"}), light)
    assert "A head is computed for d_model up to 4" in words
    assert "sleep" in words


def test_of_a_long_sentence_the_first_words_are_taken_and_the_subtitle_says_so(light: Theme) -> None:
    sentence = " ".join(f"w{number % 90}" for number in range(MOST_WORDS + 40))
    state = state_of({"sentence": sentence, "order": " ".join(map(str, reversed(range(MOST_WORDS))))})
    assert view.subtitle(state, Computed()).startswith(f"the first {MOST_WORDS} words; ")
    for size in (LARGE, COMPACT):
        scene = view.scene(state, Computed(), Box(*size, 1.0, light))
        picture = (*scene.still(), *scene.moving)
        assert covered_texts(picture) == []
        assert len(of_kind(picture, marks.Text)) < 150
        assert len(scene.places()) < 30


@pytest.mark.parametrize("size", [LARGE, COMPACT, (620.0, 450.0), (1500.0, 900.0)])
@pytest.mark.parametrize("n_words", [2, 5, 7, 8, 16, 19, 20, 33, 90])
def test_no_text_covers_another_or_is_cut_whatever_the_count_of_words(
    n_words: int, size: tuple[float, float], light: Theme
) -> None:
    words = [("the", "extraordinarily", "chef", "I")[place % 4] for place in range(n_words)]
    order = " ".join(map(str, (*range(1, n_words), 0)))
    for is_paper in (False, True):
        box = Box(*size, 1.0, light, is_paper=is_paper)
        for causal in ("true", "false"):
            state = state_of({"sentence": " ".join(words), "order": order, "position": "1", "causal": causal})
            scene = view.scene(state, Computed(), box)
            picture = (*scene.still(), *scene.moving)
            assert covered_texts(picture) == []
            assert all(left >= -0.5 and right <= size[0] + 0.5 for left, _, right, _, _ in text_frames(picture))
            assert all(bottom <= size[1] for _, _, _, bottom, _ in text_frames(picture))


def test_cells_of_seven_words_have_numbers_and_positions_head_the_columns_from_eight_words_on(light: Theme) -> None:
    for n_words, has_numbers in ((7, True), (12, False)):
        shown = texts(state_of({"sentence": " ".join("abcdefghijkl"[:n_words]), "position": "0"}), light)
        assert any(text.startswith("0.") and len(text) == 4 for text in shown) == has_numbers
    for n_words, heads in ((7, True), (8, False)):
        shown = texts(state_of({"sentence": " ".join("abcdefgh"[:n_words]), "position": "0"}), light)
        # Two chips, the rows of two maps and of the outputs, and perhaps the columns of two maps.
        assert shown.count("a") == 5 + 2 * heads


def test_rows_follow_the_words_and_tell_a_screen_reader_what_is_read(light: Theme) -> None:
    state = state_of({"scheme": "none", "position": "4", "offset": "-3"})
    places = {place.name: place for place in view.scene(state, Computed(), Box(*LARGE, 1.0, light)).places()}
    written, moved = places["written, row 4: sleep"], places["moved, row 1: sleep"]
    assert written.is_chosen
    assert moved.is_chosen
    pairs = [dict(part.rsplit(" ", 1) for part in one.value.split(", ")) for one in (written, moved)]
    assert pairs[0] == pairs[1]
    assert places["written 1: park"].value == places["moved 4: park"].value == "key"
    assert places["largest difference"].value.startswith("4.4×10⁻¹⁶")
    assert places["scheme RoPE"].value.startswith("no mask 0.")


def test_the_pointer_reads_out_a_cell(light: Theme) -> None:
    state = state_of({"position": "0"})
    area = places_of("attention", state, LARGE[0])["weights, written"].area
    x, y = area.x + 0.3 * area.width, area.y + 0.9 * area.height
    box = Box(LARGE[0], 1100.0, 1.0, light, pointer=(x, y))
    shown = [mark.text for mark in of_kind(view.scene(state, Computed(), box).moving, marks.Text)]
    weight = view.readout(state, Computed()).splitlines()[5].split("\t")[2]
    assert f"sleep reads park {float(weight):.4f}" in shown


def test_wide_heads_and_long_sentences_are_asked_for_and_small_ones_are_known_at_once(light: Theme) -> None:
    small, wide = state_of({"order": "1 0 2 3 4"}), state_of({"d_model": "1024"})
    assert [question.is_quick for question in view.questions(small)] == [True, True]
    assert [question.is_quick for question in view.questions(wide)] == [False, False]
    assert texts(wide, light, answers=Unasked()).count("…") == 1 + 2 * len(SCHEMES)


def test_neither_scheme_nor_mask_nor_cursor_asks_for_another_table() -> None:
    states: tuple[dict[str, str], ...] = (
        {},
        {"scheme": "t5"},
        {"causal": "true"},
        {"drops_positions": "true"},
        {"position": "2"},
    )
    assert len({view.questions(state_of({**names, "d_model": "512"}))[-1] for names in states}) == 1


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.sentence[:8])
def test_the_orders_of_the_texts_make_the_second_sentence_of_a_pair(pair) -> None:
    seconds = {
        "I park": "I sleep in my park",
        "dog bi": "man bites dog",
        "The ch": "The chef served the dish to the guests who had prepared the meal with great care",
    }
    state = state_of({"sentence": pair.sentence, "order": " ".join(map(str, pair.order))})
    words = state.attention.words
    assert " ".join(words[place] for place in state.attention.places) == seconds.get(pair.sentence[:6], pair.sentence)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_added_to_words_beyond_its_table(kind: str, light: Theme) -> None:
    state = with_encoding(state_of({"position": "0", "first_position": "1000"}), KINDS[kind](n_positions=1))
    assert texts(state, light)


def test_differences_are_written_with_the_digits_that_matter() -> None:
    numbers = (0.0, 4.44e-16, 0.76912, 12345.678)
    assert [difference_text(one) for one in numbers] == ["0", "4.4×10⁻¹⁶", "0.769", "12\u2009346"]


def test_while_a_wide_head_is_computed_no_number_of_another_scheme_is_shown(light: Theme) -> None:
    class Earlier(Unasked):
        """Answers that know the head of another scheme, as findings do while they compute."""

        def latest(self, question: Question) -> object:
            other = replace(state_of({"d_model": "512"}).attention, scheme="none", order=(4, 3, 2, 1, 0))
            return question.compute(other, *question.arguments[1:], Computed())

    shown = texts(state_of({"d_model": "512", "scheme": "rope"}), light, answers=Earlier())
    assert "Rounding only" not in shown
    assert shown.count("…") == 1 + 2 * len(SCHEMES)


def test_the_row_to_look_at_is_one_whose_weights_have_changed(light: Theme) -> None:
    # With a mask the first words read nothing of what moved behind them.
    state = state_of({"causal": "true", "order": "0 1 2 4 3", "position": "0"})
    assert "Look at the row of “my”" in said(state, light) or "Look at the row of “sleep”" in said(state, light)
    assert "only moved, but what they read has changed" in comment(state.attention, 1.0, None)[1]


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
