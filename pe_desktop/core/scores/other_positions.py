"""Whether other positions can look back: six encodings, and a matrix that is not restricted to pairs."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds.ablations import OneWaveEncoding
from pe_desktop.core.kinds.naive import BitsEncoding, CounterEncoding, RandomEncoding, least_bits
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.lags import IsCancelled, never
from pe_desktop.core.record import record
from pe_desktop.core.scores.look_back import Peaks
from pe_desktop.core.scores.look_back_rows import find_peaks

# Wider vectors and unrestricted matrices take longer than anybody waits for.
WIDEST_OTHERS: Final = 512


def other_positions(n_positions: int, d_model: int) -> Mapping[str, Encoding]:
    """Six encodings by their names, of so many positions and about so many dimensions, at most WIDEST_OTHERS."""
    d_model = min(d_model, WIDEST_OTHERS)
    even = max(d_model - d_model % 2, 2)
    return {
        "Sinusoidal (paper)": SinusoidalEncoding(n_positions, even),
        "Linear spacing": SinusoidalEncoding(n_positions, even, spacing="linear"),
        "Sine only": OneWaveEncoding(n_positions, d_model),
        "Binary code": BitsEncoding(n_positions, max(d_model, least_bits(n_positions))),
        "Counter t": CounterEncoding(n_positions, d_model),
        "Random vectors": RandomEncoding(n_positions, d_model),
    }


@record
class Memorised:
    """An unrestricted matrix fitted to random vectors of d_model dimensions: where rows peak that it was fitted to.

    fitted: d_model rows that it takes to those n before them; new: as many rows after these.
    """

    d_model: int
    fitted: Peaks
    new: Peaks


def memorised(d_model: int, places: int) -> Memorised:
    """Fit at t = n, ..., n + d - 1, without a residual, and try the d positions after them; d is at most WIDEST_OTHERS.

    Keys are the positions of all these rows and those n before them.
    """
    width = min(d_model, WIDEST_OTHERS)
    encoding = RandomEncoding(2 * width + places, width)
    wanted = np.arange(2 * width)
    rows, keys = wanted + places, np.union1d(wanted, wanted + places)
    queries, targets = encoding.values(rows), encoding.values(wanted)
    matrix = np.linalg.solve(queries[:width], targets[:width])
    is_peak = keys[(queries @ matrix @ encoding.values(keys).T).argmax(axis=1)] == wanted
    fitted, new = (Peaks(int(np.count_nonzero(part)), width) for part in (is_peak[:width], is_peak[width:]))
    return Memorised(width, fitted, new)


@record(eq=False)
class Others:
    """The peaks of the six encodings by their names, and of the unrestricted matrix."""

    peaks: Mapping[str, Peaks]
    memorised: Memorised


def find_others(n_positions: int, d_model: int, places: int, is_cancelled: IsCancelled = never) -> Others | None:
    """The peaks of the six encodings, and of the unrestricted matrix; None when cancelled."""
    found: dict[str, Peaks] = {}
    for name, encoding in other_positions(n_positions, d_model).items():
        peaks = find_peaks(encoding, places, is_cancelled)
        if peaks is None:
            return None
        found[name] = peaks
    return Others(found, memorised(d_model, places))
