"""A copied picture stands below its heading and apart from the edges."""

import numpy as np
from PySide6.QtGui import QColor, QImage

from pe_desktop.draw.canvas import headed_image
from pe_desktop.draw.theme import Theme
from tests.pictures import Sheet

RED = "#ff0000"


def test_a_headed_picture_has_a_margin_on_every_side_and_its_words_above_it(theme: Theme) -> None:
    image = QImage(400, 60, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(2.0)
    image.fill(QColor(RED))
    page = headed_image(image, "Properties", "Sinusoidal (paper), N = 128, d_model = 32, base = 10 000", theme)
    assert page.devicePixelRatio() == 2.0
    assert page.width() == 400 + 2 * 2 * 16
    sheet = Sheet(page)
    below = page.height() / 2 - 16
    ground = theme.panel.name()
    inside, outside = ((16, 30), (215, 30), (16, 1), (215, 1)), ((15, 10), (216, 10), (100, 0), (100, 31))
    assert {sheet.at(x, below - up) for x, up in inside} == {RED}
    assert {sheet.at(x, below - up) for x, up in outside} == {ground}
    inked = np.flatnonzero(sheet.ink(ground).any(axis=1))
    # Title and words are written, and none of it on the edge.
    assert 16 <= inked[0] <= 60
    assert ((inked > 60) & (inked < 2 * (below - 31))).any()
