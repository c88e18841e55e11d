"""Maps of weights and outputs as marks: colours, numbers, words and outlines."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from pe_desktop.core.encoding import Floats
from pe_desktop.core.scores.attention import Moved
from pe_desktop.draw import marks
from pe_desktop.draw.color_bar import lying_bar
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.plot import outline, position_ticks
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.theme import Theme, badge_text_color
from pe_desktop.draw.typefaces import text_width, wrapped
from pe_desktop.views.attention import words
from pe_desktop.views.attention.layout import AttentionLayout

_DASH: Final = (4.0, 3.0)
_BAR: Final = 86.0
# Round values of the last colour: of weights in long sentences, of outputs.
_WEIGHT_LIMITS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
_LIMITS: Final = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
# Pixels that a number beside or above a map keeps free.
_TICK_ROOM: Final = (26.0, 16.0)
# Pixels from one word beside a map to the next.
_NAME_ROOM: Final = 11.0


def maps_picture(layout: AttentionLayout, known: Moved, box: Box, *, is_causal: bool) -> marks.Picture:
    """Titles, weights as colours and, where there is room, as numbers; what the mask hides has none."""
    theme, right, colors = box.theme, layout.maps[1], _weight_colors(box.theme)
    limit, over = _weight_limit(layout, known)
    picture: list[marks.Mark] = [
        marks.Text(0.0, layout.title_y, "Weights, as written", "strong", theme.text),
        marks.Text(layout.right, layout.title_y, "Weights, moved", "strong", theme.text),
        *lying_bar(right.right, layout.title_y, _BAR, ("0", f"{over}{short(limit)}"), colors, theme),
    ]
    end, hints = layout.maps[0].right, ("each row reads the columns; it sums to 1", "each row sums to 1", "")
    room = end - text_width("strong", "Weights, as written") - 16.0
    hint = next(hint for hint in hints if not hint or text_width("tick", hint) <= room)
    picture.append(marks.Text(end, layout.title_y, hint, "tick", theme.text3, across=1.0))
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
            picture.append(outline(Area(x, area.y, wide, area.height), color, width, dash))
        for color, width, dash in ((under, 3.6, ()), (theme.ink, 1.8, ())):
            picture.append(outline(Area(area.x, y, area.width, tall), color, width, dash))
    return tuple(picture)


def pointed_cells(layout: AttentionLayout, asking: int, read: int | None, theme: Theme) -> marks.Picture:
    """A light frame around the row, and the cell, of words that a pointer is over, in both maps."""
    picture: list[marks.Mark] = []
    for which, order in enumerate((range(len(layout.words)), layout.places)):
        area, (wide, tall) = layout.maps[which], layout.cell
        y = area.y + order.index(asking) * tall
        picture.append(outline(Area(area.x, y, area.width, tall), theme.text3, 1.0, ()))
        if read is not None:
            picture.append(outline(Area(area.x + order.index(read) * wide, y, wide, tall), theme.ink, 1.4, ()))
    return tuple(picture)


def footers_picture(
    layout: AttentionLayout, cursor: tuple[float, float], names: tuple[str, str], amount: str, theme: Theme
) -> marks.Picture:
    """What the outlines mean, cursor being t and t + k; the word that asks, the one it reads, and how much."""
    left, right = layout.maps
    y, last = left.bottom + 17.0, len(layout.words) - 1
    asks = position_text(cursor[0])
    solid, dashed = f"solid row: query, t = {asks}", _read_text(cursor[1], last)
    picture: list[marks.Mark] = []
    if round(cursor[0]) > last:
        way_on = "" if layout.is_paper else "; press another"
        picture += _footer(0.0, y, f"t = {asks} is past the end: the query is the last word{way_on}", left.right, theme)
    elif text_width("tick", solid) + text_width("tick", dashed) + 16.0 <= left.right:
        picture.append(marks.Text(0.0, y, solid, "tick", theme.text3))
        picture.append(marks.Text(left.right, y, dashed, "tick", theme.text3, across=1.0))
    elif 0 <= round(cursor[1]) <= last:
        picture += _footer(0.0, y, "row: query (t), column: key (t + k)", left.right, theme)
    else:
        picture += _footer(0.0, y, dashed, left.right, theme)
    line = _reading(names, amount, right.right - layout.right)
    picture.append(marks.Text(right.right, y, line, "flag", theme.text, across=1.0))
    return tuple(picture)


def _read_text(position: float, last: int) -> str:
    """Which word is read: that at t + k, or where none stands there the nearest."""
    if round(position) > last:
        return f"t + k = {position_text(position)} is past the end: the key is the last word"
    if round(position) < 0:
        return f"t + k = {position_text(position)} is before the start: the key is the first word"
    return f"dashed column: key, t + k = {position_text(position)}"


def _reading(names: tuple[str, str], amount: str, room: float) -> str:
    """How much a word reads of another; long words are shortened, so that the numbers are seen."""
    for_words = room - text_width("flag", f" reads : {amount}")
    widths = [text_width("flag", name) for name in names]
    asking, read = names
    if sum(widths) > for_words:
        most = max(for_words / 2, for_words - min(widths))
        asking, read = (wrapped("flag", name, most, 1)[0] for name in names)
    return wrapped("flag", f"{asking} reads {read}: {amount}", room, 1)[0]


def _footer(x: float, y: float, text: str, room: float, theme: Theme) -> list[marks.Mark]:
    return [marks.Text(x, y, wrapped("tick", text, room, 1)[0], "tick", theme.text3)]


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
        *lying_bar(areas[2].right, layout.outputs_title_y, _BAR, ends, theme.diverging, theme),
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
    tall = areas[0].height / len(layout.words)
    picture += [
        _name(areas[0].x - 6.0, areas[0].y + (place + 0.5) * tall, word, layout.names_width - 8.0, theme)
        for place, word in enumerate(layout.words)
        if _has_name(place, tall) and not layout.has_positions_beside
    ]
    return tuple(picture)


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
    return _raster(area, colors[np.rint(np.nan_to_num(steps)).astype(np.intp)])


def _raster(area: Area, rgb: NDArray[np.uint8]) -> marks.Raster:
    """Colours as an image in an area, shape (rows, columns, 3)."""
    parts = rgb.astype(np.uint32)
    inks = np.ascontiguousarray(np.uint32(0xFF000000) | (parts[..., 0] << 16) | (parts[..., 1] << 8) | parts[..., 2])
    tall, wide = inks.shape
    return marks.Raster(*area, QImage(inks.tobytes(), wide, tall, wide * 4, QImage.Format.Format_RGB32).copy())


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
        if place == chosen or _has_name(place, tall, chosen)
    ]


def _has_name(place: int, tall: float, chosen: int | None = None) -> bool:
    """Whether a row of so many pixels has its word beside it: each n-th where they are low, none beside the chosen."""
    step = math.ceil(_NAME_ROOM / tall)
    return place % step == 0 and (chosen is None or abs(place - chosen) >= step)


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


def _zero(area: Area, text: str, theme: Theme) -> list[marks.Mark]:
    line = wrapped("tick", text, area.width - 8.0, 1)[0]
    return [
        marks.Rectangle(*area, theme.sunken, theme.line),
        marks.Text(*area.middle, line, "tick", theme.text2, across=0.5),
    ]
