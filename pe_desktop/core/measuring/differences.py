"""How an encoding differs from another one: value by value, in its dot products, and what makes the difference."""

from dataclasses import replace
from typing import Any, Final

import numpy as np

from pe_desktop.core.encoding import ROUNDING, Encoding, Floats, Integers
from pe_desktop.core.fields.field import even_sample
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.record import record

# What the comparison finds, from the closest relation to none.
SAME, REORDERED, CARRIED, TURNED, DIFFERENT = "same", "reordered", "carried", "turned", "different"

# Values of each table, some hundredths of a second; positions whose dot products are compared.
_CELLS: Final = 2**22
_FEWEST: Final = 16
_MOST_PRODUCTS: Final = 512


@record
class Difference:
    """What tells an encoding from a reference of the same positions.

    largest: the largest |difference| of two values, at position and dimension; None where the widths differ.
    paired: the same once the columns are put in one order, sine by sine; None where they are not those of hands.
    products: the largest |difference| of two dot products. changes: parameters with which the reference becomes
    this encoding, to a largest difference of off; where off is None, those of this encoding that the reference hasn't.
    n_positions, n_products: positions compared, of n_all.
    """

    relation: str
    largest: float | None
    position: int
    dimension: int
    paired: float | None
    products: float
    changes: tuple[tuple[str, Any], ...]
    off: float | None
    n_positions: int
    n_products: int
    n_all: int


def difference(encoding: Encoding, reference: Encoding) -> Difference:
    """Compare two tables at all positions that both have, or at an even sample of them where they hold many values."""
    n_all = min(encoding.n_positions, reference.n_positions)
    width = max(encoding.d_model, reference.d_model)
    rows = even_sample(n_all, max(_CELLS // width, _FEWEST))
    one = encoding.values(rows)
    other = reference.values(rows)
    limit = max(encoding.value_limit, reference.value_limit)
    largest = None
    place = 0
    if encoding.d_model == reference.d_model:
        apart = np.abs(one - other)
        place = int(apart.argmax())
        largest = float(apart.reshape(-1)[place])
    paired = _paired(one, other, encoding, reference)
    compared = even_sample(len(rows), _MOST_PRODUCTS)
    products = float(np.abs(one[compared] @ one[compared].T - other[compared] @ other[compared].T).max())
    carried = _carried(reference, encoding)
    off = None if carried is None else float(np.abs(one - carried.values(rows)).max())
    row, dimension = divmod(place, encoding.d_model)
    # A frequency off by one rounding moves a hand by as much at each position.
    rounding = ROUNDING * limit * max(n_all * 1e-3, 1.0)
    amounts = {SAME: largest, REORDERED: paired, CARRIED: off}
    is_turned = products <= ROUNDING * limit**2 * width
    near = (relation for relation, amount in amounts.items() if amount is not None and amount <= rounding)
    relation = next(near, TURNED if is_turned else DIFFERENT)
    changed = carried if relation == CARRIED and carried is not None else encoding
    given = changed.parameters
    base = reference.parameters
    changes = tuple((name, value) for name, value in given.items() if name not in base or value != base[name])
    return Difference(
        relation, largest, int(rows[row]), dimension, paired, products, changes, off if relation == CARRIED else None,
        len(rows), len(compared), n_all,
    )  # fmt: skip


def _paired(one: Floats, other: Floats, encoding: Encoding, reference: Encoding) -> float | None:
    """The largest difference of columns that are the same part of the same hand; None where hands don't correspond."""
    first = _order(encoding)
    second = _order(reference)
    if first is None or second is None or len(first) != len(second):
        return None
    return float(np.abs(one[:, first] - other[:, second]).max())


def _order(encoding: Encoding) -> Integers | None:
    """The columns hand by hand, the sine before the cosine."""
    waves = encoding.column_waves
    if waves is None:
        pairs = encoding.pairs
        return None if pairs is None else pairs.columns.reshape(-1)
    return np.lexsort((waves.is_cosine, waves.numbers)).astype(np.int64)


def _carried(reference: Encoding, encoding: Encoding) -> SinusoidalEncoding | None:
    """The reference with base, start, layout, amplitude and scale of an encoding, where both fall geometrically.

    omega_i = B^(-i/n) = (B^(m/n))^(-i/m): n and m are d/2 less the shifts, 1 for inclusive spacing.
    """
    if not isinstance(reference, SinusoidalEncoding) or not isinstance(encoding, SinusoidalEncoding):
        return None
    spacings = {reference.spacing, encoding.spacing}
    if encoding.d_model != reference.d_model or encoding.d_model < 4 or not spacings <= {"geometric", "inclusive"}:
        return None
    named = {name: getattr(encoding, name) for name in ("start", "layout", "amplitude", "scale")}
    try:
        return replace(reference, base=encoding.base ** (reference.pairs.steps / encoding.pairs.steps), **named)
    except ValueError:
        return None
