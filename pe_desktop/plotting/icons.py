"""The product's own icons, drawn in a colour of the theme."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from pe_desktop.plotting.theme import Theme
from pe_desktop.resources import resource_path

ICON_SIZE = 16
# Drawn at these factors, so that a screen of any device pixel ratio finds a sharp one.
FACTORS = (1, 1.5, 2, 3)
DISABLED_ALPHA = 0.35


def themed_icon(name: str, theme: Theme, color: QColor | None = None) -> QIcon:
    """An icon of resources/icons in the theme's text colour or another one."""
    return _kept_icon(name, (color or theme.text2).rgba())


@lru_cache(maxsize=256)
def _kept_icon(name: str, rgba: int) -> QIcon:
    source = resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")
    ink = QColor.fromRgba(rgba)
    renderer = QSvgRenderer(QByteArray(source.replace("currentColor", ink.name()).encode("utf-8")))
    icon = QIcon()
    for mode, alpha in ((QIcon.Mode.Normal, ink.alphaF()), (QIcon.Mode.Disabled, DISABLED_ALPHA)):
        for factor in FACTORS:
            icon.addPixmap(_drawn(renderer, alpha, factor), mode)
    return icon


def _drawn(renderer: QSvgRenderer, alpha: float, factor: float) -> QPixmap:
    side = round(ICON_SIZE * factor)
    pixmap = QPixmap(QSize(side, side))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setOpacity(alpha)
    renderer.render(painter, QRectF(0, 0, side, side))
    painter.end()
    pixmap.setDevicePixelRatio(factor)
    return pixmap
