"""Chips, maps, outputs, the number and the table of schemes as marks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from pe_desktop.core.encoding import Floats
from pe_desktop.core.scores.attention import Moved
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.plot import paragraph, position_ticks
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.theme import Theme, badge_text_color, mixed
from pe_desktop.draw.typefaces import text_width, wrapped
from pe_desktop.views.attention import words
from pe_desktop.views.attention.layout import AttentionLayout, Chip

_DASH: Final = (4.0, 3.0)
_BAR: Final = (86.0, 8.0)
_WEIGHT_LIMITS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
_LIMITS: Final = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
# Pixels that a number beside or above a map keeps free.
_TICK_ROOM: Final = (26.0, 16.0)
_LINE: Final = 18.0
# More links are straight, and narrower chips are bars: hundreds of them are one mark.
_MOST_BENDS, _NARROWEST_PILL = 40, 10.0


@dataclass(frozen=True, slots=True)
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


def maps_picture(layout: AttentionLayout, known: Moved, box: Box, *, is_causal: bool) -> marks.Picture:
    """Titles, weights as colours and, where there is room, as numbers; what the mask hides has none."""
    theme, right, colors = box.theme, layout.maps[1], _weight_colors(box.theme)
    limit, over = _weight_limit(layout, known)
    picture: list[marks.Mark] = [
        marks.Text(0.0, layout.title_y, "Weights, as written", "strong", theme.text),
        marks.Text(layout.right, layout.title_y, "Weights, moved", "strong", theme.text),
        *_color_bar(right.right, layout.title_y, "0", f"{over}{short(limit)}", colors, theme),
    ]
    hint, title = "each row sums to 1", text_width("strong", "Weights, as written")
    if title + 16.0 + text_width("tick", hint) <= layout.maps[0].right:
        at = layout.maps[0].right
        picture.append(marks.Text(at, layout.title_y, hint, "tick", theme.text3, across=1.0))
    for which, attended in enumerate((known.written, known.moved)):
        area, weights = layout.maps[which], attended.weights
        picture.append(_cells(area, weights, (0.0, limit), colors, box.pixel_ratio))
        if layout.has_numbers:
            picture += _cell_numbers(layout, which, weights, colors, is_causal=is_causal)
    return tuple(picture)


def chosen_cells(layout: AttentionLayout, asking: int, read: int, theme: Theme) -> marks.Picture:
    """The words of rows and columns, those of t and t + k bold; their row and column in outlines."""
    picture: list[marks.Mark] = []
    for which, order in enumerate((range(len(layout.words)), layout.places)):
        area = layout.maps[which]
        row, column = order.index(asking), order.index(read)
        picture += _row_names(layout, which, order, row, theme)
        picture += _column_names(layout, which, order, (row, column), theme)
        wide, tall = layout.cell
        x, y = area.x + column * wide, area.y + row * tall
        under = theme.panel
        for color, width, dash in ((under, 3.6, ()), (theme.ink, 1.8, _DASH)):
            picture.append(_frame(Area(x, area.y, wide, area.height), color, width, dash))
        for color, width, dash in ((under, 3.6, ()), (theme.ink, 1.8, ())):
            picture.append(_frame(Area(area.x, y, area.width, tall), color, width, dash))
    return tuple(picture)


def pointed_cells(layout: AttentionLayout, asking: int, read: int | None, theme: Theme) -> marks.Picture:
    """A light frame around the row, and the cell, of words that a pointer is over, in both maps."""
    picture: list[marks.Mark] = []
    for which, order in enumerate((range(len(layout.words)), layout.places)):
        area, (wide, tall) = layout.maps[which], layout.cell
        y = area.y + order.index(asking) * tall
        picture.append(_frame(Area(area.x, y, area.width, tall), theme.text3, 1.0, ()))
        if read is not None:
            picture.append(_frame(Area(area.x + order.index(read) * wide, y, wide, tall), theme.ink, 1.4, ()))
    return tuple(picture)


def footers_picture(layout: AttentionLayout, cursor: tuple[str, str], line: str, theme: Theme) -> marks.Picture:
    """What the outlines mean, cursor being t and t + k as text, and a line about the two words."""
    left, right = layout.maps
    y = left.bottom + 17.0
    solid, dashed = f"solid row asks: t = {cursor[0]}", f"dashed column is read: t + k = {cursor[1]}"
    picture: list[marks.Mark] = []
    if text_width("tick", solid) + text_width("tick", dashed) + 16.0 <= left.right:
        picture.append(marks.Text(0.0, y, solid, "tick", theme.text3))
        picture.append(marks.Text(left.right, y, dashed, "tick", theme.text3, across=1.0))
    else:
        short_one = wrapped("tick", "row asks (t), column is read (t + k)", left.right, 1)[0]
        picture.append(marks.Text(0.0, y, short_one, "tick", theme.text3))
    fitting = wrapped("flag", line, right.right - layout.right, 1)[0]
    picture.append(marks.Text(right.right, y, fitting, "flag", theme.text, across=1.0))
    return tuple(picture)


def outputs_picture(layout: AttentionLayout, known: Moved, box: Box) -> marks.Picture:
    """The outputs as written, as moved and put back in order, and their difference, over one range of colours."""
    theme, areas = box.theme, layout.outputs
    difference = known.written.outputs - known.put_back
    largest = max(float(np.abs(known.written.outputs).max()), float(np.abs(known.put_back).max()))
    limit = next((one for one in _LIMITS if one >= largest), float(np.ceil(largest)))
    n_numbers, title = known.written.outputs.shape[1], text_width("strong", "Outputs")
    ends = (f"−{short(limit)}", f"+{short(limit)}")
    picture: list[marks.Mark] = [
        marks.Text(0.0, layout.outputs_title_y, "Outputs", "strong", theme.text),
        marks.Text(
            title + 10.0, layout.outputs_title_y, f"{whole(n_numbers)} numbers for each word", "tick", theme.text3
        ),
        *_color_bar(areas[2].right, layout.outputs_title_y, *ends, theme.diverging, theme),
    ]
    names = ("as written", "moved, then put back in order", "difference")
    for area, name in zip(areas, names, strict=True):
        line = wrapped("tick", name, area.width, 1)[0]
        picture.append(marks.Text(area.x, area.y - 12.0, line, "tick", theme.text2))
    for area, values in zip(areas, (known.written.outputs, known.put_back, difference), strict=True):
        if values is difference and known.difference < words.ROUNDING:
            picture += _zero(area, "zero, up to rounding" if known.difference else "zero", theme)
        else:
            picture.append(_cells(area, values, (-limit, limit), theme.diverging, box.pixel_ratio))
    if areas[0].height / len(layout.words) >= 9.5:
        tall = areas[0].height / len(layout.words)
        picture += [
            _name(areas[0].x - 6.0, areas[0].y + (place + 0.5) * tall, word, layout.names_width - 8.0, theme)
            for place, word in enumerate(layout.words)
        ]
    return tuple(picture)


def number_picture(
    layout: AttentionLayout, difference: float | None, said: tuple[str, str] | None, theme: Theme
) -> marks.Picture:
    """The largest difference, whether it is more than rounding, and what has happened."""
    top, wide = layout.number_top, layout.width if layout.mode == "brief" else layout.half
    title = wrapped("strong", "Largest difference after undoing the permutation", wide, 1)[0]
    picture: list[marks.Mark] = [marks.Text(0.0, top + 20.0, title, "strong", theme.text)]
    text = "…" if difference is None else words.difference_text(difference)
    picture.append(marks.Text(0.0, top + 52.0, text, "number", theme.text))
    if difference is None or said is None:
        return tuple(picture)
    if said[0] != words.NOTHING_MOVED:
        picture += _verdict(text_width("number", text) + 16.0, top + 52.0, difference < words.ROUNDING, theme)
    picture.append(marks.Text(0.0, top + 88.0, wrapped("strong", said[0], wide, 1)[0], "strong", theme.text))
    room = layout.height - (top + 108.0)
    picture += paragraph(0.0, top + 110.0, said[1], theme.text2, wide, max(int(room // _LINE), 0), "caption", _LINE)
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
    line = wrapped("tick", "With a causal mask the order shows even without positions.", layout.half - 8.0, 1)[0]
    below = layout.row(len(rows)).y + 13.0
    picture.append(marks.Text(layout.right + 8.0, below, line, "tick", theme.text3))
    return tuple(picture)


def refusal_picture(layout: AttentionLayout, refusal: str, theme: Theme) -> marks.Picture:
    """The words, and why there are no numbers."""
    wide = min(layout.width - 16.0, 560.0)
    lines = wrapped("label", f"{refusal[:1].upper()}{refusal[1:]}.", wide, 6)
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
    count, chips = len(layout.words), layout.written
    most = max(int((chips[-1].area.right - chips[0].area.x) // _TICK_ROOM[0]), 1)
    return [
        marks.Text(chips[int(place)].area.middle[0], layout.position_y, f"{place:.0f}", "tick", theme.text3, across=0.5)
        for place in position_ticks(0.0, count - 1.0, most)
    ]


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
        picture.append(marks.Text(middle, y + tall / 2, chip.text, "segment", ink, across=0.5))
    return picture


def _pill_outline(area: Area, color: QColor) -> marks.Mark:
    """A dashed line around a chip."""
    x, y, wide, tall = area
    radius = min(tall, wide) / 2
    right = np.linspace(-np.pi / 2, np.pi / 2, 12)
    first = np.column_stack((x + wide - radius + radius * np.cos(right), y + tall / 2 + tall / 2 * np.sin(right)))
    second = np.column_stack((x + radius - radius * np.cos(right), y + tall / 2 - tall / 2 * np.sin(right)))
    return marks.Polyline(np.vstack((first, second, first[:1])), color, 1.8, _DASH)


def _frame(area: Area, color: QColor, width: float, dash: tuple[float, ...]) -> marks.Mark:
    x, y, right, bottom = area.x, area.y, area.right, area.bottom
    corners = np.array([[x, y], [right, y], [right, bottom], [x, bottom], [x, y]])
    return marks.Polyline(corners, color, width, dash)


def _weight_colors(theme: Theme) -> NDArray[np.uint8]:
    """The blue half of the diverging map, from 0 to 1."""
    return theme.diverging[len(theme.diverging) // 2 :]


def _cells(
    area: Area, values: Floats, limits: tuple[float, float], colors: NDArray[np.uint8], ratio: float
) -> marks.Raster:
    """Values as colours in an area; where there are more cells than pixels, a pixel shows the mean of its cells."""
    for axis, length in enumerate((area.height, area.width)):
        most = max(round(length * ratio), 1)
        count = values.shape[axis]
        if count > most:
            starts = np.arange(most) * count // most
            sizes = np.diff(np.append(starts, count))
            values = np.add.reduceat(values, starts, axis=axis) / np.expand_dims(sizes, 1 - axis)
    low, high = limits
    steps = np.clip((values - low) / (high - low), 0.0, 1.0) * (len(colors) - 1)
    rgb = colors[np.rint(np.nan_to_num(steps)).astype(np.intp)].astype(np.uint32)
    inks = np.ascontiguousarray(np.uint32(0xFF000000) | (rgb[..., 0] << 16) | (rgb[..., 1] << 8) | rgb[..., 2])
    tall, wide = inks.shape
    image = QImage(inks.tobytes(), wide, tall, wide * 4, QImage.Format.Format_RGB32).copy()
    return marks.Raster(*area, image)


def _weight_limit(layout: AttentionLayout, known: Moved) -> tuple[float, str]:
    """The weight of the last colour: 1, but a round one that few exceed where words are many; and the sign for that."""
    if not layout.has_positions_beside:
        return 1.0, ""
    most = float(np.percentile(known.written.weights, 99.0))
    limit = next((one for one in _WEIGHT_LIMITS if one >= most), 1.0)
    return limit, "" if limit == 1.0 else "≥ "


def _cell_numbers(
    layout: AttentionLayout, which: int, weights: Floats, colors: NDArray[np.uint8], *, is_causal: bool
) -> list[marks.Mark]:
    """Every weight in its cell, black or white, whichever can be read."""
    picture: list[marks.Mark] = []
    for row, column in np.ndindex(*weights.shape):
        if is_causal and column > row:
            continue
        weight = float(weights[row, column])
        ground = QColor(*colors[round(weight * (len(colors) - 1))].tolist())
        x, y = layout.cell_area(which, row, column).middle
        picture.append(marks.Text(x, y, fixed(weight, 2), "label", badge_text_color(ground), across=0.5))
    return picture


def _row_names(
    layout: AttentionLayout, which: int, order: Sequence[int], chosen: int, theme: Theme
) -> list[marks.Mark]:
    area, tall = layout.maps[which], layout.cell[1]
    if layout.has_positions_beside:
        return [
            marks.Text(area.x - 6.0, area.y + (place + 0.5) * tall, str(place), role, color, across=1.0)
            for place, role, color in _ticks(len(order), (chosen,), tall, _TICK_ROOM[1], theme)
        ]
    room = layout.names_width - 8.0
    return [
        _name(area.x - 6.0, area.y + (place + 0.5) * tall, layout.words[word], room, theme, is_bold=place == chosen)
        for place, word in enumerate(order)
        if tall >= 9.5 or place == chosen
    ]


def _column_names(
    layout: AttentionLayout, which: int, order: Sequence[int], chosen: tuple[int, int], theme: Theme
) -> list[marks.Mark]:
    area, wide = layout.maps[which], layout.cell[0]
    y = area.y - 11.0
    if layout.has_positions_above:
        return [
            marks.Text(area.x + (place + 0.5) * wide, y, str(place), role, color, across=0.5)
            for place, role, color in _ticks(len(order), chosen, wide, _TICK_ROOM[0], theme)
        ]
    picture: list[marks.Mark] = []
    for place, word in enumerate(order):
        role, color = ("flag", theme.text) if place in chosen else ("tick", theme.text2)
        text = wrapped(role, layout.words[word], wide - 4.0, 1)[0]
        picture.append(marks.Text(area.x + (place + 0.5) * wide, y, text, role, color, across=0.5))
    return picture


def _ticks(
    count: int, chosen: tuple[int, ...], step: float, room: float, theme: Theme
) -> list[tuple[int, str, QColor]]:
    """Places to be written along a map, with role and colour: chosen ones bold, others where they have room."""
    kept: list[int] = []
    for place in chosen:
        if all(abs(place - other) * step >= room for other in kept):
            kept.append(place)
    ticks = map(int, position_ticks(0.0, count - 1.0, max(int(count * step // room), 1)))
    others = [place for place in ticks if all(abs(place - other) * step >= room for other in kept)]
    return [(place, "flag", theme.text) for place in kept] + [(place, "tick", theme.text3) for place in others]


def _name(x: float, y: float, word: str, room: float, theme: Theme, *, is_bold: bool = False) -> marks.Text:
    """A word that ends at a point, shortened to the room there is."""
    role, color = ("flag", theme.text) if is_bold else ("tick", theme.text2)
    return marks.Text(x, y, wrapped(role, word, room, 1)[0], role, color, across=1.0)


def _color_bar(
    right: float, y: float, low: str, high: str, colors: NDArray[np.uint8], theme: Theme
) -> list[marks.Mark]:
    """A bar of colours that ends at a point, with the values of its ends."""
    wide, tall = _BAR
    end = right - text_width("tick", high) - 8.0
    inks = colors.astype(np.uint32)
    packed = np.ascontiguousarray(np.uint32(0xFF000000) | (inks[:, 0] << 16) | (inks[:, 1] << 8) | inks[:, 2])
    image = QImage(packed.tobytes(), len(packed), 1, len(packed) * 4, QImage.Format.Format_RGB32).copy()
    return [
        marks.Text(right, y, high, "tick", theme.text2, across=1.0),
        marks.Raster(end - wide, y - tall / 2, wide, tall, image),
        marks.Text(end - wide - 8.0, y, low, "tick", theme.text2, across=1.0),
    ]


def _zero(area: Area, text: str, theme: Theme) -> list[marks.Mark]:
    line = wrapped("tick", text, area.width - 8.0, 1)[0]
    return [
        marks.Rectangle(*area, theme.sunken, theme.line),
        marks.Text(*area.middle, line, "tick", theme.text2, across=0.5),
    ]


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
