"""How the numbers of the fact cards are measured: by functions of core/source, each in the state of its line."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np

from pe_desktop.core.facts.cards import CARDS, Card, Line
from pe_desktop.core.kinds.naive import RandomEncoding
from pe_desktop.core.listings.arrays import outputs
from pe_desktop.core.listings.call import Call, computed
from pe_desktop.core.listings.checks import check, check_number, four_terms, scores_at
from pe_desktop.core.listings.names import bound, call, rows, single, unscaled
from pe_desktop.core.source import arrays, cards, panels
from pe_desktop.core.state import State, state_of

Numbers: TypeAlias = tuple[float, ...]


@cache
def measured(key: str) -> tuple[Numbers, ...]:
    """The numbers of every line of a card, in their order."""
    return tuple(_line_numbers(line, CARDS[key]) for line in CARDS[key].lines)


def card_calls(card: Card) -> tuple[Call, ...]:
    """What computes the numbers of every line of a card, none for a card that is open: nobody can measure it."""
    return tuple(replace(_line_call(line, card), name="numbers", comment=line.label) for line in card.lines)


def _line_state(line: Line, card: Card) -> State:
    common = {} if "kind" in line.assignments else card.assignments
    return state_of({**common, **line.assignments})


def _line_call(line: Line, card: Card) -> Call:
    state, made = _line_state(line, card), MEASURES[line.measure]
    given = {name: np.array(one) if isinstance(one, list) else one for name, one in line.parameters.items()}
    found: Call = made(state, **given) if made in _MADE else bound(made, state, **given)
    return found


def _line_numbers(line: Line, card: Card) -> Numbers:
    if line.measure == "property":
        # Properties has a way to it that is asked for in steps, and kept.
        return (check_number(_line_state(line, card).encoding, line.parameters["key"]),)
    return tuple(map(float, computed(_line_call(line, card))))


def _column_apart_in(state: State, dimension: int, d_model: int) -> Call:
    other = state_of({"n_positions": str(state.encoding.n_positions), "d_model": str(d_model)})
    return bound(cards.column_apart_in, state, others=rows(other), dimension=dimension)


def _property(state: State, key: str) -> Call:
    return call(np.array, [check(state, key)])


def _frequency_error(state: State, form: str) -> Call:
    return bound(cards.frequency_error, state, single=single(state, form), omega=unscaled(state))


def _moved_words(state: State) -> Call:
    order = [*state.attention.places]
    return bound(cards.moved_words, state, **_both_outputs(state), order=order)


def _moved_in_place(state: State) -> Call:
    return bound(cards.moved_in_place, state, **_both_outputs(state))


def _both_outputs(state: State) -> dict[str, Call]:
    return {"written": outputs(state).named("written"), "moved": outputs(state, state.attention.places).named("moved")}


def _scheme_spread(state: State) -> Call:
    everywhere = range(state.encoding.n_positions)
    return bound(cards.scheme_spread, state, scores=scores_at(state, state.attention.scheme, everywhere))


def _projected_spread(state: State, offset: float) -> Call:
    state = replace(state, cursor=replace(state.cursor, offset=float(offset)))
    return bound(cards.projected_spread, state, terms=four_terms(state))


def _memorised(state: State, places: int) -> Call:
    width = state.encoding.d_model
    drawn = rows(State(RandomEncoding(2 * width + places, width)))
    return bound(cards.memorised, state, drawn=drawn, places=places)


_MADE: Final = (
    _column_apart_in,
    _property,
    _frequency_error,
    _moved_words,
    _moved_in_place,
    _scheme_spread,
    _projected_spread,
    _memorised,
)
MEASURES: Final[Mapping[str, Callable[..., Any]]] = {
    "entries": cards.entries,
    "step": cards.step,
    "columns-apart": cards.columns_apart,
    "column-apart-in": _column_apart_in,
    "lengths": cards.lengths,
    "length-range": cards.length_range,
    "distances": arrays.distances_by_offset,
    "dots": cards.dots,
    "spread": cards.spread,
    "frequencies": cards.frequencies,
    "wavelengths": cards.wavelengths_of,
    "ratios": cards.ratios,
    "turns": cards.turns,
    "chords": panels.chords,
    "nearest-return": cards.nearest_return,
    "turning": cards.turning,
    "nearest": cards.nearest,
    "property": _property,
    "distance-line": cards.distance_line,
    "shares": cards.shares,
    "vectors-apart": cards.vectors_apart,
    "sum-apart": cards.sum_apart,
    "residual": cards.residual,
    "residual-of-another": cards.residual_of_another,
    "block-entries": cards.block_entries,
    "product-and-cosine": cards.product_and_cosine,
    "dot-from-one": cards.dot_from_one,
    "powers": cards.powers,
    "frequency-error": _frequency_error,
    "float32-step": cards.float32_step,
    "revival": panels.revival,
    "per-decade": cards.per_decade,
    "moved-words": _moved_words,
    "moved-in-place": _moved_in_place,
    "scheme-spread": _scheme_spread,
    "projected-spread": _projected_spread,
    "peaks": cards.peaks,
    "memorised": _memorised,
}
