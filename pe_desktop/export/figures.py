"""Figures as files: the table of what can be taken away as a picture, written as .png, .svg or .pdf."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pe_desktop.core.state import State
from pe_desktop.export.figure_sheet import Sheet, sheet_for
from pe_desktop.files import ExportError, check_free_space, whole_file, writable_target
from pe_desktop.views.table import FIGURES, FigureRow

if TYPE_CHECKING:  # The table must be readable without Qt: the command line lists it beside the arrays.
    from PySide6.QtGui import QImage

    from pe_desktop.draw.theme import Theme
    from pe_desktop.export.figure_page import Page
    from pe_desktop.model.findings import Findings

PNG: Final = ".png"
SVG: Final = ".svg"
PDF: Final = ".pdf"
FIGURE_SUFFIXES: Final = (PNG, SVG, PDF)
FIGURE_THEMES: Final = ("light", "dark")


@dataclass(frozen=True, slots=True)
class WrittenFigure:
    """What was written: the file, its size in words and in bytes, and the caption for the clipboard."""

    path: Path
    size: str
    n_bytes: int
    caption: str


def write_figure(
    what: str,
    state: State,
    path: Path,
    *,
    overwrite: bool = False,
    theme: str = "light",
    size: tuple[int, int] | None = None,
    purpose: str = "paper",
    known: "Findings | None" = None,
) -> WrittenFigure:
    """Writes one of FIGURES; the suffix of path chooses the format, and the file appears whole or not at all.

    size is in pixels; known is what need not be computed again. The same arguments give the same bytes.
    Must run on the thread of the QGuiApplication, which is made where there is none. Raises ExportError with one
    sentence; an existing file is then as it was.
    """
    suffix = path.suffix.lower()
    if suffix not in FIGURE_SUFFIXES:
        raise ExportError(f"The name of the file must end in {_choice(FIGURE_SUFFIXES)}: {path.name} doesn't.")
    if theme not in FIGURE_THEMES:
        raise ExportError(f"A figure is drawn in the theme {_choice(FIGURE_THEMES)}: {theme} is not known.")
    sheet = _sheet(_figure(what), purpose, size)
    target = writable_target(path, overwrite=overwrite)
    from pe_desktop.export.figure_files import FORMATS, make_ready  # noqa: PLC0415 - loads Qt

    make_ready()
    page = _page(what, state, sheet, _theme(theme, purpose), known)
    content, in_words = FORMATS[suffix](page)
    check_free_space(target, len(content), "The figure needs")
    with whole_file(target, overwrite=overwrite) as file:
        file.write(content)
    return WrittenFigure(path, in_words, len(content), page.caption)


def figure_image(what: str, state: State, sheet: Sheet, theme: "Theme", known: "Findings | None" = None) -> "QImage":
    """One of FIGURES as an image for the clipboard, its caption in the image's texts. Raises ExportError."""
    from pe_desktop.export.figure_files import page_image  # noqa: PLC0415 - loads Qt

    return page_image(_page(what, state, sheet, theme, known))


def _page(what: str, state: State, sheet: Sheet, theme: "Theme", known: "Findings | None") -> "Page":
    from pe_desktop.export.figure_page import scene_page  # noqa: PLC0415 - loads Qt
    from pe_desktop.model.findings import Computed  # noqa: PLC0415 - loads Qt

    return scene_page(_figure(what), state, sheet, theme, Computed(known))


def _theme(name: str, purpose: str) -> "Theme":
    from pe_desktop.draw.theme import themes  # noqa: PLC0415 - loads Qt
    from pe_desktop.export.figure_page import paper_theme  # noqa: PLC0415 - loads Qt

    theme = themes()[name]
    return paper_theme(theme) if (name, purpose) == ("light", "paper") else theme


def figure_sheet(what: str, state: State, purpose: str, theme: "Theme", known: "Findings | None" = None) -> Sheet:
    """The sheet of one of FIGURES for a purpose."""
    from pe_desktop.export.figure_page import scene_sheet  # noqa: PLC0415 - loads Qt
    from pe_desktop.model.findings import Computed  # noqa: PLC0415 - loads Qt

    figure = _figure(what)
    return scene_sheet(figure, state, _sheet(figure, purpose), theme, Computed(known))


def _sheet(figure: FigureRow, purpose: str, size: tuple[int, int] | None = None) -> Sheet:
    width = None if figure.lettering is None else figure.lettering.size[0]
    return sheet_for(purpose, figure.paper_height, size, width)


def _figure(what: str) -> FigureRow:
    if what not in FIGURES:
        raise ExportError(f"There is no figure {what!r}: choose one of {', '.join(FIGURES)}.")
    return FIGURES[what]


def _choice(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
