"""Several figures on one page, each with its letter: two beside each other, an odd last one over the whole width."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import isinf
from typing import Final

from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.theme import Theme
from pe_desktop.export.captions import caption
from pe_desktop.export.figure_page import Page, can_hide_cursor, drawn, figure_title
from pe_desktop.export.figure_sheet import PANEL_LETTERS, PURPOSES, Sheet
from pe_desktop.files import ExportError
from pe_desktop.model.findings import Answers
from pe_desktop.views.table import VIEWS, FigureRow

_GAP: Final = 16.0
_ON_A_SLIDE: Final = 3
# The line of a letter, over the scene of its panel.
_LETTER: Final = 20.0


def panels_page(
    rows: Sequence[FigureRow], state: State, sheet: Sheet, theme: Theme, answers: Answers, *, shows_cursor: bool = True
) -> Page:
    """The page of some figures without their titles, which its caption tells.

    Without the cursor it stays where it is what a figure shows. ExportError where a figure finds no room.
    """
    sheet, areas = _areas(rows, state, sheet, theme, answers)
    parts = []
    for letter, row, area in zip(PANEL_LETTERS, rows, areas, strict=False):
        box = Box(area.width, area.height - _LETTER, sheet.pixel_ratio, theme, is_paper=True)
        box = replace(box, shows_cursor=shows_cursor or not can_hide_cursor(row))
        scene = VIEWS[row.view].module().scene(row.state(state), answers, box)
        heading = marks.Text(0.0, _LETTER / 2, letter, "title", theme.text)
        parts += [(area.x, area.y, (heading,)), (area.x, area.y + _LETTER, drawn(scene, box))]
    title = ", ".join(f"({letter}) {row.title}" for letter, row in zip(PANEL_LETTERS, rows, strict=False))
    words = _caption(rows, state, answers, shows_cursor=shows_cursor)
    return Page(sheet, theme.panel, tuple(parts), title, words)


def _areas(
    rows: Sequence[FigureRow], state: State, sheet: Sheet, theme: Theme, answers: Answers
) -> tuple[Sheet, list[Area]]:
    """Where the panels stand, and the sheet with room for them: paper grows in height, a slide is shared evenly."""
    room = sheet.width - 2 * sheet.margin
    n_beside = 1 if Box(room, room, 1.0, theme, is_paper=True).is_column else 2
    if sheet.is_in_dots and len(rows) == _ON_A_SLIDE:
        # Two lines would be low.
        n_beside = _ON_A_SLIDE
    edges = [*range(0, len(rows), n_beside), len(rows)]
    lines = [rows[first:last] for first, last in pairwise(edges)]
    widths = [(room - _GAP * (len(line) - 1)) / len(line) for line in lines]
    needed = [
        max(_height(row, width, state, theme, answers) for row in line)
        for line, width in zip(lines, widths, strict=True)
    ]
    gaps = 2 * sheet.margin + _GAP * (len(lines) - 1)
    if sheet.is_in_dots:
        needed = [(sheet.height - gaps) / len(lines)] * len(lines)
    areas, y = [], sheet.margin
    for line, width, height in zip(lines, widths, needed, strict=True):
        areas += [Area(sheet.margin + n * (width + _GAP), y, width, height) for n in range(len(line))]
        y += height + _GAP
    for row, area in zip(rows, areas, strict=True):
        least = VIEWS[row.view].module().height(row.state(state), answers, area.width, theme)
        if least is not None and (isinf(least) or least + _LETTER > area.height + 0.5):
            raise ExportError(f"{row.title} has no room beside the other panels.")
    return replace(sheet, height=sum(needed) + gaps), areas


def _height(row: FigureRow, width: float, state: State, theme: Theme, answers: Answers) -> float:
    """The height of a panel on paper: what its scene needs, else its own share of the page, no more than its width."""
    needed = VIEWS[row.view].module().height(row.state(state), answers, width, theme)
    paper = PURPOSES["paper"]
    share = 1.0 if width > paper.width / 2 else PURPOSES["column"].height_share
    usual = min(row.paper_height * share * paper.pixels_per_inch, width)
    if needed is None:
        return usual + _LETTER
    return max(needed, usual if row.fills_paper else 0.0) + _LETTER


def _caption(rows: Sequence[FigureRow], state: State, answers: Answers, *, shows_cursor: bool) -> str:
    told = []
    for letter, row in zip(PANEL_LETTERS, rows, strict=False):
        shown, hides = row.state(state), not shows_cursor and can_hide_cursor(row)
        title = figure_title(row, shown, answers, shows_cursor=not hides)
        told.append((f"({letter}) {title}", VIEWS[row.view].module().explanation(shown)))
    (first, explanation), *others = told
    further = "".join(f" {title}. {words}" for title, words in others)
    return caption(first, explanation + further, state, *dict.fromkeys(row.view for row in rows))
