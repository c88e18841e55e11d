"""The colours of a map as a small image, for colour bars."""

import numpy as np
from PySide6.QtGui import QImage

from pe_desktop.plotting.theme import Theme


def map_image(theme: Theme, *, is_diverging: bool, is_upright: bool = False) -> QImage:
    """The 256 colours of a map in a row, low end first; upright the high end is on top."""
    colors = (theme.diverging if is_diverging else theme.sequential).astype(np.uint32)
    inks = np.uint32(0xFF000000) | (colors[:, 0] << 16) | (colors[:, 1] << 8) | colors[:, 2]
    width, height = (1, len(inks)) if is_upright else (len(inks), 1)
    pixels = np.ascontiguousarray(inks[::-1] if is_upright else inks)
    return QImage(pixels.tobytes(), width, height, width * 4, QImage.Format.Format_RGB32).copy()
