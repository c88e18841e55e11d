"""The whole table of an encoding as a small image."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from pe_desktop.core.columns import n_filled
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.encoding_field import EncodingField, HalvesField
from pe_desktop.plotting.heatmap import HeatMap, View, color_table
from pe_desktop.plotting.matrix_layout import row_order


def table_image(encoding: Encoding, size: tuple[int, int], colors: NDArray[np.integer[Any]]) -> QImage:
    """All positions from left to right, all dimensions from top to bottom, size in device pixels.

    Dimensions at the end that are zero throughout are left out: a counter has one number, however wide its table.
    A pixel over many cells shows their mean; where it would mix sines with cosines, all sines stand over all cosines.
    colors: those of a diverging map, shape (n, 3). It may be called from any thread.
    """
    n_rows = float(n_filled(encoding))
    is_halved = row_order(encoding, n_rows, size[1]).is_halved
    view = View(0.0, n_rows, 0.0, float(encoding.n_positions))
    field = HalvesField(encoding) if is_halved else EncodingField(encoding)
    return HeatMap().image(field, view, size, color_table(colors))
