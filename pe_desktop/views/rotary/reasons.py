"""The page of reasons: why positions are turned and no longer added, each with a picture."""

import math
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.rotation import rotating_pairs, shift_residuals, turn_refusal
from pe_desktop.core.scores.attention import Head
from pe_desktop.core.scores.rotary import QueryAndKey, added_of, places_of, vectors_of
from pe_desktop.core.scores.rotary_scores import few_positions
from pe_desktop.core.scores.schemes import Rotary, Scheme
from pe_desktop.core.source.vectors import early_addition
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Grid, Live, Named, Space, Words, in_row
from pe_desktop.draw.number_text import fixed, position, scientific, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, with_alpha
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.resources import resource_json
from pe_desktop.views.map_and_profile import half_text
from pe_desktop.views.questions import never_turned_words, turned, words_question
from pe_desktop.views.rotary.terms import matched

# Each reason, and what it is.
_REASONS: Final = resource_json("help.json")["views"]["rotary"]["why"]
# From this width on text and picture stand side by side, and how wide the text is there.
_SIDE_BY_SIDE, _TEXT = 560.0, 250.0
# The height of a bar, and of a curve at least.
_BAR, _TALL = 32.0, 60.0
# Hands on dials, how many stand in a row, and the pixels of one: the least and the most.
_MOST_DIALS, _ACROSS = 32, 8
_DIAL, _LARGEST_DIAL = 30.0, 84.0
# Of an arc beyond the trained length.
_PALE: Final = 0.35


def questions(state: State) -> Questions:
    """The words; the scores over an even sample of the t with t and t + k in the table, t where there are none."""
    t, s = places_of(state)
    positions = tuple(few_positions(state.encoding, t, s).tolist())
    of = added_of(state), matched(state), vectors_of(state), positions, s - t
    is_quick = Head(state.encoding.d_model).is_kept
    return words_question(state), Question("reasons", _scores, of, is_quick=is_quick, takes="nothing")


def page(state: State, answers: Answers) -> Block:
    """Each reason with its numbers and its picture, then how R(k) and M_k turn."""
    positions, *scores = answers.answer(questions(state)[-1]) or (np.empty(0),) * 3
    title = Words("Why positions are turned, not added", "title", is_for_screen=True)
    pictures = _share_bars(state), _curves(state, positions, *scores), _dials(state)
    texts, named = [], []
    for (name, words), (added, rotary) in zip(_REASONS.items(), _evidence(state, *scores), strict=True):
        said = f"Added: {added}", f"RoPE: {rotary}"
        lines = (Live(Words(line, "tick", "text2", shorter=(line.replace(" in training", ""),))) for line in said)
        texts.append(Column((Words(name, "strong"), flow.paragraph(words), *lines), gap=4.0))
        named.append(Named(name, value="; ".join(said)))
    both = tuple(zip(texts, pictures, strict=True))
    places = tuple(named)
    beside = Grid((_TEXT, GROW), both, places, gap=24.0, between=14.0)
    below = Grid((GROW,), tuple((Column(parts, gap=4.0),) for parts in both), places, between=12.0)
    return Column((title, Fits((beside, below), (_SIDE_BY_SIDE, 0.0)), _inverse(state)), gap=10.0)


def _share_bars(state: State) -> Block:
    """How much of a query is position, added and turned."""
    share, _change = _shares(state)
    bars = (("Added", share), ("RoPE", 0.0))
    rows = [(Words(name, "tick", "text2"), Live(Drawn(_bar, (part,), _BAR))) for name, part in bars]
    ends = in_row((GROW, FIT), Words("word", "tick", "text3"), Words("position", "tick", "text3"))
    title = Words("What a query is made of", "segment", "text2")
    return Column((title, Grid((FIT, GROW), (*rows, (Space(0.0), ends)))), gap=6.0)


def _bar(area: Area, theme: Theme, share: float) -> marks.Picture:
    wide = share * area.width
    filled = marks.Rectangle(area.right - wide, area.y, wide, area.height, theme.ink)
    return marks.Rectangle(*area, theme.sunken), filled


def _curves(state: State, positions: Floats, added: Floats, rotary: Floats) -> Block:
    """The score of the query and the key at one offset, wherever they stand; nothing while it is measured."""
    t, s = places_of(state)
    ends = [0.0, *added.tolist(), *rotary.tolist()]
    # t counts from the first word, which may stand elsewhere in the table.
    at, first = state.cursor.position, t - state.cursor.position
    curves = Curve("", positions - first, added, "text3", 1.4), Curve("", positions - first, rotary, is_chosen=True)
    last = max(state.encoding.n_positions - 1.0, 1.0)
    scale = Scale("position t", -first, last - first, ticks="positions", sets="position")
    levels = Scale("", min(ends), max(ends) if any(ends) else 1.0)
    title = f"Score at k = {position(s - t)}"
    note = "thin: Added, thick: RoPE"
    return Live(Chart(title, scale, levels, curves, at, note, _TALL, name="score at one offset", grows=True))


def _scores(
    added: Scheme, turned: Scheme, vectors: QueryAndKey, positions: tuple[float, ...], k: float
) -> tuple[Floats, Floats, Floats]:
    t = np.array(positions)
    one, other = (np.diagonal(scheme.between(*vectors.both, t, t + k)) for scheme in (added, turned))
    return t, one, other


def _shares(state: State) -> list[float]:
    """How much of q + p is position, and by how much a turn changes |q|."""
    turned = Rotary(state.encoding).turned
    query = vectors_of(state).both[0][None]
    found: list[float] = early_addition(turned, query, state.encoding.values, state.cursor.position).tolist()
    return found


def _dials(state: State) -> Block:
    """How far each hand turns within the table, or an even sample of them."""
    every = _frequencies(state)
    pairs = range(0, len(every), math.ceil(len(every) / _MOST_DIALS) or 1)
    count = len(pairs)
    hands = "Each hand" if count == len(every) else f"{count} of {whole(len(every))} hands"
    last = state.encoding.n_positions - 1.0
    trained = min(state.trained_length - 1.0, last) if state.trained_length else last
    reach = f"{hands} from t = 0 to {position(last)}"
    reach += f", pale from {position(trained)} on" if trained < last else ""
    title = Words(f"{reach}; a thick ring is a whole turn", "segment", "text2", shorter=(reach, hands))
    dials = [_named_dial(pair, float(every[pair]), (trained, last), state.cursor.pair, len(every)) for pair in pairs]
    dials += [Space(0.0)] * (-count % _ACROSS)
    rows = tuple(tuple(dials[place : place + _ACROSS]) for place in range(0, len(dials), _ACROSS))
    return Column((title, Grid((GROW,) * _ACROSS, rows, gap=0.0, between=0.0)), gap=6.0)


def _named_dial(pair: int, omega: float, ends: tuple[float, float], chosen: int, n_pairs: int) -> Block:
    """How far a hand turns up to the last trained t and to the last of the table; a press chooses its pair."""
    dial = Drawn(_turned_dial, (tuple(min(omega * end, math.tau) for end in ends), pair, n_pairs), _DIAL, grows=True)
    block = flow.Layers((flow.Ground(), dial)) if pair == chosen else dial
    return Named(f"ring {pair}", block, turned(omega * ends[1]), {"pair": pair}, is_chosen=pair == chosen)


def _frequencies(state: State) -> Floats:
    """The angular frequencies of the hands, shape (n,); (0,) without hands."""
    pairs = rotating_pairs(state.encoding) or Rotary(state.encoding).pairs
    return np.zeros(0) if pairs is None else pairs.angular_frequencies


def _turned_dial(area: Area, theme: Theme, turns: tuple[float, float], place: int, count: int) -> marks.Picture:
    """A dial with the arc that a hand runs through, thick where it is whole; after the last trained t it is pale."""
    seen, turn = turns
    x, y = area.middle
    radius = max(min(area.width, area.height, _LARGEST_DIAL) / 2 - 4.0, 1.0)
    ink = theme.pair_color(place, count)
    return (
        marks.Dots.at(x, y, radius, None, theme.line, 1.0),
        marks.Arc(x, y, radius, 0.0, seen, ink, 4.0 if seen == math.tau else 2.0),
        marks.Arc(x, y, radius, seen, turn - seen, with_alpha(ink, _PALE), 2.0),
    )


def _evidence(state: State, *scores: Floats) -> tuple[tuple[str, str], ...]:
    """The numbers of each reason, for added positions and for RoPE."""
    encoding = state.encoding
    share, change = _shares(state)
    omegas = _frequencies(state)
    count = len(omegas)
    never = int(np.count_nonzero(omegas * encoding.n_positions < math.tau))
    turns = f"{whole(never)} of {whole(count)} hand{'' if count == 1 else 's'} turned less than once"
    pairs = rotating_pairs(encoding) or Rotary(encoding).pairs
    if state.trained_length and pairs is not None:
        turns = never_turned_words(pairs, state.trained_length)
    halves = (half_text(np.ptp(one) / 2) if len(one) else "" for one in scores)
    added, turned = (f"the score varies by {half} along t" if half else "measuring…" for half in halves)
    stays = "0 %: its length stays" + (f", off by {scientific(change)}" if change else "")
    is_position = f"{fixed(100 * share, 1)} % of a query is position"
    return (is_position, stays), (added, turned), (turns, "the same hands")


def _inverse(state: State) -> Block:
    """That R(k) of RoPE turns the other way than M_k of the encoding, or why there is no M_k."""
    encoding = state.encoding
    refusal = turn_refusal(encoding)
    if refusal is not None:
        return flow.paragraph(refusal)
    # The largest |R(k) PE(t) - PE(t - k)| over all pairs.
    missed = float(shift_residuals(encoding, -state.cursor.offset, [state.cursor.position])[0])
    miss = f"{scientific(missed)}, rounding only" if missed else "0"
    said = f"RoPE turns back: M(k) PE(t) is PE(t + k), R(k) PE(t) is PE(t − k), here off by {miss}."
    line = f"largest |R(k) PE(t) - PE(t - k)|\t{missed!r}"
    return Column((Live(Words(said, "caption", "text2", n_lines=2)), flow.Copied((line,))))
