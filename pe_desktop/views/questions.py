"""What several views ask and say: how far colours and turns reach, how well a shift is a rotation, what hands are."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.cursor import Span, hand_columns, hand_values, n_hands
from pe_desktop.core.encoding import Encoding, Turning
from pe_desktop.core.fields.field import ColorScale, Field, color_scale, quick_scale, scale_takes_long
from pe_desktop.core.measuring.periodic import never_turned
from pe_desktop.core.precision.formats import framework_hands
from pe_desktop.core.rotation import REPORTED_CELLS, shift_report
from pe_desktop.core.scores.attention import Head, projected_words
from pe_desktop.core.scores.rotary import rotary_of, turning_state, turns_vectors, vectors_of
from pe_desktop.core.scores.schemes import SCHEMES, NoPositions, Rotary
from pe_desktop.core.state import State
from pe_desktop.draw.dial import column_numbers
from pe_desktop.draw.number_text import alike, copied, fixed, short, whole
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import Theme, rgb
from pe_desktop.model.findings import Answers, Question, Questions, Task

# Up to this width a frame has time for the matrices of a head, and for the weights of a sentence.
QUICK_WIDTH: Final = 256
WAITS: Final = "W_Q and W_K of this wide head are read …"


def words_question(state: State) -> Question:
    """Queries and keys of all words, if any; ValueError for a width above MAX_HEAD."""
    words = vectors_of(state).sentence
    head = Head(state.encoding.d_model, state.attention.word_seed)
    is_quick = not words or head.d_model <= QUICK_WIDTH
    return Question("words of a head", projected_words, (head, words), is_quick=is_quick, takes="nothing")


def unread(state: State) -> str:
    """The reason why the head reads no hands; empty where it reads them."""
    scheme = SCHEMES[state.scheme_at_work]
    if issubclass(scheme, Rotary) and not rotary_of(state).n_turning:
        return f"no pair turns, so {scheme.title} reads none of these hands"
    if scheme.reads_hands:
        return ""
    none = "attention adds no positions now, so no score uses these hands"
    return none if scheme is NoPositions else f"{scheme.title} reads none of these hands"


def never_turned_words(pairs: Turning, length: int) -> str:
    """How many hands turned less than once over so many trained positions."""
    n_never = int(never_turned(pairs, length).sum())
    return f"{whole(n_never)} of {whole(pairs.count)} hands never turned once in training"


def hand_color(encoding: Encoding, hand: int, theme: Theme) -> QColor:
    """The colour of a pair, or of two columns that are chosen together: grey where it doesn't turn."""
    if encoding.pairs is not None and not encoding.pairs.angular_frequencies[hand]:
        return theme.still_color
    return theme.pair_color(hand, n_hands(encoding))


def column_words(encoding: Encoding, hand: int) -> tuple[str, ...]:
    """What each column of a hand is that no pair turns: a wave of its own frequency, or filled with 0."""
    words = list[str]()
    waves = encoding.column_waves
    for column in hand_columns(encoding)[hand].tolist():
        if waves is not None and column >= 0:
            omega = waves.hands.angular_frequencies[waves.numbers[column]]
            words.append(f"{whole(column)}: ω = {short(omega, 2)}")
        elif column >= encoding.n_filled:
            words.append(f"{whole(column)}: filled with 0")
    return tuple(words)


def turn_parts(angle: float) -> tuple[str, str]:
    """Degrees as whole turns, "" where there is none, and what is beyond them: "6 turns +" and "189.1°"."""
    angle = round(angle, 1)
    turns = int(angle / 360)
    # From here on a tenth of a degree is less than float64 tells apart.
    if not turns or abs(angle) >= 1e14:
        return "", f"{short(angle / 360)} turns" if turns else f"{fixed(angle, 1)}°"
    words = f"{whole(turns)} turn{'s' if abs(turns) > 1 else ''} {'+' if turns > 0 else '−'}"
    return words, f"{fixed(abs(angle - 360 * turns), 1)}°"


def turned(turn: float) -> str:
    """The same of radians in one text: 45.8°, 6 turns + 189.1°."""
    return " ".join(filter(None, turn_parts(math.degrees(turn))))


def hands_theme(state: State, theme: Theme) -> Theme:
    """The theme in which hands and waves are drawn: one grey for all pairs where the head doesn't read them."""
    if not unread(state):
        return theme
    ramp = np.tile(rgb(theme.still_color), (2, 1))
    # A name of its own, as themes are equal by all but the ramp.
    return replace(theme, name=f"{theme.name}, grey", pair_ramp=ramp)


def hands_box(state: State, box: Box) -> Box:
    """The box in that theme."""
    theme = hands_theme(state, box.theme)
    return box if theme is box.theme else replace(box, theme=theme)


def hand_rows(state: State, hands: Sequence[int]) -> list[list[str]]:
    """Titles and a row for each of some hands for the clipboard: the values of its columns at t and t + k, all digits.

    In the formats that are chosen, too; a column that a hand lacks is empty.
    """
    precision, state = state.precision, turning_state(state)
    encoding = state.encoding
    has_pairs = encoding.pairs is not None
    tables = [hand_values(encoding, state.cursor.both, hands)]
    titles = ["columns", "first t", "second t", "first t+k", "second t+k"]
    if has_pairs:
        titles = ["pair", "sin t", "cos t", "sin t+k", "cos t+k"]
    # What RoPE multiplies by is no table that would be cast.
    if not precision.is_exact and not turns_vectors(state):
        tables.append(framework_hands(encoding, precision, state.cursor.both, hands))
        titles += [f"{title}, {precision.title}" for title in titles[1:]]
    rows = [titles]
    for hand, row in zip(hands, np.concatenate(tables).swapaxes(0, 1), strict=True):
        name = str(hand) if has_pairs else ", ".join(filter(None, column_numbers(encoding, hand)))
        rows.append([name, *map(copied, row.ravel().tolist())])
    return rows


# A field, one of COLOR_RANGES or what was typed, and the rows and columns that are seen.
Ranged: TypeAlias = tuple[Field, Span | str, Span, Span]
# Table values that are measured in a frame or two; more of them wait until nothing else is asked for.
_QUICK: Final = 2**17


# A field and its range, and what was found of them.
_FoundScale: TypeAlias = tuple[tuple[Field, Span | str], ColorScale]
# What is found stays while t moves.
_kept_scale = lru_cache(maxsize=8)(color_scale)
_kept_quick_scale = lru_cache(maxsize=8)(quick_scale)
_takes_long = lru_cache(maxsize=8)(scale_takes_long)


def scale_questions(topic: str, ranged: Ranged) -> Questions:
    """What is to be found out about the range, nothing where a frame can wait for it."""
    return (Question(f"{topic} colours", _find_scale, ranged, title="Colours"),) if _takes_long(*ranged) else ()


def shown_scale(topic: str, ranged: Ranged, answers: Answers) -> ColorScale:
    """The range; until it is known that of the field as it was last seen, or about the same from few values."""
    for question in scale_questions(topic, ranged):
        found: _FoundScale | None = answers.answer(question)
        if found is not None:
            return found[1]
        latest: _FoundScale | None = answers.latest(question)
        if latest is not None and latest[0] == ranged[:2]:
            return latest[1]._replace(is_quick=True)
        return _kept_quick_scale(*ranged)
    return _kept_scale(*ranged)


def scale_at_once(ranged: Ranged) -> ColorScale:
    """The range, where it takes longer than a frame that of few values, which none replaces."""
    return _kept_quick_scale(*ranged)._replace(is_quick=False) if _takes_long(*ranged) else _kept_scale(*ranged)


def _find_scale(field: Field, color_range: Span | str, rows: Span, columns: Span, task: Task) -> _FoundScale:
    return (field, color_range), color_scale(field, color_range, rows, columns)


def range_sentence(scale: ColorScale) -> str:
    """A sentence with a blank before it, nothing where the colours reach over the whole scale."""
    low, high = alike(scale.limits)
    if scale.is_seen:
        return f" The colours reach over the values that are seen, from {low} to {high}."
    if any(scale.is_cut):
        return f" The colours reach from {low} to {high}; values beyond have the colour of that end."
    return ""


def averages_words(field: Field) -> str:
    """What a pixel that covers several cells shows of them."""
    averages = field.averages
    return f"the {averages} out of them" if averages.endswith("samples") else f"their exact {averages}"


def shift_question(encoding: Encoding, offset: float) -> Question:
    """The ShiftReport of an encoding and an offset."""
    n_cells = min(encoding.n_positions * encoding.d_model, REPORTED_CELLS)
    return Question("shift", shift_report, (encoding, offset), rank=int(n_cells > _QUICK))
