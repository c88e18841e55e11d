"""How the numbers of the fact cards are measured: by functions of core/source, each in the state of its line."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final

import numpy as np

from pe_desktop.core.facts.cards import CARDS, Card, Line, Numbers
from pe_desktop.core.kinds.naive import RandomEncoding
from pe_desktop.core.lags import IsCancelled, never
from pe_desktop.core.learning.run import Run
from pe_desktop.core.learning.shown import run_of
from pe_desktop.core.learning.training import losses_at_change, train
from pe_desktop.core.listings.arrays import check, four_terms, inputs, outputs, scores_at
from pe_desktop.core.listings.names import bound, call, formatted_rows, omega, rows, single, unscaled, words
from pe_desktop.core.listings.program import Call, by_name, computed
from pe_desktop.core.measuring.measurements import analyse
from pe_desktop.core.rotation import shift_report
from pe_desktop.core.source import arrays, cards, drawn, formats, panels
from pe_desktop.core.state import State, state_of


@cache
def measured(key: str) -> tuple[Numbers, ...]:
    """The numbers of every line of a card, in their order."""
    card = CARDS[key]
    return tuple(numbers_in(line.measure, line.parameters, _line_state(line, card)) for line in card.lines)


def card_calls(card: Card) -> tuple[Call, ...]:
    """What computes the numbers of every line of a card, none for a card that is open: nobody can measure it.

    Nor for lines of trained heads, whose numbers no short program computes.
    """
    lines = [line for line in card.lines if line.measure not in _RUNS]
    calls = (_call(line.measure, line.parameters, _line_state(line, card)) for line in lines)
    return tuple(replace(made, name="numbers", comment=line.label) for line, made in zip(lines, calls, strict=True))


def _line_state(line: Line, card: Card) -> State:
    common = {} if "kind" in line.assignments else card.assignments
    return state_of({**common, **line.assignments})


def _call(measure: str, parameters: Mapping[str, Any], state: State) -> Call:
    given = {name: np.array(one) if isinstance(one, list) else one for name, one in parameters.items()}
    return MEASURES[measure](state, **given)


def numbers_in(measure: str, parameters: Mapping[str, Any], state: State) -> Numbers:
    """What one of MEASURES gives in a state; learned ones train a head, which takes seconds."""
    if measure == "property":
        # Properties has a way to it that is asked for in steps, and kept.
        found = analyse(state.encoding).measurement(parameters["key"])
        return (math.nan if found is None or found.number is None else float(found.number),)
    return tuple(map(float, computed(_call(measure, parameters, state))))


def _frequencies(state: State, pairs: Sequence[int]) -> Call:
    return call(np.take, omega(state), pairs).named("frequencies")


def _wavelengths(state: State, pairs: Sequence[int]) -> Call:
    return call(arrays.wavelengths, _frequencies(state, pairs))


def _frequency_error(state: State, form: str) -> Call:
    errors = call(formats.relative_errors, [single(state, form)], unscaled(state)).named("errors")
    return call(np.max, errors, axis=1)


def _step(state: State, first: float, second: float, dimension: int) -> Call:
    positions = np.array([first, second])
    return call(np.diff, bound(cards.entries, state, positions=positions, dimension=dimension).named("column"))


def _columns_apart(state: State, d_model: int, **columns: int) -> Call:
    other = state_of({"n_positions": str(state.encoding.n_positions), "d_model": str(d_model)})
    return bound(cards.columns_apart, state, others=rows(other), **columns)


def _moved_words(state: State, order: Sequence[int] | None = None, reads: str = "head") -> Call:
    """What a head, or by another name of _NETWORKS a network without one, makes of words as written and as moved."""
    places = state.attention.places
    if reads == "head":
        written = outputs(state)
        moved = outputs(state, places)
    else:
        ordered = call(np.take, words(state), [*places], axis=0)
        written = call(_NETWORKS[reads], words(state))
        moved = call(_NETWORKS[reads], ordered.named("ordered"))
    both = {"written": written.named("written"), "moved": moved.named("moved")}
    return bound(cards.moved_words, state, **both, order=[*places] if order is None else order)


def _scheme_spread(state: State, offset: int | None = None) -> Call:
    scores = scores_at(state, state.attention.scheme, range(state.encoding.n_positions))
    if offset is not None:
        return call(np.ptp, call(np.diagonal, scores, offset).named("diagonal"), keepdims=True)
    return bound(cards.scheme_spread, state, scores=scores)


def _shift(state: State) -> Call:
    """How far M_k misses, and half of what similarities differ by along k, as the views have them: no program does."""
    report = shift_report(state.encoding, state.cursor.offset)
    return call(np.array, [report.largest_residual, *(one.spread / 2 for one in report.spreads.values())])


def _projected_spread(state: State, offset: float) -> Call:
    state = replace(state, cursor=replace(state.cursor, offset=float(offset)))
    return call(np.ptp, call(np.take, four_terms(state), [3], axis=0).named("term"), axis=1)


def _terms(state: State) -> Call:
    """The four terms at t, of a table whose every t has a t + k."""
    here = call(np.take, four_terms(state), [int(state.cursor.position)], axis=1)
    return call(np.ravel, here.named("here"))


def _memorised(state: State, places: int) -> Call:
    width = state.encoding.d_model
    drawn = rows(State(RandomEncoding(2 * width + places, width)))
    return bound(cards.memorised, state, drawn=drawn)


_NETWORKS: Final = by_name((cards.states, cards.convolved))


# What is trained for a measure that no program computes.
_RUNS: Final[Mapping[str, Callable[..., Run]]] = {
    "learned-accuracy": run_of,
    "learned-loss": lambda state, change: replace(run_of(state), change=change),
}


def train_for(card: Card, is_cancelled: IsCancelled = never) -> None:
    """Train the heads that a card measures, some seconds each; CancelledError once is_cancelled says so."""
    for line in card.lines:
        if line.measure in _RUNS:
            train(_RUNS[line.measure](_line_state(line, card), **line.parameters), is_cancelled)


def _learned_accuracy(state: State, scheme: str) -> Call:
    """At the trained length and at twice that: the head is trained for it, no program does."""
    film = train(_RUNS["learned-accuracy"](state, scheme))
    return call(np.array, [film.by_length[n_words] for n_words in film.run.lengths[:2]])


# Formulas whose parameters are all in the state or in the line.
_FORMULAS: Final = (
    *(cards.entries, cards.lengths, cards.length_range, cards.dots, cards.spread, cards.ratios, cards.turning),
    *(cards.nearest_return, cards.fullest_tenfold, cards.nearest, cards.first_as_near, cards.distance_line),
    *(cards.shares, cards.vectors_apart, cards.sum_apart, cards.residual, cards.block_entries, cards.per_decade),
    *(cards.product_and_cosine, cards.dot_from_one, cards.peaks, panels.revival),
    *(cards.turning_points, cards.turns_in_order, cards.hand_angle, cards.next_best, cards.bits_flipped),
    cards.hands_needed,
)
MEASURES: Final[Mapping[str, Callable[..., Call]]] = {
    **{name: partial(bound, function) for name, function in by_name(_FORMULAS).items()},
    "distances": partial(bound, arrays.distances_by_offset),
    "chords": lambda state, pair, **given: bound(
        arrays.distances_by_offset, state, omega=_frequencies(state, [pair]), **given
    ),
    **by_name((_frequencies, _wavelengths, _columns_apart, _frequency_error, _step, _moved_words, _scheme_spread)),
    **by_name((_projected_spread, _memorised, _learned_accuracy, _terms, _shift)),
    "float32-entries": lambda state, **given: call(formats.cast, bound(cards.entries, state, **given), "float32"),
    "float32-step": lambda _state, value: call(np.atleast_1d, call(np.spacing, call(np.float32, value))),
    "rounded-table": lambda state: call(
        cards.rounded_table, rows(state), formatted_rows(state.encoding, state.precision)
    ),
    # Before a change of positions, at it, and at the end.
    "learned-loss": lambda state, change: call(
        np.array, [*losses_at_change(train(_RUNS["learned-loss"](state, change)))]
    ),
    "parameters": lambda state: call(np.prod, [state.encoding.shape], axis=1),
    "powers": lambda state: call(np.reciprocal, _frequencies(state, [-1])),
    "turns": lambda state, pair, offset: call(np.divide, offset, _wavelengths(state, [pair]).named("wavelength")),
    "property": lambda state, key: call(np.array, [check(state, key)]),
    "beside-sums": lambda state, **places: bound(cards.beside_sums, state, sums=inputs(state), **places),
    "drowned": lambda state, **given: bound(cards.drowned, state, word=bound(drawn.embedding, state), **given),
}
