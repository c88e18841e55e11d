"""The page of forms: the error of each frequency, and whether log space is more stable."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.columns import n_hands
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.precision.formats import FORMS, Precision
from pe_desktop.core.precision.measured import Roundings, frequency_error, frequency_errors
from pe_desktop.core.precision.tables import has_forms, turning_pairs
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.plot import Axis, Plot
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.views.precision import words
from pe_desktop.views.precision.layout import GAP, LINE, PlotPage, text_height, text_picture
from pe_desktop.views.precision.names import Named, names_picture

_TITLES: Final = ("", "frequencies off by", "rounded correctly", "table off by")
_TITLE: Final = "Relative error of each frequency"
_PLOT: Final = "error by pair"
# An axis of errors that are all zero.
_LEAST_HIGHEST: Final = 1e-7


@record
class _Layout(PlotPage):
    """With words below the table; without plot and table where there are no frequencies."""

    has_plot: bool

    def words(self, n_rows: int) -> float:
        """The middle of the first line of the words."""
        if not self.has_plot:
            return self.heading_bottom + 4.0
        return self.table((("",) * len(_TITLES),) * n_rows).place.bottom + GAP


def scene(state: State, known: Roundings | None, box: Box) -> Scene:
    encoding, layout = state.encoding, _layout(state, box.width, is_paper=box.is_paper)
    moving: marks.Picture = ()
    if layout.has_plot and _are_pairs(encoding):
        moving = (_plot(layout.plot, encoding).x.line(state.cursor.pair, box.theme.text2, 1.3, beyond=6.0),)
    return Scene(
        moving=moving,
        still=Part(_still, layout, encoding, state.precision.form, known, box.theme),
        places=Part(_places, layout, encoding, state.precision.form, known, state.cursor.pair),
    )


def height(state: State, known: Roundings | None, width: float) -> float:
    top = _layout(state, width).words(len(_forms(state.encoding)))
    return top + text_height(words.log_space(state.encoding, known), width)


def changes(state: State, known: Roundings | None, width: float, x: float, y: float) -> Mapping[str, object]:
    """A row chooses its form, the plot the pair at x."""
    encoding, layout = state.encoding, _layout(state, width)
    if not layout.has_plot:
        return {}
    if layout.plot.holds(x, y):
        if not _are_pairs(encoding):
            return {}
        pair = round(_plot(layout.plot, encoding).x.value(x))
        return {"pair": min(max(pair, 0), len(frequency_errors(encoding, "rounded")) - 1)}
    row = layout.table(_rows(encoding, state.precision.form, known)).place.row_at(x, y)
    return {} if row is None else {"form": _forms(encoding)[row]}


def readout(state: State, known: Roundings | None) -> list[str]:
    encoding, forms = state.encoding, _forms(state.encoding)
    lines = ["\t".join(("form", *_TITLES[1:]))]
    lines += ["\t".join(row) for row in _rows(encoding, state.precision.form, known)]
    lines.append("\t".join(("pair", *(words.FORM_NAMES[form] for form in forms))))
    errors = np.column_stack([frequency_errors(encoding, form) for form in forms]) if forms else np.empty((0, 0))
    return [*lines, *("\t".join((str(pair), *map(repr, row))) for pair, row in enumerate(errors.tolist()))]


def _layout(state: State, width: float, *, is_paper: bool = False) -> _Layout:
    heading = "" if is_paper else words.forms_heading(state.encoding)
    return _Layout(width, heading, _TITLES, is_paper, turning_pairs(state.encoding) is not None)


def _are_pairs(encoding: Encoding) -> bool:
    """Whether frequency i is that of pair i: of some kinds each column has one."""
    return len(frequency_errors(encoding, "rounded")) == n_hands(encoding)


def _forms(encoding: Encoding) -> tuple[str, ...]:
    if turning_pairs(encoding) is None:
        return ()
    return FORMS if has_forms(encoding) else ("rounded",)


def _still(layout: _Layout, encoding: Encoding, form: str, known: Roundings | None, theme: Theme) -> marks.Picture:
    forms, told = _forms(encoding), words.log_space(encoding, known)
    picture: marks.Picture = (
        *layout.heading_picture(theme),
        *text_picture(told, layout.width, layout.words(len(forms)), theme),
    )
    if not layout.has_plot:
        return picture
    chosen = forms.index(form) if form in forms else 0
    return (
        *picture,
        *_curves_picture(_plot(layout.plot, encoding), encoding, forms[chosen], is_named=layout.has_names, theme=theme),
        *layout.table(_rows(encoding, form, known)).picture(chosen, theme),
    )


@lru_cache(maxsize=4)
def _rows(encoding: Encoding, chosen: str, known: Roundings | None) -> tuple[tuple[str, ...], ...]:
    rows = []
    for form in _forms(encoding):
        # Where there is one form, tables of any chosen one are the same.
        same = form if has_forms(encoding) else chosen
        row = None if known is None else known.of(Precision("float32", same))
        exactly = frequency_error(encoding, form, is_correctly_rounded=True)
        texts = [words.frequency_text(error) for error in (frequency_error(encoding, form), exactly)]
        texts.append(words.UNKNOWN if row is None else words.error_text(row.largest_error))
        rows.append((words.FORM_NAMES[form], *texts))
    return tuple(rows)


def _places(layout: _Layout, encoding: Encoding, form: str, known: Roundings | None, pair: int) -> tuple[Place, ...]:
    if not layout.has_plot:
        return (
            Place(words.forms_heading(encoding), Area(0.0, 0.0, layout.width, LINE), words.log_space(encoding, known)),
        )
    errors = {some: float(frequency_errors(encoding, some)[pair]) for some in _forms(encoding)}
    told = ", ".join(f"{words.FORM_NAMES[some]} {words.error_text(error)}" for some, error in errors.items())
    value = f"pair {pair}: {told}" if _are_pairs(encoding) else ""
    rows = _rows(encoding, form, known)
    table, found = layout.table(rows), [Place(_PLOT, layout.plot, value)]
    for number, (some, row) in enumerate(zip(_forms(encoding), rows, strict=True)):
        value = f"frequencies off by {row[1]}, {row[2]} rounded correctly, table off by {row[3]}"
        found.append(Place(row[0], table.place.row_area(number), value, some == form))
    return tuple(found)


@lru_cache(maxsize=4)
def _plot(area: Area, encoding: Encoding) -> Plot:
    forms = _forms(encoding)
    highest = max(float(frequency_errors(encoding, form).max()) for form in forms)
    last = max(len(frequency_errors(encoding, forms[0])) - 1.0, 1.0)
    return Plot(Axis(area, 0.0, last), Axis(area, 0.0, 1.04 * max(highest, _LEAST_HIGHEST), "left"))


def _curves_picture(
    plot: Plot,
    encoding: Encoding,
    chosen: str,
    *,
    is_named: bool,
    theme: Theme,
) -> marks.Picture:
    picture: list[marks.Mark] = [
        marks.Text(0.0, plot.x.area.y - 18.0, _TITLE, "segment", theme.text2),
        *plot.frame(plot.x.position_ticks(plot.x.last + 1.0), "pair i" if _are_pairs(encoding) else "column", theme),
    ]
    named = []
    for form in sorted(_forms(encoding), key=lambda form: form == chosen):
        errors: Floats = frequency_errors(encoding, form)
        pairs, is_chosen = np.arange(len(errors), dtype=np.float64), form == chosen
        line = plot.curve(pairs, errors, theme.ink if is_chosen else theme.text3, 1.0)
        picture.append(marks.Polyline(line.points, line.color, 1.8 if is_chosen else 1.0))
        [[x, y]] = plot.points(pairs[-1:], errors[-1:]).tolist()
        named.append(Named(words.FORM_NAMES[form], x, y, is_chosen))
    return (*picture, *(names_picture(named, plot.x.area, theme) if is_named else ()))
