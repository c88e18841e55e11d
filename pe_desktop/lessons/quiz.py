"""The quiz: a talk of questions that are drawn from a seed, each checked by the encoding itself."""

from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.state import state_of
from pe_desktop.lessons.talks import PREFIX, Answer, Question, Step, Talk

# The key of one whose seed is still to be drawn.
NEW: Final = "quiz-new"
N_QUESTIONS: Final = 10
# Small enough that all hands are seen, and none is nearly back within the table.
_SIZES: Final = {"n_positions": "128", "d_model": "8"}
_N_ANSWERS: Final = 4
_ROWS: Final = 5


def _choices(
    right: int, others: list[int], generator: np.random.Generator, texts: Callable[[int], str]
) -> tuple[Answer, ...]:
    """The right one among three others, in an order that is drawn."""
    drawn = [right, *others[: _N_ANSWERS - 1]]
    generator.shuffle(drawn)
    return tuple(Answer(texts(one), "", "", one == right) for one in drawn)


_SPEEDS: Final = "d_model is 8: hands turn by 1, 0.1, 0.01 and 0.001 radians a position."


def _hands(generator: np.random.Generator) -> Step:
    """Which t the hands say, among positions at which the fast hand looks alike."""
    t = int(generator.integers(0, 128))
    pairs = state_of(_SIZES).encoding.pairs
    assert pairs is not None
    first = pairs.hands(range(128), [0])[:, 0]
    alike = [one for one in np.argsort(((first - first[t]) ** 2).sum(axis=-1)).tolist() if one != t]
    question = Question(
        "Which t do these hands say?",
        answers=_choices(t, alike, generator, str),
        picture="hands",
        pictured={**_SIZES, "position": str(t), "offset": "0"},
        why="The fast hand is about the same at all of these; the slower ones tell them apart.",
    )
    return Step("Read the clock", _SPEEDS, question=question)


def _turn(generator: np.random.Generator) -> Step:
    """Which k turned the clock."""
    t = int(generator.integers(0, 60))
    k = int(generator.integers(1, 60))
    others = generator.permutation([one for one in range(1, 60) if one != k]).tolist()
    question = Question(
        "The solid hands are at t, the hollow ones at t + k. What is k?",
        answers=_choices(k, others, generator, str),
        picture="turn",
        pictured={**_SIZES, "position": str(t), "offset": str(k)},
        why="Hand 0 turns by 57.3° with each position, hand 1 by 5.7°: the slower ones say how many tens.",
    )
    return Step("Read the turn", _SPEEDS, question=question)


def _wave(generator: np.random.Generator) -> Step:
    """Which pair a wave belongs to."""
    pair = int(generator.integers(0, 6))
    others = generator.permutation([one for one in range(8) if one != pair]).tolist()
    question = Question(
        "Which pair is this wave?",
        answers=_choices(pair, others, generator, lambda one: f"pair {one}"),
        picture="wave",
        pictured={"n_positions": "128", "d_model": "16", "pair": str(pair)},
        why="Pair i takes 2π · 10 000^(2i/d) positions for a turn, here d = 16.",
    )
    return Step("Read the wave", question=question)


def _rows(generator: np.random.Generator) -> Step:
    """Which row of a table has a sign that is wrong."""
    first = int(generator.integers(1, 90))
    wrong = int(generator.integers(0, _ROWS))
    others = [one for one in range(_ROWS) if one != wrong]
    question = Question(
        "One of these rows has a wrong sign. Which?",
        answers=_choices(wrong, others, generator, lambda one: f"row {first + one}"),
        picture="rows",
        pictured={**_SIZES, "d_model": "4", "position": str(first), "offset": str(wrong)},
        why="From row to row the first hand turns by 57.3°; the slow hand goes on evenly.",
    )
    return Step("Read the table", question=question)


def _card(generator: np.random.Generator) -> Step:
    """Whether a claim of a text is true, by its verdict."""
    told = {"true": "True", "not-exact": "Nearly: not exact", "false": "False"}
    # One claims nothing: its title is a heading.
    cards = [card for card in CARDS.values() if card.verdict in told and card.key != "limits"]
    card = cards[int(generator.integers(len(cards)))]
    answers = tuple(Answer(words, "", "", verdict == card.verdict) for verdict, words in told.items())
    question = Question(f"A text says: {card.claim}", answers=answers, why=card.explanation)
    return Step("True or false?", question=question)


_MAKERS: Final = (_hands, _turn, _wave, _rows, _card)


@cache
def _quiz(seed: int) -> Talk:
    """Ten questions that are drawn from a seed: the same for the same seed."""
    generator = np.random.default_rng(seed)
    steps = tuple(_MAKERS[number % len(_MAKERS)](generator) for number in range(N_QUESTIONS))
    return Talk(
        f"{PREFIX}{seed}", f"Quiz {seed}", steps, claim="Ten questions; every answer can be checked in the plots."
    )


def quiz_named(key: str) -> Talk | None:
    """The quiz of a key, quiz-17; None for another key."""
    seed = key.removeprefix(PREFIX)
    return _quiz(int(seed)) if key.startswith(PREFIX) and seed.isdigit() and len(seed) < 10 else None
