"""Where hands, tables and the curve of the decoder stand."""

from typing import Final

from pe_desktop.core.cursor import Span
from pe_desktop.core.decoder import N_NEAREST
from pe_desktop.core.record import record
from pe_desktop.draw.plot import Axis
from pe_desktop.draw.scene import Area
from pe_desktop.draw.tables import HEAD, ROW, TableLayout

# From this width on tables stand beside the hands and the curve.
WIDE: Final = 600.0
_GAP: Final = 28.0
# Heights: the answer over all, a caption over each part, flags over the curve, its axis under
# it, the note under a table.
_ANSWER, _NARROW_ANSWER = 66.0, 116.0
CAPTION: Final = 24.0
FLAG: Final = 22.0
_AXIS, _NOTE = 40.0, 22.0
_LEAST_HANDS, _LEAST_CURVE = 170.0, 120.0
_LEFT: Final = 58.0
_TABLE_SHARE, _NARROWEST_TABLE, _WIDEST_TABLE = 0.48, 330.0, 420.0
# The bars of the other page: under two lines of words, with room for the numbers of both axes.
_BARS_TOP, _NARROW_BARS_TOP, _BARS_FOOT = 92.0, 128.0, 44.0


@record
class DecoderLayout:
    """hands: the dial or the bars of a vector; counts: what 1, 2, 4, ... hands read; nearest: the best positions."""

    width: float
    is_wide: bool
    hands: Area
    counts: TableLayout
    curve: Area
    nearest: TableLayout
    span: Span

    @property
    def position_axis(self) -> Axis:
        return Axis(self.curve, self.span.first, self.span.last)


def decoder_layout(width: float, height: float, span: Span, n_counts: int) -> DecoderLayout:
    """What is higher than needed goes to the hands and the curve alike."""
    is_wide = width >= WIDE
    spare = max(height - needed_height(width, n_counts), 0.0) / 2
    top = _ANSWER if is_wide else _NARROW_ANSWER
    table = min(max(width * _TABLE_SHARE, _NARROWEST_TABLE), _WIDEST_TABLE) if is_wide else width
    left = width - table - _GAP if is_wide else width
    if is_wide:
        upper = _upper(n_counts) + spare
        hands = Area(0.0, top, left, upper)
        counts = TableLayout(width - table, top + CAPTION, table, n_counts)
        lower = hands.bottom
        nearest = TableLayout(width - table, lower + CAPTION, table, N_NEAREST)
    else:
        hands = Area(0.0, top, left, _LEAST_HANDS + spare)
        counts = TableLayout(0.0, hands.bottom + CAPTION, table, n_counts)
        lower = counts.bottom + _NOTE
        nearest = TableLayout(0.0, height - HEAD - N_NEAREST * ROW, table, N_NEAREST)
    foot = height if is_wide else nearest.y - CAPTION
    top = lower + CAPTION + FLAG
    curve = Area(_LEFT, top, max(left - _LEFT - 12.0, 40.0), max(foot - _AXIS - top, 20.0))
    return DecoderLayout(width, is_wide, hands, counts, curve, nearest, span)


def needed_height(width: float, n_counts: int) -> float:
    """The height without which something is left out."""
    nearest = CAPTION + HEAD + N_NEAREST * ROW
    curve = CAPTION + FLAG + _LEAST_CURVE + _AXIS
    if width >= WIDE:
        return _ANSWER + _upper(n_counts) + max(nearest, curve)
    counts = CAPTION + HEAD + n_counts * ROW + _NOTE
    return _NARROW_ANSWER + _LEAST_HANDS + counts + curve + nearest


def bars_area(width: float, height: float) -> Area:
    """Where the scores of the page "before" stand."""
    top = _BARS_TOP if width >= WIDE else _NARROW_BARS_TOP
    return Area(_LEFT, top, max(width - _LEFT - 12.0, 40.0), max(height - top - _BARS_FOOT, 40.0))


def _upper(n_counts: int) -> float:
    return max(CAPTION + HEAD + n_counts * ROW + _NOTE, _LEAST_HANDS)
