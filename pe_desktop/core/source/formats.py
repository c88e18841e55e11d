"""Tables in smaller number formats, as frameworks compute them: always by NumPy."""

import math

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Floats, Integers, Singles


def cast(values: NDArray[np.floating | np.integer], number_format: str) -> NDArray[np.floating]:
    """Values in a number format, to nearest, ties to even, inf beyond it; nan stays nan.

    bfloat16 is float32 with the upper 16 bits alone.
    """
    with np.errstate(over="ignore"):
        if number_format != "bfloat16":
            return values.astype(number_format)
        single = values.astype(np.float32)
        bits = single.view(np.uint32)
    half = np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    return np.where(np.isnan(single), single, ((bits + half) & np.uint32(0xFFFF0000)).view(np.float32))


def exp_frequencies(count: int, base: float, steps: float, kind: type = np.float32) -> Singles:
    """exp(-i ln(base) / steps) in float32; kind: the format in which exp is computed."""
    exponents = np.arange(count, dtype=np.float32) * np.float32(-(math.log(base) / steps))
    return np.exp(exponents.astype(kind)).astype(np.float32)


def power_frequencies(count: int, base: float, steps: float, kind: type = np.float32) -> Singles:
    """1 / base^(i / steps) in float32; kind: the format in which the power is computed."""
    exponents = np.arange(count, dtype=np.float32) / np.float32(steps)
    return np.asarray(np.float32(1) / np.power(kind(np.float32(base)), exponents.astype(kind)).astype(np.float32))


def relative_errors(forms: list[Singles], omega: Floats) -> Floats:
    """By how much each frequency in float32 is off in each form, shape (forms, pairs)."""
    return np.abs(np.stack(forms) - omega) / omega


def one_sum(a: Singles, b: Singles) -> Singles:
    """Dot products in float32, product after product added to one sum, shape (...,) of vectors (..., d)."""
    return np.add.accumulate(a * b, axis=-1)[..., -1]


def printed_rows(d_model: int) -> Singles:
    """82 rows in float32, the exp form; its exponentials, sines and cosines rounded once, shape (82, d_model)."""
    omega = exp_frequencies(d_model // 2, 10000.0, d_model / 2, np.float64)
    angle = (np.arange(82, dtype=np.float32)[:, None] * omega).astype(np.float64)
    return np.stack([np.sin(angle), np.cos(angle)], axis=2).reshape(82, d_model).astype(np.float32)


def printed_products(pairs: list[list[int]]) -> Floats:
    """The dot products of rows at d_model = 512 in float32, with one running sum, shape (len(pairs),)."""
    table = printed_rows(512)
    return np.array([one_sum(table[a], table[b]) for a, b in pairs], dtype=np.float64)


def rounding_of(exact: Floats, tables: list[Floats]) -> dict[str, Floats | Integers]:
    """Of tables in smaller formats the largest |error| up to each row, and how many rows are distinct."""
    rounded = [table.astype(np.float64) + 0.0 for table in tables]
    errors = [np.maximum.accumulate(np.abs(table - exact).max(axis=1)) for table in rounded]
    distinct = [len(np.unique(table, axis=0)) for table in rounded]
    return {"errors": np.stack(errors), "distinct": np.array(distinct)}
