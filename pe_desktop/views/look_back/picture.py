"""Where map, numbers, profile and the list of other positions stand, and what is drawn of map and profile."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from pe_desktop.core.fields.field import ColorScale
from pe_desktop.core.fields.similarity import row_similarity
from pe_desktop.core.record import kept, record
from pe_desktop.core.scores.look_back import Drops, Shift
from pe_desktop.draw import marks
from pe_desktop.draw.color_bar import lying_bar, lying_bar_width
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.plot import Axis
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.theme import Theme, map_colors
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.look_back.text import offset_text
from pe_desktop.views.map_and_profile import MapLayout, OffsetCurve, mirrored, most_positions, row_positions

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
_LIST_WIDTH, LIST_HEIGHT = 400.0, 432.0
# Lower than this there is only the map.
_LOWEST_WITH_PROFILE, _LEAST_SIDE = 260.0, 40.0
# The width of the colour bar; a map so wide has numbers below it.
_BAR, _WITH_NUMBERS = 68.0, 100.0
# A map alone on paper.
_TALLEST_ALONE: Final = 560.0
_TITLES: Final = ("Score against offset s − t", "Score by offset", "")


@record(kw_only=True)
class LookBackLayout(MapLayout):
    """The parts; numbers, profile and others have no height where there is no room for them."""

    numbers: Area
    others: Area

    def cell_sets(self, x: float, y: float) -> Mapping[str, Any]:
        """A head reads no key after its query: there k stays."""
        cell = super().cell_sets(x, y)
        return cell if cell["offset"] <= 0 else {"position": cell["position"]}


@kept
def look_back_layout(width: float, height: float, others: float, **shown: Any) -> LookBackLayout:
    """Map and numbers beside each other, the profile below, the list, `others` high, at the foot; shown: the spans."""
    if width < _LIST_WIDTH or height < LIST_HEIGHT + others:
        others = 0.0
    last = max(span.last for span in shown["visible"])
    before, has_profile = _LEFT if last < _LONG else _LEFT_OF_LONG, height >= _LOWEST_WITH_PROFILE
    around_curve = (_PROFILE_TOP + _PROFILE_BOTTOM) * has_profile
    lowest = around_curve + has_profile * max(min(0.12 * height, 100.0), _LOWEST_CURVE)
    has_numbers = width * _MAP_SHARE <= width - before - _GAP - _NUMBERS
    side = width * _MAP_SHARE if has_numbers else width - before - 16.0
    side = max(min(height - others - lowest - _TOP - _AXIS, side), _LEAST_SIDE)
    area, foot = Area(before, _TOP, side, side), height - others
    curve = min(foot - area.bottom - _AXIS - around_curve, _HIGHEST_CURVE) if has_profile else 0.0
    profile = Area(before, area.bottom + _AXIS + _PROFILE_TOP, width - before - 18.0, max(curve, 0.0))
    left, top, tall = area.right + _GAP, 4.0, side + _TOP + _AXIS - 12.0
    if not has_numbers:
        left, top = 0.0, profile.bottom + _PROFILE_BOTTOM + 16.0
        tall = foot - top if has_profile and foot - top >= _LOWEST_NUMBERS else 0.0
    return LookBackLayout(
        map=area,
        profile=profile,
        numbers=Area(left, top, min(width - left - 4.0, _WIDEST_NUMBERS), tall),
        others=Area(0.0, foot, width, others),
        **shown,
    )


def map_height(width: float) -> float:
    """The height of the map alone at a width."""
    return min(width - _LEFT - 16.0, _TALLEST_ALONE) + _TOP + _AXIS


def map_alone(layout: LookBackLayout, width: float, height: float) -> LookBackLayout:
    """The map in the middle of a box, and nothing beside it."""
    side = max(min(width - layout.map.x - 16.0, height - _TOP - _AXIS), _LEAST_SIDE)
    area, none = Area(layout.map.x, _TOP, side, side), Area(0.0, 0.0, 0.0, 0.0)
    return replace(layout, map=area, profile=none, numbers=none, others=none)


def frame_picture(layout: LookBackLayout, scale: ColorScale | None, theme: Theme) -> marks.Picture:
    """Frame, axes and colour bar of the map, without a scale there is no map; the line above the list."""
    area, (row_ticks, column_ticks), query = layout.map, layout.ticks(), "query at t"
    picture: marks.Marks = [layout.frame(theme), *layout.row_axis.labels(row_ticks, theme)]
    if area.width >= _WITH_NUMBERS:
        picture += layout.column_axis.labels(column_ticks, theme, 12.0)
    picture.append(marks.Text(0.0, area.y - 16.0, query, "tick", theme.text3))
    picture.append(marks.right_aligned(area.right, area.bottom + 25.0, "key at s", "tick", theme.text3))
    if layout.others.height:
        picture.append(marks.lines((0.0, layout.others.y, layout.others.right, layout.others.y), theme.line))
    if scale is not None:
        ticks = Axis(area, *scale.limits).end_ticks(scale.is_cut)
        ends = ticks[0].text, ticks[-1].text
        if area.right - lying_bar_width(_BAR, ends) >= text_width("tick", query) + 8.0:
            colors = map_colors(theme, scale.limits, is_diverging=True)
            picture += lying_bar(area.right, area.y - 16.0, _BAR, ends, colors, theme)
    return tuple(picture)


def profile_picture(
    layout: LookBackLayout, scores: Drops | Shift | None, places: int, theme: Theme, trained_length: int
) -> marks.Picture:
    """What stays of the profile: a line above, axes, the curve of every row."""
    if not layout.has_profile:
        return ()
    above = layout.profile.y - _PROFILE_TOP
    return (
        marks.lines((0.0, above, layout.profile.right + 18.0, above), theme.line),
        *layout.levels_picture(theme, trained_length),
        *layout.offset_labels(theme),
        layout.offset_axis.title("offset", theme, 13.0, is_before=True),
        *layout.every_row(_every(layout, scores, places), theme),
    )


def moving_profile(
    layout: LookBackLayout, scores: Drops | Shift | None, t: int, places: int, box: Box, *, is_shared: bool
) -> marks.Picture:
    """Title and legend, row t, of a long table an even sample of it, and the knob on the peak with its words."""
    if not layout.has_profile:
        return ()
    own, peak, theme = None, 0.0, box.theme
    if isinstance(scores, Drops):
        peak = scores.peak
    elif scores is not None:
        encoding, query = scores.encoding, scores.queries([t])[0]
        most = most_positions(encoding.d_model, is_paper=box.is_paper)
        keys = row_positions(layout.offsets, t, encoding.n_positions, most)
        own = OffsetCurve(np.array(keys) - float(t), row_similarity(encoding, "dot", query, keys))
        peak = float(query @ encoding.values([t - places])[0]) if t >= places else 0.0
    return (
        *layout.head_picture(_TITLES, whole(t), theme, is_shared=is_shared),
        *layout.row_picture(_every(layout, scores, places), own, t, theme),
        *layout.offset_picture(-places, peak, theme),
        *_knob_words(layout, places, peak, theme),
    )


@kept
def _every(layout: LookBackLayout, scores: Drops | Shift | None, places: int) -> OffsetCurve | None:
    """The curve of every row over the visible offsets; it stays while the cursor moves."""
    if not isinstance(scores, Drops):
        return None
    drops = mirrored(scores.drops, layout.offsets, -places)
    return None if drops is None else OffsetCurve(drops.offsets, scores.peak - drops.values)


def _knob_words(layout: LookBackLayout, places: int, score: float, theme: Theme) -> marks.Picture:
    """Beside a peak, which the curve leaves to both sides, above any other place on it."""
    if not layout.offset_axis.shows(-places):
        return ()
    x, y, text = layout.offset_axis.place(-places), layout.height_of(score), offset_text(places)
    is_left = x + 12.0 + text_width("flag", text) > layout.profile.right + 14.0
    x, y = x - 12.0 if is_left else x + 12.0, max(y - 12.0, layout.profile.y)
    return (marks.Text(x, y, text, "flag", theme.text, across=float(is_left)),)
