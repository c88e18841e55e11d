"""The encoding matrix: every value of the table as a colour, from ten million positions to one cell."""

import math
from dataclasses import field, replace
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.columns import MISSING, hand_columns
from pe_desktop.core.cursor import Cursor, Span, visible_pins
from pe_desktop.core.fields.field import CELLS_PER_BLOCK, Blocks, Field
from pe_desktop.core.fields.seen import ColorScale, color_scale
from pe_desktop.core.fields.table import EncodingField, HalvesField, TransposedField
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.precision.tables import framework_values
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.color_bar import color_bar, color_bar_width
from pe_desktop.draw.hand_text import hand_name
from pe_desktop.draw.number_text import all_digits, copied_place, fixed, whole
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.plot import readout_card
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme, map_colors
from pe_desktop.draw.typefaces import fitting, text_width
from pe_desktop.heat.heatmap import View, color_table
from pe_desktop.heat.raster import HeatLayer
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.color_range import Ranged, averages_words, range_sentence, scale_questions, shown_scale
from pe_desktop.views.matrix.layout import MatrixLayout, RowOrder, row_order
from pe_desktop.views.matrix.picture import (
    border_picture,
    coarse_picture,
    matrix_cursor_picture,
    number_picture,
    pair_runs,
    positions_picture,
    preview_cell_picture,
    row_title,
    rows_picture,
)
from pe_desktop.views.matrix.strip import (
    strip_frame_picture,
    strip_limit,
    strip_picture,
    sum_picture,
    sum_sentence_picture,
    sum_sentences,
)
from pe_desktop.views.matrix.terms import (
    term_limit,
    terms_lines,
    terms_picture,
    terms_place,
    terms_sentence_picture,
)
from pe_desktop.views.printed import printed_map

_BAR_TITLE, _SHORT_TITLE = "PE(t, dimension)", "PE"
# So many rows are in the order of the dimensions in a picture of any size; of more, pictures may show halves.
_MOST_IN_ORDER: Final = 64


# It stays while t moves, and its axes with it.
_layout = lru_cache(maxsize=4)(MatrixLayout)


def layout_of(state: State, box: Box) -> MatrixLayout:
    """Where everything stands."""
    limit = state.encoding.value_limit
    width = box.width - (color_bar_width(_bar_title(box), (-limit, limit)) if _has_bar(state, box) else 0.0)
    matrix = state.views.matrix
    return _layout(
        width,
        box.height,
        state.shown_span,
        state.shown_rows,
        matrix.is_transposed,
        box.is_paper,
        has_strip=_has_strip(state, box),
        has_dimensions=not box.is_column or _has_strip(state, box),
    )


def order_of(state: State, box: Box) -> RowOrder:
    """Which dimension a row shows."""
    return _order(state, box, layout_of(state, box))


def _order(state: State, box: Box, layout: MatrixLayout) -> RowOrder:
    # On paper by what is seen on the page: 600 dots an inch would fit rows that the eye mixes to mauve.
    ratio = 1.0 if box.is_paper else box.pixel_ratio
    return row_order(state.encoding, state.shown_rows.width, layout.n_row_pixels * ratio)


def cell_at(state: State, box: Box, x: float, y: float) -> tuple[int, int]:
    """The position and the row nearest to a point."""
    position, row = layout_of(state, box).cell_at(x, y)
    last = state.encoding.n_positions - 1
    return min(max(round(position), 0), last), min(max(math.floor(row), 0), state.encoding.d_model - 1)


def questions(state: State) -> tuple[Question, ...]:
    return ()


def color_questions(state: State, box: Box) -> tuple[Question, ...]:
    """What the colours reach, where that takes longer than a frame."""
    layout = layout_of(state, box)
    return scale_questions("matrix", _ranged(state, layout, _field(_order(state, box, layout))))


def scene(state: State, answers: Answers, box: Box) -> Scene:
    box = box.with_map_colors(state.views.matrix.colors)
    if box.lettering is not None:
        return printed_map(box, TransposedField(EncodingField(state.encoding)), box.theme.diverging)
    cursor, theme = state.cursor, box.theme
    layout = layout_of(state, box)
    order = _order(state, box, layout)
    field = _field(order)
    scale = shown_scale("matrix", _ranged(state, layout, field), answers)
    coarse = coarse_picture(layout, box.coarseness, theme)
    return Scene(
        moving=(
            *number_picture(layout, order, scale.limits, theme),
            *border_picture(layout, order, theme),
            *preview_cell_picture(layout, box.preview, theme),
            *(matrix_cursor_picture(layout, order, cursor, theme) if box.shows_cursor else ()),
            *_strip(state, layout, order, theme, has_words=not coarse),
            *coarse,
            *_readout_card(state, box),
        ),
        still=Part(
            positions_picture,
            layout,
            order.encoding.n_positions,
            order.n_rows,
            theme,
            under=Part(
                _beside,
                _of_any_positions(layout),
                _alike(order),
                cursor.pair,
                visible_pins(cursor, state.encoding),
                _strip_limit(state),
                scale,
                box,
            ),
        ),
        heat=_heat(layout, field, scale, theme),
        places=Part(_places, layout, order, cursor, state.views.matrix.shows_terms),
    )


def height(state: State, answers: Answers, width: float, theme: Theme) -> float | None:
    return None


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    encoding, seen = state.encoding, _seen(state)
    size = f"{whole(encoding.n_positions)} × {whole(encoding.d_model)}"
    if seen:
        told = ", ".join(seen)
        forms: tuple[str, ...] = f"{told} of {size}", told, *((seen[0],) if len(seen) > 1 else ()), f"of {size}"
    else:
        counted = _counted(encoding.n_positions, "position"), _counted(encoding.d_model, "dimension")
        forms = " × ".join(counted), size
    return fitting("caption", forms, room)


def readout(state: State, answers: Answers) -> str:
    cursor, encoding = state.cursor, state.encoding
    if state.views.matrix.shows_terms:
        return "\n".join(terms_lines(encoding, cursor))
    positions, precision = [cursor.position, cursor.position + cursor.offset], state.precision
    titles, columns = (
        ["dim", f"t = {copied_place(positions[0])}", f"t + k = {copied_place(positions[1])}"],
        [*encoding.values(positions)],
    )
    if not precision.is_exact:
        titles += [f"{title}, {precision.title}" for title in titles[1:]]
        columns += [*framework_values(encoding, precision, positions)]
    lines = list(sum_sentences(encoding, cursor)[:1]) if state.views.matrix.adds_embedding else []
    lines.append("\t".join(titles))
    for dimension, row in enumerate(np.column_stack(columns).tolist()):
        lines.append("\t".join([str(dimension), *map(repr, row)]))
    return "\n".join(lines)


def sentence(state: State, answers: Answers) -> str:
    """The size of the table, or which part of it is seen."""
    encoding, seen = state.encoding, _seen(state)
    if not seen:
        size = f"{_counted(encoding.n_positions, 'position')} in {_counted(encoding.d_model, 'dimension')}"
        return f"The encoding of {size}"
    words = ", ".join(seen)
    return f"{words[0].upper()}{words[1:]} of the {whole(encoding.n_positions)} × {whole(encoding.d_model)} encoding"


def _seen(state: State) -> tuple[str, ...]:
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


def explanation(state: State) -> str:
    matrix = state.views.matrix
    row, column = ("position", "dimension") if matrix.is_transposed else ("dimension", "position")
    halves = ""
    if state.encoding.pairs is not None:
        halves = (
            "; where dimensions outnumber the columns of the picture, all sines stand before all cosines"
            if matrix.is_transposed
            else "; where dimensions outnumber the rows of the picture, all sines stand over all cosines"
        )
    if matrix.is_transposed:
        strip = "The solid row is t, the dashed one t + k."
    elif matrix.shows_terms:
        strip = (
            "The solid column is t, the dashed one t + k; the strip is what each hand adds to their dot product, "
            "cos(kω) where its length is 1, the fastest on top; the line is their running sum."
        )
    elif matrix.adds_embedding:
        strip = (
            "The solid column is t, the dashed one t + k; in the strip grey is the embedding x of a token, a random "
            "vector of variance 1, colour the sum x + PE at t."
        )
    else:
        strip = "The solid column is t, the dashed one t + k; the strip is the vector at t, its marks the one at t + k."
    field = EncodingField(state.encoding)
    scale = color_scale(field, matrix.range, state.shown_rows, state.shown_span.moved(0.5))
    return (
        f"Each row is a {row}, each column a {column}; red lies below 0, blue above. A pixel that covers several cells "
        f"shows {averages_words(field)}{halves}.{range_sentence(scale)} {strip}"
    )


def _cell_lines(state: State, box: Box, x: float, y: float) -> tuple[str, ...]:
    """What is under a point: the value of its cell, where the pixel covers many their mean, and all digits."""
    layout, encoding = layout_of(state, box), state.encoding
    order = _order(state, box, layout)
    if not layout.area.holds(x, y):
        return ()
    position, row = cell_at(state, box, x, y)
    dimension = int(order.dimensions()[row])
    pair, part = order.pair_and_part(row)
    value = float(encoding.values([position], [dimension])[0, 0])
    name = hand_name(encoding, pair)
    rounded = framework_values(encoding, state.precision, [position], [dimension])[0, 0].item()
    lines = [
        fixed(value, 4),
        *(() if state.precision.is_exact else (f"{state.precision.title}: {rounded!r}".replace("-", MINUS),)),
        f"position {whole(position)}, dim {whole(dimension)}",
        f"{name}, {part}" if encoding.pairs is not None else name,
    ]
    pixels = layout.position_pixels * box.pixel_ratio, layout.row_pixels * box.pixel_ratio
    n_positions, n_rows = (max(math.ceil(1 / each - 1e-9), 1) for each in pixels)
    if n_positions > 1 or n_rows > 1:
        lines.append(_mean_line(order, (row, n_rows), (position, n_positions)))
    if box.coarseness is not None:
        lines.append("its colour is coarse, refining")
    return (*lines, *all_digits(value))


@lru_cache(maxsize=4)
def _of_any_positions(layout: MatrixLayout) -> MatrixLayout:
    """The same layout for every span: of what stands beside the rows nothing depends on it."""
    return replace(layout, span=Span(0.0, 1.0))


@record
class _Alike:
    """An order of rows, equal to others whose pairs stand in the same rows: what stands beside them is the same."""

    order: RowOrder = field(compare=False)
    is_halved: bool
    d_model: int
    n_pairs: int | None
    columns: bytes


@lru_cache(maxsize=4)
def _alike(order: RowOrder) -> _Alike:
    encoding = order.encoding
    n_pairs = None if encoding.pairs is None else encoding.pairs.count
    return _Alike(order, order.is_halved, encoding.d_model, n_pairs, hand_columns(encoding).tobytes())


def _beside(
    layout: MatrixLayout,
    alike: _Alike,
    pair: int,
    pins: tuple[int, ...],
    strip: float,
    scale: ColorScale,
    box: Box,
) -> marks.Picture:
    theme = box.theme
    picture = rows_picture(layout, alike.order, pair, pins, theme, box.pixel_ratio)
    if layout.has_strip and not layout.is_transposed:
        picture += strip_frame_picture(layout, strip, theme)
    if box.width > layout.width:
        beside = Area(layout.width, layout.area.y, box.width - layout.width, layout.area.height)
        colors = map_colors(theme, scale.limits, is_diverging=True)
        picture += color_bar(beside, _bar_title(box), scale.limits, colors, theme, scale.is_cut)
    return picture


def _strip(state: State, layout: MatrixLayout, order: RowOrder, theme: Theme, *, has_words: bool) -> marks.Picture:
    """The strip, and with an embedding added the words about it; positions that run downwards leave it no room."""
    matrix, encoding, cursor = state.views.matrix, state.encoding, state.cursor
    if not (matrix.adds_embedding or matrix.shows_terms):
        has_strip = layout.has_strip and not layout.is_transposed
        return strip_picture(_of_any_positions(layout), order, cursor, theme) if has_strip else ()
    words: marks.Picture = ()
    if has_words:
        # A figure has the title of its dimensions in the same line.
        title = text_width("tick", row_title(order)) + 16.0 if layout.has_title_below else 0.0
        sentence_picture = terms_sentence_picture if matrix.shows_terms else sum_sentence_picture
        words = sentence_picture(layout, encoding, cursor, layout.area.width - title, theme)
    if layout.is_transposed:
        return words
    if matrix.shows_terms:
        return (*words, *terms_picture(layout, encoding, cursor, theme))
    return (*words, *sum_picture(layout, order, cursor, theme))


def _strip_limit(state: State) -> float:
    """As far as the strip reaches to both sides of 0."""
    if state.views.matrix.shows_terms:
        return term_limit(state.encoding)
    return strip_limit(state.encoding, adds_embedding=state.views.matrix.adds_embedding)


def colors_reach(state: State, answers: Answers, box: Box) -> ColorScale:
    """What the colours reach."""
    layout = layout_of(state, box)
    return shown_scale("matrix", _ranged(state, layout, _field(_order(state, box, layout))), answers)


def _ranged(state: State, layout: MatrixLayout, field: Field) -> Ranged:
    return field, state.views.matrix.range, layout.rows, layout.span.moved(0.5)


def _heat(layout: MatrixLayout, field: Field, scale: ColorScale, theme: Theme) -> HeatLayer:
    """The visible part of the table, or of the table on its side; columns of the field are positions."""
    span, rows = layout.span.moved(0.5), layout.rows
    view = View(rows.first, rows.last, span.first, span.last)
    if layout.is_transposed:
        field, view = TransposedField(field), View(span.first, span.last, rows.first, rows.last)
    colors = color_table(map_colors(theme, scale.limits, is_diverging=True))
    return HeatLayer(scale.of(field), view, colors, theme.panel, layout.area)


def _field(order: RowOrder) -> Field:
    return HalvesField(order.encoding) if order.is_halved else EncodingField(order.encoding)


def _mean_line(order: RowOrder, row: tuple[int, int], position: tuple[int, int]) -> str:
    """The mean over the block of so many rows and positions that holds a row and a position, each (cell, how many)."""
    (at, n_rows), (column, n_positions) = row, position
    field, rows = _field(order), Blocks(at // n_rows * n_rows, n_rows, 1)
    crosses = order.is_halved and rows.first < order.n_rows // 2 < rows.first + rows.size
    if rows.first + n_rows > field.shape[0] or crosses:
        rows = Blocks(at, 1, 1)
    columns = Blocks(column // n_positions * n_positions, n_positions, 1)
    mean = float(field.means(rows, columns)[0, 0])
    size = f"{whole(n_positions)} × {whole(rows.size)}"
    # A block of few cells is averaged in full, whatever the field does with larger ones.
    is_sampled = field.averages != "mean" and n_positions * rows.size > CELLS_PER_BLOCK
    name = f"{field.averages} out of" if is_sampled else "mean of"
    return f"{name} {size} cells {fixed(mean, 4)}"


def _readout_card(state: State, box: Box) -> marks.Picture:
    if box.pointer is None:
        return ()
    lines = _cell_lines(state, box, *box.pointer)
    # The strip beside the plot stays free.
    room = box.area._replace(width=layout_of(state, box).area.right)
    return readout_card(*box.pointer, room, lines, box.theme) if lines else ()


def _places(layout: MatrixLayout, order: RowOrder, cursor: Cursor, shows_terms: bool) -> tuple[Place, ...]:
    """The chosen pair's rows, the cursors, and the cells where they cross."""
    encoding, span, rows = order.encoding, layout.span, layout.rows
    now, later = round(cursor.position), round(cursor.position + cursor.offset)
    name = hand_name(encoding, cursor.pair)
    runs = pair_runs(order, cursor.pair)
    owns = [
        Place(
            name if len(runs) == 1 else f"{name}, {order.pair_and_part(row)[1]}",
            layout.box(span.first, span.width, row, n_rows),
            is_chosen=True,
        )
        for row, n_rows in runs
    ]
    cursors = [
        Place(words, layout.box(at - 0.5, 1.0, rows.first, rows.width), position_text(position))
        for words, at, position in (
            ("cursor t + k", later, cursor.position + cursor.offset),
            ("cursor t", now, cursor.position),
        )
    ]
    cells = []
    for at in dict.fromkeys(at for at in (later, now) if 0 <= at < encoding.n_positions):
        for row in (row for row in order.rows_of(cursor.pair) if row != MISSING):
            dimension = int(order.dimensions()[row])
            value = float(encoding.values([at], [dimension])[0, 0])
            text = repr(value).replace("-", MINUS)
            cells.append(Place(f"cell {at}, {dimension}", layout.box(at - 0.5, 1.0, row, 1), text))
    sums = (terms_place(layout, encoding, cursor),) if shows_terms and not layout.is_transposed else ()
    return tuple(place for place in (*owns, *cursors, *cells, *sums) if place.area.width > 0 and place.area.height > 0)


def _has_strip(state: State, box: Box) -> bool:
    """Whether the strip is seen; by itself it tells of t, and a narrow figure has no room for it."""
    matrix = state.views.matrix
    return matrix.adds_embedding or matrix.shows_terms or (box.shows_cursor and not box.is_column)


def _has_bar(state: State, box: Box) -> bool:
    return box.is_paper and not (box.is_column and _has_strip(state, box))


def _bar_title(box: Box) -> str:
    return _SHORT_TITLE if box.is_column else _BAR_TITLE


def _range(noun: str, first: int, last: int) -> str:
    return f"{noun} {whole(first)}" if first == last else f"{noun}s {whole(first)} to {whole(last)}"


def _counted(number: int, noun: str) -> str:
    return f"{whole(number)} {noun}{'' if number == 1 else 's'}"
