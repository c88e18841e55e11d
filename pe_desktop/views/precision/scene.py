"""Precision: what float32, float16 and bfloat16 do to the table, to its frequencies, and to printed numbers."""

from dataclasses import replace
from typing import Final

import numpy as np

from pe_desktop.core.cursor import Cursor, hand_columns, n_hands
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.precision import measured as rounding
from pe_desktop.core.precision.formats import FORMS, Precision, framework_values, has_forms, turning_pairs
from pe_desktop.core.precision.measured import Rounding, Roundings, frequency_error, roundings, sixty_four_sums
from pe_desktop.core.record import kept
from pe_desktop.core.rules import rules_of
from pe_desktop.core.source.formats import one_sum
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import Block, Column, Copied, Drawn, Layers, Live, Named, Row, Space, Table, Words, paragraph
from pe_desktop.draw.number_text import copied, counted, position
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, color_image, colors_at
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.views.controls import CAPTIONS, WORDS, Choice
from pe_desktop.views.paged import Page, PagedView
from pe_desktop.views.precision import words


def _questions(state: State) -> Questions:
    return (Question("precision", roundings, (state.encoding, state.precision), 1, "Comparing formats"),)


def _measured(state: State, answers: Answers) -> Roundings | None:
    measured: Roundings | None = answers.answer(_questions(state)[0])
    return measured


_CAPTIONS: Final = CAPTIONS["precision"]
_ERRORS_TITLES: Final = ("", "largest error", "distinct rows", "frequencies off by", "first to share a row")
_IDS_DASH: Final = (4.0, 3.0)
_LEAST_FARTHEST: Final = 10.0
_LIMITS: Final = (1e-9, 1.0)
# The map of errors: its height, the most positions and values of it, errors that are as light as none.
_MAP, _MOST_COLUMNS, _VALUES, _FLOOR = 110.0, 240, 2**17, 1e-9


def _errors_page(state: State, answers: Answers) -> Block:
    encoding = state.encoding
    shown = words.shown_precision(state.precision)
    at = state.cursor.position
    measured = _measured(state, answers)
    curves = _error_curves(measured, encoding, shown)
    error = _error_at(encoding, shown, at)
    last = max(float(encoding.n_positions), _LEAST_FARTHEST)
    shared, note = _shared(measured, encoding, shown)
    return Column(
        (
            Words(_errors_sentence(state, answers), "strong", is_paragraph=True, is_for_screen=True),
            Chart(
                "Largest error up to position t",
                Scale("position t", 1.0, last, is_logarithmic=True, sets="position"),
                Scale("", *_decades(curves), is_logarithmic=True),
                curves and (*curves, _slope(curves, last)),
                at,
                f"{shown.dtype} row t = {position(at)} is off by {words.error_text(error, 2)}",
                name="error by position",
                band=None if shared is None else (shared, last),
            ),
            paragraph(note, "tick"),
            Table(_ERRORS_TITLES, _error_rows(encoding, state.precision, measured)),
            _map_of_errors(encoding, shown, at),
            Copied((f"{shown.dtype} row t = {at!r} is off by\t{error!r}",)),
        ),
        gap=12.0,
    )


def _shared(measured: Roundings | None, encoding: Encoding, shown: Precision) -> tuple[float | None, str]:
    """From which position on rows are shared, for its id is that of another: in the chosen format, else in bfloat16."""
    by_ids = shown if shown.position_ids != "float64" else replace(shown, dtype="float32", position_ids="bfloat16")
    row = measured and measured.of(by_ids)
    if not row or not row.shared:
        return None, ""
    first = float(row.shared[0][0])
    return first, f"Grey: {words.name_of(by_ids, encoding)} share rows from t = {position(first)} on."


def _slope(curves: tuple[Curve, ...], last: float) -> Curve:
    """What rounding t itself to 24 digits is off by."""
    low, high = _decades(curves)
    x = np.geomspace(max(low * 2**24, 1.0), max(min(high * 2**24, last), 1.0), 2)
    return Curve("t · 2⁻²⁴", x, x * 2.0**-24, "text3", 1.2, (1.0, 4.0))


def _map_of_errors(encoding: Encoding, shown: Precision, at: float) -> Block:
    """Which pairs err where: the error of each pair at an even sample of positions."""
    last = max(encoding.n_positions - 1.0, 1.0)
    pairs = max(n_hands(encoding) - 1.0, 1.0)
    name = words.name_of(shown, encoding)
    errors = _pair_errors(encoding, shown)
    largest = _largest(errors)
    if not largest:
        return Space(0.0)
    scales = Scale("position t", 0.0, last, ticks="positions", sets="position"), Scale("", 0.0, pairs, is_whole=True)
    beyond = "" if np.isfinite(errors).all() else ", ∞ where ids overflow"
    title = f"Error of pair i (up), {name}: up to {words.error_text(largest)}{beyond}"
    chart = Chart(title, *scales, (), at, tall=_MAP, name="error of each pair")
    return Layers((Drawn(_map_picture, (encoding, shown, chart), 0.0), chart))


@kept
def _pair_errors(encoding: Encoding, shown: Precision) -> Floats:
    """The largest error of each pair, shape (n_hands, n positions), infinite where an id is."""
    n_rows = max(min(_MOST_COLUMNS, encoding.n_positions, _VALUES // encoding.d_model), 2)
    positions = np.linspace(0.0, max(encoding.n_positions - 1.0, 1.0), n_rows).round()
    errors = np.abs(framework_values(encoding, shown, positions) - encoding.values(positions))
    columns = hand_columns(encoding)
    columns = np.where(columns < 0, columns[:, :1], columns)
    return np.asarray(np.nan_to_num(errors, nan=np.inf)[:, columns].max(axis=2).T)


def _map_picture(area: Area, theme: Theme, encoding: Encoding, shown: Precision, chart: Chart) -> marks.Picture:
    """From _FLOOR to the largest error by the logarithm; pair 0 below."""
    errors = _pair_errors(encoding, shown)[::-1]
    decades = np.log10(max(_largest(errors) / _FLOOR, 10.0))
    shades = colors_at(np.log10(np.maximum(errors, _FLOOR) / _FLOOR), (0.0, decades), theme.sequential)
    return (marks.Raster(*chart.plot(area).x.area, color_image(shades)),)


def _largest(errors: Floats) -> float:
    """The largest finite error."""
    return float(errors[np.isfinite(errors)].max(initial=0.0))


def _errors_sentence(state: State, answers: Answers) -> str:
    return words.sentence(state.encoding, state.precision, _measured(state, answers))


@kept
def _error_curves(roundings: Roundings | None, encoding: Encoding, shown: Precision) -> tuple[Curve, ...]:
    """A curve for each format; of those that coincide one, the chosen if it is among them."""
    curves = () if roundings is None else tuple(_curve_of(row, roundings, encoding, shown) for row in roundings.rows)
    alike = [[other for other in curves if np.array_equal(one.y, other.y)] for one in curves]
    return tuple(
        replace(one, name=f"{one.name}, over {counted(len(group) - 1, 'equal line')}") if len(group) > 1 else one
        for one, group in zip(curves, alike, strict=True)
        if one is max(group, key=lambda other: other.is_chosen)
    )


def _curve_of(row: Rounding, roundings: Roundings, encoding: Encoding, shown: Precision) -> Curve:
    """Positions and the largest errors so far, all above 0, until ids overflow."""
    drawn = (roundings.positions > 0) & (row.errors > 0) & np.isfinite(row.errors)
    dash = () if row.precision.position_ids == "float64" else _IDS_DASH
    name = words.name_of(row.precision, encoding).replace("positions stored in", "t in").removesuffix(" at the end")
    x = roundings.positions[drawn].astype(np.float64)
    y = row.errors[drawn]
    return Curve(name, x, y, dash=dash, is_chosen=row.precision == shown)


def _decades(curves: tuple[Curve, ...]) -> tuple[float, float]:
    """Powers of ten around all errors that are drawn."""
    errors = np.concatenate([curve.y for curve in curves]) if curves else np.empty(0)
    if not errors.size:
        return _LIMITS
    first = np.floor(np.log10(errors.min()))
    last = np.ceil(np.log10(errors.max()))
    return float(10.0**first), float(10.0 ** max(last, first + 1.0))


@kept
def _error_at(encoding: Encoding, shown: Precision, at: float) -> float:
    """The largest error of row t; infinite where its id is."""
    error = float(np.abs(framework_values(encoding, shown, [at]) - encoding.values([at])).max())
    return error if np.isfinite(error) else np.inf


@kept
def _error_rows(encoding: Encoding, chosen: Precision, roundings: Roundings | None) -> tuple[Row, ...]:
    rows = list[Row]()
    # First stands what all others are compared with.
    for precision in (Precision(form=chosen.form), *rounding.compared_precisions(encoding, chosen)):
        texts = (words.name_of(precision, encoding), *[words.UNKNOWN] * 4)
        exact = tuple[str, ...]()
        if roundings and (row := roundings.of(precision)):
            texts = words.texts_of(row, encoding)
            differ = f"{row.n_distinct} of {row.n_positions}"
            exact = texts[0], repr(row.largest_error), differ, copied(row.frequency_error), texts[-1]
        if precision.is_exact:
            texts = ("float64", "exact", "–", "–", "–")
        sets = {field: getattr(precision, field) for field in rules_of(Precision)}
        rows.append(Row(texts, sets, precision == chosen, exact))
    return tuple(rows)


_FORMS_TITLES: Final = ("", "frequencies off by", "with ideal functions", "table off by")
_LOG_SPACE: Final = "log space: ω_i = exp(−x ln b); power: ω_i = 1 / b^{x}; base b, x = 2i / d in the paper"
# An axis of errors that are all zero; the height of their plot at least.
_LEAST_HIGHEST, _LEAST_PLOT = 1e-7, 160.0


def _forms_page(state: State, answers: Answers) -> Block:
    encoding = state.encoding
    form = state.precision.form
    pair = state.cursor.pair
    measured = _measured(state, answers)
    text = words.log_space(encoding)
    title = _forms_heading(state, answers)
    forms = flow.Formula(_LOG_SPACE) if has_forms(encoding) else Space(0.0)
    heading = Column((Words(title, "strong", is_for_screen=True), paragraph(text), forms), gap=4.0)
    if turning_pairs(encoding) is None:
        return Column((Named(title, heading, text),))
    errors = _errors_by_form(encoding)
    highest = max(float(error.max()) for error in errors.values())
    count = len(errors["rounded"])
    are_pairs = count == n_hands(encoding)
    unit, sets = ("pair i", "pair") if are_pairs else ("column", "")
    told = (f"{words.FORM_NAMES[name]} {words.error_text(float(error[pair]))}" for name, error in errors.items())
    chart = Chart(
        "Relative error of each frequency in float32",
        Scale(unit, 0.0, max(count - 1.0, 1.0), ticks="positions", sets=sets, is_whole=True),
        Scale("", 0.0, 1.04 * max(highest, _LEAST_HIGHEST)),
        _form_curves(encoding, form),
        float(pair) if are_pairs else None,
        f"pair {pair}: {', '.join(told)}" if are_pairs else "",
        tall=_LEAST_PLOT,
        name="error by pair",
        grows=True,
    )
    table = Table(_FORMS_TITLES, _form_rows(encoding, form, measured))
    titles = "\t".join(("pair", *map(words.FORM_NAMES.__getitem__, errors)))
    rows = enumerate(np.column_stack([*errors.values()]).tolist())
    lines = ("\t".join((str(pair), *map(repr, row))) for pair, row in rows)
    return Column((heading, chart, table, Copied((titles, *lines))), gap=12.0)


def _forms_heading(state: State, _answers: Answers) -> str:
    """What is asked of the frequencies."""
    return "Is log space more stable?" if has_forms(state.encoding) else "The frequencies in float32"


@kept
def _errors_by_form(encoding: Encoding) -> dict[str, Floats]:
    """The relative error of each frequency, shape (n_pairs,), in each form that there is."""
    forms = FORMS if has_forms(encoding) else ("rounded",)
    return {form: rounding.frequency_errors(encoding, form) for form in forms}


@kept
def _form_curves(encoding: Encoding, chosen: str) -> tuple[Curve, ...]:
    shown = chosen if has_forms(encoding) else "rounded"
    return tuple(
        Curve(words.FORM_NAMES[form], np.arange(float(len(error))), error, is_chosen=form == shown)
        for form, error in _errors_by_form(encoding).items()
    )


@kept
def _form_rows(encoding: Encoding, chosen: str, roundings: Roundings | None) -> tuple[Row, ...]:
    rows, has_one = [], not has_forms(encoding)
    for form in _errors_by_form(encoding):
        # Where there is one form, tables of any chosen one are the same.
        row = None if roundings is None else roundings.of(Precision("float32", chosen if has_one else form))
        exactly = frequency_error(encoding, form, is_correctly_rounded=True)
        texts = [words.frequency_text(error) for error in (frequency_error(encoding, form), exactly)]
        texts.append(words.UNKNOWN if row is None else words.error_text(row.largest_error))
        rows.append(Row((words.FORM_NAMES[form], *texts), {"form": form}, is_chosen=has_one or form == chosen))
    return tuple(rows)


_PRINTED_TITLES: Final = ("", "printed", "float32, 64 sums", "exact", "float32, one sum")
_MOST_SPREAD: Final = 128


def _printed_page(state: State, _answers: Answers) -> Block:
    cursor = state.cursor
    at = f"At t = {position(cursor.position)}, k = {position(cursor.offset)}"
    heading = Words(f"{at}, by NumPy's own functions", "strong", shorter=(f"{at}, by NumPy", at))
    rows = tuple(Row(row) for row in _here(state.encoding, cursor, state.precision))
    return Column(
        (
            Words(words.PRINTED, "strong", is_paragraph=True, is_for_screen=True),
            Table(_PRINTED_TITLES, _printed_rows()),
            paragraph(_CAPTIONS["sums"]),
            Live(heading),
            Live(Table(("", ""), rows)),
        ),
        gap=12.0,
    )


@kept
def _printed_rows() -> tuple[Row, ...]:
    rows = []
    for number in rounding.printed_numbers():
        cells = number.name, number.printed, repr(number.sixty_four_sums), repr(number.exact), repr(number.one_sum)
        ends = tuple(map(float, number.positions))
        rows.append(Row(cells, {"position": ends[0], "offset": ends[1] - ends[0]} if ends else None))
    return tuple(rows)


@kept
def _here(encoding: Encoding, cursor: Cursor, chosen: Precision) -> tuple[tuple[str, str], ...]:
    """Dot product and distance of rows t and t + k, exact and in the chosen formats: name and value."""
    shown = words.shown_precision(chosen)
    exact, (a, b) = encoding.values(cursor.both), framework_values(encoding, shown, cursor.both).astype(np.float32)
    dot = float(np.dot(*exact))
    name = shown.dtype
    below, above = rounding.neighbours(dot)
    by_differences, by_dots = rounding.two_distances(a, b)
    # Entries of smaller formats are added in float32.
    entries, added = (f"in {name}", "sum") if name == "float32" else (f"{name} entries", "float32 sum")
    n_spread = min(encoding.n_positions, _MOST_SPREAD)
    return (
        ("PE(t) · PE(t + k), exact", repr(dot)),
        ("the float32 below", repr(below)),
        ("the float32 above", repr(above)),
        (f"{entries}, 64 {added}s", repr(float(sixty_four_sums(a, b)))),
        (f"{entries}, one {added}", repr(float(one_sum(a, b)))),
        (f"spread over {n_spread} t", repr(_spread(encoding, cursor.offset, shown, n_spread))),
        ("distance, exact", repr(float(np.linalg.norm(exact[0] - exact[1])))),
        (f"{name}, differences", repr(by_differences)),
        (f"{name}, dot products", repr(by_dots)),
    )


@kept
def _spread(encoding: Encoding, offset: float, shown: Precision, n_positions: int) -> float:
    """By how much dot products at an offset differ over the first positions t, in 64 sums."""
    positions = np.arange(float(n_positions))
    a, b = (framework_values(encoding, shown, at).astype(np.float32) for at in (positions, positions + offset))
    return float(np.ptp(sixty_four_sums(a, b)))


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    """The table's own format, and the one that it is compared with."""
    name = words.name_of(words.shown_precision(state.precision), state.encoding)
    own, other = ("float64", name) if state.precision.is_exact else (name, "float64")
    return f"{own}, compared with {other}", own


VIEW = PagedView(
    "precision.page",
    {
        "errors": Page(_errors_page, _errors_sentence, _CAPTIONS["errors"], _questions),
        "forms": Page(_forms_page, _forms_heading, _CAPTIONS["forms"], _questions),
        "printed": Page(_printed_page, lambda _state, _answers: words.PRINTED, _CAPTIONS["printed"]),
    },
    _forms,
    controls=(Choice(**WORDS["precision"]["page"]), Choice(**WORDS["precision"]["dtype"])),
)
