"""Every shipped talk: its states, what is to be tried, its numbers and keys by plain loops; talks that are no talks."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pe_desktop.core.listings.names import vector
from pe_desktop.core.listings.program import computed
from pe_desktop.core.state import State, state_of, value_of, with_name
from pe_desktop.draw.marks import Text
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import theme_named
from pe_desktop.export import handout
from pe_desktop.files import ExportError
from pe_desktop.lessons import shelf
from pe_desktop.lessons.numbers import curve_of, graded, numbers_of, right_answer
from pe_desktop.lessons.scores import kept_scores, note_answers, score, take_scores
from pe_desktop.lessons.shelf import LESSONS, SHIPPED, TalkError, read_talk, talk_named, talks_in
from pe_desktop.lessons.shown import (
    answer_of,
    is_asked,
    new_ticks,
    place_of,
    pointed_at,
    veiled,
    with_answer,
    with_step,
)
from pe_desktop.lessons.talks import LETTERS, SCHEMA_KEY, Question, Talk, talk_of
from pe_desktop.lessons.writing import EMPTY, keep_talk, moved, talk_text, with_view, without, write_talk
from pe_desktop.model.findings import Computed
from pe_desktop.views.lessons.questions import amount
from pe_desktop.views.table import VIEWS
from tests.core.exact import omega, paper_row
from tests.languages.strings import question_texts
from tests.tables import table

# The places of numbers in words.
PLACE = re.compile(r"\{([a-z][a-z0-9-]*):[a-z]\d*\}")
STEPS = [(key, place) for key, talk in SHIPPED.items() for place in range(len(talk.steps))]
# What "*" is tried with, where a number more would not do.
OTHERS = {"span": "4..12", "sentence": "one two three four five", "compare.row": "2", "learn.step": "100"}


def degrees(pair, t, d=32):
    return math.degrees(t * omega(d)[pair])


def match(hands, t, s, d=32):
    """The sum of cosines of the turns of the first hands from t to s."""
    return math.fsum(math.cos((s - t) * w) for w in omega(d)[:hands])


def next_best(hands, t=37):
    return max((s for s in range(128) if s != t), key=lambda s: (round(match(hands, t, s), 12), -s))


def distance(k, d):
    return 2 * math.sqrt(math.fsum(math.sin(k * w / 2) ** 2 for w in omega(d)))


def falling(d, n):
    far = [distance(k, d) for k in range(n)]
    return sum(far[k + 1] < far[k] for k in range(n - 1))


def linear_return(d=128, n=1000):
    """The offset at which hands of evenly spaced speeds are nearest together again."""
    speeds = [1.0 + (1e-4 - 1.0) * i / (d // 2 - 1) for i in range(d // 2)]
    return min(range(2, n), key=lambda k: math.fsum(math.sin(k * w / 2) ** 2 for w in speeds))


def turned_once(d, n):
    return sum(math.tau / w <= n for w in omega(d))


def needed(t=37):
    """How many hands take a neighbour for t."""
    return min(hands for hands in range(1, 17) if abs(next_best(hands, t) - t) == 1)


# The keys of questions by talk and step, each found without the program: plain loops, or numbers of the field guide.
KEYS = {
    ("counter", 2): 5000.0, ("counter", 3): 0.1, ("counter", 4): 0.001,
    ("one-hand", 2): degrees(4, 45) % 360, ("one-hand", 3): 1.0,
    ("many-hands", 2): next_best(1), ("many-hands", 3): next_best(2), ("many-hands", 4): needed(),
    ("fast-and-slow", 2): bin(63 ^ 64).count("1"), ("fast-and-slow", 4): linear_return(),
    ("step-is-a-turn", 2): degrees(0, 3), ("step-is-a-turn", 3): degrees(0, 3),
    ("what-distance-knows", 2): falling(1000, 1000), ("what-distance-knows", 3): match(256, 80, 81, 512),
    ("what-distance-knows", 4): 1,
    ("three-back", 1): 125, ("three-back", 2): 0, ("three-back", 3): 1.0,
    ("added-or-turned", 3): turned_once(128, 4096), ("added-or-turned", 4): degrees(63, 4096, 128),
}  # fmt: skip
# Those that rounding decides, or a head that is drawn: within bounds.
BOUNDS = {
    ("bag-of-words", 2): (0.0, 1e-14), ("bag-of-words", 3): (1.03, 1.04), ("bag-of-words", 4): (2.0, 3.0),
    ("fast-and-slow", 5): (0.0, 1e-14), ("fast-and-slow", 6): (0.25, 0.35), ("step-is-a-turn", 4): (1.5, 2.0),
    ("three-back", 4): (0.15, 0.25), ("added-or-turned", 1): (0.5, 5.0), ("added-or-turned", 2): (1.0, 10.0),
}  # fmt: skip


def test_there_are_nine_lessons_of_four_to_eight_steps_each_with_a_question_a_line_a_card_and_two_for_clickers() -> (
    None
):
    assert len(LESSONS) == 9
    for key in LESSONS:
        talk = SHIPPED[key]
        assert talk.key == key
        assert 4 <= len(talk.steps) <= 8
        assert talk.line
        assert talk.card
        assert sum(step.question is not None for step in talk.steps) >= 2
        assert [len(question.answers) for question in talk.clicker] == [4, 4]
        # A wrong answer says why it is wrong.
        assert all(answer.why for question in talk.clicker for answer in question.answers)
        chosen = [step.question for step in talk.steps if step.question and step.question.kind == "choose"]
        assert all(answer.why for question in chosen for answer in question.answers)


@pytest.mark.parametrize(("key", "place"), STEPS)
def test_each_step_shows_its_state_and_what_is_to_be_tried_ticks_itself(key: str, place: int) -> None:
    talk = SHIPPED[key]
    step, state = talk.steps[place], with_step(State(), talk, place)
    assert (state.views.lessons.talk, place_of(state, talk)) == (key, place)
    assert {*step.views, *step.veils} <= {*VIEWS}
    assert {*step.veils} <= {*step.views}
    if step.question is not None:
        assert veiled(state) == step.veils
        given = "a" if step.question.kind == "choose" else "0.5"
        state = with_name(state, "lessons.answers", with_answer(state, place + 1, given))
    assert veiled(state) == ()
    before = new_ticks(state, talk, place)
    assert before == ()
    # What moves by itself is no try.
    for move in step.moves:
        assert new_ticks(with_name(state, move.name, move.to), talk, place) == ()
    for number, one in enumerate(step.tries, start=1):
        done = state
        for name, text in one.does.items():
            now = value_of(state, name)
            last = len(state.attention.words) - 1
            order = next(one for one in ((last, *range(last)), (*range(1, last), 0, last)) if one != now)
            other = {**OTHERS, "order": " ".join(map(str, order))}.get(name) or (
                text if text != "*" else now - 1 if now else now + 1
            )
            done = with_name(done, name, other if text == "*" else text)
        assert f"{place + 1}.{number}" in new_ticks(done, talk, place), one.text


@pytest.mark.parametrize(("key", "place"), STEPS)
def test_numbers_in_words_have_names_and_none_is_typed_that_is_measured(key: str, place: int) -> None:
    talk, step = SHIPPED[key], SHIPPED[key].steps[place]
    questions = [step.question] if step.question else []
    questions += talk.clicker if place == len(talk.steps) - 1 else ()
    texts = [step.words, *(one.text for one in step.tries)]
    texts += [text for question in questions for text in question_texts(question)]
    named = {found[1] for text in texts for found in PLACE.finditer(text)}
    named |= {one.number for question in questions for one in question.answers if one.number}
    assert named <= {*step.numbers}
    if "learned" not in str(step.numbers):
        numbers = numbers_of(talk, place)
        assert all(math.isfinite(numbers[name]) for name in step.numbers)


def asked(talk: Talk, step: int) -> Question:
    question = talk.steps[step - 1].question
    assert question is not None
    return question


@pytest.mark.parametrize(("key", "step"), KEYS)
def test_keys_are_those_of_plain_loops(key: str, step: int) -> None:
    talk = SHIPPED[key]
    assert numbers_of(talk, step - 1)[asked(talk, step).key] == pytest.approx(KEYS[key, step], rel=1e-9)


@pytest.mark.parametrize(("key", "step"), BOUNDS)
def test_keys_of_drawn_heads_and_of_rounding_lie_within_bounds(key: str, step: int) -> None:
    low, high = BOUNDS[key, step]
    assert low <= numbers_of(SHIPPED[key], step - 1)[asked(SHIPPED[key], step).key] <= high


def test_every_question_of_a_lesson_has_a_key_that_is_checked_here() -> None:
    checked = {*KEYS, *BOUNDS}
    for key in LESSONS:
        for number, step in enumerate(SHIPPED[key].steps, start=1):
            question = step.question
            if question is not None and question.kind != "curve" and question.rule == "equal" and question.key:
                assert (key, number) in checked


def test_words_of_counters_and_hands_have_the_numbers_of_plain_loops() -> None:
    far = numbers_of(SHIPPED["counter"], 1)
    # The word is orthogonal to the axis but for its first component, of the size of 1.
    assert 4 < far["word"] < 5
    assert far["angle"] == pytest.approx(math.degrees(far["word"] / 5000), rel=0.05)
    back = numbers_of(SHIPPED["many-hands"], 1)
    for name, k in (("short", 6), ("double", 37), ("back", 44)):
        assert back[name] == pytest.approx(2 * abs(math.sin(k / 2)))
    for place, name, hands, s in ((2, "lead", 2, 81), (3, "lead2", 2, 81), (3, "lead4", 4, 36), (4, "lead", 16, 36)):
        assert numbers_of(SHIPPED["many-hands"], place)[name] == pytest.approx(hands - match(hands, 37, s))
    slow = numbers_of(SHIPPED["fast-and-slow"], 2)
    assert slow["round"] == pytest.approx(math.tau * 2 ** (15 / 16))
    assert slow["times"] == pytest.approx(256 / slow["round"])


def test_the_least_and_the_most_are_found_by_their_numbers() -> None:
    turns = SHIPPED["step-is-a-turn"]
    chords = [2 * abs(math.sin(8 * omega(32)[pair] / 2)) for pair in (0, 4, 8)]
    numbers = numbers_of(turns, 4)
    assert [numbers[name] for name in ("p0", "p4", "p8")] == pytest.approx(chords)
    assert right_answer(asked(turns, 5), numbers) == chords.index(min(chords)) == 2
    learned = SHIPPED["added-or-turned"]
    numbers = numbers_of(learned, 4)
    assert right_answer(asked(learned, 5), numbers) == 2
    assert numbers["t5"] > numbers["added"] > numbers["random"]


def test_predictions_are_compared_with_the_key() -> None:
    hand = SHIPPED["one-hand"]
    assert graded(asked(hand, 2), hand, 1, "262")[0]
    is_right, gap = graded(asked(hand, 2), hand, 1, "10")
    assert not is_right
    assert gap == pytest.approx(10 - degrees(4, 45) + 360)
    typed = SHIPPED["counter"]
    assert graded(asked(typed, 3), typed, 2, "0.1")[0]
    assert not graded(asked(typed, 3), typed, 2, "1")[0]
    drawn = SHIPPED["what-distance-knows"]
    true = [distance(k, 1000) for k in (0, 124.875, 249.75, 374.625, 499.5, 624.375, 749.25, 874.125, 999)]
    assert curve_of(asked(drawn, 1), drawn, 0, 9) == pytest.approx(true)
    assert graded(asked(drawn, 1), drawn, 0, " ".join(map(str, true)))[0]
    is_right, gap = graded(asked(drawn, 1), drawn, 0, " ".join(str(28.3 * j / 8) for j in range(9)))
    assert not is_right
    assert gap > 5


def test_answers_stay_within_their_talk_and_one_is_given_to_each_step() -> None:
    state = with_step(State(), SHIPPED["many-hands"], 1)
    state = with_name(state, "lessons.answers", with_answer(state, 2, "a"))
    state = with_name(state, "lessons.answers", with_answer(state, 2, "c"))
    assert answer_of(state, SHIPPED["many-hands"], 1) == "c"
    assert answer_of(with_step(state, SHIPPED["many-hands"], 2), SHIPPED["many-hands"], 1) == "c"
    assert answer_of(with_step(state, SHIPPED["counter"], 1), SHIPPED["counter"], 1) == ""


def test_numbers_of_the_second_lecture_and_of_the_walk_are_those_of_plain_loops() -> None:
    added = SHIPPED["added-or-turned"]
    numbers = numbers_of(added, 2)
    assert [numbers[name] for name in ("fast", "middle", "slow")] == pytest.approx(
        [math.tau / omega(128)[pair] for pair in (0, 32, 63)]
    )
    # Pair 46 is the first that did not come round, and hand 63 goes on to the last position.
    assert math.tau / omega(128)[45] <= 4096 < math.tau / omega(128)[46]
    assert numbers_of(added, 3)["four"] == pytest.approx(degrees(63, 16383, 128))
    walk = SHIPPED["ten-minutes"]
    assert numbers_of(walk, 1) == pytest.approx({"fast": math.tau, "slow": math.tau / omega(32)[15]})


def test_numbers_along_one_offset_are_those_of_plain_loops() -> None:
    """Rounding alone for the turn and for dot products; the score of vectors with positions added to them, k = 3."""
    for key, place, name in (
        ("step-is-a-turn", 2, "miss"),
        ("three-back", 0, "miss"),
        ("what-distance-knows", 2, "spread"),
    ):
        assert 0 < numbers_of(SHIPPED[key], place)[name] < 1e-12
    added = SHIPPED["added-or-turned"]
    query, key = (computed(vector(added.states[1], name))[0].tolist() for name in ("query", "key"))
    rows = [paper_row(t, 32) for t in range(128)]
    scores = [
        math.fsum((q + p) * (k + r) for q, p, k, r in zip(query, rows[t], key, rows[t + 3], strict=True))
        / math.sqrt(32)
        for t in range(125)
    ]
    assert numbers_of(added, 1)["added"] == pytest.approx(max(scores) - min(scores))


def test_what_a_step_points_at_is_named_until_something_is_changed() -> None:
    state = with_step(State(), SHIPPED["step-is-a-turn"], 0)
    assert pointed_at(state) == ("hand 4",)
    assert pointed_at(with_name(state, "lessons.ticks", "1.1")) == ("hand 4",)
    assert pointed_at(with_name(state, "position", "38")) == ()
    assert pointed_at(with_name(state, "front", "matrix")) == ("hand 4",)
    assert pointed_at(with_step(State(), SHIPPED["step-is-a-turn"], 1)) == ()


def test_scores_of_quizzes_are_kept_once_for_each_and_read_again() -> None:
    before = kept_scores()
    take_scores(())
    try:
        talk: Any = talk_named("quiz-17")
        letters = [LETTERS[[one.is_right for one in step.question.answers].index(True)] for step in talk.steps]
        given = tuple(f"{step}:{letter}" for step, letter in enumerate(letters[:3], start=1))
        note_answers(with_name(State(), "lessons.answers", given), talk)
        assert score() == (3, 3)
        wrong = next(letter for letter in "abc" if letter != letters[3])
        note_answers(with_name(State(), "lessons.answers", (*given, f"4:{wrong}", "5:f", "6:0.5")), talk)
        assert score() == (3, 4)
        other: Any = talk_named("quiz-18")
        note_answers(with_name(State(), "lessons.answers", ("99:a",)), other)
        assert kept_scores() == ("17.3.4", "18.0.0")
        take_scores((*kept_scores(), "5.9.10", "no score"))
        assert score() == (12, 14)
    finally:
        take_scores(before)


@pytest.mark.parametrize("seed", range(40))
def test_each_question_of_a_quiz_has_one_right_answer_that_plain_numbers_give(seed: int) -> None:
    talk: Any = talk_named(f"quiz-{seed}")
    again: Any = talk_named(f"quiz-{seed}")
    assert [step.title for step in talk.steps] == [step.title for step in again.steps]
    for step in talk.steps:
        question = step.question
        texts = [one.text for one in question.answers]
        assert len({*texts}) == len(texts)
        assert sum(one.is_right for one in question.answers) == 1
        right = next(one.text for one in question.answers if one.is_right)
        given = {name: int(text) for name, text in question.pictured.items()}
        if question.picture == "hands":
            assert right == str(given["position"])
        elif question.picture == "turn":
            assert right == str(given["offset"])
        elif question.picture == "wave":
            assert right == f"pair {given['pair']}"
        elif question.picture == "rows":
            assert right == f"row {given['position'] + given['offset']}"


# What is no talk, by words of what is said of it.
BAD: dict[str, dict[str, Any]] = table("lessons/bad_talks")


@pytest.mark.parametrize("words", BAD)
def test_what_is_no_talk_is_refused_in_one_sentence_and_stops_no_other(words: str, tmp_path) -> None:
    stored = {SCHEMA_KEY: 1, **BAD[words]}
    with pytest.raises(ValueError, match=words):
        talk_of(stored)
    (tmp_path / "bad.pe_talk.json").write_text(json.dumps(stored))
    (tmp_path / "good.pe_talk.json").write_text(talk_text(SHIPPED["many-hands"]))
    (tmp_path / "noise.pe_talk.json").write_bytes(b"\xff\x00{[")
    found = [*talks_in(tmp_path)]
    assert [type(one) for one in found] == [TalkError, Talk, TalkError]
    assert all(str(one).count(". ") == 0 and str(one).endswith(".") for one in found if isinstance(one, TalkError))


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ('"x": NaN', "NaN is not a number that a file may hold"),
        ('"title": "A", "title": "B"', "title stands in it twice"),
        ('"x": 1e999', "1e999 is too large"),
        (f'"x": {"[" * 30}{"]" * 30}', "it is nested more than 20 deep"),
    ],
)
def test_a_talk_is_read_as_strictly_as_a_session(more: str, reason: str, tmp_path) -> None:
    file = tmp_path / "a.pe_talk.json"
    file.write_text(f'{{"{SCHEMA_KEY}": 1, "key": "a", "steps": [{{"title": "s"}}], {more}}}')
    with pytest.raises(TalkError) as refusal:
        read_talk(file)
    assert str(refusal.value) == f"{file.name} can't be opened: {reason}."


def test_a_talk_of_views_is_collected_ordered_written_and_read_again(tmp_path) -> None:
    first = with_name(State(), "base", "500")
    talk = with_view(EMPTY, first, "One", "First words", ("clock", "waves", "matrix"))
    talk = with_view(talk, with_name(first, "position", "45"), "Two", "", ("similarity",))
    assert talk.steps[0].views == ("clock", "waves")
    assert talk.states[1].cursor.position == 45.0
    talk = moved(talk, 0, 1)
    assert [step.title for step in talk.steps] == ["Two", "One"]
    path = write_talk(tmp_path / "mine", talk, overwrite=False)
    again = read_talk(path)
    assert talk_text(again) == talk_text(talk)
    assert again.states[1].encoding.parameters["base"] == 500.0
    assert [step.title for step in without(again, 0).steps] == ["One"]


@pytest.mark.parametrize("key", SHIPPED)
def test_shipped_talks_are_written_as_they_are_read(key: str) -> None:
    assert talk_text(talk_of(json.loads(talk_text(SHIPPED[key])))) == talk_text(SHIPPED[key])


def test_what_is_no_answer_to_its_question_counts_as_none() -> None:
    for key, place, wrong, right in (
        ("many-hands", 1, "f", "b"),
        ("one-hand", 1, "b", "81.5"),
        ("one-hand", 1, "1 2", "3"),
    ):
        talk = SHIPPED[key]
        for given, kept in ((wrong, ""), (right, right)):
            state = with_name(with_step(State(), talk, place), "lessons.answers", (f"{place + 1}:{given}",))
            assert answer_of(state, talk, place) == kept
            assert is_asked(state, talk, place) == (not kept)


def test_a_talk_of_ones_own_is_kept_in_its_folder_until_it_is_empty(tmp_path: Path) -> None:
    assert shelf.take_own(tmp_path / "talks", keeps=True) == []
    talk = with_view(EMPTY, with_name(State(), "base", "500"), "One", "Words", ("clock",))
    keep_talk(talk)
    [found] = talks_in(tmp_path / "talks")
    assert isinstance(found, Talk)
    assert found.states[0].encoding.parameters["base"] == 500.0
    with pytest.raises(ExportError, match="at most 4000 letters"):
        keep_talk(replace(talk, steps=(replace(talk.steps[0], words="x" * 4001),)))
    keep_talk(replace(talk, steps=()))
    assert [*talks_in(tmp_path / "talks")] == []
    shelf.take_own(tmp_path, keeps=False)
    shelf.OWN.clear()


@pytest.mark.parametrize("key", LESSONS)
def test_no_figure_of_a_sheet_has_the_number_that_is_asked(key: str) -> None:
    talk, answers, theme = SHIPPED[key], Computed(), theme_named("light")
    asked = [(place, step.question) for place, step in enumerate(talk.steps) if step.question is not None]
    keys = [amount(one, numbers_of(talk, place)[one.key]) for place, one in asked if one.kind in ("number", "hand")]
    for place, view in enumerate(handout._figures(talk)):
        if view:
            scene = (
                VIEWS[view].module().scene(talk.states[place], answers, Box(400.0, 300.0, 2.0, theme, is_paper=True))
            )
            texts = {mark.text for mark in (*scene.still(), *scene.moving) if isinstance(mark, Text)}
            assert texts.isdisjoint({key for key in keys if "." in key}), place


def test_a_sheet_has_no_figure_twice_in_a_row_and_none_after_the_answers() -> None:
    state = State()
    twice = with_view(with_view(EMPTY, state, "One", "", ("clock",)), state, "Two", "", ("clock",))
    other = with_view(twice, state_of({"base": "500"}), "Three", "", ("clock",))
    assert [*handout._figures(other)] == ["clock", "", "clock"]
    # After the answers are measured, what is kept shows them.
    assert [*handout._figures(SHIPPED["one-hand"])] == ["clock", "", "", "", ""]
