"""Lines for every array that can be taken away: each leaves it in a variable of its name."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding, SinusoidalPairs
from pe_desktop.core.listings.formats import formatted_lines
from pe_desktop.core.listings.sentence import output_lines, rotated_lines, score_lines, weight_lines
from pe_desktop.core.listings.tables import (
    Lines,
    angle_lines,
    frequency_lines,
    of_length,
    table_lines,
    whole_positions,
)
from pe_desktop.core.precision.formats import Precision
from pe_desktop.core.state import State


def pairs_of(encoding: Encoding) -> SinusoidalPairs:
    """The pairs of an encoding that has evenly turning ones."""
    assert isinstance(encoding.pairs, SinusoidalPairs)
    return encoding.pairs


def _all_positions(encoding: Encoding) -> str:
    return whole_positions(encoding.n_positions)


def _encoding(state: State) -> Lines:
    if Precision(state.precision.dtype, position_ids=state.precision.position_ids) != Precision():
        return formatted_lines(state.encoding, state.precision, state.encoding.n_positions)
    return table_lines(state.encoding, _all_positions(state.encoding))


def _frequencies(state: State) -> Lines:
    return [*frequency_lines(pairs_of(state.encoding)), "frequencies = omega"]


def _wavelengths(state: State) -> Lines:
    return [*frequency_lines(pairs_of(state.encoding)), "wavelengths = 2 * np.pi / omega"]


def _hands(state: State) -> Lines:
    return hand_lines(state.encoding, _all_positions(state.encoding), "hands")


def hand_lines(encoding: Encoding, positions: str, name: str, *, is_plain: bool = True) -> Lines:
    """Lines that leave the tips of the hands in a variable, shape (positions, pairs, 2): sine and cosine."""
    tips = of_length(pairs_of(encoding).amplitude, "np.stack([np.sin(angle), np.cos(angle)], axis=2)")
    return [f"t = {positions}", *angle_lines(encoding, is_plain=is_plain), f"{name} = {tips}"]


def _rotation(state: State) -> Lines:
    pairs, offset = pairs_of(state.encoding), state.cursor.offset
    return [*frequency_lines(pairs), f"k = {offset!r}", *rotation_lines(pairs, "rotation")]


def rotation_lines(pairs: SinusoidalPairs, name: str) -> Lines:
    """Lines that leave M_k in a variable, shape (d_model, d_model), from `omega` and `k`."""
    upper, lower = ("c, s", "-s, c") if pairs.layout != "cosine-first" else ("c, -s", "s, c")
    matrix = f"np.concatenate([np.concatenate([{upper}], axis=1), np.concatenate([{lower}], axis=1)])"
    lines = ["c, s = np.diag(np.cos(k * omega)), np.diag(np.sin(k * omega))", f"{name} = {matrix}"]
    if pairs.layout != "interleaved":
        return lines
    return [
        *lines,
        f"order = np.arange({pairs.d_model}).reshape(2, {pairs.count}).T.reshape(-1)  # sine and cosine side by side",
        f"{name} = {name}[order][:, order]",
    ]


def _lags(state: State) -> Lines:
    measures = [line for measure in ("dot", "distance") for line in offset_lines(state.encoding, measure)]
    square = _squared_norm(state.encoding)
    stacked = f"lags = np.stack([dot, dot / {square!r}, distance], axis=1)  # dot, cosine, distance"
    return [*offset_angle_lines(state.encoding), *measures, stacked]


def offset_angle_lines(encoding: Encoding) -> Lines:
    """Lines that leave the angles between t and t + k in `angle`, shape (offsets, pairs), for k = 0 to N - 1."""
    return [
        *frequency_lines(pairs_of(encoding)),
        f"k = np.arange({encoding.n_positions})",
        "angle = k[:, None] * omega  # between the hands at t and at t + k, whatever t",
    ]


def offset_lines(encoding: Encoding, measure: str) -> Lines:
    """Lines that leave a measure by offset in a variable of its name, shape (offsets,), from `angle`."""
    amplitude = pairs_of(encoding).amplitude
    if measure == "distance":
        # No difference of squares: equal hands leave exactly 0.
        return [f"distance = {of_length(2 * amplitude, 'np.sqrt((np.sin(angle / 2) ** 2).sum(axis=1))')}"]
    dots = of_length(amplitude**2, "np.cos(angle).sum(axis=1)")
    return [f"{measure} = {dots if measure == 'dot' else f'{dots} / {_squared_norm(encoding)!r}'}"]


def _squared_norm(encoding: Encoding) -> float:
    pairs = pairs_of(encoding)
    return pairs.count * pairs.amplitude**2


def measure_lines(encoding: Encoding, measure: str) -> Lines:
    """Lines that leave all positions against all others in a variable, shape (positions, positions)."""
    if isinstance(encoding, SinusoidalEncoding):
        return [
            *offset_angle_lines(encoding),
            *offset_lines(encoding, measure),
            f"{measure} = {measure}[np.abs(k[:, None] - k)]  # one number for each offset: a Toeplitz matrix",
        ]
    lines = table_lines(encoding, _all_positions(encoding))
    if measure == "distance":
        row = "np.sqrt(((encoding - row) ** 2).sum(axis=1))"
        return [*lines, f"distance = np.stack([{row} for row in encoding])"]
    if measure == "dot":
        return [*lines, "dot = encoding @ encoding.T"]
    return [
        *lines,
        "norm = np.sqrt((encoding**2).sum(axis=1))",
        "product = norm[:, None] * norm",
        "cosine = np.where(product > 0, encoding @ encoding.T / np.where(product > 0, product, 1.0), np.nan)",
    ]


def _measure(measure: str, state: State) -> Lines:
    return measure_lines(state.encoding, measure)


ARRAY_LINES: Final[Mapping[str, Callable[[State], Lines]]] = {
    "encoding": _encoding,
    "frequencies": _frequencies,
    "wavelengths": _wavelengths,
    "hands": _hands,
    "rotation": _rotation,
    "lags": _lags,
    **{measure: partial(_measure, measure) for measure in ("dot", "cosine", "distance")},
    "scores": score_lines,
    "weights": weight_lines,
    "outputs": output_lines,
    "rotated": rotated_lines,
}
