"""Precision: what float32, float16 and bfloat16 do to the table, by position, and to numbers that texts print."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.precision.formats import Precision
from pe_desktop.core.precision.measured import Roundings, compared_precisions, roundings
from pe_desktop.core.precision.printed import one_sum, printed_numbers, sixty_four_sums
from pe_desktop.core.precision.tables import framework_values, has_forms
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import position
from pe_desktop.draw.scene import Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.precision import words
from pe_desktop.views.precision.layout import LINE, PrecisionLayout, Table, text_picture
from pe_desktop.views.precision.picture import cursor_line, error_plot, plot_of

_FORMAT_TITLES: Final = ("", "largest error", "rows that differ", "frequencies off by", "first to share a row")
_PRINTED_TITLES: Final = ("", "printed", "float32, 64 sums", "exact", "float32, one sum")
_PLOT: Final = "error by position"
_UNKNOWN: Final = "…"


def layout_of(state: State, answers: Answers, width: float, *, is_paper: bool = False) -> PrecisionLayout:
    """Where everything stands at a width; on paper the sentence is the title of the page."""
    encoding, chosen = state.encoding, state.precision
    known, n_formats = _known(state, answers), len(compared_precisions(encoding, chosen))
    told = "" if is_paper else words.sentence(encoding, chosen, known)
    return PrecisionLayout(width, told, n_formats, _log_space(encoding, known), len(printed_numbers()))


def changes(state: State, answers: Answers, width: float, x: float, y: float) -> Mapping[str, object]:
    """What a press at a point changes: a row chooses its formats, the plot leads to the position at x."""
    layout = layout_of(state, answers, width)
    if layout.plot.holds(x, y):
        axis = plot_of(layout.plot, _known(state, answers), state.encoding.n_positions).x
        return {"position": min(float(round(axis.value(x))), state.encoding.n_positions - 1.0)}
    table = Table(_FORMAT_TITLES, (), layout.formats, width)
    for number, precision in enumerate(compared_precisions(state.encoding, state.precision)):
        if table.row_area(number).holds(x, y):
            return {name: getattr(precision, name) for name in Precision.RULES}
    return {}


def questions(state: State) -> tuple[Question, ...]:
    return (_question(state),)


def scene(state: State, answers: Answers, box: Box) -> Scene:
    encoding, chosen, known = state.encoding, state.precision, _known(state, answers)
    layout, cursor = layout_of(state, answers, box.width, is_paper=box.is_paper), state.cursor
    plot = plot_of(layout.plot, known, encoding.n_positions)
    return Scene(
        moving=(*cursor_line(plot, cursor.position, box.theme), *_here_picture(layout, state, box.theme)),
        still=Part(_still, layout, encoding, chosen, known, box.theme),
        places=Part(_places, layout, encoding, chosen, known, cursor),
    )


def height(state: State, answers: Answers, width: float, theme: Theme) -> float:
    return layout_of(state, answers, width).height


def subtitle(state: State, answers: Answers) -> str:
    shown = words.shown_precision(state.precision)
    return f"{words.name_of(shown, has_forms=has_forms(state.encoding))} beside the exact table"


def readout(state: State, answers: Answers) -> str:
    known, encoding = _known(state, answers), state.encoding
    lines: list[str] = []
    if known is not None:
        lines.append("\t".join(("format", *_FORMAT_TITLES[1:])))
        for row in known.rows:
            name = words.name_of(row.precision, has_forms=has_forms(encoding))
            error = "" if row.frequency_error is None else repr(row.frequency_error)
            differ = f"{row.rows.n_distinct} of {row.rows.n_positions}"
            lines.append("\t".join((name, repr(row.largest_error), differ, error, words.shared_text(row))))
    lines.append("\t".join(("number", *_PRINTED_TITLES[1:])))
    lines += ["\t".join(row) for row in _printed_rows()]
    cursor = state.cursor
    lines.append(f"t = {cursor.position!r}, k = {cursor.offset!r}")
    return "\n".join([*lines, *("\t".join(line) for line in _here(encoding, cursor, state.precision))])


def sentence(state: State, answers: Answers) -> str:
    return words.sentence(state.encoding, state.precision, _known(state, answers))


def explanation(state: State) -> str:
    return (
        "Above, the largest error of the table up to a position, in each format, both axes by their logarithm; dashed "
        "where position ids are cast before they are multiplied. Frequencies, angles, sines and cosines are computed "
        "in float32, smaller formats cast from it. Below, dot products as a text prints them, in two orders of adding."
    )


def _find(encoding: Encoding, chosen: Precision, task: Task) -> Roundings | None:
    return roundings(encoding, chosen, task)


def _question(state: State) -> Question:
    return Question("precision", _find, (state.encoding, state.precision), 1, "Comparing formats")


def _known(state: State, answers: Answers) -> Roundings | None:
    known: Roundings | None = answers.answer(_question(state))
    return known


@lru_cache(maxsize=4)
def _log_space(encoding: Encoding, known: Roundings | None) -> str:
    return words.log_space(encoding, known)


def _still(
    layout: PrecisionLayout, encoding: Encoding, chosen: Precision, known: Roundings | None, theme: Theme
) -> marks.Picture:
    width, shown = layout.width, words.shown_precision(chosen)
    plot, compared = plot_of(layout.plot, known, encoding.n_positions), compared_precisions(encoding, chosen)
    formats = Table(_FORMAT_TITLES, _format_rows(encoding, compared, known), layout.formats, width)
    printed = Table(_PRINTED_TITLES, _printed_rows(), layout.printed_table, width)
    return (
        *text_picture(layout.sentence, width, 10.0, theme, "strong"),
        *error_plot(plot, known, shown, has_forms=has_forms(encoding), has_names=layout.has_names, theme=theme),
        *formats.picture(compared.index(shown), theme),
        *text_picture(words.LOG_SPACE, width, layout.log_space, theme, "strong"),
        *text_picture(layout.words, width, layout.log_space + LINE + 3.0, theme),
        *text_picture(words.PRINTED, width, layout.printed, theme, "strong"),
        *printed.picture(None, theme),
        *text_picture(words.PRINTED_NOTE, width, layout.note, theme),
    )


def _format_rows(
    encoding: Encoding, compared: tuple[Precision, ...], known: Roundings | None
) -> tuple[tuple[str, ...], ...]:
    rows = []
    for precision in compared:
        row = None if known is None else known.of(precision)
        numbers = [_UNKNOWN] * 4
        if row is not None:
            numbers = [
                words.largest_error_text(row),
                words.rows_text(row, encoding.n_positions),
                words.frequency_text(row.frequency_error),
                words.shared_text(row),
            ]
        rows.append((words.name_of(precision, has_forms=has_forms(encoding)), *numbers))
    return tuple(rows)


def _printed_rows() -> tuple[tuple[str, ...], ...]:
    return tuple(
        (number.name, number.printed, repr(number.sixty_four_sums), repr(number.exact), repr(number.one_sum))
        for number in printed_numbers()
    )


@lru_cache(maxsize=4)
def _here(encoding: Encoding, cursor: Cursor, chosen: Precision) -> tuple[tuple[str, str], ...]:
    """What the chosen formats make of row t, and of its dot product with row t + k: name and value."""
    shown, pair = words.shown_precision(chosen), [cursor.position, cursor.position + cursor.offset]
    exact, rounded = encoding.values(pair), framework_values(encoding, shown, pair)
    a, b = rounded.astype(np.float32)
    return (
        ("row t is off by", repr(float(np.abs(rounded[0] - exact[0]).max()))),
        ("PE(t) · PE(t + k)", repr(float(np.dot(*exact)))),
        (f"in {shown.dtype}, 64 sums", repr(sixty_four_sums(a, b))),
        (f"in {shown.dtype}, one sum", repr(one_sum(a, b))),
    )


def _here_picture(layout: PrecisionLayout, state: State, theme: Theme) -> marks.Picture:
    at = f"t = {position(state.cursor.position)}, k = {position(state.cursor.offset)}"
    picture: list[marks.Mark] = [marks.Text(0.0, layout.here, f"At {at}", "strong", theme.text)]
    for number, (name, value) in enumerate(_here(state.encoding, state.cursor, state.precision)):
        area = layout.here_area(number)
        y = area.middle[1]
        picture.append(marks.Text(area.right, y, value, "caption", theme.text, across=1.0))
        picture.append(marks.Text(area.x, y, name, "caption", theme.text2))
    return tuple(picture)


def _places(
    layout: PrecisionLayout, encoding: Encoding, chosen: Precision, known: Roundings | None, cursor: Cursor
) -> tuple[Place, ...]:
    compared, shown = compared_precisions(encoding, chosen), words.shown_precision(chosen)
    rows = _format_rows(encoding, compared, known)
    table = Table(_FORMAT_TITLES, rows, layout.formats, layout.width)
    found = [Place(_PLOT, layout.plot)]
    for number, (precision, row) in enumerate(zip(compared, rows, strict=True)):
        value = f"largest error {row[1]}, rows that differ {row[2]}, frequencies off by {row[3]}"
        found.append(Place(row[0], table.row_area(number), value, precision == shown))
    printed = Table(_PRINTED_TITLES, _printed_rows(), layout.printed_table, layout.width)
    for number, row in enumerate(_printed_rows()):
        value = f"printed {row[1]}, float32 {row[2]}, exact {row[3]}"
        found.append(Place(row[0], printed.row_area(number), value))
    for number, (name, value) in enumerate(_here(encoding, cursor, chosen)):
        found.append(Place(name, layout.here_area(number), value))
    return tuple(found)
