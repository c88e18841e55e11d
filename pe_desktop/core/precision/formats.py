"""Number formats, and the choice of those in which a table is computed."""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Floats, Integers
from pe_desktop.core.record import record
from pe_desktop.core.rules import check_fields, choice
from pe_desktop.core.source.formats import cast

Singles: TypeAlias = NDArray[np.float32]

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

    @property
    def is_exact(self) -> bool:
        """Whether this is the exact table, whatever the form."""
        return self.dtype == self.position_ids == "float64"

    @property
    def title(self) -> str:
        """The formats by name: float32, or float32, ids in bfloat16."""
        return self.dtype if self.position_ids == "float64" else f"{self.dtype}, ids in {self.position_ids}"


def in_format(values: Floats | Integers | Singles, number_format: str) -> Floats:
    """Values rounded to a format, to nearest, ties to even, as float64; what is too large for it is infinite.

    bfloat16 is rounded from float32, as frameworks do.
    """
    with np.errstate(over="ignore"):
        return cast(values, number_format).astype(np.float64)


def first_of_each_id(n_positions: int, number_format: str) -> Integers:
    """Of the positions 0 to n - 1 the first that is cast to each number: those before the next one share its id."""
    firsts, before = [], np.array([np.nan])
    for start in range(0, n_positions, _CAST):
        ids = in_format(np.arange(start, min(start + _CAST, n_positions)), number_format)
        firsts.append(start + np.flatnonzero(ids != np.concatenate((before, ids[:-1]))))
        before = ids[-1:]
    return np.concatenate(firsts)
