"""What the parameters of the functions of core/source are, by their names, in a state."""

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter
from typing import Any, Final

import numpy as np

from pe_desktop.core.cursor import MISSING, hand_columns
from pe_desktop.core.digits import Digits
from pe_desktop.core.encoding import Encoding, Pairs
from pe_desktop.core.kinds.ablations import FadingPairs, PositionMapEncoding
from pe_desktop.core.kinds.sinusoidal import PaddedEncoding, SinusoidalPairs
from pe_desktop.core.listings.program import Call, Definition, Function, Written, by_name, computed
from pe_desktop.core.measuring.measurements import evaluated_positions
from pe_desktop.core.measuring.periodic import compared_hands, hand_wavelengths
from pe_desktop.core.measuring.tables import runs_of
from pe_desktop.core.phase import GIVEN
from pe_desktop.core.precision.formats import Precision, has_forms, turning_pairs
from pe_desktop.core.rotation import rotation_matrix
from pe_desktop.core.scores.rotary import rotary_of, vectors_of
from pe_desktop.core.scores.schemes import PAIRINGS, hands_like
from pe_desktop.core.source import arrays, checks, drawn, formats, head, tables, vectors
from pe_desktop.core.state import State

# Formulas by the words of parameters, of kinds, of layouts and of pairings.
_FUNCTIONS: Final[Mapping[str, Function]] = {
    **by_name((tables.interleaved, tables.half_split, tables.cosine_first, tables.binary, tables.gray)),
    **by_name((np.square, tables.root, tables.log, tables.reciprocal)),
    "sine": np.sin,
    "cosine": np.cos,
}
_KINDS: Final[Mapping[str, Function]] = {
    **by_name((tables.sinusoidal, tables.padded, tables.one_wave, tables.odd_width)),
    **by_name((tables.doubled_exponent, tables.counter, tables.bits)),
    "position-map": tables.sinusoidal,
    "fading": tables.sinusoidal,
    "normalised-counter": tables.counter,
    "random": drawn.random_rows,
}
_SHIFTS: Final = by_name((arrays.interleaved_shift, arrays.half_split_shift, arrays.cosine_first_shift))
_FORMS: Final = {"exp": formats.exp_frequencies, "power": formats.power_frequencies}


def bound(function: Function, state: State, **given: Any) -> Call:
    """A function of core/source with its parameters as they are in a state, but for those that are given.

    Those that are left at their default are not written.
    """
    parameters = inspect.signature(function).parameters
    found = {name: given[name] if name in given else _NAMES[name](state) for name in parameters}
    plain = {name for name, one in found.items() if isinstance(one, bool | int | float)}
    usual = {name for name in plain if found[name] == parameters[name].default}
    return Call(function, given={name: one for name, one in found.items() if name not in usual})


def call(function: Function, *arguments: Any, **given: Any) -> Call:
    """A function of NumPy, or one of core/source with all that it takes."""
    return Call(function, arguments, given)


def omega_of(pairs: SinusoidalPairs) -> Call:
    """The angular frequencies of pairs, shape (pairs,)."""
    if pairs.spacing == "single":
        made = call(np.ones, pairs.count)
    elif pairs.spacing == GIVEN:
        made = call(tables.given_frequencies, np.array(pairs.given))
    elif pairs.spacing == "linear":
        made = call(tables.linear_frequencies, pairs.count, pairs.base)
    else:
        made = call(tables.geometric_frequencies, pairs.count, pairs.base, pairs.steps)
    return (made if pairs.scale == 1 else call(np.multiply, pairs.scale, made.named("omega"))).named("omega")


def rate(pairs: SinusoidalPairs, pair: int) -> Call:
    """The angular frequency of one pair, shape (1,)."""
    return call(np.take, omega_of(pairs), [pair]).named("rate")


def omega(state: State) -> Call | None:
    """The frequencies of pairs, or of columns that are sines and cosines; None where nothing turns."""
    encoding = state.encoding
    pairs = encoding.pairs or (None if encoding.column_waves is None else encoding.column_waves.hands)
    return omega_of(pairs) if isinstance(pairs, SinusoidalPairs) else None


def rows_at(encoding: Encoding, t: Any, **given: Any) -> Call:
    """The rows of positions t, shape (positions, d_model)."""
    given |= {"seed": encoding.parameters["seed"]} if "seed" in encoding.parameters else {}
    made = bound(_KINDS[encoding.kind], State(encoding), t=image(encoding, t), **given)
    return _lengthened(encoding.pairs, t, made).named("encoding")


def rows(state: State) -> Call:
    """All rows of the table."""
    return rows_at(state.encoding, range(state.encoding.n_positions))


def _table(encoding: Encoding, name: str = "table") -> Definition:
    """The table as a function of positions."""
    return Definition(name, ("t",), rows_at(encoding, Written("t")), _reach(encoding), encoding.values)


def _reach(encoding: Encoding) -> float:
    """The largest angle within the table; hands that turn unevenly are compared one wavelength on, too."""
    made = omega(State(encoding))
    if made is None:
        return 0.0
    frequencies = computed(made)
    last = encoding.n_positions - 1.0
    if not isinstance(encoding, PositionMapEncoding):
        start = float(encoding.parameters.get("start", 0.0))
        return max(abs(start), abs(start + last)) * float(frequencies.max())
    reached = _FUNCTIONS[encoding.map](np.maximum(last, 2 * np.pi / frequencies))
    return float(np.abs(reached * frequencies).max())


def formatted_rows(encoding: Encoding, precision: Precision) -> Call:
    """All rows in the format of a precision, as frameworks compute them; bfloat16 is held by float32."""
    pairs = turning_pairs(encoding)
    t = call(formats.cast, range(encoding.n_positions), precision.position_ids).named("t")
    kind = "float64"
    given = dict[str, Any]()
    if precision.dtype != "float64" and pairs is not None:
        kind = "float32"
        given = {"omega": single(State(encoding), precision.form), "scale": pairs.scale}
    made = rows_at(encoding, call(formats.cast, t, kind).named("t"), **given)
    return call(formats.cast, made, precision.dtype).named("encoding")


def single(state: State, form: str) -> Call:
    """Frequencies before the scale in float32, by exp, by a power, or rounded once."""
    pairs = turning_pairs(state.encoding)
    assert pairs is not None
    if form in _FORMS and has_forms(state.encoding):
        return call(_FORMS[form], pairs.count, pairs.base, pairs.steps).named("single")
    return call(formats.cast, unscaled(state), "float32").named("single")


def unscaled(state: State) -> Call:
    """The frequencies of what turns, before the scale, in float64."""
    made = omega(state)
    assert made is not None
    return made.arguments[1] if made.function is np.multiply else made


def shift_by(pairs: SinusoidalPairs, k: Any) -> Call:
    """M_k, shape (d_model, d_model)."""
    return _lengthened(pairs, k, call(_SHIFTS[f"{pairs.layout}-shift"], k, omega_of(pairs))).named("shift")


def _lengthened(pairs: Pairs | None, positions: Any, made: Call) -> Call:
    """What is made of pairs, times the lengths of fading hands."""
    if not isinstance(pairs, FadingPairs):
        return made
    length = faded(pairs, positions)
    return call(np.multiply, call(_FUNCTIONS[pairs.layout], length, length).named("lengths"), made.named("turned"))


def digits(code: Digits, positions: Any) -> Call:
    """The digits of positions, shape (positions, digits)."""
    if code.hands.spacing == GIVEN:
        return call(tables.digits, positions, *code.sizes)
    beta = call(np.power, code.hands.base, 1 / code.hands.steps).named("beta")
    unit = call(np.power, beta, call(np.arange, code.d_model)).named("unit")
    return call(tables.digits, positions, unit, beta)


def faded(pairs: FadingPairs, positions: Any) -> Call:
    """The lengths of the hands of fading pairs, shape (positions, pairs)."""
    return call(tables.faded, positions, pairs.count, pairs.fade).named("length")


def _shift(state: State) -> Definition:
    """M_k as a function of k."""
    pairs = sinusoidal_pairs(state)
    k = state.cursor.offset
    far = max(abs(10 * k), abs(state.views.rotation.second_shift + k))
    angle = far * float(pairs.angular_frequencies.max())
    exact = partial(rotation_matrix, state.encoding)
    return Definition("shift", ("k",), shift_by(pairs, Written("k")), angle, exact)


def sinusoidal_pairs(state: State) -> SinusoidalPairs:
    """The pairs of an encoding that has evenly turning ones."""
    assert isinstance(state.encoding.pairs, SinusoidalPairs)
    return state.encoding.pairs


def image(encoding: Encoding, positions: Any) -> Any:
    """Positions, or what a kind maps them to."""
    if not isinstance(encoding, PositionMapEncoding):
        return positions
    return call(_FUNCTIONS[encoding.map], positions).named("image")


def hands(encoding: Encoding, numbers: Any = None) -> Written:
    """The columns of some hands, of all where it is None: neighbours and halves by their law, others as a list."""
    columns = hand_columns(encoding)
    found = (columns if numbers is None else columns[[*numbers]]).tolist()
    count = len(found)
    filled = [[column for column in hand if column != MISSING] for hand in found]
    if found == [[2 * hand, 2 * hand + 1] for hand in range(count)]:
        return Written(f"[[2 * i, 2 * i + 1] for i in range({count})]", filled)
    if found == [[hand, hand + count] for hand in range(count)]:
        return Written(f"[[i, i + {count}] for i in range({count})]", filled)
    return Written(repr(filled), filled)


def _wavelength(state: State) -> Call:
    """The wavelengths of evenly turning hands, none where nothing does."""
    encoding = state.encoding
    if not len(hand_wavelengths(encoding)):
        return call(np.zeros, 0)
    if encoding.bits is not None:
        return call(arrays.bit_wavelengths, encoding.n_filled, first_bit(encoding))
    return bound(arrays.wavelengths, state)


def first_bit(encoding: Encoding) -> int:
    """The power of two that is the wavelength of the fastest bit."""
    return 2 if encoding.bits is not None and encoding.bits.first_one == 0.25 else 1


def _runs(state: State) -> Call:
    """All rows, or three runs of them and some spread over the table."""
    runs = runs_of(state.encoding)
    firsts, step = ([run.start for run in runs[:3]], runs[3].step) if len(runs) > 1 else ([0], 0)
    return bound(checks.measured_runs, state, length=len(runs[0]), firsts=firsts, step=step).named("runs")


def _others(state: State) -> list[Any]:
    """Positions of a long table from which further steps are measured."""
    runs = runs_of(state.encoding)
    powers = (state.encoding.n_positions - 1).bit_length()
    return [] if len(runs) == 1 else [runs[3].step * np.arange(len(runs[3])), 2 ** np.arange(powers) - 1]


def turn(state: State, name: str = "turn", pairing: str | None = None) -> Definition:
    """RoPE as a function of vectors and positions."""
    made = bound(head.turned, state, v=Written("v"), t=Written("t"), **rope(state, pairing))
    reach = state.encoding.n_positions - 1 + abs(state.cursor.offset)
    return Definition(name, ("v", "t"), made, reach * float(rotary_of(state).frequencies.max(initial=0.0)))


def rope(state: State, pairing: str | None = None) -> dict[str, Any]:
    """The frequencies of RoPE, and how it pairs dimensions."""
    rotary = rotary_of(state)
    found: Any = omega_of(rotary.pairs) if isinstance(rotary.pairs, SinusoidalPairs) else np.zeros(0)
    if rotary.n_turning < rotary.n_paired:
        found = call(head.fastest, found, rotary.n_turning)
    return {"omega": found, "pairing": PAIRINGS[pairing or rotary.pairing]}


def pope(state: State, t: Any) -> Call:
    """The angles of every dimension of PoPE at t, before its phase."""
    pairs = hands_like(state.encoding, state.encoding.d_model)
    assert isinstance(pairs, SinusoidalPairs)
    return call(vectors.angles_by_offset, t, omega_of(pairs))


def vector(state: State, name: str) -> Any:
    """The query or the key that is given, or made of its word, or drawn, shape (1, d_model)."""
    found = vectors_of(state)
    which = ("query", "key").index(name)
    given = getattr(found, name)
    attention = state.attention
    cursor = state.cursor
    if given:
        return np.array([given])
    if not found.words:
        return call(np.take, bound(vectors.seeded_vectors, state).named("drawn"), [which], axis=0).named(name)
    place = attention.place_of(cursor.position + which * cursor.offset)
    return call(np.matmul, call(np.take, words(state), [place], axis=0), matrix(which, state)).named(name)


def matrix(which: int, state: State) -> Call:
    """W_Q, W_K or W_V, shape (d_model, d_model)."""
    return bound(drawn.head_matrix, state, which=which).named(("w_q", "w_k", "w_v")[which])


def words(state: State) -> Call:
    """The vectors of the sentence, shape (words, d_model). ValueError where it has no words."""
    if not state.attention.words:
        raise ValueError("The sentence has no words.")
    return bound(drawn.word_vectors, state, sentence=" ".join(state.attention.words)).named("words")


def _named(name: str, state: State) -> Any:
    """A parameter of the encoding; a function where it is the word for one."""
    encoding = state.encoding
    # Padded tables have the layout of their hands.
    value = getattr(encoding.hands if isinstance(encoding, PaddedEncoding) and name == "layout" else encoding, name)
    return _FUNCTIONS[value] if isinstance(value, str) else value


# Names of numbers that stand in a state, and where.
_PATHS: Final = (
    "n=encoding.n_positions d_model=encoding.d_model t=cursor.position k=cursor.offset pair=cursor.pair "
    "seed=attention.word_seed first=attention.first_position is_causal=attention.causal clip=attention.clip "
    "temperature=attention.temperature slope=attention.slope r1=attention.kerple_r1 r2=attention.kerple_r2 "
    "forget_bias=attention.forget_bias"
)
_NAMES: Final[Mapping[str, Callable[[State], Any]]] = {
    **{name: partial(_named, name) for name in ("layout", "padding_idx", "wave", "divisor", "code")},
    **{name: attrgetter(path) for name, path in (one.split("=") for one in _PATHS.split())},
    "base": lambda state: float(state.encoding.parameters["base"]),
    "omega": omega,
    "start": lambda state: float(state.encoding.parameters.get("start", 0.0)),
    "amplitude": lambda state: float(state.encoding.parameters.get("amplitude", 1.0)),
    "scale": lambda _state: 1.0,
    "column": lambda state: _named("hands", state).columns[-1, 1].item(),
    "rows": rows,
    "table": lambda state: _table(state.encoding),
    "shift": _shift,
    "hands": lambda state: hands(state.encoding),
    "offsets": lambda state: range(state.encoding.n_positions),
    "wavelength": _wavelength,
    "runs": _runs,
    "others": _others,
    "compared": lambda state: compared_hands(sinusoidal_pairs(state)).tolist(),
    "again": lambda state: (
        _table(state.encoding.redrawn, "redrawn") if state.encoding.redrawn else _table(state.encoding)
    ),
    "count": lambda state: len(evaluated_positions(state.encoding)),
    "turn": turn,
    "query": partial(vector, name="query"),
    "key": partial(vector, name="key"),
    "words": words,
    "w_q": partial(matrix, 0),
    "w_k": partial(matrix, 1),
    "w_f": partial(bound, drawn.forgetting),
    "bias": partial(bound, drawn.t5_biases),
    "vectors": partial(bound, drawn.shaw_vectors),
}
