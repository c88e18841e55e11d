"""Effects of rounding: errors of frequencies and values, positions that share a row, and numbers as printed."""

import math
from dataclasses import replace
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats, Integers, Singles, slices
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.lags import IsCancelled, never, stop_if
from pe_desktop.core.precision import formats
from pe_desktop.core.record import record
from pe_desktop.core.source.formats import one_sum, printed_rows, relative_errors

# About how many values are compared with exact ones, and the most positions of a curve.
_ERROR_VALUES, _MOST_POSITIONS, _FEWEST_POSITIONS = 2**20, 241, 16
# Rows that are compared, in so many columns; values of rows that are compared in full; values at once.
_MOST_ROWS, _FEW_COLUMNS, _ROW_VALUES, _PIECE = 2**17, 32, 2**22, 2**18
# Groups of positions that share a row, and members of each, that are named.
_MOST_NAMED: Final = 3
# The first whole number that float16 rounds to infinity.
_OVERFLOW: Final = 65_520
# Coarser than the whole numbers of a table.
_COARSE_IDS: Final = ("float16", "bfloat16")


@record(eq=False)
class Rounding:
    """The effect of one choice of formats on a table.

    frequency_error: the largest relative error of an angular frequency, None where none is computed in float32.
    errors: the largest |error| up to each position of the curve, shape (m,), infinite from an infinite id on, of
    n_measured rows: all, or those of the curve and the last ones, where errors are largest.
    overflow: the first position whose id is infinite, None where none is. n_distinct: how many rows differ among those
    of the first n_positions; shared: the first groups of positions with one row.
    """

    precision: formats.Precision
    frequency_error: float | None
    errors: Floats
    n_measured: int
    overflow: int | None
    n_distinct: int
    n_positions: int
    shared: tuple[tuple[int, ...], ...]

    @property
    def largest_error(self) -> float:
        return float(self.errors[-1])


@record(eq=False)
class Roundings:
    """All compared choices of formats, in the order of the page.

    positions: those of the curve, shape (m,): all, or some evenly spaced by their logarithm.
    """

    positions: Integers
    rows: tuple[Rounding, ...]

    def of(self, precision: formats.Precision) -> Rounding | None:
        """The effect of a choice of formats; None for the exact table."""
        return next((row for row in self.rows if row.precision == precision), None)


def compared_precisions(encoding: Encoding, chosen: formats.Precision) -> tuple[formats.Precision, ...]:
    """float32 in every form, the smaller formats in the chosen form, ids in smaller formats, and what is chosen."""
    forms = formats.FORMS if formats.has_forms(encoding) else (chosen.form,)
    compared = [formats.Precision("float32", form) for form in forms]
    compared += [formats.Precision(dtype, chosen.form) for dtype in formats.FORMATS[2:]]
    compared += [formats.Precision("float32", chosen.form, ids) for ids in _COARSE_IDS]
    if not chosen.is_exact:
        compared.append(chosen)
    return tuple(dict.fromkeys(compared))


def roundings(encoding: Encoding, chosen: formats.Precision, is_cancelled: IsCancelled = never) -> Roundings:
    """The effect of every choice of formats on a table; CancelledError as `stop_if`."""
    last = encoding.n_positions - 1
    most = max(_ERROR_VALUES // encoding.d_model, _FEWEST_POSITIONS)
    positions = np.arange(last + 1)
    n_shown = min(most, _MOST_POSITIONS)
    if last >= n_shown:
        # 0 and others evenly spaced by their logarithm.
        positions = np.unique(np.append(0, np.rint(np.geomspace(1.0, last, n_shown - 1)))).astype(np.int64)
    measured = np.union1d(positions, range(last + 1)[-most:])
    exact = encoding.values(measured)
    places = np.searchsorted(measured, positions)
    rows = []
    for precision in compared_precisions(encoding, chosen):
        shared = _shared_rows(encoding, precision, is_cancelled)
        errors = np.abs(formats.framework_values(encoding, precision, measured) - exact).max(axis=1)
        errors = np.maximum.accumulate(np.where(np.isnan(errors), np.inf, errors))[places]
        overflow = _OVERFLOW if precision.position_ids == "float16" and last >= _OVERFLOW else None
        form_error = frequency_error(encoding, precision.form)
        rows.append(Rounding(precision, form_error, errors, len(measured), overflow, *shared))
    return Roundings(positions, tuple(rows))


def frequency_error(encoding: Encoding, form: str, *, is_correctly_rounded: bool = False) -> float | None:
    """The largest relative error of the frequencies of a form; None for an encoding without evenly turning hands."""
    errors = frequency_errors(encoding, form, is_correctly_rounded=is_correctly_rounded)
    return float(errors.max()) if errors.size else None


def frequency_errors(encoding: Encoding, form: str, *, is_correctly_rounded: bool = False) -> Floats:
    """The relative error of each frequency of a form, shape (n_pairs,); (0,) without evenly turning hands."""
    pairs = formats.turning_pairs(encoding)
    if pairs is None:
        return np.empty(0)
    exact = replace(pairs, scale=1.0).angular_frequencies
    singles = formats.single_frequencies(pairs, form, is_correctly_rounded=is_correctly_rounded)
    return np.asarray(relative_errors([singles], exact)[0])


def _shared_rows(
    encoding: Encoding, precision: formats.Precision, is_cancelled: IsCancelled = never
) -> tuple[int, int, tuple[tuple[int, ...], ...]]:
    """How many rows differ, among how many, and which positions share one: of ids cast alike one stands for all.

    Rows that differ in a few columns differ; the others are compared in full. Of a large table the first rows are.
    """
    n_positions = encoding.n_positions
    few = np.unique(np.linspace(0, encoding.d_model - 1, _FEW_COLUMNS).astype(np.int64))
    end = min(n_positions, _MOST_ROWS)
    firsts = np.arange(end)
    if precision.position_ids in _COARSE_IDS:
        firsts = formats.first_of_each_id(n_positions, precision.position_ids)
        end = n_positions
    ends = np.append(firsts[1:], end)
    keys = _row_keys(encoding, precision, firsts, few, is_cancelled)
    _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    alike = np.flatnonzero(counts[inverse] > 1)
    most = max(_ROW_VALUES // encoding.d_model, 2)
    if len(alike) > most:
        end = alike[most]
        firsts, ends, keys, alike = firsts[:end], ends[:end], keys[:end], alike[:most]
    full = _row_keys(encoding, precision, firsts[alike], np.arange(encoding.d_model), is_cancelled)
    keys[alike] += 2 * full
    _, places, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return len(places), int(ends[-1]), _groups(firsts, ends, places[inverse])


def _groups(firsts: Integers, ends: Integers, leaders: Integers) -> tuple[tuple[int, ...], ...]:
    """The first positions that share a row; leaders: for each id the first id with the same row."""
    is_leader = leaders == np.arange(len(firsts))
    has_others = ends - firsts > 1
    has_others[leaders[~is_leader]] = True
    groups = []
    for leader in np.flatnonzero(is_leader & has_others)[:_MOST_NAMED]:
        members: list[int] = []
        for number in np.flatnonzero(leaders == leader)[:_MOST_NAMED]:
            members += range(int(firsts[number]), int(ends[number]))[:_MOST_NAMED]
        groups.append(tuple(members[:_MOST_NAMED]))
    return tuple(groups)


def _row_keys(
    encoding: Encoding, precision: formats.Precision, positions: Integers, columns: Integers, is_cancelled: IsCancelled
) -> Integers:
    """A number for each row, shape (len(positions),): equal for equal rows, and by chance for one table in 10^6."""
    keys: list[int] = []
    for part in slices(len(positions), _PIECE // len(columns)):
        stop_if(is_cancelled)
        values = formats.framework_values(encoding, precision, positions[part], columns)
        # Adding 0 makes -0 and 0 one value.
        keys += [hash(row.tobytes()) for row in values + 0.0]
    return np.array(keys, dtype=np.int64)


# Pairs of positions whose dot products "The Hidden Beauty of Sinusoidal Positional Encodings" prints, and its digits.
PRINTED_DOTS: Final = {
    (1, 2): "249.10211181640625",
    (2, 1): "249.10211181640625",
    (80, 81): "249.1020965576172",
    (1, 80): "117.52901458740234",
    (2, 81): "117.52900695800781",
}
# Running sums that are added in the end: four registers of 16.
_REGISTERS, _LANES = 4, 16


@record
class _PrintedNumber:
    """A number of a text: what it prints, the exact one, and float32 with one running sum and with 64 of them.

    For a cosine, which adds nothing, the three are one number; positions: of a product.
    """

    name: str
    printed: str
    exact: float
    one_sum: float
    sixty_four_sums: float
    positions: tuple[int, ...] = ()


def printed_numbers() -> tuple[_PrintedNumber, ...]:
    """The five dot products at d_model = 512, and the cosine that is printed as 0.9999 at d_model = 4."""
    exact = SinusoidalEncoding(d_model=512)
    singles = printed_rows(512)
    numbers = []
    for (one, other), printed in PRINTED_DOTS.items():
        # The sum of cosines: that of products of rounded values may differ in the last digit.
        dot = math.fsum(exact.pairs.offset_hands([float(other - one)])[0, :, 1].tolist())
        single, many = (float(add(singles[one], singles[other])) for add in (one_sum, sixty_four_sums))
        numbers.append(_PrintedNumber(f"PE({one}) · PE({other})", printed, dot, single, many, (one, other)))
    cosine = float(printed_rows(4)[1, 3])
    exact_cosine = float(SinusoidalEncoding(2, 4).values([1])[0, 3])
    numbers.append(_PrintedNumber("cos 0.01", "0.9999", exact_cosine, cosine, cosine))
    return tuple(numbers)


def sixty_four_sums(a: Singles, b: Singles) -> Singles:
    """Dot products in float32, as processors with registers of 16 numbers add, shape (...,) of vectors (..., d).

    Product n goes to sum n mod 64. Sums are 4 registers: (0 + 1) + (2 + 3); of the 16 that remain the upper half is
    added to the lower one, four times. Libraries add in other orders and differ in the last digits.
    """
    width = _REGISTERS * _LANES
    products = a * b
    length = products.shape[-1]
    padded = np.zeros((*products.shape[:-1], -(-length // width) * width), dtype=np.float32)
    padded[..., :length] = products
    registers = np.add.accumulate(padded.reshape(*products.shape[:-1], -1, _REGISTERS, _LANES), axis=-3)[..., -1, :, :]
    sums = (registers[..., 0, :] + registers[..., 1, :]) + (registers[..., 2, :] + registers[..., 3, :])
    while sums.shape[-1] > 1:
        lower, upper = np.split(sums, 2, axis=-1)
        sums = lower + upper
    return np.asarray(sums[..., 0])


def two_distances(a: Singles, b: Singles) -> tuple[float, float]:
    """The distance of two vectors in float32: from their differences, and from dot products, a a + b b - 2 a b.

    Of near vectors the second loses the digits that the large dot products have in common.
    """
    squares = sixty_four_sums(a, a) + sixty_four_sums(b, b) - np.float32(2) * sixty_four_sums(a, b)
    return float(np.sqrt(sixty_four_sums(a - b, a - b))), float(np.sqrt(np.maximum(squares, np.float32(0))))


def neighbours(value: float) -> tuple[float, float]:
    """The float32 below and above a number."""
    single = np.float32(value)
    below = single if float(single) <= value else np.nextafter(single, np.float32(-np.inf))
    return float(below), float(np.nextafter(below, np.float32(np.inf)))
