"""Figures as files: the table of what can be taken away as a picture, written as .png, .svg or .pdf."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pe_desktop.core.bit_hands import code_beside, face_hands
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.state import State
from pe_desktop.export.captions import caption
from pe_desktop.export.figure_sentences import (
    binary_clock_sentence,
    clock_sentence,
    dials_sentence,
    explanation_for,
)
from pe_desktop.export.figure_sheet import Frame, Sheet, sheet_for
from pe_desktop.files import ExportError, check_free_space, whole_file, writable_target
from pe_desktop.views.table import FIGURES as SCENES
from pe_desktop.views.table import FigureRow

if TYPE_CHECKING:  # The table must be readable without Qt: the command line lists it beside the arrays.
    from PySide6.QtGui import QImage

    from pe_desktop.draw.marks import Picture
    from pe_desktop.draw.theme import Theme
    from pe_desktop.export.figure_page import Page
    from pe_desktop.model.findings import Findings

PNG: Final = ".png"
SVG: Final = ".svg"
PDF: Final = ".pdf"
FIGURE_SUFFIXES: Final = (PNG, SVG, PDF)
FIGURE_THEMES: Final = ("light", "dark")


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that can be taken away as a picture.

    title stands in menus; sentence says what is seen; explanation says how to read it, for the caption;
    picture, where it doesn't carry them itself.
    """

    title: str
    sentence: Callable[[Encoding, Cursor], str]
    explanation: str
    picture: Callable[[Encoding, Cursor, Frame], "Picture"]
    paper_height: float
    x_label: str = ""
    y_label: str = ""


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
    sheet = sheet_for(purpose, _figure(what).paper_height, size)
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
    from pe_desktop.export.figure_page import composed_page, scene_page  # noqa: PLC0415 - loads Qt
    from pe_desktop.model.findings import Computed  # noqa: PLC0415 - loads Qt

    figure = _figure(what)
    if isinstance(figure, FigureRow):
        return scene_page(figure, state, sheet, theme, Computed(known))
    encoding, cursor, shown = state.encoding, state.cursor, state.shown_span
    sentence = figure.sentence(encoding, cursor)
    explanation = explanation_for(what, figure.explanation, encoding)
    words = caption(sentence, explanation, state)
    return composed_page(figure, words, encoding, cursor, sheet, theme, shown)


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
    sheet = sheet_for(purpose, figure.paper_height)
    return scene_sheet(figure, state, sheet, theme, Computed(known)) if isinstance(figure, FigureRow) else sheet


def _figure(what: str) -> Figure | FigureRow:
    if what not in FIGURES:
        raise ExportError(f"There is no figure {what!r}: choose one of {', '.join(FIGURES)}.")
    return FIGURES[what]


def _choice(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _clock_picture(encoding: Encoding, cursor: Cursor, frame: Frame) -> "Picture":
    from pe_desktop.export.figure_pictures import clock_figure  # noqa: PLC0415 - loads Qt

    if encoding.pairs is None:
        return _binary_clock_picture(encoding, cursor, frame)
    return clock_figure(encoding, encoding.pairs, cursor, frame)


def _binary_clock_picture(encoding: Encoding, cursor: Cursor, frame: Frame) -> "Picture":
    from pe_desktop.export.figure_pictures import binary_clock_figure  # noqa: PLC0415 - loads Qt

    hands, code = face_hands(encoding), code_beside(encoding)
    if hands is None or code is None:
        return _columns_picture(encoding, cursor, frame)
    return binary_clock_figure(encoding, hands, code, cursor, frame)


def _columns_picture(encoding: Encoding, cursor: Cursor, frame: Frame) -> "Picture":
    from pe_desktop.export.figure_pictures import columns_figure  # noqa: PLC0415 - loads Qt

    return columns_figure(encoding, cursor, frame)


def _dials_picture(encoding: Encoding, cursor: Cursor, frame: Frame) -> "Picture":
    from pe_desktop.export.figure_pictures import dials_figure  # noqa: PLC0415 - loads Qt

    if encoding.pairs is None:
        return _columns_picture(encoding, cursor, frame)
    return dials_figure(encoding.pairs, cursor, frame)


_COMPOSED: Mapping[str, Figure] = {
    "clock": Figure(
        "Clock",
        clock_sentence,
        "Every pair of dimensions is a hand; its angle is position times angular frequency, clockwise from 12 o'clock, "
        "so its shadow to the right is the sine and its shadow upwards the cosine. Solid is t, hollow is t + k, "
        "and the arc between them is the turn by k. Of more than 32 pairs, all are dots and the pinned ones hands.",
        _clock_picture,
        5.75,
    ),
    "clock-binary": Figure(
        "Clock beside the binary code",
        binary_clock_sentence,
        "Every pair of dimensions is a hand at its angle, clockwise from 12 o'clock. Each dial beside them is a bit of "
        "the position in the colour of the hand that turns about as fast: it turns once in the period of the bit, "
        "which is 1 in the left half, filled while it is. Solid is t, hollow is t + k.",
        _binary_clock_picture,
        4.5,
    ),
    "dials": Figure(
        "Clock, one dial for each pair",
        dials_sentence,
        "Each dial is one pair of dimensions with its wavelength in positions; angles run clockwise from 12 o'clock. "
        "Solid is t, hollow is t + k, and the arc between them is the turn by k.",
        _dials_picture,
        4.5,
    ),
}

# What is composed here goes as soon as the view has a scene.
FIGURES: Mapping[str, Figure | FigureRow] = {**SCENES, **_COMPOSED}
