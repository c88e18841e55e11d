"""Where terms, curve, map and the table of pairings stand on the page of the score."""

from typing import Any, Final

from pe_desktop.core.record import record
from pe_desktop.draw.scene import Area
from pe_desktop.views.map_and_profile import MapLayout

# Left of the plots their numbers, right of the terms the score.
_LEFT, _SCORE = 56.0, 62.0
# Between map and profile, and right of the map what is told about it.
_GAP, _NOTES = 44.0, 112.0
# From which size on there is a map, each line of text, the table, the curve.
_WITH_MAP: Final = 620.0
_ROOMY_HEIGHT, _WITH_TABLE, _WITH_CURVE = 560.0, 330.0, 230.0
# Heights: over the terms, under them with the numbers of the pairs, over the curve, under it.
_HEAD, _LOW_HEAD, _PAIRS, _CURVE_HEAD, _CURVE_FOOT = 58.0, 28.0, 34.0, 36.0, 34.0
# The table: its head, a row, the sentence below it.
_TABLE_HEAD, ROW, LOW_ROW, _SENTENCE = 26.0, 31.0, 21.0, 44.0
_N_ROWS: Final = 3
_BETWEEN: Final = 12.0
_TERMS_SHARE: Final = 0.55


@record(kw_only=True)
class ScoreLayout(MapLayout):
    """terms: the plot of the bars; table: head, rows and sentence. Parts without room have no height.

    is_roomy: formula, sentence and tall rows have room.
    """

    width: float
    terms: Area
    table: Area
    is_roomy: bool

    @property
    def dividers(self) -> tuple[float, ...]:
        """The heights of the lines between the parts."""
        tops = (self.profile.y - _CURVE_HEAD,) * self.has_profile + (self.table.y,) * (self.table.height > 0)
        return tuple(top - _BETWEEN / 2 for top in tops)


def score_layout(width: float, height: float, **shown: Any) -> ScoreLayout:
    """Terms over curve and map over the table; shown: the spans."""
    is_roomy, has_table, has_curve = height >= _ROOMY_HEIGHT, height >= _WITH_TABLE, height >= _WITH_CURVE
    head = _HEAD if is_roomy else _LOW_HEAD
    table = (_TABLE_HEAD + _N_ROWS * (ROW if is_roomy else LOW_ROW) + _SENTENCE * is_roomy) * has_table
    around_curve = (_CURVE_HEAD + _CURVE_FOOT + _BETWEEN) * has_curve
    room = height - head - _PAIRS - around_curve - table - _BETWEEN * has_table
    terms_height = room * _TERMS_SHARE if has_curve else room
    curve_height = max(room - terms_height, 0.0) * has_curve
    terms = Area(_LEFT, head, max(width - _LEFT - _SCORE, 40.0), max(terms_height, 20.0))
    top = terms.bottom + _PAIRS + _BETWEEN + _CURVE_HEAD
    has_map = is_roomy and width >= _WITH_MAP
    side = curve_height if has_map else 0.0
    beside = (side + _NOTES + _GAP) if has_map else 18.0
    profile = Area(_LEFT, top, max(width - _LEFT - beside, 40.0), curve_height)
    return ScoreLayout(
        width=width,
        terms=terms,
        profile=profile,
        map=Area(width - _NOTES - side, top, side, side),
        table=Area(0.0, height - table, width, table),
        is_roomy=is_roomy,
        **shown,
    )
