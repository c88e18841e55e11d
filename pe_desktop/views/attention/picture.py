"""Chips, the number, the table of schemes, and what stands in their place, as marks."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.plot import paragraph, position_ticks
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, mixed
from pe_desktop.draw.typefaces import text_width, wrapped
from pe_desktop.views.attention import words
from pe_desktop.views.attention.layout import AttentionLayout, Chip

_DASH: Final = (4.0, 3.0)
# Pixels from one position over the chips to the next, from line to line.
_TICK_ROOM: Final = 26.0
_LINE: Final = 18.0
# More links are straight, and narrower chips are bars: hundreds of them are one mark.
_MOST_BENDS, _NARROWEST_PILL = 40, 10.0


@record
class SchemeRow:
    """A row of the table: what a scheme is called, what it does, and the differences without and with a mask."""

    title: str
    note: str
    without: str
    causal: str


def chips_picture(layout: AttentionLayout, theme: Theme) -> marks.Picture:
    """Both rows of chips with their joining lines, none of them chosen."""
    picture: list[marks.Mark] = []
    if layout.written:
        first = layout.written[0].area
        picture.append(marks.Text(0.0, layout.position_y, "position t", "tick", theme.text3))
        picture.append(marks.Text(0.0, first.middle[1], "As written", "label", theme.text2))
        picture += _positions(layout, theme)
        picture += _links(layout, theme)
    if layout.moved:
        picture.append(marks.Text(0.0, layout.moved[0].area.middle[1], "Moved", "label", theme.text2))
    picture += [*_pills(layout.written, theme), *_pills(layout.moved, theme)]
    return tuple(picture)


def chosen_chips(layout: AttentionLayout, asking: int, read: int, theme: Theme) -> marks.Picture:
    """The words in both rows: the one that asks on a solid pill, the one that is read in a dashed one."""
    picture: list[marks.Mark] = []
    for chip in (*layout.written, *layout.moved):
        fill, ink = (theme.ink, theme.ink_on) if chip.word == asking else (theme.panel, theme.text)
        if chip.word in (asking, read):
            picture.append(_pill(chip, fill))
        else:
            fill = theme.sunken
        if chip.word == read:
            picture.append(_pill_outline(chip.area, theme.ink if chip.word != asking else theme.text3))
        picture += _letters(chip, fill, ink)
    return tuple(picture)


def gap_picture(layout: AttentionLayout, word: int, theme: Theme) -> marks.Picture:
    """A line before the place at which a dragged word would stand."""
    chip = next(one for one in layout.moved if one.word == word)
    x, y = chip.area.x - 3.0, chip.area.y
    return (marks.Segments(np.array([[x, y - 5.0, x, y + chip.area.height + 5.0]]), theme.ink, 2.0),)


def lines_picture(layout: AttentionLayout, theme: Theme) -> marks.Picture:
    """The lines between the parts."""
    ends = np.array([[0.0, y, layout.width, y] for y in layout.lines])
    return (marks.Segments(ends, theme.line),)


def number_picture(
    layout: AttentionLayout, difference: float | None, said: tuple[str, str] | None, theme: Theme
) -> marks.Picture:
    """The largest difference, whether it is more than rounding, and what has happened."""
    top, wide = layout.number_top, layout.width if layout.mode == "brief" else layout.half
    title, brief = "Largest difference of outputs, put back in order", "Largest difference once put back"
    title = title if text_width("strong", title) <= wide else brief
    picture: list[marks.Mark] = [marks.Text(0.0, top + 20.0, title, "strong", theme.text)]
    text = "…" if difference is None else words.difference_text(difference)
    picture.append(marks.Text(0.0, top + 52.0, text, "number", theme.text))
    if difference is None or said is None:
        return tuple(picture)
    if said[0] != words.NOTHING_MOVED:
        picture += _verdict(text_width("number", text) + 16.0, top + 52.0, difference < words.ROUNDING, theme)
    lines = wrapped("strong", said[0], wide, 2)
    picture += [
        marks.Text(0.0, top + 88.0 + _LINE * place, line, "strong", theme.text) for place, line in enumerate(lines)
    ]
    below = top + 92.0 + _LINE * len(lines)
    n_lines = max(int((layout.height - below + 2.0) // _LINE), 0)
    picture += paragraph(0.0, below, said[1], theme.text2, wide, n_lines, "caption", _LINE)
    return tuple(picture)


def table_picture(
    layout: AttentionLayout, rows: Sequence[SchemeRow], chosen: int, shown: int | None, theme: Theme
) -> marks.Picture:
    """What moving the words does under every scheme; the chosen one on a darker ground.

    shown: the column of the number that stands beside the table, None while positions are off.
    """
    usual = ("label", "label")
    roles = tuple("strong" if column == shown else "label" for column in range(2))
    top, right = layout.number_top, layout.row(0).right
    masked, free = right - 8.0, right - 8.0 - min(110.0, layout.half * 0.3)
    has_notes = layout.half >= 340.0
    room = free - text_width("tick", "no mask") - 16.0 - layout.right - 8.0
    long, title = "Every scheme, same words", "Every scheme"
    title = long if text_width("strong", long) <= room else title
    picture: list[marks.Mark] = [
        marks.Text(layout.right + 8.0, top + 20.0, title, "strong", theme.text),
        marks.Text(free, top + 20.0, "no mask", "tick", theme.text3, across=1.0),
        marks.Text(masked, top + 20.0, "causal", "tick", theme.text3, across=1.0),
    ]
    for place, row in enumerate(rows):
        area = layout.row(place)
        middle, is_chosen = area.middle[1], place == chosen
        if is_chosen:
            picture.append(marks.Rectangle(area.x, area.y, area.width, area.height, theme.sunken, radius=5.0))
        picture.append(marks.Text(area.x + 8.0, middle, row.title, "strong" if is_chosen else "label", theme.text))
        if has_notes:
            picture.append(marks.Text(area.x + 92.0, middle, row.note, "tick", theme.text3))
        for x, text, role in zip((free, masked), (row.without, row.causal), roles if is_chosen else usual, strict=True):
            picture.append(marks.Text(x, middle, text, role, theme.text, across=1.0))
    if layout.is_low:
        return tuple(picture)
    full, line = "With a causal mask the order shows even without positions.", "A causal mask alone shows the order."
    line = full if text_width("tick", full) <= layout.half - 8.0 else line
    below = layout.row(len(rows)).y + 13.0
    picture.append(marks.Text(layout.right + 8.0, below, line, "tick", theme.text3))
    return tuple(picture)


def refusal_picture(layout: AttentionLayout, refusal: str, theme: Theme) -> marks.Picture:
    """The words, and why there are no numbers."""
    wide = min(layout.width - 16.0, 560.0)
    lines = wrapped("label", refusal, wide, 6)
    top = layout.height / 2 - _LINE * (len(lines) - 1) / 2
    return tuple(
        marks.Text(layout.width / 2, top + _LINE * place, line, "label", theme.text2, across=0.5)
        for place, line in enumerate(lines)
    )


def empty_buttons(layout: AttentionLayout) -> tuple[Area, ...]:
    """Where the sentences of the texts stand while there are too few words."""
    wide = min(layout.width - 16.0, 420.0)
    top = layout.height / 2 - 8.0
    return tuple(
        Area((layout.width - wide) / 2, top + 36.0 * place, wide, 28.0) for place in range(len(words.EXAMPLES))
    )


def empty_picture(layout: AttentionLayout, theme: Theme) -> marks.Picture:
    """What to do where there are too few words, and the sentences of the texts as buttons."""
    areas = empty_buttons(layout)
    y = areas[0].y - 26.0
    picture: list[marks.Mark] = [
        marks.Text(layout.width / 2, y, "Type two words or more", "strong", theme.text, across=0.5)
    ]
    for area, example in zip(areas, words.EXAMPLES, strict=True):
        picture.append(marks.Rectangle(*area, theme.sunken, theme.line, radius=6.0))
        text = wrapped("segment", example.sentence, area.width - 20.0, 1)[0]
        picture.append(marks.Text(*area.middle, text, "segment", theme.text, across=0.5))
    return tuple(picture)


def _positions(layout: AttentionLayout, theme: Theme) -> list[marks.Mark]:
    """The places of the written words above their chips, as many as have room."""
    chips, picture = layout.written, list[marks.Mark]()
    most = max(int((chips[-1].area.right - chips[0].area.x) // _TICK_ROOM), 1)
    for place in map(int, position_ticks(0.0, len(chips) - 1.0, most)):
        x = min(chips[place].area.middle[0], layout.width - text_width("tick", str(place)) / 2)
        picture.append(marks.Text(x, layout.position_y, str(place), "tick", theme.text3, across=0.5))
    return picture


def _links(layout: AttentionLayout, theme: Theme) -> list[marks.Mark]:
    """A line from every written word to where it went; those that moved are darker."""
    now = {chip.word: chip.area for chip in layout.moved}
    ends = np.array([[*_below(chip.area), *_above(now[chip.word])] for chip in layout.written])
    has_moved = np.array(layout.places) != np.arange(len(ends))
    still: list[marks.Mark] = [marks.Segments(ends[~has_moved], theme.axis)] if not has_moved.all() else []
    if len(ends) > _MOST_BENDS:
        return [*still, marks.Segments(ends[has_moved], theme.axis)]
    steps, is_short = np.linspace(0.0, 1.0, 25), not layout.has_positions_above
    bend = steps * steps * (3.0 - 2.0 * steps)
    ink, width = (theme.text2, 1.6) if is_short else (theme.axis, 1.0)
    for x0, y0, x1, y1 in ends[has_moved]:
        still.append(marks.Polyline(np.column_stack((x0 + (x1 - x0) * bend, y0 + (y1 - y0) * steps)), ink, width))
    return still


def _below(area: Area) -> tuple[float, float]:
    return area.middle[0], area.bottom


def _above(area: Area) -> tuple[float, float]:
    return area.middle[0], area.y


def _pills(chips: Sequence[Chip], theme: Theme) -> list[marks.Mark]:
    """The chips of a row, none of them chosen."""
    if chips and chips[0].area.width < _NARROWEST_PILL:
        ends = np.array([[*_above(chip.area), *_below(chip.area)] for chip in chips])
        return [marks.Segments(ends, theme.line, chips[0].area.width)]
    return [_pill(chip, theme.sunken, theme.line) for chip in chips]


def _pill(chip: Chip, fill: QColor, outline: QColor | None = None) -> marks.Mark:
    x, y, wide, tall = chip.area
    return marks.Rectangle(x, y, wide, tall, fill, outline, radius=min(tall, wide) / 2)


def _letters(chip: Chip, fill: QColor, ink: QColor) -> list[marks.Mark]:
    """The word on a chip, and the dots by which it is taken."""
    x, y, wide, tall = chip.area
    picture: list[marks.Mark] = []
    middle = x + wide / 2
    if chip.has_grip:
        dots = [[x + 12.0 + 4.0 * column, y + tall / 2 + 4.0 * row] for row in (-1, 0, 1) for column in (0, 1)]
        picture.append(marks.Dots(np.array(dots), 0.9, mixed(ink, fill, 0.7)))
        middle += 6.0
    if chip.text:
        picture.append(marks.Text(middle, y + tall / 2, chip.text, chip.role, ink, across=0.5))
    return picture


def _pill_outline(area: Area, color: QColor) -> marks.Mark:
    """A dashed line around a chip."""
    x, y, wide, tall = area
    radius = min(tall, wide) / 2
    right = np.linspace(-np.pi / 2, np.pi / 2, 12)
    first = np.column_stack((x + wide - radius + radius * np.cos(right), y + tall / 2 + tall / 2 * np.sin(right)))
    second = np.column_stack((x + radius - radius * np.cos(right), y + tall / 2 - tall / 2 * np.sin(right)))
    return marks.Polyline(np.vstack((first, second, first[:1])), color, 1.8, _DASH)


def _verdict(x: float, y: float, is_rounding: bool, theme: Theme) -> list[marks.Mark]:
    """A pill with a sign and a word: rounding only, or the order is seen."""
    text, ground, color = (
        ("Rounding only", theme.sunken, theme.text2) if is_rounding else ("Order is seen", theme.ok_ground, theme.ok)
    )
    wide = text_width("segment", text) + 44.0
    sign: marks.Mark = marks.Polyline(
        np.array([[x + 11.0, y + 0.5], [x + 14.5, y + 4.0], [x + 21.0, y - 4.0]]), color, 1.7
    )
    if is_rounding:
        steps = np.linspace(0.0, 1.0, 20)
        sign = marks.Polyline(
            np.column_stack((x + 10.0 + 12.0 * steps, y - 2.5 * np.sin(2 * np.pi * steps))), color, 1.6
        )
    return [
        marks.Rectangle(x, y - 12.0, wide, 24.0, ground, radius=12.0),
        sign,
        marks.Text(x + 29.0, y, text, "segment", color),
    ]
