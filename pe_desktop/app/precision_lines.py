"""What the command that measures says of number formats: lines for people, values for programs."""

import math
from typing import Any, Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.precision.formats import Precision
from pe_desktop.core.precision.measured import Rounding, Roundings
from pe_desktop.core.precision.tables import has_forms
from pe_desktop.core.rules import rules_of
from pe_desktop.views.precision import words

_TITLES: Final = ("", "largest error", "rows that differ", "frequencies", "first to share")
_WIDTHS: Final = (26, 15, 30, 13, 0)


def table(encoding: Encoding, chosen: Precision, found: Roundings) -> list[str]:
    """A title and a line for each choice of formats."""
    rows = [
        (
            words.name_of(row.precision, has_forms=has_forms(encoding)),
            words.largest_error_text(row),
            words.rows_text(row, encoding.n_positions),
            words.frequency_text(row.frequency_error),
            words.shared_text(row, 1),
        )
        for row in found.rows
    ]
    lines = ["".join(map(str.ljust, row, _WIDTHS)).rstrip() for row in (_TITLES, *rows)]
    return ["", f"Precision: {words.sentence(encoding, chosen, found)}", "", *lines, ""]


def values(found: Roundings) -> list[dict[str, Any]]:
    """Every choice of formats with all digits; null where an error is infinite, from the first such position on."""
    return [_value(row, found) for row in found.rows]


def _value(row: Rounding, found: Roundings) -> dict[str, Any]:
    errors = [error if math.isfinite(error) else None for error in row.errors.tolist()]
    return {
        **{name: getattr(row.precision, name) for name in rules_of(Precision)},
        "frequency_error": row.frequency_error,
        "largest_error": row.largest_error if math.isfinite(row.largest_error) else None,
        "overflows_from": row.overflow,
        "rows_that_differ": row.rows.n_distinct,
        "rows_compared": row.rows.n_positions,
        "first_to_share_a_row": [list(group) for group in row.rows.shared],
        "series": {"x_name": "position", "x": found.positions.tolist(), "y": [errors]},
    }
