"""Where map, numbers, profile and the list of other positions stand."""

from typing import Final

from pe_desktop.core.cursor import Span
from pe_desktop.core.record import record
from pe_desktop.draw.scene import Area
from pe_desktop.views.map_and_profile import MapLayout

# Left of the map and of the profile: their numbers, of more digits from _LONG positions on.
_LEFT, _LEFT_OF_LONG = 46.0, 62.0
_LONG: Final = 100_000
# Above the map its title and the colour bar, below it the numbers.
_TOP, _AXIS = 28.0, 38.0
# Above a profile its title, below it the numbers.
_PROFILE_TOP, _PROFILE_BOTTOM = 44.0, 24.0
_LOWEST_CURVE, _HIGHEST_CURVE = 44.0, 150.0
# Numbers beside the map, or at the foot of a narrow panel, and what they need.
_GAP: Final = 34.0
_NUMBERS, _WIDEST_NUMBERS, _LOWEST_NUMBERS = 176.0, 430.0, 90.0
# The share of the width that the map takes at most where numbers stand beside it.
_MAP_SHARE: Final = 0.47
# The list: from which width on, and height beside its own.
_LIST_WIDTH, _LIST_HEIGHT = 560.0, 432.0
# Lower than this there is only the map, narrower only map and profile.
_LOWEST_WITH_PROFILE: Final = 260.0
_LEAST_SIDE: Final = 40.0


@record(kw_only=True)
class LookBackLayout(MapLayout):
    """The parts; numbers, profile and others have no height where there is no room for them."""

    numbers: Area
    others: Area

    @property
    def has_numbers(self) -> bool:
        return self.numbers.height > 0

    @property
    def has_others(self) -> bool:
        return self.others.height > 0

    @property
    def profile_top(self) -> float:
        """Where the profile's part begins, with a line."""
        return self.profile.y - _PROFILE_TOP


def look_back_layout(
    width: float, height: float, shown: tuple[Span, Span], offsets: Span, others: float
) -> LookBackLayout:
    """Map and numbers beside each other, the profile below, the list at the foot.

    shown: the visible rows and columns; others: the height of the list.
    """
    if width < _LIST_WIDTH or height < _LIST_HEIGHT + others:
        others = 0.0
    rows, columns = shown
    before = _LEFT if max(rows.last, columns.last) < _LONG else _LEFT_OF_LONG
    has_profile = height >= _LOWEST_WITH_PROFILE
    around_curve = (_PROFILE_TOP + _PROFILE_BOTTOM) * has_profile
    lowest = around_curve + has_profile * max(min(0.12 * height, 100.0), _LOWEST_CURVE)
    room = height - others - lowest - _TOP - _AXIS
    has_numbers = width * _MAP_SHARE <= width - before - _GAP - _NUMBERS
    side = max(min(room, width * _MAP_SHARE if has_numbers else width - before - 16.0), _LEAST_SIDE)
    area = Area(before, _TOP, side, side)
    left = area.right + _GAP
    numbers = Area(left, 4.0, min(width - left - 4.0, _WIDEST_NUMBERS), side + _TOP + _AXIS - 12.0)
    foot = height - others
    curve = min(foot - area.bottom - _AXIS - around_curve, _HIGHEST_CURVE) if has_profile else 0.0
    profile = Area(before, area.bottom + _AXIS + _PROFILE_TOP, width - before - 18.0, max(curve, 0.0))
    if not has_numbers:
        top = profile.bottom + _PROFILE_BOTTOM + 16.0
        tall = (foot - top) * has_profile
        numbers = Area(0.0, top, min(width - 4.0, _WIDEST_NUMBERS), tall if tall >= _LOWEST_NUMBERS else 0.0)
    return LookBackLayout(
        map=area,
        profile=profile,
        rows=rows,
        columns=columns,
        offsets=offsets,
        numbers=numbers,
        others=Area(0.0, foot, width, others),
    )
