"""The decoder: which position a vector is nearest to, for all hands and for fewer, and "is n three before m?"."""

import math
from functools import lru_cache
from typing import Any, Final

import numpy as np

from pe_desktop.core.columns import n_hands
from pe_desktop.core.cursor import visible_pins
from pe_desktop.core.decoder import (
    Hands,
    Row,
    ScoreCurve,
    largest_score,
    read_angles,
    read_hands,
    score_curve,
    steps_back,
    table_counts,
)
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.rotation import rotation_refusal
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import copied, degrees, fixed, position, short, whole
from pe_desktop.draw.plot import paragraph
from pe_desktop.draw.scene import NOTHING, Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.clock.picture import BADGE_RADIUS, MOST_HANDS, nearest_tip
from pe_desktop.views.decoder import picture, words
from pe_desktop.views.decoder.layout import WIDE, DecoderLayout, bars_area, decoder_layout, needed_height

# Values of a table that are compared within a frame.
_QUICK_CELLS: Final = 2**17
# Runs of positions in a curve: more than there are pixels.
_RUNS: Final = 2_048
# Shifts to each side of the one that is asked for.
_PLACES_AROUND: Final = 4
_BEFORE_HEIGHT: Final = 300.0
_QUESTION: Final = "Which t do these hands say?"


def hands_of(state: State) -> Hands:
    """What is read: the vector that was given, else the row of t."""
    vector = state.views.decoder.vector
    order = visible_pins(state.cursor, state.encoding) if state.views.decoder.reads == "pinned" else ()
    return Hands(state.encoding, 0.0 if vector else state.cursor.position, vector, order)


def _counts_of(state: State) -> tuple[int, ...]:
    """How many hands each row of the table reads."""
    return table_counts(hands_of(state).total, state.views.decoder.n_hands)


def n_read(state: State) -> int:
    """How many hands are read: no more than there are."""
    return min(state.views.decoder.n_hands, hands_of(state).total)


def layout_of(state: State, box: Box) -> DecoderLayout:
    """Where everything stands on the page "read"."""
    return decoder_layout(box.width, box.height, state.shown_span, len(_counts_of(state)))


def questions(state: State) -> tuple[Question, ...]:
    if state.views.decoder.page == "before":
        asked = () if rotation_refusal(state.encoding) else _before_hands(state)
        return () if _is_quick(state) else tuple(_reading_question(one, (n_hands(state.encoding),)) for one in asked)
    return () if _is_quick(state) else (_reading_question(hands_of(state), _counts_of(state)), _curve_question(state))


def scene(state: State, answers: Answers, box: Box) -> Scene:
    if state.views.decoder.page == "before":
        return _before_scene(state, answers, box)
    layout, theme, hands, count = layout_of(state, box), box.theme, hands_of(state), n_read(state)
    rows, counts = _rows(state, answers), _counts_of(state)
    row = None if rows is None else rows[counts.index(count)]
    best = () if row is None else (row.by_dot if hands.are_even else row.by_distance).positions
    limit = largest_score(hands, count)
    moving = [
        *_answer_picture(hands, row, box),
        *picture.counts_picture(layout, hands, counts, rows, count, theme),
        *picture.nearest_picture(layout, row, are_even=hands.are_even, theme=theme),
        *picture.curve_picture(layout, _curve(state, answers), state.encoding.n_positions, limit, best, theme),
    ]
    still = NOTHING
    if state.encoding.pairs is None:
        moving += picture.vector_picture(hands, layout.hands, count, theme)
    else:
        still = Part(picture.dial_face, layout.hands, state.encoding.pairs.count, theme)
        chosen = min(state.cursor.pair, state.encoding.pairs.count - 1)
        moving += picture.hands_picture(hands, layout.hands, count, chosen, best[0] if best else None, theme)
    return Scene(tuple(moving), still, places=Part(_places, state, layout, rows))


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    if state.views.decoder.page == "before":
        t, k = state.cursor.position, state.cursor.offset
        m, n = position(t), position(t + k)
        return fitting("caption", (f"m = t = {m}, n = t + k = {n}", f"m = {m}, n = {n}"), room)
    what = "row" if state.encoding.pairs is None else "hands"
    if state.views.decoder.vector:
        given, those = ("a vector that was given", "that") if what == "row" else ("hands that were set", "those")
        return fitting("caption", (f"{given}; key 0: {those} of t", given, "given"), room)
    at = f"t = {position(state.cursor.position)}"
    return fitting("caption", (f"{what} of {at}", at), room)


def readout(state: State, answers: Answers) -> str:
    if state.views.decoder.page == "before":
        places = _places_asked(state)
        if rotation_refusal(state.encoding):
            return ""
        scores = _before_scores(state).tolist()
        return "\n".join(f"p_n . M_({-j}) p_m\t{score!r}" for j, score in zip(places, scores, strict=True))
    rows = _rows(state, answers)
    if rows is None:
        return ""
    head = "hands\tbest t\tdot product\tsecond t\tmargin\twithin 1 %\tnearest t\tdistance"
    return "\n".join([head, *("\t".join(_cells(row)) for row in rows)])


def sentence(state: State, answers: Answers) -> str:
    if state.views.decoder.page == "before":
        refusal = rotation_refusal(state.encoding)
        return _without_stop(refusal) if refusal else _before_answer(state)
    hands = hands_of(state)
    # A long table of another kind is compared value by value: its figure says the answer, its title asks.
    row = _row(state, answers) if hands.are_even or _is_quick(state) else None
    return _QUESTION if row is None else words.answer(hands, row)


def explanation(state: State) -> str:
    if state.views.decoder.page == "before":
        return (
            "The vector of n against that of m moved back by j positions, for each j: the dot product is as large as "
            "the squared length of a row, the dashed line, exactly where n stands j before m."
        )
    return (
        "The vector that is read, and its dot product with the row of every position; hollow: the next best. Each line "
        "of the upper table reads so many hands, the fastest first: the best position, the second, by how much it is "
        "lower, and how many positions are within 1 % of the best. Positions count from 0."
    )


def height(state: State, answers: Answers, width: float, theme: Theme) -> float | None:
    if state.views.decoder.page == "before":
        return _BEFORE_HEIGHT
    return needed_height(width, len(_counts_of(state)))


def hand_at(state: State, layout: DecoderLayout, x: float, y: float) -> int | None:
    """The hand that a press takes: the nearest that ends there, elsewhere on the dial the chosen one."""
    pairs = state.encoding.pairs
    if pairs is None or not layout.hands.holds(x, y):
        return None
    tip = hand_tip_at(state, layout, x, y)
    return min(state.cursor.pair, pairs.count - 1) if tip is None else tip


def hand_tip_at(state: State, layout: DecoderLayout, x: float, y: float) -> int | None:
    """The hand that ends at a point."""
    if state.encoding.pairs is None:
        return None
    return nearest_tip(picture.hand_tips(hands_of(state), picture.dial_of(layout.hands)), x, y)


def count_at(state: State, layout: DecoderLayout, x: float, y: float) -> int | None:
    """How many hands the line of the upper table under a point reads."""
    row = layout.counts.row_at(x, y)
    return None if row is None else _counts_of(state)[row]


def position_at(state: State, answers: Answers, layout: DecoderLayout, x: float, y: float) -> int | None:
    """The position under a point of the curve, or in a line of the lower table."""
    if layout.curve.holds(x, y):
        return min(max(round(layout.position_axis.value(x)), 0), state.encoding.n_positions - 1)
    place, row = layout.nearest.row_at(x, y), _row(state, answers)
    if place is None or row is None:
        return None
    # Of rows of several lengths those by distance stand at the left, beside them the best by dot product.
    is_left = x < layout.nearest.x + layout.nearest.width / 2
    found = row.by_distance if is_left and not hands_of(state).are_even else row.by_dot
    return found.positions[place] if place < len(found.positions) else None


def places_at(state: State, box: Box, x: float, y: float) -> int | None:
    """How many places before m the bar under a point asks for."""
    area, places = bars_area(box.width, box.height), _places_asked(state)
    if rotation_refusal(state.encoding) or not area.holds(x, y):
        return None
    return places[min(int((x - area.x) / area.width * len(places)), len(places) - 1)]


def _answer_picture(hands: Hands, row: Row | None, box: Box) -> marks.Picture:
    title = _QUESTION if row is None else words.answer(hands, row)
    return _headed(title, "" if row is None else words.lines(hands, row), box)


def _headed(title: str, told: str, box: Box) -> marks.Picture:
    """A title, which a figure has anyway, over a paragraph of what was measured."""
    is_wide = box.width >= WIDE
    role, n_lines = ("message", 1) if is_wide else ("strong", 2)
    head = () if box.is_paper else paragraph(0.0, 12.0, title, box.theme.text, box.width, n_lines, role, 18.0)
    below = 14.0 + 18.0 * len(head) + (4.0 if head and is_wide else 0.0)
    return (*head, *paragraph(0.0, below, told, box.theme.text2, box.width, 2 if is_wide else 4))


def _before_scene(state: State, answers: Answers, box: Box) -> Scene:
    theme, refusal = box.theme, rotation_refusal(state.encoding)
    if refusal:
        return Scene(paragraph(0.0, 12.0, refusal, theme.text2, box.width, 4))
    area, places, scores = bars_area(box.width, box.height), _places_asked(state), _before_scores(state)
    asked = state.views.decoder.places
    moving = (
        *_headed(_before_answer(state), _before_words(state, answers, scores), box),
        *picture.bars_picture(area, places, scores, _squared_length(state), asked, theme),
    )
    return Scene(moving, places=Part(_before_places, area, places, tuple(scores.tolist()), asked))


def _before_answer(state: State) -> str:
    m, n = state.cursor.position, state.cursor.position + state.cursor.offset
    question = words.before_question(state.views.decoder.places)
    return f"{question} {words.before_answer(m, n, is_so=_reaches(state))}"


def _reaches(state: State) -> bool:
    """Whether the product for the number of places that is asked for is as large as it can be, but for rounding."""
    most = _squared_length(state)
    return bool(_before_scores(state)[_PLACES_AROUND] >= most - 1e-11 * most)


def _before_words(state: State, answers: Answers, scores: Floats) -> str:
    asked, most = state.views.decoder.places, _squared_length(state)
    here, near = float(scores[_PLACES_AROUND]), scores[[_PLACES_AROUND - 1, _PLACES_AROUND + 1]].tolist()
    said = [f"p(n) · M({whole(-asked)}) p(m) = {fixed(here, 9)} of at most |p|² = {fixed(most, 9)}."]
    under, over = (short(most - score) for score in near)
    said.append(f"For {whole(asked - 1)} before it is {under} lower, for {whole(asked + 1)} before {over}.")
    read = [_read(one, state, answers) for one in _before_hands(state)]
    if None not in read:
        said.append(f"All hands read m = {whole(read[0] or 0)} and n = {whole(read[1] or 0)}.")
    return " ".join(said)


def _read(hands: Hands, state: State, answers: Answers) -> int | None:
    counts = (n_hands(state.encoding),)
    rows: tuple[Row, ...] | None
    rows = _quick_rows(hands, counts) if _is_quick(state) else answers.answer(_reading_question(hands, counts))
    return None if rows is None else rows[0].by_distance.positions[0]


def _before_places(area: Area, places: range, scores: tuple[float, ...], asked: int) -> tuple[Place, ...]:
    wide = area.width / len(places)
    return tuple(
        Place(
            f"{whole(abs(j))} {'before' if j >= 0 else 'after'}",
            Area(area.x + i * wide, area.y, wide, area.height),
            fixed(score, 9),
            j == asked,
        )
        for i, (j, score) in enumerate(zip(places, scores, strict=True))
    )


def _before_hands(state: State) -> tuple[Hands, Hands]:
    """The hands of m and of n."""
    t, k = state.cursor.position, state.cursor.offset
    return Hands(state.encoding, t), Hands(state.encoding, t + k)


def _places_asked(state: State) -> range:
    asked = state.views.decoder.places
    return range(asked - _PLACES_AROUND, asked + _PLACES_AROUND + 1)


def _before_scores(state: State) -> Floats:
    t, k = state.cursor.position, state.cursor.offset
    return _steps_back(state.encoding, t, t + k, _places_asked(state))


@lru_cache(maxsize=2)
def _steps_back(encoding: Encoding, m: float, n: float, places: range) -> Floats:
    return steps_back(encoding, m, n, places)


def _squared_length(state: State) -> float:
    pairs = state.encoding.pairs
    return 0.0 if pairs is None else float(np.sum(np.square(pairs.lengths)))


def _places(state: State, layout: DecoderLayout, rows: tuple[Row, ...] | None) -> tuple[Place, ...]:
    count, counts, hands = n_read(state), _counts_of(state), hands_of(state)
    found = [*_hand_places(state, layout)]
    for i, number in enumerate(counts):
        value = (
            ""
            if rows is None
            else f"t = {whole(rows[i].by_distance.positions[0])}, margin {words.margin_text(rows[i])}"
        )
        found.append(Place(f"read {whole(number)}", layout.counts.row_area(i), value, number == count))
    if rows is not None:
        texts = picture.nearest_texts(rows[counts.index(count)], are_even=hands.are_even)
        for i, cells in enumerate(texts):
            area = layout.nearest.row_area(i)
            found.append(Place(f"nearest {i + 1}", area, f"t = {cells[0]}: {', '.join(cells[1:])}"))
    return (*found, Place("curve", layout.curve, ""))


def _hand_places(state: State, layout: DecoderLayout) -> list[Place]:
    pairs = state.encoding.pairs
    if pairs is None:
        return []
    chosen, hands = min(state.cursor.pair, pairs.count - 1), hands_of(state)
    tips, angles = picture.hand_tips(hands, picture.dial_of(layout.hands)), read_angles(hands)[0].tolist()
    shown = [hand for hand in range(pairs.count if pairs.count <= MOST_HANDS else 0) if hand != chosen]
    return [
        Place(
            f"hand {hand}",
            Area(tips[hand, 0] - BADGE_RADIUS, tips[hand, 1] - BADGE_RADIUS, 2 * BADGE_RADIUS, 2 * BADGE_RADIUS),
            degrees(angles[hand]),
            is_chosen=hand == chosen,
        )
        for hand in (*shown, chosen)
    ]


def _is_quick(state: State) -> bool:
    return state.encoding.n_positions * state.encoding.d_model <= _QUICK_CELLS


def _rows(state: State, answers: Answers) -> tuple[Row, ...] | None:
    hands, counts = hands_of(state), _counts_of(state)
    if _is_quick(state):
        return _quick_rows(hands, counts)
    found: tuple[Row, ...] | None = answers.answer(_reading_question(hands, counts))
    return found


def _row(state: State, answers: Answers) -> Row | None:
    rows = _rows(state, answers)
    return None if rows is None else rows[_counts_of(state).index(n_read(state))]


def _curve(state: State, answers: Answers) -> ScoreCurve | None:
    seen = _seen(state)
    if _is_quick(state):
        return _quick_curve(hands_of(state), n_read(state), seen)
    found: ScoreCurve | None = answers.answer(_curve_question(state))
    return found


def _seen(state: State) -> range:
    """The positions that the curve shows."""
    span, last = state.shown_span, state.encoding.n_positions - 1
    first = min(max(math.floor(span.first), 0), last)
    return range(first, max(min(math.ceil(span.last), last), first) + 1)


def _reading_question(hands: Hands, counts: tuple[int, ...]) -> Question:
    return Question("decoder", _find_rows, (hands, counts), title="Comparing")


def _curve_question(state: State) -> Question:
    return Question("decoder curve", _find_curve, (hands_of(state), n_read(state), _seen(state)), title="Comparing")


def _find_rows(hands: Hands, counts: tuple[int, ...], task: Task) -> tuple[Row, ...] | None:
    return read_hands(hands, counts, task.report, task)


def _find_curve(hands: Hands, count: int, positions: range, task: Task) -> ScoreCurve | None:
    return score_curve(hands, count, positions, _RUNS, task.report, task)


@lru_cache(maxsize=4)
def _quick_rows(hands: Hands, counts: tuple[int, ...]) -> tuple[Row, ...] | None:
    return read_hands(hands, counts)


@lru_cache(maxsize=2)
def _quick_curve(hands: Hands, count: int, positions: range) -> ScoreCurve | None:
    return score_curve(hands, count, positions, _RUNS)


def _cells(row: Row) -> list[str]:
    dots, near = row.by_dot, row.by_distance
    second = str(dots.positions[1]) if len(dots.positions) > 1 else ""
    found: list[Any] = [dots.positions[0], repr(dots.values[0]), second, copied(dots.margin), row.n_near]
    return [str(cell) for cell in (row.n_hands, *found, near.positions[0], repr(near.values[0]))]


def _without_stop(sentence: str) -> str:
    return sentence.rstrip(".").replace("-", MINUS)
