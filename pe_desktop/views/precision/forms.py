"""The page of forms: the error of each frequency, and whether log space is more stable."""

from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.columns import n_hands
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.precision.formats import FORMS, Precision
from pe_desktop.core.precision.measured import Roundings, frequency_error, frequency_errors
from pe_desktop.core.precision.tables import has_forms, turning_pairs
from pe_desktop.core.state import State
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import Block, Column, Copied, Named, Row, Table, Words
from pe_desktop.model.findings import Answers
from pe_desktop.views.precision import words

EXPLANATION: Final = (
    "The relative error of each angular frequency in float32, computed by exp, by a power of the base, or in "
    "float64 and rounded once. The line is the chosen pair."
)
_TITLES: Final = ("", "frequencies off by", "rounded correctly", "table off by")
# An axis of errors that are all zero.
_LEAST_HIGHEST: Final = 1e-7


def page(state: State, roundings: Roundings | None) -> Block:
    encoding, form, pair = state.encoding, state.precision.form, state.cursor.pair
    text = words.log_space(encoding, roundings)
    heading = Words(words.forms_heading(encoding), "strong", is_for_screen=True)
    answer = Words(text, "caption", "text2", is_paragraph=True)
    if turning_pairs(encoding) is None:
        return Column((Named(heading.text, Column((heading, answer), gap=4.0), text),))
    are_pairs = len(frequency_errors(encoding, "rounded")) == n_hands(encoding)
    rows = _rows(encoding, form, roundings)
    chart = Chart(
        "Relative error of each frequency",
        *_scales(encoding, are_pairs=are_pairs),
        _curves(encoding, form),
        float(pair) if are_pairs else None,
        _errors_of(encoding, pair) if are_pairs else "",
        name="error by pair",
    )
    return Column((heading, chart, Table(_TITLES, rows), answer, Copied(_errors_by_pair(encoding))), gap=12.0)


def sentence(state: State, _answers: Answers) -> str:
    return words.forms_heading(state.encoding)


def _forms(encoding: Encoding) -> tuple[str, ...]:
    return FORMS if has_forms(encoding) else ("rounded",)


def _scales(encoding: Encoding, *, are_pairs: bool) -> tuple[Scale, Scale]:
    last = max(len(frequency_errors(encoding, "rounded")) - 1.0, 1.0)
    highest = max(float(frequency_errors(encoding, form).max()) for form in _forms(encoding))
    x = Scale("pair i" if are_pairs else "column", 0.0, last, ticks="positions", sets="pair" * are_pairs, is_whole=True)
    return x, Scale("", 0.0, 1.04 * max(highest, _LEAST_HIGHEST))


@lru_cache(maxsize=4)
def _curves(encoding: Encoding, chosen: str) -> tuple[Curve, ...]:
    forms = _forms(encoding)
    chosen = chosen if chosen in forms else forms[0]
    errors = [(form, frequency_errors(encoding, form)) for form in forms]
    return tuple(
        Curve(words.FORM_NAMES[form], np.arange(float(len(error))), error, is_chosen=form == chosen)
        for form, error in errors
    )


def _errors_of(encoding: Encoding, pair: int) -> str:
    errors = {form: float(frequency_errors(encoding, form)[pair]) for form in _forms(encoding)}
    texts = ", ".join(f"{words.FORM_NAMES[form]} {words.error_text(error)}" for form, error in errors.items())
    return f"pair {pair}: {texts}"


@lru_cache(maxsize=4)
def _rows(encoding: Encoding, chosen: str, roundings: Roundings | None) -> tuple[Row, ...]:
    rows, forms = [], _forms(encoding)
    for form in forms:
        # Where there is one form, tables of any chosen one are the same.
        same = form if has_forms(encoding) else chosen
        row = None if roundings is None else roundings.of(Precision("float32", same))
        exactly = frequency_error(encoding, form, is_correctly_rounded=True)
        texts = [words.frequency_text(error) for error in (frequency_error(encoding, form), exactly)]
        texts.append(words.UNKNOWN if row is None else words.error_text(row.largest_error))
        is_chosen = form == (chosen if chosen in forms else forms[0])
        rows.append(Row((words.FORM_NAMES[form], *texts), {"form": form}, is_chosen))
    return tuple(rows)


def _errors_by_pair(encoding: Encoding) -> tuple[str, ...]:
    forms = _forms(encoding)
    errors = np.column_stack([frequency_errors(encoding, form) for form in forms]).tolist()
    titles = "\t".join(("pair", *(words.FORM_NAMES[form] for form in forms)))
    return titles, *("\t".join((str(pair), *map(repr, row))) for pair, row in enumerate(errors))
