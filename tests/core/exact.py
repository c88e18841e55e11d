"""Angular frequencies straight from their definitions, in mpmath's arithmetic."""

import mpmath  # type: ignore[import-untyped]


def exact_frequency(d_model: int, base: float, spacing: str, pair: int) -> mpmath.mpf:
    """omega_i, to the digits of the surrounding mpmath.workdps."""
    n_pairs, exact_base = d_model // 2, mpmath.mpf(base)
    if spacing == "geometric":
        return exact_base ** (-mpmath.mpf(pair) / n_pairs)
    if spacing == "single":
        return mpmath.mpf(1)
    share = mpmath.mpf(pair) / max(n_pairs - 1, 1)
    return exact_base**-share if spacing == "inclusive" else 1 - share * (1 - 1 / exact_base)


def frequency_of(encoding, pair: int) -> mpmath.mpf:
    """The same of a sinusoidal encoding."""
    return exact_frequency(encoding.d_model, encoding.base, encoding.spacing, pair)
