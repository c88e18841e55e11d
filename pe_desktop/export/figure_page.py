"""Pages of figures: the scene of a view under a title, or scenes as panels with letters; and their captions."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import isfinite, isinf
from typing import Final

from PySide6.QtGui import QColor

from pe_desktop import __version__
from pe_desktop.core.presets import CURSOR_PARAMETERS, PRESETS
from pe_desktop.core.record import record
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State, assignments_of, text_of
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import wrapped
from pe_desktop.export.figure_sheet import PANEL_LETTERS, PURPOSES, Sheet
from pe_desktop.files import ExportError
from pe_desktop.heat.heatmap import HeatMap
from pe_desktop.languages import told
from pe_desktop.model.findings import Answers
from pe_desktop.resources import resource_json
from pe_desktop.views.paged import PagedView
from pe_desktop.views.table import VIEWS, FigureRow

PROGRAM: Final = f"PE Desktop {__version__}"

# Tenths by which a scene that needs more height than its sheet has may be drawn larger, and then smaller.
_SMALLEST_LETTERS = 30
_MOST_TITLE_LINES = 3
# Letters of a slide become so much smaller before a figure goes on to further ones.
_FULL_SLIDE = 1.15

# Between panels; how many stand beside each other on a slide, where two lines would be low; the line of a letter.
_GAP: Final = 16.0
_ON_A_SLIDE: Final = 3
_LETTER: Final = 20.0
# In a panel that is lower no map or dial can be read.
_LOWEST_PANEL: Final = 150.0
# What views read of the sentence and the formats: it is told whatever it is, other names where they were changed.
_READ: Final = resource_json("figures.json")["reads"]


@record(eq=False)
class Page:
    """What is drawn: pictures with the points at which they stand, on a ground; title and caption are its metadata.

    Without a ground it is transparent. keeps_text: an .svg holds text, not outlines of its letters.
    """

    sheet: Sheet
    ground: QColor | None
    parts: tuple[tuple[float, float, marks.Picture], ...]
    title: str
    caption: str
    keeps_text: bool = False


def scene_page(
    row: FigureRow,
    state: State,
    sheet: Sheet,
    theme: Theme,
    answers: Answers,
    *,
    shows_cursor: bool = True,
    number: int | None = None,
    title: str | None = None,
) -> Page:
    """The page of a figure: the scene of its view in all the room that the title leaves.

    number: which page of a figure that goes on from page to page, from 0; None for all of it on one; title: in place
    of the sentence, "" for none. ExportError where a figure can't do without the cursor.
    """
    if not (shows_cursor or _can_hide_cursor(row)):
        raise ExportError(f"{row.title} shows what stands at t and t + k: it has no picture without the cursor.")
    state, module, lettering = row.state(state), row.module(), row.lettering
    sentence, *more = _sentences(row, state, answers, shows_cursor=shows_cursor)
    if not shows_cursor and lettering is None:
        more.append("The cursors at t and t + k are left out.")
    words = _caption((f"{sentence}.", *more), state, row.view)
    title = sentence if title is None else title
    is_paged = number is not None and bool(row.fewer)
    titled = _titled(sheet, title)
    if lettering is not None:
        # Its title stands over its plot.
        lettering, made = replace(lettering, title=title), replace(sheet, n_title_lines=0)
    elif is_paged:
        made = _paged_sheet(row, state, titled, theme, answers)
    else:
        made, module = _scene_sheet(row, state, titled, theme, answers)
    heading = title if lettering is None else ""
    if number is not None and made.n_pages > 1:
        heading = f"{title}, page {number + 1} of {made.n_pages}" if title else ""
        made = _paged_sheet(row, state, _titled(sheet, heading), theme, answers)
    sheet = made
    left = sheet.margin
    top = sheet.margin + sheet.title_height
    box = Box(sheet.width - 2 * left, sheet.height - sheet.margin - top, sheet.pixel_ratio, theme, is_paper=True)
    box = replace(box, shows_cursor=shows_cursor, page=number if is_paged else None, lettering=lettering)
    picture = drawn(module.scene(state, answers, box), box)
    headed = (left, sheet.margin, _heading(heading, sheet, theme))
    return Page(sheet, theme.panel, (headed, (left, top, picture)), told(title or sentence), words)


def _can_hide_cursor(row: FigureRow) -> bool:
    """Whether a figure says something without the cursors at t and t + k; those of a text never have them."""
    return row.lettering is not None or bool(VIEWS[row.view].without_cursor)


def _sentences(row: FigureRow, state: State, answers: Answers, *, shows_cursor: bool) -> list[str]:
    """What is seen in the state of the figure: its title, and what its caption alone tells."""
    if row.lettering is not None:
        preset = PRESETS[row.assignments["preset"]]
        return [row.lettering.title, f"{preset.title}: {preset.sentence}."]
    view = row.module()
    if shows_cursor or VIEWS[row.view].without_cursor != "subtitle":
        return [*view.sentence(state, answers).splitlines(), view.explanation(state)]
    words = view.subtitle(state, answers)
    return [words[0].upper() + words[1:], view.explanation(state)]


def _scene_sheet(row: FigureRow, state: State, sheet: Sheet, theme: Theme, answers: Answers) -> tuple[Sheet, PagedView]:
    """The sheet with the room that a figure needs, and its view: on a slide in two columns where they help."""
    view = row.module()
    room = _with_room(sheet, lambda width: view.height(state, answers, width, theme))
    if sheet.is_in_dots and room.pixels_per_inch > sheet.pixels_per_inch:
        columns = view.in_columns()
        beside = _with_room(sheet, lambda width: columns.height(state, answers, width, theme))
        if beside.pixels_per_inch < room.pixels_per_inch:
            return beside, columns
    return (replace(room, height=max(room.height, sheet.height)) if row.fills_paper else room), view


def _paged_sheet(row: FigureRow, state: State, sheet: Sheet, theme: Theme, answers: Answers) -> Sheet:
    """The sheet of each page: as high as the figure where one holds all of it, else a full one."""
    module = row.module()
    around = 2 * sheet.margin + sheet.title_height

    def height_at(width: float) -> float:
        needed = module.height(state, answers, width, theme) or 0.0
        if sheet.is_in_dots and width + 2 * sheet.margin < _FULL_SLIDE * sheet.width:
            return needed
        return min(needed, max(0.0 if sheet.is_in_dots else sheet.height - around, module.least_height(state, width)))

    made = _with_room(sheet, height_at)
    return replace(made, n_pages=module.n_pages(state, made.width - 2 * made.margin, made.height - around + 0.5))


def _titled(sheet: Sheet, title: str) -> Sheet:
    """The sheet with a line for each that the title takes; paper grows in height."""
    lines = wrapped(sheet.title_role, title, sheet.width - 2 * sheet.margin, _MOST_TITLE_LINES)
    titled = replace(sheet, n_title_lines=len(lines))
    if sheet.is_in_dots:
        return titled
    return replace(titled, height=sheet.height + titled.title_height - sheet.title_height)


def _with_room(sheet: Sheet, height_at: Callable[[float], float | None]) -> Sheet:
    """The sheet with room for a scene that says how high it is at a width, or that a width is too small.

    Paper grows in height; else letters are as much smaller as it takes, on the same page.
    """
    around = sheet.margin + sheet.margin + sheet.title_height
    for step in range(_SMALLEST_LETTERS + 1):
        # Whole pixels an inch, so that the page keeps its size.
        per_inch = round(sheet.pixels_per_inch * (1.0 + step / 10))
        scale = per_inch / sheet.pixels_per_inch
        width = sheet.width * scale
        height = sheet.height * scale
        needed = height_at(width - 2 * sheet.margin)
        if needed is None:
            return sheet
        if isfinite(needed) and (needed + around <= height or not sheet.is_in_dots):
            break
    height = height if sheet.is_in_dots else (needed or 0.0) + around
    ratio = sheet.pixel_ratio / scale
    return replace(sheet, width=width, height=height, pixel_ratio=ratio, pixels_per_inch=per_inch)


def drawn(scene: Scene, box: Box) -> marks.Picture:
    """A scene as marks alone, its heat map as an exact image."""
    if scene.heat is None:
        return (*scene.still(), *scene.moving)
    area = scene.heat.area
    layer = scene.heat
    size = max(round(area.width * box.pixel_ratio), 1), max(round(area.height * box.pixel_ratio), 1)
    image = HeatMap().image(layer.field, layer.view, size, layer.colors)
    return (*scene.still(), marks.Raster(area.x, area.y, area.width, area.height, image), *scene.moving)


def _heading(title: str, sheet: Sheet, theme: Theme) -> marks.Picture:
    """The title in at most as many lines as its sheet has for it."""
    lines = wrapped(sheet.title_role, title, sheet.width - 2 * sheet.margin, sheet.n_title_lines)
    first = 0.4 * replace(sheet, n_title_lines=1).title_height
    return tuple(
        marks.Text(0.0, first + number * sheet.title_step, line, sheet.title_role, theme.text)
        for number, line in enumerate(lines)
    )


def panels_page(
    rows: Sequence[FigureRow], state: State, sheet: Sheet, theme: Theme, answers: Answers, *, shows_cursor: bool
) -> Page:
    """The page of some figures without their titles, which its caption tells.

    Without the cursor it stays where it is what a figure shows. ExportError where a figure finds no room.
    """
    sheet, areas = _areas(rows, state, sheet, theme, answers)
    parts = []
    titles = []
    sentences = []
    for letter, row, area in zip(PANEL_LETTERS, rows, areas, strict=False):
        module = row.module()
        shown = row.state(state)
        has_cursor = shows_cursor or not _can_hide_cursor(row)
        high = area.height - _LETTER
        box = Box(area.width, high, sheet.pixel_ratio, theme, is_paper=True, shows_cursor=has_cursor)
        heading = marks.Text(0.0, _LETTER / 2, letter, "title", theme.text)
        picture = drawn(module.scene(shown, answers, box), box)
        parts += [(area.x, area.y, (heading,)), (area.x, area.y + _LETTER, picture)]
        titles.append(f"({letter}) {told(row.title)}")
        title, *more = _sentences(row, shown, answers, shows_cursor=has_cursor)
        sentences += [f"({letter})", f"{title}.", *more]
    words = _caption(sentences, state, *dict.fromkeys(row.view for row in rows))
    return Page(sheet, theme.panel, tuple(parts), ", ".join(titles), words)


def _areas(
    rows: Sequence[FigureRow], state: State, sheet: Sheet, theme: Theme, answers: Answers
) -> tuple[Sheet, list[Area]]:
    """Where the panels stand, and the sheet with room for them: paper grows in height, a slide is shared evenly."""
    room = sheet.width - 2 * sheet.margin
    n_beside = 1 if Box(room, room, 1.0, theme, is_paper=True).is_column else 2
    if sheet.is_in_dots and len(rows) == _ON_A_SLIDE:
        n_beside = _ON_A_SLIDE
    edges = [*range(0, len(rows), n_beside), len(rows)]
    lines = [rows[first:last] for first, last in pairwise(edges)]
    widths = [(room - _GAP * (len(line) - 1)) / len(line) for line in lines]
    needed = [
        max(_panel_height(row, width, state, theme, answers) for row in line)
        for line, width in zip(lines, widths, strict=True)
    ]
    gaps = 2 * sheet.margin + _GAP * (len(lines) - 1)
    if sheet.is_in_dots:
        needed = [(sheet.height - gaps) / len(lines)] * len(lines)
    areas = []
    y = sheet.margin
    for line, width, height in zip(lines, widths, needed, strict=True):
        areas += [Area(sheet.margin + n * (width + _GAP), y, width, height) for n in range(len(line))]
        y += height + _GAP
    for row, area in zip(rows, areas, strict=True):
        least = row.module().height(row.state(state), answers, area.width, theme)
        least = _LOWEST_PANEL if least is None else least
        if isinf(least) or least + _LETTER > area.height + 0.5:
            raise ExportError(f"{row.title} has no room beside the other panels.")
    return replace(sheet, height=sum(needed) + gaps), areas


def _panel_height(row: FigureRow, width: float, state: State, theme: Theme, answers: Answers) -> float:
    """The height of a panel on paper: what its scene needs, else its own share of the page, no more than its width."""
    needed = row.module().height(row.state(state), answers, width, theme)
    paper = PURPOSES["paper"]
    share = 1.0 if width > paper.width / 2 else PURPOSES["column"].height_share
    usual = min(row.paper_height * share * paper.pixels_per_inch, width)
    if needed is None:
        return usual + _LETTER
    return max(needed, usual if row.fills_paper else 0.0) + _LETTER


def _caption(sentences: Iterable[str], state: State, *views: str) -> str:
    """What is seen and how it is read, and all parameters by their names on the command line, digits that read back.

    Of the views' own names, and of the visible range, those are told that are not as at the first start, of names of
    sentence and formats those that a view reads, too.
    """
    encoding = state.encoding
    usual = assignments_of(State(state.encoding))
    read = {*encoding.parameters, *CURSOR_PARAMETERS}.union(*(_READ[view] for view in views if view in _READ))
    if "scheme" in read:
        read.update(SCHEMES[state.attention.scheme].choices)
    pins = ", ".join(map(str, state.cursor.visible_pins(encoding)))
    listed = []
    shown = []
    for name, value in assignments_of(state).items():
        whole = int(value) if isinstance(value, float) and value.is_integer() else value
        valued = text_of(name, whole)
        text = f"{name} = {valued}"
        if "." not in name and name not in ("preset", "pinned_pairs", "span", "front"):
            if valued and (name in read or value != usual[name]):
                listed.append(text)
        elif (name == "span" or name.partition(".")[0] in views) and value != usual[name]:
            shown.append(text)
    views_text = f" {told('Shown')}: {', '.join(shown)}." if shown else ""
    words = f"{' '.join(map(told, filter(None, sentences)))} {told('Parameters')}: {', '.join(listed)}"
    return f"{words}; {told('pinned pairs')}: {pins}.{views_text} {told('Drawn by')} {PROGRAM}."
