"""One pair on its dial, and what each pair adds to the score: bars, a running sum, a strip of dials that chooses."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.cursor import Preview
from pe_desktop.core.encoding import Floats
from pe_desktop.core.record import record
from pe_desktop.core.scores.rotary import TurnedVectors, places_of, rotary_of, turned_vectors, vectors_of
from pe_desktop.core.scores.rotary_scores import pair_terms
from pe_desktop.core.scores.schemes import Rotary
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import LEFT, RIGHT, Chart, Curve, Scale
from pe_desktop.draw.dial import Dial
from pe_desktop.draw.flow import GROW, Block, Column, Drawn, Formula, Grid, Layers, Live, Named, Space, Words, in_row
from pe_desktop.draw.number_text import degrees, fixed, scientific, short, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, with_alpha
from pe_desktop.draw.typefaces import text_width

_FORMULA: Final = "Σ |q_i| |k_i| cos(φ_i + (s − t) ω_i) / √d"
# Where partners of one pairing turn by the angles of the other, no single angle is left.
_MIXED_FORMULA: Final = "Σ (R_t q)_i · (R_s k)_i / √d"
# All pairs have a column up to so many; of more, so many around the chosen one.
_ALL_PAIRS, _PAIRS_IN_VIEW = 32, 24
# The width of a bar at most, of all together, of the score beside them, the height of the dials below them.
_BAR, _BARS, _SCORE, _STRIP = 10.0, 160.0, 92.0, 26.0
# In a column of print dials are too small to be read.
_LEAST_RADIUS: Final = 6.0
_TALL: Final = 100.0
_LARGEST_PLAIN: Final = 1e5
_DASH: Final = (5.0, 3.0)
# The arc between both hands: its share of the radius, from which radius on it has a value, from which angle on within.
_BETWEEN, _WITH_VALUE, _WITHIN = 0.22, 66.0, math.radians(70.0)
# The tinted column of the chosen pair begins below the title of the bars.
_TOP: Final = 30.0
_NO: Final = Space(0.0)
_caption = partial(Words, role="tick", ink="text2", across=1.0)
# The place of the dial of the chosen pair.
DIAL: Final = "dial of the pair"


def terms_of(state: State) -> Floats:
    """What each pair adds to the score, shape (n_pairs,); unless pairings are mixed up, t changes none of it."""
    t, s = places_of(state)
    if state.attention.pairing != "mixed":
        t, s = 0.0, s - t
    return pair_terms(rotary_of(state), vectors_of(state), t, s)


def _in_view(n_pairs: int, pair: int) -> range:
    """The pairs that have a column: all of them, or those around a pair."""
    if n_pairs <= _ALL_PAIRS:
        return range(n_pairs)
    first = min(max(pair - _PAIRS_IN_VIEW // 2, 0), n_pairs - _PAIRS_IN_VIEW)
    return range(first, first + _PAIRS_IN_VIEW)


def score_text(value: float, decimals: int = 3) -> str:
    """A score with so many decimals, a huge one as a power of ten."""
    return fixed(value, decimals) if abs(value) < _LARGEST_PLAIN else scientific(value, 3)


def matched(state: State) -> Rotary:
    """RoPE with partners that turn together."""
    rotary = rotary_of(state)
    return replace(rotary, pairing="interleaved") if rotary.pairing == "mixed" else rotary


def chosen_pair(state: State) -> int:
    """The pair of the dial: the cursor's, or the last one that there is."""
    return max(min(state.cursor.pair, state.encoding.d_model // 2 - 1), 0)


def words_of(state: State) -> tuple[str, ...]:
    """The words whose query and key these are; () where they are seeded or one is typed."""
    vectors = vectors_of(state)
    return () if vectors.query or vectors.key else vectors.words


def shown_pairs(state: State) -> str:
    """Which of many pairs are drawn, a sentence after another one; "" where all are."""
    n_pairs = state.encoding.d_model // 2
    shown = _in_view((state.encoding.d_model + 1) // 2, chosen_pair(state))
    drawn = "{} to {} of {}".format(*map(whole, (shown[0], shown[-1], n_pairs)))
    return f" Drawn: pairs {drawn}, and their part of the running sum." if len(shown) < n_pairs else ""


def dial_block(state: State) -> Block:
    """The hands of the chosen pair before and after their turn, and what they add in numbers."""
    pair = chosen_pair(state)
    rotary = rotary_of(state)
    if state.encoding.d_model < 2:
        return flow.paragraph("One dimension has no pair that turns.")
    turns = pair < rotary.n_turning
    omega = float(rotary.frequencies[pair]) if turns else 0.0
    said = f"wavelength {short(2 * math.pi / omega)}" if omega else "does not turn"
    color = (pair, state.encoding.d_model // 2) if turns else None
    query, key = _hands(state, omega)
    between = math.remainder(key.after[0] - query.after[0], math.tau)
    numbers = query.after[1], key.after[1], math.cos(between)
    factors = f"{' · '.join(fixed(one, 3) for one in numbers)} / {fixed(math.sqrt(state.encoding.d_model), 3)}"
    turns_text = ", ".join(f"{name}ω = {degrees(hand.turn)}" for name, hand in (("t", query), ("s", key)))
    dial = Drawn(_dial_picture, ((query, key), color), _TALL, grows=True)
    return Column(
        (
            Words(f"Pair {whole(pair)}, {said}", "title", shorter=(f"Pair {whole(pair)}",)),
            Named(DIAL, Live(dial), degrees(between), ghosts=partial(_ghost_hands, state)),
            Live(Words(f"turned by {turns_text}", "tick", "text2", 0.5, (turns_text,))),
            Live(Words(f"|q| |k| cos({degrees(abs(between))}) / √d", "label", across=0.5)),
            Live(Words(f"{factors} = {score_text(terms_of(state)[pair], 4)}", "caption", "text2", 0.5)),
        ),
        gap=4.0,
    )


def bars_block(state: State, weight: str = "–") -> Block:
    """What each pair adds, the running sum, the dials that choose a pair, the score and its weight."""
    terms = terms_of(state)
    pair = chosen_pair(state)
    n_turning = rotary_of(state).n_turning
    total = score_text(float(terms.sum()), 4)
    shown = _in_view(len(terms), pair)
    is_mixed = state.attention.pairing == "mixed"
    of = ("score of", "the cell") if words_of(state) else ("score of these", "two vectors")
    if state.reads_no_word and words_of(state):
        of = "score with", "nearest word"
    score = Column((Space(4.0), Words(total, "message", across=1.0), *map(_caption, of)))
    totals = Column((score, Words(weight, "value", across=1.0), _caption("weight")))
    chart = _chart(terms, n_turning, shown)
    dials = Live(Drawn(_strip, (turned_vectors(state), n_turning, shown, pair), _STRIP))
    columns = (_column(terms[one], one, one == pair, state.encoding.d_model // 2) for one in shown)
    places = in_row((LEFT, *(GROW,) * len(shown), RIGHT), _NO, *columns, _NO, gap=0.0)
    bars = Layers((Column((Live(chart) if is_mixed else chart, dials)), places))
    beside = in_row((GROW, _SCORE), bars, Named("score", Live(totals), total), gap=0.0)
    said = Words(shown_pairs(state).strip(), "tick", "text2", is_paragraph=True)
    return Column((said, beside, Formula(_MIXED_FORMULA if is_mixed else _FORMULA, 14, "text2")), gap=4.0)


def _chart(terms: Floats, n_turning: int, shown: range) -> Chart:
    """A bar for each pair in its colour, and the running sum as stairs that end at the score."""
    n_pairs = len(terms)
    sums = np.cumsum((0.0, *terms))[shown.start : shown.stop + 1]
    values = terms[shown.start : shown.stop]
    edges = shown.start - 0.5 + np.repeat(np.arange(float(len(sums))), 2)
    stairs = Curve("", edges[:-1], np.append(sums[:1], np.repeat(sums[1:], 2)), is_chosen=True)
    low, high = (end([0.0, *values.tolist(), *sums.tolist()]) for end in (min, max))
    room = 0.06 * ((high - low) or 1.0)
    wide = min(_BARS / max(len(shown), 1), _BAR)
    bars = (
        Curve("", np.array([float(one)]), values[one - shown.start :][:1], ink, wide, style="bars")
        for one, ink in ((one, (one, n_pairs) if one < n_turning else "axis") for one in shown)
    )
    legend = f"bar: this pair, line: sum so far{', grey: not turned' if n_turning < n_pairs else ''}"
    x = Scale("pair i", shown.start - 0.5, shown.stop - 0.5, is_whole=True)
    y = Scale("", low - room * (low < 0), high + room)
    return Chart("What each pair adds", x, y, (*bars, stairs), None, legend, _TALL, name="terms", grows=True)


def _column(term: float, pair: int, is_chosen: bool, n_pairs: int) -> Block:
    """The place of a bar and the dial below it, where a press chooses its pair."""
    sets = {"pair": pair} if pair < n_pairs else None
    column = Drawn(_tint, (), 0.0, grows=True) if is_chosen else Space(0.0, grows=True)
    return Named(f"pair {pair}", column, score_text(term, 4), sets, is_chosen=is_chosen)


def _tint(area: Area, theme: Theme) -> marks.Picture:
    where = area._replace(y=area.y + _TOP, height=area.height - _TOP).grown(-0.05 * area.width, 0.0)
    return (marks.Rectangle(*where, with_alpha(theme.text3, 0.14), radius=4.0),)


@record
class Joined(Grid):
    """A row of the dial and the bars: a thin line joins the chosen column to the dial."""

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        places = Live(self).places(area)
        dials = [dial_of(place.area) for place in places if place.name == DIAL]
        columns = [place.area for place in places if place.is_chosen and place.name.startswith("pair ")]
        return tuple(_link(dial, column, theme) for dial, column in zip(dials, columns, strict=False))


def _link(dial: Dial, column: Area, theme: Theme) -> marks.Mark:
    """Away from the dial to the upper right, along under the title, down into the column."""
    (x, y), middle, top = dial.tip(math.pi / 4, dial.radius), column.middle[0], column.y + _TOP - 1.0
    return marks.Polyline(np.array([(x, y), (x + abs(y - top), top), (middle, top), (middle, top + 4.0)]), theme.axis)


class _Hand(NamedTuple):
    """The query or the key of one pair, its angle and length before and after its turn, and the turn in radians."""

    before: tuple[float, float]
    after: tuple[float, float]
    turn: float

    @property
    def arc(self) -> float:
        """The turn as an arc: once around at most."""
        return min(max(self.turn, -math.tau), math.tau)


def _hands(state: State, omega: float = 0.0) -> tuple[_Hand, _Hand]:
    """Query and key of the chosen pair, which turns by so many radians a position."""
    pair, vectors, (t, s) = chosen_pair(state), turned_vectors(state), places_of(state)
    return (
        _Hand(_polar(vectors.query[pair]), _polar(vectors.turned_query[pair]), t * omega),
        _Hand(_polar(vectors.key[pair]), _polar(vectors.turned_key[pair]), s * omega),
    )


def _polar(hand: Floats) -> tuple[float, float]:
    """The angle clockwise from 12 o'clock, which is the first number of a pair, and the length."""
    return math.atan2(hand[1], hand[0]), math.hypot(*hand)


def dial_of(area: Area) -> Dial:
    """The dial of the chosen pair."""
    return Dial(*area.middle, max(min(area.width / 2 - 22.0, area.height / 2 - 18.0), 4.0))


def turned_angles(state: State) -> tuple[float, ...] | None:
    """The angles of the turned query and key of the chosen pair; None where it doesn't turn."""
    turns = chosen_pair(state) < rotary_of(state).n_turning
    return tuple(hand.after[0] for hand in _hands(state)) if turns else None


def _dial_picture(area: Area, theme: Theme, hands: tuple[_Hand, _Hand], color: tuple[int, int] | None) -> marks.Picture:
    """Faint hands before, solid ones after the turn with their letters, arcs of the turns, the angle between."""
    ink = theme.axis if color is None else theme.pair_color(*color)
    dial = dial_of(area)
    scale = _scale(dial, hands)
    query, key = hands
    between = math.remainder(key.after[0] - query.after[0], math.tau)
    letters = [
        _letter(dial, letter, hand, scale, apart, theme)
        for letter, hand, apart in zip("qk", hands, (-between, between), strict=True)
    ]
    return (
        dial.ring(theme.axis),
        *_turn(dial, query, scale, ink, theme, is_query=True),
        *_turn(dial, key, scale, ink, theme, is_query=False),
        *_angle(dial, query.after[0], between, letters, theme),
        dial.hub(theme, 4.0, 2.0),
        *letters,
    )


def _angle(
    dial: Dial, start: float, between: float, letters: Sequence[marks.Text], theme: Theme
) -> Iterator[marks.Mark]:
    """The arc between both hands, its value in a wide one, else across the hub, where no letter stands."""
    radius, text = _BETWEEN * dial.radius, degrees(abs(between))
    yield marks.Arc(dial.x, dial.y, radius, start, between, theme.ink, 1.6)
    angle = start + between / 2 + (math.pi if abs(between) < _WITHIN else 0.0)
    half = text_width("strong", text) / 2
    x, y = dial.tip(angle, radius + 8.0 + half * abs(math.sin(angle)) + 6.0 * abs(math.cos(angle)))
    is_free = all(abs(one.x - x) > half + 10.0 or abs(one.y - y) > 20.0 for one in letters)
    if is_free and dial.radius >= _WITH_VALUE:
        yield marks.centered(x, y, text, "strong", theme.text)


def _letter(dial: Dial, letter: str, hand: _Hand, scale: float, between: float, theme: Theme) -> marks.Text:
    """The letter of a hand beyond its end, at the side that is away from the other hand."""
    angle, length = hand.after
    x, y = dial.tip(angle, scale * length + 12.0)
    aside = math.copysign(9.0, between)
    return marks.centered(x + aside * math.cos(angle), y + aside * math.sin(angle), letter, "strong", theme.text)


def _scale(dial: Dial, hands: tuple[_Hand, _Hand]) -> float:
    """Pixels to a unit of length: the longest hand nearly reaches the edge."""
    return 0.94 * dial.radius / (max(length for hand in hands for _, length in hand[:2]) or 1.0)


def _ghost_hands(state: State, area: Area, preview: Preview, theme: Theme) -> marks.Picture:
    """Light hands where a press on what is under the pointer would turn query and key."""
    shown = state.with_cursor(preview.moved(state.cursor))
    dial = dial_of(area)
    if shown.cursor == state.cursor:
        return ()
    query, key = hands = _hands(shown)
    look = _scale(dial, hands), theme.ghost, theme
    return (*_turn(dial, query, *look, is_query=True)[3:], *_turn(dial, key, *look, is_query=False)[3:])


def _turn(dial: Dial, hand: _Hand, scale: float, ink: QColor, theme: Theme, *, is_query: bool) -> marks.Picture:
    """A hand, faint before and as it is after its turn, and the arc between; the key's are dashed and hollow."""
    faint = with_alpha(ink, 0.4)
    dash = () if is_query else _DASH
    share = 0.42 if is_query else 0.58
    start, end = (np.array([dial.tip(angle, scale * length)]) for angle, length in hand[:2])
    return (
        marks.Arc(dial.x, dial.y, share * dial.radius, hand.before[0], hand.arc, faint, 4.0),
        dial.lines(start, faint, 1.4, dash),
        marks.Dots(start, 3.5, faint),
        dial.lines(end, ink, 2.6, dash),
        marks.Dots(end, 5.0, ink if is_query else theme.panel, ink, 2.0),
    )


def _strip(area: Area, theme: Theme, vectors: TurnedVectors, n_turning: int, shown: range, pair: int) -> marks.Picture:
    """A dial for each pair in view, where there is room: the query's hand and the key's, with a hollow end."""
    slot = (area.width - LEFT - RIGHT) / max(len(shown), 1)
    n_pairs = len(vectors.query)
    radius = min(slot / 2 - 1.5, 11.0)
    picture = marks.Marks()
    for place, one in enumerate(shown if radius > _LEAST_RADIUS else ()):
        if one < n_pairs:
            ink = theme.pair_color(one, n_pairs) if one < n_turning else theme.axis
            dial = Dial(area.x + LEFT + (place + 0.5) * slot, area.middle[1], radius)
            polar = [_polar(hand[one]) for hand in (vectors.turned_query, vectors.turned_key)]
            scale = 0.9 * radius / (max(length for _, length in polar) or 1.0)
            ends = np.array([dial.tip(angle, scale * length) for angle, length in polar])
            picture += [dial.ring(theme.ink if one == pair else theme.line), dial.lines(ends, ink, 1.3)]
            picture += [marks.Dots(ends[:1], 1.8, ink), marks.Dots(ends[1:], 1.8, theme.panel, ink, 1.0)]
    return tuple(picture)
