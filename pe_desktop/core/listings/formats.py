"""Lines that compute the table of an encoding in a smaller number format, as frameworks do: by NumPy in any library."""

import math
from typing import Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalPairs
from pe_desktop.core.listings.tables import Lines, table_lines
from pe_desktop.core.precision.formats import Precision
from pe_desktop.core.precision.tables import has_forms, turning_pairs

BFLOAT16: Final = '''\
def bfloat16(values):
    """float32 with the upper 16 bits that bfloat16 keeps, to nearest, ties to even."""
    bits = numpy.asarray(values, dtype=numpy.float32).view(numpy.uint32)
    half = numpy.uint32(0x7FFF) + ((bits >> numpy.uint32(16)) & numpy.uint32(1))
    return ((bits + half) & numpy.uint32(0xFFFF0000)).view(numpy.float32)


'''.splitlines()


def formatted_lines(encoding: Encoding, precision: Precision, count: int) -> Lines:
    """Lines that leave the first rows in `encoding`, in the format of a precision; bfloat16 is held by float32."""
    positions = f"numpy.arange({count}, dtype=numpy.float64)"
    if precision.position_ids != "float64":
        positions = f"{_cast(positions, precision.position_ids)}.astype(numpy.float64)"
    ids = [f"t = {positions}"]
    pairs = turning_pairs(encoding)
    if precision.dtype == "float64" or pairs is None:
        lines = [line.replace("np.", "numpy.") for line in table_lines(encoding, "t")]
    else:
        lines = _single_lines(encoding, pairs, precision.form)
    return [*ids, *lines, f"encoding = np.asarray({_cast('encoding', precision.dtype)})"]


def _cast(values: str, number_format: str) -> str:
    return f"bfloat16({values})" if number_format == "bfloat16" else f"{values}.astype(numpy.{number_format})"


def _single_lines(encoding: Encoding, pairs: SinusoidalPairs, form: str) -> Lines:
    """Frequencies and angles in float32, then what the kind makes of its angles."""
    lines = [line.replace("np.", "numpy.") for line in table_lines(encoding, "t")]
    last = next(place for place, line in enumerate(lines) if line.startswith("angle = "))
    letter = "c" if any(line.startswith("c = ") for line in lines) else "i"
    started = f" + numpy.float32({pairs.start!r})" if pairs.start else ""
    scaled = [f"angle = angle * numpy.float32({pairs.scale!r})"] if pairs.scale != 1 else []
    if form == "rounded" or not has_forms(encoding):
        # Those of float64, rounded once; the scale stands for itself.
        unscaled = [f"omega = omega / {pairs.scale!r}"] if pairs.scale != 1 else []
        frequencies = [*lines[1:last], *unscaled, "omega = omega.astype(numpy.float32)"]
    else:
        numbers = f"{letter} = numpy.arange({pairs.count}, dtype=numpy.float32)"
        frequencies = [numbers, f"omega = {frequency_text(pairs, form, letter)}"]
    return [
        *frequencies,
        f"angle = (t.astype(numpy.float32){started})[:, None] * omega",
        *scaled,
        *lines[last + 1 :],
    ]


def frequency_text(pairs: SinusoidalPairs, form: str, letter: str) -> str:
    """The frequencies before the scale in float32, exp or power; letter: the numbers of the pairs in float32."""
    steps = pairs.d_model / 2 - pairs.shift if pairs.spacing == "geometric" else max(pairs.count - 1, 1)
    if form == "exp":
        return f"numpy.exp({letter} * numpy.float32({-(math.log(pairs.base) / steps)!r}))"
    return f"1 / numpy.float32({pairs.base!r}) ** ({letter} / numpy.float32({steps!r}))"
