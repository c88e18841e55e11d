"""The quiz: a talk of questions that are drawn from a seed, each checked by the encoding itself."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from random import randrange
from typing import Any, Final, TypeAlias

import numpy as np

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.state import state_of
from pe_desktop.lessons.talks import PREFIX, Answer, Question, Step, Talk
from pe_desktop.resources import resource_json

# The key of one whose seed is still to be drawn.
NEW: Final = "quiz-new"
_SEEDS: Final = 10_000
N_QUESTIONS: Final = 10
_N_ANSWERS: Final = 4
_ROWS: Final = 5
# What is right, what looks like it, and the names of the state that are pictured.
_Drawn: TypeAlias = tuple[int, list[int], Mapping[str, int]]
# What each kind says, and its table: small enough that all hands are seen, and none is nearly back within it.
_texts: Final = cache(partial(resource_json, "quiz.json"))


def _hands(generator: np.random.Generator) -> _Drawn:
    """Which t the hands say, among positions at which the fast hand looks alike."""
    t = int(generator.integers(0, 128))
    pairs = state_of(_texts()["hands"]["sets"]).encoding.pairs
    assert pairs is not None
    first = pairs.hands(range(128), [0])[:, 0]
    return t, np.argsort(((first - first[t]) ** 2).sum(axis=-1)).tolist(), {"position": t}


def _turn(generator: np.random.Generator) -> _Drawn:
    """Which k turned the clock."""
    t, k = (int(generator.integers(least, 60)) for least in (0, 1))
    others = generator.permutation([one for one in range(1, 60) if one != k])
    return k, others.tolist(), {"position": t, "offset": k}


def _wave(generator: np.random.Generator) -> _Drawn:
    """Which pair a wave belongs to."""
    pair = int(generator.integers(0, 6))
    return pair, generator.permutation([one for one in range(8) if one != pair]).tolist(), {"pair": pair}


def _rows(generator: np.random.Generator) -> _Drawn:
    """Which row of a table has a sign that is wrong."""
    first, wrong = int(generator.integers(1, 90)), int(generator.integers(0, _ROWS))
    return first + wrong, [*range(first, first + _ROWS)], {"position": first, "offset": wrong}


def _pictured(kind: Any, generator: np.random.Generator) -> Step:
    """A picture, and what it shows among three others, in an order that is drawn."""
    text: Mapping[str, Any] = _texts()[kind]
    right, others, shown = _DRAW[kind](generator)
    drawn = [right, *(one for one in others if one != right)][:_N_ANSWERS]
    generator.shuffle(drawn)
    answers = tuple(Answer(text["answer"].format(one), is_right=one == right) for one in drawn)
    pictured = text["sets"] | {name: str(value) for name, value in shown.items()}
    question = Question(text["text"], answers=answers, why=text["why"], picture=kind, pictured=pictured)
    return Step(text["title"], text.get("words", ""), question=question)


_DRAW: Final = {"hands": _hands, "turn": _turn, "wave": _wave, "rows": _rows}


def _card(generator: np.random.Generator) -> Step:
    """Whether a claim of a text is true, by its verdict."""
    told = {"true": "True", "not-exact": "Nearly: not exact", "false": "False"}
    # One claims nothing: its title is a heading.
    cards = [card for card in CARDS.values() if card.verdict in told and card.key != "limits"]
    card = cards[int(generator.integers(len(cards)))]
    answers = tuple(Answer(words, is_right=verdict == card.verdict) for verdict, words in told.items())
    question = Question(f"A text says: {card.claim}", answers=answers, why=card.explanation)
    return Step("True or false?", question=question)


@cache
def _quiz(seed: int) -> Talk:
    """Ten questions that are drawn from a seed: the same for the same seed."""
    generator = np.random.default_rng(seed)
    makers: list[Callable[[np.random.Generator], Step]] = [*(partial(_pictured, kind) for kind in _DRAW), _card]
    steps = tuple(makers[number % len(makers)](generator) for number in range(N_QUESTIONS))
    claim = "Ten questions; every answer can be checked in the plots."
    return Talk(f"{PREFIX}{seed}", f"Quiz {seed}", steps, claim)


def drawn_quiz() -> Talk:
    """One of many quizzes, drawn now."""
    return _quiz(randrange(_SEEDS))  # noqa: S311 - of questions


def quiz_named(key: str) -> Talk | None:
    """The quiz of a key, quiz-17; None for another key."""
    seed = key.removeprefix(PREFIX)
    return _quiz(int(seed)) if key.startswith(PREFIX) and seed.isdigit() and len(seed) < 10 else None
