"""One pair on its dial, and what each pair adds to the score: bars, a running sum, a strip of dials that chooses."""

import cmath
import itertools
import math
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.cursor import Preview
from pe_desktop.core.encoding import Floats
from pe_desktop.core.record import kept, record
from pe_desktop.core.scores.rotary import QueryAndKey, TurnedVectors, places_of, rotary_of, turned_vectors, vectors_of
from pe_desktop.core.scores.rotary_scores import pair_terms
from pe_desktop.core.scores.schemes import Rotary
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.dial import Dial
from pe_desktop.draw.flow import GROW, Block, Column, Drawn, Formula, Layers, Live, Named, Space, Words, in_row
from pe_desktop.draw.number_text import degrees, fixed, scientific, short, whole
from pe_desktop.draw.plot import Axis, Plot, free_label, taken_by
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, with_alpha
from pe_desktop.draw.typefaces import text_width

_FORMULA: Final = "Σ |q_i| |k_i| cos(φ_i + (s − t) ω_i) / √d"
# Where partners of one pairing turn by the angles of the other, no single angle is left.
_MIXED_FORMULA: Final = "Σ (R_t q)_i · (R_s k)_i / √d"
# All pairs have a column up to so many; of more, so many around the chosen one.
_ALL_PAIRS, _PAIRS_IN_VIEW = 32, 24
# Beside the bars their levels and the score, below them the dials and the numbers of the pairs.
_LEVELS, _SCORE, _STRIP, _NUMBERS = 44.0, 92.0, 46.0, 20.0
# In a column of print dials are too small to be read: the numbers stand alone.
_WITH_DIALS: Final = 360.0
_TALL: Final = 142.0
_LARGEST_PLAIN: Final = 1e5
_DASH: Final = (5.0, 3.0)
_NARROW: Final = 0.8
_caption = partial(Words, role="tick", ink="text2", across=1.0)
# The place of the dial of the chosen pair.
DIAL: Final = "dial of the pair"


@record
class _Terms:
    """What each pair adds, the first n_turning of them turning."""

    values: tuple[float, ...]
    n_turning: int

    @property
    def score(self) -> float:
        return float(np.sum(self.values))

    def in_view(self, pair: int) -> range:
        """The pairs that have a column: all of them, or those around a pair."""
        n_pairs = len(self.values)
        if n_pairs <= _ALL_PAIRS:
            return range(n_pairs)
        first = min(max(pair - _PAIRS_IN_VIEW // 2, 0), n_pairs - _PAIRS_IN_VIEW)
        return range(first, first + _PAIRS_IN_VIEW)


def terms_of(state: State) -> _Terms:
    """What each pair adds; unless pairings are mixed up it is the same from 0 on, whatever t."""
    t, s = places_of(state)
    if state.attention.pairing != "mixed":
        t, s = 0.0, s - t
    return _terms_of(rotary_of(state), vectors_of(state), t, s)


@kept
def _terms_of(rotary: Rotary, vectors: QueryAndKey, t: float, s: float) -> _Terms:
    return _Terms(tuple(pair_terms(rotary, vectors, t, s).tolist()), rotary.n_turning)


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
    shown = terms_of(state).in_view(chosen_pair(state))
    n_pairs = state.encoding.d_model // 2
    drawn = "{} to {} of {}".format(*map(whole, (shown[0], shown[-1], n_pairs)))
    return f" Drawn: pairs {drawn}, and their part of the running sum." if len(shown) < n_pairs else ""


def dial_block(state: State) -> Block:
    """The hands of the chosen pair before and after their turn, and what they add in numbers."""
    pair, rotary = chosen_pair(state), rotary_of(state)
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
    dial = Drawn(_dial_picture, ((query, key), between, color), _TALL, grows=True)
    return Column(
        (
            Words(f"Pair {whole(pair)}, {said}", "title", shorter=(f"Pair {whole(pair)}",)),
            Named(DIAL, Live(dial), degrees(between), ghosts=partial(_ghost_hands, state)),
            Live(Words(f"|q| |k| cos({degrees(abs(between))}) / √d", "label", across=0.5)),
            Live(Words(f"{factors} = {score_text(terms_of(state).values[pair], 4)}", "caption", "text2", 0.5)),
        ),
        gap=4.0,
    )


def bars_block(state: State, weight: str = "–") -> Block:
    """What each pair adds, the running sum, the dials that choose a pair, the score and its weight."""
    found = terms_of(state)
    pair = chosen_pair(state)
    n_pairs = state.encoding.d_model // 2
    shown, is_mixed = found.in_view(pair), state.attention.pairing == "mixed"
    legend = f"bar: this pair, line: sum so far{', grey: not turned' if found.n_turning < n_pairs else ''}"
    bars: Block = Drawn(_bars_picture, (found, pair), _TALL, grows=True)
    hands = Drawn(_strip_hands, (turned_vectors(state), found.n_turning, shown), _strip_height)
    strip = Layers((Drawn(_strip_dials, (n_pairs, shown, pair), _strip_height), Live(hands)))
    of = ("score of", "the cell") if words_of(state) else ("score of these", "two vectors")
    if state.reads_no_word and words_of(state):
        of = "score with", "nearest word"
    score = Column((Space(4.0), Words(score_text(found.score, 4), "message", across=1.0), *map(_caption, of)))
    totals = Column((score, Words(weight, "value", across=1.0), _caption("weight")))
    columns = (_column(found, one, is_pair=one < n_pairs, is_chosen=one == pair) for one in shown)
    places = in_row((_LEVELS, *(GROW,) * len(shown), _SCORE), Space(0.0), *columns, Space(0.0), gap=0.0)
    numbers = in_row((GROW, _SCORE), Space(0.0), Named("score", Live(totals), score_text(found.score, 4)), gap=0.0)
    plot = Column((Live(bars) if is_mixed else bars, strip))
    return Column(
        (
            in_row((GROW, GROW), Words("What each pair adds", "title"), Words(legend, "tick", "text2", 1.0)),
            Words(shown_pairs(state).strip(), "tick", "text2", is_paragraph=True),
            Layers((plot, places, numbers)),
            Formula(_MIXED_FORMULA if is_mixed else _FORMULA, 14, "text2"),
        ),
        gap=4.0,
    )


def _column(found: _Terms, pair: int, *, is_pair: bool, is_chosen: bool) -> Block:
    """The place of a bar, where a press chooses its pair."""
    value = score_text(found.values[pair], 4)
    sets = {"pair": pair} if is_pair else None
    return Named(f"pair {pair}", Space(0.0, grows=True), value, sets, is_chosen=is_chosen)


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
    return Dial(*area.middle, max(min(area.width / 2 - 30.0, area.height / 2 - 22.0), 4.0))


def turned_angles(state: State) -> tuple[float, ...] | None:
    """The angles of the turned query and key of the chosen pair; None where it doesn't turn."""
    turns = chosen_pair(state) < rotary_of(state).n_turning
    return tuple(hand.after[0] for hand in _hands(state)) if turns else None


def _dial_picture(
    area: Area, theme: Theme, hands: tuple[_Hand, _Hand], between: float, color: tuple[int, int] | None
) -> marks.Picture:
    """Faint hands before, solid ones after the turn, arcs of the turns, the angle between."""
    ink = theme.axis if color is None else theme.pair_color(*color)
    dial = dial_of(area)
    scale = _scale(dial, hands)
    (query, key), turned = hands, hands[0].after[0]
    # A narrow angle has its number on the other side of the centre.
    middle = turned + between / 2, 0.22 * dial.radius + 28.0
    if abs(between) < _NARROW:
        middle = middle[0] + math.pi, 30.0
    labels = [
        _Label(degrees(abs(between)), "value", theme.text, (middle,)),
        _Label("q", "strong", theme.text, _around(turned, scale * query.after[1])),
        _Label("k", "strong", theme.text, _around(key.after[0], scale * key.after[1])),
        *_turn_labels("t", query, scale, dial, 0.42, theme),
        *_turn_labels("s", key, scale, dial, 0.58, theme),
    ]
    picture = (
        dial.ring(theme.axis),
        *_turn(dial, query, scale, ink, theme, is_query=True),
        *_turn(dial, key, scale, ink, theme, is_query=False),
        marks.Arc(dial.x, dial.y, 0.22 * dial.radius, turned, between, theme.ink, 1.6),
        dial.hub(theme, 4.0, 2.0),
    )
    return (*picture, *_placed(area, dial, labels, picture))


def _scale(dial: Dial, hands: tuple[_Hand, _Hand]) -> float:
    """Pixels to a unit of length: the longest hand nearly reaches the edge."""
    return 0.94 * dial.radius / (max(length for hand in hands for _, length in hand[:2]) or 1.0)


def _ghost_hands(state: State, area: Area, preview: Preview, theme: Theme) -> marks.Picture:
    """Light hands where a press on what is under the pointer would turn query and key."""
    shown, dial = state.with_cursor(preview.moved(state.cursor)), dial_of(area)
    if shown.cursor == state.cursor:
        return ()
    query, key = hands = _hands(shown)
    look = _scale(dial, hands), theme.ghost, theme
    return (*_turn(dial, query, *look, is_query=True)[3:], *_turn(dial, key, *look, is_query=False)[3:])


class _Label(NamedTuple):
    """A text of the dial and where it may stand: angles and distances from the centre, the best first."""

    text: str
    role: str
    color: QColor
    places: tuple[tuple[float, float], ...]


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


def _around(angle: float, reach: float) -> tuple[tuple[float, float], ...]:
    """Angles and distances of points around the end of a hand, that beyond it first."""
    end = cmath.rect(reach, angle)
    ways = itertools.product((14.0, 19.0), (0, 1, -1, 2, -2, 3, -3))
    points = (end + cmath.rect(away, angle + turn * math.pi / 4) for away, turn in ways)
    return tuple((cmath.phase(point), abs(point)) for point in points)


def _turn_labels(letter: str, hand: _Hand, scale: float, dial: Dial, share: float, theme: Theme) -> tuple[_Label, ...]:
    """How far a hand was turned, along its arc or outside the dial, and that the faint one was before."""
    (before, reach), arc = hand.before, hand.arc
    side = math.copysign(0.26, arc)
    middle = before + arc / 2
    text = f"{letter}ω = {degrees(hand.turn)}"
    half = text_width("tick", text) / 2
    angles = [middle + step * side for step in (0, 1, -1, 2, -2, 3, -3, 4, -4)]
    along = [(angle, share * dial.radius + 20.0) for angle in angles]
    outside = [(angle, dial.radius + 12.0 + half * abs(math.sin(angle))) for angle in angles]
    return (
        _Label(text, "tick", theme.text2, (*along[:1], *outside[:3], *along[1:], *outside[3:])),
        _Label("before", "tick", theme.text3, ((before - side, scale * reach + 8.0), (before, scale * reach + 24.0))),
    )


def _placed(area: Area, dial: Dial, labels: list[_Label], hands: marks.Picture) -> list[marks.Text]:
    """Each label at the first place in the area where it covers no other and no hand; none for one without."""
    taken = taken_by(hands)
    found = list[marks.Text]()
    for label in labels:
        anchors = np.array([(*dial.tip(*place), 0.5) for place in label.places])
        free = free_label(label.role, (label.text,), anchors, area, taken)
        if free is not None:
            taken = taken.with_label(free[1])
            found.append(marks.centered(*free[1].middle, label.text, label.role, label.color))
    return found


def _plot_area(area: Area) -> Area:
    wide = max(area.width - _LEVELS - _SCORE, 20.0)
    tall = max(area.height - 16.0, 20.0)
    return Area(area.x + _LEVELS, area.y + 10.0, wide, tall)


def _bars_picture(area: Area, theme: Theme, found: _Terms, pair: int) -> marks.Picture:
    """The column of the chosen pair, levels, bars, the running sum and its end."""
    shown = found.in_view(pair)
    sums = np.cumsum((0.0, *found.values))[shown[0] : shown[-1] + 2] if shown else np.zeros(1)
    values = [found.values[one] for one in shown]
    low, high = (end([0.0, *values, *sums]) for end in (min, max))
    room = 0.06 * ((high - low) or 1.0)
    inner = _plot_area(area)
    plot = Plot(Axis(inner, 0.0, float(len(shown) or 1)), Axis(inner, low - room * (low < 0), high + room, "left"))
    levels = plot.y.level_ticks(max(plot.y.length / 6.0, 18.0))
    edges = np.repeat(np.arange(float(len(sums))), 2)[:-1]
    stairs = plot.points(edges, np.concatenate([sums[:1], np.repeat(sums[1:], 2)]))
    picture: marks.Marks = []
    slot = plot.x.length / (len(shown) or 1)
    zero = plot.y.place(0.0)
    if pair in shown:
        left = inner.x + (pair - shown[0]) * slot
        tall = area.height + _strip_height(area.width)
        picture.append(marks.Rectangle(left, area.y, slot, tall, theme.sunken, radius=4.0))
    picture += [plot.y.grid(levels, theme), *plot.y.labels(levels, theme), plot.y.line(0.0, theme.axis)]
    for place, (one, value) in enumerate(zip(shown, values, strict=True)):
        color = theme.pair_color(one, len(found.values)) if one < found.n_turning else theme.axis
        top = plot.y.place(value)
        x = inner.x + (place + 0.18) * slot
        tall = max(abs(top - zero), 0.75)
        picture.append(marks.Rectangle(x, min(top, zero), max(0.64 * slot, 1.0), tall, color))
    return (*picture, marks.Polyline(stairs, theme.ink, 1.8), marks.Dots(stairs[-1:], 4.5, theme.ink))


def _strip_height(width: float) -> float:
    return _STRIP if width >= _WITH_DIALS else _NUMBERS


def _dials(area: Area, n_pairs: int, shown: range) -> list[tuple[int, Dial]]:
    """The small dial of each pair in view."""
    inner = _plot_area(area)
    slot = inner.width / (len(shown) or 1)
    radius, y = min(slot / 2 - 1.5, 11.0), area.y + 16.0
    return [(one, Dial(inner.x + (place + 0.5) * slot, y, radius)) for place, one in enumerate(shown) if one < n_pairs]


def _strip_dials(area: Area, theme: Theme, n_pairs: int, shown: range, pair: int) -> marks.Picture:
    """A small dial of each pair in view, a ring around the chosen one, and the numbers of the pairs."""
    slot, y = _plot_area(area).width / (len(shown) or 1), area.bottom - 8.0
    picture: marks.Marks = [marks.Text(area.x, y, "pair i", "tick", theme.text3)]
    stride = max(math.ceil((text_width("flag", whole(n_pairs)) + 8.0) / slot), 1)
    for one, dial in _dials(area, n_pairs, shown):
        if area.width >= _WITH_DIALS:
            picture.append(dial.ring(theme.ink if one == pair else theme.line))
        if one == pair or ((one - shown.start) % stride == 0 and abs(one - pair) >= stride):
            role, ink = ("flag", theme.text) if one == pair else ("tick", theme.text2)
            picture.append(marks.centered(dial.x, y, whole(one), role, ink))
    return tuple(picture)


def _strip_hands(area: Area, theme: Theme, vectors: TurnedVectors, n_turning: int, shown: range) -> marks.Picture:
    """The query's and the key's hand on each small dial."""
    n_pairs, picture = len(vectors.query), marks.Marks()
    for one, dial in _dials(area, n_pairs, shown) if area.width >= _WITH_DIALS else ():
        color = theme.pair_color(one, n_pairs) if one < n_turning else theme.axis
        query, key = ((*hand[one].tolist(),) for hand in (vectors.turned_query, vectors.turned_key))
        scale = 0.9 * dial.radius / (max(math.hypot(*query), math.hypot(*key)) or 1.0)
        ends = np.array([(dial.x + scale * right, dial.y - scale * up) for up, right in (query, key)])
        dots = marks.Dots(ends[:1], 1.8, color), marks.Dots(ends[1:], 1.8, theme.panel, color, 1.0)
        picture += [dial.lines(ends, color, 1.3), *dots]
    return tuple(picture)
