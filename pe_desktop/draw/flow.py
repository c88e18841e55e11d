"""Pages that lay themselves out: blocks below each other, and grids whose columns are as wide as they need or may be.

A page is a value that is said once: what is drawn, where it stands, its height, its named places, what a press on them
sets and the copied text follow from it. What changes with the cursor stands in `Live` blocks and in fields that
equality leaves out: equal pages are laid out and drawn once, and a moved cursor costs the live blocks alone.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property, partial
from itertools import pairwise
from operator import attrgetter
from typing import Any, ClassVar, Final, TypeAlias

from PySide6.QtGui import QColor

from pe_desktop.caches import told_cache
from pe_desktop.core.cursor import Preview
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import ROLES, fitting, text_width, wrapped
from pe_desktop.draw.typeset import formula_block, formula_height, formula_width_of, plain_block

# Widths of columns beside pixels: what the widest cell would like, all that is left. Below 1 they are shares.
FIT: Final = -1.0
GROW: Final = math.inf
# What a press sets: names of the state and their values, or a function that gives them for a point in pixels.
Sets: TypeAlias = Mapping[str, Any] | Callable[[float, float], Mapping[str, Any]] | None
# A block, where it stands in the tree of its page, from child to child, and its area.
_Placed: TypeAlias = tuple["Block", tuple[int, ...], Area]
_Shown: TypeAlias = tuple[_Placed, ...]
_LEADING: Final = 5.0
BUTTON_HEIGHT: Final = 28.0
# Heights of live blocks are compared at a width: those of paragraphs are given as numbers of lines.
_ANY_WIDTH: Final = 400.0
_MOST_LINES: Final = 40
# A page that is taller than so many pixels, and than what is seen of it, is drawn block by block, without a bitmap.
_TALL: Final = 2400.0
# Pages whose layout is kept, more than are seen at once: garbage is looked for among all their parts at one go.
_N_KEPT: Final = 10
# Roles of what stands above something; fewer rows of a table are none.
_HEADINGS: Final = ("strong", "title")
_FEWEST_ROWS: Final = 3
# Text and rows are no wider, so that numbers stay near their names: paper, slides and most panels are narrower.
_WIDEST: Final = 840.0


class Block:
    """A part of a page: the width it would like, its height at a width, its children and their areas, its own marks."""

    keeps_hash: ClassVar[bool] = True
    # Whether it takes the height that its column has left over.
    grows: bool = False
    # Whether it is left out on paper, where a figure says it in its title, or nobody can press it.
    is_for_screen: bool = False
    # Whether it gives way to what stands below it where a page has no room.
    is_elastic: bool = False

    @property
    def alike(self) -> "Block":
        """The first of equal pages, of which heights and layouts are kept: equal ones are compared once."""
        first: Block = vars(self).get("_alike") or _first_alike(self)
        if first is not self:  # one that holds itself is freed late
            vars(self)["_alike"] = first
        return first

    def width(self) -> float:
        """The pixels that it would like to have."""
        return 0.0

    def height(self, width: float) -> float:
        return 0.0

    def children(self) -> tuple["Block", ...]:
        return ()

    def areas(self, area: Area) -> Iterable[Area | None]:
        """Where the children stand, one by one; None for one that is not shown."""
        return ()

    def draw(self, area: Area, theme: Theme) -> marks.Drawing:
        """Its own marks that stay while the page is equal, under those of its children."""
        return ()

    def moving(self, area: Area, theme: Theme) -> marks.Drawing:
        """Its own marks of each frame."""
        return ()

    def places(self, area: Area) -> Iterable[Place]:
        return ()

    def copied(self) -> Iterable[str]:
        """Its own lines of the copied text."""
        return ()

    def on_paper(self) -> "Block":
        """The block without what only a screen needs."""
        return self

    def height_at(self, width: float) -> float:
        """The height, kept: it is asked for at each level of a page again."""
        kept: dict[float, float] = vars(self).setdefault("kept_heights", {})
        if width not in kept:
            kept[width] = self.height(width)
        return kept[width]

    def within(self, width: float, height: float) -> "Block":
        """What of it has room in a height."""
        return self if self.height_at(width) <= height else self.cut(width, height)

    def cut(self, width: float, height: float) -> "Block":
        """What of it has room where not all of it has."""
        return Space(0.0)


@record
class Words(Block):
    """Text in the first of its forms that fits, cut where none does; a paragraph is broken into lines.

    role: of typefaces.ROLES; ink: a colour of the theme by name; across: 0 at the left, 0.5 in the middle, 1 at the
    right; n_lines: the lines of a paragraph whose height must not change with its text.
    """

    text: str
    role: str = "label"
    ink: str = "text"
    across: float = 0.0
    shorter: tuple[str, ...] = ()
    is_paragraph: bool = False
    n_lines: int = 0
    is_for_screen: bool = False

    def width(self) -> float:
        return 0.0 if self.is_paragraph or self.n_lines else text_width(self.role, self.text)

    def height(self, width: float) -> float:
        if not self.text and not self.n_lines and self.is_paragraph:
            return 0.0
        return self._step * (self.n_lines or (len(self._lines(width)) if self.is_paragraph else 1))

    def draw(self, area: Area, theme: Theme) -> marks.Drawing:
        x = area.x + self.across * area.width
        ink = getattr(theme, self.ink)
        for line, text in enumerate(self._lines(area.width)):
            if text:
                yield marks.Text(x, area.y + self._step * (line + 0.5), text, self.role, ink, across=self.across)

    def copied(self) -> Iterable[str]:
        return (self.text,) if self.is_paragraph and self.text else ()

    @property
    def _step(self) -> float:
        return ROLES[self.role][0] + _LEADING

    def _lines(self, width: float) -> tuple[str, ...]:
        if self.is_paragraph or self.n_lines:
            return _wrapped(self.role, self.text, width, self.n_lines or _MOST_LINES)
        return _wrapped(self.role, fitting(self.role, (self.text, *self.shorter), width), width, 1)


def paragraph(text: str, role: str = "caption", ink: str = "text2", across: float = 0.0) -> Words:
    """Words that are broken into lines."""
    return Words(text, role, ink, across, is_paragraph=True)


def small(text: str, *shorter: str, across: float = 0.0) -> Words:
    """Small grey words, in the first of their forms that fits."""
    return Words(text, "tick", "text3", across, shorter)


@told_cache(1024)
def _wrapped(role: str, text: str, width: float, most_lines: int) -> tuple[str, ...]:
    return tuple(wrapped(role, text, width, most_lines))


@record
class Formula(Block):
    r"""Mathematics of `typeset`: scripts, \frac, \sqrt, \matrix; a line that is too long is broken before a sign."""

    formula: str
    pixels: int = 15
    ink: str = "text"

    def width(self) -> float:
        return formula_width_of(self.formula, self.pixels)

    def height(self, width: float) -> float:
        return formula_height(self.formula, self.pixels, width)

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        return formula_block(area.x, area.y, self.formula, self.pixels, area.width, getattr(theme, self.ink))

    def copied(self) -> Iterable[str]:
        return (plain_block(self.formula),)


@record
class Rule(Block):
    """A thin line with room around it."""

    room: float = 13.0

    def height(self, width: float) -> float:
        return self.room

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        return (marks.lines((area.x, area.middle[1], area.right, area.middle[1]), theme.line),)


@record
class Space(Block):
    """Room of so many pixels, both ways; one that grows takes a share of the height that is left."""

    size: float = 8.0
    grows: bool = False

    def width(self) -> float:
        return self.size

    def height(self, width: float) -> float:
        return self.size


def button(text: str, sets: "Sets", name: str = "", wide: float = 0.0) -> "Named":
    """A button of at least a width: a place, named as its text where it has no name, that sets names of the state."""
    room = max(text_width("segment", text) + 20.0, wide)
    return Named(name or text, Drawn(framed_word, (text,), BUTTON_HEIGHT, room), sets=sets)


def framed_word(area: Area, theme: Theme, text: str, is_on: bool = True) -> marks.Picture:
    """A framed word, on a darker ground where it is on."""
    ground, ink = (theme.sunken, theme.text) if is_on else (theme.panel, theme.text2)
    frame = marks.Rectangle(*area.grown(-0.5, -0.5), ground, theme.line, 6.0)
    return frame, marks.centered(*area.middle, text, "segment", ink)


@record
class Ground(Block):
    """The darker ground of what is chosen."""

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        return (marks.Rectangle(*area, theme.sunken, radius=4.0),)


@record
class Drawn(Block):
    """Marks of a view's own: make(area, theme, *arguments).

    tall: the height in pixels, or a function of the width; wide: the width that it would like; grows: it takes the
    height that is left, `tall` at least.
    """

    make: Callable[..., marks.Drawing]
    arguments: tuple[Hashable, ...]
    tall: float | Callable[[float], float]
    wide: float = 0.0
    grows: bool = False

    def width(self) -> float:
        return self.wide

    def height(self, width: float) -> float:
        return self.tall(width) if callable(self.tall) else self.tall

    def draw(self, area: Area, theme: Theme) -> marks.Drawing:
        return self.make(area, theme, *self.arguments)


@record(eq=False)
class Live(Block):
    """A block that is drawn in every frame; live blocks of one height are equal, whatever they show."""

    content: Block

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Live) and self._room == other._room

    def __hash__(self) -> int:
        return hash(self._room)

    @property
    def _room(self) -> tuple[float, bool]:
        return self.content.height_at(_ANY_WIDTH), self.content.grows

    @property
    def grows(self) -> bool:  # type: ignore[override] # a property in place of a value
        return self.content.grows

    @property
    def is_for_screen(self) -> bool:  # type: ignore[override] # a property in place of a value
        return self.content.is_for_screen

    def height(self, width: float) -> float:
        return self.content.height_at(width)

    def moving(self, area: Area, theme: Theme) -> marks.Picture:
        shown = _shown(self.content, area)
        return tuple([mark for one, _, at in shown for mark in (*one.draw(at, theme), *one.moving(at, theme))])

    def places(self, area: Area) -> Iterable[Place]:
        return [place for block, _path, where in _shown(self.content, area) for place in block.places(where)]

    def copied(self) -> Iterable[str]:
        return _copied(self.content)

    def on_paper(self) -> Block:
        return Live(self.content.on_paper())

    def cut(self, width: float, height: float) -> Block:
        return Live(self.content.cut(width, height))


class _Group(Block):
    """Several blocks over each other, as large as the largest of them, growing where one of them does."""

    blocks: tuple[Block, ...]

    @cached_property
    def grows(self) -> bool:  # type: ignore[override] # a property in place of a value
        return any(map(attrgetter("grows"), self.blocks))

    def width(self) -> float:
        return max((block.width() for block in self.blocks), default=0.0)

    def children(self) -> tuple[Block, ...]:
        return self.blocks

    def on_paper(self) -> Block:
        blocks = tuple(block.on_paper() for block in self.blocks if not block.is_for_screen)
        return replace(self, blocks=blocks)  # type: ignore[type-var] # each group is a record

    def height(self, width: float) -> float:
        return max([block.height_at(width) for block in self.blocks], default=0.0)

    def areas(self, area: Area) -> Iterable[Area | None]:
        return (area,) * len(self.blocks)


@record
class Named(_Group):
    """A place: for the pointer, Tab and screen readers; a press on it sets names of the state.

    name: unique in its scene; value: its number as text; is_chosen: whether it is what the state has; sets_in: what a
    press sets, for the area in which it stands; stays: a drag sets nothing more; ghosts: what shows a preview in it.
    """

    name: str
    block: Block = Block()
    value: str = field(default="", compare=False)
    sets: Sets = field(default=None, compare=False)
    tooltip: str = field(default="", compare=False)
    is_chosen: bool = field(default=False, compare=False)
    sets_in: Callable[[Area], Sets] | None = field(default=None, compare=False)
    stays: bool = False
    ghosts: Callable[[Area, Preview, Theme], marks.Picture] | None = field(default=None, compare=False)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:  # type: ignore[override] # a property in place of a value
        return (self.block,)

    def places(self, area: Area) -> Iterable[Place]:
        sets = self.sets if self.sets_in is None else self.sets_in(area)
        return (Place(self.name, area, self.value, self.is_chosen, sets, self.tooltip, self.stays, self.ghosts),)

    def copied(self) -> Iterable[str]:
        return (f"{self.name}\t{self.value}",) if self.value else ()

    def on_paper(self) -> Block:
        return replace(self, block=self.block.on_paper())


@record
class Column(_Group):
    """Blocks below each other, a gap between those that have a height; what is left over goes to those that grow."""

    blocks: tuple[Block, ...]
    gap: float = 0.0
    is_for_screen: bool = False

    def height(self, width: float) -> float:
        return _stacked([block.height_at(width) for block in self.blocks], self.gap)

    def areas(self, area: Area) -> Iterable[Area | None]:
        heights = [block.height_at(area.width) for block in self.blocks]
        free = area.height - _stacked(heights, self.gap)
        _share_out(free, heights, [place for place, block in enumerate(self.blocks) if block.grows])
        y = area.y
        for tall in heights:
            yield Area(area.x, y, area.width, tall)
            y += tall + self.gap if tall else 0.0

    def cut(self, width: float, height: float) -> Block:
        """The first of its blocks; what gives way leaves those below it their room, as far as it can."""
        kept, heights = list[Block](), [block.height_at(width) for block in self.blocks]
        for place, block in enumerate(self.blocks):
            below = _stacked(heights[place:], self.gap) - heights[place]
            lower = block.within(width, height - below) if block.is_elastic else Space(0.0)
            kept.append(lower if lower.height_at(width) else block.within(width, height))
            tall = kept[-1].height_at(width)
            height -= tall + self.gap if tall else 0.0
        starts = [place for place, block in enumerate(self.blocks) if _is_heading(block)]
        for first, end in pairwise((*starts, len(kept))):
            # A heading, and buttons below it, go with what they are for.
            left = [block.height_at(width) for block in kept[first:end]]
            gone = sum([tall for tall, now in zip(heights[first:end], left, strict=True) if not now])
            if sum(left) < gone:
                kept[first:end] = [Space(0.0)] * len(left)
        while kept and (isinstance(kept[-1], Rule | Space) or getattr(kept[-1], "role", "") in _HEADINGS):
            kept.pop()
        return replace(self, blocks=tuple(kept))


def _is_heading(block: Block) -> bool:
    """Whether it is one, or a row that begins with one."""
    while isinstance(block, Grid) and len(block.rows) == 1:
        block = block.rows[0][0]
    return getattr(block, "role", "") in _HEADINGS


def _stacked(heights: list[float], gap: float) -> float:
    """How high blocks below each other are, with a gap between those that have a height."""
    return sum(heights) + gap * max(sum([tall > 0 for tall in heights]) - 1, 0)


@record
class OnPaper(Column):
    """Blocks of the screen below each other, and the block that stands in their place on paper.

    bare: that which does where not all of them have room, None for that of paper.
    """

    paper: Block = Block()
    bare: Block | None = None

    def on_paper(self) -> Block:
        return self.paper.on_paper()

    def cut(self, width: float, height: float) -> Block:
        return (self.bare or self.paper).on_paper().within(width, height)


@record
class Layers(_Group):
    """Blocks over each other, in one area."""

    blocks: tuple[Block, ...]


@record
class Fits(_Group):
    """The first of some blocks that has the width that it would like, else the last; or the first from `widths` on."""

    blocks: tuple[Block, ...]
    widths: tuple[float, ...] = ()

    def width(self) -> float:
        return self.blocks[-1].width()

    def height(self, width: float) -> float:
        return self.blocks[self._chosen(width)].height_at(width)

    def areas(self, area: Area) -> Iterable[Area | None]:
        areas: list[Area | None] = [None] * len(self.blocks)
        areas[self._chosen(area.width)] = area
        return areas

    def cut(self, width: float, height: float) -> Block:
        return self.blocks[self._chosen(width)].cut(width, height)

    def _chosen(self, width: float) -> int:
        for place, block in enumerate(self.blocks):
            if (self.widths[place] if self.widths else block.width()) <= width:
                return place
        return len(self.blocks) - 1


@record
class Grid(_Group):
    """Rows of cells; columns are pixels, shares of the width, FIT or GROW. places: what the rows are as places."""

    columns: tuple[float, ...]
    rows: tuple[tuple[Block, ...], ...]
    places_of_rows: tuple[Named | None, ...] = ()
    gap: float = 12.0
    between: float = 4.0

    @cached_property
    def blocks(self) -> tuple[Block, ...]:  # type: ignore[override] # a property in place of a value
        pairs = zip(self.places_of_rows or (None,) * len(self.rows), self.rows, strict=True)
        return tuple([block for place, row in pairs for block in (place, *row) if block is not None])

    def width(self) -> float:
        widths = [wide if 1.0 <= wide < GROW else self._fit(place) for place, wide in enumerate(self.columns)]
        return sum(widths) + self.gap * (len(self.columns) - 1)

    def height(self, width: float) -> float:
        return self._total(self._heights_of_rows(self._widths(width)))

    def areas(self, area: Area) -> Iterable[Area | None]:
        widths = self._widths(area.width)
        tops = [area.y]
        heights = self._heights_of_rows(widths)
        growing = [place for place, row in enumerate(self.rows) if any(cell.grows for cell in row)]
        _share_out(area.height - self._total(heights), heights, growing)
        for tall in heights:
            tops.append(tops[-1] + tall + self.between)
        places = self.places_of_rows or (None,) * len(self.rows)
        for named, row, y, tall in zip(places, self.rows, tops, heights, strict=False):
            if named is not None:
                yield Area(area.x, y, area.width, tall)
            x = area.x
            for cell, wide in zip(row, widths, strict=True):
                yield Area(x, y, wide, tall if cell.grows else cell.height_at(wide))
                x += wide + self.gap

    def on_paper(self) -> Block:
        """Without the columns that are for the screen alone."""
        shown = [at for at in range(len(self.columns)) if not all(row[at].is_for_screen for row in self.rows)]
        rows = tuple(tuple(row[at].on_paper() for at in shown) for row in self.rows)
        return replace(self, columns=tuple(self.columns[at] for at in shown), rows=rows)

    def cut(self, width: float, height: float) -> Block:
        """The first of its rows; of the only one what has room in each cell."""
        widths = self._widths(width)
        if len(self.rows) == 1:
            cells = zip(self.rows[0], widths, strict=True)
            return replace(self, rows=(tuple(cell.within(wide, height) for cell, wide in cells),))
        heights = self._heights_of_rows(widths)
        n_rows = sum(self._total(heights[:n]) <= height for n in range(1, len(heights)))
        return replace(self, rows=self.rows[:n_rows], places_of_rows=self.places_of_rows[:n_rows])

    def _widths(self, width: float) -> list[float]:
        wanted = [
            self._fit(place) if wide == FIT else wide * width if wide < 1.0 else wide
            for place, wide in enumerate(self.columns)
        ]
        taken = sum([wide for wide in wanted if wide != GROW]) + self.gap * (len(wanted) - 1)
        return [max(width - taken, 0.0) / wanted.count(GROW) if wide == GROW else wide for wide in wanted]

    def _heights_of_rows(self, widths: list[float]) -> list[float]:
        return [max([cell.height_at(wide) for cell, wide in zip(row, widths, strict=True)]) for row in self.rows]

    def _total(self, heights: list[float]) -> float:
        return sum(heights) + self.between * max(len(heights) - 1, 0)

    def _fit(self, column: int) -> float:
        return max([row[column].width() for row in self.rows], default=0.0)


def in_row(columns: tuple[float, ...], *cells: Block, gap: float = 12.0) -> Grid:
    """A grid of one row."""
    return Grid(columns, (cells,), gap=gap)


def padded(block: Block, room: float = 16.0) -> Grid:
    """A block with room at both sides."""
    return in_row((room, GROW, room), Space(0.0), block, Space(0.0), gap=0.0)


@record
class Row:
    """A row of a table: its texts, what a press sets, whether it is chosen, the same texts with all digits.

    name, value: of its place, where they are not the first text and the others with their titles.
    """

    cells: tuple[str, ...]
    sets: Mapping[str, Any] | None = field(default=None, hash=False)
    is_chosen: bool = False
    exact: tuple[str, ...] = ()
    tooltip: str = ""
    name: str = ""
    value: str = ""


@record
class Table(Block):
    """Names at the left, numbers at the right of their columns, near them; columns that find no room are left out.

    titles: of the columns, the most important first; gap: pixels between columns. A press or Tab finds each row that
    sets something, or has a value.
    """

    titles: tuple[str, ...]
    rows: tuple[Row, ...]
    gap: float = 28.0
    row_height: float = 21.0
    HEAD: ClassVar[float] = 20.0
    _PAD: ClassVar[float] = 6.0
    is_elastic = True

    def width(self) -> float:
        return sum(self._widths()) + self.gap * (len(self.titles) - 1) + 2 * self._PAD

    def height(self, width: float) -> float:
        return self._head + self.row_height * len(self.rows)

    def cut(self, width: float, height: float) -> Block:
        """The first rows, the chosen one in place of the last where it would be missing."""
        n_rows = int((height - self._head) / self.row_height)
        if n_rows < _FEWEST_ROWS:
            return Space(0.0)
        chosen = [row for row in self.rows[n_rows:] if row.is_chosen][:1]
        return replace(self, rows=(*self.rows[: n_rows - len(chosen)], *chosen))

    def draw(self, area: Area, theme: Theme) -> marks.Drawing:
        columns = self._columns(area.width)
        right = area.x + (columns[-1][1] + self._PAD if columns else area.width)
        line = area.y + self._head - 2.0
        if self._head:
            yield marks.lines((area.x, line, right, line), theme.line)
        for place, row in enumerate(self.rows):
            where = self._row_area(area, place)
            if row.is_chosen:
                yield marks.Rectangle(*where._replace(width=right - where.x), theme.sunken, radius=4.0)
            for column, end in columns:
                role, ink = ("tick", theme.text2) if column else ("segment", theme.text)
                yield self._text(area.x, end, where.middle[1], column, row.cells[column], role, ink)
        for column, end in columns:
            if self.titles[column]:
                yield self._text(area.x, end, area.y + 8.0, column, self.titles[column], "tick", theme.text3)

    def places(self, area: Area) -> Iterable[Place]:
        for place, row in enumerate(self.rows):
            pairs = zip(self.titles[1:], row.cells[1:], strict=True)
            value = row.value or ", ".join(f"{title} {cell}".strip() for title, cell in pairs)
            name = row.name or row.cells[0]
            yield Place(name, self._row_area(area, place), value, row.is_chosen, row.sets, row.tooltip)

    def copied(self) -> Iterable[str]:
        titles = ("\t".join(self.titles),) if any(self.titles) else ()
        return (*titles, *("\t".join(row.exact or row.cells) for row in self.rows))

    def _text(self, left: float, end: float, y: float, column: int, text: str, role: str, ink: QColor) -> marks.Text:
        """A text at the left of the first column, at the right of any other."""
        return marks.Text(left + (end if column else self._PAD), y, text, role, ink, across=float(column > 0))

    @property
    def _head(self) -> float:
        return self.HEAD if any(self.titles) else 0.0

    def _row_area(self, area: Area, place: int) -> Area:
        return Area(area.x, area.y + self._head + self.row_height * place, area.width, self.row_height)

    def _columns(self, width: float) -> list[tuple[int, float]]:
        """The columns that have room, from the left, each with its right end."""
        widths = self._widths()
        shown = [0]
        least = min(self.gap, 16.0)
        for column in range(1, len(widths)):
            if sum(widths[place] + least for place in shown) + widths[column] <= width - 2 * self._PAD:
                shown.append(column)
        free = (width - 2 * self._PAD - sum([widths[column] for column in shown])) / max(len(shown) - 1, 1)
        gap = min(free, self.gap)
        right = self._PAD
        placed = []
        for column in shown:
            right += widths[column]
            placed.append((column, right))
            right += gap
        return placed

    def _widths(self) -> list[float]:
        return [
            max(
                text_width("tick", title),
                *(text_width("tick" if column else "segment", row.cells[column]) for row in self.rows),
                0.0,
            )
            for column, title in enumerate(self.titles)
        ]


@record
class Copied(Block):
    """Lines of the copied text that nothing on the page shows."""

    lines: tuple[str, ...] = field(compare=False)

    def copied(self) -> Iterable[str]:
        return self.lines


def _share_out(free: float, heights: list[float], growing: list[int]) -> None:
    """Give what is free to the heights that grow, the same to each."""
    for place in growing:
        heights[place] += max(free, 0.0) / len(growing)


def page_scene(page: Block, box: Box, *, is_wide: bool = False, area: Area | None = None) -> Scene:
    """The scene of a page: its still blocks, the live ones as they are now, its places.

    is_wide: it takes all the width of the box, where a page is else as wide as text is read well; area: where it stands
    in a larger scene.
    """
    page = page.on_paper() if box.is_paper else page
    width = box.width if is_wide or area is not None else min(box.width, _WIDEST)
    if box.is_bare and _height(page, width, 0.0) > box.height:
        page, area = page.cut(width, box.height), None
    if area is None:
        area = Area(0.0, 0.0, width, _height(page, width, box.height))
    if isinstance(page, Live):
        return Scene(page.moving(area, box.theme), places=Part(partial(page.places, area)))
    # Values and what a press sets are no part of a page's equality: its places are those of this very page.
    places = Part(partial(_places, page, area))
    if area.height > _TALL and box.visible is not None:
        visible = _shown(page, area, (box.visible.y, box.visible.bottom))
        still = [mark for block, _, where in visible for mark in block.draw(where, box.theme)]
        moving = [mark for block, _, where in visible for mark in block.moving(where, box.theme)]
        return Scene((*still, *moving), places=places)
    shown, live = _layout(page.alike, area)
    moving = [mark for _, path, where in live for mark in _at(page, path).moving(where, box.theme)]
    return Scene(tuple(moving), Part(_still, shown, box.theme), places=places)


def page_height(page: Block, width: float, *, is_wide: bool = False) -> float:
    """The height in pixels that a page needs in a box of a width."""
    return _height(page, width if is_wide else min(width, _WIDEST), 0.0)


def all_blocks(block: Block) -> Iterator[Block]:
    """A block and all within it, what a press reaches first."""
    yield block
    for child in (block.content,) if isinstance(block, Live) else block.children():
        yield from all_blocks(child)


def page_text(page: Block) -> str:
    """The copied text of a page: paragraphs, formulas, named values, rows of tables with all digits."""
    return "\n".join(_copied(page))


def _still(shown: _Shown, theme: Theme) -> marks.Picture:
    return tuple([mark for block, _path, where in shown for mark in block.draw(where, theme)])


def _places(page: Block, area: Area) -> tuple[Place, ...]:
    return tuple([place for _, path, where in _layout(page.alike, area)[0] for place in _at(page, path).places(where)])


def _at(page: Block, path: tuple[int, ...]) -> Block:
    for place in path:
        page = page.children()[place]
    return page


def _copied(block: Block) -> Iterator[str]:
    yield from block.copied()
    if not isinstance(block, Named) or not block.value:
        for child in block.children()[:1] if isinstance(block, Fits) else block.children():
            yield from _copied(child)


def _height(page: Block, width: float, height: float) -> float:
    """The height of a page in a box; equal pages that are live differ in theirs."""
    needed = page.height(width) if isinstance(page, Live) else page.alike.height_at(width)
    return max(needed, height if page.grows else 0.0)


_first_alike = told_cache(_N_KEPT)(lambda page: page)


@told_cache(_N_KEPT)
def _layout(page: Block, area: Area) -> tuple[_Shown, _Shown]:
    """What is shown of equal pages, the blocks of the first of them, and which of it has marks of each frame."""
    shown = _shown(page, area)
    return shown, tuple(one for one in shown if type(one[0]).moving is not Block.moving)


def _shown(page: Block, area: Area, between: tuple[float, float] = (-math.inf, math.inf)) -> _Shown:
    """What is shown of a page; between: the heights that are seen of it, all else is left out."""
    shown: list[_Placed] = []
    _collect(page, (), area, between, shown)
    return tuple(shown)


def _collect(block: Block, path: tuple[int, ...], area: Area, between: tuple[float, float], to: list[_Placed]) -> None:
    """Add a block and all within it that is shown, each before what it holds."""
    to.append((block, path, area))
    children = block.children()
    if children:
        for place, (child, where) in enumerate(zip(children, block.areas(area), strict=True)):
            if where is not None and where.bottom >= between[0] and where.y <= between[1]:
                _collect(child, (*path, place), where, between, to)
