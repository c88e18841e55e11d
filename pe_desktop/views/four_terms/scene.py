"""The four terms of an added encoding: what the score of two words is made of, and what of it moves with t."""

import math
from functools import lru_cache
from typing import Final

from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.scores.head import CancelledError, Head, head_refusal
from pe_desktop.core.scores.sentence import word_vectors
from pe_desktop.core.scores.term_ranges import TermRanges, TermsAt, term_ranges, terms_at
from pe_desktop.core.state import State
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.plot import paragraph
from pe_desktop.draw.scene import Box, Part, Scene, page_width
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting, plain_formula
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.four_terms import picture
from pe_desktop.views.four_terms.picture import FORMULAS, NAMES

# Values of a table whose ranges are found within a frame.
_QUICK_VALUES: Final = 2**15
_LONGEST_WORD: Final = 14
_NO_WORDS: Final = "The sentence has no words: type some in Attention."


def questions(state: State) -> tuple[Question, ...]:
    return () if _refusal(state) else (*_slow_terms(state), *_slow_ranges(state))


def scene(state: State, answers: Answers, box: Box) -> Scene:
    refusal = _refusal(state)
    if refusal:
        return Scene(paragraph(0.0, 12.0, refusal, box.theme.text2, page_width(box.width), 4))
    cursor, ranges, terms = state.cursor, _ranges(state, answers), _terms(state, answers)
    width = page_width(box.width)
    return Scene(
        moving=picture.values_picture(terms, ranges, cursor.position, width, box.theme),
        still=Part(picture.ranges_picture, ranges, cursor.offset, width, box.theme),
        places=Part(picture.places, terms, ranges, width),
    )


def height(state: State, answers: Answers, width: float, theme: Theme) -> float:
    return picture.needed_height(page_width(width))


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    if not state.attention.words:
        return "added positions"
    asks, is_read = (word if len(word) <= _LONGEST_WORD else f"{word[:_LONGEST_WORD]}…" for word in _words(state))
    first = state.attention.first_position
    start = f"; the first word stands at {position_text(first)}" if first else ""
    told = f"query “{asks}”, key “{is_read}”"
    return fitting("caption", (f"added positions; {told}{start}", f"added positions; {told}", told, "added"), room)


def readout(state: State, answers: Answers) -> str:
    terms = None if _refusal(state) else _terms(state, answers)
    if terms is None:
        return ""
    names = (*(f"{name}, {plain_formula(formula)}" for name, formula in zip(NAMES, FORMULAS, strict=True)),)
    rows = [*zip(names, terms.terms, strict=True), ("sum", terms.total), ("score", terms.score)]
    return "\n".join(f"{name}\t{value!r}" for name, value in rows)


def sentence(state: State, answers: Answers) -> str:
    terms = None if _refusal(state) else _terms(state, answers)
    at = f"at t = {position_text(state.cursor.position)}, k = {position_text(state.cursor.offset)}"
    return f"Four terms of a score {at}" + ("" if terms is None else f" sum to {picture.value_text(terms.total)}")


def explanation(state: State) -> str:
    return (
        "A score of an added encoding, taken apart: x and y are the vectors of the words at t and at s = t + k, p_t "
        "and p_s those of their positions. Each bar is the range of a term over every t at the same k, the mark its "
        "value at this t, the thin line 0. "
        "Weights are seeded, not trained."
    )


def _refusal(state: State) -> str:
    """Why there are no terms; empty where there are."""
    if not state.attention.words:
        return _NO_WORDS
    return head_refusal(state.encoding.d_model) or ""


def _words(state: State) -> tuple[str, str]:
    """The words that ask and are read: those at t and at t + k."""
    attention, cursor = state.attention, state.cursor
    query, key = (attention.place_of(place) for place in (cursor.position, cursor.position + cursor.offset))
    return attention.words[query], attention.words[key]


def _position(state: State) -> float:
    """Where the word at t stands."""
    return state.attention.first_position + state.cursor.position


def _terms(state: State, answers: Answers) -> TermsAt | None:
    """The terms at t; None while they are not known."""
    slow = _slow_terms(state)
    if slow:
        found: TermsAt | None = answers.answer(slow[0])
        return found
    return _terms_now(state.encoding, state.attention.word_seed, *_words(state), _position(state), state.cursor.offset)


def _ranges(state: State, answers: Answers) -> TermRanges | str:
    """The ranges over every t at the same k, or in a few words why there are none."""
    slow = _slow_ranges(state)
    found: TermRanges | str | None = answers.answer(slow[0]) if slow else _ranges_now(*_ranged(state))
    return "…" if found is None else found


def _slow_terms(state: State) -> tuple[Question, ...]:
    """What is to be found out about the terms at t: they are computed at once where matrices are kept."""
    if Head(state.encoding.d_model).is_kept:
        return ()
    arguments = (state.encoding, state.attention.word_seed, *_words(state), _position(state), state.cursor.offset)
    return (Question("four terms", _find_terms, arguments),)


def _slow_ranges(state: State) -> tuple[Question, ...]:
    encoding = state.encoding
    if encoding.n_positions * encoding.d_model <= _QUICK_VALUES and Head(encoding.d_model).is_kept:
        return ()
    return (Question("ranges of four terms", _find_ranges, _ranged(state)),)


def _ranged(state: State) -> tuple[Encoding, int, str, str, float]:
    """What the ranges depend on."""
    return state.encoding, state.attention.word_seed, *_words(state), state.cursor.offset


@lru_cache(maxsize=8)
def _terms_now(encoding: Encoding, seed: int, asks: str, is_read: str, position: float, offset: float) -> TermsAt:
    return _terms_of(Head(encoding.d_model, seed), encoding, asks, is_read, position, offset)


def _terms_of(head: Head, encoding: Encoding, asks: str, is_read: str, position: float, offset: float) -> TermsAt:
    return terms_at(head, encoding, _vectors(encoding, head.seed, asks, is_read), position, offset)


@lru_cache(maxsize=8)
def _ranges_now(encoding: Encoding, seed: int, asks: str, is_read: str, offset: float) -> TermRanges | str:
    return _ranges_of(Head(encoding.d_model, seed), encoding, asks, is_read, offset)


def _ranges_of(head: Head, encoding: Encoding, asks: str, is_read: str, offset: float) -> TermRanges | str:
    found = term_ranges(head, encoding, _vectors(encoding, head.seed, asks, is_read), offset)
    return "no t with t + k in N" if found is None else found


def _find_terms(
    encoding: Encoding, seed: int, asks: str, is_read: str, position: float, offset: float, task: Task
) -> TermsAt | None:
    try:
        return _terms_of(Head(encoding.d_model, seed, task), encoding, asks, is_read, position, offset)
    except CancelledError:
        return None


def _find_ranges(
    encoding: Encoding, seed: int, asks: str, is_read: str, offset: float, task: Task
) -> TermRanges | str | None:
    try:
        return _ranges_of(Head(encoding.d_model, seed, task), encoding, asks, is_read, offset)
    except CancelledError:
        return None


def _vectors(encoding: Encoding, seed: int, asks: str, is_read: str) -> tuple[Floats, Floats]:
    query, key = word_vectors((asks, is_read), encoding.d_model, seed)
    return query, key
