"""Where the parts of the rotation's picture stand, in a wide panel and in a narrow one."""

from pe_desktop.core.record import record
from pe_desktop.draw.scene import Area

_WIDE = (560.0, 360.0)
RAMP = 16.0
# Caption under the matrix, equation or residual under both.
CAPTION = 30.0
_FOOT = 132.0
# The least side of the lens where the height allows it.
_LENS = 88.0


@record
class RotationLayout:
    """The areas of matrix, lens, circle, equation and residual; a narrow panel has no circle."""

    matrix: Area
    lens: Area
    circle: Area | None
    equation: Area
    residual: Area | None


def rotation_layout(width: float, height: float) -> RotationLayout:
    """Three parts side by side over two where there is room, else two over text."""
    return _wide(width, height) if width >= _WIDE[0] and height >= _WIDE[1] else _narrow(width, height)


def _wide(width: float, height: float) -> RotationLayout:
    side = min(height - _FOOT - CAPTION - RAMP - 8.0, width * 0.34)
    matrix = Area(RAMP, RAMP, side, side)
    foot = matrix.y + side + CAPTION + 8.0
    lens_side = min(side * 0.68, width * 0.22)
    lens_x = matrix.x + side + max((width * 0.68 - side - lens_side) * 0.42, 40.0)
    lens = Area(lens_x, 44.0, lens_side, lens_side)
    circle_x = lens_x + lens_side + 40.0
    radius = min((width - circle_x - 80.0) / 2, (foot - 50.0) / 2 - 20.0)
    circle = Area(circle_x + 34.0, 30.0, 2 * radius, 2 * radius)
    split = width * 0.48
    equation = Area(0.0, foot + 6.0, split - 16.0, _FOOT - 10.0)
    residual = Area(split + 34.0, foot + 6.0, width - split - 40.0, min(height - foot - 8.0, side * 0.8))
    return RotationLayout(matrix, lens, circle, equation, residual)


def _narrow(width: float, height: float) -> RotationLayout:
    has_residual = height >= 280.0
    foot_height = 128.0 if has_residual else 32.0
    side = max(min(height - foot_height - CAPTION - RAMP, width * 0.46), 40.0)
    matrix = Area(RAMP, RAMP, side, side)
    foot = matrix.y + side + CAPTION
    # Beside a small matrix the lens may be the larger one: its numbers need room.
    lens_side = max(min(side * 0.86, width - side - RAMP - 64.0), min(_LENS, foot - 8.0))
    lens = Area(width - lens_side - 6.0, max(RAMP + (side - lens_side) / 2, 3.0), lens_side, lens_side)
    residual = Area(44.0, foot + 52.0, width - 50.0, height - foot - 54.0) if has_residual else None
    return RotationLayout(matrix, lens, None, Area(0.0, foot, width, 46.0), residual)
