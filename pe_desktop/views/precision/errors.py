"""The page of errors: the largest error up to each position in every format, and which rows differ."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.precision.formats import Precision
from pe_desktop.core.precision.measured import Rounding, Roundings, compared_precisions
from pe_desktop.core.precision.tables import framework_values, has_forms
from pe_desktop.core.rules import rules_of
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import copied, position
from pe_desktop.draw.plot import Axis, Plot
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.precision import words
from pe_desktop.views.precision.layout import PlotPage
from pe_desktop.views.precision.names import Named, names_picture

_TITLES: Final = ("", "largest error", "rows that differ", "frequencies off by", "first to share a row")
_TITLE: Final = "Largest error up to position t"
_PLOT: Final = "error by position"
_POWER_ROOM, _LEVEL_ROOM = 52.0, 18.0
_LEAST_FARTHEST: Final = 10.0
_LOWEST, _HIGHEST = 1e-9, 1.0
_IDS_DASH: Final = (4.0, 3.0)


def scene(state: State, known: Roundings | None, box: Box) -> Scene:
    encoding, chosen = state.encoding, state.precision
    layout = _layout(state, known, box.width, is_paper=box.is_paper)
    return Scene(
        moving=_at_t(layout, state, known, box.theme),
        still=Part(_still, layout, encoding, chosen, known, box.theme),
        places=Part(_places, layout, encoding, chosen, known),
    )


def height(state: State, known: Roundings | None, width: float) -> float:
    rows = _rows(state.encoding, state.precision, known)
    return _layout(state, known, width).table(rows).place.bottom


def changes(state: State, known: Roundings | None, width: float, x: float, y: float) -> Mapping[str, object]:
    """A row chooses its formats, the plot leads to the position at x."""
    encoding, layout = state.encoding, _layout(state, known, width)
    if layout.plot.holds(x, y):
        at = _plot(layout.plot, known, encoding.n_positions).x.value(x)
        return {"position": min(float(round(at)), encoding.n_positions - 1.0)}
    compared = compared_precisions(encoding, state.precision)
    row = layout.table(_rows(encoding, state.precision, known)).place.row_at(x, y)
    return {} if row is None else {name: getattr(compared[row], name) for name in rules_of(Precision)}


def readout(state: State, known: Roundings | None) -> list[str]:
    lines = ["\t".join(("format", *_TITLES[1:]))]
    for row in () if known is None else known.rows:
        name = words.name_of(row.precision, has_forms=has_forms(state.encoding))
        error = copied(row.frequency_error)
        differ = f"{row.rows.n_distinct} of {row.rows.n_positions}"
        lines.append("\t".join((name, repr(row.largest_error), differ, error, words.shared_text(row))))
    at = state.cursor.position
    return [*lines, f"row t = {at!r} is off by\t{_error_at(state.encoding, state.precision, at)!r}"]


def _layout(state: State, known: Roundings | None, width: float, *, is_paper: bool = False) -> PlotPage:
    return PlotPage(
        width, "" if is_paper else words.sentence(state.encoding, state.precision, known), _TITLES, is_paper
    )


def _still(
    layout: PlotPage, encoding: Encoding, chosen: Precision, known: Roundings | None, theme: Theme
) -> marks.Picture:
    plot, compared = _plot(layout.plot, known, encoding.n_positions), compared_precisions(encoding, chosen)
    shown = words.shown_precision(chosen)
    return (
        *layout.heading_picture(theme),
        *_frame(plot, theme),
        *_curves_picture(plot, known, shown, theme),
        *(_names(plot, known, shown, encoding, theme) if layout.has_names else ()),
        *layout.table(_rows(encoding, chosen, known)).picture(compared.index(shown), theme),
    )


def _at_t(layout: PlotPage, state: State, known: Roundings | None, theme: Theme) -> marks.Picture:
    """The line at t, and how far off its row is."""
    plot, at = _plot(layout.plot, known, state.encoding.n_positions), state.cursor.position
    error = words.error_text(_error_at(state.encoding, state.precision, at), 2)
    told = f"row t = {position(at)} is off by {error}"
    y = layout.plot.y - 18.0
    has_room = text_width("segment", _TITLE) + text_width("tick", told) + 16.0 <= plot.x.area.right
    note = marks.Text(plot.x.area.right, y, told, "tick", theme.text2, across=1.0)
    line = (plot.x.line(at, theme.text2, 1.3, beyond=6.0),) if plot.x.first <= at <= plot.x.last else ()
    return (*line, *((note,) if has_room else ()))


@lru_cache(maxsize=4)
def _error_at(encoding: Encoding, chosen: Precision, at: float) -> float:
    """The largest error of row t; infinite where its id is."""
    rounded = framework_values(encoding, words.shown_precision(chosen), [at])
    error = float(np.abs(rounded - encoding.values([at])).max())
    return error if np.isfinite(error) else np.inf


@lru_cache(maxsize=4)
def _rows(encoding: Encoding, chosen: Precision, known: Roundings | None) -> tuple[tuple[str, ...], ...]:
    rows = []
    for precision in compared_precisions(encoding, chosen):
        row = None if known is None else known.of(precision)
        numbers = [words.UNKNOWN] * 4
        if row is not None:
            numbers = [
                words.largest_error_text(row),
                words.rows_text(row, encoding.n_positions),
                words.frequency_text(row.frequency_error),
                words.shared_text(row),
            ]
        rows.append((words.name_of(precision, has_forms=has_forms(encoding)), *numbers))
    return tuple(rows)


def _places(layout: PlotPage, encoding: Encoding, chosen: Precision, known: Roundings | None) -> tuple[Place, ...]:
    compared, shown = compared_precisions(encoding, chosen), words.shown_precision(chosen)
    rows = _rows(encoding, chosen, known)
    table, found = layout.table(rows), [Place(_PLOT, layout.plot)]
    for number, (precision, row) in enumerate(zip(compared, rows, strict=True)):
        value = f"largest error {row[1]}, rows that differ {row[2]}, frequencies off by {row[3]}"
        found.append(Place(row[0], table.place.row_area(number), value, precision == shown))
    return tuple(found)


def _plot(area: Area, known: Roundings | None, n_positions: int) -> Plot:
    """Both axes by their logarithm, the lower one from position 1."""
    x = Axis(area, 1.0, max(float(n_positions), _LEAST_FARTHEST), is_logarithmic=True)
    lowest, highest = (_LOWEST, _HIGHEST) if known is None else _limits(known)
    return Plot(x, Axis(area, lowest, highest, "left", is_logarithmic=True))


@lru_cache(maxsize=4)
def _limits(known: Roundings) -> tuple[float, float]:
    """Powers of ten around all errors that are drawn."""
    errors = np.concatenate([_curve(row, known)[1] for row in known.rows])
    if not errors.size:
        return _LOWEST, _HIGHEST
    first, last = np.floor(np.log10(errors.min())), np.ceil(np.log10(errors.max()))
    return float(10.0**first), float(10.0 ** max(last, first + 1.0))


def _curve(row: Rounding, known: Roundings) -> tuple[Floats, Floats]:
    """Positions and the largest errors so far, all above 0, until ids overflow."""
    largest = np.maximum.accumulate(row.errors)
    drawn = (known.positions > 0) & (largest > 0) & np.isfinite(largest)
    return known.positions[drawn].astype(np.float64), largest[drawn]


def _frame(plot: Plot, theme: Theme) -> marks.Picture:
    levels = plot.y.power_ticks(_LEVEL_ROOM)
    return (
        marks.Text(0.0, plot.x.area.y - 18.0, _TITLE, "segment", theme.text2),
        plot.y.grid(levels, theme),
        *plot.y.labels(levels, theme),
        plot.x.edge(theme.axis),
        *plot.x.labels(plot.x.power_ticks(_POWER_ROOM), theme, after=8.0),
        plot.x.title("position t", theme),
    )


def _curves_picture(plot: Plot, known: Roundings | None, shown: Precision, theme: Theme) -> list[marks.Mark]:
    """The curves of all formats, ids dashed; the one that is shown in ink, drawn last."""
    picture: list[marks.Mark] = []
    rows = () if known is None else known.rows
    for row in sorted(rows, key=lambda row: row.precision == shown):
        assert known is not None
        is_shown, dash = row.precision == shown, () if row.precision.position_ids == "float64" else _IDS_DASH
        line = plot.curve(*_curve(row, known), theme.ink if is_shown else theme.text3, 1.0)
        picture.append(marks.Polyline(line.points, line.color, 2.2 if is_shown else 1.0, dash))
    return picture


def _names(plot: Plot, known: Roundings | None, shown: Precision, encoding: Encoding, theme: Theme) -> marks.Picture:
    named = []
    for row in () if known is None else known.rows:
        assert known is not None
        positions, errors = _curve(row, known)
        if errors.size:
            name = words.name_of(row.precision, has_forms=has_forms(encoding))
            [[x, y]] = plot.points(positions[-1:], errors[-1:]).tolist()
            named.append(Named(name, x, y, row.precision == shown))
    return names_picture(named, plot.x.area, theme)
