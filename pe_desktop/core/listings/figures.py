"""The data of figures by view, as calls of formulas; and the programs of arrays and figures."""

import math
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from pe_desktop.core.cursor import MISSING, hand_columns, n_hands
from pe_desktop.core.decoder import NEAR_SHARE, table_counts
from pe_desktop.core.digits import digits_of
from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.facts.measures import card_calls
from pe_desktop.core.facts.shown import matching
from pe_desktop.core.kinds.naive import BitsEncoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding, SinusoidalPairs
from pe_desktop.core.listings import names, program
from pe_desktop.core.listings.arrays import ARRAY_CALLS, checks_of, four_terms, measure, scores_at, tips, weights
from pe_desktop.core.listings.names import bound, call, rows, rows_at, turn
from pe_desktop.core.listings.texts import SESSION_SIZES, timesteps
from pe_desktop.core.measuring.periodic import N_RETURNS, RANGES, even_step
from pe_desktop.core.number_text import grouped
from pe_desktop.core.precision.formats import has_forms
from pe_desktop.core.precision.measured import PRINTED_DOTS, compared_precisions
from pe_desktop.core.presets import Sizes, comparison
from pe_desktop.core.rotation import rotating_pairs, rotation_refusal, steady_pairs, turn_refusal
from pe_desktop.core.rules import MAX_POSITIONS
from pe_desktop.core.scores import rotary_scores
from pe_desktop.core.scores.rotary import AddedToWords, RotaryPairs, added_of, places_of, rotary_of
from pe_desktop.core.scores.schemes import PAIRINGS
from pe_desktop.core.source import arrays, checks, drawn, formats, head, panels, tables, vectors
from pe_desktop.core.state import State
from pe_desktop.resources import resource_json

# Angles from here on lose more than 1e-13 to rounding.
_WIDE_ANGLE: Final = 450.0
# Longer maps of scores take more than 128 MiB.
_MOST_MAPPED: Final = 4096


def _clock(state: State) -> Any:
    """The hands at t and t + k, shape (2, hands, 2): sine and cosine; without pairs the rows of the table."""
    encoding = state.encoding
    t = state.cursor.position
    k = state.cursor.offset
    if encoding.pairs is None:
        return rows_at(encoding, np.array([t, t + k]))
    digits = digits_of(encoding.pairs, encoding.n_positions)
    if state.views.clock.shows_digits and digits is not None:
        return call(np.squeeze, names.digits(digits, np.array([t])).named("digits"), axis=0)
    if state.views.clock.shows_bits:
        bits = call(tables.bits, np.array([int(t)]), BitsEncoding.least_width(encoding.n_positions), tables.binary)
        return call(np.squeeze, bits.named("bits"), axis=0)
    return tips(state, np.array([t, t + k]))


def _encoding(state: State) -> Any:
    """Wavelengths in positions, shape (pairs,); of columns that are bits, after how many positions each begins anew."""
    encoding = state.encoding
    if encoding.bits is not None:
        return call(arrays.bit_wavelengths, encoding.d_model, names.first_bit(encoding))
    if names.omega(state) is None:
        raise ValueError(f"The encoding {encoding.kind!r} has no wavelengths: nothing in it turns.")
    return bound(arrays.wavelengths, state)


def _shown_columns(state: State) -> list[int]:
    shown = hand_columns(state.encoding)[list(state.cursor.visible_pins(state.encoding))].reshape(-1).tolist()
    return [column for column in shown if column != MISSING]


def _matrix(state: State) -> Any:
    """The table, positions to the right unless the matrix is transposed; in a dictionary with what the strip adds."""
    view = state.views.matrix
    values = rows(state)
    if not view.is_transposed:
        values = call(np.transpose, values).named("transposed")
    if view.shows_terms:
        return bound(panels.with_terms, state, rows=values)
    return bound(panels.with_embedding, state, rows=values) if view.adds_embedding else values


def _rotating(state: State) -> SinusoidalPairs:
    pairs = rotating_pairs(state.encoding)
    if not isinstance(pairs, SinusoidalPairs):
        raise ValueError(rotation_refusal(state.encoding))
    return pairs


def _rotation(state: State) -> Any:
    """M_k, or on the page of algebra how far its laws are missed: composition, inverse, tenth power, determinant."""
    pairs = _rotating(state)
    if state.views.rotation.page != "algebra":
        return names.shift_by(pairs, state.cursor.offset)
    return bound(panels.missed_laws, state, j=state.views.rotation.second_shift)


def _compare(state: State) -> Any:
    """Of every encoding of the list by its title its table and its ten checks, as Properties has them.

    Or its difference from the window's table where sizes agree.
    """
    before = state.sizes or Sizes(state.encoding)
    found = comparison(before, state.encoding, state.preset, state.views.compare.list)
    states = {row.title: State(row.encoding) for row in found}
    if state.views.compare.shows != "difference":
        return {title: {"table": rows(one), "checks": checks_of(one)} for title, one in states.items()}
    same = {title: one for title, one in states.items() if one.encoding.shape == state.encoding.shape}
    return {title: call(np.subtract, rows(one), rows(state)) for title, one in same.items()}


def _look_back(state: State) -> Any:
    """The scores (M_-n p_t) . p_s of every t and s, or their weights, shape (positions, positions)."""
    places = state.looks_back
    pairs = rotating_pairs(state.encoding)
    if isinstance(pairs, SinusoidalPairs):
        found = bound(panels.looking_back, state, matrix=names.shift_by(pairs, -places))
    else:
        found = bound(panels.looking_back_by_hands, state, places=places)
    if state.views.look_back.shows == "scores":
        return found
    return call(head.softmax, found.named("scores"), temperature=math.sqrt(state.encoding.d_model))


def _properties(state: State) -> Any:
    """The ten checks; hands by wavelength and by range; where positions come near; or distance and its law."""
    page = state.views.properties.page
    encoding = state.encoding
    if page == "distance" and isinstance(encoding, SinusoidalEncoding):
        if encoding.spacing != "geometric":
            return bound(arrays.distances_by_offset, state)
        slope = 2 * encoding.pairs.count * encoding.amplitude**2 / math.log(encoding.base)
        return bound(panels.distance_and_law, state, offsets=range(1, encoding.n_positions), slope=slope)
    if page == "verdicts":
        return checks_of(state)
    return _scales(state) if page == "scales" else _collisions(state)


def _scales(state: State) -> Any:
    """How many hands each tenfold of wavelength has; of pairs also which serve each range, the last from t to t + k."""
    if state.encoding.pairs is None:
        return bound(checks.hands_by_tenfold, state)
    first, last = sorted(state.cursor.both)
    ranges = [*RANGES, *([(first, last)] if first < last else [])]
    return bound(checks.hands_by_tenfold_and_range, state, ranges=[[*map(float, one)] for one in ranges])


def _collisions(state: State) -> Any:
    """Where positions come near: of the nearest two rows at every offset the distance, how far each hand moves.

    Where distances depend on the offset alone, of the pair the near returns, (up to 9, 4); and of evenly spaced
    frequencies their revival.
    """
    encoding = state.encoding
    found = {
        "lowest": bound(panels.lowest_by_offset, state, distance=measure("distance", state)),
        "moves": bound(panels.hand_moves, state),
    }
    if not isinstance(encoding, SinusoidalEncoding):
        return found
    found["returns"] = bound(panels.near_returns, state, most=N_RETURNS, last=MAX_POSITIONS)
    if even_step(encoding.pairs.angular_frequencies) is not None:
        found["revival"] = bound(panels.revival, state)
    return found


def _score(state: State) -> dict[str, Any]:
    """Of a query and a key under RoPE their scores, what each pair adds, and the three pairings.

    row: the query at t and the key at every s, (positions,); map: every t and s, (positions, positions), but for long
    tables; terms: at t and t + k of the pairs that RoPE turns, then of what stands still; pairings: the scores along
    the diagonal of k, (3, positions).
    """
    cursor = state.cursor
    encoding = state.encoding
    rotary = rotary_of(state)
    partners = [*RotaryPairs(rotary).columns.tolist(), *([[encoding.d_model - 1]] if encoding.d_model % 2 else [])]
    along = rotary_scores.diagonal_positions(encoding, cursor.offset)
    is_whole = len(along) > 0 and len(along) == along[-1] - along[0] + 1
    found = {
        "row": call(np.squeeze, scores_at(state, rotary.id, np.array([cursor.position]))),
        "terms": bound(vectors.terms_of_pairs, state, t=places_of(state)[0], partners=partners),
        "pairings": bound(
            vectors.scores_at_offset,
            state,
            placings=[[turn(state, pairing.replace("-", "_"), pairing)] * 2 for pairing in PAIRINGS],
            positions=range(int(along[0]), int(along[-1]) + 1) if is_whole else along,
        ),
    }
    if encoding.n_positions <= _MOST_MAPPED:
        found["map"] = scores_at(state, rotary.id, range(encoding.n_positions))
    return found


def _decay(state: State) -> program.Call:
    """How scores fall with the distance, shape (3, distances)."""
    encoding = state.encoding
    reach = rotary_scores.decay_reach(state.encoding)
    offsets = rotary_scores.decay_offsets(encoding)
    k = range(reach + 1) if len(offsets) == reach + 1 else call(np.round, call(np.linspace, 0, reach, len(offsets)))
    count = rotary_scores.n_decay_draws(encoding.d_model)
    omega = call(np.take, names.rope(state)["omega"], range(rotary_of(state).n_turning)).named("turning")
    angle = call(vectors.angles_by_offset, k, omega)
    return bound(vectors.decay, state, angle=angle, count=count)


def _reasons(state: State) -> dict[str, Any]:
    """The numbers of the three reasons: early, still, and scores, added and turned; by how much R(k) p_t misses."""
    encoding = state.encoding
    at, k = state.cursor.position, state.cursor.offset
    back = call(np.transpose, names.shift_by(_rotating(state), -k)).named("back")
    plain = rotary_of(State(encoding))
    assert isinstance(plain.pairs, SinusoidalPairs)
    n_turning = bound(checks.returning, state, omega=names.omega_of(plain.pairs)).named("turning")
    t, s = places_of(state)
    pairing = "interleaved" if state.attention.pairing == "mixed" else state.attention.pairing
    turned = turn(state, pairing=pairing)
    placings = [[_adding(state, 0), _adding(state, 1)], [turned, turned]]
    positions = rotary_scores.few_positions(encoding, t, s)
    return {
        "early": bound(vectors.early_addition, state, turn=turn(State(encoding))),
        "still": call(np.subtract, plain.pairs.count, n_turning),
        "scores": bound(vectors.scores_at_offset, state, placings=placings, positions=positions, k=s - t),
        "missed": call(
            np.subtract, call(np.matmul, rows_at(encoding, np.array([at])), back), rows_at(encoding, np.array([at - k]))
        ),
    }


def _adding(state: State, which: int) -> program.Definition:
    """Positions added to queries, 0, or keys, 1: through W_Q or W_K, as the words went, where they are of words."""
    rows = rows_at(state.encoding, program.Written("t"))
    if not isinstance(added_of(state), AddedToWords):
        return program.Definition("add", ("v", "t"), call(np.add, program.Written("v"), rows))
    name = ("add_to_queries", "add_to_keys")[which]
    added = call(np.matmul, rows, names.matrix(which, state))
    return program.Definition(name, ("v", "t"), call(np.add, program.Written("v"), added))


def _decoder(state: State) -> Any:
    """What the hands that are read say, as `decoded`; of the other page p_n · M_(-j) p_m for each j.

    Of a table without M_k that page shows nothing: the table stands for it.
    """
    encoding = state.encoding
    view = state.views.decoder
    if view.page == "before":
        steps = call(np.add, range(view.places - 4, view.places + 5), state.cursor.offset).named("offsets")
        return rows(state) if turn_refusal(encoding) else bound(arrays.dots_by_offset, state, offsets=steps)
    chosen = state.cursor.visible_pins(encoding) if view.reads == "pinned" else range(n_hands(encoding))
    row = call(np.squeeze, rows_at(encoding, np.array([state.cursor.position])), axis=0)
    n_layers = view.n_layers(encoding.d_model)
    if n_layers is not None:
        row = call(np.add, call(drawn.embedding, encoding.d_model), row.named("row")).named("sums")
    if n_layers:
        row = call(panels.after_layers, row, call(drawn.layer_matrices, encoding.d_model, n_layers))
    return bound(
        panels.decoded,
        state,
        vector=np.array(view.vector) if view.vector else row,
        hands=names.hands(encoding, chosen),
        counts=[*table_counts(len(chosen), view.n_hands)],
        n_read=min(view.n_hands, len(chosen)),
        near=NEAR_SHARE,
    )


def _facts(state: State) -> Any:
    """The numbers of the open card, each at its own parameters; without one of every card that the filters leave.

    ValueError for the card of a trained head.
    """
    opened = state.views.facts.card
    cards = [CARDS[opened]] if opened else matching(state)
    if opened and cards[0].lines and not card_calls(cards[0]):
        raise ValueError(program.NO_PROGRAM.format(opened))
    numbers = {card.key: call(np.concatenate, [[], *card_calls(card)]) for card in cards}
    return numbers[opened] if opened else numbers


def _code(state: State) -> Any:
    """The table; on the page of listing 4 all distances, of the session its five rows, of forward a batch of images."""
    page = state.views.code.page
    encoding = state.encoding
    if page == "listing-4":
        return measure("distance", state)
    if page == "repl":
        return rows(State(SinusoidalEncoding(*SESSION_SIZES)))
    if page == "forward":
        return bound(panels.images_with_rows, state, positions=np.array(timesteps(encoding)))
    return rows(state)


def _exponentials(state: State, pairs: SinusoidalPairs) -> program.Call:
    """Frequencies as they are and by an exponential, where that is their law."""
    if not has_forms(state.encoding):
        return call(np.stack, [names.omega_of(pairs)] * 2)
    return bound(panels.by_exponential, state, steps=pairs.steps, scale=pairs.scale)


# The numbers of a derivation: of the chosen pair, or of every pair.
_DERIVATIONS: Final[Mapping[str, Callable[[State, SinusoidalPairs], program.Call]]] = {
    "block": lambda state, _: bound(panels.sine_and_cosine_of_sum, state),
    "entries": lambda state, pairs: call(
        arrays.interleaved_shift, state.cursor.offset, names.rate(pairs, state.cursor.pair)
    ),
    **dict.fromkeys(("system", "relative"), lambda state, pairs: names.shift_by(pairs, state.cursor.offset)),
    "turns": lambda _, pairs: names.shift_by(pairs, 1.0),
    "dot": lambda state, _: bound(panels.dot_terms, state),
    "toeplitz": lambda state, _: measure("dot", state),
    "distance": lambda state, _: bound(panels.distance_terms, state),
    "length": lambda state, _: bound(panels.length_terms, state),
    "unique": lambda state, pairs: call(
        arrays.distances_by_offset, range(1, max(state.encoding.n_positions, 2)), names.rate(pairs, state.cursor.pair)
    ),
    "log": _exponentials,
}


def _derivations(state: State) -> Any:
    """The numbers of a derivation; the table where there is no M_k."""
    pairs = steady_pairs(state.encoding)
    return (
        _DERIVATIONS[state.views.derivations.page](state, pairs) if isinstance(pairs, SinusoidalPairs) else rows(state)
    )


def _precision(state: State) -> Any:
    """What smaller formats do.

    errors: the largest |error| up to each row, (formats, positions), and how many rows are distinct, (formats,), for
    every format that is compared, in its order. forms: the relative error of each frequency in each form, (3, pairs).
    printed: the five products that a text prints, in float32 with one running sum, (5,).
    """
    encoding = state.encoding
    page = state.views.precision.page
    if page == "printed":
        return call(formats.printed_products, [list(pair) for pair in PRINTED_DOTS])
    if page == "forms" and has_forms(encoding):
        forms = [names.single(state, form) for form in ("exp", "power", "rounded")]
        return call(formats.relative_errors, forms, names.unscaled(state))
    compared = [
        names.formatted_rows(encoding, precision) for precision in compared_precisions(encoding, state.precision)
    ]
    return call(formats.rounding_of, rows(state), compared)


_FOUR_TERMS: Final = {"terms": four_terms, "inputs": ARRAY_CALLS["inputs"]}
_VIEWS: Final[Mapping[str, Callable[[State], Any]]] = {
    **program.by_name((_clock, _matrix, _rotation, _encoding, _compare, _properties)),
    **program.by_name((_look_back, _decoder, _derivations, _code, _precision, _facts)),
    # The columns of the shown hands, shape (positions, columns).
    "waves": lambda state: call(np.take, rows(state), _shown_columns(state), axis=1),
    # The weights of the sentence as written and as moved, shape (2, words, words).
    "attention": lambda state: call(np.stack, [weights(state), weights(state, state.attention.places)]),
    "four-terms": lambda state: _FOUR_TERMS[state.views.four_terms.page](state),
    "similarity": lambda state: measure(state.views.similarity.measure, state),
    "rotary": lambda state: {"score": _score, "decay": _decay, "reasons": _reasons}[state.views.rotary.page](state),
}


def listing(what: str, state: State, library: str = "numpy", view: str = "") -> str:
    """The program that leaves an array of a state, or the data of a figure of a view, in a variable of its name `what`.

    It imports nothing but its library, and computes in plain float64: off by about 2e-16 times the largest angle. The
    state must have that array; a view without data of its own has the table. ValueError with a sentence where there is
    nothing to be seen.
    """
    node = _VIEWS.get(view, rows)(state) if view else ARRAY_CALLS[what](state)
    name = what.replace("-", "_")
    return program.program(name, node, _heading(what, state, node), library) + _plot(name, view, state)


def _plot(name: str, view: str, state: State) -> str:
    """The lines of matplotlib that draw the data of a view with labels, as comments; "" for a view without."""
    lines = resource_json("plots.json").get(view)
    if lines is None:
        return ""
    matrix = state.views.matrix
    across, up = ("dimension", "position t")[:: 1 if matrix.is_transposed else -1]
    given = {
        "name": name,
        "columns": _shown_columns(state),
        "table": '["table"]' if matrix.shows_terms or matrix.adds_embedding else "",
        "across": across,
        "up": up,
        "measure": state.views.similarity.measure,
    }
    drawn = "import matplotlib.pyplot as plt", *lines, "plt.show()"
    return "".join(f"# {line.format(**given)}\n" for line in drawn)


def _heading(what: str, state: State, node: Any) -> list[str]:
    if what == "facts":
        opened = state.views.facts.card or "the cards that are listed"
        return [f"facts: {opened}, each number at the parameters of its card, whatever the plots show"]
    chosen = state.encoding.told
    if what in ("scores", "weights", "outputs"):
        chosen["scheme"] = state.attention.scheme_at_work
    lines = textwrap.wrap(f"{what}: {' '.join(f'{name}={value}' for name, value in chosen.items())}", 100)
    angle = program.largest_angle(node)
    if angle <= _WIDE_ANGLE:
        return lines
    error = f"{angle * np.finfo(np.float64).eps:.0e}"
    sentence = f"Angles reach {grouped(round(angle))} radians: float64 rounds these values by up to about {error}."
    return [*lines, sentence]
