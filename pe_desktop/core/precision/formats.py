"""Number formats, and tables as frameworks compute them: in float32, then cast to the format."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

import numpy as np

from pe_desktop.core.cursor import MISSING, hand_columns
from pe_desktop.core.encoding import Encoding, Floats, Integers, Numbers, Singles, position_rows, table_columns
from pe_desktop.core.kinds.sinusoidal import SinusoidalPairs
from pe_desktop.core.record import record
from pe_desktop.core.rules import check_fields, choice
from pe_desktop.core.source.formats import cast, exp_frequencies, power_frequencies

FORMATS: Final = ("float64", "float32", "float16", "bfloat16")
# exp: exp(i * -(ln base / n)); power: 1 / base ** (i / n); rounded: computed in float64 and rounded once.
FORMS: Final = ("exp", "power", "rounded")
# Position ids that are cast at once.
_CAST: Final = 2**20


@record
class Precision:
    """In which formats a table is computed.

    dtype: of its values; float64 stands for the exact table. form: how its frequencies are computed in float32.
    position_ids: what positions are cast to before they are multiplied.
    """

    dtype: str = choice(*FORMATS, title="number format")
    form: str = choice(*FORMS, title="form of the frequencies")
    position_ids: str = choice(*FORMATS, title="format of the position ids")

    def __post_init__(self) -> None:
        check_fields(self)

    @cached_property
    def is_exact(self) -> bool:
        """Whether this is the exact table, whatever the form."""
        return self.dtype == self.position_ids == "float64"

    @property
    def title(self) -> str:
        """The formats by name: float32, or float32, positions stored in bfloat16."""
        return self.dtype + (f", positions stored in {ids}" if (ids := self.position_ids) != "float64" else "")


def _in_format(values: Floats | Integers | Singles, number_format: str) -> Floats:
    """Values rounded to a format, to nearest, ties to even, as float64; what is too large for it is infinite.

    bfloat16 is rounded from float32, as frameworks do.
    """
    with np.errstate(over="ignore"):
        return cast(values, number_format).astype(np.float64)


def first_of_each_id(n_positions: int, number_format: str) -> Integers:
    """Of the positions 0 to n - 1 the first that is cast to each number: those before the next one share its id."""
    firsts = []
    before = np.array([np.nan])
    for start in range(0, n_positions, _CAST):
        ids = _in_format(np.arange(start, min(start + _CAST, n_positions)), number_format)
        firsts.append(start + np.flatnonzero(ids != np.concatenate((before, ids[:-1]))))
        before = ids[-1:]
    return np.concatenate(firsts)


# The spacings whose frequencies are powers of the base, and have two forms.
_POWERS: Final = ("geometric", "inclusive")


def turning_pairs(encoding: Encoding) -> SinusoidalPairs | None:
    """The evenly turning hands whose sines and cosines frameworks compute in float32; None for other tables."""
    waves = encoding.column_waves
    return waves.hands if waves is not None and isinstance(waves.hands, SinusoidalPairs) else None


def has_forms(encoding: Encoding) -> bool:
    """Whether the frequencies of an encoding are powers of a base: then there are two forms of computing them."""
    pairs = turning_pairs(encoding)
    # A subclass has frequencies of its own.
    return pairs is not None and type(pairs) is SinusoidalPairs and pairs.spacing in _POWERS


def single_frequencies(pairs: SinusoidalPairs, form: str, *, is_correctly_rounded: bool = False) -> Singles:
    """Frequencies before the scale, as computed in float32, radians a position, shape (n_pairs,).

    exp: exp(i * -(ln(base) / n)), the listings of the texts; power: 1 / base ** (i / n); rounded: the exact ones,
    rounded once, which stand for any spacing that is no power. n is d_model / 2, less the shift, or n_pairs - 1 in
    inclusive spacing. is_correctly_rounded: exp and power are the nearest float32, in place of what NumPy computes
    here, whose last bits depend on the processor. Sources: pytorch/examples, word_language_model; diffusers,
    embeddings.py; tensor2tensor, common_attention.py.
    """
    if form == "rounded" or type(pairs) is not SinusoidalPairs or pairs.spacing not in _POWERS:
        return replace(pairs, scale=1.0).angular_frequencies.astype(np.float32)
    kind = np.float64 if is_correctly_rounded else np.float32
    computed = exp_frequencies if form == "exp" else power_frequencies
    return computed(pairs.count, pairs.base, pairs.steps, kind)


def framework_values(
    encoding: Encoding, precision: Precision, positions: Numbers, dimensions: Numbers | None = None
) -> Floats:
    """PE in the formats of a precision, shape (len(positions), len(dimensions)), as float64 numbers.

    Positions are cast to the format of the ids. Unless dtype is float64, angles are products in float32 of position
    and frequency, sines and cosines are those of NumPy's float32, and the table is cast to dtype at the end. Tables
    of other kinds are exact ones, rounded. A position that is too large for its format has no values: NaN.
    """
    if precision.is_exact:
        return encoding.values(positions, dimensions)
    columns = table_columns(dimensions, encoding.d_model)
    ids = _in_format(np.asarray(position_rows(positions)), precision.position_ids)
    is_finite = np.isfinite(ids)
    if not is_finite.all():
        values = np.full((len(ids), len(columns)), np.nan)
        values[is_finite] = framework_values(encoding, precision, ids[is_finite], columns)
        return values
    pairs = turning_pairs(encoding)
    if precision.dtype == "float64" or pairs is None:
        return _in_format(encoding.values(ids, columns), precision.dtype)
    waves = encoding.column_waves
    assert waves is not None
    numbers = waves.numbers[columns]
    is_cosine = waves.is_cosine[columns]
    shown, places = np.unique(numbers, return_inverse=True)
    counted = ids.astype(np.float32) + np.float32(pairs.start)
    angles = counted[:, None] * single_frequencies(pairs, precision.form)[shown]
    angles *= np.float32(pairs.scale)
    singles = np.where(is_cosine, np.cos(angles)[:, places], np.sin(angles)[:, places])
    singles *= np.float32(pairs.amplitude)
    if encoding.empty_row is not None:
        singles[ids == encoding.empty_row] = 0.0
    return _in_format(singles, precision.dtype)


def framework_hands(encoding: Encoding, precision: Precision, positions: Numbers, hands: Sequence[int]) -> Floats:
    """`hand_values` in the formats of a precision, shape (len(positions), len(hands), 2); NaN for a column it lacks."""
    columns = hand_columns(encoding)[np.asarray(hands, dtype=np.int64)]
    values = framework_values(encoding, precision, positions, np.maximum(columns, 0).reshape(-1))
    return np.where(columns == MISSING, np.nan, values.reshape(-1, *columns.shape))
