"""What rounding does to a table, in names, numbers and sentences."""

import re
from functools import partial
from typing import Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.precision.formats import Precision, has_forms, turning_pairs
from pe_desktop.core.precision.measured import Rounding, Roundings, frequency_error
from pe_desktop.core.record import kept
from pe_desktop.draw.number_text import fixed, scientific, short, whole
from pe_desktop.resources import resource_json

FORM_NAMES: Final = {"exp": "by exp", "power": "by a power", "rounded": "rounded at the end"}
PRINTED: Final = "As printed: the last digits of float32 depend on the order of adding"
UNKNOWN: Final = "…"
_power: Final = partial(scientific, keeps_zeros=True)
_MOST_GROUPS: Final = 2


def name_of(precision: Precision, encoding: Encoding) -> str:
    """What a choice of formats is called: float32, by exp; bfloat16; positions stored in bfloat16."""
    if precision.dtype != "float32":
        return precision.title
    if precision.position_ids != "float64":
        return f"positions stored in {precision.position_ids}"
    return f"float32, {FORM_NAMES[precision.form]}" if has_forms(encoding) else "float32"


def error_text(value: float, digits: int = 1) -> str:
    """2.4×10⁻⁴, or 0.85 where it is that large; digits: after the first one."""
    return "0" if value == 0 else short(value, digits + 1) if value >= 0.01 else _power(value, digits)


def frequency_text(error: float | None) -> str:
    """5.80×10⁻⁷, or a dash where no frequency is computed."""
    return "–" if error is None else "0" if error == 0 else _power(error, 2)


def _rows_text(row: Rounding, n_positions: int) -> str:
    """385 of 512: how many rows differ."""
    distinct = whole(row.n_distinct)
    compared = whole(row.n_positions)
    first = "" if row.n_positions == n_positions else "of the first "
    if distinct == compared:
        return f"all {first}{compared}"
    return f"{distinct} {first or 'of '}{compared}"


def texts_of(row: Rounding, encoding: Encoding, most: int = _MOST_GROUPS) -> tuple[str, ...]:
    """Name, largest error, rows that differ, error of frequencies, and the first positions that share a row."""
    largest = error_text(row.largest_error) if row.overflow is None else f"∞ from {whole(row.overflow)}"
    name = name_of(row.precision, encoding)
    rows = _rows_text(row, encoding.n_positions)
    shared = " · ".join(", ".join(map(whole, group)) for group in row.shared[:most]) or "none"
    return name, largest, rows, frequency_text(row.frequency_error), shared


def sentence(encoding: Encoding, chosen: Precision, roundings: Roundings | None) -> str:
    """What the chosen formats do to this table, those of float32 where the exact table is chosen."""
    shown = shown_precision(chosen)
    name = name_of(shown, encoding)
    exact = "This table is float64, exact; " if chosen.is_exact else ""
    name = name if exact else re.sub("^positions", "Positions", name)
    if not roundings or not (row := roundings.of(shown)):
        return f"{exact}{name}: measuring…"
    lead = f"{exact}in {name}, it is " if exact else f"{name}: "
    n_positions = encoding.n_positions
    where = f"up to position {whole(n_positions - 1)}"
    if row.n_measured < n_positions:
        where = f"on {whole(row.n_measured)} of {whole(n_positions)} positions"
    if row.overflow is not None:
        errs = f"no number from position {whole(row.overflow)} on"
    else:
        errs = f"off by {error_text(row.largest_error)} at most {where}"
    if not row.shared:
        which = "" if row.n_positions == n_positions else f" of the first {whole(row.n_positions)}"
        return f"{lead}{errs}, no two positions{which} share a row"
    one, other = row.shared[0][:2]
    return f"{lead}{errs}, {whole(one)} and {whole(other)} share a row"


def shown_precision(chosen: Precision) -> Precision:
    """The formats that are told of: float32 beside the exact table, which needs no telling."""
    return Precision("float32", chosen.form) if chosen.is_exact else chosen


@kept
def log_space(encoding: Encoding) -> str:
    """Whether exp is the more accurate way; the table beside it has the numbers."""
    pairs, said = turning_pairs(encoding), resource_json("help.json")["views"]["precision"]
    if pairs is None or not has_forms(encoding):
        return str(said["no hands"]) if pairs is None else f"{said['one form']} {said['grows']}"
    exp, power = (frequency_error(encoding, form) or 0.0 for form in ("exp", "power"))
    compared = "less accurate" if exp > power else "more accurate" if exp < power else "no more accurate"
    top = fixed(pairs.scale / float(pairs.angular_frequencies.min()), 1)
    return f"{said['log space'].format(top=top, compared=compared)} {said['grows']}"
