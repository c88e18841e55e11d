"""Sentences in a state: typed, refused, saved; while one leads, t and k are places of its words."""

import itertools
import json
import random
from dataclasses import replace

import pytest

from pe_desktop.core import PRESETS, Cursor, SinusoidalEncoding, State, assignments_of, state_of
from pe_desktop.core.state import text_of, with_encoding, with_name, with_preset
from pe_desktop.export.session import parsed_session, session_text


def t_and_k(state: State) -> tuple[float, float]:
    return state.cursor.position, state.cursor.offset


def changed(state: State, *steps: tuple[str, object]) -> State:
    for name, value in steps:
        state = with_name(state, name, value)
    return state


def test_attention_opens_with_sleep_that_reads_park_and_gives_the_plots_their_own_back() -> None:
    plots = state_of({"position": "12.25", "offset": "60", "n_positions": "100"})
    words = with_name(plots, "attention.is_open", True)
    assert (t_and_k(words), words.query, words.key, words.encoding.n_positions) == ((4.0, -3.0), 4, 1, 100)
    assert [words.attention.words[place] for place in (words.query, words.key or 0)] == ["sleep", "park"]
    moved = changed(words, ("position", "2"), ("offset", "1"))
    left = with_name(moved, "study.is_open", True)
    assert (t_and_k(left), left.leads) == ((12.25, 60.0), False)
    again = with_name(left, "front", ("four-terms",))
    assert (t_and_k(again), again.leads, again.key) == ((2.0, 1.0), True, 3)


@pytest.mark.parametrize(("offset", "back"), [(-3, 3), (2, 2), (0, 1), (-4, 4)])
def test_learn_looks_as_far_back_as_k_says_and_gives_the_words_back(offset: int, back: int) -> None:
    words = state_of({"attention.is_open": "true", "offset": str(offset)})
    learn = with_name(words, "front", ("learn",))
    assert (learn.cursor.offset, learn.leads, learn.track.name) == (-back, False, "learn.step")
    assert with_name(learn, "offset", "-8").cursor.offset == -8
    assert t_and_k(with_name(learn, "front", ("attention",))) == t_and_k(words)
    with pytest.raises(ValueError, match="from -8 to -1"):
        with_name(learn, "offset", "-9")


def test_every_cursor_of_every_sentence_is_one_of_its_words(luck: random.Random) -> None:
    for n_words in (0, 1, 2, 5, 30):
        state = with_name(
            state_of({"front": "attention", "n_positions": "20"}), "sentence", " ".join(["word"] * n_words)
        )
        for _ in range(40):
            wished = Cursor(luck.uniform(-50, 50), luck.uniform(-50, 50))
            state = state.with_cursor(wished)
            t, k = t_and_k(state)
            assert t == int(t) == min(max(round(wished.position), 0), min(max(n_words, 1), 20) - 1)
            assert k == int(k) == min(max(round(wished.offset), -max(n_words - 1, 0)), max(n_words - 1, 0))
            stands = [place for place in range(n_words) if place == t + k]
            assert (state.query, state.key) == (t, stands[0] if stands else None)


def test_a_shorter_sentence_moves_t_and_k_and_a_longer_one_leaves_them() -> None:
    state = state_of({"front": "attention"})
    assert t_and_k(with_name(state, "sentence", "dog bites man")) == (2.0, -2.0)
    assert t_and_k(with_name(state, "sentence", "what was said three tokens back")) == (4.0, -3.0)


def test_look_back_opens_with_a_key_before_t_and_goes_back_by_k_alone() -> None:
    state = changed(State(), ("attention.is_open", True), ("position", "1"), ("offset", "3"))
    back = with_name(state, "front", ("look-back",))
    assert (t_and_k(back), back.looks_back, back.leads) == ((3.0, -3.0), 3, False)
    further = changed(back, ("position", "100"), ("offset", "-60"))
    assert (t_and_k(further), further.looks_back) == ((100.0, -60.0), 60)
    # The words before it come back, unless others were chosen.
    for left in (further, back, changed(back, ("position", "1"))):
        assert t_and_k(with_name(left, "front", ("attention",))) == (1.0, 3.0)
    assert t_and_k(with_name(changed(back, ("offset", "-2")), "front", ("rotary",))) == (3.0, -2.0)
    left = with_name(back, "attention.is_open", False)
    assert (t_and_k(left), t_and_k(with_name(left, "attention.is_open", True))) == ((37.0, 8.0), (3.0, -3.0))
    still = with_name(changed(State(), ("attention.is_open", True), ("offset", "0")), "front", ("look-back",))
    assert (still.looks_back, repr(still.cursor.offset)) == (0, "0.0")
    assert state_of({"front": "look-back", "offset": "-7"}).looks_back == 7


def test_states_with_two_cursors_are_read_back_as_they_were(luck: random.Random) -> None:
    fronts = ("", "attention", "look-back", "rotary", "four-terms", "code", "similarity", "look-back similarity")
    sentences = ("I park in my sleep", "dog bites man", "", "one")
    for front, sentence, is_open in itertools.product(fronts, sentences, (True, False)):
        state = changed(State(), ("front", front), ("sentence", sentence), ("attention.is_open", is_open))
        for _ in range(3):
            state = state.with_cursor(
                replace(state.cursor, position=luck.uniform(0, 127), offset=luck.uniform(-1e7, 99))
            )
            state = with_name(state, "front", luck.choice(fronts))
            texts = {name: text_of(name, value) for name, value in assignments_of(state).items()}
            names = luck.sample([*texts], len(texts))
            assert state_of({name: texts[name] for name in names}) == state


def test_only_the_workspace_of_a_sentence_greys_the_clock_and_its_presets_stand_at_a_word_and_its_key() -> None:
    state = changed(State(), ("attention.is_open", True), ("scheme", "none"))
    assert state.scheme_at_work == "none"
    left = with_name(state, "attention.is_open", False)
    assert (left.scheme_at_work, left.attention.scheme) == ("additive", "none")
    states = [with_preset(State(), preset) for preset, row in PRESETS.items() if row.group.id == "attention"]
    assert all(state.key is not None for state in states if state.leads)
    assert with_preset(State(), "fiftieth").cursor.position == 49.0


DOG = {"sentence": "dog bites man", "order": "2 1 0"}


def test_the_sentence_of_the_text_stands_at_first_and_another_is_taken_each_with_its_other_order():
    attention = State().attention
    assert attention.words == ("I", "park", "in", "my", "sleep")
    assert [attention.words[place] for place in attention.places] == ["I", "sleep", "in", "my", "park"]
    # In any order of the command line.
    for assignments in (DOG, dict(reversed(DOG.items()))):
        attention = state_of(assignments).attention
        assert (attention.words, attention.order) == (("dog", "bites", "man"), (2, 1, 0))


def test_another_sentence_stands_as_written_and_the_same_keeps_its_order():
    state = state_of(DOG)
    assert with_name(state, "sentence", "man bites dog").attention.order == ()
    assert with_name(state, "sentence", " dog  bites man ").attention.order == (2, 1, 0)
    assert with_name(state, "order", "").attention.places == (0, 1, 2)
    assert with_name(state, "order", "0, 1, 2").attention.order == ()


def test_a_long_sentence_is_cut_after_512_words_and_moves_with_them():
    attention = state_of({"sentence": " ".join(map(str, range(600)))}).attention
    assert len(attention.words) == len(attention.places) == len(attention.positions) == 512


def test_vectors_of_another_width_give_way_to_the_seeded_ones():
    state = state_of({"d_model": "4", "rotary.query": "1 2 3 4", "rotary.key": "0 0 1 0"})
    assert state.views.rotary.query == (1.0, 2.0, 3.0, 4.0)
    wider = with_encoding(state, SinusoidalEncoding(128, 8))
    assert (wider.views.rotary.query, wider.views.rotary.key) == ((), ())


def test_an_order_of_a_session_that_misses_a_word_is_left_out():
    stored = json.loads(session_text(state_of(DOG)))
    stored["state"]["order"] = [0, 0, 1]
    session = parsed_session(json.dumps(stored).encode(), "it")
    assert session.left_out == ("order must hold each number from 0 to 2 once",)
    assert (session.state.attention.words, session.state.attention.order) == (state_of(DOG).attention.words, ())
