"""Listings of two texts, written anew: a module that runs, what a broadcast holds, a table built step by step.

Sources: Tavares, "Transformers Breakdown", listings 1 and 4; "Sinusoidal Embeddings (notes)", its session.
"""

from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.lags import profile
from pe_desktop.core.precision.formats import Precision, framework_values, single_frequencies
from pe_desktop.core.record import record
from pe_desktop.core.source.arrays import distances_of_rows, toeplitz
from pe_desktop.resources import resource_path

# Values that broadcast and closed form are compared on.
_MEASURED_VALUES: Final = 2**19
_MOST_MEASURED: Final = 64
SESSION_SIZES: Final = (5, 4)
_FLOAT32, _FLOAT64 = 4, 8
# The timesteps of three images, as far as the table goes.
_TIMESTEPS: Final = (0, 10, 100)


def module_listing(encoding: Encoding) -> str:
    """The module of listing 1 as it runs: PyTorch, for the sizes and the base of an encoding; odd widths made even."""
    d_model = max(encoding.d_model // 2 * 2, 2)
    base = float(encoding.parameters.get("base", 10_000.0))
    text = resource_path("listing_1.txt").read_text(encoding="utf-8")
    return text.format(encoding.n_positions, d_model, base)


def distance_costs(n_positions: int, d_model: int) -> tuple[int, int, int]:
    """The bytes of (N, 1, d) - (1, N, d) as float32; of the angles k omega_i / 2, (N, d / 2), and of N distances."""
    n_angles = n_positions * -(-d_model // 2)
    return n_positions * n_positions * d_model * _FLOAT32, n_angles * _FLOAT64, n_positions * _FLOAT64


def broadcast_agreement(encoding: Encoding) -> tuple[int, float]:
    """How far norms of broadcast differences are, at most, from the closed form, or from one row at a time without one.

    First over how many positions they were compared.
    """
    n = min(encoding.n_positions, max(int((_MEASURED_VALUES / encoding.d_model) ** 0.5), 2), _MOST_MEASURED)
    table = encoding.values(range(n))
    broadcast = np.linalg.norm(table[:, None] - table[None], axis=2)
    by_offset = encoding.is_shift_invariant
    others = toeplitz(profile(encoding, "distance", range(n))) if by_offset else distances_of_rows(table)
    return n, float(np.abs(broadcast - others).max())


@record(eq=False)
class Step:
    """One line of a session, what it makes, and which columns of it are new.

    shape: as PyTorch says it; values: two-dimensional, the rows as they are printed; new: columns, () for all.
    """

    line: str
    shape: tuple[int, ...]
    values: Floats
    new: tuple[int, ...] = ()


def session(d_model: int, base: float, n_columns: int | None = None) -> tuple[Step, ...]:
    """The steps that build the first five rows at an even width, in float32 as PyTorch does.

    n_columns: of how many columns, the first ones, values are listed; None for all.
    """
    rows = SESSION_SIZES[0]
    shown = slice(None, n_columns)
    encoding = SinusoidalEncoding(rows, d_model, base)
    table = framework_values(encoding, Precision("float32", "exp"), range(rows))
    omega = single_frequencies(encoding.pairs, "exp").astype(np.float64)
    t = np.arange(rows, dtype=np.float64)
    pairs = d_model // 2
    empty = np.zeros((rows, d_model))
    even, odd = (tuple(range(first, d_model, 2)) for first in (0, 1))
    exponents = f"torch.arange(0, {d_model}, 2) * -(math.log({base:g}) / {d_model})"
    sines = np.where(np.isin(np.arange(d_model), even), table, 0.0)
    return (
        Step(f"pe = torch.zeros({rows}, {d_model})", (rows, d_model), empty[:, shown]),
        Step(f"t = torch.arange({rows})", (rows,), t[None]),
        Step("t = t.unsqueeze(1)", (rows, 1), t[:, None]),
        Step(f"omega = torch.exp({exponents})", (pairs,), omega[None, shown]),
        Step("pe[:, 0::2] = torch.sin(t * omega)", (rows, d_model), sines[:, shown], even),
        Step("pe[:, 1::2] = torch.cos(t * omega)", (rows, d_model), table[:, shown], odd),
        Step("batch = pe.unsqueeze(0)", (1, rows, d_model), table[:, shown]),
    )


def session_listing(steps: tuple[Step, ...]) -> str:
    """Some steps as a program."""
    return "\n".join(["import math", "", "import torch", "", *(step.line for step in steps), ""])


def timesteps(encoding: Encoding) -> tuple[int, ...]:
    """How noisy three images of a batch are: rows of the table."""
    return tuple(min(t, encoding.n_positions - 1) for t in _TIMESTEPS)
