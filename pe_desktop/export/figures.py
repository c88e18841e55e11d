"""Figures as files and as programs: the table of what can be taken away as a picture, written as .png, .svg or .pdf."""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pe_desktop.core.listings.figures import figure_listing, listing
from pe_desktop.core.listings.program import LIBRARIES
from pe_desktop.core.number_text import grouped
from pe_desktop.core.record import record
from pe_desktop.core.rules import names_for, shown
from pe_desktop.core.state import State
from pe_desktop.export.arrays import ARRAYS, array_refusal
from pe_desktop.export.figure_sheet import FIGURE_THEMES, LETTERS, PANEL_LETTERS, PURPOSES, Finish, Sheet, choice
from pe_desktop.files import ExportError, check_free_space, whole_file, writable_target
from pe_desktop.views.table import FIGURES, FigureRow

if TYPE_CHECKING:  # The table must be readable without Qt: the command line lists it beside the arrays.
    from PySide6.QtGui import QImage

    from pe_desktop.draw.theme import Theme
    from pe_desktop.export.figure_page import Page
    from pe_desktop.model.findings import Answers

PNG: Final = ".png"
SVG: Final = ".svg"
PDF: Final = ".pdf"
FIGURE_SUFFIXES: Final = (PNG, SVG, PDF)
# Numbers of axes are so many logical pixels high; on paper letters of fewer points can't be read.
_TICK: Final = 11
_POINTS_PER_INCH: Final = 72
_SMALLEST_POINTS: Final = 5
_USUAL: Final = Finish()
# Pages of panels that lists offer.
PANELS: Final = ("clock+waves+matrix", "waves+matrix", "clock+rotation", "similarity+similarity-distance")


@record
class _WrittenFigure:
    """What was written: the file, its size in words and in bytes, and the caption for the clipboard."""

    path: Path
    size: str
    n_bytes: int
    caption: str


def write_figure(
    what: str,
    state: State,
    path: Path,
    finish: Finish = _USUAL,
    *,
    overwrite: bool = False,
    answers: "Answers | None" = None,
) -> _WrittenFigure:
    """Writes one of FIGURES, or panels of them; the suffix of path chooses the format.

    The file appears whole or not at all. answers hold what need not be computed again. The same arguments give the
    same bytes. Must run on the thread of the QGuiApplication, which is made where there is none. Raises ExportError
    with one sentence; an existing file is then as it was.
    """
    suffix = path.suffix.lower()
    if suffix not in FIGURE_SUFFIXES:
        raise ExportError(f"The name of the file must end in {choice(FIGURE_SUFFIXES)}: {path.name} doesn't.")
    sheet = _sheet(figure_rows(what)[0], finish)
    target = writable_target(path, overwrite=overwrite)
    from pe_desktop.export.figure_files import FORMATS, make_ready  # noqa: PLC0415 - loads Qt

    make_ready()
    page = _page(what, state, sheet, finish, answers)
    refusal = pages_refusal(what, page.sheet.n_pages, suffix)
    if refusal:
        raise ExportError(refusal)
    others = [_page(what, state, sheet, finish, answers, number) for number in range(1, page.sheet.n_pages)]
    content, in_words = FORMATS[suffix](page, *others)
    check_free_space(target, len(content), "The figure needs")
    with whole_file(target, overwrite=overwrite) as file:
        file.write(content)
    return _WrittenFigure(path, in_words, len(content), page.caption)


def figure_image(what: str, state: State, sheet: Sheet, theme: "Theme", answers: "Answers | None" = None) -> "QImage":
    """One of FIGURES as an image for the clipboard, its caption in the image's texts. Raises ExportError."""
    from pe_desktop.export.figure_files import page_image  # noqa: PLC0415 - loads Qt
    from pe_desktop.export.figure_page import scene_page  # noqa: PLC0415 - loads Qt

    return page_image(scene_page(_figure(what), state, sheet, theme, _answers(answers)))


def figure_preview(
    what: str, state: State, finish: Finish, room: tuple[float, float], answers: "Answers | None" = None
) -> "tuple[QImage, Sheet]":
    """The first page of a figure, no larger than a room in dots, and the sheet that it fills. Raises ExportError."""
    from pe_desktop.export.figure_files import page_image  # noqa: PLC0415 - loads Qt

    sheet = _sheet(figure_rows(what)[0], finish)
    # Heat maps are computed for the dots of the preview alone.
    share = min(room[0] / sheet.width, room[1] / sheet.height) / sheet.pixel_ratio
    page = _page(what, state, replace(sheet, pixel_ratio=sheet.pixel_ratio * share), finish, answers)
    whole = replace(page.sheet, pixel_ratio=page.sheet.pixel_ratio / share)
    ratio = min(room[0] / whole.width, room[1] / whole.height)
    return page_image(replace(page, sheet=replace(whole, pixel_ratio=ratio))), whole


def figure_rows(what: str) -> tuple[FigureRow, ...]:
    """The rows of FIGURES on a page: clock, or clock+waves+matrix for panels a, b and c. Raises ExportError."""
    rows = tuple(_figure(name) for name in what.split("+"))
    if len(rows) > len(PANEL_LETTERS):
        raise ExportError(f"A page has at most {len(PANEL_LETTERS)} panels: {what} has {len(rows)}.")
    if len(rows) > 1 and any(row.lettering is not None for row in rows):
        raise ExportError("A figure as a text prints it stands on a page of its own.")
    return rows


def pages_refusal(what: str, n_pages: int, suffix: str) -> str:
    """Why a file of a format can't hold the pages of a figure, as a sentence; nothing where it can."""
    if n_pages == 1 or suffix == PDF:
        return ""
    row = figure_rows(what)[0]
    fewer = choice(row.fewer)
    return f"{row.title} takes {n_pages} pages, which only a {PDF} holds; {fewer} leaves fewer cards."


def no_such(what: str) -> ExportError:
    """The refusal of a name that neither an array nor a figure has."""
    return ExportError(f"There is no array or figure {shown(what)}: {names_for(what, {**ARRAYS, **FIGURES})}")


def figure_title(what: str) -> str:
    """What a list calls a figure: its title, those of its panels."""
    return ", ".join(row.title for row in figure_rows(what))


def _page(what: str, state: State, sheet: Sheet, finish: Finish, answers: "Answers | None", number: int = 0) -> "Page":
    """One page, the first if no other one is asked for."""
    from pe_desktop.export.figure_page import panels_page, scene_page  # noqa: PLC0415 - loads Qt

    rows, theme, answers, shows_cursor = figure_rows(what), _theme(finish), _answers(answers), finish.shows_cursor
    if len(rows) == 1:
        page = scene_page(rows[0], state, sheet, theme, answers, shows_cursor=shows_cursor, number=number)
    else:
        page = panels_page(rows, state, sheet, theme, answers, shows_cursor=shows_cursor)
    points = _TICK * _POINTS_PER_INCH / page.sheet.pixels_per_inch
    # A scene that needs more width than its paper has would be too small to be read.
    if not page.sheet.is_in_dots and points < _SMALLEST_POINTS:
        room = f"{page.sheet.inches[0]:g} inches: its letters would be {points:.1f} points high"
        raise ExportError(f"{rows[0].title} has no room in {room}.")
    ground = None if finish.is_transparent else page.ground
    return replace(page, ground=ground, keeps_text=finish.letters == "text")


def _answers(answers: "Answers | None") -> "Answers":
    from pe_desktop.model.findings import Computed  # noqa: PLC0415 - loads Qt

    return Computed() if answers is None else answers


def _theme(finish: Finish) -> "Theme":
    from pe_desktop.draw.theme import theme_named  # noqa: PLC0415 - loads Qt
    from pe_desktop.export.figure_page import paper_theme  # noqa: PLC0415 - loads Qt

    theme = theme_named(finish.theme)
    return paper_theme(theme) if theme.base == "light" and PURPOSES[finish.purpose].is_paper else theme


def _sheet(figure: FigureRow, finish: Finish) -> Sheet:
    if finish.theme.partition(",")[0] not in FIGURE_THEMES:
        raise ExportError(f"A figure is drawn in the theme {choice(FIGURE_THEMES)}: {finish.theme} is not known.")
    if finish.letters not in LETTERS:
        raise ExportError(f"A figure's letters are {choice(LETTERS)}: {finish.letters} is not known.")
    width = None if figure.lettering is None else figure.lettering.size[0]
    return _sheet_for(finish.purpose, figure.paper_height, finish.size, width)


# What programs that open pictures commonly take: 16-bit lengths, and a gigabyte of pixels in memory.
_LONGEST_SIDE: Final = 32_767
_MOST_PIXELS: Final = 268_000_000
# Below, text can't be read; a strip longer than this has no room for what stands around a plot.
_SHORTEST_SIDE: Final = 160
_LONGEST_SHAPE: Final = 4


def _sheet_for(
    purpose: str, paper_height: float, size: tuple[int, int] | None = None, paper_width: float | None = None
) -> Sheet:
    """The sheet for a purpose: paper_height and paper_width are in inches, size in dots where it was asked for.

    Without a paper_width it is as wide as its purpose; one that is given holds for paper. A size changes shape and
    count of dots; the sheet stays as wide, in inches and in logical pixels. ExportError with one sentence for a purpose
    that is unknown and for a size that can't be drawn.
    """
    if purpose not in PURPOSES:
        raise ExportError(f"A figure is made for {choice(tuple(PURPOSES))}: {purpose} is not known.")
    made = PURPOSES[purpose]
    if paper_width is not None and made.is_paper:
        made = replace(made, width=paper_width * made.pixels_per_inch, height_share=1.0)
    if size is None:
        height = paper_height * made.height_share * made.pixels_per_inch if made.height is None else made.height
        ratio = made.dots_per_inch / made.pixels_per_inch
    else:
        _check_size(*size)
        ratio = size[0] / made.width
        height = size[1] / ratio
    return Sheet(
        made.width,
        height,
        ratio,
        made.pixels_per_inch,
        made.margin,
        made.title_role,
        is_in_dots=size is not None or not made.is_paper,
    )


def _check_size(width: int, height: int) -> None:
    if min(width, height) < _SHORTEST_SIDE or max(width, height) > _LONGEST_SIDE:
        limits = f"{_SHORTEST_SIDE} to {grouped(_LONGEST_SIDE)}"
        raise ExportError(f"A figure has sides from {limits} pixels: {width} x {height} has not.")
    if width * height > _MOST_PIXELS:
        raise ExportError(
            f"A figure has at most {_MOST_PIXELS // 10**6} million pixels: "
            f"{width} x {height} has {width * height // 10**6} million."
        )
    if max(width, height) > _LONGEST_SHAPE * min(width, height):
        raise ExportError(
            f"One side of a figure is at most {_LONGEST_SHAPE} times as long as the other: {width} x {height} is more."
        )


def _figure(what: str) -> FigureRow:
    if what not in FIGURES:
        raise ExportError(f"There is no figure {shown(what)}: {names_for(what, FIGURES)}")
    return FIGURES[what]


def code(what: str, state: State, library: str = "numpy") -> str:
    """The program for an array or a figure; it leaves its result in a variable of that name, hyphens as underscores.

    ExportError with the sentence of the export where a state has no such array, and for a figure in another library
    than NumPy. PyTorch and JAX are no part of this application: where they are not installed the program is compiled,
    and says that it was not run.
    """
    if what in ARRAYS:
        refusal = array_refusal(what, state)
        if refusal:
            raise ExportError(refusal)
        text = listing(what, state, library)
    else:
        text = _of_figure(what, state, library)
    chosen = LIBRARIES[library]
    if find_spec(chosen.module) is None:
        compile(text, what, "exec")
        text = f"# Compiled, not run: {chosen.title} is not installed here.\n{text}"
    return text


def _of_figure(what: str, state: State, library: str) -> str:
    if what not in FIGURES:
        raise no_such(what)
    if library != "numpy":
        title, arrays = LIBRARIES[library].title, ", ".join(ARRAYS)
        raise ExportError(f"The program of the figure {what} is NumPy's: {title} has those of {arrays}.")
    try:
        return figure_listing(what, FIGURES[what].view, FIGURES[what].state(state))
    except ExportError:
        raise
    except ValueError as error:
        raise ExportError(str(error)) from error
