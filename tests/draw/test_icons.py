"""Every icon shows something, in the colour it is asked for, sharp at every device pixel ratio."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage

from pe_desktop.draw.theme import themed_icon

ICONS = sorted((Path(__file__).parents[2] / "resources" / "icons").glob("*.svg"))
# The application's own icon has its own colours.
PLAIN = [path.stem for path in ICONS if path.stem != "app"]


def pixels(icon, ratio=2.0, mode=QIcon.Mode.Normal):
    """Red, green, blue and alpha of the icon at 16 logical pixels, shape (side, side, 4)."""
    image = icon.pixmap(QSize(16, 16), ratio, mode).toImage().convertToFormat(QImage.Format.Format_RGBA8888)
    return np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.width(), 4).astype(int)


@pytest.mark.parametrize("name", PLAIN)
def test_an_icon_is_drawn_in_the_colour_it_is_asked_for(theme, name):
    for color, icon in ((theme.text2, themed_icon(name, theme)), (QColor("#c01020"), None)):
        drawn = pixels(icon or themed_icon(name, theme, color))
        solid = drawn[drawn[:, :, 3] == 255][:, :3]
        assert ((drawn[:, :, 3] > 200).sum() >= 20, (drawn[:, :, 3] == 0).sum() >= 20) == (True, True)
        assert np.abs(solid - [color.red(), color.green(), color.blue()]).max() <= 3


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0, 3.0])
def test_an_icon_has_a_pixel_for_every_pixel_of_the_screen(theme, ratio):
    pixmap = themed_icon("play", theme).pixmap(QSize(16, 16), ratio)
    assert (pixmap.width(), pixmap.devicePixelRatio()) == (round(16 * ratio), ratio)


def test_a_disabled_icon_is_faint(theme):
    icon = themed_icon("play", theme)
    enabled, disabled = (pixels(icon, mode=mode)[:, :, 3].max() for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled))
    assert enabled == 255
    assert disabled == pytest.approx(0.35 * 255, abs=2)
