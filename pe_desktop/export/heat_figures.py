"""The pictures of the figures that hold a heat map: encoding matrix, rotation, similarity."""

import numpy as np
from PySide6.QtGui import QImage

from pe_desktop.core.cursor import Cursor, Span, full_span
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.similarity import similarity_field
from pe_desktop.core.fields.table import EncodingField, HalvesField, TransposedField
from pe_desktop.core.lags import profile
from pe_desktop.core.shift import shift_report
from pe_desktop.core.similarity import row_similarity, sampled_limits, similarity_pair
from pe_desktop.draw import marks
from pe_desktop.draw.theme import map_image
from pe_desktop.export.figure_sheet import Frame
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.views.matrix.layout import MatrixLayout, row_order
from pe_desktop.views.matrix.picture import matrix_cursor_picture, matrix_frame_picture, number_picture
from pe_desktop.views.matrix.strip import strip_frame_picture, strip_picture
from pe_desktop.views.similarity.layout import similarity_layout
from pe_desktop.views.similarity.picture import (
    similarity_cursor_picture,
    similarity_frame_picture,
    similarity_readout_picture,
)
from pe_desktop.views.similarity.profile import (
    profile_cursor_picture,
    profile_curve,
    profile_frame_picture,
    profile_limits,
    row_picture,
    row_positions,
)

# A profile on paper shows what can be told apart; wider ones are arrays.
WIDEST_PROFILE = 16_384
# Table values compared with row t, where each row has a profile of its own.
ROW_CELLS = 2**22


def matrix_figure(encoding: Encoding, cursor: Cursor, frame: Frame) -> marks.Picture:
    """The table over the span, as it is seen, with the cursors, the chosen pair and the strip of p_t."""
    rows = frame.sight.rows or Span(0.0, float(encoding.d_model))
    layout = MatrixLayout(frame.width, frame.height, frame.span, rows, frame.sight.is_transposed)
    # By what is seen on the page: 600 dots an inch would fit rows that the eye mixes to mauve.
    order = row_order(encoding, rows.width, layout.n_row_pixels)
    field: Field = HalvesField(encoding) if order.is_halved else EncodingField(encoding)
    view = View(rows.first, rows.last, frame.span.first + 0.5, frame.span.last + 0.5)
    if layout.is_transposed:
        field, view = TransposedField(field), View(view.first_column, view.last_column, rows.first, rows.last)
    area = (layout.left, layout.top, layout.right - layout.left, layout.bottom - layout.top)
    return (
        *matrix_frame_picture(layout, order, cursor, frame.theme, frame.pixel_ratio),
        *strip_frame_picture(layout, encoding.value_limit, frame.theme),
        _heat(field, view, area, frame, is_diverging=True),
        *number_picture(layout, order, frame.theme),
        *matrix_cursor_picture(layout, order, cursor, frame.theme),
        *strip_picture(layout, order, cursor, frame.theme),
    )


def similarity_figure(encoding: Encoding, cursor: Cursor, kind: str, frame: Frame) -> marks.Picture:
    """The map over all positions and the profile against offset."""
    n_positions, theme = encoding.n_positions, frame.theme
    reach = float(min(max(n_positions - 1, 1), WIDEST_PROFILE))
    rows = full_span(n_positions)
    layout = similarity_layout(frame.width, frame.height, rows, rows, Span(-reach, reach))
    field = similarity_field(encoding, kind)
    lags = profile(encoding, kind, int(reach) + 1) if encoding.is_shift_invariant else None
    is_shared = encoding.is_shift_invariant
    heights = profile_limits(field.limits if is_shared else sampled_limits(encoding, kind), lags)
    bar = map_image(theme, is_diverging=kind != "distance", is_upright=True)
    later = cursor.position + cursor.offset
    values = (
        similarity_pair(encoding, kind, cursor.position, later),
        similarity_pair(encoding, kind, 0.0, cursor.offset),
    )
    report = shift_report(encoding, cursor.offset)
    spread = None if report is None else report.spreads[kind].spread
    view = View(rows.first + 0.5, rows.last + 0.5, rows.first + 0.5, rows.last + 0.5)
    area = (layout.map.x, layout.map.y, layout.map.width, layout.map.height)
    if is_shared:
        curve = profile_curve(layout, heights, lags)
        profile_marks = profile_cursor_picture(layout, heights, lags, curve, cursor, n_positions, theme)
    else:
        positions = row_positions(layout, cursor.position, n_positions, max(ROW_CELLS // encoding.d_model, 2))
        row = row_similarity(encoding, kind, encoding.values(cursor.position)[0], positions)
        offsets = np.array(positions) - cursor.position
        profile_marks = row_picture(layout, heights, (offsets, row), values[0], cursor, theme)
    return (
        *similarity_frame_picture(layout, kind, field.limits, bar, n_positions, theme),
        _heat(field, view, area, frame, is_diverging=kind != "distance"),
        *profile_frame_picture(layout, kind, heights, lags, theme, is_shared=is_shared),
        *similarity_cursor_picture(layout, cursor, n_positions, theme),
        *profile_marks,
        *similarity_readout_picture(layout, kind, cursor, values, spread, theme),
    )


def _heat(
    field: Field, view: View, area: tuple[float, float, float, float], frame: Frame, *, is_diverging: bool
) -> marks.Raster:
    size = max(round(area[2] * frame.pixel_ratio), 1), max(round(area[3] * frame.pixel_ratio), 1)
    return marks.Raster(*area, _image(field, view, size, frame, is_diverging=is_diverging))


def _image(field: Field, view: View, size: tuple[int, int], frame: Frame, *, is_diverging: bool = True) -> QImage:
    colors = frame.theme.diverging if is_diverging else frame.theme.sequential
    return HeatMap().image(field, view, size, color_table(colors))
