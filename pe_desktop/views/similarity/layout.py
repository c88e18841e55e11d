"""Where map, colour bar, profile and numbers of the similarity stand, in a wide box and in a narrow one."""

from typing import Any, Final

from pe_desktop.core.record import record
from pe_desktop.draw.scene import Area
from pe_desktop.views.map_and_profile import MapLayout

_WIDE, _ROOMY = 620.0, 900.0
# Between colour bar and profile: the numbers of the bar and those of the profile's levels, powers of ten among them.
_NUMBERS, _ROOMY_NUMBERS, _LONG_NUMBERS = 88.0, 104.0, 152.0
# Left of the map: its numbers and a short title, or one of two words.
_LABELS, _TITLE = 46.0, 62.0
_AXIS, _BAR = 24.0, 8.0
# Between map and profile in a narrow box: the numbers of the columns.
_GAP: Final = 22.0
_SIDE_COLUMN: Final = 104.0
# What a wide map leaves to colour bar and profile.
_BESIDE_MAP: Final = 780.0
# From here on the three numbers stand in a row, else under each other, for which lower boxes have no room.
_ONE_ROW, _LOW = 700.0, 212.0


@record(kw_only=True)
class SimilarityLayout(MapLayout):
    """The parts of the view."""

    bar: Area
    readout: Area
    is_wide: bool

    @property
    def has_long_titles(self) -> bool:
        """Whether the axes have room for titles of two words."""
        return self.map.x >= _TITLE


def similarity_layout(width: float, height: float, *, has_long_numbers: bool = False, **shown: Any) -> SimilarityLayout:
    """Map beside profile where there is room, else profile under map and numbers beside it.

    shown: the spans; has_long_numbers: those between colour bar and profile need more room.
    """
    numbers = _LONG_NUMBERS if has_long_numbers else _ROOMY_NUMBERS if width >= _ROOMY else _NUMBERS
    is_wide = width - numbers >= _WIDE - _NUMBERS
    area, bar, profile, readout = _wide_areas(width, height, numbers) if is_wide else _narrow_areas(width, height)
    return SimilarityLayout(map=area, profile=profile, bar=bar, readout=readout, is_wide=is_wide, **shown)


def _wide_areas(width: float, height: float, numbers: float) -> tuple[Area, Area, Area, Area]:
    side = max(min(height - _AXIS - 8.0, max(width * 0.42, width - _BESIDE_MAP)), 40.0)
    area = Area(_TITLE, 6.0, side, side)
    bar = Area(area.right + 14.0, 6.0, _BAR, side * 0.45)
    left = bar.right + numbers
    room = width - left - 8.0
    foot = 30.0 if room >= _ONE_ROW or height < _LOW else 72.0
    profile = Area(left, 56.0, max(room, 40.0), max(height - 56.0 - 54.0 - foot, 30.0))
    return area, bar, profile, Area(left - 30.0, height - foot - 4.0, room + 30.0, foot)


def _narrow_areas(width: float, height: float) -> tuple[Area, Area, Area, Area]:
    below = max(min(height * 0.27, 110.0), 64.0)
    tallest, room = height - below + 4.0 - _GAP, width - _SIDE_COLUMN - 14.0
    left = _TITLE if room - _TITLE >= tallest else _LABELS
    side = max(min(tallest, room - left), 40.0)
    area = Area(left, 6.0, side, side)
    right = area.right + 16.0
    profile = Area(left, area.bottom + _GAP, side, max(height - side - _AXIS - 10.0 - _GAP, 20.0))
    bar = Area(right, 28.0, _BAR, max(side * 0.36, 30.0))
    top = bar.bottom + 20.0
    return area, bar, profile, Area(right, top, width - right, max(height - top, 40.0))
