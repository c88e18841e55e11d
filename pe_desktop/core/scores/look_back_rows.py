"""Rows of a head that looks back, measured key by key, of any encoding; whether other positions can look back."""

import math
from collections.abc import Mapping
from typing import Final

import numpy as np

from pe_desktop.core.encoding import ROUNDING, Encoding, Floats, Integers, slices
from pe_desktop.core.fields.field import even_sample
from pe_desktop.core.kinds.ablations import OneWaveEncoding
from pe_desktop.core.kinds.naive import BitsEncoding, CounterEncoding, RandomEncoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.lags import IsCancelled, never, stop_if
from pe_desktop.core.record import record
from pe_desktop.core.scores.attention import word_vectors
from pe_desktop.core.scores.look_back import GAINS, Peaks, RowFacts, Shift, find_drops, holds_sums, look_back_shift
from pe_desktop.core.source.cards import memorised

# Multiplications of a whole table of scores, each of which costs as much as _SCORE_COST dimensions besides.
_TABLE_COST: Final = 2**34
_SCORE_COST: Final = 128
# A sample of a larger table: multiplications, with what a score costs besides, in dimensions; its rows at least; values
# of its keys, and keys beside t - n.
_SAMPLE_COST: Final = 2**28
_PRODUCT_COST: Final = 32
_FEWEST_ROWS: Final = 8
_KEY_CELLS: Final = 2**22
_NEIGHBOURS: Final = 32
# Values of queries, and scores, held at once.
_QUERY_CELLS: Final = 2**21
_SCORES: Final = 2**18


@record(eq=False)
class Rows:
    """Some rows of a head that is measured key by key: what RowFacts says of each, shape (n_rows,).

    log_sums: the logarithm of the sum of exp(gain score / sqrt(d)) over all keys, shape (len(GAINS), n_rows).
    n_keys: how many keys were compared, all of the table or an even sample.
    """

    shift: Shift
    positions: Integers
    scores: Floats
    seconds: Floats
    log_sums: Floats
    n_keys: int

    @property
    def highest_weight(self) -> float:
        """The largest weight of all rows at the usual gain."""
        heights = np.fmax(self.scores, self.seconds) / math.sqrt(self.shift.encoding.d_model)
        return float(np.exp(heights - self.log_sums[0]).max())

    def row(self, t: int) -> RowFacts | None:
        """One row; None where it is not among these."""
        place = int(np.searchsorted(self.positions, t))
        if place == len(self.positions) or self.positions[place] != t:
            return None
        score, second = float(self.scores[place]), float(self.seconds[place])
        if self.n_keys < self.shift.encoding.n_positions:
            return RowFacts(score, second, None, self.n_keys)
        factors = [gain / math.sqrt(self.shift.encoding.d_model) for gain in GAINS]
        sums = self.log_sums[:, place].tolist()
        weights = (math.exp(factor * score - one) for factor, one in zip(factors, sums, strict=True))
        return RowFacts(score, second, tuple(weights))

    def peaks(self) -> Peaks:
        """In how many of these rows the score at s = t - n exceeds all others."""
        is_asked = ~np.isnan(self.scores)
        scores, seconds = self.scores[is_asked], self.seconds[is_asked]
        size = np.fmax(np.abs(scores), np.abs(seconds))
        # One position alone has no other key.
        is_peak = np.isnan(seconds) | (scores - seconds > ROUNDING * size)
        n_positions = self.shift.encoding.n_positions
        is_sample = len(scores) < n_positions - self.shift.places or self.n_keys < n_positions
        return Peaks(int(np.count_nonzero(is_peak)), len(scores), is_sample)


def holds_weights(encoding: Encoding) -> bool:
    """Whether the weights of every row are computed: they add up all keys."""
    if encoding.is_shift_invariant:
        return holds_sums(encoding)
    return encoding.n_positions**2 * (encoding.d_model + _SCORE_COST) <= _TABLE_COST


def weighs_rows(encoding: Encoding) -> bool:
    """Whether the weights of one row at a time are computed."""
    if encoding.is_shift_invariant:
        return holds_weights(encoding)
    return encoding.n_positions <= _KEY_CELLS // encoding.d_model


def find_rows(encoding: Encoding, places: int, is_cancelled: IsCancelled = never) -> Rows:
    """All rows of a head against all keys, or a sample of both where they are too many."""
    shift = look_back_shift(encoding, places)
    if not holds_weights(encoding):
        return _sampled_rows(shift, is_cancelled)
    every = np.arange(encoding.n_positions)
    return _measured_rows(shift, every, every, is_cancelled)


def find_row(encoding: Encoding, places: int, t: int, is_cancelled: IsCancelled = never) -> RowFacts | None:
    """One row of a long table against all keys, or a sample of them."""
    shift, rows = look_back_shift(encoding, places), np.array([t])
    keys = _compared_keys(shift, rows, _KEY_CELLS // encoding.d_model)
    return _measured_rows(shift, rows, keys, is_cancelled).row(t)


def _sampled_rows(shift: Shift, is_cancelled: IsCancelled) -> Rows:
    encoding, places = shift.encoding, shift.places
    n_keys = min(encoding.n_positions, _KEY_CELLS // encoding.d_model)
    n_rows = max(_SAMPLE_COST // (n_keys * (encoding.d_model + _PRODUCT_COST)), _FEWEST_ROWS)
    rows = even_sample(encoding.n_positions - places, n_rows) + places
    return _measured_rows(shift, rows, _compared_keys(shift, rows, n_keys), is_cancelled, gains=())


def _compared_keys(shift: Shift, rows: Integers, most: int) -> Integers:
    """All keys where they are at most so many, else an even sample and the neighbours of t - n, ascending."""
    n_positions = shift.encoding.n_positions
    keys = even_sample(n_positions, most)
    if len(keys) == n_positions:
        return keys
    near = (rows[:, None] - shift.places + np.arange(-_NEIGHBOURS, _NEIGHBOURS + 1)).reshape(-1)
    return np.union1d(keys, near[(near >= 0) & (near < n_positions)])


def _measured_rows(
    shift: Shift, positions: Integers, keys: Integers, is_cancelled: IsCancelled = never, gains: tuple[int, ...] = GAINS
) -> Rows:
    """Rows at some positions, ascending, from products of vectors with some keys and the key at t - n."""
    encoding, wanted = shift.encoding, positions - shift.places
    factors = np.array(gains) / math.sqrt(encoding.d_model)
    scores, seconds = np.full((2, len(positions)), np.nan)
    log_sums = np.full((len(factors), len(positions)), -np.inf)
    for part in slices(len(positions), _QUERY_CELLS // encoding.d_model):
        queries = shift.queries(positions[part])
        own = np.einsum("nd,nd->n", queries, encoding.values(np.maximum(wanted[part], 0)))
        scores[part] = np.where(wanted[part] >= 0, own, np.nan)
        log_sums[:, part] = np.where(wanted[part] >= 0, np.multiply.outer(factors, own), -np.inf)
        for some in slices(len(keys), _SCORES // encoding.d_model):
            others = keys[some]
            vectors = encoding.values(others).T
            for piece in slices(len(queries), _SCORES // len(others)):
                stop_if(is_cancelled)
                rows = slice(part.start + piece.start, min(part.start + piece.stop, part.stop))
                products = queries[piece] @ vectors
                largest, sums = _compared(products, wanted[rows], others, factors)
                seconds[rows] = np.fmax(seconds[rows], largest)
                log_sums[:, rows] = np.logaddexp(log_sums[:, rows], sums)
    return Rows(shift, positions, scores, seconds, log_sums, len(keys))


def _compared(products: Floats, wanted: Integers, others: Integers, factors: Floats) -> tuple[Floats, Floats]:
    """Of every row the largest product with another key than that at t - n, nan where there is none.

    And for each factor the logarithm of the sum of exponentials, shape (len(factors), n_rows).
    """
    places = np.searchsorted(others, wanted)
    is_own = others[np.minimum(places, len(others) - 1)] == wanted
    products[np.flatnonzero(is_own), places[is_own]] = -np.inf
    largest = products.max(axis=1)
    sums = np.full((len(factors), len(products)), -np.inf)
    has_others = np.isfinite(largest)
    rests = products[has_others] - largest[has_others, None]
    for row, factor in zip(sums, factors, strict=True):
        row[has_others] = factor * largest[has_others] + np.log(np.exp(factor * rests).sum(axis=1))
    return np.where(has_others, largest, np.nan), sums


def _find_peaks(encoding: Encoding, places: int, is_cancelled: IsCancelled = never) -> Peaks:
    """Where the rows of any encoding peak: all of them, or as many as a sample has."""
    if encoding.is_shift_invariant:
        return find_drops(encoding, is_cancelled).peaks(places)
    return _sampled_rows(look_back_shift(encoding, places), is_cancelled).peaks()


# Wider vectors and unrestricted matrices take longer than anybody waits for.
WIDEST_OTHERS: Final = 512


def other_positions(n_positions: int, d_model: int) -> Mapping[str, Encoding]:
    """Six encodings by their names, of so many positions and about so many dimensions, at most WIDEST_OTHERS."""
    d_model = min(d_model, WIDEST_OTHERS)
    even = max(d_model - d_model % 2, 2)
    return {
        "Sinusoidal (paper)": SinusoidalEncoding(n_positions, even),
        "Linear spacing": SinusoidalEncoding(n_positions, even, spacing="linear"),
        "Sine only": OneWaveEncoding(n_positions, d_model),
        "Binary code": BitsEncoding(n_positions, max(d_model, BitsEncoding.least_width(n_positions))),
        "Counter t": CounterEncoding(n_positions, d_model),
        "Random vectors": RandomEncoding(n_positions, d_model),
    }


def _memorised(d_model: int, places: int) -> tuple[Peaks, Peaks]:
    """In how many rows a matrix peaks that was fitted to random vectors of these, and of as many rows after them.

    Without a residual, at t = n, ..., n + d - 1; keys are the positions of all these rows and those n before them.
    """
    encoding = RandomEncoding(2 * d_model + places, d_model)
    wanted = np.arange(2 * d_model)
    drawn = encoding.values(np.union1d(wanted, wanted + places))
    fitted, new, n_rows = map(int, memorised(drawn, d_model))
    return Peaks(fitted, n_rows), Peaks(new, n_rows)


# Positions with a word each among which the peaks are counted.
_MOST_WITH_WORDS: Final = 256


def _among_words(encoding: Encoding, places: int, words: tuple[str, ...], seed: int) -> tuple[Peaks, Peaks]:
    """Where the first positions peak with the words of a sentence added, again and again from its beginning.

    As they are, and where W_Q and W_K leave out all that the words are made of.
    """
    positions = np.arange(min(encoding.n_positions, _MOST_WITH_WORDS))
    x = word_vectors(words, encoding.d_model, seed)
    shift = look_back_shift(encoding, places)
    sums = x[positions % len(words)] + encoding.values(positions)
    # Directions of all words: no more than d_model of them are independent.
    across, sizes, _ = np.linalg.svd(x.T, full_matrices=False)
    across = across[:, sizes > ROUNDING * sizes[0]]
    leads = [_leads(shift, one) for one in (sums, sums - sums @ across @ across.T)]
    added, extracted = (Peaks(int(np.count_nonzero(lead > ROUNDING)), len(lead)) for lead in leads)
    return added, extracted


def _leads(shift: Shift, vectors: Floats) -> Floats:
    """By how much the score at t - n is larger than all others, of each row that has it, for vectors at 0, 1, ..."""
    scores = shift.turned(vectors)[shift.places :] @ vectors.T
    own = np.diagonal(scores).copy()
    np.fill_diagonal(scores, -np.inf)
    return np.asarray(own - scores.max(axis=1, initial=-np.inf))


@record(eq=False)
class Others:
    """The peaks of the six encodings by their names, and of a matrix that is fitted to random vectors.

    fitted: its rows that it takes to those n before them; new: as many rows after these. among: of the first encoding
    with words added, as they are and with words left out, where there are words.
    """

    peaks: Mapping[str, Peaks]
    fitted: Peaks
    new: Peaks
    among: tuple[Peaks, Peaks] | None = None


def find_others(
    n_positions: int, d_model: int, places: int, words: tuple[str, ...], seed: int, is_cancelled: IsCancelled = never
) -> Others:
    """The peaks of the six encodings, of the unrestricted matrix, and of the paper's with words added."""
    others = other_positions(n_positions, d_model)
    peaks = {name: _find_peaks(encoding, places, is_cancelled) for name, encoding in others.items()}
    among = _among_words(next(iter(others.values())), places, words, seed) if words else None
    return Others(peaks, *_memorised(min(d_model, WIDEST_OTHERS), places), among)
