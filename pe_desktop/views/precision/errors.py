"""The page of errors: the largest error up to each position in every format, and which rows differ."""

from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.precision.formats import Precision
from pe_desktop.core.precision.measured import Rounding, Roundings, compared_precisions
from pe_desktop.core.precision.tables import framework_values, has_forms
from pe_desktop.core.rules import rules_of
from pe_desktop.core.state import State
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import Block, Column, Copied, Row, Table, Words
from pe_desktop.draw.number_text import copied, position
from pe_desktop.views.precision import words

EXPLANATION: Final = (
    "The largest error of the table up to a position, in each format, both axes by their logarithm; dashed where "
    "position ids are cast before they are multiplied. Frequencies, angles, sines and cosines are computed in "
    "float32, smaller formats cast from it."
)
_TITLES: Final = ("", "largest error", "rows that differ", "frequencies off by", "first to share a row")
_IDS_DASH: Final = (4.0, 3.0)
_LEAST_FARTHEST: Final = 10.0
_LIMITS: Final = (1e-9, 1.0)


def page(state: State, roundings: Roundings | None) -> Block:
    encoding, shown, at = state.encoding, words.shown_precision(state.precision), state.cursor.position
    curves, error = _curves(roundings, encoding, shown), _error_at(encoding, shown, at)
    last = max(float(encoding.n_positions), _LEAST_FARTHEST)
    return Column(
        (
            Words(sentence(state, roundings), "strong", is_paragraph=True, is_for_screen=True),
            Chart(
                "Largest error up to position t",
                Scale("position t", 1.0, last, is_logarithmic=True, sets="position"),
                Scale("", *_decades(curves), is_logarithmic=True),
                curves,
                at,
                f"row t = {position(at)} is off by {words.error_text(error, 2)}",
                name="error by position",
            ),
            Table(_TITLES, _rows(encoding, state.precision, roundings)),
            Copied((f"row t = {at!r} is off by\t{error!r}",)),
        ),
        gap=12.0,
    )


def sentence(state: State, roundings: Roundings | None) -> str:
    return words.sentence(state.encoding, state.precision, roundings)


@lru_cache(maxsize=4)
def _curves(roundings: Roundings | None, encoding: Encoding, shown: Precision) -> tuple[Curve, ...]:
    return () if roundings is None else tuple(_curve(row, roundings, encoding, shown) for row in roundings.rows)


def _curve(row: Rounding, roundings: Roundings, encoding: Encoding, shown: Precision) -> Curve:
    """Positions and the largest errors so far, all above 0, until ids overflow."""
    largest = np.maximum.accumulate(row.errors)
    drawn = (roundings.positions > 0) & (largest > 0) & np.isfinite(largest)
    dash = () if row.precision.position_ids == "float64" else _IDS_DASH
    name = words.name_of(row.precision, has_forms=has_forms(encoding))
    x, y = roundings.positions[drawn].astype(np.float64), largest[drawn]
    return Curve(name, x, y, dash=dash, is_chosen=row.precision == shown)


def _decades(curves: tuple[Curve, ...]) -> tuple[float, float]:
    """Powers of ten around all errors that are drawn."""
    errors = np.concatenate([curve.y for curve in curves]) if curves else np.empty(0)
    if not errors.size:
        return _LIMITS
    first, last = np.floor(np.log10(errors.min())), np.ceil(np.log10(errors.max()))
    return float(10.0**first), float(10.0 ** max(last, first + 1.0))


@lru_cache(maxsize=4)
def _error_at(encoding: Encoding, shown: Precision, at: float) -> float:
    """The largest error of row t; infinite where its id is."""
    error = float(np.abs(framework_values(encoding, shown, [at]) - encoding.values([at])).max())
    return error if np.isfinite(error) else np.inf


@lru_cache(maxsize=4)
def _rows(encoding: Encoding, chosen: Precision, roundings: Roundings | None) -> tuple[Row, ...]:
    shown = words.shown_precision(chosen)
    return tuple(
        _row(precision, roundings, encoding, is_chosen=precision == shown)
        for precision in compared_precisions(encoding, chosen)
    )


def _row(precision: Precision, roundings: Roundings | None, encoding: Encoding, *, is_chosen: bool) -> Row:
    name = words.name_of(precision, has_forms=has_forms(encoding))
    sets = {field: getattr(precision, field) for field in rules_of(Precision)}
    row = None if roundings is None else roundings.of(precision)
    if row is None:
        return Row((name, *[words.UNKNOWN] * 4), sets, is_chosen)
    shared = words.shared_text(row)
    rows = words.rows_text(row, encoding.n_positions)
    cells = words.largest_error_text(row), rows, words.frequency_text(row.frequency_error), shared
    differ = f"{row.rows.n_distinct} of {row.rows.n_positions}"
    exact = repr(row.largest_error), differ, copied(row.frequency_error), shared
    return Row((name, *cells), sets, is_chosen, (name, *exact))
