"""Lines that compute the table of an encoding: those of every kind, beside each other."""

from collections.abc import Callable, Mapping
from typing import Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds.ablations import (
    DoubledExponentEncoding,
    OddWidthEncoding,
    OneWaveEncoding,
    PositionMapEncoding,
)
from pe_desktop.core.kinds.naive import BitsEncoding, CounterEncoding, RandomEncoding
from pe_desktop.core.kinds.sinusoidal import PaddedEncoding, SinusoidalEncoding, SinusoidalPairs

Lines = list[str]

_SINES: Final = ("np.sin(angle)", "np.cos(angle)")
_OF_POSITIONS: Final = {
    "square": "(t**2)",
    "root": "np.sqrt(t)",
    "log": "np.log1p(t)",
    "reciprocal": "(1 / (1 + t))",
}
# Before 0, where root and logarithm end, they go on as mirror images.
_OF_ANY_POSITIONS: Final = {
    **_OF_POSITIONS,
    "root": "(np.sign(t) * np.sqrt(np.abs(t)))",
    "log": "(np.sign(t) * np.log1p(np.abs(t)))",
    "reciprocal": "(1 / (1 + np.abs(t)))",
}
_LAST_SHIFT: Final = 62


def whole_positions(count: int) -> str:
    """All positions of a table of so many rows."""
    return f"np.arange({count})"


def table_lines(encoding: Encoding, positions: str, *, is_plain: bool = True) -> Lines:
    """Lines that leave the rows at some positions in `encoding`, shape (positions, d_model).

    positions: what makes them; they stay in `t`. is_plain: they are whole and none of them is negative.
    """
    lines = [f"t = {positions}", *_KINDS[encoding.kind](encoding)]
    return lines if is_plain else [_of_any_positions(line) for line in lines]


def omega_lines(encoding: Encoding) -> Lines:
    """The first of these lines, which leave angular frequencies in `omega`; () where nothing turns."""
    lines = table_lines(encoding, "")[1:]
    return lines[: next((place + 1 for place, line in enumerate(lines) if line.startswith("omega = ")), 0)]


def _of_any_positions(line: str) -> str:
    """A line as it is written for positions that may be fractional or negative."""
    for word, plain in _OF_POSITIONS.items():
        line = line.replace(f"angle = {plain}[", f"angle = {_OF_ANY_POSITIONS[word]}[")
    return line.replace("np.asarray(t, dtype=int)", "np.asarray(np.floor(t), dtype=int)").replace(
        "numpy.asarray(t).astype", "numpy.floor(numpy.asarray(t)).astype(numpy.int64).astype"
    )


def frequency_lines(pairs: SinusoidalPairs) -> Lines:
    """Lines that leave the angular frequencies of the pairs in `omega`, shape (pairs,), radians per position."""
    steps = pairs.d_model / 2 - pairs.shift
    return _omega_lines("i", pairs.count, steps, pairs.base, pairs.spacing, pairs.scale)


def angle_lines(encoding: Encoding, *, is_plain: bool = True) -> Lines:
    """Lines that leave the angles of hands in `angle`, shape (positions, pairs), radians, for positions `t`.

    For the two kinds with pairs; is_plain as in `table_lines`.
    """
    pairs = encoding.pairs
    assert isinstance(pairs, SinusoidalPairs)
    if isinstance(encoding, PositionMapEncoding):
        turned = (_OF_POSITIONS if is_plain else _OF_ANY_POSITIONS)[encoding.map]
    else:
        turned = f"(t + {pairs.start!r})" if pairs.start else "t"
    return [*frequency_lines(pairs), f"angle = {turned}[:, None] * omega"]


def of_length(amplitude: float, values: str) -> str:
    """Values times the length of the hands."""
    return values if amplitude == 1 else f"{amplitude!r} * {values}"


def _omega_lines(letter: str, count: int, steps: float, base: float, spacing: str, scale: float = 1.0) -> Lines:
    last = max(count - 1, 1)
    omega = {
        "geometric": f"{base!r} ** (-{letter} / {steps!r})",
        "inclusive": f"{base!r} ** (-{letter} / {last})",
        "linear": f"1 - {letter} * (1 - 1 / {base!r}) / {last}",
        "single": f"np.ones({count})",
    }[spacing]
    if scale != 1:
        omega = f"{scale!r} * ({omega})"
    numbers = [] if spacing == "single" else [f"{letter} = np.arange({count})"]
    return [*numbers, f"omega = {omega}"]


def _laid_out(layout: str, width: int, sines: str, cosines: str) -> str:
    """The columns of a table from sines and cosines, shape (positions, pairs) each."""
    if layout == "interleaved":
        return f"np.stack([{sines}, {cosines}], axis=2).reshape(len(t), {width})"
    first, second = (sines, cosines) if layout == "half-split" else (cosines, sines)
    return f"np.concatenate([{first}, {second}], axis=1)"


def _of_pairs(encoding: SinusoidalEncoding | PositionMapEncoding) -> Lines:
    table = _laid_out(encoding.layout, encoding.d_model, *_SINES)
    return [*angle_lines(encoding), f"encoding = {of_length(encoding.pairs.amplitude, table)}"]


def _padded(encoding: PaddedEncoding) -> Lines:
    hands = encoding.hands
    return [
        *frequency_lines(hands),
        "angle = t[:, None] * omega",
        f"encoding = {_laid_out(hands.layout, encoding.d_model, *_SINES)}",
        f"encoding = np.where(t[:, None] == {encoding.padding_idx}, 0.0, encoding)  # the padding row",
    ]


def _one_wave(encoding: OneWaveEncoding) -> Lines:
    count, wave = encoding.d_model, "sin" if encoding.wave == "sine" else "cos"
    return [
        *_omega_lines("c", count, float(count), encoding.base, encoding.spacing),
        "angle = t[:, None] * omega",
        f"encoding = np.{wave}(angle)",
    ]


def _odd_width(encoding: OddWidthEncoding) -> Lines:
    d_model, cosines = encoding.d_model, "np.cos(angle)[:, :-1]"
    lines = [*frequency_lines(encoding.hands), "angle = t[:, None] * omega"]
    if encoding.layout == "interleaved":
        table = f"{_laid_out('interleaved', d_model + 1, *_SINES)}[:, :-1]"
    else:
        table = _laid_out(encoding.layout, d_model, "np.sin(angle)", cosines)
    return [*lines, f"encoding = {table}  # the last hand has no cosine"]


def _doubled_exponent(encoding: DoubledExponentEncoding) -> Lines:
    d_model = encoding.d_model
    return [
        *_omega_lines("c", d_model, d_model / 2, encoding.base, "geometric"),
        "angle = t[:, None] * omega",
        "encoding = np.where(c % 2 == 0, np.sin(angle), np.cos(angle))",
    ]


def _counter(encoding: CounterEncoding) -> Lines:
    column = f"t[:, None] / {float(encoding.divisor)!r}"
    if encoding.d_model == 1:
        return [f"encoding = {column}"]
    zeros = f"np.zeros((len(t), {encoding.d_model - 1}))"
    return [f"encoding = np.concatenate([{column}, {zeros}], axis=1)"]


def _bits(encoding: BitsEncoding) -> Lines:
    bits = f"np.arange({encoding.d_model})"
    if encoding.d_model > _LAST_SHIFT:
        bits = f"np.clip({bits}, 0, {_LAST_SHIFT})  # a longer shift is not defined"
    number = "number ^ (number >> 1)" if encoding.code == "gray" else "number"
    return [
        "number = np.asarray(t, dtype=int)",
        *([f"number = {number}  # of neighbours one bit differs"] if encoding.code == "gray" else []),
        f"bit = {bits}",
        "encoding = ((number[:, None] >> bit) & 1) * 1.0",
    ]


PHILOX: Final = '''\
def philox(counter, key):
    """Four words of 32 bits, held in uint64, for every counter of four: Philox 4x32-10."""
    low, high = numpy.uint64(2**32 - 1), numpy.uint64(32)
    a, b, c, d = counter
    for turn in range(10):
        left, right = a * numpy.uint64(0xD2511F53), c * numpy.uint64(0xCD9E8D57)
        k0, k1 = (numpy.uint64((word + turn * step) % 2**32) for word, step in zip(key, (0x9E3779B9, 0xBB67AE85)))
        a, b, c, d = (right >> high) ^ b ^ k0, right & low, (left >> high) ^ d ^ k1, left & low
    return a, b, c, d


'''.splitlines()


def _random(encoding: RandomEncoding) -> Lines:
    n_blocks = -(-encoding.d_model // 4)
    return [
        "row = numpy.asarray(t).astype(numpy.uint64)[:, None]",
        f"block = numpy.arange({n_blocks}, dtype=numpy.uint64)  # of four columns",
        "low, high = row & numpy.uint64(2**32 - 1), row >> numpy.uint64(32)",
        f"drawn = philox((block, low, high, 0 * row), ({encoding.seed}, 0))",
        "u = [(word + 0.5) / 2**32 for word in drawn]  # uniform in (0, 1)",
        "radius = [numpy.sqrt(-2 * numpy.log(u[0])), numpy.sqrt(-2 * numpy.log(u[2]))]",
        "turn = [2 * numpy.pi * u[1], 2 * numpy.pi * u[3]]",
        "pairs = [r * wave(a) for r, a in zip(radius, turn) for wave in (numpy.cos, numpy.sin)]",
        f"encoding = np.asarray(numpy.stack(pairs, axis=2).reshape(len(t), -1)[:, :{encoding.d_model}])",
    ]


_KINDS: Final[Mapping[str, Callable[..., Lines]]] = {
    SinusoidalEncoding.kind: _of_pairs,
    PositionMapEncoding.kind: _of_pairs,
    PaddedEncoding.kind: _padded,
    OneWaveEncoding.kind: _one_wave,
    OddWidthEncoding.kind: _odd_width,
    DoubledExponentEncoding.kind: _doubled_exponent,
    CounterEncoding.kind: _counter,
    "normalised-counter": _counter,
    BitsEncoding.kind: _bits,
    RandomEncoding.kind: _random,
}
