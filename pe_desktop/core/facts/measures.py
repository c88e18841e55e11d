"""How the numbers of the fact cards are measured: each function takes a state and gives numbers, in float64."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final, TypeAlias

import numpy as np

from pe_desktop.core.columns import hand_columns
from pe_desktop.core.encoding import Floats, Pairs
from pe_desktop.core.facts.cards import CARDS, Line
from pe_desktop.core.lags import profile_at
from pe_desktop.core.measure.collisions import alias, close_offsets, disagreement_of_rows
from pe_desktop.core.measure.distance_law import distance_law, turn_of_differences
from pe_desktop.core.measure.measurements import measure
from pe_desktop.core.measure.periodic import pairs_of, turning_within
from pe_desktop.core.measure.scales import hands_per_decade
from pe_desktop.core.measure.schemes import measure_scheme
from pe_desktop.core.precision.measured import frequency_error
from pe_desktop.core.rotation import rotation_blocks, rotation_matrix, shift_residuals
from pe_desktop.core.scores.attention import attended, moved
from pe_desktop.core.scores.head import Head
from pe_desktop.core.scores.look_back_rows import find_peaks, memorised
from pe_desktop.core.scores.rotary import query_and_key
from pe_desktop.core.scores.term_ranges import term_ranges
from pe_desktop.core.similarity import diagonal_spread, similarity_pair
from pe_desktop.core.state import State, state_of

Numbers: TypeAlias = tuple[float, ...]


@cache
def measured(key: str) -> tuple[Numbers, ...]:
    """The numbers of every line of a card, in their order."""
    card = CARDS[key]
    return tuple(_line_numbers(line, card.assignments) for line in card.lines)


def _line_numbers(line: Line, assignments: Mapping[str, str]) -> Numbers:
    common = {} if "kind" in line.assignments else assignments
    state = state_of({**common, **line.assignments})
    return tuple(map(float, MEASURES[line.measure](state, **line.parameters)))


def _entries(state: State, positions: Sequence[float], dimension: int) -> Floats:
    """One column of the table."""
    return state.encoding.values(positions, [dimension])[:, 0]


def _step(state: State, first: float, second: float, dimension: int) -> Numbers:
    """The change of one dimension from a position to another."""
    one, other = _entries(state, [first, second], dimension)
    return (other - one,)


def _columns_apart(state: State, first: int, second: int) -> Numbers:
    """The largest difference of two columns over the table."""
    table = state.encoding.values(range(state.encoding.n_positions), [first, second])
    return (np.abs(table[:, 0] - table[:, 1]).max(),)


def _column_apart_in(state: State, dimension: int, d_model: int) -> Numbers:
    """The largest difference of one column in this width and in another one."""
    positions = range(state.encoding.n_positions)
    other = state_of({"n_positions": str(len(positions)), "d_model": str(d_model)})
    return (np.abs(_entries(state, positions, dimension) - _entries(other, positions, dimension)).max(),)


def _lengths(state: State, positions: Sequence[float]) -> Floats:
    """The lengths of vectors."""
    norms: Floats = np.linalg.norm(state.encoding.values(positions), axis=1)
    return norms


def _length_range(state: State) -> Numbers:
    """Smallest and largest length of all vectors of the table."""
    norms = _lengths(state, range(state.encoding.n_positions))
    return norms.min(), norms.max()


def _distances(state: State, offsets: Sequence[float]) -> Floats:
    """The distance of two positions, by offset."""
    return profile_at(state.encoding, "distance", offsets)


def _dots(state: State, pairs: Sequence[tuple[float, float]]) -> Numbers:
    """Dot products of pairs of positions, from their table values."""
    return tuple(similarity_pair(state.encoding, "dot", one, other) for one, other in pairs)


def _spread(state: State, measure: str, offset: float) -> Numbers:
    """The spread of a similarity along the diagonal of an offset."""
    found = diagonal_spread(state.encoding, measure, offset)
    assert found is not None  # it isn't cancelled
    return (found.spread,)


def _frequencies(state: State, pairs: Sequence[int]) -> Floats:
    return pairs_of(state.encoding).angular_frequencies[list(pairs)]


def _wavelengths(state: State, pairs: Sequence[int]) -> Floats:
    return pairs_of(state.encoding).wavelengths[list(pairs)]


def _ratios(state: State) -> Numbers:
    """The least and the largest quotient of the frequency of a pair and of the one before it."""
    omega = pairs_of(state.encoding).angular_frequencies
    quotients = omega[1:] / omega[:-1]
    return quotients.min(), quotients.max()


def _turns(state: State, pair: int, offset: float) -> Numbers:
    """How many turns a hand makes over an offset."""
    return (offset / pairs_of(state.encoding).wavelengths[pair],)


def _chords(state: State, pair: int, offsets: Sequence[float]) -> Floats:
    """The distance of the tip of a hand from its start, after each offset."""
    hands = _hands(pairs_of(state.encoding), [0.0, *offsets], pair)
    chords: Floats = np.linalg.norm(hands[1:] - hands[0], axis=1)
    return chords


def _nearest_return(state: State, pair: int) -> Numbers:
    """The offset after which a hand is nearest to its start, and the chord that is left."""
    chords = _chords(state, pair, range(1, state.encoding.n_positions))
    return int(chords.argmin()) + 1, chords.min()


def _turning(state: State) -> Numbers:
    """How many hands turn once within the table, and how many there are."""
    pairs = pairs_of(state.encoding)
    return turning_within(state.encoding, pairs), pairs.count


def _nearest(state: State) -> Numbers:
    """The smallest distance of two positions, and their offset, over the whole table."""
    found = close_offsets(state.encoding)
    assert found is not None  # it isn't cancelled
    return found.distances[0], found.offsets[0]


def _property(state: State, key: str) -> Numbers:
    """The number of one of the seven properties."""
    found = measure(state.encoding)
    assert found is not None  # it isn't cancelled
    number = next(one.number for one in found if one.key == key)
    return (math.nan if number is None else number,)


def _distance_line(state: State) -> Numbers:
    """R² of a line through the distances, k = 0 left out and counted; steps down, of how many; the farthest offset."""
    law = distance_law(state.encoding)
    assert law is not None  # it isn't cancelled
    assert law.line is not None
    assert law.line_from_zero is not None
    line, from_zero = law.line.r_squared, law.line_from_zero.r_squared
    return line, from_zero, len(law.steps_down), len(law.distances) - 1, law.farthest


def _shares(state: State, edges: Sequence[int]) -> Floats:
    """The share of the hands between each edge and the next in the squared distance of t and t + k."""
    position, offset = state.cursor.position, state.cursor.offset
    here, there = state.encoding.values([position, position + offset])
    sums: Floats = np.add.reduceat(disagreement_of_rows(state.encoding, there - here).shares, edges)
    return sums


def _vectors_apart(state: State, first: float, second: float, offset: float) -> Numbers:
    """The lengths of two difference vectors over one offset, and how far the vectors themselves are apart."""
    rows = state.encoding.values([first, first + offset, second, second + offset])
    turn = turn_of_differences(rows[1] - rows[0], rows[3] - rows[2])
    return turn.length, turn.other_length, turn.apart


def _sum_apart(state: State, first: float, second: float) -> Numbers:
    """How far the sum of two vectors is from the vector of the sum of their positions."""
    one, other, both = state.encoding.values([first, second, first + second])
    return (float(np.linalg.norm(one + other - both)),)


def _residual(state: State, offset: float) -> Numbers:
    """The largest |M_k p_t - p_(t+k)| over all entries and all t of the table."""
    return (shift_residuals(state.encoding, offset, range(state.encoding.n_positions)).max(),)


def _residual_of_another(state: State, offset: float, used: float) -> Numbers:
    """The largest entry of M_j p_t - p_(t+k) where j is used in place of k, over all t of the table."""
    table = state.encoding.values(range(state.encoding.n_positions))
    wanted = state.encoding.values([t + offset for t in range(state.encoding.n_positions)])
    return (np.abs(table @ rotation_matrix(state.encoding, used).T - wanted).max(),)


def _block_entries(state: State, offset: float) -> Numbers:
    """The largest difference between the blocks of M_k and the numbers of the row at position k."""
    sines, cosines = state.encoding.values(offset)[0, hand_columns(state.encoding)].T
    blocks = np.stack([np.stack([cosines, sines], axis=1), np.stack([-sines, cosines], axis=1)], axis=1)
    return (np.abs(rotation_blocks(state.encoding, offset) - blocks).max(),)


def _product_and_cosine(state: State, pair: int, first: float, second: float) -> Numbers:
    """v(p) · v(q) of one pair, and the cosine of ω (p − q)."""
    pairs = pairs_of(state.encoding)
    one, other = _hands(pairs, [first, second], pair)
    return float(one @ other), math.cos(float(pairs.angular_frequencies[pair]) * (first - second))


def _dot_from_one(state: State, offset: float) -> Numbers:
    """The sum of cos(k ω_n) where n runs from 1 to d/2 instead of from 0 to d/2 − 1."""
    base, d_model = float(state.encoding.parameters["base"]), state.encoding.d_model
    exponents = np.arange(1, d_model // 2 + 1) * (-2.0 / d_model)
    return (math.fsum(np.cos(offset * base**exponents)),)


def _powers(state: State) -> Numbers:
    """The largest denominator base^(2i/d)."""
    return (1.0 / pairs_of(state.encoding).angular_frequencies[-1],)


def _frequency_error(state: State, form: str) -> Numbers:
    """The largest relative error of a frequency that is computed in float32, as an exponential or as a power."""
    error = frequency_error(state.encoding, form)
    return (math.nan if error is None else error,)


def _float32_step(state: State, value: float) -> Numbers:
    """The step from a number to the next float32."""
    return (float(np.spacing(np.float32(value))),)


def _revival(state: State) -> Numbers:
    """The return of evenly spaced hands: 2π over their step, the nearest whole offset, the distance left there."""
    found = alias(state.encoding)
    assert found is not None  # the card has even spacing
    return found.predicted, found.offset, found.distance


def _per_decade(state: State) -> Numbers:
    """Hands for each tenfold of wavelength."""
    return (hands_per_decade(state.encoding).per_decade,)


def _moved_words(state: State) -> Numbers:
    """The largest difference of outputs between the sentence and its words in another order, put back."""
    return (moved(state.attention, state.encoding).difference,)


def _moved_in_place(state: State) -> Numbers:
    """The same without putting the outputs back in order."""
    attention, encoding = state.attention, state.encoding
    written = attended(attention, encoding, tuple(range(len(attention.words)))).outputs
    return (np.abs(written - attended(attention, encoding, attention.places).outputs).max(),)


def _scheme_spread(state: State) -> Numbers:
    """The spread of the score of one query and key along an offset, under the scheme of the state."""
    number = next(one.number for one in measure_scheme(state) if one.key == "shift_invariant")
    return (math.nan if number is None else number,)


def _projected_spread(state: State, offset: float) -> Numbers:
    """The spread of (W_Q p_t) · (W_K p_(t+k)) / √d over t."""
    ranges = term_ranges(
        Head(state.encoding.d_model, state.attention.word_seed), state.encoding, query_and_key(state), offset
    )
    assert ranges is not None  # the card's table has such positions
    return (ranges.terms[-1].spread,)


def _peaks(state: State, places: int) -> Numbers:
    """In how many rows the score peaks at t − n, and of how many."""
    found = find_peaks(state.encoding, places)
    assert found is not None  # it isn't cancelled
    return found.n_peaking, found.n_rows


def _memorised(state: State, places: int) -> Numbers:
    """In how many rows a matrix that was fitted to learned vectors peaks beyond them, and of how many."""
    found = memorised(state.encoding.d_model, places).new
    return found.n_peaking, found.n_rows


def _hands(pairs: Pairs, positions: Sequence[float], pair: int) -> Floats:
    return pairs.hands(positions, [pair])[:, 0]


MEASURES: Final[Mapping[str, Callable[..., Sequence[float] | Floats]]] = {
    "entries": _entries,
    "step": _step,
    "columns-apart": _columns_apart,
    "column-apart-in": _column_apart_in,
    "lengths": _lengths,
    "length-range": _length_range,
    "distances": _distances,
    "dots": _dots,
    "spread": _spread,
    "frequencies": _frequencies,
    "wavelengths": _wavelengths,
    "ratios": _ratios,
    "turns": _turns,
    "chords": _chords,
    "nearest-return": _nearest_return,
    "turning": _turning,
    "nearest": _nearest,
    "property": _property,
    "distance-line": _distance_line,
    "shares": _shares,
    "vectors-apart": _vectors_apart,
    "sum-apart": _sum_apart,
    "residual": _residual,
    "residual-of-another": _residual_of_another,
    "block-entries": _block_entries,
    "product-and-cosine": _product_and_cosine,
    "dot-from-one": _dot_from_one,
    "powers": _powers,
    "frequency-error": _frequency_error,
    "float32-step": _float32_step,
    "revival": _revival,
    "per-decade": _per_decade,
    "moved-words": _moved_words,
    "moved-in-place": _moved_in_place,
    "scheme-spread": _scheme_spread,
    "projected-spread": _projected_spread,
    "peaks": _peaks,
    "memorised": _memorised,
}
