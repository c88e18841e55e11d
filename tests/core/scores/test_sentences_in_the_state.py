"""Sentences, orders of words and vectors as parts of a state: typed, refused, saved."""

import json

import pytest

from pe_desktop.core import SCHEMES, SinusoidalEncoding
from pe_desktop.core.state import State, state_of, with_encoding, with_name
from pe_desktop.export.session import parsed_session, session_text

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


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("order", "1 0", "order must have 5 numbers, one for each word of the sentence: 2 were given"),
        ("order", "0 1 2 3 3", "order must hold each number from 0 to 4 once"),
        ("order", "0 1 2 3 x", "order must be a whole number from 0 to 511: x is not"),
        ("sentence", "a" * 16_385, "sentence has 16 385 letters, more than the 16 384 that are taken"),
        ("rotary.query", "1 2 3", "rotary.query must have 32 numbers, one for each dimension: 3 were given"),
        ("rotary.key", "1 2 x", "each number of rotary.key must be a number from -1 000 000 to 1 000 000: x is not"),
        ("scheme", "learned", f"scheme can't be learned: choose from {', '.join(SCHEMES)}"),
        ("temperature", "0", "temperature must be a number from 0.000001 to 1 000 000: 0 is not"),
        ("clip", "0", "clip must be a whole number from 1 to 512: 0 is not"),
    ],
)
def test_what_cannot_be_taken_is_refused_with_a_sentence(name, text, sentence):
    with pytest.raises(ValueError, match=sentence.replace(".", r"\.")):
        state_of({name: text})


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
