"""The encoding matrix: every value of the table as a colour, from ten million positions to one cell."""

import math
from collections.abc import Mapping
from functools import partial
from typing import Final

import numpy as np

from pe_desktop.core.choices import MatrixView
from pe_desktop.core.cursor import MISSING, Cursor, full_span, hand_columns, hand_places
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.field import ColorScale, Field, Limits, color_scale
from pe_desktop.core.fields.table import EncodingField, HalvesField
from pe_desktop.core.precision.formats import framework_values
from pe_desktop.core.record import kept
from pe_desktop.core.state import State
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.cell_map import cell_numbers
from pe_desktop.draw.color_bar import bar_ends
from pe_desktop.draw.dial import hand_name, limit_texts, part_names
from pe_desktop.draw.number_text import all_digits, copied_place, counted, fixed, whole
from pe_desktop.draw.plot import Plot, Tick
from pe_desktop.draw.scene import Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme, map_colors
from pe_desktop.heat.heatmap import View, color_table
from pe_desktop.heat.raster import HeatLayer
from pe_desktop.model.findings import Answers, Questions
from pe_desktop.views.controls import CAPTIONS
from pe_desktop.views.map_and_profile import coarse_picture, exact_text, pixel_lines, pointer_card
from pe_desktop.views.matrix import layout as table
from pe_desktop.views.matrix import picture as drawn
from pe_desktop.views.matrix.layout import STRIP_MARGIN, MatrixLayout, RowOrder, is_halved, strip_limit, sum_sentences
from pe_desktop.views.matrix.picture import bar_area, bar_picture, matrix_cursor_picture, preview_picture, rows_picture
from pe_desktop.views.paged import PagedView, ScenePage
from pe_desktop.views.printed import printed_map
from pe_desktop.views.questions import Ranged, averages_words, range_sentence, scale_questions, shown_scale

_BAR_TOOLTIP: Final = "What the colours reach; the menu of the panel, Colours…, changes it"
# So many rows are in the order of the dimensions in a picture of any size; of more, pictures may show halves.
_MOST_IN_ORDER: Final = 64
# How far the line between two halves of the table reaches out of the plot.
_BEYOND: Final = 5.0
# So many positions in a pixel are said to be there.
_MANY: Final = 8

# It stays while t moves, and its axes with it.
_layout = kept(MatrixLayout)


def layout_of(state: State, box: Box) -> MatrixLayout:
    """Where everything stands."""
    matrix = state.views.matrix
    # By itself the strip tells of t, and a narrow figure has no room for it.
    has_strip = matrix.adds_embedding or matrix.shows_terms or (box.shows_cursor and not box.is_column)
    return _layout(
        box.width,
        box.height,
        state.shown_span,
        state.shown_rows,
        matrix.is_transposed,
        box.is_paper,
        has_strip=has_strip,
        has_dimensions=not box.is_column or has_strip,
    )


def arranged(state: State, box: Box) -> tuple[MatrixLayout, RowOrder]:
    """Where everything stands, and which dimension a row shows."""
    layout = layout_of(state, box)
    # On paper by what is seen on the page: 600 dots an inch would fit rows that the eye mixes to mauve.
    n_pixels = max(int(layout.row_axis.length), 1) * (1.0 if box.is_paper else box.pixel_ratio)
    return layout, _row_order(state.encoding, is_halved=is_halved(state.encoding, state.shown_rows.width, n_pixels))


@kept
def _row_order(encoding: Encoding, *, is_halved: bool) -> RowOrder:
    n_pairs = 0 if encoding.pairs is None else encoding.pairs.count
    columns, places = hand_columns(encoding).tobytes(), hand_places(encoding)
    return RowOrder(columns, places, n_pairs, encoding.d_model, is_halved)


def cell_at(state: State, box: Box, x: float, y: float) -> tuple[int, int]:
    """The position and the row nearest to a point."""
    position, row = layout_of(state, box).cell_at(x, y)
    last = state.encoding.n_positions - 1
    return min(max(round(position), 0), last), min(max(math.floor(row), 0), state.encoding.d_model - 1)


def _color_questions(state: State, box: Box) -> Questions:
    """What the colours reach, where that takes longer than a frame."""
    return scale_questions("matrix", _ranged(state, *arranged(state, box)))


def _scene(state: State, answers: Answers, box: Box) -> Scene:
    box = box.with_map_colors(state.views.matrix.colors)
    encoding, cursor, theme = state.encoding, state.cursor, box.theme
    if box.lettering is not None:
        exact = None if box.lettering.is_float32 else partial(encoding.values, range(encoding.n_positions))
        return printed_map(box, EncodingField(encoding).transposed, theme.diverging, exact)
    layout, order = arranged(state, box)
    scale = shown_scale("matrix", _ranged(state, layout, order), answers)
    beside = layout.of_any_positions, order, cursor.pair, cursor.visible_pins(encoding)
    sentences = _strip_sentences(encoding, cursor, state.views.matrix) or _mean_sentences(layout)
    has_strip = layout.has_strip and not layout.is_transposed
    return Scene(
        moving=(
            *layout.position_axis.unseen(state.trained_length, theme, is_map=True),
            *_number_picture(layout, order, encoding, scale.limits, theme),
            *_border_picture(layout, order, theme),
            *(() if box.preview is None else preview_picture(layout, order, box.preview, cursor, theme)),
            *(matrix_cursor_picture(layout, order, encoding.n_positions, cursor, theme) if box.shows_cursor else ()),
            *drawn.words_picture(layout, scale, sentences, theme),
            *(table.strip_picture(state, layout, order, theme) if has_strip else ()),
            *coarse_picture(layout.area, box),
            *_readout_card(state, box, layout, order),
        ),
        still=Part(
            _positions_picture,
            layout,
            encoding.n_positions,
            encoding.d_model,
            theme,
            under=Part(_beside, *beside, strip_limit(state), scale, box),
        ),
        heat=_heat(layout, _field(encoding, order), scale, theme),
        places=Part(_places, layout, order, encoding, cursor, state.views.matrix, scale),
    )


def _positions_picture(layout: MatrixLayout, n_positions: int, n_rows: int, theme: Theme) -> marks.Picture:
    """The numbers of the positions, their title, and on a screen thin bars that say which part is seen."""
    axis = layout.position_axis
    ticks = axis.position_ticks(n_positions)
    away, words = 10.0 if layout.is_transposed else 14.0, "position t"
    title = axis.title_between(ticks, words, theme, away)
    if not layout.is_transposed:
        title = (axis.title(words, theme, away, is_before=True),)
    picture: marks.Marks = [*title, *axis.labels(ticks, theme, away)]
    full = full_span(n_positions)
    along, across = layout.point(layout.area.bottom + 5.0, layout.area.right + 6.0)
    if layout.span != full and not layout.is_paper:
        picture += axis.overview(full.first, full.last, along, theme)
    if layout.rows.width < n_rows and not layout.is_paper:
        picture += layout.row_axis.overview(0.0, float(n_rows), across, theme)
    return tuple(picture)


@kept
def _number_picture(
    layout: MatrixLayout, order: RowOrder, encoding: Encoding, limits: Limits, theme: Theme
) -> marks.Picture:
    """The value in every cell that is large enough for it; it stays while the cursors move."""
    positions = layout.span.cells(encoding.n_positions)
    rows = range(max(int(layout.rows.first), 0), min(math.ceil(layout.rows.last), order.n_rows))
    values = partial(encoding.values, positions, order.dimensions[rows.start : rows.stop])
    colors = map_colors(theme, limits, is_diverging=True)
    if layout.is_transposed:
        return cell_numbers(Plot(layout.row_middles, layout.position_axis), positions, rows, values, limits, colors)
    plot = Plot(layout.position_axis, layout.row_middles)
    return cell_numbers(plot, rows, positions, lambda: values().T, limits, colors)


@kept
def _border_picture(layout: MatrixLayout, order: RowOrder, theme: Theme) -> marks.Picture:
    """A line where the cosines begin that don't stand beside their sines; it stays while the cursors move."""
    if not order.is_halved or not layout.rows.first < order.n_pairs < layout.rows.last:
        return ()
    at, (x, y, right, bottom) = layout.row_axis.place(order.n_pairs), layout.area.sides
    ends = (at, y - _BEYOND, at, bottom + _BEYOND) if layout.is_transposed else (x - _BEYOND, at, right + _BEYOND, at)
    return marks.lines(ends, theme.panel, 4.0), marks.lines(ends, theme.text2, 1.2)


def _strip_sentences(encoding: Encoding, cursor: Cursor, matrix: MatrixView) -> tuple[str, ...]:
    """What is said of the strip, from its longest to its shortest form; nothing of the vector alone."""
    if matrix.shows_terms:
        return table.terms_sentences(encoding, cursor)
    return sum_sentences(encoding, cursor) if matrix.adds_embedding else ()


def _mean_sentences(layout: MatrixLayout) -> tuple[str, ...]:
    """Why colours fade where a pixel covers many positions."""
    n_positions = round(1.0 / layout.position_pixels)
    text = f"each pixel is the mean of {whole(n_positions)} positions"
    near = "" if layout.is_paper else ": Z shows those around t"
    return (text + near, text) if n_positions >= _MANY else ()


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    encoding, parts = state.encoding, _parts(state)
    size = f"{whole(encoding.n_positions)} × {whole(encoding.d_model)}"
    if parts:
        joined = ", ".join(parts)
        return f"{joined} of {size}", joined, *parts[: len(parts) - 1], f"of {size}"
    sizes = counted(encoding.n_positions, "position"), counted(encoding.d_model, "dimension")
    return " × ".join(sizes), size


def _readout(state: State, answers: Answers) -> str:
    cursor, encoding = state.cursor, state.encoding
    if state.views.matrix.shows_terms:
        return "\n".join(table.terms_lines(encoding, cursor))
    positions, precision = cursor.both, state.precision
    titles = ["dim", *map("{} = {}".format, ("t", "t + k"), map(copied_place, positions))]
    columns = [*encoding.values(positions)]
    if not precision.is_exact:
        titles += [f"{title}, {precision.title}" for title in titles[1:]]
        columns += [*framework_values(encoding, precision, positions)]
    lines = list(sum_sentences(encoding, cursor)[:1]) if state.views.matrix.adds_embedding else []
    lines.append("\t".join(titles))
    for dimension, row in enumerate(np.column_stack(columns).tolist()):
        lines.append("\t".join([str(dimension), *map(repr, row)]))
    return "\n".join(lines)


def _sentence(state: State, answers: Answers) -> str:
    """The size of the table, or which part of it is seen."""
    encoding, parts = state.encoding, _parts(state)
    if not parts:
        size = f"{counted(encoding.n_positions, 'position')} in {counted(encoding.d_model, 'dimension')}"
        return f"The encoding of {size}"
    words = ", ".join(parts)
    return f"{words[0].upper()}{words[1:]} of the {whole(encoding.n_positions)} × {whole(encoding.d_model)} encoding"


def _parts(state: State) -> tuple[str, ...]:
    """The positions and the rows that are seen, of each where not all are."""
    encoding, parts = state.encoding, []
    if state.span is not None:
        first = max(math.floor(state.span.first + 0.5), 0)
        last = min(math.ceil(state.span.last - 0.5), encoding.n_positions - 1)
        parts.append(_range("position", first, last))
    if state.views.matrix.rows is not None:
        rows = state.views.matrix.rows
        is_in_order = encoding.pairs is None or rows.width <= _MOST_IN_ORDER
        parts.append(_range("dimension" if is_in_order else "row", math.floor(rows.first), math.ceil(rows.last) - 1))
    return tuple(parts)


def _explanation(state: State) -> str:
    matrix, captions = state.views.matrix, CAPTIONS["matrix"]
    said: Mapping[str, str] = captions["lying" if matrix.is_transposed else "upright"]
    halves = "" if state.encoding.pairs is None else said["halves"]
    strip = "" if matrix.is_transposed else captions[table.strip_shows(matrix)]
    field = EncodingField(state.encoding)
    reach = range_sentence(color_scale(field, matrix.range, state.shown_rows, state.shown_span.moved(0.5)))
    return said["all"].format(averages=averages_words(field), reach=reach, halves=halves, strip=strip)


def _cell_lines(state: State, box: Box, layout: MatrixLayout, order: RowOrder) -> tuple[str, ...]:
    """What is under the pointer: the value of its cell, what its pixel covers, and all digits."""
    assert box.pointer is not None
    encoding, (position, row) = state.encoding, cell_at(state, box, *box.pointer)
    dimension, pair = int(order.dimensions[row]), int(order.owners[row])
    value = float(encoding.values([position], [dimension])[0, 0])
    name = hand_name(encoding, pair)
    rounded = framework_values(encoding, state.precision, [position], [dimension])[0, 0].item()
    lines = [
        fixed(value, 4),
        *(() if state.precision.is_exact else (f"{state.precision.title}: {exact_text(rounded)}",)),
        f"position {whole(position)}, dim {whole(dimension)}",
        f"{name}, {_part(encoding, order, row)}" if encoding.pairs is not None else name,
    ]
    covered = 1.0 / layout.position_pixels, 1.0 / layout.row_pixels
    averages = _field(encoding, order).averages
    return (*lines, *pixel_lines(covered, averages, box), *all_digits(value))


def _beside(
    layout: MatrixLayout, order: RowOrder, pair: int, pins: tuple[int, ...], strip: float, scale: ColorScale, box: Box
) -> marks.Picture:
    theme = box.theme
    picture = rows_picture(layout, order, pair, pins, theme, box.pixel_ratio)
    if layout.has_strip and not layout.is_transposed:
        # Three lines at 0 and at the limit to both sides, with their numbers.
        axis, (low, high), room = layout.strip, limit_texts(strip), STRIP_MARGIN - 1.0
        ticks = Tick(-1.0, low), Tick(0.0, "0"), Tick(1.0, high)
        # Long numbers end at the edge of the box, and begin as far from the numbers of the positions.
        labels = axis.labels(ticks, theme, 14.0, before=room, after=room)
        picture += (axis.grid(ticks, theme), axis.line(0.0, theme.axis), *labels)
    return *picture, *bar_picture(layout, scale, theme)


def _ranged(state: State, layout: MatrixLayout, order: RowOrder) -> Ranged:
    return _field(state.encoding, order), state.views.matrix.range, layout.rows, layout.span.moved(0.5)


def _heat(layout: MatrixLayout, field: Field, scale: ColorScale, theme: Theme) -> HeatLayer:
    """The visible part of the table, or of the table on its side; columns of the field are positions."""
    span, rows = layout.span.moved(0.5), layout.rows
    view = View(rows.first, rows.last, span.first, span.last)
    if layout.is_transposed:
        field, view = field.transposed, View(span.first, span.last, rows.first, rows.last)
    colors = color_table(map_colors(theme, scale.limits, is_diverging=True))
    return HeatLayer(scale.of(field), view, colors, theme.panel, layout.area)


def _field(encoding: Encoding, order: RowOrder) -> Field:
    return HalvesField(encoding) if order.is_halved else EncodingField(encoding)


def _part(encoding: Encoding, order: RowOrder, row: int) -> str:
    """What a row is of its pair: the sine or the cosine, or one of two dimensions."""
    pair = int(order.owners[row])
    return part_names(encoding, pair)[0 if order.rows_of(pair)[0] == row else 1]


def _readout_card(state: State, box: Box, layout: MatrixLayout, order: RowOrder) -> marks.Picture:
    if box.pointer is None or not layout.area.holds(*box.pointer):
        return ()
    # The strip beside the plot stays free.
    return pointer_card(box, _cell_lines(state, box, layout, order), box.area._replace(width=layout.area.right))


def _places(
    layout: MatrixLayout, order: RowOrder, encoding: Encoding, cursor: Cursor, matrix: MatrixView, scale: ColorScale
) -> tuple[Place, ...]:
    """The chosen pair's rows, the cursors, the cells where they cross, the strip with what is said of it, the bar."""
    places = list[Place]()
    name = hand_name(encoding, cursor.pair)
    runs = order.runs_of(cursor.pair)
    for row, n_rows in runs:
        words = name if len(runs) == 1 else f"{name}, {_part(encoding, order, row)}"
        places.append(Place(words, layout.rows_box(row, n_rows), is_chosen=True))
    both = cursor.both[::-1]
    for words, at in zip(("cursor t + k", "cursor t"), both, strict=True):
        places.append(Place(words, layout.position_box(round(at)), number_text.position(at)))
    for position in dict.fromkeys(at for at in map(round, both) if 0 <= at < encoding.n_positions):
        for row in (row for row in order.rows_of(cursor.pair) if row != MISSING):
            dimension = int(order.dimensions[row])
            value = float(encoding.values([position], [dimension])[0, 0])
            area = layout.box(position - 0.5, 1.0, row, 1)
            places.append(Place(f"cell {position}, {dimension}", area, exact_text(value)))
    if layout.has_strip and not layout.is_transposed:
        name = "running sum" if matrix.shows_terms else "strip"
        said = (*_strip_sentences(encoding, cursor, matrix), "")[0]
        tooltip = table.strip_tooltip(encoding, cursor, matrix)
        places.append(Place(name, layout.strip.area, said, tooltip=tooltip))
    places.append(Place("colours", bar_area(layout, scale), " to ".join(bar_ends(scale)), tooltip=_BAR_TOOLTIP))
    return tuple(place for place in places if place.area.width > 0 and place.area.height > 0)


def _range(noun: str, first: int, last: int) -> str:
    return f"{noun} {whole(first)}" if first == last else f"{noun}s {whole(first)} to {whole(last)}"


_PAGE = ScenePage(_scene, _sentence, _explanation, _readout)
VIEW = PagedView("", {"": _PAGE}, _forms, box_questions=_color_questions, shades_unseen=True)
