"""Numbers as a text prints them: dot products and a cosine in float32, in stated orders of adding."""

import math
from typing import Final

import numpy as np

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.precision.formats import Singles
from pe_desktop.core.record import record
from pe_desktop.core.source.formats import one_sum, printed_rows

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

    For a cosine, which adds nothing, the three are one number.
    """

    name: str
    printed: str
    exact: float
    one_sum: float
    sixty_four_sums: float


def printed_numbers() -> tuple[_PrintedNumber, ...]:
    """The five dot products at d_model = 512, and the cosine that is printed as 0.9999 at d_model = 4."""
    exact, singles = SinusoidalEncoding(d_model=512), printed_rows(512)
    numbers = []
    for (one, other), printed in PRINTED_DOTS.items():
        # The sum of cosines: that of products of rounded values may differ in the last digit.
        dot = math.fsum(exact.pairs.offset_hands([float(other - one)])[0, :, 1].tolist())
        sums = (float(add(singles[one], singles[other])) for add in (one_sum, sixty_four_sums))
        numbers.append(_PrintedNumber(f"PE({one}) · PE({other})", printed, dot, *sums))
    cosine, exact_cosine = float(printed_rows(4)[1, 3]), float(SinusoidalEncoding(2, 4).values([1])[0, 3])
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
