"""The algebra of M_k with its residuals, and how M_k is found, as sentences and formulas with the current numbers."""

import math
from dataclasses import dataclass

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.rotation import (
    composition_residual,
    determinant,
    eigenvalues,
    orthogonality_residual,
    power_residual,
    rotating_pairs,
    rotation_blocks,
    rotation_refusal,
)
from pe_desktop.draw.number_text import fixed, plain, position, scientific, short

_POWER = 10
Line = tuple[str, str]
_Law = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class TableEntries:
    """cos k omega_i and sin k omega_i as two entries of the table, PE(k - start) / amplitude.

    row: k - start, rounded to float64; sine, cosine: the columns of the pair; values: sine and cosine, over amplitude.
    In the paper start is 0 and amplitude 1: there the row is k, and the entries are those of PE(k) as they stand.
    """

    start: float
    amplitude: float
    row: float
    sine: int
    cosine: int
    values: tuple[float, float]

    @property
    def is_plain(self) -> bool:
        """Whether row k itself holds them."""
        return self.start == 0 and self.amplitude == 1

    @property
    def over(self) -> str:
        """The division by the amplitude, where there is one."""
        return "" if self.amplitude == 1 else f" / {short(self.amplitude, 4)}"


def table_entries(encoding: Encoding, offset: float, pair: int) -> TableEntries:
    """Where the table itself holds the entries of a block of M_k; ValueError for an encoding without an M_k."""
    pairs = rotating_pairs(encoding)
    if pairs is None:
        raise ValueError(rotation_refusal(encoding))
    start = float(encoding.parameters.get("start", 0.0))
    amplitude = float(pairs.lengths[pair])
    (sine, cosine), row = pairs.dimensions(pair), offset - start
    own = encoding.values([row], [sine, cosine])[0] / amplitude
    return TableEntries(start, amplitude, row, sine, cosine, (float(own[0]), float(own[1])))


def algebra_lines(encoding: Encoding, cursor: Cursor, other: float) -> list[_Law]:
    """What M_k obeys: a name, the law as a formula, and the number that was computed for it."""
    if rotating_pairs(encoding) is None:
        return []
    return [
        *_group_laws(encoding, cursor.offset, other),
        _eigenvalue_law(encoding, cursor),
        *_entry_laws(encoding, cursor),
    ]


def _group_laws(encoding: Encoding, k: float, j: float) -> list[_Law]:
    k_text, j_text = position(k), position(j)
    return [
        (
            "Two shifts are one",
            f"M_{{{j_text}}} M_{{{k_text}}} = M_{{{position(j + k)}}}",
            f"differs by {_tiny(composition_residual(encoding, j, k))}",
        ),
        (
            "The way back is the transpose",
            f"M_{{{k_text}}} M_{{{k_text}}}^T = I",
            f"differs by {_tiny(orthogonality_residual(encoding, k))}",
        ),
        (
            f"{_POWER} times the same shift",
            f"(M_{{{k_text}}})^{{{_POWER}}} = M_{{{position(_POWER * k)}}}",
            f"differs by {_tiny(power_residual(encoding, k, _POWER))}",
        ),
        (
            "It keeps volumes",
            f"det M_{{{k_text}}} = 1",
            f"1 {_signed(determinant(encoding, k) - 1.0)}",
        ),
    ]


def _eigenvalue_law(encoding: Encoding, cursor: Cursor) -> _Law:
    pairs, i = rotating_pairs(encoding), cursor.pair
    assert pairs is not None
    value = complex(eigenvalues(encoding, cursor.offset).reshape(-1, 2)[i, 0])
    turn = cursor.offset * float(pairs.angular_frequencies[i])
    return (
        f"Eigenvalues of block {i} lie on the unit circle",
        f"exp(±i k ω_{{{i}}}) = {fixed(value.real, 3)} ± {fixed(abs(value.imag), 3)}i",
        f"length {fixed(abs(value), 12)}, angle {fixed(math.degrees(turn) % 360, 1)}°",
    )


def _entry_laws(encoding: Encoding, cursor: Cursor) -> list[_Law]:
    """The entries of M_k found in the table, and the angle sums written with entries of the table alone."""
    t, k, i = cursor.position, cursor.offset, cursor.pair
    entries = table_entries(encoding, k, i)
    block = rotation_blocks(encoding, k)[i]
    sine, cosine = entries.values
    gap = max(abs(cosine - float(block[0, 0])), abs(sine - float(block[0, 1])))
    row, place = _row_text(entries, position(k)), _row_text(entries, "k")
    cosine_text, sine_text = (f"PE({row}, {column}){entries.over}" for column in (entries.cosine, entries.sine))
    (x, y), (later_x, later_y) = encoding.values([t, t + k], [entries.sine, entries.cosine]).tolist()
    return [
        (
            f"Its entries are entries of PE({place}){entries.over}",
            f"cos kω_{{{i}}} = {cosine_text},  sin kω_{{{i}}} = {sine_text}",
            f"{_why_not_plain(entries)}{fixed(cosine, 4)} and {fixed(sine, 4)}, differ by {_tiny(gap)}",
        ),
        _sum_law("sine", entries, (t, k), (x, cosine, sine, y), later_x),
        _sum_law("cosine", entries, (t, k), (y, cosine, sine, x), later_y),
    ]


def _sum_law(
    name: str,
    entries: TableEntries,
    cursor: tuple[float, float],
    factors: tuple[float, float, float, float],
    later: float,
) -> _Law:
    """The angle sum of a sine or a cosine: four entries of the table make a fifth, k further on."""
    t, k = cursor
    own, other = (entries.sine, entries.cosine) if name == "sine" else (entries.cosine, entries.sine)
    sign, factor = ("+", 1.0) if name == "sine" else (MINUS, -1.0)
    before, after = ("", "") if entries.amplitude == 1 else ("(", f"){entries.over}")
    row = _row_text(entries, position(k))
    a, b, c, d = factors
    gap = abs(a * b + factor * c * d - later)
    # The entries as they stand in the table: those of row k - start carry the amplitude too.
    shown = [f"({fixed(value, 4)})" for value in (a, b * entries.amplitude, c * entries.amplitude, d)]
    first = f"PE({position(t)}, {own}) PE({row}, {entries.cosine})"
    second = f"PE({row}, {entries.sine}) PE({position(t)}, {other})"
    live = f"{shown[0]} · {shown[1]} {sign} {shown[2]} · {shown[3]}"
    return (
        f"The {name} of a sum, in entries of the table",
        f"PE({position(t + k)}, {own}) = {before}{first} {sign} {second}{after}",
        f"{fixed(later, 4)} = {before}{live}{after}, differ by {_tiny(gap)}",
    )


def _row_text(entries: TableEntries, k_text: str) -> str:
    """k, or k less the start."""
    if entries.start == 0:
        return k_text
    return f"{k_text} {MINUS if entries.start > 0 else '+'} {plain(abs(entries.start))}"


def _why_not_plain(entries: TableEntries) -> str:
    """The sentence that tells why row k itself holds other numbers."""
    if entries.is_plain:
        return ""
    starts = f"starts at {plain(entries.start)}" if entries.start else ""
    length = f"has hands of length {short(entries.amplitude, 4)}" if entries.amplitude != 1 else ""
    reason = " and ".join(filter(None, (starts, length)))
    return f"The table {reason}; the matrix has the entries of PE(k) without that. "


def derivation_lines(encoding: Encoding, cursor: Cursor) -> list[Line]:
    """How M_k is found, step by step with the current numbers: a sentence and the formula under it."""
    pairs = rotating_pairs(encoding)
    if pairs is None:
        return []
    t, k, i = cursor.position, cursor.offset, cursor.pair
    omega = float(pairs.angular_frequencies[i])
    now, later = pairs.hands([t, t + k], [i])[:, 0].tolist()
    block = rotation_blocks(encoding, k)[i].tolist()
    entries = table_entries(encoding, k, i)
    sine, cosine = entries.sine, entries.cosine
    w, where = f"ω_{{{i}}}", "τ" if entries.start else "t"
    c, s = fixed(block[0][0], 4), fixed(block[0][1], 4)
    lead = f"{fixed(block[0][0], 4)} · ({fixed(now[0], 4)}) + {fixed(block[0][1], 4)} · ({fixed(now[1], 4)})"
    second = f"{fixed(block[1][0], 4)} · ({fixed(now[0], 4)}) + {fixed(block[1][1], 4)} · ({fixed(now[1], 4)})"
    return [
        (f"Wanted: one matrix for all t.{_what_a_row_is(entries)}", "M p_t = p_{t+k}"),
        (
            f"Row {sine}, the sine of pair {i}: expand the sine of a sum.",
            f"sin({w}({where}+k)) = sin({w}{where}) cos({w}k) + cos({w}{where}) sin({w}k)",
        ),
        (
            f"Row {cosine}, its cosine: expand the cosine of a sum.",
            f"cos({w}({where}+k)) = cos({w}{where}) cos({w}k) − sin({w}{where}) sin({w}k)",
        ),
        (
            f"Compare with row {sine} of M: only two entries differ from 0.",
            f"m_{{{sine},{sine}}} = cos({w}k) = {c},  m_{{{sine},{cosine}}} = sin({w}k) = {s}",
        ),
        (
            f"Compare with row {cosine}.",
            f"m_{{{cosine},{sine}}} = −sin({w}k) = {fixed(block[1][0], 4)},  m_{{{cosine},{cosine}}} = cos({w}k) = {c}",
        ),
        (
            "t cancels: the block depends on k and on the pair alone.",
            f"k{w} = {position(k)} · {short(omega)} = {short(k * omega)} rad",
        ),
        (f"Try it at t = {position(t)}, row {sine}.", f"{lead} = {fixed(later[0], 4)}"),
        (f"And row {cosine}.", f"{second} = {fixed(later[1], 4)}"),
        (
            "Every pair has its own block; all other entries are 0. The shift is linear, PE(t) is not linear in t.",
            "p_{a} + p_{b} ≠ p_{a+b}",
        ),
    ]


def _what_a_row_is(entries: TableEntries) -> str:
    """What start and amplitude make of row t: neither changes the matrix."""
    if entries.is_plain:
        return ""
    times = "" if entries.amplitude == 1 else f"{short(entries.amplitude, 4)} times "
    place = "t" if not entries.start else f"τ = {_sum_text(entries)}"
    return f" Row t holds {times}sine and cosine at {place}."


def _sum_text(entries: TableEntries) -> str:
    return f"t {'+' if entries.start > 0 else MINUS} {plain(abs(entries.start))}"


def _tiny(value: float) -> str:
    return "0" if value == 0 else scientific(value, 0)


def _signed(value: float) -> str:
    if value == 0:
        return "exactly"
    return f"{'+' if value > 0 else '−'} {scientific(abs(value), 0)}"
