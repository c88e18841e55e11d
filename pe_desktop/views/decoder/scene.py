"""The decoder: which position a vector is nearest to, for all hands and for fewer, and "is n three before m?"."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np

from pe_desktop.core import decoder
from pe_desktop.core.choices import WIDEST_SUM
from pe_desktop.core.cursor import Span, hand_columns, n_hands
from pe_desktop.core.decoder import NEAR_SHARE, Hands, Reading, ScoreCurve, asked_of, read_hands, read_right
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.lags import invariant_pairs, profile
from pe_desktop.core.measuring.measurement import FAILS, HOLDS
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.rotation import turn_refusal
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.dial import face_picture
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Layers, Live, Row, Rule, Table, Words, in_row
from pe_desktop.draw.number_text import copied, counted, fixed, position, short, significant, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.views.controls import CAPTIONS, WORDS, Choice, Number, Press
from pe_desktop.views.decoder import reading
from pe_desktop.views.decoder.reading import HandsBlock, dial_of
from pe_desktop.views.paged import Page, PagedView
from pe_desktop.views.properties.verdicts import pill

# How to read its figures, by page.
_CAPTIONS: Final = CAPTIONS["decoder"]
# From this width on tables stand beside the hands and the curve.
_WIDE: Final = 600.0
_QUESTION: Final = "Which t do these hands say?"
# Values of a table that are compared within a frame.
_QUICK_CELLS: Final = 2**17
# Runs of positions in a curve: more than there are pixels.
_RUNS: Final = 2_048
_TALL_HANDS: Final = 290.0
# The room of a curve, and of all of them.
_ROW, _ALL_ROWS = 32.0, 200.0
# The part of its room that a curve fills, above its foot.
_FOOT, _CURVE = 0.12, 0.76
# More bars than this would touch each other in so many pixels; more dots would hide their curve.
_MOST_BARS, _BARS, _MOST_DOTS = 128, 360.0, 12
_NO_CURVE: Final = ScoreCurve(0, 1, np.zeros(1), np.zeros(1))
# The name of the place of the curve.
CURVE: Final = "curve"
PRODUCTS: Final = "products"
# What reads p_t again.
OF_T: Final[dict[str, object]] = {"decoder.vector": (), "decoder.layers": "none"}
# Tables of so many values are read after all layers within a frame.
_QUICK_LAYERS: Final = 2**14
# The share of the hands beside the curves.
_HANDS: Final = 0.32
_HEAD: Final = "hands\tbest t\tdot product\tsecond t\tmargin\twithin 1 %\tnearest t\tdistance"


def _compared(
    topic: str, compute: Callable[..., Any], encoding: Encoding, *given: Any, most: int = _QUICK_CELLS
) -> Question:
    """A question about all positions, quick where so many values of a table are compared within a frame."""
    is_quick = encoding.n_positions * encoding.d_model <= most
    return Question(topic, compute, given, title="Comparing", is_quick=is_quick, takes="report and task")


def _curve(state: State, hands: Hands, count: int) -> Question:
    """The products of so many hands with the positions that are seen."""
    shown = state.shown_span.cells(state.encoding.n_positions)
    return _compared("decoder curve", decoder.score_curve, state.encoding, hands, count, shown, _RUNS)


def _read_questions(state: State) -> Questions:
    """What each count of hands reads, and its products; of a sum what is read right after each layer."""
    hands, counts, _ = asked_of(state)
    curves = (_curve(state, hands, count) for count in counts)
    return _compared("decoder", read_hands, state.encoding, hands, counts), *curves, *_right_question(state)


def _right_question(state: State) -> Questions:
    """How many positions are read right after each layer, where x + p_t is read."""
    encoding = state.encoding
    if state.views.decoder.n_layers(encoding.d_model) is None:
        return ()
    return (_compared("layers", read_right, encoding, encoding, most=_QUICK_LAYERS),)


def _layers_text(state: State, row: Reading, answers: Answers) -> str:
    """How far off a sum is read after its layers, and how many positions are read right after each."""
    [question] = _right_question(state)
    counts: tuple[int, ...] = answers.answer(question) or ()
    t = state.cursor.position
    n_layers = counted(int(state.views.decoder.layers), "layer")
    off = abs(row.by_distance.positions[0] - t)
    told = f"After {n_layers} x + p of t = {position(t)} is read {position(off)} off."
    if not counts:
        return told
    summed_up, *after, n_read = map(whole, counts)
    n_all = state.encoding.n_positions
    spread = "" if counts[-1] == n_all else f", spread over all {whole(n_all)},"
    right = f"{summed_up} are read right in x + p, after 1 to 6 layers {', '.join(after)}"
    return f"{told} Of {n_read} positions{spread} {right}."


def _word_text(state: State, t: int) -> str:
    """Which word of the sentence stands at a position, nothing where none does."""
    place = t - state.attention.first_position
    is_there = place.is_integer() and 0 <= place < len(state.attention.words)
    return f" There the sentence has “{state.attention.words[int(place)]}”." if is_there else ""


class _Read(NamedTuple):
    """So many hands: what they read, and their products with the positions that are seen, None while not known."""

    n_hands: int
    row: Reading | None
    curve: ScoreCurve | None
    is_chosen: bool


def _reading(state: State, answers: Answers) -> tuple[Hands, list[_Read]]:
    """What is read, and by how many hands."""
    hands, counts, count = asked_of(state)
    rows, *curves = map(answers.answer, _read_questions(state))
    is_chosen = (one == count for one in counts)
    return hands, list(map(_Read, counts, rows or (None,) * len(counts), curves, is_chosen))


def _read_page(state: State, answers: Answers) -> Block:
    hands, read = _reading(state, answers)
    [(count, row)] = [(one.n_hands, one.row) for one in read if one.is_chosen]
    pairs = state.encoding.pairs
    if pairs is None:
        vector: Block = Live(_vector(hands, count))
    else:
        on_dial = HandsBlock(hands, count, min(state.cursor.pair, pairs.count - 1), _TALL_HANDS)
        vector = Layers((Drawn(_dial_face, (pairs.count,), _TALL_HANDS), Live(on_dial)))
    title, text, at = _QUESTION, "", None
    if row is not None:
        title, at = reading.answer(hands, row), reading.read_by(hands, row).positions[0]
        is_summed = bool(_right_question(state))
        text = _layers_text(state, row, answers) if is_summed else reading.lines(hands, row) + _word_text(state, at)
    fewer = Live(_fewer(state, hands, read, at))
    heading = Words(title, "message"), Words(title, "strong", n_lines=2)
    return _headed(heading, text, (in_row((_HANDS, GROW), vector, fewer, gap=20.0),), (vector, fewer))


def _headed(headings: tuple[Block, Block], text: str, wide: tuple[Block, ...], narrow: tuple[Block, ...]) -> Block:
    """An answer, which titles a figure, and the text below it over the blocks of a wide or a narrow page."""
    columns = []
    for heading, lines, blocks in ((headings[0], 1, wide), (headings[1], 2, narrow)):
        above = Column((heading,), is_for_screen=True), Words(text, "caption", "text2", n_lines=2 * lines)
        columns.append(Column((*map(Live, above), *blocks), gap=6.0))
    return Fits(tuple(columns), (_WIDE, 0.0))


def _dial_face(area: Area, theme: Theme, n_pairs: int) -> marks.Picture:
    """What of the dial stands still."""
    return face_picture(dial_of(area), n_pairs, theme)


def _vector(hands: Hands, n_read: int) -> Block:
    """The numbers of the vector that are read, a bar for each."""
    values = hands.values
    columns = hand_columns(hands.encoding)[hands.numbers(n_read)]
    x = np.sort(columns[columns >= 0])
    limit = float(np.abs(values).max()) or 1.0
    wide = min(max(_BARS / len(values) - 2.0, 1.0), 10.0)
    curve = Curve("", x.astype(float), values[x], "ink", wide, style="bars" if len(x) <= _MOST_BARS else "line")
    last = max(len(values) - 1.0, 1.0)
    scales = Scale("dimension", 0.0, last, ticks="positions"), Scale("", -limit, limit)
    return Chart("The vector that is read", *scales, (curve,), tall=_TALL_HANDS - 74.0)


def _points(curve: ScoreCurve) -> tuple[Floats, Floats]:
    """Positions and products of a curve: runs of positions go from their least to their greatest product and back."""
    ends = (curve.lows, curve.highs) if curve.size > 1 else (curve.lows,)
    return np.repeat(curve.positions, len(ends)), np.column_stack(ends).ravel()


def _fewer(state: State, hands: Hands, read: Sequence[_Read], at: int | None) -> Block:
    """What the first 1, 2, 4, ... hands read: a curve each, one over the other, and a row each below them."""
    noun = "hands" if hands.encoding.pairs is not None else "columns"
    title = f"What the pinned {noun} read, one after another" if hands.order else f"What fewer {noun} read"
    span = state.shown_span
    total = float(state.encoding.n_positions)
    chart = Chart(
        title,
        Scale("position t", span.first, span.last, ticks="positions", sets="position", total=total),
        Scale("", 0.0, float(len(read)), ticks="none"),
        tuple(chain(*(_curves(one, hands, span, len(read) - 1.0 - place) for place, one in enumerate(read)))),
        at,
        "Comparing all positions…" if at is None else f"t = {whole(at)}",
        min(_ROW * len(read), _ALL_ROWS),
        name=CURVE,
        shorter=(f"Fewer {noun}", ""),
        names_from=0.0,
    )
    return Column((chart, Table((noun, "read", "next", "lead", "within 1 %", "least"), _rows(hands, read), gap=20.0)))


def _rows(hands: Hands, read: Sequence[_Read]) -> tuple[Row, ...]:
    """The numbers of each curve; a press reads so many hands."""
    rows = []
    for one in read:
        cells = reading.count_texts(hands, one.n_hands, one.row)
        least = "…" if one.curve is None else significant(float(one.curve.lows.min()), 2)
        value = "" if one.row is None else f"t = {cells[1]}, margin {cells[3]}"
        sets, name = {"decoder.n_hands": one.n_hands}, f"read {whole(one.n_hands)}"
        rows.append(Row((*cells, least), sets, one.is_chosen, name=name, value=value))
    return tuple(rows)


def _curves(one: _Read, hands: Hands, span: Span, foot: float) -> Iterator[Curve]:
    """The curve of so many hands above a height, with dots at its best position and at those that are about as good."""
    x, y = _points(one.curve or _NO_CURVE)
    most = hands.largest_score(one.n_hands)
    inside = (x >= span.first) & (x <= span.last)
    low = float(y.min())
    high = float(y.max()) if math.isnan(most) else most
    heights = foot + _FOOT + _CURVE * (y - low) / ((high - low) or 1.0)
    near = inside & (y >= float(y.max()) * (1.0 - NEAR_SHARE))
    yield Curve(reading.count_texts(hands, one.n_hands, None)[0], x[inside], heights[inside], is_chosen=one.is_chosen)
    if one.curve is not None and np.count_nonzero(near) <= _MOST_DOTS:
        best = near & (y == y[near].max(initial=-math.inf))
        yield Curve("", x[near], heights[near], "text2", 1.0, style="dots")
        yield Curve("", x[best], heights[best], "ink", 2.6, style="dots")


def _read_sentence(state: State, answers: Answers) -> str:
    (hands, counts, count), (question, *_) = asked_of(state), _read_questions(state)
    # A long table of another kind is compared value by value: its figure says the answer, its title asks.
    rows = answers.answer(question) if hands.are_even or question.is_quick else None
    return _QUESTION if rows is None else reading.answer(hands, rows[counts.index(count)])


def _read_text(state: State, answers: Answers) -> str:
    rows = answers.answer(_read_questions(state)[0])
    return "" if rows is None else "\n".join([_HEAD, *map(_copied_line, rows)])


def _copied_line(row: Reading) -> str:
    (best, *others), dots, near = row.by_dot.positions, row.by_dot, row.by_distance
    second = others[0] if others else ""
    numbers = row.n_hands, best, repr(dots.values[0]), second, copied(dots.margin), row.n_near
    return "\t".join(map(str, (*numbers, near.positions[0], repr(near.values[0]))))


_TALL: Final = 170.0


def _before_questions(state: State) -> Questions:
    """The products with the vector of m moved back to each position that is seen: p_n with that of each of them."""
    if turn_refusal(state.encoding):
        return ()
    # Products depend on the difference alone: m is whole, and n as far from it as before.
    m, n = state.cursor.both
    hands = Hands(state.encoding, n - m % 1)
    return (_curve(state, hands, n_hands(state.encoding)),)


def _before_page(state: State, answers: Answers) -> Block:
    refusal = turn_refusal(state.encoding)
    if refusal:
        return Words(refusal, "caption", "text2", is_paragraph=True)
    [question] = _before_questions(state)
    chart, (asked, word, where) = (Live(_product_chart(state, answers.answer(question))),), _answer(state)
    # "No" answers the question, nothing fails.
    looks = (HOLDS, "ok", "ok_ground") if word == "Yes" else (FAILS, "text2", "sunken")
    verdict = Fits(tuple(in_row((FIT,), pill(text, *looks)) for text in (f"{word}: {where}", word)))
    narrow = Column((Words(asked, "strong"), verdict), gap=4.0)
    headings = in_row((FIT, GROW), Words(asked, "message"), verdict), narrow
    return _headed(headings, _before_words(state), chart, chart)


def _before_sentence(state: State, _answers: Answers) -> str:
    refusal = turn_refusal(state.encoding)
    return refusal.rstrip(".").replace("-", MINUS) if refusal else "{} {}: {}".format(*_answer(state))


def _before_text(state: State, _answers: Answers) -> str:
    if turn_refusal(state.encoding):
        return ""
    asked = state.views.decoder.places
    places = range(asked - _PLACES_AROUND, asked + _PLACES_AROUND + 1)
    return "\n".join(f"p_n . M_({-j}) p_m\t{_product(state, j)!r}" for j in places)


# Shifts to each side of the one that is asked for, in what is copied.
_PLACES_AROUND: Final = 4


def _answer(state: State) -> tuple[str, str, str]:
    """What is asked; yes where the product for that is as large as it can be, but for rounding; where n stands."""
    (m, n), asked = state.cursor.both, state.views.decoder.places
    word = "Yes" if _asked_product(state)[2] else "No"
    where = f"{position(n)} stands {position(abs(m - n))} {'before' if m > n else 'after'} {position(m)}"
    if m == n:
        where = f"both are {position(n)}"
    name = f"{whole(abs(asked))} {'before' if asked >= 0 else 'after'}"
    return f"Is n {name} m?", word, where


def _before_words(state: State) -> str:
    product, most, _ = _asked_product(state)
    asked, truth = state.views.decoder.places, -state.cursor.offset
    text = [f"p(n) · M({whole(-asked)}) p(m) = {fixed(product, 9)} of at most |p|² = {fixed(most, 9)}."]
    if truth.is_integer():
        beside = max(_product(state, int(truth) + step) for step in (-1, 1))
        text.append(f"It is largest at j = {whole(truth)}; one place beside it is {short(most - beside)} lower.")
    return " ".join(text)


def _product(state: State, places: int) -> float:
    """p_n · M_-j p_m: the dot product of any two positions that are k + j apart."""
    return float(profile(state.encoding, "dot", [state.cursor.offset + places])[0])


def _asked_product(state: State) -> tuple[float, float, bool]:
    """The product for the j that is asked, the squared length of a row, and whether it is that, but for rounding."""
    product, most = _product(state, state.views.decoder.places), invariant_pairs(state.encoding).squared_norm
    return product, most, product >= most - 1e-11 * most


def _product_chart(state: State, curve: ScoreCurve | None) -> Block:
    """p_n · (M_-j p_m) over all j whose m - j is seen: green the truth, the line with a hollow dot what is asked."""
    here, most, is_most = _asked_product(state)
    m = math.floor(state.cursor.position)
    positions, products = _points(curve or _NO_CURVE)
    asked = state.views.decoder.places
    truth = -state.cursor.offset
    span = state.shown_span.cells(state.encoding.n_positions)
    apart = "the most" if is_most else f"{short(most - here, 4)} short of the most"
    lines = [Curve("", (m - positions)[::-1], products[::-1], "ink", 1.4)]
    if m - span.stop < truth <= m - span.start:
        peak = f"{short(most, 6)} at j = {position(truth)}"
        lines.append(Curve(peak, np.array([truth]), np.array([most]), "ok", 3.0, style="dots"))
    first = m - span.stop + 1.0
    last = max(m - span.start, m - span.stop + 2.0)
    return Chart(
        "p(n) · M(−j) p(m) for each j",
        Scale("j places back", first, last, ticks="offsets", sets="decoder.places", is_whole=True),
        Scale("", min(float(products.min()), here, 0.0), 1.08 * max(most, here) or 1.0),
        tuple(lines),
        float(asked),
        f"asked j = {whole(asked)}: {short(here, 6)}, {apart}",
        _TALL - 74.0,
        name=PRODUCTS,
        dots=(here,),
        grows=True,
    )


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    if state.views.decoder.page == "before":
        m, n = map(position, state.cursor.both)
        return f"m = t = {m}, n = t + k = {n}", f"m = {m}, n = {n}"
    is_vector = state.encoding.pairs is None
    if state.views.decoder.vector:
        given = "a vector of your own" if is_vector else "hands set by you"
        return f"{given} (0: back to t)", given, "yours"
    at = f"t = {position(state.cursor.position)}"
    n_layers = state.views.decoder.n_layers(state.encoding.d_model)
    if n_layers is not None:
        return f"x + p after {counted(n_layers, 'layer')}, {at}", at
    return f"{'row' if is_vector else 'hands'} of {at}", at


def _offset(state: State, text: str) -> float:
    """The k of a typed n."""
    return float(replace(state.cursor_rules["position"], name="n").read(text)) - state.cursor.position


def _too_wide(state: State) -> str:
    return "" if state.encoding.d_model <= WIDEST_SUM else f"Layers read up to {whole(WIDEST_SUM)} dimensions"


def _hands_of_t(state: State) -> dict[str, object] | None:
    view = state.views.decoder
    return OF_T if view.vector or view.layers != "none" else None


_PARTS: Final = {
    "read": Page(_read_page, _read_sentence, _CAPTIONS["read"], _read_questions, _read_text),
    "before": Page(_before_page, _before_sentence, _CAPTIONS["before"], _before_questions, _before_text),
}


def _page(state: State, answers: Answers) -> Block:
    """Which t the hands say, and whether n stands so many places before m; the page says which of both comes first."""
    parts = [part.block(state, answers) for part in _PARTS.values()]
    first, second = parts if state.views.decoder.page == "read" else parts[::-1]
    return Column((first, Rule(21.0), second))


def _questions(state: State) -> Questions:
    return (*_read_questions(state), *_before_questions(state))


VIEW = PagedView(
    "decoder.page",
    {name: replace(part, block=_page, questions=_questions) for name, part in _PARTS.items()},
    _forms,
    parts=_PARTS,
    controls=(
        Press(**WORDS["decoder"]["t"], changes=_hands_of_t),
        Press(**WORDS["decoder"]["paste"]),
        Choice(**WORDS["decoder"]["layers"], refusals=dict.fromkeys("0123456", _too_wide)),
        Choice(**WORDS["decoder"]["reads"]),
        Number(**WORDS["decoder"]["n"], shown=lambda state: state.cursor.both[1], read=_offset),
        Number(**WORDS["decoder"]["j"]),
        Number(**WORDS["decoder"]["m"]),
    ),
)
