"""Lines for the data of the figures of derivations and of precision."""

import math
from typing import Final

from pe_desktop.core.kinds.sinusoidal import SinusoidalPairs
from pe_desktop.core.listings.arrays import measure_lines, rotation_lines
from pe_desktop.core.listings.formats import formatted_lines, frequency_text
from pe_desktop.core.listings.tables import Lines, frequency_lines, table_lines, whole_positions
from pe_desktop.core.precision.measured import compared_precisions
from pe_desktop.core.precision.tables import has_forms, turning_pairs
from pe_desktop.core.rotation import rotating_pairs
from pe_desktop.core.state import State

# The five products of "The Hidden Beauty of Sinusoidal Positional Encodings", at d_model = 512.
_PRINTED: Final = ((1, 2), (2, 1), (80, 81), (1, 80), (2, 81))


def derivation_lines(state: State, name: str) -> Lines:
    """Lines that leave the numbers of a derivation in a variable: of the chosen pair, or of every pair.

    log: every frequency as a power and as an exponential, (2, pairs). block: sine and cosine of (t + k) omega and the
    sums that they are, (2, 2). entries: the block of M_k. system: M_k. dot, distance, length: what each pair adds to
    the dot product, to the squared distance, to the squared length. unique: the chord of the pair at every offset.
    toeplitz: all dot products. The table where there is no M_k.
    """
    encoding, page = state.encoding, state.views.derivations.page
    pairs = rotating_pairs(encoding)
    if not isinstance(pairs, SinusoidalPairs):
        return [*table_lines(encoding, whole_positions(encoding.n_positions)), f"{name} = encoding"]
    if page == "toeplitz":
        return [*measure_lines(encoding, "dot"), f"{name} = dot"]
    t, k, square = state.cursor.position + pairs.start, state.cursor.offset, pairs.amplitude**2
    lines = [*frequency_lines(pairs), f"t, k, w = {t!r}, {k!r}, omega[{state.cursor.pair}]"]
    if page == "system":
        return [*lines, *rotation_lines(pairs, name)]
    if page == "log" and has_forms(encoding):
        steps = pairs.d_model / 2 - pairs.shift if pairs.spacing == "geometric" else max(pairs.count - 1, 1)
        power = f"np.exp(-i * {math.log(pairs.base) / steps!r})  # log({pairs.base!r}) / {steps!r}"
        return [*lines, f"power = {pairs.scale!r} * {power}", f"{name} = np.stack([omega, power])"]
    if page == "log":
        return [*lines, f"{name} = np.stack([omega, omega])  # no power of the base"]
    return [*lines, *_OF_PAGES[page](name, square, encoding.n_positions)]


def _block(name: str, _square: float, _n_positions: int) -> Lines:
    return [
        "sums = [np.sin(w * t) * np.cos(w * k) + np.cos(w * t) * np.sin(w * k),",
        "        np.cos(w * t) * np.cos(w * k) - np.sin(w * t) * np.sin(w * k)]",
        f"{name} = np.stack([np.sin(w * (t + k)), np.cos(w * (t + k)), *sums]).reshape(2, 2)",
    ]


def _entries(name: str, _square: float, _n_positions: int) -> Lines:
    return [f"{name} = np.stack([np.cos(k * w), np.sin(k * w), -np.sin(k * w), np.cos(k * w)]).reshape(2, 2)"]


def _dot(name: str, square: float, _n_positions: int) -> Lines:
    return [f"{name} = {square!r} * np.cos(k * omega)  # they add up to p_t . p_(t + k)"]


def _distance(name: str, square: float, _n_positions: int) -> Lines:
    return [f"{name} = {4 * square!r} * np.sin(k * omega / 2) ** 2  # they add up to the squared distance"]


def _length(name: str, square: float, _n_positions: int) -> Lines:
    return [f"{name} = {square!r} * (np.sin(t * omega) ** 2 + np.cos(t * omega) ** 2)"]


def _unique(name: str, _square: float, n_positions: int) -> Lines:
    return [f"{name} = 2 * np.abs(np.sin(np.arange(1, {max(n_positions, 2)}) * w / 2))"]


_OF_PAGES: Final = {
    "block": _block,
    "entries": _entries,
    "dot": _dot,
    "distance": _distance,
    "length": _length,
    "unique": _unique,
}


def precision_lines(state: State, name: str) -> Lines:
    """Lines that leave what smaller formats do in a variable.

    errors: in a dictionary the largest |error| up to each row, (formats, positions), and how many rows are distinct,
    (formats,), for every format that is compared, in its order. forms: the relative error of each frequency in each
    form, (3, pairs). printed: the five products that a text prints, in float32 with one running sum, (5,).
    """
    encoding, page, chosen = state.encoding, state.views.precision.page, state.precision
    if page == "printed":
        return _printed_lines(name)
    if page == "forms" and has_forms(encoding):
        pairs = turning_pairs(encoding)
        assert pairs is not None
        exact = [line.replace("np.", "numpy.") for line in frequency_lines(pairs)]
        forms = [frequency_text(pairs, form, "single") for form in ("exp", "power")]
        return [
            *exact,
            f"omega = omega / {pairs.scale!r}",
            f"single = numpy.arange({pairs.count}, dtype=numpy.float32)",
            f"forms = numpy.stack([{', '.join(forms)}, omega.astype(numpy.float32)])",
            f"{name} = np.asarray(numpy.abs(forms - omega) / omega)",
        ]
    lines = [
        *table_lines(encoding, whole_positions(encoding.n_positions)),
        "exact, errors, distinct = numpy.asarray(encoding), [], []",
    ]
    for precision in compared_precisions(encoding, chosen):
        lines += [
            "",
            f"# {precision.dtype}, frequencies {precision.form}, positions {precision.position_ids}",
            *formatted_lines(encoding, precision, encoding.n_positions),
            "rounded = numpy.asarray(encoding).astype(numpy.float64) + 0.0",
            "errors.append(numpy.maximum.accumulate(numpy.abs(rounded - exact).max(axis=1)))",
            "distinct.append(len(numpy.unique(rounded, axis=0)))",
        ]
    stacked = '"errors": np.asarray(numpy.stack(errors)), "distinct": np.asarray(numpy.array(distinct))'
    return [*lines, "", f"{name} = {{{stacked}}}"]


def _printed_lines(name: str) -> Lines:
    step = -(math.log(10_000.0) / 256)
    return [
        f"exponents = numpy.arange(256, dtype=numpy.float32) * numpy.float32({step!r})",
        "omega = numpy.exp(exponents.astype(numpy.float64)).astype(numpy.float32)",
        "angle = (numpy.arange(82, dtype=numpy.float32)[:, None] * omega).astype(numpy.float64)",
        "pe = numpy.stack([numpy.sin(angle), numpy.cos(angle)], axis=2).reshape(82, 512).astype(numpy.float32)",
        f"sums = [numpy.add.accumulate(pe[a] * pe[b])[-1] for a, b in {_PRINTED}]",
        f"{name} = np.asarray(numpy.array(sums, dtype=numpy.float64))",
    ]
