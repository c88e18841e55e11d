"""Pens and lines; long ones in pieces that Qt draws fast on pixels: 12 of 26 ms of a change of base at d = 32."""

import math
from functools import lru_cache
from typing import Any, Final, TypeAlias, cast

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6 import QtGui
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPainterPathStroker, QPen, QPolygonF

from pe_desktop.draw import marks

# PySide converts a member of an enumeration by a function of Python, so these are made once.
NO_PEN: Final = QPen(Qt.PenStyle.NoPen)
NO_BRUSH: Final = QBrush()


def _polygon(points: marks.Points) -> QPolygonF:
    """A Qt polygon of points, shape (n, 2), copied at once instead of point by point."""
    shape, corners = _polygon_of(len(points))
    corners[:] = points
    return shape


def _polygon_of(count: int) -> tuple[QPolygonF, marks.Points]:
    """A Qt polygon of so many points and its memory, shape (count, 2)."""
    shape = QPolygonF()
    shape.resize(count)
    if not count:
        return shape, np.empty((0, 2))
    address: Any = shape.data()
    memory: Any = shiboken6.VoidPtr(address, count * 16, True)  # type: ignore[call-arg]
    return shape, np.frombuffer(memory, dtype=np.float64).reshape(-1, 2)


# By words: members of Qt's enumerations are hashed by a function of Python.
_CAPS: Final = {"round": Qt.PenCapStyle.RoundCap, "flat": Qt.PenCapStyle.FlatCap, "square": Qt.PenCapStyle.SquareCap}


@lru_cache(maxsize=512)
def line_pen(rgba: int, width: float, dash: tuple[float, ...] = (), cap: str = "round") -> QPen:
    """The pen of a line: ends as asked for, flat ones where it is dashed; round joints, cut ones between flat ends."""
    pen = QPen(QColor.fromRgba(rgba), width)
    # Qt makes a curve of each round joint: twice the time of a line that goes to and fro in each column.
    pen.setJoinStyle(Qt.PenJoinStyle.BevelJoin if cap == "flat" else Qt.PenJoinStyle.RoundJoin)
    # A flat end adds nothing to a dash; Qt measures dashes in pen widths.
    pen.setCapStyle(_CAPS["flat" if dash else cap])
    if dash:
        pen.setDashPattern([length / width for length in dash])
    return pen


# Qt strokes a line with many bends up to a hundred times as slowly as pieces of it.
_MOST_POINTS: Final = 32
_PIECE: Final = 16
# Up to so many points no layer pays.
_MOST_IN_PLACE: Final = 200
# Pixels that the middle of a dash may lie beside a straight line.
_STRAIGHT: Final = 0.1
# Of thin lines level and upright ones are filled as boxes, as Qt draws such a line pixel by pixel; others have square
# ends, which look alike: Qt makes an outline of each line with round ones. A tenth of a step of t with discs.
_THIN_LINE: Final = 3.5
# Pixels by which points may stand beside the middles of columns; shades of what is covered.
_ASIDE: Final = 0.01
_SHADES: Final = 256
# Pixels of a layer.
_LARGEST: Final = 1 << 24
# Red, green, blue and alpha, from 0 to 1.
_Color: TypeAlias = tuple[float, float, float, float]


def paint_segments(painter: QPainter, mark: marks.Segments, pixel_ratio: float) -> None:
    """Draw separate lines; pixel_ratio: pixels to a unit, 0 to draw them alike on every device."""
    ends = mark.ends.tolist()
    reach = mark.width / 2
    wide = mark.width
    is_thin = bool(pixel_ratio) and not mark.dash and wide <= _THIN_LINE
    boxes = list[QRectF]()
    for x0, y0, x1, y1 in ends if is_thin else ():
        if x0 != x1 and y0 != y1:
            break
        boxes.append(QRectF(min(x0, x1) - reach, min(y0, y1) - reach, abs(x1 - x0) + wide, abs(y1 - y0) + wide))
    if len(boxes) == len(ends):
        # Level and upright lines alone.
        painter.setPen(NO_PEN)
        painter.setBrush(mark.color)
        painter.drawRects(boxes)
        return
    painter.setPen(line_pen(mark.color.rgba(), mark.width, mark.dash, "square" if is_thin else "round"))
    painter.drawLines([QLineF(*end) for end in ends])


def paint_discs(painter: QPainter, mark: marks.Dots, pixel_ratio: float) -> None:
    """Draw discs, on pixels by shapes that are kept; circles, which have no fill, plainly."""
    radius, fill, outline = mark.radius, mark.fill, mark.outline
    if fill is None or not pixel_ratio:
        painter.setPen(line_pen(outline.rgba(), mark.outline_width) if outline is not None else NO_PEN)
        painter.setBrush(fill if fill is not None else NO_BRUSH)
        for x, y in mark.centers.tolist():
            painter.drawEllipse(QPointF(x, y), radius, radius)
        return
    disc, ring = _disc_shapes(radius, mark.outline_width, pixel_ratio)
    for x, y in mark.centers.tolist():
        painter.translate(x, y)
        painter.fillPath(disc, fill)
        if outline is not None:
            painter.fillPath(ring, outline)
        painter.translate(-x, -y)


@lru_cache(maxsize=64)
def _disc_shapes(radius: float, width: float, pixel_ratio: float) -> tuple[QPainterPath, QPainterPath]:
    """A disc and its outline with the corners that Qt would give their curves in each frame."""
    circle = QPainterPath()
    stroker = QPainterPathStroker()
    circle.addEllipse(QPointF(), radius, radius)
    stroker.setWidth(width)
    disc = QPainterPath()
    ring = QPainterPath()
    # Polygons of paths are half as fine.
    finer, back = (QtGui.QTransform.fromScale(scale, scale) for scale in (2 * pixel_ratio, 0.5 / pixel_ratio))
    for path, corners in ((circle, disc), (stroker.createStroke(circle), ring)):
        corners.setFillRule(path.fillRule())
        for curve in path.toSubpathPolygons(finer):
            corners.addPolygon(back.map(curve))
    return disc, ring


def paint_band(painter: QPainter, mark: marks.Band, pixel_ratio: float) -> None:
    """Draw an area; one that has a point for each column of pixels as what it covers of them, six times as fast."""
    if _has_columns(mark, pixel_ratio):
        _draw_columns(painter, mark, pixel_ratio)
        return
    edge = np.concatenate((np.column_stack((mark.x, mark.upper)), np.column_stack((mark.x, mark.lower))[::-1]))
    painter.setPen(NO_PEN)
    painter.setBrush(mark.fill)
    painter.drawPolygon(_polygon(edge[:, ::-1] if mark.is_upright else edge))


def _has_columns(mark: marks.Band, pixel_ratio: float) -> bool:
    if mark.is_upright or not pixel_ratio or len(mark.x) < _MOST_POINTS:
        return False
    # The middles of pixels stand half a pixel after whole numbers.
    first, last = (mark.x.item(end) * pixel_ratio - 0.5 for end in (0, -1))
    is_aside = max(abs(first - round(first)), abs(last - round(last))) >= _ASIDE
    return not is_aside and round(last) - round(first) == len(mark.x) - 1


def _draw_columns(painter: QPainter, mark: marks.Band, pixel_ratio: float) -> None:
    left = round(mark.x.item(0) * pixel_ratio - 0.5)
    color = cast("_Color", mark.fill.getRgbF())
    top, pixels = _column_pixels(mark.upper.tobytes(), mark.lower.tobytes(), color, pixel_ratio)
    height, width = pixels.shape
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(pixel_ratio)
    painter.drawImage(QPointF(left / pixel_ratio, top / pixel_ratio), image)


# Of a changed encoding the bands of hands that turn in each pixel stay as they are.
@lru_cache(maxsize=8)
def _column_pixels(
    upper_edge: bytes, lower_edge: bytes, color: _Color, pixel_ratio: float
) -> tuple[int, NDArray[np.uint32]]:
    """What a band covers, shape (height, n_columns), and its first row."""
    upper, lower = (np.frombuffer(edge) * pixel_ratio for edge in (upper_edge, lower_edge))
    top, (red, green, blue, alpha) = math.floor(upper.min()), color
    upper, lower = ((edge - top).astype(np.float32) for edge in (upper, lower))
    height = math.ceil(lower.max())
    width = len(upper)
    shares = np.arange(_SHADES) / (_SHADES - 1) * alpha
    blue_to_red = np.array([blue, green, red, 1.0])
    shades = np.rint(shares[:, None] * blue_to_red * 255).astype(np.uint8).view(np.uint32)[:, 0]
    pixels = np.full((height, width), shades[-1])
    # Rows that lie in the area from end to end stay as they are.
    first_whole = min(math.ceil(upper.max()), height)
    for part in (slice(0, first_whole), slice(max(math.floor(lower.min()), first_whole), height)):
        rows = np.arange(part.start, part.stop, dtype=np.float32)[:, None]
        pixels[part] = shades.take(_covered(rows, upper, lower))
    return top, pixels


def _covered(rows: NDArray[np.float32], upper: NDArray[np.float32], lower: NDArray[np.float32]) -> NDArray[np.uint8]:
    """How much of each pixel lies between both edges, as a shade; in place it takes a sixth of the time."""
    covered = np.minimum(lower, rows + 1)
    covered -= np.maximum(upper, rows)
    np.clip(covered, 0.0, 1.0, out=covered)
    covered *= _SHADES - 1
    np.rint(covered, out=covered)
    return covered.astype(np.uint8)


def paint_polyline(painter: QPainter, mark: marks.Polyline, pixel_ratio: float) -> None:
    """Draw a line; a long one on pixels as a layer, but one of one pixel, which is fast."""
    layer = None
    n_points = len(mark.points)
    if n_points > _MOST_POINTS and mark.width * pixel_ratio > 1.0:
        if n_points <= _MOST_IN_PLACE and not mark.dash and mark.color.alphaF() == 1.0:
            painter.setPen(line_pen(mark.color.rgba(), mark.width, cap="flat"))
            _draw_pieces(painter, mark.points)
            return
        layer = _line_layer(mark.points.tobytes(), mark.color.rgb(), mark.width, mark.dash, pixel_ratio)
    if layer is None:
        painter.setPen(line_pen(mark.color.rgba(), mark.width, mark.dash))
        painter.drawPolyline(_polygon(mark.points))
        return
    painter.setOpacity(mark.color.alphaF())
    painter.drawImage(*layer)
    painter.setOpacity(1.0)


# A line that is drawn again, by whatever mark, is there at once: some waves of a changed encoding stay as they are, and
# so does row t of a long table.
@lru_cache(maxsize=8)
def _line_layer(
    packed: bytes, rgb: int, width: float, dash: tuple[float, ...], pixel_ratio: float
) -> tuple[QPointF, QImage] | None:
    """A line in full ink on whole pixels, where its pieces may overlap, and its corner; None where it is huge."""
    points = np.frombuffer(packed).reshape(-1, 2)
    rows = np.ascontiguousarray(points.T)
    low = np.floor((rows.min(axis=1) - width) * pixel_ratio)
    across, down = (np.ceil((rows.max(axis=1) + width) * pixel_ratio) - low).tolist()
    if not across * down <= _LARGEST:
        return None
    layer = QImage(int(across), int(down), QImage.Format.Format_ARGB32_Premultiplied)
    layer.setDevicePixelRatio(pixel_ratio)
    layer.fill(0)
    corner = QPointF(*(low / pixel_ratio).tolist())
    with QPainter(layer) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(-corner)
        painter.setPen(line_pen(rgb, width, cap="flat"))
        if dash:
            _draw_dashes(painter, points, dash)
        else:
            _draw_pieces(painter, points)
    return corner, layer


def _draw_pieces(painter: QPainter, points: marks.Points) -> None:
    """Draw pieces that share a stretch, so that the joint between them is whole."""
    # One polygon for all: to make each of them would take as long as to draw thin ones.
    piece, corners = _polygon_of(_PIECE + 2)
    for start in range(0, len(points) - 2, _PIECE):
        part = points[start : start + _PIECE + 2]
        if len(part) == len(corners):
            corners[:] = part
            painter.drawPolyline(piece)
        else:
            painter.drawPolyline(_polygon(part))


def _draw_dashes(painter: QPainter, points: marks.Points, dash: tuple[float, ...]) -> None:
    """Draw straight dashes as lines, bent ones as lines of several points."""
    steps = np.diff(points, axis=0)
    along = np.concatenate(([0.0], np.cumsum(np.hypot(steps[:, 0], steps[:, 1]))))
    edges = np.concatenate(([0.0], np.cumsum(dash)))
    begins = np.arange(0.0, along[-1], edges[-1])
    starts = np.concatenate([begins + edge for edge in edges[:-1:2]])
    stops = np.minimum(np.concatenate([begins + edge for edge in edges[1::2]]), along[-1])
    lines = [np.interp(places, along, points[:, axis]) for places in (starts, stops) for axis in (0, 1)]
    # A bend by h in the middle of a dash of length l makes it longer by 8 h^2 / 3 l.
    longer = stops - starts - np.hypot(lines[2] - lines[0], lines[3] - lines[1])
    is_bent = longer * (stops - starts) * 3 / 8 >= _STRAIGHT**2
    ends = np.column_stack(lines)
    painter.drawLines([QLineF(*end) for end in ends[~is_bent & (starts < stops)].tolist()])
    inner = np.searchsorted(along, starts, side="right"), np.searchsorted(along, stops, side="left")
    for bent in np.flatnonzero(is_bent).tolist():
        first = ends[bent, None, :2]
        last = ends[bent, None, 2:]
        painter.drawPolyline(_polygon(np.concatenate((first, points[inner[0][bent] : inner[1][bent]], last))))
