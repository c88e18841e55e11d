"""The pictures of the figures that hold a heat map: encoding matrix, rotation, similarity."""

from PySide6.QtGui import QImage

from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.table import EncodingField, HalvesField, TransposedField
from pe_desktop.draw import marks
from pe_desktop.export.figure_sheet import Frame
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.views.matrix.layout import MatrixLayout, row_order
from pe_desktop.views.matrix.picture import matrix_cursor_picture, matrix_frame_picture, number_picture
from pe_desktop.views.matrix.strip import strip_frame_picture, strip_picture

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


def _heat(
    field: Field, view: View, area: tuple[float, float, float, float], frame: Frame, *, is_diverging: bool
) -> marks.Raster:
    size = max(round(area[2] * frame.pixel_ratio), 1), max(round(area[3] * frame.pixel_ratio), 1)
    return marks.Raster(*area, _image(field, view, size, frame, is_diverging=is_diverging))


def _image(field: Field, view: View, size: tuple[int, int], frame: Frame, *, is_diverging: bool = True) -> QImage:
    colors = frame.theme.diverging if is_diverging else frame.theme.sequential
    return HeatMap().image(field, view, size, color_table(colors))
