"""Numbers as a text prints them: dot products and a cosine in float32, in stated orders of adding."""

import math
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.precision.formats import Singles
from pe_desktop.core.precision.tables import single_frequencies
from pe_desktop.core.record import record
from pe_desktop.core.source.formats import one_sum

# Pairs of positions whose dot products "The Hidden Beauty of Sinusoidal Positional Encodings" prints, and its digits.
_PRINTED_DOTS: Final = (
    ((1, 2), "249.10211181640625"),
    ((2, 1), "249.10211181640625"),
    ((80, 81), "249.1020965576172"),
    ((1, 80), "117.52901458740234"),
    ((2, 81), "117.52900695800781"),
)
_D_MODEL, _LAST = 512, 81
# Running sums that are added in the end: four registers of 16.
_REGISTERS, _LANES = 4, 16


@record
class _PrintedNumber:
    """A number of a text: what it prints, the exact one, and float32 with one running sum and with 64 of them.

    For a cosine, which adds nothing, the three are one number.
    """

    name: str
    printed: str
    exact: float
    one_sum: float
    sixty_four_sums: float


@lru_cache(maxsize=1)
def printed_numbers() -> tuple[_PrintedNumber, ...]:
    """The five dot products at d_model = 512, and the cosine that is printed as 0.9999 at d_model = 4."""
    exact, singles = SinusoidalEncoding(_LAST + 1, _D_MODEL), _printed_table(_D_MODEL, _LAST + 1)
    numbers = []
    for (one, other), printed in _PRINTED_DOTS:
        a, b = singles[[one, other]]
        # The sum of cosines: that of products of rounded values may differ in the last digit.
        dot = math.fsum(exact.pairs.offset_hands([float(other - one)])[0, :, 1].tolist())
        sums = float(one_sum(a, b)), float(sixty_four_sums(a, b))
        numbers.append(_PrintedNumber(f"PE({one}) · PE({other})", printed, dot, *sums))
    cosine, exact_cosine = float(_printed_table(4, 2)[1, 3]), float(SinusoidalEncoding(2, 4).values([1])[0, 3])
    numbers.append(_PrintedNumber("cos 0.01", "0.9999", exact_cosine, cosine, cosine))
    return tuple(numbers)


def sixty_four_sums(a: Singles, b: Singles) -> Singles:
    """Dot products in float32, as processors with registers of 16 numbers add, shape (...,) of vectors (..., d).

    Product n goes to sum n mod 64. Sums are 4 registers: (0 + 1) + (2 + 3); of the 16 that remain the upper half is
    added to the lower one, four times. Libraries add in other orders and differ in the
    last digits.
    """
    width, products = _REGISTERS * _LANES, a * b
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
    if float(single) <= value:
        return float(single), float(np.nextafter(single, np.float32(np.inf)))
    return float(np.nextafter(single, np.float32(-np.inf))), float(single)


def _printed_table(d_model: int, n_positions: int) -> Singles:
    """The exp form in float32, each function correctly rounded: by float64, which is right but for one case in 10^8."""
    pairs = SinusoidalEncoding(n_positions, d_model).pairs
    frequencies = single_frequencies(pairs, "exp", is_correctly_rounded=True)
    angles = (np.arange(n_positions, dtype=np.float32)[:, np.newaxis] * frequencies).astype(np.float64)
    table = np.empty((n_positions, d_model), dtype=np.float32)
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table
