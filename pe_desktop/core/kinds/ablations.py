"""Ablations: the sinusoidal encoding with one part changed."""

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar, Final, NoReturn

import numpy as np

from pe_desktop.core.encoding import ColumnWaves, Floats, Numbers, Rows, position_rows, table_columns
from pe_desktop.core.hands import all_pair_columns, column_pairs, frequency_formula, pair_formulas, places_of
from pe_desktop.core.kinds.sinusoidal import LAYOUT, SPACING, PairKind, SinusoidalPairs, WaveKind
from pe_desktop.core.number_text import MINUS, in_formula
from pe_desktop.core.phase import Split, split_sum
from pe_desktop.core.record import record
from pe_desktop.core.rules import FADE, ODD_D_MODEL, WIDTH, choice, ruled
from pe_desktop.core.source import tables

# ln 2 in two parts; the first has so few digits that a whole multiple of it is exact.
_LN2_UPPER: Final = 6.93147180369123816490e-01
_LN2_LOWER: Final = 1.90821492927058770002e-10
# Splits a float64 into two halves of 26 digits (Veltkamp).
_SPLITTER: Final = 2.0**27 + 1


def _square(sizes: Floats) -> Split:
    """p^2: up to 2^62, whole positions stay whole numbers, and of others the rounding error of the square is kept."""
    squares, rounding = _exact_square(sizes)
    uppers = np.rint(squares)
    lowers = np.rint(rounding)
    rests = (squares - uppers) + (rounding - lowers)
    carried = np.rint(rests)
    total = uppers.astype(np.int64) + lowers.astype(np.int64) + carried.astype(np.int64)
    rests -= carried
    return Split(total.astype(np.uint64), rests if np.any(rests) else None, None)


def _root(sizes: Floats) -> Split:
    """The square root, with the correction of one Newton step, which float64 alone would lose."""
    roots = np.sqrt(sizes)
    squares, rounding = _exact_square(roots)
    missing = (sizes - squares) - rounding
    corrections = np.divide(missing, 2 * roots, out=np.zeros_like(roots), where=roots > 0)
    return _sums(roots, corrections)


def _log(sizes: Floats) -> Split:
    """log(1 + |p|) = e ln 2 + log m: the first term is exact but for a small part, the second is small."""
    sums = 1 + sizes
    lost = np.where(sizes > 1, 1 - (sums - sizes), sizes - (sums - 1))
    mantissas, exponents = np.frexp(sums)
    is_low = mantissas < np.sqrt(0.5)
    mantissas = np.where(is_low, 2 * mantissas, mantissas)
    exponents = exponents - is_low
    return _sums(exponents * _LN2_UPPER, np.log(mantissas) + exponents * _LN2_LOWER + lost / sums)


@record
class _Map:
    """A function of positions: its title, the angle of a hand, in plain float64, and of |p| in parts.

    The parts are off by less than 3e-16 up to |p| = 2^31. Below 0, where root and logarithm are not defined, all
    continue as mirror images: p^2 and 1/(1 + |p|) as even functions, the two others as odd ones, which is_odd says.
    """

    title: str
    angle: str
    plain: Callable[[Floats], Floats]
    parts: Callable[[Floats], Split]
    is_odd: bool = False


_MAPS: Final = {
    "square": _Map("t²", "t^2 ω_i", np.square, _square),
    "root": _Map("√t", "t^{1/2} ω_i", tables.root, _root, is_odd=True),
    "log": _Map("log(1 + t)", "log(1 + t) ω_i", tables.log, _log, is_odd=True),
    "reciprocal": _Map("1/(1 + t)", "ω_i/(1 + t)", tables.reciprocal, lambda p: split_sum(0 * p, 1 / (1 + p))),
}


def _sums(large: Floats, small: Floats) -> Split:
    """Sums of two numbers, none of them negative."""
    wholes = np.rint(large)
    return split_sum(wholes, (large - wholes) + small)


def _exact_square(numbers: Floats) -> tuple[Floats, Floats]:
    """The square and what rounding it lost (Dekker's product)."""
    squares = numbers * numbers
    shifted = _SPLITTER * numbers
    upper = shifted - (shifted - numbers)
    lower = numbers - upper
    return squares, ((upper * upper - squares) + 2 * upper * lower) + lower * lower


@record
class _PositionMapPairs(SinusoidalPairs):
    """The pairs of a position-mapped encoding: at position p the hand stands at f(p) omega_i.

    omega_i are radians, and wavelengths 2 pi / omega_i, per unit of f(p).
    """

    map: str = "square"
    turns_evenly: ClassVar[bool] = False

    def offset_angles(self, offsets: Numbers, pairs: Numbers | None = None) -> NoReturn:
        raise ValueError(_REFUSAL)

    offset_hands = offset_angles

    def turns(self, positions: Numbers, offset: float, pairs: Numbers | None = None) -> Floats:
        """(f(t + k) - f(t)) omega_i in plain float64, shape (len(positions), len(pairs)), radians.

        Of t^2 it is k (2 t + k): nearly equal squares are not subtracted.
        """
        rows = np.asarray(position_rows(positions), dtype=np.float64)
        image = _MAPS[self.map].plain
        turned = offset * (2 * rows + offset) if self.map == "square" else image(rows + offset) - image(rows)
        return np.outer(turned, self._frequencies_of(pairs).angular)

    def reading(self, rows: Rows) -> Split:
        given = np.arange(rows.start, rows.stop, rows.step) if isinstance(rows, range) else rows
        part = _MAPS[self.map].parts(np.abs(given.astype(np.float64)))
        is_negative = given < 0
        return replace(part, is_negative=is_negative) if _MAPS[self.map].is_odd and is_negative.any() else part


_REFUSAL: Final = "hands of a position map don't turn evenly: how far depends on the position, not on the offset alone"


@record
class PositionMapEncoding(PairKind):
    """PE(p, sine of pair i) = sin(f(p) omega_i), PE(p, cosine of pair i) = cos(f(p) omega_i).

    f is p^2, the square root, log(1 + p) or 1 / (1 + p). Values: error at most 1e-15 for positions up to 2^31 either
    way (docs/precision.md).
    """

    map: str = choice(*_MAPS, titles={word: mapped.title for word, mapped in _MAPS.items()})

    kind: ClassVar[str] = "position-map"

    @property
    def title(self) -> str:
        return f"Sinusoidal of {_MAPS[self.map].title}"

    @property
    def formulas(self) -> tuple[str, ...]:
        n_pairs = self.d_model // 2
        omega = frequency_formula(n_pairs, self.base, self.spacing)
        return (*pair_formulas(self.layout, n_pairs, _MAPS[self.map].angle), omega)

    @property
    def pairs(self) -> _PositionMapPairs:
        return _PositionMapPairs(self.d_model, self.base, self.spacing, self.layout, map=self.map)


@record
class FadingPairs(SinusoidalPairs):
    """Pairs whose hands are zeta_i^p long at position p, zeta_i = ((2i + 0.4 d) / 1.4 d)^(1 / fade).

    M_k is a turn times zeta_i^k, the same for every t; the lengths are bounded as `tables.faded` says.
    """

    fade: float = 512.0
    keeps_length: ClassVar[bool] = False

    def lengths_at(self, positions: Numbers) -> Floats:
        return tables.faded(np.asarray(position_rows(positions)), self.count, self.fade)

    def hands(self, positions: Numbers, pairs: Numbers | None = None) -> Floats:
        lengths = self.lengths_at(positions)[:, self._numbers(pairs)]
        return SinusoidalPairs.hands(self, positions, pairs) * lengths[:, :, None]

    def offset_hands(self, offsets: Numbers, pairs: Numbers | None = None) -> Floats:
        lengths = self.lengths_at(offsets)[:, self._numbers(pairs)]
        return SinusoidalPairs.offset_hands(self, offsets, pairs) * lengths[:, :, None]

    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats:
        columns = table_columns(dimensions, self.d_model)
        owners, _ = column_pairs(self.layout, self.count, columns)
        return SinusoidalPairs.values(self, positions, dimensions) * self.lengths_at(positions)[:, owners]


@record
class FadingEncoding(PairKind):
    """PE(p, sine of pair i) = zeta_i^p sin(p omega_i), PE(p, cosine of pair i) = zeta_i^p cos(p omega_i).

    zeta_i = ((2i + 0.4 d) / 1.4 d)^(1 / fade): linear in the shift, and yet not shift-invariant. Values: error at most
    1e-15 from position 0 on; far out a hand that float64 can't tell from 0 is 0. Source of the factor: xPos, Sun et
    al., arXiv 2212.10554, where fade is 512.
    """

    fade: float = ruled(512.0, FADE)

    kind: ClassVar[str] = "fading"
    title: ClassVar[str] = "Fading pairs"
    column_waves: ClassVar[None] = None

    @property
    def formulas(self) -> tuple[str, ...]:
        n_pairs = self.d_model // 2
        omega = frequency_formula(n_pairs, self.base, self.spacing)
        share = f"(2i + {in_formula(0.4 * self.d_model)})/{in_formula(1.4 * self.d_model)}"
        zeta = f"ζ_i = ({share})^{{1/{in_formula(self.fade)}}}"
        return (*pair_formulas(self.layout, n_pairs, "t ω_i", "ζ_i^t "), omega, zeta)

    @property
    def pairs(self) -> FadingPairs:
        return FadingPairs(self.d_model, self.base, self.spacing, self.layout, fade=self.fade)


@record
class OneWaveEncoding(WaveKind):
    """PE(p, c) = sin(p omega_c), or cos(p omega_c), a frequency for each of the d columns, omega_c = base^(-c/d).

    At half of d_model its columns are the sines, or the cosines, of the sinusoidal encoding of d_model: the same table
    without its other half.
    """

    # Two columns are what a sinusoidal encoding needs for one frequency.
    d_model: int = ruled(32, WIDTH)
    spacing: str = ruled("geometric", SPACING)
    wave: str = choice("sine", "cosine")

    kind: ClassVar[str] = "one-wave"

    @property
    def title(self) -> str:
        return f"{self.wave.capitalize()} only"

    @property
    def formulas(self) -> tuple[str, ...]:
        word = "sin" if self.wave == "sine" else "cos"
        share = f"c/{in_formula(self.d_model)}"
        omega = frequency_formula(self.d_model, self.base, self.spacing, share=share, letter="c")
        return f"PE(t, c) = {word}(t ω_c)", omega

    def waves(self) -> ColumnWaves:
        hands = SinusoidalPairs(2 * self.d_model, self.base, self.spacing, "interleaved")
        return ColumnWaves(hands, np.arange(self.d_model), np.full(self.d_model, self.wave == "cosine"))


@record
class OddWidthEncoding(WaveKind):
    """The sinusoidal encoding with omega_i = base^(-2i/d) for i = 0 to (d - 1) / 2, whose last cosine is left out.

    Some programs cut the cosines to the width of the table like this; others append a zero, cut the sine, or raise an
    error. The shift of the last hand needs the missing cosine.
    """

    d_model: int = ruled(33, ODD_D_MODEL)
    spacing: str = ruled("geometric", SPACING)
    layout: str = ruled("interleaved", LAYOUT)

    kind: ClassVar[str] = "odd-width"
    title: ClassVar[str] = "Sinusoidal, odd width"

    @property
    def formulas(self) -> tuple[str, ...]:
        n_hands = (self.d_model + 1) // 2
        sine, cosine = places_of(all_pair_columns(self.layout, n_hands))
        if self.layout == "cosine-first":
            # The missing cosine stood before the sines: they move up.
            sine = f"i + {n_hands - 1}"
        return (
            f"PE(t, {sine}) = sin(t ω_i)",
            f"PE(t, {cosine}) = cos(t ω_i), i < {n_hands - 1}",
            frequency_formula(n_hands, self.base, self.spacing, share=f"2i/{in_formula(self.d_model)}"),
        )

    def waves(self) -> ColumnWaves:
        hands = SinusoidalPairs(self.d_model, self.base, self.spacing, self.layout)
        # The columns of the table that is one wider, but for the cosine of its last hand.
        columns = np.delete(np.arange(self.d_model + 1), hands.columns[-1, 1])
        return ColumnWaves(hands, *column_pairs(self.layout, hands.count, columns))


@record
class _DoubledExponentHands(SinusoidalPairs):
    """A hand for each column, omega_c = base^(-2c/d): d_model counts twice as many, and so the shift is d/2."""


@record
class DoubledExponentEncoding(WaveKind):
    """PE(p, c) = sin(p base^(-2c/d)) for even c and cos(p base^(-2c/d)) for odd c.

    What `10000 ** (2 * i / d)` computes where i already counts columns by twos: the exponent runs to 2 instead of 1,
    and the sine and the cosine of a pair turn at different speeds. Source: SamLynnEvans/Transformer, issue 25.
    """

    kind: ClassVar[str] = "doubled-exponent"
    title: ClassVar[str] = "Doubled exponent"

    @property
    def formulas(self) -> tuple[str, ...]:
        return (
            "PE(t, 2i) = sin(t ω_{2i})",
            "PE(t, 2i + 1) = cos(t ω_{2i + 1})",
            f"ω_c = {in_formula(self.base)}^{{{MINUS}2c/{in_formula(self.d_model)}}}",
        )

    def waves(self) -> ColumnWaves:
        hands = _DoubledExponentHands(2 * self.d_model, self.base, "geometric", "interleaved", shift=self.d_model / 2)
        return ColumnWaves(hands, np.arange(self.d_model), np.arange(self.d_model) % 2 == 1)
